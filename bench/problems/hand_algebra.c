/* Derivatives derived and written by hand: a product, a determinant by cofactors, log |det| by
   elimination, log of a sum of exponentials. Loops run over contiguous memory, and what would wait
   for itself goes in several lanes. */
#include "hand.h"

/* ---- product: what stands before a factor times what stands behind it, without division

   Factors may be taken in any order: lane b has those at b, b + LANES, ... A lane goes up with what
   is before, down with what is behind and with all other lanes. */
enum { LANES = 16 };

INLINE double product_short(size_t n, const double *restrict x, double *restrict g)
{
    double before = 1, behind = 1;
    size_t i;
    for (i = 0; i < n; i++) {
        g[i] = before;
        before *= x[i];
    }
    for (i = n; i-- > 0;) {
        g[i] *= behind;
        behind *= x[i];
    }
    return before;
}
SUITE(product)
{
    const size_t n = c->inputs, whole = n - n % LANES;
    const double *restrict x = (const double *)c->data;
    double *restrict g = out + 1;
    double lane[LANES], others[LANES], rest, all;
    size_t i, b;
    if (n < 3 * LANES) {
        out[0] = product_short(n, x, g);
        return;
    }
    rest = product_short(n - whole, x + whole, g + whole);
    for (b = 0; b < LANES; b++) lane[b] = 1;
    for (i = 0; i < whole; i += LANES)
        for (b = 0; b < LANES; b++) {
            g[i + b] = lane[b];
            lane[b] *= x[i + b];
        }
    all = product_short(LANES, lane, others);
    for (i = whole; i < n; i++) g[i] *= all;
    for (b = 0; b < LANES; b++) lane[b] = others[b] * rest;
    for (i = whole; i > 0; i -= LANES)
        for (b = 0; b < LANES; b++) {
            g[i - LANES + b] *= lane[b];
            lane[b] *= x[i - LANES + b];
        }
    out[0] = all * rest;
}

/* ---- cofactors

   A minor is linear in each of its rows, so the adjoint of a term's minor, bar a[j], is known
   before the minor is: one recursion goes down with the adjoint and comes back with the value. It
   ends at three rows, written out. at: the columns that are left, in order. */
static double minor_of(size_t n, size_t rows, const double *restrict a, const size_t *at,
    double bar, double *restrict g)
{
    double value = 0, sign = 1;
    size_t left[8], j;
    if (rows == 3) {
        const double *b = a + n, *d = b + n;
        double *gb = g + n, *gd = gb + n;
        const size_t i0 = at[0], i1 = at[1], i2 = at[2];
        const double a0 = a[i0], a1 = a[i1], a2 = a[i2];
        const double b0 = b[i0], b1 = b[i1], b2 = b[i2];
        const double d0 = d[i0], d1 = d[i1], d2 = d[i2];
        const double m0 = b1 * d2 - b2 * d1, m1 = b2 * d0 - b0 * d2, m2 = b0 * d1 - b1 * d0;
        const double s0 = bar * a0, s1 = bar * a1, s2 = bar * a2;
        g[i0] += bar * m0;
        g[i1] += bar * m1;
        g[i2] += bar * m2;
        gb[i0] += s2 * d1 - s1 * d2;
        gb[i1] += s0 * d2 - s2 * d0;
        gb[i2] += s1 * d0 - s0 * d1;
        gd[i0] += s1 * b2 - s2 * b1;
        gd[i1] += s2 * b0 - s0 * b2;
        gd[i2] += s0 * b1 - s1 * b0;
        return a0 * m0 + a1 * m1 + a2 * m2;
    }
    for (j = 1; j < rows; j++) left[j - 1] = at[j];
    for (j = 0; j < rows; j++) {
        const double factor = sign * a[at[j]];
        const double minor = minor_of(n, rows - 1, a + n, left, bar * factor, g + n);
        value += factor * minor;
        g[at[j]] += sign * bar * minor;
        left[j] = at[j];                       /* the next column is left out instead */
        sign = -sign;
    }
    return value;
}
SUITE(cofactors)
{
    static const size_t all[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };
    const size_t n = c->size[0];
    size_t i;
    for (i = 0; i < n * n; i++) out[1 + i] = 0;
    out[0] = minor_of(n, n, (const double *)c->data, all, 1, out + 1);
}

/* ---- log |det|: its gradient is the transposed inverse G

   With P A = L U it is U^T L^T (P G) = 1. So W = U^-T, lower triangular, is found from the first
   row to the last and P G = L^-T W from the last to the first, row by row; rows are taken off four
   at a time, so that what they are taken from is read and written a quarter as often. */
INLINE const double *row_of(const double *m, size_t n, const size_t *row, size_t k)
{
    return m + (row ? row[k] : k) * n;
}
/* y -= factor[k] times row k of m, for k in [from, to); y's length is `length`, or 0: row k is
   k + 1 long and 0 from there on. row NULL: rows are where they belong. */
