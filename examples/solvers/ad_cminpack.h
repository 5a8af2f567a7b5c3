/* Derivatives for cminpack: lmder1, lmder (least squares), hybrj1, hybrj (roots). Copy it with
   ad_solver.h. The solver's first two arguments are ad_cminpack_lmder or ad_cminpack_hybrj and

       ad_solver s;
       ad_solver_init(&s, f, user, n, n, m);                 m = n for hybrj */
#ifndef AD_CMINPACK_H
#define AD_CMINPACK_H
#include "ad_solver.h"
#include <cminpack.h>

/* flag 1: the values; 2: the Jacobian, by columns. Negative: stop. */
static inline int ad_cminpack_eval(ad_solver *s, const double *x, double *f, double *J, int apart,
                                   int flag)
{
    const double *const y = ad_solver_eval(s, flag == 2 ? AD_WANT_DENSE : AD_WANT_VALUE,
                                           ad_solver_at(s, x));
    size_t i, j;
    if (!y) return -1;
    if (flag == 1) memcpy(f, y, s->m * sizeof *f);
    if (flag == 2)
        for (j = 0; j < s->variables; j++)
            for (i = 0; i < s->m; i++) J[j * (size_t)apart + i] = y[s->m + i * s->variables + j];
    return 0;
}
static inline int ad_cminpack_lmder(void *user, int m, int n, const double *x, double *f, double *J,
                                    int apart, int flag)
{
    (void)m, (void)n;
    return ad_cminpack_eval((ad_solver *)user, x, f, J, apart, flag);
}
static inline int ad_cminpack_hybrj(void *user, int n, const double *x, double *f, double *J,
                                    int apart, int flag)
{
    (void)n;
    return ad_cminpack_eval((ad_solver *)user, x, f, J, apart, flag);
}
#endif
