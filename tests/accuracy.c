/* Accuracy of the array kernels' mathematics, in units in the last place (ulps): double
   against MPFR, float against double. Built with -ffp-contract=off, so that all machines have the
   same points, and linked with tests/impl.c; for double, -DACCURACY_MPFR -lmpfr -lgmp.

     accuracy [--double] [--float] [--points N | --all] [--only NAME]... [--level LEVEL]... [plain]
     accuracy --digest ...      checksums of inputs and results instead, to compare machines
     accuracy --list            the names

   One line a function: the worst error, where, and how many results are the exact value correctly
   rounded. Levels that give the same bits share a line; that all levels but PLAIN do is checked
   too. PLAIN is measured where it is asked for (`plain`), and only reported: it is the C library.

   The error of a result is its distance from the exact value, in units of the last place of the
   exact value (of the least subnormal number below the normal ones). The limit is 1.5. lgamma and
   digamma of x < 0 come from scalar code and have a limit of their own, in units of the last place
   of max(1, |exact|): next to their zeros there only the absolute error is small.
   Section: Lanes: Mathematics. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef ACCURACY_MPFR
#include <mpfr.h>
#endif
#include "../autodiff.h"

#define LIMIT          1.5
#define LIMIT_LGAMMA   16.0              /* for x < 0 */
#define LIMIT_DIGAMMA  64.0
#define INF            ((double)INFINITY)
#define NOT            ((double)NAN)
#define BLOCK          1024
#define MAX_LEVELS     4
#define SHOWN          5                 /* failures of one kind that are printed */

static unsigned long passed, failed;

static int check(int ok)
{
    if (ok) passed++;
    else failed++;
    return ok;
}

/* ---------------------------------------------------------------- numbers */

/* What the two formats differ in. */
typedef struct format {
    const char *name;
    int bits, lowest, highest;           /* of the significand; exponents: subnormal, largest */
    double largest;
} format;
static const format formats[2] = {
    { "double", 53, -1074, 1023, DBL_MAX }, { "float", 24, -149, 127, (double)FLT_MAX }
};

/* Random bits that depend on where they are used, not on what was drawn before: every level,
   machine and part of a run sees the same points. */
static uint64_t random_state;

static uint64_t random_bits(void)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}
static void random_start(uint64_t function, uint64_t point)
{
    random_state = function * 0xd1342543de82ef95u + point * 0x2545f4914f6cdd1du;
    random_bits();
}
static double random_unit(void) { return (double)(random_bits() >> 11) * (1 / 9007199254740992.0); }
static int random_below(int n) { return (int)(random_bits() % (uint64_t)n); }
static double random_sign(void) { return random_bits() & 1 ? -1 : 1; }

/* From here on no expression draws twice: the order within one is the compiler's choice. */
static double sized(int from, int to)          /* 2^from ... 2^(to+1), evenly in the exponent */
{
    const double m = 1 + random_unit();
    return ldexp(m, from + random_below(to - from + 1));
}
static double sized_signed(int from, int to)
{
    const double x = sized(from, to);
    return x * random_sign();
}
static double around_zero(int bits)            /* +-2^-k, k = 1 ... bits */
{
    const double m = random_unit() - 0.5;
    return ldexp(m, -random_below(bits));
}

static double from_bits(uint64_t u)
{
    double x;
    memcpy(&x, &u, sizeof x);
    return x;
}
static uint64_t to_bits(double x)
{
    uint64_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}
static float from_bits32(uint32_t u)
{
    float x;
    memcpy(&x, &u, sizeof x);
    return x;
}
static int same_bits(double a, double b)       /* the payload of a NaN is nobody's promise */
{
    return to_bits(a) == to_bits(b) || (a != a && b != b);
}
/* x moved by k steps of its format, away from zero; not across zero or infinity. */
static double moved(double x, int k, const format *f)
{
    if (f->bits == 24) return x + ldexp(x, -23) * k;
    return x == 0 || x - x != 0 ? x : from_bits(to_bits(x) + (uint64_t)(int64_t)k);
}

/* log2 of x > 0 by squaring: the same bits on every machine, which the C library's need not be. */
static double binary_log(double x)
{
    int e, i;
    double m = 2 * frexp(x, &e), r = e - 1, bit = 1;
    if (fabs(x - 1) < 0.001)
        return (x - 1) * (1 - (x - 1) * (0.5 - (x - 1) / 3)) * 1.4426950408889634;
    for (i = 0; i < 52; i++) {
        bit *= 0.5;
        m *= m;
        if (m >= 2) {
            m *= 0.5;
            r += bit;
        }
    }
    return r;
}

/* ---------------------------------------------------------------- points */

/* Where the points lie. A function names its strata, which have the same share of them each. */
enum kind {
    STOP,
    BITS,       /* every bit pattern is as likely: logarithmic in size, with infinities and NaN */
    LOG,        /* size 2^a ... 2^b, evenly in the exponent, both signs */
    POSITIVE,   /* the same, positive */
    UNI,        /* evenly in a ... b */
    NEAR,       /* a (1 +- 2^-k), k = 1 ... 60, evenly: down to a's neighbours and a itself */
    MULT,       /* the neighbours of k a, 1 <= |k| <= b, evenly in the exponent of k */
    HARD        /* the nearest to multiples of pi/2, an exponent each */
};
typedef struct stratum {
    enum kind kind;
    double a, b;
} stratum;
#define MAX_STRATA 16

static double *hard;
static size_t hards;

static double stratified(const stratum *s)
{
    const format *f = &formats[0];
    double x;
    int i;
    switch (s->kind) {
    case BITS:
        return from_bits(random_bits());
    case LOG:
    case POSITIVE:
        return s->kind == LOG ? sized_signed((int)s->a, (int)s->b) : sized((int)s->a, (int)s->b);
    case UNI:
        return s->a + (s->b - s->a) * random_unit();
    case NEAR:
        x = around_zero(53);
        i = random_below(7) - 3;
        return random_below(16) ? s->a + s->a * x : moved(s->a, i, f);
    case MULT:
        x = floor(sized_signed(0, (int)(binary_log(s->b) - 0.001)));
        if (!(fabs(x) <= s->b)) x = s->b;
        return moved(x * s->a, random_below(7) - 3, f);
    case HARD:
        if (hards == 0) return sized_signed(0, 1023);
        x = hard[random_bits() % hards];
        return x * random_sign();
    default:
        return 0;
    }
}

#ifdef ACCURACY_MPFR
/* Of the doubles m 2^e with one exponent those next to a multiple of pi/2: m is the denominator of
   a convergent of the continued fraction of 2^e / (pi/2), or a multiple of it. */
