/* The derivatives that adc wrote of tests/adc/derive.c, against each other and against differences
   of the functions themselves: a step each way, the error of h^2 removed by half the step. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { N = 5, M = N + 1 };           /* energy: N inputs; flow: N of u, one rate, N outputs */
double energy(const double *x, int n);
void flow(const double *u, double rate, double *du, int n);
float bell(const float *x, float width);
double kinked(const double *x);
void energy_gradient(const double *x, double *y);
void energy_hessian(const double *x, double *y);
void energy_sparse_hessian(const double *x, double *y);
void flow_jacobian(const double *x, double *y);
void flow_sparse_jacobian(const double *x, double *y);
void flow_jvp(const double *x, double *y);
void flow_vjp(const double *x, double *y);
void bell_gradient(const float *x, float *y);
int kinked_gradient(const double *x, double *y);     /* 1: another course */
void logarithm_gradient(const double *x, double *y);
extern const unsigned line_sparse_hessian_row_start[], line_sparse_hessian_column[];
void energy_gradient_batch(size_t n, const double *x, size_t x_stride, double *y, size_t y_stride);
extern const unsigned energy_sparse_hessian_row_start[], energy_sparse_hessian_column[];
extern const unsigned flow_sparse_jacobian_row_start[], flow_sparse_jacobian_column[];

static int bad, checks;
static void is(const char *what, int i, double value, double expected, double within)
{
    checks++;
    if (fabs(value - expected) <= within*(1 + fabs(expected))) return;
    printf("%s, %d: %.17g, not %.17g\n", what, i, value, expected);
    bad = 1;
}

static void all_of_flow(const double *x, double *y) { flow(x, x[N], y, N); }
/* y[k] by x[i], for all k */
static void differences(const double *x, int i, double *d)
{
    double a[N], b[N], c[N], e[N], z[M];
    const double h = 1e-3;
    int k;
    memcpy(z, x, sizeof z);
    z[i] = x[i] + h, all_of_flow(z, a);
    z[i] = x[i] - h, all_of_flow(z, b);
    z[i] = x[i] + h/2, all_of_flow(z, c);
    z[i] = x[i] - h/2, all_of_flow(z, e);
    for (k = 0; k < N; k++) d[k] = (4*(c[k] - e[k])/h - (a[k] - b[k])/(2*h))/3;
}
static double slope(const double *x, int i)
{
    const double h = 1e-3;
    double z[N], d[2];
    int k;
    memcpy(z, x, sizeof z);
    for (k = 0; k < 2; k++) {
        z[i] = x[i] + h/(k + 1), d[k] = energy(z, N);
        z[i] = x[i] - h/(k + 1), d[k] = (d[k] - energy(z, N))/(2*h/(k + 1));
    }
    return (4*d[1] - d[0])/3;
}

static void run_energy(const double *x)
{
    double g[1 + N], h[1 + N + N*N], nonzeros[N*N], z[1 + N], up[1 + N], down[1 + N], wide[2*N];
    double both[2*(1 + N)];
    const unsigned *const start = energy_sparse_hessian_row_start;
    const double step = 1e-4;
    unsigned seen = 0, p;
    int i, k;
    energy_gradient(x, g);
    energy_hessian(x, h);
    is("value", 0, g[0], energy(x, N), 0);
    for (i = 0; i < N; i++) {
        is("gradient", i, g[1 + i], slope(x, i), 1e-9);
        is("gradient of the Hessian's", i, h[1 + i], g[1 + i], 1e-14);
        memcpy(z, x, N*sizeof *z);
        z[i] = x[i] + step, energy_gradient(z, up);
        z[i] = x[i] - step, energy_gradient(z, down);
        for (k = 0; k < N; k++)
            is("Hessian", N*i + k, h[1 + N + N*i + k], (up[1 + k] - down[1 + k])/(2*step), 1e-7);
        for (k = 0; k < 2; k++) wide[2*i + k] = x[i] + k;
    }
    z[N] = 2;                                  /* the weight of the only output */
    memcpy(z, x, N*sizeof *z);
    energy_sparse_hessian(z, nonzeros);
    for (i = 0; i < N; i++)
        for (p = start[i]; p < start[i + 1]; p++) {
            const int c = (int)energy_sparse_hessian_column[p];
            is("nonzeros of the Hessian", (int)p, nonzeros[p], 2*h[1 + N + N*i + c], 1e-14);
            is("their triangle", (int)p, c > i, 0, 0);
            seen++;
        }
    is("nonzeros of the Hessian", -1, seen, 2*N - 1, 0);
    energy_gradient_batch(2, wide, 2, both, 2);
    for (i = 0; i <= N; i++) is("batch", i, both[2*i], g[i], 1e-14);
}

