/* Long short-term memory: data and arrays (lstm.h). */
#include "../ours.h"
#include "hand.h"

static int lstm_make(bench_case *c)
{
    lstm_data *g = BENCH_NEW(lstm_data, 1);
    const size_t b = LSTM_UNITS, layers = c->size[0], steps = c->size[1], size = lstm_size(layers);
    size_t i, at = 0;
    c->data = g;
    g->layers = layers;
    g->steps = steps;
    g->theta = BENCH_NEW(double, size);
    g->state = BENCH_NEW(double, layers * 2 * b);
    g->text = BENCH_NEW(double, (steps + 1) * b);
    g->character = BENCH_NEW(uint32_t, steps + 1);
    g->work = BENCH_NEW(double, lstm_work(layers, steps));
    for (i = 0; i < size; i++) g->theta[i] = bench_normal();
    for (i = 0; i < layers * 2 * b; i++) g->state[i] = 0.5 * bench_normal();
    for (i = 0; i <= steps; i++) {             /* what comes next is not all chance */
        at = bench_random(0, 1) < 0.3 ? bench_below(b) : (3 * at + 1) % b;
        g->character[i] = (uint32_t)at;
        g->text[i * b + at] = 1;
    }
    c->points = c->outputs = 1;
    c->inputs = c->columns = size;
    c->work = (double)(steps * b * (16 * layers + 7));     /* operations of the text */
    return 0;
}
static void lstm_clean(bench_case *c)
{
    lstm_data *g = (lstm_data *)c->data;
    free(g->theta);
    free(g->state);
    free(g->text);
    free(g->character);
    free(g->work);
    free(g);
}
static void lstm_gather(const bench_case *c, size_t point, double *x)
{
    (void)point;
    memcpy(x, ((const lstm_data *)c->data)->theta, c->inputs * sizeof *x);
}

/* Layer by layer: what a layer sees, [steps, b], is there before its first step, so f and o, which
   do not look at h, are two operations each for all steps, as is the loss. What does look at h is
   seven operations a step; g and a stand under each other in one array. */
static ad_array lstm_arrays(const bench_case *c, ad_tape *t, ad_array theta)
{
    const lstm_data *g = (const lstm_data *)c->data;
    const size_t b = LSTM_UNITS, steps = g->steps;
    const int32_t one = LSTM_UNITS;
    ad_array *h = BENCH_NEW(ad_array, steps), x, y;
    size_t i, l, from = g->layers * LSTM_LAYER;
    x = ad_array_mul(bench_data(t, steps, b, g->text), bench_piece(theta, from, b, 0));
    for (l = 0; l < g->layers; l++) {
        const size_t at = l * LSTM_LAYER;
        const ad_array w = bench_piece(theta, at, 4, b), v = bench_piece(theta, at + 4 * b, 4, b);
        const ad_array wh = ad_array_slice(w, 0, 1, 4, 2), vh = ad_array_slice(v, 0, 1, 4, 2);
        const ad_array forget = ad_array_sigmoid(ad_array_fma(x, bench_piece(theta, at, b, 0),
            bench_piece(theta, at + 4 * b, b, 0)));
        const ad_array out = ad_array_sigmoid(ad_array_fma(x, bench_piece(theta, at + 2 * b, b, 0),
            bench_piece(theta, at + 6 * b, b, 0)));
        ad_array cell = ad_array_const_borrow(t, 1, &one, g->state + 2 * l * b);
        ad_array last = ad_array_const_borrow(t, 1, &one, g->state + (2 * l + 1) * b);
        for (i = 0; i < steps; i++) {
            const ad_array z = ad_array_fma(last, wh, vh);
            const ad_array in = ad_array_sigmoid(bench_piece(z, 0, 1, 0));
            const ad_array change = ad_array_tanh(bench_piece(z, 1, 1, 0));
            const int32_t k = (int32_t)i;
            cell = ad_array_fma(cell, ad_array_slice(forget, 0, k, k + 1, 1),
                ad_array_mul(in, change));
            h[i] = ad_array_mul(ad_array_slice(out, 0, k, k + 1, 1), ad_array_tanh(cell));
            last = h[i];
        }
        x = ad_array_concatenate(steps, h, 0);
    }
    y = ad_array_fma(x, bench_piece(theta, from + b, b, 0), bench_piece(theta, from + 2 * b, b, 0));
    free(h);
    return ad_array_cross_entropy(y, g->character + 1, AD_SUM);
}
static void *lstm_arrays_open(const bench_case *c)
{
    return bench_arrays_new(c, lstm_arrays);
}

/* ---- fn: weights are diagonal, so units meet in the softmax alone. Three functions: a unit's
   logits of all steps; the loss of a step and its derivatives by the logits, for all steps; and
   those pulled back through a unit. The first and the last are mapped over the units. */
#define NUMBERS_FN
#define S(name) name##_one
#include "numbers.h"
#include "lstm.h"
#include "numbers_end.h"

