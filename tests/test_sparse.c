/* Sparse derivatives: patterns against sets that the tests track while they build random programs,
   values in every format against the dense drivers or coefficients known beforehand, colourings by
   the values that come of them, errors. No test reads a pattern or a colour to make what it
   expects.
   Sections: Common Types; The Tape's Interface; Sparse: Colouring; Sparse Derivatives; Arrays:
   Tangents. */
#include <math.h>
#include <stdlib.h>
#include "test.h"
#include "leaks.h"
#include "starve.h"

#define COUNT(a) (sizeof (a) / sizeof (a)[0])

TEST_DEF void suite_sparse(void);

/* ---------------------------------------------------------------- randomness, memory */

static uint64_t random_state;
static uint64_t rnd(void)                        /* splitmix64 */
{
    uint64_t z = random_state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}
static size_t below(size_t n) { return (size_t)(rnd() % n); }
static double between(double a, double b)
{
    return a + (b - a) * ((double)(rnd() >> 11) / 9007199254740992.0);
}
/* Zeroed; the test program ends where there is none. */
static void *room(size_t count, size_t size)
{
    void *p = calloc(count + 1, size);
    if (!p) exit(99);
    return p;
}
static double *numbers(size_t n) { return (double *)room(n, sizeof(double)); }
static ad_var *variables(size_t n) { return (ad_var *)room(n, sizeof(ad_var)); }
static unsigned char *flags(size_t n) { return (unsigned char *)room(n, 1); }
static size_t *sizes(size_t n) { return (size_t *)room(n, sizeof(size_t)); }

static size_t slots(const ad_tape *t) { return ad_tape_get_stats(t).slots; }

/* ---------------------------------------------------------------- what is expected of a pattern */

/* It is well-formed: 1, else 0. */
static int sound(const ad_pattern *p, size_t rows, size_t columns)
{
    size_t i, k;
    if (p->rows != rows || p->columns != columns || !p->row_start || p->row_start[0] != 0) return 0;
    for (i = 0; i < rows; i++) {
        if (p->row_start[i] > p->row_start[i + 1]) return 0;
        for (k = p->row_start[i]; k < p->row_start[i + 1]; k++) {
            if (p->column[k] >= columns) return 0;
            if (k > p->row_start[i] && p->column[k] <= p->column[k - 1]) return 0;
        }
    }
    return 1;
}
static unsigned char *spread(const ad_pattern *p)
{
    unsigned char *const f = flags(p->rows * p->columns);
    size_t i, k;
    for (i = 0; i < p->rows; i++)
        for (k = p->row_start[i]; k < p->row_start[i + 1]; k++)
            f[i * p->columns + p->column[k]] = 1;
    return f;
}
/* Sound, and exactly (or at least, where exact is 0) these entries. */
static int pattern_is(const ad_pattern *p, size_t rows, size_t columns,
                      const unsigned char *expected, int exact, const char *what, int line)
{
    unsigned char *have;
    size_t k, missing = 0, more = 0, at = 0;
    if (!test_check(sound(p, rows, columns), __FILE__, line, "%s: no sound pattern of %d x %d",
                    what, (int)rows, (int)columns)) return 0;
    have = spread(p);
    for (k = 0; k < rows * columns; k++) {
        if (expected[k] && !have[k]) missing++;
        if (!expected[k] && have[k]) more++;
        if (missing + (exact ? more : 0) == 1 && expected[k] != have[k]) at = k;
    }
    free(have);
    return test_check(missing == 0 && (!exact || more == 0), __FILE__, line,
                      "%s: pattern of %d x %d lacks %d, has %d too many; one is (%d, %d)", what,
                      (int)rows, (int)columns, (int)missing, (int)more,
                      (int)(columns ? at / columns : 0), (int)(columns ? at % columns : 0));
}
static int symmetric(const ad_pattern *p)
{
    unsigned char *const f = spread(p);
    size_t i, j;
    int ok = p->rows == p->columns;
    for (i = 0; i < p->rows && ok; i++)
        for (j = 0; j < i; j++) ok &= f[i * p->columns + j] == f[j * p->columns + i];
    free(f);
    return ok;
}
/* A pattern in memory of the test's own. */
static ad_pattern own_pattern(size_t rows, size_t columns, const unsigned char *f)
{
    ad_pattern p;
    size_t i, j, n = 0;
    memset(&p, 0, sizeof p);
    p.rows = rows;
    p.columns = columns;
    p.row_start = sizes(rows + 1);
    p.column = sizes(rows * columns);
    for (i = 0; i < rows; i++) {
        for (j = 0; j < columns; j++) if (f[i * columns + j]) p.column[n++] = j;
        p.row_start[i + 1] = n;
    }
    return p;
}
static void free_own(ad_pattern *p)
{
    free(p->row_start);
    free(p->column);
}

/* ---------------------------------------------------------------- values in every format */

typedef struct problem {
    ad_tape *t;
    size_t n, m;                  /* variables, outputs */
    const ad_var *x, *y;
    int hessian;
    const double *w;
    const double *dense;          /* what is expected, [m * n], a Hessian [n * n] */
    double tolerance;
    const char *what;
} problem;

static int close_to(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance * (fabs(b) > 1 ? fabs(b) : 1);
}

/* One plan: values against those at the places that this function computes by itself. */
static int one_format(const problem *q, const ad_pattern *p, const ad_sparse_desc *desc,
                      ad_sparse_stats *stats, int line)
{
    const size_t rows = p->rows, columns = p->columns, n = columns;
    ad_sparse *const s = ad_sparse_create(p, desc);
    const ad_sparse_stats st = ad_sparse_get_stats(s);
    const ad_sparse_format format = desc ? desc->format : AD_SPARSE_ROWS;
    const int lower = desc ? desc->lower : 0;
    const size_t leading = desc ? desc->leading : 0;
    size_t values = 0, k, i, j, guard = 5, bad = 0, at = 0;
    double *expected, *have;
    int ok = test_check(ad_sparse_status(s) == AD_OK, __FILE__, line, "%s, format %d: %s", q->what,
                        (int)format, ad_sparse_message(s));
    if (stats) *stats = st;
    if (!ok) {
        ad_sparse_destroy(s);
        return 0;
    }
    expected = numbers(rows * columns * 3 + (rows + columns + 4) * (leading + rows + columns + 4)
                       + (desc ? desc->triplets : 0) + 8);
    switch (format) {
    case AD_SPARSE_ROWS:
        for (i = 0; i < rows; i++)
            for (k = p->row_start[i]; k < p->row_start[i + 1]; k++)
                if (!lower || p->column[k] <= i)
                    expected[values++] = q->dense[i * n + p->column[k]];
        break;
    case AD_SPARSE_COLUMNS: {
        ad_pattern t;
        test_check(ad_pattern_transpose(p, &t) == AD_OK && sound(&t, columns, rows), __FILE__, line,
                   "%s: no transpose", q->what);
        for (j = 0; j < columns; j++)
            for (k = t.row_start[j]; k < t.row_start[j + 1]; k++)
                if (!lower || t.column[k] >= j)
                    expected[values++] = q->dense[t.column[k] * n + j];
        ad_pattern_free(&t);
        break;
    }
    case AD_SPARSE_BAND:
    case AD_SPARSE_DENSE_ROWS:
    case AD_SPARSE_DENSE_COLUMNS: {
        const size_t ld = leading ? leading : format == AD_SPARSE_BAND
            ? desc->below + desc->above + 1 : format == AD_SPARSE_DENSE_ROWS ? columns : rows;
        values = ld * (format == AD_SPARSE_DENSE_ROWS ? rows : columns);
        for (i = 0; i < rows; i++)
            for (k = p->row_start[i]; k < p->row_start[i + 1]; k++) {
                j = p->column[k];
                if (lower && j > i) continue;
                expected[format == AD_SPARSE_BAND ? j * ld + desc->above + i - j
                    : format == AD_SPARSE_DENSE_ROWS ? i * ld + j : j * ld + i]
                    = q->dense[i * n + j];
            }
        break;
    }
    case AD_SPARSE_TRIPLETS:
        values = desc->triplets;
        break;
    }
    ok = test_check(st.values == values && st.rows == rows && st.columns == columns
                    && st.nonzeros == p->row_start[rows] && st.sweeps == (st.colours + 7) / 8,
                    __FILE__, line, "%s, format %d: stats say %d values, not %d", q->what,
                    (int)format, (int)st.values, (int)values);
    if (ok) {
        const size_t before = slots(q->t);
        have = numbers(values + guard);
        for (k = 0; k < values + guard; k++) have[k] = 1e300;
        ok = test_check((q->hessian ? ad_sparse_hessian(s, q->t, q->n, q->x, q->m, q->y, q->w, have)
            : ad_sparse_jacobian(s, q->t, q->n, q->x, q->m, q->y, have)) == AD_OK, __FILE__, line,
                        "%s, format %d: %s", q->what, (int)format, ad_tape_message(q->t));
        test_check(slots(q->t) == before, __FILE__, line, "%s: %d slots became %d", q->what,
                   (int)before, (int)slots(q->t));
        if (format == AD_SPARSE_TRIPLETS) {
            double *const sum = numbers(rows * columns);
            for (k = 0; k < values; k++)
                if (!(fabs(have[k]) < 1e299)) bad++, at = k;
            for (k = 0; k < values; k++) sum[desc->row[k] * n + desc->column[k]] += have[k];
            for (i = 0; i < rows; i++)
                for (j = 0; j < columns; j++)
                    if (!close_to(sum[i * n + j], lower && j > i ? 0 : q->dense[i * n + j],
                                  q->tolerance)) bad++, at = i * n + j;
            free(sum);
        } else {
            for (k = 0; k < values; k++)
                if (!close_to(have[k], expected[k], q->tolerance)) bad++, at = k;
        }
        for (k = values; k < values + guard; k++) if (have[k] != 1e300) bad++, at = k;
        test_check(bad == 0, __FILE__, line, "%s, format %d, lower %d: %d values are wrong, one is"
                   " number %d: %.17g, not %.17g", q->what, (int)format, lower, (int)bad, (int)at,
                   at < values ? have[at] : 0,
                   format == AD_SPARSE_TRIPLETS ? q->dense[at < rows * n ? at : 0] : expected[at]);
        free(have);
    }
    free(expected);
    ad_sparse_destroy(s);
    return ok && bad == 0;
}

/* indirect: by substitution, where errors of one entry come into others */
static int all_formats(const problem *exactly, const ad_pattern *p, int indirect,
                       ad_sparse_stats *stats, int line)
{
    problem nearly = *exactly, *const q = &nearly;
    ad_sparse_desc d;
    size_t i, k, below_ = 0, above_ = 0, nnz = p->row_start[p->rows], extra;
    size_t *row, *column;
    int lower, ok = 1;
    if (indirect) nearly.tolerance = 1e-10;
    for (i = 0; i < p->rows; i++)
        for (k = p->row_start[i]; k < p->row_start[i + 1]; k++) {
            if (i > p->column[k] && i - p->column[k] > below_) below_ = i - p->column[k];
            if (p->column[k] > i && p->column[k] - i > above_) above_ = p->column[k] - i;
        }
    if (!q->hessian) ok &= one_format(q, p, NULL, NULL, line);
    for (lower = 0; lower < 2; lower++) {
        memset(&d, 0, sizeof d);
        d.hessian = q->hessian;
        d.lower = lower;
        d.indirect = indirect;
        ok &= one_format(q, p, &d, lower ? NULL : stats, line);
        d.format = AD_SPARSE_COLUMNS;
        ok &= one_format(q, p, &d, NULL, line);
        d.format = AD_SPARSE_DENSE_ROWS;
        d.leading = below(2) ? p->columns + 1 + below(3) : 0;
        ok &= one_format(q, p, &d, NULL, line);
        d.format = AD_SPARSE_DENSE_COLUMNS;
        d.leading = below(2) ? p->rows + 1 + below(3) : 0;
        ok &= one_format(q, p, &d, NULL, line);
        d.format = AD_SPARSE_BAND;
        d.below = below_;
        d.above = lower ? 0 : above_;
        if (below(2)) {
            d.below += below(3);
            d.above += below(3);
        }
        d.leading = below(2) ? d.below + d.above + 1 + below(3) : 0;
        ok &= one_format(q, p, &d, NULL, line);

        memset(&d, 0, sizeof d);
        d.hessian = q->hessian;
        d.lower = lower;
        d.indirect = indirect;
        d.format = AD_SPARSE_TRIPLETS;
        extra = p->rows && p->columns ? below(nnz + 4) : 0;
        row = sizes(nnz + extra);
        column = sizes(nnz + extra);
        for (i = 0; i < p->rows; i++)
            for (k = p->row_start[i]; k < p->row_start[i + 1]; k++) {
                if (lower && p->column[k] > i && below(2)) continue;
                row[d.triplets] = i;
                column[d.triplets++] = p->column[k];
            }
        for (k = 0; k < extra; k++, d.triplets++)
            if (nnz && below(2)) {                         /* an entry again */
                const size_t q_ = below(d.triplets ? d.triplets : 1);
                row[d.triplets] = row[q_];
                column[d.triplets] = column[q_];
            } else {                                       /* anywhere */
                row[d.triplets] = below(p->rows);
                column[d.triplets] = below(p->columns);
            }
        for (k = d.triplets; k > 1; k--) {                 /* shuffled */
            const size_t o = below(k), r = row[o], c = column[o];
            row[o] = row[k - 1];
            column[o] = column[k - 1];
            row[k - 1] = r;
            column[k - 1] = c;
        }
        d.row = row;
        d.column = column;
        ok &= one_format(q, p, &d, NULL, line);
        free(row);
        free(column);
    }
    return ok;
}

/* The dense matrix of a problem by the drivers. */
static double *dense_of(const problem *q, int reverse)
{
    double *const d = numbers(q->hessian ? q->n * q->n : q->m * q->n);
    if (!q->hessian)
        CHECK_STATUS((reverse ? ad_jacobian_reverse : ad_jacobian_forward)(q->t, q->n, q->x, q->m,
                                                                         q->y, d), AD_OK);
    else {
        const size_t mark = ad_tape_mark(q->t);
        ad_var s = q->w ? ad_var_lincomb(q->m, q->w, q->y) : ad_var_sum(q->m, q->y);
        if (s.tape) CHECK_STATUS(ad_hessian_of(s, q->n, q->x, d), AD_OK);
        ad_tape_rewind(q->t, mark);
    }
    return d;
}
/* The pattern has all dense values that are other than 0; it and the values of all formats are
   right. expected: exactly this pattern; NULL: all there is to know is what is dense. */
static ad_sparse_stats whole(problem *q, const unsigned char *expected, int line)
{
    double *const d = dense_of(q, 0), *other = q->hessian ? NULL : dense_of(q, 1);
    const size_t rows = q->hessian ? q->n : q->m, before = slots(q->t);
    unsigned char *const f = flags(rows * q->n);
    ad_sparse_stats stats;
    ad_pattern p;
    size_t k;
    ad_status s;
    memset(&stats, 0, sizeof stats);
    for (k = 0; k < rows * q->n; k++) f[k] = d[k] != 0;
    q->dense = d;
    s = q->hessian ? ad_hessian_pattern(q->t, q->n, q->x, q->m, q->y, &p)
        : ad_jacobian_pattern(q->t, q->n, q->x, q->m, q->y, &p);
    test_check(s == AD_OK, __FILE__, line, "%s: %s", q->what, ad_tape_message(q->t));
    test_check(slots(q->t) == before, __FILE__, line, "%s: the pattern left slots", q->what);
    if (s == AD_OK && pattern_is(&p, rows, q->n, f, 0, q->what, line)) {
        if (expected) pattern_is(&p, rows, q->n, expected, 1, q->what, line);
        if (q->hessian)
            test_check(symmetric(&p), __FILE__, line, "%s: not symmetric", q->what);
        all_formats(q, &p, 0, &stats, line);
        if (q->hessian) {
            ad_sparse_stats fewer;
            all_formats(q, &p, 1, &fewer, line);
            test_check(fewer.colours <= stats.colours, __FILE__, line,
                       "%s: %d colours by substitution, %d directly", q->what, (int)fewer.colours,
                       (int)stats.colours);
        }
        if (other) {
            q->dense = other;
            one_format(q, &p, NULL, NULL, line);
        }
    }
    ad_pattern_free(&p);
    free(f);
    free(d);
    free(other);
    return stats;
}

/* ---------------------------------------------------------------- random programs of scalars
   The set of inputs behind each variable is a word, tracked here. */
enum { POOL = 400, SPARE_BITS = 4 };
typedef struct program {
    ad_tape *t;
    size_t n;                                    /* in the pool */
    ad_var v[POOL];
    uint64_t dep[POOL];
} program;

