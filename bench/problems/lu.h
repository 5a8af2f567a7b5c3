/* log |det A| of an n x n matrix by elimination with partial pivoting: the logarithms of the
   pivots, summed. Which row is next is decided by values, as a program does it. */
#ifndef BENCH_LU_H
#define BENCH_LU_H
typedef struct lu_data {
    double *a, *work;                  /* a[n][n]; work[n][n]: of what is written by hand */
    size_t *row;                       /* likewise, [n] */
} lu_data;
#endif

#ifdef N
#ifndef NUMBERS_FN
TEXT void P(lu)(const bench_case *c, size_t point, const N *x, N *y)
{
    const size_t n = c->size[0];
    size_t i, j, k;
    N sum = CONST(0);
    ROOM(m, n * n);
    (void)point;
    for (i = 0; i < n * n; i++) m[i] = x[i];
    for (k = 0; k < n; k++) {
        N *const pivot = m + k * n;
        size_t best = k;
        for (i = k + 1; i < n; i++)
            if (fabs(VALUE(m[i * n + k])) > fabs(VALUE(m[best * n + k]))) best = i;
        for (j = k; j < n && best != k; j++) {
            const N other = pivot[j];
            pivot[j] = m[best * n + j];
            m[best * n + j] = other;
        }
        {
            N size = pivot[k];
            if (VALUE(size) < 0) size = NEG(size);
            size = LOG(size);
            sum = ADD(sum, size);
        }
        for (i = k + 1; i < n; i++) {
            N *const row = m + i * n;
            const N factor = DIV(row[k], pivot[k]);
            for (j = k + 1; j < n; j++) row[j] = SUB(row[j], MUL(factor, pivot[j]));
        }
    }
    y[0] = sum;
    ROOM_END(m);
}
#endif
#endif
