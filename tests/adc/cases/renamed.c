/* adc: 3 -> 3 in [0.3, 1.4] C++: types, names and calls that macros give */
#define REAL double
#define ARG(name) const REAL *name
#define V(...) sum(__VA_ARGS__)
#define PAIR(a, b) a, b
#define FOR(i, n) for (i = 0; i < (n); i++)
#define DECLARE REAL q = x[2]
#define XX x
typedef REAL num;

static REAL sum(REAL a, REAL b) { return a + b; }

void renamed(ARG(x), REAL *y);

void renamed(ARG(x), REAL *y)
{
    REAL a = x[0];
    num b = x[1];
    const REAL c[] = { x[0], x[1], 2 };
    int i;
    DECLARE;
    y[0] = a*b*(REAL)(sizeof c/sizeof *c) + c[1]*c[2];
    y[1] = V(x[0], x[1]*2) + V(PAIR(x[0], q));
    y[2] = 0;
    FOR(i, 3) y[2] += XX[i]*XX[i];
}
