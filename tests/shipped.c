/* Linked with a program that SUNDIALS ships, as it stands: the registration of its Jacobian is
   wrapped (-Wl,--wrap), and what the solver gets instead is examples/solvers/ad_sundials.h with the
   program's own right-hand side, as adc translates it. tests/shipped.py makes the table of these
   functions and compares what is printed.

   With SHIPPED_LOG in the environment, how often the solver asked for a derivative is appended to
   that file; with SHIPPED_TIME, both Jacobians are timed at some of the points too, and with
   SHIPPED_EMIT a directory gets ours as C, which a second build can be timed with. */
#define _POSIX_C_SOURCE 199309L
#include "../autodiff.h"
#include "../examples/solvers/ad_sundials.h"
#include "shipped.h"
#include <nvector/nvector_serial.h>
#if defined(WITH_CVODE)
#include <cvode/cvode.h>
#elif defined(WITH_CVODES)
#include <cvodes/cvodes.h>
#elif defined(WITH_IDA)
#include <ida/ida.h>
#elif defined(WITH_IDAS)
#include <idas/idas.h>
#elif defined(WITH_KINSOL)
#include <kinsol/kinsol.h>
#elif defined(WITH_ARKODE)
#include <arkode/arkode_arkstep.h>
#include <arkode/arkode_mristep.h>
#endif
#include <time.h>

enum { SLOTS = 32, POINTS = 20 };

/* A derivative that a solver got, with its own copy of the right-hand side. The vectors `at` are
   what a backward problem has besides. */
typedef struct slot {
    const shipped_function *f;
    int      backward, slopes, direct;     /* direct: F(u) = 0 */
    shipped_any hand;                      /* the Jacobian that the program brought */
    ad_sun  *o;
    size_t   n;
    double   t;
    N_Vector at[2], shape;
    void    *user;
    long     asked, recorded;
    size_t   row, column;                  /* where the two matrices are farthest apart */
    double   apart, by_hand, by_us, by_quotient;
    N_Vector y, yp;                        /* the point */
    void   (*run)(double, const double *, const double *, const double *, double, double *);
    double   c;
} slot;
static slot slots[SLOTS];
static int used;

/* ---- what was registered: which function a solver has */
static struct { void *mem; int which; const shipped_function *f; } seen[SLOTS];
static int n_seen;

static void remember(void *mem, int which, shipped_any plain)
{
    const shipped_function *f = shipped_functions;
    int i;
    while (f->plain && f->plain != plain) f++;
    for (i = 0; i < n_seen && (seen[i].mem != mem || seen[i].which != which); i++) {}
    if (i == SLOTS) abort();
    if (i == n_seen) n_seen++;
    seen[i].mem = mem;
    seen[i].which = which;
    seen[i].f = f->plain ? f : NULL;
}

static void report(void)
{
    const char *const log = getenv("SHIPPED_LOG");
    FILE *const file = log ? fopen(log, "a") : NULL;
    int i;
    for (i = 0; i < used && file; i++) {
        const slot *const s = &slots[i];
        fprintf(file, "asked %s %ld %ld\n", s->f->name, s->asked, s->recorded);
        if (s->apart > 0)
            fprintf(file, "apart %s %.2g %.9g %.9g %.9g row %zu column %zu\n", s->f->name, s->apart,
                    s->by_hand, s->by_us, s->by_quotient, s->row, s->column);
    }
    if (file) fclose(file);
}

/* The number of a free slot for what `mem` solves; -1: the program's own stays, since its function
   is not known. */
static int slot_for(void *mem, int which, shipped_any hand)
{
    int i;
    for (i = 0; i < n_seen && (seen[i].mem != mem || seen[i].which != which); i++) {}
    if (i == n_seen || !seen[i].f || !hand || used == SLOTS) return -1;
    if (used == 0) atexit(report);
    slots[used].f = seen[i].f;
    slots[used].hand = hand;
    slots[used].backward = which >= 0;
    return used++;
}

/* ---- the right-hand side on variables */
typedef struct content { sunindextype length; booleantype own; ad_var *data; } content;
typedef struct vector { struct _generic_N_Vector v; content c; } vector;

