/* The derivatives written by hand (hand.c), in both precisions, compiled by each compiler.
   What the problems are stands in the headers beside this one. With REAL and P(name) defined: the
   table of one precision, too. */
#ifndef BENCH_HAND_H
#define BENCH_HAND_H
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include "../suite.h"
#include "gmm.h"
#include "bundle.h"
#include "options.h"
#include "logistic.h"
#include "network.h"
#include "helmholtz.h"

#ifdef __cplusplus
#define RESTRICT __restrict
#else
#define RESTRICT restrict
#endif
#define TWO_PI   6.28318530717958647693

static inline size_t mixture_work(size_t d, size_t k) { return k * (3 * d + 66); }

/* The suite's derivatives by hand: as each compiler makes them. */
#define HAND_OF(X)                                                                                 \
    X(gmm) X(bundle) X(rosenbrock) X(logistic) X(options) X(network) X(helmholtz)
#define X(name) void name##_hand_gcc(const bench_case *, double *);                                \
                void name##_hand_clang(const bench_case *, double *);
HAND_OF(X)
#undef X
#endif

#ifdef REAL
/* Outputs: value or values, then the derivatives. work of a mixture: mixture_work(d, k) numbers. */
typedef struct P(hand) {
    const char *compiler;
    void (*bundle)(size_t n, const REAL *cameras, const REAL *points, const REAL *weights,
        const REAL *pixels, const uint32_t *camera, const uint32_t *point, REAL *out);
    void (*bundle_one)(const REAL *x, REAL *out);
    void (*mixture)(size_t d, size_t k, size_t n, const REAL *x, const REAL *theta, REAL *out,
        REAL *work);
    void (*options)(size_t n, const REAL *spot, const REAL *strike, const REAL *years,
        const REAL *volatility, REAL rate, REAL *out);           /* out[GREEKS][n] */
    void (*logistic)(size_t d, size_t n, const REAL *x, const REAL *label, const REAL *w,
        REAL *out);
    void (*rosenbrock)(size_t n, const REAL *x, REAL *out);
    void (*network)(const REAL *w, const REAL *example, REAL *out);   /* inputs, what is wanted */
    /* b[n], a[n][n]: the gases; work[2 n] */
    void (*helmholtz)(size_t n, const REAL *b, const REAL *a, const REAL *x, REAL *out, REAL *work);
} P(hand);
extern const P(hand) P(hand_gcc), P(hand_clang);

#undef REAL
#undef P
#endif
