/* adc: 2 -> 6 in [0.3, 1.4] warns 2: decisions that are no comparisons; libm behind pointers */
#include <math.h>
#include <stddef.h>

struct decisions_act { const char *name; double (*f)(double); };
static double decisions_relu(double a) { return a > 0 ? a : 0; }
static const struct decisions_act decisions_acts[] = { { "relu", decisions_relu }, { "tanh", tanh },
    { "expm1", expm1 } };
static double decisions_apply(double (*f)(double), double a) { return f(a); }
static double decisions_both(double (*f)(double, double), double a, double b) { return f(a, b); }

void decisions(const double *x, double *y)
{
    static const double at[] = { 1, 3, 2, 5, 4, 6 };
    const int k = (int)(2*x[0]);
    double (*own)(double) = cos;
    size_t i;
    y[0] = isless(x[0], 1) ? 24*x[0] : 0.4*x[0]*x[0];
    y[1] = signbit(x[0] - 1) || isgreaterequal(x[1], x[0]) ? x[1] : x[0]*x[1];
    y[2] = at[k] + (2*x[0] - k)*(at[k + 1] - at[k]) + at[lround(x[1])]*x[1];
    y[3] = isnan(x[1]) || !isfinite(x[0]) ? 0 : x[1]*logb(x[0]) + scalbln(x[0], 2L);
    y[4] = decisions_apply(sin, x[0])*decisions_apply(own, x[1]) + tanh(x[1]);
    y[5] = decisions_both(hypot, x[0], x[1]);
    for (i = 0; i < sizeof decisions_acts/sizeof *decisions_acts; i++)
        y[5] += decisions_acts[i].f(x[0]*x[1]);
}
