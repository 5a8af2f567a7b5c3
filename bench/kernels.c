/* The array kernels [SK] against what else there is, in interleaved runs, medians of ratios:

     math         the functions of mathematics against SLEEF, glibc's libmvec and scalar libm;
     elementwise  arithmetic, values and adjoints: in the first cache against what the ports of the
                  CPU allow, out of cache against memcpy;
     matrix       products of matrices against OpenBLAS, on one thread.

     kernels [math] [elementwise] [matrix] [NAME]... [--double] [--float] [--level LEVEL]...

   A ratio is the other's time over ours: above 1 we are faster. The libraries are looked for when
   the program runs; one that is missing leaves its columns empty. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "../autodiff.h"
#include "bench.h"
#include <dlfcn.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__GLIBC__)
#include <gnu/libc-version.h>
#endif
#if defined(__x86_64__) && defined(__GNUC__)
#define X86 1
#include <immintrin.h>
#else
#define X86 0
#endif
#ifndef KERNELS_FLAGS
#define KERNELS_FLAGS "flags not told"
#endif

#define MAX_SIZE   4096                  /* of a matrix */
#define OUT_BYTES  ((size_t)256 << 20)   /* all arrays of an operation out of cache */
#define L1_BYTES   ((size_t)24 << 10)    /* and in the first cache, with room for the stack */
#define POINTS     2048                  /* of the functions of mathematics */

/* One thing to be timed. The functions of other libraries are kept as what dlsym gives. */
typedef struct job {
    void (*run)(const struct job *);
    void (*before)(const struct job *, size_t run);      /* not timed; may be NULL */
    const void *what;
    const ad_kernels *kernels;
    void *f[2];
    size_t n;
    void *a[8];
    int transpose[2];                    /* of matrices; [0] in mathematics: float */
} job;

/* Shared with the children, which the matrices need. */
static bench_goals *goals;

static void goal(int ok, const char *what, const char *type, const char *level, const char *peer,
    double ratio, double wanted)
{
    char all[64];
    snprintf(all, sizeof all, "%-12s %-6s %-7s %-8s", what, type, level, peer);
    bench_goal(goals, ok, all, ratio, wanted);
}

static double clock_costs(void)
{
    double least = 1e9;
    int i;
    for (i = 0; i < 1000; i++) {
        const double a = bench_now(), b = bench_now();
        if (b - a < least) least = b - a;
    }
    return least;
}

/* Runs numbered first, first + 1 ... */
static double time_runs(const void *what, size_t first, size_t count)
{
    static double clock_ns;
    const job *j = (const job *)what;
    double start, sum = 0;
    size_t i;
    if (clock_ns <= 0) clock_ns = clock_costs();
    if (j->before == NULL) {
        start = bench_now();
        for (i = 0; i < count; i++) j->run(j);
        return bench_now() - start;
    }
    for (i = 0; i < count; i++) {
        j->before(j, first + i);
        start = bench_now();
        j->run(j);
        sum += bench_now() - start - clock_ns;
    }
    return sum;
}

static void run_race(job *const jobs[BENCH_PEERS], double units, double budget, bench_race *out)
{
    const void *in[BENCH_PEERS];
    int p;
    for (p = 0; p < BENCH_PEERS; p++) in[p] = jobs[p];
    bench_run(in, time_runs, units, budget, out);
}

static double spread(void)               /* in 0 ... 1 */
{
    static uint64_t state = 1;
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 29)) * 0xd6e8feb86659fd93u;
    z ^= z >> 32;
    return (double)(z >> 11) * (1.0 / 9007199254740992.0);
}

/* Memory that is there, in large pages where the kernel gives them. */
static char *pages(size_t bytes)
{
    char *p = (char *)mmap(NULL, bytes + ((size_t)2 << 20), PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == (char *)MAP_FAILED) {
        fprintf(stderr, "kernels: no memory\n");
        exit(2);
    }
    p += (((size_t)2 << 20) - (uintptr_t)p % ((size_t)2 << 20)) % ((size_t)2 << 20);
#ifdef MADV_HUGEPAGE
    madvise(p, bytes, MADV_HUGEPAGE);
#endif
    memset(p, 0, bytes);
    return p;
}

typedef struct level {
    ad_simd simd;
    const ad_kernels *kernels;
    const char *name;
} level;
static level levels[4];
static int level_count;
static int types[2];                     /* double, float: wanted */
static const char *const type_name[2] = { "double", "float" };

/* ---------------------------------------------------------------- mathematics */

#define SLEEF_GOAL 1
#define MVEC_GOAL  2
#define LIBM_GOAL  4                     /* where SLEEF is slower than libm */

typedef ad_status (*ours_d1)(const ad_kernels *, size_t, const double *, double *);
typedef ad_status (*ours_f1)(const ad_kernels *, size_t, const float *, float *);
typedef ad_status (*ours_d2)(const ad_kernels *, size_t, const double *, size_t, const double *,
    size_t, double *);
typedef ad_status (*ours_f2)(const ad_kernels *, size_t, const float *, size_t, const float *,
    size_t, float *);

/* How a peer makes the function: by one call, or put together from calls. */
enum shape { CALL, SINCOS, SIGMOID, SOFTPLUS, ALONE };

typedef struct function {
    const char *name;
    enum shape shape;
    int goals;
    int log_range;                       /* arguments evenly in their logarithm */
    double x0, x1, y0, y1;
    ours_d1 d1;
    ours_f1 f1;
    ours_d2 d2;
    ours_f2 f2;
    double (*libm1)(double);
    float (*libm1f)(float);
    double (*libm2)(double, double);
    float (*libm2f)(float, float);
} function;

static double sigmoid(double x) { return 1 / (1 + exp(-x)); }
static float sigmoidf(float x) { return 1 / (1 + expf(-x)); }
static double softplus(double x) { return (x > 0 ? x : 0) + log1p(exp(-fabs(x))); }
static float softplusf(float x) { return (x > 0 ? x : 0) + log1pf(expf(-fabsf(x))); }
static double digamma(double x) { return ad_real_digamma(x); }
static float digammaf(float x) { return adf_real_digamma(x); }

#define ONE(name) ad_kernel_##name, adf_kernel_##name, NULL, NULL, name, name##f, NULL, NULL
#define TWO(name) NULL, NULL, ad_kernel_##name, adf_kernel_##name, NULL, NULL, name, name##f
#define S   SLEEF_GOAL | LIBM_GOAL
#define SM  SLEEF_GOAL | MVEC_GOAL | LIBM_GOAL
/* The arguments: what programs mostly pass, evenly spread, no special values. */
static const function functions[] = {
    { "exp",      CALL,     SM, 0, -20, 20, 0, 0,      ONE(exp) },
    { "exp2",     CALL,     S,  0, -20, 20, 0, 0,      ONE(exp2) },
    { "expm1",    CALL,     S,  0, -5, 5, 0, 0,        ONE(expm1) },
    { "log",      CALL,     SM, 1, 1e-6, 1e6, 0, 0,    ONE(log) },
    { "log2",     CALL,     S,  1, 1e-6, 1e6, 0, 0,    ONE(log2) },
    { "log10",    CALL,     S,  1, 1e-6, 1e6, 0, 0,    ONE(log10) },
    { "log1p",    CALL,     S,  0, -0.9, 9, 0, 0,      ONE(log1p) },
    { "sin",      CALL,     SM, 0, -30, 30, 0, 0,      ONE(sin) },
    { "cos",      CALL,     SM, 0, -30, 30, 0, 0,      ONE(cos) },
    { "sincos",   SINCOS,   S,  0, -30, 30, 0, 0,
        NULL, NULL, NULL, NULL, sin, sinf, NULL, NULL },
    { "tan",      CALL,     S,  0, -30, 30, 0, 0,      ONE(tan) },
    { "asin",     CALL,     S,  0, -1, 1, 0, 0,        ONE(asin) },
    { "acos",     CALL,     S,  0, -1, 1, 0, 0,        ONE(acos) },
    { "atan",     CALL,     S,  0, -20, 20, 0, 0,      ONE(atan) },
    { "atan2",    CALL,     S,  0, -10, 10, -10, 10,   TWO(atan2) },
    { "sinh",     CALL,     S,  0, -10, 10, 0, 0,      ONE(sinh) },
    { "cosh",     CALL,     S,  0, -10, 10, 0, 0,      ONE(cosh) },
    { "tanh",     CALL,     SM, 0, -5, 5, 0, 0,        ONE(tanh) },
    { "asinh",    CALL,     S,  0, -20, 20, 0, 0,      ONE(asinh) },
    { "acosh",    CALL,     S,  0, 1, 20, 0, 0,        ONE(acosh) },
    { "atanh",    CALL,     S,  0, -0.99, 0.99, 0, 0,  ONE(atanh) },
    { "pow",      CALL,     SM, 1, 0.01, 100, -10, 10, TWO(pow) },
    { "cbrt",     CALL,     S,  0, -100, 100, 0, 0,    ONE(cbrt) },
    { "hypot",    CALL,     S,  0, -10, 10, -10, 10,   TWO(hypot) },
    { "erf",      CALL,     SM, 0, -4, 4, 0, 0,        ONE(erf) },
    { "erfc",     CALL,     S,  0, -4, 6, 0, 0,        ONE(erfc) },
    { "sigmoid",  SIGMOID,  S,  0, -20, 20, 0, 0,      ONE(sigmoid) },
    { "softplus", SOFTPLUS, S,  0, -20, 20, 0, 0,      ONE(softplus) },
    { "lgamma",   CALL,     S,  0, 0.01, 50, 0, 0,     ONE(lgamma) },
    { "digamma",  ALONE,    0,  0, 0.01, 50, 0, 0,     ONE(digamma) },
};
#undef S
#undef SM
#define FUNCTIONS (sizeof functions / sizeof functions[0])

