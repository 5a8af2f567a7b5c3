/* Emitted C against the functions that it was emitted from. Two programs of one text:
       emitter >emitted.c     with -DEMIT_WRITE: makes the functions, writes them out as C
       emit                   linked with emitted.c: makes them again, and compares
   Random programs of every rule and list with guards and derivatives, parsed expressions, functions
   of odd shapes, functions that call others, loops, and what becomes loops; in all forms, whole and
   in pieces, contracted, in double, in float, and in float out of double; some as C for boards too.
   For one point and for many the bits are those of ad_fn_eval, as the head of emitted code promises
   (the compiler is not to contract: -ffp-contract=off); those of ad_fn_map in plain C too. The file
   includes itself, once for each real type.
   Sections: Compiled Functions: Graphs; Compiled Functions: Rewriting; Compiled Functions:
   Schedules; Compiled Functions: Emitted C. */
#ifndef PREAL
#include "alone.h"
#include "programs.h"

enum { EMIT_RANDOM = 100, EMIT_INPUTS = 24, EMIT_OUTPUTS = 512, EMIT_POINTS = 70,
    EMIT_WIDE = 600, EMIT_LONG = 2100 };

/* One emitted function, wrapped: kind is d, f, or s for float out of double; D, F for boards. */
typedef struct emit_entry {
    char     kind;
    unsigned number;
    int    (*one)(const void *x, void *y);
    size_t (*many)(size_t n, const void *x, size_t x_stride, void *y, size_t y_stride);
} emit_entry;

/* Expressions whose numbers are of size 1 where x and y are: they are compared in float, too. */
static const char *const emit_expression[] = { "x*y + sin(x)", "exp(-x^2) * y; x/(1 + y^2)",
    "x < y ? x^3 : hypot(x, y); min(x, y, 0.25)", "logsumexp(x, y, 1) - 1e-3; 0.1; x",
    "(x + y)*(x - y)*0.3333333333333333 + dot(x, y, 2, 3)" };
enum { EMIT_EXPRESSIONS = sizeof emit_expression / sizeof emit_expression[0],
    EMIT_SHAPES = 7, EMIT_CALLING = EMIT_RANDOM + EMIT_EXPRESSIONS + 3 * EMIT_SHAPES,
    EMIT_CALLERS = 14, EMIT_PLAIN = EMIT_CALLING + 3 * EMIT_CALLERS, EMIT_CALLED = 6,
    EMIT_LOOPS = 16, EMIT_ROLLED = EMIT_PLAIN + EMIT_LOOPS, EMIT_FUNCTIONS = EMIT_ROLLED + 18 };

/* Thousands of operations, which are not cut into as many pieces. */
static int emit_long(size_t k)
{
    const size_t which = (k - EMIT_CALLING) / 3;
    return which == 4 || which == 5 || which == 11;
}
/* Which are emitted for boards too. */
static int emit_for_board(size_t k)
{
    return k >= EMIT_PLAIN || k % 4 == 2
        || (k >= EMIT_CALLING && (k - EMIT_CALLING) % 3 == 1 && !emit_long(k));
}

#if defined(EMIT_WRITE)
/* Which of them were: in double, in float. */
static char emit_boards[2 * EMIT_FUNCTIONS];
/* How function number k is emitted. */
static ad_emit_desc emit_how(size_t k)
{
    static const ad_emit_form form[] = { AD_EMIT_FUNCTION, AD_EMIT_TABLE, AD_EMIT_POINT };
    ad_emit_desc d;
    memset(&d, 0, sizeof d);
    d.form = form[k >= EMIT_ROLLED ? 0 : k >= EMIT_PLAIN ? (k - EMIT_PLAIN) / 8 * 2
                  : k < EMIT_RANDOM && k % 5 < 2 ? 0 : k % 3];
    if (k < EMIT_RANDOM && k % 7 == 3) d.piece = 1 + k % 11;
    if (k >= EMIT_CALLING && k < EMIT_PLAIN) {  /* tables know no calls */
        d.form = form[(k - EMIT_CALLING) % 3 == 2 ? 2 : 0];
        d.piece = (k - EMIT_CALLING) % 3 != 1 ? 0 : emit_long(k) ? 40 + k % 5 : 1 + k % 5;
    }
    if (k >= EMIT_ROLLED) {
        d.form = form[k % 6 ? 2 : 0];
        d.piece = k % 5 ? 0 : 20;
        d.loops = k % 12 == 7 ? AD_EMIT_STRAIGHT : AD_EMIT_LOOPS;
    }
    return d;
}
#endif

/* Is it emitted? One in EMIT_EVERY, in groups of three. */
static int emit_taken(size_t k)
{
    return k / 3 % (size_t)test_every("EMIT_EVERY") == 0;
}

static unsigned emit_flags(size_t k)
{
    return k < EMIT_RANDOM && k % 10 == 6 ? AD_FN_CONTRACT : 0;
}

