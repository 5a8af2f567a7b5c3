/* Long runs and products with derivatives at size, against the goals: a run of many steps kept by
   checkpoints, or as a compiled loop, beside all of it on one tape; Hessian-vector products beside
   the gradient; J v and w^T J linearised once. The fastest of five, in turns; results are compared
   first: WRONG instead of a time.
       long [STEPS]        of the long run, a million by default */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define AUTODIFF_STATIC
#include "../autodiff.h"
#include "bench.h"
#include <stdio.h>

enum { TIMES = 5, N = 12 };
static bench_goals goals;

/* ---- two bodies, Runge and Kutta's method */

static void motion(const ad_var *s, ad_var mu, ad_var *rate)
{
    const ad_var d[3] = { ad_var_sub(s[3], s[0]), ad_var_sub(s[4], s[1]), ad_var_sub(s[5], s[2]) };
    const ad_var r2 = ad_var_dot(3, d, d), pull = ad_var_div(mu, ad_var_mul(r2, ad_var_sqrt(r2)));
    int i;
    for (i = 0; i < 6; i++) rate[i] = s[6 + i];
    for (i = 0; i < 3; i++) {
        rate[6 + i] = ad_var_mul(d[i], pull);
        rate[9 + i] = ad_var_neg(rate[6 + i]);
    }
}
static ad_status step(ad_tape *t, size_t number, const ad_var *s, size_t n, const ad_var *mu,
                      size_t k, ad_var *next, void *user)
{
    static const double h = 1e-3, ahead[4] = { 0, 0.5, 0.5, 1 }, weight[4] = { 1, 2, 2, 1 };
    ad_var at[N], rate[N];
    int stage, i;
    (void)t; (void)number; (void)n; (void)k; (void)user;
    for (i = 0; i < N; i++) next[i] = at[i] = s[i];
    for (stage = 0; stage < 4; stage++) {
        for (i = 0; i < N && stage; i++)
            at[i] = ad_var_add(s[i], ad_var_mul_r(rate[i], h * ahead[stage]));
        motion(at, mu[0], rate);
        for (i = 0; i < N; i++)
            next[i] = ad_var_add(next[i], ad_var_mul_r(rate[i], h / 6 * weight[stage]));
    }
    return AD_OK;
}

/* The gradient of a coordinate at the end, by the initial state and mu. Nanoseconds. */
static double sweep_all(ad_tape *t, size_t steps, const double *x0, double *g)
{
    const double start = bench_processor();
    ad_var x[N + 1], s[2][N];
    size_t i;
    ad_tape_reset(t);
    ad_inputs(t, N + 1, x0, x);
    memcpy(s[0], x, sizeof s[0]);
    for (i = 0; i < steps; i++) step(t, i, s[i & 1], N, x + N, 1, s[~i & 1], NULL);
    ad_backward(s[steps & 1][0]);
    ad_adjoints(N + 1, x, g);
    return bench_processor() - start;
}
static double sweep_repeat(ad_tape *t, ad_repeat *r, const double *x0, double *g)
{
    const double start = bench_processor();
    ad_var x[N + 1], y[N];
    ad_tape_reset(t);
    ad_inputs(t, N + 1, x0, x);
    ad_repeat_run(r, t, x, x + N, y);
    ad_backward(y[0]);
    ad_adjoints(N + 1, x, g);
    return bench_processor() - start;
}

