/* adc: 3 -> 4 in [0.5, 1.5] C++: functions that call themselves and each other */
static double power(double a, unsigned n)
{
    return n == 0 ? 1 : n % 2 ? a*power(a, n - 1) : power(a*a, n/2);
}
static double odd(double a, int n);
static double even(double a, int n) { return n == 0 ? a : 1 + odd(a*0.5, n - 1); }
static double odd(double a, int n) { return n == 0 ? -a : a*even(a + 1, n - 1); }

/* the integral of a cubic, halves until they agree */
static double cubic(double t, const double *c) { return c[0] + t*t*(c[1] - c[2]*t); }
static double simpson(double from, double to, const double *c)
{
    return (to - from)/6*(cubic(from, c) + 4*cubic((from + to)/2, c) + cubic(to, c));
}
static double integral(double from, double to, const double *c, int depth)
{
    const double middle = (from + to)/2, whole = simpson(from, to, c);
    if (depth == 0) return whole;
    return integral(from, middle, c, depth - 1) + integral(middle, to, c, depth - 1);
}

void recursion(const double *x, double *y);

void recursion(const double *x, double *y)
{
    y[0] = power(x[0], 13);
    y[1] = even(x[1], 6) + odd(x[2], 3);
    y[2] = integral(x[0]*0.1, x[1] + 1, x, 4);
    y[3] = power(2, 3)*x[2];
}
