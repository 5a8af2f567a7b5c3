/* adc: 2 -> 2 in [0.5, 2]: a file that is included in the middle and needs what stands above it */
static double gain = 2;
static const double table[2] = { 1, 3 };
enum { LAST = 1 };
static double order[3] = { 2, 0, 1 };
#include "amid.h"

void amid(const double *x, double *y);

void amid(const double *x, double *y)
{
    y[0] = x[0]*amid_part(x[1]);
    y[1] = gain*amid_part(x[0]*x[0]);
}
