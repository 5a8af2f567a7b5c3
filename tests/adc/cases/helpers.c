/* adc: 3 -> 6 in [0.5, 2] C++: functions of the file, forward declared, of plain numbers as well */
static double square(double v);
static double mean(const double *v, int n, const double *weight);
static inline double twice(double v) { return v + v; }
double outer(double a, int times);

static double norm(const double *v, int n)
{
    double s = 0;
    int i;
    for (i = 0; i < n; i++) s += square(v[i]);
    return s;
}
static void shift(double *v, int n, double by)
{
    for (; n; n--) v[n - 1] += by;
}
static int parity(int n) { return n & 1; }
static double factor(int n) { return parity(n) ? 1.5 : 0.25*n; }
double outer(double a, int times) { return twice(a)*times; }

void helpers(const double *x, double *y);

void helpers(const double *x, double *y)
{
    static const double weight[3] = { 0.2, 0.3, 0.5 };
    double w[3], plain[2] = { 1, 2 };
    int i;
    for (i = 0; i < 3; i++) w[i] = x[i]*factor(i + 1);
    y[0] = norm(w, 3) + norm(x, 2);
    shift(w, 2, x[2]);
    y[1] = w[0]*w[1]*w[2];
    shift(w, 3, 0.5);                       /* a number where others vary */
    y[2] = mean(w, 3, weight) + mean(x, 2, x + 1);
    shift(plain, 2, 1);
    y[3] = norm(plain, 2)*x[0] + square(3)*x[1];
    y[4] = outer(x[1], 3) + twice(twice(x[2]));
    y[5] = square(square(x[0]) - twice(1.5));
}

static double square(double v) { return v*v; }
static double mean(const double *v, int n, const double *weight)
{
    double s = 0;
    while (--n >= 0) s += weight[n]*v[n];
    return s;
}
