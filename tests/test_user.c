/* Operations of the user's own: ad_var_custom with known partials, and ad_var_call, whose
   callbacks every sweep must reach with the right numbers, or name what is missing.
   Sections: The Tape's Interface; Recording, the Slow Paths; The Reverse Sweep; The Other Sweeps;
   Recorded Gradients; Second Derivatives; User Operations; Arrays: Recording; Arrays: Recorded
   Gradients. */
#include <math.h>
#include <stdlib.h>
#include "heap.h"
#include "test.h"

TEST_DEF void suite_user(void);

static size_t slots(const ad_tape *t) { return ad_tape_get_stats(t).slots; }
static int nan_constant(ad_var x) { return x.tape == NULL && x.v != x.v; }

/* The status, and a message that names these. */
static void says(ad_tape *t, ad_status expected, const char *piece, const char *piece2, int line)
{
    const char *m = ad_tape_message(t);
    test_check(ad_tape_status(t) == expected, __FILE__, line, "status is %s, not %s",
               ad_status_name(ad_tape_status(t)), ad_status_name(expected));
    test_check(strstr(m, piece) != NULL, __FILE__, line, "\"%s\" does not say \"%s\"", m, piece);
    test_check(strstr(m, piece2) != NULL, __FILE__, line, "\"%s\" does not say \"%s\"", m, piece2);
}
#define SAYS(t, expected, piece, piece2) says(t, expected, piece, piece2, __LINE__)

/* ---------------------------------------------------------------- the operation under test
   n operands, m results: y[j] = sum over i of w_ij sin(x_i) + k x_j(mod n) x_(j+1)(mod n).
   Every callback checks the numbers it is shown, and counts its calls. */
typedef struct mill {
    double k;
    int value, reverse, tangent, dual, record;      /* calls */
    int fail;                                       /* which callback is to fail: 1 .. 5 */
    ad_status failure;
    int wrong;                                      /* arguments that were not as promised */
} mill;

static double weight(size_t i, size_t j) { return 0.25 + 0.5 * (double)((i * 3 + j * 7) % 5); }

static double mill_result(const mill *p, size_t n, const double *x, size_t j)
{
    double s = n ? p->k * x[j % n] * x[(j + 1) % n] : p->k;
    size_t i;
    for (i = 0; i < n; i++) s += weight(i, j) * sin(x[i]);
    return s;
}
static double mill_partial(const mill *p, size_t n, const double *x, size_t j, size_t i)
{
    double s = weight(i, j) * cos(x[i]);
    if (i == j % n) s += p->k * x[(j + 1) % n];
    if (i == (j + 1) % n) s += p->k * x[j % n];
    return s;
}
static double mill_second(const mill *p, size_t n, const double *x, size_t j, size_t i, size_t l)
{
    double s = i == l ? -weight(i, j) * sin(x[i]) : 0;
    if (i == j % n && l == (j + 1) % n) s += p->k;
    if (l == j % n && i == (j + 1) % n) s += p->k;
    return s;
}

static ad_status mill_value(void *user, size_t n, const double *x, size_t m, double *y)
{
    mill *p = (mill *)user;
    size_t j;
    p->value++;
    for (j = 0; j < m; j++) y[j] = mill_result(p, n, x, j);
    return p->fail == 1 ? p->failure : AD_OK;
}
static ad_status mill_reverse(void *user, size_t n, const double *x, size_t m, const double *y,
                              const double *y_bar, double *x_bar)
{
    mill *p = (mill *)user;
    size_t i, j;
    p->reverse++;
    for (j = 0; j < m; j++) {
        if (y[j] != mill_result(p, n, x, j)) p->wrong++;
        for (i = 0; i < n; i++) x_bar[i] += y_bar[j] * mill_partial(p, n, x, j, i);
    }
    return p->fail == 2 ? p->failure : AD_OK;
}
static ad_status mill_tangent(void *user, size_t n, const double *x, size_t m, const double *y,
                              const double *x_dot, double *y_dot)
{
    mill *p = (mill *)user;
    size_t i, j;
    p->tangent++;
    for (j = 0; j < m; j++) {
        double s = 0;
        if (y[j] != mill_result(p, n, x, j)) p->wrong++;
        for (i = 0; i < n; i++) s += x_dot[i] * mill_partial(p, n, x, j, i);
        y_dot[j] = s;
    }
    return p->fail == 3 ? p->failure : AD_OK;
}
static ad_status mill_dual(void *user, size_t n, const ad_dual *x, size_t m, const ad_dual *y,
                           const ad_dual *y_bar, ad_dual *x_bar)
{
    mill *p = (mill *)user;
    size_t i, j;
    p->dual++;
    for (j = 0; j < m; j++) {
        ad_dual s =
            n ? ad_dual_mul_r(ad_dual_mul(x[j % n], x[(j + 1) % n]), p->k) : ad_dual_make(p->k, 0);
        for (i = 0; i < n; i++) s = ad_dual_add(s, ad_dual_mul_r(ad_dual_sin(x[i]), weight(i, j)));
        /* y comes with its tangent */
        if (!test_near(y[j].v, s.v, 1e-13) || !test_near(y[j].d, s.d, 1e-12)) p->wrong++;
        for (i = 0; i < n; i++) {
            ad_dual q = ad_dual_mul_r(ad_dual_cos(x[i]), weight(i, j));
            if (i == j % n) q = ad_dual_add(q, ad_dual_mul_r(x[(j + 1) % n], p->k));
            if (i == (j + 1) % n) q = ad_dual_add(q, ad_dual_mul_r(x[j % n], p->k));
            x_bar[i] = ad_dual_add(x_bar[i], ad_dual_mul(y_bar[j], q));
        }
    }
    return p->fail == 4 ? p->failure : AD_OK;
}
static ad_status mill_record(void *user, ad_tape *t, size_t n, const ad_var *x, size_t m,
                             const ad_var *y, const ad_var *y_bar, ad_var *x_bar)
{
    mill *p = (mill *)user;
    size_t i, j;
    double v[32];
    p->record++;
    if (t == NULL) p->wrong++;
    for (i = 0; i < n && i < 32; i++) v[i] = x[i].v;
    for (j = 0; j < m; j++)
        if (y[j].v != mill_result(p, n, v, j)) p->wrong++;
    for (i = 0; i < n; i++) {
        if (x_bar[i].v != 0 || x_bar[i].tape != NULL) p->wrong++;      /* zero on entry */
        for (j = 0; j < m; j++) {
            ad_var q = ad_var_mul_r(ad_var_cos(x[i]), weight(i, j));
            if (i == j % n) q = ad_var_add(q, ad_var_mul_r(x[(j + 1) % n], p->k));
            if (i == (j + 1) % n) q = ad_var_add(q, ad_var_mul_r(x[j % n], p->k));
            x_bar[i] = ad_var_add(x_bar[i], ad_var_mul(y_bar[j], q));
        }
    }
    return p->fail == 5 ? p->failure : AD_OK;
}
static const ad_op mill_op = { "mill", mill_value, mill_reverse, mill_tangent, mill_dual,
    mill_record };

static mill make_mill(double k)
{
    mill p;
    memset(&p, 0, sizeof p);
    p.k = k;
    p.failure = AD_ERR_USER;
    return p;
}

/* The same in the library's own operations. */
static void mill_plain(const mill *p, size_t n, const ad_var *x, size_t m, ad_var *y)
{
    size_t i, j;
    for (j = 0; j < m; j++) {
        y[j] = n ? ad_var_mul_r(ad_var_mul(x[j % n], x[(j + 1) % n]), p->k) : ad_const(p->k);
        for (i = 0; i < n; i++)
            y[j] = ad_var_add(y[j], ad_var_mul_r(ad_var_sin(x[i]), weight(i, j)));
    }
}

/* ---------------------------------------------------------------- all sizes, all sweeps */

static void test_sizes(void)
{
    ad_tape *t = ad_tape_create(NULL);
    ad_var x[7], y[9], g[7];
    double v[7], dot[7], seeds[9], J[63], H[49];
    size_t n, m, i, j, l;
    for (i = 0; i < 7; i++) {
        v[i] = 0.4 + 0.3 * (double)i;
        dot[i] = 1.0 - 0.4 * (double)i;
    }
    for (j = 0; j < 9; j++) seeds[j] = 0.5 * (double)j - 1.75;
    for (n = 1; n <= 7; n++) {
        for (m = 1; m <= 9; m++) {
            mill p = make_mill(0.75);
            ad_var f;
            double s;
            int before;
            ad_tape_reset(t);
            CHECK_STATUS(ad_inputs(t, n, v, x), AD_OK);
            CHECK_STATUS(ad_var_call(t, &mill_op, &p, n, x, m, y), AD_OK);
            CHECK(p.value == 1);
            CHECK(slots(t) >= n + m);
            for (j = 0; j < m; j++) CHECK(y[j].v == mill_result(&p, n, v, j) && y[j].tape == t);
            /* one output at a time */
            for (j = 0; j < m; j++) {
                CHECK_STATUS(ad_backward(y[j]), AD_OK);
                for (i = 0; i < n; i++)
                    CHECK_NEAR(ad_adjoint(x[i]), mill_partial(&p, n, v, j, i), 1e-14);
            }
            CHECK(p.reverse == (int)m);
            CHECK_STATUS(ad_backward_seeded(t, m, y, seeds), AD_OK);
            CHECK(p.reverse == (int)m + 1);            /* once for all outputs */
            for (i = 0; i < n; i++) {
                for (j = 0, s = 0; j < m; j++) s += seeds[j] * mill_partial(&p, n, v, j, i);
                CHECK_NEAR(ad_adjoint(x[i]), s, 1e-14);
            }
            CHECK_STATUS(ad_forward(t, n, x, dot), AD_OK);
            CHECK(p.tangent == 1);
            for (j = 0; j < m; j++) {
                for (i = 0, s = 0; i < n; i++) s += dot[i] * mill_partial(&p, n, v, j, i);
                CHECK_NEAR(ad_tangent(y[j]), s, 1e-14);
            }
            memset(J, 0x55, sizeof J);
            CHECK_STATUS(ad_jacobian_reverse(t, n, x, m, y, J), AD_OK);
            for (j = 0; j < m; j++)
                for (i = 0; i < n; i++)
                    CHECK_NEAR(J[j * n + i], mill_partial(&p, n, v, j, i), 1e-14);
            memset(J, 0x55, sizeof J);
            CHECK_STATUS(ad_jacobian_forward(t, n, x, m, y, J), AD_OK);
            for (j = 0; j < m; j++)
                for (i = 0; i < n; i++)
                    CHECK_NEAR(J[j * n + i], mill_partial(&p, n, v, j, i), 1e-14);
            /* f = seeds . y^2: curvature through the operation and after it */
            f = ad_const(0.0);
            for (j = 0; j < m; j++) f = ad_var_add(f, ad_var_mul_r(ad_var_square(y[j]), seeds[j]));
            before = p.value;
            CHECK_STATUS(ad_hessian_of(f, n, x, H), AD_OK);
            CHECK(p.dual > 0);
            for (i = 0; i < n; i++) {
                for (l = 0; l < n; l++) {
                    for (j = 0, s = 0; j < m; j++)
                        s += 2 * seeds[j]
                             * (mill_partial(&p, n, v, j, i) * mill_partial(&p, n, v, j, l)
                                + mill_result(&p, n, v, j) * mill_second(&p, n, v, j, i, l));
                    CHECK_NEAR(H[i * n + l], s, 1e-13);
                    CHECK(H[i * n + l] == H[l * n + i]);
                }
            }
            CHECK_STATUS(ad_forward_over_reverse(f, n, x, dot), AD_OK);
            for (i = 0; i < n; i++) {
                for (l = 0, s = 0; l < n; l++) s += H[i * n + l] * dot[l];
                CHECK_NEAR(ad_adjoint_tangent(x[i]), s, 1e-12);
            }
            CHECK(p.record == 0);
            CHECK_STATUS(ad_grad_vars(f, n, x, g), AD_OK);
            CHECK(p.record == 1);
            CHECK_STATUS(ad_backward(f), AD_OK);
            for (i = 0; i < n; i++) CHECK_NEAR(g[i].v, ad_adjoint(x[i]), 1e-13);
            CHECK_STATUS(ad_jacobian_forward(t, n, x, n, g, J), AD_OK);
            for (i = 0; i < n * n; i++) CHECK_NEAR(J[i], H[i], 1e-12);
            CHECK_STATUS(ad_jacobian_reverse(t, n, x, n, g, J), AD_OK);
            for (i = 0; i < n * n; i++) CHECK_NEAR(J[i], H[i], 1e-12);
            /* the third order, recorded again, against the library's own operations */
            if (n <= 4 && m <= 4) {
                ad_var h[7], z[9], r;
                double third[7];
                CHECK_STATUS(ad_grad_vars(ad_var_sum(n, g), n, x, h), AD_OK);
                r = ad_var_dot(n, h, h);
                CHECK_STATUS(ad_backward(r), AD_OK);
                for (i = 0; i < n; i++) third[i] = ad_adjoint(x[i]);
                mill_plain(&p, n, x, m, z);
                f = ad_const(0.0);
                for (j = 0; j < m; j++)
                    f = ad_var_add(f, ad_var_mul_r(ad_var_square(z[j]), seeds[j]));
                CHECK_STATUS(ad_grad_vars(f, n, x, g), AD_OK);
                CHECK_STATUS(ad_grad_vars(ad_var_sum(n, g), n, x, h), AD_OK);
                r = ad_var_dot(n, h, h);
                CHECK_STATUS(ad_backward(r), AD_OK);
                for (i = 0; i < n; i++) CHECK_NEAR(third[i] / ad_adjoint(x[i]), 1.0, 1e-9);
            }
            CHECK(p.value == before);                  /* no sweep evaluates again */
            CHECK(p.wrong == 0);
            CHECK_STATUS(ad_tape_status(t), AD_OK);
        }
    }
    ad_tape_destroy(t);
}

