/* What the tests know of every row of the rule table: where it is smooth, its value and its partial
   derivatives by a formula that is not the table's, in long double; the table itself, read in long
   double; and what follows from the words of a row's text. A row that ROW_TRUTHS does not have
   fails by its name in test_rules.c, in check-mutants, in generic.c and in fronts.cpp.
   Needs of the header only the rule table: table.c takes copies of that section alone. */
#ifndef ROWS_H
#define ROWS_H
#include <math.h>
#include <stddef.h>
#include <string.h>

#if defined(__GNUC__)
#define ROW_DEF static __attribute__((unused))
#else
#define ROW_DEF static
#endif

/* ---------------------------------------------------------------- the truth */

/* An operand's numbers, from lo to hi. */
typedef enum row_kind {
    ROW_ANY,                    /* any number, of which lo to hi are the ones to take */
    ROW_INSIDE,                 /* the rule is smooth between lo and hi */
    ROW_SIGNED,                 /* besides between -hi and -lo */
    ROW_KINKS,                  /* not smooth at multiples of 1/2 */
    ROW_DISTINCT,               /* not smooth where two operands are equal */
    ROW_PART,                   /* as that; its whole part counts, and the derivative is 0 */
    ROW_WHOLE                   /* whole numbers, no others; the derivative is 0 */
} row_kind;
typedef struct row_domain { row_kind kind; double lo, hi; } row_domain;

#define ROW_R           { ROW_ANY, -3, 3.5 }
#define ROW_IN(lo, hi)  { ROW_INSIDE, lo, hi }
#define ROW_OFF(lo, hi) { ROW_SIGNED, lo, hi }
#define ROW_K           { ROW_KINKS, -1.5, 2 }
#define ROW_D           { ROW_DISTINCT, -1.5, 2 }
#define ROW_W(lo, hi)   { ROW_PART, lo, hi }
#define ROW_N(lo, hi)   { ROW_WHOLE, lo, hi }

#define ROW_PI    3.14159265358979323846264338327950288L
#define ROW_LN2   0.693147180559945309417232121458176568L
#define ROW_LN10  2.30258509299404568401799145468436421L
#define ROW_SELU  1.05070098735548049341933498529460L    /* Klambauer et al. (2017) */
#define ROW_ALPHA 1.67326324235437728481704042991671L

/* psi_n(x), n = 0: digamma; x > 0. The sum over k of (-1)^(n+1) n! / (x+k)^(n+1), whose far end is
   Euler and Maclaurin's. */
ROW_DEF long double row_psi(int n, long double x)
{
    static const long double bernoulli[10] = { 1 / 6.0L, -1 / 30.0L, 1 / 42.0L, -1 / 30.0L,
        5 / 66.0L, -691 / 2730.0L, 7 / 6.0L, -3617 / 510.0L, 43867 / 798.0L, -174611 / 330.0L };
    long double sum = 0, factorial = 1, term;
    int i, k;
    for (i = 2; i <= n; i++) factorial *= (long double)i;
    for (; x < 30; x++) sum += factorial * powl(x, -n - 1);
    sum += factorial * powl(x, -n - 1) / 2;
    sum += n ? factorial / (long double)n * powl(x, -n) : -logl(x);
    for (k = 1; k <= 10; k++) {                  /* (2k+n-1)! / (2k)! */
        for (term = 1, i = 2 * k + 1; i < 2 * k + n; i++) term *= (long double)i;
        if (n == 0) term = 1 / (2 * (long double)k);
        sum += bernoulli[k - 1] * term * powl(x, -n - 2 * k);
    }
    return n & 1 ? sum : -sum;
}

ROW_DEF long double row_sigmoid(long double x) { return (1 + tanhl(x / 2)) / 2; }
ROW_DEF long double row_phi(long double x) { return expl(-x * x / 2) / sqrtl(2 * ROW_PI); }