static N_Vector on_variables(const slot *s, vector *v, ad_var *data)
{
    memset(v, 0, sizeof *v);
    v->v.ops = s->shape->ops;
    v->v.sunctx = s->shape->sunctx;
    v->v.content = &v->c;
    v->c.length = (sunindextype)s->n;
    v->c.data = data;
    return &v->v;
}
/* The right-hand side, as the program has it or on variables. */
static void call(const slot *s, shipped_any f, N_Vector *at, N_Vector y, N_Vector yp, N_Vector out)
{
    if (s->direct) ((int (*)(N_Vector, N_Vector, void *))f)(y, out, s->user);
    else if (!s->slopes && !s->backward)
        ((int (*)(realtype, N_Vector, N_Vector, void *))f)(s->t, y, out, s->user);
    else if (!s->slopes)
        ((int (*)(realtype, N_Vector, N_Vector, N_Vector, void *))f)(s->t, at[0], y, out, s->user);
    else if (!s->backward)
        ((int (*)(realtype, N_Vector, N_Vector, N_Vector, void *))f)(s->t, y, yp, out, s->user);
    else
        ((int (*)(realtype, N_Vector, N_Vector, N_Vector, N_Vector, N_Vector, void *))f)(s->t,
            at[0], at[1], y, yp, out, s->user);
}
static void recorded(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m, void *user)
{
    const slot *const s = (const slot *)user;
    ad_var *const room = (ad_var *)malloc((n + 2 * m) * sizeof *room), *at = room + n;
    vector a, b, c, d, e;
    size_t i;
    N_Vector in, in_slope, out, base[2];
    (void)t;
    if (!room) return;
    memcpy(room, x, n * sizeof *room);
    for (i = 0; i < 2 * m; i++)
        at[i] = ad_const(s->at[i / m] ? N_VGetArrayPointer(s->at[i / m])[i % m] : 0);
    for (i = 0; i < m; i++) y[i] = ad_const(0);
    in = on_variables(s, &a, room);
    in_slope = on_variables(s, &b, room + (s->slopes ? m : 0));
    out = on_variables(s, &c, y);
    base[0] = on_variables(s, &d, at);
    base[1] = on_variables(s, &e, at + m);
    call(s, s->f->active, base, in, in_slope, out);
    free(room);
}

/* To the point; records anew where the values are not those that the program has found, f: its
   data, or time, have changed. A backward problem, linear in what it starts from as 0, does not
   show that: it is recorded anew each time. */
static ad_sun *to_point(slot *s, double t, N_Vector y, N_Vector yp, N_Vector at, N_Vector at_p,
                        N_Vector f, void *user)
{
    const double *value;
    s->t = t;
    s->shape = y;
    s->at[0] = at;
    s->at[1] = at_p;
    s->user = user;
    s->y = y;
    s->yp = yp;
    s->slopes = yp != NULL;
    if (!s->o) {
        s->n = (size_t)N_VGetLength(y);
        s->o = ad_sun_make(recorded, s, s->n, NULL, 0, s->slopes, 0);
        if (!s->o) abort();
    }
    ad_sun_at(s->o, t, y, yp);
    value = ad_solver_eval(&s->o->s, AD_WANT_VALUE, s->o->s.x);
    if (at || !value || memcmp(value, N_VGetArrayPointer(f), s->n * sizeof *value) != 0)
        ad_solver_forget(&s->o->s);
    s->asked++;
    s->recorded = (long)s->o->s.recorded;
    return s->o;
}

#define EACH_SLOT(X)                                                                               \
    X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)          \
    X(16) X(17) X(18) X(19) X(20) X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31)

