/* How often is the gradient checker mistaken? Random functions whose derivatives are known in
   closed form, seven regimes, half of the claims wrong; other functions on every run, and the seed
   is printed. Asserted: false alarms and right components blamed at most 0.05 % of right claims,
   wrong claims passed 0.05 % of the wrong ones, undecided 0.5 % of all, in every regime; of a count
   three of its standard deviations more.

       rates [CASES]            cases a regime; 20000
             --show             prints every case that went amiss, with all its numbers
             --regime NAME      this one alone
             --case NAME INDEX  one case in full, and the checker's report on it
             --seed N           the cases of an earlier run
             --seeds K          K seeds, and their sum
             --large [CASES]    200 functions of 3000 to 20000 variables, checked along directions

   What can be seen. A central difference with the step h = L/4 knows the slope to eps_f / h =
   4 eps_f / L. Here eps_f is the noise of f: the running error bound of its own arithmetic at x,
   and what noise is put on it. L is the length over which f changes along the component: the
   least of the distances to its nearest singularity, to a kink or edge, to the farther wall of its
   box, and of the size of x (|x|, or the typical size where x is 0: a scheme has nothing else to
   guess a length from). The figure is called the resolution, r; the rounding of a typical slope S
   is added to it, for what is 0 at x alone. Where f exists on one side of x alone, L/16 stands for
   L/4.

   - Every component of every case: r <= max(1e-3 |slope|, 1e-8 S). And what comes to it through
     an argument u = C + b x + ... that its own rounding hides (b L is under 1e5 units of u's
     rounding, in float under 100: short steps leave u as it is) is under a tenth of the
     tolerance. A case that does not hold both is drawn again: no scheme could vouch for it.
   - A wrong component differs from the slope by 20 r at least, by 1e-4 of the larger of the two
     numbers (5e-3 through the float interface, whose tolerance is 1e-3; 1e-2 where L is under 4096
     units of x, so that steps are few), and by 1e-7 S (1e-4 S in float arithmetic); and by twice
     the header's zero floor, 1e-3 of the tolerance times the slopes seen within 2^-18 of the size
     of x. A case is wrong if one component is; smaller differences beside it are not counted
     either way.
   - At a kink the right claims are the subgradients: between the slopes on the two sides, by one
     choice for all components. A wrong one lies outside by all of the above, and by 1e-3 of the
     slopes. A kink nearer than 1e-6 of the size of x, or so near that 4 eps_f / distance does not
     tell its slopes apart, counts as lying at x; right is then the slope of x's own side, and a
     wrong one is outside by 20 times that, or by the difference of the slopes.
   Sections: Checker: The Engine; Checker: Points and Lines; Checker: Calling the User. */
#include "../autodiff.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_N       5
#define MAX_HEADS   5
#define DISTINCT    20.0                /* a wrong claim is off by so many resolutions */
#define KINK_NEAR   1e-6                /* of the size of x: nearer is at x */

typedef long double wide;

/* ---------------------------------------------------------------- random numbers (splitmix64) */
typedef struct random_stream { uint64_t state; } random_stream;

static uint64_t scramble(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}
static uint64_t next_bits(random_stream *r)
{
    r->state += UINT64_C(0x9e3779b97f4a7c15);
    return scramble(r->state);
}
static double uniform(random_stream *r, double low, double high)
{
    return low + (high - low) * ((double)(next_bits(r) >> 11) * (1.0 / 9007199254740992.0));
}
static double power_of_ten(random_stream *r, double low, double high)
{
    return pow(10, uniform(r, low, high));
}
static int below(random_stream *r, int n) { return (int)(next_bits(r) % (uint64_t)n); }
static int chance(random_stream *r, double p) { return uniform(r, 0, 1) < p; }
static double either_sign(random_stream *r) { return next_bits(r) & 1 ? 1.0 : -1.0; }
/* Two numbers drawn in one expression would come in an order that compilers choose. */
static double signed_power(random_stream *r, double low, double high)
{
    const double sign = either_sign(r);
    return sign * power_of_ten(r, low, high);
}
static double signed_uniform(random_stream *r, double low, double high)
{
    const double sign = either_sign(r);
    return sign * uniform(r, low, high);
}

/* ---------------------------------------------------------------- functions of one variable */
enum {
    SIN, EXP, TANH, ATAN, LOG1, ERF, ROOT1, WITCH, QUARTIC, SINEXP, COSH, GAUSS, LINEAR,
    SMOOTH_HEADS,
    KINK = SMOOTH_HEADS,
    /* u is the distance from the edge */
    E_LOG, E_SQRT, E_15, E_25, E_INVERSE, E_RSQRT, E_XLOGX, E_POWER, E_FLAT, E_EXP, E_SQUARE,
    /* of a sine and the like; u = 1 - sine */
    E_ASIN, E_ATANH, E_ACOSH, E_LOG1P, E_CIRCLE, HEADS
};
static const char *const head_name[HEADS] = {
    "sin(u)", "exp(u)", "tanh(u)", "atan(u)", "log(1+u^2)", "erf(u)", "sqrt(1+u^2)", "1/(1+u^2)",
    "0.3+u-u^2/2-u^3/3+u^4/4", "sin(u)exp(u/2)", "cosh(u)", "exp(-u^2)", "u",
    "kink(u)",
    "log(u)", "sqrt(u)", "u^1.5", "u^2.5", "1/u", "1/sqrt(u)", "u log(u)", "u^0.3", "exp(-1/u)",
    "exp(u), u>=0", "u^2, u>=0", "asin(1-u)", "atanh(1-u)", "acosh(1+u)", "log1p(u-1)",
    "sqrt(1-(1-u)^2)"
};

/* v, as the arithmetic of f holds it. */
static double held(int single, double v) { return single ? (double)(float)v : v; }

static double kink_value(double u, double left, double right)
{
    return u < 0 ? left * u : right * u;
}

/* In double, or with every result rounded to float, which is what float arithmetic gives. */
static double head_value(int head, double u, int single, double left, double right)
{
#define R(v) held(single, v)
    const double uu = R(u * u);
    switch (head) {
    case SIN:       return R(sin(u));
    case EXP:       return R(exp(u));
    case TANH:      return R(tanh(u));
    case ATAN:      return R(atan(u));
    case LOG1:      return R(log1p(uu));
    case ERF:       return R(erf(u));
    case ROOT1:     return R(sqrt(R(1 + uu)));
    case WITCH:     return R(1 / R(1 + uu));
    case QUARTIC:   return R(R(u * R(R(u * R(R(u * R(R(u / 4) - R(1.0 / 3))) - 0.5)) + 1)) + 0.3);
    case SINEXP:    return R(R(sin(u)) * R(exp(R(u / 2))));
    case COSH:      return R(cosh(u));
    case GAUSS:     return R(exp(-uu));
    case LINEAR:    return u;
    case KINK:      return R(kink_value(u, left, right));
    case E_INVERSE: return R(1 / u);
    default:        break;
    }
    if (!(u >= 0)) return (double)NAN;
    switch (head) {
    case E_LOG:     return R(log(u));
    case E_SQRT:    return R(sqrt(u));
    case E_15:      return R(u * R(sqrt(u)));
    case E_25:      return R(uu * R(sqrt(u)));
    case E_RSQRT:   return R(1 / R(sqrt(u)));
    case E_XLOGX:   return u > 0 ? R(u * R(log(u))) : 0;
    case E_POWER:   return R(pow(u, 0.3));
    case E_FLAT:    return R(exp(R(-1 / u)));
    case E_EXP:     return R(exp(u));
    case E_SQUARE:  return uu;
    case E_ASIN:    return R(asin(R(1 - u)));
    case E_ATANH:   return R(atanh(R(1 - u)));
    case E_ACOSH:   return R(acosh(R(1 + u)));
    case E_LOG1P:   return R(log1p(R(u - 1)));
    default:        return R(sqrt(R(1 - R(R(1 - u) * R(1 - u)))));      /* E_CIRCLE */
    }
#undef R
}

/* The slope is without bound at u = 0, the value is not. */
static int head_steep(int head)
{
    return head == E_SQRT || head == E_XLOGX || head == E_POWER || head == E_ASIN
        || head == E_ACOSH || head == E_CIRCLE;
}

/* The exact value, slope (of a kink at 0 the right one), length over which they change, what the
   roundings inside of the head come to, in units of the arithmetic, and the largest slope within a
   quarter of the length. */
typedef struct head_facts { wide value, slope; double length, inner, steepest; } head_facts;

