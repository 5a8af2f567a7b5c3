/* Implicit functions: solutions and minima against closed forms, and against the same equations
   solved by an iteration that is recorded step by step; derivatives to the third order, in all ways
   that a compiled function has; solvers of the user's; errors, lifetimes. The file includes itself,
   once for each real type.
   Section: Implicit Functions. */
#ifndef R
#include <math.h>
#include <stdlib.h>
#include "heap.h"
#include "leaks.h"
#include "test.h"

TEST_DEF void suite_root(void);

#define R double
#define A(name) ad_##name
#define T(name) d_##name
#include "test_root.c"
#undef R
#undef A
#undef T
#define R float
#define A(name) adf_##name
#define T(name) f_##name
#include "test_root.c"

/* An implicit function has functions of its own, which go with it. */
static void here_and_gone(void)
{
    static const double x[2] = { 10, 3 };
    ad_fn *const f = d_circle(NULL, NULL), *const g = ad_fn_jacobian(f);
    double y[2 + 4];
    CHECK(ad_fn_eval(f, x, y) == AD_OK && ad_fn_eval(g, x, y) == AD_OK);
    ad_fn_destroy(g);
    ad_fn_destroy(f);
}

/* An operation that cannot be derived is said to be that, not a want of memory. */
static ad_status parabola(void *user, size_t n, const double *x, size_t m, double *y)
{
    (void)user; (void)n; (void)m;
    y[0] = x[0] * x[0] - x[1];
    return AD_OK;
}
static void test_underivable(void)
{
    ad_tape *const t = ad_tape_create(NULL);
    ad_fn *f[4];
    ad_op op;
    ad_var x[2], y;
    int i;
    memset(&op, 0, sizeof op);
    op.name = "parabola";
    op.value = parabola;
    x[0] = ad_input(t, 1);
    x[1] = ad_input(t, 1);
    CHECK_STATUS(ad_var_call(t, &op, NULL, 2, x, 1, &y), AD_OK);
    f[0] = ad_fn_create(t, 2, x, 1, &y, NULL);
    f[1] = ad_fn_jacobian(f[0]);
    f[2] = ad_fn_root(f[0], 1, NULL, NULL, NULL);
    f[3] = ad_fn_argmin(f[0], 1, NULL, NULL, NULL);
    CHECK_STATUS(ad_fn_status(f[0]), AD_OK);
    for (i = 1; i < 4; i++) {
        CHECK_STATUS(ad_fn_status(f[i]), AD_ERR_UNSUPPORTED);
        CHECK_STRING(ad_fn_message(f[i]), "parabola: no record callback");
    }
    for (i = 0; i < 4; i++) ad_fn_destroy(f[i]);
    ad_tape_destroy(t);
}

TEST_DEF void suite_root(void)
{
    d_all();
    f_all();
    CHECK(leaks_none(here_and_gone));
    test_underivable();
}
#else

#ifndef K
#define K(c) ((R)(c))
#endif

/* x^2 + y^2 = a, x y = b: x, y = (sqrt(a + 2b) +- sqrt(a - 2b))/2 */
static A(fn) *T(circle)(A(fn_solver) solve, void *user)
{
    static const R start[2] = { 3, 1 };
    A(fn) *const F = A(fn_parse)("x^2 + y^2 - a; x*y - b", "x, y, a, b", NULL, 0);
    A(fn) *const f = A(fn_root)(F, 2, start, solve, user);
    A(fn_destroy)(F);                                  /* it was copied */
    return f;
}
static A(fn) *T(circle_closed)(void)
{
    return A(fn_parse)("(sqrt(a + 2*b) + sqrt(a - 2*b))/2; (sqrt(a + 2*b) - sqrt(a - 2*b))/2",
                       "a, b", NULL, 0);
}

