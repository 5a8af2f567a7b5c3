/* What dual numbers cost: they are inline, so of the functions of the file nothing is called. */
#define AUTODIFF_STATIC
#include "autodiff.h"
#include <stdio.h>

int main(void)
{
    const ad_dual x = ad_dual_make(0.5, 1), y = ad_dual_mul(x, ad_dual_exp(ad_dual_neg(x)));
    const ad_dual2 u = ad_dual2_make(0.5, 1, 1, 0), v = ad_dual2_mul(u, ad_dual2_sin(u));
    printf("f' = %g, g'' = %g\n", y.d, v.d12);
    return !(fabs(y.d - 0.5 * exp(-0.5)) < 1e-15
        && fabs(v.d12 - (2 * cos(0.5) - 0.5 * sin(0.5))) < 1e-15);
}
