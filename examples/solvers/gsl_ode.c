/* GSL's odeiv2 by Bulirsch & Stoer's implicit method, which wants the Jacobian and df/dt: van der
   Pol's oscillator, stiff, whose end at t = 2 is that of the Test Set for IVP Solvers (VDPOL); and
   an equation whose slope depends on time, with a known solution. */
#ifndef EXAMPLE_LINKED
#define AUTODIFF_STATIC
#endif
#include "../../autodiff.h"
#include "ad_gsl.h"

static int solve(const char *slope, const char *names, double end, double *y, size_t n)
{
    char error[100];
    ad_fn *f = ad_fn_parse(slope, names, error, sizeof error);
    gsl_odeiv2_system system;
    gsl_odeiv2_driver *driver;
    ad_solver s;
    double t = 0;
    int code;
    ad_solver_init(&s, ad_solver_fn, f, n + 1, n + 1, n);
    system = ad_gsl_ode(&s);
    driver = gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_bsimp, 1e-6, 1e-10, 1e-10);
    if (n == 1) {                     /* the method would forgive a wrong one; by t, and by y */
        double by_y, by_t;
        GSL_ODEIV_JA_EVAL(&system, 0.5, y, &by_y, &by_t);
        if (!(by_y == -1000 && fabs(by_t + 1000 * sin(0.5) + cos(0.5)) < 1e-10)) return 1;
    }
    code = gsl_odeiv2_driver_apply(driver, &t, end, y);
    printf("y' = %s: %lu steps%s\n", slope, driver->n, error);
    gsl_odeiv2_driver_free(driver);
    ad_solver_free(&s);
    ad_fn_destroy(f);
    return code;
}

int main(void)
{
    const double end[2] = { 0.1706167732170483e1, -0.8928097010247975e0 };
    double y[2] = { 2, 0 }, z = 1;
    int bad = solve("v; 1e6*((1 - y^2)*v - y)", "y, v, t", 2, y, 2);
    printf("  y(2) = (%.9f, %.9f), published (%.9f, %.9f)\n", y[0], y[1], end[0], end[1]);
    bad |= !(fabs(y[0] - end[0]) + fabs(y[1] - end[1]) < 1e-6);
    bad |= solve("-1000*(y - cos(t)) - sin(t)", "y, t", 3, &z, 1);
    printf("  y(3) - cos(3) = %.1g\n", z - cos(3));
    return bad || !(fabs(z - cos(3)) < 1e-7);
}
