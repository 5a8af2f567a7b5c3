/* Linear algebra on arrays beyond solutions: determinants with their signs, and sums of products
   over letters. Against products of swaps, and loops over all letters.
   The file includes itself, once for each real type, behind the #else.
   Sections: Arrays; Arrays: Shapes; Arrays: Operations; Arrays: The Public Functions. */
#ifndef ALGEBRA_PASS
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include "test.h"

void suite_algebra(void);

#define COUNT(a) (sizeof (a) / sizeof (a)[0])
enum { MOST = 100 };

/* Numbers that depend on a seed alone: Vigna's splitmix64. */
static uint64_t state;
static size_t below(size_t n)
{
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (size_t)(((z ^ (z >> 31)) >> 11) % n);
}

#define ALGEBRA_PASS
#define A(n)   ad_##n
#define T(n)   n##_d
#define AREAL  double
#define AEPS   DBL_EPSILON
#include "test_algebra.c"
#undef A
#undef T
#undef AREAL
#undef AEPS
#define A(n)   adf_##n
#define T(n)   n##_f
#define AREAL  float
#define AEPS   FLT_EPSILON
#include "test_algebra.c"

void suite_algebra(void)
{
    determinants_d();
    determinants_f();
    singular_d();
    singular_f();
    letters_d();
    letters_f();
    known_letters_d();
    known_letters_f();
    wrong_letters_d();
    wrong_letters_f();
}

#else
/* ================================================ once for each real type */

static void T(fails)(A(tape) *t, A(array) r, ad_status want, const char *words, int line)
{
    test_check(r.rank == -1 && A(tape_status)(t) == want
        && strstr(A(tape_message)(t), words) != NULL, __FILE__, line, "%s, \"%s\", not %s, \"%s\"",
        ad_status_name(A(tape_status)(t)), A(tape_message)(t), ad_status_name(want), words);
    A(tape_clear_status)(t);
}

/* Rows of a diagonal of powers of two, exchanged: the sign is known, the logarithm a whole number
   of log 2. Beside the diagonal something for elimination to do. */
static double T(exchanged)(size_t n, AREAL *a, double *sign)
{
    size_t i, k;
    double two = 0;
    *sign = 1;
    memset(a, 0, n * n * sizeof *a);
    for (i = 0; i < n; i++) {
        const int e = (int)below(9) - 4, minus = (int)below(2);
        a[i * n + i] = (AREAL)ldexp(minus ? -1 : 1, e);
        if (i) a[i * n + i - 1] = a[(i - 1) * (n + 1)] * (AREAL)((double)below(5) - 2) / 8;
        if (minus) *sign = -*sign;
        two += e;
    }
    for (i = 0; i + 1 < n; i++) {
        const size_t by = i + below(n - i);
        if (by == i) continue;
        for (k = 0; k < n; k++) {
            const AREAL v = a[i * n + k];
            a[i * n + k] = a[by * n + k];
            a[by * n + k] = v;
        }
        *sign = -*sign;
    }
    return two * log(2.0);
}
/* On both sides of where factors are made in another way; a constant, a variable, and a compiled
   function that was recorded with other numbers. */
