/* Rotation of a point p; part of examples/seeded_models.h.

   x[3] is the axis times the angle, in degrees. With a = x pi/180, t = |a|,
   A = sin t / t and B = (1 - cos t) / t^2 (Rodrigues)
       y = cos t p + A (a x p) + B (a.p) a
   From dt/da_j = a_j / t follow
       d(cos t)/da_j = -A a_j,   dA/da_j = C a_j,   C = (cos t - A) / t^2
                                 dB/da_j = E a_j,   E = (A - 2 B) / t^2
       dy_i/da_j = a_j (-A p_i + C (a x p)_i + E (a.p) a_i)
                   + A d(a x p)_i/da_j + B (p_j a_i + (a.p) [i = j])
   A to E are even in t. Near 0 their quotients lose digits and in the end are 0/0: there four
   terms of the power series in t^2 are exact. */
#ifndef SEEDED_ROTATION_H
#define SEEDED_ROTATION_H

static const double degree = 3.14159265358979323846 / 180;
static const double rotated[3] = { 0.7, -1.1, 1.9 };                                  /* p */

static void rotation_factors(double tt, double *A, double *B, double *C, double *E, int series)
{
    if (series && tt < 1e-3) {
        *A = 1 - tt / 6 * (1 - tt / 20 * (1 - tt / 42));
        *B = (1 - tt / 12 * (1 - tt / 30 * (1 - tt / 56))) / 2;
        *C = -(1 - tt / 10 * (1 - tt / 28 * (1 - tt / 54))) / 3;
        *E = -(1 - tt / 15 * (1 - tt * 3 / 112 * (1 - tt * 2 / 135))) / 12;
    } else {
        const double t = sqrt(tt), half = sin(t / 2);
        *A = sin(t) / t;
        *B = 2 * half * half / tt;                     /* 1 - cos t would cancel */
        *C = (cos(t) - *A) / tt;
        *E = (*A - 2 * *B) / tt;
    }
}

static void cross(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static void rotation(const double *x, size_t n, double *y, size_t m, void *user)
{
    const double a[3] = { x[0] * degree, x[1] * degree, x[2] * degree }, *p = rotated;
    const double tt = a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
    const double dot = a[0] * p[0] + a[1] * p[1] + a[2] * p[2];
    double A, B, C, E, c[3];
    size_t i;
    (void)n, (void)user;
    rotation_factors(tt, &A, &B, &C, &E, 1);
    cross(a, p, c);
    for (i = 0; i < m; i++) y[i] = cos(sqrt(tt)) * p[i] + A * c[i] + B * dot * a[i];
}

static void rotation_jacobian(const double *x, size_t n, double *J, size_t m, void *user)
{
    const double unit = SEEDED(BUG_PI) ? 3.1416 / 180 : degree, *p = rotated;
    const double a[3] = { x[0] * degree, x[1] * degree, x[2] * degree };
    const double tt = a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
    const double dot = a[0] * p[0] + a[1] * p[1] + a[2] * p[2];
    const double turn[3][3] = { { 0, p[2], -p[1] }, { -p[2], 0, p[0] }, { p[1], -p[0], 0 } };
    double A, B, C, E, c[3];
    size_t i, j;
    rotation_factors(tt, &A, &B, &C, &E, !SEEDED(BUG_ZERO_BY_ZERO));
    cross(a, p, c);
    for (i = 0; i < m; i++) {
        for (j = 0; j < n; j++) {
            const double cosine = (SEEDED(BUG_SINE_SIGN) ? A : -A) * p[i];
            const double d = a[j] * (cosine + C * c[i] + E * dot * a[i]) + A * turn[i][j]
                           + B * (p[j] * a[i] + (i == j ? dot : 0));
            J[SEEDED(BUG_TRANSPOSED) ? j * m + i : i * n + j] = d * unit;
        }
    }
}

#endif
