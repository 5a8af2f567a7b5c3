/* Logistic regression by an optimiser of others: libLBFGS, or NLopt's L-BFGS. 20,000 observations
   of 50 quantities are drawn from a known law, and its coefficients found again. The function is
   one of scalars, as ad_gradient, ad_hvp and the checker want it, and computes with arrays. The
   optimiser gets its gradient; the Hessian tells how far off the coefficients may be. Exit code 1
   if they are farther off.

       cc -O2 -DHAVE_LBFGS examples/logistic_lbfgs.c -o logistic -llbfgs -lm && ./logistic
       cc -O2 -DHAVE_NLOPT examples/logistic_lbfgs.c -o logistic -lnlopt -lm && ./logistic        */
#ifndef EXAMPLE_LINKED                       /* else the implementation is in another file */
#define AUTODIFF_CHECK
#define AUTODIFF_IMPLEMENTATION
#endif
#include "../autodiff.h"
#include <stdio.h>
#if defined(HAVE_LBFGS)
#include <lbfgs.h>
#elif defined(HAVE_NLOPT)
#include <nlopt.h>
#endif

enum { ROWS = 20000, COLUMNS = 50 };
static double observed[ROWS][COLUMNS], outcome[ROWS], law[COLUMNS];

typedef struct regression {
    ad_tape *tape;
    int32_t  rows;
    int      calls;
} regression;

/* Minus the logarithm of the likelihood of the coefficients x. */
static ad_var cost(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    const regression *const r = (const regression *)user;
    int32_t dim[2] = { 0, COLUMNS }, length[1] = { COLUMNS };
    ad_array X, y, w;
    (void)n;
    dim[0] = r->rows;
    X = ad_array_const_borrow(t, 2, dim, observed[0]);
    y = ad_array_const_borrow(t, 1, dim, outcome);
    w = ad_array_pack(t, 1, length, x);
    return ad_array_item(ad_array_binary_cross_entropy(ad_array_matmul(X, w), y, AD_SUM));
}

static double value_and_gradient(regression *r, const double *x, double *g)
{
    double y = HUGE_VAL;
    r->calls++;
    ad_gradient(r->tape, cost, r, x, COLUMNS, &y, g);
    return y;
}

/* The optimiser's name, or NULL: without one. */
#if defined(HAVE_LBFGS)
static lbfgsfloatval_t evaluate(void *user, const lbfgsfloatval_t *x, lbfgsfloatval_t *g, int n,
                                lbfgsfloatval_t step)
{
    (void)n, (void)step;
    return value_and_gradient((regression *)user, x, g);
}
static const char *minimise(regression *r, double *x, double *y)
{
    return lbfgs(COLUMNS, x, y, evaluate, NULL, r, NULL) >= 0 ? "libLBFGS" : "libLBFGS, in vain";
}
#elif defined(HAVE_NLOPT)
static double evaluate(unsigned n, const double *x, double *g, void *user)
{
    double unused[COLUMNS];
    (void)n;
    return value_and_gradient((regression *)user, x, g ? g : unused);
}
static const char *minimise(regression *r, double *x, double *y)
{
    nlopt_opt o = nlopt_create(NLOPT_LD_LBFGS, COLUMNS);
    nlopt_result how;
    nlopt_set_min_objective(o, evaluate, r);
    nlopt_set_ftol_rel(o, 1e-14);
    how = nlopt_optimize(o, x, y);
    nlopt_destroy(o);
    return how >= 0 || how == NLOPT_ROUNDOFF_LIMITED ? "NLopt" : "NLopt, in vain";
}
#else
static const char *minimise(regression *r, double *x, double *y)
{
    double unused[COLUMNS];
    *y = value_and_gradient(r, x, unused);
    return NULL;
}
#endif

/* Uniform numbers decide which outcomes the law gives. */
static void draw(void)
{
    int i, k;
    ad_random_normal(COLUMNS, 1, 0, law);
    ad_random_normal((size_t)ROWS * COLUMNS, 1, 1, observed[0]);
    ad_random_uniform(ROWS, 1, 2, outcome);
    for (i = 0; i < ROWS; i++) {
        double logit = 0;
        for (k = 0; k < COLUMNS; k++) logit += observed[i][k] * law[k] * 0.3;
        outcome[i] = outcome[i] < 1 / (1 + exp(-logit));
    }
    for (k = 0; k < COLUMNS; k++) law[k] *= 0.3;
}

int main(void)
{
    static double x[COLUMNS], g[COLUMNS], off[COLUMNS], h[COLUMNS];
    double y = 0, norm = 0, chi = 0;
    ad_check_result result;
    const char *by;
    regression r = { NULL, 40, 0 };
    int k;
    draw();
    ad_check_tape(cost, law, COLUMNS, &r, NULL, &result);            /* with 40 observations */
    printf("gradient, Hessian: %s\n", result.message);
    if (!ad_check_ok(result.verdict)) return 1;
    r.tape = ad_tape_create(NULL);
    r.rows = ROWS;
    by = minimise(&r, x, &y);
    if (!by) {
        puts("SKIP logistic_lbfgs: no optimiser; Debian: apt install liblbfgs-dev, or "
             "libnlopt-dev");
        ad_tape_destroy(r.tape);
        return 0;
    }
    /* Twice how much less likely the law is than what was found, to second order: it is
       distributed like the squares of COLUMNS normal numbers, so seldom above 100. */
    for (k = 0; k < COLUMNS; k++) off[k] = x[k] - law[k];
    if (ad_hvp(r.tape, cost, &r, x, COLUMNS, off, NULL, g, h) != AD_OK)
        return fprintf(stderr, "%s\n", ad_tape_message(r.tape)), 1;
    for (k = 0; k < COLUMNS; k++) {
        chi += off[k] * h[k];
        norm = hypot(norm, g[k]);
    }
    printf("%s: %d gradients; -log likelihood %.6f, gradient's norm %.2g\n"
           "distance from the law: %.1f, expected %d +- 10\n", by, r.calls, y, norm, chi, COLUMNS);
    ad_tape_destroy(r.tape);
    return !(norm < 1 && chi > 15 && chi < 100);
}
