/* The tape: recording, every sweep against every other, the drivers, and the
   traps that other libraries fell into. Random programs are compared with an evaluation over
   second-order duals that is written here by hand and shares no formula with the library.
   Sections: The Tape and Recording; The Tape's Interface; Settings and Shared Tables; The Whole
   Tape and Its Memory; Recording, the Slow Paths; The Table, Read Coldly; The Reverse Sweep; The
   Other Sweeps; Recorded Gradients; Second Derivatives; Drivers. */
#include <math.h>
#include <stdlib.h>
#include "test.h"

#define COUNT(a) (sizeof (a) / sizeof (a)[0])

TEST_DEF void suite_tape(void);

static size_t slots(const ad_tape *t) { return ad_tape_get_stats(t).slots; }

/* A tape at the end of a test: no error, nothing said. */
static void finish(ad_tape *t)
{
    CHECK_STATUS(ad_tape_status(t), AD_OK);
    CHECK_STRING(ad_tape_message(t), "");
    ad_tape_destroy(t);
}

/* ---------------------------------------------------------------- first principles */

static void test_basics(void)
{
    ad_tape *t = ad_tape_create(NULL);
    ad_var x, y, u, z;
    CHECK(t != NULL);
    CHECK(slots(t) == 0);
    CHECK(ad_tape_get_stats(t).instructions == 0);
    x = ad_input(t, 2.0);
    y = ad_input(t, 3.0);
    z = ad_var_mul(x, y);
    CHECK(z.v == 6.0 && z.tape == t && ad_var_value(z) == 6.0);
    CHECK(slots(t) == 3);
    CHECK(ad_tape_get_stats(t).instructions == 1);
    CHECK(ad_adjoint(x) == 0.0);                       /* no sweep yet */
    CHECK(ad_tangent(z) == 0.0);
    CHECK(ad_adjoint_tangent(x) == 0.0);
    CHECK_STATUS(ad_backward(z), AD_OK);
    CHECK(ad_adjoint(x) == 3.0);
    CHECK(ad_adjoint(y) == 2.0);
    CHECK(ad_adjoint(z) == 1.0);
    CHECK_STATUS(ad_backward(z), AD_OK);               /* twice is the same as once */
    CHECK(ad_adjoint(x) == 3.0);
    CHECK(ad_adjoint(y) == 2.0);
    CHECK(slots(t) == 3);                              /* sweeps never record */

    /* y = 3x, then z = 3x as another output: 3 + 3 = 6 would be the stale sum */
    u = ad_var_mul_r(x, 3.0);
    CHECK_STATUS(ad_backward(u), AD_OK);
    CHECK(ad_adjoint(x) == 3.0);
    CHECK(ad_adjoint(y) == 0.0);
    CHECK(ad_adjoint(z) == 0.0);
    CHECK_STATUS(ad_backward(z), AD_OK);
    CHECK(ad_adjoint(x) == 3.0);
    CHECK(ad_adjoint(u) == 0.0);                       /* above z: not left from the last sweep */

    CHECK_STATUS(ad_backward(x), AD_OK);               /* an input is an output too */
    CHECK(ad_adjoint(x) == 1.0);
    CHECK(ad_adjoint(y) == 0.0);
    CHECK(ad_adjoint(z) == 0.0);
    CHECK(ad_adjoint(u) == 0.0);
    finish(t);
}

static void test_traps(void)
{
    ad_tape *t = ad_tape_create(NULL);
    ad_var a = ad_input(t, 3.0), b = ad_input(t, 2.0), c = ad_input(t, 5.0), q, unused, y, k, w;
    size_t before;

    q = ad_var_div(a, ad_var_mul(b, c));               /* a/(b*c) */
    CHECK_STATUS(ad_backward(q), AD_OK);
    CHECK_NEAR(ad_adjoint(a), 0.1, 1e-15);
    CHECK_NEAR(ad_adjoint(b), -3.0 / (4.0 * 5.0), 1e-15);
    CHECK_NEAR(ad_adjoint(c), -3.0 / (2.0 * 25.0), 1e-15);

    unused = ad_var_exp(ad_var_mul(a, b));             /* a branch that no output uses */
    y = ad_var_add(ad_var_square(a), b);
    unused = ad_var_mul(unused, y);
    CHECK_STATUS(ad_backward(y), AD_OK);
    CHECK(ad_adjoint(a) == 6.0);
    CHECK(ad_adjoint(b) == 1.0);
    CHECK(ad_adjoint(c) == 0.0);
    CHECK(ad_adjoint(unused) == 0.0);

    w = ad_var_mul(ad_detach(y), a);                   /* y is 11, a constant here */
    CHECK_STATUS(ad_backward(w), AD_OK);
    CHECK(w.v == 33.0);
    CHECK(ad_adjoint(a) == 11.0);
    CHECK(ad_adjoint(b) == 0.0);
    CHECK(ad_detach(y).tape == NULL);

    before = slots(t);                                 /* constants record nothing */
    k = ad_const(4.0);
    k = ad_var_mul(ad_var_add(k, k), ad_var_sin(k));
    k = ad_var_fma(k, k, ad_var_mul_r(k, 2.0));
    k = ad_var_sub_from_r(1.0, ad_var_powi(k, 3));
    k = ad_var_clamp(k, ad_const(-1.0), ad_const(1.0));
    CHECK(k.tape == NULL);
    CHECK(slots(t) == before);
    CHECK(ad_adjoint(k) == 0.0);
    CHECK(ad_tangent(k) == 0.0);
    CHECK(ad_adjoint_tangent(k) == 0.0);
    {
        ad_var list[3];
        const double p[3] = { 1.0, 2.0, 3.0 };
        list[0] = ad_const(1.0);
        list[1] = ad_const(2.0);
        list[2] = ad_const(2.0);
        CHECK(ad_var_sum(3, list).v == 5.0 && ad_var_sum(3, list).tape == NULL);
        CHECK(ad_var_norm(3, list).v == 3.0 && ad_var_norm(3, list).tape == NULL);
        CHECK(ad_var_dot(3, list, list).v == 9.0 && ad_var_dot(3, list, list).tape == NULL);
        CHECK(ad_var_lincomb(3, p, list).v == 11.0 && ad_var_lincomb(3, p, list).tape == NULL);
        CHECK(ad_var_polyval(3, p, list[1]).v == 17.0
              && ad_var_polyval(3, p, list[1]).tape == NULL);
        CHECK(ad_var_poly(3, p, 1, list[1]).v == 14.0
              && ad_var_poly(3, p, 1, list[1]).tape == NULL);
        CHECK_NEAR(ad_var_logsumexp(3, list).v, log(exp(1.0) + 2.0 * exp(2.0)), 1e-15);
        CHECK(ad_var_logsumexp(3, list).tape == NULL);
        CHECK_NEAR(ad_var_logmeanexp(3, list).v, log((exp(1.0) + 2.0 * exp(2.0)) / 3), 1e-15);
        CHECK(ad_var_logmeanexp(3, list).tape == NULL);
        CHECK(ad_var_sum(0, NULL).v == 0.0 && ad_var_sum(0, NULL).tape == NULL);
        CHECK(ad_var_norm(0, NULL).v == 0.0);
        CHECK(ad_var_dot(0, NULL, NULL).v == 0.0);
        CHECK(ad_var_lincomb(0, NULL, NULL).v == 0.0);
        CHECK(ad_var_polyval(0, NULL, list[0]).v == 0.0);
    }
    CHECK(slots(t) == before);

    /* a two-layer network: w2 * tanh(w1 * x + b1) + b2, twice through the hidden layer */
    {
        const double w1[2] = { 0.5, -1.5 }, w2[2] = { 2.0, 0.25 }, x0 = 0.7;
        ad_var v1[2], v2[2], in = ad_input(t, x0), out = ad_const(0.0);
        double expect = 0;
        int i;
        for (i = 0; i < 2; i++) v1[i] = ad_input(t, w1[i]);
        for (i = 0; i < 2; i++) v2[i] = ad_input(t, w2[i]);
        for (i = 0; i < 2; i++)
            out = ad_var_add(out, ad_var_mul(v2[i], ad_var_tanh(ad_var_mul(v1[i], in))));
        CHECK_STATUS(ad_backward(out), AD_OK);
        for (i = 0; i < 2; i++) {
            const double h = tanh(w1[i] * x0);
            expect += w2[i] * (1 - h * h) * w1[i];
            CHECK_NEAR(ad_adjoint(v2[i]), h, 1e-15);
            CHECK_NEAR(ad_adjoint(v1[i]), w2[i] * (1 - h * h) * x0, 1e-15);
        }
        CHECK_NEAR(ad_adjoint(in), expect, 1e-15);
    }

    /* a tie of max shares, it does not count twice */
    {
        ad_var p = ad_input(t, 1.5), r = ad_input(t, 1.5), m = ad_var_max(p, r);
        CHECK_STATUS(ad_backward(m), AD_OK);
        CHECK(ad_adjoint(p) == 0.5 && ad_adjoint(r) == 0.5);
        m = ad_var_max(p, p);
        CHECK_STATUS(ad_backward(m), AD_OK);
        CHECK(ad_adjoint(p) == 1.0);
    }

    /* a zero adjoint stops: 0 * inf is 0 */
    {
        ad_var z = ad_input(t, 0.0), s = ad_var_mul_r(ad_var_sqrt(z), 0.0);
        CHECK_STATUS(ad_backward(s), AD_OK);
        CHECK(ad_adjoint(z) == 0.0);
    }

    /* the same operand in every place */
    {
        ad_var list[4], p = ad_input(t, 2.0), f;
        const double co[4] = { 1, 10, 100, 1000 };
        int i;
        for (i = 0; i < 4; i++) list[i] = p;
        CHECK_STATUS(ad_backward(ad_var_mul(p, p)), AD_OK);
        CHECK(ad_adjoint(p) == 4.0);
        CHECK_STATUS(ad_backward(ad_var_sub(p, p)), AD_OK);
        CHECK(ad_adjoint(p) == 0.0);
        CHECK_STATUS(ad_backward(ad_var_div(p, p)), AD_OK);
        CHECK(ad_adjoint(p) == 0.0);
        f = ad_var_fma(p, p, p);
        CHECK_STATUS(ad_backward(f), AD_OK);
        CHECK(f.v == 6.0 && ad_adjoint(p) == 5.0);
        CHECK_STATUS(ad_backward(ad_var_sum(4, list)), AD_OK);
        CHECK(ad_adjoint(p) == 4.0);
        CHECK_STATUS(ad_backward(ad_var_dot(4, list, list)), AD_OK);
        CHECK(ad_adjoint(p) == 16.0);
        CHECK_STATUS(ad_backward(ad_var_lincomb(4, co, list)), AD_OK);
        CHECK(ad_adjoint(p) == 1111.0);
        CHECK_STATUS(ad_backward(ad_var_norm(4, list)), AD_OK);
        CHECK_NEAR(ad_adjoint(p), 2.0, 1e-15);
        CHECK_STATUS(ad_backward(ad_var_logsumexp(4, list)), AD_OK);
        CHECK_NEAR(ad_adjoint(p), 1.0, 1e-15);
    }
    finish(t);
}

/* Lists with constants among the operands, at each place; the coefficients are copied. */
static void test_lists(void)
{
    ad_tape *t = ad_tape_create(NULL);
    const double v[5] = { 0.5, -1.25, 2.0, 0.75, -0.5 };
    double c[5] = { 1.0, -2.0, 0.5, 3.0, 0.25 };
    ad_var x[5], in[5], other[5], y;
    int mask, i;
    for (mask = 0; mask < 32; mask++) {
        const size_t mark = ad_tape_mark(t);
        double norm = 0, sum = 0, lse = 0;
        for (i = 0; i < 5; i++) {
            in[i] = ad_input(t, v[i]);
            x[i] = mask >> i & 1 ? in[i] : ad_const(v[i]);
            other[i] = mask >> (4 - i) & 1 ? ad_const(c[i]) : ad_input(t, c[i]);
            norm += v[i] * v[i];
            sum += v[i];
            lse += exp(v[i]);
        }
        norm = sqrt(norm);
        y = ad_var_sum(5, x);
        CHECK_NEAR(y.v, sum, 1e-15);
        if (mask) {
            CHECK_STATUS(ad_backward(y), AD_OK);
            for (i = 0; i < 5; i++) CHECK(ad_adjoint(in[i]) == (mask >> i & 1));
        }
        y = ad_var_norm(5, x);
        CHECK_NEAR(y.v, norm, 1e-15);
        if (mask) {
            CHECK_STATUS(ad_backward(y), AD_OK);
            for (i = 0; i < 5; i++)
                CHECK_NEAR(ad_adjoint(in[i]), (mask >> i & 1) * v[i] / norm, 1e-15);
        }
        y = ad_var_logsumexp(5, x);
        CHECK_NEAR(y.v, log(lse), 1e-15);
        if (mask) {
            CHECK_STATUS(ad_backward(y), AD_OK);
            for (i = 0; i < 5; i++)
                CHECK_NEAR(ad_adjoint(in[i]), (mask >> i & 1) * exp(v[i]) / lse, 1e-15);
        }
        y = ad_var_lincomb(5, c, x);
        if (mask) {
            const double keep = c[2];
            c[2] = 99;                                 /* too late: copied */
            CHECK_STATUS(ad_backward(y), AD_OK);
            c[2] = keep;
            for (i = 0; i < 5; i++) CHECK(ad_adjoint(in[i]) == (mask >> i & 1) * c[i]);
        }
        y = ad_var_dot(5, x, other);
        if (y.tape) {
            CHECK_STATUS(ad_backward(y), AD_OK);
            for (i = 0; i < 5; i++) {
                CHECK(ad_adjoint(in[i]) == (mask >> i & 1) * c[i]);
                CHECK(ad_adjoint(other[i]) == (mask >> (4 - i) & 1 ? 0 : v[i]));
            }
        }
        y = ad_var_custom(t, 5, x, 42.0, c);
        CHECK(y.v == 42.0);
        if (mask) {
            const double keep = c[0];
            c[0] = -7;
            CHECK_STATUS(ad_backward(y), AD_OK);
            c[0] = keep;
            for (i = 0; i < 5; i++) CHECK(ad_adjoint(in[i]) == (mask >> i & 1) * c[i]);
        } else CHECK(y.tape == NULL);
        ad_tape_rewind(t, mark);
    }
    {   /* one polynomial and all its derivatives: 1 - 2x + x^2/2 + 3x^3 + x^4/4 */
        const double s = 1.3;
        const double want[6] = { 1 - 2 * s + 0.5 * s * s + 3 * s * s * s + 0.25 * s * s * s * s,
            -2 + s + 9 * s * s + s * s * s, 1 + 18 * s + 3 * s * s, 18 + 6 * s, 6, 0 };
        ad_var p = ad_input(t, s);
        for (i = 0; i < 5; i++) {
            y = ad_var_poly(5, c, (size_t)i, p);
            CHECK_NEAR(y.v, want[i], 1e-14);
            if (y.tape == NULL) continue;
            CHECK_STATUS(ad_backward(y), AD_OK);
            CHECK_NEAR(ad_adjoint(p), want[i + 1], 1e-14);
        }
        CHECK(ad_var_poly(5, c, 5, p).v == 0.0);
        CHECK(ad_var_poly(5, c, 50, p).v == 0.0);
    }
    finish(t);
}

/* The size at which nothing is small any more: lists longer than any fixed array. */
static void test_long_lists(void)
{
    enum { N = 5000 };
    ad_tape *t = ad_tape_create(NULL);
    ad_var *x = (ad_var *)malloc(N * sizeof *x);
    double *c = (double *)malloc(N * sizeof *c);
    ad_var y;
    double total = 0;
    size_t i, before;
    for (i = 0; i < N; i++) {
        c[i] = (double)(i % 17) - 8;
        total += c[i] * c[i];
    }
    CHECK_STATUS(ad_inputs(t, N, c, x), AD_OK);
    CHECK(slots(t) == N);
    before = slots(t);
    y = ad_var_dot(N, x, x);
    CHECK(slots(t) == before + 1);                     /* one instruction */
    CHECK_NEAR(y.v, total, 1e-14);
    CHECK_STATUS(ad_backward(y), AD_OK);
    for (i = 0; i < N; i++)
        if (ad_adjoint(x[i]) != 2 * c[i]) break;
    CHECK(i == N);
    y = ad_var_add(ad_var_norm(N, x), ad_var_lincomb(N, c, x));
    CHECK_STATUS(ad_backward(y), AD_OK);
    CHECK_NEAR(ad_adjoint(x[1]), c[1] / sqrt(total) + c[1], 1e-14);
    free(x);
    free(c);
    finish(t);
}

/* ---------------------------------------------------------------- depth and sharing */

typedef struct sink { size_t bytes, calls; } sink;
static int sink_write(void *user, const char *text, size_t length)
{
    sink *s = (sink *)user;
    (void)text;
    s->bytes += length;
    s->calls++;
    return 0;
}

static void test_deep(void)
{
    enum { N = 3000000 };
    ad_tape *t = ad_tape_create(NULL);
    ad_var x = ad_input(t, 1.0), y = x, g;
    const double one = 1.0;
    ad_graph_desc desc;
    sink s;
    long i;
    for (i = 0; i < N; i++) y = i & 1 ? ad_var_mul_r(y, 1.0) : ad_var_sin(y);
    CHECK(slots(t) == N + 1);
    CHECK_STATUS(ad_backward(y), AD_OK);
    CHECK(ad_adjoint(x) > 0 && ad_adjoint(x) < 1);
    {
        const double back = ad_adjoint(x);
        CHECK_STATUS(ad_forward(t, 1, &x, &one), AD_OK);
        CHECK_NEAR(ad_tangent(y) / back, 1.0, 1e-9);
        CHECK_STATUS(ad_grad_vars(y, 1, &x, &g), AD_OK);
        CHECK_NEAR(g.v / back, 1.0, 1e-9);
    }
    memset(&s, 0, sizeof s);
    memset(&desc, 0, sizeof desc);
    desc.max_nodes = 20;
    desc.n_outputs = 1;
    desc.outputs = &y;
    CHECK_STATUS(ad_graph_dump(t, AD_GRAPH_TEXT, &desc, sink_write, &s), AD_OK);
    CHECK(s.bytes > 0 && s.bytes < 20000);
    ad_tape_reset(t);
    CHECK(slots(t) == 0);
    finish(t);
}

/* A loop that forgets to reset its tape is seen in the statistics; one that resets, rewinds or
   sweeps often is not taken for one. */
enum { FORGETS, RESETS, REWINDS, DRIVES, TURNS = 20 };
static ad_var longer(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    ad_var y = ad_var_exp(x[0]);
    size_t i;
    (void)t;
    for (i = 0; i < n + *(const size_t *)user; i++) y = ad_var_sin(y);
    return y;
}
static size_t growth(int how, int second)
{
    ad_tape *const t = ad_tape_create(NULL);
    const double one = 1;
    ad_var x = ad_input(t, 0.5);
    const size_t mark = ad_tape_mark(t);
    size_t i, k, grown;
    for (i = 0; i < TURNS; i++) {
        if (how == RESETS) {
            ad_tape_reset(t);
            x = ad_input(t, 0.5);
        }
        if (how == REWINDS) ad_tape_rewind(t, mark);
        if (how == DRIVES) {
            double v, g;
            CHECK_STATUS(ad_gradient(t, longer, &i, &one, 1, &v, &g), AD_OK);
        } else for (k = 0; k < 3; k++) {
            const ad_var y = longer(t, &x, 1, &i);
            if (k && how != FORGETS) continue;
            if (second) CHECK_STATUS(ad_forward_over_reverse(y, 1, &x, &one), AD_OK);
            else if (i & 1) CHECK_STATUS(ad_forward(t, 1, &x, &one), AD_OK);
            else CHECK_STATUS(ad_backward(y), AD_OK);
            if (how != FORGETS) CHECK_STATUS(ad_backward(y), AD_OK);
        }
    }
    grown = ad_tape_get_stats(t).grown;
    ad_tape_reset(t);
    CHECK(ad_tape_get_stats(t).grown == 0);
    ad_tape_destroy(t);
    return grown;
}
static void test_forgotten_resets(void)
{
    int second;
    for (second = 0; second < 2; second++) {
        CHECK(growth(FORGETS, second) == 3 * TURNS - 1);
        CHECK(growth(RESETS, second) == 0 && growth(REWINDS, second) == 0
              && growth(DRIVES, second) == 0);
    }
}

