/* adc: 3 -> 4 in [0.5, 2]: unions of numbers alone, by names and by index */
typedef union { struct { double x, y, z; } by; double v[3]; } vec;
union pair { double both[2]; struct { double first, second; } of; };
union box { vec low; double flat[3]; };

static double norm(const vec *p)
{
    double s = 0;
    int i;
    for (i = 0; i < 3; i++) s += p->v[i]*p->v[i];
    return s;
}

void unions(const double *x, double *y);

void unions(const double *x, double *y)
{
    vec p, q = { { 1, 2, 3 } };
    union pair r = { { 0, 0 } };
    union box b;
    p.by.x = x[0];
    p.by.y = x[1]*x[0];
    p.by.z = x[2];
    q.v[1] = x[1];
    r.of.second = x[2]*x[2];
    r.both[0] = x[0];
    b.low = p;
    y[0] = norm(&p);
    y[1] = q.by.y*q.by.x + norm(&q);
    y[2] = r.both[1]*r.of.first;
    y[3] = b.flat[1] - b.low.by.z;
}
