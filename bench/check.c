/* What a gradient check costs: calls of f, component by component and along directions, and the
   checker's own arithmetic where f takes a microsecond a component. Each line says its target and
   whether it is met. */
#define _POSIX_C_SOURCE 199309L
#define AUTODIFF_CHECK
#define AUTODIFF_IMPLEMENTATION
#include "../autodiff.h"
#include "bench.h"
#include <math.h>
#include <string.h>

#define LARGE   1000000
#define SAMPLES 8                       /* of the logistic regression */
#define RUNS    101

static double large_x[LARGE];
static unsigned char is_wrong[LARGE];
static double distortion = 1;           /* wrong components are so many times what is right */
static size_t wrongs;
static volatile double sink;

/* In [0, 1), a different number for every i. */
static double spread(size_t i)
{
    uint64_t z = (uint64_t)i * 0x9e3779b97f4a7c15u + 0x2545f4914f6cdd1du;
    z = (z ^ (z >> 29)) * 0xd6e8feb86659fd93u;
    z ^= z >> 32;
    return (double)(z >> 11) * (1.0 / 9007199254740992.0);
}

/* ---------------------------------------------------------------- functions */
static double rosenbrock(const double *x, size_t n, void *user)
{
    double s = (1 - x[n - 1]) * (1 - x[n - 1]);
    size_t i;
    (void)user;
    for (i = 0; i + 1 < n; i++) {
        const double a = 1 - x[i], b = x[i + 1] - x[i] * x[i];
        s += a * a + 100 * b * b;
    }
    return s;
}
static void rosenbrock_g(const double *x, size_t n, double *g, void *user)
{
    size_t i;
    (void)user;
    for (i = 0; i < n; i++) g[i] = -2 * (1 - x[i]);
    for (i = 0; i + 1 < n; i++) {
        const double b = x[i + 1] - x[i] * x[i];
        g[i] -= 400 * b * x[i];
        g[i + 1] += 200 * b;
    }
    for (i = 0; wrongs && i < n; i++)
        if (is_wrong[i]) g[i] *= distortion;
}

static double exponentials(const double *x, size_t n, void *user)
{
    double s = 0;
    size_t i;
    (void)user;
    for (i = 0; i < n; i++) s += exp((1 + 0.1 * (double)(i % 7)) * x[i]);
    return s;
}
static void exponentials_g(const double *x, size_t n, double *g, void *user)
{
    size_t i;
    (void)user;
    for (i = 0; i < n; i++) {
        const double a = 1 + 0.1 * (double)(i % 7);
        g[i] = a * exp(a * x[i]);
    }
}

static double quartic(const double *x, size_t n, void *user)
{
    double s = 0;
    size_t i;
    (void)user;
    for (i = 0; i < n; i++) {
        const double a = x[i] - 2 * x[i ? i - 1 : n - 1], b = 0.3 + x[i];
        s += b * b + a * a * a * a;
    }
    return s;
}
static void quartic_g(const double *x, size_t n, double *g, void *user)
{
    size_t i;
    (void)user;
    for (i = 0; i < n; i++) g[i] = 2 * (0.3 + x[i]);
    for (i = 0; i < n; i++) {
        const size_t k = i ? i - 1 : n - 1;
        const double a = x[i] - 2 * x[k];
        g[i] += 4 * a * a * a;
        g[k] -= 8 * a * a * a;
    }
}

/* Sum over samples of log(1 + exp(-a.x)), and |x|^2 / 2000. */
static double feature(size_t sample, size_t i, size_t n)
{
    return ((double)((i * 2654435761u + sample * 40503u) % 1021) / 510 - 0.9) / sqrt((double)n);
}
static double logistic(const double *x, size_t n, void *user)
{
    double s = 0;
    size_t i, k;
    (void)user;
    for (k = 0; k < SAMPLES; k++) {
        double t = 0;
        for (i = 0; i < n; i++) t += feature(k, i, n) * x[i];
        s += log1p(exp(-t));
    }
    for (i = 0; i < n; i++) s += x[i] * x[i] / 2000;
    return s;
}
static void logistic_g(const double *x, size_t n, double *g, void *user)
{
    size_t i, k;
    (void)user;
    for (i = 0; i < n; i++) g[i] = x[i] / 1000;
    for (k = 0; k < SAMPLES; k++) {
        double t = 0;
        for (i = 0; i < n; i++) t += feature(k, i, n) * x[i];
        for (i = 0; i < n; i++) g[i] -= feature(k, i, n) / (1 + exp(t));
    }
}