static void T(determinants)(void)
{
    static const int32_t sizes[] = { 0, 1, 2, 3, 4, 7, 16, 31, 32, 33, 64, 100 };
    static AREAL a[2 * MOST * MOST];
    A(tape) *const t = A(tape_create)(NULL);
    size_t s;
    int again, minus = 0, plus = 0;
    state = 11;
    for (s = 0; s < COUNT(sizes); s++)
        for (again = 0; again < 6; again++) {
            const int32_t dim[3] = { 2, sizes[s], sizes[s] };
            const size_t n = (size_t)sizes[s];
            const double near = 200 * (double)AEPS * (double)(n + 1);
            double sign[2], two[2];
            A(array) x, y[2], of, g;
            A(fn) *f;
            const AREAL *in[1];
            AREAL got[2][2], *out[2];
            int k, way;
            for (k = 0; k < 2; k++) {
                two[k] = T(exchanged)(n, a + (size_t)k * n * n, &sign[k]);
                plus += sign[k] > 0;
                minus += sign[k] < 0;
            }
            for (way = 0; way < 2; way++) {
                A(tape_reset)(t);
                x = way ? A(array_input)(t, 3, dim, a) : A(array_const)(t, 3, dim, a);
                CHECK(A(array_slogdet)(x, &y[0], &y[1]) == AD_OK);
                CHECK(y[0].rank == 1 && y[1].rank == 1 && y[0].dim[0] == 2 && y[1].dim[0] == 2);
                for (k = 0; k < 2; k++) {
                    CHECK(A(array_values)(y[0])[k] == (AREAL)sign[k]);
                    CHECK_NEAR(A(array_values)(y[1])[k], two[k], near);
                }
            }
            if (n == 0) continue;
            /* the derivative is that of the logarithm, whatever comes to the sign */
            of = A(array_sum)(A(array_add)(A(array_mul_r)(y[0], 5), y[1]), AD_ALL_AXES, 0);
            CHECK(A(array_grad)(A(array_item)(of), 1, &x, &g) == AD_OK);
            CHECK(A(backward)(A(array_item)(of)) == AD_OK);
            {
                double by = 0, recorded = 0;         /* sum of x times x_bar: n for each matrix */
                size_t e;
                for (e = 0; e < 2 * n * n; e++) {
                    by += (double)(a[e] * A(array_adjoints)(x)[e]);
                    recorded += (double)(a[e] * A(array_values)(g)[e]);
                }
                CHECK_NEAR(by, 2.0 * (double)n, 4000 * (double)AEPS * (double)n);
                CHECK_NEAR(recorded, 2.0 * (double)n, 4000 * (double)AEPS * (double)n);
            }
            for (k = 0; k < 2; k++) two[k] = T(exchanged)(n, a + (size_t)k * n * n, &sign[k]);
            f = A(fn_create_arrays)(t, 1, &x, 2, y, NULL);
            in[0] = a;
            out[0] = got[0];
            out[1] = got[1];
            CHECK(A(fn_run)(f, in, out) == AD_OK);
            for (k = 0; k < 2; k++) {
                CHECK(got[0][k] == (AREAL)sign[k]);
                CHECK_NEAR(got[1][k], two[k], near);
            }
            A(fn_destroy)(f);
        }
    CHECK(plus > 40 && minus > 40);
    A(tape_destroy)(t);
}

static void T(singular)(void)
{
    static const int32_t sizes[] = { 2, 5, 32, 40 };
    static AREAL a[2 * MOST * MOST];
    A(tape) *const t = A(tape_create)(NULL);
    A(array) x, y[2];
    size_t s, e;
    for (s = 0; s < COUNT(sizes); s++) {
        const int32_t dim[3] = { 2, sizes[s], sizes[s] }, flat[2] = { 2, 3 };
        const size_t n = (size_t)sizes[s];
        const AREAL seed[2] = { 1, 0 };
        memset(a, 0, sizeof a);
        for (e = 0; e < n; e++) a[e * n + e] = a[n * n + e * n + e] = 2;
        a[n * n + n + 1] = 0;                    /* the second one has a column of zeros */
        A(tape_reset)(t);
        x = A(array_input)(t, 3, dim, a);
        CHECK(A(array_slogdet)(x, &y[0], &y[1]) == AD_OK);
        CHECK(A(array_values)(y[0])[0] == 1 && A(array_values)(y[0])[1] == 0);
        CHECK(A(array_values)(y[1])[1] == -(AREAL)INFINITY);
        /* a sweep fails where the singular one counts, and only there */
        CHECK(A(array_backward)(y[0], NULL) == AD_OK);
        for (e = 0; e < 2 * n * n && A(array_adjoints)(x)[e] == 0; e++) continue;
        CHECK(e == 2 * n * n);
        CHECK(A(array_backward)(y[1], seed) == AD_OK);
        CHECK_NEAR(A(array_adjoints)(x)[0], 0.5, 0);
        for (e = n * n; e < 2 * n * n && A(array_adjoints)(x)[e] == 0; e++) continue;
        CHECK(e == 2 * n * n);
        CHECK(A(array_backward)(y[1], NULL) == AD_ERR_ARGUMENT);
        CHECK(strstr(A(tape_message)(t), "singular") != NULL);
        A(tape_clear_status)(t);

        a[n * n + n + 1] = (AREAL)NAN;
        x = A(array_const)(t, 3, dim, a);
        CHECK(A(array_slogdet)(x, &y[0], &y[1]) == AD_OK);
        CHECK(A(array_values)(y[0])[0] == 1);
        CHECK(A(array_values)(y[0])[1] != A(array_values)(y[0])[1]);
        CHECK(A(array_values)(y[1])[1] != A(array_values)(y[1])[1]);
        y[0] = A(array_logdet)(x);
        CHECK(A(array_values)(y[0])[1] != A(array_values)(y[0])[1]);
        y[0] = x;
        CHECK(A(array_slogdet)(x, NULL, NULL) == AD_OK);
        CHECK(A(array_slogdet)(A(array_input)(t, 2, flat, NULL), &y[0], &y[1]) == AD_ERR_SHAPE);
        CHECK(y[1].rank == -1);
        T(fails)(t, y[0], AD_ERR_SHAPE, "ad_array_slogdet: [2, 3]: not square", __LINE__);
    }
    A(tape_destroy)(t);
}

