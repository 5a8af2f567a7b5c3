/* Speelpenning's product: data and arrays (product.h). */
#include "../ours.h"
#include "hand_more_b.h"

/* exp(u / sqrt n) with u uniform in (-1, 1): the product of all has a logarithm of about 0.6. */
static int product_make(bench_case *c)
{
    const size_t n = c->size[0];
    double *x = BENCH_NEW(double, n);
    size_t i;
    c->data = x;
    c->points = c->outputs = 1;
    c->inputs = c->columns = n;
    c->work = (double)n;
    for (i = 0; i < n; i++) x[i] = exp(bench_random(-1, 1) / sqrt((double)n));
    return 0;
}
static void product_clean(bench_case *c) { free(c->data); }
static void product_gather(const bench_case *c, size_t point, double *x)
{
    (void)point;
    memcpy(x, c->data, c->inputs * sizeof *x);
}

static ad_array product_arrays(const bench_case *c, ad_tape *t, ad_array x)
{
    (void)c;
    (void)t;
    return ad_array_prod(x, AD_ALL_AXES, 0);
}
static void *product_arrays_open(const bench_case *c)
{
    return bench_arrays_new(c, product_arrays);
}

static const bench_version product_own[] = {
    { "arrays", BENCH_ARRAYS, product_arrays_open, bench_arrays_run, bench_arrays_close },
    { NULL, BENCH_OTHER, NULL, NULL, NULL }
};
static const size_t product_cases[][3] = {
    { 10, 0, 0 }, { 100, 0, 0 }, { 1000, 0, 0 }, { 10000, 0, 0 }, { 100000, 0, 0 }, { 0, 0, 0 }
};
const bench_problem product_problem = {
    "product", "Speelpenning's product", "n", product_cases, 2, 1e-11, product_make,
    product_clean, product_gather, { product_hand_gcc, product_hand_clang }, product_own, 0
};