/* ---------------------------------------------------------------- which outputs, which operands */

/* Each subset of the outputs, used through an operation of the library, the others left alone. */
static void test_subsets(void)
{
    enum { N = 3, M = 4 };
    const double v[N] = { 0.5, -0.75, 1.25 }, unit[N] = { 1, 0.5, -2 };
    ad_tape *t = ad_tape_create(NULL);
    ad_var x[N], y[M], f, g[N], with[N];
    double J[N], H[N * N];
    int outputs, constants, i, j;
    for (outputs = 1; outputs < 1 << M; outputs++) {
        for (constants = 0; constants < 1 << N; constants++) {
            mill p = make_mill(-0.5);
            double s;
            ad_tape_reset(t);
            CHECK_STATUS(ad_inputs(t, N, v, x), AD_OK);
            for (i = 0; i < N; i++) with[i] = constants >> i & 1 ? ad_const(v[i]) : x[i];
            CHECK_STATUS(ad_var_call(t, &mill_op, &p, N, with, M, y), AD_OK);
            if (constants == (1 << N) - 1) {           /* all constant: so are the results */
                for (j = 0; j < M; j++)
                    CHECK(y[j].tape == NULL && y[j].v == mill_result(&p, N, v, (size_t)j));
                CHECK(slots(t) == N);
                continue;
            }
            f = ad_const(0.0);
            for (j = 0; j < M; j++)
                if (outputs >> j & 1) f = ad_var_add(f, ad_var_mul_r(y[j], (double)(j + 1)));
            CHECK_STATUS(ad_backward(f), AD_OK);
            for (i = 0; i < N; i++) {
                for (j = 0, s = 0; j < M; j++)
                    if ((outputs >> j & 1) && !(constants >> i & 1))
                        s += (j + 1) * mill_partial(&p, N, v, (size_t)j, (size_t)i);
                CHECK_NEAR(ad_adjoint(x[i]), s, 1e-14);
                J[i] = s;
            }
            for (j = 0; j < M; j++) CHECK(ad_adjoint(y[j]) == ((outputs >> j & 1) ? j + 1 : 0));
            CHECK_STATUS(ad_forward(t, N, x, unit), AD_OK);
            CHECK_NEAR(ad_tangent(f), J[0] * unit[0] + J[1] * unit[1] + J[2] * unit[2], 1e-14);
            {
                double R[N], F[N];
                CHECK_STATUS(ad_jacobian_reverse(t, N, x, 1, &f, R), AD_OK);
                CHECK_STATUS(ad_jacobian_forward(t, N, x, 1, &f, F), AD_OK);
                for (i = 0; i < N; i++) CHECK_NEAR(R[i], J[i], 1e-14);
                for (i = 0; i < N; i++) CHECK_NEAR(F[i], J[i], 1e-14);
            }
            CHECK_STATUS(ad_hessian_of(f, N, x, H), AD_OK);
            for (i = 0; i < N * N; i++) {
                for (j = 0, s = 0; j < M; j++)
                    if ((outputs >> j & 1) && !(constants >> (i / N) & 1)
                        && !(constants >> (i % N) & 1))
                        s += (j + 1)
                             * mill_second(&p, N, v, (size_t)j, (size_t)(i / N), (size_t)(i % N));
                CHECK_NEAR(H[i], s, 1e-14);
            }
            CHECK_STATUS(ad_grad_vars(f, N, x, g), AD_OK);
            for (i = 0; i < N; i++) CHECK_NEAR(g[i].v, J[i], 1e-14);
            for (i = 0; i < N; i++)
                if (constants >> i & 1) CHECK(g[i].v == 0.0 && g[i].tape == NULL);
            CHECK(p.wrong == 0);
        }
    }
    {   /* outputs that nobody uses cost nothing, and do no harm */
        mill p = make_mill(1.0);
        ad_tape_reset(t);
        CHECK_STATUS(ad_inputs(t, N, v, x), AD_OK);
        CHECK_STATUS(ad_var_call(t, &mill_op, &p, N, x, M, y), AD_OK);
        f = ad_var_mul(x[0], x[1]);
        CHECK_STATUS(ad_backward(f), AD_OK);
        CHECK(p.reverse == 0);                         /* all its adjoints are zero: not called */
        CHECK(ad_adjoint(x[0]) == v[1]);
        CHECK_STATUS(ad_grad_vars(f, N, x, g), AD_OK);
        CHECK(p.record == 0);
        CHECK(g[0].v == v[1]);
        {   /* so what it lacks does not matter */
            ad_op bare = mill_op;
            const size_t mark = ad_tape_mark(t);
            bare.reverse = NULL;
            bare.reverse_dual = NULL;
            bare.record = NULL;
            CHECK_STATUS(ad_var_call(t, &bare, &p, N, x, M, y), AD_OK);
            f = ad_var_mul(x[0], x[1]);
            CHECK_STATUS(ad_backward(f), AD_OK);
            CHECK_STATUS(ad_jacobian_reverse(t, N, x, 1, &f, J), AD_OK);
            CHECK_STATUS(ad_hessian_of(f, N, x, H), AD_OK);
            CHECK_STATUS(ad_grad_vars(f, N, x, g), AD_OK);
            ad_tape_clear_status(t);
            ad_tape_rewind(t, mark);
        }
        CHECK_STATUS(ad_var_call(t, &mill_op, &p, N, x, M, y), AD_OK);
        f = ad_var_mul(x[0], x[1]);
        /* a sweep from the middle of the results: y[3] is above the output */
        CHECK_STATUS(ad_backward(y[1]), AD_OK);
        for (i = 0; i < N; i++)
            CHECK_NEAR(ad_adjoint(x[i]), mill_partial(&p, N, v, 1, (size_t)i), 1e-14);
        CHECK(ad_adjoint(y[0]) == 0.0 && ad_adjoint(y[2]) == 0.0 && ad_adjoint(y[3]) == 0.0
              && ad_adjoint(f) == 0.0);
        CHECK_STATUS(ad_grad_vars(y[0], N, x, g), AD_OK);
        for (i = 0; i < N; i++) CHECK_NEAR(g[i].v, mill_partial(&p, N, v, 0, (size_t)i), 1e-14);
        CHECK_STATUS(ad_grad_vars(y[M - 1], N, x, g), AD_OK);
        for (i = 0; i < N; i++) CHECK_NEAR(g[i].v, mill_partial(&p, N, v, M - 1, (size_t)i), 1e-14);
        CHECK_STATUS(ad_hessian_of(y[0], N, x, H), AD_OK);
        for (i = 0; i < N * N; i++)
            CHECK_NEAR(H[i], mill_second(&p, N, v, 0, (size_t)(i / N), (size_t)(i % N)), 1e-14);
        CHECK_STATUS(ad_tape_status(t), AD_OK);
        /* a tangent seeded at one result alone */
        {
            const double one = 1;
            CHECK_STATUS(ad_forward(t, 1, y + 2, &one), AD_OK);
            CHECK(ad_tangent(y[2]) == 1.0 && ad_tangent(y[1]) == 0.0 && ad_tangent(y[3]) == 0.0);
            CHECK_STATUS(ad_forward(t, 1, y, &one), AD_OK);
            CHECK(ad_tangent(y[0]) == 1.0 && ad_tangent(y[2]) == 0.0);
        }
        CHECK(p.wrong == 0);
    }
    ad_tape_destroy(t);
}

/* The same variable in several places; results fed into the next call; a hundred calls in a row. */
static void test_chains(void)
{
    ad_tape *t = ad_tape_create(NULL);
    mill p = make_mill(0.3);
    ad_var x = ad_input(t, 0.4), in[3], y[3], plain[3], g, h;
    const double one = 1;
    double back, H, H2;
    int k;
    in[0] = in[1] = in[2] = x;
    CHECK_STATUS(ad_var_call(t, &mill_op, &p, 3, in, 3, y), AD_OK);
    mill_plain(&p, 3, in, 3, plain);
    for (k = 0; k < 20; k++) {
        ad_var z[3], q[3];
        CHECK_STATUS(ad_var_call(t, &mill_op, &p, 3, y, 3, z), AD_OK);
        mill_plain(&p, 3, plain, 3, q);
        memcpy(y, z, sizeof y);
        memcpy(plain, q, sizeof plain);
        y[k % 3] = ad_var_mul_r(ad_var_tanh(y[k % 3]), 0.5);
        plain[k % 3] = ad_var_mul_r(ad_var_tanh(plain[k % 3]), 0.5);
        y[1] = ad_var_sin(y[1]);
        plain[1] = ad_var_sin(plain[1]);
    }
    CHECK_NEAR(y[0].v, plain[0].v, 1e-9);
    CHECK_STATUS(ad_backward(plain[0]), AD_OK);
    back = ad_adjoint(x);
    CHECK_STATUS(ad_backward(y[0]), AD_OK);
    CHECK_NEAR(ad_adjoint(x) / back, 1.0, 1e-8);
    CHECK_STATUS(ad_forward(t, 1, &x, &one), AD_OK);
    CHECK_NEAR(ad_tangent(y[0]) / back, 1.0, 1e-8);
    CHECK_STATUS(ad_hessian_of(plain[0], 1, &x, &H), AD_OK);
    CHECK_STATUS(ad_hessian_of(y[0], 1, &x, &H2), AD_OK);
    CHECK_NEAR(H2 / H, 1.0, 1e-7);
    CHECK_STATUS(ad_grad_vars(y[0], 1, &x, &g), AD_OK);
    CHECK_NEAR(g.v / back, 1.0, 1e-8);
    CHECK_STATUS(ad_grad_vars(g, 1, &x, &h), AD_OK);
    CHECK_NEAR(h.v / H, 1.0, 1e-7);
    CHECK(p.wrong == 0);
    CHECK_STATUS(ad_tape_status(t), AD_OK);
    ad_tape_destroy(t);
}

