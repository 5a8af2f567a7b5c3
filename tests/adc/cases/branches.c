/* adc: 3 -> 9 in [0.2, 1.8]: switch, goto, early returns, loops, conditions of all kinds */
#include <math.h>

static double early(double a, int n)
{
    int i;
    if (a < 0) return -a;
    for (i = 0; i < n; i++) {
        if (i == 1) continue;
        if (a > 50) return a*i;
        a = a*a + i;
    }
    return a;
}
static double chosen(double a, int which)
{
    switch (which) {
    case 0: return a;
    case 1:
    case 2:
        a *= which;
        /* fall through */
    case 3: {
        const double b = a + 1;
        a = b*b;
        break;
    }
    default:
        a = -a;
    }
    return a;
}
static double root(double a)
{
    double s = a, last;
    int n = 0;
again:
    last = s;
    s = 0.5*(s + a/s);
    if (fabs(s - last) > 1e-14*s && ++n < 100) goto again;
    return s;
}

void branches(const double *x, double *y);

void branches(const double *x, double *y)
{
    double s = 0, t = x[1];
    int i, k;
    y[0] = early(x[0], 5) + early(-x[1], 2);
    for (i = 0, y[1] = 0; i < 5; i++) y[1] += chosen(x[i % 3], i);
    y[2] = root(x[2] + 1);
    do s += t*x[0]; while ((t = t*0.5) > 0.1);
    y[3] = s;
    while (s < 20) {
        s += x[2] + 1;
        if (s > 18) break;
    }
    y[4] = s;
    y[5] = x[0] > 1 ? x[1] > 1 ? x[0]*x[1] : x[0] : x[2] < 0.5 || x[1] >= 1 ? 1 : -x[2];
    y[6] = 0;
    for (i = 0; i < 3; i++)
        for (k = 0; k < 3; k++) {
            if (x[i] == x[k] && i != k) goto out;
            if (!(x[i] < x[k])) continue;
            y[6] += x[i]*x[k];
        }
out:
    y[7] = (x[0] && !s) || (s && x[1] != 0) ? x[1] : 2*x[1];
    switch (x[2] > 1 ? 1 : 0) {
    case 1:  y[8] = x[2]; break;
    default: y[8] = 3*x[2];
    }
}