#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0
enum { EMIT_WIDER = 1 };
#else
enum { EMIT_WIDER = 0 };
#endif

#if defined(EMIT_WRITE)
/* ---------------------------------------------------------------- writing */
static struct { char *text; size_t n, room; } emit_text;

static int emit_keep(void *user, const char *text, size_t length)
{
    (void)user;
    if (emit_text.n + length + 1 > emit_text.room) {
        emit_text.room = 2 * (emit_text.n + length) + 4096;
        emit_text.text = (char *)realloc(emit_text.text, emit_text.room);
        if (!emit_text.text) return 1;
    }
    memcpy(emit_text.text + emit_text.n, text, length);
    emit_text.n += length;
    emit_text.text[emit_text.n] = 0;
    return 0;
}

/* The text that was kept, and wrappers with the same signature for all functions. */
static void emit_wrap(const char *name, const char *real, ad_emit_form form)
{
    char proto[80];
    const char *of, *end;
    int given;
    puts(emit_text.text);
    snprintf(proto, sizeof proto, "int %s(", name);
    of = strstr(emit_text.text, proto);
    snprintf(proto, sizeof proto, " %s(const", name);
    end = strchr(strstr(emit_text.text, proto), ';');
    given = end[-2] == 'w';
    if (given) printf("static %s %s_w[100000];\n", real, name);
    printf("static int %s_one(const void *x, void *y)\n{\n"
           "    %s%s((const %s *)x, (%s *)y%s%s%s);%s\n}\n", name, of ? "return " : "", name, real,
           real, given ? ", " : "", given ? name : "", given ? "_w" : "", of ? "" : " return 0;");
    if (form != AD_EMIT_FUNCTION) return;
    snprintf(proto, sizeof proto, " %s_batch(size_t", name);
    end = strchr(strstr(emit_text.text, proto), ';');
    given = end[-2] == ']';
    if (given) printf("static %s %s_v[8000][64];\n", real, name);
    printf("static size_t %s_many(size_t n, const void *x, size_t x_stride, void *y, "
           "size_t y_stride)\n{\n    %s%s_batch(n, (const %s *)x, x_stride, (%s *)y, y_stride"
           "%s%s%s);%s\n}\n", name, of ? "return " : "", name, real, real, given ? ", " : "",
           given ? name : "", given ? "_v" : "", of ? "" : " return 0;");
}
#else
extern const emit_entry emitted[];
extern const size_t emitted_count;
static int emit_nowhere(void *user, const char *text, size_t length)
{
    (void)user;
    (void)text;
    return length == 0;
}
static const emit_entry *emit_find(char kind, size_t k)
{
    size_t i;
    for (i = 0; i < emitted_count; i++)
        if (emitted[i].kind == kind && emitted[i].number == k) return &emitted[i];
    return NULL;
}
#endif

#define TWICE "emit.c"
#include "twice.h"

int main(void)
{
    size_t k;
#if defined(EMIT_WRITE)
    size_t i;
    puts("#include <stddef.h>");
    for (k = 0; k < EMIT_FUNCTIONS; k++) {
        if (!emit_taken(k)) continue;
        d_write(k, "d");
        f_write(k, "f");
        if (k >= EMIT_RANDOM && k < EMIT_RANDOM + EMIT_EXPRESSIONS) d_write(k, "s");
        if (emit_for_board(k)) {
            d_write(k, "D");
            f_write(k, "F");
        }
    }
    puts("typedef struct emit_entry {\n    char kind;\n    unsigned number;\n"
         "    int (*one)(const void *, void *);\n"
         "    size_t (*many)(size_t, const void *, size_t, void *, size_t);\n} emit_entry;\n"
         "#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
         "extern const emit_entry emitted[];\nextern const size_t emitted_count;\n"
         "#ifdef __cplusplus\n}\n#endif\nconst emit_entry emitted[] = {");
    for (k = 0; k < EMIT_FUNCTIONS; k++) {
        const int all = emit_how(k).form == AD_EMIT_FUNCTION;
        const char *kind = k >= EMIT_RANDOM && k < EMIT_RANDOM + EMIT_EXPRESSIONS ? "dfs" : "df";
        if (!emit_taken(k)) continue;
        for (; *kind; kind++) {
            printf("    { '%c', %u, %c_%u_one, ", *kind, (unsigned)k, *kind, (unsigned)k);
            if (all) printf("%c_%u_many },\n", *kind, (unsigned)k);
            else printf("0 },\n");
        }
        for (i = 0; i < 2; i++)
            if (emit_boards[2 * k + i])
                printf("    { '%c', %u, %c_%u_one, 0 },\n", "DF"[i], (unsigned)k, "DF"[i],
                       (unsigned)k);
    }
    puts("};\nconst size_t emitted_count = sizeof emitted / sizeof emitted[0];");
    free(emit_text.text);
    d_release();
    f_release();
    printf("/* ");
    k = (size_t)test_finish();
    puts("*/");
    return (int)k;
#else
    for (k = 0; k < EMIT_FUNCTIONS; k++) {
        if (!emit_taken(k)) continue;
        d_compare(k, 'd');
        f_compare(k, 'f');
        if (emit_for_board(k)) {
            d_compare(k, 'D');
            f_compare(k, 'F');
        }
    }
    d_release();
    f_release();
    for (k = EMIT_RANDOM; k < EMIT_RANDOM + EMIT_EXPRESSIONS; k++)
        if (emit_taken(k)) d_compare_single(k);
    return test_finish();
#endif
}

