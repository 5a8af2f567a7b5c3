/* CVODE: Robertson's chemical reaction to t = 1e11, with a dense matrix, a sparse one (KLU), and
   by J v. The solution at the end is the one of the Test Set for IVP Solvers, problem ROBER. */
#ifndef EXAMPLE_LINKED
#define AUTODIFF_STATIC
#endif
#include "../../autodiff.h"
#include "ad_sundials.h"
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunlinsol/sunlinsol_spgmr.h>

static void robertson(ad_tape *tape, const ad_var *y, size_t n, ad_var *dy, size_t m, void *user)
{
    const ad_var *const p = y + 3;
    const ad_var slow = ad_var_mul(p[0], y[0]);
    const ad_var back = ad_var_mul(p[1], ad_var_mul(y[1], y[2]));
    const ad_var fast = ad_var_mul(p[2], ad_var_square(y[1]));
    (void)tape, (void)n, (void)m, (void)user;
    dy[0] = ad_var_sub(back, slow);
    dy[2] = fast;
    dy[1] = ad_var_neg(ad_var_add(dy[0], fast));
}

static int solve(const char *by)
{
    const double end[3] = { 0.2083340149701255e-7, 0.8333360770334713e-13, 0.9999999791665050 };
    const double p[3] = { 0.04, 1e4, 3e7 };
    double t = 0, worst = 0, *at;
    SUNContext context;
    SUNMatrix J = NULL;
    SUNLinearSolver linear;
    N_Vector y;
    void *mem;
    ad_sun *f = ad_sun_ode(robertson, NULL, 3, p, 3);
    long steps = 0;
    int i, bad;
    SUNContext_Create(NULL, &context);
    y = N_VNew_Serial(3, context);
    at = N_VGetArrayPointer(y);
    at[0] = 1;
    at[1] = at[2] = 0;
    mem = CVodeCreate(CV_BDF, context);
    CVodeInit(mem, ad_cvode_rhs, t, y);
    CVodeSetUserData(mem, f);
    CVodeSStolerances(mem, 1e-8, 1e-20);
    CVodeSetMaxNumSteps(mem, 100000);
    if (*by == 'd') J = SUNDenseMatrix(3, 3, context);
    if (*by == 's') J = SUNSparseMatrix(3, 3, 0, CSC_MAT, context);
    linear = *by == 'd' ? SUNLinSol_Dense(y, J, context) : *by == 's' ? SUNLinSol_KLU(y, J, context)
        : SUNLinSol_SPGMR(y, SUN_PREC_NONE, 0, context);
    CVodeSetLinearSolver(mem, linear, J);
    if (J) CVodeSetJacFn(mem, ad_cvode_jac);
    else CVodeSetJacTimes(mem, NULL, ad_cvode_jtimes);
    bad = CVode(mem, 1e11, y, &t, CV_NORMAL) < 0;
    for (i = 0; i < 3; i++) worst = fmax(worst, fabs(at[i] / end[i] - 1));
    CVodeGetNumSteps(mem, &steps);
    printf("%-6s %ld steps, y = %.10g %.10g %.10g, relative error %.1g\n", by, steps, at[0], at[1],
           at[2], worst);
    CVodeFree(&mem);
    SUNLinSolFree(linear);
    if (J) SUNMatDestroy(J);
    N_VDestroy(y);
    SUNContext_Free(&context);
    ad_sun_destroy(f);
    return bad || !(worst < 1e-5);
}

int main(void)
{
    return solve("dense") | solve("sparse") | solve("Jv");
}