/* Ours, through the public functions; the arrays are x, y, r and for sincos a second r. */
#define OURS(T, suffix, prefix, one, two)                                                          \
static void ours_##suffix(const job *j)                                                            \
{                                                                                                  \
    const function *f = (const function *)j->what;                                                 \
    const T *x = (const T *)j->a[0], *y = (const T *)j->a[1];                                      \
    T *r = (T *)j->a[2];                                                                           \
    if (f->shape == SINCOS) prefix##_kernel_sincos(j->kernels, j->n, x, r, (T *)j->a[3]);          \
    else if (f->two) f->two(j->kernels, j->n, x, 1, y, 1, r);                                      \
    else f->one(j->kernels, j->n, x, r);                                                           \
}                                                                                                  \
static void libm_##suffix(const job *j)                                                            \
{                                                                                                  \
    const function *f = (const function *)j->what;                                                 \
    const T *x = (const T *)j->a[0], *y = (const T *)j->a[1];                                      \
    T *r = (T *)j->a[2], *s = (T *)j->a[3];                                                        \
    size_t i;                                                                                      \
    if (f->shape == SINCOS) {                                                                      \
        for (i = 0; i < j->n; i++) LIBM_##suffix(libm_sincos)(x[i], r + i, s + i);                 \
    } else if (f->two) {                                                                           \
        T (*g)(T, T) = f->LIBM_##suffix(libm2);                                                    \
        for (i = 0; i < j->n; i++) r[i] = g(x[i], y[i]);                                           \
    } else {                                                                                       \
        T (*g)(T) = f->LIBM_##suffix(libm1);                                                       \
        for (i = 0; i < j->n; i++) r[i] = g(x[i]);                                                 \
    }                                                                                              \
}
#if defined(__GLIBC__)
#define libm_sincos  sincos
#define libm_sincosf sincosf
#else
static void libm_sincos(double x, double *s, double *c) { *s = sin(x); *c = cos(x); }
static void libm_sincosf(float x, float *s, float *c) { *s = sinf(x); *c = cosf(x); }
#endif
#define LIBM_double(name) name
#define LIBM_float(name) name##f
OURS(double, double, ad, d1, d2)
OURS(float, float, adf, f1, f2)

#if X86
/* The peers' loops: the function called directly for each register, its address in a register, the
   numbers in the cache, aligned. */
#define TARGET_AVX2   __attribute__((target("avx2,fma"), noinline))
#define TARGET_AVX512                                                                              \
    __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw,avx2,fma"), noinline))
#define LOOPS(tag, TARGET, T, V, W, load, store, set1, max, min)                                   \
typedef struct { V s, c; } tag##_pair;                                                             \
TARGET static void tag##_one(const job *j)                                                         \
{                                                                                                  \
    const T *x = (const T *)j->a[0];                                                               \
    T *r = (T *)j->a[2];                                                                           \
    V (*f)(V);                                                                                     \
    size_t i;                                                                                      \
    memcpy(&f, &j->f[0], sizeof f);                                                                \
    for (i = 0; i < j->n; i += W) store(r + i, f(load(x + i)));                                    \
}                                                                                                  \
TARGET static void tag##_two(const job *j)                                                         \
{                                                                                                  \
    const T *x = (const T *)j->a[0], *y = (const T *)j->a[1];                                      \
    T *r = (T *)j->a[2];                                                                           \
    V (*f)(V, V);                                                                                  \
    size_t i;                                                                                      \
    memcpy(&f, &j->f[0], sizeof f);                                                                \
    for (i = 0; i < j->n; i += W) store(r + i, f(load(x + i), load(y + i)));                       \
}                                                                                                  \
TARGET static void tag##_sincos(const job *j)                                                      \
{                                                                                                  \
    const T *x = (const T *)j->a[0];                                                               \
    T *r = (T *)j->a[2], *s = (T *)j->a[3];                                                        \
    tag##_pair (*f)(V);                                                                            \
    size_t i;                                                                                      \
    memcpy(&f, &j->f[0], sizeof f);                                                                \
    for (i = 0; i < j->n; i += W) {                                                                \
        const tag##_pair p = f(load(x + i));                                                       \
        store(r + i, p.s);                                                                         \
        store(s + i, p.c);                                                                         \
    }                                                                                              \
}                                                                                                  \
TARGET static void tag##_sigmoid(const job *j)                                                     \
{                                                                                                  \
    const T *x = (const T *)j->a[0];                                                               \
    T *r = (T *)j->a[2];                                                                           \
    const V one = set1(1);                                                                         \
    V (*f)(V);                                                                                     \
    size_t i;                                                                                      \
    memcpy(&f, &j->f[0], sizeof f);                                                                \
    for (i = 0; i < j->n; i += W) store(r + i, one / (one + f(-load(x + i))));                     \
}                                                                                                  \
TARGET static void tag##_softplus(const job *j)                                                    \
{                                                                                                  \
    const T *x = (const T *)j->a[0];                                                               \
    T *r = (T *)j->a[2];                                                                           \
    V (*f)(V), (*g)(V);                                                                            \
    size_t i;                                                                                      \
    memcpy(&f, &j->f[0], sizeof f);                                                                \
    memcpy(&g, &j->f[1], sizeof g);                                                                \
    for (i = 0; i < j->n; i += W) {                                                                \
        const V v = load(x + i);                                                                   \
        store(r + i, max(v, set1(0)) + g(f(min(v, -v))));                                          \
    }                                                                                              \
}
LOOPS(avx2_double, TARGET_AVX2, double, __m256d, 4, _mm256_load_pd, _mm256_store_pd,
    _mm256_set1_pd, _mm256_max_pd, _mm256_min_pd)
LOOPS(avx2_float, TARGET_AVX2, float, __m256, 8, _mm256_load_ps, _mm256_store_ps,
    _mm256_set1_ps, _mm256_max_ps, _mm256_min_ps)
LOOPS(avx512_double, TARGET_AVX512, double, __m512d, 8, _mm512_load_pd, _mm512_store_pd,
    _mm512_set1_pd, _mm512_max_pd, _mm512_min_pd)
LOOPS(avx512_float, TARGET_AVX512, float, __m512, 16, _mm512_load_ps, _mm512_store_ps,
    _mm512_set1_ps, _mm512_max_ps, _mm512_min_ps)

