/* k-means: for n points x in d dimensions and k centroids c,
       sum over points of min over centroids of |x - c|^2,
   its gradient, and the diagonal of its Hessian, which is all of it: what a step of Newton's method
   takes, and that is Lloyd's algorithm. The product of the Hessian with ones is the diagonal.

   Away from ties the nearest centroid stays the nearest, so it is found with plain numbers, and its
   distance alone is differentiated: n d operations instead of n k d. */
#ifndef BENCH_KMEANS_H
#define BENCH_KMEANS_H
typedef struct kmeans_data {
    size_t d, k, n;
    double *x, *c, *ones, *work;       /* x[n][d], c[k][d]; work: of what is written by hand */
} kmeans_data;
#endif

#ifdef N
TEXT N P(kmeans_distance)(size_t d, const N *c, const D *x)
{
    N s = SQUARE(SUB_D(c[0], x[0]));
    size_t i;
    for (i = 1; i < d; i++) s = ADD(s, SQUARE(SUB_D(c[i], x[i])));
    return s;
}
#ifndef NUMBERS_FN
TEXT void P(kmeans)(const bench_case *c, size_t point, const N *centroid, N *y)
{
    const kmeans_data *g = (const kmeans_data *)c->data;
    const size_t d = g->d, k = g->k;
    double *const at = (double *)malloc(k * d * sizeof *at);
    size_t p, i, j;
    (void)point;
    for (i = 0; i < k * d; i++) at[i] = VALUE(centroid[i]);
    y[0] = CONST(0);
    for (p = 0; p < g->n; p++) {
        const double *x = g->x + p * d;
        double least = HUGE_VAL;
        size_t nearest = 0;
        for (j = 0; j < k; j++) {
            double s = 0;
            for (i = 0; i < d; i++) s += (x[i] - at[j * d + i]) * (x[i] - at[j * d + i]);
            if (s < least) {
                least = s;
                nearest = j;
            }
        }
        y[0] = ADD(y[0], P(kmeans_distance)(d, centroid + nearest * d, x));
    }
    free(at);
}
#endif
#endif
