/* Free energy of a mixture of n gases by Peng and Robinson's equation of state:
       RT sum of x log(x / (1 - B)) - x^T A x / (sqrt 8 B) log((1 + (1 + sqrt 2) B)
                                                              / (1 + (1 - sqrt 2) B)),   B = b x
   Griewank's example of a function whose gradient by differences costs n times as much. */
#ifndef BENCH_HELMHOLTZ_H
#define BENCH_HELMHOLTZ_H
#define GAS_RT 1.7
#ifndef ROOT_2
#define ROOT_2 1.41421356237309504880
#endif
/* Of a gas among n, its share of the volume; of two, how they attract each other: the geometric
   mean of their own attractions, less a few per cent. */
static inline double gas_b(size_t i, size_t n)
{
    return (0.02 + 0.003 * (double)(i % 10)) * 10 / (double)n;
}
static inline double gas_a(size_t i, size_t j)
{
    return sqrt((0.3 + 0.07 * (double)i) * (0.3 + 0.07 * (double)j))
        * (1 - (i == j ? 0 : 0.01 * (double)(i * j % 7)));
}
typedef struct helmholtz_data {
    double *b, *a, *x, *work;          /* b[n], a[n][n]: the gases; work: of the hand-written */
} helmholtz_data;
#endif

#ifdef N
TEXT N P(helmholtz_of)(size_t n, const double *b_of, const double *a, const N *x)
{
    N b = MUL_R(x[0], b_of[0]), entropy = CONST(0), attraction = CONST(0), room, ratio;
    size_t i, j;
    for (i = 1; i < n; i++) b = ADD(b, MUL_R(x[i], b_of[i]));
    room = R_SUB(1, b);
    for (i = 0; i < n; i++) {
        N s = MUL_R(x[i], a[i * n + i]);
        entropy = ADD(entropy, MUL(x[i], LOG(DIV(x[i], room))));
        for (j = 0; j < i; j++) s = ADD(s, MUL_R(x[j], 2 * a[i * n + j]));
        attraction = ADD(attraction, MUL(x[i], s));
    }
    ratio = DIV(ADD_R(MUL_R(b, 1 + ROOT_2), 1), ADD_R(MUL_R(b, 1 - ROOT_2), 1));
    return SUB(MUL_R(entropy, GAS_RT),
        MUL(DIV(attraction, MUL_R(b, 2 * ROOT_2)), LOG(ratio)));
}
#ifndef NUMBERS_FN
TEXT void P(helmholtz)(const bench_case *c, size_t point, const N *x, N *y)
{
    const helmholtz_data *g = (const helmholtz_data *)c->data;
    (void)point;
    y[0] = P(helmholtz_of)(c->size[0], g->b, g->a, x);
}
#endif
#endif
