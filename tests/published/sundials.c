/* Between a program and SUNDIALS 6, by the linker's --wrap: every right-hand side and every
   derivative that the program registers passes here; the derivative that the solver gets is one of
   ours, which checks and calls the program's. Compiled once a package, which -DPACKAGE_NAME says;
   a program of two packages gets both. */
#include "published.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(PACKAGE_CVODE)
#include <cvode/cvode.h>
#endif
#if defined(PACKAGE_CVODES)
#include <cvodes/cvodes.h>
#endif
#if defined(PACKAGE_IDA)
#include <ida/ida.h>
#endif
#if defined(PACKAGE_IDAS)
#include <idas/idas.h>
#endif
#if defined(PACKAGE_KINSOL)
#include <kinsol/kinsol.h>
#endif
#if defined(PACKAGE_ARKODE)
#include <arkode/arkode_arkstep.h>
#include <arkode/arkode_mristep.h>
#endif
#include <sunmatrix/sunmatrix_band.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

typedef void (*function)(void);

/* ---- what was registered with which solver: a backward problem's number beside the forward
   solver's address; -1 else. Freed solvers stay: what takes an address anew overwrites. */

enum { FORWARD = -1, SLOTS = 16, SOLVERS = 64 };

typedef struct solver {
    void *mem;
    int   which;
    function rhs;
    void *user;
} solver;

typedef struct slot {
    const solver *of;
    function theirs, setup;         /* setup: what J*v wants called before, at each x */
    derivative *record;
} slot;

static solver solvers[SOLVERS];
static size_t n_solvers;
static slot slots[SLOTS];
static size_t n_slots;

static solver *solver_of(void *mem, int which)
{
    size_t k;
    for (k = 0; k < n_solvers; k++)
        if (solvers[k].mem == mem && solvers[k].which == which) return &solvers[k];
    if (n_solvers == SOLVERS) published_fail("more solvers than sundials.c has room for");
    solvers[n_solvers].mem = mem;
    solvers[n_solvers].which = which;
    return &solvers[n_solvers++];
}

static size_t slot_of(const char *kind, void *mem, int which, function theirs, function setup)
{
    const solver *const of = solver_of(mem, which);
    const void *const address = (const void *)(uintptr_t)theirs;
    derivative *const record = published_derivative(kind, address, 0);
    size_t k;
    for (k = 0; k < n_slots; k++)
        if (slots[k].of == of && slots[k].theirs == theirs && slots[k].record == record) return k;
    if (n_slots == SLOTS) published_fail("more derivatives than sundials.c has room for");
    slots[k].of = of;
    slots[k].theirs = theirs;
    slots[k].setup = setup;
    slots[k].record = record;
    return n_slots++;
}

/* ---- one point: a system f(x), with everything that the program's functions want besides x */

typedef struct point {
    const slot *s;
    int (*rhs)(struct point *p, N_Vector x, N_Vector f);
    int (*matrix)(struct point *p, N_Vector x, N_Vector f, SUNMatrix J);
    int (*times)(struct point *p, N_Vector x, N_Vector f, N_Vector v, N_Vector Jv);
    int (*adjoint)(struct point *p, N_Vector x, N_Vector w, N_Vector wJ);
    realtype t, cj;
    int number;                     /* of a parameter, for sensitivities */
    N_Vector y, yp;                 /* of the forward solution, in a backward problem */
    N_Vector at, slope;             /* where the solver stands, and its y' (DAE) */
    void *user, *back;              /* the program's data; those of a backward problem */
    N_Vector x, f, v, out, rate, tmp[3];
    SUNMatrix J;
    size_t n, *row_start, *column;
} point;

static void load(N_Vector to, const double *from)
{
    memcpy(N_VGetArrayPointer(to), from, (size_t)N_VGetLength(to) * sizeof *from);
}

static void store(double *to, N_Vector from, int failed)
{
    const size_t n = (size_t)N_VGetLength(from);
    size_t i;
    memcpy(to, N_VGetArrayPointer(from), n * sizeof *to);
    if (failed)
        for (i = 0; i < n; i++) to[i] = NAN;
}

static void f_of(const double *x, size_t n, double *y, size_t m, void *at)
{
    point *const p = (point *)at;
    (void)n; (void)m;
    load(p->x, x);
    store(y, p->out, p->rhs(p, p->x, p->out));
}

