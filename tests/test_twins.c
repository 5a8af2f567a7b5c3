/* What the other suites look at in one precision alone, or not at all, in both: the file includes
   itself, once for each real type. Sections: Compiled Functions: Emitted C; Recording, the Slow
   Paths; Recorded Gradients; Sparse Derivatives; Drivers; Compiled Functions: Making;
   Diagnostics; Checker: Calling the User. */
#ifndef PREAL
#include <limits.h>
#include "heap.h"
#include "test.h"

TEST_DEF void suite_twins(void);

enum { LINKS = 6, OUTPUTS = LINKS + 2 };          /* of structure */

typedef struct twins_text { char text[200000]; size_t n; } twins_text;
static int twins_write(void *user, const char *text, size_t length)
{
    twins_text *const t = (twins_text *)user;
    if (length >= sizeof t->text - t->n) return 1;
    memcpy(t->text + t->n, text, length);
    t->n += length;
    t->text[t->n] = 0;
    return 0;
}

#define TWICE "test_twins.c"
#include "twice.h"

TEST_DEF void suite_twins(void)
{
    d_twins();
    f_twins();
}

#else

#define TINY (sizeof(PREAL) == sizeof(float) ? 1e-5 : 1e-14)

/* Powers and lists against what they are in other words. */
static void PT(recording)(PAD(tape) *t)
{
    const PREAL at[2] = { (PREAL)0.75, (PREAL)1.5 };
    PREAL g[2], J[4];
    const PREAL S[4] = { 1, 2, 0, -1 };
    PAD(var) x[2], y[2];
    ad_status s;
    PAD(dual) d;
    int k;
    CHECK_STATUS(PAD(tape_reserve)(t, 50), AD_OK);
    CHECK(PAD(tape_get_stats)(t).bytes >= 50 * sizeof(PREAL));
    PAD(inputs)(t, 2, at, x);
    y[0] = PAD(var_pow)(x[0], x[1]);                             /* d = y x^(y-1), x^y log x */
    CHECK_STATUS(PAD(backward)(y[0]), AD_OK);
    PAD(adjoints)(2, x, g);
    CHECK_NEAR(y[0].v, pow(0.75, 1.5), TINY);
    CHECK_NEAR(g[0], 1.5 * sqrt(0.75), TINY);
    CHECK_NEAR(g[1], pow(0.75, 1.5) * log(0.75), TINY);
    y[0] = PAD(var_powi)(x[0], -3);
    y[1] = PAD(var_hypot)(x[0], x[1]);
    CHECK_NEAR(y[0].v, 1 / (0.75 * 0.75 * 0.75), TINY);
    CHECK_STATUS(PAD(jacobian_times)(t, 2, x, 2, S, 2, y, J), AD_OK);
    CHECK_NEAR(J[0], -3 / (0.75 * 0.75 * 0.75 * 0.75), TINY);
    CHECK_NEAR(J[1], -6 / (0.75 * 0.75 * 0.75 * 0.75), TINY);
    CHECK_NEAR(J[2], 0.75 / hypot(0.75, 1.5), TINY);
    CHECK_NEAR(J[3], (2 * 0.75 - 1.5) / hypot(0.75, 1.5), TINY);
    y[0] = PAD(var_logmeanexp)(2, x);
    CHECK_NEAR(y[0].v, log((exp(0.75) + exp(1.5)) / 2), TINY);
    CHECK_STATUS(PAD(backward)(y[0]), AD_OK);
    PAD(adjoints)(2, x, g);
    CHECK_NEAR(g[0], 1 / (1 + exp(0.75)), TINY);
    CHECK_NEAR(g[1], 1 / (1 + exp(-0.75)), TINY);
    d = PAD(dual_expm1)(PAD(dual_make)((PREAL)1e-4, 2));
    CHECK_NEAR((double)d.v * 1e4, expm1(1e-4) * 1e4, TINY);
    CHECK_NEAR(d.d, 2 * exp(1e-4), TINY);
    s = PAD(forward_over_reverse)(PAD(var_expm1)(x[0]), 1, x, at);     /* along 0.75 */
    CHECK_STATUS(s, AD_OK);
    CHECK_NEAR(PAD(adjoint_tangent)(x[0]), 0.75 * exp(0.75), TINY);
    for (k = 0; k < 2; k++) {                            /* at 0, as below it: a exp(x) */
        const PREAL zero = k ? (PREAL)-0.0 : 0;
        const double a = 1.0507009873554805 * 1.6732632423543772;
        const PAD(dual2) e = PAD(dual2_selu)(PAD(dual2_make)(zero, 1, 1, 0));
        x[0] = PAD(input)(t, zero);
        CHECK_STATUS(PAD(hessian_of)(PAD(var_selu)(x[0]), 1, x, J), AD_OK);
        CHECK_NEAR(e.d1, a, TINY);
        CHECK_NEAR(e.d12, a, TINY);
        CHECK_NEAR(J[0], a, TINY);
    }
    CHECK_STATUS(PAD(tape_status)(t), AD_OK);
}

