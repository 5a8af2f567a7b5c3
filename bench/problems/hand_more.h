/* More derivatives written by hand (hand_more_a.c), compiled by each compiler as those of hand.h.
   What the problems are stands in the headers beside this one. */
#ifndef BENCH_HAND_MORE_H
#define BENCH_HAND_MORE_H
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include "../suite.h"
#include "lstm.h"
#include "tracking.h"
#include "kmeans.h"
#include "ode.h"

#define KMEANS_LANES 8
static inline size_t kmeans_work(size_t d, size_t k)
{
    return k + KMEANS_LANES * d;
}

/* Rows of LSTM_ROW numbers, so that no loop has a remainder: what a step of a layer keeps, and what
   all steps have in common. */
enum { LSTM_ROW = 16, LSTM_KEPT = 8 };
static inline size_t lstm_work(size_t layers, size_t steps)
{
    return (size_t)LSTM_ROW * (layers * steps * LSTM_KEPT + steps + layers * 20 + 6);
}

#define HAND_MORE(X) X(lstm) X(tracking_simple) X(tracking_complicated) X(kmeans) X(ode)
#define X(name) void name##_hand_gcc(const bench_case *, double *);                                \
                void name##_hand_clang(const bench_case *, double *);
HAND_MORE(X)
#undef X
#endif
