/* What README's first program costs: the gradient of one function by the tape. */
#ifndef AUTODIFF_STATIC
#define AUTODIFF_STATIC double
#endif
#include "autodiff.h"
#include <stdio.h>

static ad_var f(ad_tape *t, const ad_var *x, size_t n, void *user)     /* x0^2 sin(x1) */
{
    (void)t; (void)n; (void)user;
    return ad_var_mul(ad_var_square(x[0]), ad_var_sin(x[1]));
}

int main(void)
{
    const double x[2] = { 3.0, 0.5 };
    double y, g[2];
    if (ad_gradient(NULL, f, NULL, x, 2, &y, g) != AD_OK) return 1;
    printf("f = %g, gradient = (%g, %g)\n", y, g[0], g[1]);
    return !(fabs(g[0] - 6 * sin(0.5)) < 1e-14 && fabs(g[1] - 9 * cos(0.5)) < 1e-14);
}
