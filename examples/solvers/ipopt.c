/* Ipopt: Hock & Schittkowski's problem 71, whose minimum is 17.0140173 at (1, 4.7429994, 3.8211503,
   1.3794082); and a chain of 1000 unknowns, whose minimum is where all are 1. */
#ifndef EXAMPLE_LINKED
#define AUTODIFF_STATIC
#endif
#include "../../autodiff.h"
#include "ad_ipopt.h"

enum { N = 1000 };

/* x0 x3 (x0 + x1 + x2) + x2; the product, the sum of squares */
static void hs071(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m, void *user)
{
    const ad_var sum = ad_var_add(ad_var_add(x[0], x[1]), x[2]);
    (void)t, (void)n, (void)m, (void)user;
    y[0] = ad_var_add(ad_var_mul(ad_var_mul(x[0], x[3]), sum), x[2]);
    y[1] = ad_var_mul(ad_var_mul(x[0], x[1]), ad_var_mul(x[2], x[3]));
    y[2] = ad_var_add(ad_var_add(ad_var_square(x[0]), ad_var_square(x[1])),
                      ad_var_add(ad_var_square(x[2]), ad_var_square(x[3])));
}

/* Sum of (x - 1)^2, with x[i] exp(x[i + 1] - 1) = 1 for neighbours. */
static void chain(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m, void *user)
{
    size_t i;
    (void)t, (void)m, (void)user;
    y[0] = ad_const(0);
    for (i = 0; i < n; i++) {
        y[0] = ad_var_add(y[0], ad_var_square(ad_var_sub_r(x[i], 1)));
        if (i + 1 < n) y[i + 1] = ad_var_mul(x[i], ad_var_exp(ad_var_sub_r(x[i + 1], 1)));
    }
}

/* A wrong one would do for the minimum, in more steps. The lower triangle of that of
   3 f + g0/2 + 2 g1 at (1, 5, 5, 1). */
static int hessian_is_wrong(void *o, double *x)
{
    const double right[10] = { 10, 5.5, 4, 5.5, 0.5, 4, 48.5, 5.5, 5.5, 4 };
    double H[10], lambda[2] = { 0.5, 2 }, worst = 0;
    int i, ok = ad_ipopt_hess(4, x, 1, 3, 2, lambda, 1, 10, NULL, NULL, H, o);
    for (i = 0; i < 10 && ok; i++) worst = fmax(worst, fabs(H[i] - right[i]));
    return !(ok && worst < 1e-12);
}

static int solve(ad_vfun f, size_t n, double *x, double *x_l, double *x_u, size_t m, double *g_l,
                 double *g_u, double *value)
{
    ad_ipopt *o = ad_ipopt_create(f, NULL, n, x, x_l, x_u, m, g_l, g_u);
    int how;
    if (!o || (n == 4 && hessian_is_wrong(o, x))) return 1;
    AddIpoptIntOption(o->problem, (char *)"print_level", 0);
    AddIpoptStrOption(o->problem, (char *)"sb", (char *)"yes");
    AddIpoptNumOption(o->problem, (char *)"tol", 1e-10);
    how = (int)IpoptSolve(o->problem, x, NULL, value, NULL, NULL, NULL, o);
    printf("%zu unknowns, %zu constraints, nonzeros: Jacobian %zu, Hessian %zu; status %d\n", n, m,
           o->constraints, o->hessian.row_start[n], how);
    ad_ipopt_destroy(o);
    return how != 0 && how != 1;
}

int main(void)
{
    const double best[4] = { 1, 4.74299963, 3.82114998, 1.37940829 };
    double x[4] = { 1, 5, 5, 1 }, x_l[4] = { 1, 1, 1, 1 }, x_u[4] = { 5, 5, 5, 5 };
    double g_l[2] = { 25, 40 }, g_u[2] = { 2e19, 40 }, value = 0, worst = 0;
    static double z[N], z_l[N], z_u[N], one[N];
    int i, bad;
    bad = solve(hs071, 4, x, x_l, x_u, 2, g_l, g_u, &value);
    for (i = 0; i < 4; i++) worst = fmax(worst, fabs(x[i] - best[i]));
    printf("  minimum %.7f at (%.7f, %.7f, %.7f, %.7f)\n", value, x[0], x[1], x[2], x[3]);
    bad |= !(worst < 1e-6 && fabs(value - 17.0140173) < 1e-6);
    for (worst = i = 0; i < N; i++) z[i] = 1.5, z_l[i] = -2e19, z_u[i] = 2e19, one[i] = 1;
    bad |= solve(chain, N, z, z_l, z_u, N - 1, one, one, &value);
    for (i = 0; i < N; i++) worst = fmax(worst, fabs(z[i] - 1));
    printf("  minimum %.1g, farthest from 1: %.1g\n", value, worst);
    return bad || !(worst < 1e-6);
}
