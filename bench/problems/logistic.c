/* Logistic regression: data and a compiled function for all examples (logistic.h). */
#include "../ours.h"
#include "hand.h"

static int logistic_make(bench_case *c)
{
    logistic_data *g = BENCH_NEW(logistic_data, 1);
    const size_t d = c->size[0], n = c->size[1];
    size_t i;
    c->data = g;
    g->x = BENCH_NEW(double, d * n);
    g->label = BENCH_NEW(double, n);
    g->w = BENCH_NEW(double, d);
    for (i = 0; i < d * n; i++) g->x[i] = bench_random(-1, 1);
    for (i = 0; i < n; i++) g->label[i] = bench_random(0, 1) > 0.6;
    for (i = 0; i < d; i++) g->w[i] = bench_random(-1, 1);
    c->points = c->outputs = 1;
    c->inputs = c->columns = d;
    c->work = (double)(n * (d + 10));
    return 0;
}
static void logistic_clean(bench_case *c)
{
    logistic_data *g = (logistic_data *)c->data;
    free(g->x);
    free(g->label);
    free(g->w);
    free(g);
}
static void logistic_gather(const bench_case *c, size_t point, double *x)
{
    (void)point;
    memcpy(x, ((const logistic_data *)c->data)->w, c->inputs * sizeof *x);
}

#define NUMBERS_FN
#define S(name) name##_one
#include "numbers.h"
#include "logistic.h"
#include "numbers_end.h"
static void *logistic_fn_open(const bench_case *c)
{
    const logistic_data *g = (const logistic_data *)c->data;
    const size_t d = c->size[0];
    double *x = BENCH_NEW(double, 2 * d + 1);
    bench_map *m;
    ad_var y;
    size_t i;
    memcpy(x, g->w, d * sizeof *x);
    memcpy(x + d, g->x, d * sizeof *x);
    m = bench_map_new(c, c->size[1], 2 * d + 1, d, x);
    y = logistic_loss_one(d, m->x, m->x + d, m->x[2 * d]);
    bench_map_derive(m, 1, &y);
    for (i = 0; i < d; i++) m->in[i] = ad_port_shared(g->w + i);
    for (i = 0; i < d; i++) m->in[d + i] = ad_port_in(g->x + i, (ptrdiff_t)d);
    m->in[2 * d] = ad_port_in(g->label, 1);
    for (i = 0; i <= d; i++) m->offset[i] = i;
    free(x);
    return m;
}

static ad_array logistic_arrays(const bench_case *c, ad_tape *t, ad_array w)
{
    const logistic_data *g = (const logistic_data *)c->data;
    const ad_array z = ad_array_matmul(bench_data(t, c->size[1], c->size[0], g->x), w);
    return ad_array_binary_cross_entropy(z, bench_data(t, c->size[1], 0, g->label), AD_SUM);
}
static void *logistic_arrays_open(const bench_case *c)
{
    return bench_arrays_new(c, logistic_arrays);
}

static const bench_version logistic_own[] = {
    { "arrays", BENCH_ARRAYS, logistic_arrays_open, bench_arrays_run, bench_arrays_close },
    { "fn", BENCH_COMPILED, logistic_fn_open, bench_map_run, bench_map_close },
    { NULL, BENCH_OTHER, NULL, NULL, NULL }
};
static const size_t logistic_cases[][3] = {
    { 10, 100, 0 }, { 10, 1000, 0 }, { 10, 10000, 0 }, { 10, 100000, 0 }, { 50, 100000, 0 },
    { 0, 0, 0 }
};
const bench_problem logistic_problem = {
    "logistic", "Logistic regression", "d n", logistic_cases, 2, 1e-10, logistic_make,
    logistic_clean, logistic_gather, { logistic_hand_gcc, logistic_hand_clang }, logistic_own, 1
};
