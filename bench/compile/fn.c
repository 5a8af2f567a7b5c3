/* What compiled functions cost: a text, its gradient, at one point and at a thousand. */
#define AUTODIFF_STATIC double
#include "autodiff.h"
#include <stdio.h>

enum { N = 1000 };
static double t[N], data[N];

int main(void)
{
    const double x[4] = { 2, 0.5, 1, 3 }, e = exp(-0.5);
    double a = 2, k = 0.5, y[5], loss, by_a, by_k, each[2][N], sum = 0;
    ad_fn *f = ad_fn_parse("(a*exp(-k*t) - d)^2", "a, k, t, d", NULL, 0), *g = ad_fn_gradient(f);
    ad_port in[4], out[5];
    int i, ok;
    for (i = 0; i < N; i++) {
        t[i] = 0.01 * i;
        data[i] = 3 * exp(-0.4 * t[i]);
        sum += 2 * (a * exp(-k * t[i]) - data[i]) * exp(-k * t[i]);
    }
    ok = ad_fn_eval(g, x, y) == AD_OK && fabs(y[1] - 2 * (2 * e - 3) * e) < 1e-12;
    in[0] = ad_port_shared(&a);
    in[1] = ad_port_shared(&k);
    in[2] = ad_port_in(t, 1);
    in[3] = ad_port_in(data, 1);
    out[0] = ad_port_sum(&loss);
    out[1] = ad_port_sum(&by_a);
    out[2] = ad_port_sum(&by_k);
    out[3] = ad_port_out(each[0], 1);
    out[4] = ad_port_out(each[1], 1);
    ok = ad_fn_map(g, N, in, out, NULL) == AD_OK && fabs(by_a - sum) < 1e-9 && ok;
    printf("loss %g, gradient (%g, %g)\n", loss, by_a, by_k);
    ad_fn_destroy(f);
    ad_fn_destroy(g);
    return !ok;
}
