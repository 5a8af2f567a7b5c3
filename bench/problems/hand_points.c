/* Derivatives derived and written by hand: problems that map over points, and small ones; in both
   precisions (this file reads itself). Values and derivatives share what they can; loops run over
   contiguous memory; sums have several accumulators where that lets compilers use vector registers
   without leave to reorder; what is usually asked for has dimensions that the compiler knows, as a
   compiled function's are known. */
#ifndef REAL
#define REAL double
#define P(name) name##_d
#include "hand.h"
#define REAL float
#define P(name) name##_f
#include "hand.h"

#define PASTE(who, type) hand_##who##type
#define SET_OF(who, type) PASTE(who, type)
#define LANES 8
#if defined(__clang__)
#define COMPILER "clang"
#elif defined(__GNUC__)
#define COMPILER "gcc"
#else
#define COMPILER "this compiler"
#endif

#define REAL double
#define P(name) name##_d
#define SET SET_OF(HAND, _d)
#define M(name) name
#include "hand_points.c"
#define REAL float
#define P(name) name##_f
#define SET SET_OF(HAND, _f)
#define M(name) name##f
#include "hand_points.c"

/* ---- as the suite asks for them: values first, then derivatives */
#define MINE SET_OF(HAND, _d)

SUITE(gmm)
{
    const gmm_data *g = (const gmm_data *)c->data;
    const size_t d = g->d, k = g->k, kd = k * d, triangle = k * (d * (d - 1) / 2);
    const double *q = g->theta + k + kd, *l = q + kd, half = 0.5 * GMM_GAMMA * GMM_GAMMA;
    double *by_q = out + 1 + k + kd, *by_l = by_q + kd, sum = 0, square = 0;
    size_t i;
    MINE.mixture(d, k, g->n, g->x, g->theta, out, g->work);
    for (i = 0; i < kd; i++) {                 /* the prior */
        const double e = exp(q[i]), s = e * e;
        sum += q[i];
        square += s;
        by_q[i] += GMM_M - 2 * half * s;
    }
    for (i = 0; i < triangle; i++) {
        square += l[i] * l[i];
        by_l[i] -= 2 * half * l[i];
    }
    out[0] += GMM_M * sum - half * square;
}
SUITE(bundle)
{
    const bundle_data *g = (const bundle_data *)c->data;
    MINE.bundle(c->points, g->cameras, g->points, g->weights, g->pixels, g->camera, g->point, out);
}
SUITE(rosenbrock)
{
    MINE.rosenbrock(c->inputs, (const double *)c->data, out);
}
SUITE(logistic)
{
    const logistic_data *g = (const logistic_data *)c->data;
    MINE.logistic(c->size[0], c->size[1], g->x, g->label, g->w, out);
}
SUITE(options)
{
    const options_data *g = (const options_data *)c->data;
    MINE.options(c->points, g->spot, g->strike, g->years, g->volatility, g->rate, out);
}
SUITE(network)
{
    const network_data *g = (const network_data *)c->data;
    double one[1 + NET_WEIGHTS];
    size_t p, i;
    for (i = 0; i <= NET_WEIGHTS; i++) out[i] = 0;
    for (p = 0; p < c->size[0]; p++) {
        MINE.network(g->w, g->examples + p * (NET_IN + 1), one);
        for (i = 0; i <= NET_WEIGHTS; i++) out[i] += one[i];
    }
}
SUITE(helmholtz)
{
    const helmholtz_data *g = (const helmholtz_data *)c->data;
    MINE.helmholtz(c->inputs, g->b, g->a, g->x, out, g->work);
}
#else

/* ---- bundle adjustment

   q = R x with x = X - C:  q = cos(t) x + A (r cross x) + B (r x) r,  A = sin(t)/t,
   B = (1 - cos(t))/t^2. Since dA/dr = A' r and dB/dr = B' r with A' = (cos(t) - A)/t^2 and
   B' = (A - 2B)/t^2, a row g of derivatives by q becomes by r
       (g v) r + A (x cross g) + B ((r x) g + (g r) x),  v = -A x + A' (r cross x) + B' (r x) r,
   and by x it becomes g rotated back. */
