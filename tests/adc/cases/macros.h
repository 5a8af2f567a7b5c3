/* macros for macros.c, beside it */
#ifndef MACROS_H
#define MACROS_H
#define RATE(k, t)      ((k)*exp(-(t)))
#define SQUARE(v)       ((v)*(v))
#define FIRST           x[0]
#define SWAP(T, a, b)   do { T swap_ = (a); (a) = (b); (b) = swap_; } while (0)
#define BLEND(a, b, t)  ((a)*(1 - (t)) \
                         + (b)*(t))
static inline double from_header(double v) { return SQUARE(v) - 1; }
#endif
