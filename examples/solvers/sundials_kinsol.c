/* KINSOL: two equations of Ferraris & Tronconi (Floudas et al. 1999, test problem 14.1.4), dense,
   sparse (KLU) and by J v. Their roots are (0.29945, 2.83693) and (0.5, pi). */
#ifndef EXAMPLE_LINKED
#define AUTODIFF_STATIC
#endif
#include "../../autodiff.h"
#include "ad_sundials.h"
#include <kinsol/kinsol.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunlinsol/sunlinsol_spgmr.h>

static void equations(ad_tape *tape, const ad_var *u, size_t n, ad_var *f, size_t m, void *user)
{
    const double pi = 3.14159265358979323846, e = 2.71828182845904523536;
    const ad_var x = u[0], y = u[1], power = ad_var_exp(ad_var_mul_r(x, 2));
    (void)tape, (void)n, (void)m, (void)user;
    f[0] = ad_var_sub(ad_var_sub(ad_var_mul_r(ad_var_sin(ad_var_mul(x, y)), 0.5),
                                 ad_var_mul_r(y, 0.25 / pi)), ad_var_mul_r(x, 0.5));
    f[1] = ad_var_add(ad_var_mul_r(ad_var_sub_r(power, e), 1 - 0.25 / pi),
                      ad_var_sub(ad_var_mul_r(y, e / pi), ad_var_mul_r(x, 2 * e)));
}

static int solve(const char *by, double x, double y, double root_x, double root_y)
{
    SUNContext context;
    SUNMatrix J = NULL;
    SUNLinearSolver linear;
    N_Vector u, scale;
    void *mem;
    ad_sun *f = ad_sun_system(equations, NULL, 2, NULL, 0);
    double *at, error;
    int bad;
    SUNContext_Create(NULL, &context);
    u = N_VNew_Serial(2, context);
    scale = N_VNew_Serial(2, context);
    N_VConst(1, scale);
    at = N_VGetArrayPointer(u);
    at[0] = x;
    at[1] = y;
    mem = KINCreate(context);
    KINInit(mem, ad_kinsol_f, u);
    KINSetUserData(mem, f);
    KINSetFuncNormTol(mem, 1e-13);
    if (*by == 'd') J = SUNDenseMatrix(2, 2, context);
    if (*by == 's') J = SUNSparseMatrix(2, 2, 0, CSC_MAT, context);
    linear = *by == 'd' ? SUNLinSol_Dense(u, J, context) : *by == 's' ? SUNLinSol_KLU(u, J, context)
        : SUNLinSol_SPGMR(u, SUN_PREC_NONE, 0, context);
    KINSetLinearSolver(mem, linear, J);
    if (J) KINSetJacFn(mem, ad_kinsol_jac);
    else KINSetJacTimesVecFn(mem, ad_kinsol_jtimes);
    bad = KINSol(mem, u, KIN_LINESEARCH, scale, scale) < 0;
    error = fmax(fabs(at[0] - root_x), fabs(at[1] - root_y));
    printf("%-6s from (%g, %g): (%.5f, %.5f)\n", by, x, y, at[0], at[1]);
    KINFree(&mem);
    SUNLinSolFree(linear);
    if (J) SUNMatDestroy(J);
    N_VDestroy(u);
    N_VDestroy(scale);
    SUNContext_Free(&context);
    ad_sun_destroy(f);
    return bad || !(error < 5.1e-6);         /* the digits that were printed */
}

int main(void)
{
    const double pi = 3.14159265358979323846;
    const char *const by[3] = { "dense", "sparse", "Jv" };
    int i, bad = 0;
    for (i = 0; i < 3; i++)
        bad |= solve(by[i], 0.28, 2.8, 0.29945, 2.83693) | solve(by[i], 0.55, 3.2, 0.5, pi);
    return bad;
}