INLINE void P(observe)(const REAL *restrict camera, const REAL *restrict X, REAL weight,
    const REAL *restrict pixel, REAL *restrict out)
{
    const REAL r0 = camera[0], r1 = camera[1], r2 = camera[2], f = camera[6];
    const REAL k1 = camera[9], k2 = camera[10];
    const REAL x0 = X[0] - camera[3], x1 = X[1] - camera[4], x2 = X[2] - camera[5];
    const REAL t2 = r0 * r0 + r1 * r1 + r2 * r2;
    const REAL c0 = r1 * x2 - r2 * x1, c1 = r2 * x0 - r0 * x2, c2 = r0 * x1 - r1 * x0;
    const REAL along = r0 * x0 + r1 * x1 + r2 * x2;
    REAL a, b, co, da, db, q0, q1, iz, u, v, rho, slope, stretch, e0, e1;
    REAL v0, v1, v2, w, puu, puv, pvv;
    int row;
    if (t2 > (sizeof(REAL) == 8 ? (REAL)1e-8 : (REAL)1e-4)) {
        const REAL t = M(sqrt)(t2), i2 = 1 / t2;
        co = M(cos)(t);
        a = M(sin)(t) * (t * i2);
        b = (1 - co) * i2;
        da = (co - a) * i2;
        db = (a - 2 * b) * i2;
    } else {
        a = 1 - t2 * (REAL)(1.0 / 6);
        b = (REAL)0.5 - t2 * (REAL)(1.0 / 24);
        co = 1 - t2 * (REAL)0.5;
        da = (REAL)(-1.0 / 3) + t2 * (REAL)(1.0 / 30);
        db = (REAL)(-1.0 / 12) + t2 * (REAL)(1.0 / 180);
    }
    q0 = co * x0 + a * c0 + b * along * r0;
    q1 = co * x1 + a * c1 + b * along * r1;
    iz = 1 / (co * x2 + a * c2 + b * along * r2);
    u = q0 * iz;
    v = q1 * iz;
    rho = u * u + v * v;
    stretch = 1 + rho * (k1 + k2 * rho);
    slope = k1 + 2 * k2 * rho;
    e0 = f * stretch * u + camera[7] - pixel[0];
    e1 = f * stretch * v + camera[8] - pixel[1];
    out[0] = weight * e0;
    out[1] = weight * e1;

    w = weight * f;
    puu = w * (stretch + 2 * slope * u * u);
    puv = w * (2 * slope * u * v);
    pvv = w * (stretch + 2 * slope * v * v);
    v0 = da * c0 + db * along * r0 - a * x0;
    v1 = da * c1 + db * along * r1 - a * x1;
    v2 = da * c2 + db * along * r2 - a * x2;
    for (row = 0; row < 2; row++) {
        REAL *restrict o = out + 2 + 15 * row;
        const REAL gu = row ? puv : puu, gv = row ? pvv : puv, at = row ? v : u;
        const REAL g0 = gu * iz, g1 = gv * iz, g2 = -(gu * u + gv * v) * iz;
        const REAL gr = g0 * r0 + g1 * r1 + g2 * r2, gx = g0 * v0 + g1 * v1 + g2 * v2;
        const REAL s = b * along, z = b * gr;
        const REAL b0 = co * g0 - a * (r1 * g2 - r2 * g1) + z * r0;
        const REAL b1 = co * g1 - a * (r2 * g0 - r0 * g2) + z * r1;
        const REAL b2 = co * g2 - a * (r0 * g1 - r1 * g0) + z * r2;
        o[0] = gx * r0 + a * (x1 * g2 - x2 * g1) + s * g0 + z * x0;
        o[1] = gx * r1 + a * (x2 * g0 - x0 * g2) + s * g1 + z * x1;
        o[2] = gx * r2 + a * (x0 * g1 - x1 * g0) + s * g2 + z * x2;
        o[3] = -b0;
        o[4] = -b1;
        o[5] = -b2;
        o[6] = weight * stretch * at;
        o[7] = row ? 0 : weight;
        o[8] = row ? weight : 0;
        o[9] = w * rho * at;
        o[10] = w * rho * rho * at;
        o[11] = b0;
        o[12] = b1;
        o[13] = b2;
        o[14] = row ? e1 : e0;
    }
}

