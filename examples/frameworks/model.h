/* What the examples here check: Rosenbrock's function and its gradient, derived by hand. SEED_BUG
   makes the gradient wrong in one factor, to see each framework say so. Static, since every example
   is one file; in a project of yours these are the functions under test. */
#ifndef MODEL_H
#define MODEL_H
#define AUTODIFF_CHECK
#define AUTODIFF_STATIC
#include "../../autodiff.h"

#ifdef SEED_BUG
#define SLOPE 200
#else
#define SLOPE 400
#endif

static double rosenbrock(const double *x, size_t n, void *user)
{
    const double a = 1 - x[0], b = x[1] - x[0] * x[0];
    (void)n;
    (void)user;
    return a * a + 100 * b * b;
}

static void rosenbrock_gradient(const double *x, size_t n, double *g, void *user)
{
    const double b = x[1] - x[0] * x[0];
    (void)n;
    (void)user;
    g[0] = -2 * (1 - x[0]) - SLOPE * x[0] * b;
    g[1] = 200 * b;
}
#endif
