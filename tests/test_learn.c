/* Learning on plain arrays: steps of the optimisers against their formulas written out here,
   clipping, schedules, and .npy files, made here byte by byte, damaged in every way, and read back.
   The file includes itself, once for each real type, behind the first #else.
   Sections: Learning on Plain Arrays; Kernels: Calling Them; Arrays: Recording; Learning: Steps and
   Files. */
#ifndef LREAL
#include <math.h>
#include <stdlib.h>
#include <time.h>
#include "test.h"
#include "leaks.h"

TEST_DEF void suite_learn(void);

#define COUNT(a) (sizeof (a) / sizeof (a)[0])

static char path[80];           /* of the file that the tests write, in memory or here and now */

/* A file of these bytes. */
static void write_bytes(const unsigned char *bytes, size_t n)
{
    FILE *const f = fopen(path, "wb");
    if (!CHECK(f != NULL)) return;
    CHECK(fwrite(bytes, 1, n, f) == n);
    CHECK(fclose(f) == 0);
}

static size_t read_bytes(unsigned char *bytes, size_t room)
{
    FILE *const f = fopen(path, "rb");
    size_t n;
    if (!f) return 0;
    n = fread(bytes, 1, room, f);
    fclose(f);
    return n;
}

/* The beginning of a .npy file: its header is padded so that numbers start at a multiple of 64.
   Gives its length. */
static size_t npy_header(unsigned char *to, int version, const char *dictionary)
{
    const size_t prefix = version == 1 ? 10 : 12, n = strlen(dictionary);
    const size_t total = (prefix + n + 1 + 63) / 64 * 64, length = total - prefix;
    size_t i;
    memcpy(to, "\x93NUMPY", 6);
    to[6] = (unsigned char)version;
    to[7] = 0;
    for (i = 8; i < prefix; i++) to[i] = (unsigned char)(length >> (8 * (i - 8)) & 255);
    memcpy(to + prefix, dictionary, n);
    memset(to + prefix + n, ' ', length - n - 1);
    to[total - 1] = '\n';
    return total;
}

/* v in `bytes` bytes of this order. */
static void put_bytes(unsigned char *to, uint64_t v, size_t bytes, int big)
{
    size_t i;
    for (i = 0; i < bytes; i++) to[big ? bytes - 1 - i : i] = (unsigned char)(v >> (8 * i) & 255);
}

/* A number whose bytes are in the order of files, the least first. */
static double take_number(const unsigned char *from, size_t bytes)
{
    uint64_t wide = 0;
    uint32_t narrow;
    double d;
    float f;
    size_t i;
    for (i = 0; i < bytes; i++) wide |= (uint64_t)from[i] << (8 * i);
    narrow = (uint32_t)wide;
    memcpy(&d, &wide, sizeof d);
    memcpy(&f, &narrow, sizeof f);
    return bytes == 8 ? d : (double)f;
}

static uint64_t bits_of(double v, size_t bytes)
{
    uint64_t wide;
    uint32_t narrow;
    const float f = (float)v;
    memcpy(&wide, &v, sizeof wide);
    memcpy(&narrow, &f, sizeof narrow);
    return bytes == 8 ? wide : narrow;
}

/* A header's dictionary, written as the caller likes. */
static void dictionary(char *text, int form, const char *descr, int fortran)
{
    const char *const order = fortran ? "True" : "False";
    switch (form) {
    case 0:
        sprintf(text, "{'descr': '%s', 'fortran_order': %s, 'shape': (2, 3), }", descr, order);
        break;
    case 1:
        sprintf(text, "{'shape': (2, 3), 'fortran_order': %s, 'descr': '%s'}", order, descr);
        break;
    case 2:
        sprintf(text, "{'descr':'%s','fortran_order':%s,'shape':(2,3)}", descr, order);
        break;
    default:
        sprintf(text, "{ 'descr' : '%s' , 'fortran_order' : %s , 'shape' : ( 2 , 3 , ) }", descr,
            order);
        if (form == 4)                             /* Python's texts have either */
            for (; (text = strchr(text, '\'')) != NULL;) *text = '"';
        break;
    }
}

static uint32_t seed = 7;
static uint32_t draw(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed;
}
static double draw_unit(void) { return (double)draw() / 2147483648.0 - 1; }

#define LREAL   double
#define A(n)    ad_##n
#define T(n)    n##_d
#define LEPS    2.2204460492503131e-16
#define LDESCR  "<f8"
#include "test_learn.c"
#undef LREAL
#undef A
#undef T
#undef LEPS
#undef LDESCR

#define LREAL   float
#define A(n)    adf_##n
#define T(n)    n##_f
#define LEPS    1.1920928955078125e-7
#define LDESCR  "<f4"
#include "test_learn.c"

/* What one precision wrote the other reads. */
static void test_across(void)
{
    const double d[4] = { 1.5, -0.1, 1e300, 1e-300 };
    const float f[4] = { 1.5f, -0.1f, 3e38f, 1e-40f };
    const int32_t dim[2] = { 2, 2 };
    int32_t shape[4];
    double back[4];
    float small[4];
    int rank = 4, i;
    CHECK_STATUS(ad_npy_save(path, 2, dim, d), AD_OK);
    CHECK_STATUS(adf_npy_load(path, &rank, shape, 4, small), AD_OK);
    CHECK(rank == 2 && shape[0] == 2 && shape[1] == 2);
    for (i = 0; i < 4; i++) CHECK((double)small[i] == (double)(float)d[i]);
    rank = 4;
    CHECK_STATUS(adf_npy_save(path, 2, dim, f), AD_OK);
    CHECK_STATUS(ad_npy_load(path, &rank, shape, 4, back), AD_OK);
    for (i = 0; i < 4; i++) CHECK(back[i] == (double)f[i]);
}

