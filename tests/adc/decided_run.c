/* Each gradient of decided.c gives the function's value at 0.5, and 1 and NaN at 2.25. */
#include <stdio.h>

#define EACH(F) F(drag) F(sided) F(cell) F(place) F(nearest) F(bounded) F(exponent) \
    F(sorted) F(normal) F(ordered) F(apart) F(octave)
#define DECLARE(f) double f(const double *x); int f##_gradient(const double *x, double *y);
EACH(DECLARE)

int main(void)
{
    static const struct {
        const char *name;
        double (*f)(const double *);
        int (*gradient)(const double *, double *);
    } all[] = {
#define ROW(f) { #f, f, f##_gradient },
        EACH(ROW)
    };
    size_t i;
    int bad = 0;
    for (i = 0; i < sizeof all/sizeof *all; i++) {
        double x = 0.5, y[2], right;
        int other = all[i].gradient(&x, y) != 0;
        right = all[i].f(&x);
        other |= y[0] < right || y[0] > right || y[1] != y[1];
        x = 2.25;
        other |= all[i].gradient(&x, y) != 1 || y[0] == y[0] || y[1] == y[1];
        if (other) printf("%s: %g, %g\n", all[i].name, y[0], y[1]);
        bad += other;
    }
    return bad != 0;
}
