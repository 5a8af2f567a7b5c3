/* ad_fn_repeat: loops of compiled steps against the same steps recorded one after another, to the
   bit in their values, in every derivative and on tapes; loops of loops, odd sizes, guards that
   fail on the way, errors, memory, lifetimes, and the size of what is made. The emitted text is
   compiled and compared by emit.c. The file includes itself, once for each real type.
   Sections: Compiled Functions: Schedules; Compiled Functions: Programs; Compiled Functions:
   Making; Compiled Functions: Evaluating; Compiled Functions: Calling. */
#ifndef PREAL
#include <math.h>
#include <stdlib.h>
#include "test.h"
#include "heap.h"
#include "leaks.h"
#include "starve.h"
#include "programs.h"

TEST_DEF void suite_loops(void);

/* What else a step does. */
enum { GUARD = 1, INNER = 2 };
enum { LOOP_NUMBERS = 4096 };

typedef struct loop_shape {
    size_t n, k, d, e, steps;
    int    all, kind;
} loop_shape;
static size_t loop_inputs(loop_shape q) { return q.n + q.k + q.steps * q.d; }
static size_t loop_outputs(loop_shape q)
{
    return q.n + q.steps * (q.e + (q.all ? q.n : 0));
}
static loop_shape loop_of(size_t n, size_t k, size_t d, size_t e, size_t steps, int all)
{
    loop_shape q;
    q.n = n;
    q.k = k;
    q.d = d;
    q.e = e;
    q.steps = steps;
    q.all = all;
    q.kind = 0;
    return q;
}
static const char *loop_text(loop_shape q)
{
    static char text[100];
    snprintf(text, sizeof text, "n %d k %d d %d e %d steps %d all %d kind %d", (int)q.n, (int)q.k,
             (int)q.d, (int)q.e, (int)q.steps, q.all, q.kind);
    return text;
}

/* Text that is kept to be looked at. */
static struct { char text[1 << 18]; size_t n; } loop_kept;
static int loop_write(void *user, const char *text, size_t length)
{
    (void)user;
    if (length >= sizeof loop_kept.text - loop_kept.n) return 1;
    memcpy(loop_kept.text + loop_kept.n, text, length);
    loop_kept.n += length;
    loop_kept.text[loop_kept.n] = 0;
    return 0;
}
/* A statement that does nothing, of which compilers would warn: one that begins with a number. */
static int loop_idle(void)
{
    const char *p = loop_kept.text;
    while ((p = strchr(p, '\n')) != NULL) {
        const char before = p[-1], after = p[1 + strspn(p + 1, " ")];
        p++;
        if (strchr(";{}", before) && after >= '0' && after <= '9') return 1;
    }
    return 0;
}

#define TWICE "test_loops.c"
#include "twice.h"

TEST_DEF void suite_loops(void)
{
    d_loops();
    f_loops();
}

#else

/* ---------------------------------------------------------------- steps, and what is expected */

static PREAL PT(draw)(uint64_t seed, size_t i)
{
    program_dice dice;
    dice.state = seed * 1000003 + i;
    return (PREAL)(0.25 + 0.5 * program_unit(&dice));
}

/* A step of q's sizes of x: numbers of size 1 stay so. */
static void PT(step_on)(loop_shape q, PAD(tape) *t, const PAD(var) *x, PAD(var) *y)
{
    const PAD(var) *const p = x + q.n, *const row = p + q.k;
    size_t j;
    for (j = 0; j < q.n; j++) {
        const PAD(var) b = x[(j + 1) % q.n], c = q.k ? p[j % q.k] : PAD(const)((PREAL)0.75);
        const PAD(var) u = q.d ? row[j % q.d] : PAD(const)((PREAL)0.5);
        PAD(var) force = PAD(var_mul)(PAD(var_sin)(PAD(var_mul)(b, c)), PAD(var_add_r)(u, 1));
        if (q.kind & GUARD && !PAD(branch)(PAD(var_lt_r)(x[j], 2))) force = x[j];
        y[j] = PAD(var_add)(PAD(var_mul_r)(x[j], (PREAL)0.875), PAD(var_mul_r)(force, (PREAL)0.25));
    }
    for (j = 0; j < q.e; j++) {
        PAD(var) s = q.n ? PAD(var_square)(x[j % q.n]) : PAD(const)((PREAL)(j + 1));
        if (q.k) s = PAD(var_add)(s, PAD(var_tanh)(PAD(var_mul)(s, p[j % q.k])));
        if (q.d) s = PAD(var_mul)(s, PAD(var_exp)(row[j % q.d]));
        y[q.n + j] = j == 2 ? y[q.n] : s;                       /* one output twice */
    }
    (void)t;
}
static PAD(fn) *PT(step_desc)(loop_shape q, const ad_fn_desc *desc)
{
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(var) x[16], y[16];
    PAD(fn) *f;
    size_t i;
    for (i = 0; i < q.n + q.k + q.d; i++) x[i] = PAD(input)(t, PT(draw)(1, i));
    PT(step_on)(q, t, x, y);
    f = PAD(fn_create)(t, q.n + q.k + q.d, x, q.n + q.e, y, desc);
    test_check(PAD(fn_status)(f) == AD_OK, __FILE__, __LINE__, "step %s: %s", loop_text(q),
               PAD(fn_message)(f));
    PAD(tape_destroy)(t);
    return f;
}
static PAD(fn) *PT(step)(loop_shape q) { return PT(step_desc)(q, NULL); }

static int PT(good)(const PAD(fn) *f, loop_shape q, int line)
{
    return test_check(PAD(fn_status)(f) == AD_OK, __FILE__, line, "%s: %s", loop_text(q),
                      PAD(fn_message)(f));
}
static PAD(fn) *PT(loop)(loop_shape q)
{
    PAD(fn) *const step = PT(step)(q), *const f = PAD(fn_repeat)(step, q.steps, q.n, q.k, q.all);
    PAD(fn_destroy)(step);
    PT(good)(f, q, __LINE__);
    return f;
}

/* The steps one after another. */
static void PT(unroll)(const PAD(fn) *step, loop_shape q, PAD(tape) *t, const PAD(var) *x,
    PAD(var) *y)
{
    PAD(var) in[128], out[128];
    size_t i;
    memcpy(in, x, (q.n + q.k) * sizeof *x);
    for (i = 0; i < q.steps; i++) {
        memcpy(in + q.n + q.k, x + q.n + q.k + i * q.d, q.d * sizeof *x);
        CHECK_STATUS(PAD(fn_record)(step, t, in, out), AD_OK);
        memcpy(in, out, q.n * sizeof *x);
        if (q.all) memcpy(y + q.n + i * q.n, out, q.n * sizeof *x);
        memcpy(y + q.n + (q.all ? q.steps * q.n : 0) + i * q.e, out + q.n, q.e * sizeof *x);
    }
    memcpy(y, in, q.n * sizeof *x);
}
static PAD(fn) *PT(flat)(const PAD(fn) *step, loop_shape q)
{
    static PAD(var) x[LOOP_NUMBERS], y[LOOP_NUMBERS];
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(fn) *f;
    size_t i;
    for (i = 0; i < loop_inputs(q); i++) x[i] = PAD(input)(t, PT(draw)(2, i));
    PT(unroll)(step, q, t, x, y);
    f = PAD(fn_create)(t, loop_inputs(q), x, loop_outputs(q), y, NULL);
    PT(good)(f, q, __LINE__);
    PAD(tape_destroy)(t);
    return f;
}