/* The gradient by some operands alone: those below the lowest of them are nobody's business. */
static void test_some_operands(void)
{
    enum { N = 6 };
    ad_tape *t = ad_tape_create(NULL);
    mill p = make_mill(0.5);
    const double v[N] = { 0.1, 0.4, 0.9, -0.3, 0.6, 1.2 };
    ad_var x[N], y[2], g[N];
    double J[2 * N];
    size_t i, first, count, turn;
    CHECK_STATUS(ad_inputs(t, N, v, x), AD_OK);
    CHECK_STATUS(ad_var_call(t, &mill_op, &p, N, x, 2, y), AD_OK);
    for (turn = 0; turn < 2; turn++) {
        for (first = 0; first < N; first++) {
            for (count = 1; first + count <= N; count++) {
                /* fill the library's working memory with other numbers first */
                CHECK_STATUS(ad_jacobian_reverse(t, N, x, 2, y, J), AD_OK);
                CHECK_STATUS(ad_grad_vars(y[1 - turn], count, x + first, g), AD_OK);
                for (i = 0; i < count; i++)
                    CHECK_NEAR(g[i].v, mill_partial(&p, N, v, 1 - turn, first + i), 1e-14);
            }
        }
    }
    CHECK(p.wrong == 0);
    CHECK_STATUS(ad_tape_status(t), AD_OK);
    ad_tape_destroy(t);
}

/* Operations with several results, taken apart: the gradient by one result, or from one result. The
   adjoints of the others are the constant 0, whatever stood in the memory before. */
typedef struct apart { mill op; unsigned wanted; int calls, wrong; } apart;

static ad_status apart_value(void *user, size_t n, const double *x, size_t m, double *y)
{
    return mill_value(&((apart *)user)->op, n, x, m, y);
}
static ad_status apart_reverse(void *user, size_t n, const double *x, size_t m, const double *y,
                               const double *y_bar, double *x_bar)
{
    apart *p = (apart *)user;
    size_t j;
    p->calls++;
    for (j = 0; j < m; j++) p->wrong += (y_bar[j] == 0) == (p->wanted >> j & 1);
    return mill_reverse(&p->op, n, x, m, y, y_bar, x_bar);
}
static ad_status apart_dual(void *user, size_t n, const ad_dual *x, size_t m, const ad_dual *y,
                            const ad_dual *y_bar, ad_dual *x_bar)
{
    apart *p = (apart *)user;
    size_t j;
    p->calls++;
    for (j = 0; j < m; j++) p->wrong += (y_bar[j].v == 0) == (p->wanted >> j & 1);
    return mill_dual(&p->op, n, x, m, y, y_bar, x_bar);
}
static ad_status apart_record(void *user, ad_tape *t, size_t n, const ad_var *x, size_t m,
                              const ad_var *y, const ad_var *y_bar, ad_var *x_bar)
{
    apart *p = (apart *)user;
    size_t j;
    int bad = 0;
    p->calls++;
    for (j = 0; j < m; j++)
        if (p->wanted >> j & 1) bad += (y_bar[j].tape != NULL && y_bar[j].tape != t);
        else bad += !(y_bar[j].tape == NULL && y_bar[j].v == 0);
    p->wrong += bad;
    return bad ? AD_ERR_USER : mill_record(&p->op, t, n, x, m, y, y_bar, x_bar);
}

static void test_results_apart(void)
{
    enum { N = 2, M = 5 };
    static const ad_op op = { "apart", apart_value, apart_reverse, mill_tangent, apart_dual,
        apart_record };
    const double v[N] = { 0.5, -0.75 }, one[N] = { 1, 1 };
    heap memory;
    ad_tape_desc desc;
    int from, by, i;
    memset(&memory, 0, sizeof memory);
    memset(&desc, 0, sizeof desc);
    desc.resize = heap_resize;                          /* whose blocks are never zero */
    desc.resize_user = &memory;
    for (from = 0; from < M; from++)
        for (by = -1; by < M; by++) {
            ad_tape *t = ad_tape_create(&desc);
            apart p;
            ad_var x[N], y[M], z, g[N];
            double H[N * N];
            memset(&p, 0, sizeof p);
            p.op = make_mill(0.25);
            CHECK_STATUS(ad_inputs(t, N, v, x), AD_OK);
            CHECK_STATUS(ad_var_call(t, &op, &p, N, x, M, y), AD_OK);
            p.wanted = (1u << M) - 1;
            CHECK_STATUS(ad_backward(ad_var_norm(M, y)), AD_OK);      /* adjoints in all places */
            p.wanted = 1u << from;
            if (by < 0) {                                /* of that result itself, by x */
                CHECK_STATUS(ad_backward(y[from]), AD_OK);
                for (i = 0; i < N; i++)
                    CHECK_NEAR(ad_adjoint(x[i]),
                        mill_partial(&p.op, N, v, (size_t)from, (size_t)i), 1e-14);
                CHECK_STATUS(ad_forward_over_reverse(y[from], N, x, one), AD_OK);
                CHECK_STATUS(ad_hessian_of(y[from], N, x, H), AD_OK);
                for (i = 0; i < N * N; i++)
                    CHECK_NEAR(H[i], mill_second(&p.op, N, v, (size_t)from, (size_t)(i / N),
                        (size_t)(i % N)), 1e-14);
                CHECK_STATUS(ad_grad_vars(y[from], N, x, g), AD_OK);
                for (i = 0; i < N; i++)
                    CHECK_NEAR(g[i].v,
                        mill_partial(&p.op, N, v, (size_t)from, (size_t)i), 1e-14);
            } else {                                     /* through it, by a result */
                z = ad_var_square(y[from]);
                CHECK_STATUS(ad_grad_vars(z, 1, &y[by], g), AD_OK);
                CHECK(g[0].v == (by == from ? 2 * y[by].v : 0));
                CHECK_STATUS(ad_grad_vars(y[from], 1, &y[by], g), AD_OK);
                CHECK(g[0].v == (by == from));
            }
            test_check(p.wrong == 0, __FILE__, __LINE__,
                "result %d by %s%d: %d adjoints that are not 0, in %d calls", from,
                by < 0 ? "x, " : "result ", by, p.wrong, p.calls);
            CHECK_STATUS(ad_tape_status(t), AD_OK);
            CHECK(p.op.wrong == 0);
            ad_tape_destroy(t);
        }
    CHECK(memory.wrong == 0 && memory.blocks == 0);
}

/* A record callback that takes a gradient itself, in the midst of the sweep that calls it, which
   goes on as if nothing had been: behind the operation is a branch that is not taken, and a
   gradient that was recorded where it is taken, compiled, has no NaN of it. */
static ad_status nested_value(void *user, size_t n, const double *x, size_t m, double *y)
{
    (void)user; (void)n; (void)m;
    y[0] = x[0] * x[0];
    return AD_OK;
}
static ad_status nested_record(void *user, ad_tape *t, size_t n, const ad_var *x, size_t m,
                               const ad_var *y, const ad_var *y_bar, ad_var *x_bar)
{
    ad_var s = ad_var_square(x[0]), g;
    int i;
    (void)user; (void)t; (void)n; (void)m; (void)y;
    for (i = 0; i < 1000; i++) s = ad_var_mul_r(s, 1);       /* far beyond the other sweep */
    if (ad_grad_vars(s, 1, x, &g) != AD_OK) return AD_ERR_USER;
    x_bar[0] = ad_var_mul(y_bar[0], g);
    return AD_OK;
}
static void test_nested_gradients(void)
{
    static const ad_op op = { "nested", nested_value, NULL, NULL, NULL, nested_record };
    static const double points[] = { 0.5, -2, -0.25, 1.5 };
    ad_tape *const t = ad_tape_create(NULL);
    ad_var x = ad_input(t, 0.5), y, z, g;
    ad_fn *f;
    size_t i;
    y = ad_var_select(ad_var_lt_r(x, 0), x, ad_var_exp(ad_var_mul_r(x, -1000)));
    CHECK_STATUS(ad_var_call(t, &op, NULL, 1, &y, 1, &z), AD_OK);
    CHECK_STATUS(ad_grad_vars(z, 1, &x, &g), AD_OK);
    f = ad_fn_create(t, 1, &x, 1, &g, NULL);
    CHECK_STATUS(ad_fn_status(f), AD_OK);
    for (i = 0; i < 4; i++) {
        const double at = points[i], e = exp(-1000 * at);
        double got = 0;
        CHECK_STATUS(ad_fn_eval(f, &at, &got), AD_OK);
        CHECK_NEAR(got, at < 0 ? 2 * at : -2000 * e * e, 1e-12);
    }
    ad_fn_destroy(f);
    ad_tape_destroy(t);
}

/* ---------------------------------------------------------------- on whole arrays */

/* sum of weights times tanh of mill's six results, of a matrix, three constants and a vector that
   is borrowed: by ad_array_call, or in the library's operations. */
