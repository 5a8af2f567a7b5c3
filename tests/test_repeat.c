/* Repeated steps: runs against the same steps recorded one after another, in every sweep; how often
   steps are repeated against the optimum, found by dynamic programming; memory, errors, and what
   stands inside and around a run.
   Sections: Common Types; The Tape's Interface; Checkpoints; The Other Sweeps; Recorded Gradients;
   Repeated Steps. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include "heap.h"
#include "test.h"

#define COUNT(a) (sizeof (a) / sizeof (a)[0])

TEST_DEF void suite_repeat(void);

static uint64_t mix(uint64_t seed, uint64_t i)         /* splitmix64 */
{
    uint64_t z = seed + (i + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}
static double unit(uint64_t seed, uint64_t i)
{
    return (double)(mix(seed, i) >> 11) / 9007199254740992.0;
}

static int one_line(const char *message)
{
    return message[0] != 0 && strchr(message, '\n') == NULL;
}

/* ---------------------------------------------------------------- a user operation: y = x0 * x1 */

static ad_status product_value(void *user, size_t n, const double *x, size_t m, double *y)
{
    (void)user; (void)n; (void)m;
    y[0] = x[0] * x[1];
    return AD_OK;
}
static ad_status product_reverse(void *user, size_t n, const double *x, size_t m, const double *y,
                                 const double *y_bar, double *x_bar)
{
    (void)user; (void)n; (void)m; (void)y;
    x_bar[0] += y_bar[0] * x[1];
    x_bar[1] += y_bar[0] * x[0];
    return AD_OK;
}
static ad_status product_tangent(void *user, size_t n, const double *x, size_t m, const double *y,
                                 const double *x_dot, double *y_dot)
{
    (void)user; (void)n; (void)m; (void)y;
    y_dot[0] = x_dot[0] * x[1] + x[0] * x_dot[1];
    return AD_OK;
}
static ad_status product_dual(void *user, size_t n, const ad_dual *x, size_t m, const ad_dual *y,
                              const ad_dual *y_bar, ad_dual *x_bar)
{
    (void)user; (void)n; (void)m; (void)y;
    x_bar[0] = ad_dual_add(x_bar[0], ad_dual_mul(y_bar[0], x[1]));
    x_bar[1] = ad_dual_add(x_bar[1], ad_dual_mul(y_bar[0], x[0]));
    return AD_OK;
}
static ad_status product_record(void *user, ad_tape *t, size_t n, const ad_var *x, size_t m,
                                const ad_var *y, const ad_var *y_bar, ad_var *x_bar)
{
    (void)user; (void)t; (void)n; (void)m; (void)y;
    x_bar[0] = ad_var_mul(y_bar[0], x[1]);
    x_bar[1] = ad_var_mul(y_bar[0], x[0]);
    return AD_OK;
}
static const ad_op product_op = { "product", product_value, product_reverse, product_tangent,
    product_dual, product_record };

/* ---------------------------------------------------------------- motions: random steps */

enum { X = 4, MOST_N = 5, MOST_K = 3, MOST_STEPS = 40, MOST = MOST_N * MOST_STEPS };
/* Beside arithmetic that depends on i, a step may have: */
enum { FLOW = 1, LISTS = 2, ARRAYS = 4, CALLS = 8, RUNS = 16, STILL = 32, KINDS = 64 };

typedef struct motion {
    uint64_t   seed;
    size_t     n, k, steps;
    int        kind, all;
    ad_repeat *run, *inner;        /* NULL: the same recorded plainly, step by step */
    const struct motion *also;     /* NULL, or what runs from the results, and then this again */
} motion;

/* A step of two numbers and a parameter, which others run three times. */
static ad_status small_step(ad_tape *t, size_t i, const ad_var *s, size_t n, const ad_var *p,
                            size_t k, ad_var *next, void *user)
{
    (void)t; (void)n; (void)k; (void)user;
    next[0] = ad_var_add(s[0], ad_var_mul_r(ad_var_mul(s[1], p[0]), 0.125 * (double)(i + 1)));
    next[1] = ad_var_sub(s[1], ad_var_mul_r(ad_var_sin(s[0]), 0.25));
    return AD_OK;
}
static const ad_repeat_desc small_desc = { 3, NULL, 0, 2 * sizeof(double), 1, NULL, 0, { 0 } };

static ad_status motion_step(ad_tape *t, size_t i, const ad_var *s, size_t n, const ad_var *p,
                             size_t k, ad_var *next, void *user)
{
    const motion *const m = (const motion *)user;
    size_t j, l;
    for (j = 0; j < n; j++) {
        const ad_var a = s[j], b = s[(j + 1) % n], q = k ? p[j % k] : ad_const(0.75);
        const double c = unit(m->seed, i * n + j);
        ad_var force = ad_var_sub(ad_var_sin(ad_var_mul(b, q)), ad_var_mul_r(a, c));
        if (m->kind & CALLS && m->run) {
            ad_var both[2], r;
            both[0] = a;
            both[1] = b;
            ad_var_call(t, &product_op, NULL, 2, both, 1, &r);
            force = ad_var_add(force, r);
        } else if (m->kind & CALLS) {
            force = ad_var_add(force, ad_var_mul(a, b));
        }
        if (m->kind & FLOW && a.v > c) force = ad_var_sub(force, ad_var_square(a));
        next[j] = ad_var_add(ad_var_mul_r(a, 0.875), ad_var_mul_r(ad_var_sin(force), 0.25));
    }
    if (m->kind & LISTS && n > 1)
        next[1] = ad_var_add(next[1], ad_var_mul_r(ad_var_tanh(ad_var_dot(n, s, s)), 0.125));
    if (m->kind & ARRAYS) {
        const int32_t dim[1] = { (int32_t)n };
        const ad_array a = ad_array_pack(t, 1, dim, next);
        ad_array_unpack(ad_array_add(ad_array_mul_r(a, 0.875), ad_array_mul_r(ad_array_tanh(
            ad_array_mul_v(a, ad_array_item(ad_array_sum(a, AD_ALL_AXES, 0)))), 0.125)), next);
    }
    if (m->kind & RUNS) {
        ad_var from[2], to[2];
        from[0] = to[0] = next[0];
        from[1] = to[1] = s[n - 1];
        if (m->inner) ad_repeat_run(m->inner, t, from, s, to);
        for (l = 0; l < 3 && !m->inner; l++) {
            small_step(t, l, from, 2, s, 1, to, NULL);
            memcpy(from, to, sizeof from);
        }
        next[0] = ad_var_add(ad_var_mul_r(to[0], 0.5), ad_var_mul_r(to[1], 0.25));
    }
    if (m->kind & STILL && n > 2) {                    /* as it was; a constant; another one's */
        next[2] = s[2];
        if (i % 5 == 3) next[2] = ad_const(0.5 * s[0].v);
        next[1] = s[0];
    }
    return AD_OK;
}
static int motion_more(void *user, size_t i, const double *s, size_t n)
{
    const motion *const m = (const motion *)user;
    return i < m->steps && n == m->n && s[0] == s[0];
}

/* States and parameters are inputs, results or constants; an input may be both. */
static ad_var operand(uint64_t seed, size_t j, const ad_var *x)
{
    switch (mix(seed, j) % 5) {
    case 0:  return ad_const(unit(seed, j + 100));
    case 1:  return ad_var_mul(ad_var_sin(x[j % X]), x[(j + 1) % X]);
    default: return x[mix(seed, j + 200) % X];
    }
}
static void motion_run(const motion *m, ad_tape *t, const ad_var *from, const ad_var *p, ad_var *y)
{
    ad_var s[MOST_N], next[MOST_N];
    size_t i;
    if (m->run) {
        ad_repeat_run(m->run, t, from, m->k ? p : NULL, y);
        return;
    }
    memcpy(s, from, m->n * sizeof *s);
    memcpy(y, s, m->n * sizeof *y);
    for (i = 0; i < m->steps; i++) {
        motion_step(t, i, s, m->n, p, m->k, next, (void *)(uintptr_t)m);
        memcpy(s, next, m->n * sizeof *s);
        memcpy(y + (m->all ? i * m->n : 0), s, m->n * sizeof *y);
    }
}
/* The results y, how many is returned. */
static size_t motion_record(const motion *m, ad_tape *t, const ad_var *x, ad_var *y)
{
    const size_t count = m->n * (m->all ? m->steps : 1);
    ad_var s[MOST_N], p[MOST_K + 1];
    size_t j;
    for (j = 0; j < m->n; j++) s[j] = operand(m->seed, j, x);
    for (j = 0; j < m->k; j++) p[j] = operand(m->seed + 1, j, x);
    motion_run(m, t, s, p, y);
    if (m->also) {
        memcpy(s, y + (count - m->n), sizeof *s * m->n);
        p[m->k] = y[0];                                /* another parameter, and it a result */
        motion_run(m->also, t, s, p + 1, y);
        memcpy(s, y, sizeof *s * m->n);
        motion_run(m, t, s, p + 1, y);
    }
    return count;
}
/* One number of them; with arrays, whose second derivatives are recorded. */
static ad_var merit(const motion *m, ad_tape *t, const ad_var *x, size_t count, const ad_var *y)
{
    const int32_t dim[1] = { (int32_t)count };
    ad_var f = ad_var_add(ad_var_mul(y[0], y[count - 1]), ad_var_mul(x[0], y[0]));
    size_t j;
    for (j = 0; j < count; j++)
        f = ad_var_add(f, ad_var_mul_r(ad_var_sin(y[j]), unit(7, j) - 0.5));
    if (m->kind & ARRAYS) f = ad_var_sub(f, ad_array_item(ad_array_mean(ad_array_tanh(
        ad_array_pack(t, 1, dim, y)), AD_ALL_AXES, 0)));
    return f;
}
static ad_var motion_merit(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    const motion *const m = (const motion *)user;
    ad_var y[MOST];
    (void)n;
    return merit(m, t, x, motion_record(m, t, x, y), y);
}
static void motion_vmerit(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m, void *user)
{
    (void)m;
    y[0] = motion_merit(t, x, n, user);
}

static const double at0[X] = { 0.5, -0.25, 0.75, 1.125 }, along[X] = { 1, -0.5, 0.25, 2 };

/* The run of a motion; c checkpoints, 0: plenty; extra: as desc.more with so many steps more. */
static ad_repeat *motion_repeat(motion *m, size_t c, size_t block, const size_t *extra,
                                const ad_tape_desc *tape)
{
    ad_repeat_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.steps = m->steps + (extra ? *extra : 0);
    desc.more = extra ? motion_more : NULL;
    desc.all = m->all;
    desc.bytes = c * m->n * sizeof(double);
    desc.block = block;
    desc.tape = tape;
    return ad_repeat_create(motion_step, m, m->n, m->k, &desc);
}

/* ---------------------------------------------------------------- what every sweep sees */

typedef struct seen {
    double y[MOST], f[1], gradient[X], again[X], tangent[MOST + 1], forward[MOST * X],
        reverse[MOST * X], over_gradient[X], over[X], hessian[X * X], recorded[X], second[X],
        third[X], driver[2 * X];
} seen;
#define PART(p) { #p, offsetof(seen, p) / sizeof(double),                                         \
    sizeof(((seen *)NULL)->p) / sizeof(double) }
