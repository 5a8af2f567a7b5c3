/* A small neural network: layers 8-16-16-1 of tanh, the last linear; half the squared errors of n
   examples. Weights of a layer: for each input those to all units, then the units' biases. */
#ifndef BENCH_NETWORK_H
#define BENCH_NETWORK_H
enum {
    NET_IN = 8, NET_HIDDEN = 16,
    NET_WEIGHTS = (NET_IN + 1) * NET_HIDDEN + (NET_HIDDEN + 1) * NET_HIDDEN + NET_HIDDEN + 1
};
typedef struct network_data {
    double *w, *examples;              /* examples[n][NET_IN + 1]: inputs, then what is wanted */
} network_data;
#endif

#ifdef N
/* example: inputs, then what is wanted. */
TEXT N P(network_loss)(const N *w, const D *example)
{
    const N *bias = w + NET_IN * NET_HIDDEN;
    N a[NET_HIDDEN], b[NET_HIDDEN], error;
    size_t i, j;
    for (i = 0; i < NET_HIDDEN; i++) a[i] = bias[i];
    for (j = 0; j < NET_IN; j++)
        for (i = 0; i < NET_HIDDEN; i++) a[i] = ADD(a[i], MUL_D(*w++, example[j]));
    for (i = 0; i < NET_HIDDEN; i++) a[i] = TANH(a[i]);
    w = bias + NET_HIDDEN;
    bias = w + NET_HIDDEN * NET_HIDDEN;
    for (i = 0; i < NET_HIDDEN; i++) b[i] = bias[i];
    for (j = 0; j < NET_HIDDEN; j++)
        for (i = 0; i < NET_HIDDEN; i++) b[i] = ADD(b[i], MUL(*w++, a[j]));
    for (i = 0; i < NET_HIDDEN; i++) b[i] = TANH(b[i]);
    w = bias + NET_HIDDEN;
    error = SUB_D(w[NET_HIDDEN], example[NET_IN]);
    for (j = 0; j < NET_HIDDEN; j++) error = ADD(error, MUL(w[j], b[j]));
    return MUL_R(SQUARE(error), 0.5);
}
#ifndef NUMBERS_FN
TEXT void P(network)(const bench_case *c, size_t point, const N *w, N *y)
{
    const network_data *g = (const network_data *)c->data;
    size_t i;
    (void)point;
    y[0] = CONST(0);
    for (i = 0; i < c->size[0]; i++)
        y[0] = ADD(y[0], P(network_loss)(w, g->examples + i * (NET_IN + 1)));
}
#endif
#endif
