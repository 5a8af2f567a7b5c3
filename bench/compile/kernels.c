/* What array kernels cost without a tape: tanh forwards and backwards. */
#define AUTODIFF_STATIC
#include "autodiff.h"
#include <stdio.h>

int main(void)
{
    enum { N = 1000 };
    static double x[N], y[N], y_bar[N], x_bar[N];
    const ad_kernels *k = ad_kernels_get(AD_SIMD_BEST);
    int i;
    for (i = 0; i < N; i++) {
        x[i] = 0.01 * i - 5;
        y_bar[i] = 1;
    }
    ad_kernel_tanh(k, N, x, y);
    ad_kernel_tanh_adjoint(k, N, x, y, y_bar, x_bar);
    printf("tanh'(%g) = %g\n", x[600], x_bar[600]);
    return !(fabs(x_bar[600] - (1 - tanh(1.0) * tanh(1.0))) < 1e-15);
}
