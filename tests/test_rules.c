/* Every rule of the table: value and partials against the formulas of rows.h, every mode
   against every other, second derivatives, differences, and the conventions at zeros, kinks,
   infinities and NaN. A row without a formula, or with few comparisons, fails by its name.
   Sections: The Rule Table; The Table as Formulas; Special Functions; The Table, Read Coldly. */
#include "test.h"
#include "rows.h"

typedef struct rule {
    const char *name;
    int operands;
    double    (*real1)(double);
    double    (*real2)(double, double);
    double    (*real3)(double, double, double);
    ad_dual   (*dual1)(ad_dual);
    ad_dual   (*dual_2)(ad_dual, ad_dual);
    ad_dual   (*dual3)(ad_dual, ad_dual, ad_dual);
    ad_dual4  (*four1)(ad_dual4);
    ad_dual4  (*four2)(ad_dual4, ad_dual4);
    ad_dual4  (*four3)(ad_dual4, ad_dual4, ad_dual4);
    ad_dual2  (*second1)(ad_dual2);
    ad_dual2  (*second2)(ad_dual2, ad_dual2);
    ad_dual2  (*second3)(ad_dual2, ad_dual2, ad_dual2);
    ad_var    (*var1)(ad_var);
    ad_var    (*var2)(ad_var, ad_var);
    ad_var    (*var3)(ad_var, ad_var, ad_var);
    ad_var    (*right)(ad_var, double);
    ad_var    (*left)(double, ad_var);
    adf_dual  (*fdual1)(adf_dual);
    adf_dual  (*fdual2)(adf_dual, adf_dual);
    adf_dual  (*fdual3)(adf_dual, adf_dual, adf_dual);
    adf_var   (*fvar1)(adf_var);
    adf_var   (*fvar2)(adf_var, adf_var);
    adf_var   (*fvar3)(adf_var, adf_var, adf_var);
} rule;

static const rule rules[] = {
#define X1(n, class_, v, dx) { #n, 1, ad_real_##n, NULL, NULL, ad_dual_##n, NULL, NULL,            \
    ad_dual4_##n, NULL, NULL, ad_dual2_##n, NULL, NULL, ad_var_##n, NULL, NULL, NULL, NULL,        \
    adf_dual_##n, NULL, NULL, adf_var_##n, NULL, NULL },
#define X2(n, class_, v, dx, dy) { #n, 2, NULL, ad_real_##n, NULL, NULL, ad_dual_##n, NULL, NULL,  \
    ad_dual4_##n, NULL, NULL, ad_dual2_##n, NULL, NULL, ad_var_##n, NULL, ad_var_##n##_r,          \
    ad_var_##n##_from_r, NULL, adf_dual_##n, NULL, NULL, adf_var_##n, NULL },
#define X3(n, class_, v, dx, dy, dz) { #n, 3, NULL, NULL, ad_real_##n, NULL, NULL, ad_dual_##n,    \
    NULL, NULL, ad_dual4_##n, NULL, NULL, ad_dual2_##n, NULL, NULL, ad_var_##n, NULL, NULL,        \
    NULL, NULL, adf_dual_##n, NULL, NULL, adf_var_##n },
    ADI_READ((X1, X2, X3, ADI_SKIPN, ADI_WORDS(ADI_WORD_TEXT)))
#undef X1
#undef X2
#undef X3
};

#define CALL(name, T, one, two, three)                                                             \
    static T name(const rule *r, const T *x)                                                       \
    {                                                                                              \
        if (r->operands == 1) return r->one(x[0]);                                                 \
        return r->operands == 2 ? r->two(x[0], x[1]) : r->three(x[0], x[1], x[2]);                 \
    }
CALL(call_real, double, real1, real2, real3)
CALL(call_dual, ad_dual, dual1, dual_2, dual3)
CALL(call_four, ad_dual4, four1, four2, four3)
CALL(call_second, ad_dual2, second1, second2, second3)
CALL(call_var, ad_var, var1, var2, var3)
CALL(call_fdual, adf_dual, fdual1, fdual2, fdual3)
CALL(call_fvar, adf_var, fvar1, fvar2, fvar3)
#undef CALL

static const double inf = (double)INFINITY, nan_ = (double)NAN;

static int finite_(double v) { return v - v == 0; }

/* How often each row was compared with its formula, and how often that failed. */
enum { VALUE, PARTIAL };
static int compared[ROW_COUNT][2], wrong[ROW_COUNT][2];

/* One comparison with the operation, the point and the mode in the message. */
static int same(const rule *r, const double *x, const char *mode, double got, double want,
    double tolerance)
{
    return test_check(test_near(got, want, tolerance), __FILE__, __LINE__,
        "%s(%.17g, %.17g, %.17g), %s: %.17g, not %.17g",
               r->name, x[0], r->operands > 1 ? x[1] : 0.0, r->operands > 2 ? x[2] : 0.0, mode,
                   got, want);
}

/* One comparison with the row's formula. */
static void truth(const rule *r, const double *x, int what, double got, double want,
    double tolerance)
{
    static const char *const mode[] = { "value", "partial" };
    compared[r - rules][what]++;
    wrong[r - rules][what] += !same(r, x, mode[what], got, want, tolerance);
}

