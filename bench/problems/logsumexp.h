/* log of the sum of exp(x[i]); its gradient is the softmax of x. */
#ifdef N
#ifndef NUMBERS_FN
TEXT void P(logsumexp)(const bench_case *c, size_t point, const N *x, N *y)
{
    (void)point;
    y[0] = LOG_SUM_EXP(c->inputs, x);
}
#endif
#endif