static void run_flow(const double *x)
{
    double J[N + N*M], nonzeros[N*M], y[N], d[N], xv[2*M], jv[2*N], xw[M + N], wj[N + M];
    unsigned p;
    int i, k, seen = 0;
    flow_jacobian(x, J);
    all_of_flow(x, y);
    for (k = 0; k < N; k++) is("value", k, J[k], y[k], 0);
    for (i = 0; i < M; i++) {
        differences(x, i, d);
        for (k = 0; k < N; k++) is("Jacobian", M*k + i, J[N + M*k + i], d[k], 1e-9);
    }
    flow_sparse_jacobian(x, nonzeros);
    for (k = 0; k < N; k++)
        for (p = flow_sparse_jacobian_row_start[k]; p < flow_sparse_jacobian_row_start[k + 1]; p++)
            is("nonzeros", (int)p, nonzeros[p],
               J[N + M*k + (int)flow_sparse_jacobian_column[p]], 1e-14);
    for (i = 0; i < N*M; i++) seen += J[N + i] != 0;
    is("nonzeros", -1, flow_sparse_jacobian_row_start[N], seen, 0);
    memcpy(xv, x, M*sizeof *xv);
    memcpy(xw, x, M*sizeof *xw);
    for (i = 0; i < M; i++) xv[M + i] = 1 - 0.3*i;
    for (k = 0; k < N; k++) xw[M + k] = 0.2*k - 0.5;
    flow_jvp(xv, jv);
    flow_vjp(xw, wj);
    for (k = 0; k < N; k++) {
        double s = 0;
        for (i = 0; i < M; i++) s += J[N + M*k + i]*xv[M + i];
        is("J v", k, jv[N + k], s, 1e-14);
    }
    for (i = 0; i < M; i++) {
        double s = 0;
        for (k = 0; k < N; k++) s += J[N + M*k + i]*xw[M + k];
        is("w J", i, wj[N + i], s, 1e-14);
    }
}

int main(void)
{
    static const double points[3][M] = { { 0.3, 0.6, 0.8, 1.3, 1.4, 2 },
        { -1, 0.5, 0.25, 3, 2, 0.5 }, { 0.1, 0.2, 0.3, 0.4, 0.5, 1 } };
    static const float at[3] = { 0.5f, 1.25f, 2 };
    static const double here[2] = { 2, 1 }, there[2] = { 1, 2 };
    double k[3];
    float g[4];
    int p;
    for (p = 0; p < 3; p++)
        is("nonzeros of a line", p, line_sparse_hessian_row_start[p], 0, 0);
    is("column of none", 0, line_sparse_hessian_column[0], 0, 0);
    logarithm_gradient(here, k);
    is("log", 0, k[0], log(2), 1e-15);
    is("log", 1, k[1], 0.5, 1e-15);
    for (p = 0; p < 3; p++) {
        run_energy(points[p]);
        run_flow(points[p]);
    }
    bell_gradient(at, g);
    is("bell", 0, (double)g[0], (double)bell(at, at[2]), 1e-7);
    is("bell", 1, (double)g[1], (double)(-2*at[0]/at[2]*bell(at, at[2])), 1e-6);
    is("bell", 2, (double)g[2], exp(-0.125)*cos(1.25), 1e-6);
    is("bell", 3, (double)g[3], exp(-0.125)*sin(1.25)*0.0625, 1e-6);
    is("kinked_gradient", -1, kinked_gradient(here, k), 0, 0);
    is("kinked", 0, k[0], kinked(here), 0);
    is("kinked", 1, k[1], 4, 0);
    is("kinked", 2, k[2], -3, 0);
    is("kinked_gradient elsewhere", -1, kinked_gradient(there, k), 1, 0);
    is("NaN elsewhere", 0, k[0] != k[0] && k[1] != k[1] && k[2] != k[2], 1, 0);
    printf("%d numbers, %s\n", checks, bad ? "some of them wrong" : "all of them right");
    return bad;
}
