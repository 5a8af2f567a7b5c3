/* Expressions: ad_fn_parse against C, against the tape, and against random trees written with
   as few parentheses as the rules of precedence allow; what it refuses, with the column; and text
   that nobody means.
   Sections: Notation; Compiled Functions: Graphs; Compiled Functions: Parsing. */
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include "test.h"

TEST_DEF void suite_parse(void);

#define NONE ((double)NAN)
static const char variables[] = "x, y,z";

/* ---------------------------------------------------------------- random numbers, the same ever */
static uint64_t state;
static uint32_t draw(uint32_t n)                        /* 0 .. n - 1 */
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)((state >> 32) % n);
}

/* ---------------------------------------------------------------- parsing what is right */
static ad_fn *parsed(const char *text, const char *names, int line)
{
    char error[200] = "?";
    ad_fn *f = ad_fn_parse(text, names, error, sizeof error);
    test_check(ad_fn_status(f) == AD_OK && error[0] == 0, __FILE__, line, "\"%.80s\": %s, \"%s\"",
               text, ad_status_name(ad_fn_status(f)), error);
    if (ad_fn_status(f) == AD_OK) return f;
    ad_fn_destroy(f);
    return NULL;
}

/* The value at a point, by a function or its gradient; NaN where there is none. */
static double value_at(const char *text, const char *names, const double *x, int line)
{
    ad_fn *f = parsed(text, names, line);
    double y = NONE;
    if (f && ad_fn_get_stats(f).outputs != 1)
        test_check(0, __FILE__, line, "\"%.80s\" has not one output", text);
    else if (f) ad_fn_eval(f, x, &y);
    ad_fn_destroy(f);
    return y;
}

static int same_bits(double a, double b)
{
    return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0;
}
static void bits(const char *text, const double *x, double expected, int line)
{
    const double y = value_at(text, variables, x, line);
    test_check(same_bits(y, expected), __FILE__, line, "\"%.200s\" is %.17g, not %.17g", text, y,
               expected);
}
/* A constant expression. */
#define IS(text, expected) bits(text, point[0], expected, __LINE__)

static const double point[][3] = {
    { 1.25, -0.75, 2.5 }, { -2, 3, 0.5 }, { 0.3, 0.3, -1.7 }, { 7, 2, 2 }
};
enum { POINTS = sizeof point / sizeof point[0] };

/* What C and the notation have in common: the text is the program. Compilers may contract or fold,
   hence not by bits. */
#define SAME(e) do {                                                                               \
    int i_;                                                                                        \
    for (i_ = 0; i_ < POINTS; i_++) {                                                              \
        const double x = point[i_][0], y = point[i_][1], z = point[i_][2];                         \
        const double v_ = value_at(#e, variables, point[i_], __LINE__);                            \
        (void)x; (void)y; (void)z;                                                                 \
        test_check(test_near(v_, (double)(e), 1e-14), __FILE__, __LINE__,                          \
                   "\"%s\" is %.17g, not %.17g", #e, v_, (double)(e));                             \
    }                                                                                              \
} while (0)

/* Value and derivatives by hand. */
#define SLOPES(text, e, by_x, by_y, by_z) do {                                                     \
    ad_fn *const f_ = parsed(text, variables, __LINE__), *const g_ = ad_fn_gradient(f_);           \
    int i_;                                                                                        \
    for (i_ = 0; i_ < POINTS; i_++) {                                                              \
        const double x = point[i_][0], y = point[i_][1], z = point[i_][2];                         \
        double r_[4] = { NONE, NONE, NONE, NONE };                                                 \
        (void)x; (void)y; (void)z;                                                                 \
        CHECK_STATUS(ad_fn_eval(g_, point[i_], r_), AD_OK);                                        \
        CHECK_NEAR(r_[0], e, 1e-13);                                                               \
        CHECK_NEAR(r_[1], by_x, 1e-13);                                                            \
        CHECK_NEAR(r_[2], by_y, 1e-13);                                                            \
        CHECK_NEAR(r_[3], by_z, 1e-13);                                                            \
    }                                                                                              \
    ad_fn_destroy(f_);                                                                             \
    ad_fn_destroy(g_);                                                                             \
} while (0)

static void test_values(void)
{
    SAME(x + y - z);
    SAME(x - y - z + 1);
    SAME(x - (y - z));
    SAME(x / y / z);
    SAME(x / (y / z) * 2);
    SAME(-x * -y + +z);
    SAME(1.5e1 * x + .25 * y - 3. * z + 2E-1);
    SAME(x < y);
    SAME(x <= y);
    SAME(x > y);
    SAME(x >= y);
    SAME(x == y);
    SAME(x != y);
    SAME((x + y < z * 2) == (z > 0));
    SAME((x < y) != (y < z));
    SAME((x < y) + (x == y) * 2 + (x > y) * 4);
    SAME(x < y ? x : y);
    SAME(x < y ? x < z ? 1 : 2 : y < z ? 3 : 4);
    SAME(x < 0 ? 1 : x < 1 ? 2 : x < 2 ? 3 : 4);
    SAME((x < y ? x : y) * (x != y ? 2 : 3));
    SAME(sin(x) * cos(y) - exp(z / 4) + atan2(y, x) + fmod(x, z));
    SAME(fma(x, y, z) + floor(z) + ceil(x) - trunc(y) + log1p(x * x) + tanh(x));
    SAME(sqrt(x * x + 1) + cbrt(y) + hypot(x, y) + hypot(hypot(x, y), z) + pow(x * x, 1.5));
    SAME(copysign(x, y) + erf(x) + lgamma(z + 5) + expm1(x) + log2(7 + x) + asinh(z));

    SLOPES("100*(y-x^2)^2 + (1-x)^2", 100 * (y - x * x) * (y - x * x) + (1 - x) * (1 - x),
           -400 * x * (y - x * x) - 2 * (1 - x), 200 * (y - x * x), 0);
    SLOPES("x*y/z", x * y / z, y / z, x / z, -x * y / (z * z));
    SLOPES("sin(x*y) - exp(-z)", sin(x * y) - exp(-z), y * cos(x * y), x * cos(x * y), exp(-z));
    SLOPES("x^3 - 2*x^-2*y", x * x * x - 2 * y / (x * x), 3 * x * x + 4 * y / (x * x * x),
           -2 / (x * x), 0);
    SLOPES("(x*x)^y", pow(x * x, y), y * pow(x * x, y - 1) * 2 * x, pow(x * x, y) * log(x * x), 0);
    SLOPES("x < y ? x*z : y", x < y ? x * z : y, x < y ? z : 0, x < y ? 0 : 1, x < y ? x : 0);
    SLOPES("sum(x, 2*y, 3*z, 4)", x + 2 * y + 3 * z + 4, 1, 2, 3);
    SLOPES("dot(x, y, z, x)", x * z + y * x, z + y, x, x);
    SLOPES("norm(x, 3, z)", sqrt(x * x + 9 + z * z), x / sqrt(x * x + 9 + z * z), 0,
           z / sqrt(x * x + 9 + z * z));
    SLOPES("hypot(x)", fabs(x), x < 0 ? -1 : 1, 0, 0);
    SLOPES("logmeanexp(x, y)", log((exp(x) + exp(y)) / 2), exp(x) / (exp(x) + exp(y)),
           exp(y) / (exp(x) + exp(y)), 0);
    SLOPES("logsumexp(x, y)", log(exp(x) + exp(y)), exp(x) / (exp(x) + exp(y)),
           exp(y) / (exp(x) + exp(y)), 0);
    SLOPES("max(x, 9*x, -20) + min(z)", (x < 0 ? (x < 9 * x ? 9 * x : x) : 9 * x) + z,
           x < 0 ? 1 : 9, 0, 1);
    SLOPES("pi*x + e*y", 3.14159265358979323846 * x + 2.71828182845904523536 * y,
           3.14159265358979323846, 2.71828182845904523536, 0);
    SLOPES(" \t x\n*\r\v\f y ", x * y, y, x, 0);
}