/* a and b have the same numbers; tolerance 0: the same bits. Both are destroyed if `last`. */
static int PT(alike)(PAD(fn) *a, PAD(fn) *b, loop_shape q, double tolerance, const char *what,
    int last)
{
    static PREAL x[LOOP_NUMBERS], y[2][LOOP_NUMBERS];
    const ad_fn_stats s = PAD(fn_get_stats)(a), w = PAD(fn_get_stats)(b);
    int ok = test_check(PAD(fn_status)(a) == AD_OK && PAD(fn_status)(b) == AD_OK, __FILE__,
        __LINE__, "%s of %s: %s; flat: %s", what, loop_text(q), PAD(fn_message)(a),
        PAD(fn_message)(b));
    size_t i, round;
    ok = ok && test_check(s.inputs == w.inputs && s.outputs == w.outputs && s.variables
        == w.variables && s.outputs <= LOOP_NUMBERS, __FILE__, __LINE__, "%s of %s: %d inputs, %d "
        "variables, %d outputs", what, loop_text(q), (int)s.inputs, (int)s.variables,
        (int)s.outputs);
    for (round = 0; round < 2 && ok; round++) {
        double size = 1;
        ad_status at;
        for (i = 0; i < s.inputs; i++) x[i] = PT(draw)(3 + round, i);
        at = PAD(fn_eval)(a, x, y[0]);
        ok = test_check(at == AD_OK && PAD(fn_eval)(b, x, y[1]) == AD_OK, __FILE__, __LINE__,
                        "%s of %s: %s", what, loop_text(q), ad_status_name(at));
        for (i = 0; i < s.outputs && ok; i++)
            if (fabs((double)y[1][i]) > size) size = fabs((double)y[1][i]);
        for (i = 0; i < s.outputs && ok; i++)
            ok = test_check(tolerance > 0
                ? fabs((double)y[0][i] - (double)y[1][i]) <= tolerance * size
                : PT(same)(y[0][i], y[1][i]), __FILE__, __LINE__, "%s of %s: output %d is %.17g, "
                "not %.17g", what, loop_text(q), (int)i, (double)y[0][i], (double)y[1][i]);
    }
    if (last) {
        PAD(fn_destroy)(a);
        PAD(fn_destroy)(b);
    }
    return ok;
}

/* Sums are made in another order than by the flat trace's sweep: some units of rounding for each
   of a few hundred terms, all of size 1. */
#define TINY (sizeof(PREAL) == sizeof(float) ? 2e-5 : 1e-13)

/* The values of sparse ones where they belong: a pattern may have more places than another. */
static void PT(sparse_alike)(const PAD(fn) *a, const PAD(fn) *b, loop_shape q, int hessian)
{
    static PREAL x[LOOP_NUMBERS], v[LOOP_NUMBERS], dense[2][LOOP_NUMBERS];
    const PAD(fn) *const of[2] = { a, b };
    size_t i, j, k;
    memset(dense, 0, sizeof dense);
    for (i = 0; i < LOOP_NUMBERS; i++) x[i] = PT(draw)(5, i);
    for (k = 0; k < 2; k++) {
        ad_pattern p;
        PAD(fn) *const f = hessian ? PAD(fn_sparse_hessian)(of[k], &p)
                                   : PAD(fn_sparse_jacobian)(of[k], &p);
        if (PT(good)(f, q, __LINE__) && CHECK(p.rows * p.columns <= LOOP_NUMBERS)) {
            CHECK_STATUS(PAD(fn_eval)(f, x, v), AD_OK);
            CHECK(PAD(fn_get_stats)(f).outputs == p.row_start[p.rows]);
            for (i = 0; i < p.rows; i++)
                for (j = p.row_start[i]; j < p.row_start[i + 1]; j++)
                    dense[k][i * p.columns + p.column[j]] = v[j];
        }
        ad_pattern_free(&p);
        PAD(fn_destroy)(f);
    }
    for (i = 0; i < LOOP_NUMBERS && fabs((double)dense[0][i] - (double)dense[1][i]) <= 10 * TINY;
         i++) continue;
    test_check(i == LOOP_NUMBERS, __FILE__, __LINE__, "sparse %s of %s: place %d",
               hessian ? "Hessian" : "Jacobian", loop_text(q), (int)i);
}

/* Everything that takes a function, of a and of the flat b. */
static void PT(all_alike)(PAD(fn) *a, PAD(fn) *b, loop_shape q)
{
    PAD(fn) *v[2];
    if (!PT(alike)(a, b, q, 0, "values", 0)) return;
    PT(alike)(PAD(fn_jacobian)(a), PAD(fn_jacobian)(b), q, TINY, "jacobian", 1);
    PT(alike)(PAD(fn_jvp)(a), PAD(fn_jvp)(b), q, TINY, "jvp", 1);
    PT(alike)(PAD(fn_normal)(a), PAD(fn_normal)(b), q, TINY, "normal", 1);
    v[0] = PAD(fn_vjp)(a);
    v[1] = PAD(fn_vjp)(b);
    PT(alike)(v[0], v[1], q, TINY, "vjp", 0);
    PT(alike)(PAD(fn_jvp)(v[0]), PAD(fn_jvp)(v[1]), q, TINY, "jvp of vjp", 1);
    PT(alike)(PAD(fn_vjp)(v[0]), PAD(fn_vjp)(v[1]), q, TINY, "vjp of vjp", 1);
    PAD(fn_destroy)(v[0]);
    PAD(fn_destroy)(v[1]);
    PT(sparse_alike)(a, b, q, 0);
    PT(sparse_alike)(a, b, q, 1);
}

/* ---------------------------------------------------------------- values and derivatives */

/* One number of everything; how: 0 recorded, 1 called. */
static PAD(var) PT(merit_on)(const PAD(fn) *f, PAD(tape) *t, const PAD(var) *x, int how)
{
    PAD(var) y[64], s = PAD(const)((PREAL)0.125);
    const ad_fn_stats q = PAD(fn_get_stats)(f);
    size_t i;
    CHECK(q.outputs <= 64);
    if (how) CHECK_STATUS(PAD(fn_call)(f, t, q.inputs, x, q.outputs, y), AD_OK);
    else CHECK_STATUS(PAD(fn_record)(f, t, x, y), AD_OK);
    for (i = 0; i < q.outputs; i++)
        s = PAD(var_add)(s, PAD(var_mul)(PAD(var_sin)(y[i]),
                                         i % 2 ? y[i] : x[i % q.inputs]));
    return s;
}
static PAD(fn) *PT(merit)(const PAD(fn) *f, int how)
{
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(var) x[64], y;
    const size_t n = PAD(fn_get_stats)(f).inputs;
    PAD(fn) *r;
    size_t i;
    for (i = 0; i < n; i++) x[i] = PAD(input)(t, PT(draw)(6, i));
    y = PT(merit_on)(f, t, x, how);
    r = PAD(fn_create)(t, n, x, 1, &y, NULL);
    PAD(tape_destroy)(t);
    return r;
}

/* Sweeps on the user's tape; r: all that they give. */
static size_t PT(sweeps)(const PAD(fn) *f, int how, PREAL *r)
{
    PAD(tape) *const t = PAD(tape_create)(NULL);
    const size_t n = PAD(fn_get_stats)(f).inputs;
    PAD(var) x[64], y, g[64], z;
    PREAL dot[64];
    size_t i, at = 0;
    for (i = 0; i < n; i++) {
        x[i] = PAD(input)(t, PT(draw)(7, i));
        dot[i] = PT(draw)(8, i);
    }
    y = PT(merit_on)(f, t, x, how);
    r[at++] = y.v;
    CHECK_STATUS(PAD(forward)(t, n, x, dot), AD_OK);
    r[at++] = PAD(tangent)(y);
    CHECK_STATUS(PAD(backward)(y), AD_OK);
    PAD(adjoints)(n, x, r + at);
    at += n;
    CHECK_STATUS(PAD(forward_over_reverse)(y, n, x, dot), AD_OK);
    for (i = 0; i < n; i++) r[at++] = PAD(adjoint_tangent)(x[i]);
    CHECK_STATUS(PAD(hessian_of)(y, n, x, r + at), AD_OK);
    at += n * n;
    CHECK_STATUS(PAD(grad_vars)(y, n, x, g), AD_OK);
    for (i = 0; i < n; i++) r[at++] = g[i].v;
    z = PAD(var_lincomb)(n, dot, g);
    CHECK_STATUS(PAD(grad_vars)(z, n, x, g), AD_OK);
    for (i = 0; i < n; i++) r[at++] = g[i].v;
    z = PAD(var_lincomb)(n, dot, g);
    CHECK_STATUS(PAD(backward)(z), AD_OK);                       /* third order */
    PAD(adjoints)(n, x, r + at);
    at += n;
    CHECK_STATUS(PAD(tape_status)(t), AD_OK);
    PAD(tape_destroy)(t);
    return at;
}
static void PT(on_tapes)(const PAD(fn) *a, const PAD(fn) *b, loop_shape q)
{
    static PREAL r[2][LOOP_NUMBERS];
    const size_t count = PT(sweeps)(b, 0, r[0]);
    int how;
    for (how = 0; how < 2; how++) {
        size_t i;
        CHECK(PT(sweeps)(a, how, r[1]) == count);
        CHECK(r[1][0] == r[0][0]);
        for (i = 0; i < count && test_near((double)r[1][i], (double)r[0][i], 20 * TINY); i++)
            continue;
        test_check(i == count, __FILE__, __LINE__, "%s %s: number %d of %d is %.17g, not %.17g",
            how ? "called" : "recorded", loop_text(q), (int)i, (int)count, (double)r[1][i],
            (double)r[0][i]);
    }
}

