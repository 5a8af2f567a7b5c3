/* adc: 2 -> 4 in [0.2, 3]: the macros of <math.h> that classify and compare */
#include <float.h>
#include <math.h>

void classes(const double *x, double *y);
struct apart { double a; };

double elsewhere(struct apart s);
double elsewhere(struct apart s) { return isnan(s.a) || isgreater(s.a, 7) ? 0 : 2*s.a; }

void classes(const double *x, double *y)
{
    const struct apart held = { x[0]*x[0] };
    const double a = held.a, big = exp(1000*x[1]);
    int ordinary = 0;
    y[0] = isnan(a) ? 0 : a;
    y[1] = isinf(big) && !isfinite(big) ? x[1]*2 : x[0];
    if (isfinite(a) && !signbit(a) && isnormal(a)) ordinary++;
    if (fpclassify(a) == FP_NORMAL) ordinary++;
    if (isgreater(a, 0.0) && isless(a, 100) && !isunordered(a, x[1])) ordinary++;
    if (islessgreater(a, x[1] - 50) && isgreaterequal(a, DBL_EPSILON)) ordinary++;
    y[2] = ordinary*a;
    y[3] = x[0] > DBL_MAX || x[0] < -DBL_MAX || x[0] != x[0] ? NAN : 1/x[0];
}