static head_facts head_exact(int head, wide u, double left, double right)
{
    head_facts f;
    const wide uu = u * u;
    f.length = 1;
    f.inner = f.steepest = 0;
    f.value = f.slope = 0;
    switch (head) {
    case SIN:   f.value = sinl(u);        f.slope = cosl(u);                                break;
    case EXP:   f.value = f.slope = expl(u);                                                break;
    case TANH:  f.value = tanhl(u);       f.slope = 1 / (coshl(u) * coshl(u));              break;
    case ATAN:  f.value = atanl(u);       f.slope = 1 / (1 + uu);                           break;
    case LOG1:  f.value = log1pl(uu);     f.slope = 2 * u / (1 + uu);                       break;
    case ERF:   f.value = erfl(u);        f.slope = 1.128379167095512573896L * expl(-uu);   break;
    case ROOT1: f.value = sqrtl(1 + uu);  f.slope = u / f.value;                            break;
    case WITCH: f.value = 1 / (1 + uu);   f.slope = -2 * u * f.value * f.value;             break;
    case QUARTIC:
        f.value = 0.3L + u * (1 + u * (-0.5L + u * (-1.0L / 3 + u / 4)));
        f.slope = 1 + u * (-1 + u * (-1 + u));
        f.inner = (double)fabsl(u * (1 + fabsl(u) * (0.5L + fabsl(u) * (1.0L / 3 + fabsl(u) / 4))));
        break;
    case SINEXP:
        f.value = sinl(u) * expl(u / 2);
        f.slope = (cosl(u) + sinl(u) / 2) * expl(u / 2);
        break;
    case COSH:  f.value = coshl(u);       f.slope = sinhl(u);                               break;
    case GAUSS: f.value = expl(-uu);      f.slope = -2 * u * f.value;                       break;
    case LINEAR: f.value = u;             f.slope = 1;                                      break;
    case KINK:
        f.slope = (wide)(u < 0 ? left : right);
        f.value = f.slope * u;
        break;
    case E_LOG:     case E_LOG1P:  f.value = logl(u); f.slope = 1 / u;                      break;
    case E_SQRT:    f.value = sqrtl(u);       f.slope = 0.5L / f.value;                     break;
    case E_15:      f.value = u * sqrtl(u);   f.slope = 1.5L * sqrtl(u);                    break;
    case E_25:      f.value = uu * sqrtl(u);  f.slope = 2.5L * u * sqrtl(u);                break;
    case E_INVERSE: f.value = 1 / u;          f.slope = -f.value * f.value;                 break;
    case E_RSQRT:   f.value = 1 / sqrtl(u);   f.slope = -0.5L * f.value / u;                break;
    case E_XLOGX:   f.value = u > 0 ? u * logl(u) : 0; f.slope = logl(u) + 1;               break;
    case E_POWER:   f.value = powl(u, (wide)0.3); f.slope = (wide)0.3 * f.value / u;        break;
    case E_FLAT:
        f.value = expl(-1 / u);
        f.slope = u > 0 ? f.value / uu : 0;
        f.length = u > 0 && u < 0.5L ? 2 * (double)u : 1;
        break;
    case E_EXP:     f.value = f.slope = expl(u);                                            break;
    case E_SQUARE:  f.value = uu;             f.slope = 2 * u;                              break;
    case E_ASIN:
        f.value = asinl(1 - u);
        f.slope = -1 / sqrtl(u * (2 - u));
        break;
    case E_ATANH:   f.value = 0.5L * logl((2 - u) / u);  f.slope = -1 / (u * (2 - u));      break;
    case E_ACOSH:
        f.value = log1pl(u + sqrtl(u * (2 + u)));
        f.slope = 1 / sqrtl(u * (2 + u));
        break;
    default:
        f.value = sqrtl(u * (2 - u));
        f.slope = (1 - u) / f.value;
        f.inner = f.value > 0 ? (double)(1 / f.value) : 0;
    }
    if (head > KINK && u > 0 && head != E_EXP && head != E_SQUARE)
        f.length *= u < 1 ? (double)u : 1;
    if (head == GAUSS || head == ERF) f.length = 1 / (1 + (double)fabsl(u));
    if (head > KINK && u == 0 && head_steep(head)) f.slope = 0;       /* no number: see `steep` */
    f.inner += (double)fabsl(f.value);
    return f;
}
static head_facts head_around(int head, wide u, double left, double right)
{
    head_facts f = head_exact(head, u, left, right);
    int k;
    for (k = -4; k <= 4; k++) {
        const wide at = u + (wide)(k * f.length / 16);
        const double s = (double)fabsl(head_exact(head, at, left, right).slope);
        if (s > f.steepest) f.steepest = s;
    }
    return f;
}

/* ---------------------------------------------------------------- a case */
enum { ORDINARY, SCALED, NOISY, SINGLE, KINKED, EDGED, ROOTED, REGIMES };
static const char *const regime_name[REGIMES] = {
    "ordinary", "scaled", "noisy", "single", "kinked", "edged", "rooted"
};
/* f = constant + A outer(v), v_j = w_j head_j(u_j), u_j = sum_i B_ji (x_i - P_i) + C_j */
enum { SUM, PRODUCT, COMPOSED, QUOTIENT, FOLDED, OUTERS };
static const char *const outer_name[OUTERS] = {
    "sum v", "product v", "outer(sum v)", "v0/(1+v1^2) + v2 + ...", "kink(sum v - fold)"
};

typedef struct rate_case {
    int regime, wanted_right;
    size_t index, n;
    int heads, head[MAX_HEADS], outer, outer_head;
    double B[MAX_HEADS][MAX_N], P[MAX_HEADS][MAX_N], C[MAX_HEADS], w[MAX_HEADS];
    double A, constant, left, right, fold;
    int single;                         /* float arithmetic inside of f */
    int front;                          /* 0: ad_check_gradient, 1: ad_check_values, 2, 3: adf_ */
    double noise;                       /* put on f; absolute */
    double x[MAX_N], x_scale[MAX_N], lo[MAX_N], hi[MAX_N];
    int scaled, boxed;
    double theta;                       /* which subgradient */

    /* what is known of it */
    double f_noise, low[MAX_N], high[MAX_N], slope[MAX_N], typical[MAX_N], length[MAX_N];
    double resolution[MAX_N], zero_floor[MAX_N];
    int across[MAX_HEADS + 1][MAX_N];   /* this kink counts as lying at x, for this component */
    int at_kink[MAX_N];                 /* it does lie there */
    double blur[MAX_N];                 /* what a slope between x and a near kink is known to */
    int steep[MAX_N];                   /* the slope is without bound */
    int one_sided[MAX_N];

    double claim[MAX_N];
    int right_claim, wrong[MAX_N], exact[MAX_N];
    const char *error;

    float xf[MAX_N], claimf[MAX_N];
    size_t calls;
    int left_box;
} rate_case;

static double size_of_x(const rate_case *c, size_t i)
{
    if (c->x[i] != 0) return fabs(c->x[i]);
    return c->scaled ? c->x_scale[i] : 1;
}

static double hashed(const double *x, size_t n)                /* in [-1, 1] */
{
    uint64_t h = 0, bits;
    size_t i;
    for (i = 0; i < n; i++) {
        memcpy(&bits, &x[i], sizeof bits);
        h = scramble(h + bits + UINT64_C(0x9e3779b97f4a7c15));
    }
    return (double)(h >> 11) * (2.0 / 9007199254740992.0) - 1;
}

static double argument(const rate_case *c, const double *x, int j)
{
#define R(v) held(single, v)
    const int single = c->single;
    double u = 0;
    size_t i;
    for (i = 0; i < c->n; i++)
        if (c->B[j][i] != 0) u = R(u + R(c->B[j][i] * R(R(x[i]) - c->P[j][i])));
    return R(u + c->C[j]);
}
static double inner_value(const rate_case *c, const double *x, int j)
{
    const double u = argument(c, x, j);
    return held(c->single, c->w[j] * head_value(c->head[j], u, c->single, c->left, c->right));
}
static double inner_sum(const rate_case *c, const double *x)
{
    double s = 0;
    int j;
    for (j = 0; j < c->heads; j++) s = held(c->single, s + inner_value(c, x, j));
    return s;
}

