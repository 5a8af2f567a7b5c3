/* A nonlinear heat equation on a square, implicit in time: Newton's method with a sparse Jacobian
   and SuiteSparse's KLU (-DWITH_KLU -lklu; Debian: libsuitesparse-dev).
       u_t = div((1 + u^2) grad u), u = 0 at the border, at first a hot square within
   The residual is recorded once; the Jacobian's nonzeros are a compiled function. */
#define AUTODIFF_STATIC double
#include "../autodiff.h"
#include <stdio.h>

#ifndef WITH_KLU
int main(void) { return puts("SKIP heat: compiled without SuiteSparse's KLU") < 0; }
#else
#include <suitesparse/klu.h>

enum { K = 60, N = K * K, STEPS = 20 };

/* The flux from (i, j) to a neighbour, by the mean conductivity. */
static ad_var flux(const ad_var *u, int i, int j, ad_var to)
{
    const ad_var from = i < 0 || j < 0 || i >= K || j >= K ? ad_const(0) : u[i * K + j];
    const ad_var mean = ad_var_mul_r(ad_var_add(ad_var_square(from), ad_var_square(to)), 0.5);
    return ad_var_mul(ad_var_add_r(mean, 1), ad_var_sub(from, to));
}

int main(void)
{
    static double u[2 * N], r[N], value[5 * N];          /* the state, then the one before it */
    static unsigned char parameter[2 * N];
    static ad_var x[2 * N], y[N];
    static int start[N + 1], column[5 * N];
    ad_tape *t = ad_tape_create(NULL);
    ad_fn_desc desc = { 0 };
    ad_pattern p;
    ad_fn *f, *J;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    double norm = 0;
    int k, step, newton, most = 0;
    for (k = 0; k < 2 * N; k++) {
        x[k] = ad_input(t, 0.5);
        parameter[k] = k >= N;                           /* no derivative by the state before */
    }
    for (k = 0; k < N; k++) {
        const ad_var c = x[k];
        const int i = k / K, j = k % K;
        ad_var in = ad_var_add(flux(x, i - 1, j, c), flux(x, i + 1, j, c));
        in = ad_var_add(in, ad_var_add(flux(x, i, j - 1, c), flux(x, i, j + 1, c)));
        y[k] = ad_var_sub(ad_var_sub(c, x[N + k]), ad_var_mul_r(in, 1e-3 * (K + 1) * (K + 1)));
    }
    desc.parameters = parameter;
    f = ad_fn_create(t, 2 * N, x, N, y, &desc);
    J = ad_fn_sparse_jacobian(f, &p);
    if (ad_fn_status(J) != AD_OK) return puts(ad_fn_message(J)), 1;
    for (k = 0; k <= N; k++) start[k] = (int)p.row_start[k];         /* KLU has int, */
    for (k = 0; k < start[N]; k++) column[k] = (int)p.column[k];     /* and columns for rows */
    klu_defaults(&common);
    symbolic = klu_analyze(N, start, column, &common);
    for (k = 0; k < N; k++) u[k] = k / K / (K / 4) == 1 && k % K / (K / 4) == 1 ? 2 : 0;
    for (step = 0; step < STEPS; step++) {
        memcpy(u + N, u, N * sizeof *u);
        for (newton = 1, norm = 1; norm > 1e-12 && newton < 20; newton++) {
            ad_fn_eval(f, u, r);
            ad_fn_eval(J, u, value);
            numeric = klu_factor(start, column, value, symbolic, &common);
            if (!numeric || !klu_tsolve(symbolic, numeric, N, 1, r, &common)) return 1;
            klu_free_numeric(&numeric, &common);
            for (norm = 0, k = 0; k < N; k++) {
                u[k] -= r[k];
                norm = fmax(norm, fabs(r[k]));
            }
        }
        if (newton > most) most = newton;
    }
    printf("%d unknowns, %zu nonzeros, %d time steps of at most %d Newton steps: middle %.6f\n", N,
           ad_fn_get_stats(J).outputs, STEPS, most - 1, u[N / 2 + K / 2]);
    klu_free_symbolic(&symbolic, &common);
    ad_pattern_free(&p);
    ad_fn_destroy(J);
    ad_fn_destroy(f);
    ad_tape_destroy(t);
    return !(norm <= 1e-12);
}
#endif