static const struct { const char *what; size_t at, count; } part[] = {
    PART(y), PART(f), PART(gradient), PART(again), PART(tangent), PART(forward), PART(reverse),
    PART(over_gradient), PART(over), PART(hessian), PART(recorded), PART(second), PART(third),
    PART(driver) };

static void look(motion *m, ad_tape *t, const double *at, seen *o)
{
    ad_var x[X], y[MOST], g[X], h[X], f;
    size_t count, j;
    memset(o, 0, sizeof *o);
    ad_inputs(t, X, at, x);
    count = motion_record(m, t, x, y);
    for (j = 0; j < count; j++) o->y[j] = y[j].v;
    f = merit(m, t, x, count, y);
    o->f[0] = f.v;
    CHECK_STATUS(ad_backward(f), AD_OK);
    ad_adjoints(X, x, o->gradient);
    CHECK_STATUS(ad_forward(t, X, x, along), AD_OK);
    for (j = 0; j < count; j++) o->tangent[j] = ad_tangent(y[j]);
    o->tangent[MOST] = ad_tangent(f);
    CHECK_STATUS(ad_jacobian_reverse(t, X, x, count, y, o->reverse), AD_OK);
    CHECK_STATUS(ad_jacobian_forward(t, X, x, count, y, o->forward), AD_OK);
    CHECK_STATUS(ad_forward_over_reverse(f, X, x, along), AD_OK);
    ad_adjoints(X, x, o->over_gradient);
    for (j = 0; j < X; j++) o->over[j] = ad_adjoint_tangent(x[j]);
    CHECK_STATUS(ad_hessian_of(f, X, x, o->hessian), AD_OK);
    CHECK_STATUS(ad_grad_vars(f, X, x, g), AD_OK);
    for (j = 0; j < X; j++) o->recorded[j] = g[j].v;
    f = ad_var_lincomb(X, along, g);
    if (f.tape) {                                      /* else f is linear */
        CHECK_STATUS(ad_grad_vars(f, X, x, h), AD_OK);
        CHECK_STATUS(ad_backward(f), AD_OK);
        ad_adjoints(X, x, o->second);
        f = ad_var_lincomb(X, along, h);
        if (f.tape) CHECK_STATUS(ad_backward(f), AD_OK);
        ad_adjoints(X, x, o->third);
    }
    CHECK_STATUS(ad_hvp(t, motion_merit, m, at, X, along, NULL, o->driver, o->driver + X), AD_OK);
    f = merit(m, t, x, count, y);
    CHECK_STATUS(ad_backward(f), AD_OK);
    ad_adjoints(X, x, o->again);
    CHECK(memcmp(o->again, o->gradient, sizeof o->again) == 0);
    CHECK_STATUS(ad_tape_status(t), AD_OK);
}
static void compare(const seen *a, const seen *b, int line, const char *name, const motion *m)
{
    const double *const from = (const double *)(const void *)a,
                 *const to = (const double *)(const void *)b;
    size_t i, j;
    for (i = 0; i < COUNT(part); i++) {
        const size_t end = part[i].at + part[i].count;
        for (j = part[i].at; j < end; j++)
            if (i < 2 ? memcmp(from + j, to + j, sizeof *to) != 0
                      : !test_near(from[j], to[j], 1e-12)) break;
        test_check(j == end, __FILE__, line, "%s: n %d, k %d, %d steps, kind %d, all %d: %s[%d] is "
            "%.17g, not %.17g", name, (int)m->n, (int)m->k, (int)m->steps, m->kind, m->all,
            part[i].what, (int)(j - part[i].at), j < end ? from[j] : 0, j < end ? to[j] : 0);
    }
}

/* Random motions with all that can stand in a description, against the same steps plainly. */
static void test_sweeps(void)
{
    ad_tape *const plain = ad_tape_create(NULL), *const t = ad_tape_create(NULL);
    ad_repeat *const inner = ad_repeat_create(small_step, NULL, 2, 1, &small_desc);
    static const size_t blocks[] = { 0, 1, 2, 3, 7 }, extras[] = { 0, 1, 7, 1000 };
    static seen expected, got;
    uint64_t seed;
    for (seed = 1; seed <= 72; seed += (uint64_t)test_stride()) {
        const size_t c = mix(seed, 6) % 8 % 7, block = blocks[mix(seed, 7) % COUNT(blocks)];
        const int more = mix(seed, 5) % 3 == 0;
        char name[80];
        motion m, q, behind, other;
        memset(&behind, 0, sizeof behind);
        memset(&m, 0, sizeof m);
        m.seed = seed;
        m.n = 1 + mix(seed, 1) % MOST_N;
        m.k = mix(seed, 2) % (MOST_K + 1);
        m.steps = mix(seed, 3) % 4 == 0 ? mix(seed, 4) % 4 : mix(seed, 4) % (MOST_STEPS + 1);
        m.kind = (int)(mix(seed, 8) & mix(seed, 9) % KINDS);
        m.all = mix(seed, 5) % 3 == 1 && m.steps > 0;
        if (mix(seed, 11) % 4 == 0) {
            behind = m;
            behind.steps = 3;
            behind.all = 0;
            m.also = &behind;
        }
        q = m;
        q.inner = inner;
        other = behind;
        other.inner = inner;
        q.also = m.also ? &other : NULL;
        other.run = m.also ? motion_repeat(&other, 1, 1, NULL, NULL) : NULL;
        q.run = motion_repeat(&q, c, block, more ? &extras[mix(seed, 10) % COUNT(extras)] : NULL,
                              NULL);
        CHECK_STATUS(ad_repeat_status(q.run), AD_OK);
        look(&m, plain, at0, &expected);
        look(&q, t, at0, &got);
        snprintf(name, sizeof name, "seed %d, %d checkpoints, block %d, more %d", (int)seed, (int)c,
                 (int)block, more);
        compare(&got, &expected, __LINE__, name, &m);
        CHECK(ad_repeat_get_stats(q.run).steps == m.steps);
        CHECK_STATUS(ad_repeat_status(q.run), AD_OK);
        CHECK_STRING(ad_repeat_message(q.run), "");
        ad_tape_reset(plain);
        ad_tape_reset(t);
        ad_repeat_destroy(q.run);
        ad_repeat_destroy(other.run);
    }
    ad_repeat_destroy(inner);
    ad_tape_destroy(plain);
    ad_tape_destroy(t);
}

/* ---------------------------------------------------------------- how many steps are repeated */

