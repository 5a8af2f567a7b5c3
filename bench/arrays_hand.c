/* The ten elementwise operations of bench/arrays.c, forwards and backwards, as somebody writes them
   who has the time: one loop, in which nothing but the operands, the result and the gradient is in
   memory. Compiled with -ffast-math, so that tanh and exp are the vector ones of the C library
   where it has them. */
#include <math.h>
#include <stddef.h>

void ten_by_hand(size_t n, const float *restrict a, const float *restrict b,
                 const float *restrict c, const float *restrict d, float *restrict y,
                 float *restrict a_bar, float *restrict b_bar, float *restrict c_bar,
                 float *restrict d_bar);

void ten_by_hand(size_t n, const float *restrict a, const float *restrict b,
                 const float *restrict c, const float *restrict d, float *restrict y,
                 float *restrict a_bar, float *restrict b_bar, float *restrict c_bar,
                 float *restrict d_bar)
{
    size_t i;
    for (i = 0; i < n; i++) {
        const float s = 1 / (1 + expf(-(a[i] * b[i] + c[i])));
        const float t = tanhf(s * d[i]);
        const float w = t - a[i];
        const float r = w * w + b[i];
        const float w_bar = 2 * w * s;                  /* y = r s + t */
        const float v_bar = (w_bar + 1) * (1 - t * t);
        const float u_bar = (r + v_bar * d[i]) * s * (1 - s);
        y[i] = r * s + t;
        a_bar[i] = u_bar * b[i] - w_bar;
        b_bar[i] = u_bar * a[i] + s;
        c_bar[i] = u_bar;
        d_bar[i] = v_bar * s;
    }
}
