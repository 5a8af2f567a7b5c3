/* Options: data and a compiled function for a portfolio (options.h). */
#include "../ours.h"
#include "hand.h"

static int options_make(bench_case *c)
{
    /* of y, gradient[5], Hessian by S: price, delta, gamma, vega, theta, rho */
    static const uint32_t pick[GREEKS] = { 0, 1, 6, 4, 3, 5 };
    options_data *g = BENCH_NEW(options_data, 1);
    const size_t n = c->size[0];
    size_t i;
    c->data = g;
    g->spot = BENCH_NEW(double, n);
    g->strike = BENCH_NEW(double, n);
    g->years = BENCH_NEW(double, 2 * n);
    g->volatility = BENCH_NEW(double, n);
    g->rate = 0.03;
    g->direction[0] = 1;
    for (i = 0; i < n; i++) {
        g->spot[i] = bench_random(80, 120);
        g->strike[i] = bench_random(80, 120);
        g->years[i] = bench_random(0.1, 2);
        g->years[n + i] = -g->years[i];
        g->volatility[i] = bench_random(0.1, 0.5);
    }
    c->points = n;
    c->inputs = c->columns = 5;
    c->outputs = 1;
    c->order = 2;
    c->direction = g->direction;
    c->pick = pick;
    c->picked = GREEKS;
    c->next_point = 1;
    c->next_number = n;
    c->work = (double)n;
    return 0;
}
static void options_clean(bench_case *c)
{
    options_data *g = (options_data *)c->data;
    free(g->spot);
    free(g->strike);
    free(g->years);
    free(g->volatility);
    free(g);
}
static void options_gather(const bench_case *c, size_t i, double *x)
{
    const options_data *g = (const options_data *)c->data;
    x[0] = g->spot[i];
    x[1] = g->strike[i];
    x[2] = -g->years[i];
    x[3] = g->volatility[i];
    x[4] = g->rate;
}

#define NUMBERS_FN
#define S(name) name##_one
#include "numbers.h"
#include "options.h"
#include "numbers_end.h"
static void *options_fn_open(const bench_case *c)
{
    const options_data *g = (const options_data *)c->data;
    const size_t n = c->points;
    double x[5];
    ad_var y[GREEKS], d[5];
    bench_map *m;
    size_t i;
    options_gather(c, 0, x);
    m = bench_map_new(c, n, 5, 5, x);
    y[0] = option_price_one(m->x);
    ad_grad_vars(y[0], 5, m->x, d);
    ad_grad_vars(d[0], 1, m->x, y + 2);
    y[1] = d[0];
    y[3] = d[3];
    y[4] = d[2];
    y[5] = d[4];
    bench_map_take(m, GREEKS, y);
    m->in[0] = ad_port_in(g->spot, 1);
    m->in[1] = ad_port_in(g->strike, 1);
    m->in[2] = ad_port_in(g->years + n, 1);
    m->in[3] = ad_port_in(g->volatility, 1);
    m->in[4] = ad_port_shared(&g->rate);
    for (i = 0; i < GREEKS; i++) {
        m->offset[i] = i * n;
        m->stride[i] = 1;
    }
    return m;
}

static const bench_version options_own[] = {
    { "fn", BENCH_COMPILED, options_fn_open, bench_map_run, bench_map_close },
    { NULL, BENCH_OTHER, NULL, NULL, NULL }
};
static const size_t options_cases[][3] = {
    { 100, 0, 0 }, { 1000, 0, 0 }, { 10000, 0, 0 }, { 100000, 0, 0 }, { 0, 0, 0 }
};
const bench_problem options_problem = {
    "options", "Black-Scholes Greeks", "n", options_cases, 2, 1e-10, options_make,
    options_clean, options_gather, { options_hand_gcc, options_hand_clang }, options_own, 1
};
