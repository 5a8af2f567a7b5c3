/* adc: 5 -> 4 in [0.5, 1] C++: a simulation: Runge and Kutta's steps over structs, by callbacks */
#include <math.h>
#include <string.h>

#define DIMENSION 4
struct model { double gravity, drag; int stages; };
typedef void (*field)(double t, const double *u, double *du, const struct model *m);

static void fall(double t, const double *u, double *du, const struct model *m)
{
    const double r2 = u[0]*u[0] + u[1]*u[1];
    const double r3 = r2*sqrt(r2);
    du[0] = u[2];
    du[1] = u[3];
    du[2] = -m->gravity*u[0]/r3 - m->drag*u[2];
    du[3] = -m->gravity*u[1]/r3 - m->drag*u[3]*(1 + 0.1*sin(t));
}
static void step(field f, double t, double h, double *u, const struct model *m)
{
    static const double c[4] = { 0, 0.5, 0.5, 1 }, w[4] = { 1, 2, 2, 1 };
    double k[DIMENSION], sum[DIMENSION] = { 0 }, v[DIMENSION];
    int s, i;
    memset(k, 0, sizeof k);
    for (s = 0; s < m->stages; s++) {
        for (i = 0; i < DIMENSION; i++) v[i] = u[i] + c[s]*h*k[i];
        f(t + c[s]*h, v, k, m);
        for (i = 0; i < DIMENSION; i++) sum[i] += w[s]*k[i];
    }
    for (i = 0; i < DIMENSION; i++) u[i] += h/6*sum[i];
}

void orbit(const double *x, double *y);

void orbit(const double *x, double *y)
{
    struct model m = { 1, 0, 4 };
    double u[DIMENSION], t = 0;
    const double h = 0.05;
    int n;
    memcpy(u, x, sizeof u);
    m.drag = 0.1*x[4];
    for (n = 0; n < 20; n++, t += h) step(fall, t, h, u, &m);
    memcpy(y, u, sizeof u);
}
