/* Gaussian mixture: data, the derivative by hand, and versions for many points (gmm.h). */
#include "../ours.h"
#include "gmm.h"
#include "hand.h"

static int gmm_make(bench_case *c)
{
    gmm_data *g = BENCH_NEW(gmm_data, 1);
    const size_t d = c->size[0], k = c->size[1], n = c->size[2];
    size_t i, j, at = d;
    c->data = g;
    g->d = d;
    g->k = k;
    g->n = n;
    g->x = BENCH_NEW(double, n * d);
    g->theta = BENCH_NEW(double, gmm_size(d, k));
    g->work = BENCH_NEW(double, mixture_work(d, k));
    for (i = 0; i < n * d; i++) g->x[i] = bench_normal();
    for (i = 0; i < gmm_size(d, k); i++) g->theta[i] = 0.3 * bench_normal();
    g->rows = BENCH_NEW(double, n * (d + 1));
    for (i = 0; i < n; i++) {
        memcpy(g->rows + i * (d + 1), g->x + i * d, d * sizeof(double));
        g->rows[i * (d + 1) + d] = -1;
    }
    /* of exp(q)[d], the columns below the diagonal, a zero */
    g->places = BENCH_NEW(uint32_t, d * d);
    for (i = 0; i < d * d; i++) g->places[i] = (uint32_t)(d + d * (d - 1) / 2);
    for (j = 0; j < d; j++) {
        g->places[j * d + j] = (uint32_t)j;
        for (i = j + 1; i < d; i++) g->places[i * d + j] = (uint32_t)at++;
    }
    c->points = 1;
    c->inputs = c->columns = gmm_size(d, k);
    c->outputs = 1;
    c->work = (double)n * (double)k * (double)(d * d + 4 * d + 8);
    return 0;
}
static void gmm_clean(bench_case *c)
{
    gmm_data *g = (gmm_data *)c->data;
    free(g->x);
    free(g->theta);
    free(g->work);
    free(g->rows);
    free(g->places);
    free(g);
}
static void gmm_gather(const bench_case *c, size_t point, double *x)
{
    (void)point;
    memcpy(x, ((const gmm_data *)c->data)->theta, c->inputs * sizeof *x);
}

/* ---- fn: the log-likelihood of a point, summed over all by a map, and the rest at one point */
#define NUMBERS_FN
#define S(name) name##_one
#include "numbers.h"
#include "gmm.h"
#include "numbers_end.h"

typedef struct gmm_fn {
    bench_map *points, *rest;
    double *more;                    /* of the rest */
} gmm_fn;
static void gmm_fn_close(void *what)
{
    gmm_fn *s = (gmm_fn *)what;
    bench_map_close(s->points);
    bench_map_close(s->rest);
    free(s->more);
    free(s);
}
static void *gmm_fn_open(const bench_case *c)
{
    const gmm_data *g = (const gmm_data *)c->data;
    const size_t d = g->d, k = g->k, size = c->inputs;
    gmm_fn *s = BENCH_NEW(gmm_fn, 1);
    bench_map *m;
    double *values = BENCH_NEW(double, size + d);
    ad_var *scale = BENCH_NEW(ad_var, k * d), *offset = BENCH_NEW(ad_var, k);
    ad_var *work = BENCH_NEW(ad_var, 2 * d + k), y;
    size_t i;
    memcpy(values, g->theta, size * sizeof(double));
    memcpy(values + size, g->x, d * sizeof(double));
    m = s->points = bench_map_new(c, g->n, size + d, size, values);
    gmm_prepare_one(d, k, m->x, m->x + k + k * d, offset, scale);
    y = gmm_point_one(d, k, offset, m->x + k, scale, m->x + k + 2 * k * d, m->x + size, work);
    bench_map_derive(m, 1, &y);
    for (i = 0; i < size; i++) m->in[i] = ad_port_shared(g->theta + i);
    for (i = 0; i < d; i++) m->in[size + i] = ad_port_in(g->x + i, (ptrdiff_t)d);
    for (i = 0; i <= size; i++) m->offset[i] = i;

    m = s->rest = bench_map_new(c, 1, size, size, g->theta);
    gmm_prepare_one(d, k, m->x, m->x + k + k * d, offset, scale);
    y = gmm_rest_one(d, k, (double)g->n, m->x, scale);
    bench_map_derive(m, 1, &y);
    s->more = BENCH_NEW(double, size + 1);
    free(values);
    free(scale);
    free(offset);
    free(work);
    return s;
}
static int gmm_fn_run(void *what, double *result)
{
    gmm_fn *s = (gmm_fn *)what;
    const bench_case *c = s->points->c;
    size_t i;
    int wrong = bench_map_run(s->points, result);
    wrong |= ad_fn_eval(s->rest->f, ((const gmm_data *)c->data)->theta, s->more) != AD_OK;
    for (i = 0; i <= c->inputs; i++) result[i] += s->more[i];
    return wrong;
}

