/* Black and Scholes' price of a call, and its Greeks: delta, gamma, vega, theta, rho.

   x: spot S, strike K, time -T (years, negative: it ends at 0), volatility s, rate r
       d1 = (log(S/K) + (r + s^2/2) T) / (s sqrt T),   d2 = d1 - s sqrt T
       y = S Phi(d1) - K exp(-r T) Phi(d2),            Phi(d) = erfc(-d / sqrt 2) / 2 */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H
enum { GREEKS = 6 };
#ifndef ROOT_2
#define ROOT_2 1.41421356237309504880
#endif
typedef struct options_data {
    double *spot, *strike, *years, *volatility, rate, direction[5];
} options_data;
#endif

#ifdef N
TEXT N P(option_price)(const N *x)
{
    const N years = NEG(x[2]), deviation = MUL(x[3], SQRT(years));
    const N d1 = DIV(ADD(LOG(DIV(x[0], x[1])), MUL(ADD(x[4], MUL_R(SQUARE(x[3]), 0.5)), years)),
        deviation);
    const N d2 = SUB(d1, deviation);
    const N discount = EXP(MUL(x[4], x[2]));
    const N n1 = MUL_R(ERFC(MUL_R(d1, -1 / ROOT_2)), 0.5);
    const N n2 = MUL_R(ERFC(MUL_R(d2, -1 / ROOT_2)), 0.5);
    return SUB(MUL(x[0], n1), MUL(MUL(x[1], discount), n2));
}
#ifndef NUMBERS_FN
TEXT void P(options)(const bench_case *c, size_t point, const N *x, N *y)
{
    (void)c;
    (void)point;
    y[0] = P(option_price)(x);
}
#endif
#endif
