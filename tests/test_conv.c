/* Convolutions, their adjoints and windows' maxima, on every instruction set of this machine
   (or the one that the environment variable AD_TEST_SIMD names) against seven nested loops in long
   double: shapes of every kind drawn at random, what lies around an output and around the working
   memory, outputs that are not read, ties and NaN, bad arguments.
   The file includes itself, once for each real type, behind the first #else.
   Sections: Kernels on Plain Arrays; Lanes: Matrices; Lanes: Convolutions; Choosing an Instruction
   Set; Kernels: Calling Them. */
#ifndef KREAL
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include "test.h"

TEST_DEF void suite_conv(void);

/* ---- instruction sets */
enum { LEVELS = 4 };
static const struct { ad_simd simd; const char *name; } every_level[LEVELS] = {
    { AD_SIMD_PLAIN, "plain" }, { AD_SIMD_AVX2, "avx2" }, { AD_SIMD_AVX512, "avx512" },
    { AD_SIMD_NEON, "neon" } };
static const ad_kernels *level[LEVELS];
static size_t levels;

static void find_levels(void)
{
    const char *wanted = getenv("AD_TEST_SIMD");
    size_t i;
    levels = 0;
    for (i = 0; i < LEVELS; i++) {
        const ad_kernels *k = ad_kernels_get(every_level[i].simd);
        if (wanted && *wanted && strcmp(wanted, every_level[i].name) != 0) continue;
        if (k) level[levels++] = k;
    }
    if (!levels) printf("SKIP conv: this machine lacks %s\n", wanted);
}

/* ---- numbers that are the same in every run */
static uint32_t seed = 88675123u;

static uint32_t draw(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed;
}
static size_t draw_to(size_t low, size_t high) { return low + draw() % (high - low + 1); }
static double draw_unit(void) { return (double)draw() / 2147483648.0 - 1; }      /* [-1, 1) */

static const double betas[] = { 0, 1, 0.5 };
enum { GUARD = 16 };

/* ---- shapes */
static char shape_text[160];

static const char *text_of(const ad_conv_shape *s)
{
    snprintf(shape_text, sizeof shape_text,
        "%lux%lux%lux%lu, %lu of %lux%lu, stride %lu %lu, pad %lu %lu, dilation %lu %lu, "
        "groups %lu",
        (unsigned long)s->images, (unsigned long)s->channels, (unsigned long)s->height,
        (unsigned long)s->width, (unsigned long)s->filters, (unsigned long)s->rows,
        (unsigned long)s->columns, (unsigned long)s->stride[0], (unsigned long)s->stride[1],
        (unsigned long)s->pad[0], (unsigned long)s->pad[1], (unsigned long)s->dilation[0],
        (unsigned long)s->dilation[1], (unsigned long)s->groups);
    return shape_text;
}

static ad_conv_shape conv_shape(size_t images, size_t channels, size_t height, size_t width,
    size_t filters, size_t rows, size_t columns)
{
    ad_conv_shape s;
    memset(&s, 0, sizeof s);
    s.images = images;
    s.channels = channels;
    s.height = height;
    s.width = width;
    s.filters = filters;
    s.rows = rows;
    s.columns = columns;
    return s;
}

static size_t or_one(size_t n) { return n ? n : 1; }

static size_t high_of(const ad_conv_shape *s)
{
    return ad_conv_out(s->height, s->rows, s->stride[0], s->pad[0], s->dilation[0]);
}
static size_t wide_of(const ad_conv_shape *s)
{
    return ad_conv_out(s->width, s->columns, s->stride[1], s->pad[1], s->dilation[1]);
}

/* One number after the other: in what order arguments are computed is the compiler's choice. */
static void draw_sizes(ad_conv_shape *s, size_t groups, size_t least, size_t channels,
    size_t filters, size_t width)
{
    memset(s, 0, sizeof *s);
    s->images = draw_to(1, least > 1 ? 9 : 4);
    s->channels = groups * draw_to(least, channels);
    s->height = draw_to(1, 14);
    s->width = draw_to(1, width);
    s->filters = groups * draw_to(least, filters);
}

