/* Compiled functions: random programs against the tape, duals and kernels (agree.h); every
   rule alone; guards; what can go wrong, memory first; parameters, names, constants, statistics;
   long and wide traces; what an optimiser must do and what it must not. What is recorded here is to
   have the bits of its operations one by one, so no product and sum of this file may be fused.
   Sections: Compiled Functions; Compiled Functions: Graphs; Compiled Functions: Rewriting; Compiled
   Functions: Schedules; Compiled Functions: Parts; Compiled Functions: Programs; Compiled
   Functions: Emitted C; Lanes: The Table's Words; Lanes: Running Programs; Compiled Functions:
   Making; Compiled Functions: Evaluating. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif
#include <math.h>
#include <stdlib.h>
#include "test.h"
#include "agree.h"
#include "guarded.h"
#include "heap.h"

TEST_DEF void suite_fn(void);

static int same(double a, double b) { return d_same(a, b); }
static int is_nan(double x) { return x != x; }

/* It failed, and says so in a line. */
static void failed_fn(const ad_fn *f, ad_status expected, int line)
{
    const ad_status s = ad_fn_status(f);
    const char *m = ad_fn_message(f);
    const ad_fn_stats stats = ad_fn_get_stats(f);
    test_check(s == expected, __FILE__, line, "the function's status is %s, not %s",
               ad_status_name(s), ad_status_name(expected));
    test_check(m && (m[0] || !f) && !strchr(m, '\n'), __FILE__, line, "the message is \"%s\"",
               m ? m : "NULL");
    test_check(stats.inputs == 0 && stats.outputs == 0 && stats.nodes == 0 && stats.bytes == 0,
               __FILE__, line, "a failed function has statistics");
    test_check(ad_fn_input_name(f, 0) && ad_fn_output_name(f, 0), __FILE__, line,
               "a failed function has a NULL name");
}
#define FAILED(f, expected) failed_fn(f, expected, __LINE__)

static int good(const ad_fn *f, int line)
{
    return test_check(ad_fn_status(f) == AD_OK, __FILE__, line, "%s: %s",
                      ad_status_name(ad_fn_status(f)), ad_fn_message(f));
}
#define GOOD(f) good(f, __LINE__)

/* ---------------------------------------------------------------- random programs */

static void expect_agreement(const program *p, const char *what)
{
    agreement a;
    memset(&a, 0, sizeof a);
    test_check(!d_agree(p, &a), __FILE__, __LINE__, "%s, seed %lu, double: %s: %s", what,
               (unsigned long)p->seed, a.kind, a.text);
    test_check(!f_agree(p, &a), __FILE__, __LINE__, "%s, seed %lu, float: %s: %s", what,
               (unsigned long)p->seed, a.kind, a.text);
}

static void test_random(void)
{
    static program p;
    uint64_t seed;
    if (program_fused_lists()) {
        printf("SKIP fn, random programs: the compiler fuses products and sums of the tape's lists "
               "(-ffp-contract=off)\n");
        return;
    }
    for (seed = 1; seed <= 100; seed += (uint64_t)test_stride()) {
        program_make(&p, 1000000 + seed, 0);
        expect_agreement(&p, "a random program");
    }
}

/* Every rule alone, at a point where it is smooth, with a number for either operand. */
static void test_each_rule(void)
{
    static program p;
    static const double start[3] = { 0.4375, 0.625, 0.875 };
    size_t r, i;
    int form, two;
    for (r = 0; r < PROGRAM_RULES; r += (size_t)(1 + test_stride() / 20)) {
        const char *name = program_rules[r].name;
        const size_t n = (size_t)program_rules[r].operands;
        const row_facts *const known = row_of(name);
        if (!test_check(known != NULL, __FILE__, __LINE__, "rule %s is not in rows.h", name))
            continue;
        two = n == 2;
        for (form = 0; form < (two ? 3 : 1); form++) {
            program_step s;
            memset(&p, 0, sizeof p);
            memset(&s, 0, sizeof s);
            p.seed = r * 4 + (size_t)form;
            p.inputs = p.values = two && form ? 1 : n;
            for (i = 0; i < p.inputs; i++) {
                const row_domain on = known->on[form == 2 ? 1 : i];
                p.point[i] = start[i];
                if (on.kind == ROW_INSIDE && (start[i] < on.lo || start[i] > on.hi))
                    p.point[i] = (on.lo + on.hi) / 2;
                if (i && row_takes_whole(name, 1)) p.point[i] = 2;
            }
            s.form = n == 1 ? STEP_ONE : n == 3 ? STEP_THREE : form == 0 ? STEP_TWO
                : form == 1 ? STEP_RIGHT : STEP_LEFT;
            s.rule = r;
            s.first = p.values;
            s.m = 1;
            if (form) program_take_number(&p, &s, 3);
            for (i = 0; i < p.inputs; i++) program_take(&p, &s, i);
            program_add_step(&p, &s);
            p.outputs = 1;
            p.output[0] = s.first;
            expect_agreement(&p, name);
        }
    }
}

/* ---------------------------------------------------------------- emitted C */

typedef struct emitted { char text[16384]; size_t n; } emitted;

static int keep_nothing(void *user, const char *text, size_t length)
{
    (void)user;
    (void)text;
    return length == 0;
}
static int keep_text(void *user, const char *text, size_t length)
{
    emitted *const e = (emitted *)user;
    if (length >= sizeof e->text - e->n) return 1;
    memcpy(e->text + e->n, text, length);
    e->n += length;
    e->text[e->n] = 0;
    return 0;
}

/* In a loop over points a row that is no arithmetic is not called where arithmetic is done: the
   product with 1234.5 takes its result from the loop before, w. */
static void test_emitted_calls(void)
{
    static emitted e;
    size_t r, i;
    for (r = 0; r < PROGRAM_RULES; r++) {
        const char *const name = program_rules[r].name, *at, *end;
        ad_tape *t;
        ad_var x[3], y;
        ad_fn *f;
        double point[3];
        int right = 1, found = 0;
        if (!row_of(name)) continue;             /* test_each_rule says so */
        t = ad_tape_create(NULL);
        row_point(row_of(name), 0, point);
        for (i = 0; i < 3; i++) x[i] = ad_input(t, point[i]);
        y = d_forms[r].var1 ? d_forms[r].var1(x[0])
            : d_forms[r].var2 ? d_forms[r].var2(x[0], x[1]) : d_forms[r].var3(x[0], x[1], x[2]);
        y = ad_var_add(ad_var_mul_r(y, 1234.5), ad_var_mul(x[1], x[2]));
        f = ad_fn_create(t, 3, x, 1, &y, NULL);
        e.n = 0;
        CHECK_STATUS(ad_fn_emit_c(f, "f", keep_text, &e), AD_OK);
        at = strstr(e.text, "_points_1(");
        while (at && (at = strstr(at, "1234.5")) != NULL) {
            for (end = at; *end != '\n'; end++) {}
            while (at[-1] != '\n') at--;
            found = 1;
            for (; at < end && strncmp(at, "w[", 2) != 0; at++) {}
            right &= at < end || row_is_exact(name);
            at = end;
        }
        test_check(found && right, __FILE__, __LINE__,
            "rule %s: emitted C for many points calls it amidst arithmetic", name);
        ad_fn_destroy(f);
        ad_tape_destroy(t);
    }
}

static size_t longest_line(const char *text)
{
    size_t longest = 0;
    for (; *text; text += strcspn(text, "\n"), text += *text == '\n')
        if (strcspn(text, "\n") > longest) longest = strcspn(text, "\n");
    return longest;
}
/* What cannot be emitted: a status, one line that says why, and nothing written. */
static void test_emitted_errors(void)
{
    static emitted e;
    static const char *const owned[][5] = {     /* in C a name like others */
        { "kernel", "dot", "ushort16", "as_float", "get_global_id" },
        { "x", "threadIdx", "double1", "RAND_ANY", "ulonglong4" } };
    static const char *const like_them[] = { "float5", "as", "get_gradient", "float", "image" };
    ad_fn *const f = ad_fn_parse("x*y + sin(x)", "x, y", NULL, 0);
    ad_fn *const g = ad_fn_parse("digamma(x) + y", "x, y", NULL, 0);
    ad_fn *const wrong = ad_fn_parse("x*", "x, y", NULL, 0), *wide;
    ad_tape *const t = ad_tape_create(NULL);
    ad_var *const x = (ad_var *)malloc(33000 * sizeof *x), y;
    char error[200], small_one[12];
    ad_emit_desc d;
    size_t i, k;
    memset(&d, 0, sizeof d);
    d.error = error;
    d.error_size = sizeof error;
#define REFUSED(f, status, words) do {                                                             \
        memset(error, 'x', sizeof error - 1);                                                      \
        error[sizeof error - 1] = 0;                                                               \
        e.n = 0;                                                                                   \
        CHECK_STATUS(ad_fn_emit(f, &d, keep_text, &e), status);                                    \
        test_check(strstr(error, words) != NULL && !strchr(error, '\n') && e.n == 0, __FILE__,     \
            __LINE__, "\"%s\" is not about %s", error, words); } while (0)
    for (i = 0; i < 12; i++) {                   /* glibc's for _Float64 and its like */
        static const char *const library[] = { "f32addf64", "f64xmulf128", "f64sqrtf128",
            "lgammaf32x_r", "strfromf64x", "strtof32", "strtof64x_l", "sinf128",
            "f32sinf64", "lgammaf33y_r", "strtof64x_k", "f16x" };
        d.name = library[i];
        e.n = 0;
        CHECK_STATUS(ad_fn_emit(f, &d, keep_text, &e), i < 8 ? AD_ERR_ARGUMENT : AD_OK);
    }
    d.name = "a234567890123456789012345678901234567890123456789012345678901234";
    REFUSED(f, AD_ERR_ARGUMENT, "more than 63 letters");
    d.name++;
    CHECK_STATUS(ad_fn_emit(f, &d, keep_text, &e), AD_ERR_ARGUMENT);      /* begins with a digit */
    d.name = "b23456789012345678901234567890123456789012345678901234567890123";
    CHECK_STATUS(ad_fn_emit(f, &d, keep_text, &e), AD_OK);
    for (i = 0; i < 3; i++) {
        static const ad_emit_language all[] = { AD_LANGUAGE_OPENCL, AD_LANGUAGE_CUDA,
            AD_LANGUAGE_BOARD };
        d.language = all[i];
        d.name = "model";
        d.form = AD_EMIT_TABLE;
        REFUSED(f, AD_ERR_UNSUPPORTED, "there is no table");
        d.form = AD_EMIT_FUNCTION;
        REFUSED(g, AD_ERR_UNSUPPORTED, "there is no digamma");
        REFUSED(wrong, AD_ERR_ARGUMENT, "column 3");
        REFUSED(NULL, AD_ERR_ARGUMENT, "f: NULL");
        d.loops = (ad_emit_loops)3;
        REFUSED(f, AD_ERR_ARGUMENT, "loops");
        d.loops = AD_EMIT_LOOPS_AUTO;
        for (k = 0; k < 5 && i < 2; k++) {
            d.name = owned[i][k];
            REFUSED(f, AD_ERR_ARGUMENT, d.name);
            d.name = like_them[k];
            CHECK_STATUS(ad_fn_emit(f, &d, keep_text, &e), k == 3 ? AD_ERR_ARGUMENT : AD_OK);
            d.name = owned[i][k];
            e.n = 0;
            d.language = AD_LANGUAGE_C;
            CHECK_STATUS(ad_fn_emit(f, &d, keep_text, &e), AD_OK);
            CHECK_STRING(error, "");
            d.language = all[i];
        }
        CHECK_STATUS(ad_fn_emit(f, &d, NULL, &e), AD_ERR_ARGUMENT);
        d.name = "int";
        REFUSED(f, AD_ERR_ARGUMENT, "'int'");
        d.name = "model";
        e.n = sizeof e.text;                     /* no room: keep_text refuses */
        CHECK_STATUS(ad_fn_emit(f, &d, keep_text, &e), AD_ERR_WRITE);
        CHECK(strstr(error, "stopped") != NULL);
        d.form = AD_EMIT_POINT;                  /* for the caller's own kernel */
        e.n = 0;
        CHECK_STATUS(ad_fn_emit(f, &d, keep_text, &e), AD_OK);
        CHECK(strstr(e.text, "void model(const double") != NULL && !strstr(e.text, "_map("));
        d.form = AD_EMIT_FUNCTION;
    }
    /* a number that is no float, wherever it stands; infinities are floats */
    d.language = AD_LANGUAGE_C;
    for (k = 0; k < 6; k++) {
        static const double number[] = { 1e300, -3.5e38, 1e-50, 3.4e38, 1.5e-45,
            (double)INFINITY };
        static const char *const why[] = { "the constant 1e+300 is no float: it would be infinite",
            "the constant -3.5e+38 is no float: it would be infinite",
            "the constant 1e-50 is no float: it would be 0" };
        ad_fn *step, *caller;
        ad_tape_reset(t);
        x[0] = ad_input(t, 0.5);
        y = ad_var_min(ad_var_sin(x[0]), ad_const(number[k]));
        step = ad_fn_create(t, 1, x, 1, &y, NULL);
        wide = ad_fn_repeat(step, 3, 1, 0, 0);
        caller = ad_fn_gradient(wide);
        d.single = 0;
        e.n = 0;
        CHECK_STATUS(ad_fn_emit(caller, &d, keep_text, &e), AD_OK);
        d.single = 1;
        if (k < 3) {
            REFUSED(step, AD_ERR_ARGUMENT, why[k]);
            REFUSED(caller, AD_ERR_ARGUMENT, why[k]);
        } else {
            CHECK_STATUS(ad_fn_emit(caller, &d, keep_text, &e), AD_OK);
        }
        ad_fn_destroy(caller);
        ad_fn_destroy(wide);
        ad_fn_destroy(step);
    }
    d.single = 0;
    d.language = AD_LANGUAGE_OPENCL;
    for (i = 0; i < 33000; i++) x[i] = ad_input(t, 0.5);
    y = ad_var_sum(33000, x);
    wide = ad_fn_create(t, 33000, x, 1, &y, NULL);
    REFUSED(wide, AD_ERR_LIMIT, "33001 inputs and outputs");
    ad_fn_destroy(wide);
    d.name = "int";
    memset(&d.language, 77, sizeof d.language);
    REFUSED(f, AD_ERR_ARGUMENT, "no such language");
    d.language = AD_LANGUAGE_C;
    d.form = (ad_emit_form)3;
    REFUSED(f, AD_ERR_ARGUMENT, "form");
    d.form = AD_EMIT_POINT;
    d.error = small_one;
    d.error_size = sizeof small_one;             /* cut */
    CHECK_STATUS(ad_fn_emit(f, &d, keep_text, &e), AD_ERR_ARGUMENT);
    CHECK_STRING(small_one, "'int' is no");
#undef REFUSED
    free(x);
    ad_tape_destroy(t);
    ad_fn_destroy(wrong);
    ad_fn_destroy(g);
    ad_fn_destroy(f);
}

/* A trace of steps as loops: two for a gradient, of as many lines whatever the number of steps, in
   the function for many points too, which takes them one by one. Allocations may fail. */
static void test_emitted_loops(void)
{
    static emitted e;
    size_t length[2], alone[2], stack[2], steps, i, at;
    for (steps = 50; steps <= 400; steps *= 8) {
        ad_tape *const t = ad_tape_create(NULL);
        ad_var x[4], a, b;
        ad_fn_desc desc;
        ad_emit_desc d;
        ad_fn *f, *g, *one;
        heap h;
        const char *p;
        size_t loops = 0, fails = 0;
        ad_status s = AD_ERR_MEMORY;
        memset(&h, 0, sizeof h);
        memset(&d, 0, sizeof d);
        memset(&desc, 0, sizeof desc);
        desc.resize = heap_resize;
        desc.resize_user = &h;
        for (i = 0; i < 4; i++) x[i] = ad_input(t, 0.5 + 0.125 * (double)i);
        a = x[0];
        b = x[1];
        for (i = 0; i < steps; i++) {
            const ad_var c = ad_var_add(a, ad_var_mul(x[2], ad_var_sin(b)));
            b = ad_var_sub(b, ad_var_mul(x[3], a));
            a = c;
        }
        a = ad_var_mul(a, b);
        f = ad_fn_create(t, 4, x, 1, &a, &desc);
        g = ad_fn_gradient(f);
        d.name = "steps";
        d.loops = AD_EMIT_LOOPS;
        e.n = 0;
        CHECK_STATUS(ad_fn_emit(g, &d, keep_text, &e), AD_OK);
        length[steps > 50] = e.n;
        for (p = e.text; (p = strstr(p, "for (k = 0;")) != NULL; p++) loops++;
        CHECK(loops == 2);
        CHECK(strstr(e.text, "for (p = 0; p < n; p++) {\n        for (i = 0; i < 4; i++)") != NULL);
        /* what a round takes from the one before is a variable, no array */
        for (i = 0, a = x[0]; i < steps; i++)
            a = ad_var_add(ad_var_mul(ad_var_sin(a), x[1]), x[2]);
        one = ad_fn_create(t, 4, x, 1, &a, NULL);
        e.n = 0;
        CHECK_STATUS(ad_fn_emit(one, &d, keep_text, &e), AD_OK);
        alone[steps > 50] = e.n;
        p = strstr(e.text, "Stack: ");
        stack[steps > 50] = p ? strtoul(p + 7, NULL, 10) : steps;
        ad_fn_destroy(one);
        for (at = 1; s == AD_ERR_MEMORY && at < 100; at++) {
            h.calls = 0;
            h.fail_at = at;
            h.from_then_on = 1;
            s = ad_fn_emit(g, &d, keep_nothing, NULL);
            fails += s == AD_ERR_MEMORY;
        }
        h.fail_at = 0;
        test_check(s == AD_OK && fails > 4, __FILE__, __LINE__, "%s, %u failed",
                   ad_status_name(s), (unsigned)fails);
        ad_fn_destroy(f);
        ad_fn_destroy(g);
        ad_tape_destroy(t);
        CHECK(h.blocks == 0 && h.wrong == 0);
    }
    test_check(length[1] < length[0] + 100, __FILE__, __LINE__, "%u and %u characters",
               (unsigned)length[0], (unsigned)length[1]);
    test_check(alone[1] < alone[0] + 40 && stack[1] == stack[0], __FILE__, __LINE__,
               "%u and %u characters, %u and %u bytes", (unsigned)alone[0], (unsigned)alone[1],
               (unsigned)stack[0], (unsigned)stack[1]);
}

/* What the head of C for boards says: operations with those of the calls, stacks by the deepest. */
static void test_emitted_costs(void)
{
    static emitted e;
    ad_fn *const step = ad_fn_parse("s + u*s/2.5; u", "s, u", NULL, 0);
    ad_fn *const loop = ad_fn_repeat(step, 12, 1, 1, 0), *all, *called;
    ad_tape *const t = ad_tape_create(NULL);
    ad_var x[2], y[3];
    ad_emit_desc d;
    int i;
    memset(&d, 0, sizeof d);
    d.language = AD_LANGUAGE_BOARD;
    e.n = 0;
    CHECK_STATUS(ad_fn_emit(step, &d, keep_text, &e), AD_OK);
    CHECK(strstr(e.text, ": 1 additions, 1 products, 1 divisions, 0 function calls,") != NULL);
    CHECK(strstr(e.text, "0 bytes of arrays, and 8 of local variables") != NULL);
    x[0] = ad_input(t, 0.5);
    x[1] = ad_input(t, 0.25);
    CHECK_STATUS(ad_fn_call(step, t, 2, x, 2, y), AD_OK);
    CHECK_STATUS(ad_fn_call(step, t, 2, y, 2, y + 1), AD_OK);
    y[0] = ad_var_sin(y[1]);
    all = ad_fn_create(t, 2, x, 1, y, NULL);
    e.n = 0;
    CHECK_STATUS(ad_fn_emit(all, &d, keep_text, &e), AD_OK);
    /* two calls, of two numbers in and two out each, and a sine */
    CHECK(strstr(e.text, ": 2 additions, 2 products, 2 divisions, 3 function calls,") != NULL);
    CHECK(strstr(e.text, " 64 bytes of arrays, ") != NULL);
    /* in pieces one call's operands and results are on the stack at a time: 32, and w[3] */
    d.piece = 1;
    e.n = 0;
    CHECK_STATUS(ad_fn_emit(all, &d, keep_text, &e), AD_OK);
    CHECK(strstr(e.text, " 56 bytes of arrays, ") != NULL);
    d.piece = 0;
    ad_fn_destroy(all);
    /* what only a called function has is found before anything is written */
    called = ad_fn_parse("digamma(x)", "x", NULL, 0);
    CHECK_STATUS(ad_fn_call(called, t, 1, x, 1, y), AD_OK);
    all = ad_fn_create(t, 2, x, 1, y, NULL);
    for (i = AD_LANGUAGE_OPENCL; i <= AD_LANGUAGE_BOARD; i++) {
        d.language = (ad_emit_language)i;
        e.n = 0;
        CHECK_STATUS(ad_fn_emit(all, &d, keep_text, &e), AD_ERR_UNSUPPORTED);
        CHECK(e.n == 0);
    }
    d.language = AD_LANGUAGE_C;
    CHECK_STATUS(ad_fn_emit(all, &d, keep_text, &e), AD_OK);
    e.text[e.n < sizeof e.text ? e.n : sizeof e.text - 1] = 0;
    CHECK(strstr(e.text, "digamma(") && longest_line(e.text) < 200);     /* ours, a line each */
    ad_fn_destroy(all);
    ad_fn_destroy(called);
    d.language = AD_LANGUAGE_BOARD;
    e.n = 0;
    CHECK_STATUS(ad_fn_emit(loop, &d, keep_text, &e), AD_OK);
    CHECK(strstr(e.text, "12 additions, 12 products, 12 divisions, 1 function calls") != NULL);
    CHECK(strstr(e.text, " 168 bytes of arrays, and 120 of local variables") != NULL);
    ad_tape_destroy(t);
    ad_fn_destroy(loop);
    ad_fn_destroy(step);
}

/* The head: names, whatever they have, are a comment of one line; tables take what it says they
   do. */
static void test_emitted_heads(void)
{
    enum { NAMES = 10, WIDE = 65600 };
#define SIXTY "a name of eighty letters, of which the first sixty are left,"
    static const char *const name[NAMES] = { "a*/b", "*/*x//y", "?" "?/", "a?\\b", "q\n?\x7F",
        "r\xFFs", "\\", "\xC3\xA9*", SIXTY " and no more of them", "/" };
    static const char *const said[NAMES] = { "a* /b", "* / *x/ /y", "? ?/", "a? ?b", "q? ? ?",
        "r?s", "?", "\xC3\xA9*", SIXTY, "/" };
#undef SIXTY
    static emitted e;
    ad_tape *const t = ad_tape_create(NULL);
    ad_var *const x = (ad_var *)malloc(WIDE * sizeof *x), y[2];
    char line[100];
    ad_fn_desc desc;
    ad_emit_desc d;
    size_t i;
    int way;
    memset(&desc, 0, sizeof desc);
    memset(&d, 0, sizeof d);
    d.form = AD_EMIT_TABLE;
    for (i = 0; i < WIDE; i++) x[i] = ad_input(t, 0.5);
    for (way = 0; way < 4; way++) {              /* in double and float, of 16 and of 32 bits */
        const size_t n = way < 2 ? (size_t)NAMES : (size_t)WIDE, real = way % 2 ? 4 : 8;
        const unsigned word = way < 2 ? 16 : 32;
        const char *const type = way % 2 ? "float" : "double", *at;
        unsigned long code = 0, numbers = 0, outputs = 0, slots = 0;
        ad_fn *f;
        y[0] = ad_var_sin(ad_var_add_r(ad_var_mul(x[0], x[n - 1]), 0.25));
        y[1] = ad_var_mul_r(x[1], 1.5);
        desc.input_names = way ? NULL : name;
        f = ad_fn_create(t, n, x, 2, y, &desc);
        d.single = way % 2;
        e.n = 0;
        CHECK_STATUS(ad_fn_emit(f, &d, keep_text, &e), AD_OK);
        for (i = 0; i < NAMES; i++) {
            snprintf(line, sizeof line, "     x[%d]  %s\n", (int)i, said[i]);
            test_check(way != 0 || strstr(e.text, line) != NULL, __FILE__, __LINE__, "no %s", line);
        }
#define AFTER(what) at = strstr(e.text, line);                                                     \
        if (CHECK(at != NULL)) what = strtoul(at + strlen(line), NULL, 10);
        snprintf(line, sizeof line, "const uint%u_t f_code[", word);
        AFTER(code)
        snprintf(line, sizeof line, "const %s f_number[", type);
        AFTER(numbers)
        snprintf(line, sizeof line, "const uint%u_t f_output[", word);
        AFTER(outputs)
        snprintf(line, sizeof line, "    %s w[", type);
        AFTER(slots)
#undef AFTER
        CHECK(code >= 16 && numbers >= 3 && outputs == 2 && slots > n);
        snprintf(line, sizeof line, " %lu bytes and a few words. Constant tables: %lu bytes.\n",
                 (unsigned long)(slots * real),
                 (unsigned long)((code + outputs) * (word / 8) + numbers * real));
        test_check(strstr(e.text, line) != NULL, __FILE__, __LINE__, "not %s", line);
        ad_fn_destroy(f);
    }
    free(x);
    ad_tape_destroy(t);
}

/* ---------------------------------------------------------------- guards */

/* |x| by an if; below 10 the logarithm of that, else the root; y unused by one of them. */
static ad_var by_ifs(ad_var x, ad_var z)
{
    ad_var r = ad_branch(ad_var_lt_r(x, 0.0)) ? ad_var_neg(x) : ad_var_mul(x, z);
    return ad_branch(ad_var_lt_r(r, 10.0)) ? ad_var_exp(r) : ad_var_sqrt(r);
}

