/* adc: 3 -> 6 in [0.5, 1.5] single C++: code in floats, with the functions of floats */
#include <math.h>

struct point { float x, y; };

static float length(struct point p) { return sqrtf(p.x*p.x + p.y*p.y); }

void single(const float *x, float *y);

void single(const float *x, float *y)
{
    struct point p = { 1.5f, 2 };
    float s = 0;
    int i;
    p.x = x[0];
    y[0] = length(p) + expf(-x[1])*2.0f;
    for (i = 0; i < 3; i++) s += powf(x[i], (float)i + 0.5f);
    y[1] = s;
    y[2] = x[0] > 10.0f ? x[1] : fabsf(-x[1])*atan2f(x[0], x[2]);
    y[3] = 1/x[0] - x[1]/3 + 2*x[2];
    y[4] = fmaxf(x[0], x[1] - 5.0f)*logf(x[2]);
    y[5] = (float)i*x[0];
    y[5] += sinf(x[1])*cosf(x[2]);
}