TEST_DEF void suite_learn(void)
{
    FILE *memory;
    sprintf(path, "/dev/shm/learn-%p-%lx.tmp", (void *)path, (unsigned long)time(NULL));
    memory = fopen(path, "wb");                  /* thousands of files: 20 s on a disk */
    if (memory) fclose(memory);
    else memmove(path, strrchr(path, '/') + 1, strlen(strrchr(path, '/')));
    sgd_d();
    sgd_f();
    adam_d();
    adam_f();
    rmsprop_d();
    rmsprop_f();
    adagrad_d();
    adagrad_f();
    minima_d();
    minima_f();
    clipping_d();
    clipping_f();
    rates_d();
    rates_f();
    saving_d();
    saving_f();
    saving_longest_d();
    saving_longest_f();
    loading_d();
    loading_f();
    damaged_d();
    damaged_f();
    mutants_d();
    mutants_f();
    test_across();
    CHECK(leaks_none(saving_d));                   /* the text of a header among them */
    CHECK(leaks_none(loading_d));
    remove(path);
}

#else

/* ---------------------------------------------------------------- optimisers */

enum { T(N) = 1100, T(STEPS) = 12 };

static void T(fill)(size_t n, LREAL *x)
{
    size_t i;
    for (i = 0; i < n; i++) x[i] = (LREAL)draw_unit();
}
/* x[n] against what was computed in double beside it. */
static void T(compare)(const char *what, size_t n, const LREAL *x, const double *want, int line)
{
    size_t i, bad = n;
    for (i = 0; i < n && bad == n; i++)
        if (!test_near((double)x[i], want[i], 200 * (double)LEPS)) bad = i;
    i = bad < n ? bad : 0;
    test_check(bad == n, __FILE__, line, "%s, %d bytes: element %d of %d is %.12g, not %.12g", what,
        (int)sizeof *x, (int)i, (int)n, (double)x[i], want[i]);
}

static void T(sgd)(void)
{
    static const double setting[][4] = { { 0, 0, 0, 0 }, { 0.1, 0, 0, 0 }, { 0.1, 0.9, 0, 0 },
        { 0.1, 0.9, 0, 1 }, { 0.05, 0.5, 0.25, 0 }, { 0.05, 0.5, 0.25, 1 }, { 0.1, 0, 0.5, 0 } };
    LREAL x[T(N)], g[T(N)], v[T(N)];
    double X[T(N)], V[T(N)];
    size_t k, n, i;
    int step;
    for (k = 0; k < COUNT(setting); k++)
        for (n = 0; n < T(N); n = n ? 2 * n + 1 : 1) {
            const double *const s = setting[k], rate = s[0] > 0 ? s[0] : 0.01;
            A(sgd) how;
            memset(&how, 0, sizeof how);
            how.rate = (LREAL)s[0];
            how.momentum = (LREAL)s[1];
            how.weight_decay = (LREAL)s[2];
            how.nesterov = (int)s[3];
            memset(v, 0, sizeof v);
            T(fill)(T(N), x);
            for (i = 0; i < T(N); i++) {
                X[i] = (double)x[i];
                V[i] = 0;
            }
            for (step = 0; step < T(STEPS); step++) {
                T(fill)(n, g);
                for (i = 0; i < n; i++) {
                    const double G = (double)g[i] + s[2] * X[i];
                    V[i] = s[1] * V[i] + G;
                    X[i] -= rate * (how.nesterov ? G + s[1] * V[i] : V[i]);
                }
                CHECK_STATUS(A(sgd_step)(&how, n, x, g, s[1] > 0 || k % 2 ? v : NULL), AD_OK);
            }
            T(compare)("sgd", T(N), x, X, __LINE__);
            if (s[1] > 0 || k % 2) T(compare)("velocity", T(N), v, V, __LINE__);
        }
    {
        A(sgd) how;
        const LREAL before = x[0];
        memset(&how, 0, sizeof how);
        CHECK_STATUS(A(sgd_step)(&how, 3, NULL, g, v), AD_ERR_ARGUMENT);
        CHECK_STATUS(A(sgd_step)(&how, 3, x, NULL, v), AD_ERR_ARGUMENT);
        how.momentum = (LREAL)0.5;
        CHECK_STATUS(A(sgd_step)(&how, 3, x, g, NULL), AD_ERR_ARGUMENT);
        CHECK(x[0] == before);
        CHECK_STATUS(A(sgd_step)(&how, 0, NULL, NULL, NULL), AD_OK);
    }
}

static void T(adam)(void)
{
    /* rate, beta1, beta2, eps, decay, decoupled */
    static const double setting[][6] = { { 0, 0, 0, 0, 0, 0 }, { 0.1, 0.8, 0.95, 1e-3, 0, 0 },
        { 0.01, 0, 0, 0, 0.125, 0 }, { 0.01, 0, 0, 0, 0.125, 1 }, { 0.01, 0.5, 0.5, 0.5, 0, 1 } };
    LREAL x[T(N)], g[T(N)], m[T(N)], v[T(N)];
    double X[T(N)], M[T(N)], V[T(N)];
    size_t k, n, i;
    int step;
    for (k = 0; k < COUNT(setting); k++)
        for (n = 0; n < T(N); n = n ? 2 * n + 1 : 1) {
            const double *const s = setting[k];
            const double rate = s[0] > 0 ? s[0] : 0.001, b1 = s[1] > 0 ? s[1] : 0.9;
            const double b2 = s[2] > 0 ? s[2] : 0.999, eps = s[3] > 0 ? s[3] : 1e-8;
            A(adam) how;
            memset(&how, 0, sizeof how);
            how.rate = (LREAL)s[0];
            how.beta1 = (LREAL)s[1];
            how.beta2 = (LREAL)s[2];
            how.eps = (LREAL)s[3];
            how.weight_decay = (LREAL)s[4];
            how.decoupled = (int)s[5];
            memset(m, 0, sizeof m);
            memset(v, 0, sizeof v);
            T(fill)(T(N), x);
            for (i = 0; i < T(N); i++) {
                X[i] = (double)x[i];
                M[i] = V[i] = 0;
            }
            for (step = 1; step <= T(STEPS); step++) {
                T(fill)(n, g);
                if (n > 2) g[2] = 0;
                for (i = 0; i < n; i++) {
                    const double G = (double)g[i] + (how.decoupled ? 0 : s[4] * X[i]);
                    if (how.decoupled) X[i] -= rate * s[4] * X[i];
                    M[i] = b1 * M[i] + (1 - b1) * G;
                    V[i] = b2 * V[i] + (1 - b2) * G * G;
                    X[i] -= rate * (M[i] / (1 - pow(b1, step)))
                        / (sqrt(V[i] / (1 - pow(b2, step))) + eps);
                }
                CHECK_STATUS(A(adam_step)(&how, (uint64_t)step, n, x, g, m, v), AD_OK);
            }
            T(compare)("adam", T(N), x, X, __LINE__);
            T(compare)("first moment", T(N), m, M, __LINE__);
            T(compare)("second moment", T(N), v, V, __LINE__);
            /* late steps: the corrections are 1 */
            for (i = 0; i < n; i++) {
                const double G = (double)g[i] + (how.decoupled ? 0 : s[4] * X[i]);
                if (how.decoupled) X[i] -= rate * s[4] * X[i];
                M[i] = b1 * M[i] + (1 - b1) * G;
                V[i] = b2 * V[i] + (1 - b2) * G * G;
                X[i] -= rate * M[i] / (sqrt(V[i]) + eps);
            }
            CHECK_STATUS(A(adam_step)(&how, (uint64_t)1 << 40, n, x, g, m, v), AD_OK);
            T(compare)("adam, late", T(N), x, X, __LINE__);
        }
    {
        A(adam) how;
        const LREAL before = x[0];
        memset(&how, 0, sizeof how);
        CHECK_STATUS(A(adam_step)(&how, 1, 3, NULL, g, m, v), AD_ERR_ARGUMENT);
        CHECK_STATUS(A(adam_step)(&how, 1, 3, x, NULL, m, v), AD_ERR_ARGUMENT);
        CHECK_STATUS(A(adam_step)(&how, 1, 3, x, g, NULL, v), AD_ERR_ARGUMENT);
        CHECK_STATUS(A(adam_step)(&how, 1, 3, x, g, m, NULL), AD_ERR_ARGUMENT);
        CHECK(x[0] == before);
        CHECK_STATUS(A(adam_step)(&how, 1, 0, NULL, NULL, NULL, NULL), AD_OK);
    }
}

