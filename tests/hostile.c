/* The gradient checker against user code that breaks things: it writes beside its buffers,
   leaves by longjmp, returns NaN at random, calls the checker from inside, runs out of memory. What
   is wrong is named, nothing leaks that need not, and the next check is as if nothing had been. The
   lower part is read twice, for double and for float.
   Sections: Checker: Entry Points; Checker: Calling the User. */
#ifndef RT
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An allocator that counts, fails on demand, and knows what is still held. */
typedef struct held_block {
    struct held_block *next, *before;
    size_t bytes, unused;
} held_block;
static held_block *held;
static size_t allocations, live, fail_at;
static int from_then_on;        /* and every allocation after it */

static void *hostile_malloc(size_t bytes)
{
    held_block *b;
    allocations++;
    if (fail_at && (allocations == fail_at || (from_then_on && allocations > fail_at))) return NULL;
    if (bytes > (size_t)1 << 30) return NULL;
    b = (held_block *)malloc(sizeof *b + bytes);
    if (b == NULL) return NULL;
    memset(b + 1, 0xC3, bytes);
    b->bytes = bytes;
    b->next = held;
    b->before = NULL;
    if (held) held->before = b;
    held = b;
    live++;
    return b + 1;
}
static void hostile_free(void *p)
{
    held_block *b;
    if (p == NULL) return;
    b = (held_block *)p - 1;
    if (b->before) b->before->next = b->next;
    else held = b->next;
    if (b->next) b->next->before = b->before;
    live--;
    free(b);
}
static void *hostile_realloc(void *p, size_t bytes)
{
    void *q = hostile_malloc(bytes);
    if (q == NULL || p == NULL) return q;
    memcpy(q, p, bytes < ((held_block *)p - 1)->bytes ? bytes : ((held_block *)p - 1)->bytes);
    hostile_free(p);
    return q;
}
static void free_all(void)
{
    while (held) hostile_free(held + 1);
}

#define AUTODIFF_MALLOC(bytes)        hostile_malloc(bytes)
#define AUTODIFF_REALLOC(old, bytes)  hostile_realloc(old, bytes)
#define AUTODIFF_FREE(old)            hostile_free(old)
#define AUTODIFF_CHECK
#define AUTODIFF_STATIC
#include "../autodiff.h"
#include "alone.h"

#define CHECK_AS(what, c) test_check(!!(c), __FILE__, __LINE__, "%s: %s", what, #c)
#define BIT(v)      (1u << AD_VERDICT_##v)
#define PASS        (BIT(CORRECT) | BIT(CORRECT_NOISE_LIMITED) | BIT(CORRECT_ONESIDED)             \
                     | BIT(NONSMOOTH_VALID))
#define UNDECIDED   (BIT(INCONCLUSIVE) | BIT(BUDGET) | BIT(NONDETERMINISTIC) | BIT(F_NONFINITE))
#define FAIL        (BIT(INACCURATE) | BIT(NONSMOOTH_INVALID) | BIT(UNBOUNDED)                     \
                     | BIT(DISCONTINUOUS) | BIT(WRONG) | BIT(G_NONFINITE) | BIT(STALE_STATE)       \
                     | BIT(ACCUMULATES) | BIT(UNWRITTEN) | BIT(X_MODIFIED) | BIT(OUT_OF_BOUNDS))

/* What the user's code does, and when. */
enum { ACT_NOTHING, ACT_JUMP, ACT_WRITE, ACT_NAN, ACT_NAN_RANDOM, ACT_RECURSE, ACT_WRITE_X };
enum { BUFFER_X, BUFFER_INPUT, BUFFER_OUTPUT };
static struct trap {
    int act;
    size_t calls, at;          /* acts at this call; 0: at every one */
    int in_f;                  /* acts in the function; else in the derivative code */
    int buffer, after;
    size_t word;               /* how far beside the buffer */
    double value, chance;
    uint64_t random;
    int depth;
    jmp_buf out;
} trap;

static const char *const kinds[] = { "gradient", "f and g", "Jacobian", "jvp", "vjp", "adjoint",
    "sparse", "Hessian products", "Hessian", "Taylor", "values" };
enum { GRADIENT, FGRADIENT, JACOBIAN, JVP, VJP, ADJOINT, SPARSE, HESSIAN, HESSIAN_MATRIX, TAYLOR,
    VALUES, KINDS };

