/* adc: 3 -> 3 in [0.3, 2.1] warns 1: typedefs that fields and globals alone have */
#include <string.h>

typedef double place[3];
typedef place frame[3];
typedef double *row;
typedef struct { place at; double mass; } point;
struct body { point p[2]; frame turn; row way; int n; };
typedef double pair[2]; typedef struct { pair of; double sum; } both;     /* one line */
static place last;
static struct body none;

static double trace(const struct body *b) { return b->turn[0][0] + b->turn[1][1] + b->turn[2][2]; }

void typedefs(const double *x, double *y)
{
    struct body b = none;
    both two;
    int i;
    b.way = last;
    for (i = 0; i < 3; i++) {
        b.p[i & 1].at[i] = x[i]*x[0];
        b.turn[i][i] = x[i]*b.p[i & 1].at[i];
        last[i] = x[i];
    }
    b.p[0].mass = trace(&b);
    memcpy(b.p[1].at, b.p[0].at, sizeof b.p[0].at);
    two.of[0] = x[1];
    two.of[1] = two.of[0]*x[2];
    two.sum = two.of[0] + two.of[1];
    y[0] = b.p[0].mass*b.way[1];
    y[1] = b.p[1].at[0]*two.sum;
    y[2] = last[2]*two.of[1];
}
