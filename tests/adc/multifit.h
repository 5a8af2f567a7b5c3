/* What GSL's multifit_nlinear/test_fdf.c says before it includes the problems, each a file. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <gsl/gsl_blas.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_matrix.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <gsl/gsl_test.h>
#include <gsl/gsl_vector.h>

typedef struct {
    const char *name;
    double *x0, *weights, *sigma, *epsrel;
    void (*checksol)(const double x[], const double sumsq, const double epsrel, const char *sname,
                     const char *pname);
    gsl_multifit_nlinear_fdf *fdf;
} test_fdf_problem;
