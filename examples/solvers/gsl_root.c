/* GSL's multiroot (hybridsj): Powell's badly scaled function, 10^4 x y = 1 and exp(-x) + exp(-y) =
   1.0001, whose root is (1.098...e-5, 9.106...) (More, Garbow & Hillstrom 1981, problem 3). The
   equations are a text. */
#ifndef EXAMPLE_LINKED
#define AUTODIFF_STATIC
#endif
#include "../../autodiff.h"
#include "ad_gsl.h"

int main(void)
{
    ad_fn *f = ad_fn_parse("1e4*x*y - 1; exp(-x) + exp(-y) - 1.0001", "x, y", NULL, 0);
    const double start[2] = { 0, 1 };
    gsl_vector_const_view at = gsl_vector_const_view_array(start, 2);
    gsl_multiroot_function_fdf fdf;
    gsl_multiroot_fdfsolver *solver;
    ad_solver s;
    double x, y;
    int steps = 0;
    ad_solver_init(&s, ad_solver_fn, f, 2, 2, 2);
    fdf = ad_gsl_multiroot(&s);
    solver = gsl_multiroot_fdfsolver_alloc(gsl_multiroot_fdfsolver_hybridsj, 2);
    gsl_multiroot_fdfsolver_set(solver, &fdf, &at.vector);
    do {
        if (gsl_multiroot_fdfsolver_iterate(solver)) break;
    } while (gsl_multiroot_test_residual(solver->f, 1e-13) == GSL_CONTINUE && ++steps < 1000);
    x = gsl_vector_get(solver->x, 0);
    y = gsl_vector_get(solver->x, 1);
    printf("%d steps: root (%.6e, %.6f), published (1.098...e-05, 9.106...)\n", steps, x, y);
    gsl_multiroot_fdfsolver_free(solver);
    ad_solver_free(&s);
    ad_fn_destroy(f);
    return !(floor(x * 1e8) == 1098 && floor(y * 1e3) == 9106);
}