typedef struct arrays_case {
    ad_tape *t;
    ad_array x[3], y;
    ad_var loss, all[9];
} arrays_case;
static const double arrays_v[9] = { 0.4, -0.7, 1.1, 0.2, -0.3, 0.9, 0.6, -1.2, 0.8 };
static arrays_case make_arrays(mill *p, int plain)
{
    static const int32_t square[2] = { 2, 2 }, three = 3, two = 2, result[2] = { 3, 2 };
    static const double weights[6] = { 1, -0.5, 2, 0.25, -1.5, 0.75 };
    arrays_case c;
    ad_var y[6];
    int i;
    c.t = ad_tape_create(NULL);
    c.x[0] = ad_array_input(c.t, 2, square, arrays_v);
    c.x[1] = ad_array_const(c.t, 1, &three, arrays_v + 4);
    c.x[2] = ad_array_borrow(c.t, 1, &two, arrays_v + 7);
    for (i = 0; i < 4; i++) c.all[i] = ad_array_at(c.x[0], (size_t)i);
    for (; i < 7; i++) c.all[i] = ad_const(arrays_v[i]);
    for (; i < 9; i++) c.all[i] = ad_array_at(c.x[2], (size_t)i - 7);
    if (plain) {
        mill_plain(p, 9, c.all, 6, y);
        c.y = ad_array_pack(c.t, 2, result, y);
    } else {
        c.y = ad_array_call(c.t, &mill_op, p, 3, c.x, 2, result);
    }
    c.loss = ad_array_item(ad_array_dot(ad_array_tanh(c.y),
                                        ad_array_const(c.t, 2, result, weights)));
    CHECK_STATUS(ad_tape_status(c.t), AD_OK);
    return c;
}
static void test_arrays(void)
{
    static const double dot[4] = { 1, -2, 0.5, 3 }, dot2[2] = { -1, 0.25 };
    const double *dots[3];
    mill p = make_mill(0.75);
    arrays_case a = make_arrays(&p, 0), b = make_arrays(&p, 1);
    ad_var in[6], same[6];
    double H[36], K[36];
    ad_array g[3], h[3], u;
    int i;
    for (i = 0; i < 6; i++) {
        in[i] = a.all[i < 4 ? i : i + 3];
        same[i] = b.all[i < 4 ? i : i + 3];
        CHECK_NEAR(ad_array_values(a.y)[i], mill_result(&p, 9, arrays_v, (size_t)i), 0);
    }
    CHECK(a.y.rank == 2 && a.y.dim[0] == 3 && a.y.dim[1] == 2);
    CHECK_NEAR(a.loss.v, b.loss.v, 1e-15);
    CHECK_STATUS(ad_backward(a.loss), AD_OK);
    CHECK_STATUS(ad_backward(b.loss), AD_OK);
    for (i = 0; i < 6; i++) CHECK_NEAR(ad_adjoint(in[i]), ad_adjoint(same[i]), 1e-14);
    for (i = 0; i < 6; i++)
        CHECK_NEAR(ad_array_adjoints(a.y)[i], ad_array_adjoints(b.y)[i], 1e-14);
    dots[0] = dot;
    dots[1] = NULL;
    dots[2] = dot2;
    CHECK_STATUS(ad_array_forward(a.t, 3, a.x, dots), AD_OK);
    CHECK_STATUS(ad_array_forward(b.t, 3, b.x, dots), AD_OK);
    CHECK_NEAR(ad_tangent(a.loss), ad_tangent(b.loss), 1e-14);
    CHECK_STATUS(ad_hessian_of(a.loss, 6, in, H), AD_OK);
    CHECK_STATUS(ad_hessian_of(b.loss, 6, same, K), AD_OK);
    for (i = 0; i < 36; i++) CHECK_NEAR(H[i], K[i], 1e-13);
    CHECK_STATUS(ad_forward_over_reverse(a.loss, 6, in, H), AD_OK);
    CHECK_STATUS(ad_forward_over_reverse(b.loss, 6, same, H), AD_OK);
    for (i = 0; i < 6; i++)
        CHECK_NEAR(ad_adjoint_tangent(in[i]), ad_adjoint_tangent(same[i]), 1e-13);
    /* recorded, and swept again */
    CHECK_STATUS(ad_array_grad(a.loss, 3, a.x, g), AD_OK);
    CHECK_STATUS(ad_array_grad(b.loss, 3, b.x, h), AD_OK);
    u = ad_array_sum(ad_array_square(g[0]), AD_ALL_AXES, 0);
    CHECK_STATUS(ad_array_backward(u, NULL), AD_OK);
    u = ad_array_sum(ad_array_square(h[0]), AD_ALL_AXES, 0);
    CHECK_STATUS(ad_array_backward(u, NULL), AD_OK);
    for (i = 0; i < 6; i++) CHECK_NEAR(ad_adjoint(in[i]), ad_adjoint(same[i]), 1e-13);
    /* second order by the recorded gradient: that is the way where there are arrays */
    CHECK(p.wrong == 0 && p.reverse && p.tangent && p.record);
    /* of constants alone, and of nothing: a constant */
    u = ad_array_call(a.t, &mill_op, &p, 1, a.x + 1, 1, a.y.dim);
    CHECK(u.rank == 1 && ad_array_size(u) == 3 && ad_array_at(u, 2).tape == NULL);
    CHECK_NEAR(ad_array_values(u)[2], mill_result(&p, 3, arrays_v + 4, 2), 0);
    CHECK_NEAR(ad_array_values(ad_array_call(a.t, &mill_op, &p, 0, NULL, 0, NULL))[0], p.k, 0);
    CHECK_STATUS(ad_tape_status(a.t), AD_OK);
    ad_tape_destroy(a.t);
    ad_tape_destroy(b.t);
}

/* Matrices by the operation's own means, its gradient recorded in array operations: x W. */
enum { ROWS = 4, INNER = 3, COLUMNS = 5 };
static ad_status product_value(void *user, size_t n, const double *x, size_t m, double *y)
{
    const double *const w = x + ROWS * INNER;
    size_t i, j, k;
    (void)user; (void)n; (void)m;
    for (i = 0; i < ROWS; i++)
        for (j = 0; j < COLUMNS; j++)
            for (y[i * COLUMNS + j] = 0, k = 0; k < INNER; k++)
                y[i * COLUMNS + j] += x[i * INNER + k] * w[k * COLUMNS + j];
    return AD_OK;
}
static const int32_t of_x[2] = { ROWS, INNER }, of_w[2] = { INNER, COLUMNS },
    of_y[2] = { ROWS, COLUMNS };
static ad_status product_record(void *user, ad_tape *t, size_t n, const ad_var *x, size_t m,
                                const ad_var *y, const ad_var *y_bar, ad_var *x_bar)
{
    const ad_array a = ad_array_pack(t, 2, of_x, x), bar = ad_array_pack(t, 2, of_y, y_bar);
    const ad_array w = ad_array_pack(t, 2, of_w, x + ROWS * INNER);
    (void)user; (void)n; (void)m; (void)y;
    if (ad_array_unpack(ad_array_matmul_t(bar, 0, w, 1), x_bar) != AD_OK) return AD_ERR_USER;
    return ad_array_unpack(ad_array_matmul_t(a, 1, bar, 0), x_bar + ROWS * INNER);
}
static void test_product(void)
{
    static const ad_op op = { "product", product_value, NULL, NULL, NULL, product_record };
    ad_tape *const t = ad_tape_create(NULL);
    double numbers[ROWS * INNER + INNER * COLUMNS];
    ad_array in[2], g[2], h[2], u;
    size_t i;
    int k;
    for (i = 0; i < sizeof numbers / sizeof *numbers; i++) numbers[i] = sin(1.7 * (double)i);
    in[0] = ad_array_input(t, 2, of_x, numbers);
    in[1] = ad_array_input(t, 2, of_w, numbers + ROWS * INNER);
    for (k = 0; k < 2; k++) {
        ad_array *const to = k ? h : g;
        u = k ? ad_array_matmul(in[0], in[1]) : ad_array_call(t, &op, NULL, 2, in, 2, of_y);
        u = ad_array_sum(ad_array_exp(u), AD_ALL_AXES, 0);
        CHECK_STATUS(ad_array_grad(ad_array_item(u), 2, in, to), AD_OK);
    }
    for (i = 0; i < ad_array_size(g[0]); i++)
        CHECK_NEAR(ad_array_values(g[0])[i], ad_array_values(h[0])[i], 1e-13);
    for (i = 0; i < ad_array_size(g[1]); i++)
        CHECK_NEAR(ad_array_values(g[1])[i], ad_array_values(h[1])[i], 1e-13);
    ad_tape_destroy(t);
}

static void test_arrays_refused(void)
{
    static const int32_t two[2] = { 2, 1 }, minus[2] = { 2, -1 }, huge[2] = { 70000, 70000 };
    static const int32_t empty[2] = { 2, 0 };
    static const double v[2] = { 1, 2 };
    mill p = make_mill(1);
    ad_tape *const t = ad_tape_create(NULL), *const other = ad_tape_create(NULL);
    ad_array x[2];
    size_t before;
    x[0] = ad_array_input(t, 2, two, v);
    x[1] = ad_array_input(other, 2, two, v);
    before = slots(t);
#define REFUSED(call, expected, piece) do {                                                        \
        CHECK((call).rank == -1);                                                                  \
        SAYS(t, expected, piece, "");                                                              \
        ad_tape_clear_status(t);                                                                   \
        CHECK(slots(t) == before);                                                                 \
    } while (0)
    REFUSED(ad_array_call(t, &mill_op, &p, 1, x, 5, two), AD_ERR_SHAPE, "ad_array_call: rank 5");
    REFUSED(ad_array_call(t, &mill_op, &p, 1, x, 1, NULL), AD_ERR_SHAPE, "NULL for a shape");
    REFUSED(ad_array_call(t, &mill_op, &p, 1, x, 2, minus), AD_ERR_SHAPE, "[2, -1]");
    REFUSED(ad_array_call(t, &mill_op, &p, 1, x, 2, huge), AD_ERR_LIMIT, "[70000, 70000]");
    REFUSED(ad_array_call(t, &mill_op, &p, 1, x, 2, empty), AD_ERR_ARGUMENT, "0 results");
    REFUSED(ad_array_call(t, &mill_op, &p, 2, x, 2, two), AD_ERR_MIXED, "ad_array_call");
    REFUSED(ad_array_call(t, &mill_op, &p, 2, NULL, 2, two), AD_ERR_ARGUMENT, "NULL for 2");
    REFUSED(ad_array_call(t, NULL, &p, 1, x, 2, two), AD_ERR_ARGUMENT, "value callback");
    p.fail = 1;
    REFUSED(ad_array_call(t, &mill_op, &p, 1, x, 2, two), AD_ERR_USER, "mill");
#undef REFUSED
    CHECK(ad_array_call(NULL, &mill_op, &p, 1, x, 2, two).rank == -1);
    ad_tape_destroy(t);
    ad_tape_destroy(other);
}

/* Through rewinding: operands in place, names, no growth. */
static void test_rewinding(void)
{
    ad_tape *t = ad_tape_create(NULL);
    mill p = make_mill(0.3);
    const double v[2] = { 0.4, 0.9 };
    ad_var x[2], y[2];
    size_t mark, bytes = 0;
    int k, bad = 0;
    CHECK_STATUS(ad_inputs(t, 2, v, x), AD_OK);
    mark = ad_tape_mark(t);
    for (k = 0; k < 20000; k++) {
        if (ad_var_call(t, &mill_op, &p, 2, x, 2, y) != AD_OK || ad_backward(y[k & 1]) != AD_OK)
            bad++;
        if (!test_near(ad_adjoint(x[0]), mill_partial(&p, 2, v, (size_t)(k & 1), 0), 1e-14)) bad++;
        ad_tape_rewind(t, mark);
        if (k == 100) bytes = ad_tape_get_stats(t).bytes;
    }
    CHECK(bad == 0);
    CHECK(ad_tape_get_stats(t).bytes == bytes);
    CHECK(slots(t) == 2);
    ad_tape_destroy(t);
}

/* ---------------------------------------------------------------- what is missing, what fails */

static void test_missing(void)
{
    int which;
    for (which = 0; which < 5; which++) {
        ad_op op = mill_op;
        mill p = make_mill(1.0);
        ad_tape *t = ad_tape_create(NULL);
        const double v[2] = { 0.5, 1.5 }, w[2] = { 1, 1 };
        ad_var x[2], y[2], g[2];
        double J[4];
        ad_status s;
        size_t before;
        op.name = "grinder";
        if (which == 0) op.value = NULL;
        if (which == 1) op.reverse = NULL;
        if (which == 2) op.tangent = NULL;
        if (which == 3) op.reverse_dual = NULL;
        if (which == 4) op.record = NULL;
        CHECK_STATUS(ad_inputs(t, 2, v, x), AD_OK);
        s = ad_var_call(t, &op, &p, 2, x, 2, y);
        if (which == 0) {                              /* value is always needed */
            CHECK(s == AD_ERR_UNSUPPORTED || s == AD_ERR_ARGUMENT);
            CHECK(ad_tape_status(t) == s);
            CHECK(slots(t) == 2);
            ad_tape_destroy(t);
            continue;
        }
        CHECK_STATUS(s, AD_OK);
        before = slots(t);
#define EXPECT(n, call) do {                                                                       \
            const ad_status got_ = (call);                                                         \
            const ad_status want_ = which == (n) ? AD_ERR_UNSUPPORTED : AD_OK;                     \
            test_check(got_ == want_, __FILE__, __LINE__, "without callback %d, %s gave %s",       \
                       which, #call, ad_status_name(got_));                                        \
            if (which == (n)) SAYS(t, AD_ERR_UNSUPPORTED, "grinder", "");                          \
            else CHECK_STATUS(ad_tape_status(t), AD_OK);                                           \
            ad_tape_clear_status(t);                                                               \
        } while (0)
        EXPECT(1, ad_backward(y[0]));
        EXPECT(1, ad_backward_seeded(t, 2, y, w));
        EXPECT(1, ad_jacobian_reverse(t, 2, x, 2, y, J));
        EXPECT(2, ad_forward(t, 2, x, v));
        EXPECT(2, ad_jacobian_forward(t, 2, x, 2, y, J));
        /* second order needs tangents of the values, then reverse_dual */
        if (which != 2) {
            EXPECT(3, ad_forward_over_reverse(y[0], 2, x, v));
            EXPECT(3, ad_hessian_of(y[0], 2, x, J));
        } else {
            EXPECT(2, ad_forward_over_reverse(y[0], 2, x, v));
            EXPECT(2, ad_hessian_of(y[0], 2, x, J));
        }
        CHECK(slots(t) == before);
        EXPECT(4, ad_grad_vars(y[0], 2, x, g));
        if (which == 4) CHECK(slots(t) == before);     /* nothing half recorded */
        /* below the operation, a sweep does not need it */
        ad_tape_clear_status(t);
        CHECK_STATUS(ad_backward(x[0]), AD_OK);
        CHECK(ad_adjoint(x[0]) == 1.0);
        ad_tape_rewind(t, 2);
        CHECK_STATUS(ad_backward(ad_var_mul(x[0], x[1])), AD_OK);
        CHECK(ad_adjoint(x[0]) == 1.5);
        ad_tape_destroy(t);
    }
}