/* sin(x)/x and its derivatives: the sum over k of (-1)^k x^(2k) / (2k+1)!, whose terms are small
   enough for |x| < 4. */
ROW_DEF long double row_sinc(int derivative, long double x)
{
    long double sum = 0, term, factorial = 1;
    int k, d;
    for (k = 0; k < 40; k++) {
        if (k) factorial *= -2 * (long double)k * (2 * k + 1);
        if (2 * k < derivative) continue;
        for (term = 1 / factorial, d = 0; d < derivative; d++) term *= (long double)(2 * k - d);
        sum += term * powl(x, 2 * k - derivative);
    }
    return sum;
}

/* the factor of x in gelu_tanh */
ROW_DEF long double row_tanh_of_gelu(long double x)
{
    return (1 + tanhl(sqrtl(2 / ROW_PI) * (x + 0.044715L * x * x * x))) / 2;
}

/* name, where, value, partials */
#define ROW_TRUTHS(X1, X2, X3)                                                                     \
    X1(neg, ROW_R, 0 - x, -1)                                                                      \
    X2(add, ROW_R, ROW_R, x + y, 1, 1)                                                             \
    X2(sub, ROW_R, ROW_R, x - y, 1, -1)                                                            \
    X2(mul, ROW_R, ROW_R, x * y, y, x)                                                             \
    X2(div, ROW_R, ROW_OFF(0.5, 3), x / y, 1 / y, -x / (y * y))                                    \
    X2(sub0, ROW_R, ROW_R, x - y, 1, -1)                                                           \
    X2(mul0, ROW_R, ROW_R, x * y, y, x)                                                            \
    X2(div0, ROW_R, ROW_OFF(0.5, 3), x / y, 1 / y, -x / (y * y))                                   \
    X3(fma, ROW_R, ROW_R, ROW_R, x * y + z, y, x, 1)                                               \
    X1(abs, ROW_K, fabsl(x), x < 0 ? -1 : 1)                                                       \
    X1(sign, ROW_K, x < 0 ? -1 : 1, 0)                                                             \
    X2(copysign, ROW_K, ROW_K, copysignl(x, y), (x < 0) == (y < 0) ? 1 : -1, 0)                    \
    X1(sqrt, ROW_IN(0.5, 3), sqrtl(x), 1 / (2 * sqrtl(x)))                                         \
    X1(cbrt, ROW_OFF(0.5, 3), cbrtl(x), cbrtl(x) / (3 * x))                                        \
    X1(square, ROW_R, x * x, x + x)                                                                \
    X1(inv, ROW_OFF(0.5, 3), powl(x, -1), -powl(x, -2))                                            \
    X2(hypot, ROW_OFF(0.5, 3), ROW_OFF(0.5, 3), sqrtl(x * x + y * y), x / sqrtl(x * x + y * y),    \
        y / sqrtl(x * x + y * y))                                                                  \
    X2(pow, ROW_IN(0.5, 3), ROW_R, expl(y * logl(x)), expl(y * logl(x)) * y / x,                   \
        expl(y * logl(x)) * logl(x))                                                               \
    X2(ipow, ROW_OFF(0.5, 3), ROW_W(-2, 4), powl(x, truncl(y)),                                    \
        truncl(y) * powl(x, truncl(y)) / x, 0)                                                     \
    X1(exp, ROW_R, expl(x), expl(x))                                                               \
    X1(exp2, ROW_R, exp2l(x), exp2l(x) * ROW_LN2)                                                  \
    X1(expm1, ROW_R, expm1l(x), expm1l(x) + 1)                                                     \
    X1(log, ROW_IN(0.5, 3), logl(x), 1 / x)                                                        \
    X1(log2, ROW_IN(0.5, 3), logl(x) / ROW_LN2, 1 / (x * ROW_LN2))                                 \
    X1(log10, ROW_IN(0.5, 3), logl(x) / ROW_LN10, 1 / (x * ROW_LN10))                              \
    X1(log1p, ROW_IN(-0.75, 3), logl(1 + x), 1 / (1 + x))                                          \
    X1(sin, ROW_R, sinl(x), cosl(x))                                                               \
    X1(cos, ROW_R, cosl(x), -sinl(x))                                                              \
    X1(tan, ROW_IN(-1, 1), sinl(x) / cosl(x), 1 / (cosl(x) * cosl(x)))                             \
    X1(asin, ROW_IN(-0.8125, 0.8125), atan2l(x, sqrtl(1 - x * x)), 1 / sqrtl(1 - x * x))           \
    X1(acos, ROW_IN(-0.8125, 0.8125), atan2l(sqrtl(1 - x * x), x), -1 / sqrtl(1 - x * x))          \
    X1(atan, ROW_R, atan2l(x, 1), 1 / (1 + x * x))                                                 \
    X2(atan2, ROW_OFF(0.375, 2), ROW_OFF(0.375, 2), atan2l(x, y), y / (x * x + y * y),             \
        -x / (x * x + y * y))                                                                      \
    X1(sinc, ROW_R, row_sinc(0, x), row_sinc(1, x))                                                \
    X1(sinh, ROW_R, (expl(x) - expl(-x)) / 2, (expl(x) + expl(-x)) / 2)                            \
    X1(cosh, ROW_R, (expl(x) + expl(-x)) / 2, (expl(x) - expl(-x)) / 2)                            \
    X1(tanh, ROW_R, sinhl(x) / coshl(x), 1 / (coshl(x) * coshl(x)))                                \
    X1(asinh, ROW_R, asinhl(x), 1 / sqrtl(1 + x * x))                                              \
    X1(acosh, ROW_IN(1.3125, 3), logl(x + sqrtl(x * x - 1)), 1 / sqrtl(x * x - 1))                 \
    X1(atanh, ROW_IN(-0.8125, 0.8125), (logl(1 + x) - logl(1 - x)) / 2, 1 / (1 - x * x))           \
    X1(erf, ROW_R, 1 - erfcl(x), 2 / sqrtl(ROW_PI) * expl(-x * x))                                 \
    X1(erfc, ROW_R, 1 - erfl(x), -2 / sqrtl(ROW_PI) * expl(-x * x))                                \
    X1(lgamma, ROW_IN(0.5, 3), lgammal(x), row_psi(0, x))                                          \
    X1(digamma, ROW_IN(0.5, 3), row_psi(0, x), row_psi(1, x))                                      \
    X1(trigamma, ROW_IN(0.5, 3), row_psi(1, x), row_psi(2, x))                                     \
    X2(polygamma, ROW_IN(0.5, 3), ROW_N(0, 3), row_psi((int)y, x), row_psi((int)y + 1, x), 0)      \
    X1(sigmoid, ROW_R, row_sigmoid(x), 1 / (4 * coshl(x / 2) * coshl(x / 2)))                      \
    X1(softplus, ROW_R, logl(1 + expl(x)), row_sigmoid(x))                                         \
    X2(logaddexp, ROW_R, ROW_R, logl(expl(x) + expl(y)), expl(x) / (expl(x) + expl(y)),            \
        expl(y) / (expl(x) + expl(y)))                                                             \
    X1(relu, ROW_K, x > 0 ? x : 0, x > 0 ? 1 : 0)                                                  \
    X2(leaky_relu, ROW_K, ROW_K, x > 0 ? x : y * x, x > 0 ? 1 : y, x > 0 ? 0 : x)                  \
    X2(elu, ROW_K, ROW_K, x > 0 ? x : y * (expl(x) - 1), x > 0 ? 1 : y * expl(x),                  \
        x > 0 ? 0 : expl(x) - 1)                                                                   \
    X1(selu, ROW_K, ROW_SELU * (x > 0 ? x : ROW_ALPHA * (expl(x) - 1)),                            \
        ROW_SELU * (x > 0 ? 1 : ROW_ALPHA * expl(x)))                                              \
    X1(gelu, ROW_R, x * (1 + erfl(x / sqrtl(2))) / 2,                                              \
        (1 + erfl(x / sqrtl(2))) / 2 + x * row_phi(x))                                             \
    X1(gelu_tanh, ROW_R, x * row_tanh_of_gelu(x),                                                  \
        row_tanh_of_gelu(x) + 2 * x * row_tanh_of_gelu(x) * (1 - row_tanh_of_gelu(x))              \
        * sqrtl(2 / ROW_PI) * (1 + 3 * 0.044715L * x * x))                                         \
    X1(silu, ROW_R, x / (1 + expl(-x)),                                                            \
        row_sigmoid(x) + x / (4 * coshl(x / 2) * coshl(x / 2)))                                    \
    X2(min, ROW_D, ROW_D, x < y ? x : y, x < y ? 1 : 0, x < y ? 0 : 1)                             \
    X2(max, ROW_D, ROW_D, x < y ? y : x, x < y ? 0 : 1, x < y ? 1 : 0)                             \
    X3(clamp, ROW_D, ROW_D, ROW_D, fminl(fmaxl(x, y), z), x > y && x < z ? 1 : 0,                  \
        y > x && y < z ? 1 : 0, z < (x > y ? x : y) ? 1 : 0)                                       \
    X1(floor, ROW_K, floorl(x), 0)                                                                 \
    X1(ceil, ROW_K, ceill(x), 0)                                                                   \
    X1(round, ROW_K, roundl(x), 0)                                                                 \
    X1(trunc, ROW_K, truncl(x), 0)                                                                 \
    X2(fmod, ROW_OFF(2.875, 3.25), ROW_OFF(1.125, 1.375), fmodl(x, y), 1, -truncl(x / y))          \
    X2(lt, ROW_D, ROW_D, x < y ? 1 : 0, 0, 0)                                                      \
    X2(le, ROW_D, ROW_D, x <= y ? 1 : 0, 0, 0)                                                     \
    X2(gt, ROW_D, ROW_D, x > y ? 1 : 0, 0, 0)                                                      \
    X2(ge, ROW_D, ROW_D, x >= y ? 1 : 0, 0, 0)                                                     \
    X2(eq, ROW_D, ROW_D, x < y || x > y ? 0 : 1, 0, 0)                                             \
    X2(ne, ROW_D, ROW_D, x < y || x > y ? 1 : 0, 0, 0)                                             \
    X3(select, ROW_N(0, 1), ROW_R, ROW_R, x < 1 ? z : y, 0, x < 1 ? 0 : 1, x < 1 ? 1 : 0)

