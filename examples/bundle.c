/* Bundle adjustment: 12 cameras and 300 points from 3,600 places in pictures. An observation knows
   one of each, so the normal equations J^T J d = -J^T r are blocks. A map computes them, by ports
   that add at the camera's index and at the point's; conjugate gradients solve. */
#define AUTODIFF_STATIC double
#include "../autodiff.h"
#include <stdio.h>
enum { CAMERAS = 12, POINTS = 300, SEEN = CAMERAS * POINTS, NC = 6 * CAMERAS, N = NC + 3 * POINTS };
static double x[N], g[N], seen[2 * SEEN];        /* cameras by 6, then points by 3 */
static double C[21 * CAMERAS], P[6 * POINTS], M[18 * SEEN];      /* blocks; lower halves, mixed */
static uint32_t camera[SEEN], point[SEEN];
/* Point (X, Y, Z), turned by (a, b, c) (Rodrigues' formula) and shifted by (u, v, w), as seen. */
static const char model[] = "let t = sqrt(a^2 + b^2 + c^2); let k = cos(t); let s = sin(t)/t;"
    "let m = (1 - k)/t^2 * (a*X + b*Y + c*Z); let depth = k*Z + s*(a*Y - b*X) + m*c + w;"
    "(k*X + s*(b*Z - c*Y) + m*a + u)/depth - p; (k*Y + s*(c*X - a*Z) + m*b + v)/depth - q";

static double entry(const double *lower, int i, int j)
{
    return i >= j ? lower[i * (i + 1) / 2 + j] : lower[j * (j + 1) / 2 + i];
}
/* y = J^T J v, with a little more on the diagonal; v.y */
static double multiply(const double *v, double *y)
{
    double sum = 0;
    int i, j, k;
    for (k = 0; k < N; k++) y[k] = 1e-9 * v[k];
    for (k = 0; k < NC; k++)
        for (j = 0; j < 6; j++) y[k] += entry(C + k / 6 * 21, k % 6, j) * v[k / 6 * 6 + j];
    for (k = 0; k < N - NC; k++)
        for (j = 0; j < 3; j++) y[NC + k] += entry(P + k / 3 * 6, k % 3, j) * v[NC + k / 3 * 3 + j];
    for (k = 0; k < 18 * SEEN; k++) {
        i = NC + 3 * (int)point[k / 18] + k % 18 / 6;
        j = 6 * (int)camera[k / 18] + k % 6;
        y[i] += M[k] * v[j];
        y[j] += M[k] * v[i];
    }
    for (k = 0; k < N; k++) sum += v[k] * y[k];
    return sum;
}

int main(void)
{
    ad_fn *f = ad_fn_parse(model, "a b c u v w X Y Z | p q", NULL, 0), *normal = ad_fn_normal(f);
    static double r[N], v[N], Av[N];
    double cost = 1, zero = 0, rr, next, alpha;
    ad_ports in[3], out[10];
    int k, i, round;
    for (k = 0; k < N; k++) x[k] = sin(k * k) * (k < NC ? 0.3 : 2) + (k < NC && k % 6 == 5 ? 8 : 0);
    for (k = 0; k < SEEN; k++) camera[k] = (uint32_t)k % CAMERAS;
    for (k = 0; k < SEEN; k++) point[k] = (uint32_t)k / CAMERAS;
    in[0] = ad_ports_of(ad_port_gather(x, 6, camera), 6, 1);
    in[1] = ad_ports_of(ad_port_gather(x + NC, 3, point), 3, 1);
    in[2] = ad_ports_of(ad_port_shared(&zero), 2, 0);
    out[0] = ad_ports_of(ad_port_out(seen, 2), 2, 1);
    ad_fn_map_ports(f, SEEN, 3, in, 1, out, NULL);       /* what is seen; then all is forgotten */
    for (k = 0; k < N; k++) x[k] += 0.05 * cos(3 * k);
    in[2] = ad_ports_of(ad_port_in(seen, 2), 2, 1);
    out[0] = ad_ports_of(ad_port_sum(&cost), 1, 0);
    out[1] = ad_ports_of(ad_port_add(g, 6, camera), 6, 1);
    out[2] = ad_ports_of(ad_port_add(g + NC, 3, point), 3, 1);
    out[3] = ad_ports_of(ad_port_add(C, 21, camera), 21, 1);
    for (i = 0; i < 3; i++) {
        out[4 + 2 * i] = ad_ports_of(ad_port_out(M + 6 * i, 18), 6, 1);
        out[5 + 2 * i] = ad_ports_of(ad_port_add(P + i * (i + 1) / 2, 6, point), (size_t)i + 1, 1);
    }
    for (round = 0; round < 20 && cost > 1e-20; round++) {
        memset(g, 0, sizeof g), memset(C, 0, sizeof C), memset(P, 0, sizeof P);
        if (ad_fn_map_ports(normal, SEEN, 3, in, 10, out, NULL) != AD_OK) break;
        for (rr = 0, k = 0; k < N; rr += g[k] * g[k], k++) v[k] = r[k] = -g[k];
        for (i = 0; i < 2000 && rr > 1e-24 * cost; i++, rr = next) {
            alpha = rr / multiply(v, Av);
            for (k = 0; k < N; k++) x[k] += alpha * v[k];
            for (next = 0, k = 0; k < N; next += r[k] * r[k], k++) r[k] -= alpha * Av[k];
            for (k = 0; k < N; k++) v[k] = r[k] + next / rr * v[k];
        }
        printf("sum of squares %.3e, %d steps of conjugate gradients\n", cost, i);
    }
    ad_fn_destroy(normal);
    ad_fn_destroy(f);
    return !(cost <= 1e-20);
}