static void test_failing(void)
{
    int which, custom;
    for (which = 1; which <= 5; which++) {
        for (custom = 0; custom < 4; custom++) {           /* one of two statuses; debugging */
            ad_op op = mill_op;
            mill p = make_mill(1.0);
            ad_tape_desc desc;
            ad_tape *t;
            const double v[2] = { 0.5, 1.5 }, w[2] = { 1, 1 };
            ad_var x[2], y[2], g[2];
            double J[4];
            const ad_status want = AD_ERR_USER;
            p.failure = custom & 1 ? AD_ERR_ARGUMENT : AD_ERR_USER;    /* whatever it says */
            op.name = "breaker";
            memset(&desc, 0, sizeof desc);
            desc.debug = custom >> 1;
            t = ad_tape_create(&desc);
            CHECK_STATUS(ad_inputs(t, 2, v, x), AD_OK);
            y[0] = y[1] = ad_const(0.0);
            p.fail = which == 1;
            if (which == 1) {
                CHECK_STATUS(ad_var_call(t, &op, &p, 2, x, 2, y), want);
                SAYS(t, want, "breaker", "");
                CHECK(slots(t) == 2);
                CHECK(nan_constant(ad_var_mul(x[0], x[1])));
                ad_tape_clear_status(t);
                p.fail = 0;
            }
            CHECK_STATUS(ad_var_call(t, &op, &p, 2, x, 2, y), AD_OK);
            p.fail = which;
#define FAILS(n, call) do {                                                                        \
                const ad_status got_ = (call), want_ = which == (n) ? want : AD_OK;                \
                test_check(got_ == want_, __FILE__, __LINE__,                                      \
                           "with failing callback %d, %s gave %s", which, #call,                   \
                           ad_status_name(got_));                                                  \
                if (which == (n)) SAYS(t, want, "breaker", "");                                    \
                ad_tape_clear_status(t);                                                           \
            } while (0)
            FAILS(2, ad_backward(y[0]));
            FAILS(2, ad_backward_seeded(t, 2, y, w));
            FAILS(2, ad_jacobian_reverse(t, 2, x, 2, y, J));
            FAILS(3, ad_forward(t, 2, x, v));
            FAILS(3, ad_jacobian_forward(t, 2, x, 2, y, J));
            if (which != 3) FAILS(4, ad_hessian_of(y[0], 2, x, J));
            if (which != 3) FAILS(4, ad_forward_over_reverse(y[0], 2, x, v));
            FAILS(5, ad_grad_vars(y[0], 2, x, g));
            /* a sweep that fails leaves nothing of those before it */
            p.fail = 0;
            CHECK_STATUS(ad_forward_over_reverse(y[0], 2, x, v), AD_OK);
            CHECK_STATUS(ad_forward(t, 2, x, v), AD_OK);
            CHECK(ad_adjoint(x[0]) != 0 && ad_adjoint_tangent(x[0]) != 0 && ad_tangent(x[0]) != 0);
            p.fail = which;
            if (which == 2) FAILS(2, ad_backward(y[0]));
            if (which == 3) FAILS(3, ad_forward(t, 2, x, v));
            if (which == 4) FAILS(4, ad_forward_over_reverse(y[0], 2, x, v));
            CHECK((ad_adjoint(x[0]) == 0) == (which == 2 || which == 4));
            CHECK((ad_adjoint_tangent(x[0]) == 0) == (which == 4));
            CHECK((ad_tangent(x[0]) == 0) == (which == 3));
            p.fail = 0;
            CHECK_STATUS(ad_backward(y[0]), AD_OK);    /* and works again */
            CHECK_NEAR(ad_adjoint(x[0]), mill_partial(&p, 2, v, 0, 0), 1e-14);
            CHECK_STATUS(ad_grad_vars(y[0], 2, x, g), AD_OK);
            CHECK_NEAR(g[1].v, mill_partial(&p, 2, v, 0, 1), 1e-14);
            ad_tape_destroy(t);
        }
    }
    {   /* an operation without a name */
        ad_op op = mill_op;
        mill p = make_mill(1.0);
        ad_tape *t = ad_tape_create(NULL);
        ad_var x = ad_input(t, 1.0), y;
        op.name = NULL;
        op.reverse = NULL;
        CHECK_STATUS(ad_var_call(t, &op, &p, 1, &x, 1, &y), AD_OK);
        CHECK_STATUS(ad_backward(y), AD_ERR_UNSUPPORTED);
        CHECK(ad_tape_message(t)[0] != 0);
        ad_tape_clear_status(t);
        /* bad arguments record nothing */
        CHECK_STATUS(ad_var_call(t, &op, &p, 1, NULL, 1, &y), AD_ERR_ARGUMENT);
        ad_tape_clear_status(t);
        CHECK_STATUS(ad_var_call(t, &op, &p, 1, &x, 1, NULL), AD_ERR_ARGUMENT);
        ad_tape_clear_status(t);
        CHECK_STATUS(ad_var_call(NULL, &op, &p, 1, &x, 1, &y), AD_ERR_ARGUMENT);
        CHECK_STATUS(ad_tape_status(t), AD_OK);
        CHECK(slots(t) == 2);
        ad_tape_destroy(t);
    }
    {   /* no operands: a constant; no results: nothing that could be meant */
        mill p = make_mill(1.5);
        ad_tape *t = ad_tape_create(NULL);
        ad_var x = ad_input(t, 1.0), y[2];
        CHECK_STATUS(ad_var_call(t, &mill_op, &p, 0, NULL, 2, y), AD_OK);
        CHECK(y[0].tape == NULL && y[0].v == 1.5 && y[1].tape == NULL && y[1].v == 1.5);
        CHECK_STATUS(ad_var_call(t, &mill_op, &p, 1, &x, 0, y), AD_ERR_ARGUMENT);
        CHECK(slots(t) == 1);
        ad_tape_destroy(t);
    }
    {   /* operands of another tape, stale operands */
        mill p = make_mill(1.0);
        ad_tape *t = ad_tape_create(NULL), *s = ad_tape_create(NULL);
        ad_var x[2], y[2];
        x[0] = ad_input(t, 1.0);
        x[1] = ad_input(s, 1.0);
        CHECK_STATUS(ad_var_call(t, &mill_op, &p, 2, x, 2, y), AD_ERR_MIXED);
        CHECK(p.value == 0);                           /* before any effect */
        ad_tape_reset(t);
        CHECK_STATUS(ad_var_call(t, &mill_op, &p, 1, x, 2, y), AD_ERR_STALE);
        SAYS(t, AD_ERR_STALE, "mill", "");
        CHECK(p.value == 0 && slots(t) == 0);
        ad_tape_destroy(t);
        ad_tape_destroy(s);
    }
    {   /* the limit in the middle of its results */
        ad_tape_desc desc;
        size_t limit;
        memset(&desc, 0, sizeof desc);
        for (limit = 2; limit < 9; limit++) {
            mill p = make_mill(1.0);
            const double v[2] = { 0.5, 1.5 };
            ad_tape *t;
            ad_var x[2], y[5];
            ad_status s;
            desc.max_slots = limit;
            t = ad_tape_create(&desc);
            CHECK_STATUS(ad_inputs(t, 2, v, x), AD_OK);
            s = ad_var_call(t, &mill_op, &p, 2, x, 5, y);
            if (limit < 7) {
                CHECK_STATUS(s, AD_ERR_LIMIT);
                CHECK(slots(t) == 2);
                ad_tape_rewind(t, 2);
                CHECK_STATUS(ad_tape_status(t), AD_OK);
            }
            if (s == AD_OK) {
                CHECK_STATUS(ad_backward(y[4]), AD_OK);
                CHECK_NEAR(ad_adjoint(x[0]), mill_partial(&p, 2, v, 4, 0), 1e-14);
            }
            ad_tape_destroy(t);
        }
    }
}

/* ---------------------------------------------------------------- nested: record calls operations
   x^3, whose derivative is 3 times x^2, which is another operation of the user's with derivative
   2 x. And expo = exp, which is its own derivative by calling itself. */

static ad_status square_value(void *user, size_t n, const double *x, size_t m, double *y)
{
    (void)user;
    (void)n;
    (void)m;
    y[0] = x[0] * x[0];
    return AD_OK;
}
static ad_status square_reverse(void *user, size_t n, const double *x, size_t m, const double *y,
                                const double *y_bar, double *x_bar)
{
    (void)user;
    (void)n;
    (void)m;
    (void)y;
    x_bar[0] += 2 * x[0] * y_bar[0];
    return AD_OK;
}
static ad_status square_record(void *user, ad_tape *t, size_t n, const ad_var *x, size_t m,
                               const ad_var *y, const ad_var *y_bar, ad_var *x_bar)
{
    (void)user;
    (void)t;
    (void)n;
    (void)m;
    (void)y;
    x_bar[0] = ad_var_mul(ad_var_mul_r(x[0], 2.0), y_bar[0]);
    return AD_OK;
}
static const ad_op square_op = { "my square", square_value, square_reverse, NULL, NULL,
    square_record };

static ad_status cube_value(void *user, size_t n, const double *x, size_t m, double *y)
{
    (void)user;
    (void)n;
    (void)m;
    y[0] = x[0] * x[0] * x[0];
    return AD_OK;
}
static ad_status cube_reverse(void *user, size_t n, const double *x, size_t m, const double *y,
                              const double *y_bar, double *x_bar)
{
    (void)user;
    (void)n;
    (void)m;
    (void)y;
    x_bar[0] += 3 * x[0] * x[0] * y_bar[0];
    return AD_OK;
}
static ad_status cube_record(void *user, ad_tape *t, size_t n, const ad_var *x, size_t m,
                             const ad_var *y, const ad_var *y_bar, ad_var *x_bar)
{
    ad_var s;
    const ad_status status = ad_var_call(t, &square_op, user, 1, x, 1, &s);
    (void)n;
    (void)m;
    (void)y;
    if (status != AD_OK) return status;
    x_bar[0] = ad_var_mul(ad_var_mul_r(s, 3.0), y_bar[0]);
    return AD_OK;
}
static const ad_op cube_op = { "my cube", cube_value, cube_reverse, NULL, NULL, cube_record };

static ad_status expo_value(void *user, size_t n, const double *x, size_t m, double *y)
{
    size_t j;
    (void)user;
    (void)n;
    for (j = 0; j < m; j++) y[j] = exp(x[j]);
    return AD_OK;
}
static ad_status expo_reverse(void *user, size_t n, const double *x, size_t m, const double *y,
                              const double *y_bar, double *x_bar)
{
    size_t j;
    (void)user;
    (void)n;
    (void)x;
    for (j = 0; j < m; j++) x_bar[j] += y[j] * y_bar[j];
    return AD_OK;
}
static ad_status expo_record(void *user, ad_tape *t, size_t n, const ad_var *x, size_t m,
                             const ad_var *y, const ad_var *y_bar, ad_var *x_bar)
{
    const ad_op *self = (const ad_op *)user;
    ad_var again[40];
    size_t j;
    ad_status s;
    (void)y;
    if (m > 40) return AD_ERR_USER;
    s = ad_var_call(t, self, user, n, x, m, again);    /* exp' = exp, evaluated anew */
    if (s != AD_OK) return s;
    for (j = 0; j < m; j++) x_bar[j] = ad_var_mul(again[j], y_bar[j]);
    return AD_OK;
}

