/* Sparse derivatives at size: what pattern, plan and values cost beside recording the function, and
   compiled nonzeros beside a Jacobian written by hand, and that of a loop. Processor time, medians
   of five; every matrix is compared with J v or H v at random v first: WRONG instead of a time.
       sparse [UNKNOWNS]        about so many, a million by default */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define AUTODIFF_STATIC
#include "../autodiff.h"
#include "bench.h"
#include <stdio.h>

enum { TIMES = 5 };
static bench_goals goals;

/* Heat with a conductivity u on a grid of k points each way. */
static void stencil(int dimensions, int k, const ad_var *x, ad_var *y)
{
    const long n = dimensions == 3 ? (long)k * k * k : dimensions == 2 ? (long)k * k : k;
    long p;
    for (p = 0; p < n; p++) {
        ad_var sum = ad_const(0);
        long step = 1;
        int d;
        for (d = 0; d < dimensions; d++, step *= k) {
            const long at = p / step % k;
            if (at > 0) sum = ad_var_add(sum, x[p - step]);
            if (at < k - 1) sum = ad_var_add(sum, x[p + step]);
        }
        y[p] = ad_var_sub(ad_var_mul(x[p], ad_var_square(x[p])), ad_var_mul(x[p], sum));
    }
}
/* The Jacobian of a stencil of three dimensions, by rows, as one writes it. */
static void by_hand(int k, const double *x, double *v)
{
    const long n = (long)k * k * k, far = (long)k * k;
    long p;
    for (p = 0; p < n; p++) {
        const long i = p / far, j = p / k % k, l = p % k;
        const double minus = -x[p];
        double sum = 0, *middle;
        if (i > 0)     { sum += x[p - far]; *v++ = minus; }
        if (j > 0)     { sum += x[p - k];   *v++ = minus; }
        if (l > 0)     { sum += x[p - 1];   *v++ = minus; }
        middle = v++;
        if (l < k - 1) { sum += x[p + 1];   *v++ = minus; }
        if (j < k - 1) { sum += x[p + k];   *v++ = minus; }
        if (i < k - 1) { sum += x[p + far]; *v++ = minus; }
        *middle = 3 * x[p] * x[p] - sum;
    }
}
/* Everything meets the last one. */
static ad_var arrow(size_t n, const ad_var *x)
{
    ad_var sum = ad_const(0);
    size_t i;
    for (i = 0; i + 1 < n; i++) sum = ad_var_add(sum, ad_var_mul(ad_var_square(x[i]), x[n - 1]));
    return sum;
}

typedef struct timing { double record, pattern, plan, values; } timing;