typedef struct row_facts {
    const char *name;
    int operands;
    row_domain on[3];
    void (*truth)(const long double *a, long double *r);    /* r: the value, then the partials */
} row_facts;

#define X1(n, on, v, dx)                                                                           \
ROW_DEF void row_truth_##n(const long double *a, long double *r)                                   \
{                                                                                                  \
    const long double x = a[0];                                                                    \
    (void)x;                                                                                       \
    r[0] = v;                                                                                      \
    r[1] = dx;                                                                                     \
}
#define X2(n, on, on_y, v, dx, dy)                                                                 \
ROW_DEF void row_truth_##n(const long double *a, long double *r)                                   \
{                                                                                                  \
    const long double x = a[0], y = a[1];                                                          \
    r[0] = v;                                                                                      \
    r[1] = dx;                                                                                     \
    r[2] = dy;                                                                                     \
}
#define X3(n, on, on_y, on_z, v, dx, dy, dz)                                                       \
ROW_DEF void row_truth_##n(const long double *a, long double *r)                                   \
{                                                                                                  \
    const long double x = a[0], y = a[1], z = a[2];                                                \
    r[0] = v;                                                                                      \
    r[1] = dx;                                                                                     \
    r[2] = dy;                                                                                     \
    r[3] = dz;                                                                                     \
}
ROW_TRUTHS(X1, X2, X3)
#undef X1
#undef X2
#undef X3

