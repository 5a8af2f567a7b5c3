/* Nonlinear least squares: Levenberg's method, every derivative by autodiff.h.

   A step v solves  min |r + J v|^2 + mu |D v|^2  by Householder reflections on J and sqrt(mu) D
   stacked. J^T J is never formed: it would square the condition number and cost digits.
     D    the longest that J's columns have been, so that units do not matter (More 1978);
     mu   shrinks smoothly after a good step, grows ever faster after bad ones (Nielsen 1999);
     a    bends the path to v + a/2: a answers to r_vv, the second derivative of r along v, as v
          does to r. Where |a| > 3/4 |v| the linear model says little, and the step is refused
          (Transtrum & Sethna 2012). r_vv is exact, by differentiating a recorded gradient.
   A sum of squares is flat near its minimum and shows only half of the parameters' digits. The
   rest comes from undamped steps at the end, for as long as they get shorter. */
#ifndef LEVENBERG_H
#define LEVENBERG_H

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "../autodiff.h"

typedef struct lm_report {
    double    rss;                             /* residual sum of squares at the end */
    int       residuals, jacobians, bends;     /* evaluations of r; of J, with its r; of r_vv */
    int       converged;
    ad_status status;
} lm_report;

typedef struct lm_work {
    ad_tape *tape;
    ad_vfun  f;
    void    *user;
    size_t   n, m;
    double  *x, *D, *v, *a, *trial;            /* [n] */
    double  *r, *rvv, *J;                      /* at x: [m], [m], [m*n] */
    double  *A, *c;                            /* the stacked system: [(m+n)*n], [m+n] */
    ad_var  *xs, *gs, *rs, *us;                /* [n], [n], [m], [m] */
    lm_report report;
} lm_work;

/* Minimises |A z - c|; overwrites both. 0 if the columns are dependent or something overflows. */
static int lm_least_squares(double *A, double *c, size_t rows, size_t n, double *z)
{
    size_t i, j, k;
    for (k = 0; k < n; k++) {
        double norm = 0, dot;
        for (i = k; i < rows; i++) norm += A[i * n + k] * A[i * n + k];
        norm = sqrt(norm);
        if (!(norm > 0 && norm <= DBL_MAX)) return 0;
        if (A[k * n + k] > 0) norm = -norm;              /* so that the next line cannot cancel */
        A[k * n + k] -= norm;                            /* column k is the reflector now */
        for (j = k + 1; j <= n; j++) {                   /* c is column n */
            double *const column = j < n ? A + j : c;
            const size_t stride = j < n ? n : 1;
            for (dot = 0, i = k; i < rows; i++) dot += A[i * n + k] * column[i * stride];
            dot /= norm * A[k * n + k];                  /* minus half of its length squared */
            for (i = k; i < rows; i++) column[i * stride] += dot * A[i * n + k];
        }
        z[k] = norm;                                     /* the diagonal of R */
    }
    for (k = n; k-- > 0;) {
        double sum = c[k];
        for (j = k + 1; j < n; j++) sum -= A[k * n + j] * z[j];
        z[k] = sum / z[k];
    }
    return 1;
}

/* Minimises |r + J z|^2 + mu |D z|^2 and returns |D z|; NaN if there is no one z. */
static double lm_solve(lm_work *w, const double *r, double mu, double *z)
{
    const size_t n = w->n, m = w->m;
    double square = 0;
    size_t i, j;
    memset(w->A + m * n, 0, n * n * sizeof *w->A);
    memset(w->c + m, 0, n * sizeof *w->c);
    for (i = 0; i < m; i++) {
        for (j = 0; j < n; j++) w->A[i * n + j] = w->J[i * n + j] / w->D[j];
        w->c[i] = -r[i];
    }
    for (j = 0; j < n; j++) w->A[(m + j) * n + j] = sqrt(mu);
    if (!lm_least_squares(w->A, w->c, m + n, n, z)) return (double)NAN;
    for (j = 0; j < n; j++) {
        square += z[j] * z[j];
        z[j] /= w->D[j];
    }
    return sqrt(square);
}

/* What the linear model promises that z takes off the sum of squares: |r|^2 - |r + J z|^2, written
   by the normal equations as a sum of squares, which does not cancel. */
static double lm_promise(const lm_work *w, const double *z, double mu, double length)
{
    double promise = 2 * mu * length * length;
    size_t i, j;
    for (i = 0; i < w->m; i++) {
        double change = 0;
        for (j = 0; j < w->n; j++) change += w->J[i * w->n + j] * z[j];
        promise += change * change;
    }
    return promise;
}

/* |D x|, what the length of a step is compared with. */
static double lm_size(const lm_work *w)
{
    double square = 0;
    size_t j;
    for (j = 0; j < w->n; j++) square += w->D[j] * w->x[j] * w->D[j] * w->x[j];
    return sqrt(square);
}

/* The sum of squares at w->trial; infinite where the model is not defined. On constants nothing is
   recorded and f is an ordinary function. */
static double lm_try(lm_work *w)
{
    double sum = 0;
    size_t i;
    w->report.residuals++;
    for (i = 0; i < w->n; i++) w->xs[i] = ad_const(w->trial[i]);
    w->f(w->tape, w->xs, w->n, w->rs, w->m, w->user);
    for (i = 0; i < w->m; i++) sum += ad_var_value(w->rs[i]) * ad_var_value(w->rs[i]);
    return sum <= DBL_MAX ? sum : HUGE_VAL;
}