/* libmvec's sincos wants the addresses of all results in registers. */
TARGET_AVX2 static void avx2_double_sincos_to(const job *j)
{
    const double *x = (const double *)j->a[0];
    const __m256i by = _mm256_setr_epi64x(0, 8, 16, 24);
    void (*f)(__m256d, __m256i, __m256i);
    size_t i;
    memcpy(&f, &j->f[0], sizeof f);
    for (i = 0; i < j->n; i += 4) {
        const __m256i s = _mm256_set1_epi64x((long long)(intptr_t)((double *)j->a[2] + i));
        const __m256i c = _mm256_set1_epi64x((long long)(intptr_t)((double *)j->a[3] + i));
        f(_mm256_load_pd(x + i), _mm256_add_epi64(s, by), _mm256_add_epi64(c, by));
    }
}
TARGET_AVX2 static void avx2_float_sincos_to(const job *j)
{
    const float *x = (const float *)j->a[0];
    const __m256i low = _mm256_setr_epi64x(0, 4, 8, 12), high = _mm256_setr_epi64x(16, 20, 24, 28);
    void (*f)(__m256, __m256i, __m256i, __m256i, __m256i);
    size_t i;
    memcpy(&f, &j->f[0], sizeof f);
    for (i = 0; i < j->n; i += 8) {
        const __m256i s = _mm256_set1_epi64x((long long)(intptr_t)((float *)j->a[2] + i));
        const __m256i c = _mm256_set1_epi64x((long long)(intptr_t)((float *)j->a[3] + i));
        f(_mm256_load_ps(x + i), _mm256_add_epi64(s, low), _mm256_add_epi64(s, high),
            _mm256_add_epi64(c, low), _mm256_add_epi64(c, high));
    }
}
TARGET_AVX512 static void avx512_double_sincos_to(const job *j)
{
    const double *x = (const double *)j->a[0];
    const __m512i by = _mm512_setr_epi64(0, 8, 16, 24, 32, 40, 48, 56);
    void (*f)(__m512d, __m512i, __m512i);
    size_t i;
    memcpy(&f, &j->f[0], sizeof f);
    for (i = 0; i < j->n; i += 8) {
        const __m512i s = _mm512_set1_epi64((long long)(intptr_t)((double *)j->a[2] + i));
        const __m512i c = _mm512_set1_epi64((long long)(intptr_t)((double *)j->a[3] + i));
        f(_mm512_load_pd(x + i), _mm512_add_epi64(s, by), _mm512_add_epi64(c, by));
    }
}
TARGET_AVX512 static void avx512_float_sincos_to(const job *j)
{
    const float *x = (const float *)j->a[0];
    const __m512i low = _mm512_setr_epi64(0, 4, 8, 12, 16, 20, 24, 28);
    const __m512i high = _mm512_setr_epi64(32, 36, 40, 44, 48, 52, 56, 60);
    void (*f)(__m512, __m512i, __m512i, __m512i, __m512i);
    size_t i;
    memcpy(&f, &j->f[0], sizeof f);
    for (i = 0; i < j->n; i += 16) {
        const __m512i s = _mm512_set1_epi64((long long)(intptr_t)((float *)j->a[2] + i));
        const __m512i c = _mm512_set1_epi64((long long)(intptr_t)((float *)j->a[3] + i));
        f(_mm512_load_ps(x + i), _mm512_add_epi64(s, low), _mm512_add_epi64(s, high),
            _mm512_add_epi64(c, low), _mm512_add_epi64(c, high));
    }
}

static void *sleef, *mvec;

/* SLEEF's most accurate function but one, as ours: 1.0 ulp, else 1.5, else 0.5. */
static void *find_sleef(const char *name, int wide, int is_float)
{
    static const char *const accuracy[] = { "10", "15", "05" };
    char symbol[64];
    size_t i;
    for (i = 0; sleef && i < 3; i++) {
        void *f;
        snprintf(symbol, sizeof symbol, "Sleef_%s%c%d_u%s%s", name, is_float ? 'f' : 'd',
            (wide ? 8 : 4) << is_float, accuracy[i], wide ? "avx512f" : "avx2");
        f = dlsym(sleef, symbol);
        if (f) return f;
    }
    return NULL;
}
static void *find_mvec(const char *name, int operands, int wide, int is_float)
{
    char symbol[64];
    snprintf(symbol, sizeof symbol, "_ZGV%cN%d%.*s_%s%s", wide ? 'e' : 'd',
        (wide ? 8 : 4) << is_float, operands, "vvv", name, is_float ? "f" : "");
    return mvec ? dlsym(mvec, symbol) : NULL;
}

/* The function from one of the two libraries; 0: it has not got it. */
static int find_peer(const function *f, int from_mvec, int wide, int is_float, job *j)
{
#define PICK(shape) (wide ? is_float ? avx512_float_##shape : avx512_double_##shape                \
                          : is_float ? avx2_float_##shape : avx2_double_##shape)
#define FIND(name, operands) (from_mvec ? find_mvec(name, operands, wide, is_float)                \
                                        : find_sleef(name, wide, is_float))
    switch (f->shape) {
    case CALL:
        j->f[0] = FIND(f->name, f->d2 ? 2 : 1);
        j->run = f->d2 ? PICK(two) : PICK(one);
        return j->f[0] != NULL;
    case SINCOS:
        j->f[0] = FIND("sincos", 3);
        j->run = from_mvec ? PICK(sincos_to) : PICK(sincos);
        return j->f[0] != NULL;
    case SIGMOID:
        j->f[0] = FIND("exp", 1);
        j->run = PICK(sigmoid);
        return j->f[0] != NULL;
    case SOFTPLUS:
        j->f[0] = FIND("exp", 1);
        j->f[1] = FIND("log1p", 1);
        j->run = PICK(softplus);
        return j->f[0] != NULL && j->f[1] != NULL;
    default:
        return 0;
    }
}

static void open_math(void)
{
    sleef = dlopen("libsleef.so.3", RTLD_NOW | RTLD_LOCAL);
    if (sleef == NULL) sleef = dlopen("libsleef.so", RTLD_NOW | RTLD_LOCAL);
    mvec = dlopen("libmvec.so.1", RTLD_NOW | RTLD_LOCAL);
    if (sleef == NULL) printf("SKIP SLEEF: no libsleef.so (Debian: libsleef-dev)\n");
    if (mvec == NULL) printf("SKIP libmvec: no libmvec.so.1 (part of glibc for x86-64)\n");
}
#else
static int find_peer(const function *f, int from_mvec, int wide, int is_float, job *j)
{
    (void)f; (void)from_mvec; (void)wide; (void)is_float; (void)j;
    return 0;
}
static void open_math(void)
{
    printf("SKIP SLEEF, libmvec: compared on x86-64 with gcc or clang only\n");
}
#endif

static void print_ratio(const bench_race *r, int peer, int there)
{
    char text[40] = "";
    if (there) snprintf(text, sizeof text, "%5.2f (%.2f-%.2f)", r->ratio[peer], r->low[peer],
        r->high[peer]);
    printf("  %-18s", text);
}

/* The greatest difference of two results, relative where they are not small. */
static double difference(int is_float, const void *p, const void *q, size_t n)
{
    double worst = 0;
    size_t i;
    for (i = 0; i < n; i++) {
        const double a = is_float ? (double)((const float *)p)[i] : ((const double *)p)[i];
        const double b = is_float ? (double)((const float *)q)[i] : ((const double *)q)[i];
        const double e = fabs(a - b) / (fabs(b) + 0.01);
        if (!(e <= worst)) worst = e;
    }
    return worst;
}

/* Each run gets other arguments, copied into the same arrays: else branches that depend on them,
   which scalar code is full of, would be known by heart and cost nothing. */
#define ARGUMENT_SETS 64
static double arguments[2][ARGUMENT_SETS][POINTS];
static void next_arguments(const job *j, size_t run)
{
    const size_t set = run % ARGUMENT_SETS, bytes = j->n * (j->transpose[0] ? 4 : 8);
    memcpy(j->a[0], (char *)arguments[0] + set * bytes, bytes);
    if (((const function *)j->what)->d2)
        memcpy(j->a[1], (char *)arguments[1] + set * bytes, bytes);
}

