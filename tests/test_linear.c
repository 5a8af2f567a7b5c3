/* Linearised traces: J v and w^T J against the sweeps over the tape. Random traces whose partials
   are small whole numbers, so that every order of summation gives the same bits; smooth functions;
   zeros beside infinities, products near overflow; memory, errors, lifetimes. The file includes
   itself, once for each real type.
   Sections: The Tape's Interface; The Table, Read Coldly; The Other Sweeps. */
#ifndef R
#include <math.h>
#include <stdlib.h>
#include "heap.h"
#include "test.h"

TEST_DEF void suite_linear(void);

static uint64_t state;
static size_t below(size_t n)
{
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return (size_t)((z ^ z >> 31) % n);
}

enum { INPUTS = 12, OUTPUTS = 9, STEPS = 160, COUNT = 19 };

#define R double
#define A(name) ad_##name
#define T(name) d_##name
#include "test_linear.c"
#undef R
#undef A
#undef T
#define R float
#define A(name) adf_##name
#define T(name) f_##name
#include "test_linear.c"

TEST_DEF void suite_linear(void)
{
    d_all();
    f_all();
}
#else

/* ---- a user operation of two results: x0 + 2 x1, and x1 - 3 x2 */

static ad_status T(two_value)(void *user, size_t n, const R *x, size_t m, R *y)
{
    (void)user; (void)n; (void)m;
    y[0] = x[0] + 2 * x[1];
    y[1] = x[1] - 3 * x[2];
    return AD_OK;
}
static ad_status T(two_reverse)(void *user, size_t n, const R *x, size_t m, const R *y,
                                const R *y_bar, R *x_bar)
{
    (void)n; (void)x; (void)m; (void)y;
    if (user) return AD_ERR_USER;
    x_bar[0] += y_bar[0];
    x_bar[1] += 2 * y_bar[0] + y_bar[1];
    x_bar[2] += -3 * y_bar[1];
    return AD_OK;
}
static ad_status T(two_tangent)(void *user, size_t n, const R *x, size_t m, const R *y,
                                const R *x_dot, R *y_dot)
{
    (void)user; (void)n; (void)x; (void)m; (void)y;
    y_dot[0] = x_dot[0] + 2 * x_dot[1];
    y_dot[1] = x_dot[1] - 3 * x_dot[2];
    return AD_OK;
}
static const A(op) T(two) = { "two", T(two_value), T(two_reverse), T(two_tangent), NULL, NULL };

/* ---- exact traces: values stay whole and small, since mul takes what was reduced by fmod */

