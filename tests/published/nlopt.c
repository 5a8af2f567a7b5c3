/* Between a program and NLopt 2.7: every objective and constraint that the program hands over, with
   its gradient, is checked at points where NLopt wants its value, whether the algorithm uses
   gradients or not. With -DTESTFUNCS it is a program itself: NLopt's own test functions, at
   points between their bounds and at their minimum. */
#include "published.h"
#include <stdint.h>
#include <string.h>

/* nlopt.h declares what is wrapped here as deprecated. */
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif
#include <nlopt.h>
#ifdef TESTFUNCS
#include <testfuncs.h>
#endif

enum { SLOTS = 32 };

/* A function that the program handed over. Both kinds differ in the type of n alone. */
typedef struct slot {
    nlopt_func f;
    nlopt_func_old old;
    void *data;
    derivative *record;
} slot;

static slot slots[SLOTS];
static size_t n_slots;

static double fg_of(const double *x, size_t n, double *g, void *at)
{
    const slot *const s = (const slot *)at;
    return s->f ? s->f((unsigned)n, x, g, s->data) : s->old((int)n, x, g, s->data);
}

static void check_at(slot *s, const double *x, size_t n)
{
    claim c;
    memset(&c, 0, sizeof c);
    c.fg = fg_of;
    c.at = s;
    c.x = x;
    c.n = n;
    c.m = 1;
    published_check(s->record, &c);
}

/* One function with other data is another derivative: its parts 2, 3 ... in their order. */
static slot *slot_of(const char *kind, nlopt_func f, nlopt_func_old old, void *data)
{
    slot *s = slots;
    int part = 0;
    for (; s < slots + n_slots; s++) {
        if (s->f != f || s->old != old) continue;
        if (s->data == data) return s;
        part = part ? part + 1 : 2;
    }
    if (n_slots == SLOTS) published_fail("more functions than nlopt.c has room for");
    n_slots++;
    s->f = f;
    s->old = old;
    s->data = data;
    s->record = published_derivative(kind, (const void *)(f ? (uintptr_t)f : (uintptr_t)old), part);
    return s;
}

#ifdef TESTFUNCS
int main(void)
{
    unsigned random = 1;
    int k, i, point;
    for (k = 0; k < NTESTFUNCS; k++) {
        const testfunc *const t = &testfuncs[k];
        double x[64];
        slot *s;
        if (!t->has_gradient) continue;
        if (t->n > 64) published_fail("a test function of more than 64 variables");
        s = slot_of("gradient", t->f, NULL, t->f_data);
        for (point = 0; point < 9; point++) {
            for (i = 0; i < t->n; i++) {
                random = random * 1103515245u + 12345u;
                x[i] = point < 8 ? t->lb[i] + (t->ub[i] - t->lb[i]) * ((random >> 8) / 16777216.0)
                                 : t->xmin[i];
            }
            check_at(s, x, (size_t)t->n);
        }
    }
    return 0;
}
#else
static double f_passed(unsigned n, const double *x, double *grad, void *at)
{
    slot *const s = (slot *)at;
    if (published_due(s->record)) check_at(s, x, n);
    return s->f(n, x, grad, s->data);
}

static double old_passed(int n, const double *x, double *grad, void *at)
{
    slot *const s = (slot *)at;
    if (published_due(s->record)) check_at(s, x, (size_t)n);
    return s->old(n, x, grad, s->data);
}

/* Seeded by the clock, a program is another one each time. */
void __wrap_nlopt_srand_time(void);
void __wrap_nlopt_srand_time(void)
{
    nlopt_srand(1);
}

/* What C++ would copy and free the program's data by: they are ours now. */
void __wrap_nlopt_set_munge(nlopt_opt opt, nlopt_munge on_destroy, nlopt_munge on_copy);
void __wrap_nlopt_set_munge(nlopt_opt opt, nlopt_munge on_destroy, nlopt_munge on_copy)
{
    (void)opt; (void)on_destroy; (void)on_copy;
}

