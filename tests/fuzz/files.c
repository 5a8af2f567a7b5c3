/* Fuzz target: a file that ad_npy_load reads. What could be read is written, and read again.
   Section: Learning: Steps and Files. */
#include "../../autodiff.h"
#include "fuzz.h"
#include <unistd.h>

enum { AXES = 6, ROOM = 500 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char path[60];
    int32_t dim[AXES], again[AXES], shape[AXES];
    int rank = AXES, rank_again = AXES, rank_shape = AXES, few = 1, i;
    double *const x = (double *)malloc(ROOM * sizeof *x), *const y = (double *)malloc(ROOM
        * sizeof *y);
    float z[ROOM];
    size_t n = 1;
    ad_status s;
    FILE *file;
    if (!path[0]) snprintf(path, sizeof path, "fuzz_%ld.npy", (long)getpid());
    file = fopen(path, "wb");
    if (file && x && y && (fwrite(data, 1, size, file) == size) && fclose(file) == 0) {
        s = ad_npy_load(path, &rank_shape, shape, 0, NULL);
        REQUIRE(s == AD_OK || s == AD_ERR_UNSUPPORTED || s == AD_ERR_SHAPE);
        ad_npy_load(path, &few, again, 0, NULL);
        s = ad_npy_load(path, &rank, dim, ROOM, x);
        for (i = 0; s == AD_OK && i < rank; i++) n *= (size_t)dim[i];
        if (s == AD_OK) {
            REQUIRE(n <= ROOM && rank == rank_shape
                    && memcmp(dim, shape, (size_t)rank * sizeof *dim) == 0);
            REQUIRE(ad_npy_save(path, rank, dim, x) == AD_OK);
            REQUIRE(ad_npy_load(path, &rank_again, again, ROOM, y) == AD_OK);
            REQUIRE(rank == rank_again && memcmp(dim, again, (size_t)rank * sizeof *dim) == 0);
            for (i = 0; i < (int)n; i++) REQUIRE(fuzz_same(x[i], y[i]));
            REQUIRE(adf_npy_load(path, &rank_again, again, ROOM, z) == AD_OK);
            for (i = 0; i < (int)n; i++) REQUIRE(fuzz_same((double)(float)x[i], (double)z[i]));
        }
    }
    remove(path);
    free(x);
    free(y);
    return 0;
}
