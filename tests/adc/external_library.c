/* The library that external.c calls. */
#include <math.h>
#include <stddef.h>

double viscosity(double t, double p) { return exp(-t)*p*p; }
void viscosity_slopes(double t, double p, double *s) { s[0] = -exp(-t)*p*p; s[1] = 2*exp(-t)*p; }

double energy(const double *x, int n)
{
    double s = n;
    int i;
    for (i = 0; i < n; i++) s += (i + 1)*x[i]*x[i] + (i ? sin(x[i]*x[i - 1]) : 0);
    return s;
}
void energy_slopes(const double *x, int n, double *s)
{
    int i;
    for (i = 0; i < n; i++) {
        s[i] = 2*(i + 1)*x[i] + (i ? cos(x[i]*x[i - 1])*x[i - 1] : 0);
        if (i) s[i - 1] += cos(x[i]*x[i - 1])*x[i];
    }
}
double weighted(double scale, size_t n, const double *w, const double *x, double shift)
{
    double s = 0;
    size_t i;
    for (i = 0; i < n; i++) s += w[i]*exp(scale*x[i]);
    return s + shift*shift;
}
void weighted_slopes(double scale, size_t n, const double *w, const double *x, double shift,
                     double *s)
{
    size_t i;
    s[0] = 0;
    for (i = 0; i < n; i++) {
        s[0] += w[i]*x[i]*exp(scale*x[i]);
        s[1 + i] = exp(scale*x[i]);
        s[1 + n + i] = w[i]*scale*exp(scale*x[i]);
    }
    s[1 + 2*n] = 2*shift;
}