/* What an earlier run has emitted for each slot, where it has. */
#define EMITTED double, const double *, const double *, const double *, double, double *
typedef void (*emitted_type)(EMITTED);
#define X(i) extern void shipped_emitted_##i(EMITTED) __attribute__((weak));
EACH_SLOT(X)
#undef X
static inline emitted_type emitted_of(const slot *s)
{
#define X(i) if (s == &slots[i]) return shipped_emitted_##i;
    EACH_SLOT(X)
#undef X
    return NULL;
}
static inline double *numbers(SUNMatrix J, size_t *count)
{
    const SUNMatrix_ID id = SUNMatGetID(J);
    *count = (size_t)(id == SUNMATRIX_DENSE ? SM_LDATA_D(J) : id == SUNMATRIX_BAND
        ? SM_LDATA_B(J) : SM_INDEXPTRS_S(J)[SM_NP_S(J)]);
    return id == SUNMATRIX_DENSE ? SM_DATA_D(J) : id == SUNMATRIX_BAND ? SM_DATA_B(J)
        : SM_DATA_S(J);
}
/* As a callback would call it, which knows its matrix. */
static inline void run_emitted(slot *s, SUNMatrix J, double *data)
{
    const ad_sun_map *const map = &s->o->map[0];
    if (map->start) {
        memcpy(SM_INDEXPTRS_S(J), map->start, (s->n + 1) * sizeof *map->start);
        memcpy(SM_INDEXVALS_S(J), map->index, map->count * sizeof *map->index);
    }
    s->run(s->t, NV_DATA_S(s->y), s->yp ? NV_DATA_S(s->yp) : NULL, NULL, s->c, data);
}
/* Whether emitted C is there and gives the numbers that are in J: the program's data may have
   changed. Emits it, where the environment says so. */
static inline int emits(slot *s, SUNMatrix J)
{
    const char *const place = getenv("SHIPPED_EMIT");
    size_t count, i;
    double *const data = numbers(J, &count), *kept;
    char name[400];
    int same = 1;
    if (place && s->asked == 1) {
        FILE *file;
        snprintf(name, sizeof name, "%s/emitted_%d.c", place, (int)(s - slots));
        file = fopen(name, "w");
        snprintf(name, sizeof name, "shipped_emitted_%d", (int)(s - slots));
        if (file && ad_sun_emit(s->o, J, name, file) != 0) rewind(file);
        if (file) fclose(file);
    }
    s->run = emitted_of(s);
    if (!s->run || !(kept = (double *)malloc((count + 1) * sizeof *kept))) return 0;
    memcpy(kept, data, count * sizeof *kept);
    SUNMatZero(J);
    run_emitted(s, J, data);
    for (i = 0; i < count; i++)
        if (!(fabs(kept[i] - data[i]) <= 1e-12 * fabs(kept[i]))) same = 0;
    free(kept);
    return same;
}

static inline double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds that `call` takes: the least of five goes of 50 microseconds. */
#define SECONDS(result, call)                                                                      \
    do {                                                                                           \
        double start_ = now(), took_;                                                              \
        int go_, k_, times_;                                                                       \
        call;                                                                                      \
        took_ = now() - start_;                                                                    \
        times_ = 1 + (int)(5e-5 / (took_ + 1e-8));                                                 \
        for ((result) = HUGE_VAL, go_ = 0; go_ < 5; go_++) {                                       \
            start_ = now();                                                                        \
            for (k_ = 0; k_ < times_; k_++) { call; }                                              \
            took_ = (now() - start_) / times_;                                                     \
            if (took_ < (result)) (result) = took_;                                                \
        }                                                                                          \
    } while (0)

/* A row of the derivative along v, or along a variable, by a central difference of the program's
   own function. */
