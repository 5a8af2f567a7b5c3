/* A function over duals against the same derivative code written out by hand: medians of ratios
   of interleaved runs. The goal is 1.1. Arrays of 1,024 points, so that all stays in the first
   cache. */
#define _POSIX_C_SOURCE 199309L
#define AUTODIFF_IMPLEMENTATION
#include "../autodiff.h"
#include "bench.h"

#define POINTS 1024
#define RUNS   41
#define ROUNDS 40

static double px[POINTS], py[POINTS], out_v[POINTS], out_d[POINTS][8];
static double seed_x[8], seed_y[8];     /* tangents of x and y, unknown to the compiler */

/* f(x, y) = (1-x)^2 + 100 (y-x^2)^2 along the direction (1, 0.5). */
BENCH_NOINLINE static void rosen_hand(void)
{
    size_t i;
    for (i = 0; i < POINTS; i++) {
        const double x = px[i], y = py[i], dx = 1, dy = 0.5;
        const double a = 1 - x, da = -dx, b = y - x * x, db = dy - (x * dx + x * dx);
        out_v[i] = a * a + 100 * (b * b);
        out_d[i][0] = (a * da + a * da) + 100 * (b * db + b * db);
    }
}
BENCH_NOINLINE static void rosen_dual(void)
{
    size_t i;
    for (i = 0; i < POINTS; i++) {
        const ad_dual x = ad_dual_make(px[i], 1), y = ad_dual_make(py[i], 0.5);
        const ad_dual a = ad_dual_sub_from_r(1, x), b = ad_dual_sub(y, ad_dual_mul(x, x));
        const ad_dual f = ad_dual_add(ad_dual_mul(a, a), ad_dual_mul_r(ad_dual_mul(b, b), 100));
        out_v[i] = f.v;
        out_d[i][0] = f.d;
    }
}

/* A rational function with a square root: f = sqrt(x) / (1 + x y) - y / (x + 2). */
BENCH_NOINLINE static void ratio_hand(void)
{
    size_t i;
    for (i = 0; i < POINTS; i++) {
        const double x = px[i], y = py[i], dx = 1, dy = 0.5;
        const double s = sqrt(x), ds = 0.5 / s * dx;
        const double p = 1 + x * y, dp = y * dx + x * dy, q = x + 2, dq = dx;
        const double u = s / p, v = y / q, ip = 1 / p, iq = 1 / q;
        out_v[i] = u - v;
        out_d[i][0] = (ip * ds - u / p * dp) - (iq * dy - v / q * dq);
    }
}
BENCH_NOINLINE static void ratio_dual(void)
{
    size_t i;
    for (i = 0; i < POINTS; i++) {
        const ad_dual x = ad_dual_make(px[i], 1), y = ad_dual_make(py[i], 0.5);
        const ad_dual f = ad_dual_sub(ad_dual_div(ad_dual_sqrt(x),
            ad_dual_add_r(ad_dual_mul(x, y), 1)),
                                      ad_dual_div(y, ad_dual_add_r(x, 2)));
        out_v[i] = f.v;
        out_d[i][0] = f.d;
    }
}

/* f = sin(x y) exp(-y) + log(x + 2). */
BENCH_NOINLINE static void sines_hand(void)
{
    size_t i;
    for (i = 0; i < POINTS; i++) {
        const double x = px[i], y = py[i], dx = 1, dy = 0.5;
        const double p = x * y, dp = y * dx + x * dy, s = sin(p), ds = cos(p) * dp;
        const double e = exp(-y), de = e * -dy, q = x + 2, l = log(q), dl = 1 / q * dx;
        out_v[i] = s * e + l;
        out_d[i][0] = (e * ds + s * de) + dl;
    }
}
BENCH_NOINLINE static void sines_dual(void)
{
    size_t i;
    for (i = 0; i < POINTS; i++) {
        const ad_dual x = ad_dual_make(px[i], 1), y = ad_dual_make(py[i], 0.5);
        const ad_dual f = ad_dual_add(ad_dual_mul(ad_dual_sin(ad_dual_mul(x, y)),
            ad_dual_exp(ad_dual_neg(y))),
                                      ad_dual_log(ad_dual_add_r(x, 2)));
        out_v[i] = f.v;
        out_d[i][0] = f.d;
    }
}

/* Several tangents at once: f = (x y + x) (y - x) / (x + 3), tangents of x and y given by the
   lane. */
#define LANES_HAND(name, n)                                                                        \
BENCH_NOINLINE static void name(void)                                                              \
{                                                                                                  \
    size_t i, k;                                                                                   \
    for (i = 0; i < POINTS; i++) {                                                                 \
        const double x = px[i], y = py[i], a = x * y + x, b = y - x, c = x + 3, p = a * b;         \
        const double f = p / c, ic = 1 / c, fc = -(f / c);                                         \
        out_v[i] = f;                                                                              \
        for (k = 0; k < n; k++) {                                                                  \
            const double dx = seed_x[k], dy = seed_y[k];                                           \
            const double da = (y * dx + x * dy) + dx, db = dy - dx, dp = b * da + a * db;          \
            out_d[i][k] = ic * dp + fc * dx;                                                       \
        }                                                                                          \
    }                                                                                              \
}
#define LANES_DUAL(name, T, n)                                                                     \
BENCH_NOINLINE static void name(void)                                                              \
{                                                                                                  \
    size_t i;                                                                                      \
    for (i = 0; i < POINTS; i++) {                                                                 \
        T x = T##_num(px[i]), y = T##_num(py[i]), f;                                               \
        memcpy(x.d, seed_x, sizeof x.d);                                                           \
        memcpy(y.d, seed_y, sizeof y.d);                                                           \
        f = T##_div(T##_mul(T##_add(T##_mul(x, y), x), T##_sub(y, x)), T##_add_r(x, 3));   \
        out_v[i] = f.v;                                                                            \
        memcpy(out_d[i], f.d, sizeof f.d);                                                         \
    }                                                                                              \
}
LANES_HAND(four_hand, 4)
LANES_HAND(eight_hand, 8)
LANES_DUAL(four_dual, ad_dual4, 4)
LANES_DUAL(eight_dual, ad_dual8, 8)

