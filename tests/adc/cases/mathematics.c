/* adc: 3 -> 39 in [0.3, 0.9] C++: <math.h> */
#include <math.h>

void mathematics(const double *x, double *y);

void mathematics(const double *x, double *y)
{
    const double a = x[0], b = x[1], c = x[2];
    double *z = y;
    *z++ = fabs(a - 3);
    *z++ = sqrt(a);
    *z++ = cbrt(a);
    *z++ = exp(a);
    *z++ = exp2(a);
    *z++ = expm1(a);
    *z++ = log(a);
    *z++ = log2(a);
    *z++ = log10(a);
    *z++ = log1p(a);
    *z++ = sin(a);
    *z++ = cos(a);
    *z++ = tan(a);
    *z++ = asin(a);
    *z++ = acos(a);
    *z++ = atan(a);
    *z++ = sinh(a);
    *z++ = cosh(a);
    *z++ = tanh(a);
    *z++ = asinh(a);
    *z++ = acosh(a + 1);
    *z++ = atanh(a);
    *z++ = erf(a);
    *z++ = erfc(a);
    *z++ = lgamma(a);
    *z++ = a*floor(3*b + 5.1) + ceil(b) - round(c + 1) + trunc(2.2 + c/9);
    *z++ = pow(a, b) + pow(a, 2) + pow(a, 3.0) + pow(2, b) + pow(c, -1.5);
    *z++ = atan2(a, b) + atan2(a, 2) + atan2(-1, b);
    *z++ = hypot(a, b) + hypot(3, c);
    *z++ = fmod(a + 7, b + 2) + fmod(a + 4, 3);
    *z++ = copysign(a, -1) + copysign(b, c - 5);
    *z++ = fmin(a, b + 2) + fmin(a, 7);
    *z++ = fmax(a, b - 2) + fmax(-4, c);
    *z++ = fma(a, b, c) + fma(a, 2, 3) + fma(2, 3, c);
    *z++ = exp(log(sqrt(sin(a)*sin(a) + cos(a)*cos(a)) + b));
    *z++ = sqrt(fabs(-a*b))*(sin)(c);
    *z++ = 2*sqrt(2)*a + M_PI*b;                    /* functions of constants stay */
    *z++ = pow(pow(a, 0.5), pow(b, 2));
    *z = cos(b) < 0 ? HUGE_VAL : sin(c);
}
