/* MPI: a decay a exp(-k t) is fitted to a million points that the processes share, by Gauss &
   Newton's steps whose sums have the same bits for any number of processes. The data are exact, so
   the parameters are known. The last line is all bits of the way there, for comparison. */
#ifndef EXAMPLE_LINKED
#define AUTODIFF_STATIC
#endif
#include "../../autodiff.h"
#include "ad_mpi.h"
#include <stdio.h>

int main(int argc, char **argv)
{
    const size_t points = 1000003;
    const double truth[2] = { 3, 0.4 };
    double p[2] = { 2, 0.7 }, s[6] = { 0 }, checksum = 0, *t, *d;
    ad_fn *f = ad_fn_parse("a*exp(-k*t) - d", "a, k | t, d", NULL, 0), *normal = ad_fn_normal(f);
    ad_port in[4];
    size_t first, count, i;
    int rank, step, ok = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    ad_mpi_share(MPI_COMM_WORLD, points, &first, &count);
    t = (double *)malloc((count + 1) * sizeof *t);
    d = (double *)malloc((count + 1) * sizeof *d);
    if (!t || !d) MPI_Abort(MPI_COMM_WORLD, 1);
    for (i = 0; i < count; i++) {
        t[i] = 10.0 * (double)(first + i) / (double)points;
        d[i] = truth[0] * exp(-truth[1] * t[i]);
    }
    for (i = 0; i < 2; i++) in[i] = ad_port_shared(&p[i]);
    in[2] = ad_port_in(t, 1);
    in[3] = ad_port_in(d, 1);
    for (step = 0; step < 12 && ok; step++) {
        ok = ad_mpi_sum(MPI_COMM_WORLD, normal, points, in, s) == AD_OK;
        p[0] -= (s[1] * s[5] - s[2] * s[4]) / (s[3] * s[5] - s[4] * s[4]);    /* J'J x = J'r */
        p[1] -= (s[3] * s[2] - s[4] * s[1]) / (s[3] * s[5] - s[4] * s[4]);
        for (i = 0; i < 6; i++) checksum = 0.7 * checksum + s[i];
    }
    ok = ok && fabs(p[0] - truth[0]) + fabs(p[1] - truth[1]) < 1e-12;
    if (rank == 0)
        printf("a = %.15g, k = %.15g\nbits %a %a %a %a\n", p[0], p[1], p[0], p[1], s[3], checksum);
    free(t);
    free(d);
    ad_fn_destroy(normal);
    ad_fn_destroy(f);
    MPI_Finalize();
    return !ok;
}
