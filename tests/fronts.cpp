/* The C++ front, attacked from outside: one template for double and every number type, the
   operators with every mixture of operands, every function of the rule table by argument-dependent
   lookup, and what the standard library asks of a number. Linked with the C object of impl.c.

   Every row of the rule table is called by its plain name from templates that the table itself
   makes, for plain numbers too; values and derivatives are those of rows.h.
   Section: The C++ Front. */
#include "../autodiff.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <type_traits>
#include <utility>
#include <vector>

#include "alone.h"
#include "rows.h"

/* A float meets the operators as a double, and clang then warns of the promotion in the user's
   line. -DSTRICT_FLOATS leaves that warning on. */
#if defined(__clang__) && !defined(STRICT_FLOATS)
#pragma clang diagnostic ignored "-Wdouble-promotion"
#endif

/* ------------------------------------------------------------ an interface to every type */

enum { MOST = 4 };
struct Result { double v, g[MOST], h[MOST]; bool curved; };

template <class T> struct Name;
#define NAME(T) template <> struct Name<T> { static const char *text() { return #T; } };
NAME(ad_var) NAME(ad_dual) NAME(ad_dual4) NAME(ad_dual8) NAME(ad_dual2)
NAME(adf_var) NAME(adf_dual) NAME(adf_dual4) NAME(adf_dual8) NAME(adf_dual2)
#undef NAME

template <class T> struct Real { typedef decltype(T().v) type; };
template <class T> bool is_float() { return sizeof(typename Real<T>::type) == sizeof(float); }
template <class T> double tolerance() { return is_float<T>() ? 1e-5 : 1e-13; }
template <class T> T from(double x) { return T(static_cast<typename Real<T>::type>(x)); }

/* tangents in the directions of the inputs, as many a pass as the type carries */
inline void seed(ad_dual &x, int i, int pass) { x.d = i == pass ? 1 : 0; }
inline void seed(adf_dual &x, int i, int pass) { x.d = i == pass ? 1 : 0; }
template <class T> void seed(T &x, int i, int) { x.d[i] = 1; }
inline void seed(ad_dual2 &x, int i, int pass) { x.d1 = x.d2 = i == pass ? 1 : 0; }
inline void seed(adf_dual2 &x, int i, int pass) { x.d1 = x.d2 = i == pass ? 1 : 0; }
inline int passes(const ad_dual &, int n) { return n; }
inline int passes(const adf_dual &, int n) { return n; }
inline int passes(const ad_dual2 &, int n) { return n; }
inline int passes(const adf_dual2 &, int n) { return n; }
template <class T> int passes(const T &, int) { return 1; }
inline void harvest(const ad_dual &y, int, int pass, Result &r) { r.g[pass] = y.d; }
inline void harvest(const adf_dual &y, int, int pass, Result &r)
{
    r.g[pass] = static_cast<double>(y.d);
}
template <class T> void harvest(const T &y, int n, int, Result &r)
{
    for (int i = 0; i < n; i++) r.g[i] = static_cast<double>(y.d[i]);
}
template <class T> void harvest2(const T &y, int pass, Result &r)
{
    r.g[pass] = static_cast<double>(y.d1);
    r.h[pass] = static_cast<double>(y.d12);
    r.curved = true;
    CHECK(y.d1 == y.d2);
}
inline void harvest(const ad_dual2 &y, int, int pass, Result &r) { harvest2(y, pass, r); }
inline void harvest(const adf_dual2 &y, int, int pass, Result &r) { harvest2(y, pass, r); }

template <class T> struct Derive {
    template <class F> static Result run(F f, int n, const double *at)
    {
        Result r = Result();
        for (int pass = 0; pass < passes(T(), n); pass++) {
            T x[MOST];
            for (int i = 0; i < MOST; i++) x[i] = from<T>(i < n ? at[i] : 0);
            for (int i = 0; i < n; i++) seed(x[i], i, pass);
            const T y = f(static_cast<const T *>(x));
            r.v = static_cast<double>(y.v);
            harvest(y, n, pass, r);
        }
        return r;
    }
};

