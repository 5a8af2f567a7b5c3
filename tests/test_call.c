/* Compiled functions that are called, from a tape and from each other, against the same functions
   recorded in the place of the call: every sweep, compiled derivatives, maps and patterns, on
   random programs that call random programs. Some whose derivatives are known; statuses, guards
   that go another way, memory that runs out, and what is emitted.
   What is recorded here is to have the bits of what is compiled, so nothing may be fused. The file
   includes itself, once for each real type, behind the first #else.
   Sections: Common Types; Compiled Functions: Schedules; Compiled Functions: Emitted C; Sparse
   Derivatives; User Operations; Compiled Functions: Making; Compiled Functions: Evaluating;
   Compiled Functions: Calling. */
#ifndef PREAL
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include "heap.h"
#include "leaks.h"
#include "test.h"
#include "programs.h"

#define COUNT(a) (sizeof (a) / sizeof (a)[0])

TEST_DEF void suite_call(void);

/* X inputs, Y outputs of what calls; functions 0 to LEAVES - 1 are random programs, each after them
   calls those before it. */
enum { X = 4, Y = 3, LEAVES = 2, FUNCTIONS = 4, MOST = 8, POINTS = 9, SEEDS = 80 };

static int one_line(const char *message)
{
    return message[0] != 0 && strchr(message, '\n') == NULL;
}

static const double d_unit = DBL_EPSILON, f_unit = (double)FLT_EPSILON;
#define TWICE "test_call.c"
#include "twice.h"

/* ---------------------------------------------------------------- emitted text */

typedef struct text { char *c; size_t n, room; int fails; } text;

static int keep(void *user, const char *c, size_t n)
{
    text *const t = (text *)user;
    if (t->fails && t->n + n > (size_t)t->fails) return 1;
    if (t->n + n + 1 > t->room) {
        t->room = 2 * (t->n + n) + 4096;
        t->c = (char *)realloc(t->c, t->room);
        if (!t->c) abort();
    }
    memcpy(t->c + t->n, c, n);
    t->n += n;
    t->c[t->n] = 0;
    return 0;
}
static size_t times(const char *in, const char *what)
{
    size_t n = 0;
    for (; (in = strstr(in, what)) != NULL; in += strlen(what)) n++;
    return n;
}
static char emitted_error[200];
/* Whole text has as many braces open as closed, what C++ alone reads too. */
static ad_status emitted_as(const ad_fn *f, text *t, ad_emit_form form, ad_emit_language language)
{
    ad_emit_desc d;
    ad_status s;
    memset(&d, 0, sizeof d);
    d.name = "model";
    d.form = form;
    d.language = language;
    d.error = emitted_error;
    d.error_size = sizeof emitted_error;
    t->n = 0;
    if (t->c) t->c[0] = 0;
    s = ad_fn_emit(f, &d, keep, t);
    CHECK((s == AD_OK) == !emitted_error[0]);
    if (s == AD_OK)
        CHECK(times(t->c, "{") == times(t->c, "}")
              && times(t->c, "extern \"C\" {") == times(t->c, "#ifdef __cplusplus\n}\n#endif\n")
              && times(t->c, "extern \"C\" {") == (language == AD_LANGUAGE_C
                                                   || language == AD_LANGUAGE_BOARD));
    return s;
}
static ad_status emitted(const ad_fn *f, text *t, ad_emit_form form)
{
    return emitted_as(f, t, form, AD_LANGUAGE_C);
}
/* `depth` functions, each of which calls the one before it twice; the lowest has a guard. */
static void tower(ad_fn **f, size_t depth, const ad_fn_desc *desc, const ad_tape_desc *tape)
{
    ad_tape *const t = ad_tape_create(tape);
    size_t k;
    for (k = 0; k < depth; k++) {
        ad_var x[2], y[2], z[2];
        ad_tape_reset(t);
        x[0] = ad_input(t, 0.5);
        x[1] = ad_input(t, 0.25);
        if (k == 0) {
            y[0] = ad_var_mul(ad_var_sin(x[0]), x[1]);
            y[1] = ad_branch(ad_var_lt_r(x[1], 4)) ? ad_var_add_r(x[0], 0.125) : x[0];
        } else {
            ad_fn_call(f[k - 1], t, 2, x, 2, z);
            z[0] = ad_var_mul(z[0], x[1]);
            ad_fn_call(f[k - 1], t, 2, z, 2, y);
        }
        f[k] = ad_fn_create(t, 2, x, 2, y, desc);
    }
    ad_tape_destroy(t);
}
static void fell(ad_fn **f, size_t depth)
{
    while (depth-- > 0) ad_fn_destroy(f[depth]);
}

static void test_emitted(void)
{
    enum { DEPTH = 6 };
    ad_tape *const t = ad_tape_create(NULL);
    text e;
    heap h;
    ad_fn_desc desc;
    ad_var x[4], y[8], z[8];
    ad_fn *f[DEPTH], *plain, *g;
    size_t i;
    memset(&e, 0, sizeof e);
    memset(&h, 0, sizeof h);
    memset(&desc, 0, sizeof desc);
    tower(f, DEPTH, NULL, NULL);
    plain = ad_fn_parse("x*y + sin(y)", "x, y", NULL, 0);
    ad_inputs(t, 4, d_at, x);
    for (i = 0; i < 8; i++) {                          /* eight calls of one, and four of another */
        ad_fn_call(plain, t, 2, x + i % 3, 1, y + i);
        if (i % 4 == 1) ad_fn_call(f[0], t, 2, y + i - 1, 2, y + i - 1);
    }
    g = ad_fn_create(t, 4, x, 8, y, NULL);             /* of equal calls one: three are left */
    CHECK_STATUS(emitted(g, &e, AD_EMIT_POINT), AD_OK);
    CHECK(times(e.c, "_call1(") == 1 + 3 || times(e.c, "_call2(") == 1 + 3);
    ad_fn_destroy(g);
    desc.skip = AD_FN_CSE;
    g = ad_fn_create(t, 4, x, 8, y, &desc);
    desc.skip = 0;
    CHECK_STATUS(emitted(g, &e, AD_EMIT_FUNCTION), AD_OK);
    CHECK(times(e.c, "static void model_call") + times(e.c, "static int model_call") == 2);
    CHECK(times(e.c, "model_batch(size_t") == 2);
    CHECK(times(e.c, "_call1(") == 9 + 8 || times(e.c, "_call2(") == 9 + 8);
    CHECK_STATUS(emitted(g, &e, AD_EMIT_POINT), AD_OK);
    CHECK(times(e.c, "static void model_call") + times(e.c, "static int model_call") == 2);
    CHECK(times(e.c, "model_batch") == 0);
    CHECK_STATUS(emitted(g, &e, AD_EMIT_TABLE), AD_ERR_UNSUPPORTED);
    CHECK(e.n == 0);
    for (e.fails = 1; e.fails < 4000; e.fails += 397)
        CHECK_STATUS(emitted(g, &e, AD_EMIT_FUNCTION), AD_ERR_WRITE);
    e.fails = 0;
    ad_fn_destroy(g);
    CHECK_STATUS(emitted(f[DEPTH - 1], &e, AD_EMIT_FUNCTION), AD_OK);
    CHECK(times(e.c, "\nstatic int model_call") == DEPTH - 1);
    CHECK(times(e.c, "int model(") == 2);
    /* derivatives of what calls call derivatives, each one text */
    g = ad_fn_jacobian(f[DEPTH - 1]);
    CHECK_STATUS(emitted(g, &e, AD_EMIT_POINT), AD_OK);
    CHECK(times(e.c, "\nstatic int model_call") >= DEPTH);
    CHECK(times(e.c, "\nstatic int model_call") <= 4 * DEPTH);
    ad_fn_destroy(g);
    /* an operation of the user's has no text, wherever it is called */
    ad_tape_reset(t);
    ad_inputs(t, 4, d_at, x);
    d_mill_call(t, 2, x, 2, y);
    desc.resize = heap_resize;
    desc.resize_user = &h;
    g = ad_fn_create(t, 2, x, 2, y, &desc);
    ad_fn_call(plain, t, 2, y, 1, z);
    ad_fn_call(g, t, 2, x, 2, z + 1);
    fell(f, DEPTH);
    f[0] = ad_fn_create(t, 2, x, 3, z, NULL);
    CHECK_STATUS(emitted(g, &e, AD_EMIT_FUNCTION), AD_ERR_UNSUPPORTED);
    CHECK_STATUS(emitted(f[0], &e, AD_EMIT_FUNCTION), AD_ERR_UNSUPPORTED);
    CHECK_STATUS(emitted_as(g, &e, AD_EMIT_FUNCTION, AD_LANGUAGE_OPENCL), AD_ERR_UNSUPPORTED);
    CHECK(strstr(emitted_error, "user's") != NULL);
    CHECK(e.n == 0);
    ad_fn_destroy(f[0]);
    ad_fn_destroy(g);
    ad_fn_destroy(plain);
    CHECK(h.blocks == 0 && h.wrong == 0);
    ad_tape_destroy(t);
    free(e.c);
}

/* The results of a large call go to outputs that are in a row all at once; what comes after them is
   no result, though the next output's number is next. */