/* The reverse gradient and all that must agree with it. Returns whether the gradient is finite. */
static int modes(const rule *r, const double *x, double *g)
{
    ad_tape *t = ad_tape_create(NULL);
    ad_var in[3], y, gv[3];
    double J[3], one = 1, unit[3];
    const size_t n = (size_t)r->operands;
    size_t i, j;
    int all = 1, live;
    for (i = 0; i < n; i++) in[i] = ad_input(t, x[i]);
    y = call_var(r, in);
    live = y.tape != NULL;
    CHECK(live);
    same(r, x, "recorded value", y.v, call_real(r, x), 0);
    CHECK_STATUS(ad_backward(y), AD_OK);
    for (i = 0; i < n; i++) {
        g[i] = ad_adjoint(in[i]);
        all &= finite_(g[i]);
    }
    CHECK_STATUS(ad_backward_seeded(t, 1, &y, &one), AD_OK);
    for (i = 0; i < n; i++) same(r, x, "second sweep", ad_adjoint(in[i]), g[i], 0);
    CHECK_STATUS(ad_jacobian_reverse(t, n, in, 1, &y, J), AD_OK);
    for (i = 0; i < n; i++) same(r, x, "eight adjoints", J[i], g[i], 0);
    CHECK_STATUS(ad_jacobian_forward(t, n, in, 1, &y, J), AD_OK);
    for (i = 0; i < n; i++) same(r, x, "eight tangents", J[i], g[i], 0);
    for (i = 0; i < n; i++) {
        memset(unit, 0, sizeof unit);
        unit[i] = 1;
        CHECK_STATUS(ad_forward(t, n, in, unit), AD_OK);
        same(r, x, "tangent sweep", ad_tangent(y), g[i], 0);
        CHECK_STATUS(ad_forward_over_reverse(y, n, in, unit), AD_OK);
        same(r, x, "adjoint of forward over reverse", ad_adjoint(in[i]), g[i], 0);
    }
    CHECK_STATUS(ad_grad_vars(y, n, in, gv), AD_OK);
    for (i = 0; i < n; i++) same(r, x, "recorded gradient", gv[i].v, g[i], 1e-15);
    for (i = 0; i < n; i++) {
        ad_var e[3], dot;
        for (j = 0; j < n; j++) e[j] = ad_const(j == i);
        CHECK_STATUS(ad_jvp_vars(t, n, in, e, 1, &y, &dot), AD_OK);
        same(r, x, "recorded tangent", dot.v, g[i], 1e-15);
    }
    if (n == 2) {                                /* a plain number on either side */
        ad_var a = r->right(in[0], x[1]), b = r->left(x[0], in[1]);
        same(r, x, "value with a number right", a.v, y.v, 0);
        same(r, x, "value with a number left", b.v, y.v, 0);
        ad_backward(a);
        same(r, x, "number right", ad_adjoint(in[0]), g[0], 0);
        same(r, x, "number right, other operand", ad_adjoint(in[1]), 0, 0);
        ad_backward(b);
        same(r, x, "number left", ad_adjoint(in[1]), g[1], 0);
        a = r->var2(in[0], ad_const(x[1]));
        ad_backward(a);
        same(r, x, "constant right", ad_adjoint(in[0]), g[0], 0);
    }
    if (n == 3) {                                /* constants in a list record */
        ad_var k[3];
        for (i = 0; i < 3; i++) {
            memcpy(k, in, sizeof k);
            k[i] = ad_const(x[i]);
            y = call_var(r, k);
            ad_backward(y);
            same(r, x, "one constant", ad_adjoint(in[(i + 1) % 3]), g[(i + 1) % 3], 0);
        }
    }
    for (i = 0; i < n; i++) in[i] = ad_const(x[i]);
    y = call_var(r, in);
    CHECK(y.tape == NULL);
    same(r, x, "constants", y.v, call_real(r, x), 0);
    CHECK_STATUS(ad_tape_status(t), AD_OK);
    ad_tape_destroy(t);
    return all;
}

/* Inlined duals of every width. */
static void duals(const rule *r, const double *x, const double *g)
{
    const size_t n = (size_t)r->operands;
    size_t i, k;
    ad_dual4 four[3], f;
    for (i = 0; i < n; i++) four[i] = ad_dual4_seed(x[i], (int)i);
    f = call_four(r, four);
    same(r, x, "dual4 value", f.v, call_real(r, x), 0);
    for (i = 0; i < n; i++) {
        ad_dual one[3], y;
        for (k = 0; k < n; k++) one[k] = ad_dual_make(x[k], k == i);
        y = call_dual(r, one);
        same(r, x, "dual", y.d, g[i], 0);
        same(r, x, "dual4", f.d[i], g[i], 0);
    }
}

/* Second derivatives: dual2, forward over reverse, Hessian, gradient of gradient, differences. */
static void second(const rule *r, const double *x, const row_facts *known)
{
    ad_tape *t = ad_tape_create(NULL);
    ad_var in[3], y, gv[3], hv[3];
    double H[9];
    const size_t n = (size_t)r->operands;
    size_t i, j, k;
    for (i = 0; i < n; i++) in[i] = ad_input(t, x[i]);
    y = call_var(r, in);
    CHECK_STATUS(ad_hessian_of(y, n, in, H), AD_OK);
    CHECK_STATUS(ad_grad_vars(y, n, in, gv), AD_OK);
    for (i = 0; i < n; i++) {
        double unit[3] = { 0, 0, 0 };
        unit[i] = 1;
        CHECK_STATUS(ad_grad_vars(gv[i], n, in, hv), gv[i].tape ? AD_OK : AD_ERR_ARGUMENT);
        for (j = 0; j < n; j++) same(r, x, "gradient of the gradient", hv[j].v, H[i * n + j],
            1e-12);
        CHECK_STATUS(ad_forward_over_reverse(y, n, in, unit), AD_OK);
        for (j = 0; j < n; j++) same(r, x, "forward over reverse", ad_adjoint_tangent(in[j]),
            H[i * n + j], 1e-12);
        for (j = 0; j < n; j++) {
            ad_dual2 d[3], s;
            for (k = 0; k < n; k++) d[k] = ad_dual2_make(x[k], k == i, k == j, 0);
            s = call_second(r, d);
            same(r, x, "dual2", s.d12, H[i * n + j], 1e-12);
        }
        for (j = 0; j < n; j++)                  /* differences of the dual's derivative */
            if (known->on[j].kind != ROW_WHOLE) {
                const double h = 1e-5 * (fabs(x[j]) > 1 ? fabs(x[j]) : 1);
                ad_dual up[3], down[3];
                for (k = 0; k < n; k++) {
                    up[k] = ad_dual_make(x[k] + (k == j ? h : 0), k == i);
                    down[k] = ad_dual_make(x[k] - (k == j ? h : 0), k == i);
                }
                same(r, x, "second difference", (call_dual(r, up).d - call_dual(r, down).d)
                     / (up[j].v - down[j].v), H[i * n + j], 1e-5);
            }
    }
    ad_tape_destroy(t);
}

static void differences(const rule *r, const double *x, const double *g, const row_facts *known)
{
    size_t i;
    for (i = 0; i < (size_t)r->operands; i++) {
        double h = 1e-4 * (fabs(x[i]) > 1 ? fabs(x[i]) : 1), up[3], down[3], d[2];
        int half;
        if (known->on[i].kind == ROW_WHOLE) continue;
        for (half = 0; half < 2; half++, h /= 2) {
            memcpy(up, x, sizeof up);
            memcpy(down, x, sizeof down);
            up[i] += h;
            down[i] -= h;
            d[half] = (call_real(r, up) - call_real(r, down)) / (up[i] - down[i]);
        }
        same(r, x, "difference", (4 * d[1] - d[0]) / 3, g[i], 2e-8);
    }
}