#define DERIVE(p)                                                                                  \
template <> struct Derive<p##_var> {                                                               \
    template <class F> static Result run(F f, int n, const double *at)                             \
    {                                                                                              \
        Result r = Result();                                                                       \
        p##_tape *const t = p##_tape_create(NULL);                                                 \
        p##_var x[MOST];                                                                           \
        for (int i = 0; i < MOST; i++) x[i] = from<p##_var>(0);                                    \
        for (int i = 0; i < n; i++) x[i] = p##_input(t, from<p##_var>(at[i]).v);                   \
        const p##_var y = f(static_cast<const p##_var *>(x));                                      \
        r.v = static_cast<double>(y.v);                                                            \
        if (y.tape) CHECK(p##_backward(y) == AD_OK);                                               \
        if (y.tape) for (int i = 0; i < n; i++) r.g[i] = static_cast<double>(p##_adjoint(x[i]));   \
        CHECK(p##_tape_status(t) == AD_OK);                                                        \
        p##_tape_destroy(t);                                                                       \
        return r;                                                                                  \
    }                                                                                              \
};
DERIVE(ad)
DERIVE(adf)
#undef DERIVE

/* Runs test<T>() for every number type of the library. */
#define FOR_EVERY(test)                                                                            \
    do {                                                                                           \
        test<ad_var>(); test<ad_dual>(); test<ad_dual4>(); test<ad_dual8>(); test<ad_dual2>();     \
        test<adf_var>(); test<adf_dual>(); test<adf_dual4>(); test<adf_dual8>();                   \
            test<adf_dual2>();                                                                     \
    } while (0)

/* f is a pointer, which a lambda without captures becomes: so Derive is compiled once a type,
   not once a lambda. */
template <class T> struct Function { typedef T (*type)(const T *x); };
template <class T>
void expect(const char *what, typename Function<T>::type f, int n, const double *at,
            double value, const double *gradient)
{
    const Result r = Derive<T>::run(f, n, at);
    char place[128];
    snprintf(place, sizeof place, "%s of %s", what, Name<T>::text());
    NEAR_AS(place, r.v, value, tolerance<T>());
    for (int i = 0; i < n; i++) NEAR_AS(place, r.g[i], gradient[i], 4 * tolerance<T>());
}
/* whether x is a T, and no less */
template <class T, class X> bool same(const X &) { return std::is_same<T, X>::value; }
template <class T>
void expect1(const char *what, typename Function<T>::type f, double x, double value, double dx)
{
    expect<T>(what, f, 1, &x, value, &dx);
}
template <class T>
void expect2(const char *what, typename Function<T>::type f, double x, double y,
             double value, double dx, double dy)
{
    const double at[2] = { x, y }, gradient[2] = { dx, dy };
    expect<T>(what, f, 2, at, value, gradient);
}

/* ------------------------------------------------------------ one text, every type */

/* Literals, functions with `using`, a loop, an if. T(0.25) keeps float from meeting double;
   the number types themselves take any literal, and test_operators has them all. */
template <class T> T write_once(const T *x)
{
    using std::exp;
    using std::log;
    using std::pow;
    using std::sin;
    using std::sqrt;
    T s = 0, p(1), unit = T(1.0);
    for (int i = 0; i < 3; i++) {
        s += x[i] * x[i] / 2;
        p *= T(1.5) - x[i];
    }
    s -= T(0.25) * sin(x[0] * x[1]) + unit;
    p /= sqrt(1 + s * s);
    if (x[0] > x[1]) p = p + pow(x[2], T(2)) * exp(-x[0]);
    else p = p - log(2 + x[2]);
    return +p - -s * 3;
}

/* Its derivatives by Richardson-extrapolated central differences of the double instance. */
static double difference(int i, const double *at, double h)
{
    double y[2];
    for (int side = 0; side < 2; side++) {
        double x[3] = { at[0], at[1], at[2] };
        x[i] += side ? h : -h;
        y[side] = write_once<double>(x);
    }
    return (y[1] - y[0]) / (2 * h);
}

static double slope(int i, const double *at)
{
    return (4 * difference(i, at, 5e-4) - difference(i, at, 1e-3)) / 3;
}

/* The same by a text that says std:: everywhere: every name of <cmath> that is a row, with numbers
   on either side. The plain instance is the C++ library's own. */
template <class T> T std_everywhere(const T *x)
{
    const T a = x[0], b = x[1];
    T s = std::abs(a) + std::fabs(b) + std::sqrt(a) + std::cbrt(b) + std::floor(a) + std::ceil(a);
    s += std::sin(a) * std::cos(b) + std::tan(a) + std::asin(a) - std::acos(a) + std::atan(b);
    s += std::sinh(a) + std::cosh(b) - std::tanh(b) + std::asinh(a) + std::atanh(a) * T(0.5);
    s += std::acosh(b + T(1)) + std::exp(-a) + std::exp2(a) + std::expm1(b) + std::log(a);
    s += std::log2(b) + std::log10(b) + std::log1p(a) + std::erf(a) - std::erfc(b);
    s += std::lgamma(b) + std::round(b) + std::trunc(b) + std::fma(a, b, a) + std::copysign(b, a);
    s += std::pow(a, b) + std::atan2(a, b) + std::hypot(a, b) + std::fmod(b, a);
    s += std::fmin(a, b) * std::fmax(a, b) + std::max(a, b) - T(2) * std::min(a, b);
    return std::isnan(s) || std::isinf(s) || !std::isfinite(s) ? T(0) : s;
}
template <class T> struct StdEverywhere {
    T operator()(const T *x) const { return std_everywhere<T>(x); }
};
template <class T> void test_std_everywhere()
{
    const double at[2] = { 0.3, 1.7 };
    const Result r = Derive<T>::run(StdEverywhere<T>(), 2, at);
    NEAR_AS(Name<T>::text(), r.v, std_everywhere<double>(at), tolerance<T>());
    for (int i = 0; i < 2; i++) {
        double x[2] = { at[0], at[1] }, y[4];
        for (int k = 0; k < 4; k++) {
            x[i] = at[i] + (k & 1 ? 1 : -1) * (k & 2 ? 1e-3 : 5e-4);
            y[k] = std_everywhere<double>(x);
        }
        NEAR_AS(Name<T>::text(), r.g[i], (4 * (y[1] - y[0]) / 1e-3 - (y[3] - y[2]) / 2e-3) / 3,
                is_float<T>() ? 1e-4 : 1e-8);
    }
}

template <class T> struct WriteOnce { T operator()(const T *x) const { return write_once<T>(x); } };

template <class T> void test_write_once()
{
    static const double points[2][3] = { { 0.7, 0.3, 1.1 }, { 0.2, 0.9, -0.4 } };
    for (int k = 0; k < 2; k++) {
        const double *at = points[k];
        const Result r = Derive<T>::run(WriteOnce<T>(), 3, at);
        const double fine = tolerance<T>();
        NEAR_AS(Name<T>::text(), r.v, write_once<double>(at), fine);
        const Result d = Derive<ad_dual>::run(WriteOnce<ad_dual>(), 3, at);
        for (int i = 0; i < 3; i++) {
            NEAR_AS(Name<T>::text(), r.g[i], slope(i, at), is_float<T>() ? 1e-5 : 1e-10);
            NEAR_AS(Name<T>::text(), r.g[i], d.g[i], fine);
            if (r.curved) {
                double a[3] = { at[0], at[1], at[2] }, b[3] = { at[0], at[1], at[2] };
                a[i] -= 1e-4;
                b[i] += 1e-4;
                const double bend = (Derive<ad_dual>::run(WriteOnce<ad_dual>(), 3, b).g[i]
                               - Derive<ad_dual>::run(WriteOnce<ad_dual>(), 3, a).g[i]) / 2e-4;
                NEAR_AS(Name<T>::text(), r.h[i], bend, is_float<T>() ? 1e-4 : 1e-6);
            }
        }
    }
    const float xf[3] = { 0.75f, 0.25f, 1.125f };
    const double xd[3] = { 0.75, 0.25, 1.125 };
    NEAR(write_once<float>(xf), write_once<double>(xd), 1e-6);
}

/* ------------------------------------------------------------ operators */

static const int two = 2;
static const double half = 0.5;
static const float quarter = 0.25f;

template <class T> void test_operators()
{
#define BOTH(expression, value, dx, dy)                                                            \
    expect2<T>(#expression, [](const T *p) -> T { const T x = p[0], y = p[1]; (void)x; (void)y;    \
                                                  return expression; }, a, b, value, dx, dy)
    const double a = 1.25, b = -0.75;
    BOTH(x + y, a + b, 1, 1);               BOTH(x - y, a - b, 1, -1);
    BOTH(x * y, a * b, b, a);               BOTH(x / y, a / b, 1 / b, -a / (b * b));
    BOTH(-x, -a, -1, 0);                    BOTH(+x, a, 1, 0);
    BOTH(-(-y), b, 0, 1);                   BOTH(x - x, 0, 0, 0);
    /* a plain number of each type on each side of each operator */
    BOTH(x + 2, a + 2, 1, 0);               BOTH(2 + x, a + 2, 1, 0);
    BOTH(x + 0.5, a + 0.5, 1, 0);           BOTH(0.5 + x, a + 0.5, 1, 0);
    BOTH(x + 0.25f, a + 0.25, 1, 0);        BOTH(0.25f + x, a + 0.25, 1, 0);
    BOTH(x - 2, a - 2, 1, 0);               BOTH(2 - x, 2 - a, -1, 0);
    BOTH(x - 0.5, a - 0.5, 1, 0);           BOTH(0.5 - x, 0.5 - a, -1, 0);
    BOTH(x - 0.25f, a - 0.25, 1, 0);        BOTH(0.25f - x, 0.25 - a, -1, 0);
    BOTH(x * 2, 2 * a, 2, 0);               BOTH(2 * x, 2 * a, 2, 0);
    BOTH(x * 0.5, 0.5 * a, 0.5, 0);         BOTH(0.5 * x, 0.5 * a, 0.5, 0);
    BOTH(x * 0.25f, 0.25 * a, 0.25, 0);     BOTH(0.25f * x, 0.25 * a, 0.25, 0);
    BOTH(x / 2, a / 2, 0.5, 0);             BOTH(2 / x, 2 / a, -2 / (a * a), 0);
    BOTH(x / 0.5, 2 * a, 2, 0);             BOTH(0.5 / x, 0.5 / a, -0.5 / (a * a), 0);
    BOTH(x / 0.25f, 4 * a, 4, 0);           BOTH(0.25f / x, 0.25 / a, -0.25 / (a * a), 0);
    BOTH(x + 0.1, a + 0.1, 1, 0);           BOTH(0.1 * y, 0.1 * b, 0, 0.1);
    BOTH(2u * x + 3L * y - 1LL, 2 * a + 3 * b - 1, 2, 3);
    BOTH('\2' * x + true, 2 * a + 1, 2, 0);
#undef BOTH
    /* compound assignment, as statements and as expressions, and with itself */
#define ASSIGN(statement, value, dx, dy)                                                           \
    expect2<T>(#statement, [](const T *p) -> T { T x = p[0]; const T y = p[1]; (void)y;            \
        statement; return x; }, a, b, value, dx, dy)
    ASSIGN(x += y, a + b, 1, 1);            ASSIGN(x -= y, a - b, 1, -1);
    ASSIGN(x *= y, a * b, b, a);            ASSIGN(x /= y, a / b, 1 / b, -a / (b * b));
    ASSIGN(x += half, a + 0.5, 1, 0);       ASSIGN(x -= half, a - 0.5, 1, 0);
    ASSIGN(x *= half, a * 0.5, 0.5, 0);     ASSIGN(x /= half, a * 2, 2, 0);
    ASSIGN(x += two, a + 2, 1, 0);          ASSIGN(x -= two, a - 2, 1, 0);
    ASSIGN(x *= two, a * 2, 2, 0);          ASSIGN(x /= two, a / 2, 0.5, 0);
    ASSIGN(x += quarter, a + 0.25, 1, 0);   ASSIGN(x -= quarter, a - 0.25, 1, 0);
    ASSIGN(x *= quarter, a / 4, 0.25, 0);   ASSIGN(x /= quarter, a * 4, 4, 0);
    ASSIGN(x += x, 2 * a, 2, 0);            ASSIGN(x -= x, 0, 0, 0);
    ASSIGN(x *= x, a * a, 2 * a, 0);        ASSIGN(x /= x, 1, 0, 0);
    ASSIGN((x += y) *= 2, 2 * (a + b), 2, 2);
    ASSIGN(x = half, 0.5, 0, 0);            ASSIGN(x = two; x += y, 2 + b, 0, 1);
    ASSIGN(T other = y; std::swap(x, other), b, 0, 1);
#undef ASSIGN
    T z = T(2);
    CHECK(&(z += 1) == &z && &(z -= T(1)) == &z && &(z *= 2.0) == &z && &(z /= 2.0f) == &z);
    CHECK((std::is_same<decltype(z + 1), T>::value));
    CHECK((std::is_same<decltype(1.0 / z), T>::value));
    CHECK((std::is_same<decltype(1.0f * z), T>::value));
    CHECK((std::is_same<decltype(-z), T>::value));
    CHECK((std::is_same<decltype(z < 1), bool>::value));
    CHECK((std::is_same<decltype(z *= 1), T &>::value));
}