nlopt_result __real_nlopt_set_min_objective(nlopt_opt opt, nlopt_func f, void *data);
nlopt_result __wrap_nlopt_set_min_objective(nlopt_opt opt, nlopt_func f, void *data);
nlopt_result __wrap_nlopt_set_min_objective(nlopt_opt opt, nlopt_func f, void *data)
{
    return __real_nlopt_set_min_objective(opt, f_passed, slot_of("gradient", f, NULL, data));
}

nlopt_result __real_nlopt_add_inequality_constraint(nlopt_opt opt, nlopt_func f, void *data,
                                                    double tolerance);
nlopt_result __wrap_nlopt_add_inequality_constraint(nlopt_opt opt, nlopt_func f, void *data,
                                                    double tolerance);
nlopt_result __wrap_nlopt_add_inequality_constraint(nlopt_opt opt, nlopt_func f, void *data,
                                                    double tolerance)
{
    return __real_nlopt_add_inequality_constraint(opt, f_passed,
                                                  slot_of("constraint", f, NULL, data), tolerance);
}

/* The interface of NLopt 1, which the examples in C still use. */
nlopt_result __real_nlopt_minimize_constrained(nlopt_algorithm algorithm, int n, nlopt_func_old f,
    void *data, int m, nlopt_func_old fc, void *fc_data, ptrdiff_t fc_size, const double *lb,
    const double *ub, double *x, double *minf, double minf_max, double ftol_rel, double ftol_abs,
    double xtol_rel, const double *xtol_abs, int maxeval, double maxtime);
nlopt_result __wrap_nlopt_minimize_constrained(nlopt_algorithm algorithm, int n, nlopt_func_old f,
    void *data, int m, nlopt_func_old fc, void *fc_data, ptrdiff_t fc_size, const double *lb,
    const double *ub, double *x, double *minf, double minf_max, double ftol_rel, double ftol_abs,
    double xtol_rel, const double *xtol_abs, int maxeval, double maxtime);
nlopt_result __wrap_nlopt_minimize_constrained(nlopt_algorithm algorithm, int n, nlopt_func_old f,
    void *data, int m, nlopt_func_old fc, void *fc_data, ptrdiff_t fc_size, const double *lb,
    const double *ub, double *x, double *minf, double minf_max, double ftol_rel, double ftol_abs,
    double xtol_rel, const double *xtol_abs, int maxeval, double maxtime)
{
    slot *const objective = slot_of("gradient", NULL, f, data);
    size_t first = n_slots;
    int k;
    for (k = 0; k < m; k++) slot_of("constraint", NULL, fc, (char *)fc_data + k * fc_size);
    /* the constraints' data are an array, and so are their slots */
    if (n_slots - first != (size_t)m) published_fail("constraints that were there before");
    return __real_nlopt_minimize_constrained(algorithm, n, old_passed, objective, m, old_passed,
        slots + first, (ptrdiff_t)sizeof *slots, lb, ub, x, minf, minf_max, ftol_rel, ftol_abs,
        xtol_rel, xtol_abs, maxeval, maxtime);
}

nlopt_result __real_nlopt_minimize(nlopt_algorithm algorithm, int n, nlopt_func_old f, void *data,
    const double *lb, const double *ub, double *x, double *minf, double minf_max, double ftol_rel,
    double ftol_abs, double xtol_rel, const double *xtol_abs, int maxeval, double maxtime);
nlopt_result __wrap_nlopt_minimize(nlopt_algorithm algorithm, int n, nlopt_func_old f, void *data,
    const double *lb, const double *ub, double *x, double *minf, double minf_max, double ftol_rel,
    double ftol_abs, double xtol_rel, const double *xtol_abs, int maxeval, double maxtime);
nlopt_result __wrap_nlopt_minimize(nlopt_algorithm algorithm, int n, nlopt_func_old f, void *data,
    const double *lb, const double *ub, double *x, double *minf, double minf_max, double ftol_rel,
    double ftol_abs, double xtol_rel, const double *xtol_abs, int maxeval, double maxtime)
{
    return __real_nlopt_minimize(algorithm, n, old_passed, slot_of("gradient", NULL, f, data), lb,
        ub, x, minf, minf_max, ftol_rel, ftol_abs, xtol_rel, xtol_abs, maxeval, maxtime);
}
#endif
