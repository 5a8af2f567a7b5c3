/* Derivatives for SUNDIALS: CVODE, CVODES, ARKODE, IDA, KINSOL. Copy it with ad_solver.h.

   Write the right-hand side once, as an ad_vfun of n numbers; its inputs are, in this order,
       y' = f(t, y)       y[n], p[k], t          ad_sun_ode
       F(t, y, y') = 0    y[n], y'[n], p[k], t   ad_sun_dae
       F(u) = 0           u[n], p[k]             ad_sun_system
   and give the solver, whose user_data is the ad_sun, the callbacks at the end. A matrix may be
   dense, banded, or sparse by columns or rows: the callback looks at it. Vectors are those whose
   numbers are in one piece of memory, such as N_VNew_Serial's.

   A sparse solver such as KLU analyses the first pattern, once. So where f goes another way at an
   ad_branch, its entries must be among those of the first recording: else the callback fails, and
   says so. Begin where all of them are there, say ad_var_select, or have the solver begin anew:
       static void again(void *klu, SUNMatrix J)
       {
           SUNLinSol_KLUReInit((SUNLinearSolver)klu, J, 0, SUNKLU_REINIT_PARTIAL);
       }
       o->again = again, o->linear = (void *)the_solver; */
#ifndef AD_SUNDIALS_H
#define AD_SUNDIALS_H
#include "ad_solver.h"
#include <sundials/sundials_nvector.h>
#include <sunmatrix/sunmatrix_band.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>
#ifndef SUNDIALS_DOUBLE_PRECISION
#error ad_sundials.h is for SUNDIALS in double precision
#endif

/* Where the Jacobian's nonzeros go in a matrix of one shape. */
typedef struct ad_sun_map {
    size_t        recorded;          /* of the recording that it is for; 0: of none */
    sunindextype  shape[5];
    size_t       *place;             /* [nonzeros] */
    size_t        count;             /* of a sparse matrix, numbers, */
    sunindextype *start, *index;     /* and its pattern */
} ad_sun_map;

typedef struct ad_sun {
    ad_solver     s;
    size_t        n, k;
    int           slopes, time;      /* whether there are inputs y', t */
    const double *p;                 /* [k], yours */
    ad_sun_map    map[2];            /* the Jacobian; its transpose */
    void        (*again)(void *linear, SUNMatrix J);     /* NULL, or called where J has a new */
    void         *linear;                                /* pattern, which is in it */
    int           grown;             /* that is to be called */
} ad_sun;

static inline void ad_sun_unmap(ad_sun_map *map)
{
    free(map->place);
    free(map->start);
    free(map->index);
    memset(map, 0, sizeof *map);
}
static inline void ad_sun_destroy(ad_sun *o)
{
    if (!o) return;
    ad_sun_unmap(&o->map[0]);
    ad_sun_unmap(&o->map[1]);
    ad_solver_free(&o->s);
    free(o);
}
static inline ad_sun *ad_sun_make(ad_vfun f, void *user, size_t n, const double *p, size_t k,
                                  int slopes, int time)
{
    ad_sun *const o = (ad_sun *)calloc(1, sizeof *o);
    const size_t variables = slopes ? 2 * n : n;
    if (!o) return NULL;
    o->n = n;
    o->k = k;
    o->p = p;
    o->slopes = slopes;
    o->time = time;
    if (ad_solver_init(&o->s, f, user, variables + k + (size_t)time, variables, n)) return o;
    ad_sun_destroy(o);
    return NULL;
}
/* p[k] are parameters, read at each call; NULL, 0: none. */
static inline ad_sun *ad_sun_ode(ad_vfun f, void *user, size_t n, const double *p, size_t k)
{
    return ad_sun_make(f, user, n, p, k, 0, 1);
}
static inline ad_sun *ad_sun_dae(ad_vfun f, void *user, size_t n, const double *p, size_t k)
{
    return ad_sun_make(f, user, n, p, k, 1, 1);
}
static inline ad_sun *ad_sun_system(ad_vfun f, void *user, size_t n, const double *p, size_t k)
{
    return ad_sun_make(f, user, n, p, k, 0, 0);
}

