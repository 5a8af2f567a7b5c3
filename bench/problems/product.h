/* Speelpenning's product x[0] x[1] ... x[n-1] (1980): as cheap as a function of n variables can be.
   Its gradient by divisions fails where an x[i] is 0. */
#ifdef N
#ifndef NUMBERS_FN
TEXT void P(product)(const bench_case *c, size_t point, const N *x, N *y)
{
    N p = x[0];
    size_t i;
    (void)point;
    for (i = 1; i < c->inputs; i++) p = MUL(p, x[i]);
    y[0] = p;
}
#endif
#endif