static double value(const rate_case *c, const double *x)
{
    const int single = c->single;
    double v = 0, t;
    int j;
    switch (c->outer) {
    case SUM:
        v = inner_sum(c, x);
        break;
    case PRODUCT:
        for (v = 1, j = 0; j < c->heads; j++) v = R(v * inner_value(c, x, j));
        break;
    case COMPOSED:
        v = head_value(c->outer_head, inner_sum(c, x), single, 0, 0);
        break;
    case QUOTIENT:
        t = inner_value(c, x, 1);
        v = R(inner_value(c, x, 0) / R(1 + R(t * t)));
        for (j = 2; j < c->heads; j++) v = R(v + inner_value(c, x, j));
        break;
    default:
        v = R(kink_value(R(inner_sum(c, x) - c->fold), c->left, c->right));
    }
    v = R(c->A * v);
    if (c->constant != 0) v = R(c->constant + v);
    if (c->noise != 0) v = R(v + c->noise * hashed(x, c->n));
    return v;
#undef R
}

/* ---------------------------------------------------------------- what is true of it */
#define W(v) ((wide)(v))

/* f taken apart at a point, at the arguments that its own arithmetic comes to there, as any program
   for the gradient would: else next to u^2 = 0 it is the derivative of another function. du: of v_j
   by x_i; dv: of the outer function by v_j; typical: of v_j by u_j; around: the largest of the
   outer function by v_j, near x; parts: what u_j is summed from. */
typedef struct anatomy {
    wide u[MAX_HEADS], v[MAX_HEADS], dv[MAX_HEADS], du[MAX_HEADS][MAX_N], ds[MAX_N];
    wide sum, size, fold, f;
    double rounding[MAX_HEADS], length[MAX_HEADS], typical[MAX_HEADS], around[MAX_HEADS];
    double parts[MAX_HEADS];
    double noise, outer_length;
    int at_x, side;
} anatomy;

/* The slope of a kink with argument u that grows by `growth` with x_i. */
static wide kink_slope(const rate_case *c, const anatomy *a, wide u, wide growth, int across)
{
    if (u == 0 && a->side == 0) return (1 - W(c->theta)) * W(c->left) + W(c->theta) * W(c->right);
    if (u == 0 || (a->at_x && a->side != 0 && across))
        return (growth > 0) == (a->side > 0) ? W(c->right) : W(c->left);
    return u > 0 ? W(c->right) : W(c->left);
}

static void take_inner(const rate_case *c, const double *given, int skip, anatomy *a)
{
    size_t i;
    int j;
    a->sum = W(inner_sum(c, given));
    a->size = 0;
    for (i = 0; i < c->n; i++) a->ds[i] = 0;
    for (j = 0; j < c->heads; j++) {
        const wide w = W(c->w[j]);
        wide parts = fabsl(W(c->C[j]));
        head_facts h;
        for (i = 0; i < c->n; i++)
            parts += fabsl(W(c->B[j][i]) * (W(held(c->single, given[i])) - W(c->P[j][i])));
        a->u[j] = W(argument(c, given, j));
        h = head_around(c->head[j], a->u[j], c->left, c->right);
        a->v[j] = w * h.value;
        a->length[j] = h.length;
        a->parts[j] = (double)parts;
        a->typical[j] = fabs(c->w[j]) * h.steepest;
        a->rounding[j] = fabs(c->w[j]) * (h.inner + h.steepest * (double)parts);
        a->size += fabsl(a->v[j]);
        for (i = 0; i < c->n; i++) {
            const wide b = W(c->B[j][i]);
            const wide slope = c->head[j] != KINK || b == 0 ? h.slope
                             : kink_slope(c, a, a->u[j], b, c->across[j][i]);
            a->du[j][i] = j == skip ? 0 : w * slope * b;
            a->ds[i] += a->du[j][i];
        }
    }
}

static void take_outer(const rate_case *c, anatomy *a)
{
    int j, k;
    a->outer_length = 1;
    for (j = 0; j < c->heads; j++) a->dv[j] = 1;
    switch (c->outer) {
    case SUM:
        a->f = a->sum;
        a->noise = (double)a->size;
        break;
    case PRODUCT:
        for (a->f = 1, j = 0; j < c->heads; j++) a->f *= a->v[j];
        for (j = 0; j < c->heads; j++)
            for (a->around[j] = 1, k = 0; k < c->heads; k++) {
                if (k == j) continue;
                a->dv[j] *= a->v[k];
                a->around[j] *= (double)fabsl(a->v[k]) + a->typical[k] * a->length[k] / 4;
            }
        a->noise = 2 * (double)fabsl(a->f);
        return;
    case COMPOSED: {
        const head_facts h = head_around(c->outer_head, a->sum, 0, 0);
        a->f = h.value;
        for (j = 0; j < c->heads; j++) {
            a->dv[j] = h.slope;
            a->around[j] = h.steepest;
        }
        a->noise = h.inner + h.steepest * (double)a->size;
        a->outer_length = h.length;
        return;
    }
    case QUOTIENT: {
        const wide q = 1 + a->v[1] * a->v[1];
        a->f = a->v[0] / q;
        a->dv[0] = 1 / q;
        a->dv[1] = -2 * a->v[0] * a->v[1] / (q * q);
        a->noise = 3 * (double)fabsl(a->f);
        for (j = 2; j < c->heads; j++) {
            a->f += a->v[j];
            a->noise += (double)fabsl(a->v[j]);
        }
        break;
    }
    default:
        a->fold = a->sum - W(c->fold);
        a->f = a->fold * (a->fold < 0 ? W(c->left) : W(c->right));
        for (j = 0; j < c->heads; j++) a->dv[j] = W(fabs(c->left) + fabs(c->right));
        a->noise = (double)(a->size * a->dv[0]);
    }
    for (j = 0; j < c->heads; j++) a->around[j] = (double)fabsl(a->dv[j]);
    if (c->outer == QUOTIENT && a->around[1] < 0.1 * a->around[0])      /* v1 about 0 */
        a->around[1] = 0.1 * a->around[0];
}

/* Slopes at `given` towards larger (side 1) or smaller (side -1) x; side 0: the subgradient that
   theta chooses. `skip` is a head that is left out, to forge a missing term; -1: none. */
static void exact_slopes(const rate_case *c, const double *given, int side, int skip, double *g,
                         anatomy *a)
{
    size_t i;
    int j;
    a->side = side;
    a->at_x = memcmp(given, c->x, c->n * sizeof *given) == 0;
    take_inner(c, given, skip, a);
    take_outer(c, a);
    for (i = 0; i < c->n; i++) {
        wide slope = 0;
        for (j = 0; j < c->heads; j++) slope += a->dv[j] * a->du[j][i];
        if (c->outer == FOLDED)
            slope = a->ds[i] * kink_slope(c, a, a->fold, a->ds[i], c->across[MAX_HEADS][i]);
        g[i] = (double)(W(c->A) * slope);
    }
}

static double unit_of(const rate_case *c) { return c->single ? (double)FLT_EPSILON : DBL_EPSILON; }

static void find_noise(rate_case *c, const anatomy *a)
{
    const double unit = unit_of(c);
    double noise = a->noise + (double)fabsl(a->f);
    size_t i;
    int j;
    for (j = 0; j < c->heads; j++) {
        noise += a->around[j] * a->rounding[j];
        if (fabs(c->w[j]) != 1) noise += a->around[j] * (double)fabsl(a->v[j]);
    }
    noise = unit * (fabs(c->A) * noise + 2 * fabs(c->constant));
    for (i = 0; c->single && c->front < 2 && i < c->n; i++)     /* x itself is rounded */
        noise += unit * fabs(c->x[i] * c->slope[i]);
    c->f_noise = noise + c->noise;
}

static void find_length(rate_case *c, const anatomy *a, size_t i)
{
    const double s = size_of_x(c, i);
    double inverse = 0;                         /* of the length */
    int j;
    c->typical[i] = 0;
    c->one_sided[i] = c->steep[i] = 0;
    for (j = 0; j < c->heads; j++) {
        const double b = fabs(c->B[j][i]);
        if (b == 0) continue;
        c->typical[i] += fabs(c->A) * a->around[j] * a->typical[j] * b;
        if (c->head[j] != KINK) inverse += b / a->length[j];
        if (c->outer == COMPOSED) inverse += (double)fabsl(a->du[j][i]) / a->outer_length;
        if (c->outer == QUOTIENT && j == 1) inverse += (double)fabsl(a->du[j][i]);
        if (c->head[j] > KINK && a->u[j] == 0) {
            c->one_sided[i] = 1;
            c->steep[i] |= head_steep(c->head[j]);
        }
    }
    c->length[i] = inverse * s > 1 ? 1 / inverse : s;
    if (c->boxed) {
        const double before = c->x[i] - c->lo[i], behind = c->hi[i] - c->x[i];
        const double far = before > behind ? before : behind;
        if (far < c->length[i]) c->length[i] = far;
        if ((before < behind ? before : behind) < c->length[i] / 4) c->one_sided[i] = 1;
    }
}