static uint64_t next_random(uint64_t *s)
{
    uint64_t z = *s += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}
static double uniform(uint64_t *s) { return (double)(next_random(s) >> 11) / 9007199254740992.0; }

static ad_check_options default_options(void)
{
    ad_check_options o;
    memset(&o, 0, sizeof o);
    return o;
}
static void disarm(void)
{
    memset(&trap, 0, sizeof trap);
    trap.random = 1;
}
static int one_line(const ad_check_result *r)
{
    size_t i;
    if (memchr(r->message, 0, sizeof r->message) == NULL || r->message[0] == 0) return 0;
    for (i = 0; r->message[i]; i++)
        if (r->message[i] < ' ' || r->message[i] > '~') return 0;
    return 1;
}
static void verdict_is(int line, const char *what, const char *detail, double number,
                       const ad_check_result *r, ad_verdict v, unsigned mask)
{
    test_check((1u << v & mask) != 0, __FILE__, line, "%s, %s %g: %s; \"%s\"", what, detail,
                number, ad_verdict_name(v), r->message);
    test_check(v == r->verdict && one_line(r), __FILE__, line, "%s, %s %g: \"%s\"", what, detail,
                number, r->message);
}

#define RT          double
#define A(n)        ad_##n
#define U(n)        n##_d
#define IS_FLOAT    0
#include "hostile.c"
#undef RT
#undef A
#undef U
#undef IS_FLOAT

#define RT          float
#define A(n)        adf_##n
#define U(n)        n##_f
#define IS_FLOAT    1
#include "hostile.c"

int main(void)
{
    disarm();
    hostile_d();
    hostile_f();
    NEAR(live, 0, 0);
    return test_finish();
}

#else   /* ================================================================ one precision */

#define K(c) ((RT)(c))

/* f = sum of w_i x_i^2 + x_i^3 / 3, and F_i = w_i x_i^2 + x_(i+1): cheap, and nothing to argue. */
typedef struct U(job) {
    size_t n, m;
    double wrong;              /* the derivative is this times what is right */
    const size_t *start, *column;
} U(job);

static void U(job_check)(RT *x, size_t n, RT *input, size_t n_input, RT *output, size_t n_output,
                         int in_f);