/* Two functions of the same inputs have the same outputs; both go. */
static void T(same)(int line, A(fn) *f, A(fn) *g, const R *x, double unit)
{
    const ad_fn_stats a = A(fn_get_stats)(f), b = A(fn_get_stats)(g);
    R *const y = (R *)calloc(a.outputs + 1, sizeof *y), *const z = (R *)calloc(b.outputs + 1,
        sizeof *z);
    size_t i;
    int ok = y && z && a.outputs == b.outputs && a.inputs == b.inputs && a.outputs > 0
        && A(fn_eval)(f, x, y) == AD_OK && A(fn_eval)(g, x, z) == AD_OK;
    for (i = 0; ok && i < a.outputs; i++)
        if (!(fabs((double)y[i] - (double)z[i]) <= unit * (1 + fabs((double)z[i])))) {
            test_check(0, __FILE__, line, "output %zu of %zu: %.12g, not %.12g", i, a.outputs,
                       (double)y[i], (double)z[i]);
            ok = 0;
        }
    test_check(ok, __FILE__, line, "%s %s", A(fn_message)(f), A(fn_message)(g));
    free(y);
    free(z);
    A(fn_destroy)(f);
    A(fn_destroy)(g);
}
/* s = sin(x) y of a function's two results. */
static A(fn) *T(combined)(const A(fn) *f)
{
    A(tape) *const t = A(tape_create)(NULL);
    const R v[2] = { 5, 2 };
    A(var) p[2], x[2], s;
    A(fn) *r;
    A(inputs)(t, 2, v, p);
    A(fn_call)(f, t, 2, p, 2, x);
    s = A(var_mul)(A(var_sin)(x[0]), x[1]);
    r = A(fn_create)(t, 2, p, 1, &s, NULL);
    A(tape_destroy)(t);
    return r;
}
static void T(closed)(void)
{
    static const R at[6] = { K(5.25), K(1.5), K(0.5), K(-2), 1, 3 };
    const double unit = sizeof(R) == 4 ? 3e-5 : 1e-12;
    A(fn) *const f = T(circle)(NULL, NULL), *const g = T(circle_closed)();
    A(fn) *const s = T(combined)(f), *const c = T(combined)(g);
    A(fn) *a, *b;
    CHECK_STATUS(A(fn_status)(f), AD_OK);
    CHECK(strcmp(A(fn_input_name)(f, 1), "b") == 0 && strcmp(A(fn_output_name)(f, 1), "y") == 0);
    T(same)(__LINE__, A(fn_jacobian)(f), A(fn_jacobian)(g), at, unit);
    T(same)(__LINE__, A(fn_jvp)(f), A(fn_jvp)(g), at, unit);
    T(same)(__LINE__, A(fn_vjp)(f), A(fn_vjp)(g), at, unit);
    T(same)(__LINE__, A(fn_gradient)(s), A(fn_gradient)(c), at, unit);
    T(same)(__LINE__, A(fn_hessian)(s), A(fn_hessian)(c), at, 4 * unit);
    a = A(fn_hessian)(s);                              /* third derivatives */
    b = A(fn_hessian)(c);
    T(same)(__LINE__, A(fn_jacobian)(a), A(fn_jacobian)(b), at, 30 * unit);
    A(fn_destroy)(a);
    A(fn_destroy)(b);
    T(same)(__LINE__, s, c, at, unit);
    A(fn_destroy)(f);
    A(fn_destroy)(g);
}

/* The sweeps of a tape on which it stands: the closed form, then itself called, and recorded. */
static void T(sweeps)(void)
{
    const double unit = sizeof(R) == 4 ? 3e-5 : 1e-12;
    static const R v[2] = { 5, 2 }, along[2] = { 1, K(-0.5) };
    R H[3][4], g[3][2], Hv[3][2], d[3];
    size_t i, which;
    for (which = 0; which < 3; which++) {
        A(fn) *const f = which ? T(circle)(NULL, NULL) : T(circle_closed)();
        A(tape) *const t = A(tape_create)(NULL);
        A(var) p[2], x[2], s, own[2];
        A(inputs)(t, 2, v, p);
        CHECK_STATUS(which < 2 ? A(fn_call)(f, t, 2, p, 2, x) : A(fn_record)(f, t, p, x), AD_OK);
        s = A(var_mul)(A(var_sin)(x[0]), x[1]);
        CHECK_STATUS(A(forward)(t, 2, p, along), AD_OK);
        d[which] = A(tangent)(s);
        CHECK_STATUS(A(hessian_of)(s, 2, p, H[which]), AD_OK);
        CHECK_STATUS(A(forward_over_reverse)(s, 2, p, along), AD_OK);
        for (i = 0; i < 2; i++) Hv[which][i] = A(adjoint_tangent)(p[i]);
        CHECK_STATUS(A(grad_vars)(s, 2, p, own), AD_OK);
        CHECK_STATUS(A(backward)(own[0]), AD_OK);
        CHECK_NEAR(A(adjoint)(p[1]), H[which][1], unit);
        CHECK_STATUS(A(backward)(s), AD_OK);
        for (i = 0; i < 2; i++) g[which][i] = A(adjoint)(p[i]);
        for (i = 0; i < 2; i++) CHECK_NEAR(own[i].v, g[which][i], unit);
        A(tape_destroy)(t);
        A(fn_destroy)(f);
    }
    for (which = 1; which < 3; which++) {
        for (i = 0; i < 2; i++) {
            CHECK_NEAR(g[which][i], g[0][i], unit);
            CHECK_NEAR(Hv[which][i], Hv[0][i], unit);
        }
        for (i = 0; i < 4; i++) CHECK_NEAR(H[which][i], H[0][i], unit);
        CHECK_NEAR(d[which], d[0], unit);
    }
}

