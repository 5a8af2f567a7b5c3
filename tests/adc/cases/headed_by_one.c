/* adc: 2 -> 3 in [0.5, 2]: parameters of old functions, typedefs of those, typed null pointers */
#include <math.h>
#include <stddef.h>
typedef double law(double);
typedef law *pointer;
typedef pointer table[2];
struct place { double *to; int n; };
static double twice(double a) { return 2*a; }
static double old(b, a, n) double a, *n; double b;
{
    if (n) *n = a;
    return a*a*b;
}
static double kept(a, k) double a, k; { return k > 1 ? a*k : a; }
static double apply(pointer g, double a) { return g == (pointer)0 ? a : g(a); }
void headed_by_one(const double *x, double *y)
{
    table t = { twice, cos };
    struct place p = { (double *)0, 1 }, q = { .to = (double *)NULL };
    double n = 0;
    if (p.to == (double *)0) p.to = &n;
    q.to = x[0] > 0 ? p.to : (double *)0;
    y[0] = old(2.0, x[0], (double *)0) + kept(x[1], 3.0);
    y[1] = apply(t[0], x[0])*t[1](x[1]);
    y[2] = old(1.0, x[1], q.to) + *p.to;
}
