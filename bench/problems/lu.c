/* log |det|: data and arrays (lu.h). */
#include "../ours.h"
#include "hand.h"

static int lu_make(bench_case *c)
{
    lu_data *g = BENCH_NEW(lu_data, 1);
    const size_t n = c->size[0];
    size_t i;
    c->data = g;
    g->a = BENCH_NEW(double, n * n);
    g->work = BENCH_NEW(double, n * n);
    g->row = BENCH_NEW(size_t, n);
    for (i = 0; i < n * n; i++) g->a[i] = bench_normal();
    c->points = c->outputs = 1;
    c->inputs = c->columns = n * n;
    c->work = (double)(n * n * n);
    return 0;
}
static void lu_clean(bench_case *c)
{
    lu_data *g = (lu_data *)c->data;
    free(g->a);
    free(g->work);
    free(g->row);
    free(g);
}
static void lu_gather(const bench_case *c, size_t point, double *x)
{
    (void)point;
    memcpy(x, ((const lu_data *)c->data)->a, c->inputs * sizeof *x);
}

static ad_array lu_arrays(const bench_case *c, ad_tape *t, ad_array x)
{
    (void)t;
    return ad_array_logdet(bench_piece(x, 0, c->size[0], c->size[0]));
}
BENCH_OWN_ARRAYS(lu)

static const size_t lu_cases[][3] = {
    { 4, 0, 0 }, { 10, 0, 0 }, { 25, 0, 0 }, { 50, 0, 0 }, { 100, 0, 0 }, { 0, 0, 0 }
};
const bench_problem lu_problem = {
    "lu", "log |det| by elimination", "n", lu_cases, 2, 1e-8, lu_make, lu_clean, lu_gather,
    { lu_hand_gcc, lu_hand_clang }, lu_own, 0
};