static void T(rmsprop)(void)
{
    static const double setting[][3] = { { 0, 0, 0 }, { 0.1, 0.5, 0.125 }, { 0.01, 0.9, 1e-4 } };
    LREAL x[T(N)], g[T(N)], v[T(N)];
    double X[T(N)], V[T(N)];
    size_t k, n, i;
    int step;
    for (k = 0; k < COUNT(setting); k++)
        for (n = 0; n < T(N); n = n ? 2 * n + 1 : 1) {
            const double *const s = setting[k], rate = s[0] > 0 ? s[0] : 0.01;
            const double decay = s[1] > 0 ? s[1] : 0.99, eps = s[2] > 0 ? s[2] : 1e-8;
            A(rmsprop) how;
            memset(&how, 0, sizeof how);
            how.rate = (LREAL)s[0];
            how.decay = (LREAL)s[1];
            how.eps = (LREAL)s[2];
            memset(v, 0, sizeof v);
            T(fill)(T(N), x);
            for (i = 0; i < T(N); i++) {
                X[i] = (double)x[i];
                V[i] = 0;
            }
            for (step = 0; step < T(STEPS); step++) {
                T(fill)(n, g);
                for (i = 0; i < n; i++) {
                    const double G = (double)g[i];
                    V[i] = decay * V[i] + (1 - decay) * G * G;
                    X[i] -= rate * G / (sqrt(V[i]) + eps);
                }
                CHECK_STATUS(A(rmsprop_step)(&how, n, x, g, v), AD_OK);
            }
            T(compare)("rmsprop", T(N), x, X, __LINE__);
            T(compare)("mean square", T(N), v, V, __LINE__);
        }
    {
        A(rmsprop) how;
        const LREAL before = x[0];
        memset(&how, 0, sizeof how);
        CHECK_STATUS(A(rmsprop_step)(&how, 3, NULL, g, v), AD_ERR_ARGUMENT);
        CHECK_STATUS(A(rmsprop_step)(&how, 3, x, NULL, v), AD_ERR_ARGUMENT);
        CHECK_STATUS(A(rmsprop_step)(&how, 3, x, g, NULL), AD_ERR_ARGUMENT);
        CHECK(x[0] == before);
        CHECK_STATUS(A(rmsprop_step)(&how, 0, NULL, NULL, NULL), AD_OK);
    }
}

static void T(adagrad)(void)
{
    static const double setting[][3] = { { 0, 0, 0 }, { 0.1, 0.125, 0.25 }, { 0.5, 1e-4, 0 } };
    LREAL x[T(N)], g[T(N)], v[T(N)];
    double X[T(N)], V[T(N)];
    size_t k, n, i;
    int step;
    for (k = 0; k < COUNT(setting); k++)
        for (n = 0; n < T(N); n = n ? 2 * n + 1 : 1) {
            const double *const s = setting[k], rate = s[0] > 0 ? s[0] : 0.01;
            const double eps = s[1] > 0 ? s[1] : 1e-10;
            A(adagrad) how;
            memset(&how, 0, sizeof how);
            how.rate = (LREAL)s[0];
            how.eps = (LREAL)s[1];
            how.weight_decay = (LREAL)s[2];
            memset(v, 0, sizeof v);
            T(fill)(T(N), x);
            for (i = 0; i < T(N); i++) {
                X[i] = (double)x[i];
                V[i] = 0;
            }
            for (step = 0; step < T(STEPS); step++) {
                T(fill)(n, g);
                for (i = 0; i < n; i++) {
                    const double G = (double)g[i] + s[2] * X[i];
                    V[i] += G * G;
                    if (V[i] > 0) X[i] -= rate * G / (sqrt(V[i]) + eps);
                }
                CHECK_STATUS(A(adagrad_step)(k ? &how : NULL, n, x, g, v), AD_OK);
            }
            T(compare)("adagrad", T(N), x, X, __LINE__);
            T(compare)("sum of squares", T(N), v, V, __LINE__);
        }
    {
        const LREAL before = x[0];
        CHECK_STATUS(A(adagrad_step)(NULL, 3, NULL, g, v), AD_ERR_ARGUMENT);
        CHECK_STATUS(A(adagrad_step)(NULL, 3, x, NULL, v), AD_ERR_ARGUMENT);
        CHECK_STATUS(A(adagrad_step)(NULL, 3, x, g, NULL), AD_ERR_ARGUMENT);
        CHECK(x[0] == before);
        CHECK_STATUS(A(adagrad_step)(NULL, 0, NULL, NULL, NULL), AD_OK);
    }
}