static void P(bundle)(size_t n, const REAL *restrict cameras, const REAL *restrict points,
    const REAL *restrict weights, const REAL *restrict pixels, const uint32_t *restrict camera,
    const uint32_t *restrict point, REAL *restrict out)
{
    size_t i;
    for (i = 0; i < n; i++)
        P(observe)(cameras + 11 * (size_t)camera[i], points + 3 * (size_t)point[i], weights[i],
            pixels + 2 * i, out + BUNDLE_OUTPUTS * i);
}
static void P(bundle_one)(const REAL *x, REAL *out)
{
    P(observe)(x, x + 11, x[14], x + 15, out);
}

/* ---- Gaussian mixture

   Of component c at point x, with e = x - mu and y = Q e, the log-density is
   alpha + sum q - y y / 2 - logsumexp(alpha). With its share w of the point, the derivatives are w,
   Q^T (w y) by mu, w (1 - y e exp(q)) by q, -w y[i] e[j] by l: so Q and exp(q), which all points
   have in common, leave the sums. By columns, the inner loops run along vectors and none of them is
   a sum. */
INLINE void P(mixture_of)(size_t d, size_t k, size_t n, const REAL *restrict x,
    const REAL *restrict theta, REAL *restrict out, REAL *restrict work)
{
    const size_t triangle = d * (d - 1) / 2;
    const REAL *restrict alpha = theta, *restrict mu = alpha + k;
    const REAL *restrict q = mu + k * d, *restrict l = q + k * d;
    REAL *restrict by_alpha = out + 1, *restrict by_mu = by_alpha + k;
    REAL *restrict by_q = by_mu + k * d, *restrict by_l = by_q + k * d;
    REAL *restrict scale = work, *restrict offset = scale + k * d, *restrict term = offset + k;
    REAL *restrict e = term + k, *restrict y = e + k * d;
    const size_t size = k * (1 + 2 * d + triangle);
    REAL top, sum, value = 0;
    size_t p, c, i, j;
    for (i = 0; i <= size; i++) out[i] = 0;
    for (c = 0; c < k; c++) {
        offset[c] = alpha[c];
        for (i = 0; i < d; i++) {
            offset[c] += q[c * d + i];
            scale[c * d + i] = M(exp)(q[c * d + i]);
        }
    }
    for (p = 0; p < n; p++, x += d) {
        for (c = 0; c < k; c++) {
            const REAL *restrict column = l + c * triangle, *restrict m = mu + c * d;
            const REAL *restrict s = scale + c * d;
            REAL *restrict ec = e + c * d, *restrict yc = y + c * d;
            REAL square = 0;
            for (i = 0; i < d; i++) {
                ec[i] = x[i] - m[i];
                yc[i] = s[i] * ec[i];
            }
            for (j = 0; j + 1 < d; j++) {
                const REAL ej = ec[j];
                for (i = j + 1; i < d; i++) yc[i] += column[i - j - 1] * ej;
                column += d - 1 - j;
            }
            for (i = 0; i < d; i++) square += yc[i] * yc[i];
            term[c] = offset[c] - square * (REAL)0.5;
        }
        top = term[0];
        for (c = 1; c < k; c++) top = term[c] > top ? term[c] : top;
        sum = 0;
        for (c = 0; c < k; c++) {
            term[c] = M(exp)(term[c] - top);
            sum += term[c];
        }
        value += top + M(log)(sum);
        sum = 1 / sum;
        for (c = 0; c < k; c++) {
            const REAL w = term[c] * sum;
            const REAL *restrict ec = e + c * d;
            REAL *restrict yc = y + c * d, *restrict column = by_l + c * triangle;
            REAL *restrict gm = by_mu + c * d, *restrict gq = by_q + c * d;
            by_alpha[c] += w;
            for (i = 0; i < d; i++) {
                yc[i] *= w;
                gm[i] += yc[i];
                gq[i] += yc[i] * ec[i];
            }
            for (j = 0; j + 1 < d; j++) {
                const REAL ej = ec[j];
                for (i = j + 1; i < d; i++) column[i - j - 1] -= yc[i] * ej;
                column += d - 1 - j;
            }
        }
    }
    top = alpha[0];
    for (c = 1; c < k; c++) top = alpha[c] > top ? alpha[c] : top;
    sum = 0;
    for (c = 0; c < k; c++) sum += M(exp)(alpha[c] - top);
    out[0] = value - (REAL)n * (top + M(log)(sum) + (REAL)(0.5 * LOG_2_PI) * (REAL)d);
    for (c = 0; c < k; c++) {
        const REAL *restrict column = l + c * triangle, *restrict s = scale + c * d;
        REAL *restrict gm = by_mu + c * d, *restrict gq = by_q + c * d;
        for (j = 0; j < d; j++) {
            gq[j] = by_alpha[c] - s[j] * gq[j];
            gm[j] *= s[j];
            for (i = j + 1; i < d; i++) gm[j] += column[i - j - 1] * gm[i];
            column += d - 1 - j;
        }
        by_alpha[c] -= (REAL)n * M(exp)(alpha[c] - top) / sum;
    }
}
/* In the plane the loops above are too short for vector registers: LANES points at a time, each
   with sums of its own. */
