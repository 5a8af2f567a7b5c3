/* Between GSL's own tests and libgsl: what they hand to its solvers is replaced by functions of
   ours, which check and call theirs. A problem is known by its functions and its parameters. */
#include "published.h"
#include <gsl/gsl_math.h>
#include <gsl/gsl_matrix.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <gsl/gsl_multilarge_nlinear.h>
#include <gsl/gsl_multimin.h>
#include <gsl/gsl_multiroots.h>
#include <gsl/gsl_odeiv2.h>
#include <gsl/gsl_roots.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef void (*function)(void);
typedef int (*vector_f)(const gsl_vector *x, void *params, gsl_vector *f);
typedef int (*vector_df)(const gsl_vector *x, void *params, gsl_matrix *J);
typedef int (*vector_fdf)(const gsl_vector *x, void *params, gsl_vector *f, gsl_matrix *J);
typedef int (*vector_fvv)(const gsl_vector *x, const gsl_vector *v, void *params, gsl_vector *fvv);
typedef int (*product_df)(CBLAS_TRANSPOSE_t transposed, const gsl_vector *x, const gsl_vector *u,
                          void *params, gsl_vector *v, gsl_matrix *JTJ);
typedef double (*scalar_f)(const gsl_vector *x, void *params);
typedef void (*scalar_df)(const gsl_vector *x, void *params, gsl_vector *g);
typedef void (*scalar_fdf)(const gsl_vector *x, void *params, double *f, gsl_vector *g);

enum { SLOTS = 256 };

typedef struct slot {
    function f, df, fdf, fvv;       /* theirs */
    void *params;
    size_t n, m;                    /* variables, values */
    derivative *first, *both, *second, *transposed;     /* df, fdf, fvv; J^T u */
    /* what is checked at */
    const gsl_vector *x, *v;
    double t;
    int products;                   /* df is one of products */
    union {                         /* ours, which the solver gets */
        gsl_multifit_nlinear_fdf nlinear;
        gsl_multilarge_nlinear_fdf nlarge;
        gsl_multiroot_function_fdf roots;
        gsl_multimin_function_fdf min;
        gsl_function_fdf root;
        gsl_odeiv2_system ode;
    } ours;
} slot;

static slot slots[SLOTS];
static size_t n_slots;

static derivative *record(const char *kind, function theirs)
{
    return theirs ? published_derivative(kind, (const void *)(uintptr_t)theirs, 0) : NULL;
}

static slot *slot_of(function f, function df, function fdf, function fvv, void *params, size_t n,
                     size_t m)
{
    slot *s = slots;
    for (; s < slots + n_slots; s++)
        if (s->f == f && s->df == df && s->fdf == fdf && s->fvv == fvv && s->params == params
            && s->n == n && s->m == m) return s;
    if (n_slots == SLOTS) published_fail("more problems than gsl.c has room for");
    n_slots++;
    s->f = f;
    s->df = df;
    s->fdf = fdf;
    s->fvv = fvv;
    s->params = params;
    s->n = n;
    s->m = m;
    return s;
}

/* A vector of ours around numbers of the checker's, which are not written to. */
static gsl_vector_view view(const double *x, size_t n)
{
    return gsl_vector_view_array((double *)(uintptr_t)x, n);
}

static void failed(double *y, size_t n, int status)
{
    size_t i;
    for (i = 0; status && i < n; i++) y[i] = GSL_NAN;
}

static void check_at(slot *s, derivative *d, const gsl_vector *x, claim *c)
{
    double *const at = (double *)published_memory(s->n * sizeof *at);
    size_t i;
    for (i = 0; i < s->n; i++) at[i] = gsl_vector_get(x, i);
    c->at = s;
    c->x = at;
    c->n = s->n;
    c->m = s->m;
    published_check(d, c);
    free(at);
}

/* ---- R^n -> R^m with its matrix: least squares, systems of equations */

static void f_of(const double *x, size_t n, double *y, size_t m, void *at)
{
    slot *const s = (slot *)at;
    gsl_vector_view from = view(x, n), to = view(y, m);
    failed(y, m, ((vector_f)s->f)(&from.vector, s->params, &to.vector));
}