static const struct { const char *name; ad_check_f f; ad_check_g g; } problem[] = {
    { "chained Rosenbrock", rosenbrock, rosenbrock_g },
    { "sum of exponentials", exponentials, exponentials_g },
    { "quartic", quartic, quartic_g },
    { "logistic regression", logistic, logistic_g },
};
#define PROBLEMS (sizeof problem / sizeof problem[0])

static const char *met(int ok) { return ok ? "met" : "MISSED"; }

/* ---------------------------------------------------------------- calls of f */
static void clean(size_t p, size_t n)
{
    const int dense = n <= 2000;
    const double target = dense ? 3 : 100;
    ad_check_result r;
    const double start = bench_now();
    const ad_verdict v = ad_check_gradient(problem[p].f, problem[p].g, large_x, n, NULL, NULL, &r);
    const double ms = (bench_now() - start) / 1e6;
    const double cost = dense ? (double)r.f_evals / (double)n : (double)r.f_evals;
    printf("%-22s %8lu  %-8s %6lu %4lu  %8.3f   %5.0f  %-7s %9.2f\n", problem[p].name,
           (unsigned long)n, ad_check_ok(v) ? "right" : ad_verdict_name(v),
           (unsigned long)r.f_evals, (unsigned long)r.g_evals, cost, target,
           met(ad_check_ok(v) && cost <= target), ms);
}

static void wrong(const char *what, size_t count, double by, double target)
{
    ad_check_result r;
    size_t i, k, found = 0, elsewhere = 0;
    double start, ms;
    ad_verdict v;
    memset(is_wrong, 0, sizeof is_wrong);
    for (k = 0; k < count; k++) {
        i = (size_t)(spread(77 + k) * LARGE);
        is_wrong[i] = 1;
    }
    wrongs = count;
    distortion = by;
    start = bench_now();
    v = ad_check_gradient(rosenbrock, rosenbrock_g, large_x, LARGE, NULL, NULL, &r);
    ms = (bench_now() - start) / 1e6;
    wrongs = 0;
    for (k = 0; k < r.n_findings; k++) {
        const ad_check_finding *f = &r.findings[k];
        if (ad_check_ok(f->verdict) || ad_check_undecided(f->verdict)) continue;
        if (f->i < LARGE && is_wrong[f->i]) found++;
        else elsewhere++;
    }
    {
        const size_t most = count < AD_CHECK_FINDINGS ? count : AD_CHECK_FINDINGS;
        const int ok = found == most && elsewhere == 0 && (double)r.f_evals <= target;
        printf("%-22s %8lu  %-10s %6lu %4lu   %2lu of %-2lu %2lu %6lu  %5.0f  %-7s %9.2f\n", what,
               (unsigned long)count, ad_verdict_name(v), (unsigned long)r.f_evals,
               (unsigned long)r.g_evals, (unsigned long)found, (unsigned long)most,
               (unsigned long)elsewhere, (unsigned long)r.wrong, target, met(ok), ms);
    }
}

/* ---------------------------------------------------------------- the checker's own arithmetic */
static int rounds = 300;

/* Comes to x/2 by a chain of dependent operations. */
BENCH_NOINLINE static double busy(double x)
{
    double s = x;
    int k;
    for (k = 0; k < rounds; k++) s = s * 0.75 + x * 0.125;
    return s;
}
static double slow(const double *x, size_t n, void *user)
{
    double s = 0;
    size_t i;
    (void)user;
    for (i = 0; i < n; i++) s += sin(busy(x[i]));
    return s;
}
static void slow_g(const double *x, size_t n, double *g, void *user)
{
    size_t i;
    (void)user;
    for (i = 0; i < n; i++) g[i] = cos(busy(x[i])) / 2;
    if (wrongs) g[n / 2] *= distortion;
}

