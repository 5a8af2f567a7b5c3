/* adc: 3 -> 1 in [0.5, 2]: what structs of a header define inside, and a struct that only leads to
   numbers */
#include "inner.h"

void inner(const double *x, double *y);

void inner(const double *x, double *y)
{
    struct term t = { x[0], HEAVY };
    struct sum s = { { { x[1], 2 }, { 3, x[2] } }, { 0, 2 } };
    struct list all = { &s, 1 };
    nameless b = { { x[2], 1 }, HOT };
    const struct pair *q = &b.pair;
    const struct part *p;
    for (p = all.head->part + s.over.from; p < s.part + s.over.to; p++) t.c += p->a*p->b;
    y[0] = t.shade == HEAVY ? t.c*t.c : t.c;
    if (b.heat == HOT) y[0] += q->a*q->b;
}