/* Any shape that is not too much work for seven loops. */
static ad_conv_shape draw_shape(void)
{
    for (;;) {
        const size_t kind = draw_to(0, 7), groups = kind == 0 ? draw_to(2, 3) : 1;
        ad_conv_shape s;
        size_t i;
        draw_sizes(&s, groups, 1, 6, 9, 24);
        s.rows = draw_to(1, 4);
        s.columns = draw_to(1, 4);
        s.groups = groups == 1 && draw_to(0, 1) ? 0 : groups;
        for (i = 0; i < 2; i++) {
            s.stride[i] = draw_to(0, 3);
            s.pad[i] = draw_to(0, 3);
            s.dilation[i] = draw_to(0, 2);
        }
        if (kind == 1) s.height = s.rows = 1;                    /* a line */
        if (kind == 2) s.channels = s.filters = s.groups = draw_to(1, 20);     /* depthwise */
        if (kind == 3) s.rows = s.columns = 1;
        if (kind == 4) {
            s.width = draw_to(20, 80);
            s.filters = draw_to(10, 40);
            s.groups = 1;
        }
        if (kind == 5) s.stride[0] = s.stride[1] = draw_to(1, 9);
        if (high_of(&s) && wide_of(&s)) return s;
    }
}
/* 3 x 3 or 5 x 5, stride 1, many channels. */
static ad_conv_shape draw_square(void)
{
    const size_t groups = draw_to(0, 5) ? 1 : 2, window = draw_to(0, 2) ? 3 : 5;
    ad_conv_shape s;
    draw_sizes(&s, groups, 8, 20, 40, 12);
    s.rows = s.columns = window;
    s.height += window - 1;
    s.width += window - 1;
    s.pad[0] = draw_to(0, window - 1);
    s.pad[1] = draw_to(0, window - 1);
    s.groups = groups;
    return s;
}

#define KREAL    double
#define KA(name) ad_##name
#define KT(name) name##_d
#define KEPS     DBL_EPSILON
#include "test_conv.c"
#undef KREAL
#undef KA
#undef KT
#undef KEPS
#define KREAL    float
#define KA(name) adf_##name
#define KT(name) name##_f
#define KEPS     FLT_EPSILON
#include "test_conv.c"

static void extents(void)
{
    CHECK(ad_conv_out(32, 3, 1, 1, 1) == 32 && ad_conv_out(32, 3, 2, 1, 1) == 16);
    CHECK(ad_conv_out(7, 3, 0, 0, 0) == 5 && ad_conv_out(7, 3, 1, 0, 3) == 1);
    CHECK(ad_conv_out(7, 3, 1, 0, 4) == 0 && ad_conv_out(0, 1, 1, 5, 1) == 0);
    CHECK(ad_conv_out(5, 0, 1, 0, 1) == 0 && ad_conv_out(5, 3, SIZE_MAX, 0, 1) == 1);
    CHECK(ad_conv_out(5, 3, 1, SIZE_MAX / 2, 1) == 0 && ad_conv_out(5, 3, 1, 1, SIZE_MAX) == 0);
}

TEST_DEF void suite_conv(void)
{
    find_levels();
    extents();
    everything_d();
    everything_f();
}

#else

/* ======================================================================== for each real type */

static KREAL KT(constant)(float v) { return (KREAL)v; }

/* n numbers with a guard on either side */
static KREAL *KT(make)(size_t n)
{
    KREAL *p = (KREAL *)malloc((n + 2 * GUARD) * sizeof *p);
    size_t i;
    if (!p) abort();
    for (i = 0; i < n + 2 * GUARD; i++) p[i] = (KREAL)-7777.25;
    return p + GUARD;
}
static int KT(intact)(const KREAL *p, size_t n)
{
    const KREAL *const before = p - GUARD;
    size_t i;
    for (i = 0; i < GUARD; i++)
        if (p[n + i] != (KREAL)-7777.25 || before[i] != (KREAL)-7777.25) return 0;
    return 1;
}
static void KT(drop)(KREAL *p) { free(p - GUARD); }

/* Input: no guard behind it, so that a sanitizer sees what is read there. */
static KREAL *KT(input)(size_t n)
{
    KREAL *p = (KREAL *)malloc((n ? n : 1) * sizeof *p);
    size_t i;
    if (!p) abort();
    for (i = 0; i < n; i++) p[i] = (KREAL)draw_unit();
    return p;
}

/* What a result is to be, the sum of what was added in it, and of how many numbers. */
typedef struct KT(reference) {
    long double *sum;
    double *size;
    size_t n, terms;
    double largest;
} KT(reference);

