/* An LSTM of two cells for three steps; part of examples/seeded_models.h.

   The weights are W[gate][cell][4], gates in the order i, f, g, o. With v = (in, h', 1)
   and z_gate = W_gate v, primes for the step before,
       i = sigmoid(z_i)   f = sigmoid(z_f)   g = tanh(z_g)   o = sigmoid(z_o)
       c = f c' + i g     h = o tanh(c)      loss = sum over steps and cells (h - wanted)^2
   Backwards, with bars for slopes of the loss, sigmoid' = s (1 - s), tanh' = 1 - tanh^2
       h_bar += 2 (h - wanted)        o_bar = h_bar tanh(c)      c_bar += h_bar o (1 - tanh(c)^2)
       i_bar = c_bar g      f_bar = c_bar c'      g_bar = c_bar i      c'_bar = c_bar f
       z_bar = gate_bar gate'         W_bar += z_bar v^T         h'_bar = sum W^T z_bar          */
#ifndef SEEDED_LSTM_H
#define SEEDED_LSTM_H

enum { LSTM_STEPS = 3, LSTM_WEIGHTS = 32 };
static const double lstm_in[LSTM_STEPS] = { 0.8, -1.2, 0.5 };
static const double lstm_wanted[LSTM_STEPS][2] = { { 0.4, -0.3 }, { -0.2, 0.5 }, { 0.6, 0.1 } };

/* The loss; g may be NULL. */
static double lstm(const double *W, size_t n, double *g, void *user)
{
    double v[LSTM_STEPS][4], s[LSTM_STEPS][4][2], tanh_c[LSTM_STEPS][2];
    double c[LSTM_STEPS + 1][2] = { { 0.3, -0.4 } }, h[LSTM_STEPS + 1][2] = { { 0.1, 0.2 } };
    double h_bar[2] = { 0, 0 }, c_bar[2] = { 0, 0 }, loss = 0;
    size_t t, k, q, j;
    for (t = 0; t < LSTM_STEPS; t++) {
        v[t][0] = lstm_in[t], v[t][1] = h[t][0], v[t][2] = h[t][1], v[t][3] = 1;
        for (k = 0; k < 2; k++) {
            for (q = 0; q < 4; q++) {
                const double *const w = W + (2 * q + k) * 4;
                const double z = w[0] * v[t][0] + w[1] * v[t][1] + w[2] * v[t][2] + w[3];
                s[t][q][k] = q == 2 ? tanh(z) : 1 / (1 + exp(-z));
            }
            c[t + 1][k] = s[t][1][k] * c[t][k] + s[t][0][k] * s[t][2][k];
            tanh_c[t][k] = tanh(c[t + 1][k]);
            h[t + 1][k] = s[t][3][k] * tanh_c[t][k];
            loss += (h[t + 1][k] - lstm_wanted[t][k]) * (h[t + 1][k] - lstm_wanted[t][k]);
        }
    }
    if (!g) return loss;
    if (!SEEDED(BUG_ACCUMULATES)) memset(g, 0, n * sizeof *g);
    for (t = LSTM_STEPS; t-- > 0;) {
        double v_bar[4] = { 0, 0, 0, 0 };
        for (k = 0; k < 2; k++) {
            const double in = s[t][0][k], f = s[t][1][k], cell = s[t][2][k], o = s[t][3][k];
            const double th = tanh_c[t][k];
            double z_bar[4];
            h_bar[k] += (SEEDED(BUG_FACTOR) ? 1 : 2) * (h[t + 1][k] - lstm_wanted[t][k]);
            c_bar[k] += h_bar[k] * o * (1 - th * th);
            z_bar[0] = c_bar[k] * cell * in * (1 - in);
            z_bar[1] = c_bar[k] * c[t][k] * (SEEDED(BUG_GATE) ? 1 - f : f * (1 - f));
            z_bar[2] = c_bar[k] * in * (1 - cell * cell);
            z_bar[3] = h_bar[k] * th * o * (1 - o);
            for (q = 0; q < 4; q++) {
                for (j = 0; j < 4; j++) {
                    g[(2 * q + k) * 4 + j] += z_bar[q] * v[t][j];
                    v_bar[j] += z_bar[q] * W[(2 * q + k) * 4 + j];
                }
            }
            c_bar[k] *= f;
        }
        h_bar[0] = v_bar[1], h_bar[1] = v_bar[2];
    }
    return loss;
}

#endif