#else
/* ================================================ once for each real type */

/* Functions of odd shapes; gives the number of outputs. */
static size_t PT(shape)(size_t which, PAD(tape) *t, size_t *n, PAD(var) *x, PAD(var) *y)
{
    PAD(var) v[EMIT_WIDE], s;
    size_t i, m = 0;
    *n = which == 0 ? 20 : 3;
    for (i = 0; i < *n; i++) x[i] = PAD(input)(t, (PREAL)(0.25 + 0.125 * (double)i));
    switch (which) {
    case 0:                                     /* its Jacobian is 400 numbers */
        for (m = 0; m < *n; m++) y[m] = PAD(var_mul_r)(x[m], (PREAL)((int)m - 3));
        break;
    case 1:                                     /* outputs that are inputs, numbers, each other */
        y[m++] = x[1];
        y[m++] = PAD(const)((PREAL)NAN);
        y[m++] = PAD(const)((PREAL)-HUGE_VAL);
        y[m++] = PAD(const)((PREAL)-0.0);
        y[m++] = PAD(var_sin)(x[0]);
        y[m] = y[m - 1];
        m++;
        break;
    case 2:                                     /* guards on an input and on what follows */
        y[m++] = PAD(branch)(x[0]) ? PAD(var_exp)(x[1]) : x[2];
        y[m++] = PAD(branch)(PAD(var_lt)(x[1], x[2])) ? PAD(var_mul)(x[0], x[1]) : x[0];
        y[m++] = PAD(branch)(PAD(var_gt_r)(x[2], (PREAL)10)) ? x[1] : x[2];
        for (i = 0; i < 6; i++) {               /* comparisons that choices alone take */
            static PAD(var) (*const compare[])(PAD(var), PAD(var)) = { PAD(var_lt), PAD(var_le),
                PAD(var_gt), PAD(var_ge), PAD(var_eq), PAD(var_ne) };
            y[m++] = PAD(var_select)(compare[i](PAD(var_sub)(x[0], x[1]), x[2]), x[1], x[0]);
        }
        break;
    case 3:                                     /* more values alive than fit on the stack */
        for (i = 0; i < EMIT_WIDE; i++)
            v[i] = PAD(var_sin)(PAD(var_mul_r)(x[i % 3], (PREAL)(1 + 0.01 * (double)i)));
        for (s = v[0], i = EMIT_WIDE; i-- > 1;)
            s = PAD(var_add)(PAD(var_mul)(s, v[i]), v[EMIT_WIDE - i]);
        y[m++] = s;
        break;
    case 4:                                     /* cut into pieces by itself */
        for (s = x[0], i = 0; i < EMIT_LONG; i++)
            s = i % 100 == 9 ? PAD(var_cos)(s)
                : PAD(var_add)(PAD(var_mul_r)(s, (PREAL)0.75), x[i % 3]);
        y[m++] = s;
        y[m++] = PAD(var_mul)(s, x[0]);
        break;
    case 5:                                     /* every rule */
        for (i = 0; i < PROGRAM_RULES; i++) {
            const PT(form) *f = &PT(forms)[i];
            y[m++] = f->var1 ? f->var1(x[0]) : f->var2 ? f->var2(x[0], x[1])
                : f->var3(x[0], x[1], x[2]);
        }
        break;
    default:                                    /* neighbours alike: what a program may pack */
        for (m = 0; m < 32; m++)
            y[m] = PAD(var_add_r)(PAD(var_mul)(PAD(var_mul_r)(x[0], (PREAL)(0.5 * (double)m)),
                                               PAD(var_exp)(PAD(var_mul_r)(x[1], (PREAL)m / 8))),
                                  (PREAL)m);
    }
    return m;
}

/* A random program; none that takes the sign of a number, which may be a NaN's. */
static PAD(fn) *PT(random)(uint64_t seed, PAD(tape) *t)
{
    static program p;
    PAD(var) x[PROGRAM_INPUTS], v[PROGRAM_VALUES], y[PROGRAM_OUTPUTS];
    PREAL point[PROGRAM_INPUTS];
    unsigned char way[PROGRAM_STEPS];
    size_t i;
    int signs;
    do {
        program_make(&p, seed, PROGRAM_NO_CALLS | PROGRAM_NO_PARAMETERS);
        for (i = 0, signs = 0; i < p.steps; i++)
            signs |= strcmp(program_rules[p.step[i].rule].name, "copysign") == 0;
        seed += 1000;
    } while (signs);
    for (i = 0; i < p.inputs; i++) point[i] = (PREAL)p.point[i];
    PAD(inputs)(t, p.inputs, point, x);
    PT(run_var)(&p, t, x, v, way);
    for (i = 0; i < p.outputs; i++) y[i] = v[p.output[i]];
    return PAD(fn_create)(t, p.inputs, x, p.outputs, y, NULL);
}