static inline double quotient(slot *s, size_t row, size_t column, N_Vector v)
{
    N_Vector y = N_VClone(s->y), yp = s->yp ? N_VClone(s->yp) : NULL, f = N_VClone(s->y);
    const double x = v ? N_VMaxNorm(s->y) : fabs(N_VGetArrayPointer(s->y)[column]);
    const double h = 1e-5 * (x + 1e-6) / (v ? N_VMaxNorm(v) : 1);
    double side[2];
    int k;
    for (k = 0; k < 2; k++) {
        const double step = k ? -h : h;
        N_VScale(1, s->y, y);
        if (v) N_VLinearSum(1, s->y, step, v, y);
        else N_VGetArrayPointer(y)[column] += step;
        if (yp) {
            N_VScale(1, s->yp, yp);
            N_VGetArrayPointer(yp)[column] += s->c * step;
        }
        N_VConst(0, f);
        call(s, s->f->plain, s->at, y, yp, f);
        side[k] = N_VGetArrayPointer(f)[row];
    }
    N_VDestroy(y);
    if (yp) N_VDestroy(yp);
    N_VDestroy(f);
    return (side[0] - side[1]) / (2 * h);
}
static inline double entry(SUNMatrix J, sunindextype row, sunindextype column)
{
    double sum = 0;
    sunindextype line, across, k;
    if (SUNMatGetID(J) == SUNMATRIX_DENSE) return SM_ELEMENT_D(J, row, column);
    if (SUNMatGetID(J) == SUNMATRIX_BAND)
        return row - column > SM_LBAND_B(J) || column - row > SM_UBAND_B(J) ? 0
            : SM_ELEMENT_B(J, row, column);
    line = SM_SPARSETYPE_S(J) == CSC_MAT ? column : row;
    across = SM_SPARSETYPE_S(J) == CSC_MAT ? row : column;
    for (k = SM_INDEXPTRS_S(J)[line]; k < SM_INDEXPTRS_S(J)[line + 1]; k++)
        if (SM_INDEXVALS_S(J)[k] == across) sum += SM_DATA_S(J)[k];
    return sum;
}
/* How far two matrices are apart: the greatest difference in a row by its greatest number. */
static inline void compare(slot *s, SUNMatrix hand, SUNMatrix ours)
{
    const sunindextype n = (sunindextype)s->n;
    sunindextype i, j;
    for (i = 0; i < n; i++) {
        double most = 0;
        for (j = 0; j < n; j++)
            most = fmax(most, fmax(fabs(entry(hand, i, j)), fabs(entry(ours, i, j))));
        for (j = 0; j < n && most > 0; j++) {
            const double h = entry(hand, i, j), o = entry(ours, i, j);
            if (fabs(h - o) / most > s->apart) {
                s->apart = fabs(h - o) / most;
                s->row = (size_t)i;
                s->column = (size_t)j;
                s->by_hand = h;
                s->by_us = o;
                s->by_quotient = quotient(s, s->row, s->column, NULL);
            }
        }
    }
}
/* The same of J v. */
static inline void compare_vectors(slot *s, N_Vector v, const double *hand, N_Vector ours)
{
    const double *const o = N_VGetArrayPointer(ours);
    double most = 0;
    size_t i;
    for (i = 0; i < s->n; i++) most = fmax(most, fmax(fabs(hand[i]), fabs(o[i])));
    for (i = 0; i < s->n && most > 0; i++)
        if (fabs(hand[i] - o[i]) / most > s->apart) {
            s->apart = fabs(hand[i] - o[i]) / most;
            s->row = i;
            s->by_hand = hand[i];
            s->by_us = o[i];
            s->by_quotient = quotient(s, i, 0, v);
        }
}
#define COMPARED_VECTORS(s, v, Jv, by_hand, by_us)                                                 \
    do {                                                                                           \
        if (getenv("SHIPPED_LOG") && (s)->asked <= POINTS && (s)->n <= 1000) {                     \
            static double kept_[1000];                                                             \
            if ((by_hand) == 0) memcpy(kept_, N_VGetArrayPointer(Jv), (s)->n * sizeof *kept_);     \
            if ((by_us) == 0) compare_vectors(s, v, kept_, Jv);                                    \
        }                                                                                          \
    } while (0)
/* Both Jacobians at a point, as long as there are few of them. */
#define COMPARED(s, J, hand_, by_hand, by_us)                                                      \
    do {                                                                                           \
        if (getenv("SHIPPED_LOG") && (s)->asked <= POINTS && (s)->n <= 1000) {                     \
            SUNMatrix hand_ = SUNMatClone(J);                                                      \
            SUNMatZero(hand_);                                                                     \
            if ((by_hand) == 0 && (by_us) == 0) compare(s, hand_, J);                              \
            SUNMatDestroy(hand_);                                                                  \
            SUNMatZero(J);                                                                         \
        }                                                                                          \
    } while (0)

/* Both times at a point, as long as there are few of them, and that of C which was emitted in an
   earlier run, if there is any and it is the same matrix. J is then empty again. */
#define TIMED(s, J, by_hand, by_us)                                                                \
    do {                                                                                           \
        if (getenv("SHIPPED_TIME") && (s)->asked < POINTS) {                                       \
            double hand_, ours_, emitted_ = 0;                                                     \
            SECONDS(hand_, by_hand);                                                               \
            if (J) SUNMatZero(J);                                                                  \
            SECONDS(ours_, by_us);                                                                 \
            if (J) {                                                                               \
                SUNMatZero(J);                                                                     \
                by_us;                                                                             \
                if (emits((s), J)) {                                                               \
                    size_t count_;                                                                 \
                    double *const data_ = numbers(J, &count_);                                     \
                    SECONDS(emitted_, run_emitted((s), J, data_));                                 \
                }                                                                                  \
                SUNMatZero(J);                                                                     \
            }                                                                                      \
            timed((s), hand_, ours_, emitted_);                                                    \
        }                                                                                          \
    } while (0)