/* x = c(x, p), a contraction, against eighty rounds of x <- c(x, p) that are all recorded. */
static const char *const T(contraction) =
    "0.3*sin(y*p) + q; 0.2*cos(x)*r + 0.1*z*p; 0.25*tanh(x + y*q) - r";
static void T(iterated)(void)
{
    const double unit = sizeof(R) == 4 ? 3e-5 : 1e-12;
    static const R at[8] = { K(0.7), K(0.2), K(-0.4), 1, -1, K(0.5), K(0.3), 2 };
    A(fn) *const c = A(fn_parse)(T(contraction), "x, y, z, p, q, r", NULL, 0);
    A(fn) *const F = A(fn_parse)("x - (0.3*sin(y*p) + q); y - (0.2*cos(x)*r + 0.1*z*p);"
                                 "z - (0.25*tanh(x + y*q) - r)", "x, y, z, p, q, r", NULL, 0);
    A(fn) *const f = A(fn_root)(F, 3, NULL, NULL, NULL);
    A(tape) *const t = A(tape_create)(NULL);
    A(var) in[6], out[3];
    A(fn) *g;
    int i;
    A(inputs)(t, 3, at, in + 3);
    for (i = 0; i < 3; i++) in[i] = A(const)(0);
    for (i = 0; i < 80; i++) {
        CHECK_STATUS(A(fn_record)(c, t, in, out), AD_OK);
        memcpy(in, out, sizeof out);
    }
    g = A(fn_create)(t, 3, in + 3, 3, in, NULL);
    T(same)(__LINE__, A(fn_jacobian)(f), A(fn_jacobian)(g), at, unit);
    T(same)(__LINE__, A(fn_vjp)(f), A(fn_vjp)(g), at, unit);
    {
        A(fn) *const a = A(fn_vjp)(f), *const b = A(fn_vjp)(g);
        T(same)(__LINE__, A(fn_jacobian)(a), A(fn_jacobian)(b), at, 10 * unit);
        A(fn_destroy)(a);
        A(fn_destroy)(b);
    }
    T(same)(__LINE__, f, g, at, unit);
    A(tape_destroy)(t);
    A(fn_destroy)(c);
    A(fn_destroy)(F);
}

/* ---- minima: f = exp(x) - a x has x = log a; the mean of two numbers weighted */
static void T(minima)(void)
{
    const double unit = sizeof(R) == 4 ? 3e-5 : 1e-12;
    static const R at[5] = { K(2.5), K(0.5), K(0.25), 1, 1 };
    R y[3];
    A(fn) *const e = A(fn_parse)("exp(x) - a*x + b*(y - x)^2 + c*y", "x, y, a, b, c", NULL, 0);
    /* d/dy: y = x - c/(2b); d/dx: exp(x) = a + 2b(y - x) = a - c */
    A(fn) *const closed = A(fn_parse)("log(a - c); log(a - c) - c/(2*b)", "a, b, c", NULL, 0);
    A(fn) *const f = A(fn_argmin)(e, 2, NULL, NULL, NULL);
    A(fn) *const hill = A(fn_parse)("a*x - x^2", "x, a", NULL, 0);
    A(fn) *const top = A(fn_argmin)(hill, 1, NULL, NULL, NULL);
    A(fn) *a, *b;
    CHECK_STATUS(A(fn_status)(f), AD_OK);
    a = A(fn_jacobian)(f);
    b = A(fn_jacobian)(closed);
    T(same)(__LINE__, A(fn_jacobian)(a), A(fn_jacobian)(b), at, 10 * unit);
    T(same)(__LINE__, a, b, at, unit);
    CHECK_STATUS(A(fn_eval)(top, at, y), AD_ERR_USER);         /* it has none, but a maximum */
    CHECK(y[0] != y[0]);
    A(fn_destroy)(top);
    A(fn_destroy)(hill);
    A(fn_destroy)(e);
    T(same)(__LINE__, f, closed, at, unit);
}

