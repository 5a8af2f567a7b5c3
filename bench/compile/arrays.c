/* What learning with float arrays costs: steps of a network of two layers. */
#define AUTODIFF_STATIC
#include "autodiff.h"
#include <stdio.h>

enum { N = 4, IN = 2, HIDDEN = 8, OUT = 2 };

int main(void)
{
    const float x[N * IN] = { 0, 0,  0, 1,  1, 0,  1, 1 };
    const uint32_t label[N] = { 0, 1, 1, 0 };
    const int32_t inputs[2] = { N, IN }, shape[2][2] = { { IN, HIDDEN }, { HIDDEN, OUT } };
    const int32_t bias[1] = { HIDDEN };
    float w[3][HIDDEN * OUT], first = 0, loss = 0;
    adf_tape *t = adf_tape_create(NULL);
    adf_sgd how = { 0 };
    int step, k, ok;
    how.rate = 0.5f;
    for (k = 0; k < 3 * HIDDEN * OUT; k++)
        w[k / (HIDDEN * OUT)][k % (HIDDEN * OUT)] = sinf(7.0f * (float)k);
    for (step = 0; step < 500; step++) {
        adf_array p[3], h;
        adf_tape_reset(t);
        p[0] = adf_array_borrow(t, 2, shape[0], w[0]);
        p[1] = adf_array_borrow(t, 2, shape[1], w[1]);
        p[2] = adf_array_borrow(t, 1, bias, w[2]);
        h = adf_array_matmul(adf_array_const_borrow(t, 2, inputs, x), p[0]);
        h = adf_array_relu(adf_array_add(h, p[2]));
        h = adf_array_cross_entropy(adf_array_matmul(h, p[1]), label, AD_MEAN);
        adf_backward(adf_array_item(h));
        loss = adf_array_item(h).v;
        if (step == 0) first = loss;
        for (k = 0; k < 3; k++)
            adf_sgd_step(&how, adf_array_size(p[k]), w[k], adf_array_adjoints(p[k]), NULL);
    }
    ok = adf_tape_status(t) == AD_OK && loss < 0.1f * first;
    printf("%s: loss %g, then %g\n", ad_status_name(adf_tape_status(t)), (double)first,
        (double)loss);
    adf_tape_destroy(t);
    return !ok;
}