template <class T> void test_comparisons()
{
    const typename Real<T>::type nan = std::numeric_limits<typename Real<T>::type>::quiet_NaN();
    static const double values[3] = { -1.5, 2, 2.5 };
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double a = values[i], b = values[j];
            const float bf = static_cast<float>(b), af = static_cast<float>(a);
            const T x = from<T>(a), y = from<T>(b);
#define COMPARE(sign)                                                                              \
            CHECK((x sign y) == (a sign b)); CHECK((x sign b) == (a sign b));                      \
            CHECK((a sign y) == (a sign b)); CHECK((x sign bf) == (a sign b));                     \
            CHECK((af sign y) == (a sign b)); CHECK((x sign 2) == (a sign 2));                     \
            CHECK((2 sign y) == (2 sign b));
            COMPARE(<) COMPARE(<=) COMPARE(>) COMPARE(>=)
            if (a == b) {
                CHECK(x == y && x == b && b == x && !(x != y) && !(x != b) && !(b != x));
            }
            else { CHECK(!(x == y) && !(x == b) && !(b == x) && x != y && x != b && b != x); }
            CHECK((x == 2) == (i == 1) && (2 == x) == (i == 1) && (x != 2.0f) == (i != 1));
#undef COMPARE
        }
    const T n = T(nan), one = T(1);
    CHECK(!(n < one) && !(n <= one) && !(n > one) && !(n >= one) && !(n == one) && n != one);
    CHECK(!(one < n) && !(one <= n) && !(1.0 > n) && !(1 >= n) && !(n == n) && n != n);
}