static KT(reference) KT(reference_of)(size_t n)
{
    KT(reference) r;
    memset(&r, 0, sizeof r);
    r.n = n;
    r.sum = (long double *)calloc(n + 1, sizeof *r.sum);
    r.size = (double *)calloc(n + 1, sizeof *r.size);
    if (!r.sum || !r.size) abort();
    return r;
}
static void KT(add_to)(KT(reference) *r, size_t at, KREAL a, KREAL b)
{
    const long double t = (long double)a * (long double)b;
    r->sum[at] += t;
    r->size[at] += fabs((double)t);
    if (r->size[at] > r->largest) r->largest = r->size[at];
}
static void KT(forget)(KT(reference) *r)
{
    free(r->sum);
    free(r->size);
}

/* y, x_bar and w_bar by the definition. */
static void KT(seven_loops)(const ad_conv_shape *s, const KREAL *x, const KREAL *w, const KREAL *yb,
    KT(reference) r[3])
{
    const size_t groups = or_one(s->groups), C = s->channels / groups, F = s->filters / groups;
    const size_t high = high_of(s), wide = wide_of(s);
    size_t n, f, i, j, c, a, b;
    for (n = 0; n < s->images; n++)
        for (f = 0; f < s->filters; f++)
            for (i = 0; i < high; i++)
                for (j = 0; j < wide; j++)
                    for (c = 0; c < C; c++)
                        for (a = 0; a < s->rows; a++)
                            for (b = 0; b < s->columns; b++) {
        const size_t u = i * or_one(s->stride[0]) + a * or_one(s->dilation[0]);
        const size_t v = j * or_one(s->stride[1]) + b * or_one(s->dilation[1]);
        const size_t yn = ((n * s->filters + f) * high + i) * wide + j;
        const size_t wn = ((f * C + c) * s->rows + a) * s->columns + b;
        size_t xn;
        if (u < s->pad[0] || u - s->pad[0] >= s->height || v < s->pad[1]
            || v - s->pad[1] >= s->width) continue;
        xn = ((n * s->channels + f / F * C + c) * s->height + u - s->pad[0]) * s->width
            + v - s->pad[1];
        KT(add_to)(&r[0], yn, x[xn], w[wn]);
        KT(add_to)(&r[1], xn, w[wn], yb[yn]);
        KT(add_to)(&r[2], wn, x[xn], yb[yn]);
    }
    r[0].terms = C * s->rows * s->columns;
    r[1].terms = F * s->rows * s->columns;
    r[2].terms = s->images * high * wide;
}

/* Products of matrices: as many units as terms, and one for beta. Winograd's way spreads errors
   over a tile: some units of the greatest sum. */
static void KT(compare)(const ad_conv_shape *s, int direction, const ad_kernels *k,
    const KT(reference) *r, double beta, const KREAL *before, const KREAL *got)
{
    static const char *const names[] = { "y", "x_bar", "w_bar" };
    const int square = (s->rows == 3 || s->rows == 5) && s->columns == s->rows
        && or_one(s->stride[0]) == 1 && or_one(s->stride[1]) == 1 && or_one(s->dilation[0]) == 1
        && or_one(s->dilation[1]) == 1 && s->channels >= 8;
    size_t i, bad = 0, first = 0;
    for (i = 0; i < r->n; i++) {
        const double old = beta == 0 ? 0 : beta * (double)before[i];
        const double error = fabs((double)((long double)got[i] - (r->sum[i] + (long double)old)));
        const double units = ((double)r->terms + 3) * (r->size[i] + fabs(old))
            + (square ? 16 * r->largest : 0);
        if (error <= units * (double)KEPS) continue;
        if (!bad++) first = i;
    }
    test_check(!bad, __FILE__, __LINE__, "%s %s of %s, beta %g: %lu wrong, first %lu: %g, not %g",
        ad_simd_name(ad_kernels_simd(k)), names[direction], text_of(s), beta, (unsigned long)bad,
        (unsigned long)first, (double)got[first], (double)r->sum[first]);
}

