/* A function that prints, and one that ends the program where it does not like what it gets. */
#include <stdio.h>
#include <stdlib.h>

double talks(const double *x)
{
    const double s = x[0]*x[0] + x[1];
    printf("talks: %g\n", s);
    return s;
}
double leaves(const double *x)
{
    if (x[0] < 10) exit(0);
    return x[0]*x[1];
}
void leaves_gradient(const double *x, double *g)
{
    g[0] = x[1];
    g[1] = x[0];
}