/* y = x0^2 x1 by checkpoint: record runs the function again on the tape and asks ad_grad_vars. */
static ad_status again_value(void *user, size_t n, const double *x, size_t m, double *y)
{
    (void)user;
    (void)n;
    (void)m;
    y[0] = x[0] * x[0] * x[1];
    return AD_OK;
}
static ad_status again_record(void *user, ad_tape *t, size_t n, const ad_var *x, size_t m,
                              const ad_var *y, const ad_var *y_bar, ad_var *x_bar)
{
    const ad_var z = ad_var_mul(ad_var_mul(ad_var_square(x[0]), x[1]), y_bar[0]);
    (void)user;
    (void)t;
    (void)m;
    (void)y;
    return ad_grad_vars(z, n, x, x_bar);
}
static void test_checkpoint(void)
{
    static const ad_op again = { "again", again_value, NULL, NULL, NULL, again_record };
    ad_tape *t = ad_tape_create(NULL);
    ad_var x[2], in[2], y, g[2], h[2];
    ad_status s;
    x[0] = ad_input(t, 0.5);
    x[1] = ad_input(t, 2.0);
    in[0] = ad_var_exp(x[0]);
    in[1] = ad_var_square(x[1]);
    CHECK_STATUS(ad_var_call(t, &again, NULL, 2, in, 1, &y), AD_OK);
    y = ad_var_mul_r(y, 3.0);                          /* 3 exp(2 x0) x1^2 */
    s = ad_grad_vars(y, 2, x, g);
    if (s == AD_OK) {                                  /* right, or refused; not silently zero */
        CHECK_NEAR(g[0].v, 6 * exp(1.0) * 4, 1e-13);
        CHECK_NEAR(g[1].v, 6 * exp(1.0) * 2, 1e-13);
        CHECK_STATUS(ad_backward(g[0]), AD_OK);
        CHECK_NEAR(ad_adjoint(x[1]), 12 * exp(1.0) * 2, 1e-13);
        CHECK_STATUS(ad_grad_vars(g[0], 2, x, h), AD_OK);
        CHECK_NEAR(h[0].v, 12 * exp(1.0) * 4, 1e-13);
    } else CHECK(ad_tape_status(t) == s && ad_tape_message(t)[0] != 0);
    ad_tape_destroy(t);
}

/* y = x^2, and its record calls an operation and lists far larger than all on the tape before. */
enum { MANY = 700 };
static ad_status total_value(void *user, size_t n, const double *x, size_t m, double *y)
{
    size_t i, j;
    (void)user;
    for (j = 0; j < m; j++)
        for (i = 0, y[j] = 0; i < n; i++) y[j] += x[i];
    return AD_OK;
}
static ad_status total_reverse(void *user, size_t n, const double *x, size_t m, const double *y,
                               const double *y_bar, double *x_bar)
{
    size_t i, j;
    (void)user;
    (void)x;
    (void)y;
    for (j = 0; j < m; j++)
        for (i = 0; i < n; i++) x_bar[i] += y_bar[j];
    return AD_OK;
}
static ad_status total_record(void *user, ad_tape *t, size_t n, const ad_var *x, size_t m,
                              const ad_var *y, const ad_var *y_bar, ad_var *x_bar)
{
    const ad_var s = ad_var_sum(m, y_bar);
    size_t i;
    (void)user;
    (void)t;
    (void)x;
    (void)y;
    for (i = 0; i < n; i++) x_bar[i] = s;
    return AD_OK;
}
static ad_status wide_record(void *user, ad_tape *t, size_t n, const ad_var *x, size_t m,
                             const ad_var *y, const ad_var *y_bar, ad_var *x_bar)
{
    static const ad_op total = { "total", total_value, total_reverse, NULL, NULL, total_record };
    ad_var many[MANY], sums[MANY], s;
    double c[MANY];
    int i;
    (void)n;
    (void)m;
    (void)y;
    for (i = 0; i < MANY; i++) {
        many[i] = x[0];
        c[i] = 1.0 / (double)MANY;
    }
    if (ad_var_call(t, &total, user, MANY, many, MANY, sums) != AD_OK) return AD_ERR_USER;
    s = ad_var_lincomb(MANY, c, sums);                 /* MANY x */
    x_bar[0] = ad_var_mul(ad_var_mul_r(s, 2.0 / (double)MANY), y_bar[0]);
    return AD_OK;
}

/* An allocator that moves every block that grows and keeps what it was told to free, poisoned:
   whoever still writes there is found out at the end. */
enum { KEPT = 4096 };
typedef struct grave { unsigned char *data[KEPT]; size_t bytes[KEPT], n; } grave;
static void bury(grave *g, void *old, size_t bytes)
{
    memset(old, 0xDD, bytes);
    if (g->n < KEPT) {
        g->data[g->n] = (unsigned char *)old;
        g->bytes[g->n++] = bytes;
    }
}
static void *grave_resize(void *user, void *old, size_t old_bytes, size_t new_bytes)
{
    grave *g = (grave *)user;
    void *fresh = new_bytes ? malloc(new_bytes) : NULL;
    if (new_bytes && fresh == NULL) return NULL;
    if (old && fresh) memcpy(fresh, old, old_bytes < new_bytes ? old_bytes : new_bytes);
    if (old) bury(g, old, old_bytes);
    return fresh;
}
/* Blocks that were written after they were freed; empties the grave. */
static size_t disturbed(grave *g)
{
    size_t i, k, bad = 0;
    for (i = 0; i < g->n; i++) {
        for (k = 0; k < g->bytes[i] && g->data[i][k] == 0xDD; k++) {}
        bad += k < g->bytes[i];
        free(g->data[i]);
    }
    g->n = 0;
    return bad;
}

static void test_large_record(void)
{
    static const ad_op wide = { "wide", square_value, square_reverse, NULL, NULL, wide_record };
    grave freed;
    ad_tape_desc desc;
    ad_tape *t;
    ad_var x, s, y, f, g, h, in[2];
    const double sn = sin(0.5), cs = cos(0.5);
    memset(&freed, 0, sizeof freed);
    memset(&desc, 0, sizeof desc);
    desc.resize = grave_resize;
    desc.resize_user = &freed;
    t = ad_tape_create(&desc);
    x = ad_input(t, 0.5);
    s = ad_var_atan2(ad_var_sin(x), ad_var_cos(x));    /* x again, by instructions below the call */
    in[0] = ad_var_sin(s);
    in[1] = ad_var_mul_r(s, 0.0);
    s = ad_var_sum(2, in);
    CHECK_STATUS(ad_var_call(t, &wide, NULL, 1, &s, 1, &y), AD_OK);
    f = ad_var_mul_r(y, 3.0);                          /* 3 sin^2 */
    CHECK_STATUS(ad_grad_vars(f, 1, &x, &g), AD_OK);
    CHECK_NEAR(g.v, 6 * sn * cs, 1e-12);
    CHECK_STATUS(ad_backward(g), AD_OK);
    CHECK_NEAR(ad_adjoint(x), 6 * (cs * cs - sn * sn), 1e-11);
    CHECK_STATUS(ad_grad_vars(g, 1, &x, &h), AD_OK);
    CHECK_NEAR(h.v, 6 * (cs * cs - sn * sn), 1e-11);
    CHECK_STATUS(ad_backward(h), AD_OK);
    CHECK_NEAR(ad_adjoint(x), -24 * sn * cs, 1e-10);
    CHECK_STATUS(ad_tape_status(t), AD_OK);
    ad_tape_destroy(t);
    CHECK(freed.n < KEPT);
    CHECK(disturbed(&freed) == 0);                     /* nothing written to what was freed */
}

static void test_nested(void)
{
    ad_tape *t = ad_tape_create(NULL);
    ad_tape_desc desc;
    ad_op expo;
    ad_var x, y, g, e[40], r[40], f;
    int order, k;
    expo.name = "expo";
    expo.value = expo_value;
    expo.reverse = expo_reverse;
    expo.tangent = NULL;
    expo.reverse_dual = NULL;
    expo.record = expo_record;
    x = ad_input(t, 1.5);
    CHECK_STATUS(ad_var_call(t, &cube_op, NULL, 1, &x, 1, &y), AD_OK);
    CHECK_STATUS(ad_backward(y), AD_OK);
    CHECK(ad_adjoint(x) == 6.75);
    CHECK_STATUS(ad_grad_vars(y, 1, &x, &g), AD_OK);
    CHECK(g.v == 6.75);
    CHECK_STATUS(ad_backward(g), AD_OK);               /* through the square that record called */
    CHECK(ad_adjoint(x) == 9.0);
    CHECK_STATUS(ad_grad_vars(g, 1, &x, &y), AD_OK);
    CHECK(y.v == 9.0);
    CHECK_STATUS(ad_backward(y), AD_OK);
    CHECK(ad_adjoint(x) == 6.0);
    ad_tape_destroy(t);
    /* with blocks of one slot, so that everything moves while the callbacks run */
    for (k = 0; k < 2; k++) {
        memset(&desc, 0, sizeof desc);
        desc.initial_slots = desc.grow_slots = (size_t)k;
        t = ad_tape_create(&desc);
        for (order = 0; order < 40; order++) e[order] = ad_input(t, 0.05 * order);
        x = e[20];
        CHECK_STATUS(ad_var_call(t, &expo, &expo, 40, e, 40, r), AD_OK);
        CHECK_NEAR(r[20].v, exp(1.0), 1e-15);
        CHECK_NEAR(r[39].v, exp(1.95), 1e-15);
        f = ad_var_sum(40, r);
        for (order = 1; order <= 4; order++) {
            CHECK_STATUS(ad_backward(f), AD_OK);
            CHECK_NEAR(ad_adjoint(x), exp(1.0), 1e-14);
            CHECK_STATUS(ad_grad_vars(f, 1, &x, &g), AD_OK);
            CHECK_NEAR(g.v, exp(1.0), 1e-14);
            f = g;
        }
        /* x and y the same array: right, or refused; not silently something else */
        if (ad_var_call(t, &expo, &expo, 40, e, 40, e) == AD_OK) {
            CHECK_NEAR(e[20].v, exp(1.0), 1e-15);
            CHECK_STATUS(ad_backward(e[20]), AD_OK);
            CHECK_NEAR(ad_adjoint(x), exp(1.0), 1e-15);
        }
        CHECK_STATUS(ad_tape_status(t), AD_OK);
        ad_tape_destroy(t);
    }
}

/* ---------------------------------------------------------------- drivers, partials, float */

static ad_var driver_scalar(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    ad_var y[3];
    if (ad_var_call(t, &mill_op, user, n, x, 3, y) != AD_OK) return ad_const((double)NAN);
    return ad_var_dot(3, y, y);
}
static void driver_vector(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m, void *user)
{
    ad_var_call(t, &mill_op, user, n, x, m, y);
}

