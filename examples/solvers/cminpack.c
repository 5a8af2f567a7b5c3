/* cminpack: lmder1 on Bard's function, whose sum of squares is 8.21487e-3, and hybrj1 on the
   helical valley, whose root is (1, 0, 0) (More, Garbow & Hillstrom 1981, problems 8 and 7). */
#ifndef EXAMPLE_LINKED
#define AUTODIFF_STATIC
#endif
#include "../../autodiff.h"
#include "ad_cminpack.h"

static void bard(ad_tape *t, const ad_var *x, size_t n, ad_var *r, size_t m, void *user)
{
    static const double y[15] = { 0.14, 0.18, 0.22, 0.25, 0.29, 0.32, 0.35, 0.39, 0.37, 0.58, 0.73,
                                  0.96, 1.34, 2.10, 4.39 };
    size_t i;
    (void)t, (void)n, (void)user;
    for (i = 0; i < m; i++) {
        const double u = (double)i + 1, v = 15 - (double)i, w = fmin(u, v);
        const ad_var down = ad_var_add(ad_var_mul_r(x[1], v), ad_var_mul_r(x[2], w));
        r[i] = ad_var_sub_from_r(y[i], ad_var_add(x[0], ad_var_div_from_r(u, down)));
    }
}

/* The angle of (x0, x1) in turns: a half more where x0 is negative, which the start is and the root
   is not. */
static void valley(ad_tape *t, const ad_var *x, size_t n, ad_var *f, size_t m, void *user)
{
    const double turn = 0.15915494309189533577;
    ad_var angle = ad_var_mul_r(ad_var_atan(ad_var_div(x[1], x[0])), turn);
    (void)t, (void)n, (void)m, (void)user;
    if (ad_branch(ad_var_lt_r(x[0], 0))) angle = ad_var_add_r(angle, 0.5);
    f[0] = ad_var_mul_r(ad_var_sub(x[2], ad_var_mul_r(angle, 10)), 10);
    f[1] = ad_var_mul_r(ad_var_sub_r(ad_var_hypot(x[0], x[1]), 1), 10);
    f[2] = x[2];
}

int main(void)
{
    double x[3] = { 1, 1, 1 }, z[3] = { -1, 0, 0 }, r[15], J[45], work[100], sum = 0;
    int pivot[3], how, i, bad;
    ad_solver s;
    ad_solver_init(&s, bard, NULL, 3, 3, 15);
    how = lmder1(ad_cminpack_lmder, &s, 15, 3, x, r, J, 15, 1e-10, pivot, work, 100);
    for (i = 0; i < 15; i++) sum += r[i] * r[i];
    printf("lmder1: %.6g at (%.7f, %.6f, %.6f), published 8.21487...e-3\n", sum, x[0], x[1], x[2]);
    bad = how < 1 || how > 3 || !(floor(sum * 1e8) == 821487);
    ad_solver_free(&s);
    ad_solver_init(&s, valley, NULL, 3, 3, 3);
    how = hybrj1(ad_cminpack_hybrj, &s, 3, z, r, J, 3, 1e-12, work, 100);
    printf("hybrj1: (%.9f, %.1g, %.1g), recorded %zu times\n", z[0], z[1], z[2], s.recorded);
    bad |= how != 1 || !(fabs(z[0] - 1) + fabs(z[1]) + fabs(z[2]) < 1e-9) || s.recorded < 2;
    ad_solver_free(&s);
    return bad;
}