static inline void timed(const slot *s, double hand, double ours, double emitted)
{
    FILE *const file = fopen(getenv("SHIPPED_TIME"), "a");
    if (!file) return;
    fprintf(file, "time %s %zu %g %g %g\n", s->f->name, s->n, hand, ours, emitted);
    fclose(file);
}

/* ---- callbacks, one of each kind for every slot */

#if defined(WITH_CVODE) || defined(WITH_CVODES) || defined(WITH_ARKODE)
typedef int (*ode_jac_type)(realtype, N_Vector, N_Vector, SUNMatrix, void *, N_Vector, N_Vector,
                            N_Vector);
typedef int (*ode_times_type)(N_Vector, N_Vector, realtype, N_Vector, N_Vector, void *, N_Vector);
static int ode_jac(slot *s, realtype t, N_Vector y, N_Vector fy, SUNMatrix J, void *user,
                   N_Vector a, N_Vector b, N_Vector c)
{
    ad_sun *const o = to_point(s, t, y, NULL, NULL, NULL, fy, user);
    TIMED(s, J, ((ode_jac_type)s->hand)(t, y, fy, J, user, a, b, c),
          ad_cvode_jac(t, y, fy, J, o, a, b, c));
    COMPARED(s, J, H, ((ode_jac_type)s->hand)(t, y, fy, H, user, a, b, c),
             ad_sun_matrix(o, 0, 1, J, 0));
    return ad_sun_matrix(o, 0, 1, J, 0);
}
static int ode_times(slot *s, N_Vector v, N_Vector Jv, realtype t, N_Vector y, N_Vector fy,
                     void *user, N_Vector tmp)
{
    ad_sun *const o = to_point(s, t, y, NULL, NULL, NULL, fy, user);
    TIMED(s, (SUNMatrix)NULL, ((ode_times_type)s->hand)(v, Jv, t, y, fy, user, tmp),
          ad_cvode_jtimes(v, Jv, t, y, fy, o, tmp));
    COMPARED_VECTORS(s, v, Jv, ((ode_times_type)s->hand)(v, Jv, t, y, fy, user, tmp),
                     ad_sun_times(o, 0, v, Jv));
    return ad_sun_times(o, 0, v, Jv);
}
#define X(i)                                                                                       \
    static int ode_jac_##i(realtype t, N_Vector y, N_Vector fy, SUNMatrix J, void *user,           \
                           N_Vector a, N_Vector b, N_Vector c)                                     \
    { return ode_jac(&slots[i], t, y, fy, J, user, a, b, c); }                                     \
    static int ode_times_##i(N_Vector v, N_Vector Jv, realtype t, N_Vector y, N_Vector fy,         \
                             void *user, N_Vector tmp)                                             \
    { return ode_times(&slots[i], v, Jv, t, y, fy, user, tmp); }
EACH_SLOT(X)
#undef X
#define X(i) ode_jac_##i,
static const ode_jac_type ode_jacs[SLOTS] = { EACH_SLOT(X) };
#undef X
#define X(i) ode_times_##i,
static const ode_times_type ode_timess[SLOTS] = { EACH_SLOT(X) };
#undef X
/* A setter of the family: with the callback of a slot in place of the program's. */
#define SET_JAC(name, type)                                                                        \
    int __real_##name(void *mem, type jac);                                                        \
    int __wrap_##name(void *mem, type jac);                                                        \
    int __wrap_##name(void *mem, type jac)                                                         \
    {                                                                                              \
        const int i = slot_for(mem, -1, (shipped_any)jac);                                         \
        return __real_##name(mem, i < 0 ? jac : ode_jacs[i]);                                      \
    }
#define SET_TIMES(name, setup_type, type)                                                          \
    int __real_##name(void *mem, setup_type setup, type times);                                    \
    int __wrap_##name(void *mem, setup_type setup, type times);                                    \
    int __wrap_##name(void *mem, setup_type setup, type times)                                     \
    {                                                                                              \
        const int i = slot_for(mem, -1, (shipped_any)times);                                       \
        return __real_##name(mem, i < 0 ? setup : NULL, i < 0 ? times : ode_timess[i]);            \
    }
