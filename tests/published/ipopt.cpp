/* Between solve_problem.cpp of Ipopt 3.11's examples and Ipopt: the problem that it takes from its
   list is replaced by one that passes everything on, and checks gradient, Jacobian and the Hessian
   of the Lagrangian, this one against the Lagrangian's gradient that the other two make. */
#include "published.h"
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>
#include "RegisteredTNLP.hpp"
#include "MittelmannParaCntrl.hpp"

/* The one of its problems that solve_problem.cpp does not have in its list. */
REGISTER_TNLP(MittelmannParaCntrlBase<MittelmannParaCntrl5_try>, MPara5_try)

namespace {

enum { MOST = 1000 };           /* variables: the matrices are dense here */

struct at_point {
    RegisteredTNLP *problem;
    Index n, m, in_jacobian, in_hessian, first;         /* first: 1 where Fortran's indices are */
    double factor;
    const Number *lambda;
};

typedef std::vector<double> numbers;
typedef std::vector<Index> indices;

void set_nan(double *y, size_t n)
{
    for (size_t i = 0; i < n; i++) y[i] = NAN;
}

double f_of(const double *x, size_t n, double *g, void *at)
{
    const at_point &p = *static_cast<at_point *>(at);
    double f = NAN;
    if (!p.problem->eval_f(p.n, x, true, f)) f = NAN;
    if (g && !p.problem->eval_grad_f(p.n, x, true, g)) set_nan(g, n);
    return f;
}

void g_of(const double *x, size_t, double *g, size_t m, void *at)
{
    const at_point &p = *static_cast<at_point *>(at);
    if (!p.problem->eval_g(p.n, x, true, p.m, g)) set_nan(g, m);
}

void jacobian_of(const double *x, size_t n, double *J, size_t m, void *at)
{
    const at_point &p = *static_cast<at_point *>(at);
    const size_t count = static_cast<size_t>(p.in_jacobian);
    indices row(count), column(count);
    numbers values(count);
    for (size_t k = 0; k < n * m; k++) J[k] = 0;
    if (!p.problem->eval_jac_g(p.n, NULL, true, p.m, p.in_jacobian, &row[0], &column[0], NULL)
        || !p.problem->eval_jac_g(p.n, x, true, p.m, p.in_jacobian, NULL, NULL, &values[0])) {
        set_nan(J, n * m);
        return;
    }
    for (size_t k = 0; k < count; k++)
        J[static_cast<size_t>(row[k] - p.first) * n + static_cast<size_t>(column[k] - p.first)]
            += values[k];
}

/* The gradient of the Lagrangian. */
void slope_of(const double *x, size_t n, double *y, size_t, void *at)
{
    const at_point &p = *static_cast<at_point *>(at);
    const size_t count = static_cast<size_t>(p.in_jacobian);
    if (!p.problem->eval_grad_f(p.n, x, true, y)) {
        set_nan(y, n);
        return;
    }
    for (size_t j = 0; j < n; j++) y[j] *= p.factor;
    if (count == 0) return;
    indices row(count), column(count);
    numbers values(count);
    p.problem->eval_jac_g(p.n, NULL, true, p.m, p.in_jacobian, &row[0], &column[0], NULL);
    if (!p.problem->eval_jac_g(p.n, x, true, p.m, p.in_jacobian, NULL, NULL, &values[0])) {
        set_nan(y, n);
        return;
    }
    for (size_t k = 0; k < count; k++)
        y[column[k] - p.first] += p.lambda[row[k] - p.first] * values[k];
}

void hessian_of(const double *x, size_t n, double *H, size_t, void *at)
{
    const at_point &p = *static_cast<at_point *>(at);
    const size_t count = static_cast<size_t>(p.in_hessian);
    indices row(count), column(count);
    numbers values(count);
    for (size_t k = 0; k < n * n; k++) H[k] = 0;
    if (count == 0) return;
    if (!p.problem->eval_h(p.n, NULL, true, p.factor, p.m, p.lambda, true, p.in_hessian, &row[0],
                           &column[0], NULL)
        || !p.problem->eval_h(p.n, x, true, p.factor, p.m, p.lambda, true, p.in_hessian, NULL, NULL,
                              &values[0])) {
        set_nan(H, n * n);
        return;
    }
    for (size_t k = 0; k < count; k++) {
        const size_t i = static_cast<size_t>(row[k] - p.first);
        const size_t j = static_cast<size_t>(column[k] - p.first);
        H[i * n + j] += values[k];
        if (i != j) H[j * n + i] += values[k];
    }
}

class checked : public RegisteredTNLP {
public:
    checked(const SmartPtr<RegisteredTNLP> &theirs, const std::string &name)
        : theirs_(theirs), name_(name), gradient_(NULL), jacobian_(NULL), hessian_(NULL)
    {
        gradient_ = record("gradient");
        jacobian_ = record("Jacobian");
        hessian_ = record("Hessian");
        at_.problem = GetRawPtr(theirs_);
    }