static ad_status PT(only_value)(void *user, size_t n, const PREAL *x, size_t m, PREAL *y)
{
    (void)user;
    (void)n;
    (void)m;
    y[0] = 2 * x[0];
    return AD_OK;
}
/* Every sweep that lacks its callback says which. */
static void PT(callbacks)(PAD(tape) *t)
{
    static const char *const lacks[] = { "reverse", "tangent", "reverse_dual", "record" };
    PAD(op) op;
    int k;
    memset(&op, 0, sizeof op);
    op.name = "twice";
    op.value = PT(only_value);
    for (k = 0; k < 4; k++) {
        PAD(var) x, y, g;
        const PREAL one = 1;
        ad_status s;
        PAD(tape_reset)(t);
        x = PAD(input)(t, 3);
        CHECK_STATUS(PAD(var_call)(t, &op, NULL, 1, &x, 1, &y), AD_OK);
        CHECK(y.v == 6);
        s = k == 0 ? PAD(backward)(y) : k == 1 ? PAD(forward)(t, 1, &x, &one)
            : k == 2 ? PAD(forward_over_reverse)(y, 1, &x, &one) : PAD(grad_vars)(y, 1, &x, &g);
        CHECK_STATUS(s, AD_ERR_UNSUPPORTED);
        test_check(strstr(PAD(tape_message)(t), "twice") && (k == 2
            || strstr(PAD(tape_message)(t), lacks[k])), __FILE__, __LINE__,
            "a sweep without the callback %s says: %s", lacks[k], PAD(tape_message)(t));
    }
    PAD(tape_reset)(t);
}

/* A function's names, and where they stand in emitted C. */
static void PT(names)(void)
{
    static const char *const input[] = { "mass", NULL }, *const output[] = { "energy" };
    static twins_text e;
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(var) x[2], y;
    ad_fn_desc d;
    PAD(fn) *f;
    memset(&d, 0, sizeof d);
    d.input_names = input;
    d.output_names = output;
    x[0] = PAD(input)(t, 1);
    x[1] = PAD(input)(t, 2);
    y = PAD(var_mul)(x[0], PAD(var_square)(x[1]));
    f = PAD(fn_create)(t, 2, x, 1, &y, &d);
    CHECK_STRING(PAD(fn_input_name)(f, 0), "mass");
    CHECK_STRING(PAD(fn_input_name)(f, 1), "x1");
    CHECK_STRING(PAD(fn_input_name)(f, 2), "");
    CHECK_STRING(PAD(fn_output_name)(f, 0), "energy");
    CHECK_STRING(PAD(fn_output_name)(f, 1), "");
    e.n = 0;
    CHECK_STATUS(PAD(fn_emit_c)(f, "kinetic", twins_write, &e), AD_OK);
    CHECK(strstr(e.text, sizeof(PREAL) == 4 ? "void kinetic(const float *x, float *y)"
                                            : "void kinetic(const double *x, double *y)"));
    CHECK(strstr(e.text, "x[0]  mass\n") && strstr(e.text, "y[0]  energy\n"));
    PAD(fn_destroy)(f);
    PAD(tape_destroy)(t);
}

/* An array's name is in dumps; a constant, a failed and a stale array have no place for one. */
static void PT(array_names)(PAD(tape) *t)
{
    const int32_t dim[2] = { 2, 1 };
    const PREAL data[2] = { 1, 2 };
    static twins_text e;
    PAD(array) a, c;
    PAD(tape_reset)(t);
    a = PAD(array_name)(PAD(array_input)(t, 2, dim, data), "weights");
    c = PAD(array_name)(PAD(array_const)(t, 2, dim, data), "fixed");
    CHECK(a.rank == 2 && PAD(array_values)(a)[1] == 2 && c.rank == 2);
    PAD(array_sum)(PAD(array_mul)(a, c), AD_ALL_AXES, 0);
    e.n = 0;
    CHECK_STATUS(PAD(graph_dump)(t, AD_GRAPH_TEXT, NULL, twins_write, &e), AD_OK);
    CHECK(strstr(e.text, "weights") && !strstr(e.text, "fixed"));
    PAD(tape_reset)(t);
    PAD(array_name)(a, "stale");
    CHECK_STATUS(PAD(tape_status)(t), AD_ERR_STALE);
    PAD(tape_reset)(t);
}

/* A Hessian that is as good as its noisy gradient can tell, but not symmetric. */
static void PT(noisy)(const PREAL *x, size_t n, PREAL *g, void *user)
{
    const PREAL noise = (PREAL)1e-3 * (PREAL)(sin(1e9 * (double)x[0]) * sin(3e8 * (double)x[1]));
    (void)n;
    (void)user;
    g[0] = x[0] * x[0] + 2 * x[1] + noise;
    g[1] = 2 * x[0] - x[1] + noise;
}
static void PT(lopsided)(const PREAL *x, size_t n, PREAL *H, void *user)
{
    const PREAL off = (PREAL)*(const double *)user;
    (void)n;
    H[0] = 2 * x[0];
    H[1] = 2;
    H[2] = 2 + off;
    H[3] = -1;
}
static void PT(lopsided_product)(const PREAL *x, size_t n, const PREAL *v, PREAL *Hv, void *user)
{
    PREAL H[4];
    PT(lopsided)(x, n, H, user);
    Hv[0] = H[0] * v[0] + H[1] * v[1];
    Hv[1] = H[2] * v[0] + H[3] * v[1];
}
static void PT(symmetry)(void)
{
    const PREAL x[2] = { (PREAL)0.75, (PREAL)-1.25 };
    ad_check_result r;
    double off = 0.004;
    ad_verdict v;
    v = PAD(check_hessian_matrix)(PT(noisy), PT(lopsided), x, 2, &off, NULL, &r);
    CHECK(v == AD_VERDICT_WRONG);
    CHECK(r.n_findings > 0 && r.findings[0].hint == AD_HINT_UNSYMMETRIC);
    v = PAD(check_hessian)(PT(noisy), PT(lopsided_product), x, 2, &off, NULL, &r);
    CHECK(!ad_check_ok(v));
    off = 0;
    v = PAD(check_hessian_matrix)(PT(noisy), PT(lopsided), x, 2, &off, NULL, &r);
    CHECK(v != AD_VERDICT_WRONG);
}

