/* Bundle adjustment: data and a compiled function for all observations (bundle.h). */
#include "../ours.h"
#include "hand.h"

/* As many observations a camera as is usual, a few of which see a point without rotation. */
static int bundle_make(bench_case *c)
{
    bundle_data *g = BENCH_NEW(bundle_data, 1);
    const size_t cameras = c->size[0], n = c->size[1], points = n / 4 + 1;
    size_t i, j;
    c->data = g;
    g->cameras = BENCH_NEW(double, 11 * cameras);
    g->points = BENCH_NEW(double, 3 * points);
    g->weights = BENCH_NEW(double, n);
    g->pixels = BENCH_NEW(double, 2 * n);
    g->camera = BENCH_NEW(uint32_t, n);
    g->point = BENCH_NEW(uint32_t, n);
    for (i = 0; i < cameras; i++) {
        double *p = g->cameras + 11 * i;
        const double small = i % 10 ? 1 : i % 20 ? 1e-7 : 0;
        for (j = 0; j < 3; j++) p[j] = small * bench_random(-0.8, 0.8);
        p[3] = bench_random(-0.8, 0.8);
        p[4] = bench_random(-0.8, 0.8);
        p[5] = bench_random(-6, -4);
        p[6] = bench_random(400, 600);
        p[7] = bench_random(300, 340);
        p[8] = bench_random(220, 260);
        p[9] = bench_random(-0.1, 0.1);
        p[10] = bench_random(-0.01, 0.01);
    }
    for (i = 0; i < 3 * points; i++) g->points[i] = bench_random(-1, 1);
    for (i = 0; i < n; i++) {
        g->camera[i] = (uint32_t)(i * cameras / n);
        g->point[i] = (uint32_t)bench_below(points);
        g->weights[i] = bench_random(0.5, 1.5);
        g->pixels[2 * i] = bench_random(200, 400);
        g->pixels[2 * i + 1] = bench_random(200, 400);
    }
    c->points = n;
    c->inputs = c->columns = BUNDLE_VARIABLES;
    c->outputs = 2;
    c->work = (double)n;
    return 0;
}
static void bundle_clean(bench_case *c)
{
    bundle_data *g = (bundle_data *)c->data;
    free(g->cameras);
    free(g->points);
    free(g->weights);
    free(g->pixels);
    free(g->camera);
    free(g->point);
    free(g);
}
static void bundle_gather(const bench_case *c, size_t i, double *x)
{
    const bundle_data *g = (const bundle_data *)c->data;
    memcpy(x, g->cameras + 11 * (size_t)g->camera[i], 11 * sizeof *x);
    memcpy(x + 11, g->points + 3 * (size_t)g->point[i], 3 * sizeof *x);
    x[14] = g->weights[i];
}

#define NUMBERS_FN
#define S(name) name##_one
#include "numbers.h"
#include "bundle.h"
#include "numbers_end.h"
static void *bundle_fn_open(const bench_case *c)
{
    const bundle_data *g = (const bundle_data *)c->data;
    double x[BUNDLE_INPUTS];
    ad_var y[2];
    bench_map *m;
    size_t i;
    bundle_gather(c, 0, x);
    memcpy(x + 15, g->pixels, 2 * sizeof *x);
    m = bench_map_new(c, c->points, BUNDLE_INPUTS, BUNDLE_VARIABLES, x);
    bundle_residual_one(m->x, m->x + 15, y);
    bench_map_derive(m, 2, y);
    for (i = 0; i < 11; i++) m->in[i] = ad_port_gather(g->cameras + i, 11, g->camera);
    for (i = 0; i < 3; i++) m->in[11 + i] = ad_port_gather(g->points + i, 3, g->point);
    m->in[14] = ad_port_in(g->weights, 1);
    for (i = 0; i < 2; i++) m->in[15 + i] = ad_port_in(g->pixels + i, 2);
    for (i = 0; i < BUNDLE_OUTPUTS; i++) {
        m->offset[i] = i;
        m->stride[i] = BUNDLE_OUTPUTS;
    }
    return m;
}

static const bench_version bundle_own[] = {
    { "fn", BENCH_COMPILED, bundle_fn_open, bench_map_run, bench_map_close },
    { NULL, BENCH_OTHER, NULL, NULL, NULL }
};
static const size_t bundle_cases[][3] = {
    { 5, 500, 0 }, { 50, 5000, 0 }, { 500, 50000, 0 }, { 5000, 500000, 0 }, { 0, 0, 0 }
};
const bench_problem bundle_problem = {
    "bundle", "Bundle adjustment", "cameras observations", bundle_cases, 1, 1e-9, bundle_make,
    bundle_clean, bundle_gather, { bundle_hand_gcc, bundle_hand_clang }, bundle_own, 1
};