static void put(program *g, ad_var v, uint64_t dep)
{
    if (g->n == POOL) return;
    if (!(fabs(v.v) < 4)) v = ad_var_tanh(v);
    g->v[g->n] = v;
    g->dep[g->n++] = dep;
}
/* Mostly what is new, so that programs are deep, or what is near, so that they are sparse. */
static size_t pick(const program *g)
{
    const size_t k = below(4) ? g->n - 1 - below(g->n < 24 ? g->n : 24) : below(g->n);
    return k;
}
static void step(program *g)
{
    const size_t i = pick(g), j = pick(g), k = pick(g);
    const ad_var a = g->v[i], b = g->v[j], c = g->v[k];
    const uint64_t da = g->dep[i], db = g->dep[j], dc = g->dep[k];
    switch (below(38)) {
    case 0: put(g, ad_var_sin(a), da); break;
    case 1: put(g, ad_var_tanh(a), da); break;
    case 2: put(g, ad_var_exp(ad_var_neg(ad_var_square(a))), da); break;
    case 3: put(g, ad_var_add_r(a, between(-1, 1)), da); break;
    case 4: put(g, ad_var_mul_r(a, between(0.5, 1)), da); break;
    case 5: put(g, ad_var_sub_from_r(between(-1, 1), a), da); break;
    case 6: put(g, ad_var_add(a, b), da | db); break;
    case 7: put(g, ad_var_sub(a, b), da | db); break;
    case 8: put(g, ad_var_mul(a, b), da | db); break;
    case 9: put(g, ad_var_div(a, ad_var_add_r(ad_var_square(b), 2)), da | db); break;
    case 10: put(g, ad_var_min(a, b), da | db); break;
    case 11: put(g, ad_var_max(a, b), da | db); break;
    case 12: put(g, ad_var_hypot(a, b), da | db); break;
    case 13: put(g, ad_var_atan2(a, b), da | db); break;
    case 14: put(g, ad_var_ipow_r(a, 3), da); break;
    case 15: put(g, ad_var_fma(a, b, c), da | db | dc); break;
    case 16: put(g, ad_var_select(ad_var_lt(a, b), b, c), db | dc); break;
    case 17: put(g, ad_var_clamp(a, b, c), da | db | dc); break;
    case 18: put(g, ad_var_floor(a), 0); break;
    case 19: put(g, ad_var_mul(ad_var_sign(a), b), db); break;
    case 20: put(g, ad_var_add(ad_var_gt(a, b), c), dc); break;
    case 21: put(g, ad_var_copysign(a, b), da); break;
    case 22: put(g, ad_detach(a), 0); break;
    case 23: put(g, ad_const(between(-1, 1)), 0); break;
    case 24: case 25: case 26: case 27: case 28: {       /* lists */
        ad_var x[7], y[7];
        double c_[7];
        uint64_t dx = 0, dy = 0;
        const size_t n = 1 + below(6);
        size_t q;
        for (q = 0; q < n; q++) {
            const size_t u = pick(g), w = pick(g);
            x[q] = g->v[u];
            y[q] = g->v[w];
            dx |= g->dep[u];
            dy |= g->dep[w];
            c_[q] = between(0.5, 1.5);
        }
        switch (below(6)) {
        case 0: put(g, ad_var_sum(n, x), dx); break;
        case 1: put(g, ad_var_dot(n, x, y), dx | dy); break;
        case 2: put(g, ad_var_lincomb(n, c_, x), dx); break;
        case 3: put(g, ad_var_norm(n, x), dx); break;
        case 4: put(g, ad_var_logsumexp(n, x), dx); break;
        default: put(g, ad_var_custom(g->t, n, x, 0.5, c_), dx); break;
        }
        break;
    }
    case 29: {
        double c_[4];
        size_t q;
        for (q = 0; q < 4; q++) c_[q] = between(0.5, 1);
        put(g, ad_var_polyval(4, c_, a), da);
        break;
    }
    case 30: put(g, ad_var_fmod_r(a, 0.75), da); break;
    case 31: put(g, ad_var_leaky_relu_r(a, 0.125), da); break;
    case 32: put(g, ad_var_mul(ad_var_round(a), ad_var_trunc(b)), 0); break;
    case 33: put(g, ad_var_mul(ad_var_ceil(a), ad_var_eq(b, c)), 0); break;
    case 34: put(g, ad_var_logaddexp(a, b), da | db); break;
    case 35: put(g, ad_var_mul0(a, b), da | db); break;
    case 36: put(g, ad_var_atan2_from_r(0.5, a), da); break;
    default: put(g, ad_var_ipow(ad_var_add_r(ad_var_square(a), 1), ad_var_floor(b)), da); break;
    }
}

static void random_program(uint64_t seed, program *g)
{
    ad_var *x, *y;
    uint64_t *bit, *behind;
    unsigned char *expected;
    size_t n, m, i, j, steps, columns = 0, repeats;
    problem q;
    char what[64];
    random_state = seed;
    sprintf(what, "random program %d", (int)seed);
    memset(&q, 0, sizeof q);
    memset(g, 0, sizeof *g);
    g->t = ad_tape_create(NULL);
    n = below(8) == 0 ? below(3) : 1 + below(below(2) ? 60 : 12);
    m = below(8) == 0 ? below(3) : 1 + below(below(2) ? 60 : 12);
    steps = below(3) ? 10 + below(60) : 30 + below(250);
    repeats = below(4) == 0 ? below(3) : 0;
    x = variables(n + SPARE_BITS + repeats + 1);
    y = variables(m);
    bit = (uint64_t *)room(n + SPARE_BITS + repeats + 1, sizeof *bit);
    behind = (uint64_t *)room(m, sizeof *behind);
    for (i = 0; i < n; i++) {
        x[columns] = ad_input(g->t, between(-1.5, 1.5));
        bit[columns] = (uint64_t)1 << columns;
        put(g, x[columns], bit[columns]);
        columns++;
    }
    put(g, ad_const(0.75), 0);
    while (steps--) {
        step(g);
        if (columns < n + SPARE_BITS && below(40) == 0 && g->v[g->n - 1].tape) {
            x[columns] = g->v[g->n - 1];             /* a result that is an x too */
            for (i = 0; i < g->n - 1; i++)           /* not where it is an x already */
                if (g->v[i].tape && g->v[i].id == x[columns].id) break;
            if (i < g->n - 1) continue;
            bit[columns] = (uint64_t)1 << columns;
            g->dep[g->n - 1] |= bit[columns++];
        }
    }
    for (i = 0; i < repeats && columns; i++) {       /* an x named again, a constant */
        const size_t k = below(columns);
        x[columns] = below(3) ? x[k] : ad_const(0.5);
        bit[columns] = x[columns].tape ? bit[k] : 0;
        columns++;
    }
    for (i = columns; i > 1; i--) {                  /* columns in any order */
        const size_t o = below(i);
        const ad_var v = x[o];
        const uint64_t b = bit[o];
        x[o] = x[i - 1];
        bit[o] = bit[i - 1];
        x[i - 1] = v;
        bit[i - 1] = b;
    }
    for (i = 0; i < m; i++) {
        const size_t k = below(3) ? pick(g) : below(g->n);
        y[i] = g->v[k];
        behind[i] = g->dep[k];
    }
    expected = flags(m * columns);
    for (i = 0; i < m; i++)
        for (j = 0; j < columns; j++) expected[i * columns + j] = (behind[i] & bit[j]) != 0;
    q.t = g->t;
    q.n = columns;
    q.m = m;
    q.x = x;
    q.y = y;
    q.tolerance = 1e-15;
    q.what = what;
    whole(&q, expected, __LINE__);
    CHECK_STATUS(ad_tape_status(g->t), AD_OK);
    free(expected);
    free(x);
    free(y);
    free(bit);
    free(behind);
    ad_tape_destroy(g->t);
}

static void test_random_programs(void)
{
    program *const g = (program *)room(1, sizeof *g);
    uint64_t seed;
    for (seed = 1; seed <= 200; seed += (uint64_t)test_stride()) random_program(seed, g);
    free(g);
}

/* Row after row from inputs alone, as residuals are, so that each row is a stretch of the trace;
   and what is nearly so: a row that takes a slot of another's, results that are x, outputs that are
   inputs, numbers, named twice or out of order, steps that no output needs. */
static void program_of_rows(uint64_t seed, program *g)
{
    enum { MOST = 24 };
    ad_var x[MOST + 3], y[MOST];
    uint64_t behind[MOST], bit[MOST + 3];
    unsigned char expected[MOST * (MOST + 3)];
    double J[MOST * (MOST + 3)];
    size_t i, j, k, n, m, shared, columns, w;
    problem q;
    char what[64];
    random_state = seed;
    sprintf(what, "program of rows %d", (int)seed);
    memset(&q, 0, sizeof q);
    memset(g, 0, sizeof *g);
    g->t = ad_tape_create(NULL);
    n = 1 + below(MOST);
    m = 1 + below(MOST);
    shared = below(3) ? 0 : 1 + below(8);
    for (i = 0; i < n; i++) {
        x[i] = ad_input(g->t, between(-1.5, 1.5));
        bit[i] = (uint64_t)1 << i;
        put(g, x[i], bit[i]);
    }
    columns = n;
    if (below(2)) put(g, ad_input(g->t, 0.5), 0);            /* a parameter */
    put(g, ad_const(0.75), 0);
    w = g->n;
    for (i = 0; i < m; i++) {
        const size_t steps = below(9);
        const int alone = !shared || below(shared) != 0;
        if (alone) g->n = w;
        for (k = 0; k < steps; k++) step(g);
        if (steps && below(30) == 0 && columns < n + 2 && g->v[g->n - 1].tape) {
            x[columns] = g->v[g->n - 1];                     /* a result that is an x */
            bit[columns] = (uint64_t)1 << columns;
            for (j = 0; j < g->n - 1; j++) if (g->v[j].id == x[columns].id) break;
            if (j == g->n - 1) g->dep[j] |= bit[columns++];
        }
        if (below(30) == 0) put(g, ad_input(g->t, 1.5), 0);  /* a parameter in between */
        k = below(6) ? g->n - 1 : pick(g);
        y[i] = g->v[k];
        behind[i] = g->dep[k];
        if (i && below(25) == 0) {
            y[i] = y[i - 1];
            behind[i] = behind[i - 1];
        }
    }
    if (below(3) == 0) {                                     /* an x twice */
        x[columns] = x[0];
        bit[columns++] = bit[0];
    }
    if (m > 1 && below(8) == 0) {                            /* rows in another order */
        const ad_var v = y[0];
        const uint64_t b = behind[0];
        y[0] = y[m - 1];
        behind[0] = behind[m - 1];
        y[m - 1] = v;
        behind[m - 1] = b;
    }
    for (i = 0; i < m; i++)
        for (j = 0; j < columns; j++) expected[i * columns + j] = (behind[i] & bit[j]) != 0;
    q.t = g->t;
    q.n = columns;
    q.m = m;
    q.x = x;
    q.y = y;
    q.tolerance = 1e-14;
    q.what = what;
    whole(&q, expected, __LINE__);
    /* another's adjoints, of a sweep before, are not touched */
    if (y[m - 1].tape) {
        double g0;
        CHECK_STATUS(ad_backward(y[m - 1]), AD_OK);
        g0 = ad_adjoint(x[0]);
        CHECK_STATUS(ad_jacobian_reverse(g->t, columns, x, m, y, J), AD_OK);
        CHECK(ad_adjoint(x[0]) == g0);
        CHECK_NEAR(J[(m - 1) * columns], g0, 1e-12);
    }
    CHECK_STATUS(ad_tape_status(g->t), AD_OK);
    ad_tape_destroy(g->t);
}
static void test_programs_of_rows(void)
{
    program *const g = (program *)room(1, sizeof *g);
    uint64_t seed;
    for (seed = 1001; seed <= 1300; seed += (uint64_t)test_stride()) program_of_rows(seed, g);
    free(g);
}

/* Operations whose partial is the constant 0 count as none, one by one. */
static void test_no_dependence(void)
{
    ad_tape *t = ad_tape_create(NULL);
    ad_var x[3], y[24];
    unsigned char expected[24 * 3];
    ad_pattern p;
    size_t i, m = 0, three;
    const double c[2] = { 0.5, 2 };
    for (i = 0; i < 3; i++) x[i] = ad_input(t, 0.4 + 0.3 * (double)i);
    memset(expected, 0, sizeof expected);
    y[m++] = ad_var_floor(x[0]);
    y[m++] = ad_var_ceil(x[0]);
    y[m++] = ad_var_round(x[0]);
    y[m++] = ad_var_trunc(x[0]);
    y[m++] = ad_var_sign(x[0]);
    y[m++] = ad_var_lt(x[0], x[1]);
    y[m++] = ad_var_le_r(x[0], 1);
    y[m++] = ad_var_gt_from_r(1, x[0]);
    y[m++] = ad_var_ge(x[0], x[1]);
    y[m++] = ad_var_eq(x[0], x[1]);
    y[m++] = ad_var_ne(x[0], x[1]);
    y[m++] = ad_detach(x[0]);
    y[m++] = ad_var_sin(ad_var_floor(x[2]));
    y[m] = ad_var_copysign(x[0], x[1]), expected[3 * m++] = 1;
    y[m] = ad_var_ipow(x[0], x[1]), expected[3 * m++] = 1;
    y[m] = ad_var_polygamma(x[0], ad_var_floor(x[1])), expected[3 * m++] = 1;
    y[m] = ad_var_copysign_from_r(2, x[0]), m++;
    y[m] = ad_var_polyval(2, c, x[1]), expected[3 * m++ + 1] = 1;
    y[m] = ad_var_add(x[0], ad_var_floor(x[1])), expected[3 * m++] = 1;
    CHECK_STATUS(ad_jacobian_pattern(t, 3, x, m, y, &p), AD_OK);
    pattern_is(&p, m, 3, expected, 1, "partials of 0", __LINE__);
    ad_pattern_free(&p);

    /* the condition of select has the constant partial 0 too */
    y[0] = ad_var_select(x[0], x[1], x[2]);
    y[1] = ad_var_select(ad_var_sub(x[0], x[1]), x[1], ad_const(1));
    memset(expected, 0, sizeof expected);
    expected[1] = expected[2] = expected[3 + 1] = 1;
    CHECK_STATUS(ad_jacobian_pattern(t, 3, x, 2, y, &p), AD_OK);
    pattern_is(&p, 2, 3, expected, 1, "select's condition", __LINE__);
    ad_pattern_free(&p);

    /* three operands, constants among them */
    y[0] = ad_var_fma(x[0], ad_const(2), ad_const(1));
    y[1] = ad_var_clamp(ad_const(0.5), x[1], ad_const(3));
    y[2] = ad_var_select(ad_const(1), ad_const(2), x[2]);
    memset(expected, 0, sizeof expected);
    for (three = 0; three < 3; three++) expected[3 * three + three] = 1;
    CHECK_STATUS(ad_jacobian_pattern(t, 3, x, 3, y, &p), AD_OK);
    pattern_is(&p, 3, 3, expected, 1, "constants among three", __LINE__);
    ad_pattern_free(&p);
    ad_tape_destroy(t);
}

/* ---------------------------------------------------------------- matrices known beforehand
   y = A x, for any sparse A with random numbers: no driver is needed to know the values. */
static ad_sparse_stats linear(size_t m, size_t n, const unsigned char *f, const char *what,
                              int line)
{
    ad_tape *t = ad_tape_create(NULL);
    ad_var *x = variables(n), *y = variables(m), *list = variables(n);
    double *a = numbers(m * n), *c = numbers(n);
    size_t i, j;
    problem q;
    ad_pattern p;
    ad_sparse_stats stats;
    memset(&stats, 0, sizeof stats);
    for (j = 0; j < n; j++) x[j] = ad_input(t, between(-1, 1));
    for (i = 0; i < m; i++) {
        size_t k = 0;
        for (j = 0; j < n; j++) {
            if (!f[i * n + j]) continue;
            a[i * n + j] = c[k] = between(0.5, 2);
            list[k++] = x[j];
        }
        y[i] = k ? ad_var_lincomb(k, c, list) : ad_const(3);
    }
    memset(&q, 0, sizeof q);
    q.t = t;
    q.n = n;
    q.m = m;
    q.x = x;
    q.y = y;
    q.dense = a;
    q.what = what;                                 /* tolerance 0 */
    CHECK_STATUS(ad_jacobian_pattern(t, n, x, m, y, &p), AD_OK);
    if (pattern_is(&p, m, n, f, 1, what, line)) all_formats(&q, &p, 0, &stats, line);
    ad_pattern_free(&p);
    p = own_pattern(m, n, f);                      /* a pattern of the caller's does too */
    one_format(&q, &p, NULL, NULL, line);
    free_own(&p);
    ad_tape_destroy(t);
    free(x);
    free(y);
    free(list);
    free(a);
    free(c);
    return stats;
}

/* The most entries of a row, of a column. */
static size_t longest(size_t m, size_t n, const unsigned char *f, int columns)
{
    size_t i, j, most = 0;
    for (i = 0; i < (columns ? n : m); i++) {
        size_t count = 0;
        for (j = 0; j < (columns ? m : n); j++) count += columns ? f[j * n + i] : f[i * n + j];
        if (count > most) most = count;
    }
    return most;
}
/* No fewer colours than the longest row (by rows: column) has entries, no more than `most`. */
static void coloured(ad_sparse_stats s, size_t least, size_t most, const char *what, int line)
{
    test_check(s.colours >= least && s.colours <= most, __FILE__, line,
               "%s: %d colours, at least %d are needed, at most %d expected", what, (int)s.colours,
               (int)least, (int)most);
}

