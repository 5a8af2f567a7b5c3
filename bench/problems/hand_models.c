/* Derivatives derived and written by hand: k-means, an ordinary differential equation, the network
   with memory, hand tracking. Values and derivatives share what they can, inner loops run over
   contiguous memory and have lengths that the compiler knows. */
#include "hand.h"

/* ---- k-means

   With m points nearest to a centroid c and s their sum, the gradient by c is 2 (m c - s), the
   diagonal of the Hessian 2 m. Distances are of KMEANS_LANES points at a time, so that the least is
   found without a branch. */
INLINE void kmeans_of(size_t d, size_t k, size_t n, const double *restrict x,
    const double *restrict c, double *restrict out, double *restrict work)
{
    double *restrict sum = out + 1, *restrict twice = sum + k * d, *restrict count = work;
    double *restrict turned = work + k, value = 0;
    size_t p, i, j, b;
    for (i = 0; i < k * d; i++) sum[i] = 0;
    for (j = 0; j < k; j++) count[j] = 0;
    for (p = 0; p < n; p += KMEANS_LANES, x += KMEANS_LANES * d) {
        const size_t some = n - p < KMEANS_LANES ? n - p : KMEANS_LANES;
        double least[KMEANS_LANES], nearest[KMEANS_LANES];
        for (b = 0; b < KMEANS_LANES; b++) {
            least[b] = HUGE_VAL;
            nearest[b] = 0;
            for (i = 0; i < d; i++) turned[i * KMEANS_LANES + b] = b < some ? x[b * d + i] : 0;
        }
        for (j = 0; j < k; j++) {
            double s[KMEANS_LANES] = { 0 };
            for (i = 0; i < d; i++)
                for (b = 0; b < KMEANS_LANES; b++) {
                    const double e = turned[i * KMEANS_LANES + b] - c[j * d + i];
                    s[b] += e * e;
                }
            for (b = 0; b < KMEANS_LANES; b++) {
                nearest[b] = s[b] < least[b] ? (double)j : nearest[b];
                least[b] = s[b] < least[b] ? s[b] : least[b];
            }
        }
        for (b = 0; b < some; b++) {
            const size_t at = (size_t)(int)nearest[b];
            value += least[b];
            count[at] += 1;
            for (i = 0; i < d; i++) sum[at * d + i] += x[b * d + i];
        }
    }
    out[0] = value;
    for (j = 0; j < k; j++)
        for (i = 0; i < d; i++) {
            sum[j * d + i] = 2 * (count[j] * c[j * d + i] - sum[j * d + i]);
            twice[j * d + i] = 2 * count[j];
        }
}
SUITE(kmeans)
{
    const kmeans_data *g = (const kmeans_data *)c->data;
    if (g->d == 4) kmeans_of(4, g->k, g->n, g->x, g->c, out, g->work);
    else if (g->d == 8) kmeans_of(8, g->k, g->n, g->x, g->c, out, g->work);
    else if (g->d == 16) kmeans_of(16, g->k, g->n, g->x, g->c, out, g->work);
    else kmeans_of(g->d, g->k, g->n, g->x, g->c, out, g->work);
}

/* ---- an ordinary differential equation

   With S the derivatives of the state by the six inputs, a slope f has those of J S + df/dx. The
   state's own recurrence waits for itself, and six columns beside it fit into the vector registers
   that wait with it: faster than two sweeps back over stored states. */