/* What is called: it has to live as long as what calls it. The last one calls the first two. */
static PAD(fn) *PT(called)[EMIT_CALLED];
static void PT(release)(void)
{
    size_t i = EMIT_CALLED;
    while (i-- > 0) {
        PAD(fn_destroy)(PT(called)[i]);
        PT(called)[i] = NULL;
    }
}
static void PT(call)(size_t i, PAD(tape) *t, const PAD(var) *x, PAD(var) *y)
{
    const ad_fn_stats s = PAD(fn_get_stats)(PT(called)[i]);
    CHECK_STATUS(PAD(fn_call)(PT(called)[i], t, s.inputs, x, s.outputs, y), AD_OK);
}
static void PT(prepare)(size_t which, PAD(tape) *t)
{
    PAD(var) x[20], y[EMIT_OUTPUTS];
    size_t i, n, m;
    PT(release)();
    for (i = 0; i < EMIT_CALLED; i++) {
        PAD(fn) *f;
        PAD(tape_reset)(t);
        if (i == 0) {
            f = PAD(fn_parse)("x*y + sin(y); x; 0.1; x/(1 + y^2)", "x, y", NULL, 0);
        } else if (i < 4) {                     /* guards; more values than fit; in pieces */
            m = PT(shape)(i + 1, t, &n, x, y);
            f = PAD(fn_create)(t, n, x, m, y, NULL);
        } else if (i == 4) {
            f = PT(random)(5000 + which, t);
        } else {
            for (n = 0; n < 3; n++) x[n] = PAD(input)(t, (PREAL)(0.25 + 0.125 * (double)n));
            PT(call)(0, t, x, y);
            PT(call)(1, t, x, y + 4);
            PT(call)(0, t, y + 5, y + 7);
            y[0] = PAD(var_mul)(y[0], y[7]);
            f = PAD(fn_create)(t, 3, x, 8, y, NULL);
        }
        CHECK_STATUS(PAD(fn_status)(f), AD_OK);
        PT(called)[i] = f;
    }
}

/* Functions that call; gives the number of outputs, and which derivative is to be taken: 1 the
   Jacobian, 2 the Hessian, 3 the vector-Jacobian product. */
static size_t PT(caller)(size_t which, PAD(tape) *t, size_t *n, PAD(var) *x, PAD(var) *y,
                         int *derivative)
{
    PAD(var) v[EMIT_OUTPUTS], s;
    size_t i, m = 0;
    PT(prepare)(which, t);
    PAD(tape_reset)(t);
    *derivative = 0;
    *n = 3;
    for (i = 0; i < 6; i++) x[i] = PAD(input)(t, (PREAL)(0.25 + 0.125 * (double)i));
    switch (which) {
    case 0:                                     /* nothing but a call, its outputs the outputs */
        PT(call)(0, t, x, y);
        m = 4;
        break;
    case 1:                                     /* of inputs, of numbers, of results */
        for (i = 0; i < 8; i++) {
            v[0] = i == 3 ? PAD(const)((PREAL)0.5) : x[i % 3];
            v[1] = m ? y[m - 1] : x[1];
            PT(call)(0, t, v, y + m);
            m += 4;
        }
        break;
    case 2:                                     /* guards, in what is called alone */
        PT(call)(1, t, x, y);
        m = 3;
        break;
    case 3:                                     /* and one of its own */
        PT(call)(1, t, x, y);
        y[3] = PAD(branch)(PAD(var_lt)(x[0], x[2])) ? PAD(var_mul)(y[0], x[2]) : x[0];
        m = 4;
        break;
    case 4:
        PT(call)(2, t, x, y);                   /* more values than fit on the stack, called */
        y[1] = PAD(var_sin)(y[0]);
        m = 2;
        break;
    case 5:
        PT(call)(3, t, x, y);                   /* pieces, called twice */
        y[2] = x[0];
        PT(call)(3, t, y, y + 2);
        m = 4;
        break;
    case 6: case 7: case 12: case 13:           /* a random program, and the same of its results */
        *n = PAD(fn_get_stats)(PT(called)[4]).inputs;
        PT(call)(4, t, x, y);
        m = PAD(fn_get_stats)(PT(called)[4]).outputs;
        for (i = 0; i < *n; i++)
            v[i] = PAD(var_add)(x[i], PAD(var_mul_r)(PAD(var_sin)(y[i % m]), (PREAL)0.001));
        if (PAD(fn_get_stats)(PT(called)[4]).guards == 0) {
            PT(call)(4, t, v, y + m);
            m *= 2;
        }
        *derivative = which == 12 ? 1 : which == 13 ? 3 : 0;
        break;
    case 8:                                     /* calls of calls */
        PT(call)(5, t, x, y);
        y[8] = x[0];
        PT(call)(0, t, y + 7, y + 8);
        m = 12;
        break;
    case 9:
        PT(call)(5, t, x, y);
        m = 8;
        *derivative = 1;
        break;
    case 10:
        PT(call)(0, t, x, y);
        PT(call)(0, t, y, v);
        y[0] = PAD(var_mul)(v[0], x[2]);
        m = 1;
        *derivative = 2;
        break;
    default:                                    /* long enough to be cut by itself */
        for (s = x[0], i = 0; i < EMIT_LONG + 200; i++) {
            if (i % 100 == 50) {
                v[0] = s;
                v[1] = x[i % 3];
                PT(call)(i % 200 == 50 ? 5 : 0, t, v + (i % 200 == 50), v + 2);
                s = PAD(var_add)(PAD(var_mul_r)(s, (PREAL)0.5), PAD(var_sin)(v[2]));
                y[m++] = v[3];
            }
            s = i % 100 == 9 ? PAD(var_cos)(s)
                : PAD(var_add)(PAD(var_mul_r)(s, (PREAL)0.75), x[i % 3]);
            if (i % 200 == 49) v[1] = s, v[2] = x[0], v[3] = x[1];
        }
        y[m++] = s;
    }
    return m;
}