static void test_shapes(void)
{
    unsigned char *f = flags(400 * 400);
    ad_sparse_stats s;
    size_t i, j, round;
    random_state = 77;
    /* many short rows: forward; fewer columns than sweeps of rows */
    memset(f, 0, 200 * 20);
    for (i = 0; i < 200; i++) f[i * 20 + below(20)] = f[i * 20 + i % 20] = 1;
    s = linear(200, 20, f, "short rows", __LINE__);
    CHECK(!s.reverse && s.sweeps == 1);
    /* few long rows: reverse */
    memset(f, 0, 3 * 300);
    for (j = 0; j < 300; j++) f[(j % 3) * 300 + j] = f[below(3) * 300 + j] = 1;
    s = linear(3, 300, f, "long rows", __LINE__);
    CHECK(s.reverse);
    CHECK(s.colours <= 3 && s.sweeps == 1);
    /* the same on its side */
    memset(f, 0, 300 * 3);
    for (j = 0; j < 300; j++) f[j * 3 + j % 3] = f[j * 3 + below(3)] = 1;
    s = linear(300, 3, f, "long columns", __LINE__);
    CHECK(!s.reverse && s.colours <= 3);
    /* arrows: a full first row and a diagonal; a full first column; both */
    memset(f, 0, 40 * 40);
    for (i = 0; i < 40; i++) f[i] = f[i * 40 + i] = 1;
    s = linear(40, 40, f, "arrow, row", __LINE__);
    CHECK(s.reverse && s.colours == 2);
    memset(f, 0, 40 * 40);
    for (i = 0; i < 40; i++) f[i * 40] = f[i * 40 + i] = 1;
    s = linear(40, 40, f, "arrow, column", __LINE__);
    CHECK(!s.reverse && s.colours == 2);
    for (i = 0; i < 40; i++) f[i] = 1;
    s = linear(40, 40, f, "arrow", __LINE__);
    CHECK(s.colours == 40);
    /* a full matrix; a diagonal; none */
    memset(f, 1, 30 * 20);
    s = linear(30, 20, f, "full, high", __LINE__);
    CHECK(s.colours == 20 && !s.reverse);
    s = linear(20, 30, f, "full, wide", __LINE__);
    CHECK(s.colours == 20 && s.reverse);
    memset(f, 0, 100 * 100);
    for (i = 0; i < 100; i++) f[i * 100 + i] = 1;
    s = linear(100, 100, f, "diagonal", __LINE__);
    CHECK(s.colours == 1 && s.sweeps == 1 && s.nonzeros == 100);
    memset(f, 0, 100 * 100);
    s = linear(10, 7, f, "empty", __LINE__);
    CHECK(s.nonzeros == 0 && s.colours <= 1);
    s = linear(0, 7, f, "no rows", __LINE__);
    CHECK(s.nonzeros == 0 && s.colours <= 1);
    s = linear(7, 0, f, "no columns", __LINE__);
    CHECK(s.nonzeros == 0 && s.colours <= 1);
    s = linear(0, 0, f, "nothing", __LINE__);
    CHECK(s.nonzeros == 0 && s.colours == 0);
    /* any, with empty rows, empty columns, hubs */
    for (round = 0; round < 40; round += (size_t)test_stride()) {
        const size_t m = 1 + below(60), n = 1 + below(60), k = below(m * n / 3 + 2);
        memset(f, 0, m * n);
        for (i = 0; i < k; i++) f[below(m) * n + below(n)] = 1;
        if (below(3) == 0) for (j = 0; j < n; j++) f[below(2) * (m - 1) * n + j] = 1;
        if (below(3) == 0) for (i = 0; i < m; i++) f[i * n + n / 2] = 1;
        s = linear(m, n, f, "random matrix", __LINE__);
        coloured(s, longest(m, n, f, s.reverse), s.reverse ? m : n, "random matrix", __LINE__);
        /* a sweep of eight rows is not taken where one of columns is enough */
        if (longest(m, n, f, 0) <= 1) CHECK(s.sweeps <= 1);
        if (longest(m, n, f, 1) <= 1) CHECK(s.sweeps <= 1);
    }
    free(f);
}

/* Stencils: 3, 5, 7 points. */
static void test_stencils(void)
{
    static const int shape[][3] = { { 1, 1, 200 }, { 1, 2, 60 }, { 1, 18, 18 }, { 1, 9, 31 },
        { 7, 7, 7 }, { 5, 6, 9 }, { 1, 1, 1 }, { 2, 2, 2 } };
    size_t c, i;
    random_state = 5;
    for (c = 0; c < COUNT(shape); c++) {
        const int *const e = shape[c];
        const size_t n = (size_t)(e[0] * e[1] * e[2]);
        unsigned char *const f = flags(n * n);
        ad_sparse_stats s;
        int z, y, x, d;
        for (z = 0; z < e[0]; z++)
            for (y = 0; y < e[1]; y++)
                for (x = 0; x < e[2]; x++)
                    for (d = 0; d < 7; d++) {
                        const int zz = z + (d == 1) - (d == 2), yy = y + (d == 3) - (d == 4),
                            xx = x + (d == 5) - (d == 6);
                        if (zz < 0 || zz >= e[0] || yy < 0 || yy >= e[1] || xx < 0 || xx >= e[2])
                            continue;
                        f[(size_t)((z * e[1] + y) * e[2] + x) * n
                          + (size_t)((zz * e[1] + yy) * e[2] + xx)] = 1;
                    }
        s = linear(n, n, f, "stencil", __LINE__);
        i = longest(n, n, f, 0);
        coloured(s, i, i <= 3 ? i : 2 * i, "stencil", __LINE__);
        if (getenv("AD_TEST_REPORT"))
            printf("Jacobian, stencil %dx%dx%d: %d in a row, %d colours\n", e[0], e[1], e[2],
                   (int)i, (int)s.colours);
        free(f);
    }
    {   /* diagonals of a band: as many colours as there are */
        const size_t n = 150;
        unsigned char *const f = flags(n * n);
        size_t j;
        for (i = 0; i < n; i++)
            for (j = 0; j < n; j++) f[i * n + j] = i <= j + 2 && j <= i + 4;
        coloured(linear(n, n, f, "band", __LINE__), 7, 7, "band", __LINE__);
        free(f);
    }
}

/* Grids of d dimensions with k points a side, where a point depends on those up to `reach` away
   along each axis, beyond an edge on those of the other side if `around`: Jacobians and Hessians
   have no more colours than the best known, whatever k is. */
static void test_grids(void)
{
    static const struct { int d, reach, around, from, to, colours; } of[] = {
        { 2, 1, 0, 3, 40, 5 }, { 2, 2, 0, 11, 30, 10 }, { 3, 1, 0, 7, 21, 7 },
        { 2, 1, 1, 25, 25, 5 }, { 3, 1, 1, 14, 14, 7 } };
    size_t c, i, n, j;
    int k, axis, step, hessian;
    for (c = 0; c < COUNT(of); c++)
        for (k = of[c].from; k <= of[c].to; k += test_stride() > 3 ? 3 : 1) {
            const int points = 1 + 2 * of[c].d * of[c].reach;
            ad_pattern p;
            memset(&p, 0, sizeof p);
            for (n = 1, axis = 0; axis < of[c].d; axis++) n *= (size_t)k;
            p.rows = p.columns = n;
            p.row_start = (size_t *)calloc(n + 1, sizeof *p.row_start);
            p.column = (size_t *)malloc(n * (size_t)points * sizeof *p.column);
            for (i = 0; i < n; i++) {
                size_t *const row = p.column + p.row_start[i], side = 1, have = 0, at;
                row[have++] = i;
                for (axis = 0; axis < of[c].d; axis++, side *= (size_t)k)
                    for (step = -of[c].reach; step <= of[c].reach; step++) {
                        const int x = (int)(i / side) % k, to = (x + step + k) % k;
                        if (!step || (!of[c].around && to != x + step)) continue;
                        for (j = i + (size_t)to * side - (size_t)x * side, at = have++;
                             at && row[at - 1] > j; at--) row[at] = row[at - 1];
                        row[at] = j;
                    }
                p.row_start[i + 1] = p.row_start[i] + have;
            }
            for (hessian = 0; hessian < 2; hessian++) {
                ad_sparse_desc desc;
                ad_sparse *s;
                memset(&desc, 0, sizeof desc);
                desc.hessian = hessian;
                s = ad_sparse_create(&p, &desc);
                CHECK_STATUS(ad_sparse_status(s), AD_OK);
                test_check(ad_sparse_get_stats(s).colours <= (size_t)of[c].colours, __FILE__,
                           __LINE__, "%d dimensions of %d, reach %d: %d colours", of[c].d, k,
                           of[c].reach, (int)ad_sparse_get_stats(s).colours);
                ad_sparse_destroy(s);
            }
            free(p.row_start);
            free(p.column);
        }
}

/* ---------------------------------------------------------------- odd x and y */

static void test_odd_variables(void)
{
    ad_tape *t = ad_tape_create(NULL);
    ad_var in[3], x[8], y[9], u, v;
    unsigned char e[9 * 8];
    size_t i;
    problem q;
    memset(&q, 0, sizeof q);
    memset(e, 0, sizeof e);
    for (i = 0; i < 3; i++) in[i] = ad_input(t, 0.5 + 0.25 * (double)i);
    u = ad_var_mul(in[0], in[1]);
    v = ad_var_sin(u);
    x[0] = in[2];
    x[1] = u;                      /* a result of x[3], x[4] */
    x[2] = ad_const(1);
    x[3] = in[0];
    x[4] = in[1];
    x[5] = in[0];                  /* again */
    x[6] = v;                      /* a result of a result */
    x[7] = ad_var_exp(in[2]);      /* nobody takes it, and it comes after the y but the last */
    y[0] = in[0];
    y[1] = ad_var_mul(v, v);
    y[2] = ad_const(2);
    y[3] = u;
    y[4] = y[1];
    y[5] = ad_var_exp(in[2]);
    y[6] = x[7];
    y[7] = ad_var_cos(u);
    y[8] = ad_input(t, 3);         /* an input that is no x */
#define E(i, j) e[(i) * 8 + (j)]
    E(0, 3) = E(0, 5) = 1;
    E(1, 1) = E(1, 3) = E(1, 4) = E(1, 5) = E(1, 6) = 1;
    E(3, 1) = E(3, 3) = E(3, 4) = E(3, 5) = 1;
    memcpy(&E(4, 0), &E(1, 0), 8);
    E(5, 0) = 1;
    E(6, 0) = E(6, 7) = 1;
    E(7, 1) = E(7, 3) = E(7, 4) = E(7, 5) = 1;
#undef E
    q.t = t;
    q.n = 8;
    q.m = 9;
    q.x = x;
    q.y = y;
    q.tolerance = 1e-15;
    q.what = "odd variables";
    whole(&q, e, __LINE__);
    /* all y are older than all x */
    q.m = 1;
    y[0] = in[0];
    x[0] = x[7];
    q.n = 1;
    memset(e, 0, sizeof e);
    whole(&q, e, __LINE__);
    CHECK_STATUS(ad_tape_status(t), AD_OK);
    ad_tape_destroy(t);
}

/* ---------------------------------------------------------------- deep programs: strips */

enum { WORDS = 12 };
typedef struct set { uint64_t w[WORDS]; } set;
static void join(set *a, const set *b)
{
    int i;
    for (i = 0; i < WORDS; i++) a->w[i] |= b->w[i];
}

/* All rows share a chain of `deep` states. */
static void deep_program(size_t n, size_t m, size_t deep, int lists)
{
    ad_tape *t = ad_tape_create(NULL);
    ad_var *x = variables(n + 1), *s = variables(deep + 1), *y = variables(m);
    set *of = (set *)room(deep + 1, sizeof *of), *row = (set *)room(m, sizeof *row);
    unsigned char *e;
    size_t i, j, columns = n;
    ad_pattern p;
    ad_sparse *plan;
    for (i = 0; i < n; i++) x[i] = ad_input(t, between(-1, 1));
    s[0] = ad_const(0.25);
    for (i = 1; i <= deep; i++) {
        const size_t k = below(n), back = i - 1 - below(i < 3 ? i : 3);
        of[i] = of[i - 1];
        join(&of[i], &of[back]);
        of[i].w[k / 64] |= (uint64_t)1 << k % 64;
        if (lists && i % 5 == 0) {
            ad_var l[3];
            l[0] = s[i - 1];
            l[1] = s[back];
            l[2] = x[k];
            s[i] = ad_var_tanh(ad_var_sum(3, l));
        } else s[i] = ad_var_add(ad_var_mul_r(ad_var_add(s[i - 1], s[back]), 0.5),
                                 ad_var_sin(x[k]));
        if (i == deep / 2 && s[i].tape) {            /* a state that is an x too */
            x[columns] = s[i];
            of[i].w[columns / 64] |= (uint64_t)1 << columns % 64;
            columns++;
        }
    }
    for (i = 0; i < m; i++) {
        const size_t k = below(2) ? deep - below(deep / 4 + 1) : below(deep + 1), j_ = below(n);
        row[i] = of[k];
        row[i].w[j_ / 64] |= (uint64_t)1 << j_ % 64;
        y[i] = ad_var_mul(s[k], x[j_]);
    }
    e = flags(m * columns);
    for (i = 0; i < m; i++)
        for (j = 0; j < columns; j++)
            e[i * columns + j] = row[i].w[j / 64] >> j % 64 & 1;
    CHECK_STATUS(ad_jacobian_pattern(t, columns, x, m, y, &p), AD_OK);
    pattern_is(&p, m, columns, e, 1, "deep program", __LINE__);
    plan = ad_sparse_create(&p, NULL);
    CHECK_STATUS(ad_sparse_status(plan), AD_OK);
    {
        double *const v = numbers(ad_sparse_get_stats(plan).values);
        double *const d = numbers(m * columns);
        size_t wrong = 0, k;
        CHECK_STATUS(ad_jacobian_reverse(t, columns, x, m, y, d), AD_OK);
        CHECK_STATUS(ad_sparse_jacobian(plan, t, columns, x, m, y, v), AD_OK);
        for (i = 0; i < m; i++)
            for (k = p.row_start[i]; k < p.row_start[i + 1]; k++)
                wrong += !close_to(v[k], d[i * columns + p.column[k]], 1e-13);
        CHECK(wrong == 0);
        free(v);
        free(d);
    }
    ad_sparse_destroy(plan);
    ad_pattern_free(&p);
    ad_tape_destroy(t);
    free(x);
    free(s);
    free(y);
    free(of);
    free(row);
    free(e);
}

static void test_deep(void)
{
    static const size_t n[] = { 1, 63, 64, 255, 256, 257, 300, 511, 600, 700 };
    size_t i;
    random_state = 9;
    for (i = 0; i < COUNT(n); i++) {
        if (i % 3 && test_stride() > 20) continue;
        deep_program(n[i], 200, 300, (int)i & 1);
        deep_program(n[i], 40, 150, 1);
    }
}

/* ---------------------------------------------------------------- Hessians */

/* A random partially separable term of few variables; the pairs that interact are set in f. */
static ad_var term(const ad_var *x, size_t n, unsigned char *f)
{
    size_t k[4], i, j;
    ad_var v;
    int all = 1;                                     /* all pairs, and the diagonal */
    for (i = 0; i < 4; i++) k[i] = below(n);
    for (i = 1; i < 4; i++)                          /* different ones */
        for (j = 0; j < i; j++) if (k[i] == k[j]) return ad_const(0);
#define X(i) x[k[i]]
    i = 2;
    switch (below(12)) {
    case 0: v = ad_var_exp(ad_var_mul(X(0), X(1))); break;
    case 1: v = ad_var_sin(ad_var_add(X(0), ad_var_mul_r(X(1), 2))); break;
    case 2: v = ad_var_mul(X(0), X(1)), all = 0; break;
    case 3: v = ad_var_square(X(0)), i = 1; break;
    case 4: v = ad_var_mul(ad_var_mul(X(0), X(1)), X(2)), i = 3, all = 0; break;
    case 5: v = ad_var_log(ad_var_add_r(ad_var_square(X(0)), 1)), i = 1; break;
    case 6: v = ad_var_sum(3, x), i = 0; break;
    case 7: {
        ad_var l[4];
        for (j = 0; j < 4; j++) l[j] = X(j);
        v = ad_var_logsumexp(4, l), i = 4;
        break;
    }
    case 8: {
        ad_var l[4];
        for (j = 0; j < 4; j++) l[j] = X(j);
        v = ad_var_dot(2, l, l + 2), i = 0;
        f[k[0] * n + k[2]] = f[k[2] * n + k[0]] = f[k[1] * n + k[3]] = f[k[3] * n + k[1]] = 1;
        break;
    }
    case 9: v = ad_var_abs(ad_var_sub(X(0), X(1))), i = 0; break;
    case 10: v = ad_var_max(X(0), ad_var_mul_r(X(1), 3)), i = 0; break;
    default: v = ad_var_mul(X(0), X(0)), i = 1; break;
    }
#undef X
    for (j = 0; j < i; j++) {
        size_t q;
        for (q = 0; q < i; q++) if (all || q != j) f[k[j] * n + k[q]] = 1;
    }
    return v;
}

static void random_hessian(uint64_t seed)
{
    ad_tape *t = ad_tape_create(NULL);
    ad_var *x, *y, *l;
    unsigned char *f;
    double *w;
    size_t n, m, i, j;
    problem q;
    char what[64];
    random_state = 1000 + seed;
    n = 4 + below(below(2) ? 40 : 8);
    m = below(6) ? 1 + below(5) : 0;
    x = variables(n);
    y = variables(m);
    l = variables(60);
    w = numbers(m);
    f = flags(n * n);
    for (i = 0; i < n; i++) x[i] = ad_input(t, between(0.25, 1.5));
    for (i = 0; i < m; i++) {
        const size_t terms = below(below(3) ? 12 : 50);
        for (j = 0; j < terms; j++) l[j] = term(x, n, f);
        y[i] = i + 1 < m && below(6) == 0 ? (i ? y[below(i)] : x[0]) : ad_const(2);
        if (terms) y[i] = ad_var_add(y[i], ad_var_sum(terms, l));
        w[i] = between(0.5, 2);
    }
    sprintf(what, "random Hessian %d", (int)seed);
    memset(&q, 0, sizeof q);
    q.t = t;
    q.n = n;
    q.m = m;
    q.x = x;
    q.y = y;
    q.hessian = 1;
    q.w = below(3) ? w : NULL;
    q.tolerance = 1e-13;
    q.what = what;
    whole(&q, f, __LINE__);
    CHECK_STATUS(ad_tape_status(t), AD_OK);
    ad_tape_destroy(t);
    free(x);
    free(y);
    free(l);
    free(w);
    free(f);
}

/* Hessians of random programs: no pattern is known, but all that is dense is inside. */
static void dense_hessian(uint64_t seed, program *g)
{
    ad_var x[20], y[3];
    double w[3];
    size_t n, i, steps;
    problem q;
    random_state = 5000 + seed;
    memset(g, 0, sizeof *g);
    memset(&q, 0, sizeof q);
    g->t = ad_tape_create(NULL);
    n = 1 + below(20);
    steps = 5 + below(60);
    for (i = 0; i < n; i++) put(g, x[i] = ad_input(g->t, between(-1.5, 1.5)), 0);
    while (steps--) step(g);
    for (i = 0; i < 3; i++) {
        y[i] = g->v[pick(g)];
        w[i] = between(0.5, 1);
    }
    q.t = g->t;
    q.n = n;
    q.m = 3;
    q.x = x;
    q.y = y;
    q.hessian = 1;
    q.w = w;
    q.tolerance = 1e-11;
    q.what = "Hessian of a random program";
    whole(&q, NULL, __LINE__);
    CHECK_STATUS(ad_tape_status(g->t), AD_OK);
    ad_tape_destroy(g->t);
}

