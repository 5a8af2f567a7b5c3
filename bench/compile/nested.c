/* What nesting costs in C11's front: 32 operations in one expression of dual numbers. */
#define AUTODIFF_STATIC
#include "autodiff.h"
#include <stdio.h>

#define STEP1(e) ad_add(ad_mul(e, x), 1)
#define STEP2(e) STEP1(STEP1(e))
#define STEP4(e) STEP2(STEP2(e))
#define STEP8(e) STEP4(STEP4(e))

int main(void)
{
    const ad_dual x = ad_dual_make(0.5, 1), y = STEP8(STEP8(1));          /* 1 + x + ... + x^16 */
    printf("f = %g, f' = %g\n", y.v, y.d);
    return !(fabs(y.v - (2 - ldexp(1, -16))) < 1e-15
        && fabs(y.d - (4 - 18 * ldexp(1, -15))) < 1e-14);
}
