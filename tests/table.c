/* The rule table as mathematics: every row's value and partials, read in long double from the text
   of the header, against the references of rows.h; the lists against sums of their own. Needs that
   section alone:
   tests/check_mutants.sh compiles it with a copy of that section for every row, spoilt on purpose.
   ROW_TABLE: the file to read instead of autodiff.h. */
#include <float.h>
#include <stdio.h>

#ifndef ROW_TABLE
#define ROW_TABLE "../autodiff.h"
#endif
#include ROW_TABLE
#include "rows.h"

static int compared, failed;

/* Where long double is wider than double, the constants' digits beyond the 17th are looked at. */
static void same(const char *name, const char *what, const double *x, long double got,
    long double want)
{
    const long double tolerance = 128 * LDBL_EPSILON > 2e-17L ? 128 * LDBL_EPSILON : 2e-17L;
    compared++;
    if (fabsl(got - want) <= tolerance * (1 + fabsl(want))) return;
    failed++;
    fprintf(stderr, "rule %s at (%.9g, %.9g, %.9g), %s: %.19Lg, not %.19Lg\n", name, x[0], x[1],
        x[2], what, got, want);
}

static void missing(const char *name, const char *what)
{
    fprintf(stderr, "rule %s has no %s\n", name, what);
    failed++;
}

static void look_at_row(const row_text *t)
{
    static const char *const what[] = { "value", "d/dx", "d/dy", "d/dz" };
    const row_facts *const r = row_of(t->name);
    long double a[3], got[4], want[4];
    double x[3] = { 0, 0, 0 };
    const int before = compared;
    int i, k;
    if (!r || r->operands != t->operands) {
        missing(t->name, "reference");
        return;
    }
    for (i = 0; row_point(r, i, x); i++) {
        for (k = 0; k < 3; k++) a[k] = (long double)x[k];
        r->truth(a, want);
        t->says(a, got);
        for (k = 0; k <= (i < ROW_SMOOTH ? r->operands : 0); k++)
            same(t->name, what[k], x, got[k], want[k]);
    }
    if (compared - before < ROW_SMOOTH * (1 + r->operands)) missing(t->name, "points");
}

/* The partials of the lists, for operand j of x[N]: y is its partner, c its constant. */
enum { N = 5 };
typedef struct list {
    const char *name;
    long double (*partial)(int j, const long double *x_, const long double *y_,
        const long double *c_, long double r);
} list;
#define XN(name, says)                                                                             \
static long double list_##name(int j, const long double *x_, const long double *y_,                \
    const long double *c_, long double r)                                                          \
{                                                                                                  \
    const long double x = x_[j], y = y_[j], c = c_[j], count = N, *const k_ = c_;                  \
    const size_t n = N, d = 1;                                                                     \
    (void)x; (void)y; (void)c; (void)r; (void)n; (void)k_; (void)d; (void)count;                   \
    return says;                                                                                   \
}
ADI_READ((ADI_SKIP1, ADI_SKIP2, ADI_SKIP3, XN, ADI_WORDS(ROW_WORD)))
#undef XN
static const list lists[] = {
#define XN(name, says) { #name, list_##name },
    ADI_READ((ADI_SKIP1, ADI_SKIP2, ADI_SKIP3, XN, ADI_WORDS(ADI_WORD_TEXT)))
#undef XN
};

static void look_at_list(const list *l)
{
    static const double at[N] = { 0.5, -1.25, 2, 0.75, -0.3125 };
    static const long double y[N] = { 1.5L, 0.625L, -2, 0.25L, 3 },
        c[N] = { 0.25L, -1.5L, 3, 0.125L, -0.5L };
    long double x[N], squares = 0, powers = 0, r = 0, want = 0;
    int i, j, known = 1;
    for (i = 0; i < N; i++) {
        x[i] = (long double)at[i];
        squares += x[i] * x[i];
        powers += expl(x[i]);
    }
    for (j = 0; j < N && known; j++) {
#define IS(n) (strcmp(l->name, #n) == 0)
        if (IS(sum)) want = 1;
        else if (IS(dot)) want = y[j];
        else if (IS(norm)) want = x[j] / (r = sqrtl(squares));
        else if (IS(logsumexp)) want = expl(x[j]) / expl(r = logl(powers));
        else if (IS(logmeanexp))
            want = expl(x[j]) / ((long double)N * expl(r = logl(powers / (long double)N)));
        else if (IS(lincomb) || IS(custom) || IS(expr)) want = c[j];
        else if (IS(polyval)) for (want = 0, i = N - 1; i > 0; i--) want = want * x[j] + i * c[i];
        else known = 0;
#undef IS
        if (known) {
            const double place[3] = { at[j], (double)j, N };
            same(l->name, "partial", place, l->partial(j, x, y, c, r), want);
        }
    }
    if (!known) missing(l->name, "reference");
}

int main(void)
{
    size_t i;
    for (i = 0; i < ROW_COUNT; i++) look_at_row(&row_texts[i]);
    for (i = 0; i < sizeof lists / sizeof lists[0]; i++) look_at_list(&lists[i]);
    printf("%d rows, %d comparisons, %d failed\n",
        (int)(ROW_COUNT + sizeof lists / sizeof lists[0]), compared, failed);
    return failed != 0 || compared < 2000;
}