static ad_sparse_stats shaped_hessian(size_t n, const unsigned char *f, const char *what, int line)
{
    /* sum of a_ij x_i x_j over the lower triangle: the Hessian is known beforehand */
    ad_tape *t = ad_tape_create(NULL);
    ad_var *x = variables(n), *l = variables(n * n);
    double *d = numbers(n * n);
    size_t i, j, k = 0;
    problem q;
    ad_pattern p;
    ad_var y;
    ad_sparse_stats s;
    memset(&s, 0, sizeof s);
    for (i = 0; i < n; i++) x[i] = ad_input(t, between(0.5, 1));
    for (i = 0; i < n; i++)
        for (j = 0; j <= i; j++) {
            const double a = between(0.5, 1);
            if (!f[i * n + j]) continue;
            l[k++] = i == j ? ad_var_mul_r(ad_var_square(x[i]), a / 2)
                : ad_var_mul_r(ad_var_mul(x[i], x[j]), a);
            d[i * n + j] = d[j * n + i] = a;
        }
    y = ad_var_sum(k, l);
    memset(&q, 0, sizeof q);
    q.t = t;
    q.n = n;
    q.m = 1;
    q.x = x;
    q.y = &y;
    q.hessian = 1;
    q.dense = d;
    q.tolerance = 1e-15;
    q.what = what;
    CHECK_STATUS(ad_hessian_pattern(t, n, x, 1, &y, &p), AD_OK);
    if (pattern_is(&p, n, n, f, 1, what, line)) {
        ad_sparse_stats fewer;
        all_formats(&q, &p, 0, &s, line);
        all_formats(&q, &p, 1, &fewer, line);
        CHECK(fewer.colours <= s.colours);
    }
    ad_pattern_free(&p);
    ad_tape_destroy(t);
    free(x);
    free(l);
    free(d);
    return s;
}

static void test_hessians(void)
{
    static const int grid[][2] = { { 5, 5 }, { 12, 12 }, { 3, 40 }, { 17, 9 } };
    program *const g = (program *)room(1, sizeof *g);
    unsigned char *f = flags(200 * 200);
    ad_sparse_stats s;
    size_t i, j, n, round;
    uint64_t seed;
    for (seed = 1; seed <= 80; seed += (uint64_t)test_stride()) random_hessian(seed);
    for (seed = 1; seed <= 80; seed += (uint64_t)test_stride()) dense_hessian(seed, g);
    random_state = 3;
    n = 60;                                          /* sum of squares */
    for (i = 0; i < n; i++) f[i * n + i] = 1;
    s = shaped_hessian(n, f, "diagonal Hessian", __LINE__);
    CHECK(s.colours == 1 && s.nonzeros == n && s.sweeps == 1 && !s.reverse);
    memset(f, 0, n * n);                             /* x*y */
    f[1] = f[n] = 1;
    s = shaped_hessian(n, f, "x*y", __LINE__);
    CHECK(s.nonzeros == 2 && s.colours <= 2);
    memset(f, 0, n * n);
    s = shaped_hessian(n, f, "empty Hessian", __LINE__);
    CHECK(s.nonzeros == 0 && s.colours <= 1);
    for (i = 0; i < n; i++) f[i] = f[i * n] = f[i * n + i] = 1;
    s = shaped_hessian(n, f, "arrow Hessian", __LINE__);
    CHECK(s.colours == 2);
    memset(f, 0, n * n);
    for (i = 0; i < n; i++) f[n - 1 + i * n] = f[(n - 1) * n + i] = f[i * n + i] = 1;
    s = shaped_hessian(n, f, "arrow that points down", __LINE__);
    CHECK(s.colours == 2);
    for (n = 1; n < 150; n += 37) {
        memset(f, 0, n * n);
        for (i = 0; i < n; i++)
            for (j = 0; j < n; j++) f[i * n + j] = i <= j + 1 && j <= i + 1;
        s = shaped_hessian(n, f, "tridiagonal Hessian", __LINE__);
        CHECK(s.colours <= 3);
    }
    n = 100;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) f[i * n + j] = i <= j + 3 && j <= i + 3;
    s = shaped_hessian(n, f, "seven diagonals", __LINE__);
    coloured(s, 4, 8, "seven diagonals", __LINE__);
    memset(f, 1, 20 * 20);
    s = shaped_hessian(20, f, "full Hessian", __LINE__);
    CHECK(s.colours == 20);
    for (round = 0; round < COUNT(grid); round++) {
        const int a = grid[round][0], b = grid[round][1];
        int x, y, u, v;
        n = (size_t)(a * b);
        memset(f, 0, n * n);
        for (x = 0; x < a; x++) for (y = 0; y < b; y++)
            for (u = 0; u < a; u++) for (v = 0; v < b; v++)
                if ((x - u) * (x - u) + (y - v) * (y - v) <= 1)
                    f[(size_t)(x * b + y) * n + (size_t)(u * b + v)] = 1;
        s = shaped_hessian(n, f, "grid Hessian", __LINE__);
        coloured(s, 3, 8, "grid Hessian", __LINE__);
        if (getenv("AD_TEST_REPORT"))
            printf("Hessian, grid %dx%d: %d colours\n", a, b, (int)s.colours);
    }
    /* any symmetric pattern: star colourings of all kinds */
    for (round = 0; round < 60; round += (size_t)test_stride()) {
        const size_t k = below(3);
        n = 1 + below(50);
        memset(f, 0, n * n);
        for (i = 0; i < (k == 0 ? n / 2 : k == 1 ? 2 * n : n * n / 6); i++) {
            const size_t a = below(n), b = below(n);
            f[a * n + b] = f[b * n + a] = 1;
        }
        if (below(3) == 0) for (i = 0; i < n; i++) f[i * n + n / 3] = f[n / 3 * n + i] = 1;
        s = shaped_hessian(n, f, "random Hessian pattern", __LINE__);
        coloured(s, 1, n, "random Hessian pattern", __LINE__);
    }
    free(f);
    free(g);
}

/* ---------------------------------------------------------------- arrays */

/* What an array function makes of a[3,4], b[4], c[2,3,4]; *exact: its pattern is to be exact. */
static ad_fn *mapped;                                /* sin(u) * v + w */
static ad_array made(ad_tape *t, int kind, ad_array a, ad_array b, ad_array c, int *exact)
{
    static const int axes[] = { 2, 0, 1 };
    static const int32_t pad1[] = { 1, 0 }, pad2[] = { 0, 2 }, times[] = { 2, 3 };
    static const int32_t twelve[] = { 12 }, wide[] = { 2, 3, 4 }, six[] = { 6, 2 };
    static const uint32_t index[] = { 2, 0, 2, 3, 0 }, rows[] = { 2, 2, 0 };
    ad_array e = ad_array_exp(a), l[3];
    ad_array bad;
    *exact = 1;
    memset(&bad, 0, sizeof bad);
    bad.rank = -1;
    switch (kind) {
    case 0: return ad_array_mul(a, b);
    case 1: return ad_array_add(c, ad_array_sin(a));
    case 2: return e;
    case 3: return ad_array_slice(a, 1, 3, AD_END, -2);
    case 4: return ad_array_transpose(e);
    case 5: return ad_array_permute(ad_array_tanh(c), axes);
    case 6: return ad_array_pad(a, pad1, pad2, 5);
    case 7: l[0] = a, l[1] = e, l[2] = a; return ad_array_concatenate(3, l, 0);
    case 8: l[0] = e, l[1] = a; return ad_array_stack(2, l, 1);
    case 9: return ad_array_gather(a, 1, 5, index);
    case 10: return ad_array_gather(e, 0, 3, rows);
    case 11: return ad_array_sum(e, AD_AXIS(0), 0);
    case 12: return ad_array_sum(a, AD_AXIS(1), 1);
    case 13: return ad_array_mean(ad_array_square(c), AD_AXIS(0) | AD_AXIS(2), 0);
    case 14: return ad_array_mean(b, AD_ALL_AXES, 0);
    case 15: return ad_array_flip(e, AD_AXIS(0) | AD_AXIS(1));
    case 16: return ad_array_tile(a, times);
    case 17: return ad_array_diagonal(e, 1);
    case 18: return ad_array_broadcast_to(a, 3, wide);
    case 19: return ad_array_reshape(ad_array_transpose(a), 2, six);
    case 20: l[0] = a, l[1] = b, l[2] = c; return ad_array_map(mapped, 3, l);
    case 21: return ad_array_where(ad_array_gt(a, b), ad_array_sin(a), ad_array_mul_r(a, 2));
    case 22: {                                       /* elements, scalars, an array again */
        ad_var v[12];
        size_t i;
        for (i = 0; i < 12; i++)
            v[i] = i % 3 ? ad_array_at(e, 11 - i) : i % 2 ? ad_const(2)
                : ad_var_mul(ad_array_at(a, i), ad_array_at(b, i % 4));
        return ad_array_sin(ad_array_pack(t, 1, twelve, v));
    }
    case 23: return ad_array_mul_v(ad_array_slice(c, 0, 1, 2, 1), ad_array_at(b, 2));
    case 24: return ad_array_slice(ad_array_sum(ad_array_permute(c, axes), AD_AXIS(2), 0), 0, 1, 4,
                                   2);
    case 25: return ad_array_fma(a, b, ad_array_slice(c, 0, -1, AD_END, 1));
    case 26: return ad_array_sum(ad_array_pad(ad_array_flip(c, AD_AXIS(1)), wide, wide, 1),
                                 AD_AXIS(1), 0);
    case 27: return ad_array_trace(a);
    case 28: return ad_array_sum(c, AD_AXIS(0) | AD_AXIS(1) | AD_AXIS(2), 1);
    case 29: return ad_array_mean(ad_array_broadcast_to(b, 3, wide), AD_AXIS(1), 0);
    case 30: return ad_array_sub_from_v(ad_array_at(a, 5), b);
    case 31: return ad_array_atan2(b, c);
    case 32: return ad_array_dropout(a, 0.0, 1, 1);
    case 33: return ad_array_embedding(a, 1, wide, index);      /* index[0 .. 1] */
    }
    *exact = 0;
    switch (kind) {
    case 34: return ad_array_matmul(a, ad_array_transpose(e));
    case 35: return ad_array_softmax(a, 1);
    case 36: return ad_array_cumsum(a, 1);
    case 37: return ad_array_prod(a, AD_AXIS(0), 0);
    case 38: return ad_array_logsumexp(c, AD_AXIS(1), 0);
    case 39: return ad_array_amax(c, AD_AXIS(1), 0);
    case 40: return ad_array_norm(a, AD_AXIS(0), 1);
    case 41: return ad_array_var(a, AD_AXIS(1), 0, 1);
    case 42: return ad_array_outer(b, ad_array_square(b));
    case 43: return ad_array_layer_norm(a, b, b, 0);
    case 44: return ad_array_scatter_add(a, 1, 5, index, ad_array_gather(e, 1, 5, index));
    case 45: return ad_array_tril(a, 0);
    case 46: return ad_array_triu(e, 1);
    case 47: return ad_array_matmul(c, b);
    case 48: return ad_array_dot(a, e);
    case 49: return ad_array_log_softmax(c, 0);
    case 50: return ad_array_squared_error(a, e, AD_NONE);
    case 51: return ad_array_sin(ad_array_softmax(ad_array_mul(a, b), 0));
    case 52: return ad_array_mul(ad_array_floor(a), b);
    case 53: return ad_array_sort(c, 1, 1);
    case 54: return ad_array_scatter_add_along(a, 1, ad_array_argsort(e, 1, 0), ad_array_sin(e));
    case 55: return ad_array_add(b, ad_array_argsort(a, 1, 0));
    case 56: return ad_array_cumprod(a, 0);
    case 57: return ad_array_cummax(c, 1);
    case 58: return ad_array_take_along(a, 1, ad_array_le(b, ad_array_sum(c, AD_AXIS(0), 0)));
    default: return bad;
    }
}

/* Two points: the pattern is the same, holds all that is dense at either, and (exact) no more. */
static void one_array_kind(int kind)
{
    static const int32_t da[] = { 3, 4 }, db[] = { 4 }, dc[] = { 2, 3, 4 };
    unsigned char *dense = NULL, *first = NULL;
    double v[40];
    size_t i, m = 0, n = 40;
    int round, exact = 0;
    char what[32];
    sprintf(what, "array function %d", kind);
    for (round = 0; round < 2; round++) {
        ad_tape *t = ad_tape_create(NULL);
        ad_array a, b, c, r;
        ad_var *x = variables(n), *y;
        ad_pattern p;
        double *d;
        problem q;
        for (i = 0; i < n; i++) v[i] = between(0.5, 1.5) * (kind == 39 || below(3) ? 1 : -1);
        a = ad_array_input(t, 2, da, v);
        b = ad_array_input(t, 1, db, v + 12);
        c = ad_array_input(t, 3, dc, v + 16);
        r = made(t, kind, a, b, c, &exact);
        m = ad_array_size(r);
        if (!test_check(m > 0 && r.rank >= 0, __FILE__, __LINE__, "%s: %s", what,
                        ad_tape_message(t))) {
            free(x);
            ad_tape_destroy(t);
            break;
        }
        y = variables(m);
        d = numbers(m * n);
        ad_array_unpack(a, x);
        ad_array_unpack(b, x + 12);
        ad_array_unpack(c, x + 16);
        CHECK_STATUS(ad_array_unpack(r, y), AD_OK);
        if (!dense) dense = flags(m * n);
        CHECK_STATUS(ad_jacobian_forward(t, n, x, m, y, d), AD_OK);
        for (i = 0; i < m * n; i++) if (d[i] != 0) dense[i] = 1;
        CHECK_STATUS(ad_jacobian_pattern(t, n, x, m, y, &p), AD_OK);
        if (!sound(&p, m, n)) {
            CHECK(sound(&p, m, n));
        } else if (round == 0) first = spread(&p);
        else {
            pattern_is(&p, m, n, dense, exact, what, __LINE__);
            pattern_is(&p, m, n, first, kind != 39, what, __LINE__);
        }
        /* values */
        memset(&q, 0, sizeof q);
        q.t = t;
        q.n = n;
        q.m = m;
        q.x = x;
        q.y = y;
        q.dense = d;
        q.tolerance = 1e-14;
        q.what = what;
        one_format(&q, &p, NULL, NULL, __LINE__);
        ad_pattern_free(&p);
        /* one of the results alone, the first and one amidst: rows of the same pattern */
        for (i = 0; i < m; i += 1 + m / 2) {
            CHECK_STATUS(ad_jacobian_pattern(t, n, x, 1, y + i, &p), AD_OK);
            if (first) pattern_is(&p, 1, n, first + i * n, 1, what, __LINE__);
            ad_pattern_free(&p);
        }
        CHECK_STATUS(ad_tape_status(t), AD_OK);
        ad_tape_destroy(t);
        free(x);
        free(y);
        free(d);
    }
    free(dense);
    free(first);
}

static void test_arrays(void)
{
    char error[200];
    int kind;
    random_state = 21;
    mapped = ad_fn_parse("sin(u)*v + w", "u, v, w", error, sizeof error);
    CHECK_STRING(error, "");
    for (kind = 0; kind <= 58; kind++) one_array_kind(kind);
    ad_fn_destroy(mapped);
}

/* Elementwise operations with the partial 0 on arrays: none, as of scalars. */
static void test_array_zeros(void)
{
    static const int32_t dim[] = { 3 };
    static const double v[] = { 0.4, -0.7, 1.2 };
    ad_tape *t = ad_tape_create(NULL);
    ad_array a = ad_array_input(t, 1, dim, v), b = ad_array_input(t, 1, dim, v);
    ad_var x[6], y[15];
    unsigned char e[15 * 6];
    ad_pattern p;
    size_t i;
    memset(e, 0, sizeof e);
    ad_array_unpack(a, x);
    ad_array_unpack(b, x + 3);
    ad_array_unpack(ad_array_sign(a), y);
    ad_array_unpack(ad_array_floor(a), y + 3);
    ad_array_unpack(ad_array_lt(a, b), y + 6);
    ad_array_unpack(ad_array_copysign(a, b), y + 9);
    ad_array_unpack(ad_array_where(ad_array_sub(a, b), a, b), y + 12);
    for (i = 0; i < 3; i++) e[(9 + i) * 6 + i] = e[(12 + i) * 6 + i] = e[(12 + i) * 6 + 3 + i] = 1;
    CHECK_STATUS(ad_jacobian_pattern(t, 6, x, 15, y, &p), AD_OK);
    pattern_is(&p, 15, 6, e, 1, "arrays, partials of 0", __LINE__);
    ad_pattern_free(&p);
    ad_tape_destroy(t);
}

/* Elements of one result as x: they do not depend on each other, by rows nor by strips. */
static void test_results_as_x(void)
{
    static const int32_t dim[] = { 40 };
    double v[40];
    size_t m, i, j, what;
    random_state = 4;
    for (i = 0; i < 40; i++) v[i] = between(-1, 1);
    for (m = 3; m <= 2003; m += 1000) for (what = 0; what < 2; what++) {
        ad_tape *t = ad_tape_create(NULL);
        ad_var x[80], *y = variables(m), e[40];
        ad_array a = ad_array_input(t, 1, dim, v), s;
        unsigned char *f = flags(m * 80);
        ad_pattern p;
        s = what ? ad_array_softmax(a, 0) : ad_array_cumsum(a, 0);
        ad_array_unpack(a, x);
        ad_array_unpack(s, x + 40);
        ad_array_unpack(s, e);
        for (i = 0; i < m; i++) {
            y[i] = i < 40 ? e[i] : ad_var_sin(e[i % 40]);
            for (j = 0; j < 40; j++) f[i * 80 + j] = 1;        /* conservatively: all of a */
            f[i * 80 + 40 + i % 40] = 1;                        /* and of the result, one */
        }
        CHECK_STATUS(ad_jacobian_pattern(t, 80, x, m, y, &p), AD_OK);
        pattern_is(&p, m, 80, f, 1, m == 3 ? "results as x" : "results as x, strips", __LINE__);
        ad_pattern_free(&p);
        ad_tape_destroy(t);
        free(y);
        free(f);
    }
}