static void PT(derivatives)(loop_shape q)
{
    PAD(fn) *const step = PT(step)(q), *const flat = PT(flat)(step, q);
    PAD(fn) *const loop = PAD(fn_repeat)(step, q.steps, q.n, q.k, q.all), *m[2], *h[2];
    int how;
    PAD(fn_destroy)(step);
    if (PT(good)(loop, q, __LINE__)) {
        PT(all_alike)(loop, flat, q);
        PT(on_tapes)(loop, flat, q);
        for (how = 0; how < 2; how++) {
            m[0] = PT(merit)(loop, how);
            m[1] = PT(merit)(flat, 0);
            PT(alike)(m[0], m[1], q, 0, "merit", 0);
            PT(alike)(PAD(fn_gradient)(m[0]), PAD(fn_gradient)(m[1]), q, TINY, "gradient", 1);
            h[0] = PAD(fn_hessian)(m[0]);
            h[1] = PAD(fn_hessian)(m[1]);
            PT(alike)(h[0], h[1], q, 10 * TINY, "hessian", 0);
            PT(alike)(PAD(fn_jvp)(h[0]), PAD(fn_jvp)(h[1]), q, 10 * TINY, "third order", 1);
            PAD(fn_destroy)(h[0]);
            PAD(fn_destroy)(h[1]);
            PAD(fn_destroy)(m[0]);
            PAD(fn_destroy)(m[1]);
        }
    }
    PAD(fn_destroy)(loop);
    PAD(fn_destroy)(flat);
}

/* Sizes by hand, each absent in turn, and at random. */
static void PT(shapes)(void)
{
    static const loop_shape some[] = {
        { 2, 1, 1, 1, 3, 1, 0 }, { 2, 1, 1, 1, 3, 0, 0 }, { 1, 0, 0, 0, 4, 0, 0 },
        { 3, 0, 0, 0, 2, 1, 0 }, { 1, 2, 0, 0, 3, 0, 0 }, { 1, 0, 2, 0, 3, 0, 0 },
        { 1, 0, 0, 3, 3, 0, 0 }, { 2, 2, 2, 2, 1, 1, 0 }, { 2, 2, 2, 2, 1, 0, 0 },
        { 2, 1, 1, 1, 0, 1, 0 }, { 2, 0, 0, 0, 0, 0, 0 }, { 1, 0, 1, 1, 3, 1, GUARD } };
    program_dice dice;
    size_t i;
    dice.state = 11;
    for (i = 0; i < sizeof some / sizeof *some; i++) PT(derivatives)(some[i]);
    for (i = 0; i < 12; i++) {
        loop_shape q = loop_of(1 + program_below(&dice, 3), program_below(&dice, 3),
            program_below(&dice, 3), program_below(&dice, 4), 1 + program_below(&dice, 3),
            (int)program_below(&dice, 2));
        q.kind = program_chance(&dice, 30) ? GUARD : 0;
        if (i % (size_t)test_stride() == 0) PT(derivatives)(q);
    }
}

/* Loops without a state: maps. And without outputs, as ad_fn_create makes them. */
static void PT(stateless)(void)
{
    static const loop_shape some[] = { { 0, 1, 2, 1, 3, 0, 0 }, { 0, 0, 1, 2, 3, 1, 0 },
        { 0, 2, 0, 1, 2, 0, 0 } };
    static const loop_shape empty[] = { { 0, 1, 1, 1, 0, 0, 0 }, { 0, 2, 1, 0, 3, 1, 0 } };
    PREAL x[8], y[8];
    size_t i;
    memset(x, 0, sizeof x);
    for (i = 0; i < 2; i++) {
        PAD(fn) *const f = PT(loop)(empty[i]);
        CHECK(PAD(fn_get_stats)(f).inputs == loop_inputs(empty[i]));
        CHECK_STATUS(PAD(fn_eval)(f, x, y), AD_OK);
        PAD(fn_destroy)(f);
    }
    for (i = 0; i < sizeof some / sizeof *some; i++) {
        PAD(fn) *const step = PT(step)(some[i]), *const flat = PT(flat)(step, some[i]);
        PAD(fn) *const f = PT(loop)(some[i]);
        PT(alike)(f, flat, some[i], 0, "values", 0);
        if (PT(alike)(PAD(fn_jacobian)(f), PAD(fn_jacobian)(flat), some[i], TINY, "jacobian", 1))
            PT(derivatives)(some[i]);
        PAD(fn_destroy)(step);
        PAD(fn_destroy)(flat);
        PAD(fn_destroy)(f);
    }
}

/* Steps of every rule: the bits, NaN and infinities among them. */
static void PT(programs)(void)
{
    static program p;
    size_t i, k;
    for (k = 0; k < 60; k += (size_t)test_stride()) {
        PAD(tape) *const t = PAD(tape_create)(NULL);
        PAD(var) x[PROGRAM_INPUTS], v[PROGRAM_VALUES], y[PROGRAM_OUTPUTS];
        PREAL point[PROGRAM_INPUTS];
        unsigned char way[PROGRAM_STEPS];
        program_dice dice;
        loop_shape q;
        PAD(fn) *step;
        dice.state = k;
        program_make(&p, 500 + k, PROGRAM_NO_CALLS | PROGRAM_NO_BRANCHES | PROGRAM_NO_PARAMETERS);
        for (i = 0; i < p.inputs; i++) point[i] = (PREAL)p.point[i];
        PAD(inputs)(t, p.inputs, point, x);
        PT(run_var)(&p, t, x, v, way);
        for (i = 0; i < p.outputs; i++) y[i] = v[p.output[i]];
        q.n = 1 + program_below(&dice, p.inputs < p.outputs ? p.inputs : p.outputs);
        q.k = program_below(&dice, p.inputs - q.n + 1);
        q.d = p.inputs - q.n - q.k;
        q.e = p.outputs - q.n;
        q.steps = 1 + program_below(&dice, 5);
        q.all = (int)program_below(&dice, 2);
        q.kind = 0;
        step = PAD(fn_create)(t, p.inputs, x, p.outputs, y, NULL);
        PAD(tape_destroy)(t);
        if (CHECK(PAD(fn_status)(step) == AD_OK)) {
            PAD(fn) *const a = PAD(fn_repeat)(step, q.steps, q.n, q.k, q.all);
            PT(alike)(a, PT(flat)(step, q), q, 0, "program", 1);
        }
        PAD(fn_destroy)(step);
    }
}

/* A loop that was recorded on a tape outlives its function, until the tape forgets it. */
static void PT(outlives)(void)
{
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(var) x[2], y[3], g[2];
    double at = 0.25, by_s = 1;
    size_t mark, i;
    int again;
    for (i = 0; i < 5; i++) {
        by_s *= 3 * (1 - 2 * at);
        at = 3 * at * (1 - at);
    }
    for (again = 0; again < 3; again++) {
        PAD(fn) *const step = PAD(fn_parse)("r*s*(1 - s)", "s, r", NULL, 0);
        PAD(fn) *const loop = PAD(fn_repeat)(step, 5, 1, 1, 0);
        PAD(fn) *later;
        PREAL in[2] = { (PREAL)0.25, 3 }, out[1];
        if (again != 1) PAD(tape_reset)(t);
        x[0] = PAD(input)(t, in[0]);
        x[1] = PAD(input)(t, in[1]);
        mark = PAD(tape_mark)(t);
        CHECK_STATUS(PAD(fn_record)(loop, t, x, y), AD_OK);
        CHECK_STATUS(PAD(fn_record)(loop, t, x, y + 1), AD_OK);
        PAD(fn_destroy)(step);
        PAD(fn_destroy)(loop);
        CHECK_NEAR(y[1].v, at, 100 * TINY);
        CHECK_STATUS(PAD(backward)(y[1]), AD_OK);
        CHECK_NEAR(PAD(adjoint)(x[0]), by_s, 100 * TINY);
        CHECK_STATUS(PAD(grad_vars)(y[0], 2, x, g), AD_OK);
        CHECK_NEAR(g[0].v, by_s, 100 * TINY);
        later = PAD(fn_create)(t, 2, x, 1, y, NULL);
        if (again != 2) PAD(tape_rewind)(t, mark);
        CHECK_STATUS(PAD(fn_eval)(later, in, out), AD_OK);
        CHECK_NEAR(out[0], at, 100 * TINY);
        if (again == 2) PAD(tape_destroy)(t);
        CHECK_STATUS(PAD(fn_eval)(later, in, out), AD_OK);
        PAD(fn_destroy)(later);
    }
}

