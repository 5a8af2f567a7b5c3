/* What a call of the library leaves behind: a million exponentials of the caller's own, by libm,
   before any call and after one of each kind. A register whose upper half is left in use makes them
   25 times slower for the rest of the thread. Prints nanoseconds an exponential, medians of nine.
       upper LEVEL              the level of optimisation that the implementation was compiled at */
#include "../autodiff.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MANY = 100000, TIMES = 9, LENGTH = 64 };

static double in[LENGTH], out[LENGTH];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
/* x small enough for libm's shortest path, whose instructions are of the old encoding. */
static double nanoseconds(void)
{
    double seconds[TIMES];
    int i, k;
    for (k = 0; k < TIMES; k++) {
        const double start = now();
        double s = 0;
        for (i = 0; i < MANY; i++) s += exp(1e-3 * (double)(i & 255));
        out[LENGTH - 1] = s;
        seconds[k] = now() - start;
    }
    qsort(seconds, TIMES, sizeof *seconds, ascending);
    return seconds[TIMES / 2] * 1e9 / MANY;
}

static void kernel(void) { ad_kernel_tanh(NULL, LENGTH, in, out); }
static void reduction(void) { ad_kernel_sum(NULL, LENGTH, in, out); }
static void map(void)
{
    ad_fn *const f = ad_fn_parse("tanh(x)*x", "x", NULL, 0);
    const ad_port from = ad_port_in(in, 1), to = ad_port_out(out, 1);
    ad_fn_map(f, LENGTH, &from, &to, NULL);
    ad_fn_destroy(f);
}
static void arrays(void)
{
    ad_tape *const t = ad_tape_create(NULL);
    const int32_t dim[2] = { 8, 8 };
    const ad_array a = ad_array_input(t, 2, dim, in);
    ad_backward(ad_array_item(ad_array_sum(ad_array_matmul(a, ad_array_tanh(a)), ~0u, 0)));
    ad_tape_destroy(t);
}
static void recorded(void)
{
    ad_tape *const t = ad_tape_create(NULL);
    ad_backward(ad_var_tanh(ad_input(t, 0.5)));
    ad_tape_destroy(t);
}

int main(int argc, char **argv)
{
    static const struct { const char *name; void (*call)(void); } kind[] = {
        { "an elementwise kernel", kernel }, { "a reduction", reduction }, { "a map", map },
        { "arrays and a sweep", arrays }, { "a tape and a sweep", recorded }
    };
    double before = nanoseconds();                                   /* warm */
    size_t k;
    before = nanoseconds();
    for (k = 0; k < LENGTH; k++) in[k] = 0.01 * (double)k;
    printf("%-4s before %.2f;", argc > 1 ? argv[1] : "", before);
    for (k = 0; k < sizeof kind / sizeof kind[0]; k++) {
        kind[k].call();
        printf(" %s %.2f%s", kind[k].name, nanoseconds(), k < 4 ? "," : "\n");
    }
    return 0;
}