static void P(mixture_plane)(size_t k, size_t n, const REAL *restrict x,
    const REAL *restrict theta, REAL *restrict out, REAL *restrict work)
{
    const REAL *restrict alpha = theta, *restrict mu = alpha + k;
    const REAL *restrict q = mu + 2 * k, *restrict l = q + 2 * k;
    REAL *restrict scale = work, *restrict offset = scale + 2 * k;
    REAL *restrict term = offset + k, *restrict sums = term + LANES * k;
    REAL top, sum, value = 0;
    size_t p, c, b, i;
    for (c = 0; c < k; c++) {
        scale[2 * c] = M(exp)(q[2 * c]);
        scale[2 * c + 1] = M(exp)(q[2 * c + 1]);
        offset[c] = alpha[c] + q[2 * c] + q[2 * c + 1];
    }
    for (i = 0; i < 6 * LANES * k; i++) sums[i] = 0;
    for (p = 0; p < n; p += LANES, x += 2 * LANES) {
        const size_t some = n - p < LANES ? n - p : LANES;
        REAL x0[LANES], x1[LANES];
        for (b = 0; b < LANES; b++) {
            x0[b] = x[b < some ? 2 * b : 0];
            x1[b] = x[b < some ? 2 * b + 1 : 1];
        }
        for (c = 0; c < k; c++) {
            const REAL m0 = mu[2 * c], m1 = mu[2 * c + 1], s0 = scale[2 * c], s1 = scale[2 * c + 1];
            for (b = 0; b < LANES; b++) {
                const REAL e0 = x0[b] - m0, e1 = x1[b] - m1, y0 = s0 * e0, y1 = s1 * e1 + l[c] * e0;
                term[c * LANES + b] = offset[c] - (REAL)0.5 * (y0 * y0 + y1 * y1);
            }
        }
        for (b = 0; b < some; b++) {
            top = term[b];
            for (c = 1; c < k; c++) top = term[c * LANES + b] > top ? term[c * LANES + b] : top;
            sum = 0;
            for (c = 0; c < k; c++) {
                term[c * LANES + b] = M(exp)(term[c * LANES + b] - top);
                sum += term[c * LANES + b];
            }
            value += top + M(log)(sum);
            sum = 1 / sum;
            for (c = 0; c < k; c++) term[c * LANES + b] *= sum;
        }
        for (b = some; b < LANES; b++)
            for (c = 0; c < k; c++) term[c * LANES + b] = 0;
        for (c = 0; c < k; c++) {
            const REAL m0 = mu[2 * c], m1 = mu[2 * c + 1], s0 = scale[2 * c], s1 = scale[2 * c + 1];
            REAL *restrict s = sums + 6 * LANES * c;
            for (b = 0; b < LANES; b++) {
                const REAL e0 = x0[b] - m0, e1 = x1[b] - m1, w = term[c * LANES + b];
                const REAL w0 = w * (s0 * e0), w1 = w * (s1 * e1 + l[c] * e0);
                s[b] += w;
                s[LANES + b] += w0;
                s[2 * LANES + b] += w1;
                s[3 * LANES + b] += w0 * e0;
                s[4 * LANES + b] += w1 * e1;
                s[5 * LANES + b] += w1 * e0;
            }
        }
    }
    for (i = 0; i < 6 * k; i++)
        for (b = 1; b < LANES; b++) sums[LANES * i] += sums[LANES * i + b];
    top = alpha[0];
    for (c = 1; c < k; c++) top = alpha[c] > top ? alpha[c] : top;
    sum = 0;
    for (c = 0; c < k; c++) sum += M(exp)(alpha[c] - top);
    out[0] = value - (REAL)n * (top + M(log)(sum) + (REAL)LOG_2_PI);
    for (c = 0; c < k; c++) {
        const REAL s0 = scale[2 * c], s1 = scale[2 * c + 1], *s = sums + 6 * LANES * c;
        out[1 + c] = s[0] - (REAL)n * M(exp)(alpha[c] - top) / sum;
        out[1 + k + 2 * c] = s0 * s[LANES] + l[c] * s[2 * LANES];
        out[2 + k + 2 * c] = s1 * s[2 * LANES];
        out[1 + 3 * k + 2 * c] = s[0] - s0 * s[3 * LANES];
        out[2 + 3 * k + 2 * c] = s[0] - s1 * s[4 * LANES];
        out[1 + 5 * k + c] = -s[5 * LANES];
    }
}
/* The usual dimensions have code of their own, in which loops have a known length. */
static void P(mixture)(size_t d, size_t k, size_t n, const REAL *x, const REAL *theta, REAL *out,
    REAL *work)
{
    if (d == 2) P(mixture_plane)(k, n, x, theta, out, work);
    else if (d == 10) P(mixture_of)(10, k, n, x, theta, out, work);
    else if (d == 20) P(mixture_of)(20, k, n, x, theta, out, work);
    else P(mixture_of)(d, k, n, x, theta, out, work);
}

