/* Linear algebra on arrays beyond solutions: determinants with their signs, sums of products over
   letters, decompositions and least squares. Against products of swaps, loops over all letters,
   what the parts multiply to, closed forms, differences.
   The file includes itself, once for each real type, behind the #else.
   Sections: Arrays; Arrays: Shapes; Arrays: Recording; Arrays: Operations; Arrays: The Public
   Functions; Arrays: Recorded Pulls; Arrays: Tangents; Arrays: Recorded Gradients. */
#ifndef ALGEBRA_PASS
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include "test.h"

TEST_DEF void suite_algebra(void);

#define COUNT(a) (sizeof (a) / sizeof (a)[0])
enum { MOST = 100 };

/* What doubles said, for floats: slopes and second derivatives of each case. */
static double known_slope[20][400], known_bend[20][400];

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

TEST_DEF void suite_algebra(void)
{
    determinants_d();
    determinants_f();
    singular_d();
    singular_f();
    batch_of_determinants_d();
    batch_of_determinants_f();
    letters_d();
    letters_f();
    known_letters_d();
    known_letters_f();
    reduced_in_place_d();
    reduced_in_place_f();
    wrong_letters_d();
    wrong_letters_f();
    parts_d();
    parts_f();
    known_parts_d();
    known_parts_f();
    slopes_of_parts_d();                         /* first: floats are compared with it */
    slopes_of_parts_f();
    equal_values_d();
    equal_values_f();
    least_squares_d();
    least_squares_f();
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
/* The determinants of a batch stand as its matrices do. */
static void T(batch_of_determinants)(void)
{
    static const int32_t dim[4] = { 3, 1, 2, 2 };
    A(tape) *const t = A(tape_create)(NULL);
    A(array) y[3];
    AREAL a[12];
    int k, which;
    for (k = 0; k < 12; k++) a[k] = k % 4 == 0 ? (AREAL)(1 + k) : k % 4 == 3 ? 1 : (AREAL)0;
    y[2] = A(array_input)(t, 4, dim, a);
    y[0] = A(array_logdet)(y[2]);
    CHECK(A(array_slogdet)(y[2], &y[2], &y[1]) == AD_OK);
    for (which = 0; which < 3; which++) {
        CHECK(y[which].rank == 2 && y[which].dim[0] == 3 && y[which].dim[1] == 1);
        for (k = 0; k < 3; k++)
            CHECK_NEAR(A(array_values)(y[which])[k], which == 2 ? 1 : log(1.0 + 4 * k),
                       4 * (double)AEPS);
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
/* Axes that are neighbours are reduced where they stand, whatever lengths of 1 lie between: what is
   recorded is the result alone. */
static void T(reduced_in_place)(void)
{
    static const int32_t d4[4] = { 3, 1, 20, 5 };
    static const struct { unsigned axes; size_t left; } of[] = { { 1, 100 }, { 4, 15 }, { 8, 60 },
        { 5, 5 }, { 12, 3 }, { 3, 100 }, { 2, 300 }, { 15, 1 } };
    A(tape) *const t = A(tape_create)(NULL);
    const A(array) a = A(array_input)(t, 4, d4, NULL);
    size_t k;
    for (k = 0; k < COUNT(of); k++) {
        const size_t slots = A(tape_get_stats)(t).slots;
        CHECK(A(array_amax)(a, of[k].axes | AD_NO_AXES, 0).rank >= 0);
        CHECK(A(tape_get_stats)(t).slots - slots < of[k].left + 128 / sizeof(AREAL));
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

/* ---------------------------------------------------------------- decompositions */

/* How far a is from b, beside the greatest of b (1 where that is 0); NaN counts as far. */
static double T(apart)(size_t n, const AREAL *a, const AREAL *b)
{
    double most = 0, worst = 0;
    size_t e;
    for (e = 0; e < n; e++) {
        const double size = fabs((double)b[e]), off = fabs((double)a[e] - (double)b[e]);
        if (size > most) most = size;
        if (!(off <= worst)) worst = off;
    }
    return most > 0 ? worst / most : worst;
}
/* How far the columns (rows) of m x n numbers are from orthonormal. */
static double T(skew)(int32_t m, int32_t n, const AREAL *q, int rows)
{
    const int32_t count = rows ? m : n, length = rows ? n : m;
    double worst = 0;
    int32_t i, j, k;
    for (i = 0; i < count; i++)
        for (j = 0; j <= i; j++) {
            double dot = i == j ? -1 : 0;
            for (k = 0; k < length; k++)
                dot += (double)q[rows ? i * n + k : k * n + i]
                     * (double)q[rows ? j * n + k : k * n + j];
            if (!(fabs(dot) <= worst)) worst = fabs(dot);
        }
    return worst;
}
/* Of a vector: its first number that is not small is positive. */
static int T(upright)(int32_t n, const AREAL *x, int32_t inc)
{
    AREAL most = 0;
    int32_t i;
    for (i = 0; i < n; i++)
        if (fabs((double)x[i * inc]) > (double)most) most = (AREAL)fabs((double)x[i * inc]);
    for (i = 0; i < n; i++)
        if (fabs((double)x[i * inc]) * 100 >= (double)most) return x[i * inc] >= 0;
    return 1;
}
/* Kinds of matrices: random, far from 1, of low rank, zero, graded by columns, of equal values. */
enum { T(KINDS) = 8 };
static void T(of_kind)(int kind, int32_t m, int32_t n, AREAL *a)
{
    const int scale = kind == 1 ? ((double)AEPS < 1e-10 ? -1010 : -120)
                    : kind == 2 ? ((double)AEPS < 1e-10 ? 1015 : 120) : 0;
    int32_t i, j;
    for (i = 0; i < m; i++)
        for (j = 0; j < n; j++) {
            double v = (double)below(2049) / 1024 - 1;
            if (kind == 3) v = (i % 2 + 1) * (j % 3 - 1.0);
            if (kind == 4) v = 0;
            if (kind == 5) v = ldexp(v, -2 * j);
            if (kind == 6) v = i == j ? 3 : 0;
            if (kind == 7) v = i + j + 1 == m ? (double)below(3) - 1 : 0;
            a[i * n + j] = (AREAL)ldexp(v, scale);
        }
}
/* Row and column sums in the terms of the parts: a times w against the parts' product times w. */
static void T(put_together)(const AREAL *a, int32_t m, int32_t k, int32_t n, const AREAL *left,
    const AREAL *diagonal, const AREAL *right, int turned, AREAL *got)
{
    int32_t i, j, l;
    (void)a;
    for (i = 0; i < m; i++)
        for (j = 0; j < n; j++) {
            double sum = 0;
            for (l = 0; l < k; l++)
                sum += (double)left[i * k + l] * (diagonal ? (double)diagonal[l] : 1)
                     * (double)right[turned ? j * k + l : l * n + j];
            got[i * n + j] = (AREAL)sum;
        }
}
static int T(ordered)(int32_t n, const AREAL *w, int down)
{
    int32_t i;
    for (i = 0; i + 1 < n; i++)
        if (!(down ? w[i] >= w[i + 1] : w[i] <= w[i + 1])) return 0;
    return n == 0 || !down || w[n - 1] >= 0;
}
/* The parts of `which` (0: QR, 1: eigh, 2: SVD) of two matrices, as numbers. */
static void T(parts_right)(int which, int kind, int32_t m, int32_t n, const AREAL *a,
    const AREAL *const *part, int line)
{
    static AREAL own[MOST * MOST], got[MOST * MOST];
    const int32_t k = m < n ? m : n;
    const double near = 30 * (double)AEPS * (m + n + 1);
    const AREAL *p = part[0], *q = part[1], *r = part[2];
    int which_one;
    for (which_one = 0; which_one < 2; which_one++, a += m * n) {
        int32_t i, j;
        double off, bent = 0;
        int good = 1;
        memcpy(own, a, (size_t)(m * n) * sizeof *own);
        if (which == 0) {
            T(put_together)(a, m, n, n, p, NULL, q, 0, got);
            bent = T(skew)(m, n, p, 0);
            for (i = 0; i < n; i++) {
                good &= q[i * n + i] >= 0;
                for (j = 0; j < i; j++) good &= q[i * n + j] == 0;
            }
            p += m * n;
            q += n * n;
        } else if (which == 1) {
            for (i = 0; i < n; i++)
                for (j = i + 1; j < n; j++) own[i * n + j] = own[j * n + i];
            T(put_together)(a, n, n, n, q, p, q, 1, got);
            bent = T(skew)(n, n, q, 0);
            good = T(ordered)(n, p, 0);
            for (i = 0; i < n; i++) good &= T(upright)(n, q + i, n);
            p += n;
            q += n * n;
        } else {
            T(put_together)(a, m, k, n, p, q, r, 0, got);
            bent = T(skew)(m, k, p, 0);
            off = T(skew)(k, n, r, 1);
            if (!(off <= bent)) bent = off;
            good = T(ordered)(k, q, 1);
            for (i = 0; i < k; i++) good &= T(upright)(m, p + i, k);
            p += m * k;
            q += k;
            r += k * n;
        }
        off = T(apart)((size_t)(m * n), got, own);
        test_check(off <= near && bent <= near && good, __FILE__, line,
            "%s, kind %d of %d x %d: off by %.3g, not orthonormal by %.3g, order and signs %d",
            which == 0 ? "qr" : which == 1 ? "eigh" : "svd", kind, (int)m, (int)n, off, bent, good);
    }
}
/* On both sides of where columns are halved; constants, variables, and a compiled function that was
   recorded with another kind of matrix. */
static void T(parts)(void)
{
    static const int32_t sizes[][2] = { { 1, 1 }, { 2, 2 }, { 3, 3 }, { 4, 2 }, { 2, 4 }, { 7, 7 },
        { 16, 16 }, { 17, 17 }, { 33, 20 }, { 5, 40 }, { 50, 50 }, { 90, 34 }, { 1, 9 }, { 9, 1 } };
    static AREAL a[2 * MOST * MOST], room[3][2 * MOST * MOST];
    A(tape) *const t = A(tape_create)(NULL);
    size_t s;
    int which, kind, i;
    state = 21;
    for (s = 0; s < COUNT(sizes); s++)
        for (which = 0; which < 3; which++) {
            const int32_t m = sizes[s][0], n = sizes[s][1];
            const int32_t dim[3] = { 2, sizes[s][0], sizes[s][1] };
            A(fn) *f = NULL;
            if ((which == 0 && m < n) || (which == 1 && m != n)) continue;
            for (kind = 0; kind < T(KINDS); kind++) {
                A(array) x, y[3];
                const AREAL *part[3], *in[1];
                AREAL *out[3];
                if (n > 40 && kind > 3) continue;
                T(of_kind)(kind, m, n, a);
                T(of_kind)(kind, m, n, a + m * n);
                A(tape_reset)(t);
                x = kind % 2 ? A(array_input)(t, 3, dim, a) : A(array_const)(t, 3, dim, a);
                CHECK((which == 0 ? A(array_qr)(x, &y[0], &y[1])
                    : which == 1 ? A(array_eigh)(x, &y[0], &y[1])
                                 : A(array_svd)(x, &y[0], &y[1], &y[2])) == AD_OK);
                for (i = 0; i < 2 + (which == 2); i++) part[i] = A(array_values)(y[i]);
                if (which < 2) part[2] = NULL;
                T(parts_right)(which, kind, m, n, a, part, __LINE__);
                if (kind == 1) f = A(fn_create_arrays)(t, 1, &x, which == 2 ? 3 : 2, y, NULL);
                if (!f) continue;
                in[0] = a;
                for (i = 0; i < 3; i++) part[i] = out[i] = room[i];
                CHECK_STATUS(A(fn_run)(f, in, out), AD_OK);
                T(parts_right)(which, kind, m, n, a, part, __LINE__);
            }
            A(fn_destroy)(f);
        }
    A(tape_destroy)(t);
}
/* What is known in closed form, and what has no elements. */
static void T(known_parts)(void)
{
    static const AREAL tall[6] = { 3, 1, 0, 2, 4, 7 }, flip[4] = { 0, 2, 2, 0 };
    static const int32_t d32[2] = { 3, 2 }, d22[2] = { 2, 2 }, d00[2] = { 0, 0 }, d30[2] = { 3, 0 };
    static const int32_t d03[2] = { 0, 3 }, d023[3] = { 0, 2, 3 };
    const double pi = acos(-1.0);
    A(tape) *const t = A(tape_create)(NULL);
    A(array) x, q, r, s;
    AREAL a[20 * 20];
    int32_t dim[2], n, i, j;
    x = A(array_const)(t, 2, d32, tall);
    CHECK(A(array_qr)(x, &q, &r) == AD_OK);
    CHECK(q.rank == 2 && q.dim[0] == 3 && q.dim[1] == 2 && r.rank == 2 && r.dim[0] == 2);
    CHECK_NEAR(A(array_values)(r)[0], 5, 4 * AEPS);
    CHECK_NEAR(A(array_values)(r)[1], 31.0 / 5, 4 * AEPS);
    CHECK_NEAR(A(array_values)(q)[0], 0.6, 4 * AEPS);
    CHECK_NEAR(A(array_values)(q)[4], 0.8, 4 * AEPS);
    CHECK(A(array_eigh)(A(array_const)(t, 2, d22, flip), &q, &r) == AD_OK);
    CHECK_NEAR(A(array_values)(q)[0], -2, 4 * AEPS);
    CHECK_NEAR(A(array_values)(q)[1], 2, 4 * AEPS);
    CHECK_NEAR(A(array_values)(r)[0], sqrt(0.5), 4 * AEPS);
    CHECK_NEAR(A(array_values)(r)[2], -sqrt(0.5), 4 * AEPS);
    CHECK(A(array_svd)(A(array_const)(t, 2, d22, flip), NULL, &s, NULL) == AD_OK);
    CHECK_NEAR(A(array_values)(s)[0], 2, 4 * AEPS);
    CHECK_NEAR(A(array_values)(s)[1], 2, 4 * AEPS);
    for (n = 2; n <= 20; n += 3) {               /* second differences: sines */
        dim[0] = dim[1] = n;
        for (i = 0; i < n; i++)
            for (j = 0; j < n; j++) a[i * n + j] = (AREAL)(i == j ? 2 : abs(i - j) == 1 ? -1 : 0);
        CHECK(A(array_eigh)(A(array_const)(t, 2, dim, a), &q, &r) == AD_OK);
        for (i = 0; i < n; i++) {
            CHECK_NEAR(A(array_values)(q)[i], 2 - 2 * cos((i + 1) * pi / (n + 1)), 40 * AEPS);
            for (j = 0; j < n; j++)
                CHECK_NEAR(A(array_values)(r)[j * n + i],
                    sqrt(2.0 / (n + 1)) * sin((i + 1) * (j + 1) * pi / (n + 1)), 400 * AEPS);
        }
        /* small values to their own digits: [1 1; 0 d], and columns of very different lengths */
        a[0] = a[1] = 1;
        a[2] = 0;
        a[3] = (AREAL)ldexp(1, -4 * n);
        CHECK(A(array_svd)(A(array_const)(t, 2, d22, a), NULL, &s, NULL) == AD_OK);
        CHECK_NEAR(A(array_values)(s)[0], sqrt(2.0), n > 5 ? 4 * (double)AEPS : 0.01);
        if (n < 15 || (double)AEPS < 1e-10)        /* of floats, 2^-60 of the greatest are left */
            CHECK_NEAR((double)A(array_values)(s)[1] * ldexp(sqrt(2.0), 4 * n), 1,
                n > 5 ? 8 * (double)AEPS : 0.01);
    }
    for (n = 5; n <= 20; n += 5) {               /* values over the whole range of numbers */
        const double range = sizeof(AREAL) == 8 ? 300 : 34;
        double worst = 0;
        dim[0] = dim[1] = n;
        for (i = 0; i < n; i++)
            for (j = 0; j < n; j++)
                a[i * n + j] = (AREAL)(abs(i - j) > 1 ? 0 : pow(10, -range * (i > j ? i : j) / n));
        CHECK(A(array_eigh)(A(array_const)(t, 2, dim, a), &q, &r) == AD_OK);
        for (i = 0; i < n && q.rank == 1; i++)
            for (j = 0; j < n; j++) {
                double rest = 0;
                int32_t k;
                for (k = 0; k < n; k++)
                    rest += (double)a[j * n + k] * (double)A(array_values)(r)[k * n + i];
                rest -= (double)A(array_values)(q)[i] * (double)A(array_values)(r)[j * n + i];
                if (!(fabs(rest) <= worst)) worst = fabs(rest);
                CHECK(i == 0 || A(array_values)(q)[i] >= A(array_values)(q)[i - 1]);
            }
        CHECK(worst < 10 * (double)AEPS);
    }
    {   /* pivots without a reciprocal: [1 1; 1 1.001] x = (1, 2) in the least units; a triangle */
        const AREAL unit = (AREAL)ldexp(1, sizeof(AREAL) == 8 ? -1014 : -118);
        const AREAL tiny = (AREAL)(sizeof(AREAL) == 8 ? 1e-310 : 1e-40);
        const int32_t d21[2] = { 2, 1 };
        const double second = (double)(AREAL)1.001 - 1;
        AREAL b[4], m[4];
        int way;
        a[0] = a[1] = a[2] = b[0] = unit;
        a[3] = (AREAL)1.001 * unit;
        b[1] = 2 * unit;
        m[0] = 2 * tiny;
        m[1] = 0;
        m[2] = tiny;
        m[3] = 3 * tiny;
        b[2] = 4 * tiny;
        b[3] = 8 * tiny;
        for (way = 0; way < 4; way++) {
            x = A(array_const)(t, 2, d22, way < 2 ? a : m);
            s = A(array_const)(t, 2, d21, way < 2 ? b : b + 2);
            s = way == 1 ? A(array_lstsq)(x, s)
                : way == 3 ? A(array_triangular_solve)(x, s, AD_LOWER, 0) : A(array_solve)(x, s);
            CHECK_NEAR((double)A(array_values)(s)[0] / (way < 2 ? 1 - 1 / second : 2), 1, 1e-2);
            CHECK_NEAR((double)A(array_values)(s)[1] / (way < 2 ? 1 / second : 2), 1, 1e-2);
        }
    }
    /* nothing to be decomposed */
    CHECK(A(array_qr)(A(array_input)(t, 2, d30, NULL), &q, &r) == AD_OK);
    CHECK(q.rank == 2 && q.dim[0] == 3 && q.dim[1] == 0 && r.dim[0] == 0 && r.dim[1] == 0);
    CHECK(A(array_eigh)(A(array_input)(t, 2, d00, NULL), &q, &r) == AD_OK);
    CHECK(q.rank == 1 && q.dim[0] == 0 && r.rank == 2 && r.dim[1] == 0);
    CHECK(A(array_svd)(A(array_input)(t, 2, d03, NULL), &q, &s, &r) == AD_OK);
    CHECK(q.dim[0] == 0 && q.dim[1] == 0 && s.dim[0] == 0 && r.dim[0] == 0 && r.dim[1] == 3);
    CHECK(A(array_svd)(A(array_const)(t, 3, d023, NULL), &q, &s, &r) == AD_OK);
    CHECK(q.rank == 3 && q.dim[0] == 0 && q.dim[2] == 2 && s.dim[1] == 2 && r.dim[2] == 3);
    r = A(array_lstsq)(A(array_input)(t, 2, d30, NULL), A(array_const)(t, 2, d32, tall));
    CHECK(r.rank == 2 && r.dim[0] == 0 && r.dim[1] == 2);
    CHECK(A(tape_status)(t) == AD_OK);
    A(tape_destroy)(t);
}

/* ---- derivatives of sums over all parts, linear and square terms with weights */

static A(array) T(weighed)(A(tape) *t, A(array) part)
{
    AREAL w[2][400];
    const size_t n = A(array_size)(part);
    size_t e;
    A(array) y[2];
    for (e = 0; e < n && e < 400; e++) {
        w[0][e] = (AREAL)((double)((e * 5 + 2) % 7) - 3) / 4;
        w[1][e] = (AREAL)((double)((e * 3 + n) % 11) - 4) / 8;
    }
    y[0] = A(array_mul)(part, A(array_const)(t, part.rank, part.dim, w[0]));
    y[1] = A(array_mul)(A(array_square)(part), A(array_const)(t, part.rank, part.dim, w[1]));
    return A(array_sum)(A(array_add)(y[0], y[1]), AD_ALL_AXES, 0);
}
static const struct { int which; int32_t batch, m, n; } T(of)[] = {
    { 0, 1, 5, 3 }, { 0, 2, 3, 3 }, { 0, 1, 1, 1 }, { 0, 1, 20, 18 }, { 1, 1, 4, 4 },
    { 1, 2, 3, 3 },
    { 1, 1, 1, 1 }, { 1, 1, 2, 2 }, { 2, 1, 4, 4 }, { 2, 1, 5, 3 }, { 2, 1, 3, 5 }, { 2, 2, 3, 2 },
    { 2, 1, 1, 3 }, { 2, 1, 1, 1 }, { 3, 1, 5, 5 }, { 3, 2, 4, 6 }, { 3, 1, 1, 3 } };
static A(array) T(sum_of_parts)(A(tape) *t, size_t test, A(array) x)
{
    A(array) p, q, r;
    switch (T(of)[test].which) {
    case 0:
        A(array_qr)(x, &p, &q);
        return A(array_add)(T(weighed)(t, p), T(weighed)(t, q));
    case 1:
        A(array_eigh)(A(array_add)(x, A(array_transpose)(x)), &p, &q);
        return A(array_add)(T(weighed)(t, p), T(weighed)(t, q));
    case 2:
        A(array_svd)(x, &p, &q, &r);
        return A(array_add)(A(array_add)(T(weighed)(t, p), T(weighed)(t, q)), T(weighed)(t, r));
    default:                                     /* the last two columns are B */
        return T(weighed)(t, A(array_lstsq)(A(array_slice)(x, -1, 0, -2, 1),
            A(array_slice)(x, -1, -2, AD_END, 1)));
    }
}
/* Value and gradient at x + h v. */
static double T(slopes)(A(tape) *t, size_t test, const int32_t *dim, size_t n, const AREAL *x,
    double h, const AREAL *v, AREAL *g)
{
    static AREAL at[400];
    A(array) y, p;
    size_t e;
    for (e = 0; e < n; e++) at[e] = (AREAL)((double)x[e] + h * (double)v[e]);
    A(tape_reset)(t);
    p = A(array_input)(t, 3, dim, at);
    y = T(sum_of_parts)(t, test, p);
    memset(g, 0, n * sizeof *g);
    test_check(A(backward)(A(array_item)(y)) == AD_OK, __FILE__, __LINE__, "case %zu: %s", test,
        A(tape_message)(t));
    if (A(tape_status)(t) == AD_OK) memcpy(g, A(array_adjoints)(p), n * sizeof *g);
    return (double)A(array_item)(y).v;
}
/* Adjoints against differences; recorded gradients, tangents, second derivatives of two kinds and
   compiled functions against them. Floats against doubles. */
static void T(slopes_of_parts)(void)
{
    static AREAL x[400], v[400], g[400], hv[400], up[400], down[400], one[400], got[3][400];
    static double d[400];
    static A(var) vars[400];
    const double near = (double)AEPS < 1e-10 ? 2e-8 : 5e-3;
    const int bits = (double)AEPS < 1e-10;
    A(tape) *const t = A(tape_create)(NULL);
    size_t test, e, k;
    state = 31;
    for (test = 0; test < COUNT(T(of)); test++) {
        const int32_t m = T(of)[test].m, n = T(of)[test].n;
        const int32_t dim[3] = { T(of)[test].batch, T(of)[test].m, T(of)[test].n };
        const size_t size = (size_t)(dim[0] * m * n);
        A(array) a, y, r, s;
        A(fn) *f, *gradient, *twice;
        const AREAL *in[2], *dot[1];
        AREAL *out[4], value, slope;
        double sum = 0, want;
        for (e = 0; e < size; e++) {
            const int32_t i = (int32_t)e / n % m, j = (int32_t)e % n;
            x[e] = (AREAL)((double)below(65) / 256 - 0.125 + (i == j ? 1 + (i * 7 % m) * 0.75 : 0));
            v[e] = (AREAL)((double)(e * 7 % 5) - 2) / 4;
        }
        want = T(slopes)(t, test, dim, size, x, 0, v, g);
        CHECK(want == want);
        if (bits)
            for (e = 0; e < size; e++) {
                memset(one, 0, sizeof one);
                one[e] = 1;
                for (d[e] = 0, k = 0; k < 2; k++) {
                    const double h = k ? 5e-4 : 1e-3;
                    d[e] += (k ? 4.0 : -1.0) / 3 / (2 * h)
                        * (T(slopes)(t, test, dim, size, x, h, one, up)
                           - T(slopes)(t, test, dim, size, x, -h, one, up));
                }
            }
        for (e = 0; e < size; e++) {
            if (bits) CHECK_NEAR(g[e], d[e], near);
            else CHECK_NEAR(g[e], known_slope[test][e], near);
            if (bits) known_slope[test][e] = (double)g[e];
            sum += (double)(g[e] * v[e]);
        }
        if (bits)
            for (memset(d, 0, sizeof d), k = 0; k < 2; k++) {
                const double h = k ? 5e-4 : 1e-3;
                T(slopes)(t, test, dim, size, x, h, v, up);
                T(slopes)(t, test, dim, size, x, -h, v, down);
                for (e = 0; e < size; e++)
                    d[e] += (k ? 4.0 : -1.0) / 3 * (double)(up[e] - down[e]) / (2 * h);
            }
        A(tape_reset)(t);
        a = A(array_input)(t, 3, dim, x);
        y = T(sum_of_parts)(t, test, a);
        dot[0] = v;
        CHECK_STATUS(A(array_forward)(t, 1, &a, dot), AD_OK);
        CHECK_NEAR(A(array_tangents)(y)[0], sum, near);
        for (e = 0; e < size; e++) vars[e] = A(array_at)(a, e);
        CHECK_STATUS(A(array_grad)(A(array_item)(y), 1, &a, &r), AD_OK);
        CHECK(T(apart)(size, A(array_values)(r), g) < 1000 * (double)AEPS);
        s = A(array_sum)(A(array_mul)(r, A(array_const)(t, 3, dim, v)), AD_ALL_AXES, 0);
        CHECK_STATUS(A(array_backward)(s, NULL), AD_OK);
        memcpy(hv, A(array_adjoints)(a), size * sizeof *hv);
        for (e = 0; e < size; e++) {
            if (bits) CHECK_NEAR(hv[e], d[e], 20 * near);
            else CHECK_NEAR(hv[e], known_bend[test][e], 2 * near);
            if (bits) known_bend[test][e] = (double)hv[e];
        }
        CHECK_STATUS(A(forward_over_reverse)(A(array_item)(y), size, vars, v), AD_OK);
        for (e = 0; e < size; e++) one[e] = A(adjoint_tangent)(vars[e]);
        CHECK(T(apart)(size, one, hv) < 4000 * (double)AEPS);
        /* compiled: the value and its gradient, and both as v moves them */
        f = A(fn_create_arrays)(t, 1, &a, 1, &y, NULL);
        gradient = A(fn_gradient)(f);
        twice = A(fn_jvp)(gradient);
        in[0] = x;
        in[1] = v;
        out[0] = &value;
        out[1] = got[0];
        out[2] = &slope;
        out[3] = got[1];
        CHECK_STATUS(A(fn_run)(twice, in, out), AD_OK);
        CHECK_NEAR(value, want, 100 * (double)AEPS);
        CHECK_NEAR(slope, sum, near);
        CHECK(T(apart)(size, got[0], g) < 1000 * (double)AEPS);
        CHECK(T(apart)(size, got[1], hv) < 4000 * (double)AEPS);
        A(fn_destroy)(f);
        A(fn_destroy)(gradient);
        A(fn_destroy)(twice);
    }
    A(tape_destroy)(t);
}

/* Equal values and zeros: what does not depend on the choice of vectors has its derivative. */
static void T(equal_values)(void)
{
    enum { N = 6 };
    static const int32_t dim[2] = { N, N }, tall[2] = { N, 3 };
    const double near = 400 * (double)AEPS;
    A(tape) *const t = A(tape_create)(NULL);
    A(array) x, w, v, u, y, q, low;
    AREAL a[N * N], b[N * N], h[N * N], c[N * N];
    const AREAL *got;
    int way, i, j, k;
    state = 41;
    for (way = 0; way < 4; way++) {
        /* A = H diag(1, 1, 1, 3, 3, 4) H, H a reflection; or I, or 0 */
        AREAL value[N] = { 1, 1, 1, 3, 3, 4 };
        double r[N], norm = 0;
        for (i = 0; i < N; i++) {
            r[i] = (double)below(200) / 100 - 1;
            norm += r[i] * r[i];
            if (way > 1) value[i] = way == 2;
        }
        for (i = 0; i < N; i++)
            for (j = 0; j < N; j++) {
                h[i * N + j] = (AREAL)((i == j) - 2 * r[i] * r[j] / norm);
                c[i * N + j] = (AREAL)((double)below(200) / 100 - 1);
                if (way > 1) h[i * N + j] = i == j;
            }
        for (i = 0; i < N; i++)
            for (j = 0; j < N; j++) {
                double sum = 0, cube = 0;
                for (k = 0; k < N; k++) {
                    const double p = (double)(h[i * N + k] * h[j * N + k]);
                    sum += p * (double)value[k];
                    cube += p * 3 * (double)(value[k] * value[k]);
                }
                a[i * N + j] = (AREAL)sum;
                b[i * N + j] = (AREAL)cube;
            }
        for (i = 0; i < N; i++)
            for (j = 0; j < i; j++) a[j * N + i] = a[i * N + j];
        /* the trace of A^3: 3 A^2 */
        x = A(array_input)(t, 2, dim, a);
        CHECK(A(array_eigh)(x, &w, &v) == AD_OK);
        y = A(array_sum)(A(array_mul)(w, A(array_square)(w)), AD_ALL_AXES, 0);
        CHECK_STATUS(A(array_backward)(y, NULL), AD_OK);
        CHECK(T(apart)(N * N, A(array_adjoints)(x), b) < near);
        /* the sum of singular values: U V^T, here the sign of A */
        if (way < 3) {
            CHECK(A(array_svd)(x, &u, &w, &v) == AD_OK);
            y = A(array_add)(A(array_sum)(w, AD_ALL_AXES, 0), A(array_sum)(A(array_mul)(
                A(array_matmul_t)(u, 0, u, 1), A(array_const)(t, 2, dim, c)), AD_ALL_AXES, 0));
            CHECK_STATUS(A(array_backward)(y, NULL), AD_OK);
            for (i = 0; i < N * N; i++)
                CHECK_NEAR(A(array_adjoints)(x)[i], i % (N + 1) == 0, near);
        }
        /* the projector on the three least, P: <C, P> moves as P does */
        if (way < 2) {
            static double d[N * N];
            for (k = 0; k < ((double)AEPS < 1e-10 ? N * N : 1); k++) {
                double up[2];
                int side;
                for (side = 0; side < 2; side++) {
                    const AREAL step = (AREAL)(side ? -1e-4 : 1e-4);
                    memcpy(b, a, sizeof b);
                    b[k] += step / 2;
                    b[k % N * N + k / N] += step / 2;
                    A(array_eigh)(A(array_const)(t, 2, dim, b), &w, &v);
                    low = A(array_slice)(v, 1, 0, 3, 1);
                    up[side] = (double)A(array_values)(A(array_sum)(A(array_mul)(A(array_matmul_t)(
                        low, 0, low, 1), A(array_const)(t, 2, dim, c)), AD_ALL_AXES, 0))[0];
                }
                d[k] = (up[0] - up[1]) / 2e-4;
            }
            CHECK(A(array_eigh)(x, &w, &v) == AD_OK);
            low = A(array_slice)(v, 1, 0, 3, 1);
            y = A(array_sum)(A(array_mul)(A(array_matmul_t)(low, 0, low, 1),
                A(array_const)(t, 2, dim, c)), AD_ALL_AXES, 0);
            CHECK_STATUS(A(array_backward)(y, NULL), AD_OK);
            got = A(array_adjoints)(x);
            for (k = 0; k < N * N && (double)AEPS < 1e-10; k++) CHECK_NEAR(got[k], d[k], 1e-6);
            for (i = 0; i < N; i++)
                for (j = 0; j < i; j++) CHECK_NEAR(got[i * N + j], got[j * N + i], 0);
        }
        A(tape_reset)(t);
    }
    /* of low rank, and zero: the square norm's derivative is 2 A; nothing is NaN by any part */
    for (way = 0; way < 4; way++) {
        for (i = 0; i < N * 3; i++)
            a[i] = (AREAL)(way < 2 ? (i / 3 - 2.0) * (i % 3 + 1) + (way && i % 3 == 2 ? i : 0)
                         : way == 2 ? 0 : i == 4);
        x = A(array_input)(t, 2, tall, a);
        CHECK(A(array_svd)(x, &u, &w, &v) == AD_OK);
        y = A(array_sum)(A(array_square)(w), AD_ALL_AXES, 0);
        CHECK_STATUS(A(array_backward)(y, NULL), AD_OK);
        for (i = 0; i < N * 3; i++) CHECK_NEAR(A(array_adjoints)(x)[i], 2 * a[i], near);
        y = A(array_add)(T(weighed)(t, w), A(array_add)(T(weighed)(t, u), T(weighed)(t, v)));
        CHECK_STATUS(A(array_grad)(A(array_item)(y), 1, &x, &q), AD_OK);
        CHECK_STATUS(A(array_backward)(T(weighed)(t, q), NULL), AD_OK);
        for (i = 0; i < N * 3; i++)
            CHECK(A(array_values)(q)[i] - A(array_values)(q)[i] == 0
                && A(array_adjoints)(x)[i] - A(array_adjoints)(x)[i] == 0);
        /* a QR of dependent columns has a value; its derivative is no solution by R */
        CHECK(A(array_qr)(x, &q, &u) == AD_OK);
        A(array_backward)(A(array_sum)(u, AD_ALL_AXES, 0), NULL);
        CHECK(A(tape_status)(t) == AD_ERR_ARGUMENT || (way < 2 && A(tape_status)(t) == AD_OK));
        A(tape_clear_status)(t);
        T(fails)(t, A(array_lstsq)(x, x), AD_ERR_ARGUMENT, way < 2 ? "ad_array_lstsq: column 1 "
            "depends on those before it" : "ad_array_lstsq: column 0 depends", __LINE__);
        A(tape_reset)(t);
    }
    A(tape_destroy)(t);
}

/* Solutions against those of the normal equations; a square system; batches; what is refused. */
static void T(least_squares)(void)
{
    static const int32_t da[3] = { 2, 7, 3 }, db[2] = { 7, 2 }, d33[2] = { 3, 3 };
    static const int32_t d23[2] = { 2, 3 };
    static const int32_t d7 = 7, d34[2] = { 3, 4 }, d373[3] = { 3, 7, 3 };
    static AREAL v[200];
    A(tape) *const t = A(tape_create)(NULL), *const second = A(tape_create)(NULL);
    A(array) a, b, x, y, g[2], want[2], none;
    size_t e;
    int way;
    state = 51;
    memset(&none, 0, sizeof none);
    for (e = 0; e < 200; e++) v[e] = (AREAL)((double)below(2001) / 1000 - 1);
    a = A(array_input)(t, 3, da, v);
    b = A(array_input)(t, 2, db, v + 50);
    for (way = 0; way < 2; way++) {
        x = way ? A(array_lstsq)(a, b) : A(array_solve)(A(array_matmul_t)(a, 1, a, 0),
            A(array_matmul_t)(a, 1, b, 0));
        CHECK(x.rank == 3 && x.dim[0] == 2 && x.dim[1] == 3 && x.dim[2] == 2);
        y = T(weighed)(t, x);
        x = way ? y : x;
        CHECK(A(array_grad)(A(array_item)(y), 1, &a, &g[0]) == AD_OK);
        CHECK(A(array_grad)(A(array_item)(y), 1, &b, &g[1]) == AD_OK);
        if (!way) want[0] = g[0], want[1] = g[1], none = y;
    }
    CHECK_NEAR(A(array_item)(y).v, A(array_item)(none).v, 500 * (double)AEPS);
    for (way = 0; way < 2; way++)
        CHECK(T(apart)(A(array_size)(g[way]), A(array_values)(g[way]), A(array_values)(want[way]))
              < 2000 * (double)AEPS);
    memset(&none, 0, sizeof none);
    x = A(array_lstsq)(A(array_const)(t, 2, d33, v), A(array_const)(t, 2, d34, v + 9));
    y = A(array_solve)(A(array_const)(t, 2, d33, v), A(array_const)(t, 2, d34, v + 9));
    CHECK(T(apart)(12, A(array_values)(x), A(array_values)(y)) < 1000 * (double)AEPS);
    CHECK(A(tape_status)(t) == AD_OK);

    T(fails)(t, A(array_lstsq)(a, A(array_input)(t, 2, d33, v)), AD_ERR_SHAPE,
        "ad_array_lstsq: [2, 7, 3] and [3, 3]: they do not fit", __LINE__);
    T(fails)(t, A(array_lstsq)(a, A(array_input)(t, 1, &d7, v)), AD_ERR_SHAPE, "do not fit",
        __LINE__);
    T(fails)(t, A(array_lstsq)(a, A(array_input)(t, 3, d373, v)), AD_ERR_SHAPE, "batches",
        __LINE__);
    T(fails)(t, A(array_lstsq)(A(array_input)(t, 2, d23, v), A(array_input)(t, 2, d23, v)),
        AD_ERR_SHAPE, "ad_array_lstsq: [2, 3]: more columns than rows", __LINE__);
    T(fails)(t, A(array_lstsq)(a, A(array_input)(second, 2, db, v)), AD_ERR_MIXED, "two tapes",
        __LINE__);
    T(fails)(t, A(array_lstsq)(a, none), AD_ERR_ARGUMENT, "without a tape", __LINE__);
    for (way = 0; way < 6; way++) {              /* NaN or infinity, read or not; wrong shapes */
        A(array) p, q, r;
        AREAL bad[9];
        memcpy(bad, v, sizeof bad);
        bad[way == 5 ? 1 : 3] = way % 2 ? (AREAL)INFINITY : (AREAL)NAN;
        x = A(array_input)(t, 2, d33, bad);
        p = q = r = x;
        if (way < 2) {
            CHECK(A(array_qr)(x, &p, &q) == AD_ERR_ARGUMENT && q.rank == -1);
            T(fails)(t, p, AD_ERR_ARGUMENT, "ad_array_qr: NaN or infinity", __LINE__);
        } else if (way < 4) {
            CHECK(A(array_svd)(x, &p, &q, &r) == AD_ERR_ARGUMENT && q.rank == -1 && r.rank == -1);
            T(fails)(t, p, AD_ERR_ARGUMENT, "ad_array_svd: NaN or infinity", __LINE__);
        } else if (way == 4) {
            CHECK(A(array_eigh)(x, &p, &q) == AD_ERR_ARGUMENT && q.rank == -1);
            T(fails)(t, p, AD_ERR_ARGUMENT, "ad_array_eigh: NaN or infinity", __LINE__);
        } else {
            CHECK(A(array_eigh)(x, &p, &q) == AD_OK && q.rank == 2);      /* above the diagonal */
        }
    }
    {
        A(array) p, q, r;
        x = A(array_input)(t, 2, d23, v);
        CHECK(A(array_qr)(x, &p, &q) == AD_ERR_SHAPE && q.rank == -1);
        T(fails)(t, p, AD_ERR_SHAPE, "ad_array_qr: [2, 3]: more columns than rows", __LINE__);
        CHECK(A(array_eigh)(x, &p, NULL) == AD_ERR_SHAPE);
        T(fails)(t, p, AD_ERR_SHAPE, "ad_array_eigh: [2, 3]: not square", __LINE__);
        CHECK(A(array_svd)(A(array_input)(t, 1, &d7, v), &p, &q, &r) == AD_ERR_SHAPE);
        T(fails)(t, r, AD_ERR_SHAPE, "ad_array_svd: [7]: no matrix", __LINE__);
        CHECK(A(array_svd)(x, NULL, NULL, NULL) == AD_OK);
        CHECK(A(array_qr)(none, &p, &q) == AD_ERR_ARGUMENT && p.rank == -1 && q.rank == -1);
    }
    CHECK(A(tape_status)(t) == AD_OK);
    {                                            /* compiled: a status, NaN, and good again */
        A(array) p, q;
        AREAL good[9], out_p[9], out_q[9], *out[2];
        const AREAL *in[1];
        A(fn) *f;
        memcpy(good, v, sizeof good);
        x = A(array_input)(t, 2, d33, good);
        CHECK(A(array_qr)(x, &p, &q) == AD_OK);
        y = A(array_lstsq)(x, A(array_add_r)(x, 1));
        g[0] = y;
        g[1] = q;
        f = A(fn_create_arrays)(t, 1, &x, 2, g, NULL);
        in[0] = good;
        out[0] = out_p;
        out[1] = out_q;
        CHECK_STATUS(A(fn_run)(f, in, out), AD_OK);
        CHECK(T(apart)(9, out_p, A(array_values)(y)) == 0);
        for (e = 0; e < 9; e++) good[e] = (AREAL)(e / 3);
        CHECK_STATUS(A(fn_run)(f, in, out), AD_ERR_ARGUMENT);
        CHECK(out_p[4] != out_p[4] && out_q[4] != out_q[4]);
        memcpy(good, v, sizeof good);
        CHECK_STATUS(A(fn_run)(f, in, out), AD_OK);
        CHECK(T(apart)(9, out_p, A(array_values)(y)) == 0);
        A(fn_destroy)(f);
    }
    A(tape_destroy)(t);
    A(tape_destroy)(second);
}
#endif