/* Kinks lie at x, or limit the length, or neither. */
static void find_kinks(rate_case *c, const anatomy *a, size_t i)
{
    int j;
    for (j = 0; j <= c->heads; j++) {
        const int fold = j == c->heads;
        const wide u = fold ? a->fold : a->u[j], b = fold ? a->ds[i] : W(c->B[j][i]);
        double distance, jump;
        if ((fold ? c->outer != FOLDED : c->head[j] != KINK) || b == 0) continue;
        distance = (double)fabsl(u / b);
        if (distance > c->length[i]) continue;
        jump = fabs(c->A * (c->right - c->left)) * (double)fabsl(b);
        if (!fold) jump *= (double)fabsl(a->dv[j] * W(c->w[j]));
        if (distance < KINK_NEAR * size_of_x(c, i) || 4 * c->f_noise / distance > 1e-3 * jump) {
            c->across[fold ? MAX_HEADS : j][i] = 1;
            c->at_kink[i] |= distance == 0;
            if (distance > 0) {
                const double near_by = 4 * DISTINCT * c->f_noise / distance;
                c->blur[i] = near_by < jump ? near_by : jump;
            }
        } else c->length[i] = distance;
    }
}

/* Below this a slope is as good as 0. */
static void find_floor(rate_case *c, size_t i, double y)
{
    double x[MAX_N], steepest = 0;
    int k;
    memcpy(x, c->x, sizeof x);
    for (k = 0; k < 8; k++) {
        const double h = ldexp(size_of_x(c, i), -18 - 2 * (k / 2));
        double slope;
        x[i] = k & 1 ? c->x[i] - h : c->x[i] + h;
        slope = fabs((value(c, x) - y) / h);
        if (slope > steepest && slope - slope == 0) steepest = slope;
    }
    c->zero_floor[i] = (c->front >= 2 ? 1e-6 : 1e-9) * steepest;
}

/* The share in slope i of arguments that do not follow short steps. */
static double hidden_share(const rate_case *c, const anatomy *a, size_t i)
{
    const double units = c->single ? 100 : 1e5;
    double share = 0;
    int j;
    for (j = 0; j < c->heads; j++) {
        const double b = fabs(c->B[j][i]);
        if (b * c->length[i] < units * unit_of(c) * a->parts[j])
            share += fabs(c->A) * a->around[j] * a->typical[j] * b;
    }
    return share;
}

/* Fills in what is known; 0 if no difference scheme could vouch for the case. */
static int measure(rate_case *c)
{
    const double y = value(c, c->x);
    double low[MAX_N], high[MAX_N], hidden[MAX_N];
    anatomy a;
    size_t i;
    if (!(fabs(y) <= 1e290) || (y != 0 && fabs(y) < 1e-280)) return 0;
    memset(c->across, 0, sizeof c->across);
    memset(c->at_kink, 0, sizeof c->at_kink);
    memset(c->blur, 0, sizeof c->blur);
    exact_slopes(c, c->x, 0, -1, c->slope, &a);
    find_noise(c, &a);
    for (i = 0; i < c->n; i++) {
        find_length(c, &a, i);
        find_kinks(c, &a, i);
        find_floor(c, i, y);
        hidden[i] = hidden_share(c, &a, i);
        c->resolution[i] = c->f_noise / (c->length[i] / (c->one_sided[i] ? 16 : 4))
                         + unit_of(c) * c->typical[i];
    }
    exact_slopes(c, c->x, -1, -1, low, &a);
    exact_slopes(c, c->x, 1, -1, high, &a);
    for (i = 0; i < c->n; i++) {
        const double size = fabs(c->slope[i]), least = c->single ? 1e-30 : 1e-280;
        c->low[i] = low[i] < high[i] ? low[i] : high[i];
        c->high[i] = low[i] < high[i] ? high[i] : low[i];
        if (!(size <= 1 / least) || (size != 0 && size < least)) return 0;
        if (!c->steep[i] && !(c->resolution[i] <= 1e-3 * size)
            && !(c->resolution[i] <= 1e-8 * c->typical[i])) return 0;
        if (hidden[i] > (c->front >= 2 ? 1e-4 : 1e-7) * size) return 0;
    }
    return 1;
}

/* ---------------------------------------------------------------- drawing one */
typedef struct ranges {                 /* exponents of ten */
    double x_low, x_high, reach_low, reach_high, a_low, a_high, constant_high, constants;
} ranges;

static double stored(const rate_case *c, double v) { return held(c->single, v); }

static void draw_x(rate_case *c, random_stream *r, const ranges *g)
{
    size_t i;
    c->n = (size_t)(1 + below(r, MAX_N));
    for (i = 0; i < c->n; i++) {
        const int kind = below(r, 12);
        c->x[i] = stored(c, kind < 9 ? signed_power(r, g->x_low, g->x_high)
                          : uniform(r, -5, 5));
        if (c->regime == ORDINARY) {
            c->x[i] = uniform(r, -5, 5);
            if (kind < 2) c->x[i] = floor(c->x[i]);
        }
        if (c->regime != ORDINARY && kind == 11) c->x[i] = 0;
        c->x_scale[i] = c->x[i] != 0 ? fabs(c->x[i]) : power_of_ten(r, g->x_low, g->x_high);
    }
    if (c->regime == SCALED) c->scaled = 1;
}

/* u = B (x - P) + C of head j, of moderate size at x. `of` is the variable it needs. */
static void draw_argument(rate_case *c, random_stream *r, const ranges *g, int j, size_t of)
{
    const double target = uniform(r, -4, 4);
    double u = 0;
    size_t i;
    for (i = 0; i < c->n; i++) {
        c->B[j][i] = c->P[j][i] = 0;
        if (i != of && !chance(r, 0.35)) continue;
        c->B[j][i] = stored(c, signed_power(r, g->reach_low, g->reach_high)
                          / size_of_x(c, i));
        u += c->B[j][i] * c->x[i];
    }
    c->C[j] = stored(c, fabs(u) < 4 && chance(r, 0.3) ? 0 : target - u);
}

static void draw_heads(rate_case *c, random_stream *r, const ranges *g)
{
    int j;
    c->outer = below(r, FOLDED);
    c->outer_head = below(r, SMOOTH_HEADS);
    c->heads = chance(r, 0.4) ? 1 : 1 + below(r, MAX_HEADS);
    if (c->outer == PRODUCT && c->heads > 3) c->heads = 3;
    if (c->outer == QUOTIENT && c->heads < 2) c->heads = 2;
    for (j = 0; j < c->heads; j++) {
        c->head[j] = below(r, SMOOTH_HEADS);
        c->w[j] = chance(r, 0.3) ? either_sign(r) : stored(c, signed_uniform(r, 0.2, 2));
        draw_argument(c, r, g, j, (size_t)j % c->n);
    }
}
/* A composed function's inner sum of moderate size. */
static void tame(rate_case *c, random_stream *r)
{
    int j;
    for (j = 0; j < c->heads; j++) {
        const double v = fabs(inner_value(c, c->x, j));
        if (v > 1) c->w[j] = stored(c, c->w[j] / v * uniform(r, 0.5, 1));
    }
}

/* A kink at x, near it, or anywhere, in the last head or around everything. */
static void draw_kink(rate_case *c, random_stream *r)
{
    static const double pair[8][2] = {
        { -1, 1 }, { 0, 1 }, { 1, 0 }, { 0.1, 1 }, { -2, 1 }, { 1, -1 }, { 1, 1.5 }, { 0, 0 }
    };
    const int k = below(r, 8), place = below(r, 5);        /* at x, at x, near, near, far */
    const int j = c->heads - 1;
    c->left = k == 7 ? uniform(r, -2, 2) : pair[k][0];
    c->right = k == 7 ? uniform(r, -2, 2) : pair[k][1];
    if (chance(r, 0.25)) {
        c->outer = FOLDED;
        c->fold = inner_sum(c, c->x);
        if (place == 2 || place == 3) c->fold += signed_power(r, -12, 0)
                                               * (fabs(c->fold) + 0.1);
        if (place == 4) c->fold += uniform(r, -1, 1);
    } else {
        size_t i, moved = c->n;
        c->head[j] = KINK;
        if (place == 4) return;
        c->C[j] = 0;
        for (i = 0; i < c->n; i++)
            if (c->B[j][i] != 0) {
                c->P[j][i] = c->x[i];
                moved = i;
            }
        if (place >= 2)
            c->P[j][moved] += signed_power(r, -12, 0) * size_of_x(c, moved);
    }
}