static void find_hard(void)
{
    const double end = 9007199254740992.0;
    mpfr_t ratio, t, x;
    int e;
    hard = (double *)malloc(4096 * sizeof *hard);
    if (hard == NULL) return;
    mpfr_init2(ratio, 1400);
    mpfr_init2(t, 1400);
    mpfr_init2(x, 300);
    mpfr_const_pi(ratio, MPFR_RNDN);
    mpfr_ui_div(ratio, 2, ratio, MPFR_RNDN);
    for (e = -53; e <= 971; e++) {
        double q0 = 0, q = 1;
        mpfr_mul_2si(t, ratio, e, MPFR_RNDN);
        mpfr_frac(x, t, MPFR_RNDN);
        for (;;) {
            double a;
            mpfr_ui_div(x, 1, x, MPFR_RNDN);
            a = floor(mpfr_get_d(x, MPFR_RNDD));
            mpfr_frac(x, x, MPFR_RNDN);
            if (!(a * q + q0 < end)) break;
            a = a * q + q0;
            q0 = q;
            q = a;
        }
        hard[hards++] = ldexp(q, e);
        if (q > 1) hard[hards++] = ldexp(floor((end - 1) / q) * q, e);
        if (q0 > 1) hard[hards++] = ldexp(q0, e);
    }
    mpfr_clear(ratio);
    mpfr_clear(t);
    mpfr_clear(x);
}
#endif

/* Pairs, for both formats. */
enum pair {
    PAIR_STOP,
    PAIR_BITS,      /* any bit patterns */
    PAIR_WORK,      /* sizes 2^-30 ... 2^30 */
    PAIR_UNI,       /* -10 ... 10 */
    PAIR_RATIO,     /* y = +-x 2^j (1 +- 2^-k), j = -70 ... 70, k = 0 ... 52 */
    PAIR_EQUAL,     /* the same with j = 0 */
    PAIR_TINY,      /* y / x as small as the least subnormal numbers */
    PAIR_LOW,       /* both next to the least numbers */
    PAIR_HIGH,      /* both next to the largest */
    PAIR_SPAN,      /* x^y in the whole range of the format */
    PAIR_EDGE,      /* x^y next to overflow, to the least normal and to the least number */
    PAIR_ONE,       /* x = 1 +- 2^-k, x^y in the whole range */
    PAIR_INTEGER,   /* x of any sign, y an integer or half of one, small or large */
    PAIR_EXACT      /* x and y small integers: x^y may be exact, or halfway */
};

static double any_bits(const format *f)
{
    if (f->bits == 53) return from_bits(random_bits());
    return (double)from_bits32((uint32_t)(random_bits() >> 32));
}
static void pair_of(enum pair kind, const format *f, double *x, double *y)
{
    const int lowest = f->lowest, highest = f->highest;
    double l, t;
    int e;
    switch (kind) {
    case PAIR_BITS:
        *x = any_bits(f);
        *y = any_bits(f);
        return;
    case PAIR_WORK:
        *x = sized_signed(-30, 30);
        *y = sized_signed(-30, 30);
        return;
    case PAIR_UNI:
        *x = 20 * random_unit() - 10;
        *y = 20 * random_unit() - 10;
        return;
    case PAIR_RATIO:
    case PAIR_EQUAL:
        *x = sized_signed(lowest + 80, highest - 80);
        if (random_bits() & 1) *x = sized_signed(-8, 8);
        t = 1 + around_zero(f->bits);
        t = ldexp(*x * t, kind == PAIR_EQUAL ? 0 : random_below(141) - 70);
        *y = t * random_sign();
        return;
    case PAIR_TINY:
        *y = sized_signed(lowest, -1);
        e = ilogb(*y) - lowest + 2;
        *x = sized(e - f->bits - 3, e);
        if (!(*x < f->largest)) *x = f->largest;
        if (random_bits() & 1) {
            t = *x;
            *x = *y;
            *y = t;
        }
        return;
    case PAIR_LOW:
        *x = sized_signed(lowest, lowest + f->bits + 6);
        *y = sized_signed(lowest, lowest + f->bits + 6);
        return;
    case PAIR_HIGH:
        *x = sized_signed(highest - 3, highest);
        *y = sized_signed(highest - 3, highest);
        return;
    case PAIR_SPAN:
    case PAIR_EDGE:
    case PAIR_ONE:
        *x = sized(lowest, highest);
        if (random_bits() & 1) *x = sized(-4, 4);
        if (kind == PAIR_ONE) *x = 1 + around_zero(f->bits - 2);
        if (f->bits == 24) *x = (double)(float)*x;
        l = *x == 1 ? 1 : binary_log(*x);
        if (kind == PAIR_EDGE) {
            t = random_below(3);
            t = t == 0 ? highest + 1 : t == 1 ? lowest - 1 : lowest + f->bits - 1;
            *y = t / l * (1 + around_zero(f->bits));
        } else {
            *y = (lowest - 4 + (highest - lowest + 8) * random_unit()) / l;
        }
        return;
    case PAIR_INTEGER:
        t = random_below(129) - 64;
        if (random_below(4) == 0) t = floor(sized_signed(5, f->bits + 2));
        *y = random_below(3) ? t : t / 2;
        *x = sized_signed(-2, 2);
        if (random_below(4) == 0) *x = any_bits(f);
        return;
    case PAIR_EXACT:
        e = random_bits() & 1 ? 20 : 2000;
        *x = random_below(2 * e + 1) - e;
        *y = random_below(40) - 10;
        if (random_below(4) == 0) *y /= 2;
        return;
    default:
        return;
    }
}

/* ---------------------------------------------------------------- functions */

/* References in double for the float results. */
static double ref_sigmoid(double x) { return x < 0 ? exp(x) / (1 + exp(x)) : 1 / (1 + exp(-x)); }
static double ref_softplus(double x) { return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x)); }

/* The digamma function: reflection, recurrence to x >= 12, the asymptotic series. Next to its zero
   1.46163... a Taylor series, so that the relative error stays small. */
static double ref_digamma(double x)
{
    static const double pi = 3.14159265358979323846;
    double s = 0, z;
    if (x != x || x - x != 0) return x > 0 ? x : NOT;
    if (x == 0) return copysign(INF, -x);
    if (x < 0) {
        z = x - rint(x);                           /* exact */
        return z == 0 ? NOT : ref_digamma(1 - x) - pi / tan(pi * z);
    }
    z = (x - 1.4616321449683622) - 9.549995429965697e-17;
    if (fabs(z) < 1e-3)
        return z * (0.967672245447621 + z * (-0.442763179868055 + z * (0.258499760955651
            + z * -0.163942705442407)));
    while (x < 12) {
        s -= 1 / x;
        x += 1;
    }
    z = 1 / (x * x);
    return s + log(x) - 0.5 / x - z * (1 / 12.0 - z * (1 / 120.0 - z * (1 / 252.0
        - z * (1 / 240.0 - z * (1 / 132.0 - z * (691 / 32760.0 - z / 12))))));
}
static double real_digamma(double x) { return ad_real_digamma(x); }
static double real_sigmoid(double x) { return ad_real_sigmoid(x); }
static double real_softplus(double x) { return ad_real_softplus(x); }