static void test_drivers(void)
{
    ad_tape *t = ad_tape_create(NULL);
    const double x[3] = { 0.3, 0.6, -0.9 }, v[3] = { 1, 2, 3 };
    double y, g[3], H[9], Hv[3], J[30], Jv[10], s;
    mill p = make_mill(2.0);
    size_t i, j, l;
    CHECK_STATUS(ad_gradient(NULL, driver_scalar, &p, x, 3, &y, g), AD_OK);
    CHECK_STATUS(ad_hessian(t, driver_scalar, &p, x, 3, &y, g, H), AD_OK);
    for (i = 0; i < 3; i++) {
        for (j = 0, s = 0; j < 3; j++)
            s += 2 * mill_result(&p, 3, x, j) * mill_partial(&p, 3, x, j, i);
        CHECK_NEAR(g[i], s, 1e-13);
        for (l = 0; l < 3; l++) {
            for (j = 0, s = 0; j < 3; j++)
                s += 2 * (mill_partial(&p, 3, x, j, i) * mill_partial(&p, 3, x, j, l)
                        + mill_result(&p, 3, x, j) * mill_second(&p, 3, x, j, i, l));
            CHECK_NEAR(H[3 * i + l], s, 1e-13);
        }
    }
    CHECK_STATUS(ad_hvp(t, driver_scalar, &p, x, 3, v, &y, g, Hv), AD_OK);
    for (i = 0; i < 3; i++)
        CHECK_NEAR(Hv[i], H[3 * i] + 2 * H[3 * i + 1] + 3 * H[3 * i + 2], 1e-12);
    for (l = 1; l <= 10; l += 3) {                     /* forward and reverse, by the shape */
        CHECK_STATUS(ad_jacobian(t, driver_vector, &p, x, 3, l, NULL, J), AD_OK);
        for (j = 0; j < l; j++)
            for (i = 0; i < 3; i++) CHECK_NEAR(J[3 * j + i], mill_partial(&p, 3, x, j, i), 1e-13);
        CHECK_STATUS(ad_jvp(t, driver_vector, &p, x, 3, l, v, NULL, Jv), AD_OK);
        for (j = 0; j < l; j++)
            CHECK_NEAR(Jv[j], J[3 * j] + 2 * J[3 * j + 1] + 3 * J[3 * j + 2], 1e-13);
    }
    p.fail = 2;
    CHECK_STATUS(ad_gradient(NULL, driver_scalar, &p, x, 3, &y, g), AD_ERR_USER);
    CHECK_STATUS(ad_gradient(t, driver_scalar, &p, x, 3, &y, g), AD_ERR_USER);
    SAYS(t, AD_ERR_USER, "mill", "");
    CHECK(slots(t) == 0);
    ad_tape_clear_status(t);
    p.fail = 1;
    CHECK_STATUS(ad_gradient(t, driver_scalar, &p, x, 3, &y, g), AD_ERR_USER);
    CHECK_STATUS(ad_gradient(NULL, driver_scalar, &p, x, 3, &y, g), AD_ERR_USER);
    ad_tape_clear_status(t);
    CHECK_STATUS(ad_jacobian(t, driver_vector, &p, x, 3, 3, NULL, J), AD_ERR_USER);
    CHECK(slots(t) == 0 && p.wrong == 0);
    ad_tape_destroy(t);
}

static void test_custom(void)
{
    ad_tape *t = ad_tape_create(NULL);
    const double partials[3] = { 2.0, -3.0, 0.5 }, one = 1;
    ad_var x[3], y, z, g[3], h[3];
    double J[3], H[9];
    size_t before;
    int i;
    x[0] = ad_input(t, 1.0);
    x[1] = ad_input(t, 2.0);
    x[2] = ad_const(4.0);
    before = slots(t);
    y = ad_var_custom(t, 3, x, 10.0, partials);
    CHECK(y.v == 10.0 && slots(t) == before + 1);      /* one instruction */
    z = ad_var_mul(y, x[0]);                           /* dz/dx0 = y + 2 x0 */
    CHECK_STATUS(ad_backward(z), AD_OK);
    CHECK(ad_adjoint(x[0]) == 12.0 && ad_adjoint(x[1]) == -3.0);
    CHECK_STATUS(ad_forward(t, 1, x, &one), AD_OK);
    CHECK(ad_tangent(z) == 12.0);
    CHECK_STATUS(ad_jacobian_reverse(t, 3, x, 1, &z, J), AD_OK);
    CHECK(J[0] == 12.0 && J[1] == -3.0 && J[2] == 0.0);
    CHECK_STATUS(ad_jacobian_forward(t, 3, x, 1, &z, J), AD_OK);
    CHECK(J[0] == 12.0 && J[1] == -3.0 && J[2] == 0.0);
    /* partials are constants: d2z/dx0^2 = 2 + 2, d2z/dx0 dx1 = -3 */
    CHECK_STATUS(ad_hessian_of(z, 2, x, H), AD_OK);
    CHECK(H[0] == 4.0 && H[1] == -3.0 && H[2] == -3.0 && H[3] == 0.0);
    CHECK_STATUS(ad_grad_vars(z, 2, x, g), AD_OK);
    CHECK(g[0].v == 12.0 && g[1].v == -3.0);
    CHECK_STATUS(ad_grad_vars(g[0], 2, x, h), AD_OK);
    CHECK(h[0].v == 4.0 && h[1].v == -3.0);
    /* second derivatives through it alone are zero */
    CHECK_STATUS(ad_grad_vars(y, 2, x, g), AD_OK);
    CHECK(g[0].v == 2.0 && g[1].v == -3.0);
    CHECK_STATUS(ad_hessian_of(y, 2, x, H), AD_OK);
    for (i = 0; i < 4; i++) CHECK(H[i] == 0.0);
    /* zero operands, all constants */
    y = ad_var_custom(t, 0, NULL, 3.0, NULL);
    CHECK(y.v == 3.0 && y.tape == NULL);
    y = ad_var_custom(t, 1, x + 2, 3.0, partials);
    CHECK(y.v == 3.0 && y.tape == NULL);
    CHECK_STATUS(ad_tape_status(t), AD_OK);
    ad_tape_destroy(t);
}

static ad_status half_value(void *user, size_t n, const float *x, size_t m, float *y)
{
    size_t j;
    (void)user;
    (void)n;
    for (j = 0; j < m; j++) y[j] = x[0] * x[1] * (float)(j + 1);
    return AD_OK;
}
static ad_status half_reverse(void *user, size_t n, const float *x, size_t m, const float *y,
                              const float *y_bar, float *x_bar)
{
    size_t j;
    (void)user;
    (void)n;
    (void)y;
    for (j = 0; j < m; j++) {
        x_bar[0] += y_bar[j] * x[1] * (float)(j + 1);
        x_bar[1] += y_bar[j] * x[0] * (float)(j + 1);
    }
    return AD_OK;
}
static ad_status half_tangent(void *user, size_t n, const float *x, size_t m, const float *y,
                              const float *x_dot, float *y_dot)
{
    size_t j;
    (void)user;
    (void)n;
    (void)y;
    for (j = 0; j < m; j++) y_dot[j] = (x_dot[0] * x[1] + x[0] * x_dot[1]) * (float)(j + 1);
    return AD_OK;
}
static ad_status half_dual(void *user, size_t n, const adf_dual *x, size_t m, const adf_dual *y,
                           const adf_dual *y_bar, adf_dual *x_bar)
{
    size_t j;
    (void)user;
    (void)n;
    (void)y;
    for (j = 0; j < m; j++) {
        const adf_dual s = adf_dual_mul_r(y_bar[j], (float)(j + 1));
        x_bar[0] = adf_dual_add(x_bar[0], adf_dual_mul(s, x[1]));
        x_bar[1] = adf_dual_add(x_bar[1], adf_dual_mul(s, x[0]));
    }
    return AD_OK;
}
static ad_status half_record(void *user, adf_tape *t, size_t n, const adf_var *x, size_t m,
                             const adf_var *y, const adf_var *y_bar, adf_var *x_bar)
{
    size_t j;
    (void)user;
    (void)t;
    (void)n;
    (void)y;
    for (j = 0; j < m; j++) {
        x_bar[0] =
            adf_var_add(x_bar[0], adf_var_mul(adf_var_mul_r(y_bar[j], (float)(j + 1)), x[1]));
        x_bar[1] =
            adf_var_add(x_bar[1], adf_var_mul(adf_var_mul_r(y_bar[j], (float)(j + 1)), x[0]));
    }
    return AD_OK;
}

static void test_float(void)
{
    static const adf_op op = { "half", half_value, half_reverse, half_tangent, half_dual,
        half_record };
    adf_tape *t = adf_tape_create(NULL);
    const float dot[2] = { 1.0f, -1.0f };
    adf_var x[2], y[10], g[2];
    float J[20], K[20], H[4];
    int i;
    x[0] = adf_input(t, 2.0f);
    x[1] = adf_input(t, 3.0f);
    CHECK_STATUS(adf_var_call(t, &op, NULL, 2, x, 10, y), AD_OK);
    CHECK(y[9].v == 60.0f);
    CHECK_STATUS(adf_jacobian_reverse(t, 2, x, 10, y, J), AD_OK);
    CHECK_STATUS(adf_jacobian_forward(t, 2, x, 10, y, K), AD_OK);
    for (i = 0; i < 10; i++) {
        CHECK(J[2 * i] == 3.0f * (float)(i + 1) && J[2 * i + 1] == 2.0f * (float)(i + 1));
        CHECK(K[2 * i] == J[2 * i] && K[2 * i + 1] == J[2 * i + 1]);
    }
    CHECK_STATUS(adf_forward(t, 2, x, dot), AD_OK);
    CHECK(adf_tangent(y[1]) == 2.0f);
    CHECK_STATUS(adf_hessian_of(y[2], 2, x, H), AD_OK);
    CHECK(H[0] == 0.0f && H[1] == 3.0f && H[2] == 3.0f && H[3] == 0.0f);
    CHECK_STATUS(adf_grad_vars(y[3], 2, x, g), AD_OK);
    CHECK(g[0].v == 12.0f && g[1].v == 8.0f);
    CHECK_STATUS(adf_backward(g[0]), AD_OK);
    CHECK(adf_adjoint(x[1]) == 4.0f);
    CHECK_STATUS(adf_tape_status(t), AD_OK);
    adf_tape_destroy(t);
}

/* Instructions are counted as they come and go: whatever is rewound, in whatever order. */
static void test_counts(void)
{
    static const double counted[] = { 1, 2 };
    enum { DEPTH = 200 };
    ad_tape *t = ad_tape_create(NULL);
    mill p = make_mill(0.5);
    size_t mark[DEPTH], count[DEPTH], expected = 0, i;
    const int32_t dim[] = { 5 };
    ad_var x[2], y[4], z;
    ad_array a;
    int step, top = 0;
    uint32_t random = 12345;
    x[0] = ad_input(t, 0.5);
    a = ad_array_input(t, 1, dim, NULL);                     /* the first: inputs that lead */
    x[1] = z = ad_input(t, 0.75);
    for (step = 0; step < 3000; step++) {
        random = random * 1664525u + 1013904223u;
        switch (random >> 28) {
        case 0: ad_input(t, 2); break;
        case 1: CHECK_STATUS(ad_inputs(t, 2, counted, y), AD_OK); break;
        case 2: ad_array_input(t, 1, dim, NULL); break;
        case 3: ad_array_exp(ad_array_const(t, 1, dim, NULL)); break;          /* a constant */
        case 4: ad_array_add_r(a, 1); expected++; break;
        case 5: ad_var_sum(2, x); expected++; break;
        case 6: case 7:
            CHECK_STATUS(ad_var_call(t, &mill_op, &p, 2, x, 1 + (random >> 26 & 3), y),
                         AD_OK);
            expected++;
            break;
        case 8: case 9: case 10:
            if (top == DEPTH) break;
            mark[top] = ad_tape_mark(t);
            count[top++] = expected;
            break;
        case 11: case 12:
            if (top == 0) break;
            top -= 1 + (int)(random >> 20 & 3) % top;
            ad_tape_rewind(t, mark[top]);
            expected = count[top];
            break;
        default: z = ad_var_mul_r(x[1], 1.5); expected++; break;
        }
        CHECK_STATUS(ad_tape_status(t), AD_OK);
        CHECK(ad_tape_get_stats(t).instructions == expected);
    }
    for (i = ad_tape_get_stats(t).slots; i-- > 0;) {         /* within arrays and calls too */
        ad_tape_rewind(t, i);
        CHECK(ad_tape_get_stats(t).instructions <= expected);
        expected = ad_tape_get_stats(t).instructions;
    }
    CHECK(expected == 0);
    (void)z;
    ad_tape_destroy(t);
}