/* The float twin at the same point, where it is representable. */
static void floats(const rule *r, const double *x, const double *g)
{
    adf_tape *t = adf_tape_create(NULL);
    adf_var in[3], y;
    size_t i, k;
    for (i = 0; i < (size_t)r->operands; i++) in[i] = adf_input(t, (float)x[i]);
    y = call_fvar(r, in);
    same(r, x, "float value", (double)y.v, call_real(r, x), 1e-5);
    CHECK_STATUS(adf_backward(y), AD_OK);
    for (i = 0; i < (size_t)r->operands; i++) {
        adf_dual d[3];
        const double tolerance = 3e-5 * (1 + fabs(g[i]));
        for (k = 0; k < (size_t)r->operands; k++) d[k] = adf_dual_make((float)x[k], k == i);
        same(r, x, "float adjoint", (double)adf_adjoint(in[i]), g[i], tolerance);
        same(r, x, "float dual", (double)call_fdual(r, d).d, (double)adf_adjoint(in[i]), 0);
    }
    adf_tape_destroy(t);
}

/* What holds at any point, zeros and NaN too. Leaves the gradient in g. */
static void expect_agreement(const rule *r, const double *x, double *g)
{
    const int all_finite = modes(r, x, g);
    if (r->operands > 1 && !all_finite) return;  /* inlined duals: bare products */
    duals(r, x, g);
}

/* Everything about one rule at the points where its formula holds. */
static void expect_row(const rule *r, const row_facts *known)
{
    double x[3], g[3] = { 0, 0, 0 }, t[4];
    int i, k;
    for (i = 0; row_point(known, i, x); i++) {
        row_truth(known, x, t);
        expect_agreement(r, x, g);
        truth(r, x, VALUE, call_real(r, x), t[0], 4e-15);
        if (i >= ROW_SMOOTH) continue;
        for (k = 0; k < r->operands; k++) truth(r, x, PARTIAL, g[k], t[k + 1], 1e-14);
        second(r, x, known);
        differences(r, x, g, known);
        floats(r, x, g);
    }
}

/* Whole exponents, by squaring and beyond it. */
static void powers(void)
{
    static const double x[] = { 1.25, -0.75, 3, -2 };
    int i, n;
    for (i = 0; i < 4; i++)
        for (n = -70; n <= 70; n++) {
            const double value = (double)powl((long double)x[i], n);
            const double slope = n ? n * (double)powl((long double)x[i], n - 1) : 0;
            const ad_dual r = ad_dual_ipow(ad_dual_make(x[i], 1), ad_dual_make(n, 1));
            CHECK_NEAR(r.v, value, 64e-16 * (1 + fabs(value)));
            CHECK_NEAR(r.d, slope, 64e-16 * (1 + fabs(slope)));
        }
}

/* sin(x)/x where cos(x)/x - sin(x)/x^2 cancels: value, two derivatives, relative to themselves. */
static void sincs(void)
{
    static const double x[] = { 0, 1e-300, -1e-160, 1e-60, 1e-20, -1e-8, 3e-6, 1e-4, 0.00390625,
        -0.03125, 0.125, 0.4, -0.75, 1.5 };
    ad_tape *const t = ad_tape_create(NULL);
    size_t i;
    for (i = 0; i < sizeof x / sizeof x[0]; i++) {
        const ad_dual2 s = ad_dual2_sinc(ad_dual2_make(x[i], 1, 1, 0));
        const ad_var v = ad_input(t, x[i]), y = ad_var_sinc(v);
        const double slope = x[i] != 0 ? (double)row_sinc(1, (long double)x[i]) / x[i] : -1 / 3.0;
        const double curve = (double)row_sinc(2, (long double)x[i]);
        double H = 0;
        CHECK_NEAR(s.v, (double)row_sinc(0, (long double)x[i]), 4e-16);
        CHECK_NEAR(x[i] != 0 ? s.d1 / x[i] : -1 / 3.0, slope, 1e-13);
        CHECK(x[i] != 0 || !(s.d1 < 0 || s.d1 > 0));
        CHECK_NEAR(s.d12, curve, 1e-12);
        CHECK_STATUS(ad_hessian_of(y, 1, &v, &H), AD_OK);
        CHECK_NEAR(H, curve, 1e-12);
    }
    CHECK_STATUS(ad_tape_status(t), AD_OK);
    ad_tape_destroy(t);
}

/* psi_n against sums of their own: psi_n(x) = (-1)^(n+1) n! sum 1/(x+k)^(n+1), accelerated by the
   integral of the tail; known values; the reflection left of zero through the recurrence. */
static void polygammas(void)
{
    int n, i;
    double x, y;
    CHECK_NEAR(ad_real_digamma(1), -0.57721566490153286061, 1e-15);
    CHECK_NEAR(ad_real_digamma(0.5), -1.96351002602142347944, 1e-15);
    CHECK_NEAR(ad_real_trigamma(1), 1.64493406684822643647, 1e-15);
    CHECK_NEAR(ad_real_trigamma(0.5), 4.93480220054467930942, 1e-15);
    CHECK_NEAR(ad_real_polygamma(1, 2), -2.40411380631918857080, 1e-15);
    CHECK_NEAR(ad_real_polygamma(0.5, 3), 97.40909103400243723644, 1e-14);
    CHECK_NEAR(ad_real_digamma(-0.5), 0.03648997397857652056, 1e-14);
    CHECK_NEAR(ad_real_trigamma(-0.5), 8.93480220054467930942, 1e-14);
    CHECK(ad_real_digamma(0) == -inf && ad_real_digamma(-0.0) == inf);
    CHECK(ad_real_digamma(-3) != ad_real_digamma(-3));
    CHECK(ad_real_trigamma(-3) == inf);
    for (n = 1; n < 6; n++) CHECK(ad_real_polygamma(0, n) == (n & 1 ? inf : -inf));
    CHECK_NEAR(ad_real_digamma(1e300), log(1e300), 1e-15);
    for (n = 0; n < 6; n++)
        for (i = 0; i < 40; i++) {               /* psi_n(x) = psi_n(x+1) - (-1)^n n! x^-(n+1) */
            const double f[] = { 1, 1, 2, 6, 24, 120 };
            x = -9.85 + 0.6 * i;
            y = ad_real_polygamma(x + 1, n) - (n & 1 ? -1 : 1) * f[n] * pow(x, -n - 1);
            CHECK_NEAR(ad_real_polygamma(x, n), y,
                3e-13 * (1 + f[n] * pow(fabs(x - round(x)), -n - 1)
                                                              / (1 + fabs(y))));
        }
}