static ad_status decay(ad_tape *t, size_t i, const ad_var *s, size_t n, const ad_var *p, size_t k,
                       ad_var *next, void *user)
{
    size_t j;
    (void)t; (void)i; (void)p; (void)k; (void)user;
    for (j = 0; j < n; j++) next[j] = ad_var_mul_r(s[j], 0.99);
    return AD_OK;
}
static int until(void *user, size_t i, const double *s, size_t n)
{
    (void)s; (void)n;
    return i < *(const size_t *)user;
}

static uint64_t binomial(uint64_t n, uint64_t k)
{
    uint64_t b = 1, i;
    for (i = 1; i <= k; i++) b = b * (n - k + i) / i;
    return b;
}
/* Steps on numbers, of a reversal of N steps with c states, the first of them given: r N -
   binomial(c + r, c + 1), with the least r whose binomial(c + r, c) is N or more. */
static uint64_t optimum(uint64_t N, uint64_t c)
{
    uint64_t r = 0;
    while (binomial(c + r, c) < N) r++;
    return r * N - binomial(c + r, c + 1);
}
/* What evenly set checkpoints cost: they stand before multiples of the least power of two that
   needs no more than c of them; each piece is reversed as well as can be by its own checkpoint and
   those behind it, which are free then. */
static uint64_t even(uint64_t N, uint64_t c)
{
    uint64_t gap = 1, at, sum = 0;
    while ((N + gap - 1) / gap > c) gap *= 2;
    for (at = 0; at < N; at += gap, c--) sum += optimum(N - at < gap ? N - at : gap, c);
    return N + sum;
}

/* Runs N steps and sweeps back twice; whether the gradient is right, and what was counted. */
static ad_repeat_stats reversal(size_t N, size_t c, size_t block, int more, size_t *second)
{
    static const double v[2] = { 1.5, 2 };
    const double exact = pow(0.99, (double)N);
    ad_tape *const t = ad_tape_create(NULL);
    ad_repeat_desc desc;
    ad_repeat_stats first;
    ad_repeat *r;
    ad_var x[2], y[2];
    memset(&desc, 0, sizeof desc);
    desc.steps = N + (more ? 12345 : 0);
    desc.more = more ? until : NULL;
    desc.bytes = c * 2 * sizeof(double);
    desc.block = block;
    r = ad_repeat_create(decay, &N, 2, 0, &desc);
    ad_inputs(t, 2, v, x);
    CHECK_STATUS(ad_repeat_run(r, t, x, NULL, y), AD_OK);
    CHECK(ad_repeat_get_stats(r).advanced == N && ad_repeat_get_stats(r).recorded == 0);
    CHECK_STATUS(ad_backward(y[1]), AD_OK);
    first = ad_repeat_get_stats(r);
    CHECK(first.recorded == N && first.block == block && first.steps == N && first.kept <= c);
    CHECK_NEAR(ad_adjoint(x[1]) / exact, 1, 1e-9);
    CHECK(ad_adjoint(x[0]) == 0);
    CHECK_STATUS(ad_backward(y[0]), AD_OK);
    CHECK_NEAR(ad_adjoint(x[0]) / exact, 1, 1e-9);
    *second = ad_repeat_get_stats(r).advanced - first.advanced;
    ad_repeat_destroy(r);
    ad_tape_destroy(t);
    return first;
}

/* Room for 64 MiB of checkpoints where nothing else is asked for: 32 of these states. */
static ad_status stays(ad_tape *t, size_t i, const ad_var *s, size_t n, const ad_var *p, size_t k,
    ad_var *next, void *user)
{
    (void)t;
    (void)i;
    (void)p;
    (void)k;
    (void)user;
    memcpy(next, s, n * sizeof *next);
    return AD_OK;
}
static void test_room(void)
{
    enum { N = 1 << 18, STEPS = 40 };
    static const struct { size_t bytes, kept; } want[] = { { 0, 32 }, { (size_t)64 << 20, 32 },
        { ((size_t)64 << 20) - 1, 31 }, { (size_t)32 << 20, 16 } };
    ad_tape *const t = ad_tape_create(NULL);
    ad_var *const x = (ad_var *)malloc(2 * N * sizeof *x);
    double *const v = (double *)calloc(N, sizeof *v);
    size_t i;
    for (i = 0; i < COUNT(want); i++) {
        ad_repeat_desc desc;
        ad_repeat *r;
        memset(&desc, 0, sizeof desc);
        desc.steps = STEPS;
        desc.bytes = want[i].bytes;
        desc.block = 1;
        r = ad_repeat_create(stays, NULL, N, 0, &desc);
        ad_inputs(t, N, v, x);
        CHECK_STATUS(ad_repeat_run(r, t, x, NULL, x + N), AD_OK);
        CHECK(ad_repeat_get_stats(r).kept == want[i].kept);
        ad_repeat_destroy(r);
        ad_tape_reset(t);
    }
    free(x);
    free(v);
    ad_tape_destroy(t);
}

static void test_optimum(void)
{
    enum { N_MOST = 60, C_MOST = 8 };
    static const size_t large[][2] = { { 200, 1 }, { 2000, 3 }, { 3003, 5 }, { 3004, 5 },
        { 9000, 10 }, { 20100, 199 }, { 20101, 199 }, { 9000, 9001 } };
    static uint64_t best[C_MOST + 1][N_MOST + 1];
    size_t N, c, d, second, block;
    for (c = 1; c <= C_MOST; c++) {
        for (N = 2; N <= N_MOST; N++) {
            best[c][N] = N * (N - 1) / 2;
            for (d = 1; d < N && c > 1; d++) {
                const uint64_t sum = d + best[c][d] + best[c - 1][N - d];
                if (sum < best[c][N]) best[c][N] = sum;
            }
        }
        for (N = 1; N <= N_MOST; N++) {
            const ad_repeat_stats s = reversal(N, c, 1, 0, &second);
            test_check(s.advanced == best[c][N] + 1, __FILE__, __LINE__, "%d steps, %d checkpoints:"
                " %d on numbers, not %d", (int)N, (int)c, (int)s.advanced, (int)best[c][N] + 1);
            CHECK(optimum(N, c) == best[c][N]);
            CHECK(second == best[c][N]);               /* from the first checkpoint again */
        }
    }
    for (block = 2; block <= 7; block++)               /* blocks as steps, but for the last's end */
        for (N = 2; N <= 100; N += 7)
            for (c = 1; c <= C_MOST; c += 2) {
                const size_t blocks = (N + block - 1) / block;
                const size_t last = N - (blocks - 1) * block;
                if (block <= N)
                    CHECK(reversal(N, c, block, 0, &second).advanced
                          == block * optimum(blocks, c) + last);
            }
    for (d = 0; d < COUNT(large); d++) {
        N = large[d][0];
        c = large[d][1];
        CHECK(reversal(N, c, 1, 0, &second).advanced == optimum(N, c) + 1);
    }
    /* Of a number of steps that is not known: no better than the optimum, no worse than `even`. */
    for (c = 1; c <= 40; c += c < 9 ? 1 : 5)
        for (N = 1; N <= (c == 1 ? 60 : 500); N += N < 40 ? 1 : 37) {
            const ad_repeat_stats s = reversal(N, c, 1, 1, &second);
            test_check(s.advanced > optimum(N, c) && s.advanced <= even(N, c), __FILE__, __LINE__,
                "%d steps, %d checkpoints: %d on numbers, not between %d and %d", (int)N, (int)c,
                (int)s.advanced, (int)optimum(N, c) + 1, (int)even(N, c));
            CHECK(second == optimum(N, c));
        }
}

/* ---------------------------------------------------------------- memory */

static motion smooth(size_t n, size_t k, size_t steps)
{
    motion m;
    memset(&m, 0, sizeof m);
    m.seed = 5;
    m.n = n;
    m.k = k;
    m.steps = steps;
    m.kind = LISTS;
    return m;
}
static ad_tape_desc counted(heap *h)
{
    ad_tape_desc desc;
    memset(h, 0, sizeof *h);
    memset(&desc, 0, sizeof desc);
    desc.resize = heap_resize;
    desc.resize_user = h;
    desc.initial_slots = 64;
    return desc;
}

