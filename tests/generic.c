/* The C11 front, attacked from outside: values, derivatives and types of every operation,
   with plain numbers on either side, and a text that serves double, duals and variables alike.
   Section: The C11 Front. */
#include <math.h>

#include "../autodiff.h"
#include "alone.h"
#include "rows.h"

/* A float argument meets a parameter of type double in the mixed forms; clang then warns of the
   promotion in the user's line. -DSTRICT_FLOATS leaves that warning on. */
#if defined(__clang__) && !defined(STRICT_FLOATS)
#pragma clang diagnostic ignored "-Wdouble-promotion"
#endif

/* ------------------------------------------------------------ the types of results */

#define TYPE(e) _Generic((e), float: "float", double: "double", ad_var: "ad_var",                  \
    ad_dual: "ad_dual", ad_dual4: "ad_dual4", ad_dual8: "ad_dual8", ad_dual2: "ad_dual2",          \
    adf_var: "adf_var", adf_dual: "adf_dual", adf_dual4: "adf_dual4", adf_dual8: "adf_dual8",      \
    adf_dual2: "adf_dual2", default: "something else")
#define EXPECT_TYPE(e, T) test_check(strcmp(TYPE(e), T) == 0, __FILE__, __LINE__,                 \
    "%s is %s, not %s", #e, TYPE(e), T)
/* the same of a row's call, whose text is long once it is expanded */
#define ROW_TYPE(row, e, T) row_type(#row, TYPE(e), T)
static void row_type(const char *row, const char *got, const char *type)
{
    test_check(strcmp(got, type) == 0, __FILE__, __LINE__, "ad_%s: a result is %s, not %s", row,
        got, type);
}

/* Reads the table with X1, X2 and X3. */
#define EVERY_ROW ADI_READ((X1, X2, X3, ADI_SKIPN, ADI_WORDS(ADI_WORD_TEXT)))

/* What a test knows of a number type: how to make a variable of derivative 1, and how to
   ask for the derivative. */
static ad_tape *tape;
static adf_tape *tapef;

static ad_var make_ad_var(double v) { return ad_input(tape, v); }
static adf_var make_adf_var(double v) { return adf_input(tapef, (float)v); }
static ad_dual make_ad_dual(double v) { return ad_dual_make(v, 1); }
static adf_dual make_adf_dual(double v) { return adf_dual_make((float)v, 1); }
static ad_dual2 make_ad_dual2(double v) { return ad_dual2_make(v, 1, 1, 0); }
static adf_dual2 make_adf_dual2(double v) { return adf_dual2_make((float)v, 1, 1, 0); }
static ad_dual4 make_ad_dual4(double v) { return ad_dual4_seed(v, 2); }
static adf_dual4 make_adf_dual4(double v) { return adf_dual4_seed((float)v, 2); }
static ad_dual8 make_ad_dual8(double v) { return ad_dual8_seed(v, 5); }
static adf_dual8 make_adf_dual8(double v) { return adf_dual8_seed((float)v, 5); }

static double slope_ad_var(ad_var y, ad_var x)
{
    if (!y.tape) return 0;
    CHECK(ad_backward(y) == AD_OK);
    return ad_adjoint(x);
}
static double slope_adf_var(adf_var y, adf_var x)
{
    if (!y.tape) return 0;
    CHECK(adf_backward(y) == AD_OK);
    return (double)adf_adjoint(x);
}
#define SLOPE(T, part) static double slope_##T(T y, T x) { (void)x; return (double)(part); }
SLOPE(ad_dual, y.d)      SLOPE(adf_dual, y.d)      SLOPE(ad_dual2, y.d2)    SLOPE(adf_dual2, y.d2)
SLOPE(ad_dual4, y.d[2])  SLOPE(adf_dual4, y.d[2])  SLOPE(ad_dual8, y.d[5])  SLOPE(adf_dual8, y.d[5])
#undef SLOPE

/* ------------------------------------------------------------ every type */