static void test_emitted_row(void)
{
    enum { N = 24, M = 9 };
    ad_tape *const t = ad_tape_create(NULL);
    static const double at[N] = { 1, 2, 3 };
    ad_var x[N], y[M + 1];
    ad_fn *f, *g;
    text e;
    int i;
    memset(&e, 0, sizeof e);
    ad_inputs(t, N, at, x);
    for (i = 0; i < M; i++) y[i] = ad_var_sin(ad_var_mul(x[i], x[N - 1 - i]));
    f = ad_fn_create(t, N, x, M, y, NULL);
    CHECK_STATUS(ad_fn_call(f, t, N, x, M, y), AD_OK);
    y[M] = ad_var_cos(x[0]);
    g = ad_fn_create(t, N, x, M + 1, y, NULL);
    CHECK_STATUS(emitted(g, &e, AD_EMIT_POINT), AD_OK);
    CHECK(times(e.c, "memcpy(y + 0, w + 24, 9*sizeof *y);") == 1 && times(e.c, "y[9] = ") == 1);
    ad_fn_destroy(f);
    ad_fn_destroy(g);
    ad_tape_destroy(t);
    free(e.c);
}

/* What no output wants is not called, and has no text: f in the derivative of floor(f(x)); the same
   where its calls are kept (AD_FN_DEAD). */
static void test_emitted_unwanted(void)
{
    ad_tape *const t = ad_tape_create(NULL);
    ad_fn *const f = ad_fn_parse("sin(a)", "a", NULL, 0);
    enum { LARGE = 300 };
    ad_fn *g, *d, *large;
    ad_pattern p;
    ad_var x[2], many[LARGE], u, y;
    ad_fn_desc desc;
    text e;
    int kept, i;
    memset(&e, 0, sizeof e);
    memset(&desc, 0, sizeof desc);
    for (i = 0; i < LARGE; i++) many[i] = ad_input(t, i);
    u = ad_var_norm(LARGE, many);
    large = ad_fn_create(t, LARGE, many, 1, &u, NULL);
    for (kept = 0; kept < 2; kept++) {
        desc.skip = kept ? AD_FN_DEAD : 0;
        ad_tape_reset(t);
        for (i = 0; i < LARGE; i++) many[i] = ad_input(t, i);
        x[0] = ad_input(t, 1);
        x[1] = ad_input(t, 2);
        CHECK_STATUS(ad_fn_call(f, t, 1, x, 1, &u), AD_OK);
        y = ad_var_add(ad_var_floor(u), ad_var_square(x[1]));
        g = ad_fn_create(t, 2, x, 1, &y, &desc);
        d = ad_fn_sparse_jacobian(g, &p);
        CHECK_STATUS(emitted(d, &e, AD_EMIT_POINT), AD_OK);
        CHECK(e.c != NULL && times(e.c, "sin") == 0);
        CHECK_STATUS(emitted(g, &e, AD_EMIT_POINT), AD_OK);
        CHECK(e.c != NULL && times(e.c, "sin(") == 1);
        ad_pattern_free(&p);
        ad_fn_destroy(d);
        ad_fn_destroy(g);
        /* a call that a rule leaves without a reader */
        y = ad_var_select(u, x[1], x[1]);
        g = ad_fn_create(t, 2, x, 1, &y, &desc);
        CHECK_STATUS(emitted(g, &e, AD_EMIT_POINT), AD_OK);
        CHECK(e.c != NULL && times(e.c, "sin(") == 0 && times(e.c, "_call") == 0);
        ad_fn_destroy(g);
        /* nor are there places for a large one */
        CHECK_STATUS(ad_fn_call(large, t, LARGE, many, 1, &u), AD_OK);
        y = ad_var_add(ad_var_floor(u), ad_var_square(many[1]));
        g = ad_fn_create(t, LARGE, many, 1, &y, &desc);
        CHECK_STATUS(emitted(g, &e, AD_EMIT_POINT), AD_OK);
        CHECK(e.c != NULL && times(e.c, " w[") == 1);
        d = ad_fn_sparse_jacobian(g, &p);
        CHECK_STATUS(emitted(d, &e, AD_EMIT_POINT), AD_OK);
        CHECK(e.c != NULL && times(e.c, " w[") == 0);
        ad_pattern_free(&p);
        ad_fn_destroy(d);
        ad_fn_destroy(g);
    }
    ad_fn_destroy(large);
    ad_fn_destroy(f);
    ad_tape_destroy(t);
    free(e.c);
}

/* The head promises the library's bits, but for what the library alone contracts. */
static void test_emitted_promise(void)
{
    unsigned flags;
    for (flags = 0; flags <= AD_FN_CONTRACT; flags++) {
        ad_fn_desc desc;
        ad_fn *f;
        text e;
        memset(&e, 0, sizeof e);
        memset(&desc, 0, sizeof desc);
        desc.flags = flags;
        f = ad_fn_parse_desc("a*b + c", "a, b, c", &desc, NULL, 0);
        CHECK_STATUS(emitted(f, &e, AD_EMIT_POINT), AD_OK);
        CHECK(e.c != NULL && times(e.c, "The bits are the library's") == 1
              && times(e.c, "AD_FN_CONTRACT") == (flags == AD_FN_CONTRACT));
        ad_fn_destroy(f);
        free(e.c);
    }
}

/* More places for the inputs and results of calls than there are statements, in pieces. */
static void test_emitted_places(void)
{
    enum { STEPS = 400, SINES = 60 };
    static ad_var in[STEPS + 1], s[SINES];
    ad_tape *const t = ad_tape_create(NULL);
    ad_fn *const step = ad_fn_parse("x*0.5 + d", "x, d", NULL, 0);
    ad_fn *const loop = ad_fn_repeat(step, STEPS, 1, 0, 0);
    ad_fn *f;
    ad_fn_desc desc;
    ad_emit_desc d;
    ad_var x[2], y;
    heap h;
    text e;
    size_t i;
    memset(&h, 0, sizeof h);
    memset(&e, 0, sizeof e);
    memset(&desc, 0, sizeof desc);
    memset(&d, 0, sizeof d);
    desc.resize = heap_resize;
    desc.resize_user = &h;
    in[0] = x[0] = ad_input(t, 1);
    x[1] = ad_input(t, 1);
    for (i = 1; i <= STEPS; i++) in[i] = x[1];
    CHECK_STATUS(ad_fn_call(loop, t, STEPS + 1, in, 1, &y), AD_OK);
    for (i = 0; i < SINES; i++) s[i] = ad_var_cos(ad_var_mul_r(y, (double)(1 + i)));
    for (i = 0; i < SINES; i++) y = ad_var_sin(ad_var_add(y, s[i]));
    f = ad_fn_create(t, 2, x, 1, &y, &desc);
    d.form = AD_EMIT_POINT;
    d.piece = 5;
    CHECK_STATUS(ad_fn_emit(f, &d, keep, &e), AD_OK);
    ad_fn_destroy(f);
    CHECK(h.blocks == 0 && h.wrong == 0);
    ad_fn_destroy(loop);
    ad_fn_destroy(step);
    ad_tape_destroy(t);
    free(e.c);
}

/* The text depends on what the functions are, not on what stood in memory; all of it is written or
   there is no memory. */
static void test_emitted_memory(ad_emit_language language)
{
    enum { DEPTH = 3 };
    ad_fn *f[DEPTH];
    ad_fn_desc desc;
    heap h;
    text e[2];
    size_t k, failed = 1;
    int dirt;
    memset(&desc, 0, sizeof desc);
    memset(e, 0, sizeof e);
    desc.resize = heap_resize;
    desc.resize_user = &h;
    for (dirt = 0; dirt < 2; dirt++) {
        memset(&h, 0, sizeof h);
        h.dirt = dirt ? 0xCC : 0;                      /* zeros, or other bits */
        tower(f, DEPTH, &desc, NULL);
        CHECK_STATUS(emitted_as(f[DEPTH - 1], &e[dirt], AD_EMIT_FUNCTION, language), AD_OK);
        CHECK(times(e[dirt].c, "int model(const double") == 2);
        if (dirt) CHECK(strcmp(e[0].c, e[1].c) == 0);
        for (k = 1; failed && k < 1000 && dirt; k++) {
            ad_status s;
            h.calls = 0;
            h.fail_at = k;
            h.also = 1;
            s = emitted_as(f[DEPTH - 1], &e[0], AD_EMIT_FUNCTION, language);
            failed = h.calls >= k;
            h.fail_at = 0;
            CHECK(s == (failed ? AD_ERR_MEMORY : AD_OK)
                  || (s == AD_OK && strcmp(e[0].c, e[1].c) == 0));
        }
        CHECK(k > 4 || !dirt);
        fell(f, DEPTH);
        CHECK(h.blocks == 0 && h.live == 0 && h.wrong == 0);
    }
    free(e[0].c);
    free(e[1].c);
}

/* ---------------------------------------------------------------- memory that runs out */