/* Sine and cosine at once, as two functions. */
static double spare[BLOCK];
static float spare_f[BLOCK];
static ad_status sincos_sin(const ad_kernels *k, size_t n, const double *x, double *r)
{
    return ad_kernel_sincos(k, n, x, r, spare);
}
static ad_status sincos_cos(const ad_kernels *k, size_t n, const double *x, double *r)
{
    return ad_kernel_sincos(k, n, x, spare, r);
}
static ad_status sincos_sin_f(const ad_kernels *k, size_t n, const float *x, float *r)
{
    return adf_kernel_sincos(k, n, x, r, spare_f);
}
static ad_status sincos_cos_f(const ad_kernels *k, size_t n, const float *x, float *r)
{
    return adf_kernel_sincos(k, n, x, spare_f, r);
}

#ifdef ACCURACY_MPFR
typedef void (*exact_fn)(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y);
#define EXACT1(name)                                                                               \
    static void exact_##name(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y)                             \
    {                                                                                              \
        (void)y;                                                                                   \
        mpfr_##name(r, x, MPFR_RNDN);                                                              \
    }
#define EXACT2(name)                                                                               \
    static void exact_##name(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y)                             \
    {                                                                                              \
        mpfr_##name(r, x, y, MPFR_RNDN);                                                           \
    }
EXACT1(exp) EXACT1(exp2) EXACT1(expm1) EXACT1(log) EXACT1(log2) EXACT1(log10) EXACT1(log1p)
EXACT1(sin) EXACT1(cos) EXACT1(tan) EXACT1(asin) EXACT1(acos) EXACT1(atan) EXACT1(sinh)
EXACT1(cosh) EXACT1(tanh) EXACT1(asinh) EXACT1(acosh) EXACT1(atanh) EXACT1(cbrt) EXACT1(erf)
EXACT1(erfc) EXACT2(atan2) EXACT2(pow) EXACT2(hypot)
static void exact_digamma(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y)
{
    (void)y;
    /* psi(x) = -1/x - 0.577... for small x; MPFR would take a minute for the smallest. */
    if (!mpfr_zero_p(x) && mpfr_number_p(x) && mpfr_get_exp(x) < -200) {
        mpfr_si_div(r, -1, x, MPFR_RNDN);
        return;
    }
    mpfr_digamma(r, x, MPFR_RNDN);
}
static void exact_lgamma(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y)
{
    int sign;
    (void)y;
    mpfr_lgamma(r, &sign, x, MPFR_RNDN);
}
static void exact_sigmoid(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y)
{
    (void)y;
    mpfr_neg(r, x, MPFR_RNDN);
    mpfr_exp(r, r, MPFR_RNDN);
    mpfr_add_ui(r, r, 1, MPFR_RNDN);
    mpfr_ui_div(r, 1, r, MPFR_RNDN);
}
static void exact_softplus(mpfr_ptr r, mpfr_srcptr x, mpfr_srcptr y)
{
    (void)y;
    if (mpfr_cmp_ui(x, 200) > 0) {                 /* x + exp(-x), which is beyond the precision */
        mpfr_set(r, x, MPFR_RNDN);
        return;
    }
    mpfr_exp(r, x, MPFR_RNDN);
    mpfr_log1p(r, r, MPFR_RNDN);
}
#define EXACT(name) exact_##name
#else
typedef int exact_fn;
#define EXACT(name) 0
#endif

typedef struct function {
    const char *name;
    ad_status (*d1)(const ad_kernels *, size_t, const double *, double *);
    ad_status (*f1)(const ad_kernels *, size_t, const float *, float *);
    ad_status (*d2)(const ad_kernels *, size_t, const double *, size_t, const double *, size_t,
        double *);
    ad_status (*f2)(const ad_kernels *, size_t, const float *, size_t, const float *, size_t,
        float *);
    double (*ref1)(double);              /* the reference for float */
    double (*ref2)(double, double);
    double (*special)(double);           /* what special values are compared with */
    exact_fn exact;
    double limit_below_zero;             /* 0: the common limit */
    stratum strata[MAX_STRATA];
    enum pair pairs[10];
} function;

#define LN2  0.69314718055994530942
#define PI_2 1.57079632679489661923
#define ONE(name, below)                                                                           \
    #name, ad_kernel_##name, adf_kernel_##name, NULL, NULL, name, NULL, name, EXACT(name), below
#define OWN(name, below)                                                                           \
    #name, ad_kernel_##name, adf_kernel_##name, NULL, NULL, ref_##name, NULL, real_##name,         \
    EXACT(name), below
#define SINCOS(name)                                                                               \
    "sincos_" #name, sincos_##name, sincos_##name##_f, NULL, NULL, name, NULL, name, EXACT(name), 0
#define TWO(name)                                                                                  \
    #name, NULL, NULL, ad_kernel_##name, adf_kernel_##name, NULL, name, NULL, EXACT(name), 0,      \
    { { STOP, 0, 0 } }
#define ALL   { BITS, 0, 0 }, { LOG, -60, 0 }, { LOG, -4, 10 }, { LOG, -1074, -1020 }
#define TRIG  { UNI, -PI_2, PI_2 }, { UNI, -100, 100 }, { MULT, PI_2 / 2, 4096 },                  \
    { MULT, PI_2, 1099511627776.0 }, { LOG, 10, 60 }, { LOG, 20, 1023 }, { HARD, 0, 0 }
#define NO_PAIRS { PAIR_STOP }