/* Entry k of a matrix of any kind: its row, column and value; 0 behind the last. */
static int entry(SUNMatrix A, size_t *k, size_t *row, size_t *column, double *value)
{
    if (SUNMatGetID(A) == SUNMATRIX_DENSE) {
        const size_t rows = (size_t)SM_ROWS_D(A);
        if (*k >= rows * (size_t)SM_COLUMNS_D(A)) return 0;
        *row = *k % rows;
        *column = *k / rows;
        *value = SM_DATA_D(A)[(*k)++];
        return 1;
    }
    if (SUNMatGetID(A) == SUNMATRIX_BAND) {
        const sunindextype upper = SM_UBAND_B(A), lower = SM_LBAND_B(A), n = SM_COLUMNS_B(A);
        const sunindextype width = upper + lower + 1;
        for (; (sunindextype)*k < n * width; (*k)++) {
            const sunindextype j = (sunindextype)*k / width;
            const sunindextype i = j - upper + (sunindextype)*k % width;
            if (i < 0 || i >= n) continue;
            *row = (size_t)i;
            *column = (size_t)j;
            *value = SM_ELEMENT_B(A, i, j);
            (*k)++;
            return 1;
        }
        return 0;
    } else {
        const sunindextype *const start = SM_INDEXPTRS_S(A);
        const sunindextype packs = SM_NP_S(A), at = (sunindextype)*k;
        sunindextype low = 0, high = packs;
        if (at >= start[packs]) return 0;
        while (high - low > 1) {
            const sunindextype middle = (low + high) / 2;
            if (start[middle] <= at) low = middle;
            else high = middle;
        }
        *row = (size_t)(SM_SPARSETYPE_S(A) == CSC_MAT ? SM_INDEXVALS_S(A)[at] : low);
        *column = (size_t)(SM_SPARSETYPE_S(A) == CSC_MAT ? low : SM_INDEXVALS_S(A)[at]);
        *value = SM_DATA_S(A)[(*k)++];
        return 1;
    }
}

/* The program's matrix at x: zero before, as the solvers give it. */
static int matrix_of(point *p, const double *x)
{
    load(p->x, x);
    SUNMatZero(p->J);
    return p->rhs(p, p->x, p->f) || p->matrix(p, p->x, p->f, p->J);
}

static void dense_of(const double *x, size_t n, double *J, size_t m, void *at)
{
    point *const p = (point *)at;
    const int failed = matrix_of(p, x);
    size_t k = 0, i, j;
    double a;
    for (i = 0; i < n * m; i++) J[i] = failed ? NAN : 0;
    while (!failed && entry(p->J, &k, &i, &j, &a)) J[i * n + j] = a;
}

static void sparse_of(const double *x, size_t n, double *values, size_t nnz, void *at)
{
    point *const p = (point *)at;
    const int failed = matrix_of(p, x);
    size_t k = 0, i, j, e;
    double a;
    (void)n;
    for (i = 0; i < nnz; i++) values[i] = failed ? NAN : 0;
    while (!failed && entry(p->J, &k, &i, &j, &a)) {
        for (e = p->row_start[i]; e < p->row_start[i + 1] && p->column[e] != j; e++) { }
        if (e == p->row_start[i + 1]) published_fail("a sparse matrix changed its pattern");
        values[e] += a;
    }
}

static void jv_of(const double *x, size_t n, const double *v, double *Jv, size_t m, void *at)
{
    point *const p = (point *)at;
    int failed;
    (void)n; (void)m;
    load(p->x, x);
    load(p->v, v);
    failed = p->rhs(p, p->x, p->f) || p->times(p, p->x, p->f, p->v, p->out);
    store(Jv, p->out, failed);
}

static void vj_of(const double *x, size_t n, const double *w, double *wJ, size_t m, void *at)
{
    point *const p = (point *)at;
    (void)n; (void)m;
    load(p->x, x);
    load(p->v, w);
    store(wJ, p->out, p->adjoint(p, p->x, p->v, p->out));
}

/* The pattern of the program's matrix, row by row; two entries at one place count once. */
static void pattern_of(point *p, const double *x)
{
    size_t k, i, j, e, count = 0, unique = 0, *next;
    double a;
    if (matrix_of(p, x)) published_fail("a Jacobian that cannot be computed where the solver asks");
    p->row_start = (size_t *)published_memory((p->n + 2) * sizeof *p->row_start);
    next = (size_t *)published_memory((p->n + 1) * sizeof *next);
    for (k = 0; entry(p->J, &k, &i, &j, &a); count++) p->row_start[i + 1]++;
    for (i = 0; i < p->n; i++) p->row_start[i + 1] += p->row_start[i];
    p->column = (size_t *)published_memory(count * sizeof *p->column);
    memcpy(next, p->row_start, p->n * sizeof *next);
    for (k = 0; entry(p->J, &k, &i, &j, &a); ) p->column[next[i]++] = j;
    for (i = 0; i < p->n; i++) {
        const size_t first = p->row_start[i];
        p->row_start[i] = unique;
        for (k = first; k < next[i]; k++) {
            for (e = p->row_start[i]; e < unique && p->column[e] != p->column[k]; e++) { }
            if (e == unique) p->column[unique++] = p->column[k];
        }
    }
    p->row_start[p->n] = unique;
    free(next);
}

