/* A gradient through a million time steps, in 7 MB: two bodies, Runge and Kutta's method. All steps
   on one tape would be six gigabytes. The check: energy is conserved, so that at the end has the
   gradient by the initial state that it has there. Arguments: steps, bytes for checkpoints. */
#define AUTODIFF_STATIC double
#include "../autodiff.h"
#include <stdio.h>
#include <stdlib.h>

enum { N = 12 };                        /* x of one body and the other, [3] each; then velocities */

/* The squared distance of the bodies. */
static ad_var apart(const ad_var *s)
{
    const ad_var d[3] = { ad_var_sub(s[3], s[0]), ad_var_sub(s[4], s[1]), ad_var_sub(s[5], s[2]) };
    return ad_var_dot(3, d, d);
}

/* Both have mass 1 and attract each other with mu / r^2. */
static void motion(const ad_var *s, ad_var mu, ad_var *rate)
{
    const ad_var r2 = apart(s), pull = ad_var_div(mu, ad_var_mul(r2, ad_var_sqrt(r2)));
    int i;
    for (i = 0; i < 6; i++) rate[i] = s[6 + i];
    for (i = 0; i < 3; i++) {
        rate[6 + i] = ad_var_mul(ad_var_sub(s[3 + i], s[i]), pull);
        rate[9 + i] = ad_var_neg(rate[6 + i]);
    }
}

static ad_status runge_kutta(ad_tape *t, size_t step, const ad_var *s, size_t n, const ad_var *mu,
                             size_t k, ad_var *next, void *user)
{
    static const double h = 1e-3, ahead[4] = { 0, 0.5, 0.5, 1 }, weight[4] = { 1, 2, 2, 1 };
    ad_var at[N], rate[N];
    int stage, i;
    (void)t; (void)step; (void)n; (void)k; (void)user;
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

/* Of the state x[N] with mu = x[N]; or of that after a run from it. */
static ad_var energy(ad_tape *t, const ad_var *x, size_t n, void *run)
{
    ad_var end[N];
    (void)n;
    if (run) ad_repeat_run((ad_repeat *)run, t, x, x + N, end);
    return ad_var_sub(ad_var_mul_r(ad_var_dot(6, (run ? end : x) + 6, (run ? end : x) + 6), 0.5),
                      ad_var_div(x[N], ad_var_sqrt(apart(run ? end : x))));
}

int main(int argc, char **argv)
{
    const double x[N + 1] = { -0.5, 0, 0, 0.5, 0, 0, 0, -0.6, 0.1, 0, 0.6, -0.1, 1 };
    double e[2], g[2][N + 1], off = 0;
    static ad_repeat_desc desc;
    ad_tape *t = ad_tape_create(NULL);
    ad_repeat *run;
    ad_repeat_stats stats;
    int i;
    desc.steps = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000000;
    desc.bytes = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    run = ad_repeat_create(runge_kutta, NULL, N, 1, &desc);
    ad_gradient(t, energy, NULL, x, N + 1, &e[0], g[0]);
    if (ad_gradient(t, energy, run, x, N + 1, &e[1], g[1]) != AD_OK) puts(ad_tape_message(t));
    for (i = 0; i <= N; i++) off = fmax(off, fabs(g[0][i] - g[1][i]));
    stats = ad_repeat_get_stats(run);
    printf("after %zu steps the energy is off by %.1e, its gradient by %.1e\n%.1f MB, %zu "
           "checkpoints, %zu steps recorded at once\n", stats.steps, fabs(e[1] - e[0]), off,
           (double)stats.bytes / 1e6, stats.kept, stats.block);
    ad_repeat_destroy(run);
    ad_tape_destroy(t);
    return !(off < 1e-6);
}