#endif

#if defined(WITH_CVODE) || defined(WITH_CVODES)
int __real_CVodeInit(void *mem, CVRhsFn f, realtype t, N_Vector y);
int __wrap_CVodeInit(void *mem, CVRhsFn f, realtype t, N_Vector y);
int __wrap_CVodeInit(void *mem, CVRhsFn f, realtype t, N_Vector y)
{
    remember(mem, -1, (shipped_any)f);
    return __real_CVodeInit(mem, f, t, y);
}
SET_JAC(CVodeSetJacFn, CVLsJacFn)
SET_TIMES(CVodeSetJacTimes, CVLsJacTimesSetupFn, CVLsJacTimesVecFn)
#endif

#if defined(WITH_CVODES)
static int ode_jac_b(slot *s, realtype t, N_Vector y, N_Vector yB, N_Vector fyB, SUNMatrix J,
                     void *user, N_Vector a, N_Vector b, N_Vector c)
{
    ad_sun *const o = to_point(s, t, yB, NULL, y, NULL, fyB, user);
    COMPARED(s, J, H, ((CVLsJacFnB)s->hand)(t, y, yB, fyB, H, user, a, b, c),
             ad_sun_matrix(o, 0, 1, J, 0));
    return ad_sun_matrix(o, 0, 1, J, 0);
}
#define X(i)                                                                                       \
    static int ode_jac_b_##i(realtype t, N_Vector y, N_Vector yB, N_Vector fyB, SUNMatrix J,       \
                             void *user, N_Vector a, N_Vector b, N_Vector c)                       \
    { return ode_jac_b(&slots[i], t, y, yB, fyB, J, user, a, b, c); }
EACH_SLOT(X)
#undef X
#define X(i) ode_jac_b_##i,
static const CVLsJacFnB ode_jac_bs[SLOTS] = { EACH_SLOT(X) };
#undef X
int __real_CVodeInitB(void *mem, int which, CVRhsFnB f, realtype t, N_Vector y);
int __wrap_CVodeInitB(void *mem, int which, CVRhsFnB f, realtype t, N_Vector y);
int __wrap_CVodeInitB(void *mem, int which, CVRhsFnB f, realtype t, N_Vector y)
{
    remember(mem, which, (shipped_any)f);
    return __real_CVodeInitB(mem, which, f, t, y);
}
int __real_CVodeSetJacFnB(void *mem, int which, CVLsJacFnB jac);
int __wrap_CVodeSetJacFnB(void *mem, int which, CVLsJacFnB jac);
int __wrap_CVodeSetJacFnB(void *mem, int which, CVLsJacFnB jac)
{
    const int i = slot_for(mem, which, (shipped_any)jac);
    return __real_CVodeSetJacFnB(mem, which, i < 0 ? jac : ode_jac_bs[i]);
}
#endif

#if defined(WITH_ARKODE)
void *__real_ARKStepCreate(ARKRhsFn fe, ARKRhsFn fi, realtype t, N_Vector y, SUNContext c);
void *__wrap_ARKStepCreate(ARKRhsFn fe, ARKRhsFn fi, realtype t, N_Vector y, SUNContext c);
void *__wrap_ARKStepCreate(ARKRhsFn fe, ARKRhsFn fi, realtype t, N_Vector y, SUNContext c)
{
    void *const mem = __real_ARKStepCreate(fe, fi, t, y, c);
    if (fi) remember(mem, -1, (shipped_any)fi);
    return mem;
}
void *__real_MRIStepCreate(ARKRhsFn fse, ARKRhsFn fsi, realtype t, N_Vector y,
                           MRIStepInnerStepper inner, SUNContext c);
void *__wrap_MRIStepCreate(ARKRhsFn fse, ARKRhsFn fsi, realtype t, N_Vector y,
                           MRIStepInnerStepper inner, SUNContext c);
void *__wrap_MRIStepCreate(ARKRhsFn fse, ARKRhsFn fsi, realtype t, N_Vector y,
                           MRIStepInnerStepper inner, SUNContext c)
{
    void *const mem = __real_MRIStepCreate(fse, fsi, t, y, inner, c);
    if (fsi) remember(mem, -1, (shipped_any)fsi);
    return mem;
}
SET_JAC(ARKStepSetJacFn, ARKLsJacFn)
SET_JAC(MRIStepSetJacFn, ARKLsJacFn)
SET_TIMES(ARKStepSetJacTimes, ARKLsJacTimesSetupFn, ARKLsJacTimesVecFn)
#endif