/* The first of many results that share all operands: what stands for them lies beyond the y. */
static void test_first_of_many(void)
{
    static const int32_t dim[] = { 3000 };
    ad_tape *t = ad_tape_create(NULL);
    double *v = numbers(3000);
    ad_var *x = variables(3000), y[2];
    unsigned char *f = flags(2 * 3000);
    ad_array a;
    ad_pattern p;
    size_t i, rounds;
    for (i = 0; i < 3000; i++) v[i] = 1e-3 * (double)i;
    a = ad_array_input(t, 1, dim, v);
    ad_array_unpack(a, x);
    y[0] = ad_array_at(ad_array_softmax(a, 0), 0);
    y[1] = y[0];
    memset(f, 1, 2 * 3000);
    for (rounds = 0; rounds < 3; rounds++) {
        CHECK_STATUS(ad_jacobian_pattern(t, 3000, x, 2, y, &p), AD_OK);
        pattern_is(&p, 2, 3000, f, 1, "the first of many", __LINE__);
        ad_pattern_free(&p);
    }
    ad_tape_destroy(t);
    free(v);
    free(x);
    free(f);
}

static void test_array_hessians(void)
{
    static const int32_t da[] = { 3, 4 }, db[] = { 4 };
    int kind;
    random_state = 8;
    for (kind = 0; kind < 8; kind++) {
        ad_tape *t = ad_tape_create(NULL);
        double v[16];
        ad_array a, b, r;
        ad_var x[16], y;
        unsigned char f[16 * 16];
        size_t i, j;
        int exact = 1;
        problem q;
        memset(&q, 0, sizeof q);
        memset(f, 0, sizeof f);
        for (i = 0; i < 16; i++) v[i] = between(0.5, 1.5);
        a = ad_array_input(t, 2, da, v);
        b = ad_array_input(t, 1, db, v + 12);
        ad_array_unpack(a, x);
        ad_array_unpack(b, x + 12);
        switch (kind) {
        case 0: r = ad_array_square(a); break;
        case 1: r = ad_array_mul(a, b); break;
        case 2: r = ad_array_sin(ad_array_add(a, b)); break;
        case 3: r = ad_array_add(a, b); break;
        case 4: r = ad_array_softmax(ad_array_mul(a, b), 1), exact = 0; break;
        case 5: r = ad_array_exp(ad_array_matmul(a, b)), exact = 0; break;
        case 6: r = ad_array_square(ad_array_sum(a, AD_AXIS(0), 0)); break;
        default: r = ad_array_mul(ad_array_slice(a, 1, 0, 3, 1), ad_array_slice(a, 1, 1, 4, 1));
        }
        for (i = 0; i < 16; i++)
            for (j = 0; j < 16; j++) {
                const int share = i % 4 == j % 4, one = i < 12, other = j < 12;
                switch (kind) {
                case 0: f[i * 16 + j] = i == j && one; break;
                case 1: f[i * 16 + j] = share && one != other; break;
                case 2: f[i * 16 + j] = share && (i == j || !one || !other); break;
                case 6: f[i * 16 + j] = share && one && other; break;
                case 7:
                    f[i * 16 + j] = one && other && i / 4 == j / 4 && (i + 1 == j || j + 1 == i);
                    break;
                default: break;
                }
            }
        y = ad_array_item(ad_array_sum(r, AD_ALL_AXES, 0));
        q.t = t;
        q.n = 16;
        q.m = 1;
        q.x = x;
        q.y = &y;
        q.hessian = 1;
        q.tolerance = 1e-13;
        q.what = "Hessian of arrays";
        whole(&q, exact ? f : NULL, __LINE__);
        CHECK_STATUS(ad_tape_status(t), AD_OK);
        ad_tape_destroy(t);
    }
}

/* ---------------------------------------------------------------- user operations
   y_j = product of all x plus j times the first. */
static ad_status mix_value(void *user, size_t n, const double *x, size_t m, double *y)
{
    size_t i, j;
    double p = 1;
    (void)user;
    for (i = 0; i < n; i++) p *= x[i];
    for (j = 0; j < m; j++) y[j] = p + (double)j * x[0];
    return AD_OK;
}
static double others(size_t n, const double *x, size_t i)
{
    double p = 1;
    size_t k;
    for (k = 0; k < n; k++) if (k != i) p *= x[k];
    return p;
}
static ad_status mix_reverse(void *user, size_t n, const double *x, size_t m, const double *y,
                             const double *y_bar, double *x_bar)
{
    size_t i, j;
    (void)user;
    (void)y;
    for (j = 0; j < m; j++) {
        for (i = 0; i < n; i++) x_bar[i] += y_bar[j] * others(n, x, i);
        x_bar[0] += y_bar[j] * (double)j;
    }
    return AD_OK;
}
static ad_status mix_tangent(void *user, size_t n, const double *x, size_t m, const double *y,
                             const double *x_dot, double *y_dot)
{
    size_t i, j;
    (void)user;
    (void)y;
    for (j = 0; j < m; j++) {
        y_dot[j] = (double)j * x_dot[0];
        for (i = 0; i < n; i++) y_dot[j] += x_dot[i] * others(n, x, i);
    }
    return AD_OK;
}
/* Gradients by duals: what ad_hessian_of takes, where there are operations of the user's. */
static ad_status mix_dual(void *user, size_t n, const ad_dual *x, size_t m, const ad_dual *y,
                          const ad_dual *y_bar, ad_dual *x_bar)
{
    size_t i, j, k;
    (void)user;
    (void)y;
    for (j = 0; j < m; j++) {
        for (i = 0; i < n; i++) {
            ad_dual p = y_bar[j];
            for (k = 0; k < n; k++) if (k != i) p = ad_dual_mul(p, x[k]);
            x_bar[i] = ad_dual_add(x_bar[i], p);
        }
        x_bar[0] = ad_dual_add(x_bar[0], ad_dual_mul_r(y_bar[j], (double)j));
    }
    return AD_OK;
}
static ad_status mix_record(void *user, ad_tape *t, size_t n, const ad_var *x, size_t m,
                            const ad_var *y, const ad_var *y_bar, ad_var *x_bar)
{
    size_t i, j, k;
    (void)user;
    (void)t;
    (void)y;
    for (i = 0; i < n; i++) {
        ad_var p = ad_var_sum(m, y_bar);
        for (k = 0; k < n; k++) if (k != i) p = ad_var_mul(p, x[k]);
        x_bar[i] = p;
    }
    for (j = 0; j < m; j++) x_bar[0] = ad_var_add(x_bar[0], ad_var_mul_r(y_bar[j], (double)j));
    return AD_OK;
}
static const ad_op mix = { "mix", mix_value, mix_reverse, mix_tangent, mix_dual, mix_record };
static const ad_op mix_without = { "mix_without", mix_value, mix_reverse, mix_tangent, mix_dual,
    NULL };

static void test_user_operations(void)
{
    ad_tape *t = ad_tape_create(NULL);
    ad_var x[9], u[20], v[3], y[8], z[3];
    unsigned char e[8 * 9];
    size_t i, j, round;
    problem q;
    ad_pattern p;
    memset(&q, 0, sizeof q);
    memset(e, 0, sizeof e);
    for (i = 0; i < 9; i++) x[i] = ad_input(t, 0.5 + 0.125 * (double)i);
    CHECK_STATUS(ad_var_call(t, &mix, NULL, 3, x, 20, u), AD_OK);
    z[0] = u[1];
    z[1] = ad_const(2);
    z[2] = x[5];
    CHECK_STATUS(ad_var_call(t, &mix, NULL, 3, z, 3, v), AD_OK);
    y[0] = u[0];
    y[1] = u[19];
    y[2] = u[7];
    y[3] = v[0];
    y[4] = v[1];
    y[5] = ad_var_mul(v[2], x[8]);
    y[6] = ad_var_sin(x[4]);
    y[7] = x[2];
    for (i = 0; i < 6; i++) for (j = 0; j < 3; j++) e[i * 9 + j] = 1;
    for (i = 3; i < 6; i++) e[i * 9 + 5] = 1;
    e[5 * 9 + 8] = e[6 * 9 + 4] = e[7 * 9 + 2] = 1;
    q.t = t;
    q.n = 9;
    q.m = 8;
    q.x = x;
    q.y = y;
    q.tolerance = 1e-14;
    q.what = "user operations";
    whole(&q, e, __LINE__);
    for (round = 0; round < 2; round++) {            /* one result, of which many come after */
        CHECK_STATUS(ad_jacobian_pattern(t, 9, x, 1, y, &p), AD_OK);
        pattern_is(&p, 1, 9, e, 1, "one result of many", __LINE__);
        ad_pattern_free(&p);
    }
    q.hessian = 1;
    q.tolerance = 1e-12;
    q.what = "user operations, Hessian";
    whole(&q, NULL, __LINE__);
    /* results as x: of two that share operands neither depends on the other, by strips neither */
    {
        enum { MANY = 1500 };
        ad_var w[3 + 20], *r = variables(MANY);
        unsigned char *f = flags(MANY * 23);
        for (i = 0; i < 3; i++) w[i] = x[i];
        for (i = 0; i < 20; i++) w[3 + i] = u[i];
        for (i = 0; i < MANY; i++) {
            r[i] = i < 20 ? u[i] : ad_var_exp(u[i % 20]);
            for (j = 0; j < 3; j++) f[i * 23 + j] = 1;
            f[i * 23 + 3 + i % 20] = 1;
        }
        CHECK_STATUS(ad_jacobian_pattern(t, 23, w, 20, r, &p), AD_OK);
        pattern_is(&p, 20, 23, f, 1, "user results as x", __LINE__);
        ad_pattern_free(&p);
        CHECK_STATUS(ad_jacobian_pattern(t, 23, w, MANY, r, &p), AD_OK);
        pattern_is(&p, MANY, 23, f, 1, "user results as x, strips", __LINE__);
        ad_pattern_free(&p);
        free(r);
        free(f);
    }
    /* without `record` there is no Hessian, and that is said */
    CHECK_STATUS(ad_var_call(t, &mix_without, NULL, 2, x, 2, u), AD_OK);
    i = slots(t);
    CHECK_STATUS(ad_hessian_pattern(t, 9, x, 1, u, &p), AD_ERR_UNSUPPORTED);
    CHECK(p.row_start == NULL && p.column == NULL && p.rows == 0);
    CHECK(strstr(ad_tape_message(t), "mix_without") != NULL);
    CHECK(slots(t) == i);
    ad_pattern_free(&p);
    ad_tape_clear_status(t);
    CHECK_STATUS(ad_jacobian_pattern(t, 3, x, 2, u, &p), AD_OK);
    CHECK(p.row_start[2] == 4);
    ad_pattern_free(&p);
    ad_tape_destroy(t);
}

/* ---------------------------------------------------------------- errors */

static int sensible(const char *m)
{
    const size_t n = strlen(m);
    return n > 10 && n < 200 && strchr(m, '\n') == NULL && strncmp(m, "ad_", 3) == 0;
}
static void refused(const ad_pattern *p, const ad_sparse_desc *d, ad_status expected,
                    const char *piece, int line)
{
    ad_sparse *s = ad_sparse_create(p, d);
    const ad_sparse_stats st = ad_sparse_get_stats(s);
    const char *m = ad_sparse_message(s);
    ad_tape *t = ad_tape_create(NULL);
    ad_var x = ad_input(t, 1), y = ad_var_sin(x);
    double v = 7;
    test_check(ad_sparse_status(s) == expected, __FILE__, line, "status is %s, not %s",
               ad_status_name(ad_sparse_status(s)), ad_status_name(expected));
    test_check(sensible(m) && strstr(m, piece), __FILE__, line, "\"%s\" does not say \"%s\"", m,
               piece);
    test_check(st.rows == 0 && st.columns == 0 && st.nonzeros == 0 && st.values == 0
               && st.colours == 0 && st.sweeps == 0 && st.reverse == 0, __FILE__, line,
               "stats of a failed plan");
    /* passed on */
    test_check((d && d->hessian ? ad_sparse_hessian(s, t, 1, &x, 1, &y, NULL, &v)
                : ad_sparse_jacobian(s, t, 1, &x, 1, &y, &v)) == expected, __FILE__, line,
               "a failed plan gave another status");
    test_check(ad_tape_status(t) == expected && strstr(ad_tape_message(t), piece) && v == 7,
               __FILE__, line, "\"%s\"", ad_tape_message(t));
    ad_tape_clear_status(t);
    test_check(slots(t) == 2 && ad_backward(y) == AD_OK, __FILE__, line, "the tape is unusable");
    ad_tape_destroy(t);
    ad_sparse_destroy(s);
}
#define REFUSED(p, d, status, piece) refused(p, d, status, piece, __LINE__)

static void test_refused_plans(void)
{
    size_t start[4] = { 0, 2, 3, 5 }, column[5] = { 0, 1, 1, 0, 2 };   /* 3 x 3 */
    size_t row3[5] = { 0, 0, 1, 2, 2 }, column3[5] = { 0, 1, 1, 0, 2 };
    ad_pattern p, e;
    ad_sparse_desc d;
    int format;
    memset(&p, 0, sizeof p);
    memset(&d, 0, sizeof d);
    p.rows = p.columns = 3;
    p.row_start = start;
    p.column = column;
    REFUSED(NULL, NULL, AD_ERR_ARGUMENT, "no pattern");
    e = p;
    e.row_start = NULL;
    REFUSED(&e, NULL, AD_ERR_ARGUMENT, "no pattern");
    e = p;
    e.column = NULL;
    REFUSED(&e, NULL, AD_ERR_ARGUMENT, "no pattern");
    start[0] = 1;
    REFUSED(&p, NULL, AD_ERR_ARGUMENT, "row_start");
    CHECK_STATUS(ad_pattern_transpose(&p, &e), AD_ERR_ARGUMENT);
    start[0] = 0;
    start[2] = 1;                                    /* descends after row 0 */
    REFUSED(&p, NULL, AD_ERR_ARGUMENT, "row_start[1] is 2");
    start[2] = 3;
    column[1] = 0;
    REFUSED(&p, NULL, AD_ERR_ARGUMENT, "row 0");
    column[1] = 3;
    REFUSED(&p, NULL, AD_ERR_ARGUMENT, "row 0 has column 3");
    column[1] = 1;
    column[3] = 2;                                   /* 2, 2 */
    REFUSED(&p, NULL, AD_ERR_ARGUMENT, "row 2");
    column[3] = 0;
    {   /* the first row claims more than there is: nothing beyond the array is read */
        size_t *const s2 = sizes(2), *const c2 = (size_t *)malloc(2 * sizeof(size_t));
        ad_pattern q;
        memset(&q, 0, sizeof q);
        q.rows = 2;
        q.columns = 1000;
        q.row_start = s2;
        q.column = c2;
        s2[1] = 900;
        s2[2] = 2;
        c2[0] = 0;
        c2[1] = 1;
        REFUSED(&q, NULL, AD_ERR_ARGUMENT, "row_start[1]");
        free(s2);
        free(c2);
    }
    d.format = (ad_sparse_format)6;
    REFUSED(&p, &d, AD_ERR_ARGUMENT, "format 6");
    /* Hessians */
    memset(&d, 0, sizeof d);
    d.indirect = 1;
    REFUSED(&p, &d, AD_ERR_ARGUMENT, "substitution is for Hessians");
    memset(&d, 0, sizeof d);
    d.hessian = 1;
    REFUSED(&p, &d, AD_ERR_ARGUMENT, "symmetric");
    e = p;
    e.columns = 4;
    REFUSED(&e, &d, AD_ERR_SHAPE, "3 x 4");
    /* as many in each row and column, and still not symmetric: a cycle */
    {
        size_t s3[4] = { 0, 1, 2, 3 }, c3[3] = { 1, 2, 0 };
        ad_pattern q;
        memset(&q, 0, sizeof q);
        q.rows = q.columns = 3;
        q.row_start = s3;
        q.column = c3;
        REFUSED(&q, &d, AD_ERR_ARGUMENT, "symmetric");
    }
    /* bands */
    memset(&d, 0, sizeof d);
    d.format = AD_SPARSE_BAND;
    d.below = 1;
    d.above = 1;
    REFUSED(&p, &d, AD_ERR_ARGUMENT, "(2, 0)");
    d.below = 2;
    d.above = 0;
    REFUSED(&p, &d, AD_ERR_ARGUMENT, "(0, 1)");
    d.above = 1;
    d.leading = 3;
    REFUSED(&p, &d, AD_ERR_ARGUMENT, "leading is 3");
    memset(&d, 0, sizeof d);
    d.leading = 2;
    d.format = AD_SPARSE_DENSE_ROWS;
    REFUSED(&p, &d, AD_ERR_ARGUMENT, "leading is 2");
    d.format = AD_SPARSE_DENSE_COLUMNS;
    REFUSED(&p, &d, AD_ERR_ARGUMENT, "leading is 2");
    /* as many numbers as no memory has: their count does not wrap around */
    memset(&d, 0, sizeof d);
    d.leading = SIZE_MAX / 2 + 1;
    for (format = AD_SPARSE_BAND; format <= AD_SPARSE_DENSE_COLUMNS; format++) {
        d.format = (ad_sparse_format)format;
        d.below = d.above = 2;
        REFUSED(&p, &d, AD_ERR_ARGUMENT, "leading");
    }
    memset(&d, 0, sizeof d);
    d.format = AD_SPARSE_BAND;
    d.below = d.above = SIZE_MAX / 2;
    REFUSED(&p, &d, AD_ERR_ARGUMENT, "ad_sparse_create");
    /* triplets */
    memset(&d, 0, sizeof d);
    d.format = AD_SPARSE_TRIPLETS;
    d.triplets = 5;
    REFUSED(&p, &d, AD_ERR_ARGUMENT, "NULL for 5 triplets");
    d.row = row3;
    REFUSED(&p, &d, AD_ERR_ARGUMENT, "NULL for 5 triplets");
    d.column = column3;
    d.triplets = 4;
    REFUSED(&p, &d, AD_ERR_ARGUMENT, "(2, 2)");
    d.triplets = 0;
    REFUSED(&p, &d, AD_ERR_ARGUMENT, "(0, 0)");
    d.triplets = 5;
    row3[4] = 3;
    REFUSED(&p, &d, AD_ERR_ARGUMENT, "triplet 4 is (3, 2)");
    row3[4] = 2;
    column3[2] = 3;
    REFUSED(&p, &d, AD_ERR_ARGUMENT, "triplet 2 is (1, 3)");
    column3[2] = 1;
    d.lower = 1;                                     /* (0, 1) is not needed then, (2, 0) is */
    row3[1] = 0;
    column3[1] = 2;
    {
        ad_sparse *s = ad_sparse_create(&p, &d);
        CHECK_STATUS(ad_sparse_status(s), AD_OK);
        CHECK_STRING(ad_sparse_message(s), "");
        ad_sparse_destroy(s);
    }
    column3[3] = 1;
    REFUSED(&p, &d, AD_ERR_ARGUMENT, "(2, 0)");
    /* no plan at all */
    CHECK_STATUS(ad_sparse_status(NULL), AD_ERR_MEMORY);
    CHECK(sensible(ad_sparse_message(NULL)));
    CHECK(ad_sparse_get_stats(NULL).values == 0);
    ad_sparse_destroy(NULL);
    /* transposes */
    ad_pattern_free(NULL);
    CHECK_STATUS(ad_pattern_transpose(&p, NULL), AD_ERR_ARGUMENT);
    memset(&e, 0xAA, sizeof e);
    CHECK_STATUS(ad_pattern_transpose(NULL, &e), AD_ERR_ARGUMENT);
    CHECK(e.row_start == NULL && e.memory == NULL);
    start[2] = 1;
    CHECK_STATUS(ad_pattern_transpose(&p, &e), AD_ERR_ARGUMENT);
    start[2] = 3;
    column[4] = 3;
    CHECK_STATUS(ad_pattern_transpose(&p, &e), AD_ERR_ARGUMENT);
    CHECK(e.row_start == NULL);
    column[4] = 2;
    CHECK_STATUS(ad_pattern_transpose(&p, &e), AD_OK);
    CHECK(e.rows == 3 && e.row_start[1] == 2 && e.column[0] == 0 && e.column[1] == 2);
    ad_pattern_free(&e);
    CHECK(e.row_start == NULL && e.memory == NULL && e.rows == 0);
    ad_pattern_free(&e);
}

