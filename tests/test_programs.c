/* Functions of arrays against the tape: random programs over every operation of the interface are
   recorded at one set of numbers, compiled, run at others, and recorded again there. The values are
   the tape's to the last bit but behind a sum over all elements; gradients, products with the
   Jacobian and its transpose, and derivatives of these are those of sweeps, and of differences.
   Then by hand: what a descriptor says, memory that runs out, outputs and inputs of every kind,
   guards, what is captured, wrong arguments, and what the statistics say.
   The file includes itself, once for each real type, behind the first #else.
   Sections: Common Types; Compiled Functions; Arrays; Arrays: Shapes; Arrays: Operations; Arrays:
   Recorded Gradients; Arrays: Compiled Functions; Arrays: The Rows; Arrays: Programs. */
#ifndef PREAL
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include "heap.h"
#include "leaks.h"
#include "test.h"

TEST_DEF void suite_programs(void);

/* Numbers that depend on a seed alone: Vigna's splitmix64. */
typedef struct dice { uint64_t state; } dice;
static uint64_t draw(dice *d)
{
    uint64_t z = d->state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}
static size_t below(dice *d, size_t n) { return (size_t)((draw(d) >> 11) % n); }
static int chance(dice *d, int percent) { return (int)below(d, 100) < percent; }
static int chance_of(uint64_t seed, int percent)
{
    dice d;
    d.state = seed ^ 0xABCD;
    return chance(&d, percent);
}
static double unit(dice *d) { return (double)(draw(d) >> 40) / 8388608.0 - 1; }   /* a float */

/* Where a rule's operands may lie in programs without infinities; grows: its result is bent back
   after it; kink: no differences are taken across it. */
typedef struct range { const char *name; double low, high, low2, high2; int grows, kink; } range;
static const range ranges[] = {
    { "mul", 0, 0, 0, 0, 1, 0 },         { "div", 0, 0, 0.6, 2, 1, 0 },
    { "mul0", 0, 0, 0, 0, 1, 0 },        { "div0", 0, 0, 0.6, 2, 1, 0 },
    { "fma", 0, 0, 0, 0, 1, 0 },         { "abs", 0, 0, 0, 0, 0, 1 },
    { "sign", 0, 0, 0, 0, 0, 1 },        { "copysign", 0, 0, 0, 0, 0, 1 },
    { "sqrt", 0.5, 2, 0, 0, 0, 0 },      { "cbrt", 0.5, 2, 0, 0, 0, 0 },
    { "square", 0, 0, 0, 0, 1, 0 },      { "inv", 0.6, 3, 0, 0, 0, 0 },
    { "hypot", 0.5, 2, 0, 0, 1, 0 },     { "pow", 0.6, 2, -2, 2, 1, 0 },
    { "ipow", 0.6, 2, -3, 3, 1, 1 },     { "exp", -2, 1, 0, 0, 1, 0 },
    { "exp2", -2, 1, 0, 0, 1, 0 },       { "expm1", -2, 1, 0, 0, 1, 0 },
    { "log", 0.6, 3, 0, 0, 0, 0 },       { "log2", 0.6, 3, 0, 0, 0, 0 },
    { "log10", 0.6, 3, 0, 0, 0, 0 },     { "log1p", -0.5, 2, 0, 0, 0, 0 },
    { "tan", -1, 1, 0, 0, 1, 0 },        { "asin", -0.8, 0.8, 0, 0, 0, 0 },
    { "acos", -0.8, 0.8, 0, 0, 0, 0 },   { "atan2", 0.5, 2, 0, 0, 0, 0 },
    { "sinh", -2, 2, 0, 0, 1, 0 },       { "cosh", -2, 2, 0, 0, 1, 0 },
    { "acosh", 1.3, 3, 0, 0, 0, 0 },     { "atanh", -0.8, 0.8, 0, 0, 0, 0 },
    { "lgamma", 0.6, 3, 0, 0, 1, 0 },    { "digamma", 0.6, 3, 0, 0, 1, 0 },
    { "trigamma", 0.6, 3, 0, 0, 1, 0 },  { "polygamma", 0.8, 3, 0.75, 1.25, 1, 1 },
    { "softplus", 0, 0, 0, 0, 1, 0 },    { "logaddexp", 0, 0, 0, 0, 1, 0 },
    { "relu", 0, 0, 0, 0, 0, 1 },        { "leaky_relu", 0, 0, 0.1, 1, 0, 1 },
    { "elu", -2, 2, 0.1, 1, 0, 1 },      { "selu", -2, 2, 0, 0, 1, 1 },
    { "gelu", 0, 0, 0, 0, 1, 0 },        { "gelu_tanh", 0, 0, 0, 0, 1, 0 },
    { "silu", 0, 0, 0, 0, 1, 0 },        { "min", 0, 0, 0, 0, 0, 1 },
    { "max", 0, 0, 0, 0, 0, 1 },         { "clamp", 0, 0, 0, 0, 0, 1 },
    { "floor", 0, 0, 0, 0, 0, 1 },       { "ceil", 0, 0, 0, 0, 0, 1 },
    { "round", 0, 0, 0, 0, 0, 1 },       { "trunc", 0, 0, 0, 0, 0, 1 },
    { "fmod", 0, 0, 0.6, 2, 0, 1 },      { "lt", 0, 0, 0, 0, 0, 1 },
    { "le", 0, 0, 0, 0, 0, 1 },          { "gt", 0, 0, 0, 0, 0, 1 },
    { "ge", 0, 0, 0, 0, 0, 1 },          { "eq", 0, 0, 0, 0, 0, 1 },
    { "ne", 0, 0, 0, 0, 0, 1 },          { "select", 0, 0, 0, 0, 0, 1 },
    { "sub0", 0, 0, 0, 0, 1, 1 },        { "add", 0, 0, 0, 0, 1, 0 },
    { "sub", 0, 0, 0, 0, 1, 0 }
};
static const range *range_of(const char *name)
{
    static const range none = { "", 0, 0, 0, 0, 0, 0 };
    size_t k;
    for (k = 0; k < sizeof ranges / sizeof ranges[0]; k++)
        if (strcmp(ranges[k].name, name) == 0) return &ranges[k];
    return &none;
}

/* Kinds of programs. */
enum {
    WILD = 1,           /* NaN, infinities, zeros of both signs; no operation that refuses them */
    SMOOTH = 2,         /* nothing that has kinks */
    EMPTY = 4           /* some extents are 0 */
};
enum { INPUTS = 5, VALUES = 96, OUTPUTS = 8, LARGEST = 4096, DERIVED = 40 };

static int one_line(const char *message)
{
    return message[0] != 0 && strchr(message, '\n') == NULL;
}

#define TWICE "test_programs.c"
#include "twice.h"

TEST_DEF void suite_programs(void)
{
    d_programs();
    f_programs();
}

#else
/* ================================================================ once for each real type */

#define SINGLE (sizeof(PREAL) == sizeof(float))
#define EPS    (SINGLE ? (double)FLT_EPSILON : DBL_EPSILON)

