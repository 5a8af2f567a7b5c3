/* Log of a sum of exponentials: data and arrays (logsumexp.h). */
#include "../ours.h"
#include "hand.h"

static int logsumexp_make(bench_case *c)
{
    const size_t n = c->size[0];
    double *x = bench_vector(c, n);
    size_t i;
    for (i = 0; i < n; i++) x[i] = bench_random(-5, 5);
    return 0;
}

static ad_array logsumexp_arrays(const bench_case *c, ad_tape *t, ad_array x)
{
    (void)c;
    (void)t;
    return ad_array_logsumexp(x, AD_ALL_AXES, 0);
}
BENCH_OWN_ARRAYS(logsumexp)

static const size_t logsumexp_cases[][3] = {
    { 10, 0, 0 }, { 100, 0, 0 }, { 1000, 0, 0 }, { 10000, 0, 0 }, { 100000, 0, 0 },
    { 1000000, 0, 0 }, { 0, 0, 0 }
};
const bench_problem logsumexp_problem = {
    "logsumexp", "Log of a sum of exp", "n", logsumexp_cases, 2, 1e-11, logsumexp_make,
    bench_vector_clean, bench_vector_gather, { logsumexp_hand_gcc, logsumexp_hand_clang },
    logsumexp_own, 0
};