/* The inputs at a point, in o->s.x, which it returns. */
static inline double *ad_sun_at(ad_sun *o, double t, N_Vector y, N_Vector slopes)
{
    double *x = o->s.x;
    memcpy(x, N_VGetArrayPointer(y), o->n * sizeof *x);
    x += o->n;
    if (o->slopes) {
        memcpy(x, N_VGetArrayPointer(slopes), o->n * sizeof *x);
        x += o->n;
    }
    if (o->k) memcpy(x, o->p, o->k * sizeof *x);
    if (o->time) x[o->k] = t;
    return o->s.x;
}
/* What a callback returns where nothing was found: -1 stops the solver; 1 asks it for a smaller
   step, since f fails at this point. */
static inline int ad_sun_failed(const ad_sun *o)
{
    return o->s.last == AD_ERR_USER ? 1 : -1;
}
/* scale times what was found, y[n]; 1 where that is no number. */
static inline int ad_sun_give(const ad_sun *o, const double *found, double scale, size_t n,
                              double *y)
{
    size_t i;
    if (!found) return ad_sun_failed(o);
    for (i = 0; i < n; i++) {
        y[i] = scale * found[i];
        if (!(y[i] - y[i] == 0)) return 1;
    }
    return 0;
}
/* What is wanted at o->s.x, to y[n] from number `first` on. */
static inline int ad_sun_eval(ad_sun *o, ad_want want, size_t first, double *y)
{
    const double *const found = ad_solver_eval(&o->s, want, o->s.x);
    return ad_sun_give(o, found ? found + first : NULL, 1, o->n, y);
}

/* ---- a matrix and its places */
typedef struct ad_sun_entry { size_t line, across, e; } ad_sun_entry;

