/* What the check of a gradient costs, with its report: 0 where the right one passes. */
#define AUTODIFF_STATIC double
#define AUTODIFF_CHECK
#include "autodiff.h"

static double f(const double *x, size_t n, void *user)
{
    (void)n; (void)user;
    return x[0] * sin(x[1]);
}
static void g(const double *x, size_t n, double *grad, void *user)
{
    (void)n; (void)user;
    grad[0] = sin(x[1]);
    grad[1] = x[0] * cos(x[1]);
}

int main(void)
{
    const double x[2] = { 1.5, 0.3 };
    ad_check_suite *s = ad_check_suite_create("model");
    AD_CHECK_GRADIENT(s, f, g, x, 2, NULL);
    return ad_check_suite_finish(s);      /* 0 passed, 1 failed, 77 undecided, 99 could not run */
}
