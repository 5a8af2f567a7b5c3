/* Bundle adjustment: where a camera sees a point, against where it was seen. The second problem of
   ADBench: a sparse Jacobian, 2 x 15 numbers for each observation.

   x: the camera's rotation by axis and angle r[3], centre C[3], focal length f, principal point[2],
   radial distortion k[2]; the point X[3]; the observation's weight w. y: the residual[2].
       q = R (X - C),  u = q0/q2,  v = q1/q2,  rho = u^2 + v^2,
       y = w (f (1 + k1 rho + k2 rho^2) (u, v) + principal - pixel)
   where R = cos t I + sin t/t [r]x + (1 - cos t)/t^2 r r^T, t = |r| (Rodrigues). */
#ifndef BENCH_BUNDLE_H
#define BENCH_BUNDLE_H
enum { BUNDLE_VARIABLES = 15, BUNDLE_INPUTS = 17, BUNDLE_OUTPUTS = 32 };
typedef struct bundle_data {
    double *cameras, *points, *weights, *pixels;      /* [][11], [][3], [], [][2] */
    uint32_t *camera, *point;                         /* of each observation */
} bundle_data;
#endif

#ifdef N
/* Where t is small, series; both ways are computed, so the one that is not taken must stay away
   from 0/0. */
TEXT void P(bundle_residual)(const N *x, const D *pixel, N *y)
{
    const N *r = x, *k = x + 9;
    const N w = x[14];
    N d[3], cross[3], q[3], t2, safe, angle, a, b, c, along, u, v, rho, stretch;
    const double tiny = sizeof(R) == 8 ? 1e-8 : 1e-4;
    size_t i;
    for (i = 0; i < 3; i++) d[i] = SUB(x[11 + i], x[3 + i]);
    t2 = ADD(ADD(SQUARE(r[0]), SQUARE(r[1])), SQUARE(r[2]));
    safe = SELECT_LT(t2, tiny, CONST(1), t2);
    angle = SQRT(safe);
    a = DIV(SIN(angle), angle);
    b = DIV(R_SUB(1, COS(angle)), safe);
    a = SELECT_LT(t2, tiny, ADD_R(MUL(t2, ADD_R(MUL_R(t2, 1.0 / 120), -1.0 / 6)), 1), a);
    b = SELECT_LT(t2, tiny, ADD_R(MUL(t2, ADD_R(MUL_R(t2, 1.0 / 720), -1.0 / 24)), 0.5), b);
    c = R_SUB(1, MUL(b, t2));
    for (i = 0; i < 3; i++) {
        const size_t j = (i + 1) % 3, l = (i + 2) % 3;
        cross[i] = SUB(MUL(r[j], d[l]), MUL(r[l], d[j]));
    }
    along = ADD(ADD(MUL(r[0], d[0]), MUL(r[1], d[1])), MUL(r[2], d[2]));
    along = MUL(along, b);
    for (i = 0; i < 3; i++)
        q[i] = ADD(ADD(MUL(c, d[i]), MUL(a, cross[i])), MUL(along, r[i]));
    u = DIV(q[0], q[2]);
    v = DIV(q[1], q[2]);
    rho = ADD(SQUARE(u), SQUARE(v));
    stretch = ADD_R(MUL(rho, ADD(k[0], MUL(k[1], rho))), 1);
    stretch = MUL(stretch, x[6]);
    y[0] = MUL(w, SUB_D(ADD(MUL(stretch, u), x[7]), pixel[0]));
    y[1] = MUL(w, SUB_D(ADD(MUL(stretch, v), x[8]), pixel[1]));
}
#ifndef NUMBERS_FN
TEXT void P(bundle)(const bench_case *c, size_t point, const N *x, N *y)
{
    P(bundle_residual)(x, ((const bundle_data *)c->data)->pixels + 2 * point, y);
}
#endif
#endif