/* The manual's table of conventions: operation, operands, value, partials. ANY: not part of it. */
#define ANY 12345.0
static void conventions(void)
{
    const struct { const char *name; double x, y, z, v, dx, dy, dz; } row[] = {
        { "abs", 0, 0, 0, 0, 0, ANY, ANY },          { "abs", -0.0, 0, 0, 0, 0, ANY, ANY },
        { "abs", -inf, 0, 0, inf, -1, ANY, ANY },    { "sign", 0, 0, 0, 0, 0, ANY, ANY },
        { "relu", 0, 0, 0, 0, 0, ANY, ANY },         { "relu", nan_, 0, 0, nan_, 0, ANY, ANY },
        { "relu", inf, 0, 0, inf, 1, ANY, ANY },     { "relu", -inf, 0, 0, 0, 0, ANY, ANY },
        { "max", 2, 2, 0, 2, 0.5, 0.5, ANY },        { "min", 2, 2, 0, 2, 0.5, 0.5, ANY },
        { "max", inf, 1, 0, inf, 1, 0, ANY },        { "min", -inf, 1, 0, -inf, 1, 0, ANY },
        { "max", nan_, 1, 0, nan_, 0, 0, ANY },        { "max", 1, nan_, 0, nan_, 0, 0, ANY },
        { "clamp", 1, 1, 3, 1, 0.5, 0.5, 0 },        { "clamp", 5, 1, 3, 3, 0, 0, 1 },
        { "clamp", 0, 1, 3, 1, 0, 1, 0 },            { "clamp", 2, 1, 3, 2, 1, 0, 0 },
        { "sinc", 0, 0, 0, 1, 0, ANY, ANY },         { "sinc", -0.0, 0, 0, 1, 0, ANY, ANY },
        { "sinc", nan_, 0, 0, nan_, nan_, ANY, ANY },
        { "sqrt", 0, 0, 0, 0, inf, ANY, ANY },       { "sqrt", inf, 0, 0, inf, 0, ANY, ANY },
        { "sqrt", -1, 0, 0, nan_, nan_, ANY, ANY },    { "cbrt", 0, 0, 0, 0, inf, ANY, ANY },
        { "inv", 0, 0, 0, inf, -inf, ANY, ANY },     { "inv", inf, 0, 0, 0, 0, ANY, ANY },
        { "div", 0, 0, 0, nan_, inf, nan_, ANY },      { "div", 1, 0, 0, inf, inf, -inf, ANY },
        { "div", 1, inf, 0, 0, 0, 0, ANY },          { "div0", 3, 0, 0, 0, 0, 0, ANY },
        { "mul", 0, inf, 0, nan_, inf, 0, ANY },      { "mul0", 0, inf, 0, 0, inf, 0, ANY },
        { "mul0", nan_, 0, 0, 0, 0, nan_, ANY },       { "sub0", inf, inf, 0, 0, 1, -1, ANY },
        { "hypot", 0, 0, 0, 0, 0, 0, ANY },          { "hypot", 3, 0, 0, 3, 1, 0, ANY },
        { "hypot", inf, 1, 0, inf, nan_, 0, ANY },    { "atan2", 0, 0, 0, 0, 0, 0, ANY },
        { "atan2", 1, 0, 0, 1.57079632679489661923, 0, -1, ANY },
        { "pow", 0, 2, 0, 0, 0, 0, ANY },            { "pow", 0, 1, 0, 0, 1, 0, ANY },
        { "pow", 0, 0.5, 0, 0, inf, 0, ANY },        { "pow", 0, 0, 0, 1, 0, -inf, ANY },
        { "pow", 0, -1, 0, inf, -inf, -inf, ANY },   { "pow", -2, 3, 0, -8, 12, nan_, ANY },
        { "pow", -2, 0.5, 0, nan_, nan_, nan_, ANY },
            { "pow", 2, 0, 0, 1, 0, 0.69314718055994530942, ANY },
        { "ipow", 0, 0, 0, 1, 0, 0, ANY },           { "ipow", 0, 2, 0, 0, 0, 0, ANY },
        { "ipow", 0, 1, 0, 0, 1, 0, ANY },           { "ipow", -2, 3, 0, -8, 12, 0, ANY },
        { "ipow", 0, -1, 0, inf, -inf, 0, ANY },     { "log", 0, 0, 0, -inf, inf, ANY, ANY },
        { "log", inf, 0, 0, inf, 0, ANY, ANY },      { "log1p", -1, 0, 0, -inf, inf, ANY, ANY },
        { "log2", 0, 0, 0, -inf, inf, ANY, ANY },    { "log10", 0, 0, 0, -inf, inf, ANY, ANY },
        { "exp", inf, 0, 0, inf, inf, ANY, ANY },    { "exp", -inf, 0, 0, 0, 0, ANY, ANY },
        { "expm1", -inf, 0, 0, -1, 0, ANY, ANY },    { "tanh", inf, 0, 0, 1, 0, ANY, ANY },
        { "tanh", -inf, 0, 0, -1, 0, ANY, ANY },     { "sigmoid", inf, 0, 0, 1, 0, ANY, ANY },
        { "sigmoid", -inf, 0, 0, 0, 0, ANY, ANY },   { "softplus", -inf, 0, 0, 0, 0, ANY, ANY },
        { "softplus", inf, 0, 0, inf, 1, ANY, ANY },
            { "logaddexp", -inf, -inf, 0, -inf, 0.5, 0.5, ANY },
        { "logaddexp", inf, inf, 0, inf, 0.5, 0.5, ANY },
        { "logaddexp", -inf, 1, 0, 1, 0, 1, ANY },   { "logaddexp", inf, 1, 0, inf, 1, 0, ANY },
        { "asin", 1, 0, 0, 1.57079632679489661923, inf, ANY, ANY },
        { "acos", -1, 0, 0, 3.14159265358979323846, -inf, ANY, ANY },
        { "atanh", 1, 0, 0, inf, inf, ANY, ANY },    { "acosh", 1, 0, 0, 0, inf, ANY, ANY },
        { "atan", inf, 0, 0, 1.57079632679489661923, 0, ANY, ANY },
        { "asinh", 1e300, 0, 0, ANY, 1e-300, ANY, ANY },
        { "erf", inf, 0, 0, 1, 0, ANY, ANY },        { "erfc", inf, 0, 0, 0, 0, ANY, ANY },
        { "floor", 2, 0, 0, 2, 0, ANY, ANY },        { "floor", -0.5, 0, 0, -1, 0, ANY, ANY },
        { "ceil", inf, 0, 0, inf, 0, ANY, ANY },     { "round", 2.5, 0, 0, 3, 0, ANY, ANY },
        { "trunc", -1.5, 0, 0, -1, 0, ANY, ANY },    { "fmod", 5.5, 2, 0, 1.5, 1, -2, ANY },
        { "fmod", -5.5, 2, 0, -1.5, 1, 2, ANY },     { "lt", nan_, 1, 0, 0, 0, 0, ANY },
        { "ne", nan_, nan_, 0, 1, 0, 0, ANY },         { "eq", 0, -0.0, 0, 1, 0, 0, ANY },
        { "select", nan_, 2, 3, 2, 0, 1, 0 },         { "select", 0, inf, 3, 3, 0, 0, 1 },
        { "copysign", 0, -1, 0, -0.0, 0, 0, ANY },   { "copysign", 3, -0.0, 0, -3, -1, 0, ANY },
        { "lgamma", 1, 0, 0, 0, -0.57721566490153286061, ANY, ANY },
        { "lgamma", 0, 0, 0, inf, -inf, ANY, ANY },  { "fma", 2, 3, 4, 10, 3, 2, 1 },
    };
    size_t i, k;
    for (i = 0; i < sizeof row / sizeof row[0]; i++)
        for (k = 0; k < sizeof rules / sizeof rules[0]; k++)
            if (strcmp(rules[k].name, row[i].name) == 0) {
                const double x[3] = { row[i].x, row[i].y, row[i].z };
                const double want[3] = { row[i].dx, row[i].dy, row[i].dz };
                double g[3] = { 0, 0, 0 };
                int j;
                if (row[i].v != ANY) same(&rules[k], x, "convention, value",
                    call_real(&rules[k], x), row[i].v, 1e-15);
                modes(&rules[k], x, g);
                for (j = 0; j < rules[k].operands; j++)
                    if (want[j] != ANY) same(&rules[k], x, "convention, derivative", g[j],
                        want[j], 1e-15);
            }
    /* A zero adjoint stops: sqrt(x) * 0 at 0 has derivative 0, in every mode. */
    {
        ad_tape *t = ad_tape_create(NULL);
        ad_var x = ad_input(t, 0), z = ad_input(t, 0), y = ad_var_mul(ad_var_sqrt(x), z), in[2],
            g[2];
        double H[4];
        in[0] = x;
        in[1] = z;
        ad_backward(y);
        CHECK_NEAR(ad_adjoint(x), 0, 0);
        ad_grad_vars(y, 2, in, g);
        CHECK_NEAR(g[0].v, 0, 0);
        CHECK_STATUS(ad_jacobian_reverse(t, 2, in, 1, &y, H), AD_OK);
        CHECK_NEAR(H[0], 0, 0);
        ad_tape_destroy(t);
    }
}