/* ---- solvers of the user's */
typedef struct T(solving) { int calls; ad_status status; R start[2]; } T(solving);
static ad_status T(solve)(void *user, size_t k, const R *p, size_t n, R *x)
{
    T(solving) *const s = (T(solving) *)user;
    const double a = sqrt((double)p[0] + 2 * (double)p[1]);
    const double b = sqrt((double)p[0] - 2 * (double)p[1]);
    CHECK(k == 2 && n == 2);
    s->calls++;
    memcpy(s->start, x, sizeof s->start);
    x[0] = (R)((a + b) / 2);
    x[1] = (R)((a - b) / 2);
    return s->status;
}
static void T(solvers)(void)
{
    const double unit = sizeof(R) == 4 ? 3e-5 : 1e-12;
    static const R at[4] = { 5, 2, 1, 1 };
    T(solving) s = { 0, AD_OK, { 0, 0 } };
    A(fn) *const f = T(circle)(T(solve), &s), *const J = A(fn_jacobian)(f);
    A(tape) *const t = A(tape_create)(NULL);
    A(var) p[2], x[2];
    R y[6];
    CHECK(s.calls == 0);                               /* making functions does not solve */
    CHECK_STATUS(A(fn_eval)(f, at, y), AD_OK);
    CHECK(s.calls == 1 && s.start[0] == 3 && s.start[1] == 1);
    CHECK_STATUS(A(fn_eval)(J, at, y), AD_OK);
    CHECK(s.calls == 2);                               /* once, not for each row */
    A(inputs)(t, 2, at, p);
    CHECK_STATUS(A(fn_call)(f, t, 2, p, 2, x), AD_OK);
    CHECK_STATUS(A(backward)(x[1]), AD_OK);
    CHECK_NEAR(A(adjoint)(p[0]), (double)y[4], unit);
    s.status = AD_ERR_LIMIT;
    CHECK_STATUS(A(fn_eval)(f, at, y), AD_ERR_USER);
    CHECK(y[0] != y[0]);
    CHECK_STATUS(A(fn_call)(f, t, 2, p, 2, x), AD_ERR_USER);
    A(tape_destroy)(t);
    A(fn_destroy)(J);
    A(fn_destroy)(f);
}