/* Each finds the least squares of sum (i+1) (x[i] - i)^2 / 4. */
static void T(minima)(void)
{
    int which;
    for (which = 0; which < 7; which++) {
        LREAL x[5] = { 3, -1, 0, 1, 9 }, g[5], m[5] = { 0, 0, 0, 0, 0 }, v[5] = { 0, 0, 0, 0, 0 };
        A(sgd) sgd;
        A(adam) adam;
        A(rmsprop) rms;
        A(adagrad) ada;
        int step, i;
        memset(&sgd, 0, sizeof sgd);
        memset(&adam, 0, sizeof adam);
        memset(&rms, 0, sizeof rms);
        memset(&ada, 0, sizeof ada);
        ada.rate = 1;
        sgd.rate = (LREAL)0.1;
        sgd.momentum = (LREAL)(which == 0 ? 0 : 0.8);
        sgd.nesterov = which == 2;
        adam.decoupled = which == 4;
        for (step = 1; step <= 3000; step++) {
            const LREAL rate = A(rate_cosine)((LREAL)0.1, 0, 3000, (uint64_t)step - 1);
            for (i = 0; i < 5; i++) g[i] = (LREAL)(i + 1) / 2 * (x[i] - (LREAL)i);
            adam.rate = rms.rate = rate > 0 ? rate : (LREAL)1e-9;
            if (which < 3) A(sgd_step)(&sgd, 5, x, g, which ? v : NULL);
            else if (which < 5) A(adam_step)(&adam, (uint64_t)step, 5, x, g, m, v);
            else if (which < 6) A(rmsprop_step)(&rms, 5, x, g, v);
            else A(adagrad_step)(&ada, 5, x, g, v);
        }
        for (i = 0; i < 5; i++)
            test_check(fabs((double)x[i] - i) < 1e-3, __FILE__, __LINE__,
                "optimiser %d: x[%d] is %g", which, i, (double)x[i]);
    }
}

/* ---------------------------------------------------------------- clipping and rates */

static void T(clipping)(void)
{
    LREAL a[3] = { 3, 0, -4 }, b[1] = { 12 }, c[40], norm;
    LREAL *list[3];
    size_t n[3] = { 3, 0, 1 }, i;
    double sum;
    list[0] = a;
    list[1] = NULL;
    list[2] = b;
    norm = A(clip_norm)(3, n, list, 26);                     /* below: as they were */
    CHECK(norm == 13 && a[0] == 3 && a[2] == -4 && b[0] == 12);
    norm = A(clip_norm)(3, n, list, (LREAL)6.5);
    CHECK_NEAR(norm, 13, 4 * (double)LEPS);
    CHECK_NEAR(a[0], 1.5, 4 * (double)LEPS);
    CHECK_NEAR(a[2], -2, 4 * (double)LEPS);
    CHECK_NEAR(b[0], 6, 4 * (double)LEPS);
    CHECK(a[1] == 0);
    CHECK(A(clip_norm)(0, NULL, NULL, 1) == 0);
    a[0] = a[1] = a[2] = 0;
    CHECK(A(clip_norm)(1, n, list, 1) == 0 && a[0] == 0);    /* no 0/0 */
    for (i = 0; i < 40; i++) c[i] = (LREAL)(i % 7) - 3;
    for (sum = 0, i = 0; i < 40; i++) sum += (double)c[i] * (double)c[i];
    list[0] = c;
    n[0] = 40;
    norm = A(clip_norm)(1, n, list, 2);
    CHECK_NEAR(norm, sqrt(sum), 10 * (double)LEPS);
    for (sum = 0, i = 0; i < 40; i++) sum += (double)c[i] * (double)c[i];
    CHECK_NEAR(sum, 4, 20 * (double)LEPS);
    CHECK(sqrt(sum) <= 2 * (1 + 10 * (double)LEPS));
    /* numbers whose squares overflow, or vanish */
    c[0] = (LREAL)(sizeof(LREAL) == 8 ? 1e200 : 1e30);
    c[1] = -c[0];
    n[0] = 2;
    norm = A(clip_norm)(1, n, list, 1);
    CHECK_NEAR(norm / (LREAL)(sizeof(LREAL) == 8 ? 1e200 : 1e30), sqrt(2.0), 10 * (double)LEPS);
    CHECK_NEAR(c[1], -sqrt(0.5), 10 * (double)LEPS);
    c[0] = c[1] = (LREAL)(sizeof(LREAL) == 8 ? 1.7e308 : 3e38);  /* a norm beyond all numbers */
    norm = A(clip_norm)(1, n, list, 1);
    CHECK(norm == (LREAL)INFINITY);
    CHECK_NEAR(c[0], sqrt(0.5), 10 * (double)LEPS);
    CHECK_NEAR(c[1], sqrt(0.5), 10 * (double)LEPS);
    if (sizeof(LREAL) == 8) {                                /* a quotient below all */
        c[0] = (LREAL)3e307;
        c[1] = (LREAL)4e307;
        A(clip_norm)(1, n, list, (LREAL)1e-14);
        CHECK_NEAR((double)c[0] * 1e14, 0.6, 1e-15);
        CHECK_NEAR((double)c[1] * 1e14, 0.8, 1e-15);
    }
    c[0] = c[1] = (LREAL)(sizeof(LREAL) == 8 ? 1e-200 : 1e-30);
    norm = A(clip_norm)(1, n, list, 1);
    CHECK(norm > c[0] && c[0] > 0);
    c[1] = (LREAL)NAN;
    norm = A(clip_norm)(1, n, list, 1);
    CHECK(norm != norm);

    for (i = 0; i < 40; i++) c[i] = (LREAL)i / 4 - 5;
    A(clip_value)(40, c, (LREAL)1.5);
    for (i = 0; i < 40; i++) {
        const double v = (double)i / 4 - 5;
        CHECK((double)c[i] == (v < -1.5 ? -1.5 : v > 1.5 ? 1.5 : v));
    }
    A(clip_value)(0, NULL, 1);
    a[0] = 3, a[1] = -4;                         /* a bound that is none */
    n[0] = 2, list[0] = a;
    A(clip_value)(2, a, -1);
    norm = A(clip_norm)(1, n, list, -1);
    CHECK(norm == 5 && a[0] == 3 && a[1] == -4);
    c[0] = (LREAL)INFINITY;
    c[1] = (LREAL)-INFINITY;
    A(clip_value)(2, c, 1);
    CHECK(c[0] == 1 && c[1] == -1);
}

