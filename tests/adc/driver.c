/* Functions as they are beside what adc made of them. CASES names a file of lines
       CASE(name, inputs, outputs, lo, hi)
   Each is run at points of the box [lo, hi]: values to the bit, the tape's Jacobian against
   differences, those of the duals against the tape's. With SINGLE all of it is in floats; with
   REFERENCE there is a NAME_reference in place of differences, for programs that branch. */
#define AUTODIFF_CHECK
#include "autodiff.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SINGLE
#define REAL      float
#define AD(name)  adf_##name
#define AS(f, as) f##_f##as
#define NEAR      1e-5
#else
#define REAL      double
#define AD(name)  ad_##name
#define AS(f, as) f##_##as
#ifdef REFERENCE
#define NEAR      1e-9
#else
#define NEAR      1e-12
#endif
#endif
#ifndef POINTS
#define POINTS 3
#endif
enum { MOST = 64, LANES = 8 };

#define CASE(f, n, m, lo, hi)                                                                      \
    void f(const REAL *x, REAL *y);                                                                \
    void AS(f, dual)(const AD(dual) *x, AD(dual) *y);                                              \
    void AS(f, dual8)(const AD(dual8) *x, AD(dual8) *y);                                           \
    void f##_vfun(AD(tape) *t, const AD(var) *x, size_t, AD(var) *y, size_t, void *user);
#include CASES
#undef CASE

static const struct {
    const char *name;
    size_t      n, m;
    double      lo, hi;
    void      (*f)(const REAL *, REAL *);
    void      (*dual)(const AD(dual) *, AD(dual) *);
    void      (*dual8)(const AD(dual8) *, AD(dual8) *);
    AD(vfun)    var;
} cases[] = {
#define CASE(f, n, m, lo, hi)                                                                      \
    { #f, n, m, lo, hi, f, AS(f, dual), AS(f, dual8), f##_vfun },
#include CASES
#undef CASE
};
#ifdef REFERENCE
#define CASE(f, n, m, lo, hi) void f##_reference(const double *x, double *y, double *J);
#include CASES
#undef CASE
static void (*const references[])(const double *, double *, double *) = {
#define CASE(f, n, m, lo, hi) f##_reference,
#include CASES
};
#endif
static size_t now;
static int bad;

static void plain(const REAL *x, size_t n, REAL *y, size_t m, void *user)
{
    (void)n; (void)m; (void)user;
    cases[now].f(x, y);
}
static void taped(const REAL *x, size_t n, REAL *J, size_t m, void *user)
{
    REAL y[MOST];
    (void)user;
    if (AD(jacobian)(NULL, cases[now].var, NULL, x, n, m, y, J) != AD_OK) bad++;
}

/* Outputs under two kinds of numbers: the same bits, or both NaN. */
static void same(const char *as, const REAL *expected, const REAL *y)
{
    size_t i;
    for (i = 0; i < cases[now].m; i++) {
        if (memcmp(&expected[i], &y[i], sizeof *y) == 0) continue;
        if (expected[i] != expected[i] && y[i] != y[i]) continue;
        printf("%s: y[%u] of %s is %.17g, not %.17g\n", cases[now].name, (unsigned)i, as,
               (double)y[i], (double)expected[i]);
        bad++;
    }
}
/* Derivatives, which are summed in another order: rows of a matrix, alike beside its largest. */
static void alike(const char *as, const REAL *expected, const REAL *J)
{
    const size_t n = cases[now].n;
    size_t i, k;
    for (i = 0; i < cases[now].m; i++) {
        double size = 0;
        for (k = 0; k < n; k++) size = fmax(size, fabs((double)expected[i*n + k]));
        for (k = 0; k < n; k++) {
            const double a = (double)J[i*n + k], b = (double)expected[i*n + k];
            if (fabs(a - b) <= NEAR*size || (a != a && b != b) || a == b) continue;
            printf("%s: dy[%u]/dx[%u] of %s is %.17g, not %.17g\n", cases[now].name,
                   (unsigned)i, (unsigned)k, as, a, b);
            bad++;
        }
    }
}

static void run_duals(const REAL *x, const REAL *expected, const REAL *J)
{
    const size_t n = cases[now].n, m = cases[now].m;
    REAL y[MOST], D[MOST*MOST];
    AD(dual) x1[MOST], y1[MOST];
    AD(dual8) x8[MOST], y8[MOST];
    size_t i, k, first;
    for (k = 0; k < n; k++) {
        memset(y1, 0, sizeof y1);
        for (i = 0; i < n; i++) x1[i] = AD(dual_make)(x[i], i == k);
        cases[now].dual(x1, y1);
        for (i = 0; i < m; i++) {
            y[i] = y1[i].v;
            D[i*n + k] = y1[i].d;
        }
        same("dual", expected, y);
    }
    alike("dual", J, D);
    for (first = 0; first < n; first += LANES) {
        memset(y8, 0, sizeof y8);
        for (i = 0; i < n; i++)
            x8[i] = i - first < LANES ? AD(dual8_seed)(x[i], (int)(i - first))
                                      : AD(dual8_num)((double)x[i]);
        cases[now].dual8(x8, y8);
        for (i = 0; i < m; i++) {
            y[i] = y8[i].v;
            for (k = first; k < n && k < first + LANES; k++) D[i*n + k] = y8[i].d[k - first];
        }
        same("dual8", expected, y);
    }
    alike("dual8", J, D);
}

static void run_case(void)
{
    const size_t n = cases[now].n, m = cases[now].m;
    REAL x[MOST], y[MOST], again[MOST], J[MOST*MOST];
    size_t p, i;
    ad_check_result r;
    ad_check_options options;
    if (n > MOST || m > MOST) exit(2);
    for (p = 0; p < POINTS; p++) {
        for (i = 0; i < n; i++)
            x[i] = (REAL)(cases[now].lo + (cases[now].hi - cases[now].lo)
                          * fmod(0.6180339887498949*(double)(5*p + i + 1), 1.0));
        memset(y, 0, sizeof y);
        memset(again, 0, sizeof again);
        cases[now].f(x, y);
        if (AD(jacobian)(NULL, cases[now].var, NULL, x, n, m, again, J) != AD_OK) {
            printf("%s: the tape fails\n", cases[now].name);
            bad++;
            continue;
        }
        same("var", y, again);
        run_duals(x, y, J);
#ifdef REFERENCE
        {
            double expected[MOST*MOST];
            references[now](x, again, expected);
            same("the reference", y, again);
            alike("the tape", expected, J);
            continue;
        }
#endif
        memset(&options, 0, sizeof options);
        options.label = cases[now].name;
        if (ad_check_ok(AD(check_jacobian)(plain, taped, x, n, m, NULL, &options, &r))) continue;
        printf("%s at point %u: %s\n", cases[now].name, (unsigned)p + 1, r.message);
        bad++;
    }
}

int main(void)
{
    const size_t all = sizeof cases/sizeof *cases;
    for (now = 0; now < all; now++) run_case();
    printf("%u functions, %u faults\n", (unsigned)all, (unsigned)bad);
    return bad != 0;
}