static void test_guards(void)
{
    enum { N = 200 };
    static double data[N], z[N], out[2 * N];
    ad_tape *t = ad_tape_create(NULL);
    ad_var x[2], y[2];
    ad_fn *f, *g, *h, *j;
    double in[2], r[7], sum[2];
    ad_port from[2], to[3];
    ad_map_desc desc;
    ad_map_report report;
    size_t i;
    int level;
    x[0] = ad_input(t, 2.0);
    x[1] = ad_input(t, 0.5);
    y[0] = by_ifs(x[0], x[1]);
    y[1] = ad_var_add(x[0], x[1]);
    f = ad_fn_create(t, 2, x, 2, y, NULL);
    g = ad_fn_create(t, 2, x, 1, y, NULL);
    h = ad_fn_gradient(g);
    j = ad_fn_hessian(g);
    if (!GOOD(f) || !GOOD(g) || !GOOD(h) || !GOOD(j)) return;
    CHECK(ad_fn_get_stats(f).guards == 2);
    in[0] = 3;
    in[1] = 0.25;
    CHECK_STATUS(ad_fn_eval(f, in, r), AD_OK);
    CHECK(r[0] == exp(0.75) && r[1] == 3.25);
    CHECK_STATUS(ad_fn_eval(h, in, r), AD_OK);
    CHECK_NEAR(r[1], 0.25 * exp(0.75), 1e-15);
    CHECK_NEAR(r[2], 3 * exp(0.75), 1e-15);
    in[0] = -1;                                     /* the first guard */
    r[0] = r[1] = 7;
    CHECK_STATUS(ad_fn_eval(f, in, r), AD_ERR_BRANCH);
    CHECK(is_nan(r[0]) && is_nan(r[1]));
    r[0] = r[1] = r[2] = 7;
    CHECK_STATUS(ad_fn_eval(h, in, r), AD_ERR_BRANCH);
    CHECK(is_nan(r[0]) && is_nan(r[1]) && is_nan(r[2]));
    in[0] = 1000;                                   /* the second */
    CHECK_STATUS(ad_fn_eval(f, in, r), AD_ERR_BRANCH);
    CHECK_STATUS(ad_fn_eval(j, in, r), AD_ERR_BRANCH);
    for (i = 0; i < 7; i++) CHECK(is_nan(r[i]));
    in[0] = (double)NAN;                            /* no comparison holds: x < 0 goes as before, */
    in[1] = 1;                                      /* but r < 10 does not */
    CHECK_STATUS(ad_fn_eval(f, in, r), AD_ERR_BRANCH);
    /* many points: stop at 20, 50 (by the second guard), 51, 190 */
    for (i = 0; i < N; i++) {
        data[i] = 1 + (double)(i % 7);
        z[i] = 0.5;
    }
    data[20] = -1;
    data[50] = 1e4;
    data[51] = -0.5;
    data[190] = -3;
    for (level = AD_SIMD_BEST; level <= AD_SIMD_NEON; level++) {
        if (!ad_kernels_get((ad_simd)level)) continue;
        memset(&desc, 0, sizeof desc);
        desc.simd = (ad_simd)level;
        desc.report = &report;
        memset(&report, 0x55, sizeof report);
        from[0] = ad_port_in(data, 1);
        from[1] = ad_port_in(z, 1);
        to[0] = ad_port_out(out, 2);
        to[1] = ad_port_out(out + 1, 2);
        CHECK_STATUS(ad_fn_map(f, N, from, to, &desc), AD_ERR_BRANCH);
        CHECK(report.points == 4 && report.first == 20 && report.guard == 0);
        CHECK(report.message[0] != 0 && memchr(report.message, 0, sizeof report.message) != NULL);
        for (i = 0; i < N; i++) {
            const int stops = i == 20 || i == 50 || i == 51 || i == 190;
            if (!(stops ? is_nan(out[2 * i]) && is_nan(out[2 * i + 1])
                  : test_near(out[2 * i], exp(data[i] * 0.5), 1e-15)
                    && out[2 * i + 1] == data[i] + 0.5)) break;
        }
        CHECK(i == N);
        /* from behind those; the first that stops there does so by the other guard */
        from[0] = ad_port_in(data + 21, 1);
        CHECK_STATUS(ad_fn_map(f, 31, from, to, &desc), AD_ERR_BRANCH);
        CHECK(report.points == 2 && report.first == 29 && report.guard == 1);
        /* one point that offends both guards, so the first: below 0 and (times -20) beyond 10 */
        z[3] = -20;
        data[3] = -1;
        from[0] = ad_port_in(data, 1);
        CHECK_STATUS(ad_fn_map(f, 5, from, to, &desc), AD_ERR_BRANCH);
        CHECK(report.points == 1 && report.first == 3 && report.guard == 0);
        z[3] = 0.5;
        data[3] = 4;
        /* nothing stops */
        from[0] = ad_port_in(data + 52, 1);
        CHECK_STATUS(ad_fn_map(f, 100, from, to, &desc), AD_OK);
        CHECK(report.points == 0);
        /* no report wanted, no descriptor either */
        from[0] = ad_port_in(data, 1);
        desc.report = NULL;
        CHECK_STATUS(ad_fn_map(f, N, from, to, &desc), AD_ERR_BRANCH);
        CHECK_STATUS(ad_fn_map(f, N, from, to, NULL), AD_ERR_BRANCH);
        desc.report = &report;
        /* sums: of two points that are right, and of some that are not */
        to[0] = ad_port_sum(sum);
        to[1] = ad_port_sum(sum + 1);
        sum[0] = sum[1] = 5;
        CHECK_STATUS(ad_fn_map(f, 2, from, to, &desc), AD_OK);
        CHECK_NEAR(sum[0], exp(0.5) + exp(1.0), 1e-15);
        CHECK_NEAR(sum[1], 4, 1e-15);
        CHECK_STATUS(ad_fn_map(f, N, from, to, &desc), AD_ERR_BRANCH);
        CHECK(is_nan(sum[0]) && is_nan(sum[1]) && report.points == 4);
        to[1] = ad_port_out(out, 1);                /* one sum, one not */
        CHECK_STATUS(ad_fn_map(f, N, from, to, &desc), AD_ERR_BRANCH);
        CHECK(is_nan(sum[0]) && is_nan(out[20]) && out[21] == data[21] + 0.5);
        /* a guard on shared inputs alone stops all points or none */
        from[0] = ad_port_shared(data + 20);
        CHECK_STATUS(ad_fn_map(f, N, from, to, &desc), AD_ERR_BRANCH);
        CHECK(report.points == N && report.first == 0 && report.guard == 0 && is_nan(sum[0]));
        for (i = 0; i < N && is_nan(out[i]); i++) continue;
        CHECK(i == N);
        from[0] = ad_port_shared(data + 1);
        CHECK_STATUS(ad_fn_map(f, N, from, to, &desc), AD_OK);
        CHECK_NEAR(sum[0], (double)N * exp(1.0), 1e-14);
        from[1] = ad_port_shared(z);
        CHECK_STATUS(ad_fn_map(f, N, from, to, &desc), AD_OK);
        CHECK_NEAR(sum[0], (double)N * exp(1.0), 1e-14);
        from[0] = ad_port_shared(data + 50);
        CHECK_STATUS(ad_fn_map(f, N, from, to, &desc), AD_ERR_BRANCH);
        CHECK(report.points == N && report.first == 0 && report.guard == 1);
        CHECK_STATUS(ad_fn_map(f, 0, from, to, &desc), AD_OK);       /* no point, none that stops */
        CHECK(report.points == 0 && sum[0] == 0);
        /* the gradient has the guards of what it is of */
        from[0] = ad_port_in(data, 1);
        from[1] = ad_port_in(z, 1);
        to[0] = ad_port_sum(sum);
        to[1] = ad_port_sum(sum + 1);
        to[2] = ad_port_out(out, 1);
        CHECK_STATUS(ad_fn_map(h, N, from, to, &desc), AD_ERR_BRANCH);
        CHECK(report.points == 4 && report.first == 20 && report.guard == 0);
        CHECK(is_nan(sum[0]) && is_nan(sum[1]) && is_nan(out[190]));
        CHECK_NEAR(out[5], data[5] * exp(data[5] / 2), 1e-14);
    }
    ad_fn_destroy(f);
    ad_fn_destroy(g);
    ad_fn_destroy(h);
    ad_fn_destroy(j);
    ad_tape_destroy(t);
}

/* Guards that no output needs, guards after each other, guards of a function within a function. */
static void test_nested_guards(void)
{
    ad_tape *t = ad_tape_create(NULL), *u = ad_tape_create(NULL);
    ad_var x = ad_input(t, 1.0), y = x, z, w;
    ad_fn *f, *g, *h;
    double in, r[3];
    int i;
    for (i = 0; i < 10; i++) {                      /* a loop until x^(2^i) is small */
        if (!ad_branch(ad_var_gt_r(y, 0.01))) break;
        y = ad_var_mul_r(y, 0.5);
    }
    CHECK(i == 7);
    f = ad_fn_create(t, 1, &x, 1, &x, NULL);        /* y itself is not wanted, the loop is */
    GOOD(f);
    CHECK(ad_fn_get_stats(f).guards == 8);
    in = 1.2;
    CHECK_STATUS(ad_fn_eval(f, &in, r), AD_OK);
    CHECK(r[0] == 1.2);
    in = 1.3;                                       /* one more turn */
    CHECK_STATUS(ad_fn_eval(f, &in, r), AD_ERR_BRANCH);
    CHECK(is_nan(r[0]));
    in = 0.6;                                       /* one less */
    CHECK_STATUS(ad_fn_eval(f, &in, r), AD_ERR_BRANCH);
    /* inside another function, which has a guard of its own */
    z = ad_input(u, 0.9);
    w = ad_branch(ad_var_gt_r(z, 0.5)) ? ad_var_mul_r(z, 1.25) : z;
    CHECK_STATUS(ad_fn_record(f, u, &w, &y), AD_OK);
    CHECK(y.v == w.v);
    y = ad_var_square(y);
    g = ad_fn_create(u, 1, &z, 1, &y, NULL);
    h = ad_fn_gradient(g);
    GOOD(h);
    CHECK(ad_fn_get_stats(g).guards == 9 && ad_fn_get_stats(h).guards == 9);
    in = 0.8;
    CHECK_STATUS(ad_fn_eval(h, &in, r), AD_OK);
    CHECK_NEAR(r[0], 1, 1e-15);
    CHECK_NEAR(r[1], 2.5, 1e-15);
    in = 0.4;                                       /* its own */
    CHECK_STATUS(ad_fn_eval(h, &in, r), AD_ERR_BRANCH);
    in = 1.1;                                       /* the inner function's */
    CHECK_STATUS(ad_fn_eval(h, &in, r), AD_ERR_BRANCH);
    CHECK(is_nan(r[0]) && is_nan(r[1]));
    CHECK_STATUS(ad_fn_eval(g, &in, r), AD_ERR_BRANCH);
    ad_fn_destroy(f);
    ad_fn_destroy(g);
    ad_fn_destroy(h);
    ad_tape_destroy(t);
    ad_tape_destroy(u);
}

/* ---------------------------------------------------------------- what can go wrong */

static ad_status refuse(void *user, size_t n, const double *x, size_t m, double *y)
{
    (void)user;
    (void)n;
    y[0] = x[0];
    (void)m;
    return x[0] > 1 ? AD_ERR_USER : AD_OK;
}
static const ad_op refusing = { "refuse", refuse, NULL, NULL, NULL, NULL };

static void test_refused(void)
{
    ad_tape *t = ad_tape_create(NULL), *u = ad_tape_create(NULL);
    ad_var x[2], y[2], twice[2], other, old, part;
    ad_fn *f, *g;
    ad_fn_desc desc;
    double in[2], r[4];
    int level;
    x[0] = ad_input(t, 1.0);
    x[1] = ad_input(t, 2.0);
    other = ad_input(u, 3.0);
    y[0] = ad_var_mul(x[0], x[1]);
    y[1] = ad_var_sin(x[0]);
    /* NULL */
    f = ad_fn_create(NULL, 2, x, 1, y, NULL);
    FAILED(f, AD_ERR_ARGUMENT);
    ad_fn_destroy(f);
    f = ad_fn_create(t, 2, NULL, 1, y, NULL);
    FAILED(f, AD_ERR_ARGUMENT);
    CHECK_STATUS(ad_tape_status(t), AD_ERR_ARGUMENT);           /* left on the tape, too */
    CHECK(ad_tape_message(t)[0] != 0);
    ad_tape_clear_status(t);
    ad_fn_destroy(f);
    f = ad_fn_create(t, 2, x, 1, NULL, NULL);
    FAILED(f, AD_ERR_ARGUMENT);
    ad_tape_clear_status(t);
    ad_fn_destroy(f);
    /* one input twice; an input that is a constant */
    twice[0] = twice[1] = x[0];
    f = ad_fn_create(t, 2, twice, 1, y, NULL);
    FAILED(f, AD_ERR_ARGUMENT);
    ad_tape_clear_status(t);
    ad_fn_destroy(f);
    twice[1] = ad_const(2.0);
    f = ad_fn_create(t, 2, twice, 1, y, NULL);
    FAILED(f, AD_ERR_ARGUMENT);
    ad_tape_clear_status(t);
    ad_fn_destroy(f);
    /* another tape's */
    twice[1] = other;
    f = ad_fn_create(t, 2, twice, 1, y, NULL);
    FAILED(f, AD_ERR_MIXED);
    ad_tape_clear_status(t);
    ad_fn_destroy(f);
    f = ad_fn_create(t, 2, x, 1, &other, NULL);
    FAILED(f, AD_ERR_MIXED);
    CHECK_STATUS(ad_tape_status(t), AD_ERR_MIXED);
    ad_fn_destroy(f);
    /* a tape in error */
    f = ad_fn_create(t, 2, x, 1, y, NULL);
    FAILED(f, AD_ERR_MIXED);
    ad_tape_clear_status(t);
    ad_fn_destroy(f);
    /* known at one point only; but no matter where no output needs it */
    in[0] = 1;
    part = ad_var_custom(t, 1, x, 5.0, in);
    f = ad_fn_create(t, 2, x, 2, y, NULL);
    GOOD(f);
    ad_fn_destroy(f);
    y[1] = ad_var_add(part, y[0]);
    f = ad_fn_create(t, 2, x, 2, y, NULL);
    FAILED(f, AD_ERR_UNSUPPORTED);
    ad_tape_clear_status(t);
    ad_fn_destroy(f);
    /* an instruction set that is not there */
    memset(&desc, 0, sizeof desc);
    for (level = AD_SIMD_PLAIN; level <= AD_SIMD_NEON; level++) {
        desc.simd = (ad_simd)level;
        f = ad_fn_create(t, 2, x, 1, y, &desc);
        if (ad_kernels_get(desc.simd)) {
            GOOD(f);
            in[0] = 3;
            in[1] = 4;
            CHECK_STATUS(ad_fn_eval(f, in, r), AD_OK);
            CHECK(r[0] == 12);
        } else {
            FAILED(f, AD_ERR_UNSUPPORTED);
        }
        ad_tape_clear_status(t);
        ad_fn_destroy(f);
    }
    /* before a reset */
    old = x[0];
    ad_tape_reset(t);
    x[0] = ad_input(t, 1.0);
    x[1] = ad_input(t, 2.0);
    y[0] = ad_var_mul(x[0], x[1]);
    twice[0] = x[1];
    twice[1] = old;
    f = ad_fn_create(t, 2, twice, 1, y, NULL);
    FAILED(f, AD_ERR_STALE);
    ad_tape_clear_status(t);
    ad_fn_destroy(f);
    f = ad_fn_create(t, 2, x, 1, &old, NULL);
    FAILED(f, AD_ERR_STALE);
    ad_tape_clear_status(t);
    /* a failed function passed on: all fails likewise */
    g = ad_fn_gradient(f);
    FAILED(g, AD_ERR_STALE);
    ad_fn_destroy(g);
    g = ad_fn_jacobian(f);
    FAILED(g, AD_ERR_STALE);
    ad_fn_destroy(g);
    g = ad_fn_hessian(f);
    FAILED(g, AD_ERR_STALE);
    ad_fn_destroy(g);
    g = ad_fn_jvp(f);
    FAILED(g, AD_ERR_STALE);
    ad_fn_destroy(g);
    g = ad_fn_vjp(f);
    FAILED(g, AD_ERR_STALE);
    CHECK_STATUS(ad_fn_eval(g, in, r), AD_ERR_STALE);
    CHECK_STATUS(ad_fn_eval_in(g, in, r, r), AD_ERR_STALE);
    CHECK_STATUS(ad_fn_map(g, 0, NULL, NULL, NULL), AD_ERR_STALE);
    CHECK(ad_fn_record(g, t, x, y) != AD_OK);
    ad_tape_clear_status(t);
    ad_fn_destroy(g);
    ad_fn_destroy(f);
    /* NULL: a failed function as well */
    ad_fn_destroy(NULL);
    CHECK(ad_fn_status(NULL) != AD_OK);
    CHECK(ad_fn_message(NULL) != NULL);
    CHECK(ad_fn_get_stats(NULL).nodes == 0);
    CHECK(ad_fn_input_name(NULL, 0) != NULL && ad_fn_output_name(NULL, 3) != NULL);
    CHECK(ad_fn_eval(NULL, in, r) != AD_OK);
    CHECK(ad_fn_eval_in(NULL, in, r, r) != AD_OK);
    CHECK(ad_fn_map(NULL, 0, NULL, NULL, NULL) != AD_OK);
    g = ad_fn_gradient(NULL);
    CHECK(ad_fn_status(g) != AD_OK);
    ad_fn_destroy(g);
    g = ad_fn_jacobian(NULL);
    CHECK(ad_fn_status(g) != AD_OK);
    ad_fn_destroy(g);
    g = ad_fn_hessian(NULL);
    CHECK(ad_fn_status(g) != AD_OK);
    ad_fn_destroy(g);
    g = ad_fn_jvp(NULL);
    CHECK(ad_fn_status(g) != AD_OK);
    ad_fn_destroy(g);
    g = ad_fn_vjp(NULL);
    CHECK(ad_fn_status(g) != AD_OK);
    ad_fn_destroy(g);
    CHECK(ad_fn_record(NULL, t, x, y) != AD_OK);
    ad_tape_clear_status(t);
    ad_tape_destroy(t);
    ad_tape_destroy(u);
}

/* A failed function has no outputs, as its statistics say: whoever is told to evaluate it gives the
   status and writes nothing. */
static void writes_nothing(const ad_fn *f, const char *what)
{
    enum { ROOM = 40 };
    const ad_status status = ad_fn_status(f);
    ad_tape *const t = ad_tape_create(NULL);
    double in[4] = { 0.5, 0.25, 1, 2 }, y[ROOM], work[ROOM];
    ad_port from[4], to[ROOM];
    ad_var x[4], made[ROOM];
    ad_map_desc how;
    ad_map_report report;
    size_t k, written = 0, changed = 0;
    memset(&how, 0, sizeof how);
    how.report = &report;
    for (k = 0; k < ROOM; k++) {
        y[k] = 77;
        to[k] = ad_port_out(y + k, 1);
        made[k] = ad_const(77);
    }
    for (k = 0; k < 4; k++) {
        from[k] = ad_port_in(in + k, 1);
        x[k] = ad_input(t, in[k]);
    }
    if (!CHECK(status != AD_OK)) return;
    CHECK(ad_fn_get_stats(f).outputs == 0 && ad_fn_get_stats(f).inputs == 0);
    CHECK_STATUS(ad_fn_eval(f, in, y), status);
    for (k = 0; k < ROOM; k++) written += y[k] != 77;
    test_check(written == 0, __FILE__, __LINE__, "%s: ad_fn_eval writes %d numbers", what,
        (int)written);
    for (k = 0; k < ROOM; k++) y[k] = 77;
    CHECK_STATUS(ad_fn_eval_in(f, in, y, work), status);
    for (k = 0, written = 0; k < ROOM; k++) written += y[k] != 77;
    test_check(written == 0, __FILE__, __LINE__, "%s: ad_fn_eval_in writes %d numbers", what,
        (int)written);
    for (k = 0; k < ROOM; k++) y[k] = 77;
    CHECK_STATUS(ad_fn_map(f, 1, from, to, &how), status);
    for (k = 0, written = 0; k < ROOM; k++) written += y[k] != 77;
    test_check(written == 0, __FILE__, __LINE__, "%s: ad_fn_map writes %d numbers", what,
        (int)written);
    CHECK_STATUS(ad_fn_eval(f, NULL, NULL), status);
    CHECK_STATUS(ad_fn_eval_in(f, NULL, NULL, NULL), status);
    CHECK_STATUS(ad_fn_map(f, 1, NULL, NULL, NULL), status);
    CHECK_STATUS(ad_fn_record(f, t, x, made), status);
    for (k = 0; k < ROOM; k++) changed += made[k].v != 77;
    test_check(changed == 0, __FILE__, __LINE__, "%s: ad_fn_record writes %d variables", what,
        (int)changed);
    ad_tape_destroy(t);
}

/* A map that cannot be says which port, by name. */
static void test_map_arguments(void)
{
    ad_fn *const f = ad_fn_parse("a*b; a+b", "a, b", NULL, 0);
    double in[2] = { 2, 3 }, y[2];
    ad_port from[2], to[2];
    ad_map_desc how;
    ad_map_report report;
    from[0] = ad_port_in(in, 1);
    from[1] = ad_port_in(NULL, 1);
    to[0] = ad_port_out(y, 1);
    to[1] = ad_port_out(y + 1, 1);
    memset(&how, 0, sizeof how);
    how.report = &report;
    CHECK_STATUS(ad_fn_map(f, 1, from, to, &how), AD_ERR_ARGUMENT);
    CHECK(strcmp(report.message, "ad_fn_map: input port 1 (b) has no data") == 0);
    from[1] = ad_port_in(in + 1, 1);
    to[1] = ad_port_out(NULL, 1);
    CHECK_STATUS(ad_fn_map(f, 1, from, to, &how), AD_ERR_ARGUMENT);
    CHECK(strstr(report.message, "output port 1 ") != NULL);
    CHECK_STATUS(ad_fn_map(f, 1, NULL, to, &how), AD_ERR_ARGUMENT);
    CHECK(strstr(report.message, "input ports are NULL") != NULL);
    CHECK_STATUS(ad_fn_map(f, 1, from, NULL, &how), AD_ERR_ARGUMENT);
    CHECK(strstr(report.message, "output ports are NULL") != NULL);
    to[1] = ad_port_out(y + 1, 1);
    how.threads = -1;
    CHECK_STATUS(ad_fn_map(f, 1, from, to, &how), AD_ERR_ARGUMENT);
    CHECK(strstr(report.message, "threads") != NULL);
    how.threads = 0;
    CHECK_STATUS(ad_fn_map(f, 1, from, to, &how), AD_OK);
    CHECK(report.message[0] == 0 && y[0] == 6 && y[1] == 5);
    ad_fn_destroy(f);
}

/* Arrays are read and written where they stand: an output in an input's place gives what it gives
   beside it, also where the input is read later; outputs that nobody wants may have one place. */
static void test_rows_in_place(void)
{
    enum { MOST = 1100, OUT = 4 };
    static double x[MOST + 1], a[MOST + 1], apart[OUT][MOST + 1], y[OUT][MOST + 2];
    static const size_t points[] = { 1, 7, 16, 64, 511, 1024, MOST };
    ad_fn *const f = ad_fn_parse("2*x + a; sin(2*x + a) * x; exp((2*x + a)*x); x - a", "x, a", NULL,
                                 0);
    ad_map_desc how;
    size_t s, i, j, shift;
    int simd, place;
    GOOD(f);
    memset(&how, 0, sizeof how);
    for (simd = AD_SIMD_BEST; simd <= AD_SIMD_NEON; simd++)
        for (s = 0; s < sizeof points / sizeof *points; s++)
            for (place = 0; place <= OUT; place++) {
                ad_port in[2], out[OUT];
                if (!ad_kernels_get((ad_simd)simd)) continue;
                how.simd = (ad_simd)simd;
                shift = s % 2;                   /* not aligned, too */
                for (i = 0; i < MOST; i++) {
                    x[shift + i] = 0.001 * (double)i - 0.5;
                    a[shift + i] = 1 / (double)(i + 1);
                }
                in[0] = ad_port_in(x + shift, 1);
                in[1] = ad_port_in(a + shift, 1);
                for (j = 0; j < OUT; j++) out[j] = ad_port_out(apart[j] + shift, 1);
                CHECK_STATUS(ad_fn_map(f, points[s], in, out, &how), AD_OK);
                for (j = 0; j < OUT; j++) {
                    for (i = 0; i < MOST + 2; i++) y[j][i] = -77;
                    out[j] = ad_port_out(y[j] + 1, 1);
                }
                if (place < OUT) {
                    out[place].data = x + shift;
                } else {                         /* the last alone is wanted */
                    out[0].data = out[1].data = out[2].data = y[0] + 1;
                }
                CHECK_STATUS(ad_fn_map(f, points[s], in, out, &how), AD_OK);
                for (j = place < OUT ? 0 : OUT - 1; j < OUT; j++) {
                    const double *const to = j == (size_t)place ? x + shift : y[j] + 1;
                    for (i = 0; i < points[s]; i++)
                        if (!CHECK(same(to[i], apart[j][shift + i]))) break;
                }
                for (j = 0; j < OUT; j++)
                    CHECK(y[j][0] == -77 && y[j][points[s] + 1] == -77);
            }
    ad_fn_destroy(f);
}

/* Few points of what has its machine code, by groups that are rows and by single ports: what
   ad_fn_eval says, where rows lie apart, backwards, all in one place or over the results. */
static void test_few_rows(void)
{
    enum { IN = 3, OUT = 4, MOST = 24, ROOM = 400 };
    static const ptrdiff_t step[] = { 3, 5, 0, -3 }, to[] = { 4, 6, -4, 5 };
    ad_fn *const f = ad_fn_parse("x*y + z; x - y*(z + 2); z/y; x", "x, y, z", NULL, 0);
    size_t points, i, k, a, b;
    int over, way;
    GOOD(f);
    ad_fn_native(f);                             /* where there is none, blocks do it */
    for (points = 1; points <= MOST; points += 1 + points / 4)
        for (a = 0; a < 4; a++)
            for (b = 0; b < 4; b++)
                for (over = 0; over < 2; over++)
                    for (way = 0; way < 2; way++) {
                        double x[ROOM], y[ROOM], expected[MOST * OUT], *at, *from;
                        ad_port in[IN], out[OUT];
                        ad_ports groups[2];
                        for (i = 0; i < ROOM; i++) {
                            x[i] = 0.5 + (double)((i * 37) % 101);
                            y[i] = -77;
                        }
                        from = x + (step[a] < 0 ? 3 * points : 3);
                        at = (over ? x : y) + (to[b] < 0 ? 4 * points : 4);
                        for (k = 0; k < points; k++)
                            CHECK_STATUS(ad_fn_eval(f, from + (ptrdiff_t)k * step[a],
                                                    expected + k * OUT), AD_OK);
                        for (i = 0; i < IN; i++) in[i] = ad_port_in(from + i, step[a]);
                        for (i = 0; i < OUT; i++) out[i] = ad_port_out(at + i, to[b]);
                        groups[0] = ad_ports_of(in[0], IN, 1);
                        groups[1] = ad_ports_of(out[0], OUT, 1);
                        CHECK_STATUS(way ? ad_fn_map(f, points, in, out, NULL)
                            : ad_fn_map_ports(f, points, 1, groups, 1, groups + 1, NULL), AD_OK);
                        for (k = 0; k < points; k++)
                            for (i = 0; i < OUT; i++)
                                CHECK(same(at[(ptrdiff_t)k * to[b] + (ptrdiff_t)i],
                                           expected[k * OUT + i]));
                        k = to[b] < 0 ? 0 : points - 1;            /* the highest row */
                        CHECK(over || (y[3] == -77 && at[(ptrdiff_t)k * to[b] + OUT] == -77));
                    }
    ad_fn_destroy(f);
}

/* Ports that add: what was there, plus the values of the points one after the other, to the bit; by
   one port, by four side by side, of what all points share, into a sum. */
static void test_adding(void)
{
    enum { MOST = 700, PLACES = 11, OUT = 7 };
    static double x[MOST], value[OUT][MOST], to[OUT * PLACES + 1], by_hand[OUT * PLACES + 1];
    static uint32_t index[MOST];
    static const size_t points[] = { 0, 1, 2, 3, 5, 8, 64, MOST };
    ad_fn *const f = ad_fn_parse("x^2; sin(x); a*x; exp(-x); 3*a; x; x + a", "x, a", NULL, 0);
    double a = 0.7;
    ad_map_desc how;
    size_t s, i, j, place;
    int simd, apart;
    GOOD(f);
    for (i = 0; i < MOST; i++) {
        x[i] = 0.01 * (double)i - 1;
        index[i] = (uint32_t)(i * i * 7 % PLACES);
    }
    memset(&how, 0, sizeof how);
    for (simd = AD_SIMD_BEST; simd <= AD_SIMD_NEON; simd++)
        for (s = 0; s < sizeof points / sizeof *points; s++)
            for (apart = 0; apart < 4; apart++) {      /* side by side, or by an index, or not */
                const int by_index = apart < 2;
                ad_port in[2], out[OUT];
                if (!ad_kernels_get((ad_simd)simd)) continue;
                how.simd = (ad_simd)simd;
                in[0] = ad_port_in(x, 1);
                in[1] = ad_port_shared(&a);
                for (j = 0; j < OUT; j++) out[j] = ad_port_out(value[j], 1);
                out[OUT - 1] = ad_port_sum(value[OUT - 1]);
                CHECK_STATUS(ad_fn_map(f, points[s], in, out, &how), AD_OK);
                for (i = 0; i <= OUT * PLACES; i++) to[i] = by_hand[i] = 1 / (double)(i + 1);
                for (j = 0; j < OUT - 1; j++) {
                    double *const at = apart % 2 ? to + j * PLACES : to + j;
                    out[j] = ad_port_add(at, !by_index ? 0 : apart % 2 ? 1 : OUT - 1,
                                         by_index ? index : NULL);
                    for (i = 0; i < points[s]; i++) {
                        place = by_index ? (apart % 2 ? index[i] : index[i] * (OUT - 1)) : 0;
                        by_hand[(size_t)(at - to) + place] += value[j][i];
                    }
                }
                out[OUT - 1].adds = 1;
                out[OUT - 1].data = to + OUT * PLACES;
                by_hand[OUT * PLACES] += value[OUT - 1][0];
                CHECK_STATUS(ad_fn_map(f, points[s], in, out, &how), AD_OK);
                for (i = 0; i <= OUT * PLACES; i++)    /* sums add up in lanes, block by block */
                    CHECK_NEAR(to[i], by_hand[i], by_index && i < OUT * PLACES ? 0 : 1e-13);
            }
    ad_fn_destroy(f);
}

/* A point of another way spoils what it is added to, and nothing else. */
static void test_adding_branch(void)
{
    ad_tape *t = ad_tape_create(NULL);
    const ad_var x = ad_input(t, 1), y = ad_branch(ad_var_gt_r(x, 0)) ? ad_var_exp(x) : x;
    ad_fn *const f = ad_fn_create(t, 1, &x, 1, &y, NULL);
    const double from[4] = { 1, 2, -1, 3 };
    const uint32_t index[4] = { 0, 1, 1, 0 };
    double to[2] = { 5, 5 };
    ad_port in = ad_port_in(from, 1), out = ad_port_add(to, 1, index);
    CHECK_STATUS(ad_fn_map(f, 4, &in, &out, NULL), AD_ERR_BRANCH);
    CHECK_NEAR(to[0], 5 + exp(1.0) + exp(3.0), 1e-15);
    CHECK(to[1] != to[1]);
    ad_fn_destroy(f);
    ad_tape_destroy(t);
}

