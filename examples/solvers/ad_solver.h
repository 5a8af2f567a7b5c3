/* What the headers beside this one share; copy it along with one of them and autodiff.h.

   A solver asks for values and derivatives of one function at many points. So the function, an
   ad_vfun on the tape, is recorded once, at the first point that is asked for, and compiled with
   whatever derivatives are wanted. Where an ad_branch would go another way at a later point, it is
   recorded anew there. (An `if` on plain numbers is not seen: say ad_branch or ad_var_select.) What
   f reads by `user` is read when it is recorded: after a change ad_solver_forget. Numbers that
   change from solve to solve are better inputs behind the variables: s->x[s->variables + i] is
   parameter i, yours to set. */
#ifndef AD_SOLVER_H
#define AD_SOLVER_H
#ifndef AUTODIFF_H
#include "autodiff.h"
#endif
#include <stdio.h>
#include <stdlib.h>

typedef enum ad_want {
    AD_WANT_VALUE,            /* x: y[m] */
    AD_WANT_GRADIENT,         /* x: y, dy/dx[variables]; m = 1 */
    AD_WANT_JACOBIAN,         /* x: the nonzeros of s->pattern, by variables */
    AD_WANT_DENSE,            /* x: y[m], J[m*variables] by rows */
    AD_WANT_JV,               /* x, v[variables]: y[m], J v */
    AD_WANT_JVV,              /* x, v, v: y, J v, J v, (d2y/dx2) v v, each of m numbers */
    AD_WANT_HESSIAN,          /* x, w[m]: the nonzeros of s->lower, the lower triangle of w.y'' */
    AD_WANT_ALL_VALUE,        /* by all inputs, not by the variables alone: value, */
    AD_WANT_ALL_JV,           /* x, v[n]: y[m], J v */
    AD_WANT_ALL_WJ,           /* x, w[m]: y[m], w^T J, n numbers */
    AD_WANTS
} ad_want;

typedef struct ad_solver {
    ad_vfun    f;
    void      *user;
    size_t     n, variables, m;      /* inputs, of which the first are variables; outputs */
    ad_fn     *fn[AD_WANTS];         /* made when first wanted */
    ad_pattern pattern, lower;       /* of the Jacobian, m x variables; of the Hessian */
    double    *x;                    /* [3 n + m]: room for what goes in */
    double    *y;                    /* what came out, */
    size_t     outputs[AD_WANTS], room;         /* so many; room for so many */
    size_t     recorded;             /* how often */
    ad_status  status;               /* of the first failure, which was printed: test it */
    ad_status  last;                 /* of the last call; AD_ERR_USER: it fails at that point */
    void      *stops;                /* what a header stops where a solver does not see NaN */
} ad_solver;

/* A function that is compiled already, such as a text: ad_solver_init(s, ad_solver_fn, fn, ...) */
static inline void ad_solver_fn(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m,
                                void *user)
{
    const ad_fn *const f = (const ad_fn *)user;
    const ad_fn_stats has = ad_fn_get_stats(f);
    if (has.inputs == n && has.outputs == m) ad_fn_record(f, t, x, y);
    else ad_fn_call(f, t, n, x, m, y);                     /* which says what does not fit */
}

/* f: y[m] of n inputs, the first of which are variables. Returns s, or NULL without memory. */
static inline ad_solver *ad_solver_init(ad_solver *s, ad_vfun f, void *user, size_t n,
                                        size_t variables, size_t m)
{
    memset(s, 0, sizeof *s);
    s->f = f;
    s->user = user;
    s->n = n;
    s->variables = variables;
    s->m = m;
    s->x = (double *)calloc(3 * n + m + 1, sizeof *s->x);
    return s->x ? s : NULL;
}

static inline void ad_solver_forget(ad_solver *s)
{
    int i;
    for (i = 0; i < AD_WANTS; i++) {
        ad_fn_destroy(s->fn[i]);
        s->fn[i] = NULL;
    }
    ad_pattern_free(&s->pattern);
    ad_pattern_free(&s->lower);
}

static inline void ad_solver_free(ad_solver *s)
{
    ad_solver_forget(s);
    free(s->x);
    free(s->y);
}

