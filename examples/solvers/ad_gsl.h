/* Derivatives for GSL: fits (multifit_nlinear: f, df and fvv), roots (multiroot) and differential
   equations (odeiv2). Copy it with ad_solver.h.

       ad_solver s;
       ad_solver_init(&s, f, user, inputs, variables, outputs);
       gsl_multifit_nlinear_fdf fdf = ad_gsl_nlinear(&s);      n residuals of p parameters
       gsl_multiroot_function_fdf fdf = ad_gsl_multiroot(&s);  n of n
       gsl_odeiv2_system system = ad_gsl_ode(&s);              inputs y[n], t; all are variables */
#ifndef AD_GSL_H
#define AD_GSL_H
#include "ad_solver.h"
#include <gsl/gsl_errno.h>
#include <gsl/gsl_matrix.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <gsl/gsl_multiroots.h>
#include <gsl/gsl_odeiv2.h>

/* Wants w at x, with v behind it, and copies outputs from `first` on. Vectors have strides. */
static inline int ad_gsl_eval(ad_solver *s, ad_want w, const gsl_vector *x, const gsl_vector *v,
                              size_t first, gsl_vector *y)
{
    const double *found;
    size_t i;
    for (i = 0; i < s->variables; i++) s->x[i] = gsl_vector_get(x, i);
    for (i = 0; v && i < s->variables; i++)
        s->x[s->n + i] = s->x[s->n + s->variables + i] = gsl_vector_get(v, i);
    found = ad_solver_eval(s, w, s->x);
    if (!found) return GSL_EFAILED;
    for (i = 0; i < s->m; i++) gsl_vector_set(y, i, found[first + i]);
    return GSL_SUCCESS;
}
static inline int ad_gsl_f(const gsl_vector *x, void *s, gsl_vector *y)
{
    return ad_gsl_eval((ad_solver *)s, AD_WANT_VALUE, x, NULL, 0, y);
}
static inline int ad_gsl_fdf(const gsl_vector *x, void *user, gsl_vector *y, gsl_matrix *J)
{
    ad_solver *const s = (ad_solver *)user;
    const double *found;
    size_t i, j;
    for (j = 0; j < s->variables; j++) s->x[j] = gsl_vector_get(x, j);
    found = ad_solver_eval(s, AD_WANT_DENSE, s->x);
    if (!found) return GSL_EFAILED;
    for (i = 0; i < s->m; i++) {
        if (y) gsl_vector_set(y, i, found[i]);
        for (j = 0; j < s->variables; j++)
            gsl_matrix_set(J, i, j, found[s->m + i * s->variables + j]);
    }
    return GSL_SUCCESS;
}
static inline int ad_gsl_df(const gsl_vector *x, void *s, gsl_matrix *J)
{
    return ad_gsl_fdf(x, s, NULL, J);
}
static inline int ad_gsl_fvv(const gsl_vector *x, const gsl_vector *v, void *user, gsl_vector *y)
{
    ad_solver *const s = (ad_solver *)user;
    return ad_gsl_eval(s, AD_WANT_JVV, x, v, 3 * s->m, y);
}
static inline gsl_multifit_nlinear_fdf ad_gsl_nlinear(ad_solver *s)
{
    gsl_multifit_nlinear_fdf r;
    memset(&r, 0, sizeof r);
    r.f = ad_gsl_f;
    r.df = ad_gsl_df;
    r.fvv = ad_gsl_fvv;
    r.n = s->m;
    r.p = s->variables;
    r.params = s;
    return r;
}
static inline gsl_multiroot_function_fdf ad_gsl_multiroot(ad_solver *s)
{
    gsl_multiroot_function_fdf r;
    r.f = ad_gsl_f;
    r.df = ad_gsl_df;
    r.fdf = ad_gsl_fdf;
    r.n = s->variables;
    r.params = s;
    return r;
}

/* What is no number, or fails at this point, may be one after a smaller step: GSL_EDOM. */
static inline int ad_gsl_numbers(const ad_solver *s, const double *found, size_t n)
{
    size_t i;
    if (!found) return s->last == AD_ERR_USER ? GSL_EDOM : GSL_EBADFUNC;
    for (i = 0; i < n; i++) if (!(found[i] - found[i] == 0)) return GSL_EDOM;
    return GSL_SUCCESS;
}
/* The Jacobian's last column is the derivative by t. */
static inline int ad_gsl_slope(double t, const double *y, double *dydt, void *user)
{
    ad_solver *const s = (ad_solver *)user;
    const double *found;
    memcpy(s->x, y, s->m * sizeof *y);
    s->x[s->m] = t;
    found = ad_solver_eval(s, AD_WANT_VALUE, s->x);
    if (found) memcpy(dydt, found, s->m * sizeof *dydt);
    return ad_gsl_numbers(s, found, s->m);
}
static inline int ad_gsl_slope_by(double t, const double *y, double *dfdy, double *dfdt, void *user)
{
    ad_solver *const s = (ad_solver *)user;
    const double *found;
    size_t i;
    memcpy(s->x, y, s->m * sizeof *y);
    s->x[s->m] = t;
    found = ad_solver_eval(s, AD_WANT_DENSE, s->x);
    for (i = 0; found && i < s->m; i++) {
        const double *const row = found + s->m + i * s->n;
        memcpy(dfdy + i * s->m, row, s->m * sizeof *row);
        dfdt[i] = row[s->m];
    }
    return ad_gsl_numbers(s, found, s->m + s->m * s->n);
}
static inline gsl_odeiv2_system ad_gsl_ode(ad_solver *s)
{
    gsl_odeiv2_system r;
    r.function = ad_gsl_slope;
    r.jacobian = ad_gsl_slope_by;
    r.dimension = s->m;
    r.params = s;
    return r;
}
#endif