/* desc.check: two points must not write to one place, unless they add. */
static void test_repeated_index(void)
{
    static const uint32_t twice[5] = { 3, 9, 0, 9, 3 }, once[5] = { 4, 3, 2, 1, 40 };
    const double x[5] = { 1, 2, 3, 4, 5 };
    double y[3 * 41], many[3 * 41];
    uint32_t each[41];
    int i;
    ad_fn *const f = ad_fn_parse("p = x^2; q = x^3", "x", NULL, 0);
    ad_map_desc how;
    ad_map_report report;
    ad_port in = ad_port_in(x, 1), out[2];
    memset(&how, 0, sizeof how);
    how.report = &report;
    how.check = 1;
    out[0] = ad_port_scatter(y, 1, once);
    out[1] = ad_port_scatter(y + 41, 2, once);
    CHECK_STATUS(ad_fn_map(f, 5, &in, out, &how), AD_OK);
    CHECK(y[4] == 1 && y[40] == 25 && y[41 + 80] == 125);
    for (i = 0; i < 41; i++) {                         /* every place, from the last to the first */
        each[i] = (uint32_t)(40 - i);
        many[i] = i;
    }
    in = ad_port_in(many, 1);
    out[0].index = out[1].index = each;
    CHECK_STATUS(ad_fn_map(f, 41, &in, out, &how), AD_OK);
    CHECK(y[0] == 1600 && y[40] == 0 && y[41 + 2 * 33] == 343);
    in = ad_port_in(x, 1);
    out[0].index = once;
    out[1].index = twice;
    CHECK_STATUS(ad_fn_map(f, 5, &in, out, &how), AD_ERR_ARGUMENT);
    CHECK_STRING(report.message, "ad_fn_map: output port 1 (q): points 1 and 3 have index 9");
    CHECK_STATUS(ad_fn_map(f, 3, &in, out, &how), AD_OK);
    out[1] = ad_port_add(y + 41, 2, twice);
    CHECK_STATUS(ad_fn_map(f, 5, &in, out, &how), AD_OK);
    out[1] = ad_port_scatter(y, 0, twice);             /* a sum asks for no place */
    CHECK_STATUS(ad_fn_map(f, 5, &in, out, &how), AD_OK);
    out[0] = ad_port_add(y, 1, twice);                 /* the same index, with and without adding */
    out[1] = ad_port_scatter(y + 41, 1, twice);
    y[3] = 7;
    y[9] = 8;
    CHECK_STATUS(ad_fn_map(f, 5, &in, out, &how), AD_ERR_ARGUMENT);
    CHECK(y[3] == 7 && y[9] == 8 && isnan(y[41 + 9]));           /* nothing was added */
    in.data = NULL;
    CHECK_STATUS(ad_fn_map(f, 5, &in, out, &how), AD_ERR_ARGUMENT);
    CHECK(y[3] == 7 && y[9] == 8 && isnan(y[41 + 9]));
    in = ad_port_in(x, 1);
    out[0] = ad_port_scatter(y, 0, twice);             /* and with a sum */
    CHECK_STATUS(ad_fn_map(f, 5, &in, out, &how), AD_ERR_ARGUMENT);
    out[0] = out[1];
    how.check = 0;                                     /* the later point's */
    CHECK_STATUS(ad_fn_map(f, 5, &in, out, &how), AD_OK);
    CHECK(y[41 + 9] == 64 && y[41 + 3] == 125);
    ad_fn_destroy(f);
}

/* Ports by groups are the ports one by one. */
static void test_groups_of_ports(void)
{
    enum { N = 3, POINTS = 10 };
    static double x[POINTS * N], p[2] = { 2, -1 }, y[POINTS], g[N * POINTS];
    ad_fn *const f = ad_fn_parse("a*x*y + b*z; y*z; x*z; x*y", "x, y, z, a, b", NULL, 0);
    ad_ports in[3], out[2];
    ad_map_desc how;
    ad_map_report report;
    size_t i;
    for (i = 0; i < POINTS * N; i++) x[i] = 0.5 * (double)i - 3;
    memset(&how, 0, sizeof how);
    how.report = &report;
    in[0] = ad_ports_of(ad_port_in(x, N), N, 1);
    in[1] = ad_ports_of(ad_port_shared(p), 2, 1);
    out[0] = ad_ports_of(ad_port_out(y, 1), 1, 0);
    out[1] = ad_ports_of(ad_port_out(g + 2 * POINTS, 1), N, -POINTS);
    CHECK_STATUS(ad_fn_map_ports(f, POINTS, 2, in, 2, out, &how), AD_OK);
    for (i = 0; i < POINTS; i++) {
        const double *const q = x + N * i;
        CHECK_NEAR(y[i], p[0] * q[0] * q[1] + p[1] * q[2], 1e-15);
        CHECK(g[2 * POINTS + i] == q[1] * q[2] && g[POINTS + i] == q[0] * q[2]
              && g[i] == q[0] * q[1]);
    }
    CHECK_STATUS(ad_fn_map_ports(f, POINTS, 1, in, 2, out, &how), AD_ERR_ARGUMENT);
    CHECK_STRING(report.message, "ad_fn_map_ports: 3 and 4 ports for 5 inputs and 4 outputs");
    in[2] = ad_ports_of(ad_port_in(x, 1), SIZE_MAX - 2, 1);
    CHECK_STATUS(ad_fn_map_ports(f, POINTS, 3, in, 2, out, &how), AD_ERR_ARGUMENT);
    CHECK_STATUS(ad_fn_map_ports(f, POINTS, 2, NULL, 2, out, &how), AD_ERR_ARGUMENT);
    in[1] = ad_ports_of(ad_port_in(NULL, 1), 2, 1);
    CHECK_STATUS(ad_fn_map_ports(f, POINTS, 2, in, 2, out, &how), AD_ERR_ARGUMENT);
    CHECK_STRING(report.message, "ad_fn_map: input port 3 (a) has no data");
    CHECK_STATUS(ad_fn_map_ports(NULL, POINTS, 2, in, 2, out, &how), AD_ERR_MEMORY);
    ad_fn_destroy(f);
}

/* J^T J and J^T r against the Jacobian; summed over observations by a map; parameters left out. */
static void test_normal(void)
{
    enum { POINTS = 50, NV = 3, M = 2, N = 5, ALL = 1 + NV + NV * (NV + 1) / 2 };
    static double t[2 * POINTS], sums[ALL], by_hand[ALL], *const y = t + POINTS;
    ad_fn *const f = ad_fn_parse("p = a*exp(-b*t) + c - y; q = a*b*c + 0.1*t*sin(a)",
                                 "a, b, c | t, y", NULL, 0);
    ad_fn *const J = ad_fn_jacobian(f), *const normal = ad_fn_normal(f), *bad, *worse;
    double x[N] = { 1.5, 0.3, -0.7, 0, 0 }, own[M + M * NV];
    ad_ports in[2], out;
    size_t i, j, k, at, p;
    GOOD(normal);
    CHECK(ad_fn_get_stats(normal).outputs == ALL && ad_fn_get_stats(normal).inputs == N);
    CHECK_STRING(ad_fn_output_name(normal, 0), "r_r");
    CHECK_STRING(ad_fn_output_name(normal, 2), "r_J_b");
    CHECK_STRING(ad_fn_output_name(normal, ALL - 2), "J_J_c_b");
    for (p = 0; p < POINTS; p++) {
        t[p] = 0.1 * (double)p;
        y[p] = cos(t[p]);
        x[3] = t[p];
        x[4] = y[p];
        CHECK_STATUS(ad_fn_eval(J, x, own), AD_OK);
        for (k = 0; k < M; k++) {
            const double r = own[k], *const row = own + M + NV * k;
            by_hand[0] += r * r;
            for (i = 0, at = 1 + NV; i < NV; i++) {
                by_hand[1 + i] += r * row[i];
                for (j = 0; j <= i; j++) by_hand[at++] += row[i] * row[j];
            }
        }
    }
    in[0] = ad_ports_of(ad_port_shared(x), NV, 1);
    in[1] = ad_ports_of(ad_port_in(t, 1), 2, POINTS);
    out = ad_ports_of(ad_port_sum(sums), ALL, 1);
    CHECK_STATUS(ad_fn_map_ports(normal, POINTS, 2, in, 1, &out, NULL), AD_OK);
    for (i = 0; i < ALL; i++) CHECK_NEAR(sums[i], by_hand[i], 1e-13);
    bad = ad_fn_parse("1 +", "x", NULL, 0);
    worse = ad_fn_normal(bad);
    CHECK(ad_fn_status(worse) != AD_OK);
    ad_fn_destroy(worse);
    ad_fn_destroy(bad);
    bad = ad_fn_normal(NULL);
    CHECK(ad_fn_status(bad) != AD_OK);
    ad_fn_destroy(bad);
    ad_fn_destroy(normal);
    ad_fn_destroy(J);
    ad_fn_destroy(f);
}

/* Of Hilbert's matrix, whose inverse is whole numbers; rows of any scale; what cannot be. */
static void test_covariance(void)
{
    enum { N = 5 };
    static const double inverse[N] = { 25, 4800, 79380, 179200, 44100 };     /* its diagonal */
    static const double first_row[N] = { 25, -300, 1050, -1400, 630 };
    double lower[N * (N + 1) / 2], covariance[N * N], deviation[N], scale[N];
    size_t i, j, at = 0;
    for (i = 0; i < N; i++) scale[i] = pow(10, 40 * (double)i - 80);
    for (i = 0; i < N; i++)
        for (j = 0; j <= i; j++) lower[at++] = scale[i] * scale[j] / (double)(i + j + 1);
    CHECK_STATUS(ad_covariance(N, lower, 4, covariance, deviation), AD_OK);
    for (i = 0; i < N; i++) {
        CHECK_NEAR(deviation[i] * scale[i], 2 * sqrt(inverse[i]), 1e-10);
        CHECK_NEAR(covariance[i * N + i] * scale[i] * scale[i], 4 * inverse[i], 1e-10);
        CHECK_NEAR(covariance[i] * scale[i] * scale[0], 4 * first_row[i], 1e-10);
        CHECK(covariance[i] == covariance[i * N]);
    }
    CHECK_STATUS(ad_covariance(1, lower, 1, NULL, deviation), AD_OK);
    CHECK_NEAR(deviation[0] * 1e-80, 1, 1e-15);
    lower[0] = 1e-200;                                   /* its square is no number */
    CHECK_STATUS(ad_covariance(1, lower, 1e200, NULL, deviation), AD_OK);
    CHECK_NEAR(deviation[0] * 1e-200, 1, 1e-15);
    lower[0] = 1e200;
    CHECK_STATUS(ad_covariance(1, lower, 1e-200, NULL, deviation), AD_OK);
    CHECK_NEAR(deviation[0] * 1e200, 1, 1e-15);
    lower[0] = 1e40, lower[1] = 0.5, lower[2] = 1e-40;
    CHECK_STATUS(ad_covariance(2, lower, 1e-300, covariance, deviation), AD_OK);
    CHECK_NEAR(covariance[1] * 1e301, -20.0 / 3, 1e-14);
    CHECK_NEAR(deviation[0] * 1e170, sqrt(4.0 / 3), 1e-14);
    CHECK_STATUS(ad_covariance(2, inverse, 1, covariance, NULL), AD_ERR_ARGUMENT);
    CHECK(covariance[0] != covariance[0] && covariance[3] != covariance[3]);
    lower[0] = lower[1] = lower[2] = 1;                  /* two that act alike */
    CHECK_STATUS(ad_covariance(2, lower, 1, covariance, deviation), AD_ERR_ARGUMENT);
    CHECK(deviation[0] != deviation[0] && deviation[1] != deviation[1]);
    lower[1] = 0;                                        /* residuals that tell no variance */
    CHECK_STATUS(ad_covariance(2, lower, -0.5, covariance, deviation), AD_ERR_ARGUMENT);
    CHECK(covariance[0] != covariance[0] && deviation[1] != deviation[1]);
    CHECK_STATUS(ad_covariance(2, lower, (double)INFINITY, covariance, NULL), AD_ERR_ARGUMENT);
    CHECK_STATUS(ad_covariance(2, lower, (double)NAN, NULL, deviation), AD_ERR_ARGUMENT);
    CHECK_STATUS(ad_covariance(2, lower, 0, covariance, NULL), AD_OK);
    CHECK(covariance[0] == 0);
    lower[0] = 0;                                        /* one that does nothing */
    CHECK_STATUS(ad_covariance(1, lower, 1, NULL, deviation), AD_ERR_ARGUMENT);
    CHECK_STATUS(ad_covariance(1, NULL, 1, NULL, deviation), AD_ERR_ARGUMENT);
    CHECK_STATUS(ad_covariance(0, NULL, 1, NULL, NULL), AD_OK);
}
static void test_failed_write_nothing(void)
{
    enum { M = 8, WAYS = 5, MAKERS = 5 };
    static ad_fn *(*const make[MAKERS])(const ad_fn *) = { ad_fn_gradient, ad_fn_jacobian,
        ad_fn_hessian, ad_fn_jvp, ad_fn_vjp };
    static const char *const title[MAKERS] = { "gradient", "jacobian", "hessian", "jvp", "vjp" };
    static const char *const cause[WAYS] = { "an input twice", "a stale input", "a tape in error",
        "known at one point", "no memory" };
    const double one = 1;
    int way, k, i;
    size_t calls;
    for (way = 0; way < WAYS; way++) {
        ad_tape *const t = ad_tape_create(NULL);
        ad_var x[2], y[M];
        ad_fn_desc desc;
        heap memory;
        ad_fn *f, *g, *h;
        memset(&memory, 0, sizeof memory);
        memset(&desc, 0, sizeof desc);
        x[0] = ad_input(t, 0.5);
        if (way == 1) {
            ad_tape_reset(t);
            ad_input(t, 0.5);
        }
        x[1] = way == 0 ? x[0] : ad_input(t, 0.25);
        for (i = 0; i < M; i++) y[i] = ad_var_sin(ad_var_mul_r(x[1], i + 1));
        if (way == 2) ad_backward_seeded(t, 1, NULL, NULL);
        if (way == 3) y[M - 1] = ad_var_custom(t, 1, x, 1, &one);
        if (way == 4) {
            desc.resize = heap_resize;
            desc.resize_user = &memory;
            memory.fail_at = 3;
            memory.from_then_on = 1;
        }
        f = ad_fn_create(t, 2, x, M, y, &desc);
        writes_nothing(f, cause[way]);
        for (k = 0; k < MAKERS; k++) {
            g = make[k](f);
            writes_nothing(g, title[k]);
            h = make[(k + 1) % MAKERS](g);
            writes_nothing(h, title[k]);
            ad_fn_destroy(h);
            ad_fn_destroy(g);
        }
        ad_fn_destroy(f);
        ad_tape_destroy(t);
        CHECK(memory.wrong == 0 && memory.blocks == 0);
    }
    {   /* good ones that have no gradient, and derivatives for which there is no memory */
        ad_tape *const t = ad_tape_create(NULL);
        ad_fn_desc desc;
        heap memory;
        ad_var x[2], y[M];
        ad_fn *f, *g;
        memset(&memory, 0, sizeof memory);
        memset(&desc, 0, sizeof desc);
        desc.resize = heap_resize;
        desc.resize_user = &memory;
        x[0] = ad_input(t, 0.5);
        x[1] = ad_input(t, 0.25);
        for (i = 0; i < M; i++) y[i] = ad_var_sin(ad_var_mul_r(x[1], i + 1));
        f = ad_fn_create(t, 2, x, M, y, &desc);
        GOOD(f);
        g = ad_fn_gradient(f);
        writes_nothing(g, "the gradient of many");
        ad_fn_destroy(g);
        g = ad_fn_hessian(f);
        writes_nothing(g, "the Hessian of many");
        ad_fn_destroy(g);
        for (k = 1; k < MAKERS; k += k == 1 ? 2 : 1)
            for (calls = 1; calls < 60; calls += 7) {
                memory.fail_at = memory.calls + calls;
                memory.from_then_on = 1;
                g = make[k](f);
                if (ad_fn_status(g) != AD_OK) writes_nothing(g, title[k]);
                memory.fail_at = 0;
                ad_fn_destroy(g);
            }
        ad_fn_destroy(f);
        g = ad_fn_parse("x +", "x", NULL, 0);
        writes_nothing(g, "a text");
        ad_fn_destroy(g);
        g = ad_fn_parse("x; y; z", "x", NULL, 0);
        writes_nothing(g, "three outputs");
        ad_fn_destroy(g);
        writes_nothing(NULL, "NULL");
        ad_tape_destroy(t);
        CHECK(memory.wrong == 0 && memory.blocks == 0);
    }
}

/* Far out the series of sinc is not what is selected, and does not overflow. */
static void test_far_sinc(void)
{
    adf_fn *const f = adf_fn_parse("sinc(x)", "x", NULL, 0), *const h = adf_fn_hessian(f);
    float x, y[3];
    for (x = 1; x < 1e30f; x *= 100) {
        const double s = sin((double)x), c = cos((double)x), d = (double)x;
        CHECK_STATUS(adf_fn_eval(h, &x, y), AD_OK);
        CHECK(fabs((double)y[2] - (2 * s / d / d / d - 2 * c / d / d - s / d)) < 1e-5 / d);
    }
    adf_fn_destroy(h);
    adf_fn_destroy(f);
}

static void test_bad_calls(void)
{
    enum { N = 50 };
    static double a[N], b[N];
    ad_tape *t = ad_tape_create(NULL);
    ad_var x[2], y[2];
    ad_fn *f, *g;
    ad_port in[2], out[2];
    ad_map_desc desc;
    double r[2], v[2];
    size_t i;
    int level;
    x[0] = ad_input(t, 1.0);
    x[1] = ad_input(t, 2.0);
    y[0] = ad_var_mul(x[0], x[1]);
    y[1] = ad_var_exp(x[0]);
    f = ad_fn_create(t, 2, x, 2, y, NULL);
    GOOD(f);
    /* more than one output has no gradient and no Hessian; more than none has a Jacobian */
    g = ad_fn_gradient(f);
    FAILED(g, AD_ERR_SHAPE);
    ad_fn_destroy(g);
    g = ad_fn_hessian(f);
    FAILED(g, AD_ERR_SHAPE);
    ad_fn_destroy(g);
    CHECK_STATUS(ad_tape_status(t), AD_OK);                     /* that is none of the tape's */
    v[0] = 3;
    v[1] = 5;
    r[0] = r[1] = 7;
    CHECK_STATUS(ad_fn_eval(f, NULL, r), AD_ERR_ARGUMENT);
    CHECK(is_nan(r[0]) && is_nan(r[1]));
    CHECK_STATUS(ad_fn_eval(f, v, NULL), AD_ERR_ARGUMENT);
    CHECK_STATUS(ad_fn_eval_in(f, v, r, NULL), AD_ERR_ARGUMENT);
    for (i = 0; i < N; i++) a[i] = (double)i;
    in[0] = ad_port_in(a, 1);
    in[1] = ad_port_shared(v);
    out[0] = ad_port_out(b, 1);
    out[1] = ad_port_sum(r);
    CHECK_STATUS(ad_fn_map(f, N, NULL, out, NULL), AD_ERR_ARGUMENT);
    CHECK_STATUS(ad_fn_map(f, N, in, NULL, NULL), AD_ERR_ARGUMENT);
    CHECK_STATUS(ad_fn_map(f, N, in, out, NULL), AD_OK);
    CHECK(b[7] == 21);
    in[0].data = NULL;
    b[7] = r[0] = 7;
    CHECK_STATUS(ad_fn_map(f, N, in, out, NULL), AD_ERR_ARGUMENT);
    CHECK(is_nan(b[7]) && is_nan(r[0]));
    in[0].data = a;
    out[0].data = NULL;
    CHECK_STATUS(ad_fn_map(f, N, in, out, NULL), AD_ERR_ARGUMENT);
    out[0].data = b;
    memset(&desc, 0, sizeof desc);
    for (level = AD_SIMD_PLAIN; level <= AD_SIMD_NEON; level++) {
        desc.simd = (ad_simd)level;
        b[7] = 7;
        if (ad_kernels_get(desc.simd)) {
            CHECK_STATUS(ad_fn_map(f, N, in, out, &desc), AD_OK);
            CHECK(b[7] == 21);
        } else {
            CHECK_STATUS(ad_fn_map(f, N, in, out, &desc), AD_ERR_UNSUPPORTED);
            CHECK(is_nan(b[7]));
        }
    }
    memset(&desc, 0, sizeof desc);
    desc.threads = -1;
    CHECK_STATUS(ad_fn_map(f, N, in, out, &desc), AD_ERR_ARGUMENT);
    CHECK_STATUS(ad_fn_map(f, 0, in, out, NULL), AD_OK);
    CHECK(r[0] == 0);
    ad_fn_destroy(f);
    /* a user's operation that refuses some points, and has no derivative */
    CHECK_STATUS(ad_var_call(t, &refusing, NULL, 1, x, 1, y), AD_OK);
    f = ad_fn_create(t, 2, x, 1, y, NULL);
    GOOD(f);
    v[0] = 0.5;
    CHECK_STATUS(ad_fn_eval(f, v, r), AD_OK);
    CHECK(r[0] == 0.5);
    v[0] = 1.5;
    CHECK_STATUS(ad_fn_eval(f, v, r), AD_ERR_USER);
    CHECK(is_nan(r[0]));
    for (i = 0; i < N; i++) a[i] = (double)i * 0.02;
    CHECK_STATUS(ad_fn_map(f, N, in, out, NULL), AD_OK);
    CHECK(b[N / 2] == 0.5);
    a[30] = 2;
    CHECK_STATUS(ad_fn_map(f, N, in, out, NULL), AD_ERR_USER);
    CHECK(is_nan(b[30]));
    out[0] = ad_port_sum(r);
    CHECK_STATUS(ad_fn_map(f, N, in, out, NULL), AD_ERR_USER);
    CHECK(is_nan(r[0]));
    g = ad_fn_gradient(f);
    FAILED(g, AD_ERR_UNSUPPORTED);
    ad_fn_destroy(g);
    g = ad_fn_jvp(f);
    FAILED(g, AD_ERR_UNSUPPORTED);
    ad_fn_destroy(g);
    ad_fn_destroy(f);
    ad_tape_destroy(t);
}

/* What goes another way at an ad_branch is not recorded, of variables nor of constants. */
static void test_recorded_elsewhere(void)
{
    ad_tape *const t = ad_tape_create(NULL), *const u = ad_tape_create(NULL);
    ad_var x = ad_input(t, 1);
    ad_var y = ad_branch(ad_var_gt_r(x, 0)) ? ad_var_mul_r(x, 2) : ad_var_neg(x);
    ad_fn *const f = ad_fn_create(t, 1, &x, 1, &y, NULL);
    int way;
    for (way = 0; way < 4; way++) {
        const double at = way & 1 ? -1 : 3;
        x = way & 2 ? ad_const(at) : ad_input(u, at);
        CHECK_STATUS(ad_fn_record(f, u, &x, &y), way & 1 ? AD_ERR_BRANCH : AD_OK);
        CHECK(way & 1 ? y.v != y.v && strstr(ad_tape_message(u), "another way") != NULL
                      : y.v == 6);
        ad_tape_reset(u);
    }
    ad_fn_destroy(f);
    ad_tape_destroy(t);
    ad_tape_destroy(u);
}

/* On a tape in a fixed buffer, with a call in f whose operands become constants: what is recorded
   and what it is made from have one memory. */
static void test_recorded_in_a_buffer(void)
{
    static char buffer[60000];
    ad_fn *const g = ad_fn_parse("a*sin(b) + b^2", "a b", NULL, 0), *f;
    ad_tape *const t = ad_tape_create(NULL), *fixed;
    ad_tape_desc desc;
    ad_var x[2], y;
    memset(&desc, 0, sizeof desc);
    desc.buffer = buffer;
    desc.buffer_bytes = sizeof buffer;
    fixed = ad_tape_create(&desc);
    x[0] = ad_input(t, 1);
    x[1] = ad_input(t, 2);
    CHECK_STATUS(ad_fn_call(g, t, 2, x, 1, &y), AD_OK);
    f = ad_fn_create(t, 2, x, 1, &y, NULL);
    GOOD(f);
    x[0] = ad_const(0.7);
    x[1] = ad_const(0.3);
    CHECK_STATUS(ad_fn_record(f, fixed, x, &y), AD_OK);
    CHECK_NEAR(y.v, 0.7 * sin(0.3) + 0.09, 1e-15);
    ad_fn_destroy(f);
    ad_fn_destroy(g);
    ad_tape_destroy(fixed);
    ad_tape_destroy(t);
}

/* A function recorded on a tape. */
static void test_record(void)
{
    ad_tape *t = ad_tape_create(NULL), *u = ad_tape_create(NULL);
    ad_var x[2], y[2], z[2], w[2];
    ad_fn *f;
    x[0] = ad_input(t, 1.0);
    x[1] = ad_input(t, 2.0);
    y[0] = ad_var_mul(x[0], ad_var_exp(x[1]));
    y[1] = ad_const(4.0);
    f = ad_fn_create(t, 2, x, 2, y, NULL);
    GOOD(f);
    z[0] = ad_input(u, 3.0);
    z[1] = ad_var_square(z[0]);                     /* operands need be no inputs */
    CHECK_STATUS(ad_fn_record(f, u, z, w), AD_OK);
    CHECK(w[0].v == 3 * exp(9.0) && w[1].v == 4);
    CHECK_STATUS(ad_backward(w[0]), AD_OK);
    CHECK_NEAR(ad_adjoint(z[0]) / exp(9.0), 1 + 3 * 6.0, 1e-14);
    z[0] = ad_const(2.0);                           /* some may be constants, or all */
    CHECK_STATUS(ad_fn_record(f, u, z, w), AD_OK);
    CHECK(w[0].v == 2 * exp(9.0) && w[0].tape == u);
    z[1] = ad_const(1.0);
    CHECK_STATUS(ad_fn_record(f, u, z, w), AD_OK);
    CHECK(w[0].v == 2 * exp(1.0));
    z[1] = z[0] = ad_input(u, 0.5);                 /* one in two places */
    CHECK_STATUS(ad_fn_record(f, u, z, z), AD_OK);  /* results in the operands' place */
    CHECK(z[0].v == 0.5 * exp(0.5) && z[1].v == 4);
    CHECK_STATUS(ad_tape_status(u), AD_OK);
    test_recorded_elsewhere();
    test_recorded_in_a_buffer();
    CHECK_STATUS(ad_fn_record(f, NULL, z, w), AD_ERR_ARGUMENT);
    CHECK_STATUS(ad_fn_record(f, u, NULL, w), AD_ERR_ARGUMENT);
    ad_tape_clear_status(u);
    CHECK_STATUS(ad_fn_record(f, u, z, NULL), AD_ERR_ARGUMENT);
    ad_tape_clear_status(u);
    CHECK_STATUS(ad_fn_record(f, u, x, w), AD_ERR_MIXED);
    CHECK(is_nan(w[0].v) && is_nan(w[1].v));
    CHECK_STATUS(ad_fn_record(f, u, z, w), AD_ERR_MIXED);       /* a tape in error */
    ad_fn_destroy(f);
    ad_tape_destroy(t);
    ad_tape_destroy(u);
}

