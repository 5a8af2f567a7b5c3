/* adc: claims in the forms of SUNDIALS: f's values in a vector, dense matrices, scratch. */
#include <nvector/nvector_serial.h>
#include <sunmatrix/sunmatrix_band.h>
#include <sunmatrix/sunmatrix_dense.h>

int rates(N_Vector x, N_Vector dx);
void by_values(N_Vector x, N_Vector dx, double *jacobian);
void by_values_wrong(N_Vector x, N_Vector dx, double *jacobian);
int dense(N_Vector x, N_Vector f, SUNMatrix j, void *user, N_Vector tmp1, N_Vector tmp2);
int dense_wrong(N_Vector x, N_Vector f, SUNMatrix j, void *user, N_Vector tmp1, N_Vector tmp2);
int banded(N_Vector x, N_Vector f, SUNMatrix j);

int rates(N_Vector x, N_Vector dx)
{
    NV_Ith_S(dx, 0) = NV_Ith_S(x, 0)*NV_Ith_S(x, 1);
    NV_Ith_S(dx, 1) = 1/NV_Ith_S(x, 1);
    return 0;
}
void by_values(N_Vector x, N_Vector dx, double *jacobian)
{
    jacobian[0] = NV_Ith_S(dx, 0)/NV_Ith_S(x, 0);
    jacobian[1] = NV_Ith_S(x, 0);
    jacobian[2] = 0;
    jacobian[3] = -NV_Ith_S(dx, 1)*NV_Ith_S(dx, 1);
}
void by_values_wrong(N_Vector x, N_Vector dx, double *jacobian)
{
    by_values(x, dx, jacobian);
    jacobian[3] = -jacobian[3];
}
/* What is not written is 0, as CVODE has set it; values are before the matrix, memory after it. */
int dense(N_Vector x, N_Vector f, SUNMatrix j, void *user, N_Vector tmp1, N_Vector tmp2)
{
    realtype *const space = N_VGetArrayPointer(tmp1), *const column = SUNDenseMatrix_Column(j, 1);
    (void)user; (void)tmp2;
    SM_ELEMENT_D(j, 0, 0) = 7;
    SUNMatZero(j);
    space[0] = NV_Ith_S(x, 0);
    space[1] = NV_Ith_S(f, 1);
    SM_ELEMENT_D(j, 0, 0) = NV_Ith_S(x, 1);
    column[0] = space[0];
    column[1] = -space[1]*space[1];
    return 0;
}
int dense_wrong(N_Vector x, N_Vector f, SUNMatrix j, void *user, N_Vector tmp1, N_Vector tmp2)
{
    dense(x, f, j, user, tmp1, tmp2);
    SM_ELEMENT_D(j, 0, 1) = 0;
    return 0;
}
int banded(N_Vector x, N_Vector f, SUNMatrix j)
{
    (void)f;
    SM_ELEMENT_B(j, 0, 0) = NV_Ith_S(x, 1);
    return 0;
}