static void T(rates)(void)
{
    const double pi = acos(-1.0), few = 40 * (double)LEPS;
    uint64_t step;
    double last = 2;
    for (step = 0; step < 50; step++) {
        CHECK_NEAR(A(rate_step)((LREAL)0.5, (LREAL)0.5, 10, step),
            0.5 * pow(0.5, (double)(step / 10)), few);
        CHECK_NEAR(A(rate_exponential)((LREAL)0.5, (LREAL)0.75, step),
            0.5 * pow(0.75, (double)step), few);
        CHECK_NEAR(A(rate_cosine)((LREAL)0.5, (LREAL)0.125, 40, step),
            step >= 40 ? 0.125 : 0.125 + 0.375 * (1 + cos(pi * (double)step / 40)) / 2, few);
    }
    for (step = 0; step < 8; step++)
        CHECK_NEAR(A(rate_warmup)((LREAL)0.5, (LREAL)0.125, 8, 40, step),
            0.5 * (double)(step + 1) / 8, few);
    for (; step < 60; step++) {
        const double rate = (double)A(rate_warmup)((LREAL)0.5, (LREAL)0.125, 8, 40, step);
        CHECK(rate <= last + few && rate >= 0.125 - few && rate <= 0.5 + few);
        if (step > 9 && step < 40) CHECK(rate < last);
        last = rate;
    }
    CHECK_NEAR(A(rate_warmup)((LREAL)0.5, (LREAL)0.125, 8, 40, 8), 0.5, 0.01);
    CHECK_NEAR(last, 0.125, few);
    CHECK_NEAR(A(rate_warmup)((LREAL)0.5, (LREAL)0.125, 0, 40, 0), 0.5, few);
    CHECK_NEAR(A(rate_warmup)((LREAL)0.5, (LREAL)0.125, 8, 40, (uint64_t)1 << 60), 0.125, few);
    CHECK_NEAR(A(rate_cosine)((LREAL)0.5, (LREAL)0.125, 40, (uint64_t)1 << 60), 0.125, few);
    CHECK_NEAR(A(rate_step)((LREAL)0.5, 1, 3, (uint64_t)1 << 60), 0.5, few);
    CHECK(A(rate_exponential)((LREAL)0.5, (LREAL)0.5, (uint64_t)1 << 60) == 0);
    CHECK(A(rate_cosine)((LREAL)0.5, (LREAL)0.125, 0, 0) > 0);       /* no 0/0 */
    {
        /* a loss, and the rate after it: patience 2, cooldown 1, halved, 0.125 at least */
        static const double seen[][2] = {
            { (double)NAN, 1 }, { 9, 1 }, { 8, 1 }, { 8, 1 }, { 7.9, 1 },
            { (double)NAN, 0.5 }, { 8, 0.5 }, { 8, 0.5 }, { 8, 0.5 }, { 8, 0.25 },
            { 6, 0.25 }, { 6, 0.25 }, { 6, 0.25 }, { 6, 0.125 }, { 6, 0.125 },
            { 6, 0.125 }, { 6, 0.125 }, { 6, 0.125 }, { 5, 0.125 }
        };
        A(plateau) how;
        LREAL rate = 1, up = 1;
        size_t k;
        int greater;
        for (greater = 0; greater < 2; greater++) {
            memset(&how, 0, sizeof how);
            how.factor = (LREAL)0.5;
            how.least = (LREAL)0.125;
            how.threshold = (LREAL)0.1;
            how.patience = 2;
            how.cooldown = 1;
            how.greater = greater;
            for (k = 0, rate = 1; k < COUNT(seen); k++) {
                rate = A(rate_plateau)(&how, rate,
                    (LREAL)(greater ? 1 / seen[k][0] : seen[k][0]));
                test_check((double)rate == seen[k][1], __FILE__, __LINE__,
                    "plateau, call %d: %g, not %g", (int)k, (double)rate, seen[k][1]);
            }
        }
        CHECK(A(rate_plateau)(&how, (LREAL)0.0625, 0) == (LREAL)0.0625);     /* never up */
        CHECK(A(rate_plateau)(NULL, (LREAL)0.5, 0) == (LREAL)0.5);
        memset(&how, 0, sizeof how);                 /* what is 0 */
        for (k = 0; k < 12; k++) up = A(rate_plateau)(&how, up, k ? (LREAL)0.99995 : (LREAL)1);
        CHECK_NEAR(up, 0.1, few);
        memset(&how, 0, sizeof how);                 /* a part of a negative one's size */
        how.patience = -1;
        how.threshold = (LREAL)0.125;
        CHECK(A(rate_plateau)(&how, 1, -8) == 1);
        CHECK_NEAR(A(rate_plateau)(&how, 1, (LREAL)-7.5), 0.1, few);
        CHECK_NEAR(A(rate_plateau)(&how, 1, (LREAL)-8.5), 0.1, few);
        CHECK(A(rate_plateau)(&how, 1, (LREAL)-9.5) == 1 && how.best == (LREAL)-9.5);
        for (k = 1; k < 12; k++) {                   /* what was infinite is made better by all */
            if (k == 1) {
                memset(&how, 0, sizeof how);
                how.patience = 2;
                CHECK(A(rate_plateau)(&how, 1, (LREAL)HUGE_VAL) == 1);
            }
            CHECK(A(rate_plateau)(&how, 1, (LREAL)100 / (LREAL)k) == 1
                && how.best == (LREAL)100 / (LREAL)k);
        }
        memset(&how, 0, sizeof how);
        how.threshold = -1;
        for (k = 0; k < 12; k++) {
            up = A(rate_plateau)(&how, up, k ? (LREAL)0.99995 : (LREAL)1);
            how.patience = -1;
            CHECK_NEAR(up, k < 2 ? 0.1 : pow(10, -(double)k), few);
        }
    }
    CHECK(A(rate_step)((LREAL)0.5, (LREAL)0.5, 0, 3) > 0);
}