static const function functions[] = {
    { ONE(exp, 0), { ALL, { UNI, -1, 1 }, { UNI, -708.4, 709.8 }, { UNI, -745.2, -708.3 },
        { MULT, LN2 / 2, 2048 }, { NEAR, 709.782712893384, 0 }, { NEAR, -745.1332191019412, 0 },
        { NEAR, -708.3964185322641, 0 } }, NO_PAIRS },
    { ONE(exp2, 0), { ALL, { UNI, -1, 1 }, { UNI, -1022, 1024 }, { UNI, -1075.1, -1021.9 },
        { MULT, 0.5, 2152 }, { NEAR, 1024, 0 }, { NEAR, -1075, 0 }, { NEAR, -1022, 0 } },
        NO_PAIRS },
    { ONE(expm1, 0), { ALL, { UNI, -1, 1 }, { UNI, -40, 1 }, { UNI, 1, 709.8 },
        { MULT, LN2 / 2, 2048 }, { NEAR, 709.782712893384, 0 }, { NEAR, -37.42994775023705, 0 },
        { NEAR, -LN2, 0 } }, NO_PAIRS },
    { ONE(log, 0), { ALL, { POSITIVE, -1074, 1023 }, { UNI, 0.5, 2 }, { NEAR, 1, 0 },
        { POSITIVE, -10, 10 }, { UNI, 0, 100 }, { POSITIVE, -1074, -1020 } }, NO_PAIRS },
    { ONE(log2, 0), { ALL, { POSITIVE, -1074, 1023 }, { UNI, 0.5, 2 }, { NEAR, 1, 0 },
        { POSITIVE, -10, 10 }, { UNI, 0, 100 }, { POSITIVE, -1074, -1020 }, { NEAR, 8, 0 } },
        NO_PAIRS },
    { ONE(log10, 0), { ALL, { POSITIVE, -1074, 1023 }, { UNI, 0.5, 2 }, { NEAR, 1, 0 },
        { POSITIVE, -10, 10 }, { UNI, 0, 100 }, { POSITIVE, -1074, -1020 }, { NEAR, 1000, 0 } },
        NO_PAIRS },
    { ONE(log1p, 0), { ALL, { POSITIVE, -60, 1023 }, { UNI, -1, 1 }, { NEAR, -1, 0 },
        { NEAR, 1, 0 }, { UNI, -0.5, 10 }, { UNI, -0.3, 0.5 } }, NO_PAIRS },
    { ONE(sin, 0), { ALL, TRIG }, NO_PAIRS },
    { ONE(cos, 0), { ALL, TRIG }, NO_PAIRS },
    { SINCOS(sin), { ALL, TRIG }, NO_PAIRS },
    { SINCOS(cos), { ALL, TRIG }, NO_PAIRS },
    { ONE(tan, 0), { ALL, TRIG }, NO_PAIRS },
    { ONE(asin, 0), { ALL, { UNI, -1, 1 }, { NEAR, 1, 0 }, { NEAR, -1, 0 }, { NEAR, 0.5, 0 },
        { NEAR, -0.5, 0 } }, NO_PAIRS },
    { ONE(acos, 0), { ALL, { UNI, -1, 1 }, { NEAR, 1, 0 }, { NEAR, -1, 0 }, { NEAR, 0.5, 0 },
        { NEAR, -0.5, 0 } }, NO_PAIRS },
    { ONE(atan, 0), { ALL, { UNI, -1, 1 }, { UNI, -20, 20 }, { NEAR, 1, 0 },
        { NEAR, 0.41421356237309503, 0 }, { NEAR, -2.4142135623730949, 0 }, { LOG, 3, 70 } },
        NO_PAIRS },
    { ONE(sinh, 0), { ALL, { UNI, -1, 1 }, { UNI, -20, 20 }, { UNI, -710.5, 710.5 },
        { MULT, LN2 / 2, 2050 }, { NEAR, 710.4758600739439, 0 }, { NEAR, -710.4758600739439, 0 } },
        NO_PAIRS },
    { ONE(cosh, 0), { ALL, { UNI, -1, 1 }, { UNI, -20, 20 }, { UNI, -710.5, 710.5 },
        { MULT, LN2 / 2, 2050 }, { NEAR, 710.4758600739439, 0 }, { NEAR, -710.4758600739439, 0 } },
        NO_PAIRS },
    { ONE(tanh, 0), { ALL, { UNI, -1, 1 }, { UNI, -3, 3 }, { UNI, -22, 22 }, { MULT, LN2 / 4, 128 },
        { NEAR, 19.06154746539849, 0 } }, NO_PAIRS },
    { ONE(asinh, 0), { ALL, { UNI, -1, 1 }, { UNI, -20, 20 }, { LOG, 10, 1023 }, { NEAR, 1, 0 },
        { LOG, -30, 30 } }, NO_PAIRS },
    { ONE(acosh, 0), { ALL, { UNI, 1, 2 }, { NEAR, 1, 0 }, { UNI, 1, 100 }, { POSITIVE, 0, 1023 },
        { POSITIVE, 0, 30 } }, NO_PAIRS },
    { ONE(atanh, 0), { ALL, { UNI, -1, 1 }, { NEAR, 1, 0 }, { NEAR, -1, 0 }, { NEAR, 0.5, 0 },
        { UNI, -0.5, 0.5 } }, NO_PAIRS },
    { ONE(cbrt, 0), { ALL, { UNI, -10, 10 }, { LOG, -1074, 1023 }, { NEAR, 1, 0 }, { NEAR, -8, 0 },
        { MULT, 1, 1e6 } }, NO_PAIRS },
    { ONE(erf, 0), { ALL, { UNI, -1, 1 }, { UNI, -6, 6 }, { UNI, -3, 3 }, { NEAR, 1, 0 },
        { NEAR, 5.921587195794507, 0 }, { MULT, 0.0625, 100 } }, NO_PAIRS },
    { ONE(erfc, 0), { ALL, { UNI, -1, 1 }, { UNI, -6, 6 }, { UNI, 0, 27.3 }, { UNI, 26.5, 27.3 },
        { NEAR, 26.543258454250993, 0 }, { NEAR, 27.22601711110837, 0 },
        { MULT, 0.0625, 440 } },
        NO_PAIRS },
    { OWN(sigmoid, 0), { ALL, { UNI, -1, 1 }, { UNI, -40, 40 }, { UNI, -708.4, 40 },
        { UNI, -745.2, -708.3 }, { MULT, LN2 / 2, 2048 }, { NEAR, -745.1332191019412, 0 },
        { NEAR, -709.782712893384, 0 } }, NO_PAIRS },
    { OWN(softplus, 0), { ALL, { UNI, -1, 1 }, { UNI, -40, 40 }, { UNI, -708.4, 40 },
        { UNI, -745.2, -708.3 }, { MULT, LN2 / 2, 2048 }, { NEAR, -745.1332191019412, 0 },
        { NEAR, 36.7368005696771, 0 } }, NO_PAIRS },
    { ONE(lgamma, LIMIT_LGAMMA), { ALL, { POSITIVE, -60, 10 }, { UNI, 0, 3 }, { UNI, 0, 20 },
        { NEAR, 1, 0 }, { NEAR, 2, 0 }, { POSITIVE, 2, 1023 }, { UNI, -20, 0 },
        { NEAR, 2.5563481638716906e305, 0 }, { NEAR, 2.5599833278516383e305, 0 } }, NO_PAIRS },
    { OWN(digamma, LIMIT_DIGAMMA), { ALL, { POSITIVE, -60, 10 }, { UNI, 0, 3 }, { UNI, 0, 20 },
        { NEAR, 1.4616321449683623, 0 }, { POSITIVE, 2, 1023 }, { UNI, -20, 0 } }, NO_PAIRS },
    { TWO(atan2), { PAIR_BITS, PAIR_WORK, PAIR_UNI, PAIR_RATIO, PAIR_EQUAL, PAIR_TINY, PAIR_LOW,
        PAIR_HIGH, PAIR_STOP } },
    { TWO(pow), { PAIR_BITS, PAIR_SPAN, PAIR_SPAN, PAIR_UNI, PAIR_EDGE, PAIR_ONE, PAIR_INTEGER,
        PAIR_EXACT, PAIR_STOP } },
    { TWO(hypot), { PAIR_BITS, PAIR_WORK, PAIR_UNI, PAIR_RATIO, PAIR_EQUAL, PAIR_TINY, PAIR_LOW,
        PAIR_HIGH, PAIR_STOP } },
};
#define FUNCTIONS (sizeof functions / sizeof functions[0])

