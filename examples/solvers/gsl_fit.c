/* GSL's multifit_nlinear, with geodesic acceleration, which takes second derivatives: NIST's
   problem MGH09, whose parameters are certified to eleven digits. */
#ifndef EXAMPLE_LINKED
#define AUTODIFF_STATIC
#endif
#include "../../autodiff.h"
#include "ad_gsl.h"

enum { N = 11 };
static const double y[N] = { 0.1957, 0.1947, 0.1735, 0.1600, 0.0844, 0.0627, 0.0456, 0.0342, 0.0323,
                             0.0235, 0.0246 };
static const double x[N] = { 4, 2, 1, 0.5, 0.25, 0.167, 0.125, 0.1, 0.0833, 0.0714, 0.0625 };
static const double certified[4] = { 1.9280693458E-01, 1.9128232873E-01, 1.2305650693E-01,
                                     1.3606233068E-01 };

/* b0 (x^2 + x b1) / (x^2 + x b2 + b3) - y */
static void residuals(ad_tape *t, const ad_var *b, size_t n, ad_var *r, size_t m, void *user)
{
    size_t i;
    (void)t, (void)n, (void)user;
    for (i = 0; i < m; i++) {
        const double s = x[i] * x[i];
        const ad_var up = ad_var_mul(b[0], ad_var_add_r(ad_var_mul_r(b[1], x[i]), s));
        const ad_var down = ad_var_add_r(ad_var_add(ad_var_mul_r(b[2], x[i]), b[3]), s);
        r[i] = ad_var_sub_r(ad_var_div(up, down), y[i]);
    }
}

int main(void)
{
    const double start[4] = { 0.25, 0.39, 0.415, 0.39 };
    const double along[4] = { 1, 1, 0, 0 };
    gsl_vector_const_view b = gsl_vector_const_view_array(start, 4);
    gsl_vector_const_view v = gsl_vector_const_view_array(along, 4);
    gsl_multifit_nlinear_parameters how = gsl_multifit_nlinear_default_parameters();
    gsl_multifit_nlinear_workspace *w;
    gsl_multifit_nlinear_fdf fdf;
    ad_solver s;
    double worst = 0, sum = 0;
    int why = 0, bad, i;
    ad_solver_init(&s, residuals, NULL, 4, 4, N);
    fdf = ad_gsl_nlinear(&s);
    how.trs = gsl_multifit_nlinear_trs_lmaccel;
    w = gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &how, N, 4);
    bad = gsl_multifit_nlinear_init(&b.vector, &fdf, w)
        || gsl_multifit_nlinear_driver(500, 1e-12, 1e-12, 0, NULL, NULL, &why, w);
    for (i = 0; i < 4; i++)
        worst = fmax(worst, fabs(gsl_vector_get(w->x, (size_t)i) / certified[i] - 1));
    for (i = 0; i < N; i++) sum += gsl_pow_2(gsl_vector_get(w->f, (size_t)i));
    printf("%zu steps, %zu Jacobians, %zu second derivatives; sum of squares %.10E, NIST's "
           "3.0750560385E-04\nparameters: relative error %.1g\n", gsl_multifit_nlinear_niter(w),
           fdf.nevaldf, fdf.nevalfvv, sum, worst);
    bad = bad || fdf.nevalfvv == 0 || !(worst < 1e-6);
    /* By b0 and b1 at once: twice x / (x^2 + x b2 + b3); the fit would forgive a wrong one. */
    fdf.fvv(&b.vector, &v.vector, fdf.params, w->f);
    for (i = 0; i < N; i++)
        bad |= !(fabs(gsl_vector_get(w->f, (size_t)i)
                      - 2 * x[i] / (x[i] * x[i] + x[i] * start[2] + start[3])) < 1e-13);
    gsl_multifit_nlinear_free(w);
    ad_solver_free(&s);
    return bad;
}