INLINE void take_off(size_t from, size_t to, const double *restrict factor, size_t next,
    const double *m, size_t n, const size_t *row, size_t length, double *restrict y)
{
    size_t k = from, j;
    for (; k + 4 <= to; k += 4) {
        const double f0 = factor[k * next], f1 = factor[(k + 1) * next];
        const double f2 = factor[(k + 2) * next], f3 = factor[(k + 3) * next];
        const double *restrict r0 = row_of(m, n, row, k), *restrict r1 = row_of(m, n, row, k + 1);
        const double *restrict r2 = row_of(m, n, row, k + 2);
        const double *restrict r3 = row_of(m, n, row, k + 3);
        const size_t end = length ? length : k + 4;
        for (j = 0; j < end; j++)
            y[j] -= (f0 * r0[j] + f1 * r1[j]) + (f2 * r2[j] + f3 * r3[j]);
    }
    for (; k < to; k++) {
        const double f = factor[k * next];
        const double *restrict r = row_of(m, n, row, k);
        const size_t end = length ? length : k + 1;
        for (j = 0; j < end; j++) y[j] -= f * r[j];
    }
}
INLINE void lu_of(size_t n, const lu_data *data, double *out)
{
    enum { PANEL = 4 };
    double *restrict m = data->work, *restrict g = out + 1, value = 0;
    size_t *row = data->row, i, j, k, from;
    memcpy(m, data->a, n * n * sizeof *m);
    for (i = 0; i < n; i++) row[i] = i;
    for (from = 0; from < n; from += PANEL) {
        const size_t to = from + PANEL < n ? from + PANEL : n;
        for (k = from; k < to; k++) {          /* a panel of columns, by itself */
            double most = fabs(m[k * n + k]), inverse;
            size_t best = k;
            for (i = k + 1; i < n; i++)
                if (fabs(m[i * n + k]) > most) {
                    most = fabs(m[i * n + k]);
                    best = i;
                }
            if (best != k) {
                const size_t r = row[k];
                row[k] = row[best];
                row[best] = r;
                for (j = 0; j < n; j++) {
                    const double other = m[k * n + j];
                    m[k * n + j] = m[best * n + j];
                    m[best * n + j] = other;
                }
            }
            value += log(most);
            inverse = 1 / m[k * n + k];
            for (i = k + 1; i < n; i++) {
                const double f = m[i * n + k] *= inverse;
                for (j = k + 1; j < to; j++) m[i * n + j] -= f * m[k * n + j];
            }
        }
        for (i = from + 1; to < n && i < n; i++)         /* what is to the right of it */
            take_off(from, i < to ? i : to, m + i * n, 1, m + to, n, NULL, n - to, m + i * n + to);
    }
    out[0] = value;
    /* row i of P G is row row[i] of G, where it is computed; first it holds that of W */
    for (i = 0; i < n; i++) {
        double *w = g + row[i] * n;
        const double inverse = 1 / m[i * n + i];
        for (j = 0; j < n; j++) w[j] = 0;
        take_off(0, i, m + i, n, g, n, row, 0, w);
        for (j = 0; j < i; j++) w[j] *= inverse;
        w[i] = inverse;
    }
    for (i = n; i-- > 0;) take_off(i + 1, n, m + i, n, g, n, row, n, g + row[i] * n);
}

/* As for mixtures, small matrices have code that knows their size. */
SUITE(lu)
{
    const size_t n = c->size[0];
    const lu_data *data = (const lu_data *)c->data;
    if (n == 4) lu_of(4, data, out);
    else if (n == 10) lu_of(10, data, out);
    else lu_of(n, data, out);
}

/* ---- log of a sum of exponentials: the exponentials are kept and become the softmax */
SUITE(logsumexp)
{
    const size_t n = c->inputs, whole = n - n % 8;
    const double *restrict x = (const double *)c->data;
    double *restrict g = out + 1;
    double most[8], part[8] = { 0, 0, 0, 0, 0, 0, 0, 0 }, top = x[0], sum = 0;
    size_t i, b;
    for (b = 0; b < 8; b++) most[b] = x[0];
    for (i = 0; i < whole; i += 8)
        for (b = 0; b < 8; b++) most[b] = x[i + b] > most[b] ? x[i + b] : most[b];
    for (i = whole; i < n; i++) top = x[i] > top ? x[i] : top;
    for (b = 0; b < 8; b++) top = most[b] > top ? most[b] : top;
    for (i = 0; i < whole; i += 8)
        for (b = 0; b < 8; b++) {
            g[i + b] = exp(x[i + b] - top);
            part[b] += g[i + b];
        }
    for (i = whole; i < n; i++) {
        g[i] = exp(x[i] - top);
        sum += g[i];
    }
    sum += ((part[0] + part[4]) + (part[1] + part[5]))
        + ((part[2] + part[6]) + (part[3] + part[7]));
    out[0] = top + log(sum);
    sum = 1 / sum;
    for (i = 0; i < n; i++) g[i] *= sum;
}