/* ---------------------------------------------------------------- measuring */

typedef struct level {
    const ad_kernels *kernels;
    const char *name;
    int reported_only;                   /* PLAIN */
} level;
static level levels[MAX_LEVELS];
static int level_count;

/* What is known about one function, format and level; [1] is for x < 0 where that has a limit of
   its own. */
typedef struct statistics {
    double worst, x, y, got;
    double count, rounded, above;
} statistics;

static void note(statistics *s, double error, int rounded, double x, double y, double got,
    double limit)
{
    s->count++;
    s->rounded += rounded;
    if (!(error <= limit)) s->above++;
    if (!(error <= s->worst)) {
        s->worst = error;
        s->x = x;
        s->y = y;
        s->got = got;
    }
}

/* Lines of one function and format: a level that gave the first one's numbers throughout (all but
   PLAIN should) is named in its line. */
static void report(const function *f, const format *form, statistics s[MAX_LEVELS][2],
    const double *different)
{
    int l, part, other;
    for (part = 0; part < 2; part++)
        for (l = 0; l < level_count; l++) {
            const statistics *t = &s[l][part];
            const double limit = part ? f->limit_below_zero : LIMIT;
            char who[64] = "";
            if (t->count == 0 || (l > 0 && different[l] == 0)) continue;
            for (other = l; other < level_count; other++)
                if (other == l || (l == 0 && different[other] == 0)) {
                    if (who[0]) strcat(who, "=");
                    strcat(who, levels[other].name);
                }
            printf("%-10s %-6s %-12s ", f->name, form->name, who);
            if (t->rounded == t->count) printf("worst       0.5 ulp");
            else if (f->d2) printf("worst %9.4g ulp at (%a, %a): ", t->worst, t->x, t->y);
            else printf("worst %9.4g ulp at %a: ", t->worst, t->x);
            if (t->rounded != t->count) printf("%.*g", form->bits == 53 ? 17 : 9, t->got);
            printf("; %.2f %% of %.0f correctly rounded%s", 100 * t->rounded / t->count, t->count,
                part ? " (x < 0: ulp of max(1, |exact|))" : "");
            if (levels[l].reported_only) {
                printf("\n");
                continue;
            }
            if (t->above > 0) printf("; FAILED: %.0f above %g", t->above, limit);
            printf("\n");
            for (other = l; other < level_count; other++)
                if (other == l || (l == 0 && different[other] == 0)) check(t->above == 0);
        }
    for (l = 1; l < level_count; l++)
        if (!levels[l].reported_only && !levels[0].reported_only && !check(different[l] == 0))
            printf("%-10s %-6s FAILED: %.0f results of %s and %s differ\n", f->name, form->name,
                different[l], levels[0].name, levels[l].name);
    fflush(stdout);
}

/* Counts a result that is not the first level's. */
static void differ(const function *f, int l, double first, double got, double x, double y,
    double *count)
{
    if (*count < SHOWN && !levels[l].reported_only && !levels[0].reported_only) {
        printf("   %s: %s %.17g (%a), %s %.17g (%a) at %a", f->name, levels[0].name, first, first,
            levels[l].name, got, got, x);
        if (f->d2) printf(", %a", y);
        printf("\n");
    }
    ++*count;
}

/* The points of a block, whose first has this number. */
static void points_double(const function *f, uint64_t first, size_t n, double *x, double *y)
{
    const uint64_t id = (uint64_t)(f - functions);
    int strata = 0;
    size_t i;
    if (f->d2) while (f->pairs[strata] != PAIR_STOP) strata++;
    else while (f->strata[strata].kind != STOP) strata++;
    for (i = 0; i < n; i++) {
        const int which = (int)((first + i) % (uint64_t)strata);
        random_start(id, first + i);
        y[i] = 0;
        if (f->d2) pair_of(f->pairs[which], &formats[0], &x[i], &y[i]);
        else x[i] = stratified(&f->strata[which]);
    }
}
static void points_float_pairs(const function *f, uint64_t first, size_t n, float *x, float *y)
{
    const uint64_t id = (uint64_t)(f - functions) + 100;
    int strata = 0;
    size_t i;
    while (f->pairs[strata] != PAIR_STOP) strata++;
    for (i = 0; i < n; i++) {
        double a = 0, b = 0;
        random_start(id, first + i);
        pair_of(f->pairs[(first + i) % (uint64_t)strata], &formats[1], &a, &b);
        x[i] = (float)a;
        y[i] = (float)b;
    }
}
/* One float of every `step` neighbouring bit patterns. */
static void points_float(uint64_t first, uint64_t step, size_t n, float *x)
{
    size_t i;
    for (i = 0; i < n; i++) {
        uint64_t u = (first + i) * step;
        if (step > 1) {
            random_start(99, first + i);
            u += random_bits() % step;
        }
        x[i] = from_bits32((uint32_t)u);
    }
}

static void run_double(const function *f, const level *l, size_t n, const double *x,
    const double *y, double *r)
{
    const ad_status s = f->d2 ? f->d2(l->kernels, n, x, 1, y, 1, r) : f->d1(l->kernels, n, x, r);
    if (s != AD_OK) {
        printf("FAILED: ad_kernel_%s on %s returned %s\n", f->name, l->name, ad_status_name(s));
        exit(2);
    }
}
static void run_float(const function *f, const level *l, size_t n, const float *x, const float *y,
    float *r)
{
    const ad_status s = f->f2 ? f->f2(l->kernels, n, x, 1, y, 1, r) : f->f1(l->kernels, n, x, r);
    if (s != AD_OK) {
        printf("FAILED: adf_kernel_%s on %s returned %s\n", f->name, l->name, ad_status_name(s));
        exit(2);
    }
}

#ifdef ACCURACY_MPFR
/* |got - exact| in units of the last place of exact, or where at_least_one of max(1, |exact|). An
   infinite result stands for everything from 2^1024, half a unit beyond the largest number, on. */
