/* Rosenbrock's function: data and arrays (rosenbrock.h). */
#include "../ours.h"
#include "hand.h"

static int rosenbrock_make(bench_case *c)
{
    const size_t n = c->size[0];
    double *x = bench_vector(c, n);
    size_t i;
    for (i = 0; i < n; i++) x[i] = bench_random(-1, 1);
    return 0;
}

static ad_array rosenbrock_arrays(const bench_case *c, ad_tape *t, ad_array x)
{
    const ad_array head = ad_array_slice(x, 0, 0, -1, 1), tail = ad_array_slice(x, 0, 1, AD_END, 1);
    const ad_array a = ad_array_sub(tail, ad_array_square(head)), b = ad_array_sub_from_r(1, head);
    (void)c;
    (void)t;
    return ad_array_add(ad_array_mul_r(ad_array_dot(a, a), 100), ad_array_dot(b, b));
}
BENCH_OWN_ARRAYS(rosenbrock)

static const size_t rosenbrock_cases[][3] = {
    { 10, 0, 0 }, { 100, 0, 0 }, { 1000, 0, 0 }, { 10000, 0, 0 }, { 100000, 0, 0 }, { 0, 0, 0 }
};
const bench_problem rosenbrock_problem = {
    "rosenbrock", "Rosenbrock's function", "n", rosenbrock_cases, 2, 1e-11, rosenbrock_make,
    bench_vector_clean, bench_vector_gather, { rosenbrock_hand_gcc, rosenbrock_hand_clang },
    rosenbrock_own, 0
};