/* x^n with a constant whole n is what ad_var_powi gives, whatever makes n constant. */
static void test_powers(void)
{
    static const double base[] = { 1.1, -1.3, 0.7, -2, 0 };
    char text[40];
    size_t b;
    int n;
    for (b = 0; b < sizeof base / sizeof base[0]; b++)
        for (n = -9; n <= 70; n += n < 20 ? 1 : 7) {
            double x[3] = { 0, 0, 0 };
            x[0] = base[b];
            sprintf(text, "x^%d", n);
            bits(text, x, ad_real_powi(x[0], n), __LINE__);
            sprintf(text, "x^(%d+1)", n - 1);
            bits(text, x, ad_real_powi(x[0], n), __LINE__);
            sprintf(text, "x^(2*%d/4)", n);
            bits(text, x, n % 2 ? pow(x[0], n / 2.0) : ad_real_powi(x[0], n / 2), __LINE__);
        }
    SLOPES("x^2", x * x, 2 * x, 0, 0);
    SLOPES("x^0", 1, 0, 0, 0);
    SLOPES("x^1", x, 1, 0, 0);
    SLOPES("x^-1", 1 / x, -1 / (x * x), 0, 0);
    SLOPES("2^x", pow(2, x), pow(2, x) * log(2), 0, 0);
    IS("3^4", 81);
    IS("2^0.5", pow(2, 0.5));
    IS("(-2)^3", -8);
    IS("2^3^2", 512);
    IS("2^-1^2", 0.5);
    IS("2^-3", 0.125);
    IS("-2^2", -4);
    IS("--2^2", 4);
    IS("2^+3", 8);
    IS("2^--3", 8);
    IS("-2^-2^-1", -pow(2, -ad_real_powi(2, -1)));
    IS("1.5^1e10", pow(1.5, 1e10));
    IS("2^inf", (double)INFINITY);
}

/* ---------------------------------------------------------------- precedence, pair by pair */
static const struct { const char *text; int level; } binary[] = {
    { "==", 2 }, { "!=", 2 }, { "<", 3 }, { "<=", 3 }, { ">", 3 }, { ">=", 3 }, { "+", 4 },
    { "-", 4 }, { "*", 5 }, { "/", 5 }, { "^", 7 }
};
enum { BINARIES = sizeof binary / sizeof binary[0] };

static void test_precedence(void)
{
    static const double at[][3] = { { 3, 2, 5 }, { 0.5, 3, 2 }, { 2, 2, 0.25 }, { 1, 0.5, 3 } };
    char plain[40], left[40], right[40], error[100];
    int i, j, k, told = 0;
    for (i = 0; i < BINARIES; i++)
        for (j = 0; j < BINARIES; j++) {
            const int a = binary[i].level, b = binary[j].level;
            const int to_left = a > b || (a == b && a != 7);
            sprintf(plain, "x %s y%sz", binary[i].text, binary[j].text);
            sprintf(left, "(x %s y)%sz", binary[i].text, binary[j].text);
            sprintf(right, "x %s(y%sz)", binary[i].text, binary[j].text);
            if (a == b && a < 4) {                         /* comparisons of a kind do not chain */
                ad_fn *f = ad_fn_parse(plain, variables, error, sizeof error);
                sprintf(right, "column %d: ", (int)(strlen(plain) - strlen(binary[j].text)));
                test_check(ad_fn_status(f) == AD_ERR_ARGUMENT && strstr(error, right) == error,
                           __FILE__, __LINE__, "\"%s\": \"%s\"", plain, error);
                ad_fn_destroy(f);
                continue;
            }
            for (k = 0; k < 4; k++) {
                const double l = value_at(left, variables, at[k], __LINE__);
                const double r = value_at(right, variables, at[k], __LINE__);
                bits(plain, at[k], to_left ? l : r, __LINE__);
                told += !same_bits(l, r);
            }
        }
    CHECK(told > 200);                                     /* the points tell the groupings apart */

    for (i = 0; i < BINARIES; i++)
        for (k = 0; k < 4; k++) {
            /* signs bind tighter than all but powers; on the right of any operator they stand */
            sprintf(plain, "-x%sy", binary[i].text);
            sprintf(left, binary[i].level < 7 ? "(-x)%sy" : "-(x%sy)", binary[i].text);
            bits(plain, at[k], value_at(left, variables, at[k], __LINE__), __LINE__);
            sprintf(plain, "x%s-y", binary[i].text);
            sprintf(left, "x%s(-y)", binary[i].text);
            bits(plain, at[k], value_at(left, variables, at[k], __LINE__), __LINE__);
            sprintf(plain, "x%s-y^z", binary[i].text);
            sprintf(left, "x%s(-(y^z))", binary[i].text);
            bits(plain, at[k], value_at(left, variables, at[k], __LINE__), __LINE__);
            sprintf(plain, "x^-y%sz", binary[i].text);
            sprintf(left, binary[i].level < 7 ? "(x^(-y))%sz" : "x^(-(y%sz))", binary[i].text);
            bits(plain, at[k], value_at(left, variables, at[k], __LINE__), __LINE__);
            /* a choice binds less than all */
            sprintf(plain, "x%sy?y:z", binary[i].text);
            sprintf(left, "(x%sy)?y:z", binary[i].text);
            bits(plain, at[k], value_at(left, variables, at[k], __LINE__), __LINE__);
            sprintf(plain, "x-2?y:z%sy", binary[i].text);
            sprintf(left, "(x-2)?y:(z%sy)", binary[i].text);
            bits(plain, at[k], value_at(left, variables, at[k], __LINE__), __LINE__);
            sprintf(plain, "x-2?y%sz:z", binary[i].text);
            sprintf(left, "(x-2)?(y%sz):z", binary[i].text);
            bits(plain, at[k], value_at(left, variables, at[k], __LINE__), __LINE__);
        }
    IS("1 ? 2 : 0 ? 3 : 4", 2);
    IS("0 ? 2 : 0 ? 3 : 4", 4);
    IS("1 ? 0 ? 5 : 6 : 7", 6);
    IS("0 ? 1 ? 5 : 6 : 7", 7);
    IS("1 ? 2 : 3 + 10", 2);
    IS("0 - 1 ? 2 : 3", 2);
    IS("1 - 1 ? 2 : 3", 3);
    IS("-(1 ? 2 : 3)", -2);
    IS("max(1 ? 2 : 3, 0 ? 9 : 1)", 2);
}

/* ---------------------------------------------------------------- random trees */
typedef struct tree {
    int kind;                    /* 0: number, 1..3: variable, '-': sign, '?': choice,
                                    'f': function, 'b': binary */
    int which;                   /* operator or rule */
    double number;
    int part[3];
} tree;
static tree node[200];
static int nodes;