/* ------------------------------------------------------------ every row, by its name */

/* The number beside a T, set before a call. */
static double beside;

/* At the points of rows.h: value and gradient, of a plain number the value alone. */
template <class T> struct Expect {
    static void row(const char *what, typename Function<T>::type f, int n, const double *x,
        const double *truth)
    {
        expect<T>(what, f, n, x, truth[0], truth + 1);
    }
};
template <class R> struct ExpectPlain {
    static void row(const char *what, R (*f)(const R *), int n, const double *at,
        const double *truth)
    {
        R x[3];
        for (int i = 0; i < 3; i++) x[i] = static_cast<R>(i < n ? at[i] : 0);
        NEAR_AS(what, f(x), truth[0], sizeof(R) == sizeof(float) ? 1e-5 : 1e-13);
    }
};
template <> struct Expect<double> : ExpectPlain<double> {};
template <> struct Expect<float> : ExpectPlain<float> {};

/* f(x, y, z); right: y is the number beside, left: x is. */
template <class T>
void expect_row(const char *name, T (*f)(const T *), T (*right)(const T *), T (*left)(const T *))
{
    const row_facts *const r = row_of(name);
    double x[3], t[4];
    test_check(r != NULL, __FILE__, __LINE__, "rule %s has no reference in rows.h", name);
    for (int i = 0; r && i < 4; i++) {
        row_point(r, i, x);
        row_truth(r, x, t);
        Expect<T>::row(name, f, r->operands, x, t);
        if (right) {
            beside = x[1];
            Expect<T>::row(name, right, 1, x, t);
        }
        if (left) {
            beside = x[0];
            const double by_y[2] = { t[0], t[2] };
            Expect<T>::row(name, left, 1, x + 1, by_y);
        }
    }
}

/* What a user writes, with nothing said of the type: the name, and T. */
#define X1(name, class_, v, dx)                                                                    \
    template <class T> T name##_of(const T *x) { return name(x[0]); }
#define X2(name, class_, v, dx, dy)                                                                \
    template <class T> T name##_of(const T *x) { return name(x[0], x[1]); }                        \
    template <class T> T name##_right(const T *x) { return T(name(x[0], beside)); }                \
    template <class T> T name##_left(const T *x) { return T(name(beside, x[0])); }
#define X3(name, class_, v, dx, dy, dz)                                                            \
    template <class T> T name##_of(const T *x) { return name(x[0], x[1], x[2]); }
#define EVERY_ROW ADI_READ((X1, X2, X3, ADI_SKIPN, ADI_WORDS(ADI_WORD_TEXT)))
namespace plainly { EVERY_ROW }
/* Functions of these names hide the global ones from ordinary lookup: what is found here is found
   through the arguments. */
#define HIDE(name, ...) Nothing name(Nothing);
namespace elsewhere {
struct Nothing {};
ADI_READ((HIDE, HIDE, HIDE, ADI_SKIPN, ADI_WORDS(ADI_WORD_TEXT)))
Nothing powi(Nothing);
EVERY_ROW
}
#undef HIDE
#undef X1
#undef X2
#undef X3
/* Beside all that std has, which is found as well. */
#define X1(name, class_, v, dx)                                                                    \
    template <class T> T name##_of(const T *x) { using namespace std; return name(x[0]); }
#define X2(name, class_, v, dx, dy)                                                                \
    template <class T> T name##_of(const T *x) { using namespace std; return name(x[0], x[1]); }   \
    template <class T> T name##_right(const T *x)                                                  \
    { using namespace std; return T(name(x[0], beside)); }                                         \
    template <class T> T name##_left(const T *x)                                                   \
    { using namespace std; return T(name(beside, x[0])); }
#define X3(name, class_, v, dx, dy, dz)                                                            \
    template <class T> T name##_of(const T *x)                                                     \
    { using namespace std; return name(x[0], x[1], x[2]); }
namespace beside_std { EVERY_ROW }
#undef X1
#undef X2
#undef X3