/* A program of so many fused products, of neighbours alike, evaluated on an instruction set, is
   what the tape computed; contracted, what fma gives. */
static void PT(program)(ad_simd simd, size_t long_, unsigned flags)
{
    enum { N = 32 };
    PAD(tape) *const t = PAD(tape_create)(NULL);
    const PREAL c = (PREAL)0.7;
    PAD(var) x[N], y[2 * N + 1];
    PREAL at[N], r[2 * N + 1], expected[2 * N + 1];
    PAD(fn) *f;
    ad_fn_desc d;
    size_t i;
    memset(&d, 0, sizeof d);
    d.simd = simd;
    d.flags = flags;
    d.skip = long_ > 1000 ? AD_FN_REUSE : 0;         /* so that a slot needs more than 16 bits */
    for (i = 0; i < N; i++) at[i] = (PREAL)(0.5 + 0.03125 * (double)i);
    PAD(inputs)(t, N, at, x);
    for (i = 0; i < N; i++) {
        y[i] = PAD(var_add)(PAD(var_mul_r)(x[i], c), x[(i + 1) % N]);
        y[N + i] = PAD(var_tanh)(x[i]);
        expected[i] = flags ? (PREAL)fma((double)at[i], (double)c, (double)at[(i + 1) % N])
                            : y[i].v;
        expected[N + i] = y[N + i].v;
    }
    y[2 * N] = x[0];
    expected[2 * N] = at[0];
    for (i = 0; i < long_; i++) {
        y[2 * N] = PAD(var_add)(PAD(var_mul_r)(y[2 * N], c), x[i % N]);
        expected[2 * N] = flags
            ? (PREAL)fma((double)expected[2 * N], (double)c, (double)at[i % N]) : y[2 * N].v;
    }
    f = PAD(fn_create)(t, N, x, 2 * N + 1, y, &d);
    CHECK_STATUS(PAD(fn_eval)(f, at, r), AD_OK);
    for (i = 0; i <= 2 * N; i++) CHECK_NEAR(r[i], expected[i], flags ? TINY : 0);
    PAD(fn_destroy)(f);
    PAD(tape_destroy)(t);
}

static void PT(programs)(void)
{
    int simd;
    for (simd = AD_SIMD_PLAIN; simd <= AD_SIMD_NEON; simd++) {
        if (!ad_kernels_get((ad_simd)simd)) continue;
        PT(program)((ad_simd)simd, 5, 0);
        PT(program)((ad_simd)simd, 5, AD_FN_CONTRACT);
        PT(program)((ad_simd)simd, 70000, 0);
        PT(program)((ad_simd)simd, 70000, AD_FN_CONTRACT);
    }
}

/* The chain r[i] = x[i] x[i+1] + 3 x[i]^2, each made behind the other, and last sin(x[0]) + 2 x[1],
   4 x[2] and a number: patterns, kinds, values. */
static void PT(links)(PAD(tape) *t, const PREAL *at, PAD(var) *x, PAD(var) *y)
{
    int i;
    PAD(inputs)(t, LINKS, at, x);
    for (i = 0; i + 1 < LINKS; i++)
        y[i] = PAD(var_add)(PAD(var_mul)(x[i], x[i + 1]),
                            PAD(var_mul_r)(PAD(var_square)(x[i]), 3));
    y[LINKS - 1] = PAD(var_add)(PAD(var_sin)(x[0]), PAD(var_mul_r)(x[1], 2));
    y[LINKS] = PAD(var_mul_r)(x[2], 4);
    y[LINKS + 1] = PAD(const)(7);
}
static void PT(structure)(void)
{
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(var) x[LINKS], y[OUTPUTS];
    PREAL at[LINKS], J[OUTPUTS * LINKS], H[LINKS * LINKS], w[OUTPUTS], values[2 * OUTPUTS];
    ad_kind of_x[LINKS], of_y[OUTPUTS];
    ad_sparse_desc d;
    ad_pattern p;
    ad_sparse *plan;
    size_t i, j, k, q;
    for (i = 0; i < LINKS; i++) at[i] = (PREAL)(0.5 + 0.25 * (double)i);
    for (i = 0; i < OUTPUTS; i++) w[i] = (PREAL)(1 + (double)i);
    PT(links)(t, at, x, y);
    CHECK_STATUS(PAD(kinds)(t, LINKS, x, OUTPUTS, y, of_x, of_y), AD_OK);
    for (i = 0; i + 1 < LINKS; i++) CHECK(of_y[i] == AD_KIND_QUADRATIC);
    CHECK(of_y[LINKS - 1] == AD_KIND_NONLINEAR && of_y[LINKS] == AD_KIND_LINEAR
          && of_y[LINKS + 1] == AD_KIND_CONSTANT);
    CHECK(of_x[0] == AD_KIND_NONLINEAR);
    for (i = 1; i < LINKS; i++) CHECK(of_x[i] == AD_KIND_QUADRATIC);

    CHECK_STATUS(PAD(jacobian_pattern)(t, LINKS, x, OUTPUTS, y, &p), AD_OK);
    CHECK(p.row_start[OUTPUTS] == 2 * (LINKS - 1) + 3);
    plan = ad_sparse_create(&p, NULL);
    CHECK_STATUS(PAD(sparse_jacobian)(plan, t, LINKS, x, OUTPUTS, y, values), AD_OK);
    CHECK_STATUS(PAD(jacobian_forward)(t, LINKS, x, OUTPUTS, y, J), AD_OK);
    for (i = k = 0; i < OUTPUTS; i++)
        for (j = 0; j < LINKS; j++) {
            const int there = k < p.row_start[i + 1] && p.column[k] == j;
            CHECK(J[i * LINKS + j] == (there ? values[k] : 0));
            k += (size_t)there;
        }
    CHECK(values[0] == at[1] + 6 * at[0] && values[1] == at[0]);
    ad_sparse_destroy(plan);
    ad_pattern_free(&p);

    CHECK_STATUS(PAD(hessian_pattern)(t, LINKS, x, OUTPUTS, y, &p), AD_OK);
    for (q = 0; q < 2; q++) {                        /* directly, and by substitution */
        memset(&d, 0, sizeof d);
        d.hessian = 1;
        d.format = AD_SPARSE_DENSE_ROWS;
        d.indirect = (int)q;
        plan = ad_sparse_create(&p, &d);
        CHECK_STATUS(PAD(sparse_hessian)(plan, t, LINKS, x, OUTPUTS, y, w, H), AD_OK);
        for (i = 0; i < LINKS; i++)
            for (j = 0; j < LINKS; j++) {
                double expected = i == j ? (i + 1 < LINKS ? 6 * (double)w[i] : 0)
                    : i + 1 == j ? (double)w[i] : j + 1 == i ? (double)w[j] : 0;
                if (i + j == 0) expected -= (double)w[LINKS - 1] * sin((double)at[0]);
                CHECK_NEAR(H[i * LINKS + j], expected, 20 * TINY);
            }
        ad_sparse_destroy(plan);
    }
    ad_pattern_free(&p);
    PAD(tape_destroy)(t);
}

