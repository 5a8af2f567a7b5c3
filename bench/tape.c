/* What a tape costs: record + reverse sweep of a million operations, as a multiple of the same
   computation on plain doubles. Each statement is what a user would write; both sides run in turn
   and the median of the ratios is printed, with its quartiles. `tape --large`: up to 1e8
   operations. */
#define _POSIX_C_SOURCE 199309L
#define AUTODIFF_IMPLEMENTATION
#include "../autodiff.h"
#include "bench.h"

#define OPERATIONS 1000000
#define RUNS       31
#define CELLS      1000                 /* an array that is filled again and again,                \
    as in a simulation */

static double plain_x[OPERATIONS + 1], plain_p[CELLS], plain_q[CELLS];
static ad_var var_x[OPERATIONS + 1], var_p[CELLS], var_q[CELLS];
static const double c = 0.3, d = 0.3, e = 1.0, step = 1e-6;
static ad_var vc, vd, ve, v_step;

/* One operation a statement, into an array of `n` cells. */
BENCH_NOINLINE static double array_plain(double a, double b, size_t n)
{
    size_t i, done;
    plain_x[n] = 1;
    for (done = 0; done < OPERATIONS; done += n)
        for (i = 0, plain_x[0] = plain_x[n]; i < n; i += 2) {
            plain_x[i + 1] = plain_x[i] * a;
            plain_x[i + 2] = plain_x[i + 1] + b;
        }
    return plain_x[n];
}
BENCH_NOINLINE static ad_var array_tape(ad_tape *t, ad_var a, ad_var b, size_t n)
{
    size_t i, done;
    var_x[n] = ad_input(t, 1);
    for (done = 0; done < OPERATIONS; done += n)
        for (i = 0, var_x[0] = var_x[n]; i < n; i += 2) {
            var_x[i + 1] = ad_var_mul(var_x[i], a);
            var_x[i + 2] = ad_var_add(var_x[i + 1], b);
        }
    return var_x[n];
}
static double plain_cells(double a, double b) { return array_plain(a, b, CELLS); }
static ad_var tape_cells(ad_tape *t, ad_var a, ad_var b) { return array_tape(t, a, b, CELLS); }
static double plain_array(double a, double b) { return array_plain(a, b, OPERATIONS); }
static ad_var tape_array(ad_tape *t, ad_var a, ad_var b) { return array_tape(t, a, b, OPERATIONS); }

/* The same on two scalars. */
BENCH_NOINLINE static double plain_scalar(double a, double b)
{
    double x = 1;
    size_t i;
    for (i = 0; i < OPERATIONS; i += 2) {
        x = x * a;
        x = x + b;
    }
    return x;
}
BENCH_NOINLINE static ad_var tape_scalar(ad_tape *t, ad_var a, ad_var b)
{
    ad_var x = ad_input(t, 1);
    size_t i;
    for (i = 0; i < OPERATIONS; i += 2) {
        x = ad_var_mul(x, a);
        x = ad_var_add(x, b);
    }
    return x;
}

/* s += p*q over arrays. */
BENCH_NOINLINE static double plain_dot(double a, double b)
{
    double s = a * b;
    size_t i, done;
    for (done = 0; done < OPERATIONS / 2; done += CELLS)
        for (i = 0; i < CELLS; i++) s += plain_p[i] * plain_q[i];
    return s;
}
BENCH_NOINLINE static ad_var tape_dot(ad_tape *t, ad_var a, ad_var b)
{
    ad_var s = ad_var_mul(a, b);
    size_t i, done;
    (void)t;
    for (done = 0; done < OPERATIONS / 2; done += CELLS)
        for (i = 0; i < CELLS; i++) s = ad_var_add(s, ad_var_mul(var_p[i], var_q[i]));
    return s;
}

/* Eight operations a statement. */
BENCH_NOINLINE static double plain_eight(double a, double b)
{
    double x = 1;
    size_t i;
    for (i = 0; i < OPERATIONS; i += 8) x = (a * x + b) * (c - d * a) + x * e - c;
    return x;
}
BENCH_NOINLINE static ad_var tape_eight(ad_tape *t, ad_var a, ad_var b)
{
    ad_var x = ad_input(t, 1);
    size_t i;
    for (i = 0; i < OPERATIONS; i += 8)
        x = ad_var_sub(ad_var_add(ad_var_mul(ad_var_add(ad_var_mul(a, x), b),
            ad_var_sub(vc, ad_var_mul(vd, a))),
                                  ad_var_mul(x, ve)), vc);
    return x;
}