static void KT(one_shape)(const ad_conv_shape *s)
{
    const size_t places = s->filters * high_of(s) * wide_of(s);
    size_t n[3], l, d, i, b = draw_to(0, 2);
    KREAL *x, *w, *yb;
    KT(reference) r[3];
    n[0] = s->images * places;
    n[1] = s->images * s->channels * s->height * s->width;
    n[2] = s->filters * (s->channels / or_one(s->groups)) * s->rows * s->columns;
    x = KT(input)(n[1]);
    w = KT(input)(n[2]);
    yb = KT(input)(n[0]);
    for (d = 0; d < 3; d++) r[d] = KT(reference_of)(n[d]);
    KT(seven_loops)(s, x, w, yb, r);
    for (l = 0; l < levels; l++)
        for (d = 0; d < 3; d++, b++) {
            const double beta = betas[b % 3];
            const size_t bytes = KA(kernel_conv2d_work)(level[l], s);
            KREAL *to = KT(make)(n[d]), *old = KT(input)(n[d]);
            unsigned char *room = (unsigned char *)malloc(bytes + 192), *work, *end;
            ad_status status;
            if (!room) abort();
            work = room + (64 - (uintptr_t)room % 64);
            end = work + bytes;
            for (i = 0; i < 64; i++) end[i] = (unsigned char)(i ^ 0xA5);
            for (i = 0; i < n[d]; i++) to[i] = beta == 0 ? (KREAL)NAN : old[i];
            if (draw_to(0, 3) == 0) work = NULL;
            if (d == 0) status = KA(kernel_conv2d)(level[l], s, x, w, (KREAL)beta, to, work);
            else if (d == 1)
                status = KA(kernel_conv2d_adjoint_x)(level[l], s, w, yb, (KREAL)beta, to, work);
            else status = KA(kernel_conv2d_adjoint_w)(level[l], s, x, yb, (KREAL)beta, to, work);
            CHECK_STATUS(status, AD_OK);
            KT(compare)(s, (int)d, level[l], &r[d], beta, old, to);
            CHECK(KT(intact)(to, n[d]));
            for (i = 0; i < 64 && end[i] == (unsigned char)(i ^ 0xA5); i++) continue;
            test_check(i == 64, __FILE__, __LINE__, "%s", text_of(s));
            KT(drop)(to);
            free(old);
            free(room);
        }
    for (d = 0; d < 3; d++) KT(forget)(&r[d]);
    free(x);
    free(w);
    free(yb);
}

static void KT(shapes)(void)
{
    ad_conv_shape s;
    size_t i;
    for (i = 0; i < 250; i += (size_t)test_stride()) {
        s = draw_shape();
        KT(one_shape)(&s);
    }
    for (i = 0; i < 24; i += (size_t)test_stride()) {
        s = draw_square();
        KT(one_shape)(&s);
    }
    for (i = test_in_type(sizeof(KREAL)) ? 3 : 5; i <= 5; i += 2) {
        s = conv_shape(1, 12, i + 2, 300, 13, i, i);        /* tiles of a row in several pieces */
        s.pad[0] = s.pad[1] = 1;
        KT(one_shape)(&s);
        s = conv_shape(37, 13, 8, 8, 12, i, i);             /* of many images in one piece */
        s.pad[0] = s.pad[1] = 1;
        KT(one_shape)(&s);
    }
    s = conv_shape(1, 1, 1, 1, 1, 1, 1);
    KT(one_shape)(&s);
    s = conv_shape(1, 2, 3, 2, 2, 1, 1);            /* windows in the padding alone */
    s.pad[0] = s.pad[1] = 5;
    s.stride[0] = s.stride[1] = 4;
    KT(one_shape)(&s);
    s = conv_shape(2, 3, 40, 40, 5, 1, 2);          /* most of the image is passed over */
    s.stride[0] = s.stride[1] = 17;
    KT(one_shape)(&s);
    s = conv_shape(1, 45, 11, 11, 3, 5, 5);         /* filters so large that blocks are least */
    KT(one_shape)(&s);
}

/* ---- windows' maxima */

