/* Statements recorded as one instruction (ad_var_expr4, ad_var_expr8): every way to a derivative
   against the same operations recorded one by one: random programs whose rules are statements, one
   statement over several operations, at points that switch it; functions compiled from both; what
   is refused, and memory that runs out. AD_EXPR, which writes them from one formula: in generic.c
   and fronts.cpp.
   The file includes itself, once for each real type, behind the first #else.
   Sections: The Tape and Recording; Recording, the Slow Paths; The Reverse Sweep; The Other Sweeps;
   Recorded Gradients; Second Derivatives; Sparse Derivatives; Compiled Functions: Making. */
#ifndef PREAL
#include <math.h>
#include <stdlib.h>
#include "test.h"
#include "programs.h"
#include "heap.h"

TEST_DEF void suite_expr(void);

enum { EXPR_PROGRAMS = 400 };

#define TWICE "test_expr.c"
#include "twice.h"

TEST_DEF void suite_expr(void)
{
    d_test_expr();
    f_test_expr();
}
#else

/* ---- the rules as statements, one by one */
#define X1(n, class_, v, dx)                                                                       \
    static PAD(dual2) PT(second_##n)(const PAD(dual2) *x) { return PAD(dual2_##n)(x[0]); }         \
    static PAD(var) PT(record_##n)(const PAD(var) *x) { return PAD(var_##n)(x[0]); }               \
    static PAD(dual8) PT(dual_##n)(const PAD(dual8) *x) { return PAD(dual8_##n)(x[0]); }
#define X2(n, class_, v, dx, dy)                                                                   \
    static PAD(dual2) PT(second_##n)(const PAD(dual2) *x) { return PAD(dual2_##n)(x[0], x[1]); }   \
    static PAD(var) PT(record_##n)(const PAD(var) *x) { return PAD(var_##n)(x[0], x[1]); }         \
    static PAD(dual8) PT(dual_##n)(const PAD(dual8) *x) { return PAD(dual8_##n)(x[0], x[1]); }
#define X3(n, class_, v, dx, dy, dz)                                                               \
    static PAD(dual2) PT(second_##n)(const PAD(dual2) *x)                                          \
    {                                                                                              \
        return PAD(dual2_##n)(x[0], x[1], x[2]);                                                   \
    }                                                                                              \
    static PAD(var) PT(record_##n)(const PAD(var) *x) { return PAD(var_##n)(x[0], x[1], x[2]); }   \
    static PAD(dual8) PT(dual_##n)(const PAD(dual8) *x)                                            \
    {                                                                                              \
        return PAD(dual8_##n)(x[0], x[1], x[2]);                                                   \
    }
ADI_READ((X1, X2, X3, ADI_SKIPN, ADI_WORDS(ADI_WORD_TEXT)))
#undef X1
#undef X2
#undef X3
static const struct { PAD(expr) e; PAD(dual8) (*dual)(const PAD(dual8) *); } PT(rule)[] = {
#define X1(n, class_, v, dx)         { { #n, PT(second_##n), PT(record_##n) }, PT(dual_##n) },
#define X2(n, class_, v, dx, dy)     { { #n, PT(second_##n), PT(record_##n) }, PT(dual_##n) },
#define X3(n, class_, v, dx, dy, dz) { { #n, PT(second_##n), PT(record_##n) }, PT(dual_##n) },
    ADI_READ((X1, X2, X3, ADI_SKIPN, ADI_WORDS(ADI_WORD_TEXT)))
#undef X1
#undef X2
#undef X3
};

/* The program on the tape, its rules as statements; v as run_var gives it. */
static void PT(run_expr)(const program *p, PAD(tape) *t, PAD(var) *v, unsigned char *way)
{
    PAD(var) a[PROGRAM_OPERANDS];
    size_t i, k, b = 0;
    for (k = 0; k < p->steps; k++) {
        const program_step *const s = &p->step[k];
        for (i = 0; i < s->n; i++) a[i] = v[p->operand[s->operand + i]];
        if (s->form == STEP_BRANCH) {
            way[b++] = (unsigned char)PAD(branch)(a[0]);
        } else if (s->form >= STEP_ONE && s->form <= STEP_LEFT) {
            const size_t n = s->n + s->numbers;
            PAD(dual8) x[3];
            if (s->form == STEP_RIGHT) a[1] = PAD(const)((PREAL)p->number[s->number]);
            if (s->form == STEP_LEFT) a[1] = a[0], a[0] = PAD(const)((PREAL)p->number[s->number]);
            for (i = 0; i < n; i++) x[i] = PAD(dual8_seed)(a[i].v, (int)i);
            if (n < 3) {                         /* four tangents are enough */
                const PAD(dual8) y = PT(rule)[s->rule].dual(x);
                PAD(dual4) few;
                few.v = y.v;
                memcpy(few.d, y.d, sizeof few.d);
                v[s->first] = PAD(var_expr4)(&PT(rule)[s->rule].e, n, a, few);
            } else {
                v[s->first] = PAD(var_expr8)(&PT(rule)[s->rule].e, n, a, PT(rule)[s->rule].dual(x));
            }
        } else {
            PT(step_var)(p, s, t, a, v + s->first);
        }
    }
}

/* n numbers of one way and of the other: near, measured by the largest, or by 1, as terms of some
   size may cancel. */
static void PT(near)(size_t n, const PREAL *a, const PREAL *b, uint64_t seed, const char *what,
    int line)
{
    double largest = 1;
    size_t i, wrong = 0;
    for (i = 0; i < n; i++) {
        if (!(fabs((double)a[i]) < HUGE_VAL && fabs((double)b[i]) < HUGE_VAL)) return;
        largest = fmax(largest, fmax(fabs((double)a[i]), fabs((double)b[i])));
    }
    for (i = 0; i < n; i++) wrong += !(fabs((double)a[i] - (double)b[i]) <= 4096 * PUNIT * largest);
    test_check(wrong == 0, __FILE__, line, "seed %lu: %s: %lu of %lu numbers differ",
        (unsigned long)seed, what, (unsigned long)wrong, (unsigned long)n);
}

typedef struct PT(side) {
    PAD(tape) *t;
    PAD(var)   v[PROGRAM_VALUES], y;
    PREAL      g[3][PROGRAM_INPUTS], H[3][PROGRAM_INPUTS * PROGRAM_INPUTS];
} PT(side);

/* Everything that one side says of y by the inputs, along `dot`. */
static void PT(derive)(PT(side) *s, size_t n, const PREAL *dot)
{
    PAD(var) g[PROGRAM_INPUTS], y_dot;
    size_t i, j;
    CHECK_STATUS(PAD(backward)(s->y), AD_OK);
    PAD(adjoints)(n, s->v, s->g[0]);
    CHECK_STATUS(PAD(jacobian_reverse)(s->t, n, s->v, 1, &s->y, s->g[1]), AD_OK);
    CHECK_STATUS(PAD(jacobian_forward)(s->t, n, s->v, 1, &s->y, s->g[2]), AD_OK);
    CHECK_STATUS(PAD(hessian_of)(s->y, n, s->v, s->H[0]), AD_OK);
    CHECK_STATUS(PAD(forward_over_reverse)(s->y, n, s->v, dot), AD_OK);
    for (i = 0; i < n; i++) s->H[1][i] = PAD(adjoint_tangent)(s->v[i]);
    CHECK_STATUS(PAD(forward)(s->t, n, s->v, dot), AD_OK);
    s->H[1][n] = PAD(tangent)(s->y);
    /* the gradient of the recorded tangent is the Hessian times dot */
    for (i = 0; i < n; i++) g[i] = PAD(const)(dot[i]);
    CHECK_STATUS(PAD(jvp_vars)(s->t, n, s->v, g, 1, &s->y, &y_dot), AD_OK);
    memset(s->H[2], 0, sizeof s->H[2]);
    if (y_dot.tape) {
        CHECK_STATUS(PAD(backward)(y_dot), AD_OK);
        PAD(adjoints)(n, s->v, s->H[2]);
    }
    s->H[2][n] = y_dot.v;
    CHECK_STATUS(PAD(grad_vars)(s->y, n, s->v, g), AD_OK);
    for (j = 0; j < n; j++) s->H[2][n + 1 + j] = g[j].v;
}

static void PT(random_programs)(void)
{
    static program p;
    static PT(side) side[2];
    int k, done = 0, exact = 0, w;
    side[0].t = PAD(tape_create)(NULL);
    side[1].t = PAD(tape_create)(NULL);
    for (k = 1; k <= EXPR_PROGRAMS; k += 1 + test_stride() / 3) {
        unsigned char way[PROGRAM_STEPS];
        PREAL at[PROGRAM_INPUTS], dot[PROGRAM_INPUTS], y[2][2 * PROGRAM_INPUTS];
        PAD(fn) *f[2], *df[2];
        size_t i, n, wrong = 0;
        program_make(&p, (uint64_t)k, PROGRAM_TAME | PROGRAM_NO_PARAMETERS | PROGRAM_ONE_OUTPUT);
        n = p.inputs;
        for (i = 0; i < n; i++) {
            at[i] = (PREAL)p.point[i];
            dot[i] = (PREAL)(1 + (double)i / 4);
        }
        for (w = 0; w < 2; w++) {
            PAD(tape_reset)(side[w].t);
            CHECK_STATUS(PAD(inputs)(side[w].t, n, at, side[w].v), AD_OK);
            if (w == 0) PT(run_var)(&p, side[w].t, side[w].v, side[w].v, way);
            else PT(run_expr)(&p, side[w].t, side[w].v, way);
            CHECK_STATUS(PAD(tape_status)(side[w].t), AD_OK);
            side[w].y = side[w].v[p.output[0]];
        }
        for (i = 0; i < p.values; i++)
            wrong += !(side[0].v[i].v == side[1].v[i].v || side[0].v[i].v != side[0].v[i].v);
        test_check(wrong == 0, __FILE__, __LINE__, "seed %d: %lu values differ", k,
            (unsigned long)wrong);
        if (!side[0].y.tape) continue;
        CHECK(side[1].y.tape == side[1].t);
        for (w = 0; w < 2; w++) {                           /* as they are compiled, they are one */
            f[w] = PAD(fn_create)(side[w].t, n, side[w].v, 1, &side[w].y, NULL);
            df[w] = PAD(fn_gradient)(f[w]);
            CHECK_STATUS(PAD(fn_status)(df[w]), AD_OK);
            y[w][0] = y[w][n + 1] = 0;
            CHECK_STATUS(PAD(fn_eval)(f[w], at, y[w]), AD_OK);
            CHECK_STATUS(PAD(fn_eval)(df[w], at, y[w] + 1), AD_OK);
            CHECK(PAD(fn_get_stats)(df[w]).nodes == PAD(fn_get_stats)(df[0]).nodes);
        }
        for (i = 0; i <= n; i++) wrong += !PT(same)(y[0][i], y[1][i]);
        test_check(wrong == 0, __FILE__, __LINE__, "seed %d: compiled, %lu numbers differ", k,
            (unsigned long)wrong);
        for (w = 0; w < 2; w++) {
            PAD(fn_destroy)(df[w]);
            PAD(fn_destroy)(f[w]);
            PT(derive)(&side[w], n, dot);
        }
        for (i = 0; i < n; i++) exact += side[0].g[0][i] == side[1].g[0][i];
        for (w = 0; w < 3; w++) {
            PT(near)(n, side[0].g[w], side[1].g[w], p.seed, "gradient", __LINE__);
            PT(near)(w == 0 ? n * n : w == 1 ? n : 2 * n + 1, side[0].H[w], side[1].H[w], p.seed,
                w == 0 ? "Hessian" : w == 1 ? "forward over reverse" : "recorded", __LINE__);
        }
        done++;
    }
    CHECK(done > EXPR_PROGRAMS / (1 + test_stride() / 3) / 2 && exact > done);
    PAD(tape_destroy)(side[0].t);
    PAD(tape_destroy)(side[1].t);
}

/* ---- one over several operations: a sin(b c) + exp(a d) / 3, or -a where b is negative */
#define WAVE(T, F)                                                                                 \
    F(select)(F(lt)(x[1], F(num)(0)), F(neg)(x[0]),                                                \
        F(add)(F(mul)(x[0], F(sin)(F(mul)(x[1], x[2]))),                                           \
               F(mul)(F(exp)(F(mul)(x[0], x[3])), F(num)(1.0 / 3))))
#define D4(n) PAD(dual4_##n)
#define D2(n) PAD(dual2_##n)
#define V(n)  PAD(var_##n)
static PAD(dual2) PT(wave_second)(const PAD(dual2) *x) { return WAVE(PAD(dual2), D2); }
static PAD(var) PT(wave_record)(const PAD(var) *x) { return WAVE(PAD(var), V); }
static PAD(dual4) PT(wave_dual)(const PAD(dual4) *x) { return WAVE(PAD(dual4), D4); }
static const PAD(expr) PT(wave) = { "wave", PT(wave_second), PT(wave_record) };
static PAD(var) PT(wave_of)(const PAD(expr) *e, const PAD(var) *x)
{
    PAD(dual4) d[4];
    int i;
    for (i = 0; i < 4; i++) d[i] = PAD(dual4_seed)(x[i].v, i);
    return PAD(var_expr4)(e, 4, x, PT(wave_dual)(d));
}
#undef D4
#undef D2
#undef V

/* as ad_fun: two waves, one of them on results, a constant and one variable twice */
static PAD(var) PT(sea)(PAD(tape) *t, const PAD(var) *x, size_t n, void *user)
{
    const int plain = *(const int *)user;
    PAD(var) a[4], y;
    (void)t;
    (void)n;
    y = plain ? PT(wave_record)(x) : PT(wave_of)(&PT(wave), x);
    a[0] = PAD(var_mul)(y, x[1]);
    a[1] = PAD(var_sin)(x[2]);
    a[2] = PAD(const)((PREAL)0.75);
    a[3] = x[2];
    y = PAD(var_mul)(y, plain ? PT(wave_record)(a) : PT(wave_of)(&PT(wave), a));
    a[3] = a[1];
    return PAD(var_sub)(y, plain ? PT(wave_record)(a) : PT(wave_of)(&PT(wave), a));
}

static void PT(waves)(void)
{
    static const PREAL at[3][4] = { { (PREAL)0.5, (PREAL)0.25, (PREAL)1.5, (PREAL)-0.75 },
        { (PREAL)-1, (PREAL)-0.5, (PREAL)2, (PREAL)0.5 }, { 1, 0, 0, 1 } };
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PREAL g[2][4], H[2][16], f[2];
    PAD(var) x[4], y, z[4];
    PAD(linear) *l;
    ad_pattern pattern;
    ad_kind of_x[4], of_y;
    ad_hot_stats hot;
    PAD(fn) *fn;
    int k, plain;
    for (k = 0; k < 3; k++) {
        for (plain = 0; plain < 2; plain++) {
            CHECK_STATUS(PAD(gradient)(t, PT(sea), &plain, at[k], 4, &f[plain], g[plain]), AD_OK);
            CHECK_STATUS(PAD(hessian)(t, PT(sea), &plain, at[k], 4, NULL, NULL, H[plain]), AD_OK);
        }
        CHECK(PT(same)(f[0], f[1]));
        PT(near)(4, g[0], g[1], (uint64_t)k, "gradient", __LINE__);
        PT(near)(16, H[0], H[1], (uint64_t)k, "Hessian", __LINE__);
    }
    /* where it is called: one instruction; and what is known of it */
    plain = 0;
    PAD(tape_reset)(t);
    PAD(inputs)(t, 4, at[0], x);
    y = PT(wave_of)(&PT(wave), x);
    CHECK(PAD(tape_get_stats)(t).slots == 5 && y.v == PT(wave_record)(x).v);
    PAD(tape_rewind)(t, 5);
    CHECK_STATUS(PAD(kinds)(t, 4, x, 1, &y, of_x, &of_y), AD_OK);
    CHECK(of_y == AD_KIND_NONLINEAR && of_x[0] == AD_KIND_NONLINEAR);
    CHECK_STATUS(PAD(jacobian_pattern)(t, 4, x, 1, &y, &pattern), AD_OK);
    CHECK(pattern.row_start[1] == 4);
    ad_pattern_free(&pattern);
    CHECK_STATUS(PAD(hessian_pattern)(t, 4, x, 1, &y, &pattern), AD_OK);
    CHECK(pattern.row_start[4] > 4);
    ad_pattern_free(&pattern);
    CHECK_STATUS(PAD(backward)(y), AD_OK);
    PAD(adjoints)(4, x, g[0]);
    l = PAD(linearise)(t, 4, x, 1, &y);
    f[0] = 1;
    CHECK_STATUS(PAD(linear_vjp)(l, 1, f, g[1]), AD_OK);
    PT(near)(4, g[0], g[1], 0, "linearised", __LINE__);
    PAD(linear_destroy)(l);
    /* hot: such a trace is swept as ever */
    CHECK_STATUS(PAD(tape_hot)(t, 2, 0), AD_OK);
    for (k = 0; k < 6; k++) {
        PAD(tape_reset)(t);
        PAD(inputs)(t, 4, at[0], x);
        y = PT(wave_of)(&PT(wave), x);
        CHECK_STATUS(PAD(backward)(y), AD_OK);
        PAD(adjoints)(4, x, g[1]);
        PT(near)(4, g[0], g[1], (uint64_t)k, "hot", __LINE__);
    }
    hot = PAD(tape_hot_stats)(t);
    CHECK(hot.hits == 0 && (hot.refused == 0 || strstr(hot.why, "expr") != NULL));
    PAD(tape_hot)(t, 0, 0);
    /* no derivative, no statement: what needs one says so, and nothing else */
    {
        const PAD(expr) bare = { "bare", NULL, NULL };
        PREAL one[4] = { 1, 0, 0, 0 };
        PAD(tape_reset)(t);
        PAD(inputs)(t, 4, at[0], x);
        y = PT(wave_of)(&bare, x);
        CHECK_STATUS(PAD(backward)(y), AD_OK);
        PAD(adjoints)(4, x, g[1]);
        PT(near)(4, g[0], g[1], 9, "bare", __LINE__);
        fn = PAD(fn_create)(t, 4, x, 1, &y, NULL);
        CHECK(PAD(fn_status)(fn) == AD_ERR_UNSUPPORTED);
        CHECK(strstr(PAD(fn_message)(fn), "bare, has no record") != NULL);
        PAD(fn_destroy)(fn);
        PAD(tape_clear_status)(t);
        CHECK_STATUS(PAD(forward_over_reverse)(y, 4, x, one), AD_ERR_UNSUPPORTED);
        CHECK_STRING(PAD(tape_message)(t), "bare: no second");
        PAD(tape_clear_status)(t);
        CHECK_STATUS(PAD(grad_vars)(y, 4, x, z), AD_ERR_UNSUPPORTED);
        CHECK_STRING(PAD(tape_message)(t), "bare: no record");
    }
    PAD(tape_destroy)(t);
}

/* a exp(-exp(b)), where exp(b) overflows: the formula's duals say NaN, its operations 0. */
#define GOMPERTZ(T, x) PAD(T##_mul)((x)[0], PAD(T##_exp)(PAD(T##_neg)(PAD(T##_exp)((x)[1]))))
static PAD(dual2) PT(gompertz_second)(const PAD(dual2) *x) { return GOMPERTZ(dual2, x); }
static PAD(var) PT(gompertz_record)(const PAD(var) *x) { return GOMPERTZ(var, x); }
static void PT(overflowing)(void)
{
    static const PAD(expr) whole = { "gompertz", PT(gompertz_second), PT(gompertz_record) };
    static const PAD(expr) bare = { "gompertz", NULL, NULL };
    PAD(tape) *const t = PAD(tape_create)(NULL);
    int way, k;
    for (way = 0; way < 2; way++)
        for (k = 0; k < 3; k++) {                /* with room for it, too */
            PAD(dual4) d[2];
            PAD(var) x[2], y;
            PREAL H[4];
            if (k == 0) PAD(tape_reset)(t);
            x[0] = PAD(input)(t, 2);
            x[1] = PAD(input)(t, k ? 800 : 0);
            d[0] = PAD(dual4_seed)(x[0].v, 0);
            d[1] = PAD(dual4_seed)(x[1].v, 1);
            y = PAD(var_expr4)(way ? &bare : &whole, 2, x, GOMPERTZ(dual4, d));
            CHECK_STATUS(PAD(backward)(y), AD_OK);
            if (k == 0) {
                CHECK_NEAR(y.v, 2 * exp(-1), 16 * PUNIT);
                CHECK_NEAR(PAD(adjoint)(x[1]), -2 * exp(-1), 16 * PUNIT);
                continue;
            }
            CHECK(y.v == 0);
            if (way) {                           /* there is nothing else to ask */
                CHECK(PAD(adjoint)(x[0]) != PAD(adjoint)(x[0]));
                continue;
            }
            CHECK(PAD(adjoint)(x[0]) == 0 && PAD(adjoint)(x[1]) == 0);
            CHECK_STATUS(PAD(hessian_of)(y, 2, x, H), AD_OK);
            CHECK(H[0] == 0 && H[1] == 0 && H[3] == 0);
        }
    PAD(tape_destroy)(t);
}
#undef GOMPERTZ
/* Statements in steps that are repeated, whose second derivatives are swept step by step. */
static ad_status PT(surge)(PAD(tape) *t, size_t i, const PAD(var) *s, size_t n, const PAD(var) *p,
    size_t k, PAD(var) *next, void *user)
{
    PAD(var) x[4];
    (void)i;
    (void)k;
    x[0] = s[0];
    x[1] = p[0];
    x[2] = s[1];
    x[3] = p[1];
    next[0] = PT(sea)(t, x, n, user);
    next[1] = PAD(var_add)(s[1], PAD(var_mul_r)(s[0], (PREAL)0.25));
    return AD_OK;
}
/* What steps and operations record on a compiled function's tape are operations there. */
static void PT(compiled_from)(PAD(tape) *t, const PAD(var) *x, PAD(var) y, const PREAL *g,
    const PREAL *H)
{
    PAD(fn) *const f = PAD(fn_create)(t, 4, x, 1, &y, NULL);
    PAD(fn) *const gradient = PAD(fn_gradient)(f), *const hessian = PAD(fn_hessian)(f);
    PAD(fn) *const twice = PAD(fn_gradient)(gradient);
    PREAL in[4], out[21];
    int k;
    for (k = 0; k < 4; k++) in[k] = x[k].v;
    CHECK_STATUS(PAD(fn_eval)(gradient, in, out), AD_OK);
    CHECK(PT(same)(out[0], y.v));
    PT(near)(4, out + 1, g, 0, "compiled gradient", __LINE__);
    CHECK_STATUS(PAD(fn_eval)(hessian, in, out), AD_OK);
    PT(near)(4, out + 1, g, 0, "gradient beside a compiled Hessian", __LINE__);
    PT(near)(16, out + 5, H, 0, "compiled Hessian", __LINE__);
    CHECK(PAD(fn_status)(twice) == AD_ERR_SHAPE);
    PAD(fn_destroy)(twice);
    PAD(fn_destroy)(hessian);
    PAD(fn_destroy)(gradient);
    PAD(fn_destroy)(f);
}
static ad_status PT(blind)(PAD(tape) *t, size_t i, const PAD(var) *s, size_t n, const PAD(var) *p,
    size_t k, PAD(var) *next, void *user)
{
    const PAD(expr) *const e = (const PAD(expr) *)user;
    PAD(dual4) d = PAD(dual4_seed)(s[0].v, 0);
    (void)t, (void)i, (void)n, (void)p, (void)k;
    next[0] = PAD(var_expr4)(e, 1, s, PAD(dual4_mul)(d, d));
    return AD_OK;
}
static PAD(var) PT(constant)(const PAD(var) *x) { return PAD(const)(x[0].v * 0 + 3); }
/* A statement that cannot be recorded, and one whose operations need none of its operands. */
static void PT(blind_steps)(void)
{
    static const PAD(expr) bare = { "bare", NULL, NULL }, none = { "none", NULL, PT(constant) };
    PAD(repeat_desc) desc;
    int way;
    memset(&desc, 0, sizeof desc);
    desc.steps = 2;
    for (way = 0; way < 2; way++) {
        PAD(tape) *const t = PAD(tape_create)(NULL);
        const PAD(expr) e = way ? none : bare;
        PAD(repeat) *const r = PAD(repeat_create)(PT(blind), (void *)(uintptr_t)&e, 1, 0, &desc);
        PAD(var) x = PAD(input)(t, (PREAL)0.5), y;
        PAD(fn) *f, *g;
        PREAL in = (PREAL)0.5, out[2];
        CHECK_STATUS(PAD(repeat_run)(r, t, &x, NULL, &y), AD_OK);
        f = PAD(fn_create)(t, 1, &x, 1, &y, NULL);
        g = PAD(fn_gradient)(f);
        if (way) {
            CHECK_STATUS(PAD(fn_eval)(g, &in, out), AD_OK);
            CHECK(out[1] == 0);
        } else {
            CHECK_STATUS(PAD(fn_status)(g), AD_ERR_UNSUPPORTED);
            CHECK(strstr(PAD(fn_message)(g), "bare: no record") != NULL);
        }
        PAD(fn_destroy)(g);
        PAD(fn_destroy)(f);
        PAD(repeat_destroy)(r);
        PAD(tape_destroy)(t);
    }
}
/* Without a name, beside numbers, and of none of its operands. */
static void PT(nameless)(void)
{
    static const PAD(expr) e = { NULL, NULL, PT(constant) };
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(var) x[5], y, g[2];
    int i;
    for (i = 0; i < 5; i++) x[i] = i < 2 ? PAD(input)(t, (PREAL)0.5) : PAD(const)(2);
    y = PAD(var_expr4)(&e, 4, x, PAD(dual4_num)(3));
    CHECK(y.v == 3);
    CHECK_STATUS(PAD(grad_vars)(y, 2, x, g), AD_OK);
    CHECK(g[0].v == 0 && g[1].v == 0);
    CHECK_STATUS(PAD(grad_vars)(y, 1, x, g), AD_OK);         /* by one of its two */
    {
        static const PAD(expr) none = { NULL, NULL, NULL };
        y = PAD(var_expr4)(&none, 2, x, PAD(dual4_mul)(PAD(dual4_seed)(x[0].v, 0),
                                                       PAD(dual4_seed)(x[1].v, 1)));
        CHECK_STATUS(PAD(grad_vars)(y, 1, x, g), AD_ERR_UNSUPPORTED);
        CHECK_STRING(PAD(tape_message)(t), "expr: no record");
        PAD(tape_clear_status)(t);
    }
    {
        PAD(dual4) d = PAD(dual4_num)(3);
        d.d[0] = (PREAL)NAN;                                 /* and no operations to go by */
        CHECK(PAD(var_expr4)(&e, 2, x, d).v == 3);
        CHECK_STATUS(PAD(tape_status)(t), AD_OK);
        {                                                    /* and operands that are not its own */
            PAD(tape) *const other = PAD(tape_create)(NULL);
            PAD(var) apart[2];
            apart[0] = x[0];
            apart[1] = PAD(input)(other, 1);
            y = PAD(var_expr4)(&e, 2, apart, d);
            CHECK(y.v != 3);
            CHECK_STATUS(PAD(tape_status)(t), AD_ERR_MIXED);
            CHECK_STATUS(PAD(tape_status)(other), AD_ERR_MIXED);
            PAD(tape_clear_status)(t);
            PAD(tape_destroy)(other);
        }
    }
    CHECK(PAD(var_expr4)(&e, 5, x, PAD(dual4_num)(3)).v != 3);
    CHECK_STATUS(PAD(tape_status)(t), AD_ERR_ARGUMENT);
    CHECK_STRING(PAD(tape_message)(t), "expr: 5 operands, where a dual has 4 tangents");
    PAD(tape_reset)(t);
    CHECK(PAD(var_expr4)(NULL, 2, x, PAD(dual4_num)(3)).v != 3);
    CHECK(PAD(tape_status)(t) != AD_OK);
    PAD(tape_destroy)(t);
}
static void PT(repeated)(void)
{
    static const PREAL at[4] = { (PREAL)0.5, (PREAL)1.5, (PREAL)0.25, (PREAL)-0.75 };
    PAD(repeat_desc) desc;
    PREAL y[2], g[2][4], H[2][16];
    int plain;
    memset(&desc, 0, sizeof desc);
    desc.steps = 5;
    for (plain = 0; plain < 2; plain++) {
        PAD(tape) *const t = PAD(tape_create)(NULL);
        PAD(repeat) *const r = PAD(repeat_create)(PT(surge), &plain, 2, 2, &desc);
        PAD(var) x[4], end[2];
        PAD(inputs)(t, 4, at, x);
        CHECK_STATUS(PAD(repeat_run)(r, t, x, x + 2, end), AD_OK);
        end[0] = PAD(var_mul)(end[0], end[1]);
        y[plain] = end[0].v;
        CHECK_STATUS(PAD(backward)(end[0]), AD_OK);
        PAD(adjoints)(4, x, g[plain]);
        CHECK_STATUS(PAD(hessian_of)(end[0], 4, x, H[plain]), AD_OK);
        PT(compiled_from)(t, x, end[0], g[plain], H[plain]);
        PAD(repeat_destroy)(r);
        PAD(tape_destroy)(t);
    }
    CHECK(PT(same)(y[0], y[1]) && H[1][0] != 0);
    PT(near)(4, g[0], g[1], 0, "gradient of steps", __LINE__);
    PT(near)(16, H[0], H[1], 0, "Hessian of steps", __LINE__);
}

/* ---- what is wrong */
static void PT(wrong_calls)(void)
{
    static const PREAL at[6] = { 1, 2, 3, 4, 5, 6 };
    PAD(tape) *const t = PAD(tape_create)(NULL), *const other = PAD(tape_create)(NULL);
    PAD(var) x[6], y, foreign;
    PAD(dual4) d = PAD(dual4_num)(7);
    PAD(dual8) d8 = PAD(dual8_num)(7);
    size_t before;
    int way;
    for (way = 0; way < 6; way++) {
        PAD(tape_reset)(t);
        PAD(tape_reset)(other);
        PAD(inputs)(t, 6, at, x);
        foreign = PAD(input)(other, 1);
        if (way == 5) PAD(tape_rewind)(t, 3);
        before = PAD(tape_get_stats)(t).slots;
        if (way == 1) x[1] = foreign;
        y = way == 0 ? PAD(var_expr4)(NULL, 2, x, d) : way == 2 ? PAD(var_expr4)(&PT(wave), 5, x, d)
          : way == 3 ? PAD(var_expr8)(&PT(wave), 9, x, d8)
          : way == 4 ? PAD(var_expr4)(&PT(wave), 2, NULL, d) : PAD(var_expr4)(&PT(wave), 4, x, d);
        test_check(y.tape == NULL && y.v != y.v, __FILE__, __LINE__, "way %d", way);
        CHECK(PAD(tape_get_stats)(t).slots == before);
        if (way != 4) CHECK(PAD(tape_status)(t) != AD_OK);
        if (way != 4 && way != 0) CHECK(strstr(PAD(tape_message)(t), "wave") != NULL || way == 1
                                        || way == 5);
    }
    PAD(tape_reset)(t);                          /* of numbers alone: a number */
    x[0] = x[1] = PAD(const)(2);
    y = PAD(var_expr4)(&PT(wave), 2, x, d);
    CHECK(y.tape == NULL && y.v == 7);
    y = PAD(var_expr4)(&PT(wave), 0, NULL, d);
    CHECK(y.tape == NULL && y.v == 7);
    CHECK_STATUS(PAD(tape_status)(t), AD_OK);
    PAD(tape_destroy)(t);
    PAD(tape_destroy)(other);
}

/* Rewinds, a buffer that gets full, memory that fails at any time; debugging. */
static void PT(memory)(void)
{
    enum { MANY = 300 };
    static const PREAL at[4] = { (PREAL)0.5, (PREAL)0.25, (PREAL)1.5, (PREAL)-0.75 };
    static double buffer[8192];
    ad_tape_desc desc;
    heap h;
    size_t fail, calls = 0;
    PREAL want[4] = { 0, 0, 0, 0 }, g[4];
    int way;
    for (way = 0; way < 2; way++)
        for (fail = 0; fail <= calls; fail++) {
            PAD(tape) *t;
            PAD(var) x[4], y;
            int k, turn, lost;
            memset(&h, 0, sizeof h);
            memset(&desc, 0, sizeof desc);
            h.fail_at = fail;
            desc.resize = heap_resize;
            desc.resize_user = &h;
            desc.debug = way;
            t = PAD(tape_create)(&desc);
            for (turn = 0; turn < 2 && t; turn++) {
                PAD(tape_reset)(t);
                PAD(inputs)(t, 4, at, x);
                y = x[0];
                lost = 0;                        /* a rewind forgets that memory failed */
                for (k = 0; k < MANY; k++) {
                    const size_t mark = PAD(tape_mark)(t);
                    lost |= PAD(tape_status)(t) != AD_OK;
                    PT(wave_of)(&PT(wave), x);
                    PAD(tape_rewind)(t, mark);
                    x[0] = y = PAD(var_mul_r)(PT(wave_of)(&PT(wave), x), (PREAL)0.5);
                }
                PAD(backward)(y);
                PAD(adjoints)(3, x + 1, g);
                if (PAD(tape_status)(t) == AD_OK && !lost && (fail || way)) {
                    CHECK(g[0] == want[0] && g[1] == want[1] && g[2] == want[2]);
                } else if (!fail && !way) {
                    CHECK_STATUS(PAD(tape_status)(t), AD_OK);
                    memcpy(want, g, sizeof want);
                }
            }
            PAD(tape_destroy)(t);
            CHECK(h.wrong == 0 && h.live == 0 && h.blocks == 0);
            if (!fail) calls = h.calls;
        }
    {
        PAD(tape) *t;
        PAD(var) x[4], y;
        PREAL one[4] = { 1, 0, 0, 0 };
        memset(&desc, 0, sizeof desc);
        desc.buffer = buffer;
        desc.buffer_bytes = sizeof buffer;
        t = PAD(tape_create)(&desc);
        PAD(inputs)(t, 4, at, x);
        y = x[0] = PT(wave_of)(&PT(wave), x);
        CHECK_STATUS(PAD(backward)(y), AD_OK);
        CHECK_STATUS(PAD(forward_over_reverse)(y, 3, x + 1, one), AD_OK);
        while (PAD(tape_status)(t) == AD_OK) x[0] = PT(wave_of)(&PT(wave), x);
        CHECK(PAD(tape_status)(t) == AD_ERR_LIMIT && strstr(PAD(tape_message)(t), "full") != NULL);
        PAD(tape_destroy)(t);
    }
}

static void PT(test_expr)(void)
{
    PT(random_programs)();
    PT(waves)();
    PT(repeated)();
    PT(blind_steps)();
    PT(nameless)();
    PT(overflowing)();
    PT(wrong_calls)();
    PT(memory)();
}
#undef WAVE
#endif
