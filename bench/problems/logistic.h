/* Logistic regression: the loss of weights w[d] over n examples x[n][d] with labels 0 or 1,
       sum of softplus(z) - label z,   z = w x,   softplus(z) = max(z, 0) + log(1 + exp(-|z|)). */
#ifndef BENCH_LOGISTIC_H
#define BENCH_LOGISTIC_H
typedef struct logistic_data {
    double *x, *label, *w;
} logistic_data;
#endif

#ifdef N
TEXT N P(logistic_loss)(size_t d, const N *w, const D *x, D label)
{
    N z = MUL_D(w[0], x[0]);
    size_t i;
    for (i = 1; i < d; i++) z = ADD(z, MUL_D(w[i], x[i]));
    return SUB(SOFTPLUS(z), MUL_D(z, label));
}
#ifndef NUMBERS_FN
TEXT void P(logistic)(const bench_case *c, size_t point, const N *w, N *y)
{
    const logistic_data *g = (const logistic_data *)c->data;
    const size_t d = c->size[0], n = c->size[1];
    size_t i;
    (void)point;
    y[0] = CONST(0);
    for (i = 0; i < n; i++)
        y[0] = ADD(y[0], P(logistic_loss)(d, w, g->x + i * d, g->label[i]));
}
#endif
#endif