static RT U(w)(size_t i) { return (RT)(1 + i % 5); }
static RT U(f)(const RT *x, size_t n, void *user)
{
    RT s = 0;
    size_t i;
    (void)user;
    for (i = 0; i < n; i++) s += x[i] * x[i] * (U(w)(i) + x[i] / 3);
    U(job_check)((RT *)(uintptr_t)x, n, NULL, 0, &s, 0, 1);
    return s;
}
static void U(gradient)(const RT *x, size_t n, RT *g, const U(job) *job)
{
    size_t i;
    for (i = 0; i < n; i++) g[i] = (RT)job->wrong * x[i] * (2 * U(w)(i) + x[i]);
}
static void U(g)(const RT *x, size_t n, RT *g, void *user)
{
    U(gradient)(x, n, g, (const U(job) *)user);
    U(job_check)((RT *)(uintptr_t)x, n, NULL, 0, g, n, 0);
}
static RT U(fg)(const RT *x, size_t n, RT *g, void *user)
{
    RT s = 0;
    size_t i;
    for (i = 0; i < n; i++) s += x[i] * x[i] * (U(w)(i) + x[i] / 3);
    if (g) U(gradient)(x, n, g, (const U(job) *)user);
    if (g) U(job_check)((RT *)(uintptr_t)x, n, NULL, 0, g, n, 0);
    else U(job_check)((RT *)(uintptr_t)x, n, NULL, 0, &s, 0, 1);
    return s;
}
static void U(F)(const RT *x, size_t n, RT *y, size_t m, void *user)
{
    size_t i;
    (void)user;
    for (i = 0; i < m; i++) y[i] = U(w)(i) * x[i % n] * x[i % n] + x[(i + 1) % n];
    U(job_check)((RT *)(uintptr_t)x, n, NULL, 0, y, m, 1);
}
static RT U(entry)(const U(job) *job, const RT *x, size_t n, size_t i, size_t j)
{
    RT v = 0;
    if (j == i % n) v += 2 * U(w)(i) * x[j];
    if (j == (i + 1) % n) v += 1;
    return (RT)job->wrong * v;
}
static void U(J)(const RT *x, size_t n, RT *J, size_t m, void *user)
{
    size_t i, j;
    for (i = 0; i < m; i++)
        for (j = 0; j < n; j++) J[i * n + j] = U(entry)((const U(job) *)user, x, n, i, j);
    U(job_check)((RT *)(uintptr_t)x, n, NULL, 0, J, m * n, 0);
}
static void U(sparse)(const RT *x, size_t n, RT *values, size_t nnz, void *user)
{
    const U(job) *job = (const U(job) *)user;
    size_t i, k;
    for (i = 0; i < job->m; i++)
        for (k = job->start[i]; k < job->start[i + 1]; k++)
            values[k] = U(entry)(job, x, n, i, job->column[k]);
    U(job_check)((RT *)(uintptr_t)x, n, NULL, 0, values, nnz, 0);
}
static void U(jv)(const RT *x, size_t n, const RT *v, RT *Jv, size_t m, void *user)
{
    const U(job) *job = (const U(job) *)user;
    size_t i;
    for (i = 0; i < m; i++)
        Jv[i] = (RT)job->wrong * (2 * U(w)(i) * x[i % n] * v[i % n] + v[(i + 1) % n]);
    U(job_check)((RT *)(uintptr_t)x, n, (RT *)(uintptr_t)v, n, Jv, m, 0);
}
static void U(vj)(const RT *x, size_t n, const RT *w, RT *wJ, size_t m, void *user)
{
    const U(job) *job = (const U(job) *)user;
    size_t i;
    for (i = 0; i < n; i++) wJ[i] = 0;
    for (i = 0; i < m; i++) {
        wJ[i % n] += (RT)job->wrong * 2 * U(w)(i) * x[i % n] * w[i];
        wJ[(i + 1) % n] += (RT)job->wrong * w[i];
    }
    U(job_check)((RT *)(uintptr_t)x, n, (RT *)(uintptr_t)w, m, wJ, n, 0);
}
static void U(gh)(const RT *x, size_t n, RT *g, void *user)       /* the function of Hessians */
{
    size_t i;
    (void)user;
    for (i = 0; i < n; i++) g[i] = x[i] * (2 * U(w)(i) + x[i]);
    U(job_check)((RT *)(uintptr_t)x, n, NULL, 0, g, n, 1);
}
static void U(hv)(const RT *x, size_t n, const RT *v, RT *Hv, void *user)
{
    size_t i;
    for (i = 0; i < n; i++)
        Hv[i] = (RT)((const U(job) *)user)->wrong * 2 * (U(w)(i) + x[i]) * v[i];
    U(job_check)((RT *)(uintptr_t)x, n, (RT *)(uintptr_t)v, n, Hv, n, 0);
}
static void U(H)(const RT *x, size_t n, RT *H, void *user)
{
    size_t i, j;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            H[i * n + j] = i != j ? 0
                : (RT)((const U(job) *)user)->wrong * 2 * (U(w)(i) + x[i]);
    U(job_check)((RT *)(uintptr_t)x, n, NULL, 0, H, n * n, 0);
}

/* ---------------------------------------------------------------- one check of any kind */
typedef struct U(bench) {
    U(job) job;
    RT *x, *g;
    size_t *start, *column;
} U(bench);