/* What is called has none for its numbers: that is said by its name, wherever it is called. */
static void test_called_without_memory(void)
{
    enum { N = 5000 };
    static double at[N];
    ad_tape *const t = ad_tape_create(NULL);
    ad_var *const x = (ad_var *)malloc((N + 1) * sizeof *x), y;
    ad_fn *f, *outer;
    ad_fn_desc desc;
    double out;
    heap h;
    size_t i;
    memset(&h, 0, sizeof h);
    memset(&desc, 0, sizeof desc);
    desc.resize = heap_resize;
    desc.resize_user = &h;
    desc.native = AD_NATIVE_NEVER;
    ad_inputs(t, N, at, x);
    y = x[0];
    for (i = 1; i < N; i++) y = ad_var_add(ad_var_mul(ad_var_exp(y), x[i]), x[0]);
    f = ad_fn_create(t, N, x, 1, &y, &desc);
    CHECK_STATUS(ad_fn_call(f, t, N, x, 1, &y), AD_OK);
    desc.resize = NULL;
    outer = ad_fn_create(t, N, x, 1, &y, &desc);
    CHECK_STATUS(ad_fn_eval(outer, at, &out), AD_OK);
    h.calls = 0;
    h.fail_at = 1;
    CHECK_STATUS(ad_fn_eval(outer, at, &out), AD_ERR_MEMORY);
    CHECK(out != out);
    h.calls = 0;
    CHECK_STATUS(ad_fn_call(f, t, N, x, 1, &y), AD_ERR_MEMORY);
    CHECK_STRING(ad_tape_message(t), "ad_fn_call: no memory for its value");
    h.fail_at = 0;
    CHECK_STATUS(ad_fn_eval(outer, at, &out), AD_OK);
    ad_fn_destroy(outer);
    ad_fn_destroy(f);
    ad_tape_destroy(t);
    free(x);
    CHECK(h.blocks == 0 && h.wrong == 0);
}

enum { CALL, BACKWARD, SEEDED, FORWARD, REVERSE_ROWS, FORWARD_ROWS, OVER, HESSIAN, GRAD_VARS,
    PATTERN, HESSIAN_PATTERN, COMPILE, ACTS };

static ad_status act(int what, ad_tape *t, const ad_fn *f, const ad_fn_desc *desc, const ad_var *x,
                     ad_var *y)
{
    static const double one[2] = { 1, 0.5 };
    double out[16];
    ad_pattern p;
    ad_var g[2];
    ad_fn *made, *h;
    ad_status s;
    memset(&p, 0, sizeof p);
    switch (what) {
    case CALL:         return ad_fn_call(f, t, 2, x, 2, y);
    case BACKWARD:     return ad_backward(y[0]);
    case SEEDED:       return ad_backward_seeded(t, 2, y, one);
    case FORWARD:      return ad_forward(t, 2, x, one);
    case REVERSE_ROWS: return ad_jacobian_reverse(t, 2, x, 2, y, out);
    case FORWARD_ROWS: return ad_jacobian_forward(t, 2, x, 2, y, out);
    case OVER:         return ad_forward_over_reverse(y[0], 2, x, one);
    case HESSIAN:      return ad_hessian_of(y[0], 2, x, out);
    case GRAD_VARS:    return ad_grad_vars(y[0], 2, x, g);
    case PATTERN:      s = ad_jacobian_pattern(t, 2, x, 2, y, &p); break;
    case HESSIAN_PATTERN: s = ad_hessian_pattern(t, 2, x, 2, y, &p); break;
    default:
        made = ad_fn_create(t, 2, x, 1, y, desc);
        h = ad_fn_hessian(made);
        s = ad_fn_status(h);
        ad_fn_destroy(made);
        ad_fn_destroy(h);
        return s;
    }
    ad_pattern_free(&p);
    return s;
}

/* Allocation k of an act fails, with `then` all after it too; 0 if there are fewer. Afterwards all
   goes well, with the gradient `right`. The functions may have parameters: a call is differentiated
   by these, too. */
static int starved(int what, int then, size_t k, const double *right,
                   const unsigned char *parameters)
{
    heap h;
    ad_tape_desc tape;
    ad_fn_desc desc;
    ad_fn *f[3];
    ad_tape *t;
    ad_var x[2], y[2];
    ad_status s;
    size_t i;
    double g[2];
    int failed;
    memset(&h, 0, sizeof h);
    memset(&tape, 0, sizeof tape);
    memset(&desc, 0, sizeof desc);
    tape.resize = desc.resize = heap_resize;
    tape.resize_user = desc.resize_user = &h;
    desc.parameters = parameters;
    tower(f, 3, &desc, &tape);
    t = ad_tape_create(&tape);
    x[0] = ad_input(t, 0.5);
    x[1] = ad_input(t, 0.25);
    if (what != CALL) CHECK_STATUS(ad_fn_call(f[2], t, 2, x, 2, y), AD_OK);
    h.from_then_on = then;
    h.fail_at = h.calls + k;
    s = act(what, t, f[2], &desc, x, y);
    failed = h.calls >= h.fail_at;
    h.fail_at = 0;
    if (s != AD_OK && what == CALL) CHECK(y[0].tape == NULL && y[0].v != y[0].v);
    test_check(s == AD_OK || (failed && (s == AD_ERR_MEMORY || s == AD_ERR_USER)), __FILE__,
        __LINE__, "act %d, allocation %d: %s, \"%s\"", what, (int)k, ad_status_name(s),
        ad_tape_message(t));
    if (s != AD_OK && what != COMPILE)
        CHECK(one_line(ad_tape_message(t)) && ad_tape_status(t) == s);
    for (then = what > CALL; then >= 0; then--) {      /* the same trace again; recorded anew */
        if (then) {
            ad_tape_clear_status(t);
        } else {
            ad_tape_reset(t);
            x[0] = ad_input(t, 0.5);
            x[1] = ad_input(t, 0.25);
            CHECK_STATUS(ad_fn_call(f[2], t, 2, x, 2, y), AD_OK);
        }
        CHECK_STATUS(ad_backward(y[0]), AD_OK);
        ad_adjoints(2, x, g);
        for (i = 0; i < 2; i++) CHECK_NEAR(g[i], right[i], 1e-15);
        CHECK_STATUS(act(what, t, f[2], &desc, x, y), AD_OK);
    }
    ad_tape_destroy(t);
    fell(f, 3);
    CHECK(h.blocks == 0 && h.live == 0 && h.wrong == 0);
    return failed;
}
static void test_no_memory(void)
{
    ad_tape *const t = ad_tape_create(NULL);
    ad_fn *f[3];
    ad_var x[2], y[2];
    double right[2];
    size_t k;
    int what, then;
    tower(f, 3, NULL, NULL);
    x[0] = ad_input(t, 0.5);
    x[1] = ad_input(t, 0.25);
    ad_fn_call(f[2], t, 2, x, 2, y);
    CHECK_STATUS(ad_backward(y[0]), AD_OK);
    ad_adjoints(2, x, right);
    fell(f, 3);
    ad_tape_destroy(t);
    for (what = CALL; what < ACTS; what++)
        for (then = 0; then < 4; then++) {
            static const unsigned char second[2] = { 0, 1 };
            const unsigned char *const parameters = then > 1 ? second : NULL;
            if (parameters && what != BACKWARD && what != FORWARD && what != OVER) continue;
            k = 1;
            while (starved(what, then % 2, k, right, parameters) && k < 5000) k += 1 + k / 16;
            CHECK(k > 1 && k < 5000);
        }
}

/* What is kept in functions is given back, of those too that could not be made. */
static void live_and_die(void)
{
    ad_fn *f[3];
    ad_tape *const t = ad_tape_create(NULL);
    ad_var x[2], y[2];
    tower(f, 3, NULL, NULL);
    x[0] = ad_input(t, 0.5);
    x[1] = ad_input(t, 0.25);
    ad_fn_call(f[2], t, 2, x, 2, y);
    CHECK_STATUS(act(HESSIAN_PATTERN, t, f[2], NULL, x, y), AD_OK);
    CHECK_STATUS(act(COMPILE, t, f[2], NULL, x, y), AD_OK);
    CHECK_STATUS(act(OVER, t, f[2], NULL, x, y), AD_OK);
    ad_tape_destroy(t);
    fell(f, 3);
}

TEST_DEF void suite_call(void)
{
    d_suite();
    f_suite();
    test_emitted();
    test_emitted_row();
    test_emitted_places();
    test_emitted_unwanted();
    test_emitted_promise();
    test_emitted_memory(AD_LANGUAGE_C);
    test_emitted_memory(AD_LANGUAGE_OPENCL);
    test_emitted_memory(AD_LANGUAGE_BOARD);
    test_called_without_memory();
    test_no_memory();
    CHECK(leaks_none(live_and_die));
}

#else
/* ================================================ once for each real type */

static const PREAL PT(at)[X] = { (PREAL)0.5, (PREAL)-0.25, (PREAL)0.75, (PREAL)1.125 },
    PT(along)[X] = { 1, (PREAL)-0.5, (PREAL)0.25, 2 };

/* ---------------------------------------------------------------- random functions that call */

typedef struct PT(scene) {
    uint64_t  seed;
    int       calls;                   /* 0: the same recorded in the place of calls */
    PAD(fn)  *f[FUNCTIONS];
    size_t    n[FUNCTIONS], m[FUNCTIONS];
    PREAL     near[FUNCTIONS][PROGRAM_INPUTS];     /* where they are recorded, and called */
} PT(scene);

