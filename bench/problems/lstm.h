/* A network with long short-term memory that predicts the characters of a text one by one: the
   fourth problem of ADBench. l layers of b = 14 units, whose weights are diagonal: unit i of a
   layer sees unit i of the layer below, x, and its own last output, h,
       f = sigmoid(w0 x + v0),   g = sigmoid(w1 h + v1),   o = sigmoid(w2 x + v2),
       a = tanh(w3 h + v3),      cell <- f cell + g a,     h <- o tanh(cell)
   Below all layers stands a scale for each unit, above them a scale and a bias, and then
   log-softmax. y: minus the log-likelihood of steps characters, each after those before it.

   theta: for each layer w[4][b], v[4][b]; then the scales below, the scales and biases above. */
#ifndef BENCH_LSTM_H
#define BENCH_LSTM_H
enum { LSTM_UNITS = 14, LSTM_LAYER = 8 * LSTM_UNITS };
typedef struct lstm_data {
    size_t layers, steps;
    double *theta, *state;             /* state[l][2][b]: cell and h at the start */
    double *text;                      /* [steps + 1][b]: a 1 for the character */
    uint32_t *character;               /* the same as numbers */
    double *work;                      /* of what is written by hand */
} lstm_data;
static inline size_t lstm_size(size_t layers) { return layers * LSTM_LAYER + 3 * LSTM_UNITS; }
#endif

#ifdef N
/* One unit, whose w and v stand `next` apart: x is what it sees; cell and h move on. */
TEXT void P(lstm_unit)(const N *w, size_t next, const N x, N *cell, N *h)
{
    const N forget = SIGMOID(ADD(MUL(x, w[0]), w[4 * next]));
    const N in = SIGMOID(ADD(MUL(*h, w[next]), w[5 * next]));
    const N out = SIGMOID(ADD(MUL(x, w[2 * next]), w[6 * next]));
    const N change = TANH(ADD(MUL(*h, w[3 * next]), w[7 * next]));
    *cell = ADD(MUL(*cell, forget), MUL(in, change));
    *h = MUL(out, TANH(*cell));
}
#ifndef NUMBERS_FN
TEXT void P(lstm)(const bench_case *c, size_t point, const N *theta, N *y)
{
    const lstm_data *g = (const lstm_data *)c->data;
    const size_t b = LSTM_UNITS, layers = g->layers;
    const N *below = theta + layers * LSTM_LAYER, *above = below + b;
    N at[LSTM_UNITS];
    size_t t, l, i;
    ROOM(state, layers * 2 * LSTM_UNITS);
    (void)point;
    for (i = 0; i < layers * 2 * b; i++) state[i] = CONST(g->state[i]);
    y[0] = CONST(0);
    for (t = 0; t < g->steps; t++) {
        const double *now = g->text + t * b, *next = now + b;
        for (i = 0; i < b; i++) at[i] = MUL_D(below[i], now[i]);
        for (l = 0; l < layers; l++) {
            N *cell = state + l * 2 * b, *h = cell + b;
            for (i = 0; i < b; i++) {
                P(lstm_unit)(theta + l * LSTM_LAYER + i, b, at[i], cell + i, h + i);
                at[i] = h[i];
            }
        }
        for (i = 0; i < b; i++) at[i] = ADD(MUL(at[i], above[i]), above[b + i]);
        y[0] = ADD(y[0], LOG_SUM_EXP(b, at));
        for (i = 0; i < b; i++)
            if (next[i] != 0) y[0] = SUB(y[0], MUL_R(at[i], next[i]));
    }
    ROOM_END(state);
}
#endif
#endif