/* ---- arrays: [Q, Q mu] times a row (x, -1) is Q (x - mu). Where a component has much of that,
   they go one by one, so that its numbers are in the cache when their norms are taken. */
static ad_array gmm_arrays(const bench_case *c, ad_tape *t, ad_array theta)
{
    const gmm_data *g = (const gmm_data *)c->data;
    const size_t d = g->d, k = g->k, n = g->n, kd = k * d, triangle = d * (d - 1) / 2;
    const double half = 0.5 * GMM_GAMMA * GMM_GAMMA;
    const ad_array alpha = bench_piece(theta, 0, k, 0), mu = bench_piece(theta, k, kd, 1);
    const ad_array q = bench_piece(theta, k + kd, k, d);
    const ad_array x = bench_data(t, n, d + 1, g->rows);
    const ad_array logs = ad_array_sum(q, AD_AXIS(1), 0);
    int32_t dim[3];
    ad_array part[3], Q, y, square, prior;
    size_t j;
    dim[0] = (int32_t)k;
    dim[1] = 1;
    part[0] = ad_array_exp(q);
    part[1] = bench_piece(theta, k + 2 * kd, k, triangle);
    part[2] = ad_array_full(t, 2, dim, 0);
    Q = ad_array_gather(ad_array_concatenate(3, part, 1), 1, d * d, g->places);
    prior = ad_array_sub(ad_array_mul_r(ad_array_sum(logs, AD_ALL_AXES, 0), GMM_M),
        ad_array_mul_r(ad_array_dot(Q, Q), half));
    dim[1] = dim[2] = (int32_t)d;
    part[0] = ad_array_reshape(Q, 3, dim);
    dim[2] = 1;
    part[1] = ad_array_matmul(part[0], ad_array_reshape(mu, 3, dim));
    Q = ad_array_concatenate(2, part, 2);
    if (d < 5) {                               /* few coordinates: each one of all components */
        dim[0] = (int32_t)k;
        dim[1] = (int32_t)(d + 1);
        for (j = 0; j < d; j++) {
            const ad_array one = ad_array_slice(Q, 1, (int32_t)j, (int32_t)j + 1, 1);
            part[0] = ad_array_matmul_t(x, 0, ad_array_reshape(one, 2, dim), 1);
            part[0] = ad_array_square(part[0]);
            square = j == 0 ? part[0] : ad_array_add(square, part[0]);
        }
    } else if (d < 32) {
        dim[0] = (int32_t)kd;
        dim[1] = (int32_t)(d + 1);
        y = ad_array_matmul_t(x, 0, ad_array_reshape(Q, 2, dim), 1);
        dim[0] = (int32_t)n;
        dim[1] = (int32_t)k;
        dim[2] = (int32_t)d;
        y = ad_array_norm(ad_array_reshape(y, 3, dim), AD_AXIS(2), 0);
        square = ad_array_square(y);
    } else {
        ad_array *distance = BENCH_NEW(ad_array, k);
        dim[0] = (int32_t)d;
        dim[1] = (int32_t)(d + 1);
        for (j = 0; j < k; j++) {
            const ad_array one = ad_array_slice(Q, 0, (int32_t)j, (int32_t)j + 1, 1);
            y = ad_array_matmul_t(x, 0, ad_array_reshape(one, 2, dim), 1);
            distance[j] = ad_array_norm(y, AD_AXIS(1), 0);
        }
        square = ad_array_square(ad_array_stack(k, distance, 1));
        free(distance);
    }
    y = ad_array_sub(ad_array_add(alpha, logs), ad_array_mul_r(square, 0.5));
    y = ad_array_sum(ad_array_logsumexp(y, AD_AXIS(1), 0), AD_ALL_AXES, 0);
    y = ad_array_sub(y, ad_array_mul_r(ad_array_add_r(ad_array_logsumexp(alpha, AD_ALL_AXES, 0),
        0.5 * LOG_2_PI * (double)d), (double)n));
    return ad_array_add(y, prior);
}
static void *gmm_arrays_open(const bench_case *c) { return bench_arrays_new(c, gmm_arrays); }

static const bench_version gmm_own[] = {
    { "arrays", BENCH_ARRAYS, gmm_arrays_open, bench_arrays_run, bench_arrays_close },
    { "fn", BENCH_COMPILED, gmm_fn_open, gmm_fn_run, gmm_fn_close },
    { NULL, BENCH_OTHER, NULL, NULL, NULL }
};
static const size_t gmm_cases[][3] = {
    { 2, 5, 1000 }, { 10, 5, 1000 }, { 20, 25, 1000 }, { 64, 50, 1000 }, { 64, 200, 1000 },
    { 2, 25, 10000 }, { 20, 25, 10000 }, { 0, 0, 0 }
};
const bench_problem gmm_problem = {
    "gmm", "Gaussian mixture", "d k n", gmm_cases, 2, 1e-9, gmm_make, gmm_clean, gmm_gather,
    { gmm_hand_gcc, gmm_hand_clang }, gmm_own, 1
};
