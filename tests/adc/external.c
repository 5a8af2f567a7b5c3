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
void flow_jacobian(const double *x, double *J)
{
    double s[2];
    viscosity_slopes(x[0], x[1]*x[1], s);
    J[0] = s[0]*x[2];
    J[1] = s[1]*2*x[1]*x[2];
    J[2] = viscosity(x[0], x[1]*x[1]) + viscosity(2, 3);
    viscosity_slopes(x[0], 2.0, s);
    J[3] = s[0];
    J[4] = J[5] = 0;
}