/* The same, recorded as one instruction. */
AD_EXPR(eight, (a, x, b, c_, d_, e_),
    ad_sub(ad_add(ad_mul(ad_add(ad_mul(a, x), b), ad_sub(c_, ad_mul(d_, a))), ad_mul(x, e_)), c_))
BENCH_NOINLINE static ad_var expr_eight(ad_tape *t, ad_var a, ad_var b)
{
    ad_var x = ad_input(t, 1);
    size_t i;
    for (i = 0; i < OPERATIONS; i += 8) x = eight(a, x, b, vc, vd, ve);
    return x;
}

/* sin, exp, log, add, one a statement. */
BENCH_NOINLINE static double plain_functions(double a, double b)
{
    double x = b;
    size_t i;
    for (i = 0; i < OPERATIONS; i += 4) {
        x = sin(x);
        x = exp(x);
        x = log(x);
        x = x + a;
    }
    return x;
}
BENCH_NOINLINE static ad_var tape_functions(ad_tape *t, ad_var a, ad_var b)
{
    ad_var x = b;
    size_t i;
    (void)t;
    for (i = 0; i < OPERATIONS; i += 4) {
        x = ad_var_sin(x);
        x = ad_var_exp(x);
        x = ad_var_log(x);
        x = ad_var_add(x, a);
    }
    return x;
}

/* Eleven operations, three of them transcendental, in one statement: an Euler step. */
BENCH_NOINLINE static double plain_eleven(double a, double b)
{
    double x = 1;
    size_t i;
    for (i = 0; i < OPERATIONS; i += 11) x += step * (sin(a * x) * exp(b * x) + log(x * x + a));
    return x;
}
BENCH_NOINLINE static ad_var tape_eleven(ad_tape *t, ad_var a, ad_var b)
{
    ad_var x = ad_input(t, 1);
    size_t i;
    for (i = 0; i < OPERATIONS; i += 11)
        x = ad_var_add(x, ad_var_mul(v_step, ad_var_add(
            ad_var_mul(ad_var_sin(ad_var_mul(a, x)), ad_var_exp(ad_var_mul(b, x))),
            ad_var_log(ad_var_add(ad_var_mul(x, x), a)))));
    return x;
}

AD_EXPR(eleven, (x, a, b, h), ad_add(x, ad_mul(h, ad_add(
    ad_mul(ad_sin(ad_mul(a, x)), ad_exp(ad_mul(b, x))), ad_log(ad_add(ad_mul(x, x), a))))))
BENCH_NOINLINE static ad_var expr_eleven(ad_tape *t, ad_var a, ad_var b)
{
    ad_var x = ad_input(t, 1);
    size_t i;
    for (i = 0; i < OPERATIONS; i += 11) x = eleven(x, a, b, v_step);
    return x;
}

static const struct {
    const char *name;
    double (*plain)(double, double);
    ad_var (*tape)(ad_tape *, ad_var, ad_var);
    double a, b, goal, best;
} problem[] = {
    { "x[i+1]=x[i]*a; x[i+2]=x[i+1]+b, 1000 cells", plain_cells, tape_cells, 1.0000001, 0.1, 5.0,
        7.4 },
    { "the same, an array of 1e6 cells", plain_array, tape_array, 1.0000001, 0.1, 5.0, 7.4 },
    { "x=x*a; x=x+b on scalars", plain_scalar, tape_scalar, 1.0000001, 0.1, 4.5, 8.0 },
    { "s += p[i]*q[i]", plain_dot, tape_dot, 0.9, 0.1, 5.0, 6.7 },
    { "8 operations a statement", plain_eight, tape_eight, 1.0000001, 0.1, 9.5, 9.8 },
    { "the same, one instruction (AD_EXPR)", plain_eight, expr_eight, 1.0000001, 0.1, 9.5, 9.8 },
    { "sin, exp, log, add, one a statement", plain_functions, tape_functions, 0.9, 0.1, 2.0, 2.1 },
    { "11 operations, 3 transcendental, a statement", plain_eleven, tape_eleven, 0.9, 0.1, 2.1,
        2.1 },
    { "the same, one instruction (AD_EXPR)", plain_eleven, expr_eleven, 0.9, 0.1, 2.1, 2.1 },
};

