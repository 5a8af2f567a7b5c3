/* What the networks of these examples have in common. The parameters of a network are one vector of
   floats, the caller's, in which its arrays lie one after another; so Adam, the clipping of the
   gradient and the checker see a function of one vector.

   Networks learn in float. But differences of floats cannot tell a small slope from rounding, so
   the gradient is checked in double: the file with the network, LEARN_NETWORK, is included twice,
   with

       ARRAY, TAPE, NUMBER    adf_array, adf_tape, float        ad_array, ad_tape, double
       OP(name)               adf_array_name                    ad_array_name
       NET(name)              float_name                        double_name

   and must have in it, beside what it likes, NET(loss)(t, w, data), which records the loss of a
   network with the arrays w on some data. NET(data) makes a constant array of floats. */
#ifndef ARRAY
#ifndef LEARN_H
#define LEARN_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEARN_PARTS = 16 };

/* One array of the network. It starts with normal numbers of variance 2 / fan_in (He et al. 2015),
   or zeros where fan_in is 0. */
typedef struct learn_part {
    const char *name;
    int         rank;
    int32_t     dim[4];
    int         fan_in;
} learn_part;

typedef struct learner {
    adf_tape         *float_tape;
    ad_tape          *double_tape;
    size_t            parts, n;              /* arrays, numbers in all */
    const learn_part *part;
    void             *data;
    float            *x, *g, *m, *v;         /* parameters, gradient, Adam's two moments */
    uint64_t          step;
} learner;

static size_t learn_size(int rank, const int32_t *dim)
{
    size_t size = 1;
    int k;
    for (k = 0; k < rank; k++) size *= (size_t)dim[k];
    return size;
}

static adf_array float_data(adf_tape *t, int rank, const int32_t *dim, const float *v)
{
    return adf_array_const_borrow(t, rank, dim, v);
}

static ad_array double_data(ad_tape *t, int rank, const int32_t *dim, const float *v)
{
    const size_t n = learn_size(rank, dim);
    double *const copy = (double *)malloc(n * sizeof *copy);
    ad_array a;
    size_t i;
    for (i = 0; copy && i < n; i++) copy[i] = (double)v[i];
    a = ad_array_const(t, rank, dim, copy);
    free(copy);
    return a;
}

#define ARRAY    adf_array
#define TAPE     adf_tape
#define NUMBER   float
#define OP(name) adf_array_##name
#define ON(name) adf_tape_##name
#define NET(name) float_##name
#include "learn.h"

#define ARRAY    ad_array
#define TAPE     ad_tape
#define NUMBER   double
#define OP(name) ad_array_##name
#define ON(name) ad_tape_##name
#define NET(name) double_##name
#include "learn.h"

/* 0 where memory fails. */
static int learn_create(learner *l, size_t parts, const learn_part *part, void *data)
{
    size_t i, k, at = 0;
    memset(l, 0, sizeof *l);
    l->parts = parts;
    l->part = part;
    l->data = data;
    for (i = 0; i < parts; i++) l->n += learn_size(part[i].rank, part[i].dim);
    l->float_tape = adf_tape_create(NULL);
    l->x = (float *)calloc(4 * l->n, sizeof(float));
    if (!l->float_tape || !l->x) return 0;
    l->g = l->x + l->n;
    l->m = l->g + l->n;
    l->v = l->m + l->n;
    adf_random_normal(l->n, 1, 0, l->x);
    for (i = 0; i < parts; i++) {
        const float spread = part[i].fan_in ? sqrtf(2.0f / (float)part[i].fan_in) : 0.0f;
        for (k = learn_size(part[i].rank, part[i].dim); k > 0; k--) l->x[at++] *= spread;
    }
    return 1;
}

static void learn_destroy(learner *l)
{
    adf_tape_destroy(l->float_tape);
    free(l->x);
}