    bool InitializeProblem(Index N) { return theirs_->InitializeProblem(N); }

    bool get_nlp_info(Index &n, Index &m, Index &in_jacobian, Index &in_hessian,
                      IndexStyleEnum &style)
    {
        const bool known = theirs_->get_nlp_info(n, m, in_jacobian, in_hessian, style);
        if (n > MOST || m > MOST) published_fail("more variables than ipopt.cpp has room for");
        at_.n = n;
        at_.m = m;
        at_.in_jacobian = in_jacobian;
        at_.in_hessian = in_hessian;
        at_.first = style == FORTRAN_STYLE;
        return known;
    }

    bool get_bounds_info(Index n, Number *low, Number *high, Index m, Number *g_low, Number *g_high)
    {
        return theirs_->get_bounds_info(n, low, high, m, g_low, g_high);
    }

    bool get_scaling_parameters(Number &f, bool &use_x, Index n, Number *x, bool &use_g, Index m,
                                Number *g)
    {
        return theirs_->get_scaling_parameters(f, use_x, n, x, use_g, m, g);
    }

    bool get_starting_point(Index n, bool init_x, Number *x, bool init_z, Number *z_low,
                            Number *z_high, Index m, bool init_lambda, Number *lambda)
    {
        return theirs_->get_starting_point(n, init_x, x, init_z, z_low, z_high, m, init_lambda,
                                           lambda);
    }

    bool eval_f(Index n, const Number *x, bool, Number &f)
    {
        return theirs_->eval_f(n, x, true, f);
    }

    bool eval_grad_f(Index n, const Number *x, bool, Number *g)
    {
        if (published_due(gradient_)) {
            claim c = claim();
            c.fg = f_of;
            check(gradient_, c, x, 1);
        }
        return theirs_->eval_grad_f(n, x, true, g);
    }

    bool eval_g(Index n, const Number *x, bool, Index m, Number *g)
    {
        return theirs_->eval_g(n, x, true, m, g);
    }

    bool eval_jac_g(Index n, const Number *x, bool, Index m, Index count, Index *row, Index *column,
                    Number *values)
    {
        if (values && count && published_due(jacobian_)) {
            claim c = claim();
            c.f = g_of;
            c.jacobian = jacobian_of;
            check(jacobian_, c, x, static_cast<size_t>(at_.m));
        }
        return theirs_->eval_jac_g(n, x, true, m, count, row, column, values);
    }

    bool eval_h(Index n, const Number *x, bool, Number factor, Index m, const Number *lambda, bool,
                Index count, Index *row, Index *column, Number *values)
    {
        if (values && published_due(hessian_)) {
            claim c = claim();
            c.f = slope_of;
            c.jacobian = hessian_of;
            at_.factor = factor;
            at_.lambda = lambda;
            check(hessian_, c, x, static_cast<size_t>(at_.n));
        }
        return theirs_->eval_h(n, x, true, factor, m, lambda, true, count, row, column, values);
    }

    void finalize_solution(SolverReturn status, Index n, const Number *x, const Number *z_low,
                           const Number *z_high, Index m, const Number *g, const Number *lambda,
                           Number f, const IpoptData *data, IpoptCalculatedQuantities *quantities)
    {
        theirs_->finalize_solution(status, n, x, z_low, z_high, m, g, lambda, f, data, quantities);
    }

private:
    derivative *record(const char *kind)
    {
        derivative *const d = published_derivative(kind, NULL, 0);
        d->name = name_.c_str();
        return d;
    }

    void check(derivative *d, claim &c, const Number *x, size_t m)
    {
        c.at = &at_;
        c.x = x;
        c.n = static_cast<size_t>(at_.n);
        c.m = m;
        published_check(d, &c);
    }

    SmartPtr<RegisteredTNLP> theirs_;
    const std::string name_;
    derivative *gradient_, *jacobian_, *hessian_;
    at_point at_;
};

}   /* namespace */

/* RegisteredTNLPs::GetTNLP, by the names that the linker knows it by. */
SmartPtr<RegisteredTNLP> real(std::string name) __asm__(
    "__real__ZN15RegisteredTNLPs7GetTNLPENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE");
SmartPtr<RegisteredTNLP> wrap(std::string name) __asm__(
    "__wrap__ZN15RegisteredTNLPs7GetTNLPENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE");
SmartPtr<RegisteredTNLP> wrap(std::string name)
{
    const SmartPtr<RegisteredTNLP> theirs = real(name);
    if (!IsValid(theirs)) return theirs;
    /* kept to the program's end, where its names are written */
    static std::vector<SmartPtr<RegisteredTNLP> > kept;
    kept.push_back(new checked(theirs, name));
    return kept.back();
}