static void df_of(const double *x, size_t n, double *J, size_t m, void *at)
{
    slot *const s = (slot *)at;
    gsl_vector_view from = view(x, n);
    gsl_matrix_view to = gsl_matrix_view_array(J, m, n);
    /* some of GSL's tests set what is not zero, and no more: their matrix was cleared before */
    gsl_matrix_set_zero(&to.matrix);
    failed(J, m * n, ((vector_df)s->df)(&from.vector, s->params, &to.matrix));
}

static void fdf_of(const double *x, size_t n, double *J, size_t m, void *at)
{
    slot *const s = (slot *)at;
    gsl_vector_view from = view(x, n);
    gsl_matrix_view to = gsl_matrix_view_array(J, m, n);
    gsl_vector *const f = gsl_vector_alloc(m);
    gsl_matrix_set_zero(&to.matrix);
    failed(J, m * n, ((vector_fdf)s->fdf)(&from.vector, s->params, f, &to.matrix));
    gsl_vector_free(f);
}

static int f_passed(const gsl_vector *x, void *at, gsl_vector *f)
{
    slot *const s = (slot *)at;
    return ((vector_f)s->f)(x, s->params, f);
}

static void check_matrix(slot *s, derivative *d, const gsl_vector *x,
                         void (*J)(const double *, size_t, double *, size_t, void *))
{
    claim c;
    if (!published_due(d)) return;
    memset(&c, 0, sizeof c);
    c.f = f_of;
    c.jacobian = J;
    check_at(s, d, x, &c);
}

static int df_passed(const gsl_vector *x, void *at, gsl_matrix *J)
{
    slot *const s = (slot *)at;
    check_matrix(s, s->first, x, df_of);
    return ((vector_df)s->df)(x, s->params, J);
}

static int fdf_passed(const gsl_vector *x, void *at, gsl_vector *f, gsl_matrix *J)
{
    slot *const s = (slot *)at;
    check_matrix(s, s->both, x, fdf_of);
    return ((vector_fdf)s->fdf)(x, s->params, f, J);
}

/* ---- the second derivative along v: that of t -> J(x + (t - 1) v) v at 1. The solver's v may be
   less than the rounding of x: it is made as long as x is. */

static void along(const slot *s, double t, gsl_vector *x)
{
    gsl_vector_memcpy(x, s->v);
    gsl_vector_scale(x, t - 1);
    gsl_vector_add(x, s->x);
}

static void slope_of(const double *t, size_t n, double *y, size_t m, void *at)
{
    slot *const s = (slot *)at;
    gsl_vector *const x = gsl_vector_alloc(s->n);
    gsl_matrix *const J = gsl_matrix_calloc(m, s->n);
    gsl_vector_view to = view(y, m);
    size_t i, j;
    int status;
    (void)n;
    along(s, *t, x);
    if (s->products) {
        status = ((product_df)s->df)(CblasNoTrans, x, s->v, s->params, &to.vector, NULL);
    } else {
        status = ((vector_df)s->df)(x, s->params, J);
        for (i = 0; i < m; i++)
            for (j = 0, y[i] = 0; j < s->n; j++)
                y[i] += gsl_matrix_get(J, i, j) * gsl_vector_get(s->v, j);
    }
    failed(y, m, status);
    gsl_vector_free(x);
    gsl_matrix_free(J);
}

static void fvv_of(const double *t, size_t n, double *y, size_t m, void *at)
{
    slot *const s = (slot *)at;
    gsl_vector *const x = gsl_vector_alloc(s->n);
    gsl_vector_view to = view(y, m);
    (void)n;
    along(s, *t, x);
    failed(y, m, ((vector_fvv)s->fvv)(x, s->v, s->params, &to.vector));
    gsl_vector_free(x);
}