#define EXPECT(T, expression, value, derivative) do {                                              \
        const T r_ = expression;                                                                   \
        NEAR_AS(#T " " #expression, ad_value(r_), value, fine);                                    \
        NEAR_AS(#T " d " #expression, slope_##T(r_, x), derivative, fine);                         \
    } while (0)

#define TEST_TYPE(T, R, tolerance)                                                                 \
static void test_values_##T(void)                                                                  \
{                                                                                                  \
    const double fine = tolerance, v = 0.625;                                                      \
    const T x = make_##T(v);                                                                       \
    T y = x;                                                                                       \
    const int two = 2;                                                                             \
    const float half = 0.5f;                                                                       \
    const double three = 3;                                                                        \
    EXPECT(T, ad_neg(x), -v, -1);                      EXPECT(T, ad_square(x), v * v, 2 * v);      \
    EXPECT(T, ad_sin(x), sin(v), cos(v));              EXPECT(T, ad_exp(x), exp(v), exp(v));       \
    EXPECT(T, ad_log(x), log(v), 1 / v);                                                           \
    EXPECT(T, ad_sqrt(x), sqrt(v), 0.5 / sqrt(v));                                                 \
    EXPECT(T, ad_tanh(x), tanh(v), 1 - tanh(v) * tanh(v));                                         \
    EXPECT(T, ad_relu(ad_neg(x)), 0, 0);               EXPECT(T, ad_abs(ad_neg(x)), v, 1);         \
    EXPECT(T, ad_add(x, y), 2 * v, 2);                 EXPECT(T, ad_sub(x, y), 0, 0);              \
    EXPECT(T, ad_mul(x, y), v * v, 2 * v);             EXPECT(T, ad_div(x, y), 1, 0);              \
    /* each kind of plain number on either side; what is not commutative shows an exchange */      \
    EXPECT(T, ad_add(x, 2), v + 2, 1);                 EXPECT(T, ad_add(2, x), v + 2, 1);          \
    EXPECT(T, ad_sub(x, 2), v - 2, 1);                 EXPECT(T, ad_sub(2, x), 2 - v, -1);         \
    EXPECT(T, ad_sub(x, 0.5f), v - 0.5, 1);            EXPECT(T, ad_sub(0.5f, x), 0.5 - v, -1);    \
    EXPECT(T, ad_sub(x, 3.0), v - 3, 1);               EXPECT(T, ad_sub(3.0, x), 3 - v, -1);       \
    EXPECT(T, ad_mul(x, 2), 2 * v, 2);                 EXPECT(T, ad_mul(3.0, x), 3 * v, 3);        \
    EXPECT(T, ad_div(x, 2), v / 2, 0.5);                                                           \
    EXPECT(T, ad_div(2, x), 2 / v, -2 / (v * v));                                                  \
    EXPECT(T, ad_div(x, 0.5f), v * 2, 2);                                                          \
    EXPECT(T, ad_div(0.5f, x), 0.5 / v, -0.5 / (v * v));                                           \
    EXPECT(T, ad_pow(x, 2), v * v, 2 * v);                                                         \
    EXPECT(T, ad_pow(2, x), pow(2, v), log(2.0) * pow(2, v));                                      \
    EXPECT(T, ad_pow(x, 3.0), v * v * v, 3 * v * v);                                               \
    EXPECT(T, ad_atan2(x, 2), atan2(v, 2), 2 / (v * v + 4));                                       \
    EXPECT(T, ad_atan2(2, x), atan2(2, v), -2 / (v * v + 4));                                      \
    EXPECT(T, ad_hypot(x, 2), hypot(v, 2), v / hypot(v, 2));                                       \
    EXPECT(T, ad_min(x, 2), v, 1);                     EXPECT(T, ad_max(2, x), 2, 0);              \
    EXPECT(T, ad_lt(x, 1), 1, 0);                      EXPECT(T, ad_lt(1, x), 0, 0);               \
    EXPECT(T, ad_ge(x, 0.625), 1, 0);                  EXPECT(T, ad_gt(0.5f, x), 0, 0);            \
    EXPECT(T, ad_ipow(x, 3), v * v * v, 3 * v * v);                                                \
    EXPECT(T, ad_powi(x, 3), v * v * v, 3 * v * v);                                                \
    EXPECT(T, ad_powi(x, -1), 1 / v, -1 / (v * v));    EXPECT(T, ad_powi(x, two), v * v, 2 * v);   \
    /* three operands, every pattern of variables and plain numbers */                             \
    EXPECT(T, ad_fma(x, y, x), v * v + v, 2 * v + 1);                                              \
    EXPECT(T, ad_fma(x, y, 1), v * v + 1, 2 * v);                                                  \
    EXPECT(T, ad_fma(x, 2, y), 3 * v, 3);              EXPECT(T, ad_fma(2, x, y), 3 * v, 3);       \
    EXPECT(T, ad_fma(x, 2, 1.0), 2 * v + 1, 2);                                                    \
    EXPECT(T, ad_fma(0.5f, x, 1), v / 2 + 1, 0.5);                                                 \
    EXPECT(T, ad_fma(2, 3.0, x), 6 + v, 1);                                                        \
    EXPECT(T, ad_fma(0.5f, 0.5f, x), 0.25 + v, 1);                                                 \
    EXPECT(T, ad_clamp(x, 0, 1), v, 1);                EXPECT(T, ad_clamp(x, 1, 2.0), 1, 0);       \
    EXPECT(T, ad_clamp(ad_mul(x, 8), 0.5f, 2), 2, 0);  EXPECT(T, ad_clamp(5, 0, x), v, 1);         \
    EXPECT(T, ad_clamp(0, x, 5), v, 1);                EXPECT(T, ad_clamp(x, x, 1), v, 1);         \
    EXPECT(T, ad_select(1, x, 0), v, 1);               EXPECT(T, ad_select(0, x, 7), 7, 0);        \
    EXPECT(T, ad_select(ad_gt(x, 0), ad_mul(x, x), 0.0), v * v, 2 * v);                            \
    EXPECT(T, ad_select(ad_lt(x, 0), 1.0, ad_mul(2, x)), 2 * v, 2);                                \
    EXPECT(T, ad_select(ad_lt(x, 1), 3, 0.5f), 3, 0);                                              \
    /* objects, not only literals; arguments that are expressions, with casts */                   \
    EXPECT(T, ad_mul((R)two, x), 2 * v, 2);            EXPECT(T, ad_sub(half, x), 0.5 - v, -1);    \
    EXPECT(T, ad_sub(x, (R)three), v - 3, 1);                                                      \
    EXPECT(T, ad_mul((R)(two + 1), x), 3 * v, 3);                                                  \
    EXPECT(T, ad_mul((R)2, ad_neg((y))), -2 * v, -2);                                              \
    EXPECT(T, ad_add(x, two == 2 ? 1.0f : 0), v + 1, 1);                                           \
    {                                                                                              \
        T a[2];                                                                                    \
        const T *const p = a;                                                                      \
        int i = 0;                                                                                 \
        a[0] = ad_mul(x, 2);                                                                       \
        a[1] = ad_add(x, 1);                                                                       \
    EXPECT(T, ad_mul(p[0], *(p + 1)), 2 * v * (v + 1), 4 * v + 2);                                 \
        y = ad_mul(p[i], 3);           /* an argument is evaluated once */                         \
        y = ad_mul(p[i++], y);                                                                     \
        CHECK(i == 1);                                                                             \
        y = ad_fma(p[--i], 1, y);                                                                  \
        CHECK(i == 0);                                                                             \
        y = ad_sin(p[i++]);                                                                        \
        CHECK(i == 1);                                                                             \
    }                                                                                              \
}

/* ------------------------------------------------------------ every row of the table */

/* What is known of a row; NULL if nothing is. */
static const row_facts *facts(const char *name)
{
    const row_facts *const r = row_of(name);
    test_check(r != NULL, __FILE__, __LINE__, "rule %s has no reference in rows.h", name);
    return r;
}

static void holds(const char *name, const char *type, const char *what, double got, double want,
    double tolerance)
{
    test_check(test_near(got, want, tolerance), __FILE__, __LINE__,
        "ad_%s of %s, %s: %.17g, not %.17g", name, type, what, got, want);
}

static int at(const char *name, int i, double *p, double *t)
{
    if (i >= 4 || !row_of(name) || !row_point(row_of(name), i, p)) return 0;
    row_truth(row_of(name), p, t);
    return 1;
}

/* Value and slope: of one operand a variable, the others plain numbers; of all variables the
   value. */
#define TEST_ROWS(T, R, tolerance)                                                                 \
static void is_##T(const char *name, T y, T x, double value, double slope)                         \
{                                                                                                  \
    holds(name, #T, "value", (double)ad_value(y), value, 8 * tolerance);                           \
    if (slope == slope) holds(name, #T, "slope", slope_##T(y, x), slope, 8 * tolerance);           \
}                                                                                                  \
static void test_rows_##T(void)                                                                    \
{                                                                                                  \
    typedef T number;                                                                              \
    typedef R real;                                                                                \
    number (*const make)(double) = make_##T;                                                       \
    void (*const is)(const char *, number, number, double, double) = is_##T;                       \
    double p[3], t[4];                                                                             \
    int i;                                                                                         \
    EVERY_ROW                                                                                      \
}
#define NO (double)NAN                             /* no slope is asked for */
#define ROW_LOOP(name) for (i = 0; facts(#name) && at(#name, i, p, t); i++)
#define X1(n, class_, v, dx)                                                                       \
    ROW_LOOP(n) {                                                                                  \
        const number x = make(p[0]);                                                               \
        is(#n, ad_##n(x), x, t[0], t[1]);                                                          \
    }
#define X2(n, class_, v, dx, dy)                                                                   \
    ROW_LOOP(n) {                                                                                  \
        const number x = make(p[0]), y = make(p[1]);                                               \
        is(#n, ad_##n(x, y), x, t[0], NO);                                                         \
        is(#n, ad_##n(x, (real)p[1]), x, t[0], t[1]);                                              \
        is(#n, ad_##n((real)p[0], y), y, t[0], t[2]);                                              \
    }
#define X3(n, class_, v, dx, dy, dz)                                                               \
    ROW_LOOP(n) {                                                                                  \
        const number x = make(p[0]), y = make(p[1]), z = make(p[2]);                               \
        is(#n, ad_##n(x, y, z), x, t[0], NO);                                                      \
        is(#n, ad_##n(x, (real)p[1], (real)p[2]), x, t[0], t[1]);                                  \
        is(#n, ad_##n((real)p[0], y, (real)p[2]), y, t[0], t[2]);                                  \
        is(#n, ad_##n((real)p[0], (real)p[1], z), z, t[0], t[3]);                                  \
    }

#define EVERY(X)                                                                                   \
    X(ad_var, double, 1e-14) X(ad_dual, double, 1e-14) X(ad_dual4, double, 1e-14)                  \
    X(ad_dual8, double, 1e-14) X(ad_dual2, double, 1e-14) X(adf_var, float, 2e-6)                  \
    X(adf_dual, float, 2e-6) X(adf_dual4, float, 2e-6) X(adf_dual8, float, 2e-6)                   \
    X(adf_dual2, float, 2e-6)
EVERY(TEST_TYPE)
#define FEW(X) X(ad_var, double, 1e-14) X(ad_dual, double, 1e-14) X(adf_var, float, 2e-6)          \
    X(adf_dual2, float, 2e-6)
FEW(TEST_ROWS)
#undef X1
#undef X2
#undef X3

/* A result's type tells which function was called, and calls none. */
#define TEST_TYPES(T, R, tolerance)                                                                \
static void test_types_##T(void)                                                                   \
{                                                                                                  \
    const char *const type = #T;                                                                   \
    const T one = make_##T(0.625), other = make_##T(0.25);                                         \
    (void)one;                                                                                     \
    (void)other;                                                                                   \
    EVERY_ROW                                                                                      \
    EXPECT_TYPE(ad_powi(one, 2), #T);                                                              \
    EXPECT_TYPE(ad_value(one), #R);                                                                \
}
#define X1(n, class_, v, dx)                                                                       \
    ROW_TYPE(n, ad_##n(one), type);
#define X2(n, class_, v, dx, dy)                                                                   \
    ROW_TYPE(n, ad_##n(one, other), type); ROW_TYPE(n, ad_##n(one, 2), type);                      \
    ROW_TYPE(n, ad_##n(2, one), type); ROW_TYPE(n, ad_##n(one, 2.0), type);                        \
    ROW_TYPE(n, ad_##n(2.0, one), type); ROW_TYPE(n, ad_##n(other, 2.0f), type);                   \
    ROW_TYPE(n, ad_##n(2.0f, other), type);
#define X3(n, class_, v, dx, dy, dz)                                                               \
    ROW_TYPE(n, ad_##n(one, other, one), type); ROW_TYPE(n, ad_##n(one, 2, 2.0), type);            \
    ROW_TYPE(n, ad_##n(2, one, 2.0f), type); ROW_TYPE(n, ad_##n(2.0, 2, other), type);             \
    ROW_TYPE(n, ad_##n(one, other, 2), type); ROW_TYPE(n, ad_##n(2, one, other), type);            \
    ROW_TYPE(n, ad_##n(other, 2, one), type);
EVERY(TEST_TYPES)
#undef X1
#undef X2
#undef X3

/* Plain numbers alone: as in <tgmath.h>, float stays float, an integer counts as double. */
static void test_plain(void)
{
    const double d = 0.625;
    const float f = 0.625f;
    const int i = 2;
    double p[3], t[4];
#define IS(n, e, tolerance) holds(#n, "plain numbers", "value", (double)(e), t[0], tolerance)
#define X1(n, class_, v, dx)                                                                       \
    at(#n, 0, p, t);                                                                               \
    IS(n, ad_##n(p[0]), 1e-14); IS(n, ad_##n((float)p[0]), 1e-6);                                  \
    ROW_TYPE(n, ad_##n(d), "double"); ROW_TYPE(n, ad_##n(f), "float");                             \
    ROW_TYPE(n, ad_##n(i), "double");
#define X2(n, class_, v, dx, dy)                                                                   \
    at(#n, 0, p, t);                                                                               \
    IS(n, ad_##n(p[0], p[1]), 1e-14); IS(n, ad_##n((float)p[0], (float)p[1]), 1e-6);               \
    ROW_TYPE(n, ad_##n(d, d), "double"); ROW_TYPE(n, ad_##n(f, f), "float");                       \
    ROW_TYPE(n, ad_##n(f, d), "double"); ROW_TYPE(n, ad_##n(d, f), "double");                      \
    ROW_TYPE(n, ad_##n(i, d), "double"); ROW_TYPE(n, ad_##n(i, i), "double");
#define X3(n, class_, v, dx, dy, dz)                                                               \
    at(#n, 0, p, t);                                                                               \
    IS(n, ad_##n(p[0], p[1], p[2]), 1e-14);                                                        \
    ROW_TYPE(n, ad_##n(d, d, d), "double");                                                        \
    ROW_TYPE(n, ad_##n(i, d, i), "double");
    EVERY_ROW
    NEAR(ad_sin(d), sin(0.625), 1e-16);
    NEAR(ad_sin(f), sin(0.625), 1e-7);
    NEAR(ad_sin(2), sin(2.0), 1e-16);
    NEAR(ad_div(1, 3), 1.0 / 3, 1e-16);
    NEAR(ad_sub(d, i), -1.375, 0);
    NEAR(ad_sub(i, d), 1.375, 0);
    NEAR(ad_fma(2, d, i), 3.25, 0);
    NEAR(ad_clamp(7, 0, i), 2, 0);
    NEAR(ad_select(0, d, i), 2, 0);
    NEAR(ad_powi(d, 2), 0.390625, 0);
    NEAR(ad_powi(f, 2), 0.390625, 0);
    NEAR(ad_value(i), 2, 0);
    EXPECT_TYPE(ad_powi(f, 2), "float");
    EXPECT_TYPE(ad_powi(d, 2), "double");
    EXPECT_TYPE(ad_value(f), "float");
    EXPECT_TYPE(ad_value(d), "double");
}

/* Every name that libm has too goes to the function of that name, inside its domain and outside. */
static void test_names(void)
{
    static const double points[3] = { 0.625, 1.625, -0.375 };
    int k;
    for (k = 0; k < 3; k++) {
        const double u = points[k], w = 2.25 - k;
        const ad_dual x = ad_dual_make(u, 1), z = ad_dual_make(w, 0);
        const ad_var v = ad_input(tape, u);
#define NAME1(op) NEAR(ad_##op(u), op(u), 1e-15); NEAR(ad_##op(x).v, op(u), 1e-15);                \
        NEAR(ad_##op(v).v, op(u), 1e-15); NEAR(ad_##op((float)u), op(u), 1e-6);
#define NAME2(op) NEAR(ad_##op(u, w), op(u, w), 1e-15); NEAR(ad_##op(x, z).v, op(u, w), 1e-15);    \
        NEAR(ad_##op(x, w).v, op(u, w), 1e-15); NEAR(ad_##op(w, x).v, op(w, u), 1e-15);            \
        NEAR(ad_##op(v, w).v, op(u, w), 1e-15); NEAR(ad_##op(w, v).v, op(w, u), 1e-15);
        NAME1(sqrt) NAME1(cbrt) NAME1(exp) NAME1(exp2) NAME1(expm1) NAME1(log) NAME1(log2)
        NAME1(log10) NAME1(log1p) NAME1(sin) NAME1(cos) NAME1(tan) NAME1(asin) NAME1(acos)
        NAME1(atan) NAME1(sinh) NAME1(cosh) NAME1(tanh) NAME1(asinh) NAME1(acosh) NAME1(atanh)
        NAME1(erf) NAME1(erfc) NAME1(lgamma) NAME1(floor) NAME1(ceil) NAME1(round) NAME1(trunc)
        NAME2(pow) NAME2(hypot) NAME2(atan2) NAME2(fmod) NAME2(copysign)
        NEAR(ad_neg(u), -u, 0);
        NEAR(ad_abs(x).v, fabs(u), 0);
        NEAR(ad_sign(x).v, u > 0 ? 1 : -1, 0);
        NEAR(ad_square(x).v, u * u, 1e-15);
        NEAR(ad_inv(x).v, 1 / u, 1e-15);
        NEAR(ad_relu(x).v, u > 0 ? u : 0, 0);
        NEAR(ad_sigmoid(x).v, 1 / (1 + exp(-u)), 1e-15);
        NEAR(ad_softplus(x).v, log(1 + exp(u)), 1e-15);
        NEAR(ad_logaddexp(x, w).v, log(exp(u) + exp(w)), 1e-15);
        NEAR(ad_lgamma(ad_dual_make(w, 1)).d, ad_digamma(w), 1e-15);
        NEAR(ad_digamma(ad_dual_make(w, 1)).d, ad_trigamma(w), 1e-15);
        NEAR(ad_polygamma(w, 1), ad_trigamma(w), 1e-15);
        NEAR(ad_sub0(x, w).v, u - w, 0);
        NEAR(ad_mul0(x, 0).v, 0, 0);
        NEAR(ad_mul0(x, w).v, u * w, 1e-15);
        NEAR(ad_div0(x, 0).v, 0, 0);
        NEAR(ad_div0(x, w).v, u / w, 1e-15);
        NEAR(ad_min(x, w).v, u < w ? u : w, 0);
        NEAR(ad_max(x, w).v, u < w ? w : u, 0);
        CHECK(ad_lt(u, w) == (u < w) && ad_le(u, w) == (u <= w) && ad_gt(u, w) == (u > w));
        CHECK(ad_ge(u, w) == (u >= w) && !(ad_eq(u, w) > 0) && ad_ne(u, w) > 0 && ad_eq(u, u) > 0);
        CHECK(ad_le(x, u).v > 0 && ad_ge(x, u).v > 0);
        CHECK(!(ad_lt(x, u).v > 0) && !(ad_gt(u, x).v > 0));
    }
    NEAR(ad_digamma(1.5), 0.03648997397857652056, 1e-15);
}

/* ------------------------------------------------------------ write once */

/* The text of a function over any number type T. */
#define PENDULUM(T, name)                                                                          \
static T name(const T *x)                                                                          \
{                                                                                                  \
    T energy = ad_mul(0.5, ad_square(x[1]));                                                       \
    int k;                                                                                         \
    for (k = 1; k <= 3; k++)                                                                       \
        energy = ad_add(energy, ad_div(ad_sub(1, ad_cos(ad_mul(k, x[0]))), ad_add(x[2], k)));      \
    if (ad_value(x[0]) > 0) energy = ad_add(energy, ad_exp(ad_neg(x[2])));                         \
    return ad_select(ad_gt(x[2], 0), energy, ad_neg(energy));                                      \
}
PENDULUM(double, pendulum)
PENDULUM(ad_dual, pendulum_dual)
PENDULUM(ad_dual8, pendulum_dual8)
PENDULUM(ad_dual2, pendulum_dual2)
PENDULUM(ad_var, pendulum_var)

static ad_var pendulum_driver(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    (void)t; (void)n; (void)user;
    return pendulum_var(x);
}

static void test_write_once(void)
{
    const double at[3] = { 0.4, -0.7, 1.5 };
    double y, g[3], H[9], exact[3] = { 0, -0.7, 0 };
    ad_dual8 x8[3], y8;
    int i, j, k;
    exact[2] = -exp(-1.5);
    for (k = 1; k <= 3; k++) {
        exact[0] += k * sin(k * at[0]) / (at[2] + k);
        exact[2] -= (1 - cos(k * at[0])) / ((at[2] + k) * (at[2] + k));
    }
    CHECK(ad_hessian(tape, pendulum_driver, NULL, at, 3, &y, g, H) == AD_OK);
    NEAR(y, pendulum(at), 1e-15);
    for (i = 0; i < 3; i++) x8[i] = ad_dual8_seed(at[i], i);
    y8 = pendulum_dual8(x8);
    NEAR(y8.v, y, 1e-15);
    for (i = 0; i < 3; i++) {
        ad_dual x[3];
        NEAR(g[i], exact[i], 1e-14);
        NEAR(y8.d[i], exact[i], 1e-14);
        for (j = 0; j < 3; j++) x[j] = ad_dual_make(at[j], i == j);
        NEAR(pendulum_dual(x).d, exact[i], 1e-14);
        for (j = 0; j < 3; j++) {
            ad_dual2 z[3];
            for (k = 0; k < 3; k++) z[k] = ad_dual2_make(at[k], k == i, k == j, 0);
            NEAR(pendulum_dual2(z).d12, H[3 * i + j], 1e-14);
        }
    }
    NEAR(H[4], 1, 1e-15);
}

/* Six levels in one expression, and 64, which would not compile in a lifetime if the text doubled
   with each: 1 + x + ... + x^32. */
#define SUM1(e)     ad_add(ad_mul(e, x), 1)
#define SUM2(e)     SUM1(SUM1(e))
#define SUM4(e)     SUM2(SUM2(e))
#define SUM8(e)     SUM4(SUM4(e))
#define SUM16(e)    SUM8(SUM8(e))
#define SUM32(e)    SUM16(SUM16(e))
static void test_nesting(void)
{
    const double v = 0.625;
    const ad_dual x = ad_dual_make(v, 1);
    const ad_var w = ad_input(tape, v);
    const ad_dual y = ad_sin(ad_mul(ad_add(ad_exp(ad_div(ad_sub(x, 0.25), 2)), 1), x));
    const ad_var z = ad_sin(ad_mul(ad_add(ad_exp(ad_div(ad_sub(w, 0.25), 2)), 1), w));
    const ad_dual d = ad_add(ad_mul(ad_add(ad_mul(ad_add(ad_mul(x, 2), 3), x), 4), x),
        ad_mul(ad_sub(ad_add(x, 1), 2), x));
    const ad_dual s = ad_fma(ad_fma(ad_fma(x, 2, 1), x, 1), x,
        ad_select(ad_gt(x, 0), ad_clamp(x, 0, 1), x));
    const double inner = exp((v - 0.25) / 2), outer = (inner + 1) * v;
    NEAR(y.v, sin(outer), 1e-15);
    NEAR(y.d, cos(outer) * (inner + 1 + inner / 2 * v), 1e-15);
    NEAR(z.v, sin(outer), 1e-15);
    NEAR(slope_ad_var(z, w), cos(outer) * (inner + 1 + inner / 2 * v), 1e-15);
    NEAR(d.v, ((2 * v + 3) * v + 4) * v + (v - 1) * v, 1e-15);
    NEAR(d.d, 6 * v * v + 6 * v + 4 + 2 * v - 1, 1e-14);
    NEAR(SUM32(1).v, (1 - pow(v, 33)) / (1 - v), 1e-15);
    NEAR(SUM32(1).d, ((1 - pow(v, 33)) / (1 - v) - 33 * pow(v, 32)) / (1 - v), 1e-14);
    NEAR(s.v, ((2 * v + 1) * v + 1) * v + v, 1e-15);
    NEAR(s.d, 6 * v * v + 2 * v + 2, 1e-14);
}

/* An array beside a variable or a constant, on either side, in every row of two operands: the
   elements and the derivatives of the row on variables. */
enum { BESIDE = 3 };
#define BESIDE_TESTS(P, R)                                                                         \
static void beside_##P(const char *row, P##_tape *t, P##_array mixed, P##_array a, P##_var x,      \
    P##_var y[BESIDE])                                                                             \
{                                                                                                  \
    double a_bar[BESIDE], x_bar = 0;                                                               \
    P##_var sum = P##_const(0);                                                                    \
    int i;                                                                                         \
    test_check(mixed.rank == 1 && mixed.dim[0] == BESIDE, __FILE__, __LINE__,                      \
        "ad_%s: an array of rank %d, %s", row, (int)mixed.rank, P##_tape_message(t));              \
    for (i = 0; i < BESIDE; i++) {                                                                 \
        test_check(test_near((double)P##_array_at(mixed, (size_t)i).v, (double)y[i].v, R),         \
            __FILE__, __LINE__, "ad_%s: element %d is %g, not %g", row, i,                         \
            (double)P##_array_at(mixed, (size_t)i).v, (double)y[i].v);                             \
        sum = ad_add(sum, ad_mul(y[i], i + 1));                                                    \
    }                                                                                              \
    if (sum.tape) P##_backward(sum);                                                               \
    for (i = 0; i < BESIDE; i++)                                                                   \
        a_bar[i] = sum.tape ? (double)P##_adjoint(P##_array_at(a, (size_t)i)) : 0;                 \
    x_bar = sum.tape ? (double)P##_adjoint(x) : 0;                                                 \
    sum = P##_const(0);                                                                            \
    for (i = 0; i < BESIDE; i++)                                                                   \
        sum = ad_add(sum, ad_mul(P##_array_at(mixed, (size_t)i), i + 1));                          \
    if (sum.tape) P##_backward(sum);                                                               \
    for (i = 0; i < BESIDE; i++)                                                                   \
        test_check(test_near(sum.tape ? (double)P##_adjoint(P##_array_at(a, (size_t)i)) : 0,       \
            a_bar[i], 10 * R), __FILE__, __LINE__, "ad_%s: adjoint %d of the array", row, i);      \
    test_check(test_near(sum.tape ? (double)P##_adjoint(x) : 0, x_bar, 10 * R), __FILE__,          \
        __LINE__, "ad_%s: adjoint of the variable", row);                                          \
}                                                                                                  \
static void test_beside_##P(void)                                                                  \
{                                                                                                  \
    P##_tape *const t = P##_tape_create(NULL);                                                     \
    const int32_t dim = BESIDE;                                                                    \
    int constant, i;                                                                               \
    for (constant = 0; constant < 2; constant++) {                                                 \
        P##_var in[BESIDE], x, y[BESIDE];                                                          \
        P##_array a;                                                                               \
        P##_tape_reset(t);                                                                         \
        for (i = 0; i < BESIDE; i++)                                                               \
            in[i] = ad_div(ad_add(P##_input(t, 0), i + 2), 4);                                     \
        a = P##_array_pack(t, 1, &dim, in);                                                        \
        x = constant ? P##_const(2) : P##_input(t, 2);                                             \
        EVERY_ROW                                                                                  \
        CHECK(P##_tape_status(t) == AD_OK);                                                        \
    }                                                                                              \
    P##_tape_destroy(t);                                                                           \
}
#undef X1
#undef X2
#undef X3
#define X1(name, class_, value, dx)
#define X2(name, class_, value, dx, dy)                                                            \
    for (i = 0; i < BESIDE; i++) y[i] = ad_##name(P_array_at(a, (size_t)i), x);                    \
    P_beside(#name, t, ad_##name(a, x), a, x, y);                                                  \
    for (i = 0; i < BESIDE; i++) y[i] = ad_##name(x, P_array_at(a, (size_t)i));                    \
    P_beside(#name, t, ad_##name(x, a), a, x, y);
#define X3(name, class_, value, dx, dy, dz)
#define P_array_at ad_array_at
#define P_beside   beside_ad
BESIDE_TESTS(ad, 1e-14)
#undef P_array_at
#undef P_beside
#define P_array_at adf_array_at
#define P_beside   beside_adf
BESIDE_TESTS(adf, 1e-5)
#undef X1
#undef X2
#undef X3

/* AD_HERE takes the tape of either precision. */
static void test_here(void)
{
    AD_HERE(tape);
    AD_HERE(tapef);
    CHECK(ad_tape_status(tape) == AD_OK);
    CHECK(adf_tape_status(tapef) == AD_OK);
}

/* Statements from one formula: of one operand, of four and of eight; plain numbers in between. */
AD_EXPR(cubed, (x), ad_mul(x, ad_square(x)))
AD_EXPR(area, (a, b, angle, scale), ad_mul(ad_mul(ad_mul(a, b), 0.5), ad_mul(ad_sin(angle), scale)))
AD_EXPR(eightfold, (a, b, c, d, e, f, g, h),
    ad_add(ad_mul(ad_mul(a, b), ad_mul(c, d)), ad_mul(ad_mul(e, f), ad_mul(g, ad_mul(h, 2)))))
ADF_EXPR(ratio, (a, b), ad_div(ad_sub(a, b), ad_add(a, 1)))
static void test_expr(void)
{
    ad_var x[8], y;
    adf_var u = adf_input(tapef, 3), w = adf_input(tapef, 1), r;
    double H[16];
    size_t before;
    int i;
    for (i = 0; i < 8; i++) x[i] = ad_input(tape, i + 1);
    before = ad_tape_get_stats(tape).slots;
    y = area(x[0], x[1], x[2], ad_const(3));
    CHECK(ad_tape_get_stats(tape).slots == before + 1);
    CHECK_NEAR(y.v, 3 * sin(3.0), 1e-15);
    CHECK_STATUS(ad_backward(y), AD_OK);
    CHECK_NEAR(ad_adjoint(x[1]), 1.5 * sin(3.0), 1e-15);
    CHECK_NEAR(ad_adjoint(x[2]), 3 * cos(3.0), 1e-15);
    CHECK_STATUS(ad_hessian_of(y, 3, x, H), AD_OK);
    CHECK_NEAR(H[5], 1.5 * cos(3.0), 1e-15);
    CHECK_NEAR(H[8], -3 * sin(3.0), 1e-15);
    y = eightfold(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]);
    CHECK(y.v == 24 + 2 * 5 * 6 * 7 * 8);
    CHECK_STATUS(ad_backward(y), AD_OK);
    for (i = 0; i < 8; i++) CHECK(ad_adjoint(x[i]) == (i < 4 ? 24 : 3360) / (i + 1));
    y = cubed(x[1]);
    CHECK_STATUS(ad_backward(y), AD_OK);
    CHECK(y.v == 8 && ad_adjoint(x[1]) == 12);
    r = ratio(u, w);
    CHECK_STATUS(adf_backward(r), AD_OK);
    CHECK(r.v == 0.5f && adf_adjoint(u) == 0.125f && adf_adjoint(w) == -0.25f);
}

int main(void)
{
    tape = ad_tape_create(NULL);
    tapef = adf_tape_create(NULL);
#define RUN(T, R, tolerance) test_values_##T(); test_types_##T();
    EVERY(RUN)
#undef RUN
#define RUN(T, R, tolerance) test_rows_##T();
    FEW(RUN)
    test_plain();
    test_names();
    test_write_once();
    test_nesting();
    test_beside_ad();
    test_beside_adf();
    test_here();
    test_expr();
    ad_tape_destroy(tape);
    adf_tape_destroy(tapef);
    return test_finish();
}