/* Loops: one alone, its derivatives, one of a step with a guard, loops of loops. */
static PAD(fn) *PT(make_loop)(size_t which)
{
    static const char step[] = "s + 0.25*u*sin(r); r - 0.5*p*sin(s); s*u; exp(-r*r)";
    const size_t steps = which % 8 == 6 ? 2 : 3;
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(var) x = PAD(input)(t, (PREAL)0.5), y;
    PAD(fn) *f[4] = { NULL, NULL, NULL, NULL };
    int i;
    y = PAD(branch)(PAD(var_lt_r)(x, (PREAL)0.75)) ? PAD(var_mul)(PAD(var_cos)(x), x) : x;
    f[0] = which % 8 == 4 || which % 8 == 5 ? PAD(fn_create)(t, 1, &x, 1, &y, NULL)
        : PAD(fn_parse)(step, "s, r, p, u", NULL, 0);
    f[1] = which % 8 == 4 || which % 8 == 5 ? PAD(fn_repeat)(f[0], 4, 1, 0, 1)
        : PAD(fn_repeat)(f[0], steps, 2, 1, which % 8 == 1);
    f[2] = which % 8 < 6 ? NULL : PAD(fn_repeat)(f[1], 2, 2, 1, which % 8 == 6);
    f[3] = which % 8 == 2 || which % 8 == 5 ? PAD(fn_vjp)(f[1])
        : which % 8 == 3 ? PAD(fn_jacobian)(f[1]) : which % 8 == 7 ? PAD(fn_vjp)(f[2]) : NULL;
    for (i = 0; i < 3 && f[i + 1]; i++) PAD(fn_destroy)(f[i]);
    if (f[3] && i < 3) PAD(fn_destroy)(f[i]);
    PAD(tape_destroy)(t);
    return f[3] ? f[3] : f[i];
}

/* m results of a call of a function of x[n], more than local variables would hold. */
static void PT(call_large)(PAD(tape) *t, size_t n, const PAD(var) *x, size_t m, PAD(var) *y)
{
    PAD(tape) *const own = PAD(tape_create)(NULL);
    PAD(var) a[EMIT_INPUTS], b[EMIT_OUTPUTS];
    size_t i;
    PT(release)();
    for (i = 0; i < n; i++) a[i] = PAD(input)(own, (PREAL)0.5);
    for (i = 0; i < m; i++)
        b[i] = PAD(var_sin)(PAD(var_add_r)(PAD(var_mul)(a[i % n], a[3 * i % n]), (PREAL)i / 64));
    PT(called)[0] = PAD(fn_create)(own, n, a, m, b, NULL);
    PAD(tape_destroy)(own);
    CHECK_STATUS(PAD(fn_call)(PT(called)[0], t, n, x, m, y), AD_OK);
}

/* What a trace does again and again: some loops over steps of two states, which take inputs in
   turn, numbers that differ, what they and loops before them have kept, or the results of a large
   call, forwards or backwards; and give outputs, and ask. Gives how many outputs there are. */