static int fvv_passed(const gsl_vector *x, const gsl_vector *v, void *at, gsl_vector *fvv)
{
    slot *const s = (slot *)at;
    if (s->df && published_due(s->second)) {
        const double one = 1;
        gsl_vector *const scaled = gsl_vector_alloc(s->n);
        double longest = 0;
        size_t j;
        claim c;
        for (j = 0; j < s->n; j++) {
            const double at_j = fabs(gsl_vector_get(x, j));
            longest = fmax(longest, fabs(gsl_vector_get(v, j)) / (at_j > 0 ? at_j : 1));
        }
        gsl_vector_memcpy(scaled, v);
        if (longest > 0) gsl_vector_scale(scaled, 1 / longest);
        memset(&c, 0, sizeof c);
        c.f = slope_of;
        c.jacobian = fvv_of;
        c.at = s;
        c.x = &one;
        c.n = 1;
        c.m = s->m;
        s->x = x;
        s->v = scaled;
        published_check(s->second, &c);
        gsl_vector_free(scaled);
    }
    return ((vector_fvv)s->fvv)(x, v, s->params, fvv);
}

int __real_gsl_multifit_nlinear_winit(const gsl_vector *x, const gsl_vector *weights,
    gsl_multifit_nlinear_fdf *fdf, gsl_multifit_nlinear_workspace *w);
int __wrap_gsl_multifit_nlinear_winit(const gsl_vector *x, const gsl_vector *weights,
    gsl_multifit_nlinear_fdf *fdf, gsl_multifit_nlinear_workspace *w);
int __wrap_gsl_multifit_nlinear_init(const gsl_vector *x, gsl_multifit_nlinear_fdf *fdf,
    gsl_multifit_nlinear_workspace *w);
int __wrap_gsl_multifit_nlinear_winit(const gsl_vector *x, const gsl_vector *weights,
    gsl_multifit_nlinear_fdf *fdf, gsl_multifit_nlinear_workspace *w)
{
    slot *const s = slot_of((function)fdf->f, (function)fdf->df, NULL, (function)fdf->fvv,
                            fdf->params, fdf->p, fdf->n);
    s->first = record("Jacobian", s->df);
    s->second = record("fvv", s->fvv);
    s->ours.nlinear = *fdf;
    s->ours.nlinear.f = f_passed;
    s->ours.nlinear.df = fdf->df ? df_passed : NULL;
    s->ours.nlinear.fvv = fdf->fvv ? fvv_passed : NULL;
    s->ours.nlinear.params = s;
    return __real_gsl_multifit_nlinear_winit(x, weights, &s->ours.nlinear, w);
}
int __wrap_gsl_multifit_nlinear_init(const gsl_vector *x, gsl_multifit_nlinear_fdf *fdf,
    gsl_multifit_nlinear_workspace *w)
{
    return __wrap_gsl_multifit_nlinear_winit(x, NULL, fdf, w);
}

int __real_gsl_multiroot_fdfsolver_set(gsl_multiroot_fdfsolver *solver,
    gsl_multiroot_function_fdf *fdf, const gsl_vector *x);
int __wrap_gsl_multiroot_fdfsolver_set(gsl_multiroot_fdfsolver *solver,
    gsl_multiroot_function_fdf *fdf, const gsl_vector *x);
int __wrap_gsl_multiroot_fdfsolver_set(gsl_multiroot_fdfsolver *solver,
    gsl_multiroot_function_fdf *fdf, const gsl_vector *x)
{
    slot *const s = slot_of((function)fdf->f, (function)fdf->df, (function)fdf->fdf, NULL,
                            fdf->params, fdf->n, fdf->n);
    s->first = record("Jacobian", s->df);
    s->both = record("with f", s->fdf);
    s->ours.roots = *fdf;
    s->ours.roots.f = f_passed;
    s->ours.roots.df = df_passed;
    s->ours.roots.fdf = fdf_passed;
    s->ours.roots.params = s;
    return __real_gsl_multiroot_fdfsolver_set(solver, &s->ours.roots, x);
}

/* ---- R^n -> R^m with products: J u or J^T u */

static void jv_of(const double *x, size_t n, const double *v, double *Jv, size_t m, void *at)
{
    slot *const s = (slot *)at;
    gsl_vector_view from = view(x, n), u = view(v, n), to = view(Jv, m);
    failed(Jv, m, ((product_df)s->df)(CblasNoTrans, &from.vector, &u.vector, s->params, &to.vector,
                                      NULL));
}