/* Second derivatives of f = x^2 y / (1 + x) along two directions. */
BENCH_NOINLINE static void second_hand(void)
{
    size_t i;
    for (i = 0; i < POINTS; i++) {
        const double x = px[i], y = py[i], x1 = seed_x[0], x2 = seed_x[1], y1 = seed_y[0],
            y2 = seed_y[1];
        const double a = x * x, a1 = x * x1 + x * x1, a2 = x * x2 + x * x2, a12 = x1 * x2 + x1 * x2;
        const double p = a * y, p1 = y * a1 + a * y1, p2 = y * a2 + a * y2;
        const double p12 = y * a12 + a1 * y2 + a2 * y1, q = 1 + x, f = p / q, iq = 1 / q;
        const double f1 = iq * (p1 - f * x1), f2 = iq * (p2 - f * x2);
        out_v[i] = f;
        out_d[i][0] = f1;
        out_d[i][1] = f2;
        out_d[i][2] = iq * (p12 - f1 * x2 - f2 * x1);
    }
}
BENCH_NOINLINE static void second_dual(void)
{
    size_t i;
    for (i = 0; i < POINTS; i++) {
        const ad_dual2 x = ad_dual2_make(px[i], seed_x[0], seed_x[1], 0);
        const ad_dual2 y = ad_dual2_make(py[i], seed_y[0], seed_y[1], 0);
        const ad_dual2 f = ad_dual2_div(ad_dual2_mul(ad_dual2_mul(x, x), y), ad_dual2_add_r(x, 1));
        out_v[i] = f.v;
        out_d[i][0] = f.d1;
        out_d[i][1] = f.d2;
        out_d[i][2] = f.d12;
    }
}

static const struct { const char *name; void (*hand)(void), (*dual)(void); int lanes;
    } problem[] = {
    { "dual: Rosenbrock", rosen_hand, rosen_dual, 1 },
    { "dual: quotients and a root", ratio_hand, ratio_dual, 1 },
    { "dual: sin, exp, log", sines_hand, sines_dual, 1 },
    { "dual4: quotient of products", four_hand, four_dual, 4 },
    { "dual8: quotient of products", eight_hand, eight_dual, 8 },
    { "dual2: second derivative", second_hand, second_dual, 3 },
};

int main(void)
{
    size_t p, i, k;
    for (i = 0; i < 8; i++) {
        seed_x[i] = 1 - 0.25 * (double)i;
        seed_y[i] = 0.5 + 0.125 * (double)i;
    }
    for (i = 0; i < POINTS; i++) {
        px[i] = 0.5 + 0.001 * (double)i;
        py[i] = 1.5 - 0.002 * (double)i;
    }
    bench_head("duals: ratio to hand-written derivative code, goal 1.10");
    printf("%-30s %9s %9s   %s\n", "", "hand ns", "dual ns", "ratio (quartiles)");
    for (p = 0; p < sizeof problem / sizeof problem[0]; p++) {
        static double hand_d[POINTS][8];
        double hand[RUNS], dual[RUNS], ratio[RUNS], low, high, worst = 0, median;
        problem[p].hand();
        memcpy(hand_d, out_d, sizeof out_d);
        problem[p].dual();
        for (i = 0; i < POINTS; i++)
            for (k = 0; k < (size_t)problem[p].lanes; k++) {
                const double e = fabs(out_d[i][k] - hand_d[i][k]) / (1 + fabs(hand_d[i][k]));
                if (!(e <= worst)) worst = e;
            }
        if (!(worst < 1e-13)) {
            printf("%-30s WRONG by %g\n", problem[p].name, worst);
            continue;
        }
        for (i = 0; i < RUNS; i++) {
            double t0 = bench_now(), t1, t2;
            for (k = 0; k < ROUNDS; k++) problem[p].hand();
            t1 = bench_now();
            for (k = 0; k < ROUNDS; k++) problem[p].dual();
            t2 = bench_now();
            hand[i] = (t1 - t0) / (ROUNDS * POINTS);
            dual[i] = (t2 - t1) / (ROUNDS * POINTS);
            ratio[i] = dual[i] / hand[i];
        }
        median = bench_median(ratio, RUNS, &low, &high);
        printf("%-30s %9.2f %9.2f   %.2f (%.2f to %.2f)%s\n", problem[p].name,
            bench_median(hand, RUNS, NULL, NULL),
               bench_median(dual, RUNS, NULL, NULL), median, low, high, median <= 1.1 ? ""
                   : "  above goal");
    }
    return 0;
}
