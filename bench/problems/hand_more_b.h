/* The derivatives of hand_more_b.c, as each compiler makes them. */
#ifndef BENCH_HAND_MORE_B_H
#define BENCH_HAND_MORE_B_H
#include "../suite.h"
#include "lu.h"

#ifdef __cplusplus
extern "C" {
#endif
#define HAND_OF_B(X) X(product) X(cofactors) X(lu) X(logsumexp)
#define X(name) void name##_hand_gcc(const bench_case *, double *);                                \
                void name##_hand_clang(const bench_case *, double *);
HAND_OF_B(X)
#undef X
#ifdef __cplusplus
}
#endif
#endif