/* Functions of nothing, of constants, of results; inputs that nothing needs. */
static void test_edges(void)
{
    ad_tape *t = ad_tape_create(NULL);
    ad_var x = ad_input(t, 2.0), y[3], cut[2];
    ad_fn *f, *g;
    double in[2], r[8];
    y[0] = ad_const(7.0);
    y[1] = x;
    y[2] = x;
    f = ad_fn_create(t, 1, &x, 3, y, NULL);         /* a constant, and the input twice */
    GOOD(f);
    in[0] = -0.0;
    CHECK_STATUS(ad_fn_eval(f, in, r), AD_OK);
    CHECK(r[0] == 7 && same(r[1], -0.0) && same(r[2], -0.0));
    CHECK(ad_fn_get_stats(f).nodes == 0);
    g = ad_fn_jacobian(f);
    GOOD(g);
    CHECK_STATUS(ad_fn_eval(g, in, r), AD_OK);
    CHECK(r[0] == 7 && same(r[1], -0.0) && r[3] == 0 && r[4] == 1 && r[5] == 1);
    ad_fn_destroy(g);
    ad_fn_destroy(f);
    f = ad_fn_create(t, 1, &x, 1, y, NULL);         /* a constant alone has a gradient of 0 */
    g = ad_fn_hessian(f);
    GOOD(g);
    CHECK_STATUS(ad_fn_eval(g, in, r), AD_OK);
    CHECK(r[0] == 7 && r[1] == 0 && r[2] == 0);
    ad_fn_destroy(g);
    ad_fn_destroy(f);
    /* no input at all: what is recorded is captured */
    y[0] = ad_var_exp(x);
    f = ad_fn_create(t, 0, NULL, 1, y, NULL);
    GOOD(f);
    CHECK_STATUS(ad_fn_eval(f, NULL, r), AD_OK);
    CHECK(r[0] == exp(2.0));
    g = ad_fn_gradient(f);
    GOOD(g);
    CHECK(ad_fn_get_stats(g).outputs == 1);
    ad_fn_destroy(g);
    ad_fn_destroy(f);
    /* a result as an input: the trace is cut there; the input before it can still be one */
    cut[0] = ad_var_square(x);
    cut[1] = x;
    y[0] = ad_var_mul(cut[0], x);
    f = ad_fn_create(t, 2, cut, 1, y, NULL);
    GOOD(f);
    in[0] = 5;
    in[1] = 3;
    CHECK_STATUS(ad_fn_eval(f, in, r), AD_OK);
    CHECK(r[0] == 15);
    g = ad_fn_gradient(f);
    CHECK_STATUS(ad_fn_eval(g, in, r), AD_OK);
    CHECK(r[1] == 3 && r[2] == 5);
    ad_fn_destroy(g);
    ad_fn_destroy(f);
    f = ad_fn_create(t, 1, cut, 1, y, NULL);        /* cut alone: x is captured */
    CHECK_STATUS(ad_fn_eval(f, in, r), AD_OK);
    CHECK(r[0] == 10);
    ad_fn_destroy(f);
    /* the function outlives its tape */
    f = ad_fn_create(t, 1, &x, 1, y, NULL);
    ad_tape_destroy(t);
    g = ad_fn_gradient(f);
    ad_fn_destroy(f);
    in[0] = 3;
    CHECK_STATUS(ad_fn_eval(g, in, r), AD_OK);
    CHECK(r[0] == 27 && r[1] == 27);
    ad_fn_destroy(g);
    ad_fn_destroy(NULL);
    adf_fn_destroy(NULL);
    CHECK(adf_fn_status(NULL) != AD_OK);
}

/* ---------------------------------------------------------------- memory */

enum { MEMORY_POINTS = 70 };

typedef struct everything {
    size_t succeeded;           /* calls, of 24 */
    double number[6][4];        /* of each function: sums of results */
    int    has[6][3];
} everything;

/* Makes and uses everything. Each status is AD_OK or AD_ERR_MEMORY; outputs are numbers or NaN. */
static int use_everything(ad_tape *t, size_t n, const ad_var *x, const ad_var *y, unsigned flags,
                          heap *h, everything *e)
{
    static double data[MEMORY_POINTS], out[MEMORY_POINTS];
    double v[12], r[200];
    ad_fn_desc desc;
    ad_fn *f[6];
    ad_port in[12], to[200];
    size_t i, k;
    int ok = 1, again;
    memset(&desc, 0, sizeof desc);
    desc.resize = heap_resize;
    desc.resize_user = h;
    desc.flags = flags;
    memset(e, 0, sizeof *e);
    for (i = 0; i < 12; i++) v[i] = 0.3 + 0.1 * (double)i;
    for (i = 0; i < MEMORY_POINTS; i++) data[i] = 0.001 * (double)i;
    f[0] = ad_fn_create(t, n, x, 1, y, &desc);
    f[1] = ad_fn_gradient(f[0]);
    f[2] = ad_fn_hessian(f[0]);
    f[3] = ad_fn_jacobian(f[1]);
    f[4] = ad_fn_jvp(f[0]);
    f[5] = ad_fn_vjp(f[0]);
    if (ad_fn_status(f[0]) != AD_OK) ok &= ad_tape_status(t) == AD_ERR_MEMORY;
    ad_tape_clear_status(t);
    for (k = 0; k < 6; k++) {
        const ad_status s = ad_fn_status(f[k]);
        const ad_fn_stats stats = ad_fn_get_stats(f[k]);
        ad_status done;
        if (s != AD_OK) {
            ok &= s == AD_ERR_MEMORY && ad_fn_eval(f[k], v, r) == s;
            ok &= ad_fn_map(f[k], 0, NULL, NULL, NULL) == s;
            continue;
        }
        e->succeeded++;
        if (stats.outputs > 200 || stats.inputs > 12) return 0;
        done = ad_fn_eval(f[k], v, r);
        ok &= done == AD_OK
            || (done == AD_ERR_MEMORY && is_nan(r[0]) && is_nan(r[stats.outputs - 1]));
        e->has[k][0] = done == AD_OK;
        for (i = 0; i < stats.outputs && done == AD_OK; i++) e->number[k][0] += r[i];
        for (i = 0; i < stats.inputs; i++)
            in[i] = i ? ad_port_shared(v + i) : ad_port_in(data, 1);
        for (again = 1; again < 3; again++) {       /* the second time the program is there */
            for (i = 0; i < stats.outputs; i++) to[i] = ad_port_sum(r + i);
            to[0] = ad_port_out(out, 1);
            r[0] = 0;
            done = ad_fn_map(f[k], MEMORY_POINTS, in, to, NULL);
            ok &= done == AD_OK || (done == AD_ERR_MEMORY && is_nan(out[0])
                                    && is_nan(out[MEMORY_POINTS - 1])
                                    && (stats.outputs == 1 || is_nan(r[stats.outputs - 1])));
            e->has[k][again] = done == AD_OK;
            for (i = 0; i < MEMORY_POINTS && done == AD_OK; i++) r[0] += out[i];
            for (i = 0; i < stats.outputs && done == AD_OK; i++) e->number[k][again] += r[i];
        }
        e->succeeded += (size_t)(e->has[k][0] + e->has[k][1] + e->has[k][2]);
    }
    for (k = 0; k < 6; k++) ad_fn_destroy(f[k]);
    return ok;
}

/* One call of the allocator fails, each in turn; or it and the next, since who gets no memory to
   spare asks again for less; or it and all that follow. */
static void test_memory(void)
{
    ad_tape *t = ad_tape_create(NULL);
    ad_var x[4], y, w[3];
    heap h;
    everything all, some;
    size_t k, calls, j;
    int i, way;
    for (i = 0; i < 4; i++) x[i] = ad_input(t, 0.5 + 0.25 * i);
    y = ad_var_exp(ad_var_mul(x[0], x[1]));
    if (ad_branch(ad_var_gt_r(y, 0.0))) y = ad_var_add(y, ad_var_tanh(ad_var_sub(y, x[2])));
    y = ad_var_mul(y, ad_var_logsumexp(4, x));
    d_mill_call(t, 3, x, 3, w);
    y = ad_var_add(y, ad_var_dot(3, w, x));
    for (i = 0; i < 2; i++) y = ad_var_sin(ad_var_add_r(ad_var_mul(y, x[i % 4]), 0.1 * i));
    CHECK_STATUS(ad_tape_status(t), AD_OK);
    for (way = 0; way < 4; way++) {
        const unsigned flags = way == 3 ? AD_FN_FAST : 0;
        memset(&h, 0, sizeof h);
        CHECK(use_everything(t, 4, x, &y, flags, &h, &all));
        CHECK(all.succeeded == 24 && h.calls > 0);
        CHECK(h.blocks == 0 && h.live == 0 && h.wrong == 0);
        calls = h.calls;
        for (k = 1; k <= calls; k += (size_t)test_stride()) {
            memset(&h, 0, sizeof h);
            h.fail_at = k;
            h.also = way == 1 || way == 3;
            h.from_then_on = way == 2;
            if (!test_check(use_everything(t, 4, x, &y, flags, &h, &some), __FILE__, __LINE__,
                            "allocation %d of %d fails: a wrong status, or numbers", (int)k,
                            (int)calls)) break;
            if (!test_check(h.blocks == 0 && h.live == 0 && h.wrong == 0, __FILE__, __LINE__,
                            "allocation %d of %d fails: %d blocks left, %d sizes wrong", (int)k,
                            (int)calls, (int)h.blocks, (int)h.wrong)) break;
            for (j = 0; j < 18; j++)
                if (some.has[j / 3][j % 3]
                    && !same(some.number[j / 3][j % 3], all.number[j / 3][j % 3])) break;
            if (!test_check(j == 18, __FILE__, __LINE__,
                            "allocation %d of %d fails: other numbers", (int)k, (int)calls)) break;
        }
        CHECK(k > calls);
    }
    ad_tape_destroy(t);
}

/* A function has all of its constants, or failed for want of memory. */
static void test_memory_of_constants(void)
{
    enum { CONSTANTS = 300 };
    ad_tape *const t = ad_tape_create(NULL);
    ad_var x = ad_input(t, 0.5), y = x;
    ad_fn_desc desc;
    heap h;
    size_t k, made = 0;
    int i, done = 0;
    memset(&desc, 0, sizeof desc);
    desc.resize = heap_resize;
    desc.resize_user = &h;
    for (i = 0; i < CONSTANTS; i++) y = ad_var_add_r(ad_var_sin(y), 1 + 0.001 * i);
    for (k = 1; !done; k++) {
        ad_fn *f;
        memset(&h, 0, sizeof h);
        h.fail_at = k;
        h.also = 1;                              /* who asks for less gets nothing either */
        f = ad_fn_create(t, 1, &x, 1, &y, &desc);
        done = h.calls < k;
        if (f && ad_fn_status(f) == AD_OK) {
            made++;
            test_check(ad_fn_get_stats(f).constants == CONSTANTS, __FILE__, __LINE__,
                       "allocation %d fails: %d constants", (int)k,
                       (int)ad_fn_get_stats(f).constants);
        } else {
            CHECK(ad_fn_status(f) == AD_ERR_MEMORY);
        }
        ad_fn_destroy(f);
        ad_tape_clear_status(t);
        CHECK(h.blocks == 0 && h.wrong == 0);
    }
    CHECK(made > 0 && k > 10);
    ad_tape_destroy(t);
}

/* Small functions are evaluated without memory; in a workspace of the caller's all are. */
static void test_no_memory(void)
{
    ad_tape *t = ad_tape_create(NULL);
    static ad_var x[8], y[3000];
    static double r[3001], q[3001], v[8];
    heap h;
    ad_fn_desc desc;
    ad_fn *f, *g;
    double *work;
    size_t i, before;
    memset(&h, 0, sizeof h);
    memset(&desc, 0, sizeof desc);
    desc.resize = heap_resize;
    desc.resize_user = &h;
    for (i = 0; i < 8; i++) x[i] = ad_input(t, v[i] = 0.1 * (double)i);
    y[0] = ad_var_dot(8, x, x);
    f = ad_fn_create(t, 8, x, 1, y, &desc);
    g = ad_fn_gradient(f);
    GOOD(g);
    before = h.calls;
    h.fail_at = before + 1;
    CHECK(ad_fn_get_stats(g).workspace_bytes <= 16384);
    CHECK_STATUS(ad_fn_eval(f, v, r), AD_OK);
    CHECK_STATUS(ad_fn_eval(g, v, r), AD_OK);
    CHECK(h.calls == before);
    CHECK_NEAR(r[0], 1.4, 1e-15);
    CHECK_NEAR(r[8], 1.4, 1e-15);
    h.fail_at = 0;
    ad_fn_destroy(f);
    ad_fn_destroy(g);
    /* thousands of values, each wanted at the very end */
    for (i = 0; i < 3000; i++) y[i] = ad_var_sin(ad_var_add_r(x[i % 8], (double)i));
    y[0] = ad_var_dot(3000, y, y);
    desc.native = AD_NATIVE_NEVER;           /* which needs less room */
    f = ad_fn_create(t, 8, x, 3000, y, &desc);
    GOOD(f);
    CHECK_STATUS(ad_fn_eval(f, v, r), AD_OK);
    before = h.calls;
    h.fail_at = before + 1;
    work = (double *)malloc(ad_fn_get_stats(f).workspace_bytes + 8);
    CHECK_STATUS(ad_fn_eval_in(f, v, q, work), AD_OK);
    CHECK(h.calls == before && memcmp(q, r, 3000 * sizeof *r) == 0 && q[0] == y[0].v);
    free(work);
    if (ad_fn_get_stats(f).workspace_bytes > 16384) {
        CHECK_STATUS(ad_fn_eval(f, v, r), AD_ERR_MEMORY);
        CHECK(is_nan(r[0]) && is_nan(r[2999]));
    }
    h.fail_at = 0;
    ad_fn_destroy(f);
    CHECK(h.blocks == 0 && h.wrong == 0);
    ad_tape_destroy(t);
}

/* ---------------------------------------------------------------- parameters, names, statistics */

static void test_parameters(void)
{
    static const unsigned char marks[4] = { 0, 1, 0, 1 };
    static const unsigned char all[4] = { 1, 1, 1, 1 };
    ad_tape *t = ad_tape_create(NULL);
    ad_var x[4], y;
    ad_fn_desc desc;
    ad_fn *f, *g, *h, *j;
    double v[8], r[16];
    size_t i;
    memset(&desc, 0, sizeof desc);
    desc.parameters = marks;
    for (i = 0; i < 4; i++) x[i] = ad_input(t, 1.0 + (double)i);
    /* a x^2 + x y b, with parameters a and b */
    y = ad_var_add(ad_var_mul(x[1], ad_var_square(x[0])),
                   ad_var_mul(ad_var_mul(x[0], x[2]), x[3]));
    f = ad_fn_create(t, 4, x, 1, &y, &desc);
    g = ad_fn_gradient(f);
    h = ad_fn_hessian(f);
    GOOD(g);
    GOOD(h);
    CHECK(ad_fn_get_stats(f).variables == 2 && ad_fn_get_stats(f).inputs == 4);
    CHECK(ad_fn_get_stats(g).variables == 2 && ad_fn_get_stats(g).outputs == 3);
    CHECK(ad_fn_get_stats(h).outputs == 7);
    for (i = 0; i < 3; i++) {                       /* others than at the recording */
        const double a = 2.5 - (double)i, b = -0.5 * (double)i, p = 0.5, q = 4;
        v[0] = p;
        v[1] = a;
        v[2] = q;
        v[3] = b;
        CHECK_STATUS(ad_fn_eval(h, v, r), AD_OK);
        CHECK_NEAR(r[0], a * p * p + p * q * b, 1e-15);
        CHECK_NEAR(r[1], 2 * a * p + q * b, 1e-15);
        CHECK_NEAR(r[2], p * b, 1e-15);
        CHECK_NEAR(r[3], 2 * a, 1e-15);
        CHECK_NEAR(r[4], b, 1e-15);
        CHECK_NEAR(r[5], b, 1e-15);
        CHECK(r[6] == 0);
        CHECK_STATUS(ad_fn_eval(g, v, r + 8), AD_OK);
        CHECK_NEAR(r[9], r[1], 1e-15);
    }
    j = ad_fn_jvp(f);                               /* directions are parameters, and only two */
    CHECK(ad_fn_get_stats(j).inputs == 6 && ad_fn_get_stats(j).variables == 2);
    v[4] = 1;
    v[5] = -2;
    CHECK_STATUS(ad_fn_eval(j, v, r + 8), AD_OK);
    CHECK_NEAR(r[9], r[1] - 2 * r[2], 1e-14);
    ad_fn_destroy(j);
    j = ad_fn_jacobian(g);
    CHECK(ad_fn_get_stats(j).outputs == 9);
    ad_fn_destroy(j);
    ad_fn_destroy(g);
    ad_fn_destroy(h);
    ad_fn_destroy(f);
    desc.parameters = all;                          /* nothing to differentiate by */
    f = ad_fn_create(t, 4, x, 1, &y, &desc);
    g = ad_fn_gradient(f);
    h = ad_fn_hessian(f);
    GOOD(g);
    GOOD(h);
    CHECK(ad_fn_get_stats(g).outputs == 1 && ad_fn_get_stats(h).outputs == 1);
    CHECK_STATUS(ad_fn_eval(h, v, r), AD_OK);
    ad_fn_destroy(g);
    ad_fn_destroy(h);
    ad_fn_destroy(f);
    ad_tape_destroy(t);
}

static void has_names(int line, const ad_fn *f, const char *inputs, const char *outputs)
{
    char text[2][1000];
    size_t i, used[2] = { 0, 0 };
    for (i = 0; i < ad_fn_get_stats(f).inputs; i++)
        used[0] += (size_t)snprintf(text[0] + used[0], sizeof text[0] - used[0], "%s%s",
            i ? " " : "", ad_fn_input_name(f, i));
    for (i = 0; i < ad_fn_get_stats(f).outputs; i++)
        used[1] += (size_t)snprintf(text[1] + used[1], sizeof text[1] - used[1], "%s%s",
            i ? " " : "", ad_fn_output_name(f, i));
    test_check(strcmp(text[0], inputs) == 0 && strcmp(text[1], outputs) == 0, __FILE__, line,
        "names are \"%s\" and \"%s\"", text[0], text[1]);
}
#define HAS_NAMES(f, inputs, outputs) has_names(__LINE__, f, inputs, outputs)

static void test_names(void)
{
    static const double at[3] = { 1, 2, 3 };
    static const unsigned char last[3] = { 0, 0, 1 };
    static const char *const in_names[3] = { "alpha", NULL, NULL };
    static const char *const out_names[2] = { NULL, "loss" };
    char changing[] = "beta";
    ad_tape *t = ad_tape_create(NULL);
    ad_var x[3], y[2];
    ad_fn_desc desc;
    ad_fn *f, *g, *h;
    size_t i, k;
    for (i = 0; i < 3; i++) x[i] = ad_input(t, 1.0);
    x[0] = ad_name(x[0], "first");
    x[1] = ad_name(x[1], changing);
    y[0] = ad_var_add(x[0], x[1]);
    y[1] = ad_var_mul(y[0], x[2]);
    memset(&desc, 0, sizeof desc);
    desc.input_names = in_names;
    desc.output_names = out_names;
    f = ad_fn_create(t, 3, x, 2, y, &desc);
    strcpy(changing, "gone");
    ad_tape_destroy(t);
    CHECK_STRING(ad_fn_input_name(f, 0), "alpha");
    CHECK_STRING(ad_fn_input_name(f, 1), "beta");
    CHECK_STRING(ad_fn_input_name(f, 2), "x2");
    CHECK_STRING(ad_fn_output_name(f, 0), "y0");
    CHECK_STRING(ad_fn_output_name(f, 1), "loss");
    CHECK(ad_fn_input_name(f, 3) != NULL && ad_fn_output_name(f, 999) != NULL);
    g = ad_fn_jvp(f);                               /* all have some name, no two the same */
    CHECK_STRING(ad_fn_input_name(g, 0), "alpha");
    for (i = 0; i < 6; i++)
        for (k = 0; k < i; k++)
            CHECK(strcmp(ad_fn_input_name(g, i), ad_fn_input_name(g, k)) != 0);
    HAS_NAMES(g, "alpha beta x2 v_alpha v_beta v_x2", "y0 loss Jv_y0 Jv_loss");
    ad_fn_destroy(g);
    g = ad_fn_vjp(f);
    HAS_NAMES(g, "alpha beta x2 w_y0 w_loss", "y0 loss wJ_alpha wJ_beta wJ_x2");
    ad_fn_destroy(g);
    g = ad_fn_jacobian(f);
    HAS_NAMES(g, "alpha beta x2", "y0 loss dy0_dalpha dy0_dbeta dy0_dx2 dloss_dalpha dloss_dbeta "
        "dloss_dx2");
    h = ad_fn_vjp(g);                               /* names of names */
    HAS_NAMES(h, "alpha beta x2 w_y0 w_loss w_dy0_dalpha w_dy0_dbeta w_dy0_dx2 w_dloss_dalpha "
        "w_dloss_dbeta w_dloss_dx2", "y0 loss dy0_dalpha dy0_dbeta dy0_dx2 dloss_dalpha "
        "dloss_dbeta dloss_dx2 wJ_alpha wJ_beta wJ_x2");
    ad_fn_destroy(h);
    ad_fn_destroy(g);
    ad_fn_destroy(f);
    desc.parameters = last;                         /* the last is a parameter */
    desc.output_names = out_names + 1;
    t = ad_tape_create(NULL);
    ad_inputs(t, 3, at, x);
    f = ad_fn_create(t, 3, x, 1, x + 1, &desc);
    g = ad_fn_gradient(f);
    HAS_NAMES(g, "alpha x1 x2", "loss dloss_dalpha dloss_dx1");
    ad_fn_destroy(g);
    g = ad_fn_hessian(f);
    HAS_NAMES(g, "alpha x1 x2", "loss dloss_dalpha dloss_dx1 d2loss_dalpha_dalpha "
        "d2loss_dalpha_dx1 d2loss_dx1_dalpha d2loss_dx1_dx1");
    ad_fn_destroy(g);
    g = ad_fn_vjp(f);
    HAS_NAMES(g, "alpha x1 x2 w_loss", "loss wJ_alpha wJ_x1");
    ad_fn_destroy(g);
    g = ad_fn_jvp(f);
    HAS_NAMES(g, "alpha x1 x2 v_alpha v_x1", "loss Jv_loss");
    ad_fn_destroy(g);
    ad_fn_destroy(f);
    ad_tape_destroy(t);
}

static const ad_fn_constant *constant_named(const ad_fn_stats *s, const char *name, double value)
{
    size_t i;
    for (i = 0; i < s->constants; i++) {
        const ad_fn_constant *c = &s->constant[i];
        if (same(c->value, value) && (name ? c->name && strcmp(c->name, name) == 0 : !c->name))
            return c;
    }
    return NULL;
}

static void test_constants(void)
{
    ad_tape *t = ad_tape_create(NULL);
    ad_var x = ad_input(t, 1.0), gain = ad_name(ad_input(t, 0.75), "gain"), lost, y, unused;
    const ad_fn_constant *c;
    ad_fn_stats s;
    ad_fn *f, *g;
    double v, r[2];
    lost = ad_input(t, 0.375);
    unused = ad_var_mul_r(ad_var_mul(x, lost), 1234.5);
    (void)unused;
    y = ad_var_mul_r(ad_var_mul(x, gain), 3.5);     /* 3.5 gain x + gain - 3.5 (x - lost) */
    y = ad_var_add(y, gain);
    y = ad_var_sub(y, ad_var_mul_r(ad_var_sub(x, lost), 3.5));
    f = ad_fn_create(t, 1, &x, 1, &y, NULL);
    GOOD(f);
    s = ad_fn_get_stats(f);
    v = 2;
    CHECK_STATUS(ad_fn_eval(f, &v, r), AD_OK);
    CHECK_NEAR(r[0], 3.5 * 0.75 * 2 + 0.75 - 3.5 * 1.625, 1e-15);
    c = constant_named(&s, "gain", 0.75);
    CHECK(c && c->uses == 2);
    c = constant_named(&s, "input", 0.375);
    CHECK(c && c->uses == 1);
    c = constant_named(&s, NULL, 3.5);
    CHECK(c && c->uses == 2);
    CHECK(!constant_named(&s, NULL, 1234.5));
    CHECK(s.constants == 3);
    g = ad_fn_gradient(f);
    CHECK_STATUS(ad_fn_eval(g, &v, r), AD_OK);
    CHECK_NEAR(r[1], 3.5 * 0.75 - 3.5, 1e-15);
    s = ad_fn_get_stats(g);                         /* its function's are its own */
    CHECK(constant_named(&s, "gain", 0.75) != NULL);
    ad_fn_destroy(g);
    ad_fn_destroy(f);
    f = ad_fn_create(t, 1, &x, 1, &x, NULL);        /* none */
    CHECK(ad_fn_get_stats(f).constants == 0);
    ad_fn_destroy(f);
    /* what is computed of captured variables alone: their names, not what is made of them */
    y = ad_var_mul_r(ad_var_mul(x, gain), 3.5);     /* 3.5 gain x + gain^2 - 3.5 exp(lost) */
    y = ad_var_add(y, ad_var_square(gain));
    y = ad_var_sub(y, ad_var_mul_r(ad_var_exp(lost), 3.5));
    f = ad_fn_create(t, 1, &x, 1, &y, NULL);
    s = ad_fn_get_stats(f);
    c = constant_named(&s, "gain", 0.75);
    CHECK(c && c->uses == 2);
    c = constant_named(&s, "input", 0.375);
    CHECK(c && c->uses == 1);
    c = constant_named(&s, NULL, 3.5);
    CHECK(c && c->uses == 2);
    CHECK(s.constants == 3 && s.nodes == 4);
    CHECK_STATUS(ad_fn_eval(f, &v, r), AD_OK);
    CHECK_NEAR(r[0], 3.5 * 0.75 * 2 + 0.5625 - 3.5 * exp(0.375), 1e-15);
    ad_fn_destroy(f);
    ad_tape_destroy(t);
}

/* y = (x0 + 10, x1 + 20). */
static ad_status beside(void *user, size_t n, const double *x, size_t m, double *y)
{
    (void)user;
    (void)n;
    (void)m;
    y[0] = x[0] + 10;
    y[1] = x[1] + 20;
    return AD_OK;
}
static ad_status beside_record(void *user, ad_tape *t, size_t n, const ad_var *x, size_t m,
    const ad_var *y, const ad_var *y_bar, ad_var *x_bar)
{
    (void)user;
    (void)t;
    (void)x;
    (void)m;
    (void)y;
    while (n--) x_bar[n] = y_bar[n];
    return AD_OK;
}
/* Lists of captured numbers: of so many names, each used so often; derivatives have the same list,
   of their own, whatever of it they still need. */
static void test_captured(void)
{
    enum { MOST_NAMES = 5 };
    static const ad_op op = { "beside", beside, NULL, NULL, NULL, beside_record };
    size_t names, i, j, k;
    for (names = 0; names <= MOST_NAMES; names++) {
        ad_tape *t = ad_tape_create(NULL);
        ad_var x = ad_input(t, 1.0), p[MOST_NAMES], y = ad_var_square(x), both[2], result[2];
        ad_fn *f, *g[4];
        const ad_fn_constant *c;
        ad_fn_stats s;
        char text[8];
        for (i = 0; i < names; i++) {               /* p[i] is used i+1 times, i/2 plus 1 too */
            snprintf(text, sizeof text, "p%lu", (unsigned long)i);
            p[i] = ad_name(ad_input(t, (double)i), text);
            for (j = 0; j <= i; j++) y = ad_var_add(ad_var_mul(y, p[i]), x);
            y = ad_var_mul_r(y, (double)(i / 2) + 1);
        }
        both[0] = x;
        both[1] = names ? p[0] : ad_input(t, 0.0);  /* of two results the second alone is used */
        CHECK_STATUS(ad_var_call(t, &op, NULL, 2, both, 2, result), AD_OK);
        y = ad_var_add(y, result[1]);
        f = ad_fn_create(t, 1, &x, 1, &y, NULL);
        GOOD(f);
        g[0] = ad_fn_gradient(f);
        g[1] = ad_fn_hessian(f);
        g[2] = ad_fn_jvp(f);
        g[3] = ad_fn_vjp(g[0]);
        ad_tape_destroy(t);
        s = ad_fn_get_stats(f);
        CHECK(s.constants == names + (names + 1) / 2 + (names == 0));
        for (i = 0; i < names; i++) {
            snprintf(text, sizeof text, "p%lu", (unsigned long)i);
            CHECK(constant_named(&s, text, (double)i)
                && constant_named(&s, text, (double)i)->uses == i + 1 + (i == 0));
            c = constant_named(&s, NULL, (double)(i / 2) + 1);
            CHECK(c && c->uses == (i / 2 * 2 + 1 < names ? 2u : 1u));
        }
        for (k = 0; k < 4; k++) {
            const ad_fn_stats of = ad_fn_get_stats(g[k]);
            CHECK(of.constants == s.constants);
            for (i = 0; i < s.constants && i < of.constants; i++) {
                const ad_fn_constant *const a = &of.constant[i], *const b = &s.constant[i];
                CHECK(a->value == b->value && a->uses == b->uses && !a->name == !b->name);
                CHECK(!a->name || (strcmp(a->name, b->name) == 0 && (a->name != b->name
                                                                     || *b->name == 'i')));
            }
        }
        ad_fn_destroy(f);
        for (k = 0; k < 4; k++) {
            const ad_fn_stats of = ad_fn_get_stats(g[k]);
            for (i = 0; i < names; i++) {
                snprintf(text, sizeof text, "p%lu", (unsigned long)i);
                CHECK(constant_named(&of, text, (double)i) != NULL);
            }
        }
        for (k = 0; k < 4; k++) ad_fn_destroy(g[k]);
    }
}