/* Head 0 gets an edge, at x or at some distance of it; or all get a box. */
static void draw_edge(rate_case *c, random_stream *r)
{
    const size_t i = (size_t)below(r, (int)c->n);
    const double away = either_sign(r), d = power_of_ten(r, -14, 0);
    const int at = chance(r, 0.1);
    size_t k;
    if (chance(r, 0.15)) {
        c->boxed = 1;
        for (k = 0; k < c->n; k++) {
            const double s = size_of_x(c, k);
            c->lo[k] = c->x[k] - power_of_ten(r, -10, 1) * s;
            c->hi[k] = c->x[k] + power_of_ten(r, -2, 1) * s;
            if (chance(r, 0.2)) c->lo[k] = c->x[k];
            if (chance(r, 0.5)) {
                const double keep = c->lo[k];
                c->lo[k] = c->x[k] - (c->hi[k] - c->x[k]);
                c->hi[k] = c->x[k] + (c->x[k] - keep);
            }
        }
        return;
    }
    for (k = 0; k < c->n; k++) c->B[0][k] = c->P[0][k] = 0;
    c->C[0] = 0;
    c->head[0] = E_LOG + below(r, HEADS - E_LOG);
    if (c->head[0] >= E_ASIN) {         /* the edge is at 1 or -1; 1 - u and its like are x or -x */
        const double e = c->head[0] == E_ACOSH ? away : -away;
        c->P[0][i] = e;
        c->B[0][i] = away;
        c->x[i] = e + away * (at ? 0 : d);
    } else {
        const double e = chance(r, 0.3) ? 0 : signed_power(r, -2, 2);
        const double s = e != 0 ? fabs(e) : 1;
        c->P[0][i] = e;
        c->B[0][i] = chance(r, 0.5) ? away : away * power_of_ten(r, -1, 1) / s;
        c->x[i] = e + away * (at ? 0 : d * s);
    }
    if (at || c->outer == COMPOSED || c->outer == QUOTIENT)
        c->outer = chance(r, 0.5) || at ? SUM : PRODUCT;
}

/* f is 0 at x, as at a root, or where a constraint holds: its values there are rounding alone. Some
   of these are linear, and of some the slopes are 0 too, at numbers that textbooks like: x - sin(x)
   at 0. */
static void draw_root(rate_case *c, random_stream *r)
{
    const int kind = below(r, 4), last = c->heads;
    size_t i;
    int j;
    if (kind == 0)
        for (j = 0; j < c->heads; j++) c->head[j] = LINEAR;
    if (kind <= 1) c->outer = SUM;
    if (kind == 1 && last < MAX_HEADS) {
        anatomy a;
        const size_t of = (size_t)below(r, (int)c->n);
        for (i = 0; i < c->n; i++) c->x[i] = (double)(below(r, 7) - 3) / (1 + below(r, 2));
        for (j = 0; j < c->heads; j++) {
            for (i = 0; i < c->n; i++)
                if (c->B[j][i] != 0) c->B[j][i] = (double)(1 + below(r, 3)) / (1 + below(r, 2));
            c->C[j] = below(r, 3) - 1;
            c->w[j] = either_sign(r);
        }
        c->heads++;
        c->head[last] = LINEAR;
        for (i = 0; i < c->n; i++) c->B[last][i] = c->P[last][i] = 0;
        c->B[last][of] = 1;
        c->w[last] = c->C[last] = 0;
        a.side = 0;
        a.at_x = 0;
        take_inner(c, c->x, -1, &a);
        c->w[last] = -(double)a.ds[of];
        if (c->w[last] == 0) c->w[last] = 1;
    }
    c->constant = 0;
    c->constant = -value(c, c->x);
}

/* Relative to f, or to what f changes by over its length where that is more. */
static void draw_noise(rate_case *c, random_stream *r)
{
    double size = fabs(value(c, c->x));
    size_t i;
    measure(c);
    for (i = 0; i < c->n; i++)
        if (c->typical[i] * c->length[i] > size) size = c->typical[i] * c->length[i];
    c->noise = size * power_of_ten(r, -12, -4);
}

static void draw(rate_case *c, random_stream *r)
{
    static const ranges range[REGIMES] = {
        { -2, 1, -1, 1, -1, 1, 1, 0.2 }, { -8, 8, -4, 6, -8, 8, 8, 0.4 },
        { -3, 3, -1, 1.5, -6, 6, 1, 0.2 }, { -3, 3, -2, 2, -3, 3, 2, 0.25 },
        { -3, 3, -1, 1, -3, 3, 1, 0.1 }, { -3, 3, -1, 1, -3, 3, 1, 0.1 },
        { -3, 2, -1, 1, -3, 3, 1, 0 }
    };
    ranges g = range[c->regime];
    if (c->regime == SCALED && chance(r, 0.5)) {
        g.x_low = -140, g.x_high = 140;
        g.a_low = -140, g.a_high = 140;
    }
    if (c->regime == SINGLE) {
        c->single = 1;
        c->front = below(r, 4);
        if (chance(r, 0.2)) g.a_low = -12, g.a_high = 12;
    } else c->front = below(r, 2);
    if (c->regime == SINGLE && c->front < 2 && chance(r, 0.5)) {
        c->single = 0;                          /* x not a float */
        draw_x(c, r, &g);
        c->single = 1;
    } else draw_x(c, r, &g);
    draw_heads(c, r, &g);
    if (c->regime == EDGED) draw_edge(c, r);
    if (c->outer == COMPOSED || c->outer == QUOTIENT) tame(c, r);
    c->A = stored(c, signed_power(r, g.a_low, g.a_high));
    if (chance(r, 0.1)) c->A = either_sign(r);
    if (c->regime == KINKED) draw_kink(c, r);
    if (c->regime == ROOTED) draw_root(c, r);
    if (c->regime != ROOTED && chance(r, g.constants))
        c->constant = stored(c, fabs(c->A) * signed_power(r, -1, g.constant_high));
    if (c->regime == NOISY) draw_noise(c, r);
    c->theta = chance(r, 0.5) ? uniform(r, 0, 1) : 0.5 * below(r, 3);
}

/* ---------------------------------------------------------------- wrong claims */
static int judge(rate_case *c)          /* marks what is wrong; 1 if anything is */
{
    int any = 0;
    size_t i;
    for (i = 0; i < c->n; i++) {
        const double g = c->claim[i], low = c->low[i], high = c->high[i];
        const double off = g < low ? low - g : g > high ? g - high : 0;
        double size = fabs(g), need = DISTINCT * c->resolution[i];
        double relative = c->front >= 2 ? 5e-3 : high - low > 1e-6 * (fabs(low) + fabs(high)) ? 1e-3
                          : 1e-4;
        const double floor_ = (c->single ? 1e-4 : 1e-7) * c->typical[i];
        if (fabs(low) > size) size = fabs(low);
        if (fabs(high) > size) size = fabs(high);
        if (g - g != 0) return 0;
        if (c->length[i] < 4096 * DBL_EPSILON * size_of_x(c, i) && relative < 1e-2) relative = 1e-2;
        if (c->one_sided[i] && c->slope[i] == 0) relative = 0;
        if (relative * size > need) need = relative * size;
        if (floor_ > need) need = floor_;
        if (2 * c->zero_floor[i] > need) need = 2 * c->zero_floor[i];
        if (c->blur[i] > need) need = c->blur[i];
        if (c->one_sided[i] && 1e-3 * c->typical[i] > need) need = 1e-3 * c->typical[i];
        if (c->typical[i] == 0 && 1e-30 * fabs(c->A) > need * size_of_x(c, i))
            need = 1e-30 * fabs(c->A) / size_of_x(c, i);
        c->wrong[i] = c->steep[i] || (off > 0 && off >= need);
        c->exact[i] = !c->steep[i] && g == c->slope[i];
        if (off == 0 && c->at_kink[i]) c->exact[i] = 1;
        any |= c->wrong[i];
    }
    return any;
}