/* What is known of a row, NULL if nothing is. */
ROW_DEF const row_facts *row_of(const char *name)
{
    static const row_facts rows[] = {
#define X1(n, on, v, dx) { #n, 1, { on, ROW_R, ROW_R }, row_truth_##n },
#define X2(n, on, on_y, v, dx, dy) { #n, 2, { on, on_y, ROW_R }, row_truth_##n },
#define X3(n, on, on_y, on_z, v, dx, dy, dz) { #n, 3, { on, on_y, on_z }, row_truth_##n },
        ROW_TRUTHS(X1, X2, X3)
#undef X1
#undef X2
#undef X3
    };
    size_t i;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].name, name) == 0) return &rows[i];
    return NULL;
}

/* ---------------------------------------------------------------- where it is looked at */

enum { ROW_SMOOTH = 16, ROW_POINTS = ROW_SMOOTH + 4 };

/* Point i of a row: smooth below ROW_SMOOTH; then, where operands are to be distinct, points where
   two are equal, at which the truth is that of the value alone. All numbers are floats. Returns
   whether there is such a point. */
ROW_DEF int row_point(const row_facts *r, int i, double *x)
{
    static const int step[3] = { 5, 7, 13 };
    int k;
    for (k = 0; k < 3; k++) {
        const row_domain *const d = &r->on[k];
        const int at = (step[k] * i + 11 * k + 3) % 32;     /* no two equal, in every order */
        x[k] = d->lo + (d->hi - d->lo) * (2 * at + 1) / 64;
        if (d->kind == ROW_SIGNED && (i >> k & 1)) x[k] = -x[k];
        if (d->kind == ROW_WHOLE) x[k] = d->lo + (i >> k) % (int)(d->hi - d->lo + 1);
    }
    if (i < ROW_SMOOTH) return 1;
    if (i >= ROW_POINTS || r->operands < 2 || r->on[0].kind != ROW_DISTINCT) return 0;
    if (r->operands == 3 && i & 1) x[2] = x[i >> 1 & 1];
    else x[1] = x[0];
    return 1;
}