/* s' = a s + b u_i; left: c s. By hand: s_N = a^N s + sum b a^(N-1-i) u_i. And the logistic map's
   derivative, the product of r (1 - 2 s_i), over many steps. */
static void PT(closed)(void)
{
    enum { N = 12, MANY = 1000 };
    const double tiny = 20 * TINY, a = 0.75, b = -0.5, s = 1.25;
    PREAL x[3 + N], y[(1 + N) * (4 + N)];
    PAD(fn) *const step = PAD(fn_parse)("a*s + b*u; s*a", "s, a, b, u", NULL, 0);
    PAD(fn) *const loop = PAD(fn_repeat)(step, N, 1, 2, 0), *const J = PAD(fn_jacobian)(loop);
    PAD(fn) *const one = PAD(fn_parse)("r*s*(1 - s)", "s, r", NULL, 0);
    PAD(fn) *const many = PAD(fn_repeat)(one, MANY, 1, 1, 0), *const g = PAD(fn_gradient)(many);
    double sum = pow(a, N)*s, by_a = (double)N * pow(a, N - 1) * s, at = s, by_s = 1, by_r = 0;
    size_t i;
    CHECK_STRING(PAD(fn_input_name)(loop, 0), "s");
    CHECK_STRING(PAD(fn_input_name)(loop, 1), "a");
    CHECK_STRING(PAD(fn_input_name)(loop, 2), "b");
    CHECK_STRING(PAD(fn_input_name)(loop, 3), "x3");
    CHECK_STRING(PAD(fn_output_name)(loop, 0), PAD(fn_output_name)(step, 0));
    x[0] = (PREAL)s;
    x[1] = (PREAL)a;
    x[2] = (PREAL)b;
    for (i = 0; i < N; i++) {
        const double u = (double)(x[3 + i] = (PREAL)(0.25 * (double)(i % 5) - 0.5));
        sum += b * pow(a, (double)(N - 1 - i)) * u;
        by_a += b * (double)(N - 1 - i) * pow(a, (double)(N - 1 - i) - 1) * u;
    }
    CHECK_STATUS(PAD(fn_eval)(J, x, y), AD_OK);
    CHECK_NEAR(y[0], sum, tiny);
    for (i = 0; i < N; i++) {
        CHECK_NEAR(y[1 + i], a * at, tiny);
        at = a * at + b * (double)x[3 + i];
    }
    CHECK_NEAR(y[1 + N], pow(a, N), tiny);
    CHECK_NEAR(y[2 + N], by_a, tiny);
    for (i = 0; i < N; i++)
        CHECK_NEAR(y[4 + N + i], b * pow(a, (double)(N - 1 - i)), tiny);
    x[0] = (PREAL)0.5;
    x[1] = (PREAL)0.96875;
    for (at = 0.5, i = 0; i < MANY; i++) {
        by_r = (double)x[1] * (1 - 2 * at) * by_r + at * (1 - at);
        by_s *= (double)x[1] * (1 - 2 * at);
        at = (double)x[1] * at * (1 - at);
    }
    CHECK_STATUS(PAD(fn_eval)(g, x, y), AD_OK);
    CHECK_NEAR((double)y[0] / at, 1, 1000 * tiny);             /* a unit of rounding each step */
    CHECK_NEAR((double)y[2] / by_r, 1, 10000 * tiny);
    CHECK_NEAR(y[1], by_s, tiny);
    PAD(fn_destroy)(step);
    PAD(fn_destroy)(loop);
    PAD(fn_destroy)(J);
    PAD(fn_destroy)(one);
    PAD(fn_destroy)(many);
    PAD(fn_destroy)(g);
}

/* ---------------------------------------------------------------- loops of loops */

/* A loop of a loop is the longer loop, the rows in their order; with `all` inside, what each of the
   inner loops leaves is its states, then its rows. */
static void PT(nested)(void)
{
    static const size_t times[][3] = { { 2, 3, 1 }, { 3, 2, 1 }, { 1, 4, 1 }, { 4, 1, 1 },
        { 2, 2, 2 }, { 1, 2, 3 }, { 3, 1, 2 } };
    size_t i, kind;
    for (i = 0; i < sizeof times / sizeof *times; i++)
        for (kind = 0; kind < 4; kind++) {
            const size_t a = times[i][0], b = times[i][1], c = times[i][2];
            const loop_shape q = loop_of(2 - kind % 2, kind % 2, kind / 2, kind % 3, a * b * c, 0);
            PAD(fn) *const step = PT(step)(q), *const flat = PT(flat)(step, q);
            PAD(fn) *const inner = PAD(fn_repeat)(step, a, q.n, q.k, 0);
            PAD(fn) *const middle = PAD(fn_repeat)(inner, b, q.n, q.k, 0);
            PAD(fn) *const loop = PAD(fn_repeat)(middle, c, q.n, q.k, 0);
            PAD(fn) *v[2];
            PAD(fn_destroy)(step);
            PAD(fn_destroy)(middle);
            PAD(fn_destroy)(inner);
            PT(all_alike)(loop, flat, q);
            if (i % 2 == 0) PT(on_tapes)(loop, flat, q);
            v[0] = PT(merit)(loop, 1);
            v[1] = PT(merit)(flat, 0);
            PT(alike)(PAD(fn_hessian)(v[0]), PAD(fn_hessian)(v[1]), q, 10 * TINY, "hessian", 1);
            PAD(fn_destroy)(v[0]);
            PAD(fn_destroy)(v[1]);
            PAD(fn_destroy)(flat);
            PAD(fn_destroy)(loop);
        }
}
static void PT(nested_all)(void)
{
    enum { A = 3, B = 2, N = 2, E = 1, IN = N + 1 + A * B };
    const loop_shape q = loop_of(N, 1, 1, E, A, 1), r = loop_of(N, 1, A, A * (N + E), B, 1);
    PAD(fn) *const step = PT(step)(q), *const inner = PT(loop)(q);
    PAD(fn) *const loop = PAD(fn_repeat)(inner, B, N, 1, 1), *const flat = PT(flat)(inner, r);
    PREAL x[IN], y[N + B * N + B * A * (N + E)], in[N + 2], out[N + E];
    size_t i, j;
    PT(all_alike)(loop, flat, r);
    for (i = 0; i < IN; i++) x[i] = PT(draw)(20, i);
    CHECK_STATUS(PAD(fn_eval)(loop, x, y), AD_OK);
    memcpy(in, x, (N + 1) * sizeof *x);
    for (i = 0; i < A * B; i++) {
        const PREAL *const part = y + N + B * N + i / A * A * (N + E);
        in[N + 1] = x[N + 1 + i];
        CHECK_STATUS(PAD(fn_eval)(step, in, out), AD_OK);
        for (j = 0; j < N; j++) {
            CHECK(out[j] == part[i % A * N + j]);
            if (i % A == A - 1) CHECK(out[j] == y[N + i / A * N + j]);
        }
        CHECK(out[N] == part[A * N + i % A * E]);
        memcpy(in, out, N * sizeof *x);
    }
    for (j = 0; j < N; j++) CHECK(y[j] == in[j]);
    PAD(fn_destroy)(step);
    PAD(fn_destroy)(inner);
    PAD(fn_destroy)(loop);
    PAD(fn_destroy)(flat);
}