static void check_point(point *p, SUNMatrix J)
{
    claim c;
    double *x;
    int k;
    memset(&c, 0, sizeof c);
    if (!N_VGetArrayPointer(p->at)) published_fail("a vector that is not one array");
    p->n = (size_t)N_VGetLength(p->at);
    x = (double *)published_memory(p->n * sizeof *x);
    memcpy(x, N_VGetArrayPointer(p->at), p->n * sizeof *x);
    p->x = N_VClone(p->at);
    p->f = N_VClone(p->at);
    p->v = N_VClone(p->at);
    p->out = N_VClone(p->at);
    p->rate = N_VClone(p->at);
    for (k = 0; k < 3; k++) p->tmp[k] = N_VClone(p->at);
    if (J) {
        p->J = SUNMatClone(J);
        if (!p->J) published_fail("a matrix that cannot be cloned");
        if (SUNMatGetID(J) == SUNMATRIX_DENSE) {
            c.jacobian = dense_of;
        } else {
            pattern_of(p, x);
            c.sparse = sparse_of;
            c.row_start = p->row_start;
            c.column = p->column;
        }
    } else if (p->times) {
        c.jv = jv_of;
    } else {
        c.vj = vj_of;
    }
    c.f = f_of;
    c.at = p;
    c.x = x;
    c.n = c.m = p->n;
    published_check(p->s->record, &c);
    N_VDestroy(p->x);
    N_VDestroy(p->f);
    N_VDestroy(p->v);
    N_VDestroy(p->out);
    N_VDestroy(p->rate);
    for (k = 0; k < 3; k++) N_VDestroy(p->tmp[k]);
    if (J) SUNMatDestroy(p->J);
    free(p->row_start);
    free(p->column);
    free(x);
}

static void begin(point *p, size_t k, N_Vector at, void *user)
{
    memset(p, 0, sizeof *p);
    p->s = &slots[k];
    p->at = at;
    p->user = user;
}

#define SIXTEEN(X)                                                                                 \
    X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)

/* ============================================================ y' = f(t, y) */
#if defined(PACKAGE_CVODE) || defined(PACKAGE_CVODES) || defined(PACKAGE_ARKODE)
typedef int (*ode_rhs)(realtype t, N_Vector y, N_Vector f, void *user);
typedef int (*ode_jac)(realtype t, N_Vector y, N_Vector f, SUNMatrix J, void *user, N_Vector tmp1,
                       N_Vector tmp2, N_Vector tmp3);
typedef int (*ode_setup)(realtype t, N_Vector y, N_Vector f, void *user);
typedef int (*ode_times)(N_Vector v, N_Vector Jv, realtype t, N_Vector y, N_Vector f, void *user,
                         N_Vector tmp);

static int ode_f(point *p, N_Vector x, N_Vector f)
{
    return ((ode_rhs)p->s->of->rhs)(p->t, x, f, p->user);
}

static int ode_matrix(point *p, N_Vector x, N_Vector f, SUNMatrix J)
{
    return ((ode_jac)p->s->theirs)(p->t, x, f, J, p->user, p->tmp[0], p->tmp[1], p->tmp[2]);
}

static int ode_product(point *p, N_Vector x, N_Vector f, N_Vector v, N_Vector Jv)
{
    if (p->s->setup && ((ode_setup)p->s->setup)(p->t, x, f, p->user)) return 1;
    return ((ode_times)p->s->theirs)(v, Jv, p->t, x, f, p->user, p->tmp[0]);
}

/* With PUBLISHED_REPLACE the solver gets the matrix of central differences instead: what would a
   right Jacobian have done? */
static int differences(point *p, SUNMatrix J)
{
    const size_t n = (size_t)N_VGetLength(p->at);
    N_Vector x = N_VClone(p->at), up = N_VClone(p->at), down = N_VClone(p->at);
    size_t i, j;
    if (SUNMatGetID(J) != SUNMATRIX_DENSE)
        published_fail("PUBLISHED_REPLACE is for dense matrices");
    N_VScale(1, p->at, x);
    for (j = 0; j < n; j++) {
        double *const xj = N_VGetArrayPointer(x) + j;
        const double at = *xj, h = 6e-6 * (fabs(at) > 1 ? fabs(at) : 1);
        const double high = at + h, low = at - h;
        *xj = high;
        p->rhs(p, x, up);
        *xj = low;
        p->rhs(p, x, down);
        *xj = at;
        for (i = 0; i < n; i++)
            SM_ELEMENT_D(J, i, j)
                = (N_VGetArrayPointer(up)[i] - N_VGetArrayPointer(down)[i]) / (high - low);
    }
    N_VDestroy(x);
    N_VDestroy(up);
    N_VDestroy(down);
    return 0;
}

