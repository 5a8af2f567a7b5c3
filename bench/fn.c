/* Compiled functions against derivatives written by hand, against recording anew, and against
   the goals; in interleaved runs, medians of ratios, processor time. run_fn.sh builds and runs it:

     point      ad_fn_eval of gradients: nanoseconds a node, and what recording and sweeping a
                reused tape takes instead;
     map        ad_fn_map: arithmetic alone, nanoseconds a node a point; few points against
                ad_fn_eval; four problems over many points against the better of gcc's and clang's
                hand-written derivatives;
     emit       the gradients of `point` as emitted C against hand-written C (a program of its own,
                linked with what `fn write FOLDER` writes);
     cache      ad_cache_gradient, compiled, against ad_gradient on a tape that is kept; and after
                how many calls making the function has paid;
     compile    ad_fn_create and ad_fn_gradient up to ten million nodes: time and memory; what gcc
                takes for emitted C (--large: a million nodes).

     fn [point] [map] [emit] [cache] [compile] [--fast] [--large] [--only TEXT]...
   --fast: the functions may round as the compilers of the hand-written code do, and as its author
   did: AD_FN_CONTRACT | AD_FN_FAST. Without it all bits are those of the tape.

   Every derivative is compared before it is timed: WRONG instead of a time. */
#ifndef REAL
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "../autodiff.h"
#include "bench.h"
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#define NUMBERS_FN
#define S(name) name##_d
#include "problems/texts.h"
#define NUMBERS_FN
#define REAL float
#define A(name) adf_##name
#define S(name) name##_f
#include "problems/texts.h"
#define REAL double
#define P(name) name##_d
#include "problems/hand.h"
#define REAL float
#define P(name) name##_f
#include "problems/hand.h"

#define GASES 10
static unsigned flags;                   /* of ad_fn_desc */

/* ---------------------------------------------------------------- races and goals */

typedef struct job {
    void (*run)(const void *what);       /* NULL: none */
    const void *what;
} job;
static bench_goals goals;
static const char *only[16];
static int only_count;

static int is_wanted(const char *name)
{
    int i;
    for (i = 0; i < only_count; i++) if (strstr(name, only[i])) return 1;
    return only_count == 0;
}

static const char *goal(int ok, const char *name, const char *what, double figure, double wanted)
{
    char both[64];
    snprintf(both, sizeof both, "%-24s %s", name, what);
    return bench_goal(&goals, ok, both, figure, wanted);
}

/* How fast the machine is meanwhile: the same arithmetic again and again, enough of it side by side
   that a neighbour on the same core is felt. */
static double paces[4096];
static size_t pace_count;
static volatile double sink;
static void pace(void)
{
    double x[24], start = bench_processor(), s = 0;
    int i, j;
    for (j = 0; j < 24; j++) x[j] = j;
    for (i = 0; i < 8000; i++)
        for (j = 0; j < 24; j++) x[j] = x[j] * 0.999 + 0.001;
    for (j = 0; j < 24; j++) s += x[j];
    sink = s;
    if (pace_count < sizeof paces / sizeof paces[0])
        paces[pace_count++] = bench_processor() - start;
}
/* Of the part that ends here. */
static void print_pace(void)
{
    static double least = 1e18;
    size_t i, slow = 0;
    for (i = 0; i < 100; i++) pace();
    bench_median(paces, pace_count, NULL, NULL);
    if (paces[pace_count / 50] < least) least = paces[pace_count / 50];
    while (slow < pace_count && paces[pace_count - 1 - slow] > 1.1 * least) slow++;
    if (slow * 10 > pace_count)
        printf("A busy machine: %.0f%% of the time it was slower than 0.9 of its speed, so times "
            "are too long.\n", 100 * (double)slow / (double)pace_count);
    pace_count = 0;
}

static double time_runs(const void *what, size_t first, size_t count)
{
    static unsigned samples;
    const job *j = (const job *)what;
    double start;
    size_t i;
    (void)first;
    if (samples++ % 64 == 0) pace();
    start = bench_processor();
    for (i = 0; i < count; i++) j->run(j->what);
    return bench_processor() - start;
}
static void run_race(const job *jobs, double units, double budget, bench_race *out)
{
    const void *in[BENCH_PEERS];
    int p;
    for (p = 0; p < BENCH_PEERS; p++) in[p] = jobs[p].run ? &jobs[p] : NULL;
    bench_run(in, time_runs, units, budget, out);
}

static uint64_t random_state = 1;
static uint64_t random_bits(void) { return bench_bits(&random_state); }
static double between(double low, double high) { return bench_between(&random_state, low, high); }
static size_t below(size_t n) { return (size_t)(random_bits() % n); }

static void *memory_of(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size);
    if (p == NULL) {
        fprintf(stderr, "fn: no memory\n");
        exit(2);
    }
    return p;
}
#define NEW(T, count) ((T *)memory_of(count, sizeof(T)))

static double *plain_numbers(size_t n, double low, double high)
{
    double *x = NEW(double, n);
    size_t i;
    for (i = 0; i < n; i++) x[i] = between(low, high);
    return x;
}

/* ---------------------------------------------------------------- random programs */

enum { STEP_ADD, STEP_SUB, STEP_MUL, STEP_SCALE, STEP_DIV, STEP_SQRT, STEP_EXP, STEP_SIN };
typedef struct instruction { uint32_t op, a, b; } instruction;
/* Values are the inputs, then one a step; the result is the sum of those that no step takes. */
typedef struct program {
    size_t inputs, steps, loose_count;
    instruction *code, *sorted;          /* sorted: by what they do */
    uint32_t *loose;
    double *value, *scratch;             /* of the inputs first */
    ad_var *var;
} program;

static double step_value(const instruction *s, const double *v)
{
    const double a = v[s->a], b = v[s->b];
    switch (s->op) {
    case STEP_ADD: return a + b;
    case STEP_SUB: return a - b;
    case STEP_MUL: return a * b;
    case STEP_SCALE: return a * 0.25;
    case STEP_DIV: return a / b;
    case STEP_SQRT: return sqrt(a);
    case STEP_EXP: return exp(a);
    default: return sin(a);
    }
}

/* An operand: how far back is even in its logarithm, so that some are near and some are far. */
static uint32_t operand(size_t n)
{
    return (uint32_t)(n - (size_t)exp(between(0, log((double)n))));
}

/* Values stay between -2 and 2: a step that would leave makes something else of its operand. Some
   operands are taken from those that nothing has taken yet, so that most of the program matters
   and few are left to be summed. */
static program *random_program(size_t inputs, size_t steps, int arithmetic, uint64_t seed)
{
    program *p = NEW(program, 1);
    unsigned char *taken = NEW(unsigned char, inputs + steps);
    uint32_t *free_ = NEW(uint32_t, inputs + steps);
    size_t free_count = 0, i, k, kind;
    random_state = seed;
    p->inputs = inputs;
    p->steps = steps;
    p->code = NEW(instruction, steps);
    p->value = NEW(double, inputs + steps);
    p->scratch = NEW(double, steps);
    p->sorted = NEW(instruction, steps);
    p->var = NEW(ad_var, inputs + steps);
    for (i = 0; i < inputs; i++) {
        p->value[i] = between(-1, 1);
        free_[free_count++] = (uint32_t)i;
    }
    for (i = inputs; i < inputs + steps; i++) {
        instruction *s = p->code + (i - inputs);
        double v;
        kind = below(100);
        s->a = operand(i);
        s->b = operand(i);
        while (free_count > 0 && below(2)) {                     /* the last that is still free */
            const uint32_t f = free_[--free_count];
            if (taken[f]) continue;
            s->a = f;
            break;
        }
        v = p->value[s->a];
        s->op = kind < 30 ? STEP_ADD : kind < 50 ? STEP_SUB : kind < 86 ? STEP_MUL : STEP_SCALE;
        if (!arithmetic && kind >= 90) {
            if (kind < 94 && fabs(p->value[s->b]) > 0.5) s->op = STEP_DIV;
            if (kind >= 94 && kind < 96 && v > 0.1) s->op = STEP_SQRT;
            if (kind >= 96 && kind < 98 && v < 0.6) s->op = STEP_EXP;
            if (kind >= 98) s->op = STEP_SIN;
        }
        if (fabs(step_value(s, p->value)) > 2) s->op = STEP_SCALE;
        if (s->op >= STEP_SQRT || s->op == STEP_SCALE) s->b = s->a;
        p->value[i] = step_value(s, p->value);
        taken[s->a] = taken[s->b] = 1;
        free_[free_count++] = (uint32_t)i;
    }
    for (i = 0; i < inputs + steps; i++) p->loose_count += !taken[i];
    p->loose = NEW(uint32_t, p->loose_count);
    p->loose_count = 0;
    for (i = 0; i < inputs + steps; i++) if (!taken[i]) p->loose[p->loose_count++] = (uint32_t)i;
    for (kind = 0, k = 0; kind <= STEP_SIN; kind++)
        for (i = 0; i < steps; i++) if (p->code[i].op == kind) p->sorted[k++] = p->code[i];
    free(taken);
    free(free_);
    return p;
}
static void program_free(program *p)
{
    if (p == NULL) return;
    free(p->code);
    free(p->sorted);
    free(p->scratch);
    free(p->loose);
    free(p->value);
    free(p->var);
    free(p);
}

