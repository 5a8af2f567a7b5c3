/* adc: 2 -> 4 in [0.3, 1.4]: macros before all headers, of names that others use; NAME_at */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#define n 3
#define T 300.0
#define user 1
#define op 2
#define was 4
#include <math.h>
#define w 0.5

static const double early_at[n] = { 1, 2, 3 };

void early(const double *x, double *y)
{
    double v[n] = { 0 }, *p = v;
    int i;
    for (i = 0; i < n; i++) v[i] = early_at[i]*x[i % 2];
    *p++ += user*sin(x[0])/T*exp10(w);
    y[0] = v[0]++*op + was;
    y[1] = v[1];
    y[2] = v[2];
    y[3] = *p;
}
#undef n
#undef T
#undef user
#undef op
#undef was
#undef w
