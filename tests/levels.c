/* What the kernels promise of their bits: the arithmetic rules, their adjoints, sums, axpy, scale
   are the same on every instruction set, whatever compiled them; the functions of mathematics are
   the same on all that have fused products (all but AD_SIMD_PLAIN). Runs every kernel on the same
   numbers (special values crossed, any bits, sizes that leave remainders) on every set of this
   machine, compares, and prints a checksum for every rule, then one for all: the caller compares
   builds and machines. Exit code 1: two sets differ, and stderr says where. The file includes
   itself, once for each real type. */
#ifndef KREAL
#define AUTODIFF_STATIC
#define AUTODIFF_IMPLEMENTATION
#include "../autodiff.h"
#include "rows.h"
#include <stdio.h>
#include <stdlib.h>

enum { LEVELS = 4, CROSSED = 26, MANY = CROSSED * CROSSED + 1200, TIMES = 4 };

static const ad_simd every_level[LEVELS] = { AD_SIMD_PLAIN, AD_SIMD_AVX2, AD_SIMD_AVX512,
    AD_SIMD_NEON };
static const ad_kernels *level[LEVELS];
static size_t levels;
static int failures;

/* xorshift: the inputs are made of bits alone, so no compiler can round them */
static uint64_t seed;

static uint64_t draw(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

/* Fowler, Noll and Vo's checksum, of one result and of all */
static const uint64_t hash_start = 14695981039346656037u;

static uint64_t hash_bytes(uint64_t h, size_t n, const void *bytes)
{
    const unsigned char *p = (const unsigned char *)bytes;
    size_t i;
    for (i = 0; i < n; i++) h = (h ^ p[i]) * 1099511628211u;
    return h;
}

static uint64_t total[2];

/* The group of a rule: 0, the arithmetic, or 1, a function of mathematics. */
static int group_of(const char *name) { return !row_is_exact(name); }

/* The polygamma functions, and lgamma and digamma left of 0, are computed by plain C and libm, with
   no promise of their bits. Integer powers beyond 64 are the function pow. */
static int promised(const char *name, int adjoint)
{
    return !row_listed(" trigamma polygamma ", name) && !(adjoint && row_listed(" digamma ", name));
}

static void report(const char *real, const char *name, int group, uint64_t h)
{
    total[group] = hash_bytes(total[group], sizeof h, &h);
    printf("%s %s %s %08lx%08lx\n", group ? "mathematics" : "arithmetic", real, name,
        (unsigned long)(h >> 32), (unsigned long)(h & 0xffffffffu));
}

#define KREAL    double
#define KBITS    uint64_t
#define KA(name) ad_##name
#define KT(name) name##_d
#define KDIGITS  52
#define KBIAS    1023
#include "levels.c"
#undef KREAL
#undef KBITS
#undef KA
#undef KT
#undef KDIGITS
#undef KBIAS
#define KREAL    float
#define KBITS    uint32_t
#define KA(name) adf_##name
#define KT(name) name##_f
#define KDIGITS  23
#define KBIAS    127
#include "levels.c"

int main(void)
{
    size_t l;
    printf("#");
    for (l = 0; l < LEVELS; l++) {
        const ad_kernels *k = ad_kernels_get(every_level[l]);
        if (!k) continue;
        level[levels++] = k;
        printf(" %s", ad_simd_name(every_level[l]));
    }
    printf("\n");
    total[0] = total[1] = hash_start;
    everything_d();
    everything_f();
    printf("arithmetic %08lx%08lx\n", (unsigned long)(total[0] >> 32),
        (unsigned long)(total[0] & 0xffffffffu));
    if (levels > 1) printf("mathematics %08lx%08lx\n", (unsigned long)(total[1] >> 32),
        (unsigned long)(total[1] & 0xffffffffu));
    return failures != 0;
}

#else

/* ======================================================================== for each real type */

static KREAL KT(from_bits)(KBITS bits)
{
    KREAL v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* sign, exponent of two, fraction */
static KBITS KT(bits_of)(unsigned sign, int exponent, KBITS fraction)
{
    return (KBITS)((KBITS)sign << (KDIGITS + (sizeof(KBITS) == 8 ? 11 : 8)))
        | (KBITS)((KBITS)(exponent + KBIAS) << KDIGITS) | fraction;
}

static KREAL KT(special)(size_t i)
{
    const KBITS all = ((KBITS)1 << KDIGITS) - 1, half = (KBITS)1 << (KDIGITS - 1);
    switch (i) {
    case 0:  return KT(from_bits)(0);
    case 1:  return KT(from_bits)(KT(bits_of)(1, -KBIAS, 0));                  /* -0 */
    case 2:  return 1;
    case 3:  return -1;
    case 4:  return (KREAL)0.5;
    case 5:  return (KREAL)-0.5;
    case 6:  return 2;
    case 7:  return (KREAL)-2.5;
    case 8:  return 3;
    case 9:  return (KREAL)1.5;
    case 10: return KT(from_bits)(1);                                          /* subnormal */
    case 11: return KT(from_bits)(KT(bits_of)(1, -KBIAS, all));
    case 12: return KT(from_bits)(KT(bits_of)(0, 1 - KBIAS, 0));               /* least normal */
    case 13: return KT(from_bits)(KT(bits_of)(1, 1 - KBIAS, 1));
    case 14: return KT(from_bits)(KT(bits_of)(0, KBIAS, all));                 /* greatest */
    case 15: return KT(from_bits)(KT(bits_of)(1, KBIAS, all));
    case 16: return KT(from_bits)(KT(bits_of)(0, KBIAS + 1, 0));               /* infinity */
    case 17: return KT(from_bits)(KT(bits_of)(1, KBIAS + 1, 0));
    case 18: return KT(from_bits)(KT(bits_of)(0, KBIAS + 1, half));            /* NaN */
    case 19: return KT(from_bits)(KT(bits_of)(1, KBIAS + 1, half));
    case 20: return KT(from_bits)(KT(bits_of)(0, 0, 1));                       /* next to 1 */
    case 21: return KT(from_bits)(KT(bits_of)(0, -1, all));
    case 22: return KT(from_bits)(KT(bits_of)(0, -2, all));                    /* below 1/2 */
    case 23: return KT(from_bits)(KT(bits_of)(0, KDIGITS - 1, all));           /* a half more */
    case 24: return KT(from_bits)(KT(bits_of)(1, KDIGITS, 3));
    default: return 63;
    }
}

static KREAL KT(any)(void)
{
    const KBITS bits = (KBITS)draw(), fraction = bits & (((KBITS)1 << KDIGITS) - 1);
    const uint64_t d = draw();
    const unsigned sign = (unsigned)(d >> 8 & 1);
    switch (d % 16) {
    case 0: case 1: return KT(from_bits)(bits);                      /* anything at all */
    case 2: return KT(from_bits)(KT(bits_of)(sign, -KBIAS, fraction));       /* subnormal */
    case 3: case 4: return KT(special)((size_t)(d >> 16) % CROSSED);
    case 5: case 6: return (KREAL)((int)(d >> 16 & 127) - 64);
    case 7: return KT(from_bits)(KT(bits_of)(sign, (int)(d >> 16 & 63) - 32, fraction));
    default: return KT(from_bits)(KT(bits_of)(sign, (int)(d >> 16 & 7) - 4, fraction));
    }
}

/* finite, between 2^low and 2^(low + count), of either sign. Every number here is drawn by a
   statement of its own: the order in which a call's arguments are evaluated is the compiler's. */
static KREAL KT(moderate)(int low, unsigned count)
{
    const KBITS fraction = (KBITS)draw() & (((KBITS)1 << KDIGITS) - 1);
    const uint64_t d = draw();
    return KT(from_bits)(KT(bits_of)((unsigned)(d >> 9 & 1), low + (int)((d >> 16) % count),
        fraction));
}

/* an exponent that ipow takes by squaring: its derivative's is smaller by one */
static KREAL KT(small)(void)
{
    const uint64_t d = draw();
    return (KREAL)((int)(d % 127) - 63) + (KREAL)(d >> 32 & 3) / 4;
}

static KREAL KT(x)[3][MANY], KT(r_bar)[MANY], KT(bar)[MANY];

static void KT(inputs)(const char *name, int operands)
{
    const size_t crossed = operands == 1 ? CROSSED : CROSSED * CROSSED;
    size_t i, j;
    seed = 88172645463325252u;
    for (i = 0; i < MANY; i++) {
        const size_t at = i * 1009 % MANY;
        for (j = 0; j < 3; j++)
            KT(x)[j][at] = i >= crossed ? KT(any)()
                : KT(special)((j == 0 ? i : j == 1 ? i / CROSSED : 7 * i + i / CROSSED) % CROSSED);
        if (strcmp(name, "ipow") == 0) KT(x)[1][at] = KT(small)();
        if (row_listed(" lgamma digamma ", name)) KT(x)[0][at] = KA(real_abs)(KT(x)[0][at]);
        if (draw() % 8 == 0) KT(x)[1][at] = strcmp(name, "ipow") == 0 ? 2 : KT(x)[0][at];
        if (draw() % 8 == 0) KT(x)[2][at] = KT(x)[1][at];
        KT(r_bar)[at] = draw() % 8 ? KT(moderate)(0, 4) : KT(any)();
        KT(bar)[at] = draw() % 8 ? (KREAL)((int)(draw() % 99) - 50) / 8 : 0;
    }
}

/* The results of one kernel on one level: the checksum goes on, NaN being one NaN. */
typedef struct KT(results) { uint64_t hash[LEVELS]; KREAL last[LEVELS][2 * MANY]; } KT(results);
static KT(results) KT(out);

static void KT(start)(void)
{
    size_t l;
    for (l = 0; l < LEVELS; l++) KT(out).hash[l] = hash_start;
}

/* Takes n numbers on level l in; then compares them with those of the level that comes first in the
   group (arithmetic: all; mathematics: all but the plain one). */
static void KT(take)(size_t l, size_t n, const KREAL *r, int group, const char *name,
    const char *what)
{
    const size_t first = (size_t)group;
    size_t i;
    for (i = 0; i < n; i++) {
        KT(out).last[l][i] = r[i] == r[i] ? r[i] : KT(special)(18);
        if (l > first && failures < 20
            && memcmp(&KT(out).last[l][i], &KT(out).last[first][i], sizeof *r) != 0) {
            failures++;
            fprintf(stderr, "%s, %s, %s, place %lu of %lu: %.17g (%a) on %s, %.17g (%a) on %s\n",
                sizeof(KREAL) == 8 ? "double" : "float", name, what, (unsigned long)i,
                (unsigned long)n, (double)KT(out).last[first][i], (double)KT(out).last[first][i],
                ad_simd_name(ad_kernels_simd(level[first])), (double)KT(out).last[l][i],
                (double)KT(out).last[l][i], ad_simd_name(ad_kernels_simd(level[l])));
        }
    }
    KT(out).hash[l] = hash_bytes(KT(out).hash[l], n * sizeof *r, KT(out).last[l]);
}

/* After all levels: the checksum of the first of the group. */
static void KT(finish)(const char *name, int group)
{
    if ((size_t)group < levels)
        report(sizeof(KREAL) == 8 ? "double" : "float", name, group, KT(out).hash[group]);
}

static void KT(expect)(ad_status status, const char *name)
{
    if (status == AD_OK) return;
    fprintf(stderr, "%s: %s\n", name, ad_status_name(status));
    failures++;
}

static void KT(rules)(void)
{
    static const size_t sizes[TIMES] = { MANY, 37, 1, 6 };
    static KREAL r[LEVELS][MANY], bar[3][MANY];
    size_t l, n, from;
    unsigned c;
    int t, j, group;
    /* c: bit j is the increment of operand j. The adjoint gets the value of its own level: where it
       should be the same, it was compared. */
#define RULE(name, operands, value, adjoint)                                                       \
    group = group_of(#name);                                                                       \
    KT(inputs)(#name, operands);                                                                   \
    KT(start)();                                                                                   \
    for (c = operands == 1 ? 1 : 0; c < 1u << operands && promised(#name, 0); c++)                 \
        for (t = 0; t < TIMES; t++) {                                                              \
            const KREAL *x = KT(x)[0], *y = KT(x)[1], *z = KT(x)[2];                               \
            const size_t ix = c & 1, iy = c >> 1 & 1, iz = c >> 2 & 1;                             \
            n = sizes[t];                                                                          \
            from = (size_t)(7 + 11 * t) % (MANY - n + 1);                                          \
            x += from;                                                                             \
            y += from;                                                                             \
            z += from;                                                                             \
            (void)ix; (void)iy; (void)iz; (void)y; (void)z;                                        \
            for (l = (size_t)group; l < levels; l++) {                                             \
                const ad_kernels *k = level[l];                                                    \
                KT(expect)(value, #name);                                                          \
                KT(take)(l, n, r[l], group, #name, "value");                                       \
            }                                                                                      \
            for (j = 0; j < operands && promised(#name, 1); j++)                                   \
                for (l = (size_t)group; l < levels; l++) {                                         \
                    const ad_kernels *k = level[l];                                                \
                    KREAL *b[3] = { NULL, NULL, NULL };                                            \
                    b[j] = bar[j];                                                                 \
                    memcpy(bar[j], KT(bar), n * sizeof *bar[j]);                                   \
                    KT(expect)(adjoint, #name);                                                    \
                    KT(take)(l, c >> j & 1 ? n : 1, bar[j], group, #name, j == 0 ? "adjoint of x"  \
                        : j == 1 ? "adjoint of y" : "adjoint of z");                               \
                }                                                                                  \
        }                                                                                          \
    KT(finish)(#name, group);
#define X1(name, class_, v, dx) RULE(name, 1, KA(kernel_##name)(k, n, x, r[l]),                    \
    KA(kernel_##name##_adjoint)(k, n, x, r[l], KT(r_bar), b[0]))
#define X2(name, class_, v, dx, dy) RULE(name, 2, KA(kernel_##name)(k, n, x, ix, y, iy, r[l]),     \
    KA(kernel_##name##_adjoint)(k, n, x, ix, y, iy, r[l], KT(r_bar), b[0], b[1]))
#define X3(name, class_, v, dx, dy, dz)                                                            \
    RULE(name, 3, KA(kernel_##name)(k, n, x, ix, y, iy, z, iz, r[l]),                              \
    KA(kernel_##name##_adjoint)(k, n, x, ix, y, iy, z, iz, r[l], KT(r_bar), b[0], b[1], b[2]))
    ADI_READ((X1, X2, X3, ADI_SKIPN, ADI_WORDS(ADI_WORD_TEXT)))
#undef X1
#undef X2
#undef X3
#undef RULE
}

static void KT(vectors)(void)
{
    enum { BIG = 13000 };
    static const size_t sizes[] = { 0, 1, 2, 3, 5, 8, 13, 16, 29, 31, 32, 33, 63, 64, 65, 100, 127,
        128, 129, 255, 500, 1000, 1500, 4095, 4096, 4097, 8192, BIG };
    static KREAL x[BIG], y[BIG], r[2 * MANY];
    size_t l, z, i;
    int part;
    seed = 1181783497276652981u;
    /* part: which kernel */
    static const char *const names[] = { "fill", "scale", "axpy", "sum", "argmax", "dot", "norm",
        "sincos", "logsumexp", "logsumexp_adjoint", "softmax", "softmax_adjoint" };
    for (part = 0; part < 12; part++) {
        const int group = part > 4;
        KT(start)();
        for (z = 0; z < sizeof sizes / sizeof sizes[0]; z++) {
            const size_t n = sizes[z], m = n < MANY ? n : (size_t)MANY;
            KREAL a = KT(any)(), v = 0;
            for (i = 0; i < n; i++) x[i] = KT(moderate)(-4, 8);
            for (i = 0; i < n; i++) y[i] = KT(moderate)(-4, 8);
            if (part == 1 || part == 2 || part == 4 || part == 7)
                for (i = 0; i < n; i++) x[i] = KT(any)();
            for (l = (size_t)group; l < levels; l++) {
                const ad_kernels *k = level[l];
                size_t where = 0;
                memcpy(r, y, m * sizeof *r);
                switch (part) {
                case 0: KT(expect)(KA(kernel_fill)(k, m, a, r), "fill"); break;
                case 1: KT(expect)(KA(kernel_scale)(k, m, a, x, r), "scale"); break;
                case 2: KT(expect)(KA(kernel_axpy)(k, m, a, x, r), "axpy"); break;
                case 3: KT(expect)(KA(kernel_sum)(k, n, x, &v), "sum"); break;
                case 4:
                    if (n == 0) continue;
                    KT(expect)(KA(kernel_argmax)(k, n, x, r, &where), "argmax");
                    r[1] = (KREAL)where;
                    KT(expect)(KA(kernel_argmin)(k, n, x, r + 2, &where), "argmin");
                    r[3] = (KREAL)where;
                    break;
                case 5: KT(expect)(KA(kernel_dot)(k, n, x, y, &v), "dot"); break;
                case 6: KT(expect)(KA(kernel_norm)(k, n, x, &v), "norm"); break;
                case 7:
                    KT(expect)(KA(kernel_sincos)(k, m, x, r, r + m), "sincos");
                    break;
                case 8: KT(expect)(KA(kernel_logsumexp)(k, n, x, &v), "logsumexp"); break;
                case 9:
                    KT(expect)(KA(kernel_logsumexp_adjoint)(k, m, x, x[0], 2, r),
                        "logsumexp_adjoint");
                    break;
                case 10: KT(expect)(KA(kernel_softmax)(k, m, x, r), "softmax"); break;
                default:
                    KT(expect)(KA(kernel_softmax_adjoint)(k, m, x, y, r), "softmax_adjoint");
                }
                if (part == 3 || part == 5 || part == 6 || part == 8)
                    KT(take)(l, 1, &v, group, names[part], "number");
                else KT(take)(l, part == 4 ? 4 : part == 7 ? 2 * m : m, r, group, names[part],
                    "array");
            }
        }
        KT(finish)(names[part], group);
    }
}

static void KT(everything)(void)
{
    KT(rules)();
    KT(vectors)();
}

#endif