/* r, J, D and the sum of squares at w->x. */
static void lm_linearise(lm_work *w)
{
    size_t i, j;
    w->report.jacobians++;
    w->report.status = ad_jacobian(w->tape, w->f, w->user, w->x, w->n, w->m, w->r, w->J);
    for (w->report.rss = 0, i = 0; i < w->m; i++) w->report.rss += w->r[i] * w->r[i];
    for (j = 0; j < w->n; j++) {
        double square = 0;
        for (i = 0; i < w->m; i++) square += w->J[i * w->n + j] * w->J[i * w->n + j];
        if (sqrt(square) > w->D[j]) w->D[j] = sqrt(square);
    }
}

/* r_vv at w->x. With weights u on the residuals, g = d(u.r)/dx is J^T u; then g.v is u.(J v), and
   its derivative by u[i] and along v is r_vv[i]: a recorded gradient and one sweep give all m. */
static int lm_bend(lm_work *w)
{
    const size_t mark = ad_tape_mark(w->tape);
    ad_status status = ad_inputs(w->tape, w->n, w->x, w->xs);
    size_t i;
    w->report.bends++;
    for (i = 0; i < w->m; i++) w->us[i] = ad_input(w->tape, 1);
    w->f(w->tape, w->xs, w->n, w->rs, w->m, w->user);
    if (status == AD_OK)
        status = ad_grad_vars(ad_var_dot(w->m, w->us, w->rs), w->n, w->xs, w->gs);
    if (status == AD_OK)
        status = ad_forward_over_reverse(ad_var_lincomb(w->n, w->v, w->gs), w->n, w->xs, w->v);
    for (i = 0; i < w->m && status == AD_OK; i++) w->rvv[i] = ad_adjoint_tangent(w->us[i]);
    ad_tape_rewind(w->tape, mark);
    return status == AD_OK;
}

/* From w->x downhill until the steps are too short to judge by the sum of squares. */
static int lm_descend(lm_work *w)
{
    double mu = 1e-3, growth = 2;
    size_t j;
    int tries;
    for (tries = 0; tries < 10000 && mu < 1e100; tries++) {
        const double length = lm_solve(w, w->r, mu, w->v);
        double ratio = -1;                               /* of what happened to what was promised */
        if (mu < 1 && length <= 1e-8 * lm_size(w)) return 1;      /* a damped step proves nothing */
        if (length > 0 && lm_bend(w) && lm_solve(w, w->rvv, mu, w->a) <= 0.75 * length) {
            for (j = 0; j < w->n; j++) w->trial[j] = w->x[j] + w->v[j] + w->a[j] / 2;
            ratio = (w->report.rss - lm_try(w)) / lm_promise(w, w->v, mu, length);
        }
        if (ratio > 1e-3) {
            const double shrink = 1 - pow(2 * ratio - 1, 3);
            mu *= shrink > 1.0 / 3 ? shrink : 1.0 / 3;
            growth = 2;
            memcpy(w->x, w->trial, w->n * sizeof *w->x);
            lm_linearise(w);
        } else {                                         /* also where it is NaN */
            mu *= growth;
            growth *= 2;
        }
    }
    return 0;
}

/* Undamped steps; leaves at w->x where the next one was shortest. */
static int lm_polish(lm_work *w)
{
    double shortest = HUGE_VAL;
    size_t j;
    int steps;
    memcpy(w->trial, w->x, w->n * sizeof *w->x);
    for (steps = 0; steps < 200; steps++) {
        const double length = lm_solve(w, w->r, 0, w->v) / lm_size(w);
        if (length < shortest) {
            shortest = length;
            memcpy(w->trial, w->x, w->n * sizeof *w->x);
        } else if (!(shortest > 1e-10)) {
            break;                                       /* rounding has taken over */
        }
        for (j = 0; j < w->n; j++) w->x[j] += w->v[j];
        lm_linearise(w);
    }
    memcpy(w->x, w->trial, w->n * sizeof *w->x);
    lm_linearise(w);
    return shortest <= 1e-8;
}

/* Minimises the sum of squares of f's m residuals. x[n] is the start and receives the result. */
static lm_report lm_fit(ad_tape *tape, ad_vfun f, void *user, size_t n, size_t m, double *x)
{
    const size_t numbers = 4 * n + 2 * m + m * n + (m + n) * n + (m + n);
    double *const memory = (double *)calloc(numbers, sizeof(double));
    ad_var *const vars = (ad_var *)calloc(2 * (n + m), sizeof(ad_var));
    lm_work w;
    memset(&w, 0, sizeof w);
    w.tape = tape, w.f = f, w.user = user, w.n = n, w.m = m;
    if (memory && vars) {
        w.x = x;
        w.D = memory, w.v = w.D + n, w.a = w.v + n, w.trial = w.a + n;
        w.r = w.trial + n, w.rvv = w.r + m, w.J = w.rvv + m;
        w.A = w.J + m * n, w.c = w.A + (m + n) * n;
        w.xs = vars, w.gs = w.xs + n, w.rs = w.gs + n, w.us = w.rs + m;
        lm_linearise(&w);
        if (w.report.status == AD_OK) w.report.converged = lm_descend(&w) && lm_polish(&w);
    } else {
        w.report.status = AD_ERR_MEMORY;
    }
    free(vars);
    free(memory);
    return w.report;
}

#endif