/* A step that has a loop inside, among operations of its own, called or recorded. */
static PAD(fn) *PT(around)(const PAD(fn) *inner, int how)
{
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(var) x[4], y[5], in[4];
    PAD(fn) *f;
    size_t i;
    for (i = 0; i < 4; i++) x[i] = PAD(input)(t, PT(draw)(30, i));
    for (i = 0; i < 4; i++) in[i] = PAD(var_sin)(x[i]);
    in[2] = PAD(const)((PREAL)0.5);                              /* a number among the operands */
    if (how) CHECK_STATUS(PAD(fn_call)(inner, t, 4, in, 2, y), AD_OK);
    else CHECK_STATUS(PAD(fn_record)(inner, t, in, y), AD_OK);
    in[0] = in[1] = in[3] = in[2];                               /* of numbers alone */
    if (how) CHECK_STATUS(PAD(fn_call)(inner, t, 4, in, 2, y + 2), AD_OK);
    else CHECK_STATUS(PAD(fn_record)(inner, t, in, y + 2), AD_OK);
    y[0] = PAD(var_add)(PAD(var_mul)(y[0], x[2]), y[2]);
    y[1] = PAD(var_mul)(y[1], y[3]);
    f = PAD(fn_create)(t, 4, x, 2, y, NULL);
    PAD(tape_destroy)(t);
    return f;
}
static void PT(surrounded)(void)
{
    const loop_shape in = loop_of(1, 0, 1, 0, 3, 0);
    loop_shape q = loop_of(2, 1, 1, 0, 2, 0);
    PAD(fn) *const one = PT(step)(in), *const plain = PT(flat)(one, in), *const l = PT(loop)(in);
    PAD(fn) *const two = PAD(fn_repeat)(l, 1, 1, 0, 1), *flat, *step[2], *loop;
    int how;
    for (how = 0; how < 2; how++) {
        step[0] = PT(around)(two, how);
        {
            PAD(fn) *const once = PAD(fn_repeat)(plain, 1, 1, 0, 1);
            PT(alike)(two, once, q, 0, "one loop", 0);
            PAD(fn_destroy)(once);
        }
        {
            PAD(tape) *const t = PAD(tape_create)(NULL);
            PAD(var) x[4], y[2];
            size_t i;
            for (i = 0; i < 4; i++) x[i] = PAD(input)(t, PT(draw)(30, i));
            PAD(fn_record)(plain, t, x, y);
            y[1] = y[0];
            step[1] = PAD(fn_create)(t, 4, x, 2, y, NULL);       /* what `two` is, without loops */
            PAD(tape_destroy)(t);
        }
        flat = PT(around)(step[1], 0);
        loop = PAD(fn_repeat)(step[0], q.steps, q.n, q.k, 1);
        q.all = 1;
        PAD(fn_destroy)(step[1]);
        step[1] = PT(flat)(flat, q);
        PT(all_alike)(loop, step[1], q);
        PT(on_tapes)(loop, step[1], q);
        PAD(fn_destroy)(loop);
        PAD(fn_destroy)(flat);
        PAD(fn_destroy)(step[0]);
        PAD(fn_destroy)(step[1]);
    }
    PAD(fn_destroy)(one);
    PAD(fn_destroy)(plain);
    PAD(fn_destroy)(l);
    PAD(fn_destroy)(two);
}

/* A parameter of the step is an input like others of the loop. */
static void PT(parameters)(void)
{
    const loop_shape q = loop_of(2, 1, 1, 1, 3, 1);
    static const unsigned char all[4] = { 1, 1, 1, 1 };
    ad_fn_desc desc;
    PAD(fn) *step, *plain = PT(step)(q), *loop, *flat = PT(flat)(plain, q);
    memset(&desc, 0, sizeof desc);
    desc.parameters = all;
    step = PT(step_desc)(q, &desc);
    loop = PAD(fn_repeat)(step, q.steps, q.n, q.k, 1);
    PAD(fn_destroy)(step);
    PAD(fn_destroy)(plain);
    CHECK(PAD(fn_get_stats)(loop).variables == loop_inputs(q));
    PT(all_alike)(loop, flat, q);
    PAD(fn_destroy)(loop);
    PAD(fn_destroy)(flat);
}

/* ---------------------------------------------------------------- other uses */

static void PT(maps)(void)
{
    enum { POINTS = 37, IN = 6, OUT = 8 };
    const loop_shape q = loop_of(2, 1, 1, 0, 3, 1);
    PAD(fn) *const step = PT(step)(q), *const flat = PT(flat)(step, q), *const loop = PT(loop)(q);
    PREAL x[IN * POINTS], y[2][OUT * POINTS], *work;
    uint32_t index[POINTS];
    ad_map_report report;
    ad_map_desc desc;
    size_t i, k;
    for (i = 0; i < IN * POINTS; i++) x[i] = PT(draw)(40, i);
    for (i = 0; i < POINTS; i++) index[i] = (uint32_t)((i * 5 + 1) % POINTS);
    for (k = 0; k < 2; k++) {
        PAD(port) in[IN], out[OUT];
        for (i = 0; i < IN; i++) in[i] = PAD(port_in)(x + i * POINTS, 1);
        for (i = 0; i < OUT; i++) out[i] = PAD(port_out)(y[k] + i * POINTS, 1);
        in[2] = PAD(port_shared)(x);
        in[3] = PAD(port_gather)(x, 1, index);
        out[1] = PAD(port_sum)(y[k] + POINTS);
        out[3] = PAD(port_add)(y[k] + 3 * POINTS, 1, index);
        out[4] = PAD(port_scatter)(y[k] + 4 * POINTS, 1, index);
        for (i = 0; i < OUT * POINTS; i++) y[k][i] = (PREAL)0.5;
        CHECK_STATUS(PAD(fn_map)(k ? flat : loop, POINTS, in, out, NULL), AD_OK);
    }
    for (i = 0; i < OUT * POINTS; i++) CHECK_NEAR(y[0][i], y[1][i], 10 * TINY);
    {
        PAD(ports) in[2], out[1];
        memset(&desc, 0, sizeof desc);
        desc.report = &report;
        in[0] = PAD(ports_of)(PAD(port_in)(x, IN), 3, 1);
        in[1] = PAD(ports_of)(PAD(port_in)(x + 3, IN), 3, 1);
        out[0] = PAD(ports_of)(PAD(port_out)(y[0], OUT), OUT, 1);
        CHECK_STATUS(PAD(fn_map_ports)(loop, POINTS, 2, in, 1, out, &desc), AD_OK);
        work = (PREAL *)malloc(PAD(fn_get_stats)(loop).workspace_bytes + 1);
        for (i = 0; i < POINTS; i++) {
            CHECK_STATUS(PAD(fn_eval_in)(loop, x + i * IN, y[1], work), AD_OK);
            CHECK(memcmp(y[1], y[0] + i * OUT, OUT * sizeof *work) == 0);
        }
        free(work);
    }
    PAD(fn_destroy)(step);
    PAD(fn_destroy)(flat);
    PAD(fn_destroy)(loop);
}

/* "Allocates never", loops neither. */
static void PT(workspace)(void)
{
    const loop_shape q = loop_of(2, 1, 1, 1, 3, 1);
    ad_fn_desc desc;
    heap h;
    PAD(fn) *step, *loop, *g;
    PREAL x[32], y[256], *work;
    size_t before, i;
    memset(&desc, 0, sizeof desc);
    memset(&h, 0, sizeof h);
    desc.resize = heap_resize;
    desc.resize_user = &h;
    desc.native = AD_NATIVE_NEVER;           /* which takes memory when it is made */
    step = PT(step_desc)(q, &desc);
    loop = PAD(fn_repeat)(step, q.steps, q.n, q.k, q.all);
    g = PAD(fn_jacobian)(loop);
    work = (PREAL *)malloc(PAD(fn_get_stats)(g).workspace_bytes + 1);
    for (i = 0; i < 32; i++) x[i] = PT(draw)(50, i);
    before = h.calls;
    CHECK_STATUS(PAD(fn_eval_in)(loop, x, y, work), AD_OK);
    CHECK(h.calls == before);
    CHECK_STATUS(PAD(fn_eval_in)(g, x, y, work), AD_OK);
    CHECK(h.calls == before);
    free(work);
    PAD(fn_destroy)(step);
    PAD(fn_destroy)(loop);
    PAD(fn_destroy)(g);
    CHECK(h.blocks == 0 && h.wrong == 0);
}

/* ---------------------------------------------------------------- patterns */