static int ode_jac_of(size_t k, realtype t, N_Vector y, N_Vector f, SUNMatrix J, void *user,
                      N_Vector tmp1, N_Vector tmp2, N_Vector tmp3)
{
    point p;
    begin(&p, k, y, user);
    p.rhs = ode_f;
    p.matrix = ode_matrix;
    p.t = t;
    if (getenv("PUBLISHED_REPLACE")) return differences(&p, J);
    if (published_due(slots[k].record)) check_point(&p, J);
    return ((ode_jac)slots[k].theirs)(t, y, f, J, user, tmp1, tmp2, tmp3);
}

static int ode_times_of(size_t k, N_Vector v, N_Vector Jv, realtype t, N_Vector y, N_Vector f,
                        void *user, N_Vector tmp)
{
    if (published_due(slots[k].record)) {
        point p;
        begin(&p, k, y, user);
        p.rhs = ode_f;
        p.times = ode_product;
        p.t = t;
        check_point(&p, NULL);
        if (slots[k].setup) ((ode_setup)slots[k].setup)(t, y, f, user);
    }
    return ((ode_times)slots[k].theirs)(v, Jv, t, y, f, user, tmp);
}

#define ODE(k)                                                                                     \
    static int ode_jac_##k(realtype t, N_Vector y, N_Vector f, SUNMatrix J, void *user, N_Vector a,\
                           N_Vector b, N_Vector c)                                                 \
    {                                                                                              \
        return ode_jac_of(k, t, y, f, J, user, a, b, c);                                           \
    }                                                                                              \
    static int ode_times_##k(N_Vector v, N_Vector Jv, realtype t, N_Vector y, N_Vector f,          \
                             void *user, N_Vector a)                                               \
    {                                                                                              \
        return ode_times_of(k, v, Jv, t, y, f, user, a);                                           \
    }
SIXTEEN(ODE)
#define ODE_JAC(k) ode_jac_##k,
#define ODE_TIMES(k) ode_times_##k,
static const ode_jac ode_jacs[SLOTS] = { SIXTEEN(ODE_JAC) };
static const ode_times ode_timess[SLOTS] = { SIXTEEN(ODE_TIMES) };

/* Setters of the matrix and of the product, and of nothing. */
#define ODE_SETTERS(prefix)                                                                        \
    int __real_##prefix##SetJacFn(void *mem, ode_jac jac);                                         \
    int __wrap_##prefix##SetJacFn(void *mem, ode_jac jac);                                         \
    int __real_##prefix##SetJacTimes(void *mem, ode_setup setup, ode_times times);                 \
    int __wrap_##prefix##SetJacTimes(void *mem, ode_setup setup, ode_times times);                 \
    int __wrap_##prefix##SetJacFn(void *mem, ode_jac jac)                                          \
    {                                                                                              \
        if (jac) jac = ode_jacs[slot_of("Jacobian", mem, FORWARD, (function)jac, NULL)];           \
        return __real_##prefix##SetJacFn(mem, jac);                                                \
    }                                                                                              \
    int __wrap_##prefix##SetJacTimes(void *mem, ode_setup setup, ode_times times)                  \
    {                                                                                              \
        if (times)                                                                                 \
            times = ode_timess[slot_of("J*v", mem, FORWARD, (function)times, (function)setup)];    \
        return __real_##prefix##SetJacTimes(mem, setup, times);                                    \
    }
#endif

#if defined(PACKAGE_CVODE) || defined(PACKAGE_CVODES)
ODE_SETTERS(CVode)

int __real_CVodeInit(void *mem, CVRhsFn f, realtype t0, N_Vector y0);
int __wrap_CVodeInit(void *mem, CVRhsFn f, realtype t0, N_Vector y0);
int __wrap_CVodeInit(void *mem, CVRhsFn f, realtype t0, N_Vector y0)
{
    solver_of(mem, FORWARD)->rhs = (function)f;
    return __real_CVodeInit(mem, f, t0, y0);
}
#endif

#if defined(PACKAGE_ARKODE)
ODE_SETTERS(ARKStep)
ODE_SETTERS(MRIStep)

void *__real_ARKStepCreate(ARKRhsFn fe, ARKRhsFn fi, realtype t0, N_Vector y0, SUNContext context);
void *__wrap_ARKStepCreate(ARKRhsFn fe, ARKRhsFn fi, realtype t0, N_Vector y0, SUNContext context);
void *__wrap_ARKStepCreate(ARKRhsFn fe, ARKRhsFn fi, realtype t0, N_Vector y0, SUNContext context)
{
    void *const mem = __real_ARKStepCreate(fe, fi, t0, y0, context);
    solver_of(mem, FORWARD)->rhs = (function)fi;
    return mem;
}

