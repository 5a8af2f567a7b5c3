/* What the other drivers cost: a Jacobian, and a Hessian of a function of one output. */
#define AUTODIFF_STATIC double
#include "autodiff.h"
#include <stdio.h>

static ad_var f(ad_tape *t, const ad_var *x, size_t n, void *user)     /* x0^2 sin(x1) */
{
    (void)t; (void)n; (void)user;
    return ad_var_mul(ad_var_square(x[0]), ad_var_sin(x[1]));
}
static void polar(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m, void *user)
{
    (void)t; (void)n; (void)m; (void)user;
    y[0] = ad_var_mul(x[0], ad_var_cos(x[1]));
    y[1] = ad_var_mul(x[0], ad_var_sin(x[1]));
}

int main(void)
{
    const double x[2] = { 3.0, 0.5 };
    double y[2], g[2], h[4], J[4];
    if (ad_jacobian(NULL, polar, NULL, x, 2, 2, y, J) != AD_OK) return 1;
    if (ad_hessian(NULL, f, NULL, x, 2, y, g, h) != AD_OK) return 1;
    printf("determinant %g, second derivatives (%g, %g, %g)\n", J[0] * J[3] - J[1] * J[2], h[0],
        h[1], h[3]);
    return !(fabs(J[0] * J[3] - J[1] * J[2] - 3) < 1e-14 && fabs(h[0] - 2 * sin(0.5)) < 1e-14
        && fabs(h[1] - 6 * cos(0.5)) < 1e-14 && h[1] == h[2]
        && fabs(h[3] + 9 * sin(0.5)) < 1e-14);
}