/* Bytes an operation, the adjoint included: value, instruction, adjoint are 24. */
static void test_bytes(void)
{
    enum { N = 1 << 20 };
    ad_tape *t = ad_tape_create(NULL);
    ad_var x, y;
    ad_tape_stats s;
    long i;
    CHECK_STATUS(ad_tape_reserve(t, N + 1), AD_OK);
    x = y = ad_input(t, 1.0);
    {
        const size_t before = ad_tape_get_stats(t).bytes;
        CHECK(before > 0);
        for (i = 0; i < N; i++) y = ad_var_mul_r(y, 1.0000001);
        CHECK_STATUS(ad_backward(y), AD_OK);
        s = ad_tape_get_stats(t);
        CHECK(s.bytes == before); /* reserved: recording and a sweep allocate nothing */
    }
    CHECK(s.slots == N + 1 && s.instructions == N);
    CHECK(s.constants == 1);
    CHECK((double)s.bytes_used <= 28.0 * (double)N);
    CHECK((double)s.bytes_used >= 16.0 * (double)N);
    CHECK((double)s.bytes <= 28.0 * (double)N);
    CHECK(s.bytes >= s.bytes_used && s.peak_bytes >= s.bytes && s.peak_slots == N + 1);
    CHECK_NEAR(ad_adjoint(x), pow(1.0000001, (double)N), 1e-6);
    ad_tape_reset(t);
    s = ad_tape_get_stats(t);
    CHECK(s.slots == 0 && s.instructions == 0 && s.constants == 0 && s.branches == 0);
    CHECK(s.peak_slots == N + 1);                      /* a peak stays */
    CHECK((double)s.bytes >= 16.0 * (double)N);                /* reset keeps the memory */
    finish(t);

    t = ad_tape_create(NULL); /* the promise of reserve, without constants */
    CHECK_STATUS(ad_tape_reserve(t, 10001), AD_OK);
    x = y = ad_input(t, 1.0);
    {
        const size_t before = ad_tape_get_stats(t).bytes;
        for (i = 0; i < 10000; i++) y = ad_var_sin(y);
        CHECK(ad_tape_get_stats(t).bytes == before);
        CHECK_STATUS(ad_backward(y), AD_OK);
        CHECK(ad_tape_get_stats(t).bytes == before);
    }
    finish(t);
}

static void test_doubling(void)
{
    ad_tape *t = ad_tape_create(NULL);
    ad_var x = ad_input(t, 1.0), y = x, g, h;
    const double one = 1.0;
    double J, H;
    sink s;
    int i;
    ad_graph_format f;
    for (i = 0; i < 100; i++) y = ad_var_add(y, y);
    CHECK(y.v == ldexp(1.0, 100));
    CHECK_STATUS(ad_backward(y), AD_OK);
    CHECK(ad_adjoint(x) == ldexp(1.0, 100));
    CHECK_STATUS(ad_forward(t, 1, &x, &one), AD_OK);
    CHECK(ad_tangent(y) == ldexp(1.0, 100));
    CHECK_STATUS(ad_jacobian_reverse(t, 1, &x, 1, &y, &J), AD_OK);
    CHECK(J == ldexp(1.0, 100));
    CHECK_STATUS(ad_jacobian_forward(t, 1, &x, 1, &y, &J), AD_OK);
    CHECK(J == ldexp(1.0, 100));
    CHECK_STATUS(ad_hessian_of(y, 1, &x, &H), AD_OK);
    CHECK(H == 0.0);
    for (i = 0; i < 3; i++) {
        f = i == 0 ? AD_GRAPH_TEXT : i == 1 ? AD_GRAPH_DOT : AD_GRAPH_JSON;
        memset(&s, 0, sizeof s);
        CHECK_STATUS(ad_graph_dump(t, f, NULL, sink_write, &s), AD_OK);
        CHECK(s.bytes > 100 && s.bytes < 101 * 400);
    }
    CHECK_STATUS(ad_grad_vars(y, 1, &x, &g), AD_OK);
    CHECK(g.v == ldexp(1.0, 100));
    /* squares double the paths too: x^(2^10), value and derivatives exact */
    for (i = 0, y = x; i < 10; i++) y = ad_var_mul(y, y);
    CHECK_STATUS(ad_grad_vars(y, 1, &x, &g), AD_OK);
    CHECK(g.v == 1024.0);
    CHECK_STATUS(ad_grad_vars(g, 1, &x, &h), AD_OK);
    CHECK(h.v == 1024.0 * 1023.0);
    CHECK_STATUS(ad_hessian_of(y, 1, &x, &H), AD_OK);
    CHECK(H == 1024.0 * 1023.0);
    CHECK(slots(t) < 1000);
    finish(t);
}

/* A function of n variables with every kind of instruction that several lanes go through: one, two
   and three operands, constants on either side, selections, lists. */
static void lanes_function(const ad_var *x, size_t n, ad_var *y, size_t m)
{
    size_t i;
    for (i = 0; i < m; i++) {
        const ad_var a = x[i % n], b = x[(3 * i + 1) % n], c = x[(5 * i + 2) % n];
        ad_var s = ad_var_mul(ad_var_sin(a), ad_var_add_r(b, 2.0));
        s = ad_var_sub(s, ad_var_div_from_r(3.0, ad_var_add_r(ad_var_square(c), 1.0)));
        s = ad_var_fma(s, b, ad_var_select(ad_var_lt(a, c), ad_var_exp(a), c));
        s = ad_var_add(s, ad_var_dot(2, x, x + n - 2));
        y[i] = i % 4 == 3 ? ad_var_mul(y[i - 1], ad_var_relu(s)) : s;
    }
}

/* The Jacobian by rows one by one, by eight rows, by columns, times seeds, adjoint by adjoint. */
static void test_several_lanes(void)
{
    enum { N = 11, M = 10, P = 13 };
    ad_tape *t = ad_tape_create(NULL);
    ad_var x[N], y[M];
    double v[N], J[M * N], K[M * N], S[N * P], JS[M * P], bar[N + 1];
    size_t i, j, k, m;
    for (i = 0; i < N; i++) v[i] = 0.3 * (double)i - 1.4;
    for (i = 0; i < N * P; i++) S[i] = (double)((i * 7) % 5) - 2.0;
    CHECK_STATUS(ad_inputs(t, N, v, x), AD_OK);
    lanes_function(x, N, y, M);
    y[4] = ad_const(2.0);
    CHECK_STATUS(ad_jacobian_forward(t, N, x, M, y, J), AD_OK);
    for (m = 1; m <= M; m++) {                 /* up to three rows have a way of their own */
        memset(K, 0xFF, sizeof K);
        CHECK_STATUS(ad_jacobian_reverse(t, N, x, m, y, K), AD_OK);
        for (i = 0; i < m * N; i++) CHECK(fabs(K[i] - J[i]) <= 1e-13 * (1 + fabs(J[i])));
    }
    CHECK_STATUS(ad_jacobian_times(t, N, x, P, S, M, y, JS), AD_OK);
    for (i = 0; i < M; i++)
        for (k = 0; k < P; k++) {
            double want = 0, size = 0;
            for (j = 0; j < N; j++) {
                want += J[i * N + j] * S[j * P + k];
                size += fabs(J[i * N + j] * S[j * P + k]);
            }
            CHECK(fabs(JS[i * P + k] - want) <= 1e-13 * (1 + size));
        }
    for (i = 0; i < M; i++) {
        if (i == 4) continue;
        CHECK_STATUS(ad_backward(y[i]), AD_OK);
        bar[N] = 7;
        ad_adjoints(N, x, bar);
        for (j = 0; j < N; j++) {
            CHECK(bar[j] == ad_adjoint(x[j]));
            CHECK(fabs(bar[j] - J[i * N + j]) <= 1e-13 * (1 + fabs(bar[j])));
        }
        CHECK(bar[N] == 7);
    }
    x[3] = ad_const(1.0);                      /* as ad_adjoint has it: 0 */
    ad_adjoints(N, x, bar);
    CHECK(bar[3] == 0);
    ad_adjoints(0, NULL, NULL);
    CHECK_STATUS(ad_jacobian_times(t, N, x, 0, NULL, M, y, NULL), AD_OK);
    CHECK_STATUS(ad_jacobian_times(t, 0, NULL, P, NULL, M, y, JS), AD_OK);
    for (i = 0; i < M * P; i++) CHECK(JS[i] == 0);
    CHECK_STATUS(ad_jacobian_times(NULL, N, x, P, S, M, y, JS), AD_ERR_ARGUMENT);
    ad_tape_reset(t);
    ad_adjoints(1, x, bar);
    CHECK(bar[0] != bar[0]);                   /* stale */
    finish(t);
}

/* More constants than the pool has room for at first, one after another and again; each is there
   once, however often it is used in turn, also where the pool has just grown. */
static void test_fresh_constants(void)
{
    ad_tape *t = ad_tape_create(NULL);
    ad_var x = ad_input(t, 0.5), y = x;
    double want = 0;
    int i, round;
    for (round = 0; round < 3; round++) {
        const size_t mark = ad_tape_mark(t);
        for (i = 0, want = 0, y = ad_const(0); i < 3000; i++) {
            y = ad_var_add(y, ad_var_mul_r(x, 1 + i * 0.125));
            y = ad_var_sub(y, ad_var_mul_r(x, 1 + i * 0.125));
            y = ad_var_add(y, ad_var_mul_r(x, 1 + i * 0.125));
            want += 1 + i * 0.125;
        }
        CHECK_STATUS(ad_backward(y), AD_OK);
        CHECK(ad_adjoint(x) == want && y.v == 0.5 * want);
        CHECK(ad_tape_get_stats(t).constants == 3001);         /* and the 0 */
        ad_tape_rewind(t, mark);
        CHECK(ad_tape_get_stats(t).constants == 0);
    }
    finish(t);
}

/* Handles survive growth; adjoints of what came after the sweep are 0, not what lay in memory. */
static void test_growth(void)
{
    ad_tape *t = ad_tape_create(NULL);
    ad_var x = ad_input(t, 1.5), y = ad_var_square(x), late = x, early;
    const double one = 1;
    size_t mark;
    int i;
    CHECK_STATUS(ad_backward(y), AD_OK);
    CHECK_STATUS(ad_forward(t, 1, &x, &one), AD_OK);
    for (i = 0; i < 100000; i++) {
        late = ad_var_add_r(late, 1.0);
        if (i % 1000 == 0) CHECK(ad_adjoint(late) == 0.0 && ad_tangent(late) == 0.0);
    }
    CHECK(ad_adjoint(x) == 3.0);                       /* the old sweep still stands */
    CHECK(ad_tangent(y) == 3.0);
    CHECK_STATUS(ad_backward(late), AD_OK);
    CHECK(ad_adjoint(x) == 1.0 && ad_adjoint(y) == 0.0);
    CHECK_STATUS(ad_backward(y), AD_OK);
    CHECK(ad_adjoint(x) == 3.0 && ad_adjoint(late) == 0.0);

    /* a new variable in an old slot has no adjoint yet */
    mark = ad_tape_mark(t);
    early = ad_var_mul_r(x, 7.0);
    CHECK_STATUS(ad_forward_over_reverse(early, 1, &x, &one), AD_OK);
    CHECK_STATUS(ad_forward(t, 1, &x, &one), AD_OK);
    CHECK(ad_adjoint(early) == 1.0 && ad_tangent(early) == 7.0);
    ad_tape_rewind(t, mark);
    early = ad_input(t, 2.0);
    CHECK(ad_adjoint(early) == 0.0);
    CHECK(ad_tangent(early) == 0.0);
    CHECK(ad_adjoint_tangent(early) == 0.0);
    CHECK_STATUS(ad_backward(early), AD_OK);
    CHECK_STATUS(ad_forward(t, 1, &early, &one), AD_OK);
    ad_tape_reset(t);
    for (i = 0; i < 100; i++) {
        early = ad_input(t, 2.0);
        CHECK(ad_adjoint(early) == 0.0);
        CHECK(ad_tangent(early) == 0.0);
    }
    finish(t);
}

/* ---------------------------------------------------------------- mark, rewind, reset */

/* What one turn of a loop records: constants, lists, a name, a guard, a user's partials. */
static ad_var turn(ad_tape *t, ad_var x, ad_var y, double k)
{
    ad_var list[3];
    const double c[3] = { 2.0, -1.0, 0.5 };
    char name[32];
    sprintf(name, "turn %g", k);
    list[0] = ad_name(ad_var_mul_r(x, k), name);
    list[1] = ad_var_add(y, ad_const(k + 1));
    list[2] = ad_branch(ad_var_gt(list[0], list[1])) ? list[0] : ad_var_mul(x, y);
    list[0] = ad_var_lincomb(3, c, list);
    list[1] = ad_var_custom(t, 1, list, 1.0, c);
    list[2] = ad_var_fma(list[0], ad_const(k), list[1]);
    return ad_var_sum(3, list);
}

static void test_rewind(void)
{
    ad_tape *t = ad_tape_create(NULL), *fresh = ad_tape_create(NULL);
    ad_var x = ad_input(t, 2.0), y = ad_input(t, 3.0), z;
    const ad_var fx = ad_input(fresh, 2.0), fy = ad_input(fresh, 3.0);
    const ad_tape_stats empty = ad_tape_get_stats(t);
    const size_t mark = ad_tape_mark(t);
    size_t bytes = 0, after = 0, mark2;
    ad_tape_stats s;
    int i, bad = 0;
    for (i = 0; i < 500; i++) {                        /* as on a tape that was never rewound */
        const double k = 0.5 + i % 7;
        ad_var w = turn(fresh, fx, fy, k);
        z = turn(t, x, y, k);
        if (i % 5 == 0) {
            w = turn(fresh, w, fy, k * 3);
            z = turn(t, z, y, k * 3);
        }
        CHECK_STATUS(ad_backward(z), AD_OK);
        CHECK_STATUS(ad_backward(w), AD_OK);
        CHECK(w.v == z.v);
        CHECK(ad_adjoint(x) == ad_adjoint(fx) && ad_adjoint(y) == ad_adjoint(fy));
        if (i == 0) CHECK(ad_tape_get_stats(t).branches == 2);
        ad_tape_rewind(t, mark);
    }
    ad_tape_rewind(t, mark);
    for (i = 0; i < 100000; i++) {
        const double k = 0.5 + i % 7;
        z = turn(t, x, y, k);
        if (i % 50 == 0) z = turn(t, z, y, k * 3);
        if (i % 10 == 0 && ad_backward(z) != AD_OK) bad++;
        ad_tape_rewind(t, mark);
        if (i == 1000) bytes = ad_tape_get_stats(t).bytes;
    }
    after = ad_tape_get_stats(t).bytes;
    CHECK(bad == 0);
    CHECK(after == bytes);
    s = ad_tape_get_stats(t);
    CHECK(s.slots == empty.slots && s.instructions == empty.instructions);
    CHECK(s.constants == empty.constants && s.branches == empty.branches);
    CHECK(s.bytes_used <= s.bytes && s.peak_bytes >= s.bytes && s.peak_slots > s.slots);

    /* nested marks; what stands below a mark is untouched, list records included */
    z = turn(t, x, y, 2.5);
    mark2 = ad_tape_mark(t);
    turn(t, z, y, 2.5);
    turn(t, z, y, 99.5);
    ad_tape_rewind(t, mark2);
    turn(t, z, y, 98.5);
    ad_tape_rewind(t, mark2);
    {
        const ad_var w = turn(fresh, fx, fy, 2.5);
        CHECK_STATUS(ad_backward(z), AD_OK);
        CHECK_STATUS(ad_backward(w), AD_OK);
        CHECK(w.v == z.v && ad_adjoint(x) == ad_adjoint(fx) && ad_adjoint(y) == ad_adjoint(fy));
        CHECK(ad_tape_get_stats(t).branches == 1);
    }
    ad_tape_rewind(t, ad_tape_mark(t));                /* to here: nothing */
    ad_tape_rewind(t, ad_tape_mark(t) + 1000);         /* to what is not there yet: nothing */
    CHECK(slots(t) == mark2 && ad_tape_mark(t) == mark2);
    ad_tape_rewind(t, 0);                              /* all */
    CHECK(slots(t) == 0);
    CHECK(ad_tape_get_stats(t).constants == 0 && ad_tape_get_stats(t).branches == 0);
    x = ad_input(t, 4.0);
    z = ad_var_mul_r(x, 2.5);
    CHECK_STATUS(ad_backward(z), AD_OK);
    CHECK(ad_adjoint(x) == 2.5);
    ad_tape_destroy(fresh);
    finish(t);
}

/* What was made before a mark is there after rewinding to it, where the mark is 0 too: arrays of
   constants and places in the source take no slots. `kind`: what was made; fixed: in a buffer. */
static void rewind_to_nothing(int kind, int fixed)
{
    static double buffer[1 << 14];
    const double data[3] = { 1, 2, 4 };
    const int32_t three = 3;
    ad_tape_desc desc;
    ad_tape *t;
    ad_array first, second;
    ad_nonfinite report;
    size_t mark;
    int i;
    memset(&desc, 0, sizeof desc);
    if (fixed) {
        desc.buffer = buffer;
        desc.buffer_bytes = sizeof buffer;
        desc.max_slots = 200;
    }
    desc.debug = kind == 3;
    t = ad_tape_create(&desc);
    first = second = ad_array_const(t, 1, &three, data);
    if (kind == 0) second = ad_array_const_borrow(t, 1, &three, data);
    if (kind == 1) second = ad_array_mul(ad_array_full(t, 1, &three, 2), first);
    if (kind >= 2) ad_here(t, "made before the mark", 7);
    mark = ad_tape_mark(t);
    CHECK(mark == 0);
    for (i = 0; i < 4; i++) {
        const ad_var x = ad_input(t, 3);
        const ad_array all = ad_array_add(ad_array_mul(first, second), first);
        const ad_var y = ad_var_mul(x, ad_array_item(ad_array_sum(all, AD_ALL_AXES, 0)));
        const double want = kind == 1 ? 49 : 28;
        CHECK_STATUS(ad_backward(y), AD_OK);
        CHECK(y.v == 3 * want && ad_adjoint(x) == want);
        if (kind == 3) {
            ad_var_log(ad_var_sub(x, x));
            if (CHECK(ad_tape_nonfinite(t, &report)) && CHECK(report.file != NULL)) {
                CHECK_STRING(report.file, "made before the mark");
                CHECK(report.line == 7);
            }
        }
        CHECK_STATUS(ad_tape_status(t), AD_OK);
        ad_tape_rewind(t, mark);
        CHECK(slots(t) == 0);
        if (CHECK(ad_array_values(first) != NULL))
            CHECK(memcmp(ad_array_values(first), data, sizeof data) == 0);
        CHECK(ad_tape_mark(t) == 0);
    }
    ad_tape_destroy(t);
}
static void test_rewind_to_nothing(void)
{
    int kind;
    for (kind = 0; kind < 4; kind++) rewind_to_nothing(kind, 0);
    for (kind = 0; kind < 4; kind++) rewind_to_nothing(kind, 1);
}

/* The pool after rewind: a place remembered for a constant must hold that constant. */
static void test_pool(void)
{
    ad_tape *t = ad_tape_create(NULL);
    ad_var x = ad_input(t, 1.0), y;
    size_t mark = ad_tape_mark(t);
    double negative = -0.0;
    int i, j, bad = 0;
    for (i = 0; i < 300; i++) {
        for (j = 0; j < 40; j++) {
            const double k = (double)((i * 7 + j * 13) % 97) + 0.25;
            y = j & 1 ? ad_var_mul_r(x, k) : ad_var_mul_from_r(k, x);
            if (ad_backward(y) != AD_OK || ad_adjoint(x) != k || y.v != k) bad++;
        }
        ad_tape_rewind(t, mark);
    }
    CHECK(bad == 0);
    y = ad_var_mul_r(x, 0.0);
    CHECK(1 / y.v > 0);
    y = ad_var_mul_r(x, negative);                     /* -0.0 is not 0.0 */
    CHECK(1 / y.v < 0);
    CHECK_STATUS(ad_backward(y), AD_OK);
    CHECK(ad_adjoint(x) == 0.0);
    for (i = 0; i < 1000; i++) { /* more than the table of recent ones holds */
        y = ad_var_add(ad_var_mul_r(x, (double)i), ad_var_div_from_r((double)i, x));
        if (ad_backward(y) != AD_OK || ad_adjoint(x) != 0.0 || y.v != 2.0 * i) bad++;
    }
    CHECK(bad == 0);
    for (i = 0, mark = ad_tape_get_stats(t).constants; i < 1000; i++) y = ad_var_add_r(y, 123.5);
    CHECK(ad_tape_get_stats(t).constants == mark + 1); /* a constant in use is kept once */
    finish(t);
}

/* ---------------------------------------------------------------- seeds, forward, second order */