/* A function on which every pass has something to do: each counts, and switched off does not. */
static void test_passes(void)
{
    enum { N = 100 };
    static double data[N], out[N];
    ad_tape *t = ad_tape_create(NULL);
    ad_var x[3], z, y, sum;
    ad_fn_stats all, s;
    ad_fn_desc desc;
    ad_fn *f, *g;
    ad_port in[3], to[1];
    double v[3], r[1], expected;
    size_t i, nodes;
    int k;
    for (i = 0; i < 3; i++) x[i] = ad_input(t, 0.5 + (double)i);
    z = ad_input(t, 3.0);                                       /* captured */
    y = ad_var_mul(x[0], ad_var_exp(z));                        /* exp(3) is folded */
    y = ad_var_mul_r(y, 1.0);                                   /* a rule's */
    y = ad_var_add(y, ad_var_div_r(x[1], 8.0));                 /* cheaper: times 1/8 */
    sum = ad_const(0.0);
    for (k = 0; k < 20; k++)                                    /* computed twice; fused */
        sum = ad_var_add(sum, ad_var_mul(ad_var_sin(ad_var_mul(x[0], x[2])), y));
    y = ad_var_add(sum, y);
    desc.parameters = NULL;
    memset(&desc, 0, sizeof desc);
    f = ad_fn_create(t, 3, x, 1, &y, &desc);
    GOOD(f);
    all = ad_fn_get_stats(f);
    CHECK(all.folded > 0);
    CHECK(all.rewritten > 0);
    CHECK(all.reduced > 0 && all.reduced < 100);
    CHECK(all.merged > 0);
    CHECK(all.fused > 0);
    CHECK(all.nodes < all.trace_nodes && all.instructions > 0);
    CHECK(all.live_slots >= 3 && all.workspace_bytes > 0 && all.bytes > 0 && all.average_live > 0);
    CHECK(all.inputs == 3 && all.outputs == 1 && all.variables == 3 && all.guards == 0);
    v[0] = 0.7;
    v[1] = 1.9;
    v[2] = -2;
    CHECK_STATUS(ad_fn_eval(f, v, &expected), AD_OK);
    for (i = 0; i < AGREE_PASSES; i++) {
        desc.skip = agree_passes[i].bit;
        g = ad_fn_create(t, 3, x, 1, &y, &desc);
        s = ad_fn_get_stats(g);
        CHECK(s.trace_nodes == all.trace_nodes);
        CHECK(s.nodes >= all.nodes);
        if (desc.skip == AD_FN_FOLD) CHECK(s.folded == 0);
        if (desc.skip == AD_FN_RULES) CHECK(s.rewritten == 0);
        if (desc.skip == AD_FN_REDUCE) CHECK(s.reduced == 0);
        if (desc.skip == AD_FN_CSE) CHECK(s.merged == 0 && s.nodes > all.nodes);
        if (desc.skip == AD_FN_DEAD) CHECK(s.dead == 0);
        if (desc.skip == AD_FN_FUSE) CHECK(s.fused == 0 && s.instructions > all.instructions);
        if (desc.skip == AD_FN_SCHEDULE) CHECK_STRING(s.order, "trace");
        if (desc.skip == AD_FN_REUSE) CHECK(s.live_slots > all.live_slots);
        CHECK_STATUS(ad_fn_eval(g, v, r), AD_OK);
        CHECK(same(r[0], expected));
        ad_fn_destroy(g);
    }
    desc.skip = AGREE_ALL;
    g = ad_fn_create(t, 3, x, 1, &y, &desc);
    s = ad_fn_get_stats(g);
    CHECK(!s.folded && !s.rewritten && !s.reduced && !s.merged && !s.dead && !s.fused);
    nodes = s.nodes;
    CHECK(nodes >= all.trace_nodes);
    ad_fn_destroy(g);
    /* what a map leaves in a function counts among its bytes */
    for (i = 0; i < N; i++) data[i] = (double)i;
    in[0] = ad_port_in(data, 1);
    in[1] = ad_port_shared(v + 1);
    in[2] = ad_port_shared(v + 2);
    to[0] = ad_port_out(out, 1);
    CHECK_STATUS(ad_fn_map(f, N, in, to, NULL), AD_OK);
    CHECK(ad_fn_get_stats(f).bytes > all.bytes);
    CHECK(ad_fn_get_stats(f).nodes == all.nodes);
    i = ad_fn_get_stats(f).bytes;
    CHECK_STATUS(ad_fn_map(f, N, in, to, NULL), AD_OK);          /* the same pattern: nothing new */
    CHECK(ad_fn_get_stats(f).bytes == i);
    ad_fn_destroy(f);
    /* what the outputs do not depend on is not counted */
    ad_tape_reset(t);
    ad_inputs(t, 3, v, x);
    ad_var_sum(3, x);
    y = ad_var_exp(ad_var_mul(x[0], x[1]));
    ad_var_dot(3, x, x);
    ad_var_sin(x[2]);
    f = ad_fn_create(t, 3, x, 1, &y, NULL);
    CHECK(ad_fn_get_stats(f).trace_nodes == 2);
    ad_fn_destroy(f);
    ad_tape_destroy(t);
}

/* Of three orders the one with the fewest live values is taken for points by the block, too: a map
   keeps a row of each value that is alive. Here all sines are recorded before any is taken. */
static void test_orders_of_maps(void)
{
    enum { TERMS = 4000, N = 256 };
    static double data[N], out[2][N];
    size_t room[2], i, k;
    for (k = 0; k < 2; k++) {
        ad_tape *const t = ad_tape_create(NULL);
        ad_var *const term = (ad_var *)malloc(TERMS * sizeof *term);
        const ad_var x = ad_input(t, 0.5);
        ad_var y = ad_const(0);
        ad_map_desc map;
        ad_fn_desc desc;
        ad_port in, to;
        ad_fn *f;
        heap h;
        for (i = 0; i < TERMS; i++) term[i] = ad_var_sin(ad_var_add_r(x, (double)i));
        for (i = 0; i < TERMS; i++) y = ad_var_add(ad_var_mul_r(y, 0.5), term[i]);
        memset(&desc, 0, sizeof desc);
        memset(&map, 0, sizeof map);
        memset(&h, 0, sizeof h);
        desc.skip = k ? AD_FN_SCHEDULE : 0;
        desc.resize = heap_resize;
        desc.resize_user = &h;
        map.threads = 1;
        f = ad_fn_create(t, 1, &x, 1, &y, &desc);
        GOOD(f);
        for (i = 0; i < N; i++) data[i] = 0.01 * (double)i;
        in = ad_port_in(data, 1);
        to = ad_port_out(out[k], 1);
        CHECK_STATUS(ad_fn_map(f, N, &in, &to, &map), AD_OK);       /* makes its program */
        h.peak = h.live;
        CHECK_STATUS(ad_fn_map(f, N, &in, &to, &map), AD_OK);
        room[k] = h.peak - h.live;
        ad_fn_destroy(f);
        ad_tape_destroy(t);
        free(term);
        CHECK(h.blocks == 0 && h.wrong == 0);
    }
    CHECK(memcmp(out[0], out[1], sizeof out[0]) == 0);
    test_check(room[0] < 65536 && room[1] > 16 * room[0] && room[1] > TERMS * sizeof(double),
        __FILE__, __LINE__, "a map takes %lu bytes, in the order of the trace %lu",
        (unsigned long)room[0], (unsigned long)room[1]);
}

/* ---------------------------------------------------------------- long and wide */

static void test_long_chain(void)
{
    const int LENGTH = 1000000 / test_stride();
    ad_tape *t = ad_tape_create(NULL);
    ad_var x = ad_input(t, 0.25), a = ad_input(t, 0.5), in[2], y = x;
    ad_fn *f, *g;
    double v[2], r[3], p, dp, da;
    int i;
    for (i = 0; i < LENGTH / 2; i++) y = ad_var_add(ad_var_mul(y, a), x);
    in[0] = x;
    in[1] = a;
    f = ad_fn_create(t, 2, in, 1, &y, NULL);
    GOOD(f);
    v[0] = 0.75;
    v[1] = -0.625;
    CHECK_STATUS(ad_fn_eval(f, v, r), AD_OK);
    for (p = v[0], i = 0; i < LENGTH / 2; i++) p = p * v[1] + v[0];
    CHECK(r[0] == p);
    CHECK(ad_fn_get_stats(f).live_slots < 100);     /* however long, two or three at a time */
    ad_fn_destroy(f);
    /* its gradient, of a tenth of it */
    ad_tape_reset(t);
    in[0] = y = x = ad_input(t, 0.25);
    in[1] = a = ad_input(t, 0.5);
    for (i = 0; i < LENGTH / 20; i++) y = ad_var_add(ad_var_mul(y, a), x);
    f = ad_fn_create(t, 2, in, 1, &y, NULL);
    g = ad_fn_gradient(f);
    GOOD(g);
    CHECK_STATUS(ad_fn_eval(g, v, r), AD_OK);
    for (p = v[0], dp = 1, da = 0, i = 0; i < LENGTH / 20; i++) {
        da = da * v[1] + p;
        dp = dp * v[1] + 1;
        p = p * v[1] + v[0];
    }
    CHECK(r[0] == p);
    CHECK_NEAR(r[1], dp, 1e-13);
    CHECK_NEAR(r[2], da, 1e-13);
    ad_fn_destroy(g);
    ad_fn_destroy(f);
    /* 2^200 paths from the input to the output */
    ad_tape_reset(t);
    y = x = ad_input(t, 1.0);
    for (i = 0; i < 200; i++) y = ad_var_mul_r(ad_var_add(y, ad_var_mul_r(y, 0.5)), 0.5);
    f = ad_fn_create(t, 1, &x, 1, &y, NULL);
    g = ad_fn_hessian(f);
    GOOD(g);
    v[0] = 1;
    CHECK_STATUS(ad_fn_eval(g, v, r), AD_OK);
    CHECK_NEAR(r[0] / pow(0.75, 200), 1, 1e-13);
    CHECK_NEAR(r[1] / pow(0.75, 200), 1, 1e-13);
    CHECK(r[2] == 0);
    ad_fn_destroy(g);
    ad_fn_destroy(f);
    ad_tape_destroy(t);
}

static void test_wide(void)
{
    enum { WIDE = 100000 };
    ad_tape *t = ad_tape_create(NULL);
    ad_var *x = (ad_var *)malloc(WIDE * sizeof *x), *y = (ad_var *)malloc(WIDE * sizeof *y), s;
    double *v = (double *)malloc(WIDE * sizeof *v), *r = (double *)malloc((WIDE + 1) * sizeof *r);
    ad_fn *f, *g;
    size_t i;
    int bad = 0;
    for (i = 0; i < WIDE; i++) v[i] = (double)(i % 1000) * 0.001;
    CHECK_STATUS(ad_inputs(t, WIDE, v, x), AD_OK);
    s = ad_const(0.0);
    for (i = 0; i < WIDE; i++) {
        y[i] = ad_var_mul(x[i], x[(i + 1) % WIDE]);
        s = ad_var_add(s, ad_var_square(x[i]));
    }
    f = ad_fn_create(t, WIDE, x, WIDE, y, NULL);                /* as many outputs as inputs */
    GOOD(f);
    for (i = 0; i < WIDE; i++) v[i] = 1 + (double)(i % 7);
    CHECK_STATUS(ad_fn_eval(f, v, r), AD_OK);
    for (i = 0; i < WIDE; i++) bad += r[i] != v[i] * v[(i + 1) % WIDE];
    CHECK(bad == 0);
    ad_fn_destroy(f);
    f = ad_fn_create(t, WIDE, x, 1, &s, NULL);                  /* a sum, and its gradient */
    g = ad_fn_gradient(f);
    GOOD(g);
    CHECK_STATUS(ad_fn_eval(g, v, r), AD_OK);
    for (i = 0; i < WIDE; i++) bad += r[1 + i] != 2 * v[i];
    CHECK(bad == 0);
    ad_fn_destroy(g);
    ad_fn_destroy(f);
    s = ad_var_dot(WIDE, x, y);                                 /* a list of all of them */
    f = ad_fn_create(t, WIDE, x, 1, &s, NULL);
    GOOD(f);
    CHECK(ad_fn_get_stats(f).trace_nodes >= WIDE);
    CHECK_STATUS(ad_fn_eval(f, v, r), AD_OK);
    for (r[1] = 0, i = 0; i < WIDE; i++) r[1] += v[i] * (v[i] * v[(i + 1) % WIDE]);
    CHECK(r[0] == r[1]);
    ad_fn_destroy(f);
    free(x);
    free(y);
    free(v);
    free(r);
    ad_tape_destroy(t);
}

/* ---------------------------------------------------------------- any order */

/* exp(a x + b y): all its derivatives are powers of a and b times itself. */
static void test_orders(void)
{
    const double a = 0.5, b = -1.25;
    ad_tape *t = ad_tape_create(NULL);
    ad_var x[2], y;
    ad_fn *f, *g, *h, *third, *fourth, *j;
    double v[6], r[64], e;
    int i, k, l, n;
    x[0] = ad_input(t, 0.0);
    x[1] = ad_input(t, 0.0);
    y = ad_var_exp(ad_var_add(ad_var_mul_r(x[0], a), ad_var_mul_r(x[1], b)));
    f = ad_fn_create(t, 2, x, 1, &y, NULL);
    g = ad_fn_gradient(f);
    h = ad_fn_jacobian(g);                          /* 3 + 3*2 */
    third = ad_fn_jacobian(h);                      /* 9 + 9*2 */
    fourth = ad_fn_jvp(third);                      /* 27, then along v */
    GOOD(fourth);
    v[0] = 0.3;
    v[1] = -0.7;
    v[2] = 2;
    v[3] = -3;
    e = exp(0.15 + 0.875);
    CHECK_STATUS(ad_fn_eval(fourth, v, r), AD_OK);
    for (n = 0; n < 2; n++) {                       /* the second time, times the direction */
        const double along = n ? 2 * a - 3 * b : 1;
        const double *p = r + 27 * n;
        CHECK_NEAR(p[0], e * along, 1e-14);
        for (i = 0; i < 2; i++) {
            CHECK_NEAR(p[1 + i], e * along * (i ? b : a), 1e-14);
            CHECK_NEAR(p[3 + i], e * along * (i ? b : a), 1e-14);
            CHECK_NEAR(p[9 + i], e * along * (i ? b : a), 1e-14);
            for (k = 0; k < 2; k++) {
                const double second = e * along * (i ? b : a) * (k ? b : a);
                CHECK_NEAR(p[5 + 2 * i + k], second, 1e-14);
                CHECK_NEAR(p[11 + 2 * i + k], second, 1e-14);
                CHECK_NEAR(p[15 + 2 * i + k], second, 1e-14);
                for (l = 0; l < 2; l++)
                    CHECK_NEAR(p[19 + 4 * i + 2 * k + l], second * (l ? b : a), 1e-14);
            }
        }
    }
    ad_fn_destroy(fourth);
    ad_fn_destroy(third);
    ad_fn_destroy(h);
    h = ad_fn_hessian(f);
    third = ad_fn_vjp(h);                           /* 7 outputs weighted by w */
    j = ad_fn_vjp(third);
    GOOD(j);
    CHECK(ad_fn_get_stats(third).inputs == 9 && ad_fn_get_stats(third).outputs == 9);
    CHECK(ad_fn_get_stats(j).inputs == 18 && ad_fn_get_stats(j).outputs == 11);
    {
        double q[18], w = 0;
        const double parts[7] = { 1, a, b, a * a, a * b, b * a, b * b };
        q[0] = v[0];
        q[1] = v[1];
        for (i = 0; i < 7; i++) w += (q[2 + i] = 0.5 * i - 1) * parts[i];
        CHECK_STATUS(ad_fn_eval(third, q, r), AD_OK);
        CHECK_NEAR(r[7], e * w * a, 1e-13);
        CHECK_NEAR(r[8], e * w * b, 1e-13);
        for (i = 0; i < 9; i++) q[9 + i] = i < 7 ? 0 : i - 6;    /* of those two: 1 and 2 times */
        CHECK_STATUS(ad_fn_eval(j, q, r), AD_OK);
        CHECK_NEAR(r[9], e * w * a * (a + 2 * b), 1e-13);
        CHECK_NEAR(r[10], e * w * b * (a + 2 * b), 1e-13);
    }
    ad_fn_destroy(j);
    ad_fn_destroy(third);
    ad_fn_destroy(h);
    ad_fn_destroy(g);
    ad_fn_destroy(f);
    ad_tape_destroy(t);
}

/* A zero adjoint stops, at other points than the recording's too: 0 times an infinite partial. */
static void test_zero_stops(void)
{
    ad_tape *t = ad_tape_create(NULL);
    ad_var x[2], y;
    ad_fn *f, *g;
    double r[3], point[2], out[3];
    ad_port in[2], to[3];
    ad_map_desc how;
    int which, level, i;
    for (which = 0; which < 4; which++) {
        ad_tape_reset(t);
        x[0] = ad_input(t, 1.5);
        x[1] = ad_input(t, 2.5);
        y = which == 0 ? ad_var_sqrt(x[0]) : which == 1 ? ad_var_cbrt(x[0])
            : which == 2 ? ad_var_hypot(ad_var_sqrt(x[0]), x[1]) : ad_var_pow_r(x[0], 0.5);
        y = ad_var_mul(y, x[1]);
        f = ad_fn_create(t, 2, x, 1, &y, NULL);
        g = ad_fn_gradient(f);
        GOOD(g);
        point[0] = point[1] = 0;
        CHECK_STATUS(ad_fn_eval(g, point, r), AD_OK);
        CHECK(r[0] == 0 && r[1] == 0 && r[2] == 0);
        for (i = 0; i < 2; i++) in[i] = ad_port_in(point + i, 1);
        for (i = 0; i < 3; i++) to[i] = ad_port_out(out + i, 3);
        memset(&how, 0, sizeof how);
        for (level = AD_SIMD_PLAIN; level <= AD_SIMD_NEON; level++) {
            if (!ad_kernels_get((ad_simd)level)) continue;
            how.simd = (ad_simd)level;
            out[0] = out[1] = out[2] = 7;
            CHECK_STATUS(ad_fn_map(g, 1, in, to, &how), AD_OK);
            CHECK(out[0] == 0 && out[1] == 0 && out[2] == 0);
        }
        point[1] = 1;                               /* and without it, it is infinite */
        CHECK_STATUS(ad_fn_eval(g, point, r), AD_OK);
        CHECK(which == 2 || r[1] == HUGE_VAL);
        ad_fn_destroy(g);
        ad_fn_destroy(f);
    }
    ad_tape_destroy(t);
}

/* ---------------------------------------------------------------- guarded singularities */

#define G_VAR(op) ad_var_##op
#define G_DUAL(op) ad_dual_##op
#define G_DUAL4(op) ad_dual4_##op
#define G_ARRAY(op) ad_array_##op
#define G_ARRAY_NUM(c) ad_array_full(x.tape, 0, NULL, c)
GUARDED_FUNCTION(guarded_var, ad_var, G_VAR, ad_const)
GUARDED_FUNCTION(guarded_dual, ad_dual, G_DUAL, ad_dual_num)
GUARDED_FUNCTION(guarded_dual4, ad_dual4, G_DUAL4, ad_dual4_num)
GUARDED_FUNCTION(guarded_array, ad_array, G_ARRAY, G_ARRAY_NUM)

static ad_var guarded_fun(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    (void)t;
    (void)n;
    return guarded_var(*(int *)user, x[0]);
}

/* What a mode says of a function at a point, against the tape recorded there; the first difference
   of each mode is kept. */
typedef struct guarded_mode { const char *name; int wrong; double at, by, got, want; } guarded_mode;
typedef struct guarded_study {
    double y[GUARDED_POINTS], g[GUARDED_POINTS];      /* the tape's */
    guarded_mode mode[64];
    int modes;
} guarded_study;

/* One number of mode `name` at point q, of a function recorded at point p (or at q itself). */
static void guarded_is(guarded_study *s, const char *name, int p, int q, double got, double want)
{
    guarded_mode *m = s->mode;
    if (want != want || test_near(got, want, 1e-9)) return;
    while (m < s->mode + s->modes && strcmp(m->name, name) != 0) m++;
    if (m == s->mode + s->modes) {
        if (s->modes == 64) return;
        s->modes++;
        memset(m, 0, sizeof *m);
        m->name = name;
    }
    if (m->wrong++) return;
    m->at = guarded_point[q];
    m->by = guarded_point[p];
    m->got = got;
    m->want = want;
}
#define IS(name, p, q, got_y, got_g) (guarded_is(s, name " value", p, q, got_y, s->y[q]),          \
                                      guarded_is(s, name, p, q, got_g, s->g[q]))

/* The modes that look at point q alone; the reference is the reverse sweep. */
static void guarded_here(guarded_study *s, int which, int q, ad_tape *t)
{
    const double at = guarded_point[q], one = 1, seeds[2] = { 1, 0 };
    ad_var x, y, g;
    double v, d, h, both[2];
    ad_dual r;
    ad_dual4 r4;
    ad_tape_reset(t);
    x = ad_input(t, at);
    y = guarded_var(which, x);
    CHECK_STATUS(ad_backward(y), AD_OK);
    s->y[q] = y.v;
    s->g[q] = ad_adjoint(x);
    if (which >= GUARDED_INFINITE && at == (which == 45 || which == 46 ? 0 : 1))
        test_check(s->g[q] != s->g[q], __FILE__, __LINE__, "%s, the tape at %g: %g, not NaN",
            guarded_name[which], at, s->g[q]);
    CHECK_STATUS(ad_backward_seeded(t, 1, &y, &one), AD_OK);
    IS("seeded sweep", q, q, y.v, ad_adjoint(x));
    CHECK_STATUS(ad_jacobian_reverse(t, 1, &x, 1, &y, &d), AD_OK);
    IS("eight adjoints", q, q, y.v, d);
    CHECK_STATUS(ad_jacobian_forward(t, 1, &x, 1, &y, &d), AD_OK);
    IS("eight tangents", q, q, y.v, d);
    CHECK_STATUS(ad_jacobian_times(t, 1, &x, 2, seeds, 1, &y, both), AD_OK);
    IS("compressed Jacobian", q, q, y.v, both[0]);
    IS("a direction of zeros", q, q, y.v, both[1] == 0 ? s->g[q] : both[1]);
    CHECK_STATUS(ad_forward(t, 1, &x, &one), AD_OK);
    IS("tangent sweep", q, q, y.v, ad_tangent(y));
    CHECK_STATUS(ad_forward_over_reverse(y, 1, &x, &one), AD_OK);
    IS("forward over reverse", q, q, y.v, ad_adjoint(x));
    CHECK_STATUS(ad_hessian_of(y, 1, &x, &h), AD_OK);
    CHECK_STATUS(ad_grad_vars(y, 1, &x, &g), AD_OK);
    IS("recorded gradient", q, q, y.v, g.v);
    CHECK_STATUS(ad_gradient(NULL, guarded_fun, &which, &at, 1, &v, &d), AD_OK);
    IS("ad_gradient", q, q, v, d);
    CHECK_STATUS(ad_hvp(NULL, guarded_fun, &which, &at, 1, &one, &v, &d, &h), AD_OK);
    IS("ad_hvp's gradient", q, q, v, d);
    r = guarded_dual(which, ad_dual_make(at, 1));
    IS("dual", q, q, r.v, r.d);
    r4 = guarded_dual4(which, ad_dual4_seed(at, 2));
    IS("dual4", q, q, r4.v, r4.d[2]);
    IS("dual4's other lanes", q, q, r4.v, r4.d[1] == 0 ? s->g[q] : r4.d[1]);
}

/* Compiled functions recorded at point p, at all points. */
static void guarded_compiled(guarded_study *s, int which, int p, ad_tape *t, unsigned skip)
{
    ad_fn *f, *made[4];
    ad_fn_desc desc;
    ad_var x, y;
    int k, q, level;
    memset(&desc, 0, sizeof desc);
    desc.skip = skip;
    ad_tape_reset(t);
    x = ad_input(t, guarded_point[p]);
    y = guarded_var(which, x);
    f = ad_fn_create(t, 1, &x, 1, &y, &desc);
    made[0] = ad_fn_gradient(f);
    made[1] = ad_fn_jacobian(f);
    made[2] = ad_fn_jvp(f);
    made[3] = ad_fn_vjp(f);
    for (k = 0; k < 4; k++) GOOD(made[k]);
    for (q = 0; q < GUARDED_POINTS; q++) {
        double in[2], out[2];
        ad_var u[2], w[2], g;
        in[0] = guarded_point[q];
        in[1] = 1;
        CHECK_STATUS(ad_fn_eval(made[0], in, out), AD_OK);
        IS("compiled gradient", p, q, out[0], out[1]);
        CHECK_STATUS(ad_fn_eval(made[1], in, out), AD_OK);
        IS("compiled Jacobian", p, q, out[0], out[1]);
        CHECK_STATUS(ad_fn_eval(made[2], in, out), AD_OK);
        IS("compiled J v", p, q, out[0], out[1]);
        CHECK_STATUS(ad_fn_eval(made[3], in, out), AD_OK);
        IS("compiled w J", p, q, out[0], out[1]);
        ad_tape_reset(t);
        u[0] = ad_input(t, in[0]);
        CHECK_STATUS(ad_fn_record(f, t, u, w), AD_OK);
        CHECK_STATUS(ad_backward(w[0]), AD_OK);
        IS("recorded function", p, q, w[0].v, ad_adjoint(u[0]));
        CHECK_STATUS(ad_grad_vars(w[0], 1, u, &g), AD_OK);
        IS("recorded function's gradient", p, q, w[0].v, g.v);
        CHECK_STATUS(ad_fn_record(made[0], t, u, w), AD_OK);
        IS("recorded compiled gradient", p, q, w[0].v, w[1].v);
    }
    for (level = AD_SIMD_PLAIN; level <= AD_SIMD_NEON; level++) {
        double value[GUARDED_POINTS], slope[GUARDED_POINTS];
        ad_port in, out[2];
        ad_map_desc how;
        if (!ad_kernels_get((ad_simd)level)) continue;
        memset(&how, 0, sizeof how);
        how.simd = (ad_simd)level;
        in = ad_port_in(guarded_point, 1);
        out[0] = ad_port_out(value, 1);
        out[1] = ad_port_out(slope, 1);
        CHECK_STATUS(ad_fn_map(made[0], GUARDED_POINTS, &in, out, &how), AD_OK);
        for (q = 0; q < GUARDED_POINTS; q++) {
            if (level == AD_SIMD_PLAIN) IS("map, plain", p, q, value[q], slope[q]);
            else IS("map", p, q, value[q], slope[q]);
        }
    }
    {   /* as one operation on an array of all points, and the rows of arrays */
        const int32_t n = GUARDED_POINTS;
        ad_array a, r;
        ad_tape_reset(t);
        a = ad_array_input(t, 1, &n, guarded_point);
        r = ad_array_map(f, 1, &a);
        CHECK_STATUS(ad_array_backward(r, NULL), AD_OK);
        for (q = 0; q < n; q++)
            IS("array map", p, q, ad_array_values(r)[q], ad_array_adjoints(a)[q]);
        if (p == 0) {
            r = guarded_array(which, a);
            CHECK_STATUS(ad_array_backward(r, NULL), AD_OK);
            for (q = 0; q < n; q++)
                IS("array", q, q, ad_array_values(r)[q], ad_array_adjoints(a)[q]);
            CHECK_STATUS(ad_array_grad(ad_array_item(ad_array_sum(r, AD_ALL_AXES, 0)), 1, &a, &r),
                AD_OK);
            for (q = 0; q < n; q++)
                IS("array's recorded gradient", q, q, s->y[q], ad_array_values(r)[q]);
        }
        CHECK_STATUS(ad_tape_status(t), AD_OK);
    }
    for (k = 0; k < 4; k++) ad_fn_destroy(made[k]);
    ad_fn_destroy(f);
}

/* Recorded at every kind of point, evaluated at every other, in all modes: values and gradients are
   those of the tape recorded there. A zero adjoint or a zero partial stops whatever meets it. */
static void test_guarded(void)
{
    static guarded_study study;
    ad_tape *const t = ad_tape_create(NULL);
    guarded_study *const s = &study;
    int which, p, k;
    for (which = 0; which < GUARDED; which++) {
        s->modes = 0;
        for (p = 0; p < GUARDED_POINTS; p++) guarded_here(s, which, p, t);
        for (p = 0; p < GUARDED_POINTS; p++) {
            guarded_compiled(s, which, p, t, 0);
            guarded_compiled(s, which, p, t, AD_FN_FOLD | AD_FN_RULES | AD_FN_REDUCE | AD_FN_CSE);
        }
        for (k = 0; k < s->modes; k++) {
            const guarded_mode *const m = &s->mode[k];
            test_check(0, __FILE__, __LINE__, "%s, %s at %g, recorded at %g: %.10g, not %.10g; %d "
                "such numbers", guarded_name[which], m->name, m->at, m->by, m->got, m->want,
                m->wrong);
        }
        test_check(s->modes == 0, __FILE__, __LINE__, "%s: %d modes differ from the tape",
            guarded_name[which], s->modes);
    }
    ad_tape_destroy(t);
}

