/* Helmholtz' free energy: data and arrays (helmholtz.h). */
#include "../ours.h"
#include "hand.h"

static int helmholtz_make(bench_case *c)
{
    helmholtz_data *g = BENCH_NEW(helmholtz_data, 1);
    const size_t n = c->size[0];
    size_t i, j;
    c->data = g;
    g->b = BENCH_NEW(double, n);
    g->a = BENCH_NEW(double, n * n);
    g->x = BENCH_NEW(double, n);
    g->work = BENCH_NEW(double, 2 * n);
    for (i = 0; i < n; i++) {
        g->b[i] = gas_b(i, n);
        g->x[i] = bench_random(0.1, 2);
        for (j = 0; j < n; j++) g->a[i * n + j] = gas_a(i, j);
    }
    c->points = c->outputs = 1;
    c->inputs = c->columns = n;
    c->work = (double)(n * (n + 20));
    return 0;
}
static void helmholtz_clean(bench_case *c)
{
    helmholtz_data *g = (helmholtz_data *)c->data;
    free(g->b);
    free(g->a);
    free(g->x);
    free(g->work);
    free(g);
}
static void helmholtz_gather(const bench_case *c, size_t point, double *x)
{
    (void)point;
    memcpy(x, ((const helmholtz_data *)c->data)->x, c->inputs * sizeof *x);
}

static ad_array helmholtz_arrays(const bench_case *c, ad_tape *t, ad_array x)
{
    const helmholtz_data *g = (const helmholtz_data *)c->data;
    const size_t n = c->size[0];
    const ad_array b = ad_array_dot(bench_data(t, n, 0, g->b), x);
    const ad_array logs = ad_array_log(ad_array_div(x, ad_array_sub_from_r(1, b)));
    const ad_array attraction = ad_array_dot(x, ad_array_matmul(bench_data(t, n, n, g->a), x));
    const ad_array ratio = ad_array_div(ad_array_add_r(ad_array_mul_r(b, 1 + ROOT_2), 1),
        ad_array_add_r(ad_array_mul_r(b, 1 - ROOT_2), 1));
    return ad_array_sub(ad_array_mul_r(ad_array_dot(x, logs), GAS_RT),
        ad_array_mul(ad_array_div(attraction, ad_array_mul_r(b, 2 * ROOT_2)),
            ad_array_log(ratio)));
}
BENCH_OWN_ARRAYS(helmholtz)

static const size_t helmholtz_cases[][3] = {
    { 10, 0, 0 }, { 30, 0, 0 }, { 100, 0, 0 }, { 300, 0, 0 }, { 1000, 0, 0 }, { 0, 0, 0 }
};
const bench_problem helmholtz_problem = {
    "helmholtz", "Helmholtz energy", "n", helmholtz_cases, 2, 1e-10, helmholtz_make,
    helmholtz_clean, helmholtz_gather, { helmholtz_hand_gcc, helmholtz_hand_clang },
    helmholtz_own, 0
};