static A(var) T(small)(A(var) x) { return A(var_fmod_r)(x, 4); }
static void T(trace)(A(tape) *t, A(var) *x, A(var) *y)
{
    A(var) v[INPUTS + 2 * STEPS];
    size_t n = INPUTS, i, j;
    for (i = 0; i < INPUTS; i++) v[i] = x[i] = A(input)(t, (R)(1 + (int)below(3)));
    x[3] = x[5];                                         /* one twice, one constant */
    x[4] = A(const)(2);
    for (i = 0; i < STEPS; i++) {
        const A(var) a = v[below(n)], b = v[below(n)], c = v[n - 1 - below(n < 6 ? n : 6)];
        A(var) three[3];
        three[0] = a;
        three[1] = b;
        three[2] = c;
        switch (below(12)) {
        case 0: v[n++] = A(var_add)(c, b); break;
        case 1: v[n++] = A(var_sub)(a, c); break;
        case 2: v[n++] = A(var_add_r)(A(var_neg)(c), 1); break;
        case 3: v[n++] = A(var_mul)(T(small)(a), T(small)(c)); break;
        case 4: v[n++] = A(var_mul_r)(T(small)(c), -2); break;
        case 5: v[n++] = A(var_sum)(3, three); break;
        case 6: v[n++] = A(var_fma)(T(small)(a), T(small)(b), c); break;
        case 7: v[n++] = A(var_max)(c, b); break;
        case 8: v[n++] = A(var_select)(A(var_lt)(a, b), c, b); break;
        case 9: v[n++] = A(var_floor)(c); break;
        case 10:
            CHECK_STATUS(A(var_call)(t, &T(two), NULL, 3, three, 2, v + n), AD_OK);
            n += 2;
            break;
        default: v[n++] = A(var_square)(T(small)(b));
        }
    }
    for (j = 0; j < OUTPUTS; j++) y[j] = v[n - 1 - below(n / 2)];
    y[2] = x[1];                                         /* an input, a constant, one twice */
    y[3] = A(const)(7);
    y[5] = y[4];
}
static void T(whole)(R *v, size_t n) { while (n--) v[n] = (R)((int)below(5) - 2); }
static void T(exact)(uint64_t seed)
{
    A(tape) *t = A(tape_create)(NULL);
    A(var) x[INPUTS], y[OUTPUTS];
    R V[COUNT * INPUTS], W[COUNT * OUTPUTS], JV[COUNT * OUTPUTS + 1], WJ[COUNT * INPUTS + 1];
    const size_t count = below(COUNT + 1);
    A(linear) *l;
    size_t i, k, wrong = 0;
    state = seed;
    T(trace)(t, x, y);
    l = A(linearise)(t, INPUTS, x, OUTPUTS, y);
    CHECK(l != NULL);
    T(whole)(V, COUNT * INPUTS);
    T(whole)(W, COUNT * OUTPUTS);
    JV[count * OUTPUTS] = WJ[count * INPUTS] = 77;
    CHECK_STATUS(A(linear_jvp)(l, count, V, JV), AD_OK);
    CHECK_STATUS(A(linear_vjp)(l, count, W, WJ), AD_OK);
    CHECK(JV[count * OUTPUTS] == 77 && WJ[count * INPUTS] == 77);
    for (k = 0; k < count; k++) {
        R w[OUTPUTS];
        CHECK_STATUS(A(forward)(t, INPUTS, x, V + k * INPUTS), AD_OK);
        for (i = 0; i < OUTPUTS; i++) wrong += JV[k * OUTPUTS + i] != A(tangent)(y[i]);
        for (i = 0; i < OUTPUTS; i++) w[i] = W[k * OUTPUTS + i];
        CHECK_STATUS(A(backward_seeded)(t, OUTPUTS, y, w), AD_OK);
        for (i = 0; i < INPUTS; i++) wrong += WJ[k * INPUTS + i] != A(adjoint)(x[i]);
    }
    CHECK(wrong == 0);
    A(tape_destroy)(t);                                  /* l stands by itself */
    CHECK_STATUS(A(linear_jvp)(l, count, V, JV), AD_OK);
    A(linear_destroy)(l);
}

/* ---- smooth functions, to rounding */

static void T(smooth)(void)
{
    A(tape) *t = A(tape_create)(NULL);
    static const R at[4] = { (R)0.4, (R)1.3, (R)-0.7, (R)2.2 };
    R J[16], unit[16] = { 0 }, JV[16], WJ[16];
    A(var) x[4], y[4], z[4];
    A(linear) *l;
    size_t i, j;
    A(inputs)(t, 4, at, x);
    for (i = 0; i < 4; i++) z[i] = A(var_mul)(A(var_sin)(x[i]), A(var_exp)(x[(i + 1) % 4]));
    y[0] = A(var_div)(A(var_norm)(4, z), A(var_softplus)(x[1]));
    y[1] = A(var_logsumexp)(4, x);
    y[2] = A(var_pow)(A(var_abs)(z[2]), A(var_tanh)(x[3]));
    y[3] = A(var_polyval)(4, at, A(var_atan2)(z[0], x[1]));
    l = A(linearise)(t, 4, x, 4, y);
    for (i = 0; i < 4; i++) unit[5 * i] = 1;
    CHECK_STATUS(A(jacobian_reverse)(t, 4, x, 4, y, J), AD_OK);
    CHECK_STATUS(A(linear_jvp)(l, 4, unit, JV), AD_OK);
    CHECK_STATUS(A(linear_vjp)(l, 4, unit, WJ), AD_OK);
    for (i = 0; i < 4; i++)
        for (j = 0; j < 4; j++) {
            const double size = 1 + fabs((double)J[4 * i + j]);
            CHECK_NEAR(JV[4 * j + i], J[4 * i + j], (sizeof(R) == 8 ? 1e-14 : 1e-5) * size);
            CHECK_NEAR(WJ[4 * i + j], J[4 * i + j], (sizeof(R) == 8 ? 1e-14 : 1e-5) * size);
        }
    A(linear_destroy)(l);
    A(tape_destroy)(t);
}

