/* Functions for the derivatives that adc writes as C: one output, and several. */
#include <math.h>
#include <string.h>

struct spring { double length, stiffness; };

static double energy_of(const struct spring *s, double a, double b)
{
    const double stretch = b - a - s->length;
    return 0.5*s->stiffness*stretch*stretch + 0.1*exp(-stretch);
}

/* springs in a row, the first of which is tied to 0 */
double energy(const double *x, int n)
{
    struct spring s = { 0.25, 3 };
    double e = energy_of(&s, 0, x[0]);
    int i;
    for (i = 1; i < n; i++) {
        s.stiffness += 0.5;
        e += energy_of(&s, x[i - 1], x[i]);
    }
    return e;
}

/* reaction and diffusion on a line: each output is of its neighbours */
void flow(const double *u, double rate, double *du, int n)
{
    int i;
    memset(du, 0, (size_t)n*sizeof *du);
    for (i = 0; i < n; i++) {
        if (i > 0) du[i] += u[i - 1] - u[i];
        if (i < n - 1) du[i] += u[i + 1] - u[i];
        du[i] += rate*u[i]*(1 - u[i]);
    }
}

/* the same in floats */
float bell(const float *x, float width)
{
    return expf(-x[0]*x[0]/width)*sinf(x[1]);
}

double kinked(const double *x)
{
    if (x[0] > x[1]) return x[0]*x[0] - 3*x[1];
    return sin(x[0]);
}

/* without a second derivative; infinite at 0, which is no other course */
double line(const double *x) { return 2*x[0] - x[1]; }
double logarithm(const double *x) { return log(x[0]); }
