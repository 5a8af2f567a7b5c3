/* Work that threads share: prints a sum of the bits of products, convolutions and groups of
   elementwise operations on arrays, forwards and backwards, on the tape and compiled.
   check_agree.sh runs it without OpenMP and with several numbers of threads: all must print the
   same.
       shared [time]          time: instead, seconds of each
   The file includes itself, once for each real type. */
#ifndef SREAL
#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "../autodiff.h"

static uint32_t seed;
static double draw(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / 8388608.0 - 1;
}
static int timed;
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static int failed;

#define SREAL    double
#define SA(name) ad_##name
#define ST(name) name##_d
#include "shared.c"
#undef SREAL
#undef SA
#undef ST
#define SREAL    float
#define SA(name) adf_##name
#define ST(name) name##_f
#include "shared.c"

int main(int argc, char **argv)
{
    timed = argc > 1 && strcmp(argv[1], "time") == 0;
    everything_d();
    everything_f();
    return failed;
}

#else

static uint64_t ST(bits_of)(uint64_t hash, const SREAL *x, size_t n)
{
    const unsigned char *const p = (const unsigned char *)x;
    size_t i;
    for (i = 0; i < n * sizeof *x; i++) hash = (hash ^ p[i]) * UINT64_C(0x100000001B3);
    return hash;
}
static SA(array) ST(input)(SA(tape) *t, int rank, int a, int b, int c, int d)
{
    int32_t dim[4];
    size_t n = 1, i;
    SREAL *x;
    SA(array) r;
    dim[0] = a, dim[1] = b, dim[2] = c, dim[3] = d;
    for (i = 0; i < (size_t)rank; i++) n *= (size_t)dim[i];
    x = (SREAL *)malloc(n * sizeof *x);
    if (!x) abort();
    for (i = 0; i < n; i++) x[i] = (SREAL)draw();
    r = SA(array_input)(t, rank, dim, x);
    free(x);
    return r;
}

/* y and the adjoints of x[n]; and the same of the function that is made of it. */
static void ST(report)(const char *name, SA(tape) *t, size_t n, const SA(array) *x, SA(array) y,
    double began)
{
    SA(fn) *f, *g;
    const SREAL *in[4];
    SREAL *out[4];
    SA(array) total = SA(array_sum)(SA(array_mul)(y, y), AD_ALL_AXES, 0);
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    double took;
    size_t i;
    SA(array_backward)(y, NULL);
    took = now() - began;
    hash = ST(bits_of)(hash, SA(array_values)(y), SA(array_size)(y));
    for (i = 0; i < n; i++)
        hash = ST(bits_of)(hash, SA(array_adjoints)(x[i]), SA(array_size)(x[i]));
    f = SA(fn_create_arrays)(t, n, x, 1, &total, NULL);
    g = SA(fn_gradient)(f);
    for (i = 0; i <= n; i++) {
        const size_t size = i ? SA(array_size)(x[i - 1]) : 1;
        if (i) in[i - 1] = SA(array_values)(x[i - 1]);
        out[i] = (SREAL *)malloc(size * sizeof(SREAL));
        if (!out[i]) abort();
    }
    began = now();
    if (SA(fn_run)(g, in, out) != AD_OK || SA(tape_status)(t) != AD_OK) {
        printf("%s: %s %s\n", name, SA(fn_message)(g), SA(tape_message)(t));
        failed = 1;
    }
    if (timed) printf("%-16s %8.2f ms, compiled %8.2f ms\n", name, 1e3 * took,
                      1e3 * (now() - began));
    for (i = 0; i <= n; i++) {
        hash = ST(bits_of)(hash, out[i], i ? SA(array_size)(x[i - 1]) : 1);
        free(out[i]);
    }
    if (!timed) printf("%-16s %016llx\n", name, (unsigned long long)hash);
    SA(fn_destroy)(g);
    SA(fn_destroy)(f);
    SA(tape_destroy)(t);
}

