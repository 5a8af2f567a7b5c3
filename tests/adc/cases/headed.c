/* adc: 3 -> 9 in [0.5, 2] warns 1: structs, typedefs, variables, prototypes of a header of one's
   own, and functions of C's library that are called there alone */
#include <math.h>
#include "headed.h"
struct constant { double a; };
extern double twice_said[2];
double shared[3], twice_said[2];

static double objective_at(double t, void *user)
{
    return t*t*((struct constant *)user)->a;
}
static double descend(const struct solver *s, double t)
{
    int i;
    for (i = 0; i < s->steps; i++) t -= 0.1*s->f(t, s->user);
    return t;
}
static vec scaled(vec v, double by)
{
    v.x *= by;
    v.y *= by;
    v.z *= by;
    return v;
}

void headed(const double *x, double *y);

void headed(const double *x, double *y)
{
    vec a = { x[0], x[1], x[2] }, b = origin;
    mat m = { { { x[0], 1 }, { 2, x[1] } } };
    pair c = { { 0, 0, 0 }, { { 1, 2, 3 }, { 4, 5, 6 } }, 1 };
    item last = { 0, 0 }, first = { 0, 0 };
    struct constant k = { 0.5 };
    struct solver s = { objective_at, &k, 3 };
    c.q[1] = scaled(a, x[2]);
    b.x = c.q[1].x;
    y[0] = b.x + b.z*c.q[1].y;
    y[1] = m.a[0][0]*m.a[1][1] - m.a[0][1]*m.a[1][0];
    last.value = x[0]*x[1];
    first.next = &last;
    y[2] = first.next->value + c.p.x;
    y[3] = descend(&s, x[1]);
    cache[1] = x[2]*x[2];
    gain = x[0];
    y[4] = cache[1]*gain + cache[0];
    y[5] = norm_of(x, 3) + half(x[1]);
    shared[2] = x[1];
    twice_said[1] = x[0];
    y[6] = shared[2]*twice_said[1] + shared[0];
    kept[1] = x[0]*x[2];
    y[7] = store[1]*x[1] + store[0];
    y[8] = shaped(x[1])*x[2];
}

double gain = 2;
double norm_of(const double *w, int n)
{
    double r = 0;
    while (n-- > 0) r += w[n]*w[n];
    return r;
}
double half(double a) { return a/2; }