/* bytes: the budget, 0 the default. stored: steps on one tape to compare with. */
static void repeated(size_t steps, size_t bytes, size_t stored)
{
    static const double x0[N + 1] = { -0.5, 0, 0, 0.5, 0, 0, 0, -0.6, 0.1, 0, 0.6, -0.1, 1 };
    ad_tape *const t = ad_tape_create(NULL), *const u = ad_tape_create(NULL);
    double all = HUGE_VAL, run = HUGE_VAL, ns, g[N + 1], h[N + 1], off = 0;
    ad_repeat_desc desc;
    ad_repeat_stats stats;
    ad_repeat *r, *brief;
    char what[80];
    size_t i;
    int time;
    memset(&desc, 0, sizeof desc);
    desc.bytes = bytes;
    desc.steps = stored;
    brief = ad_repeat_create(step, NULL, N, 1, &desc);
    desc.steps = steps;
    r = ad_repeat_create(step, NULL, N, 1, &desc);
    sweep_all(u, stored, x0, g);
    sweep_repeat(t, brief, x0, h);
    for (i = 0; i <= N; i++) off = fmax(off, fabs(g[i] - h[i]) / fmax(1, fabs(g[i])));
    for (time = 0; time < TIMES; time++) {
        ns = sweep_all(u, stored, x0, g) / (double)stored;
        all = fmin(all, ns);
        ns = sweep_repeat(t, r, x0, h) / (double)steps;
        run = fmin(run, ns);
    }
    stats = ad_repeat_get_stats(r);
    if (!(off < 1e-10) || ad_tape_status(t) != AD_OK || !isfinite(h[0])) {
        printf("%zu steps: WRONG by %g %s\n", steps, off, ad_tape_message(t));
        goals.wrong++;
    } else {
        snprintf(what, sizeof what, "%zu steps, %zu checkpoints, times storing all", steps,
                 stats.kept);
        printf("%9zu %11zu %9.1f MB %8.1f %12.0f %8.0f %7.2f %s\n", steps, stats.kept,
               (double)stats.bytes / 1e6, (double)stats.advanced / (double)(TIMES * steps), run,
               all, run / all, bench_goal(&goals, run / all <= 2.5, what, run / all, 2.5));
        if (bytes == 0)
            bench_goal(&goals, stats.bytes <= 64u << 20, "bytes of the long run",
                       (double)stats.bytes, (double)(64u << 20));
    }
    ad_repeat_destroy(brief);
    ad_repeat_destroy(r);
    ad_tape_destroy(t);
    ad_tape_destroy(u);
}

/* The same as a loop of loops of a compiled step: value, and gradient. */
static void compiled(size_t outer, size_t inner, size_t stored)
{
    static const double x0[N + 1] = { -0.5, 0, 0, 0.5, 0, 0, 0, -0.6, 0.1, 0, 0.6, -0.1, 1 };
    ad_tape *const t = ad_tape_create(NULL);
    double all = HUGE_VAL, value = HUGE_VAL, run = HUGE_VAL, off = 0, ns;
    double g[N + 1], in[2 * N + 1], out[2 * N + 1];
    ad_var x[N + 1], y[N];
    ad_fn *f, *part, *whole, *pull;
    size_t i;
    int time;
    ad_inputs(t, N + 1, x0, x);
    step(t, 0, x, N, x + N, 1, y, NULL);
    f = ad_fn_create(t, N + 1, x, N, y, NULL);
    memset(in, 0, sizeof in);
    memcpy(in, x0, sizeof x0);
    in[N + 1] = 1;
    for (time = -1; time < TIMES; time++) {
        const size_t a = time < 0 ? stored / inner : outer;      /* the first is compared */
        if (time < 1) {
            part = ad_fn_repeat(f, inner, N, 1, 0);
            whole = ad_fn_repeat(part, a, N, 1, 0);
            pull = ad_fn_vjp(whole);
        }
        ns = bench_processor();
        ad_fn_eval(whole, in, out);
        value = fmin(value, time < 0 ? HUGE_VAL : (bench_processor() - ns) / (double)(a * inner));
        ns = bench_processor();
        ad_fn_eval(pull, in, out);
        run = fmin(run, time < 0 ? HUGE_VAL : (bench_processor() - ns) / (double)(a * inner));
        all = fmin(all, sweep_all(t, stored, x0, g) / (double)stored);
        for (i = 0; i <= N && time < 0; i++)
            off = fmax(off, fabs(g[i] - out[N + i]) / fmax(1, fabs(g[i])));
        if (time < 0 || time == TIMES - 1) {
            if (ad_fn_status(pull) != AD_OK) off = HUGE_VAL;
            ns = (double)ad_fn_get_stats(pull).bytes;
            ad_fn_destroy(pull);
            ad_fn_destroy(whole);
            ad_fn_destroy(part);
        }
    }
    if (!(off < 1e-10)) {
        printf("compiled loops: WRONG by %g\n", off);
        goals.wrong++;
    } else {
        printf("%9zu %11s %9.1f MB %8s %12.0f %8.0f %7.2f %s; the value alone takes %.0f\n",
               outer * inner, "compiled", ns / 1e6, "3.0", run, all, run / all,
               bench_goal(&goals, run / all <= 2.5, "compiled loops, times storing all", run / all,
                          2.5), value);
    }
    ad_fn_destroy(f);
    ad_tape_destroy(t);
}

/* ---- Hessian-vector products */

enum { D = 16, MEANS = 32, VARIABLES = D * MEANS };