/* The recorded gradient of a function at every element is one of several outputs, and is computed
   piece by piece. */
static void test_pieces_of_array_maps(void)
{
    enum { N = 9001 };
    static double at[N];
    const int32_t n = N;
    ad_tape *const t = ad_tape_create(NULL);
    ad_fn *const f = ad_fn_parse("sin(p*x)", "x, p", NULL, 0);
    const double p = 0.75;
    ad_array x[2], g[2], slope[2];
    int i, wrong = 0;
    for (i = 0; i < N; i++) at[i] = 0.001 * i - 3;
    x[0] = ad_array_input(t, 1, &n, at);
    x[1] = ad_array_input(t, 0, NULL, &p);
    g[0] = ad_array_sum(ad_array_map(f, 2, x), AD_ALL_AXES, 0);
    CHECK_STATUS(ad_array_grad(ad_array_item(g[0]), 2, x, slope), AD_OK);
    for (i = 0; i < N; i++)
        wrong += !(fabs(ad_array_values(slope[0])[i] - p * cos(p * at[i])) <= 1e-14);
    CHECK(wrong == 0);
    g[1] = ad_array_sum(slope[0], AD_ALL_AXES, 0);     /* and once more */
    CHECK_STATUS(ad_array_grad(ad_array_item(g[1]), 1, x, g), AD_OK);
    for (i = 0; i < N; i++)
        wrong += !(fabs(ad_array_values(g[0])[i] + p * p * sin(p * at[i])) <= 1e-14);
    CHECK(wrong == 0);
    ad_tape_destroy(t);
    ad_fn_destroy(f);
}

/* Second derivatives of functions of two variables with a branch that is singular where it is not
   taken: recorded at every point, evaluated at every other, by every way to a Hessian. */
static ad_var branching(int which, ad_var x, ad_var y)
{
    const ad_var d = ad_var_sub_r(x, 1), none = ad_var_mul_r(y, 0);
    const ad_var steep = ad_var_exp(ad_var_mul_r(x, -1000));
    switch (which) {
    case 0: return ad_var_mul(y, ad_var_select(ad_var_eq_r(d, 0), x,
                ad_var_mul(ad_var_inv(d), ad_var_sin(d))));
    case 1: return ad_var_select(ad_var_gt_r(x, 0), ad_var_mul(ad_var_mul(x, ad_var_log(x)), y),
                ad_var_mul(y, y));
    case 2: return ad_var_select(ad_var_gt_r(d, 0), ad_var_exp(ad_var_neg(ad_var_inv(d))), none);
    case 3: return ad_var_select(ad_var_lt_r(ad_var_abs(x), 1), ad_var_exp(ad_var_neg(ad_var_inv(
                ad_var_sub_from_r(1, ad_var_square(x))))), none);
    case 4: return ad_var_hypot(d, ad_var_select(ad_var_eq_r(d, 0), none,
                ad_var_mul(ad_var_inv(d), ad_var_square(d))));
    case 5: return ad_var_select(ad_var_lt_r(x, 0), ad_var_mul(x, y),
                ad_var_mul(steep, ad_var_square(y)));
    case 6: return ad_var_mul(ad_var_relu(x), ad_var_add(y, ad_var_relu(ad_var_sub(y, steep))));
    case 7: return ad_var_min(ad_var_mul(y, steep), ad_var_mul(y, x));
    case 8: return ad_var_max(ad_var_mul(y, ad_var_sqrt(x)), ad_var_mul(y, x));
    default: return ad_var_mul(y, ad_var_mul(ad_var_gt_r(x, 0), steep));
    }
}
static ad_var branching_fun(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    (void)t;
    (void)n;
    return branching(*(int *)user, x[0], x[1]);
}
static int is_hessian(const double *H, const double *want)
{
    int k, right = 1;
    for (k = 0; k < 4; k++)
        right &= H[k] != H[k] ? want[k] != want[k]
               : H[k] == want[k] || fabs(H[k] - want[k]) <= 1e-12 * (1e-3 + fabs(want[k]));
    return right;
}
/* Second derivatives far out, and at infinity: forward over reverse and the recorded gradient's say
   the same of every rule of one operand. */
static void test_far_seconds(void)
{
    static const double at[] = { 1e160, -1e160, 1e308, -1e308, 1.7e308, -1.7e308,
        (double)INFINITY, -(double)INFINITY };
    ad_tape *const t = ad_tape_create(NULL);
    const double one = 1;
    size_t count, i, k;
    const ad_rule *const rule = ad_rules(&count);
    for (i = 0; i < count; i++)
        for (k = 0; k < sizeof at / sizeof *at && rule[i].operands == 1; k++) {
            char text[64];
            ad_fn *f;
            ad_var x, y;
            double H, d;
            snprintf(text, sizeof text, "%s(x)", rule[i].name);
            f = ad_fn_parse(text, "x", NULL, 0);
            ad_tape_reset(t);
            x = ad_input(t, at[k]);
            CHECK_STATUS(ad_fn_record(f, t, &x, &y), AD_OK);
            CHECK_STATUS(ad_forward_over_reverse(y, 1, &x, &one), AD_OK);
            d = ad_adjoint_tangent(x);
            CHECK_STATUS(ad_hessian_of(y, 1, &x, &H), AD_OK);
            test_check(d == H || (is_nan(d) && is_nan(H)) || fabs(d - H) <= 1e-12 * fabs(H),
                __FILE__, __LINE__, "%s''(%g): %g and %g", rule[i].name, at[k], d, H);
            ad_fn_destroy(f);
        }
    ad_tape_destroy(t);
    {                                            /* and in float */
        adf_tape *const s = adf_tape_create(NULL);
        const adf_var x = adf_input(s, (float)INFINITY);
        const float along = 1;
        CHECK_STATUS(adf_forward_over_reverse(adf_var_square(x), 1, &x, &along), AD_OK);
        CHECK(adf_adjoint_tangent(x) == 2);
        adf_tape_destroy(s);
    }
}

/* A rewind below a mark, and what is recorded then: the mark says nothing of it any more. */
static void test_old_marks(void)
{
    ad_tape *const t = ad_tape_create(NULL);
    const double in = -1;
    double out = 0;
    ad_var x = ad_input(t, 0.5), y = x;
    ad_fn *f;
    size_t mark;
    int i;
    for (i = 0; i < 9; i++) y = ad_var_sin(y);
    mark = ad_tape_mark(t);
    ad_tape_rewind(t, mark / 2);
    ad_branch(ad_var_gt_r(x, 0));
    for (i = 0; i < 15; i++) y = ad_var_sin(x);
    ad_tape_rewind(t, mark);
    y = ad_var_exp(x);
    f = ad_fn_create(t, 1, &x, 1, &y, NULL);
    CHECK_STATUS(ad_fn_eval(f, &in, &out), AD_ERR_BRANCH);
    ad_fn_destroy(f);
    ad_tape_destroy(t);
}

static void test_branching_hessians(void)
{
    static const double point[] = { -2, -1, -0.5, 0, 0.5, 1, 2, 2.5 };
    enum { POINTS = sizeof point / sizeof *point };
    ad_tape *const t = ad_tape_create(NULL);
    int which, from, at, wrong = 0;
    for (which = 0; which < 10; which++)
        for (from = 0; from < POINTS; from++) {
            const double start[2] = { point[from], 1.5 };
            ad_var x[2], y;
            ad_fn *f, *g, *H, *J, *S;
            ad_pattern p;
            ad_inputs(t, 2, start, x);
            y = branching(which, x[0], x[1]);
            f = ad_fn_create(t, 2, x, 1, &y, NULL);
            g = ad_fn_gradient(f);
            H = ad_fn_hessian(f);
            J = ad_fn_jacobian(g);
            S = ad_fn_sparse_hessian(f, &p);
            for (at = 0; at < POINTS; at++) {
                const double here[3] = { point[at], 1.5, 1 };    /* and f's weight */
                double want[4], out[9], sparse[4] = { 0, 0, 0, 0 };
                size_t r, k;
                CHECK_STATUS(ad_hessian(t, branching_fun, &which, here, 2, NULL, NULL, want),
                             AD_OK);
                CHECK_STATUS(ad_fn_eval(H, here, out), AD_OK);
                wrong += !is_hessian(out + 3, want);
                CHECK_STATUS(ad_fn_eval(J, here, out), AD_OK);
                wrong += !is_hessian(out + 5, want);
                CHECK_STATUS(ad_fn_eval(S, here, out), AD_OK);
                for (r = 0; r < 2; r++)
                    for (k = p.row_start[r]; k < p.row_start[r + 1]; k++)
                        sparse[2 * r + p.column[k]] = sparse[2 * p.column[k] + r] = out[k];
                wrong += !is_hessian(sparse, want);
                test_check(wrong == 0, __FILE__, __LINE__, "function %d of %g at %g", which,
                    point[from], point[at]);
            }
            ad_pattern_free(&p);
            ad_fn_destroy(S);
            ad_fn_destroy(J);
            ad_fn_destroy(H);
            ad_fn_destroy(g);
            ad_fn_destroy(f);
            ad_tape_reset(t);
        }
    ad_tape_destroy(t);
}

/* ---------------------------------------------------------------- sums over data */

enum { DATA = 997, CENTRES = 3 };

/* The negative log-likelihood of a mixture of normal distributions at one x: weights, means and
   logarithms of deviations are shared. */
static ad_var mixture(const ad_var *p, ad_var x)
{
    ad_var term[CENTRES];
    int k;
    for (k = 0; k < CENTRES; k++) {
        const ad_var q = ad_var_mul(ad_var_sub(x, p[CENTRES + k]),
                                    ad_var_exp(ad_var_neg(p[2 * CENTRES + k])));
        term[k] = ad_var_sub(ad_var_sub(p[k], p[2 * CENTRES + k]),
                             ad_var_mul_r(ad_var_square(q), 0.5));
    }
    return ad_var_sub(ad_var_logsumexp(CENTRES, p), ad_var_logsumexp(CENTRES, term));
}

static void test_sums(void)
{
    enum { N = 3 * CENTRES };
    static double data[DATA];
    static const unsigned char marks[N + 1] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 };
    ad_tape *t = ad_tape_create(NULL);
    ad_var x[N + 1], y;
    ad_fn_desc desc;
    ad_fn *f, *g;
    ad_port in[N + 1], out[N + 1];
    double p[N], reference[N + 1], sum[N + 1], again[N + 1];
    size_t i, k;
    int level, uniform;
    for (i = 0; i < N; i++) p[i] = 0.2 * (double)i - 0.5;
    for (i = 0; i < DATA; i++) data[i] = sin(1.3 * (double)i) * 2;
    /* recorded and swept anew at each x */
    memset(reference, 0, sizeof reference);
    for (i = 0; i < DATA; i++) {
        ad_tape_reset(t);
        ad_inputs(t, N, p, x);
        x[N] = ad_input(t, data[i]);
        y = mixture(x, x[N]);
        ad_backward(y);
        reference[0] += y.v;
        for (k = 0; k < N; k++) reference[1 + k] += ad_adjoint(x[k]);
    }
    memset(&desc, 0, sizeof desc);
    desc.parameters = marks;
    for (uniform = 0; uniform < 2; uniform++) {
        desc.skip = uniform ? 0 : AD_FN_UNIFORM;
        f = ad_fn_create(t, N + 1, x, 1, &y, &desc);
        g = ad_fn_gradient(f);
        if (!GOOD(g)) return;
        for (i = 0; i < N; i++) in[i] = ad_port_shared(p + i);
        in[N] = ad_port_in(data, 1);
        for (i = 0; i < N + 1; i++) out[i] = ad_port_sum(sum + i);
        for (level = AD_SIMD_PLAIN; level <= AD_SIMD_NEON; level++) {
            ad_map_desc how;
            int threads;
            if (!ad_kernels_get((ad_simd)level)) continue;
            memset(&how, 0, sizeof how);
            how.simd = (ad_simd)level;
            for (i = 0; i < N + 1; i++) sum[i] = 99;            /* written, not added to */
            CHECK_STATUS(ad_fn_map(g, DATA, in, out, &how), AD_OK);
            for (i = 0; i < N + 1; i++) CHECK_NEAR(sum[i], reference[i], 1e-12);
            memcpy(again, sum, sizeof sum);
            CHECK_STATUS(ad_fn_map(g, DATA, in, out, &how), AD_OK);
            CHECK(memcmp(again, sum, sizeof sum) == 0);
            how.independent = 1;
            for (threads = 1; threads < 5; threads++) {
                how.threads = threads;
                CHECK_STATUS(ad_fn_map(g, DATA, in, out, &how), AD_OK);
                if (threads > 1) CHECK(memcmp(again, sum, sizeof sum) == 0);
                memcpy(again, sum, sizeof sum);
            }
            for (i = 0; i < N + 1; i++) CHECK_NEAR(sum[i], reference[i], 1e-12);
        }
        ad_fn_destroy(g);
        ad_fn_destroy(f);
    }
    ad_tape_destroy(t);
}

/* What is shared leaves a sum in every way it may: sums of products, quotients, of what all points
   share; and of the derivatives of these by everything. */
enum { WAYS = 24 };
static void many_ways(const ad_var *x, ad_var *y)       /* x[0], x[1] vary, x[2], x[3] are shared */
{
    const ad_var a = x[0], b = x[1], u = x[2], w = x[3];
    size_t n = 0;
    y[n++] = ad_var_div(a, u);
    y[n++] = ad_var_div(u, a);
    y[n++] = ad_var_neg(ad_var_div(a, w));
    y[n++] = ad_var_mul(a, u);
    y[n++] = ad_var_mul(ad_var_mul(a, u), b);
    y[n++] = ad_var_mul(b, ad_var_mul(u, a));
    y[n++] = ad_var_mul(ad_var_neg(a), b);
    y[n++] = ad_var_mul(ad_var_mul(a, u), ad_var_mul(b, w));
    y[n++] = ad_var_div(ad_var_mul(a, u), w);
    y[n++] = ad_var_mul0(a, u);
    y[n++] = ad_var_mul0(u, ad_var_mul(a, b));
    y[n++] = ad_var_add(a, u);
    y[n++] = ad_var_sub(u, a);
    y[n++] = u;
    y[n++] = ad_const(3.0);
    y[n++] = ad_var_mul(u, w);
    y[n++] = ad_var_mul(ad_var_exp(u), a);
    y[n++] = ad_var_mul(ad_var_sqrt(u), ad_var_add(a, b));
    y[n++] = ad_var_div(ad_var_sub(a, b), ad_var_add(u, w));
    y[n++] = ad_var_div_r(ad_var_mul_r(a, 3.0), 7.0);
    y[n++] = ad_var_select(ad_var_gt(u, w), a, b);
    y[n++] = ad_var_mul(a, ad_var_neg(ad_var_mul(u, u)));
    y[n++] = ad_var_fma(a, u, ad_var_mul(b, w));
    y[n++] = a;
}

static void test_factors(void)
{
    enum { N = 333, ALL = WAYS * 5 };
    static double data[2 * N], each[ALL];
    static double sum[ALL], reference[ALL], size[ALL];
    ad_tape *t = ad_tape_create(NULL);
    ad_var x[4], y[WAYS];
    ad_fn_desc desc;
    ad_map_desc how;
    ad_port in[4], out[ALL];
    double v[4];
    size_t i, j;
    int level, skip;
    for (i = 0; i < 2 * N; i++) data[i] = 0.5 + 0.01 * (double)(i * i % 97);
    v[2] = 1.75;
    v[3] = -0.3;
    for (skip = 0; skip < 3; skip++) {
        ad_fn *f, *g;
        memset(&desc, 0, sizeof desc);
        desc.skip = skip == 0 ? 0u : skip == 1 ? (unsigned)AD_FN_UNIFORM : (unsigned)AD_FN_CSE;
        ad_tape_reset(t);
        for (i = 0; i < 4; i++) x[i] = ad_input(t, i < 2 ? data[i] : v[i]);
        many_ways(x, y);
        f = ad_fn_create(t, 4, x, WAYS, y, &desc);
        g = ad_fn_jacobian(f);
        GOOD(g);
        memset(reference, 0, sizeof reference);
        memset(size, 0, sizeof size);
        for (i = 0; i < N; i++) {
            v[0] = data[2 * i];
            v[1] = data[2 * i + 1];
            ad_tape_reset(t);
            for (j = 0; j < 4; j++) x[j] = ad_input(t, v[j]);
            many_ways(x, y);
            ad_jacobian_reverse(t, 4, x, WAYS, y, each + WAYS);
            for (j = 0; j < WAYS; j++) each[j] = y[j].v;
            for (j = 0; j < ALL; j++) {
                reference[j] += each[j];
                size[j] += fabs(each[j]);
            }
        }
        in[0] = ad_port_in(data, 2);
        in[1] = ad_port_in(data + 1, 2);
        in[2] = ad_port_shared(v + 2);
        in[3] = ad_port_shared(v + 3);
        for (j = 0; j < ALL; j++) out[j] = ad_port_sum(sum + j);
        memset(&how, 0, sizeof how);
        for (level = AD_SIMD_PLAIN; level <= AD_SIMD_NEON; level++) {
            if (!ad_kernels_get((ad_simd)level)) continue;
            how.simd = (ad_simd)level;
            CHECK_STATUS(ad_fn_map(g, N, in, out, &how), AD_OK);
            for (j = 0; j < ALL; j++)
                test_check(fabs(sum[j] - reference[j]) <= 1e-13 * size[j], __FILE__, __LINE__,
                           "result %d is %.17g, not %.17g", (int)j, sum[j], reference[j]);
        }
        ad_fn_destroy(g);
        ad_fn_destroy(f);
    }
    ad_tape_destroy(t);
}

/* Whose mathematics: the function's instruction set, or the call's. */
static void test_levels(void)
{
    enum { N = 300 };
    static double data[N], kernel[N], out[N];
    ad_tape *t = ad_tape_create(NULL);
    ad_var x = ad_input(t, 0.5), y = ad_var_tan(x);
    ad_fn_desc desc;
    ad_map_desc how;
    ad_port in, to;
    size_t i;
    int made, called;
    for (i = 0; i < N; i++) data[i] = 0.01 * (double)i;
    in = ad_port_in(data, 1);
    to = ad_port_out(out, 1);
    memset(&desc, 0, sizeof desc);
    memset(&how, 0, sizeof how);
    for (made = AD_SIMD_BEST; made <= AD_SIMD_NEON; made++) {
        ad_fn *f;
        if (!ad_kernels_get((ad_simd)made)) continue;
        desc.simd = (ad_simd)made;
        f = ad_fn_create(t, 1, &x, 1, &y, &desc);
        GOOD(f);
        for (called = AD_SIMD_BEST; called <= AD_SIMD_NEON; called++) {
            const ad_kernels *k = ad_kernels_get((ad_simd)(called ? called : made));
            if (!k) continue;
            how.simd = (ad_simd)called;
            CHECK_STATUS(ad_fn_map(f, N, &in, &to, &how), AD_OK);
            ad_kernel_tan(k, N, data, kernel);
            CHECK(memcmp(out, kernel, sizeof out) == 0);
        }
        CHECK_STATUS(ad_fn_map(f, N, &in, &to, NULL), AD_OK);
        ad_kernel_tan(ad_kernels_get((ad_simd)made), N, data, kernel);
        CHECK(memcmp(out, kernel, sizeof out) == 0);
        CHECK_STATUS(ad_fn_eval(f, data + 100, out), AD_OK);        /* one point: the tape's */
        CHECK(out[0] == tan(1.0));
        ad_fn_destroy(f);
    }
    ad_tape_destroy(t);
}

/* What all points share is computed once: a user's operation counts its calls. */
static size_t calls_made;
static ad_status counted(void *user, size_t n, const double *x, size_t m, double *y)
{
    (void)user;
    (void)n;
    (void)m;
    calls_made++;
    y[0] = x[0] * x[0];
    return AD_OK;
}
static const ad_op counting = { "counted", counted, NULL, NULL, NULL, NULL };

/* Results of calls keep slots of their own; what a call has read is overwritten. */
static void test_call_slots(void)
{
    enum { N = 40 };
    ad_tape *t = ad_tape_create(NULL);
    const ad_var x = ad_input(t, 0.5);
    ad_var y = x, z;
    ad_fn *f;
    int i;
    for (i = 0; i < N; i++) {
        z = ad_var_sin(y);
        CHECK_STATUS(ad_var_call(t, &counting, NULL, 1, &z, 1, &y), AD_OK);
    }
    f = ad_fn_create(t, 1, &x, 1, &y, NULL);
    GOOD(f);
    CHECK(ad_fn_get_stats(f).live_slots <= N + 8);
    ad_fn_destroy(f);
    ad_tape_destroy(t);
}

static void test_uniform(void)
{
    enum { N = 500 };
    static double data[N], out[N];
    ad_tape *t = ad_tape_create(NULL);
    ad_var x[2], y, z;
    ad_fn_desc desc;
    ad_fn *f;
    ad_port in[2], to[2];
    double v = 3, sum;
    size_t i;
    x[0] = ad_input(t, 1.0);
    x[1] = ad_input(t, 2.0);
    CHECK_STATUS(ad_var_call(t, &counting, NULL, 1, x, 1, &y), AD_OK);
    z = ad_var_add(y, x[1]);
    memset(&desc, 0, sizeof desc);
    for (i = 0; i < N; i++) data[i] = (double)i;
    in[0] = ad_port_shared(&v);
    in[1] = ad_port_in(data, 1);
    to[0] = ad_port_out(out, 1);
    f = ad_fn_create(t, 2, x, 1, &z, &desc);
    calls_made = 0;
    CHECK_STATUS(ad_fn_map(f, N, in, to, NULL), AD_OK);
    CHECK(calls_made == 1);
    for (i = 0; i < N && out[i] == 9 + data[i]; i++) continue;
    CHECK(i == N);
    v = 5;                                          /* not kept from call to call */
    CHECK_STATUS(ad_fn_map(f, N, in, to, NULL), AD_OK);
    CHECK(out[3] == 28);
    in[0] = ad_port_in(data, 1);                    /* not shared any more: another program */
    calls_made = 0;
    CHECK_STATUS(ad_fn_map(f, N, in, to, NULL), AD_OK);
    CHECK(calls_made == N && out[10] == 110);
    ad_fn_destroy(f);
    desc.skip = AD_FN_UNIFORM;
    f = ad_fn_create(t, 2, x, 1, &z, &desc);
    in[0] = ad_port_shared(&v);
    CHECK_STATUS(ad_fn_map(f, N, in, to, NULL), AD_OK);
    CHECK(out[3] == 28);
    ad_fn_destroy(f);
    /* an output that is the same at all points, written to each; summed: so many times as much */
    f = ad_fn_create(t, 2, x, 1, x, NULL);
    CHECK_STATUS(ad_fn_map(f, N, in, to, NULL), AD_OK);
    for (i = 0; i < N && out[i] == 5; i++) continue;
    CHECK(i == N);
    to[0] = ad_port_sum(&sum);
    CHECK_STATUS(ad_fn_map(f, N, in, to, NULL), AD_OK);
    CHECK_NEAR(sum, 5.0 * (double)N, 1e-14);
    ad_fn_destroy(f);
    ad_tape_destroy(t);
}

/* ---------------------------------------------------------------- contracted, fast */

/* A function that suffers no cancellation: Rosenbrock's, and a logistic term. */
static ad_var tame(const ad_var *x)
{
    ad_var s = ad_const(0.0), a, b;
    int i;
    for (i = 0; i < 5; i++) {
        a = ad_var_sub(x[i + 1], ad_var_square(x[i]));
        b = ad_var_sub_from_r(1.0, x[i]);
        s = ad_var_add(s, ad_var_add(ad_var_mul_r(ad_var_square(a), 100.0), ad_var_square(b)));
    }
    return ad_var_add(s, ad_var_softplus(ad_var_sum(6, x)));
}

static void test_flags(void)
{
    static const unsigned flags[3] = { AD_FN_CONTRACT, AD_FN_FAST, AD_FN_CONTRACT | AD_FN_FAST };
    ad_tape *t = ad_tape_create(NULL);
    ad_var x[6], y, a, b, c, d, in[3];
    ad_fn_desc desc;
    ad_fn *f, *exact, *g, *h;
    double v[6], r[43], e[43];
    size_t i, k;
    for (i = 0; i < 6; i++) x[i] = ad_input(t, v[i] = 2 + 0.3 * (double)i);
    y = tame(x);
    exact = ad_fn_create(t, 6, x, 1, &y, NULL);
    h = ad_fn_hessian(exact);
    CHECK_STATUS(ad_fn_eval(h, v, e), AD_OK);
    ad_fn_destroy(h);
    memset(&desc, 0, sizeof desc);
    for (k = 0; k < 3; k++) {
        desc.flags = flags[k];
        f = ad_fn_create(t, 6, x, 1, &y, &desc);
        h = ad_fn_hessian(f);
        GOOD(h);
        CHECK_STATUS(ad_fn_eval(h, v, r), AD_OK);
        for (i = 0; i < 43; i++) CHECK_NEAR(r[i], e[i], 1e-13);
        ad_fn_destroy(h);
        ad_fn_destroy(f);
    }
    ad_fn_destroy(exact);
    /* a product and a sum, rounded once: when asked, and only then */
    for (i = 0; i < 3; i++) in[i] = x[i];
    y = ad_var_add(ad_var_mul(x[0], x[1]), x[2]);
    v[0] = 1 + DBL_EPSILON;
    v[1] = 1 - DBL_EPSILON;
    v[2] = -1;
    f = ad_fn_create(t, 3, in, 1, &y, NULL);
    CHECK_STATUS(ad_fn_eval(f, v, r), AD_OK);
    CHECK(r[0] == 0);
    ad_fn_destroy(f);
    desc.flags = AD_FN_CONTRACT;
    f = ad_fn_create(t, 3, in, 1, &y, &desc);
    CHECK_STATUS(ad_fn_eval(f, v, r), AD_OK);
    CHECK(r[0] == -DBL_EPSILON * DBL_EPSILON);
    ad_fn_destroy(f);
    /* fast: what need not be computed is not */
    a = ad_var_sub(x[0], x[0]);
    b = ad_var_mul_r(x[0], 0.0);
    c = ad_var_add_r(x[0], 0.0);
    d = ad_var_div(x[0], x[0]);
    desc.flags = AD_FN_FAST;
    f = ad_fn_create(t, 6, x, 1, &a, &desc);
    CHECK(ad_fn_get_stats(f).nodes == 0);
    ad_fn_destroy(f);
    f = ad_fn_create(t, 6, x, 1, &b, &desc);
    CHECK(ad_fn_get_stats(f).nodes == 0);
    ad_fn_destroy(f);
    f = ad_fn_create(t, 6, x, 1, &c, &desc);
    CHECK(ad_fn_get_stats(f).nodes == 0);
    ad_fn_destroy(f);
    f = ad_fn_create(t, 6, x, 1, &d, &desc);
    CHECK(ad_fn_get_stats(f).nodes <= 1);
    v[0] = 3;
    CHECK_STATUS(ad_fn_eval(f, v, r), AD_OK);
    CHECK(r[0] == 1);
    g = ad_fn_gradient(f);                          /* what is made from it is fast, too */
    GOOD(g);
    ad_fn_destroy(g);
    ad_fn_destroy(f);
    ad_tape_destroy(t);
}

/* ---------------------------------------------------------------- an optimiser's traps */

typedef ad_var (*trap)(ad_var x, ad_var y);
#define TRAP(name, e) static ad_var name(ad_var x, ad_var y) { (void)x; (void)y; return e; }

