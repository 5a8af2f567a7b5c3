/* Hand tracking: a synthetic hand, and compiled functions for all correspondences (tracking.h). */
#include "../ours.h"
#include "hand.h"

/* out = a b, affine, by rows */
static void tracking_product(const double *a, const double *b, double *out)
{
    size_t i, j;
    for (i = 0; i < 3; i++)
        for (j = 0; j < 4; j++)
            out[4 * i + j] = a[4 * i] * b[j] + a[4 * i + 1] * b[4 + j] + a[4 * i + 2] * b[8 + j]
                + (j == 3 ? a[4 * i + 3] : 0);
}
/* Fingers side by side along y, each bone 1 long, a little turned at rest; all in the hand's frame.
   The inverse of a rotation and a shift d is the transpose, and -R^T d. */
static void tracking_model(tracking_data *g)
{
    double rest[TRACKING_BONES][12];
    size_t f, b, i, j, k, v;
    for (f = 0; f < TRACKING_FINGERS; f++)
        for (j = 0; j < 4; j++) {
            const double s = bench_random(-0.3, 0.3), c = sqrt(1 - s * s);
            double *m = g->base[b = 2 + 4 * f + j], *inverse = g->inverse[b];
            m[0] = m[5] = c;
            m[1] = -s;
            m[4] = s;
            m[10] = 1;
            m[3] = j ? 0 : (double)f - 2;
            m[7] = j ? 1 : 2;
            if (j) tracking_product(rest[b - 1], m, rest[b]);
            else memcpy(rest[b], m, sizeof rest[b]);
            for (i = 0; i < 3; i++)
                for (k = 0; k < 3; k++) {
                    inverse[4 * i + k] = rest[b][4 * k + i];
                    inverse[4 * i + 3] -= rest[b][4 * k + i] * rest[b][4 * k + 3];
                }
        }
    for (v = 0; v < TRACKING_VERTICES; v++) {
        const size_t finger = v % TRACKING_FINGERS, count = 1 + bench_below(4);
        const size_t at = bench_below(6);      /* of wrist, palm, and the finger's */
        double sum = 0;
        g->finger_of[v] = (uint32_t)finger;
        for (k = 0; k < 4; k++) {
            const size_t one = (at + k) % 6;
            g->bone[v][k] = (uint32_t)(one < 2 ? one : 4 * finger + one);
            g->weight[v][k] = k < count ? bench_random(0.2, 1) : 0;
            sum += g->weight[v][k];
        }
        g->place[v][0] = (double)finger - 2 + bench_random(-0.3, 0.3);
        g->place[v][1] = (double)at + bench_random(-0.3, 0.3);
        g->place[v][2] = bench_random(-0.3, 0.3);
        for (k = 0; k < 4; k++) {
            g->weight[v][k] /= sum;
            for (i = 0; i < 4; i++)
                g->moment[v][k][i] = g->weight[v][k] * (i < 3 ? g->place[v][i] : 1);
        }
    }
}
static int tracking_make(bench_case *c, int complicated)
{
    tracking_data *g = BENCH_NEW(tracking_data, 1);
    const size_t n = c->size[0];
    size_t i, j;
    c->data = g;
    g->n = n;
    g->complicated = complicated;
    tracking_model(g);
    g->measured = BENCH_NEW(double, 3 * n);
    g->u = BENCH_NEW(double, 2 * n);
    g->vertex = BENCH_NEW(uint32_t, 3 * n);
    g->color = BENCH_NEW(uint32_t, TRACKING_THETA + 2 * n);
    for (i = 0; i < TRACKING_THETA; i++) {
        g->theta[i] = bench_random(-0.5, 0.5);
        g->color[i] = (uint32_t)i;
    }
    for (i = 0; i < 3 * n; i++) g->measured[i] = bench_normal();
    for (i = 0; i < 2 * n; i++) {
        g->u[i] = bench_random(0, 0.5);
        g->color[TRACKING_THETA + i] = TRACKING_THETA + (uint32_t)(i % 2);
    }
    for (i = 0; i < n; i++) {
        const size_t v = bench_below(TRACKING_VERTICES);
        if (complicated)                       /* five further on is the same finger's */
            for (j = 0; j < 3; j++)
                g->vertex[3 * i + j] = (uint32_t)(v + 5 * j < TRACKING_VERTICES ? v + 5 * j
                    : v + 5 * j - 540);
        else g->vertex[i] = (uint32_t)v;
    }
    c->points = 1;
    c->inputs = TRACKING_THETA + (complicated ? 2 * n : 0);
    c->columns = TRACKING_THETA + (complicated ? 2 : 0);
    c->color = complicated ? g->color : NULL;
    c->outputs = 3 * n;
    c->work = (double)n;
    return 0;
}
static int tracking_make_simple(bench_case *c) { return tracking_make(c, 0); }
static int tracking_make_complicated(bench_case *c) { return tracking_make(c, 1); }
static void tracking_clean(bench_case *c)
{
    tracking_data *g = (tracking_data *)c->data;
    free(g->measured);
    free(g->u);
    free(g->vertex);
    free(g->color);
    free(g);
}
static void tracking_gather(const bench_case *c, size_t point, double *x)
{
    const tracking_data *g = (const tracking_data *)c->data;
    (void)point;
    memcpy(x, g->theta, sizeof g->theta);
    if (g->complicated) memcpy(x + TRACKING_THETA, g->u, 2 * g->n * sizeof *x);
}