/* r[0]: the value there; r[1 ...]: the partials */
ROW_DEF void row_truth(const row_facts *r, const double *x, double *of)
{
    long double a[3], t[4] = { 0, 0, 0, 0 };
    int k;
    for (k = 0; k < 3; k++) a[k] = (long double)x[k];
    r->truth(a, t);
    for (k = 0; k < 4; k++) of[k] = (double)t[k];
}

/* ---------------------------------------------------------------- the table as mathematics */

/* The table's words in long double. A constant is what its digits say, not a double near it. */
#define ROW_LONG(v) v##L
#define row_word_num(v) ROW_LONG(v)
#define W1(w, e) ROW_DEF long double row_word_##w(long double x) { return e; }
#define W2(w, e) ROW_DEF long double row_word_##w(long double x, long double y) { return e; }
#define W3(w, e)                                                                                   \
    ROW_DEF long double row_word_##w(long double x, long double y, long double z) { return e; }
W2(add, x + y)  W2(sub, x - y)  W2(mul, x * y)  W2(div, x / y)  W1(neg, -x)  W3(fma, x * y + z)
W2(sub0, x < y || x > y ? x - y : 0)
W2(mul0, (x < 0 || x > 0) && (y < 0 || y > 0) ? x * y : 0)
W2(div0, y < 0 || y > 0 ? x / y : 0)
W1(abs, fabsl(x))  W1(sign, x > 0 ? 1 : x < 0 ? -1 : 0)  W2(copysign, copysignl(x, y))
W1(sqrt, sqrtl(x))  W1(cbrt, cbrtl(x))  W1(square, x * x)  W1(inv, 1 / x)  W2(hypot, hypotl(x, y))
W2(pow, powl(x, y))  W2(ipow, powl(x, truncl(y)))
W1(exp, expl(x))  W1(exp2, exp2l(x))  W1(expm1, expm1l(x))
W1(log, logl(x))  W1(log2, log2l(x))  W1(log10, log10l(x))  W1(log1p, log1pl(x))
W1(sin, sinl(x))  W1(cos, cosl(x))  W1(tan, tanl(x))
W1(asin, asinl(x))  W1(acos, acosl(x))  W1(atan, atanl(x))  W2(atan2, atan2l(x, y))
W1(sinc, row_sinc(0, x))
W1(sinh, sinhl(x))  W1(cosh, coshl(x))  W1(tanh, tanhl(x))
W1(asinh, asinhl(x))  W1(acosh, acoshl(x))  W1(atanh, atanhl(x))
W1(erf, erfl(x))  W1(erfc, erfcl(x))  W1(lgamma, lgammal(x))
W1(digamma, row_psi(0, x))  W1(trigamma, row_psi(1, x))  W2(polygamma, row_psi((int)y, x))
W1(sigmoid, 1 / (1 + expl(-x)))  W1(softplus, log1pl(expl(x)))
W2(logaddexp, logl(expl(x) + expl(y)))
W2(min, x < y ? x : y)  W2(max, x > y ? x : y)
W1(floor, floorl(x))  W1(ceil, ceill(x))  W1(round, roundl(x))  W1(trunc, truncl(x))
W2(fmod, fmodl(x, y))
W2(lt, x < y)  W2(le, x <= y)  W2(gt, x > y)  W2(ge, x >= y)
W2(eq, x <= y && x >= y)  W2(ne, x < y || x > y)  W3(select, x < 0 || x > 0 ? y : z)
#undef W1
#undef W2
#undef W3
/* derivative number d at x of the polynomial with the coefficients c[n] */
ROW_DEF long double row_word_poly(size_t n, const long double *c, size_t d, long double x)
{
    long double sum = 0, term;
    size_t i, k;
    for (i = d; i < n; i++) {
        for (term = c[i], k = 0; k < d; k++) term *= (long double)(i - k);
        sum += term * powl(x, (long double)(i - d));
    }
    return sum;
}
#define ROW_WORD(w) row_word_##w

