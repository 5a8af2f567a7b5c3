/* adc: 3 -> 8 in [0.2, 1.4] C++: macros, some over lines, some from a header beside the file */
#include "macros.h"
#include <math.h>

#define TERMS(T) T(0) T(1) T(2)
#define NAME(a, b) a##b
#define OF(i) x[(i)]
#define K 2.5
#define STORE(i, v)          \
    do {                     \
        y[i] = (v);          \
        y[i] += K;           \
    } while (0)
#if defined(NEVER)
#error never
#else
#define LAST y[7]
#endif

void macros(const double *x, double *y);

void macros(const double *x, double *y)
{
    double NAME(lo, w) = FIRST*K, high = OF(1);
    y[0] = RATE(FIRST, OF(1))*SQUARE(x[2]);
    STORE(1, SQUARE(low)*high);
    SWAP(double, low, high);
    y[2] = low - 2*high;
#define ADD(i) y[3] += SQUARE(x[i])*(i + 1);
    y[3] = 0;
    TERMS(ADD)
#undef ADD
    y[4] = BLEND(x[0], K, x[1]) + from_header(x[2]);
    y[5] = fmax(SQUARE(x[0]), BLEND(1, 2, 0.25)) + M_PI*FIRST;
    y[6] = BLEND(x[1],
                 SQUARE(OF(2)),
                 0.75);
    LAST = K*K;
#ifdef NEVER
    LAST = never;
#endif
    LAST *= FIRST;
}