static void test_seeds(void)
{
    ad_tape *t = ad_tape_create(NULL), *other = ad_tape_create(NULL);
    ad_var x[2], y[4];
    double w[4] = { 2.0, -1.0, 0.5, 10.0 }, dot[2] = { 0.5, -2.0 };
    x[0] = ad_input(t, 1.5);
    x[1] = ad_input(t, 4.0);
    y[0] = ad_var_mul(x[0], x[1]);                     /* 4, 1.5 */
    y[1] = ad_var_square(x[0]);                        /* 3, 0 */
    y[2] = y[0];                                       /* named twice: counts twice */
    y[3] = ad_const(7.0);                              /* contributes nothing */
    CHECK_STATUS(ad_backward_seeded(t, 4, y, w), AD_OK);
    CHECK(ad_adjoint(x[0]) == 2.5 * 4 - 3);
    CHECK(ad_adjoint(x[1]) == 2.5 * 1.5);
    CHECK(ad_adjoint(y[0]) == 2.5);
    CHECK_STATUS(ad_backward_seeded(t, 4, y, w), AD_OK);
    CHECK(ad_adjoint(x[0]) == 2.5 * 4 - 3);
    CHECK_STATUS(ad_backward_seeded(t, 1, y + 1, w), AD_OK);
    CHECK(ad_adjoint(x[0]) == 6.0 && ad_adjoint(x[1]) == 0.0 && ad_adjoint(y[0]) == 0.0);
    CHECK_STATUS(ad_backward_seeded(t, 1, y + 3, w), AD_OK);      /* constants alone: all zero */
    CHECK(ad_adjoint(x[0]) == 0.0 && ad_adjoint(x[1]) == 0.0);
    CHECK_STATUS(ad_backward(y[0]), AD_OK);
    CHECK_STATUS(ad_backward_seeded(t, 0, NULL, NULL), AD_OK);    /* the empty sum */
    CHECK(ad_adjoint(x[0]) == 0.0 && ad_adjoint(x[1]) == 0.0);
    /* an output that another output depends on, in both orders */
    y[3] = ad_var_mul(y[0], x[0]);                     /* x0^2 x1: 12, 2.25 */
    CHECK_STATUS(ad_backward_seeded(t, 4, y, w), AD_OK);
    CHECK(ad_adjoint(x[0]) == 2.5 * 4 - 3 + 10 * 12);
    CHECK(ad_adjoint(x[1]) == 2.5 * 1.5 + 10 * 2.25);
    CHECK(ad_adjoint(y[0]) == 2.5 + 15);
    y[0] = y[3];
    y[3] = y[2];
    w[0] = 1.0;
    w[2] = 0.0;
    CHECK_STATUS(ad_backward_seeded(t, 4, y, w), AD_OK);
    CHECK(ad_adjoint(x[0]) == 10 * 4 - 3 + 12);

    CHECK_STATUS(ad_forward(t, 2, x, dot), AD_OK);
    CHECK(ad_tangent(x[0]) == 0.5 && ad_tangent(x[1]) == -2.0);
    CHECK(ad_tangent(y[3]) == 0.5 * 4 - 2 * 1.5);
    CHECK(ad_tangent(y[1]) == 0.5 * 3);
    CHECK(ad_tangent(y[0]) == 12 * 0.5 - 2.25 * 2);
    CHECK_STATUS(ad_forward(t, 1, x, dot), AD_OK);     /* the other's old seed is gone */
    CHECK(ad_tangent(x[1]) == 0.0 && ad_tangent(y[3]) == 2.0);
    CHECK_STATUS(ad_forward(t, 0, NULL, NULL), AD_OK);
    CHECK(ad_tangent(x[0]) == 0.0 && ad_tangent(y[3]) == 0.0);
    {   /* a seed at a result is added to the result's own tangent; a variable named twice adds */
        ad_var seeded[3];
        const double d[3] = { 1.0, 100.0, 10.0 };
        seeded[0] = x[0];
        seeded[1] = y[3];
        seeded[2] = x[0];
        CHECK_STATUS(ad_forward(t, 2, seeded, d), AD_OK);
        CHECK(ad_tangent(y[3]) == 104.0);
        CHECK(ad_tangent(y[0]) == 104.0 * 1.5 + 6.0);
        CHECK_STATUS(ad_forward(t, 3, seeded, d), AD_OK);
        CHECK(ad_tangent(x[0]) == 11.0);
        CHECK(ad_tangent(y[3]) == 144.0);
    }
    ad_tape_destroy(other);
    finish(t);
}

/* f = x^3 y + exp(x y): everything known. */
static void test_second_order(void)
{
    ad_tape *t = ad_tape_create(NULL);
    const double a = 0.75, b = -1.25, e = exp(a * b), dot[2] = { 0.5, 2.0 };
    const double gx = 3 * a * a * b + b * e, gy = a * a * a + a * e;
    const double xx = 6 * a * b + b * b * e, xy = 3 * a * a + e + a * b * e, yy = a * a * e;
    ad_var x[2], f, g[2], u, in[3];
    double H[9], J[6];
    int i;
    x[0] = ad_input(t, a);
    x[1] = ad_input(t, b);
    f = ad_var_add(ad_var_mul(ad_var_powi(x[0], 3), x[1]), ad_var_exp(ad_var_mul(x[0], x[1])));
    for (i = 0; i < 2; i++) {
        CHECK_STATUS(ad_forward_over_reverse(f, 2, x, dot), AD_OK);
        CHECK_NEAR(ad_adjoint(x[0]), gx, 1e-14);
        CHECK_NEAR(ad_adjoint(x[1]), gy, 1e-14);
        CHECK_NEAR(ad_adjoint_tangent(x[0]), xx * 0.5 + xy * 2.0, 1e-14);
        CHECK_NEAR(ad_adjoint_tangent(x[1]), xy * 0.5 + yy * 2.0, 1e-14);
        CHECK(ad_adjoint(f) == 1.0 && ad_adjoint_tangent(f) == 0.0);
    }
    CHECK_STATUS(ad_forward_over_reverse(f, 1, x, dot), AD_OK);
    CHECK_NEAR(ad_adjoint_tangent(x[0]), xx * 0.5, 1e-14);
    CHECK_NEAR(ad_adjoint_tangent(x[1]), xy * 0.5, 1e-14);
    CHECK_STATUS(ad_forward_over_reverse(f, 0, NULL, NULL), AD_OK);
    CHECK_NEAR(ad_adjoint(x[0]), gx, 1e-14);
    CHECK(ad_adjoint_tangent(x[0]) == 0.0);
    CHECK_STATUS(ad_hessian_of(f, 2, x, H), AD_OK);
    CHECK_NEAR(H[0], xx, 1e-14);
    CHECK_NEAR(H[1], xy, 1e-14);
    CHECK(H[1] == H[2]);
    CHECK_NEAR(H[3], yy, 1e-14);
    CHECK_STATUS(ad_grad_vars(f, 2, x, g), AD_OK);
    CHECK_NEAR(g[0].v, gx, 1e-14);
    CHECK_NEAR(g[1].v, gy, 1e-14);
    CHECK_STATUS(ad_jacobian_reverse(t, 2, x, 2, g, J), AD_OK);
    for (i = 0; i < 4; i++) CHECK_NEAR(J[i], H[i], 1e-14);
    CHECK_STATUS(ad_jacobian_forward(t, 2, x, 2, g, J), AD_OK);
    for (i = 0; i < 4; i++) CHECK_NEAR(J[i], H[i], 1e-14);

    /* with respect to a result as well: u = x^2, f = u x: df/dx in all is 3 x^2, df/du is x */
    u = ad_var_square(x[0]);
    f = ad_var_mul(u, x[0]);
    in[0] = x[0];
    in[1] = u;
    in[2] = x[1];
    for (i = 0; i < 2; i++) {
        CHECK_STATUS(i ? ad_jacobian_forward(t, 3, in, 1, &f, J)
                       : ad_jacobian_reverse(t, 3, in, 1, &f, J),
                     AD_OK);
        CHECK_NEAR(J[0], 3 * a * a, 1e-15);
        CHECK_NEAR(J[1], a, 1e-15);
        CHECK(J[2] == 0.0);
    }
    CHECK_STATUS(ad_hessian_of(f, 3, in, H), AD_OK);
    CHECK_NEAR(H[0], 6 * a, 1e-15);
    CHECK_NEAR(H[1], 1, 1e-15);
    CHECK(H[2] == 0.0 && H[4] == 0.0 && H[5] == 0.0 && H[8] == 0.0 && H[3] == H[1]);
    {
        ad_var h[3];
        CHECK_STATUS(ad_grad_vars(f, 3, in, h), AD_OK);
        CHECK_NEAR(h[0].v, 3 * a * a, 1e-15);
        CHECK_NEAR(h[1].v, a, 1e-15);
        CHECK(h[2].v == 0.0 && h[2].tape == NULL);     /* independent: a constant */
    }
    /* outputs named twice, outputs that are inputs, constant outputs and inputs */
    {
        ad_var y[5];
        const double want[10] = { 3 * a * a, 0, 1, 0, 3 * a * a, 0, 0, 0, 0, 1 };
        double J2[10];
        int k;
        y[0] = y[2] = f;
        y[1] = x[0];
        y[3] = ad_const(3.0);
        y[4] = x[1];
        for (k = 0; k < 2; k++) {
            memset(J2, 0x55, sizeof J2);
            CHECK_STATUS(k ? ad_jacobian_forward(t, 2, x, 5, y, J2)
                           : ad_jacobian_reverse(t, 2, x, 5, y, J2),
                         AD_OK);
            for (i = 0; i < 10; i++) CHECK_NEAR(J2[i], want[i], 1e-15);
            in[0] = x[0];
            in[1] = x[0];                              /* the same input in two columns */
            CHECK_STATUS(k ? ad_jacobian_forward(t, 2, in, 1, y, J2)
                           : ad_jacobian_reverse(t, 2, in, 1, y, J2),
                         AD_OK);
            CHECK_NEAR(J2[0], 3 * a * a, 1e-15);
            CHECK_NEAR(J2[1], 3 * a * a, 1e-15);
        }
        CHECK_STATUS(ad_hessian_of(f, 2, in, H), AD_OK);
        for (i = 0; i < 4; i++) CHECK_NEAR(H[i], 6 * a, 1e-15);
    }
    finish(t);
}

/* Jacobians of every size around the lanes: y[i] = sum over j of sin(c_ij x_j) x_(j+1). */
static double coefficient(size_t i, size_t j)
{
    return 0.1 + 0.07 * (double)((3 * i + 5 * j) % 11);
}

static void wavy(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m, void *user)
{
    size_t i, j;
    (void)t;
    (void)user;
    for (i = 0; i < m; i++) {
        y[i] = ad_const(0.0);
        for (j = 0; j < n; j++)
            y[i] = ad_var_add(y[i], ad_var_mul(ad_var_sin(ad_var_mul_r(x[j], coefficient(i, j))),
                                               x[(j + 1) % n]));
    }
}
static double wavy_partial(size_t i, size_t j, const double *x, size_t n)
{
    const size_t before = (j + n - 1) % n;
    return coefficient(i, j) * cos(coefficient(i, j) * x[j]) * x[(j + 1) % n]
         + sin(coefficient(i, before) * x[before]);
}

static void test_jacobians(void)
{
    ad_tape *t = ad_tape_create(NULL);
    ad_var x[20], y[20];
    double v[20], reverse[400], forward[400], driver[400], values[20];
    size_t n, m, i, j;
    double worst = 0, apart = 0;
    for (i = 0; i < 20; i++) v[i] = 0.3 + 0.11 * (double)i;
    for (n = 1; n <= 20; n++) {
        for (m = 1; m <= 20; m++) {
            size_t before;
            ad_tape_reset(t);
            CHECK_STATUS(ad_inputs(t, n, v, x), AD_OK);
            wavy(t, x, n, y, m, NULL);
            before = slots(t);
            memset(reverse, 0x55, sizeof reverse);
            memset(forward, 0x55, sizeof forward);
            CHECK_STATUS(ad_jacobian_reverse(t, n, x, m, y, reverse), AD_OK);
            CHECK_STATUS(ad_jacobian_forward(t, n, x, m, y, forward), AD_OK);
            CHECK_STATUS(ad_jacobian(t, wavy, NULL, v, n, m, values, driver), AD_OK);
            CHECK(slots(t) == before);
            for (i = 0; i < m; i++) {
                if (values[i] != y[i].v) worst = 1;
                for (j = 0; j < n; j++) {
                    const double want = wavy_partial(i, j, v, n);
                    const double a = fabs(reverse[i * n + j] - want),
                                 b = fabs(forward[i * n + j] - want);
                    const double c = fabs(driver[i * n + j] - want);
                    worst = fmax(worst, fmax(a, fmax(b, c)));
                    if (!(a < 1e-13 && b < 1e-13 && c < 1e-13)) worst = 1;
                    apart = fmax(apart, fabs(reverse[i * n + j] - forward[i * n + j]));
                }
            }
            if (m * n < 400) {                         /* nothing written behind the end */
                double untouched;
                memset(&untouched, 0x55, sizeof untouched);
                CHECK(memcmp(&reverse[m * n], &untouched, sizeof untouched) == 0);
                CHECK(memcmp(&forward[m * n], &untouched, sizeof untouched) == 0);
            }
        }
    }
    CHECK_NEAR(worst, 0.0, 1e-13);
    CHECK_NEAR(apart, 0.0, 1e-13);
    finish(t);
}

/* Hessians of every size: f = sum over i of exp(a_i x_i) x_(i+1)^2 + product of all / n. */
static ad_var bumpy(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    ad_var f = ad_const(0.0), p = ad_const(1.0);
    size_t i;
    (void)t;
    (void)user;
    for (i = 0; i < n; i++) {
        f = ad_var_add(f, ad_var_mul(ad_var_exp(ad_var_mul_r(x[i], 0.1 * (double)(i + 1))),
                                     ad_var_square(x[(i + 1) % n])));
        p = ad_var_mul(p, x[i]);
    }
    return ad_var_add(f, ad_var_div_r(p, (double)n));
}
static double bumpy_second(size_t i, size_t j, const double *x, size_t n)
{
    double r = 0, p = 1.0 / (double)n;
    size_t k;
    for (k = 0; k < n; k++) {
        const double a = 0.1 * (double)(k + 1), e = exp(a * x[k]);
        const size_t l = (k + 1) % n;
        if (k != i && k != j) p *= x[k];
        /* e(x_k) x_l^2, where l may be k */
        if (l == k) r += i == k && j == k ? e * (a * a * x[k] * x[k] + 4 * a * x[k] + 2) : 0;
        else if (i == k && j == k) r += a * a * e * x[l] * x[l];
        else if (i == l && j == l) r += 2 * e;
        else if ((i == k && j == l) || (i == l && j == k)) r += 2 * a * e * x[l];
    }
    return i == j ? r : r + p;
}

static void test_hessians(void)
{
    ad_tape *t = ad_tape_create(NULL);
    ad_var x[20], f, g[20];
    double v[20], H[400], driver[400], J[400], gradient[20], only[20], y, Hv[20];
    size_t n, i, j;
    double worst = 0, asymmetry = 0;
    for (i = 0; i < 20; i++) v[i] = 1.1 - 0.09 * (double)i;
    for (n = 1; n <= 20; n++) {
        ad_tape_reset(t);
        CHECK_STATUS(ad_inputs(t, n, v, x), AD_OK);
        f = bumpy(t, x, n, NULL);
        memset(H, 0x55, sizeof H);
        CHECK_STATUS(ad_hessian_of(f, n, x, H), AD_OK);
        CHECK_STATUS(ad_hessian(t, bumpy, NULL, v, n, &y, gradient, driver), AD_OK);
        CHECK(y == f.v);
        CHECK_STATUS(ad_grad_vars(f, n, x, g), AD_OK);
        CHECK_STATUS(ad_jacobian_reverse(t, n, x, n, g, J), AD_OK);
        CHECK_STATUS(ad_backward(f), AD_OK);
        for (i = 0; i < n; i++) {
            CHECK_NEAR(gradient[i], g[i].v, 1e-13);
            CHECK_NEAR(gradient[i], ad_adjoint(x[i]), 1e-13);
            for (j = 0; j < n; j++) {
                const double want = bumpy_second(i, j, v, n);
                worst = fmax(worst, fabs(H[i * n + j] - want));
                worst = fmax(worst, fabs(driver[i * n + j] - want));
                worst = fmax(worst, fabs(J[i * n + j] - want));
                if (H[i * n + j] != H[i * n + j]) worst = 1;
                if (H[i * n + j] != H[j * n + i] || driver[i * n + j] != driver[j * n + i])
                    asymmetry = 1;
            }
        }
        CHECK_STATUS(ad_hvp(t, bumpy, NULL, v, n, v, &y, only, Hv), AD_OK);
        for (i = 0; i < n; i++) {
            double s = 0;
            for (j = 0; j < n; j++) s += H[i * n + j] * v[j];
            CHECK_NEAR(Hv[i], s, 1e-12);
            CHECK_NEAR(only[i], gradient[i], 1e-13);
        }
    }
    CHECK_NEAR(worst, 0.0, 1e-12);
    CHECK(asymmetry == 0);                             /* symmetric to the last bit */
    finish(t);
}

/* ---------------------------------------------------------------- gradients of gradients */

/* Derivatives 0 to 4 of f at x, by grad_vars alone; and the last two against the numeric sweeps. */
static void orders(const char *what, ad_tape *t, ad_var x, ad_var f, const double *want,
                   double tolerance)
{
    ad_var g = f, next;
    const double one = 1;
    double H;
    int k;
    for (k = 0; k <= 4; k++) {
        test_check(test_near(g.v, want[k], tolerance), __FILE__, __LINE__,
                   "%s: derivative %d is %.17g, not %.17g", what, k, g.v, want[k]);
        if (k == 4) break;
        if (g.tape == NULL) {                          /* a constant: all further ones are 0 */
            for (k++; k <= 4; k++) CHECK_NEAR(want[k], 0.0, tolerance);
            return;
        }
        CHECK_STATUS(ad_backward(g), AD_OK);
        CHECK_NEAR(ad_adjoint(x), want[k + 1], tolerance);
        CHECK_STATUS(ad_forward(t, 1, &x, &one), AD_OK);
        CHECK_NEAR(ad_tangent(g), want[k + 1], tolerance);
        if (k < 3) {
            CHECK_STATUS(ad_hessian_of(g, 1, &x, &H), AD_OK);
            test_check(test_near(H, want[k + 2], tolerance), __FILE__, __LINE__,
                       "%s: second derivative of derivative %d is %.17g, not %.17g", what, k, H,
                       want[k + 2]);
        }
        CHECK_STATUS(ad_grad_vars(g, 1, &x, &next), AD_OK);
        g = next;
    }
}

