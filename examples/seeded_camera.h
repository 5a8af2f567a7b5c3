/* A pinhole camera with radial distortion; part of examples/seeded_models.h.

   x = focal length f, distortion k1, k2, and the point X, Y, Z that it sees. With
   u = X/Z, v = Y/Z, s = u^2 + v^2 and d = 1 + k1 s + k2 s^2 the image is y = (f d u, f d v), and
       d' = dd/ds = k1 + 2 k2 s      ds = 2 u du + 2 v dv      du = (dX - u dZ) / Z           */
#ifndef SEEDED_CAMERA_H
#define SEEDED_CAMERA_H

static void camera(const double *x, size_t n, double *y, size_t m, void *user)
{
    const double u = x[3] / x[5], v = x[4] / x[5], s = u * u + v * v;
    const double d = 1 + x[1] * s + x[2] * s * s;
    (void)n, (void)m, (void)user;
    y[0] = x[0] * d * u;
    y[1] = x[0] * d * v;
}

/* Row by row: y_i = f d w_i with w = (u, v), so dy_i/du = f (d [i = u] + w_i d' 2 u). */
static void camera_jacobian(const double *x, size_t n, double *J, size_t m, void *user)
{
    const double f = x[0], Z = x[5], w[2] = { x[3] / Z, x[4] / Z };
    const double s = w[0] * w[0] + w[1] * w[1], d = 1 + x[1] * s + x[2] * s * s;
    const double slope = SEEDED(BUG_DISTORTION) ? 0 : x[1] + 2 * x[2] * s;
    size_t i;
    for (i = 0; i < m; i++) {
        const double du = f * ((i == 0 ? d : 0) + w[i] * slope * 2 * w[0]);
        const double dv = f * ((i == 1 ? d : 0) + w[i] * slope * 2 * w[1]);
        double *const row = J + i * n;
        row[0] = d * w[i];
        row[SEEDED(BUG_SWAPPED) ? 2 : 1] = f * s * w[i];
        row[SEEDED(BUG_SWAPPED) ? 1 : 2] = f * s * s * w[i];
        row[3] = du / Z;
        row[4] = dv / Z;
        row[5] = -(w[0] * du + w[1] * dv) / Z;
        if (SEEDED(BUG_PAST_END)) row[6] = 0;          /* a seventh parameter, since removed */
    }
    if (SEEDED(BUG_IN_PLACE)) ((double *)x)[3] /= Z;   /* normalises the caller's point */
}

/* b^T J backwards: from the bars of y to those of w, d and s, then to x. */
static void camera_vjp(const double *x, size_t n, const double *b, double *bJ, size_t m, void *user)
{
    const double f = x[0], Z = x[5], u = x[3] / Z, v = x[4] / Z, s = u * u + v * v;
    const double d = 1 + x[1] * s + x[2] * s * s;
    const double yw = b[0] * u + b[1] * v, s_bar = f * yw * (x[1] + 2 * x[2] * s);
    const double u_bar = b[0] * f * d + s_bar * 2 * u, v_bar = b[1] * f * d + s_bar * 2 * v;
    (void)n, (void)m;
    bJ[0] = d * yw;
    bJ[1] = f * yw * s;
    bJ[2] = f * yw * s * s;
    bJ[3] = u_bar / Z;
    bJ[4] = v_bar / Z;
    bJ[5] = (u_bar * u + v_bar * v) / (SEEDED(BUG_DEPTH_SIGN) ? Z : -Z);   /* (1/Z)' = -1/Z^2 */
}

#endif
