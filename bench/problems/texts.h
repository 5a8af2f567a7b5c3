/* Every problem's text, read with one kind of numbers (numbers.h), which is undefined at the end.

   BENCH_TEXTS(X) lists them: X(name). Such a text is
       void P(name)(const bench_case *c, size_t point, const N *x, N *y)
   with x[inputs] and y[outputs] of a point as the problem's description says (../suite.h). */
#ifndef BENCH_TEXTS
#define BENCH_TEXTS(X)                                                                             \
    X(gmm) X(bundle) X(rosenbrock) X(logistic) X(options) X(network) X(helmholtz)                  \
    X(product) X(cofactors) X(lu) X(logsumexp)                                                     \
    X(lstm) X(tracking_simple) X(tracking_complicated) X(kmeans) X(ode)
#endif
#include "numbers.h"
#include "gmm.h"
#include "bundle.h"
#include "rosenbrock.h"
#include "logistic.h"
#include "options.h"
#include "network.h"
#include "helmholtz.h"
#include "product.h"
#include "cofactors.h"
#include "lu.h"
#include "logsumexp.h"
#include "lstm.h"
#include "tracking.h"
#include "kmeans.h"
#include "ode.h"
#include "numbers_end.h"