/* The result is a T, no less and no more. */
#define IS(type, expression)                                                                       \
    static_assert(std::is_same<type, decltype(expression)>::value, #expression)
#define X1(name, class_, v, dx)                                                                    \
    expect_row<T>(#name, name##_of<T>, NULL, NULL); IS(T, name(T()));
#define X2(name, class_, v, dx, dy)                                                                \
    expect_row<T>(#name, name##_of<T>, name##_right<T>, name##_left<T>); IS(T, name(T(), T()));
#define X3(name, class_, v, dx, dy, dz)                                                            \
    expect_row<T>(#name, name##_of<T>, NULL, NULL); IS(T, name(T(), T(), T()));
namespace plainly { template <class T> void rows() { EVERY_ROW } }
namespace elsewhere { template <class T> void rows() { EVERY_ROW } }
namespace beside_std { template <class T> void rows() { EVERY_ROW } }
#undef X1
#undef X2
#undef X3

/* A call of <cmath> with whole numbers is as it was before this header. */
// A program's own functions, of names that the table has too.
namespace own {
double inv(double x) { return 1 / (1 + x); }
}
using own::inv;
static void test_whole_numbers()
{
    NEAR(inv(1), 0.5, 0);
    NEAR(sqrt(4), 2, 0);
    NEAR(pow(2, 3), 8, 0);
    NEAR(hypot(3, 4), 5, 1e-15);
    NEAR(fma(2, 3, 4), 10, 0);
    NEAR(floor(2), 2, 0);
    NEAR(exp(0) + log(1) + cos(0), 2, 0);
    CHECK(abs(-3) == 3);
    IS(int, abs(-3));
    IS(int, abs(short(-3)));                           // C's, not the table's
    NEAR(square(3), 9, 0);
    IS(double, square(3));
    IS(float, square(3.0f));
    NEAR(sigmoid(0), 0.5, 0);
}
#undef IS
#undef EVERY_ROW

/* ------------------------------------------------------------ the names that std has too */

#define USING1(X) X(abs) X(sqrt) X(cbrt) X(exp) X(exp2) X(expm1) X(log) X(log2) X(log10) X(log1p)  \
    X(sin) X(cos) X(tan) X(asin) X(acos) X(atan) X(sinh) X(cosh) X(tanh) X(asinh) X(acosh)         \
    X(atanh) X(erf) X(erfc) X(lgamma) X(floor) X(ceil) X(round) X(trunc)
#define USING2(X) X(pow) X(hypot) X(atan2) X(fmod) X(copysign)
namespace by_using {
#define X1(name) template <class T> T name##_of(const T *x) { using std::name; return name(x[0]); }
#define X2(name)                                                                                   \
    template <class T> T name##_of(const T *x) { using std::name; return name(x[0], x[1]); }       \
    template <class T> T name##_right(const T *x) { using std::name; return name(x[0], beside); }  \
    template <class T> T name##_left(const T *x) { using std::name; return name(beside, x[0]); }
USING1(X1) USING2(X2)
#undef X1
#undef X2
#define X1(name) expect_row<T>(#name, name##_of<T>, NULL, NULL);
#define X2(name) expect_row<T>(#name, name##_of<T>, name##_right<T>, name##_left<T>);
template <class T> void rows() { USING1(X1) USING2(X2) }
#undef X1
#undef X2
}

namespace elsewhere {
template <class T> void others()
{
    static const double at[3] = { 1.3, 0.7, -0.4 };
    const double fma_[3] = { 0.7, 1.3, 1 }, inside[3] = { 1, 0, 0 }, above[3] = { 0, 0, 1 };
    expect1<T>("using std::fabs", [](const T *x) -> T { using std::fabs; return fabs(x[0]); },
        -0.7, 0.7, -1);
    expect2<T>("fmin", [](const T *x) -> T { return fmin(x[0], x[1]); }, 1.25, 0.75, 0.75, 0, 1);
    expect2<T>("using std::fmax",
        [](const T *x) -> T { using std::fmax; return fmax(x[0], x[1]); }, 1.25, 0.75, 1.25, 1, 0);
    /* of a NaN and a number the number, as in C */
    expect2<T>("fmin of a NaN",
        [](const T *x) -> T { return fmin(fmin(T(NAN), x[0]), fmin(x[1], (float)NAN)); },
        1.25, 0.75, 0.75, 0, 1);
    expect2<T>("fmax of a NaN",
        [](const T *x) -> T { return fmax(fmax(NAN, x[0]), fmax(x[1], T(NAN))); },
        1.25, 0.75, 1.25, 1, 0);
    expect2<T>("fmax of NaN alone",
        [](const T *x) -> T { return x[1] * fmax(fmax(T(NAN), 3), fmin(2, T(NAN))); },
        1.25, 0.75, 2.25, 0, 3);
    expect<T>("using std::fma",
        [](const T *x) -> T { using std::fma; return fma(x[0], x[1], x[2]); },
              3, at, 1.3 * 0.7 - 0.4, fma_);
    expect<T>("clamp", [](const T *x) -> T { return clamp(x[0], x[2], x[1] + 2); }, 3, at, 1.3,
        inside);
    expect<T>("clamp above", [](const T *x) -> T { return clamp(x[0], x[2] - 3, x[2]); }, 3, at,
        -0.4, above);
    expect1<T>("fma(T, 2, 1)", [](const T *x) -> T { return fma(x[0], 2.0, 1.0); }, 1.3, 3.6, 2);
    expect1<T>("fma(2, T, 1)", [](const T *x) -> T { return fma(2.0, x[0], 1); }, 1.3, 3.6, 2);
    expect1<T>("clamp(T, 0, 1)", [](const T *x) -> T { return clamp(x[0], 0.0, 1.0); }, 1.3, 1, 0);
    expect1<T>("select(T, T, 0)", [](const T *x) -> T { return select(gt(x[0], 1), x[0], 0.0); },
        1.3, 1.3, 1);
    expect1<T>("powi", [](const T *x) -> T { return powi(x[0], -2); }, 1.3, 1 / 1.69,
        -2 / (1.3 * 1.69));
    expect1<T>("pow(T, 2)", [](const T *x) -> T { using std::pow; return pow(x[0], 2); }, -1.3,
        1.69, -2.6);
    expect1<T>("pow(2, T)", [](const T *x) -> T { using std::pow; return pow(2, x[0]); }, 3, 8,
        8 * std::log(2.0));
    expect1<T>("pow(T, 2f)", [](const T *x) -> T { return pow(x[0], 2.0f); }, 1.3, 1.69, 2.6);
}
}

/* ------------------------------------------------------------ a number among the standard's */

#define PLAIN_STRUCT(T)                                                                            \
    static_assert(std::is_trivially_copyable<T>::value && std::is_standard_layout<T>::value        \
        && std::is_trivially_destructible<T>::value && std::is_default_constructible<T>::value     \
        && std::is_copy_constructible<T>::value && std::is_copy_assignable<T>::value, #T);         \
    static_assert(!std::is_convertible<T, double>::value && !std::is_convertible<T, bool>::value   \
        && std::is_convertible<double, T>::value && std::is_convertible<int, T>::value, #T);
PLAIN_STRUCT(ad_var) PLAIN_STRUCT(ad_dual) PLAIN_STRUCT(ad_dual4) PLAIN_STRUCT(ad_dual8)
PLAIN_STRUCT(ad_dual2) PLAIN_STRUCT(adf_var) PLAIN_STRUCT(adf_dual) PLAIN_STRUCT(adf_dual4)
PLAIN_STRUCT(adf_dual8) PLAIN_STRUCT(adf_dual2)

/* Two different number types must not mix in silence. */
template <class A, class B> struct Mixes {
    template <class P, class Q> static char test(decltype(std::declval<P>() + std::declval<Q>()) *);
    template <class P, class Q> static long test(...);
    static const bool value = sizeof(test<A, B>(0)) == 1;
};
static_assert(Mixes<ad_var, ad_var>::value && Mixes<ad_var, int>::value, "the probe itself");
static_assert(!Mixes<ad_var, ad_dual>::value && !Mixes<ad_dual, ad_dual4>::value
    && !Mixes<ad_var, adf_var>::value && !Mixes<ad_dual2, ad_dual>::value
    && !Mixes<ad_var, const char *>::value, "mixture");

template <class T> bool no_tangent(const T &x)
{
    const double at = 1;
    const Result r = Derive<T>::run([x](const T *) -> T { return x; }, 1, &at);
    return r.g[0] == 0;
}

template <class T> void test_construction()
{
    typedef typename Real<T>::type R;
    T uninitialised;
    T zero = T(), empty{}, one(1), pair = 2, part = 0.5, small = 0.25f, braces{R(3)};
    const T copy(pair), *at = &copy;
    T moved(std::move(one));
    uninitialised = copy;
    CHECK(uninitialised.v == 2 && zero.v == 0 && empty.v == 0 && pair.v == 2 && part.v == R(0.5));
    CHECK(small.v == R(0.25) && braces.v == 3 && at->v == 2 && moved.v == 1);
    CHECK(no_tangent(zero) && no_tangent(empty) && no_tangent(pair) && no_tangent(braces));
    T array[3] = { 1, 2.5, part };
    CHECK(array[0].v == 1 && array[1].v == R(2.5) && array[2].v == R(0.5));
    T rest[4] = { 1 };
    CHECK(rest[3].v == 0 && no_tangent(rest[3]));
    expect1<T>("copies", [](const T *x) -> T { T a(x[0]), b = a, c; c = b; return c * a; }, 1.5,
        2.25, 3);
}

template <class T> void test_library()
{
    typedef typename Real<T>::type R;
    typedef std::numeric_limits<T> L;
    typedef std::numeric_limits<R> M;
    CHECK(L::is_specialized && L::is_signed && !L::is_integer && !L::is_exact && L::has_infinity);
    CHECK(L::has_quiet_NaN && L::radix == 2);
    CHECK(L::digits == M::digits && L::digits10 == M::digits10);
    CHECK(L::max_exponent == M::max_exponent && L::max_digits10 == M::max_digits10);
    CHECK((L::min)().v == (M::min)() && (L::max)().v == (M::max)() && L::lowest().v == M::lowest());
    CHECK(L::epsilon().v == M::epsilon() && L::infinity().v == M::infinity());
    CHECK(L::denorm_min().v == M::denorm_min() && L::round_error().v == M::round_error());
    CHECK(L::quiet_NaN().v != L::quiet_NaN().v);
    CHECK((std::is_same<decltype(L::epsilon()), T>::value));
    CHECK((std::is_same<decltype((L::max)()), T>::value));
    CHECK((std::is_same<decltype(L::quiet_NaN()), T>::value));
    CHECK((std::is_same<decltype(L::signaling_NaN()), T>::value));
    CHECK(std::numeric_limits<const T>::is_specialized);

    const T finite = T(1), infinite = L::infinity(), nan = L::quiet_NaN();
    {
        using std::isfinite;
        using std::isinf;
        using std::isnan;
        CHECK(isfinite(finite) && !isfinite(infinite) && !isfinite(-infinite) && !isfinite(nan));
        CHECK(!isinf(finite) && isinf(infinite) && isinf(-infinite) && !isinf(nan));
        CHECK(!isnan(finite) && !isnan(infinite) && isnan(nan));
        CHECK((std::is_same<decltype(isnan(nan)), bool>::value));
    }

    std::vector<T> v(3), w;
    CHECK(v[0].v == 0 && v[2].v == 0 && no_tangent(v[1]));
    v[0] = 3; v[1] = 1; v[2] = 2;
    w = v;
    w.push_back(T(-1));
    w.insert(w.begin(), 2, T(7));
    w.resize(20);
    CHECK(w[0].v == 7 && w[5].v == -1 && w[19].v == 0);
    std::sort(v.begin(), v.end());
    CHECK(v[0].v == 1 && v[1].v == 2 && v[2].v == 3);
    std::swap(v[0], v[2]);
    CHECK(v[0].v == 3 && v[2].v == 1);
    CHECK((std::max_element(v.begin(), v.end()) - v.begin()) == 0);
    CHECK(std::find(v.begin(), v.end(), 2) == v.begin() + 1);
    expect2<T>("std::max", [](const T *x) -> T { return std::max(x[0], x[1]) * 2; }, 1.5, 2.5, 5,
        0, 2);
    expect2<T>("std::min", [](const T *x) -> T { return std::min(x[0], x[1]) * 2; }, 1.5, 2.5, 3,
        2, 0);
    expect2<T>("std::max(T, T(c))", [](const T *x) -> T { return std::max(x[0], T(1)) * x[1]; },
        1.5, 2.5,
               3.75, 2.5, 1.5);
    expect2<T>("using std::max", [](const T *x) -> T { using std::max; using std::min;
               return max(x[0], x[1]) - min(x[0], x[1]); }, 1.5, 2.5, 1, -1, 1);

    std::ostringstream text, wanted;
    text.precision(12);
    wanted.precision(12);
    text << T(R(1.125)) << ' ' << finite / 3 << ' ' << -infinite;
    wanted << R(1.125) << ' ' << R(1) / 3 << ' ' << -M::infinity();
    CHECK(text.str() == wanted.str());
    std::wostringstream wide;
    wide << T(2) << L'!';
    CHECK(wide.str() == L"2!");
}

template <class T> void test_lambdas()
{
    /* captured, nested, returned from, and over a container */
    expect2<T>("lambdas", [](const T *x) -> T {
        const T offset = T(0.5);
        const auto shift = [&offset](const T &u) -> T { return u + offset; };
        const auto twice = [&shift](const T &u) -> T { return shift(shift(u)); };
        std::vector<T> terms(x, x + 2);
        std::for_each(terms.begin(), terms.end(), [&twice](T &t) { t = twice(t) * t; });
        T sum = 0;
        for (const T &t : terms) sum += t;
        return sum;
    }, 1.5, -2, 1.5 * 2.5 + 2, 4, -3);
}

/* ------------------------------------------------------------ variables of a tape alone */

/* A comparison of variables that decides something is a branch on the tape;
   one of constants is none. */
#define TEST_BRANCHES(p)                                                                           \
static void p##_test_branches()                                                                    \
{                                                                                                  \
    p##_tape *const t = p##_tape_create(NULL);                                                     \
    const p##_var x = p##_input(t, 2), y = p##_input(t, 3), c = 5;                                 \
    size_t expected = 0;                                                                           \
    CHECK(p##_tape_get_stats(t).branches == 0);                                                    \
    CHECK((c < 6) && (c == p##_var(5)) && !isnan(x) && isfinite(y));                               \
    CHECK(p##_tape_get_stats(t).branches == 0);                                                    \
    BRANCH(p, x < y, true)     BRANCH(p, x <= y, true)    BRANCH(p, x > y, false)                  \
    BRANCH(p, x >= y, false)   BRANCH(p, x == y, false)   BRANCH(p, x != y, true)                  \
    BRANCH(p, x < 2, false)    BRANCH(p, x <= 2.0, true)  BRANCH(p, x > 1.5f, true)                \
    BRANCH(p, x >= 3, false)   BRANCH(p, x == 2, true)    BRANCH(p, x != 2, false)                 \
    BRANCH(p, 2 < y, true)     BRANCH(p, 2.0 <= x, true)  BRANCH(p, 1.5f > x, false)               \
    BRANCH(p, 3 >= y, true)    BRANCH(p, 2 == x, true)    BRANCH(p, 2 != x, false)                 \
    BRANCH(p, x < c, true)     BRANCH(p, c < x, false)                                             \
    BRANCH(p, std::max(x, y).v == 3, true)                                                         \
    BRANCH(p, std::min(x, y).v == 2, true)                                                         \
    const p##_var z = x > y ? x * x : y * y * y;                                                   \
    CHECK(p##_tape_get_stats(t).branches == expected + 1);                                         \
    CHECK(p##_backward(z) == AD_OK && z.v == 27 && p##_adjoint(x) == 0 && p##_adjoint(y) == 27);   \
    p##_tape_destroy(t);                                                                           \
}
#define BRANCH(p, condition, truth)                                                                \
    CHECK((condition) == truth);                                                                   \
    expected++;                                                                                    \
    CHECK(p##_tape_get_stats(t).branches == expected);
TEST_BRANCHES(ad)
TEST_BRANCHES(adf)
#undef BRANCH

/* The C functions take C++ lambdas without captures, and what they use is the C++ front. */
static void test_drivers()
{
    static const double at[3] = { 0.7, 0.3, 1.1 };
    double y = 0, g[3] = { 0, 0, 0 }, j[6];
    CHECK(ad_gradient(NULL,
        [](ad_tape *, const ad_var *x, size_t, void *) { return write_once(x); },
                      NULL, at, 3, &y, g) == AD_OK);
    NEAR(y, write_once<double>(at), 1e-13);
    for (int i = 0; i < 3; i++) NEAR(g[i], slope(i, at), 1e-10);
    CHECK(ad_jacobian(NULL, [](ad_tape *, const ad_var *x, size_t, ad_var *out, size_t, void *) {
        out[0] = x[0] * sin(x[1]);
        out[1] = 2 / x[2];
    }, NULL, at, 3, 2, NULL, j) == AD_OK);
    NEAR(j[0], std::sin(0.3), 1e-14);
    NEAR(j[1], 0.7 * std::cos(0.3), 1e-14);
    NEAR(j[5], -2 / 1.21, 1e-14);
    CHECK(j[2] == 0 && j[3] == 0 && j[4] == 0);
    const float atf[2] = { 1.5f, 2.0f };
    float yf = 0, gf[2] = { 0, 0 };
    CHECK(adf_gradient(NULL,
        [](adf_tape *, const adf_var *x, size_t, void *) { return x[0] * x[1] + 1; },
                       NULL, atf, 2, &yf, gf) == AD_OK);
    CHECK(yf == 4 && gf[0] == 2 && gf[1] == 1.5f);
}

/* Arrays beside variables, constants and numbers, on either side: as the elements beside them. */
template <class Array, class Var> static Var mixture(const Array &a, const Var &x, std::size_t i)
{
    Array r = a * x + x / a - 2 * a, at = (a - x) * (x - a) + pow(a, x) * hypot(x, a) + a / 4;
    r += x;
    r *= a;
    r -= 1.5f;
    r /= Var(2);
    return ad_array_at(r + at * min(a, x) - max(x, a), i);
}
static ad_var ad_array_at(const ad_var &x, std::size_t) { return x; }
static adf_var ad_array_at(const adf_var &x, std::size_t) { return x; }
static adf_var ad_array_at(const adf_array &a, std::size_t i) { return adf_array_at(a, i); }
#define MIXED(p)                                                                                   \
static void p##_test_mixed()                                                                       \
{                                                                                                  \
    p##_tape *const t = p##_tape_create(NULL);                                                     \
    const int32_t dim[] = { 2, 2 };                                                                \
    p##_var in[4];                                                                                 \
    for (int i = 0; i < 4; i++) in[i] = p##_input(t, from<p##_var>(0.5 + 0.75 * i).v);             \
    const p##_array a = p##_array_pack(t, 2, dim, in);                                             \
    for (int constant = 0; constant < 2; constant++) {                                             \
        const p##_var x = constant ? p##_var(1.25f) : p##_input(t, 1.25f);                         \
        for (std::size_t i = 0; i < 4; i++) {                                                      \
            const p##_var u = mixture(a, x, i), v = mixture(in[i], x, 0);                          \
            const double fine = tolerance<p##_var>();                                              \
            NEAR_AS(Name<p##_var>::text(), u.v, v.v, fine);                                        \
            CHECK(p##_backward(v) == AD_OK);                                                       \
            const double by_x = p##_adjoint(x), by_a = p##_adjoint(in[i]);                         \
            CHECK(p##_backward(u) == AD_OK);                                                       \
            NEAR_AS(Name<p##_var>::text(), p##_adjoint(x), by_x, 10 * fine);                       \
            NEAR_AS(Name<p##_var>::text(), p##_adjoint(in[i]), by_a, 10 * fine);                   \
        }                                                                                          \
    }                                                                                              \
    CHECK(p##_tape_status(t) == AD_OK);                                                            \
    p##_tape *const other = p##_tape_create(NULL);                                                 \
    CHECK((a * p##_input(other, 1)).rank == -1 && p##_tape_status(t) == AD_ERR_MIXED);             \
    p##_tape_destroy(other);                                                                       \
    p##_tape_destroy(t);                                                                           \
}
MIXED(ad)
MIXED(adf)
#undef MIXED

/* Constants do not touch a tape; a chain through them keeps only what depends on an input. */
static void test_constants()
{
    ad_tape *const t = ad_tape_create(NULL);
    const ad_var x = ad_input(t, 2);
    const size_t before = ad_tape_get_stats(t).slots;
    ad_var c = 3;
    c *= 2;
    c = sin(c) / 4 + sqrt(ad_var(9));
    CHECK(c.tape == 0 && ad_tape_get_stats(t).slots == before);
    const ad_var y = c * x;
    CHECK(y.tape == t && ad_backward(y) == AD_OK && ad_adjoint(x) == c.v);
    AD_HERE(t);
    CHECK(ad_tape_status(t) == AD_OK);
    ad_tape_destroy(t);
}

// Statements from one formula, with operators, templates, and any number type between.
template <class T> static T cell(T gate, T old, T change)
{
    return gate * old + (1 - gate) * change;
}
AD_EXPR(blend, (g, old, change), cell(1 / (1 + exp(-g)), old, tanh(change)))
ADF_EXPR(blend_f, (g, old, change), cell(1 / (1 + exp(-g)), old, tanh(change)))
static void test_expr()
{
    ad_tape *const t = ad_tape_create(NULL);
    adf_tape *const tf = adf_tape_create(NULL);
    const double at[3] = { 0.3, -1.2, 0.8 };
    const float at_f[3] = { 0.3f, -1.2f, 0.8f };
    ad_var x[3], y[2];
    adf_var z[3], u;
    double g[2][3], H[2][9];
    ad_inputs(t, 3, at, x);
    adf_inputs(tf, 3, at_f, z);
    y[0] = blend(x[0], x[1], x[2]);
    CHECK(ad_tape_get_stats(t).slots == 4);
    y[1] = cell(1 / (1 + exp(-x[0])), x[1], tanh(x[2]));
    u = blend_f(z[0], z[1], z[2]);
    for (int i = 0; i < 2; i++) {
        CHECK_STATUS(ad_backward(y[i]), AD_OK);
        ad_adjoints(3, x, g[i]);
        CHECK_STATUS(ad_hessian_of(y[i], 3, x, H[i]), AD_OK);
    }
    CHECK_STATUS(adf_backward(u), AD_OK);
    CHECK(y[0].v == y[1].v);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(g[0][i], g[1][i], 1e-14);
        CHECK_NEAR(adf_adjoint(z[i]), g[1][i], 1e-6);
    }
    for (int i = 0; i < 9; i++) CHECK_NEAR(H[0][i], H[1][i], 1e-14);
    ad_tape_destroy(t);
    adf_tape_destroy(tf);
}

int main()
{
    FOR_EVERY(test_write_once);
    FOR_EVERY(test_std_everywhere);
    FOR_EVERY(test_operators);
    FOR_EVERY(test_comparisons);
    FOR_EVERY(plainly::rows);
    plainly::rows<double>();
    CHECK(powi(2.0, 3) == 8 && powi(2, -1) == 0.5 && powi(2.0f, 10) == 1024);
    CHECK((std::is_same<decltype(powi(2.0f, 3)), float>::value));
    CHECK((std::is_same<decltype(powi(2, 3)), double>::value));
    plainly::rows<float>();
    FOR_EVERY(elsewhere::rows);
    beside_std::rows<ad_var>();
    beside_std::rows<adf_dual4>();
    beside_std::rows<double>();
    beside_std::rows<float>();
    FOR_EVERY(by_using::rows);
    test_whole_numbers();
    FOR_EVERY(elsewhere::others);
    FOR_EVERY(test_construction);
    FOR_EVERY(test_library);
    FOR_EVERY(test_lambdas);
    ad_test_branches();
    adf_test_branches();
    test_drivers();
    ad_test_mixed();
    adf_test_mixed();
    test_constants();
    test_expr();
    return test_finish();
}