/* What leaves the bits as they are, and how many operations are left at most. */
TRAP(times_one, ad_var_mul_r(x, 1.0))
TRAP(one_times, ad_var_mul_from_r(1.0, x))
TRAP(by_one, ad_var_div_r(x, 1.0))
TRAP(plus_minus_zero, ad_var_add_r(x, -0.0))
TRAP(less_zero, ad_var_sub_r(x, 0.0))
TRAP(neg_neg, ad_var_neg(ad_var_neg(x)))
TRAP(minus_one_twice, ad_var_mul_r(ad_var_mul_r(x, -1.0), -1.0))
TRAP(twice_the_same, ad_var_sub(ad_var_sin(ad_var_mul(x, y)), ad_var_sin(ad_var_mul(x, y))))
TRAP(swapped, ad_var_div(ad_var_mul(x, y), ad_var_mul(y, x)))
TRAP(swapped_sums, ad_var_div(ad_var_add(x, y), ad_var_add(y, x)))
TRAP(squared, ad_var_powi(x, 2))
TRAP(eighth, ad_var_div_r(x, 8.0))
TRAP(abs_abs, ad_var_abs(ad_var_abs(x)))
TRAP(less_neg, ad_var_sub(x, ad_var_neg(y)))
TRAP(plus_neg, ad_var_add(x, ad_var_neg(y)))
TRAP(to_the_first, ad_var_powi(x, 1))
static const struct { const char *name; trap f; size_t nodes; } easy[] = {
    { "x*1", times_one, 0 }, { "1*x", one_times, 0 }, { "x/1", by_one, 0 },
    { "x + -0", plus_minus_zero, 0 }, { "x - 0", less_zero, 0 }, { "-(-x)", neg_neg, 0 },
    { "x*-1*-1", minus_one_twice, 0 }, { "sin(x*y) - sin(x*y)", twice_the_same, 3 },
    { "x*y / (y*x)", swapped, 2 }, { "(x+y) / (y+x)", swapped_sums, 2 }, { "x^2", squared, 1 },
    { "x/8", eighth, 1 }, { "abs(abs(x))", abs_abs, 1 }, { "x - (-y)", less_neg, 1 },
    { "x + (-y)", plus_neg, 1 }, { "x^1", to_the_first, 0 } };

/* What an optimiser is tempted to do, and must not. */
TRAP(plus_zero, ad_var_add_r(x, 0.0))
TRAP(zero_plus, ad_var_add_from_r(0.0, x))
TRAP(zero_less, ad_var_sub_from_r(0.0, x))
TRAP(less_minus_zero, ad_var_sub_r(x, -0.0))
TRAP(minus_zero_less, ad_var_sub_from_r(-0.0, x))
TRAP(less_itself, ad_var_sub(x, x))
TRAP(by_itself, ad_var_div(x, x))
TRAP(times_zero, ad_var_mul_r(x, 0.0))
TRAP(times_minus_zero, ad_var_mul_r(x, -0.0))
TRAP(zero_by, ad_var_div_from_r(0.0, x))
TRAP(by_three, ad_var_div_r(x, 3.0))
TRAP(by_ten, ad_var_div_r(x, 10.0))
TRAP(by_tiny, ad_var_div_r(x, 4.9406564584124654e-324))
TRAP(by_huge, ad_var_div_r(x, 8.98846567431158e307))
TRAP(by_zero, ad_var_div_r(x, 0.0))
TRAP(there_and_back, ad_var_sub_r(ad_var_add_r(x, 1.0), 1.0))
TRAP(up_and_down, ad_var_div_r(ad_var_mul_r(x, 2.0), 2.0))
TRAP(down_and_up, ad_var_mul_r(ad_var_mul_r(x, 0.5), 2.0))
TRAP(inv_inv, ad_var_inv(ad_var_inv(x)))
TRAP(root_of_square, ad_var_sqrt(ad_var_square(x)))
TRAP(square_of_root, ad_var_square(ad_var_sqrt(x)))
TRAP(exp_log, ad_var_exp(ad_var_log(x)))
TRAP(log_exp, ad_var_log(ad_var_exp(x)))
TRAP(neg_difference, ad_var_neg(ad_var_sub(x, y)))
TRAP(neg_sum, ad_var_neg(ad_var_add(x, y)))
TRAP(neg_neg_sum, ad_var_add(ad_var_neg(x), ad_var_neg(y)))
TRAP(common_factor, ad_var_add(ad_var_mul(x, y), ad_var_mul_r(x, 3.0)))
TRAP(regroup, ad_var_add_r(ad_var_add_r(x, 0.1), 0.2))
TRAP(regroup_product, ad_var_mul_r(ad_var_mul_r(x, 0.1), 3.0))
TRAP(equal_itself, ad_var_eq(x, x))
TRAP(at_least_itself, ad_var_ge(x, x))
TRAP(differs, ad_var_ne(x, x))
TRAP(less_than_itself, ad_var_lt(x, x))
TRAP(max_itself, ad_var_max(x, x))
TRAP(max_zero, ad_var_max_r(x, 0.0))
TRAP(min_max, ad_var_min(ad_var_max(x, y), x))
TRAP(select_one, ad_var_select(ad_var_gt(x, y), x, x))
TRAP(select_not, ad_var_select(ad_var_eq(ad_var_gt(x, y), ad_const(0.0)), x, y))
TRAP(select_larger, ad_var_select(ad_var_gt(x, y), x, y))
TRAP(power_two, ad_var_pow_r(x, 2.0))
TRAP(power_half, ad_var_pow_r(x, 0.5))
TRAP(power_one, ad_var_pow_r(x, 1.0))
TRAP(power_zero, ad_var_pow_r(x, 0.0))
TRAP(power_inverse, ad_var_pow_r(x, -1.0))
TRAP(power_three, ad_var_powi(x, 3))
TRAP(power_minus_two, ad_var_powi(x, -2))
TRAP(power_seven, ad_var_powi(x, 7))
TRAP(one_to_the, ad_var_pow_from_r(1.0, x))
TRAP(two_to_the, ad_var_pow_from_r(2.0, x))
TRAP(sign_abs, ad_var_mul(ad_var_sign(x), ad_var_abs(x)))
TRAP(copy_own_sign, ad_var_copysign(x, x))
TRAP(neg_abs, ad_var_abs(ad_var_neg(x)))
TRAP(neg_square, ad_var_square(ad_var_neg(x)))
TRAP(floor_floor, ad_var_floor(ad_var_floor(x)))
TRAP(rounded, ad_var_sub(x, ad_var_floor(x)))
TRAP(sub0_itself, ad_var_sub0(x, x))
TRAP(mul0_zero, ad_var_mul0_r(x, 0.0))
TRAP(div0_zero, ad_var_div0_r(x, 0.0))
TRAP(fma_one, ad_var_fma(x, ad_const(1.0), y))
TRAP(fma_zero, ad_var_fma(x, ad_const(0.0), y))
TRAP(fma_no_sum, ad_var_fma(x, y, ad_const(-0.0)))
TRAP(fused, ad_var_sub(ad_var_mul(x, y), ad_var_mul(x, y)))
TRAP(fused_sum, ad_var_add(ad_var_mul(x, y), ad_var_mul(y, y)))
TRAP(fused_both, ad_var_sub(ad_var_mul(x, x), ad_var_mul(y, y)))
TRAP(product_less_itself, ad_var_sub(y, ad_var_mul(x, y)))
TRAP(sine_of_minus, ad_var_sin(ad_var_neg(x)))
TRAP(cosine_of_minus, ad_var_cos(ad_var_neg(x)))
TRAP(tanh_of_minus, ad_var_tanh(ad_var_neg(x)))
TRAP(cube_root_cubed, ad_var_powi(ad_var_cbrt(x), 3))
TRAP(twice_by_sum, ad_var_add(x, x))
TRAP(clamp_equal, ad_var_clamp(x, ad_const(0.0), ad_const(-0.0)))
TRAP(relu_relu, ad_var_relu(ad_var_relu(x)))
TRAP(relu_minus, ad_var_sub(ad_var_relu(x), ad_var_relu(ad_var_neg(x))))
TRAP(remainder_one, ad_var_fmod_r(x, 1.0))
TRAP(ceil_ceil, ad_var_ceil(ad_var_ceil(x)))
TRAP(round_round, ad_var_round(ad_var_round(x)))
TRAP(trunc_trunc, ad_var_trunc(ad_var_trunc(x)))
TRAP(floor_ceil, ad_var_floor(ad_var_ceil(x)))
TRAP(neg_by_neg, ad_var_div(ad_var_neg(x), ad_var_neg(y)))
TRAP(neg_by_number, ad_var_div_r(ad_var_neg(x), 2.5))
TRAP(by_minus_one, ad_var_div_r(x, -1.0))
TRAP(neg_times_neg, ad_var_mul(ad_var_neg(x), ad_var_neg(x)))
TRAP(select_nonzero, ad_var_select(ad_var_ne_r(x, 0.0), x, y))
TRAP(select_zero, ad_var_select(ad_var_eq_r(x, 0.0), x, y))
TRAP(select_zero_of_sum, ad_var_select(ad_var_eq_r(ad_var_sub(x, y), 0.0), ad_var_sin(x), y))
TRAP(select_always, ad_var_select(ad_const(3.0), x, y))
TRAP(select_never, ad_var_select(ad_const(-0.0), x, y))
TRAP(cosh_abs, ad_var_cosh(ad_var_abs(x)))
TRAP(cosh_neg, ad_var_cosh(ad_var_neg(x)))
TRAP(cos_abs, ad_var_cos(ad_var_abs(x)))
TRAP(abs_exp, ad_var_abs(ad_var_exp(x)))
TRAP(abs_square, ad_var_abs(ad_var_mul(x, x)))
TRAP(min_itself, ad_var_min(x, x))
TRAP(greater_or_less, ad_var_add(ad_var_gt(x, y), ad_var_mul_r(ad_var_lt(y, x), 2.0)))
TRAP(at_most, ad_var_sub(ad_var_ge(x, y), ad_var_le(y, x)))
TRAP(mul0_number, ad_var_mul0_r(x, 2.5))
TRAP(mul0_infinite, ad_var_mul0_r(x, HUGE_VAL))
TRAP(div0_number, ad_var_div0_r(x, 2.5))
TRAP(div0_infinite, ad_var_div0_r(x, HUGE_VAL))
TRAP(sub0_number, ad_var_sub0_r(x, 2.5))
TRAP(sub0_infinite, ad_var_sub0_r(x, HUGE_VAL))
TRAP(power_four, ad_var_powi(x, 4))
TRAP(power_five, ad_var_powi(x, 5))
TRAP(power_six, ad_var_powi(x, 6))
TRAP(power_minus_three, ad_var_powi(x, -3))
TRAP(power_fraction, ad_var_ipow_r(x, 2.75))
static const struct { const char *name; trap f; } hard[] = {
#define H(name) { #name, name }
    H(plus_zero), H(zero_plus), H(zero_less), H(less_minus_zero), H(minus_zero_less),
    H(less_itself), H(by_itself), H(times_zero), H(times_minus_zero), H(zero_by), H(by_three),
    H(by_ten), H(by_tiny), H(by_huge), H(by_zero), H(there_and_back), H(up_and_down),
    H(down_and_up), H(inv_inv), H(root_of_square), H(square_of_root), H(exp_log), H(log_exp),
    H(neg_difference), H(neg_sum), H(neg_neg_sum), H(common_factor), H(regroup),
    H(regroup_product), H(equal_itself), H(at_least_itself), H(differs), H(less_than_itself),
    H(max_itself), H(max_zero), H(min_max), H(select_one), H(select_not), H(select_larger),
    H(power_two), H(power_half), H(power_one), H(power_zero), H(power_inverse), H(power_three),
    H(power_minus_two), H(power_seven), H(one_to_the), H(two_to_the), H(sign_abs),
    H(copy_own_sign), H(neg_abs), H(neg_square), H(floor_floor), H(rounded), H(sub0_itself),
    H(mul0_zero), H(div0_zero), H(fma_one), H(fma_zero), H(fma_no_sum), H(fused), H(fused_sum),
    H(fused_both), H(product_less_itself), H(sine_of_minus), H(cosine_of_minus),
    H(tanh_of_minus), H(cube_root_cubed), H(twice_by_sum), H(clamp_equal), H(relu_relu),
    H(relu_minus), H(remainder_one), H(ceil_ceil), H(round_round), H(trunc_trunc), H(floor_ceil),
    H(neg_by_neg), H(neg_by_number), H(by_minus_one), H(neg_times_neg), H(select_nonzero),
    H(select_zero), H(select_zero_of_sum), H(select_always), H(select_never), H(cosh_abs),
    H(cosh_neg), H(cos_abs), H(abs_exp), H(abs_square), H(min_itself), H(greater_or_less),
    H(at_most), H(mul0_number), H(mul0_infinite), H(div0_number), H(div0_infinite),
    H(sub0_number), H(sub0_infinite), H(power_four), H(power_five), H(power_six),
    H(power_minus_three), H(power_fraction)
#undef H
};

/* What a fast function may do to these is small where all is finite. */
TRAP(products_less, ad_var_sub(ad_var_mul(x, y), ad_var_mul_r(x, 0.25)))
TRAP(products_difference, ad_var_sub(ad_var_mul(x, ad_var_exp(y)), ad_var_mul(x, y)))
TRAP(up_up, ad_var_add_r(ad_var_add_r(x, 1.5), 0.25))
TRAP(down_up, ad_var_add_r(ad_var_sub_r(x, 1.5), 4.0))
TRAP(up_down, ad_var_sub_r(ad_var_add_r(x, 2.5), 0.25))
TRAP(down_down, ad_var_sub_r(ad_var_sub_r(x, 7.5), 1.25))
TRAP(times_times, ad_var_mul_r(ad_var_mul_r(x, 3.0), 0.7))
TRAP(roots_product, ad_var_mul(ad_var_sqrt(x), ad_var_sqrt(x)))
TRAP(power_number, ad_var_pow_r(x, 2.5))
static const struct { const char *name; trap f; } quick[] = {
#define H(name) { #name, name }
    H(products_less), H(products_difference), H(up_up), H(down_up), H(up_down), H(down_down),
    H(times_times), H(roots_product), H(power_number), H(power_two), H(power_half),
    H(power_inverse), H(exp_log), H(log_exp), H(root_of_square), H(square_of_root), H(by_three),
    H(neg_difference), H(common_factor), H(by_itself), H(zero_by), H(less_itself), H(times_zero),
    H(mul0_zero), H(fused), H(inv_inv), H(up_and_down), H(sub0_itself)
#undef H
};

static void expect_quick(const char *name, trap f)
{
    static const unsigned flags[3] = { AD_FN_FAST, AD_FN_CONTRACT, AD_FN_FAST | AD_FN_CONTRACT };
    static const double at[5] = { 0.5, 1.25, 0.1, 3, 7.7 };
    ad_tape *t = ad_tape_create(NULL);
    ad_fn_desc desc;
    int k, i, j;
    memset(&desc, 0, sizeof desc);
    for (k = 0; k < 3; k++) {
        ad_var x[2], z;
        ad_fn *g, *d;
        desc.flags = flags[k];
        ad_tape_reset(t);
        x[0] = ad_input(t, 0.75);
        x[1] = ad_input(t, 1.5);
        z = f(x[0], x[1]);
        g = ad_fn_create(t, 2, x, 1, &z, &desc);
        d = ad_fn_gradient(g);
        GOOD(d);
        for (i = 0; i < 5; i++)
            for (j = 0; j < 5; j++) {
                double v[2], r[3];
                v[0] = at[i];
                v[1] = at[j];
                ad_tape_reset(t);
                x[0] = ad_input(t, v[0]);
                x[1] = ad_input(t, v[1]);
                z = f(x[0], x[1]);
                ad_backward(z);
                CHECK_STATUS(ad_fn_eval(d, v, r), AD_OK);
                test_check(test_near(r[0], z.v, 1e-14)
                           && test_near(r[1], ad_adjoint(x[0]), 1e-14)
                           && test_near(r[2], ad_adjoint(x[1]), 1e-14), __FILE__, __LINE__,
                           "%s at (%g, %g) is %.17g (%.17g, %.17g), not %.17g (%.17g, %.17g)",
                           name, v[0], v[1], r[0], r[1], r[2], z.v, ad_adjoint(x[0]),
                           ad_adjoint(x[1]));
            }
        ad_fn_destroy(d);
        ad_fn_destroy(g);
    }
    ad_tape_destroy(t);
}

/* The bits of the tape at all pairs of special values: one at a time and in a map on plain C. */
static void expect_exact(const char *name, trap f, size_t most)
{
    enum { N = 19, PAIRS = N * N };
    static const double at[N] = { 0, -0.0, 1, -1, 0.1, -3, 2.5, HUGE_VAL, -HUGE_VAL, (double)NAN,
        1e300, -1e300, 1e-300, 4.9406564584124654e-324, -2.2250738585072014e-308, 1.5, 7,
        1 + DBL_EPSILON, 1e16 };
    static double a[PAIRS], b[PAIRS], y[PAIRS], out[PAIRS];
    ad_tape *t = ad_tape_create(NULL);
    ad_fn_desc desc;
    size_t i, q;
    for (q = 0; q < PAIRS; q++) {
        ad_var x[2];
        a[q] = at[q / N];
        b[q] = at[q % N];
        ad_tape_reset(t);
        x[0] = ad_input(t, a[q]);
        x[1] = ad_input(t, b[q]);
        y[q] = f(x[0], x[1]).v;
    }
    memset(&desc, 0, sizeof desc);
    for (i = 0; i < AGREE_PASSES + 2; i++) {
        ad_var x[2], z;
        ad_fn *g;
        ad_port in[2], to[1];
        ad_map_desc how;
        desc.skip = i == 0 ? 0u : i == 1 ? (unsigned)AGREE_ALL
            : (unsigned)AGREE_ALL & ~agree_passes[i - 2].bit;
        ad_tape_reset(t);
        x[0] = ad_input(t, 0.75);
        x[1] = ad_input(t, 1.25);
        z = f(x[0], x[1]);
        g = ad_fn_create(t, 2, x, 1, &z, &desc);
        if (!GOOD(g)) break;
        if (i == 0 && ad_fn_get_stats(g).nodes > most)
            test_check(0, __FILE__, __LINE__, "%s takes %d operations, not %d", name,
                       (int)ad_fn_get_stats(g).nodes, (int)most);
        for (q = 0; q < PAIRS; q++) {
            double v[2], r;
            v[0] = a[q];
            v[1] = b[q];
            if (ad_fn_eval(g, v, &r) != AD_OK || !same(r, y[q])) break;
        }
        test_check(q == PAIRS, __FILE__, __LINE__, "%s at (%.17g, %.17g) is not %.17g, with %s",
                   name, q < PAIRS ? a[q] : 0, q < PAIRS ? b[q] : 0, q < PAIRS ? y[q] : 0,
                   agree_skip_text(desc.skip));
        memset(&how, 0, sizeof how);
        how.simd = AD_SIMD_PLAIN;
        in[0] = ad_port_in(a, 1);
        in[1] = ad_port_in(b, 1);
        to[0] = ad_port_out(out, 1);
        if (ad_fn_map(g, PAIRS, in, to, &how) != AD_OK) out[0] = 123;
        for (q = 0; q < PAIRS && same(out[q], y[q]); q++) continue;
        test_check(q == PAIRS, __FILE__, __LINE__, "%s at (%.17g, %.17g) in a map is %.17g, not "
                   "%.17g, with %s", name, q < PAIRS ? a[q] : 0, q < PAIRS ? b[q] : 0,
                   q < PAIRS ? out[q] : 0, q < PAIRS ? y[q] : 0, agree_skip_text(desc.skip));
        ad_fn_destroy(g);
    }
    ad_tape_destroy(t);
}

static void test_traps(void)
{
    size_t i;
    for (i = 0; i < sizeof easy / sizeof *easy; i++)
        expect_exact(easy[i].name, easy[i].f, easy[i].nodes);
    for (i = 0; i < sizeof hard / sizeof *hard; i++)
        expect_exact(hard[i].name, hard[i].f, 100);
    for (i = 0; i < sizeof quick / sizeof *quick; i++) expect_quick(quick[i].name, quick[i].f);
}

/* What a function and its derivative both need is computed once. */
static void test_shared_derivatives(void)
{
    static const struct { const char *name; ad_var (*f)(ad_var); size_t nodes; } one[] = {
        { "exp", ad_var_exp, 1 },                   /* both outputs are one number */
        { "sigmoid", ad_var_sigmoid, 3 },           /* r, 1 - r, r (1 - r) */
        { "tanh", ad_var_tanh, 3 },                 /* r, r^2, 1 - r^2 */
        { "sqrt", ad_var_sqrt, 2 },
        { "inv", ad_var_inv, 3 },
        { "sin", ad_var_sin, 2 },
        { "square", ad_var_square, 2 },
        { "tan", ad_var_tan, 3 } };
    ad_tape *t = ad_tape_create(NULL);
    ad_var x, y, in[2];
    ad_fn *f, *g, *h;
    double v = 0.7, r[3];
    size_t i;
    for (i = 0; i < sizeof one / sizeof *one; i++) {
        ad_tape_reset(t);
        x = ad_input(t, 0.5);
        y = one[i].f(x);
        f = ad_fn_create(t, 1, &x, 1, &y, NULL);
        g = ad_fn_gradient(f);
        GOOD(g);
        test_check(ad_fn_get_stats(g).nodes <= one[i].nodes, __FILE__, __LINE__,
                   "%s and its derivative take %d operations, not %d", one[i].name,
                   (int)ad_fn_get_stats(g).nodes, (int)one[i].nodes);
        ad_fn_destroy(g);
        ad_fn_destroy(f);
    }
    ad_tape_reset(t);
    x = ad_input(t, 0.5);
    y = ad_var_exp(x);
    f = ad_fn_create(t, 1, &x, 1, &y, NULL);
    h = ad_fn_hessian(f);                           /* e^x, thrice */
    CHECK(ad_fn_get_stats(h).nodes == 1);
    CHECK_STATUS(ad_fn_eval(h, &v, r), AD_OK);
    CHECK(r[0] == exp(0.7) && r[1] == r[0] && r[2] == r[0]);
    ad_fn_destroy(h);
    ad_fn_destroy(f);
    /* the other operand's share is not computed for a parameter */
    {
        static const unsigned char marks[2] = { 0, 1 };
        ad_fn_desc desc;
        memset(&desc, 0, sizeof desc);
        ad_tape_reset(t);
        in[0] = ad_input(t, 0.5);
        in[1] = ad_input(t, 0.25);
        y = ad_var_mul(in[0], ad_var_exp(in[1]));
        f = ad_fn_create(t, 2, in, 1, &y, NULL);
        g = ad_fn_gradient(f);
        CHECK(ad_fn_get_stats(g).nodes == 2);       /* exp(b), a exp(b): value and both slopes */
        ad_fn_destroy(g);
        ad_fn_destroy(f);
        desc.parameters = marks;
        f = ad_fn_create(t, 2, in, 1, &y, &desc);
        g = ad_fn_gradient(f);
        CHECK(ad_fn_get_stats(g).nodes == 2 && ad_fn_get_stats(g).outputs == 2);
        ad_fn_destroy(g);
        ad_fn_destroy(f);
    }
    /* without merging, the same numbers, more operations */
    {
        ad_fn_desc desc;
        memset(&desc, 0, sizeof desc);
        desc.skip = AD_FN_CSE;
        ad_tape_reset(t);
        x = ad_input(t, 0.5);
        y = ad_var_mul(ad_var_sin(x), ad_var_sin(x));
        f = ad_fn_create(t, 1, &x, 1, &y, &desc);
        g = ad_fn_create(t, 1, &x, 1, &y, NULL);
        CHECK(ad_fn_get_stats(f).nodes == 3 && ad_fn_get_stats(g).nodes == 2);
        CHECK(ad_fn_get_stats(g).merged == 1);
        ad_fn_destroy(f);
        ad_fn_destroy(g);
    }
    ad_tape_destroy(t);
}

/* The float twin of the essentials. */
static void test_float(void)
{
    static const unsigned char marks[2] = { 0, 1 };
    enum { N = 77 };
    static float data[N], out[N];
    adf_tape *t = adf_tape_create(NULL);
    adf_var x[2], y;
    ad_fn_desc desc;
    adf_fn *f, *g;
    adf_port in[2], to[2];
    float v[2], r[2], sum;
    size_t i;
    memset(&desc, 0, sizeof desc);
    desc.parameters = marks;
    x[0] = adf_input(t, 1.0f);
    x[1] = adf_input(t, 2.0f);
    y = adf_var_mul(adf_var_square(x[0]), x[1]);
    if (adf_branch(adf_var_gt_r(x[0], 0.0f))) y = adf_var_add_r(y, 0.1f);
    f = adf_fn_create(t, 2, x, 1, &y, &desc);
    g = adf_fn_gradient(f);
    CHECK_STATUS(adf_fn_status(g), AD_OK);
    v[0] = 3;
    v[1] = 0.3f;
    CHECK_STATUS(adf_fn_eval(g, v, r), AD_OK);
    CHECK(r[0] == 9.0f * 0.3f + 0.1f);
    CHECK_NEAR(r[1], 6 * 0.3f, 1e-6);
    CHECK(adf_fn_get_stats(g).constants > 0);
    v[0] = -3;
    CHECK_STATUS(adf_fn_eval(g, v, r), AD_ERR_BRANCH);
    CHECK(r[0] != r[0] && r[1] != r[1]);
    for (i = 0; i < N; i++) data[i] = (float)(i + 1);
    in[0] = adf_port_in(data, 1);
    in[1] = adf_port_shared(v + 1);
    to[0] = adf_port_sum(&sum);
    to[1] = adf_port_out(out, 1);
    CHECK_STATUS(adf_fn_map(g, N, in, to, NULL), AD_OK);
    CHECK_NEAR(sum, 0.3 * 155155 + 0.1 * 77, 1e-6);              /* squares of 1 to 77 */
    CHECK_NEAR(out[9], 6, 1e-6);
    adf_fn_destroy(g);
    adf_fn_destroy(f);
    adf_tape_destroy(t);
}

/* ---------------------------------------------------------------- rare shapes */

/* Without a number in the trace: memory ends at each call of the allocator while a product of
   forty, its guard and its names are made a function, with long products as trees or not. */
static void test_memory_of_products(void)
{
    enum { N = 40 };
    ad_tape *const t = ad_tape_create(NULL);
    ad_var x[N], y, c;
    double v[N], want = 1, r;
    int fast, also, done;
    size_t i, k;
    c = ad_name(ad_input(t, 1.0), "scale");
    y = c;
    for (i = 0; i < N; i++) {
        x[i] = ad_input(t, v[i] = 0.5 + 0.03125 * (double)i);
        y = ad_var_mul(y, x[i]);
        want *= v[i];
    }
    ad_branch(ad_var_gt(x[1], x[0]));
    CHECK_STATUS(ad_tape_status(t), AD_OK);
    for (fast = 0; fast < 2; fast++)
        for (also = 0; also < 2; also++)
            for (k = 1, done = 0; !done && k < 400; k++) {
                heap h;
                ad_fn_desc desc;
                ad_fn *f;
                memset(&h, 0, sizeof h);
                memset(&desc, 0, sizeof desc);
                desc.resize = heap_resize;
                desc.resize_user = &h;
                desc.flags = fast ? AD_FN_FAST : 0;
                h.fail_at = k;
                h.also = 1;
                h.from_then_on = also;
                f = ad_fn_create(t, N, x, 1, &y, &desc);
                done = h.calls < k;
                if (ad_fn_status(f) == AD_OK) {
                    h.fail_at = 0;
                    CHECK_STATUS(ad_fn_eval(f, v, &r), AD_OK);
                    CHECK_NEAR(r, want, 1e-14);
                } else CHECK_STATUS(ad_fn_status(f), AD_ERR_MEMORY);
                CHECK(!done || ad_fn_status(f) == AD_OK);
                ad_tape_clear_status(t);
                ad_fn_destroy(f);
                CHECK(h.blocks == 0 && h.wrong == 0);
            }
    CHECK(done);
    ad_tape_destroy(t);
}

/* A factor in the midst of a long product that a guard looks at itself: long products are recorded
   anew as trees, in which it would not stand. */
static void test_guarded_factor(void)
{
    enum { N = 40 };
    ad_tape *const t = ad_tape_create(NULL);
    ad_var x[N], p;
    ad_fn_desc desc;
    ad_fn *f, *g;
    double v[N], r, out[N + 1], want = 1;
    size_t i;
    memset(&desc, 0, sizeof desc);
    desc.flags = AD_FN_FAST;
    for (i = 0; i < N; i++) {
        v[i] = 1 + 0.01 * (double)i;
        want *= v[i];
    }
    ad_inputs(t, N, v, x);
    for (p = x[0], i = 1; i < N; i++) {
        p = ad_var_mul(p, x[i]);
        if (i == N / 2) CHECK(ad_branch(p));
    }
    f = ad_fn_create(t, N, x, 1, &p, &desc);
    g = ad_fn_gradient(f);
    CHECK_STATUS(ad_fn_eval(f, v, &r), AD_OK);
    CHECK_NEAR(r, want, 1e-13);
    CHECK_STATUS(ad_fn_eval(g, v, out), AD_OK);
    for (i = 0; i < N; i++) CHECK_NEAR(out[1 + i], want / v[i], 1e-12);
    v[N - 1] = 0;                                        /* behind the guard, and before it */
    CHECK_STATUS(ad_fn_eval(f, v, &r), AD_OK);
    CHECK(r == 0);
    v[3] = 0;
    CHECK_STATUS(ad_fn_eval(f, v, &r), AD_ERR_BRANCH);
    CHECK_STATUS(ad_fn_eval(g, v, out), AD_ERR_BRANCH);
    ad_fn_destroy(g);
    ad_fn_destroy(f);
    ad_tape_destroy(t);
}