static void T(errors)(void)
{
    A(fn) *const F = A(fn_parse)("x^2 + a; x", "x, a", NULL, 0);
    A(fn) *const none = A(fn_parse)("x^2 + a", "x, a", NULL, 0);
    A(fn) *const flat = A(fn_parse)("0*x + a", "x, a", NULL, 0);
    A(fn) *f = A(fn_root)(F, 1, NULL, NULL, NULL);
    const R p[1] = { 1 };
    R x[1], J[2];
    CHECK_STATUS(A(fn_status)(f), AD_ERR_SHAPE);
    CHECK(strstr(A(fn_message)(f), "ad_fn_root: 1 unknowns") != NULL);
    A(fn_destroy)(f);
    f = A(fn_argmin)(F, 1, NULL, NULL, NULL);
    CHECK_STATUS(A(fn_status)(f), AD_ERR_SHAPE);
    A(fn_destroy)(f);
    {   /* what has no parameter would be a number, and is found elsewhere */
        A(fn) *const alone = A(fn_parse)("x^2 - 2", "x", NULL, 0);
        f = A(fn_root)(alone, 1, NULL, NULL, NULL);
        CHECK_STATUS(A(fn_status)(f), AD_ERR_SHAPE);
        CHECK(strstr(A(fn_message)(f), "parameter") != NULL);
        A(fn_destroy)(f);
        f = A(fn_argmin)(alone, 1, NULL, NULL, NULL);
        CHECK_STATUS(A(fn_status)(f), AD_ERR_SHAPE);
        CHECK(strstr(A(fn_message)(f), "parameter") != NULL);
        A(fn_destroy)(f);
        A(fn_destroy)(alone);
    }
    f = A(fn_root)(NULL, 1, NULL, NULL, NULL);
    CHECK(A(fn_status)(f) != AD_OK);
    A(fn_destroy)(f);
    {   /* what F's rounding leaves: a root near 0, where no step shrinks F; Hilbert's matrix */
        static const char *const near0[] = { "3*(exp(x)-a)+sin(x)", "(x+1)^3+(x+1)-2*a",
            "3*(x+7)+sin(x+7)-3*(7*a)-sin(7*a)" };
        A(fn) *const g = A(fn_parse)("a+b/2+c/3+d/4-p; a/2+b/3+c/4+d/5-q; a/3+b/4+c/5+d/6-r; "
            "a/4+b/5+c/6+d/7-s", "a,b,c,d,p,q,r,s", NULL, 0);
        const double eps = sizeof(R) == sizeof(float) ? ldexp(1, -23) : ldexp(1, -52);
        const R start[4] = { (R)0.5, 0, 0, 0 }, right[4] = { 1, (R)0.5, (R)0.2, (R)0.3 };
        R y[4], inverse[20];
        A(fn) *d;
        size_t i, j;
        int k;
        for (i = 0; i < 3; i++) {
            A(fn) *const one = A(fn_parse)(near0[i], "x, a", NULL, 0);
            f = A(fn_root)(one, 1, start, NULL, NULL);
            for (k = -50; k <= 50; k++) {
                const R a = (R)(1 + k * eps / 2);
                CHECK_STATUS(A(fn_eval)(f, &a, x), AD_OK);
                CHECK(fabs((double)x[0]) <= 400 * eps);
            }
            A(fn_destroy)(f);
            A(fn_destroy)(one);
        }
        f = A(fn_root)(g, 4, start, NULL, NULL);
        d = A(fn_jacobian)(f);
        CHECK_STATUS(A(fn_eval)(f, right, y), AD_OK);
        for (i = 0; i < 4; i++) {
            double sum = 0;
            for (j = 0; j < 4; j++) sum += (double)y[j] / (double)(i + j + 1);
            CHECK(fabs(sum - (double)right[i]) <= 1e5 * eps);
        }
        CHECK_STATUS(A(fn_eval)(d, right, inverse), AD_OK);    /* x, then 16, -120, 240, -140 */
        CHECK(fabs((double)inverse[4] / 16 - 1) <= 2e4 * eps
            && fabs((double)inverse[5] / -120 - 1) <= 2e4 * eps);
        A(fn_destroy)(d);
        A(fn_destroy)(f);
        A(fn_destroy)(g);
    }
    {   /* F's terms cancel in F_x too: no step lessens what their rounding leaves */
        static const char *const cancels[] = { "x^3-3*x^2+3*x-1-a", "exp(x)-1-x-a",
            "1e6+x-1e6-a" };
        const double eps = sizeof(R) == sizeof(float) ? ldexp(1, -23) : ldexp(1, -52);
        const R start[1] = { 2 };
        size_t i;
        int k;
        for (i = 0; i < (sizeof(R) == sizeof(float) ? 2 : 3); i++) {
            A(fn) *const one = A(fn_parse)(cancels[i], "x, a", NULL, 0);
            f = A(fn_root)(one, 1, start, NULL, NULL);
            for (k = 0; k < 100; k++) {
                const R a = (R)((i < 2 ? pow(eps, i ? 0.45 : 0.375) : 0.1) * (1 + 0.01 * k));
                const double want = i == 0 ? 1 + cbrt((double)a)
                    : i == 1 ? sqrt(2 * (double)a) : (double)a;
                CHECK_STATUS(A(fn_eval)(f, &a, x), AD_OK);
                CHECK(fabs((double)x[0] - want) <= (i == 1 ? (double)a / 2 : 0)
                    + 4 * sqrt(eps) * want);
            }
            A(fn_destroy)(f);
            A(fn_destroy)(one);
        }
        f = A(fn_root)(none, 1, start, NULL, NULL);    /* and where there is none, it stays so */
        for (k = 0; k < 20; k++) {
            const R a = (R)ldexp(1, -k);
            CHECK_STATUS(A(fn_eval)(f, &a, x), AD_ERR_USER);
        }
        A(fn_destroy)(f);
    }
    f = A(fn_root)(none, 1, NULL, NULL, NULL);         /* x^2 = -1 */
    CHECK_STATUS(A(fn_eval)(f, p, x), AD_ERR_USER);
    CHECK(x[0] != x[0]);
    A(fn_destroy)(f);
    {   /* a step that is far too long, and one that is infinite */
        A(fn) *const g = A(fn_parse)("x^2 - a", "x, a", NULL, 0);
        const R one = 1, tiny = sizeof(R) == sizeof(float) ? (R)1e-30 : (R)1e-300;
        const R far[1] = { 1 / tiny };
        f = A(fn_root)(g, 1, &one, NULL, NULL);
        CHECK_STATUS(A(fn_eval)(f, far, x), AD_OK);
        CHECK(fabs((double)x[0] * (double)x[0] * (double)tiny - 1) < 1e-5);
        A(fn_destroy)(f);
        f = A(fn_root)(g, 1, &tiny, NULL, NULL);
        CHECK_STATUS(A(fn_eval)(f, far, x), AD_ERR_USER);
        CHECK(x[0] != x[0]);
        A(fn_destroy)(f);
        A(fn_destroy)(g);
    }
    {   /* an infinite slope where it begins, alone and beside others; at the solution it may be */
        static const char *const steep[] = { "sqrt(x) - a", "cbrt(x) - a", "asin(x + 1) - a",
            "x*sqrt(x) - a*x" };
        const R start[1] = { 0 }, half[1] = { (R)0.5 }, zero[1] = { 0 };
        size_t i;
        for (i = 0; i < 4; i++) {
            A(fn) *const g = A(fn_parse)(steep[i], "x, a", NULL, 0);
            f = i < 3 ? A(fn_root)(g, 1, start, NULL, NULL) : A(fn_argmin)(g, 1, start, NULL, NULL);
            CHECK_STATUS(A(fn_eval)(f, half, x), AD_ERR_USER);
            CHECK(x[0] != x[0]);
            if (i < 2) CHECK(A(fn_eval)(f, zero, x) == AD_OK && x[0] == 0);
            A(fn_destroy)(f);
            A(fn_destroy)(g);
        }
    }
    f = A(fn_root)(flat, 1, NULL, NULL, NULL);         /* a singular matrix */
    CHECK_STATUS(A(fn_eval)(f, p, x), AD_ERR_USER);
    A(fn_destroy)(f);
    f = A(fn_root)(none, 1, NULL, NULL, NULL);         /* x^2 + 0 = 0: found, without derivative */
    {
        A(fn) *const slope = A(fn_jacobian)(f);
        const R zero[1] = { 0 };
        const R start[1] = { 0 };
        A(fn) *const at = A(fn_root)(none, 1, start, NULL, NULL), *const d = A(fn_jacobian)(at);
        CHECK_STATUS(A(fn_eval)(at, zero, x), AD_OK);
        CHECK(x[0] == 0);
        CHECK_STATUS(A(fn_eval)(d, zero, J), AD_ERR_USER);
        A(fn_destroy)(d);
        A(fn_destroy)(at);
        A(fn_destroy)(slope);
    }
    A(fn_destroy)(f);
    A(fn_destroy)(F);
    A(fn_destroy)(none);
    A(fn_destroy)(flat);
}

