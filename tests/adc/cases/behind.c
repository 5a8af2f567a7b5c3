/* adc: 3 -> 6 in [0.5, 2]: functions behind pointers: in tables, in structs, cast, old ones */
typedef double (*law)(double);
struct circle { double radius; int calls; };
struct shape {
    const char *name;
    double (*area)(const struct circle *);
    void (*grow)(struct circle *, double);
};
static double stored;
static double square(double a) { return a*a; }
static double cube(double a) { return a*a*a; }
static double bell(double a) { return 1/(1 + a*a); }
static double circle_area(const struct circle *c) { return 3.0*c->radius*c->radius; }
static void circle_grow(struct circle *c, double by) { c->radius *= by; c->calls++; }
static double recall(void) { return stored; }
static double twice_recall(void) { return 2*stored; }

/* what is taken here alone, outside of every function */
static double (*const laws[])(double) = { square, cube, bell };
static law of_a_kind[2] = { cube, square };
static const struct shape circle = { "circle", circle_area, circle_grow };
static double (*const hidden[])(void) = { recall, twice_recall };
typedef void (*any)(void);
static const any generic[] = { (any)recall, (any)twice_recall };
typedef double (*area_of)(const void *);
static double measure(area_of f, const void *of) { return f(of); }

void behind(const double *x, double *y);

void behind(const double *x, double *y)
{
    double a = x[0], (*first)(double) = square, *p = &a, (*both[2])(double) = { bell, cube };
    double (*old)() = recall;
    struct circle c = { 0, 0 };
    int i;
    c.radius = x[1];
    stored = x[2]*x[0];
    y[0] = 0;
    for (i = 0; i < 3; i++) y[0] += laws[i](x[i]);
    y[1] = (*of_a_kind[1])(x[1]) - first(*p) + both[0](x[2])*both[1](a);
    circle.grow(&c, x[2]);
    y[2] = circle.area(&c)*c.calls;
    y[3] = hidden[1]() + old();
    y[4] = ((double (*)(void))generic[0])()*x[0];
    y[5] = measure((area_of)circle_area, &c);
}