/* the rules with one to three operands, by their real reading */
static const struct rule_row {
    const char *name;
    int operands;
    double (*f1)(double);
    double (*f2)(double, double);
    double (*f3)(double, double, double);
} rule[] = {
#define X1(name, class_, value, dx)         { #name, 1, ad_real_##name, NULL, NULL },
#define X2(name, class_, value, dx, dy)     { #name, 2, NULL, ad_real_##name, NULL },
#define X3(name, class_, value, dx, dy, dz) { #name, 3, NULL, NULL, ad_real_##name },
    ADI_READ((X1, X2, X3, ADI_SKIPN, ADI_WORDS(ADI_WORD_TEXT)))
#undef X1
#undef X2
#undef X3
};
enum { RULES = sizeof rule / sizeof rule[0] };

static int grow(int depth)
{
    static const double number[] = { 0, 1, 2, 3, 0.5, 1e-3, 12.75, 3e5, 0.1 };
    const int i = nodes++;
    const uint32_t what = nodes > 150 || depth == 0 ? draw(5) : 2 + draw(14);
    int parts = 0, k;
    node[i].which = 0;
    node[i].number = 0;
    if (what < 2) {
        node[i].kind = 0;
        node[i].number = number[draw(sizeof number / sizeof number[0])];
    } else if (what < 5) {
        node[i].kind = 1 + (int)what - 2;
    } else if (what < 7) {
        node[i].kind = '-';
        parts = 1;
    } else if (what < 8) {
        node[i].kind = '?';
        parts = 3;
    } else if (what < 10) {
        node[i].kind = 'f';
        node[i].which = (int)draw(RULES);
        parts = rule[node[i].which].operands;
    } else {
        node[i].kind = 'b';
        node[i].which = (int)draw(BINARIES);
        parts = 2;
    }
    for (k = 0; k < parts; k++) {
        const int part = grow(depth - 1);
        node[i].part[k] = part;
    }
    return i;
}

/* with any blanks, and parentheses only where the rules ask for them */
static char written[20000];
static size_t length;
static void put(const char *text)
{
    static const char blanks[] = " \n\t  ";
    while (draw(4) == 0) written[length++] = blanks[draw(sizeof blanks - 1)];
    length += (size_t)sprintf(written + length, "%s", text);
}
static void put_tree(int i, int level)
{
    const tree *const t = &node[i];
    const int own = t->kind == '?' ? 1 : t->kind == '-' ? 6
                    : t->kind == 'b' ? binary[t->which].level : 8;
    const int parentheses = own < level || draw(12) == 0;
    char number[40];
    int k;
    if (parentheses) put("(");
    switch (t->kind) {
    case 0:
        sprintf(number, "%.17g", t->number);
        put(number);
        break;
    case 1: case 2: case 3:
        sprintf(number, "%c", "xyz"[t->kind - 1]);
        put(number);
        break;
    case '-':
        put("-");
        put_tree(t->part[0], 6);
        break;
    case '?':
        put_tree(t->part[0], 2);
        put("?");
        put_tree(t->part[1], 1);
        put(":");
        put_tree(t->part[2], 1);
        break;
    case 'f':
        put(rule[t->which].name);
        put("(");
        for (k = 0; k < rule[t->which].operands; k++) {
            if (k) put(",");
            put_tree(t->part[k], 1);
        }
        put(")");
        break;
    default:
        put_tree(t->part[0], own == 7 ? 8 : own < 4 ? own + 1 : own);
        put(binary[t->which].text);
        put_tree(t->part[1], own == 7 ? 6 : own + 1);
        break;
    }
    if (parentheses) put(")");
}

static int doubtful;             /* the sign of a NaN decides, which C leaves open */

/* the value, and whether it is constant, which decides what a power is */
static double tree_value(int i, const double *x, int *constant)
{
    const tree *const t = &node[i];
    const int parts = t->kind == '-' ? 1 : t->kind == '?' ? 3 : t->kind == 'b' ? 2
                      : t->kind == 'f' ? rule[t->which].operands : 0;
    double v[3] = { 0, 0, 0 };
    int c[3] = { 1, 1, 1 }, k;
    *constant = t->kind < 1 || t->kind > 3;
    for (k = 0; k < parts; k++) {
        v[k] = tree_value(t->part[k], x, &c[k]);
        *constant &= c[k];
    }
    switch (t->kind) {
    case 0: return t->number;
    case 1: case 2: case 3: return x[t->kind - 1];
    case '-': return -v[0];
    case '?': return v[0] != 0 ? v[1] : v[2];
    case 'f':
        if (v[1] != v[1] && strcmp(rule[t->which].name, "copysign") == 0) doubtful = 1;
        return parts == 1 ? rule[t->which].f1(v[0]) : parts == 2 ? rule[t->which].f2(v[0], v[1])
               : rule[t->which].f3(v[0], v[1], v[2]);
    default: break;
    }
    switch (t->which) {
    case 0: return v[0] == v[1];
    case 1: return v[0] != v[1];
    case 2: return v[0] < v[1];
    case 3: return v[0] <= v[1];
    case 4: return v[0] > v[1];
    case 5: return v[0] >= v[1];
    case 6: return ad_real_add(v[0], v[1]);
    case 7: return ad_real_sub(v[0], v[1]);
    case 8: return ad_real_mul(v[0], v[1]);
    case 9: return ad_real_div(v[0], v[1]);
    default:
        return c[1] && v[1] == trunc(v[1]) && fabs(v[1]) <= 1e9 ? ad_real_powi(v[0], (int)v[1])
               : ad_real_pow(v[0], v[1]);
    }
}

static void test_trees(void)
{
    int trial, k, constant;
    state = 20250601;
    for (trial = 0; trial < 2000; trial += test_stride()) {
        ad_fn *f;
        nodes = 0;
        length = 0;
        grow(1 + trial % 7);
        put_tree(0, 1);
        f = parsed(written, variables, __LINE__);
        for (k = 0; f && k < POINTS; k++) {
            double expected, y = NONE;
            doubtful = 0;
            expected = tree_value(0, point[k], &constant);
            ad_fn_eval(f, point[k], &y);
            if (doubtful) continue;
            /* -0 and 0 of a sign before a number, and values as C computes them: not all by bits */
            test_check(test_near(y, expected, 1e-13), __FILE__, __LINE__,
                       "at (%g, %g, %g) \"%s\" is %.17g, not %.17g", point[k][0], point[k][1],
                       point[k][2], written, y, expected);
        }
        ad_fn_destroy(f);
    }
}

/* ---------------------------------------------------------------- every rule of the table */
static void rule_is(const char *name, int operands, ad_tape *t, const ad_var *v, ad_var y)
{
    static const char *const pattern[] = { "%s(x)", "%s (x, y)", "%s(x,y ,z)" };
    char text[60];
    double x[3], r[4] = { NONE, NONE, NONE, NONE };
    ad_fn *f, *g;
    int i;
    sprintf(text, pattern[operands - 1], name);
    f = parsed(text, variables, __LINE__);
    g = ad_fn_gradient(f);
    for (i = 0; i < 3; i++) x[i] = v[i].v;
    CHECK_STATUS(ad_backward(y), AD_OK);
    CHECK_STATUS(ad_fn_eval(g, x, r), AD_OK);
    test_check(test_near(r[0], y.v, 1e-15), __FILE__, __LINE__, "\"%s\" is %.17g, not %.17g", text,
               r[0], y.v);
    for (i = 0; i < 3; i++)
        test_check(test_near(r[1 + i], ad_adjoint(v[i]), 1e-13), __FILE__, __LINE__,
                   "\"%s\": derivative %d is %.17g, not %.17g", text, i, r[1 + i],
                   ad_adjoint(v[i]));
    ad_tape_clear_status(t);
    ad_fn_destroy(f);
    ad_fn_destroy(g);
}