/* A map, and no equations at all. */
static void T(rest)(void)
{
    const double unit = sizeof(R) == 4 ? 3e-5 : 1e-12;
    A(fn) *const f = T(circle)(NULL, NULL), *const none = A(fn_parse)("a", "a", NULL, 0);
    A(fn) *const nothing = A(fn_root)(none, 0, NULL, NULL, NULL);
    R a[50], b[50], x[50], y[50];
    A(port) in[2], out[2];
    int i;
    for (i = 0; i < 50; i++) {
        a[i] = (R)(5 + 0.1 * i);
        b[i] = (R)(2 - 0.02 * i);
    }
    in[0] = A(port_of)(a, 1, NULL);
    in[1] = A(port_of)(b, 1, NULL);
    out[0] = A(port_of)(x, 1, NULL);
    out[1] = A(port_of)(y, 1, NULL);
    CHECK_STATUS(A(fn_map)(f, 50, in, out, NULL), AD_OK);
    for (i = 0; i < 50; i++) {
        CHECK_NEAR(x[i] * x[i] + y[i] * y[i], a[i], unit);
        CHECK_NEAR(x[i] * y[i], b[i], unit);
    }
    CHECK(A(fn_status)(nothing) == AD_ERR_SHAPE);      /* one output, no unknown */
    A(fn_destroy)(nothing);
    A(fn_destroy)(none);
    A(fn_destroy)(f);
}

/* Maps: a point without a root is NaN, and said; the others, and sums of theirs, are not lost. */
static void T(points_without)(void)
{
    static const uint32_t place[5] = { 0, 0, 1, 2, 2 };
    const R one = 1, p[5] = { 1, 4, -1, 9, 16 };
    A(fn) *const F = A(fn_parse)("x^2 - p", "x, p", NULL, 0);
    A(fn) *const f = A(fn_root)(F, 1, &one, NULL, NULL);
    ad_map_report report;
    ad_map_desc d;
    size_t points;
    int way;
    memset(&d, 0, sizeof d);
    d.report = &report;
    for (points = 0; points <= 5; points++)
        for (way = 0; way < 4; way++) {              /* each, added, summed; all share p = -1 */
            const int lone = way == 3;
            const size_t bad = lone ? points : points > 2;
            R y[5] = { 100, 200, 300, 0, 0 }, want[5] = { 100, 200, 300, 0, 0 };
            const A(port) in = A(port_in)(lone ? p + 2 : p, !lone);
            const A(port) out = way == 0 ? A(port_out)(y, 1) : way == 1 ? A(port_add)(y, 1, place)
                              : A(port_sum)(y);
            size_t i;
            if (way > 1) want[0] = 0;
            for (i = 0; i < points; i++) {
                const R root = i == 2 || lone ? (R)(double)NAN : (R)(i < 2 ? i + 1 : i);
                if (way == 0) want[i] = root;
                else want[way == 1 ? place[i] : 0] += root;
            }
            CHECK_STATUS(A(fn_map)(f, points, &in, &out, &d), bad ? AD_ERR_USER : AD_OK);
            CHECK(report.points == bad && report.first == (bad && !lone ? 2u : 0u)
                && (report.message[0] != 0) == (bad != 0));
            for (i = 0; i < 5; i++)
                CHECK(y[i] == want[i] || (y[i] != y[i] && want[i] != want[i]));
        }
    A(fn_destroy)(f);
    A(fn_destroy)(F);
}

