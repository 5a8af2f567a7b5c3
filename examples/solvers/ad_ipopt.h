/* Derivatives for Ipopt's C interface: the gradient, the sparse Jacobian of the constraints and the
   lower triangle of the Lagrangian's Hessian. Copy it with ad_solver.h.

   Write one ad_vfun: y[0] is the objective, y[1] ... y[m] are the constraints. */
#ifndef AD_IPOPT_H
#define AD_IPOPT_H
#include "ad_solver.h"
#include <IpStdCInterface.h>

typedef struct ad_ipopt {
    ad_solver    s;
    size_t       objective, constraints;   /* nonzeros in the Jacobian's first row, in the others */
    ad_pattern   jacobian, hessian;        /* Ipopt was told these once */
    double      *value;                    /* [nonzeros of the Jacobian] */
    IpoptProblem problem;                  /* yours to set options of */
} ad_ipopt;

/* The patterns that Ipopt knows are those of the first point. A function that goes another way at
   an ad_branch has the values of its own entries at these places, and zeros beside them; one that
   has others is an error: begin where all of them are there, or say ad_var_select. */
static inline int ad_ipopt_spread(ad_ipopt *o, const ad_pattern *now, const double *value,
                                  const ad_pattern *told, double *to)
{
    size_t i, e, k;
    int missing = 0;
    for (i = 0; i < told->rows; i++) {
        e = now->row_start[i];
        for (k = told->row_start[i]; k < told->row_start[i + 1]; k++) {
            const int there = e < now->row_start[i + 1] && now->column[e] == told->column[k];
            to[k] = there ? value[e] : 0;
            e += there ? 1 : 0;
        }
        missing |= e < now->row_start[i + 1];
    }
    if (missing && o->s.status == AD_OK) {
        o->s.status = AD_ERR_UNSUPPORTED;
        fputs("ad_ipopt: by an ad_branch f has entries that Ipopt was not told of\n", stderr);
    }
    return !missing;
}
static inline int ad_ipopt_copy(const ad_pattern *from, ad_pattern *to)
{
    ad_pattern turned;
    int bad;
    memset(&turned, 0, sizeof turned);
    bad = ad_pattern_transpose(from, &turned) != AD_OK
        || ad_pattern_transpose(&turned, to) != AD_OK;
    ad_pattern_free(&turned);
    return !bad;
}
static inline const double *ad_ipopt_nonzeros(ad_ipopt *o, const double *x)
{
    const double *const value = ad_solver_eval(&o->s, AD_WANT_JACOBIAN, x);
    return value && ad_ipopt_spread(o, &o->s.pattern, value, &o->jacobian, o->value) ? o->value
                                                                                     : NULL;
}
/* The places of p, from row `first` on, which is row 0 there. */
static inline void ad_ipopt_places(const ad_pattern *p, size_t first, Index *row, Index *column)
{
    size_t i, e, k = 0;
    for (i = first; i < p->rows; i++)
        for (e = p->row_start[i]; e < p->row_start[i + 1]; e++, k++) {
            row[k] = (Index)(i - first);
            column[k] = (Index)p->column[e];
        }
}