static void vj_of(const double *x, size_t n, const double *w, double *wJ, size_t m, void *at)
{
    slot *const s = (slot *)at;
    gsl_vector_view from = view(x, n), u = view(w, m), to = view(wJ, n);
    failed(wJ, n, ((product_df)s->df)(CblasTrans, &from.vector, &u.vector, s->params, &to.vector,
                                      NULL));
}

static int products_passed(CBLAS_TRANSPOSE_t transposed, const gsl_vector *x, const gsl_vector *u,
                           void *at, gsl_vector *v, gsl_matrix *JTJ)
{
    slot *const s = (slot *)at;
    const int plain = transposed == CblasNoTrans;
    derivative *const d = plain ? s->first : s->transposed;
    if (v && published_due(d)) {
        claim c;
        memset(&c, 0, sizeof c);
        c.f = f_of;
        if (plain) c.jv = jv_of;
        else c.vj = vj_of;
        check_at(s, d, x, &c);
    }
    return ((product_df)s->df)(transposed, x, u, s->params, v, JTJ);
}

int __real_gsl_multilarge_nlinear_winit(const gsl_vector *x, const gsl_vector *weights,
    gsl_multilarge_nlinear_fdf *fdf, gsl_multilarge_nlinear_workspace *w);
int __wrap_gsl_multilarge_nlinear_winit(const gsl_vector *x, const gsl_vector *weights,
    gsl_multilarge_nlinear_fdf *fdf, gsl_multilarge_nlinear_workspace *w);
int __wrap_gsl_multilarge_nlinear_init(const gsl_vector *x, gsl_multilarge_nlinear_fdf *fdf,
    gsl_multilarge_nlinear_workspace *w);
int __wrap_gsl_multilarge_nlinear_winit(const gsl_vector *x, const gsl_vector *weights,
    gsl_multilarge_nlinear_fdf *fdf, gsl_multilarge_nlinear_workspace *w)
{
    slot *const s = slot_of((function)fdf->f, (function)fdf->df, NULL, (function)fdf->fvv,
                            fdf->params, fdf->p, fdf->n);
    s->products = 1;
    s->first = record("J*u", s->df);
    s->transposed = record("J'*u", s->df);
    s->second = record("fvv", s->fvv);
    s->ours.nlarge = *fdf;
    s->ours.nlarge.f = f_passed;
    s->ours.nlarge.df = fdf->df ? products_passed : NULL;
    s->ours.nlarge.fvv = fdf->fvv ? fvv_passed : NULL;
    s->ours.nlarge.params = s;
    return __real_gsl_multilarge_nlinear_winit(x, weights, &s->ours.nlarge, w);
}
int __wrap_gsl_multilarge_nlinear_init(const gsl_vector *x, gsl_multilarge_nlinear_fdf *fdf,
    gsl_multilarge_nlinear_workspace *w)
{
    return __wrap_gsl_multilarge_nlinear_winit(x, NULL, fdf, w);
}

/* ---- R^n -> R: minima */

static double min_of(const double *x, size_t n, double *g, void *at)
{
    slot *const s = (slot *)at;
    gsl_vector_view from = view(x, n);
    if (g) {
        gsl_vector_view to = view(g, n);
        ((scalar_df)s->df)(&from.vector, s->params, &to.vector);
    }
    return ((scalar_f)s->f)(&from.vector, s->params);
}

static double min_both_of(const double *x, size_t n, double *g, void *at)
{
    slot *const s = (slot *)at;
    gsl_vector_view from = view(x, n), to;
    double f;
    if (!g) return ((scalar_f)s->f)(&from.vector, s->params);
    to = view(g, n);
    ((scalar_fdf)s->fdf)(&from.vector, s->params, &f, &to.vector);
    return f;
}

static void check_gradient(slot *s, derivative *d, const gsl_vector *x,
                           double (*fg)(const double *, size_t, double *, void *))
{
    claim c;
    if (!published_due(d)) return;
    memset(&c, 0, sizeof c);
    c.fg = fg;
    check_at(s, d, x, &c);
}

static double min_passed(const gsl_vector *x, void *at)
{
    slot *const s = (slot *)at;
    return ((scalar_f)s->f)(x, s->params);
}

static void min_df_passed(const gsl_vector *x, void *at, gsl_vector *g)
{
    slot *const s = (slot *)at;
    check_gradient(s, s->first, x, min_of);
    ((scalar_df)s->df)(x, s->params, g);
}

