/* adc: 3 -> 11 in [0.5, 1.5] single C++: functions of floats that have no rule of their own */
#include <math.h>

void narrow(const float *x, float *y)
{
    float whole;
    int e;
    y[0] = fdimf(x[0], 1.0f)*x[1];
    y[1] = ldexpf(x[1], 3) + scalbnf(x[2], -2) + ldexpf(x[0]*1e-38f, -12) + ldexpf(0.0f*x[0], 900);
    y[2] = rintf(3*x[0])*x[1] + nearbyintf(5*x[1])*x[0];
    y[3] = modff(2*x[0], &whole)*x[1];
    y[4] = whole*x[2];
    y[5] = tgammaf(x[0] + 1.0f);
    y[6] = remainderf(7*x[1], 1.25f)*x[0];
    y[7] = frexpf(9*x[2], &e)*x[0];
    y[8] = (float)e*x[1];
    y[9] = ldexpf(x[0]*1e-38f, 250)*1e-37f;
    y[10] = nextafterf(x[0], x[1]);
}
