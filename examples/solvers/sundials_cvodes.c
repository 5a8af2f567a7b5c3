/* CVODES: derivatives of the end of a simulation by its parameters and its start, forwards and by
   the adjoint. Logistic growth y' = r y (1 - y/K) and z' = y, whose solution is known: the exact
   derivatives of z(T) are those of a formula, taken by duals. */
#ifndef EXAMPLE_LINKED
#define AUTODIFF_STATIC
#endif
#include "../../autodiff.h"
#include "ad_sundials.h"
#include <cvodes/cvodes.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>

static const double end = 5, p[2] = { 0.7, 3 }, start = 0.2;

static void growth(ad_tape *tape, const ad_var *y, size_t n, ad_var *dy, size_t m, void *user)
{
    const ad_var r = y[2], K = y[3];
    (void)tape, (void)n, (void)m, (void)user;
    dy[0] = ad_var_mul(ad_var_mul(r, y[0]), ad_var_sub_from_r(1, ad_var_div(y[0], K)));
    dy[1] = y[0];
}

/* z(T) = K/r log(1 + y(0)/K (exp(r T) - 1)); d: by r, K, y(0) */
static ad_dual4 exact(void)
{
    const ad_dual4 r = ad_dual4_seed(p[0], 0), K = ad_dual4_seed(p[1], 1);
    const ad_dual4 grown = ad_dual4_mul(ad_dual4_div(ad_dual4_seed(start, 2), K),
                                        ad_dual4_expm1(ad_dual4_mul_r(r, end)));
    return ad_dual4_mul(ad_dual4_div(K, r), ad_dual4_log1p(grown));
}

static void set(N_Vector v, double a, double b)
{
    N_VGetArrayPointer(v)[0] = a;
    N_VGetArrayPointer(v)[1] = b;
}

int main(void)
{
    const ad_dual4 z = exact();
    double t = 0, worst = 0, forward[2], back[3], by_p[2];
    SUNContext context;
    SUNMatrix J, J_back;
    SUNLinearSolver linear, linear_back;
    N_Vector y, l, q, *s;
    void *mem;
    ad_sun *f = ad_sun_ode(growth, NULL, 2, p, 2);
    int i, which, points, bad = 0;
    SUNContext_Create(NULL, &context);
    y = N_VNew_Serial(2, context);
    l = N_VNew_Serial(2, context);
    q = N_VNew_Serial(2, context);
    s = N_VCloneVectorArray(2, y);
    J = SUNDenseMatrix(2, 2, context);
    J_back = SUNDenseMatrix(2, 2, context);
    set(y, start, 0);
    set(s[0], 0, 0);
    set(s[1], 0, 0);
    mem = CVodeCreate(CV_BDF, context);
    CVodeInit(mem, ad_cvode_rhs, 0, y);
    CVodeSetUserData(mem, f);
    CVodeSStolerances(mem, 1e-10, 1e-12);
    linear = SUNLinSol_Dense(y, J, context);
    CVodeSetLinearSolver(mem, linear, J);
    CVodeSetJacFn(mem, ad_cvode_jac);
    CVodeSensInit1(mem, 2, CV_STAGGERED, ad_cvodes_sens, s);
    CVodeSensEEtolerances(mem);
    CVodeSetSensParams(mem, NULL, (realtype[2]){ 0.7, 3 }, NULL);        /* their sizes */
    CVodeAdjInit(mem, 100, CV_HERMITE);
    bad |= CVodeF(mem, end, y, &t, CV_NORMAL, &points) < 0;
    CVodeGetSens(mem, &t, s);
    for (i = 0; i < 2; i++) forward[i] = N_VGetArrayPointer(s[i])[1];

    set(l, 0, 1);                                                        /* of z(T) */
    set(q, 0, 0);
    CVodeCreateB(mem, CV_BDF, &which);
    CVodeInitB(mem, which, ad_cvodes_rhs_b, end, l);
    CVodeSetUserDataB(mem, which, f);
    CVodeSStolerancesB(mem, which, 1e-10, 1e-12);
    linear_back = SUNLinSol_Dense(l, J_back, context);
    CVodeSetLinearSolverB(mem, which, linear_back, J_back);
    CVodeSetJacFnB(mem, which, ad_cvodes_jac_b);
    CVodeQuadInitB(mem, which, ad_cvodes_quad_b, q);
    bad |= CVodeB(mem, 0, CV_NORMAL) < 0;
    CVodeGetB(mem, which, &t, l);
    CVodeGetQuadB(mem, which, &t, q);
    for (i = 0; i < 2; i++) back[i] = by_p[i] = N_VGetArrayPointer(q)[i];
    back[2] = N_VGetArrayPointer(l)[0];

    for (i = 0; i < 3; i++) {
        worst = fmax(worst, fabs(back[i] - z.d[i]));
        if (i < 2) worst = fmax(worst, fabs(forward[i] - z.d[i]));
    }
    printf("z(%g) = %.8f, by r, K: forwards %.8f %.8f, adjoint %.8f %.8f, by y(0) %.8f\n"
           "exact         %.8f                  %.8f %.8f                            %.8f; "
           "error %.1g\n", end, N_VGetArrayPointer(y)[1], forward[0], forward[1], by_p[0], by_p[1],
           back[2], z.v, z.d[0], z.d[1], z.d[2], worst);
    CVodeFree(&mem);
    SUNLinSolFree(linear);
    SUNLinSolFree(linear_back);
    SUNMatDestroy(J);
    SUNMatDestroy(J_back);
    N_VDestroyVectorArray(s, 2);
    N_VDestroy(y);
    N_VDestroy(l);
    N_VDestroy(q);
    SUNContext_Free(&context);
    ad_sun_destroy(f);
    return bad || !(worst < 1e-5);
}