static inline int ad_sun_order(const void *left, const void *right)
{
    const ad_sun_entry *const a = (const ad_sun_entry *)left;
    const ad_sun_entry *const b = (const ad_sun_entry *)right;
    if (a->line != b->line) return a->line < b->line ? -1 : 1;
    return a->across < b->across ? -1 : a->across > b->across;
}
/* Lines are rows or columns; what y and y' have in common has one place. */
static inline int ad_sun_sparse(ad_sun_map *map, size_t n, ad_sun_entry *entry, size_t nonzeros)
{
    size_t i;
    map->count = 0;
    map->start = (sunindextype *)calloc(n + 1, sizeof *map->start);
    map->index = (sunindextype *)calloc(nonzeros + 1, sizeof *map->index);
    if (!map->start || !map->index) return -1;
    qsort(entry, nonzeros, sizeof *entry, ad_sun_order);
    for (i = 0; i < nonzeros; i++) {
        if (i == 0 || ad_sun_order(&entry[i - 1], &entry[i]) != 0) {
            map->index[map->count++] = (sunindextype)entry[i].across;
            map->start[entry[i].line + 1]++;
        }
        map->place[entry[i].e] = map->count - 1;
    }
    for (i = 0; i < n; i++) map->start[i + 1] += map->start[i];
    return 0;
}
/* The places of a map in the pattern of one before it, which has all its entries; else -1. */
static inline int ad_sun_among(ad_sun_map *map, size_t n, size_t nonzeros, const ad_sun_map *first)
{
    size_t *const to = (size_t *)malloc((map->count + 1) * sizeof *to), e, i;
    int bad = !to;
    sunindextype k, j;
    for (i = 0; i < n && !bad; i++)
        for (k = map->start[i], j = first->start[i]; k < map->start[i + 1] && !bad; k++) {
            while (j < first->start[i + 1] && first->index[j] < map->index[k]) j++;
            bad = j == first->start[i + 1] || first->index[j] != map->index[k];
            to[k] = (size_t)j;
        }
    for (e = 0; e < nonzeros && !bad; e++) map->place[e] = to[map->place[e]];
    free(to);
    return bad ? -1 : 0;
}
static inline int ad_sun_map_of(ad_sun *o, SUNMatrix J, int transpose)
{
    ad_sun_map *const map = &o->map[transpose], first = *map;
    const ad_pattern *const p = &o->s.pattern;
    const size_t n = o->n, nonzeros = p->row_start[n];
    const SUNMatrix_ID id = SUNMatGetID(J);
    const int by_columns = id != SUNMATRIX_SPARSE || SM_SPARSETYPE_S(J) == CSC_MAT;
    sunindextype shape[5] = { 0, 0, 0, 0, 0 };
    ad_sun_entry *entry;
    size_t i, e;
    int bad = 0, same, grown;
    shape[0] = (sunindextype)id;
    shape[1] = by_columns;
    if (id == SUNMATRIX_BAND) {
        shape[2] = SM_LDIM_B(J);
        shape[3] = SM_LBAND_B(J);
        shape[4] = SM_SUBAND_B(J);
    }
    if (map->recorded == o->s.recorded && memcmp(map->shape, shape, sizeof shape) == 0) return 0;
    memset(map, 0, sizeof *map);
    memcpy(map->shape, shape, sizeof shape);
    map->place = (size_t *)malloc((nonzeros + 1) * sizeof *map->place);
    entry = (ad_sun_entry *)malloc((nonzeros + 1) * sizeof *entry);
    if (!map->place || !entry) bad = 1;
    for (i = 0; i < n && !bad; i++)
        for (e = p->row_start[i]; e < p->row_start[i + 1]; e++) {
            const size_t j = p->column[e] % n, row = transpose ? j : i, column = transpose ? i : j;
            const sunindextype below = (sunindextype)row - (sunindextype)column;
            entry[e].line = by_columns ? column : row;
            entry[e].across = by_columns ? row : column;
            entry[e].e = e;
            if (id == SUNMATRIX_DENSE) map->place[e] = column * n + row;
            else if (id == SUNMATRIX_BAND) {
                if (below > SM_LBAND_B(J) || -below > SM_UBAND_B(J)) bad = 1;
                map->place[e] = column * (size_t)SM_LDIM_B(J) + (size_t)(SM_SUBAND_B(J) + below);
            } else if (id != SUNMATRIX_SPARSE) bad = 1;
        }
    if (!bad && id == SUNMATRIX_SPARSE) bad = ad_sun_sparse(map, n, entry, nonzeros);
    same = !bad && first.start && memcmp(first.shape, shape, sizeof shape) == 0;
    grown = same && ad_sun_among(map, n, nonzeros, &first) != 0;
    o->grown = grown && o->again;
    bad |= grown && !o->again;
    if (same && !o->grown) {                     /* its pattern stays, for later recordings too */
        free(map->start);
        free(map->index);
        map->start = first.start;
        map->index = first.index;
        map->count = first.count;
        first.start = first.index = NULL;
    }
    ad_sun_unmap(&first);
    free(entry);
    if (bad)
        fprintf(stderr, "ad_sundials: %s\n", grown ? "by an ad_branch f has entries that its first "
                "pattern has not, which a sparse solver has analysed"
                : "no memory, an entry outside of the band, or another matrix");
    map->recorded = bad ? 0 : o->s.recorded;
    return bad ? -1 : 0;
}
/* scale (dF/dy + c dF/dy'), transposed or not, at the point in o->s.x. The solver has filled J with
   zeros. */