static ad_var record_program(const program *p, const ad_var *x)
{
    ad_var *v = p->var, s;
    size_t i;
    for (i = 0; i < p->inputs; i++) v[i] = x[i];
    for (i = 0; i < p->steps; i++) {
        const instruction q = p->code[i];
        ad_var *r = v + p->inputs + i;
        switch (q.op) {
        case STEP_ADD: *r = ad_var_add(v[q.a], v[q.b]); break;
        case STEP_SUB: *r = ad_var_sub(v[q.a], v[q.b]); break;
        case STEP_MUL: *r = ad_var_mul(v[q.a], v[q.b]); break;
        case STEP_SCALE: *r = ad_var_mul_r(v[q.a], 0.25); break;
        case STEP_DIV: *r = ad_var_div(v[q.a], v[q.b]); break;
        case STEP_SQRT: *r = ad_var_sqrt(v[q.a]); break;
        case STEP_EXP: *r = ad_var_exp(v[q.a]); break;
        default: *r = ad_var_sin(v[q.a]); break;
        }
    }
    s = ad_const(0);
    for (i = 0; i < p->loose_count; i++) s = ad_var_add(s, v[p->loose[i]]);
    return s;
}
/* What interpreting the program costs: the same loop on numbers less the same operations in an
   order that lets every jump be foreseen. A program that is written out has no such loop, so this
   is taken off the time of recording. */
static void run_program(const void *what)
{
    const program *p = (const program *)what;
    size_t i;
    for (i = 0; i < p->steps; i++) p->value[p->inputs + i] = step_value(p->code + i, p->value);
    sink = p->value[p->steps];
}
static void run_sorted(const void *what)
{
    const program *p = (const program *)what;
    size_t i;
    for (i = 0; i < p->steps; i++) p->scratch[i] = step_value(p->sorted + i, p->value);
    sink = p->scratch[p->steps - 1];
}

/* ---------------------------------------------------------------- maps, in both precisions */

enum kind { BUNDLE, MIXTURE, OPTIONS, LOGISTIC, ROSENBROCK, NETWORK, HELMHOLTZ, RANDOM, DET4 };

/* Calls of mathematics functions a point in what is written by hand. */
enum { CALL_EXP, CALL_LOG, CALL_LOG1P, CALL_ERFC, CALL_SINCOS, CALLS };
typedef struct map_problem {
    const char *name;
    enum kind kind;
    size_t d, k, points;
    double wanted;                       /* hand-written time over ours */
    int calls[CALLS];
} map_problem;
static const map_problem map_problems[] = {
    { "bundle adjustment",    BUNDLE,   0, 0, 30000,   1, { 0, 0, 0, 0, 1 } },
    { "mixture d=2 K=5",      MIXTURE,  2, 5, 20000,   2, { 5, 1, 0, 0, 0 } },
    { "mixture d=2 K=25",     MIXTURE,  2, 25, 5000,   2, { 25, 1, 0, 0, 0 } },
    { "mixture d=10 K=5",     MIXTURE,  10, 5, 5000,   1, { 5, 1, 0, 0, 0 } },
    { "mixture d=10 K=25",    MIXTURE,  10, 25, 2000,  1, { 25, 1, 0, 0, 0 } },
    { "mixture d=20 K=5",     MIXTURE,  20, 5, 2000,   1, { 5, 1, 0, 0, 0 } },
    { "mixture d=20 K=25",    MIXTURE,  20, 25, 1000,  1, { 25, 1, 0, 0, 0 } },
    { "Black-Scholes Greeks", OPTIONS,  0, 0, 10000,   2, { 2, 1, 0, 2, 0 } },
    { "logistic d=10",        LOGISTIC, 10, 0, 20000,  1, { 1, 0, 1, 0, 0 } },
    { "logistic d=50",        LOGISTIC, 50, 0, 10000,  1, { 1, 0, 1, 0, 0 } },
};
#define MAP_PROBLEMS (sizeof map_problems / sizeof map_problems[0])
#define CAMERAS 100
#define POINTS  5000

typedef struct range { size_t first, count, step; } range;

#define REAL double
#define P(name) name##_d
#define A(name) ad_##name
#define M(name) name
#include "fn.c"
#define REAL float
#define P(name) name##_f
#define A(name) adf_##name
#define M(name) name##f
#include "fn.c"

/* ---------------------------------------------------------------- one point */

typedef struct point_problem {
    const char *name, *id;               /* id: of the emitted function */
    enum kind kind;
    size_t size, d, k;                   /* of RANDOM and ROSENBROCK; of MIXTURE: points */
    int arithmetic;                      /* of RANDOM */
} point_problem;
static const point_problem point_problems[] = {
    { "Rosenbrock 10",     "rosenbrock_10",    ROSENBROCK, 10, 0, 0, 0 },
    { "Rosenbrock 100",    "rosenbrock_100",   ROSENBROCK, 100, 0, 0, 0 },
    { "Rosenbrock 1000",   "rosenbrock_1000",  ROSENBROCK, 1000, 0, 0, 0 },
    { "Rosenbrock 10000",  NULL,               ROSENBROCK, 10000, 0, 0, 0 },
    { "Rosenbrock 50000",  NULL,               ROSENBROCK, 50000, 0, 0, 0 },
    { "network 8-16-16-1", "network",          NETWORK, 0, 0, 0, 0 },
    { "bundle adjustment", "bundle",           BUNDLE, 0, 0, 0, 0 },
    { "mixture, 10 points", "mixture",         MIXTURE, 10, 2, 5, 0 },
    { "Helmholtz energy",  "helmholtz",        HELMHOLTZ, 0, 0, 0, 0 },
    { "random 100",        "random_100",       RANDOM, 100, 0, 0, 0 },
    { "random 1000",       "random_1000",      RANDOM, 1000, 0, 0, 0 },
    { "random 10000",      "random_10000",     RANDOM, 10000, 0, 0, 0 },
    { "random 100000",     NULL,               RANDOM, 100000, 0, 0, 0 },
};
#define POINT_PROBLEMS (sizeof point_problems / sizeof point_problems[0])

/* What run_fn.sh compiles from emitted C and links; ends with a NULL name. The benchmark itself is
   linked with an empty table. */
typedef struct emitted {
    const char *id;
    void (*run)(const double *x, double *y);
} emitted;
#ifdef __cplusplus
extern "C"
#endif
const emitted *fn_emitted(void);

typedef struct point {
    const point_problem *problem;
    size_t n, n_variables, m;            /* inputs; outputs of the derivative function */
    double *x, *result, *work;
    unsigned char *parameters;
    program *program_;
    ad_tape *tape;
    ad_var *var, *var_work;
    ad_fn *f;
    ad_cache *cache;
    double *all;                         /* what the driver gives */
    void (*emitted_)(const double *x, double *y);
    double *gas_b, *gas_a;               /* in work */
    const hand_d *hand;
} point;

static point *point_build(const point_problem *problem)
{
    point *p = NEW(point, 1);
    size_t i, size;
    p->problem = problem;
    random_state = 11;
    switch (problem->kind) {
    case ROSENBROCK:
        p->n = p->n_variables = problem->size;
        p->x = plain_numbers(p->n, 0.5, 1.5);
        break;
    case DET4:
        p->n = p->n_variables = 16;
        p->x = plain_numbers(p->n, -1, 1);
        break;
    case NETWORK:
        p->n_variables = NET_WEIGHTS;
        p->n = NET_WEIGHTS + NET_IN + 1;
        p->x = plain_numbers(p->n, -0.5, 0.5);
        break;
    case BUNDLE:
        p->n = BUNDLE_INPUTS;
        p->n_variables = BUNDLE_VARIABLES;
        p->x = plain_numbers(p->n, -0.5, 0.5);
        p->x[5] = -5;
        p->x[6] = 500;
        p->x[7] = 320;
        p->x[8] = 240;
        p->x[14] = 1;
        p->x[15] = 300;
        p->x[16] = 250;
        break;
    case MIXTURE:
        size = gmm_size(problem->d, problem->k);
        p->n_variables = size;
        p->n = size + problem->d * problem->size;
        p->x = plain_numbers(p->n, -1, 1);
        p->work = NEW(double, mixture_work(problem->d, problem->k));
        break;
    case HELMHOLTZ:
        p->n = p->n_variables = GASES;
        p->x = plain_numbers(p->n, 0.5, 2);
        break;
    default:
        /* a gradient has some three times the operations of its function */
        size = (size_t)((double)problem->size * 0.36);
        p->program_ = random_program(8 + size / 20, size, problem->arithmetic, problem->size);
        p->n = p->n_variables = p->program_->inputs;
        p->x = NEW(double, p->n);
        for (i = 0; i < p->n; i++) p->x[i] = p->program_->value[i];
        break;
    }
    p->m = problem->kind == BUNDLE ? (size_t)BUNDLE_OUTPUTS : 1 + p->n_variables;
    p->result = NEW(double, p->m);
    p->parameters = NEW(unsigned char, p->n);
    for (i = p->n_variables; i < p->n; i++) p->parameters[i] = 1;
    p->tape = ad_tape_create(NULL);
    p->var = NEW(ad_var, p->n);
    p->var_work = NEW(ad_var, gmm_work(problem->d, problem->k));
    if (problem->kind == HELMHOLTZ) {
        p->work = NEW(double, 3 * GASES + GASES * GASES);
        p->gas_b = p->work + 2 * GASES;
        p->gas_a = p->gas_b + GASES;
        for (i = 0; i < GASES; i++) p->gas_b[i] = gas_b(i, GASES);
        for (i = 0; i < GASES * GASES; i++) p->gas_a[i] = gas_a(i / GASES, i % GASES);
    }
    return p;
}
static void point_free(point *p)
{
    ad_fn_destroy(p->f);
    ad_tape_destroy(p->tape);
    program_free(p->program_);
    free(p->x);
    free(p->result);
    free(p->work);
    free(p->parameters);
    free(p->var);
    free(p->var_work);
    free(p);
}

