/* A controller asks: which angles bring the hand to a place? Newton's method, with the Jacobian
   that the build made of model.txt. The program needs no autodiff.h, only what adgen wrote. */
#include <math.h>
#include <stdio.h>
#include "arm.h"

/* The Jacobian against differences. */
static double worst_slope(const double *x)
{
    const double h = 1e-6;
    double y[arm_outputs], up[arm_outputs], down[arm_outputs], moved[arm_inputs], worst = 0;
    int i, j, k;
    arm(x, y);
    for (j = 0; j < 2; j++) {
        for (k = 0; k < arm_inputs; k++) moved[k] = x[k];
        moved[j] = x[j] + h;
        arm(moved, up);
        moved[j] = x[j] - h;
        arm(moved, down);
        for (i = 0; i < 2; i++)
            worst = fmax(worst, fabs(y[arm_out_dhand_x_dshoulder + 2 * i + j]
                                     - (up[i] - down[i]) / (2 * h)));
    }
    return worst;
}

int main(void)
{
    const double target_x = 0.9, target_y = 0.4;
    double x[arm_inputs], y[arm_outputs], miss = 1, slope;
    int step;
    x[arm_in_shoulder] = 0.1;
    x[arm_in_elbow] = 1;
    x[arm_in_upper] = 0.7;
    x[arm_in_lower] = 0.5;
    for (step = 0; step < 20 && miss > 1e-14; step++) {
        double dx, dy, a, b, c, d;
        arm(x, y);
        dx = target_x - y[arm_out_hand_x];
        dy = target_y - y[arm_out_hand_y];
        a = y[arm_out_dhand_x_dshoulder];
        b = y[arm_out_dhand_x_delbow];
        c = y[arm_out_dhand_y_dshoulder];
        d = y[arm_out_dhand_y_delbow];
        miss = hypot(dx, dy);
        x[arm_in_shoulder] += (d * dx - b * dy) / (a * d - b * c);
        x[arm_in_elbow] += (a * dy - c * dx) / (a * d - b * c);
        printf("step %d: the hand is at (%.6f, %.6f), off by %.1g\n", step, y[arm_out_hand_x],
               y[arm_out_hand_y], miss);
    }
    slope = worst_slope(x);
    printf("shoulder %.6f, elbow %.6f; Jacobian against differences: %.1g\n", x[arm_in_shoulder],
           x[arm_in_elbow], slope);
    return !(miss < 1e-12 && slope < 1e-8);
}