static double error_mpfr(mpfr_srcptr exact, double got, int at_least_one, mpfr_ptr t)
{
    long e;
    if (mpfr_nan_p(exact)) return got != got ? 0 : INF;
    if (got != got) return INF;
    if (mpfr_inf_p(exact)) return got == mpfr_get_d(exact, MPFR_RNDN) ? 0 : INF;
    e = (mpfr_zero_p(exact) ? -100000L : (long)mpfr_get_exp(exact)) - 53;
    if (at_least_one && e < -52) e = -52;
    if (e < -1074) e = -1074;
    if (got - got != 0) {
        if ((got < 0) != (mpfr_sgn(exact) < 0)) return INF;
        if (e >= 1024 - 52) return 0;
        mpfr_set_si_2exp(t, got < 0 ? -1 : 1, 1024, MPFR_RNDN);
    } else {
        mpfr_set_d(t, got, MPFR_RNDN);
    }
    mpfr_sub(t, t, exact, MPFR_RNDN);
    mpfr_abs(t, t, MPFR_RNDN);
    mpfr_mul_2si(t, t, -e, MPFR_RNDN);
    return mpfr_get_d(t, MPFR_RNDU);
}

static void measure_double(const function *f, double points)
{
    static double x[BLOCK], y[BLOCK], r[MAX_LEVELS][BLOCK];
    statistics s[MAX_LEVELS][2];
    double different[MAX_LEVELS] = { 0, 0, 0, 0 };
    uint64_t first = 0;
    mpfr_t mx, my, exact, t;
    int l;
    memset(s, 0, sizeof s);
    mpfr_init2(mx, 53);
    mpfr_init2(my, 53);
    mpfr_init2(exact, 100);              /* the reference's own error is below 2^-40 ulps */
    mpfr_init2(t, 200);
    while ((double)first < points) {
        const size_t n = points - (double)first < BLOCK ? (size_t)(points - (double)first) : BLOCK;
        size_t i;
        points_double(f, first, n, x, y);
        first += n;
        for (l = 0; l < level_count; l++) run_double(f, &levels[l], n, x, y, r[l]);
        for (i = 0; i < n; i++) {
            const int part = f->limit_below_zero > 0 && x[i] < 0;
            const double limit = part ? f->limit_below_zero : LIMIT;
            double nearest, first_error = 0;
            mpfr_set_d(mx, x[i], MPFR_RNDN);
            mpfr_set_d(my, y[i], MPFR_RNDN);
            f->exact(exact, mx, my);
            nearest = mpfr_get_d(exact, MPFR_RNDN);
            for (l = 0; l < level_count; l++) {
                const double got = r[l][i];
                const int same = l > 0 && same_bits(got, r[0][i]);
                double error = same ? first_error : error_mpfr(exact, got, part, t);
                if (l == 0) first_error = error;
                else if (!same) differ(f, l, r[0][i], got, x[i], y[i], &different[l]);
                /* a result that vanishes has the sign of what it stands for */
                if (got == 0 && !mpfr_zero_p(exact) && !signbit(got) != !mpfr_signbit(exact))
                    error = INF;
                note(&s[l][part], error, got == nearest || (got != got && nearest != nearest), x[i],
                    y[i], got, limit);
            }
        }
    }
    mpfr_clear(mx);
    mpfr_clear(my);
    mpfr_clear(exact);
    mpfr_clear(t);
    report(f, &formats[0], s, different);
}

/* The reference for float that is not the C library's. */
static void check_reference(void)
{
    mpfr_t x, r;
    double worst = 0;
    int i;
    mpfr_init2(x, 53);
    mpfr_init2(r, 100);
    for (i = 0; i < 4000; i++) {
        double p, want, e;
        random_start(98, (uint64_t)i);
        p = i % 4 == 0 ? 3 * random_unit() : i % 4 == 1 ? -20 * random_unit()
            : i % 4 == 2 ? sized(-100, 100)
            : 1.4616321449683623 * (1 + around_zero(24));
        p = (double)(float)p;
        mpfr_set_d(x, p, MPFR_RNDN);
        exact_digamma(r, x, x);
        want = mpfr_get_d(r, MPFR_RNDN);
        e = fabs(ref_digamma(p) - want) / (p < 0 && fabs(want) < 1 ? 1 : fabs(want));
        if (!(e <= worst)) worst = e;
    }
    mpfr_clear(x);
    mpfr_clear(r);
    if (!check(worst < 1e-9))
        printf("digamma: FAILED: this program's own reference is wrong by %g\n", worst);
}
#endif

/* |got - want| in units of the last place of float, want being a double. */
static double error_float(double want, float result, int at_least_one)
{
    double got = (double)result;
    int e;
    if (want != want) return got != got ? 0 : INF;
    if (got != got) return INF;
    if (want - want != 0) return got == want ? 0 : INF;
    e = want == 0 ? -149 : ilogb(want) - 23;
    if (at_least_one && e < -23) e = -23;
    if (e < -149) e = -149;
    if (got - got != 0) {
        if ((got < 0) != (want < 0)) return INF;
        if (e >= 128 - 23) return 0;
        got = ldexp(got < 0 ? -1 : 1, 128);
    }
    if (got == 0 && want != 0 && !signbit(got) != !signbit(want)) return INF;
    return ldexp(fabs(got - want), -e);
}

static void merge(statistics *s, const statistics *t)
{
    s->count += t->count;
    s->rounded += t->rounded;
    s->above += t->above;
    if (!(t->worst <= s->worst)) {
        s->worst = t->worst;
        s->x = t->x;
        s->y = t->y;
        s->got = t->got;
    }
}

/* A block's results against the reference. Made to be fast where they are correctly rounded: then
   the error is at most 0.5, and which is the worst of these is not looked at. */
static void compare_float(const function *f, size_t n, const float *x, const float *y,
    const double *want, const float *got, statistics s[2])
{
    size_t i, rounded[2] = { 0, 0 };
    for (i = 0; i < n; i++) {
        const int part = f->limit_below_zero > 0 && x[i] < 0;
        const float nearest = (float)want[i];
        if ((got[i] == nearest && nearest != 0) || (got[i] != got[i] && nearest != nearest)) {
            rounded[part]++;
            continue;
        }
        note(&s[part], error_float(want[i], got[i], part), got[i] == nearest, (double)x[i],
            (double)y[i], (double)got[i], part ? f->limit_below_zero : LIMIT);
    }
    for (i = 0; i < 2; i++) {
        s[i].count += (double)rounded[i];
        s[i].rounded += (double)rounded[i];
    }
}