int __real_ARKStepReInit(void *mem, ARKRhsFn fe, ARKRhsFn fi, realtype t0, N_Vector y0);
int __wrap_ARKStepReInit(void *mem, ARKRhsFn fe, ARKRhsFn fi, realtype t0, N_Vector y0);
int __wrap_ARKStepReInit(void *mem, ARKRhsFn fe, ARKRhsFn fi, realtype t0, N_Vector y0)
{
    solver_of(mem, FORWARD)->rhs = (function)fi;
    return __real_ARKStepReInit(mem, fe, fi, t0, y0);
}

void *__real_MRIStepCreate(ARKRhsFn fse, ARKRhsFn fsi, realtype t0, N_Vector y0,
                           MRIStepInnerStepper inner, SUNContext context);
void *__wrap_MRIStepCreate(ARKRhsFn fse, ARKRhsFn fsi, realtype t0, N_Vector y0,
                           MRIStepInnerStepper inner, SUNContext context);
void *__wrap_MRIStepCreate(ARKRhsFn fse, ARKRhsFn fsi, realtype t0, N_Vector y0,
                           MRIStepInnerStepper inner, SUNContext context)
{
    void *const mem = __real_MRIStepCreate(fse, fsi, t0, y0, inner, context);
    solver_of(mem, FORWARD)->rhs = (function)fsi;
    return mem;
}
#endif

/* ============================================================ y' = f(t, y), backwards */
#if defined(PACKAGE_CVODES)
static int back_f(point *p, N_Vector x, N_Vector f)
{
    return ((CVRhsFnB)p->s->of->rhs)(p->t, p->y, x, f, p->user);
}

static int back_matrix(point *p, N_Vector x, N_Vector f, SUNMatrix J)
{
    return ((CVLsJacFnB)p->s->theirs)(p->t, p->y, x, f, J, p->user, p->tmp[0], p->tmp[1],
                                      p->tmp[2]);
}

static int back_jac_of(size_t k, realtype t, N_Vector y, N_Vector yB, N_Vector f, SUNMatrix J,
                       void *user, N_Vector tmp1, N_Vector tmp2, N_Vector tmp3)
{
    if (published_due(slots[k].record)) {
        point p;
        begin(&p, k, yB, user);
        p.rhs = back_f;
        p.matrix = back_matrix;
        p.t = t;
        p.y = y;
        check_point(&p, J);
    }
    return ((CVLsJacFnB)slots[k].theirs)(t, y, yB, f, J, user, tmp1, tmp2, tmp3);
}

#define BACK(k)                                                                                    \
    static int back_jac_##k(realtype t, N_Vector y, N_Vector yB, N_Vector f, SUNMatrix J,          \
                            void *user, N_Vector a, N_Vector b, N_Vector c)                        \
    {                                                                                              \
        return back_jac_of(k, t, y, yB, f, J, user, a, b, c);                                      \
    }
SIXTEEN(BACK)
#define BACK_JAC(k) back_jac_##k,
static const CVLsJacFnB back_jacs[SLOTS] = { SIXTEEN(BACK_JAC) };

/* The backward right-hand side is -J^T yB and something without yB. */
static int back_product(point *p, N_Vector x, N_Vector w, N_Vector wJ)
{
    const CVRhsFnB fB = (CVRhsFnB)p->s->theirs;
    N_VConst(0, p->tmp[0]);
    if (fB(p->t, x, p->tmp[0], p->tmp[1], p->back) || fB(p->t, x, w, wJ, p->back)) return 1;
    N_VLinearSum(1, p->tmp[1], -1, wJ, wJ);
    return 0;
}

static int back_f_of(size_t k, realtype t, N_Vector y, N_Vector yB, N_Vector f, void *user)
{
    const solver *const forward = solver_of(slots[k].of->mem, FORWARD);
    if (forward->rhs && N_VGetLength(y) == N_VGetLength(yB) && published_due(slots[k].record)) {
        slot of_y = slots[k];       /* the forward solver's, for its right-hand side */
        point p;
        begin(&p, k, y, forward->user);
        of_y.of = forward;
        p.s = &of_y;
        p.rhs = ode_f;
        p.adjoint = back_product;
        p.t = t;
        p.back = user;
        check_point(&p, NULL);
    }
    return ((CVRhsFnB)slots[k].theirs)(t, y, yB, f, user);
}

