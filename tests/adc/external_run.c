/* external_arrays.c as duals, beside its tape: the same values, the same derivatives. */
#include "autodiff.h"
#include <math.h>
#include <stdio.h>

void blend_vfun(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m, void *user);
void blend_dual(const ad_dual *x, ad_dual *y);
void blend_dual8(const ad_dual8 *x, ad_dual8 *y);

int main(void)
{
    const double at[4] = { 0.7, -0.4, 1.2, 0.3 };
    double value[4], J[16];
    ad_dual8 x8[4], y8[4];
    int i, k, bad = 0;
    if (ad_jacobian(NULL, blend_vfun, NULL, at, 4, 4, value, J) != AD_OK) return 2;
    for (i = 0; i < 4; i++) x8[i] = ad_dual8_seed(at[i], i);
    blend_dual8(x8, y8);
    for (k = 0; k < 4; k++) {
        ad_dual x[4], y[4];
        for (i = 0; i < 4; i++) x[i] = ad_dual_make(at[i], i == k);
        blend_dual(x, y);
        for (i = 0; i < 4; i++) {
            const double d = J[4*i + k];
            if (y[i].v == value[i] && y8[i].v == value[i] && fabs(y[i].d - d) <= 1e-13*(1 + fabs(d))
                && fabs(y8[i].d[k] - d) <= 1e-13*(1 + fabs(d))) continue;
            printf("dy[%d]/dx[%d]: %.17g, %.17g, of the tape %.17g\n", i, k, y[i].d, y8[i].d[k], d);
            bad = 1;
        }
    }
    return bad;
}
