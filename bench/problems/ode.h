/* Sensitivities of an ordinary differential equation: Lotka and Volterra's prey u and predators v,
       u' = (a - b v) u,   v' = (c u - e) v,
   over a fixed time by the classical method of Runge and Kutta. x: a, b, c, e, u(0), v(0);
   y: u and v at the end. */
#ifndef BENCH_ODE_H
#define BENCH_ODE_H
#define ODE_TIME 10.0
#endif

#ifdef N
TEXT void P(ode_slope)(const N *x, const N *u, N *slope)
{
    slope[0] = MUL(SUB(x[0], MUL(x[1], u[1])), u[0]);
    slope[1] = MUL(SUB(MUL(x[2], u[0]), x[3]), u[1]);
}
/* One step from u, of parameters x[4]. */
TEXT void P(ode_step)(const N *x, double h, N *u)
{
    N k[4][2], at[2];
    size_t i;
    P(ode_slope)(x, u, k[0]);
    for (i = 0; i < 2; i++) at[i] = ADD(u[i], MUL_R(k[0][i], 0.5 * h));
    P(ode_slope)(x, at, k[1]);
    for (i = 0; i < 2; i++) at[i] = ADD(u[i], MUL_R(k[1][i], 0.5 * h));
    P(ode_slope)(x, at, k[2]);
    for (i = 0; i < 2; i++) at[i] = ADD(u[i], MUL_R(k[2][i], h));
    P(ode_slope)(x, at, k[3]);
    for (i = 0; i < 2; i++)
        u[i] = ADD(u[i], MUL_R(ADD(ADD(k[0][i], k[3][i]), MUL_R(ADD(k[1][i], k[2][i]), 2)), h / 6));
}
#ifndef NUMBERS_FN
TEXT void P(ode)(const bench_case *c, size_t point, const N *x, N *y)
{
    const size_t steps = c->size[0];
    size_t i;
    (void)point;
    y[0] = x[4];
    y[1] = x[5];
    for (i = 0; i < steps; i++) P(ode_step)(x, ODE_TIME / (double)steps, y);
}
#endif
#endif