/* The gradient in double against differences of the loss, and the gradient in float against it, for
   a network of such arrays with the data as they stand. 1 if both are right. */
static int learn_check(size_t parts, const learn_part *part, void *data)
{
    learner l;
    ad_check_block block[LEARN_PARTS];
    ad_check_options options;
    ad_check_result result;
    double *x, *g, error = 0, norm = 0;
    size_t i, at = 0;
    int good = 0;
    if (!learn_create(&l, parts, part, data)) return 0;
    l.double_tape = ad_tape_create(NULL);
    x = (double *)malloc(2 * l.n * sizeof *x);
    if (x && l.double_tape) {
        g = x + l.n;
        for (i = 0; i < l.n; i++) x[i] = (double)l.x[i];
        for (i = 0; i < parts; i++) {
            block[i].name = part[i].name;
            block[i].first = at;
            block[i].count = learn_size(part[i].rank, part[i].dim);
            at += block[i].count;
        }
        memset(&options, 0, sizeof options);
        options.blocks = block;
        options.n_blocks = parts;
        ad_check_fgradient(double_value, x, l.n, &l, &options, &result);
        double_value(x, l.n, g, &l);
        float_value(l.x, l.n, l.g, &l);
        for (i = 0; i < l.n; i++) {
            error = hypot(error, g[i] - (double)l.g[i]);
            norm = hypot(norm, g[i]);
        }
        printf("gradient: %s\nfloat differs from double by %.1e of the gradient's length\n",
               result.message, error / norm);
        good = ad_check_ok(result.verdict) && error <= 1e-4 * norm;
    }
    free(x);
    ad_tape_destroy(l.double_tape);
    learn_destroy(&l);
    return good;
}

/* One step of AdamW against the gradient in l->g, cut to the length 1. */
static void learn_step(learner *l, float rate)
{
    adf_adam how;
    memset(&how, 0, sizeof how);
    how.rate = rate;
    how.weight_decay = 0.01f;
    how.decoupled = 1;
    adf_clip_norm(1, &l->n, &l->g, 1);
    adf_adam_step(&how, ++l->step, l->n, l->x, l->g, l->m, l->v);
}
#endif

#else                                        /* for each type */
#include LEARN_NETWORK

/* Empties the tape and puts the parameters x on it, without copying them: as variables, or as
   constants, with which nothing is recorded. */
static void NET(begin)(learner *l, const NUMBER *x, int constant, ARRAY *w)
{
    size_t i;
    ON(reset)(l->NET(tape));
    for (i = 0; i < l->parts; i++) {
        const learn_part *const p = &l->part[i];
        w[i] = constant ? OP(const_borrow)(l->NET(tape), p->rank, p->dim, x)
                        : OP(borrow)(l->NET(tape), p->rank, p->dim, x);
        x += learn_size(p->rank, p->dim);
    }
}

/* The loss at x and, where g is not NULL, its gradient. user is the learner. */
static NUMBER NET(value)(const NUMBER *x, size_t n, NUMBER *g, void *user)
{
    learner *const l = (learner *)user;
    ARRAY w[LEARN_PARTS], loss;
    NUMBER value;
    size_t i;
    (void)n;
    NET(begin)(l, x, g == NULL, w);
    loss = NET(loss)(l->NET(tape), w, l->data);
    value = OP(item)(loss).v;
    if (g) OP(backward)(loss, NULL);
    if (ON(status)(l->NET(tape)) != AD_OK) {
        fprintf(stderr, "%s\n", ON(message)(l->NET(tape)));
        return (NUMBER)HUGE_VAL;
    }
    for (i = 0; g && i < l->parts; i++) {
        const size_t size = OP(size)(w[i]);
        memcpy(g, OP(adjoints)(w[i]), size * sizeof *g);
        g += size;
    }
    return value;
}
#undef ARRAY
#undef TAPE
#undef NUMBER
#undef OP
#undef ON
#undef NET
#endif
