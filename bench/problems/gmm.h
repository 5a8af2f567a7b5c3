/* Log-likelihood of a mixture of k Gaussians in d dimensions for n points, and the prior of their
   covariances: the first problem of ADBench (Srajer, Kukelova, Fitzgibbon 2018).

   theta: log-weights alpha[k], means mu[k][d], q[k][d], l[k][d(d-1)/2]. The inverse covariance of
   a component is Q^T Q, where Q is lower triangular with exp(q) on its diagonal and l below, column
   by column. So with y = Q (x - mu)
       L = sum over points of log sum over c of exp(alpha + sum of q - y^T y / 2)
           - n (log sum exp alpha + d/2 log 2 pi)
           + sum over components of (m sum of q - gamma^2/2 |Q|^2)
   where the last line is Wishart's density for Q^T Q, less what theta does not change. */
#ifndef BENCH_GMM_H
#define BENCH_GMM_H
#define GMM_GAMMA  1.0
#define GMM_M      0.5
#define LOG_2_PI   1.83787706640934548356
typedef struct gmm_data {
    size_t d, k, n;
    double *x, *theta, *work;          /* x[n][d]; work: of what is written by hand */
    double *rows;                      /* arrays: [n][d + 1], points with a -1 behind them, */
    uint32_t *places;                  /* and where Q[d][d] has its numbers from */
} gmm_data;
static inline size_t gmm_size(size_t d, size_t k) { return k * (1 + 2 * d + d * (d - 1) / 2); }
static inline size_t gmm_work(size_t d, size_t k) { return k * (d + 2) + 2 * d; }
#endif

#ifdef N
/* What all points have in common: offset[k] = alpha + sum of q, scale[k][d] = exp(q). */
TEXT void P(gmm_prepare)(size_t d, size_t k, const N *alpha, const N *q, N *offset, N *scale)
{
    size_t c, i;
    for (c = 0; c < k; c++, q += d, scale += d) {
        offset[c] = alpha[c];
        for (i = 0; i < d; i++) {
            offset[c] = ADD(offset[c], q[i]);
            scale[i] = EXP(q[i]);
        }
    }
}

/* One point, without what is the same for all. work[2 d + k] */
TEXT N P(gmm_point)(size_t d, size_t k, const N *offset, const N *mu, const N *scale, const N *l,
    const D *x, N *work)
{
    N *e = work, *y = work + d, *term = y + d;
    size_t c, i, j;
    for (c = 0; c < k; c++, mu += d, scale += d) {
        N s = CONST(0);
        for (i = 0; i < d; i++) {
            e[i] = D_SUB(x[i], mu[i]);
            y[i] = MUL(scale[i], e[i]);
        }
        for (j = 0; j < d; j++)
            for (i = j + 1; i < d; i++) y[i] = ADD(y[i], MUL(*l++, e[j]));
        for (i = 0; i < d; i++) s = ADD(s, SQUARE(y[i]));
        term[c] = SUB(offset[c], MUL_R(s, 0.5));
    }
    return LOG_SUM_EXP(k, term);
}

/* The second and third line, for n points. */
TEXT N P(gmm_rest)(size_t d, size_t k, double n, const N *theta, const N *scale)
{
    const size_t triangle = k * d * (d - 1) / 2;
    const N *q = theta + k + k * d, *l = q + k * d;
    N sum = CONST(0), square = CONST(0);
    size_t i;
    for (i = 0; i < k * d; i++) {
        sum = ADD(sum, q[i]);
        square = ADD(square, SQUARE(scale[i]));
    }
    for (i = 0; i < triangle; i++) square = ADD(square, SQUARE(l[i]));
    return SUB(SUB(MUL_R(sum, GMM_M), MUL_R(square, 0.5 * GMM_GAMMA * GMM_GAMMA)),
        MUL_R(ADD_R(LOG_SUM_EXP(k, theta), 0.5 * LOG_2_PI * (double)d), n));
}

#ifdef NUMBERS_FN
/* One point by itself, theta first: its log-density. work[gmm_work(d, k)] */
TEXT N P(mixture)(size_t d, size_t k, const N *theta, const N *x, N *work)
{
    const N *mu = theta + k, *q = mu + k * d, *l = q + k * d;
    N *scale = work, *offset = scale + k * d;
    P(gmm_prepare)(d, k, theta, q, offset, scale);
    return ADD_R(SUB(P(gmm_point)(d, k, offset, mu, scale, l, x, offset + k),
        LOG_SUM_EXP(k, theta)), -0.5 * LOG_2_PI * (double)d);
}
#else
TEXT void P(gmm)(const bench_case *c, size_t point, const N *theta, N *y)
{
    const gmm_data *g = (const gmm_data *)c->data;
    const size_t d = g->d, k = g->k;
    const N *alpha = theta, *mu = alpha + k, *q = mu + k * d, *l = q + k * d;
    size_t i;
    ROOM(scale, k * d);
    ROOM(offset, k);
    ROOM(work, 2 * d + k);
    (void)point;
    P(gmm_prepare)(d, k, alpha, q, offset, scale);
    y[0] = P(gmm_rest)(d, k, (double)g->n, theta, scale);
    for (i = 0; i < g->n; i++)
        y[0] = ADD(y[0], P(gmm_point)(d, k, offset, mu, scale, l, g->x + i * d, work));
    ROOM_END(work);
    ROOM_END(offset);
    ROOM_END(scale);
}
#endif
#endif