static void ST(product)(const char *name, int ta, int tb, int batch, int shared, int m, int n,
    int k)
{
    SA(tape) *const t = SA(tape_create)(NULL);
    SA(array) x[2];
    const double began = now();
    const int ranks = batch > 1 ? 3 : 2, a0 = ta ? k : m, a1 = ta ? m : k;
    const int b0 = tb ? n : k, b1 = tb ? k : n;
    x[0] = ranks == 3 ? ST(input)(t, 3, batch, a0, a1, 0) : ST(input)(t, 2, a0, a1, 0, 0);
    x[1] = ranks == 3 && !shared ? ST(input)(t, 3, batch, b0, b1, 0)
                                 : ST(input)(t, 2, b0, b1, 0, 0);
    ST(report)(name, t, 2, x, SA(array_matmul_t)(x[0], ta, x[1], tb), began);
}
static void ST(convolution)(const char *name, int images, int channels, int side, int filters,
    int window, int stride, int groups)
{
    SA(tape) *const t = SA(tape_create)(NULL);
    SA(array) x[2];
    ad_conv_desc how;
    const double began = now();
    memset(&how, 0, sizeof how);
    how.stride[0] = how.stride[1] = stride;
    how.pad[0] = how.pad[1] = window / 2;
    how.groups = groups;
    x[0] = ST(input)(t, 4, images, channels, side, side);
    x[1] = ST(input)(t, 4, filters, channels / groups, window, window);
    ST(report)(name, t, 2, x, SA(array_conv2d)(x[0], x[1], &how), began);
}
static void ST(group)(const char *name, int n)
{
    SA(tape) *const t = SA(tape_create)(NULL);
    SA(array) x[2], y;
    const double began = now();
    x[0] = ST(input)(t, 1, n, 0, 0, 0);
    x[1] = ST(input)(t, 1, n, 0, 0, 0);
    y = SA(array_mul)(SA(array_tanh)(SA(array_fma)(x[0], x[1], x[0])), SA(array_exp)(x[1]));
    ST(report)(name, t, 2, x, SA(array_sub)(y, SA(array_sigmoid)(x[0])), began);
}
/* Points that have indices in common: the later one stays, though a thread that has the earlier
   ones ends with those that another began with. */
static void ST(later)(void)
{
    enum { POINTS = 1 << 20, PLACES = POINTS / 2, TIMES = 5 };
    static SREAL x[POINTS], y[PLACES];
    static uint32_t index[POINTS];
    SA(fn) *const f = SA(fn_parse)("sin(sin(sin(sin(x))))", "x", NULL, 0);
    const SA(port) in = SA(port_in)(x, 1), out = SA(port_scatter)(y, 1, index);
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    int i;
    for (i = 0; i < POINTS; i++) {
        x[i] = (SREAL)(0.000001 * i);
        index[i] = (uint32_t)(i < PLACES ? i : POINTS - 1 - i);
    }
    for (i = 0; i < TIMES; i++) {
        if (SA(fn_map)(f, POINTS, &in, &out, NULL) != AD_OK) failed = 1;
        hash = ST(bits_of)(hash, y, PLACES);
    }
    printf("%-16s %016llx\n", "later", (unsigned long long)hash);
    SA(fn_destroy)(f);
}
/* Threads that have no work are not made, however many are allowed. */
static void ST(few)(void)
{
    enum { POINTS = 64 };
    SREAL x[POINTS], y[POINTS];
    SA(fn) *const f = SA(fn_parse)("sin(x)*x", "x", NULL, 0);
    const SA(port) in = SA(port_in)(x, 1), out = SA(port_out)(y, 1);
    ad_map_desc desc;
    int i;
    memset(&desc, 0, sizeof desc);
    desc.threads = 100000;
    for (i = 0; i < POINTS; i++) x[i] = (SREAL)0.125 * (SREAL)i;
    if (SA(fn_map)(f, POINTS, &in, &out, &desc) != AD_OK) failed = 1;
    printf("%-16s %016llx\n", "few",
           (unsigned long long)ST(bits_of)(UINT64_C(0xCBF29CE484222325), y, POINTS));
    SA(fn_destroy)(f);
}

static void ST(everything)(void)
{
    seed = 1;
    ST(product)("product", 0, 0, 1, 0, 300, 211, 97);
    ST(product)("turned", 1, 1, 1, 0, 190, 410, 133);
    ST(product)("wide", 0, 1, 1, 0, 70, 1025, 64);
    ST(product)("tall", 1, 0, 1, 0, 1025, 33, 200);
    ST(product)("flat", 0, 0, 1, 0, 1000, 1100, 3);
    ST(product)("batch", 0, 1, 12, 0, 65, 70, 66);
    ST(product)("small batch", 0, 0, 2, 0, 190, 200, 80);
    ST(product)("shared", 1, 0, 6, 1, 150, 140, 130);
    ST(convolution)("3 x 3", 7, 9, 30, 40, 3, 1, 1);
    ST(convolution)("5 x 5", 5, 16, 28, 33, 5, 1, 1);
    ST(convolution)("steps of 2", 9, 12, 40, 50, 3, 2, 1);
    ST(convolution)("groups", 6, 20, 33, 40, 3, 1, 2);
    ST(convolution)("few images", 2, 8, 9, 500, 3, 1, 1);
    ST(group)("group", 700001);
    if (timed) return;
    ST(later)();
    ST(few)();
}
#endif