/* row_table_<name>(a, r): the row's value and partials; its list: the partial for operand j. */
#define X1(n, class_, v, dx)                                                                       \
ROW_DEF void row_table_##n(const long double *a, long double *of)                                  \
{                                                                                                  \
    const long double x = a[0], r = v;                                                             \
    (void)x;                                                                                       \
    of[0] = r;                                                                                     \
    of[1] = dx;                                                                                    \
}
#define X2(n, class_, v, dx, dy)                                                                   \
ROW_DEF void row_table_##n(const long double *a, long double *of)                                  \
{                                                                                                  \
    const long double x = a[0], y = a[1], r = v;                                                   \
    of[0] = r;                                                                                     \
    of[1] = dx;                                                                                    \
    of[2] = dy;                                                                                    \
}
#define X3(n, class_, v, dx, dy, dz)                                                               \
ROW_DEF void row_table_##n(const long double *a, long double *of)                                  \
{                                                                                                  \
    const long double x = a[0], y = a[1], z = a[2], r = v;                                         \
    of[0] = r;                                                                                     \
    of[1] = dx;                                                                                    \
    of[2] = dy;                                                                                    \
    of[3] = dz;                                                                                    \
}
ADI_READ((X1, X2, X3, ADI_SKIPN, ADI_WORDS(ROW_WORD)))
#undef X1
#undef X2
#undef X3

