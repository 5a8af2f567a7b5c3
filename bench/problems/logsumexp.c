/* Log of a sum of exponentials: data and arrays (logsumexp.h). */
#include "../ours.h"
#include "hand_more_b.h"

static int logsumexp_make(bench_case *c)
{
    const size_t n = c->size[0];
    double *x = BENCH_NEW(double, n);
    size_t i;
    c->data = x;
    c->points = c->outputs = 1;
    c->inputs = c->columns = n;
    c->work = (double)n;
    for (i = 0; i < n; i++) x[i] = bench_random(-5, 5);
    return 0;
}
static void logsumexp_clean(bench_case *c) { free(c->data); }
static void logsumexp_gather(const bench_case *c, size_t point, double *x)
{
    (void)point;
    memcpy(x, c->data, c->inputs * sizeof *x);
}

static ad_array logsumexp_arrays(const bench_case *c, ad_tape *t, ad_array x)
{
    (void)c;
    (void)t;
    return ad_array_logsumexp(x, AD_ALL_AXES, 0);
}
static void *logsumexp_arrays_open(const bench_case *c)
{
    return bench_arrays_new(c, logsumexp_arrays);
}

static const bench_version logsumexp_own[] = {
    { "arrays", BENCH_ARRAYS, logsumexp_arrays_open, bench_arrays_run, bench_arrays_close },
    { NULL, BENCH_OTHER, NULL, NULL, NULL }
};
static const size_t logsumexp_cases[][3] = {
    { 10, 0, 0 }, { 100, 0, 0 }, { 1000, 0, 0 }, { 10000, 0, 0 }, { 100000, 0, 0 },
    { 1000000, 0, 0 }, { 0, 0, 0 }
};
const bench_problem logsumexp_problem = {
    "logsumexp", "Log of a sum of exp", "n", logsumexp_cases, 2, 1e-11, logsumexp_make,
    logsumexp_clean, logsumexp_gather, { logsumexp_hand_gcc, logsumexp_hand_clang },
    logsumexp_own, 0
};