/* k-means: the squared distances of points to the nearest mean, found by comparing; or to any. */
static ad_var distances(const ad_var *x, int points, int means)
{
    ad_var sum = ad_const(0);
    int i, j, k;
    for (i = 0; i < points; i++) {
        ad_var least = ad_const(HUGE_VAL);
        for (k = 0; k < means; k++) {
            ad_var d = ad_const(0);
            for (j = 0; j < D; j++)
                d = ad_var_add(d, ad_var_square(ad_var_sub_r(x[(i + k) % MEANS * D + j],
                                                             sin(0.7 * i * i + j))));
            if (d.v < least.v) least = d;
        }
        sum = ad_var_add(sum, least);
    }
    return sum;
}
static ad_var k_means(const ad_var *x, int points) { return distances(x, points, MEANS); }
static ad_var to_one(const ad_var *x, int points) { return distances(x, points * MEANS, 1); }
static ad_var products(const ad_var *x, int points)
{
    ad_var sum = x[0];
    int i;
    for (i = 0; i < points * MEANS * D; i++)
        sum = ad_var_add(ad_var_mul_r(sum, 0.9999),
                         ad_var_mul(x[i % VARIABLES], x[(7 * i + 1) % VARIABLES]));
    return sum;
}
static ad_var logistic(const ad_var *x, int points)
{
    ad_var sum = ad_const(0);
    int i;
    for (i = 0; i < points * MEANS; i++) {
        const ad_var product = ad_var_mul(x[i % VARIABLES], x[(i + 1) % VARIABLES]);
        sum = ad_var_add(sum, ad_var_softplus(product));
    }
    return sum;
}

/* A product along x_dot and a reverse sweep, both of what is recorded. */
static void second(const char *name, ad_var (*f)(const ad_var *, int), int points)
{
    static double at[VARIABLES], x_dot[VARIABLES], g[2][VARIABLES];
    static ad_var x[VARIABLES];
    ad_tape *const t = ad_tape_create(NULL);
    double record = HUGE_VAL, sweep = HUGE_VAL, product = HUGE_VAL, dot = 0, difference = 0, now;
    const double h = 1e-5;
    ad_var y = ad_const(0);
    size_t i, slots;
    int time, side;
    for (i = 0; i < VARIABLES; i++) x_dot[i] = cos(1.3 * (double)i);
    for (side = 0; side < 2; side++) {           /* the truth: a central difference of gradients */
        for (i = 0; i < VARIABLES; i++)
            at[i] = cos(3.1 * (double)i) + (side ? h : -h) * x_dot[i];
        ad_tape_reset(t);
        ad_inputs(t, VARIABLES, at, x);
        ad_backward(f(x, points));
        ad_adjoints(VARIABLES, x, g[side]);
    }
    for (i = 0; i < VARIABLES; i++) at[i] = cos(3.1 * (double)i);
    for (time = 0; time < TIMES; time++) {
        double start = bench_processor();
        ad_tape_reset(t);
        ad_inputs(t, VARIABLES, at, x);
        y = f(x, points);
        record = fmin(record, (now = bench_processor()) - start);
        ad_backward(y);
        start = bench_processor();
        ad_backward(y);
        sweep = fmin(sweep, (now = bench_processor()) - start);
        ad_forward_over_reverse(y, VARIABLES, x, x_dot);
        start = bench_processor();
        ad_forward_over_reverse(y, VARIABLES, x, x_dot);
        product = fmin(product, (now = bench_processor()) - start);
    }
    for (i = 0; i < VARIABLES; i++) {
        const double d = (g[1][i] - g[0][i]) / (2 * h);
        difference = fmax(difference, fabs(d - ad_adjoint_tangent(x[i])));
        dot = fmax(dot, fabs(d));
    }
    slots = ad_tape_get_stats(t).slots;
    if (!(difference <= 1e-6 * dot) || ad_tape_status(t) != AD_OK) {
        printf("%s: WRONG by %g of %g %s\n", name, difference, dot, ad_tape_message(t));
        goals.wrong++;
    } else {
        printf("%-22s %9zu %8.1f %8.2f %8.2f %8.2f %12.2f %s\n", name, slots,
               record / (double)slots, sweep / (double)slots, product / (double)slots,
               product / sweep, (record + product) / (record + sweep),
               bench_goal(&goals, product <= 4 * sweep, name, product / sweep, 4));
    }
    ad_tape_destroy(t);
}

/* ---- linearised once */