/* ---- fn: one function for the correspondences of one finger, called for each finger

   Reverse mode would pull every point's adjoints back through the pose. Forwards, the pose and its
   derivatives belong to the inputs that all points share, and are computed once a call; and a point
   is linear in the pose, so its tangents are its own text again, with the pose's derivatives:
       v = sum over bones of S q,  q = sum over vertices of u w (p, 1),
       dv/d(angle) = sum of dS/d(angle) q,   dv/dr = (dR/dr R^T) v.
   Inputs: r, t, the finger's angles; B and I of four bones; then of each point what was measured,
   u, and of each vertex 8 numbers: the weights of wrist and palm together, of the finger's bones,
   and p. */
#define NUMBERS_FN
#define S(name) name##_one
#include "numbers.h"
#include "tracking.h"
#include "numbers_end.h"

enum { TRACKING_SHARED = 10 + 96, TRACKING_SKIN = 5 * 12 };
/* Row i of the sum of S q, where S[5] start with the root. */
static ad_var tracking_row(const ad_var *skin, const ad_var *q, size_t i, size_t from)
{
    ad_var term[20];
    size_t b, j, n = 0;
    for (b = from; b < 5; b++)
        for (j = 0; j < (b ? 4u : 3u); j++)
            term[n++] = ad_var_mul(skin[12 * b + 4 * i + j], q[4 * b + j]);
    return ad_var_sum(n, term);
}
/* w (p, 1) of the five */
static void tracking_moments(const ad_var *vertex, ad_var *q)
{
    size_t b, j;
    for (b = 0; b < 5; b++)
        for (j = 0; j < 4; j++)
            q[4 * b + j] = j < 3 ? ad_var_mul(vertex[b], vertex[5 + j]) : vertex[b];
}

typedef struct tracking_fn {
    const tracking_data *g;
    bench_map *m;
    double *dense;                         /* [vertices][8] */
    uint32_t *which, *vertex[3];           /* correspondences by fingers, and their vertices */
    size_t from[TRACKING_FINGERS + 1];
} tracking_fn;

