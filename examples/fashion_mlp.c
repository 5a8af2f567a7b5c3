/* Three layers learn to tell ten kinds of clothes apart, from the pixels alone: at least 88 % of
   the test images of Fashion-MNIST, in half a minute on one core. Exit code 1 if not.

       cc -O2 examples/fashion_mlp.c -o fashion_mlp -lm && ./fashion_mlp [DATA [OUTPUT [tape]]]

   DATA is the directory of the data; without it, where Debian's dataset-fashion-mnist has them. In
   OUTPUT (.) are left fashion_mlp.svg, the loss while learning, and fashion_mlp_*.npy. With "tape"
   nothing is compiled (see fashion_cnn.c). */
#ifdef ARRAY            /* the network, which learn.h includes twice: for floats and for doubles */

static ARRAY NET(layer)(ARRAY x, ARRAY w, ARRAY b)          /* x w + b, for every row of x */
{
    return OP(add)(OP(matmul)(x, w), b);
}

static ARRAY NET(logits)(const ARRAY *w, ARRAY pixels)
{
    ARRAY h = OP(relu)(NET(layer)(pixels, w[W1], w[B1]));
    h = OP(relu)(NET(layer)(h, w[W2], w[B2]));
    return NET(layer)(h, w[W3], w[B3]);
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

enum { W1, B1, W2, B2, W3, B3, PARTS };

#define LEARN_NETWORK "fashion_mlp.c"
#include "learn.h"
#include "fashion_learn.h"

static const learn_part parts[PARTS] = {
    { "w1", 2, { 784, 256 }, 784 }, { "b1", 1, { 256 }, 0 },
    { "w2", 2, { 256, 128 }, 256 }, { "b2", 1, { 128 }, 0 },
    { "w3", 2, { 128, 10 },  128 }, { "b3", 1, { 10 },  0 }
};

int main(int argc, char **argv)
{
    fashion_plan plan;
    memset(&plan, 0, sizeof plan);
    plan.name = "fashion_mlp";
    plan.parts = PARTS;
    plan.part = plan.small = parts;
    plan.epochs = 10;
    plan.rate = 1e-3f;
    plan.goal = 88;
    return fashion_main(argc, argv, &plan);
}
#endif
