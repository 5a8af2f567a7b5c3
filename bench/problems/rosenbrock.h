/* Rosenbrock's valley in n dimensions: sum of 100 (x[i+1] - x[i]^2)^2 + (1 - x[i])^2. */
#ifdef N
TEXT N P(rosenbrock_of)(size_t n, const N *x)
{
    N s = CONST(0);
    size_t i;
    for (i = 0; i + 1 < n; i++) {
        const N a = SUB(x[i + 1], SQUARE(x[i])), b = R_SUB(1, x[i]);
        s = ADD(s, ADD(MUL_R(SQUARE(a), 100), SQUARE(b)));
    }
    return s;
}

#ifndef NUMBERS_FN
TEXT void P(rosenbrock)(const bench_case *c, size_t point, const N *x, N *y)
{
    (void)point;
    y[0] = P(rosenbrock_of)(c->size[0], x);
}
#endif
#endif