/* The right-hand side of a sensitivity is J s and something without s. */
static int sens_product(point *p, N_Vector x, N_Vector f, N_Vector v, N_Vector Jv)
{
    const CVSensRhs1Fn fS = (CVSensRhs1Fn)p->s->theirs;
    N_VConst(0, p->rate);
    if (fS(1, p->t, x, f, p->number, p->rate, p->tmp[0], p->user, p->tmp[1], p->tmp[2])
        || fS(1, p->t, x, f, p->number, v, Jv, p->user, p->tmp[1], p->tmp[2])) return 1;
    N_VLinearSum(1, Jv, -1, p->tmp[0], Jv);
    return 0;
}

static int sens_of(size_t k, int count, realtype t, N_Vector y, N_Vector f, int number, N_Vector s,
                   N_Vector rate, void *user, N_Vector tmp1, N_Vector tmp2)
{
    if (published_due(slots[k].record)) {
        point p;
        begin(&p, k, y, user);
        p.rhs = ode_f;
        p.times = sens_product;
        p.t = t;
        p.number = number;
        check_point(&p, NULL);
    }
    return ((CVSensRhs1Fn)slots[k].theirs)(count, t, y, f, number, s, rate, user, tmp1, tmp2);
}

#define BACK_F(k)                                                                                  \
    static int back_f_##k(realtype t, N_Vector y, N_Vector yB, N_Vector f, void *user)             \
    {                                                                                              \
        return back_f_of(k, t, y, yB, f, user);                                                    \
    }                                                                                              \
    static int sens_##k(int count, realtype t, N_Vector y, N_Vector f, int number, N_Vector s,     \
                        N_Vector rate, void *user, N_Vector a, N_Vector b)                         \
    {                                                                                              \
        return sens_of(k, count, t, y, f, number, s, rate, user, a, b);                            \
    }
SIXTEEN(BACK_F)
#define BACK_F_NAME(k) back_f_##k,
#define SENS_NAME(k) sens_##k,
static const CVRhsFnB back_fs[SLOTS] = { SIXTEEN(BACK_F_NAME) };
static const CVSensRhs1Fn senses[SLOTS] = { SIXTEEN(SENS_NAME) };

int __real_CVodeInitB(void *mem, int which, CVRhsFnB f, realtype t, N_Vector y);
int __wrap_CVodeInitB(void *mem, int which, CVRhsFnB f, realtype t, N_Vector y);
int __wrap_CVodeInitB(void *mem, int which, CVRhsFnB f, realtype t, N_Vector y)
{
    solver_of(mem, which)->rhs = (function)f;
    f = back_fs[slot_of("w*J in fB", mem, which, (function)f, NULL)];
    return __real_CVodeInitB(mem, which, f, t, y);
}

int __real_CVodeSensInit1(void *mem, int count, int method, CVSensRhs1Fn f, N_Vector *s0);
int __wrap_CVodeSensInit1(void *mem, int count, int method, CVSensRhs1Fn f, N_Vector *s0);
int __wrap_CVodeSensInit1(void *mem, int count, int method, CVSensRhs1Fn f, N_Vector *s0)
{
    if (f) f = senses[slot_of("J*s in fS", mem, FORWARD, (function)f, NULL)];
    return __real_CVodeSensInit1(mem, count, method, f, s0);
}

int __real_CVodeSetUserData(void *mem, void *user);
int __wrap_CVodeSetUserData(void *mem, void *user);
int __wrap_CVodeSetUserData(void *mem, void *user)
{
    solver_of(mem, FORWARD)->user = user;
    return __real_CVodeSetUserData(mem, user);
}

int __real_CVodeSetJacFnB(void *mem, int which, CVLsJacFnB jac);
int __wrap_CVodeSetJacFnB(void *mem, int which, CVLsJacFnB jac);
int __wrap_CVodeSetJacFnB(void *mem, int which, CVLsJacFnB jac)
{
    if (jac) jac = back_jacs[slot_of("backward Jacobian", mem, which, (function)jac, NULL)];
    return __real_CVodeSetJacFnB(mem, which, jac);
}
#endif

/* ============================================================ F(t, y, y') = 0
   The matrix is dF/dy + cj dF/dy': the derivative of x -> F(t, x, y' + cj (x - y)). */
#if defined(PACKAGE_IDA) || defined(PACKAGE_IDAS)
typedef int (*dae_rhs)(realtype t, N_Vector y, N_Vector yp, N_Vector r, void *user);
typedef int (*dae_jac)(realtype t, realtype cj, N_Vector y, N_Vector yp, N_Vector r, SUNMatrix J,
                       void *user, N_Vector tmp1, N_Vector tmp2, N_Vector tmp3);

static N_Vector rate_of(point *p, N_Vector x)
{
    N_VLinearSum(p->cj, x, -p->cj, p->at, p->rate);
    N_VLinearSum(1, p->slope, 1, p->rate, p->rate);
    return p->rate;
}

static int dae_f(point *p, N_Vector x, N_Vector f)
{
    return ((dae_rhs)p->s->of->rhs)(p->t, x, rate_of(p, x), f, p->user);
}