/* A row of the table: its texts, as ad_rules() gives them, and what they say. */
typedef struct row_text {
    const char *name;
    int operands;
    const char *value, *partial[3];
    void (*says)(const long double *a, long double *of);
} row_text;
static const row_text row_texts[] = {
#define X1(n, class_, v, dx)         { #n, 1, #v, { #dx, "", "" }, row_table_##n },
#define X2(n, class_, v, dx, dy)     { #n, 2, #v, { #dx, #dy, "" }, row_table_##n },
#define X3(n, class_, v, dx, dy, dz) { #n, 3, #v, { #dx, #dy, #dz }, row_table_##n },
    ADI_READ((X1, X2, X3, ADI_SKIPN, ADI_WORDS(ADI_WORD_TEXT)))
#undef X1
#undef X2
#undef X3
};
enum { ROW_COUNT = sizeof row_texts / sizeof row_texts[0] };

ROW_DEF const row_text *row_text_of(const char *name)
{
    size_t i;
    for (i = 0; i < ROW_COUNT; i++)
        if (strcmp(row_texts[i].name, name) == 0) return &row_texts[i];
    return NULL;
}

/* ---------------------------------------------------------------- what the words tell */

/* Words that compilers and instruction sets round alike, to the bit, and those that they do not. A
   word in neither list fails in test_rules.c. */
#define ROW_ARITHMETIC " num add sub mul div neg sub0 mul0 div0 fma abs sign copysign sqrt square "\
    "inv ipow min max floor ceil round trunc fmod lt le gt ge eq ne select "
#define ROW_MATHEMATICS " cbrt hypot pow exp exp2 expm1 log log2 log10 log1p sin cos tan asin "    \
    "acos atan atan2 sinc sinh cosh tanh asinh acosh atanh erf erfc lgamma digamma trigamma "      \
    "polygamma sigmoid softplus logaddexp poly "

/* Whether the first n letters of name are a word of a list like " sin cos ". */
ROW_DEF int row_listed_part(const char *list, const char *name, size_t n)
{
    const char *p;
    for (p = list; n && *p; p++)
        if (p[0] == ' ' && strncmp(p + 1, name, n) == 0 && p[n + 1] == ' ') return 1;
    return 0;
}
ROW_DEF int row_listed(const char *list, const char *name)
{
    return row_listed_part(list, name, strlen(name));
}

/* Whether every word of a text, which is a name before a parenthesis, is in the list. */
ROW_DEF int row_words_in(const char *text, const char *list)
{
    const char *p, *from = text;
    for (p = text; *p; p++) {
        if (*p == '(' && p > from && !row_listed_part(list, from, (size_t)(p - from))) return 0;
        if (*p == '(' || *p == ')' || *p == ',' || *p == ' ') from = p + 1;
    }
    return 1;
}

/* Value and partials are arithmetic: their bits are the same everywhere. */
ROW_DEF int row_is_exact(const char *name)
{
    const row_text *const t = row_text_of(name);
    int k, exact = t && row_words_in(t->value, ROW_ARITHMETIC);
    for (k = 0; exact && k < t->operands; k++) exact = row_words_in(t->partial[k], ROW_ARITHMETIC);
    return exact;
}
/* Every partial is 0: the value goes by steps. */
ROW_DEF int row_is_step(const char *name)
{
    const row_text *const t = row_text_of(name);
    int k, step = t != NULL;
    for (k = 0; step && k < t->operands; k++) step = strcmp(t->partial[k], "num(0)") == 0;
    return step;
}
/* Operand k, from 0, is to be a whole number, or its whole part alone counts. */
ROW_DEF int row_takes_whole(const char *name, int k)
{
    const row_facts *const r = row_of(name);
    return r && k < r->operands && r->on[k].kind >= ROW_PART;
}
/* The value may be 0 by underflow, of operands that are not: it has words other than these, which
   are 0 only where the exact value is. */
ROW_DEF int row_may_underflow(const char *name)
{
    const row_text *const t = row_text_of(name);
    return !t || !row_words_in(t->value, " num add sub neg sub0 abs sign copysign sqrt cbrt hypot "
        "min max floor ceil round trunc fmod lt le gt ge eq ne select log log2 log10 log1p cos "
        "asin acos cosh asinh acosh atanh erf lgamma digamma trigamma polygamma logaddexp ");
}
#endif
