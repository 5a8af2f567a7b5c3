/* adc: claims in the forms of GSL, whose gradients are vectors and whose Jacobians are matrices. */
#include <gsl/gsl_matrix.h>
#include <gsl/gsl_vector.h>

double energy(const gsl_vector *v, void *user);
void slopes(const gsl_vector *v, void *user, gsl_vector *df);
void slopes_wrong(const gsl_vector *v, void *user, gsl_vector *df);
void slopes_short(const gsl_vector *v, void *user, gsl_vector *df);
int residuals(const gsl_vector *v, void *user, gsl_vector *r);
int of_residuals(const gsl_vector *v, void *user, gsl_matrix *j);
int of_residuals_wrong(const gsl_vector *v, void *user, gsl_matrix *j);

double energy(const gsl_vector *v, void *user)
{
    (void)user;
    return gsl_vector_get(v, 0)*gsl_vector_get(v, 1);
}
void slopes(const gsl_vector *v, void *user, gsl_vector *df)
{
    (void)user;
    gsl_vector_set(df, 0, gsl_vector_get(v, 1));
    gsl_vector_set(df, 1, gsl_vector_get(v, 0));
}
void slopes_wrong(const gsl_vector *v, void *user, gsl_vector *df)
{
    slopes(v, user, df);
    gsl_vector_set(df, 1, 2*gsl_vector_get(df, 1));
}
void slopes_short(const gsl_vector *v, void *user, gsl_vector *df)
{
    (void)user;
    gsl_vector_set(df, 0, gsl_vector_get(v, 1));
}
int residuals(const gsl_vector *v, void *user, gsl_vector *r)
{
    const double a = gsl_vector_get(v, 0), b = gsl_vector_get(v, 1);
    (void)user;
    gsl_vector_set(r, 0, 1 - a);
    gsl_vector_set(r, 1, 10*(b - a*a));
    gsl_vector_set(r, 2, a*b);
    return 0;
}
int of_residuals(const gsl_vector *v, void *user, gsl_matrix *j)
{
    const double a = gsl_vector_get(v, 0), b = gsl_vector_get(v, 1);
    (void)user;
    gsl_matrix_set(j, 0, 0, -1);
    gsl_matrix_set(j, 0, 1, 0);
    gsl_matrix_set(j, 1, 0, -20*a);
    gsl_matrix_set(j, 1, 1, 10);
    gsl_matrix_set(j, 2, 0, b);
    gsl_matrix_set(j, 2, 1, a);
    return 0;
}
int of_residuals_wrong(const gsl_vector *v, void *user, gsl_matrix *j)
{
    of_residuals(v, user, j);
    gsl_matrix_set(j, 2, 0, 3*gsl_vector_get(v, 1) + 0.1);
    return 0;
}
