/* A rigid body: Euler's equations and a quaternion, one step of Runge and Kutta's method, with a
   force at a point of the body. Structs by value and by pointer, tables of the method's weights. */
#include <math.h>

typedef struct vec { double x, y, z; } vec;
typedef struct quaternion { double w; vec v; } quaternion;
struct body { vec at, velocity, spin; quaternion turn; };
enum { NUMBERS = 13 };

static vec add(vec a, vec b) { vec r = { a.x + b.x, a.y + b.y, a.z + b.z }; return r; }
static vec scale(double s, vec a) { vec r = { s*a.x, s*a.y, s*a.z }; return r; }
static vec cross(vec a, vec b)
{
    vec r;
    r.x = a.y*b.z - a.z*b.y;
    r.y = a.z*b.x - a.x*b.z;
    r.z = a.x*b.y - a.y*b.x;
    return r;
}
static double dot(vec a, vec b) { return a.x*b.x + a.y*b.y + a.z*b.z; }
static quaternion times(quaternion a, quaternion b)
{
    quaternion r;
    r.w = a.w*b.w - dot(a.v, b.v);
    r.v = add(add(scale(a.w, b.v), scale(b.w, a.v)), cross(a.v, b.v));
    return r;
}
static vec rotate(quaternion q, vec a)
{
    const vec t = scale(2, cross(q.v, a));
    return add(add(a, scale(q.w, t)), cross(q.v, t));
}

static void rates(const struct body *b, const double *inertia, vec arm, struct body *d)
{
    static const vec gravity = { 0, 0, -9.81 };
    const vec pull = scale(-4, add(b->at, rotate(b->turn, arm)));      /* a spring to the origin */
    const quaternion back = { b->turn.w, { -b->turn.v.x, -b->turn.v.y, -b->turn.v.z } };
    const vec torque = cross(arm, rotate(back, pull)), w = b->spin;
    const quaternion spin = { 0, w };
    d->at = b->velocity;
    d->velocity = add(gravity, pull);
    d->spin.x = (torque.x - (inertia[2] - inertia[1])*w.y*w.z)/inertia[0];
    d->spin.y = (torque.y - (inertia[0] - inertia[2])*w.z*w.x)/inertia[1];
    d->spin.z = (torque.z - (inertia[1] - inertia[0])*w.x*w.y)/inertia[2];
    d->turn = times(b->turn, spin);
    d->turn.w *= 0.5;
    d->turn.v = scale(0.5, d->turn.v);
}

/* x: a body's numbers and its three moments of inertia; y: its numbers h later. */
void rigid(const double *x, double h, double *y)
{
    static const double at[4] = { 0, 0.5, 0.5, 1 }, weight[4] = { 1, 2, 2, 1 };
    const vec arm = { 0.3, -0.1, 0.2 };
    struct body now, k;
    double sum[NUMBERS] = { 0 }, length = 0, *n = &now.at.x, *d = &k.at.x;
    int stage, i;
    for (i = 0; i < NUMBERS; i++) d[i] = 0;
    for (stage = 0; stage < 4; stage++) {
        for (i = 0; i < NUMBERS; i++) n[i] = x[i] + at[stage]*h*d[i];
        rates(&now, x + NUMBERS, arm, &k);
        for (i = 0; i < NUMBERS; i++) sum[i] += weight[stage]*d[i];
    }
    for (i = 0; i < NUMBERS; i++) y[i] = x[i] + h/6*sum[i];
    for (i = 9; i < NUMBERS; i++) length += y[i]*y[i];
    for (i = 9; i < NUMBERS; i++) y[i] /= sqrt(length);
}