/* The determinant of a 4 x 4 matrix, by its 2 x 2 minors. */
static ad_var record_det4(const ad_var *x)
{
    static const unsigned char pair[6][2] = {
        { 0, 1 }, { 0, 2 }, { 0, 3 }, { 1, 2 }, { 1, 3 }, { 2, 3 }
    };
    ad_var upper[6], lower[6], s;
    int i;
    for (i = 0; i < 6; i++) {
        const int a = pair[i][0], b = pair[i][1];
        upper[i] = ad_var_sub(ad_var_mul(x[a], x[4 + b]), ad_var_mul(x[b], x[4 + a]));
        lower[i] = ad_var_sub(ad_var_mul(x[8 + a], x[12 + b]), ad_var_mul(x[8 + b], x[12 + a]));
    }
    s = ad_var_mul(upper[0], lower[5]);
    s = ad_var_sub(s, ad_var_mul(upper[1], lower[4]));
    s = ad_var_add(s, ad_var_mul(upper[2], lower[3]));
    s = ad_var_add(s, ad_var_mul(upper[3], lower[2]));
    s = ad_var_sub(s, ad_var_mul(upper[4], lower[1]));
    return ad_var_add(s, ad_var_mul(upper[5], lower[0]));
}

/* Results of the function alone: their number. */
static size_t point_of(const point *p, const ad_var *x, ad_var *y)
{
    const point_problem *q = p->problem;
    const size_t size = gmm_size(q->d, q->k);
    size_t i;
    switch (q->kind) {
    case ROSENBROCK: y[0] = rosenbrock_of_d(p->n, x); break;
    case DET4: y[0] = record_det4(x); break;
    case NETWORK: y[0] = network_loss_d(x, x + NET_WEIGHTS); break;
    case BUNDLE: bundle_residual_d(x, x + 15, y); return 2;
    case HELMHOLTZ: y[0] = helmholtz_of_d(GASES, p->gas_b, p->gas_a, x); break;
    case MIXTURE:
        y[0] = ad_const(0);
        for (i = 0; i < q->size; i++)
            y[0] = ad_var_add(y[0], mixture_d(q->d, q->k, x, x + size + i * q->d, p->var_work));
        break;
    default: y[0] = record_program(p->program_, x); break;
    }
    return 1;
}
static size_t point_record(const point *p, ad_var y[2])
{
    ad_inputs(p->tape, p->n, p->x, p->var);
    return point_of(p, p->var, y);
}
static void run_point_tape(const void *what)
{
    const point *p = (const point *)what;
    ad_var y[2];
    size_t i, n;
    ad_tape_reset(p->tape);
    n = point_record(p, y);
    for (i = 0; i < n; i++) p->result[i] = y[i].v;
    if (n == 2) ad_jacobian_reverse(p->tape, p->n_variables, p->var, 2, y, p->result + 2);
    else {
        ad_backward(y[0]);
        for (i = 0; i < p->n_variables; i++) p->result[1 + i] = ad_adjoint(p->var[i]);
    }
}
static void run_point_fn(const void *what)
{
    const point *p = (const point *)what;
    ad_fn_eval(p->f, p->x, p->result);
}
static void run_point_emitted(const void *what)
{
    const point *p = (const point *)what;
    p->emitted_(p->x, p->result);
}
static void run_point_hand(const void *what)
{
    const point *p = (const point *)what;
    const point_problem *q = p->problem;
    switch (q->kind) {
    case ROSENBROCK: p->hand->rosenbrock(p->n, p->x, p->result); break;
    case NETWORK: p->hand->network(p->x, p->x + NET_WEIGHTS, p->result); break;
    case BUNDLE: p->hand->bundle_one(p->x, p->result); break;
    case HELMHOLTZ:
        p->hand->helmholtz(GASES, p->gas_b, p->gas_a, p->x, p->result, p->work);
        break;
    case MIXTURE:
        p->hand->mixture(q->d, q->k, q->size, p->x + gmm_size(q->d, q->k), p->x, p->result,
            p->work);
        break;
    default: break;
    }
}
static int has_hand(const point_problem *p) { return p->kind != RANDOM && p->kind != DET4; }

/* The values by themselves, the derivatives by themselves. */
static double point_difference(const point *p, const double *expected)
{
    range r[2];
    r[0].first = 0;
    r[0].count = p->problem->kind == BUNDLE ? 2 : 1;
    r[1].first = r[0].count;
    r[1].count = p->m - r[0].count;
    r[0].step = r[1].step = 1;
    return difference_d(p->result, expected, r, 2);
}

/* Calls `run` and compares: 0, or WRONG has been printed. */
static int point_wrong(point *p, void (*run)(const void *), const char *what,
    const double *expected)
{
    double e;
    memset(p->result, 0xff, p->m * sizeof(double));
    run(p);
    e = point_difference(p, expected);
    if (e <= 1e-9) return 0;
    printf(" WRONG: %s, %s, differs by %.2g\n", p->problem->name, what, e);
    goals.wrong++;
    return 1;
}

static ad_fn *point_function(const point *p)
{
    ad_fn_desc desc;
    ad_fn *f, *g;
    ad_var y[2];
    size_t n;
    memset(&desc, 0, sizeof desc);
    desc.parameters = p->parameters;
    desc.flags = flags;
    ad_tape_reset(p->tape);
    n = point_record(p, y);
    f = ad_fn_create(p->tape, p->n, p->var, n, y, &desc);
    g = n == 2 ? ad_fn_jacobian(f) : ad_fn_gradient(f);
    ad_fn_destroy(f);
    return g;
}

static void verify_points(void)
{
    size_t i, h;
    for (i = 0; i < POINT_PROBLEMS; i++) {
        point *p;
        double *expected;
        if (!has_hand(point_problems + i)) continue;
        p = point_build(point_problems + i);
        expected = NEW(double, p->m);
        run_point_tape(p);
        memcpy(expected, p->result, p->m * sizeof(double));
        for (h = 0; h < 2; h++) {
            p->hand = h ? &hand_clang_d : &hand_gcc_d;
            point_wrong(p, run_point_hand, p->hand->compiler, expected);
        }
        free(expected);
        point_free(p);
    }
}

static void point_row(const point_problem *problem)
{
    point *p, by[2];
    job jobs[BENCH_PEERS];
    bench_race r;
    double *expected, nodes, overhead = 0, ratio;
    ad_fn_stats s;
    int i;
    if (!is_wanted(problem->name)) return;
    p = point_build(problem);
    p->f = point_function(p);
    expected = NEW(double, p->m);
    printf("%-19s", problem->name);
    fflush(stdout);
    run_point_tape(p);
    memcpy(expected, p->result, p->m * sizeof(double));
    if (ad_fn_status(p->f) != AD_OK) printf(" (%s) ", ad_fn_message(p->f));
    if (!point_wrong(p, run_point_fn, "ad_fn_eval", expected)) {
        memset(jobs, 0, sizeof jobs);
        jobs[0].run = run_point_fn;
        jobs[1].run = run_point_tape;
        jobs[0].what = jobs[1].what = p;
        for (i = 0; i < 2 && has_hand(problem); i++) {
            by[i] = *p;
            by[i].hand = i ? &hand_clang_d : &hand_gcc_d;
            jobs[2 + i].run = run_point_hand;
            jobs[2 + i].what = by + i;
        }
        run_race(jobs, 1, 0.5e9, &r);
        if (p->program_) {
            bench_race l;
            job loops[BENCH_PEERS];
            memset(loops, 0, sizeof loops);
            loops[0].run = run_program;
            loops[1].run = run_sorted;
            loops[0].what = loops[1].what = p->program_;
            run_race(loops, 1, 0.1e9, &l);
            overhead = l.ns[0] > l.ns[1] ? l.ns[0] - l.ns[1] : 0;
        }
        s = ad_fn_get_stats(p->f);
        nodes = (double)s.nodes;
        ratio = r.ratio[1] * (1 - overhead / r.ns[1]);
        printf(" %7.0f %7.0f %7.0f %9.2f  %5.2f", nodes, (double)s.instructions,
            (double)s.live_slots, r.ns[0] / 1e3, r.ns[0] / nodes);
        if (nodes <= 150000) {
            const double wanted = nodes <= 12000 ? 1.3 : 1.8;
            printf(" %3.1f %-6s", wanted, goal(r.ns[0] / nodes <= wanted, problem->name,
                "ns a node", r.ns[0] / nodes, wanted));
        } else printf(" %10s", "");
        printf(" %5.2f %-6s", ratio, goal(ratio >= 3, problem->name, "recording anew / eval", ratio,
            3));
        if (has_hand(problem)) printf(" %6.3f", r.ratio[2] < r.ratio[3] ? r.ratio[2] : r.ratio[3]);
        printf("\n");
    }
    fflush(stdout);
    free(expected);
    point_free(p);
}