/* ---------------------------------------------------------------- Jacobians of half an operation
   ad_jacobian goes the way that the operations of the user's know, whatever the shape. */

static ad_status half_tangents(void *user, size_t n, const double *x, size_t m, const double *y,
                               const double *x_dot, double *y_dot)
{
    (void)user; (void)n; (void)m; (void)y;
    y_dot[0] = 3 * x[0] * x[0] * x_dot[0];
    return AD_OK;
}
/* inputs x[0] ... x[n-1]; output j: the cube of x[j % n] by the operation, plus x[0] */
static void cubes(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m, void *user)
{
    size_t j;
    for (j = 0; j < m; j++) {
        CHECK_STATUS(ad_var_call(t, (const ad_op *)user, NULL, 1, &x[j % n], 1, &y[j]), AD_OK);
        y[j] = ad_var_add(y[j], x[0]);
    }
}
static void test_half_jacobian(void)
{
    static const ad_op tangents = { "by tangents", cube_value, NULL, half_tangents, NULL, NULL };
    static const ad_op neither = { "neither", cube_value, NULL, NULL, NULL, NULL };
    const ad_op *const op[] = { &cube_op, &tangents, &neither };
    const double x[3] = { 1.5, -2, 0.25 };
    ad_tape *t = ad_tape_create(NULL);
    ad_var before = ad_input(t, 2), kept;
    double y[4], J[12];
    size_t k, m, i, j;
    CHECK_STATUS(ad_var_call(t, &neither, NULL, 1, &before, 1, &kept), AD_OK);   /* not of f */
    for (k = 0; k < 2; k++)
        for (m = 1; m <= 4; m++) {
            CHECK_STATUS(ad_jacobian(t, cubes, (void *)(uintptr_t)op[k], x, 3, m, y, J), AD_OK);
            for (i = 0; i < m; i++)
                for (j = 0; j < 3; j++)
                    CHECK_NEAR(J[3 * i + j], (j == i % 3 ? 3 * x[j] * x[j] : 0) + (j == 0), 1e-13);
        }
    CHECK_STATUS(ad_jacobian(t, cubes, (void *)(uintptr_t)op[2], x, 3, 3, y, J),
                 AD_ERR_UNSUPPORTED);
    ad_tape_destroy(t);
}

/* ---------------------------------------------------------------- what is not asked for, not
   blamed and not lost: tangents, results that debug watches, the bytes of a fixed buffer */

/* A direction that does not reach an operation needs no tangent of it. */
static void of_other(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m, void *user)
{
    (void)n; (void)m;
    CHECK_STATUS(ad_var_call(t, (const ad_op *)user, NULL, 1, x, 1, y), AD_OK);
    y[0] = ad_var_mul(y[0], ad_var_exp(x[1]));
}
static ad_status cube(void *user, size_t n, const double *x, size_t m, double *y)
{
    (void)user; (void)n;
    y[0] = x[0] * x[0] * x[0];
    if (m > 1) y[1] = x[0];
    return AD_OK;
}
static ad_status cube_back(void *user, size_t n, const double *x, size_t m, const double *y,
    const double *y_bar, double *x_bar)
{
    (void)user; (void)n; (void)y;
    x_bar[0] += 3 * x[0] * x[0] * y_bar[0] + (m > 1 ? y_bar[1] : 0);
    return AD_OK;
}
static void test_unneeded_tangents(void)
{
    const double at[2] = { 3, 0.5 }, along[2] = { 0, 1 }, across[2] = { 1, 0 };
    double y, jv = 0;
    ad_tape *const t = ad_tape_create(NULL);
    ad_op op;
    memset(&op, 0, sizeof op);
    op.name = "cube";
    op.value = cube;
    op.reverse = cube_back;
    CHECK_STATUS(ad_jvp(t, of_other, &op, at, 2, 1, along, &y, &jv), AD_OK);
    CHECK_NEAR(jv, 27 * exp(0.5), 1e-14);
    CHECK_STATUS(ad_jvp(t, of_other, &op, at, 2, 1, across, &y, &jv), AD_ERR_UNSUPPORTED);
    SAYS(t, AD_ERR_UNSUPPORTED, "cube", "tangent");
    {                                            /* below slots that y does not depend on */
        ad_var x, y2;
        int k;
        ad_tape_reset(t);
        x = ad_input(t, 3);
        CHECK_STATUS(ad_var_call(t, &op, NULL, 1, &x, 1, &y2), AD_OK);
        for (k = 0; k < 1000; k++) ad_var_add_r(x, k);
        y2 = ad_var_exp(y2);
        CHECK_STATUS(ad_forward_over_reverse(y2, 1, &x, &along[1]), AD_ERR_UNSUPPORTED);
    }
    ad_tape_destroy(t);
}

/* A compiled function of an operation that cannot be recorded has values, and says why no more. */
static void test_called_without_record(void)
{
    ad_tape *const t = ad_tape_create(NULL), *const own = ad_tape_create(NULL);
    ad_fn *f;
    ad_var x = ad_input(own, 2), y;
    ad_op op;
    memset(&op, 0, sizeof op);
    op.name = "cube";
    op.value = cube;
    op.reverse = cube_back;
    CHECK_STATUS(ad_var_call(own, &op, NULL, 1, &x, 1, &y), AD_OK);
    f = ad_fn_create(own, 1, &x, 1, &y, NULL);
    x = ad_input(t, 3);
    CHECK_STATUS(ad_fn_call(f, t, 1, &x, 1, &y), AD_OK);
    CHECK(y.v == 27);
    CHECK_STATUS(ad_backward(y), AD_ERR_UNSUPPORTED);
    SAYS(t, AD_ERR_UNSUPPORTED, "ad_fn_call", "no record callback");
    ad_fn_destroy(f);
    ad_tape_destroy(own);
    ad_tape_destroy(t);
}

/* Every result is watched, and an adjoint that was infinite before is not the operation's work. */
static ad_status first_is_nan(void *user, size_t n, const double *x, size_t m, double *y)
{
    (void)user; (void)n; (void)m;
    y[0] = log(x[0]);
    y[1] = x[0];
    return AD_OK;
}
static void test_watched_results(void)
{
    ad_tape_desc desc;
    ad_nonfinite r;
    ad_tape *t;
    ad_var x, y[2];
    ad_op op;
    double seed = HUGE_VAL;
    memset(&op, 0, sizeof op);
    op.name = "half_nan";
    op.value = first_is_nan;
    op.reverse = cube_back;
    memset(&desc, 0, sizeof desc);
    desc.debug = 1;
    t = ad_tape_create(&desc);
    x = ad_input(t, -1);
    CHECK_STATUS(ad_var_call(t, &op, NULL, 1, &x, 2, y), AD_OK);
    CHECK(ad_tape_nonfinite(t, &r) && strstr(r.operation, "half_nan") && r.operand[0] == -1);
    ad_tape_reset(t);
    x = ad_input(t, 2);
    y[0] = ad_var_mul_r(ad_var_add_r(x, 1), 3);
    CHECK_STATUS(ad_backward_seeded(t, 1, y, &seed), AD_OK);
    CHECK(!ad_tape_nonfinite(t, &r));
    ad_tape_destroy(t);
}

/* What a call takes of a fixed buffer it gives back. */
static ad_status cube_recorded(void *user, ad_tape *t, size_t n, const ad_var *x, size_t m,
    const ad_var *y, const ad_var *y_bar, ad_var *x_bar)
{
    (void)user; (void)t; (void)n; (void)m; (void)y;
    x_bar[0] = ad_var_mul(ad_var_mul_r(ad_var_square(x[0]), 3), y_bar[0]);
    return AD_OK;
}
static ad_status halves(ad_tape *t, size_t i, const ad_var *s, size_t n, const ad_var *p, size_t k,
    ad_var *next, void *user)
{
    (void)t; (void)i; (void)p; (void)k; (void)user;
    for (i = 0; i < n; i++) next[i] = ad_var_mul_r(s[i], 0.5);
    return AD_OK;
}
static ad_var sine_of(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    (void)t; (void)n; (void)user;
    return ad_var_sin(x[0]);
}
static ad_var times_slope(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    double y, g = 0;
    const double at = x[0].v;
    (void)n; (void)user;
    CHECK_STATUS(ad_gradient(t, sine_of, NULL, &at, 1, &y, &g), AD_OK);
    return ad_var_mul_r(x[0], g);
}
static void test_fixed_buffer_stays(void)
{
    enum { STATES = 64, BYTES = 200000, PASSES = 500 };
    void *const buffer = malloc(BYTES);
    ad_repeat_desc steps;
    ad_repeat *r;
    ad_op op;
    int what, k;
    memset(&op, 0, sizeof op);
    op.name = "cube";
    op.value = cube;
    op.reverse = cube_back;
    op.record = cube_recorded;
    memset(&steps, 0, sizeof steps);
    steps.steps = 10;
    r = ad_repeat_create(halves, NULL, STATES, 0, &steps);
    for (what = 0; what < 3; what++) {
        ad_tape_desc desc;
        ad_tape *t;
        ad_var x[STATES], y[STATES], one = ad_const(1), y_dot;
        const double at = 1;
        double v, g;
        size_t bytes = 0;
        ad_status s = AD_OK;
        memset(&desc, 0, sizeof desc);
        desc.buffer = buffer;
        desc.buffer_bytes = BYTES;
        desc.max_slots = 500;
        t = ad_tape_create(&desc);
        for (k = 0; k < STATES; k++) x[k] = ad_input(t, 1 + 0.01 * k);
        for (k = 0; k < PASSES && s == AD_OK; k++) {
            const size_t mark = ad_tape_mark(t);
            if (what == 0) {
                s = ad_var_call(t, &op, NULL, 1, x, 1, y);
                if (s == AD_OK) s = ad_jvp_vars(t, 1, x, &one, 1, y, &y_dot);
            } else if (what == 1) {
                s = ad_repeat_run(r, t, x, NULL, y);
                if (s == AD_OK) s = ad_backward(y[3]);
            } else s = ad_gradient(t, times_slope, NULL, &at, 1, &v, &g);
            ad_tape_rewind(t, mark);
            if (k == 10) bytes = ad_tape_get_stats(t).bytes;
        }
        test_check(s == AD_OK && ad_tape_get_stats(t).bytes == bytes, __FILE__, __LINE__,
            "call %d: %s after %d passes, %zu bytes that were %zu", what, ad_status_name(s), k,
            ad_tape_get_stats(t).bytes, bytes);
        ad_tape_destroy(t);
    }
    ad_repeat_destroy(r);
    free(buffer);
}

TEST_DEF void suite_user(void)
{
    test_half_jacobian();
    test_sizes();
    test_subsets();
    test_chains();
    test_some_operands();
    test_results_apart();
    test_nested_gradients();
    test_arrays();
    test_product();
    test_arrays_refused();
    test_rewinding();
    test_missing();
    test_failing();
    test_nested();
    test_checkpoint();
    test_large_record();
    test_drivers();
    test_custom();
    test_float();
    test_counts();
    test_unneeded_tangents();
    test_called_without_record();
    test_watched_results();
    test_fixed_buffer_stays();
}