static void forge(rate_case *c, random_stream *r)
{
    const size_t i = (size_t)below(r, (int)c->n), k = (size_t)below(r, (int)c->n);
    const double factor[8] = { 2, 0.5, 3, 10, 0.1, 3.14159265358979, (double)c->n,
                               1 / (double)c->n };
    double *g = c->claim, other[MAX_N], t;
    const double f = factor[below(r, 8)];
    anatomy a;
    size_t m;
    memcpy(g, c->slope, sizeof c->slope);
    switch (below(r, 13)) {
    case 0: case 1:   g[i] = -g[i];                  c->error = "sign";           break;
    case 2: case 3:   g[i] *= f;                     c->error = "factor";         break;
    case 4:           g[i] = 0;                      c->error = "zero";           break;
    case 5: case 6:
        g[i] *= 1 + signed_power(r, -4, 0);
        c->error = "relative error";
        break;
    case 7:
        t = g[i], g[i] = g[k], g[k] = t;
        c->error = "swapped";
        break;
    case 8:
        for (m = 0; m < c->n; m++) g[m] = c->slope[(m + 1) % c->n];
        c->error = "shifted";
        break;
    case 9:
        g[i] += c->typical[i] * signed_power(r, -5, 0);
        c->error = "offset";
        break;
    case 10:
        exact_slopes(c, c->x, 0, below(r, c->heads), g, &a);
        c->error = "missing term";
        break;
    case 11:
        for (m = 0; m < c->n; m++)
            other[m] = c->x[m] + size_of_x(c, m) * signed_power(r, -3, 0);
        exact_slopes(c, other, 0, -1, g, &a);
        c->error = "of another x";
        break;
    default:
        for (m = 0; m < c->n; m++) g[m] *= c->n > 1 && f > 1 ? -1 : f;
        c->error = "all components";
    }
    if (c->high[i] > c->low[i] && chance(r, 0.6)) {         /* beside a kink's interval */
        const double margin = power_of_ten(r, -3, 0.3)
                            * (fabs(c->low[i]) > fabs(c->high[i]) ? fabs(c->low[i])
                                                                  : fabs(c->high[i]));
        memcpy(g, c->slope, sizeof c->slope);
        g[i] = chance(r, 0.5) ? c->low[i] - margin : c->high[i] + margin;
        c->error = "beside the interval";
    }
    if (c->steep[i]) g[i] = chance(r, 0.3) ? 0 : c->typical[i] * signed_power(r, -1, 8);
}

/* The case of this number, from nothing else. */
static void make_case(rate_case *c, int regime, size_t index, uint64_t seed)
{
    random_stream r;
    int tries, right, k, done = 0;
    size_t i;
    r.state = scramble(scramble(seed * 8 + (uint64_t)regime + 1) + (uint64_t)index);
    right = chance(&r, 0.5);
    for (tries = 0; !done; tries++) {
        memset(c, 0, sizeof *c);
        c->regime = regime;
        c->index = index;
        draw(c, &r);
        c->right_claim = right;
        if (!measure(c)) continue;
        for (k = 0; k < (right ? 1 : 8) && !done; k++) {
            int wrong;
            if (right) {
                memcpy(c->claim, c->slope, sizeof c->slope);
                c->error = "none";
            } else forge(c, &r);
            for (i = 0; c->front >= 2 && i < c->n; i++) c->claim[i] = (double)(float)c->claim[i];
            wrong = judge(c);
            if (right && !wrong)
                for (i = 0; i < c->n; i++) c->exact[i] = 1;
            done = right ? !wrong : wrong;
        }
    }
    for (i = 0; i < c->n; i++) {
        c->xf[i] = (float)c->x[i];
        c->claimf[i] = (float)c->claim[i];
    }
}

/* ---------------------------------------------------------------- the checker on it */
static double case_f(const double *x, size_t n, void *user)
{
    rate_case *c = (rate_case *)user;
    size_t i;
    c->calls++;
    for (i = 0; c->boxed && i < n; i++) c->left_box |= !(x[i] >= c->lo[i] && x[i] <= c->hi[i]);
    return value(c, x);
}
/* At x the claim; elsewhere what is right there. */
static void case_g(const double *x, size_t n, double *g, void *user)
{
    rate_case *c = (rate_case *)user;
    anatomy a;
    if (memcmp(x, c->x, n * sizeof *x) == 0) memcpy(g, c->claim, n * sizeof *g);
    else exact_slopes(c, x, 0, -1, g, &a);
}
static float case_ff(const float *x, size_t n, void *user)
{
    rate_case *c = (rate_case *)user;
    double wide_x[MAX_N];
    size_t i;
    c->calls++;
    for (i = 0; i < n; i++) wide_x[i] = (double)x[i];
    return (float)value(c, wide_x);
}
static void case_gf(const float *x, size_t n, float *g, void *user)
{
    rate_case *c = (rate_case *)user;
    double wide_x[MAX_N], slope[MAX_N];
    size_t i;
    for (i = 0; i < n; i++) wide_x[i] = (double)x[i];
    case_g(wide_x, n, slope, user);
    if (memcmp(x, c->xf, n * sizeof *x) == 0) memcpy(g, c->claimf, n * sizeof *g);
    else
        for (i = 0; i < n; i++) g[i] = (float)slope[i];
}

static ad_verdict run_case(rate_case *c, ad_check_result *out)
{
    ad_check_options o;
    memset(&o, 0, sizeof o);
    memset(out, 0, sizeof *out);
    c->calls = 0;
    c->left_box = 0;
    if (c->scaled) o.x_scale = c->x_scale;
    if (c->boxed) {
        o.lo = c->lo;
        o.hi = c->hi;
    }
    switch (c->front) {
    case 0:  return ad_check_gradient(case_f, case_g, c->x, c->n, c, &o, out);
    case 1:  return ad_check_values(case_f, c->claim, c->x, c->n, c, &o, out);
    case 2:  return adf_check_gradient(case_ff, case_gf, c->xf, c->n, c, &o, out);
    default: return adf_check_values(case_ff, c->claimf, c->xf, c->n, c, &o, out);
    }
}

static int put(void *user, const char *text, size_t length)
{
    return fwrite(text, 1, length, (FILE *)user) != length;
}

static void list(const char *name, const double *v, size_t n)
{
    size_t i;
    printf("    %-11s", name);
    for (i = 0; i < n; i++) printf(" %.17g", v[i]);
    putchar('\n');
}
static void show_case(const rate_case *c, uint64_t seed, const char *what,
                      const ad_check_result *out)
{
    static const char *const front[4] = {
        "ad_check_gradient", "ad_check_values", "adf_check_gradient", "adf_check_values"
    };
    size_t i;
    int j;
    printf("%s: rates --seed %lu --case %s %lu   (%s; error: %s)\n", what, (unsigned long)seed,
           regime_name[c->regime], (unsigned long)c->index, front[c->front], c->error);
    printf("    f = %.17g + %.17g %s%s%s%s", c->constant, c->A, outer_name[c->outer],
           c->outer == COMPOSED ? ", outer " : "",
           c->outer == COMPOSED ? head_name[c->outer_head] : "",
           c->single ? ", float arithmetic" : "");
    if (c->noise != 0) printf(", noise %.3g", c->noise);
    if (c->outer == FOLDED) printf(", fold %.17g", c->fold);
    if (c->outer == FOLDED || c->head[c->heads - 1] == KINK)
        printf(", kink slopes %.17g %.17g", c->left, c->right);
    putchar('\n');
    for (j = 0; j < c->heads; j++) {
        printf("    v%d = %.17g %s, u = %.17g", j, c->w[j], head_name[c->head[j]], c->C[j]);
        for (i = 0; i < c->n; i++)
            if (c->B[j][i] != 0) {
                printf(" + %.17g ", c->B[j][i]);
                if (c->P[j][i] != 0) printf("(x%lu - %.17g)", (unsigned long)i, c->P[j][i]);
                else printf("x%lu", (unsigned long)i);
            }
        putchar('\n');
    }
    list("x", c->x, c->n);
    if (c->scaled) list("x_scale", c->x_scale, c->n);
    if (c->boxed) {
        list("lo", c->lo, c->n);
        list("hi", c->hi, c->n);
    }
    list("slope", c->slope, c->n);
    list("slope, low", c->low, c->n);
    list("slope, high", c->high, c->n);
    list("claim", c->claim, c->n);
    printf("    wrong      ");
    for (i = 0; i < c->n; i++)
        printf(" %s%s", c->wrong[i] ? "wrong" : c->exact[i] ? "right" : "slight",
               c->steep[i] ? "(slope without bound)" : "");
    putchar('\n');
    list("length", c->length, c->n);
    list("resolution", c->resolution, c->n);
    list("typical", c->typical, c->n);
    printf("    f %.17g, noise of f %.3g\n    -> %s: %s\n", value(c, c->x), c->f_noise,
           ad_verdict_name(out->verdict), out->message);
}