/* A line's fit: normal equations by a map, a covariance. */
static void PT(points)(void)
{
    enum { POINTS = 37 };
    PAD(fn) *const r = PAD(fn_parse)("a + b*t - y", "a, b | t, y", NULL, 0);
    PAD(fn) *const normal = PAD(fn_normal)(r);
    PAD(port) in[4], out[6];
    PREAL at[2] = { (PREAL)0.25, (PREAL)-0.5 }, time[POINTS], y[POINTS], sums[6], covariance[4];
    PREAL sigma[2];
    double S = 0, T = 0, TT = 0, det;
    ad_fn_stats s = PAD(fn_get_stats)(normal);
    int i;
    memset(in, 0, sizeof in);
    memset(out, 0, sizeof out);
    for (i = 0; i < POINTS; i++) {
        time[i] = (PREAL)(0.125 * i);
        y[i] = (PREAL)(1 + 2 * 0.125 * i);
        S += 1;
        T += 0.125 * i;
        TT += 0.125 * i * 0.125 * i;
    }
    CHECK(s.inputs == 4 && s.outputs == 6);
    for (i = 0; i < 4; i++) in[i].data = i < 2 ? &at[i] : i == 2 ? time : y;
    in[2].stride = in[3].stride = 1;
    for (i = 0; i < 6; i++) out[i].data = &sums[i];
    CHECK_STATUS(PAD(fn_map)(normal, POINTS, in, out, NULL), AD_OK);
    CHECK_NEAR(sums[3], S, 10 * TINY);
    CHECK_NEAR(sums[4], T, 10 * TINY);
    CHECK_NEAR(sums[5], TT, 10 * TINY);
    CHECK_STATUS(PAD(covariance)(2, sums + 3, (PREAL)0.5, covariance, sigma), AD_OK);
    det = S * TT - T * T;
    CHECK_NEAR(covariance[0], 0.5 * TT / det, 100 * TINY);
    CHECK_NEAR(covariance[1], -0.5 * T / det, 100 * TINY);
    CHECK_NEAR(covariance[3], 0.5 * S / det, 100 * TINY);
    CHECK_NEAR(sigma[1], sqrt(0.5 * S / det), 100 * TINY);
    PAD(fn_destroy)(normal);
    PAD(fn_destroy)(r);
}

/* Derivatives compiled while the allocator fails at its k-th call, once or from then on: what is
   made says so, nothing is lost, and what was there still works. */