enum { ODE_COLUMNS = 8 };
typedef struct ode_state {
    double u, v, su[ODE_COLUMNS], sv[ODE_COLUMNS];
} ode_state;
/* slope = f(at), and at = from + h slope where there is a next */
INLINE void ode_slope(const double *restrict x, const ode_state *restrict at,
    ode_state *restrict slope)
{
    const double fu = x[0] - x[1] * at->v, fv = x[2] * at->u - x[3];
    const double uv = -x[1] * at->u, vu = x[2] * at->v, both = at->u * at->v;
    const double du[ODE_COLUMNS] = { at->u, -both, 0, 0, 0, 0, 0, 0 };
    const double dv[ODE_COLUMNS] = { 0, 0, both, -at->v, 0, 0, 0, 0 };
    int i;
    slope->u = fu * at->u;
    slope->v = fv * at->v;
    for (i = 0; i < ODE_COLUMNS; i++) {
        slope->su[i] = fu * at->su[i] + (uv * at->sv[i] + du[i]);
        slope->sv[i] = fv * at->sv[i] + (vu * at->su[i] + dv[i]);
    }
}
INLINE void ode_add(const ode_state *from, double h, const ode_state *slope, ode_state *to)
{
    int i;
    to->u = from->u + h * slope->u;
    to->v = from->v + h * slope->v;
    for (i = 0; i < ODE_COLUMNS; i++) {
        to->su[i] = from->su[i] + h * slope->su[i];
        to->sv[i] = from->sv[i] + h * slope->sv[i];
    }
}
SUITE(ode)
{
    const double *x = (const double *)c->data, h = ODE_TIME / (double)c->size[0];
    ode_state s = { 0, 0, { 0 }, { 0 } }, at, k, end;
    size_t i;
    s.u = x[4];
    s.v = x[5];
    s.su[4] = s.sv[5] = 1;
    for (i = 0; i < c->size[0]; i++) {
        ode_slope(x, &s, &k);
        ode_add(&s, h / 6, &k, &end);
        ode_add(&s, 0.5 * h, &k, &at);
        ode_slope(x, &at, &k);
        ode_add(&end, h / 3, &k, &end);
        ode_add(&s, 0.5 * h, &k, &at);
        ode_slope(x, &at, &k);
        ode_add(&end, h / 3, &k, &end);
        ode_add(&s, h, &k, &at);
        ode_slope(x, &at, &k);
        ode_add(&end, h / 6, &k, &s);
    }
    out[0] = s.u;
    out[1] = s.v;
    for (i = 0; i < 6; i++) {
        out[2 + i] = s.su[i];
        out[8 + i] = s.sv[i];
    }
}

/* ---- long short-term memory

   Going back, with c' the derivative by a step's new cell, from this step's h' and the next step's:
       c' += h' o (1 - T^2), T = tanh(cell);    by the sums in the gates' functions
       f: c' cell_before f (1 - f),   g: c' a g (1 - g),   o: h' T o (1 - o),   a: c' g (1 - a^2)
   then c' f goes to the step before, w1 g-sum + w3 a-sum to the h before, w0 f-sum + w2 o-sum to
   the layer below. tanh(x) is 2 sigmoid(2 x) - 1: its error is absolute, and so is what comes of
   it. */
INLINE void lstm_sigmoid(double *restrict x)
{
    int i;
    for (i = 0; i < LSTM_UNITS; i++) x[i] = exp(-x[i]);
    for (i = 0; i < LSTM_ROW; i++) x[i] = 1 / (1 + x[i]);
}
INLINE void lstm_tanh(double *restrict x)
{
    int i;
    for (i = 0; i < LSTM_UNITS; i++) x[i] = exp(-2 * x[i]);
    for (i = 0; i < LSTM_ROW; i++) x[i] = 2 / (1 + x[i]) - 1;
}
INLINE void lstm_affine(const double *restrict x, const double *restrict w,
    const double *restrict v, double *restrict y)
{
    int i;
    for (i = 0; i < LSTM_ROW; i++) y[i] = x[i] * w[i] + v[i];
}
enum { LSTM_F, LSTM_G, LSTM_O, LSTM_A, LSTM_T, LSTM_CELL, LSTM_H, LSTM_X };      /* rows kept */