static void min_fdf_passed(const gsl_vector *x, void *at, double *f, gsl_vector *g)
{
    slot *const s = (slot *)at;
    check_gradient(s, s->both, x, min_both_of);
    ((scalar_fdf)s->fdf)(x, s->params, f, g);
}

int __real_gsl_multimin_fdfminimizer_set(gsl_multimin_fdfminimizer *solver,
    gsl_multimin_function_fdf *fdf, const gsl_vector *x, double step, double tolerance);
int __wrap_gsl_multimin_fdfminimizer_set(gsl_multimin_fdfminimizer *solver,
    gsl_multimin_function_fdf *fdf, const gsl_vector *x, double step, double tolerance);
int __wrap_gsl_multimin_fdfminimizer_set(gsl_multimin_fdfminimizer *solver,
    gsl_multimin_function_fdf *fdf, const gsl_vector *x, double step, double tolerance)
{
    slot *const s = slot_of((function)fdf->f, (function)fdf->df, (function)fdf->fdf, NULL,
                            fdf->params, fdf->n, 1);
    s->first = record("gradient", s->df);
    s->both = record("with f", s->fdf);
    s->ours.min = *fdf;
    s->ours.min.f = min_passed;
    s->ours.min.df = min_df_passed;
    s->ours.min.fdf = min_fdf_passed;
    s->ours.min.params = s;
    return __real_gsl_multimin_fdfminimizer_set(solver, &s->ours.min, x, step, tolerance);
}

/* ---- R -> R: roots */

static double root_of(const double *x, size_t n, double *g, void *at)
{
    slot *const s = (slot *)at;
    (void)n;
    if (g) *g = ((double (*)(double, void *))s->df)(*x, s->params);
    return ((double (*)(double, void *))s->f)(*x, s->params);
}

static double root_both_of(const double *x, size_t n, double *g, void *at)
{
    slot *const s = (slot *)at;
    double f;
    (void)n;
    if (!g) return ((double (*)(double, void *))s->f)(*x, s->params);
    ((void (*)(double, void *, double *, double *))s->fdf)(*x, s->params, &f, g);
    return f;
}

static double root_passed(double x, void *at)
{
    slot *const s = (slot *)at;
    return ((double (*)(double, void *))s->f)(x, s->params);
}

static double root_df_passed(double x, void *at)
{
    slot *const s = (slot *)at;
    gsl_vector_view v = view(&x, 1);
    check_gradient(s, s->first, &v.vector, root_of);
    return ((double (*)(double, void *))s->df)(x, s->params);
}

static void root_fdf_passed(double x, void *at, double *f, double *df)
{
    slot *const s = (slot *)at;
    gsl_vector_view v = view(&x, 1);
    check_gradient(s, s->both, &v.vector, root_both_of);
    ((void (*)(double, void *, double *, double *))s->fdf)(x, s->params, f, df);
}

int __real_gsl_root_fdfsolver_set(gsl_root_fdfsolver *solver, gsl_function_fdf *fdf, double root);
int __wrap_gsl_root_fdfsolver_set(gsl_root_fdfsolver *solver, gsl_function_fdf *fdf, double root);
int __wrap_gsl_root_fdfsolver_set(gsl_root_fdfsolver *solver, gsl_function_fdf *fdf, double root)
{
    slot *const s = slot_of((function)fdf->f, (function)fdf->df, (function)fdf->fdf, NULL,
                            fdf->params, 1, 1);
    s->first = record("derivative", s->df);
    s->both = record("with f", s->fdf);
    s->ours.root.f = root_passed;
    s->ours.root.df = root_df_passed;
    s->ours.root.fdf = root_fdf_passed;
    s->ours.root.params = s;
    return __real_gsl_root_fdfsolver_set(solver, &s->ours.root, root);
}

/* ---- y' = f(t, y): df/dy, and df/dt as the derivative of t -> f(t, y) */

typedef int (*ode_f)(double t, const double y[], double f[], void *params);
typedef int (*ode_jac)(double t, const double y[], double *dfdy, double dfdt[], void *params);