/* One row of the table. dimensions 0: the arrow's Hessian. */
static void row(const char *name, int dimensions, int k)
{
    const size_t edge = (size_t)k;
    const size_t n = dimensions == 3 ? edge * edge * edge : dimensions == 2 ? edge * edge : edge;
    const size_t m = dimensions ? n : 1;
    double t[4][TIMES], *at = (double *)calloc(n, sizeof *at), *values = NULL, *v, *Jv, error = 0;
    ad_var *x = (ad_var *)calloc(n, sizeof *x), *y = (ad_var *)calloc(m, sizeof *y);
    ad_tape *tape = ad_tape_create(NULL);
    ad_sparse_desc desc;
    ad_sparse_stats stats;
    ad_pattern p;
    ad_sparse *plan = NULL;
    uint64_t seed = 1;
    timing r;
    size_t i, q;
    int time;
    memset(&desc, 0, sizeof desc);
    memset(&stats, 0, sizeof stats);
    memset(&p, 0, sizeof p);
    desc.hessian = !dimensions;
    for (i = 0; i < n; i++) at[i] = bench_between(&seed, 0.5, 1.5);
    for (time = -1; time < TIMES; time++) {              /* the first is warm-up */
        double start = bench_processor(), now;
#define LAP(which)                                                                                 \
    (now = bench_processor(), t[which][time < 0 ? 0 : time] = now - start, start = now)
        ad_tape_reset(tape);
        ad_inputs(tape, n, at, x);
        if (dimensions) stencil(dimensions, k, x, y);
        else y[0] = arrow(n, x);
        LAP(0);
        ad_sparse_destroy(plan);
        ad_pattern_free(&p);
        start = bench_processor();
        if (dimensions) ad_jacobian_pattern(tape, n, x, m, y, &p);
        else ad_hessian_pattern(tape, n, x, m, y, &p);
        LAP(1);
        plan = ad_sparse_create(&p, &desc);
        LAP(2);
        stats = ad_sparse_get_stats(plan);
        if (!values) values = (double *)calloc(stats.values + 1, sizeof *values);
        start = bench_processor();
        if (dimensions) ad_sparse_jacobian(plan, tape, n, x, m, y, values);
        else ad_sparse_hessian(plan, tape, n, x, m, y, NULL, values);
        LAP(3);
#undef LAP
    }
    v = (double *)calloc(n, sizeof *v);
    Jv = (double *)calloc(n, sizeof *Jv);
    for (i = 0; i < n; i++) v[i] = bench_between(&seed, -1, 1);
    if (dimensions) ad_forward(tape, n, x, v);
    else ad_forward_over_reverse(y[0], n, x, v);
    for (i = 0; i < p.rows; i++) {
        double sum = 0;
        for (q = p.row_start[i]; q < p.row_start[i + 1]; q++) sum += values[q] * v[p.column[q]];
        error = fmax(error, fabs(sum - (dimensions ? ad_tangent(y[i]) : ad_adjoint_tangent(x[i]))));
    }
    r.record = bench_median(t[0], TIMES, NULL, NULL);
    r.pattern = bench_median(t[1], TIMES, NULL, NULL) / r.record;
    r.plan = bench_median(t[2], TIMES, NULL, NULL) / r.record;
    r.values = bench_median(t[3], TIMES, NULL, NULL) / r.record;
    printf("%-24s %9zu %10zu %4zu %3zu ", name, n, stats.nonzeros, stats.colours, stats.sweeps);
    if (ad_tape_status(tape) != AD_OK || !(error < 1e-9 * (double)(dimensions ? 1 : n))) {
        printf("WRONG: %s %g\n", ad_tape_message(tape), error);
        goals.wrong++;
    } else {
        printf("%8.1f ms %6.1f %6.1f %6.1f", 1e-6 * r.record, r.pattern, r.plan, r.values);
        if (dimensions == 3) {
            const double made = r.pattern + r.plan;
            printf("  %s", bench_goal(&goals, made <= 5, "pattern and plan, recordings", made, 5));
            printf(" %s", bench_goal(&goals, r.values <= 8, "values, recordings", r.values, 8));
        }
        puts("");
    }
    ad_sparse_destroy(plan);
    ad_pattern_free(&p);
    ad_tape_destroy(tape);
    free(at); free(values); free(v); free(Jv); free(x); free(y);
}

/* Nonzeros by a compiled function, and by hand. */
static void compiled(int k)
{
    const size_t n = (size_t)k * (size_t)k * (size_t)k;
    double t[2][TIMES], made, ratio[TIMES], *at = (double *)calloc(n, sizeof *at), *v, *w;
    ad_var *x = (ad_var *)calloc(n, sizeof *x), *y = (ad_var *)calloc(n, sizeof *y);
    ad_tape *tape = ad_tape_create(NULL);
    ad_fn *f, *J;
    ad_pattern p;
    uint64_t seed = 1;
    size_t i, wrong = 0;
    int time;
    for (i = 0; i < n; i++) at[i] = bench_between(&seed, 0.5, 1.5);
    ad_inputs(tape, n, at, x);
    stencil(3, k, x, y);
    f = ad_fn_create(tape, n, x, n, y, NULL);
    made = bench_processor();
    J = ad_fn_sparse_jacobian(f, &p);
    made = bench_processor() - made;
    v = (double *)calloc(7 * n, sizeof *v);
    w = (double *)calloc(7 * n, sizeof *w);
    for (time = -1; time < TIMES; time++) {
        double start = bench_processor();
        const int at_time = time < 0 ? 0 : time;
        ad_fn_eval(J, at, v);
        t[0][at_time] = bench_processor() - start;
        start = bench_processor();
        by_hand(k, at, w);
        t[1][at_time] = bench_processor() - start;
        ratio[at_time] = t[0][at_time] / t[1][at_time];
    }
    for (i = 0; i < ad_fn_get_stats(J).outputs; i++)
        wrong += !(fabs(v[i] - w[i]) <= 1e-13 * fmax(1, fabs(w[i])));
    if (wrong || ad_fn_status(J) != AD_OK) {
        printf("compiled nonzeros: WRONG %zu %s\n", wrong, ad_fn_message(J));
        goals.wrong++;
    } else {
        const double r = bench_median(ratio, TIMES, NULL, NULL);
        printf("compiled nonzeros, grid of %d^3: %.3f ms, by hand %.3f ms: %.2f %s; made in "
               "%.2f s, %zu nodes for %zu nonzeros\n", k,
               1e-6 * bench_median(t[0], TIMES, NULL, NULL),
               1e-6 * bench_median(t[1], TIMES, NULL, NULL), r,
               bench_goal(&goals, r <= 1.5, "compiled nonzeros, times those by hand", r, 1.5),
               1e-9 * made, ad_fn_get_stats(J).nodes, ad_fn_get_stats(J).outputs);
    }
    ad_pattern_free(&p);
    ad_fn_destroy(J);
    ad_fn_destroy(f);
    ad_tape_destroy(tape);
    free(at); free(v); free(w); free(x); free(y);
}

