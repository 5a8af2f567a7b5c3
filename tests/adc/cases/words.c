/* adc: 3 -> 7 in [0.5, 2]: attributes, designators, literals, names by macros, definitions below */
#define NAMED(f) f##_of_numbers
typedef double vec3[3];
typedef vec3 mat3[3];
typedef vec3 *rows;
struct leaf { double a, b; };
struct tree { struct leaf p, q[2]; double r; int n; };

static inline __attribute__((always_inline)) double squared(double a) { return a*a; }
static double NAMED(norm)(const double *v, int n)
{
    double s = 0;
    while (n-- > 0) s += v[n]*v[n];
    return s;
}
static double dot(const double *a, const double *b) { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2]; }
static double later(void)
{
    extern double defined_below;
    return defined_below*defined_below;
}

void words(const double *x, double *y);

void words(const double *x, double *y)
{
    double declared_here(double, double);
    extern double defined_below;
    __attribute__((aligned(32))) double lanes[4] = { 0 };
    struct tree t = { .p.a = x[0], .q[1].b = x[1]*2, .r = x[2] };
    struct leaf l = { .b = 1.0 }, m[2] = { [1].a = x[0], [0] = { 2, x[2] } };
    struct tree u = { .q = { { 1, 2 }, { 3, 4 } }, x[0]*x[1], 3 };
    double span[6] = { [1] = x[0], [3] = x[1], x[2] }, one = { x[0]*2 };
    mat3 rotation = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    rows lines = rotation;
    int i;
    for (i = 0; i < 3; i++) lanes[i] = squared(x[i]);
    l.a = x[1];
    rotation[1][2] = x[2];
    defined_below = x[0]*x[1];
    y[0] = lanes[0]*lanes[1] + lanes[3] + NAMED(norm)(x, 3);
    y[1] = t.p.a*t.q[1].b + t.r + t.p.b;
    y[2] = l.a*l.b + m[1].a*m[0].b;
    y[3] = u.r*u.q[1].a + u.n + span[1]*span[4] + span[3] + one;
    y[4] = dot(x, (const double[]){ 1, 2, 3 }) + dot((double[3]){ x[0], squared(x[1]), 1 }, x);
    y[5] = lines[1][2]*lines[2][2] + declared_here(x[1], 2);
    y[6] = later();
}

double declared_here(double a, double b);
double declared_here(double a, double b) { return a*b; }
double defined_below = 1;