static int dae_matrix(point *p, N_Vector x, N_Vector f, SUNMatrix J)
{
    return ((dae_jac)p->s->theirs)(p->t, p->cj, x, rate_of(p, x), f, J, p->user, p->tmp[0],
                                   p->tmp[1], p->tmp[2]);
}

static int dae_jac_of(size_t k, realtype t, realtype cj, N_Vector y, N_Vector yp, N_Vector r,
                      SUNMatrix J, void *user, N_Vector tmp1, N_Vector tmp2, N_Vector tmp3)
{
    if (published_due(slots[k].record)) {
        point p;
        begin(&p, k, y, user);
        p.rhs = dae_f;
        p.matrix = dae_matrix;
        p.t = t;
        p.cj = cj;
        p.slope = yp;
        check_point(&p, J);
    }
    return ((dae_jac)slots[k].theirs)(t, cj, y, yp, r, J, user, tmp1, tmp2, tmp3);
}

#define DAE(k)                                                                                     \
    static int dae_jac_##k(realtype t, realtype cj, N_Vector y, N_Vector yp, N_Vector r,           \
                           SUNMatrix J, void *user, N_Vector a, N_Vector b, N_Vector c)            \
    {                                                                                              \
        return dae_jac_of(k, t, cj, y, yp, r, J, user, a, b, c);                                   \
    }
SIXTEEN(DAE)
#define DAE_JAC(k) dae_jac_##k,
static const dae_jac dae_jacs[SLOTS] = { SIXTEEN(DAE_JAC) };

int __real_IDAInit(void *mem, IDAResFn res, realtype t0, N_Vector y0, N_Vector yp0);
int __wrap_IDAInit(void *mem, IDAResFn res, realtype t0, N_Vector y0, N_Vector yp0);
int __wrap_IDAInit(void *mem, IDAResFn res, realtype t0, N_Vector y0, N_Vector yp0)
{
    solver_of(mem, FORWARD)->rhs = (function)res;
    return __real_IDAInit(mem, res, t0, y0, yp0);
}

int __real_IDASetJacFn(void *mem, dae_jac jac);
int __wrap_IDASetJacFn(void *mem, dae_jac jac);
int __wrap_IDASetJacFn(void *mem, dae_jac jac)
{
    if (jac) jac = dae_jacs[slot_of("Jacobian", mem, FORWARD, (function)jac, NULL)];
    return __real_IDASetJacFn(mem, jac);
}
#endif

#if defined(PACKAGE_IDAS)
static int dae_back_f(point *p, N_Vector x, N_Vector f)
{
    return ((IDAResFnB)p->s->of->rhs)(p->t, p->y, p->yp, x, rate_of(p, x), f, p->user);
}

static int dae_back_matrix(point *p, N_Vector x, N_Vector f, SUNMatrix J)
{
    return ((IDALsJacFnB)p->s->theirs)(p->t, p->cj, p->y, p->yp, x, rate_of(p, x), f, J, p->user,
                                       p->tmp[0], p->tmp[1], p->tmp[2]);
}

static int dae_back_jac_of(size_t k, realtype t, realtype cj, N_Vector y, N_Vector yp, N_Vector yB,
                           N_Vector ypB, N_Vector r, SUNMatrix J, void *user, N_Vector tmp1,
                           N_Vector tmp2, N_Vector tmp3)
{
    if (published_due(slots[k].record)) {
        point p;
        begin(&p, k, yB, user);
        p.rhs = dae_back_f;
        p.matrix = dae_back_matrix;
        p.t = t;
        p.cj = cj;
        p.y = y;
        p.yp = yp;
        p.slope = ypB;
        check_point(&p, J);
    }
    return ((IDALsJacFnB)slots[k].theirs)(t, cj, y, yp, yB, ypB, r, J, user, tmp1, tmp2, tmp3);
}

#define DAE_BACK(k)                                                                                \
    static int dae_back_jac_##k(realtype t, realtype cj, N_Vector y, N_Vector yp, N_Vector yB,     \
                                N_Vector ypB, N_Vector r, SUNMatrix J, void *user, N_Vector a,     \
                                N_Vector b, N_Vector c)                                            \
    {                                                                                              \
        return dae_back_jac_of(k, t, cj, y, yp, yB, ypB, r, J, user, a, b, c);                     \
    }
SIXTEEN(DAE_BACK)
#define DAE_BACK_JAC(k) dae_back_jac_##k,
static const IDALsJacFnB dae_back_jacs[SLOTS] = { SIXTEEN(DAE_BACK_JAC) };