static void tracking_record(bench_map *m, int complicated)
{
    const ad_var *x = m->x, *angle = x + 6, *data = x + TRACKING_SHARED, *vertex = data + 5;
    ad_var skin[TRACKING_SKIN], by[4][TRACKING_SKIN], q[3][20], turn[3][9], corner[3][3], u[3];
    ad_var y[3 * 11], d[4], *v = corner[0];
    const size_t corners = complicated ? 3 : 1;
    size_t i, j, k, e, n = 3;
    tracking_root_one(x, skin);
    tracking_finger_one(skin, angle, x + 10, x + 58, skin + 12);
    for (e = 12; e < TRACKING_SKIN; e++) {
        ad_grad_vars(skin[e], 4, angle, d);
        for (k = 0; k < 4; k++) by[k][e] = d[k];
    }
    for (i = 0; i < 3; i++)                    /* dR/dr R^T */
        for (j = 0; j < 3; j++) {
            ad_var g[3][3], term[3];
            for (e = 0; e < 3; e++) ad_grad_vars(skin[4 * i + e], 3, x, g[e]);
            for (k = 0; k < 3; k++) {
                for (e = 0; e < 3; e++) term[e] = ad_var_mul(g[e][k], skin[4 * j + e]);
                turn[k][3 * i + j] = ad_var_sum(3, term);
            }
        }
    for (k = 0; k < corners; k++) {
        tracking_moments(vertex + 8 * k, q[k]);
        for (i = 0; i < 3; i++) corner[k][i] = tracking_row(skin, q[k], i, 0);
    }
    if (complicated) {
        u[0] = data[3];
        u[1] = data[4];
        u[2] = ad_var_sub_from_r(1, ad_var_add(u[0], u[1]));
        for (i = 0; i < 3; i++) {
            y[10 + 10 * i + 1] = ad_var_sub(corner[2][i], corner[0][i]);
            y[10 + 10 * i + 2] = ad_var_sub(corner[2][i], corner[1][i]);
            for (k = 0; k < 3; k++) d[k] = corner[k][i];
            v[i] = ad_var_dot(3, u, d);
        }
        for (e = 4; e < 20; e++) {
            for (k = 0; k < 3; k++) d[k] = q[k][e];
            q[0][e] = ad_var_dot(3, u, d);
        }
    }
    for (i = 0; i < 3; i++) {
        y[i] = ad_var_sub(data[i], ad_var_add(v[i], x[3 + i]));
        for (k = 0; k < 3; k++) {
            ad_var term[3];
            for (e = 0; e < 3; e++) term[e] = ad_var_mul(turn[k][3 * i + e], v[e]);
            y[n++] = ad_var_neg(ad_var_sum(3, term));
        }
        y[n++] = ad_const(-1);
        for (k = 0; k < 4; k++) y[n++] = ad_var_neg(tracking_row(by[k], q[0], i, 1));
        if (complicated) n += 2;
    }
    bench_map_take(m, n, y);
}
static void *tracking_fn_open(const bench_case *c)
{
    const tracking_data *g = (const tracking_data *)c->data;
    const size_t corners = g->complicated ? 3 : 1, inputs = TRACKING_SHARED + 5 + 8 * corners;
    tracking_fn *s = BENCH_NEW(tracking_fn, 1);
    double *x = BENCH_NEW(double, inputs);
    size_t v, k, p, f, n = 0;
    s->g = g;
    s->dense = BENCH_NEW(double, 8 * TRACKING_VERTICES);
    for (v = 0; v < TRACKING_VERTICES; v++) {
        for (k = 0; k < 4; k++) {
            const uint32_t b = g->bone[v][k];
            s->dense[8 * v + (b < 2 ? 0 : 1 + (b - 2) % 4)] += g->weight[v][k];
        }
        for (k = 0; k < 3; k++) s->dense[8 * v + 5 + k] = g->place[v][k];
    }
    s->which = BENCH_NEW(uint32_t, g->n);
    for (k = 0; k < 3; k++) s->vertex[k] = BENCH_NEW(uint32_t, g->n);
    for (f = 0; f < TRACKING_FINGERS; f++) {
        s->from[f] = n;
        for (p = 0; p < g->n; p++) {
            if (g->finger_of[g->vertex[corners * p]] != f) continue;
            for (k = 0; k < corners; k++) s->vertex[k][n] = g->vertex[corners * p + k];
            s->which[n++] = (uint32_t)p;
        }
    }
    s->from[f] = n;
    memcpy(x, g->theta, 10 * sizeof *x);       /* any point will do */
    memcpy(x + 10, g->base[2], 48 * sizeof *x);
    memcpy(x + 58, g->inverse[2], 48 * sizeof *x);
    s->m = bench_map_new(c, g->n, inputs, 10, x);
    free(x);
    tracking_record(s->m, g->complicated);
    return s;
}
static int tracking_fn_run(void *what, double *result)
{
    tracking_fn *s = (tracking_fn *)what;
    const tracking_data *g = s->g;
    const size_t corners = g->complicated ? 3 : 1, columns = g->complicated ? 28 : 26;
    const ptrdiff_t next = 3 * (ptrdiff_t)columns;
    double *J = result + 3 * g->n;
    ad_port *in = s->m->in, *out = s->m->out;
    size_t f, i, j, k, n;
    bench_part(BENCH_REPLAY);
    memset(J, 0, 3 * g->n * columns * sizeof *J);
    for (f = 0; f < TRACKING_FINGERS; f++) {
        const size_t from = s->from[f];
        const uint32_t *which = s->which + from;
        if (s->from[f + 1] == from) continue;
        for (i = 0; i < 6; i++) in[i] = ad_port_shared(g->theta + i);
        for (i = 0; i < 4; i++) in[6 + i] = ad_port_shared(g->theta + 6 + 4 * f + i);
        for (i = 0; i < 48; i++) {
            in[10 + i] = ad_port_shared(g->base[2 + 4 * f] + i);
            in[58 + i] = ad_port_shared(g->inverse[2 + 4 * f] + i);
        }
        n = TRACKING_SHARED;
        for (i = 0; i < 3; i++) in[n++] = ad_port_gather(g->measured + i, 3, which);
        for (i = 0; i < 2; i++) in[n++] = ad_port_gather(g->u + i, 2, which);
        for (k = 0; k < corners; k++)
            for (i = 0; i < 8; i++) in[n++] = ad_port_gather(s->dense + i, 8, s->vertex[k] + from);
        n = 0;
        for (i = 0; i < 3; i++) out[n++] = ad_port_scatter(result + i, 3, which);
        for (i = 0; i < 3; i++) {
            double *row = J + i * columns;
            for (j = 0; j < 3; j++) out[n++] = ad_port_scatter(row + j, next, which);
            out[n++] = ad_port_scatter(row + 3 + i, next, which);
            for (j = 0; j < 4; j++) out[n++] = ad_port_scatter(row + 6 + 4 * f + j, next, which);
            for (j = 26; j < columns; j++) out[n++] = ad_port_scatter(row + j, next, which);
        }
        if (ad_fn_map(s->m->f, s->from[f + 1] - from, in, out, NULL) != AD_OK) return 1;
    }
    if (bench_told.wanted) {
        const ad_fn_stats stats = ad_fn_get_stats(s->m->f);
        bench_told.nodes = (double)stats.nodes;
        bench_told.bytes = (double)stats.bytes;
    }
    return 0;
}
static void tracking_fn_close(void *what)
{
    tracking_fn *s = (tracking_fn *)what;
    size_t k;
    bench_map_close(s->m);
    for (k = 0; k < 3; k++) free(s->vertex[k]);
    free(s->which);
    free(s->dense);
    free(s);
}

static const bench_version tracking_own[] = {
    { "fn", BENCH_COMPILED, tracking_fn_open, tracking_fn_run, tracking_fn_close },
    { NULL, BENCH_OTHER, NULL, NULL, NULL }
};
static const size_t tracking_cases[][3] = {
    { 10, 0, 0 }, { 100, 0, 0 }, { 1000, 0, 0 }, { 10000, 0, 0 }, { 0, 0, 0 }
};
const bench_problem tracking_simple_problem = {
    "tracking_simple", "Hand tracking", "n", tracking_cases, 2, 1e-10, tracking_make_simple,
    tracking_clean, tracking_gather, { tracking_simple_hand_gcc, tracking_simple_hand_clang },
    tracking_own, 1
};
const bench_problem tracking_complicated_problem = {
    "tracking_complicated", "Hand tracking, with u", "n", tracking_cases, 2, 1e-10,
    tracking_make_complicated, tracking_clean, tracking_gather,
    { tracking_complicated_hand_gcc, tracking_complicated_hand_clang }, tracking_own, 1
};