static void points_part(void)
{
    size_t i;
    printf("\nONE POINT: ad_fn_eval of gradients (bundle: 2 x 15 Jacobian), double.\n"
        "Goals: 1.3 ns a node up to 10,000, 1.8 at 100,000; recording and sweeping a reused tape "
        "takes 3 times\n"
        "as long (random programs: less the time of the loop that interprets them).\n"
        "%-19s %7s %7s %7s %9s  %-16s %-12s %s\n", "", "nodes", "instr.", "slots", "us",
        "ns/node    goal", "tape/fn >=3", "hand/fn");
    for (i = 0; i < POINT_PROBLEMS; i++) point_row(point_problems + i);
}

/* ---------------------------------------------------------------- kept derivatives */

static ad_var point_one(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    ad_var y[2];
    (void)t, (void)n;
    point_of((const point *)user, x, y);
    return y[0];
}
static void point_rows(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m, void *user)
{
    (void)t, (void)n, (void)m;
    point_of((const point *)user, x, y);
}
/* The driver takes derivatives by the parameters as well: g has room for them. */
static void run_point_driver(const void *what)
{
    point *const p = (point *)(uintptr_t)what;
    if (p->problem->kind == BUNDLE)
        ad_jacobian(p->tape, point_rows, p, p->x, p->n, 2, p->all, p->all + 2);
    else ad_gradient(p->tape, point_one, p, p->x, p->n, p->all, p->all + 1);
}
static void run_point_cached(const void *what)
{
    point *const p = (point *)(uintptr_t)what;
    const size_t n = p->n_variables, k = p->n - n;
    if (p->problem->kind == BUNDLE)
        ad_cache_jacobian(p->cache, 0, point_rows, p, p->x, n, p->x + n, k, 2, p->result,
            p->result + 2);
    else ad_cache_gradient(p->cache, 0, point_one, p, p->x, n, p->x + n, k, p->result,
        p->result + 1);
}
static void cache_row(const point_problem *problem)
{
    ad_fn_desc fn;
    ad_cache_desc desc;
    point *p;
    job jobs[BENCH_PEERS];
    bench_race r;
    double *expected, made;
    size_t slots;
    int i;
    if (!is_wanted(problem->name)) return;
    p = point_build(problem);
    expected = NEW(double, p->m);
    p->all = NEW(double, 2 + 2 * p->n);
    run_point_tape(p);
    slots = ad_tape_get_stats(p->tape).slots - p->n;
    memcpy(expected, p->result, p->m * sizeof(double));
    memset(&fn, 0, sizeof fn);
    memset(&desc, 0, sizeof desc);
    fn.flags = flags;
    desc.fn = &fn;
    desc.after = 1;
    p->cache = ad_cache_create(&desc);
    made = bench_now();
    run_point_cached(p);                         /* recorded and compiled */
    for (i = 0; i < 100; i++) run_point_cached(p);
    made = bench_now() - made;                   /* with the machine code */
    printf("%-19s", problem->name);
    fflush(stdout);
    if (!point_wrong(p, run_point_cached, "ad_cache", expected)) {
        memset(jobs, 0, sizeof jobs);
        jobs[0].run = run_point_cached;
        jobs[1].run = run_point_driver;
        jobs[0].what = jobs[1].what = p;
        run_race(jobs, 1, 0.5e9, &r);
        made = (made - 100 * r.ns[0]) / (r.ns[1] - r.ns[0]);
        printf(" %7.0f %9.2f %9.2f %8.2f %9.0f %9.1f\n",
            (double)slots, r.ns[1] / 1e3, r.ns[0] / 1e3,
            r.ratio[1], made, (double)ad_cache_get_stats(p->cache).bytes / 1e3);
    }
    fflush(stdout);
    free(expected);
    free(p->all);
    ad_cache_destroy(p->cache);
    point_free(p);
}
static void cache_part(void)
{
    size_t i;
    printf("\nKEPT: ad_cache_gradient once it is compiled, against ad_gradient on a tape that is "
        "kept (bundle: Jacobians).\n"
        "The driver's is by the parameters too. `pays`: calls after which compiling has paid.\n"
        "%-19s %7s %9s %9s %8s %9s %9s\n", "", "slots", "driver us", "cache us", "ratio", "pays",
        "kB");
    for (i = 0; i < POINT_PROBLEMS; i++)
        if (point_problems[i].size <= 1000 && (point_problems[i].kind != ROSENBROCK
            || point_problems[i].size <= 100)) cache_row(point_problems + i);
}

/* ---------------------------------------------------------------- arithmetic in maps */

#define LANES 512                        /* points: all arrays in the second cache */

typedef struct arithmetic {
    const ad_fn *f;
    ad_port *in, *out;
    ad_map_desc desc;
} arithmetic;
static void run_arithmetic(const void *what)
{
    const arithmetic *a = (const arithmetic *)what;
    ad_fn_map(a->f, LANES, a->in, a->out, &a->desc);
}

static void arithmetic_row(const point_problem *problem)
{
    static const ad_simd sets[BENCH_PEERS] = {
        AD_SIMD_AVX2, AD_SIMD_AVX512, AD_SIMD_NEON, AD_SIMD_PLAIN
    };
    point *p;
    arithmetic a[BENCH_PEERS];
    job jobs[BENCH_PEERS];
    bench_race r;
    double *x, *y, worst = 0, nodes;
    ad_port *in, *out;
    size_t i, k;
    int set;
    if (!is_wanted(problem->name)) return;
    p = point_build(problem);
    p->f = point_function(p);
    nodes = (double)ad_fn_get_stats(p->f).nodes;
    x = NEW(double, p->n * LANES);
    y = NEW(double, p->m * LANES);
    in = NEW(ad_port, p->n);
    out = NEW(ad_port, p->m);
    for (i = 0; i < p->n; i++) {
        in[i] = ad_port_in(x + i * LANES, 1);
        for (k = 0; k < LANES; k++) x[i * LANES + k] = p->x[i] * (1 - 1e-3 * (double)k / LANES);
    }
    for (i = 0; i < p->m; i++) out[i] = ad_port_out(y + i * LANES, 1);
    printf("%-19s %7.0f %7.0f ", problem->name, nodes, (double)ad_fn_get_stats(p->f).live_slots);
    memset(jobs, 0, sizeof jobs);
    for (set = 0; set < BENCH_PEERS; set++) {
        memset(a + set, 0, sizeof a[set]);
        a[set].f = p->f;
        a[set].in = in;
        a[set].out = out;
        a[set].desc.simd = sets[set];
        a[set].desc.threads = 1;
        if (ad_kernels_get(sets[set]) == NULL) continue;
        jobs[set].run = run_arithmetic;
        jobs[set].what = a + set;
        memset(y, 0xff, p->m * LANES * sizeof(double));
        run_arithmetic(a + set);
        for (k = 0; k < LANES; k += 73) {
            double e;
            for (i = 0; i < p->n; i++) p->x[i] = x[i * LANES + k];
            run_point_tape(p);
            for (i = 0; i < p->m; i++) {
                e = fabs(y[i * LANES + k] - p->result[i]) / (fabs(p->result[i]) + 1e-3);
                if (!(e <= worst)) worst = e;
            }
        }
    }
    if (!(worst <= 1e-9)) {
        printf(" WRONG: differs from the tape by %.2g\n", worst);
        goals.wrong++;
    } else {
        run_race(jobs, LANES * nodes, 0.4e9, &r);
        for (set = 0; set < BENCH_PEERS; set++)
            if (jobs[set].run) printf(" %7.3f", r.ns[set]); else printf(" %7s", "-");
        set = jobs[0].run ? 0 : 2;
        if (jobs[set].run)
            printf("  0.15 %s", goal(r.ns[set] <= 0.15, problem->name, "map, ns a node a point",
                r.ns[set], 0.15));
        printf("\n");
    }
    fflush(stdout);
    free(x);
    free(y);
    free(in);
    free(out);
    point_free(p);
}

