/* Sensitivities of an ordinary differential equation: data, and a compiled step (ode.h). */
#include "../ours.h"
#include "hand.h"

static int ode_make(bench_case *c)
{
    static const double x[6] = { 1.1, 0.4, 0.1, 0.4, 10, 5 };
    memcpy(bench_vector(c, 6), x, sizeof x);
    c->outputs = 2;
    c->work = 52 * (double)c->size[0];         /* operations of the text */
    return 0;
}
/* ---- fn: the Jacobian of one step by parameters and state, mapped over the steps. Only the states
   wait for each other, and they are plain numbers; then S <- J_state S + J_parameters in turn. */
#define NUMBERS_PLAIN
#include "numbers.h"
#include "ode.h"
#include "numbers_end.h"
#define NUMBERS_FN
#define S(name) name##_one
#include "numbers.h"
#include "ode.h"
#include "numbers_end.h"

enum { ODE_PIECE = 256 };              /* steps whose Jacobians the cache holds */
typedef struct ode_fn {
    bench_map *m;
    double state[2][ODE_PIECE], by[12][ODE_PIECE];
} ode_fn;
static void *ode_fn_open(const bench_case *c)
{
    const double *x = (const double *)c->data;
    ode_fn *s = BENCH_NEW(ode_fn, 1);
    bench_map *m = s->m = bench_map_new(c, ODE_PIECE, 6, 6, x);
    ad_var u[2], by[12];
    size_t i;
    u[0] = m->x[4];
    u[1] = m->x[5];
    ode_step_one(m->x, ODE_TIME / (double)c->size[0], u);
    for (i = 0; i < 2; i++) ad_grad_vars(u[i], 6, m->x, by + 6 * i);
    bench_map_take(m, 12, by);
    for (i = 0; i < 4; i++) m->in[i] = ad_port_shared(x + i);
    for (i = 0; i < 2; i++) m->in[4 + i] = ad_port_in(s->state[i], 1);
    for (i = 0; i < 12; i++) {
        m->offset[i] = i * ODE_PIECE;
        m->stride[i] = 1;
    }
    return s;
}
static int ode_fn_run(void *what, double *result)
{
    ode_fn *s = (ode_fn *)what;
    bench_map *m = s->m;
    const size_t steps = m->c->size[0];
    const double *x = (const double *)m->c->data, h = ODE_TIME / (double)steps;
    double u[2], by[2][6] = { { 0, 0, 0, 0, 1, 0 }, { 0, 0, 0, 0, 0, 1 } };
    size_t from, p, i;
    u[0] = x[4];
    u[1] = x[5];
    for (from = 0; from < steps; from += ODE_PIECE) {
        m->points = steps - from < ODE_PIECE ? steps - from : ODE_PIECE;
        for (p = 0; p < m->points; p++) {
            for (i = 0; i < 2; i++) s->state[i][p] = u[i];
            ode_step_plain(x, h, u);
        }
        if (bench_map_run(m, s->by[0])) return 1;
        for (p = 0; p < m->points; p++) {
            double j[12];
            for (i = 0; i < 12; i++) j[i] = s->by[i][p];
            for (i = 0; i < 6; i++) {
                const double a = by[0][i], b = by[1][i];
                by[0][i] = j[4] * a + j[5] * b + (i < 4 ? j[i] : 0);
                by[1][i] = j[10] * a + j[11] * b + (i < 4 ? j[6 + i] : 0);
            }
        }
    }
    memcpy(result, u, sizeof u);
    memcpy(result + 2, by, sizeof by);
    return 0;
}
static void ode_fn_close(void *what)
{
    bench_map_close(((ode_fn *)what)->m);
    free(what);
}

static const bench_version ode_own[] = {
    { "fn", BENCH_COMPILED, ode_fn_open, ode_fn_run, ode_fn_close },
    { NULL, BENCH_OTHER, NULL, NULL, NULL }
};
static const size_t ode_cases[][3] = {
    { 100, 0, 0 }, { 1000, 0, 0 }, { 10000, 0, 0 }, { 100000, 0, 0 }, { 0, 0, 0 }
};
const bench_problem ode_problem = {
    "ode", "ODE, Runge-Kutta", "steps", ode_cases, 2, 1e-9, ode_make, bench_vector_clean,
    bench_vector_gather,
    { ode_hand_gcc, ode_hand_clang }, ode_own, 0
};
