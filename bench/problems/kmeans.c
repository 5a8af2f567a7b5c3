/* k-means: data and compiled functions for all points (kmeans.h). */
#include "../ours.h"
#include "hand.h"

static int kmeans_make(bench_case *c)
{
    kmeans_data *g = BENCH_NEW(kmeans_data, 1);
    const size_t d = c->size[0], k = c->size[1], n = c->size[2];
    size_t i;
    c->data = g;
    g->d = d;
    g->k = k;
    g->n = n;
    g->x = BENCH_NEW(double, n * d);
    g->c = BENCH_NEW(double, k * d);
    g->ones = BENCH_NEW(double, k * d);
    g->work = BENCH_NEW(double, kmeans_work(d, k));
    for (i = 0; i < n * d; i++) g->x[i] = bench_normal();
    for (i = 0; i < k * d; i++) {
        g->c[i] = bench_normal();
        g->ones[i] = 1;
    }
    c->points = c->outputs = 1;
    c->inputs = c->columns = k * d;
    c->order = 2;
    c->direction = g->ones;
    c->work = (double)(n * k * d);
    return 0;
}
static void kmeans_clean(bench_case *c)
{
    kmeans_data *g = (kmeans_data *)c->data;
    free(g->x);
    free(g->c);
    free(g->ones);
    free(g->work);
    free(g);
}
static void kmeans_gather(const bench_case *c, size_t point, double *x)
{
    (void)point;
    memcpy(x, ((const kmeans_data *)c->data)->c, c->inputs * sizeof *x);
}

#define NUMBERS_FN
#define S(name) name##_one
#include "numbers.h"
#include "kmeans.h"
#include "numbers_end.h"

/* One function finds the nearest of all centroids for every point; points are put in the order of
   centroids; and another function, called for each centroid with its points, has the distance, its
   gradient, and that once more along the ones. */
typedef struct kmeans_fn {
    bench_map *find, *near;
    double *number;                            /* [n]: of the nearest centroid */
    uint32_t *order;                           /* [n] */
    size_t *from;                              /* [k + 1] */
} kmeans_fn;
static void *kmeans_fn_open(const bench_case *c)
{
    const kmeans_data *g = (const kmeans_data *)c->data;
    const size_t d = g->d, k = g->k, size = k * d;
    kmeans_fn *s = BENCH_NEW(kmeans_fn, 1);
    double *x = BENCH_NEW(double, size + d);
    ad_var *y = BENCH_NEW(ad_var, 1 + 2 * d), least, number = ad_const(0);
    bench_map *m;
    size_t i;
    s->number = BENCH_NEW(double, g->n);
    s->order = BENCH_NEW(uint32_t, g->n);
    s->from = BENCH_NEW(size_t, k + 1);
    memcpy(x, g->c, size * sizeof *x);
    memcpy(x + size, g->x, d * sizeof *x);
    m = s->find = bench_map_new(c, g->n, size + d, size, x);
    least = kmeans_distance_one(d, m->x, m->x + size);
    for (i = 1; i < k; i++) {
        const ad_var one = kmeans_distance_one(d, m->x + i * d, m->x + size);
        number = ad_var_select(ad_var_lt(one, least), ad_const((double)i), number);
        least = ad_var_min(least, one);
    }
    bench_map_take(m, 1, &number);
    m->stride[0] = 1;
    for (i = 0; i < size; i++) m->in[i] = ad_port_shared(g->c + i);
    for (i = 0; i < d; i++) m->in[size + i] = ad_port_in(g->x + i, (ptrdiff_t)d);

    m = s->near = bench_map_new(c, g->n, 2 * d, d, x + size - d);
    y[0] = kmeans_distance_one(d, m->x, m->x + d);
    ad_grad_vars(y[0], d, m->x, y + 1);
    ad_grad_vars(ad_var_sum(d, y + 1), d, m->x, y + 1 + d);
    bench_map_take(m, 1 + 2 * d, y);
    free(x);
    free(y);
    return s;
}
static int kmeans_fn_run(void *what, double *result)
{
    kmeans_fn *s = (kmeans_fn *)what;
    bench_map *m = s->near;
    const kmeans_data *g = (const kmeans_data *)m->c->data;
    const size_t d = g->d, k = g->k, size = k * d;
    double value = 0;
    size_t i, j, p;
    if (bench_map_run(s->find, s->number)) return 1;
    memset(s->from, 0, (k + 1) * sizeof *s->from);
    for (p = 0; p < g->n; p++) s->from[(size_t)(int)s->number[p] + 1]++;
    for (j = 1; j <= k; j++) s->from[j] += s->from[j - 1];
    for (p = 0; p < g->n; p++) s->order[s->from[(size_t)(int)s->number[p]]++] = (uint32_t)p;
    for (j = 0; j < k; j++) {                  /* from[j] is the end now */
        const size_t first = j ? s->from[j - 1] : 0;
        for (i = 0; i < d; i++) {
            m->in[i] = ad_port_shared(g->c + j * d + i);
            m->in[d + i] = ad_port_gather(g->x + i, (ptrdiff_t)d, s->order + first);
            m->out[1 + i] = ad_port_sum(result + 1 + j * d + i);
            m->out[1 + d + i] = ad_port_sum(result + 1 + size + j * d + i);
        }
        m->out[0] = ad_port_sum(result);
        if (ad_fn_map(m->f, s->from[j] - first, m->in, m->out, NULL) != AD_OK) return 1;
        value += result[0];
    }
    result[0] = value;
    return 0;
}
static void kmeans_fn_close(void *what)
{
    kmeans_fn *s = (kmeans_fn *)what;
    bench_map_close(s->find);
    bench_map_close(s->near);
    free(s->number);
    free(s->order);
    free(s->from);
    free(s);
}

static const bench_version kmeans_own[] = {
    { "fn", BENCH_COMPILED, kmeans_fn_open, kmeans_fn_run, kmeans_fn_close },
    { NULL, BENCH_OTHER, NULL, NULL, NULL }
};
static const size_t kmeans_cases[][3] = {
    { 4, 4, 100 }, { 4, 4, 1000 }, { 8, 16, 10000 }, { 16, 32, 20000 }, { 0, 0, 0 }
};
const bench_problem kmeans_problem = {
    "kmeans", "k-means, order 2", "d k n", kmeans_cases, 2, 1e-10, kmeans_make,
    kmeans_clean, kmeans_gather, { kmeans_hand_gcc, kmeans_hand_clang }, kmeans_own, 1
};