/* ---- Black and Scholes: the closed forms */
static void P(options)(size_t n, const REAL *restrict spot, const REAL *restrict strike,
    const REAL *restrict years, const REAL *restrict volatility, REAL rate, REAL *restrict out)
{
    REAL *restrict price = out, *restrict delta = out + n, *restrict gamma_ = out + 2 * n;
    REAL *restrict vega = out + 3 * n, *restrict theta = out + 4 * n, *restrict rho = out + 5 * n;
    const REAL density = (REAL)(0.5 / 1.25331413731550025121);       /* 1 / sqrt(2 pi) */
    const REAL half_root = (REAL)(-1 / ROOT_2);
    size_t i;
    for (i = 0; i < n; i++) {
        const REAL s = spot[i], root = M(sqrt)(years[i]), deviation = volatility[i] * root;
        const REAL d1 = (M(log)(s / strike[i]) + rate * years[i]) / deviation
            + (REAL)0.5 * deviation;
        const REAL d2 = d1 - deviation;
        const REAL owed = strike[i] * M(exp)(-rate * years[i]);
        const REAL n1 = (REAL)0.5 * M(erfc)(d1 * half_root);
        const REAL paid = owed * (REAL)0.5 * M(erfc)(d2 * half_root);
        const REAL bell = density * M(exp)((REAL)-0.5 * d1 * d1);
        price[i] = s * n1 - paid;
        delta[i] = n1;
        gamma_[i] = bell / (s * deviation);
        vega[i] = s * bell * root;
        theta[i] = (REAL)-0.5 * s * bell * volatility[i] / root - rate * paid;
        rho[i] = years[i] * paid;
    }
}