/* A step whose outputs are made of some of the inputs, one in `few`. */
static PAD(fn) *PT(sparse_step)(loop_shape q, program_dice *dice, size_t few)
{
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(var) x[128], y[128];
    PAD(fn) *f;
    size_t i, j;
    for (i = 0; i < q.n + q.k + q.d; i++) x[i] = PAD(input)(t, PT(draw)(1, i));
    for (j = 0; j < q.n + q.e; j++) {
        y[j] = PAD(const)(1);
        for (i = 0; i < q.n + q.k + q.d; i++) {
            if (program_below(dice, few)) continue;
            y[j] = program_below(dice, 2) ? PAD(var_add)(y[j], PAD(var_sin)(x[i]))
                                          : PAD(var_mul)(y[j], x[i]);
        }
    }
    f = PAD(fn_create)(t, q.n + q.k + q.d, x, q.n + q.e, y, NULL);
    PT(good)(f, q, __LINE__);
    PAD(tape_destroy)(t);
    return f;
}
/* All entries of b are entries of a. */
static int PT(has_pattern)(const ad_pattern *a, const ad_pattern *b)
{
    size_t i, j, k;
    if (a->rows != b->rows || a->columns != b->columns) return 0;
    for (i = 0; i < a->rows; i++)
        for (j = a->row_start[i], k = b->row_start[i]; k < b->row_start[i + 1]; k++) {
            while (j < a->row_start[i + 1] && a->column[j] < b->column[k]) j++;
            if (j == a->row_start[i + 1] || a->column[j] != b->column[k]) return 0;
        }
    return 1;
}
/* The loop of `step` as one instruction against its steps one after another: the Jacobian's pattern
   is the same. The Hessian's is where all states are results: others may have no effect, but their
   adjoints are taken along. */
static void PT(patterns_of)(const PAD(fn) *step, loop_shape q)
{
    static PAD(var) x[LOOP_NUMBERS], y[2][LOOP_NUMBERS];
    PAD(fn) *const loop = PAD(fn_repeat)(step, q.steps, q.n, q.k, q.all);
    PAD(tape) *const t = PAD(tape_create)(NULL);
    const size_t n = loop_inputs(q), m = loop_outputs(q);
    ad_pattern p[2];
    size_t i;
    int hessian;
    if (PT(good)(loop, q, __LINE__) && CHECK(n <= LOOP_NUMBERS && m <= LOOP_NUMBERS)) {
        for (i = 0; i < n; i++) x[i] = PAD(input)(t, PT(draw)(2, i));
        if (m) CHECK_STATUS(PAD(fn_call)(loop, t, n, x, m, y[0]), AD_OK);
        PT(unroll)(step, q, t, x, y[1]);
        for (hessian = 0; hessian < 2; hessian++) {
            for (i = 0; i < 2; i++)
                CHECK_STATUS(hessian ? PAD(hessian_pattern)(t, n, x, m, y[i], &p[i])
                                     : PAD(jacobian_pattern)(t, n, x, m, y[i], &p[i]), AD_OK);
            test_check(PT(has_pattern)(&p[0], &p[1])
                       && ((hessian && !q.all) || PT(has_pattern)(&p[1], &p[0])), __FILE__,
                       __LINE__, "%s of %s: %d entries, not %d", hessian ? "Hessian" : "Jacobian",
                       loop_text(q), (int)p[0].row_start[p[0].rows],
                       (int)p[1].row_start[p[1].rows]);
            for (i = 0; i < 2; i++) ad_pattern_free(&p[i]);
        }
    }
    PAD(tape_destroy)(t);
    PAD(fn_destroy)(loop);
}
static void PT(patterns)(void)
{
    program_dice dice;
    unsigned i;
    dice.state = 77;
    for (i = 0; i < 200; i++) {
        const loop_shape q = loop_of(program_below(&dice, 6), program_below(&dice, 3),
            program_below(&dice, 4), program_below(&dice, 3), program_below(&dice, 9),
            (int)program_below(&dice, 2));
        PAD(fn) *step;
        if (q.n + q.e == 0) continue;
        step = PT(sparse_step)(q, &dice, 1 + program_below(&dice, 8));
        PT(patterns_of)(step, q);
        PAD(fn_destroy)(step);
    }
    {                                            /* more states than a word has bits */
        const loop_shape q = loop_of(70, 1, 2, 1, 5, 0);
        PAD(fn) *const step = PT(sparse_step)(q, &dice, 50);
        PT(patterns_of)(step, q);
        PAD(fn_destroy)(step);
    }
    for (i = 0; i < 2; i++) {                    /* so many that each counts as depending on all */
        const size_t n = i ? (1 << 14) + 1 : 1 << 14;
        PAD(tape) *const t = PAD(tape_create)(NULL);
        PAD(var) *const x = (PAD(var) *)calloc(2 * n, sizeof *x), *const y = x + n;
        PAD(fn) *step, *loop;
        ad_pattern p;
        size_t k;
        CHECK(x != NULL);
        for (k = 0; k < n && x; k++) x[k] = PAD(input)(t, 1);
        for (k = 0; k < n && x; k++) y[k] = PAD(var_mul_r)(x[k], 2);
        step = PAD(fn_create)(t, n, x, n, y, NULL);
        loop = PAD(fn_repeat)(step, 3, n, 0, 0);
        CHECK_STATUS(PAD(fn_status)(loop), AD_OK);
        PAD(tape_reset)(t);
        x[0] = PAD(input)(t, 1);
        for (k = 1; k < n && x; k++) x[k] = PAD(const)(1);
        CHECK_STATUS(PAD(fn_call)(loop, t, n, x, n, y), AD_OK);
        CHECK_STATUS(PAD(jacobian_pattern)(t, 1, x, 2, y, &p), AD_OK);
        CHECK(p.rows == 2 && p.row_start[1] == 1 && p.row_start[2] == (i ? 2u : 1u));
        ad_pattern_free(&p);
        PAD(fn_destroy)(loop);
        PAD(fn_destroy)(step);
        PAD(tape_destroy)(t);
        free(x);
    }
}

/* Nodes do not grow with steps but for inputs and outputs, a derivative's by the states that are
   kept; the text grows by digits. (Of few steps it is longer: each state has a line.) */
static void PT(sizes)(void)
{
    static const ad_emit_form forms[] = { AD_EMIT_FUNCTION, AD_EMIT_POINT };
    size_t nodes[2][5], text[2][3][2], i, k, form;
    PREAL x[3], y[8];
    for (k = 0; k < 2; k++) {
        const size_t steps = k ? 1000 : 100;
        PAD(fn) *const loop = PT(loop)(loop_of(2, 1, 0, 0, steps, 0));
        PAD(fn) *const rows = PT(loop)(loop_of(2, 1, 1, 1, steps, 1));
        PAD(fn) *const outer = PAD(fn_repeat)(loop, steps, 2, 1, 0);
        PAD(fn) *const f[5] = { loop, PAD(fn_jacobian)(loop), PAD(fn_vjp)(loop), outer, rows };
        for (i = 0; i < 5; i++) {
            const ad_fn_stats s = PAD(fn_get_stats)(f[i]);
            CHECK(PAD(fn_status)(f[i]) == AD_OK);
            nodes[k][i] = s.nodes;
            for (form = 0; form < 2 && i < 3; form++) {
                ad_emit_desc d;
                memset(&d, 0, sizeof d);
                d.form = forms[form];
                loop_kept.n = 0;
                CHECK_STATUS(PAD(fn_emit)(f[i], &d, loop_write, NULL), AD_OK);
                CHECK(strstr(loop_kept.text, "for (") != NULL && !loop_idle());
                text[k][i][form] = loop_kept.n;
            }
        }
        if (k) {
            for (i = 0; i < 3; i++) x[i] = PT(draw)(60, i);
            CHECK_STATUS(PAD(fn_eval)(f[1], x, y), AD_OK);
            for (i = 0; i < 8; i++) CHECK(y[i] - y[i] == 0);
        }
        loop_kept.n = 0;
        CHECK_STATUS(PAD(fn_emit_c)(rows, "r", loop_write, NULL), AD_OK);
        CHECK(strstr(loop_kept.text, k ? "1000; i++" : "100; i++") != NULL && !loop_idle());
        CHECK(strstr(loop_kept.text, " r(const ") != NULL);
        CHECK(loop_kept.n < 20000);                             /* thousands of names are not */
        for (i = 1; i < 3; i++) PAD(fn_destroy)(f[i]);
        PAD(fn_destroy)(loop);
        PAD(fn_destroy)(rows);
        PAD(fn_destroy)(outer);
    }
    CHECK(nodes[0][0] == nodes[1][0] && nodes[0][3] == nodes[1][3] && nodes[0][0] < 10);
    for (i = 1; i < 3; i++)                                      /* the states, once */
        test_check(nodes[1][i] - nodes[0][i] <= 900 * 2, __FILE__, __LINE__,
            "function %d: %d more nodes", (int)i, (int)(nodes[1][i] - nodes[0][i]));
    CHECK(nodes[1][4] - nodes[0][4] <= 900 * 4);                 /* a row in, states, a row out */
    for (i = 0; i < 3; i++)
        for (form = 0; form < 2; form++) {
            const size_t more = text[1][i][form] - text[0][i][form];
            test_check(text[1][i][form] >= text[0][i][form] && more < 100, __FILE__, __LINE__,
                "function %d, form %d: %d more characters", (int)i, (int)form, (int)more);
        }
    {
        PAD(fn) *const loop = PT(loop)(loop_of(1, 0, 0, 0, 3, 0));
        ad_emit_desc d;
        memset(&d, 0, sizeof d);
        d.form = AD_EMIT_TABLE;
        CHECK_STATUS(PAD(fn_emit)(loop, &d, loop_write, NULL), AD_ERR_UNSUPPORTED);
        PAD(fn_destroy)(loop);
    }
}