/* ---------------------------------------------------------------- sums over letters */

/* The sum by loops over all values of all letters; used[], how many letters there are. */
static double T(by_loops)(const char *const *part, const int32_t *extent, AREAL *const *x,
    const int32_t *at, int used)
{
    int32_t i[8] = { 0, 0, 0, 0, 0, 0, 0, 0 };
    double sum = 0;
    int k, p;
    const char *c;
    for (;;) {
        double term = 1;
        int here = 1;
        for (c = part[2], k = 0; *c; c++, k++) here &= i[*c - 'a'] == at[k];
        for (p = 0; p < 2 && here; p++) {
            size_t place = 0;
            if (!part[p]) continue;
            for (c = part[p]; *c; c++)
                place = place * (size_t)extent[*c - 'a'] + (size_t)i[*c - 'a'];
            term *= (double)x[p][place];
        }
        if (here) sum += term;
        for (k = 0; k < used && ++i[k] == extent[k]; k++) i[k] = 0;
        if (k == used) return sum;
    }
}
static void T(letters)(void)
{
    A(tape) *const t = A(tape_create)(NULL);
    AREAL *x[2];
    int test;
    state = 5;
    x[0] = (AREAL *)malloc(4096 * sizeof **x);
    x[1] = (AREAL *)malloc(4096 * sizeof **x);
    for (test = 0; test < 1500 && x[0] && x[1]; test++) {
        const int used = 1 + (int)below(6), two = below(5) != 0;
        const char *part[3] = { NULL, NULL, NULL };
        char word[3][8], text[40];
        int32_t extent[8], dim[4], at[4] = { 0, 0, 0, 0 };
        size_t n[2] = { 0, 0 }, e;
        double all = 0, by[2] = { 0, 0 }, size = 0;
        A(array) a[2], r;
        int k, p, bad = 0;
        for (k = 0; k < used; k++) extent[k] = 1 + (int32_t)below(4);
        for (p = 0; p < 1 + two; p++) {
            int rank = (int)below(5);
            for (k = 0; k < rank; k++) word[p][k] = (char)('a' + below((size_t)used));
            word[p][rank] = 0;
            part[p] = word[p];
            for (n[p] = 1, k = 0; k < rank; k++) {
                dim[k] = extent[word[p][k] - 'a'];
                n[p] *= (size_t)dim[k];
            }
            for (e = 0; e < n[p]; e++) x[p][e] = (AREAL)((double)below(17) - 8) / 8;
            a[p] = A(array_input)(t, rank, dim, x[p]);
        }
        if (!two) a[1] = a[0];
        for (p = 0, k = 0; p < used && k < 4; p++) {
            const char c = (char)('a' + (p * 5 + test) % used);      /* each once, where 5 allows */
            if ((strchr(word[0], c) || (two && strchr(word[1], c))) && below(2)
                && !memchr(word[2], c, (size_t)k)) word[2][k++] = c;
        }
        word[2][k] = 0;
        part[2] = word[2];
        for (p = 0; p < used; p++)               /* what stands nowhere has one value */
            if (!strchr(word[0], 'a' + p) && !(two && strchr(word[1], 'a' + p))) extent[p] = 1;
        snprintf(text, sizeof text, two ? "%s,%s->%s" : "%s->%s", word[0], two ? word[1] : word[2],
            word[2]);
        r = A(array_einsum)(text, a[0], a[1]);
        test_check(r.rank == k && A(tape_status)(t) == AD_OK, __FILE__, __LINE__, "%s: %s", text,
            A(tape_message)(t));
        for (e = 0; e < A(array_size)(r); e++) {
            double want;
            const AREAL got = A(array_values)(r)[e];
            want = T(by_loops)(part, extent, x, at, used);
            bad += !test_near((double)got, want, 64 * (double)AEPS);
            all += (double)got;
            size += fabs((double)got);
            for (k = r.rank - 1; k >= 0 && ++at[k] == r.dim[k]; k--) at[k] = 0;
        }
        /* it is linear in each operand */
        if (A(array_backward)(r, NULL) == AD_OK)
            for (p = 0; p < 1 + two; p++) {
                for (e = 0; e < n[p]; e++) by[p] += (double)(x[p][e] * A(array_adjoints)(a[p])[e]);
                bad += fabs(by[p] - all) > 1000 * (double)AEPS * (1 + size);
            }
        test_check(!bad, __FILE__, __LINE__, "%s: %d wrong; sum %.9g, by the operands %.9g, %.9g",
            text, bad, all, by[0], by[1]);
        A(tape_reset)(t);
    }
    free(x[0]);
    free(x[1]);
    A(tape_destroy)(t);
}