#if defined(WITH_IDA) || defined(WITH_IDAS)
static int dae_jac(slot *s, realtype t, realtype c, N_Vector y, N_Vector yp, N_Vector r,
                   SUNMatrix J, void *user, N_Vector t1, N_Vector t2, N_Vector t3)
{
    ad_sun *const o = to_point(s, t, y, yp, NULL, NULL, r, user);
    s->c = c;
    TIMED(s, J, ((IDALsJacFn)s->hand)(t, c, y, yp, r, J, user, t1, t2, t3),
          ad_ida_jac(t, c, y, yp, r, J, o, t1, t2, t3));
    COMPARED(s, J, H, ((IDALsJacFn)s->hand)(t, c, y, yp, r, H, user, t1, t2, t3),
             ad_sun_matrix(o, c, 1, J, 0));
    return ad_sun_matrix(o, c, 1, J, 0);
}
#define X(i)                                                                                       \
    static int dae_jac_##i(realtype t, realtype c, N_Vector y, N_Vector yp, N_Vector r,            \
                           SUNMatrix J, void *user, N_Vector t1, N_Vector t2, N_Vector t3)         \
    { return dae_jac(&slots[i], t, c, y, yp, r, J, user, t1, t2, t3); }
EACH_SLOT(X)
#undef X
#define X(i) dae_jac_##i,
static const IDALsJacFn dae_jacs[SLOTS] = { EACH_SLOT(X) };
#undef X
int __real_IDAInit(void *mem, IDAResFn f, realtype t, N_Vector y, N_Vector yp);
int __wrap_IDAInit(void *mem, IDAResFn f, realtype t, N_Vector y, N_Vector yp);
int __wrap_IDAInit(void *mem, IDAResFn f, realtype t, N_Vector y, N_Vector yp)
{
    remember(mem, -1, (shipped_any)f);
    return __real_IDAInit(mem, f, t, y, yp);
}
int __real_IDASetJacFn(void *mem, IDALsJacFn jac);
int __wrap_IDASetJacFn(void *mem, IDALsJacFn jac);
int __wrap_IDASetJacFn(void *mem, IDALsJacFn jac)
{
    const int i = slot_for(mem, -1, (shipped_any)jac);
    return __real_IDASetJacFn(mem, i < 0 ? jac : dae_jacs[i]);
}
#endif

#if defined(WITH_IDAS)
static int dae_jac_b(slot *s, realtype t, realtype c, N_Vector y, N_Vector yp, N_Vector yB,
                     N_Vector ypB, N_Vector r, SUNMatrix J, void *user, N_Vector t1, N_Vector t2,
                     N_Vector t3)
{
    ad_sun *const o = to_point(s, t, yB, ypB, y, yp, r, user);
    s->c = c;
    COMPARED(s, J, H, ((IDALsJacFnB)s->hand)(t, c, y, yp, yB, ypB, r, H, user, t1, t2, t3),
             ad_sun_matrix(o, c, 1, J, 0));
    return ad_sun_matrix(o, c, 1, J, 0);
}
#define X(i)                                                                                       \
    static int dae_jac_b_##i(realtype t, realtype c, N_Vector y, N_Vector yp, N_Vector yB,         \
                             N_Vector ypB, N_Vector r, SUNMatrix J, void *user, N_Vector t1,       \
                             N_Vector t2, N_Vector t3)                                             \
    { return dae_jac_b(&slots[i], t, c, y, yp, yB, ypB, r, J, user, t1, t2, t3); }
