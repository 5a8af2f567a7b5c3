/* Speelpenning's product: data and arrays (product.h). */
#include "../ours.h"
#include "hand.h"

/* exp(u / sqrt n) with u uniform in (-1, 1): the product of all has a logarithm of about 0.6. */
static int product_make(bench_case *c)
{
    const size_t n = c->size[0];
    double *x = bench_vector(c, n);
    size_t i;
    for (i = 0; i < n; i++) x[i] = exp(bench_random(-1, 1) / sqrt((double)n));
    return 0;
}

static ad_array product_arrays(const bench_case *c, ad_tape *t, ad_array x)
{
    (void)c;
    (void)t;
    return ad_array_prod(x, AD_ALL_AXES, 0);
}
BENCH_OWN_ARRAYS(product)

static const size_t product_cases[][3] = {
    { 10, 0, 0 }, { 100, 0, 0 }, { 1000, 0, 0 }, { 10000, 0, 0 }, { 100000, 0, 0 }, { 0, 0, 0 }
};
const bench_problem product_problem = {
    "product", "Speelpenning's product", "n", product_cases, 2, 1e-11, product_make,
    bench_vector_clean, bench_vector_gather, { product_hand_gcc, product_hand_clang }, product_own,
    0
};