/* Status of a call, one line on the tape about it, no slot more; then the tape works again. */
#define FAILS(call, expected, piece) do {                                                          \
        const size_t before_ = slots(t);                                                           \
        CHECK_STATUS(call, expected);                                                              \
        CHECK_STATUS(ad_tape_status(t), expected);                                                 \
        test_check(sensible(ad_tape_message(t)) && strstr(ad_tape_message(t), piece), __FILE__,    \
                   __LINE__, "\"%s\" does not say \"%s\"", ad_tape_message(t), piece);             \
        CHECK(slots(t) == before_);                                                                \
        ad_tape_clear_status(t);                                                                   \
    } while (0)

static void test_errors(void)
{
    ad_tape *t = ad_tape_create(NULL), *other = ad_tape_create(NULL);
    ad_var x[2], y[2], foreign, stale;
    ad_pattern p, h, e;
    ad_sparse_desc d;
    ad_sparse *plan, *second;
    double v[8];
    size_t i, before;
    foreign = ad_input(other, 1);
    x[0] = ad_input(t, 0.5);
    x[1] = ad_input(t, 0.75);
    y[0] = ad_var_mul(x[0], x[1]);
    y[1] = ad_var_sin(x[1]);
    before = ad_tape_mark(t);
    stale = ad_var_exp(y[1]);
    ad_tape_rewind(t, before);
    for (i = 0; i < 8; i++) v[i] = 7;
    memset(&d, 0, sizeof d);
    d.hessian = 1;
    CHECK_STATUS(ad_jacobian_pattern(t, 2, x, 2, y, &p), AD_OK);
    CHECK_STATUS(ad_hessian_pattern(t, 2, x, 2, y, &h), AD_OK);
    CHECK(slots(t) == before);
    plan = ad_sparse_create(&p, NULL);
    second = ad_sparse_create(&h, &d);
    CHECK_STATUS(ad_sparse_status(plan), AD_OK);
    CHECK_STRING(ad_sparse_message(plan), "");
    CHECK_STATUS(ad_sparse_status(second), AD_OK);
    {   /* y and 1 - y cancel for equal weights alone */
        const double w[2] = { 1, 3 };
        ad_var both[2];
        ad_pattern of_both;
        ad_sparse *third;
        double H[4];
        both[0] = ad_var_mul(x[0], y[0]);
        both[1] = ad_var_sub_from_r(1, both[0]);
        CHECK_STATUS(ad_hessian_pattern(t, 2, x, 2, both, &of_both), AD_OK);
        d.format = AD_SPARSE_DENSE_ROWS;
        third = ad_sparse_create(&of_both, &d);
        d.format = AD_SPARSE_ROWS;
        CHECK_STATUS(ad_sparse_hessian(third, t, 2, x, 2, both, w, H), AD_OK);
        CHECK_NEAR(H[0], -4 * 0.75, 1e-15);
        CHECK_NEAR(H[1], -4 * 0.5, 1e-15);
        CHECK_NEAR(H[2], -4 * 0.5, 1e-15);
        CHECK(H[3] == 0 && of_both.row_start[2] == 3);
        ad_sparse_destroy(third);
        ad_pattern_free(&of_both);
        ad_tape_rewind(t, before);
    }
    /* NULL */
    memset(&e, 0xAA, sizeof e);
    CHECK_STATUS(ad_jacobian_pattern(NULL, 2, x, 2, y, &e), AD_ERR_ARGUMENT);
    CHECK(e.row_start == NULL && e.column == NULL && e.memory == NULL);
    memset(&e, 0xAA, sizeof e);
    CHECK_STATUS(ad_hessian_pattern(NULL, 2, x, 2, y, &e), AD_ERR_ARGUMENT);
    CHECK(e.row_start == NULL && e.memory == NULL);
    CHECK_STATUS(ad_sparse_jacobian(plan, NULL, 2, x, 2, y, v), AD_ERR_ARGUMENT);
    CHECK_STATUS(ad_sparse_hessian(second, NULL, 2, x, 2, y, NULL, v), AD_ERR_ARGUMENT);
    FAILS(ad_jacobian_pattern(t, 2, x, 2, y, NULL), AD_ERR_ARGUMENT, "NULL");
    FAILS(ad_hessian_pattern(t, 2, x, 2, y, NULL), AD_ERR_ARGUMENT, "NULL");
    FAILS(ad_jacobian_pattern(t, 2, NULL, 2, y, &e), AD_ERR_ARGUMENT, "NULL");
    CHECK(e.row_start == NULL);
    FAILS(ad_jacobian_pattern(t, 2, x, 2, NULL, &e), AD_ERR_ARGUMENT, "NULL");
    FAILS(ad_hessian_pattern(t, 2, NULL, 2, y, &e), AD_ERR_ARGUMENT, "NULL");
    FAILS(ad_hessian_pattern(t, 2, x, 2, NULL, &e), AD_ERR_ARGUMENT, "NULL");
    FAILS(ad_sparse_jacobian(plan, t, 2, NULL, 2, y, v), AD_ERR_ARGUMENT, "NULL");
    FAILS(ad_sparse_jacobian(plan, t, 2, x, 2, NULL, v), AD_ERR_ARGUMENT, "NULL");
    FAILS(ad_sparse_jacobian(plan, t, 2, x, 2, y, NULL), AD_ERR_ARGUMENT, "NULL");
    FAILS(ad_sparse_hessian(second, t, 2, NULL, 2, y, NULL, v), AD_ERR_ARGUMENT, "NULL");
    FAILS(ad_sparse_hessian(second, t, 2, x, 2, NULL, NULL, v), AD_ERR_ARGUMENT, "NULL");
    FAILS(ad_sparse_hessian(second, t, 2, x, 2, y, NULL, NULL), AD_ERR_ARGUMENT, "NULL");
    FAILS(ad_sparse_jacobian(NULL, t, 2, x, 2, y, v), AD_ERR_MEMORY, "memory");
    FAILS(ad_sparse_hessian(NULL, t, 2, x, 2, y, NULL, v), AD_ERR_MEMORY, "memory");
    /* shapes, kinds */
    FAILS(ad_sparse_jacobian(plan, t, 2, x, 1, y, v), AD_ERR_SHAPE, "1 x 2");
    FAILS(ad_sparse_jacobian(plan, t, 1, x, 2, y, v), AD_ERR_SHAPE, "2 x 1");
    FAILS(ad_sparse_hessian(second, t, 1, x, 2, y, NULL, v), AD_ERR_SHAPE, "1 x 1");
    FAILS(ad_sparse_jacobian(second, t, 2, x, 2, y, v), AD_ERR_ARGUMENT, "plan for a Hessian");
    FAILS(ad_sparse_hessian(plan, t, 2, x, 2, y, NULL, v), AD_ERR_ARGUMENT, "plan for a Jacobian");
    /* variables of another tape, stale ones */
    x[1] = foreign;
    FAILS(ad_jacobian_pattern(t, 2, x, 2, y, &e), AD_ERR_MIXED, "ad_jacobian_pattern");
    CHECK(e.row_start == NULL);
    FAILS(ad_hessian_pattern(t, 2, x, 2, y, &e), AD_ERR_MIXED, "ad_hessian_pattern");
    FAILS(ad_sparse_jacobian(plan, t, 2, x, 2, y, v), AD_ERR_MIXED, "ad_sparse_jacobian");
    FAILS(ad_sparse_hessian(second, t, 2, x, 2, y, NULL, v), AD_ERR_MIXED, "ad_sparse_hessian");
    y[1] = stale;
    x[1] = y[0];
    FAILS(ad_jacobian_pattern(t, 2, x, 2, y, &e), AD_ERR_STALE, "ad_jacobian_pattern");
    FAILS(ad_sparse_jacobian(plan, t, 2, x, 2, y, v), AD_ERR_STALE, "ad_sparse_jacobian");
    FAILS(ad_sparse_hessian(second, t, 2, x, 2, y, NULL, v), AD_ERR_STALE, "ad_sparse_hessian");
    for (i = 0; i < 8; i++) CHECK(v[i] == 7);
    ad_pattern_free(&p);
    ad_pattern_free(&h);
    ad_sparse_destroy(plan);
    ad_sparse_destroy(second);
    ad_tape_destroy(t);
    ad_tape_destroy(other);
}

static void test_failed_tape(void)
{
    ad_tape *t = ad_tape_create(NULL);
    ad_tape_desc limit;
    ad_var x[2], y, twice[2];
    ad_pattern p, h, e;
    ad_sparse *plan, *second;
    ad_sparse_desc d;
    double v[4] = { 7, 7, 7, 7 };
    size_t before;
    x[0] = ad_input(t, 0.5);
    x[1] = ad_input(t, 0.75);
    y = ad_var_mul(x[0], x[1]);
    memset(&d, 0, sizeof d);
    d.hessian = 1;
    CHECK_STATUS(ad_jacobian_pattern(t, 2, x, 1, &y, &p), AD_OK);
    CHECK_STATUS(ad_hessian_pattern(t, 2, x, 1, &y, &h), AD_OK);
    plan = ad_sparse_create(&p, NULL);
    second = ad_sparse_create(&h, &d);
    CHECK_STATUS(ad_jacobian_pattern(t, 2, NULL, 1, &y, &e), AD_ERR_ARGUMENT);     /* it fails */
    before = slots(t);
    CHECK_STATUS(ad_jacobian_pattern(t, 2, x, 1, &y, &e), AD_ERR_ARGUMENT);
    CHECK(e.row_start == NULL && e.memory == NULL);
    CHECK_STATUS(ad_hessian_pattern(t, 2, x, 1, &y, &e), AD_ERR_ARGUMENT);
    CHECK(e.row_start == NULL && e.memory == NULL);
    CHECK_STATUS(ad_sparse_jacobian(plan, t, 2, x, 1, &y, v), AD_ERR_ARGUMENT);
    CHECK_STATUS(ad_sparse_hessian(second, t, 2, x, 1, &y, NULL, v), AD_ERR_ARGUMENT);
    CHECK(v[0] == 7 && slots(t) == before);
    ad_tape_clear_status(t);
    CHECK_STATUS(ad_sparse_jacobian(plan, t, 2, x, 1, &y, v), AD_OK);
    CHECK(v[0] == 0.75 && v[1] == 0.5 && v[2] == 7);
    v[0] = v[1] = 7;
    CHECK_STATUS(ad_sparse_hessian(second, t, 2, x, 1, &y, NULL, v), AD_OK);
    CHECK(v[0] == 1 && v[1] == 1 && v[2] == 7);
    ad_tape_destroy(t);
    /* no room for the gradient: the status stays, the slots do not */
    memset(&limit, 0, sizeof limit);
    limit.max_slots = 4;
    t = ad_tape_create(&limit);
    x[0] = ad_input(t, 0.5);
    x[1] = ad_input(t, 0.75);
    y = ad_var_exp(ad_var_mul(x[0], x[1]));
    CHECK_STATUS(ad_tape_status(t), AD_OK);
    CHECK_STATUS(ad_hessian_pattern(t, 2, x, 1, &y, &e), AD_ERR_LIMIT);
    CHECK(e.row_start == NULL && slots(t) == 4);
    CHECK_STATUS(ad_tape_status(t), AD_ERR_LIMIT);
    ad_tape_clear_status(t);
    v[0] = v[1] = 7;
    CHECK_STATUS(ad_sparse_hessian(second, t, 2, x, 1, &y, NULL, v), AD_OK);   /* needs none */
    CHECK_NEAR(v[0], 1.375 * exp(0.375), 1e-15);
    CHECK(v[1] == v[0] && slots(t) == 4);
    twice[0] = twice[1] = y;
    CHECK_STATUS(ad_sparse_hessian(second, t, 2, x, 2, twice, NULL, v), AD_ERR_LIMIT);
    CHECK(slots(t) == 4);
    ad_tape_clear_status(t);
    CHECK_STATUS(ad_sparse_jacobian(plan, t, 2, x, 1, &y, v), AD_OK);
    CHECK_NEAR(v[0], 0.75 * exp(0.375), 1e-15);
    ad_tape_destroy(t);
    ad_pattern_free(&p);
    ad_pattern_free(&h);
    ad_sparse_destroy(plan);
    ad_sparse_destroy(second);
}

/* A Hessian by products is what one by the recorded gradient is: where there is no value; where
   numbers on the way are infinite, and what they are multiplied by is 0; in a buffer that has room
   for it once, any number of times. */
static void test_products(void)
{
    static unsigned char buffer[1 << 16];
    ad_tape_desc fixed;
    ad_tape *t = ad_tape_create(NULL);
    ad_var x[16], y, list[2];
    ad_sparse_desc d;
    ad_sparse *plan;
    ad_pattern p;
    double v[64];
    size_t i;
    memset(&d, 0, sizeof d);
    d.hessian = 1;
    x[0] = ad_input(t, 0);
    x[1] = ad_input(t, 0.75);
    y = ad_var_add(x[0], ad_var_mul_r(x[1], 3));
    CHECK_STATUS(ad_hessian_pattern(t, 2, x, 1, &y, &p), AD_OK);
    plan = ad_sparse_create(&p, &d);
    CHECK(p.row_start[2] == 0);
    CHECK_STATUS(ad_sparse_hessian(plan, t, 2, x, 1, &y, NULL, NULL), AD_OK);
    ad_sparse_destroy(plan);
    ad_pattern_free(&p);
    list[0] = ad_var_log(x[0]);                  /* -infinity: of the sum of exp a zero */
    list[1] = ad_var_square(x[1]);
    y = ad_var_logsumexp(2, list);
    CHECK_STATUS(ad_hessian_pattern(t, 2, x, 1, &y, &p), AD_OK);
    plan = ad_sparse_create(&p, &d);
    if (CHECK(p.row_start[2] == 4)) {
        CHECK_STATUS(ad_sparse_hessian(plan, t, 2, x, 1, &y, NULL, v), AD_OK);
        CHECK(v[0] == 0 && v[1] == 0 && v[2] == 0);
        CHECK_NEAR(v[3], 2, 1e-15);
    }
    ad_sparse_destroy(plan);
    ad_pattern_free(&p);
    ad_tape_destroy(t);
    memset(&fixed, 0, sizeof fixed);
    fixed.buffer = buffer;
    fixed.buffer_bytes = sizeof buffer;
    t = ad_tape_create(&fixed);
    y = ad_const(0);
    for (i = 0; i < 16; i++) x[i] = ad_input(t, 0.25);
    for (i = 0; i + 1 < 16; i++) y = ad_var_add(y, ad_var_mul(x[i], ad_var_exp(x[i + 1])));
    CHECK_STATUS(ad_hessian_pattern(t, 16, x, 1, &y, &p), AD_OK);
    for (d.indirect = 0; d.indirect < 2; d.indirect++) {
        plan = ad_sparse_create(&p, &d);
        for (i = 0; i < 300 && ad_tape_status(t) == AD_OK; i++) {
            ad_pattern again;
            ad_sparse_hessian(plan, t, 16, x, 1, &y, NULL, v);
            ad_hessian_pattern(t, 16, x, 1, &y, &again);
            ad_pattern_free(&again);
        }
        CHECK_STATUS(ad_tape_status(t), AD_OK);
        CHECK_NEAR(v[0], exp(0.25), 1e-14);      /* of x[0] and x[1], which are mixed alone */
        ad_sparse_destroy(plan);
    }
    ad_pattern_free(&p);
    ad_tape_destroy(t);
}