static inline int ad_sun_matrix(ad_sun *o, double c, double scale, SUNMatrix J, int transpose)
{
    const double *const value = ad_solver_eval(&o->s, AD_WANT_JACOBIAN, o->s.x);
    const ad_pattern *const p = &o->s.pattern;
    const ad_sun_map *const map = &o->map[transpose];
    const size_t n = o->n, nonzeros = value ? p->row_start[n] : 0;
    double *data;
    size_t e;
    if (!value) return ad_sun_failed(o);
    if (ad_sun_map_of(o, J, transpose) != 0) return -1;
    if (SUNMatGetID(J) == SUNMATRIX_SPARSE) {
        if (SM_NNZ_S(J) < (sunindextype)map->count
            && SUNSparseMatrix_Reallocate(J, (sunindextype)map->count) != 0) return -1;
        memcpy(SM_INDEXPTRS_S(J), map->start, (n + 1) * sizeof *map->start);
        memcpy(SM_INDEXVALS_S(J), map->index, map->count * sizeof *map->index);
        data = SM_DATA_S(J);
        memset(data, 0, map->count * sizeof *data);
    } else data = SUNMatGetID(J) == SUNMATRIX_BAND ? SM_DATA_B(J) : SM_DATA_D(J);
    for (e = 0; e < nonzeros && !o->slopes; e++) data[map->place[e]] = scale * value[e];
    for (e = 0; e < nonzeros && o->slopes; e++)
        data[map->place[e]] += (p->column[e] < n ? scale : scale * c) * value[e];
    if (o->grown) o->again(o->linear, J);
    o->grown = 0;
    for (e = 0; e < nonzeros; e++)
        if (!(value[e] - value[e] == 0)) return 1;
    return 0;
}
static inline int ad_sun_put(void *file, const char *text, size_t n)
{
    return fwrite(text, 1, n, (FILE *)file) != n;
}
/* Writes what ad_sun_matrix does, each call of which is 50 ns at least, as C of its own for a
   matrix like J, as fast as written by hand:
       void name(double t, const double *y, const double *yp, const double *p, double c,
                 double *data);
   data are the matrix's numbers; the pattern of a sparse one is the one that ad_sun_matrix left. A
   function with an ad_branch is refused. 0: written. */