/* Forwards through one step of one layer: kept holds the old cell and h and what the layer sees. */
INLINE void lstm_forth(const double *restrict w, double *restrict kept, double *restrict cell,
    double *restrict h)
{
    const double *restrict v = w + 4 * LSTM_ROW, *restrict x = kept + LSTM_X * LSTM_ROW;
    double *restrict f = kept, *restrict g = f + LSTM_ROW, *restrict o = g + LSTM_ROW;
    double *restrict a = o + LSTM_ROW, *restrict top = a + LSTM_ROW;
    int i;
    for (i = 0; i < LSTM_ROW; i++) {
        kept[LSTM_CELL * LSTM_ROW + i] = cell[i];
        kept[LSTM_H * LSTM_ROW + i] = h[i];
    }
    lstm_affine(x, w, v, f);
    lstm_affine(h, w + LSTM_ROW, v + LSTM_ROW, g);
    lstm_affine(x, w + 2 * LSTM_ROW, v + 2 * LSTM_ROW, o);
    lstm_affine(h, w + 3 * LSTM_ROW, v + 3 * LSTM_ROW, a);
    lstm_sigmoid(f);
    lstm_sigmoid(g);
    lstm_sigmoid(o);
    lstm_tanh(a);
    for (i = 0; i < LSTM_ROW; i++) top[i] = cell[i] = cell[i] * f[i] + g[i] * a[i];
    lstm_tanh(top);
    for (i = 0; i < LSTM_ROW; i++) h[i] = o[i] * top[i];
}
/* Back: by_x, what comes from above, becomes what goes below. */
INLINE void lstm_back(const double *restrict w, const double *restrict kept,
    double *restrict by_cell, double *restrict by_h, double *restrict by_x, double *restrict by_w)
{
    double *restrict by_v = by_w + 4 * LSTM_ROW;
    int i;
    for (i = 0; i < LSTM_ROW; i++) {
        const double f = kept[LSTM_F * LSTM_ROW + i], g = kept[LSTM_G * LSTM_ROW + i];
        const double o = kept[LSTM_O * LSTM_ROW + i], a = kept[LSTM_A * LSTM_ROW + i];
        const double top = kept[LSTM_T * LSTM_ROW + i], cell = kept[LSTM_CELL * LSTM_ROW + i];
        const double h = kept[LSTM_H * LSTM_ROW + i], x = kept[LSTM_X * LSTM_ROW + i];
        const double d = by_h[i] + by_x[i], e = by_cell[i] + d * o * (1 - top * top);
        const double zf = e * cell * f * (1 - f), zg = e * a * g * (1 - g);
        const double zo = d * top * o * (1 - o), za = e * g * (1 - a * a);
        by_cell[i] = e * f;
        by_h[i] = w[LSTM_ROW + i] * zg + w[3 * LSTM_ROW + i] * za;
        by_x[i] = w[i] * zf + w[2 * LSTM_ROW + i] * zo;
        by_w[i] += zf * x;
        by_w[LSTM_ROW + i] += zg * h;
        by_w[2 * LSTM_ROW + i] += zo * x;
        by_w[3 * LSTM_ROW + i] += za * h;
        by_v[i] += zf;
        by_v[LSTM_ROW + i] += zg;
        by_v[2 * LSTM_ROW + i] += zo;
        by_v[3 * LSTM_ROW + i] += za;
    }
}
/* rows of 14 to rows of 16, and back */
INLINE void lstm_widen(size_t rows, const double *restrict from, double *restrict to)
{
    size_t r;
    for (r = 0; r < rows; r++) memcpy(to + r * LSTM_ROW, from + r * LSTM_UNITS, 14 * sizeof *to);
}
SUITE(lstm)
{
    const lstm_data *g = (const lstm_data *)c->data;
    const size_t layers = g->layers, steps = g->steps, step = layers * LSTM_KEPT * LSTM_ROW;
    double *restrict kept = g->work, *restrict share = kept + steps * step;
    double *restrict w = share + steps * LSTM_ROW, *restrict state = w + 8 * LSTM_ROW * layers;
    double *restrict by_w = state + 2 * LSTM_ROW * layers;
    double *restrict back = by_w + 8 * LSTM_ROW * layers;
    double *restrict by_above = back + 2 * LSTM_ROW * layers;
    double below[LSTM_ROW] = { 0 }, above[2 * LSTM_ROW] = { 0 }, by_below[LSTM_UNITS] = { 0 };
    double x[LSTM_ROW], value = 0;
    const double *restrict theta = g->theta;
    size_t t, l, i, r;
    lstm_widen(8 * layers, theta, w);
    lstm_widen(2 * layers, g->state, state);
    lstm_widen(1, theta + layers * LSTM_LAYER, below);
    lstm_widen(2, theta + layers * LSTM_LAYER + LSTM_UNITS, above);
    memset(by_w, 0, (10 * layers + 2) * LSTM_ROW * sizeof *by_w);
    for (t = 0; t < steps; t++) {
        double *restrict s = share + t * LSTM_ROW, top, sum = 0;
        const double *restrict now = g->text + t * LSTM_UNITS;
        for (i = 0; i < LSTM_UNITS; i++) x[i] = below[i] * now[i];
        x[14] = x[15] = 0;
        for (l = 0; l < layers; l++) {
            double *restrict k = kept + t * step + l * LSTM_KEPT * LSTM_ROW;
            double *restrict cell = state + 2 * l * LSTM_ROW;
            memcpy(k + LSTM_X * LSTM_ROW, x, sizeof x);
            lstm_forth(w + 8 * l * LSTM_ROW, k, cell, cell + LSTM_ROW);
            memcpy(x, cell + LSTM_ROW, sizeof x);
        }
        lstm_affine(x, above, above + LSTM_ROW, s);
        top = s[0];
        for (i = 1; i < LSTM_UNITS; i++) top = s[i] > top ? s[i] : top;
        value -= s[g->character[t + 1]];
        for (i = 0; i < LSTM_UNITS; i++) {
            s[i] = exp(s[i] - top);
            sum += s[i];
        }
        value += top + log(sum);
        sum = 1 / sum;
        for (i = 0; i < LSTM_UNITS; i++) s[i] *= sum;
        s[g->character[t + 1]] -= 1;           /* now the derivatives by the logits */
        s[14] = s[15] = 0;
        for (i = 0; i < LSTM_ROW; i++) {
            by_above[i] += s[i] * x[i];
            by_above[LSTM_ROW + i] += s[i];
        }
    }
    for (t = steps; t-- > 0;) {
        const double *restrict now = g->text + t * LSTM_UNITS;
        for (i = 0; i < LSTM_ROW; i++) x[i] = share[t * LSTM_ROW + i] * above[i];
        for (l = layers; l-- > 0;)
            lstm_back(w + 8 * l * LSTM_ROW, kept + t * step + l * LSTM_KEPT * LSTM_ROW,
                back + 2 * l * LSTM_ROW, back + (2 * l + 1) * LSTM_ROW, x, by_w + 8 * l * LSTM_ROW);
        for (i = 0; i < LSTM_UNITS; i++) by_below[i] += x[i] * now[i];
    }
    out[0] = value;
    out++;
    for (r = 0; r < 8 * layers; r++, out += LSTM_UNITS)
        memcpy(out, by_w + r * LSTM_ROW, LSTM_UNITS * sizeof *out);
    memcpy(out, by_below, sizeof by_below);
    for (r = 0; r < 2; r++)
        memcpy(out + (r + 1) * LSTM_UNITS, by_above + r * LSTM_ROW, LSTM_UNITS * sizeof *out);
}