/* ---------------------------------------------------------------- files */

static void T(saving)(void)
{
    static const struct { int rank; int32_t dim[6]; const char *shape; } of[] = {
        { 0, { 0, 0, 0, 0, 0, 0 }, "()" }, { 1, { 3, 0, 0, 0, 0, 0 }, "(3,)" },
        { 2, { 2, 3, 0, 0, 0, 0 }, "(2, 3)" }, { 2, { 0, 3, 0, 0, 0, 0 }, "(0, 3)" },
        { 4, { 2, 1, 3, 2, 0, 0 }, "(2, 1, 3, 2)" },
        { 6, { 1, 2, 1, 3, 1, 2 }, "(1, 2, 1, 3, 1, 2)" } };
    unsigned char file[2000], want[2000];
    LREAL v[24], back[24];
    int32_t dim[6];
    size_t i, e, k;
    for (e = 0; e < 24; e++) v[e] = (LREAL)draw_unit();
    v[0] = (LREAL)-0.0;
    v[1] = (LREAL)NAN;
    v[2] = (LREAL)INFINITY;
    for (i = 0; i < COUNT(of); i++) {
        char text[120];
        size_t n = 1, length, start;
        int rank;
        for (k = 0; k < (size_t)of[i].rank; k++) n *= (size_t)of[i].dim[k];
        CHECK_STATUS(A(npy_save)(path, of[i].rank, of[i].rank ? of[i].dim : NULL, v), AD_OK);
        length = read_bytes(file, sizeof file);
        sprintf(text, "{'descr': '" LDESCR "', 'fortran_order': False, 'shape': %s, }",
            of[i].shape);
        start = npy_header(want, 1, text);
        CHECK(length >= start + n * sizeof *v);
        start = length - n * sizeof *v;          /* more padding is allowed */
        CHECK(start % 64 == 0 && memcmp(file, "\x93NUMPY\1", 8) == 0);
        CHECK(file[8] + 256u * file[9] == start - 10 && file[start - 1] == '\n');
        CHECK(memcmp(file + 10, text, strlen(text)) == 0);
        for (k = 10 + strlen(text); k + 1 < start; k++) CHECK(file[k] == ' ');
        for (e = 0; e < n; e++) {
            unsigned char bytes[8];
            uint64_t bits = 0;
            memcpy(&bits, &v[e], sizeof v[e]);
            if (sizeof v[e] == 4) bits = bits_of((double)v[e], 4);
            put_bytes(bytes, bits, sizeof v[e], 0);
            if (e == 1) {                        /* any NaN */
                const double nan = take_number(file + start + sizeof *v, sizeof *v);
                CHECK(nan != nan);
            } else {
                CHECK(memcmp(file + start + e * sizeof *v, bytes, sizeof *v) == 0);
            }
        }
        rank = 6;
        memset(dim, 0x55, sizeof dim);
        CHECK_STATUS(A(npy_load)(path, &rank, dim, 0, NULL), AD_OK);     /* the shape alone */
        CHECK(rank == of[i].rank && memcmp(dim, of[i].dim, (size_t)rank * sizeof *dim) == 0);
        rank = of[i].rank;
        memset(back, 0x55, sizeof back);
        CHECK_STATUS(A(npy_load)(path, &rank, dim, n, back), AD_OK);
        for (e = 0; e < n; e++) CHECK(e == 1 ? back[e] != back[e]
            : memcmp(&back[e], &v[e], sizeof *v) == 0);
        memset(back, 0x55, sizeof back);
        if (n) {
            rank = of[i].rank;
            CHECK_STATUS(A(npy_load)(path, &rank, dim, n - 1, back), AD_ERR_SHAPE);
            for (e = 0; e < sizeof back; e++) CHECK(((unsigned char *)back)[e] == 0x55);
        }
        if (of[i].rank) {
            rank = of[i].rank - 1;
            CHECK_STATUS(A(npy_load)(path, &rank, dim, 24, back), AD_ERR_SHAPE);
        }
    }
    CHECK_STATUS(A(npy_save)("no/such/place/at/all.npy", 1, of[1].dim, v), AD_ERR_WRITE);
    CHECK_STATUS(A(npy_save)(NULL, 1, of[1].dim, v), AD_ERR_ARGUMENT);
    CHECK_STATUS(A(npy_save)(path, 1, NULL, v), AD_ERR_ARGUMENT);
    CHECK_STATUS(A(npy_save)(path, 1, of[1].dim, NULL), AD_ERR_ARGUMENT);
    CHECK(A(npy_save)(path, -1, of[1].dim, v) != AD_OK);
    dim[0] = -3;
    CHECK(A(npy_save)(path, 1, dim, v) != AD_OK);
#ifndef _WIN32
    {
        FILE *const full = fopen("/dev/full", "wb");         /* a disk without room */
        if (full) {
            fclose(full);
            CHECK_STATUS(A(npy_save)("/dev/full", 1, of[1].dim, v), AD_ERR_WRITE);
        }
    }
#endif
}

/* The longest header there can be. */
static void T(saving_longest)(void)
{
    unsigned char file[1000], want[1000];
    char text[600] = "{'descr': '" LDESCR "', 'fortran_order': False, 'shape': (0";
    int32_t dim[33];
    int k;
    size_t length;
    dim[0] = 0;
    for (k = 1; k < 33; k++) dim[k] = INT32_MAX;
    for (k = 1; k < 32; k++) strcat(text, ", 2147483647");
    strcat(text, "), }");
    CHECK_STATUS(A(npy_save)(path, 32, dim, NULL), AD_OK);
    length = read_bytes(file, sizeof file);
    CHECK(length == npy_header(want, 1, text) && memcmp(file, want, length) == 0);
    CHECK_STATUS(A(npy_save)(path, 33, dim, NULL), AD_ERR_ARGUMENT);
}

static ad_status T(load)(const unsigned char *file, size_t n, int *rank, int32_t *dim, size_t size,
    LREAL *data)
{
    write_bytes(file, n);
    return A(npy_load)(path, rank, dim, size, data);
}