/* What does not depend on the inputs: a factor of a long product, a guard, outputs, a call that no
   output needs. The values, and what is said to be captured. */
static void test_independent_parts(void)
{
    enum { N = 40 };
    ad_tape *const t = ad_tape_create(NULL);
    ad_var x[N], y[3], a, b, w[3];
    double v[N], r[3], want = 6;
    ad_fn_desc desc;
    ad_fn *f;
    ad_fn_stats s;
    size_t i;
    a = ad_name(ad_input(t, 2.0), "a");
    b = ad_input(t, 3.0);
    y[0] = ad_input(t, 0.25);
    y[0] = ad_var_mul(a, b);
    for (i = 0; i < N; i++) {
        x[i] = ad_input(t, v[i] = 1.25 - 0.015625 * (double)i);
        y[0] = ad_var_mul(y[0], x[i]);
        want *= v[i];
    }
    CHECK(ad_branch(ad_var_lt(a, b)) == 1);
    d_mill_call(t, 3, x, 3, w);                          /* for nothing */
    y[1] = ad_var_sin(a);
    y[2] = a;
    memset(&desc, 0, sizeof desc);
    desc.flags = AD_FN_FAST;
    desc.skip = AD_FN_DEAD;
    f = ad_fn_create(t, N, x, 3, y, &desc);
    GOOD(f);
    CHECK_STATUS(ad_fn_eval(f, v, r), AD_OK);
    CHECK_NEAR(r[0], want, 1e-13);
    CHECK(r[1] == ad_real_sin(2.0) && r[2] == 2);
    s = ad_fn_get_stats(f);
    CHECK(s.guards == 0);                                /* it cannot come out otherwise */
    CHECK(s.constants == 2);
    for (i = 0; i < s.constants; i++)
        CHECK(s.constant[i].value == (strcmp(s.constant[i].name, "a") == 0 ? 2 : 3));
    ad_fn_destroy(f);
    ad_tape_destroy(t);
}

/* A product of many factors is recorded as it was, from the first to the last: bits of the value,
   and the tape's of its derivatives. */
static void test_recorded_product(void)
{
    enum { N = 50 };
    ad_tape *const t = ad_tape_create(NULL), *const u = ad_tape_create(NULL);
    ad_var x[N], y, z;
    double at[N], value;
    ad_fn *f;
    size_t i;
    for (i = 0; i < N; i++) {
        at[i] = 1 + 1 / (3.0 + (double)i);
        x[i] = ad_input(t, at[i]);
    }
    for (y = x[0], i = 1; i < N; i++) y = ad_var_mul(y, x[i]);
    f = ad_fn_create(t, N, x, 1, &y, NULL);
    CHECK_STATUS(ad_fn_eval(f, at, &value), AD_OK);
    CHECK_STATUS(ad_backward(y), AD_OK);
    for (i = 0; i < N; i++) {
        at[i] = ad_adjoint(x[i]);
        x[i] = ad_input(u, x[i].v);
    }
    CHECK_STATUS(ad_fn_record(f, u, x, &z), AD_OK);
    CHECK(z.v == value && value == y.v);
    CHECK_STATUS(ad_backward(z), AD_OK);
    for (i = 0; i < N; i++) CHECK(ad_adjoint(x[i]) == at[i]);
    CHECK(ad_tape_get_stats(u).slots == ad_tape_get_stats(t).slots);
    ad_fn_destroy(f);
    ad_tape_destroy(t);
    ad_tape_destroy(u);
}

/* An instruction set that is not here, and no memory either: one of the two is said, the first. */
static void test_two_errors(void)
{
    ad_tape *const t = ad_tape_create(NULL);
    const ad_var x = ad_input(t, 0.5), y = ad_var_sin(x);
    int level = AD_SIMD_PLAIN;
    size_t k, unsupported = 0;
    while (level <= AD_SIMD_NEON && ad_kernels_get((ad_simd)level)) level++;
    for (k = 1; level <= AD_SIMD_NEON && k < 9; k++) {
        heap h;
        ad_fn_desc desc;
        ad_fn *f;
        memset(&h, 0, sizeof h);
        memset(&desc, 0, sizeof desc);
        desc.resize = heap_resize;
        desc.resize_user = &h;
        desc.simd = (ad_simd)level;
        h.fail_at = k;
        h.from_then_on = 1;
        f = ad_fn_create(t, 1, &x, 1, &y, &desc);
        CHECK(ad_fn_status(f) == AD_ERR_UNSUPPORTED || ad_fn_status(f) == AD_ERR_MEMORY);
        CHECK(ad_tape_status(t) == ad_fn_status(f) || !f);
        if (ad_fn_status(f) == AD_ERR_UNSUPPORTED) {
            unsupported += h.calls >= k;
            CHECK(strstr(ad_fn_message(f), "lacks") != NULL);
        }
        ad_tape_clear_status(t);
        ad_fn_destroy(f);
        CHECK(h.blocks == 0 && h.wrong == 0);
    }
    CHECK(unsupported > 0 || level > AD_SIMD_NEON);
    ad_tape_destroy(t);
}

/* Too many outputs, or names: no memory is taken for what cannot be; more names than are made are
   empty, but for those that were given. */
static void test_too_many(void)
{
    enum { N = 20001, SIDE = 17000 };
    static ad_var x[N], y[N];
    static double v[N], r[2 * 22500 + 2];
    ad_tape *const t = ad_tape_create(NULL);
    ad_fn *f, *g;
    size_t i;
    f = ad_fn_create(t, 0, NULL, SIZE_MAX / 2, NULL, NULL);
    FAILED(f, AD_ERR_LIMIT);
    CHECK_STATUS(ad_tape_status(t), AD_ERR_LIMIT);
    ad_tape_clear_status(t);
    ad_fn_destroy(f);
    f = ad_fn_create(t, SIZE_MAX / 2, NULL, 0, NULL, NULL);
    FAILED(f, AD_ERR_LIMIT);
    ad_tape_clear_status(t);
    ad_fn_destroy(f);
    for (i = 0; i < N; i++) y[i] = x[i] = ad_input(t, v[i] = (double)i);
    ad_name(x[0], "first");
    f = ad_fn_create(t, N, x, 1, y, NULL);
    GOOD(f);
    CHECK_STRING(ad_fn_input_name(f, 0), "first");
    CHECK_STRING(ad_fn_input_name(f, 1), "");
    CHECK_STATUS(ad_fn_record(f, t, x, NULL), AD_ERR_ARGUMENT);
    ad_tape_clear_status(t);
    ad_fn_destroy(f);
    f = ad_fn_create(t, SIDE, x, SIDE, y, NULL);         /* 17000^2 is above 2^28 */
    GOOD(f);
    g = ad_fn_jacobian(f);
    FAILED(g, AD_ERR_LIMIT);
    CHECK(strstr(ad_fn_message(g), "too many") != NULL);
    ad_fn_destroy(g);
    ad_fn_destroy(f);
    f = ad_fn_create(t, 150, x, 150, y, NULL);
    g = ad_fn_jacobian(f);
    GOOD(g);
    CHECK_STATUS(ad_fn_eval(g, v, r), AD_OK);
    for (i = 0; i < 22500; i++) if (r[150 + i] != (i / 150 == i % 150)) break;
    CHECK(i == 22500);
    CHECK_STRING(ad_fn_output_name(g, 150), "");
    ad_fn_destroy(g);
    ad_fn_destroy(f);
    y[0] = ad_var_dot(150, x, x);
    f = ad_fn_create(t, 150, x, 1, y, NULL);
    g = ad_fn_hessian(f);
    GOOD(g);
    CHECK_STATUS(ad_fn_eval(g, v, r), AD_OK);
    for (i = 0; i < 22500; i++)
        if (r[ad_fn_get_stats(g).outputs - 22500 + i] != (i / 150 == i % 150 ? 2 : 0)) break;
    CHECK(i == 22500);
    ad_fn_destroy(g);
    ad_fn_destroy(f);
    ad_tape_destroy(t);
}

/* Sums over points: of what is shared, in a tower of seventy factors; of products that have a
   factor in common, whichever place it has; with no fusing; of nothing at all. */
static void test_rare_sums(void)
{
    enum { N = 72, POINTS = 37 };
    ad_tape *const t = ad_tape_create(NULL);
    ad_var x[N], y[4];
    double v[N], data[POINTS][4], sum[4], want[4] = { 0, 0, 0, 0 }, factors = 1;
    ad_fn_desc desc;
    ad_port in[N], out[4];
    ad_fn *f;
    size_t i, k;
    int skip;
    for (i = 0; i < N; i++) x[i] = ad_input(t, v[i] = 1 + 0.0078125 * (double)(i % 9));
    for (i = 0; i < POINTS; i++)
        for (k = 0; k < 4; k++) data[i][k] = sin((double)(4 * i + k));
    y[0] = ad_var_sin(x[0]);
    for (i = 1; i < N; i++) y[0] = ad_var_mul(y[0], x[i]);
    for (i = 1; i < N; i++) factors *= v[i];
    for (i = 0; i < POINTS; i++) want[0] += sin(data[i][0]) * factors;
    f = ad_fn_create(t, N, x, 1, y, NULL);
    GOOD(f);
    for (i = 0; i < N; i++) in[i] = i ? ad_port_shared(v + i) : ad_port_in(data[0], 4);
    out[0] = ad_port_sum(sum);
    CHECK_STATUS(ad_fn_map(f, POINTS, in, out, NULL), AD_OK);
    CHECK_NEAR(sum[0], want[0], 1e-12);
    ad_fn_destroy(f);
    memset(&desc, 0, sizeof desc);
    for (skip = 0; skip < 2; skip++)
        for (k = 0; k < 2; k++) {
            desc.skip = skip ? AD_FN_FUSE : 0;
            y[0] = ad_var_mul(x[k ? 1 : 2], x[k ? 0 : 3]);
            y[1] = ad_var_mul(x[k ? 1 : 0], x[2]);
            y[2] = ad_var_mul(x[0], x[3]);
            y[3] = ad_var_mul(x[0], x[0]);
            memset(want, 0, sizeof want);
            for (i = 0; i < POINTS; i++) {
                want[0] += data[i][k ? 1 : 2] * data[i][k ? 0 : 3];
                want[1] += data[i][k ? 1 : 0] * data[i][2];
                want[2] += data[i][0] * data[i][3];
                want[3] += data[i][0] * data[i][0];
            }
            f = ad_fn_create(t, 4, x, 4, y, &desc);
            GOOD(f);
            for (i = 0; i < 4; i++) in[i] = ad_port_in(data[0] + i, 4);
            for (i = 0; i < 4; i++) out[i] = ad_port_sum(sum + i);
            CHECK_STATUS(ad_fn_map(f, POINTS, in, out, NULL), AD_OK);
            for (i = 0; i < 4; i++) CHECK_NEAR(sum[i], want[i], 1e-12);
            ad_fn_destroy(f);
        }
    f = ad_fn_create(t, 4, x, 0, NULL, NULL);
    GOOD(f);
    CHECK_STATUS(ad_fn_map(f, POINTS, in, NULL, NULL), AD_OK);
    ad_fn_destroy(f);
    f = ad_fn_create(t, 0, NULL, 0, NULL, NULL);
    GOOD(f);
    i = ad_tape_get_stats(t).slots;
    CHECK_STATUS(ad_fn_record(f, t, NULL, NULL), AD_OK);
    CHECK(ad_tape_get_stats(t).slots == i);
    ad_fn_destroy(f);
    y[0] = ad_var_fma(ad_const(2.0), ad_const(3.0), x[0]);       /* two numbers of three */
    f = ad_fn_create(t, 1, x, 1, y, NULL);
    CHECK_STATUS(ad_fn_eval(f, v, sum), AD_OK);
    CHECK(sum[0] == v[0] + 6);
    ad_fn_destroy(f);
    desc.skip = 0;
    desc.flags = AD_FN_FAST;
    y[0] = ad_var_fma(ad_var_sub(x[0], x[0]), ad_const(3.0), ad_const(4.0));     /* then three */
    f = ad_fn_create(t, 1, x, 1, y, &desc);
    CHECK_STATUS(ad_fn_eval(f, v, sum), AD_OK);
    CHECK(sum[0] == 4 && ad_fn_get_stats(f).nodes == 0);
    ad_fn_destroy(f);
    ad_tape_destroy(t);
}

/* ---- what is computed again is derived once */

/* A determinant by cofactors, which computes every minor anew. */
static ad_var cofactors(const ad_var *a, int n, int row, unsigned used)
{
    ad_var s = ad_const(0);
    int j, k = 0;
    if (row == n) return ad_const(1);
    for (j = 0; j < n; j++) {
        ad_var minor;
        if (used >> j & 1) continue;
        minor = ad_var_mul(a[row * n + j], cofactors(a, n, row + 1, used | 1u << j));
        s = k++ & 1 ? ad_var_sub(s, minor) : ad_var_add(s, minor);
    }
    return s;
}
/* Step k of a random program, from its inputs on, every time that it is asked for; where operands
   may change places they do, now and then. */
enum { REPEATED_INPUTS = 5, REPEATED_STEPS = 16 };
typedef struct repeated { int op[REPEATED_STEPS], a[REPEATED_STEPS], b[REPEATED_STEPS]; } repeated;
static ad_var repeat(const repeated *p, const ad_var *x, int k, unsigned *turn)
{
    const int i = k - REPEATED_INPUTS;
    ad_var a, b;
    if (i < 0) return x[k];
    a = repeat(p, x, p->a[i], turn);
    b = p->op[i] < 5 ? repeat(p, x, p->b[i], turn) : a;
    switch (p->op[i]) {
    case 0: return ++*turn & 1 ? ad_var_mul(a, b) : ad_var_mul(b, a);
    case 1: return ++*turn & 1 ? ad_var_add(a, b) : ad_var_add(b, a);
    case 2: return ad_var_sub(a, b);
    case 3: return ad_var_div(a, ad_var_add_r(ad_var_square(b), 1));
    case 4: return ad_var_select(ad_var_lt(a, b), a, b);
    case 5: return ad_var_sin(a);
    case 6: return ad_var_tanh(a);
    default: return ad_var_fma(ad_const(0.5), a, ad_const(0.25));
    }
}
static void test_repeated(void)
{
    static const size_t most[5] = { 45, 155, 425, 1080, 2600 };      /* nodes of gradients */
    program_dice d;
    int n, k, i, tries;
    for (n = 3; n <= 7; n++) {
        ad_tape *const t = ad_tape_create(NULL);
        ad_var a[49], y;
        double at[49], g[50], want[49];
        ad_fn *f, *df;
        for (i = 0; i < n * n; i++) {
            at[i] = 0.1 * (i * 7 % 11) + (i % (n + 1) == 0);
            a[i] = ad_input(t, at[i]);
        }
        y = cofactors(a, n, 0, 0);
        f = ad_fn_create(t, (size_t)(n * n), a, 1, &y, NULL);
        df = ad_fn_gradient(f);
        GOOD(df);
        CHECK(ad_fn_get_stats(df).nodes <= most[n - 3]);
        CHECK(ad_fn_get_stats(f).trace_nodes >= 2 * ad_fn_get_stats(f).nodes || n == 3);
        CHECK_STATUS(ad_fn_eval(df, at, g), AD_OK);
        CHECK(g[0] == y.v);
        CHECK_STATUS(ad_backward(y), AD_OK);
        for (i = 0; i < n * n; i++) want[i] = ad_adjoint(a[i]);
        for (i = 0; i < n * n; i++) CHECK_NEAR(g[1 + i], want[i], 1e-13);
        ad_fn_destroy(f);
        ad_fn_destroy(df);
        ad_tape_destroy(t);
    }
    d.state = 20261123;
    for (tries = 0; tries < 60; tries++) {
        ad_tape *const t = ad_tape_create(NULL);
        repeated p;
        ad_var x[REPEATED_INPUTS], y = ad_const(0);
        double at[REPEATED_INPUTS], g[2][1 + REPEATED_INPUTS];
        double H[2][1 + REPEATED_INPUTS + REPEATED_INPUTS * REPEATED_INPUTS];
        ad_fn_stats merged;
        unsigned turn = 0;
        int skip;
        for (i = 0; i < REPEATED_INPUTS; i++) {
            at[i] = 0.7 + 0.5 * program_unit(&d);
            x[i] = ad_input(t, at[i]);
        }
        for (i = 0; i < REPEATED_STEPS; i++) {
            p.op[i] = (int)program_below(&d, 8);
            p.a[i] = i ? REPEATED_INPUTS + i - 1 - (int)program_below(&d, i < 3 ? 1 : 3) : 0;
            p.b[i] = (int)program_below(&d, (uint32_t)(REPEATED_INPUTS + i));
        }
        for (k = 0; k < 3; k++)
            y = ad_var_add(y, repeat(&p, x, REPEATED_INPUTS + REPEATED_STEPS - 1 - k, &turn));
        for (skip = 0; skip < 2; skip++) {
            ad_fn_desc desc;
            ad_fn *f, *df, *ddf;
            memset(&desc, 0, sizeof desc);
            desc.skip = skip ? AD_FN_CSE : 0;
            f = ad_fn_create(t, REPEATED_INPUTS, x, 1, &y, &desc);
            df = ad_fn_gradient(f);
            ddf = ad_fn_hessian(f);
            GOOD(ddf);
            if (!skip) {
                merged = ad_fn_get_stats(f);
                test_check(ad_fn_get_stats(df).nodes <= 6 * merged.nodes + 2 * REPEATED_INPUTS,
                    __FILE__, __LINE__, "program %d: %lu nodes, the gradient %lu", tries,
                    (unsigned long)merged.nodes, (unsigned long)ad_fn_get_stats(df).nodes);
            } else {
                CHECK(ad_fn_get_stats(f).trace_nodes == merged.trace_nodes);
                CHECK(ad_fn_get_stats(f).merged == 0);
            }
            CHECK_STATUS(ad_fn_eval(df, at, g[skip]), AD_OK);
            CHECK_STATUS(ad_fn_eval(ddf, at, H[skip]), AD_OK);
            CHECK(g[skip][0] == y.v && H[skip][0] == y.v);
            ad_fn_destroy(f);
            ad_fn_destroy(df);
            ad_fn_destroy(ddf);
        }
        for (i = 0; i <= REPEATED_INPUTS; i++) CHECK_NEAR(g[0][i], g[1][i], 1e-12);
        for (i = 0; i <= REPEATED_INPUTS * (1 + REPEATED_INPUTS); i++)
            CHECK_NEAR(H[0][i], H[1][i], 1e-10);
        ad_tape_destroy(t);
    }
}

/* ---------------------------------------------------------------- nonzeros as outputs */

/* Where the pattern has an entry the value is that of the dense function; elsewhere that one is 0.
   dense: which output begins the matrix of rows x columns. */
static void nonzeros_are(ad_fn *whole, size_t dense, ad_fn *sparse, const ad_pattern *p,
    const double *x, int lower, int line)
{
    const size_t n = ad_fn_get_stats(sparse).outputs, all = ad_fn_get_stats(whole).outputs;
    double *const v = (double *)calloc(n + 1, sizeof *v), *const y = (double *)calloc(all + 1,
        sizeof *y);
    size_t i, j, k = 0, wrong = 0;
    test_check(ad_fn_status(sparse) == AD_OK && p->row_start[p->rows] == n, __FILE__, line,
               "%s: %zu nonzeros", ad_fn_message(sparse), n);
    CHECK_STATUS(ad_fn_eval(sparse, x, v), AD_OK);
    CHECK_STATUS(ad_fn_eval(whole, x, y), AD_OK);
    for (i = 0; i < p->rows; i++)
        for (j = 0; j < p->columns; j++) {
            const double want = y[dense + i * p->columns + j];
            const int here = k < p->row_start[i + 1] && p->column[k] == j;
            if (lower && j > i) wrong += (size_t)here;
            else wrong += !test_near(here ? v[k] : 0, want, 1e-13);
            k += (size_t)here;
        }
    test_check(wrong == 0 && k == n, __FILE__, line, "%zu entries are wrong", wrong);
    free(v);
    free(y);
}

static void test_nonzeros(void)
{
    enum { N = 12 };
    unsigned turn = 2025;
    int trial, i;
    for (trial = 0; trial < 120; trial += test_stride()) {
        const size_t n = 2 + (size_t)trial % (N - 1), m = 1 + (size_t)trial / 3 % N;
        ad_tape *t = ad_tape_create(NULL);
        unsigned char parameter[N];
        ad_var x[N], y[N];
        double at[2 * N];
        ad_fn_desc desc;
        ad_fn *f, *J, *H, *sparse, *weighted;
        ad_pattern p;
        memset(&desc, 0, sizeof desc);
        desc.parameters = parameter;
        for (i = 0; i < N; i++) parameter[i] = (unsigned char)(trial % 4 == 3 && i % 3 == 1);
        for (i = 0; i < 2 * N; i++) at[i] = 0.3 + 0.07 * i;
        for (i = 0; i < (int)n; i++) x[i] = ad_input(t, at[i]);
        for (i = 0; i < (int)m; i++) {
            int term, terms = trial % 5 == 4 && i == 0 ? (int)n : 1 + (int)(turn >> 9) % 3;
            y[i] = ad_const(trial % 7 == 0 ? 2 : 0);
            for (term = 0; term < terms; term++) {
                const ad_var a = x[terms == (int)n ? (size_t)term : (turn >> 16) % n];
                turn = turn * 1664525u + 1013904223u;
                y[i] = ad_var_add(y[i], turn >> 30 == 0 ? ad_var_mul(a, x[(turn >> 13) % n])
                                  : turn >> 30 == 1 ? ad_var_sin(a)
                                  : turn >> 30 == 2 ? ad_var_mul_r(a, 3) : ad_var_floor(a));
            }
        }
        f = ad_fn_create(t, n, x, m, y, &desc);
        J = ad_fn_jacobian(f);
        sparse = ad_fn_sparse_jacobian(f, &p);
        nonzeros_are(J, m, sparse, &p, at, 0, __LINE__);
        CHECK(ad_fn_get_stats(sparse).nodes <= ad_fn_get_stats(J).nodes);
        ad_pattern_free(&p);
        ad_fn_destroy(sparse);
        ad_fn_destroy(J);
        /* w . f as a function of one output has the dense Hessian */
        sparse = ad_fn_sparse_hessian(f, &p);
        {
            ad_var w[N], sum = ad_const(0);
            for (i = 0; i < (int)m; i++) {
                w[i] = ad_const(at[n + (size_t)i]);
                sum = ad_var_add(sum, ad_var_mul(w[i], y[i]));
            }
            weighted = ad_fn_create(t, n, x, 1, &sum, &desc);
            H = ad_fn_hessian(weighted);
            nonzeros_are(H, 1 + ad_fn_get_stats(f).variables, sparse, &p, at, 1, __LINE__);
        }
        CHECK(ad_fn_get_stats(sparse).inputs == n + m);
        ad_pattern_free(&p);
        ad_fn_destroy(sparse);
        ad_fn_destroy(H);
        ad_fn_destroy(weighted);
        ad_fn_destroy(f);
        CHECK_STATUS(ad_tape_status(t), AD_OK);
        ad_tape_destroy(t);
    }
    {   /* names; what cannot be */
        ad_fn *f = ad_fn_parse("u = a*b; v = b*b + c; w = 3", "a b c", NULL, 0), *J, *bad;
        ad_pattern p;
        J = ad_fn_sparse_jacobian(f, &p);
        CHECK(ad_fn_get_stats(J).outputs == 4 && p.rows == 3 && p.columns == 3);
        CHECK_STRING(ad_fn_output_name(J, 0), "du_da");
        CHECK_STRING(ad_fn_output_name(J, 2), "dv_db");
        ad_pattern_free(&p);
        ad_fn_destroy(J);
        J = ad_fn_sparse_jacobian(f, NULL);
        CHECK_STATUS(ad_fn_status(J), AD_ERR_ARGUMENT);
        ad_fn_destroy(J);
        J = ad_fn_sparse_hessian(f, NULL);
        CHECK_STATUS(ad_fn_status(J), AD_ERR_ARGUMENT);
        ad_fn_destroy(J);
        ad_fn_destroy(f);
        bad = ad_fn_parse("x +", "x", NULL, 0);
        J = ad_fn_sparse_jacobian(bad, &p);
        CHECK(ad_fn_status(J) == AD_ERR_ARGUMENT && p.row_start == NULL && ad_fn_message(J)[0]);
        ad_fn_destroy(J);
        J = ad_fn_sparse_hessian(bad, &p);
        CHECK(ad_fn_status(J) == AD_ERR_ARGUMENT && p.row_start == NULL);
        ad_fn_destroy(J);
        CHECK(ad_fn_status(ad_fn_sparse_jacobian(NULL, &p)) != AD_OK);
        ad_fn_destroy(bad);
        f = ad_fn_parse("2; 3", "|a", NULL, 0);              /* no variables, no nonzeros */
        J = ad_fn_sparse_jacobian(f, &p);
        CHECK(ad_fn_status(J) == AD_OK && ad_fn_get_stats(J).outputs == 0 && p.columns == 0);
        ad_pattern_free(&p);
        ad_fn_destroy(J);
        ad_fn_destroy(f);
    }
}

/* `adds` of an input's port says nothing, whatever it is. */
static void test_input_flags(void)
{
    ad_tape *const t = ad_tape_create(NULL);
    const ad_var x = ad_input(t, 1), y = ad_var_exp(x);
    ad_fn *const f = ad_fn_create(t, 1, &x, 1, &y, NULL);
    double in[50], out[50];
    int i, adds;
    GOOD(f);
    for (i = 0; i < 50; i++) in[i] = 0.01 * i;
    for (adds = -2; adds < 5; adds++) {
        ad_port from = ad_port_in(in, 1), to = ad_port_out(out, 1);
        from.adds = adds;
        memset(out, 0, sizeof out);
        CHECK_STATUS(ad_fn_map(f, 50, &from, &to, NULL), AD_OK);
        CHECK_NEAR(out[30], exp(0.3), 1e-14);
    }
    ad_fn_destroy(f);
    ad_tape_destroy(t);
}
/* Constants in emitted float are rounded once, and what float has is no infinity and no 0. */
static void test_single_constants(void)
{
    static const struct { double c; const char *text; } all[] = {
        { 3.4028235677e38, "3.40282347e+38" }, { 7.0064923217e-46, "1.40129846e-45" },
        { 1.0000000596046446, " 1" }, { 16777217.0000001, "16777218" } };
    size_t i;
    for (i = 0; i < sizeof all / sizeof all[0]; i++) {
        ad_tape *const t = ad_tape_create(NULL);
        const ad_var x = ad_input(t, 1), y = ad_var_add_r(ad_var_sin(x), all[i].c);
        ad_fn *const f = ad_fn_create(t, 1, &x, 1, &y, NULL);
        ad_emit_desc d;
        static emitted e;
        GOOD(f);
        memset(&d, 0, sizeof d);
        d.name = "f";
        d.single = 1;
        e.n = 0;
        CHECK_STATUS(ad_fn_emit(f, &d, keep_text, &e), AD_OK);
        e.text[e.n] = 0;
        test_check(strstr(e.text, all[i].text) != NULL, __FILE__, __LINE__, "no %s in %s",
            all[i].text, e.text);
        ad_fn_destroy(f);
        ad_tape_destroy(t);
    }
}

TEST_DEF void suite_fn(void)
{
    test_random();
    test_each_rule();
    test_emitted_calls();
    test_emitted_errors();
    test_emitted_loops();
    test_emitted_costs();
    test_emitted_heads();
    test_guards();
    test_nested_guards();
    test_refused();
    test_map_arguments();
    test_rows_in_place();
    test_few_rows();
    test_adding();
    test_adding_branch();
    test_repeated_index();
    test_groups_of_ports();
    test_normal();
    test_covariance();
    test_failed_write_nothing();
    test_far_sinc();
    test_bad_calls();
    test_record();
    test_edges();
    test_memory();
    test_memory_of_constants();
    test_no_memory();
    test_memory_of_products();
    test_guarded_factor();
    test_independent_parts();
    test_recorded_product();
    test_two_errors();
    test_too_many();
    test_rare_sums();
    test_parameters();
    test_names();
    test_constants();
    test_captured();
    test_passes();
    test_orders_of_maps();
    test_long_chain();
    test_wide();
    test_orders();
    test_zero_stops();
    test_guarded();
    test_old_marks();
    test_far_seconds();
    test_branching_hessians();
    test_pieces_of_array_maps();
    test_sums();
    test_factors();
    test_levels();
    test_call_slots();
    test_uniform();
    test_input_flags();
    test_single_constants();
    test_flags();
    test_traps();
    test_shared_derivatives();
    test_repeated();
    test_nonzeros();
    test_float();
}
