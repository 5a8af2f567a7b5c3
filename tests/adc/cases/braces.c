/* adc: 2 -> 7 in [0.5, 1.5] C++: initialisers with braces, and without some */
struct two { double u, v; };
struct all { int n; struct two at[2]; double z; };

static double table[3] = { 0.2, 0.3, 1 };
static double flat[2][2] = { 1, 2, 3, 4 };
static double open[][2] = { 1, 2, 3, 4, 5 };
static struct all deep[2] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };
static struct all some = { 3, { { 0.5, 2 }, { 4 } }, 0.25 };
static struct two zeros[2] = { 0 };

void braces(const double *x, double *y);

void braces(const double *x, double *y)
{
    double m[2][2] = { x[0]*x[1], 2, 3*x[0] };
    struct two pairs[2] = { x[0], 1, x[1] }, one = { x[1], 2*x[0] };
    struct all inner = { 4, x[0], 2, x[1], 5, x[0] + 1 };
    int i;
    table[1] = x[0];
    flat[1][0] = x[1];
    open[0][1] = x[0]*x[1];
    deep[0].z = x[0];
    deep[1].at[0].u = x[1];
    some.at[1].v = x[0];
    zeros[1].u = x[1];
    y[0] = table[0] + table[1]*table[2];
    y[1] = flat[0][0] + 10*flat[0][1] + 100*flat[1][0] + 1000*flat[1][1];
    for (y[2] = 0, i = 0; i < 3; i++) y[2] += (i + 1)*open[i][0] + (i + 4)*open[i][1];
    for (y[3] = 0, i = 0; i < 2; i++)
        y[3] += deep[i].n + 10*deep[i].at[0].u + 20*deep[i].at[0].v + 30*deep[i].at[1].u
                + 40*deep[i].at[1].v + 50*deep[i].z;
    y[4] = some.n + some.at[0].u*some.at[0].v + some.at[1].u*some.at[1].v + some.z;
    y[5] = m[0][0] + 2*m[0][1] + 3*m[1][0] + 4*m[1][1] + zeros[1].u + zeros[0].v;
    y[6] = pairs[0].u*pairs[0].v + pairs[1].u + 7*pairs[1].v + one.u*one.v
           + inner.n*inner.at[0].u + inner.at[0].v*inner.at[1].u + inner.at[1].v*inner.z;
}