static void math_row(const function *f, const level *l, int is_float)
{
    static char memory[5][POINTS * sizeof(double) + 192] __attribute__((aligned(64)));
    static double kept[POINTS];
    const double tolerance = is_float ? 1e-5 : 1e-13;
    const int wide = l->simd == AD_SIMD_AVX512, x86 = wide || l->simd == AD_SIMD_AVX2;
    job all[BENCH_PEERS], *jobs[BENCH_PEERS];
    bench_race r;
    char missed[64] = "", what[32];
    const size_t used = is_float ? sizeof(float) : sizeof(double);
    double wrong;
    size_t i;
    int p;
    for (i = 0; i < POINTS * ARGUMENT_SETS; i++) {
        const double u = spread(), v = spread();
        const double x = f->log_range ? f->x0 * exp(u * log(f->x1 / f->x0))
            : f->x0 + (f->x1 - f->x0) * u, y = f->y0 + (f->y1 - f->y0) * v;
        if (is_float) {
            ((float *)arguments[0])[i] = (float)x;
            ((float *)arguments[1])[i] = (float)y;
        } else {
            arguments[0][i / POINTS][i % POINTS] = x;
            arguments[1][i / POINTS][i % POINTS] = y;
        }
    }
    memset(all, 0, sizeof all);
    for (p = 0; p < BENCH_PEERS; p++) {
        all[p].what = f;
        all[p].kernels = l->kernels;
        all[p].n = POINTS;
        all[p].before = next_arguments;
        all[p].transpose[0] = is_float;
        for (i = 0; i < 4; i++) all[p].a[i] = memory[i];
        jobs[p] = &all[p];
    }
    next_arguments(&all[0], 0);
    all[0].run = is_float ? ours_float : ours_double;
    all[3].run = is_float ? libm_float : libm_double;
    for (p = 1; p < 3; p++)
        if (!x86 || !find_peer(f, p == 2, wide, is_float, &all[p])) jobs[p] = NULL;
    printf("%-9s %-6s %-7s", f->name, type_name[is_float], l->name);
    /* who computes something else has no time worth telling */
    all[3].run(&all[3]);
    memcpy(kept, memory[2], POINTS * used);
    for (p = 0; p < 3; p++) {
        if (jobs[p] == NULL) continue;
        memset(memory[2], 0, sizeof memory[2]);
        all[p].run(&all[p]);
        wrong = difference(is_float, memory[2], kept, POINTS);
        if (wrong <= tolerance) continue;
        if (p == 0) {
            printf(" WRONG: differs from libm by %.2g\n", wrong);
            goals->wrong++;
            return;
        }
        printf(" (%s differs from libm by %.2g)", p == 1 ? "SLEEF" : "libmvec", wrong);
    }
    run_race(jobs, POINTS, 80e6, &r);
    for (p = 0; p < BENCH_PEERS; p++)
        if (jobs[p]) printf(" %7.3f", r.ns[p]);
        else printf(" %7s", "");
    for (p = 1; p < BENCH_PEERS; p++) print_ratio(&r, p, jobs[p] != NULL);
    snprintf(what, sizeof what, "%s", f->name);
    for (p = 1; p < BENCH_PEERS; p++) {
        static const char *const who[BENCH_PEERS] = { "", "SLEEF", "libmvec", "libm" };
        const int matters = p == 3 ? jobs[1] && r.ns[1] > r.ns[3] : 1;
        if (jobs[p] == NULL || !(f->goals & (1 << (p - 1))) || !matters) continue;
        goal(r.ratio[p] >= 1, what, type_name[is_float], l->name, who[p], r.ratio[p], 1);
        if (r.ratio[p] < 1) strcat(strcat(missed, " "), who[p]);
    }
    printf("%s%s\n", missed[0] ? " < missed:" : "", missed);
    fflush(stdout);
}

static void math_head(void)
{
    size_t i;
    printf("\nMATHEMATICS: %d elements in the first cache, others each time; nanoseconds an\n"
        "element, and ratios to ours with quartiles (above 1: ours is faster). SLEEF: its\n"
        "functions of 1.0 ulp.\n"
        "Goals: SLEEF 1.00 on all; libm 1.00 where SLEEF is slower than it; libmvec 1.00\n"
        "on", POINTS);
    for (i = 0; i < FUNCTIONS; i++)
        if (functions[i].goals & MVEC_GOAL) printf(" %s", functions[i].name);
    printf(".\nsigmoid and softplus of the others: from their exp and log1p. Scalar digamma:\n"
        "our own. Arguments, evenly spread (log, log2, log10 and pow's x in their logarithm):\n ");
    for (i = 0; i < FUNCTIONS; i++) {
        const function *f = &functions[i];
        printf(" %s %g..%g", f->name, f->x0, f->x1);
        if (f->d2) printf(" and %g..%g", f->y0, f->y1);
        printf("%s", i + 1 == FUNCTIONS ? "\n" : i % 7 == 6 ? ",\n " : ",");
    }
    printf("%-9s %-6s %-7s %7s %7s %7s %7s  %-18s  %-18s  %-18s\n", "", "", "", "ours", "SLEEF",
        "libmvec", "libm", "SLEEF", "libmvec", "libm");
}

/* ---------------------------------------------------------------- elementwise */

/* The arrays of an operation and its adjoint; capitals are those whose elements are added to. */
enum { X_, Y_, Z_, R_, RB, XB, YB, ZB, ARRAYS };
static const char array_letters[] = "xyzrbXYZ";

/* What has a limit of its own in a CPU. */
enum { LOADS, STORES, ADDS, MULTIPLIES, DIVISIONS, PORTS };
static const char *const port_name[PORTS] = { "loads", "stores", "adds", "mults", "divisions" };

typedef struct operation {
    const char *name;
    int adjoint;
    const char *arrays;                  /* that are touched, by the letters of array_letters */
    int uses[PORTS];                     /* of each port, for an element */
    void (*run[2])(const job *);
} operation;

#define BOTH(name, CALL_)                                                                          \
static void name##_double(const job *j) { CALL_(ad, double) }                                      \
static void name##_float(const job *j) { CALL_(adf, float) }
#define A(T, i) ((T *)j->a[i])
#define K_ j->kernels, j->n
#define OP1(name, P, T) P##_kernel_##name(K_, A(T, X_), A(T, R_));
#define OP2(name, P, T) P##_kernel_##name(K_, A(T, X_), 1, A(T, Y_), 1, A(T, R_));
#define ADJ1(name, P, T) P##_kernel_##name##_adjoint(K_, A(T, X_), A(T, R_), A(T, RB), A(T, XB));
#define ADJ2(name, P, T) P##_kernel_##name##_adjoint(K_, A(T, X_), 1, A(T, Y_), 1, A(T, R_),       \
    A(T, RB), A(T, XB), A(T, YB));
#define C_fill(P, T) P##_kernel_fill(K_, (T)1.5, A(T, R_));
#define C_scale(P, T) P##_kernel_scale(K_, (T)1.5, A(T, X_), A(T, R_));
#define C_axpy(P, T) P##_kernel_axpy(K_, (T)1e-6, A(T, X_), A(T, R_));
#define C_sum(P, T) P##_kernel_sum(K_, A(T, X_), A(T, R_));
#define C_dot(P, T) P##_kernel_dot(K_, A(T, X_), A(T, Y_), A(T, R_));
#define C_add(P, T) OP2(add, P, T)
#define C_mul(P, T) OP2(mul, P, T)
#define C_div(P, T) OP2(div, P, T)
#define C_max(P, T) OP2(max, P, T)
#define C_neg(P, T) OP1(neg, P, T)
#define C_abs(P, T) OP1(abs, P, T)
#define C_relu(P, T) OP1(relu, P, T)
#define C_fma(P, T) P##_kernel_fma(K_, A(T, X_), 1, A(T, Y_), 1, A(T, Z_), 1, A(T, R_));
#define C_add_b(P, T) ADJ2(add, P, T)
#define C_mul_b(P, T) ADJ2(mul, P, T)
#define C_div_b(P, T) ADJ2(div, P, T)
#define C_max_b(P, T) ADJ2(max, P, T)
#define C_neg_b(P, T) ADJ1(neg, P, T)
#define C_abs_b(P, T) ADJ1(abs, P, T)
#define C_relu_b(P, T) ADJ1(relu, P, T)
#define C_fma_b(P, T) P##_kernel_fma_adjoint(K_, A(T, X_), 1, A(T, Y_), 1, A(T, Z_), 1, A(T, R_),  \
    A(T, RB), A(T, XB), A(T, YB), A(T, ZB));
