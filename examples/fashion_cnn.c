/* Two convolutions and two layers learn to tell ten kinds of clothes apart: at least 90.5 % of the
   test images of Fashion-MNIST, in a minute on one core. The training step, loss and gradient, is
   compiled once and run for every batch; the first epoch compares it with the tape. Exit code 1 if
   the goal is not reached or the two differ.

       cc -O2 examples/fashion_cnn.c -o fashion_cnn -lm && ./fashion_cnn [DATA [OUTPUT [tape]]]

   DATA is the directory of the data; without it, where Debian's dataset-fashion-mnist has them. In
   OUTPUT (.) are left fashion_cnn.svg, the loss while learning, and fashion_cnn_*.npy. With "tape"
   nothing is compiled. */
#ifdef ARRAY            /* the network, which learn.h includes twice: for floats and for doubles */

/* A convolution that keeps the size, what is positive of it, and the greatest of each four. */
static ARRAY NET(block)(ARRAY x, ARRAY kernel, ARRAY bias)
{
    ad_conv_desc conv;
    ad_pool_desc pool;
    memset(&conv, 0, sizeof conv);
    memset(&pool, 0, sizeof pool);
    conv.pad[0] = conv.pad[1] = 1;
    pool.size[0] = pool.size[1] = 2;
    return OP(max_pool)(OP(relu)(OP(add)(OP(conv2d)(x, kernel, &conv), bias)), &pool);
}

static ARRAY NET(logits)(const ARRAY *w, ARRAY pixels)
{
    static const int32_t image[4] = { -1, 1, 28, 28 };
    ARRAY h = OP(reshape)(pixels, 4, image);
    int32_t row[2] = { -1, 0 };
    row[1] = w[W1].dim[0];
    h = NET(block)(NET(block)(h, w[K1], w[C1]), w[K2], w[C2]);
    h = OP(reshape)(h, 2, row);
    h = OP(relu)(OP(add)(OP(matmul)(h, w[W1]), w[B1]));
    return OP(add)(OP(matmul)(h, w[W2]), w[B2]);
}

static ARRAY NET(loss)(TAPE *t, const ARRAY *w, const void *data)
{
    const fashion_batch *const b = (const fashion_batch *)data;
    return OP(cross_entropy_with)(NET(logits)(w, NET(data)(t, 2, b->dim, b->pixel)),
                                  NET(data)(t, 2, b->kinds, b->target), AD_MEAN);
}

#else                   /* the program */
#define _POSIX_C_SOURCE 200809L              /* popen, isatty */
#ifndef EXAMPLE_LINKED                       /* else the implementation is in another file */
#define AUTODIFF_CHECK
#define AUTODIFF_IMPLEMENTATION
#endif
#include "../autodiff.h"
#include "fashion_data.h"

enum { K1, C1, K2, C2, W1, B1, W2, B2, PARTS };

#define LEARN_NETWORK "fashion_cnn.c"
#include "learn.h"
#include "fashion_learn.h"

static const learn_part parts[PARTS] = {
    { "k1", 4, { 16, 1, 3, 3 },  9 },   { "c1", 3, { 16, 1, 1 }, 0 },
    { "k2", 4, { 32, 16, 3, 3 }, 144 }, { "c2", 3, { 32, 1, 1 }, 0 },
    { "w1", 2, { 1568, 128 }, 1568 },   { "b1", 1, { 128 }, 0 },
    { "w2", 2, { 128, 10 },   128 },    { "b2", 1, { 10 },  0 }
};
/* The same with few of everything, to be checked: so that one random step does not take some of
   100,000 units over the kink of relu. */
static const learn_part small[PARTS] = {
    { "k1", 4, { 2, 1, 3, 3 }, 9 },   { "c1", 3, { 2, 1, 1 }, 0 },
    { "k2", 4, { 3, 2, 3, 3 }, 18 },  { "c2", 3, { 3, 1, 1 }, 0 },
    { "w1", 2, { 147, 8 },     147 }, { "b1", 1, { 8 },  0 },
    { "w2", 2, { 8, 10 },      8 },   { "b2", 1, { 10 }, 0 }
};

int main(int argc, char **argv)
{
    fashion_plan plan;
    memset(&plan, 0, sizeof plan);
    plan.name = "fashion_cnn";
    plan.parts = PARTS;
    plan.part = parts;
    plan.small = small;
    plan.epochs = 8;
    plan.rate = 2e-3f;
    plan.mirror = 1;
    plan.goal = 90.5;
    return fashion_main(argc, argv, &plan);
}
#endif