typedef struct PT(rule) {
    const char *name;
    PAD(array) (*one)(PAD(array));
    PAD(array) (*two)(PAD(array), PAD(array));
    PAD(array) (*two_r)(PAD(array), PREAL);
    PAD(array) (*two_from_r)(PREAL, PAD(array));
    PAD(array) (*three)(PAD(array), PAD(array), PAD(array));
} PT(rule);
static const PT(rule) PT(rules)[] = {
#define X1(name, class_, value, dx)                                                                \
    { #name, PAD(array_##name), NULL, NULL, NULL, NULL },
#define X2(name, class_, value, dx, dy)                                                            \
    { #name, NULL, PAD(array_##name), PAD(array_##name##_r), PAD(array_##name##_from_r), NULL },
#define X3(name, class_, value, dx, dy, dz)                                                        \
    { #name, NULL, NULL, NULL, NULL, PAD(array_##name) },
    ADI_READ((X1, X2, X3, ADI_SKIPN, ADI_WORDS(ADI_WORD_TEXT)))
#undef X1
#undef X2
#undef X3
};
enum { PT(RULES) = sizeof PT(rules) / sizeof PT(rules)[0] };

/* Memory for numbers, given back all at once. */
static PREAL PT(pool)[1 << 18];
static size_t PT(pooled);
static PREAL *PT(take)(size_t n)
{
    PREAL *const p = PT(pool) + PT(pooled);
    PT(pooled) += n + 1;
    if (PT(pooled) > sizeof PT(pool) / sizeof PT(pool)[0]) abort();
    return p;
}

/* ---------------------------------------------------------------- random programs */

/* A program while it is recorded: what it has computed, and whether a sum over all elements is
   behind it (1), and then something that jumps (2). What is recorded depends on the dice and on
   shapes, never on numbers. */
typedef struct PT(world) {
    PAD(tape) *t;
    dice d;
    int kind;
    size_t n, inputs;
    PAD(array) v[VALUES];
    int    loose[VALUES];
    int    now;                           /* of the operation that is being recorded */
} PT(world);

/* One of the values, the late ones first. */
static PAD(array) PT(any)(PT(world) *w)
{
    size_t i = below(&w->d, w->n);
    if (w->n > 5 && chance(&w->d, 55)) i = w->n - 1 - below(&w->d, 5);
    w->now |= w->loose[i];
    return w->v[i];
}
static void PT(give)(PT(world) *w, PAD(array) a)
{
    if (w->n < VALUES && a.rank >= 0) {
        w->loose[w->n] = w->now;
        w->v[w->n++] = a;
    }
}
/* What jumps where a number is a little different is not compared behind a sum. */
static void PT(torn)(PT(world) *w, int kink)
{
    if (kink && w->now) w->now |= 2;
}
static void PT(shape)(PT(world) *w, int least, int *rank, int32_t *dim)
{
    int k;
    *rank = least + (int)below(&w->d, (size_t)(5 - least));
    for (k = 0; k < 4; k++) {
        dim[k] = 1 + (int32_t)below(&w->d, *rank > 2 ? 4 : 7);
        if ((w->kind & EMPTY) && chance(&w->d, 8)) dim[k] = 0;
    }
    if (*rank == 1 && chance(&w->d, 30)) dim[0] = 16 + (int32_t)below(&w->d, 90);
}
/* a in another shape: a piece of it or its elements again and again. */
static PAD(array) PT(fit)(PT(world) *w, PAD(array) a, int rank, const int32_t *dim)
{
    static uint32_t index[LARGEST];
    const size_t have = PAD(array_size)(a);
    size_t want = 1, k;
    for (k = 0; k < (size_t)rank; k++) want *= (size_t)dim[k];
    if (want > LARGEST) abort();
    if (have == 0 && want > 0) return PAD(array_full)(w->t, rank, dim, (PREAL)0.75);
    if (have != want) {
        const int32_t flat = (int32_t)have;
        a = PAD(array_reshape)(a, 1, &flat);
        if (have > want && chance(&w->d, 70)) {
            const int32_t from = (int32_t)below(&w->d, have - want + 1);
            a = PAD(array_slice)(a, 0, from, from + (int32_t)want, 1);
        } else {
            for (k = 0; k < want; k++) index[k] = (uint32_t)(k % have);
            a = PAD(array_gather)(a, 0, want, index);
        }
    }
    return PAD(array_reshape)(a, rank, dim);
}
static PAD(array) PT(some)(PT(world) *w, int rank, const int32_t *dim)
{
    return PT(fit)(w, PT(any)(w), rank, dim);
}
static PAD(array) PT(some2)(PT(world) *w, int32_t rows, int32_t columns)
{
    int32_t dim[2];
    dim[0] = rows, dim[1] = columns;
    return PT(some)(w, 2, dim);
}
/* Something that broadcasts to dim[rank]. */
static PAD(array) PT(beside)(PT(world) *w, int rank, const int32_t *dim)
{
    int32_t e[4] = { 1, 1, 1, 1 };
    const int drop = chance(&w->d, 40) ? (int)below(&w->d, (size_t)rank + 1) : 0;
    int k;
    for (k = drop; k < rank; k++) e[k - drop] = chance(&w->d, 25) ? 1 : dim[k];
    return PT(some)(w, rank - drop, e);
}
static PAD(array) PT(within)(PT(world) *w, PAD(array) a, double low, double high)
{
    if ((w->kind & WILD) || low >= high) return a;
    return PAD(array_add_r)(PAD(array_mul_r)(PAD(array_sigmoid)(a), (PREAL)(high - low)),
                            (PREAL)low);
}
static PAD(array) PT(bend)(PT(world) *w, PAD(array) a)
{
    if (w->kind & WILD) return a;
    switch (below(&w->d, 4)) {
    case 0:  return PAD(array_tanh)(a);
    case 1:  return PAD(array_atan)(a);
    case 2:  return PAD(array_sin)(a);
    default: return PAD(array_erf)(PAD(array_mul_r)(a, (PREAL)0.5));
    }
}
static const PT(rule) *PT(a_rule)(PT(world) *w, int operands)
{
    for (;;) {
        const PT(rule) *const r = &PT(rules)[below(&w->d, PT(RULES))];
        if ((r->one ? 1 : r->two ? 2 : 3) != operands) continue;
        if ((w->kind & SMOOTH) && range_of(r->name)->kink) continue;
        if (!(w->kind & WILD) && strcmp(r->name, "polygamma") == 0) continue;
        return r;
    }
}
static PREAL PT(number)(PT(world) *w)
{
    static const double special[] = { 0, 1, -1, 2, 0.5, -0.5, 3, 0.25, -2, 10 };
    if ((w->kind & WILD) && chance(&w->d, 8))
        return (PREAL)(chance(&w->d, 40) ? (double)NAN : chance(&w->d, 50) ? HUGE_VAL : -0.0);
    if (chance(&w->d, 50)) return (PREAL)special[below(&w->d, 10)];
    return (PREAL)(2 * unit(&w->d));
}
/* A number from within. */
static PREAL PT(inside)(PT(world) *w, double low, double high)
{
    if ((w->kind & WILD) || low >= high) return PT(number)(w);
    return (PREAL)(low + (high - low) * (0.5 + 0.5 * unit(&w->d)));
}
static PAD(array) PT(eye)(PT(world) *w, int32_t n, double on)
{
    static PREAL e[64];
    int32_t dim[2], k;
    dim[0] = dim[1] = n;
    for (k = 0; k < n * n; k++) e[k] = (PREAL)(k % (n + 1) == 0 ? on : 0);
    return PAD(array_const)(w->t, 2, dim, e);
}
/* A matrix, or a batch of them, that is positive definite or at least not singular. */
static PAD(array) PT(matrix)(PT(world) *w, int32_t n, int definite)
{
    int32_t dim[3];
    const int rank = chance(&w->d, 30) ? 3 : 2;
    PAD(array) a;
    dim[0] = rank == 3 ? 2 : n, dim[1] = dim[2] = n;
    a = PAD(array_mul_r)(PAD(array_tanh)(PT(some)(w, rank, dim)), (PREAL)0.4);
    if (definite) a = PAD(array_matmul_t)(a, 0, a, 1);
    return PAD(array_add)(a, PT(eye)(w, n, 2));
}
static PAD(array) PT(perhaps)(PT(world) *w, int32_t n)
{
    PAD(array) none;
    memset(&none, 0, sizeof none);
    none.rank = -1;
    return chance(&w->d, 30) ? none : PT(some)(w, 1, &n);
}
static ad_reduction PT(how)(PT(world) *w)
{
    const size_t k = below(&w->d, 4);
    if (k < 2) {
        w->now = 1;
        return k ? AD_MEAN : AD_SUM;
    }
    return AD_NONE;
}
/* Some axes of a, none of which may be empty. */
static unsigned PT(axes)(PT(world) *w, PAD(array) a)
{
    unsigned m = (unsigned)below(&w->d, 16) & ((1u << a.rank) - 1u);
    if (chance(&w->d, 25)) m = AD_ALL_AXES;
    return m | AD_NO_AXES;
}

/* Functions for maps: made once, they outlive all. */
enum { PT(MAPS) = 4 };
static PAD(fn) *PT(mapped)[PT(MAPS)];
static void PT(maps)(void)
{
    PT(mapped)[0] = PAD(fn_parse)("sin(a*a) + 0.5*a", "a", NULL, 0);
    PT(mapped)[1] = PAD(fn_parse)("tanh(a*b) - a/(1 + b^2)", "a, b", NULL, 0);
    PT(mapped)[2] = PAD(fn_parse)("let r = a*b + c; exp(-r^2) * cos(r - c)", "a, b, c", NULL, 0);
    PT(mapped)[3] = PAD(fn_parse)("let r = a^3; sigmoid(r) + r/(1 + r^2)", "a", NULL, 0);
}
static const size_t PT(map_inputs)[PT(MAPS)] = { 1, 2, 3, 1 };

enum { PT(OPERATIONS) = 58 };
static void PT(step)(PT(world) *w)
{
    static uint32_t index[LARGEST];
    const size_t which = below(&w->d, PT(OPERATIONS));
    const int tame = !(w->kind & WILD);
    PAD(array) a, b, c, many[3];
    int rank, k, axis, order[4];
    int32_t dim[4], e[4], after[4];
    size_t n, i;
    const PT(rule) *r;
    const range *g;
    w->now = 0;
    PT(shape)(w, 0, &rank, dim);
    switch (which) {
    case 0: case 1: case 2:
        r = PT(a_rule)(w, 1);
        g = range_of(r->name);
        a = r->one(PT(within)(w, PT(any)(w), g->low, g->high));
        PT(torn)(w, g->kink);
        PT(give)(w, g->grows ? PT(bend)(w, a) : a);
        return;
    case 3: case 4: case 5:
        r = PT(a_rule)(w, 2);
        g = range_of(r->name);
        a = PT(any)(w);
        b = PT(beside)(w, a.rank, a.dim);
        if (chance(&w->d, 30)) c = a, a = b, b = c;
        if (chance(&w->d, 5)) b = a;
        a = r->two(PT(within)(w, a, g->low, g->high), PT(within)(w, b, g->low2, g->high2));
        PT(torn)(w, g->kink);
        PT(give)(w, g->grows ? PT(bend)(w, a) : a);
        return;
    case 6:
        r = PT(a_rule)(w, 2);
        g = range_of(r->name);
        a = PT(any)(w);
        a = r->two_r(PT(within)(w, a, g->low, g->high), PT(inside)(w, g->low2, g->high2));
        PT(torn)(w, g->kink);
        PT(give)(w, g->grows ? PT(bend)(w, a) : a);
        return;
    case 7:
        r = PT(a_rule)(w, 2);
        g = range_of(r->name);
        a = PT(any)(w);
        a = r->two_from_r(PT(inside)(w, g->low, g->high), PT(within)(w, a, g->low2, g->high2));
        PT(torn)(w, g->kink);
        PT(give)(w, g->grows ? PT(bend)(w, a) : a);
        return;
    case 8: case 9:
        r = PT(a_rule)(w, 3);
        g = range_of(r->name);
        a = PT(any)(w);
        b = PT(beside)(w, a.rank, a.dim);
        c = PT(beside)(w, a.rank, a.dim);
        a = chance(&w->d, 50) ? r->three(a, b, c) : r->three(c, b, a);
        PT(torn)(w, g->kink);
        PT(give)(w, PT(bend)(w, a));
        return;
    case 10: {                                       /* a scalar beside an array */
        PAD(var) x;
        a = PT(any)(w), b = PT(any)(w);
        n = PAD(array_size)(b);
        x = n ? PAD(array_at)(b, below(&w->d, n)) : PAD(const)((PREAL)0.5);
        if (chance(&w->d, 50)) x = PAD(var_sin)(PAD(var_add_r)(x, (PREAL)0.25));
        if (a.rank < 0) return;
        switch (below(&w->d, 4)) {
        case 0:  a = PAD(array_mul_v)(a, x); break;
        case 1:  a = PAD(array_sub_from_v)(x, a); break;
        case 2:  a = PAD(array_add_v)(a, x); break;
        default: a = PAD(array_atan2_v)(PT(within)(w, a, 0.5, 2), x);
        }
        PT(give)(w, PT(bend)(w, a));
        return;
    }
    case 11:
        if (w->kind & SMOOTH) return;
        a = PT(any)(w);
        b = PT(beside)(w, a.rank, a.dim);
        c = PT(beside)(w, a.rank, a.dim);
        PT(torn)(w, 1);
        PT(give)(w, PAD(array_where)(PAD(array_gt_r)(c, (PREAL)0.125), a, b));
        return;
    case 12:
        k = (int)below(&w->d, PT(MAPS));
        many[0] = PT(any)(w);
        for (i = 1; i < 3; i++) many[i] = PT(beside)(w, many[0].rank, many[0].dim);
        PT(give)(w, PAD(array_map)(PT(mapped)[k], PT(map_inputs)[k], many));
        return;
    case 13: case 14: {
        unsigned m;
        const int keep = chance(&w->d, 50);
        const size_t what = below(&w->d, 9);
        a = PT(any)(w);
        if (PAD(array_size)(a) == 0 && what > 1) return;
        if ((w->kind & SMOOTH) && (what == 3 || what == 4)) return;
        m = PT(axes)(w, a);
        {
            unsigned all = a.rank ? (1u << a.rank) - 1u : 0;
            size_t over = 1;
            for (k = 0; k < a.rank; k++) if (m & (1u << k)) over *= (size_t)a.dim[k];
            if ((m & all) == all || over == PAD(array_size)(a)) w->now = 1;
            if (what > 6 && over < 3) return;
        }
        switch (what) {
        case 0:  a = PAD(array_sum)(a, m, keep); break;
        case 1:  if (PAD(array_size)(a) == 0) return;
                 a = PAD(array_mean)(a, m, keep); break;
        case 2:  a = PAD(array_prod)(PT(within)(w, a, -1.25, 1.25), m, keep); break;
        case 3:  a = PAD(array_amax)(a, m, keep); break;
        case 4:  a = PAD(array_amin)(a, m, keep); break;
        case 5:  a = PAD(array_norm)(PT(within)(w, a, 0.25, 2), m, keep); break;
        case 6:  a = PAD(array_logsumexp)(a, m, keep); break;
        case 7:  a = PAD(array_var)(a, m, keep, (int)below(&w->d, 2)); break;
        default:                                     /* a deviation of 0 is no place for sweeps */
            if (tame) a = PAD(array_add)(a, PAD(array_normal)(w->t, a.rank, a.dim, 3, 4));
            a = PAD(array_std)(a, m, keep, (int)below(&w->d, 2));
        }
        PT(give)(w, PT(bend)(w, a));
        return;
    }
    case 15:
        a = PT(any)(w);
        if (a.rank < 1) return;
        k = (int)below(&w->d, (size_t)a.rank) - (chance(&w->d, 50) ? a.rank : 0);
        switch (below(&w->d, 6)) {
        case 0:  a = PAD(array_cumprod)(PT(within)(w, a, -1.25, 1.25), k); break;
        case 1:  a = PAD(array_logcumsumexp)(a, k); break;
        case 2:  a = PAD(array_roll)(a, k, (int32_t)below(&w->d, 9) - 4); break;
        case 3:  if (PAD(array_size)(a) < 200) a = PAD(array_repeat)(a, k, 2); break;
        case 4: {                                    /* places that a sort gives */
            const PAD(array) along = PAD(array_normal)(w->t, a.rank, a.dim, 5, 6);
            a = PAD(array_take_along)(a, k, PAD(array_argsort)(along, k, chance(&w->d, 50)));
            break;
        }
        default: a = PAD(array_cumsum)(a, k);
        }
        PT(give)(w, PT(bend)(w, a));
        return;
    case 16:                                         /* batches, one of them broadcast; vectors */
        for (k = 0; k < 4; k++) e[k] = 1 + (int32_t)below(&w->d, 4);
        if (chance(&w->d, 20)) e[1] = 20;
        if (chance(&w->d, 25)) {
            a = PT(some)(w, 1, e), b = PT(some2)(w, e[0], e[1]);
            if (chance(&w->d, 50)) c = PAD(array_transpose)(b), b = a, a = c;
        } else if (chance(&w->d, 50)) {
            a = PT(some2)(w, e[0], e[1]), b = PT(some2)(w, e[1], e[2]);
        } else {
            int32_t f[4];
            f[0] = chance(&w->d, 30) ? 1 : e[3], f[1] = e[0], f[2] = e[1];
            a = PT(some)(w, 3, f);
            f[0] = e[3], f[1] = e[1], f[2] = e[2];
            b = chance(&w->d, 50) ? PT(some)(w, 3, f) : PT(some2)(w, e[1], e[2]);
        }
        PT(give)(w, PT(bend)(w, PAD(array_matmul)(a, b)));
        return;
    case 17: {
        const int ta = chance(&w->d, 50), tb = chance(&w->d, 50);
        const int32_t p = 1 + (int32_t)below(&w->d, 9), q = 1 + (int32_t)below(&w->d, 9);
        const int32_t s = 1 + (int32_t)below(&w->d, 9);
        a = ta ? PT(some2)(w, q, p) : PT(some2)(w, p, q);
        b = tb ? PT(some2)(w, s, q) : PT(some2)(w, q, s);
        PT(give)(w, PT(bend)(w, PAD(array_matmul_t)(a, ta, b, tb)));
        return;
    }
    case 18:
        a = PT(any)(w);
        b = PT(some)(w, a.rank, a.dim);
        w->now = 1;
        PT(give)(w, PT(bend)(w, a.rank == 2 && chance(&w->d, 50)
            ? PAD(array_einsum)("ij,ij", a, b) : PAD(array_dot)(a, b)));
        return;
    case 19:
        e[0] = 1 + (int32_t)below(&w->d, 6), e[1] = 1 + (int32_t)below(&w->d, 6);
        a = PT(some)(w, 1, e), b = PT(some)(w, 1, e + 1);
        PT(give)(w, PT(bend)(w, chance(&w->d, 50) ? PAD(array_outer)(a, b)
            : PAD(array_einsum)("k,i->ik", a, b)));
        return;
    case 20:
        a = PT(some2)(w, 1 + (int32_t)below(&w->d, 5), 1 + (int32_t)below(&w->d, 5));
        PT(give)(w, PAD(array_diagonal)(a, (int)below(&w->d, (size_t)a.dim[1])));
        return;
    case 21:
        k = 1 + (int)below(&w->d, 5);
        a = PT(some2)(w, k, k);
        w->now = 1;
        PT(give)(w, PT(bend)(w, PAD(array_trace)(a)));
        return;
    case 22:
        PT(shape)(w, 2, &rank, dim);
        a = PT(some)(w, rank, dim);
        k = (int)below(&w->d, 5) - 2;
        PT(give)(w, chance(&w->d, 50) ? PAD(array_tril)(a, k) : PAD(array_triu)(a, k));
        return;
    case 23: case 24: case 25: case 26: case 27: {
        const int32_t m = 1 + (int32_t)below(&w->d, 4);
        int t;
        if (!tame) return;
        a = PT(matrix)(w, m, which == 24);
        e[0] = a.rank == 3 ? 2 : m, e[1] = a.rank == 3 ? m : 3, e[2] = 3;
        b = PT(some)(w, a.rank, e);
        t = chance(&w->d, 50);
        a = which == 23 ? PAD(array_triangular_solve)(a, b, t ? AD_UPPER : AD_LOWER,
                                                      chance(&w->d, 50))
          : which == 24 ? PAD(array_cholesky)(a) : which == 25 ? PAD(array_solve)(a, b)
          : which == 26 ? PAD(array_inverse)(a) : PAD(array_logdet)(a);
        if (which == 27 && t) {
            c = PT(matrix)(w, m, 0);
            PAD(array_slogdet)(PAD(array_einsum)(c.rank == 3 ? "bji" : "ji", c, c), &a, &c);
            a = PAD(array_mul)(a, c);
        }
        PT(give)(w, PT(bend)(w, a));
        return;
    }
    case 28:
        PT(give)(w, PT(some)(w, rank, dim));
        return;
    case 29:
        a = PT(beside)(w, rank, dim);
        PT(give)(w, PAD(array_broadcast_to)(a, rank, dim));
        return;
    case 30:
        a = PT(any)(w);
        for (k = 0; k < 4; k++) order[k] = k;
        for (k = a.rank - 1; k > 0; k--) {
            const int j = (int)below(&w->d, (size_t)k + 1), o = order[k];
            order[k] = order[j], order[j] = o;
        }
        PT(give)(w, PAD(array_permute)(a, order));
        return;
    case 31:
        PT(shape)(w, 2, &rank, dim);
        PT(give)(w, PAD(array_transpose)(PT(some)(w, rank, dim)));
        return;
    case 32: case 33: {
        static const int32_t steps[] = { 1, 1, 1, 2, -1, 3, -2 };
        int32_t from, to;
        a = PT(any)(w);
        if (a.rank < 1) return;
        axis = (int)below(&w->d, (size_t)a.rank);
        from = chance(&w->d, 30) ? AD_END : (int32_t)below(&w->d, 6) - 2;
        to = chance(&w->d, 40) ? AD_END : (int32_t)below(&w->d, 6) - 1;
        a = PAD(array_slice)(a, axis, from, to, steps[below(&w->d, 7)]);
        if (PAD(array_size)(a) > 0 || (w->kind & EMPTY)) PT(give)(w, a);
        return;
    }
    case 34:
        a = PT(any)(w);
        PT(give)(w, PAD(array_flip)(a, PT(axes)(w, a)));
        return;
    case 35:
        PT(shape)(w, 1, &rank, dim);
        n = 1 + below(&w->d, 3);
        axis = (int)below(&w->d, (size_t)rank);
        for (i = 0; i < n; i++) {
            memcpy(e, dim, sizeof e);
            e[axis] = (int32_t)below(&w->d, 3) + !(w->kind & EMPTY);
            many[i] = PT(some)(w, rank, e);
        }
        PT(give)(w, PAD(array_concatenate)(n, many, axis));
        return;
    case 36:
        if (rank > 3) rank = 3;
        n = 1 + below(&w->d, 3);
        for (i = 0; i < n; i++) many[i] = PT(some)(w, rank, dim);
        PT(give)(w, PAD(array_stack)(n, many, (int)below(&w->d, (size_t)rank + 1)));
        return;
    case 37:
        PT(shape)(w, 1, &rank, dim);
        axis = (int)below(&w->d, (size_t)rank);
        n = 1 + below(&w->d, 3);
        dim[axis] = (int32_t)n * (1 + (int32_t)below(&w->d, 2));
        a = PT(some)(w, rank, dim);
        if (PAD(array_split)(a, axis, n, many) != AD_OK) return;
        for (i = 0; i < n; i++) PT(give)(w, many[n - 1 - i]);
        return;
    case 38:
        a = PT(any)(w);
        for (k = 0; k < 4; k++)
            e[k] = (int32_t)below(&w->d, 2), after[k] = (int32_t)below(&w->d, 3);
        if (PAD(array_size)(a) > 300) return;
        if (chance(&w->d, 40) && PAD(array_size)(a) > 0)
            a = PAD(array_pad_mode)(a, e, after, (ad_pad_mode)below(&w->d, 4));
        else a = PAD(array_pad)(a, e, after, PT(inside)(w, -1, 1));
        PT(give)(w, a);
        return;
    case 39:
        a = PT(any)(w);
        if (PAD(array_size)(a) > 100) return;
        for (k = 0; k < 4; k++) e[k] = 1 + (int32_t)below(&w->d, 2);
        PT(give)(w, PAD(array_tile)(a, e));
        return;
    case 40: case 41:
        PT(shape)(w, 1, &rank, dim);
        axis = (int)below(&w->d, (size_t)rank);
        if (dim[axis] == 0) return;
        a = PT(some)(w, rank, dim);
        n = 1 + below(&w->d, 6);
        for (i = 0; i < n; i++) index[i] = (uint32_t)below(&w->d, (size_t)dim[axis]);
        if (which == 40) {
            PT(give)(w, PAD(array_gather)(a, axis, n, index));
        } else {
            dim[axis] = (int32_t)n;
            b = PT(some)(w, rank, dim);
            PT(give)(w, PT(bend)(w, PAD(array_scatter_add)(a, axis, n, index, b)));
        }
        return;
    case 42:
        a = PT(some2)(w, 1 + (int32_t)below(&w->d, 6), 1 + (int32_t)below(&w->d, 5));
        if (rank > 2) rank = 2;
        n = 1;
        for (k = 0; k < rank; k++) n *= (size_t)dim[k];
        for (i = 0; i < n; i++) index[i] = (uint32_t)below(&w->d, (size_t)a.dim[0]);
        PT(give)(w, PAD(array_embedding)(a, rank, dim, index));
        return;
    case 43: case 44:
        a = PT(any)(w);
        if (a.rank < 1 || PAD(array_size)(a) == 0) return;
        axis = (int)below(&w->d, (size_t)a.rank);
        PT(give)(w, which == 43 ? PAD(array_softmax)(a, axis)
                                : PT(bend)(w, PAD(array_log_softmax)(a, axis)));
        return;
    case 45: case 46: case 47: case 48: {
        const int flat = which == 45 || which == 47, back = which > 46;
        ad_conv_desc s;
        int32_t x[4], f[4];
        const int32_t groups = 1 + (int32_t)below(&w->d, 2);
        memset(&s, 0, sizeof s);
        s.groups = groups;
        x[0] = 1 + (int32_t)below(&w->d, 2), x[1] = groups * (1 + (int32_t)below(&w->d, 2));
        f[0] = groups * (1 + (int32_t)below(&w->d, 2)), f[1] = x[1] / groups;
        if (back) f[0] = x[1], f[1] = 1 + (int32_t)below(&w->d, 2);
        for (k = 0; k < 2; k++) {
            x[2 + k] = 3 + (int32_t)below(&w->d, 4), f[2 + k] = 1 + (int32_t)below(&w->d, 3);
            s.stride[k] = (int32_t)below(&w->d, 3), s.pad[k] = (int32_t)below(&w->d, 2);
            s.dilation[k] = f[2 + k] < 3 ? (int32_t)below(&w->d, 3) : 0;
            if (back && s.stride[k] == 2) s.extra[k] = (int32_t)below(&w->d, 2);
        }
        if (!back && chance(&w->d, 30)) {
            s.same = chance(&w->d, 50), s.pad_mode = (int32_t)below(&w->d, 4);
            if (s.same) s.stride[0] = s.stride[1] = 1;
        }
        a = PT(some)(w, flat ? 3 : 4, x), b = PT(some)(w, flat ? 3 : 4, f);
        if (which == 46 && chance(&w->d, 20)) {      /* channels as slices of a volume */
            ad_conv3d_desc v;
            memset(&v, 0, sizeof v);
            v.same = 1, v.pad_mode = (int32_t)below(&w->d, 4);
            PT(give)(w, PT(bend)(w, PAD(array_conv3d)(a, PT(some)(w, 4, f), x[1] / f[1], &v)));
            return;
        }
        a = which == 45 ? PAD(array_conv1d)(a, b, &s) : which == 46 ? PAD(array_conv2d)(a, b, &s)
          : which == 47 ? PAD(array_conv1d_transpose)(a, b, &s)
          : PAD(array_conv2d_transpose)(a, b, &s);
        PT(give)(w, PT(bend)(w, a));
        return;
    }
    case 49: {
        ad_pool_desc s;
        const int flat = chance(&w->d, 30);
        memset(&s, 0, sizeof s);
        for (k = 0; k < 2; k++) {
            dim[k] = 1 + (int32_t)below(&w->d, 2), dim[2 + k] = 4 + (int32_t)below(&w->d, 4);
            s.size[k] = 2 + (int32_t)below(&w->d, 2), s.stride[k] = (int32_t)below(&w->d, 3);
            s.pad[k] = s.size[k] > 2 ? (int32_t)below(&w->d, 2) : 0;
        }
        s.count_padding = chance(&w->d, 50);
        a = PT(some)(w, flat ? 3 : 4, dim);
        if (chance(&w->d, 30)) {
            const int linear = chance(&w->d, 60);
            for (k = 0; k < 2; k++) e[k] = 1 + (int32_t)below(&w->d, 8);
            if (chance(&w->d, 50))
                a = PAD(array_interpolate)(a, e, linear ? AD_LINEAR : AD_NEAREST,
                                           linear && chance(&w->d, 50));
            else if (linear || (w->kind & SMOOTH)) a = PAD(array_adaptive_avg_pool)(a, e);
            else a = PAD(array_adaptive_max_pool)(a, e);
            PT(give)(w, PT(bend)(w, a));
            return;
        }
        if (chance(&w->d, 50) && !(w->kind & SMOOTH)) a = PAD(array_max_pool)(a, &s);
        else a = PAD(array_avg_pool)(a, &s);
        PT(give)(w, a);
        return;
    }
    case 50: case 51: {
        static const PREAL mean[4] = { (PREAL)0.25, (PREAL)-0.5, 0, 1 };
        static const PREAL var[4] = { 1, (PREAL)0.5, 2, 1 };
        const size_t what = below(&w->d, 5);
        const double eps = chance(&w->d, 50) ? 0.125 : 0.01;
        PT(shape)(w, 2, &rank, dim);
        dim[0] += dim[0] < 2;                        /* more than one number in everything */
        dim[1] = 2 + 2 * (int32_t)below(&w->d, 2);
        for (k = 2; k < 4; k++) if (dim[k] < 1) dim[k] = 1;
        a = PT(some)(w, rank, dim);
        b = PT(perhaps)(w, what == 0 || what == 2 ? dim[rank - 1] : dim[1]);
        c = PT(perhaps)(w, what == 0 || what == 2 ? dim[rank - 1] : dim[1]);
        switch (what) {
        case 0:  a = PAD(array_layer_norm)(a, b, c, (PREAL)eps); break;
        case 1:  a = PAD(array_group_norm)(a, 2, b, c, (PREAL)eps); break;
        case 2:  a = PAD(array_rms_norm)(a, b, (PREAL)eps); break;
        case 3:  a = PAD(array_batch_norm)(a, b, c, (PREAL)eps, NULL, NULL); break;
        default: a = PAD(array_batch_norm_with)(a, b, c, (PREAL)eps, mean, var);
        }
        PT(give)(w, PT(bend)(w, a));
        return;
    }
    case 52:
        a = PT(any)(w);
        n = below(&w->d, 100);
        if (w->kind & SMOOTH || chance(&w->d, 50)) {
            PT(give)(w, PAD(array_dropout)(a, (PREAL)0.375, 7, n));
            return;
        }
        b = PT(some)(w, 0, NULL);                    /* a counter that is 0 or 1 */
        PT(torn)(w, 1);
        b = PAD(array_le_r)(b, (PREAL)0.125);
        switch (below(&w->d, 3)) {
        case 0:  a = PAD(array_dropout_at)(a, (PREAL)0.375, 7, n, b); break;
        case 1:  a = PAD(array_mul)(a, PAD(array_uniform_at)(b, a.rank, a.dim, 7, n)); break;
        default: a = PAD(array_add)(a, PAD(array_normal_at)(b, a.rank, a.dim, 7, n));
        }
        PT(give)(w, PT(bend)(w, a));
        return;
    case 53: case 54: case 55: {
        const size_t what = below(&w->d, 8);
        PT(shape)(w, 1, &rank, dim);
        for (k = 0, n = 1; k < rank; k++) {
            if (dim[k] == 0) return;
            if (k + 1 < rank) n *= (size_t)dim[k];
        }
        a = PT(some)(w, rank, dim), b = PT(some)(w, rank, dim);
        if (n == 1) w->now = 1;                      /* the sum of a row is one of all elements */
        switch (what) {
        case 0:  a = PAD(array_squared_error)(a, b, PT(how)(w)); break;
        case 1:  a = PAD(array_huber)(a, b, (PREAL)0.75, PT(how)(w)); break;
        case 2:
            for (i = 0; i < n; i++) index[i] = (uint32_t)below(&w->d, (size_t)dim[rank - 1]);
            a = PAD(array_cross_entropy)(a, index, PT(how)(w));
            break;
        case 3:  a = PAD(array_cross_entropy_with)(a, PAD(array_softmax)(b, -1), PT(how)(w)); break;
        case 4:  a = PAD(array_binary_cross_entropy)(a, PAD(array_sigmoid)(b), PT(how)(w)); break;
        case 5:  a = PAD(array_kl)(PAD(array_log_softmax)(a, -1), PAD(array_log_softmax)(b, -1),
                                   PT(how)(w)); break;
        case 6:  c = PT(some)(w, rank, dim);
                 a = PAD(array_gaussian_nll)(a, b, c, PT(how)(w)); break;
        default: a = PAD(array_poisson_nll)(a, PT(within)(w, b, 0.5, 3), PT(how)(w));
        }
        PT(give)(w, PT(bend)(w, a));
        return;
    }
    case 57: {                                       /* what remembers, what attends */
        const int gates = chance(&w->d, 50) ? 3 : 4, hidden = 1 + (int)below(&w->d, 3);
        const int heads = 1 + (int)below(&w->d, 2), width = heads * (1 + (int)below(&w->d, 2));
        const int steps = 1 + (int)below(&w->d, 3), rows = 1 + (int)below(&w->d, 2);
        PAD(recurrent) layer;
        PAD(attention) how;
        memset(&layer, 0, sizeof layer);
        memset(&how, 0, sizeof how);
        dim[0] = rows, dim[1] = steps, dim[2] = width;
        a = PT(some)(w, 3, dim);
        switch (below(&w->d, 3)) {
        case 0:
            b = PT(some)(w, 3, dim);
            a = PAD(array_attention)(a, b, b, how.mask, chance(&w->d, 50), 0);
            break;
        case 1:
            how.heads = heads, how.causal = chance(&w->d, 50);
            how.in_proj_weight = PT(some2)(w, 3 * width, width);
            how.out_proj_weight = PT(some2)(w, width, width);
            if (chance(&w->d, 50)) e[0] = width, how.out_proj_bias = PT(some)(w, 1, e);
            a = PAD(array_multi_head_attention)(a, a, a, &how);
            break;
        default:
            layer.weight_ih = PT(some2)(w, gates * hidden, width);
            layer.weight_hh = PT(some2)(w, gates * hidden, hidden);
            if (chance(&w->d, 50)) e[0] = gates * hidden, layer.bias_hh = PT(some)(w, 1, e);
            a = gates == 3 ? PAD(array_gru)(a, how.mask, &layer)
                           : PAD(array_lstm)(a, how.mask, how.mask, &layer, NULL);
        }
        PT(give)(w, PT(bend)(w, a));
        return;
    }
    default: {                                       /* elements, one by one, and an array again */
        PAD(var) v[4];
        a = PT(any)(w), b = PT(any)(w);
        for (i = 0; i < 4; i++) {
            const PAD(array) from = i < 2 ? a : b;
            n = PAD(array_size)(from);
            v[i] = n ? PAD(array_at)(from, below(&w->d, n)) : PAD(const)((PREAL)0.25);
        }
        v[0] = PAD(var_mul)(PAD(var_tanh)(v[0]), v[3]);
        v[1] = PAD(var_sub)(PAD(var_cos)(v[1]), v[0]);
        if (chance(&w->d, 50)) v[2] = PAD(var_fma)(v[0], v[1], v[2]);
        e[0] = chance(&w->d, 50) ? 2 : 4, e[1] = 4 / e[0];
        PT(give)(w, PT(bend)(w, PAD(array_pack)(w->t, 2, e, v)));
    }
    }
}

/* ---------------------------------------------------------------- recording one of them */

typedef struct PT(record) {
    PT(world) w;
    size_t n, m;                          /* named inputs, outputs; other inputs are captured */
    PAD(array) x[INPUTS], y[OUTPUTS];
    int loose[OUTPUTS];
    PAD(var) loss;
    PAD(array) whole;                     /* the loss as an array */
} PT(record);

/* The numbers of input k, as point `at` has them; captured ones are those of point 0. */
static void PT(point)(uint64_t seed, int kind, size_t k, size_t n, int at, PREAL *x)
{
    dice d;
    size_t i;
    d.state = seed * 1000003u + k * 101u + (uint64_t)at * 7919u;
    for (i = 0; i < n; i++) {
        x[i] = (PREAL)(1.5 * unit(&d));
        if ((kind & WILD) && chance(&d, 12)) {
            static const double odd[] = { 0, -0.0, 1, -1, 1e30, -1e30, 1e-30, 3, 170 };
            x[i] = (PREAL)(chance(&d, 15) ? (double)NAN : chance(&d, 15) ? HUGE_VAL
                 : chance(&d, 15) ? -HUGE_VAL : odd[below(&d, 9)]);
        }
    }
}
static size_t PT(size)(PAD(array) a) { return PAD(array_size)(a); }

static void PT(play)(PT(record) *r, PAD(tape) *t, uint64_t seed, int kind, int at)
{
    PT(world) *const w = &r->w;
    size_t k, steps, all;
    memset(r, 0, sizeof *r);
    w->t = t;
    w->d.state = seed;
    w->kind = kind;
    all = 2 + below(&w->d, INPUTS - 1);
    r->n = 1 + below(&w->d, all);
    steps = 6 + below(&w->d, 26);
    for (k = 0; k < all; k++) {
        int rank, j;
        int32_t dim[4];
        size_t n = 1;
        PREAL *data;
        PT(shape)(w, 0, &rank, dim);
        for (j = 0; j < rank; j++) {
            if (dim[j] == 0) dim[j] = 1;
            n *= (size_t)dim[j];
        }
        data = PT(take)(n);
        PT(point)(seed, kind, k, n, k < r->n ? at : 0, data);
        w->now = 0;
        PT(give)(w, chance(&w->d, 50) ? PAD(array_input)(t, rank, dim, data)
                                      : PAD(array_borrow)(t, rank, dim, data));
        if (k < r->n) r->x[k] = w->v[k];
    }
    w->inputs = all;
    if (chance(&w->d, 50)) {
        int rank;
        int32_t dim[4];
        PREAL *const data = PT(take)(4 * 4 * 4 * 4 + 128);
        PT(shape)(w, 0, &rank, dim);
        PT(point)(seed, kind, 99, 4 * 4 * 4 * 4 + 128, 0, data);
        PT(give)(w, chance(&w->d, 50) ? PAD(array_const)(t, rank, dim, data)
                                      : PAD(array_const_borrow)(t, rank, dim, data));
    }
    for (k = 0; k < steps; k++) PT(step)(w);
    r->m = 1 + below(&w->d, OUTPUTS);
    for (k = 0; k < r->m; k++) {                      /* two at least are of the last ones */
        w->now = 0;
        r->y[k] = PT(any)(w);
        r->loose[k] = w->now;
    }
    r->loss = PAD(const)(0);
    for (k = 0; k < r->m; k++) {
        PAD(array) a = r->y[k], weights;
        if (PT(size)(a) == 0) continue;
        weights = PAD(array_normal)(t, a.rank, a.dim, 5, k);
        r->loss = PAD(var_add)(r->loss,
                               PAD(array_item)(PAD(array_dot)(PAD(array_sin)(a), weights)));
    }
    r->whole = PAD(array_pack)(t, 0, NULL, &r->loss);
}
static int PT(same)(PREAL a, PREAL b)
{
    return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0;
}
/* b[n] is a[n], to the last bit or about the largest of them. */
static int PT(alike)(size_t n, const PREAL *a, const PREAL *b, double tolerance, double *worst)
{
    double size = 1, off = 0;
    size_t i;
    *worst = 0;
    if (tolerance == 0) {
        for (i = 0; i < n; i++)
            if (!PT(same)(a[i], b[i])) return *worst = fabs((double)a[i] - (double)b[i]), 0;
        return 1;
    }
    for (i = 0; i < n; i++) if (fabs((double)b[i]) > size) size = fabs((double)b[i]);
    for (i = 0; i < n; i++) {
        double e;
        if (PT(same)(a[i], b[i]) || a[i] == b[i]) continue;
        e = fabs((double)a[i] - (double)b[i]) / size;
        if (!(e <= off)) off = e != e ? HUGE_VAL : e;
    }
    *worst = off;
    return off <= tolerance;
}

/* ---------------------------------------------------------------- and running it */

/* Room for every array of f: its inputs, then its outputs. */
typedef struct PT(room) {
    size_t n, m;
    PREAL *in[DERIVED], *out[DERIVED];
    size_t size[2 * DERIVED];
} PT(room);
static void PT(furnish)(PT(room) *r, const PAD(fn) *f)
{
    const ad_fn_stats s = PAD(fn_get_stats)(f);
    size_t i;
    r->n = s.inputs, r->m = s.outputs;
    if (r->n > DERIVED || r->m > DERIVED) abort();
    for (i = 0; i < r->n + r->m; i++) {
        int32_t dim[4] = { 1, 1, 1, 1 };
        const int rank = PAD(fn_shape)(f, i, dim);
        size_t n = 1;
        int k;
        CHECK(rank >= 0 && rank <= 4);
        for (k = 0; k < rank; k++) n *= (size_t)dim[k];
        r->size[i] = n;
        if (i < r->n) r->in[i] = PT(take)(n);
        else r->out[i - r->n] = PT(take)(n);
    }
    CHECK(PAD(fn_shape)(f, r->n + r->m, NULL) == -1);
}
static ad_status PT(go)(const PAD(fn) *f, PT(room) *r)
{
    size_t i, j;
    for (i = 0; i < r->m; i++)
        for (j = 0; j <= r->size[r->n + i]; j++) r->out[i][j] = (PREAL)-77;
    {
        const ad_status s = PAD(fn_run)(f, (const PREAL *const *)r->in, r->out);
        for (i = 0; i < r->m; i++) CHECK(r->out[i][r->size[r->n + i]] == (PREAL)-77);
        return s;
    }
}
/* Numbers to walk along, of which a float has every bit. */
static void PT(direction)(uint64_t seed, size_t n, PREAL *v)
{
    dice d;
    size_t i;
    d.state = seed * 77777u + 5;
    for (i = 0; i < n; i++) v[i] = (PREAL)unit(&d);
}
static void PT(close)(const char *what, uint64_t seed, int kind, size_t n, const PREAL *a,
                      const PREAL *b, double tolerance)
{
    double off;
    static PREAL zeros[LARGEST];
    const int ok = PT(alike)(n, a, b ? b : zeros, tolerance, &off);
    test_check(ok, __FILE__, __LINE__, "%s, %d bytes, seed %d, kind %d: %g away", what,
               (int)sizeof(PREAL), (int)seed, kind, off);
}
static int PT(same_shape)(const PAD(fn) *f, size_t i, PAD(array) a)
{
    int32_t dim[4];
    int k, rank = PAD(fn_shape)(f, i, dim);
    if (rank != a.rank) return 0;
    for (k = 0; k < rank; k++) if (dim[k] != a.dim[k]) return 0;
    return 1;
}
static void PT(put)(PREAL *to, PAD(array) a)
{
    if (PT(size)(a)) memcpy(to, PAD(array_values)(a), PT(size)(a) * sizeof(PREAL));
}

/* The gradient of the recorded gradient's product with some numbers, recorded; how many arrays. */
static size_t PT(twice)(PT(record) *r, const PAD(array) *g, PAD(array) *h)
{
    PAD(var) sum = PAD(const)(0);
    size_t k;
    for (k = 0; k < r->n; k++)
        sum = PAD(var_add)(sum, PAD(array_item)(PAD(array_dot)(g[k],
            PAD(array_normal)(r->w.t, g[k].rank, g[k].dim, 6, k))));
    if (!sum.tape) return 0;
    CHECK_STATUS(PAD(array_grad)(sum, r->n, r->x, h), AD_OK);
    return r->n;
}
/* Values and recorded gradients: at another point, at the first again; passes left out, an
   instruction set. */
static void PT(values)(uint64_t seed, int kind, ad_simd simd, unsigned skip)
{
    PT(record) a, b;
    ad_tape_desc td;
    ad_fn_desc d;
    PAD(tape) *t, *u;
    PAD(array) y[DERIVED], z[DERIVED];
    PAD(fn) *f;
    PT(room) r;
    PREAL *first[DERIVED];
    size_t k, m;
    int torn = 0;
    const int seconds = !(kind & WILD) && chance_of(seed, 40);
    ad_fn_stats s;
    memset(&td, 0, sizeof td);
    memset(&d, 0, sizeof d);
    td.simd = d.simd = simd;
    d.skip = skip;
    d.workspace = (size_t)chance_of(seed + 5, 50);    /* a byte: what can be is computed again */
    t = PAD(tape_create)(&td), u = PAD(tape_create)(&td);
    PT(pooled) = 0;
    PT(play)(&a, t, seed, kind, 0);
    m = a.m;
    memcpy(y, a.y, sizeof a.y);
    y[m++] = a.whole;
    if (a.loss.tape) {
        CHECK_STATUS(PAD(array_grad)(a.loss, a.n, a.x, y + m), AD_OK);
        m += a.n;
        if (seconds) m += PT(twice)(&a, y + a.m + 1, y + m);
    }
    test_check(PAD(tape_status)(t) == AD_OK, __FILE__, __LINE__, "seed %d, kind %d: %s", (int)seed,
               kind, PAD(tape_message)(t));
    f = PAD(fn_create_arrays)(t, a.n, a.x, m, y, &d);
    test_check(PAD(fn_status)(f) == AD_OK, __FILE__, __LINE__, "seed %d, kind %d: %s", (int)seed,
               kind, PAD(fn_message)(f));
    for (k = 0; k < m; k++) {
        first[k] = PT(take)(PT(size)(y[k]));
        PT(put)(first[k], y[k]);
    }
    for (k = 0; k < a.n + m; k++) CHECK(PT(same_shape)(f, k, k < a.n ? a.x[k] : y[k - a.n]));
    s = PAD(fn_get_stats)(f);
    CHECK(s.inputs == a.n && s.variables == a.n && s.outputs == m && s.guards == 0);
    CHECK(s.workspace_bytes <= s.unplanned_bytes || s.unplanned_bytes < 4096);
    PAD(tape_reset)(t);                               /* the function needs it no longer */
    PT(play)(&b, u, seed, kind, 1);
    for (k = 0; k < b.m; k++) torn |= b.loose[k] & 2;
    memcpy(z, b.y, sizeof b.y);
    z[b.m] = b.whole;
    if (b.loss.tape) CHECK_STATUS(PAD(array_grad)(b.loss, b.n, b.x, z + b.m + 1), AD_OK);
    if (b.loss.tape && seconds) PT(twice)(&b, z + b.m + 1, z + b.m + 1 + b.n);
    PT(furnish)(&r, f);
    for (k = 0; k < b.n; k++) PT(put)(r.in[k], b.x[k]);
    CHECK_STATUS(PT(go)(f, &r), AD_OK);
    for (k = 0; k < m; k++) {
        const size_t n = PT(size)(y[k]);
        const int loose = k < b.m ? b.loose[k] : 1 | torn;
        if (loose > 1 || (loose && (kind & WILD))) continue;
        PT(close)(k < b.m ? loose ? "a value behind sums" : "a value"
                  : k == b.m ? "the loss" : "a recorded gradient", seed, kind, n, r.out[k],
                  PAD(array_values)(z[k]), loose ? 1e5 * EPS : 0);
    }
    for (k = 0; k < b.n; k++) PT(point)(seed, kind, k, r.size[k], 0, r.in[k]);
    CHECK_STATUS(PT(go)(f, &r), AD_OK);
    for (k = 0; k < m; k++) {
        const int loose = k < b.m ? b.loose[k] : 1 | torn;
        if (loose > 1 || (loose && (kind & WILD))) continue;
        PT(close)("at the first point", seed, kind, r.size[a.n + k], r.out[k], first[k],
                  loose ? 1e5 * EPS : 0);
    }
    PAD(fn_destroy)(f);
    PAD(tape_destroy)(t);
    PAD(tape_destroy)(u);
}

/* Derivatives of the compiled function, against sweeps and against differences. */
static void PT(derived)(uint64_t seed, int kind)
{
    PT(record) a, b;
    PAD(tape) *const t = PAD(tape_create)(NULL), *const u = PAD(tape_create)(NULL);
    PAD(fn) *one, *many, *gradient, *hessian, *jvp, *vjp, *again, *third;
    PT(room) r, rg, rh, rj, rv, ra;
    PAD(var) sum;
    static PAD(var) leaf[INPUTS * 512];
    static PREAL along[INPUTS * 512];
    PREAL *v[INPUTS], *w[OUTPUTS];
    size_t k, i, n = 0;
    int torn = 0;
    ad_fn_desc d;
    memset(&d, 0, sizeof d);
    d.workspace = seed % 2;
    PT(pooled) = 0;
    PT(play)(&a, t, seed, kind, 0);
    PT(play)(&b, u, seed, kind, 1);
    for (k = 0; k < a.m; k++) torn |= b.loose[k] & 2;
    if (a.loss.tape == NULL || torn) goto end;
    CHECK_STATUS(PAD(tape_status)(u), AD_OK);
    one = PAD(fn_create_arrays)(t, a.n, a.x, 1, &a.whole, &d);
    many = PAD(fn_create_arrays)(t, a.n, a.x, a.m, a.y, &d);
    gradient = PAD(fn_gradient)(one);
    hessian = PAD(fn_jvp)(gradient);
    again = PAD(fn_vjp)(gradient);
    third = PAD(fn_jvp)(hessian);
    jvp = PAD(fn_jvp)(many);
    vjp = PAD(fn_vjp)(many);
    {
        const PAD(fn) *all[8];
        all[0] = one, all[1] = many, all[2] = gradient, all[3] = hessian, all[4] = again;
        all[5] = third, all[6] = jvp, all[7] = vjp;
        for (k = 0; k < 8; k++)
            test_check(PAD(fn_status)(all[k]) == AD_OK, __FILE__, __LINE__,
                       "seed %d, kind %d, function %d: %s", (int)seed, kind, (int)k,
                       PAD(fn_message)(all[k]));
    }
    for (k = 0; k < a.n; k++) {
        const size_t size = PT(size)(a.x[k]);
        v[k] = PT(take)(size);
        PT(direction)(seed + k, size, v[k]);
        PAD(array_unpack)(b.x[k], leaf + n);
        if (size) memcpy(along + n, v[k], size * sizeof(PREAL));
        n += size;
    }
    for (k = 0; k < a.m; k++) {
        w[k] = PT(take)(PT(size)(a.y[k]));
        PT(direction)(seed + 100 + k, PT(size)(a.y[k]), w[k]);
    }
    PT(furnish)(&r, one), PT(furnish)(&rg, gradient), PT(furnish)(&rh, hessian);
    PT(furnish)(&rj, jvp), PT(furnish)(&rv, vjp), PT(furnish)(&ra, again);
    CHECK(rg.n == a.n && rg.m == 1 + a.n && rh.n == 2 * a.n && rh.m == 2 * (1 + a.n));
    CHECK(rj.n == 2 * a.n && rj.m == 2 * a.m && rv.n == a.n + a.m && rv.m == a.m + a.n);
    CHECK(ra.n == 2 * a.n + 1 && ra.m == 1 + 2 * a.n);
    for (k = 0; k < a.n; k++) {
        CHECK(PT(same_shape)(gradient, a.n + 1 + k, a.x[k]) && PT(same_shape)(jvp, a.n + k, a.x[k])
              && PT(same_shape)(vjp, a.n + 2 * a.m + k, a.x[k]));
        PT(put)(r.in[k], b.x[k]), PT(put)(rg.in[k], b.x[k]), PT(put)(rh.in[k], b.x[k]);
        PT(put)(rj.in[k], b.x[k]), PT(put)(rv.in[k], b.x[k]), PT(put)(ra.in[k], b.x[k]);
        memcpy(rh.in[a.n + k], v[k], r.size[k] * sizeof(PREAL));
        memcpy(rj.in[a.n + k], v[k], r.size[k] * sizeof(PREAL));
        memcpy(ra.in[a.n + 1 + k], v[k], r.size[k] * sizeof(PREAL));
    }
    ra.in[a.n][0] = (PREAL)0.5;
    for (k = 0; k < a.m; k++) memcpy(rv.in[a.n + k], w[k], PT(size)(a.y[k]) * sizeof(PREAL));
    CHECK_STATUS(PT(go)(gradient, &rg), AD_OK);
    CHECK_STATUS(PT(go)(hessian, &rh), AD_OK);
    CHECK_STATUS(PT(go)(again, &ra), AD_OK);
    CHECK_STATUS(PT(go)(jvp, &rj), AD_OK);
    CHECK_STATUS(PT(go)(vjp, &rv), AD_OK);

    CHECK_STATUS(PAD(backward)(b.loss), AD_OK);
    for (k = 0; k < a.n; k++)
        PT(close)("a gradient", seed, kind, r.size[k], rg.out[1 + k], PAD(array_adjoints)(b.x[k]),
                  1e5 * EPS);
    CHECK_STATUS(PAD(array_forward)(u, b.n, b.x, (const PREAL *const *)v), AD_OK);
    for (k = 0; k < a.m; k++)
        PT(close)("a tangent", seed, kind, PT(size)(b.y[k]), rj.out[a.m + k],
                  PAD(array_tangents)(b.y[k]), 1e5 * EPS);
    CHECK_STATUS(PAD(forward_over_reverse)(b.loss, n, leaf, along), AD_OK);
    for (k = 0, n = 0; k < a.n; k++) {
        PREAL *const Hv = PT(take)(r.size[k]);
        PREAL *const mix = PT(take)(r.size[k]);
        for (i = 0; i < r.size[k]; i++) {
            Hv[i] = PAD(adjoint_tangent)(leaf[n]);
            mix[i] = Hv[i] + (PREAL)0.5 * PAD(adjoint)(leaf[n]);
            n++;
        }
        PT(close)("a second derivative", seed, kind, r.size[k], rh.out[2 + a.n + k], Hv,
                  1e6 * EPS);
        PT(close)("a pulled gradient", seed, kind, r.size[k], ra.out[1 + a.n + k], mix,
                  1e6 * EPS);
    }
    sum = PAD(const)(0);
    for (k = 0; k < b.m; k++)
        if (PT(size)(b.y[k]))
            sum = PAD(var_add)(sum, PAD(array_item)(PAD(array_dot)(b.y[k],
                PAD(array_const)(u, b.y[k].rank, b.y[k].dim, w[k]))));
    if (sum.tape) {
        CHECK_STATUS(PAD(backward)(sum), AD_OK);
        for (k = 0; k < a.n; k++)
            PT(close)("a pull", seed, kind, r.size[k], rv.out[a.m + k],
                      PAD(array_adjoints)(b.x[k]), 1e5 * EPS);
    }
    if ((kind & SMOOTH) && !SINGLE) {
        const double h = 1.0 / 65536;
        double up, slope = 0, second, scale = 1;
        PT(room) r3;
        for (k = 0; k < a.n; k++)
            for (i = 0; i < r.size[k]; i++) {
                r.in[k][i] += (PREAL)(h * (double)v[k][i]);
                slope += (double)v[k][i] * (double)rg.out[1 + k][i];
            }
        second = (double)rh.out[1 + a.n][0];
        test_check(test_near(second, slope, 1e-8), __FILE__, __LINE__,
                   "seed %d: %.17g along, not %.17g", (int)seed, second, slope);
        CHECK_STATUS(PT(go)(one, &r), AD_OK);
        up = (double)r.out[0][0];
        for (k = 0; k < a.n; k++)
            for (i = 0; i < r.size[k]; i++) {
                r.in[k][i] -= (PREAL)(2 * h * (double)v[k][i]);
                if (fabs((double)rg.out[1 + k][i]) > scale) scale = fabs((double)rg.out[1 + k][i]);
            }
        CHECK_STATUS(PT(go)(one, &r), AD_OK);
        up = (up - (double)r.out[0][0]) / (2 * h);
        test_check(fabs(up - slope) <= 1e-4 * scale, __FILE__, __LINE__,
                   "seed %d, kind %d: the difference %.12g, not %.12g", (int)seed, kind, up, slope);
        /* third derivatives along v, by differences of second ones */
        PT(furnish)(&r3, third);
        for (k = 0; k < rh.n; k++)
            memcpy(r3.in[k], rh.in[k], rh.size[k] * sizeof(PREAL));
        for (k = 0; k < a.n; k++)
            memcpy(r3.in[rh.n + k], v[k], r.size[k] * sizeof(PREAL));
        CHECK_STATUS(PT(go)(third, &r3), AD_OK);
        second = 0;
        for (k = 0; k < a.n; k++)
            for (i = 0; i < r.size[k]; i++)
                second += (double)v[k][i] * (double)rh.out[2 + a.n + k][i];
        /* the tangent of L' along v is v^T H v */
        test_check(test_near((double)r3.out[rh.m + 1 + a.n][0], second, 1e-8), __FILE__, __LINE__,
                   "seed %d, kind %d: %.17g, not %.17g", (int)seed, kind,
                   (double)r3.out[rh.m + 1 + a.n][0], second);
        for (k = 0; k < a.n; k++)
            for (i = 0; i < r.size[k]; i++) rh.in[k][i] += (PREAL)(h * (double)v[k][i]);
        CHECK_STATUS(PT(go)(hessian, &rh), AD_OK);
        for (k = 0; k < a.n; k++) {
            v[k] = PT(take)(r.size[k]);
            memcpy(v[k], rh.out[2 + a.n + k], r.size[k] * sizeof(PREAL));
            for (i = 0; i < r.size[k]; i++) rh.in[k][i] = 2 * r3.in[k][i] - rh.in[k][i];
        }
        CHECK_STATUS(PT(go)(hessian, &rh), AD_OK);
        for (k = 0; k < a.n; k++) {
            for (i = 0; i < r.size[k]; i++)
                v[k][i] = (PREAL)(((double)v[k][i] - (double)rh.out[2 + a.n + k][i]) / (2 * h));
            PT(close)("a third derivative", seed, kind, r.size[k], r3.out[rh.m + 2 + a.n + k], v[k],
                      1e-4);
        }
    }
    PAD(fn_destroy)(one), PAD(fn_destroy)(many), PAD(fn_destroy)(gradient);
    PAD(fn_destroy)(hessian), PAD(fn_destroy)(again), PAD(fn_destroy)(third);
    PAD(fn_destroy)(jvp), PAD(fn_destroy)(vjp);
end:
    PAD(tape_destroy)(t);
    PAD(tape_destroy)(u);
}

/* ---------------------------------------------------------------- by hand: small helpers */

static PAD(array) PT(vector)(PAD(tape) *t, int32_t n, const PREAL *x)
{
    return PAD(array_input)(t, 1, &n, x);
}
static PAD(fn) *PT(made)(PAD(tape) *t, size_t n, const PAD(array) *x, size_t m,
                         const PAD(array) *y, const ad_fn_desc *d)
{
    PAD(fn) *const f = PAD(fn_create_arrays)(t, n, x, m, y, d);
    test_check(PAD(fn_status)(f) == AD_OK, __FILE__, __LINE__, "%s", PAD(fn_message)(f));
    return f;
}
/* One input, one output. */
static ad_status PT(run1)(const PAD(fn) *f, const PREAL *x, PREAL *y)
{
    const PREAL *in[1];
    PREAL *out[1];
    in[0] = x, out[0] = y;
    return PAD(fn_run)(f, in, out);
}
static const PREAL PT(at)[12] = { (PREAL)0.5, (PREAL)-0.25, (PREAL)1.5, (PREAL)0.75, (PREAL)-1,
    (PREAL)0.125, 2, (PREAL)-0.5, 1, (PREAL)0.25, (PREAL)-1.25, (PREAL)0.625 };
static const PREAL PT(other)[12] = { 1, (PREAL)0.75, (PREAL)-0.5, (PREAL)0.375, (PREAL)0.25,
    (PREAL)-2, (PREAL)1.75, (PREAL)0.0625, (PREAL)-0.75, 3, (PREAL)0.5, (PREAL)-0.125 };

/* ---------------------------------------------------------------- sums over all elements

   Another order of n numbers is at most 2 n units of rounding of the sum of their magnitudes away;
   along an axis the bits are those of the tape. */
static void PT(totals)(void)
{
    static const int32_t lengths[] = { 1, 2, 7, 33, 100, 1000, 4097 };
    static PREAL data[4097], fresh[4097];
    size_t l, i;
    int way;
    for (l = 0; l < sizeof lengths / sizeof lengths[0]; l++) {
        const int32_t n = lengths[l];
        PAD(tape) *const t = PAD(tape_create)(NULL);
        dice d;
        d.state = l;
        for (i = 0; i < (size_t)n; i++) {
            data[i] = (PREAL)unit(&d), fresh[i] = (PREAL)(100 * unit(&d));
        }
        for (way = 0; way < 6; way++) {
            PAD(array) x, y, a;
            PAD(fn) *f;
            PREAL r;
            double size = 0;
            int at;
            f = NULL;
            for (at = 0; at < 2; at++) {
                PAD(tape_reset)(t);
                x = PT(vector)(t, n, at ? fresh : data);
                a = PAD(array_mul_r)(PAD(array_sin)(x), (PREAL)1.5);
                y = way == 0 ? PAD(array_sum)(a, AD_ALL_AXES, 0) : way == 1 ? PAD(array_dot)(a, a)
                  : way == 2 ? PAD(array_mean)(a, AD_AXIS(0), 1)
                  : way == 3 ? PAD(array_squared_error)(a, x, AD_SUM)
                  : way == 4 ? PAD(array_huber)(a, x, 1, AD_SUM)
                  : PAD(array_norm)(a, AD_ALL_AXES, 0);
                if (at == 0) f = PT(made)(t, 1, &x, 1, &y, NULL);
            }
            CHECK_STATUS(PT(run1)(f, fresh, &r), AD_OK);
            for (i = 0; i < (size_t)n; i++) {
                const double v = fabs(1.5 * sin((double)fresh[i])), w = fabs((double)fresh[i]) + v;
                size += way == 1 ? v * v : way == 3 ? w * w : way == 4 ? w : v;
            }
            if (way == 2) size /= n;
            test_check(fabs((double)r - (double)PAD(array_values)(y)[0]) <= 2 * n * EPS * size,
                       __FILE__, __LINE__, "way %d, %d numbers: %.17g, not %.17g", way, (int)n,
                       (double)r, (double)PAD(array_values)(y)[0]);
            PAD(fn_destroy)(f);
        }
        PAD(tape_destroy)(t);
    }
}

/* ---------------------------------------------------------------- a network learns

   Two layers and cross entropy: by the tape and by the function, whose outputs are the loss and the
   gradients, step after step. No sum goes over all elements but that of the loss. */
enum { PT(ROWS) = 11, PT(WIDE) = 7, PT(HIDDEN) = 9, PT(CLASSES) = 4 };
static void PT(layers)(PAD(tape) *t, const PREAL *data, PREAL *const *w, PAD(array) *x,
                       PAD(array) *y)
{
    static const uint32_t class_of[PT(ROWS)] = { 0, 1, 2, 3, 0, 1, 2, 3, 2, 1, 0 };
    static const int32_t dim[5][2] = { { PT(ROWS), PT(WIDE) }, { PT(WIDE), PT(HIDDEN) },
        { PT(HIDDEN), 1 }, { PT(HIDDEN), PT(CLASSES) }, { PT(CLASSES), 1 } };
    PAD(array) h;
    int k;
    x[0] = PAD(array_borrow)(t, 2, dim[0], data);
    for (k = 0; k < 4; k++) x[1 + k] = PAD(array_borrow)(t, k % 2 ? 1 : 2, dim[1 + k], w[k]);
    h = PAD(array_tanh)(PAD(array_add)(PAD(array_matmul)(x[0], x[1]), x[2]));
    h = PAD(array_add)(PAD(array_matmul)(h, x[3]), x[4]);
    y[0] = PAD(array_cross_entropy)(h, class_of, AD_MEAN);
    CHECK_STATUS(PAD(array_grad)(PAD(array_item)(y[0]), 4, x + 1, y + 1), AD_OK);
}
static void PT(network)(void)
{
    static const size_t size[4] = { PT(WIDE) * PT(HIDDEN), PT(HIDDEN),
                                    PT(HIDDEN) * PT(CLASSES), PT(CLASSES) };
    static PREAL data[2][PT(ROWS) * PT(WIDE)], tw[4][64], fw[4][64], g[4][64], loss, before = 0;
    PREAL *const w[4] = { tw[0], tw[1], tw[2], tw[3] };
    const PREAL *in[5];
    PREAL *out[5];
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(array) x[5], y[5];
    PAD(fn) *f;
    ad_fn_stats s;
    size_t i;
    int k, step;
    PAD(random_normal)(2 * PT(ROWS) * PT(WIDE), 1, 1, data[0]);
    for (k = 0; k < 4; k++) {
        PAD(random_normal)(size[k], 2, (uint64_t)k, tw[k]);
        memcpy(fw[k], tw[k], sizeof fw[k]);
        in[1 + k] = fw[k], out[1 + k] = g[k];
    }
    out[0] = &loss;
    PT(layers)(t, data[1], w, x, y);
    f = PT(made)(t, 5, x, 5, y, NULL);
    s = PAD(fn_get_stats)(f);
    CHECK(s.groups > 0 && s.workspace_bytes <= s.unplanned_bytes && s.instructions > 0);
    for (step = 0; step < 8; step++) {
        in[0] = data[step % 2];
        CHECK_STATUS(PAD(fn_run)(f, in, out), AD_OK);
        PAD(tape_reset)(t);
        PT(layers)(t, data[step % 2], w, x, y);
        CHECK_NEAR(loss, PAD(array_values)(y[0])[0], 40 * EPS);
        if (step == 0) before = loss;
        for (k = 0; k < 4; k++) {
            test_check(memcmp(g[k], PAD(array_values)(y[1 + k]), size[k] * sizeof(PREAL)) == 0,
                       __FILE__, __LINE__, "step %d: gradient %d is another one", step, k);
            for (i = 0; i < size[k]; i++) fw[k][i] -= (PREAL)0.25 * g[k][i];
        }
        for (k = 0; k < 4; k++)
            for (i = 0; i < size[k]; i++)
                tw[k][i] -= (PREAL)0.25 * PAD(array_values)(y[1 + k])[i];
    }
    CHECK(memcmp(tw, fw, sizeof tw) == 0);
    CHECK(loss < before);
    PAD(fn_destroy)(f);
    PAD(tape_destroy)(t);
}

/* ---------------------------------------------------------------- what is drawn anew

   Dropout before a layer and noise on what it gives, with a counter that is an input: steps of the
   compiled gradient are those of the tape to the last bit, and the gradient by x is through the
   mask and the noise of that step. */
enum { PT(DRAWN) = 6, PT(FEATURES) = 10, PT(UNITS) = 4 };
static PAD(array) PT(noisy)(PAD(tape) *t, const PREAL *data, const PREAL *w, const PREAL *counter,
                            PAD(array) *x)
{
    static const int32_t dim[3] = { PT(DRAWN), PT(FEATURES), PT(UNITS) }, one = 1;
    PAD(array) h;
    x[0] = PAD(array_borrow)(t, 2, dim, data);
    x[1] = PAD(array_borrow)(t, 2, dim + 1, w);
    x[2] = PAD(array_borrow)(t, 1, &one, counter);
    h = PAD(array_dropout_at)(x[0], (PREAL)0.25, 11, 1 << 20, x[2]);
    h = PAD(array_matmul)(PAD(array_tanh)(h), x[1]);
    h = PAD(array_mul)(h, PAD(array_normal_at)(x[2], h.rank, h.dim, 12, 0));
    h = PAD(array_dropout_at)(h, (PREAL)0.5, 11, 2 << 20, x[2]);
    return PAD(array_sum)(PAD(array_mul)(h, PAD(array_uniform_at)(x[2], 1, dim + 2, 13, 0)),
                          AD_ALL_AXES, 0);
}
static void PT(drawn)(void)
{
    enum { N = PT(DRAWN) * PT(FEATURES), W = PT(FEATURES) * PT(UNITS) };
    static PREAL data[N], tw[W], fw[W], gx[N], gw[W], again[N];
    static const unsigned char marks[3] = { 0, 0, 1 };
    const PREAL *in[3];
    PREAL *out[3], loss, counter, before = 0;
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(array) x[3], y;
    PAD(fn) *f, *g;
    ad_fn_desc d;
    int step, skip;
    size_t i;
    memset(&d, 0, sizeof d);
    d.parameters = marks;
    in[0] = data, in[1] = fw, in[2] = &counter;
    out[0] = &loss, out[1] = gx, out[2] = gw;
    PAD(random_normal)(N, 4, 4, data);
    for (skip = 0; skip < 2; skip++) {
        PAD(random_normal)(W, 4, 5, tw);
        memcpy(fw, tw, sizeof fw);
        PAD(tape_reset)(t);
        counter = 0;
        y = PT(noisy)(t, data, tw, &counter, x);
        d.skip = skip ? AD_FN_FUSE : 0;
        f = PT(made)(t, 3, x, 1, &y, &d);
        g = PAD(fn_gradient)(f);
        for (step = 0; step < 6; step++) {
            int other = 0;
            counter = (PREAL)(step < 5 ? step * 3 : 12);      /* the last step's once more */
            CHECK_STATUS(PAD(fn_run)(g, in, out), AD_OK);
            PAD(tape_reset)(t);
            y = PT(noisy)(t, data, tw, &counter, x);
            CHECK_STATUS(PAD(backward)(PAD(array_item)(y)), AD_OK);
            CHECK_NEAR(loss, PAD(array_values)(y)[0], 200 * EPS);
            CHECK(memcmp(gw, PAD(array_adjoints)(x[1]), sizeof gw) == 0);
            for (i = 0; i < N; i++) other += gx[i] != PAD(array_adjoints)(x[0])[i];
            CHECK(other == 0);                       /* zeros of either sign */
            for (i = 0; i < N; i++) other += gx[i] != again[i];
            CHECK(step == 0 || (step == 5) == (other == 0));
            CHECK(step == 0 || (step == 5) == (loss == before));
            before = loss;
            memcpy(again, gx, sizeof again);
            if (step == 4) continue;
            for (i = 0; i < W; i++) fw[i] -= (PREAL)0.125 * gw[i];
            for (i = 0; i < W; i++) tw[i] -= (PREAL)0.125 * PAD(array_adjoints)(x[1])[i];
            CHECK(memcmp(fw, tw, sizeof fw) == 0);
        }
        counter = (PREAL)0.5;
        CHECK_STATUS(PAD(fn_run)(g, in, out), AD_ERR_ARGUMENT);
        CHECK(loss != loss && gx[0] != gx[0]);
        counter = 1;
        CHECK_STATUS(PAD(fn_run)(g, in, out), AD_OK);
        PAD(fn_destroy)(f);
        PAD(fn_destroy)(g);
    }
    PAD(tape_destroy)(t);
}

/* ---------------------------------------------------------------- another extent of the batch

   Random programs whose values have a batch at some axis: what ad_fn_batch makes of one that was
   recorded with so many rows gives the bits of one recorded with others, and so do its derivatives.
   Extents that are not the batch's often are as long. */
enum { PT(KEPT) = 32, PT(ROWED) = 3 };
typedef struct PT(rows) {
    PT(world) w;
    int32_t batch, like;                  /* rows; the first recording's, for other extents too */
    size_t n, m;
    PAD(array) x[16], y[4], v[PT(KEPT)], whole;
    int at[PT(KEPT)];                     /* the batch's axis */
    unsigned char marks[16], batched[16];
} PT(rows);
static int32_t PT(extent)(PT(rows) *r)
{
    return chance(&r->w.d, 30) ? r->like : 1 + (int32_t)below(&r->w.d, 5);
}
/* An input, which has the batch at an axis, or none (-1), and is data then. */
static PAD(array) PT(given)(PT(rows) *r, int rank, const int32_t *dim, int at)
{
    size_t n = 1;
    PREAL *data;
    int k;
    for (k = 0; k < rank; k++) n *= (size_t)dim[k];
    data = PT(take)(n);
    PAD(random_normal)(n, 5, r->n, data);
    if (r->n >= 16) abort();
    r->marks[r->n] = at >= 0, r->batched[r->n] = (unsigned char)(at + 1);
    return r->x[r->n++] = PAD(array_borrow)(r->w.t, rank, dim, data);
}
/* A parameter, while there is room for one. */
static PAD(array) PT(parameter)(PT(rows) *r, int rank, const int32_t *dim)
{
    if (r->n < 14) return PT(given)(r, rank, dim, -1);
    return PAD(array_normal)(r->w.t, rank, dim, 6, r->n);
}
static void PT(keep)(PT(rows) *r, PAD(array) a, int at)
{
    if (r->w.n < PT(KEPT) && a.rank >= 0 && PT(size)(a) < 3000)
        r->at[r->w.n] = at, r->v[r->w.n++] = a;
}
static void PT(row_step)(PT(rows) *r)
{
    PT(world) *const w = &r->w;
    const size_t which = below(&w->d, 27), i = below(&w->d, w->n), j = below(&w->d, w->n);
    PAD(array) a = r->v[i], b, many[2];
    const int at = r->at[i], rank = a.rank;
    const int axis = (int)below(&w->d, (size_t)rank), last = at == rank - 1;
    int32_t dim[4], e[4], more[4] = { 0, 0, 0, 0 };
    int k, order[4];
    memcpy(dim, a.dim, sizeof dim), memcpy(e, a.dim, sizeof e);
    switch (which) {
    case 0: PT(keep)(r, PT(bend)(w, a), at); return;
    case 1: case 2:                                  /* two values of one kind */
        b = r->v[j];
        if (b.rank != rank || r->at[j] != at) return;
        for (k = 0; k < rank; k++) if (k != at && b.dim[k] != 1 && a.dim[k] != b.dim[k]) return;
        PT(keep)(r, which == 1 ? PAD(array_mul)(PT(bend)(w, a), b)
                               : PAD(array_map)(PT(mapped)[1], 2, (many[0] = b, many[1] = a, many)),
                 at);
        return;
    case 3:
        if (last) return;
        PT(keep)(r, PAD(array_add)(a, PT(parameter)(r, 1, dim + rank - 1)), at);
        return;
    case 4: case 5:
        if (last || rank < 2) return;
        k = chance(&w->d, 50);
        e[k] = dim[rank - 1], e[!k] = PT(extent)(r);
        b = PAD(array_matmul_t)(a, 0, PT(parameter)(r, 2, e), k);
        PT(keep)(r, PT(bend)(w, b), at);
        return;
    case 6: case 7:                                  /* an axis that is not the batch */
        if (axis == at) return;
        k = chance(&w->d, 50);
        b = which == 6 ? PAD(array_mean)(a, AD_AXIS(axis), k)
          : chance(&w->d, 50) ? PAD(array_sum)(a, AD_AXIS(axis), k)
          : PAD(array_logsumexp)(a, AD_AXIS(axis), k);
        PT(keep)(r, b, at - (!k && axis < at));
        return;
    case 8:                                          /* or it is */
        b = chance(&w->d, 40) ? PAD(array_mean)(a, AD_AXIS(at), 1)
          : chance(&w->d, 50) ? PAD(array_amax)(a, AD_AXIS(at), 1)
          : PAD(array_add_r)(PAD(array_var)(a, AD_AXIS(at) | AD_AXIS(axis), 1, 0), (PREAL)0.5);
        PT(keep)(r, chance(&w->d, 50) ? PAD(array_sub)(a, b) : PAD(array_div)(a, b), at);
        return;
    case 9: case 10:
        for (k = 0; k < 4; k++) order[k] = k;
        for (k = rank - 1; k > 0; k--) {
            const int c = (int)below(&w->d, (size_t)k + 1), o = order[k];
            order[k] = order[c], order[c] = o;
        }
        for (k = 0; order[k] != at; k++) continue;
        PT(keep)(r, PAD(array_permute)(a, order), k);
        return;
    case 11:                                         /* two axes are one, and two again */
        if (rank < 2 || axis == rank - 1) return;
        e[axis] *= e[axis + 1];
        for (k = axis + 1; k < rank - 1; k++) e[k] = e[k + 1];
        b = PT(bend)(w, PAD(array_reshape)(a, rank - 1, e));
        PT(keep)(r, PAD(array_reshape)(b, rank, dim), at);
        return;
    case 12:
        if (axis == at || rank < 2) return;
        many[0] = a, many[1] = PAD(array_tanh)(a);
        PT(keep)(r, PAD(array_concatenate)(2, many, axis), at);
        return;
    case 13:
        if (rank > 3) return;
        many[0] = a, many[1] = PAD(array_tanh)(a);
        k = (int)below(&w->d, (size_t)rank + 1);
        PT(keep)(r, PAD(array_stack)(2, many, k), at + (k <= at));
        return;
    case 14:
        if (axis == at) return;
        b = PAD(array_slice)(a, axis, 0, AD_END, chance(&w->d, 50) ? 2 : -1);
        if (dim[axis] > 1 && chance(&w->d, 50)) b = PAD(array_slice)(a, axis, 1, 2, 1);
        if (PT(size)(b)) PT(keep)(r, b, at);
        return;
    case 15: PT(keep)(r, PAD(array_softmax)(a, axis), at); return;
    case 16: PT(keep)(r, PT(bend)(w, PAD(array_cumsum)(a, axis)), at); return;
    case 17:
        if (last) return;
        b = PT(parameter)(r, 1, dim + rank - 1);
        PT(keep)(r, PAD(array_layer_norm)(a, b, b, (PREAL)0.125), at);
        return;
    case 18: {
        uint32_t index[3];
        if (axis == at) return;
        for (k = 0; k < 3; k++) index[k] = (uint32_t)below(&w->d, (size_t)dim[axis]);
        PT(keep)(r, PAD(array_gather)(a, axis, 3, index), at);
        return;
    }
    case 19:
        if (axis == at) return;
        for (k = 0; k < 4; k++) e[k] = 2 * (more[k] = k == axis);
        PT(keep)(r, PAD(array_pad)(a, more, e, 2), at);
        for (k = 0; k < 4; k++) more[k]++;
        PT(keep)(r, chance(&w->d, 50) ? PAD(array_tile)(a, more)
                                      : PAD(array_roll)(a, axis, 1), at);
        return;
    case 20:                                         /* the same in front, and a parameter */
        if (rank > 3) return;
        for (k = rank; k > 0; k--) e[k] = e[k - 1];
        e[0] = PT(extent)(r);
        b = PAD(array_broadcast_to)(a, rank + 1, e);
        many[0] = b, many[1] = PAD(array_broadcast_to)(PT(parameter)(r, 0, NULL), rank + 1, e);
        PT(keep)(r, chance(&w->d, 50) ? PAD(array_mul)(b, many[1])
                                      : PAD(array_concatenate)(2, many, at ? 1 : 0), at + 1);
        return;
    case 21:                                         /* equal rows that are captured */
        for (k = 0; k < 4; k++) e[k] = dim[k];
        b = PAD(array_full)(w->t, rank, e, (PREAL)0.25);
        many[0] = a, many[1] = b;
        if (axis != at) PT(keep)(r, PAD(array_concatenate)(2, many, axis), at);
        else PT(keep)(r, PAD(array_fma)(a, b, a), at);
        return;
    case 22:
        PT(keep)(r, PAD(array_dropout_at)(a, (PREAL)0.25, 3, below(&w->d, 9), r->x[0]), at);
        return;
    case 23: {
        ad_conv_desc c;
        ad_pool_desc p;
        memset(&c, 0, sizeof c), memset(&p, 0, sizeof p);
        if (rank != 3 || at != 0 || dim[2] < 3) return;
        e[0] = PT(extent)(r), e[1] = dim[1], e[2] = 2;
        p.size[0] = 2, p.stride[0] = 1;
        b = PAD(array_conv1d)(a, PT(parameter)(r, 3, e), &c);
        if (chance(&w->d, 40)) {
            ad_pool_desc one;
            memset(&one, 0, sizeof one);
            one.size[0] = one.stride[0] = 1;
            b = PAD(array_max_pool)(b, &one);
        }
        PT(keep)(r, PAD(array_tanh)(chance(&w->d, 50) ? PAD(array_max_pool)(b, &p)
                                                      : PAD(array_avg_pool)(b, &p)), 0);
        return;
    }
    case 24:                                         /* pairs of features, summed over the batch */
        if (rank != 2) return;
        b = PAD(array_matmul_t)(a, at == 0, a, at == 1);
        PT(keep)(r, at == 0 ? PAD(array_matmul)(a, b) : PAD(array_matmul)(b, a), at);
        return;
    case 25:
        PT(keep)(r, PAD(array_take_along)(a, axis, PAD(array_argsort)(a, axis, 0)),
                 axis == at ? -1 : at);
        if (axis == at) w->n -= w->n > 0 && r->at[w->n - 1] == -1;
        return;
    default:                                         /* a matrix for each element */
        if (rank != 2 || at != 0) return;
        e[0] = r->batch, e[1] = dim[1], e[2] = 1;
        b = PAD(array_reshape)(a, 3, e);
        b = PAD(array_add)(PAD(array_matmul_t)(b, 0, b, 1), PT(eye)(w, dim[1], 3));
        PT(keep)(r, PAD(array_reshape)(PAD(array_solve)(b, PAD(array_reshape)(a, 3, e)), 2, dim),
                 0);
        if (chance(&w->d, 50)) PT(keep)(r, PAD(array_add)(a, PAD(array_reshape)(
            PAD(array_logdet)(b), 2, (e[1] = 1, e))), 0);
    }
}
static void PT(play_rows)(PT(rows) *r, PAD(tape) *t, uint64_t seed, int32_t batch, int32_t like)
{
    int32_t dim[4];
    size_t k, steps;
    memset(r, 0, sizeof *r);
    r->w.t = t, r->w.d.state = seed, r->batch = batch, r->like = like;
    {
        PREAL *const counter = PT(take)(1);
        *counter = 2;
        r->x[r->n++] = PAD(array_borrow)(t, 0, NULL, counter);
        r->marks[0] = 1;
    }
    for (k = 0; k < PT(ROWED); k++) {
        const int rank = k == 0 ? 2 : 1 + (int)below(&r->w.d, 3);
        const int at = k == 0 ? 0 : (int)below(&r->w.d, (size_t)rank);
        int j;
        for (j = 0; j < rank; j++) dim[j] = j == at ? batch : PT(extent)(r);
        PT(keep)(r, PT(given)(r, rank, dim, at), at);
    }
    steps = 3 + below(&r->w.d, 12);
    for (k = 0; k < steps; k++) PT(row_step)(r);
    r->m = 1 + below(&r->w.d, 3);
    for (k = 0; k < r->m; k++) {
        const size_t i = k ? below(&r->w.d, r->w.n) : r->w.n - 1;
        r->y[k] = r->v[i];
    }
    r->whole = PAD(array_mean)(PAD(array_sin)(r->y[0]), AD_ALL_AXES, 0);
    for (k = 1; k < r->m; k++)
        r->whole = PAD(array_add)(r->whole, PAD(array_sum)(PAD(array_square)(r->y[k]),
                                                           AD_ALL_AXES, 0));
}
/* f and g, which are to be the same function, at the numbers of r. */
static void PT(equal)(const char *what, uint64_t seed, const PAD(fn) *f, const PAD(fn) *g,
                      const PT(rows) *r)
{
    PT(room) rf, rg;
    size_t k, j;
    test_check(PAD(fn_status)(f) == AD_OK && PAD(fn_status)(g) == AD_OK, __FILE__, __LINE__,
               "%s, seed %d: %s %s", what, (int)seed, PAD(fn_message)(f), PAD(fn_message)(g));
    if (PAD(fn_status)(f) != AD_OK || PAD(fn_status)(g) != AD_OK) return;
    PT(furnish)(&rf, f), PT(furnish)(&rg, g);
    CHECK(rf.n == rg.n && rf.m == rg.m);
    for (k = 0; k < rf.n; k++) {
        CHECK(rf.size[k] == rg.size[k]);
        if (k < r->n) PT(put)(rf.in[k], r->x[k]);
        else PAD(random_normal)(rf.size[k], 8, k, rf.in[k]);
        memcpy(rg.in[k], rf.in[k], rf.size[k] * sizeof(PREAL));
    }
    CHECK_STATUS(PT(go)(f, &rf), AD_OK);
    CHECK_STATUS(PT(go)(g, &rg), AD_OK);
    for (k = 0; k < rf.m; k++) {
        CHECK(rf.size[rf.n + k] == rg.size[rg.n + k]);
        for (j = 0; j < rf.size[rf.n + k]; j++)
            if (!PT(same)(rf.out[k][j], rg.out[k][j])) break;
        test_check(j == rf.size[rf.n + k], __FILE__, __LINE__, "%s, %d bytes, seed %d: output %d",
                   what, (int)sizeof(PREAL), (int)seed, (int)k);
    }
}
static void PT(batches)(void)
{
    enum { SEEDS = 240 };
    PAD(tape) *const t = PAD(tape_create)(NULL), *const u = PAD(tape_create)(NULL);
    PT(rows) a, b;
    ad_fn_desc d;
    int s, refused = 0;
    memset(&d, 0, sizeof d);
    for (s = 0; s < SEEDS; s += test_stride()) {
        const int32_t from = 2 + s % 4, to = 1 + s * 7 % 9;
        PAD(fn) *f, *g, *one, *two, *by[2], *again;
        PT(pooled) = 0;
        PAD(tape_reset)(t), PAD(tape_reset)(u);
        PT(play_rows)(&a, t, (uint64_t)s, from, from);
        PT(play_rows)(&b, u, (uint64_t)s, to, from);
        CHECK_STATUS(PAD(tape_status)(t), AD_OK);
        CHECK_STATUS(PAD(tape_status)(u), AD_OK);
        d.parameters = a.marks;
        d.skip = s % 5 ? 0 : AD_FN_FUSE | AD_FN_CSE;
        d.workspace = s % 3 == 0;
        f = PT(made)(t, a.n, a.x, a.m, a.y, &d), g = PT(made)(u, b.n, b.x, b.m, b.y, &d);
        by[0] = PAD(fn_batch)(f, a.batched, to);
        if (PAD(fn_status)(by[0]) != AD_OK) {
            CHECK_STATUS(PAD(fn_status)(by[0]), AD_ERR_SHAPE);
            CHECK(one_line(PAD(fn_message)(by[0])));
            refused++;
        } else {
            PT(equal)("a batch", (uint64_t)s, by[0], g, &b);
            if (to > 1) {                            /* and back */
                again = PAD(fn_batch)(by[0], a.batched, from);
                PT(equal)("the batch of before", (uint64_t)s, again, f, &a);
                PAD(fn_destroy)(again);
            }
            one = PT(made)(t, a.n, a.x, 1, &a.whole, &d);
            two = PT(made)(u, b.n, b.x, 1, &b.whole, &d);
            if (PAD(fn_get_stats)(one).variables) {
                PAD(fn) *const slope = PAD(fn_gradient)(one), *const wanted = PAD(fn_gradient)(two);
                PAD(fn) *const bend = s % 3 ? PAD(fn_vjp)(slope) : PAD(fn_jvp)(slope);
                PAD(fn) *const bent = s % 3 ? PAD(fn_vjp)(wanted) : PAD(fn_jvp)(wanted);
                PAD(fn_destroy)(one);
                by[1] = PAD(fn_batch)(slope, a.batched, to);
                PAD(fn_destroy)(slope);
                PT(equal)("its gradient", (uint64_t)s, by[1], wanted, &b);
                again = PAD(fn_gradient)(one = PAD(fn_batch)(f, a.batched, to));
                PAD(fn_destroy)(again);
                again = PAD(fn_batch)(bend, a.batched, to);
                PAD(fn_destroy)(bend);
                PT(equal)("second derivatives", (uint64_t)s, again, bent, &b);
                PAD(fn_destroy)(again), PAD(fn_destroy)(by[1]), PAD(fn_destroy)(bent);
                PAD(fn_destroy)(wanted);
            }
            PAD(fn_destroy)(one), PAD(fn_destroy)(two);
        }
        PAD(fn_destroy)(by[0]), PAD(fn_destroy)(f), PAD(fn_destroy)(g);
    }
    test_check(refused * 20 < SEEDS, __FILE__, __LINE__, "%d of %d are refused", refused, SEEDS);
    PAD(tape_destroy)(t);
    PAD(tape_destroy)(u);
}

/* What is no batch says why; memory that runs out; the last batch of an epoch, which is shorter. */
static void PT(no_batch)(int line, PAD(fn) *f, const unsigned char *batched, int32_t extent,
                         ad_status s, const char *word)
{
    PAD(fn) *const g = PAD(fn_batch)(f, batched, extent);
    test_check(PAD(fn_status)(g) == s && one_line(PAD(fn_message)(g))
               && strstr(PAD(fn_message)(g), word), __FILE__, line, "%s, \"%s\", not %s and \"%s\"",
               ad_status_name(PAD(fn_status)(g)), PAD(fn_message)(g), ad_status_name(s), word);
    PAD(fn_destroy)(g);
}
static PAD(array) PT(batch_loss)(PAD(tape) *t, int32_t rows, const PREAL *data, PAD(array) *x)
{
    int32_t dim[3] = { 0, 4, 3 };
    dim[0] = rows;
    x[0] = PAD(array_borrow)(t, 2, dim, data);
    x[1] = PAD(array_borrow)(t, 2, dim + 1, PT(at));
    dim[1] = 3;
    x[2] = PAD(array_borrow)(t, 2, dim, data + 4 * rows);
    return PAD(array_cross_entropy_with)(    /* what has no batch may be moved */
        PAD(array_tanh)(PAD(array_matmul)(x[0], PAD(array_flip)(x[1], AD_AXIS(0)))),
        PAD(array_softmax)(x[2], -1), AD_MEAN);
}
/* log(exp(x[0]) + ... + exp(x[i])): the first is x[0], whatever it is. */
static void PT(first_of)(void)
{
    int32_t n;
    for (n = 1; n < 9; n++) {
        PAD(tape) *const t = PAD(tape_create)(NULL);
        PREAL at[8] = { -(PREAL)INFINITY, -(PREAL)INFINITY, 1, 2, -1, 3, 0, 1 };
        PAD(array) x = PAD(array_input)(t, 1, &n, at), y, g;
        y = PAD(array_slice)(PAD(array_logcumsumexp)(x, 0), 0, 0, 1, 1);
        CHECK_STATUS(PAD(array_grad)(PAD(array_item)(y), 1, &x, &g), AD_OK);
        CHECK(PAD(array_values)(y)[0] == at[0] && PAD(array_values)(g)[0] == 1);
        CHECK_STATUS(PAD(backward)(PAD(array_item)(y)), AD_OK);
        CHECK(PAD(array_adjoints)(x)[0] == 1 && (n == 1 || PAD(array_adjoints)(x)[1] == 0));
        PAD(tape_destroy)(t);
    }
}
/* A number that is no ad_reduction. */
static void PT(no_reduction)(void)
{
    PAD(tape) *const t = PAD(tape_create)(NULL);
    const int32_t three = 3;
    const PAD(array) x = PAD(array_input)(t, 1, &three, PT(at));
    CHECK(PAD(array_squared_error)(x, x, (ad_reduction)3).rank == -1);
    CHECK_STATUS(PAD(tape_status)(t), AD_ERR_ARGUMENT);
    CHECK(strstr(PAD(tape_message)(t), "ad_reduction") != NULL);
    PAD(tape_destroy)(t);
}
/* A map is derived by its function's parameters where these vary. */
static void PT(by_parameters)(void)
{
    PAD(fn) *const f = PAD(fn_parse)("x*x*y", "x | y", NULL, 0);
    PAD(tape) *const t = PAD(tape_create)(NULL);
    const int32_t three = 3;
    PAD(array) x[2], y;
    PAD(fn) *whole, *slope;
    PREAL out[3][3];
    const PREAL *in[2];
    PREAL *to[3];
    int k;
    in[0] = PT(at), in[1] = PT(other);
    to[0] = out[0], to[1] = out[1], to[2] = out[2];
    x[0] = PAD(array_borrow)(t, 1, &three, in[0]);
    x[1] = PAD(array_borrow)(t, 1, &three, in[1]);
    y = PAD(array_sum)(PAD(array_map)(f, 2, x), AD_ALL_AXES, 0);
    CHECK_STATUS(PAD(array_backward)(y, NULL), AD_OK);
    whole = PT(made)(t, 2, x, 1, &y, NULL);
    slope = PAD(fn_gradient)(whole);
    CHECK_STATUS(PAD(fn_run)(slope, in, to), AD_OK);
    for (k = 0; k < 3; k++) {
        const double u = (double)PT(at)[k], v = (double)PT(other)[k];
        CHECK_NEAR(PAD(array_adjoints)(x[0])[k], 2 * u * v, 8 * EPS);
        CHECK_NEAR(PAD(array_adjoints)(x[1])[k], u * u, 8 * EPS);
        CHECK_NEAR(out[1][k], 2 * u * v, 8 * EPS);
        CHECK_NEAR(out[2][k], u * u, 8 * EPS);
    }
    PAD(fn_destroy)(slope);
    PAD(fn_destroy)(whole);
    PAD(tape_destroy)(t);
    PAD(fn_destroy)(f);
}
/* Masks of a few rows are often equal; those of more rows are not known from them. */
static void PT(batch_drawn)(void)
{
    static const PREAL ones[4] = { 1, 1, 1, 1 };
    static const int32_t dim[2] = { 2, 2 };
    static const unsigned char one[1] = { 1 };
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(array) x, y;
    PAD(fn) *f;
    uint64_t seed;
    int way;
    x = PAD(array_borrow)(t, 2, dim, PT(at));    /* all round is not all round at another extent */
    y = PAD(array_roll)(x, 0, -2);
    CHECK(memcmp(PAD(array_values)(y), PT(at), 4 * sizeof(PREAL)) == 0);
    f = PT(made)(t, 1, &x, 1, &y, NULL);
    PT(no_batch)(__LINE__, f, one, 8, AD_ERR_SHAPE, "batch");
    PAD(fn_destroy)(f);
    for (way = 0; way < 3; way++)
        for (seed = 0; seed < 8; seed++) {
            PAD(tape_reset)(t);
            x = PAD(array_borrow)(t, 2, dim, PT(at));
            y = PAD(array_const)(t, 2, dim, ones);
            if (way == 0)
                y = PAD(array_dropout)(x, (PREAL)0.1, seed, 1);
            else if (way == 1)                         /* computed when it is recorded */
                y = PAD(array_mul)(x, PAD(array_exp)(PAD(array_dropout)(y, (PREAL)0.1, seed, 1)));
            else
                y = PAD(array_mul)(x, PAD(array_dropout_at)(y, (PREAL)0.1, seed, 1,
                    PAD(array_const)(t, 0, NULL, ones)));
            f = PT(made)(t, 1, &x, 1, &y, NULL);
            PT(no_batch)(__LINE__, f, one, 8, AD_ERR_SHAPE, "random numbers");
            PAD(fn_destroy)(f);
        }
    PAD(tape_destroy)(t);
}
static void PT(batch_refused)(void)
{
    enum { ROWS = 4, LAST = 3 };
    static const unsigned char marks[3] = { 1, 0, 1 }, one[3] = { 1, 0, 0 }, far_[3] = { 3, 0, 0 },
        both[3] = { 1, 0, 1 }, wrong[3] = { 1, 2, 0 };
    static const uint32_t class_of[ROWS] = { 0, 2, 1, 2 };
    static PREAL data[7 * ROWS];
    static const int32_t none[2] = { 0, 0 }, below[2] = { ROWS, 0 };
    const int32_t dim[2] = { ROWS, 4 }, single[2] = { 1, 4 };
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(fn) *const numbers = PAD(fn_parse)("a*b", "a, b", NULL, 0);
    PAD(array) x[3], y, z[2];
    PAD(fn) *f, *g, *h;
    ad_fn_desc d;
    int way, then;
    size_t k;
    PAD(random_normal)(7 * ROWS, 6, 6, data);
    memset(&d, 0, sizeof d);
    d.parameters = marks;
    y = PT(batch_loss)(t, ROWS, data, x);
    f = PT(made)(t, 3, x, 1, &y, &d);
    PT(no_batch)(__LINE__, f, both, 0, AD_ERR_ARGUMENT, "extent");
    PT(no_batch)(__LINE__, f, (const unsigned char *)"\0\0", 2, AD_ERR_ARGUMENT, "no input");
    PT(no_batch)(__LINE__, f, far_, 2, AD_ERR_SHAPE, "axis 2");
    PT(no_batch)(__LINE__, f, wrong, 2, AD_ERR_SHAPE, "0 and 1");
    PT(no_batch)(__LINE__, f, one, 2, AD_ERR_SHAPE, "mul0");      /* targets that stay */
    PT(no_batch)(__LINE__, f, both, 1 << 30, AD_ERR_LIMIT, "large");
    PT(no_batch)(__LINE__, numbers, both, 2, AD_ERR_UNSUPPORTED, "numbers");
    PT(no_batch)(__LINE__, NULL, both, 2, AD_ERR_MEMORY, "function");
    PAD(fn_destroy)(f);
    for (way = 0; way < 8; way++) {
        static const char *const says[] = { "matmul", "take", "piece", "add", "one", "recorded",
                                            "axis", "fills a piece" };
        PAD(tape_reset)(t);
        x[0] = PAD(array_input)(t, 2, way == 4 ? single : dim, data);
        y = PAD(array_tanh)(x[0]);
        switch (way) {
        case 0: y = PAD(array_matmul_t)(y, 0, y, 1); break;
        case 1: y = PAD(array_cross_entropy)(y, class_of, AD_MEAN); break;
        case 2: y = PAD(array_slice)(y, 0, 1, 3, 1); break;
        case 3: y = PAD(array_add)(y, PAD(array_const)(t, 2, dim, data)); break;
        case 5: y = PAD(array_sum)(PAD(array_square)(y), AD_ALL_AXES, 0);
                CHECK_STATUS(PAD(array_grad)(PAD(array_item)(y), 1, x, z), AD_OK);
                y = z[0];
                break;
        case 6: {
            static const int32_t across[2] = { 8, 2 };
            y = PAD(array_reshape)(PAD(array_transpose)(y), 2, across);
            break;
        }
        case 7: y = PAD(array_pad)(y, none, below, 0); break;
        default: break;
        }
        f = PT(made)(t, 1, x, 1, &y, NULL);
        PT(no_batch)(__LINE__, f, one, 3, AD_ERR_SHAPE, way == 3 ? "captured" : says[way]);
        PAD(fn_destroy)(f);
    }
    /* memory */
    for (then = 0; then < 2; then++)
        for (k = 1;; k += k < 40 ? 1 : 13) {
            heap own;
            int failed;
            memset(&own, 0, sizeof own);
            d.resize = heap_resize, d.resize_user = &own;
            PAD(tape_reset)(t);
            y = PT(batch_loss)(t, ROWS, data, x);
            f = PT(made)(t, 3, x, 1, &y, &d);
            g = PAD(fn_gradient)(f);
            PAD(fn_destroy)(f);
            own.from_then_on = then, own.fail_at = own.calls + k;
            h = PAD(fn_batch)(g, NULL, LAST);
            failed = own.calls >= own.fail_at;
            own.fail_at = 0;
            test_check(PAD(fn_status)(h) == (failed ? AD_ERR_MEMORY : AD_OK)
                       || PAD(fn_status)(h) == AD_OK, __FILE__, __LINE__, "allocation %d: %s",
                       (int)k, ad_status_name(PAD(fn_status)(h)));
            CHECK(PAD(fn_status)(h) == AD_OK || !h || one_line(PAD(fn_message)(h)));
            PAD(fn_destroy)(h);
            PAD(fn_destroy)(g);
            CHECK(own.blocks == 0 && own.live == 0 && own.wrong == 0);
            if (!failed) break;
        }
    d.resize = NULL, d.resize_user = NULL;
    /* two batches of four and one of three: the mean is of three */
    {
        PREAL loss, gw[12];
        const PREAL *in[3];
        PREAL *out[2];
        PAD(tape_reset)(t);
        y = PT(batch_loss)(t, ROWS, data, x);
        f = PT(made)(t, 3, x, 1, &y, &d);
        g = PAD(fn_gradient)(f);
        PAD(fn_destroy)(f);
        h = PAD(fn_batch)(g, NULL, LAST);
        PAD(fn_destroy)(g);
        PAD(tape_reset)(t);
        y = PT(batch_loss)(t, LAST, data, x);
        in[0] = data, in[1] = PT(at), in[2] = data + 4 * LAST;
        out[0] = &loss, out[1] = gw;
        CHECK_STATUS(PAD(fn_run)(h, in, out), AD_OK);
        CHECK_STATUS(PAD(backward)(PAD(array_item)(y)), AD_OK);
        CHECK_NEAR(loss, PAD(array_values)(y)[0], 20 * EPS);
        for (k = 0; k < 12; k++) CHECK_NEAR(gw[k], PAD(array_adjoints)(x[1])[k], 20 * EPS);
        PAD(fn_destroy)(h);
    }
    /* only what takes it tells that the rows, or the columns, are the batch's */
    for (way = 0; way < 2; way++) {
        static const unsigned char second[2] = { 2, 0 };
        static const int32_t column[2] = { 4, 1 };
        PREAL sum[4 * LAST];
        const PREAL *in[2];
        PREAL *out[1];
        PAD(tape_reset)(t);
        x[0] = PAD(array_input)(t, 2, dim, data);
        x[1] = way ? PAD(array_input)(t, 2, column, PT(at))
                   : PAD(array_input)(t, 1, column, PT(at));
        y = PAD(array_sin)(PAD(array_broadcast_to)(x[1], 2, dim));
        y = PAD(array_add)(PAD(array_softmax)(y, way - 1), x[0]);
        f = PT(made)(t, 2, x, 1, &y, NULL);
        h = PAD(fn_batch)(f, way ? second : one, LAST);
        in[0] = data, in[1] = PT(at), out[0] = sum;
        CHECK_STATUS(PAD(fn_run)(h, in, out), AD_OK);
        y = PAD(array_softmax)(PAD(array_sin)(x[1]), way ? 0 : -1);
        for (k = 0; k < 4 * LAST; k++)
            CHECK_NEAR(sum[k], PAD(array_values)(y)[way ? k / LAST : k % 4] + data[k], 20 * EPS);
        PAD(fn_destroy)(h);
        PAD(fn_destroy)(f);
    }
    /* captured rows fill the block that is made for them, and nothing behind it */
    {
        enum { COLUMNS = 64, MANY = 160 };
        static PREAL rows[ROWS * COLUMNS], more[MANY * COLUMNS], sum[MANY * COLUMNS];
        static const int32_t wide[2] = { ROWS, COLUMNS };
        const PREAL *in[1];
        PREAL *out[1];
        for (k = 0; k < ROWS * COLUMNS; k++) rows[k] = (PREAL)(k % COLUMNS);
        for (k = 0; k < MANY * COLUMNS; k++) more[k] = (PREAL)(k % 7);
        PAD(tape_reset)(t);
        x[0] = PAD(array_input)(t, 2, wide, rows);
        y = PAD(array_add)(x[0], PAD(array_const)(t, 2, wide, rows));
        f = PT(made)(t, 1, x, 1, &y, NULL);
        h = PAD(fn_batch)(f, one, MANY);
        in[0] = more, out[0] = sum;
        CHECK_STATUS(PAD(fn_run)(h, in, out), AD_OK);
        for (k = 0; k < MANY * COLUMNS; k++) CHECK(sum[k] == (PREAL)(k % COLUMNS + k % 7));
        PAD(fn_destroy)(h);
        PAD(fn_destroy)(f);
    }
    /* a sign and a logarithm for each matrix: two matrices, of which there are three then; and two
       numbers that are no batch of two, with one */
    for (way = 0; way < 2; way++) {
        static const int32_t cube[3] = { 2, 2, 2 };
        PREAL a[2][4 * LAST];
        const PREAL *in[2];
        PREAL *out[2];
        PAD(tape_reset)(t);
        x[0] = PAD(array_input)(t, 3, cube, data);
        x[1] = PAD(array_input)(t, 2, cube, PT(at));
        PAD(array_slogdet)(x[way], z, z + 1);
        if (way) z[0] = PAD(array_tanh)(x[0]);
        f = PT(made)(t, 2, x, 2, z, NULL);
        h = PAD(fn_batch)(f, one, LAST);
        in[0] = data, in[1] = PT(at), out[0] = a[0], out[1] = a[1];
        CHECK_STATUS(PAD(fn_run)(h, in, out), AD_OK);
        for (k = 0; k < (size_t)(way ? 1 : LAST); k++) {
            const PREAL *const w = way ? PT(at) : data + 4 * k;
            const double det = (double)w[0] * (double)w[3] - (double)w[1] * (double)w[2];
            if (!way) CHECK(a[0][k] == (det > 0 ? 1 : -1));
            CHECK_NEAR(a[1][k], log(fabs(det)), 100 * EPS);
        }
        PAD(fn_destroy)(h);
        PAD(fn_destroy)(f);
    }
    /* a piece of what has no batch stays that piece */
    {
        static const int32_t two[2] = { 2, 4 };
        PREAL sum[4 * LAST];
        const PREAL *in[2];
        PREAL *out[1];
        PAD(tape_reset)(t);
        x[0] = PAD(array_input)(t, 2, dim, data);
        x[1] = PAD(array_input)(t, 2, two, PT(at));
        y = PAD(array_add)(x[0], PAD(array_slice)(x[1], 0, 1, 2, 1));
        f = PT(made)(t, 2, x, 1, &y, NULL);
        h = PAD(fn_batch)(f, one, LAST);
        in[0] = data, in[1] = PT(at), out[0] = sum;
        CHECK_STATUS(PAD(fn_run)(h, in, out), AD_OK);
        for (k = 0; k < 4 * LAST; k++) CHECK_NEAR(sum[k], data[k] + PT(at)[4 + k % 4], EPS);
        PAD(fn_destroy)(h);
        PAD(fn_destroy)(f);
    }
    PAD(fn_destroy)(numbers);
    PAD(tape_destroy)(t);
}

/* ---------------------------------------------------------------- what a descriptor says */

static void PT(described)(void)
{
    static const char *const input[] = { "weights", NULL }, *const output[] = { "energy", NULL };
    static const unsigned char parameters[] = { 0, 1 };
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(array) x[2], y[2];
    PAD(fn) *f, *g;
    ad_fn_desc d;
    ad_fn_stats s;
    PT(room) r, q;
    int simd;
    size_t i;
    PT(pooled) = 0;
    memset(&d, 0, sizeof d);
    x[0] = PAD(array_name)(PT(vector)(t, 5, PT(at)), "first");
    x[1] = PAD(array_name)(PT(vector)(t, 5, PT(other)), "second");
    y[0] = PAD(array_sum)(PAD(array_mul)(PAD(array_sin)(x[0]), x[1]), AD_ALL_AXES, 0);
    y[1] = PAD(array_mul)(x[0], x[1]);
    /* names: those of the descriptor, of the tape, numbers */
    f = PT(made)(t, 2, x, 2, y, NULL);
    CHECK_STRING(PAD(fn_input_name)(f, 0), "first");
    CHECK_STRING(PAD(fn_input_name)(f, 1), "second");
    CHECK_STRING(PAD(fn_input_name)(f, 2), "");
    CHECK_STRING(PAD(fn_output_name)(f, 0), "y0");
    CHECK_STRING(PAD(fn_output_name)(f, 1), "y1");
    CHECK_STRING(PAD(fn_output_name)(f, 2), "");
    PAD(fn_destroy)(f);
    d.input_names = input, d.output_names = output;
    f = PT(made)(t, 2, x, 2, y, &d);
    CHECK_STRING(PAD(fn_input_name)(f, 0), "weights");
    CHECK_STRING(PAD(fn_input_name)(f, 1), "second");
    CHECK_STRING(PAD(fn_output_name)(f, 0), "energy");
    CHECK_STRING(PAD(fn_output_name)(f, 1), "y1");
    PAD(fn_destroy)(f);
    d.input_names = d.output_names = NULL;
    /* parameters: no derivative by them */
    d.parameters = parameters;
    f = PT(made)(t, 2, x, 1, y, &d);
    s = PAD(fn_get_stats)(f);
    CHECK(s.inputs == 2 && s.variables == 1 && s.outputs == 1);
    g = PAD(fn_gradient)(f);
    CHECK_STATUS(PAD(fn_status)(g), AD_OK);
    s = PAD(fn_get_stats)(g);
    CHECK(s.inputs == 2 && s.variables == 1 && s.outputs == 2);
    PT(furnish)(&r, g);
    memcpy(r.in[0], PT(other), 5 * sizeof(PREAL)), memcpy(r.in[1], PT(at), 5 * sizeof(PREAL));
    CHECK_STATUS(PT(go)(g, &r), AD_OK);
    for (i = 0; i < 5; i++)
        CHECK_NEAR(r.out[1][i], cos((double)PT(other)[i]) * (double)PT(at)[i], 8 * EPS);
    PAD(fn_destroy)(g);
    g = PAD(fn_jvp)(f);
    s = PAD(fn_get_stats)(g);
    CHECK(PAD(fn_status)(g) == AD_OK && s.inputs == 3 && s.variables == 1 && s.outputs == 2);
    PAD(fn_destroy)(g);
    g = PAD(fn_vjp)(f);
    s = PAD(fn_get_stats)(g);
    CHECK(PAD(fn_status)(g) == AD_OK && s.inputs == 3 && s.variables == 1 && s.outputs == 2);
    PAD(fn_destroy)(g);
    PAD(fn_destroy)(f);
    {
        static const unsigned char both[] = { 1, 1 };
        d.parameters = both;
        f = PT(made)(t, 2, x, 1, y, &d);
        g = PAD(fn_gradient)(f);
        s = PAD(fn_get_stats)(g);
        CHECK(PAD(fn_status)(g) == AD_OK && s.variables == 0 && s.outputs == 1);
        PAD(fn_destroy)(g);
        PAD(fn_destroy)(f);
    }
    d.parameters = NULL;
    /* instruction sets */
    for (simd = AD_SIMD_PLAIN; simd <= AD_SIMD_NEON; simd++) {
        d.simd = (ad_simd)simd;
        f = PAD(fn_create_arrays)(t, 2, x, 2, y, &d);
        if (ad_kernels_get((ad_simd)simd)) {
            CHECK_STATUS(PAD(fn_status)(f), AD_OK);
        } else {
            CHECK_STATUS(PAD(fn_status)(f), AD_ERR_UNSUPPORTED);
            CHECK(one_line(PAD(fn_message)(f)));
            PAD(tape_clear_status)(t);
        }
        PAD(fn_destroy)(f);
    }
    /* flags that may change rounding: not much */
    memset(&d, 0, sizeof d);
    f = PT(made)(t, 2, x, 2, y, NULL);
    PT(furnish)(&r, f);
    memcpy(r.in[0], PT(other), 5 * sizeof(PREAL)), memcpy(r.in[1], PT(at), 5 * sizeof(PREAL));
    CHECK_STATUS(PT(go)(f, &r), AD_OK);
    PAD(fn_destroy)(f);
    for (i = 1; i < 4; i++) {
        size_t k;
        d.flags = (unsigned)i;
        f = PT(made)(t, 2, x, 2, y, &d);
        PT(furnish)(&q, f);
        memcpy(q.in[0], r.in[0], 5 * sizeof(PREAL)), memcpy(q.in[1], r.in[1], 5 * sizeof(PREAL));
        CHECK_STATUS(PT(go)(f, &q), AD_OK);
        CHECK_NEAR(q.out[0][0], r.out[0][0], 20 * EPS);
        for (k = 0; k < 5; k++) CHECK_NEAR(q.out[1][k], r.out[1][k], 4 * EPS);
        PAD(fn_destroy)(f);
    }
    PAD(tape_destroy)(t);
}

/* ---------------------------------------------------------------- outputs and inputs */

static void PT(outputs)(void)
{
    enum { M = 17 };
    PAD(tape) *const t = PAD(tape_create)(NULL);
    const int32_t six[2] = { 2, 3 }, one[2] = { 1, 1 };
    PAD(array) x[3], y[M], piece[3];
    PAD(var) e;
    PAD(fn) *f, *g;
    PT(room) r;
    ad_fn_stats s;
    size_t i, k;
    PT(pooled) = 0;
    x[0] = PAD(array_input)(t, 2, six, PT(at));
    x[1] = PT(vector)(t, 3, PT(other));
    x[2] = PT(vector)(t, 4, PT(at));                       /* nothing reads it */
    y[0] = x[0];                                           /* an input */
    y[1] = PAD(array_mul)(x[0], x[1]);
    y[2] = y[1];                                           /* twice */
    y[3] = PAD(array_slice)(y[1], 0, 1, 2, 1);             /* shares y[1]'s memory on the tape */
    y[4] = PAD(array_transpose)(x[0]);
    y[5] = PAD(array_const)(t, 1, six, PT(other));         /* depends on nothing */
    e = PAD(array_at)(y[1], 4);
    y[6] = PAD(array_pack)(t, 0, NULL, &e);                /* one element */
    e = PAD(array_at)(x[1], 2);
    y[7] = PAD(array_pack)(t, 2, one, &e);                 /* one of an input */
    y[8] = PAD(array_slice)(x[0], 0, 0, 1, 1);             /* a piece of an input */
    {
        const int32_t flat = 6;
        y[9] = PAD(array_reshape)(y[1], 1, &flat);         /* the same memory in another shape */
    }
    CHECK_STATUS(PAD(array_split)(y[1], 1, 3, piece), AD_OK);
    y[10] = piece[1];
    y[11] = PAD(array_flip)(x[1], AD_AXIS(0));
    y[12] = x[0];                                          /* an input twice */
    y[13] = PAD(array_add)(y[1], y[1]);
    {
        PAD(var) mixed[3];                                 /* an input's, a result's, a number */
        mixed[0] = PAD(array_at)(x[0], 5), mixed[1] = PAD(array_at)(y[13], 0);
        mixed[2] = PAD(const)((PREAL)0.375);
        y[14] = PAD(array_pack)(t, 1, six + 1, mixed);
    }
    {
        const int32_t none = 0;
        y[15] = PAD(array_full)(t, 1, &none, 1);           /* nothing at all */
    }
    {
        const int32_t five = 5;
        PAD(var) row[5];                                   /* three in a row, one before them */
        for (k = 0; k < 5; k++) row[k] = PAD(array_at)(y[13], k == 3 ? 0 : k < 3 ? 1 + k : 5);
        y[16] = PAD(array_pack)(t, 1, &five, row);
    }
    CHECK_STATUS(PAD(tape_status)(t), AD_OK);
    f = PT(made)(t, 3, x, M, y, NULL);
    PT(furnish)(&r, f);
    memcpy(r.in[0], PT(other), 6 * sizeof(PREAL));
    memcpy(r.in[1], PT(at) + 2, 3 * sizeof(PREAL));
    memcpy(r.in[2], PT(at), 4 * sizeof(PREAL));
    for (i = 0; i < M; i++) CHECK(PT(same_shape)(f, 3 + i, y[i]));
    for (k = 0; k < 2; k++) {
        CHECK_STATUS(PT(go)(f, &r), AD_OK);
        for (i = 0; i < 6; i++) {
            const PREAL a = r.in[0][i], p = a * r.in[1][i % 3];
            CHECK(r.out[0][i] == a && r.out[12][i] == a);
            CHECK(r.out[1][i] == p && r.out[2][i] == p && r.out[9][i] == p);
            CHECK(r.out[13][i] == p + p);
            CHECK(r.out[4][i % 3 * 2 + i / 3] == a);
            if (i > 2) CHECK(r.out[3][i - 3] == p);
            if (i < 3) CHECK(r.out[8][i] == a && r.out[11][2 - i] == r.in[1][i]);
            if (i % 3 == 1) CHECK(r.out[10][i / 3] == p);
            if (i < 2) CHECK(r.out[5][i] == PT(other)[i]);
        }
        CHECK(r.out[6][0] == r.out[1][4] && r.out[7][0] == r.in[1][2]);
        CHECK(r.out[14][0] == r.in[0][5] && r.out[14][1] == r.out[13][0]
              && r.out[14][2] == (PREAL)0.375);
        for (i = 0; i < 5; i++) CHECK(r.out[16][i] == r.out[13][i == 3 ? 0 : i < 3 ? 1 + i : 5]);
        for (i = 0; i < 6; i++) r.in[0][i] += 1;           /* again with others */
    }
    /* derivatives by an input that nothing reads are zeros */
    g = PAD(fn_vjp)(f);
    CHECK_STATUS(PAD(fn_status)(g), AD_OK);
    s = PAD(fn_get_stats)(g);
    CHECK(s.inputs == 3 + M && s.outputs == M + 3);
    PT(furnish)(&r, g);
    for (i = 0; i < r.n; i++)
        for (k = 0; k < r.size[i]; k++) r.in[i][k] = (PREAL)(1 + i);
    CHECK_STATUS(PT(go)(g, &r), AD_OK);
    for (k = 0; k < 4; k++) CHECK(r.out[M + 2][k] == 0);
    /* x[0][0]: y0 4, y1 5 and y2 6 times x1, y4 8, y8 12, y9 13 x1, y12 16, y13 2*17 x1, y14[1],
       y16[3] */
    CHECK_NEAR(r.out[M][0], 4 + 2 * (5 + 6 + 13 + 2 * 17 + 2 * 18 + 2 * 20) + 8 + 12 + 16, 1e-5);
    PAD(fn_destroy)(g);
    g = PAD(fn_jvp)(f);
    CHECK_STATUS(PAD(fn_status)(g), AD_OK);
    PT(furnish)(&r, g);
    for (i = 0; i < r.n; i++)
        for (k = 0; k < r.size[i]; k++) r.in[i][k] = (PREAL)(1 + i);
    CHECK_STATUS(PT(go)(g, &r), AD_OK);
    CHECK(r.out[M][0] == 4 && r.out[M + 5][0] == 0 && r.out[M + 12][5] == 4);
    CHECK(r.out[M + 1][0] == 4 * 2 + 1 * 5 && r.out[M + 14][2] == 0 && r.out[M + 14][0] == 4);
    PAD(fn_destroy)(g);
    PAD(fn_destroy)(f);

    /* no inputs; no outputs; neither */
    f = PT(made)(t, 0, NULL, 1, y + 1, NULL);
    PT(furnish)(&r, f);
    CHECK(r.n == 0 && r.m == 1);
    CHECK_STATUS(PT(go)(f, &r), AD_OK);
    for (i = 0; i < 6; i++) CHECK(r.out[0][i] == PT(at)[i] * PT(other)[i % 3]);
    CHECK_STATUS(PAD(fn_run)(f, NULL, r.out), AD_OK);
    g = PAD(fn_vjp)(f);
    CHECK_STATUS(PAD(fn_status)(g), AD_OK);
    PAD(fn_destroy)(g);
    PAD(fn_destroy)(f);
    f = PT(made)(t, 2, x, 0, NULL, NULL);
    PT(furnish)(&r, f);
    CHECK(r.n == 2 && r.m == 0);
    CHECK_STATUS(PT(go)(f, &r), AD_OK);
    CHECK_STATUS(PAD(fn_run)(f, (const PREAL *const *)r.in, NULL), AD_OK);
    PAD(fn_destroy)(f);
    f = PT(made)(t, 0, NULL, 0, NULL, NULL);
    CHECK_STATUS(PAD(fn_run)(f, NULL, NULL), AD_OK);
    PAD(fn_destroy)(f);
    /* ad_fn_eval takes one after the other */
    f = PT(made)(t, 3, x, 2, y, NULL);
    {
        PREAL flat[13], all[12];
        for (i = 0; i < 13; i++) flat[i] = (PREAL)(1 + i);
        CHECK_STATUS(PAD(fn_eval)(f, flat, all), AD_OK);
        for (i = 0; i < 6; i++)
            CHECK(all[i] == flat[i] && all[6 + i] == flat[i] * flat[6 + i % 3]);
    }
    PAD(fn_destroy)(f);
    PAD(tape_destroy)(t);
}

/* ---------------------------------------------------------------- scalars between arrays */

static ad_status PT(twice_value)(void *user, size_t n, const PREAL *x, size_t m, PREAL *y)
{
    size_t i;
    (void)user;
    for (i = 0; i < m; i++) y[i] = 2 * x[i % n];
    return AD_OK;
}
static void PT(scalars)(void)
{
    PAD(tape) *const t = PAD(tape_create)(NULL);
    const int32_t four = 4;
    PAD(array) x, y[2], z;
    PAD(var) s[4], lone;
    PAD(fn) *f, *g, *h;
    PAD(op) op;
    PT(room) r;
    int k, way;
    PT(pooled) = 0;
    memset(&op, 0, sizeof op);
    op.name = "twice", op.value = PT(twice_value);
    f = NULL;
    for (k = 0; k < 2; k++) {
        PAD(tape_reset)(t);
        x = PT(vector)(t, 4, k ? PT(other) : PT(at));
        lone = PAD(input)(t, (PREAL)0.625);               /* captured */
        CHECK_STATUS(PAD(array_unpack)(PAD(array_exp)(x), s), AD_OK);
        s[0] = PAD(var_tanh)(PAD(var_mul)(s[0], lone));
        s[1] = PAD(var_fma)(s[0], s[1], s[2]);
        s[2] = PAD(var_div)(s[3], PAD(var_add_r)(PAD(var_square)(s[1]), 1));
        s[3] = PAD(array_item)(PAD(array_sum)(x, AD_ALL_AXES, 0));
        s[3] = PAD(var_powi)(PAD(var_sin)(s[3]), 3);
        y[0] = PAD(array_mul)(PAD(array_pack)(t, 1, &four, s), x);
        y[1] = PAD(array_sub_from_v)(s[1], PAD(array_add_v)(x, s[2]));
        if (k == 0) f = PT(made)(t, 1, &x, 2, y, NULL);
    }
    PT(furnish)(&r, f);
    memcpy(r.in[0], PT(other), 4 * sizeof(PREAL));
    CHECK_STATUS(PT(go)(f, &r), AD_OK);
    for (k = 0; k < 4; k++) {
        CHECK_NEAR(r.out[0][k], PAD(array_values)(y[0])[k], k == 3 ? 50 * EPS : 0);
        CHECK_NEAR(r.out[1][k], PAD(array_values)(y[1])[k], 0);
    }
    PAD(fn_destroy)(f);
    /* lists, operations of the user's, calls and runs are not taken */
    h = PAD(fn_parse)("a*b + sin(a)", "a, b", NULL, 0);
    for (way = 0; way < 9; way++) {
        PREAL c[4] = { 1, 2, 3, 4 };
        PAD(tape_reset)(t);
        x = PT(vector)(t, 4, PT(at));
        PAD(array_unpack)(x, s);
        switch (way) {
        case 0: s[0] = PAD(var_sum)(4, s); break;
        case 1: s[0] = PAD(var_dot)(2, s, s + 2); break;
        case 2: s[0] = PAD(var_norm)(4, s); break;
        case 3: s[0] = PAD(var_logsumexp)(4, s); break;
        case 4: s[0] = PAD(var_lincomb)(4, c, s); break;
        case 5: s[0] = PAD(var_polyval)(4, c, s[1]); break;
        case 6: PAD(var_call)(t, &op, NULL, 2, s, 2, s + 2), s[0] = s[3]; break;
        case 7: s[0] = PAD(var_custom)(t, 4, s, 1, c); break;
        default: PAD(fn_call)(h, t, 2, s, 1, s);
        }
        CHECK_STATUS(PAD(tape_status)(t), AD_OK);
        z = PAD(array_mul_v)(x, s[0]);
        f = PAD(fn_create_arrays)(t, 1, &x, 1, &z, NULL);
        test_check(PAD(fn_status)(f) == AD_ERR_UNSUPPORTED && one_line(PAD(fn_message)(f)),
                   __FILE__, __LINE__, "way %d: %s, %s", way, ad_status_name(PAD(fn_status)(f)),
                   PAD(fn_message)(f));
        CHECK_STATUS(PAD(tape_status)(t), AD_ERR_UNSUPPORTED);     /* errors are left there too */
        PAD(tape_clear_status)(t);
        g = PAD(fn_gradient)(f);
        CHECK_STATUS(PAD(fn_status)(g), AD_ERR_UNSUPPORTED);
        PAD(fn_destroy)(g);
        PAD(fn_destroy)(f);
        /* but where nothing is between y and x, they do not matter */
        z = PAD(array_add)(x, x);
        f = PT(made)(t, 1, &x, 1, &z, NULL);
        PAD(fn_destroy)(f);
    }
    PAD(fn_destroy)(h);
    PAD(tape_destroy)(t);
}

/* ---------------------------------------------------------------- guards */

static void PT(guards)(void)
{
    static const PREAL up[3] = { 2, 1, 3 }, down[3] = { (PREAL)-0.5, 1, 3 }, less[3] = { 2, 4, 1 };
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(array) x, y[2], free_;
    PAD(fn) *f, *all[5];
    PT(room) r;
    size_t i, j, k;
    PT(pooled) = 0;
    x = PT(vector)(t, 3, up);
    y[0] = PAD(array_square)(x);
    if (PAD(branch)(PAD(var_gt_r)(PAD(array_at)(x, 0), 0))) y[0] = PAD(array_mul_r)(y[0], 2);
    if (PAD(branch)(PAD(var_lt)(PAD(array_at)(y[0], 1), PAD(array_at)(y[0], 2))))
        y[0] = PAD(array_add_r)(y[0], 1);
    y[1] = PAD(array_sum)(PAD(array_sin)(y[0]), AD_ALL_AXES, 0);
    free_ = PAD(array_exp)(x);
    f = PT(made)(t, 1, &x, 1, y + 1, NULL);
    all[0] = f, all[1] = PAD(fn_gradient)(f), all[2] = PAD(fn_jvp)(f), all[3] = PAD(fn_vjp)(f);
    all[4] = PAD(fn_jvp)(all[1]);
    for (k = 0; k < 5; k++) {
        CHECK_STATUS(PAD(fn_status)(all[k]), AD_OK);
        CHECK(PAD(fn_get_stats)(all[k]).guards == 2);
        PT(furnish)(&r, all[k]);
        for (i = 1; i < r.n; i++)
            for (j = 0; j < r.size[i]; j++) r.in[i][j] = 1;
        memcpy(r.in[0], up, sizeof up);
        CHECK_STATUS(PT(go)(all[k], &r), AD_OK);
        CHECK(r.out[0][0] == r.out[0][0] && r.out[0][0] != 0);
        for (i = 0; i < 2; i++) {
            size_t p, q;
            memcpy(r.in[0], i ? less : down, sizeof up);
            CHECK_STATUS(PT(go)(all[k], &r), AD_ERR_BRANCH);
            for (p = 0; p < r.m; p++)
                for (q = 0; q < r.size[r.n + p]; q++) CHECK(r.out[p][q] != r.out[p][q]);
        }
        memcpy(r.in[0], up, sizeof up);
        CHECK_STATUS(PT(go)(all[k], &r), AD_OK);      /* it is as good as before */
    }
    for (k = 5; k-- > 0;) PAD(fn_destroy)(all[k]);
    /* a guard is of the trace: it holds whatever the outputs read */
    f = PT(made)(t, 1, &x, 1, &free_, NULL);
    {
        PREAL e[3];
        ad_status s = PT(run1)(f, up, e);
        CHECK(s == AD_OK && e[0] == PAD(array_values)(free_)[0]);
        s = PT(run1)(f, down, e);
        CHECK(PAD(fn_get_stats)(f).guards ? s == AD_ERR_BRANCH && e[1] != e[1] : s == AD_OK);
    }
    PAD(fn_destroy)(f);
    PAD(tape_destroy)(t);
}

/* ---------------------------------------------------------------- what is captured or lent */

static void PT(captured)(void)
{
    enum { N = 5 };
    PAD(tape) *t = PAD(tape_create)(NULL);
    const int32_t n = N;
    PREAL lent[N], loan[N], own[N], state[N], at[N], y[6][N];
    const PREAL *in[2];
    PREAL *out[6];
    PAD(array) x[2], a[5], z[6];
    PAD(fn) *f;
    size_t i, k;
    for (i = 0; i < N; i++) {
        lent[i] = (PREAL)(1 + i), loan[i] = (PREAL)(2 * i), own[i] = (PREAL)(i) - 1;
        state[i] = (PREAL)0.5 * (PREAL)i, at[i] = (PREAL)(3 + i);
    }
    x[0] = PT(vector)(t, N, at);
    x[1] = PAD(array_borrow)(t, 1, &n, loan);
    a[0] = PAD(array_const_borrow)(t, 1, &n, lent);
    a[1] = PAD(array_const)(t, 1, &n, own);
    a[2] = PT(vector)(t, N, state);                   /* an input that is not named */
    a[3] = PAD(array_detach)(PAD(array_mul_r)(x[0], 2));
    a[4] = PAD(array_borrow)(t, 1, &n, own);          /* not named either */
    for (k = 0; k < 5; k++) z[k] = PAD(array_mul)(x[0], a[k]);
    z[5] = PAD(array_mul)(x[0], x[1]);
    f = PT(made)(t, 2, x, 6, z, NULL);
    PAD(tape_reset)(t);
    for (i = 0; i < 50; i++) PAD(array_full)(t, 1, &n, (PREAL)0.5);
    x[0] = PT(vector)(t, N, lent);
    PAD(tape_destroy)(t);
    for (k = 0; k < 6; k++) out[k] = y[k];
    in[0] = at, in[1] = loan;
    for (k = 0; k < 2; k++) {
        CHECK_STATUS(PAD(fn_run)(f, in, out), AD_OK);
        for (i = 0; i < N; i++) {
            CHECK(y[0][i] == at[i] * lent[i]);        /* where they are, as they are */
            CHECK(y[1][i] == at[i] * ((PREAL)i - 1) && y[2][i] == at[i] * ((PREAL)0.5 * (PREAL)i));
            CHECK(y[3][i] == at[i] * 2 * (PREAL)(3 + i) && y[4][i] == y[1][i]);
            CHECK(y[5][i] == at[i] * loan[i]);
        }
        for (i = 0; i < N; i++) {
            at[i] += 1, loan[i] -= 3, lent[i] *= 2;
            if (k == 0) own[i] = -7, state[i] = 11;
        }
    }
    PAD(fn_destroy)(f);
}

/* ---------------------------------------------------------------- many elements, and odd ones */

/* More than a block, rows and columns that are broadcast, to the last bit. */
static void PT(large)(void)
{
    enum { R = 331, C = 101 };
    static const int32_t whole[2] = { R, C }, column[2] = { R, 1 };
    static PREAL data[2][R * C], y[2][R * C], axis[R];
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(array) x[3], z[3];
    PAD(fn) *f = NULL;
    const PREAL *in[3];
    PREAL *out[3];
    int k;
    PAD(random_normal)(2 * R * C, 9, 9, data[0]);
    for (k = 0; k < 2; k++) {
        PAD(array) a;
        int j;
        PAD(tape_reset)(t);
        x[0] = PAD(array_input)(t, 2, whole, data[k]);
        x[1] = PAD(array_input)(t, 2, column, data[k] + 5);
        x[2] = PT(vector)(t, C, data[k] + 700);
        a = PAD(array_div)(PAD(array_sub)(x[0], x[1]), PAD(array_add_r)(PAD(array_exp)(x[2]), 1));
        for (j = 0; j < 6; j++)
            a = PAD(array_fma)(PAD(array_tanh)(a), x[2], PAD(array_mul)(x[1], x[0]));
        z[0] = a;
        z[1] = PAD(array_where)(PAD(array_lt)(x[0], x[2]), PAD(array_cos)(a), x[1]);
        z[2] = PAD(array_sum)(PAD(array_square)(a), AD_AXIS(1), 0);
        if (k == 0) f = PT(made)(t, 3, x, 3, z, NULL);
    }
    in[0] = data[1], in[1] = data[1] + 5, in[2] = data[1] + 700;
    out[0] = y[0], out[1] = y[1], out[2] = axis;
    CHECK_STATUS(PAD(fn_run)(f, in, out), AD_OK);
    for (k = 0; k < 3; k++)
        test_check(memcmp(out[k], PAD(array_values)(z[k]), PT(size)(z[k]) * sizeof(PREAL)) == 0,
                   __FILE__, __LINE__, "output %d is another one", k);
    PAD(fn_destroy)(f);
    PAD(tape_destroy)(t);
}

/* Every rule in a group, on every instruction set, at many numbers: the bits of the tape there. */
static void PT(levels)(void)
{
    enum { N = 4000 };
    static PREAL data[N], y[N];
    const int32_t n = N;
    size_t i, k;
    int simd;
    for (i = 0; i < N; i++) data[i] = (PREAL)(0.01 + 0.0065 * (double)i);
    for (simd = AD_SIMD_PLAIN; simd <= AD_SIMD_NEON; simd++) {
        ad_tape_desc td;
        ad_fn_desc d;
        PAD(tape) *t;
        if (!ad_kernels_get((ad_simd)simd)) continue;
        memset(&td, 0, sizeof td);
        memset(&d, 0, sizeof d);
        td.simd = d.simd = (ad_simd)simd;
        t = PAD(tape_create)(&td);
        for (k = 0; k < PT(RULES); k++) {
            const PT(rule) *const r = &PT(rules)[k];
            PAD(array) x, z;
            PAD(fn) *f;
            size_t off = 0;
            PAD(tape_reset)(t);
            x = PT(vector)(t, n, data);
            z = PAD(array_sub_r)(x, (PREAL)0.125);
            z = r->one ? r->one(z) : r->two ? r->two(z, x) : r->three(z, x, x);
            f = PT(made)(t, 1, &x, 1, &z, &d);
            CHECK_STATUS(PT(run1)(f, data, y), AD_OK);
            for (i = 0; i < N; i++) off += !PT(same)(y[i], PAD(array_values)(z)[i]);
            /* trigamma alone, by the C library: a group takes polygamma's formula, an ulp beside */
            if (simd == AD_SIMD_PLAIN && strcmp(r->name, "trigamma") == 0) off = off > N / 100;
            test_check(off == 0, __FILE__, __LINE__, "%s, %s, %d bytes: %d of %d others", r->name,
                       ad_simd_name((ad_simd)simd), (int)sizeof(PREAL), (int)off, (int)N);
            PAD(fn_destroy)(f);
        }
        PAD(tape_destroy)(t);
    }
}

/* Arrays of one element: what kernels compute on the tape, kernels compute here; scalars by the
   rules stay what they are there. */
static void PT(lone)(void)
{
    PAD(tape) *const t = PAD(tape_create)(NULL);
    size_t k;
    int i;
    for (k = 0; k < PT(RULES); k++) {
        PAD(array) x, y[2];
        PAD(var) s;
        PAD(fn) *f;
        PREAL at = (PREAL)0.75, r[2];
        PREAL *out[2];
        const PREAL *in[1];
        int off = 0;
        if (!PT(rules)[k].one) continue;
        in[0] = &at, out[0] = r, out[1] = r + 1;
        f = NULL;
        for (i = 0; i < 40; i++) {
            PAD(tape_reset)(t);
            x = PAD(array_input)(t, 0, NULL, &at);
            y[0] = PT(rules)[k].one(PAD(array_mul_r)(x, (PREAL)1.25));
            s = PAD(var_exp)(PAD(var_sin)(PAD(array_item)(y[0])));
            y[1] = PAD(array_pack)(t, 0, NULL, &s);
            if (!f) f = PT(made)(t, 1, &x, 2, y, NULL);
            CHECK_STATUS(PAD(fn_run)(f, in, out), AD_OK);
            off += !PT(same)(r[0], PAD(array_values)(y[0])[0]);
            off += !PT(same)(r[1], PAD(array_values)(y[1])[0]);
            at += (PREAL)0.03125;
        }
        test_check(off == 0, __FILE__, __LINE__, "%s of one element: %d others", PT(rules)[k].name,
                   off);
        PAD(fn_destroy)(f);
    }
    PAD(tape_destroy)(t);
}

/* Arrays without elements are inputs and outputs like others. */
static void PT(empty)(void)
{
    static const int32_t dim[2] = { 0, 3 };
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(array) x[2], y[3];
    PAD(fn) *f, *g;
    PT(room) r;
    PT(pooled) = 0;
    x[0] = PAD(array_input)(t, 2, dim, NULL);
    x[1] = PT(vector)(t, 3, PT(at));
    y[0] = PAD(array_sum)(PAD(array_mul)(x[0], x[1]), AD_ALL_AXES, 0);
    y[0] = PAD(array_add)(y[0], PAD(array_sum)(PAD(array_square)(x[1]), AD_ALL_AXES, 0));
    y[1] = PAD(array_exp)(x[0]);
    y[2] = PAD(array_concatenate)(1, x, 0);
    f = PAD(fn_create_arrays)(t, 2, x, 3, y, NULL);
    CHECK_STATUS(PAD(fn_status)(f), AD_OK);
    if (PAD(fn_status)(f) == AD_OK) {
        PT(furnish)(&r, f);
        CHECK(r.size[0] == 0 && r.size[3] == 0 && r.size[4] == 0);
        memcpy(r.in[1], PT(at), 3 * sizeof(PREAL));
        CHECK_STATUS(PT(go)(f, &r), AD_OK);
        CHECK_NEAR(r.out[0][0], 0.25 + 0.0625 + 2.25, 4 * EPS);
    }
    PAD(fn_destroy)(f);
    PAD(tape_clear_status)(t);
    f = PAD(fn_create_arrays)(t, 2, x, 1, y, NULL);
    g = PAD(fn_gradient)(f);
    CHECK_STATUS(PAD(fn_status)(g), AD_OK);
    if (PAD(fn_status)(g) == AD_OK) {
        PT(furnish)(&r, g);
        memcpy(r.in[1], PT(at), 3 * sizeof(PREAL));
        CHECK_STATUS(PT(go)(g, &r), AD_OK);
        CHECK(r.size[3] == 0 && r.out[2][0] == 1 && r.out[2][2] == 3);
    }
    PAD(fn_destroy)(g);
    PAD(fn_destroy)(f);
    PAD(tape_destroy)(t);
}

/* ---------------------------------------------------------------- what goes wrong in a run */

static ad_status PT(picky_value)(void *user, size_t n, const PREAL *x, size_t m, PREAL *y)
{
    size_t i;
    (void)user, (void)n;
    for (i = 0; i < m; i++) y[i] = x[i] * x[i];
    return x[0] < 0 ? AD_ERR_USER : AD_OK;
}
static ad_status PT(picky_record)(void *user, PAD(tape) *t, size_t n, const PAD(var) *x, size_t m,
                                  const PAD(var) *y, const PAD(var) *y_bar, PAD(var) *x_bar)
{
    size_t i;
    (void)user, (void)t, (void)n, (void)y;
    for (i = 0; i < m; i++) x_bar[i] = PAD(var_mul)(PAD(var_mul_r)(x[i], 2), y_bar[i]);
    return AD_OK;
}
/* x, or x squared where it is not positive: it remembers that it was. */
static PAD(fn) *PT(guarded_map)(void)
{
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(var) x = PAD(input)(t, 1), y;
    PAD(fn) *f;
    y = PAD(branch)(PAD(var_ge_r)(x, 0)) ? PAD(var_mul_r)(x, 3) : PAD(var_square)(x);
    f = PAD(fn_create)(t, 1, &x, 1, &y, NULL);
    PAD(tape_destroy)(t);
    return f;
}
/* What comes to slices of an array: side by side, twice to one, overlapping, along several axes,
   backwards, and to all of it, in turns. Recorded gradients are the tape's. */
static void PT(pieces)(void)
{
    const int32_t shape[2] = { 6, 2 }, deep[3] = { 3, 2, 2 };
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(array) x, g, s, p;
    PREAL data[12], want[12];
    int way, i;
    for (i = 0; i < 12; i++) data[i] = (PREAL)(0.5 + 0.1 * (double)i);
    for (way = 0; way < 32; way++) {
        PAD(tape_reset)(t);
        x = PAD(array_input)(t, 2, shape, data);
        s = PAD(array_sum)(PAD(array_square)(PAD(array_slice)(x, 0, 0, 3, 1)), AD_ALL_AXES, 0);
        if (way & 1) s = PAD(array_add)(s, PAD(array_sum)(PAD(array_exp)(x), AD_ALL_AXES, 0));
        p = PAD(array_slice)(x, 0, way & 2 ? 3 : 2, 5, 1);
        s = PAD(array_add)(s, PAD(array_sum)(PAD(array_sin)(p), AD_ALL_AXES, 0));
        p = PAD(array_slice)(x, 0, 0, 3, 1);                           /* again, in another shape */
        if (way & 4) p = PAD(array_transpose)(PAD(array_sin)(PAD(array_slice)(x, 0, 0, 3, 1)));
        s = PAD(array_add)(s, PAD(array_sum)(PAD(array_mul)(p, p), AD_ALL_AXES, 0));
        for (i = 0; way & 8 && i < 2; i++) {                           /* columns */
            p = PAD(array_slice)(x, 1, i, i + 1, 1);
            s = PAD(array_add)(s, PAD(array_sum)(PAD(array_cos)(p), AD_ALL_AXES, 0));
        }
        for (i = 0; way & 16 && i < 4; i++) {
            p = PAD(array_reshape)(x, 3, deep);
            p = i < 3 ? PAD(array_slice)(p, 1, i & 1, 1 + (i & 1), 1)
                      : PAD(array_slice)(p, 1, AD_END, AD_END, -1);
            s = PAD(array_add)(s, PAD(array_sum)(PAD(array_mul)(p, PAD(array_square)(p)),
                AD_ALL_AXES, 0));
        }
        CHECK_STATUS(PAD(backward)(PAD(array_item)(s)), AD_OK);
        memcpy(want, PAD(array_adjoints)(x), sizeof want);
        CHECK_STATUS(PAD(array_grad)(PAD(array_item)(s), 1, &x, &g), AD_OK);
        for (i = 0; i < 12; i++)
            test_check(fabs((double)(PAD(array_values)(g)[i] - want[i]))
                <= (sizeof(PREAL) == 4 ? 4e-6 : 1e-14) * (1 + fabs((double)want[i])), __FILE__,
                __LINE__, "pieces, way %d: element %d is %g, not %g", way, i,
                (double)PAD(array_values)(g)[i], (double)want[i]);
    }
    PAD(tape_destroy)(t);
}
/* Many slices of an array, `width` long and `step` apart on an axis, cost what they hold: added
   each with zeros around, 6,000 of 4 numbers would be 144 million. */
static void PT(many_pieces)(int axis, int width, int step)
{
    enum { MANY = 6000 };
    static PREAL zeros[4 * MANY];
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(array) x, g, s;
    int32_t shape[2] = { 4, 4 };
    size_t before;
    int i;
    shape[axis] = MANY;
    x = PAD(array_input)(t, 2, shape, zeros);
    s = PAD(array_full)(t, 0, NULL, 0);
    for (i = 0; i + width <= MANY; i += step)
        s = PAD(array_add)(s, PAD(array_sum)(PAD(array_sin)(
            PAD(array_slice)(x, axis, i, i + width, 1)), AD_ALL_AXES, 0));
    before = PAD(tape_get_stats)(t).slots;
    CHECK_STATUS(PAD(array_grad)(PAD(array_item)(s), 1, &x, &g), AD_OK);
    CHECK(PAD(tape_get_stats)(t).slots < 8 * before);
    for (i = 0; i < 4 * MANY; i++) {
        const int at = axis ? i % MANY : i / 4;
        int want = 0, first;
        for (first = at; first > at - width; first--)
            want += first >= 0 && first % step == 0 && first + width <= MANY;
        if (fabs((double)PAD(array_values)(g)[i] - want) > 0) break;
    }
    test_check(i == 4 * MANY, __FILE__, __LINE__, "slices of %d, %d apart, on axis %d: element %d"
        " is wrong", width, step, axis, i);
    PAD(tape_destroy)(t);
}
/* So do rows of a table that are looked up one after the other, in a compiled function: their
   adjoints are added where they are, distinct ones with no table between. */
static void PT(looked_up)(void)
{
    enum { ROWS = 500, LOOKS = 200 };
    static PREAL table[2 * ROWS], want[2 * ROWS], y, got[2 * ROWS];
    static const int32_t shape[2] = { ROWS, 2 };
    const PREAL *in = table;
    PREAL *out[2];
    int twice;
    for (twice = 0; twice < 2; twice++) {
        PAD(tape) *const t = PAD(tape_create)(NULL);
        dice d = { 5 };
        PAD(array) x, s;
        PAD(fn) *f, *g;
        ad_fn_stats stats;
        size_t i;
        memset(want, 0, sizeof want);
        for (i = 0; i < 2 * ROWS; i++) table[i] = (PREAL)unit(&d);
        x = PAD(array_input)(t, 2, shape, table);
        s = PAD(array_full)(t, 0, NULL, 0);
        for (i = 0; i < LOOKS; i++) {
            uint32_t at[2];
            size_t k;
            at[0] = (uint32_t)below(&d, ROWS);
            at[1] = twice ? at[0] : (uint32_t)(at[0] + 1 + below(&d, ROWS - 1)) % ROWS;
            s = PAD(array_add)(s, PAD(array_sum)(PAD(array_mul_r)(PAD(array_square)(
                PAD(array_gather)(x, 0, 2, at)), (PREAL)i), AD_ALL_AXES, 0));
            for (k = 0; k < 4; k++)
                want[2 * at[k / 2] + k % 2] += (PREAL)(2 * i) * table[2 * at[k / 2] + k % 2];
        }
        f = PAD(fn_create_arrays)(t, 1, &x, 1, &s, NULL);
        g = PAD(fn_gradient)(f);
        out[0] = &y;
        out[1] = got;
        CHECK_STATUS(PAD(fn_run)(g, &in, out), AD_OK);
        for (i = 0; i < 2 * ROWS; i++)
            if (fabs((double)(got[i] - want[i])) > 1e-5 * (1 + fabs((double)want[i]))) break;
        CHECK(i == 2 * ROWS);
        stats = PAD(fn_get_stats)(g);
        CHECK(twice || stats.workspace_bytes < 40 * sizeof table);
        PAD(fn_destroy)(g);
        PAD(fn_destroy)(f);
        PAD(tape_destroy)(t);
    }
}
/* Recorded gradients, taken again and again behind a mark, need no more of a fixed buffer. */
static void PT(pieces_in_a_buffer)(void)
{
    enum { NUMBERS = 1 << 16 };
    static double buffer[NUMBERS];
    static const PREAL data[12] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };
    const int32_t shape[2] = { 6, 2 };
    ad_tape_desc desc;
    PAD(tape) *t;
    PAD(array) x, g, s;
    size_t mark, bytes = 0;
    int i, k;
    memset(&desc, 0, sizeof desc);
    desc.buffer = buffer;
    desc.buffer_bytes = sizeof buffer;
    t = PAD(tape_create)(&desc);
    x = PAD(array_input)(t, 2, shape, data);
    mark = PAD(tape_mark)(t);
    for (k = 0; k < 400; k++) {
        PAD(tape_rewind)(t, mark);
        s = PAD(array_full)(t, 0, NULL, 0);
        for (i = 0; i < 5; i++)
            s = PAD(array_add)(s, PAD(array_sum)(PAD(array_square)(
                PAD(array_slice)(x, 0, i, i + 2, 1)), AD_ALL_AXES, 0));
        if (PAD(array_grad)(PAD(array_item)(s), 1, &x, &g) != AD_OK) break;
        if (PAD(array_values)(g)[2] != 4 * data[2]) break;             /* in two windows */
        if (k == 2) bytes = PAD(tape_get_stats)(t).bytes;
    }
    CHECK(k == 400 && PAD(tape_get_stats)(t).bytes == bytes);
    PAD(tape_destroy)(t);
}

/* A weight that was forgotten among the inputs stays what it was, and is counted. */
static void PT(forgotten_weight)(void)
{
    static const int32_t rows[2] = { 2, 3 }, columns[2] = { 3, 2 };
    static const PREAL v[6] = { 1, 2, 3, 4, 5, 6 };
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(array) x[2], y;
    size_t n;
    x[0] = PAD(array_input)(t, 2, rows, v);
    x[1] = PAD(array_input)(t, 2, columns, v);
    y = PAD(array_mul)(PAD(array_tanh)(PAD(array_matmul)(x[0], x[1])),
                       PAD(array_const)(t, 1, rows, v));
    for (n = 1; n <= 2; n++) {
        PAD(fn) *const f = PAD(fn_create_arrays)(t, n, x, 1, &y, NULL);
        CHECK_STATUS(PAD(fn_status)(f), AD_OK);
        CHECK(PAD(fn_get_stats)(f).constants == (n == 1 ? 8 : 2)
              && PAD(fn_get_stats)(f).constant == NULL);
        PAD(fn_destroy)(f);
    }
    PAD(tape_destroy)(t);
}

/* With AD_FN_FAST, which expects numbers, where a loss has logarithms of nothing inside: as on the
   tape; what no reading can say (two labels that are one need three times) is infinite. */
static void PT(fast_ctc)(void)
{
    enum { TIMES = 4, CLASSES = 3 };
    static const uint32_t labels[4][2] = { { 1, 2 }, { 1, 0 }, { 2, 2 }, { 0, 0 } };
    static const uint32_t lengths[4] = { 2, 1, 2, 0 };
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PREAL data[TIMES * CLASSES], loss, g[TIMES * CLASSES];
    const PREAL *in[1];
    PREAL *out[2];
    int i, k, times;
    for (i = 0; i < TIMES * CLASSES; i++)
        data[i] = (PREAL)(0.1 * (double)i - 0.3 * (double)(i % 4));
    in[0] = data;
    out[0] = &loss;
    out[1] = g;
    for (times = 2; times <= TIMES; times++)
        for (k = 0; k < 4; k++) {
            int32_t dim[3] = { 0, 1, CLASSES };
            PAD(array) x, y;
            PAD(fn) *f, *d;
            ad_fn_desc desc;
            memset(&desc, 0, sizeof desc);
            desc.flags = AD_FN_FAST;
            dim[0] = times;
            PAD(tape_reset)(t);
            x = PAD(array_input)(t, 3, dim, data);
            y = PAD(array_ctc)(PAD(array_log_softmax)(x, 2), 2, labels[k], &lengths[k], NULL, 0,
                AD_SUM);
            CHECK_STATUS(PAD(backward)(PAD(array_item)(y)), AD_OK);
            f = PAD(fn_create_arrays)(t, 1, &x, 1, &y, &desc);
            d = PAD(fn_gradient)(f);
            CHECK_STATUS(PAD(fn_run)(d, in, out), AD_OK);
            CHECK((k == 2 && times == 2) == ((double)loss > 1e6 && loss - loss != 0));
            for (i = 0; i < times * CLASSES; i++)
                test_check(fabs((double)(g[i] - PAD(array_adjoints)(x)[i])) <= (sizeof(PREAL) == 4
                    ? 1e-5 : 1e-13), __FILE__, __LINE__, "ctc, %d times, labels %d: %g, not %g",
                    times, k, (double)g[i], (double)PAD(array_adjoints)(x)[i]);
            PAD(fn_destroy)(d);
            PAD(fn_destroy)(f);
        }
    PAD(tape_destroy)(t);
}

static void PT(failing)(void)
{
    static const PREAL good[4] = { 4, 1, 1, 3 }, singular[4] = { 1, 2, 2, 4 },
                       negative[4] = { -1, 0, 0, 1 };
    const int32_t two[2] = { 2, 2 }, four = 4;
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(fn) *const guarded = PT(guarded_map)();
    PAD(array) x, y[2];
    PAD(fn) *f;
    PAD(op) op;
    PT(room) r;
    int way, k;
    size_t i;
    PT(pooled) = 0;
    memset(&op, 0, sizeof op);
    op.name = "picky", op.value = PT(picky_value), op.record = PT(picky_record);
    for (way = 0; way < 5; way++) {
        const PREAL *const wrong = way > 0 && way < 3 ? singular : negative;
        const ad_status s = way == 3 ? AD_ERR_USER : way == 4 ? AD_ERR_BRANCH : AD_ERR_ARGUMENT;
        PAD(tape_reset)(t);
        x = PAD(array_input)(t, 2, two, good);
        y[0] = way == 0 ? PAD(array_cholesky)(x)
             : way == 1 ? PAD(array_solve)(x, PAD(array_sin)(x)) : way == 2 ? PAD(array_inverse)(x)
             : way == 3 ? PAD(array_call)(t, &op, NULL, 1, &x, 1, &four)
             : PAD(array_map)(guarded, 1, &x);
        y[1] = PAD(array_exp)(x);
        f = PAD(fn_create_arrays)(t, 1, &x, 2, y, NULL);
        if (way == 3 && PAD(fn_status)(f) == AD_ERR_UNSUPPORTED) {   /* the user's may be */
            CHECK(one_line(PAD(fn_message)(f)));
            PAD(fn_destroy)(f);
            continue;
        }
        CHECK_STATUS(PAD(fn_status)(f), AD_OK);
        PT(furnish)(&r, f);
        for (k = 0; k < 3; k++) {
            ad_status got;
            memcpy(r.in[0], k == 1 ? wrong : good, sizeof good);
            got = PT(go)(f, &r);
            test_check(got == (k == 1 ? s : AD_OK), __FILE__, __LINE__, "way %d, run %d: %s", way,
                       k, ad_status_name(got));
            for (i = 0; i < 4; i++) {
                if (k == 1) CHECK(r.out[0][i] != r.out[0][i] && r.out[1][i] != r.out[1][i]);
                else CHECK(PT(same)(r.out[0][i], PAD(array_values)(y[0])[i]));
            }
        }
        PAD(fn_destroy)(f);
        if (way == 3) {                               /* its pull is recorded */
            PAD(fn) *g;
            y[0] = PAD(array_sum)(y[0], AD_ALL_AXES, 0);
            f = PT(made)(t, 1, &x, 1, y, NULL);
            g = PAD(fn_gradient)(f);
            if (PAD(fn_status)(g) == AD_OK) {
                PT(furnish)(&r, g);
                memcpy(r.in[0], singular, sizeof good);
                CHECK_STATUS(PT(go)(g, &r), AD_OK);
                CHECK_NEAR(r.out[0][0], 25, 8 * EPS);
                for (i = 0; i < 4; i++) CHECK_NEAR(r.out[1][i], 2 * singular[i], 4 * EPS);
            } else {
                CHECK_STATUS(PAD(fn_status)(g), AD_ERR_UNSUPPORTED);
                CHECK(one_line(PAD(fn_message)(g)));
            }
            PAD(fn_destroy)(g);
            PAD(fn_destroy)(f);
        }
    }
    PAD(fn_destroy)(guarded);
    PAD(tape_destroy)(t);
}

/* ---------------------------------------------------------------- memory that runs out */

/* A bit of everything that keeps something: y[0] the loss, y[1], y[2] arrays, then the gradients of
   the loss by x[2]. */
enum { PT(MIXED) = 5 };
static void PT(mixture)(PAD(tape) *t, const PAD(fn) *map, PAD(array) *x, PAD(array) *y)
{
    static const uint32_t rows[5] = { 2, 0, 2, 1, 0 };
    static const int32_t six[2] = { 3, 4 }, two[2] = { 2, 2 }, image[4] = { 1, 1, 3, 4 };
    static const int32_t filter[4] = { 1, 1, 2, 2 };
    PAD(array) a, b, part[2];
    PAD(var) s;
    ad_conv_desc c;
    int k;
    memset(&c, 0, sizeof c);
    x[0] = PAD(array_input)(t, 2, six, PT(at));
    x[1] = PAD(array_input)(t, 2, two, PT(at) + 1);
    a = PAD(array_gather)(x[0], 0, 5, rows);
    a = PAD(array_layer_norm)(a, PAD(array_const)(t, 1, six + 1, PT(other)), PAD(array_sum)(x[0],
        AD_AXIS(0), 0), (PREAL)0.1);
    b = PAD(array_conv2d)(PAD(array_reshape)(x[0], 4, image),
                          PAD(array_reshape)(x[1], 4, filter), &c);
    for (k = 0; k < 2; k++)                                 /* more than one group */
        a = PAD(array_add)(PAD(array_mul_r)(PAD(array_sin)(a), (PREAL)0.9),
                           PAD(array_var)(a, AD_AXIS(1), 1, 0));
    CHECK_STATUS(PAD(array_split)(a, 1, 2, part), AD_OK);
    part[0] = PAD(array_map)(map, 2, part);
    s = PAD(var_tanh)(PAD(array_item)(PAD(array_mean)(b, AD_ALL_AXES, 0)));
    if (PAD(branch)(PAD(var_lt_r)(s, 2))) part[1] = PAD(array_mul_v)(part[1], s);
    y[1] = PAD(array_concatenate)(2, part, 1);
    y[2] = PAD(array_mul_r)(PAD(array_matmul)(x[1], x[1]), 3);
    y[2] = PAD(array_solve)(PAD(array_add)(x[1], y[2]), PAD(array_slice)(x[0], 0, 0, 2, 1));
    y[0] = PAD(array_add)(PAD(array_sum)(PAD(array_cumsum)(y[1], 0), AD_ALL_AXES, 0),
        PAD(array_dot)(PAD(array_softmax)(y[2], -1), y[2]));
    a = PAD(array_dropout_at)(b, (PREAL)0.25, 1, 2, PAD(array_floor)(PAD(array_abs)(
        PAD(array_sum)(x[1], AD_ALL_AXES, 0))));
    y[0] = PAD(array_add)(y[0], PAD(array_squared_error)(b, a, AD_MEAN));
    PAD(array_grad)(PAD(array_item)(y[0]), 2, x, y + 3);
}
/* What is done: making it, running it, deriving it and running that. */
enum { PT(stride) = 211 };
enum { PT(CREATE), PT(RUN), PT(GRADIENT), PT(JVP), PT(VJP), PT(GRADIENT_RUN), PT(EVAL), PT(ACTS) };

/* Allocation k of an act fails, with `then` all after it too. 0 if there are fewer. */
static int PT(starved)(int what, int then, size_t k, const PAD(fn) *map, PREAL *const *right)
{
    heap h;
    ad_tape_desc td;
    ad_fn_desc fd;
    PAD(tape) *t;
    PAD(array) x[2], y[PT(MIXED)];
    PAD(fn) *f, *g;
    PT(room) r, rg;
    PREAL flat[16];
    PREAL *eval;
    ad_status s = AD_OK;
    size_t i, j, total = 0;
    int failed = 0, round;
    PT(pooled) = 1 << 14;                              /* right[] is below */
    memset(&h, 0, sizeof h);
    memset(&td, 0, sizeof td);
    memset(&fd, 0, sizeof fd);
    td.resize = fd.resize = heap_resize;
    td.resize_user = fd.resize_user = &h;
    fd.workspace = k % 2;
    t = PAD(tape_create)(&td);
    PT(mixture)(t, map, x, y);
    CHECK_STATUS(PAD(tape_status)(t), AD_OK);
    f = g = NULL;
    if (what != PT(CREATE)) {
        f = PT(made)(t, 2, x, what == PT(GRADIENT) || what == PT(GRADIENT_RUN) ? 1 : PT(MIXED), y,
                     &fd);
        PT(furnish)(&r, f);
        memcpy(r.in[0], PT(at), 12 * sizeof(PREAL)), memcpy(r.in[1], PT(at) + 1, 4 * sizeof(PREAL));
    }
    if (what == PT(GRADIENT_RUN)) {
        g = PAD(fn_gradient)(f);
        PT(furnish)(&rg, g);
        memcpy(rg.in[0], PT(at), 12 * sizeof(PREAL));
        memcpy(rg.in[1], PT(at) + 1, 4 * sizeof(PREAL));
    }
    memcpy(flat, PT(at), 12 * sizeof(PREAL)), memcpy(flat + 12, PT(at) + 1, 4 * sizeof(PREAL));
    if (f) for (i = 0; i < r.m; i++) total += r.size[r.n + i];
    eval = PT(take)(total);
    for (round = 0; round < 2; round++) {              /* it fails; all goes well */
        if (round == 0) h.from_then_on = then, h.fail_at = h.calls + k;
        switch (what) {
        case PT(CREATE):
            f = PAD(fn_create_arrays)(t, 2, x, PT(MIXED), y, &fd);
            s = PAD(fn_status)(f);
            break;
        case PT(RUN):          s = PT(go)(f, &r); break;
        case PT(GRADIENT):     g = PAD(fn_gradient)(f); s = PAD(fn_status)(g); break;
        case PT(JVP):          g = PAD(fn_jvp)(f); s = PAD(fn_status)(g); break;
        case PT(VJP):          g = PAD(fn_vjp)(f); s = PAD(fn_status)(g); break;
        case PT(GRADIENT_RUN): s = PT(go)(g, &rg); break;
        default:               s = PAD(fn_eval)(f, flat, eval);
        }
        if (round) break;
        failed = h.calls >= h.fail_at;
        h.fail_at = 0;
        test_check(s == AD_OK || (failed && s == AD_ERR_MEMORY), __FILE__, __LINE__,
                   "act %d, allocation %d: %s", what, (int)k, ad_status_name(s));
        if (s != AD_OK && what == PT(RUN))
            for (i = 0; i < r.m; i++) CHECK(r.out[i][0] != r.out[i][0]);
        if (what == PT(CREATE)) {
            if (s != AD_OK) {
                CHECK_STATUS(PAD(tape_status)(t), s);
                CHECK(one_line(PAD(tape_message)(t)) && (!f || one_line(PAD(fn_message)(f))));
                PAD(tape_clear_status)(t);
            }
            PAD(fn_destroy)(f);
        } else if (what != PT(RUN) && what != PT(GRADIENT_RUN) && what != PT(EVAL)) {
            if (s != AD_OK) CHECK(!g || one_line(PAD(fn_message)(g)));
            PAD(fn_destroy)(g);
        }
    }
    CHECK_STATUS(s, AD_OK);
    if (what == PT(CREATE) || what == PT(RUN)) {
        if (what == PT(CREATE)) {
            PT(furnish)(&r, f);
            memcpy(r.in[0], PT(at), 12 * sizeof(PREAL));
            memcpy(r.in[1], PT(at) + 1, 4 * sizeof(PREAL));
            CHECK_STATUS(PT(go)(f, &r), AD_OK);
        }
        for (i = 0; i < r.m; i++)
            for (j = 0; j < r.size[r.n + i]; j++) CHECK(PT(same)(r.out[i][j], right[i][j]));
    }
    CHECK_STATUS(PAD(backward)(PAD(array_item)(y[0])), AD_OK);     /* the tape is as it was */
    PAD(fn_destroy)(f);
    if (what != PT(CREATE)) PAD(fn_destroy)(g);
    PAD(tape_destroy)(t);
    CHECK(h.blocks == 0 && h.live == 0 && h.wrong == 0);
    return failed;
}
static void PT(memory)(void)
{
    PAD(fn) *const map = PAD(fn_parse)("a*sin(b) + b", "a, b", NULL, 0);
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(array) x[2], y[PT(MIXED)];
    PREAL *right[PT(MIXED)];
    PAD(fn) *f;
    PT(room) r;
    int what, then;
    size_t i, k;
    PT(pooled) = 0;
    PT(mixture)(t, map, x, y);
    f = PT(made)(t, 2, x, PT(MIXED), y, NULL);
    PT(furnish)(&r, f);
    memcpy(r.in[0], PT(at), 12 * sizeof(PREAL)), memcpy(r.in[1], PT(at) + 1, 4 * sizeof(PREAL));
    CHECK_STATUS(PT(go)(f, &r), AD_OK);
    for (i = 0; i < PT(MIXED); i++) {
        double off;
        const int ok = PT(alike)(r.size[2 + i], r.out[i], PAD(array_values)(y[i]), 1e4 * EPS, &off);
        right[i] = r.out[i];
        test_check(ok, __FILE__, __LINE__, "output %d of the mixture: %g away", (int)i, off);
    }
    PAD(fn_destroy)(f);
    PAD(tape_destroy)(t);
    for (what = 0; what < PT(ACTS); what++)
        for (then = 0; then < 2; then++) {
            for (k = 1; k < 30000; k += k < 12 ? 1 : PT(stride) * (size_t)test_step())
                if (!PT(starved)(what, then, k, map, right)) break;
            test_check(k > 1 && k < 30000, __FILE__, __LINE__, "act %d: %d allocations", what,
                       (int)k);

        }
    PAD(fn_destroy)(map);
}

/* ---------------------------------------------------------------- wrong arguments */

/* Fails with that status and one line, and leaves both on the tape. */
static void PT(refuses)(int line, PAD(tape) *t, PAD(fn) *f, ad_status s, const char *word)
{
    test_check(PAD(fn_status)(f) == s && one_line(PAD(fn_message)(f))
               && strstr(PAD(fn_message)(f), word), __FILE__, line, "%s, \"%s\", not %s and \"%s\"",
               ad_status_name(PAD(fn_status)(f)), PAD(fn_message)(f), ad_status_name(s), word);
    if (t) {
        test_check(PAD(tape_status)(t) == s && one_line(PAD(tape_message)(t)), __FILE__, line,
                   "the tape: %s, \"%s\"", ad_status_name(PAD(tape_status)(t)),
                   PAD(tape_message)(t));
        PAD(tape_clear_status)(t);
    }
    CHECK(PAD(fn_get_stats)(f).inputs == 0 && PAD(fn_shape)(f, 0, NULL) == -1);
    CHECK_STATUS(PAD(fn_run)(f, NULL, NULL), s);
    PAD(fn_destroy)(f);
}
static int PT(no_text)(void *user, const char *text, size_t length)
{
    (void)text, (void)length;
    ++*(int *)user;
    return 0;
}
static void PT(refused)(void)
{
    PAD(tape) *const t = PAD(tape_create)(NULL), *const u = PAD(tape_create)(NULL);
    PAD(array) x[2], y[2], bad, stale, foreign, twice[2];
    PAD(fn) *f, *g, *two;
    PAD(var) v[4], w[4];
    PREAL in[8] = { 1, 2, 3, 4, 1, 2, 3, 4 }, out[16];
    const PREAL *ins[2];
    PREAL *outs[2];
    ad_fn_desc d;
    ad_pattern p;
    int texts = 0;
    size_t mark;
    memset(&d, 0, sizeof d);
    memset(&bad, 0, sizeof bad);
    bad.rank = -1;
    x[0] = PT(vector)(t, 4, PT(at));
    stale = x[0];
    PAD(tape_reset)(t);
    x[0] = PT(vector)(t, 4, PT(at)), x[1] = PT(vector)(t, 4, PT(other));
    y[0] = PAD(array_mul)(x[0], PAD(array_sin)(x[1]));
    y[1] = PAD(array_sum)(y[0], AD_ALL_AXES, 0);
    foreign = PT(vector)(u, 4, PT(at));
    twice[0] = twice[1] = x[0];
#define REFUSE(n, x, m, y, s, word)                                                                \
    PT(refuses)(__LINE__, t, PAD(fn_create_arrays)(t, n, x, m, y, &d), s, word)
    REFUSE(2, twice, 1, y, AD_ERR_ARGUMENT, "1");          /* says which */
    REFUSE(1, y, 1, y, AD_ERR_ARGUMENT, "0");              /* a result is no input */
    REFUSE(1, &foreign, 1, y, AD_ERR_MIXED, "");
    REFUSE(1, x, 1, &foreign, AD_ERR_MIXED, "");
    REFUSE(1, &stale, 1, y, AD_ERR_STALE, "");
    REFUSE(1, x, 1, &stale, AD_ERR_STALE, "");
    REFUSE(1, &bad, 1, y, AD_ERR_ARGUMENT, "");
    REFUSE(1, x, 1, &bad, AD_ERR_ARGUMENT, "");
    REFUSE(1, NULL, 1, y, AD_ERR_ARGUMENT, "NULL");
    REFUSE(1, x, 1, NULL, AD_ERR_ARGUMENT, "NULL");
    REFUSE((size_t)-1, x, 1, y, AD_ERR_LIMIT, "");
    REFUSE(1, x, (size_t)-1, y, AD_ERR_LIMIT, "");
    {
        PAD(array) piece = PAD(array_slice)(x[0], 0, 0, 2, 1), other = x[0], c;
        const int32_t four[2] = { 2, 2 };
        REFUSE(1, &piece, 1, y, AD_ERR_ARGUMENT, "0");     /* not the whole of it */
        other = PAD(array_reshape)(x[0], 2, four);
        c = PAD(array_const)(t, 1, four, PT(at));
        REFUSE(1, &c, 1, y, AD_ERR_ARGUMENT, "0");         /* a constant */
        f = PAD(fn_create_arrays)(t, 1, &other, 1, y, &d); /* another shape of the same numbers */
        if (PAD(fn_status)(f) != AD_OK) PAD(tape_clear_status)(t);
        else CHECK(PT(same_shape)(f, 0, other));
        PAD(fn_destroy)(f);
        twice[1] = other;
        REFUSE(2, twice, 1, y, AD_ERR_ARGUMENT, "");       /* the same in two shapes */
        v[0] = PAD(input)(t, 1), v[1] = PAD(input)(t, 2);
        c = PAD(array_pack)(t, 1, four, v);
        f = PAD(fn_create_arrays)(t, 1, &c, 1, y, &d);     /* variables side by side */
        CHECK_STATUS(PAD(fn_status)(f), AD_ERR_ARGUMENT);
        PAD(tape_clear_status)(t);
        PAD(fn_destroy)(f);
    }
    mark = PAD(tape_mark)(t);
    stale = PT(vector)(t, 4, PT(at));
    PAD(tape_rewind)(t, mark);
    REFUSE(1, &stale, 1, y, AD_ERR_STALE, "");
    PT(refuses)(__LINE__, NULL, PAD(fn_create_arrays)(NULL, 1, x, 1, y, &d), AD_ERR_ARGUMENT,
                "tape");
    PAD(var_mul)(PAD(array_at)(foreign, 0), PAD(array_at)(x[0], 0));       /* a tape in error */
    if (PAD(tape_status)(t) != AD_OK)
        PT(refuses)(__LINE__, NULL, PAD(fn_create_arrays)(t, 1, x, 1, y, &d),
                    PAD(tape_status)(t), "");
    PAD(tape_clear_status)(t);
    PAD(tape_clear_status)(u);
#undef REFUSE

    /* functions of numbers, and where numbers are wanted */
    f = PT(made)(t, 2, x, 1, y + 1, NULL);
    ins[0] = in, ins[1] = in + 4, outs[0] = out;
    CHECK_STATUS(PAD(fn_run)(f, NULL, outs), AD_ERR_ARGUMENT);
    CHECK_STATUS(PAD(fn_run)(f, ins, NULL), AD_ERR_ARGUMENT);
    ins[1] = NULL;
    CHECK_STATUS(PAD(fn_run)(f, ins, outs), AD_ERR_ARGUMENT);
    ins[1] = in + 4, outs[0] = NULL;
    CHECK_STATUS(PAD(fn_run)(f, ins, outs), AD_ERR_ARGUMENT);
    outs[0] = out;
    CHECK_STATUS(PAD(fn_run)(f, ins, outs), AD_OK);
    CHECK_STATUS(PAD(fn_run)(NULL, ins, outs), AD_ERR_MEMORY);
    CHECK_STATUS(PAD(fn_status)(f), AD_OK);
    CHECK(PAD(fn_shape)(f, 2, NULL) == 0 && PAD(fn_shape)(f, 3, NULL) == -1);
    CHECK(PAD(fn_shape)(f, (size_t)-1, NULL) == -1 && PAD(fn_shape)(NULL, 0, NULL) == -1);
    two = PAD(fn_parse)("a*b; a + b", "a, b", NULL, 0);
    CHECK(PAD(fn_shape)(two, 0, NULL) == 0 && PAD(fn_shape)(two, 3, NULL) == 0);
    CHECK(PAD(fn_shape)(two, 4, NULL) == -1);
    CHECK(PAD(fn_run)(two, ins, outs) != AD_OK);
#define UNSUPPORTED(call)                                                                          \
    g = call;                                                                                      \
    CHECK_STATUS(PAD(fn_status)(g), AD_ERR_UNSUPPORTED);                                           \
    CHECK(one_line(PAD(fn_message)(g)));                                                           \
    PAD(fn_destroy)(g)
    UNSUPPORTED(PAD(fn_jacobian)(f));
    UNSUPPORTED(PAD(fn_hessian)(f));
    UNSUPPORTED(PAD(fn_normal)(f));
    UNSUPPORTED(PAD(fn_repeat)(f, 3, 1, 1, 0));
    UNSUPPORTED(PAD(fn_root)(f, 1, in, NULL, NULL));
    UNSUPPORTED(PAD(fn_argmin)(f, 1, in, NULL, NULL));
    memset(&p, 0, sizeof p);
    UNSUPPORTED(PAD(fn_sparse_jacobian)(f, &p));
    CHECK(p.memory == NULL && p.rows == 0);
    UNSUPPORTED(PAD(fn_sparse_hessian)(f, &p));
    CHECK(p.memory == NULL && p.rows == 0);
#undef UNSUPPORTED
    {
        ad_emit_desc e;
        PAD(port) ip[2], op[1];
        PAD(ports) gi, go;
        memset(&e, 0, sizeof e);
        ip[0] = PAD(port_in)(in, 1), ip[1] = PAD(port_in)(in, 1), op[0] = PAD(port_out)(out, 1);
        gi = PAD(ports_of)(ip[0], 2, 1), go = PAD(ports_of)(op[0], 1, 1);
        CHECK_STATUS(PAD(fn_map)(f, 2, ip, op, NULL), AD_ERR_UNSUPPORTED);
        CHECK_STATUS(PAD(fn_map_ports)(f, 2, 1, &gi, 1, &go, NULL), AD_ERR_UNSUPPORTED);
        CHECK_STATUS(PAD(fn_emit_c)(f, "f", PT(no_text), &texts), AD_ERR_UNSUPPORTED);
        e.form = AD_EMIT_TABLE;
        CHECK_STATUS(PAD(fn_emit)(f, &e, PT(no_text), &texts), AD_ERR_UNSUPPORTED);
        CHECK(texts == 0);
        out[0] = -1;
        CHECK_STATUS(PAD(fn_eval_in)(f, in, out, in), AD_ERR_UNSUPPORTED);
    }
    PAD(inputs)(u, 4, in, v);
    CHECK_STATUS(PAD(fn_record)(f, u, v, w), AD_ERR_UNSUPPORTED);
    CHECK_STATUS(PAD(tape_status)(u), AD_ERR_UNSUPPORTED);
    CHECK(one_line(PAD(tape_message)(u)));
    PAD(tape_clear_status)(u);
    CHECK_STATUS(PAD(fn_call)(f, u, 2, v, 1, w), AD_ERR_UNSUPPORTED);
    CHECK_STATUS(PAD(tape_status)(u), AD_ERR_UNSUPPORTED);
    CHECK(one_line(PAD(tape_message)(u)) && w[0].tape == NULL);
    PAD(tape_clear_status)(u);
    {
        PAD(array) z, q[2];
        q[0] = q[1] = foreign;
        z = PAD(array_map)(f, 2, q);
        CHECK(z.rank == -1);
        CHECK_STATUS(PAD(tape_status)(u), AD_ERR_UNSUPPORTED);
        CHECK(one_line(PAD(tape_message)(u)));
        PAD(tape_clear_status)(u);
    }
    PAD(fn_destroy)(f);
    PAD(fn_destroy)(two);
    /* a gradient is of one number */
    f = PT(made)(t, 2, x, 1, y, NULL);
    g = PAD(fn_gradient)(f);
    test_check(PAD(fn_status)(g) != AD_OK && one_line(PAD(fn_message)(g)), __FILE__, __LINE__,
               "a gradient of four numbers: %s", PAD(fn_message)(g));
    PAD(fn_destroy)(g);
    PAD(fn_destroy)(f);
    f = PT(made)(t, 2, x, 2, y, NULL);
    g = PAD(fn_gradient)(f);
    test_check(PAD(fn_status)(g) != AD_OK && one_line(PAD(fn_message)(g)), __FILE__, __LINE__,
               "a gradient of two outputs: %s", PAD(fn_message)(g));
    PAD(fn_destroy)(g);
    PAD(fn_destroy)(f);
    PAD(tape_destroy)(t);
    PAD(tape_destroy)(u);
}

/* ---------------------------------------------------------------- what the statistics say */

/* Two adjoints of one batch norm in a function, the second in the memory where the first was; with
   x constant too. Gains' and biases' adjoints by hand. */
/* x -> y compiled and run gives y's three numbers. */
static void PT(runs_alike)(PAD(array) x, PAD(array) y, const ad_fn_desc *d)
{
    PAD(fn) *const f = PAD(fn_create_arrays)(x.tape, 1, &x, 1, &y, d);
    const PREAL *in[1];
    PREAL out[3], *to[1];
    int i;
    in[0] = PAD(array_values)(x);
    to[0] = out;
    CHECK_STATUS(PAD(fn_run)(f, in, to), AD_OK);
    for (i = 0; i < 3; i++) CHECK(out[i] == PAD(array_values)(y)[i]);
    PAD(fn_destroy)(f);
}
/* What the bits may not depend on. A rank-0 operand beside arrays of equal constants: all points
   share what is made of it, and it is the kernels' function all the same. A sum of one number: -0
   stays. The greatest of results that are contracted: recomputed ones must be equal to it. */
static void PT(same_bits)(void)
{
    static const int32_t three = 3, tall[2] = { 3, 1 };
    static const PREAL at[3] = { (PREAL)0.60727488092489745, (PREAL)-1.3156944327646636,
        (PREAL)-0.0 };
    const PREAL zeros[3] = { 0, 0, 0 };
    const PREAL *in[1];
    PREAL out[3], g[3], *to[2];
    int way, i;
    in[0] = at;
    to[0] = out;
    to[1] = g;
    for (way = 0; way < 18; way++) {
        PAD(tape) *const t = PAD(tape_create)(NULL);
        const PAD(array) x = PAD(array_input)(t, 0, NULL, at);
        PAD(array) y = PAD(array_add)(x, PAD(array_const)(t, 1, &three, zeros));
        ad_fn_desc d;
        memset(&d, 0, sizeof d);
        d.native = way & 1 ? AD_NATIVE_NOW : AD_NATIVE_NEVER;
        switch (way / 2) {
        case 0: y = PAD(array_tanh)(y); break;
        case 1: y = PAD(array_exp)(y); break;
        case 2: y = PAD(array_add)(PAD(array_sin)(y), PAD(array_cos)(y)); break;
        case 3: y = PAD(array_sigmoid)(y); break;
        case 4: y = PAD(array_pow)(y, PAD(array_mul_r)(x, 3)); break;
        case 5: y = PAD(array_log)(y); break;
        case 6: y = PAD(array_sum)(PAD(array_mul)(PAD(array_exp)(y), y), AD_NO_AXES, 0); break;
        case 7: y = PAD(array_atan2)(PAD(array_sqrt)(y), PAD(array_neg)(y)); break;
        default: y = PAD(array_gelu)(PAD(array_cbrt)(PAD(array_square)(y))); break;
        }
        PT(runs_alike)(x, y, &d);
        PAD(tape_destroy)(t);
    }
    for (way = 0; way < 4; way++) {
        PAD(tape) *const t = PAD(tape_create)(NULL);
        const PAD(array) x = PAD(array_input)(t, 2, tall, at);
        PAD(array) y = PAD(array_neg)(PAD(array_neg)(x));
        y = PAD(array_inv)(way & 1 ? PAD(array_mean)(y, AD_AXIS(1), 0)
                                   : PAD(array_sum)(y, way & 2 ? AD_NO_AXES : AD_AXIS(1), way & 2));
        CHECK(PAD(array_values)(y)[2] == -(PREAL)INFINITY);
        PT(runs_alike)(x, y, NULL);
        PAD(tape_destroy)(t);
    }
    for (way = 0; way < 4; way++) {
        PAD(tape) *const t = PAD(tape_create)(NULL);
        const PAD(array) x = PAD(array_input)(t, 1, &three, at);
        PAD(array) y = PAD(array_add_r)(PAD(array_square)(PAD(array_tanh)(x)), (PREAL)0.4), m;
        ad_fn_desc d;
        PAD(fn) *f, *h;
        double sum = 0;
        memset(&d, 0, sizeof d);
        d.flags = way & 1 ? AD_FN_CONTRACT : 0;
        d.workspace = way & 2 ? 1 : 0;
        m = PAD(array_amax)(PAD(array_digamma)(y), AD_ALL_AXES, 0);
        m = PAD(array_mul)(PAD(array_exp)(m), m);
        f = PAD(fn_create_arrays)(t, 1, &x, 1, &m, &d);
        h = PAD(fn_gradient)(f);
        CHECK_STATUS(PAD(fn_run)(h, in, to), AD_OK);
        for (i = 0; i < 3; i++) sum += fabs((double)g[i]);
        CHECK(sum > 0.1);                                     /* the greatest has the adjoint */
        CHECK_STATUS(PAD(fn_native)(h), AD_ERR_UNSUPPORTED);
        CHECK(strstr(PAD(fn_get_stats)(h).native, "of arrays") != NULL);
        PAD(fn_destroy)(h);
        PAD(fn_destroy)(f);
        PAD(tape_destroy)(t);
    }
}

/* H v of losses that are linear in what has a kernel of its own for its adjoint, which is then a
   constant: as on the tape. */
static void PT(constant_adjoints)(void)
{
    enum { N = 9 };
    static const int32_t dim[2] = { 3, 3 };
    PREAL data[2 * N], out[1 + 3 * N], *to[4];
    const PREAL *in[2];
    int kind, i;
    for (i = 0; i < N; i++) {
        data[i] = (PREAL)(i % 4 == 0 ? 4 + 0.25 * i : 0.3 + 0.01 * (i / 3 * (i % 3)));
        data[N + i] = (PREAL)(0.5 - 0.1 * i);
    }
    in[0] = data;
    in[1] = data + N;
    for (kind = 0; kind < 3; kind++) {
        PAD(tape) *const t = PAD(tape_create)(NULL);
        PAD(array) x = PAD(array_input)(t, 2, dim, data), y, g, v, h;
        PAD(fn) *f, *d, *hv;
        const PREAL *want;
        y = kind == 0 ? PAD(array_var)(x, AD_ALL_AXES, 0, 0)
          : kind == 1 ? PAD(array_std)(x, AD_AXIS(1), 0, 0) : PAD(array_cholesky)(x);
        y = PAD(array_sum)(y, AD_ALL_AXES, 0);
        f = PAD(fn_create_arrays)(t, 1, &x, 1, &y, NULL);
        PAD(array_grad)(PAD(array_item)(y), 1, &x, &g);
        v = PAD(array_const)(t, 2, dim, data + N);
        y = PAD(array_sum)(PAD(array_mul)(g, v), AD_ALL_AXES, 0);
        CHECK_STATUS(PAD(array_grad)(PAD(array_item)(y), 1, &x, &h), AD_OK);
        want = PAD(array_values)(h);
        d = PAD(fn_gradient)(f);
        hv = PAD(fn_jvp)(d);
        to[0] = out;
        to[1] = out + 1;
        to[2] = out + 1 + N;                                  /* of the value: one number */
        to[3] = out + 2 + N;
        CHECK_STATUS(PAD(fn_status)(hv), AD_OK);
        if (PAD(fn_status)(hv) == AD_OK) {
            CHECK_STATUS(PAD(fn_run)(hv, in, to), AD_OK);
            for (i = 0; i < N; i++)
                CHECK_NEAR(out[2 + N + i], want[i], sizeof(PREAL) == 4 ? 2e-5 : 1e-13);
        }
        PAD(fn_destroy)(hv);
        hv = PAD(fn_vjp)(d);
        CHECK_STATUS(PAD(fn_status)(hv), AD_OK);
        PAD(fn_destroy)(hv);
        PAD(fn_destroy)(d);
        PAD(fn_destroy)(f);
        PAD(tape_destroy)(t);
    }
}
static void PT(normalised_twice)(void)
{
    enum { N = 30, C = 4 };
    static const int32_t dim[2] = { N, C }, channels[1] = { C };
    PREAL data[4][N * C], out[4][N * C], *to[4];
    const PREAL *in[4];
    size_t way, i, j, k;
    for (i = 0; i < 4; i++) PAD(random_normal)(N * C, 5, 10 + i, data[i]);
    for (way = 0; way < 2; way++) {                  /* 1: x is no input */
        PAD(tape) *const t = PAD(tape_create)(NULL);
        PAD(array) x[4], y, loss[2], r[4], g[2][2];
        PAD(fn) *f;
        x[0] = way ? PAD(array_const)(t, 2, dim, data[0]) : PAD(array_input)(t, 2, dim, data[0]);
        x[1] = PAD(array_input)(t, 1, channels, data[1]);
        x[2] = PAD(array_input)(t, 1, channels, data[2]);
        x[3] = PAD(array_input)(t, 2, dim, data[3]);
        y = PAD(array_batch_norm)(x[0], x[1], x[2], 0, NULL, NULL);
        loss[0] = PAD(array_sum)(PAD(array_mul)(y, PAD(array_tanh)(x[3])), AD_ALL_AXES, 0);
        PAD(array_grad)(PAD(array_at)(loss[0], 0), 2, x + 1, g[0]);
        /* what the second adjoint is made of is there when the first ones are done with */
        r[0] = PAD(array_sign)(PAD(array_sum)(g[0][0], AD_ALL_AXES, 0));
        loss[1] = PAD(array_sum)(PAD(array_mul)(y, PAD(array_mul)(PAD(array_sin)(x[3]), r[0])),
                                 AD_ALL_AXES, 0);
        PAD(array_grad)(PAD(array_at)(loss[1], 0), 2, x + 1, g[1]);
        r[0] = loss[0];
        r[1] = loss[1];
        r[2] = PAD(array_stack)(2, g[0], 0);
        r[3] = PAD(array_stack)(2, g[1], 0);
        f = PAD(fn_create_arrays)(t, 4 - way, x + way, 4, r, NULL);
        for (i = 0; i < 4; i++) {
            in[i] = data[i];
            to[i] = out[i];
        }
        CHECK_STATUS(PAD(fn_run)(f, in + way, to), AD_OK);
        for (j = 0; j < C; j++) {
            double mean = 0, var = 0, want[2][2] = { { 0, 0 }, { 0, 0 } }, sign = 0;
            for (i = 0; i < N; i++) mean += (double)data[0][i * C + j] / (double)N;
            for (i = 0; i < N; i++) var += pow((double)data[0][i * C + j] - mean, 2) / (double)N;
            for (i = 0; i < C; i++) sign += (double)out[2][i];
            for (i = 0; i < N; i++) {
                const double v = (double)data[3][i * C + j];
                const double z = ((double)data[0][i * C + j] - mean) / sqrt(var + 1e-5);
                for (k = 0; k < 2; k++) {
                    const double w = k ? sin(v) * (sign < 0 ? -1 : 1) : tanh(v);
                    want[k][0] += w * z;
                    want[k][1] += w;
                }
            }
            for (k = 0; k < 4; k++)
                test_check(fabs((double)out[2 + k / 2][k % 2 * C + j] - want[k / 2][k % 2]) < 1e-4,
                    __FILE__, __LINE__, "way %lu, loss %lu, %s %lu: %g, not %g", (unsigned long)way,
                    (unsigned long)k / 2, k % 2 ? "bias" : "gain", (unsigned long)j,
                    (double)out[2 + k / 2][k % 2 * C + j], want[k / 2][k % 2]);
        }
        PAD(fn_destroy)(f);
        PAD(tape_destroy)(t);
    }
}

/* What is rewritten, with as many steps fewer: the bits of each operation by itself, or with
   AD_FN_FAST nearly; of its gradient too. */
static void PT(rewritten)(void)
{
    static const int there[4] = { 0, 2, 1, 3 }, matrix[4] = { 0, 1, 3, 2 };
    static const int32_t four[4] = { 2, 5, 3, 4 };
    static const struct { size_t rewritten, gone; unsigned flags; } wanted[] = { { 1, 1, 0 },
        { 3, 2, 0 }, { 1, 1, 0 }, { 2, 2, 0 }, { 1, 1, 0 }, { 0, 0, 0 }, { 0, 0, 0 },
        { 1, 1, AD_FN_FAST }, { 0, 0, AD_FN_FAST }, { 1, 1, 0 }, { 0, 0, 0 },
        { 1, 1, AD_FN_FAST }, { 2, 2, 0 }, { 3, 3, 0 }, { 0, 0, 0 }, { 1, 1, AD_FN_FAST },
        { 3, 3, AD_FN_FAST }, { 0, 0, AD_FN_FAST }, { 2, 2, AD_FN_FAST }, { 0, 0, 0 },
        { 1, 1, AD_FN_FAST }, { 0, 0, AD_FN_FAST } };
    PREAL data[120], result[2][121];
    size_t way;
    PAD(random_normal)(120, 3, 3, data);
    for (way = 0; way < sizeof wanted / sizeof *wanted; way++) {
        PAD(tape) *const t = PAD(tape_create)(NULL);
        PAD(array) x = PAD(array_input)(t, 4, four, data), a = x, y[2];
        ad_fn_stats s[2];
        size_t rules, i;
        if (way == 0) a = PAD(array_matmul)(PAD(array_permute)(x, matrix), x);
        if (way == 1) a = PAD(array_matmul)(PAD(array_permute)(x, matrix),
            PAD(array_permute)(PAD(array_permute)(x, matrix), matrix));
        if (way == 2) a = PAD(array_matmul)(x, PAD(array_permute)(x, matrix));
        if (way == 3) a = PAD(array_cumsum)(PAD(array_permute)(PAD(array_permute)(x, there), there),
                                            1);
        if (way == 4) a = PAD(array_cumsum)(PAD(array_permute)(PAD(array_permute)(x, there),
                                                               matrix), 1);
        if (way == 5) a = PAD(array_matmul_t)(x, 0, PAD(array_reshape)(
            PAD(array_permute)(x, matrix), 4, four), 1);
        if (way >= 6 && way <= 8) a = PAD(array_exp)(PAD(array_log_softmax)(x, -1));
        if (way == 8) a = PAD(array_mul)(a, PAD(array_log_softmax)(x, -1));
        if (way == 9) a = PAD(array_matmul)(PAD(array_permute)(PAD(array_mul_r)(x, 2), matrix), x);
        if (way == 10 || way == 11)                  /* three columns */
            a = PAD(array_matmul)(PAD(array_permute)(x, matrix), PAD(array_slice)(x, 3, 0, 3, 1));
        if (way == 12 || way == 13)
            a = PAD(array_permute)(PAD(array_matmul)(x, PAD(array_permute)(x, matrix)), there);
        if (way >= 14 && way <= 18) {                /* numbers times products and factors */
            a = way == 16 ? PAD(array_mul_r)(x, (PREAL)0.5) : x;
            a = PAD(array_matmul_t)(a, 0, x, 1);
            a = PAD(array_mul_r)(a, (PREAL)0.3);
            if (way == 16) a = PAD(array_neg)(a);
            if (way == 17) a = PAD(array_add)(a, PAD(array_matmul_t)(x, 0, x, 1));
            if (way == 18)
                a = PAD(array_mul_r)(PAD(array_matmul_t)(PAD(array_mul_r)(x, 0), 1, a, 0), 2);
        }
        if (way == 21)                               /* a product behind a product and a sum */
            a = PAD(array_fma)(PAD(array_slice)(x, 3, 0, 3, 1), PAD(array_slice)(x, 3, 1, 4, 1),
                               PAD(array_matmul_t)(x, 0, x, 1));
        if (way == 19 || way == 20)                  /* a sum of what was broadcast */
            a = PAD(array_sum)(PAD(array_broadcast_to)(PAD(array_slice)(x, 2, 0, 1, 1), 4, four),
                               AD_AXIS(0) | AD_AXIS(2), 0);
        if (way == 13) a = PAD(array_cumsum)(PAD(array_permute)(a, there), 1);
        y[0] = PAD(array_sum)(PAD(array_mul)(a, a), AD_ALL_AXES, 0);
        for (rules = 0; rules < 2; rules++) {
            const PREAL *in = PAD(array_values)(x);
            PREAL *out[2];
            PAD(fn) *f, *g;
            ad_fn_desc d;
            memset(&d, 0, sizeof d);
            d.skip = rules ? 0 : AD_FN_RULES;
            d.flags = wanted[way].flags;
            f = PAD(fn_create_arrays)(t, 1, &x, 1, y, &d);
            g = PAD(fn_gradient)(f);
            s[rules] = PAD(fn_get_stats)(f);
            CHECK(rules || PAD(fn_get_stats)(g).rewritten == 0);     /* f's flags are g's */
            out[0] = result[rules];
            out[1] = result[rules] + 1;
            CHECK_STATUS(PAD(fn_run)(g, &in, out), AD_OK);
            PAD(fn_destroy)(g);
            PAD(fn_destroy)(f);
        }
        test_check(s[0].rewritten == 0 && s[1].rewritten == wanted[way].rewritten
            && s[1].nodes + wanted[way].gone == s[0].nodes, __FILE__, __LINE__,
            "way %lu: %lu rewritten, %lu and %lu nodes", (unsigned long)way,
            (unsigned long)s[1].rewritten, (unsigned long)s[0].nodes, (unsigned long)s[1].nodes);
        for (i = 0; i < 121; i++) {
            const PREAL u = result[0][i], v = result[1][i];
            test_check(wanted[way].flags ? fabs((double)(u - v)) <= 1e-5 * (1 + fabs((double)u))
                : memcmp(&u, &v, sizeof u) == 0, __FILE__, __LINE__, "way %lu, %lu: %g, not %g",
                (unsigned long)way, (unsigned long)i, (double)v, (double)u);
        }
        PAD(tape_destroy)(t);
    }
}
/* Chains of movements of random extents: as one where they can be, and with the same numbers; sums
   in another order with AD_FN_FAST. */
static PAD(array) PT(moved)(dice *d, PAD(array) a)
{
    int order[4] = { 0, 1, 2, 3 }, axis = (int)below(d, (size_t)a.rank), k;
    int32_t dim[4], before[4], after[4];
    for (k = 0; k < 4; k++) {
        dim[k] = k < a.rank ? a.dim[k] : 1;
        before[k] = (int32_t)below(d, 2);
        after[k] = (int32_t)below(d, 3);
    }
    switch (below(d, 14)) {
    case 0: case 1: case 2:
        for (k = a.rank - 1; k > 0; k--) {
            const int j = (int)below(d, (size_t)k + 1), o = order[k];
            order[k] = order[j], order[j] = o;
        }
        return PAD(array_permute)(a, order);
    case 3:  return PAD(array_flip)(a, AD_AXIS(axis));
    case 4:  return PAD(array_slice)(a, axis, (int32_t)below(d, 2), AD_END,
                                     1 + (int32_t)below(d, 3));
    case 5:  return PAD(array_slice)(a, axis, AD_END, AD_END, -1 - (int32_t)below(d, 2));
    case 6:  return PAD(array_pad)(a, before, after, (PREAL)0.5);
    case 7:
        if (a.rank > 3) return PAD(array_transpose)(a);
        return PAD(array_broadcast_to)(PAD(array_slice)(a, axis, 0, 1, 1), a.rank, dim);
    case 8:  return PAD(array_sum)(a, AD_AXIS(axis), 1);
    case 9:
        for (k = 0; k < 4; k++) before[k] += 1;
        return PAD(array_tile)(a, before);
    case 10:
        if (a.rank == 4 && a.dim[2] > 2 && a.dim[3] > 1) {
            ad_pool_desc pool;
            memset(&pool, 0, sizeof pool);
            pool.size[0] = 3;
            pool.size[1] = 2;
            pool.stride[0] = pool.stride[1] = 1;
            return PAD(array_avg_pool)(a, &pool);
        }
        return PAD(array_transpose)(a);
    default:                                         /* two axes as one, and steps over both */
        if (axis + 1 < a.rank) {
            dim[axis] *= dim[axis + 1];
            for (k = axis + 1; k < 3; k++) dim[k] = dim[k + 1];
            a = PAD(array_reshape)(a, a.rank - 1, dim);
            return PAD(array_slice)(a, axis, (int32_t)below(d, 2), AD_END,
                                    1 + (int32_t)below(d, 3));
        }
        return PAD(array_transpose)(a);
    }
}
static void PT(chains)(void)
{
    static PREAL data[5 * 5 * 5 * 5], result[2][1 << 16];
    size_t rewritten[2] = { 0, 0 }, gone[2] = { 0, 0 };
    uint64_t seed;
    PAD(random_normal)(sizeof data / sizeof *data, 3, 3, data);
    for (seed = 0; seed < 1000; seed++) {
        dice d = { 77 * seed + 5 };
        PAD(tape) *const t = PAD(tape_create)(NULL);
        const int fast = seed % 2 != 0;
        int32_t dim[4];
        PAD(array) x, a;
        const PREAL *in;
        ad_fn_desc how;
        size_t k, n, rules;
        for (k = 0; k < 4; k++) dim[k] = 1 + (int32_t)below(&d, 5);
        x = PAD(array_input)(t, 2 + (int)below(&d, 3), dim, data);
        a = PAD(array_mul_r)(x, (PREAL)1.5);
        n = 2 + below(&d, 4);
        for (k = 0; k < n; k++) {
            const PAD(array) b = a.rank > 1 ? PT(moved)(&d, a) : a;
            if (PAD(array_size)(b) > 0 && PAD(array_size)(b) < sizeof result[0] / sizeof(PREAL))
                a = b;
        }
        CHECK_STATUS(PAD(tape_status)(t), AD_OK);
        in = PAD(array_values)(x);
        n = PAD(array_size)(a);
        for (rules = 0; rules < 2; rules++) {
            PREAL *out = result[rules];
            ad_fn_stats s;
            PAD(fn) *f;
            memset(&how, 0, sizeof how);
            how.skip = rules ? AD_FN_FUSE : AD_FN_FUSE | AD_FN_RULES;
            how.flags = fast ? AD_FN_FAST : 0;
            f = PAD(fn_create_arrays)(t, 1, &x, 1, &a, &how);
            CHECK_STATUS(PAD(fn_run)(f, &in, &out), AD_OK);
            s = PAD(fn_get_stats)(f);
            rewritten[fast] += s.rewritten;
            gone[fast] += rules ? (size_t)0 - s.nodes : s.nodes;
            PAD(fn_destroy)(f);
        }
        for (k = 0; k < n; k++) {
            const PREAL u = result[0][k], v = result[1][k];
            test_check(fast ? fabs((double)(u - v)) <= 1e-5 * (1 + fabs((double)u))
                : memcmp(&u, &v, sizeof u) == 0, __FILE__, __LINE__, "seed %lu, %lu: %g, not %g",
                (unsigned long)seed, (unsigned long)k, (double)v, (double)u);
        }
        PAD(tape_destroy)(t);
    }
    test_check(rewritten[0] > 100 && gone[0] > 80 && rewritten[1] > rewritten[0]
        && gone[1] > gone[0], __FILE__, __LINE__, "%lu and %lu rewritten, %lu and %lu gone",
        (unsigned long)rewritten[0], (unsigned long)rewritten[1], (unsigned long)gone[0],
        (unsigned long)gone[1]);
}
/* Attention of random extents: its products, and those of the gradient, are made with heads and
   places exchanged, as movements would do it afterwards; with the same bits. */
static void PT(heads)(void)
{
    static const int there[4] = { 0, 2, 1, 3 }, matrix[4] = { 0, 1, 3, 2 };
    static const int32_t sizes[] = { 1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33 };
    static PREAL data[2][3 * 17 * 17 * 3 * 33], result[2][3 * 17 * 17 * 3 * 33];
    size_t rewritten = 0, gone = 0;
    int seed;
    PAD(random_normal)(sizeof data[0] / sizeof **data, 8, 1, data[0]);
    PAD(random_normal)(sizeof data[0] / sizeof **data, 8, 2, data[1]);
    for (seed = 0; seed < 300; seed += test_stride()) {
        PAD(tape) *const t = PAD(tape_create)(NULL);
        dice d;
        int32_t b, l, h, w, e, whole[3], split[4], square[2];
        PAD(array) x[2], part[3], y;
        size_t rules, k, n = 0;
        ad_fn_stats s[2];
        d.state = (uint64_t)seed + 4242;
        b = 1 + (int32_t)below(&d, 3);
        l = sizes[below(&d, 10)];
        h = 1 + (int32_t)below(&d, 3);
        w = sizes[below(&d, 11)];
        e = sizes[below(&d, 9)];
        whole[0] = b, whole[1] = l, whole[2] = 3 * h * w;
        split[0] = b, split[1] = l, split[2] = h, split[3] = w;
        square[0] = h * w, square[1] = e;
        x[0] = PAD(array_borrow)(t, 3, whole, data[0]);
        x[1] = PAD(array_borrow)(t, 2, square, data[1]);
        CHECK_STATUS(PAD(array_split)(x[0], -1, 3, part), AD_OK);
        for (k = 0; k < 3; k++)
            part[k] = PAD(array_permute)(PAD(array_reshape)(part[k], 4, split), there);
        if (chance(&d, 40)) y = PAD(array_matmul)(part[0], PAD(array_permute)(part[1], matrix));
        else y = PAD(array_matmul_t)(part[0], 0, part[1], 1);
        y = PAD(array_matmul)(chance(&d, 50) ? PAD(array_softmax)(y, -1) : y, part[2]);
        if (chance(&d, 80)) y = PAD(array_permute)(y, there);
        split[2] = h * w;
        y = PAD(array_reshape)(y, 3, split);
        if (chance(&d, 70)) y = PAD(array_matmul)(y, x[1]);
        y = PAD(array_sum)(PAD(array_mul)(y, y), AD_ALL_AXES, 0);
        for (rules = 0; rules < 2; rules++) {
            const PREAL *in[2];
            PREAL *out[3];
            PAD(fn) *f, *g;
            ad_fn_desc how;
            memset(&how, 0, sizeof how);
            how.skip = rules ? 0 : AD_FN_RULES;
            how.simd = (ad_simd)(seed % 5);
            if (!ad_kernels_get(how.simd)) how.simd = AD_SIMD_BEST;
            f = PT(made)(t, 2, x, 1, &y, &how);
            g = PAD(fn_gradient)(f);
            s[rules] = PAD(fn_get_stats)(g);
            in[0] = data[0], in[1] = data[1];
            out[0] = result[rules], out[1] = out[0] + 1;
            out[2] = out[1] + PT(size)(x[0]);
            n = 1 + PT(size)(x[0]) + PT(size)(x[1]);
            CHECK_STATUS(PAD(fn_run)(g, in, out), AD_OK);
            PAD(fn_destroy)(g);
            PAD(fn_destroy)(f);
        }
        rewritten += s[1].rewritten;
        gone += s[0].nodes - s[1].nodes;
        test_check(memcmp(result[0], result[1], n * sizeof(PREAL)) == 0, __FILE__, __LINE__,
            "seed %d, %s: %d x %d places, %d x %d wide, by %d: other bits", seed,
            ad_simd_name((ad_simd)(seed % 5)), (int)b, (int)l, (int)h, (int)w, (int)e);
        PAD(tape_destroy)(t);
    }
    test_check(rewritten > 600 / (size_t)test_stride() && gone > 600 / (size_t)test_stride(),
               __FILE__, __LINE__, "%d rewritten, %d gone", (int)rewritten, (int)gone);
}
static void PT(statistics)(void)
{
    enum { N = 1000, LONG = 30 };
    static PREAL data[N];
    static const int32_t sides[3] = { 40, 25, 40 };
    const int32_t n = N;
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(array) x, y[3];
    PAD(fn) *f;
    ad_fn_desc d;
    ad_fn_stats s, loose;
    int k;
    memset(&d, 0, sizeof d);
    PAD(random_normal)(N, 3, 3, data);
    x = PT(vector)(t, n, data);
    y[0] = x;
    for (k = 0; k < LONG; k++) y[0] = PAD(array_tanh)(PAD(array_mul_r)(y[0], (PREAL)1.25));
    f = PT(made)(t, 1, &x, 1, y, NULL);
    s = PAD(fn_get_stats)(f);
    CHECK(s.inputs == 1 && s.variables == 1 && s.outputs == 1 && s.guards == 0);
    CHECK(s.groups > 0 && s.groups < LONG && s.fused > 0);
    CHECK(s.workspace_bytes <= s.unplanned_bytes && s.workspace_bytes < 20 * N * sizeof(PREAL));
    CHECK(s.unplanned_bytes >= (2 * LONG - 1) * N * sizeof(PREAL));
    CHECK(s.bytes > 0);
    PAD(fn_destroy)(f);
    d.skip = AD_FN_FUSE;
    f = PT(made)(t, 1, &x, 1, y, &d);
    loose = PAD(fn_get_stats)(f);
    CHECK(loose.instructions > s.instructions && loose.instructions >= 2 * LONG);
    CHECK(loose.workspace_bytes <= loose.unplanned_bytes);
    PAD(fn_destroy)(f);
    /* a product that is added where another stands is no node, and what follows one pass */
    y[0] = PAD(array_reshape)(x, 2, sides);
    y[1] = PAD(array_matmul)(y[0], PAD(array_reshape)(x, 2, sides + 1));
    y[2] = PAD(array_matmul)(PAD(array_exp)(y[0]), PAD(array_reshape)(x, 2, sides + 1));
    y[0] = PAD(array_exp)(PAD(array_sin)(PAD(array_tanh)(PAD(array_add)(y[1], y[2]))));
    f = PT(made)(t, 1, &x, 1, y, NULL);
    s = PAD(fn_get_stats)(f);
    CHECK(s.dead == 1 && s.groups == 1 && s.fused == 3);
    PAD(fn_destroy)(f);
    /* what a group makes of a product stands where the product stood */
    y[1] = PAD(array_matmul)(PAD(array_reshape)(x, 2, sides), PAD(array_reshape)(x, 2, sides + 1));
    y[0] = PAD(array_matmul)(PAD(array_reshape)(x, 2, sides + 1),
        PAD(array_tanh)(PAD(array_mul_r)(y[1], (PREAL)0.5)));
    f = PT(made)(t, 1, &x, 1, y, NULL);
    s = PAD(fn_get_stats)(f);
    CHECK(s.unplanned_bytes >= 2 * 1600 * sizeof(PREAL));
    CHECK(s.workspace_bytes < 2 * 1600 * sizeof(PREAL));
    PAD(fn_destroy)(f);
    y[0] = PAD(array_exp)(x);                          /* an output is of its reader's group, too */
    y[1] = PAD(array_sin)(y[0]);
    f = PT(made)(t, 1, &x, 2, y, NULL);
    s = PAD(fn_get_stats)(f);
    CHECK(s.groups == 1 && s.fused == 2);
    PAD(fn_destroy)(f);
    d.workspace = 1;                                   /* of no node */
    f = PAD(fn_create_arrays)(t, 0, NULL, 0, NULL, &d);
    CHECK_STATUS(PAD(fn_status)(f), AD_OK);
    PAD(fn_destroy)(f);
    d.workspace = 0;
    /* what is computed twice, and what nobody wants */
    y[1] = PAD(array_exp)(PAD(array_sin)(x));
    y[2] = PAD(array_exp)(PAD(array_sin)(x));
    PAD(array_matmul)(PAD(array_reshape)(x, 2, sides), PAD(array_reshape)(x, 2, sides + 1));
    d.skip = 0;
    f = PT(made)(t, 1, &x, 2, y + 1, &d);
    s = PAD(fn_get_stats)(f);
    CHECK(s.merged >= 2);
    PAD(fn_destroy)(f);
    d.skip = AD_FN_CSE;
    f = PT(made)(t, 1, &x, 2, y + 1, &d);
    CHECK(PAD(fn_get_stats)(f).merged == 0);
    PAD(fn_destroy)(f);
    PAD(tape_destroy)(t);
}

/* Nothing is left of a function made with malloc, run, derived and run. */
static void PT(lives)(void)
{
    static const int order[6][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 },
        { 2, 0, 1 }, { 2, 1, 0 } };
    PAD(array) x[2], y[PT(MIXED)];
    PAD(fn) *f[3];                           /* each is the derivative of the one before */
    PREAL *first[3][OUTPUTS];
    PT(room) r[3];
    size_t i, j, k;
    int way, gone, at, other;
    for (way = 0; way < 6; way++) {
        PAD(tape) *const t = PAD(tape_create)(NULL);
        PT(pooled) = 0;
        PT(mixture)(t, PT(mapped)[1], x, y);
        f[0] = PT(made)(t, 2, x, 1, y, NULL);
        f[1] = PAD(fn_gradient)(f[0]);
        f[2] = PAD(fn_jvp)(f[1]);
        PAD(tape_destroy)(t);
        for (k = 0; k < 3; k++) {
            PT(furnish)(&r[k], f[k]);
            for (i = 0; i < r[k].n; i++)
                for (j = 0; j < r[k].size[i]; j++) r[k].in[i][j] = (PREAL)0.5;
            memcpy(r[k].in[0], PT(at), 12 * sizeof(PREAL));
            memcpy(r[k].in[1], PT(at) + 1, 4 * sizeof(PREAL));
            CHECK_STATUS(PT(go)(f[k], &r[k]), AD_OK);
            for (i = 0; i < r[k].m; i++) {
                first[k][i] = PT(take)(r[k].size[r[k].n + i]);
                memcpy(first[k][i], r[k].out[i], r[k].size[r[k].n + i] * sizeof(PREAL));
            }
        }
        for (gone = 0; gone < 3; gone++) {             /* the others go on as before */
            PAD(fn_destroy)(f[order[way][gone]]);
            for (at = gone + 1; at < 3; at++) {
                k = (size_t)order[way][at];
                CHECK_STATUS(PT(go)(f[k], &r[k]), AD_OK);
                for (i = 0, other = 0; i < r[k].m; i++)
                    other |= memcmp(first[k][i], r[k].out[i],
                                    r[k].size[r[k].n + i] * sizeof(PREAL));
                CHECK(other == 0);
            }
        }
    }
}

/* Some thousands of arrays alive and dead again: their places by another way than those of few. */
static void PT(many)(void)
{
    enum { STEPS = 400, N = 6 };
    const int32_t dim[2] = { N, N }, row = N;
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PREAL a[N * N], b[N], loss, ga[N * N], gb[N], wa[N * N], wb[N];
    const PREAL *in[2];
    PREAL *out[3];
    PAD(array) x[2], y, z;
    PAD(fn) *f, *g;
    ad_fn_stats s;
    size_t i, k, round;
    in[0] = a, in[1] = b, out[0] = &loss, out[1] = ga, out[2] = gb;
    f = NULL;
    for (round = 0; round < 2; round++) {
        for (i = 0; i < N * N; i++) a[i] = (PREAL)(0.3 * sin((double)(7 * i + 3 * round)));
        for (i = 0; i < N; i++) b[i] = (PREAL)cos((double)(5 * i + round));
        PAD(tape_reset)(t);
        x[0] = PAD(array_input)(t, 2, dim, a);
        x[1] = PAD(array_input)(t, 1, &row, b);
        y = x[1];
        for (k = 0; k < STEPS; k++) {
            z = PAD(array_matmul)(x[0], y);
            y = PAD(array_tanh)(PAD(array_add)(z, k % 3 ? PAD(array_softmax)(y, 0) : x[1]));
        }
        y = PAD(array_sum)(PAD(array_square)(y), AD_ALL_AXES, 0);
        if (round == 0) f = PT(made)(t, 2, x, 1, &y, NULL);
    }
    g = PAD(fn_gradient)(f);
    CHECK_STATUS(PAD(fn_run)(g, in, out), AD_OK);
    CHECK(PAD(backward)(PAD(array_item)(y)) == AD_OK);
    CHECK_NEAR(loss, PAD(array_values)(y)[0], 50 * EPS * (double)loss);
    memcpy(wa, PAD(array_adjoints)(x[0]), sizeof wa);
    memcpy(wb, PAD(array_adjoints)(x[1]), sizeof wb);
    for (i = 0; i < N * N; i++) CHECK_NEAR(ga[i], wa[i], 1e4 * EPS);
    for (i = 0; i < N; i++) CHECK_NEAR(gb[i], wb[i], 1e4 * EPS);
    s = PAD(fn_get_stats)(g);
    CHECK(s.instructions > 2 * STEPS && s.workspace_bytes * 2 < s.unplanned_bytes);
    PAD(fn_destroy)(f);
    PAD(fn_destroy)(g);
    PAD(tape_destroy)(t);
}

/* What a second reading found: derivatives of a pull whose operation's value nothing needs, or
   which is of an array that x does not name; more groups than half the nodes; an input without
   elements where slot 0 is a scalar; one array captured many times. */
static void PT(read_again)(void)
{
    enum { N = 20, PAIRS = N * (N - 1) / 2 };
    const int32_t dim[2] = { 3, 4 }, square[2] = { N, N }, none = 0;
    static PREAL big[N * N], product[PAIRS][N * N];
    PREAL v[12], u[12], o[12], jv[12];
    const PREAL *in[2], *all[1];
    PREAL *out[2], *products[PAIRS];
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(array) x, y, g, s, hv, row[N], pair[PAIRS];
    PAD(fn) *f, *j;
    size_t i, k, n = 0;
    int of;
    in[0] = v, in[1] = u, out[0] = o, out[1] = jv, all[0] = big;
    for (i = 0; i < 12; i++) {
        v[i] = (PREAL)(0.3 * (double)(i * i % 7) + (i % 4 == i / 4));
        u[i] = (PREAL)(i % 3);
    }
    for (of = 0; of < 2; of++) {                       /* H v of a variance, of a log-determinant */
        PAD(tape_reset)(t);
        x = PAD(array_input)(t, 2, dim, v);
        y = of ? PAD(array_logdet)(PAD(array_slice)(x, 1, 0, 3, 1))
               : PAD(array_sum)(PAD(array_var)(x, AD_AXIS(1), 1, 0), AD_ALL_AXES, 0);
        CHECK_STATUS(PAD(array_grad)(PAD(array_item)(y), 1, &x, &g), AD_OK);
        s = PAD(array_sum)(PAD(array_mul)(g, PAD(array_const)(t, 2, dim, u)), AD_ALL_AXES, 0);
        CHECK_STATUS(PAD(array_grad)(PAD(array_item)(s), 1, &x, &hv), AD_OK);
        f = PT(made)(t, 1, &x, 1, &g, NULL);
        j = PAD(fn_jvp)(f);
        CHECK_STATUS(PAD(fn_run)(j, in, out), AD_OK);
        for (i = 0; i < 12; i++)
            CHECK_NEAR(jv[i], PAD(array_values)(hv)[i],
                       1e4 * EPS * (1 + fabs((double)PAD(array_values)(hv)[i])));
        PAD(fn_destroy)(f);
        PAD(fn_destroy)(j);
    }
    PAD(tape_reset)(t);
    y = PAD(array_input)(t, 2, dim, u);
    x = PAD(array_input)(t, 2, dim, v);
    s = PAD(array_sum)(PAD(array_mul)(PAD(array_softmax)(y, -1), x), AD_ALL_AXES, 0);
    CHECK_STATUS(PAD(array_grad)(PAD(array_item)(s), 1, &y, &g), AD_OK);
    f = PT(made)(t, 1, &x, 1, &g, NULL);               /* linear in x */
    j = PAD(fn_jvp)(f);
    CHECK_STATUS(PAD(fn_run)(j, in, out), AD_OK);
    out[0] = v, in[0] = u;
    CHECK_STATUS(PAD(fn_run)(f, in, out), AD_OK);
    for (i = 0; i < 12; i++) CHECK_NEAR(jv[i], v[i], 16 * EPS);
    PAD(fn_destroy)(f);
    PAD(fn_destroy)(j);

    PAD(tape_reset)(t);
    for (i = 0; i < N * N; i++) big[i] = (PREAL)(i % 11);
    x = PAD(array_input)(t, 2, square, big);
    for (i = 0; i < N; i++) row[i] = PAD(array_slice)(x, 1, (int32_t)i, (int32_t)i + 1, 1);
    for (i = 0; i < N; i++) row[i] = PAD(array_broadcast_to)(row[i], 2, square);
    for (i = 0; i < N; i++)
        for (k = 0; k < i; k++, n++) {
            pair[n] = PAD(array_mul)(row[i], row[k]);
            products[n] = product[n];
        }
    f = PT(made)(t, 1, &x, PAIRS, pair, NULL);
    CHECK_STATUS(PAD(fn_run)(f, all, products), AD_OK);
    for (n = 0; n < PAIRS; n++)
        CHECK(memcmp(product[n], PAD(array_values)(pair[n]), sizeof product[n]) == 0);
    PAD(fn_destroy)(f);

    PAD(tape_reset)(t);
    PAD(var_exp)(PAD(input)(t, 2));
    x = PAD(array_input)(t, 1, &none, NULL);
    y = PAD(array_sum)(PAD(array_exp)(x), AD_ALL_AXES, 0);
    o[0] = 1, out[0] = o;
    f = PT(made)(t, 1, &x, 1, &y, NULL);
    CHECK_STATUS(PAD(fn_run)(f, in, out), AD_OK);
    CHECK(o[0] == 0);
    PAD(fn_destroy)(f);

    PAD(tape_reset)(t);
    x = PAD(array_input)(t, 2, square, big);
    y = s = PAD(array_input)(t, 2, square, big);       /* not named */
    for (i = 0; i < 30; i++) y = PAD(array_sub)(s, PAD(array_matmul)(x, PAD(array_tanh)(y)));
    f = PT(made)(t, 1, &x, 1, &y, NULL);
    CHECK_STATUS(PAD(fn_run)(f, all, products), AD_OK);
    CHECK(memcmp(product[0], PAD(array_values)(y), sizeof product[0]) == 0);
    PAD(fn_destroy)(f);
    PAD(tape_destroy)(t);
}

/* ---------------------------------------------------------------- computed again

   Gradients of random programs, and of a network whose activations and their derivatives both come
   from a product: whatever the workspace is to be, the bits are the same, and it is no larger. */
static void PT(budgets)(PAD(tape) *t, uint64_t seed, size_t n, const PAD(array) *x, PAD(array) y,
    int helps)
{
    PAD(fn) *all[4], *f;
    PT(room) r, q;
    ad_fn_desc d;
    ad_fn_stats s[4];
    size_t i, k, b;
    memset(&d, 0, sizeof d);
    for (b = 0; b < 4; b++) {                          /* any; two thirds; a third; none */
        d.workspace = b ? s[0].workspace_bytes * (3 - b) / 3 + 1 : 0;
        f = PT(made)(t, n, x, 1, &y, &d);
        all[b] = PAD(fn_gradient)(f);
        test_check(PAD(fn_status)(all[b]) == AD_OK, __FILE__, __LINE__, "seed %d: %s", (int)seed,
                   PAD(fn_message)(all[b]));
        s[b] = PAD(fn_get_stats)(all[b]);
        PAD(fn_destroy)(f);
        PT(furnish)(b ? &q : &r, all[b]);
        for (k = 0; k < n; k++) PT(put)(b ? q.in[k] : r.in[k], x[k]);
        CHECK_STATUS(PT(go)(all[b], b ? &q : &r), AD_OK);
        for (k = 0; b && k < r.m; k++)
            for (i = 0; i < r.size[n + k]; i++)
                test_check(PT(same)(r.out[k][i], q.out[k][i]), __FILE__, __LINE__,
                    "seed %d, %d bytes: output %d: %.17g, not %.17g", (int)seed,
                    (int)d.workspace, (int)k, (double)q.out[k][i], (double)r.out[k][i]);
        test_check(s[b].workspace_bytes <= s[0].workspace_bytes
            && (s[b].recomputed > 0 || s[b].workspace_bytes == s[0].workspace_bytes), __FILE__,
            __LINE__, "seed %d: %d bytes, not %d, %d again", (int)seed, (int)s[b].workspace_bytes,
            (int)s[0].workspace_bytes, (int)s[b].recomputed);
        CHECK(b || s[b].recomputed == 0);
    }
    if (helps) CHECK(10 * s[3].workspace_bytes < 7 * s[0].workspace_bytes
                     && s[1].recomputed > 0 && s[1].recomputed < s[3].recomputed);
    for (b = 0; b < 4; b++) PAD(fn_destroy)(all[b]);
}
static void PT(recomputed)(void)
{
    enum { LAYERS = 6, ROWS = 16, SIDE = 24 };
    static const int32_t rows[2] = { ROWS, SIDE }, side[2] = { SIDE, SIDE };
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(array) x[1 + 2 * LAYERS], h;
    PT(record) a;
    int s, k;
    for (s = 0; s < 60; s += test_stride()) {
        PAD(tape_reset)(t);
        PT(pooled) = 0;
        PT(play)(&a, t, (uint64_t)s + 700, s % 4, 0);
        if (a.loss.tape) PT(budgets)(t, (uint64_t)s + 700, a.n, a.x, a.whole, 0);
    }
    PAD(tape_reset)(t);
    PT(pooled) = 0;
    h = x[0] = PAD(array_normal)(t, 2, rows, 3, 1);
    h = x[0] = PAD(array_input)(t, 2, rows, PAD(array_values)(h));
    for (k = 0; k < LAYERS; k++) {
        x[1 + 2 * k] = PAD(array_input)(t, 2, side,
            PAD(array_values)(PAD(array_normal)(t, 2, side, 4, (uint64_t)k)));
        x[2 + 2 * k] = PAD(array_input)(t, 1, side,
            PAD(array_values)(PAD(array_normal)(t, 1, side, 5, (uint64_t)k)));
        h = PAD(array_gelu)(PAD(array_add)(PAD(array_matmul)(h, x[1 + 2 * k]), x[2 + 2 * k]));
    }
    PT(budgets)(t, 0, 1 + 2 * LAYERS, x, PAD(array_mean)(PAD(array_square)(h), AD_ALL_AXES, 0), 1);
    PAD(tape_destroy)(t);
}

/* ---------------------------------------------------------------- all of it */

static void PT(programs)(void)
{
    static const unsigned skips[] = { 0, AD_FN_FUSE, AD_FN_CSE, 0, AD_FN_FOLD | AD_FN_RULES,
        AD_FN_DEAD, AD_FN_REDUCE, 0, AD_FN_SCHEDULE | AD_FN_REUSE, AD_FN_PACK | AD_FN_UNIFORM,
        AD_FN_FUSE | AD_FN_CSE, 1023 };
    enum { SKIPS = sizeof skips / sizeof skips[0], VALUE_SEEDS = 100, DERIVED_SEEDS = 14 };
    const int stride = test_stride();
    int s, kind;
    size_t k;
    PT(maps)();
    for (s = 0; s < VALUE_SEEDS; s += stride)
        for (kind = 0; kind < 8; kind++) {
            ad_simd simd = (ad_simd)((s / 3 + kind) % 5);
            if (!ad_kernels_get(simd)) simd = AD_SIMD_BEST;
            PT(values)((uint64_t)s, kind, simd, skips[(s + kind) % SKIPS]);
        }
    for (s = 0; s < DERIVED_SEEDS; s += stride)
        for (kind = 0; kind < 8; kind++)
            if (!(kind & WILD)) PT(derived)((uint64_t)s, kind);
    PT(totals)();
    PT(network)();
    PT(drawn)();
    PT(batches)();
    PT(first_of)();
    PT(by_parameters)();
    PT(no_reduction)();
    PT(batch_drawn)();
    PT(batch_refused)();
    PT(large)();
    PT(levels)();
    PT(lone)();
    PT(empty)();
    PT(described)();
    PT(outputs)();
    PT(scalars)();
    PT(guards)();
    PT(captured)();
    PT(pieces)();
    PT(many_pieces)(0, 1, 2);
    PT(many_pieces)(0, 3, 1);
    PT(many_pieces)(1, 1, 2);
    PT(many_pieces)(1, 3, 1);
    PT(looked_up)();
    PT(pieces_in_a_buffer)();
    PT(fast_ctc)();
    PT(forgotten_weight)();
    PT(failing)();
    PT(refused)();
    PT(rewritten)();
    PT(chains)();
    PT(heads)();
    PT(constant_adjoints)();
    PT(same_bits)();
    PT(normalised_twice)();
    PT(statistics)();
    PT(many)();
    PT(read_again)();
    PT(recomputed)();
    CHECK(leaks_none(PT(lives)));
    PT(memory)();
    for (k = 0; k < PT(MAPS); k++) PAD(fn_destroy)(PT(mapped)[k]);
}

#undef SINGLE
#undef EPS
#endif
