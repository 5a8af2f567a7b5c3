/* A small neural network: data, a compiled function for all examples, arrays (network.h). */
#include "../ours.h"
#include "hand.h"

static int network_make(bench_case *c)
{
    network_data *g = BENCH_NEW(network_data, 1);
    const size_t n = c->size[0];
    size_t i;
    c->data = g;
    g->w = BENCH_NEW(double, NET_WEIGHTS);
    g->examples = BENCH_NEW(double, n * (NET_IN + 1));
    for (i = 0; i < NET_WEIGHTS; i++) g->w[i] = bench_random(-0.5, 0.5);
    for (i = 0; i < n * (NET_IN + 1); i++) g->examples[i] = bench_random(-1, 1);
    c->points = c->outputs = 1;
    c->inputs = c->columns = NET_WEIGHTS;
    c->work = (double)n * NET_WEIGHTS;
    return 0;
}
static void network_clean(bench_case *c)
{
    network_data *g = (network_data *)c->data;
    free(g->w);
    free(g->examples);
    free(g);
}
static void network_gather(const bench_case *c, size_t point, double *x)
{
    (void)point;
    memcpy(x, ((const network_data *)c->data)->w, NET_WEIGHTS * sizeof *x);
}

#define NUMBERS_FN
#define S(name) name##_one
#include "numbers.h"
#include "network.h"
#include "numbers_end.h"
static void *network_fn_open(const bench_case *c)
{
    const network_data *g = (const network_data *)c->data;
    double x[NET_WEIGHTS + NET_IN + 1];
    ad_var y;
    bench_map *m;
    size_t i;
    memcpy(x, g->w, NET_WEIGHTS * sizeof *x);
    memcpy(x + NET_WEIGHTS, g->examples, (NET_IN + 1) * sizeof *x);
    m = bench_map_new(c, c->size[0], NET_WEIGHTS + NET_IN + 1, NET_WEIGHTS, x);
    y = network_loss_one(m->x, m->x + NET_WEIGHTS);
    bench_map_derive(m, 1, &y);
    for (i = 0; i < NET_WEIGHTS; i++) m->in[i] = ad_port_shared(g->w + i);
    for (i = 0; i <= NET_IN; i++)
        m->in[NET_WEIGHTS + i] = ad_port_in(g->examples + i, NET_IN + 1);
    for (i = 0; i <= NET_WEIGHTS; i++) m->offset[i] = i;
    return m;
}

/* A layer: its weights stand input by input, so that x W is a row for each example. */
static ad_array network_layer(ad_array x, ad_array w, size_t *from, size_t in, size_t out)
{
    const ad_array m = bench_piece(w, *from, in, out), b = bench_piece(w, *from + in * out, out, 0);
    *from += (in + 1) * out;
    return ad_array_add(ad_array_matmul(x, m), b);
}
static ad_array network_arrays(const bench_case *c, ad_tape *t, ad_array w)
{
    const network_data *g = (const network_data *)c->data;
    const ad_array all = bench_data(t, c->size[0], NET_IN + 1, g->examples);
    size_t from = 0;
    ad_array x = ad_array_slice(all, 1, 0, NET_IN, 1);
    x = ad_array_tanh(network_layer(x, w, &from, NET_IN, NET_HIDDEN));
    x = ad_array_tanh(network_layer(x, w, &from, NET_HIDDEN, NET_HIDDEN));
    x = network_layer(x, w, &from, NET_HIDDEN, 1);
    x = ad_array_sub(x, ad_array_slice(all, 1, NET_IN, NET_IN + 1, 1));
    return ad_array_mul_r(ad_array_sum(ad_array_square(x), AD_ALL_AXES, 0), 0.5);
}
static void *network_arrays_open(const bench_case *c)
{
    return bench_arrays_new(c, network_arrays);
}

static const bench_version network_own[] = {
    { "arrays", BENCH_ARRAYS, network_arrays_open, bench_arrays_run, bench_arrays_close },
    { "fn", BENCH_COMPILED, network_fn_open, bench_map_run, bench_map_close },
    { NULL, BENCH_OTHER, NULL, NULL, NULL }
};
static const size_t network_cases[][3] = {
    { 1, 0, 0 }, { 10, 0, 0 }, { 100, 0, 0 }, { 1000, 0, 0 }, { 0, 0, 0 }
};
const bench_problem network_problem = {
    "network", "Small neural network", "examples", network_cases, 2, 1e-10, network_make,
    network_clean, network_gather, { network_hand_gcc, network_hand_clang }, network_own, 0
};
