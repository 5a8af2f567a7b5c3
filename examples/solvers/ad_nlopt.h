/* Derivatives for NLopt: an objective, a constraint, or several at once. Copy it with ad_solver.h.

       ad_solver f, g;
       ad_solver_init(&f, objective, user, n, n, 1);
       ad_solver_init(&g, constraints, user, n, n, m);
       f.stops = g.stops = opt;
       nlopt_set_min_objective(opt, ad_nlopt_f, &f);
       nlopt_add_inequality_mconstraint(opt, m, ad_nlopt_g, &g, tolerances);

   Where f is no number it is higher than anything, since NLopt sees no NaN, and would go on for
   ever: so minimise with ad_nlopt_f, and maximise with ad_nlopt_f_max, which then is the lowest.
   (It spoils the models that BOBYQA and its like make of values: give these bounds within which f
   is a number.) A failure stops opt, with NLOPT_FORCED_STOP. (Without `stops` it may be called a
   success.) */
#ifndef AD_NLOPT_H
#define AD_NLOPT_H
#include "ad_solver.h"
#include <nlopt.h>

/* f[m], and dense rows of slopes; `none` for what fails or is no number: NLopt turns back there. */
static inline void ad_nlopt_eval(ad_solver *s, ad_want want, unsigned m, double *f, unsigned n,
                                 const double *x, double *grad, double none)
{
    const double *const y = ad_solver_eval(s, want, ad_solver_at(s, x));
    const size_t slopes = grad ? (size_t)m * n : 0;
    size_t i;
    for (i = 0; i < m; i++) f[i] = y && y[i] == y[i] ? y[i] : none;
    for (i = 0; i < slopes; i++) grad[i] = y && y[m + i] - y[m + i] == 0 ? y[m + i] : 0;
    if (!y && s->stops) nlopt_force_stop((nlopt_opt)s->stops);
}
static inline double ad_nlopt_one(unsigned n, const double *x, double *grad, void *user,
                                  double none)
{
    double f;
    ad_nlopt_eval((ad_solver *)user, grad ? AD_WANT_GRADIENT : AD_WANT_VALUE, 1, &f, n, x, grad,
                  none);
    return f;
}
/* A nlopt_func, to be minimised or a constraint; one to be maximised. */
static inline double ad_nlopt_f(unsigned n, const double *x, double *grad, void *user)
{
    return ad_nlopt_one(n, x, grad, user, HUGE_VAL);
}
static inline double ad_nlopt_f_max(unsigned n, const double *x, double *grad, void *user)
{
    return ad_nlopt_one(n, x, grad, user, -HUGE_VAL);
}
/* A nlopt_mfunc. */
static inline void ad_nlopt_g(unsigned m, double *result, unsigned n, const double *x, double *grad,
                              void *user)
{
    ad_nlopt_eval((ad_solver *)user, grad ? AD_WANT_DENSE : AD_WANT_VALUE, m, result, n, x, grad,
                  HUGE_VAL);
}
#endif