/* Few points, rows of numbers: a map of so many, over as many evaluations. */
typedef struct few_points {
    const ad_fn *f;
    ad_port *in, *out;
    ad_ports all_in, all_out;
    double *x, *y;
    size_t n, m, points;
} few_points;
static void run_few_map(const void *what)
{
    const few_points *w = (const few_points *)what;
    ad_fn_map(w->f, w->points, w->in, w->out, NULL);
}
static void run_few_groups(const void *what)
{
    const few_points *w = (const few_points *)what;
    ad_fn_map_ports(w->f, w->points, 1, &w->all_in, 1, &w->all_out, NULL);
}
static void run_few_evals(const void *what)
{
    const few_points *w = (const few_points *)what;
    size_t k;
    for (k = 0; k < w->points; k++) ad_fn_eval(w->f, w->x + k * w->n, w->y + k * w->m);
}
static void few_row(const point_problem *problem)
{
    static const size_t counts[] = { 1, 4, 16, 64, 256 };
    few_points w;
    job jobs[BENCH_PEERS];
    bench_race r;
    point *p;
    size_t i, k;
    if (!is_wanted(problem->name)) return;
    p = point_build(problem);
    p->f = point_function(p);
    ad_fn_native(p->f);
    w.f = p->f;
    w.n = p->n;
    w.m = p->m;
    w.x = NEW(double, p->n * LANES);
    w.y = NEW(double, p->m * LANES);
    w.in = NEW(ad_port, p->n);
    w.out = NEW(ad_port, p->m);
    for (i = 0; i < p->n; i++) {
        w.in[i] = ad_port_in(w.x + i, (ptrdiff_t)p->n);
        for (k = 0; k < LANES; k++) w.x[k * p->n + i] = p->x[i] * (1 - 1e-3 * (double)k / LANES);
    }
    for (i = 0; i < p->m; i++) w.out[i] = ad_port_out(w.y + i, (ptrdiff_t)p->m);
    w.all_in = ad_ports_of(w.in[0], p->n, 1);
    w.all_out = ad_ports_of(w.out[0], p->m, 1);
    memset(jobs, 0, sizeof jobs);
    jobs[0].run = run_few_map;
    jobs[1].run = run_few_evals;
    jobs[2].run = run_few_groups;
    jobs[0].what = jobs[1].what = jobs[2].what = &w;
    w.points = LANES;
    run_few_map(&w);                     /* many: blocks get their code */
    run_few_map(&w);
    printf("%-19s", problem->name);
    for (i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        w.points = counts[i];
        run_race(jobs, 1, 0.1e9, &r);
        printf("  %6.0f %4.2f %4.2f", r.ns[0], r.ns[0] / r.ns[1], r.ns[2] / r.ns[1]);
        if (counts[i] >= 64)
            printf(" %s", goal(r.ns[0] <= r.ns[1], problem->name, "map of few points / eval",
                               r.ns[0] / r.ns[1], 1));
    }
    printf("\n");
    fflush(stdout);
    free(w.x);
    free(w.y);
    free(w.in);
    free(w.out);
    point_free(p);
}

static void maps_part(void)
{
    static const point_problem list[] = {
        { "Rosenbrock 4",        NULL, ROSENBROCK, 4, 0, 0, 1 },
        { "Rosenbrock 10",       NULL, ROSENBROCK, 10, 0, 0, 1 },
        { "determinant 4x4",     NULL, DET4, 0, 0, 0, 1 },
        { "random + - * 100",    NULL, RANDOM, 100, 0, 0, 1 },
        { "random + - * 300",    NULL, RANDOM, 300, 0, 0, 1 },
    };
    size_t i;
    printf("\nMAPS, ARITHMETIC: gradients at %d points, double, one thread; ns a node a point.\n"
        "Goal: 0.15 with AVX2 (NEON).\n%-19s %7s %7s  %7s %7s %7s %7s  goal\n", LANES, "", "nodes",
        "slots", "AVX2", "AVX512", "NEON", "plain");
    for (i = 0; i < sizeof list / sizeof list[0]; i++) arithmetic_row(list + i);
    printf("\nMAPS OF FEW POINTS: 1, 4, 16, 64, 256 rows of numbers; ns, and over those of "
        "ad_fn_eval: with a\nport for each number, and with one group of ports a row. "
        "Goal: 1, from 64 points on.\n");
    for (i = 0; i < sizeof list / sizeof list[0]; i++) few_row(list + i);
    printf("\nMAPS, PROBLEMS: values and derivatives, one thread; ns a point.\n"
        "maths: share of the better hand-written code's time that the C library's exp, log, ... "
        "need by\nthemselves. ratio: the better hand-written over ours; goal: above 1, and 2 where "
        "maths takes most.\n%-28s %7s %9s %9s %9s %9s %5s %s\n", "", "nodes", "ours", "ours,AVX2",
        "gcc", "clang", "maths", " ratio (quartiles) goal");
    for (i = 0; i < MAP_PROBLEMS; i++) {
        map_row_d(map_problems + i);
        map_row_f(map_problems + i);
    }
}

/* ---------------------------------------------------------------- emitted C */

static int write_file(void *user, const char *text, size_t length)
{
    return fwrite(text, 1, length, (FILE *)user) != length;
}

/* The gradient of each problem as FOLDER/e_ID.c, and a table of them. */
static int write_emitted(const char *folder)
{
    char path[1024];
    FILE *table;
    size_t i;
    snprintf(path, sizeof path, "%s/table.c", folder);
    table = fopen(path, "w");
    if (table == NULL) return 2;
    fprintf(table, "typedef struct emitted { const char *id; "
        "void (*run)(const double *, double *); } emitted;\n");
    for (i = 0; i < POINT_PROBLEMS; i++)
        if (point_problems[i].id)
            fprintf(table, "void call_%s(const double *, double *);\n", point_problems[i].id);
    fprintf(table, "const emitted *fn_emitted(void);\nconst emitted *fn_emitted(void)\n{\n"
        "    static const emitted list[] = {\n");
    for (i = 0; i < POINT_PROBLEMS; i++) {
        const char *id = point_problems[i].id;
        point *p;
        FILE *f;
        ad_status s;
        if (id == NULL) continue;
        snprintf(path, sizeof path, "%s/e_%s.c", folder, id);
        f = fopen(path, "w");
        if (f == NULL) return 2;
        p = point_build(point_problems + i);
        p->f = point_function(p);
        s = ad_fn_emit_c(p->f, id, write_file, f);
        /* the call, whatever the emitted function returns */
        fprintf(f, "\nvoid call_%s(const double *x, double *y);\n"
            "void call_%s(const double *x, double *y)\n{\n    (void)%s(x, y);\n}\n", id, id, id);
        if (fclose(f) || s != AD_OK) {
            fprintf(stderr, "fn: %s: %s %s\n", id, ad_status_name(s), ad_fn_message(p->f));
            return 1;
        }
        point_free(p);
        fprintf(table, "        { \"%s\", call_%s },\n", id, id);
    }
    fprintf(table, "        { 0, 0 }\n    };\n    return list;\n}\n");
    return fclose(table) ? 2 : 0;
}

static void emitted_row(const point_problem *problem)
{
    const emitted *e = fn_emitted();
    point *p, by[2];
    job jobs[BENCH_PEERS];
    bench_race r;
    double *expected, nodes;
    int i;
    if (!is_wanted(problem->name)) return;
    while (e->id && strcmp(e->id, problem->id) != 0) e++;
    if (e->id == NULL) return;
    p = point_build(problem);
    p->f = point_function(p);
    p->emitted_ = e->run;
    nodes = (double)ad_fn_get_stats(p->f).nodes;
    expected = NEW(double, p->m);
    printf("%-19s %7.0f", problem->name, nodes);
    run_point_tape(p);
    memcpy(expected, p->result, p->m * sizeof(double));
    if (!point_wrong(p, run_point_emitted, "emitted C", expected)) {
        memset(jobs, 0, sizeof jobs);
        jobs[0].run = run_point_emitted;
        jobs[1].run = run_point_fn;
        jobs[0].what = jobs[1].what = p;
        for (i = 0; i < 2 && has_hand(problem); i++) {
            by[i] = *p;
            by[i].hand = i ? &hand_clang_d : &hand_gcc_d;
            jobs[2 + i].run = run_point_hand;
            jobs[2 + i].what = by + i;
        }
        run_race(jobs, 1, 0.5e9, &r);
        printf(" %9.3f %7.2f %9.3f", r.ns[0] / 1e3, r.ns[0] / nodes, r.ns[1] / 1e3);
        if (has_hand(problem)) {
            const int better = r.ns[3] < r.ns[2] ? 3 : 2;
            const double ratio = 1 / r.ratio[better];
            printf(" %9.3f %9.3f  %5.2f (%.2f-%.2f) 1.2 %s", r.ns[2] / 1e3, r.ns[3] / 1e3, ratio,
                1 / r.high[better], 1 / r.low[better],
                goal(ratio <= 1.2, problem->name, "emitted / hand-written", ratio, 1.2));
        }
        printf("\n");
    }
    fflush(stdout);
    free(expected);
    point_free(p);
}

static void emitted_part(void)
{
    size_t i;
    printf("\nEMITTED C: gradients at one point, double, compiled by gcc -O3 -march=native; us.\n"
        "Goal: at most 1.2 times the better hand-written code.\n"
        "%-19s %7s %9s %7s %9s %9s %9s  %s\n", "", "nodes", "emitted", "ns/node", "fn_eval", "gcc",
        "clang", "emitted / hand (quartiles) goal");
    for (i = 0; i < POINT_PROBLEMS; i++)
        if (point_problems[i].id) emitted_row(point_problems + i);
}

/* ---------------------------------------------------------------- compiling */

static size_t held, held_most;
static void *counted(void *user, void *old, size_t old_bytes, size_t new_bytes)
{
    void *p;
    (void)user;
    if (new_bytes == 0) {
        held -= old_bytes;
        free(old);
        return NULL;
    }
    p = realloc(old, new_bytes);
    if (p == NULL) return NULL;
    held = held - (old ? old_bytes : 0) + new_bytes;
    if (held > held_most) held_most = held;
    return p;
}