static void test_memory(void)
{
    static const struct { size_t c, block; int kind; } row[] = { { 10, 1, LISTS }, { 10, 0, FLOW },
        { 1000, 8, 0 }, { 777, 1, LISTS }, { 0, 1, 0 }, { 500, 4, ARRAYS } };
    size_t i;
    for (i = 0; i < COUNT(row); i++) {
        heap h, other;
        const ad_tape_desc tape = counted(&h), same = counted(&other);
        ad_tape *const t = ad_tape_create(NULL), *const one = ad_tape_create(&same);
        motion m = smooth(5, 2, row[i].kind & ARRAYS ? 3000 : 8000), q;
        ad_var x[X], f;
        ad_repeat_stats s;
        size_t bytes, most;
        m.kind = row[i].kind;
        q = m;
        q.run = motion_repeat(&q, row[i].c, row[i].block, NULL, &tape);
        ad_inputs(t, X, at0, x);
        f = motion_merit(t, x, X, &q);
        CHECK_STATUS(ad_backward(f), AD_OK);
        s = ad_repeat_get_stats(q.run);
        m.steps = s.block;                             /* what a block takes by itself */
        ad_inputs(one, X, at0, x);
        f = motion_merit(one, x, X, &m);
        CHECK_STATUS(ad_backward(f), AD_OK);
        /* checkpoints and their places, and while they move the old ones too; the tape of a block,
           which doubles when it is full; a state, p and so on, and less than a kilobyte itself */
        bytes = s.kept * 5 * sizeof(double);
        most = bytes + 2 * s.kept * sizeof(size_t) + 2 * other.peak + 4096;
        CHECK(s.kept == (row[i].c ? row[i].c : 8000));
        test_check(h.live <= most && s.bytes <= h.live && h.live < s.bytes + 1024, __FILE__,
            __LINE__, "row %d: %d bytes, %d counted, more than %d", (int)i, (int)h.live,
            (int)s.bytes, (int)most);
        test_check(h.peak <= most + bytes, __FILE__, __LINE__, "row %d: %d bytes at most, more "
            "than %d", (int)i, (int)h.peak, (int)(most + bytes));
        CHECK(h.wrong == 0);
        ad_repeat_destroy(q.run);
        CHECK(h.blocks == 0);
        ad_tape_destroy(t);
        ad_tape_destroy(one);
    }
}

/* One sweep, or what comes before; from y of a run with two states and a parameter. */
enum { CREATE, RUN, BACKWARD, FORWARD, OVER, GRAD_VARS, HESSIAN, JACOBIAN, ACTS };
static ad_status act(int what, ad_tape *t, const ad_var *x, const ad_var *y)
{
    ad_var g[X];
    double H[X * X];
    switch (what) {
    case BACKWARD:  return ad_backward(y[1]);
    case FORWARD:   return ad_forward(t, X, x, along);
    case OVER:      return ad_forward_over_reverse(y[0], X, x, along);
    case GRAD_VARS: return ad_grad_vars(y[0], X, x, g);
    case HESSIAN:   return ad_hessian_of(y[0], X, x, H);
    case JACOBIAN:  return ad_jacobian_reverse(t, X, x, 2, y, H);
    default:        return ad_tape_status(t);
    }
}

/* Allocation k of what is looked at fails, with `then` all after it too; 0 if there are fewer.
   Afterwards all goes well, with the gradient `right`. */
static int starve(int what, int then, size_t k, motion *m, const double *right)
{
    heap h;
    const ad_tape_desc tape = counted(&h);
    ad_tape *const t = ad_tape_create(&tape);
    ad_var x[X], y[MOST];
    ad_status s;
    const char *says;
    double g[X];
    int failed;
    ad_inputs(t, X, at0, x);
    y[0] = ad_const(0);
    h.from_then_on = then;
    if (what == CREATE) h.fail_at = h.calls + k;
    m->run = motion_repeat(m, 3, what == FORWARD ? 0 : 2, NULL, &tape);
    if (what == CREATE) {
        failed = h.calls >= h.fail_at;
        h.fail_at = 0;
        s = ad_repeat_status(m->run);
        says = ad_repeat_message(m->run);
        motion_record(m, t, x, y);                     /* what failed may be run */
        CHECK((ad_tape_status(t) == AD_OK) == (s == AD_OK || !m->run));
        CHECK((y[0].v != y[0].v) == (s != AD_OK && m->run));
    } else {
        if (what == RUN) h.fail_at = h.calls + k;
        motion_record(m, t, x, y);
        if (what != RUN) h.fail_at = h.calls + k;
        s = act(what, t, x, y);
        says = ad_tape_message(t);
        failed = h.calls >= h.fail_at;
        h.fail_at = 0;
        CHECK(ad_repeat_status(m->run) == AD_OK || (ad_repeat_status(m->run) == AD_ERR_MEMORY
              && one_line(ad_repeat_message(m->run)) && s != AD_OK));
    }
    test_check(s == AD_OK || (failed && one_line(says) && s == AD_ERR_MEMORY),
        __FILE__, __LINE__, "act %d, allocation %d: %s, \"%s\"", what, (int)k, ad_status_name(s),
        says);
    if (what == CREATE) {                              /* what failed there has failed for good */
        ad_repeat_destroy(m->run);
        m->run = motion_repeat(m, 3, 2, NULL, &tape);
    }
    for (then = what > RUN; then >= 0; then--) {       /* the same trace again; recorded anew */
        if (then) {
            ad_tape_rewind(t, ad_tape_mark(t));        /* which gives back what memory lacked */
        } else {
            ad_tape_reset(t);
            ad_inputs(t, X, at0, x);
            motion_record(m, t, x, y);
        }
        CHECK_STATUS(ad_backward(y[1]), AD_OK);
        ad_adjoints(X, x, g);
        for (k = 0; k < X; k++) CHECK_NEAR(g[k], right[k], 1e-15);
    }
    CHECK_STATUS(act(OVER, t, x, y), AD_OK);
    ad_repeat_destroy(m->run);
    ad_tape_destroy(t);
    CHECK(h.blocks == 0 && h.live == 0 && h.wrong == 0);
    return failed;
}

static void test_no_memory(void)
{
    motion m = smooth(2, 1, 12);
    double right[X];
    size_t k;
    int what, then;
    for (m.all = 0; m.all < 2; m.all++) {
        ad_tape *const t = ad_tape_create(NULL);
        ad_var x[X], y[MOST];
        m.run = NULL;
        ad_inputs(t, X, at0, x);
        motion_record(&m, t, x, y);
        CHECK_STATUS(ad_backward(y[1]), AD_OK);
        ad_adjoints(X, x, right);
        ad_tape_destroy(t);
        for (what = CREATE; what < ACTS; what++)
            for (then = 0; then < 2; then++) {
                for (k = 1; starve(what, then, k, &m, right) && k < 1000; k++) continue;
                CHECK(k > 1 && k < 1000);
            }
    }
}

/* ---------------------------------------------------------------- errors */

enum { NOTHING, RETURNS, SHAPES, UNWRITTEN, WRITTEN, INSIDE, FOREIGN, TROUBLES };
typedef struct patient {
    int        trouble, recorded;      /* what goes wrong in step 3; only where it is recorded */
    ad_repeat *self;
    ad_var     other;                  /* of another tape */
} patient;

static ad_status ill_step(ad_tape *t, size_t i, const ad_var *s, size_t n, const ad_var *p,
                          size_t k, ad_var *next, void *user)
{
    static const int32_t three[1] = { 3 }, four[1] = { 4 };
    const patient *const q = (const patient *)user;
    ad_var y[12];
    const int trouble = i == 3 && (s[0].tape || !q->recorded) ? q->trouble : NOTHING;
    (void)p; (void)k;
    next[0] = ad_var_sin(s[1]);
    if (trouble != UNWRITTEN) next[1] = ad_var_mul_r(s[0], 0.5);
    switch (trouble) {
    case RETURNS: return AD_ERR_LIMIT;
    case SHAPES:  ad_array_add(ad_array_full(t, 1, three, 1), ad_array_full(t, 1, four, 1)); break;
    case WRITTEN: next[n] = s[0]; break;
    case INSIDE:  ad_repeat_run(q->self, t, s, NULL, y); break;
    case FOREIGN: next[0] = q->other; break;
    default:      break;
    }
    return AD_OK;
}

