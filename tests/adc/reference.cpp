// Another implementation of dual numbers, which knows nothing of the library: the programs of
// generate.py run on it for comparison. PROGRAMS names a file that includes them, CASES their list.
#include <cmath>
#include <cstring>
#include <stdlib.h>

struct Number {
    enum { N = 8 };
    double v, d[N];
    Number() = default;
    Number(double value) : v(value) { for (double &t : d) t = 0; }
    explicit operator int() const { return int(v); }
    explicit operator bool() const { return v != 0; }
};
// a function's value, and its derivatives by one operand or two
static Number make(double v, double da, const Number &a, double db = 0, const Number &b = 0)
{
    Number r(v);
    for (int i = 0; i < Number::N; i++) r.d[i] = da*a.d[i] + (db != 0 ? db*b.d[i] : 0);
    return r;
}
typedef const Number &In;
static inline Number operator+(In a, In b) { return make(a.v + b.v, 1, a, 1, b); }
static inline Number operator-(In a, In b) { return make(a.v - b.v, 1, a, -1, b); }
static inline Number operator*(In a, In b) { return make(a.v*b.v, b.v, a, a.v, b); }
static inline Number operator/(In a, In b)
{
    return make(a.v/b.v, 1/b.v, a, -a.v/(b.v*b.v), b);
}
static inline Number operator-(In a) { return make(-a.v, -1, a); }
static inline Number &operator+=(Number &a, In b) { return a = a + b; }
static inline Number &operator-=(Number &a, In b) { return a = a - b; }
static inline Number &operator*=(Number &a, In b) { return a = a*b; }
static inline Number &operator/=(Number &a, In b) { return a = a/b; }
static inline Number &operator++(Number &a) { return a = a + 1; }
static inline Number &operator--(Number &a) { return a = a - 1; }
static inline Number operator++(Number &a, int) { const Number r = a; a = a + 1; return r; }
static inline Number operator--(Number &a, int) { const Number r = a; a = a - 1; return r; }
static inline bool operator<(In a, In b) { return a.v < b.v; }
static inline bool operator>(In a, In b) { return a.v > b.v; }
static inline bool operator<=(In a, In b) { return a.v <= b.v; }
static inline bool operator>=(In a, In b) { return a.v >= b.v; }
static inline bool operator!=(In a, In b) { return a.v != b.v; }

#define FUNCTION(name, slope)                                                                      \
    static inline Number name(In a) { const double x = a.v; return make(std::name(x), slope, a); }
FUNCTION(sin, std::cos(x))
FUNCTION(cos, -std::sin(x))
FUNCTION(tanh, 1/(std::cosh(x)*std::cosh(x)))
FUNCTION(sinh, std::cosh(x))
FUNCTION(atan, 1/(1 + x*x))
FUNCTION(acos, -1/std::sqrt(1 - x*x))
FUNCTION(asinh, 1/std::sqrt(1 + x*x))
FUNCTION(sqrt, 0.5/std::sqrt(x))
FUNCTION(cbrt, 1/(3*std::cbrt(x)*std::cbrt(x)))
FUNCTION(exp, std::exp(x))
FUNCTION(expm1, std::exp(x))
FUNCTION(log, 1/x)
FUNCTION(log1p, 1/(1 + x))
FUNCTION(erf, 1.1283791670955126*std::exp(-x*x))
FUNCTION(fabs, x > 0 ? 1 : x < 0 ? -1 : 0)
static inline Number atan2(In a, In b)
{
    const double r = a.v*a.v + b.v*b.v;
    return make(std::atan2(a.v, b.v), b.v/r, a, -a.v/r, b);
}
static inline Number hypot(In a, In b)
{
    const double r = std::hypot(a.v, b.v);
    return make(r, a.v/r, a, b.v/r, b);
}
static inline Number pow(In a, In b)
{
    return make(std::pow(a.v, b.v), b.v*std::pow(a.v, b.v - 1), a,
                std::pow(a.v, b.v)*std::log(a.v), b);
}
static inline Number fmin(In a, In b) { return a.v < b.v ? a : b; }
static inline Number fmax(In a, In b) { return a.v > b.v ? a : b; }
static inline Number fma(In a, In b, In c)
{
    Number r = make(std::fma(a.v, b.v, c.v), b.v, a, a.v, b);
    for (int i = 0; i < Number::N; i++) r.d[i] += c.d[i];
    return r;
}

typedef double plain;
#define double Number
#include PROGRAMS
#undef double

template <class F> static void run(F f, int n, int m, const plain *x, plain *y, plain *J)
{
    Number a[Number::N], b[Number::N];
    for (int i = 0; i < n; i++) {
        a[i] = x[i];
        a[i].d[i] = 1;
    }
    for (Number &r : b) r = 0.0;
    f(a, b);
    for (int k = 0; k < m; k++) {
        y[k] = b[k].v;
        for (int i = 0; i < n; i++) J[k*n + i] = b[k].d[i];
    }
}
#define CASE(f, n, m, lo, hi)                                                                      \
    extern "C" void f##_reference(const double *x, double *y, double *J);                          \
    void f##_reference(const double *x, double *y, double *J) { run(f, n, m, x, y, J); }
#include CASES