static void measure_float(const function *f, double points)
{
    static float x[BLOCK], y[BLOCK], r[MAX_LEVELS][BLOCK];
    static double want[BLOCK];
    statistics s[MAX_LEVELS][2], common[2];      /* common: blocks where all levels agree */
    double different[MAX_LEVELS] = { 0, 0, 0, 0 };
    const double patterns = 4294967296.0;
    uint64_t first = 0, step = points >= patterns ? 1 : (uint64_t)(patterns / points), end;
    int l;
    memset(s, 0, sizeof s);
    memset(common, 0, sizeof common);
    memset(y, 0, sizeof y);
    end = f->f2 ? (uint64_t)points : (uint64_t)patterns / step;
    while (first < end) {
        const size_t n = end - first < BLOCK ? (size_t)(end - first) : BLOCK;
        int agree = 1;
        size_t i;
        if (f->f2) points_float_pairs(f, first, n, x, y);
        else points_float(first, step, n, x);
        first += n;
        for (l = 0; l < level_count; l++) {
            run_float(f, &levels[l], n, x, y, r[l]);
            if (l > 0 && memcmp(r[0], r[l], n * sizeof(float)) != 0) agree = 0;
        }
        if (f->f2) for (i = 0; i < n; i++) want[i] = f->ref2((double)x[i], (double)y[i]);
        else for (i = 0; i < n; i++) want[i] = f->ref1((double)x[i]);
        if (agree) {
            compare_float(f, n, x, y, want, r[0], common);
            continue;
        }
        for (l = 0; l < level_count; l++) {
            compare_float(f, n, x, y, want, r[l], s[l]);
            for (i = 0; l > 0 && i < n; i++)
                if (!same_bits((double)r[l][i], (double)r[0][i]))
                    differ(f, l, (double)r[0][i], (double)r[l][i], (double)x[i], (double)y[i],
                        &different[l]);
        }
    }
    for (l = 0; l < level_count; l++) {
        merge(&s[l][0], &common[0]);
        merge(&s[l][1], &common[1]);
    }
    report(f, &formats[1], s, different);
}

/* ---------------------------------------------------------------- special values */

/* The same kind of number, and next to it. Where Annex F of the C standard names the value (x zero
   or infinite, the result 0, 1, 2 ...) it is that value; of zeros the sign counts. */
static int like(double got, double want, int named, const format *form, double slack)
{
    const double least = ldexp(1.5, form->lowest);
    if (want != want || got != got) return want != want && got != got;
    if (want == 0 || (named && fabs(want) <= 2)) {
        if (want == 0 || want == 1 || want == -1 || want == 2 || want == 0.5)
            return got == want && !signbit(got) == !signbit(want);
    }
    if (want - want != 0) return got == want;
    if (got - got != 0) return (got < 0) == (want < 0) && fabs(want) >= form->largest * (1 - 1e-7);
    if (got == 0 && !signbit(got) != !signbit(want)) return 0;
    return fabs(got - want) <= slack * fabs(want) + least;
}

static void special_values(const function *f, int which, int shown)
{
    static const double some[] = {
        0.0, 5e-324, 1e-310, 2.2250738585072014e-308, 1e-300, 1e-20, 1e-10, 0.001, 0.25, 0.5, 0.75,
        1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 7.5, 8, 10, 16, 20.5, 30, 64, 100, 101, 127.5, 200, 500, 700,
        1000, 1100, 2000, 1e5, 1048576, 4503599627370495.5, 9007199254740991.0,
        9007199254740992.0, 1e22, 1e30, 1e100, 1e200, 1e300, DBL_MAX, INF, NOT,
        1e-45, 1e-40, 1.1754943508222875e-38, 16777215, 16777216, 8388607.5, 3.4028234663852886e38
    };
    enum { SOME = sizeof some / sizeof some[0] };
    static double value[2 * SOME], x[4 * SOME * SOME], y[4 * SOME * SOME], r[4 * SOME * SOME];
    static float xf[4 * SOME * SOME], yf[4 * SOME * SOME], rf[4 * SOME * SOME];
    const format *form = &formats[which];
    size_t n = 0, i, k;
    int l;
    for (i = 0; i < SOME; i++) {
        value[2 * i] = which ? (double)(float)some[i] : some[i];
        value[2 * i + 1] = -value[2 * i];
    }
    for (i = 0; i < 2 * SOME; i++)
        for (k = 0; k < (f->d2 ? 2 * SOME : 1); k++, n++) {
            x[n] = value[i];
            y[n] = value[k];
            xf[n] = (float)x[n];
            yf[n] = (float)y[n];
        }
    for (l = 0; l < level_count; l++) {
        int bad = 0;
        /* sincos has room for a block */
        for (i = 0; i < n; i += BLOCK) {
            const size_t m = n - i < BLOCK ? n - i : BLOCK;
            if (which) run_float(f, &levels[l], m, xf + i, yf + i, rf + i);
            else run_double(f, &levels[l], m, x + i, y + i, r + i);
        }
        for (i = 0; i < n; i++) {
            const double got = which ? (double)rf[i] : r[i];
            const double exact = f->ref2 ? f->ref2(x[i], y[i]) : f->special(x[i]);
            const double want = which ? (double)(float)exact : exact;
            const int named = x[i] == 0 || x[i] - x[i] != 0
                || (f->d2 && (y[i] == 0 || y[i] - y[i] != 0 || x[i] == 1));
            /* the scalar digamma is good to 1e-14, absolutely next to its zero */
            const double slack = f->limit_below_zero > 0 && x[i] < 0 ? (which ? 1e-4 : 1e-10)
                : which ? 3e-7 : f->special == real_digamma ? 3e-13 : 3e-15;
            int ok = like(got, want, named, form, slack);
            /* where exp(-x) overflows, sigmoid as the rule is written is 0, exactly it is not */
            if (!ok && (f->special == real_sigmoid || f->special == real_softplus)) {
                const double other = f->ref1(x[i]);
                ok = like(got, which ? (double)(float)other : other, named, form, slack);
            }
            if (levels[l].reported_only) {
                if (ok) continue;
            } else {
                check(ok);
            }
            if (!ok && bad++ < shown) {
                printf("%-10s %-6s %-8s %s: %s(%.17g", f->name, form->name, levels[l].name,
                    levels[l].reported_only ? "not as the C library" : "FAILED", f->name, x[i]);
                if (f->d2) printf(", %.17g", y[i]);
                printf(") is %.17g, not %.17g\n", got, want);
            }
        }
        if (bad > shown)
            printf("%-10s %-6s %-8s ... %d special values in all\n", f->name, form->name,
                levels[l].name, bad);
    }
}

/* ---------------------------------------------------------------- digests */

static void fold(uint64_t *h, uint64_t u)
{
    *h = (*h ^ u) * 0x9ddfea08eb382d69u;
    *h ^= *h >> 29;
}
/* For each level a line: function, format, what went in, what came out. Equal inputs and unequal
   results are a difference between machines. */