static void test_orders(void)
{
    ad_tape *t = ad_tape_create(NULL);
    const double a = 0.7;
    ad_var x, l[3], m[3];
    {
        const double w[5] = { pow(a, 5), 5 * pow(a, 4), 20 * pow(a, 3), 60 * a * a, 120 * a };
        x = ad_input(t, a);
        orders("powi 5", t, x, ad_var_powi(x, 5), w, 1e-13);
        orders("pow 5", t, x, ad_var_pow_r(x, 5.0), w, 1e-13);
        orders("pow of a constant variable", t, x, ad_var_pow(x, ad_const(5.0)), w, 1e-13);
        orders("products", t, x, ad_var_mul(ad_var_mul(ad_var_square(x), ad_var_square(x)), x), w,
               1e-13);
        orders("exp 5 log", t, x, ad_var_exp(ad_var_mul_r(ad_var_log(x), 5.0)), w, 1e-12);
        orders("sqrt of x^10", t, x, ad_var_sqrt(ad_var_powi(x, 10)), w, 1e-12);
        orders("cbrt of x^15", t, x, ad_var_cbrt(ad_var_powi(x, 15)), w, 1e-11);
        orders("poly", t, x, ad_var_mul(ad_var_fma(x, x, ad_const(0.0)), ad_var_powi(x, 3)), w,
               1e-12);
    }
    {
        const double c[6] = { 1, -2, 0, 3, 0.5, -1 };
        const double w[5] = { 1 - 2 * a + 3 * a * a * a + 0.5 * pow(a, 4) - pow(a, 5),
            -2 + 9 * a * a + 2 * a * a * a - 5 * pow(a, 4), 18 * a + 6 * a * a - 20 * a * a * a,
            18 + 12 * a - 60 * a * a, 12 - 120 * a };
        orders("polyval", t, x, ad_var_polyval(6, c, x), w, 1e-13);
    }
    {
        const double e = exp(a), s = sin(a), c = cos(a);
        const double w[5] = { s * e, (s + c) * e, 2 * c * e, 2 * (c - s) * e, -4 * s * e };
        orders("sin exp", t, x, ad_var_mul(ad_var_sin(x), ad_var_exp(x)), w, 1e-13);
        m[0] = ad_var_sin(x);
        l[0] = ad_var_exp(x);
        m[1] = x;
        l[1] = ad_const(0.0);
        orders("dot", t, x, ad_var_dot(2, l, m), w, 1e-13);
    }
    {
        const double w[5] = { 1 / a, -1 / (a * a), 2 / pow(a, 3), -6 / pow(a, 4), 24 / pow(a, 5) };
        orders("inv", t, x, ad_var_inv(x), w, 1e-13);
        orders("1/x", t, x, ad_var_div_from_r(1.0, x), w, 1e-13);
        orders("powi -1", t, x, ad_var_powi(x, -1), w, 1e-12);
        orders("x/x^2", t, x, ad_var_div(x, ad_var_mul(x, x)), w, 1e-12);
    }
    {
        const double r = sqrt(a * a + 1), w[5] = { r, a / r, pow(r, -3), -3 * a * pow(r, -5),
                                                  (12 * a * a - 3) * pow(r, -7) };
        l[0] = x;
        l[1] = ad_const(1.0);
        orders("norm", t, x, ad_var_norm(2, l), w, 1e-13);
        orders("hypot", t, x, ad_var_hypot(x, ad_const(1.0)), w, 1e-13);
        orders("hypot_r", t, x, ad_var_hypot_r(x, 1.0), w, 1e-13);
        l[0] = ad_const(0.6);                          /* 0.36 + 0.64 */
        l[1] = x;
        l[2] = ad_const(0.8);
        orders("norm of three", t, x, ad_var_norm(3, l), w, 1e-13);
    }
    {
        const double s = 1 / (1 + exp(-a)),
                     w[5] = { log1p(exp(a)), s, s * (1 - s), s * (1 - s) * (1 - 2 * s),
                              s * (1 - s) * (1 - 6 * s + 6 * s * s) };
        l[0] = ad_const(0.0);
        l[1] = x;
        orders("logsumexp", t, x, ad_var_logsumexp(2, l), w, 1e-13);
        orders("softplus", t, x, ad_var_softplus(x), w, 1e-13);
        orders("logaddexp", t, x, ad_var_logaddexp(x, l[0]), w, 1e-13);
        orders("logaddexp_from_r", t, x, ad_var_logaddexp_from_r(0.0, x), w, 1e-13);
        l[0] = ad_const(log(0.25));
        l[2] = ad_const(log(0.75));
        orders("logsumexp of three", t, x, ad_var_logsumexp(3, l), w, 1e-13);
        l[0] = ad_const(log(2.0));                     /* (2 + 2 exp(x)) / 2 */
        l[1] = ad_var_add_r(x, log(2.0));
        orders("logmeanexp", t, x, ad_var_logmeanexp(2, l), w, 1e-13);
    }
    {
        const double c[3] = { 2, -1, 3 };
        const double w[5] = { 2 * a * a * a - a * a + 3 * sin(a), 6 * a * a - 2 * a + 3 * cos(a),
            12 * a - 2 - 3 * sin(a), 12 - 3 * cos(a), 3 * sin(a) };
        l[0] = ad_var_powi(x, 3);
        l[1] = ad_var_square(x);
        l[2] = ad_var_sin(x);
        orders("lincomb", t, x, ad_var_lincomb(3, c, l), w, 1e-13);
        l[0] = ad_var_mul_r(l[0], 2.0);
        l[1] = ad_var_neg(l[1]);
        l[2] = ad_var_mul_r(l[2], 3.0);
        orders("sum", t, x, ad_var_sum(3, l), w, 1e-13);
    }
    {
        const double w[5] = { a * a * a, 3 * a * a, 6 * a, 6, 0 };
        orders("select", t, x, ad_var_select(ad_var_gt_r(x, 0.0), ad_var_powi(x, 3), ad_var_neg(x)),
               w, 1e-13);
        orders("max", t, x, ad_var_max(ad_var_powi(x, 3), ad_const(-1.0)), w, 1e-13);
        orders("clamp", t, x, ad_var_clamp(ad_var_powi(x, 3), ad_const(-1.0), ad_const(1.0)), w,
               1e-13);
        orders("relu", t, x, ad_var_relu(ad_var_powi(x, 3)), w, 1e-13);
        orders("abs", t, x, ad_var_abs(ad_var_neg(ad_var_powi(x, 3))), w, 1e-13);
    }
    {   /* many variables: d2/dx dy and d4/dx2dy2 of x^3 y^2 by names */
        ad_var v[2], g[2], h[2], k[2], f;
        v[0] = ad_input(t, 1.5);
        v[1] = ad_input(t, -2.0);
        f = ad_var_mul(ad_var_powi(v[0], 3), ad_var_square(v[1]));
        CHECK_STATUS(ad_grad_vars(f, 2, v, g), AD_OK);
        CHECK_STATUS(ad_grad_vars(g[0], 2, v, h), AD_OK);          /* 6 x y^2, 6 x^2 y */
        CHECK_NEAR(h[0].v, 36.0, 1e-14);
        CHECK_NEAR(h[1].v, -27.0, 1e-14);
        CHECK_STATUS(ad_grad_vars(h[1], 2, v, k), AD_OK);          /* 12 x y, 6 x^2 */
        CHECK_NEAR(k[0].v, -36.0, 1e-14);
        CHECK_NEAR(k[1].v, 13.5, 1e-14);
        CHECK_STATUS(ad_grad_vars(k[0], 2, v, h), AD_OK);          /* 12 y, 12 x */
        CHECK_NEAR(h[0].v, -24.0, 1e-14);
        CHECK_NEAR(h[1].v, 18.0, 1e-14);
    }
    {   /* g over x in the same array: right, or refused; not silently something else */
        ad_var v[2], f;
        v[0] = ad_input(t, 1.5);
        v[1] = ad_input(t, -2.0);
        f = ad_var_mul(v[0], v[1]);
        if (ad_grad_vars(f, 2, v, v) == AD_OK) CHECK(v[0].v == -2.0 && v[1].v == 1.5);
        else ad_tape_clear_status(t);
    }
    {   /* a gradient in the function itself: |grad|^2, then the gradient of that */
        ad_var v[2], g[2], n2;
        v[0] = ad_input(t, 0.5);
        v[1] = ad_input(t, 2.0);
        CHECK_STATUS(ad_grad_vars(ad_var_mul(ad_var_square(v[0]), v[1]), 2, v, g), AD_OK);
        n2 = ad_var_dot(2, g, g);                      /* 4 x^2 y^2 + x^4 */
        CHECK_STATUS(ad_backward(n2), AD_OK);
        CHECK_NEAR(ad_adjoint(v[0]), 8 * 0.5 * 4 + 4 * 0.125, 1e-14);
        CHECK_NEAR(ad_adjoint(v[1]), 8 * 0.25 * 2, 1e-14);
    }
    finish(t);
}

/* ---------------------------------------------------------------- drivers */

static ad_var returns_constant(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    (void)t;
    (void)x;
    (void)n;
    (void)user;
    return ad_const(5.5);
}
static ad_var returns_input(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    (void)t;
    (void)n;
    (void)user;
    return x[1];
}
static ad_var rosenbrock(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    ad_var s = ad_const(0.0);
    size_t i;
    (void)t;
    if (user) ++*(int *)user;
    for (i = 0; i + 1 < n; i++)
        s = ad_var_add(
            s, ad_var_add(
                   ad_var_mul_r(ad_var_square(ad_var_sub(x[i + 1], ad_var_square(x[i]))), 100.0),
                   ad_var_square(ad_var_sub_from_r(1.0, x[i]))));
    return s;
}

/* Which names a text has, each in one piece. */
typedef struct named { int kept, dropped; } named;
static int named_write(void *user, const char *text, size_t length)
{
    named *const s = (named *)user;
    size_t i;
    for (i = 0; i + 4 <= length; i++) {
        s->kept |= strncmp(text + i, "kept", 4) == 0;
        s->dropped |= strncmp(text + i, "drop", 4) == 0;
    }
    return 0;
}
/* What resets the tape that it was given takes the driver's variables with it. */
static ad_var resetting(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    (void)x; (void)n; (void)user;
    ad_tape_reset(t);
    return ad_input(t, 1);
}
static void test_reset_inside(void)
{
    static const double x[2] = { 1, 2 };
    ad_tape *const t = ad_tape_create(NULL);
    double y, g[2], H[4];
    CHECK_STATUS(ad_gradient(t, resetting, NULL, x, 2, &y, g), AD_ERR_STALE);
    CHECK(ad_tape_message(t)[0] != 0);
    ad_tape_clear_status(t);
    CHECK_STATUS(ad_hessian(t, resetting, NULL, x, 2, &y, g, H), AD_ERR_STALE);
    ad_tape_destroy(t);
}

/* A driver that records for itself marks and rewinds the tape: the user's own mark is as it was, so
   that notes taken at it (a branch and a name take no slots) still go with it, and those from
   before it stay. */
static void test_marks_of_drivers(void)
{
    static const double at[2] = { 2, 3 };
    const int32_t two = 2;
    const double one = 1;
    int k, early;
    for (k = 0; k < 8; k++)
        for (early = 0; early < 2; early++) {
            ad_tape *const t = ad_tape_create(NULL);
            const ad_array a = ad_array_input(t, 1, &two, at);
            ad_var x[2], y, less, g[2];
            double H[4];
            size_t mark;
            named s;
            x[0] = ad_array_at(a, 0);
            x[1] = ad_array_at(a, 1);
            y = ad_array_item(ad_array_sum(ad_array_square(a), AD_ALL_AXES, 0));
            less = ad_var_lt(x[0], x[1]);
            if (early) {
                ad_branch(less);
                y = ad_name(y, "kept");
            }
            mark = ad_tape_mark(t);
            if (!early) {
                ad_branch(less);
                y = ad_name(y, "dropped");
            }
            switch (k) {
            case 0: CHECK_STATUS(ad_hessian_of(y, 2, x, H), AD_OK); break;
            case 1: CHECK_STATUS(ad_forward_over_reverse(y, 1, x, &one), AD_OK); break;
            case 2: CHECK_STATUS(ad_backward(y), AD_OK); break;
            case 3: CHECK_STATUS(ad_forward(t, 1, x, &one), AD_OK); break;
            case 4: CHECK_STATUS(ad_jacobian_forward(t, 2, x, 1, &y, H), AD_OK); break;
            case 5: CHECK_STATUS(ad_jacobian_reverse(t, 2, x, 1, &y, H), AD_OK); break;
            case 6: CHECK_STATUS(ad_gradient(t, rosenbrock, NULL, at, 2, H, H + 1), AD_OK); break;
            default: CHECK_STATUS(ad_grad_vars(y, 2, x, g), AD_OK); break;
            }
            ad_tape_rewind(t, mark);
            CHECK(slots(t) == mark);
            test_check(ad_tape_get_stats(t).branches == (size_t)early, __FILE__, __LINE__,
                "driver %d, branch %s the mark: %d branches", k, early ? "before" : "at",
                (int)ad_tape_get_stats(t).branches);
            memset(&s, 0, sizeof s);
            CHECK_STATUS(ad_graph_dump(t, AD_GRAPH_TEXT, NULL, named_write, &s), AD_OK);
            CHECK(!s.dropped && s.kept == early);
            finish(t);
        }
}
static ad_var uses_outside(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    (void)t;
    return ad_var_mul(ad_var_sum(n, x), ad_var_square(*(const ad_var *)user));
}
/* An inner driver on the same tape while an outer one records. */
static ad_var nested(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    double v[2], g[2];
    (void)n;
    (void)user;
    v[0] = x[0].v;
    v[1] = x[1].v;
    CHECK_STATUS(ad_gradient(t, rosenbrock, NULL, v, 2, NULL, g), AD_OK);
    return ad_var_add(ad_var_mul_r(x[0], g[0]), ad_var_mul_r(x[1], g[1]));
}
/* outputs: an input, a constant, the same twice, a product */
static void mixed_outputs(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m, void *user)
{
    (void)t;
    (void)n;
    (void)user;
    CHECK(m == 5);
    y[0] = x[1];
    y[1] = ad_const(-3.0);
    y[2] = ad_var_mul(x[0], x[1]);
    y[3] = y[2];
    y[4] = x[1];
}
static void no_inputs(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m, void *user)
{
    size_t i;
    (void)t;
    (void)x;
    (void)user;
    CHECK(n == 0);
    for (i = 0; i < m; i++) y[i] = ad_const((double)i);
}

static void test_drivers_on(ad_tape *t)
{
    const double x[3] = { -1.2, 1.0, 0.5 }, v[3] = { 1.0, -2.0, 0.25 };
    const double a = -1.2, b = 1.0, c = 0.5;
    const double want_g[3] = { -400 * a * (b - a * a) - 2 * (1 - a),
        200 * (b - a * a) - 400 * b * (c - b * b) - 2 * (1 - b), 200 * (c - b * b) };
    const double want_H[9] = { 1200 * a * a - 400 * b + 2, -400 * a, 0, -400 * a,
        202 + 1200 * b * b - 400 * c, -400 * b, 0, -400 * b, 200 };
    const double want_y =
        100 * (b - a * a) * (b - a * a) + (1 - a) * (1 - a) + 100 * (c - b * b) * (c - b * b);
    double y, g[3], H[9], Hv[3], values[5], J[10], Jv[5], wJ[2];
    const double w[5] = { 1, 10, 100, 1000, 10000 };
    const size_t before = t ? slots(t) : 0;
    int i, calls = 0;

    y = 0;
    CHECK_STATUS(ad_gradient(t, rosenbrock, &calls, x, 3, &y, g), AD_OK);
    CHECK(calls == 1);
    CHECK_NEAR(y, want_y, 1e-14);
    for (i = 0; i < 3; i++) CHECK_NEAR(g[i], want_g[i], 1e-14);
    CHECK_STATUS(ad_gradient(t, rosenbrock, NULL, x, 3, NULL, g), AD_OK);
    for (i = 0; i < 3; i++) CHECK_NEAR(g[i], want_g[i], 1e-14);
    y = 0;
    CHECK_STATUS(ad_gradient(t, rosenbrock, NULL, x, 3, &y, NULL), AD_OK);
    CHECK_NEAR(y, want_y, 1e-14);
    CHECK_STATUS(ad_gradient(t, rosenbrock, NULL, x, 3, NULL, NULL), AD_OK);

    y = 0;
    calls = 0;
    memset(g, 0, sizeof g);
    CHECK_STATUS(ad_hessian(t, rosenbrock, &calls, x, 3, &y, g, H), AD_OK);
    CHECK(calls == 1);
    CHECK_NEAR(y, want_y, 1e-14);
    for (i = 0; i < 3; i++) CHECK_NEAR(g[i], want_g[i], 1e-14);
    for (i = 0; i < 9; i++) CHECK_NEAR(H[i], want_H[i], 1e-14);
    memset(H, 0, sizeof H);
    CHECK_STATUS(ad_hessian(t, rosenbrock, NULL, x, 3, NULL, NULL, H), AD_OK);
    for (i = 0; i < 9; i++) CHECK_NEAR(H[i], want_H[i], 1e-14);
    memset(g, 0, sizeof g);
    CHECK_STATUS(ad_hessian(t, rosenbrock, NULL, x, 3, NULL, g, NULL), AD_OK);
    for (i = 0; i < 3; i++) CHECK_NEAR(g[i], want_g[i], 1e-14);
    CHECK_STATUS(ad_hessian(t, rosenbrock, NULL, x, 3, NULL, NULL, NULL), AD_OK);

    y = 0;
    memset(g, 0, sizeof g);
    CHECK_STATUS(ad_hvp(t, rosenbrock, NULL, x, 3, v, &y, g, Hv), AD_OK);
    CHECK_NEAR(y, want_y, 1e-14);
    for (i = 0; i < 3; i++) {
        CHECK_NEAR(g[i], want_g[i], 1e-14);
        CHECK_NEAR(Hv[i],
                   want_H[3 * i] * v[0] + want_H[3 * i + 1] * v[1] + want_H[3 * i + 2] * v[2],
                   1e-14);
    }
    memset(Hv, 0, sizeof Hv);
    CHECK_STATUS(ad_hvp(t, rosenbrock, NULL, x, 3, v, NULL, NULL, Hv), AD_OK);
    CHECK_NEAR(Hv[2], want_H[7] * v[1] + want_H[8] * v[2], 1e-14);
    CHECK_STATUS(ad_hvp(t, rosenbrock, NULL, x, 3, v, NULL, NULL, NULL), AD_OK);

    {   /* [x1, -3, x0 x1, x0 x1, x1] at (-1.2, 1) */
        const double want_J[10] = { 0, 1, 0, 0, 1, -1.2, 1, -1.2, 0, 1 };
        const double want_values[5] = { 1, -3, -1.2, -1.2, 1 };
        memset(J, 0x55, sizeof J);
        CHECK_STATUS(ad_jacobian(t, mixed_outputs, NULL, x, 2, 5, values, J), AD_OK);
        for (i = 0; i < 10; i++) CHECK_NEAR(J[i], want_J[i], 1e-15);
        for (i = 0; i < 5; i++) CHECK_NEAR(values[i], want_values[i], 1e-15);
        CHECK_STATUS(ad_jvp(t, mixed_outputs, NULL, x, 2, 5, v, values, Jv), AD_OK);
        for (i = 0; i < 5; i++)
            CHECK_NEAR(Jv[i], want_J[2 * i] * v[0] + want_J[2 * i + 1] * v[1], 1e-15);
        for (i = 0; i < 5; i++) CHECK_NEAR(values[i], want_values[i], 1e-15);
        CHECK_STATUS(ad_vjp(t, mixed_outputs, NULL, x, 2, 5, w, values, wJ), AD_OK);
        CHECK_NEAR(wJ[0], 1100.0, 1e-15);
        CHECK_NEAR(wJ[1], 1 - 1.2 * 1100 + 10000, 1e-15);
        memset(J, 0, sizeof J);
        CHECK_STATUS(ad_jacobian(t, mixed_outputs, NULL, x, 2, 5, NULL, J), AD_OK);
        CHECK(J[1] == 1.0);
        CHECK_STATUS(ad_jacobian(t, mixed_outputs, NULL, x, 2, 5, values, NULL), AD_OK);
        CHECK_STATUS(ad_jvp(t, mixed_outputs, NULL, x, 2, 5, v, NULL, Jv), AD_OK);
        CHECK_STATUS(ad_jvp(t, mixed_outputs, NULL, x, 2, 5, v, values, NULL), AD_OK);
        CHECK_STATUS(ad_vjp(t, mixed_outputs, NULL, x, 2, 5, w, NULL, wJ), AD_OK);
        CHECK_STATUS(ad_vjp(t, mixed_outputs, NULL, x, 2, 5, w, values, NULL), AD_OK);
    }

    /* a constant function, an input as the result, no inputs at all */
    y = 0;
    g[0] = g[1] = g[2] = 7;
    CHECK_STATUS(ad_gradient(t, returns_constant, NULL, x, 3, &y, g), AD_OK);
    CHECK(y == 5.5 && g[0] == 0 && g[1] == 0 && g[2] == 0);
    g[0] = g[1] = g[2] = 7;
    memset(H, 0x55, sizeof H);
    CHECK_STATUS(ad_hessian(t, returns_constant, NULL, x, 3, &y, g, H), AD_OK);
    CHECK(y == 5.5 && g[0] == 0 && g[1] == 0 && g[2] == 0);
    for (i = 0; i < 9; i++) CHECK(H[i] == 0);
    Hv[0] = Hv[1] = Hv[2] = 7;
    CHECK_STATUS(ad_hvp(t, returns_constant, NULL, x, 3, v, &y, g, Hv), AD_OK);
    CHECK(Hv[0] == 0 && Hv[1] == 0 && Hv[2] == 0);
    CHECK_STATUS(ad_gradient(t, returns_input, NULL, x, 3, &y, g), AD_OK);
    CHECK(y == 1.0 && g[0] == 0 && g[1] == 1 && g[2] == 0);
    CHECK_STATUS(ad_hessian(t, returns_input, NULL, x, 3, &y, g, H), AD_OK);
    CHECK(y == 1.0 && g[0] == 0 && g[1] == 1 && g[2] == 0);
    for (i = 0; i < 9; i++) CHECK(H[i] == 0);
    CHECK_STATUS(ad_hvp(t, returns_input, NULL, x, 3, v, &y, g, Hv), AD_OK);
    CHECK(g[1] == 1 && Hv[0] == 0 && Hv[1] == 0 && Hv[2] == 0);
    y = 0;
    CHECK_STATUS(ad_gradient(t, returns_constant, NULL, NULL, 0, &y, NULL), AD_OK);
    CHECK(y == 5.5);
    CHECK_STATUS(ad_hessian(t, returns_constant, NULL, NULL, 0, &y, NULL, NULL), AD_OK);
    CHECK_STATUS(ad_hvp(t, returns_constant, NULL, NULL, 0, NULL, &y, NULL, NULL), AD_OK);
    CHECK_STATUS(ad_jacobian(t, no_inputs, NULL, NULL, 0, 3, values, NULL), AD_OK);
    CHECK(values[0] == 0 && values[1] == 1 && values[2] == 2);
    Jv[0] = Jv[1] = Jv[2] = 7;
    CHECK_STATUS(ad_jvp(t, no_inputs, NULL, NULL, 0, 3, NULL, values, Jv), AD_OK);
    CHECK(Jv[0] == 0 && Jv[1] == 0 && Jv[2] == 0);
    CHECK_STATUS(ad_vjp(t, no_inputs, NULL, NULL, 0, 3, w, values, NULL), AD_OK);
    wJ[0] = wJ[1] = 7;
    CHECK_STATUS(ad_jacobian(t, wavy, NULL, x, 2, 0, NULL, NULL), AD_OK);     /* no outputs */
    CHECK_STATUS(ad_vjp(t, wavy, NULL, x, 2, 0, NULL, NULL, wJ), AD_OK);
    CHECK(wJ[0] == 0 && wJ[1] == 0);

    /* a driver within a driver */
    CHECK_STATUS(ad_gradient(t, nested, NULL, x, 2, &y, g), AD_OK);
    CHECK_NEAR(g[0], want_g[0], 1e-13);
    CHECK_NEAR(g[1], 200 * (b - a * a), 1e-13);
    if (t) {
        CHECK(slots(t) == before);
        CHECK_STATUS(ad_tape_status(t), AD_OK);
    }
}

