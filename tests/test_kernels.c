/* The kernels on plain arrays, on every instruction set of this machine (or the one that the
   environment variable AD_TEST_SIMD names: plain, avx2, avx512, neon): every rule of the table
   against its scalar reading and its adjoint against the partials that a tape gives; reductions and
   products of matrices against sums of twice the digits; sizes, alignments, strides, operands in
   place, numbers for arrays; what lies around an output; bad arguments.
   The file includes itself, once for each real type, behind the first #else.
   Sections: Kernels on Plain Arrays; The Table as Formulas; Special Functions; Lanes: The
   Vocabulary; Lanes: Mathematics; Lanes: The Table's Words; Lanes: Elementwise Kernels; Lanes:
   Reductions; Lanes: Matrices; Choosing an Instruction Set; Kernels: Calling Them. */
#ifndef KREAL
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include "test.h"
#include "rows.h"

TEST_DEF void suite_kernels(void);

/* ---- where a failure is */
static struct { const char *level, *real, *name; size_t n; } now;

static int expect(int ok, int line, const char *what)
{
    return test_check(ok, __FILE__, line, "%s, %s, %s, n = %lu: %s", now.level, now.real, now.name,
        (unsigned long)now.n, what);
}
#define EXPECT(c) expect(!!(c), __LINE__, #c)

static void at_test(const char *name, size_t n)
{
    now.name = name;
    now.n = n;
}

/* ---- instruction sets */
enum { LEVELS = 4 };
static const struct { ad_simd simd; const char *name; } every_level[LEVELS] = {
    { AD_SIMD_PLAIN, "plain" }, { AD_SIMD_AVX2, "avx2" }, { AD_SIMD_AVX512, "avx512" },
    { AD_SIMD_NEON, "neon" } };
static struct { const ad_kernels *kernels; const char *name; int plain; } level[LEVELS];
static size_t levels;

/* The level is where messages say they are; its kernels. */
static const ad_kernels *on_level(size_t l)
{
    now.level = level[l].name;
    return level[l].kernels;
}

static void find_levels(void)
{
    const char *wanted = getenv("AD_TEST_SIMD");
    size_t i;
    int known = !wanted || !*wanted;
    levels = 0;
    for (i = 0; i < LEVELS; i++) {
        const ad_kernels *k = ad_kernels_get(every_level[i].simd);
        if (wanted && *wanted && strcmp(wanted, every_level[i].name) != 0) continue;
        known = 1;
        if (!k) {
            if (wanted && *wanted) printf("SKIP kernels: this machine lacks %s\n", wanted);
            continue;
        }
        level[levels].kernels = k;
        level[levels].name = every_level[i].name;
        level[levels++].plain = every_level[i].simd == AD_SIMD_PLAIN;
    }
    test_check(known, __FILE__, __LINE__, "AD_TEST_SIMD = %s names no instruction set", wanted);
}

/* Valgrind's fused -(x y) + z (up to 3.19 at least) has the wrong sign where it is a zero; so the
   signs of the zeros that functions of mathematics give cannot be compared under it. */
static int zeros_have_signs = 1;

static void find_signs(void)
{
#if defined(__GNUC__) && defined(__x86_64__)
    volatile double zero = 0;
    double r = zero, x = zero;
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("fma")) return;
    __asm__("vfnmadd231sd %1, %1, %0" : "+x"(r) : "x"(x));
    x = 1;
    zeros_have_signs = copysign(x, r) > 0;
    if (!zeros_have_signs) printf("kernels: an emulator without signs of zeros\n");
#endif
}

/* ---- numbers that are the same in every run */
static uint32_t seed = 2463534242u;

static uint32_t draw(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed;
}
static size_t draw_below(size_t n) { return draw() % n; }
static double draw_unit(void) { return (double)draw() / 2147483648.0 - 1; }      /* [-1, 1) */

/* ---- sums of twice the digits: Knuth's two-sum, and the fused product's remainder. The volatile
   numbers keep a compiler that contracts products and sums out of the error terms. */
typedef struct wide { double high, low; } wide;

static wide wide_add(wide s, double x)
{
    volatile double t = s.high + x, b = t - s.high, a = t - b;
    wide r;
    r.low = s.low + ((s.high - a) + (x - b));
    r.high = t;
    return r;
}

static wide wide_add_product(wide s, double x, double y)
{
    volatile double p = x * y;
    return wide_add(wide_add(s, p), fma(x, y, -p));
}

static double wide_value(wide s) { return s.high + s.low; }
/* v - s without the loss of s.low */
static double wide_error(wide s, double v) { return fabs((v - s.high) - s.low); }

enum { MANY = 1499, SPECIALS = 30, GUARD = 16, ROOM = MANY + 3 * GUARD, PLACES = 8 };

#define KREAL    double
#define KBITS    uint64_t
#define KA(name) ad_##name
#define KT(name) name##_d
#define KEPS     DBL_EPSILON
#define KMAX     DBL_MAX
#define KTINY    DBL_MIN
#define KLEAST   4.9406564584124654e-324
#define KEXP     DBL_MAX_EXP
#define KDOUBLE  1
#include "test_kernels.c"
#undef KREAL
#undef KBITS
#undef KA
#undef KT
#undef KEPS
#undef KMAX
#undef KTINY
#undef KLEAST
#undef KEXP
#undef KDOUBLE
#define KREAL    float
#define KBITS    uint32_t
#define KA(name) adf_##name
#define KT(name) name##_f
#define KEPS     FLT_EPSILON
#define KMAX     FLT_MAX
#define KTINY    FLT_MIN
#define KLEAST   1.40129846e-45f
#define KEXP     FLT_MAX_EXP
#define KDOUBLE  0
#include "test_kernels.c"

