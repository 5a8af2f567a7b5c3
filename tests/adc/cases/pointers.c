/* adc: 5 -> 8 in [-2, 2] C++: pointers, their arithmetic, what they point to */
#include <stddef.h>

static void swap(double **a, double **b)
{
    double *const t = *a;
    *a = *b;
    *b = t;
}
static void divide(const double *a, const double *b, double *quotient, double *rest)
{
    *quotient = *a/(*b + 7);
    if (rest) *rest = *a - *b;
}
static const double *largest(const double *from, const double *end)
{
    const double *best = from;
    for (; from != end; from++)
        if (*from > *best) best = from;
    return best;
}

void pointers(const double *x, double *y);

void pointers(const double *x, double *y)
{
    double a[5], b[5], *p = a, *q = b, *rows[2], **r = rows, *end, z;
    const double *const last = x + 4, *s;
    ptrdiff_t gap;
    int i;
    for (s = x; s <= last;) *p++ = *s++;
    p = a;
    for (i = 0; i < 5; i++) q[4 - i] = p[i]*p[i];
    swap(&p, &q);
    y[0] = *p + 2*p[1] - 3**(p + 2) + q[3]*(*q);
    end = a + 5;
    gap = end - a;
    y[1] = end[-1]*(double)gap;
    divide(&x[0], x + 1, y + 2, &z);
    divide(x, &x[2], &y[3], NULL);
    y[3] += z;
    rows[0] = a;
    rows[1] = b + 1;
    *r[1] = x[3];
    y[4] = rows[0][1]*rows[1][2] + **rows + *(*(rows + 1) + 1) + b[1];
    y[5] = *largest(x, x + 5)*x[0];
    *(x[0] > 0 ? &a[0] : &b[0]) = x[4]*3;
    y[6] = a[0] + b[0];
    p = &y[7];
    *p = 1;
    for (s = last; s > x; --s) *p *= *s + (double)(s - x);
}
