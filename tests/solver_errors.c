/* What the headers in examples/solvers do where a function fails, is no number, or goes another
   way: the solver is told, and later points are as good as before. WITH_KINSOL, WITH_GSL,
   WITH_NLOPT, WITH_CMINPACK, WITH_LBFGS, WITH_IPOPT: those that are there. */
#include "../autodiff.h"
#include <math.h>
#ifdef WITH_KINSOL
#include "../examples/solvers/ad_sundials.h"
#include <kinsol/kinsol.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_klu.h>
#endif
#ifdef WITH_GSL
#include "../examples/solvers/ad_gsl.h"
#endif
#ifdef WITH_NLOPT
#include "../examples/solvers/ad_nlopt.h"
#endif
#ifdef WITH_CMINPACK
#include "../examples/solvers/ad_cminpack.h"
#endif
#ifdef WITH_LBFGS
#include "../examples/solvers/ad_lbfgs.h"
#endif
#ifdef WITH_IPOPT
#include "../examples/solvers/ad_ipopt.h"
#endif

static int passed, failed;
static void check(int good, int line, const char *text)
{
    if (good) passed++;
    else failed++, printf("tests/solver_errors.c:%d: FAILED: %s\n", line, text);
}
#define CHECK(condition) check((condition) != 0, __LINE__, #condition)
#define CHECK_NEAR(a, b, tolerance) CHECK(fabs((a) - (b)) <= (tolerance) * fabs((double)(b)))

#ifdef WITH_KINSOL
/* A tridiagonal system, or where u[0] is beyond *bound one with an arrow. The root is 1. */
enum { N = 12 };
static void bent(ad_tape *t, const ad_var *u, size_t n, ad_var *y, size_t m, void *bound)
{
    const int far_out = ad_branch(ad_var_gt_r(u[0], *(const double *)bound));
    size_t i;
    (void)t, (void)m;
    for (i = 0; i < n; i++) {
        y[i] = ad_var_sub_r(ad_var_add(u[i], ad_var_powi(u[i], 3)), 2);
        if (i) y[i] = ad_var_add(y[i], ad_var_mul_r(ad_var_sub_r(u[i - 1], 1), 0.1));
        if (far_out) y[i] = ad_var_add(y[i], ad_var_mul_r(ad_var_sub_r(u[0], 1), 0.01));
    }
}
static void again(void *klu, SUNMatrix J)
{
    SUNLinSol_KLUReInit((SUNLinearSolver)klu, J, 0, SUNKLU_REINIT_PARTIAL);
}
static void patterns(double start, double bound, int code, int anew)
{
    SUNContext c;
    N_Vector u, ones;
    SUNMatrix J;
    SUNLinearSolver solver;
    ad_sun *const o = ad_sun_system(bent, &bound, N, NULL, 0);
    void *kin;
    int i, got;
    SUNContext_Create(NULL, &c);
    u = N_VNew_Serial(N, c);
    ones = N_VNew_Serial(N, c);
    N_VConst(start, u);
    N_VConst(1, ones);
    kin = KINCreate(c);
    KINInit(kin, ad_kinsol_f, u);
    KINSetUserData(kin, o);
    KINSetErrFile(kin, NULL);
    J = SUNSparseMatrix(N, N, 2 * N, CSC_MAT, c);
    solver = SUNLinSol_KLU(u, J, c);
    if (anew) o->again = again, o->linear = (void *)solver;
    KINSetLinearSolver(kin, solver, J);
    KINSetJacFn(kin, ad_kinsol_jac);
    KINSetMaxSetupCalls(kin, 1);
    got = KINSol(kin, u, KIN_NONE, ones, ones);
    CHECK(code ? got < 0 : got >= 0);
    for (i = 0; i < N && !code; i++) CHECK_NEAR(NV_Ith_S(u, i), 1, 1e-5);
    CHECK(o->s.recorded == 2);
    KINFree(&kin);
    SUNLinSolFree(solver);
    SUNMatDestroy(J);
    N_VDestroy(u);
    N_VDestroy(ones);
    SUNContext_Free(&c);
    ad_sun_destroy(o);
}
#endif

/* sqrt(p0) by a root, which there is for p0 >= 0 alone, less p1. */
static ad_fn *square_root;
static void root_less(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m, void *user)
{
    (void)user;
    ad_fn_call(square_root, t, 1, x, 1, y);
    if (n > 1) y[0] = ad_var_sub(y[0], x[1]);
    if (m > 1) y[1] = ad_var_mul_r(y[0], 2);
}
/* -2 sqrt(y), no number below 0. */
static void falling(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m, void *user)
{
    (void)t, (void)n, (void)m, (void)user;
    y[0] = ad_var_mul_r(ad_var_sqrt(x[0]), -2);
}
#ifdef WITH_NLOPT
/* (x - 2)^2 - log(x - 1)/10, or its negative: no number beyond 1. */
static void barrier(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m, void *sign)
{
    (void)t, (void)n, (void)m;
    y[0] = ad_var_mul_r(ad_var_log(ad_var_sub_r(x[0], 1)), -0.1);
    y[0] = ad_var_mul_r(ad_var_add(ad_var_square(ad_var_sub_r(x[0], 2)), y[0]), *(double *)sign);
}
#endif
/* Many numbers, of which one has a slope. */
static void few_slopes(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m, void *user)
{
    size_t i;
    (void)t, (void)n, (void)user;
    for (i = 0; i < m; i++) y[i] = i ? ad_const((double)i) : x[0];
}