/* Operands at zeros, infinities, NaN and denormals: every sweep must say the same. */
static void specials(const rule *r)
{
    static const double value[] = { 0.0, -0.0, 1.0, -1.0, 1e-310, 1e300, inf, -inf, nan_ };
    const size_t n = sizeof value / sizeof value[0];
    size_t i, j;
    for (i = 0; i < n; i++)
        for (j = 0; j < (r->operands > 1 ? n : 1); j++) {
            double x[3], g[3] = { 0, 0, 0 };
            x[0] = value[i];
            x[1] = value[j];
            x[2] = value[(i + 2 * j + 3) % n];
            expect_agreement(r, x, g);
        }
}

/* The lists that are looked at below; custom, whose partials are the user's: in test_user.c; and
   expr, whose are recorded: in test_expr.c. */
#define LISTS " sum dot norm logsumexp logmeanexp lincomb polyval custom expr "

/* The lists: values, partials and second derivatives against the same made of binary operations. */
static void lists(void)
{
    static const double at[6] = { 0.5, -1.25, 2.0, 0.75, -0.3125, 1.5 },
        c[4] = { 0.25, -1.5, 3, 0.125 };
    ad_tape *t = ad_tape_create(NULL);
    ad_var x[6], list[8], made[8], s;
    double H[36], K[36], J[48], M[48], v[6], dot[6] = { 1, 0.5, -2, 0.25, 3, -1 };
    ad_dual d[6];
    ad_dual2 d2[6];
    size_t i, k;
    for (i = 0; i < 6; i++) {
        x[i] = ad_input(t, at[i]);
        v[i] = at[i];
        d[i] = ad_dual_make(at[i], dot[i]);
        d2[i] = ad_dual2_make(at[i], dot[i], dot[i], 0);
    }
    list[0] = ad_var_sum(6, x);
    made[0] = ad_var_add(ad_var_add(ad_var_add(x[0], x[1]), ad_var_add(x[2], x[3])),
        ad_var_add(x[4], x[5]));
    list[1] = ad_var_dot(3, x, x + 3);
    made[1] = ad_var_add(ad_var_add(ad_var_mul(x[0], x[3]), ad_var_mul(x[1], x[4])),
        ad_var_mul(x[2], x[5]));
    list[2] = ad_var_norm(6, x);
    for (i = 0, s = ad_const(0); i < 6; i++) s = ad_var_add(s, ad_var_square(x[i]));
    made[2] = ad_var_sqrt(s);
    list[3] = ad_var_logsumexp(6, x);
    for (i = 0, s = ad_const(0); i < 6; i++) s = ad_var_add(s, ad_var_exp(x[i]));
    made[3] = ad_var_log(s);
    list[4] = ad_var_lincomb(4, c, x);
    for (i = 0, s = ad_const(0); i < 4; i++) s = ad_var_add(s, ad_var_mul_r(x[i], c[i]));
    made[4] = s;
    list[5] = ad_var_polyval(4, c, x[2]);
    for (i = 0, s = ad_const(0); i < 4; i++)
        s = ad_var_add(s, ad_var_mul_r(ad_var_powi(x[2], (int)i), c[i]));
    made[5] = s;
    list[6] = ad_var_dot(6, x, x);               /* both factors the same */
    made[6] = ad_var_square(made[2]);
    list[7] = ad_var_logmeanexp(6, x);
    made[7] = ad_var_sub_r(made[3], log(6));
    CHECK_STATUS(ad_jacobian_reverse(t, 6, x, 8, list, J), AD_OK);
    CHECK_STATUS(ad_jacobian_forward(t, 6, x, 8, made, M), AD_OK);
    for (i = 0; i < 48; i++) CHECK_NEAR(J[i], M[i], 1e-14);
    for (k = 0; k < 8; k++) {
        ad_fn *const f = ad_fn_create(t, 6, x, 1, &list[k], NULL), *const df = ad_fn_gradient(f);
        double compiled[7];
        ad_var g[6], h[6];
        CHECK_STATUS(ad_fn_eval(df, at, compiled), AD_OK);
        CHECK_NEAR(compiled[0], list[k].v, 0);
        for (i = 0; i < 6; i++) CHECK_NEAR(compiled[1 + i], M[k * 6 + i], 1e-14);
        ad_fn_destroy(f);
        ad_fn_destroy(df);
        CHECK_NEAR(list[k].v, made[k].v, 1e-14);
        CHECK_STATUS(ad_hessian_of(list[k], 6, x, H), AD_OK);
        CHECK_STATUS(ad_hessian_of(made[k], 6, x, K), AD_OK);
        for (i = 0; i < 36; i++) CHECK_NEAR(H[i], K[i], 1e-13);
        CHECK_STATUS(ad_grad_vars(list[k], 6, x, g), AD_OK);
        for (i = 0; i < 6; i++) CHECK_NEAR(g[i].v, M[k * 6 + i], 1e-14);
        CHECK_STATUS(ad_grad_vars(g[2], 6, x, h), g[2].tape ? AD_OK : AD_ERR_ARGUMENT);
        for (i = 0; i < 6; i++) CHECK_NEAR(h[i].v, K[2 * 6 + i], 1e-13);
    }
    {
        static const size_t of[7] = { 0, 1, 2, 3, 4, 5, 7 };
        const ad_dual one[7] = { ad_dual_sum(6, d), ad_dual_dot(3, d, d + 3), ad_dual_norm(6, d),
            ad_dual_logsumexp(6, d), ad_dual_lincomb(4, c, d), ad_dual_polyval(4, c, d[2]),
            ad_dual_logmeanexp(6, d) };
        const ad_dual2 two[7] = { ad_dual2_sum(6, d2), ad_dual2_dot(3, d2, d2 + 3),
            ad_dual2_norm(6, d2), ad_dual2_logsumexp(6, d2), ad_dual2_lincomb(4, c, d2),
            ad_dual2_polyval(4, c, d2[2]), ad_dual2_logmeanexp(6, d2) };
        const double plain[7] = { ad_real_sum(6, v), ad_real_dot(3, v, v + 3), ad_real_norm(6, v),
            ad_real_logsumexp(6, v), ad_real_lincomb(4, c, v), ad_real_polyval(4, c, v[2]),
            ad_real_logmeanexp(6, v) };
        size_t l;
        for (l = 0; l < 7; l++) {
            double want = 0, curve = 0;
            k = of[l];
            CHECK_STATUS(ad_hessian_of(made[k], 6, x, K), AD_OK);
            for (i = 0; i < 6; i++) want += M[k * 6 + i] * dot[i];
            for (i = 0; i < 36; i++) curve += K[i] * dot[i / 6] * dot[i % 6];
            CHECK_NEAR(plain[l], list[k].v, 0);
            CHECK_NEAR(one[l].v, list[k].v, 1e-15);
            CHECK_NEAR(one[l].d, want, 1e-14);
            CHECK_NEAR(two[l].d1, want, 1e-14);
            CHECK_NEAR(two[l].d12, curve, 1e-13);
        }
    }
    for (i = 0; i < 6; i++) {                    /* zero, infinite and huge operands */
        static const double special[6][2] = { { 0, 0 }, { -inf, -inf }, { 1e300, 1e300 },
            { 1e-300, 0 },
                                              { inf, 1 }, { nan_, 1 } };
        ad_var p[2], n, l, e;
        p[0] = ad_input(t, special[i][0]);
        p[1] = ad_input(t, special[i][1]);
        n = ad_var_norm(2, p);
        l = ad_var_logsumexp(2, p);
        e = ad_var_logmeanexp(2, p);
        ad_backward(n);
        if (i == 0) CHECK(n.v == 0 && ad_adjoint(p[0]) == 0);
        if (i == 2) CHECK_NEAR(n.v / 1e300, 1.41421356237309504880, 1e-15);
        if (i == 2) CHECK_NEAR(ad_adjoint(p[1]), 0.70710678118654752440, 1e-15);
        if (i == 3) CHECK(n.v == 1e-300 && ad_adjoint(p[0]) == 1);
        if (i == 4) {
            ad_fn *const f = ad_fn_create(t, 2, p, 1, &n, NULL);
            double y = 0;
            CHECK(n.v == inf && ad_adjoint(p[0]) != ad_adjoint(p[0]) && ad_adjoint(p[1]) == 0);
            CHECK(ad_fn_eval(f, special[i], &y) == AD_OK && y == inf);
            CHECK(ad_real_norm(2, special[i]) == inf);
            ad_fn_destroy(f);
        }
        ad_backward(l);
        if (i == 1) CHECK(l.v == -inf && ad_adjoint(p[0]) == 1);
        if (i == 2) CHECK(l.v == 1e300 && ad_adjoint(p[0]) == 1);
        if (i == 4) CHECK(l.v == inf && ad_adjoint(p[0]) == 1 && ad_adjoint(p[1]) == 0);
        if (i == 5) CHECK(l.v != l.v && n.v != n.v && e.v != e.v);
        ad_backward(e);
        if (i == 0) CHECK(e.v == 0 && ad_adjoint(p[0]) == 0.5);
        if (i == 1) CHECK(e.v == -inf);
        if (i == 2) CHECK(e.v == 1e300 && ad_adjoint(p[1]) == 0.5);
        if (i == 4) CHECK(e.v == inf && ad_adjoint(p[1]) == 0);
    }
    CHECK(ad_var_sum(0, NULL).v == 0 && ad_var_norm(0, NULL).v == 0
        && ad_var_logsumexp(0, NULL).v == -inf);
    CHECK_NEAR(ad_var_logmeanexp(1, x).v, at[0], 0);
    CHECK_STATUS(ad_tape_status(t), AD_OK);
    ad_tape_destroy(t);
}

