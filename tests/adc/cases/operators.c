/* adc: 3 -> 12 in [0.5, 2] C++: operators, with numbers of all types beside those that vary */
void operators(const double *x, double *y);

void operators(const double *x, double *y)
{
    const int n = 3;
    const unsigned u = 7u;
    const float half = 0.5f;
    const double a = x[0], b = x[1];
    double c;
    y[0] = a + b - x[2];
    y[1] = a*b/x[2];
    y[2] = -a - -b + +x[2];
    y[3] = (a + 2)*(3 - b)/(4.5*x[2]);
    y[4] = n*a + b*u - half/x[2] + 'A'*a;
    y[5] = 1/a/b/x[2] - (1/(a/(b/x[2])));
    y[6] = a - (b - (x[2] - (1 - a)));
    y[7] = ((((a))))*(b)*((x[2] + (1)));
    y[8] = 2*3 + a*2*3 + n/2*b + (double)n/2*b;     /* 3/2 is 1, and stays it */
    c = y[9] = a*b;                                 /* assignments have values */
    y[10] = (c = 2*c, c*c);
    y[11] = 1e-3*a + 0x10*b + 1e3*x[2] - 010*a;
}