/* Patterns and plans of nothing: no arrays are needed. */
static void test_nothing(void)
{
    ad_tape *t = ad_tape_create(NULL);
    ad_sparse_desc d;
    ad_pattern p;
    size_t zero = 0;
    int format, hessian;
    CHECK_STATUS(ad_jacobian_pattern(t, 0, NULL, 0, NULL, &p), AD_OK);
    CHECK(sound(&p, 0, 0));
    ad_pattern_free(&p);
    CHECK_STATUS(ad_hessian_pattern(t, 0, NULL, 0, NULL, &p), AD_OK);
    CHECK(sound(&p, 0, 0));
    ad_pattern_free(&p);
    memset(&p, 0, sizeof p);
    p.row_start = &zero;
    for (hessian = 0; hessian < 2; hessian++)
        for (format = AD_SPARSE_ROWS; format <= AD_SPARSE_TRIPLETS; format++) {
            ad_sparse *s;
            memset(&d, 0, sizeof d);
            d.hessian = hessian;
            d.format = (ad_sparse_format)format;
            s = ad_sparse_create(&p, &d);
            CHECK_STATUS(ad_sparse_status(s), AD_OK);
            CHECK(ad_sparse_get_stats(s).values == 0 && ad_sparse_get_stats(s).colours == 0);
            CHECK_STATUS(hessian ? ad_sparse_hessian(s, t, 0, NULL, 0, NULL, NULL, NULL)
                         : ad_sparse_jacobian(s, t, 0, NULL, 0, NULL, NULL), AD_OK);
            ad_sparse_destroy(s);
        }
    CHECK_STATUS(ad_tape_status(t), AD_OK);
    ad_tape_destroy(t);
}

/* ---------------------------------------------------------------- more of the interface */

static void test_branches(void)
{
    ad_tape *t = ad_tape_create(NULL);
    ad_var x[2], y;
    ad_pattern p, h;
    size_t mark;
    x[0] = ad_input(t, 2);
    x[1] = ad_input(t, 3);
    y = ad_branch(ad_var_gt(x[1], x[0])) ? ad_var_square(x[0]) : x[1];
    CHECK_STATUS(ad_jacobian_pattern(t, 2, x, 1, &y, &p), AD_OK);
    CHECK(p.branches == 1);
    ad_pattern_free(&p);
    mark = ad_tape_mark(t);
    if (ad_branch(ad_var_lt(x[0], x[1]))) y = ad_var_mul(y, x[1]);
    if (ad_branch(ad_var_lt(x[0], ad_const(1)))) y = ad_var_exp(y);
    ad_branch(ad_const(1));                          /* no input is behind it */
    CHECK_STATUS(ad_jacobian_pattern(t, 2, x, 1, &y, &p), AD_OK);
    CHECK(p.branches == 3);
    CHECK_STATUS(ad_hessian_pattern(t, 2, x, 1, &y, &h), AD_OK);
    CHECK(h.branches == 3);
    ad_pattern_free(&h);
    CHECK_STATUS(ad_pattern_transpose(&p, &h), AD_OK);
    CHECK(h.branches == 3);
    ad_pattern_free(&h);
    ad_pattern_free(&p);
    ad_tape_rewind(t, mark);
    y = x[0];
    CHECK_STATUS(ad_jacobian_pattern(t, 2, x, 1, &y, &p), AD_OK);
    CHECK(p.branches == 1);
    ad_pattern_free(&p);
    ad_tape_reset(t);
    x[0] = ad_input(t, 2);
    CHECK_STATUS(ad_jacobian_pattern(t, 1, x, 1, x, &p), AD_OK);
    CHECK(p.branches == 0 && p.row_start[1] == 1);
    ad_pattern_free(&p);
    ad_tape_destroy(t);
}

/* y = c x0 x1 + x0, or c (x0 x1 + x1 x0) + x0, where c is a plain number: 0 while the pattern is
   found, 1 when its plan is used. */
enum { NUMBERS = 11, OF_ARRAYS = 8 };
static ad_var recorded_with(ad_tape *t, int how, double c, ad_var *x)
{
    static const double at[2] = { 2, 3 };
    static const int32_t two = 2;
    const double both[2] = { c, 1 }, same[2] = { c, c };
    double partial[2];
    ad_var of[2], y;
    ad_array a, b;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    ad_tape_reset(t);
    if (how < OF_ARRAYS) {
        ad_inputs(t, 2, at, x);
        of[0] = y = ad_var_mul(x[0], x[1]);
    } else {
        a = ad_array_input(t, 1, &two, at);
        b = ad_array_mul(a, ad_array_flip(a, AD_AXIS(0)));
        x[0] = ad_array_at(a, 0);
        of[0] = y = x[1] = ad_array_at(a, 1);
    }
    of[1] = x[0];
    partial[0] = c;
    partial[1] = 1;
    switch (how) {
    case 0: return ad_var_lincomb(2, both, of);
    case 1: return ad_var_fma(y, ad_const(c), x[0]);
    case 2: return ad_var_custom(t, 2, of, c * y.v + x[0].v, partial);
    case 3: y = ad_var_mul_r(y, c); break;
    case 4: y = ad_var_mul(ad_const(c), y); break;
    case 5: y = ad_var_div(y, ad_const(c > 0 ? 1 / c : HUGE_VAL)); break;
    case 6: y = ad_var_select(ad_const(c), y, x[0]); break;
    case 7: y = ad_var_sub(ad_var_mul_r(y, c + 1), y); break;          /* adjoints that cancel */
    case 8: b = ad_array_mul_r(b, c); break;
    case 9: b = ad_array_mul(b, ad_array_const(t, 1, &two, same)); break;
    default: b = ad_array_fma(b, ad_array_full(t, 0, NULL, c), a); break;
    }
    if (how >= OF_ARRAYS) y = ad_array_item(ad_array_sum(b, AD_ALL_AXES, 0));
    return ad_var_add(y, x[0]);
}
static void test_numbers(void)
{
    ad_tape *t = ad_tape_create(NULL);
    int how;
    for (how = 0; how < NUMBERS; how++) {
        ad_var x[2], y = recorded_with(t, how, 0, x);
        ad_sparse_desc d;
        ad_sparse *plan;
        ad_pattern p;
        double H[4], dense[4];
        memset(&d, 0, sizeof d);
        d.hessian = 1;
        d.format = AD_SPARSE_DENSE_ROWS;
        CHECK_STATUS(ad_hessian_pattern(t, 2, x, 1, &y, &p), AD_OK);
        plan = ad_sparse_create(&p, &d);
        y = recorded_with(t, how, 1, x);
        CHECK_STATUS(ad_sparse_hessian(plan, t, 2, x, 1, &y, NULL, H), AD_OK);
        CHECK_STATUS(ad_hessian_of(y, 2, x, dense), AD_OK);
        CHECK(dense[1] == (how < OF_ARRAYS ? 1 : 2) && memcmp(H, dense, sizeof H) == 0);
        CHECK(p.row_start[2] == 2);
        ad_sparse_destroy(plan);
        ad_pattern_free(&p);
    }
    /* what the table itself says to be 0 is no number of the program */
    {
        ad_var x[2], y;
        ad_pattern p;
        ad_tape_reset(t);
        x[0] = ad_input(t, 1.5);
        x[1] = ad_input(t, 2.5);
        y = ad_var_mul(ad_var_floor(x[0]), x[1]);
        CHECK_STATUS(ad_hessian_pattern(t, 2, x, 1, &y, &p), AD_OK);
        CHECK(p.row_start[2] == 0);
        ad_pattern_free(&p);
    }
    ad_tape_destroy(t);
}

/* A plan is made once: another point, another tape, triplets that are gone. */
static void test_plan_again(void)
{
    size_t row[3] = { 1, 0, 0 }, column[3] = { 1, 0, 1 };
    ad_sparse_desc d;
    ad_sparse *plan = NULL;
    int round;
    memset(&d, 0, sizeof d);
    d.format = AD_SPARSE_TRIPLETS;
    d.triplets = 3;
    d.row = row;
    d.column = column;
    for (round = 0; round < 4; round++) {
        ad_tape *t = ad_tape_create(NULL);
        ad_var x[2], y[2];
        double v[3];
        x[0] = ad_input(t, 1 + round);
        x[1] = ad_input(t, 0.5);
        y[0] = ad_var_mul(x[0], x[1]);
        y[1] = ad_var_square(x[1]);
        if (!plan) {
            ad_pattern p;
            CHECK_STATUS(ad_jacobian_pattern(t, 2, x, 2, y, &p), AD_OK);
            plan = ad_sparse_create(&p, &d);
            ad_pattern_free(&p);                     /* none of these is needed any more */
            memset(row, 0xAA, sizeof row);
            memset(column, 0xAA, sizeof column);
            memset(&d, 0xAA, sizeof d);
        }
        CHECK_STATUS(ad_sparse_jacobian(plan, t, 2, x, 2, y, v), AD_OK);
        CHECK(v[0] == 1.0 && v[1] == 0.5 && v[2] == 1 + round);
        ad_tape_destroy(t);
    }
    ad_sparse_destroy(plan);
}

/* ---------------------------------------------------------------- float */

static void test_float(void)
{
    enum { N = 24 };
    uint64_t seed;
    for (seed = 1; seed <= 20; seed += (uint64_t)test_stride()) {
        adf_tape *t = adf_tape_create(NULL);
        adf_var v[80], x[N], y[N];
        uint64_t dep[80];
        unsigned char e[N * N], f[N * N];
        float *D = (float *)room(N * N, sizeof *D), *a = (float *)room(N * N, sizeof *a), w[N];
        ad_pattern p;
        ad_sparse *plan;
        ad_sparse_desc d;
        size_t i, j, k, wrong = 0, before;
        random_state = 300 + seed;
        for (i = 0; i < N; i++) {
            v[i] = x[i] = adf_input(t, (float)between(-1, 1));
            dep[i] = (uint64_t)1 << i;
            w[i] = (float)between(0.5, 1);
        }
        for (; i < 80; i++) {
            const size_t b = below(i), c = i - 1 - below(20);
            dep[i] = dep[b] | dep[c];
            switch (below(5)) {
            case 0: v[i] = adf_var_tanh(adf_var_add(v[b], v[c])); break;
            case 1: v[i] = adf_var_sin(adf_var_mul(v[b], v[c])); break;
            case 2: v[i] = adf_var_sub(v[b], adf_var_square(adf_var_sin(v[c]))); break;
            case 3: v[i] = adf_var_mul(adf_var_floor(v[b]), adf_var_sin(v[c])), dep[i] = dep[c];
                    break;
            default: v[i] = adf_var_tanh(adf_var_hypot(v[b], v[c])); break;
            }
        }
        for (i = 0; i < N; i++) {
            k = i % 3 ? 79 - below(50) : below(80);
            y[i] = v[k];
            for (j = 0; j < N; j++) e[i * N + j] = dep[k] >> j & 1;
        }
        CHECK_STATUS(adf_jacobian_pattern(t, N, x, N, y, &p), AD_OK);
        pattern_is(&p, N, N, e, 1, "float", __LINE__);
        plan = ad_sparse_create(&p, NULL);
        CHECK_STATUS(adf_jacobian_forward(t, N, x, N, y, D), AD_OK);
        CHECK_STATUS(adf_sparse_jacobian(plan, t, N, x, N, y, a), AD_OK);
        for (i = 0; i < N; i++)
            for (k = p.row_start[i]; k < p.row_start[i + 1]; k++)
                wrong += !close_to((double)a[k], (double)D[i * N + p.column[k]], 2e-6);
        CHECK(wrong == 0);
        ad_sparse_destroy(plan);
        ad_pattern_free(&p);
        /* the Hessian, dense by columns */
        before = adf_tape_get_stats(t).slots;
        CHECK_STATUS(adf_hessian_pattern(t, N, x, 4, y, &p), AD_OK);
        CHECK(adf_tape_get_stats(t).slots == before);
        memset(&d, 0, sizeof d);
        d.hessian = 1;
        d.format = AD_SPARSE_DENSE_COLUMNS;
        plan = ad_sparse_create(&p, &d);
        CHECK_STATUS(adf_sparse_hessian(plan, t, N, x, 4, y, w, a), AD_OK);
        CHECK(adf_tape_get_stats(t).slots == before);
        {
            adf_var s = adf_var_lincomb(4, w, y);
            memset(D, 0, N * N * sizeof *D);
            if (s.tape) CHECK_STATUS(adf_hessian_of(s, N, x, D), AD_OK);
        }
        for (i = 0; i < N * N; i++) f[i] = D[i] != 0;
        pattern_is(&p, N, N, f, 0, "float Hessian", __LINE__);
        CHECK(symmetric(&p));
        for (i = wrong = 0; i < N * N; i++) wrong += !close_to((double)a[i], (double)D[i], 2e-5);
        CHECK(wrong == 0);
        CHECK_STATUS(adf_tape_status(t), AD_OK);
        ad_sparse_destroy(plan);
        ad_pattern_free(&p);
        adf_tape_destroy(t);
        free(D);
        free(a);
    }
}

/* ---------------------------------------------------------------- the gradient checker */

typedef struct checked { const ad_sparse *plan; } checked;
static void chain_values(const double *x, size_t n, double *y, size_t m, void *user)
{
    size_t i;
    (void)user;
    for (i = 0; i < m; i++) y[i] = sin(x[i]) * x[(i + 1) % n] + x[(i + 5) % n];
}
static void chain_record(ad_tape *t, const double *v, size_t n, ad_var *x, size_t m, ad_var *y)
{
    size_t i;
    CHECK_STATUS(ad_inputs(t, n, v, x), AD_OK);
    for (i = 0; i < m; i++)
        y[i] = ad_var_add(ad_var_mul(ad_var_sin(x[i]), x[(i + 1) % n]), x[(i + 5) % n]);
}
static void chain_jacobian(const double *v, size_t n, double *values, size_t nnz, void *user)
{
    enum { M = 20 };
    ad_tape *t = ad_tape_create(NULL);
    ad_var *x = variables(n), y[M];
    const ad_sparse *const plan = ((const checked *)user)->plan;
    chain_record(t, v, n, x, M, y);
    CHECK(ad_sparse_get_stats(plan).values == nnz);
    CHECK_STATUS(ad_sparse_jacobian(plan, t, n, x, M, y, values), AD_OK);
    ad_tape_destroy(t);
    free(x);
}
static void test_checker(void)
{
    enum { M = 20, N = 30 };
    ad_tape *t = ad_tape_create(NULL);
    ad_var x[N], y[M];
    double v[N];
    unsigned char *f;
    ad_pattern p, less;
    ad_sparse *plan;
    checked c;
    size_t i;
    random_state = 6;
    for (i = 0; i < N; i++) v[i] = between(0.5, 1.5);
    chain_record(t, v, N, x, M, y);
    CHECK_STATUS(ad_jacobian_pattern(t, N, x, M, y, &p), AD_OK);
    CHECK(p.row_start[M] == 3 * M);
    c.plan = plan = ad_sparse_create(&p, NULL);
    CHECK(ad_check_ok(ad_check_sparse_jacobian(chain_values, chain_jacobian, v, N, M, p.row_start,
                                               p.column, &c, NULL, NULL)));
    ad_sparse_destroy(plan);
    f = spread(&p);
    for (i = 0; i < M; i += 7) {                     /* without one entry */
        ad_verdict verdict;
        f[i * N + i + 1] = 0;
        less = own_pattern(M, N, f);
        c.plan = plan = ad_sparse_create(&less, NULL);
        CHECK_STATUS(ad_sparse_status(plan), AD_OK);
        verdict = ad_check_sparse_jacobian(chain_values, chain_jacobian, v, N, M, less.row_start,
                                           less.column, &c, NULL, NULL);
        CHECK(!ad_check_ok(verdict) && !ad_check_undecided(verdict));
        ad_sparse_destroy(plan);
        free_own(&less);
        f[i * N + i + 1] = 1;
    }
    free(f);
    ad_pattern_free(&p);
    ad_tape_destroy(t);
}

/* With so much memory and no more a plan is made, or says for what there was none. */
static void test_starved(void)
{
    enum { N = 20000, STEP = 1 << 17, STEPS = 60 };
    ad_sparse_desc d[5];
    ad_pattern p;
    size_t *row = sizes(3 * N), k, i, more;
    int made, kind;
    memset(&p, 0, sizeof p);
    p.rows = p.columns = N;
    p.row_start = sizes(N + 1);
    p.column = sizes(3 * N);
    for (i = k = 0; i < N; i++) {                    /* three diagonals */
        size_t j;
        for (j = i ? i - 1 : 0; j <= i + 1 && j < N; j++) {
            row[k] = i;
            p.column[k++] = j;
        }
        p.row_start[i + 1] = k;
    }
    memset(d, 0, sizeof d);
    d[1].hessian = 1;
    d[2].format = AD_SPARSE_TRIPLETS;
    d[2].triplets = k;
    d[2].row = row;
    d[2].column = p.column;
    d[3].hessian = d[3].lower = 1;
    d[3].format = AD_SPARSE_COLUMNS;
    d[4].hessian = d[4].indirect = 1;
    for (kind = 0; kind < 5; kind++) {
        made = 0;
        for (more = 0; more < (size_t)STEP * STEPS; more += STEP) {
            ad_pattern t;
            ad_status turned;
            ad_sparse *s;
            if (!starve(more)) break;
            s = ad_sparse_create(&p, &d[kind]);
            turned = ad_pattern_transpose(&p, &t);
            starve((size_t)-1);
            CHECK(turned == AD_OK ? sound(&t, N, N) : turned == AD_ERR_MEMORY && !t.memory);
            ad_pattern_free(&t);
            if (ad_sparse_status(s) == AD_OK) {
                made++;
                CHECK(ad_sparse_get_stats(s).nonzeros == p.row_start[N]);
            } else if (s) {
                CHECK_STATUS(ad_sparse_status(s), AD_ERR_MEMORY);
                CHECK(strncmp(ad_sparse_message(s), "ad_sparse_create: no memory for ", 32) == 0);
            }
            ad_sparse_destroy(s);
        }
        CHECK(more == 0 || made > 0);
    }
    free_own(&p);
    free(row);
}