static U(bench) U(open)(size_t n, size_t m, double wrong)
{
    U(bench) b;
    size_t i;
    memset(&b, 0, sizeof b);
    b.x = (RT *)malloc(2 * n * sizeof *b.x);
    b.g = b.x + n;
    b.start = (size_t *)malloc((m + 1 + 2 * m) * sizeof *b.start);
    b.column = b.start + m + 1;
    for (i = 0; i < n; i++) b.x[i] = K(0.5) + K(0.125) * (RT)(i % 7);
    for (i = 0; i <= m; i++) b.start[i] = (n > 1 ? 2 : 1) * i;
    for (i = 0; i < m; i++) {
        b.column[b.start[i]] = i % n;
        if (n > 1) b.column[b.start[i] + 1] = (i + 1) % n;
    }
    b.job.n = n;
    b.job.m = m;
    b.job.wrong = wrong;
    b.job.start = b.start;
    b.job.column = b.column;
    U(gradient)(b.x, n, b.g, &b.job);
    return b;
}
static void U(shut)(U(bench) *b)
{
    free(b->x);
    free(b->start);
}
static ad_verdict U(enter)(int kind, U(bench) *b, const ad_check_options *o, ad_check_result *r)
{
    const size_t n = b->job.n, m = b->job.m;
    const RT *x = b->x;
    void *u = &b->job;
    switch (kind) {
    case GRADIENT: return A(check_gradient)(U(f), U(g), x, n, u, o, r);
    case FGRADIENT: return A(check_fgradient)(U(fg), x, n, u, o, r);
    case JACOBIAN: return A(check_jacobian)(U(F), U(J), x, n, m, u, o, r);
    case JVP: return A(check_jvp)(U(F), U(jv), x, n, m, u, o, r);
    case VJP: return A(check_vjp)(U(F), U(vj), x, n, m, u, o, r);
    case ADJOINT: return A(check_adjoint)(U(jv), U(vj), x, n, m, u, o, r);
    case SPARSE:
        return A(check_sparse_jacobian)(U(F), U(sparse), x, n, m, b->start, b->column, u, o, r);
    case HESSIAN: return A(check_hessian)(U(gh), U(hv), x, n, u, o, r);
    case HESSIAN_MATRIX: return A(check_hessian_matrix)(U(gh), U(H), x, n, u, o, r);
    case TAYLOR: return A(check_taylor)(U(f), U(g), U(hv), x, n, u, o, r);
    default: return A(check_values)(U(f), b->g, x, n, u, o, r);
    }
}
/* Bytes of options.work for it, as documented. */
static size_t U(room)(int kind, const U(bench) *b)
{
    const size_t n = b->job.n, m = b->job.m;
    switch (kind) {
    case GRADIENT: case FGRADIENT: case VALUES: return ad_check_work_bytes(n, 1);
    case HESSIAN: case HESSIAN_MATRIX: case TAYLOR: return ad_check_work_bytes(n, n);
    case VJP: return ad_check_work_bytes(n, m) + m * n * sizeof(RT);
    case SPARSE:
        return ad_check_work_bytes(n, m) + b->start[m] * (sizeof(RT) + 3 * sizeof(size_t));
    default: return ad_check_work_bytes(n, m);
    }
}

/* What a callback does beside its work. */
static void U(recurse)(void)
{
    static const RT x[3] = { K(0.5), K(0.625), K(0.75) };
    ad_check_result r;
    U(job) job;
    memset(&job, 0, sizeof job);
    job.wrong = 1;
    trap.depth++;
    CHECK(ad_check_ok(A(check_gradient)(U(f), U(g), x, 3, &job, NULL, &r)));
    job.wrong = -1;
    CHECK(A(check_gradient)(U(f), U(g), x, 3, &job, NULL, &r) == AD_VERDICT_WRONG);
    trap.depth--;
}
static void U(job_check)(RT *x, size_t n, RT *input, size_t n_input, RT *output, size_t n_output,
                         int in_f)
{
    if (trap.depth) return;
    trap.calls++;
    if (trap.at && trap.calls != trap.at) return;
    switch (trap.act) {
    case ACT_JUMP: longjmp(trap.out, 1);
    case ACT_WRITE: {
        RT *p = trap.buffer == BUFFER_X ? x : trap.buffer == BUFFER_INPUT ? input : output;
        const size_t length = trap.buffer == BUFFER_X ? n
            : trap.buffer == BUFFER_INPUT ? n_input : n_output;
        if (in_f != trap.in_f || p == NULL || length == 0) break;
        if (trap.after) p += length - 1 + trap.word;
        else p -= trap.word;
        *p = (RT)trap.value;
        break;
    }
    case ACT_NAN:
        if (in_f == trap.in_f) output[0] = K(NAN);
        break;
    case ACT_NAN_RANDOM:
        if (uniform(&trap.random) < trap.chance) output[0] = K(NAN);
        break;
    case ACT_RECURSE: U(recurse)(); break;
    case ACT_WRITE_X: if (in_f == trap.in_f) x[trap.word] += 1; break;
    default: break;
    }
}

