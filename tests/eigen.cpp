/* Eigen 3 with the library's numbers as scalars: products, norms, decompositions, and gradients
   that go through them, against closed forms written with Eigen on plain doubles. */
/* The reference is plain doubles, and small: vector kernels would only slow compilation. */
#define EIGEN_DONT_VECTORIZE
#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "../autodiff.h"

#include <cmath>
#include <functional>
#include <sstream>

#include "alone.h"

AD_EIGEN_NUMTRAITS(ad_var, double)
AD_EIGEN_NUMTRAITS(ad_dual, double)
AD_EIGEN_NUMTRAITS(adf_var, float)
AD_EIGEN_NUMTRAITS(adf_dual, float)

typedef Eigen::MatrixXd Real;
typedef Eigen::VectorXd Column;
template <class T> using Mat = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
template <class T> using Vec = Eigen::Matrix<T, Eigen::Dynamic, 1>;

template <class T> struct Traits;
#define TRAITS(T, R, tolerance)                                                                    \
template <> struct Traits<T> {                                                                     \
    typedef R type;                                                                                \
    static const char *name() { return #T; }                                                       \
    static double tol() { return tolerance; }                                                      \
};
TRAITS(ad_var, double, 1e-12) TRAITS(ad_dual, double, 1e-12)
TRAITS(adf_var, float, 1e-4) TRAITS(adf_dual, float, 1e-4)

template <class T> double value(const T &x) { return static_cast<double>(x.v); }

/* The closed forms in four words: every new expression of Eigen's costs a second of compilation. */
static Real times(const Real &a, const Real &b) { return a.lazyProduct(b); }
static Real turned(const Real &a) { return a.transpose(); }
static Real scaled(double c, const Real &a) { return a * c; }
static double inner(const Real &a, const Real &b) { return times(turned(a), b)(0, 0); }

/* A well-conditioned matrix without symmetry, one with, and two vectors. */
static Real matrix(int n)
{
    Real A(n, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A(i, j) = std::sin(1.7 * i + 0.9 * j * j + 0.3) + (i == j ? 3 : 0);
    return A;
}
static Real positive(int n)
{
    return scaled(0.25, times(matrix(n), turned(matrix(n))));
}
static Column vector(int n, double phase)
{
    Column b(n);
    for (int i = 0; i < n; i++) b(i) = std::cos(1.3 * i + phase);
    return b;
}

/* A function of a matrix, as a plain type: so what follows is compiled once a number, not
   once a lambda. */
template <class T> using Function = std::function<T(const Mat<T> &)>;

/* The derivative of f at A along D for duals; the same from the gradient for variables. */
static double along(ad_dual *y, const Function<ad_dual> &f, const Real &A, const Real &D)
{
    Mat<ad_dual> M(A.rows(), A.cols());
    for (int i = 0; i < A.rows(); i++)
        for (int j = 0; j < A.cols(); j++) M(i, j) = ad_dual(A(i, j), D(i, j));
    *y = f(M);
    return y->d;
}
static double along(adf_dual *y, const Function<adf_dual> &f, const Real &A, const Real &D)
{
    Mat<adf_dual> M(A.rows(), A.cols());
    for (int i = 0; i < A.rows(); i++)
        for (int j = 0; j < A.cols(); j++)
            M(i, j) = adf_dual(static_cast<float>(A(i, j)), static_cast<float>(D(i, j)));
    *y = f(M);
    return static_cast<double>(y->d);
}
#define ALONG_VARIABLE(p, R)                                                                       \
static double along(p##_var *y, const Function<p##_var> &f, const Real &A, const Real &D)          \
{                                                                                                  \
    p##_tape *const t = p##_tape_create(NULL);                                                     \
    Mat<p##_var> M(A.rows(), A.cols());                                                            \
    double sum = 0;                                                                                \
    for (int i = 0; i < A.rows(); i++)                                                             \
        for (int j = 0; j < A.cols(); j++) M(i, j) = p##_input(t, static_cast<R>(A(i, j)));        \
    const Mat<p##_var> inputs = M;                                                                 \
    *y = f(M);                                                                                     \
    CHECK(p##_backward(*y) == AD_OK);                                                              \
    for (int i = 0; i < A.rows(); i++)                                                             \
        for (int j = 0; j < A.cols(); j++)                                                         \
            sum += static_cast<double>(p##_adjoint(inputs(i, j))) * D(i, j);                       \
    p##_tape_destroy(t);                                                                           \
    return sum;                                                                                    \
}
ALONG_VARIABLE(ad, double)
ALONG_VARIABLE(adf, float)

/* gradient: the closed form of df/dA. Checked along every single entry and one mixture of all. */
template <class T>
void expect(const char *what, const Function<T> &f, const Real &A, double wanted,
    const Real &gradient)
{
    char place[96];
    T y;
    std::snprintf(place, sizeof place, "%s over %s", what, Traits<T>::name());
    for (int k = 0; k <= A.size(); k++) {
        Real D = Real::Zero(A.rows(), A.cols());
        if (k < A.size()) D(k % A.rows(), k / A.rows()) = 1;
        else for (int i = 0; i < A.size(); i++) D(i) = std::sin(i + 0.5);
        const double d = along(&y, f, A, D);
        NEAR_AS(place, value(y), wanted, Traits<T>::tol());
        NEAR_AS(place, d, inner(Eigen::Map<const Column>(gradient.data(), D.size()),
                                Eigen::Map<const Column>(D.data(), D.size())),
                8 * Traits<T>::tol());
    }
}

template <class T> Vec<T> lift(const Column &b)
{
    return b.cast<typename Traits<T>::type>().template cast<T>();
}

template <class T> void test_basics()
{
    const Real A = matrix(3), ones = Real::Ones(3, 3), unit = Real::Identity(3, 3);
    const Column b = vector(3, 0.4), c = vector(3, -0.9);
    const Vec<T> bt = lift<T>(b), ct = lift<T>(c);
    const double size = std::sqrt(inner(A.col(0), A.col(0)));
    typedef const Mat<T> &M;
    expect<T>("sum", [](M X) -> T { return X.sum(); }, A, A.sum(), ones);
    expect<T>("mean", [](M X) -> T { return X.mean(); }, A, A.sum() / 9, scaled(1.0 / 9, ones));
    expect<T>("trace", [](M X) -> T { return X.trace(); }, A, A.trace(), unit);
    expect<T>("squaredNorm", [](M X) -> T { return X.squaredNorm(); }, A, A.squaredNorm(),
        scaled(2, A));
    expect<T>("norm", [](M X) -> T { return X.norm(); }, A, A.norm(), scaled(1 / A.norm(), A));
    expect<T>("dot", [&](M X) -> T { return (X * bt).dot(ct); }, A, inner(c, times(A, b)),
        times(c, turned(b)));
    expect<T>("transpose", [&](M X) -> T { return bt.transpose() * X.transpose() * ct; }, A,
              inner(c, times(A, b)), times(c, turned(b)));
    expect<T>("product", [](M X) -> T { return (X * X).sum(); }, A, times(A, A).sum(),
              times(ones, turned(A)) + times(turned(A), ones));
    expect<T>("scaled", [](M X) -> T { return (2 * X + X * 0.5 - X / 4.0 + X / T(4)).sum(); }, A,
              2.5 * A.sum(), scaled(2.5, ones));
    Real s = A, m = A, g = Real::Zero(3, 3);
    double y = 0, z = 0;
    for (int i = 0; i < 9; i++) {
        const double u = A(i);
        s(i) = std::cos(u) * std::exp(-u * u) - 2 * u * std::sin(u) * std::exp(-u * u);
        y += std::sin(u) * std::exp(-u * u);
        m(i) = std::fabs(u) > 1 ? (u > 0 ? 1 : -1) : 0;
        z += std::fabs(u) > 1 ? std::fabs(u) : 1;
    }
    expect<T>("array",
        [](M X) -> T { return (X.array().sin() * (-X.array().square()).exp()).sum(); }, A, y, s);
    expect<T>("cwiseAbs, cwiseMax", [](M X) -> T { return X.cwiseAbs().cwiseMax(T(1)).sum(); }, A,
        z, m);
    const double top = A.maxCoeff();
    for (int i = 0; i < 9; i++) m(i) = A(i) == top;
    expect<T>("maxCoeff", [](M X) -> T { return X.maxCoeff(); }, A, top, m);
    expect<T>("maxCoeff, NaN", [](M X) -> T { return X.template maxCoeff<Eigen::PropagateNaN>(); },
              A, top, m);
    const Real u = scaled(1 / size, A.col(0));
    g.col(0) = u;
    expect<T>("stableNorm", [](M X) -> T { return X.col(0).stableNorm(); }, A, size, g);
    g.col(0) = scaled(1 / size, Real(c) - scaled(inner(u, c), u));
    expect<T>("normalized", [&](M X) -> T { return X.col(0).normalized().dot(ct); }, A,
        inner(u, c), g);

    /* in a fixed size: |P|^2 + det P + the sum of P^-1, whose gradient is
       2 P + det P P^-T - P^-T 1 P^-T */
    const double det = A(0, 0) * A(1, 1) - A(0, 1) * A(1, 0);
    Real P(2, 2), I(2, 2);
    P << A(0, 0), A(0, 1), A(1, 0), A(1, 1);
    I << A(1, 1) / det, -A(0, 1) / det, -A(1, 0) / det, A(0, 0) / det;
    const Real J = turned(I);
    expect<T>("fixed 2x2", [](M X) -> T {
        const Eigen::Matrix<T, 2, 2> Q = X, R = Q * Q.transpose();
        return R.trace() + Q.determinant() + Q.inverse().sum();
    }, P, P.squaredNorm() + det + I.sum(), scaled(2, P) + scaled(det, J) - times(J,
        times(Real::Ones(2, 2), J)));
}

/* What decompositions give has closed gradients: with G = dy/dA,
   y = c'A^-1 b: G = -A^-T c b' A^-T;   y = det A: G = y A^-T;   y = log det A: G = A^-T. */
template <class T> void test_solvers(int n)
{
    const Real A = matrix(n), S = positive(n), I = A.inverse(), J = S.inverse(), It = turned(I);
    const Column b = vector(n, 0.4), c = vector(n, -0.9);
    const Vec<T> bt = lift<T>(b), ct = lift<T>(c);
    const double y = inner(c, times(I, b)), z = inner(c, times(J, b)),
        det = scaled(0.5, A).determinant();
    const Real G = scaled(-1, times(times(It, c), times(turned(b), It)));
    const Real H = scaled(-1, times(times(J, c), times(turned(b), J)));
    typedef const Mat<T> &M;
    expect<T>("partialPivLu", [&](M X) -> T { return ct.dot(X.partialPivLu().solve(bt)); }, A, y,
        G);
    expect<T>("inverse", [&](M X) -> T { return ct.dot(X.inverse() * bt); }, A, y, G);
    expect<T>("determinant", [](M X) -> T { return X.determinant(); }, scaled(0.5, A), det,
        scaled(2 * det, It));
    expect<T>("log det", [](M X) -> T {
        using std::log;
        return log(X.partialPivLu().determinant());
    }, S, std::log(S.determinant()), J);
    /* Cholesky reads one triangle: symmetrise first, and the gradient is symmetric too */
    const Real K = scaled(0.5, H + turned(H));
    expect<T>("llt", [&](M X) -> T {
        const Mat<T> Y = (X + X.transpose()) / T(2);
        return ct.dot(Y.llt().solve(bt));
    }, S, z, K);
    expect<T>("log det by llt", [](M X) -> T {
        const Mat<T> Y = (X + X.transpose()) / T(2);
        const Eigen::LLT<Mat<T> > factor(Y);
        CHECK(factor.info() == Eigen::Success);
        const Mat<T> L = factor.matrixL();
        return 2 * L.diagonal().array().log().sum();
    }, S, std::log(S.determinant()), J);
    Mat<T> negative = Mat<T>::Identity(n, n);
    negative(0, 0) = -1;
    CHECK(negative.llt().info() == Eigen::NumericalIssue);
}

/* b' A^-1 c in all three, where A depends on two parameters: against central differences. */
static double parametric(double u, double w)
{
    Real A = matrix(4);
    A(0, 1) *= u;
    A(2, 2) += w * w;
    return inner(vector(4, 0), times(A.inverse(), vector(4, 1)));
}
template <class T> T parametric_of(const T &u, const T &w)
{
    Mat<T> A = matrix(4).cast<typename Traits<T>::type>().template cast<T>();
    A(0, 1) *= u;
    A(2, 2) += w * w;
    return lift<T>(vector(4, 0)).dot(A.partialPivLu().solve(lift<T>(vector(4, 1))));
}
static void test_parameters()
{
    const double u = 1.3, w = 0.6, h = 1e-5;
    const double du = (parametric(u + h, w) - parametric(u - h, w)) / (2 * h);
    const double dw = (parametric(u, w + h) - parametric(u, w - h)) / (2 * h);
    ad_tape *const t = ad_tape_create(NULL);
    const ad_var ut = ad_input(t, u), wt = ad_input(t, w), y = parametric_of(ut, wt);
    CHECK(ad_backward(y) == AD_OK && ad_tape_status(t) == AD_OK);
    NEAR(y.v, parametric(u, w), 1e-14);
    NEAR(ad_adjoint(ut), du, 1e-9);
    NEAR(ad_adjoint(wt), dw, 1e-9);
    CHECK(ad_tape_get_stats(t).branches > 0);      /* the pivot search compared variables */
    ad_tape_destroy(t);
    const ad_dual d = parametric_of(ad_dual(u, 1), ad_dual(w)),
        e = parametric_of(ad_dual(u), ad_dual(w, 1));
    NEAR(d.v, parametric(u, w), 1e-14);
    NEAR(d.d, du, 1e-9);
    NEAR(e.d, dw, 1e-9);
}

template <class T> void test_traits()
{
    typedef typename Traits<T>::type R;
    typedef Eigen::NumTraits<T> N;
    CHECK(!N::IsComplex && !N::IsInteger && N::IsSigned);
    CHECK(N::epsilon().v == Eigen::NumTraits<R>::epsilon());
    CHECK(N::dummy_precision().v == Eigen::NumTraits<R>::dummy_precision());
    CHECK(N::highest().v == Eigen::NumTraits<R>::highest());
    CHECK(N::lowest().v == Eigen::NumTraits<R>::lowest());
    CHECK(N::digits10() == Eigen::NumTraits<R>::digits10());
    Eigen::Matrix<T, 2, 2> A, B = Eigen::Matrix<T, 2, 2>::Zero();
    A << 1, 2, 3, 4.5;
    B.diagonal().setConstant(T(1));
    CHECK(value(A(1, 1)) == 4.5 && (A * B - A).isZero() && A.isApprox(A * B) && B.isIdentity());
    CHECK(A.allFinite() && !A.hasNaN());
    A(0, 0) = std::numeric_limits<T>::quiet_NaN();
    CHECK(!A.allFinite() && A.hasNaN());
    std::ostringstream text;
    text << B;
    CHECK(text.str() == "1 0\n0 1");
}

/* Eigen compiles slowly: for every type, what shows that its traits serve; for one, all of it. */
template <class T> void test_briefly()
{
    const Real S = positive(3), J = S.inverse(), ones = Real::Ones(3, 3);
    const Column b = vector(3, 0.4), c = vector(3, -0.9);
    const Vec<T> bt = lift<T>(b), ct = lift<T>(c);
    test_traits<T>();
    expect<T>("norm", [](const Mat<T> &X) -> T { return X.norm(); }, S, S.norm(),
        scaled(1 / S.norm(), S));
    expect<T>("product", [](const Mat<T> &X) -> T { return (X * X.transpose()).sum(); }, S,
              times(S, S).sum(), scaled(2, times(ones, S)));
    expect<T>("partialPivLu", [&](const Mat<T> &X) -> T {
        return ct.dot(X.partialPivLu().solve(bt)); }, S,
              inner(c, times(J, b)), scaled(-1, times(times(J, c), times(turned(b), J))));
    expect<T>("determinant", [](const Mat<T> &X) -> T { return X.determinant(); }, S,
        S.determinant(),
              scaled(S.determinant(), J));
    expect<T>("inverse", [](const Mat<T> &X) -> T { return X.inverse().eval().sum(); }, S, J.sum(),
              scaled(-1, times(J, times(ones, J))));
    expect<T>("log det by llt", [](const Mat<T> &X) -> T {
        const Mat<T> L = ((X + X.transpose()) / T(2)).eval().llt().matrixL();
        return 2 * L.diagonal().array().log().sum();
    }, S, std::log(S.determinant()), J);
}

int main()
{
    test_basics<ad_var>();
    test_solvers<ad_var>(3);
    test_solvers<ad_var>(6);
    test_briefly<ad_var>();
    test_briefly<ad_dual>();
    test_briefly<adf_var>();
    test_briefly<adf_dual>();
    test_parameters();
    return test_finish();
}