static inline int ad_sun_emit(ad_sun *o, SUNMatrix J, const char *name, FILE *file)
{
    const ad_fn *const f = ad_solver_get(&o->s, AD_WANT_JACOBIAN, o->s.x);
    const ad_sun_map *const map = &o->map[0];
    const size_t *const column = o->s.pattern.column, *const start = o->s.pattern.row_start;
    char values[120];
    ad_emit_desc desc;
    size_t i, e, k;
    memset(&desc, 0, sizeof desc);
    snprintf(values, sizeof values, "%.100s_values", name);
    desc.name = values;
    desc.form = AD_EMIT_POINT;
    if (ad_fn_status(f) != AD_OK || ad_fn_get_stats(f).guards > 0 || ad_sun_map_of(o, J, 0) != 0
        || fprintf(file, "#ifndef __cplusplus\nstatic void %s(const double *x, double *y);\n"
                   "#endif\n", values) < 0
        || ad_fn_emit(f, &desc, ad_sun_put, file) != AD_OK) return -1;
    fprintf(file, "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    for (i = 0; i < 2; i++)
        fprintf(file, "\nvoid %s(double t, const double *y, const double *yp, const double *p,\n"
                "    double c, double *data)%s\n", name, i ? "" : ";");
    fprintf(file, "{\n    double v[%lu];\n", (unsigned long)start[o->n] + 1);
    if (o->s.n == o->n) fprintf(file, "    const double *const x = y;\n");
    else {
        const unsigned long n = (unsigned long)o->n, next = o->slopes ? 2 * n : n;
        fprintf(file, "    double x[%lu];\n    memcpy(x, y, %lu * sizeof *x);\n",
                (unsigned long)o->s.n, n);
        if (o->slopes) fprintf(file, "    memcpy(x + %lu, yp, %lu * sizeof *x);\n", n, n);
        if (o->k) fprintf(file, "    memcpy(x + %lu, p, %lu * sizeof *x);\n", next,
                          (unsigned long)o->k);
        if (o->time) fprintf(file, "    x[%lu] = t;\n", next + (unsigned long)o->k);
    }
    fprintf(file, "    %s(x, v);\n", values);
    for (i = 0; i < o->n; i++)
        for (e = start[i]; e < start[i + 1]; e++) {
            for (k = start[i]; k < e && map->place[k] != map->place[e]; k++) continue;
            fprintf(file, "    data[%lu] %s %sv[%lu];\n", (unsigned long)map->place[e],
                    k < e ? "+=" : "=", column[e] < o->n ? "" : "c * ", (unsigned long)e);
        }
    return fprintf(file, "    (void)t, (void)yp, (void)p, (void)c;\n}\n#ifdef __cplusplus\n}\n"
                   "#endif\n") < 0;
}
/* (dF/dy + c dF/dy') v */
static inline int ad_sun_times(ad_sun *o, double c, N_Vector v, N_Vector Jv)
{
    const double *const from = N_VGetArrayPointer(v);
    double *const to = o->s.x + o->s.n;
    size_t i;
    for (i = 0; i < o->n; i++) to[i] = from[i];
    if (o->slopes)
        for (i = 0; i < o->n; i++) to[o->n + i] = c * from[i];
    return ad_sun_eval(o, AD_WANT_JV, o->n, N_VGetArrayPointer(Jv));
}

/* ---- CVODE, CVODES, ARKODE: CVodeInit, CVodeSetJacFn, CVodeSetJacTimes, CVodeSensInit1 */
static inline int ad_cvode_rhs(realtype t, N_Vector y, N_Vector ydot, void *user)
{
    ad_sun *const o = (ad_sun *)user;
    ad_sun_at(o, t, y, NULL);
    return ad_sun_eval(o, AD_WANT_VALUE, 0, N_VGetArrayPointer(ydot));
}
static inline int ad_cvode_jac(realtype t, N_Vector y, N_Vector fy, SUNMatrix J, void *user,
                               N_Vector t1, N_Vector t2, N_Vector t3)
{
    ad_sun *const o = (ad_sun *)user;
    (void)fy, (void)t1, (void)t2, (void)t3;
    ad_sun_at(o, t, y, NULL);
    return ad_sun_matrix(o, 0, 1, J, 0);
}
static inline int ad_cvode_jtimes(N_Vector v, N_Vector Jv, realtype t, N_Vector y, N_Vector fy,
                                  void *user, N_Vector tmp)
{
    ad_sun *const o = (ad_sun *)user;
    (void)fy, (void)tmp;
    ad_sun_at(o, t, y, NULL);
    return ad_sun_times(o, 0, v, Jv);
}
/* Forward sensitivities: number i is by p[i]. */
static inline int ad_cvodes_sens(int count, realtype t, N_Vector y, N_Vector ydot, int i,
                                 N_Vector s, N_Vector sdot, void *user, N_Vector t1, N_Vector t2)
{
    ad_sun *const o = (ad_sun *)user;
    double *const v = ad_sun_at(o, t, y, NULL) + o->s.n;
    (void)count, (void)ydot, (void)t1, (void)t2;
    memcpy(v, N_VGetArrayPointer(s), o->n * sizeof *v);
    memset(v + o->n, 0, (o->k + 1) * sizeof *v);
    if ((size_t)i < o->k) v[o->n + (size_t)i] = 1;
    return ad_sun_eval(o, AD_WANT_ALL_JV, o->n, N_VGetArrayPointer(sdot));
}

/* ---- CVODES backwards: l' = -l^T df/dy, and dG/dp is the integral of l^T df/dp, which the
   quadrature q' = -l^T df/dp adds up on the way from the end to the start: CVodeInitB,
   CVodeSetJacFnB, CVodeQuadInitB. */
static inline const double *ad_cvodes_back(ad_sun *o, realtype t, N_Vector y, N_Vector l)
{
    double *const w = ad_sun_at(o, t, y, NULL) + o->s.n;
    const double *found;
    memcpy(w, N_VGetArrayPointer(l), o->n * sizeof *w);
    found = ad_solver_eval(&o->s, AD_WANT_ALL_WJ, o->s.x);
    return found ? found + o->n : NULL;
}
static inline int ad_cvodes_rhs_b(realtype t, N_Vector y, N_Vector l, N_Vector ldot, void *user)
{
    const double *const pull = ad_cvodes_back((ad_sun *)user, t, y, l);
    const ad_sun *const o = (const ad_sun *)user;
    return ad_sun_give(o, pull, -1, o->n, N_VGetArrayPointer(ldot));
}
static inline int ad_cvodes_quad_b(realtype t, N_Vector y, N_Vector l, N_Vector qdot, void *user)
{
    const ad_sun *const o = (ad_sun *)user;
    const double *const pull = ad_cvodes_back((ad_sun *)user, t, y, l);
    return ad_sun_give(o, pull ? pull + o->n : NULL, -1, o->k, N_VGetArrayPointer(qdot));
}
static inline int ad_cvodes_jac_b(realtype t, N_Vector y, N_Vector l, N_Vector fl, SUNMatrix J,
                                  void *user, N_Vector t1, N_Vector t2, N_Vector t3)
{
    ad_sun *const o = (ad_sun *)user;
    (void)l, (void)fl, (void)t1, (void)t2, (void)t3;
    ad_sun_at(o, t, y, NULL);
    return ad_sun_matrix(o, 0, -1, J, 1);
}

/* ---- IDA: IDAInit, IDASetJacFn, IDASetJacTimes */
static inline int ad_ida_res(realtype t, N_Vector y, N_Vector yp, N_Vector r, void *user)
{
    ad_sun *const o = (ad_sun *)user;
    ad_sun_at(o, t, y, yp);
    return ad_sun_eval(o, AD_WANT_VALUE, 0, N_VGetArrayPointer(r));
}
static inline int ad_ida_jac(realtype t, realtype c, N_Vector y, N_Vector yp, N_Vector r,
                             SUNMatrix J, void *user, N_Vector t1, N_Vector t2, N_Vector t3)
{
    ad_sun *const o = (ad_sun *)user;
    (void)r, (void)t1, (void)t2, (void)t3;
    ad_sun_at(o, t, y, yp);
    return ad_sun_matrix(o, c, 1, J, 0);
}
static inline int ad_ida_jtimes(realtype t, N_Vector y, N_Vector yp, N_Vector r, N_Vector v,
                                N_Vector Jv, realtype c, void *user, N_Vector t1, N_Vector t2)
{
    ad_sun *const o = (ad_sun *)user;
    (void)r, (void)t1, (void)t2;
    ad_sun_at(o, t, y, yp);
    return ad_sun_times(o, c, v, Jv);
}

/* ---- KINSOL: KINInit, KINSetJacFn, KINSetJacTimesVecFn */
static inline int ad_kinsol_f(N_Vector u, N_Vector f, void *user)
{
    ad_sun *const o = (ad_sun *)user;
    ad_sun_at(o, 0, u, NULL);
    return ad_sun_eval(o, AD_WANT_VALUE, 0, N_VGetArrayPointer(f));
}
static inline int ad_kinsol_jac(N_Vector u, N_Vector f, SUNMatrix J, void *user, N_Vector t1,
                                N_Vector t2)
{
    ad_sun *const o = (ad_sun *)user;
    (void)f, (void)t1, (void)t2;
    ad_sun_at(o, 0, u, NULL);
    return ad_sun_matrix(o, 0, 1, J, 0);
}
static inline int ad_kinsol_jtimes(N_Vector v, N_Vector Jv, N_Vector u, booleantype *anew,
                                   void *user)
{
    ad_sun *const o = (ad_sun *)user;
    (void)anew;
    ad_sun_at(o, 0, u, NULL);
    return ad_sun_times(o, 0, v, Jv);
}
#endif