static void ode_of(const double *x, size_t n, double *y, size_t m, void *at)
{
    slot *const s = (slot *)at;
    (void)n;
    failed(y, m, ((ode_f)s->f)(s->t, x, y, s->params));
}

static void ode_jac_of(const double *x, size_t n, double *J, size_t m, void *at)
{
    slot *const s = (slot *)at;
    double *const rate = (double *)published_memory(m * sizeof *rate);
    failed(J, m * n, ((ode_jac)s->df)(s->t, x, J, rate, s->params));
    free(rate);
}

static void time_of(const double *t, size_t n, double *y, size_t m, void *at)
{
    slot *const s = (slot *)at;
    (void)n;
    failed(y, m, ((ode_f)s->f)(*t, s->x->data, y, s->params));
}

static void time_jac_of(const double *t, size_t n, double *rate, size_t m, void *at)
{
    slot *const s = (slot *)at;
    double *const J = (double *)published_memory(m * m * sizeof *J);
    (void)n;
    failed(rate, m, ((ode_jac)s->df)(*t, s->x->data, J, rate, s->params));
    free(J);
}

static int ode_passed(double t, const double y[], double f[], void *at)
{
    slot *const s = (slot *)at;
    return ((ode_f)s->f)(t, y, f, s->params);
}

static int ode_jac_passed(double t, const double y[], double *dfdy, double dfdt[], void *at)
{
    slot *const s = (slot *)at;
    gsl_vector_view v = view(y, s->n);
    claim c;
    if (published_due(s->first)) {
        memset(&c, 0, sizeof c);
        c.f = ode_of;
        c.jacobian = ode_jac_of;
        s->t = t;
        check_at(s, s->first, &v.vector, &c);
    }
    if (published_due(s->second)) {
        memset(&c, 0, sizeof c);
        c.f = time_of;
        c.jacobian = time_jac_of;
        c.at = s;
        c.x = &t;
        c.n = 1;
        c.m = s->n;
        s->x = &v.vector;
        published_check(s->second, &c);
    }
    return ((ode_jac)s->df)(t, y, dfdy, dfdt, s->params);
}

static const gsl_odeiv2_system *ours_of(const gsl_odeiv2_system *system)
{
    slot *s;
    if (!system->jacobian) return system;
    s = slot_of((function)system->function, (function)system->jacobian, NULL, NULL, system->params,
                system->dimension, system->dimension);
    s->first = record("Jacobian", s->df);
    s->second = record("df/dt", s->df);
    s->ours.ode = *system;
    s->ours.ode.function = ode_passed;
    s->ours.ode.jacobian = ode_jac_passed;
    s->ours.ode.params = s;
    return &s->ours.ode;
}

int __real_gsl_odeiv2_evolve_apply(gsl_odeiv2_evolve *e, gsl_odeiv2_control *control,
    gsl_odeiv2_step *step, const gsl_odeiv2_system *system, double *t, double t1, double *h,
    double y[]);
int __wrap_gsl_odeiv2_evolve_apply(gsl_odeiv2_evolve *e, gsl_odeiv2_control *control,
    gsl_odeiv2_step *step, const gsl_odeiv2_system *system, double *t, double t1, double *h,
    double y[]);
int __wrap_gsl_odeiv2_evolve_apply(gsl_odeiv2_evolve *e, gsl_odeiv2_control *control,
    gsl_odeiv2_step *step, const gsl_odeiv2_system *system, double *t, double t1, double *h,
    double y[])
{
    return __real_gsl_odeiv2_evolve_apply(e, control, step, ours_of(system), t, t1, h, y);
}

int __real_gsl_odeiv2_step_apply(gsl_odeiv2_step *step, double t, double h, double y[],
    double error[], const double from[], double to[], const gsl_odeiv2_system *system);
int __wrap_gsl_odeiv2_step_apply(gsl_odeiv2_step *step, double t, double h, double y[],
    double error[], const double from[], double to[], const gsl_odeiv2_system *system);
int __wrap_gsl_odeiv2_step_apply(gsl_odeiv2_step *step, double t, double h, double y[],
    double error[], const double from[], double to[], const gsl_odeiv2_system *system)
{
    return __real_gsl_odeiv2_step_apply(step, t, h, y, error, from, to, ours_of(system));
}