static void create_row(enum kind kind, size_t size)
{
    point_problem problem;
    char name[40];
    point *p;
    ad_var y[2];
    ad_fn_desc desc;
    ad_fn *f, *g = NULL;
    ad_fn_stats s;
    double start, seconds, most;
    memset(&problem, 0, sizeof problem);
    problem.kind = kind;
    /* operations of the trace: those of a random program and the sum; eight a term of a chain */
    problem.size = kind == RANDOM ? (size_t)((double)size / 0.36 / 1.15) : size / 8;
    snprintf(name, sizeof name, "%s, %.0e", kind == RANDOM ? "random" : "Rosenbrock", (double)size);
    if (!is_wanted(name)) return;
    p = point_build(&problem);
    memset(&desc, 0, sizeof desc);
    desc.resize = counted;
    point_record(p, y);
    held = held_most = 0;
    start = 1e-9 * bench_processor();
    f = ad_fn_create(p->tape, p->n, p->var, 1, y, &desc);
    seconds = 1e-9 * bench_processor() - start;
    most = (double)held_most;
    s = ad_fn_get_stats(f);
    printf("%-20s", name);
    if (ad_fn_status(f) != AD_OK) {
        printf(" WRONG: %s %s\n", ad_status_name(ad_fn_status(f)), ad_fn_message(f));
        goals.wrong++;
    } else {
        const double trace = (double)s.trace_nodes;
        printf(" %9.0f %8.0f %7.2f %6.0f %6.0f %-8s", trace, seconds * 1e9 / trace, seconds,
            most / 1e6, (double)s.bytes / trace, s.order);
        if (size == 10000000)
            printf(" %s", goal(seconds < 5, name, "ad_fn_create, s", seconds, 5));
        else printf(" %6s", "");
        if (size <= 1000000) {
            held_most = held;
            most = (double)held;
            start = 1e-9 * bench_processor();
            g = ad_fn_gradient(f);
            seconds = 1e-9 * bench_processor() - start;
            s = ad_fn_get_stats(g);
            printf(" %9.0f %8.0f %7.2f %6.0f %s", (double)s.nodes, seconds * 1e9 / (double)s.nodes,
                seconds, ((double)held_most - most) / 1e6, s.order ? s.order : "?");
            if (ad_fn_status(g) != AD_OK) {
                printf(" WRONG: %s", ad_fn_message(g));
                goals.wrong++;
            }
        }
        printf("\n");
    }
    fflush(stdout);
    ad_fn_destroy(g);
    ad_fn_destroy(f);
    if (held) {
        printf("WRONG: %.0f bytes are not freed\n", (double)held);
        goals.wrong++;
    }
    point_free(p);
}

/* Runs gcc; its processor time and greatest memory. */
static int run_gcc(const char *source, double *seconds, double *megabytes)
{
    struct rusage used;
    int status = -1;
    pid_t child;
    fflush(stdout);
    child = fork();
    if (child == 0) {
        execlp("gcc", "gcc", "-O2", "-c", source, "-o", "/dev/null", (char *)NULL);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &used) != child) return -1;
    *seconds = (double)used.ru_utime.tv_sec + 1e-6 * (double)used.ru_utime.tv_usec
        + (double)used.ru_stime.tv_sec + 1e-6 * (double)used.ru_stime.tv_usec;
    *megabytes = (double)used.ru_maxrss / 1e3;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void emit_rows(enum kind kind, int large, const char *folder)
{
    static const size_t sizes[] = { 1000, 10000, 100000, 1000000 };
    double per_node[4] = { 0, 0, 0, 0 }, ratio;
    const char *what = kind == RANDOM ? "random" : "Rosenbrock";
    size_t i;
    if (!is_wanted(what)) return;
    for (i = 0; i < (large ? 4u : 3u); i++) {
        point_problem problem;
        char path[1024];
        point *p;
        FILE *f;
        double start, emit_seconds, seconds, megabytes, nodes;
        long bytes;
        int code;
        memset(&problem, 0, sizeof problem);
        problem.kind = kind;
        problem.size = kind == RANDOM ? sizes[i] : sizes[i] / 11;
        p = point_build(&problem);
        p->f = point_function(p);
        nodes = (double)ad_fn_get_stats(p->f).nodes;
        snprintf(path, sizeof path, "%s/compile.c", folder);
        f = fopen(path, "w");
        if (f == NULL) {
            printf("SKIP: cannot write %s\n", path);
            point_free(p);
            return;
        }
        start = 1e-9 * bench_processor();
        code = (int)ad_fn_emit_c(p->f, "f", write_file, f);
        emit_seconds = 1e-9 * bench_processor() - start;
        bytes = ftell(f);
        fclose(f);
        if (code == 0) code = run_gcc(path, &seconds, &megabytes);
        if (code == 127) {
            printf("SKIP: no gcc (Debian: apt-get install gcc)\n");
            i = 4;
        } else if (code) {
            printf("%-12s %9.0f WRONG: emitting or compiling failed, %d %s\n", what, nodes, code,
                ad_fn_message(p->f));
            goals.wrong++;
            i = 4;
        } else {
            per_node[i] = seconds * 1e6 / nodes;
            printf("%-12s %9.0f %10.0f %8.1f %10.2f %10.1f %8.0f", what, nodes,
                emit_seconds * 1e9 / nodes, (double)bytes / nodes, seconds, per_node[i], megabytes);
            if (sizes[i] >= 100000)
                printf("  120 us %s", goal(per_node[i] < 120, what, "gcc, us a node", per_node[i],
                    120));
            printf("\n");
        }
        fflush(stdout);
        point_free(p);
    }
    if (per_node[2] <= 0) return;
    ratio = per_node[large ? 3 : 2] / per_node[1];
    printf("%-12s a node takes %.2f times as long at %s as at 10,000 nodes; linear: below 1.5 %s\n",
        what, ratio, large ? "1,000,000" : "100,000",
        goal(ratio < 1.5, what, "gcc, a node / at 10,000", ratio, 1.5));
}

static void compile_part(int large, const char *folder)
{
    size_t size;
    printf("\nCREATING: ad_fn_create of a trace, ad_fn_gradient of the function up to 1,000,000; "
        "processor time.\nMB: most memory held meanwhile. B/op: held afterwards. Goal: 10,000,000 "
        "in 5 s.\n%-20s %9s %8s %7s %6s %6s %-15s %9s %8s %7s %6s %s\n", "", "trace", "ns/op", "s",
        "MB", "B/op", "order", "gradient", "ns/node", "s", "MB", "order");
    for (size = 10000; size <= 10000000; size *= 10) create_row(RANDOM, size);
    for (size = 10000; size <= 10000000; size *= 10) create_row(ROSENBROCK, size);
    printf("\nCOMPILING EMITTED C: gradients, gcc -O2, processor time. Goal: a million nodes in "
        "two minutes.\n"
        "%-12s %9s %10s %8s %10s %10s %8s\n", "", "nodes", "emit ns", "chars", "gcc s",
        "us a node", "MB");
    emit_rows(RANDOM, large, folder);
    emit_rows(ROSENBROCK, large, folder);
}

/* ---------------------------------------------------------------- the program */

int main(int argc, char **argv)
{
    static const char *const parts[] = { "point", "map", "emit", "cache", "compile" };
    const double start = bench_now();
    int part[5] = { 0, 0, 0, 0, 0 }, large = 0, some = 0, a, i;
    const char *folder = ".";
    if (argc == 4 && strcmp(argv[1], "write") == 0 && strcmp(argv[3], "--fast") == 0)
        flags = AD_FN_CONTRACT | AD_FN_FAST;
    if (argc >= 3 && strcmp(argv[1], "write") == 0) return write_emitted(argv[2]);
    for (a = 1; a < argc; a++) {
        for (i = 0; i < 5 && strcmp(argv[a], parts[i]) != 0; i++) continue;
        if (i < 5) part[i] = some = 1;
        else if (strcmp(argv[a], "--large") == 0) large = 1;
        else if (strcmp(argv[a], "--fast") == 0) flags = AD_FN_CONTRACT | AD_FN_FAST;
        else if (strcmp(argv[a], "--only") == 0 && a + 1 < argc && only_count < 16)
            only[only_count++] = argv[++a];
        else if (strcmp(argv[a], "--folder") == 0 && a + 1 < argc) folder = argv[++a];
        else {
            fprintf(stderr, "usage: run_fn.sh [point] [map] [emit] [cache] [compile] "
                "[--fast] [--large] [--only TEXT]...\n");
            return 2;
        }
    }
    for (i = 0; i < 5; i++) if (!some) part[i] = 1;
    bench_machine("compiled functions");
    printf("; best instruction set: %s\n",
        ad_simd_name(ad_kernels_simd(ad_kernels_get(AD_SIMD_BEST))));
    verify_maps_d();
    verify_maps_f();
    verify_points();
    if (goals.wrong) return 1;
    printf("hand-written derivatives, by gcc and by clang, agree with the tape's\n%s", flags
        ? "functions made with AD_FN_CONTRACT | AD_FN_FAST\n" : "functions with the tape's bits\n");
    for (i = 0; i < 5; i++) {
        if (!part[i]) continue;
        if (i == 0) points_part();
        else if (i == 1) maps_part();
        else if (i == 2) emitted_part();
        else if (i == 3) cache_part();
        else compile_part(large, folder);
        if (i < 4) print_pace();
    }
    return bench_end(&goals, start);
}

#else

/* A problem with its data: where inputs come from and outputs go to, by hand and in the map. */
typedef struct P(map) {
    const map_problem *problem;
    size_t n_in, n_variables, n_out, points, results, blocks;
    A(port) *in, *out;
    unsigned char *parameters;
    REAL *data[5], *result, *work;
    uint32_t *index[2];
    void *block[16];
    range ranges[BUNDLE_OUTPUTS];
    size_t range_count;
    A(fn) *f;
    ad_map_desc desc;
} P(map);
typedef struct P(by_hand) {
    const P(map) *map;
    const P(hand) *hand;
} P(by_hand);