/* Row i of what goes wrong, in one sweep; then without it. */
static void fall_ill(size_t i, int what, patient *q, ad_tape *t, int all)
{
#define ROW(trouble, status, text) { trouble, status, "ad_repeat: " text }
    static const struct { int trouble; ad_status status; const char *text; } row[TROUBLES - 2] = {
        ROW(RETURNS, AD_ERR_LIMIT, "step 3 returned AD_ERR_LIMIT"),
        ROW(SHAPES, AD_ERR_SHAPE, "step 3: ad_array_add: [3] and [4]: they do not broadcast"),
        ROW(UNWRITTEN, AD_ERR_ARGUMENT, "step 3: state 1 of 2 was not written"),
        ROW(WRITTEN, AD_ERR_ARGUMENT, "step 3: state 2 of 2 was written"),
        ROW(INSIDE, AD_ERR_ARGUMENT,
            "a run inside of one of its own steps, or of one that threw") };
#undef ROW
    static const char *const callback[ACTS] = { "", "value", "reverse", "tangent", "tangent",
        "record", "tangent", "reverse" };
    const double right = 0.125 * cos(0.5 * sin(sin(at0[0] * 0.5) * 0.5))
                         * cos(sin(at0[0] * 0.5) * 0.5) * cos(at0[0] * 0.5);
    ad_var x[X], y[12];
    char text[200];
    q->recorded = what != RUN;
    q->trouble = row[i].trouble;
    ad_tape_reset(t);
    ad_inputs(t, X, at0, x);
    CHECK_STATUS(ad_repeat_run(q->self, t, x, NULL, y), what == RUN ? AD_ERR_USER : AD_OK);
    if (what == RUN) CHECK(y[0].tape == NULL && y[0].v != y[0].v && y[1].v != y[1].v);
    CHECK_STATUS(act(what, t, x, y + (all ? 10 : 0)), ad_tape_status(t));
    CHECK(ad_tape_status(t) == AD_ERR_USER || what == GRAD_VARS);
    snprintf(text, sizeof text, "%s: its %s callback returned %s", row[i].text, callback[what],
        ad_status_name(row[i].status));
    if (what == GRAD_VARS) CHECK(one_line(ad_tape_message(t)));    /* steps are on this tape */
    else CHECK_STRING(ad_tape_message(t), text);
    CHECK_STATUS(ad_repeat_status(q->self), row[i].status);
    CHECK_STRING(ad_repeat_message(q->self), row[i].text);
    q->trouble = NOTHING;
    if (what != RUN) {                                 /* the same trace again */
        ad_tape_clear_status(t);
        CHECK_STATUS(ad_backward(y[all ? 10 : 0]), AD_OK);
        CHECK_NEAR(ad_adjoint(x[0]), right, 1e-14);
    }
    ad_tape_reset(t);
    if (what == RUN) {                                 /* what is wrong now is not what was */
        CHECK_STATUS(ad_repeat_run(q->self, t, x, NULL, y), AD_ERR_STALE);
        test_check(strncmp(ad_tape_message(t), "ad_repeat: variable 0 is of", 27) == 0, __FILE__,
            __LINE__, "stale: \"%s\"", ad_tape_message(t));
        ad_tape_reset(t);
    }
    ad_inputs(t, X, at0, x);
    CHECK_STATUS(ad_repeat_run(q->self, t, x, NULL, y), AD_OK);
    CHECK_STATUS(ad_backward(y[all ? 10 : 0]), AD_OK);
    CHECK_NEAR(ad_adjoint(x[0]), right, 1e-14);
    CHECK_STRING(ad_repeat_message(q->self), "");
}

static void test_ill_steps(void)
{
    ad_tape *const t = ad_tape_create(NULL), *const far = ad_tape_create(NULL);
    patient q;
    ad_repeat_desc desc;
    ad_var x[X], y[12], f;
    size_t i;
    int what;
    memset(&desc, 0, sizeof desc);
    desc.steps = 6;
    desc.block = 2;
    desc.bytes = 32;
    for (desc.all = 0; desc.all < 2; desc.all++) {
        memset(&q, 0, sizeof q);
        q.self = ad_repeat_create(ill_step, &q, 2, 0, &desc);
        for (i = 0; i < TROUBLES - 2; i++)
            for (what = RUN; what < ACTS; what++) fall_ill(i, what, &q, t, desc.all);
        /* A variable of another tape is an error, of this tape, wherever it is noticed. */
        q.other = ad_input(far, 0.5);
        q.trouble = FOREIGN;
        q.recorded = 1;
        for (what = BACKWARD; what <= OVER; what += OVER - BACKWARD) {
            ad_tape_reset(t);
            ad_inputs(t, X, at0, x);
            ad_repeat_run(q.self, t, x, NULL, y);
            f = ad_var_sum(2, y + (desc.all ? 10 : 0));
            CHECK_STATUS(what == OVER ? ad_forward_over_reverse(f, X, x, along) : ad_backward(f),
                         AD_ERR_USER);
            CHECK_STATUS(ad_repeat_status(q.self), AD_ERR_MIXED);
        }
        CHECK_STATUS(ad_tape_status(far), AD_OK);
        ad_repeat_destroy(q.self);
    }
    ad_tape_destroy(t);
    ad_tape_destroy(far);
}

static void test_refused(void)
{
    static const struct { int step; size_t n; int desc, all, more; size_t steps; ad_status status;
        const char *text; } row[] = {
        { 0, 2, 1, 0, 0, 5, AD_ERR_ARGUMENT, "a step, its description and a state are needed" },
        { 1, 0, 1, 0, 0, 5, AD_ERR_ARGUMENT, "a step, its description and a state are needed" },
        { 1, 2, 0, 0, 0, 5, AD_ERR_ARGUMENT, "a step, its description and a state are needed" },
        { 1, 2, 1, 1, 1, 5, AD_ERR_ARGUMENT, "all states, of a number of steps that is not known" },
        { 1, 2, 1, 1, 0, 0, AD_ERR_ARGUMENT, "all states, of a number of steps that is 0" },
        { 1, 2, 1, 1, 0, (size_t)1 << 28, AD_ERR_LIMIT,
          "2 states, 0 parameters and 268435456 steps: too many" } };
    ad_tape *const t = ad_tape_create(NULL);
    const ad_repeat_stats none = ad_repeat_get_stats(NULL);
    ad_repeat_desc desc;
    ad_repeat *r, *q;
    ad_var x[X], y[X];
    size_t i, j, five = 5;
    char text[120];
    for (i = 0; i < COUNT(row); i++) {
        memset(&desc, 0, sizeof desc);
        desc.steps = row[i].steps;
        desc.all = row[i].all;
        desc.more = row[i].more ? until : NULL;
        snprintf(text, sizeof text, "ad_repeat: %s", row[i].text);
        r = ad_repeat_create(row[i].step ? decay : NULL, &five, row[i].n, 0,
                             row[i].desc ? &desc : NULL);
        CHECK_STATUS(ad_repeat_status(r), row[i].status);
        CHECK_STRING(ad_repeat_message(r), text);
        ad_tape_reset(t);
        ad_inputs(t, X, at0, x);
        memcpy(y, x, sizeof y);
        CHECK_STATUS(ad_repeat_run(r, t, x, NULL, y), row[i].status);
        CHECK_STRING(ad_tape_message(t), text);
        CHECK_STATUS(ad_repeat_run(r, t, x, NULL, y), row[i].status);
        j = row[i].all && row[i].steps == 0 ? 0 : row[i].n;   /* of no states there is none */
        CHECK(j == 0 ? y[0].v == at0[0] : y[0].tape == NULL && y[0].v != y[0].v);
        CHECK(y[row[i].n].v == at0[row[i].n]);         /* no results that cannot be */
        CHECK_STATUS(ad_repeat_status(r), row[i].status);
        ad_repeat_destroy(r);
    }
    memset(&desc, 0, sizeof desc);
    desc.steps = 5;
    r = ad_repeat_create(decay, NULL, 2, 0, &desc);
    q = ad_repeat_create(decay, NULL, 2, 1, &desc);
    ad_tape_reset(t);
    ad_inputs(t, X, at0, x);
    CHECK_STATUS(ad_repeat_run(r, NULL, x, NULL, y), AD_ERR_ARGUMENT);
    for (i = 0; i < 4; i++) {
        y[0] = y[1] = x[0];
        CHECK_STATUS(ad_repeat_run(i == 0 ? NULL : i == 2 ? q : r, t, i == 1 ? NULL : x,
                                   i == 2 ? NULL : x, i == 3 ? NULL : y), AD_ERR_ARGUMENT);
        CHECK_STRING(ad_tape_message(t), i == 0 ? "ad_repeat_run: NULL"
            : "ad_repeat_run: NULL for states or parameters");
        if (i == 1 || i == 2) CHECK(y[0].tape == NULL && y[0].v != y[0].v && y[1].v != y[1].v);
        ad_tape_clear_status(t);
    }
    CHECK_STATUS(ad_repeat_run(r, t, x, NULL, y), AD_OK);          /* p is not read: k is 0 */
    CHECK_STATUS(ad_repeat_status(NULL), AD_ERR_MEMORY);
    CHECK_STRING(ad_repeat_message(NULL), "ad_repeat_create: NULL, as it gives without memory");
    CHECK(none.steps == 0 && none.bytes == 0);
    ad_repeat_destroy(NULL);
    ad_repeat_destroy(q);
    ad_repeat_destroy(r);
    ad_tape_destroy(t);
}

/* ---------------------------------------------------------------- a run's life */

static ad_status only_small(ad_tape *t, size_t i, const ad_var *s, size_t n, const ad_var *p,
                            size_t k, ad_var *next, void *user)
{
    return s[0].v < 1 ? decay(t, i, s, n, p, k, next, user) : AD_ERR_ARGUMENT;
}
static int not_large(void *user, size_t i, const double *s, size_t n)
{
    (void)user; (void)i; (void)n;
    return s[0] < 1;
}