static void T(loading)(void)
{
    static const struct { const char *descr; size_t bytes; char kind; int big; } of[] = {
        { "<f8", 8, 'f', 0 }, { ">f8", 8, 'f', 1 }, { "<f4", 4, 'f', 0 }, { ">f4", 4, 'f', 1 },
        { "|i1", 1, 'i', 0 }, { "|u1", 1, 'u', 0 }, { "<i2", 2, 'i', 0 }, { ">i2", 2, 'i', 1 },
        { "<u2", 2, 'u', 0 }, { ">u2", 2, 'u', 1 }, { "<i4", 4, 'i', 0 }, { ">i4", 4, 'i', 1 },
        { "<u4", 4, 'u', 0 }, { ">u4", 4, 'u', 1 }, { "<i8", 8, 'i', 0 }, { ">i8", 8, 'i', 1 },
        { "<u8", 8, 'u', 0 }, { ">u8", 8, 'u', 1 }, { "|b1", 1, 'b', 0 } };
    static const char *const refused[] = { "<c16", "<f2", "<U5", "|S3", "|O", "<m8[s]", "|V8",
        "<f16", "<i3", "f", "", "<<f8", "<f88", "?f8" };
    unsigned char file[1000];
    char text[200];
    LREAL v[8];
    int32_t dim[4];
    size_t i, e, start;
    int version, fortran, rank, f;
    for (i = 0; i < COUNT(of); i++)
        for (version = 1; version <= 3; version++)
            for (fortran = 0; fortran < 2; fortran++)
                for (f = 0; f < 5; f++) {
                    double want[6];
                    dictionary(text, f, of[i].descr, fortran);
                    start = npy_header(file, version, text);
                    for (e = 0; e < 6; e++) {
                        const size_t at = fortran ? e % 3 * 2 + e / 3 : e;
                        uint64_t bits;
                        if (of[i].kind == 'f') {
                            want[e] = (double)(float)(draw_unit() * 100);
                            if (e == 4) want[e] = (double)INFINITY;
                            bits = bits_of(want[e], of[i].bytes);
                        } else {
                            const uint64_t all = of[i].bytes == 8 ? ~(uint64_t)0
                                : ((uint64_t)1 << (8 * of[i].bytes)) - 1;
                            bits = (e == 0 ? all : e == 1 ? all / 2 + 1 : e == 2 ? all / 2
                                : (uint64_t)draw() << 32 | draw()) & all;
                            if (of[i].kind == 'b') bits = e % 2;
                            want[e] = of[i].kind == 'i' && bits > all / 2
                                ? -(double)(LREAL)(all - bits + 1) : (double)(LREAL)bits;
                        }
                        put_bytes(file + start + at * of[i].bytes, bits, of[i].bytes, of[i].big);
                    }
                    rank = 2;
                    dim[0] = dim[1] = -9;
                    memset(v, 0, sizeof v);
                    if (!test_check(T(load)(file, start + 6 * of[i].bytes, &rank, dim, 6, v)
                        == AD_OK, __FILE__, __LINE__, "%s is not read", text)) continue;
                    CHECK(rank == 2 && dim[0] == 2 && dim[1] == 3 && v[6] == 0);
                    for (e = 0; e < 6; e++)
                        test_check(test_near((double)v[e], want[e], (double)LEPS), __FILE__,
                            __LINE__, "%s: element %d is %.17g, not %.17g", text, (int)e,
                            (double)v[e], want[e]);
                }
    for (i = 0; i < COUNT(refused); i++) {
        sprintf(text, "{'descr': '%s', 'fortran_order': False, 'shape': (1,), }", refused[i]);
        start = npy_header(file, 1, text);
        memset(file + start, 0, 64);
        rank = 4;
        test_check(T(load)(file, start + 64, &rank, dim, 8, v) == AD_ERR_UNSUPPORTED, __FILE__,
            __LINE__, "%s is read", text);
    }
    /* a structure is a list of fields */
    start = npy_header(file, 1, "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,)}");
    rank = 4;
    CHECK_STATUS(T(load)(file, start + 8, &rank, dim, 8, v), AD_ERR_UNSUPPORTED);
    /* three axes in the order of Fortran */
    start = npy_header(file, 1, "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 2, 2), }");
    for (e = 0; e < 8; e++) file[start + e] = (unsigned char)e;
    rank = 3;
    CHECK_STATUS(T(load)(file, start + 8, &rank, dim, 8, v), AD_OK);
    for (e = 0; e < 8; e++) CHECK((size_t)v[e] == (e & 1) * 4 + (e & 2) + e / 4);
    remove(path);
    rank = 4;
    CHECK_STATUS(A(npy_load)(path, &rank, dim, 8, v), AD_ERR_ARGUMENT);      /* no such file */
    CHECK_STATUS(A(npy_load)(NULL, &rank, dim, 8, v), AD_ERR_ARGUMENT);
    write_bytes(file, start + 8);
    CHECK_STATUS(A(npy_load)(path, NULL, dim, 8, v), AD_ERR_ARGUMENT);
    CHECK_STATUS(A(npy_load)(path, &rank, NULL, 8, v), AD_ERR_ARGUMENT);
}

