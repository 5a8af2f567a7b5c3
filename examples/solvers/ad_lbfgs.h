/* The gradient for libLBFGS. Copy it with ad_solver.h.

       ad_solver s;
       ad_solver_init(&s, f, user, n, n, 1);
       lbfgs(n, x, &value, ad_lbfgs_evaluate, ad_lbfgs_progress, &s, NULL);

   Then test s.status: libLBFGS cannot be told of a failure but between its iterations, by
   ad_lbfgs_progress, which stops it with LBFGSERR_CANCELED. */
#ifndef AD_LBFGS_H
#define AD_LBFGS_H
#include "ad_solver.h"
#include <float.h>
#include <lbfgs.h>

/* Where it fails, or gives no numbers: higher than anything, and a slope that is not 0, from which
   libLBFGS turns back. (It may be compiled to see no NaN.) */
static inline lbfgsfloatval_t ad_lbfgs_evaluate(void *user, const lbfgsfloatval_t *x,
                                                lbfgsfloatval_t *g, const int n,
                                                const lbfgsfloatval_t step)
{
    ad_solver *const s = (ad_solver *)user;
    const double *const y = ad_solver_eval(s, AD_WANT_GRADIENT, ad_solver_at(s, x));
    int i, good = y != NULL;
    (void)step;
    for (i = 0; i <= n && good; i++) good = y[i] - y[i] == 0;
    for (i = 0; i < n; i++) g[i] = good ? y[1 + i] : 1;
    return good ? y[0] : DBL_MAX;
}
static inline int ad_lbfgs_progress(void *user, const lbfgsfloatval_t *x, const lbfgsfloatval_t *g,
    const lbfgsfloatval_t f, const lbfgsfloatval_t x_norm, const lbfgsfloatval_t g_norm,
    const lbfgsfloatval_t step, int n, int turn, int evaluations)
{
    (void)x, (void)g, (void)f, (void)x_norm, (void)g_norm, (void)step, (void)n, (void)turn;
    (void)evaluations;
    return ((const ad_solver *)user)->status == AD_OK ? 0 : LBFGSERR_CANCELED;
}
#endif
