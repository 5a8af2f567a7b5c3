/* The benchmark's parts: a problem, its cases, and the versions that compute its derivative.

   A problem is a function of one or many points. At a point it takes x[inputs] and gives
   y[outputs]; its text (problems/texts.h) is one for all kinds of numbers. What is asked for is

     order 1   for every point y, then the Jacobian, outputs x columns, row-major. There is a column
               for each input; or, where inputs share columns because no output depends on two of
               them (colours: Griewank & Walther, chapter 8), for each colour
     order 2   for every point y[0], its gradient, and the product of its Hessian with c->direction

   The hand-written derivative says what is right. A version is opened once for a case (what can be
   done before x is known: recording, compiling), runs many times, and is closed. */
#ifndef BENCH_SUITE_H
#define BENCH_SUITE_H
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_problem bench_problem;

typedef struct bench_case {
    const bench_problem *problem;
    size_t size[3];                  /* what the problem's `sizes` names; 0: unused */
    void *data;                      /* made by problem->make, from bench_random's fixed seed */
    size_t points, inputs, outputs, columns, order;
    const uint32_t *color;           /* of each input, below columns; NULL: its own number */
    const double *direction;         /* order 2: inputs */
    size_t results;                  /* numbers of all that; set by the driver */
    double work;                     /* what the time should grow with */
    /* order 2: which of the numbers are asked for, `picked` of them; NULL: all. Number i of point p
       comes to result[p * next_point + i * next_number], where 0s mean point by point. */
    const uint32_t *pick;
    size_t picked, next_point, next_number;
} bench_case;

/* What a version is compared with: a version of ours of the same mode. */
typedef enum bench_mode {
    BENCH_FORWARD,                   /* forward mode, numbers with tangents */
    BENCH_TAPE,                      /* reverse mode, recorded anew every time */
    BENCH_COMPILED,                  /* recorded or compiled once */
    BENCH_ARRAYS,                    /* operations on arrays */
    BENCH_OTHER
} bench_mode;

typedef struct bench_version {
    const char *name;                /* "tape"; a problem's own version replaces a general one */
    bench_mode mode;
    /* NULL: this case is not for this version (too large, or it has no such operation) */
    void *(*open)(const bench_case *c);
    int (*run)(void *state, double *result);                     /* nonzero: failed */
    void (*close)(void *state);
} bench_version;

struct bench_problem {
    const char *name, *title;
    const char *sizes;               /* such as "d k n" */
    const size_t (*cases)[3];        /* growing; ends with a 0 */
    size_t shown;                    /* the case that summaries show */
    double tolerance;                /* of a result, relative to the greatest of them */
    int (*make)(bench_case *c);      /* from c->size; nonzero: no memory */
    void (*clean)(bench_case *c);
    void (*gather)(const bench_case *c, size_t point, double *x);
    /* written by hand, by gcc and by clang: the better is what all are compared with */
    void (*hand[2])(const bench_case *c, double *result);
    const bench_version *own;        /* ends with a NULL name */
    int maps;                        /* a function of many points: compiled code has to win */
};

/* ---- for versions */

/* What a run did, for the tables of where time and memory go; free when nobody asks. Parts follow
   each other: bench_part(BENCH_SWEEP) says that from here on it sweeps. */
enum { BENCH_RECORD, BENCH_SWEEP, BENCH_REPLAY, BENCH_PARTS };
typedef struct bench_facts {
    int wanted, part;
    double since, ns[BENCH_PARTS];
    double nodes, bytes;             /* operations recorded, and the memory that they take */
} bench_facts;
extern bench_facts bench_told;
void bench_begin_part(int part);
static inline void bench_part(int part) { if (bench_told.wanted) bench_begin_part(part); }

/* Uniform numbers, the same on every machine; bench_seed starts again. */
void bench_seed(uint64_t seed);
double bench_random(double low, double high);
double bench_normal(void);
size_t bench_below(size_t n);
void *bench_new(size_t count, size_t size);                      /* zeroed; ends without memory */
#define BENCH_NEW(T, count) ((T *)bench_new(count, sizeof(T)))

/* For a problem of one output whose data are its inputs x[n]: bench_vector begins its make, which
   fills x; work is n. clean and gather are these. */
double *bench_vector(bench_case *c, size_t n);
void bench_vector_clean(bench_case *c);
void bench_vector_gather(const bench_case *c, size_t point, double *x);

/* ---- who takes part: lists that end with a NULL name */
extern const bench_version bench_ours[];                         /* ours.c */
int bench_plain(const bench_case *c, double *y);                 /* values alone: y[outputs] of
                                                                    every point; nonzero: no text */
const char *bench_hand_compiler(int which);                      /* who made hand[which] */
extern const bench_version *const bench_peers[];                 /* run_suite.sh; NULL ends it */
extern const bench_problem *const bench_problems[];              /* ours.c; NULL ends it */
#ifdef __cplusplus
}
#endif
#endif
