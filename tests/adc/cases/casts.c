/* adc: 3 -> 6 in [0.6, 2.4] warns 6: casts to integers and back, numbers that choose an element */
typedef double number;
enum colour { RED, GREEN, BLUE, BLACK, WHITE, COLOURS };

void casts(const double *x, double *y);

void casts(const double *x, double *y)
{
    static const double table[COLOURS] = { 1.5, -2.5, 4, 0.5, 8 };
    const int i = (int)x[0];
    const long l = (long)(10*x[1]);
    const enum colour c = (enum colour)(int)x[2];
    const number t = (number)x[0] - (double)i;
    y[0] = table[i]*(1 - t) + table[i ? i - 1 : 0]*t;
    y[1] = (double)l*x[1] + (number)(x[2] + 1);
    y[2] = table[c]*x[2] + x[(int)(x[0]*0.5)];
    y[3] = (double)(int)(x[0] + x[1])*x[1] + (double)(unsigned char)(3*x[2]);
    y[4] = (x[0] > 1)*x[0] + (!(x[1] > 1))*x[1];
    y[5] = (double)(number)(((double)x[2]))*2;
}