/* m numbers of n by calls of the first `limit` functions. */
static void PT(body)(const PT(scene) *s, size_t limit, PAD(tape) *t, size_t n, const PAD(var) *x,
                     size_t m, PAD(var) *y)
{
    PAD(var) v[X + 4 * MOST], in[PROGRAM_INPUTS];
    program_dice dice;
    size_t i, j, calls, count = n;
    dice.state = s->seed * 31 + limit;
    memcpy(v, x, n * sizeof *v);
    for (calls = 2 + program_below(&dice, 3); calls-- > 0;) {
        const size_t k = program_below(&dice, limit);
        for (i = 0; i < s->n[k]; i++) {
            const PAD(var) a = v[program_below(&dice, count)];
            if (i && k >= LEAVES && program_chance(&dice, 15)) in[i] = in[i - 1];
            else if (program_chance(&dice, 12)) in[i] = PAD(const)(s->near[k][i]);
            else in[i] = PAD(var_add_r)(PAD(var_mul_r)(PAD(var_sin)(a), (PREAL)0.125),
                                        s->near[k][i]);
        }
        if (s->calls) PAD(fn_call)(s->f[k], t, s->n[k], in, s->m[k], v + count);
        else PAD(fn_record)(s->f[k], t, in, v + count);
        count += s->m[k];
    }
    for (j = 0; j < m; j++) {
        const size_t a = count - 1 - j % count, b = program_below(&dice, count);
        y[j] = PAD(var_add)(PAD(var_sin)(v[a]), PAD(var_mul)(v[b], x[j % n]));
        if (program_chance(&dice, 20)) y[j] = v[a];
    }
}

/* The functions of a scene; branches: those that are random programs may have guards. */
static void PT(open)(PT(scene) *s, uint64_t seed, int calls, int branches, PAD(tape) *t)
{
    static program p;
    PAD(var) x[PROGRAM_INPUTS], v[PROGRAM_VALUES], y[MOST];
    unsigned char way[PROGRAM_STEPS], parameter[X];
    program_dice dice;
    ad_fn_desc d;
    size_t k, i;
    memset(s, 0, sizeof *s);
    s->seed = seed;
    s->calls = calls;
    dice.state = seed + 5;
    for (k = 0; k < FUNCTIONS; k++) {
        memset(&d, 0, sizeof d);
        if (program_chance(&dice, 30))
            d.skip = (unsigned)program_below(&dice, 1024);
        PAD(tape_reset)(t);
        if (k < LEAVES) {
            program_make(&p, 100 * seed + k, PROGRAM_TAME | (seed % 3 ? (int)PROGRAM_NO_CALLS : 0)
                         | (branches ? 0 : (int)PROGRAM_NO_BRANCHES));
            s->n[k] = p.inputs;
            s->m[k] = p.outputs;
            for (i = 0; i < p.inputs; i++) s->near[k][i] = (PREAL)p.point[i];
            PAD(inputs)(t, p.inputs, s->near[k], x);
            PT(run_var)(&p, t, x, v, way);
            for (i = 0; i < p.outputs; i++) y[i] = v[p.output[i]];
            d.parameters = p.parameter;
        } else {
            s->n[k] = 1 + program_below(&dice, X);
            s->m[k] = 1 + program_below(&dice, Y);
            for (i = 0; i < s->n[k]; i++) {
                s->near[k][i] = (PREAL)(0.25 * (double)i + 0.125);
                parameter[i] = (unsigned char)program_chance(&dice, 20);
            }
            PAD(inputs)(t, s->n[k], s->near[k], x);
            PT(body)(s, k, t, s->n[k], x, s->m[k], y);
            d.parameters = parameter;
        }
        s->f[k] = PAD(fn_create)(t, s->n[k], x, s->m[k], y, &d);
        CHECK_STATUS(PAD(fn_status)(s->f[k]), AD_OK);
    }
}
static void PT(close)(PT(scene) *s)
{
    size_t k = FUNCTIONS;
    while (k-- > 0) PAD(fn_destroy)(s->f[k]);
}

/* ---------------------------------------------------------------- what every sweep sees */

typedef struct PT(seen) {
    PREAL y[Y], f[1], eval[Y], again[Y], each[Y * POINTS];
    PREAL map[Y * POINTS], gradient[X], seeded[X], tangent[Y], reverse[Y * X], forward[Y * X];
    PREAL compiled[Y * X], vjp[X], jvp[Y], sparse[Y * X], fn_sparse[Y * X],
        normal[1 + X + X * (X + 1) / 2];
    PREAL over_gradient[X], over[X], hessian[X * X], recorded[X], second[X], third[X],
        fn_gradient[1 + X], fn_hessian[1 + X + X * X], sparse_hessian[X * X],
        fn_sparse_hessian[X * X];
    PREAL pattern[Y * X], hessian_pattern[X * X], fn_pattern[Y * X], fn_hessian_pattern[X * X];
} PT(seen);
enum { PT(bits) = 5, PT(patterns) = 27 };
#define PART(p) { #p, offsetof(PT(seen), p) / sizeof(PREAL),                                       \
    sizeof(((PT(seen) *)NULL)->p) / sizeof(PREAL) }
static const struct { const char *what; size_t at, count; } PT(part)[] = {
    PART(y), PART(f), PART(eval), PART(again), PART(each), PART(map),
    PART(gradient), PART(seeded), PART(tangent), PART(reverse), PART(forward), PART(compiled),
    PART(vjp), PART(jvp), PART(sparse), PART(fn_sparse), PART(normal), PART(over_gradient),
    PART(over), PART(hessian), PART(recorded), PART(second), PART(third), PART(fn_gradient),
    PART(fn_hessian), PART(sparse_hessian), PART(fn_sparse_hessian),
    PART(pattern), PART(hessian_pattern), PART(fn_pattern), PART(fn_hessian_pattern) };
#undef PART

/* Values of a pattern as a matrix, where values is NULL ones. */
static void PT(spread)(const ad_pattern *p, const PREAL *values, int symmetric, PREAL *dense)
{
    size_t i, k;
    for (i = 0; i < p->rows; i++)
        for (k = p->row_start[i]; k < p->row_start[i + 1]; k++) {
            dense[i * p->columns + p->column[k]] = values ? values[k] : 1;
            if (symmetric) dense[p->column[k] * p->columns + i] = values ? values[k] : 1;
        }
}

/* By the tape's own sparse drivers: the pattern, a plan, the values. */
static void PT(look_sparse)(PAD(tape) *t, const PAD(var) *x, size_t m, const PAD(var) *y,
                            int hessian, PREAL *pattern, PREAL *dense)
{
    ad_sparse_desc d;
    ad_pattern p;
    ad_sparse *plan;
    PREAL values[X * X];
    memset(&p, 0, sizeof p);
    memset(&d, 0, sizeof d);
    d.hessian = hessian;
    CHECK_STATUS(hessian ? PAD(hessian_pattern)(t, X, x, m, y, &p)
                         : PAD(jacobian_pattern)(t, X, x, m, y, &p), AD_OK);
    plan = ad_sparse_create(&p, &d);
    CHECK_STATUS(hessian ? PAD(sparse_hessian)(plan, t, X, x, m, y, NULL, values)
                         : PAD(sparse_jacobian)(plan, t, X, x, m, y, values), AD_OK);
    PT(spread)(&p, NULL, 0, pattern);
    PT(spread)(&p, values, 0, dense);
    ad_sparse_destroy(plan);
    ad_pattern_free(&p);
}
static void PT(out)(const PAD(fn) *f, const PREAL *x, PREAL *y)
{
    CHECK_STATUS(PAD(fn_status)(f), AD_OK);
    CHECK_STATUS(PAD(fn_eval)(f, x, y), AD_OK);
}
/* That, of a function that is then destroyed; skip: its first outputs. */
static void PT(out_of)(PAD(fn) *f, const PREAL *x, size_t skip, PREAL *y)
{
    PREAL all[2 + X + X * X + Y * X];
    PT(out)(f, x, all);
    memcpy(y, all + skip, (PAD(fn_get_stats)(f).outputs - skip) * sizeof *y);
    PAD(fn_destroy)(f);
}

/* m functions of x, and the first as a merit. */
static void PT(look_compiled)(PAD(tape) *t, const PREAL *at, const PAD(var) *x, const PAD(var) *y,
                              PAD(var) f, PT(seen) *o)
{
    static const PREAL w[Y] = { 1, (PREAL)-0.5, (PREAL)0.75 };
    PAD(fn) *const all = PAD(fn_create)(t, X, x, Y, y, NULL),
            *const one = PAD(fn_create)(t, X, x, 1, &f, NULL), *g;
    PAD(port) in[X], out[Y];
    PREAL both[X + X], points[X * POINTS], values[X * X];
    PAD(var) u[X], v[Y];
    ad_pattern p;
    size_t i, q;
    memcpy(both, at, X * sizeof *both);
    PT(out)(all, at, o->eval);
    PT(out_of)(PAD(fn_jacobian)(all), at, Y, o->compiled);
    memcpy(both + X, w, sizeof w);
    PT(out_of)(PAD(fn_vjp)(all), both, Y, o->vjp);
    memcpy(both + X, PT(along), sizeof PT(along));
    PT(out_of)(PAD(fn_jvp)(all), both, Y, o->jvp);
    PT(out_of)(PAD(fn_normal)(all), at, 0, o->normal);
    PT(out_of)(PAD(fn_gradient)(one), at, 0, o->fn_gradient);
    PT(out_of)(PAD(fn_hessian)(one), at, 0, o->fn_hessian);
    PT(out_of)(PAD(fn_sparse_jacobian)(all, &p), at, 0, values);
    PT(spread)(&p, values, 0, o->fn_sparse);
    PT(spread)(&p, NULL, 0, o->fn_pattern);
    ad_pattern_free(&p);
    both[X] = 1;
    PT(out_of)(PAD(fn_sparse_hessian)(one, &p), both, 0, values);
    PT(spread)(&p, values, 1, o->fn_sparse_hessian);
    PT(spread)(&p, NULL, 1, o->fn_hessian_pattern);
    ad_pattern_free(&p);
    for (i = 0; i < X; i++) {                          /* the second input is shared */
        for (q = 0; q < POINTS; q++)
            points[i * POINTS + q] = at[i] + (PREAL)(0.03125 * (double)q * (double)(i != 1));
        in[i] = i == 1 ? PAD(port_shared)(points + POINTS) : PAD(port_in)(points + i * POINTS, 1);
    }
    for (i = 0; i < Y; i++) out[i] = PAD(port_out)(o->map + i * POINTS, 1);
    CHECK_STATUS(PAD(fn_map)(all, POINTS, in, out, NULL), AD_OK);
    for (q = 0; q < POINTS; q++) {
        for (i = 0; i < X; i++) both[i] = points[i * POINTS + q];
        PT(out)(all, both, values);
        for (i = 0; i < Y; i++) o->each[i * POINTS + q] = values[i];
    }
    PAD(tape_reset)(t);                                /* its trace elsewhere: calls are calls */
    PAD(inputs)(t, X, at, u);
    CHECK_STATUS(PAD(fn_record)(all, t, u, v), AD_OK);
    for (i = 0; i < Y; i++) o->again[i] = v[i].v;
    g = PAD(fn_create)(t, X, u, Y, v, NULL);
    PT(out)(g, at, o->again);
    PAD(fn_destroy)(g);
    PAD(fn_destroy)(all);
    PAD(fn_destroy)(one);
}

