/* adc: 2 -> 12 in [0.3, 1.7] C++: functions of <math.h> that the rule table has not */
#include <math.h>

void library(const double *x, double *y);

void library(const double *x, double *y)
{
    int e, f, g;
    const double m = frexp(x[0]*9, &e), n = frexp(-x[1]*1e-310, &f), zero = frexp(0*x[0], &g);
    y[0] = tgamma(x[0]) + tgamma(-x[1] - 2.2);
    y[1] = remainder(3*x[0], x[1]);
    y[2] = remainder(-7*x[0], -x[1]) + remainder(2.5, 2*x[1]);
    y[3] = m*e;
    y[4] = n*f + zero;
    y[5] = nextafter(x[0], 2.0)*x[1] + nextafter(2, x[1]);
    y[6] = remainder(x[0], 0.25) + frexp(1.5, &e);
    y[7] = fdim(x[0], x[1]) + ldexp(x[0], 3) + rint(5*x[1] + 0.1);
    y[9] = sinf(x[0])*x[1] + powf(x[0], 2.5f) + fminf(x[1], 9);
    y[10] = (float)(x[0]*x[1]) + fmaf(x[0], 2, x[1]) + atan2f(1, x[0]);
    y[11] = ldexp(x[1]*1e-30, 1040)*1e-280 + scalbn(x[0]*1e300, -1100)*1e31 + ldexp(0*x[0], 3000);
    y[8] = modf(3*x[0], y + 8)*x[1] + scalbn(x[1], -2);
}