/* Rows and unknowns in units of their own, x + y/S = p and S x - 2 y = -S q: the derivatives are
   those of S = 1, in these units. A matrix that is singular but for rounding is told, whatever they
   are. */
static void T(units)(void)
{
    int k, i, way;
    for (k = 0; k <= (sizeof(R) == 8 ? 24 : 14); k += 2)
        for (i = 0; i < 8; i++) {
            const double S = pow(10, k), p_dot = cos(i), q_dot = sin(3 * i);
            const double eps = sizeof(R) == 8 ? 1e-14 : 1e-5;
            R in[6], out[8];
            A(tape) *const t = A(tape_create)(NULL);
            A(var) v[4], F[2];
            A(fn) *f, *root, *derived[2];
            for (way = 0; way < 4; way++) v[way] = A(input)(t, 1);
            F[0] = A(var_sub)(A(var_add)(v[0], A(var_mul_r)(v[1], (R)(1 / S))), v[2]);
            F[1] = A(var_add)(A(var_sub)(A(var_mul_r)(v[0], (R)S), A(var_mul_r)(v[1], 2)),
                              A(var_mul_r)(v[3], (R)S));
            f = A(fn_create)(t, 4, v, 2, F, NULL);
            root = A(fn_root)(f, 2, NULL, NULL, NULL);
            derived[0] = A(fn_jvp)(root);
            derived[1] = A(fn_vjp)(root);
            in[0] = (R)sin(i);
            in[1] = (R)cos(5 * i);
            in[2] = (R)p_dot;                    /* as adjoints: x_bar, y_bar S */
            in[3] = (R)q_dot;
            CHECK_STATUS(A(fn_eval)(derived[0], in, out), AD_OK);
            CHECK_NEAR(out[2], (2 * p_dot - q_dot) / 3, 100 * eps);
            CHECK_NEAR((double)out[3] / S, (p_dot + q_dot) / 3, 100 * eps);
            in[3] = (R)(q_dot / S);
            CHECK_STATUS(A(fn_eval)(derived[1], in, out), AD_OK);
            CHECK_NEAR(out[2], (2 * p_dot + q_dot) / 3, 100 * eps);
            CHECK_NEAR(out[3], (q_dot - p_dot) / 3, 100 * eps);
            for (way = 0; way < 2; way++) A(fn_destroy)(derived[way]);
            A(fn_destroy)(root);
            A(fn_destroy)(f);
            A(tape_destroy)(t);
        }
    for (k = 0; k <= 8; k += 4) {
        char text[200];
        const R at[4] = { 0, 0, K(0.7), K(0.3) };
        R out[8];
        A(fn) *f, *root, *jvp;
        snprintf(text, sizeof text, "0.1*x + 0.3*y - p; %g*(0.2*x + 0.6*y) - q", pow(10, k));
        f = A(fn_parse)(text, "x, y, p, q", NULL, 0);
        root = A(fn_root)(f, 2, NULL, NULL, NULL);
        jvp = A(fn_jvp)(root);
        CHECK_STATUS(A(fn_eval)(jvp, at, out), AD_ERR_USER);
        A(fn_destroy)(jvp);
        A(fn_destroy)(root);
        A(fn_destroy)(f);
    }
}

/* Equations that have nothing in common but units of their own: what rounding leaves of one is more
   than the other is in all. As minima too. An x of 0 has the unit of its steps; what constants
   within F leave there, 0.1 + 0.2 - 0.3, is no reason to go on for ever. */