static void PT(look)(const PT(scene) *s, const PREAL *at, PAD(tape) *t, PT(seen) *o)
{
    static const PREAL w[Y] = { 1, (PREAL)-0.5, (PREAL)0.75 };
    PAD(var) x[X], y[Y], g[X], h[X], f;
    size_t j;
    memset(o, 0, sizeof *o);
    PAD(tape_reset)(t);
    PAD(inputs)(t, X, at, x);
    PT(body)(s, FUNCTIONS, t, X, x, Y, y);
    for (j = 0; j < Y; j++) o->y[j] = y[j].v;
    f = PAD(var_mul)(x[0], x[1]);                      /* it has an input, whatever y are */
    for (j = 0; j < Y; j++) f = PAD(var_add)(f, PAD(var_sin)(PAD(var_mul_r)(y[j], w[j])));
    o->f[0] = f.v;
    CHECK_STATUS(PAD(backward)(f), AD_OK);
    PAD(adjoints)(X, x, o->gradient);
    CHECK_STATUS(PAD(backward_seeded)(t, Y, y, w), AD_OK);
    PAD(adjoints)(X, x, o->seeded);
    CHECK_STATUS(PAD(forward)(t, X, x, PT(along)), AD_OK);
    for (j = 0; j < Y; j++) o->tangent[j] = PAD(tangent)(y[j]);
    CHECK_STATUS(PAD(jacobian_reverse)(t, X, x, Y, y, o->reverse), AD_OK);
    CHECK_STATUS(PAD(jacobian_forward)(t, X, x, Y, y, o->forward), AD_OK);
    CHECK_STATUS(PAD(forward_over_reverse)(f, X, x, PT(along)), AD_OK);
    PAD(adjoints)(X, x, o->over_gradient);
    for (j = 0; j < X; j++) o->over[j] = PAD(adjoint_tangent)(x[j]);
    CHECK_STATUS(PAD(hessian_of)(f, X, x, o->hessian), AD_OK);
    PT(look_sparse)(t, x, Y, y, 0, o->pattern, o->sparse);
    PT(look_sparse)(t, x, 1, &f, 1, o->hessian_pattern, o->sparse_hessian);
    CHECK_STATUS(PAD(grad_vars)(f, X, x, g), AD_OK);
    for (j = 0; j < X; j++) o->recorded[j] = g[j].v;
    {
        PAD(var) d = PAD(var_lincomb)(X, PT(along), g);
        CHECK_STATUS(PAD(grad_vars)(d, X, x, h), AD_OK);
        CHECK_STATUS(PAD(backward)(d), AD_OK);
        PAD(adjoints)(X, x, o->second);
        d = PAD(var_lincomb)(X, PT(along), h);
        if (d.tape) CHECK_STATUS(PAD(backward)(d), AD_OK);
        if (d.tape) PAD(adjoints)(X, x, o->third);
    }
    PT(look_compiled)(t, at, x, y, f, o);
    CHECK_STATUS(PAD(tape_status)(t), AD_OK);
}

/* Derivatives of `b` against those of `a`, the same functions without calls; `moved` those a few
   units of rounding away, which tells how much of a difference is rounding's. */
static void PT(compare)(const PT(seen) *a, const PT(seen) *moved, const PT(seen) *b, uint64_t seed,
                        size_t *compared, size_t *wider)
{
    const PREAL *const from = (const PREAL *)(const void *)a,
                *const near = (const PREAL *)(const void *)moved,
                *const to = (const PREAL *)(const void *)b;
    const double unit = 4e4 * PT(unit);
    size_t i, j;
    for (i = 0; i < COUNT(PT(part)); i++) {
        const size_t first = PT(part)[i].at, end = first + PT(part)[i].count;
        double size = 1, error;
        int ok = 1;
        for (j = first; j < end; j++) {
            size = fabs((double)from[j]) > size ? fabs((double)from[j]) : size;
            if (from[j] - from[j] != 0 || fabs((double)from[j]) > 1e4) size = HUGE_VAL;
        }
        if (i >= PT(bits) && i < PT(patterns) && size == HUGE_VAL) continue;
        for (j = first; j < end && ok; j++) {
            if (i < PT(bits)) {
                ok = PT(same)(from[j], to[j]);
            } else if (i < PT(patterns)) {
                error = fabs((double)to[j] - (double)from[j]);
                ok = error <= unit * size + 32 * fabs((double)near[j] - (double)from[j]);
                ++*compared;
            } else {                    /* no entry is missing, but what a function's own numbers,
                                           which do not vary, make 0 */
                ok = to[j] >= from[j] || (from + first == a->hessian_pattern
                                          && a->fn_hessian_pattern[j - first] == 0);
                *wider += to[j] > from[j];
            }
        }
        test_check(ok, __FILE__, __LINE__, "%s, seed %d: %s[%d] is %.17g, not %.17g (%.3g near it)",
            sizeof(PREAL) == 4 ? "float" : "double", (int)seed, PT(part)[i].what,
            (int)(j - 1 - first), (double)to[j - 1], (double)from[j - 1], (double)near[j - 1]);
    }
}

static void PT(test_random)(void)
{
    static PT(seen) expected, moved, got;
    PAD(tape) *const t = PAD(tape_create)(NULL);
    size_t compared = 0, wider = 0;
    uint64_t seed;
    for (seed = 1; seed <= SEEDS; seed += (uint64_t)test_stride()) {
        PT(scene) plain, calls;
        PREAL off[X];
        size_t i;
        PT(open)(&plain, seed, 0, 0, t);
        PT(open)(&calls, seed, 1, 0, t);
        for (i = 0; i < X; i++) off[i] = PT(at)[i] * (1 + (PREAL)(8 * PT(unit)));
        PT(look)(&plain, PT(at), t, &expected);
        PT(look)(&plain, off, t, &moved);
        /* A map computes with the kernels, in called functions as fn_eval does. */
        memcpy(moved.map, expected.each, sizeof moved.map);
        PT(look)(&calls, PT(at), t, &got);
        PT(compare)(&expected, &moved, &got, seed, &compared, &wider);
        PT(close)(&plain);
        PT(close)(&calls);
    }
    CHECK(compared * (size_t)test_stride() > 10000);
    CHECK(wider * 20 < compared);
    PAD(tape_destroy)(t);
}

/* ---------------------------------------------------------------- what is known in closed form */

static PAD(fn) *PT(parsed)(const char *what, const char *of)
{
    PAD(fn) *const f = PAD(fn_parse)(what, of, NULL, 0);
    CHECK_STATUS(PAD(fn_status)(f), AD_OK);
    return f;
}