static void test_life(void)
{
    ad_tape *const t = ad_tape_create(NULL);
    motion m = smooth(2, 1, 30);
    ad_var x[X], y[2], z[2], p;
    double g[X], h[X];
    size_t mark, count;
    ad_repeat_stats before, after;
    m.run = motion_repeat(&m, 4, 1, NULL, NULL);
    ad_inputs(t, X, at0, x);
    p = ad_const(0.5);
    mark = ad_tape_mark(t);
    CHECK_STATUS(ad_repeat_run(m.run, t, x, &p, y), AD_OK);
    CHECK_STATUS(ad_backward(y[0]), AD_OK);
    ad_adjoints(X, x, g);
    /* another run comes between; then the first's checkpoints are set again, and once */
    CHECK_STATUS(ad_repeat_run(m.run, t, x + 1, x, z), AD_OK);
    before = ad_repeat_get_stats(m.run);
    CHECK_STATUS(ad_backward(y[0]), AD_OK);
    after = ad_repeat_get_stats(m.run);
    CHECK(after.advanced - before.advanced == optimum(30, 4) + 1);
    ad_adjoints(X, x, h);
    CHECK(memcmp(g, h, sizeof g) == 0);
    /* a sweep that does not reach it costs nothing */
    CHECK_STATUS(ad_backward(ad_var_mul(x[2], x[3])), AD_OK);
    CHECK(ad_repeat_get_stats(m.run).advanced == after.advanced);
    CHECK(ad_repeat_get_stats(m.run).recorded == after.recorded);
    ad_tape_rewind(t, mark);
    count = ad_tape_get_stats(t).slots;
    CHECK_STATUS(ad_repeat_run(m.run, t, x, &p, y), AD_OK);
    CHECK(ad_tape_get_stats(t).slots == count + 2);
    CHECK_STATUS(ad_backward(y[0]), AD_OK);
    ad_adjoints(X, x, h);
    CHECK(memcmp(g, h, sizeof g) == 0);
    ad_tape_reset(t);
    ad_inputs(t, X, along, x);                         /* elsewhere, and back again */
    CHECK_STATUS(ad_repeat_run(m.run, t, x, &p, z), AD_OK);
    CHECK(z[0].v != y[0].v);
    ad_tape_reset(t);
    ad_inputs(t, X, at0, x);
    CHECK_STATUS(ad_repeat_run(m.run, t, x, &p, z), AD_OK);
    CHECK(z[0].v == y[0].v && z[1].v == y[1].v);
    CHECK_STATUS(ad_backward(z[0]), AD_OK);
    ad_adjoints(X, x, h);
    CHECK(memcmp(g, h, sizeof g) == 0);
    count = ad_tape_get_stats(t).slots;                /* of constants alone: constants */
    z[0] = ad_const(at0[0]);
    z[1] = ad_const(at0[1]);
    CHECK_STATUS(ad_repeat_run(m.run, t, z, &p, z), AD_OK);
    CHECK(z[0].tape == NULL && z[0].v == y[0].v && ad_tape_get_stats(t).slots == count);
    ad_repeat_destroy(m.run);
    {   /* a step that is not to be taken is not taken, by any sweep or to see what it costs */
        ad_repeat_desc desc;
        ad_repeat *r;
        memset(&desc, 0, sizeof desc);
        desc.steps = 10;
        desc.more = not_large;
        r = ad_repeat_create(only_small, NULL, 2, 0, &desc);
        ad_tape_reset(t);
        x[0] = ad_input(t, 2);
        x[1] = ad_input(t, 3);
        CHECK_STATUS(ad_repeat_run(r, t, x, NULL, y), AD_OK);
        CHECK_STRING(ad_tape_message(t), "");
        ad_tape_clear_status(t);
        CHECK(y[0].v == 2 && y[1].v == 3 && ad_repeat_get_stats(r).steps == 0);
        ad_repeat_destroy(r);
    }
    ad_tape_destroy(t);
}

/* Where desc.more decides otherwise than when derivatives were compiled, they say so, and are not
   those of another number of steps. */
static ad_status times_p(ad_tape *t, size_t i, const ad_var *s, size_t n, const ad_var *p, size_t k,
    ad_var *next, void *user)
{
    (void)t, (void)i, (void)n, (void)k;
    next[0] = *(const int *)user ? ad_var_add(s[0], p[0]) : ad_var_mul(s[0], p[0]);
    return AD_OK;
}
static int up_to_100(void *user, size_t i, const double *s, size_t n)
{
    (void)n;
    return *(const int *)user ? i < 65540 : s[0] < 100;
}
static void test_other_steps(void)
{
    static const double at[] = { 2, 2.1, 3, 11 };      /* 7, 7, 5 and 2 steps */
    static const double ones[] = { 1, 1, 1, 1 };
    ad_tape *const t = ad_tape_create(NULL);
    ad_fn *f, *g[4];
    ad_repeat_desc desc;
    ad_repeat *r;
    ad_var x[2], y, slope[2];
    ad_port in[2], out[3];
    double p[2] = { 1, 2 }, v[4], by_s[4], by_p[4], room[8];
    int sum = 0;
    size_t i, j;
    memset(&desc, 0, sizeof desc);
    desc.steps = 100000;
    desc.more = up_to_100;
    r = ad_repeat_create(times_p, &sum, 1, 1, &desc);
    ad_inputs(t, 2, p, x);
    CHECK_STATUS(ad_repeat_run(r, t, x, x + 1, &y), AD_OK);
    f = ad_fn_create(t, 2, x, 1, &y, NULL);
    g[0] = ad_fn_gradient(f);
    g[1] = ad_fn_jvp(f);
    g[2] = ad_fn_vjp(f);
    g[3] = ad_fn_hessian(f);
    for (i = 0; i < COUNT(at); i++) {
        const double xs[4] = { 1, at[i], 1, 0 };
        const double n = i < 2 ? 7 : i == 2 ? 5 : 2;
        CHECK_STATUS(ad_fn_eval(f, xs, v), AD_OK);
        CHECK_NEAR(v[0], pow(at[i], n), 1e-14);
        for (j = 0; j < 4; j++) {
            CHECK_STATUS(ad_fn_status(g[j]), AD_OK);
            CHECK_STATUS(ad_fn_eval(g[j], xs, room), i < 2 ? AD_OK : AD_ERR_BRANCH);
            if (i < 2) CHECK_NEAR(room[1], pow(at[i], n), 1e-14);      /* by s, which is 1 */
            else CHECK(room[1] != room[1]);
        }
    }
    in[0] = ad_port_in(ones, 1);
    in[1] = ad_port_in(at, 1);
    out[0] = ad_port_out(v, 1);
    out[1] = ad_port_out(by_s, 1);
    out[2] = ad_port_out(by_p, 1);
    CHECK_STATUS(ad_fn_map(g[0], 4, in, out, NULL), AD_ERR_BRANCH);
    CHECK_NEAR(by_p[1], 7 * pow(2.1, 6), 1e-14);
    CHECK(by_p[2] != by_p[2] && by_p[3] != by_p[3]);
    ad_tape_reset(t);
    p[1] = 3;
    ad_inputs(t, 2, p, x);
    CHECK_STATUS(ad_fn_call(f, t, 2, x, 1, &y), AD_OK);
    CHECK(y.v == 243);
    CHECK_STATUS(ad_backward(y), AD_ERR_USER);
    CHECK(strstr(ad_tape_message(t), "another way") != NULL);
    ad_tape_reset(t);
    ad_inputs(t, 2, p, x);
    CHECK_STATUS(ad_repeat_run(r, t, x, x + 1, &y), AD_OK);            /* on a tape any number */
    CHECK_STATUS(ad_grad_vars(y, 2, x, slope), AD_OK);
    CHECK(slope[0].v == 243 && slope[1].v == 405);
    CHECK_STATUS(ad_jacobian_forward(t, 2, x, 2, slope, v), AD_OK);
    CHECK(v[0] == 0 && v[1] == 405 && v[2] == 405 && v[3] == 540);
    CHECK_STATUS(ad_hessian_of(slope[0], 2, x, v), AD_OK);
    CHECK(v[0] == 0 && v[1] == 0 && v[3] == 540);
    for (j = 0; j < 4; j++) ad_fn_destroy(g[j]);
    ad_fn_destroy(f);
    sum = 1;                                           /* the number of a step, beyond 16 bits */
    ad_tape_reset(t);
    ad_inputs(t, 2, p, x);
    CHECK_STATUS(ad_repeat_run(r, t, x, x + 1, &y), AD_OK);
    f = ad_fn_create(t, 2, x, 1, &y, NULL);
    g[0] = ad_fn_gradient(f);
    p[1] = -1;
    CHECK_STATUS(ad_fn_eval(g[0], p, v), AD_OK);
    CHECK(v[0] == 1 - 65540 && v[1] == 1 && v[2] == 65540);
    ad_fn_destroy(g[0]);
    ad_fn_destroy(f);
    ad_repeat_destroy(r);
    ad_tape_destroy(t);
}

