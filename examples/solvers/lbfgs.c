/* libLBFGS: Rosenbrock's function in 1000 unknowns, pair by pair; its minimum is 0 where all are 1
   (More, Garbow & Hillstrom 1981, problem 21). */
#ifndef EXAMPLE_LINKED
#define AUTODIFF_STATIC
#endif
#include "../../autodiff.h"
#include "ad_lbfgs.h"

enum { N = 1000 };

static void rosenbrock(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m, void *user)
{
    size_t i;
    (void)t, (void)m, (void)user;
    y[0] = ad_const(0);
    for (i = 0; i < n; i += 2) {
        const ad_var off = ad_var_sub(x[i + 1], ad_var_square(x[i]));
        y[0] = ad_var_add(y[0], ad_var_mul_r(ad_var_square(off), 100));
        y[0] = ad_var_add(y[0], ad_var_square(ad_var_sub_from_r(1, x[i])));
    }
}

int main(void)
{
    static double x[N];
    double value = 0, worst = 0;
    lbfgs_parameter_t how;
    ad_solver s;
    int i, code;
    lbfgs_parameter_init(&how);
    how.epsilon = 1e-12;
    for (i = 0; i < N; i++) x[i] = i % 2 ? 1 : -1.2;
    ad_solver_init(&s, rosenbrock, NULL, N, N, 1);
    code = lbfgs(N, x, &value, ad_lbfgs_evaluate, ad_lbfgs_progress, &s, &how);
    for (i = 0; i < N; i++) worst = fmax(worst, fabs(x[i] - 1));
    printf("code %d: minimum %.2g, farthest from 1: %.2g\n", code, value, worst);
    ad_solver_free(&s);
    return code < 0 || s.status != AD_OK || !(worst < 1e-9);
}