typedef struct lstm_fn {
    bench_map *forth, *loss, *back;
    double *logits, *by_logits;        /* [steps][b] */
} lstm_fn;
/* A map over units, with the inputs theta[8 l + 3], state[2 l], text[steps], and more[steps]. */
static bench_map *lstm_units(const bench_case *c, const double *more, ad_var *logit)
{
    const lstm_data *g = (const lstm_data *)c->data;
    const size_t b = LSTM_UNITS, steps = g->steps, rows = lstm_size(g->layers) / b;
    const size_t n = rows + 2 * g->layers + steps;
    double *x = BENCH_NEW(double, n + steps);
    ad_var *state, at;
    bench_map *m;
    size_t i, l;
    for (i = 0; i < rows; i++) x[i] = g->theta[i * b];
    for (i = 0; i < 2 * g->layers; i++) x[rows + i] = g->state[i * b];
    for (i = 0; i < steps; i++) x[rows + 2 * g->layers + i] = g->text[i * b];
    m = bench_map_new(c, b, more ? n + steps : n, rows, x);
    for (i = 0; i < rows; i++) m->in[i] = ad_port_in(g->theta + i * b, 1);
    for (i = 0; i < 2 * g->layers; i++) m->in[rows + i] = ad_port_in(g->state + i * b, 1);
    for (i = 0; i < steps; i++) {
        m->in[n - steps + i] = ad_port_in(g->text + i * b, 1);
        if (more) m->in[n + i] = ad_port_in(more + i * b, 1);
    }
    state = BENCH_NEW(ad_var, 2 * g->layers);
    memcpy(state, m->x + rows, 2 * g->layers * sizeof *state);
    for (i = 0; i < steps; i++) {
        at = ad_var_mul(m->x[rows - 3], m->x[n - steps + i]);
        for (l = 0; l < g->layers; l++) {
            lstm_unit_one(m->x + 8 * l, 1, at, state + 2 * l, state + 2 * l + 1);
            at = state[2 * l + 1];
        }
        logit[i] = ad_var_add(ad_var_mul(at, m->x[rows - 2]), m->x[rows - 1]);
    }
    free(state);
    free(x);
    return m;
}
static void *lstm_fn_open(const bench_case *c)
{
    const lstm_data *g = (const lstm_data *)c->data;
    const size_t b = LSTM_UNITS, steps = g->steps, rows = lstm_size(g->layers) / b;
    lstm_fn *s = BENCH_NEW(lstm_fn, 1);
    ad_var *logit = BENCH_NEW(ad_var, steps), *by = BENCH_NEW(ad_var, rows), y;
    double x[2 * LSTM_UNITS] = { 0 };
    bench_map *m;
    size_t i;
    s->logits = BENCH_NEW(double, steps * b);
    s->by_logits = BENCH_NEW(double, steps * b);
    m = s->forth = lstm_units(c, NULL, logit);
    bench_map_take(m, steps, logit);
    for (i = 0; i < steps; i++) {
        m->offset[i] = i * b;
        m->stride[i] = 1;
    }
    m = s->loss = bench_map_new(c, steps, 2 * b, b, x);
    y = ad_var_sub(ad_var_logsumexp(b, m->x), ad_var_dot(b, m->x, m->x + b));
    bench_map_derive(m, 1, &y);
    for (i = 0; i < b; i++) {
        m->in[i] = ad_port_in(s->logits + i, (ptrdiff_t)b);
        m->in[b + i] = ad_port_in(g->text + b + i, (ptrdiff_t)b);
    }
    m = s->back = lstm_units(c, s->by_logits, logit);
    y = ad_var_dot(steps, logit, m->x + m->n - steps);
    ad_grad_vars(y, rows, m->x, by);
    bench_map_take(m, rows, by);
    for (i = 0; i < rows; i++) {
        m->offset[i] = 1 + i * b;
        m->stride[i] = 1;
    }
    free(logit);
    free(by);
    return s;
}
static int lstm_fn_run(void *what, double *result)
{
    lstm_fn *s = (lstm_fn *)what;
    bench_map *m = s->loss;
    double nodes = 0, bytes = 0;
    size_t i;
    if (bench_map_run(s->forth, s->logits)) return 1;
    nodes += bench_told.nodes;
    bytes += bench_told.bytes;
    m->out[0] = ad_port_sum(result);
    for (i = 0; i < LSTM_UNITS; i++) m->out[1 + i] = ad_port_out(s->by_logits + i, LSTM_UNITS);
    if (ad_fn_map(m->f, m->points, m->in, m->out, NULL) != AD_OK) return 1;
    if (bench_map_run(s->back, result)) return 1;
    bench_told.nodes += nodes;
    bench_told.bytes += bytes;
    return 0;
}
static void lstm_fn_close(void *what)
{
    lstm_fn *s = (lstm_fn *)what;
    bench_map_close(s->forth);
    bench_map_close(s->loss);
    bench_map_close(s->back);
    free(s->logits);
    free(s->by_logits);
    free(s);
}

static const bench_version lstm_own[] = {
    { "arrays", BENCH_ARRAYS, lstm_arrays_open, bench_arrays_run, bench_arrays_close },
    { "fn", BENCH_COMPILED, lstm_fn_open, lstm_fn_run, lstm_fn_close },
    { NULL, BENCH_OTHER, NULL, NULL, NULL }
};
static const size_t lstm_cases[][3] = {
    { 2, 16, 0 }, { 2, 128, 0 }, { 2, 1024, 0 }, { 2, 4096, 0 }, { 4, 1024, 0 }, { 0, 0, 0 }
};
const bench_problem lstm_problem = {
    "lstm", "LSTM", "l steps", lstm_cases, 2, 1e-9, lstm_make, lstm_clean, lstm_gather,
    { lstm_hand_gcc, lstm_hand_clang }, lstm_own, 0
};
