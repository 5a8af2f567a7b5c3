/* The gradient for libLBFGS. Copy it with ad_solver.h.

       ad_solver s;
       ad_solver_init(&s, f, user, n, n, 1);
       lbfgs(n, x, &value, ad_lbfgs_evaluate, NULL, &s, NULL); */
#ifndef AD_LBFGS_H
#define AD_LBFGS_H
#include "ad_solver.h"
#include <lbfgs.h>

/* Where it fails: NaN, at which libLBFGS stops. */
static inline lbfgsfloatval_t ad_lbfgs_evaluate(void *user, const lbfgsfloatval_t *x,
                                                lbfgsfloatval_t *g, const int n,
                                                const lbfgsfloatval_t step)
{
    const double *const y = ad_solver_eval((ad_solver *)user, AD_WANT_GRADIENT, x);
    (void)step;
    if (y) memcpy(g, y + 1, (size_t)n * sizeof *g);
    return y ? y[0] : NAN;
}
#endif
