/* The problems' texts over plain numbers, duals and the tape, and compiled functions of one point:
   the versions that need nothing but the text. */
#include "ours.h"

#define NUMBERS_PLAIN
#include "problems/texts.h"
#define NUMBERS_DUAL
#define DUAL(name) ad_dual##name
#include "problems/texts.h"
#define NUMBERS_DUAL
#define DUAL(name) ad_dual2##name
#include "problems/texts.h"
#define NUMBERS_DUAL
#define DUAL(name) ad_dual4##name
#include "problems/texts.h"
#define NUMBERS_DUAL
#define DUAL(name) ad_dual8##name
#include "problems/texts.h"
#define NUMBERS_TAPE
#include "problems/texts.h"
#define REAL double
#define P(name) name##_d
#include "problems/hand.h"

typedef struct texts {
    const bench_problem *problem;
    void (*plain)(const bench_case *, size_t, const double *, double *);
    void (*dual)(const bench_case *, size_t, const ad_dual *, ad_dual *);
    void (*dual2)(const bench_case *, size_t, const ad_dual2 *, ad_dual2 *);
    void (*dual4)(const bench_case *, size_t, const ad_dual4 *, ad_dual4 *);
    void (*dual8)(const bench_case *, size_t, const ad_dual8 *, ad_dual8 *);
    void (*tape)(const bench_case *, size_t, const ad_var *, ad_var *);
} texts;
#define X(name) extern const bench_problem name##_problem;
BENCH_TEXTS(X)
#undef X
#define X(name) &name##_problem,
const bench_problem *const bench_problems[] = { BENCH_TEXTS(X) NULL };
#undef X
#define X(name) { &name##_problem, name##_plain, ad_dual_text_##name, ad_dual2_text_##name,       \
                  ad_dual4_text_##name, ad_dual8_text_##name, name##_tape },
static const texts all_texts[] = { BENCH_TEXTS(X) };
#undef X

const char *bench_hand_compiler(int which)
{
    return which ? hand_clang_d.compiler : hand_gcc_d.compiler;
}

static const texts *text_of(const bench_case *c)
{
    size_t i;
    for (i = 0; i < sizeof all_texts / sizeof all_texts[0]; i++)
        if (all_texts[i].problem == c->problem) return &all_texts[i];
    return NULL;
}

/* ---- what all versions have */
typedef struct state {
    const bench_case *c;
    const texts *text;
    double *x, *y, *wide, *seeds;              /* seeds: of the colours */
    void *numbers, *result;                    /* of the version's kind */
    ad_tape *tape;
    ad_fn *fn;
    ad_var *in, *out;
} state;

static state *state_open(const bench_case *c, size_t number)
{
    state *s = BENCH_NEW(state, 1);
    s->c = c;
    s->text = text_of(c);
    s->x = BENCH_NEW(double, c->inputs + 1);
    s->y = BENCH_NEW(double, c->outputs + 1);
    s->numbers = bench_new(c->inputs + 1, number);
    s->result = bench_new(c->outputs + 1, number);
    return s;
}
static void state_close(void *what)
{
    state *s = (state *)what;
    ad_fn_destroy(s->fn);
    ad_tape_destroy(s->tape);
    free(s->x);
    free(s->y);
    free(s->wide);
    free(s->seeds);
    free(s->numbers);
    free(s->result);
    free(s);
}

int bench_plain(const bench_case *c, double *y)
{
    const texts *text = text_of(c);
    static double *x;
    static size_t room;
    size_t p;
    if (text == NULL) return 1;
    if (room < c->inputs) {
        free(x);
        x = BENCH_NEW(double, room = c->inputs);
    }
    for (p = 0; p < c->points; p++) {
        c->problem->gather(c, p, x);
        text->plain(c, p, x, y + p * c->outputs);
    }
    return 0;
}

/* ---- order 2: y, gradient and Hessian-vector product, of which some are asked for. In place
   where all are. */
static double *order2_room(state *s, size_t p, double *result)
{
    if (s->c->pick == NULL) return result + p * (1 + 2 * s->c->inputs);
    if (s->wide == NULL) s->wide = BENCH_NEW(double, 2 + 2 * s->c->inputs);
    return s->wide;
}
static void order2_store(const bench_case *c, size_t p, const double *from, double *result)
{
    size_t i;
    if (c->pick == NULL) return;
    for (i = 0; i < c->picked; i++)
        result[p * c->next_point + i * c->next_number] = from[c->pick[i]];
}

