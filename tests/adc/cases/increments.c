/* adc: 4 -> 6 in [-2, 2] C++: compound assignments, increments, places with effects */
static void add_all(double *sum, const double *from, int n)
{
    while (n-- > 0) *sum++ += *from++;
}

void increments(const double *x, double *y);

void increments(const double *x, double *y)
{
    double s = x[0], w[5] = { 0 }, *p = w;
    int i = 0, k;
    s += x[1];
    s -= 2*x[2];
    s *= x[3] + 3;
    s /= 1 + x[0]*x[0];
    y[0] = s;
    s++;
    --s;
    ++s;
    s--;
    y[1] = s += x[1];
    w[i++] += x[0];
    w[i++] -= x[1];
    w[i++] *= 1 + x[2];
    w[--i] += 1;
    *p++ += x[3];
    *p *= 2;
    *++p /= 1 + x[0]*x[0];
    add_all(w + 1, x, 3);
    for (k = 0, y[2] = 0; k < 5; k++) y[2] += w[k]*(k + 1);
    for (k = 5; k--;) y[3] = k == 4 ? w[k] : y[3]*0.5 + w[k];
    y[4] = 1;
    for (k = 0; k < 4; ++k) y[4] *= x[k] + 3, y[4] -= k;
    for (y[5] = 0, k = 3; k >= 0; k -= 2) y[5] += x[k];
}