/* ---------------------------------------------------------------- the rates */
typedef struct tally {
    size_t cases, right, wrong, false_alarms, passed, misplaced, open_right, open_wrong, broken;
    double evaluations, components;
} tally;

/* What must hold whatever the verdict. Returns what does not, NULL if all does. */
static const char *broken_promise(rate_case *c, ad_verdict v, const ad_check_result *out)
{
    ad_check_result again;
    if (v == AD_VERDICT_ERROR || v == AD_VERDICT_SKIPPED) return "the check did not run";
    if (out->verdict != v) return "result and returned verdict differ";
    if (out->message[0] == 0) return "no message";
    if (out->f_evals != c->calls) return "f was not called as often as is said";
    if (c->calls > 200 * c->n) return "more evaluations than max_evals";
    if (c->left_box) return "left the box";
    if (c->index % 64 != 0) return NULL;
    if (run_case(c, &again) != v || strcmp(again.message, out->message) != 0
        || again.n_findings != out->n_findings
        || memcmp(&again.worst_rel, &out->worst_rel, sizeof again.worst_rel) != 0
        || memcmp(&again.resolution, &out->resolution, sizeof again.resolution) != 0)
        return "a second run differs from the first";
    return NULL;
}

static void count_case(rate_case *c, uint64_t seed, int show, tally *t)
{
    ad_check_result out;
    const ad_verdict v = run_case(c, &out);
    const int open = ad_check_undecided(v), ok = ad_check_ok(v);
    const char *amiss = broken_promise(c, v, &out);
    size_t k;
    t->cases++;
    t->evaluations += (double)c->calls;
    t->components += (double)c->n;
    if (amiss) t->broken++;
    if (c->right_claim) {
        t->right++;
        if (!open && !ok) t->false_alarms++, amiss = "FALSE ALARM";
        if (open) t->open_right++, amiss = "UNDECIDED (right)";
    } else {
        t->wrong++;
        if (ok) t->passed++, amiss = "PASSED WRONG";
        if (open) t->open_wrong++, amiss = "UNDECIDED (wrong)";
        if (!open && !ok)
            for (k = 0; k < out.n_findings; k++) {
                const ad_check_finding *f = &out.findings[k];
                const int fails = !ad_check_ok(f->verdict) && !ad_check_undecided(f->verdict);
                if (fails && f->i < c->n && c->exact[f->i]) {
                    t->misplaced++, amiss = "MISPLACED";
                    break;
                }
            }
    }
    if (amiss && show) show_case(c, seed, amiss, &out);
}

static void add_up(tally *all, const tally *t)
{
    all->cases += t->cases;
    all->right += t->right;
    all->wrong += t->wrong;
    all->false_alarms += t->false_alarms;
    all->passed += t->passed;
    all->misplaced += t->misplaced;
    all->open_right += t->open_right;
    all->open_wrong += t->open_wrong;
    all->broken += t->broken;
    all->evaluations += t->evaluations;
    all->components += t->components;
}

static int failed_checks, passed_checks;

static double percent(size_t part, size_t whole)
{
    return whole ? 100 * (double)part / (double)whole : 0;
}
/* A rate of `most` per cent gives a count of so many, give or take its root. */
static void limit(const char *where, const char *what, size_t part, size_t whole, double most)
{
    const double mean = most / 100 * (double)whole;
    if ((double)part <= mean + 3 * sqrt(mean)) {
        passed_checks++;
        return;
    }
    failed_checks++;
    printf("FAILED: %s: %s: %lu of %lu, %.3f %%, above %.2f %%\n", where, what,
           (unsigned long)part, (unsigned long)whole, percent(part, whole), most);
}

static void report(const char *name, const tally *t)
{
    const size_t undecided = t->open_right + t->open_wrong;
    printf("%-9s %7lu %7lu  %5lu %6.3f%%  %7lu  %5lu %6.3f%%  %5lu %6.3f%%  "
           "%5lu %5lu %6.3f%%  %6.1f\n", name, (unsigned long)t->cases, (unsigned long)t->right,
           (unsigned long)t->false_alarms,
           percent(t->false_alarms, t->right), (unsigned long)t->wrong, (unsigned long)t->passed,
           percent(t->passed, t->wrong), (unsigned long)t->misplaced,
           percent(t->misplaced, t->wrong), (unsigned long)t->open_right,
           (unsigned long)t->open_wrong, percent(undecided, t->cases),
           t->evaluations / t->components);
    fflush(stdout);
    limit(name, "false alarms among right claims", t->false_alarms, t->right, 0.05);
    limit(name, "wrong claims passed", t->passed, t->wrong, 0.05);
    limit(name, "right components blamed in wrong claims", t->misplaced, t->wrong, 0.05);
    limit(name, "undecided", undecided, t->cases, 0.5);
    limit(name, "broken promises", t->broken, t->cases, 0);
    passed_checks += (int)(t->cases - undecided - t->false_alarms - t->passed);
}
static void heading(void)
{
    printf("%-9s %7s %7s  %-13s  %7s  %-13s  %-13s  %-19s  %6s\n", "", "cases", "right",
           "false alarms", "wrong", "passed", "misplaced", "undecided: r, w", "f/comp");
}

/* ---------------------------------------------------------------- many variables */
#define MANY 20000

typedef struct large_case {
    size_t n, calls, index;
    int linked, right_claim;
    double A;
    const char *error;
    size_t wrongs;
    double x[MANY], B[MANY], C[MANY], w[MANY], g[MANY], claim[MANY];
    unsigned char head[MANY], wrong[MANY];
} large_case;

static large_case many;

