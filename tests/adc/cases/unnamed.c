/* adc: 3 -> 7 in [0.5, 2]: designators into unnamed structs, GNU's old ones, declarations alone */
#include <math.h>
#pragma GCC diagnostic ignored "-Wpedantic"
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wgnu-designator"
#endif
struct shape;
union word;
typedef double (*measure)(const struct shape *, const union word *);
struct kind { const char *name; measure of; };

struct shape { int tag; struct { double width, height; }; };
typedef union { struct { double x, y, z; }; double v[3]; } vec;
union word { double number; int whole; };
struct plain { double a, b; int n; };
struct pointed { int tag; struct { double *to; int n; }; };
static double area(const struct shape *s, const union word *w)
{
    return s->width*s->height*w->number;
}
static const struct kind rectangle = { "rectangle", area };

static struct shape tall(double a) { return (struct shape){ .tag = 2, .height = a }; }
static vec flat(double a, double b) { return (vec){ .x = a, .y = b }; }
static struct plain old(double a) { struct plain p = { b: a*a, n: 2 }; return p; }
static void set(struct pointed p, double a) { p.to[p.n - 1] = a; }

void unnamed(const double *x, double *y)
{
    struct shape s = tall(x[1]), t = { .width = x[0], .height = 3 };
    union word w = { 2 };
    vec a = flat(x[0], x[1]*x[2]), b = { .x = x[2], .y = 2 };
    struct plain p = old(x[2]), q = { n: 3, a: x[0], b: 5 };
    double held[2] = { 1, 2 };
    struct pointed r = { .to = held, .n = 1 };
    set(r, x[1]*3);
    b.z = x[1];
    s.width = 0.5;
    y[0] = rectangle.of(&s, &w)*rectangle.of(&t, &w);
    y[1] = a.v[0]*a.v[1] + a.z;
    y[2] = b.v[0]*b.v[2] + b.y;
    y[3] = p.a + p.b*p.n;
    y[4] = q.a*q.b + q.n;
    y[5] = held[0]*held[1];
    y[6] = isinf(x[0]) || isnan(x[1]) || !isfinite(x[2]) ? 0 : x[0]*x[1];
}