static PAD(fn) *PT(made)(const PAD(fn) *f, int kind, ad_pattern *p)
{
    return kind == 0 ? PAD(fn_gradient)(f) : kind == 1 ? PAD(fn_hessian)(f)
        : kind == 2 ? PAD(fn_jvp)(f) : kind == 3 ? PAD(fn_normal)(f)
        : kind == 4 ? PAD(fn_sparse_jacobian)(f, p) : PAD(fn_sparse_hessian)(f, p);
}
static void PT(failing)(void)
{
    static const char *const text[] = { "x < y ? sin(x*y) : x^3*y + exp(y)*logsumexp(x, y, z)",
                                        "sum(x*y, y*z, z*x, x, y) + hypot(x, y, z)" };
    int which, kind, on;
    for (which = 0; which < 2; which++) {
        heap h;
        ad_fn_desc d;
        PAD(fn) *f;
        const PREAL at[3] = { (PREAL)0.5, (PREAL)0.25, 1 };
        PREAL before, after;
        memset(&h, 0, sizeof h);
        memset(&d, 0, sizeof d);
        d.resize = heap_resize;
        d.resize_user = &h;
        f = PAD(fn_parse_desc)(text[which], "x, y, z", &d, NULL, 0);
        CHECK_STATUS(PAD(fn_eval)(f, at, &before), AD_OK);
        for (kind = 0; kind < 6; kind++)
            for (on = 0; on < 2; on++) {
                const size_t blocks = h.blocks;
                size_t k;
                ad_status s = AD_ERR_MEMORY;
                for (k = 1; s != AD_OK && k < 5000; k++) {
                    ad_pattern p;
                    PAD(fn) *g;
                    memset(&p, 0, sizeof p);
                    h.calls = 0;
                    h.fail_at = k;
                    h.from_then_on = on;
                    g = PT(made)(f, kind, &p);
                    s = PAD(fn_status)(g);
                    h.fail_at = 0;
                    CHECK(s == AD_OK || s == AD_ERR_MEMORY);
                    CHECK(g == NULL || s == AD_OK || PAD(fn_message)(g)[0]);
                    PAD(fn_destroy)(g);
                    ad_pattern_free(&p);
                    if (h.blocks != blocks) break;
                }
                test_check(s == AD_OK && h.blocks == blocks && h.wrong == 0, __FILE__, __LINE__,
                           "%s, kind %d, failing at %d: %s, %d blocks lost, %d wrong",
                           text[which], kind, (int)k, ad_status_name(s),
                           (int)(h.blocks - blocks), (int)h.wrong);
            }
        CHECK_STATUS(PAD(fn_eval)(f, at, &after), AD_OK);
        CHECK(before == after);
        PAD(fn_destroy)(f);
        CHECK(h.blocks == 0);
    }
}

/* What maps are told: two points at one place, groups of ports, few points side by side; without
   memory for what the first asks. */