/* Compiled functions and the library's own checker. */
static void test_compiled(void)
{
    static const int kinds[] = { 0, LISTS, CALLS, RUNS | LISTS };
    ad_tape *const t = ad_tape_create(NULL);
    ad_repeat *const inner = ad_repeat_create(small_step, NULL, 2, 1, &small_desc);
    size_t i, j;
    for (i = 0; i < COUNT(kinds); i++) {
        motion m = smooth(3, 2, 11);
        ad_var x[X], f;
        double v[X], y, both[1 + X];
        ad_fn *fn, *gradient;
        m.kind = kinds[i];
        m.inner = inner;
        m.all = i == 1;
        m.run = motion_repeat(&m, 2, 3, NULL, NULL);
        CHECK(ad_check_ok(ad_check_tape(motion_merit, at0, X, &m, NULL, NULL)));
        ad_tape_reset(t);
        ad_inputs(t, X, at0, x);
        f = motion_merit(t, x, X, &m);
        fn = ad_fn_create(t, X, x, 1, &f, NULL);
        gradient = ad_fn_gradient(fn);
        CHECK_STATUS(ad_fn_status(gradient), AD_OK);
        for (j = 0; j < 3; j++) {
            size_t l;
            for (l = 0; l < X; l++) v[l] = at0[l] + 0.125 * (double)j;
            ad_tape_reset(t);
            ad_inputs(t, X, v, x);
            f = motion_merit(t, x, X, &m);
            CHECK_STATUS(ad_backward(f), AD_OK);
            CHECK_STATUS(ad_fn_eval(fn, v, &y), AD_OK);
            CHECK(y == f.v);
            CHECK_STATUS(ad_fn_eval(gradient, v, both), AD_OK);
            CHECK(both[0] == f.v);
            for (l = 0; l < X; l++) CHECK_NEAR(both[1 + l], ad_adjoint(x[l]), 1e-12);
        }
        CHECK(ad_check_ok(ad_check_fn(motion_vmerit, gradient, at0, X, 1, 4, &m, NULL, NULL)));
        ad_fn_destroy(fn);
        ad_fn_destroy(gradient);
        ad_repeat_destroy(m.run);
    }
    ad_repeat_destroy(inner);
    ad_tape_destroy(t);
}

/* ---------------------------------------------------------------- float */

static ad_status float_step(adf_tape *t, size_t i, const adf_var *s, size_t n, const adf_var *p,
                            size_t k, adf_var *next, void *user)
{
    (void)t; (void)n; (void)k; (void)user;
    next[0] = adf_var_add(s[0], adf_var_mul_r(s[1], i % 2 ? 0.25f : 0.125f));
    next[1] = adf_var_sub(s[1], adf_var_mul_r(adf_var_mul(adf_var_sin(s[0]), p[0]), 0.25f));
    return AD_OK;
}
static int float_more(void *user, size_t i, const float *s, size_t n)
{
    return i < *(const size_t *)user && s[0] < 1e6f && n == 2;
}
static adf_var float_merit(adf_tape *t, const adf_var *x, size_t n, void *user)
{
    adf_var s[2], y[2];
    size_t i;
    memcpy(s, x, sizeof s);
    if (user) adf_repeat_run((adf_repeat *)user, t, x, x + 2, y);
    for (i = 0; i < 25 && !user; i++) {
        float_step(t, i, s, 2, x + 2, 1, y, NULL);
        memcpy(s, y, sizeof s);
    }
    return adf_var_mul(y[0], adf_var_add(y[1], x[n - 1]));
}

/* A step that no sweep passes: the run says so. */
static ad_status float_twice(void *user, size_t n, const float *x, size_t m, float *y)
{
    (void)user; (void)n; (void)m;
    y[0] = 2 * x[0];
    return AD_OK;
}
static ad_status float_blind(adf_tape *t, size_t i, const adf_var *s, size_t n, const adf_var *p,
                             size_t k, adf_var *next, void *user)
{
    (void)i; (void)n; (void)p; (void)k;
    return adf_var_call(t, (const adf_op *)user, NULL, 1, s, 1, next);
}
static void test_float_unswept(adf_tape *t)
{
    adf_op op;
    adf_repeat_desc desc;
    adf_repeat *r;
    adf_var x, y;
    int sweep;
    const float one = 1;
    memset(&op, 0, sizeof op);
    op.name = "twice";
    op.value = float_twice;
    memset(&desc, 0, sizeof desc);
    desc.steps = 3;
    desc.block = 1;
    r = adf_repeat_create(float_blind, &op, 1, 0, &desc);
    for (sweep = 0; sweep < 3; sweep++) {
        adf_tape_reset(t);
        x = adf_input(t, 1.5f);
        CHECK_STATUS(adf_repeat_run(r, t, &x, NULL, &y), AD_OK);
        CHECK(y.v == 12);
        CHECK(sweep == 0 ? adf_backward(y) != AD_OK : sweep == 1
              ? adf_forward(t, 1, &x, &one) != AD_OK
              : adf_forward_over_reverse(y, 1, &x, &one) != AD_OK);
        CHECK(strstr(adf_repeat_message(r), "steps ") != NULL
              && strstr(adf_repeat_message(r), "twice") != NULL);
    }
    adf_repeat_destroy(r);
    adf_tape_reset(t);
}

static void test_float(void)
{
    enum { N = 3, AT = 2 + 5 * N };
    static const float at[N] = { 0.5f, 0.25f, 1.5f }, to[N] = { 1, -2, 0.5f };
    adf_tape *const t = adf_tape_create(NULL);
    size_t c, steps = 25;
    test_float_unswept(t);
    for (c = 1; c < 12; c++) {
        const int more = c > 5;
        float o[2][AT + N * N];
        adf_repeat_desc desc;
        adf_repeat *r;
        int i;
        memset(&desc, 0, sizeof desc);
        desc.steps = steps + (more ? 100 : 0);
        desc.more = more ? float_more : NULL;
        desc.bytes = (more ? c - 5 : c) * 2 * sizeof(float);
        desc.block = 1;
        r = adf_repeat_create(float_step, &steps, 2, 1, &desc);
        for (i = 0; i < 2; i++) {
            adf_repeat *const user = i ? r : NULL;
            float *const q = o[i];
            adf_var x[N], f, g[N];
            size_t j;
            adf_tape_reset(t);
            adf_inputs(t, N, at, x);
            f = float_merit(t, x, N, user);
            q[0] = f.v;
            CHECK_STATUS(adf_backward(f), AD_OK);
            adf_adjoints(N, x, q + 2);
            if (i) CHECK(adf_repeat_get_stats(r).recorded == steps);
            if (i && !more) CHECK(adf_repeat_get_stats(r).advanced == optimum(steps, c) + 1);
            CHECK_STATUS(adf_forward(t, N, x, to), AD_OK);
            q[1] = adf_tangent(f);
            CHECK_STATUS(adf_forward_over_reverse(f, N, x, to), AD_OK);
            CHECK_STATUS(adf_grad_vars(f, N, x, g), AD_OK);
            for (j = 0; j < N; j++) {
                q[2 + N + j] = adf_adjoint_tangent(x[j]);
                q[2 + 2 * N + j] = g[j].v;
            }
            CHECK_STATUS(adf_backward(adf_var_lincomb(N, to, g)), AD_OK);
            adf_adjoints(N, x, q + 2 + 3 * N);
            CHECK_STATUS(adf_forward(t, N, x, to), AD_OK);       /* over the recorded sweep, too */
            for (j = 0; j < N; j++) CHECK_NEAR(adf_tangent(g[j]), q[2 + N + j], 1e-5);
            CHECK_STATUS(adf_hvp(t, float_merit, user, at, N, to, NULL, NULL, q + AT - N), AD_OK);
            CHECK_STATUS(adf_hessian(t, float_merit, user, at, N, NULL, NULL, q + AT), AD_OK);
        }
        CHECK(o[0][0] == o[1][0]);
        for (i = 1; i < AT + N * N; i++) CHECK_NEAR(o[1][i], o[0][i], 1e-5);
        CHECK_STATUS(adf_repeat_status(r), AD_OK);
        CHECK_STRING(adf_repeat_message(r), "");
        adf_repeat_destroy(r);
    }
    {
        adf_repeat *const r = adf_repeat_create(float_step, NULL, 2, 1, NULL);
        CHECK_STRING(adf_repeat_message(r),
                     "ad_repeat: a step, its description and a state are needed");
        adf_repeat_destroy(r);
    }
    adf_tape_destroy(t);
}

/* Steps that have arrays, an operation of numbers, or derivatives by their state: on the tape what
   they are; in compiled functions no derivatives that would be those of one point. */
