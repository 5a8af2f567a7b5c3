/* NLopt: the example of its manual, min sqrt(y) where y >= (2 x)^3 and y >= (1 - x)^3, by three
   algorithms; the minimum is sqrt(8/27) at (1/3, 8/27). Both constraints are one function. */
#ifndef EXAMPLE_LINKED
#define AUTODIFF_STATIC
#endif
#include "../../autodiff.h"
#include "ad_nlopt.h"

static void root(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m, void *user)
{
    (void)t, (void)n, (void)m, (void)user;
    y[0] = ad_var_sqrt(x[1]);
}
static void limits(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m, void *user)
{
    (void)t, (void)n, (void)m, (void)user;
    y[0] = ad_var_sub(ad_var_powi(ad_var_mul_r(x[0], 2), 3), x[1]);
    y[1] = ad_var_sub(ad_var_powi(ad_var_sub_from_r(1, x[0]), 3), x[1]);
}

int main(void)
{
    const nlopt_algorithm by[3] = { NLOPT_LD_MMA, NLOPT_LD_SLSQP, NLOPT_LD_CCSAQ };
    const double low[2] = { -HUGE_VAL, 1e-6 }, tolerance[2] = { 1e-9, 1e-9 };
    int k, bad = 0;
    for (k = 0; k < 3; k++) {
        nlopt_opt o = nlopt_create(by[k], 2);
        double x[2] = { 1.234, 5.678 }, value = 0;
        ad_solver f, g;
        ad_solver_init(&f, root, NULL, 2, 2, 1);
        ad_solver_init(&g, limits, NULL, 2, 2, 2);
        f.stops = g.stops = o;
        nlopt_set_lower_bounds(o, low);
        nlopt_set_min_objective(o, ad_nlopt_f, &f);
        nlopt_add_inequality_mconstraint(o, 2, ad_nlopt_g, &g, tolerance);
        nlopt_set_xtol_rel(o, 1e-9);
        bad |= nlopt_optimize(o, x, &value) < 0;
        printf("%-40.40s %3d evaluations: %.8f at (%.8f, %.8f)\n", nlopt_algorithm_name(by[k]),
               nlopt_get_numevals(o), value, x[0], x[1]);
        bad |= !(fabs(value - sqrt(8.0 / 27)) < 1e-7 && fabs(x[0] - 1.0 / 3) < 1e-6);
        nlopt_destroy(o);
        ad_solver_free(&f);
        ad_solver_free(&g);
    }
    return bad;
}