static void test_drivers(void)
{
    ad_tape *t = ad_tape_create(NULL);
    const double x[3] = { 1, 2, 3 };
    ad_var p, q;
    double y, g[3], H[9];
    int i;
    test_drivers_on(NULL);
    test_drivers_on(t);
    p = ad_input(t, 3.0);
    q = ad_name(ad_var_mul_r(p, 2.5), "q");
    CHECK_STATUS(ad_backward(q), AD_OK);
    test_drivers_on(t);                                /* in the middle of a recording */
    CHECK(slots(t) == 2 && ad_tape_get_stats(t).constants == 1);
    CHECK_STATUS(ad_backward(q), AD_OK);
    CHECK(ad_adjoint(p) == 2.5);
    /* a function that reads a variable of the tape around it */
    CHECK_STATUS(ad_gradient(t, uses_outside, &p, x, 3, &y, g), AD_OK);
    CHECK(y == 54.0 && g[0] == 9.0 && g[1] == 9.0 && g[2] == 9.0);
    CHECK_STATUS(ad_hessian(t, uses_outside, &p, x, 3, &y, g, H), AD_OK);
    for (i = 0; i < 9; i++) CHECK(H[i] == 0.0);
    CHECK(g[2] == 9.0);
    CHECK(slots(t) == 2);
    finish(t);
}

/* ---------------------------------------------------------------- names, branches, health */

static void test_marks_of_meaning(void)
{
    ad_tape *t = ad_tape_create(NULL);
    ad_var x = ad_input(t, 2.0), y = ad_input(t, 3.0), n, c;
    char text[16];
    size_t before;
    int i;
    strcpy(text, "speed");
    before = slots(t);
    n = ad_name(x, text);
    strcpy(text, "XXXXX");                             /* copied */
    CHECK(n.v == x.v && n.tape == x.tape && n.id == x.id && n.epoch == x.epoch);
    CHECK(slots(t) == before);
    n = ad_name(x, "again");                           /* a second name */
    CHECK(n.id == x.id);
    c = ad_name(ad_const(1.0), "one");                 /* constants may be named; nothing happens */
    CHECK(c.v == 1.0 && c.tape == NULL);
    CHECK(slots(t) == before);
    CHECK_STATUS(ad_tape_status(t), AD_OK);

    CHECK(ad_branch(ad_var_lt(x, y)) == 1);
    CHECK(ad_branch(ad_var_gt(x, y)) == 0);
    CHECK(ad_branch(ad_var_le(x, x)) == 1);
    CHECK(ad_branch(ad_var_ne(x, x)) == 0);
    CHECK(ad_branch(ad_var_eq_r(x, 2.0)) == 1);
    CHECK(ad_branch(ad_var_ge_from_r(1.0, x)) == 0);
    CHECK(ad_branch(x) == 1);                          /* any variable: condition != 0 */
    CHECK(ad_branch(ad_var_sub(x, x)) == 0);
    CHECK(ad_tape_get_stats(t).branches == 8);
    CHECK(ad_branch(ad_const(1.0)) == 1);              /* constants need no guard */
    CHECK(ad_branch(ad_const(0.0)) == 0);
    CHECK(ad_branch(ad_const(-0.0)) == 0);
    CHECK(ad_tape_get_stats(t).branches == 8);
    CHECK(ad_branch(ad_const((double)NAN)) == 1);      /* NaN != 0 */
    /* a loop under the control of a variable */
    n = x;
    for (i = 0; ad_branch(ad_var_lt_r(n, 100.0)); i++) n = ad_var_mul(n, n);
    CHECK(i == 3 && n.v == 256.0);
    CHECK_STATUS(ad_backward(n), AD_OK);
    CHECK(ad_adjoint(x) == 8 * 128.0);
    CHECK(ad_tape_get_stats(t).branches == 12);
    finish(t);
}

static void test_health(void)
{
    ad_tape *t = ad_tape_create(NULL);
    ad_var x, u, y, z;
    double seed;
    ad_health h = ad_tape_health(t);
    CHECK(h.slots == 0 && h.zero == 0 && h.nonfinite == 0 && h.largest == 0);
    x = ad_input(t, 2.0);
    u = ad_input(t, 9.0);
    y = ad_input(t, -3.0);
    z = ad_var_mul(x, y);
    CHECK_STATUS(ad_backward(z), AD_OK);
    h = ad_tape_health(t);
    CHECK(h.slots == 4 && h.zero == 1 && h.denormal == 0 && h.nonfinite == 0);
    CHECK(h.largest == 3.0 && h.smallest == 1.0);
    seed = 1e-310;
    CHECK_STATUS(ad_backward_seeded(t, 1, &z, &seed), AD_OK);
    h = ad_tape_health(t);
    CHECK(h.denormal == 3 && h.zero == 1 && h.largest < 1e-300 && h.smallest == 1e-310);
    seed = (double)INFINITY;
    CHECK_STATUS(ad_backward_seeded(t, 1, &z, &seed), AD_OK);
    h = ad_tape_health(t);
    CHECK(h.nonfinite == 3 && h.zero == 1);
    seed = (double)NAN;
    CHECK_STATUS(ad_backward_seeded(t, 1, &z, &seed), AD_OK);
    h = ad_tape_health(t);
    CHECK(h.nonfinite == 3 && h.zero == 1 && h.slots == 4);
    CHECK(ad_adjoint(u) == 0.0);
    {   /* arrays that this sweep left alone have zeros, whatever stands there */
        const int32_t dim[] = { 5 };
        ad_array a, b;
        ad_tape_reset(t);
        a = ad_array_input(t, 1, dim, NULL);
        b = ad_array_input(t, 1, dim, NULL);
        CHECK_STATUS(ad_array_backward(ad_array_exp(ad_array_add(a, b)), NULL), AD_OK);
        CHECK(ad_tape_health(t).zero == 0);
        CHECK_STATUS(ad_array_backward(ad_array_exp(b), NULL), AD_OK);
        CHECK(ad_tape_health(t).zero == 15 && ad_tape_health(t).slots == 25);
    }
    finish(t);
}

/* Another tape in the same thread: nothing is shared. */
static void test_two_tapes(void)
{
    ad_tape *s = ad_tape_create(NULL), *t = ad_tape_create(NULL);
    ad_var a = ad_input(s, 2.0), b = ad_input(t, 5.0), p, q;
    p = ad_var_mul_r(a, 3.0);
    q = ad_var_mul_r(b, 3.0);
    p = ad_var_mul(p, a);
    q = ad_var_mul(q, ad_detach(p));                   /* across tapes: detached */
    CHECK_STATUS(ad_backward(p), AD_OK);
    CHECK_STATUS(ad_backward(q), AD_OK);
    CHECK(ad_adjoint(a) == 12.0 && ad_adjoint(b) == 36.0);
    finish(s);
    CHECK(ad_adjoint(b) == 36.0);
    finish(t);
    ad_tape_destroy(NULL);
}

/* ---------------------------------------------------------------- random programs */

/* A second-order dual with the derivative rules of a textbook: value, two directions, both. */
typedef struct hyper { double v, a, b, ab; } hyper;

static hyper h_const(double v)
{
    hyper r;
    r.v = v;
    r.a = r.b = r.ab = 0;
    return r;
}
static hyper h1(hyper x, double f, double f1, double f2)
{
    hyper r;
    r.v = f;
    r.a = f1 * x.a;
    r.b = f1 * x.b;
    r.ab = f1 * x.ab + f2 * x.a * x.b;
    return r;
}
static hyper h2(hyper x, hyper y, double f, double fx, double fy, double fxx, double fxy,
                double fyy)
{
    hyper r;
    r.v = f;
    r.a = fx * x.a + fy * y.a;
    r.b = fx * x.b + fy * y.b;
    r.ab =
        fx * x.ab + fy * y.ab + fxx * x.a * x.b + fxy * (x.a * y.b + x.b * y.a) + fyy * y.a * y.b;
    return r;
}
static hyper h_add(hyper x, hyper y) { return h2(x, y, x.v + y.v, 1, 1, 0, 0, 0); }
static hyper h_mul(hyper x, hyper y) { return h2(x, y, x.v * y.v, y.v, x.v, 0, 1, 0); }

enum {      /* the program's own operations */
    P_NEG, P_ABS, P_SQRT, P_CBRT, P_SQUARE, P_INV, P_EXP, P_EXP2, P_EXPM1, P_LOG, P_LOG2, P_LOG10,
    P_LOG1P, P_SIN, P_COS, P_TAN, P_ASIN, P_ACOS, P_ATAN, P_SINH, P_COSH, P_TANH, P_ASINH, P_ACOSH,
    P_ATANH, P_ERF, P_ERFC, P_SIGMOID, P_SOFTPLUS, P_RELU, P_CUBE, P_POWM2,
    P_ADD, P_SUB, P_MUL, P_DIV, P_HYPOT, P_POW, P_ATAN2, P_LOGADDEXP, P_MIN, P_MAX, P_COPYSIGN,
    P_FMA, P_CLAMP, P_SELECT,
    P_SUM, P_DOT, P_NORM, P_LOGSUMEXP, P_LINCOMB, P_POLYVAL, P_COUNT
};
enum { FORM_VARS, FORM_RIGHT, FORM_LEFT };      /* x op y, x op number, number op y */
enum { MAX_NODES = 120, INPUTS = 5 };

typedef struct node { int op, form, a[3]; double c[3]; } node;
typedef struct program { int n, inputs; node at[MAX_NODES]; } program;

static uint64_t seed_now;
static unsigned pick(unsigned below)
{
    seed_now = seed_now * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(seed_now >> 33) % below;
}
static double uniform(double low, double high)
{
    return low + (high - low) * (double)pick(1u << 30) / (double)(1u << 30);
}

/* The node at these operands. *ok = 0 near a singularity or a kink, or where the value is large. */
static hyper h_node(const node *q, hyper x, hyper y, hyper z, int *ok)
{
    const double v = x.v, w = y.v;
    const double pi = 3.14159265358979323846, ln2 = log(2.0), ln10 = log(10.0);
    hyper r = h_const(0);
    *ok = 1;
    switch (q->op) {
    case P_NEG: return h1(x, -v, -1, 0);
    case P_ABS: *ok = fabs(v) > 0.05; return h1(x, fabs(v), v > 0 ? 1 : -1, 0);
    case P_SQRT: *ok = v > 0.1; if (!*ok) break;
        return h1(x, sqrt(v), 0.5 / sqrt(v), -0.25 / (v * sqrt(v)));
    case P_CBRT: *ok = fabs(v) > 0.1; if (!*ok) break;
        r.v = cbrt(v);
        return h1(x, r.v, 1 / (3 * r.v * r.v), -2 / (9 * r.v * r.v * v));
    case P_SQUARE: return h1(x, v * v, 2 * v, 2);
    case P_INV: *ok = fabs(v) > 0.2; if (!*ok) break;
        return h1(x, 1 / v, -1 / (v * v), 2 / (v * v * v));
    case P_EXP: *ok = v < 3; return h1(x, exp(v), exp(v), exp(v));
    case P_EXP2: *ok = v < 4; return h1(x, exp2(v), ln2 * exp2(v), ln2 * ln2 * exp2(v));
    case P_EXPM1: *ok = v < 3; return h1(x, expm1(v), exp(v), exp(v));
    case P_LOG: *ok = v > 0.2; if (!*ok) break;
        return h1(x, log(v), 1 / v, -1 / (v * v));
    case P_LOG2: *ok = v > 0.2; if (!*ok) break;
        return h1(x, log(v) / ln2, 1 / (v * ln2), -1 / (v * v * ln2));
    case P_LOG10: *ok = v > 0.2; if (!*ok) break;
        return h1(x, log(v) / ln10, 1 / (v * ln10), -1 / (v * v * ln10));
    case P_LOG1P: *ok = v > -0.8; if (!*ok) break;
        return h1(x, log1p(v), 1 / (1 + v), -1 / ((1 + v) * (1 + v)));
    case P_SIN: return h1(x, sin(v), cos(v), -sin(v));
    case P_COS: return h1(x, cos(v), -sin(v), -cos(v));
    case P_TAN: *ok = fabs(cos(v)) > 0.4; if (!*ok) break;
        return h1(x, tan(v), 1 / (cos(v) * cos(v)), 2 * sin(v) / (cos(v) * cos(v) * cos(v)));
    case P_ASIN: case P_ACOS: *ok = fabs(v) < 0.9; if (!*ok) break;
        r.v = 1 / sqrt(1 - v * v);
        return q->op == P_ASIN ? h1(x, asin(v), r.v, v * r.v * r.v * r.v)
                               : h1(x, pi / 2 - asin(v), -r.v, -v * r.v * r.v * r.v);
    case P_ATAN: return h1(x, atan(v), 1 / (1 + v * v), -2 * v / ((1 + v * v) * (1 + v * v)));
    case P_SINH: *ok = fabs(v) < 3; return h1(x, sinh(v), cosh(v), sinh(v));
    case P_COSH: *ok = fabs(v) < 3; return h1(x, cosh(v), sinh(v), cosh(v));
    case P_TANH: r.v = cosh(v);
        return h1(x, tanh(v), 1 / (r.v * r.v), -2 * tanh(v) / (r.v * r.v));
    case P_ASINH: r.v = 1 / sqrt(1 + v * v);
        return h1(x, asinh(v), r.v, -v * r.v * r.v * r.v);
    case P_ACOSH: *ok = v > 1.2; if (!*ok) break;
        r.v = 1 / sqrt(v * v - 1);
        return h1(x, acosh(v), r.v, -v * r.v * r.v * r.v);
    case P_ATANH: *ok = fabs(v) < 0.85; if (!*ok) break;
        r.v = 1 / (1 - v * v);
        return h1(x, atanh(v), r.v, 2 * v * r.v * r.v);
    case P_ERF: case P_ERFC: r.v = 2 / sqrt(pi) * exp(-v * v);
        return q->op == P_ERF ? h1(x, erf(v), r.v, -2 * v * r.v)
                              : h1(x, 1 - erf(v), -r.v, 2 * v * r.v);
    case P_SIGMOID: r.v = 1 / (1 + exp(-v));
        return h1(x, r.v, r.v * (1 - r.v), r.v * (1 - r.v) * (1 - 2 * r.v));
    case P_SOFTPLUS: r.v = 1 / (1 + exp(-v));
        return h1(x, log(1 + exp(v)), r.v, r.v * (1 - r.v));
    case P_RELU: *ok = fabs(v) > 0.05; return h1(x, v > 0 ? v : 0, v > 0, 0);
    case P_CUBE: return h1(x, v * v * v, 3 * v * v, 6 * v);
    case P_POWM2: *ok = fabs(v) > 0.3; if (!*ok) break;
        return h1(x, 1 / (v * v), -2 / (v * v * v), 6 / (v * v * v * v));
    case P_ADD: return h_add(x, y);
    case P_SUB: return h2(x, y, v - w, 1, -1, 0, 0, 0);
    case P_MUL: return h_mul(x, y);
    case P_DIV: *ok = fabs(w) > 0.2; if (!*ok) break;
        return h2(x, y, v / w, 1 / w, -v / (w * w), 0, -1 / (w * w), 2 * v / (w * w * w));
    case P_HYPOT: r.v = sqrt(v * v + w * w);
        *ok = r.v > 0.1; if (!*ok) break;
        return h2(x, y, r.v, v / r.v, w / r.v, w * w / pow(r.v, 3), -v * w / pow(r.v, 3),
                  v * v / pow(r.v, 3));
    case P_POW: *ok = v > 0.2 && fabs(w) < 3; if (!*ok) break;
        r.v = pow(v, w);
        return h2(x, y, r.v, w * r.v / v, r.v * log(v), w * (w - 1) * r.v / (v * v),
                  r.v / v * (1 + w * log(v)), r.v * log(v) * log(v));
    case P_ATAN2: r.v = v * v + w * w;      /* atan2(x, y) */
        *ok = r.v > 0.1 && (w > 0 || fabs(v) > 0.1); if (!*ok) break;
        return h2(x, y, atan2(v, w), w / r.v, -v / r.v, -2 * v * w / (r.v * r.v),
                  (v * v - w * w) / (r.v * r.v), 2 * v * w / (r.v * r.v));
    case P_LOGADDEXP: r.v = 1 / (1 + exp(w - v));
        return h2(x, y, log(exp(v) + exp(w)), r.v, 1 - r.v, r.v * (1 - r.v), -r.v * (1 - r.v),
                  r.v * (1 - r.v));
    case P_MIN: *ok = fabs(v - w) > 0.05; return v < w ? x : y;
    case P_MAX: *ok = fabs(v - w) > 0.05; return v > w ? x : y;
    case P_COPYSIGN: *ok = fabs(v) > 0.05 && fabs(w) > 0.05;
        r.v = (v > 0) == (w > 0) ? 1 : -1;
        return h1(x, r.v * v, r.v, 0);
    case P_FMA: return h_add(h_mul(x, y), z);
    case P_CLAMP: *ok = fabs(v - w) > 0.05 && fabs(v - z.v) > 0.05 && w < z.v - 0.05;
        return v < w ? y : v > z.v ? z : x;
    case P_SELECT: *ok = q->a[0] < 0 || fabs(v) > 0.05; return v != 0 ? y : z;
    case P_SUM: return h_add(h_add(x, y), z);
    case P_DOT: return h_add(h_add(h_mul(x, y), h_mul(y, z)), h_mul(z, x)); /* (x y z).(y z x) */
    case P_NORM: r = h_add(h_add(h_mul(x, x), h_mul(y, y)), h_mul(z, z));
        *ok = r.v > 0.1; if (!*ok) break;
        return h1(r, sqrt(r.v), 0.5 / sqrt(r.v), -0.25 / (r.v * sqrt(r.v)));
    case P_LOGSUMEXP:
        *ok = fabs(v) < 4 && fabs(w) < 4 && fabs(z.v) < 4; if (!*ok) break;
        r = h_add(h_add(h1(x, exp(v), exp(v), exp(v)), h1(y, exp(w), exp(w), exp(w))),
                  h1(z, exp(z.v), exp(z.v), exp(z.v)));
        return h1(r, log(r.v), 1 / r.v, -1 / (r.v * r.v));
    case P_LINCOMB:
        return h_add(h_add(h1(x, q->c[0] * v, q->c[0], 0), h1(y, q->c[1] * w, q->c[1], 0)),
                     h1(z, q->c[2] * z.v, q->c[2], 0));
    case P_POLYVAL:
        return h1(x, q->c[0] + q->c[1] * v + q->c[2] * v * v, q->c[1] + 2 * q->c[2] * v,
                  2 * q->c[2]);
    default: break;
    }
    *ok = 0;
    return r;
}

/* Number i as an operand of the node: below 0 its own constant. */
static hyper h_operand(const node *q, const hyper *w, int i)
{
    return q->a[i] < 0 ? h_const(q->c[i]) : w[q->a[i]];
}