/* ---------------------------------------------------------------- beside the buffers */
static void U(beside)(void)
{
    static const size_t sizes[][2] = { { 1, 1 }, { 3, 2 }, { 50, 7 }, { 5000, 2 } };
    /* which kinds have which buffers: [kind][in_f][buffer] */
    static const int has[KINDS][2][3] = {
        { { 1, 0, 1 }, { 1, 0, 0 } }, { { 1, 0, 1 }, { 1, 0, 0 } }, { { 1, 0, 1 }, { 1, 0, 1 } },
        { { 1, 1, 1 }, { 1, 0, 1 } }, { { 1, 1, 1 }, { 1, 0, 1 } }, { { 1, 1, 1 }, { 0, 0, 0 } },
        { { 1, 0, 1 }, { 1, 0, 1 } }, { { 1, 1, 1 }, { 1, 0, 1 } }, { { 1, 0, 1 }, { 1, 0, 1 } },
        { { 1, 1, 1 }, { 1, 0, 0 } }, { { 0, 0, 0 }, { 1, 0, 0 } }
    };
    static const double values[] = { 1.5, 0, -1, 1e30 };
    size_t s, word, k;
    int kind, in_f, buffer, after;
    for (s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (kind = 0; kind < KINDS; kind++) {
            U(bench) b;
            ad_check_result r;
            ad_verdict v;
            size_t calls;
            if (sizes[s][0] > 50 && (kind == HESSIAN_MATRIX || kind == HESSIAN)) continue;
            b = U(open)(sizes[s][0], sizes[s][1], 1);
            disarm();
            v = U(enter)(kind, &b, NULL, &r);
            verdict_is(__LINE__, kinds[kind], "honest, n", (double)b.job.n, &r, v,
                       PASS | (IS_FLOAT ? BIT(INCONCLUSIVE) : 0));
            CHECK_AS(kinds[kind], live == 0);
            calls = trap.calls;
            CHECK_AS(kinds[kind], calls == r.f_evals + r.g_evals);
            for (in_f = 0; in_f < 2; in_f++)
                for (buffer = 0; buffer < 3; buffer++)
                    for (after = 0; after < 2; after++)
                        for (word = 1; word <= 8; word++) {
                            if (!has[kind][in_f][buffer]) continue;
                            if (b.job.n > 50 && word != 1 && word != 8) continue;
                            disarm();
                            trap.act = ACT_WRITE;
                            trap.in_f = in_f;
                            trap.buffer = buffer;
                            trap.after = after;
                            trap.word = word;
                            trap.value = values[(word + s) % 4];
                            v = U(enter)(kind, &b, NULL, &r);
                            verdict_is(__LINE__, kinds[kind], in_f ? after ? "F after" : "F before"
                                : after ? "derivative after" : "derivative before",
                                (double)word, &r, v, BIT(OUT_OF_BOUNDS));
                        }
            /* once only, at whatever call */
            for (k = 1; k <= calls && b.job.n <= 50; k += k > 20 ? 8 : 1) {
                disarm();
                trap.act = ACT_WRITE;
                trap.at = k;
                trap.after = (int)(k % 2);
                trap.word = 1 + k % 3;
                trap.value = 1.5;
                for (in_f = 0; in_f < 2; in_f++) {
                    trap.calls = 0;
                    trap.in_f = in_f;
                    v = U(enter)(kind, &b, NULL, &r);
                    if (trap.calls < k) continue;
                    CHECK_AS(kinds[kind], one_line(&r));
                }
            }
            for (in_f = 0; in_f < 2; in_f++) {
                disarm();
                trap.act = ACT_WRITE_X;
                trap.in_f = in_f;
                trap.word = b.job.n - 1;
                if (!has[kind][in_f][0]) continue;
                v = U(enter)(kind, &b, NULL, &r);
                verdict_is(__LINE__, kinds[kind], "writes x, in f", in_f, &r, v, BIT(X_MODIFIED));
            }
            CHECK_AS(kinds[kind], live == 0);
            U(shut)(&b);
        }
    disarm();
}
/* The write comes late: at the last call of f, of g. No pass. */
static void U(late)(void)
{
    U(bench) b = U(open)(6, 4, 1);
    ad_check_result r;
    ad_verdict v;
    size_t calls, k;
    int kind;
    for (kind = 0; kind < KINDS; kind++) {
        disarm();
        U(enter)(kind, &b, NULL, &r);
        calls = trap.calls;
        for (k = 1; k <= calls; k++) {
            disarm();
            trap.act = ACT_WRITE;
            trap.at = k;
            trap.after = 1;
            trap.word = 1;
            trap.in_f = 1;
            v = U(enter)(kind, &b, NULL, &r);
            if (trap.calls < k) continue;
            trap.in_f = 0;
            trap.calls = 0;
            if (!(1u << v & BIT(OUT_OF_BOUNDS))) v = U(enter)(kind, &b, NULL, &r);
            verdict_is(__LINE__, kinds[kind], "x overrun at call", (double)k, &r, v,
                       BIT(OUT_OF_BOUNDS));
        }
    }
    disarm();
    U(shut)(&b);
}

/* ---------------------------------------------------------------- longjmp at every evaluation
   With malloc the block in use is lost, as documented; with work, nothing is, and in a suite the
   suite's own memory serves. Afterwards all is as before. */
enum { U(PLAIN), U(WORK), U(SUITE) };

static void U(leave)(int kind, U(bench) *b, int memory, size_t places)
{
    ad_check_options o = default_options();
    ad_check_result reference, r;
    unsigned char *work = NULL;
    volatile size_t k, calls, jumps = 0, step;
    ad_check_suite *volatile s = NULL;
    const size_t bytes = U(room)(kind, b);
    disarm();
    if (memory == U(WORK)) {
        work = (unsigned char *)malloc(bytes + 32);
        memset(work, 0xA5, bytes + 32);
        o.work = work;
        o.work_bytes = bytes;
    }
    memset(&reference, 0, sizeof reference);
    U(enter)(kind, b, NULL, &reference);
    calls = trap.calls;
    step = calls / places + 1;
    if (memory == U(SUITE)) s = ad_check_suite_create("hostile");
    allocations = 0;
    for (k = 1; k <= calls; k += step) {
        disarm();
        trap.act = ACT_JUMP;
        trap.at = k;
        if (memory == U(SUITE)
            && !ad_check_suite_begin(s, kinds[kind], "hostile.c", (int)k, NULL)) break;
        if (setjmp(trap.out) == 0) {
            if (memory == U(SUITE))
                U(enter)(kind, b, ad_check_suite_options(s), ad_check_suite_result(s));
            else U(enter)(kind, b, &o, &r);
            CHECK_AS(kinds[kind], kind < 0);     /* it must not come back here */
        } else jumps++;
        if (memory == U(PLAIN)) {
            CHECK_AS(kinds[kind], live <= 1);
            free_all();
        }
        if (jumps % 5 == 1) {          /* the same check, now undisturbed */
            disarm();
            memset(&r, 0x77, sizeof r);
            U(enter)(kind, b, memory == U(WORK) ? &o : NULL, &r);
            CHECK_AS(kinds[kind], memcmp(&r, &reference, sizeof r) == 0);
        }
    }
    CHECK_AS(kinds[kind], jumps > 0);
    if (memory == U(WORK)) {
        for (k = 0; k < 32 && work[bytes + k] == 0xA5;) k++;
        CHECK_AS(kinds[kind], k == 32);
        CHECK_AS(kinds[kind], allocations == 0);
        free(work);
    }
    if (memory == U(SUITE)) {
        disarm();
        CHECK_AS(kinds[kind], ad_check_suite_code(s) == 99);
        ad_check_suite_destroy(s);
    }
    CHECK_AS(kinds[kind], live == 0);
}
static void U(leaving)(void)
{
    static const size_t sizes[] = { 3, 50, 5000 };
    size_t i;
    int kind, memory;
    for (i = 0; i < 3; i++)
        for (kind = 0; kind < KINDS; kind++)
            for (memory = U(PLAIN); memory <= U(SUITE); memory++) {
                U(bench) b;
                if (sizes[i] > 50 && kind != GRADIENT && kind != JACOBIAN && kind != JVP) continue;
                if (sizes[i] == 50 && IS_FLOAT && kind != GRADIENT) continue;
                b = U(open)(sizes[i], sizes[i] > 50 ? 2 : sizes[i] > 3 ? 7 : 2, 1);
                U(leave)(kind, &b, memory, sizes[i] == 3 ? 1000 : 15);
                if (kind != VALUES) b.job.wrong = 2;
                U(leave)(kind, &b, memory, sizes[i] == 3 && kind == GRADIENT ? 1000 : 15);
                U(shut)(&b);
            }
    disarm();
}

/* ---------------------------------------------------------------- NaN and recursion */
static void U(not_numbers)(void)
{
    static const double chance[] = { 0.001, 0.01, 0.1, 0.5, 0.9 };
    ad_check_result r, alone;
    ad_verdict v;
    size_t i, n;
    int kind, repeat;
    for (n = 3; n <= 3000; n *= 10)
        for (kind = 0; kind < KINDS; kind++) {
            U(bench) b;
            if (n > 300 && kind != GRADIENT && kind != JVP) continue;
            if (n > 30 && (kind == HESSIAN_MATRIX || kind == HESSIAN)) continue;
            b = U(open)(n, 2, -1);
            /* at random calls: whatever it says, it does not call the wrong gradient right */
            for (i = 0; i < 5; i++)
                for (repeat = 0; repeat < (n > 300 ? 3 : 10); repeat++) {
                    disarm();
                    trap.act = ACT_NAN_RANDOM;
                    trap.chance = chance[i];
                    trap.random = (uint64_t)(repeat + 1);
                    v = U(enter)(kind, &b, NULL, &r);
                    if (kind == ADJOINT) v = r.verdict;    /* both are -1 times J: adjoint */
                    verdict_is(__LINE__, kinds[kind], "NaN, chance", chance[i], &r, v,
                               kind == ADJOINT ? PASS | UNDECIDED | FAIL : UNDECIDED | FAIL);
                }
            disarm();
            trap.act = ACT_NAN;
            trap.in_f = 1;
            v = U(enter)(kind, &b, NULL, &r);
            if (kind != ADJOINT)
                verdict_is(__LINE__, kinds[kind], "NaN in f, n", (double)n, &r, v,
                           BIT(F_NONFINITE));
            trap.in_f = 0;
            v = U(enter)(kind, &b, NULL, &r);
            if (kind != VALUES)
                verdict_is(__LINE__, kinds[kind], "NaN in g, n", (double)n, &r, v,
                           BIT(G_NONFINITE));
            disarm();
            U(shut)(&b);
        }
    for (kind = 0; kind < KINDS; kind++) {
        U(bench) b = U(open)(4, 3, 1);
        disarm();
        memset(&alone, 0, sizeof alone);
        U(enter)(kind, &b, NULL, &alone);
        disarm();
        trap.act = ACT_RECURSE;
        memset(&r, 0xFF, sizeof r);
        U(enter)(kind, &b, NULL, &r);
        CHECK_AS(kinds[kind], memcmp(&r, &alone, sizeof r) == 0);
        disarm();
        U(shut)(&b);
    }
    CHECK(live == 0);
}

/* ---------------------------------------------------------------- memory */
static void U(memory)(void)
{
    static const size_t sizes[][2] = { { 1, 1 }, { 3, 2 }, { 50, 7 }, { 7, 50 }, { 3000, 2 } };
    size_t s, k, offset;
    int kind;
    for (s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (kind = 0; kind < KINDS; kind++) {
            ad_check_options o = default_options();
            ad_check_result r, with_malloc;
            U(bench) b;
            unsigned char *work;
            size_t bytes, needed;
            ad_verdict v;
            if (sizes[s][0] > 50 && kind != GRADIENT && kind != JVP && kind != SPARSE) continue;
            b = U(open)(sizes[s][0], sizes[s][1], s % 2 ? 2 : 1);
            bytes = U(room)(kind, &b);
            disarm();
            memset(&with_malloc, 0, sizeof with_malloc);
            allocations = 0;
            U(enter)(kind, &b, NULL, &with_malloc);
            needed = allocations;
            CHECK_AS(kinds[kind], live == 0);
            /* exactly as many bytes as documented, at any address */
            for (offset = 0; offset < 8; offset++) {
                work = (unsigned char *)malloc(bytes + offset);
                memset(work, 0xA5, bytes + offset);
                o.work = work + offset;
                o.work_bytes = bytes;
                allocations = 0;
                memset(&r, 0xFF, sizeof r);
                U(enter)(kind, &b, &o, &r);
                CHECK_AS(kinds[kind], allocations == 0);
                CHECK_AS(kinds[kind], memcmp(&r, &with_malloc, sizeof r) == 0);
                free(work);
            }
            /* less: an error, and nothing written behind it */
            for (k = 0; k < 4; k++) {
                static const size_t parts[4] = { 1, 4, 16, 1000 };
                const size_t less = bytes / 16 * k / parts[k] + k;
                work = (unsigned char *)malloc(less + 1);
                o.work = work;
                o.work_bytes = less;
                allocations = 0;
                v = U(enter)(kind, &b, &o, &r);
                CHECK_AS(kinds[kind], allocations == 0 || less == 0);
                verdict_is(__LINE__, kinds[kind], "work of bytes", (double)less, &r, v,
                           BIT(ERROR) | (less == 0 ? PASS | FAIL : 0));
                free(work);
            }
            /* every allocation fails in turn */
            for (fail_at = 1; fail_at <= needed; fail_at++) {
                allocations = 0;
                v = U(enter)(kind, &b, NULL, &r);
                verdict_is(__LINE__, kinds[kind], "memory fails at", (double)fail_at, &r, v,
                           BIT(ERROR));
                CHECK_AS(kinds[kind], live == 0);
            }
            fail_at = 0;
            U(shut)(&b);
        }
}
/* A suite whose memory fails somewhere: it says so in the end, and leaks nothing. */
static void U(suite_memory)(void)
{
    size_t k, total = 1;
    for (k = 1; k <= total + 1; k++) {
        U(bench) b = U(open)(3, 2, 1);
        ad_check_suite *s;
        int i;
        disarm();
        allocations = 0;
        fail_at = k;
        s = ad_check_suite_create("memory");
        for (i = 0; i < 3; i++)
            AD_CHECK_RUN(s, "check", NULL, A(check_gradient), U(f), U(g), b.x, 3, &b.job);
        fail_at = 0;
        if (allocations > total) total = allocations;
        if (k <= allocations) CHECK(ad_check_suite_code(s) == 99);
        else CHECK(ad_check_suite_code(s) == 0);
        ad_check_suite_destroy(s);
        CHECK(live == 0);
        U(shut)(&b);
        if (k > 1000) break;
    }
}

/* A recorded function, and memory that fails while it is checked: once, which may be survived, or
   from then on. It is no fault of the function, and what it is is said. */
static A(var) U(recorded)(A(tape) *t, const A(var) *x, size_t n, void *user)
{
    const size_t steps = *(const size_t *)user;
    A(var) y = A(const)(0), list[8];
    size_t i;
    (void)t;
    for (i = 0; i < steps; i++)
        y = A(var_add)(A(var_mul_r)(y, K(0.5)), A(var_sin)(A(var_mul_r)(x[i % n], (RT)(i % 5))));
    for (i = 0; i < 8; i++) list[i] = A(var_mul)(x[i % n], y);
    return A(var_logsumexp)(8, list);
}
static void U(tape_memory)(void)
{
    static const size_t sizes[][2] = { { 1, 3 }, { 3, 40 }, { 3, 3000 }, { 70, 200 } };
    size_t s, i, needed, steps;
    for (s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        const size_t n = sizes[s][0];
        ad_check_result whole, r;
        RT x[70];
        ad_verdict v;
        steps = sizes[s][1];
        for (i = 0; i < n; i++) x[i] = K(0.5) + K(0.125) * (RT)(i % 7);
        disarm();
        allocations = fail_at = 0;
        v = A(check_tape)(U(recorded), x, n, &steps, NULL, &whole);
        verdict_is(__LINE__, "recorded function", "memory enough, steps", (double)steps, &whole, v,
            PASS | UNDECIDED);
        needed = allocations;
        CHECK(live == 0);
        for (from_then_on = 0; from_then_on < 2; from_then_on++)
            for (fail_at = 1; fail_at <= needed; fail_at += fail_at < 60 ? 1 : needed / 40 + 1) {
                allocations = 0;
                v = A(check_tape)(U(recorded), x, n, &steps, NULL, &r);
                verdict_is(__LINE__, "recorded function", from_then_on ? "memory fails from"
                    : "memory fails at", (double)fail_at, &r, v,
                    BIT(ERROR) | (from_then_on ? 0 : BIT(CORRECT) | 1u << whole.verdict));
                if (v == AD_VERDICT_ERROR)
                    test_check(strstr(r.message, "memory") || strstr(r.message, "MEMORY"),
                        __FILE__, __LINE__, "memory fails %s %lu: \"%s\" does not say so",
                        from_then_on ? "from" : "at", (unsigned long)fail_at, r.message);
                CHECK(live == 0);
            }
        from_then_on = 0;
        fail_at = 0;
    }
}

static void U(hostile)(void)
{
    U(beside)();
    U(late)();
    U(leaving)();
    U(not_numbers)();
    U(memory)();
    U(suite_memory)();
    U(tape_memory)();
}

#undef K
#endif
