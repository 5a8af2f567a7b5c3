/* The sensitivity of an optimum: a polynomial is fitted to noisy points with a penalty, and how
   strong the penalty is decides how it does on points that it has not seen. The fit is the minimum
   of a function, so the derivative does not go through what finds it; Newton's method in one
   unknown takes it to the best penalty. The check: there no penalty nearby does better, and the
   derivative is that of fits done anew. */
#define AUTODIFF_STATIC double
#include "../autodiff.h"
#include <stdio.h>

enum { TERMS = 10, POINTS = 16 };

static double at[2][POINTS], seen[2][POINTS];       /* to fit to, to be judged by */

/* The sum of squares that coefficients c leave on one of both sets. */
static ad_var residue(const ad_var *c, int which)
{
    ad_var sum = ad_const(0);
    int i, k;
    for (i = 0; i < POINTS; i++) {
        ad_var r = ad_const(-seen[which][i]);
        double power = 1;
        for (k = 0; k < TERMS; k++, power *= at[which][i])
            r = ad_var_add(r, ad_var_mul_r(c[k], power));
        sum = ad_var_add(sum, ad_var_square(r));
    }
    return sum;
}
/* c as a function of the logarithm of the penalty. */
static ad_fn *fit(ad_tape *t)
{
    const double start[TERMS + 1] = { 0 };
    ad_var x[TERMS + 1], loss;
    ad_fn *f, *c;
    ad_inputs(t, TERMS + 1, start, x);
    loss = ad_var_add(residue(x, 0), ad_var_mul(ad_var_exp(x[TERMS]),
        ad_var_square(ad_var_norm(TERMS - 1, x + 1))));
    loss = ad_var_mul_r(loss, 0.5);
    f = ad_fn_create(t, TERMS + 1, x, 1, &loss, NULL);
    c = ad_fn_argmin(f, TERMS, NULL, NULL, NULL);
    ad_fn_destroy(f);
    ad_tape_reset(t);
    return c;
}
/* What the fit leaves on the other set, by the logarithm of its penalty. */
static ad_var judged(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    ad_var c[TERMS];
    if (ad_fn_call((const ad_fn *)user, t, n, x, TERMS, c) != AD_OK) return ad_const((double)NAN);
    return residue(c, 1);
}

int main(void)
{
    ad_tape *const t = ad_tape_create(NULL);
    double x = -3, y, g, H, up, down;
    unsigned noise = 1;
    ad_fn *c;
    int i, step, bad;
    for (i = 0; i < 2 * POINTS; i++) {
        const double place = 2 * fmod(0.6180339887498949 * (i + 1), 1) - 1;
        noise = noise * 1664525 + 1013904223;
        at[i % 2][i / 2] = place;
        seen[i % 2][i / 2] = sin(4 * place) + noise / 4294967296.0 - 0.5;
    }
    c = fit(t);
    for (step = 0; step < 20; step++) {
        if (ad_hessian(t, judged, c, &x, 1, &y, &g, &H) != AD_OK) break;
        printf("log(penalty) %8.5f: residue %.8f, slope % .2e\n", x, y, g);
        if (fabs(g) < 1e-10) break;
        x -= H > 0 && fabs(g) < H ? g / H : g > 0 ? 1 : -1;      /* else a step down */
    }
    if (ad_tape_message(t)[0]) puts(ad_tape_message(t));
    i = ad_gradient(t, judged, c, (const double[1]){ x + 1e-4 }, 1, &up, NULL) != AD_OK;
    i |= ad_gradient(t, judged, c, (const double[1]){ x - 1e-4 }, 1, &down, NULL) != AD_OK;
    bad = i || !(fabs(g) < 1e-8 && H > 0 && up > y && down > y
                 && fabs((up - 2 * y + down) / 1e-8 - H) < 1e-3 * H);
    printf("%s: of fits done anew the second derivative is %.4f, here %.4f\n", bad ? "WRONG" : "ok",
           (up - 2 * y + down) / 1e-8, H);
    ad_fn_destroy(c);
    ad_tape_destroy(t);
    return bad;
}