static inline Bool ad_ipopt_f(Index n, Number *x, Bool anew, Number *f, UserDataPtr user)
{
    const double *const y = ad_solver_eval(&((ad_ipopt *)user)->s, AD_WANT_VALUE, x);
    (void)n, (void)anew;
    if (y) *f = y[0];
    return y && *f - *f == 0;
}
static inline Bool ad_ipopt_g(Index n, Number *x, Bool anew, Index m, Number *g, UserDataPtr user)
{
    const double *const y = ad_solver_eval(&((ad_ipopt *)user)->s, AD_WANT_VALUE, x);
    (void)n, (void)anew;
    if (y) memcpy(g, y + 1, (size_t)m * sizeof *g);
    return y != NULL;
}
static inline Bool ad_ipopt_grad(Index n, Number *x, Bool anew, Number *grad, UserDataPtr user)
{
    ad_ipopt *const o = (ad_ipopt *)user;
    const double *const value = ad_ipopt_nonzeros(o, x);
    size_t e;
    (void)anew;
    memset(grad, 0, (size_t)n * sizeof *grad);
    for (e = 0; value && e < o->objective; e++) grad[o->jacobian.column[e]] = value[e];
    return value != NULL;
}
static inline Bool ad_ipopt_jac(Index n, Number *x, Bool anew, Index m, Index count, Index *row,
                                Index *column, Number *values, UserDataPtr user)
{
    ad_ipopt *const o = (ad_ipopt *)user;
    const double *value;
    (void)n, (void)anew, (void)m;
    if (!values) return ad_ipopt_places(&o->jacobian, 1, row, column), TRUE;
    value = ad_ipopt_nonzeros(o, x);
    if (value) memcpy(values, value + o->objective, (size_t)count * sizeof *values);
    return value != NULL;
}
static inline Bool ad_ipopt_hess(Index n, Number *x, Bool anew, Number factor, Index m,
                                 Number *lambda, Bool anew_lambda, Index count, Index *row,
                                 Index *column, Number *values, UserDataPtr user)
{
    ad_ipopt *const o = (ad_ipopt *)user;
    const double *value;
    (void)anew, (void)anew_lambda;
    if (!values) return ad_ipopt_places(&o->hessian, 0, row, column), TRUE;
    memcpy(o->s.x, x, (size_t)n * sizeof *x);
    o->s.x[n] = factor;
    memcpy(o->s.x + n + 1, lambda, (size_t)m * sizeof *x);
    value = ad_solver_eval(&o->s, AD_WANT_HESSIAN, o->s.x);
    (void)count;
    return value && ad_ipopt_spread(o, &o->s.lower, value, &o->hessian, values);
}

static inline void ad_ipopt_destroy(ad_ipopt *o)
{
    if (!o) return;
    if (o->problem) FreeIpoptProblem(o->problem);
    ad_pattern_free(&o->jacobian);
    ad_pattern_free(&o->hessian);
    free(o->value);
    ad_solver_free(&o->s);
    free(o);
}
/* n unknowns between x_l and x_u, m constraints between g_l and g_u; recorded at x. NULL: failed.
   Then IpoptSolve(o->problem, ..., o). */
static inline ad_ipopt *ad_ipopt_create(ad_vfun f, void *user, size_t n, const double *x,
                                        double *x_l, double *x_u, size_t m, double *g_l,
                                        double *g_u)
{
    ad_ipopt *const o = (ad_ipopt *)calloc(1, sizeof *o);
    if (!o) return NULL;
    if (ad_solver_init(&o->s, f, user, n, n, m + 1)) {
        memcpy(o->s.x, x, n * sizeof *x);                           /* the weights are 0 */
        if (ad_solver_eval(&o->s, AD_WANT_JACOBIAN, o->s.x)
            && ad_solver_eval(&o->s, AD_WANT_HESSIAN, o->s.x)
            && ad_ipopt_copy(&o->s.pattern, &o->jacobian)
            && ad_ipopt_copy(&o->s.lower, &o->hessian)) {
            o->objective = o->jacobian.row_start[1];
            o->constraints = o->jacobian.row_start[m + 1] - o->objective;
            o->problem = CreateIpoptProblem((Index)n, x_l, x_u, (Index)m, g_l, g_u,
                (Index)o->constraints, (Index)o->hessian.row_start[n], 0, ad_ipopt_f, ad_ipopt_g,
                ad_ipopt_grad, ad_ipopt_jac, ad_ipopt_hess);
            o->value = (double *)calloc(o->jacobian.row_start[m + 1] + 1, sizeof *o->value);
            if (o->problem && o->value) return o;
        }
    }
    ad_ipopt_destroy(o);
    return NULL;
}
#endif