static void KT(pool)(const ad_pool_shape *s)
{
    const size_t high = ad_conv_out(s->height, s->rows, s->stride[0], s->pad[0], 1);
    const size_t wide = ad_conv_out(s->width, s->columns, s->stride[1], s->pad[1], 1);
    const size_t nx = s->images * s->height * s->width, ny = s->images * high * wide;
    KREAL *x = KT(input)(nx), *yb = KT(input)(ny), *want = KT(make)(ny), *y = KT(make)(ny);
    KREAL *xb = KT(make)(nx), *old = KT(input)(nx);
    double *want_xb = (double *)malloc((nx ? nx : 1) * sizeof *want_xb);
    const int special = (int)draw_to(0, 2);
    size_t n, i, j, a, b, l, pass;
    if (!want_xb) abort();
    for (i = 0; i < nx; i++) {
        want_xb[i] = 0;
        if (special) x[i] = (KREAL)draw_to(0, 3);                /* ties */
        if (special == 2 && draw_to(0, 9) == 0)
            x[i] = KT(constant)(draw_to(0, 1) ? NAN : -INFINITY);
    }
    for (n = 0; n < s->images; n++)
        for (i = 0; i < high; i++)
            for (j = 0; j < wide; j++) {
                KREAL *const r = &want[(n * high + i) * wide + j];
                double count = 0;
                *r = KT(constant)(-INFINITY);
                for (pass = 0; pass < 3; pass++)         /* the maximum, who has it, their shares */
                    for (a = 0; a < s->rows; a++)
                        for (b = 0; b < s->columns; b++) {
                            const size_t u = i * or_one(s->stride[0]) + a - s->pad[0];
                            const size_t v = j * or_one(s->stride[1]) + b - s->pad[1];
                            const size_t at = (n * s->height + u) * s->width + v;
                            int is;
                            if (u >= s->height || v >= s->width) continue;       /* or below 0 */
                            if (pass == 0 && (x[at] != x[at] || x[at] > *r)) *r = x[at];
                            is = x[at] == *r || (x[at] != x[at] && *r != *r);
                            if (pass == 1) count += is;
                            if (pass == 2 && is)
                                want_xb[at] += (double)yb[(n * high + i) * wide + j] / count;
                        }
            }
    for (l = 0; l < levels; l++) {
        const double beta = betas[draw_to(0, 2)];
        size_t bad = 0, bad_bar = 0;
        for (i = 0; i < ny; i++) y[i] = (KREAL)NAN;
        for (i = 0; i < nx; i++) xb[i] = beta == 0 ? (KREAL)NAN : old[i];
        CHECK_STATUS(KA(kernel_max_pool2d)(level[l], s, x, y), AD_OK);
        CHECK_STATUS(KA(kernel_max_pool2d_adjoint)(level[l], s, x, y, yb, (KREAL)beta, xb), AD_OK);
        for (i = 0; i < ny; i++)
            bad += !(y[i] == want[i] || (y[i] != y[i] && want[i] != want[i]));
        for (i = 0; i < nx; i++)
            bad_bar += !test_near((double)xb[i],
                want_xb[i] + (beta == 0 ? 0 : beta * (double)old[i]), 16 * (double)KEPS);
        test_check(!bad && !bad_bar && KT(intact)(y, ny) && KT(intact)(xb, nx), __FILE__, __LINE__,
            "%s maxima of %lux%lu in %lux%lux%lu, beta %g: %lu wrong, %lu in the adjoint",
            ad_simd_name(ad_kernels_simd(level[l])), (unsigned long)s->rows,
            (unsigned long)s->columns, (unsigned long)s->images, (unsigned long)s->height,
            (unsigned long)s->width, beta, (unsigned long)bad, (unsigned long)bad_bar);
    }
    free(x);
    free(yb);
    free(old);
    free(want_xb);
    KT(drop)(want);
    KT(drop)(y);
    KT(drop)(xb);
}

static void KT(pools)(void)
{
    size_t i;
    for (i = 0; i < 300; i += (size_t)test_stride()) {
        ad_pool_shape s;
        memset(&s, 0, sizeof s);
        s.images = draw_to(1, 4);
        s.height = draw_to(1, 12);
        s.width = draw_to(1, 80);
        s.rows = s.columns = s.stride[0] = s.stride[1] = 2;
        if (i % 2) {
            s.rows = draw_to(1, 4);
            s.columns = draw_to(1, 4);
            s.stride[0] = draw_to(0, 3);
            s.stride[1] = draw_to(0, 3);
            s.pad[0] = draw_to(0, 2);
            s.pad[1] = draw_to(0, 2);
        }
        if (i % 16 == 1) {              /* rows that are done in parts */
            s.width = draw_to(400, 2400);
            s.columns = draw_to(1, 30);
            s.pad[1] = draw_to(0, s.columns);
        }
        if (i % 16 == 3) {              /* great windows, more padding than image; by number */
            s.height = draw_to(1, 80);
            s.rows = draw_to(1, 70);
            s.columns = draw_to(1, 90);
            s.stride[1] = draw_to(0, 66);
            s.pad[0] = draw_to(0, s.rows);
            s.pad[1] = draw_to(0, s.columns);
        }
        if (ad_conv_out(s.height, s.rows, s.stride[0], s.pad[0], 1)
            && ad_conv_out(s.width, s.columns, s.stride[1], s.pad[1], 1)) KT(pool)(&s);
    }
}