enum { ROWS = 300, DIRECTIONS = 8 };
static void linearised(void)
{
    static double at[VARIABLES], V[DIRECTIONS * VARIABLES], JV[DIRECTIONS * ROWS];
    static double W[DIRECTIONS * ROWS], WJ[DIRECTIONS * VARIABLES];
    static ad_var x[VARIABLES], y[ROWS];
    static const char *const name[] = { "J v", "J v, eight", "w^T J", "w^T J, eight" };
    ad_tape *const t = ad_tape_create(NULL);
    double ns[4] = { HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL }, tape[2] = { HUGE_VAL, HUGE_VAL };
    double off = 0, made, start;
    uint64_t seed = 1;
    ad_linear *l;
    size_t i, j, operations, bytes;
    int time, k;
    for (i = 0; i < VARIABLES; i++) at[i] = cos((double)i);
    ad_inputs(t, VARIABLES, at, x);
    for (i = 0; i < ROWS; i++) {
        y[i] = ad_const(0);
        for (j = 0; j < 1000; j++) {
            const ad_var a = x[bench_bits(&seed) % VARIABLES], b = x[bench_bits(&seed) % VARIABLES];
            const ad_var product = ad_var_mul(a, b);
            y[i] = ad_var_add(y[i], j % 7 ? product : ad_var_sin(product));
        }
    }
    for (i = 0; i < DIRECTIONS * VARIABLES; i++) V[i] = bench_between(&seed, -1, 1);
    for (i = 0; i < DIRECTIONS * ROWS; i++) W[i] = bench_between(&seed, -1, 1);
    start = bench_processor();
    l = ad_linearise(t, VARIABLES, x, ROWS, y);
    made = bench_processor() - start;
    ad_linear_size(l, &operations, NULL, &bytes);
    for (time = 0; time < TIMES; time++) {
        for (k = 0; k < 4; k++) {
            const size_t count = k % 2 ? DIRECTIONS : 1;
            start = bench_processor();
            if (k < 2) ad_linear_jvp(l, count, V, JV);
            else ad_linear_vjp(l, count, W, WJ);
            ns[k] = fmin(ns[k], (bench_processor() - start) / (double)(count * operations));
        }
        start = bench_processor();
        ad_forward(t, VARIABLES, x, V);
        tape[0] = fmin(tape[0], (bench_processor() - start) / (double)operations);
        for (i = 0; i < ROWS; i++) off = fmax(off, fabs(JV[i] - ad_tangent(y[i])));
        start = bench_processor();
        ad_backward_seeded(t, ROWS, y, W);
        tape[1] = fmin(tape[1], (bench_processor() - start) / (double)operations);
        for (i = 0; i < VARIABLES; i++) off = fmax(off, fabs(WJ[i] - ad_adjoint(x[i])));
    }
    if (!(off < 1e-9) || ad_tape_status(t) != AD_OK) {
        printf("linearised: WRONG by %g %s\n", off, ad_tape_message(t));
        goals.wrong++;
    } else {
        printf("%zu operations, %.1f MB, made in %.0f ns an operation\n", operations,
               (double)bytes / 1e6, made / (double)operations);
        for (k = 0; k < 4; k++)
            printf("%-22s %8.2f %s; by the tape %.2f\n", name[k], ns[k], k % 2 == 0 ? "   "
                   : bench_goal(&goals, ns[k] <= 1, name[k], ns[k], 1), tape[k / 2]);
    }
    ad_linear_destroy(l);
    ad_tape_destroy(t);
}

int main(int count, char **argument)
{
    const double start = bench_now();
    const size_t steps = count > 1 ? strtoul(argument[1], NULL, 10) : 1000000;
    bench_head("long runs: gradients by checkpoints and by storing all, nanoseconds a step");
    printf("%9s %11s %12s %8s %12s %8s %7s\n", "steps", "checkpoints", "", "taken", "checkpoints",
           "all", "ratio");
    repeated(20000, 0, 20000);
    repeated(20000, 2000, 20000);
    repeated(steps, 0, 20000);
    compiled(steps / 1000 ? steps / 1000 : 1, 1000, 20000);
    puts("\nHessian-vector products beside the reverse sweep, nanoseconds a slot");
    printf("%-22s %9s %8s %8s %8s %8s %12s\n", "", "slots", "record", "sweep", "product", "ratio",
           "recorded too");
    second("k-means", k_means, 20);
    second("k-means, large", k_means, 2000);
    second("distances", to_one, 20);
    second("distances, large", to_one, 200);
    second("products", products, 20);
    second("logistic", logistic, 200);
    puts("\nlinearised once, nanoseconds an operation and direction");
    linearised();
    return bench_end(&goals, start);
}