enum { OF_ARRAYS, OF_NUMBERS, OF_SLOPES, OF_STEPS };
static ad_repeat *inner;
static int below_one(void *user, size_t i, const double *s, size_t n)
{
    (void)user; (void)i; (void)n;
    return s[0] < 1;
}
static ad_status grow(ad_tape *t, size_t i, const ad_var *s, size_t n, const ad_var *p, size_t k,
    ad_var *next, void *user)
{
    (void)t; (void)i; (void)n; (void)p; (void)k; (void)user;
    next[0] = ad_var_mul_r(s[0], 1.5);
    return AD_OK;
}
static ad_status odd_step(ad_tape *t, size_t i, const ad_var *s, size_t n, const ad_var *p,
    size_t k, ad_var *next, void *user)
{
    static const int32_t one[1] = { 1 };
    const double slope = 2 * s[0].v;
    ad_array a;
    (void)i; (void)n; (void)p; (void)k;
    switch (*(const int *)user) {
    case OF_ARRAYS:
        a = ad_array_pack(t, 1, one, s);
        next[0] = ad_array_at(ad_array_square(a), 0);
        return AD_OK;
    case OF_NUMBERS:
        next[0] = ad_var_custom(t, 1, s, s[0].v * s[0].v, &slope);
        return AD_OK;
    case OF_SLOPES: return ad_grad_vars(ad_var_mul_r(ad_var_powi(s[0], 3), 1.0 / 3), 1, s, next);
    default: return ad_repeat_run(inner, t, s, NULL, next);
    }
}
static ad_var odd_merit(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    ad_var y = ad_const(0);
    (void)n;
    ad_repeat_run((ad_repeat *)user, t, x, NULL, &y);
    return ad_var_square(y);
}
static void test_odd_steps(void)
{
    ad_tape *const t = ad_tape_create(NULL);
    ad_repeat_desc desc;
    int kind, recorded;
    memset(&desc, 0, sizeof desc);
    desc.steps = 50;
    desc.more = below_one;
    inner = ad_repeat_create(grow, NULL, 1, 0, &desc);
    for (kind = OF_ARRAYS; kind <= OF_STEPS; kind++)
        for (recorded = 0; recorded < 2; recorded++) {
            ad_cache_desc often;
            ad_cache *cache;
            ad_repeat *r;
            ad_fn *f, *d;
            ad_var x, y;
            double at = 1.25, v, g, h;
            int i;
            memset(&desc, 0, sizeof desc);
            desc.steps = kind == OF_STEPS ? 1 : 2;
            desc.recorded = recorded;
            r = ad_repeat_create(odd_step, &kind, 1, 0, &desc);
            ad_tape_reset(t);
            if (kind == OF_SLOPES && !recorded) {
                CHECK_STATUS(ad_gradient(t, odd_merit, r, &at, 1, &v, &g), AD_ERR_USER);
                CHECK_STATUS(ad_repeat_status(r), AD_ERR_UNSUPPORTED);
                CHECK(strstr(ad_tape_message(t), "ad_repeat_desc.recorded") != NULL);
                ad_repeat_destroy(r);
                continue;
            }
            CHECK_STATUS(ad_hessian(t, odd_merit, r, &at, 1, &v, &g, &h), AD_OK);
            if (kind != OF_STEPS) {                      /* x^8, but custom's slope is a number */
                CHECK_NEAR(v, pow(at, 8), 1e-14);
                CHECK_NEAR(g, 8 * pow(at, 7), 1e-14);
                if (kind != OF_NUMBERS) CHECK_NEAR(h, 56 * pow(at, 6), 1e-14);
            }
            ad_tape_reset(t);
            x = ad_input(t, at);
            y = odd_merit(t, &x, 1, r);
            f = ad_fn_create(t, 1, &x, 1, &y, NULL);
            CHECK_STATUS(ad_fn_status(f), AD_OK);
            d = ad_fn_gradient(f);
            if (kind == OF_ARRAYS || kind == OF_NUMBERS) {
                CHECK_STATUS(ad_fn_status(d), AD_ERR_UNSUPPORTED);
                CHECK(strstr(ad_fn_message(d), kind == OF_ARRAYS ? "arrays" : "custom") != NULL);
            } else if (kind == OF_SLOPES) {
                const double there = 0.75;
                double out[2] = { 0, 0 };
                CHECK_STATUS(ad_fn_eval(d, &there, out), AD_OK);
                CHECK_NEAR(out[0], pow(there, 8), 1e-14);
                CHECK_NEAR(out[1], 8 * pow(there, 7), 1e-14);
            }
            ad_fn_destroy(d);
            ad_fn_destroy(f);
            memset(&often, 0, sizeof often);
            often.after = 1;
            cache = ad_cache_create(&often);
            for (i = 0; i < 8; i++) {
                double w, s;
                at = 0.1 + 0.15 * i;
                CHECK_STATUS(ad_cache_gradient(cache, 0, odd_merit, r, &at, 1, NULL, 0, &w, &s),
                    AD_OK);
                CHECK_STATUS(ad_gradient(t, odd_merit, r, &at, 1, &v, &g), AD_OK);
                CHECK_NEAR(w, v, 1e-13);
                CHECK_NEAR(s, g, 1e-13);
            }
            CHECK((ad_cache_get_stats(cache).hits > 0) == (kind == OF_SLOPES));
            ad_cache_destroy(cache);
            ad_repeat_destroy(r);
        }
    ad_repeat_destroy(inner);
    ad_tape_destroy(t);
}

/* A step that takes derivatives by its state, without desc.recorded: refused at every run. */
static ad_status by_its_state(ad_tape *t, size_t i, const ad_var *s, size_t n, const ad_var *p,
    size_t k, ad_var *next, void *user)
{
    ad_var y = ad_var_mul(ad_var_square(s[0]), ad_const(0.5)), g = ad_const(0);
    (void)t; (void)i; (void)n; (void)p; (void)k; (void)user;
    ad_grad_vars(y, 1, s, &g);
    next[0] = ad_var_sub(s[0], ad_var_mul_r(g, 0.1));
    return AD_OK;
}
static void test_refused_again(void)
{
    ad_tape *const t = ad_tape_create(NULL);
    ad_repeat_desc desc;
    ad_repeat *r;
    ad_var s, y;
    int k;
    memset(&desc, 0, sizeof desc);
    desc.steps = 10;
    r = ad_repeat_create(by_its_state, NULL, 1, 0, &desc);
    for (k = 0; k < 3; k++) {
        ad_tape_reset(t);
        s = ad_input(t, 1);
        CHECK(ad_repeat_run(r, t, &s, NULL, &y) != AD_OK);
        CHECK(strstr(ad_tape_message(t), "ad_repeat_desc.recorded") != NULL);
    }
    ad_repeat_destroy(r);
    ad_tape_destroy(t);
}

/* A step that calls a driver on the tape it is given: the sweeps of a driver around the run stay
   above what was on the tape before, and know it when the inner one is done. */
static ad_repeat *inner_run;
static int inner_calls;
static ad_var inner_square(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    (void)t; (void)n; (void)user;
    return ad_var_mul(x[0], x[0]);
}
static ad_status inner_step(ad_tape *t, size_t i, const ad_var *s, size_t n, const ad_var *p,
    size_t k, ad_var *next, void *user)
{
    double a = 2, y, g = 4;
    (void)i; (void)n; (void)k; (void)user;
    if (inner_calls) ad_gradient(t, inner_square, NULL, &a, 1, &y, &g);
    next[0] = ad_var_add(s[0], ad_var_mul_r(ad_var_sin(ad_var_mul(p[0], s[0])), 0.025 * g));
    return AD_OK;
}
static ad_var inner_of(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    const int32_t dim = 2;
    ad_var z[2];
    (void)n; (void)user;
    ad_repeat_run(inner_run, t, x, x + 1, z);
    z[1] = ad_var_mul(z[0], x[1]);
    return ad_array_item(ad_array_sum(ad_array_square(ad_array_pack(t, 1, &dim, z)),
        AD_ALL_AXES, 0));
}
static void test_driver_in_step(void)
{
    enum { N = 200 };
    static double J[2 * N], many[N];
    static ad_var x[N];
    const double at[2] = { 0.4, 0.9 }, v[2] = { 1, -0.5 };
    double y[2], g[2][2], Hv[2][2];
    ad_repeat_desc desc;
    ad_var rows[2];
    int i;
    memset(&desc, 0, sizeof desc);
    desc.steps = 5;
    inner_run = ad_repeat_create(inner_step, NULL, 1, 1, &desc);
    for (i = 0; i < N; i++) many[i] = 1 + i;
    for (inner_calls = 0; inner_calls < 2; inner_calls++) {
        ad_tape *const t = ad_tape_create(NULL);
        ad_inputs(t, N, many, x);
        rows[0] = ad_var_norm(N, x);
        rows[1] = ad_var_logsumexp(N, x);
        CHECK_STATUS(ad_jacobian_reverse(t, N, x, 2, rows, J), AD_OK);   /* numbers to find there */
        CHECK_STATUS(ad_hvp(t, inner_of, NULL, at, 2, v, &y[inner_calls], g[inner_calls],
            Hv[inner_calls]), AD_OK);
        ad_tape_destroy(t);
    }
    CHECK(y[0] == y[1] && !memcmp(g[0], g[1], sizeof g[0]) && !memcmp(Hv[0], Hv[1], sizeof Hv[0]));
    ad_repeat_destroy(inner_run);
}

TEST_DEF void suite_repeat(void)
{
    test_driver_in_step();
    test_odd_steps();
    test_sweeps();
    test_optimum();
    test_room();
    test_memory();
    test_no_memory();
    test_ill_steps();
    test_refused();
    test_refused_again();
    test_life();
    test_compiled();
    test_other_steps();
    test_float();
}