/* ---- what is refused, and writes nothing */
static void KT(refused)(void)
{
    const size_t huge = SIZE_MAX / 4;
    ad_conv_shape s = conv_shape(1, 2, 4, 4, 2, 3, 3), t = s;
    ad_pool_shape p;
    KREAL x[32], w[36], y[8], p_y[8], z[64];
    size_t i, enough;
    memset(&p, 0, sizeof p);
    p.images = 2;
    p.height = p.width = 4;
    p.rows = p.columns = p.stride[0] = p.stride[1] = 2;
    for (i = 0; i < 32; i++) x[i] = (KREAL)i;
    for (i = 0; i < 36; i++) w[i] = 1;
    for (i = 0; i < 8; i++) y[i] = p_y[i] = 7;
    memset(z, 0, sizeof z);
#define CONV(shape, a, b, c) KA(kernel_conv2d)(NULL, shape, a, b, 0, c, NULL)
#define ADJOINT_X(shape, a, b, c) KA(kernel_conv2d_adjoint_x)(NULL, shape, a, b, 0, c, NULL)
#define ADJOINT_W(shape, a, b, c) KA(kernel_conv2d_adjoint_w)(NULL, shape, a, b, 0, c, NULL)
    CHECK_STATUS(CONV(NULL, x, w, y), AD_ERR_ARGUMENT);
    CHECK_STATUS(CONV(&s, NULL, w, y), AD_ERR_ARGUMENT);
    CHECK_STATUS(CONV(&s, x, NULL, y), AD_ERR_ARGUMENT);
    CHECK_STATUS(CONV(&s, x, w, NULL), AD_ERR_ARGUMENT);
    CHECK_STATUS(CONV(&s, x, w, x + 3), AD_ERR_ARGUMENT);
    CHECK_STATUS(ADJOINT_X(&s, w, y, w), AD_ERR_ARGUMENT);
    CHECK_STATUS(ADJOINT_X(&s, w, NULL, x), AD_ERR_ARGUMENT);
    CHECK_STATUS(ADJOINT_W(&s, x, y, y), AD_ERR_ARGUMENT);
    CHECK_STATUS(ADJOINT_W(&s, NULL, y, w), AD_ERR_ARGUMENT);
    t.rows = 5;
    CHECK_STATUS(CONV(&t, x, w, y), AD_ERR_SHAPE);
    CHECK(KA(kernel_conv2d_work)(NULL, &t) == 0);
    t = s;                                       /* one window: the way to the next is nothing */
    t.stride[0] = t.stride[1] = t.height + t.width;
    enough = KA(kernel_conv2d_work)(NULL, &t);
    t.stride[0] = t.stride[1] = INT32_MAX;
    CHECK(enough > 0 && KA(kernel_conv2d_work)(NULL, &t) == enough);
    t = s;
    t.groups = 3;
    CHECK_STATUS(ADJOINT_X(&t, w, y, x), AD_ERR_SHAPE);
    t = s;
    t.filters = 0;
    CHECK_STATUS(ADJOINT_W(&t, x, y, w), AD_ERR_SHAPE);
    t = s;
    t.images = huge;
    CHECK_STATUS(CONV(&t, x, w, y), AD_ERR_ARGUMENT);
    t = s;
    t.height = t.width = (size_t)1 << (sizeof(size_t) * 4);
    CHECK_STATUS(ADJOINT_X(&t, w, y, x), AD_ERR_ARGUMENT);
    t = s;
    t.channels = t.filters = huge;
    CHECK_STATUS(CONV(&t, x, w, y), AD_ERR_ARGUMENT);
    t = s;
    t.pad[0] = SIZE_MAX / 2 - 8;
    CHECK_STATUS(CONV(&t, x, w, y), AD_ERR_ARGUMENT);
    t.pad[0] = SIZE_MAX / 2;
    CHECK_STATUS(CONV(&t, x, w, y), AD_ERR_SHAPE);
    CHECK_STATUS(KA(kernel_max_pool2d)(NULL, NULL, x, p_y), AD_ERR_ARGUMENT);
    CHECK_STATUS(KA(kernel_max_pool2d)(NULL, &p, NULL, p_y), AD_ERR_ARGUMENT);
    CHECK_STATUS(KA(kernel_max_pool2d)(NULL, &p, x, x + 1), AD_ERR_ARGUMENT);
    CHECK_STATUS(KA(kernel_max_pool2d_adjoint)(NULL, &p, x, y, p_y, 0, x), AD_ERR_ARGUMENT);
    CHECK_STATUS(KA(kernel_max_pool2d_adjoint)(NULL, &p, x, y, NULL, 0, z), AD_ERR_ARGUMENT);
    CHECK_STATUS(KA(kernel_max_pool2d_adjoint)(NULL, &p, x, z, p_y, 0, z), AD_ERR_ARGUMENT);
    CHECK_STATUS(KA(kernel_max_pool2d_adjoint)(NULL, &p, x, y, z, 0, z), AD_ERR_ARGUMENT);
    p.rows = 5;
    CHECK_STATUS(KA(kernel_max_pool2d)(NULL, &p, x, p_y), AD_ERR_SHAPE);
    p.rows = 2;
    p.images = huge;
    CHECK_STATUS(KA(kernel_max_pool2d)(NULL, &p, x, p_y), AD_ERR_ARGUMENT);
    for (i = 0; i < 32; i++) CHECK(x[i] == (KREAL)i);
    for (i = 0; i < 36; i++) CHECK(w[i] == 1);
    for (i = 0; i < 8; i++) CHECK(y[i] == 7 && p_y[i] == 7);
    /* no images: nothing to do, but w_bar is 0 */
    s.images = 0;
    CHECK_STATUS(CONV(&s, NULL, w, NULL), AD_OK);
    CHECK_STATUS(ADJOINT_X(&s, w, NULL, NULL), AD_OK);
    CHECK_STATUS(ADJOINT_W(&s, NULL, NULL, w), AD_OK);
    for (i = 0; i < 36; i++) CHECK(w[i] == 0);
    p.images = 0;
    CHECK_STATUS(KA(kernel_max_pool2d)(NULL, &p, NULL, NULL), AD_OK);
#undef CONV
#undef ADJOINT_X
#undef ADJOINT_W
}

