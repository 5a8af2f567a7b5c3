/* Two bodies: from position and velocity to those a time later, by Kepler's equation in universal
   variables (Bate, Mueller and White, Fundamentals of Astrodynamics, 1971, chapter 4), on ellipses,
   parabolas and hyperbolas alike. */
#include <math.h>
#include <string.h>

typedef struct { double r[3], v[3]; } state;

static double dot(const double *a, const double *b) { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2]; }

/* Stumpff's functions: (1 - cos sqrt z)/z, (sqrt z - sin sqrt z)/z^(3/2), and their series. */
static void stumpff(double z, double *c, double *s)
{
    if (z > 1e-3) {
        const double q = sqrt(z);
        *c = (1 - cos(q))/z;
        *s = (q - sin(q))/(z*q);
    } else if (z < -1e-3) {
        const double q = sqrt(-z);
        *c = (1 - cosh(q))/z;
        *s = (sinh(q) - q)/(-z*q);
    } else {
        double term = 0.5;
        int k;
        *c = *s = 0;
        for (k = 1; k <= 6; k++) {
            *c += term;
            *s += term/(2*k + 1);
            term *= -z/((2*k + 1)*(2*k + 2));
        }
    }
}

static int propagate(const state *from, double mu, double dt, state *to)
{
    const double r0 = sqrt(dot(from->r, from->r)), rv = dot(from->r, from->v)/sqrt(mu);
    const double alpha = 2/r0 - dot(from->v, from->v)/mu;       /* 1/a */
    double chi = sqrt(mu)*fabs(alpha)*dt, r = r0, step, c, s, f, g, fdot, gdot;
    int i, k = 0;
    do {                                                        /* Newton's method */
        const double z = alpha*chi*chi;
        stumpff(z, &c, &s);
        r = chi*chi*c + rv*chi*(1 - z*s) + r0*(1 - z*c);
        step = (sqrt(mu)*dt - chi*chi*chi*s - rv*chi*chi*c - r0*chi*(1 - z*s))/r;
        chi += step;
        if (++k > 60) return 1;
    } while (fabs(step) > 1e-13*(1 + fabs(chi)));
    stumpff(alpha*chi*chi, &c, &s);
    f = 1 - chi*chi*c/r0;
    g = dt - chi*chi*chi*s/sqrt(mu);
    for (i = 0; i < 3; i++) to->r[i] = f*from->r[i] + g*from->v[i];
    r = sqrt(dot(to->r, to->r));
    gdot = 1 - chi*chi*c/r;
    fdot = sqrt(mu)*chi*(alpha*chi*chi*s - 1)/(r*r0);
    for (i = 0; i < 3; i++) to->v[i] = fdot*from->r[i] + gdot*from->v[i];
    return 0;
}

/* x: position, velocity, time; y: position and velocity then. */
int kepler(const double *x, double *y)
{
    state from, to;
    memcpy(from.r, x, sizeof from.r);
    memcpy(from.v, x + 3, sizeof from.v);
    if (propagate(&from, 1.0, x[6], &to)) return 1;
    memcpy(y, to.r, sizeof to.r);
    memcpy(y + 3, to.v, sizeof to.v);
    return 0;
}