static double large_f(const double *x, size_t n, void *user)
{
    large_case *c = (large_case *)user;
    double s = 0;
    size_t i;
    c->calls++;
    for (i = 0; i < n; i++) {
        double u = c->B[i] * x[i] + c->C[i];
        if (c->linked && i + 1 < n) u += c->B[i + 1] * x[i + 1] / 2;
        s += c->w[i] * head_value(c->head[i], u, 0, 0, 0);
    }
    return c->A * s;
}
static void large_slopes(const large_case *c, const double *x, double *g)
{
    size_t i;
    for (i = 0; i < c->n; i++) g[i] = 0;
    for (i = 0; i < c->n; i++) {
        const int linked = c->linked && i + 1 < c->n;
        wide u = W(c->B[i]) * W(x[i]) + W(c->C[i]), slope;
        if (linked) u += W(c->B[i + 1]) * W(x[i + 1]) / 2;
        slope = W(c->A) * W(c->w[i]) * head_exact(c->head[i], u, 0, 0).slope;
        g[i] += (double)(slope * W(c->B[i]));
        if (linked) g[i + 1] += (double)(slope * W(c->B[i + 1]) / 2);
    }
}
static void large_g(const double *x, size_t n, double *g, void *user)
{
    large_case *c = (large_case *)user;
    if (memcmp(x, c->x, n * sizeof *x) == 0) memcpy(g, c->claim, n * sizeof *g);
    else large_slopes(c, x, g);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Half the fields are 1e5 times the other half, in x or in weight. Wrong are components that
   matter as much as the middling one of their field; by a factor, a sign, or 1 % at least. */
static void make_large(large_case *c, size_t index, uint64_t seed)
{
    static double sorted[MANY];
    random_stream r;
    double field_x, field_w, middle[2];
    size_t i, k;
    int kind, field;
    r.state = scramble(scramble(seed * 8 + 7) + (uint64_t)index);
    c->index = index;
    c->n = (size_t)(3000 * pow(MANY / 3000.0, uniform(&r, 0, 1)));
    c->linked = chance(&r, 0.5);
    c->A = signed_power(&r, -6, 6);
    field_x = chance(&r, 0.5) ? 1e5 : 1;
    field_w = chance(&r, 0.3) ? 1e5 : 1;
    for (i = 0; i < c->n; i++) {
        c->x[i] = signed_power(&r, -1, 0.5) * (i & 1 ? field_x : 1);
        c->B[i] = signed_power(&r, -1, 0.5) / fabs(c->x[i]);
        c->C[i] = uniform(&r, -2, 2);
        c->w[i] = uniform(&r, 0.5, 1.5) * (i & 1 ? field_w : 1);
        c->head[i] = (unsigned char)below(&r, SMOOTH_HEADS);
    }
    large_slopes(c, c->x, c->g);
    for (field = 0; field < 2; field++) {
        for (k = 0, i = (size_t)field; i < c->n; i += 2) sorted[k++] = fabs(c->g[i] * c->x[i]);
        qsort(sorted, k, sizeof *sorted, ascending);
        middle[field] = sorted[k / 2];
    }
    memcpy(c->claim, c->g, sizeof c->g);
    memset(c->wrong, 0, sizeof c->wrong);
    c->right_claim = chance(&r, 0.5);
    c->wrongs = 0;
    c->error = "none";
    if (c->right_claim) return;
    kind = below(&r, 6);
    c->error = kind == 0 ? "sign" : kind == 1 ? "twice" : kind == 2 ? "half" : kind == 3 ? "zero"
             : kind == 4 ? "relative error" : "all";
    c->wrongs = kind == 5 ? c->n : chance(&r, 0.5) ? 1 : (size_t)(2 + below(&r, 7));
    for (k = 0; k < c->wrongs; k++) {
        const double slight = 1 + signed_power(&r, -2, 0);
        do i = kind == 5 ? k : (size_t)below(&r, (int)c->n);
        while (kind < 5 && (c->wrong[i] || fabs(c->g[i] * c->x[i]) < middle[i & 1]));
        c->wrong[i] = 1;
        c->claim[i] *= kind == 0 ? -1 : kind == 1 ? 2 : kind == 2 ? 0.5 : kind == 3 ? 0
                     : kind == 4 ? slight : 1.5;
    }
}

static ad_verdict run_large(large_case *c, ad_check_result *out)
{
    memset(out, 0, sizeof *out);
    c->calls = 0;
    return ad_check_gradient(large_f, large_g, c->x, c->n, c, NULL, out);
}
static void show_large(const large_case *c, uint64_t seed, const char *what,
                       const ad_check_result *out)
{
    size_t i, told = 0;
    printf("%s: rates --seed %lu --case large %lu   (n %lu, %s, A %.17g, error: %s)\n", what,
           (unsigned long)seed, (unsigned long)c->index, (unsigned long)c->n,
           c->linked ? "linked" : "separable", c->A, c->error);
    for (i = 0; i < c->n && told < 8; i++)
        if (c->wrong[i]) {
            printf("    wrong %lu: slope %.9g, claim %.9g, x %.9g\n", (unsigned long)i, c->g[i],
                   c->claim[i], c->x[i]);
            told++;
        }
    printf("    -> %s: %s\n", ad_verdict_name(out->verdict), out->message);
}

static void run_many(size_t cases, uint64_t seed, int show)
{
    tally t;
    size_t i, k, to_find = 0, found = 0, nowhere = 0;
    memset(&t, 0, sizeof t);
    for (i = 0; i < cases; i++) {
        large_case *c = &many;
        ad_check_result out;
        ad_verdict v;
        int open, ok;
        const char *amiss = NULL;
        make_large(c, i, seed);
        v = run_large(c, &out);
        open = ad_check_undecided(v);
        ok = ad_check_ok(v);
        t.cases++;
        t.evaluations += (double)c->calls;
        t.components++;
        if (v == AD_VERDICT_ERROR || out.verdict != v || out.message[0] == 0
            || out.f_evals != c->calls || c->calls > 20000) {
            t.broken++;
            amiss = "BROKEN PROMISE";
        }
        if (c->right_claim) {
            t.right++;
            if (!open && !ok) t.false_alarms++, amiss = "FALSE ALARM";
            if (open) t.open_right++, amiss = "UNDECIDED (right)";
        } else {
            size_t here = 0;
            int misplaced = 0;
            t.wrong++;
            if (ok) t.passed++, amiss = "PASSED WRONG";
            if (open) t.open_wrong++, amiss = "UNDECIDED (wrong)";
            for (k = 0; k < out.n_findings; k++) {
                const ad_check_finding *f = &out.findings[k];
                if (ad_check_ok(f->verdict) || ad_check_undecided(f->verdict) || f->i >= c->n)
                    continue;
                if (c->wrong[f->i]) here++;
                else misplaced = 1;
            }
            if (misplaced) t.misplaced++, amiss = "MISPLACED";
            if (here == 0) nowhere++, amiss = amiss ? amiss : "NOT FOUND";
            if (c->wrongs <= AD_CHECK_FINDINGS) {
                to_find += c->wrongs;
                found += here;
                if (here < c->wrongs && !amiss) amiss = "NOT ALL FOUND";
            }
        }
        if (amiss && show) show_large(c, seed, amiss, &out);
    }
    heading();
    report("large", &t);
    printf("%lu of %lu wrong components found where they are (of cases with at most 8); the last "
           "column is evaluations a case\n", (unsigned long)found, (unsigned long)to_find);
    limit("large", "wrong gradients without a wrong component named", nowhere, t.wrong, 1);
    limit("large", "wrong components not named", to_find - found, to_find, 10);
}

/* ---------------------------------------------------------------- */
static int one_case(const char *name, size_t index, uint64_t seed)
{
    ad_check_result out;
    int regime;
    if (strcmp(name, "large") == 0) {
        make_large(&many, index, seed);
        run_large(&many, &out);
        show_large(&many, seed, "CASE", &out);
        ad_check_print(&out, put, stdout);
        return 0;
    }
    for (regime = 0; regime < REGIMES; regime++) {
        rate_case c;
        if (strcmp(name, regime_name[regime]) != 0) continue;
        make_case(&c, regime, index, seed);
        run_case(&c, &out);
        show_case(&c, seed, c.right_claim ? "RIGHT" : "WRONG", &out);
        ad_check_print(&out, put, stdout);
        return 0;
    }
    fprintf(stderr, "no regime %s\n", name);
    return 2;
}

int main(int argc, char **argv)
{
    tally all[REGIMES];
    size_t cases = 0, i, seeds = 1, k;
    uint64_t seed = scramble((uint64_t)time(NULL) * 1000003 + (uint64_t)clock()) % 1000000;
    int show = 0, large = 0, regime, a;
    const char *only = NULL, *name = NULL;
    size_t index = 0;
    for (a = 1; a < argc; a++) {
        if (strcmp(argv[a], "--show") == 0) show = 1;
        else if (strcmp(argv[a], "--large") == 0) large = 1;
        else if (strcmp(argv[a], "--regime") == 0 && a + 1 < argc) only = argv[++a];
        else if (strcmp(argv[a], "--seed") == 0 && a + 1 < argc)
            seed = (uint64_t)strtoul(argv[++a], NULL, 10);
        else if (strcmp(argv[a], "--seeds") == 0 && a + 1 < argc)
            seeds = (size_t)strtoul(argv[++a], NULL, 10);
        else if (strcmp(argv[a], "--case") == 0 && a + 2 < argc) {
            name = argv[a + 1];
            index = (size_t)strtoul(argv[a + 2], NULL, 10);
            a += 2;
        } else if (argv[a][0] >= '1' && argv[a][0] <= '9')
            cases = (size_t)strtoul(argv[a], NULL, 10);
        else {
            fprintf(stderr, "rates [CASES] [--show] [--regime NAME] [--case NAME INDEX] "
                            "[--seed N] [--seeds K] [--large]\n");
            return 2;
        }
    }
    if (name) return one_case(name, index, seed);
    memset(all, 0, sizeof all);
    for (k = 0; k < seeds; k++, seed++) {
        printf("seed %lu\n", (unsigned long)seed);
        if (large) {
            run_many(cases ? cases : 200, seed, show);
            continue;
        }
        heading();
        for (regime = 0; regime < REGIMES; regime++) {
            tally t;
            if (only && strcmp(only, regime_name[regime]) != 0) continue;
            memset(&t, 0, sizeof t);
            for (i = 0; i < (cases ? cases : 20000); i++) {
                rate_case c;
                make_case(&c, regime, i, seed);
                count_case(&c, seed, show, &t);
            }
            report(regime_name[regime], &t);
            add_up(&all[regime], &t);
        }
    }
    if (seeds > 1 && !large) {
        printf("all %lu seeds\n", (unsigned long)seeds);
        heading();
        for (regime = 0; regime < REGIMES; regime++)
            if (all[regime].cases) report(regime_name[regime], &all[regime]);
    }
    printf("%d passed, %d failed\n", passed_checks, failed_checks);
    return failed_checks != 0 || passed_checks == 0;
}