/* ---- hand tracking

   A joint at c that turns about the axis a moves what hangs below it by a x (p - c): so with X the
   sum of w p over those bones of a vertex, and W of w, the column is a x (X - W c), and nothing of
   the pose is differentiated. By r all of v turns, about the columns of
   A I + B [r]x + C r r^T,  A = sin(t)/t, B = (1 - cos(t))/t^2, C = (1 - A)/t^2. */
typedef struct tracking_pose {
    double skin[TRACKING_BONES][12], spin[3][3];
    double axis[TRACKING_FINGERS][4][3], at[TRACKING_FINGERS][3][3];
} tracking_pose;
INLINE void tracking_times(const double *restrict a, const double *restrict b,
    double *restrict out)
{
    int i, j;
    for (i = 0; i < 3; i++) {
        for (j = 0; j < 4; j++)
            out[4 * i + j] = a[4 * i] * b[j] + a[4 * i + 1] * b[4 + j] + a[4 * i + 2] * b[8 + j];
        out[4 * i + 3] += a[4 * i + 3];
    }
}
INLINE void tracking_turn(double *m, int i, int j, double angle)
{
    const double co = cos(angle), si = sin(angle);
    int row;
    for (row = 0; row < 3; row++, m += 4) {
        const double a = m[i], b = m[j];
        m[i] = co * a + si * b;
        m[j] = co * b - si * a;
    }
}
static void tracking_find(const tracking_data *g, tracking_pose *to)
{
    const double *r = g->theta, *angle = g->theta + 6;
    const double t2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2], t = sqrt(t2), co = cos(t);
    const double a = sin(t) / t, b = (1 - co) / t2, d = (1 - a) / t2;
    double *root = to->skin[0];
    int f, i, j, bone;
    for (i = 0; i < 3; i++) {
        const int k = (i + 1) % 3, l = (i + 2) % 3;
        for (j = 0; j < 3; j++) {
            root[4 * i + j] = b * r[i] * r[j];
            to->spin[j][i] = d * r[i] * r[j];
        }
        root[4 * i + i] += co;
        root[4 * i + k] -= a * r[l];
        root[4 * i + l] += a * r[k];
        root[4 * i + 3] = 0;
        to->spin[i][i] += a;
        to->spin[k][i] -= b * r[l];
        to->spin[l][i] += b * r[k];
    }
    memcpy(to->skin[1], root, sizeof to->skin[1]);
    for (f = 0; f < TRACKING_FINGERS; f++, angle += 4) {
        double m[12], next[12];
        for (j = 0; j < 4; j++) {
            bone = 2 + 4 * f + j;
            tracking_times(j ? m : root, g->base[bone], next);
            memcpy(m, next, sizeof m);
            if (j < 3) {
                for (i = 0; i < 3; i++) to->at[f][j][i] = m[4 * i + 3];
                if (j == 0) {
                    for (i = 0; i < 3; i++) to->axis[f][1][i] = m[4 * i + 2];
                    tracking_turn(m, 0, 1, angle[1]);
                }
                for (i = 0; i < 3; i++) to->axis[f][j ? j + 1 : 0][i] = m[4 * i];
                tracking_turn(m, 1, 2, angle[j ? j + 1 : 0]);
            }
            tracking_times(m, g->inverse[bone], to->skin[bone]);
        }
    }
}
/* v, and X and W of the three joints' own bones, scaled and added: below[3][4]. */
INLINE void tracking_vertex(const tracking_data *restrict g, const tracking_pose *restrict pose,
    size_t vertex, double scale, double *restrict v, double *restrict below)
{
    int i, k;
    v[0] = v[1] = v[2] = 0;
    for (k = 0; k < 4; k++) {
        const double *restrict m = g->moment[vertex][k];
        const uint32_t bone = g->bone[vertex][k], place = (bone - 2) & 3;
        const double *restrict s = pose->skin[bone];
        double p[3], *restrict to = below + 4 * (place < 2 ? place : 2);
        if (m[3] == 0) break;
        for (i = 0; i < 3; i++) {
            const double *restrict row = s + 4 * i;
            p[i] = row[0] * m[0] + row[1] * m[1] + row[2] * m[2] + row[3] * m[3];
            v[i] += p[i];
        }
        if (bone < 2) continue;
        for (i = 0; i < 3; i++) to[i] += scale * p[i];
        to[3] += scale * m[3];
    }
}
/* column = -(a x p) */
INLINE void tracking_column(const double *a, const double *p, double *row, size_t columns)
{
    row[0] = a[2] * p[1] - a[1] * p[2];
    row[columns] = a[0] * p[2] - a[2] * p[0];
    row[2 * columns] = a[1] * p[0] - a[0] * p[1];
}
INLINE void tracking_all(const bench_case *c, int complicated, double *out)
{
    const tracking_data *g = (const tracking_data *)c->data;
    const size_t n = g->n, columns = complicated ? 28 : 26, corners = complicated ? 3 : 1;
    const double *t = g->theta + 3;
    double *restrict row = out + 3 * n;
    tracking_pose pose;
    size_t p, i, k;
    tracking_find(g, &pose);
    for (p = 0; p < n; p++, row += 3 * columns) {
        const uint32_t *vertex = g->vertex + corners * p;
        const size_t finger = g->finger_of[vertex[0]];
        double below[12] = { 0 }, corner[3][3], *restrict v = corner[0];
        memset(row, 0, 3 * columns * sizeof *row);
        if (complicated) {
            const double u0 = g->u[2 * p], u1 = g->u[2 * p + 1], u2 = 1 - u0 - u1;
            tracking_vertex(g, &pose, vertex[0], u0, corner[0], below);
            tracking_vertex(g, &pose, vertex[1], u1, corner[1], below);
            tracking_vertex(g, &pose, vertex[2], u2, corner[2], below);
            for (i = 0; i < 3; i++) {
                row[i * columns + 26] = corner[2][i] - corner[0][i];
                row[i * columns + 27] = corner[2][i] - corner[1][i];
                v[i] = u0 * corner[0][i] + u1 * corner[1][i] + u2 * corner[2][i];
            }
        } else tracking_vertex(g, &pose, vertex[0], 1, v, below);
        for (i = 0; i < 3; i++) {
            out[3 * p + i] = g->measured[3 * p + i] - v[i] - t[i];
            row[i * columns + 3 + i] = -1;
            tracking_column(pose.spin[i], v, row + i, columns);
        }
        for (i = 0; i < 4; i++) below[4 + i] += below[8 + i];
        for (i = 0; i < 4; i++) below[i] += below[4 + i];
        for (k = 0; k < 3; k++) {
            double *restrict arm = below + 4 * k;
            for (i = 0; i < 3; i++) arm[i] -= arm[3] * pose.at[finger][k][i];
        }
        for (k = 0; k < 4; k++)
            tracking_column(pose.axis[finger][k], below + (k < 2 ? 0 : 4 * (k - 1)),
                row + 6 + 4 * finger + k, columns);
    }
}
SUITE(tracking_simple) { tracking_all(c, 0, out); }
SUITE(tracking_complicated) { tracking_all(c, 1, out); }
