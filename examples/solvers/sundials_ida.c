/* IDA: Robertson's reaction as a differential-algebraic system, the sum of all substances being 1,
   dense and sparse (KLU) to t = 1e11, whose end is that of the Test Set for IVP Solvers; and by J v
   to t = 40, whose end is in Hindmarsh's LSODE. */
#ifndef EXAMPLE_LINKED
#define AUTODIFF_STATIC
#endif
#include "../../autodiff.h"
#include "ad_sundials.h"
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunlinsol/sunlinsol_spgmr.h>

static void robertson(ad_tape *tape, const ad_var *y, size_t n, ad_var *r, size_t m, void *user)
{
    const ad_var *const yp = y + 3;
    const ad_var gain = ad_var_sub(ad_var_mul_r(ad_var_mul(y[1], y[2]), 1e4),
                                   ad_var_mul_r(y[0], 0.04));
    (void)tape, (void)n, (void)m, (void)user;
    r[0] = ad_var_sub(gain, yp[0]);
    r[1] = ad_var_sub(ad_var_sub(ad_var_neg(gain), ad_var_mul_r(ad_var_square(y[1]), 3e7)), yp[1]);
    r[2] = ad_var_sub_r(ad_var_add(ad_var_add(y[0], y[1]), y[2]), 1);
}

static int solve(const char *by)
{
    const double last[3] = { 0.2083340149701255e-7, 0.8333360770334713e-13, 0.9999999791665050 };
    const double forty[3] = { 7.158270688e-1, 9.185534765e-6, 2.841637457e-1 };
    const double *const end = *by == 'J' ? forty : last;
    const double small[3] = { 1e-14, 1e-19, 1e-10 };
    double t = 0, worst = 0, *at, *slope;
    SUNContext context;
    SUNMatrix J = NULL;
    SUNLinearSolver linear;
    N_Vector y, yp, tolerance;
    void *mem;
    ad_sun *f = ad_sun_dae(robertson, NULL, 3, NULL, 0);
    long steps = 0;
    int i, bad;
    SUNContext_Create(NULL, &context);
    y = N_VNew_Serial(3, context);
    yp = N_VNew_Serial(3, context);
    tolerance = N_VNew_Serial(3, context);
    for (i = 0; i < 3; i++) N_VGetArrayPointer(tolerance)[i] = small[i];
    at = N_VGetArrayPointer(y);
    slope = N_VGetArrayPointer(yp);
    for (i = 0; i < 3; i++) at[i] = i == 0, slope[i] = i == 0 ? -0.04 : i == 1 ? 0.04 : 0;
    mem = IDACreate(context);
    IDAInit(mem, ad_ida_res, t, y, yp);
    IDASetUserData(mem, f);
    IDASVtolerances(mem, 1e-8, tolerance);
    IDASetMaxNumSteps(mem, 100000);
    if (*by == 'd') J = SUNDenseMatrix(3, 3, context);
    if (*by == 's') J = SUNSparseMatrix(3, 3, 0, CSR_MAT, context);
    linear = *by == 'd' ? SUNLinSol_Dense(y, J, context) : *by == 's' ? SUNLinSol_KLU(y, J, context)
        : SUNLinSol_SPGMR(y, SUN_PREC_NONE, 0, context);
    IDASetLinearSolver(mem, linear, J);
    if (J) IDASetJacFn(mem, ad_ida_jac);
    else IDASetJacTimes(mem, NULL, ad_ida_jtimes);
    bad = IDASolve(mem, *by == 'J' ? 40 : 1e11, &t, y, yp, IDA_NORMAL) < 0;
    for (i = 0; i < 3; i++) worst = fmax(worst, fabs(at[i] / end[i] - 1));
    IDAGetNumSteps(mem, &steps);
    printf("%-6s %ld steps, y = %.10g %.10g %.10g, relative error %.1g\n", by, steps, at[0], at[1],
           at[2], worst);
    IDAFree(&mem);
    SUNLinSolFree(linear);
    if (J) SUNMatDestroy(J);
    N_VDestroy(y);
    N_VDestroy(yp);
    N_VDestroy(tolerance);
    SUNContext_Free(&context);
    ad_sun_destroy(f);
    return bad || !(worst < 1e-5);
}

int main(void)
{
    return solve("dense") | solve("sparse") | solve("Jv");
}