/* The Jacobian of a simulation: a ring of states and a parameter, a loop of steps. */
static void loop(size_t n, size_t steps)
{
    ad_tape *tape = ad_tape_create(NULL);
    ad_var *x = (ad_var *)malloc((n + 1) * sizeof *x), *y = (ad_var *)malloc(n * sizeof *y);
    double *at = (double *)malloc(2 * (n + 1) * sizeof *at), *v = at + n + 1, *values, *want;
    double t[2][TIMES], made, evaluated;
    ad_fn *f, *l, *J, *product;
    ad_pattern p;
    uint64_t seed = 1;
    size_t i, j, wrong = 0;
    int time;
    for (i = 0; i <= n; i++) {
        at[i] = bench_between(&seed, 0.5, 1.5);
        v[i] = bench_between(&seed, -1, 1);
    }
    ad_inputs(tape, n + 1, at, x);
    for (i = 0; i < n; i++) {
        const ad_var beside = ad_var_add(x[i ? i - 1 : n - 1], x[i + 1 < n ? i + 1 : 0]);
        const ad_var flow = ad_var_sub(beside, ad_var_mul_r(ad_var_sin(x[i]), 2));
        y[i] = ad_var_add(x[i], ad_var_mul(ad_var_mul_r(x[n], 0.01), flow));
    }
    f = ad_fn_create(tape, n + 1, x, n, y, NULL);
    l = ad_fn_repeat(f, steps, n, 1, 0);
    made = bench_processor();
    J = ad_fn_sparse_jacobian(l, &p);
    made = bench_processor() - made;
    product = ad_fn_jvp(l);
    values = (double *)calloc(n * (n + 1) + n, sizeof *values);
    want = (double *)calloc(2 * n, sizeof *want);
    for (time = -1; time < TIMES; time++) {
        double begin = bench_processor();
        const int at_time = time < 0 ? 0 : time;
        ad_fn_eval(J, at, values);
        t[0][at_time] = bench_processor() - begin;
        begin = bench_processor();
        ad_fn_eval(l, at, want);
        t[1][at_time] = bench_processor() - begin;
    }
    ad_fn_eval(product, at, want);               /* x, then v; y, then J v */
    for (i = 0; i < n && ad_fn_status(J) == AD_OK; i++) {
        double sum = 0;
        for (j = p.row_start[i]; j < p.row_start[i + 1]; j++) sum += values[j] * v[p.column[j]];
        wrong += !(fabs(sum - want[n + i]) <= 1e-10 * fmax(1, fabs(sum)));
    }
    evaluated = bench_median(t[0], TIMES, NULL, NULL);
    if (wrong || ad_fn_status(J) != AD_OK) {
        printf("Jacobian of a loop: WRONG %zu %s\n", wrong, ad_fn_message(J));
        goals.wrong++;
    } else {
        printf("Jacobian of a loop, %zu states, %zu steps: %.1f ms, %.2f evaluations a column; "
               "made in %.2f s, %.2f evaluations of it %s\n", n, steps, 1e-6 * evaluated,
               evaluated / bench_median(t[1], TIMES, NULL, NULL) / (double)(n + 1), 1e-9 * made,
               made / evaluated, bench_goal(&goals, made <= 5 * evaluated,
                   "Jacobian of a loop made, times evaluated", made / evaluated, 5));
    }
    ad_pattern_free(&p);
    ad_fn_destroy(product);
    ad_fn_destroy(J);
    ad_fn_destroy(l);
    ad_fn_destroy(f);
    ad_tape_destroy(tape);
    free(x); free(y); free(at); free(values); free(want);
}

int main(int count, char **argument)
{
    const double start = bench_now();
    const double n = count > 1 ? atof(argument[1]) : 1e6;
    const int side = (int)(sqrt(n) + 0.5), edge = (int)(cbrt(n) + 0.5);
    bench_head("sparse derivatives; pattern, plan and values as multiples of recording");
    printf("%-24s %9s %10s %4s %3s %11s %6s %6s %6s\n", "", "unknowns", "nonzeros", "col.", "sw.",
           "recording", "patt.", "plan", "values");
    row("3 points", 1, (int)n);
    row("5 points", 2, side);
    row("7 points", 3, edge);
    row("arrow, Hessian", 0, (int)(n / 10));
    compiled(edge < 30 ? edge : 30);
    loop(100, n < 1e6 ? 100 : 1000);
    return bench_end(&goals, start);
}