/* a exp(p b), p a parameter; called at p = x[2], which varies. */
static void PT(test_known)(void)
{
    const double unit = 64 * PT(unit), a = 0.5, b = -0.25, p = 0.75, e = exp(p * b);
    const double first[3] = { e, a * p * e, a * b * e },
        second[9] = { 0, p * e, b * e, p * e, a * p * p * e, a * e * (1 + p * b),
                      b * e, a * e * (1 + p * b), a * b * b * e };
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(fn) *const f = PT(parsed)("a*exp(p*b)", "a, b | p"), *g, *h;
    PAD(var) x[X], y, d[3];
    PREAL H[9], out[13], v[3];
    size_t i, before;
    PAD(inputs)(t, X, PT(at), x);
    before = PAD(tape_get_stats)(t).slots;
    CHECK_STATUS(PAD(fn_call)(f, t, 3, x, 1, &y), AD_OK);
    CHECK(PAD(tape_get_stats)(t).slots == before + 1);
    CHECK_NEAR(y.v, a * e, unit);
    CHECK_STATUS(PAD(backward)(y), AD_OK);
    for (i = 0; i < 3; i++) CHECK_NEAR(PAD(adjoint)(x[i]), first[i], unit);
    CHECK_STATUS(PAD(hessian_of)(y, 3, x, H), AD_OK);
    for (i = 0; i < 9; i++) CHECK_NEAR(H[i], second[i], unit);
    CHECK_STATUS(PAD(grad_vars)(y, 3, x, d), AD_OK);   /* the third: d/da d2/db dp */
    CHECK_STATUS(PAD(grad_vars)(d[1], 3, x, d), AD_OK);
    CHECK_STATUS(PAD(backward)(d[2]), AD_OK);
    CHECK_NEAR(PAD(adjoint)(x[0]), e * (1 + p * b), unit);
    CHECK_NEAR(PAD(adjoint)(x[1]), a * p * e * (2 + p * b), unit);
    CHECK_NEAR(PAD(adjoint)(x[2]), a * b * e * (2 + p * b), unit);
    g = PAD(fn_create)(t, 3, x, 1, &y, NULL);
    h = PAD(fn_hessian)(g);
    memcpy(v, PT(at), sizeof v);
    PT(out)(h, v, out);
    for (i = 0; i < 3; i++) CHECK_NEAR(out[1 + i], first[i], unit);
    for (i = 0; i < 9; i++) CHECK_NEAR(out[4 + i], second[i], unit);
    PAD(fn_destroy)(g);
    PAD(fn_destroy)(h);
    PAD(fn_destroy)(f);
    PAD(tape_destroy)(t);
}

/* Euler's steps of an oscillator by one function, called many times, in a function that is called
   many times: a turn by an angle, whose derivative is the matrix of the turn. */
static void PT(test_turns)(void)
{
    enum { STEPS = 100, RUNS = 10 };
    const double angle = 0.001 * (double)(STEPS * RUNS);
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(fn) *const step = PT(parsed)("c = cos(0.001); s = sin(0.001); c*x - s*y; s*x + c*y",
                                     "x, y");
    PAD(fn) *run;
    PAD(var) x[2], y[4];
    PREAL J[4];
    size_t i, slots;
    PAD(inputs)(t, 2, PT(at), x);
    memcpy(y + 2, x, sizeof x);
    for (i = 0; i < STEPS; i++) CHECK_STATUS(PAD(fn_call)(step, t, 2, y + 2, 4, y), AD_OK);
    CHECK(PAD(tape_get_stats)(t).slots == 2 + 4 * STEPS);
    run = PAD(fn_create)(t, 2, x, 2, y + 2, NULL);
    PAD(tape_reset)(t);
    PAD(inputs)(t, 2, PT(at), x);
    memcpy(y, x, sizeof x);
    slots = PAD(tape_get_stats)(t).slots;
    for (i = 0; i < RUNS; i++) CHECK_STATUS(PAD(fn_call)(run, t, 2, y, 2, y), AD_OK);
    CHECK(PAD(tape_get_stats)(t).slots == slots + 2 * RUNS);
    CHECK_STATUS(PAD(jacobian_reverse)(t, 2, x, 2, y, J), AD_OK);
    for (i = 0; i < 4; i++)
        CHECK_NEAR(J[i], i == 1 ? -sin(angle) : i == 2 ? sin(angle) : cos(angle), 1e4 * PT(unit));
    CHECK_STATUS(PAD(jacobian_forward)(t, 2, x, 2, y, J), AD_OK);
    for (i = 0; i < 4; i++)
        CHECK_NEAR(J[i], i == 1 ? -sin(angle) : i == 2 ? sin(angle) : cos(angle), 1e4 * PT(unit));
    PAD(fn_destroy)(run);
    PAD(fn_destroy)(step);
    PAD(tape_destroy)(t);
}

/* A chain of neighbours: patterns are those of the chain, though each call has three operands and
   two results, of which one knows two operands and one the third. */
static void PT(test_patterns)(void)
{
    enum { N = 40 };
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(fn) *const f = PT(parsed)("x*y^2; sin(z)", "x, y, z");
    PAD(var) x[N + 1], y[2 * N], s;
    ad_pattern p;
    size_t i;
    for (i = 0; i <= N; i++) x[i] = PAD(input)(t, (PREAL)(0.5 + 0.01 * (double)i));
    for (i = 0; i < N; i++) {
        PAD(var) in[3];
        in[0] = x[i];
        in[1] = x[i + 1];
        in[2] = x[N - i];
        CHECK_STATUS(PAD(fn_call)(f, t, 3, in, 2, y + 2 * i), AD_OK);
    }
    CHECK_STATUS(PAD(jacobian_pattern)(t, N + 1, x, 2 * N, y, &p), AD_OK);
    CHECK(p.rows == 2 * N && p.columns == N + 1 && p.row_start[2 * N] == 3 * N);
    for (i = 0; i < N; i++) {
        const size_t *const c = p.column + p.row_start[2 * i];
        CHECK(p.row_start[2 * i] == 3 * i && c[0] == i && c[1] == i + 1 && c[2] == N - i);
    }
    ad_pattern_free(&p);
    s = PAD(var_sum)(2 * N, y);
    CHECK_STATUS(PAD(hessian_pattern)(t, N + 1, x, 1, &s, &p), AD_OK);
    for (i = 0; i <= N; i++)                           /* x y^2: not x by itself; z: each but 0 */
        CHECK(p.row_start[i + 1] - p.row_start[i] == (i == 0 ? 1u : i == N ? 2u : 3u));
    ad_pattern_free(&p);
    PAD(fn_destroy)(f);
    PAD(tape_destroy)(t);
}

/* ---------------------------------------------------------------- odd operands */

static void PT(test_operands)(void)
{
    const double unit = 64 * PT(unit);
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(fn) *const f = PT(parsed)("x*y*z; 2.5; x; sin(y); x - x", "x, y, z"),
            *const none = PAD(fn_create)(t, 0, NULL, 0, NULL, NULL);
    PAD(var) x[3], y[5], in[3];
    PREAL at[3], out[5];
    size_t i, slots;
    for (i = 0; i < 3; i++) in[i] = PAD(const)(at[i] = PT(at)[i]);
    PT(out)(f, at, out);
    slots = PAD(tape_get_stats)(t).slots;
    CHECK_STATUS(PAD(fn_call)(f, t, 3, in, 5, y), AD_OK);          /* constants: constants */
    for (i = 0; i < 5; i++) CHECK(y[i].tape == NULL && PT(same)(y[i].v, out[i]));
    CHECK(PAD(tape_get_stats)(t).slots == slots);
    x[0] = PAD(input)(t, PT(at)[0]);
    in[0] = in[2] = x[0];                              /* x^2 y, y constant */
    CHECK_STATUS(PAD(fn_call)(f, t, 3, in, 5, y), AD_OK);
    CHECK_STATUS(PAD(backward)(y[0]), AD_OK);
    CHECK_NEAR(PAD(adjoint)(x[0]), 2 * (double)PT(at)[0] * (double)PT(at)[1], unit);
    for (i = 1; i < 5; i++) {
        CHECK_STATUS(PAD(backward)(y[i]), AD_OK);
        CHECK(PAD(adjoint)(x[0]) == (i == 2));
    }
    CHECK_STATUS(PAD(hessian_of)(y[0], 1, x, out), AD_OK);
    CHECK_NEAR(out[0], 2 * (double)PT(at)[1], unit);
    for (i = 0; i < 3; i++) y[i] = x[0];               /* x^3, into its own operands */
    CHECK_STATUS(PAD(fn_call)(f, t, 3, y, 5, y), AD_OK);
    CHECK_STATUS(PAD(forward)(t, 1, x, PT(along)), AD_OK);
    CHECK_NEAR(PAD(tangent)(y[0]), 3 * (double)PT(at)[0] * (double)PT(at)[0], unit);
    CHECK(PAD(tangent)(y[1]) == 0 && PAD(tangent)(y[2]) == 1 && PAD(tangent)(y[4]) == 0);
    /* nothing of nothing */
    CHECK_STATUS(PAD(fn_call)(none, t, 0, NULL, 0, NULL), AD_OK);
    PAD(fn_destroy)(none);
    PAD(fn_destroy)(f);
    PAD(tape_destroy)(t);
}

/* A weight that is zero stops adjoints, but the gradient has a derivative by it: s = c sin x + x^2
   at c = 0, d2s/dx dc = cos x. */
static void PT(test_zero_weight)(void)
{
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(fn) *const f = PT(parsed)("sin(x); x^2", "x");
    PAD(var) in[2], y[2], s, g[2];
    PREAL H[4];
    in[0] = PAD(input)(t, (PREAL)0.7);
    in[1] = PAD(input)(t, 0);
    CHECK_STATUS(PAD(fn_call)(f, t, 1, in, 2, y), AD_OK);
    s = PAD(var_add)(PAD(var_mul)(in[1], y[0]), y[1]);
    CHECK_STATUS(PAD(hessian_of)(s, 2, in, H), AD_OK);
    CHECK_NEAR(H[1], cos(0.7), 1e-6);
    CHECK_STATUS(PAD(grad_vars)(s, 2, in, g), AD_OK);
    CHECK_STATUS(PAD(backward)(g[0]), AD_OK);
    CHECK_NEAR(PAD(adjoint)(in[1]), cos(0.7), 1e-6);
    PAD(fn_destroy)(f);
    PAD(tape_destroy)(t);
}

