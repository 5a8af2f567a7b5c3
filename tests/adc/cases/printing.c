/* adc: 2 -> 3 in [1, 2] warns 3: what is printed or asserted stays a number */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void printing(const double *x, double *y);

void printing(const double *x, double *y)
{
    char text[80] = "";
    const double s = x[0]*x[1];
    assert(s > 0 && "positive");
    assert(isfinite(x[0]));
    snprintf(text, sizeof text, "%8.3f %d %s %8.3f", s, 7, "and", sin(s) + 1);
    y[0] = s*(double)strlen(text);
    if (s > 100) printf("s = %g, at %p\n", s, (void *)text);
    if (s < 0) {
        fprintf(stderr, "negative: %g %g\n", s, x[1]);
        fputs("and the end\n", stderr);
        exit(1);
    }
    y[1] = text[0] == ' ' ? s : -s;
    sprintf(text, "%.0f", 100*floor(s) + 1000);
    y[2] = (double)text[0] - '0' + x[1]*x[1];
}
