/* On a board without malloc: a float tape in a static buffer of 6 kB calibrates a thermistor. The
   resistance is r0 exp(b (1/T - 1/T0)); r0 and b are fitted to readings by Gauss-Newton steps. */
#define AUTODIFF_STATIC
#include "../autodiff.h"
#include <stdio.h>

#define READINGS 8
static const float kelvin[READINGS] = {
    273.15f, 283.15f, 293.15f, 303.15f, 313.15f, 323.15f, 333.15f, 343.15f
};
static const float kiloohm[READINGS] = {
    32.65f, 19.90f, 12.49f, 8.057f, 5.327f, 3.603f, 2.488f, 1.752f
};
static unsigned char memory[6144];

/* Relative residuals; x = (r0 in kiloohm, b in 1000 kelvin). */
static void residuals(adf_tape *t, const adf_var *x, size_t n, adf_var *y, size_t m, void *user)
{
    size_t i;
    (void)t;
    (void)n;
    (void)user;
    for (i = 0; i < m; i++) {
        const adf_var power = adf_var_mul_r(x[1], 1000 / kelvin[i] - 1000 / 298.15f);
        y[i] = adf_var_sub_r(adf_var_div_r(adf_var_mul(x[0], adf_var_exp(power)), kiloohm[i]), 1);
    }
}

int main(void)
{
    ad_tape_desc desc;
    adf_tape *t;
    float x[2] = { 5, 3 }, y[READINGS], J[2 * READINGS], worst = 0;
    int step, i;
    memset(&desc, 0, sizeof desc);
    desc.buffer = memory;
    desc.buffer_bytes = sizeof memory;
    desc.max_slots = 48;                     /* the rest is for the sweeps */
    t = adf_tape_create(&desc);
    if (t == NULL) return 1;
    for (step = 0; step < 8; step++) {
        float a = 0, b = 0, c = 0, p = 0, q = 0;                /* the normal equations, 2 by 2 */
        if (adf_jacobian(t, residuals, NULL, x, 2, READINGS, y, J) != AD_OK) {
            printf("%s\n", adf_tape_message(t));
            return 1;
        }
        for (i = 0; i < READINGS; i++) {
            const float u = J[2 * i], v = J[2 * i + 1];
            a += u * u;
            b += u * v;
            c += v * v;
            p += u * y[i];
            q += v * y[i];
        }
        x[0] -= (c * p - b * q) / (a * c - b * b);
        x[1] -= (a * q - b * p) / (a * c - b * b);
    }
    for (i = 0; i < READINGS; i++)
        if (y[i] > worst || -y[i] > worst) worst = y[i] < 0 ? -y[i] : y[i];
    printf("r0 = %.3f kOhm at 25 C, b = %.0f K, worst reading off by %.2f %%; %lu of %lu bytes\n",
           (double)x[0], 1000 * (double)x[1], 100 * (double)worst,
           (unsigned long)adf_tape_get_stats(t).peak_bytes, (unsigned long)sizeof memory);
    adf_tape_destroy(t);
    return !(worst < 0.012f && x[0] > 9.9f && x[0] < 10.1f);
}