/* A result that nothing takes has no part in derivatives, though it is NaN there. */
static void PT(test_unwanted)(void)
{
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(fn) *const f = PT(parsed)("y; log(x)*y", "x, y");
    PAD(var) x[2], y[2], g[2];
    x[0] = PAD(input)(t, -1);
    x[1] = PAD(input)(t, (PREAL)0.5);
    CHECK_STATUS(PAD(fn_call)(f, t, 2, x, 2, y), AD_OK);
    CHECK(y[1].v != y[1].v);
    CHECK_STATUS(PAD(backward)(y[0]), AD_OK);
    CHECK(PAD(adjoint)(x[0]) == 0 && PAD(adjoint)(x[1]) == 1);
    CHECK_STATUS(PAD(grad_vars)(y[0], 2, x, g), AD_OK);
    CHECK(g[0].v == 0 && g[1].v == 1);
    CHECK_STATUS(PAD(forward)(t, 2, x, PT(along)), AD_OK);
    CHECK(PAD(tangent)(y[0]) == PT(along)[1]);
    PAD(fn_destroy)(f);
    PAD(tape_destroy)(t);
}

/* A call that a rule made unwanted, and whose guard fails: left out, unless AD_FN_DEAD is skipped.
   Then each way of evaluating computes it, and fails. */
static void PT(test_dead)(void)
{
    int way;
    for (way = 0; way < 8; way++) {
        PAD(tape) *const t = PAD(tape_create)(NULL);
        PREAL in[2] = { -1, 3 }, out[2] = { 0, 0 };
        PAD(port) from[2], to[2];
        ad_fn_desc d;
        PAD(var) x[2], y[2], dead;
        PAD(fn) *guarded, *f;
        ad_status want;
        memset(&d, 0, sizeof d);
        d.skip = way & 1 ? AD_FN_DEAD : 0;
        d.native = way & 2 ? AD_NATIVE_NOW : AD_NATIVE_NEVER;
        d.flags = way & 4 ? AD_FN_CONTRACT : 0;
        x[0] = PAD(input)(t, 1);
        y[0] = PAD(branch)(PAD(var_gt_r)(x[0], 0)) ? PAD(var_exp)(x[0]) : x[0];
        guarded = PAD(fn_create)(t, 1, x, 1, y, NULL);
        PAD(tape_reset)(t);
        PAD(inputs)(t, 2, PT(at), x);
        CHECK_STATUS(PAD(fn_call)(guarded, t, 1, x, 1, &dead), AD_OK);
        y[0] = PAD(var_add_r)(PAD(var_mul)(x[0], x[1]), (PREAL)0.1);
        y[1] = PAD(var_square)(x[1]);
        dead = PAD(var_mul)(dead, PAD(var_mul)(x[0], x[1]));
        y[1] = PAD(var_select)(dead, y[1], y[1]);            /* y[1] by a rule */
        f = PAD(fn_create)(t, 2, x, 2, y, &d);
        want = way & 1 ? AD_ERR_BRANCH : AD_OK;
        CHECK_STATUS(PAD(fn_eval)(f, in, out), want);
        CHECK(way & 1 ? out[0] != out[0] : out[1] == 9);
        from[0] = PAD(port_in)(in, 1);
        from[1] = PAD(port_in)(in + 1, 1);
        to[0] = PAD(port_out)(out, 1);
        to[1] = PAD(port_out)(out + 1, 1);
        CHECK_STATUS(PAD(fn_map)(f, 1, from, to, NULL), want);
        from[0] = PAD(port_shared)(in);
        from[1] = PAD(port_shared)(in + 1);
        CHECK_STATUS(PAD(fn_map)(f, 1, from, to, NULL), want);
        in[0] = 1;
        CHECK_STATUS(PAD(fn_eval)(f, in, out), AD_OK);
        CHECK(out[1] == 9);
        CHECK_STATUS(PAD(fn_map)(f, 1, from, to, NULL), AD_OK);
        CHECK(out[1] == 9);
        PAD(fn_destroy)(f);
        PAD(fn_destroy)(guarded);
        PAD(tape_destroy)(t);
    }
}

/* Flags change the bits: those of a call are those of ad_fn_eval, and derivatives are near. */
static void PT(test_flags)(void)
{
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(var) x[3], y[2], g[3];
    PREAL at[3], out[5], right[3];
    unsigned flags;
    size_t i;
    for (flags = 0; flags < 4; flags++) {
        static const unsigned skips[] = { 0, 1023u, AD_FN_DEAD, 2, 4, 8, 32,
            64, 128, 256, 512 };
        for (i = 0; i < COUNT(skips); i++) {
            size_t j;
            ad_fn_desc d;
            PAD(fn) *f;
            memset(&d, 0, sizeof d);
            d.flags = flags;
            d.skip = skips[i];
            f = PAD(fn_parse_desc)("x*y + z*z*z/7 + x/y; hypot(x, y) + x^7", "x, y, z", &d, NULL,
                                   0);
            memcpy(at, PT(at), sizeof at);
            PT(out)(f, at, out);
            PAD(tape_reset)(t);
            PAD(inputs)(t, 3, at, x);
            CHECK_STATUS(PAD(fn_record)(f, t, x, y), AD_OK);
            CHECK_STATUS(PAD(backward)(y[0]), AD_OK);
            PAD(adjoints)(3, x, right);
            CHECK_STATUS(PAD(fn_call)(f, t, 3, x, 2, y), AD_OK);
            CHECK(PT(same)(y[0].v, out[0]) && PT(same)(y[1].v, out[1]));
            CHECK_STATUS(PAD(backward)(y[0]), AD_OK);
            CHECK_STATUS(PAD(grad_vars)(y[0], 3, x, g), AD_OK);
            for (j = 0; j < 3; j++) CHECK_NEAR(PAD(adjoint)(x[j]), right[j], 64 * PT(unit));
            for (j = 0; j < 3; j++) CHECK_NEAR(g[j].v, right[j], 64 * PT(unit));
            PAD(fn_destroy)(f);
        }
    }
    PAD(tape_destroy)(t);
}

/* ---------------------------------------------------------------- statuses */

static int PT(all_nan)(size_t m, const PAD(var) *y)
{
    size_t i = 0;
    while (i < m && y[i].tape == NULL && y[i].v != y[i].v) i++;
    return i == m;
}

static void PT(test_refused)(void)
{
    PAD(tape) *const t = PAD(tape_create)(NULL), *const other = PAD(tape_create)(NULL);
    PAD(fn) *const f = PT(parsed)("x*y; x + y; x", "x, y"),
            *const failed = PAD(fn_parse)("x +", "x", NULL, 0);
    const struct { const PAD(fn) *f; size_t n, m; ad_status status; const char *says; } row[] = {
        { f, 1, 3, AD_ERR_SHAPE, "1 inputs and 3 outputs" },
        { f, 2, 2, AD_ERR_SHAPE, "2 inputs and 2 outputs" },
        { f, 3, 4, AD_ERR_SHAPE, "the function has 2 and 3" },
        { f, 0, 0, AD_ERR_SHAPE, "the function has 2 and 3" },
        { failed, 1, 1, PAD(fn_status)(failed), PAD(fn_message)(failed) },
        { NULL, 1, 1, AD_ERR_MEMORY, "ad_fn_call: " } };
    PAD(var) x[X], y[5];
    size_t i, slots;
    PAD(inputs)(t, X, PT(at), x);
    slots = PAD(tape_get_stats)(t).slots;
    CHECK(PAD(fn_status)(failed) != AD_OK);
    for (i = 0; i < COUNT(row); i++) {
        y[0] = y[1] = y[2] = y[3] = y[4] = x[0];
        CHECK_STATUS(PAD(fn_call)(row[i].f, t, row[i].n, x, row[i].m, y), row[i].status);
        CHECK_STATUS(PAD(tape_status)(t), row[i].status);
        test_check(strstr(PAD(tape_message)(t), row[i].says) != NULL
                   && one_line(PAD(tape_message)(t)), __FILE__, __LINE__, "row %d: \"%s\"",
                   (int)i, PAD(tape_message)(t));
        CHECK(PT(all_nan)(row[i].m, y) && y[row[i].m].tape == t);
        CHECK_STATUS(PAD(fn_call)(f, t, 2, x, 3, y), row[i].status);       /* it stays so */
        CHECK(PT(all_nan)(3, y));
        CHECK(PAD(tape_get_stats)(t).slots == slots);
        PAD(tape_clear_status)(t);
        CHECK_STATUS(PAD(fn_call)(f, t, 2, x, 3, y), AD_OK);
        CHECK_STATUS(PAD(backward)(y[0]), AD_OK);
        CHECK(PT(same)(PAD(adjoint)(x[0]), x[1].v));
        slots += 3;
    }
    y[0] = y[1] = y[2] = x[0];
    CHECK_STATUS(PAD(fn_call)(f, NULL, 2, x, 3, y), AD_ERR_ARGUMENT);
    CHECK(PT(all_nan)(3, y));
    CHECK_STATUS(PAD(fn_call)(f, t, 2, NULL, 3, y), AD_ERR_ARGUMENT);
    PAD(tape_clear_status)(t);
    CHECK_STATUS(PAD(fn_call)(f, t, 2, x, 3, NULL), AD_ERR_ARGUMENT);
    PAD(tape_clear_status)(t);
    x[1] = PAD(input)(other, 1);
    CHECK_STATUS(PAD(fn_call)(f, t, 2, x, 3, y), AD_ERR_MIXED);
    CHECK(PT(all_nan)(3, y));
    PAD(tape_reset)(t);
    CHECK_STATUS(PAD(fn_call)(f, t, 2, x, 3, y), AD_ERR_STALE);
    PAD(fn_destroy)(f);
    PAD(fn_destroy)(failed);
    PAD(tape_destroy)(t);
    PAD(tape_destroy)(other);
}