static void PT(ports)(void)
{
    static const uint32_t apart[4] = { 3, 1, 0, 2 }, shared[4] = { 3, 1, 3, 2 };
    PREAL x[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, y[8];
    ad_map_report report;
    ad_map_desc how;
    ad_fn_desc d;
    heap h;
    PAD(ports) in, out;
    PAD(port) from[2], to[2];
    PAD(fn) *f;
    int i;
    memset(&h, 0, sizeof h);
    memset(&d, 0, sizeof d);
    memset(&how, 0, sizeof how);
    memset(from, 0, sizeof from);
    memset(to, 0, sizeof to);
    d.resize = heap_resize;
    d.resize_user = &h;
    d.native_after = UINT_MAX;                       /* points of maps count 16 and more at once */
    f = PAD(fn_parse_desc)("a + b; a * b", "a, b", &d, NULL, 0);
    how.check = 1;
    how.report = &report;
    for (i = 0; i < 2; i++) {
        from[i].data = x + i;
        from[i].stride = 2;
        to[i].data = y + i;
        to[i].stride = 2;
        to[i].index = apart;
    }
    CHECK_STATUS(PAD(fn_map)(f, 4, from, to, &how), AD_OK);
    for (i = 0; i < 4; i++)
        CHECK(y[2 * apart[i]] == x[2 * i] + x[2 * i + 1]
              && y[2 * apart[i] + 1] == x[2 * i] * x[2 * i + 1]);
    to[0].index = to[1].index = shared;
    CHECK_STATUS(PAD(fn_map)(f, 4, from, to, &how), AD_ERR_ARGUMENT);
    CHECK(strstr(report.message, "points 0 and 2 have index 3") != NULL);
    h.calls = 0;
    h.fail_at = 1;
    h.from_then_on = 1;
    CHECK_STATUS(PAD(fn_map)(f, 4, from, to, &how), AD_ERR_MEMORY);
    h.fail_at = 0;
    memset(&in, 0, sizeof in);
    memset(&out, 0, sizeof out);
    in.count = out.count = 2;
    in.apart = out.apart = 1;
    in.first = from[0];
    out.first = to[0];
    out.first.index = NULL;
    CHECK_STATUS(PAD(fn_map_ports)(f, 4, 1, &in, 1, &out, NULL), AD_OK);
    for (i = 0; i < 4; i++)
        CHECK(y[2 * i] == x[2 * i] + x[2 * i + 1] && y[2 * i + 1] == x[2 * i] * x[2 * i + 1]);
    PAD(fn_destroy)(f);
    CHECK(h.blocks == 0);
}

/* Patterns through arrays: elements of elementwise operations and of movements one by one, of
   others all. */
static void PT(moved)(PAD(tape) *t)
{
    static const int32_t six = 6, two_three[2] = { 2, 3 }, three_two[2] = { 3, 2 };
    static const uint32_t pick[2] = { 5, 0 };
    const PREAL data[6] = { 1, 2, 3, 4, 5, 6 };
    PAD(array) a, m, row, joined[2];
    PAD(var) x[6], y[64];
    ad_pattern p;
    size_t i, k, n = 0;
    size_t from[64], count[64];
    PAD(tape_reset)(t);
    a = PAD(array_input)(t, 1, &six, data);
    for (i = 0; i < 6; i++) x[i] = PAD(array_at)(a, i);
    m = PAD(array_transpose)(PAD(array_reshape)(a, 2, two_three));         /* 3 by 2 */
    CHECK(m.dim[0] == three_two[0] && m.dim[1] == three_two[1]);
    m = PAD(array_mul)(PAD(array_exp)(m), PAD(array_sum)(m, AD_ALL_AXES, 0));    /* all of all */
    for (i = 0; i < 6; i++) {
        from[n] = 0;
        count[n] = 6;
        y[n++] = PAD(array_at)(m, i);
    }
    m = PAD(array_sin)(PAD(array_transpose)(PAD(array_reshape)(a, 2, two_three)));
    for (i = 0; i < 6; i++) {                                /* element (r, c) is x[3 c + r] */
        from[n] = 3 * (i % 2) + i / 2;
        count[n] = 1;
        y[n++] = PAD(array_at)(m, i);
    }
    row = PAD(array_gather)(a, 0, 2, pick);
    joined[0] = row;
    joined[1] = PAD(array_square)(a);
    m = PAD(array_concatenate)(2, joined, 0);
    for (i = 0; i < 8; i++) {
        from[n] = i < 2 ? pick[i] : i - 2;
        count[n] = 1;
        y[n++] = PAD(array_at)(m, i);
    }
    CHECK_STATUS(PAD(jacobian_pattern)(t, 6, x, n, y, &p), AD_OK);
    for (i = 0; i < n; i++) {
        CHECK(p.row_start[i + 1] - p.row_start[i] == count[i]);
        for (k = 0; k < count[i] && p.row_start[i] + k < p.row_start[n]; k++)
            CHECK(p.column[p.row_start[i] + k] == from[i] + k);
    }
    ad_pattern_free(&p);
    PAD(tape_reset)(t);
}

/* The least used goes; where there is no cache, the call is the driver's. */
static PAD(var) PT(cubed)(PAD(tape) *t, const PAD(var) *x, size_t n, void *user)
{
    (void)t;
    (void)n;
    (void)user;
    return PAD(var_mul)(PAD(var_powi)(x[0], 3), x[1]);
}
static void PT(caches)(void)
{
    ad_cache_desc d;
    PAD(cache) *c;
    size_t k;
    memset(&d, 0, sizeof d);
    d.entries = 2;
    d.after = 1;
    c = PAD(cache_create)(&d);
    for (k = 0; k < 12; k++) {
        const PREAL at[1] = { (PREAL)(1 + 0.25 * (double)k) }, two = 2;
        PREAL y = 0, g[1] = { 0 };
        CHECK_STATUS(PAD(cache_gradient)(k < 9 ? c : NULL, k % 3, PT(cubed), NULL, at, 1, &two, 1,
                                         &y, g), AD_OK);
        CHECK_NEAR(y, 2 * pow((double)at[0], 3), 2e2 * TINY);
        CHECK_NEAR(g[0], 6 * pow((double)at[0], 2), 2e2 * TINY);
    }
    CHECK(PAD(cache_get_stats)(c).evicted == 7 && PAD(cache_get_stats)(c).entries == 2);
    PAD(cache_destroy)(c);
}

/* What a driver's function takes from outside: inputs as they came, and what stood there before. */
static void PT(passed)(PAD(tape) *t, const PAD(var) *x, size_t n, PAD(var) *y, size_t m, void *user)
{
    size_t i;
    (void)t;
    for (i = 0; i < m; i++) y[i] = i < n ? x[i] : *(const PAD(var) *)user;
}
static void PT(outside)(PAD(tape) *t)
{
    const PREAL at[2] = { 3, 4 };
    PAD(var) z, own[4];
    PREAL y[3], J[6], H = 0;
    size_t m, i;
    PAD(tape_reset)(t);
    z = PAD(var_square)(PAD(input)(t, 5));
    for (m = 1; m <= 3; m++) {
        CHECK_STATUS(PAD(jacobian)(t, PT(passed), &z, at, 2, m, y, J), AD_OK);
        for (i = 0; i < m; i++) {
            CHECK(y[i] == (i < 2 ? at[i] : 25));
            CHECK(J[2 * i] == (i == 0) && J[2 * i + 1] == (i == 1));
        }
    }
    own[0] = PAD(input)(t, 2);
    own[1] = PAD(var_mul)(own[0], own[0]);
    own[2] = PAD(input)(t, 7);                       /* between, and behind: y knows neither */
    own[3] = PAD(var_mul)(own[1], own[0]);
    z = PAD(var_sin)(own[3]);
    {
        const PAD(var) x[4] = { own[0], own[2], z, PAD(const)(1) };
        const PREAL v[4] = { 1, 1, 1, 1 };
        PAD(var) along[4], y_dot;
        CHECK_STATUS(PAD(forward_over_reverse)(own[3], 4, x, v), AD_OK);
        H = PAD(adjoint_tangent)(own[0]);
        CHECK(H == 12 && PAD(adjoint)(own[0]) == 12 && PAD(adjoint)(own[2]) == 0);
        CHECK(PAD(adjoint)(z) == 0);
        for (i = 0; i < 4; i++) along[i] = PAD(const)(1);
        CHECK_STATUS(PAD(jvp_vars)(t, 4, x, along, 1, &own[3], &y_dot), AD_OK);
        CHECK(y_dot.v == 12);
    }
    PAD(tape_reset)(t);
}

/* An operation of the user's below two others, with and without its callbacks; names given late. */
static ad_status PT(twice_back)(void *user, size_t n, const PREAL *x, size_t m, const PREAL *y,
    const PREAL *y_bar, PREAL *x_bar)
{
    (void)user, (void)n, (void)x, (void)m, (void)y;
    x_bar[0] += 2 * y_bar[0];
    return AD_OK;
}
static ad_status PT(twice_recorded)(void *user, PAD(tape) *t, size_t n, const PAD(var) *x, size_t m,
    const PAD(var) *y, const PAD(var) *y_bar, PAD(var) *x_bar)
{
    (void)user, (void)t, (void)n, (void)x, (void)m, (void)y;
    x_bar[0] = PAD(var_mul_r)(y_bar[0], 2);
    return AD_OK;
}
/* x, and y[0] = 2 x[0] by op, y[1] = y[0] x[1]. */
static void PT(doubled)(PAD(tape) *t, const PAD(op) *op, PAD(var) *x, PAD(var) *y)
{
    const PREAL at[2] = { 3, (PREAL)0.5 };
    PAD(inputs)(t, 2, at, x);
    CHECK_STATUS(PAD(var_call)(t, op, NULL, 1, x, 1, y), AD_OK);
    y[1] = PAD(var_mul)(y[0], x[1]);
}
/* Names are those of values, in whatever order they were given. */
static void PT(late_names)(PAD(tape) *t, const PAD(op) *op)
{
    static twins_text e;
    PAD(fn) *const g = PAD(fn_parse)("a*a", "a", NULL, 0), *f;
    const PREAL in[2] = { 3, 2 };
    PREAL out[2];
    PAD(var) x[2], y[2], z, of[2];
    PT(doubled)(t, op, x, y);
    z = PAD(var_mul)(x[1], x[1]);
    PAD(name)(y[1], "late");
    PAD(name)(z, "between");
    PAD(name)(x[0], "early");
    PAD(name)(y[1], "last");
    e.n = 0;
    CHECK_STATUS(PAD(graph_dump)(t, AD_GRAPH_TEXT, NULL, twins_write, &e), AD_OK);
    CHECK(strstr(e.text, "last") && strstr(e.text, "between") && strstr(e.text, "early"));
    CHECK_STATUS(PAD(fn_call)(g, t, 1, y + 1, 1, of), AD_OK);
    CHECK_STATUS(PAD(var_call)(t, op, NULL, 1, of, 1, of + 1), AD_OK);
    of[0] = y[1];
    f = PAD(fn_create)(t, 2, x, 2, of, NULL);
    CHECK_STRING(PAD(fn_input_name)(f, 0), "early");
    CHECK_STRING(PAD(fn_input_name)(f, 1), "x1");
    CHECK_STRING(PAD(fn_output_name)(f, 0), "last");
    CHECK_STATUS(PAD(fn_eval)(f, in, out), AD_OK);
    CHECK(out[0] == 12 && out[1] == 288);                    /* 6*2, and 2 (6*2)^2 */
    PAD(fn_destroy)(f);
    PAD(fn_destroy)(g);
    PAD(tape_reset)(t);
}
/* Sweeps want the callbacks that they call, and say so. */
static void PT(without_callbacks)(PAD(tape) *t, PAD(op) op)
{
    const PREAL one[2] = { 1, 1 };
    PAD(var) x[2], y[2];
    op.reverse = NULL;
    PT(doubled)(t, &op, x, y);
    CHECK_STATUS(PAD(forward_over_reverse)(y[1], 2, x, one), AD_ERR_UNSUPPORTED);
    CHECK(PAD(tape_message)(t)[0]);
    PAD(tape_clear_status)(t);
    CHECK_STATUS(PAD(forward)(t, 2, x, one), AD_ERR_UNSUPPORTED);
    PAD(tape_clear_status)(t);
    CHECK_STATUS(PAD(backward)(y[1]), AD_ERR_UNSUPPORTED);
    PAD(tape_clear_status)(t);
    op.reverse = PT(twice_back);
    CHECK_STATUS(PAD(backward)(y[1]), AD_OK);
    CHECK(PAD(adjoint)(x[0]) == 1 && PAD(adjoint)(x[1]) == 6);
    PAD(tape_reset)(t);
}
/* Behind a loop and its derivative, and behind a call, dropped with them. */
static void PT(behind_calls)(PAD(tape) *t, const PAD(op) *op)
{
    PAD(fn) *const f = PAD(fn_parse)("a*b", "a b", NULL, 0), *const sq = PAD(fn_parse)("a*a", "a",
        NULL, 0);
    PAD(fn) *const loop = PAD(fn_repeat)(f, 3, 1, 1, 0);
    PAD(var) x[2], y[2], own, g[2], twice;
    size_t round;
    PT(doubled)(t, op, x, y);
    for (round = 0; round < 2; round++) {
        const size_t k = PAD(tape_mark)(t);
        CHECK_STATUS(PAD(fn_call)(loop, t, 2, x, 1, &own), AD_OK);
        CHECK_STATUS(PAD(grad_vars)(own, 2, x, g), AD_OK);           /* x[0] x[1]^3 */
        CHECK(g[0].v == (PREAL)0.125 && g[1].v == (PREAL)2.25);
        CHECK_STATUS(PAD(var_call)(t, op, g, 1, g, 1, &twice), AD_OK);
        CHECK(twice.v == (PREAL)0.25);
        PAD(tape_rewind)(t, k);
        CHECK_STATUS(PAD(fn_record)(loop, t, x, &own), AD_OK);       /* the tape holds it */
        CHECK_STATUS(PAD(var_call)(t, op, g, 1, &own, 1, &twice), AD_OK);
        CHECK(twice.v == (PREAL)0.75);
        PAD(tape_rewind)(t, k);
        CHECK_STATUS(PAD(fn_call)(sq, t, 1, x, 1, &own), AD_OK);
        CHECK_STATUS(PAD(var_call)(t, op, g, 1, &own, 1, &twice), AD_OK);
        CHECK(twice.v == 18);
        CHECK_STATUS(PAD(backward)(twice), AD_OK);
        CHECK(PAD(adjoint)(x[0]) == 12);
        PAD(tape_rewind)(t, k);
    }
    PAD(fn_destroy)(loop);
    PAD(fn_destroy)(sq);
    PAD(fn_destroy)(f);
    PAD(tape_reset)(t);
}
/* J v of what has no tangents is recorded by two gradients. */
static ad_status PT(by_gradients)(PAD(tape) *t, const PAD(var) *x, const PAD(var) *y, PREAL way,
    PREAL *y_dot)
{
    PAD(var) along[2], dot[2];
    size_t k;
    ad_status s;
    for (k = 0; k < 2; k++) along[k] = PAD(const)(way);
    s = PAD(jvp_vars)(t, 2, x, along, 2, y, dot);
    for (k = 0; k < 2; k++) y_dot[k] = dot[k].v;
    return s;
}
static void PT(products)(PAD(tape) *t, const PAD(op) *op)
{
    heap h;
    ad_tape_desc d;
    PAD(var) x[2], y[2];
    PREAL y_dot[2];
    size_t k;
    ad_status s = AD_ERR_MEMORY;
    PT(doubled)(t, op, x, y);
    CHECK_STATUS(PT(by_gradients)(t, x, y, 1, y_dot), AD_OK);
    CHECK(y_dot[0] == 2 && y_dot[1] == 7);
    CHECK_STATUS(PT(by_gradients)(t, x, y, 0, y_dot), AD_OK);
    CHECK(y_dot[0] == 0 && y_dot[1] == 0);
    PAD(tape_reset)(t);
    memset(&h, 0, sizeof h);
    memset(&d, 0, sizeof d);
    d.resize = heap_resize;
    d.resize_user = &h;
    h.from_then_on = 1;
    for (k = 1; s != AD_OK && k < 500; k++) {
        h.fail_at = 0;
        t = PAD(tape_create)(&d);
        PT(doubled)(t, op, x, y);
        h.calls = 0;
        h.fail_at = k;
        s = PT(by_gradients)(t, x, y, 1, y_dot);
        CHECK(s == AD_OK || s == AD_ERR_MEMORY);
        if (s != AD_OK) CHECK(y_dot[0] != y_dot[0] && y_dot[1] != y_dot[1]);
        else CHECK(y_dot[0] == 2 && y_dot[1] == 7);
        PAD(tape_destroy)(t);
    }
    CHECK(s == AD_OK && h.wrong == 0 && h.blocks == 0);
}
static void PT(operations)(PAD(tape) *t)
{
    PAD(op) op;
    memset(&op, 0, sizeof op);
    op.value = PT(only_value);
    op.reverse = PT(twice_back);
    PT(late_names)(t, &op);
    PT(without_callbacks)(t, op);
    PT(behind_calls)(t, &op);
    op.record = PT(twice_recorded);
    PT(products)(t, &op);
}

/* A function recorded on a tape in a buffer of any size, and names in order. */
static void PT(buffered)(void)
{
    static char text[4096];
    static double buffer[16384];
    static twins_text e;
    PAD(fn) *f;
    size_t bytes, i, good = 0, dumped = 0, at = 0;
    for (i = 0; i < 40; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%ssin(a*%d)*a*b*cos(b)", i ? "+" : "",
                               (int)i + 2);
    f = PAD(fn_parse)(text, "a b", NULL, 0);
    for (bytes = 2048; bytes <= sizeof buffer; bytes += bytes / 32 / 8 * 8) {
        ad_tape_desc d;
        PAD(tape) *t;
        PAD(var) x[2], y;
        ad_status s;
        memset(&d, 0, sizeof d);
        d.buffer = buffer;
        d.buffer_bytes = bytes;
        t = PAD(tape_create)(&d);
        if (!t) continue;
        x[0] = PAD(name)(PAD(input)(t, (PREAL)0.5), "first");
        x[1] = PAD(name)(PAD(input)(t, (PREAL)0.25), "second");
        s = PAD(fn_record)(f, t, x, &y);
        CHECK(s == AD_OK || s == AD_ERR_LIMIT);
        CHECK(s == AD_OK || PAD(tape_message)(t)[0]);
        good += s == AD_OK;
        e.n = 0;
        if (s == AD_OK && PAD(graph_dump)(t, AD_GRAPH_TEXT, NULL, twins_write, &e) == AD_OK) {
            CHECK(strstr(e.text, "first") && strstr(e.text, "second"));
            dumped++;
        }
        PAD(tape_destroy)(t);
    }
    CHECK(good > 3 && good < 100 && dumped > 0);
    CHECK_STATUS(PAD(fn_status)(f), AD_OK);
    PAD(fn_destroy)(f);
    {
        ad_pattern p;
        PAD(fn) *const none = PAD(fn_sparse_hessian)(NULL, &p);
        CHECK(PAD(fn_status)(none) != AD_OK && p.row_start == NULL);
        PAD(fn_destroy)(none);
    }
}

static void PT(twins)(void)
{
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PT(recording)(t);
    PT(callbacks)(t);
    PT(names)();
    PT(array_names)(t);
    PT(symmetry)();
    PT(programs)();
    PT(structure)();
    PT(points)();
    PT(failing)();
    PT(ports)();
    PT(moved)(t);
    PT(caches)();
    PT(outside)(t);
    PT(operations)(t);
    PT(buffered)();
    PAD(tape_destroy)(t);
}
#undef TINY
#endif
