/* adc: 6 -> 9 in [-2, 2] C++: structs by value and by pointer, nested, in arrays, as results */
typedef struct vector { double x, y, z; } vector;
struct body {
    vector at, speed;
    double mass;
    int    id;
    const char *name;
    struct body *next;
};
struct box { double low[2], high[2]; };

static vector make(double x, double y, double z)
{
    vector v;
    v.x = x;
    v.y = y, v.z = z;
    return v;
}
static vector cross(vector a, vector b)
{
    return make(a.y*b.z - a.z*b.y, a.z*b.x - a.x*b.z, a.x*b.y - a.y*b.x);
}
static double dot(const vector *a, const vector *b)
{
    return a->x*b->x + a->y*b->y + a->z*b->z;
}
static void scale(vector *v, double s) { v->x *= s; v->y *= s; (*v).z *= s; }
static double energy(const struct body *b)
{
    double e = 0;
    for (; b; b = b->next) e += 0.5*b->mass*dot(&b->speed, &b->speed)*b->id;
    return e;
}

void structs(const double *x, double *y);

void structs(const double *x, double *y)
{
    const vector a = make(x[0], x[1], x[2]), b = make(x[3], x[4], x[5]);
    vector c = cross(a, b), all[3], d = { 1, 2, 3 }, *v = &d;
    struct body two[2] = { { { 0, 0, 0 }, { 0, 0, 0 }, 2, 1, "one", 0 } };
    struct box box = { { x[0], x[1] }, { x[2], 9 } }, other;
    int i;
    y[0] = c.x;
    y[1] = dot(&a, &c) + c.z;
    all[0] = a;
    all[1] = all[0];
    all[2] = cross(all[0], b);
    scale(&all[1], x[5]);
    scale(all, 2);
    for (i = 0, y[2] = 0; i < 3; i++) y[2] += all[i].x + (&all[i])->y*i;
    two[0].speed = a;
    two[0].next = two + 1;
    two[1] = two[0];
    two[1].id = 5;
    two[1].next = 0;
    two[1].mass = x[4];
    two[1].speed.z -= 1;
    y[3] = energy(two);
    v->y = v->x*x[1];
    y[4] = d.y + v->z*x[0];
    other = box;
    other.low[1] *= box.high[0];
    y[5] = other.low[0] + other.low[1]*other.high[1] + box.low[1];
    y[6] = cross(b, a).y;
    y[7] = make(x[0], 1, x[1]).z*two[0].name[0];
    *v = b;
    y[8] = v->x*v->y*v->z;
}