/* ---- infinite partials stop at zero; products of partials do not leave the range of numbers */

static void T(edges)(void)
{
    A(tape) *t = A(tape_create)(NULL);
    const R big = sizeof(R) == 8 ? (R)1e90 : (R)1e11;
    R V[2] = { 0, 1 }, W[1] = { 0 }, JV[2], WJ[2];
    A(var) x[2], y[2];
    A(linear) *l;
    int k;
    x[0] = A(input)(t, 0);
    x[1] = A(input)(t, 3);
    y[0] = A(var_add)(A(var_sqrt)(x[0]), A(var_mul)(x[1], x[1]));
    l = A(linearise)(t, 2, x, 1, y);
    CHECK_STATUS(A(linear_jvp)(l, 1, V, JV), AD_OK);     /* 0 times infinity */
    CHECK(JV[0] == 6);
    CHECK_STATUS(A(linear_vjp)(l, 1, W, WJ), AD_OK);
    CHECK(WJ[0] == 0 && WJ[1] == 0);
    W[0] = 1;
    CHECK_STATUS(A(linear_vjp)(l, 1, W, WJ), AD_OK);
    CHECK(isinf(WJ[0]) && WJ[1] == 6);
    A(linear_destroy)(l);
    for (k = 0; k < 2; k++) {                            /* big^4, or its inverse, is no number */
        const R c = k ? 1 / big : big;
        A(tape_reset)(t);
        x[0] = A(input)(t, 1);
        y[0] = A(var_mul_r)(A(var_mul_r)(A(var_mul_r)(A(var_mul_r)(x[0], c), c), c), c);
        V[0] = 1 / c / c;
        l = A(linearise)(t, 1, x, 1, y);
        CHECK_STATUS(A(linear_jvp)(l, 1, V, JV), AD_OK);
        CHECK_NEAR(JV[0] / c / c, 1, 1e-5);
        V[0] = 1 / c / c;
        CHECK_STATUS(A(linear_vjp)(l, 1, V, WJ), AD_OK);
        CHECK_NEAR(WJ[0] / c / c, 1, 1e-5);
        A(linear_destroy)(l);
    }
    for (k = 0; k < 2; k++) {                            /* a partial too large, or too little,
                                                            to be multiplied out */
        const R c = k ? 1 / (big * big * (R)1e3) : big * big * (R)1e3;
        A(tape_reset)(t);
        x[0] = A(input)(t, 1);
        y[0] = A(var_mul_r)(A(var_mul_r)(x[0], c), 2);
        V[0] = 1 / c;
        l = A(linearise)(t, 1, x, 1, y);
        CHECK_STATUS(A(linear_jvp)(l, 1, V, JV), AD_OK);
        CHECK_NEAR(JV[0], 2, 1e-6);
        A(linear_destroy)(l);
    }
    A(tape_reset)(t);                                    /* an x that is made of another */
    x[0] = A(input)(t, 2);
    x[1] = A(var_mul_r)(x[0], 5);
    y[0] = A(var_mul)(x[0], x[1]);
    l = A(linearise)(t, 2, x, 1, y);
    W[0] = 1;
    CHECK_STATUS(A(linear_vjp)(l, 1, W, WJ), AD_OK);
    CHECK(WJ[0] == 10 && WJ[1] == 2);
    A(linear_destroy)(l);
    A(tape_destroy)(t);
}

