/* adc: 2 -> 3 in [0.3, 2.1]: fmin and fmax know nothing of a NaN */
#include <math.h>

void nans(const double *x, double *y)
{
    double most = NAN, least = NAN;
    int i;
    for (i = 0; i < 2; i++) {                  /* what stands for "none yet" */
        most = fmax(most, x[i]*x[i]);
        least = fmin(exp(x[i]), least);
    }
    y[0] = most;
    y[1] = least*x[0];
    y[2] = fmax(NAN, x[0]) + fmin(x[1], NAN) + fmax(x[0]*0.1, 7);
}
