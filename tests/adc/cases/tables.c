/* adc: 2 -> 5 in [0.1, 3.8] warns 3: tables of static memory, which stay numbers */
#include <math.h>

enum { KNOTS = 5 };
static const double knots[KNOTS] = { 0, 1, 2, 3, 4 };
static const double heights[2][KNOTS] = {
    { 0, 1, 4, 9, 16 },
    { 1, 0.5, 0.25, 0.125, 0.0625 },    /* halves */
};
static const int order[] = { 2, 0, 1 };
static double scale = 3;

static double line(const double *h, double t)
{
    int i = (int)floor(t);
    if (i > KNOTS - 2) i = KNOTS - 2;
    return h[i] + (t - knots[i])*(h[i + 1] - h[i]);
}
static double horner(double t)
{
    static const double c[] = { 1, -0.5, 1.0/6, -1.0/24 };
    double s = 0;
    int i;
    for (i = (int)(sizeof c/sizeof *c) - 1; i >= 0; i--) s = s*t + c[i];
    return s;
}

void tables(const double *x, double *y);

void tables(const double *x, double *y)
{
    double v[3];
    y[0] = line(heights[0], x[0])*line(heights[1], x[1]);
    y[1] = horner(x[0]);
    v[order[0]] = x[0];
    v[order[1]] = x[1];
    v[order[2]] = 1;
    y[2] = v[0]*v[1] - v[2]*scale;
    y[3] = heights[(int)x[0]/3][(int)x[1]]*x[0];
    scale = 3;
    y[4] = heights[1][3]*x[1] + order[0] + scale;
}