/* What a sum of products keeps: the products' partials, though there are as many sums. */
static void T(sizes)(void)
{
    A(tape) *t = A(tape_create)(NULL);
    A(var) x[100], y = A(const)(0);
    size_t i, operations, partials, bytes;
    A(linear) *l;
    for (i = 0; i < 100; i++) x[i] = A(input)(t, (R)(i + 1));
    for (i = 0; i < 50; i++) y = A(var_add)(y, A(var_mul)(x[2 * i], x[2 * i + 1]));
    l = A(linearise)(t, 100, x, 1, &y);
    A(linear_size)(l, &operations, &partials, &bytes);
    CHECK(operations == 99 || operations == 100);        /* 0 + x is x, or not */
    CHECK(partials == 100);
    CHECK(bytes >= 100 * (sizeof(R) + 4));
    A(linear_size)(l, NULL, NULL, NULL);
    A(linear_size)(NULL, &operations, &partials, &bytes);
    CHECK(operations == 0 && partials == 0 && bytes == 0);
    A(linear_destroy)(l);
    A(tape_destroy)(t);
}

static void T(errors)(void)
{
    A(tape) *t = A(tape_create)(NULL), *other = A(tape_create)(NULL);
    A(var) x[3], y[2], foreign = A(input)(other, 1);
    R v[3] = { 1, 1, 1 };
    A(linear) *l;
    int here;
    CHECK(A(linearise)(NULL, 0, NULL, 0, NULL) == NULL);
    CHECK(A(linearise)(t, 1, NULL, 0, NULL) == NULL);
    CHECK_STATUS(A(tape_status)(t), AD_ERR_ARGUMENT);
    A(tape_reset)(t);
    A(inputs)(t, 3, v, x);
    CHECK(A(linearise)(t, 3, x, 1, NULL) == NULL);
    CHECK_STATUS(A(tape_status)(t), AD_ERR_ARGUMENT);
    A(tape_reset)(t);
    A(inputs)(t, 3, v, x);
    CHECK(A(linearise)(t, 1, &foreign, 1, x) == NULL);
    CHECK(A(tape_status)(t) != AD_OK && A(tape_message)(t)[0]);
    A(tape_reset)(t);
    A(inputs)(t, 3, v, x);
    CHECK(A(linearise)(t, 3, x, 1, &foreign) == NULL);
    CHECK(A(tape_status)(t) != AD_OK && A(tape_message)(t)[0]);
    A(tape_reset)(t);
    A(inputs)(t, 3, v, x);
    CHECK_STATUS(A(var_call)(t, &T(two), &here, 3, x, 2, y), AD_OK);     /* refuses its reverse */
    CHECK(A(linearise)(t, 3, x, 2, y) == NULL);
    CHECK_STATUS(A(tape_status)(t), AD_ERR_USER);
    A(tape_reset)(t);
    {
        const int32_t three = 3;
        A(array) a = A(array_input)(t, 1, &three, v);
        y[0] = A(array_at)(A(array_exp)(a), 0);
        CHECK(A(linearise)(t, 0, NULL, 1, y) == NULL);
        CHECK_STATUS(A(tape_status)(t), AD_ERR_UNSUPPORTED);
    }
    A(tape_reset)(t);
    l = A(linearise)(t, 0, NULL, 0, NULL);               /* nothing by nothing */
    CHECK(l != NULL);
    CHECK_STATUS(A(linear_jvp)(l, 3, NULL, NULL), AD_OK);
    CHECK_STATUS(A(linear_vjp)(l, 3, NULL, NULL), AD_OK);
    A(linear_destroy)(l);
    A(inputs)(t, 3, v, x);
    l = A(linearise)(t, 3, x, 1, x);
    CHECK_STATUS(A(linear_jvp)(l, 0, NULL, NULL), AD_OK);
    CHECK_STATUS(A(linear_jvp)(l, 1, NULL, v), AD_ERR_ARGUMENT);
    CHECK_STATUS(A(linear_jvp)(l, 1, v, NULL), AD_ERR_ARGUMENT);
    CHECK_STATUS(A(linear_jvp)(NULL, 1, v, v), AD_ERR_ARGUMENT);
    CHECK_STATUS(A(linear_vjp)(NULL, 1, v, v), AD_ERR_ARGUMENT);
    CHECK_STATUS(A(linear_vjp)(l, 0, NULL, NULL), AD_OK);
    CHECK_STATUS(A(linear_vjp)(l, 1, NULL, v), AD_ERR_ARGUMENT);
    CHECK_STATUS(A(linear_vjp)(l, 1, v, NULL), AD_ERR_ARGUMENT);
    A(linear_destroy)(l);
    A(linear_destroy)(NULL);
    A(tape_destroy)(t);
    A(tape_destroy)(other);
}