static void T(apart)(void)
{
    const int most = sizeof(R) == 8 ? 14 : 7;
    const double eps = sizeof(R) == 8 ? 1e-14 : 1e-6;
    const R zero = 0, at = 1;
    R x;
    int k, j, way;
    A(fn) *f, *root;
    for (k = -most; k <= most; k++)
        for (j = -most; j <= most; j += 3)
            for (way = 0; way < 2; way++) {
                const double size = 1.2345678 * pow(10, k), unit = pow(10, j);
                const double right[2] = { size * sqrt(2.7), unit * log(7) };
                const R p[2] = { (R)(2.7 * size * size), 7 }, start[2] = { (R)(1.5 * size), 0 };
                R y[2];
                char text[200];
                snprintf(text, sizeof text, way ? "a^3/3 - p*a + %.17g*exp(b/%.17g) - q*b"
                    : "a*a - p; exp(b/%.17g) - q", unit, unit);
                f = A(fn_parse)(text, "a, b, p, q", NULL, 0);
                root = (way ? A(fn_argmin) : A(fn_root))(f, 2, start, NULL, NULL);
                CHECK_STATUS(A(fn_eval)(root, p, y), AD_OK);
                CHECK_NEAR(y[0], right[0], eps * right[0]);
                CHECK_NEAR(y[1], right[1], eps * right[1]);
                A(fn_destroy)(root);
                A(fn_destroy)(f);
            }
    for (k = 0; k < 3; k++)                      /* no root, whatever unit the other unknown has */
        for (j = -most; j <= most; j++) {
            static const char *const none[] = { "x^2 + 1 + (y*%g - 1); y*%g - p",
                "x^2 + 0.01*y*%g; y*%g - p", "x; abs(y*%g) + 0.001 - p + 0*y*%g" };
            char text[200];
            R y[2];
            snprintf(text, sizeof text, none[k], pow(10, j), pow(10, j));
            f = A(fn_parse)(text, "x, y, p", NULL, 0);
            root = A(fn_root)(f, 2, NULL, NULL, NULL);
            CHECK_STATUS(A(fn_eval)(root, k == 2 ? &zero : &at, y), AD_ERR_USER);
            A(fn_destroy)(root);
            A(fn_destroy)(f);
        }
    for (j = -most; j <= most; j++) {            /* a root of 0 by terms of about 1 */
        const double unit = pow(10, j);
        const R start = (R)(0.2 * unit);
        char text[200];
        snprintf(text, sizeof text, "exp(x/%.17g) - 1 - 0.5*x/%.17g - p", unit, unit);
        f = A(fn_parse)(text, "x, p", NULL, 0);
        root = A(fn_root)(f, 1, &start, NULL, NULL);
        CHECK_STATUS(A(fn_eval)(root, &zero, &x), AD_OK);
        CHECK(fabs((double)x) <= eps * unit);
        A(fn_destroy)(root);
        A(fn_destroy)(f);
    }
    f = A(fn_parse)("exp(x) - p + (0.1 + 0.2 - 0.3)", "x, p", NULL, 0);
    root = A(fn_root)(f, 1, &zero, NULL, NULL);
    CHECK_STATUS(A(fn_eval)(root, &at, &x), AD_OK);
    CHECK(fabs((double)x) < eps);
    A(fn_destroy)(root);
    A(fn_destroy)(f);
}

/* Memory that ends at each allocation: a status, nothing lost, or the right numbers. */
static void T(memory)(void)
{
    static const R at[4] = { K(10), K(3), K(1), K(0.5) };
    static const R start[2] = { 3, 1 };
    R right[16], r[16];
    size_t k, calls = 0, i;
    for (k = 0; k == 0 || k <= calls; k += 1 + k / 24 * (size_t)test_stride()) {
        heap h;
        ad_fn_desc desc;
        A(fn) *F, *f, *g, *hh;
        ad_status s;
        memset(&h, 0, sizeof h);
        memset(&desc, 0, sizeof desc);
        h.fail_at = k;
        desc.resize = heap_resize;
        desc.resize_user = &h;
        F = A(fn_parse_desc)("x^2 + y^2 - a; x*y - b", "x, y, a, b", &desc, NULL, 0);
        f = A(fn_root)(F, 2, start, NULL, NULL);
        g = A(fn_vjp)(f);
        hh = A(fn_jacobian)(g);
        s = A(fn_status)(hh) == AD_OK ? A(fn_eval)(hh, at, k ? r : right) : A(fn_status)(hh);
        if (k == 0) calls = h.calls;
        if (s == AD_OK) {
            const size_t m = A(fn_get_stats)(hh).outputs;
            CHECK(m <= 16);
            for (i = 0; i < m && k; i++) CHECK(memcmp(&r[i], &right[i], sizeof *r) == 0);
        } else {
            test_check(k > 0 && (s == AD_ERR_MEMORY || s == AD_ERR_USER), __FILE__, __LINE__,
                "allocation %d: %s", (int)k, ad_status_name(s));
        }
        A(fn_destroy)(hh);
        A(fn_destroy)(g);
        A(fn_destroy)(f);
        A(fn_destroy)(F);
        CHECK(h.blocks == 0 && h.wrong == 0);
    }
    CHECK(calls > 100);
}

static void T(all)(void)
{
    T(closed)();
    T(sweeps)();
    T(iterated)();
    T(minima)();
    T(solvers)();
    T(errors)();
    T(points_without)();
    T(units)();
    T(apart)();
    T(memory)();
    T(rest)();
}
#endif