/* Divisions cost the multipliers nothing; comparisons, choices and signs go where there is room.
   The product and the sum of dot are fused. */
#define OPERATIONS(X)                                                                              \
    /*  function  name   adjoint arrays  loads stores adds mults divisions */                      \
    X(fill,      "fill",  0, "r",        0, 1,   0, 0, 0)                                          \
    X(scale,     "scale", 0, "xr",       1, 1,   0, 1, 0)                                          \
    X(axpy,      "axpy",  0, "xr",       2, 1,   1, 1, 0)                                          \
    X(sum,       "sum",   0, "x",        1, 0,   1, 0, 0)                                          \
    X(dot,       "dot",   0, "xy",       2, 0,   0, 1, 0)                                          \
    X(add,       "add",   0, "xyr",      2, 1,   1, 0, 0)                                          \
    X(mul,       "mul",   0, "xyr",      2, 1,   0, 1, 0)                                          \
    X(div,       "div",   0, "xyr",      2, 1,   0, 0, 1)                                          \
    X(fma,       "fma",   0, "xyzr",     3, 1,   0, 1, 0)                                          \
    X(neg,       "neg",   0, "xr",       1, 1,   0, 0, 0)                                          \
    X(abs,       "abs",   0, "xr",       1, 1,   0, 0, 0)                                          \
    X(max,       "max",   0, "xyr",      2, 1,   0, 0, 0)                                          \
    X(relu,      "relu",  0, "xr",       1, 1,   0, 0, 0)                                          \
    X(add_b,     "add",   1, "bXY",      3, 2,   2, 0, 0)                                          \
    X(mul_b,     "mul",   1, "xybXY",    5, 2,   2, 2, 0)                                          \
    X(div_b,     "div",   1, "yrbXY",    5, 2,   2, 3, 1)                                          \
    X(fma_b,     "fma",   1, "xybXYZ",   6, 3,   3, 2, 0)                                          \
    X(neg_b,     "neg",   1, "bX",       2, 1,   1, 0, 0)                                          \
    X(abs_b,     "abs",   1, "xbX",      3, 1,   1, 0, 0)                                          \
    X(max_b,     "max",   1, "xybXY",    5, 2,   2, 0, 0)                                          \
    X(relu_b,    "relu",  1, "xbX",      3, 1,   1, 0, 0)
