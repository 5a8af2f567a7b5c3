/* adc: 3 -> 13 in [0.5, 2]: memory of a size that is said anywhere, in words of the file's own */
#include <stdlib.h>
#include <string.h>

typedef double triple[3];
struct work { double *p; int n; };
struct point { double x, y, z; };

static void *need(size_t bytes)
{
    void *const p = malloc(bytes);
    if (p == NULL) abort();
    return p;
}
static void *more(void *p, size_t bytes)
{
    p = realloc(p, bytes);
    if (p == NULL) abort();
    return p;
}
static void *numbers(int n) { return calloc((size_t)n, sizeof(double)); }
static double *filled(double *p, const double *x, int n)
{
    int i;
    for (i = 0; i < n; i++) p[i] = x[i]*x[i];
    return p;
}
static double *copy_of(const double *s, size_t n)
{
    double *d = (double *)malloc(n*sizeof(double));
    return memcpy(d, s, n*sizeof *d);
}
static double *again(double *d, const double *s)
{
    return d != s ? memcpy(d, s, sizeof(triple)) : d;
}
static double sum(const double *p)
{
    return p[0] + 2*p[1] + 3*p[2];
}
/* Sizes that are counts stay what they are; those that are strides, or of pointers, as well. */
static double counted(const double *x)
{
    struct point q = { x[0], x[1], x[2] }, list[2] = { { 1, x[0], 2 }, { x[1], 3, x[2] } };
    triple r[4] = { { x[0], 1, 2 } };
    const int n = sizeof(struct point)/sizeof(double), m = (int)sizeof(q)/(int)sizeof(double);
    return n*q.x + m*q.y + (double)(sizeof(r)/sizeof(triple))*r[0][0] + (double)sizeof(list)*q.z
           + (double)(sizeof list/sizeof(struct point) + sizeof list/sizeof *list + sizeof r/8)
           + (double)(sizeof(triple)/sizeof(double) + sizeof(struct point)/sizeof q.z)*list[1].z;
}
static double strides(const double *p, int stride, int n)
{
    double s = 0;
    while (n-- > 0) s += p[n*stride]*(n + 1);
    return s;
}
static void swap(void *a, void *b, size_t n)
{
    char *p = a, *q = b, t;
    for (; n > 0; n--, *p++ = *q, *q++ = t) t = *p;
}
/* A variable for a size is that of what carries derivatives; one that is a number stays one. */
static double kept(const double *x)
{
    const size_t bytes = 3*sizeof(double), wide = bytes + sizeof *x, number = 2*sizeof(double);
    double *const a = malloc(bytes), *const b = calloc(1, wide), y;
    memcpy(a, x, bytes);
    memcpy(b + 1, a, bytes);
    y = a[0]*b[1] + a[1]*b[2] + a[2]*b[3] + (double)number;
    free(a);
    free(b);
    return y;
}
static double total(const void *user)
{
    const double *p = user;
    return p[0]*p[1];
}

void sizes(const double *x, double *y);

void sizes(const double *x, double *y)
{
    double *a = need(3*sizeof(double)), *b = x[0] > 0 ? malloc(3*sizeof(double)) : NULL;
    double *rows[2] = { malloc(3*sizeof(double)), NULL };
    double *zero = memset(malloc(3*sizeof(double)), 0, 3*sizeof(double));
    struct work w = { malloc(3*sizeof(double)), 3 }, v;
    triple t, u;
    struct point q = { 0, 0, 0 };
    void *plain = malloc(3*sizeof(double));
    double *c = plain, *e = numbers(3), *f;
    v = (struct work){ .n = 3, .p = need(3*sizeof(triple)) };
    memcpy(a, x, sizeof(triple));
    memcpy((char *)b, (const char *)x, 3*sizeof(double));
    y[0] = sum(a)*sum(b);
    f = filled(malloc(3*sizeof(double)), x, 3);
    y[1] = sum(f) + sum(filled(rows[0], f, 3));
    memset(w.p, 0, 3*sizeof *w.p);
    w.p[2] = x[2]*x[1];
    v.p[0] = v.p[1] = v.p[2] = x[0];
    y[2] = sum(w.p) + sum(v.p);
    memcpy(t, again(u, x), sizeof t);
    y[3] = sum(t)*u[1];
    c[0] = x[0];
    c[1] = c[2] = x[1];
    e[1] = x[2];
    zero[0] += x[1];
    y[4] = sum(c)*sum(e) + sum(zero);
    free(rows[0]);
    rows[0] = copy_of(x, 3);
    y[5] = sum(rows[0]);
    q.y = x[1]*x[0];
    q.x = x[2];
    y[6] = total(&q);
    {
        struct point two[2] = { { x[0], x[1], x[2] }, { 1, x[2], x[1] } };
        double **pointers = malloc(2*sizeof(double *)), *both[2];
        pointers[0] = t;
        pointers[1] = u;
        memcpy(both, pointers, 2*sizeof(double *));
        swap(&two[0], &two[1], sizeof(struct point));
        y[8] = counted(x);
        y[9] = strides(&two[0].x, sizeof(struct point)/sizeof(double), 2) + two[1].y;
        y[10] = both[0][1]*both[1][2];
        free(pointers);
    }
    {
        double *g = NULL, *h;
        g = more(g, 2*sizeof(double));
        g[1] = x[0]*x[2];
        h = more(g, 5*sizeof(double));
        h[4] = h[1];
        y[11] = h[4]*x[1]*(double)(h + 4 - h) + x[(int)(&h[2] - h)]*(&h[1] == h ? 2 : 3);
        free(h);
    }
    memcpy(t, &q, sizeof t);
    y[7] = t[0]*t[1] + x[0];
    y[12] = kept(x);
    free((char *)a);
    free(b);
    free(rows[0]);
    free((void *)zero);
    free(w.p);
    free(v.p);
    free(plain);
    free(e);
    free(f);
}