/* ---- forward mode: a column for each lane; passes of eight, then of four or one */
#define PASS(T, lanes)                                                                             \
static void pass_##T(state *s, size_t point, size_t from, double *result)                          \
{                                                                                                  \
    const bench_case *c = s->c;                                                                    \
    ad_##T *x = (ad_##T *)s->numbers, *y = (ad_##T *)s->result;                                    \
    const size_t some = c->columns - from < lanes ? c->columns - from : lanes;                     \
    double *J = result + c->outputs;                                                               \
    size_t i, j;                                                                                   \
    for (i = 0; i < c->inputs; i++) {                                                              \
        const size_t column = c->color ? c->color[i] : i;                                          \
        x[i] = ad_##T##_num(s->x[i]);                                                              \
        if (column >= from && column < from + some) TANGENTS(x[i])[column - from] = 1;             \
    }                                                                                              \
    s->text->T(c, point, x, y);                                                                    \
    for (i = 0; i < c->outputs; i++) {                                                             \
        result[i] = y[i].v;                                                                        \
        for (j = 0; j < some; j++) J[i * c->columns + from + j] = TANGENTS(y[i])[j];               \
    }                                                                                              \
}
#define TANGENTS(x) (&(x).d)
PASS(dual, 1)
#undef TANGENTS
#define TANGENTS(x) (x).d
PASS(dual4, 4)
PASS(dual8, 8)
#undef TANGENTS

static void *dual_open(const bench_case *c)
{
    /* a gradient of many variables is not for forward mode */
    if (c->columns > 64 || text_of(c) == NULL) return NULL;
    return state_open(c, sizeof(ad_dual8));
}
static int dual_run(void *what, double *result)
{
    state *s = (state *)what;
    const bench_case *c = s->c;
    size_t p, i;
    for (p = 0; p < c->points; p++) {
        c->problem->gather(c, p, s->x);
        if (c->order == 2) {
            ad_dual2 *x = (ad_dual2 *)s->numbers, *y = (ad_dual2 *)s->result;
            double *to = order2_room(s, p, result);
            for (i = 0; i < c->inputs; i++) x[i] = ad_dual2_make(s->x[i], 0, c->direction[i], 0);
            for (i = 0; i < c->inputs; i++) {
                x[i].d1 = 1;
                s->text->dual2(c, p, x, y);
                x[i].d1 = 0;
                to[0] = y[0].v;
                to[1 + i] = y[0].d1;
                to[1 + c->inputs + i] = y[0].d12;
            }
            order2_store(c, p, to, result);
            continue;
        }
        for (i = 0; i < c->columns;) {
            const size_t left = c->columns - i;
            if (left == 1) pass_dual(s, p, i, result);
            else if (left <= 4) pass_dual4(s, p, i, result);
            else pass_dual8(s, p, i, result);
            i += left == 1 ? 1 : left <= 4 ? 4 : 8;
        }
        result += c->outputs * (1 + c->columns);
    }
    return 0;
}

/* ---- the tape: recorded anew every time. work is nearly the number of operations, of which a
   tape holds 2^28; 24 bytes each, and the whole suite is to take minutes */
#define MOST_RECORDED 6e7
static void *tape_open(const bench_case *c)
{
    state *s;
    size_t i;
    if (text_of(c) == NULL || c->work > MOST_RECORDED) return NULL;
    s = state_open(c, sizeof(ad_var));
    if (c->color) {
        s->seeds = BENCH_NEW(double, c->inputs * c->columns);
        for (i = 0; i < c->inputs; i++) s->seeds[i * c->columns + c->color[i]] = 1;
    }
    s->in = (ad_var *)s->numbers;
    s->out = (ad_var *)s->result;
    s->tape = ad_tape_create(NULL);
    return s;
}
static int tape_run(void *what, double *result)
{
    state *s = (state *)what;
    const bench_case *c = s->c;
    size_t p, i;
    for (p = 0; p < c->points; p++) {
        bench_part(BENCH_RECORD);
        ad_tape_reset(s->tape);
        c->problem->gather(c, p, s->x);
        ad_inputs(s->tape, c->inputs, s->x, s->in);
        s->text->tape(c, p, s->in, s->out);
        if (ad_tape_status(s->tape) != AD_OK) return 1;
        bench_part(BENCH_SWEEP);
        if (bench_told.wanted) {
            const ad_tape_stats stats = ad_tape_get_stats(s->tape);
            bench_told.nodes += (double)stats.slots;
            bench_told.bytes += (double)stats.bytes_used;
        }
        if (c->order == 2) {
            double *to = order2_room(s, p, result);
            ad_forward_over_reverse(s->out[0], c->inputs, s->in, c->direction);
            to[0] = s->out[0].v;
            ad_adjoints(c->inputs, s->in, to + 1);
            for (i = 0; i < c->inputs; i++)
                to[1 + c->inputs + i] = ad_adjoint_tangent(s->in[i]);
            order2_store(c, p, to, result);
            continue;
        }
        for (i = 0; i < c->outputs; i++) *result++ = s->out[i].v;
        if (c->outputs == 1) {
            ad_backward(s->out[0]);
            ad_adjoints(c->inputs, s->in, result);
        } else if (c->color) {
            ad_jacobian_times(s->tape, c->inputs, s->in, c->columns, s->seeds, c->outputs, s->out,
                result);
        } else if (c->columns < c->outputs) {
            ad_jacobian_forward(s->tape, c->inputs, s->in, c->outputs, s->out, result);
        } else {
            ad_jacobian_reverse(s->tape, c->inputs, s->in, c->outputs, s->out, result);
        }
        result += c->outputs * c->columns;
    }
    return ad_tape_status(s->tape) != AD_OK;
}