/* Every word of the table is in one of the two lists of rows.h. */
static void words(void)
{
#define WORD(w) #w
    static const char *const word[] = { ADI_WORDS(WORD) };
#undef WORD
    size_t i;
    for (i = 0; i < sizeof word / sizeof word[0]; i++)
        test_check(row_listed(ROW_ARITHMETIC, word[i]) != row_listed(ROW_MATHEMATICS, word[i]),
            __FILE__, __LINE__, "word %s: is it arithmetic or mathematics? rows.h must say",
            word[i]);
}

/* The rows that are unlike their formulas, all of them: the runner prints 200 failures. */
static void summary(void)
{
    static const char *const what[] = { "values", "partials" };
    int w;
    size_t k;
    for (w = 0; w < 2; w++) {
        int any = 0;
        for (k = 0; k < ROW_COUNT; k++) any += wrong[k][w];
        if (!any) continue;
        fprintf(stderr, "rules with wrong %s:", what[w]);
        for (k = 0; k < ROW_COUNT; k++) if (wrong[k][w]) fprintf(stderr, " %s", rules[k].name);
        fputc('\n', stderr);
    }
}

/* A result that a rewind dropped is no operand, in any place, nor beside a number. */
static void dropped_operands(void)
{
    size_t k;
    int place, with;
    for (k = 0; k < ROW_COUNT; k++) {
        const rule *const r = &rules[k];
        char text[200] = "";
        int tried = 0, taken = 0;
        for (place = 0; place < r->operands; place++)
            for (with = 0; with < 3; with++) {            /* variables, constants, a plain number */
                ad_tape *const t = ad_tape_create(NULL);
                const ad_var x = ad_input(t, 0.5);
                const size_t mark = ad_tape_mark(t);
                const ad_var gone = ad_var_add_r(ad_var_square(x), 0.25);
                ad_var in[3], y;
                int i;
                ad_tape_rewind(t, mark);
                for (i = 0; i < 3; i++) in[i] = i == place ? gone : with ? ad_const(0.75) : x;
                if (with == 2 && r->operands != 2) {
                    ad_tape_destroy(t);
                    continue;
                }
                y = with < 2 ? call_var(r, in)
                    : place == 0 ? r->right(gone, 0.75) : r->left(0.75, gone);
                tried++;
                if (ad_tape_status(t) != AD_ERR_STALE || y.tape || y.v == y.v
                    || !strstr(ad_tape_message(t), r->name)
                    || !strstr(ad_tape_message(t), "rewind")
                    || ad_tape_get_stats(t).slots != 1) {
                    taken++;
                    sprintf(text, "%s, \"%.100s\"", ad_status_name(ad_tape_status(t)),
                        ad_tape_message(t));
                }
                ad_tape_destroy(t);
            }
        test_check(!taken, __FILE__, __LINE__, "%s takes what a rewind dropped, %d of %d ways: %s",
            r->name, taken, tried, text);
    }
}