static size_t PT(rolled)(size_t which, PAD(tape) *t, size_t *n, PAD(var) *x, PAD(var) *y)
{
    enum { ROUNDS = 60, LOOPS = 3, STEPS = 8 };
    PAD(var) s[2], kept[LOOPS + 1][ROUNDS], v[STEPS + 6];
    program_dice d;
    size_t i, j, l, m = 0;
    d.state = 900 + which;
    *n = 10;
    for (i = 0; i < *n; i++) x[i] = PAD(input)(t, (PREAL)(0.25 + 0.125 * (double)i));
    s[0] = x[0];
    s[1] = x[1];
    for (i = 0; i < ROUNDS; i++) kept[0][i] = x[i % 3];
    if (which % 4 == 2) PT(call_large)(t, *n, x, ROUNDS, kept[0]);
    for (i = 0; i < ROUNDS && which % 8 == 6; i += 4) kept[0][i] = PAD(var_cos)(kept[0][i]);
    for (l = 1; l <= LOOPS; l++) {
        const size_t rounds = 40 + program_below(&d, ROUNDS - 40);
        const size_t steps = 3 + program_below(&d, STEPS - 2);
        const size_t hop = program_below(&d, 3), back = program_below(&d, 2);
        const int outputs = which % 3 != 1 && program_chance(&d, 60), asks = program_chance(&d, 30);
        const int differ = program_chance(&d, 40), far = program_chance(&d, 30);
        const int mixed = program_chance(&d, 30);
        size_t op[STEPS], a[STEPS], b[STEPS];
        for (j = 0; j < steps; j++) {
            op[j] = program_below(&d, 8);
            a[j] = program_below(&d, 6 + j);
            b[j] = j ? 5 + j : program_below(&d, 6);
        }
        for (i = 0; i < ROUNDS; i++) kept[l][i] = s[0];
        for (i = 0; i < rounds; i++) {
            v[0] = s[0];
            v[1] = s[1];
            v[2] = x[2 + (hop * i) % 8];
            v[3] = kept[l - 1][back ? ROUNDS - 1 - i : i];
            v[4] = mixed && i % 5 == 4 ? kept[l - 1][i]
                                        : kept[l][far && i > 2 ? i - 3 : i ? i - 1 : 0];
            v[5] = PAD(var_mul_r)(s[1], (PREAL)(differ ? 0.5 + (double)i / 128 : 0.75));
            for (j = 0; j < steps; j++) {
                const PAD(var) p = v[a[j]], q = v[b[j]];
                v[6 + j] = op[j] == 0 ? PAD(var_sin)(PAD(var_add)(p, q))
                    : op[j] == 1 ? PAD(var_sub)(PAD(var_mul_r)(p, (PREAL)0.5),
                                                PAD(var_mul_r)(q, (PREAL)0.25))
                    : op[j] == 2 ? PAD(var_mul)(PAD(var_cos)(p), q)
                    : op[j] == 3 ? PAD(var_min)(p, q)
                    : op[j] == 4 ? PAD(var_select)(PAD(var_lt)(p, q), PAD(var_tanh)(p), q)
                    : op[j] == 5 ? PAD(var_div)(p, PAD(var_add_r)(PAD(var_mul)(q, q), (PREAL)1))
                    : op[j] == 6 ? PAD(var_max)(p, PAD(var_neg)(q))
                                 : PAD(var_tanh)(PAD(var_sub)(p, q));
            }
            if (asks) PAD(branch)(PAD(var_lt_r)(v[6], (PREAL)1e6));
            if (outputs) y[m++] = v[5 + steps];
            kept[l][i] = v[6 + steps / 2];
            s[0] = v[5 + steps];
            s[1] = PAD(var_mul)(v[4 + steps], PAD(var_cos)(s[1]));
        }
    }
    y[m++] = PAD(var_add)(s[0], PAD(var_mul)(s[1], kept[1][7]));
    return m;
}