/* ---- a compiled function of one point */
#define MOST_NODES 4e6
static void *fn_open(const bench_case *c)
{
    state *s;
    ad_fn_desc desc;
    ad_fn *f;
    if (c->points != 1 || c->work > MOST_NODES || c->color) return NULL;
    s = (state *)tape_open(c);
    if (s == NULL) return NULL;
    c->problem->gather(c, 0, s->x);
    ad_inputs(s->tape, c->inputs, s->x, s->in);
    s->text->tape(c, 0, s->in, s->out);
    memset(&desc, 0, sizeof desc);
    desc.flags = AD_FN_CONTRACT | AD_FN_FAST;
    f = ad_fn_create(s->tape, c->inputs, s->in, c->outputs, s->out, &desc);
    s->fn = c->outputs == 1 ? ad_fn_gradient(f) : ad_fn_jacobian(f);
    ad_fn_destroy(f);
    if (c->order == 2) {                       /* f, g, and with the direction J v of both */
        f = s->fn;
        s->fn = ad_fn_jvp(f);
        ad_fn_destroy(f);
        s->x = (double *)realloc(s->x, (2 * c->inputs + 1) * sizeof(double));
        memcpy(s->x + c->inputs, c->direction, c->inputs * sizeof(double));
        s->wide = BENCH_NEW(double, 2 + 2 * c->inputs);
    }
    ad_tape_destroy(s->tape);
    s->tape = NULL;
    return s;
}
static int fn_run(void *what, double *result)
{
    state *s = (state *)what;
    bench_part(BENCH_REPLAY);
    s->c->problem->gather(s->c, 0, s->x);
    if (bench_told.wanted) {
        const ad_fn_stats stats = ad_fn_get_stats(s->fn);
        bench_told.nodes = (double)stats.instructions;
        bench_told.bytes = (double)stats.bytes;
    }
    if (s->c->order == 2) {
        const size_t n = s->c->inputs;
        if (ad_fn_eval(s->fn, s->x, s->wide) != AD_OK) return 1;
        memcpy(result, s->wide, (1 + n) * sizeof(double));
        memcpy(result + 1 + n, s->wide + 2 + n, n * sizeof(double));
        return 0;
    }
    return ad_fn_eval(s->fn, s->x, result) != AD_OK;
}

/* ---- maps */
bench_map *bench_map_new(const bench_case *c, size_t points, size_t n, size_t variables,
    const double *x)
{
    bench_map *m = BENCH_NEW(bench_map, 1);
    m->c = c;
    m->points = points;
    m->n = n;
    m->variables = variables;
    m->tape = ad_tape_create(NULL);
    m->x = BENCH_NEW(ad_var, n);
    m->in = BENCH_NEW(ad_port, n);
    ad_inputs(m->tape, n, x, m->x);
    return m;
}

/* As the compilers of what is written by hand may, and as its author did: products and sums are
   contracted, terms moved. */