static void digest(const function *f, int which, double points)
{
    static double x[BLOCK], y[BLOCK], r[BLOCK];
    static float xf[BLOCK], yf[BLOCK], rf[BLOCK];
    const uint64_t step = (uint64_t)(4294967296.0 / points);
    int l;
    for (l = 0; l < level_count; l++) {
        uint64_t in = 0, out = 0, first;
        for (first = 0; first + BLOCK <= (uint64_t)points; first += BLOCK) {
            size_t i;
            if (!which) {
                points_double(f, first, BLOCK, x, y);
                run_double(f, &levels[l], BLOCK, x, y, r);
            } else {
                memset(yf, 0, sizeof yf);
                if (f->f2) points_float_pairs(f, first, BLOCK, xf, yf);
                else points_float(first, step, BLOCK, xf);
                run_float(f, &levels[l], BLOCK, xf, yf, rf);
            }
            for (i = 0; i < BLOCK; i++) {
                const double a = which ? (double)xf[i] : x[i], b = which ? (double)yf[i] : y[i];
                const double c = which ? (double)rf[i] : r[i];
                /* x < 0 of these two is the C library's, which may differ between machines */
                if (f->limit_below_zero > 0 && a < 0) continue;
                fold(&in, a != a ? 1 : to_bits(a));
                fold(&in, b != b ? 1 : to_bits(b));
                fold(&out, c != c ? 1 : to_bits(c));
            }
        }
        printf("%s %s inputs %08lx%08lx results %08lx%08lx\n", f->name, formats[which].name,
            (unsigned long)(in >> 32), (unsigned long)(in & 0xffffffffu),
            (unsigned long)(out >> 32), (unsigned long)(out & 0xffffffffu));
    }
}

/* ---------------------------------------------------------------- the program */

static void add_level(ad_simd simd, int must)
{
    const ad_kernels *k = ad_kernels_get(simd);
    if (k == NULL) {
        if (must) printf("SKIP %s: this build or this CPU lacks it\n", ad_simd_name(simd));
        return;
    }
    if (level_count == MAX_LEVELS) return;
    levels[level_count].kernels = k;
    levels[level_count].name = ad_simd_name(simd);
    levels[level_count].reported_only = simd == AD_SIMD_PLAIN;
    level_count++;
}

static int usage(const char *what)
{
    fprintf(stderr, "accuracy: %s\n"
        "usage: accuracy [--double] [--float] [--points N | --all] [--only NAME]...\n"
        "                [--level LEVEL]... [--digest] [plain]\n"
        "       accuracy --list\n"
        "LEVEL: plain, avx2, avx512, neon\n", what);
    return 2;
}

int main(int argc, char **argv)
{
    static const struct { const char *name; ad_simd simd; } sets[] = {
        { "avx2", AD_SIMD_AVX2 }, { "avx512", AD_SIMD_AVX512 }, { "neon", AD_SIMD_NEON },
        { "plain", AD_SIMD_PLAIN }
    };
    int wanted[FUNCTIONS], some = 0, doubles = 0, floats = 0, all = 0, digests = 0;
    int named = 0, plain = 0;
    double points = 0;
    size_t f, i;
    int a;
    memset(wanted, 0, sizeof wanted);
    for (a = 1; a < argc; a++) {
        const char *o = argv[a], *value = a + 1 < argc ? argv[a + 1] : NULL;
        if (strcmp(o, "--list") == 0) {
            for (f = 0; f < FUNCTIONS; f++) printf("%s\n", functions[f].name);
            return 0;
        } else if (strcmp(o, "--double") == 0) doubles = 1;
        else if (strcmp(o, "--float") == 0) floats = 1;
        else if (strcmp(o, "--all") == 0) all = 1;
        else if (strcmp(o, "--digest") == 0) digests = 1;
        else if (strcmp(o, "plain") == 0) plain = 1;
        else if (value == NULL) return usage("what is this option, or where is its value?");
        else if (strcmp(o, "--points") == 0) {
            points = strtod(value, NULL);
            if (!(points >= 1 && points < 1e15)) return usage("--points wants a number of points");
            a++;
        } else if (strcmp(o, "--only") == 0) {
            int found = 0;
            for (f = 0; f < FUNCTIONS; f++)
                if (strcmp(functions[f].name, value) == 0
                    || (strcmp(value, "sincos") == 0 && strncmp(functions[f].name, value, 6) == 0))
                    wanted[f] = found = some = 1;
            if (!found) return usage("no such function; see --list");
            a++;
        } else if (strcmp(o, "--level") == 0) {
            for (i = 0; i < sizeof sets / sizeof sets[0]; i++)
                if (strcmp(sets[i].name, value) == 0) break;
            if (i == sizeof sets / sizeof sets[0]) return usage("no such level");
            named = 1;
            add_level(sets[i].simd, 1);
            a++;
        } else return usage("no such option");
    }
    if (!named) for (i = 0; i < 3; i++) add_level(sets[i].simd, 0);
    if (plain) add_level(AD_SIMD_PLAIN, 1);
    if (!doubles && !floats) doubles = floats = 1;
    if (level_count == 0) {
        if (!named) printf("SKIP: this machine has no level but PLAIN\n");
        printf("0 passed, 0 failed\n");
        return 0;
    }
#ifdef ACCURACY_MPFR
    if (doubles && !digests) find_hard();
#endif
    for (f = 0; f < FUNCTIONS; f++) {
        const function *g = &functions[f];
        if (some && !wanted[f]) continue;
        if (digests) {
            if (doubles) digest(g, 0, points > 0 ? points : 20 * BLOCK);
            if (floats) digest(g, 1, points > 0 ? points : 20 * BLOCK);
            continue;
        }
        if (doubles) {
            special_values(g, 0, SHOWN);
#ifdef ACCURACY_MPFR
            measure_double(g, points > 0 ? points : 1e4);
#endif
        }
        if (floats) {
#ifdef ACCURACY_MPFR
            if (g->ref1 == ref_digamma) check_reference();
#endif
            special_values(g, 1, SHOWN);
            /* pairs have no "all": ten times what is usual */
            measure_float(g, all ? (g->f2 ? 1e8 : 4294967296.0) : points > 0 ? points : 1e6);
        }
    }
    if (digests) return 0;
#ifndef ACCURACY_MPFR
    if (doubles)
        printf("SKIP double: special values only, this program was built without MPFR "
            "(Debian: libmpfr-dev)\n");
#endif
#ifdef ACCURACY_MPFR
    free(hard);
    mpfr_free_cache();
#endif
    printf("%lu passed, %lu failed\n", passed, failed);
    return failed != 0;
}