/* What comes of a text with [2, 3] and [3, 4], or a square and a cube: shapes and a few numbers. */
static void T(known_letters)(void)
{
    static const int32_t d23[2] = { 2, 3 }, d34[2] = { 3, 4 }, d33[2] = { 3, 3 };
    static const int32_t d523[3] = { 5, 2, 3 }, d534[3] = { 5, 3, 4 };
    A(tape) *const t = A(tape_create)(NULL);
    AREAL v[60];
    A(array) a, b, s, c, d, r;
    size_t slots, e;
    for (e = 0; e < 60; e++) v[e] = (AREAL)e;
    a = A(array_input)(t, 2, d23, v);
    b = A(array_input)(t, 2, d34, v);
    s = A(array_input)(t, 2, d33, v);
    c = A(array_input)(t, 3, d523, v);
    d = A(array_input)(t, 3, d534, v);
    r = A(array_einsum)("ij,jk", a, b);
    CHECK(r.rank == 2 && r.dim[0] == 2 && r.dim[1] == 4);
    CHECK(A(array_values)(r)[0] == 20 && A(array_values)(r)[7] == 92);
    r = A(array_einsum)("Zj,ja", a, b);          /* capitals come first */
    CHECK(r.rank == 2 && r.dim[0] == 2 && r.dim[1] == 4);
    r = A(array_einsum)("zj,jA", a, b);
    CHECK(r.rank == 2 && r.dim[0] == 4 && r.dim[1] == 2);
    r = A(array_einsum)("ba", a, a);
    CHECK(r.rank == 2 && r.dim[0] == 3 && A(array_values)(r)[1] == 3);
    r = A(array_einsum)(" i i ", s, s);
    CHECK(r.rank == 0 && A(array_values)(r)[0] == 12);
    r = A(array_einsum)("ii -> i", s, s);
    CHECK(r.rank == 1 && r.dim[0] == 3 && A(array_values)(r)[2] == 8);
    r = A(array_einsum)("ij->", a, a);
    CHECK(r.rank == 0 && A(array_values)(r)[0] == 15);
    r = A(array_einsum)("ij,ij->", a, a);
    CHECK(r.rank == 0 && A(array_values)(r)[0] == 55);
    r = A(array_einsum)("ij,ij->i", a, a);
    CHECK(r.rank == 1 && A(array_values)(r)[0] == 5 && A(array_values)(r)[1] == 50);
    r = A(array_einsum)("ij,kl->ljki", a, b);
    CHECK(r.rank == 4 && r.dim[0] == 4 && r.dim[1] == 3 && r.dim[2] == 3 && r.dim[3] == 2);
    CHECK(A(array_values)(r)[4 * 18 - 1] == 55 && A(array_values)(r)[18 + 1] == 3);

    /* products of matrices that stand as they should are that product alone */
    slots = A(tape_get_stats)(t).slots;
    r = A(array_einsum)("bij,bjk->bik", c, d);
    CHECK(r.rank == 3 && A(tape_get_stats)(t).slots - slots < 40 + 64 / sizeof(AREAL));
    slots = A(tape_get_stats)(t).slots;
    r = A(array_einsum)("ij,jk->ki", a, b);
    CHECK(r.dim[0] == 4 && A(tape_get_stats)(t).slots - slots < 8 + 64 / sizeof(AREAL));
    CHECK(A(array_values)(r)[1] == 56 && A(array_values)(r)[2] == 23);
    slots = A(tape_get_stats)(t).slots;
    r = A(array_einsum)("ij->ij", a, a);
    CHECK(r.id == a.id && A(tape_get_stats)(t).slots == slots);

    {                                            /* no element: sums are 0 */
        static const int32_t d20[2] = { 2, 0 }, d04[2] = { 0, 4 };
        r = A(array_einsum)("ij,jk->ik", A(array_input)(t, 2, d20, NULL),
            A(array_input)(t, 2, d04, NULL));
        CHECK(r.rank == 2 && r.dim[0] == 2 && r.dim[1] == 4 && A(array_values)(r)[7] == 0);
        r = A(array_einsum)("ij->i", A(array_input)(t, 2, d20, NULL), a);
        CHECK(r.rank == 1 && r.dim[0] == 2 && A(array_values)(r)[1] == 0);
    }
    CHECK(A(tape_status)(t) == AD_OK);
    A(tape_destroy)(t);
}
static void T(wrong_letters)(void)
{
    static const struct { const char *text; ad_status status; const char *words; } of[] = {
        { NULL, AD_ERR_ARGUMENT, "NULL" }, { "i.,jk", AD_ERR_ARGUMENT, "ellipsis" },
        { "ij,jk,kl->il", AD_ERR_ARGUMENT, "more than two operands" },
        { "ij->,jk", AD_ERR_ARGUMENT, "more than two operands" },
        { "ij,jk->il", AD_ERR_ARGUMENT, "no operand has" },
        { "ij,jk->ii", AD_ERR_ARGUMENT, "twice in the result" },
        { "ij->j->i", AD_ERR_ARGUMENT, "two arrows" }, { "i1,jk", AD_ERR_ARGUMENT, "neither" },
        { "ij,jk-ik", AD_ERR_ARGUMENT, "neither" }, { "abcde,jk", AD_ERR_ARGUMENT, "4 axes" },
        { "abc,def", AD_ERR_ARGUMENT, "the result has more than 4 axes" },
        { "ij,jkl->il", AD_ERR_SHAPE, "\"ij,jkl->il\": 3 letters for [3, 4]" },
        { "", AD_ERR_SHAPE, "0 letters for [2, 3]" },
        { "ij,ik->jk", AD_ERR_SHAPE, "letter i is 2 and 3" }, { "ii", AD_ERR_SHAPE, "2 and 3" } };
    static const int32_t d23[2] = { 2, 3 }, d34[2] = { 3, 4 };
    A(tape) *const t = A(tape_create)(NULL), *const second = A(tape_create)(NULL);
    const A(array) a = A(array_input)(t, 2, d23, NULL), b = A(array_input)(t, 2, d34, NULL);
    const A(array) foreign = A(array_input)(second, 2, d34, NULL);
    const size_t slots = A(tape_get_stats)(t).slots;
    A(array) none;
    size_t k;
    memset(&none, 0, sizeof none);
    for (k = 0; k < COUNT(of); k++)
        T(fails)(t, A(array_einsum)(of[k].text, a, b), of[k].status, of[k].words, __LINE__);
    T(fails)(t, A(array_einsum)("ij,jk", a, foreign), AD_ERR_MIXED, "two tapes", __LINE__);
    T(fails)(t, A(array_einsum)("ij,jk", a, none), AD_ERR_ARGUMENT, "without a tape", __LINE__);
    CHECK(A(array_einsum)("ij", none, b).rank == -1 && A(tape_status)(t) == AD_OK);
    CHECK(A(array_einsum)("ij->i", a, none).rank == 1);          /* which is not read */
    CHECK(A(tape_get_stats)(t).slots - slots < 4);
    A(tape_destroy)(t);
    A(tape_destroy)(second);
}
#endif