/* Every allocation fails once: a status, and nothing is lost. */
static void T(memory)(void)
{
    heap h;
    ad_tape_desc desc;
    A(tape) *t;
    A(var) x[INPUTS], y[OUTPUTS];
    R V[8 * INPUTS], JV[8 * OUTPUTS], right[8 * OUTPUTS];
    A(linear) *l;
    size_t k, calls, blocks;
    memset(&h, 0, sizeof h);
    memset(&desc, 0, sizeof desc);
    desc.resize = heap_resize;
    desc.resize_user = &h;
    t = A(tape_create)(&desc);
    state = 4711;
    T(trace)(t, x, y);
    T(whole)(V, 8 * INPUTS);
    l = A(linearise)(t, INPUTS, x, OUTPUTS, y);
    A(linear_jvp)(l, 8, V, right);
    A(linear_destroy)(l);
    blocks = h.blocks;
    for (k = 1; k < 200; k++) {                          /* once, and who asks again for less */
        h.calls = 0;
        h.fail_at = (k + 1) / 2;
        h.also = k % 2;
        l = A(linearise)(t, INPUTS, x, OUTPUTS, y);
        if (!l) {
            CHECK_STATUS(A(tape_status)(t), AD_ERR_MEMORY);
            A(tape_clear_status)(t);
        } else {
            const ad_status s = A(linear_jvp)(l, 8, V, JV);
            calls = h.calls;
            h.fail_at = 0;
            CHECK(s == AD_OK || s == AD_ERR_MEMORY);
            CHECK_STATUS(A(linear_jvp)(l, 8, V, JV), AD_OK);
            CHECK(memcmp(JV, right, sizeof JV) == 0);
            A(linear_destroy)(l);
            if (calls < (k + 1) / 2) break;
        }
        h.fail_at = 0;
        CHECK(h.blocks == blocks);
    }
    CHECK(k > 16 && k < 200);
    CHECK(h.wrong == 0);
    A(tape_destroy)(t);
    CHECK(h.blocks == 0 && h.live == 0);
}

/* A tape in a fixed buffer: the linearised trace has memory of its own. */
static void T(fixed)(void)
{
    static unsigned char buffer[1 << 16];
    ad_tape_desc desc;
    A(tape) *t;
    A(var) x[2], y;
    R v[2] = { 3, 4 }, g[2];
    const R one = 1;
    A(linear) *l;
    memset(&desc, 0, sizeof desc);
    desc.buffer = buffer;
    desc.buffer_bytes = sizeof buffer;
    t = A(tape_create)(&desc);
    A(inputs)(t, 2, v, x);
    y = A(var_mul)(A(var_square)(x[0]), x[1]);
    l = A(linearise)(t, 2, x, 1, &y);
    CHECK_STATUS(A(linear_vjp)(l, 1, &one, g), AD_OK);
    CHECK(g[0] == 24 && g[1] == 9);
    A(linear_destroy)(l);
    CHECK_STATUS(A(tape_status)(t), AD_OK);
    A(tape_destroy)(t);
}

static void T(all)(void)
{
    uint64_t seed;
    for (seed = 1; seed <= 200; seed += (uint64_t)test_stride()) T(exact)(seed);
    T(smooth)();
    T(edges)();
    T(sizes)();
    T(errors)();
    T(memory)();
    T(fixed)();
}
#endif