static volatile double sink;

static void run(size_t p, ad_tape *t)
{
    double ratio[RUNS], plain[RUNS], record[RUNS], sweep[RUNS], low, high, bytes = 0;
    size_t i, k;
    for (i = 0; i < RUNS + 3; i++) {
        ad_var a, b, y;
        double t0, t1, t2, t3;
        ad_tape_reset(t);
        a = ad_input(t, problem[p].a);
        b = ad_input(t, problem[p].b);
        vc = ad_input(t, c);
        vd = ad_input(t, d);
        ve = ad_input(t, e);
        v_step = ad_input(t, step);
        for (k = 0; k < CELLS; k++) {
            var_p[k] = ad_input(t, plain_p[k]);
            var_q[k] = ad_input(t, plain_q[k]);
        }
        t0 = bench_now();
        sink = problem[p].plain(problem[p].a, problem[p].b);
        t1 = bench_now();
        y = problem[p].tape(t, a, b);
        t2 = bench_now();
        ad_backward(y);
        t3 = bench_now();
        if (ad_tape_status(t) != AD_OK || !(fabs(y.v - sink) <= 1e-9 * fabs(sink))
            || ad_adjoint(a) == 0) {
            printf("WRONG: %s\n", problem[p].name);
            return;
        }
        bytes = (double)ad_tape_get_stats(t).bytes_used / (double)ad_tape_get_stats(t).slots;
        if (i < 3) continue;                    /* warm-up */
        plain[i - 3] = (t1 - t0) / OPERATIONS;
        record[i - 3] = (t2 - t1) / OPERATIONS;
        sweep[i - 3] = (t3 - t2) / OPERATIONS;
        ratio[i - 3] = (t3 - t1) / (t1 - t0);
    }
    {
        const double median = bench_median(ratio, RUNS, &low, &high);
        printf("%-46s %6.2f %6.2f %6.2f   %6.2f (%.2f to %.2f)  %5.1f   %5.1f  %5.1f %s\n",
            problem[p].name,
               bench_median(plain, RUNS, NULL, NULL), bench_median(record, RUNS, NULL, NULL),
               bench_median(sweep, RUNS, NULL, NULL), median, low, high, problem[p].goal,
                   problem[p].best, bytes,
               median <= problem[p].goal ? "" : "  above goal");
    }
}

/* Time per operation over four decades. The first recording and sweep pay for fresh memory. */
static void large(void)
{
    size_t n;
    printf("\n%-12s %14s %14s %14s %14s\n", "operations", "first record", "first sweep",
           "record ns", "sweep ns");
    for (n = 100000; n <= 100000000; n *= 10) {
        ad_tape *t = ad_tape_create(NULL);
        double ns[4];
        size_t i, round;
        if (!t) return;
        for (round = 0; round < 2; round++) {
            ad_var x, a;
            double t0, t1, t2;
            ad_tape_reset(t);
            t0 = bench_now();
            x = ad_input(t, 1);
            a = ad_input(t, 1.00000001);
            for (i = 0; i < n; i++) x = ad_var_mul(x, a);
            t1 = bench_now();
            ad_backward(x);
            t2 = bench_now();
            ns[2 * round] = (t1 - t0) / (double)n;
            ns[2 * round + 1] = (t2 - t1) / (double)n;
        }
        printf("%-12.0e %14.2f %14.2f %14.2f %14.2f  %s\n", (double)n, ns[0], ns[1], ns[2], ns[3],
               ad_status_name(ad_tape_status(t)));
        ad_tape_destroy(t);
    }
}

int main(int argc, char **argv)
{
    ad_tape *t = ad_tape_create(NULL);
    size_t i;
    if (!t) return 1;
    for (i = 0; i < CELLS; i++) {
        plain_p[i] = 1 + 0.1 * (double)(i % 7);
        plain_q[i] = 0.5 - 0.1 * (double)(i % 5);
    }
    bench_head("tape: record + reverse of 1e6 operations, multiples of plain doubles");
    printf("%-46s %6s %6s %6s   %-23s %6s %6s %6s\n", "", "plain", "record", "sweep",
        "ratio (quartiles)",
           "goal", "best C++", "bytes");
    for (i = 0; i < sizeof problem / sizeof problem[0]; i++) run(i, t);
    ad_tape_destroy(t);
    if (argc > 1 && strcmp(argv[1], "--large") == 0) large();
    return 0;
}
