/* adc: 3 -> 9 in [0.3, 1.4]: assignments in expressions, structs without names, comments */
typedef struct { double re, im; } complex_number;
static complex_number times(complex_number a, complex_number b)
{
    return (complex_number){ a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re };
}
static double first(double a, ...) { return a; }

void expressions(const double *x, double *y);

void expressions(const double *x, double *y)
{
    double d, t = x[1], a[3], (*p)[3] = &a, *q[3], k, m;
    complex_number z = { x[0], x[1] }, w = times(z, (complex_number){ .im = x[2], .re = 1 });
    int i;
    if ((d = x[0] - 0.5) > 0) y[0] = d*t;
    else y[0] = -d;
    while ((t *= 0.5) > 0.1) d += t;
    y[1] = d;
    z = x[0] > 0.5 ? w : times(w, w);
    y[2] = z.re*z.im;
    for (i = 0; i < 3; i++) q[i] = &(*p)[2 - i], *q[i] = x[i];
    k = m = x[0];
    y[3] = a[0]*a[1]*k;
    y[4] = y[3] = x[1]*m;
    y[5] = x[0] /* one */ + /* two */ x[1] // three
           * x[2] /* four
                     five */ - 3;
    y[6] = x[0]*\
x[1] + ("/* no comment */"[0] == '/' ? x[2] /* yes */ : 1);
    t = x[0];
    y[7] = t++*2 + --a[0] - a[1]--;
    y[7] += t - a[1];
    y[8] = first(x[2], 1, "two");
}
