/* What cached derivatives cost: a gradient and a Jacobian, recorded at first, then compiled. */
#define AUTODIFF_STATIC double
#include "autodiff.h"
#include <stdio.h>

static ad_var f(ad_tape *t, const ad_var *x, size_t n, void *user)     /* x0^2 sin(x1) x2 */
{
    (void)t; (void)n; (void)user;
    return ad_var_mul(ad_var_mul(ad_var_square(x[0]), ad_var_sin(x[1])), x[2]);
}
static void polar(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m, void *user)
{
    (void)t; (void)n; (void)m; (void)user;
    y[0] = ad_var_mul(x[0], ad_var_cos(x[1]));
    y[1] = ad_var_mul(x[0], ad_var_sin(x[1]));
}

int main(void)
{
    ad_cache *c = ad_cache_create(NULL);
    ad_cache_stats s;
    double x[2] = { 3.0, 0.5 }, p[1], y[2], g[2], J[4], worst = 0;
    int i;
    for (i = 0; i < 200; i++) {
        p[0] = 1 + i;
        x[1] = 0.01 * i;
        if (ad_cache_gradient(c, 0, f, NULL, x, 2, p, 1, y, g) != AD_OK) return 1;
        if (ad_cache_jacobian(c, 0, polar, NULL, x, 2, NULL, 0, 2, y, J) != AD_OK) return 1;
        worst = fmax(worst, fabs(g[1] / p[0] - 9 * cos(x[1])));
        worst = fmax(worst, fabs(J[0] * J[3] - J[1] * J[2] - 3));
    }
    s = ad_cache_get_stats(c);
    printf("%zu calls recorded, %zu compiled, worst error %.1g\n", s.recorded, s.hits, worst);
    ad_cache_destroy(c);
    return !(worst < 1e-13 && s.hits == 200 && s.functions == 2);
}
