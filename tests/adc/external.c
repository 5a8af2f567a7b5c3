/* A function of a library, with a derivative of its own. */
#include <math.h>

double viscosity(double t, double p);           /* of a library */
void viscosity_slopes(double t, double p, double *slopes);

void flow(const double *x, double *y)
{
    const double nu = viscosity(x[0], x[1]*x[1]) + viscosity(2, 3);
    y[0] = nu*x[2];
    y[1] = viscosity(x[0], 2.0);
}
