/* Determinant by cofactors: data (cofactors.h). */
#include "../ours.h"
#include "hand.h"

static int cofactors_make(bench_case *c)
{
    const size_t n = c->size[0];
    double *a = bench_vector(c, n * n);
    size_t i;
    for (i = 0; i < n * n; i++) a[i] = bench_random(-1, 1) + (i % (n + 1) == 0 ? 1 : 0);
    /* products: those of a minor's terms, and n times what the minors of n - 1 take */
    for (i = 2, c->work = 0; i <= n; i++) c->work = (double)i * (1 + c->work);
    return 0;
}
static const size_t cofactors_cases[][3] = {
    { 3, 0, 0 }, { 4, 0, 0 }, { 5, 0, 0 }, { 6, 0, 0 }, { 7, 0, 0 }, { 8, 0, 0 }, { 0, 0, 0 }
};
const bench_problem cofactors_problem = {
    "cofactors", "Determinant by cofactors", "n", cofactors_cases, 3, 1e-11, cofactors_make,
    bench_vector_clean, bench_vector_gather, { cofactors_hand_gcc, cofactors_hand_clang }, NULL, 0
};
