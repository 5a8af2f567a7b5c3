/* CVODE with a banded matrix: Fisher's equation u_t = u_xx + u (1 - u) on a line of points, ends
   held to its travelling wave u = (1 + exp((x - c t)/sqrt(6)))^-2, c = 5/sqrt(6) (Ablowitz &
   Zeppetella 1979). How far off the points are must fall fourfold when they are twice as many. */
#ifndef EXAMPLE_LINKED
#define AUTODIFF_STATIC
#endif
#include "../../autodiff.h"
#include "ad_sundials.h"
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_band.h>

static const double left = -10, right = 20;

static double wave(double x, double t)
{
    const double e = 1 + exp((x - 5 / sqrt(6) * t) / sqrt(6));
    return 1 / (e * e);
}
/* The same of a time that is a variable. */
static ad_var held(double x, ad_var t)
{
    const ad_var moved = ad_var_sub_from_r(x, ad_var_mul_r(t, 5 / sqrt(6)));
    return ad_var_powi(ad_var_add_r(ad_var_exp(ad_var_mul_r(moved, 1 / sqrt(6))), 1), -2);
}

static void fisher(ad_tape *tape, const ad_var *u, size_t n, ad_var *du, size_t m, void *user)
{
    const double h = (right - left) / (double)(m + 1);
    const ad_var t = u[n - 1];
    size_t i;
    (void)tape, (void)user;
    for (i = 0; i < m; i++) {
        const ad_var a = i ? u[i - 1] : held(left, t), b = i + 1 < m ? u[i + 1] : held(right, t);
        const ad_var bend = ad_var_sub(ad_var_add(a, b), ad_var_mul_r(u[i], 2));
        du[i] = ad_var_add(ad_var_mul_r(bend, 1 / (h * h)),
                           ad_var_mul(u[i], ad_var_sub_from_r(1, u[i])));
    }
}

static double error(int points)
{
    double t = 0, worst = 0, *at;
    SUNContext context;
    SUNMatrix J;
    SUNLinearSolver linear;
    N_Vector u;
    void *mem;
    ad_sun *f = ad_sun_ode(fisher, NULL, (size_t)points, NULL, 0);
    long steps = 0, jacobians = 0;
    int i;
    SUNContext_Create(NULL, &context);
    u = N_VNew_Serial(points, context);
    at = N_VGetArrayPointer(u);
    for (i = 0; i < points; i++) at[i] = wave(left + (right - left) * (i + 1) / (points + 1), 0);
    mem = CVodeCreate(CV_BDF, context);
    CVodeInit(mem, ad_cvode_rhs, 0, u);
    CVodeSetUserData(mem, f);
    CVodeSStolerances(mem, 1e-9, 1e-9);
    CVodeSetMaxNumSteps(mem, 10000);
    J = SUNBandMatrix(points, 1, 1, context);
    linear = SUNLinSol_Band(u, J, context);
    CVodeSetLinearSolver(mem, linear, J);
    CVodeSetJacFn(mem, ad_cvode_jac);
    if (CVode(mem, 4, u, &t, CV_NORMAL) < 0) worst = HUGE_VAL;
    for (i = 0; i < points; i++)
        worst = fmax(worst, fabs(at[i] - wave(left + (right - left) * (i + 1) / (points + 1), t)));
    CVodeGetNumSteps(mem, &steps);
    CVodeGetNumJacEvals(mem, &jacobians);
    printf("%d points: %ld steps, %ld Jacobians, error %.3g\n", points, steps, jacobians, worst);
    CVodeFree(&mem);
    SUNLinSolFree(linear);
    SUNMatDestroy(J);
    N_VDestroy(u);
    SUNContext_Free(&context);
    ad_sun_destroy(f);
    return worst;
}

int main(void)
{
    const double coarse = error(149), fine = error(299);
    return !(fine < 1e-3 && fabs(coarse / fine - 4) < 0.2);
}
