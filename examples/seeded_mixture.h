/* Log-likelihood of a mixture of two Gaussians in the plane, whose axes are parallel to the
   coordinates; part of examples/seeded_models.h.

   x = logits l[2], means m[2][2], log standard deviations q[2][2]. With z = (y_d - m_kd) exp(-q_kd)
       L = sum over the points y of log sum_k exp(e_k)
       e_k = l_k - log(exp l_0 + exp l_1) - log(2 pi) - sum_d (q_kd + z^2 / 2)
   d(log sum_k exp e_k) = sum_k r_k de_k, where r = softmax(e) are the responsibilities. So a point
   adds to the slopes of L
       in l_k   r_k - softmax(l)_k         (sum_k r_k = 1)
       in m_kd  r_k z exp(-q_kd)
       in q_kd  r_k (z^2 - 1)                                                                    */
#ifndef SEEDED_MIXTURE_H
#define SEEDED_MIXTURE_H

static const double mixture_data[MIXTURE_POINTS][2] = {
    { -1.3, 0.4 }, { -0.8, 1.1 }, { -1.9, 0.2 }, { -0.5, 0.9 }, { -1.1, -0.6 }, { 1.4, 2.2 },
    { 2.1, 1.3 }, { 0.9, 2.8 }, { 1.7, 0.5 }, { 0.3, 1.6 }
};

/* L, and r of every point */
static double mixture_terms(const double *x, double (*r)[2])
{
    const double both = log(exp(x[0]) + exp(x[1]));
    double L = 0, e[2], most, total;
    size_t i, k, d;
    for (i = 0; i < MIXTURE_POINTS; i++) {
        for (k = 0; k < 2; k++) {
            e[k] = x[k] - both - 1.8378770664093454836;              /* log(2 pi) */
            for (d = 0; d < 2; d++) {
                const double q = x[6 + 2 * k + d];
                const double z = (mixture_data[i][d] - x[2 + 2 * k + d]) * exp(-q);
                e[k] -= q + z * z / 2;
            }
        }
        most = fmax(e[0], e[1]);                                 /* so that exp stays in range */
        total = most + log(exp(e[0] - most) + exp(e[1] - most));
        for (k = 0; k < 2; k++) r[i][k] = exp(e[k] - total);
        L += total;
    }
    return L;
}

static double mixture(const double *x, size_t n, void *user)
{
    (void)n;
    return mixture_terms(x, ((seeded *)user)->cache);
}

static void mixture_gradient(const double *x, size_t n, double *g, void *user)
{
    double own[MIXTURE_POINTS][2], sum[11] = { 0 };
    const double (*r)[2] = (const double (*)[2])own;
    size_t i, k, d, j;
    if (SEEDED(BUG_STALE)) r = (const double (*)[2])((seeded *)user)->cache;
    else mixture_terms(x, own);
    for (i = 0; i < MIXTURE_POINTS; i++) {
        for (k = 0; k < 2; k++) {
            sum[k] += r[i][k] - exp(x[k]) / (exp(x[0]) + exp(x[1]));
            for (d = 0; d < 2; d++) {
                const double scale = exp(-x[6 + 2 * k + d]);
                const double z = (mixture_data[i][d] - x[2 + 2 * k + d]) * scale;
                sum[2 + 2 * k + d] += r[i][k] * z * scale;
                sum[6 + 2 * k + d] += r[i][k] * (z * z - 1) * (SEEDED(BUG_CHAIN_RULE) ? scale : 1);
            }
        }
    }
    for (j = SEEDED(BUG_UNWRITTEN) ? 1 : 0; j < n; j++)              /* "l_0 is redundant" */
        g[j] = sum[SEEDED(BUG_SHIFTED) && j >= 2 && j < 6 ? j + 1 : j];
}

#endif
