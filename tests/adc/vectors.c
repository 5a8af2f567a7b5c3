/* adc: claims in the forms of SUNDIALS: f's values in a vector, matrices, scratch. */
#include <nvector/nvector_serial.h>
#include <sunmatrix/sunmatrix_band.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#define NNZ 3                      /* names that the matrix has, or adc */
#define rows 2
#define c 0

typedef N_Vector vector;
typedef SUNMatrix matrix;
struct other { SUNMatrix band; };
int helped(const vector x, N_Vector f, matrix j);
int mixed(N_Vector x, N_Vector f, SUNMatrix j, void *user);

int rates(N_Vector x, N_Vector dx);
void by_values(N_Vector x, N_Vector dx, double *jacobian);
void by_values_wrong(N_Vector x, N_Vector dx, double *jacobian);
int dense(N_Vector x, N_Vector f, SUNMatrix j, void *user, N_Vector tmp1, N_Vector tmp2);
int dense_wrong(N_Vector x, N_Vector f, SUNMatrix j, void *user, N_Vector tmp1, N_Vector tmp2);
int banded(N_Vector x, N_Vector f, SUNMatrix j);
int banded_wrong(N_Vector x, N_Vector f, SUNMatrix j);
int sparse(N_Vector u, N_Vector f, SUNMatrix j);
int sparse_wrong(N_Vector u, N_Vector f, SUNMatrix j);
int sparse_outside(N_Vector u, N_Vector f, SUNMatrix j);
int works(realtype tn, N_Vector x, N_Vector f, SUNMatrix j, void *user, N_Vector tmp);
int past_its_end(N_Vector x, N_Vector f, SUNMatrix j);
int scaled(N_Vector x, N_Vector dx, N_Vector by);
int residual(realtype t, N_Vector x, N_Vector xp, N_Vector r);
int of_residual(realtype t, realtype cj, N_Vector x, N_Vector xp, N_Vector r, SUNMatrix j);
int untold(N_Vector x, N_Vector f, SUNMatrix j);
int fails(N_Vector x, N_Vector f, SUNMatrix j);

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
    SUNMatZero(j);
    SM_ELEMENT_B(j, 0, 0) = NV_Ith_S(x, 1);
    SM_ELEMENT_B(j, 0, 1) = NV_Ith_S(x, 0);
    SM_COLUMN_ELEMENT_B(SM_COLUMN_B(j, 1), 1, 1) = -NV_Ith_S(f, 1)*NV_Ith_S(f, 1);
    return 0;
}
int banded_wrong(N_Vector x, N_Vector f, SUNMatrix j)
{
    banded(x, f, j);
    SM_ELEMENT_B(j, 1, 0) = 1;
    return 0;
}
/* By rows, since CSR_MAT is said; x has another name. */
int sparse(N_Vector u, N_Vector f, SUNMatrix j)
{
    sunindextype *const starts = SUNSparseMatrix_IndexPointers(j), i;
    const double values[NNZ] = { NV_Ith_S(u, 1), NV_Ith_S(u, 0), -NV_Ith_S(f, 1)*NV_Ith_S(f, 1) };
    SUNMatZero(j);
    for (i = 0; i < NNZ; i++) {
        SM_INDEXVALS_S(j)[i] = i > 0;
        SM_DATA_S(j)[i] = values[i];
    }
    starts[0] = 0;
    starts[1] = rows;
    starts[2] = NNZ;
    return 0;
}
int sparse_wrong(N_Vector u, N_Vector f, SUNMatrix j)
{
    sparse(u, f, j);
    SM_INDEXVALS_S(j)[NNZ - 1] = 0;
    return 0;
}
int sparse_outside(N_Vector u, N_Vector f, SUNMatrix j)
{
    sparse(u, f, j);
    SM_INDEXVALS_S(j)[0] = 2;
    return 0;
}
/* The library's operations, and a time that f does not have. */
int works(realtype tn, N_Vector x, N_Vector f, SUNMatrix j, void *user, N_Vector tmp)
{
    N_VInv(x, tmp);
    if (N_VGetLength(x) != 2 || N_VDotProd(x, x) <= 0 || tn != 7 || SUNMatScaleAddI(1, j)) return 1;
    SM_ELEMENT_D(j, 0, 0) *= NV_Ith_S(x, 1);
    SM_ELEMENT_D(j, 0, 1) = NV_Ith_S(x, 0);
    SM_ELEMENT_D(j, 1, 1) *= -NV_Ith_S(tmp, 1)*NV_Ith_S(f, 1);
    (void)user;
    return 0;
}
int past_its_end(N_Vector x, N_Vector f, SUNMatrix j)
{
    SUNDenseMatrix_Data(j)[4] = 5;
    return dense(x, f, j, NULL, f, f);
}
/* By a function, with other names for the types, in memory of its own. */
static void put_entry(matrix a, int i, int k, realtype v) { SM_ELEMENT_D(a, i, k) = v; }
int helped(const vector x, N_Vector f, matrix j)
{
    N_Vector own = N_VClone(x);
    if (!own) return 1;
    N_VInv(x, own);
    put_entry(j, 0, 0, NV_Ith_S(x, 1));
    put_entry(j, 0, 1, NV_Ith_S(x, 0));
    put_entry(j, 1, 1, -NV_Ith_S(own, 1)*NV_Ith_S(f, 1));
    N_VDestroy(own);
    return 0;
}
/* Reads a matrix of another kind, which a type that f does not know leads to. */
int mixed(N_Vector x, N_Vector f, SUNMatrix j, void *user)
{
    const SUNMatrix band = ((const struct other *)user)->band;
    SM_ELEMENT_D(j, 0, 0) = NV_Ith_S(x, 1)*SM_ELEMENT_B(band, 0, 0);
    SM_ELEMENT_D(j, 0, 1) = NV_Ith_S(x, 0);
    SM_ELEMENT_D(j, 1, 1) = -NV_Ith_S(f, 1)*NV_Ith_S(f, 1);
    return 0;
}
/* A vector that is no input: its numbers would be of another type in the translation. */
int scaled(N_Vector x, N_Vector dx, N_Vector by)
{
    NV_Ith_S(dx, 0) = NV_Ith_S(by, 0)*NV_Ith_S(x, 0);
    return 0;
}
/* A residual of IDA, and dr/dx + cj dr/dx'. */
int residual(realtype t, N_Vector x, N_Vector xp, N_Vector r)
{
    NV_Ith_S(r, 0) = NV_Ith_S(xp, 0) + t*NV_Ith_S(x, 0);
    return 0;
}
int of_residual(realtype t, realtype cj, N_Vector x, N_Vector xp, N_Vector r, SUNMatrix j)
{
    (void)x; (void)xp; (void)r;
    SM_ELEMENT_D(j, 0, 0) = t + cj;
    return 0;
}
/* Not told what it is; and one that fails. */
int untold(N_Vector x, N_Vector f, SUNMatrix j)
{
    (void)x; (void)f;
    return SUNMatZero(j);
}
int fails(N_Vector x, N_Vector f, SUNMatrix j)
{
    SM_ELEMENT_B(j, 0, 0) = 0;
    return banded(x, f, j) + 1;
}
