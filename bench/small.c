/* Jacobians of small functions, where what a call costs is most of it: the right-hand side of
   Robertson's stiff reaction, 3 by 3, by the driver, by a compiled function and by hand. */
#define AUTODIFF_STATIC double
#include "../autodiff.h"
#include "bench.h"

static void rates(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m, void *user)
{
    const ad_var slow = ad_var_mul_r(x[0], 0.04), fast = ad_var_mul_r(ad_var_mul(x[1], x[2]), 1e4);
    (void)t;
    (void)n;
    (void)m;
    (void)user;
    y[2] = ad_var_mul_r(ad_var_mul(x[1], x[1]), 3e7);
    y[0] = ad_var_sub(fast, slow);
    y[1] = ad_var_neg(ad_var_add(y[0], y[2]));
}
static void by_hand(const double *x, double *y, double *J)
{
    const double slow = 0.04 * x[0], fast = 1e4 * x[1] * x[2];
    y[2] = 3e7 * x[1] * x[1];
    y[0] = fast - slow;
    y[1] = -(y[0] + y[2]);
    J[0] = -0.04;
    J[1] = 1e4 * x[2];
    J[2] = 1e4 * x[1];
    J[6] = J[8] = 0;
    J[7] = 6e7 * x[1];
    J[3] = -J[0];
    J[4] = -(J[1] + J[7]);
    J[5] = -J[2];
}

enum { BY_HAND, COMPILED, INTERPRETED, DRIVER };
static const char *const names[] = { "by hand", "compiled, machine code", "compiled, interpreted",
    "ad_jacobian on a tape that is kept" };
static ad_tape *tape;
static ad_fn *native, *interpreted;
static double out[12];

static double took(const void *job, size_t first, size_t count)
{
    const int way = *(const int *)job;
    double x[3] = { 0.98, 3.4e-5, 0.02 };
    const double start = bench_processor();
    size_t i;
    (void)first;
    for (i = 0; i < count; i++) {
        x[2] += 1e-12;                           /* another point each time */
        switch (way) {
        case BY_HAND: by_hand(x, out, out + 3); break;
        case COMPILED: ad_fn_eval(native, x, out); break;
        case INTERPRETED: ad_fn_eval(interpreted, x, out); break;
        default: ad_jacobian(tape, rates, NULL, x, 3, 3, out, out + 3);
        }
        *(volatile double *)&out[0] = out[0];
    }
    return bench_processor() - start;
}

static ad_fn *compiled(ad_native how)
{
    const double x[3] = { 0.98, 3.4e-5, 0.02 };
    ad_var in[3], y[3];
    ad_fn_desc desc;
    ad_fn *f, *J;
    memset(&desc, 0, sizeof desc);
    desc.native = how;
    ad_inputs(tape, 3, x, in);
    rates(tape, in, 3, y, 3, NULL);
    f = ad_fn_create(tape, 3, in, 3, y, &desc);
    J = ad_fn_jacobian(f);
    ad_fn_destroy(f);
    ad_tape_reset(tape);
    return J;
}

int main(void)
{
    static const int ways[] = { BY_HAND, COMPILED, INTERPRETED, DRIVER };
    static const double wanted[] = { 0, 25, 0, 120 };
    const void *jobs[BENCH_PEERS];
    bench_goals goals;
    bench_race race;
    const double start = bench_now();
    double want[12];
    int k, i;
    memset(&goals, 0, sizeof goals);
    tape = ad_tape_create(NULL);
    native = compiled(AD_NATIVE_NOW);
    interpreted = compiled(AD_NATIVE_NEVER);
    took(&ways[BY_HAND], 0, 1);
    memcpy(want, out, sizeof want);
    for (k = 0; k < 4; k++) {
        jobs[k] = &ways[k];
        took(&ways[k], 0, 1);
        for (i = 0; i < 12; i++)
            goals.wrong += !(fabs(out[i] - want[i]) <= 1e-14 * fabs(want[i]));
    }
    bench_machine("small functions");
    bench_run(jobs, took, 1, 1e9, &race);
    printf("\nA Jacobian of 3 by 3, nanoseconds, median (the fastest run); times by hand\n");
    for (k = 0; k < 4; k++) {
        printf("  %-36s %7.1f (%.1f) %7.1f", names[k], race.ns[k], race.least[k], race.ratio[k]);
        if (wanted[k] > 0)
            printf("   goal %.0f: %s", wanted[k], bench_goal(&goals, race.ns[k] <= wanted[k],
                names[k], race.ns[k], wanted[k]));
        printf("\n");
    }
    ad_fn_destroy(interpreted);
    ad_fn_destroy(native);
    ad_tape_destroy(tape);
    return bench_end(&goals, start);
}
