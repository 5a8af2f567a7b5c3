/* Derivatives for NLopt: an objective, a constraint, or several at once. Copy it with ad_solver.h.

       ad_solver f, g;
       ad_solver_init(&f, objective, user, n, n, 1);
       ad_solver_init(&g, constraints, user, n, n, m);
       nlopt_set_min_objective(opt, ad_nlopt_f, &f);
       nlopt_add_inequality_mconstraint(opt, m, ad_nlopt_g, &g, tolerances); */
#ifndef AD_NLOPT_H
#define AD_NLOPT_H
#include "ad_solver.h"
#include <nlopt.h>

/* A nlopt_func. On failure NaN: NLopt ends with NLOPT_FAILURE, or what it found before. */
static inline double ad_nlopt_f(unsigned n, const double *x, double *grad, void *user)
{
    ad_solver *const s = (ad_solver *)user;
    const double *const y = ad_solver_eval(s, grad ? AD_WANT_GRADIENT : AD_WANT_VALUE, x);
    if (y && grad) memcpy(grad, y + 1, n * sizeof *grad);
    return y ? y[0] : NAN;
}
/* A nlopt_mfunc. */
static inline void ad_nlopt_g(unsigned m, double *result, unsigned n, const double *x, double *grad,
                              void *user)
{
    ad_solver *const s = (ad_solver *)user;
    const double *const y = ad_solver_eval(s, grad ? AD_WANT_DENSE : AD_WANT_VALUE, x);
    unsigned i;
    for (i = 0; i < m; i++) result[i] = y ? y[i] : NAN;
    if (y && grad) memcpy(grad, y + m, (size_t)m * n * sizeof *grad);
}
#endif