/* Far out, and next to 0, second derivatives are numbers in every mode, and those of functions that
   become straight lines are 0 there. */
static void tails(void)
{
    static const double points[] = { 1e300, 1e200, 1e155, 1e100, 1e30, 1e8, 1000, 40, 1e-300,
        1e-310, 4.9e-324 };
    static const char *const straight[] = { "gelu", "gelu_tanh", "silu", "sigmoid", "softplus",
        "tanh", "erf", "erfc", "relu", "abs", "atan", "selu", "asinh", "cbrt", "sign", "floor",
        "leaky_relu", "elu" };
    size_t k, e, j;
    for (k = 0; k < ROW_COUNT; k++) {
        const rule *const r = &rules[k];
        const size_t n = (size_t)r->operands;
        int bends = 1, bad = 0;
        double at = 0, saw[5] = { 0, 0, 0, 0, 0 };
        for (j = 0; j < sizeof straight / sizeof straight[0]; j++)
            if (strcmp(straight[j], r->name) == 0) bends = 0;
        if (n > 1 && bends) continue;
        for (e = 0; e < 2 * sizeof points / sizeof points[0]; e++) {
            const double x = e % 2 ? -points[e / 2] : points[e / 2];
            ad_tape *const t = ad_tape_create(NULL);
            double p[3] = { 0, 1, 1 }, unit[3] = { 1, 0, 0 }, H[9], got[5];
            ad_var in[3], y, g, h = ad_const(0);
            ad_dual2 d[3];
            int i;
            p[0] = x;
            for (j = 0; j < n; j++) {
                in[j] = ad_input(t, p[j]);
                d[j] = ad_dual2_make(p[j], j == 0, j == 0, 0);
            }
            y = call_var(r, in);
            CHECK_STATUS(ad_backward(y), AD_OK);
            got[4] = ad_adjoint(in[0]);
            CHECK_STATUS(ad_forward_over_reverse(y, n, in, unit), AD_OK);
            got[0] = ad_adjoint_tangent(in[0]);
            CHECK_STATUS(ad_hessian_of(y, n, in, H), AD_OK);
            got[1] = H[0];
            got[2] = call_second(r, d).d12;
            CHECK_STATUS(ad_grad_vars(y, 1, in, &g), AD_OK);
            if (g.tape) CHECK_STATUS(ad_grad_vars(g, 1, in, &h), AD_OK);
            got[3] = h.v;
            for (i = 0; i < 4 && finite_(y.v) && finite_(got[4]); i++)
                if (bends ? (got[i] != got[i]) != (got[3] != got[3])
                    : !(fabs(got[i]) < 1e-15) && points[e / 2] >= 1e100) {
                    if (!bad++) memcpy(saw, got, sizeof saw);
                    if (bad == 1) at = x;
                }
            ad_tape_destroy(t);
        }
        test_check(!bad, __FILE__, __LINE__, "%s at %g: second derivative %g forward over reverse, "
            "%g ad_hessian_of, %g dual2, %g recorded; %d such", r->name, at, saw[0], saw[1], saw[2],
            saw[3], bad);
    }
}

/* Zero divided by the smallest numbers is zero, in every lane. */
static void quotients_of_zero(void)
{
    static const double y[] = { 1e-310, -1e-310, 4.9e-324, 1e-308, 1e308 };
    size_t k;
    int i;
    for (k = 0; k < sizeof y / sizeof y[0]; k++) {
        const ad_dual one = ad_dual_div(ad_dual_make(0, 0), ad_dual_make(y[k], 0));
        const ad_dual4 four = ad_dual4_div(ad_dual4_num(0), ad_dual4_num(y[k]));
        const ad_dual8 eight = ad_dual8_div(ad_dual8_num(0), ad_dual8_num(y[k]));
        const ad_dual8 inverse = ad_dual8_mul(ad_dual8_num(0), ad_dual8_inv(ad_dual8_num(y[4])));
        const ad_dual2 two = ad_dual2_div(ad_dual2_num(0), ad_dual2_num(y[k]));
        CHECK(one.v == 0 && one.d == 0 && two.v == 0 && two.d12 == 0);
        CHECK(four.v == 0 && eight.v == 0 && inverse.v == 0);
        for (i = 0; i < 8; i++) CHECK(four.d[i & 3] == 0 && eight.d[i] == 0 && inverse.d[i] == 0);
        {
            const ad_dual8 by_y = ad_dual8_div(ad_dual8_num(0), ad_dual8_seed(y[k], 3));
            const ad_dual4 by_both = ad_dual4_div(ad_dual4_seed(0, 0), ad_dual4_seed(y[k], 1));
            CHECK(by_y.v == 0 && by_both.v == 0);
            for (i = 0; i < 8; i++) CHECK(by_y.d[i] == 0);
            CHECK(by_both.d[0] != 0 && by_both.d[1] == 0 && by_both.d[2] == 0);
        }
    }
}

/* ---- variables from outside of a driver are constants in it, whatever rule takes them: the same
   derivatives, to the bit, as with numbers in their places; 0 where nothing else is there, be the
   partial infinite or NaN */
enum { CAPTURES = 8 };                          /* more inputs than results: by rows */
typedef struct capturing { const rule *r; ad_var outside[3]; size_t which; } capturing;