/* x > 0 ? sin(x) y : x, in a function that is called by another. */
static void PT(test_guards)(void)
{
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(fn) *f, *g, *J;
    PAD(var) x[2], y[2], z[2], d[2];
    PREAL at[2], out[8], in[4] = { 1, -1, 2, 3 }, map[4];
    PAD(port) from[2], to[1];
    ad_map_desc desc;
    ad_map_report report;
    size_t i;
    int level;
    x[0] = PAD(input)(t, 1);
    x[1] = PAD(input)(t, 2);
    y[0] = PAD(branch)(PAD(var_gt_r)(x[0], 0)) ? PAD(var_mul)(PAD(var_sin)(x[0]), x[1]) : x[0];
    f = PAD(fn_create)(t, 2, x, 1, y, NULL);
    PAD(tape_reset)(t);
    x[0] = PAD(input)(t, 1);
    x[1] = PAD(input)(t, 2);
    CHECK_STATUS(PAD(fn_call)(f, t, 2, x, 1, y), AD_OK);
    g = PAD(fn_create)(t, 2, x, 1, y, NULL);
    at[1] = 2;
    for (level = 0; level < 2; level++) {
        const PAD(fn) *const what = level ? g : f;
        PAD(tape_reset)(t);
        x[0] = PAD(input)(t, -1);
        x[1] = PAD(input)(t, 2);
        z[0] = x[0];
        CHECK_STATUS(PAD(fn_call)(what, t, 2, x, 1, z), AD_ERR_USER);
        CHECK(PT(all_nan)(1, z));
        CHECK(strstr(PAD(tape_message)(t), "by one of its guards it would go another way") != NULL);
        CHECK(one_line(PAD(tape_message)(t)));
        PAD(tape_clear_status)(t);
        z[0] = PAD(var_neg)(x[0]);                     /* the way it was recorded */
        z[1] = x[1];
        CHECK_STATUS(PAD(fn_call)(what, t, 2, z, 1, y), AD_OK);
        CHECK_STATUS(PAD(grad_vars)(y[0], 2, x, d), AD_OK);
        CHECK_NEAR(d[0].v, -2 * cos(1.0), 8 * PT(unit));
        CHECK_NEAR(d[1].v, sin(1.0), 8 * PT(unit));
        J = PAD(fn_jacobian)(what);
        for (i = 0; i < 3; i++) {
            at[0] = i == 1 ? (PREAL)-0.5 : (PREAL)0.5;
            CHECK_STATUS(PAD(fn_eval)(what, at, out), i != 1 ? AD_OK : AD_ERR_BRANCH);
            CHECK((out[0] != out[0]) == (i == 1));
            CHECK_STATUS(PAD(fn_eval)(J, at, out), i != 1 ? AD_OK : AD_ERR_BRANCH);
            CHECK((out[1] != out[1]) == (i == 1) && (out[2] != out[2]) == (i == 1));
        }
        from[0] = PAD(port_in)(in, 1);
        from[1] = PAD(port_shared)(at + 1);
        to[0] = PAD(port_out)(map, 1);
        memset(&desc, 0, sizeof desc);
        desc.report = &report;
        CHECK_STATUS(PAD(fn_map)(what, 4, from, to, &desc), AD_ERR_BRANCH);
        CHECK(map[1] != map[1] && map[0] == map[0] && map[2] == map[2] && map[3] == map[3]);
        CHECK(report.points == 1 && report.first == 1);
        CHECK(report.guard == (level ? SIZE_MAX : 0));
        CHECK(strstr(report.message, level ? "called" : "ad_branch number 0") != NULL);
        PAD(fn_destroy)(J);
    }
    PAD(fn_destroy)(g);
    PAD(fn_destroy)(f);
    PAD(tape_destroy)(t);
}

/* Rewound traces, runs of steps that call, functions that outlive the tape, the library's check. */
static ad_status PT(step)(PAD(tape) *t, size_t i, const PAD(var) *s, size_t n, const PAD(var) *p,
                          size_t k, PAD(var) *next, void *user)
{
    (void)i; (void)p; (void)k;
    return PAD(fn_call)((const PAD(fn) *)user, t, n, s, n, next);
}
static void PT(values)(PAD(tape) *t, const PAD(var) *x, size_t n, PAD(var) *y, size_t m, void *user)
{
    PAD(fn_call)((const PAD(fn) *)user, t, n, x, m, y);
}
static void PT(test_life)(void)
{
    PAD(tape) *t = PAD(tape_create)(NULL);
    PAD(fn) *const f = PT(parsed)("x + 0.1*y; y - 0.1*sin(x)", "x, y");
    PAD(fn) *twenty, *J;
    PAD(repeat) *r;
    PAD(repeat_desc) d;
    PAD(var) x[X], y[2];
    PREAL right[4], out[6], at[2];
    size_t i, mark;
    memset(&d, 0, sizeof d);
    d.steps = 20;
    PAD(inputs)(t, 2, PT(at), x);
    mark = PAD(tape_mark)(t);
    for (i = 0; i < 3; i++) {
        PAD(tape_rewind)(t, mark);
        CHECK_STATUS(PAD(fn_call)(f, t, 2, x, 2, y), AD_OK);
        CHECK(PAD(tape_get_stats)(t).slots == mark + 2 || i == 0);
    }
    for (i = 1; i < 20; i++) PAD(fn_call)(f, t, 2, y, 2, y);
    CHECK_STATUS(PAD(jacobian_reverse)(t, 2, x, 2, y, right), AD_OK);
    twenty = PAD(fn_create)(t, 2, x, 2, y, NULL);
    PAD(tape_reset)(t);
    PAD(inputs)(t, 2, PT(at), x);
    r = PAD(repeat_create)(PT(step), f, 2, 0, &d);
    CHECK_STATUS(PAD(repeat_run)(r, t, x, NULL, y), AD_OK);
    CHECK_STATUS(PAD(jacobian_reverse)(t, 2, x, 2, y, out), AD_OK);
    for (i = 0; i < 4; i++) CHECK_NEAR(out[i], right[i], 64 * PT(unit));
    PAD(repeat_destroy)(r);
    PAD(tape_destroy)(t);
    J = PAD(fn_jacobian)(twenty);
    memcpy(at, PT(at), sizeof at);
    PT(out)(J, at, out);
    for (i = 0; i < 4; i++) CHECK_NEAR(out[2 + i], right[i], 64 * PT(unit));
    CHECK(ad_check_ok(PAD(check_fn)(PT(values), J, at, 2, 2, 6, twenty, NULL, NULL)));
    PAD(fn_destroy)(J);
    PAD(fn_destroy)(twenty);
    PAD(fn_destroy)(f);
}

/* Inputs that are results of a call: the others of its results are functions of its operands still,
   and the one that is named is what it is set to. */
static void PT(test_named_results)(void)
{
    PAD(fn) *const two = PT(parsed)("a*b; a + b", "a, b");
    static const PREAL in[3] = { 10, 20, 7 };
    unsigned flags, named;
    for (flags = 0; flags < 4; flags++) for (named = 0; named < 2; named++) {
        PAD(tape) *t = PAD(tape_create)(NULL);
        PAD(var) x[3], r[2], y[3];
        PREAL out[12];
        PAD(fn) *f, *J;
        ad_fn_desc d;
        memset(&d, 0, sizeof d);
        d.flags = flags & 1 ? AD_FN_FAST : 0;
        d.skip = flags & 2 ? AD_FN_DEAD : 0;
        PAD(inputs)(t, 2, in + 1, x);
        CHECK_STATUS(PAD(fn_call)(two, t, 2, x, 2, r), AD_OK);
        x[2] = r[named];
        y[0] = r[!named];
        y[1] = PAD(var_mul)(r[0], r[1]);
        y[2] = PAD(var_mul_r)(r[named], 2);
        f = PAD(fn_create)(t, 3, x, 3, y, &d);
        PAD(tape_destroy)(t);
        J = PAD(fn_jacobian)(f);
        CHECK_STATUS(PAD(fn_eval)(J, in, out), AD_OK);
        CHECK(out[0] == (named ? 200 : 30) && out[1] == 7*out[0] && out[2] == 14);
        CHECK(out[3] == (named ? 20 : 1) && out[4] == (named ? 10 : 1) && out[5] == 0);
        CHECK(out[6] == 7*out[3] && out[7] == 7*out[4] && out[8] == out[0]);
        CHECK(out[9] == 0 && out[10] == 0 && out[11] == 2);
        CHECK(PAD(fn_get_stats)(f).constants == 1);      /* the 2 */
        PAD(fn_destroy)(J);
        PAD(fn_destroy)(f);
    }
    PAD(fn_destroy)(two);
}

static void PT(suite)(void)
{
    PT(test_random)();
    PT(test_known)();
    PT(test_turns)();
    PT(test_patterns)();
    PT(test_operands)();
    PT(test_zero_weight)();
    PT(test_unwanted)();
    PT(test_dead)();
    PT(test_flags)();
    PT(test_refused)();
    PT(test_guards)();
    PT(test_life)();
    PT(test_named_results)();
}
#endif