#define X(f, name, adjoint, arrays, loads, stores, adds, mults, divisions) BOTH(f, C_##f)
OPERATIONS(X)
#undef X
static const operation operations[] = {
#define X(f, name, adjoint, arrays, loads, stores, adds, mults, divisions)                    \
    { name, adjoint, arrays, { loads, stores, adds, mults, divisions },                            \
        { f##_double, f##_float } },
    OPERATIONS(X)
#undef X
};
#define OPERATION_COUNT (sizeof operations / sizeof operations[0])

/* 20,000 additions, each waiting for the one before: one cycle each on all CPUs of the last
   decades. (Not of a constant, which some of them add while decoding.) */
static void chain(const job *j)
{
    size_t i, a = 1;
    const size_t b = j->n;
    for (i = 0; i < 1000; i++) {
#if X86
#define ADD5 "add %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\tadd %1, %0\n\t"
        __asm__ volatile(ADD5 ADD5 ADD5 ADD5 : "+r"(a) : "r"(b));
#elif defined(__aarch64__)
#define ADD5 "add %0, %0, %1\n\tadd %0, %0, %1\n\tadd %0, %0, %1\n\tadd %0, %0, %1\n\t"            \
             "add %0, %0, %1\n\t"
        __asm__ volatile(ADD5 ADD5 ADD5 ADD5 : "+r"(a) : "r"(b));
#endif
    }
    (void)a;
}

/* What the limits come from: loops of 48 instructions of a kind, at most each twelfth waiting for
   another. */
#if X86
#define TWELVE(I, r, w) I("0", r, w) I("1", r, w) I("2", r, w) I("3", r, w) I("4", r, w)           \
    I("5", r, w) I("6", r, w) I("7", r, w) I("8", r, w) I("9", r, w) I("10", r, w) I("11", r, w)
#define COPY(i, r, w)      "vmovapd %%" r "15, %%" r i "\n\t"
#define LOAD(i, r, w)      "vmovupd " i "*" w "(%1), %%" r i "\n\t"
#define STORE(i, r, w)     "vmovupd %%" r i ", " i "*" w "(%1)\n\t"
#define ON(op, r, i)       op " %%" r "15, %%" r i ", %%" r i "\n\t"
#define ADD_PD(i, r, w)    ON("vaddpd", r, i)
#define ADD_PS(i, r, w)    ON("vaddps", r, i)
#define MUL_PD(i, r, w)    ON("vmulpd", r, i)
#define MUL_PS(i, r, w)    ON("vmulps", r, i)
#define DIV_PD(i, r, w)    ON("vdivpd", r, i)
#define DIV_PS(i, r, w)    ON("vdivps", r, i)
#define PORT_LOOP(name, TARGET, r, w, I)                                                           \
TARGET static void name(const job *j)                                                              \
{                                                                                                  \
    size_t n = j->n;                                                                               \
    __asm__ volatile("vmovupd (%1), %%" r "15\n\t" TWELVE(COPY, r, w) ".p2align 6\n"               \
        "1:\n\t" TWELVE(I, r, w) TWELVE(I, r, w) TWELVE(I, r, w) TWELVE(I, r, w)                  \
        "dec %0\n\tjnz 1b\n\tvzeroupper\n\t"                                                     \
        : "+r"(n) : "r"(j->a[0])                                                                   \
        : "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",  \
          "xmm9", "xmm10", "xmm11", "xmm15");                                                      \
}
#define PORT_LOOPS(tag, TARGET, r, w)                                                              \
    PORT_LOOP(tag##_load, TARGET, r, w, LOAD)     PORT_LOOP(tag##_store, TARGET, r, w, STORE)      \
    PORT_LOOP(tag##_add, TARGET, r, w, ADD_PD)    PORT_LOOP(tag##_addf, TARGET, r, w, ADD_PS)      \
    PORT_LOOP(tag##_mul, TARGET, r, w, MUL_PD)    PORT_LOOP(tag##_mulf, TARGET, r, w, MUL_PS)      \
    PORT_LOOP(tag##_div, TARGET, r, w, DIV_PD)    PORT_LOOP(tag##_divf, TARGET, r, w, DIV_PS)
PORT_LOOPS(avx2, TARGET_AVX2, "ymm", "32")
PORT_LOOPS(avx512, TARGET_AVX512, "zmm", "64")
#define PORT_TABLE(tag)                                                                            \
    { { tag##_load, tag##_store, tag##_add, tag##_mul, tag##_div },                                \
      { tag##_load, tag##_store, tag##_addf, tag##_mulf, tag##_divf } }
static void (*const port_loops[2][2][PORTS])(const job *) = {
    PORT_TABLE(avx2), PORT_TABLE(avx512)
};
#endif

#define CHAIN 20000.0
static const job chain_job = { chain, NULL, NULL, NULL, { NULL, NULL }, 3, { NULL }, { 0, 0 } };

/* Cycles that a register of this level costs each port; 0 if not known here. */
static void measure_ports(const level *l, int is_float, double cycles[PORTS])
{
    int p;
    for (p = 0; p < PORTS; p++) cycles[p] = 0;
#if X86
    if (l->simd == AD_SIMD_AVX2 || l->simd == AD_SIMD_AVX512) {
        static char memory[12 * 64] __attribute__((aligned(64)));
        job c = chain_job, m = chain_job;
        job *jobs[BENCH_PEERS] = { NULL, NULL, NULL, NULL };
        jobs[0] = &c;
        jobs[1] = &m;
        for (p = 0; p < PORTS; p++) {
            bench_race r;
            size_t i;
            for (i = 0; i < sizeof memory / 8; i++)
                if (is_float) ((float *)memory)[2 * i] = ((float *)memory)[2 * i + 1] = 1.0001f;
                else ((double *)memory)[i] = 1.0001;
            m.run = port_loops[l->simd == AD_SIMD_AVX512][is_float][p];
            m.n = 120;
            m.a[0] = memory;
            run_race(jobs, 1, 60e6, &r);
            cycles[p] = r.least[1] / r.least[0] * CHAIN / (48.0 * (double)m.n);
        }
    }
#else
    (void)l; (void)is_float;
#endif
}

static size_t region_bytes;              /* moved by memcpy: half read, half written */
static void copy_region(const job *j)
{
    memcpy((char *)j->a[0] + region_bytes / 2, j->a[0], region_bytes / 2);
}

/* The operation's arrays, each starting at another place within a page, so that no store looks like
   the address of a load to come. Returns the elements of each. */
static size_t lay_out(const operation *o, char *region, size_t bytes, int is_float, job *j)
{
    const size_t size = is_float ? sizeof(float) : sizeof(double), count = strlen(o->arrays);
    const size_t n = bytes / count / size / 64 * 64, apart = 4096 / count / 64 * 64;
    size_t i, k;
    for (i = 0; i < ARRAYS; i++) {
        const char *letter = strchr(o->arrays, array_letters[i]);
        j->a[i] = NULL;
        if (letter == NULL) continue;
        k = (size_t)(letter - o->arrays);
        j->a[i] = region + k * ((n * size + 4095) / 4096 * 4096 + apart);
        for (k = 0; k < n; k++) {
            const double v = i >= XB ? 0 : 0.5 + 0.001 * (double)(k % 1021);
            if (is_float) ((float *)j->a[i])[k] = (float)v;
            else ((double *)j->a[i])[k] = v;
        }
    }
    /* what is not looked at may lie where something is read; a sum is one number */
    for (i = 0; i < ARRAYS; i++)
        if (j->a[i] == NULL) j->a[i] = o->adjoint ? j->a[RB] : i == R_ ? region - 64 : NULL;
    return n;
}

static void elementwise_row(const operation *o, const level *l, int is_float,
    const double cycles[PORTS], char *region)
{
    const size_t size = is_float ? sizeof(float) : sizeof(double);
    const double lanes = (l->simd == AD_SIMD_AVX512 ? 64.0 : 32.0) / (double)size;
    const double moved = (double)(o->uses[LOADS] + o->uses[STORES]) * (double)size;
    job first = chain_job, ours = chain_job;
    job *jobs[BENCH_PEERS] = { NULL, NULL, NULL, NULL };
    double limit = 0, here;
    bench_race r;
    int p, port = -1;
    jobs[0] = &first;
    jobs[1] = &ours;
    ours.run = o->run[is_float];
    ours.kernels = l->kernels;
    ours.n = lay_out(o, region, L1_BYTES, is_float, &ours);
    for (p = 0; p < PORTS; p++)
        if (cycles[p] * o->uses[p] > limit * 1.0001) {
            limit = cycles[p] * o->uses[p];
            port = p;
        }
    run_race(jobs, 1, 40e6, &r);
    here = r.least[1] / r.least[0] * CHAIN / (double)ours.n;     /* cycles an element */
    printf("%-5s %-7s %-6s %-7s %8.4f %8.3f", o->name, o->adjoint ? "adjoint" : "value",
        type_name[is_float], l->name, r.least[1] / (double)ours.n, here * lanes);
    if (port < 0) printf(" %8s %-9s %5s", "", "", "");
    else printf(" %8.3f %-9s %4.0f%%", limit, port_name[port], 100 * limit / (here * lanes));

    region_bytes = OUT_BYTES;
    first.run = copy_region;
    first.a[0] = region;
    ours.n = lay_out(o, region, OUT_BYTES, is_float, &ours);
    run_race(jobs, 1, 300e6, &r);
    printf("   %6.2f %6.2f %4.0f%%\n", moved * (double)ours.n / r.ns[1],
        (double)region_bytes / r.ns[0],
        100 * (moved * (double)ours.n / (double)region_bytes) / r.ratio[1]);
    fflush(stdout);
}

static void elementwise(int (*wanted)(const char *))
{
    char *region = pages(OUT_BYTES + ((size_t)1 << 20)) + 4096;
    size_t i;
    int t, l, p;
    printf("\nELEMENTWISE: in the first cache (%d KiB in all arrays) as a percentage of the\n"
        "limit by the busiest port; out of cache (%d MiB) as a percentage of memcpy's bandwidth,\n"
        "bytes read and written (memcpy writes past the cache). cycles: of as many elements as a\n"
        "register holds (AVX-512: 64 bytes, else 32). In the cache the fastest of many runs, as\n"
        "others on the core take ports away; out of cache medians of runs in turns.\n",
        (int)(L1_BYTES >> 10), (int)(OUT_BYTES >> 20));
    for (t = 0; t < 2; t++)
        for (l = 0; types[t] && l < level_count; l++) {
            double cycles[PORTS];
            bench_race r;
            job c = chain_job;
            job *jobs[BENCH_PEERS] = { NULL, NULL, NULL, NULL };
            jobs[0] = &c;
            run_race(jobs, CHAIN, 20e6, &r);
            measure_ports(&levels[l], t, cycles);
            printf("\n%s %s: a cycle is %.4f ns; ", type_name[t], levels[l].name, r.least[0]);
            if (cycles[0] > 0) {
                printf("in it, registers of this level, measured:");
                for (p = 0; p < PORTS; p++) printf(" %.2f %s", 1 / cycles[p], port_name[p]);
            } else {
                printf("the ports' limits are known to this program on x86-64 only");
            }
            printf("\n%-28s %8s %8s %8s %-9s %5s   %6s %6s %5s\n", "", "ns", "cycles", "limit",
                "by", "of it", "GB/s", "memcpy", "of it");
            for (i = 0; i < OPERATION_COUNT; i++)
                if (wanted(operations[i].name))
                    elementwise_row(&operations[i], &levels[l], t, cycles, region);
        }
    munmap(region - 4096, OUT_BYTES);
}

/* ---------------------------------------------------------------- matrices */

/* OpenBLAS's functions by the standard interface of C, as far as we call them. */
enum { ROW_MAJOR = 101, NO_TRANS = 111, TRANS = 112, LOWER = 122, NON_UNIT = 131, LEFT = 141 };
typedef struct blas {
    void *library;
    void (*dgemm)(int, int, int, int, int, int, double, const double *, int, const double *, int,
        double, double *, int);
    void (*sgemm)(int, int, int, int, int, int, float, const float *, int, const float *, int,
        float, float *, int);
    void (*dgemv)(int, int, int, int, double, const double *, int, const double *, int, double,
        double *, int);
    void (*sgemv)(int, int, int, int, float, const float *, int, const float *, int, float, float *,
        int);
    void (*dger)(int, int, int, double, const double *, int, const double *, int, double *, int);
    void (*sger)(int, int, int, float, const float *, int, const float *, int, float *, int);
    void (*dsyrk)(int, int, int, int, int, double, const double *, int, double, double *, int);
    void (*ssyrk)(int, int, int, int, int, float, const float *, int, float, float *, int);
    void (*dtrsm)(int, int, int, int, int, int, int, double, const double *, int, double *, int);
    void (*strsm)(int, int, int, int, int, int, int, float, const float *, int, float *, int);
} blas;
static blas theirs;

static int open_blas(void)
{
    static const char *const names[] = { "libopenblas.so.0", "libopenblas.so" };
    size_t i;
    void *f;
    for (i = 0; i < 2 && theirs.library == NULL; i++)
        theirs.library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (theirs.library == NULL) return 0;
#define GET(name)                                                                                  \
    f = dlsym(theirs.library, "cblas_" #name);                                                     \
    if (f == NULL) return 0;                                                                       \
    memcpy(&theirs.name, &f, sizeof f);
    GET(dgemm) GET(sgemm) GET(dgemv) GET(sgemv) GET(dger) GET(sger) GET(dsyrk) GET(ssyrk)
    GET(dtrsm) GET(strsm)
#undef GET
    return 1;
}

/* Square matrices, rows one after another; a transpose is an exchange of our strides. a[0], a[1]:
   operands, a[2]: result, a[3]: workspace. */
#define TR(i) (j->transpose[i] ? TRANS : NO_TRANS)
#define MATRIX(T, P, s)                                                                            \
static void gemm_##T(const job *j)                                                                 \
{                                                                                                  \
    const ptrdiff_t n = (ptrdiff_t)j->n;                                                           \
    P##_kernel_gemm(j->kernels, j->n, j->n, j->n, 1, A(T, 0), j->transpose[0] ? 1 : n,             \
        j->transpose[0] ? n : 1, A(T, 1), j->transpose[1] ? 1 : n, j->transpose[1] ? n : 1, 0,     \
        A(T, 2), n, 1, j->a[3]);                                                                   \
}                                                                                                  \
static void gemm_theirs_##T(const job *j)                                                          \
{                                                                                                  \
    const int n = (int)j->n;                                                                       \
    theirs.s##gemm(ROW_MAJOR, TR(0), TR(1), n, n, n, 1, A(T, 0), n, A(T, 1), n, 0, A(T, 2), n);    \
}                                                                                                  \
static void gemv_##T(const job *j)                                                                 \
{                                                                                                  \
    const ptrdiff_t n = (ptrdiff_t)j->n;                                                           \
    P##_kernel_gemv(j->kernels, j->n, j->n, 1, A(T, 0), j->transpose[0] ? 1 : n,                   \
        j->transpose[0] ? n : 1, A(T, 1), 1, 0, A(T, 2), 1);                                       \
}                                                                                                  \
static void gemv_theirs_##T(const job *j)                                                          \
{                                                                                                  \
    const int n = (int)j->n;                                                                       \
    theirs.s##gemv(ROW_MAJOR, TR(0), n, n, 1, A(T, 0), n, A(T, 1), 1, 0, A(T, 2), 1);              \
}                                                                                                  \
static void ger_##T(const job *j)                                                                  \
{                                                                                                  \
    P##_kernel_ger(j->kernels, j->n, j->n, (T)1e-6, A(T, 1), 1, A(T, 0), 1, A(T, 2),               \
        (ptrdiff_t)j->n, 1);                                                                       \
}                                                                                                  \
static void ger_theirs_##T(const job *j)                                                           \
{                                                                                                  \
    const int n = (int)j->n;                                                                       \
    theirs.s##ger(ROW_MAJOR, n, n, (T)1e-6, A(T, 1), 1, A(T, 0), 1, A(T, 2), n);                   \
}                                                                                                  \
static void syrk_##T(const job *j)                                                                 \
{                                                                                                  \
    const ptrdiff_t n = (ptrdiff_t)j->n;                                                           \
    P##_kernel_syrk(j->kernels, j->n, j->n, 1, A(T, 0), j->transpose[0] ? 1 : n,                   \
        j->transpose[0] ? n : 1, 0, A(T, 2), n, 1, AD_LOWER);                                      \
}                                                                                                  \
static void syrk_theirs_##T(const job *j)                                                          \
{                                                                                                  \
    const int n = (int)j->n;                                                                       \
    theirs.s##syrk(ROW_MAJOR, LOWER, TR(0), n, n, 1, A(T, 0), n, 0, A(T, 2), n);                   \
}                                                                                                  \
static void trsm_##T(const job *j)                                                                 \
{                                                                                                  \
    const ptrdiff_t n = (ptrdiff_t)j->n;                                                           \
    P##_kernel_trsm(j->kernels, j->n, j->n, 1, A(T, 0), j->transpose[0] ? 1 : n,                   \
        j->transpose[0] ? n : 1, j->transpose[0] ? AD_UPPER : AD_LOWER, 0, A(T, 2), n, 1);         \
}                                                                                                  \
static void trsm_theirs_##T(const job *j)                                                          \
{                                                                                                  \
    const int n = (int)j->n;                                                                       \
    theirs.s##trsm(ROW_MAJOR, LEFT, LOWER, TR(0), NON_UNIT, n, n, 1, A(T, 0), n, A(T, 2), n);      \
}
MATRIX(double, ad, d)
MATRIX(float, adf, s)

typedef struct product {
    const char *name;
    int transposes;                      /* which of the operands may be */
    int in_place;                        /* the result is read too */
    double flops, power;                 /* flops n^power */
    int sizes[16];
    void (*ours[2])(const job *);
    void (*theirs[2])(const job *);
} product;
#define RUN(name) { name##_double, name##_float }, { name##_theirs_double, name##_theirs_float }
static const product products[] = {
    { "gemm", 2, 0, 2, 3, { 4, 8, 16, 32, 64, 100, 128, 192, 256, 512, 1024, 2048, 0 }, RUN(gemm) },
    { "gemv", 1, 0, 2, 2, { 32, 64, 100, 256, 1000, MAX_SIZE, 0 }, RUN(gemv) },
    { "ger",  0, 1, 2, 2, { 32, 64, 100, 256, 1000, MAX_SIZE, 0 }, RUN(ger) },
    { "syrk", 1, 0, 1, 3, { 32, 64, 100, 256, 1000, 2048, 0 }, RUN(syrk) },
    { "trsm", 1, 1, 1, 3, { 32, 64, 100, 256, 1000, 2048, 0 }, RUN(trsm) },
};
#define PRODUCTS (sizeof products / sizeof products[0])

/* What is multiplied; A of trsm is triangular and so near to 1 that B, solved for again and again,
   stays what it is. */
static void fill_matrix(int is_float, void *p, size_t n, int triangular)
{
    size_t i, k;
    for (i = 0; i < n; i++)
        for (k = 0; k < n; k++) {
            double v = (double)((i * 7 + k * 13 + i * k % 101) % 127) / 127 - 0.5;
            if (triangular) v = i == k ? 1 : k < i ? 1e-7 * v : 0;
            if (is_float) ((float *)p)[i * n + k] = (float)v;
            else ((double *)p)[i * n + k] = v;
        }
}

static void matrix_row(const product *b, size_t n, int variant, int is_float, const level *l,
    char *const memory[4])
{
    const size_t size = is_float ? sizeof(float) : sizeof(double);
    const double wanted = n > 256 ? 0.92 : 1, flops = b->flops * pow((double)n, b->power);
    const double tolerance = (is_float ? 1e-6 : 1e-14) * (30 + 2 * (double)n);
    const int vector = strcmp(b->name, "gemv") == 0;
    job first, second;
    job *jobs[BENCH_PEERS] = { NULL, NULL, NULL, NULL };
    char what[32], shape[4] = "";
    bench_race r;
    int i;
    for (i = b->transposes; i-- > 0;) strcat(shape, variant >> i & 1 ? "t" : "n");
    snprintf(what, sizeof what, "%s%s%s %d", b->name, shape[0] ? "_" : "", shape, (int)n);
    memset(&first, 0, sizeof first);
    first.kernels = l->kernels;
    first.n = n;
    first.transpose[0] = b->transposes && (variant >> (b->transposes - 1) & 1);
    first.transpose[1] = b->transposes == 2 && (variant & 1);
    for (i = 0; i < 4; i++) first.a[i] = memory[i];
    first.run = b->ours[is_float];
    fill_matrix(is_float, memory[0], n, strcmp(b->name, "trsm") == 0);
    fill_matrix(is_float, memory[1], n, 0);
    fill_matrix(is_float, memory[2], n, 0);
    second = first;
    second.run = b->theirs[is_float];
    jobs[0] = &first;
    if (theirs.library) jobs[1] = &second;
    printf("%-12s %-6s %-7s", what, type_name[is_float], l->name);
    first.run(&first);
    if (theirs.library) {
        const size_t count = vector ? n : n * n;
        double wrong;
        memcpy(memory[3], memory[2], count * size);
        fill_matrix(is_float, memory[2], n, 0);
        second.run(&second);
        wrong = difference(is_float, memory[3], memory[2], count);
        if (!(wrong <= tolerance)) {
            printf(" WRONG: differs from OpenBLAS by %.2g\n", wrong);
            goals->wrong++;
            return;
        }
    }
    run_race(jobs, 1, 60e6, &r);
    printf(" %8.2f", flops / r.ns[0]);
    if (theirs.library) {
        printf(" %8.2f   %5.2f (%.2f-%.2f)%s", flops / r.ns[1], r.ratio[1], r.low[1], r.high[1],
            r.ratio[1] >= wanted ? "" : "  < missed");
        goal(r.ratio[1] >= wanted, what, type_name[is_float], l->name, "OpenBLAS", r.ratio[1],
            wanted);
    }
    printf("\n");
    fflush(stdout);
}

static void matrix_level(const level *l, int (*wanted)(const char *))
{
    char *memory[4];
    size_t b, s;
    int t, v;
    for (v = 0; v < 4; v++)              /* not all at the same place of a page */
        memory[v] = pages((size_t)MAX_SIZE * MAX_SIZE * sizeof(double) + 4096) + 256 * v;
    if (open_blas()) {
        const char *(*core)(void) = NULL, *(*config)(void) = NULL;
        void *f = dlsym(theirs.library, "openblas_get_corename");
        memcpy(&core, &f, sizeof f);
        f = dlsym(theirs.library, "openblas_get_config");
        memcpy(&config, &f, sizeof f);
        printf("\n%s against OpenBLAS, kernels %s, %s\n", l->name, core ? core() : "?",
            config ? config() : "?");
    } else {
        theirs.library = NULL;
        printf("\nSKIP OpenBLAS: no libopenblas.so.0 (Debian: libopenblas-dev)\n");
    }
    printf("%-27s %8s %8s   ratio (quartiles)\n", "", "ours", theirs.library ? "OpenBLAS" : "");
    for (b = 0; b < PRODUCTS; b++)
        for (t = 0; t < 2; t++)
            for (s = 0; types[t] && wanted(products[b].name) && products[b].sizes[s]; s++)
                for (v = 0; v < 1 << products[b].transposes; v++)
                    matrix_row(&products[b], (size_t)products[b].sizes[s], v, t, l, memory);
}

/* OpenBLAS chooses its kernels and threads once, when it is loaded: a process for each level. */
static void matrix(int (*wanted)(const char *))
{
    int l;
    printf("\nMATRICES: square, one thread, GFLOP/s; gemm_nt is A B^T, rows one after another.\n"
        "ratio: our GFLOP/s over OpenBLAS's. Goals: 1.00 up to n = 256, 0.92 above.\n");
    for (l = 0; l < level_count; l++) {
        pid_t child;
        int status = 0;
        fflush(stdout);
        child = fork();
        if (child == 0) {
            setenv("OPENBLAS_NUM_THREADS", "1", 1);
            if (levels[l].simd == AD_SIMD_AVX2) setenv("OPENBLAS_CORETYPE", "Haswell", 1);
            if (levels[l].simd == AD_SIMD_AVX512) setenv("OPENBLAS_CORETYPE", "SkylakeX", 1);
            matrix_level(&levels[l], wanted);
            fflush(stdout);
            _exit(0);
        }
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
            printf("WRONG: the process for %s ended badly\n", levels[l].name);
            goals->wrong++;
        }
    }
}

/* ---------------------------------------------------------------- the program */

static const char *const parts[] = { "math", "elementwise", "matrix" };
static int part_wanted[3];
static char **names;
static int name_count;

static int is_wanted(const char *name)
{
    int i;
    for (i = 0; i < name_count; i++) if (strcmp(names[i], name) == 0) return 1;
    return name_count == 0;
}
/* The parts that know the name, as bits. */
static int parts_of(const char *name)
{
    int known = 0;
    size_t i;
    for (i = 0; i < FUNCTIONS; i++) if (strcmp(functions[i].name, name) == 0) known |= 1;
    for (i = 0; i < OPERATION_COUNT; i++) if (strcmp(operations[i].name, name) == 0) known |= 2;
    for (i = 0; i < PRODUCTS; i++) if (strcmp(products[i].name, name) == 0) known |= 4;
    return known;
}

static void add_level(ad_simd simd, int must)
{
    const ad_kernels *k = ad_kernels_get(simd);
    if (k == NULL) {
        if (must) printf("SKIP %s: this build or this CPU lacks it\n", ad_simd_name(simd));
        return;
    }
    if (level_count == 4) return;
    levels[level_count].simd = simd;
    levels[level_count].kernels = k;
    levels[level_count].name = ad_simd_name(simd);
    level_count++;
}

static void print_machine(void)
{
    bench_machine("array kernels");
    printf("; flags: %s", KERNELS_FLAGS);
#if defined(__GLIBC__)
    printf("; glibc %s", gnu_get_libc_version());
#endif
    printf("\n");
}

static int usage(const char *what)
{
    fprintf(stderr, "kernels: %s?\n"
        "usage: kernels [math] [elementwise] [matrix] [NAME]... [--double] [--float]\n"
        "               [--level avx2 | avx512 | neon | plain]...\n", what);
    return 2;
}

int main(int argc, char **argv)
{
    static const struct { const char *name; ad_simd simd; } sets[] = {
        { "avx2", AD_SIMD_AVX2 }, { "avx512", AD_SIMD_AVX512 }, { "neon", AD_SIMD_NEON },
        { "plain", AD_SIMD_PLAIN }
    };
    const double start = bench_now();
    size_t i;
    int a, known = 0, some = 0, l, t;
    goals = (bench_goals *)mmap(NULL, sizeof *goals, PROT_READ | PROT_WRITE,
        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    names = (char **)malloc((size_t)argc * sizeof *names);
    if (goals == (bench_goals *)MAP_FAILED || names == NULL) return 2;
    for (a = 1; a < argc; a++) {
        for (i = 0; i < 3; i++) if (strcmp(argv[a], parts[i]) == 0) part_wanted[i] = some = 1;
        if (strcmp(argv[a], "math") == 0 || strcmp(argv[a], "elementwise") == 0
            || strcmp(argv[a], "matrix") == 0) continue;
        if (strcmp(argv[a], "--double") == 0) types[0] = 1;
        else if (strcmp(argv[a], "--float") == 0) types[1] = 1;
        else if (strcmp(argv[a], "--level") == 0 && a + 1 < argc) {
            for (i = 0; i < 4; i++) if (strcmp(argv[a + 1], sets[i].name) == 0) break;
            if (i == 4) return usage(argv[a + 1]);
            add_level(sets[i].simd, 1);
            if (level_count == 0) return 0;
            a++;
        } else if (parts_of(argv[a])) {
            names[name_count++] = argv[a];
            known |= parts_of(argv[a]);
        } else return usage(argv[a]);
    }
    for (i = 0; i < 3; i++)
        if (!some) part_wanted[i] = name_count == 0 || (known >> i & 1);
    for (i = 0; level_count == 0 && i < 3; i++) {
        add_level(sets[i].simd, 0);
        if (i == 0) add_level(AD_SIMD_AVX512, 0);
    }
    if (level_count == 0) add_level(AD_SIMD_PLAIN, 0);
    if (!types[0] && !types[1]) types[0] = types[1] = 1;
    print_machine();
    if (part_wanted[0]) {
        open_math();
        math_head();
        for (i = 0; i < FUNCTIONS; i++)
            for (t = 0; t < 2; t++)
                for (l = 0; l < level_count; l++)
                    if (types[t] && is_wanted(functions[i].name))
                        math_row(&functions[i], &levels[l], t);
    }
    if (part_wanted[1]) elementwise(is_wanted);
    if (part_wanted[2]) matrix(is_wanted);
    return bench_end(goals, start);
}
