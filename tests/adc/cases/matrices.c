/* adc: 9 -> 5 in [-1, 1]: arrays of two dimensions, pointers to rows, lengths at run time */
#include <math.h>

enum { N = 3 };
typedef double matrix[N][N];

static void copy(double (*to)[N], const double *from)
{
    int i, k;
    for (i = 0; i < N; i++)
        for (k = 0; k < N; k++) to[i][k] = from[N*i + k];
}
static double determinant(matrix a)             /* Gauss, the largest pivot of a column */
{
    double d = 1;
    int i, k, l;
    for (k = 0; k < N; k++) {
        int p = k;
        for (i = k + 1; i < N; i++)
            if (fabs(a[i][k]) > fabs(a[p][k])) p = i;
        for (l = 0; p != k && l < N; l++) {
            const double t = a[k][l];
            a[k][l] = a[p][l];
            a[p][l] = t;
        }
        if (p != k) d = -d;
        for (i = k + 1; i < N; i++) {
            const double f = a[i][k]/a[k][k];
            for (l = k; l < N; l++) a[i][l] -= f*a[k][l];
        }
        d *= a[k][k];
    }
    return d;
}
static double trace(int n, const double a[n][n])
{
    double w[n], s = 0;
    int i;
    for (i = 0; i < n; i++) w[i] = a[i][i]*i;
    for (i = 0; i < n; i++) s += w[i]*w[i];
    return s;
}

void matrices(const double *x, double *y);

void matrices(const double *x, double *y)
{
    matrix a, b;
    double (*row)[N] = a, flat[N*N];
    int i;
    copy(a, x);
    y[0] = a[1][2]*(*row)[0] + row[2][1] + *(*(row + 1) + 1);
    for (i = 0; i < N*N; i++) flat[i] = x[i] + (i % (N + 1) == 0 ? 4 : 0);
    copy(b, flat);
    y[1] = determinant(b);
    copy(b, flat);
    y[2] = trace(N, (const double (*)[N])b);
    y[3] = determinant(a);
    y[4] = b[0][0] + (&b[1][0])[2];
}