/* ---- logistic regression */
INLINE void P(logistic_of)(size_t d, size_t n, const REAL *restrict x, const REAL *restrict label,
    const REAL *restrict w, REAL *restrict out)
{
    REAL *restrict g = out + 1;
    REAL value = 0;
    size_t p, i, j;
    for (i = 0; i < d; i++) g[i] = 0;
    for (p = 0; p < n; p++, x += d) {
        REAL part[8] = { 0, 0, 0, 0, 0, 0, 0, 0 }, z, small, share;
        for (i = 0; i + 8 <= d; i += 8)
            for (j = 0; j < 8; j++) part[j] += x[i + j] * w[i + j];
        z = ((part[0] + part[4]) + (part[1] + part[5]))
            + ((part[2] + part[6]) + (part[3] + part[7]));
        for (; i < d; i++) z += x[i] * w[i];
        small = M(exp)(-M(fabs)(z));
        /* signs are anybody's guess, so no branches: these are max(z, 0) and sigmoid(z) */
        value += (REAL)0.5 * (z + M(fabs)(z)) + M(log1p)(small) - label[p] * z;
        share = (REAL)0.5 + M(copysign)((REAL)0.5 * (1 - small) / (1 + small), z) - label[p];
        for (i = 0; i < d; i++) g[i] += share * x[i];
    }
    out[0] = value;
}
static void P(logistic)(size_t d, size_t n, const REAL *x, const REAL *label, const REAL *w,
    REAL *out)
{
    if (d == 10) P(logistic_of)(10, n, x, label, w, out);
    else if (d == 50) P(logistic_of)(50, n, x, label, w, out);
    else P(logistic_of)(d, n, x, label, w, out);
}

/* ---- one point */
static void P(rosenbrock)(size_t n, const REAL *restrict x, REAL *restrict out)
{
    REAL *restrict g = out + 1;
    REAL part[8] = { 0, 0, 0, 0, 0, 0, 0, 0 };
    size_t i, j;
    g[0] = -400 * (x[1] - x[0] * x[0]) * x[0] - 2 * (1 - x[0]);
    for (i = 1; i + 1 < n; i++)          /* no step waits for the one before */
        g[i] = 200 * (x[i] - x[i - 1] * x[i - 1]) - 400 * (x[i + 1] - x[i] * x[i]) * x[i]
            - 2 * (1 - x[i]);
    g[n - 1] = 200 * (x[n - 1] - x[n - 2] * x[n - 2]);
    for (i = 0; i + 8 < n; i += 8)
        for (j = i; j < i + 8; j++) {
            const REAL a = x[j + 1] - x[j] * x[j], b = 1 - x[j];
            part[j - i] += 100 * a * a + b * b;
        }
    for (; i + 1 < n; i++) {
        const REAL a = x[i + 1] - x[i] * x[i], b = 1 - x[i];
        part[0] += 100 * a * a + b * b;
    }
    out[0] = ((part[0] + part[4]) + (part[1] + part[5]))
        + ((part[2] + part[6]) + (part[3] + part[7]));
}