static void captures(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m, void *user)
{
    const capturing *const c = (const capturing *)user;
    const ad_var *const a = c->outside;
    int place, i;
    (void)t;
    (void)n;
    y[0] = call_var(c->r, a);
    y[1] = c->r->operands == 2 ? c->r->right(a[0], 0.75) : a[0];
    y[2] = c->r->operands == 2 ? c->r->left(0.5, a[1]) : a[1];
    for (place = 0; place < c->r->operands; place++) {
        ad_var in[3];
        for (i = 0; i < 3; i++) in[i] = i == place ? x[0] : a[i];
        y[3 + place] = call_var(c->r, in);
    }
    CHECK(m == (size_t)(3 + c->r->operands));
}
static ad_var captures_one(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    ad_var y[6];
    const capturing *const c = (const capturing *)user;
    captures(t, x, n, y, (size_t)(3 + c->r->operands), user);
    return y[c->which];
}
static void captured_operands(const double *point)
{
    size_t k, i, m;
    int numbers;
    for (k = 0; k < ROW_COUNT; k++) {
        const rule *const r = &rules[k];
        double x[CAPTURES], J[2][6 * CAPTURES], column[2][6], Hv[2][6];
        for (i = 0; i < CAPTURES; i++) x[i] = point[0];
        m = (size_t)(3 + r->operands);
        for (numbers = 0; numbers < 2; numbers++) {
            ad_tape *const t = ad_tape_create(NULL);
            capturing c;
            c.r = r;
            for (i = 0; i < 3; i++)
                c.outside[i] = numbers ? ad_const(point[i]) : ad_input(t, point[i]);
            CHECK_STATUS(ad_jacobian(t, captures, &c, x, CAPTURES, m, NULL, J[numbers]), AD_OK);
            CHECK_STATUS(ad_jacobian(t, captures, &c, x, 1, m, NULL, column[numbers]), AD_OK);
            for (c.which = 0; c.which < m; c.which++) {
                const double one = 1;
                CHECK_STATUS(ad_hvp(t, captures_one, &c, x, 1, &one, NULL, NULL,
                                    &Hv[numbers][c.which]), AD_OK);
            }
            CHECK(ad_tape_get_stats(t).slots == (numbers ? 0u : 3u));
            ad_tape_destroy(t);
        }
        for (i = 0; i < m; i++) {
            same(r, point, "captured, by rows", J[0][i * CAPTURES], J[1][i * CAPTURES], 0);
            same(r, point, "captured, by columns", column[0][i], column[1][i], 0);
            same(r, point, "captured, second", Hv[0][i], Hv[1][i], 0);
            if (i < 3) CHECK(J[0][i * CAPTURES] == 0 && column[0][i] == 0 && Hv[0][i] == 0);
        }
    }
}

/* Second derivatives of asin, acos and atanh: next to 0, where they are x and 2 x, to the last
   places, and infinite at 1 in functions that were recorded elsewhere too, as on the tape. */
static void odd_seconds(void)
{
    static const double at[] = { 1e-3, 1e-8, 1e-12, 1e-17, -1e-200 };
    size_t k;
    for (k = 0; k < sizeof at / sizeof *at; k++) {
        const double x = at[k], q = 1 - x * x;
        const ad_dual2 d = ad_dual2_make(x, 1, 1, 0);
        CHECK(fabs(ad_dual2_asin(d).d12 - x * pow(q, -1.5)) <= 1e-15 * fabs(x));
        CHECK(fabs(ad_dual2_acos(d).d12 + x * pow(q, -1.5)) <= 1e-15 * fabs(x));
        CHECK(fabs(ad_dual2_atanh(d).d12 - 2 * x / (q * q)) <= 2e-15 * fabs(x));
    }
    for (k = 0; k < 6; k++) {
        static const char *const text[] = { "asin(x)", "acos(x)", "atanh(x)" };
        const double x = k % 2 ? -1 : 1, sign = k / 2 == 1 ? -x : x;
        double y[3] = { 0, 0, 0 };
        ad_fn *const f = ad_fn_parse(text[k / 2], "x", NULL, 0), *const h = ad_fn_hessian(f);
        CHECK(ad_fn_eval(h, &x, y) == AD_OK);
        CHECK(isinf(y[2]) && y[2] * sign > 0);
        ad_fn_destroy(h);
        ad_fn_destroy(f);
    }
}

/* fmod by y: the whole quotient is that of the numbers, not of a rounded one. */
static void quotients(void)
{
    static const double at[][3] = { { 1, 0.1, 9 }, { 39, 0.65, 59 }, { -1, 0.1, -9 },
        { 5, 3, 1 }, { 6, 3, 2 }, { 0.5, 3, 0 }, { 7, HUGE_VAL, 0 } };
    size_t k;
    for (k = 0; k < sizeof at / sizeof *at; k++) {
        const ad_dual d = ad_dual_fmod(ad_dual_make(at[k][0], 0), ad_dual_make(at[k][1], 1));
        CHECK(d.v == fmod(at[k][0], at[k][1]) && d.d == -at[k][2]);
    }
}

TEST_DEF void suite_rules(void)
{
    static const double inside[3] = { 0.5, 0.25, 0.75 }, edge[3] = { 0, 0, 0 };
    size_t k, count;
    const ad_rule *text = ad_rules(&count);
    int i;
    for (k = 0; k < ROW_COUNT; k++) {
        const rule *const r = &rules[k];
        const row_facts *const known = row_of(r->name);
        CHECK_STRING(text[k].name, r->name);
        CHECK(text[k].operands == r->operands);
        CHECK_STRING(text[k].value, row_texts[k].value);
        for (i = 0; i < r->operands; i++)
            CHECK_STRING(text[k].partial[i], row_texts[k].partial[i]);
        if (test_check(known && known->operands == r->operands, __FILE__, __LINE__,
            "rule %s has no reference in rows.h", r->name)) expect_row(r, known);
        specials(r);
        test_check(compared[k][VALUE] >= ROW_SMOOTH
            && compared[k][PARTIAL] >= ROW_SMOOTH * r->operands, __FILE__, __LINE__,
            "rule %s: only %d values and %d partials compared", r->name, compared[k][VALUE],
            compared[k][PARTIAL]);
    }
    for (CHECK(count > k); k < count; k++)
        test_check(text[k].operands == 0 && row_listed(LISTS, text[k].name), __FILE__, __LINE__,
            "list %s has no test here", text[k].name);
    words();
    powers();
    sincs();
    polygammas();
    conventions();
    lists();
    dropped_operands();
    captured_operands(inside);
    captured_operands(edge);
    tails();
    quotients_of_zero();
    odd_seconds();
    quotients();
    summary();
}