static REAL *P(numbers)(P(map) *m, size_t n, double low, double high)
{
    REAL *x = NEW(REAL, n);
    size_t i;
    m->block[m->blocks++] = x;
    for (i = 0; i < n; i++) x[i] = (REAL)between(low, high);
    return x;
}
static uint32_t *P(indices)(P(map) *m, size_t n, size_t limit)
{
    uint32_t *x = NEW(uint32_t, n);
    size_t i;
    m->block[m->blocks++] = x;
    for (i = 0; i < n; i++) x[i] = (uint32_t)below(limit);
    return x;
}
static void P(add_range)(P(map) *m, size_t first, size_t count, size_t step)
{
    range *r = m->ranges + m->range_count++;
    r->first = first;
    r->count = count;
    r->step = step;
}

static void P(build_bundle)(P(map) *m)
{
    const size_t n = m->points;
    size_t i;
    m->n_in = BUNDLE_INPUTS;
    m->n_variables = BUNDLE_VARIABLES;
    m->n_out = BUNDLE_OUTPUTS;
    m->results = BUNDLE_OUTPUTS * n;
    m->data[0] = P(numbers)(m, 11 * CAMERAS, -0.8, 0.8);
    for (i = 0; i < CAMERAS; i++) {
        REAL *c = m->data[0] + 11 * i;
        const double small = i % 10 ? 1 : i % 20 ? 1e-7 : 0;     /* both sides of the guard */
        size_t j;
        for (j = 0; j < 3; j++) c[j] = (REAL)((double)c[j] * small);
        c[5] = (REAL)between(-6, -4);
        c[6] = (REAL)between(400, 600);
        c[7] = (REAL)between(300, 340);
        c[8] = (REAL)between(220, 260);
        c[9] = (REAL)between(-0.1, 0.1);
        c[10] = (REAL)between(-0.01, 0.01);
    }
    m->data[1] = P(numbers)(m, 3 * POINTS, -1, 1);
    m->data[2] = P(numbers)(m, n, 0.5, 1.5);
    m->data[3] = P(numbers)(m, 2 * n, 200, 400);
    m->index[0] = P(indices)(m, n, CAMERAS);
    m->index[1] = P(indices)(m, n, POINTS);
    for (i = 0; i < 11; i++) m->in[i] = A(port_gather)(m->data[0] + i, 11, m->index[0]);
    for (i = 0; i < 3; i++) m->in[11 + i] = A(port_gather)(m->data[1] + i, 3, m->index[1]);
    m->in[14] = A(port_in)(m->data[2], 1);
    for (i = 0; i < 2; i++) m->in[15 + i] = A(port_in)(m->data[3] + i, 2);
    for (i = 0; i < BUNDLE_OUTPUTS; i++) P(add_range)(m, i, n, BUNDLE_OUTPUTS);
}
static void P(build_mixture)(P(map) *m)
{
    const size_t d = m->problem->d, k = m->problem->k, n = m->points, size = gmm_size(d, k);
    size_t i;
    m->n_in = size + d;
    m->n_variables = size;
    m->n_out = m->results = 1 + size;
    m->data[0] = P(numbers)(m, size, -1, 1);
    for (i = 0; i < k * d; i++) {        /* so scaled that several components share each point */
        m->data[0][k + i] *= 2;
        m->data[0][k + k * d + i] -= (REAL)(0.5 * log((double)d));
    }
    for (i = k + 2 * k * d; i < size; i++) m->data[0][i] *= (REAL)(0.3 / sqrt((double)d));
    m->data[1] = P(numbers)(m, n * d, -2, 2);
    m->work = P(numbers)(m, mixture_work(d, k), 0, 0);
    for (i = 0; i < size; i++) m->in[i] = A(port_shared)(m->data[0] + i);
    for (i = 0; i < d; i++) m->in[size + i] = A(port_in)(m->data[1] + i, (ptrdiff_t)d);
    P(add_range)(m, 0, 1, 1);
    P(add_range)(m, 1, k, 1);
    P(add_range)(m, 1 + k, k * d, 1);
    P(add_range)(m, 1 + k + k * d, k * d, 1);
    P(add_range)(m, 1 + k + 2 * k * d, size - k - 2 * k * d, 1);
}
static void P(build_options)(P(map) *m)
{
    const size_t n = m->points;
    size_t i;
    m->n_in = m->n_variables = 5;
    m->n_out = GREEKS;
    m->results = GREEKS * n;
    m->data[0] = P(numbers)(m, n, 80, 120);
    m->data[1] = P(numbers)(m, n, 80, 120);
    m->data[2] = P(numbers)(m, n, 0.1, 2);
    m->data[3] = P(numbers)(m, n, 0.1, 0.5);
    m->data[4] = P(numbers)(m, 1, 0.03, 0.03);
    for (i = 0; i < 4; i++) m->in[i] = A(port_in)(m->data[i], 1);
    m->in[4] = A(port_shared)(m->data[4]);
    for (i = 0; i < GREEKS; i++) P(add_range)(m, i * n, n, 1);
}
static void P(build_logistic)(P(map) *m)
{
    const size_t d = m->problem->d, n = m->points;
    size_t i;
    m->n_in = 2 * d + 1;
    m->n_variables = d;
    m->n_out = m->results = 1 + d;
    m->data[0] = P(numbers)(m, d, -1, 1);
    m->data[1] = P(numbers)(m, n * d, -1, 1);
    m->data[2] = P(numbers)(m, n, 0, 1);
    for (i = 0; i < n; i++) m->data[2][i] = m->data[2][i] > (REAL)0.6;
    for (i = 0; i < d; i++) m->in[i] = A(port_shared)(m->data[0] + i);
    for (i = 0; i < d; i++) m->in[d + i] = A(port_in)(m->data[1] + i, (ptrdiff_t)d);
    m->in[2 * d] = A(port_in)(m->data[2], 1);
    P(add_range)(m, 0, 1, 1);
    P(add_range)(m, 1, d, 1);
}

static P(map) *P(map_build)(const map_problem *problem, size_t points)
{
    P(map) *m = NEW(P(map), 1);
    const size_t most = 64 + 2 * gmm_size(problem->d, problem->k) + 3 * problem->d;
    size_t i;
    random_state = 7;
    m->problem = problem;
    m->points = points;
    m->block[m->blocks++] = m->in = NEW(A(port), most);
    m->block[m->blocks++] = m->out = NEW(A(port), most);
    m->block[m->blocks++] = m->parameters = NEW(unsigned char, most);
    switch (problem->kind) {
    case BUNDLE: P(build_bundle)(m); break;
    case MIXTURE: P(build_mixture)(m); break;
    case OPTIONS: P(build_options)(m); break;
    default: P(build_logistic)(m); break;
    }
    m->result = P(numbers)(m, m->results, 0, 0);
    for (i = m->n_variables; i < m->n_in; i++) m->parameters[i] = 1;
    for (i = 0; i < m->n_out; i++)
        m->out[i] = problem->kind == BUNDLE ? A(port_out)(m->result + i, BUNDLE_OUTPUTS)
            : problem->kind == OPTIONS ? A(port_out)(m->result + i * points, 1)
            : A(port_sum)(m->result + i);
    return m;
}
static void P(map_free)(P(map) *m)
{
    size_t i;
    A(fn_destroy)(m->f);
    for (i = 0; i < m->blocks; i++) free(m->block[i]);
    free(m);
}

static void P(run_hand)(const void *what)
{
    const P(by_hand) *b = (const P(by_hand) *)what;
    const P(map) *m = b->map;
    const map_problem *p = m->problem;
    switch (p->kind) {
    case BUNDLE:
        b->hand->bundle(m->points, m->data[0], m->data[1], m->data[2], m->data[3], m->index[0],
            m->index[1], m->result);
        break;
    case MIXTURE:
        b->hand->mixture(p->d, p->k, m->points, m->data[1], m->data[0], m->result, m->work);
        break;
    case OPTIONS:
        b->hand->options(m->points, m->data[0], m->data[1], m->data[2], m->data[3], m->data[4][0],
            m->result);
        break;
    default:
        b->hand->logistic(p->d, m->points, m->data[1], m->data[2], m->data[0], m->result);
        break;
    }
}
static void P(run_map)(const void *what)
{
    const P(map) *m = (const P(map) *)what;
    A(fn_map)(m->f, m->points, m->in, m->out, &m->desc);
}

/* The values of the inputs at point p, through the ports. */
static void P(inputs_at)(const P(map) *m, size_t p, REAL *x)
{
    size_t i;
    for (i = 0; i < m->n_in; i++) {
        const A(port) *q = m->in + i;
        x[i] = q->data[(ptrdiff_t)(q->index ? q->index[p] : p) * q->stride];
    }
}
/* Price and Greeks, by two sweeps; theta is against the years. */
static void P(greeks)(const A(var) *x, A(var) *y)
{
    A(var) v[5], g[5];
    memcpy(v, x, sizeof v);
    v[2] = A(var_neg)(x[2]);
    y[0] = P(option_price)(v);
    A(grad_vars)(y[0], 5, x, g);
    y[1] = g[0];
    A(grad_vars)(g[0], 1, x, y + 2);
    y[3] = g[3];
    y[4] = A(var_neg)(g[2]);
    y[5] = g[4];
}

