/* adc: 6 -> 9 in [-1, 2]: memcpy, memmove, memset, sizes */
#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a)/sizeof((a)[0]))
struct pair { double first, second; };

static double total(const double *v, size_t n)
{
    double s = 0;
    size_t i;
    for (i = 0; i < n; i++) s += v[i]*(double)(i + 1);
    return s;
}

void copying(const double *x, double *y);

void copying(const double *x, double *y)
{
    double a[6], b[6], grid[2][3], *heap;
    struct pair p = { 0, 0 }, q[2];
    int counts[4], copies[4];
    size_t i;
    memcpy(a, x, 6*sizeof(double));
    memcpy(b, a, sizeof a);
    memmove(b + 1, b, 4*sizeof *b);
    y[0] = total(a, COUNT(a)) + total(b, sizeof b/sizeof *b);
    memset(a, 0, 3*sizeof a[0]);
    y[1] = total(a, 6);
    memset(grid, 0, sizeof grid);
    memcpy(grid[1], x + 3, sizeof grid[1]);
    memcpy(&grid[0][1], &x[1], sizeof(double));
    y[2] = total(&grid[0][0], COUNT(grid)*COUNT(grid[0]));
    p.first = x[2];
    memcpy(&q[0], &p, sizeof p);
    memcpy(q + 1, q, sizeof(struct pair));
    q[1].second = x[5]*x[5];
    y[3] = q[0].first*q[1].second;
    heap = (double *)malloc(6*sizeof(double));
    if (!heap) abort();
    for (i = 0; i < 6; i++) heap[i] = x[i]*x[i];
    heap = (double *)realloc(heap, 8*sizeof *heap);
    if (!heap) abort();
    heap[6] = heap[0]*heap[1];
    heap[7] = 1;
    y[4] = total(heap, 8);
    free(heap);
    heap = calloc(5, sizeof *heap);
    if (!heap) abort();
    memcpy(heap, x, sizeof(*heap)*4);
    y[5] = total(heap, 5);
    free(heap);
    for (i = 0; i < 4; i++) counts[i] = (int)i*3;
    memcpy(copies, counts, sizeof counts);          /* integers: nothing of ours */
    y[6] = copies[3]*x[0] + (double)sizeof(double)*x[1] + (double)COUNT(counts);
    memcpy(y + 7, x + 4, 2*sizeof *y);
}