/* ---------------------------------------------------------------- guards, errors */

/* s' = 2 s while s < 10, else s / 2, recorded at `at`. */
static PAD(fn) *PT(guarded)(double at)
{
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(var) x = PAD(input)(t, (PREAL)at), y;
    PAD(fn) *f;
    y = PAD(branch)(PAD(var_lt_r)(x, 10)) ? PAD(var_mul_r)(PAD(var_mul)(x, x), 2)
                                          : PAD(var_mul_r)(x, (PREAL)0.5);
    f = PAD(fn_create)(t, 1, &x, 1, &y, NULL);
    PAD(tape_destroy)(t);
    return f;
}
static int PT(refused)(const PAD(fn) *f, PREAL at, size_t m)
{
    PREAL x[16], y[16];
    ad_status s;
    size_t i;
    for (i = 0; i < 16; i++) x[i] = i ? 1 : at;
    memset(y, 0, sizeof y);
    s = PAD(fn_eval)(f, x, y);
    if (s != AD_ERR_USER && s != AD_ERR_BRANCH) return 0;
    for (i = 0; i < m; i++)
        if (y[i] == y[i]) return 0;
    return PAD(fn_get_stats)(f).outputs == m;
}
static void PT(guards)(void)
{
    static const double where[2] = { 1, 16 };             /* a step on, either goes otherwise */
    size_t w, i;
    for (w = 0; w < 2; w++) {
        PAD(fn) *const step = PT(guarded)(w ? 16 : 3);
        PAD(fn) *const f = PAD(fn_repeat)(step, 6, 1, 0, 1), *const J = PAD(fn_jacobian)(f);
        PAD(fn) *const few = PAD(fn_repeat)(step, 1, 1, 0, 0), *const g = PAD(fn_gradient)(few);
        PAD(fn) *const none = PAD(fn_repeat)(step, 0, 1, 0, 0), *const h = PAD(fn_hessian)(few);
        PAD(fn) *const outer = PAD(fn_repeat)(f, 2, 1, 0, 0), *const v = PAD(fn_vjp)(outer);
        PAD(tape) *const t = PAD(tape_create)(NULL);
        PREAL x = (PREAL)where[w], y[8], out[40], data[3];
        PAD(var) s, r[7];
        PAD(port) in, to[7];
        ad_map_desc desc;
        ad_map_report report;
        CHECK(PAD(fn_status)(J) == AD_OK && PAD(fn_status)(h) == AD_OK
              && PAD(fn_status)(v) == AD_OK);
        CHECK(PT(refused)(f, x, 7) && PT(refused)(J, x, 14) && PT(refused)(v, x, 14));
        CHECK_STATUS(PAD(fn_eval)(g, &x, y), AD_OK);
        CHECK_NEAR(y[0], w ? 8 : 2, 0);
        CHECK_NEAR(y[1], w ? 0.5 : 4, 0);
        CHECK_STATUS(PAD(fn_eval)(h, &x, y), AD_OK);
        CHECK_NEAR(y[2], w ? 0 : 4, 0);
        x = w ? 2 : 20;                                        /* in the first step */
        CHECK(PT(refused)(g, x, 2) && PT(refused)(f, x, 7));
        CHECK_STATUS(PAD(fn_eval)(none, &x, y), AD_OK);
        CHECK(y[0] == x);
        s = PAD(input)(t, (PREAL)where[w]);
        CHECK_STATUS(PAD(fn_call)(f, t, 1, &s, 7, r), AD_ERR_USER);
        CHECK(r[0].v != r[0].v && PAD(tape_status)(t) == AD_ERR_USER);
        PAD(tape_reset)(t);
        s = PAD(input)(t, (PREAL)where[w]);
        CHECK(PAD(fn_record)(f, t, &s, r) == AD_ERR_USER);
        CHECK(r[6].v != r[6].v && PAD(tape_message)(t)[0]);
        memset(&desc, 0, sizeof desc);
        desc.report = &report;
        data[0] = (PREAL)(w ? 1000 : 0.25);
        data[1] = (PREAL)where[w];
        data[2] = (PREAL)(w ? 3000 : 0.125);
        in = PAD(port_in)(data, 1);
        for (i = 0; i < 7; i++) to[i] = PAD(port_out)(out + 3 * i, 1);
        CHECK(PAD(fn_map)(f, 3, &in, to, &desc) != AD_OK && report.message[0]);
        for (i = 0; i < 7; i++) CHECK(out[3 * i + 1] != out[3 * i + 1]);
        PAD(tape_destroy)(t);
        PAD(fn_destroy)(step);
        PAD(fn_destroy)(f);
        PAD(fn_destroy)(J);
        PAD(fn_destroy)(few);
        PAD(fn_destroy)(g);
        PAD(fn_destroy)(none);
        PAD(fn_destroy)(h);
        PAD(fn_destroy)(outer);
        PAD(fn_destroy)(v);
    }
}

static void PT(refuse)(const PAD(fn) *f, size_t steps, size_t n, size_t k, int all,
    ad_status expected)
{
    PAD(fn) *const r = PAD(fn_repeat)(f, steps, n, k, all), *const g = PAD(fn_vjp)(r);
    const char *const message = PAD(fn_message)(r);
    test_check(PAD(fn_status)(r) == expected && PAD(fn_status)(g) == expected, __FILE__, __LINE__,
        "%s, not %s: %s", ad_status_name(PAD(fn_status)(r)), ad_status_name(expected), message);
    CHECK(message[0] && !strchr(message, '\n'));
    PAD(fn_destroy)(r);
    PAD(fn_destroy)(g);
}
static void PT(errors)(void)
{
    PAD(fn) *const f = PT(step)(loop_of(2, 1, 1, 1, 0, 0));     /* 4 inputs, 3 outputs */
    PAD(fn) *const failed = PAD(fn_repeat)(f, 3, 4, 0, 0);
    PT(refuse)(f, 3, 4, 0, 0, AD_ERR_SHAPE);
    PT(refuse)(f, 3, 3, 2, 0, AD_ERR_SHAPE);
    PT(refuse)(f, 3, 0, 5, 0, AD_ERR_SHAPE);
    PT(refuse)(f, 3, (size_t)-1, 2, 1, AD_ERR_SHAPE);
    PT(refuse)(f, 3, 2, (size_t)-1, 1, AD_ERR_SHAPE);
    PT(refuse)(f, (size_t)-1, 2, 1, 0, AD_ERR_LIMIT);
    PT(refuse)(f, ((size_t)-1 >> 1) + 2, 2, 1, 1, AD_ERR_LIMIT);
    PT(refuse)(f, (size_t)1 << 28, 2, 1, 1, AD_ERR_LIMIT);
    PT(refuse)(failed, 3, 1, 1, 0, AD_ERR_SHAPE);
    PT(refuse)(NULL, 3, 1, 1, 0, AD_ERR_MEMORY);
    CHECK(strstr(PAD(fn_message)(failed), "4 inputs and 3 outputs") != NULL);
    PAD(fn_destroy)(failed);
    PAD(fn_destroy)(f);
}

