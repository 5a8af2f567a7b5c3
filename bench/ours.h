/* What the problems' own versions share: compiled functions of one point, mapped over many, and
   functions of arrays. */
#ifndef BENCH_OURS_H
#define BENCH_OURS_H
#include "../autodiff.h"
#include "suite.h"

typedef struct bench_map {
    const bench_case *c;
    ad_tape *tape;                   /* while recording */
    ad_var *x;                       /* [n]: variables first, then data */
    size_t points, n, variables, outputs;
    ad_fn *f;
    ad_port *in, *out;               /* in is the problem's to fill */
    size_t *offset;                  /* where output i of the first point is in the results, */
    ptrdiff_t *stride;               /* and how far on that of the next; 0: summed */
} bench_map;

/* Of `points` points; n inputs with the values x, of which the first `variables` are variables. */
bench_map *bench_map_new(const bench_case *c, size_t points, size_t n, size_t variables,
    const double *x);
/* f of y[m] with its gradient or Jacobian; then offset and stride, which are 0, may be filled:
   outputs of them. The tape is gone. */
void bench_map_derive(bench_map *m, size_t outputs, const ad_var *y);
/* The same of what has been recorded as it is, derivatives included. */
void bench_map_take(bench_map *m, size_t outputs, const ad_var *y);
int bench_map_run(void *map, double *result);
void bench_map_close(void *map);

/* ---- arrays: the loss of a case of one point, x[inputs] as one array of rank 1. Recorded anew
   every time; data are borrowed. */
typedef ad_array (*bench_arrays_text)(const bench_case *c, ad_tape *t, ad_array x);
void *bench_arrays_new(const bench_case *c, bench_arrays_text text);
int bench_arrays_run(void *state, double *result);
void bench_arrays_close(void *state);
/* A problem's own versions, where that is its only one: of the text NAME_arrays. */
#define BENCH_OWN_ARRAYS(name)                                                                     \
    static void *name##_arrays_open(const bench_case *c)                                           \
    {                                                                                              \
        return bench_arrays_new(c, name##_arrays);                                                 \
    }                                                                                              \
    static const bench_version name##_own[] = {                                                    \
        { "arrays", BENCH_ARRAYS, name##_arrays_open, bench_arrays_run, bench_arrays_close },      \
        { NULL, BENCH_OTHER, NULL, NULL, NULL }                                                    \
    };
/* Constants of the user's numbers, and a piece x[from .. from + m*n) as a matrix; n 0: a vector. */
ad_array bench_data(ad_tape *t, size_t m, size_t n, const double *x);
ad_array bench_piece(ad_array x, size_t from, size_t m, size_t n);
#endif