EACH_SLOT(X)
#undef X
#define X(i) dae_jac_b_##i,
static const IDALsJacFnB dae_jac_bs[SLOTS] = { EACH_SLOT(X) };
#undef X
int __real_IDAInitB(void *mem, int which, IDAResFnB f, realtype t, N_Vector y, N_Vector yp);
int __wrap_IDAInitB(void *mem, int which, IDAResFnB f, realtype t, N_Vector y, N_Vector yp);
int __wrap_IDAInitB(void *mem, int which, IDAResFnB f, realtype t, N_Vector y, N_Vector yp)
{
    remember(mem, which, (shipped_any)f);
    return __real_IDAInitB(mem, which, f, t, y, yp);
}
int __real_IDASetJacFnB(void *mem, int which, IDALsJacFnB jac);
int __wrap_IDASetJacFnB(void *mem, int which, IDALsJacFnB jac);
int __wrap_IDASetJacFnB(void *mem, int which, IDALsJacFnB jac)
{
    const int i = slot_for(mem, which, (shipped_any)jac);
    return __real_IDASetJacFnB(mem, which, i < 0 ? jac : dae_jac_bs[i]);
}
#endif

#if defined(WITH_KINSOL)
static int sys_jac(slot *s, N_Vector u, N_Vector f, SUNMatrix J, void *user, N_Vector a, N_Vector b)
{
    ad_sun *o;
    s->direct = 1;
    o = to_point(s, 0, u, NULL, NULL, NULL, f, user);
    TIMED(s, J, ((KINLsJacFn)s->hand)(u, f, J, user, a, b), ad_kinsol_jac(u, f, J, o, a, b));
    COMPARED(s, J, H, ((KINLsJacFn)s->hand)(u, f, H, user, a, b), ad_sun_matrix(o, 0, 1, J, 0));
    return ad_sun_matrix(o, 0, 1, J, 0);
}
static int sys_times(slot *s, N_Vector v, N_Vector Jv, N_Vector u, booleantype *anew, void *user)
{
    N_Vector f = N_VClone(u);
    ad_sun *o;
    s->direct = 1;
    s->user = user;
    call(s, s->f->plain, NULL, u, NULL, f);
    o = to_point(s, 0, u, NULL, NULL, NULL, f, user);
    N_VDestroy(f);
    TIMED(s, (SUNMatrix)NULL, ((KINLsJacTimesVecFn)s->hand)(v, Jv, u, anew, user),
          ad_kinsol_jtimes(v, Jv, u, anew, o));
    COMPARED_VECTORS(s, v, Jv, ((KINLsJacTimesVecFn)s->hand)(v, Jv, u, anew, user),
                     ad_sun_times(o, 0, v, Jv));
    return ad_sun_times(o, 0, v, Jv);
}
#define X(i)                                                                                       \
    static int sys_jac_##i(N_Vector u, N_Vector f, SUNMatrix J, void *user, N_Vector a,            \
                           N_Vector b)                                                             \
    { return sys_jac(&slots[i], u, f, J, user, a, b); }                                            \
    static int sys_times_##i(N_Vector v, N_Vector Jv, N_Vector u, booleantype *anew, void *user)   \
    { return sys_times(&slots[i], v, Jv, u, anew, user); }
EACH_SLOT(X)
#undef X
#define X(i) sys_jac_##i,
static const KINLsJacFn sys_jacs[SLOTS] = { EACH_SLOT(X) };
#undef X
#define X(i) sys_times_##i,
static const KINLsJacTimesVecFn sys_timess[SLOTS] = { EACH_SLOT(X) };
#undef X
int __real_KINInit(void *mem, KINSysFn f, N_Vector u);
int __wrap_KINInit(void *mem, KINSysFn f, N_Vector u);
int __wrap_KINInit(void *mem, KINSysFn f, N_Vector u)
{
    remember(mem, -1, (shipped_any)f);
    return __real_KINInit(mem, f, u);
}
int __real_KINSetJacFn(void *mem, KINLsJacFn jac);
int __wrap_KINSetJacFn(void *mem, KINLsJacFn jac);
int __wrap_KINSetJacFn(void *mem, KINLsJacFn jac)
{
    const int i = slot_for(mem, -1, (shipped_any)jac);
    return __real_KINSetJacFn(mem, i < 0 ? jac : sys_jacs[i]);
}
int __real_KINSetJacTimesVecFn(void *mem, KINLsJacTimesVecFn times);
int __wrap_KINSetJacTimesVecFn(void *mem, KINLsJacTimesVecFn times);
int __wrap_KINSetJacTimesVecFn(void *mem, KINLsJacTimesVecFn times)
{
    const int i = slot_for(mem, -1, (shipped_any)times);
    return __real_KINSetJacTimesVecFn(mem, i < 0 ? times : sys_timess[i]);
}
#endif