int __real_IDAInitB(void *mem, int which, IDAResFnB res, realtype t, N_Vector y, N_Vector yp);
int __wrap_IDAInitB(void *mem, int which, IDAResFnB res, realtype t, N_Vector y, N_Vector yp);
int __wrap_IDAInitB(void *mem, int which, IDAResFnB res, realtype t, N_Vector y, N_Vector yp)
{
    solver_of(mem, which)->rhs = (function)res;
    return __real_IDAInitB(mem, which, res, t, y, yp);
}

int __real_IDASetJacFnB(void *mem, int which, IDALsJacFnB jac);
int __wrap_IDASetJacFnB(void *mem, int which, IDALsJacFnB jac);
int __wrap_IDASetJacFnB(void *mem, int which, IDALsJacFnB jac)
{
    if (jac) jac = dae_back_jacs[slot_of("backward Jacobian", mem, which, (function)jac, NULL)];
    return __real_IDASetJacFnB(mem, which, jac);
}
#endif

/* ============================================================ F(u) = 0 */
#if defined(PACKAGE_KINSOL)
static int root_f(point *p, N_Vector x, N_Vector f)
{
    return ((KINSysFn)p->s->of->rhs)(x, f, p->user);
}

static int root_matrix(point *p, N_Vector x, N_Vector f, SUNMatrix J)
{
    return ((KINLsJacFn)p->s->theirs)(x, f, J, p->user, p->tmp[0], p->tmp[1]);
}

static int root_product(point *p, N_Vector x, N_Vector f, N_Vector v, N_Vector Jv)
{
    booleantype anew = SUNTRUE;
    (void)f;
    return ((KINLsJacTimesVecFn)p->s->theirs)(v, Jv, x, &anew, p->user);
}

static int root_jac_of(size_t k, N_Vector u, N_Vector f, SUNMatrix J, void *user, N_Vector tmp1,
                       N_Vector tmp2)
{
    if (published_due(slots[k].record)) {
        point p;
        begin(&p, k, u, user);
        p.rhs = root_f;
        p.matrix = root_matrix;
        check_point(&p, J);
    }
    return ((KINLsJacFn)slots[k].theirs)(u, f, J, user, tmp1, tmp2);
}

static int root_times_of(size_t k, N_Vector v, N_Vector Jv, N_Vector u, booleantype *anew,
                         void *user)
{
    if (published_due(slots[k].record)) {
        point p;
        begin(&p, k, u, user);
        p.rhs = root_f;
        p.times = root_product;
        check_point(&p, NULL);
        *anew = SUNTRUE;
    }
    return ((KINLsJacTimesVecFn)slots[k].theirs)(v, Jv, u, anew, user);
}

#define ROOT(k)                                                                                    \
    static int root_jac_##k(N_Vector u, N_Vector f, SUNMatrix J, void *user, N_Vector a,           \
                            N_Vector b)                                                            \
    {                                                                                              \
        return root_jac_of(k, u, f, J, user, a, b);                                                \
    }                                                                                              \
    static int root_times_##k(N_Vector v, N_Vector Jv, N_Vector u, booleantype *anew, void *user)  \
    {                                                                                              \
        return root_times_of(k, v, Jv, u, anew, user);                                             \
    }
SIXTEEN(ROOT)
#define ROOT_JAC(k) root_jac_##k,
#define ROOT_TIMES(k) root_times_##k,
static const KINLsJacFn root_jacs[SLOTS] = { SIXTEEN(ROOT_JAC) };
static const KINLsJacTimesVecFn root_timess[SLOTS] = { SIXTEEN(ROOT_TIMES) };

int __real_KINInit(void *mem, KINSysFn f, N_Vector like);
int __wrap_KINInit(void *mem, KINSysFn f, N_Vector like);
int __wrap_KINInit(void *mem, KINSysFn f, N_Vector like)
{
    solver_of(mem, FORWARD)->rhs = (function)f;
    return __real_KINInit(mem, f, like);
}

int __real_KINSetJacFn(void *mem, KINLsJacFn jac);
int __wrap_KINSetJacFn(void *mem, KINLsJacFn jac);
int __wrap_KINSetJacFn(void *mem, KINLsJacFn jac)
{
    if (jac) jac = root_jacs[slot_of("Jacobian", mem, FORWARD, (function)jac, NULL)];
    return __real_KINSetJacFn(mem, jac);
}

int __real_KINSetJacTimesVecFn(void *mem, KINLsJacTimesVecFn times);
int __wrap_KINSetJacTimesVecFn(void *mem, KINLsJacTimesVecFn times);
int __wrap_KINSetJacTimesVecFn(void *mem, KINLsJacTimesVecFn times)
{
    if (times) times = root_timess[slot_of("J*v", mem, FORWARD, (function)times, NULL)];
    return __real_KINSetJacTimesVecFn(mem, times);
}
#endif