static void h_run(const program *p, hyper *w)       /* w[0 .. inputs-1] are given */
{
    int i, ok;
    for (i = p->inputs; i < p->n; i++) {
        const node *q = p->at + i;
        w[i] = h_node(q, h_operand(q, w, 0), h_operand(q, w, 1), h_operand(q, w, 2), &ok);
    }
}

/* A program whose every node is smooth and of moderate size at x. */
static void generate(program *p, int inputs, int n, const double *x)
{
    hyper w[MAX_NODES], trial;
    int i, k, ok;
    p->inputs = inputs;
    p->n = n;
    for (i = 0; i < inputs; i++) w[i] = h_const(x[i]);
    for (i = inputs; i < n;) {
        node *q = p->at + i;
        q->op = (int)pick(P_COUNT);
        q->form = (int)pick(3);
        for (k = 0; k < 3; k++) {
            /* mostly what is new, so that programs are deep; now and then anything */
            q->a[k] = pick(3) == 0 || i < 8 ? (int)pick((unsigned)i) : i - 1 - (int)pick(8);
            q->c[k] = uniform(-2, 2);
            if (q->op >= P_FMA && pick(5) == 0) q->a[k] = -1;
        }
        if (q->op >= P_ADD && q->op < P_FMA) {
            if (q->form == FORM_RIGHT) q->a[1] = -1;
            if (q->form == FORM_LEFT) q->a[0] = -1;
        }
        if (q->op == P_POLYVAL && q->a[0] < 0) q->a[0] = i - 1;
        if (q->op == P_SELECT && q->a[0] < 0) q->c[0] = pick(2);
        trial = h_node(q, h_operand(q, w, 0), h_operand(q, w, 1), h_operand(q, w, 2), &ok);
        if (!ok || !(fabs(trial.v) < 12)) continue;
        w[i++] = trial;
    }
}

static ad_var v_operand(const node *q, const ad_var *w, int i)
{
    return q->a[i] < 0 ? ad_const(q->c[i]) : w[q->a[i]];
}

#define UNARY(P, name)  case P: return ad_var_##name(x);
#define BINARY(P, name) case P:                                                                   \
    return q->form == FORM_RIGHT ? ad_var_##name##_r(x, q->c[1])                                   \
         : q->form == FORM_LEFT ? ad_var_##name##_from_r(q->c[0], y) : ad_var_##name(x, y);
static ad_var v_node(const node *q, ad_var x, ad_var y, ad_var z)
{
    ad_var l[3], m[3];
    l[0] = m[2] = x;
    l[1] = m[0] = y;
    l[2] = m[1] = z;
    switch (q->op) {
        UNARY(P_NEG, neg)
        UNARY(P_ABS, abs) UNARY(P_SQRT, sqrt) UNARY(P_CBRT, cbrt) UNARY(P_SQUARE, square)
            UNARY(P_INV, inv) UNARY(P_EXP, exp) UNARY(P_EXP2, exp2) UNARY(P_EXPM1, expm1)
                UNARY(P_LOG, log) UNARY(P_LOG2, log2) UNARY(P_LOG10, log10) UNARY(P_LOG1P, log1p)
                    UNARY(P_SIN, sin) UNARY(P_COS, cos) UNARY(P_TAN, tan) UNARY(P_ASIN, asin) UNARY(
                        P_ACOS, acos) UNARY(P_ATAN, atan) UNARY(P_SINH, sinh) UNARY(P_COSH, cosh)
                        UNARY(P_TANH, tanh) UNARY(P_ASINH, asinh) UNARY(P_ACOSH, acosh)
                            UNARY(P_ATANH, atanh) UNARY(P_ERF, erf) UNARY(P_ERFC, erfc)
                                UNARY(P_SIGMOID, sigmoid) UNARY(P_SOFTPLUS, softplus)
                                    UNARY(P_RELU, relu) BINARY(P_ADD, add) BINARY(P_SUB, sub)
                                        BINARY(P_MUL, mul) BINARY(P_DIV, div) BINARY(P_HYPOT, hypot)
                                            BINARY(P_POW, pow) BINARY(P_ATAN2, atan2)
                                                BINARY(P_LOGADDEXP, logaddexp) BINARY(P_MIN, min)
                                                    BINARY(P_MAX, max)
                                                        BINARY(P_COPYSIGN, copysign) case P_CUBE
            : return ad_var_powi(x, 3);
    case P_POWM2: return ad_var_powi(x, -2);
    case P_FMA: return ad_var_fma(x, y, z);
    case P_CLAMP: return ad_var_clamp(x, y, z);
    case P_SELECT: return ad_var_select(x, y, z);
    case P_SUM: return ad_var_sum(3, l);
    case P_DOT: return ad_var_dot(3, l, m);
    case P_NORM: return ad_var_norm(3, l);
    case P_LOGSUMEXP: return ad_var_logsumexp(3, l);
    case P_LINCOMB: return ad_var_lincomb(3, q->c, l);
    case P_POLYVAL: return ad_var_polyval(3, q->c, x);
    default: return ad_const((double)NAN);
    }
}
static void v_run(const program *p, const ad_var *x, ad_var *w)
{
    int i;
    for (i = 0; i < p->inputs; i++) w[i] = x[i];
    for (i = p->inputs; i < p->n; i++) {
        const node *q = p->at + i;
        w[i] = v_node(q, v_operand(q, w, 0), v_operand(q, w, 1), v_operand(q, w, 2));
    }
}

/* The program as a function: a weighted sum of its last six nodes, or these themselves. */
enum { OUTPUTS = 6 };
static const double output_weight[OUTPUTS] = { 1.0, -0.5, 0.25, 2.0, -1.5, 0.75 };
static void program_vector(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m, void *user)
{
    const program *p = (const program *)user;
    ad_var w[MAX_NODES];
    size_t i;
    (void)t;
    (void)n;
    v_run(p, x, w);
    for (i = 0; i < m; i++) y[i] = w[(size_t)p->n - m + i];
}
static ad_var program_scalar(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    ad_var y[OUTPUTS];
    program_vector(t, x, n, y, OUTPUTS, user);
    return ad_var_lincomb(OUTPUTS, output_weight, y);
}

/* The same by the hand-written duals, along unit directions or two given ones. */
static hyper h_scalar(const program *p, const double *x, const double *a, const double *b, hyper *y)
{
    hyper w[MAX_NODES], s = h_const(0);
    int i;
    for (i = 0; i < p->inputs; i++) {
        w[i] = h_const(x[i]);
        w[i].a = a[i];
        w[i].b = b[i];
    }
    h_run(p, w);
    for (i = 0; i < OUTPUTS; i++) {
        y[i] = w[p->n - OUTPUTS + i];
        s = h_add(s, h1(y[i], output_weight[i] * y[i].v, output_weight[i], 0));
    }
    return s;
}

/* |a - b| within the tolerance of the largest number around; shows a program's first failure. */
static int program_number, program_bad;
static void close_to(double a, double b, double scale, double tolerance, const char *what)
{
    if (fabs(a - b) <= tolerance * (scale > 1 ? scale : 1)) return;
    if (program_bad++ == 0)
        test_check(0, __FILE__, __LINE__, "program %d: %s is %.17g, not %.17g", program_number,
                   what, a, b);
}

static void run_program(ad_tape *t, int number)
{
    program p;
    const int inputs = 1 + number % INPUTS, nodes = 20 + number % (MAX_NODES - 20);
    const size_t n = (size_t)inputs;
    double x[INPUTS], v[INPUTS], y, g[INPUTS], H[INPUTS * INPUTS], Hv[INPUTS], values[OUTPUTS];
    double J[OUTPUTS * INPUTS], Jv[OUTPUTS], wJ[INPUTS], other[OUTPUTS * INPUTS];
    double want_g[INPUTS], want_H[INPUTS * INPUTS], want_J[OUTPUTS * INPUTS], unit[INPUTS],
        unit2[INPUTS];
    double scale = 1, scale_H = 1, sum;
    hyper out[OUTPUTS], r;
    size_t i, j, k;
    ad_var vx[INPUTS], vg[INPUTS], vh[INPUTS], f, vy[OUTPUTS];

    seed_now = 0x9E3779B97F4A7C15u * (uint64_t)(number + 1);
    program_number = number;
    program_bad = 0;
    memset(&r, 0, sizeof r);
    for (i = 0; i < n; i++) {
        x[i] = uniform(-1.5, 1.5);
        v[i] = uniform(-1, 1);
    }
    generate(&p, inputs, nodes, x);
    for (i = 0; i < n; i++) {
        memset(unit, 0, sizeof unit);
        unit[i] = 1;
        for (j = 0; j < n; j++) {
            memset(unit2, 0, sizeof unit2);
            unit2[j] = 1;
            r = h_scalar(&p, x, unit, unit2, out);
            want_H[i * n + j] = r.ab;
            scale_H = fmax(scale_H, fabs(r.ab));
        }
        want_g[i] = r.a;
        scale = fmax(scale, fabs(r.a));
        for (k = 0; k < OUTPUTS; k++) {
            want_J[k * n + i] = out[k].a;
            scale = fmax(scale, fabs(out[k].a));
        }
    }
    if (!(scale < 1e8 && scale_H < 1e10)) return;      /* no reference worth the name */

    CHECK_STATUS(ad_gradient(t, program_scalar, &p, x, n, &y, g), AD_OK);
    close_to(y, r.v, 1, 1e-12, "value");
    for (i = 0; i < n; i++) close_to(g[i], want_g[i], scale, 1e-10, "gradient");
    CHECK_STATUS(ad_hessian(t, program_scalar, &p, x, n, &y, g, H), AD_OK);
    for (i = 0; i < n; i++)
        close_to(g[i], want_g[i], scale, 1e-10, "gradient of the Hessian driver");
    for (i = 0; i < n * n; i++) close_to(H[i], want_H[i], scale_H, 1e-9, "Hessian");
    CHECK_STATUS(ad_hvp(t, program_scalar, &p, x, n, v, &y, g, Hv), AD_OK);
    for (i = 0; i < n; i++) {
        for (j = 0, sum = 0; j < n; j++) sum += H[i * n + j] * v[j];
        close_to(Hv[i], sum, scale_H, 1e-10, "Hessian times vector");
    }
    CHECK_STATUS(ad_jacobian(t, program_vector, &p, x, n, OUTPUTS, values, J), AD_OK);
    for (i = 0; i < OUTPUTS; i++) close_to(values[i], out[i].v, 1, 1e-12, "vector value");
    for (i = 0; i < OUTPUTS * n; i++) close_to(J[i], want_J[i], scale, 1e-10, "Jacobian");
    CHECK_STATUS(ad_jvp(t, program_vector, &p, x, n, OUTPUTS, v, values, Jv), AD_OK);
    CHECK_STATUS(ad_vjp(t, program_vector, &p, x, n, OUTPUTS, output_weight, values, wJ), AD_OK);
    for (i = 0; i < n; i++) close_to(wJ[i], want_g[i], scale, 1e-10, "vjp");
    for (i = 0, sum = 0; i < OUTPUTS; i++) sum += output_weight[i] * Jv[i];
    for (i = 0; i < n; i++) sum -= wJ[i] * v[i];
    close_to(sum, 0, scale, 1e-10, "w.(J v) - (w J).v");

    /* on one recording: both Jacobians, the gradient recorded, and the derivatives of that */
    CHECK_STATUS(ad_inputs(t, n, x, vx), AD_OK);
    program_vector(t, vx, n, vy, OUTPUTS, &p);
    CHECK_STATUS(ad_jacobian_reverse(t, n, vx, OUTPUTS, vy, J), AD_OK);
    CHECK_STATUS(ad_jacobian_forward(t, n, vx, OUTPUTS, vy, other), AD_OK);
    for (i = 0; i < OUTPUTS * n; i++) {
        close_to(J[i], want_J[i], scale, 1e-10, "reverse Jacobian");
        close_to(other[i], want_J[i], scale, 1e-10, "forward Jacobian");
    }
    f = ad_var_lincomb(OUTPUTS, output_weight, vy);
    if (f.tape) {
        CHECK_STATUS(ad_grad_vars(f, n, vx, vg), AD_OK);
        for (i = 0; i < n; i++) close_to(vg[i].v, want_g[i], scale, 1e-10, "recorded gradient");
        CHECK_STATUS(ad_jacobian_reverse(t, n, vx, n, vg, H), AD_OK);
        for (i = 0; i < n * n; i++)
            close_to(H[i], want_H[i], scale_H, 1e-9, "reverse over recorded");
        CHECK_STATUS(ad_jacobian_forward(t, n, vx, n, vg, H), AD_OK);
        for (i = 0; i < n * n; i++)
            close_to(H[i], want_H[i], scale_H, 1e-9, "forward over recorded");
        for (i = 0; i < n; i++) vh[i] = ad_var_mul_r(vg[i], v[i]);
        f = ad_var_sum(n, vh);                         /* v.grad f; its gradient is H v */
        if (f.tape && number % 4 == 0) {
            CHECK_STATUS(ad_grad_vars(f, n, vx, vh), AD_OK);
            for (i = 0; i < n; i++)
                close_to(vh[i].v, Hv[i], scale_H, 1e-9, "recorded Hessian times vector");
            /* third order: v.H v along v, against a difference of exact second derivatives */
            for (i = 0; i < n; i++) vh[i] = ad_var_mul_r(vh[i], v[i]);
            f = ad_var_sum(n, vh);
            if (f.tape) {
                const double h = 1e-5;
                double third = 0, diff;
                CHECK_STATUS(ad_backward(f), AD_OK);
                for (i = 0; i < n; i++) third += ad_adjoint(vx[i]) * v[i];
                for (i = 0; i < n; i++) unit[i] = x[i] + h * v[i];
                for (i = 0; i < n; i++) unit2[i] = x[i] - h * v[i];
                diff = (h_scalar(&p, unit, v, v, out).ab - h_scalar(&p, unit2, v, v, out).ab)
                       / (2 * h);
                if (scale_H < 1e3 && fabs(third) < 1e5)
                    close_to(third, diff, scale_H + fabs(third), 2e-4, "third derivative");
            }
        }
    }
    test_check(program_bad == 0, __FILE__, __LINE__, "program %d: %d numbers differ", number,
               program_bad);
    CHECK_STATUS(ad_tape_status(t), AD_OK);
    ad_tape_reset(t);
}

static void test_programs(void)
{
    ad_tape *t = ad_tape_create(NULL);
    int i;
    for (i = 0; i < 600; i++) run_program(t, i);
    finish(t);
}

/* A long random life: record, mark, rewind to any open mark, name, branch, sweep, call drivers;
   whatever is left is as right as on the first day. */
enum { LIFE = 4000, DEEP = 400 };
static void live(ad_tape *t, uint64_t seed)
{
    static hyper w[DEEP];
    static ad_var v[DEEP];
    size_t marks[32];
    int at[32], open = 0, n = INPUTS, step, i, k, ok, bad = 0;
    double x[INPUTS], a[INPUTS], b[INPUTS], g[INPUTS];
    seed_now = seed;
    for (i = 0; i < INPUTS; i++) {
        x[i] = uniform(-1.5, 1.5);
        w[i] = h_const(x[i]);
        a[i] = w[i].a = uniform(-1, 1);
        b[i] = w[i].b = uniform(-1, 1);
    }
    CHECK_STATUS(ad_inputs(t, INPUTS, x, v), AD_OK);
    for (step = 0; step < LIFE && ad_tape_status(t) == AD_OK; step++) {
        const unsigned action = pick(100);
        if (n == DEEP || (action < 4 && open)) {
            if (open == 0) break;
            open = (int)pick((unsigned)open);          /* this mark and all after it are gone */
            ad_tape_rewind(t, marks[open]);
            n = at[open];
        } else if (action < 12 && open < 32) {
            marks[open] = ad_tape_mark(t);
            at[open++] = n;
        } else if (action < 16) {
            (void)ad_branch(ad_var_gt_r(v[n - 1], uniform(-2, 2)));
        } else if (action < 18) {
            CHECK_STATUS(ad_gradient(t, rosenbrock, NULL, x, INPUTS, NULL, g), AD_OK);
        } else if (action < 20 && v[n - 1].tape) {
            ad_var h[INPUTS];
            double s = 0;
            if (ad_grad_vars(v[n - 1], INPUTS, v, h) != AD_OK) bad++;
            for (i = 0; i < INPUTS; i++) s += h[i].v * a[i];
            if (!test_near(s, w[n - 1].a, 1e-9)) bad++;
        } else if (action < 30 && v[n - 1].tape) {
            const int which = pick(2) ? n - 1 : (int)pick((unsigned)n);
            double first = 0, second = 0;
            if (ad_forward(t, INPUTS, v, b) != AD_OK) bad++;
            if (!test_near(ad_tangent(v[which]), w[which].b, 1e-9)) bad++;
            if (v[which].tape == NULL) continue;
            if (ad_backward(v[which]) != AD_OK) bad++;
            for (i = 0; i < INPUTS; i++) first += ad_adjoint(v[i]) * a[i];
            if (!test_near(first, w[which].a, 1e-9)) bad++;
            if (ad_forward_over_reverse(v[which], INPUTS, v, a) != AD_OK) bad++;
            for (i = 0; i < INPUTS; i++) second += ad_adjoint_tangent(v[i]) * b[i];
            if (!test_near(second, w[which].ab, 1e-8)) bad++;
        } else {
            node q;
            hyper trial;
            q.op = (int)pick(P_COUNT);
            q.form = (int)pick(3);
            for (k = 0; k < 3; k++) {
                q.a[k] = pick(3) == 0 || n < 12 ? (int)pick((unsigned)n) : n - 1 - (int)pick(8);
                q.c[k] = (double)pick(7) - 3;          /* constants that come again */
                if (q.op >= P_FMA && pick(5) == 0) q.a[k] = -1;
            }
            if (q.op >= P_ADD && q.op < P_FMA) {
                if (q.form == FORM_RIGHT) q.a[1] = -1;
                if (q.form == FORM_LEFT) q.a[0] = -1;
            }
            trial = h_node(&q, h_operand(&q, w, 0), h_operand(&q, w, 1), h_operand(&q, w, 2), &ok);
            if (!ok
                || !(fabs(trial.v) < 12 && fabs(trial.a) < 100 && fabs(trial.b) < 100
                     && fabs(trial.ab) < 1000))
                continue;
            w[n] = trial;
            v[n] = v_node(&q, v_operand(&q, v, 0), v_operand(&q, v, 1), v_operand(&q, v, 2));
            if (!test_near(v[n].v, trial.v, 1e-11)) bad++;
            if (pick(10) == 0) v[n] = ad_name(v[n], "somebody");
            n++;
        }
    }
    test_check(bad == 0, __FILE__, __LINE__, "life %d: %d numbers differ", (int)seed, bad);
    CHECK_STATUS(ad_tape_status(t), AD_OK);
    CHECK_STRING(ad_tape_message(t), "");
}

static void test_lives(void)
{
    ad_tape *t = ad_tape_create(NULL), *stepwise;
    ad_tape_desc desc;
    uint64_t i;
    void *buffer = malloc(1 << 23);
    for (i = 1; i <= 40; i++) {
        live(t, i);
        if (i & 1) ad_tape_reset(t);
        else ad_tape_rewind(t, 0);
    }
    finish(t);
    memset(&desc, 0, sizeof desc);
    desc.initial_slots = desc.grow_slots = 1;
    stepwise = ad_tape_create(&desc);
    live(stepwise, 41);
    ad_tape_rewind(stepwise, 0);
    live(stepwise, 42);
    finish(stepwise);
    memset(&desc, 0, sizeof desc);
    desc.buffer = buffer;
    desc.buffer_bytes = 1 << 23;
    t = ad_tape_create(&desc);
    for (i = 43; i <= 60; i++) {
        live(t, i);
        ad_tape_rewind(t, 0);
    }
    finish(t);
    free(buffer);
}

/* ---------------------------------------------------------------- float */

static adf_var frosen(adf_tape *t, const adf_var *x, size_t n, void *user)
{
    (void)t;
    (void)n;
    (void)user;
    return adf_var_add(
        adf_var_mul_r(adf_var_square(adf_var_sub(x[1], adf_var_square(x[0]))), 100.0f),
        adf_var_square(adf_var_sub_from_r(1.0f, x[0])));
}
static void fvector(adf_tape *t, const adf_var *x, size_t n, adf_var *y, size_t m, void *user)
{
    size_t i;
    (void)t;
    (void)n;
    (void)user;
    for (i = 0; i < m; i++)
        y[i] = adf_var_mul(adf_var_sin(x[i % n]), adf_var_add_r(x[(i + 1) % n], (float)i));
}

