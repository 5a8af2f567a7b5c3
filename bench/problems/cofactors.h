/* The determinant of an n x n matrix by recursive expansion along its first row: n! products, and
   the same minors again and again. A function whose trace is long beside its variables. */
#ifdef N
#ifndef NUMBERS_FN
/* Of the rows from `row` on and the columns that are not in `used`. */
TEXT N P(cofactors_minor)(size_t n, const N *a, size_t row, size_t used)
{
    const N *r = a + row * n;
    N sum = CONST(0);
    size_t j, terms = 0;
    for (j = 0; j < n; j++) {
        const size_t column = (size_t)1 << j;
        if (used & column) continue;
        if (row + 1 == n) return r[j];
        {
            const N term = MUL(r[j], P(cofactors_minor)(n, a, row + 1, used | column));
            if (terms == 0) sum = term;
            else if (terms % 2) sum = SUB(sum, term);
            else sum = ADD(sum, term);
        }
        terms++;
    }
    return sum;
}
TEXT void P(cofactors)(const bench_case *c, size_t point, const N *x, N *y)
{
    (void)point;
    y[0] = P(cofactors_minor)(c->size[0], x, 0, 0);
}
#endif
#endif
