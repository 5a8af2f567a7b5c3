/* Fashion-MNIST (Xiao, Rasul & Vollgraf 2017): 60,000 images of clothes to learn from and 10,000 to
   test with, 28 x 28 grey pixels each, of ten kinds. Include it after autodiff.h. */
#ifndef FASHION_DATA_H
#define FASHION_DATA_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FASHION_PIXELS = 28 * 28, FASHION_KINDS = 10, FASHION_BATCH = 64 };

typedef struct fashion_set {
    size_t n;
    unsigned char *pixel, *label;
} fashion_set;

/* A piece of a set: the network's input, of shape dim, and of shape kinds what it is to give: 1 for
   the kind of an image, 0 for the others. */
typedef struct fashion_batch {
    int32_t  dim[2], kinds[2];
    float    pixel[FASHION_BATCH * FASHION_PIXELS], target[FASHION_BATCH * FASHION_KINDS];
    uint32_t label[FASHION_BATCH];
} fashion_batch;

/* `size` bytes from `skip` on of a file, unpacked by gzip; NULL if they are not all there. The
   first four bytes must be `magic`: unsigned bytes, and how many dimensions they have. */
static unsigned char *fashion_file(const char *directory, const char *name, unsigned magic,
                                   size_t skip, size_t size)
{
    unsigned char head[16], *data = (unsigned char *)malloc(size);
    char command[1200];
    FILE *pipe;
    if (strchr(directory, '\'')) return free(data), (unsigned char *)NULL;
    snprintf(command, sizeof command, "gzip -dc '%.1000s/%s-ubyte.gz' 2>/dev/null", directory,
             name);
    pipe = popen(command, "r");
    if (!pipe || !data || fread(head, 1, skip, pipe) != skip || head[2] != 8 || head[3] != magic
        || fread(data, 1, size, pipe) != size) {
        free(data);
        data = NULL;
    }
    if (pipe) pclose(pipe);
    return data;
}

static int fashion_read(const char *directory, const char *which, size_t n, fashion_set *set)
{
    char name[40];
    set->n = n;
    snprintf(name, sizeof name, "%s-images-idx3", which);
    set->pixel = fashion_file(directory, name, 3, 16, n * FASHION_PIXELS);
    snprintf(name, sizeof name, "%s-labels-idx1", which);
    set->label = fashion_file(directory, name, 1, 8, n);
    return set->pixel && set->label;
}

/* Pixels with mean 0 and deviation 1; where mirror is not NULL, images mirrored where it says. */
static void fashion_fill(fashion_batch *b, const fashion_set *set, const uint32_t *index, size_t n,
                         const float *mirror)
{
    size_t i, k;
    b->dim[0] = b->kinds[0] = (int32_t)n;
    b->dim[1] = FASHION_PIXELS;
    b->kinds[1] = FASHION_KINDS;
    memset(b->target, 0, sizeof b->target);
    for (i = 0; i < n; i++) {
        const unsigned char *const from = set->pixel + (size_t)index[i] * FASHION_PIXELS;
        const size_t flip = mirror && mirror[i] < 0.5f ? 27 : 0;
        for (k = 0; k < FASHION_PIXELS; k++)
            b->pixel[i * FASHION_PIXELS + k]
                = ((float)from[flip ? k / 28 * 28 + flip - k % 28 : k] - 72.9f) / 90.0f;
        b->label[i] = set->label[index[i]];
        b->target[i * FASHION_KINDS + b->label[i]] = 1;
    }
}

#endif
