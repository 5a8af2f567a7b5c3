/* Determinant by cofactors: data (cofactors.h). */
#include "../ours.h"
#include "hand_more_b.h"

static int cofactors_make(bench_case *c)
{
    const size_t n = c->size[0];
    double *a = BENCH_NEW(double, n * n);
    size_t i;
    c->data = a;
    c->points = c->outputs = 1;
    c->inputs = c->columns = n * n;
    for (i = 0; i < n * n; i++) a[i] = bench_random(-1, 1) + (i % (n + 1) == 0 ? 1 : 0);
    /* products: those of a minor's terms, and n times what the minors of n - 1 take */
    for (i = 2, c->work = 0; i <= n; i++) c->work = (double)i * (1 + c->work);
    return 0;
}
static void cofactors_clean(bench_case *c) { free(c->data); }
static void cofactors_gather(const bench_case *c, size_t point, double *x)
{
    (void)point;
    memcpy(x, c->data, c->inputs * sizeof *x);
}
static const size_t cofactors_cases[][3] = {
    { 3, 0, 0 }, { 4, 0, 0 }, { 5, 0, 0 }, { 6, 0, 0 }, { 7, 0, 0 }, { 8, 0, 0 }, { 0, 0, 0 }
};
const bench_problem cofactors_problem = {
    "cofactors", "Determinant by cofactors", "n", cofactors_cases, 3, 1e-11, cofactors_make,
    cofactors_clean, cofactors_gather, { cofactors_hand_gcc, cofactors_hand_clang }, NULL, 0
};