static void T(damaged)(void)
{
    static const char *const broken[] = { "", "{", "{}", "{'descr': '<f8'}",
        "{'descr': '<f8', 'fortran_order': False}", "{'descr': '<f8', 'shape': (2,)}",
        "{'fortran_order': False, 'shape': (2,)}", "{'descr': '<f8', 'fortran_order': Maybe, "
        "'shape': (2,)}", "{'descr': '<f8', 'fortran_order': False, 'shape': 2}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2,", "{'descr': '<f8', "
        "'fortran_order': False, 'shape': (-2,)}", "{'descr': '<f8', 'fortran_order': False, "
        "'shape': (x,)}", "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (4294967298,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (18446744073709551618,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2147483647, 2147483647, 2147483647)}",
        "{'descr': '<f8, 'fortran_order': False, 'shape': (2,)}", "nonsense" };
    unsigned char file[400], bad[400];
    LREAL v[8];
    int32_t dim[4];
    size_t i, start, length;
    int rank, k;
    for (i = 0; i < COUNT(broken); i++) {
        start = npy_header(file, 1, broken[i]);
        memset(file + start, 0, 16);
        rank = 4;
        test_check(T(load)(file, start + 16, &rank, dim, 8, v) != AD_OK, __FILE__, __LINE__,
            "%s is read", broken[i]);
    }
    start = npy_header(file, 1, "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }");
    memset(file + start, 1, 12);
    length = start + 12;
    for (i = 0; i <= length; i++) {              /* cut off at every byte */
        rank = 4;
        test_check((T(load)(file, i, &rank, dim, 8, v) == AD_OK) == (i == length), __FILE__,
            __LINE__, "%d of %d bytes", (int)i, (int)length);
    }
    for (i = 0; i < 8; i++) {                    /* another magic, another version */
        memcpy(bad, file, length);
        bad[i] ^= 0x55;
        rank = 4;
        if (i != 7) CHECK_STATUS(T(load)(bad, length, &rank, dim, 8, v), AD_ERR_UNSUPPORTED);
    }
    for (k = 0; k < 1500; k++) {                 /* whatever is damaged, the numbers stay in v */
        const int spots = 1 + k % 4;
        int j;
        LREAL room[12];
        memcpy(bad, file, length);
        for (j = 0; j < spots; j++) bad[draw() % start] = (unsigned char)draw();
        for (j = 0; j < 12; j++) room[j] = 77;
        rank = 4;
        T(load)(bad, length, &rank, dim, 6, room);
        for (j = 6; j < 12; j++) CHECK(room[j] == 77);
    }
}
/* A file whose header is exactly these bytes and whose numbers follow at once, read into blocks
   that end where they should. Where the three entries that a reader needs are unharmed, it gives
   the numbers. */
static void T(mutant)(int version, const char *text, size_t length, int *read)
{
    enum { ROOM = 6 };
    static const char *const entry[3] = { "'descr': '<i2'", "'fortran_order': False",
        "'shape': (2, 3)" };
    const size_t prefix = version == 1 ? 10 : 12;
    unsigned char file[300];
    int32_t *const dim = (int32_t *)malloc(2 * sizeof *dim);
    LREAL *const v = (LREAL *)malloc(ROOM * sizeof *v);
    char copy[200];
    int rank = 2, alone = 2, k, whole = 1, wrong = 0;
    ad_status s, shape;
    size_t i, count = 1;
    memcpy(file, "\x93NUMPY", 6);
    file[6] = (unsigned char)version;
    file[7] = 0;
    put_bytes(file + 8, length, prefix - 8, 0);
    memcpy(file + prefix, text, length);
    for (i = 0; i < ROOM; i++) put_bytes(file + prefix + length + 2 * i, 300 + i, 2, 0);
    for (i = 0; i < ROOM; i++) v[i] = 77;
    memcpy(copy, text, length);
    copy[length] = 0;
    for (k = 0; k < 3; k++) {
        const char *const at = strstr(copy, entry[k]);
        whole &= at && (at[strlen(entry[k])] == ',' || at[strlen(entry[k])] == '}');
    }
    s = T(load)(file, prefix + length + 2 * ROOM, &rank, dim, ROOM, v);
    shape = A(npy_load)(path, &alone, dim, 0, NULL);
    *read += s == AD_OK;
    if (s == AD_OK) {
        wrong = rank < 0 || rank > 2 || shape != AD_OK || alone != rank;
        for (k = 0; k < rank && !wrong; k++) {
            wrong = dim[k] < 0 || dim[k] > ROOM;
            count *= (size_t)dim[k];
        }
        wrong |= count > ROOM;
        for (i = count; i < ROOM && !wrong; i++) wrong = v[i] != 77;
        for (i = 0; i < ROOM && whole && !wrong; i++)
            wrong = count != ROOM || dim[0] != 2 || v[i] != (LREAL)(300 + i);
    } else {
        wrong = (s != AD_ERR_UNSUPPORTED && s != AD_ERR_SHAPE) || rank != 2;
    }
    test_check(!wrong, __FILE__, __LINE__, "version %d, header \"%s\": %s, rank %d", version, copy,
        ad_status_name(s), rank);
    free(dim);
    free(v);
}
/* Headers damaged in one place: cut off, a byte left out, doubled, exchanged with the next, or any
   other in its place. */
static void T(mutants)(void)
{
    static const char *const header[] = {
        "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }\n",
        "{'fortran_order': False, 'shape': (2, 3), 'descr': '<i2'}\n",
        "{'shape': (2, 3), 'descr': '<i2', 'fortran_order': False}\n",
        "{'descr': '<i2', 'shape': (2, 3), 'fortran_order': False, }     \n" };
    static const char other[] = "'\",:;()[]{}<>|=?0123456789-+.xTFifubO \n\t\\\377\200\001";
    char text[200];
    size_t h, at, c;
    int version, read;
    for (h = sizeof(LREAL) == 4 ? 2 : 0; h < COUNT(header); h++) {
        const size_t n = strlen(header[h]);
        read = 0;
        for (version = 1; version <= 3; version++) {
            T(mutant)(version, header[h], n, &read);
            CHECK(read == version);              /* unharmed, it is read */
        }
        for (at = 0; at < n; at++) {
            version = 1 + (int)(at % 3);
            T(mutant)(version, header[h], at, &read);
            memcpy(text, header[h], n);
            memmove(text + at, text + at + 1, n - at - 1);
            T(mutant)(version, text, n - 1, &read);
            memcpy(text, header[h], n);
            memmove(text + at + 1, text + at, n - at);
            T(mutant)(version, text, n + 1, &read);
            memcpy(text, header[h], n);
            if (at + 1 < n) {
                text[at] = header[h][at + 1];
                text[at + 1] = header[h][at];
                T(mutant)(version, text, n, &read);
            }
            for (c = at % (size_t)test_stride(); c < sizeof other; c += (size_t)test_stride()) {
                memcpy(text, header[h], n);
                text[at] = other[c];
                T(mutant)(version, text, n, &read);
                if (c % 4 == at % 4) T(mutant)(version, text, at + 1, &read);
            }
        }
    }
}
#endif