#ifdef WITH_IPOPT
/* Of each x[i] - 1/8: squares near 0, else straight lines; and of the two a little together. */
static void huber(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m, void *user)
{
    size_t i;
    (void)t, (void)m, (void)user;
    y[0] = ad_var_mul_r(ad_var_add(x[0], x[1]), 1e-12);
    for (i = 0; i < n; i++) {
        const ad_var off = ad_var_sub_r(x[i], 0.125), size = ad_var_abs(off);
        y[0] = ad_var_add(y[0], ad_branch(ad_var_lt_r(size, 1)) ? ad_var_square(off)
            : ad_var_sub_r(ad_var_mul_r(size, 2), 1));
    }
}
#endif

int main(void)
{
    ad_fn *const F = ad_fn_parse("z^2 - p", "z, p", NULL, 0);
    const double start = 1;
    double x[2] = { -1, 0 }, y[2] = { 0, 0 };
    ad_solver s;
    square_root = ad_fn_root(F, 1, &start, NULL, NULL);
    {   /* a point where it cannot be recorded, then one where it can; where it fails later on */
        ad_solver_init(&s, root_less, NULL, 2, 1, 1);
        s.x[1] = 0.5;
        CHECK(!ad_solver_eval(&s, AD_WANT_GRADIENT, ad_solver_at(&s, x)));
        CHECK(s.status == AD_ERR_USER && s.last == AD_ERR_USER);
        x[0] = 4;
        CHECK(ad_solver_eval(&s, AD_WANT_GRADIENT, ad_solver_at(&s, x)) && s.last == AD_OK);
        CHECK(s.y && s.y[0] == 1.5 && s.y[1] == 0.25);
        x[0] = -1;
        CHECK(!ad_solver_eval(&s, AD_WANT_GRADIENT, ad_solver_at(&s, x)));
        x[0] = 9;
        s.x[1] = 1;                                    /* a parameter is read each time */
        CHECK(ad_solver_eval(&s, AD_WANT_GRADIENT, ad_solver_at(&s, x)) && s.y[0] == 2);
        CHECK(s.status == AD_ERR_USER);
        ad_solver_free(&s);
        ad_solver_init(&s, ad_solver_fn, F, 1, 1, 2);  /* F has two inputs and one output */
        CHECK(!ad_solver_eval(&s, AD_WANT_DENSE, x) && s.status == AD_ERR_SHAPE);
        ad_solver_free(&s);
        ad_solver_init(&s, few_slopes, NULL, 1, 1, 1000);      /* less first, then more */
        CHECK(ad_solver_eval(&s, AD_WANT_JACOBIAN, x) && s.outputs[AD_WANT_JACOBIAN] == 1);
        CHECK(ad_solver_eval(&s, AD_WANT_VALUE, x) && s.y[999] == 999);
        CHECK(s.outputs[AD_WANT_VALUE] == 1000 && s.room >= 1000);
        ad_solver_free(&s);
    }
#ifdef WITH_KINSOL
    patterns(1.5, 1.2, 0, 0);                          /* entries go */
    patterns(0.5, 0.8, -1, 0);                         /* and come, which KLU has not analysed */
    patterns(0.5, 0.8, 0, 1);
    {
        ad_sun *const o = ad_sun_system(root_less, NULL, 1, NULL, 0);
        double to;
        o->s.x[0] = -1;
        CHECK(ad_sun_eval(o, AD_WANT_VALUE, 0, &to) == 1);     /* a shorter step may do */
        ad_sun_destroy(o);
        {
            ad_sun *const wrong = ad_sun_system(ad_solver_fn, F, 1, NULL, 0);
            CHECK(ad_sun_eval(wrong, AD_WANT_VALUE, 0, &to) == -1);
            ad_sun_destroy(wrong);
        }
    }
#endif
#ifdef WITH_GSL
    {
        gsl_odeiv2_system ode;
        gsl_odeiv2_driver *d;
        double t = 0;
        ad_solver_init(&s, falling, NULL, 2, 2, 1);
        ode = ad_gsl_ode(&s);
        d = gsl_odeiv2_driver_alloc_y_new(&ode, gsl_odeiv2_step_bsimp, 0.1, 1e-9, 1e-9);
        y[0] = 1;
        CHECK(gsl_odeiv2_driver_apply(d, &t, 0.97, y) == GSL_SUCCESS);
        CHECK_NEAR(y[0], 0.03 * 0.03, 1e-4);           /* (1 - t)^2 */
        gsl_odeiv2_driver_free(d);
        ad_solver_free(&s);
        ad_solver_init(&s, root_less, NULL, 2, 2, 1);
        ode = ad_gsl_ode(&s);
        y[0] = -1;
        CHECK(ode.function(0, y, y + 1, &s) == GSL_EDOM);
        ad_solver_free(&s);
    }
#endif
#ifdef WITH_NLOPT
    {
        const nlopt_algorithm by[] = { NLOPT_LD_LBFGS, NLOPT_LD_SLSQP, NLOPT_LD_MMA,
            NLOPT_LN_COBYLA };
        size_t k;
        for (k = 0; k < sizeof by / sizeof *by; k++) {
            nlopt_opt o = nlopt_create(by[k], 1);
            ad_solver_init(&s, root_less, NULL, 1, 1, 1);
            s.stops = o;
            nlopt_set_min_objective(o, ad_nlopt_f, &s);
            nlopt_set_maxeval(o, 1000);
            x[0] = -1;
            CHECK(nlopt_optimize(o, x, y) == NLOPT_FORCED_STOP);
            CHECK(s.status == AD_ERR_USER && nlopt_get_numevals(o) < 10);
            nlopt_destroy(o);
            ad_solver_free(&s);
        }
        for (k = 0; k < 6; k++) {                      /* no number on the way is no failure */
            const nlopt_algorithm turns_back[] = { NLOPT_LD_MMA, NLOPT_LD_CCSAQ, NLOPT_LN_COBYLA };
            nlopt_opt o = nlopt_create(turns_back[k % 3], 1);
            double sign = k < 3 ? 1 : -1;
            ad_solver_init(&s, barrier, &sign, 1, 1, 1);
            s.stops = o;
            if (k < 3) nlopt_set_min_objective(o, ad_nlopt_f, &s);
            else nlopt_set_max_objective(o, ad_nlopt_f_max, &s);
            nlopt_set_xtol_rel(o, 1e-8);
            nlopt_set_maxeval(o, 1000);
            x[0] = 8;
            CHECK(nlopt_optimize(o, x, y) == NLOPT_XTOL_REACHED && s.status == AD_OK);
            CHECK(fabs(x[0] - (3 + sqrt(1.2)) / 2) < 1e-6);
            nlopt_destroy(o);
            ad_solver_free(&s);
        }
    }
#endif
#ifdef WITH_CMINPACK
    {
        double J[4];
        ad_solver_init(&s, root_less, NULL, 2, 1, 2);  /* one unknown, a parameter behind it */
        s.x[1] = 0.5;
        x[0] = 4;
        CHECK(ad_cminpack_lmder(&s, 2, 1, x, y, J, 2, 1) == 0 && y[0] == 1.5 && y[1] == 3);
        CHECK(ad_cminpack_lmder(&s, 2, 1, x, y, J, 2, 2) == 0 && J[0] == 0.25 && J[1] == 0.5);
        x[0] = -1;
        CHECK(ad_cminpack_lmder(&s, 2, 1, x, y, J, 2, 1) == -1);
        ad_solver_free(&s);
    }
#endif
#ifdef WITH_IPOPT
    {   /* Huber's function: entries go where it is linear; they cannot come */
        double low[2] = { -9, -9 }, high[2] = { 9, 9 }, from[2], value;
        int k;
        for (k = 0; k < 2; k++) {
            ad_ipopt *o;
            from[0] = k ? 3 : 0.5;
            from[1] = k ? 3 : -0.25;
            o = ad_ipopt_create(huber, NULL, 2, from, low, high, 0, NULL, NULL);
            CHECK(o != NULL);
            if (!o) continue;
            AddIpoptIntOption(o->problem, "print_level", 0);
            AddIpoptStrOption(o->problem, "sb", "yes");
            from[0] = k ? 3 : 4;
            CHECK((IpoptSolve(o->problem, from, NULL, &value, NULL, NULL, NULL, o)
                   == Solve_Succeeded) == (k == 0));
            if (k == 0) CHECK(fabs(from[0] - 0.125) < 1e-6 && fabs(from[1] - 0.125) < 1e-6);
            CHECK(o->s.status == (k ? AD_ERR_UNSUPPORTED : AD_OK));
            ad_ipopt_destroy(o);
        }
    }
#endif
#ifdef WITH_LBFGS
    {
        double value;
        ad_solver_init(&s, root_less, NULL, 1, 1, 1);
        x[0] = -1;
        CHECK(lbfgs(1, x, &value, ad_lbfgs_evaluate, ad_lbfgs_progress, &s, NULL) < 0);
        CHECK(s.status == AD_ERR_USER);
        ad_solver_free(&s);
    }
#endif
    ad_fn_destroy(square_root);
    ad_fn_destroy(F);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
