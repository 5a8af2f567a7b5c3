/* adc: 2 -> 3 in [0.5, 2]: directives in comments, texts, heads, files in functions

   # A line that is none, after an empty one. */
#define FACTOR 3
/* as it was:
#undef FACTOR
#define FACTOR 2
*/
#define FILES "data/*"
#include "directives.h"
int files(void);
int files(void) { return FILES[0]; }
#ifdef OLD_HEADS
int twice(n) int n;
#else
int twice(int n);
int twice(int n)
#endif
{
    return 2*n;
}

static double apply(int o, double a, double b)
{
    switch (o) {
#define OP(n, e) case n: return e;
#include "directives_ops.h"
#undef OP
    }
    return 0;
}

void directives(const double *x, double *y);

void directives(const double *x, double *y)
{
    y[0] = FACTOR*x[0];
    y[1] = apply(0, x[0], x[1]) + apply(1, x[0], x[1]);
    y[2] = outer(x[0]);
}