static void test_float(void)
{
    enum { N = 100000 };
    adf_tape *t = adf_tape_create(NULL);
    const float x[2] = { -1.2f, 1.0f }, v[2] = { 1.0f, 2.0f }, w[3] = { 1.0f, -1.0f, 0.5f },
                one = 1.0f;
    float y, g[2], H[4], Hv[2], values[3], J[6], J2[6], Jv[3], wJ[2];
    adf_var a, b, c, vx[2], vy[3], vg[2], list[3];
    adf_health h;
    size_t mark;
    int i, k;
    for (k = 0; k < 2; k++) {
        adf_tape *on = k ? t : NULL;
        CHECK_STATUS(adf_gradient(on, frosen, NULL, x, 2, &y, g), AD_OK);
        CHECK_NEAR(y, 24.2, 1e-5);
        CHECK_NEAR(g[0], -215.6, 1e-5);
        CHECK_NEAR(g[1], -88.0, 1e-5);
        CHECK_STATUS(adf_hessian(on, frosen, NULL, x, 2, &y, g, H), AD_OK);
        CHECK_NEAR(H[0], 1330.0, 1e-5);
        CHECK_NEAR(H[1], 480.0, 1e-5);
        CHECK(H[1] == H[2]);
        CHECK_NEAR(H[3], 200.0, 1e-5);
        CHECK_STATUS(adf_hvp(on, frosen, NULL, x, 2, v, &y, g, Hv), AD_OK);
        CHECK_NEAR(Hv[0], 2290.0, 1e-5);
        CHECK_NEAR(Hv[1], 880.0, 1e-5);
        CHECK_STATUS(adf_jacobian(on, fvector, NULL, x, 2, 3, values, J), AD_OK);
        CHECK_STATUS(adf_jvp(on, fvector, NULL, x, 2, 3, v, values, Jv), AD_OK);
        CHECK_STATUS(adf_vjp(on, fvector, NULL, x, 2, 3, w, values, wJ), AD_OK);
        for (i = 0; i < 3; i++) CHECK_NEAR(Jv[i], J[2 * i] * v[0] + J[2 * i + 1] * v[1], 1e-6);
        for (i = 0; i < 2; i++)
            CHECK_NEAR(wJ[i], w[0] * J[i] + w[1] * J[2 + i] + w[2] * J[4 + i], 1e-6);
        CHECK_NEAR(J[0], cos(-1.2) * 1.0, 1e-6);
        CHECK_NEAR(J[1], sin(-1.2), 1e-6);
    }
    CHECK_STATUS(adf_inputs(t, 2, x, vx), AD_OK);
    fvector(t, vx, 2, vy, 3, NULL);
    CHECK_STATUS(adf_jacobian_reverse(t, 2, vx, 3, vy, J), AD_OK);
    CHECK_STATUS(adf_jacobian_forward(t, 2, vx, 3, vy, J2), AD_OK);
    for (i = 0; i < 6; i++) CHECK_NEAR(J[i], J2[i], 1e-6);
    CHECK_STATUS(adf_backward_seeded(t, 3, vy, w), AD_OK);
    for (i = 0; i < 2; i++) CHECK_NEAR(adf_adjoint(vx[i]), wJ[i], 1e-6);
    CHECK_STATUS(adf_forward(t, 2, vx, v), AD_OK);
    for (i = 0; i < 3; i++) CHECK_NEAR(adf_tangent(vy[i]), Jv[i], 1e-6);
    a = frosen(t, vx, 2, NULL);
    CHECK_STATUS(adf_grad_vars(a, 2, vx, vg), AD_OK);
    CHECK_NEAR(vg[0].v, -215.6, 1e-5);
    CHECK_STATUS(adf_jacobian_reverse(t, 2, vx, 2, vg, H), AD_OK);
    CHECK_NEAR(H[0], 1330.0, 1e-5);
    CHECK_STATUS(adf_forward_over_reverse(a, 2, vx, v), AD_OK);
    CHECK_NEAR(adf_adjoint_tangent(vx[0]), 2290.0, 1e-5);
    CHECK_STATUS(adf_hessian_of(a, 2, vx, H), AD_OK);
    CHECK_NEAR(H[3], 200.0, 1e-5);

    /* orders: x^5 */
    adf_tape_reset(t);
    a = adf_input(t, 0.5f);
    b = adf_var_powi(a, 5);
    for (i = 0; i < 4; i++) {
        CHECK_STATUS(adf_grad_vars(b, 1, &a, &c), AD_OK);
        b = c;
    }
    CHECK_NEAR(b.v, 60.0, 1e-6);
    list[0] = a;
    list[1] = adf_var_square(a);
    list[2] = adf_const(2.0f);
    CHECK_STATUS(adf_backward(adf_var_norm(3, list)), AD_OK);
    CHECK_NEAR(adf_adjoint(a), (0.5 + 2 * 0.125) / sqrt(0.25 + 0.0625 + 4), 1e-6);
    CHECK_STATUS(adf_backward(adf_var_logsumexp(3, list)), AD_OK);
    CHECK_NEAR(adf_adjoint(a), (exp(0.5) + exp(0.25)) / (exp(0.5) + exp(0.25) + exp(2.0)), 1e-6);
    CHECK_STATUS(adf_backward(adf_var_lincomb(3, w, list)), AD_OK);
    CHECK(adf_adjoint(a) == 0.0f);
    CHECK(adf_branch(adf_var_lt_r(a, 1.0f)) == 1);
    CHECK(adf_tape_get_stats(t).branches == 1);
    h = adf_tape_health(t);
    CHECK(h.largest == 1.0f && h.nonfinite == 0);

    /* rewinding, constants, a chain; 12 to 16 bytes an operation and its adjoint */
    adf_tape_reset(t);
    a = adf_input(t, 1.0f);
    mark = adf_tape_mark(t);
    for (i = 0; i < 1000; i++) {
        b = adf_name(adf_var_mul_r(a, (float)(i % 5) + 0.5f), "b");
        CHECK_STATUS(adf_backward(b), AD_OK);
        CHECK(adf_adjoint(a) == (float)(i % 5) + 0.5f);
        adf_tape_rewind(t, mark);
    }
    CHECK(adf_tape_get_stats(t).constants == 0);
    for (i = 0, b = a; i < N; i++) b = adf_var_add(b, a);
    CHECK_STATUS(adf_backward(b), AD_OK);
    CHECK(adf_adjoint(a) == (float)N + 1.0f);
    CHECK((double)adf_tape_get_stats(t).bytes_used <= 20.0 * (double)N);
    CHECK_STATUS(adf_forward(t, 1, &a, &one), AD_OK);
    CHECK(adf_tangent(b) == (float)N + 1.0f);
    CHECK_STATUS(adf_tape_status(t), AD_OK);
    adf_tape_destroy(t);
}

/* A constant among the variables of a derivative: by it everything is 0, and the others have what
   they have without it. y = x0^2 x1 + sin(x1), at x0 = 1.5, x1 = 0.5; arrays besides or not. */
static void test_constants_among_variables(void)
{
    const double a = 1.5, b = 0.5;
    const double dot[3] = { 2, 7, -1 };          /* the constant is in the middle */
    const double g[3] = { 2 * a * b, 0, a * a + cos(b) };
    const double H[3][3] = { { 2 * b, 0, 2 * a }, { 0, 0, 0 }, { 2 * a, 0, -sin(b) } };
    int arrays, users;
    for (arrays = 0; arrays < 2; arrays++)
        for (users = 0; users < 2; users++) {
            ad_tape_desc desc;
            static double room[1 << 15];
            ad_tape *t;
            ad_var x[3], y, d[3], many[5], late[2];
            double got[9], J[15];
            size_t i, j;
            memset(&desc, 0, sizeof desc);
            if (users) {                                 /* columns one by one */
                desc.buffer = room;
                desc.buffer_bytes = sizeof room;
            }
            t = ad_tape_create(&desc);
            x[0] = ad_input(t, a);
            x[1] = ad_const(4.0);
            x[2] = ad_input(t, b);
            y = ad_var_add(ad_var_mul(ad_var_square(x[0]), x[2]), ad_var_sin(x[2]));
            if (arrays) {
                const double zero[2] = { 0, 0 };
                const int32_t two = 2;
                y = ad_var_add(y, ad_array_item(ad_array_sum(
                    ad_array_input(t, 1, &two, zero), AD_ALL_AXES, 0)));
            }
            CHECK_STATUS(ad_grad_vars(y, 3, x, d), AD_OK);
            for (i = 0; i < 3; i++) CHECK_NEAR(d[i].v, g[i], 1e-15);
            CHECK(d[1].tape == NULL);
            CHECK_STATUS(ad_hessian_of(y, 3, x, got), AD_OK);
            for (i = 0; i < 9; i++) CHECK_NEAR(got[i], H[i / 3][i % 3], 1e-15);
            CHECK_STATUS(ad_forward_over_reverse(y, 3, x, dot), AD_OK);
            for (i = 0; i < 3; i++) {
                CHECK_NEAR(ad_adjoint(x[i]), g[i], 1e-15);
                CHECK_NEAR(ad_adjoint_tangent(x[i]), dot[0] * H[i][0] + dot[2] * H[i][2], 1e-15);
            }
            late[0] = x[0];                              /* and what is recorded later */
            late[1] = ad_input(t, 9.0);
            CHECK_STATUS(ad_forward_over_reverse(y, 2, late, dot), AD_OK);
            CHECK_NEAR(ad_adjoint_tangent(x[0]), dot[0] * H[0][0], 1e-15);
            CHECK(ad_adjoint_tangent(late[1]) == 0);
            CHECK_STATUS(ad_jacobian_times(t, 3, x, 1, dot, 1, &y, got), AD_OK);
            CHECK_NEAR(got[0], dot[0] * g[0] + dot[2] * g[2], 1e-15);
            for (i = 0; i < 5; i++) many[i] = i == 2 ? ad_const(3.0) : y;
            for (j = 1; j < 6; j += 4) {                 /* one row, and many */
                CHECK_STATUS(ad_jacobian_reverse(t, 3, x, j, many, J), AD_OK);
                for (i = 0; i < 3 * j; i++) CHECK_NEAR(J[i], i / 3 == 2 ? 0 : g[i % 3], 1e-15);
            }
            CHECK_STATUS(ad_jacobian_forward(t, 3, x, 5, many, J), AD_OK);
            for (i = 0; i < 15; i++) CHECK_NEAR(J[i], i / 3 == 2 ? 0 : g[i % 3], 1e-15);
            finish(t);
        }
}

/* A variable of before a driver is a number to it, a factor of its arrays too, and an array of
   before it none of its arrays. */
static ad_var outside_times_sum(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    const ad_var *const outside = (const ad_var *)user;
    const int32_t two = 2;
    ad_array both;
    (void)n;
    both = ad_array_pack(t, 1, &two, x);
    return ad_var_mul(outside[0], ad_array_item(ad_array_sum(both, AD_ALL_AXES, 0)));
}
static ad_var squares(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    (void)t;
    return ad_var_add(ad_var_dot(n, x, x), *(const ad_var *)user);
}
static void test_outside(void)
{
    ad_tape *const t = ad_tape_create(NULL);
    const double v[2] = { 1, 2 }, x[2] = { 0.5, 0.75 }, data[3] = { 1, 2, 3 };
    const int32_t three = 3;
    double y, g[2], Hv[2], H[4];
    ad_var outside = ad_input(t, 3.0);
    CHECK_STATUS(ad_hvp(t, outside_times_sum, &outside, x, 2, v, &y, g, Hv), AD_OK);
    CHECK(y == 3.75 && g[0] == 3 && g[1] == 3 && Hv[0] == 0 && Hv[1] == 0);
    ad_array_const(t, 1, &three, data);
    ad_array_input(t, 1, &three, data);
    CHECK_STATUS(ad_hvp(t, squares, &outside, x, 2, v, &y, g, Hv), AD_OK);
    CHECK(y == 3.8125 && g[0] == 1 && g[1] == 1.5 && Hv[0] == 2 && Hv[1] == 4);
    CHECK_STATUS(ad_hessian(t, squares, &outside, x, 2, &y, g, H), AD_OK);
    CHECK(H[0] == 2 && H[1] == 0 && H[2] == 0 && H[3] == 2);
    CHECK(slots(t) > 1);
    finish(t);
}

/* Recorded gradients through an infinite factor: 0 times it is 0, all else infinite. */
static void test_infinite_factor(void)
{
    ad_tape *const t = ad_tape_create(NULL);
    const double at[3] = { -2, 0, 2 }, want[3] = { -(double)INFINITY, 0, (double)INFINITY };
    int i;
    for (i = 0; i < 3; i++) {
        const ad_var x = ad_input(t, at[i]);
        ad_var g;
        CHECK_STATUS(ad_grad_vars(ad_var_mul_r(ad_var_square(x), (double)INFINITY), 1, &x, &g),
                     AD_OK);
        CHECK(g.v == want[i]);
    }
    finish(t);
}

/* NULL where results are to go, or numbers to come from. */
static void test_nothing_given(void)
{
    ad_tape *const t = ad_tape_create(NULL);
    ad_tape_desc desc;
    ad_var x = ad_input(t, 2.0), y = ad_var_square(x);
    double one = 1, got = 5;
    CHECK_STATUS(ad_backward(y), AD_OK);
    ad_adjoints(1, NULL, &got);
    ad_adjoints(1, &x, NULL);
    CHECK(got == 5);
    ad_adjoints(1, &x, &got);
    CHECK(got == 4);
    CHECK_STATUS(ad_jacobian_times(t, 1, &x, 0, NULL, 1, &y, NULL), AD_OK);
    CHECK_STATUS(ad_jacobian_times(t, 1, &x, 1, &one, 1, &y, NULL), AD_ERR_ARGUMENT);
    CHECK(strstr(ad_tape_message(t), "NULL") != NULL);
    ad_tape_clear_status(t);
    CHECK_STATUS(ad_jacobian_times(t, 1, &x, SIZE_MAX / 4, &one, 1, &y, &got), AD_ERR_ARGUMENT);
    CHECK(strstr(ad_tape_message(t), "too many") != NULL);
    ad_tape_clear_status(t);
    CHECK_STATUS(ad_jacobian_times(t, 0, NULL, SIZE_MAX / 4, NULL, 1, &y, &got), AD_ERR_ARGUMENT);
    ad_tape_clear_status(t);
    CHECK_STATUS(ad_jacobian_reverse(t, SIZE_MAX / 4, &x, 1, &y, &got), AD_ERR_ARGUMENT);
    CHECK(strstr(ad_tape_message(t), "too many") != NULL);
    ad_tape_clear_status(t);
    CHECK_STATUS(ad_jacobian_times(t, 1, &x, 1, &one, 0, NULL, NULL), AD_OK);
    CHECK(got == 4);
    CHECK(ad_tape_kernels(NULL) == NULL && ad_tape_kernels(t) != NULL);
    finish(t);
    memset(&desc, 0, sizeof desc);
    desc.buffer_bytes = 4096;                            /* of nothing */
    CHECK(ad_tape_create(&desc) == NULL);
}

/* Rows that are stretches of the trace, recorded on a tape in use: y_i = sin(i x0) w + p x1, of
   which w is the tape's own, and p an input that the function makes. Row 3 may take a slot of row
   1's. */
typedef struct in_use { ad_var w; int shared; } in_use;
static void rows_in_use(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m, void *user)
{
    const in_use *const u = (const in_use *)user;
    const ad_var p = ad_input(t, 3);
    ad_var first = ad_const(0);
    size_t i;
    (void)n;
    for (i = 0; i < m; i++) {
        const ad_var s = ad_var_sin(ad_var_mul_r(x[0], (double)i));
        if (i == 1) first = s;
        y[i] = ad_var_add(ad_var_mul(u->shared && i == 3 ? first : s, u->w), ad_var_mul(p, x[1]));
    }
    y[m - 1] = x[1];
}
static void test_rows_in_use(void)
{
    enum { M = 12 };
    const double x[2] = { 0.25, 0.5 };
    double y[M], J[2 * M];
    int before, shared;
    size_t i;
    for (before = 0; before < 2; before++)
        for (shared = 0; shared < 2; shared++) {
            ad_tape *const t = ad_tape_create(NULL);
            in_use u;
            size_t mark;
            u.w = ad_input(t, 2);
            if (before) u.w = ad_var_square(u.w);
            u.shared = shared;
            mark = slots(t);
            CHECK_STATUS(ad_jacobian(t, rows_in_use, &u, x, 2, M, y, J), AD_OK);
            CHECK(slots(t) == mark);
            for (i = 0; i + 1 < M; i++) {
                const double k = shared && i == 3 ? 1 : (double)i;
                CHECK_NEAR(y[i], sin(k * 0.25) * u.w.v + 1.5, 1e-15);
                CHECK_NEAR(J[2 * i], k * cos(k * 0.25) * u.w.v, 1e-14);
                CHECK_NEAR(J[2 * i + 1], 3, 1e-15);
            }
            CHECK(J[2 * M - 2] == 0 && J[2 * M - 1] == 1);
            finish(t);
        }
}

/* y = x0 x1 x1, with all that a recorded gradient needs, or without. */
static ad_status cube_value(void *user, size_t n, const double *x, size_t m, double *y)
{
    (void)user; (void)n; (void)m;
    y[0] = x[0] * x[1] * x[1];
    return AD_OK;
}
static ad_status cube_record(void *user, ad_tape *t, size_t n, const ad_var *x, size_t m,
    const ad_var *y, const ad_var *y_bar, ad_var *x_bar)
{
    (void)user; (void)t; (void)n; (void)m; (void)y;
    x_bar[0] = ad_var_mul(y_bar[0], ad_var_square(x[1]));
    x_bar[1] = ad_var_mul_r(ad_var_mul(ad_var_mul(y_bar[0], x[0]), x[1]), 2);
    return AD_OK;
}

/* A heat equation's residual r = u_t - k u_xx of u = a sin(b x) exp(-c t), whose derivatives by t
   and x are recorded tangents, by hand: r = u (k b^2 - c). Then the gradient of r^2 by a, b, c, k,
   on the tape and compiled, at other points too. u with rules alone, with an array, with a user
   operation: how is 0, 1, 2. */