/* From 8 channels and filters and 32 tiles on windows of 3 x 3 go by tiles of 4 x 4 outputs: an
   infinity in one makes all of it NaN. Else what reads it is infinite, and nothing more. */
static void KT(tiles)(void)
{
    enum { SIDE = 24 };
    static const struct { size_t channels, filters, side; } of[] = { { 8, 8, SIDE },
        { 9, 11, SIDE }, { 7, 8, SIDE }, { 8, 7, SIDE }, { 8, 8, 20 } };
    size_t l, i, f;
    for (i = 0; i < sizeof of / sizeof *of; i++)
        for (l = 0; l < levels; l++) {
            const size_t side = of[i].side, image = side * side;
            const size_t row = 5, column = 9, n = of[i].channels, m = of[i].filters;
            ad_conv_shape s;
            KREAL *const x = KT(input)(n * image), *const w = KT(input)(m * n * 9);
            KREAL *const y = KT(input)(m * image);
            size_t wrong = 0, r, c;
            memset(&s, 0, sizeof s);
            s.images = 1;
            s.channels = n;
            s.filters = m;
            s.height = s.width = side;
            s.rows = s.columns = 3;
            s.pad[0] = s.pad[1] = 1;
            x[image + row * side + column] = (KREAL)INFINITY;
            CHECK_STATUS(KA(kernel_conv2d)(level[l], &s, x, w, 0, y, NULL), AD_OK);
            for (f = 0; f < m; f++)
                for (r = 0; r < side; r++)
                    for (c = 0; c < side; c++) {
                        const KREAL v = y[(f * side + r) * side + c];
                        const int reads = r + 1 >= row && r <= row + 1 && c + 1 >= column
                            && c <= column + 1, together = r / 4 == row / 4 && c / 4 == column / 4;
                        if (i < 2) wrong += together ? v == v : v - v != 0;
                        else wrong += (v - v == 0) == reads || v != v;
                    }
            test_check(!wrong, __FILE__, __LINE__, "%s, case %d: %d of the numbers",
                ad_simd_name(ad_kernels_simd(level[l])), (int)i, (int)wrong);
            free(x);
            free(w);
            free(y);
        }
}

static void KT(everything)(void)
{
    KT(shapes)();
    KT(pools)();
    KT(tiles)();
    KT(refused)();
}
#endif