static ad_fn *map_function(bench_map *m, size_t outputs, const ad_var *y)
{
    ad_fn_desc desc;
    unsigned char *parameters = BENCH_NEW(unsigned char, m->n);
    ad_fn *f;
    memset(&desc, 0, sizeof desc);
    memset(parameters + m->variables, 1, m->n - m->variables);
    desc.parameters = parameters;
    desc.flags = AD_FN_CONTRACT | AD_FN_FAST;
    f = ad_fn_create(m->tape, m->n, m->x, outputs, y, &desc);
    free(parameters);
    ad_tape_destroy(m->tape);
    m->tape = NULL;
    return f;
}
static void map_keep(bench_map *m, ad_fn *f)
{
    m->f = f;
    m->outputs = ad_fn_get_stats(f).outputs;
    m->out = BENCH_NEW(ad_port, m->outputs + 1);
    m->offset = BENCH_NEW(size_t, m->outputs + 1);
    m->stride = BENCH_NEW(ptrdiff_t, m->outputs + 1);
    if (ad_fn_status(f) != AD_OK) fprintf(stderr, "%s\n", ad_fn_message(f));
}
void bench_map_take(bench_map *m, size_t outputs, const ad_var *y)
{
    map_keep(m, map_function(m, outputs, y));
}
void bench_map_derive(bench_map *m, size_t outputs, const ad_var *y)
{
    ad_fn *f = map_function(m, outputs, y);
    map_keep(m, outputs == 1 ? ad_fn_gradient(f) : ad_fn_jacobian(f));
    ad_fn_destroy(f);
}

int bench_map_run(void *map, double *result)
{
    bench_map *m = (bench_map *)map;
    size_t i;
    bench_part(BENCH_REPLAY);
    for (i = 0; i < m->outputs; i++)
        m->out[i] = ad_port_of(result + m->offset[i], m->stride[i], NULL);
    if (bench_told.wanted) {
        const ad_fn_stats stats = ad_fn_get_stats(m->f);
        bench_told.nodes = (double)stats.nodes;
        bench_told.bytes = (double)stats.bytes;
    }
    return ad_fn_map(m->f, m->points, m->in, m->out, NULL) != AD_OK;
}
void bench_map_close(void *map)
{
    bench_map *m = (bench_map *)map;
    ad_fn_destroy(m->f);
    free(m->x);
    free(m->in);
    free(m->out);
    free(m->offset);
    free(m->stride);
    free(m);
}

/* ---- arrays */
typedef struct arrays_state {
    const bench_case *c;
    bench_arrays_text text;
    ad_tape *tape;
    double *x;
} arrays_state;
void *bench_arrays_new(const bench_case *c, bench_arrays_text text)
{
    arrays_state *s = BENCH_NEW(arrays_state, 1);
    s->c = c;
    s->text = text;
    s->tape = ad_tape_create(NULL);
    s->x = BENCH_NEW(double, c->inputs);
    return s;
}
int bench_arrays_run(void *state_, double *result)
{
    arrays_state *s = (arrays_state *)state_;
    const int32_t n = (int32_t)s->c->inputs;
    const double *g;
    ad_array x, y;
    bench_part(BENCH_RECORD);
    s->c->problem->gather(s->c, 0, s->x);
    ad_tape_reset(s->tape);
    x = ad_array_borrow(s->tape, 1, &n, s->x);
    y = s->text(s->c, s->tape, x);
    if (ad_tape_status(s->tape) != AD_OK) return 1;
    if (bench_told.wanted) {
        const ad_tape_stats stats = ad_tape_get_stats(s->tape);
        bench_told.nodes = (double)stats.slots;
        bench_told.bytes = (double)stats.bytes_used;
    }
    bench_part(BENCH_SWEEP);
    result[0] = ad_array_values(y)[0];
    ad_array_backward(y, NULL);
    g = ad_array_adjoints(x);
    if (g == NULL) return 1;
    memcpy(result + 1, g, (size_t)n * sizeof *g);
    return 0;
}
void bench_arrays_close(void *state_)
{
    arrays_state *s = (arrays_state *)state_;
    ad_tape_destroy(s->tape);
    free(s->x);
    free(s);
}
ad_array bench_data(ad_tape *t, size_t m, size_t n, const double *x)
{
    int32_t dim[2];
    dim[0] = (int32_t)m;
    dim[1] = (int32_t)n;
    return ad_array_const_borrow(t, n ? 2 : 1, dim, x);
}
ad_array bench_piece(ad_array x, size_t from, size_t m, size_t n)
{
    int32_t dim[2];
    dim[0] = (int32_t)m;
    dim[1] = (int32_t)n;
    x = ad_array_slice(x, 0, (int32_t)from, (int32_t)(from + m * (n ? n : 1)), 1);
    return n ? ad_array_reshape(x, 2, dim) : x;
}

const bench_version bench_ours[] = {
    { "dual", BENCH_FORWARD, dual_open, dual_run, state_close },
    { "tape", BENCH_TAPE, tape_open, tape_run, state_close },
    { "fn", BENCH_COMPILED, fn_open, fn_run, state_close },
    { NULL, BENCH_OTHER, NULL, NULL, NULL }
};
