/* Ceres' dual numbers.

   A Jet has as many tangents as there are columns, which is how Ceres' own cost functions use it:
   one pass, vectorised by Eigen. Where the width is not one of the list (peers.hpp), passes of 8.
   Second derivatives: a Jet of Jets, as the library's comments suggest; the inner ones have the
   columns, so that operations remain on vectors. */
// package: libceres-dev libeigen3-dev
// header: ceres/jet.h
// flags: -I/usr/include/eigen3 -DNDEBUG
// libs:
#include <ceres/jet.h>

template <class T, int n> static inline double numbers_value(const ceres::Jet<T, n> &x);
static inline double numbers_value(double x) { return x; }
template <class T, int n> static inline double numbers_value(const ceres::Jet<T, n> &x)
{
    return numbers_value(x.a);
}

/* Plain numbers as operands of Jets of Jets: the library has them of its Jet<double, n> alone. */
namespace ceres {
#define JETS Jet<Jet<double, n>, m>
#define INNER Jet<double, n>
#define OF template <int n, int m> inline JETS
OF operator+(const JETS &x, double r) { return JETS(x.a + r, x.v); }
OF operator+(double r, const JETS &x) { return JETS(x.a + r, x.v); }
OF operator-(const JETS &x, double r) { return JETS(x.a - r, x.v); }
OF operator-(double r, const JETS &x) { return JETS(r - x.a, -x.v); }
OF operator*(const JETS &x, double r) { return x * INNER(r); }
OF operator*(double r, const JETS &x) { return x * INNER(r); }
OF operator/(const JETS &x, double r) { return x * INNER(1 / r); }
OF operator/(double r, const JETS &x) { return INNER(r) / x; }
#undef OF
#undef JETS
#undef INNER
}
#include "peers.hpp"
template <int n, int m> struct numbers_const<ceres::Jet<ceres::Jet<double, n>, m>> {
    static ceres::Jet<ceres::Jet<double, n>, m> of(double r)
    {
        return ceres::Jet<ceres::Jet<double, n>, m>(ceres::Jet<double, n>(r));
    }
};

struct ceres_jets {
    template <int W> using number = ceres::Jet<double, W>;
    template <int W> using number2 = ceres::Jet<ceres::Jet<double, W>, 1>;

    template <int W> static void set(ceres::Jet<double, W> &x, double v, int k)
    {
        x.a = v;
        x.v.setZero();
        if (k >= 0) x.v[k] = 1;
    }
    template <int W> static double value(const ceres::Jet<double, W> &y) { return y.a; }
    template <int W> static double tangent(const ceres::Jet<double, W> &y, int k) { return y.v[k]; }

    template <int W> static void set2(number2<W> &x, double v, double dv, int k)
    {
        set(x.a, v, k);
        set(x.v[0], dv, -1);
    }
    template <int W> static double value(const number2<W> &y) { return y.a.a; }
    template <int W> static double tangent(const number2<W> &y, int k) { return y.a.v[k]; }
    template <int W> static double tangent2(const number2<W> &y, int k) { return y.v[0].v[k]; }
};

extern "C" const bench_version ceres_versions[] = {
    { "ceres jet", BENCH_FORWARD, forward_mode<ceres_jets>::open, forward_mode<ceres_jets>::run,
      forward_mode<ceres_jets>::close },
    { NULL, BENCH_OTHER, NULL, NULL, NULL }
};
