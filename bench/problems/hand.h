/* The derivatives written by hand (hand_*.c), each file compiled apart by each compiler with HAND
   saying which (gcc, clang), so that nothing is inlined into the loop that takes the time. What the
   problems are stands in the headers beside this one.

   With REAL and P(name) defined: also the table of one precision of hand_points.c, for fn.c. */
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
#include "lstm.h"
#include "tracking.h"
#include "kmeans.h"
#include "ode.h"
#include "lu.h"

#define TWO_PI   6.28318530717958647693

/* Numbers of room that a derivative wants. */
static inline size_t mixture_work(size_t d, size_t k) { return k * (3 * d + 66); }
enum { KMEANS_LANES = 8 };
static inline size_t kmeans_work(size_t d, size_t k) { return k + KMEANS_LANES * d; }
/* Rows of LSTM_ROW numbers, so that no loop has a remainder: what a step of a layer keeps, and what
   all steps have in common. */
enum { LSTM_ROW = 16, LSTM_KEPT = 8 };
static inline size_t lstm_work(size_t layers, size_t steps)
{
    return (size_t)LSTM_ROW * (layers * steps * LSTM_KEPT + steps + layers * 20 + 6);
}

/* As the suite asks for them: values, then derivatives. */
#define HAND_OF(X)                                                                                 \
    X(gmm) X(bundle) X(rosenbrock) X(logistic) X(options) X(network) X(helmholtz) X(lstm)          \
    X(tracking_simple) X(tracking_complicated) X(kmeans) X(ode) X(product) X(cofactors) X(lu)      \
    X(logsumexp)
#define X(name) void name##_hand_gcc(const bench_case *, double *);                                \
                void name##_hand_clang(const bench_case *, double *);
HAND_OF(X)
#undef X

/* ---- for hand_*.c */
#ifndef HAND
#define HAND gcc
#endif
#define HAND_PASTE(name, who) name##_hand_##who
#define HAND_NAME(name, who) HAND_PASTE(name, who)
#define SUITE(name) void HAND_NAME(name, HAND)(const bench_case *c, double *out)
#ifdef __GNUC__
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif
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
