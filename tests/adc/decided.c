/* Decisions that are no comparisons: their gradients are asked for at 0.5, and at 2.25. */
#include <math.h>

static const double table[5] = { 1, 3, 2, 5, 4 };
double drag(const double *x) { return isless(x[0], 1) ? 24*x[0] : 0.4*x[0]*x[0]; }
double sided(const double *x) { return signbit(x[0] - 1) ? 24*x[0] : 0.4*x[0]*x[0]; }
double cell(const double *x)
{
    const int k = (int)x[0];
    return table[k] + (x[0] - k)*(table[k + 1] - table[k]);
}
double place(const double *x)
{
    int k;
    k = x[0]*2;
    return table[k]*x[0];
}
double nearest(const double *x) { return table[lround(x[0] - 0.25)]*x[0]; }
double bounded(const double *x) { return isfinite(1/(x[0] - 2.25)) ? x[0]*x[0] : 0*x[0]; }
double bell(double r) { return exp(-r*r); }
double weighed(const double *x, double (*kernel)(double)) { return kernel(x[0])*x[1]; }
double sorted(const double *x)
{
    switch (fpclassify(x[0] - 2.25)) {
    case FP_ZERO: return 7*x[0];
    case FP_SUBNORMAL: return 8*x[0];
    case FP_NORMAL: return 9*x[0];
    }
    return x[0];
}
double normal(const double *x) { return isnormal(x[0] - 2.25) ? x[0]*x[0] : x[0]; }
double ordered(const double *x) { return isunordered(sqrt(2 - x[0]), 1.0) ? x[0] : x[0]*x[0]; }
double apart(const double *x) { return islessgreater(x[0], 2.25) ? x[0]*x[0] : x[0]; }
double octave(const double *x) { return table[ilogb(4*x[0])]*x[0]; }
double exponent(const double *x) { return x[0]*logb(x[0]) + scalbln(x[0], 3L); }