static void residual_of_heat(int how)
{
    static const int two = 2;
    ad_tape *const t = ad_tape_create(NULL);
    ad_var in[6], u, u_t, u_x, u_xx, r, g[4], v[2];
    ad_op cube;
    ad_fn *f, *all;
    int point, i;
    const double start[6] = { 0.5, 1.5, 0.25, 0.125, 0.75, 0.5 };    /* a b c k; t x */
    memset(&cube, 0, sizeof cube);
    cube.name = "cube";
    cube.value = cube_value;
    cube.record = cube_record;
    ad_inputs(t, 6, start, in);
    if (how == 1) {                             /* a sin(b x), as a product of arrays */
        const ad_var pair[2] = { in[1], ad_const(0) }, other[2] = { in[5], ad_const(1) };
        const ad_array waves = ad_array_sin(ad_array_mul(ad_array_pack(t, 1, &two, pair),
                                                         ad_array_pack(t, 1, &two, other)));
        u = ad_var_mul(in[0], ad_array_at(waves, 0));
    } else {
        u = ad_var_mul(in[0], ad_var_sin(ad_var_mul(in[1], in[5])));
    }
    if (how == 2) {                             /* u w^2, w = exp(-c t / 2) */
        const ad_var pair[2] = { u, ad_var_exp(ad_var_mul_r(ad_var_mul(in[2], in[4]), -0.5)) };
        CHECK_STATUS(ad_var_call(t, &cube, NULL, 2, pair, 1, &u), AD_OK);
    } else {
        u = ad_var_mul(u, ad_var_exp(ad_var_neg(ad_var_mul(in[2], in[4]))));
    }
    v[0] = ad_const(1);
    CHECK_STATUS(ad_jvp_vars(t, 1, in + 4, v, 1, &u, &u_t), AD_OK);
    CHECK_STATUS(ad_jvp_vars(t, 1, in + 5, v, 1, &u, &u_x), AD_OK);
    CHECK_STATUS(ad_jvp_vars(t, 1, in + 5, v, 1, &u_x, &u_xx), AD_OK);
    r = ad_var_sub(u_t, ad_var_mul(in[3], u_xx));
    r = ad_var_square(r);
    CHECK_STATUS(ad_grad_vars(r, 4, in, g), AD_OK);
    f = how ? NULL : ad_fn_create(t, 6, in, 1, &r, NULL);
    all = how ? NULL : ad_fn_create(t, 6, in, 4, g, NULL);
    CHECK(how || ad_fn_get_stats(f).constants == 0);
    for (point = 0; point < (how ? 1 : 5); point++) {
        double x[6], y, dy[4], J[6];
        for (i = 0; i < 6; i++) x[i] = start[i] + 0.125 * point * (i % 3 - 1);
        {
            const double a = x[0], b = x[1], c = x[2], k = x[3], e = exp(-c * x[4]);
            const double s = sin(b * x[5]), w = k * b * b - c, value = a * s * e * w;
            double by[4];
            by[0] = s * e * w;
            by[1] = a * e * (x[5] * cos(b * x[5]) * w + s * 2 * k * b);
            by[2] = a * s * e * (-x[4] * w - 1);
            by[3] = a * s * e * b * b;
            if (!how) {
                CHECK_STATUS(ad_fn_eval(f, x, &y), AD_OK);
                CHECK_STATUS(ad_fn_eval(all, x, dy), AD_OK);
                CHECK_NEAR(y, value * value, 1e-13);
                for (i = 0; i < 4; i++) CHECK_NEAR(dy[i], 2 * value * by[i], 1e-12);
                CHECK_STATUS(ad_jacobian_forward(t, 6, in, 1, &r, J), AD_OK);
                for (i = 0; i < 4 && !point; i++) CHECK_NEAR(J[i], 2 * value * by[i], 1e-12);
            }
            if (point == 0) {
                CHECK_NEAR(r.v, value * value, 1e-13);
                CHECK_STATUS(ad_backward(r), AD_OK);
                for (i = 0; i < 4; i++) CHECK_NEAR(ad_adjoint(in[i]), 2 * value * by[i], 1e-12);
                for (i = 0; i < 4; i++) CHECK_NEAR(g[i].v, 2 * value * by[i], 1e-12);
            }
        }
    }
    ad_fn_destroy(f);
    ad_fn_destroy(all);
    finish(t);
}
static void test_recorded_tangents(void)
{
    ad_tape *t = ad_tape_create(NULL);
    ad_var x[3], v[3], y[3], y_dot[3];
    ad_op cube;
    size_t before;
    int how;
    for (how = 0; how < 3; how++) residual_of_heat(how);
    /* numbers alone, of a tape that has nothing yet */
    y[0] = ad_const(5);
    CHECK_STATUS(ad_jvp_vars(t, 0, NULL, NULL, 1, y, y_dot), AD_OK);
    CHECK(y_dot[0].v == 0 && !y_dot[0].tape);
    x[0] = ad_input(t, 3);
    x[1] = ad_input(t, 4);
    v[0] = ad_const(2);
    v[1] = x[0];
    v[2] = ad_const(0);
    /* an output that is x, one that is a number, one that depends on nothing here; x named twice */
    y[0] = x[0];
    y[1] = ad_const(5);
    y[2] = ad_var_square(x[1]);
    before = slots(t);
    CHECK_STATUS(ad_jvp_vars(t, 1, x, v, 3, y, y_dot), AD_OK);
    CHECK(y_dot[0].v == 2 && y_dot[1].v == 0 && y_dot[2].v == 0);
    CHECK(!y_dot[0].tape && !y_dot[1].tape && !y_dot[2].tape && slots(t) == before);
    x[1] = x[0];
    CHECK_STATUS(ad_jvp_vars(t, 2, x, v, 1, y, y_dot), AD_OK);      /* 2 + 3 */
    CHECK(y_dot[0].v == 5 && y_dot[0].tape == t);
    /* a result that is an x has its own v besides */
    x[1] = ad_var_mul_r(x[0], 7);
    y[0] = ad_var_mul(x[1], x[1]);
    v[1] = ad_const(1);
    CHECK_STATUS(ad_jvp_vars(t, 2, x, v, 1, y, y_dot), AD_OK);
    CHECK_NEAR(y_dot[0].v, 2 * 21 * (14 + 1), 1e-13);
    CHECK_STATUS(ad_jvp_vars(t, 0, NULL, NULL, 1, y, y_dot), AD_OK);
    CHECK(y_dot[0].v == 0 && !y_dot[0].tape);
    CHECK_STATUS(ad_jvp_vars(t, 1, x, v, 0, NULL, NULL), AD_OK);
    finish(t);
    /* what cannot be */
    t = ad_tape_create(NULL);
    memset(&cube, 0, sizeof cube);
    cube.name = "cube";
    cube.value = cube_value;
    x[0] = ad_input(t, 3);
    x[1] = ad_input(t, 2);
    CHECK_STATUS(ad_var_call(t, &cube, NULL, 2, x, 1, y), AD_OK);
    CHECK_STATUS(ad_jvp_vars(t, 1, x, v, 1, y, y_dot), AD_ERR_UNSUPPORTED);
    CHECK(strstr(ad_tape_message(t), "cube: no record callback") != NULL);
    CHECK(y_dot[0].v != y_dot[0].v && !y_dot[0].tape);
    ad_tape_clear_status(t);
    CHECK_STATUS(ad_jvp_vars(NULL, 1, x, v, 1, y, y_dot), AD_ERR_ARGUMENT);
    for (how = 0; how < 4; how++) {
        CHECK_STATUS(ad_jvp_vars(t, 1, how == 0 ? NULL : x, how == 1 ? NULL : v, 1,
                                 how == 2 ? NULL : y, how == 3 ? NULL : y_dot), AD_ERR_ARGUMENT);
        CHECK(strstr(ad_tape_message(t), "ad_jvp_vars: NULL for") != NULL);
        if (how < 3) CHECK(y_dot[0].v != y_dot[0].v);
        ad_tape_clear_status(t);
    }
    {
        ad_tape *const other = ad_tape_create(NULL);
        v[0] = ad_input(other, 1);
        CHECK_STATUS(ad_jvp_vars(t, 1, x, v, 1, y, y_dot), AD_ERR_MIXED);
        ad_tape_clear_status(t);
        ad_tape_destroy(other);
        v[0] = ad_var_square(x[0]);
        ad_tape_reset(t);
        x[0] = ad_input(t, 1);
        CHECK_STATUS(ad_jvp_vars(t, 1, x, v, 1, x, y_dot), AD_ERR_STALE);
        ad_tape_clear_status(t);
    }
    /* memory that ends anywhere: an error and NaN, or all of it; the tape goes on */
    {
        size_t bytes, done = 0;
        for (bytes = 4096; bytes <= 65536; bytes += 512) {
            ad_tape_desc desc;
            ad_tape *small;
            ad_status s;
            void *const buffer = malloc(bytes);
            memset(&desc, 0, sizeof desc);
            desc.buffer = buffer;
            desc.buffer_bytes = bytes;
            small = ad_tape_create(&desc);
            if (small) {
                size_t i;
                x[0] = ad_input(small, 0.5);
                y[0] = x[0];
                for (i = 0; i < 40; i++) y[0] = ad_var_sin(ad_var_add(y[0], x[0]));
                if (ad_tape_status(small) == AD_OK) {
                    v[0] = ad_const(1);
                    s = ad_jvp_vars(small, 1, x, v, 1, y, y_dot);
                    CHECK(s == AD_OK || s == AD_ERR_LIMIT || s == AD_ERR_MEMORY);
                    CHECK((s == AD_OK) == (y_dot[0].v == y_dot[0].v));
                    done += s == AD_OK;
                    if (s == AD_OK && ad_backward(y[0]) == AD_OK)
                        CHECK_NEAR(y_dot[0].v, ad_adjoint(x[0]), 1e-14);
                }
                ad_tape_destroy(small);
            }
            free(buffer);
        }
        CHECK(done > 10 && done < 120);
    }
    ad_tape_destroy(t);
    {                                                    /* float */
        adf_tape *const single = adf_tape_create(NULL);
        const adf_var at = adf_input(single, 0.5f), one = adf_const(1);
        const adf_var z = adf_var_mul(at, adf_var_exp(at));
        adf_var dz, ddz;
        CHECK_STATUS(adf_jvp_vars(single, 1, &at, &one, 1, &z, &dz), AD_OK);
        CHECK_STATUS(adf_jvp_vars(single, 1, &at, &one, 1, &dz, &ddz), AD_OK);
        CHECK_NEAR(ddz.v, 2.5 * exp(0.5), 1e-6);
        adf_tape_destroy(single);
    }
}

/* The reverse sweep hands on what goes to the slot just below another way than the rest. Operands
   in every place: that slot (b), an earlier one (a), a number; two, or all, the same. */
static void test_places(void)
{
    static const double at[3] = { 1.5, -0.75, 2.5 };     /* a, b, number */
    ad_tape *const t = ad_tape_create(NULL);
    int op, i, j, k;
    for (i = 0; i < 3; i++)
        for (j = 0; j < 3; j++)
            for (k = 0; k < 3; k++)
                for (op = 0; op < 7; op++) {
                    const size_t mark = ad_tape_mark(t);
                    ad_var in = ad_input(t, at[0]), of[3], y;
                    double p[3], bar[3] = { 0, 0, 0 };
                    const double u = at[i], v = at[j], w = at[k];
                    of[0] = ad_var_mul_r(in, 1.0);
                    of[1] = ad_var_sub_r(of[0], at[0] - at[1]);
                    of[2] = ad_const(at[2]);
                    p[0] = p[1] = 1;
                    p[2] = 0;
                    switch (op) {
                    case 0: y = ad_var_add(of[i], of[j]); break;
                    case 1: y = ad_var_sub(of[i], of[j]); p[1] = -1; break;
                    case 2: y = ad_var_mul(of[i], of[j]); p[0] = v; p[1] = u; break;
                    case 3: y = ad_var_div(of[i], of[j]); p[0] = 1 / v; p[1] = -u / (v * v); break;
                    case 4:
                        y = ad_var_fma(of[i], of[j], of[k]);
                        p[0] = v; p[1] = u; p[2] = 1;
                        break;
                    case 5: y = ad_var_select(of[i], of[j], of[k]); p[0] = 0; break;
                    default:
                        y = ad_var_clamp(of[i], of[j], of[k]);
                        p[0] = (u > v ? 1 : u < v ? 0 : 0.5)
                             * ((u > v ? u : v) < w ? 1 : (u > v ? u : v) > w ? 0 : 0.5);
                        p[1] = (u < v ? 1 : u > v ? 0 : 0.5)
                             * ((u > v ? u : v) < w ? 1 : (u > v ? u : v) > w ? 0 : 0.5);
                        p[2] = (u > v ? u : v) > w ? 1 : (u > v ? u : v) < w ? 0 : 0.5;
                    }
                    bar[i] += p[0];
                    bar[j] += p[1];
                    bar[k] += p[2];
                    bar[0] += bar[1];                    /* b is a and a number */
                    if (y.tape) {
                        CHECK_STATUS(ad_backward(y), AD_OK);
                        CHECK_NEAR(ad_adjoint(of[1]), bar[1], 1e-14);
                        CHECK_NEAR(ad_adjoint(of[0]), bar[0], 1e-14);
                        CHECK_NEAR(ad_adjoint(in), bar[0], 1e-14);
                        CHECK_STATUS(ad_backward(ad_var_mul_r(y, 0.0)), AD_OK);
                        CHECK(ad_adjoint(of[0]) == 0 && ad_adjoint(of[1]) == 0);
                    } else CHECK(i == 2 && j == 2 && (op < 4 || k == 2));
                    ad_tape_rewind(t, mark);
                }
    CHECK(slots(t) == 0);
    finish(t);
}

/* Three operands: one that is none any more, or of another tape, is found in each place; and so it
   is when its place in the list has to grow, or cannot. */
static void test_three(void)
{
    ad_tape *const t = ad_tape_create(NULL), *const other = ad_tape_create(NULL), *small;
    ad_tape_desc desc;
    double buffer[512];
    ad_var good, y;
    size_t i, n;
    int place, why;
    for (why = 0; why < 3; why++)
        for (place = 0; place < 3; place++) {
            ad_var bad = ad_input(other, 2.0), x[3];
            size_t mark;
            if (why) bad = ad_input(t, 2.0);
            if (why == 1) ad_tape_reset(t);
            good = ad_input(t, 3.0);
            mark = ad_tape_mark(t);
            if (why == 2) {
                bad = ad_var_square(good);
                ad_tape_rewind(t, mark);
            }
            x[0] = x[1] = x[2] = good;
            x[place] = bad;
            y = ad_var_fma(x[0], x[1], x[2]);
            CHECK(y.v != y.v && !y.tape);
            CHECK_STATUS(ad_tape_status(t), why ? AD_ERR_STALE : AD_ERR_MIXED);
            CHECK_STATUS(ad_tape_status(other), why ? AD_OK : AD_ERR_MIXED);
            ad_tape_reset(t);
            ad_tape_reset(other);
        }
    good = y = ad_input(t, 0.5);                         /* halved and moved, again and again */
    for (n = 1; n < 3000; n++) y = ad_var_fma(y, ad_const(0.5), ad_const((double)(n % 7)));
    CHECK_STATUS(ad_backward(y), AD_OK);
    CHECK_NEAR(ad_adjoint(good), ldexp(1.0, -2999), 1e-15);
    finish(t);
    ad_tape_destroy(other);
    memset(&desc, 0, sizeof desc);
    desc.buffer = buffer;
    desc.buffer_bytes = sizeof buffer;
    small = ad_tape_create(&desc);
    if (small) {
        y = good = ad_input(small, 1.0);
        for (i = 0; i < 600 && ad_tape_status(small) == AD_OK; i++) {
            const ad_var z = ad_var_fma(y, good, good);
            if (ad_tape_status(small) == AD_OK) y = z;
        }
        CHECK_STATUS(ad_tape_status(small), AD_ERR_LIMIT);
        CHECK(i > 3 && y.v == (double)i);                /* 1 more each time but the last */
        ad_tape_reset(small);                            /* and all is as it was */
        good = ad_input(small, 3.0);
        y = ad_var_fma(good, good, good);
        CHECK_STATUS(ad_backward(y), AD_OK);
        CHECK(y.v == 12 && ad_adjoint(good) == 7);
        ad_tape_destroy(small);
    }
}

/* What stands above the outputs costs sweeps nothing: no memory for it, that is. */
static void test_early_outputs(void)
{
    enum { ABOVE = 200000 };
    ad_tape *const t = ad_tape_create(NULL);
    const ad_var x = ad_input(t, 0.5), y = ad_var_sin(x);
    const double one = 1;
    ad_sparse *plan;
    ad_pattern p;
    ad_var z = x;
    double J, Js, H;
    size_t bytes;
    int i;
    CHECK_STATUS(ad_jacobian_pattern(t, 1, &x, 1, &y, &p), AD_OK);
    plan = ad_sparse_create(&p, NULL);
    CHECK(plan != NULL);
    for (i = 0; i < ABOVE; i++) z = ad_var_mul(z, z);
    bytes = ad_tape_get_stats(t).bytes;
    CHECK_STATUS(ad_backward(y), AD_OK);
    CHECK_STATUS(ad_forward_over_reverse(y, 1, &x, &one), AD_OK);
    CHECK_STATUS(ad_jacobian_reverse(t, 1, &x, 1, &y, &J), AD_OK);
    CHECK(J == cos(0.5));
    CHECK_STATUS(ad_jacobian_forward(t, 1, &x, 1, &y, &J), AD_OK);
    CHECK(J == cos(0.5));
    CHECK_STATUS(ad_jacobian_times(t, 1, &x, 1, &one, 1, &y, &J), AD_OK);
    CHECK(J == cos(0.5));
    CHECK_STATUS(ad_sparse_jacobian(plan, t, 1, &x, 1, &y, &Js), AD_OK);
    CHECK(Js == cos(0.5));
    CHECK_STATUS(ad_hessian_of(y, 1, &x, &H), AD_OK);
    CHECK_NEAR(H, -sin(0.5), 1e-15);
    /* adjoints, and pairs of them, which there is room for everywhere */
    test_check(ad_tape_get_stats(t).bytes < bytes + 25u * ABOVE, __FILE__, __LINE__,
        "%zu bytes more", ad_tape_get_stats(t).bytes - bytes);
    ad_sparse_destroy(plan);
    ad_pattern_free(&p);
    finish(t);
}

/* The partial of sine and cosine is that of libm's functions by themselves, wherever it comes from:
   kept, or computed by the sweep where the pool has no room; it goes as its instruction goes. */
static void test_kept(void)
{
    enum { N = 4000 };
    ad_tape_desc desc;
    ad_tape *t;
    size_t before, i;
    int how;
    for (how = 0; how < 4; how++) {
        static double buffer[N];
        ad_var x[3], y;
        memset(&desc, 0, sizeof desc);
        desc.buffer = how == 1 ? buffer : NULL;
        desc.buffer_bytes = how == 1 ? sizeof buffer : 0;
        desc.debug = how == 3;
        t = ad_tape_create(&desc);
        CHECK(t != NULL);
        if (how == 2) {
            CHECK_STATUS(ad_tape_reserve(t, 1000), AD_OK);
            CHECK_STATUS(ad_tape_reserve(t, 10), AD_OK);     /* the greater promise stays */
        }
        before = ad_tape_get_stats(t).bytes;
        for (i = 0; i < 300; i++) {
            const size_t mark = ad_tape_mark(t), constants = ad_tape_get_stats(t).constants;
            x[0] = ad_input(t, ldexp((double)(i * 7919 % 1009) - 500, (int)(i % 40) - 20));
            y = ad_var_sin(x[0]);
            CHECK_NEAR(y.v, sin(x[0].v), 2.3e-16);
            ad_backward(y);
            CHECK_NEAR(ad_adjoint(x[0]), cos(x[0].v), 2.3e-16);
            x[1] = ad_var_cos(x[0]);
            CHECK_NEAR(x[1].v, cos(x[0].v), 2.3e-16);
            ad_backward(x[1]);
            CHECK_NEAR(ad_adjoint(x[0]), -sin(x[0].v), 2.3e-16);
            if (i % 3 == 0) {
                ad_tape_rewind(t, mark);
                CHECK(ad_tape_get_stats(t).constants == constants);
            }
        }
        if (how == 2) CHECK(ad_tape_get_stats(t).bytes == before);
        finish(t);
    }
    /* the pool grows for them: of many partials most are kept, where one call gives both */
    t = ad_tape_create(NULL);
    {
        ad_var x = ad_input(t, 0.5);
        for (i = 0; i < N; i++) x = ad_var_sin(x);
#ifdef ADI_SINCOS
        CHECK(ad_tape_get_stats(t).constants > N - N / 50);
#endif
        finish(t);
    }
    /* kept partials leave to constants what was promised, and in a fixed buffer all */
    t = ad_tape_create(NULL);
    CHECK_STATUS(ad_tape_reserve(t, 1000), AD_OK);
    before = ad_tape_get_stats(t).bytes;
    {
        static double buffer[N];
        ad_var x = ad_input(t, 0.5), y;
        for (i = 0; i < 300; i++) x = ad_var_sin(x);
        for (i = 0; i < 60; i++) x = ad_var_mul_r(x, 1 + (double)i / 64);
        CHECK(ad_tape_get_stats(t).bytes == before && ad_tape_status(t) == AD_OK);
        finish(t);
        memset(&desc, 0, sizeof desc);
        desc.buffer = buffer;
        desc.buffer_bytes = sizeof buffer;
        t = ad_tape_create(&desc);
        x = ad_input(t, 0.5);
        for (i = 0; i < 1000 && ad_tape_status(t) == AD_OK; i++)
            x = ad_var_add(x, ad_var_mul_r(ad_var_sin(x), 1 + (double)i / 1024));
        before = ad_tape_get_stats(t).slots;
        ad_tape_destroy(t);
        t = ad_tape_create(&desc);
        y = ad_input(t, 0.5);
        for (i = 0; i < 1000 && ad_tape_status(t) == AD_OK; i++)
            y = ad_var_add(y, ad_var_mul_r(ad_var_tanh(y), 1 + (double)i / 1024));
        CHECK(before == ad_tape_get_stats(t).slots);     /* as many steps as of what keeps none */
        ad_tape_destroy(t);
    }
}

TEST_DEF void suite_tape(void)
{
    test_reset_inside();
    test_basics();
    test_traps();
    test_lists();
    test_long_lists();
    test_deep();
    test_forgotten_resets();
    test_bytes();
    test_doubling();
    test_several_lanes();
    test_fresh_constants();
    test_growth();
    test_rewind();
    test_marks_of_drivers();
    test_rewind_to_nothing();
    test_pool();
    test_seeds();
    test_second_order();
    test_jacobians();
    test_hessians();
    test_orders();
    test_drivers();
    test_marks_of_meaning();
    test_constants_among_variables();
    test_outside();
    test_infinite_factor();
    test_nothing_given();
    test_health();
    test_two_tapes();
    test_programs();
    test_lives();
    test_rows_in_use();
    test_recorded_tangents();
    test_places();
    test_three();
    test_kept();
    test_early_outputs();
    test_float();
}
