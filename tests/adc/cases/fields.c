/* adc: 3 -> 8 in [0.5, 2]: fields that are reached through the place of another */
#include <string.h>
struct vec { double x, y, z; };
struct body { struct vec at, v; };
struct mixed { double a; int n; double b; };

static double norm2(const double *p, int n)
{
    double s = 0;
    int i;
    for (i = 0; i < n; i++) s += p[i]*p[i]*(i + 1);
    return s;
}
static double component(const struct vec *v, int i) { return (&v->x)[i]; }
static const double *next(const double *p) { return p + 1; }
static void set(double *p, double a) { *p = a; }

void fields(const double *x, double *y);

void fields(const double *x, double *y)
{
    struct vec v = { 1, x[1], x[2] }, u, w = { 0, 0, 0 }, t = { 2, 3, 4 };
    struct body b = { { 1, 2, 3 }, { 4, x[0], 6 } };
    struct mixed m = { 2, 3, 4 };
    const double *p = &v.x, *q = x[0] > 50 ? x : &t.x;
    double *to;
    int i;
    y[0] = 0;
    for (i = 0; i < 3; i++) y[0] += *p++*(i + 1);
    y[1] = component(&v, 0) + component(&v, 1)*2 + component(&v, 2)*3;
    for (i = 0; i < 3; i++) (&u.x)[i] = x[i]*(i + 1);
    y[2] = norm2(&u.x, 3) + u.z;
    memcpy(&w.x, x, 3*sizeof(double));
    y[3] = w.x*w.y + w.z;
    y[4] = norm2(&b.at.x, 6);
    t.z = x[2]*x[1];
    y[5] = *next(next(q));
    set(&m.a, x[0]);                            /* of one field alone: the others stay numbers */
    memcpy(&m.a, x + 1, sizeof(double));
    memcpy(&m.a, x + 1, sizeof m.a);
    y[6] = m.a*m.b + m.n;
    for (to = &w.x, p = &u.x; p <= &u.z;) *to++ = *p++;
    y[7] = w.y*w.z;
}
