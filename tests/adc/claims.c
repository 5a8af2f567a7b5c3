/* Functions and derivatives written by hand, right and wrong, for adc check. */
#include <math.h>
#include <stdlib.h>

double loss(const double *x, int n)
{
    double s = 0;
    int i;
    for (i = 0; i < n; i++) s += x[i]*x[i]*sin(x[0]);
    return s;
}
void right(const double *x, int n, double *g)
{
    double squares = 0;
    int i;
    for (i = 0; i < n; i++) {
        g[i] = 2*x[i]*sin(x[0]);
        squares += x[i]*x[i];
    }
    g[0] += squares*cos(x[0]);
}
void sign(const double *x, int n, double *g) { right(x, n, g); g[1] = -g[1]; }
void inaccurate(const double *x, int n, double *g) { right(x, n, g); g[1] *= 1 + 1e-5; }
void slightly(const double *x, int n, double *g) { right(x, n, g); g[1] *= 1 + 1e-8; }
void not_finite(const double *x, int n, double *g) { right(x, n, g); g[0] = NAN; }
void crash(const double *x, int n, double *g) { right(x, n, g); abort(); }
void leaves(const double *x, int n, double *g) { right(x, n, g); exit(3); }
void in_floats(const double *x, int n, float *g) { while (n--) g[n] = (float)x[n]; }
void by_rows(const double *x, int n, double **g) { right(x, n, g[0]); }

double broken(const double *x, int n) { return loss(x, n) + sqrt(-1 - x[0]*x[0]); }
double noisy(const double *x, int n) { return loss(x, n) + 1e-3*sin(1e9*x[1]); }
/* the part in the integer is lost, and it has a slope */
double steps(const double *x) { return x[0] + (double)(long)(1e9*x[1]*x[2])*1e-9; }

double turn(double a) { return a*sin(a); }
double turn_slope(double a) { return sin(a) + a*cos(a); }

void spin(const double *u, double w, double *y)
{
    y[0] = -w*u[1];
    y[1] = w*w*u[0];
}
void spin_jacobian(const double *u, double w, double *J)
{
    J[0] = 0;
    J[1] = -w;
    J[2] = -u[1];
    J[3] = w*w;
    J[4] = 0;
    J[5] = 2*w*u[0];
}
void spin_wrong(const double *u, double w, double *J)
{
    spin_jacobian(u, w, J);
    J[3] = -J[3];
}
void spin_transposed(const double *u, double w, double *J)
{
    (void)u;
    J[0] = J[3] = 0;
    J[1] = w*w;
    J[2] = -w;
}

struct parameters { double mass, length; };
double with_user(const double *x, const struct parameters *p)
{
    return p->mass*cos(x[0]/p->length) + x[1]*x[1];
}

float floats(const float *x) { return x[0]*expf(x[1]); }
void floats_gradient(const float *x, float *g)
{
    g[0] = expf(x[1]);
    g[1] = x[0]*g[0];
}
void floats_wrong(const float *x, float *g)
{
    floats_gradient(x, g);
    g[1] = -g[1];
}

/* what others see only where memory is not theirs: added to, written past the end */
void adds(const double *x, int n, double *g)
{
    double d[9];
    int i;
    right(x, n, d);
    for (i = 0; i < n; i++) g[i] += d[i];
}
void outside(const double *x, int n, double *g)
{
    right(x, n, g);
    g[n] = 1;
}

/* what writes to its input */
void spoils(double *x, int n, double *g)
{
    right(x, n, g);
    x[n - 1] = 0;
}
/* what remembers its last point: the same numbers, computed once */
static double last, square_of_last;
double remembers(const double *x)
{
    if (x[0] != last) {
        last = x[0];
        square_of_last = last*last;
    }
    return square_of_last*x[1];
}
void remembers_gradient(const double *x, double *g)
{
    g[0] = 2*x[0]*x[1];
    g[1] = x[0]*x[0];
}
/* as integrators have it: what f wrote comes too */
void rates(const double *u, double *du)
{
    du[0] = u[0]*u[1];
    du[1] = du[0]*u[1];
}
void rates_jacobian(const double *u, double *du, double *J)
{
    J[0] = u[1];
    J[1] = u[0];
    J[2] = du[0]/u[0]*u[1];
    J[3] = 2*du[0];
}
/* ... in a struct, and as a solver's first guess */
static struct { double at, root; } warm = { 0, 1 };
double warms(const double *x)
{
    int k;
    if (warm.at != x[0]) {
        warm.at = x[0];
        for (k = 0; k < 9; k++) warm.root = (warm.root + x[0]/warm.root)/2;
    }
    return warm.root*x[1];
}
