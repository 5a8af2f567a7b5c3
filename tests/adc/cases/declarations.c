/* adc: 3 -> 7 in [-1, 2]: declarations of many names, some that vary and some that do not */
#include <stdlib.h>

typedef double real, *reals;
typedef const double *source;
typedef struct { real v[2]; int n; } small;
static const double elsewhere = 2;
static real memory[3], *cursor = memory;

static real sum(register const real *restrict a, const int n)
{
    real s = 0, unused = 1, *p = &s, t[2] = { 1 };
    for (int i = 0; i < n; i++) *p += a[i]*t[0];
    (void)unused;
    return s;
}

void declarations(const double *x, double *y);

void declarations(const double *x, double *y)
{
    double a = x[0], b[2] = { x[1], 5 }, *p = &a, k = 3, c[2][2] = { { 1, x[2] }, { 0, 0 } };
    const double h = 0.5, *q = x + 1, half = h*a;
    reals r = b;
    source s = x;
    small t = { { x[0], 2 }, 2 }, u = { .n = 1, .v = { [1] = x[1] } };
    int i, n = 2, m[2] = { 1, n };
    for (double w = 1, z = x[0]; w < 4; w += 1) {
        z *= h;
        memory[m[0]] = z + w;
    }
    cursor[2] = x[2]*elsewhere;
    *cursor = 1;
    y[0] = *p*b[0]*k + half;
    y[1] = *q + r[1] + s[2]*n;
    y[2] = sum(memory, 3);
    y[3] = t.v[0]*t.v[1]*t.n + u.v[1]*u.n + u.v[0];
    y[4] = c[0][1] + c[0][0]*a + c[1][1];
    for (i = 0, y[5] = 0; i < m[1]; i++) y[5] += b[i]*x[i];
    { real y0 = x[1]; { real y1 = x[2]*3; y[6] = y1; } y[6] *= y0; }
}