/* The function as it runs at x; its variables are the first. */
static inline ad_fn *ad_solver_record(ad_solver *s, const double *x, size_t variables)
{
    unsigned char *const parameters = (unsigned char *)malloc(s->n + 1);
    ad_var *const in = (ad_var *)calloc(s->n + s->m + 1, sizeof *in);
    ad_tape *const t = ad_tape_create(NULL);
    ad_fn_desc desc;
    ad_fn *f = NULL;
    size_t i;
    memset(&desc, 0, sizeof desc);
    if (parameters && in && t) {
        for (i = 0; i < s->n; i++) parameters[i] = i >= variables;
        desc.parameters = parameters;
        ad_inputs(t, s->n, x, in);
        s->f(t, in, s->n, in + s->n, s->m, s->user);
        f = ad_fn_create(t, s->n, in, s->m, in + s->n, &desc);
        s->recorded++;
    }
    ad_tape_destroy(t);
    free(in);
    free(parameters);
    return f;
}

/* What computes it, made at x where it is not there yet. */
static inline const ad_fn *ad_solver_get(ad_solver *s, ad_want want, const double *x)
{
    const int all = want >= AD_WANT_ALL_VALUE;
    const ad_want base = all ? AD_WANT_ALL_VALUE : AD_WANT_VALUE;
    const ad_fn *f;
    ad_fn *once;
    if (s->fn[want]) return s->fn[want];
    if (!s->fn[base]) {
        s->fn[base] = ad_solver_record(s, x, all ? s->n : s->variables);
        s->outputs[base] = ad_fn_get_stats(s->fn[base]).outputs;
    }
    f = s->fn[base];
    switch (want) {
    case AD_WANT_GRADIENT: s->fn[want] = ad_fn_gradient(f); break;
    case AD_WANT_JACOBIAN: s->fn[want] = ad_fn_sparse_jacobian(f, &s->pattern); break;
    case AD_WANT_DENSE:    s->fn[want] = ad_fn_jacobian(f); break;
    case AD_WANT_HESSIAN:  s->fn[want] = ad_fn_sparse_hessian(f, &s->lower); break;
    case AD_WANT_ALL_WJ:   s->fn[want] = ad_fn_vjp(f); break;
    case AD_WANT_JV:
    case AD_WANT_ALL_JV:   s->fn[want] = ad_fn_jvp(f); break;
    case AD_WANT_JVV:
        once = ad_fn_jvp(f);
        s->fn[want] = ad_fn_jvp(once);
        ad_fn_destroy(once);
        break;
    default: break;
    }
    s->outputs[want] = ad_fn_get_stats(s->fn[want]).outputs;
    return s->fn[want];
}

static inline ad_status ad_solver_try(ad_solver *s, ad_want want, const double *x)
{
    const ad_fn *const f = ad_solver_get(s, want, x);
    if (ad_fn_status(f) != AD_OK) return ad_fn_status(f);
    if (s->outputs[want] > s->room || !s->y) {
        free(s->y);
        s->y = (double *)malloc((s->outputs[want] + 1) * sizeof *s->y);
        s->room = s->y ? s->outputs[want] : 0;
        if (!s->y) return AD_ERR_MEMORY;
    }
    return ad_fn_eval(f, x, s->y);
}

/* What is wanted at x, and what it takes behind x: s->outputs[want] numbers, which stay until the
   next call; NULL on failure: the first one is printed, and its status kept. */
static inline const double *ad_solver_eval(ad_solver *s, ad_want want, const double *x)
{
    ad_fn *there = NULL;
    const char *why;
    s->last = ad_solver_try(s, want, x);
    if (s->last == AD_ERR_BRANCH) {                        /* another way from here on */
        ad_solver_forget(s);
        s->last = ad_solver_try(s, want, x);
    }
    if (s->last == AD_OK) return s->y;
    why = ad_fn_message(s->fn[want]);
    if (s->status == AD_OK && !*why) {                     /* evaluations leave none */
        there = ad_solver_record(s, x, s->variables);
        why = ad_fn_message(there);
    }
    if (s->status == AD_OK) {
        s->status = s->last;
        fprintf(stderr, "%s: %s\n", ad_status_name(s->last), why);
    }
    ad_fn_destroy(there);
    if (ad_fn_status(s->fn[want]) != AD_OK) ad_solver_forget(s);       /* it may do elsewhere */
    return NULL;
}
/* The inputs with these variables, in s->x. */
static inline double *ad_solver_at(ad_solver *s, const double *x)
{
    if (x != s->x) memcpy(s->x, x, s->variables * sizeof *x);
    return s->x;
}
#endif