/* Patterns likewise: good, and nothing is said, or no memory, and the tape says for what. */
static void test_starved_patterns(void)
{
    enum { N = 20000, STEP = 1 << 17, STEPS = 60 };
    double *const v = (double *)calloc(N, sizeof *v);
    ad_tape *const t = ad_tape_create(NULL);
    ad_var *const x = variables(N), *const y = variables(N);
    size_t more;
    int made = 0, what;
    CHECK(v != NULL);
    /* the third time by way of a compiled function, which keeps its own pattern: a good one */
    for (what = 0; what < 3 && v; what++) {
        made = 0;
        for (more = 0; more < (size_t)STEP * STEPS; more += STEP) {
            ad_fn *f = NULL;
            ad_pattern p;
            ad_status s;
            size_t entries = 0;
            ad_tape_reset(t);
            chain_record(t, v, N, x, N, y);
            if (what == 2) {
                f = ad_fn_create(t, N, x, N, y, NULL);
                CHECK_STATUS(ad_jacobian_pattern(t, N, x, N, y, &p), AD_OK);
                entries = p.row_start[N];
                ad_pattern_free(&p);
                CHECK_STATUS(ad_fn_call(f, t, N, x, N, y), AD_OK);
            }
            if (!starve(more)) {
                ad_fn_destroy(f);
                break;
            }
            s = what == 1 ? ad_hessian_pattern(t, N, x, N, y, &p)
                          : ad_jacobian_pattern(t, N, x, N, y, &p);
            starve((size_t)-1);
            CHECK(ad_tape_status(t) == s);
            if (s == AD_OK) {
                made++;
                CHECK(sound(&p, N, N) && ad_tape_message(t)[0] == 0);
                CHECK(what < 2 || p.row_start[N] == entries);
            } else {
                CHECK_STATUS(s, AD_ERR_MEMORY);
                CHECK(!p.memory && strstr(ad_tape_message(t), ": no memory for "));
            }
            ad_pattern_free(&p);
            if (s != AD_OK && what == 2) {             /* with memory it is known */
                ad_tape_clear_status(t);
                CHECK_STATUS(ad_jacobian_pattern(t, N, x, N, y, &p), AD_OK);
                CHECK(p.row_start && p.row_start[N] == entries);
                ad_pattern_free(&p);
            }
            ad_fn_destroy(f);
        }
        CHECK(more == 0 || made > 0);
    }
    ad_tape_destroy(t);
    free(v);
    free(x);
    free(y);
}

/* Kinds through a compiled function. Where its pattern has no memory all its results would depend
   on all; the last x is in none of them. */
static void test_starved_kinds(void)
{
    enum { N = 20000, STEP = 1 << 17, STEPS = 60 };
    double *const v = (double *)calloc(N, sizeof *v);
    ad_tape *const t = ad_tape_create(NULL);
    ad_var *const x = variables(N), *const y = variables(N);
    ad_kind *const kind = (ad_kind *)calloc(N, sizeof *kind);
    size_t more, i;
    int made = 0;
    CHECK(v && kind);
    for (more = 0; more < (size_t)STEP * STEPS && v && kind; more += STEP) {
        ad_fn *f;
        ad_status s;
        ad_tape_reset(t);
        CHECK_STATUS(ad_inputs(t, N, v, x), AD_OK);
        for (i = 0; i < N; i++) y[i] = ad_var_sin(x[i + 1 < N ? i : 0]);
        f = ad_fn_create(t, N, x, N, y, NULL);
        CHECK_STATUS(ad_fn_call(f, t, N, x, N, y), AD_OK);
        if (starve(more)) {
            s = ad_kinds(t, N, x, N, y, kind, NULL);
            starve((size_t)-1);
            CHECK(s == AD_OK || s == AD_ERR_MEMORY);
            CHECK(s != AD_OK || (kind[0] == AD_KIND_NONLINEAR && kind[N - 1] == AD_KIND_CONSTANT));
            made += s == AD_OK;
        } else {
            more = (size_t)STEP * STEPS;
        }
        ad_fn_destroy(f);
    }
    CHECK(made > 0 || more > (size_t)STEP * STEPS);
    ad_tape_destroy(t);
    free(v);
    free(x);
    free(y);
    free(kind);
}

/* Patterns and plans, good ones and failed ones, give their memory back. */
static void test_given_back(void)
{
    CHECK(leaks_none(test_nothing));
    CHECK(leaks_none(test_branches));
    CHECK(leaks_none(test_numbers));
    CHECK(leaks_none(test_plan_again));
    CHECK(leaks_none(test_errors));
    CHECK(leaks_none(test_failed_tape));
    CHECK(leaks_none(test_refused_plans));
    CHECK(leaks_none(test_checker));
}

/* ---------------------------------------------------------------- kinds of outputs and inputs */

/* Letters c, l, q, n for the kinds of the outputs, then of the inputs x, y, z, w. */
static void kinds_of(const char *text, const char *expected, int line)
{
    static const double at[4] = { 0.5, 1.25, -2, 3 };
    ad_fn *f = ad_fn_parse(text, "x, y, z, w", NULL, 0);
    const size_t m = ad_fn_get_stats(f).outputs;
    ad_tape *t = ad_tape_create(NULL);
    ad_var x[4], y[8];
    ad_kind of_x[4], of_y[8];
    char found[16];
    size_t i;
    ad_inputs(t, 4, at, x);
    CHECK_STATUS(ad_fn_record(f, t, x, y), AD_OK);
    CHECK_STATUS(ad_kinds(t, 4, x, m, y, of_x, of_y), AD_OK);
    for (i = 0; i < m; i++) found[i] = "clqn"[of_y[i]];
    found[m] = ' ';
    for (i = 0; i < 4; i++) found[m + 1 + i] = "clqn"[of_x[i]];
    found[m + 5] = 0;
    test_check(strcmp(found, expected) == 0, __FILE__, line, "%s: %s, not %s", text, found,
               expected);
    CHECK_STATUS(ad_kinds(t, 4, x, m, y, NULL, of_y), AD_OK);
    CHECK_STATUS(ad_kinds(t, 4, x, m, y, of_x, NULL), AD_OK);
    ad_fn_destroy(f);
    ad_tape_destroy(t);
}
static void test_kinds(void)
{
    static const struct { const char *text, *expected; } row[] = {
        { "x + 2*y; 7; x*y; x*x*y", "lcqn nncc" }, { "x*y; z/4 - 1", "ql qqlc" },
        { "(x + y)^2 + z", "q qqlc" }, { "exp(x) + y*z", "n nqqc" }, { "x < 0 ? y : z", "n nnnc" },
        { "dot(x, y, 2, z)", "q lqqc" }, { "sum(x, y) * 3", "l llcc" }, { "norm(x, y)", "n nncc" },
        { "(x*y)/z", "n nnnc" }, { "x*y/5", "q qqcc" }, { "floor(x) + y", "n nlcc" },
        { "abs(x); min(y, z)", "nn nnnc" }, { "fma(x, y, z)", "q qqlc" },
        { "x*y - x*y + w", "q qqcl" }, { "-(x - 3); x", "ll lccc" }, { "x*y*z*w", "n nnnn" },
        { "sin(2)*x + y^2*cos(1)", "q lqcc" }, { "x/(y - y + 2)", "n nncc" } };
    ad_tape *t = ad_tape_create(NULL);
    double at[3] = { 0.5, 2, 3 }, H[2][9], g[3];
    ad_var x[3], y, s[24];
    ad_kind of_x[3], of_y[1], again[3];
    uint64_t seed;
    size_t i, j, k, linear = 0, quadratic = 0;
    for (i = 0; i < sizeof row / sizeof row[0]; i++)
        kinds_of(row[i].text, row[i].expected, __LINE__);
    for (seed = 1; seed <= 400; seed++) {                /* claims hold for second derivatives */
        for (k = 0; k < 2; k++) {
            uint64_t state = seed * 0x9E3779B97F4A7C15u;
            ad_tape_reset(t);
            for (i = 0; i < 3; i++) at[i] = (double)(i + 1) + (k ? 0.375 : 0);
            ad_inputs(t, 3, at, x);
            for (i = 0; i < 3; i++) s[i] = x[i];
            for (i = 3; i < 11; i++) {
                ad_var a, b;
                state = state * 6364136223846793005u + 1442695040888963407u;
                a = s[(state >> 33) % i];
                b = s[(state >> 43) % i];
                switch ((state >> 53) % 8) {
                case 0: s[i] = ad_var_mul(a, b); break;
                case 1: s[i] = ad_var_mul_r(a, 0.5); break;
                case 2: s[i] = ad_var_div_r(b, 4); break;
                case 3: s[i] = ad_var_sub(a, b); break;
                case 4: s[i] = i > 6 ? ad_var_square(a) : ad_var_neg(a); break;
                case 5: s[i] = i > 8 ? ad_var_sin(b) : ad_var_sum(3, s + i - 3); break;
                default: s[i] = ad_var_add(a, b);
                }
            }
            y = ad_var_add(s[10], s[9]);
            CHECK_STATUS(ad_kinds(t, 3, x, 1, &y, k ? again : of_x, of_y), AD_OK);
            CHECK_STATUS(ad_hessian_of(y, 3, x, H[k]), AD_OK);
            ad_backward(y);
            ad_adjoints(3, x, g);
        }
        for (i = 0; i < 3; i++) {
            CHECK(again[i] == of_x[i] && of_x[i] <= of_y[0]);
            if (of_x[i] == AD_KIND_CONSTANT) CHECK(g[i] == 0);
            for (j = 0; j < 3 && of_x[i] < AD_KIND_QUADRATIC; j++) CHECK(H[0][3 * i + j] == 0);
            for (j = 0; j < 3 && of_x[i] == AD_KIND_QUADRATIC; j++)
                CHECK_NEAR(H[0][3 * i + j], H[1][3 * i + j], 1e-12);
            linear += of_x[i] == AD_KIND_LINEAR;
            quadratic += of_x[i] == AD_KIND_QUADRATIC;
        }
    }
    CHECK(linear > 50 && quadratic > 50);
    ad_tape_reset(t);                                    /* goes in steps, with the slope 1 */
    x[0] = ad_input(t, 0.4);
    x[1] = ad_input(t, 0.3);
    y = ad_var_add(ad_var_fmod_r(x[0], 0.3), x[1]);
    CHECK_STATUS(ad_kinds(t, 2, x, 1, &y, of_x, of_y), AD_OK);
    CHECK(of_x[0] == AD_KIND_NONLINEAR && of_x[1] == AD_KIND_LINEAR);
    y = ad_var_fmod(x[0], x[1]);
    CHECK_STATUS(ad_kinds(t, 2, x, 1, &y, of_x, of_y), AD_OK);
    CHECK(of_x[0] == AD_KIND_NONLINEAR && of_x[1] == AD_KIND_NONLINEAR);
    ad_tape_reset(t);                                    /* arrays and the user's operations */
    {
        const int32_t two = 2;
        ad_array a = ad_array_input(t, 1, &two, at);
        x[0] = ad_array_at(a, 0);
        x[1] = ad_input(t, 1);
        y = ad_var_add(ad_array_at(ad_array_exp(a), 0), x[1]);
        CHECK_STATUS(ad_kinds(t, 2, x, 1, &y, of_x, of_y), AD_OK);
        CHECK(of_x[0] == AD_KIND_NONLINEAR && of_x[1] == AD_KIND_LINEAR);
        CHECK(of_y[0] == AD_KIND_NONLINEAR);
    }
    {                           /* long lists, many results of all: each is looked at once */
        enum { N = 40000 };
        static ad_var many[N];
        static ad_kind kinds[N];
        static double ones[N];
        const int32_t length = N;
        int way;
        for (i = 0; i < N; i++) ones[i] = 1;
        for (way = 0; way < 4; way++) {
            ad_tape_reset(t);
            if (way < 3) {
                ad_inputs(t, N, ones, many);
                y = way == 0 ? ad_var_norm(N, many) : way == 1 ? ad_var_logsumexp(N, many)
                                                              : ad_var_sum(N, many);
            } else {
                const ad_array a = ad_array_input(t, 1, &length, ones);
                for (i = 0; i < N; i++) many[i] = ad_array_at(a, (size_t)i);
                y = ad_array_item(ad_array_sum(ad_array_square(ad_array_softmax(a, 0)),
                    AD_ALL_AXES, 0));
            }
            CHECK_STATUS(ad_kinds(t, N, many, 1, &y, kinds, of_y), AD_OK);
            for (i = 0; i < N && kinds[i] == (way == 2 ? AD_KIND_LINEAR : AD_KIND_NONLINEAR);) i++;
            CHECK(i == N);
        }
    }
    CHECK_STATUS(ad_kinds(t, 0, NULL, 0, NULL, NULL, NULL), AD_OK);
    CHECK_STATUS(ad_kinds(NULL, 0, NULL, 0, NULL, NULL, NULL), AD_ERR_ARGUMENT);
    CHECK_STATUS(ad_kinds(t, 1, NULL, 0, NULL, NULL, NULL), AD_ERR_ARGUMENT);
    ad_tape_destroy(t);
}

/* ---------------------------------------------------------------- random patterns */

/* Whole numbers as entries, each of its own, so that none can be taken for another: of x -> A x,
   or of the halved quadratic form of A, directly and by substitution. Colours that two columns
   must not share come out as wrong numbers. The rows take what was recorded before all of them:
   else one sweep would do without colours. */
static void random_pattern(uint64_t seed, size_t most)
{
    ad_tape *const t = ad_tape_create(NULL);
    ad_sparse_desc desc;
    ad_pattern p;
    ad_var *x, *u, *y;
    double *values, *entry;
    size_t n, m, i, j, q, each;
    int hessian;
    random_state = 5000 + seed;
    n = 5 + below(most);
    m = 5 + below(most);
    each = 2 + below(n / 3 + 1);                     /* every so many is an entry */
    x = variables(n);
    u = variables(n);
    y = variables(m > n ? m : n);
    entry = numbers(n * (m > n ? m : n));
    values = numbers(n * (m > n ? m : n));
    for (hessian = 0; hessian < 3; hessian++) {      /* 2: by substitution */
        const size_t rows = hessian ? n : m;
        ad_sparse *plan;
        size_t wrong = 0;
        memset(&desc, 0, sizeof desc);
        memset(&p, 0, sizeof p);
        desc.hessian = hessian != 0;
        desc.indirect = hessian == 2;
        p.rows = rows;
        p.columns = n;
        p.row_start = sizes(rows + 1);
        p.column = sizes(rows * n);
        memset(entry, 0, rows * n * sizeof *entry);
        for (i = 0; i < rows; i++)
            for (j = 0; j < n; j++)
                if (hessian && j < i) entry[i * n + j] = entry[j * n + i];
                else if (below(each) == 0 || (hessian && i == j))
                    entry[i * n + j] = 1 + (double)(i * n + j);
        ad_tape_reset(t);
        for (i = 0; i < n; i++) x[i] = ad_input(t, 1 + (double)below(9));
        for (i = 0; i < n; i++) u[i] = ad_var_mul_r(x[i], 2);
        for (i = q = 0; i < rows; i++) {
            p.row_start[i] = q;
            y[i] = ad_const(0);
            for (j = 0; j < n; j++) {
                const double a = entry[i * n + j];
                if (a == 0) continue;
                p.column[q++] = j;
                if (hessian) y[i] = ad_var_add(y[i], ad_var_mul_r(ad_var_mul(u[i], u[j]), a / 2));
                else y[i] = ad_var_add(y[i], ad_var_mul_r(u[j], a));
            }
        }
        p.row_start[rows] = q;
        plan = ad_sparse_create(&p, &desc);
        CHECK_STATUS(ad_sparse_status(plan), AD_OK);
        CHECK_STATUS(hessian ? ad_sparse_hessian(plan, t, n, x, n, y, NULL, values)
                     : ad_sparse_jacobian(plan, t, n, x, m, y, values), AD_OK);
        for (i = q = 0; i < rows * n; i++)
            if (entry[i] != 0) wrong += values[q++] != (hessian ? 4 : 2) * entry[i];
        test_check(wrong == 0, __FILE__, __LINE__, "pattern %d, %s, %d x %d, %d entries: %d wrong",
            (int)seed, hessian == 2 ? "by substitution" : hessian ? "Hessian" : "Jacobian",
            (int)rows, (int)n, (int)q, (int)wrong);
        ad_sparse_destroy(plan);
        free(p.row_start);
        free(p.column);
    }
    free(x);
    free(u);
    free(y);
    free(entry);
    free(values);
    ad_tape_destroy(t);
}
static void test_random_patterns(void)
{
    uint64_t seed;
    for (seed = 1; seed <= 300; seed += (uint64_t)test_step())
        random_pattern(seed, seed % 4 ? 20 : 50);
}

/* Few colours: of Hessians, read directly, greedy orders alone, of which the best is taken, give
   some 4 % more here; of Jacobians one order. */
static void test_few_colours(int hessian, size_t most)
{
    enum { N = 40, TIMES = 100 };
    static size_t start[N + 1], column[N * N];
    static unsigned char entry[N][N];
    size_t colours = 0, i, j, q;
    int k;
    random_state = 77;
    for (k = 0; k < TIMES; k++) {
        ad_sparse_desc desc;
        ad_sparse *plan;
        ad_pattern p;
        memset(&desc, 0, sizeof desc);
        memset(&p, 0, sizeof p);
        for (i = q = 0; i < N; i++) {
            start[i] = q;
            for (j = 0; j < N; j++) {
                entry[i][j] = hessian && j < i ? entry[j][i] : i == j || below(10) == 0;
                if (entry[i][j]) column[q++] = j;
            }
        }
        start[N] = q;
        p.rows = p.columns = N;
        p.row_start = start;
        p.column = column;
        desc.hessian = hessian;
        plan = ad_sparse_create(&p, &desc);
        colours += ad_sparse_get_stats(plan).colours;
        ad_sparse_destroy(plan);
    }
    test_check(colours <= most, __FILE__, __LINE__, "%d colours, %s", (int)colours,
               hessian ? "Hessians" : "Jacobians");
}

TEST_DEF void suite_sparse(void)
{
    test_kinds();
    test_given_back();
    test_starved();                          /* before the large ones: they leave blocks */
    test_starved_patterns();
    test_starved_kinds();
    test_no_dependence();
    test_random_programs();
    test_programs_of_rows();
    test_random_patterns();
    test_few_colours(1, 698);
    test_few_colours(0, 971);
    test_shapes();
    test_stencils();
    test_grids();
    test_odd_variables();
    test_deep();
    test_hessians();
    test_arrays();
    test_array_zeros();
    test_results_as_x();
    test_first_of_many();
    test_array_hessians();
    test_user_operations();
    test_refused_plans();
    test_errors();
    test_failed_tape();
    test_products();
    test_nothing();
    test_branches();
    test_numbers();
    test_plan_again();
    test_float();
    test_checker();
}