/* ---------------------------------------------------------------- lifetimes, memory */

/* Everything is destroyed in each of some orders, and what is left is evaluated. */
static void PT(lives)(void)
{
    static const int orders[4][5] = { { 0, 1, 2, 3, 4 }, { 4, 3, 2, 1, 0 }, { 1, 3, 0, 2, 4 },
        { 2, 0, 4, 1, 3 } };
    const loop_shape q = loop_of(2, 1, 1, 0, 3, 0);
    int o, i, k;
    for (o = 0; o < 4; o++) {
        PAD(tape) *t = PAD(tape_create)(NULL);
        PAD(fn) *f[5];
        PREAL x[16], y[2][200];
        PAD(var) v[6], r[2];
        f[0] = PT(step)(q);
        f[1] = PAD(fn_repeat)(f[0], 3, 2, 1, 0);
        f[2] = PAD(fn_repeat)(f[1], 1, 2, 1, 0);
        f[3] = PAD(fn_vjp)(f[2]);
        f[4] = PAD(fn_jacobian)(f[3]);
        for (i = 0; i < 16; i++) x[i] = PT(draw)(70, (size_t)i);
        for (i = 0; i < 6; i++) v[i] = PAD(input)(t, x[i]);
        CHECK_STATUS(PAD(fn_record)(f[2], t, v, r), AD_OK);
        CHECK_STATUS(PAD(fn_eval)(f[4], x, y[0]), AD_OK);
        for (i = 0; i < 5; i++) {
            PAD(fn_destroy)(f[orders[o][i]]);
            f[orders[o][i]] = NULL;
            for (k = 1; k < 5; k++)
                if (f[k]) CHECK_STATUS(PAD(fn_eval)(f[k], x, y[1]), AD_OK);
            if (f[4]) {
                CHECK_STATUS(PAD(fn_eval)(f[4], x, y[1]), AD_OK);
                CHECK(memcmp(y[0], y[1], 8 * sizeof *x) == 0);
            }
        }
        PAD(tape_destroy)(t);
    }
}

/* A failed function had no memory; by way of a call the status is that of a callback. */
static int PT(lacks)(const PAD(fn) *f)
{
    const ad_status s = PAD(fn_status)(f);
    return s == AD_ERR_MEMORY || (s == AD_ERR_USER && strstr(PAD(fn_message)(f), "AD_ERR_MEMORY"));
}

/* All that takes memory; the sum of all numbers, or NaN and a status. */
static PREAL PT(everything)(heap *h, int *bad)
{
    const loop_shape q = loop_of(2, 1, 1, 1, 3, 1);
    PAD(tape) *const of = PAD(tape_create)(NULL);
    PAD(fn) *f[6];
    PAD(var) x[6], y[16];
    PREAL at[32], r[512], sum = 0;
    ad_fn_desc desc;
    size_t i, k;
    memset(&desc, 0, sizeof desc);
    desc.resize = heap_resize;
    desc.resize_user = h;
    for (i = 0; i < 32; i++) at[i] = PT(draw)(80, i);
    for (i = 0; i < 4; i++) x[i] = PAD(input)(of, at[i]);
    PT(step_on)(q, of, x, y);
    f[0] = PAD(fn_create)(of, 4, x, 3, y, &desc);
    f[1] = PAD(fn_repeat)(f[0], 3, 2, 1, 1);
    f[2] = PAD(fn_jacobian)(f[1]);
    f[3] = PAD(fn_vjp)(f[1]);
    f[4] = PAD(fn_repeat)(f[1], 1, 2, 1, 0);
    f[5] = PAD(fn_jvp)(f[3]);
    PAD(tape_reset)(of);
    PAD(inputs)(of, 6, at, x);
    if (PAD(fn_record)(f[1], of, x, y) == AD_OK && PAD(backward)(y[0]) == AD_OK
        && PAD(forward_over_reverse)(y[1], 6, x, at) == AD_OK)
        for (i = 0; i < 6; i++) sum += PAD(adjoint_tangent)(x[i]);
    else sum = (PREAL)NAN;
    for (k = 0; k < 6; k++) {
        const ad_status made = PAD(fn_status)(f[k]);
        const ad_status s = PAD(fn_eval)(f[k], at, r);
        const size_t m = PAD(fn_get_stats)(f[k]).outputs;
        if (made != AD_OK && !PT(lacks)(f[k]))
            *bad = !test_check(0, __FILE__, __LINE__, "function %d: %s", (int)k,
                               PAD(fn_message)(f[k]));
        if (made == AD_OK && s != AD_OK && (s != AD_ERR_MEMORY && s != AD_ERR_USER)) *bad = 1;
        if (made == AD_OK && s != AD_OK && r[m - 1] == r[m - 1]) *bad = 1;
        if (made != AD_OK || s != AD_OK) sum = (PREAL)NAN;
        for (i = 0; i < m; i++) sum += r[i];
    }
    for (k = 0; k < 6; k++) PAD(fn_destroy)(f[k]);
    PAD(tape_destroy)(of);
    return sum;
}
static void PT(memory)(void)
{
    heap h;
    int bad = 0, way;
    size_t k, calls;
    PREAL all, some;
    const size_t most = sizeof(PREAL) == sizeof(float) ? 101 : 37;      /* every so many: time */
    memset(&h, 0, sizeof h);
    all = PT(everything)(&h, &bad);
    CHECK(all == all && !bad && h.blocks == 0 && h.wrong == 0);
    calls = h.calls;
    for (way = 0; way < 3; way++)
        for (k = 1 + (size_t)way; k <= calls; k += most * (size_t)(1 + test_stride() / 3)) {
            memset(&h, 0, sizeof h);
            h.fail_at = k;
            h.also = way == 1;
            h.from_then_on = way == 2;
            some = PT(everything)(&h, &bad);
            if (!test_check(!bad && h.blocks == 0 && h.wrong == 0 && (some != some || some == all),
                __FILE__, __LINE__, "allocation %d of %d fails (%d): %s, %d blocks, %.17g, not "
                "%.17g", (int)k, (int)calls, way, bad ? "status" : "", (int)h.blocks,
                (double)some, (double)all)) return;
        }
}

/* What comes from malloc itself: the tapes on which steps are recorded. */
static void PT(starved)(void)
{
    enum { STEPS = 3000, STEP = 1 << 17, MOST = 60 };
    const loop_shape q = loop_of(1, 0, 1, 1, STEPS, 0);
    PAD(fn) *const step = PT(step)(q);
    size_t more, made = 0;
    for (more = 0; more < (size_t)STEP * MOST; more += STEP) {
        PAD(fn) *f, *g;
        if (!starve(more)) break;
        f = PAD(fn_repeat)(step, STEPS, 1, 0, 0);
        g = PAD(fn_vjp)(f);
        starve((size_t)-1);
        made += PAD(fn_status)(g) == AD_OK;
        test_check((PAD(fn_status)(f) == AD_OK || PAD(fn_status)(f) == AD_ERR_MEMORY)
            && (PAD(fn_status)(g) == AD_OK || PT(lacks)(g)), __FILE__, __LINE__,
            "%d bytes: %s; vjp: %s %s", (int)more, PAD(fn_message)(f),
            ad_status_name(PAD(fn_status)(g)), PAD(fn_message)(g));
        PAD(fn_destroy)(f);
        PAD(fn_destroy)(g);
    }
    CHECK(more == 0 || made > 0);
    PAD(fn_destroy)(step);
}

static void PT(loops)(void)
{
    CHECK(leaks_none(PT(guards)));
    CHECK(leaks_none(PT(errors)));
    CHECK(leaks_none(PT(lives)));
    PT(starved)();
    PT(shapes)();
    PT(stateless)();
    PT(programs)();
    PT(closed)();
    PT(outlives)();
    PT(nested)();
    PT(nested_all)();
    PT(surrounded)();
    PT(parameters)();
    PT(maps)();
    PT(workspace)();
    PT(patterns)();
    PT(sizes)();
    PT(memory)();
}
#endif
