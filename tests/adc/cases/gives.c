/* adc: 3 -> 3 in [0.5, 1.5] C++: functions that give pointers to arrays and to functions */
typedef double row[3];
typedef double (*function)(double);

static double (*rows(double *m))[3] { return (double (*)[3])m; }
static double (*after(double (*m)[3], int k))[3];
static double (*after(double (*m)[3], int k))[3] { return m + k; }
static row *by_name(double (*m)[3]) { return m; }

static double twice(double x) { return 2*x; }
static double square(double x) { return x*x; }
static double (*pick(int k))(double) { return k ? twice : square; }
static double (*other(int k))(double x);
static double (*other(int k))(double x) { return pick(!k); }
static function third(int k) { return other(k); }

void gives(const double *x, double *y);

void gives(const double *x, double *y)
{
    double m[6];
    int i;
    double (*f)(double) = third(0);
    for (i = 0; i < 6; i++) m[i] = x[i % 3]*(i + 1);
    y[0] = rows(m)[1][2] + after(rows(m), 1)[0][1];
    y[1] = pick(1)(x[0]) + other(0)(x[1])*f(x[2]);
    y[2] = (*pick(0))(x[2]) + (*by_name(rows(m)))[2];
}