/* Function number k; p is the program that it is, p->steps == 0: it is none. */
static PAD(fn) *PT(make)(size_t k, program *p)
{
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(var) x[EMIT_INPUTS], v[PROGRAM_VALUES], y[EMIT_OUTPUTS];
    PREAL point[PROGRAM_INPUTS];
    unsigned char way[PROGRAM_STEPS];
    ad_fn_desc d;
    PAD(fn) *f, *g;
    const size_t shape = k < EMIT_RANDOM + EMIT_EXPRESSIONS ? (size_t)EMIT_SHAPES
        : (k - EMIT_RANDOM - EMIT_EXPRESSIONS) / 3;
    size_t i, n, m;
    int derivative = 0;
    memset(&d, 0, sizeof d);
    p->steps = 0;
    if (k < EMIT_RANDOM) {
        program_make(p, 1000 + k, PROGRAM_NO_CALLS | (k % 4 == 1 ? PROGRAM_ONE_OUTPUT : 0));
        for (i = 0; i < p->inputs; i++) point[i] = (PREAL)p->point[i];
        PAD(inputs)(t, p->inputs, point, x);
        PT(run_var)(p, t, x, v, way);
        for (i = 0; i < p->outputs; i++) y[i] = v[p->output[i]];
        d.parameters = p->parameter;
        d.flags = emit_flags(k);
        f = PAD(fn_create)(t, p->inputs, x, p->outputs, y, &d);
    } else if (k >= EMIT_ROLLED) {
        m = PT(rolled)(k - EMIT_ROLLED, t, &n, x, y);
        f = PAD(fn_create)(t, n, x, m, y, &d);
        if (m == 1 && k % 2 == 0) derivative = 4;
    } else if (k >= EMIT_PLAIN) {
        f = PT(make_loop)(k - EMIT_PLAIN);
    } else if (k < EMIT_RANDOM + EMIT_EXPRESSIONS) {
        f = PAD(fn_parse)(emit_expression[k - EMIT_RANDOM], "x, y", NULL, 0);
    } else if (k < EMIT_CALLING) {
        m = PT(shape)(shape, t, &n, x, y);
        f = PAD(fn_create)(t, n, x, m, y, &d);
    } else {
        m = PT(caller)((k - EMIT_CALLING) / 3, t, &n, x, y, &derivative);
        f = PAD(fn_create)(t, n, x, m, y, &d);
    }
    PAD(tape_destroy)(t);
    if (derivative) {
        g = derivative == 1 ? PAD(fn_jacobian)(f) : derivative == 2 ? PAD(fn_hessian)(f)
            : derivative == 4 ? PAD(fn_gradient)(f) : PAD(fn_vjp)(f);
        PAD(fn_destroy)(f);
        f = g;
    }
    if (k < EMIT_CALLING && k % 4 == 1 && shape != 3 && shape != 4) {
        g = k < EMIT_RANDOM && k % 8 == 1 ? PAD(fn_hessian)(f) : PAD(fn_jacobian)(f);
        PAD(fn_destroy)(f);
        f = g;
    }
    test_check(PAD(fn_status)(f) == AD_OK, __FILE__, __LINE__, "function %u: %s", (unsigned)k,
               PAD(fn_message)(f));
    return f;
}

#if defined(EMIT_WRITE)
static void PT(write)(size_t k, const char *kind)
{
    static program p;
    PAD(fn) *const f = PT(make)(k, &p);
    ad_emit_desc d = emit_how(k);
    char name[32], error[200];
    const int board = *kind == 'D' || *kind == 'F';
    ad_status s;
    snprintf(name, sizeof name, "%s_%u", kind, (unsigned)k);
    d.name = name;
    d.single = *kind == 's';
    d.error = error;
    d.error_size = sizeof error;
    if (board) {
        d.language = AD_LANGUAGE_BOARD;
        d.form = AD_EMIT_POINT;
    }
    emit_text.n = 0;
    s = PAD(fn_emit)(f, &d, emit_keep, NULL);
    if (board && s == AD_ERR_UNSUPPORTED)
        test_check(strstr(error, "digamma") != NULL, __FILE__, __LINE__, "%s", error);
    else test_check(s == AD_OK, __FILE__, __LINE__, "%s: %s", ad_status_name(s), error);
    if (k >= EMIT_ROLLED)                        /* loops, unless they are not wanted */
        test_check((strstr(emit_text.text, "for (k = 0") != NULL) == (d.loops == AD_EMIT_LOOPS),
                   __FILE__, __LINE__, "%s: %u bytes", name, (unsigned)emit_text.n);
    if (s == AD_OK) emit_wrap(name, *kind == 'd' || *kind == 'D' ? "double" : "float", d.form);
    if (s == AD_OK && board) emit_boards[2 * k + (*kind == 'F')] = 1;
    PAD(fn_destroy)(f);
}
#else

static PREAL PT(draw)(program_dice *dice, const program *p, size_t i, size_t q)
{
    static const double special[] = { 0, -0.0, 1, -1, 0.5, 2, HUGE_VAL, -HUGE_VAL, (double)NAN,
        1e-30, 1e30, 3, -1e5 };
    if (q == 0 && p->steps) return (PREAL)p->point[i];
    if (p->steps && q % 4 == 1) return (PREAL)(p->point[i] + 0.05 * program_unit(dice));
    if (q % 4 == 3 && program_chance(dice, 50))
        return (PREAL)special[program_below(dice, sizeof special / sizeof *special)];
    return (PREAL)(2 * program_unit(dice));
}

/* Do two results say the same? To the bit, but where something is computed in a wider format, or
   contracted: emitted code leaves that to the compiler. */
static int PT(equal)(size_t k, PREAL a, PREAL b)
{
    if (EMIT_WIDER || (emit_flags(k) & AD_FN_CONTRACT))
        return test_near((double)a, (double)b, 1e-3);
    return PT(same)(a, b);
}

