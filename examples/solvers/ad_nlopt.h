/* Derivatives for NLopt: an objective, a constraint, or several at once. Copy it with ad_solver.h.

       ad_solver f, g;
       ad_solver_init(&f, objective, user, n, n, 1);
       ad_solver_init(&g, constraints, user, n, n, m);
       f.stops = g.stops = opt;
       nlopt_set_min_objective(opt, ad_nlopt_f, &f);
       nlopt_add_inequality_mconstraint(opt, m, ad_nlopt_g, &g, tolerances);

   A failure stops opt, with NLOPT_FORCED_STOP. (NLopt sees no NaN: without `stops` it may go on
   for ever, or call a failure a success.) */
#ifndef AD_NLOPT_H
#define AD_NLOPT_H
#include "ad_solver.h"
#include <nlopt.h>

/* f[m], and dense rows of slopes; NaN where that fails. */
static inline void ad_nlopt_eval(ad_solver *s, ad_want want, unsigned m, double *f, unsigned n,
                                 const double *x, double *grad)
{
    const double *const y = ad_solver_eval(s, want, ad_solver_at(s, x));
    const size_t slopes = grad ? (size_t)m * n : 0;
    size_t i;
    for (i = 0; i < m; i++) f[i] = y ? y[i] : (double)NAN;
    for (i = 0; i < slopes; i++) grad[i] = y ? y[m + i] : (double)NAN;
    if (!y && s->stops) nlopt_force_stop((nlopt_opt)s->stops);
}
/* A nlopt_func. */
static inline double ad_nlopt_f(unsigned n, const double *x, double *grad, void *user)
{
    double f;
    ad_nlopt_eval((ad_solver *)user, grad ? AD_WANT_GRADIENT : AD_WANT_VALUE, 1, &f, n, x, grad);
    return f;
}
/* A nlopt_mfunc. */
static inline void ad_nlopt_g(unsigned m, double *result, unsigned n, const double *x, double *grad,
                              void *user)
{
    ad_nlopt_eval((ad_solver *)user, grad ? AD_WANT_DENSE : AD_WANT_VALUE, m, result, n, x, grad);
}
#endif
