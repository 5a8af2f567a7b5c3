/* Hand tracking: where the points of a posed hand are, against where they were measured. The third
   problem of ADBench: a Jacobian of 3 n rows and few columns.

   theta: rotation r[3] by axis and angle, translation t[3], and for each of five fingers four
   angles: of its first joint about x and z, of the two others about x. 22 bones: wrist and palm,
   which move with the hand, and for each finger four in a chain. Bone b of a finger is at
       M = M_parent B R,   B: where it is at rest on its parent, R: its joint; the last has none
   with M_parent = the hand's rotation for the first. A point p of the skin at rest is then at
       v = sum over bones of w M I p + t,   I: the inverse of M at rest without rotation
   where every vertex has four bones at most with w not 0: the wrist, the palm, and one finger's.

   simple: a correspondence is a vertex. complicated: it is a place on a triangle (of one finger's
   vertices), u0 V0 + u1 V1 + (1 - u0 - u1) V2, with its own u, also to be found; so 26 columns of
   theta and two that all u share. y: measured - v. */
#ifndef BENCH_TRACKING_H
#define BENCH_TRACKING_H
enum { TRACKING_FINGERS = 5, TRACKING_BONES = 22, TRACKING_THETA = 26, TRACKING_VERTICES = 544 };
typedef struct tracking_data {
    size_t n;
    int complicated;
    double theta[TRACKING_THETA];
    double base[TRACKING_BONES][12], inverse[TRACKING_BONES][12];     /* B and I: 3 x 4, by rows */
    double place[TRACKING_VERTICES][3], weight[TRACKING_VERTICES][4];
    double moment[TRACKING_VERTICES][4][4];                           /* w (p, 1) */
    uint32_t bone[TRACKING_VERTICES][4], finger_of[TRACKING_VERTICES];
    double *measured, *u;              /* [n][3], [n][2] */
    uint32_t *vertex, *color;          /* [n], or [n][3]; of all inputs */
} tracking_data;
#endif

#ifdef N
/* R of an axis and angle r that is not 0 (Rodrigues), without translation: 3 x 4 by rows. */
TEXT void P(tracking_root)(const N *r, N *root)
{
    const N t2 = ADD(ADD(SQUARE(r[0]), SQUARE(r[1])), SQUARE(r[2])), t = SQRT(t2);
    const N co = COS(t), a = DIV(SIN(t), t), b = DIV(R_SUB(1, co), t2);
    size_t i, j;
    for (i = 0; i < 3; i++) {
        const N br = MUL(b, r[i]);
        for (j = 0; j < 3; j++) {
            root[4 * i + j] = MUL(br, r[j]);
            if (i == j) root[4 * i + j] = ADD(root[4 * i + j], co);
            else if (j == (i + 1) % 3)
                root[4 * i + j] = SUB(root[4 * i + j], MUL(a, r[3 - i - j]));
            else root[4 * i + j] = ADD(root[4 * i + j], MUL(a, r[3 - i - j]));
        }
        root[4 * i + 3] = CONST(0);
    }
}
/* a times b, the last row of both 0 0 0 1 */
TEXT void P(tracking_times)(const N *a, const D *b, N *out)
{
    size_t i, j;
    for (i = 0; i < 3; i++, a += 4)
        for (j = 0; j < 4; j++) {
            N s = MUL_D(a[0], b[j]);
            s = ADD(ADD(s, MUL_D(a[1], b[4 + j])), MUL_D(a[2], b[8 + j]));
            if (j == 3) s = ADD(s, a[3]);
            *out++ = s;
        }
}
/* m times the rotation that takes axis i towards axis j */
TEXT void P(tracking_turn)(N *m, size_t i, size_t j, const N angle)
{
    const N co = COS(angle), si = SIN(angle);
    size_t row;
    for (row = 0; row < 3; row++, m += 4) {
        const N a = m[i], b = m[j];
        m[i] = ADD(MUL(co, a), MUL(si, b));
        m[j] = SUB(MUL(co, b), MUL(si, a));
    }
}
/* M I of a finger's four bones */
TEXT void P(tracking_finger)(const N *root, const N *angle, const D *base, const D *inverse,
    N *skin)
{
    N m[12], next[12];
    size_t i, bone;
    for (bone = 0; bone < 4; bone++, base += 12, inverse += 12, skin += 12) {
        P(tracking_times)(bone ? m : root, base, next);
        for (i = 0; i < 12; i++) m[i] = next[i];
        if (bone == 0) P(tracking_turn)(m, 0, 1, angle[1]);
        if (bone < 3) P(tracking_turn)(m, 1, 2, angle[bone ? bone + 1 : 0]);
        P(tracking_times)(m, inverse, skin);
    }
}
#ifndef NUMBERS_FN
TEXT void P(tracking_vertex)(const tracking_data *g, size_t vertex, const N *skin, N *v)
{
    size_t i, j, k;
    for (i = 0; i < 3; i++)
        for (k = 0; k < 4; k++) {
            const double *m = g->moment[vertex][k];
            const N *row = skin + 12 * g->bone[vertex][k] + 4 * i;
            if (g->weight[vertex][k] == 0) continue;
            if (k == 0) v[i] = MUL_R(row[0], m[0]);
            else v[i] = ADD(v[i], MUL_R(row[0], m[0]));
            for (j = 1; j < 4; j++) v[i] = ADD(v[i], MUL_R(row[j], m[j]));
        }
}
TEXT void P(tracking)(const tracking_data *g, const N *x, N *y)
{
    N skin[12 * TRACKING_BONES], v[3][3];
    size_t f, p, i;
    P(tracking_root)(x, skin);
    for (i = 0; i < 12; i++) skin[12 + i] = skin[i];
    for (f = 0; f < TRACKING_FINGERS; f++)
        P(tracking_finger)(skin, x + 6 + 4 * f, g->base[2 + 4 * f], g->inverse[2 + 4 * f],
            skin + 12 * (2 + 4 * f));
    for (p = 0; p < g->n; p++, y += 3) {
        if (g->complicated) {
            const N *u = x + TRACKING_THETA + 2 * p;
            for (i = 0; i < 3; i++) P(tracking_vertex)(g, g->vertex[3 * p + i], skin, v[i]);
            for (i = 0; i < 3; i++)
                v[0][i] = ADD(v[2][i], ADD(MUL(u[0], SUB(v[0][i], v[2][i])),
                    MUL(u[1], SUB(v[1][i], v[2][i]))));
        } else P(tracking_vertex)(g, g->vertex[p], skin, v[0]);
        for (i = 0; i < 3; i++) y[i] = R_SUB(g->measured[3 * p + i], ADD(v[0][i], x[3 + i]));
    }
}
TEXT void P(tracking_simple)(const bench_case *c, size_t point, const N *x, N *y)
{
    (void)point;
    P(tracking)((const tracking_data *)c->data, x, y);
}
TEXT void P(tracking_complicated)(const bench_case *c, size_t point, const N *x, N *y)
{
    (void)point;
    P(tracking)((const tracking_data *)c->data, x, y);
}
#endif
#endif
