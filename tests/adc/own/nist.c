/* The models of NIST's nonlinear least squares problems (Statistical Reference Datasets), in C:
   each is y at x, with parameters b. */
#include <math.h>

double misra1a(double x, const double *b) { return b[0]*(1 - exp(-b[1]*x)); }
double misra1b(double x, const double *b) { return b[0]*(1 - pow(1 + b[1]*x/2, -2)); }
double misra1c(double x, const double *b) { return b[0]*(1 - 1/sqrt(1 + 2*b[1]*x)); }
double misra1d(double x, const double *b) { return b[0]*b[1]*x/(1 + b[1]*x); }
double chwirut(double x, const double *b) { return exp(-b[0]*x)/(b[1] + b[2]*x); }
double danwood(double x, const double *b) { return b[0]*pow(x, b[1]); }
double boxbod(double x, const double *b) { return b[0]*(1 - exp(-b[1]*x)); }
double rat42(double x, const double *b) { return b[0]/(1 + exp(b[1] - b[2]*x)); }
double rat43(double x, const double *b) { return b[0]/pow(1 + exp(b[1] - b[2]*x), 1/b[3]); }
double bennett5(double x, const double *b) { return b[0]*pow(b[1] + x, -1/b[2]); }
double mgh09(double x, const double *b) { return b[0]*(x*x + x*b[1])/(x*x + x*b[2] + b[3]); }
double mgh10(double x, const double *b) { return b[0]*exp(b[1]/(x + b[2])); }
double mgh17(double x, const double *b)
{
    return b[0] + b[1]*exp(-x*b[3]) + b[2]*exp(-x*b[4]);
}
double lanczos(double x, const double *b)
{
    double y = 0;
    int k;
    for (k = 0; k < 6; k += 2) y += b[k]*exp(-b[k + 1]*x);
    return y;
}
static double peak(double x, double height, double at, double width)
{
    const double d = (x - at)/width;
    return height*exp(-d*d);
}
double gauss(double x, const double *b)
{
    return b[0]*exp(-b[1]*x) + peak(x, b[2], b[3], b[4]) + peak(x, b[5], b[6], b[7]);
}
double eckerle4(double x, const double *b)
{
    return b[0]/b[1]*exp(-0.5*(x - b[2])*(x - b[2])/(b[1]*b[1]));
}
static double polynomial(int n, const double *c, double x)
{
    double y = 0;
    while (n-- > 0) y = y*x + c[n];
    return y;
}
double kirby2(double x, const double *b)
{
    return polynomial(3, b, x)/(1 + x*polynomial(2, b + 3, x));
}
double hahn1(double x, const double *b)                 /* Thurber's, too */
{
    return polynomial(4, b, x)/(1 + x*polynomial(3, b + 4, x));
}
double nelson(double x1, double x2, const double *b) { return b[0] - b[1]*x1*exp(-b[2]*x2); }
double roszman1(double x, const double *b)
{
    return b[0] - b[1]*x - atan(b[2]/(x - b[3]))/M_PI;
}
static double wave(double x, double period, double a, double b)
{
    const double phase = 2*M_PI*x/period;
    return a*cos(phase) + b*sin(phase);
}
double enso(double x, const double *b)
{
    return b[0] + wave(x, 12, b[1], b[2]) + wave(x, b[3], b[4], b[5]) + wave(x, b[6], b[7], b[8]);
}
