/* Sums of a compiled function's outputs over data that MPI's processes share, such as a loss and
   its gradient: the same bits whatever the number of processes. Copy this file; it needs no other.

   The points are cut into 64 pieces, however many processes there are. A process has neighbouring
   pieces, sums each of them apart, and all add the pieces' sums in the same order. */
#ifndef AD_MPI_H
#define AD_MPI_H
#ifndef AUTODIFF_H
#include "autodiff.h"
#endif
#include <mpi.h>
#include <stdlib.h>

enum { AD_MPI_PIECES = 64 };

/* Where piece i of `points` begins, and where process `rank` of `size` begins. */
static inline size_t ad_mpi_piece(size_t points, size_t i)
{
    return points / AD_MPI_PIECES * i + points % AD_MPI_PIECES * i / AD_MPI_PIECES;
}
static inline int ad_mpi_begin(int rank, int size)
{
    return (int)((long)AD_MPI_PIECES * rank / size);
}

/* Which of the points this process has: *count from *first on. */
static inline void ad_mpi_share(MPI_Comm comm, size_t points, size_t *first, size_t *count)
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    *first = ad_mpi_piece(points, (size_t)ad_mpi_begin(rank, size));
    *count = ad_mpi_piece(points, (size_t)ad_mpi_begin(rank + 1, size)) - *first;
}

/* sums[m]: of f's outputs over all points, in every process. in[n] say where this process finds its
   own points, from number 0 on, or what all share (ad_port_shared). Collective: all processes call
   it, with the same f and points, and all get the same status. */
static inline ad_status ad_mpi_sum(MPI_Comm comm, const ad_fn *f, size_t points, const ad_port *in,
                                   double *sums)
{
    const ad_fn_stats stats = ad_fn_get_stats(f);
    const size_t n = stats.inputs, m = stats.outputs;
    double *const all = (double *)calloc(AD_MPI_PIECES * m + 1, sizeof *all);
    ad_port *const port = (ad_port *)malloc((n + m + 1) * sizeof *port);
    int *const counts = (int *)malloc(2 * AD_MPI_PIECES * sizeof *counts);
    int rank, size, r, piece, bad, worst;
    ad_status status = ad_fn_status(f);
    ad_map_desc desc;
    size_t i;
    memset(&desc, 0, sizeof desc);
    desc.threads = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    if (!all || !port || !counts) status = AD_ERR_MEMORY;
    if (size > AD_MPI_PIECES) status = AD_ERR_LIMIT;
    for (piece = ad_mpi_begin(rank, size); piece < ad_mpi_begin(rank + 1, size); piece++) {
        const size_t own = ad_mpi_piece(points, (size_t)ad_mpi_begin(rank, size));
        const size_t first = ad_mpi_piece(points, (size_t)piece);
        const size_t count = ad_mpi_piece(points, (size_t)piece + 1) - first;
        if (status != AD_OK || count == 0) continue;
        for (i = 0; i < n; i++) {
            port[i] = in[i];
            if (in[i].index) port[i].index = in[i].index + (first - own);
            else port[i].data = in[i].data + in[i].stride * (ptrdiff_t)(first - own);
        }
        for (i = 0; i < m; i++) port[n + i] = ad_port_sum(all + (size_t)piece * m + i);
        status = ad_fn_map(f, count, port, port + n, &desc);
    }
    bad = (int)status;
    MPI_Allreduce(&bad, &worst, 1, MPI_INT, MPI_MAX, comm);
    if (worst == AD_OK) {
        for (r = 0; r < size; r++) {
            counts[AD_MPI_PIECES + r] = ad_mpi_begin(r, size) * (int)m;
            counts[r] = ad_mpi_begin(r + 1, size) * (int)m - counts[AD_MPI_PIECES + r];
        }
        MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, counts, counts + AD_MPI_PIECES,
                       MPI_DOUBLE, comm);
        for (i = 0; i < m; i++) sums[i] = 0;
        for (piece = 0; piece < AD_MPI_PIECES; piece++)
            for (i = 0; i < m; i++) sums[i] += all[(size_t)piece * m + i];
    }
    free(all);
    free(port);
    free(counts);
    return (ad_status)worst;
}
#endif