INLINE void P(layer)(size_t n, const REAL *restrict w, const REAL *restrict in,
    REAL *restrict unit)
{
    const REAL *restrict bias = w + n * NET_HIDDEN;
    size_t i, j;
    for (i = 0; i < NET_HIDDEN; i++) unit[i] = bias[i];
    for (j = 0; j < n; j++)
        for (i = 0; i < NET_HIDDEN; i++) unit[i] += w[j * NET_HIDDEN + i] * in[j];
    for (i = 0; i < NET_HIDDEN; i++) unit[i] = M(tanh)(unit[i]);
}
/* delta: derivatives by the units' sums */
INLINE void P(layer_back)(size_t n, const REAL *restrict delta, const REAL *restrict in,
    REAL *restrict g)
{
    REAL *restrict bias = g + n * NET_HIDDEN;
    size_t i, j;
    for (j = 0; j < n; j++)
        for (i = 0; i < NET_HIDDEN; i++) g[j * NET_HIDDEN + i] = delta[i] * in[j];
    for (i = 0; i < NET_HIDDEN; i++) bias[i] = delta[i];
}
static void P(network)(const REAL *restrict w, const REAL *restrict example, REAL *restrict out)
{
    const REAL *w1 = w, *w2 = w1 + (NET_IN + 1) * NET_HIDDEN;
    const REAL *w3 = w2 + (NET_HIDDEN + 1) * NET_HIDDEN, *in = example;
    REAL *g1 = out + 1, *g2 = g1 + (NET_IN + 1) * NET_HIDDEN;
    REAL *g3 = g2 + (NET_HIDDEN + 1) * NET_HIDDEN;
    REAL a[NET_HIDDEN], b[NET_HIDDEN], delta[NET_HIDDEN], back[NET_HIDDEN], error;
    size_t i, j;
    P(layer)(NET_IN, w1, in, a);
    P(layer)(NET_HIDDEN, w2, a, b);
    error = w3[NET_HIDDEN] - in[NET_IN];
    for (j = 0; j < NET_HIDDEN; j++) error += w3[j] * b[j];
    out[0] = (REAL)0.5 * error * error;
    for (j = 0; j < NET_HIDDEN; j++) {
        g3[j] = error * b[j];
        delta[j] = error * w3[j] * (1 - b[j] * b[j]);
    }
    g3[NET_HIDDEN] = error;
    P(layer_back)(NET_HIDDEN, delta, a, g2);
    for (j = 0; j < NET_HIDDEN; j++) {
        REAL part[4] = { 0, 0, 0, 0 };
        for (i = 0; i < NET_HIDDEN; i += 4) {
            part[0] += w2[j * NET_HIDDEN + i] * delta[i];
            part[1] += w2[j * NET_HIDDEN + i + 1] * delta[i + 1];
            part[2] += w2[j * NET_HIDDEN + i + 2] * delta[i + 2];
            part[3] += w2[j * NET_HIDDEN + i + 3] * delta[i + 3];
        }
        back[j] = ((part[0] + part[2]) + (part[1] + part[3])) * (1 - a[j] * a[j]);
    }
    P(layer_back)(NET_IN, back, in, g1);
}

/* RT S - T L / (sqrt(8) B) where B = b x, S = sum of x log(x / (1 - B)), T = x A x, and L the
   logarithm of above / below */
static void P(helmholtz)(size_t n, const REAL *restrict b, const REAL *restrict a,
    const REAL *restrict x, REAL *restrict out, REAL *restrict work)
{
    REAL *restrict g = out + 1, *restrict ax = work, *restrict logs = work + n;
    REAL B = 0, total = 0, entropy = 0, attraction = 0, room, above, below, l, t, k, by_b;
    size_t i, j;
    for (i = 0; i < n; i++) {
        B += b[i] * x[i];
        total += x[i];
        ax[i] = 0;
    }
    for (j = 0; j < n; j++)
        for (i = 0; i < n; i++) ax[i] += a[j * n + i] * x[j];
    room = 1 / (1 - B);
    for (i = 0; i < n; i++) {
        logs[i] = M(log)(x[i] * room);
        entropy += x[i] * logs[i];
        attraction += x[i] * ax[i];
    }
    above = 1 + (REAL)(1 + ROOT_2) * B;
    below = 1 + (REAL)(1 - ROOT_2) * B;
    l = M(log)(above / below);
    k = 1 / ((REAL)(2 * ROOT_2) * B);
    t = attraction * k;
    out[0] = (REAL)GAS_RT * entropy - t * l;
    by_b = (REAL)GAS_RT * total * room + t * l / B
        - t * ((REAL)(1 + ROOT_2) / above - (REAL)(1 - ROOT_2) / below);
    k *= 2 * l;
    for (i = 0; i < n; i++)
        g[i] = (REAL)GAS_RT * (logs[i] + 1) - k * ax[i] + by_b * b[i];
}

const P(hand) SET = {
    COMPILER, P(bundle), P(bundle_one), P(mixture), P(options), P(logistic), P(rosenbrock),
    P(network), P(helmholtz)
};
#undef SET
#undef REAL
#undef P
#undef M
#endif