/* Records the problem at x: how many results y. */
static size_t P(record)(const map_problem *p, const A(var) *x, A(var) *y)
{
    switch (p->kind) {
    case BUNDLE:
        P(bundle_residual)(x, x + 15, y);
        return 2;
    case MIXTURE: {
        A(var) *work = NEW(A(var), gmm_work(p->d, p->k));
        y[0] = P(mixture)(p->d, p->k, x, x + gmm_size(p->d, p->k), work);
        free(work);
        return 1;
    }
    case OPTIONS:
        P(greeks)(x, y);
        return GREEKS;
    default:
        y[0] = P(logistic_loss)(p->d, x, x + p->d, x[2 * p->d]);
        return 1;
    }
}

/* What the tape's sweeps give for all points. 0: fine. */
static int P(by_tape)(const P(map) *m)
{
    A(tape) *t = A(tape_create)(NULL);
    REAL *x = NEW(REAL, m->n_in), *one = NEW(REAL, m->n_out);
    A(var) *vx = NEW(A(var), m->n_in), y[GREEKS];
    size_t p, i;
    int failed = 0;
    memset(m->result, 0, m->results * sizeof(REAL));
    for (p = 0; p < m->points && !failed; p++) {
        size_t n;
        A(tape_reset)(t);
        P(inputs_at)(m, p, x);
        A(inputs)(t, m->n_in, x, vx);
        n = P(record)(m->problem, vx, y);
        for (i = 0; i < n; i++) one[i] = y[i].v;
        if (m->problem->kind == BUNDLE)
            A(jacobian_reverse)(t, m->n_variables, vx, n, y, one + n);
        else if (n == 1) {
            A(backward)(y[0]);
            for (i = 0; i < m->n_variables; i++) one[1 + i] = A(adjoint)(vx[i]);
        }
        failed = A(tape_status)(t) != AD_OK;
        for (i = 0; i < m->n_out; i++) m->out[i].data[(ptrdiff_t)p * m->out[i].stride] += one[i];
    }
    if (failed) printf("%s\n", A(tape_message)(t));
    A(tape_destroy)(t);
    free(x);
    free(one);
    free(vx);
    return failed;
}

/* Greatest |a - b| / (|b| + the range's root of mean squares); what is not finite is infinitely
   wrong. */
static double P(difference)(const REAL *a, const REAL *b, const range *ranges, size_t count)
{
    double worst = 0;
    size_t r, i;
    for (r = 0; r < count; r++) {
        double square = 0;
        const range q = ranges[r];
        for (i = 0; i < q.count; i++) {
            const double v = (double)b[q.first + i * q.step];
            square += v * v;
        }
        square = sqrt(square / (double)(q.count ? q.count : 1));
        for (i = 0; i < q.count; i++) {
            const double u = (double)a[q.first + i * q.step], v = (double)b[q.first + i * q.step];
            const double e = fabs(u - v) / (fabs(v) + square + 1e-300);
            if (!(e <= 1e300)) return HUGE_VAL;
            if (e > worst) worst = e;
        }
    }
    return worst;
}
#define TOLERANCE (sizeof(REAL) == 8 ? 1e-9 : 2e-3)

/* What is written by hand against the tape, at a few points. */
static void P(verify_maps)(void)
{
    size_t i, h;
    const P(hand) *hands[2];
    hands[0] = &P(hand_gcc);
    hands[1] = &P(hand_clang);
    for (i = 0; i < MAP_PROBLEMS; i++) {
        P(map) *m = P(map_build)(map_problems + i, 50);
        REAL *expected = NEW(REAL, m->results);
        const int failed = P(by_tape)(m);
        memcpy(expected, m->result, m->results * sizeof(REAL));
        for (h = 0; h < 2; h++) {
            P(by_hand) b;
            double e;
            b.map = m;
            b.hand = hands[h];
            P(run_hand)(&b);
            e = failed ? HUGE_VAL : P(difference)(m->result, expected, m->ranges, m->range_count);
            if (!(e <= TOLERANCE)) {
                printf("WRONG: %s by hand, %s, %s, differs from the tape by %.2g\n",
                    map_problems[i].name, sizeof(REAL) == 8 ? "double" : "float",
                    hands[h]->compiler, e);
                goals.wrong++;
            }
        }
        free(expected);
        P(map_free)(m);
    }
}

/* The problem as a function with its derivatives. */
static A(fn) *P(map_function)(const P(map) *m)
{
    A(tape) *t = A(tape_create)(NULL);
    REAL *x = NEW(REAL, m->n_in);
    A(var) *vx = NEW(A(var), m->n_in), y[GREEKS];
    A(fn) *f, *g;
    ad_fn_desc desc;
    size_t n;
    memset(&desc, 0, sizeof desc);
    desc.parameters = m->parameters;
    P(inputs_at)(m, 1, x);
    A(inputs)(t, m->n_in, x, vx);
    n = P(record)(m->problem, vx, y);
    desc.flags = flags;
    f = A(fn_create)(t, m->n_in, vx, n, y, &desc);
    g = m->problem->kind == BUNDLE ? A(fn_jacobian)(f) : n == 1 ? A(fn_gradient)(f) : f;
    if (g != f) A(fn_destroy)(f);
    A(tape_destroy)(t);
    free(x);
    free(vx);
    return g;
}

/* Nanoseconds of a call of the C library's functions, at usual arguments. */
static double P(call_cost)(int call)
{
    static double cost[CALLS];           /* the least so far */
    REAL x[256], s = 0;
    double least = cost[call] > 0 ? cost[call] : 1e9;
    int i, round;
    for (i = 0; i < 256; i++) x[i] = (REAL)(0.01 + 0.01 * (double)(i * 37 % 256));
    for (round = 0; round < 1000; round++) {
        const double start = bench_now();
        double ns;
        for (i = 0; i < 256; i++)
            switch (call) {
            case CALL_EXP: s += M(exp)(-x[i]); break;
            case CALL_LOG: s += M(log)(x[i]); break;
            case CALL_LOG1P: s += M(log1p)(x[i]); break;
            case CALL_ERFC: s += M(erfc)(x[i]); break;
            default: s += M(sin)(x[i]) * M(cos)(x[i]); break;
            }
        ns = (bench_now() - start) / 256;
        if (ns < least) least = ns;
    }
    sink = (double)s;
    return cost[call] = least;
}

static void P(map_row)(const map_problem *problem)
{
    const char *type = sizeof(REAL) == 8 ? "double" : "float";
    P(map) *m, avx2;
    P(by_hand) hands[2];
    job jobs[BENCH_PEERS];
    bench_race r;
    REAL *expected;
    double e, maths = 0;
    char label[40];
    int better, i, variant;
    if (!is_wanted(problem->name)) return;
    snprintf(label, sizeof label, "%s %s", problem->name, type);
    m = P(map_build)(problem, problem->points);
    m->desc.threads = 1;
    m->f = P(map_function)(m);
    expected = NEW(REAL, m->results);
    printf("%-21s %-6s", problem->name, type);
    memset(jobs, 0, sizeof jobs);
    for (i = 0; i < 2; i++) {
        hands[i].map = m;
        hands[i].hand = i ? &P(hand_clang) : &P(hand_gcc);
        jobs[2 + i].run = P(run_hand);
        jobs[2 + i].what = hands + i;
    }
    avx2 = *m;
    avx2.desc.simd = AD_SIMD_AVX2;
    jobs[0].run = P(run_map);
    jobs[0].what = m;
    if (ad_kernels_simd(ad_kernels_get(AD_SIMD_BEST)) == AD_SIMD_AVX512) {
        jobs[1].run = P(run_map);
        jobs[1].what = &avx2;
    }
    P(run_hand)(hands);
    memcpy(expected, m->result, m->results * sizeof(REAL));
    for (variant = 0; variant < 2; variant++) {
        ad_status s;
        if (jobs[variant].run == NULL) continue;
        memset(m->result, 0xff, m->results * sizeof(REAL));      /* NaN */
        s = A(fn_map)(m->f, m->points, m->in, m->out, variant ? &avx2.desc : &m->desc);
        e = P(difference)(m->result, expected, m->ranges, m->range_count);
        if (s != AD_OK || !(e <= TOLERANCE)) {
            printf(" WRONG: %s, %s; differs by %.2g%s\n", ad_status_name(s),
                s == AD_OK ? "" : A(fn_message)(m->f), e, variant ? " (AVX2)" : "");
            goals.wrong++;
            P(map_free)(m);
            free(expected);
            return;
        }
    }
    run_race(jobs, (double)m->points, 0.6e9, &r);
    better = r.ns[3] < r.ns[2] ? 3 : 2;
    for (i = 0; i < CALLS; i++)
        if (problem->calls[i]) maths += problem->calls[i] * P(call_cost)(i);
    printf(" %7.0f %9.1f", (double)A(fn_get_stats)(m->f).nodes, r.ns[0]);
    if (jobs[1].run) printf(" %9.1f", r.ns[1]); else printf(" %9s", "-");
    printf(" %9.1f %9.1f %4.0f%% %6.2f (%.2f-%.2f) %g %s\n", r.ns[2], r.ns[3],
        100 * maths / r.ns[better], r.ratio[better], r.low[better], r.high[better], problem->wanted,
        goal(problem->wanted > 1 ? r.ratio[better] >= problem->wanted : r.ratio[better] > 1, label,
            "hand-written / map", r.ratio[better], problem->wanted));
    fflush(stdout);
    P(map_free)(m);
    free(expected);
}
#undef TOLERANCE
#undef REAL
#undef P
#undef A
#undef M
#endif
