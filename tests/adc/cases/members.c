/* adc: 4 -> 7 in [0.2, 1.8]: members of all kinds, functions and memory that structs hold */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static double square(double a) { return a*a; }
static double cube(double a) { return a*a*a; }
struct method { double (*of)(double); double scale; };
struct list { int n; double v[]; };
struct node { double value; struct node *left, *right; };
struct mixed { struct { double a, b; } in; unsigned flag : 3; double v[2]; };

static double run(const struct method *m, double a) { return m->of(a)*m->scale; }
static struct list *fill(const double *x, int n)
{
    struct list *const l = (struct list *)malloc(sizeof(struct list) + (size_t)n*sizeof(double));
    int i;
    if (!l) abort();
    l->n = n;
    for (i = 0; i < n; i++) l->v[i] = x[i]*i;
    return l;
}
static double depth(const struct node *t)
{
    return t ? t->value + 0.5*(depth(t->left)*depth(t->right)) : 1;
}
static struct node *grow(struct node *t, double value)
{
    if (!t) {
        t = (struct node *)calloc(1, sizeof *t);
        if (!t) abort();
        t->value = value;
    } else if (value < t->value) {
        t->left = grow(t->left, value);
    } else {
        t->right = grow(t->right, value);
    }
    return t;
}
static void fell(struct node *t)
{
    if (!t) return;
    fell(t->left);
    fell(t->right);
    free(t);
}
static struct mixed mix(const double *x)
{
    struct mixed r = { { x[0], 1 }, 5, { 2, x[1] } };
    return r;
}

void members(const double *x, double *y);

void members(const double *x, double *y)
{
    struct method m = { 0, 0 };
    struct list *l = fill(x, 3);
    struct node *tree = 0;
    struct mixed a = mix(x), b[2], *p = b;
    int i;
    m.of = square;
    m.scale = 2;
    y[0] = m.of(x[0])*m.scale;
    m.of = x[1] > 50 ? square : cube;
    y[1] = run(&m, x[1]);
    y[2] = l->v[1]*l->v[2] + l->n;
    free(l);
    for (i = 0; i < 4; i++) tree = grow(tree, x[i]);
    y[3] = depth(tree);
    fell(tree);
    memset(b, 0, sizeof b);
    p[1] = a;
    (p + 1)->v[0] *= x[2];
    y[4] = b[1].v[0]*b[1].in.a + b[1].flag + p->v[0];
    y[5] = mix(x).v[1]*(double)(offsetof(struct mixed, in) + 1);
    p = &b[1];
    y[6] = p->in.a*p->in.b*x[3];
}