static void test_rules(void)
{
    ad_tape *t = ad_tape_create(NULL);
    ad_var v[3];
    size_t count, i;
    int all = 0;
    v[0] = ad_input(t, 0.625);
    v[1] = ad_input(t, 2.25);
    v[2] = ad_input(t, 1.5);
#define X1(name, class_, value, dx)         rule_is(#name, 1, t, v, ad_var_##name(v[0])); all++;
#define X2(name, class_, value, dx, dy)                                                            \
    rule_is(#name, 2, t, v, ad_var_##name(v[0], v[1])); all++;
#define X3(name, class_, value, dx, dy, dz)                                                        \
    rule_is(#name, 3, t, v, ad_var_##name(v[0], v[1], v[2])); all++;
    ADI_READ((X1, X2, X3, ADI_SKIPN, ADI_WORDS(ADI_WORD_TEXT)))
#undef X1
#undef X2
#undef X3
    CHECK(all == RULES && all > 60);
    ad_rules(&count);
    for (i = 0; i < count; i++) all -= ad_rules(NULL)[i].operands > 0;
    CHECK(all == 0);
    ad_tape_destroy(t);
}

/* ---------------------------------------------------------------- numbers */
static void number_is(const char *text, double expected, int line)
{
    const double y = value_at(text, "", NULL, line);
    test_check(same_bits(y, expected), __FILE__, line, "\"%.60s\" is %.17g, not %.17g", text, y,
               expected);
}
static void float_is(const char *text, float expected, int line)
{
    adf_fn *f = adf_fn_parse(text, "", NULL, 0);
    float y = NAN;
    CHECK_STATUS(adf_fn_eval(f, NULL, &y), AD_OK);
    test_check(memcmp(&y, &expected, sizeof y) == 0, __FILE__, line, "\"%.60s\" is %.9g, not %.9g",
               text, (double)y, (double)expected);
    adf_fn_destroy(f);
}
#define NUMBER(n) number_is(#n, n, __LINE__)
#define NUMBER_IS(text, n) number_is(text, n, __LINE__)
#define FLOAT_IS(text, n) float_is(text, n, __LINE__)

static void test_numbers(void)
{
    static char text[200100];
    int i, k;
    NUMBER(0.1);
    NUMBER(.5);
    NUMBER(5.);
    NUMBER(1e22);
    NUMBER(1e23);
    NUMBER(8.5E-2);
    NUMBER(1.e+3);
    NUMBER(179769313486231570e291);
    NUMBER(1.7976931348623158e308);
    NUMBER(4.9e-324);
    NUMBER(2.2250738585072014e-308);
    NUMBER(2.2250738585072011e-308);
    NUMBER(6.9294956446009195e15);
    NUMBER(9007199254740993.0);
    NUMBER(9007199254740995.0);
    NUMBER_IS("0e999999999999999999999999", 0.0);
    NUMBER_IS("0.000e-99", 0.0);
    NUMBER_IS("00012", 12.0);
    NUMBER_IS("1000000000000000000000e-20", 10.0);
    NUMBER_IS("2.47032822920623272089e-324", 4.9e-324);    /* a hair above half the smallest */
    NUMBER_IS("9007199254740992.99999999999999999999", 9007199254740992.0);
    NUMBER_IS("9007199254740993.00000000000000000000", 9007199254740992.0);
    NUMBER_IS("9007199254740993.00000000000000000001", 9007199254740994.0);

    /* the same halfway point, decided by digit number 1,000, 10,000 and 100,000 */
    for (k = 1000; k <= 100000; k *= 10) {
        sprintf(text, "9007199254740993.");
        memset(text + 17, '0', (size_t)k);
        strcpy(text + 17 + k, "0");
        NUMBER_IS(text, 9007199254740992.0);
        strcpy(text + 17 + k, "1");
        NUMBER_IS(text, 9007199254740994.0);
        /* and large exponents against as many zeros */
        memset(text, '0', (size_t)k);
        text[1] = '.';
        sprintf(text + k, "125e%d", k);
        NUMBER_IS(text, 12.5);
        text[0] = '7';
        memset(text + 1, '0', (size_t)k);
        sprintf(text + 1 + k, "e-%d", k - 2);
        NUMBER_IS(text, 700.0);
    }
    state = 77;
    for (i = 0; i < 3000; i++) {
        uint64_t u = (uint64_t)draw(0x7FF00000u) << 32;
        double v;
        float w;
        uint32_t s = draw(0x7F800000u);
        u |= draw(0xFFFFFFFFu);
        memcpy(&v, &u, sizeof v);
        memcpy(&w, &s, sizeof w);
        sprintf(text, i % 2 ? "%.16e" : "%.25e", v);
        if (v != 0) NUMBER_IS(text, v);
        sprintf(text, "%.8e", (double)w);
        if (w != 0) FLOAT_IS(text, w);
    }
    FLOAT_IS("0.1", 0.1f);
    FLOAT_IS("16777217", 16777216.0f);
    /* above the middle of 1 and its neighbour by less than double can tell: rounded once, not
       twice */
    FLOAT_IS("1.0000000596046447753906250000000000001", 1.00000011920928955f);
    FLOAT_IS("1.000000059604644775390625", 1.0f);
    FLOAT_IS("3.4028235e38", FLT_MAX);
    FLOAT_IS("1.4e-45", 1.4e-45f);
}

/* The decimal point of the locale plays no part, in and out. */
static void test_locale(void)
{
    static const char *const name[] = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8",
        "de_DE", "fr_FR", "nl_NL.UTF-8", "it_IT.UTF-8", "es_ES.UTF-8", "ps_AF" };
    char before[100];
    size_t i;
    int comma = 0;
    sprintf(before, "%.90s", setlocale(LC_ALL, NULL));
    for (i = 0; i < sizeof name / sizeof name[0]; i++)
        if (setlocale(LC_ALL, name[i]) && strcmp(localeconv()->decimal_point, ".") != 0) {
            comma = 1;
            IS("1.5*2.25e1+max(0.5,.25)", 1.5 * 22.5 + 0.5);
        }
    setlocale(LC_ALL, before);
    if (!comma) puts("SKIP test_parse with a decimal comma: no such locale (Debian: locales-all)");
}

/* ---------------------------------------------------------------- names and outputs */
static void test_names(void)
{
    const double x[2] = { 3, 4 };
    double y[5] = { 0, 0, 0, 0, 0 };
    ad_fn *f = parsed("r = x^2 + y_2^2; x*2;e = exp(-r) ; r+e+log(e)", " x\ty_2 ", __LINE__);
    CHECK_STATUS(ad_fn_eval(f, x, y), AD_OK);
    CHECK_NEAR(y[0], 25, 0);
    CHECK_NEAR(y[1], 6, 0);
    CHECK_NEAR(y[2], exp(-25.0), 1e-25);
    CHECK_NEAR(y[3], exp(-25.0), 1e-14);
    CHECK(ad_fn_get_stats(f).inputs == 2 && ad_fn_get_stats(f).variables == 2);
    CHECK(ad_fn_get_stats(f).outputs == 4);
    CHECK_STRING(ad_fn_input_name(f, 0), "x");
    CHECK_STRING(ad_fn_input_name(f, 1), "y_2");
    CHECK_STRING(ad_fn_output_name(f, 0), "r");
    CHECK_STRING(ad_fn_output_name(f, 1), "y1");
    CHECK_STRING(ad_fn_output_name(f, 2), "e");
    CHECK_STRING(ad_fn_output_name(f, 3), "y3");
    ad_fn_destroy(f);

    /* names of constants and functions may be taken; a ';' may end the text */
    f = parsed("pi*e + inf;", "inf,e,pi", __LINE__);
    y[0] = 0;
    {
        const double at[3] = { 100, 2, 3 };
        CHECK_STATUS(ad_fn_eval(f, at, y), AD_OK);
    }
    CHECK_NEAR(y[0], 106, 0);
    ad_fn_destroy(f);
    f = parsed("sin(sin) + exp", "sin exp", __LINE__);
    CHECK_STATUS(ad_fn_eval(f, x, y), AD_OK);
    CHECK_NEAR(y[0], sin(3.0) + 4, 1e-15);
    ad_fn_destroy(f);
    f = parsed("_=x; _a1=_*2; A=_a1+_; a=A/2;", "x", __LINE__);
    CHECK_STATUS(ad_fn_eval(f, x, y), AD_OK);
    CHECK_NEAR(y[3], 4.5, 0);
    ad_fn_destroy(f);
    CHECK_NEAR(value_at("1+1", " ", x, __LINE__), 2, 0);
    CHECK_NEAR(value_at("inf", "", x, __LINE__), (double)INFINITY, 0);
    CHECK_NEAR(value_at("x", "x , y", x, __LINE__), 3, 0);
}

/* ---------------------------------------------------------------- what is refused */
/* column 0: none in the message */
static void refused(const char *text, const char *names, int column, const char *word, int line)
{
    char error[300] = "?", place[40] = "";
    ad_fn *f = ad_fn_parse(text, names, error, sizeof error);
    double y[2] = { 5, 5 };
    const double x[3] = { 1, 1, 1 };
    if (column) sprintf(place, "column %d: ", column);
    test_check(ad_fn_status(f) == AD_ERR_ARGUMENT, __FILE__, line, "\"%s\": %s", text,
               ad_status_name(ad_fn_status(f)));
    test_check(strstr(error, place) == error, __FILE__, line, "\"%s\": \"%s\", not %s", text, error,
               place);
    test_check(strstr(error, word) != NULL, __FILE__, line, "\"%s\": \"%s\", not %s", text, error,
               word);
    CHECK_STRING(ad_fn_message(f), error);
    CHECK_STATUS(ad_fn_eval(f, x, y), AD_ERR_ARGUMENT);
    ad_fn_destroy(f);
}
#define REFUSED(text, column, word) refused(text, variables, column, word, __LINE__)

static void refused_names(const char *names, int column, const char *word, int line)
{
    char error[300] = "?", place[40];
    ad_fn *f = ad_fn_parse("1", names, error, sizeof error);
    sprintf(place, "variables, column %d: ", column);
    test_check(ad_fn_status(f) == AD_ERR_ARGUMENT && strstr(error, place) == error
               && strstr(error, word), __FILE__, line, "\"%s\": \"%s\", not %s%s", names, error,
               place, word);
    ad_fn_destroy(f);
}
#define REFUSED_NAMES(names, column, word) refused_names(names, column, word, __LINE__)

static void test_refused(void)
{
    char text[40];
    int c;
    /* a value is missing */
    REFUSED("", 1, "expected");
    REFUSED("  ", 3, "expected");
    REFUSED(";", 1, "expected");
    REFUSED("x;;y", 3, "expected");
    REFUSED("x; ;", 4, "expected");
    REFUSED("x+", 3, "expected");
    REFUSED("x+*y", 3, "expected");
    REFUSED("x* /y", 4, "expected");
    REFUSED("*x", 1, "expected");
    REFUSED("x <= = y", 6, "write ==");
    REFUSED("x == == y", 6, "expected");
    REFUSED("()", 2, "expected");
    REFUSED("(x+)", 4, "expected");
    REFUSED("sin(", 5, "expected");
    REFUSED("pow(x,)", 7, "expected");
    REFUSED("pow(,x)", 5, "expected");
    REFUSED("x?:y", 3, "expected");
    REFUSED("x?y:", 5, "expected");
    REFUSED("?x:y", 1, "expected");
    REFUSED(",", 1, "expected");
    REFUSED("r =", 4, "expected");
    REFUSED("r = ; x", 5, "expected");
    REFUSED(".", 1, "expected");
    REFUSED("..5*x", 1, "expected");
    REFUSED("x*.e3", 3, "expected");
    /* an operator is missing */
    REFUSED("2x", 2, "operator is missing");
    REFUSED("x y", 3, "operator is missing");
    REFUSED("x 2", 3, "operator is missing");
    REFUSED("(x)(y)", 4, "operator is missing");
    REFUSED("2(x)", 2, "operator is missing");
    REFUSED("sin(x)cos(x)", 7, "operator is missing");
    REFUSED("0x1F", 2, "operator is missing");
    REFUSED("1.2.3", 4, "operator is missing");
    REFUSED("1e", 2, "operator is missing");
    REFUSED("1e+", 2, "operator is missing");
    REFUSED("2 .5", 3, "operator is missing");
    REFUSED("x (2)", 3, "'x' is a variable");
    REFUSED("r=x; 3*r(2)", 9, "'r' is a variable");
    /* parentheses, choices, commas */
    REFUSED("(x", 3, "'(' of column 1");
    REFUSED("x*(y+(z-1)", 11, "'(' of column 3");
    REFUSED("sin (x", 7, "'(' of column 5");
    REFUSED("max(x,y;z)", 8, "'(' of column 4");
    REFUSED("x)", 2, "')' without '('");
    REFUSED("(x))+1", 4, "')' without '('");
    REFUSED("(x,y)", 3, "','");
    REFUSED("x,y", 2, "';'");
    REFUSED("sin((x,y))", 7, "','");
    REFUSED("x:y", 2, "':' without '?'");
    REFUSED("x?y:z:x", 6, "':' without '?'");
    REFUSED("(x:y)", 3, "':' without '?'");
    REFUSED("x?(y:z)", 5, "':' without '?'");
    REFUSED("max(x:y)", 6, "':' without '?'");
    REFUSED("x?y", 4, "'?' of column 2");
    REFUSED("x?y;z", 4, "'?' of column 2");
    REFUSED("(x?y)", 5, "'?' of column 3");
    REFUSED("max(x?y,z)", 8, "'?' of column 6");
    REFUSED("x?y?z:1", 8, "'?' of column 2");
    /* comparisons do not chain */
    REFUSED("x<y<z", 4, "(a < b)*(b < c)");
    REFUSED("x < y >= z", 7, "second comparison");
    REFUSED("x==y==z", 5, "second comparison");
    REFUSED("x<y==z<x==1", 9, "second comparison");
    /* names */
    REFUSED("a", 1, "no such variable: 'a'");
    REFUSED("x+foo(x)", 3, "no such function: 'foo'");
    REFUSED("3*X", 3, "do you mean 'x'?");
    REFUSED("alpha=x; alhpa", 10, "do you mean 'alpha'?");
    REFUSED("alpha=x; alpa", 10, "do you mean 'alpha'?");
    REFUSED("alpha=x; alphas", 10, "do you mean 'alpha'?");
    REFUSED("alpha=x; alphaaa", 10, "no such variable: 'alphaaa'");
    REFUSED("r = r + 1", 5, "no such variable: 'r'");
    REFUSED("r + 1; r = 2", 1, "no such variable: 'r'");
    REFUSED("sine(x)", 1, "do you mean 'sin'?");
    REFUSED("Exp(x)", 1, "do you mean 'exp'?");
    REFUSED("ATAN2(x, x)", 1, "do you mean 'atan2'?");       /* not 'atan', which is near as well */
    REFUSED("MIN(x, x)", 1, "do you mean 'min'?");
    REFUSED("rate1=x; rate=x; RATE", 18, "do you mean 'rate'?");
    REFUSED("sqtr(x)", 1, "do you mean 'sqrt'?");
    REFUSED("ln(x)", 1, "do you mean 'log'?");
    REFUSED("arctan(x)", 1, "do you mean 'atan'?");
    REFUSED("if(x,y,z)", 1, "c ? a : b");
    REFUSED("sin x", 1, "needs '('");
    REFUSED("x*max", 3, "needs '('");
    REFUSED("custom(x)", 1, "no such function");
    REFUSED("lincomb(x,y)", 1, "no such function");
    REFUSED("polyval(x,y)", 1, "no such function");
    REFUSED("input(x)", 1, "no such function");
    REFUSED("part(x)", 1, "no such function");
    REFUSED("user(x)", 1, "no such function");
    REFUSED("nan", 1, "no such variable");
    REFUSED("a=1; a=2", 6, "'a' has a value already");
    REFUSED("x=1", 1, "'x' has a value already");
    REFUSED("2=x", 2, "'='");
    REFUSED("x+y=z", 4, "write ==");
    REFUSED("a=b=x", 3, "no such variable: 'b'");
    REFUSED("a+1=x", 1, "no such variable: 'a'");
    /* operands */
    REFUSED("sin()", 5, "takes 1 operand, not 0");
    REFUSED("sin(x,y)", 8, "takes 1 operand, not 2");
    REFUSED("pow(x)", 6, "takes 2 operands, not 1");
    REFUSED("1+pow(x, y, z)", 14, "takes 2 operands, not 3");
    REFUSED("fma(x,y)", 8, "takes 3 operands, not 2");
    REFUSED("select(x)", 9, "takes 3 operands, not 1");
    REFUSED("sum()", 5, "at least 1");
    REFUSED("max( )", 6, "at least 1");
    REFUSED("norm()", 6, "at least 1");
    REFUSED("dot()", 5, "two lists");
    REFUSED("dot(x,y,z)", 10, "two lists");
    /* numbers */
    REFUSED("x*1e309", 3, "too large");
    REFUSED("1.7976931348623159e308", 1, "too large");
    REFUSED("1e999999999999999999999999", 1, "too large");
    REFUSED("-1e-400", 2, "too small");
    REFUSED("2.4703282292062327e-324", 1, "too small");
    /* characters */
    REFUSED("x#1", 2, "'#' has no meaning here");
    REFUSED("#", 1, "'#'");
    REFUSED("x**2", 2, "write ^");
    REFUSED("x && y", 3, "'&&'");
    REFUSED("x|y", 2, "'|'");
    REFUSED("!x", 1, "c == 0");
    REFUSED("x%y", 2, "fmod");
    REFUSED("x[3]", 2, "x3");
    REFUSED("x\xC2\xB2", 2, "U+00B2 has no meaning here: write ^2");
    REFUSED("x \xE2\x88\x92 y", 3, "U+2212 has no meaning here: write -");
    REFUSED("2*\xCF\x80", 3, "U+03C0 has no meaning here: write pi");
    REFUSED("\xF0\x9D\x91\xA5", 1, "U+1D465 has no meaning here");
    REFUSED("x\x80", 2, "byte 0x80");
    REFUSED("x+\xC3", 3, "byte 0xC3");
    REFUSED("x\x01", 2, "byte 0x01");
    REFUSED("x\x7F", 2, "byte 0x7F");
    for (c = 1; c < 256; c++) {                    /* every byte, after a value and instead of it */
        const int blank = c == ' ' || (c >= '\t' && c <= '\r');
        const int word = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '_'
                         || (c >= 'A' && c <= 'Z');
        sprintf(text, "y+x%c/z", c);
        if (!blank) REFUSED(text, word ? 3 : strchr("+-*/^<>?;", c) ? 5 : 4, "");
        sprintf(text, "y + %c", c);
        if (!word && !blank) REFUSED(text, c == '(' || c == '-' || c == '+' ? 6 : 5, "");
    }
    /* variables */
    REFUSED_NAMES(",", 1, "a name is expected");
    REFUSED_NAMES("x,,y", 3, "a name is expected");
    REFUSED_NAMES("x, ", 4, "a name is expected");
    REFUSED_NAMES(" ,x", 2, "a name is expected");
    REFUSED_NAMES("x,2", 3, "names are letters");
    REFUSED_NAMES("x-y", 2, "divided by commas");
    REFUSED_NAMES("x;y", 2, "divided by commas");
    REFUSED_NAMES("x[2]", 2, "names are letters");
    REFUSED_NAMES("x, \xCE\xB1", 4, "names are letters");
    REFUSED_NAMES("x,y, x", 6, "two variables 'x'");
    REFUSED_NAMES("x x", 3, "two variables 'x'");
    /* nothing at all */
    refused(NULL, "x", 0, "expression: NULL", __LINE__);
    refused("x", NULL, 0, "variables: NULL", __LINE__);
    refused(NULL, NULL, 0, "NULL", __LINE__);
}

/* The message never leaves its room, and may be unwanted. */
static void test_message(void)
{
    const char *full = "column 1: no such variable: 'unknown'";
    char error[80];
    size_t size, i;
    ad_fn *f;
    for (size = 0; size <= 60; size++) {
        const size_t room = strlen(full) < size ? strlen(full) : size ? size - 1 : 0;
        memset(error, 0x55, sizeof error);
        f = ad_fn_parse("unknown", "x", error, size);
        CHECK(ad_fn_status(f) == AD_ERR_ARGUMENT);
        CHECK(size == 0 || (strncmp(error, full, room) == 0 && error[room] == 0));
        for (i = size; i < sizeof error; i++) CHECK(error[i] == 0x55);
        ad_fn_destroy(f);
        memset(error, 0x55, sizeof error);
        f = ad_fn_parse("x", "x", error, size);
        CHECK(ad_fn_status(f) == AD_OK && (size == 0 ? error[0] == 0x55 : error[0] == 0));
        ad_fn_destroy(f);
    }
    f = ad_fn_parse("unknown", "x", NULL, 0);
    CHECK_STRING(ad_fn_message(f), full);
    ad_fn_destroy(f);
    f = ad_fn_parse("a", "x", error, sizeof error);        /* every letter is near to every other */
    CHECK_STRING(error, "column 1: no such variable: 'a'");
    ad_fn_destroy(f);
    f = ad_fn_parse("unknown", "x", NULL, 100);
    CHECK(ad_fn_status(f) == AD_ERR_ARGUMENT);
    ad_fn_destroy(f);
}

/* ---------------------------------------------------------------- let, parameters */
static void test_locals(void)
{
    static const double x[] = { 0.7, -1.3, 0.25, 3 };
    static const unsigned char marked[] = { 1, 0 };
    /* a step of Heun's method for y' = a sin(y) + b */
    ad_fn *f = parsed("let k1 = a*sin(y) + b;let k2=a*sin(y + h*k1) + b; next = y + h/2*(k1 + k2)",
                      "y h | a, b", __LINE__);
    ad_fn *g = ad_fn_gradient(f);
    const ad_fn_stats stats = ad_fn_get_stats(f);
    double r[3], k1, k2;
    ad_fn_desc desc;
    char error[100];
    k1 = x[2]*sin(x[0]) + x[3];
    k2 = x[2]*sin(x[0] + x[1]*k1) + x[3];
    CHECK_STRING(ad_fn_output_name(f, 0), "next");
    CHECK_STRING(ad_fn_input_name(f, 3), "b");
    CHECK(stats.outputs == 1 && stats.inputs == 4 && stats.variables == 2);
    CHECK(ad_fn_get_stats(g).outputs == 3);
    CHECK_STATUS(ad_fn_eval(g, x, r), AD_OK);
    CHECK(test_near(r[0], x[0] + x[1]/2*(k1 + k2), 1e-15));
    CHECK(test_near(r[2], (k1 + k2)/2 + x[1]/2*x[2]*cos(x[0] + x[1]*k1)*k1, 1e-14));
    ad_fn_destroy(f);
    ad_fn_destroy(g);

    IS("let a = 2; let b = a*a; a + b", 6.0);
    IS("let a = 2; let b = 7; a;", 2.0);
    IS("let\ta=3;a", 3.0);
    f = parsed("let = x + 1; y = let*2; let == 3", "x", __LINE__);    /* a name like another */
    CHECK(ad_fn_get_stats(f).outputs == 3 && ad_fn_get_stats(f).variables == 1);
    ad_fn_destroy(f);
    f = parsed("a*b", "|a,b", __LINE__);
    CHECK(ad_fn_get_stats(f).inputs == 2 && ad_fn_get_stats(f).variables == 0);
    ad_fn_destroy(f);
    f = parsed("a*b", "a, b |", __LINE__);
    CHECK(ad_fn_get_stats(f).inputs == 2 && ad_fn_get_stats(f).variables == 2);
    ad_fn_destroy(f);

    memset(&desc, 0, sizeof desc);
    desc.parameters = marked;
    desc.flags = AD_FN_FAST;
    f = ad_fn_parse_desc("x - x + y*z", "x y | z", &desc, error, sizeof error);
    CHECK_STRING(error, "");
    CHECK(ad_fn_get_stats(f).variables == 1 && ad_fn_get_stats(f).nodes == 1);
    g = ad_fn_gradient(f);
    CHECK_STATUS(ad_fn_eval(g, x, r), AD_OK);
    CHECK(r[1] == x[2]);                                             /* by y alone */
    ad_fn_destroy(f);
    ad_fn_destroy(g);
    f = ad_fn_parse_desc("x +", "x", &desc, error, sizeof error);
    CHECK_STATUS(ad_fn_status(f), AD_ERR_ARGUMENT);
    ad_fn_destroy(f);
    desc.simd = ad_kernels_get(AD_SIMD_NEON) ? AD_SIMD_AVX2 : AD_SIMD_NEON;
    f = ad_fn_parse_desc("x", "x", &desc, error, sizeof error);
    CHECK(ad_fn_status(f) != AD_OK && error[0]);
    ad_fn_destroy(f);

    refused("let a = x", "x", 10, "there is no output: every expression is a let", __LINE__);
    refused("let a; x", "x", 5, "a let needs a name: let r = ...", __LINE__);
    refused("let a == x; x", "x", 5, "a let needs a name: let r = ...", __LINE__);
    refused("let x = 2; x", "x", 5, "'x' has a value already", __LINE__);
    refused("let a = 2; a = 3; a", "x", 12, "'a' has a value already", __LINE__);
    refused("let a = b; let b = a; a", "x", 9, "no such variable: 'b'", __LINE__);
    refused("let a = let b = 2; a", "x", 9, "no such variable: 'let'", __LINE__);
    REFUSED_NAMES("x | a | b", 7, "a name is expected");
    REFUSED_NAMES("x, | a", 4, "a name is expected");
    REFUSED_NAMES("x | , a", 5, "a name is expected");
    REFUSED_NAMES("x | x", 5, "there are two variables 'x'");
    refused("x | 2", "x", 3, "'|' has no meaning here", __LINE__);
}

/* ---------------------------------------------------------------- text that nobody means */
/* Whatever it is: a function, or one line that points into the text. Returns 1 for a function. */
static int survives(const char *text, size_t size, int line)
{
    char error[300] = "?", *end = error;
    ad_fn *f = ad_fn_parse(text, variables, error, sizeof error);
    const int ok = ad_fn_status(f) == AD_OK;
    unsigned long column = 0;
    const char *c;
    int good = 1;
    if (ok) {
        const size_t m = ad_fn_get_stats(f).outputs;
        double *const y = (double *)malloc((m + 1) * sizeof *y);
        good = error[0] == 0 && m > 0 && y && ad_fn_eval(f, point[0], y) == AD_OK;
        free(y);
    } else {
        if (strncmp(error, "column ", 7) == 0) column = strtoul(error + 7, &end, 10);
        good = ad_fn_status(f) == AD_ERR_ARGUMENT && column >= 1 && column <= size + 1
               && strncmp(end, ": ", 2) == 0 && end[2];
        for (c = error; *c; c++) good &= *c >= ' ' && *c < 0x7F;
    }
    test_check(good, __FILE__, line, "\"%.200s\": %s, \"%s\"", text,
               ad_status_name(ad_fn_status(f)), error);
    ad_fn_destroy(f);
    return ok;
}

/* begins with `head`, then `piece` so many times, then `tail` */
static char *repeated(const char *head, const char *piece, size_t times, const char *tail)
{
    const size_t n = strlen(piece);
    char *const text = (char *)malloc(strlen(head) + n * times + strlen(tail) + 1), *at = text;
    size_t i;
    if (!text) exit(99);
    at += sprintf(at, "%s", head);
    for (i = 0; i < times; i++, at += n) memcpy(at, piece, n);
    strcpy(at, tail);
    return text;
}
static void long_text(const char *head, const char *piece, size_t times, const char *tail,
                      int expected, int line)
{
    char *const text = repeated(head, piece, times, tail);
    const int ok = survives(text, strlen(text), line);
    test_check(ok == expected, __FILE__, line, "%lu times \"%s\" is %s", (unsigned long)times,
               piece, ok ? "accepted" : "refused");
    free(text);
}
#define LONG(head, piece, times, tail, expected)                                                   \
    long_text(head, piece, times, tail, expected, __LINE__)

static void test_hostile(void)
{
    const size_t MILLION = 1000000 / (size_t)test_stride();
    static const char *const valid[] = {
        "100*(y-x^2)^2 + (1-x)^2", "r = x^2 + y^2; s = r < 1 ? exp(-r) : 0; r*s == 2.5e-3;",
        "max(x, -y, z/3) + select(x <= y, atan2(y, x), fma(x, y, z)) - .5^-x", "((x)) != -(-y)"
    };
    static const char *const token[] = {
        "x", "y", "z", "1", "2.5", "1e3", ".", "e", "pi", "inf", "+", "-", "*", "/", "^", "<", "<=",
        ">", ">=", "==", "!=", "=", "?", ":", "(", ")", "(", ")", ",", ";", "sin", "sin(", "max(",
        "pow(", "fma(", "sum(", "dot(", "a=", "b=", "a", "b", " ", "\n", "foo", "foo(", "#", "\x80",
        "\xC2\xB2", "\xE2\x88\x92", "!", "**", "&&", "[", "0", "1e999", "9e-999", "_", "x_"
    };
    char text[400];
    size_t i, k, n;
    int trial, accepted = 0;

    /* prefixes, and every byte in every place */
    for (i = 0; i < sizeof valid / sizeof valid[0]; i++) {
        n = strlen(valid[i]);
        CHECK(survives(valid[i], n, __LINE__));
        for (k = 0; k <= n; k++) {
            memcpy(text, valid[i], k);
            text[k] = 0;
            survives(text, k, __LINE__);
            memcpy(text, valid[i], k);
            strcpy(text + k, valid[i] + (k < n ? k + 1 : n));       /* one left out */
            survives(text, strlen(text), __LINE__);
        }
    }
    state = 4711;
    for (trial = 0; trial < 4000; trial += test_stride()) {
        strcpy(text, valid[draw(4)]);
        n = strlen(text);
        for (k = 1 + draw(3); k > 0; k--) text[draw((uint32_t)n)] = (char)(1 + draw(255));
        survives(text, strlen(text), __LINE__);
    }
    for (trial = 0; trial < 65536; trial += trial < 32768 ? 1 : 7) {       /* pairs of bytes */
        text[0] = (char)(trial >> 8);
        text[1] = (char)trial;
        text[2] = 0;
        if (trial % 9 == 0) survives(text, strlen(text), __LINE__);
    }
    /* words at random; some mean something */
    for (trial = 0; trial < 20000; trial += test_stride()) {
        n = 0;
        for (k = 1 + draw((uint32_t)trial % 20 + 1); k > 0; k--) {
            const char *const t = token[draw(sizeof token / sizeof token[0])];
            strcpy(text + n, t);
            n += strlen(t);
        }
        accepted += survives(text, n, __LINE__);
    }
    CHECK(accepted > 100 / test_stride());

    /* a million characters */
    LONG("x", "+x", MILLION / 2, "", 1);
    LONG("x", "*x-y/3", MILLION / 6, "", 1);
    LONG("x", "/ x", MILLION / 3, "", 1);
    LONG("sum(x", ",y", MILLION / 2, ")", 1);
    LONG("max(x", ",y", MILLION / 2, ")", 1);
    LONG("x", ";x", MILLION / 4, "", 1);
    LONG("", " ", MILLION, "x", 1);
    LONG("", " ", MILLION, "", 0);
    LONG("0.", "0", 1000000, "1e1000000", 1);
    LONG("", "9", MILLION, "", 0);
    LONG("1e", "9", MILLION, "", 0);
    LONG("", "x", MILLION, "", 0);
    LONG("", "x", MILLION, "(y)", 0);
    LONG("", "x", MILLION, "=y", 1);
    LONG("", ".", MILLION, "", 0);
    LONG("", ";", MILLION, "", 0);
    LONG("", ",", MILLION, "", 0);
    LONG("", ")", MILLION, "", 0);
    LONG("x", "=", MILLION, "", 0);
    LONG("", "\x80", MILLION, "", 0);
    LONG("sin", " ", MILLION, "(x)", 1);
    /* nested: a fixed limit, and nothing on the machine's stack */
    LONG("", "(", 1000, "x", 0);
    LONG("x", ")", 1000, "", 0);
    LONG("", "(", MILLION, "x", 0);
    LONG("", "-", MILLION, "x", 0);
    LONG("", "+", MILLION, "x", 0);
    LONG("", "x^", MILLION / 2, "x", 0);
    LONG("", "x*(", MILLION / 3, "x", 0);
    LONG("", "sin(", MILLION / 4, "x", 0);
    LONG("", "pow(x,", MILLION / 6, "x", 0);
    LONG("", "x?", MILLION / 2, "x", 0);
    LONG("", "x?y:", MILLION / 4, "x", 0);
    LONG("", "x?y:", 900, "x", 1);
    LONG("", "-", 900, "x", 1);
    LONG("", "x^", 900, "x", 1);
    {
        char *const open = repeated("", "(", 900, "x"), *const both = repeated(open, ")", 900, "");
        CHECK(survives(both, 1801, __LINE__));
        free(open);
        free(both);
    }
}

/* Many variables and many outputs: linear in the text. */
static void test_many(int count)
{
    const size_t n = (size_t)count;
    char *const names = (char *)malloc(10 * n), *const text = (char *)malloc(40 * n);
    char *at = names, error[200] = "?", last[20];
    double *const x = (double *)malloc(n * sizeof *x), *const y = (double *)malloc(n * sizeof *y);
    double sum = 0;
    ad_fn *f;
    int i;
    if (!names || !text || !x || !y) exit(99);
    *names = *text = 0;
    for (i = 0; i < count; i++) at += sprintf(at, "%sv%d", i ? "," : "", i);
    for (i = 0, at = text; i < count; i++) {
        at += i ? sprintf(at, ";s%d=s%d+v%d", i, i - 1, i) : sprintf(at, "s0=v0");
        x[i] = i % 10;
    }
    f = ad_fn_parse(text, names, error, sizeof error);
    test_check(ad_fn_status(f) == AD_OK, __FILE__, __LINE__, "%s", error);
    CHECK_STATUS(ad_fn_eval(f, x, y), AD_OK);
    for (i = 0; i < count; i++) {
        sum += x[i];
        if (y[i] != sum) break;
    }
    CHECK(i == count);
    if (count < 10000) {
        sprintf(last, "v%d", count - 1);
        CHECK_STRING(ad_fn_input_name(f, n - 1), last);
        *last = 's';
        CHECK_STRING(ad_fn_output_name(f, n - 1), last);
    }
    ad_fn_destroy(f);
    strcpy(strrchr(names, ','), ",v5");
    f = ad_fn_parse("1", names, error, sizeof error);
    CHECK(strstr(error, "two variables 'v5'") != NULL);
    ad_fn_destroy(f);
    free(names);
    free(text);
    free(x);
    free(y);
}

/* The float twin. */
static void test_float(void)
{
    const float x[2] = { 1.5f, -2.25f };
    float r[3] = { 0, 0, 0 };
    char error[100] = "?";
    adf_fn *f = adf_fn_parse("x^2*y + sin(x) + 0.1", "x,y", error, sizeof error);
    adf_fn *g = adf_fn_gradient(f);
    CHECK_STRING(error, "");
    CHECK_STATUS(adf_fn_eval(g, x, r), AD_OK);
    CHECK_NEAR(r[0], x[0] * x[0] * x[1] + sinf(x[0]) + 0.1f, 1e-6);
    CHECK_NEAR(r[1], 2 * x[0] * x[1] + cosf(x[0]), 1e-6);
    CHECK_NEAR(r[2], x[0] * x[0], 1e-6);
    adf_fn_destroy(f);
    adf_fn_destroy(g);
    f = adf_fn_parse("x+1e39", "x", error, sizeof error);
    CHECK(adf_fn_status(f) == AD_ERR_ARGUMENT);
    CHECK_STRING(error, "column 3: the number is too large");
    adf_fn_destroy(f);
    f = adf_fn_parse("1e-50", "x", error, sizeof error);
    CHECK_STRING(error, "column 1: the number is too small: it would be 0");
    adf_fn_destroy(f);
    f = adf_fn_parse("max(x,y", "x,y", error, sizeof error);
    CHECK_STRING(error, "column 8: ')' is missing: '(' of column 4 waits for it");
    adf_fn_destroy(f);
}

TEST_DEF void suite_parse(void)
{
    test_values();
    test_powers();
    test_precedence();
    test_trees();
    test_rules();
    test_numbers();
    test_locale();
    test_names();
    test_refused();
    test_message();
    test_locals();
    test_hostile();
    test_many(3000);
    test_many(3000 + 97000 / test_stride());
    test_float();
}