static void simd_levels(void)
{
    static const ad_simd any[] = { AD_SIMD_BEST, AD_SIMD_PLAIN, AD_SIMD_AVX2, AD_SIMD_AVX512,
        AD_SIMD_NEON, (ad_simd)5, (ad_simd)7 };
    const ad_kernels *best = ad_kernels_get(AD_SIMD_BEST);
    size_t i, j;
    now.level = "-";
    now.real = "-";
    at_test("ad_kernels_get", 0);
    EXPECT(best != NULL && ad_kernels_get(AD_SIMD_PLAIN) != NULL);
    EXPECT(ad_kernels_simd(best) != AD_SIMD_BEST);
    EXPECT(ad_kernels_get(ad_kernels_simd(best)) == best);
    EXPECT(ad_kernels_get((ad_simd)5) == NULL && ad_kernels_get((ad_simd)7) == NULL);
    CHECK_STRING(ad_simd_name(AD_SIMD_AVX2), "AVX2");
    for (i = 0; i < sizeof any / sizeof any[0]; i++) {
        const ad_kernels *k = ad_kernels_get(any[i]);
        EXPECT(ad_simd_name(any[i]) != NULL && ad_simd_name(any[i])[0] != 0);
        for (j = 0; j < i && i < 5; j++)
            EXPECT(strcmp(ad_simd_name(any[i]), ad_simd_name(any[j])) != 0);
        if (k && i > 0) EXPECT(ad_kernels_simd(k) == any[i]);
        EXPECT(k == ad_kernels_get(any[i]));
    }
    /* later in the enumeration is better, but for the other architecture's */
    for (i = 1; i < 5; i++)
        if (ad_kernels_get(any[i])) EXPECT(ad_kernels_simd(best) >= any[i]);
#if defined(AUTODIFF_NO_SIMD)
    EXPECT(ad_kernels_simd(best) == AD_SIMD_PLAIN);
#elif defined(__aarch64__) && !defined(AUTODIFF_SIMD)
    EXPECT(ad_kernels_simd(best) == AD_SIMD_NEON);
#endif
#if !defined(__aarch64__)
    EXPECT(ad_kernels_get(AD_SIMD_NEON) == NULL);
#endif
#if !defined(__x86_64__)
    EXPECT(ad_kernels_get(AD_SIMD_AVX2) == NULL && ad_kernels_get(AD_SIMD_AVX512) == NULL);
#elif defined(__GNUC__) && !defined(AUTODIFF_NO_SIMD) && !defined(AUTODIFF_SIMD)                  \
    && (defined(__clang__) || !defined(_WIN32))
    __builtin_cpu_init();
    EXPECT((ad_kernels_get(AD_SIMD_AVX2) != NULL)
        == (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")));
    EXPECT((ad_kernels_get(AD_SIMD_AVX512) != NULL)
        == (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")
         && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw")));
#endif
}

TEST_DEF void suite_kernels(void)
{
    find_levels();
    find_signs();
    simd_levels();
    everything_d();
    everything_f();
}

#else

/* ======================================================================== for each real type */

static const KREAL KT(inf) = (KREAL)INFINITY, KT(not_a_number) = (KREAL)NAN;

static int KT(same)(KREAL a, KREAL b)          /* the same bits, or NaN and NaN */
{
    return a != a || b != b ? a != a && b != b : memcmp(&a, &b, sizeof a) == 0;
}

static int KT(is_finite)(KREAL v) { return v - v == 0; }

/* How many numbers lie from a to b; beyond the greatest comes infinity. */
static KBITS KT(distance)(KREAL a, KREAL b)
{
    const KBITS sign = (KBITS)1 << (sizeof(KBITS) * 8 - 1);
    KBITS u, v;
    if (a != a || b != b) return a != a && b != b ? 0 : (KBITS)-1;
    memcpy(&u, &a, sizeof u);
    memcpy(&v, &b, sizeof v);
    u = u & sign ? (KBITS)(sign - (u - sign)) : (KBITS)(sign + u);
    v = v & sign ? (KBITS)(sign - (v - sign)) : (KBITS)(sign + v);
    return u < v ? (KBITS)(v - u) : (KBITS)(u - v);
}

/* Within some units in the last place of the result, or of scale where the result is a difference.
   A zero is to have the right sign. */
static int KT(close)(KREAL got, KREAL want, int units, KREAL scale)
{
    if (got == 0 && want == 0) return !zeros_have_signs || KT(same)(got, want);
    return KT(distance)(got, want) <= (KBITS)units
        || fabs((double)got - (double)want) <= (double)scale * units * (double)KEPS;
}

/* ---- arrays with a guard zone before and behind */
static KREAL KT(place)[PLACES][ROOM];
static const KREAL KT(guard) = (KREAL)-7777.25;

/* A copy of n numbers that starts `offset` behind the guard. */
static KREAL *KT(put)(size_t at, size_t offset, size_t n, const KREAL *from)
{
    KREAL *p = KT(place)[at];
    size_t i;
    for (i = 0; i < GUARD + offset; i++) p[i] = KT(guard);
    memcpy(p + i, from, n * sizeof *p);
    for (i += n; i < 2 * GUARD + offset + n; i++) p[i] = KT(guard);
    return p + GUARD + offset;
}

static int KT(intact)(size_t at, const KREAL *start, size_t n)
{
    const KREAL *p = KT(place)[at];
    const size_t first = (size_t)(start - p);
    size_t i;
    for (i = 0; i < first; i++) if (p[i] != KT(guard)) return 0;
    for (i = first + n; i < first + n + GUARD; i++) if (p[i] != KT(guard)) return 0;
    return 1;
}

static int KT(equal)(size_t n, const KREAL *a, const KREAL *b)
{
    size_t i;
    if (n == 0 || memcmp(a, b, n * sizeof *a) == 0) return 1;
    for (i = 0; i < n && KT(same)(a[i], b[i]); i++) continue;
    return i == n;
}

/* s + x y with more digits than KREAL's, by the cheapest way to have them */
static wide KT(add_product)(wide s, double x, double y)
{
    if (KDOUBLE) return wide_add_product(s, x, y);
    s.high += x * y;
    return s;
}

/* ------------------------------------------------------------------ the rules of the table */

typedef struct KT(rule) {
    const char *name;
    int operands;
    KREAL  (*real1)(KREAL);
    KREAL  (*real2)(KREAL, KREAL);
    KREAL  (*real3)(KREAL, KREAL, KREAL);
    double (*wide1)(double);
    double (*wide2)(double, double);
    double (*wide3)(double, double, double);
    KA(var) (*var1)(KA(var));
    KA(var) (*var2)(KA(var), KA(var));
    KA(var) (*var3)(KA(var), KA(var), KA(var));
    ad_status (*value1)(const ad_kernels *, size_t, const KREAL *, KREAL *);
    ad_status (*value2)(const ad_kernels *, size_t, const KREAL *, size_t, const KREAL *, size_t,
        KREAL *);
    ad_status (*value3)(const ad_kernels *, size_t, const KREAL *, size_t, const KREAL *, size_t,
        const KREAL *, size_t, KREAL *);
    ad_status (*adjoint1)(const ad_kernels *, size_t, const KREAL *, const KREAL *, const KREAL *,
        KREAL *);
    ad_status (*adjoint2)(const ad_kernels *, size_t, const KREAL *, size_t, const KREAL *, size_t,
        const KREAL *, const KREAL *, KREAL *, KREAL *);
    ad_status (*adjoint3)(const ad_kernels *, size_t, const KREAL *, size_t, const KREAL *, size_t,
        const KREAL *, size_t, const KREAL *, const KREAL *, KREAL *, KREAL *, KREAL *);
} KT(rule);

static const KT(rule) KT(rules)[] = {
#define X1(n, class_, v, dx) { #n, 1, KA(real_##n), NULL, NULL, ad_real_##n, NULL, NULL,           \
    KA(var_##n), NULL, NULL, KA(kernel_##n), NULL, NULL, KA(kernel_##n##_adjoint), NULL, NULL },
#define X2(n, class_, v, dx, dy) { #n, 2, NULL, KA(real_##n), NULL, NULL, ad_real_##n, NULL,       \
    NULL, KA(var_##n), NULL, NULL, KA(kernel_##n), NULL, NULL, KA(kernel_##n##_adjoint), NULL },
#define X3(n, class_, v, dx, dy, dz) { #n, 3, NULL, NULL, KA(real_##n), NULL, NULL, ad_real_##n,   \
    NULL, NULL, KA(var_##n), NULL, NULL, KA(kernel_##n), NULL, NULL, KA(kernel_##n##_adjoint) },
    ADI_READ((X1, X2, X3, ADI_SKIPN, ADI_WORDS(ADI_WORD_TEXT)))
#undef X1
#undef X2
#undef X3
};

static KREAL KT(real)(const KT(rule) *u, KREAL x, KREAL y, KREAL z)
{
    return u->operands == 1 ? u->real1(x) : u->operands == 2 ? u->real2(x, y) : u->real3(x, y, z);
}

static KREAL KT(rounded)(const KT(rule) *u, KREAL x, KREAL y, KREAL z)     /* of the wide result */
{
    return (KREAL)(u->operands == 1 ? u->wide1((double)x)
        : u->operands == 2 ? u->wide2((double)x, (double)y)
        : u->wide3((double)x, (double)y, (double)z));
}

static ad_status KT(value)(const KT(rule) *u, const ad_kernels *k, size_t n, KREAL *const *x,
    const size_t *inc, KREAL *r)
{
    if (u->operands == 1) return u->value1(k, n, x[0], r);
    if (u->operands == 2) return u->value2(k, n, x[0], inc[0], x[1], inc[1], r);
    return u->value3(k, n, x[0], inc[0], x[1], inc[1], x[2], inc[2], r);
}

static ad_status KT(adjoint)(const KT(rule) *u, const ad_kernels *k, size_t n, KREAL *const *x,
    const size_t *inc, const KREAL *r, const KREAL *r_bar, KREAL *const *bar)
{
    if (u->operands == 1) return u->adjoint1(k, n, x[0], r, r_bar, bar[0]);
    if (u->operands == 2)
        return u->adjoint2(k, n, x[0], inc[0], x[1], inc[1], r, r_bar, bar[0], bar[1]);
    return u->adjoint3(k, n, x[0], inc[0], x[1], inc[1], x[2], inc[2], r, r_bar, bar[0], bar[1],
        bar[2]);
}

/* The partials at one point, by recording and sweeping. */
static void KT(partials)(KA(tape) *t, const KT(rule) *u, const KREAL *x, KREAL *p)
{
    KA(var) in[3], y;
    int j;
    KA(tape_reset)(t);
    for (j = 0; j < u->operands; j++) in[j] = KA(input)(t, x[j]);
    y = u->operands == 1 ? u->var1(in[0]) : u->operands == 2 ? u->var2(in[0], in[1])
        : u->var3(in[0], in[1], in[2]);
    KA(backward)(y);
    for (j = 0; j < u->operands; j++) p[j] = KA(adjoint)(in[j]);
}

/* One rule's operands and what must come of them: the scalar reading, and the partials. An operand
   with increment 0 has the same number at every place. */
typedef struct KT(set) {
    const KT(rule) *rule;
    size_t inc[3];
    int exact;
    KREAL x[3][MANY], r_bar[MANY], bar[3][MANY];
    KREAL r[MANY], rounded[MANY], p[3][MANY];
    KREAL value[MANY], sum[3][MANY];           /* the results of a level, once they are checked */
} KT(set);
static KT(set) KT(set_);

static const KREAL KT(special)[SPECIALS] = { 0, (KREAL)-0.0, 1, -1, (KREAL)0.5, (KREAL)-0.5, 2,
    (KREAL)-2.5, 3, (KREAL)1.5, KLEAST, -5 * KLEAST, KTINY, -KTINY, KMAX, -KMAX, (KREAL)INFINITY,
    (KREAL)-INFINITY, (KREAL)NAN, 1 + KEPS, 1 - KEPS / 2, -1 - KEPS, (KREAL)0.5 - KEPS / 4,
    1 / KEPS - (KREAL)0.5, 2 / KEPS + 3, 64, -65, (KREAL)88.5, -4, (KREAL)1e-9 };

static KREAL KT(ordinary)(void)
{
    const double u = draw_unit();
    switch (draw() % 6) {
    case 0: return (KREAL)u;
    case 1: return (KREAL)(8 * u);
    case 2: return (KREAL)floor(10 * u);
    case 3: return (KREAL)(100 * fabs(u));
    case 4: return (KREAL)ldexp(u, (int)(draw() % 60) - 30);
    default: return (KREAL)ldexp(u, (int)(draw() % (2 * KEXP)) - KEXP);
    }
}

static KREAL KT(a_special)(void) { return KT(special)[draw_below(SPECIALS)]; }

/* combination: bit j set where operand j is one number; choice: what number that is */
static void KT(prepare)(KA(tape) *t, const KT(rule) *u, unsigned combination, int choice)
{
    static const KREAL plain[3] = { (KREAL)1.25, 2, (KREAL)0.75 };
    KT(set) *s = &KT(set_);
    const size_t crossed = u->operands == 1 ? SPECIALS : SPECIALS * SPECIALS;
    size_t i, j;
    s->rule = u;
    s->exact = row_is_exact(u->name);
    for (i = 0; i < MANY; i++) {
        const size_t at = i * 619 % MANY;      /* so that specials and others are mixed */
        for (j = 0; j < 3; j++) {
            const uint32_t d = draw();
            s->x[j][at] = i < crossed ? KT(special)[(j == 0 ? i : j == 1 ? i / SPECIALS
                                                     : 7 * i + i / SPECIALS) % SPECIALS]
                : j > 0 && d % 8 == 0 ? s->x[j - 1][at]
                : d % 16 == 1 ? KT(a_special)() : KT(ordinary)();
            s->bar[j][at] = (KREAL)(draw() % 8 ? draw_unit() : 0);
        }
        s->r_bar[at] = (KREAL)(2 * draw_unit());
        switch (draw() % 32) {
        case 0: case 1: case 2: s->r_bar[at] = 0; break;
        case 3: s->r_bar[at] = (KREAL)-0.0; break;
        case 4: s->r_bar[at] = draw() % 2 ? KT(inf) : -KT(inf); break;
        case 5: if (draw() % 2) s->r_bar[at] = KT(not_a_number); break;
        default: break;
        }
    }
    for (j = 0; j < 3; j++) {
        const KREAL number = choice == 0 ? plain[j] : choice == 1 ? KT(special)[j]
            : choice == 2 ? KT(a_special)() : KT(ordinary)();
        s->inc[j] = !(combination >> j & 1);
        if (s->inc[j]) continue;
        for (i = 0; i < MANY; i++) {
            s->x[j][i] = number;
            s->bar[j][i] = s->bar[j][0];
        }
    }
    for (i = 0; i < MANY; i++) {
        KREAL x[3], p[3] = { 0, 0, 0 };
        for (j = 0; j < 3; j++) x[j] = s->x[j][i];
        s->r[i] = KT(real)(u, x[0], x[1], x[2]);
        s->rounded[i] = KT(rounded)(u, x[0], x[1], x[2]);
        KT(partials)(t, u, x, p);
        for (j = 0; j < 3; j++) s->p[j][i] = p[j];
    }
}

/* The bits are promised at this place. An integer power beyond 64 is the function pow. */
static int KT(exact_at)(size_t i)
{
    const KREAL y = KT(set_).x[1][i];
    if (!KT(set_).exact) return 0;
    return strcmp(KT(set_).rule->name, "ipow") != 0 || (y >= -63 && y <= 64) || y != y;
}

/* Whether a level's value at place i is right. Where there is a wider type, its rounded result is
   the reference of the functions that are within 1.5 units; libm's own are less accurate. */
static int KT(value_is_right)(int plain, size_t i, KREAL got)
{
    const KT(set) *s = &KT(set_);
    const char *name = s->rule->name;
    const KREAL x = s->x[0][i], y = s->x[1][i];
    int units = KDOUBLE ? 7 : plain ? 4 : 2;
    KREAL scale = 0;
    if (KT(exact_at)(i)) return KT(same)(got, s->r[i]);
    if (strcmp(name, "logaddexp") == 0 && KT(is_finite)(x) && KT(is_finite)(y))
        scale = KA(real_max)(KA(real_abs)(x), KA(real_abs)(y));
    if (row_listed(" digamma trigamma polygamma ", name)) units = KDOUBLE ? 450 : 4;
    if (row_listed(" digamma polygamma ", name)) scale = 1;
    if (strcmp(name, "lgamma") == 0 && x < 0) {
        units = 16;
        scale = KA(real_abs)(x) < 8 ? 8 : KA(real_abs)(x);
    }
    if (KT(close)(got, s->r[i], KDOUBLE ? units : 2, scale)) return 1;
    if (strcmp(name, "sigmoid") == 0 && KA(real_abs)(got) <= KTINY
        && KA(real_abs)(s->r[i]) <= KTINY)
        return 1;                              /* 1 / (1 + exp(-x)), where exp(-x) overflows */
    return !KDOUBLE && KT(close)(got, s->rounded[i], units, scale);
}

/* r_bar dr/dx, where 0 times anything is 0 */
static KREAL KT(contribution)(KREAL p, KREAL r_bar)
{
    volatile KREAL c = p == 0 || r_bar == 0 ? 0 : p * r_bar;
    return c;
}

/* How far a contribution may be from the scalar one. The partials of tanh, sigmoid and of those
   that have a zero between terms of another sign are exact to a unit of 1. An error of half the
   least number, times a factor, is an error of that size. */
static double KT(slack)(size_t i, KREAL c)
{
    const KT(set) *s = &KT(set_);
    const char *name = s->rule->name;
    double units = 32, size = fabs((double)c), large = 1;
    int j;
    if (KT(exact_at)(i)) return 0;
    if (row_listed(" lgamma digamma trigamma polygamma ", name)) units = KDOUBLE ? 2000 : 32;
    if (row_listed(" tanh sigmoid lgamma digamma polygamma gelu gelu_tanh silu ", name)
        && KT(is_finite)(s->r_bar[i])) size += fabs((double)s->r_bar[i]);
    for (j = 0; j < s->rule->operands; j++)
        if (KT(is_finite)(s->x[j][i]) && fabs((double)s->x[j][i]) > large)
            large = fabs((double)s->x[j][i]);
    return units * size * (double)KEPS + 64 * large * (double)KLEAST;
}

/* A partial of tanh or sigmoid that may as well be rounded to 0, times infinity or NaN. */
static int KT(undecided)(size_t i)
{
    const KT(set) *s = &KT(set_);
    return !KT(is_finite)(s->r_bar[i]) && row_listed(" tanh sigmoid ", s->rule->name)
        && KA(real_abs)(s->p[0][i]) <= 16 * KEPS;
}

/* Whether bar + c came out as got. */
static int KT(sum_is_right)(size_t i, int j, KREAL got)
{
    const KT(set) *s = &KT(set_);
    const KREAL c = KT(contribution)(s->p[j][i], s->r_bar[i]);
    const KREAL want = s->bar[j][i] + c;
    if (got == want || (got != got && want != want)) return 1;
    if (KT(exact_at)(i) || s->r_bar[i] == 0) return 0;
    if (KT(undecided)(i)) return got == s->bar[j][i] || !KT(is_finite)(got);
    if (row_listed(" hypot atan2 ", s->rule->name)
        && KA(real_hypot)(s->x[0][i], s->x[1][i]) < 16 * KTINY)
        return 1;                              /* a quotient of numbers with few digits */
    if (KT(distance)(got, want) <= 32 && KA(real_abs)(got) >= KA(real_abs)(c) / 2) return 1;
    return fabs((double)got - (double)want)
        <= KT(slack)(i, c) + 2 * (double)KEPS * fabs((double)want);
}

/* The pointers of a run: n numbers from place `from`, every array at an offset of its own. */
typedef struct KT(run) {
    size_t n, from, offset[8], size[3];
    KREAL *x[3], *r, *r_bar, *bar[3];
} KT(run);

static void KT(lay)(KT(run) *v, size_t n, size_t from)
{
    const KT(set) *s = &KT(set_);
    size_t j;
    v->n = n;
    v->from = from;
    for (j = 0; j < 8; j++) v->offset[j] = draw_below(GUARD);
    for (j = 0; j < 3; j++) {
        v->size[j] = s->inc[j] || n == 0 ? n : 1;
        v->x[j] = KT(put)(j, v->offset[j], v->size[j], s->x[j] + from);
        v->bar[j] = KT(put)(3 + j, v->offset[3 + j], v->size[j], s->bar[j] + from);
    }
    v->r_bar = KT(put)(6, v->offset[6], n, s->r_bar + from);
}

/* The inputs are what they were, and so is what lies around the outputs. */
static void KT(surroundings)(const KT(run) *v, int in_place)
{
    const KT(set) *s = &KT(set_);
    int j, all = 1;
    for (j = 0; j < 3; j++) {
        all &= KT(intact)((size_t)j, v->x[j], v->size[j]);
        all &= KT(intact)((size_t)(3 + j), v->bar[j], v->size[j]);
        all &= j == in_place || KT(equal)(v->size[j], v->x[j], s->x[j] + v->from);
    }
    all &= KT(intact)(6, v->r_bar, v->n) && KT(equal)(v->n, v->r_bar, s->r_bar + v->from);
    EXPECT(all);
    EXPECT(KT(intact)(7, v->r, v->n));
}

/* Where an increment is 0: the sum of the contributions. */
static void KT(check_total)(const KT(run) *v, int j)
{
    const KT(set) *s = &KT(set_);
    wide sum = { 0, 0 };
    double size = fabs((double)s->bar[j][v->from]), slack = 0;
    int plus = 0, minus = 0, odd = 0;
    size_t i;
    const KREAL got = v->bar[j][0];
    sum = wide_add(sum, (double)s->bar[j][v->from]);
    for (i = v->from; i < v->from + v->n; i++) {
        const KREAL c = KT(contribution)(s->p[j][i], s->r_bar[i]);
        odd |= c != c;
        plus |= c == KT(inf);
        minus |= c == -KT(inf);
        if (!KT(is_finite)(c)) continue;
        sum = wide_add(sum, (double)c);
        size += fabs((double)c);
        slack += KT(slack)(i, c);
        if (row_listed(" hypot atan2 ", s->rule->name) && KT(is_finite)(s->r_bar[i])
            && KA(real_hypot)(s->x[0][i], s->x[1][i]) < 16 * KTINY)
            slack += 2 * fabs((double)c) + fabs((double)s->r_bar[i]) / (double)KTINY;
    }
    if (size + slack > (double)KMAX / 4) return;      /* the order decides what overflows */
    if (odd || (plus && minus)) EXPECT(got != got);
    else if (plus || minus) EXPECT(got == (plus ? KT(inf) : -KT(inf)));
    else EXPECT(wide_error(sum, (double)got)
        <= slack + (double)(v->n + 2) * (double)KEPS * size);
}

/* All places at once, compared with the references; leaves the level's results in the set. */
static void KT(whole)(const ad_kernels *k, int plain)
{
    KT(set) *s = &KT(set_);
    KT(run) v;
    size_t i;
    int j;
    now.n = MANY;
    KT(lay)(&v, MANY, 0);
    v.r = KT(put)(7, v.offset[7], MANY, s->r);
    EXPECT(KT(value)(s->rule, k, MANY, v.x, s->inc, v.r) == AD_OK);
    KT(surroundings)(&v, -1);
    memcpy(s->value, v.r, sizeof s->value);
    for (i = 0; i < MANY; i++)
        if (!KT(value_is_right)(plain, i, v.r[i])) break;
    test_check(i == MANY, __FILE__, __LINE__, "%s, %s, %s(%.17g, %.17g, %.17g) is %.17g, not %.17g",
        now.level, now.real, now.name, (double)s->x[0][i % MANY], (double)s->x[1][i % MANY],
        (double)s->x[2][i % MANY], (double)s->value[i % MANY], (double)s->r[i % MANY]);
    EXPECT(KT(adjoint)(s->rule, k, MANY, v.x, s->inc, v.r, v.r_bar, v.bar) == AD_OK);
    KT(surroundings)(&v, -1);
    EXPECT(KT(equal)(MANY, v.r, s->value));
    for (j = 0; j < s->rule->operands; j++) {
        if (!s->inc[j]) {
            KT(check_total)(&v, j);
            continue;
        }
        memcpy(s->sum[j], v.bar[j], sizeof s->sum[j]);
        for (i = 0; i < MANY; i++)
            if (!KT(sum_is_right)(i, j, v.bar[j][i])) break;
        test_check(i == MANY, __FILE__, __LINE__, "%s, %s, %s(%.17g, %.17g, %.17g): adjoint %d "
            "%.17g + %.17g * %.17g is %.17g", now.level, now.real, now.name,
            (double)s->x[0][i % MANY], (double)s->x[1][i % MANY], (double)s->x[2][i % MANY], j,
            (double)s->bar[j][i % MANY], (double)s->r_bar[i % MANY], (double)s->p[j][i % MANY],
            (double)s->sum[j][i % MANY]);
    }
    for (; j < 3; j++) EXPECT(KT(equal)(v.size[j], v.bar[j], s->bar[j]));
}

/* A piece: the same bits as in the whole, wherever it starts, into r or in place; bars that are
   NULL are not wanted and change nothing of the others. */
static void KT(piece)(const ad_kernels *k, size_t n, unsigned variant)
{
    KT(set) *s = &KT(set_);
    const int operands = s->rule->operands;
    const size_t from = draw_below(MANY - n + 1);
    const unsigned wanted = variant % 3 ? draw() % (1u << operands) : 7;
    KREAL *bar[3];
    KT(run) v;
    int j, in_place = (int)(variant % (unsigned)(operands + 1)) - 1;
    now.n = n;
    KT(lay)(&v, n, from);
    if (in_place >= 0 && !s->inc[in_place]) in_place = -1;
    v.r = KT(put)(7, v.offset[7], n, s->r_bar);
    if (in_place >= 0) {
        EXPECT(KT(value)(s->rule, k, n, v.x, s->inc, v.x[in_place]) == AD_OK);
        EXPECT(KT(equal)(n, v.x[in_place], s->value + from));
        KT(surroundings)(&v, in_place);
        memcpy(v.x[in_place], s->x[in_place] + from, n * sizeof(KREAL));
        memcpy(v.r, s->value + from, n * sizeof(KREAL));
    } else {
        EXPECT(KT(value)(s->rule, k, n, v.x, s->inc, v.r) == AD_OK);
        EXPECT(KT(equal)(n, v.r, s->value + from));
        KT(surroundings)(&v, -1);
    }
    for (j = 0; j < 3; j++) bar[j] = wanted >> j & 1 ? v.bar[j] : NULL;
    EXPECT(KT(adjoint)(s->rule, k, n, v.x, s->inc, v.r, v.r_bar, bar) == AD_OK);
    KT(surroundings)(&v, -1);
    for (j = 0; j < operands; j++) {
        if (!bar[j]) EXPECT(KT(equal)(v.size[j], v.bar[j], s->bar[j] + from));
        else if (s->inc[j]) EXPECT(KT(equal)(n, v.bar[j], s->sum[j] + from));
        else if (n) KT(check_total)(&v, j);
    }
}

/* Two bars that are one array receive both contributions. */
static void KT(one_bar)(const ad_kernels *k, size_t n)
{
    KT(set) *s = &KT(set_);
    const size_t from = draw_below(MANY - n + 1);
    size_t i;
    int a, b, ok = 1;
    now.n = n;
    for (a = 0; a < s->rule->operands; a++)
        for (b = a + 1; b < s->rule->operands; b++) {
            KREAL *bar[3] = { NULL, NULL, NULL };
            KT(run) v;
            if (s->inc[a] != s->inc[b]) continue;
            KT(lay)(&v, n, from);
            v.r = KT(put)(7, v.offset[7], n, s->value + from);
            bar[a] = bar[b] = v.bar[a];
            EXPECT(KT(adjoint)(s->rule, k, n, v.x, s->inc, v.r, v.r_bar, bar) == AD_OK);
            KT(surroundings)(&v, -1);
            if (!s->inc[a]) continue;
            for (i = 0; i < n; i++) {
                const KREAL c = KT(contribution)(s->p[a][from + i], s->r_bar[from + i]);
                const KREAL d = KT(contribution)(s->p[b][from + i], s->r_bar[from + i]);
                const KREAL want = s->bar[a][from + i] + c + d, got = v.bar[a][i];
                const double size = fabs((double)s->bar[a][from + i]) + fabs((double)c)
                    + fabs((double)d);
                if (got == want || (got != got && want != want)) continue;
                if (KT(is_finite)(c) && KT(is_finite)(d) && size > (double)KMAX / 4) continue;
                if (row_listed(" hypot atan2 ", s->rule->name)) continue;
                ok &= fabs((double)got - (double)want) <= KT(slack)(from + i, c)
                    + KT(slack)(from + i, d) + 4 * (double)KEPS * size;
            }
        }
    EXPECT(ok);
}

/* Arrays of exactly the right size, for what watches memory. */
static void KT(exact_arrays)(const ad_kernels *k, size_t n)
{
    KT(set) *s = &KT(set_);
    KREAL *a[8];
    int j;
    now.n = n;
    for (j = 0; j < 8; j++) {
        const size_t size = j < 6 && !s->inc[j % 3] ? 1 : n;
        a[j] = (KREAL *)malloc(size * sizeof(KREAL));
        if (!EXPECT(a[j] != NULL)) abort();
        memcpy(a[j], j < 3 ? s->x[j] : s->r_bar, size * sizeof(KREAL));
    }
    EXPECT(KT(value)(s->rule, k, n, a, s->inc, a[6]) == AD_OK);
    EXPECT(KT(equal)(n, a[6], s->value));
    EXPECT(KT(adjoint)(s->rule, k, n, a, s->inc, a[6], a[7], a + 3) == AD_OK);
    for (j = 0; j < 8; j++) free(a[j]);
}

/* Arguments that cannot be meant: the status says so, and nothing is written. */
static void KT(bad_operands)(const KT(rule) *u, const ad_kernels *k)
{
    enum { N = 6, AT = 24, ALL = 9 * AT };
    KREAL pool[ALL], before[ALL], *x[3], *bar[3], *good[3], *r, *r_bar;
    const size_t one[3] = { 1, 1, 1 };
    size_t inc[3] = { 1, 1, 1 };
    int i, j, shift;
    KREAL *none[3] = { NULL, NULL, NULL };
    for (i = 0; i < ALL; i++) pool[i] = (KREAL)(1 + i % 5);
    memcpy(before, pool, sizeof pool);
    for (j = 0; j < 3; j++) {
        x[j] = pool + j * AT + 8;
        bar[j] = pool + (3 + j) * AT + 8;
    }
    r = pool + 6 * AT + 8;
    r_bar = pool + 7 * AT + 8;
    now.n = N;
#define REFUSED(call) do {                                                                         \
        expect((call) == AD_ERR_ARGUMENT, __LINE__, "not refused: " #call);                        \
        expect(memcmp(pool, before, sizeof pool) == 0, __LINE__, "refused, but written: " #call);  \
        memcpy(pool, before, sizeof pool);                                                         \
    } while (0)
    EXPECT(KT(value)(u, k, 0, none, one, NULL) == AD_OK);
    EXPECT(KT(adjoint)(u, k, 0, none, one, NULL, NULL, none) == AD_OK);
    EXPECT(KT(adjoint)(u, k, N, x, one, r, r_bar, none) == AD_OK);
    EXPECT(memcmp(pool, before, sizeof pool) == 0);
    REFUSED(KT(value)(u, k, N, x, one, NULL));
    REFUSED(KT(adjoint)(u, k, N, x, one, NULL, r_bar, bar));
    REFUSED(KT(adjoint)(u, k, N, x, one, r, NULL, bar));
    for (j = 0; j < u->operands; j++) {
        KREAL *other[3];
        memcpy(other, x, sizeof x);
        other[j] = NULL;
        REFUSED(KT(value)(u, k, N, other, one, r));
        REFUSED(KT(adjoint)(u, k, N, other, one, r, r_bar, bar));
        for (shift = -5; shift <= 5; shift++) {
            if (shift == 0) continue;
            REFUSED(KT(value)(u, k, N, x, one, x[j] + shift));
            memcpy(good, none, sizeof good);
            good[j] = x[u->operands - 1] + shift;
            REFUSED(KT(adjoint)(u, k, N, x, one, r, r_bar, good));
            good[j] = r + shift;
            REFUSED(KT(adjoint)(u, k, N, x, one, r, r_bar, good));
            good[j] = r_bar + shift;
            REFUSED(KT(adjoint)(u, k, N, x, one, r, r_bar, good));
            if (u->operands > 1) {
                memcpy(good, bar, sizeof good);
                good[j] = bar[(j + 1) % u->operands] + shift;
                REFUSED(KT(adjoint)(u, k, N, x, one, r, r_bar, good));
            }
        }
        memcpy(good, none, sizeof good);
        good[j] = r_bar;
        REFUSED(KT(adjoint)(u, k, N, x, one, r, r_bar, good));
        if (u->operands == 1) continue;
        inc[j] = 2;
        REFUSED(KT(value)(u, k, N, x, inc, r));
        REFUSED(KT(adjoint)(u, k, N, x, inc, r, r_bar, bar));
        inc[j] = (size_t)-1;
        REFUSED(KT(value)(u, k, N, x, inc, r));
        inc[j] = 0;
        memcpy(other, x, sizeof x);
        for (i = 0; i < N; i++) {              /* a number for all may lie inside the output */
            other[j] = x[j] + i;
            EXPECT(KT(value)(u, k, N, other, inc, bar[0]) == AD_OK);
            r[i] = x[j][i];
            other[j] = r + i;
            EXPECT(KT(value)(u, k, N, other, inc, r) == AD_OK && KT(equal)(N, r, bar[0]));
        }
        memcpy(pool, before, sizeof pool);
        memcpy(good, none, sizeof good);
        good[j] = r_bar + 3;
        REFUSED(KT(adjoint)(u, k, N, x, inc, r, r_bar, good));
        inc[j] = 1;
        for (i = 0; i < 4 * u->operands; i++) {        /* neighbours, of N numbers or 1 each */
            const int to = i / 4;
            const size_t m = i & 1 ? N : 1, n = i & 2 ? N : 1;
            if (to == j) continue;
            inc[j] = i & 1;
            inc[to] = i >> 1 & 1;
            memcpy(good, none, sizeof good);
            good[j] = bar[0];
            good[to] = bar[0] + m;
            EXPECT(KT(adjoint)(u, k, N, x, inc, r, r_bar, good) == AD_OK);
            memcpy(pool, before, sizeof pool);
            if (m > 1 || n > 1) {
                good[to]--;
                REFUSED(KT(adjoint)(u, k, N, x, inc, r, r_bar, good));
            }
            memcpy(good, none, sizeof good);           /* and of an operand */
            good[j] = x[to] + n;
            EXPECT(KT(adjoint)(u, k, N, x, inc, r, r_bar, good) == AD_OK);
            memcpy(pool, before, sizeof pool);
            good[j]--;
            REFUSED(KT(adjoint)(u, k, N, x, inc, r, r_bar, good));
            inc[j] = inc[to] = 1;
        }
    }
}

static void KT(elementwise)(void)
{
    static const size_t large[] = { 71, 96, 127, 128, 129, 255, 256, 257, 1000 };
    KA(tape) *t = KA(tape_create)(NULL);
    const size_t count = sizeof KT(rules) / sizeof KT(rules)[0];
    size_t u, l, n;
    unsigned combination;
    for (u = 0; u < count; u++) {
        const KT(rule) *rule = &KT(rules)[u];
        at_test(rule->name, 0);
        for (combination = 0; combination < 1u << rule->operands; combination++) {
            int choice, choices = rule->operands > 1 && combination ? 4 : 1;
            if (rule->operands == 1 && combination) continue;
            for (choice = 0; choice < choices; choice++) {
                KT(prepare)(t, rule, combination, choice);
                for (l = 0; l < levels; l++) {
                    const ad_kernels *k = on_level(l);
                    KT(whole)(k, level[l].plain);
                    for (n = choice ? (size_t)choice : 0; n <= 70; n += choice ? 7 : 1)
                        KT(piece)(k, n, draw());
                    for (n = 0; n < sizeof large / sizeof large[0]; n++)
                        KT(piece)(k, large[n], draw());
                    for (n = 1; n < 36; n += 3) KT(one_bar)(k, n);
                    if (choice == 0)
                        for (n = 1; n < 36; n += 1 + n / 5) KT(exact_arrays)(k, n);
                }
            }
        }
        for (l = 0; l < levels; l++) KT(bad_operands)(rule, on_level(l));
    }
    EXPECT(KA(tape_status)(t) == AD_OK);
    KA(tape_destroy)(t);
}

/* ------------------------------------------------------------------ vectors */

static const size_t KT(sizes)[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17,
    18, 19, 23, 24, 25, 31, 32, 33, 34, 39, 40, 41, 47, 48, 49, 55, 63, 64, 65, 66, 70, 95, 96, 97,
    127, 128, 129, 159, 160, 191, 255, 256, 257, 511, 513, 1000, MANY };
enum { KT(SIZES) = sizeof KT(sizes) / sizeof KT(sizes)[0] };

static void KT(draw_array)(size_t n, KREAL *x)
{
    size_t i;
    for (i = 0; i < n; i++) x[i] = draw() % 8 ? KT(ordinary)() : KT(a_special)();
}

static KREAL KT(product)(KREAL a, KREAL b)     /* rounded, whatever the compiler contracts */
{
    volatile KREAL p = a * b;
    return p;
}

static void KT(vectors)(void)
{
    static KREAL x[MANY], y[MANY];
    size_t l, z, i;
    for (l = 0; l < levels; l++) {
        const ad_kernels *k = on_level(l);
        const int units = KDOUBLE ? 4 : 2;
        for (z = 0; z < KT(SIZES); z++) {
            const size_t n = KT(sizes)[z];
            const KREAL a = n % 9 == 1 ? KT(a_special)() : KT(ordinary)();
            KREAL *p = KT(put)(0, draw_below(GUARD), n, x), *q = KT(put)(1, n % GUARD, n, y);
            int ok = 1;
            KT(draw_array)(n, x);
            KT(draw_array)(n, y);
            memcpy(p, x, n * sizeof *x);
            memcpy(q, y, n * sizeof *y);
            at_test("fill", n);
            EXPECT(KA(kernel_fill)(k, n, a, q) == AD_OK);
            for (i = 0; i < n; i++) ok &= KT(same)(q[i], a);
            EXPECT(ok && KT(intact)(1, q, n));
            at_test("scale", n);
            EXPECT(KA(kernel_scale)(k, n, a, p, q) == AD_OK);
            for (i = 0; i < n; i++) ok &= KT(same)(q[i], KT(product)(a, x[i]));
            EXPECT(ok && KT(intact)(1, q, n) && KT(equal)(n, p, x));
            EXPECT(KA(kernel_scale)(k, n, a, p, p) == AD_OK);
            EXPECT(KT(equal)(n, p, q) && KT(intact)(0, p, n));
            memcpy(p, x, n * sizeof *x);
            at_test("axpy", n);
            memcpy(q, y, n * sizeof *y);
            EXPECT(KA(kernel_axpy)(k, n, a, p, q) == AD_OK);
            for (i = 0; i < n; i++) ok &= KT(same)(q[i], y[i] + KT(product)(a, x[i]));
            EXPECT(ok && KT(intact)(1, q, n) && KT(equal)(n, p, x));
            EXPECT(KA(kernel_axpy)(k, n, a, p, p) == AD_OK);
            for (i = 0; i < n; i++) ok &= KT(same)(p[i], x[i] + KT(product)(a, x[i]));
            EXPECT(ok && KT(intact)(0, p, n));
            at_test("sincos", n);
            memcpy(p, x, n * sizeof *x);
            EXPECT(KA(kernel_sincos)(k, n, x, p, q) == AD_OK);
            for (i = 0; i < n; i++)
                ok &= KT(close)(p[i], KA(real_sin)(x[i]), units, 0)
                    && KT(close)(q[i], KA(real_cos)(x[i]), units, 0);
            EXPECT(ok && KT(intact)(0, p, n) && KT(intact)(1, q, n));
            memcpy(p, x, n * sizeof *x);       /* in place: the sine, then the cosine */
            EXPECT(KA(kernel_sincos)(k, n, p, p, q) == AD_OK);
            for (i = 0; i < n; i++) ok &= KT(close)(p[i], KA(real_sin)(x[i]), units, 0)
                && KT(close)(q[i], KA(real_cos)(x[i]), units, 0);
            memcpy(q, x, n * sizeof *x);
            EXPECT(KA(kernel_sincos)(k, n, q, p, q) == AD_OK);
            for (i = 0; i < n; i++) ok &= KT(close)(p[i], KA(real_sin)(x[i]), units, 0)
                && KT(close)(q[i], KA(real_cos)(x[i]), units, 0);
            EXPECT(ok && KT(intact)(0, p, n) && KT(intact)(1, q, n));
        }
    }
}

/* The bound that the header states for a sum, in units of rounding times the sum of sizes. */
static double KT(sum_bound)(size_t n, double size)
{
    const double pieces = n > 4096 ? log((double)n / 4096) / log(2.0) : 0;
    return ((KDOUBLE ? 134 : 71) + ceil(pieces)) * (double)KEPS / 2 * size;
}

static double KT(size_of)(size_t n, const KREAL *x)
{
    double s = 0;
    size_t i;
    for (i = 0; i < n; i++) s += fabs((double)x[i]);
    return s;
}

static void KT(sums)(void)
{
    enum { BIG = 20000, APART = 7 };
    static const size_t large[] = { 2048, 4095, 4096, 4097, 8191, 8192, 8193, 12345, BIG };
    KREAL *x = (KREAL *)malloc((BIG + APART) * sizeof *x), *y = x + 0;
    KREAL first = 0, r;
    size_t l, z, i;
    if (!EXPECT(x != NULL)) abort();
    y = (KREAL *)malloc((BIG + APART) * sizeof *y);
    if (!EXPECT(y != NULL)) abort();
    for (z = 0; z < KT(SIZES) + sizeof large / sizeof large[0]; z++) {
        const size_t n = z < KT(SIZES) ? KT(sizes)[z] : large[z - KT(SIZES)];
        const int one_sign = z % 3 == 0, spread = (int)(z % 4) * 10;
        wide sum = { 0, 0 }, dot = { 0, 0 };
        double products = 0;
        for (i = 0; i < n; i++) {
            const double u = draw_unit();
            x[i] = (KREAL)ldexp(one_sign ? u + 1.0 : u, (int)draw_below((size_t)spread + 1));
            y[i] = (KREAL)draw_unit();
            sum = wide_add(sum, (double)x[i]);
            dot = wide_add_product(dot, (double)x[i], (double)y[i]);
            products += fabs((double)x[i] * (double)y[i]);
        }
        for (l = 0; l < levels; l++) {
            const ad_kernels *k = on_level(l);
            at_test("sum", n);
            r = KT(not_a_number);
            EXPECT(KA(kernel_sum)(k, n, x, &r) == AD_OK);
            EXPECT(wide_error(sum, (double)r) <= KT(sum_bound)(n, KT(size_of)(n, x)));
            if (l == 0) first = r;
            EXPECT(KT(same)(r, first));
            memmove(x + 1 + l, x, n * sizeof *x);        /* nor does the address matter */
            EXPECT(KA(kernel_sum)(k, n, x + 1 + l, &r) == AD_OK);
            EXPECT(KT(same)(r, first));
            memmove(x, x + 1 + l, n * sizeof *x);
            at_test("dot", n);
            r = KT(not_a_number);
            EXPECT(KA(kernel_dot)(k, n, x, y, &r) == AD_OK);
            EXPECT(wide_error(dot, (double)r)
                <= KT(sum_bound)(n, products) + (double)KEPS * products);
            EXPECT(KA(kernel_dot)(k, n, x, x, &r) == AD_OK && (n == 0 ? r == 0 : r > 0));
        }
    }
    for (l = 0; l < levels; l++) {
        const ad_kernels *k = on_level(l);
        for (i = 0; i < 75; i++) {                       /* one infinity, then NaN, anywhere */
            size_t j;
            for (j = 0; j < 75; j++) x[j] = y[j] = 1;
            at_test("sum and dot with an infinity", i);
            x[i] = -KT(inf);
            EXPECT(KA(kernel_sum)(k, 75, x, &r) == AD_OK && r == -KT(inf));
            EXPECT(KA(kernel_dot)(k, 75, x, y, &r) == AD_OK && r == -KT(inf));
            EXPECT(KA(kernel_norm)(k, 75, x, &r) == AD_OK && r == KT(inf));
            x[(i + 31) % 75] = KT(inf);
            EXPECT(KA(kernel_sum)(k, 75, x, &r) == AD_OK && r != r);
            x[(i + 31) % 75] = KT(not_a_number);
            x[i] = 1;
            EXPECT(KA(kernel_sum)(k, 75, x, &r) == AD_OK && r != r);
            EXPECT(KA(kernel_dot)(k, 75, x, y, &r) == AD_OK && r != r);
            EXPECT(KA(kernel_norm)(k, 75, x, &r) == AD_OK && r != r);
        }
    }
    free(x);
    free(y);
}

static void KT(norms)(void)
{
    static KREAL x[4200];
    static const int scale[] = { 0, KEXP - 12, KEXP, -KEXP + 2, -KEXP - 18, 1 };
    size_t l, z, i, s;
    for (s = 0; s < sizeof scale / sizeof scale[0]; s++)
        for (z = 0; z <= KT(SIZES); z++) {
            const size_t n = z < KT(SIZES) ? KT(sizes)[z] : 4200;
            wide sum = { 0, 0 };
            double want, tolerance, most = 0;
            int e;
            for (i = 0; i < n; i++) {
                x[i] = (KREAL)ldexp(draw_unit(), scale[s] - (int)(s == 5 ? draw() % KEXP : 0));
                if (draw() % 8 == 0) x[i] = 0;
                if (fabs((double)x[i]) > most) most = fabs((double)x[i]);
            }
            (void)frexp(most, &e);
            for (i = 0; i < n; i++) {
                const double scaled = ldexp((double)x[i], -e);
                sum = wide_add_product(sum, scaled, scaled);
            }
            want = ldexp(sqrt(wide_value(sum)), e);
            tolerance = 90 * (double)KEPS * want + (want > 0 ? 2 * (double)KLEAST : 0);
            for (l = 0; l < levels; l++) {
                KREAL r = KT(not_a_number);
                const ad_kernels *k = on_level(l);
                at_test("norm", n);
                EXPECT(KA(kernel_norm)(k, n, x, &r) == AD_OK);
                EXPECT(r == (KREAL)want || fabs((double)r - want) <= tolerance
                    || (want > (double)KMAX * (1 - 90 * (double)KEPS) && (r == KT(inf)
                                                                     || r > KMAX / 2)));
            }
        }
    for (l = 0; l < levels; l++) {             /* the extremes, alone and in a long array */
        static const KREAL one[] = { 1, KMAX, KLEAST, 3 * KLEAST, KTINY, 0 };
        const ad_kernels *k = on_level(l);
        for (s = 0; s < sizeof one / sizeof one[0]; s++)
            for (i = 0; i < 67; i += 3) {
                KREAL r = -1;
                memset(x, 0, 67 * sizeof *x);
                x[i] = s % 2 ? -one[s] : one[s];
                at_test("norm of one number", i);
                EXPECT(KA(kernel_norm)(k, 67, x, &r) == AD_OK);
                EXPECT(KT(distance)(r, one[s]) <= 2 && KT(is_finite)(r));
            }
    }
}

static void KT(extremes)(void)
{
    static KREAL x[300];
    size_t l, n, i, at;
    for (l = 0; l < levels; l++) {
        const ad_kernels *k = on_level(l);
        for (n = 1; n <= 300; n += n < 70 ? 1 : 23)
            for (at = 0; at < n; at += 1 + n / 20) {
                KREAL r = 99;
                size_t where = 12345, other = at + (n - at) / 2;
                int kind;
                at_test("argmax", n);
                for (kind = 0; kind < 7; kind++) {
                    for (i = 0; i < n; i++) x[i] = (KREAL)(draw() % 100);
                    switch (kind) {
                    case 0: x[at] = 200; break;
                    case 1: x[at] = x[other] = 100; break;           /* the first of two */
                    case 2: x[at] = KT(inf); x[other] = x[at]; break;
                    case 3: x[at] = KT(not_a_number); if (n > 1) x[(at + 1) % n] = KT(inf); break;
                    case 4: for (i = 0; i < n; i++) x[i] = -KT(inf); break;
                    case 5:                                        /* zeros of either sign */
                        for (i = 0; i < n; i++) x[i] = (KREAL)(i < at ? -1.0 : i % 2 ? -0.0 : 0.0);
                        break;
                    default: x[at] = KT(not_a_number); x[other] = KT(not_a_number); break;
                    }
                    EXPECT(KA(kernel_argmax)(k, n, x, &r, &where) == AD_OK);
                    EXPECT(where == (kind == 4 ? 0 : at) && where < n && KT(same)(r, x[where]));
                    r = 99;
                    EXPECT(KA(kernel_argmax)(k, n, x, &r, NULL) == AD_OK);
                    EXPECT(KT(same)(r, x[where]));
                    for (i = 0; i < n; i++) x[i] = -x[i];
                    EXPECT(KA(kernel_argmin)(k, n, x, &r, &where) == AD_OK);
                    EXPECT(where == (kind == 4 ? 0 : at) && where < n && KT(same)(r, x[where]));
                    EXPECT(KA(kernel_argmin)(k, n, x, &r, NULL) == AD_OK);
                    EXPECT(KT(same)(r, x[where]));
                }
            }
    }
}

/* log(sum exp(x)) and the shares exp(x[i]) / sum, in double with the greatest taken out. */
static double KT(softmax_wide)(size_t n, const KREAL *x, double *share)
{
    wide sum = { 0, 0 };
    double m = -(double)INFINITY;
    size_t i;
    for (i = 0; i < n; i++) if ((double)x[i] > m) m = (double)x[i];
    for (i = 0; i < n; i++) {
        share[i] = exp((double)x[i] - m);
        sum = wide_add(sum, share[i]);
    }
    for (i = 0; i < n; i++) share[i] /= wide_value(sum);
    return m + log(wide_value(sum));
}

static void KT(exponentials)(void)
{
    static KREAL x[MANY], bar[MANY];
    static double share[MANY];
    size_t l, z, i;
    int kind;
    for (z = 1; z < KT(SIZES); z++)
        for (kind = 0; kind < 5; kind++) {
            const size_t n = KT(sizes)[z];
            const double eps = (double)KEPS;
            double want, weighted = 0, heavy = 0;
            for (i = 0; i < n; i++) {
                x[i] = (KREAL)(3 * draw_unit());
                if (kind == 1) x[i] = (KREAL)(KEXP * draw_unit());
                if (kind == 2) x[i] = (KREAL)(1000000 + floor(4 * draw_unit()));
                if (kind == 3) x[i] = draw() % 2 ? -KT(inf) : x[i];
                if (kind == 4) x[i] = (KREAL)(-100000 + 8 * draw_unit());
                bar[i] = (KREAL)draw_unit();
            }
            if (kind == 3) x[n / 2] = (KREAL)0.5;
            want = KT(softmax_wide)(n, x, share);
            for (i = 0; i < n; i++) {
                weighted += share[i] * (double)bar[i];
                heavy += share[i] * fabs((double)bar[i]);
            }
            for (l = 0; l < levels; l++) {
                const ad_kernels *k = on_level(l);
                const size_t offset = draw_below(GUARD);
                KREAL *p = KT(put)(0, offset, n, x), *q = KT(put)(1, n % GUARD, n, bar), r = 99;
                KREAL *r_bar = KT(put)(2, draw_below(GUARD), n, bar);
                int ok = 1;
                at_test("logsumexp", n);
                EXPECT(KA(kernel_logsumexp)(k, n, p, &r) == AD_OK);
                EXPECT(fabs((double)r - want) <= 4 * eps * (1 + fabs(want)));
                EXPECT(KA(kernel_logsumexp_adjoint)(k, n, p, r, 2, q) == AD_OK);
                for (i = 0; i < n; i++)
                    ok &= fabs((double)q[i] - ((double)bar[i] + 2 * share[i]))
                        <= 8 * eps * (1 + share[i] * (1 + fabs(want)));
                EXPECT(ok && KT(intact)(0, p, n) && KT(intact)(1, q, n) && KT(equal)(n, p, x));
                q = KT(put)(1, n % GUARD, n, bar);
                EXPECT(KA(kernel_logsumexp_adjoint)(k, n, p, r, 0, q) == AD_OK);
                for (i = 0; i < n; i++) ok &= q[i] == bar[i];
                EXPECT(ok);
                at_test("softmax", n);
                EXPECT(KA(kernel_softmax)(k, n, p, q) == AD_OK);
                for (i = 0; i < n; i++) {
                    ok &= fabs((double)q[i] - share[i])
                        <= (KDOUBLE ? 75 + (share[i] > 0 ? -log(share[i]) : 0)
                            : 42 + (share[i] > 0 ? -log(share[i]) : 0)) * eps * share[i]
                            + 4 * (double)KTINY;
                    ok &= x[i] != -KT(inf) || q[i] == 0;
                }
                EXPECT(ok && KT(intact)(0, p, n) && KT(intact)(1, q, n) && KT(equal)(n, p, x));
                EXPECT(KA(kernel_softmax)(k, n, p, p) == AD_OK);
                EXPECT(KT(equal)(n, p, q) && KT(intact)(0, p, n));
                p = KT(put)(0, offset, n, bar);
                EXPECT(KA(kernel_softmax_adjoint)(k, n, q, r_bar, p) == AD_OK);
                for (i = 0; i < n; i++)
                    ok &= fabs((double)p[i] - ((double)bar[i]
                                               + share[i] * ((double)bar[i] - weighted)))
                        <= 4 * eps + (150 * heavy + 30) * eps * share[i];
                EXPECT(ok && KT(intact)(0, p, n) && KT(intact)(1, q, n) && KT(intact)(2, r_bar, n)
                    && KT(equal)(n, r_bar, bar));
            }
        }
    for (l = 0; l < levels; l++) {             /* infinities and NaN */
        const ad_kernels *k = on_level(l);
        size_t n;
        KREAL r = 99;
        at_test("logsumexp of nothing", 0);
        EXPECT(KA(kernel_logsumexp)(k, 0, NULL, &r) == AD_OK && r == -KT(inf));
        EXPECT(KA(kernel_logsumexp_adjoint)(k, 0, NULL, r, 1, NULL) == AD_OK);
        EXPECT(KA(kernel_softmax)(k, 0, NULL, NULL) == AD_OK);
        EXPECT(KA(kernel_softmax_adjoint)(k, 0, NULL, NULL, NULL) == AD_OK);
        for (n = 1; n < 70; n += 1 + n / 9) {
            int ok = 1;
            at_test("logsumexp and softmax of infinities", n);
            for (i = 0; i < n; i++) x[i] = -KT(inf);
            EXPECT(KA(kernel_logsumexp)(k, n, x, &r) == AD_OK && r == -KT(inf));
            memset(bar, 0, n * sizeof *bar);
            EXPECT(KA(kernel_logsumexp_adjoint)(k, n, x, r, 3, bar) == AD_OK);
            for (i = 0; i < n; i++) ok &= bar[i] == 3;   /* equal infinities: 1 each */
            EXPECT(ok);
            bar[n] = 5;
            EXPECT(KA(kernel_softmax)(k, n, x, bar) == AD_OK && bar[n] == 5);
            for (i = 0; i < n; i++) ok &= KT(same)(bar[i], bar[0]);
            EXPECT(ok && (bar[0] != bar[0] || KT(close)(bar[0], 1 / (KREAL)n, 2, 0)));
            x[n / 2] = KT(inf);
            memset(bar, 0, n * sizeof *bar);
            EXPECT(KA(kernel_logsumexp)(k, n, x, &r) == AD_OK && r == KT(inf));
            EXPECT(KA(kernel_logsumexp_adjoint)(k, n, x, r, 3, bar) == AD_OK);
            for (i = 0; i < n; i++) ok &= bar[i] == (i == n / 2 ? 3 : 0);
            EXPECT(ok);
            EXPECT(KA(kernel_logsumexp_adjoint)(k, n, x, r, KT(inf), bar) == AD_OK);
            for (i = 0; i < n; i++) ok &= bar[i] == (i == n / 2 ? KT(inf) : 0);
            EXPECT(ok);
            x[n / 3] = KT(not_a_number);
            EXPECT(KA(kernel_logsumexp)(k, n, x, &r) == AD_OK && r != r);
            EXPECT(KA(kernel_softmax)(k, n, x, bar) == AD_OK && bar[n / 3] != bar[n / 3]);
            x[0] = KMAX;
            for (i = 1; i < n; i++) x[i] = i % 2 ? -KMAX : 0;
            EXPECT(KA(kernel_logsumexp)(k, n, x, &r) == AD_OK && r == KMAX);
            EXPECT(KA(kernel_softmax)(k, n, x, bar) == AD_OK && bar[0] == 1);
        }
    }
}

static void KT(bad_vectors)(const ad_kernels *k)
{
    enum { ALL = 96 };
    KREAL pool[ALL], before[ALL], *x = pool + 8, *y = pool + 40, *z = pool + 72;
    size_t where = 77;
    int i, shift;
    for (i = 0; i < ALL; i++) pool[i] = (KREAL)(1 + i % 5);
    memcpy(before, pool, sizeof pool);
    at_test("bad vectors", 10);
    for (shift = -9; shift <= 9; shift++) {
        if (shift == 0) continue;
        REFUSED(KA(kernel_sincos)(k, 10, x, x + shift, z));
        REFUSED(KA(kernel_sincos)(k, 10, x, z, x + shift));
        REFUSED(KA(kernel_sincos)(k, 10, x, z, z + shift));
        REFUSED(KA(kernel_scale)(k, 10, 2, x, x + shift));
        REFUSED(KA(kernel_axpy)(k, 10, 2, x, x + shift));
        REFUSED(KA(kernel_softmax)(k, 10, x, x + shift));
        REFUSED(KA(kernel_softmax_adjoint)(k, 10, x, y, x + shift));
        REFUSED(KA(kernel_softmax_adjoint)(k, 10, x, y, y + shift));
        REFUSED(KA(kernel_logsumexp_adjoint)(k, 10, x, 1, 1, x + shift));
    }
    REFUSED(KA(kernel_sincos)(k, 10, x, z, z));
    for (i = 0; i < 10; i++) {                 /* a result may lie inside of what is reduced */
        KREAL a, *in = x + i;
#define INSIDE(call) do {                                                                          \
            KREAL *r = &a;                                                                         \
            EXPECT((call) == AD_OK);                                                               \
            r = in;                                                                                \
            EXPECT((call) == AD_OK && *in == a);                                                   \
            memcpy(pool, before, sizeof pool);                                                     \
        } while (0)
        INSIDE(KA(kernel_sum)(k, 10, x, r));
        INSIDE(KA(kernel_dot)(k, 10, x, y, r));
        INSIDE(KA(kernel_dot)(k, 10, y, x, r));
        INSIDE(KA(kernel_norm)(k, 10, x, r));
        INSIDE(KA(kernel_argmax)(k, 10, x, r, NULL));
        INSIDE(KA(kernel_argmin)(k, 10, x, r, NULL));
        INSIDE(KA(kernel_logsumexp)(k, 10, x, r));
#undef INSIDE
    }
    REFUSED(KA(kernel_sincos)(k, 10, NULL, y, z));
    REFUSED(KA(kernel_sincos)(k, 10, x, NULL, z));
    REFUSED(KA(kernel_sincos)(k, 10, x, y, NULL));
    REFUSED(KA(kernel_fill)(k, 10, 2, NULL));
    REFUSED(KA(kernel_scale)(k, 10, 2, NULL, y));
    REFUSED(KA(kernel_scale)(k, 10, 2, x, NULL));
    REFUSED(KA(kernel_axpy)(k, 10, 2, NULL, y));
    REFUSED(KA(kernel_axpy)(k, 10, 2, x, NULL));
    REFUSED(KA(kernel_sum)(k, 10, NULL, y));
    REFUSED(KA(kernel_sum)(k, 10, x, NULL));
    REFUSED(KA(kernel_dot)(k, 10, NULL, x, y));
    REFUSED(KA(kernel_dot)(k, 10, x, NULL, y));
    REFUSED(KA(kernel_dot)(k, 10, x, y, NULL));
    REFUSED(KA(kernel_norm)(k, 10, NULL, y));
    REFUSED(KA(kernel_norm)(k, 10, x, NULL));
    REFUSED(KA(kernel_argmax)(k, 10, NULL, y, &where));
    REFUSED(KA(kernel_argmax)(k, 0, x, y, &where));
    REFUSED(KA(kernel_argmin)(k, 10, NULL, y, &where));
    REFUSED(KA(kernel_argmin)(k, 0, x, y, &where));
    REFUSED(KA(kernel_logsumexp)(k, 10, NULL, y));
    REFUSED(KA(kernel_logsumexp)(k, 10, x, NULL));
    REFUSED(KA(kernel_logsumexp_adjoint)(k, 10, NULL, 1, 1, y));
    REFUSED(KA(kernel_logsumexp_adjoint)(k, 10, x, 1, 1, NULL));
    REFUSED(KA(kernel_softmax)(k, 10, NULL, y));
    REFUSED(KA(kernel_softmax)(k, 10, x, NULL));
    REFUSED(KA(kernel_softmax_adjoint)(k, 10, NULL, x, y));
    REFUSED(KA(kernel_softmax_adjoint)(k, 10, x, NULL, y));
    REFUSED(KA(kernel_softmax_adjoint)(k, 10, x, y, NULL));
    EXPECT(where == 77);
    EXPECT(KA(kernel_sincos)(k, 0, NULL, NULL, NULL) == AD_OK);
    EXPECT(KA(kernel_fill)(k, 0, 1, NULL) == AD_OK);
    EXPECT(KA(kernel_scale)(k, 0, 1, NULL, NULL) == AD_OK);
    EXPECT(KA(kernel_axpy)(k, 0, 1, NULL, NULL) == AD_OK);
    EXPECT(KA(kernel_sum)(k, 0, NULL, y) == AD_OK && *y == 0);
    EXPECT(KA(kernel_dot)(k, 0, NULL, NULL, y) == AD_OK && *y == 0);
    EXPECT(KA(kernel_norm)(k, 0, NULL, y) == AD_OK && *y == 0);
}

/* ------------------------------------------------------------------ matrices */

/* A matrix inside a block with other numbers around and between its elements. A vector is a matrix
   of one column, its increment the stride of the rows. */
typedef struct KT(matrix) {
    KREAL *block, *at;                         /* at: element (0, 0) */
    size_t length, rows, columns;
    ptrdiff_t rs, cs;
} KT(matrix);

enum { KT(ROWS), KT(COLUMNS), KT(WIDE_ROWS), KT(WIDE_COLUMNS), KT(SPREAD_ROWS),
    KT(SPREAD_COLUMNS), KT(UPWARDS), KT(LEFTWARDS), KT(BACKWARDS), KT(OUTPUTS),
    KT(SAME_ROWS) = KT(OUTPUTS), KT(SAME_COLUMNS), KT(ONE_NUMBER), KT(INPUTS) };

static KT(matrix) KT(matrix_new)(size_t rows, size_t columns, int layout, KREAL around)
{
    const ptrdiff_t m = (ptrdiff_t)rows, n = (ptrdiff_t)columns;
    KT(matrix) a;
    ptrdiff_t low = 0, high = 0;
    size_t i;
    switch (layout) {
    case KT(ROWS):           a.rs = n;            a.cs = 1;            break;
    case KT(COLUMNS):        a.rs = 1;            a.cs = m;            break;
    case KT(WIDE_ROWS):      a.rs = n + 5;        a.cs = 1;            break;
    case KT(WIDE_COLUMNS):   a.rs = 1;            a.cs = m + 3;        break;
    case KT(SPREAD_ROWS):    a.rs = 2 * n + 3;    a.cs = 2;            break;
    case KT(SPREAD_COLUMNS): a.rs = 3;            a.cs = 3 * m + 1;    break;
    case KT(UPWARDS):        a.rs = -n - 2;       a.cs = 1;            break;
    case KT(LEFTWARDS):      a.rs = n + 1;        a.cs = -1;           break;
    case KT(BACKWARDS):      a.rs = -1;           a.cs = -m - 4;       break;
    case KT(SAME_ROWS):      a.rs = 0;            a.cs = 1;            break;
    case KT(SAME_COLUMNS):   a.rs = 2;            a.cs = 0;            break;
    default:                 a.rs = 0;            a.cs = 0;            break;
    }
    a.rows = rows;
    a.columns = columns;
    if (m > 0 && n > 0) {
        *(a.rs < 0 ? &low : &high) += (m - 1) * a.rs;
        *(a.cs < 0 ? &low : &high) += (n - 1) * a.cs;
    }
    a.length = (size_t)(high - low) + 1 + 2 * GUARD + draw_below(8);
    a.block = (KREAL *)malloc(a.length * sizeof(KREAL));
    if (!EXPECT(a.block != NULL)) abort();
    for (i = 0; i < a.length; i++) a.block[i] = around;
    a.at = a.block + (a.length - GUARD - 1) - high;
    return a;
}

static KREAL *KT(element)(const KT(matrix) *a, size_t i, size_t j)
{
    return a->at + ((ptrdiff_t)i * a->rs + (ptrdiff_t)j * a->cs);
}

/* small integers, so that every sum is exact; or numbers between -1 and 1 */
static void KT(matrix_draw)(KT(matrix) *a, int integers)
{
    size_t i, j;
    for (i = 0; i < a->rows; i++)
        for (j = 0; j < a->columns; j++)
            *KT(element)(a, i, j) = integers ? (KREAL)((int)(draw() % 17) - 8) : (KREAL)draw_unit();
}

static KT(matrix) KT(matrix_copy)(const KT(matrix) *a)
{
    KT(matrix) c = *a;
    c.block = (KREAL *)malloc(a->length * sizeof(KREAL));
    if (!EXPECT(c.block != NULL)) abort();
    memcpy(c.block, a->block, a->length * sizeof(KREAL));
    c.at = c.block + (a->at - a->block);
    return c;
}

/* the same numbers everywhere, a zero of either sign being a zero */
static int KT(matrix_same)(const KT(matrix) *a, const KT(matrix) *b)
{
    size_t i;
    for (i = 0; i < a->length; i++)
        if (a->block[i] != b->block[i] && !KT(same)(a->block[i], b->block[i])) return 0;
    return 1;
}

/* C = alpha A B + beta C at one element, and the bound on its error that the header states. */
static wide KT(element_wide)(KREAL alpha, const KT(matrix) *A, const KT(matrix) *B, KREAL beta,
    KREAL c, size_t i, size_t j, double *bound)
{
    wide s = { 0, 0 }, r = { 0, 0 };
    double size = 0;
    size_t l;
    for (l = 0; l < A->columns; l++) {
        const double x = (double)*KT(element)(A, i, l), y = (double)*KT(element)(B, l, j);
        s = KT(add_product)(s, x, y);
        size += fabs(x * y);
    }
    r = wide_add_product(r, (double)alpha, s.high);
    r = wide_add(r, (double)alpha * s.low);
    if (beta != 0) r = wide_add_product(r, (double)beta, (double)c);
    *bound = ((double)A->columns + 2) * (double)KEPS / 2 * 1.0001
        * (fabs((double)alpha) * size + (beta != 0 ? fabs((double)beta * (double)c) : 0));
    return r;
}

/* What an output must be: every element by the naive sum in double, which is exact for integers. */
static void KT(naive)(KREAL alpha, const KT(matrix) *A, const KT(matrix) *B, KREAL beta,
    KT(matrix) *C)
{
    size_t i, j, l;
    for (i = 0; i < C->rows; i++)
        for (j = 0; j < C->columns; j++) {
            KREAL *c = KT(element)(C, i, j);
            double s = 0;
            const KREAL *x = A->at + (ptrdiff_t)i * A->rs, *y = B->at + (ptrdiff_t)j * B->cs;
            for (l = 0; l < A->columns && alpha != 0; l++)
                s += (double)x[(ptrdiff_t)l * A->cs] * (double)y[(ptrdiff_t)l * B->rs];
            s = s * (double)alpha + (beta != 0 ? (double)beta * (double)*c : 0);
            *c = (KREAL)s + 0;
        }
}

/* Every element of got within the bound of alpha A B + beta before, where the triangle allows. */
static int KT(within)(KREAL alpha, const KT(matrix) *A, const KT(matrix) *B, KREAL beta,
    const KT(matrix) *before, const KT(matrix) *got, int triangle)
{
    size_t i, j;
    int ok = 1;
    for (i = 0; i < got->rows; i++)
        for (j = 0; j < got->columns; j++) {
            const KREAL c = *KT(element)(before, i, j), r = *KT(element)(got, i, j);
            double bound;
            wide want;
            if (triangle == AD_LOWER && j > i) continue;
            if (triangle == AD_UPPER && j < i) continue;
            want = KT(element_wide)(alpha, A, B, beta, c, i, j, &bound);
            ok &= wide_error(want, (double)r) <= bound;
        }
    return ok;
}

/* Leaves in C the elements of `from`, so that what is left to compare is what lies between. */
static void KT(elements_from)(KT(matrix) *C, const KT(matrix) *from)
{
    size_t i, j;
    for (i = 0; i < C->rows; i++)
        for (j = 0; j < C->columns; j++) *KT(element)(C, i, j) = *KT(element)(from, i, j);
}

/* The caller's working memory: aligned to 64, and guarded behind. */
typedef struct KT(work) { unsigned char *block, *at; size_t bytes; } KT(work);

static KT(work) KT(work_new)(size_t bytes)
{
    KT(work) w;
    w.bytes = bytes;
    w.block = (unsigned char *)malloc(bytes + 128);
    if (!EXPECT(w.block != NULL)) abort();
    w.at = w.block + (64 - (uintptr_t)w.block % 64);
    memset(w.block, 0xA5, bytes + 128);
    return w;
}

static int KT(work_free)(KT(work) *w)          /* whether nothing was written beyond it */
{
    unsigned char *p = w->block;
    int ok = 1;
    for (; p < w->at; p++) ok &= *p == 0xA5;
    for (p = w->at + w->bytes; p < w->block + w->bytes + 128; p++) ok &= *p == 0xA5;
    free(w->block);
    return ok;
}

static void KT(gemm_case)(size_t m, size_t n, size_t k_, int a, int b, int c, KREAL alpha,
    KREAL beta, int integers)
{
    const KREAL around = KT(not_a_number);
    KT(matrix) A = KT(matrix_new)(m, k_, a, around), B = KT(matrix_new)(k_, n, b, around);
    KT(matrix) C = KT(matrix_new)(m, n, c, KT(guard)), want, a0, b0;
    size_t l;
    KT(matrix_draw)(&A, integers);
    KT(matrix_draw)(&B, integers);
    KT(matrix_draw)(&C, integers);
    if (beta == 0 && m && n) *KT(element)(&C, m - 1, n / 2) = KT(not_a_number);
    if (beta == 0 && m && n) *KT(element)(&C, 0, 0) = KT(inf);
    want = KT(matrix_copy)(&C);
    a0 = KT(matrix_copy)(&A);
    b0 = KT(matrix_copy)(&B);
    if (integers) KT(naive)(alpha, &A, &B, beta, &want);
    at_test("gemm", m * 1000000 + n * 1000 + k_);
    for (l = 0; l < levels; l++) {
        const ad_kernels *k = on_level(l);
        KT(matrix) got = KT(matrix_copy)(&C), again = KT(matrix_copy)(&C);
        KT(work) w = KT(work_new)(KA(kernel_gemm_work)(k, m, n, k_));
        EXPECT(KA(kernel_gemm)(k, m, n, k_, alpha, A.at, A.rs, A.cs, B.at, B.rs, B.cs, beta, got.at,
            got.rs, got.cs, NULL) == AD_OK);
        EXPECT(KA(kernel_gemm)(k, m, n, k_, alpha, A.at, A.rs, A.cs, B.at, B.rs, B.cs, beta,
            again.at, again.rs, again.cs, w.at) == AD_OK);
        EXPECT(KT(work_free)(&w));
        EXPECT(KT(matrix_same)(&got, &again));
        if (!integers) {
            EXPECT(KT(within)(alpha, &A, &B, beta, &C, &got, -1));
            KT(elements_from)(&want, &got);
        }
        if (!EXPECT(KT(matrix_same)(&got, &want)))
            fprintf(stderr, "    layouts %d %d %d, alpha %g, beta %g\n", a, b, c, (double)alpha,
                (double)beta);
        free(got.block);
        free(again.block);
    }
    EXPECT(KT(matrix_same)(&A, &a0) && KT(matrix_same)(&B, &b0));
    free(A.block);
    free(B.block);
    free(C.block);
    free(want.block);
    free(a0.block);
    free(b0.block);
}

static void KT(gemms)(void)
{
    static const KREAL alphas[] = { 1, -1, 2, 1, 0, -3 }, betas[] = { 0, 1, -2, 1, 0 };
    /* also beyond the sizes at which the kernels change their ways: a few hundred, a thousand */
    static const size_t large[][3] = { { 63, 64, 65 }, { 64, 65, 63 }, { 65, 63, 64 },
        { 64, 64, 64 }, { 100, 100, 100 }, { 130, 65, 100 }, { 130, 130, 130 }, { 257, 100, 63 },
        { 63, 257, 130 }, { 100, 64, 257 }, { 257, 257, 257 }, { 1, 257, 300 }, { 300, 1, 257 },
        { 257, 300, 1 }, { 3, 5, 1100 }, { 1030, 7, 9 }, { 5, 2100, 3 }, { 1, 1, 5000 },
        { 161, 20, 30 }, { 20, 161, 13 }, { 9, 17, 161 }, { 258, 12, 300 }, { 401, 7, 261 },
        { 12, 1031, 20 }, { 300, 1033, 9 }, { 779, 5, 200 }, { 33, 40, 449 }, { 270, 33, 600 },
        { 1, 700, 260 }, { 700, 1, 260 }, { 259, 3, 2 }, { 2, 259, 258 } };
    size_t i, j;
    for (i = 0; i <= 40; i++)
        for (j = 0; j < 12; j++) {
            const size_t a = draw_below(41), b = draw_below(41);
            const size_t m = j % 3 == 0 ? i : a, n = j % 3 == 1 ? i : j % 3 == 0 ? b : a;
            const size_t k_ = j == 11 ? 0 : j % 3 == 2 ? i : b;
            const int plain = j < 8;           /* every transpose, by rows or by columns */
            KT(gemm_case)(m, n, k_,
                plain ? (int)(j & 1) : (int)draw_below(KT(INPUTS)),
                plain ? (int)(j >> 1 & 1) : (int)draw_below(KT(INPUTS)),
                plain ? (int)(j >> 2) : (int)draw_below(KT(OUTPUTS)),
                alphas[draw_below(6)], betas[draw_below(5)], j % 5 != 4);
        }
    for (i = 0; i < 8; i++)                    /* edges of register blocks, both sides of each */
        for (j = 0; j < 27; j++)
            KT(gemm_case)(i * 4 + 3 + j % 3, i * 3 + 5 + j / 3 % 3, 5 + j / 9, (int)draw_below(6),
                (int)draw_below(6), (int)draw_below(6), 1, (KREAL)(j % 2), 1);
    for (i = 0; i < sizeof large / sizeof large[0]; i++) {
        const size_t m = large[i][0], n = large[i][1], k_ = large[i][2];
        KT(gemm_case)(m, n, k_, (int)(i & 1), (int)(i >> 1 & 1), (int)(i >> 2 & 1), alphas[i % 4],
            betas[i % 4], 1);
        if (m * n * k_ > 3000000) continue;
        KT(gemm_case)(m, n, k_, (int)draw_below(KT(OUTPUTS)), (int)draw_below(KT(OUTPUTS)),
            (int)draw_below(KT(OUTPUTS)), 1, betas[draw_below(5)], 1);
    }
    for (i = 0; i < KT(INPUTS); i++)
        for (j = 0; j < KT(OUTPUTS); j++) {
            KT(gemm_case)(37, 29, 41, (int)i, (int)((i + 3 * j) % KT(INPUTS)), (int)j, 1, 1, 1);
            KT(gemm_case)(13, 11, 17, (int)((i * 5 + j) % KT(INPUTS)), (int)i, (int)j,
                (KREAL)0.7, (KREAL)(j % 3) / 3, 0);
        }
    /* the working memory to its end: A is copied, into tiles of which the last is not full */
    for (i = 0; i < 2; i++)
        KT(gemm_case)(i ? 20 : 161, i ? 161 : 20, 32, KT(SPREAD_ROWS), KT(SPREAD_COLUMNS),
            i ? KT(COLUMNS) : KT(ROWS), 1, 1, 1);
    KT(gemm_case)(40, 65, 64, KT(ROWS), KT(COLUMNS), KT(ROWS), (KREAL)0.3, (KREAL)-1.7, 0);
    KT(gemm_case)(17, 270, 200, KT(ROWS), KT(ROWS), KT(ROWS), 1, (KREAL)0.9, 0);
    KT(gemm_case)(170, 9, 400, KT(COLUMNS), KT(ROWS), KT(COLUMNS), (KREAL)0.3, 1, 0);
}

/* An infinity or NaN in A or B reaches its row or column and nothing else; alpha 0 reads neither;
   pieces of one matrix may interleave. */
static void KT(gemm_specials)(void)
{
    enum { M = 19, N = 21, L = 17 };
    size_t l, i, j;
    for (l = 0; l < levels; l++) {
        const ad_kernels *k = on_level(l);
        int layout;
        at_test("gemm of special numbers", L);
        for (layout = 0; layout < 4; layout++) {
            KT(matrix) A = KT(matrix_new)(M, L, layout & 1, KT(guard));
            KT(matrix) B = KT(matrix_new)(L, N, layout >> 1, KT(guard));
            KT(matrix) C = KT(matrix_new)(M, N, layout & 1, KT(guard)), want, got;
            int ok = 1;
            KT(matrix_draw)(&A, 1);
            KT(matrix_draw)(&B, 1);
            KT(matrix_draw)(&C, 1);
            *KT(element)(&B, L - 1, N - 1) = 3;
            want = KT(matrix_copy)(&C);
            KT(naive)(1, &A, &B, 1, &want);
            got = KT(matrix_copy)(&C);
            *KT(element)(&A, M - 1, L - 1) = KT(not_a_number);
            EXPECT(KA(kernel_gemm)(k, M, N, L, 1, A.at, A.rs, A.cs, B.at, B.rs, B.cs, 1, got.at,
                got.rs, got.cs, NULL) == AD_OK);
            for (i = 0; i < M; i++)
                for (j = 0; j < N; j++) {
                    const KREAL r = *KT(element)(&got, i, j);
                    ok &= i == M - 1 ? r != r : r == *KT(element)(&want, i, j);
                }
            EXPECT(ok);
            memcpy(got.block, C.block, C.length * sizeof(KREAL));
            *KT(element)(&A, M - 1, L - 1) = 2;
            *KT(element)(&B, L - 1, N - 1) = KT(inf);
            for (i = 0; i < M; i++) *KT(element)(&A, i, L - 1) = i % 2 ? 1 : -1;
            KT(elements_from)(&want, &C);
            KT(naive)(1, &A, &B, 1, &want);
            EXPECT(KA(kernel_gemm)(k, M, N, L, 1, A.at, A.rs, A.cs, B.at, B.rs, B.cs, 1, got.at,
                got.rs, got.cs, NULL) == AD_OK);
            EXPECT(KT(matrix_same)(&got, &want));
            KT(elements_from)(&got, &C);
            EXPECT(KA(kernel_gemm)(k, M, N, L, 0, A.at, A.rs, A.cs, B.at, B.rs, B.cs, 1, got.at,
                got.rs, got.cs, NULL) == AD_OK);
            EXPECT(KT(matrix_same)(&got, &C));
            free(A.block);
            free(B.block);
            free(C.block);
            free(want.block);
            free(got.block);
        }
    }
    for (l = 0; l < levels; l++) {
        /* columns 0 to 7, 8 to 15 and 16 to 23 of one matrix by rows: addresses interleave, but no
           element is shared */
        const ad_kernels *k = on_level(l);
        KT(matrix) whole = KT(matrix_new)(8, 24, KT(ROWS), KT(guard)), part[3], want;
        at_test("gemm of interleaved pieces", 8);
        KT(matrix_draw)(&whole, 1);
        want = KT(matrix_copy)(&whole);
        for (i = 0; i < 3; i++) {
            part[i] = want;
            part[i].columns = 8;
            part[i].at = want.at + 8 * i;
        }
        KT(naive)(1, &part[0], &part[2], 1, &part[1]);
        EXPECT(KA(kernel_gemm)(k, 8, 8, 8, 1, whole.at, 24, 1, whole.at + 16, 24, 1, 1,
            whole.at + 8, 24, 1, NULL) == AD_OK);
        EXPECT(KT(matrix_same)(&whole, &want));
        free(whole.block);
        free(want.block);
    }
}

/* y = alpha A x + beta y, and A += alpha x y^T */
static void KT(gemv_case)(size_t m, size_t n, int a, int x_layout, int y_layout, KREAL alpha,
    KREAL beta, int integers)
{
    KT(matrix) A = KT(matrix_new)(m, n, a, KT(not_a_number));
    KT(matrix) x = KT(matrix_new)(n, 1, x_layout, KT(not_a_number));
    KT(matrix) y = KT(matrix_new)(m, 1, y_layout, KT(guard)), want;
    size_t l;
    KT(matrix_draw)(&A, integers);
    KT(matrix_draw)(&x, integers);
    KT(matrix_draw)(&y, integers);
    if (beta == 0 && m) *KT(element)(&y, m / 2, 0) = KT(not_a_number);
    want = KT(matrix_copy)(&y);
    if (integers) KT(naive)(alpha, &A, &x, beta, &want);
    at_test("gemv", m * 1000 + n);
    for (l = 0; l < levels; l++) {
        const ad_kernels *k = on_level(l);
        KT(matrix) got = KT(matrix_copy)(&y);
        EXPECT(KA(kernel_gemv)(k, m, n, alpha, A.at, A.rs, A.cs, x.at, x.rs, beta, got.at, got.rs)
            == AD_OK);
        if (!integers) {
            EXPECT(KT(within)(alpha, &A, &x, beta, &y, &got, -1));
            KT(elements_from)(&want, &got);
        }
        if (!EXPECT(KT(matrix_same)(&got, &want)))
            fprintf(stderr, "    layouts %d %d %d, alpha %g, beta %g\n", a, x_layout, y_layout,
                (double)alpha, (double)beta);
        free(got.block);
    }
    free(A.block);
    free(x.block);
    free(y.block);
    free(want.block);
}

static void KT(ger_case)(size_t m, size_t n, int a, int x_layout, int y_layout, KREAL alpha,
    int integers)
{
    KT(matrix) A = KT(matrix_new)(m, n, a, KT(guard)), want, row;
    KT(matrix) x = KT(matrix_new)(m, 1, x_layout, KT(not_a_number));
    KT(matrix) y = KT(matrix_new)(n, 1, y_layout, KT(not_a_number));
    size_t l;
    KT(matrix_draw)(&A, integers);
    KT(matrix_draw)(&x, integers);
    KT(matrix_draw)(&y, integers);
    row = y;                                   /* y^T: one row */
    row.rows = 1;
    row.columns = n;
    row.cs = y.rs;
    want = KT(matrix_copy)(&A);
    if (integers) KT(naive)(alpha, &x, &row, 1, &want);
    at_test("ger", m * 1000 + n);
    for (l = 0; l < levels; l++) {
        const ad_kernels *k = on_level(l);
        KT(matrix) got = KT(matrix_copy)(&A);
        EXPECT(KA(kernel_ger)(k, m, n, alpha, x.at, x.rs, y.at, y.rs, got.at, got.rs, got.cs)
            == AD_OK);
        if (!integers) {
            EXPECT(KT(within)(alpha, &x, &row, 1, &A, &got, -1));
            KT(elements_from)(&want, &got);
        }
        EXPECT(KT(matrix_same)(&got, &want));
        free(got.block);
    }
    free(A.block);
    free(x.block);
    free(y.block);
    free(want.block);
}

static void KT(syrk_case)(size_t n, size_t k_, int a, int c, KREAL alpha, KREAL beta,
    ad_triangle triangle, int integers)
{
    KT(matrix) A = KT(matrix_new)(n, k_, a, KT(not_a_number)), T;
    KT(matrix) C = KT(matrix_new)(n, n, c, KT(guard)), want, full;
    size_t l, i, j;
    KT(matrix_draw)(&A, integers);
    KT(matrix_draw)(&C, integers);
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            if (beta == 0 && (i + j) % 3 == 0) *KT(element)(&C, i, j) = KT(not_a_number);
    T = A;                                     /* A^T */
    T.rows = A.columns;
    T.columns = A.rows;
    T.rs = A.cs;
    T.cs = A.rs;
    full = KT(matrix_copy)(&C);
    want = KT(matrix_copy)(&C);
    if (integers) KT(naive)(alpha, &A, &T, beta, &full);
    at_test("syrk", n * 1000 + k_);
    for (l = 0; l < levels; l++) {
        const ad_kernels *k = on_level(l);
        KT(matrix) got = KT(matrix_copy)(&C);
        EXPECT(KA(kernel_syrk)(k, n, k_, alpha, A.at, A.rs, A.cs, beta, got.at, got.rs, got.cs,
            triangle) == AD_OK);
        if (!integers) EXPECT(KT(within)(alpha, &A, &T, beta, &C, &got, (int)triangle));
        for (i = 0; i < n; i++)
            for (j = 0; j < n; j++)
                if (triangle == AD_LOWER ? j <= i : j >= i)
                    *KT(element)(&want, i, j) = *KT(element)(integers ? &full : &got, i, j);
        if (!EXPECT(KT(matrix_same)(&got, &want)))
            fprintf(stderr, "    layouts %d %d, alpha %g, beta %g\n", a, c, (double)alpha,
                (double)beta);
        free(got.block);
    }
    free(A.block);
    free(C.block);
    free(want.block);
    free(full.block);
}

/* B = alpha A^-1 B, checked by its residual: A X against alpha B, element by element, within what
   substitution may err. from_right: X A = alpha B, by exchanging all strides and the triangle. */
static void KT(trsm_case)(size_t n, size_t m, int a, int b, KREAL alpha, ad_triangle triangle,
    int unit, int from_right)
{
    KT(matrix) A = KT(matrix_new)(n, n, a, KT(not_a_number)), F;
    KT(matrix) B = KT(matrix_new)(from_right ? m : n, from_right ? n : m, b, KT(guard));
    const ad_triangle given = from_right ? (triangle == AD_LOWER ? AD_UPPER : AD_LOWER) : triangle;
    size_t l, i, j, p;
    KT(matrix_draw)(&B, 0);
    F = KT(matrix_new)(n, n, KT(ROWS), 0);     /* A with zeros and the diagonal written out */
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            KREAL v = (KREAL)(draw_unit() / (double)n);
            if (i == j) v = (KREAL)(draw() % 2 ? 1.25 + draw_unit() / 2 : -0.75);
            *KT(element)(&F, i, j) = 0;
            if (i == j && unit) *KT(element)(&F, i, j) = 1;
            else if (i == j || (triangle == AD_LOWER ? j < i : j > i))
                *KT(element)(&A, i, j) = *KT(element)(&F, i, j) = v;
        }
    at_test(from_right ? "trsm from the right" : "trsm", n * 1000 + m);
    for (l = 0; l < levels; l++) {
        const ad_kernels *k = on_level(l);
        KT(matrix) got = KT(matrix_copy)(&B), X, R, around = KT(matrix_copy)(&B);
        int ok = 1;
        if (from_right)
            EXPECT(KA(kernel_trsm)(k, n, m, alpha, A.at, A.cs, A.rs, given, unit, got.at, got.cs,
                got.rs) == AD_OK);
        else EXPECT(KA(kernel_trsm)(k, n, m, alpha, A.at, A.rs, A.cs, given, unit, got.at, got.rs,
                got.cs) == AD_OK);
        X = got;
        R = B;
        for (i = 0; i < B.rows; i++)
            for (j = 0; j < B.columns; j++) {
                wide s = { 0, 0 };
                double size = fabs((double)alpha * (double)*KT(element)(&R, i, j));
                s = wide_add_product(s, (double)alpha, -(double)*KT(element)(&R, i, j));
                for (p = 0; p < n; p++) {
                    const double x = (double)(from_right ? *KT(element)(&X, i, p)
                                              : *KT(element)(&F, i, p));
                    const double y = (double)(from_right ? *KT(element)(&F, p, j)
                                              : *KT(element)(&X, p, j));
                    s = KT(add_product)(s, x, y);
                    size += fabs(x * y);
                }
                ok &= fabs(wide_value(s)) <= ((double)n + 6) * (double)KEPS * size;
            }
        if (!EXPECT(ok)) fprintf(stderr, "    layouts %d %d, unit %d, alpha %g, triangle %d\n", a,
            b, unit, (double)alpha, (int)triangle);
        KT(elements_from)(&around, &got);
        EXPECT(KT(matrix_same)(&around, &got));
        free(got.block);
        free(around.block);
    }
    free(A.block);
    free(B.block);
    free(F.block);
}

static void KT(products)(void)
{
    static const KREAL alphas[] = { 1, -1, 2, 0 }, betas[] = { 0, 1, -2 };
    static const size_t large[] = { 63, 64, 65, 100, 130, 257 };
    size_t i, j;
    for (i = 0; i <= 40; i++)
        for (j = 0; j < 16; j++) {
            const size_t other = draw_below(41), m = j % 2 ? i : other, n = j % 2 ? other : i;
            const KREAL alpha = alphas[draw_below(4)], beta = betas[draw_below(3)];
            const int any = (int)draw_below(KT(INPUTS)), out = (int)draw_below(KT(OUTPUTS));
            const int plain = (int)(j >> 1 & 1), integers = j % 5 != 4;
            KT(gemv_case)(m, n, j < 8 ? plain : any, j < 8 ? 1 : any, j < 8 ? 1 : out, alpha, beta,
                integers);
            KT(ger_case)(m, n, j < 8 ? plain : out, j < 8 ? 1 : any, j < 8 ? 1
                : (int)draw_below(KT(INPUTS)), alpha, integers);
            if (j >= 8) continue;
            KT(syrk_case)(i, other, j < 4 ? plain : any, j < 4 ? (int)(j & 1) : out, alpha, beta,
                j % 2 ? AD_LOWER : AD_UPPER, integers);
            KT(trsm_case)(i, draw_below(9), j < 4 ? plain : (int)draw_below(KT(OUTPUTS)),
                j < 4 ? plain : out, alpha, j % 2 ? AD_LOWER : AD_UPPER, (int)(j >> 1 & 1),
                (int)(j >> 2 & 1));
        }
    for (i = 0; i < 6; i++)
        for (j = 0; j < 4; j++) {
            const size_t n = large[i], m = large[(i + j) % 6];
            const int layout = (int)(j & 1);
            KT(gemv_case)(m, n, layout, 1, 1, 1, (KREAL)(j % 2), 1);
            KT(gemv_case)(n, m, layout, 0, 4, 2, 1, 1);
            KT(ger_case)(m, n, layout, 1, 1, -1, 1);
            if (j > 1) continue;
            KT(syrk_case)(n, j ? 257 : 33, layout, layout, 1, -1, j ? AD_LOWER : AD_UPPER, 1);
            KT(syrk_case)(n, 40, 1 - layout, layout, 2, 0, j ? AD_UPPER : AD_LOWER, 1);
            if (n < 257) {
                KT(trsm_case)(n, 9, layout, 1 - layout, 1, j ? AD_LOWER : AD_UPPER, 0, 0);
                KT(trsm_case)(n, 5, layout, layout, 2, j ? AD_UPPER : AD_LOWER, 1, (int)j);
            }
        }
    for (i = 0; i < 8; i++) {                  /* vectors of more than a thousand elements */
        const size_t m = i & 1 ? 1100 : 7, n = i & 1 ? 5 : 2100;
        const int layout = (int)(i >> 1 & 1), x = i & 4 ? 4 : 1;
        KT(gemv_case)(m, n, layout, x, 1, 1, (KREAL)layout, 1);
        KT(gemv_case)(m, n, layout, 1, x, -2, 1, 1);
        KT(ger_case)(m, n, layout, x, 1, 2, 1);
    }
    KT(syrk_case)(301, 40, 0, 1, 1, 1, AD_LOWER, 1);
    KT(syrk_case)(270, 300, 1, 0, 1, 1, AD_UPPER, 1);
    KT(trsm_case)(9, 257, 0, 0, 1, AD_LOWER, 0, 0);
    KT(trsm_case)(257, 3, 1, 1, 1, AD_UPPER, 0, 0);
}

/* Operands and result within one array. Blocks of one matrix are accepted where they share no
   element; whatever else is accepted comes out as if the three were apart. */
static void KT(one_array)(size_t cases)
{
    enum { SIDE = 10, ALL = SIDE * SIDE };
    KREAL pool[ALL], before[ALL], a[16], b[16], c[16];
    size_t accepted = 0, refused = 0, i, p, q, t;
    for (i = 0; i < ALL; i++) pool[i] = (KREAL)(1 + i % 7);
    memcpy(before, pool, sizeof pool);
    at_test("gemm within one array", ALL);
    for (i = 0; i < cases; i++) {
        const ad_kernels *k = on_level(i % levels);
        const int blocks = i % 4 != 0;
        size_t size[3][2], apart = 1;
        ptrdiff_t first[3], rs[3], cs[3];
        KREAL *copy[3];
        ad_status status;
        const size_t m = 1 + draw_below(4), n = 1 + draw_below(4), l = 1 + draw_below(4);
        size[0][0] = size[2][0] = m;
        size[0][1] = size[1][0] = l;
        size[1][1] = size[2][1] = n;
        copy[0] = a;
        copy[1] = b;
        copy[2] = c;
        for (t = 0; t < 3; t++) {
            const size_t rows = size[t][0], columns = size[t][1];
            const int turned = draw() % 3 == 0;
            if (blocks) {
                rs[t] = turned ? 1 : SIDE;
                cs[t] = turned ? SIDE : 1;
                first[t] = (ptrdiff_t)draw_below(SIDE + 1 - rows) * rs[t];
                first[t] += (ptrdiff_t)draw_below(SIDE + 1 - columns) * cs[t];
            } else {
                ptrdiff_t low = 0, high = 0;
                rs[t] = (ptrdiff_t)draw_below(25) - 12;
                cs[t] = draw() % 2 ? 1 : (ptrdiff_t)draw_below(25) - 12;
                *(rs[t] < 0 ? &low : &high) += (ptrdiff_t)(rows - 1) * rs[t];
                *(cs[t] < 0 ? &low : &high) += (ptrdiff_t)(columns - 1) * cs[t];
                first[t] = (ptrdiff_t)draw_below((size_t)(ALL - (high - low))) - low;
            }
            for (p = 0; p < rows; p++)
                for (q = 0; q < columns; q++)
                    copy[t][p * columns + q] = pool[first[t] + (ptrdiff_t)p * rs[t]
                                                    + (ptrdiff_t)q * cs[t]];
        }
        status = KA(kernel_gemm)(k, m, n, l, 1, pool + first[0], rs[0], cs[0], pool + first[1],
            rs[1], cs[1], 1, pool + first[2], rs[2], cs[2], NULL);
        if (status == AD_OK) {
            accepted++;
            for (p = 0; p < m; p++)
                for (q = 0; q < n; q++) {
                    KREAL *to = before + (first[2] + (ptrdiff_t)p * rs[2] + (ptrdiff_t)q * cs[2]);
                    for (t = 0; t < l; t++) *to += a[p * l + t] * b[t * n + q];
                }
            EXPECT(memcmp(pool, before, sizeof pool) == 0);
            for (p = 0; p < ALL; p++) before[p] = (KREAL)(1 + p % 7);
            memcpy(pool, before, sizeof pool);
        } else {
            refused++;
            EXPECT(status == AD_ERR_ARGUMENT && memcmp(pool, before, sizeof pool) == 0);
        }
        if (!blocks) continue;
        for (t = 0; t < 2; t++)
            for (p = 0; p < size[t][0] * size[t][1]; p++)
                for (q = 0; q < m * n; q++)
                    apart &= first[t] + (ptrdiff_t)(p / size[t][1]) * rs[t]
                           + (ptrdiff_t)(p % size[t][1]) * cs[t]
                          != first[2] + (ptrdiff_t)(q / n) * rs[2] + (ptrdiff_t)(q % n) * cs[2];
        EXPECT((status == AD_OK) == (apart != 0));
    }
    EXPECT(accepted > cases / 8 && refused > cases / 8);
}

/* A zero on the diagonal; the sides of a matrix product that cannot be meant. */
static void KT(bad_matrices)(const ad_kernels *k)
{
    enum { ALL = 400 };
    KREAL pool[ALL], before[ALL], *A = pool + 16, *B = pool + 116, *C = pool + 216, *D = pool + 316;
    int i;
    ad_triangle low = AD_LOWER;
    for (i = 0; i < ALL; i++) pool[i] = (KREAL)(1 + i % 5);
    memcpy(before, pool, sizeof pool);
    at_test("bad matrices", 6);
#define GEMM(A, B, C, rsc, csc)                                                                    \
    KA(kernel_gemm)(k, 6, 6, 6, 1, A, 6, 1, B, 6, 1, 1, C, rsc, csc, NULL)
    REFUSED(GEMM(NULL, B, C, 6, 1));
    REFUSED(GEMM(A, NULL, C, 6, 1));
    REFUSED(GEMM(A, B, NULL, 6, 1));
    REFUSED(GEMM(A, B, C, 0, 1));
    REFUSED(GEMM(A, B, C, 6, 0));
    REFUSED(GEMM(A, B, C, 0, 0));
    REFUSED(GEMM(A, B, A, 6, 1));
    REFUSED(GEMM(A, B, B, 6, 1));
    REFUSED(GEMM(A, B, A + 5, 6, 1));
    REFUSED(GEMM(A, B, A + 30, 6, 1));
    REFUSED(GEMM(A, B, B - 30, 6, 1));
    REFUSED(GEMM(A, B, B + 35, 6, 1));
    REFUSED(GEMM(A, B, C, 1, 1));              /* elements of C on top of each other */
    REFUSED(GEMM(A, B, C, 3, 1));
    REFUSED(GEMM(A, B, C + 30, -6, 0));
    REFUSED(KA(kernel_gemv)(k, 6, 6, 1, NULL, 6, 1, B, 1, 1, C, 1));
    REFUSED(KA(kernel_gemv)(k, 6, 6, 1, A, 6, 1, NULL, 1, 1, C, 1));
    REFUSED(KA(kernel_gemv)(k, 6, 6, 1, A, 6, 1, B, 1, 1, NULL, 1));
    REFUSED(KA(kernel_gemv)(k, 6, 6, 1, A, 6, 1, B, 1, 1, C, 0));
    REFUSED(KA(kernel_gemv)(k, 6, 6, 1, A, 6, 1, B, 1, 1, B, 1));
    REFUSED(KA(kernel_gemv)(k, 6, 6, 1, A, 6, 1, B, 1, 1, B + 3, 1));
    REFUSED(KA(kernel_gemv)(k, 6, 6, 1, A, 6, 1, B, 1, 1, A + 30, 1));
    REFUSED(KA(kernel_ger)(k, 6, 6, 1, NULL, 1, B, 1, C, 6, 1));
    REFUSED(KA(kernel_ger)(k, 6, 6, 1, A, 1, NULL, 1, C, 6, 1));
    REFUSED(KA(kernel_ger)(k, 6, 6, 1, A, 1, B, 1, NULL, 6, 1));
    REFUSED(KA(kernel_ger)(k, 6, 6, 1, A, 1, B, 1, C, 0, 1));
    REFUSED(KA(kernel_ger)(k, 6, 6, 1, A, 1, B, 1, C, 6, 0));
    REFUSED(KA(kernel_ger)(k, 6, 6, 1, C + 6, 1, B, 1, C, 6, 1));
    REFUSED(KA(kernel_ger)(k, 6, 6, 1, A, 1, C + 30, 1, C, 6, 1));
    REFUSED(KA(kernel_syrk)(k, 6, 6, 1, NULL, 6, 1, 1, C, 6, 1, low));
    REFUSED(KA(kernel_syrk)(k, 6, 6, 1, A, 6, 1, 1, NULL, 6, 1, low));
    REFUSED(KA(kernel_syrk)(k, 6, 6, 1, A, 6, 1, 1, C, 0, 1, low));
    REFUSED(KA(kernel_syrk)(k, 6, 6, 1, A, 6, 1, 1, A, 6, 1, low));
    REFUSED(KA(kernel_trsm)(k, 6, 6, 1, NULL, 6, 1, low, 0, B, 6, 1));
    REFUSED(KA(kernel_trsm)(k, 6, 6, 1, A, 6, 1, low, 0, NULL, 6, 1));
    REFUSED(KA(kernel_trsm)(k, 6, 6, 1, A, 6, 1, low, 0, B, 0, 1));
    REFUSED(KA(kernel_trsm)(k, 6, 6, 1, A, 6, 1, low, 0, B, 6, 0));
    REFUSED(KA(kernel_trsm)(k, 6, 6, 1, A, 6, 1, low, 0, A, 6, 1));
    REFUSED(KA(kernel_trsm)(k, 6, 6, 1, A, 6, 1, low, 0, A + 14, 6, 1));
    /* nothing to do: no pointer is asked for */
    EXPECT(KA(kernel_gemm)(k, 0, 6, 6, 1, NULL, 6, 1, B, 6, 1, 1, NULL, 6, 1, NULL) == AD_OK);
    EXPECT(KA(kernel_gemm)(k, 6, 0, 6, 1, A, 6, 1, NULL, 6, 1, 1, NULL, 6, 1, NULL) == AD_OK);
    EXPECT(KA(kernel_gemm)(k, 6, 6, 0, 1, NULL, 6, 1, NULL, 6, 1, 1, C, 6, 1, NULL) == AD_OK);
    EXPECT(KA(kernel_gemv)(k, 0, 0, 1, NULL, 6, 1, NULL, 1, 1, NULL, 1) == AD_OK);
    EXPECT(KA(kernel_gemv)(k, 6, 0, 1, NULL, 6, 1, NULL, 1, 1, C, 1) == AD_OK);
    EXPECT(KA(kernel_ger)(k, 0, 6, 1, NULL, 1, B, 1, NULL, 6, 1) == AD_OK);
    EXPECT(KA(kernel_syrk)(k, 0, 6, 1, NULL, 6, 1, 1, NULL, 6, 1, low) == AD_OK);
    EXPECT(KA(kernel_syrk)(k, 6, 0, 1, NULL, 6, 1, 1, C, 6, 1, low) == AD_OK);
    EXPECT(KA(kernel_trsm)(k, 0, 6, 1, NULL, 6, 1, low, 0, NULL, 6, 1) == AD_OK);
    EXPECT(KA(kernel_trsm)(k, 6, 0, 1, A, 6, 1, low, 0, NULL, 6, 1) == AD_OK);
    EXPECT(memcmp(pool, before, sizeof pool) == 0);
    /* k = 0 is only C = beta C; one row needs no stride of rows */
    EXPECT(KA(kernel_gemm)(k, 6, 6, 0, 1, NULL, 6, 1, NULL, 6, 1, 0, C, 6, 1, NULL) == AD_OK);
    for (i = 0; i < 36; i++) EXPECT(C[i] == 0);
    EXPECT(C[36] == before[216 + 36] && C[-1] == before[215]);
    EXPECT(KA(kernel_gemm)(k, 1, 6, 6, 1, A, 0, 1, B, 6, 1, 1, D, 0, 1, NULL) == AD_OK);
    EXPECT(KA(kernel_gemm)(k, 6, 1, 6, 1, A, 6, 1, B, 6, 1, 1, D, 1, 0, NULL) == AD_OK);
    memcpy(pool, before, sizeof pool);
    A[0] = 0;
    EXPECT(KA(kernel_trsm)(k, 6, 6, 1, A, 6, 1, low, 0, B, 6, 1) == AD_OK);
    for (i = 0; i < 6; i++) EXPECT(!KT(is_finite)(B[i]) && !KT(is_finite)(B[30 + i]));
    memcpy(pool, before, sizeof pool);
    A[0] = 0;
    EXPECT(KA(kernel_trsm)(k, 6, 6, 1, A, 6, 1, low, 1, B, 6, 1) == AD_OK);
    for (i = 0; i < 36; i++) EXPECT(KT(is_finite)(B[i]));
#undef GEMM
}
#undef REFUSED

/* ------------------------------------------------------------------ the tape's choice */

static void KT(tapes)(void)
{
    static const ad_simd sets[] = { AD_SIMD_BEST, AD_SIMD_PLAIN, AD_SIMD_AVX2, AD_SIMD_AVX512,
        AD_SIMD_NEON, (ad_simd)7 };
    size_t i, bit;
    KREAL x[2] = { 1, 2 }, r[2] = { 0, 0 };
    now.level = "-";
    for (i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        const ad_kernels *k = ad_kernels_get(sets[i]);
        ad_tape_desc desc;
        KA(tape) *t;
        memset(&desc, 0, sizeof desc);
        desc.simd = sets[i];
        at_test("tape", i);
        t = KA(tape_create)(&desc);
        if (!EXPECT(t != NULL)) continue;
        EXPECT(KA(tape_kernels)(t) == k);
        for (bit = 0; bit < 2; bit++) {
            EXPECT(KA(tape_status)(t) == (k ? AD_OK : AD_ERR_UNSUPPORTED));
            EXPECT((KA(tape_message)(t)[0] == 0) == (k != NULL));
            if (!k && sets[i] <= AD_SIMD_NEON)
                EXPECT(strstr(KA(tape_message)(t), ad_simd_name(sets[i])) != NULL);
            EXPECT((KA(input)(t, 1).tape != NULL) == (k != NULL));
            KA(tape_reset)(t);
        }
        EXPECT(KA(tape_kernels)(t) == k);
        KA(tape_destroy)(t);
    }
    {
        KA(tape) *t = KA(tape_create)(NULL);
        EXPECT(KA(tape_kernels)(t) == ad_kernels_get(AD_SIMD_BEST));
        KA(tape_destroy)(t);
    }
    at_test("NULL for the kernels", 2);
    EXPECT(KA(kernel_add)(NULL, 2, x, 1, x, 1, r) == AD_OK && r[0] == 2 && r[1] == 4);
    EXPECT(KA(kernel_add_adjoint)(NULL, 2, x, 1, x, 1, r, x, r, NULL) == AD_ERR_ARGUMENT);
    EXPECT(KA(kernel_add_adjoint)(NULL, 2, x, 1, x, 0, x, x, r, r) == AD_ERR_ARGUMENT);
    r[0] = 1;                                    /* of one number, increments tell nothing */
    EXPECT(KA(kernel_add_adjoint)(NULL, 1, x, 1, x, 0, x, x, r, r) == AD_OK);
    EXPECT(r[0] == 1 + 2 * x[0]);
    r[0] = 2;
    r[1] = 4;
    EXPECT(KA(kernel_exp_adjoint)(NULL, 2, x, x, x, r) == AD_OK && r[0] == 3 && r[1] == 8);
    EXPECT(KA(kernel_sum)(NULL, 2, x, r) == AD_OK && r[0] == 3);
    EXPECT(KA(kernel_gemm)(NULL, 1, 1, 2, 1, x, 2, 1, x, 1, 1, 0, r, 1, 1, NULL) == AD_OK
        && r[0] == 5);
    EXPECT(KA(kernel_gemm_work)(NULL, 5, 5, 5)
        == KA(kernel_gemm_work)(ad_kernels_get(AD_SIMD_BEST), 5, 5, 5));
}

/* Of the working memory no more than is asked for: n just below what a panel holds, m above it. */
static void KT(gemm_room)(void)
{
    enum { M = 1152, N = 1023, K = 96, BEYOND = 1 << 16 };
    KREAL *const a = (KREAL *)calloc((size_t)M * K, sizeof *a);
    KREAL *const b = (KREAL *)calloc((size_t)K * N, sizeof *b);
    KREAL *const c = (KREAL *)calloc((size_t)M * N, sizeof *c);
    size_t l, i, worst = 0;
    for (l = 0; l < levels; l++) {
        const ad_kernels *const k = on_level(l);
        const size_t bytes = KA(kernel_gemm_work)(k, M, N, K);
        unsigned char *const w = (unsigned char *)malloc(bytes + BEYOND + 64);
        unsigned char *const work = w + (64 - (uintptr_t)w % 64) % 64;
        memset(w, 0xA5, bytes + BEYOND + 64);
        at_test("gemm's room", N);
        EXPECT(KA(kernel_gemm)(k, M, N, K, 1, a, K, 1, b, N, 1, 0, c, N, 1, work) == AD_OK);
        for (i = worst = 0; i < BEYOND; i++) if (work[bytes + i] != 0xA5) worst = i + 1;
        EXPECT(worst == 0);
        free(w);
    }
    free(a);
    free(b);
    free(c);
}
/* A reduction's result may stand in its operand. */
static void KT(norm_in_place)(void)
{
    static const int scale[] = { 0, KEXP - 4, -KEXP + 8 };
    size_t l, s;
    for (l = 0; l < levels; l++)
        for (s = 0; s < sizeof scale / sizeof scale[0]; s++) {
            KREAL x[2], r = 0;
            x[0] = (KREAL)ldexp(3, scale[s]);
            x[1] = (KREAL)ldexp(4, scale[s]);
            at_test("norm in place", 2);
            EXPECT(KA(kernel_norm)(on_level(l), 2, x, &r) == AD_OK);
            EXPECT(KA(kernel_norm)(on_level(l), 2, x, x) == AD_OK && x[0] == r);
        }
}

static void KT(everything)(void)
{
    size_t l;
    now.real = KDOUBLE ? "double" : "float";
    KT(elementwise)();
    KT(vectors)();
    KT(sums)();
    KT(norms)();
    KT(norm_in_place)();
    if (test_stride() == 1) KT(gemm_room)();
    KT(extremes)();
    KT(exponentials)();
    KT(gemms)();
    KT(gemm_specials)();
    KT(products)();
    if (levels) KT(one_array)(6000);
    for (l = 0; l < levels; l++) KT(bad_vectors)(on_level(l));
    for (l = 0; l < levels; l++) KT(bad_matrices)(on_level(l));
    KT(tapes)();
}
#endif