static double time_of_one(void)         /* nanoseconds of one component */
{
    double t[RUNS];
    size_t i, k;
    for (i = 0; i < RUNS; i++) {
        const double start = bench_now();
        for (k = 0; k < 100; k++) sink = slow(large_x + k, 1, NULL);
        t[i] = (bench_now() - start) / 100;
    }
    return bench_median(t, RUNS, NULL, NULL);
}

static void overhead(size_t n, int is_right)
{
    const size_t repeat = n < 20 ? 20 / n : 1;
    double ratio[RUNS], low, high, median, *g = (double *)malloc(n * sizeof *g);
    ad_check_result r;
    size_t i, k, c;
    if (!g) return;
    wrongs = !is_right;
    distortion = 2;
    for (i = 0; i < RUNS + 2; i++) {
        double t0, t1, t2;
        t0 = bench_now();
        for (k = 0; k < repeat; k++)
            ad_check_gradient(slow, slow_g, large_x, n, NULL, NULL, &r);
        t1 = bench_now();
        for (k = 0; k < repeat; k++) {
            for (c = 0; c < r.f_evals; c++) sink = slow(large_x, n, NULL);
            for (c = 0; c < r.g_evals; c++) slow_g(large_x, n, g, NULL);
        }
        t2 = bench_now();
        if (i >= 2) ratio[i - 2] = 100 * ((t1 - t0) / (t2 - t1) - 1);
    }
    wrongs = 0;
    median = bench_median(ratio, RUNS, &low, &high);
    printf("%-22s %8lu  %-10s %6lu %4lu  %7.2f (%.2f to %.2f)  %5.0f  %s\n",
           is_right ? "right" : "one wrong", (unsigned long)n, ad_verdict_name(r.verdict),
           (unsigned long)r.f_evals, (unsigned long)r.g_evals, median, low, high, 5.0,
           met(median < 5));
    free(g);
}

int main(void)
{
    static const size_t size[] = { 1, 10, 100, 1000, 2000, LARGE };
    size_t i, p;
    double one;
    for (i = 0; i < LARGE; i++) large_x[i] = 0.25 + spread(i);
    bench_head("check: what a gradient check costs");
    printf("\nright gradients; calls of f a component, from n = 1e6 on in all\n");
    printf("%-22s %8s  %-8s %6s %4s  %8s   %5s  %-7s %9s\n", "", "n", "verdict", "f", "g", "cost",
           "goal", "", "ms");
    for (p = 0; p < PROBLEMS; p++)
        for (i = 0; i < sizeof size / sizeof size[0]; i++) clean(p, size[i]);

    printf("\nchained Rosenbrock of 1e6 variables, some components wrong; calls of f in all\n");
    printf("%-22s %8s  %-10s %6s %4s   %-8s %2s %5s  %5s  %-7s %9s\n", "", "wrong", "verdict", "f",
           "g", "named", "false", "said", "goal", "", "ms");
    wrong("sign", 1, -1, 150);
    wrong("1 %", 1, 1.01, 150);
    wrong("1e-3", 1, 1.001, 150);
    wrong("10 %", 5, 1.1, 600);
    wrong("10 %", 20, 1.1, 2000);

    one = time_of_one();
    rounds = (int)(rounds * 1000 / one);
    printf("\nthe checker's own time, in %% of the calls it makes, f at %.0f ns a component\n",
           time_of_one());
    printf("%-22s %8s  %-10s %6s %4s  %-24s %5s\n", "", "n", "verdict", "f", "g",
           "    % (quartiles)", "goal");
    for (i = 0; i < 3; i++) overhead(size[i], 1);
    for (i = 0; i < 3; i++) overhead(size[i], 0);
    return 0;
}