static void PT(compare)(size_t k, char kind)
{
    static PREAL x[EMIT_INPUTS * EMIT_POINTS], y[EMIT_OUTPUTS * EMIT_POINTS],
        z[EMIT_OUTPUTS * EMIT_POINTS], expected[EMIT_POINTS][EMIT_OUTPUTS];
    static program p;
    PAD(fn) *const f = PT(make)(k, &p);
    const emit_entry *const e = emit_find(kind, k);
    const ad_fn_stats stats = PAD(fn_get_stats)(f);
    const size_t n = stats.inputs, m = stats.outputs;
    PAD(port) in[EMIT_INPUTS], out[EMIT_OUTPUTS];
    PREAL point[EMIT_INPUTS], v[PROGRAM_VALUES];
    unsigned char way[PROGRAM_STEPS], vague[EMIT_POINTS];
    ad_map_desc d;
    ad_map_report report;
    program_dice dice;
    size_t i, q, other = 0;
    if (e == NULL && (kind == 'D' || kind == 'F')) {          /* digamma is not for boards */
        ad_emit_desc how;
        memset(&how, 0, sizeof how);
        how.language = AD_LANGUAGE_BOARD;
        CHECK_STATUS(PAD(fn_emit)(f, &how, emit_nowhere, NULL), AD_ERR_UNSUPPORTED);
        PAD(fn_destroy)(f);
        return;
    }
    if (!test_check(e != NULL && n <= EMIT_INPUTS && m <= EMIT_OUTPUTS, __FILE__, __LINE__,
        "function %u was not emitted", (unsigned)k)) return;
    dice.state = 77 + k;
    for (q = 0; q < EMIT_POINTS; q++) {
        ad_status s;
        int went, same = 1;
        for (i = 0; i < n; i++) x[i * EMIT_POINTS + q] = point[i] = PT(draw)(&dice, &p, i, q);
        if (p.steps) PT(run_value)(&p, NULL, point, v, way);
        vague[q] = p.steps && PT(is_vague)(&p, v);
        s = PAD(fn_eval)(f, point, expected[q]);
        other += s == AD_ERR_BRANCH;
        CHECK(s == AD_OK || s == AD_ERR_BRANCH);
        went = e->one(point, y);
        if (vague[q]) continue;
        for (i = 0; i < m && same; i++) same = PT(equal)(k, y[i], expected[q][i]);
        test_check(same && went == (s != AD_OK), __FILE__, __LINE__,
            "%c_%u at point %u: output %u is %.9g, not %.9g; %d (%s)", e->kind, (unsigned)k,
            (unsigned)q, (unsigned)i - 1, (double)y[i - 1], (double)expected[q][i - 1], went,
            ad_status_name(s));
    }
    if (e->many) {
        size_t count;
        for (i = 0; i < m * EMIT_POINTS; i++) y[i] = -77;
        count = e->many(EMIT_POINTS, x, EMIT_POINTS, y, EMIT_POINTS);
        test_check(count == other, __FILE__, __LINE__, "%c_%u_batch counts %u, not %u", e->kind,
            (unsigned)k, (unsigned)count, (unsigned)other);
        memset(&d, 0, sizeof d);
        d.simd = AD_SIMD_PLAIN;
        d.report = &report;
        for (i = 0; i < n; i++) in[i] = PAD(port_in)(x + i * EMIT_POINTS, 1);
        for (i = 0; i < m; i++) out[i] = PAD(port_out)(z + i * EMIT_POINTS, 1);
        CHECK_STATUS(PAD(fn_map)(f, EMIT_POINTS, in, out, &d), other ? AD_ERR_BRANCH : AD_OK);
        for (q = 0; q < EMIT_POINTS; q++) {
            int same = 1;
            for (i = 0; i < m && same; i++)
                same = PT(equal)(k, y[i * EMIT_POINTS + q], expected[q][i])
                     && PT(equal)(k, z[i * EMIT_POINTS + q], expected[q][i]);
            if (!vague[q])
                test_check(same, __FILE__, __LINE__,
                    "%c_%u_batch at point %u: output %u is %.9g, of the map %.9g, not %.9g",
                    e->kind, (unsigned)k, (unsigned)q, (unsigned)i - 1,
                    (double)y[(i - 1) * EMIT_POINTS + q], (double)z[(i - 1) * EMIT_POINTS + q],
                    (double)expected[q][i - 1]);
        }
    }
    PAD(fn_destroy)(f);
}

#if !defined(EMIT_SINGLE)
#define EMIT_SINGLE
/* Float out of double, at points where rounding is not magnified. */
static void d_compare_single(size_t k)
{
    static program p;
    ad_fn *const f = d_make(k, &p);
    const emit_entry *const e = emit_find('s', k);
    const size_t m = ad_fn_get_stats(f).outputs;
    double x[2], y[EMIT_OUTPUTS];
    float u[2], v[EMIT_OUTPUTS];
    size_t i, q;
    for (q = 0; e && q < 20; q++) {
        u[0] = (float)(0.3 + 0.1 * (double)q);
        u[1] = (float)(1.1 - 0.07 * (double)q);
        x[0] = (double)u[0];
        x[1] = (double)u[1];
        CHECK_STATUS(ad_fn_eval(f, x, y), AD_OK);
        CHECK(e->one(u, v) == 0);
        for (i = 0; i < m; i++) CHECK_NEAR(v[i], y[i], 1e-5);
    }
    CHECK(e != NULL);
    ad_fn_destroy(f);
}
#endif
#endif
#endif
