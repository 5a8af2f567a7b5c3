/* Hot traces: every sweep against that of a tape that has none, to the bit but for a zero's sign:
   random programs over every rule at ordinary and special points, rules with equal operands,
   constants that change, traces that take turns, grow, end elsewhere or stand above others;
   adjoints that nobody is expected to ask for; zeros that meet infinities; what is counted; what is
   refused; memory that runs out.
   The file includes itself, once for each real type, behind the first #else.
   Sections: Hot Traces; The Reverse Sweep. */
#ifndef PREAL
#include <math.h>
#include <stdlib.h>
#include "test.h"
#include "programs.h"
#include "heap.h"

TEST_DEF void suite_hot(void);

enum { HOT_PROGRAMS = 500 };
static int machine;                    /* does this build make machine code? */
static size_t hit, looked_at;

#define TWICE "test_hot.c"
#include "twice.h"

TEST_DEF void suite_hot(void)
{
    hit = looked_at = 0;
    d_test_hot();
    f_test_hot();
    if (!machine) printf("SKIP hot: this build makes no machine code\n");
    else CHECK(hit > looked_at / 2);
}
#else

static int PT(equal)(PREAL a, PREAL b) { return a == b || (a != a && b != b); }

/* Sweeps hot and cold from y[0], y[1], and compares the adjoints of n variables of each, in an
   order of their own: the last ones first where `backwards`. */
static void PT(compare)(PAD(var) *const y, PAD(var) *const *x, size_t n, int backwards,
    const char *what)
{
    size_t i, wrong = 0;
    CHECK_STATUS(PAD(backward)(y[0]), AD_OK);
    CHECK_STATUS(PAD(backward)(y[1]), AD_OK);
    for (i = 0; i < n; i++) {
        const size_t k = backwards ? n - 1 - i : i;
        wrong += !PT(equal)(PAD(adjoint)(x[0][k]), PAD(adjoint)(x[1][k]));
    }
    test_check(wrong == 0, __FILE__, __LINE__, "%s: %lu of %lu adjoints are others", what,
        (unsigned long)wrong, (unsigned long)n);
}
/* A tape whose pool has room: what a first sine, without it, does not keep, a second one does, and
   its instruction is another. */
static PAD(tape) *PT(hot_tape)(size_t after)
{
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(var) x = PAD(input)(t, (PREAL)0.5);
    size_t i;
    for (i = 0; i < 300; i++) x = PAD(var_sin)(PAD(var_mul_r)(x, (PREAL)i));
    PAD(tape_reset)(t);
    CHECK_STATUS(PAD(tape_hot)(t, after, 0), AD_OK);
    return t;
}
static void PT(find_machine)(void)
{
    PAD(fn) *const f = PAD(fn_parse)("x*y", "x,y", NULL, 0);
    machine = PAD(fn_native)(f) == AD_OK;
    PAD(fn_destroy)(f);
}

/* ---------------------------------------------------------------- programs */

static PREAL PT(special)(program_dice *d)
{
    static const double some[] = { 0, -0.0, 1, -1, 2, HUGE_VAL, -HUGE_VAL, 1e-40, 1e30, 1e300 };
    if (program_chance(d, 3)) return (PREAL)NAN;
    if (program_chance(d, 20)) return (PREAL)some[program_below(d, sizeof some / sizeof *some)];
    return (PREAL)(4 * program_unit(d));
}
/* Each program many times at another point; its intermediate results are asked for in some. */
static void PT(random_programs)(void)
{
    PAD(tape) *t[2];
    uint64_t seed;
    t[1] = PAD(tape_create)(NULL);
    for (seed = 1; seed <= HOT_PROGRAMS; seed += (uint64_t)test_stride()) {
        PAD(var) v[2][PROGRAM_VALUES], y[2], *const x[2] = { v[0], v[1] };
        unsigned char way[PROGRAM_STEPS];
        program_dice d;
        program p;
        char what[40];
        size_t k, i, w;
        d.state = seed;
        program_make(&p, seed, PROGRAM_NO_CALLS | PROGRAM_ONE_OUTPUT);
        t[0] = PT(hot_tape)(2);
        for (k = 0; k < 12; k++) {
            PREAL at[PROGRAM_INPUTS];
            for (i = 0; i < p.inputs; i++)
                at[i] = k % 4 == 0 ? (PREAL)p.point[i]
                      : k % 4 < 3 ? (PREAL)(2 * program_unit(&d)) : PT(special)(&d);
            memset(v, 0, sizeof v);              /* what no step gives is a constant */
            for (w = 0; w < 2; w++) {
                PAD(tape_reset)(t[w]);
                for (i = 0; i < p.inputs; i++) v[w][i] = PAD(input)(t[w], at[i]);
                PT(run_var)(&p, t[w], v[w], v[w], way);
                y[w] = v[w][p.output[0]];
            }
            CHECK((y[0].tape == NULL) == (y[1].tape == NULL));
            if (!y[0].tape || PAD(tape_status)(t[0]) != AD_OK) break;
            snprintf(what, sizeof what, "program %lu", (unsigned long)seed);
            /* every value of the program, in some of the runs */
            PT(compare)(y, x, seed % 3 && k != 7 ? p.inputs : (size_t)PROGRAM_VALUES,
                        k % 2, what);
        }
        hit += PAD(tape_hot_stats)(t[0]).hits + PAD(tape_hot_stats)(t[0]).redone;
        looked_at += k;
        PAD(tape_destroy)(t[0]);
    }
    PAD(tape_destroy)(t[1]);
}
static PAD(var) PT(rule_var)(size_t rule, PAD(var) x, PAD(var) y, PAD(var) z)
{
    const PT(form) *const f = &PT(forms)[rule];
    return f->var1 ? f->var1(x) : f->var2 ? f->var2(x, y) : f->var3(x, y, z);
}
/* Every rule on operands that are equal, numbers, or the slot below, whose adjoint gathers in the
   order of the sweep. */
static void PT(rules)(void)
{
    size_t rule, k, w;
    PAD(tape) *t[2];
    t[1] = PAD(tape_create)(NULL);
    for (rule = 0; rule < PROGRAM_RULES; rule++) {
        t[0] = PT(hot_tape)(2);
        for (k = 0; k < 6; k++) {
            const PREAL a = (PREAL)(0.3 + 0.1 * (double)k), c = (PREAL)(0.7 + 0.01 * (double)k);
            PAD(var) v[2][12], y[2], *const x[2] = { v[0], v[1] };
            for (w = 0; w < 2; w++) {
                PAD(var) *const s = v[w];
                PAD(tape_reset)(t[w]);
                s[0] = PAD(input)(t[w], a);
                s[1] = PAD(input)(t[w], c);
                s[2] = PAD(var_mul)(s[0], s[1]);
                s[3] = PT(rule_var)(rule, s[2], s[2], s[2]);
                s[4] = PAD(var_mul)(s[2], s[3]);
                s[5] = PT(rule_var)(rule, s[4], s[2], s[0]);
                s[6] = PT(rule_var)(rule, s[0], PAD(const)(c), s[1]);
                s[7] = PT(rule_var)(rule, PAD(const)(a), s[1], PAD(const)(c));
                s[8] = PT(rule_var)(rule, s[1], s[7], PAD(const)(a));
                s[9] = PAD(var_add)(s[5], PAD(var_mul)(s[6], s[2]));
                s[10] = PAD(var_add)(s[9], PAD(var_mul)(s[8], s[4]));
                s[11] = y[w] = PAD(var_add)(s[10], PAD(var_mul)(s[3], s[3]));
            }
            PT(compare)(y, x, k == 3 ? 12 : 2, 0, program_rules[rule].name);
        }
        CHECK(!machine || PAD(tape_hot_stats)(t[0]).hits + PAD(tape_hot_stats)(t[0]).redone >= 4);
        PAD(tape_destroy)(t[0]);
    }
    PAD(tape_destroy)(t[1]);
}

/* ---------------------------------------------------------------- traces */

/* A recurrence of some length, with numbers that change, sines whose partials are kept, a list, and
   instructions of three operands. */
static PAD(var) PT(recurrence)(PAD(tape) *t, PAD(var) *x, size_t n, PREAL shift, size_t length)
{
    PAD(var) v = x[0], list[40];
    size_t i;
    (void)t;
    for (i = 0; i < 40; i++) list[i] = x[i % n];
    v = PAD(var_mul)(v, PAD(var_sum)(40, list));
    for (i = 0; i < length; i++) {
        const PAD(var) u = x[i % n];
        v = PAD(var_add)(PAD(var_mul)(v, u), PAD(var_mul_r)(PAD(var_sin)(v), shift));
        if (i % 5 == 1) v = PAD(var_fma)(v, PAD(const)((PREAL)0.5), u);
        if (i % 7 == 2) {
            list[0] = v;
            list[1] = u;
            list[2] = PAD(const)(shift);
            v = PAD(var_norm)(3, list);
        }
    }
    return v;
}
/* The same on both tapes, from slot `below` on; leaves variables there. */
static void PT(record)(PAD(tape) *const *t, size_t n, PREAL shift, size_t length, PAD(var) (*x)[8],
    PAD(var) *y)
{
    size_t w, i;
    for (w = 0; w < 2; w++) {
        for (i = 0; i < n; i++) x[w][i] = PAD(input)(t[w], (PREAL)0.2 * (PREAL)(i + 1) + shift);
        y[w] = PT(recurrence)(t[w], x[w], n, shift, length);
    }
}
/* Anew, and swept. */
static void PT(again)(PAD(tape) *const *t, size_t n, PREAL shift, size_t length, const char *what)
{
    PAD(var) v[2][8], y[2], *const x[2] = { v[0], v[1] };
    PAD(tape_reset)(t[0]);
    PAD(tape_reset)(t[1]);
    PT(record)(t, n, shift, length, v, y);
    PT(compare)(y, x, n, 0, what);
}
/* A tape on h, to be hot, and another one; both have recorded so much. */
static void PT(on_heap)(PAD(tape) **t, heap *h, size_t length)
{
    PAD(var) v[2][8], y[2];
    ad_tape_desc desc;
    memset(h, 0, sizeof *h);
    memset(&desc, 0, sizeof desc);
    desc.resize = heap_resize;
    desc.resize_user = h;
    t[0] = PAD(tape_create)(&desc);
    t[1] = PAD(tape_create)(NULL);
    PT(record)(t, 4, (PREAL)0.1, length, v, y);
    CHECK_STATUS(PAD(backward)(y[0]), AD_OK);
}
/* Traces that take turns are all hot, up to eight. */
static void PT(turns)(void)
{
    PAD(tape) *t[2];
    ad_hot_stats s;
    size_t k, kinds;
    t[1] = PAD(tape_create)(NULL);
    for (kinds = 1; kinds <= 9; kinds++) {
        t[0] = PT(hot_tape)(3);
        for (k = 0; k < 40 * kinds; k++) {
            PT(again)(t, 5, (PREAL)0.01 * (PREAL)(k % 17), 20 + 7 * (k % kinds), "turns");
        }
        s = PAD(tape_hot_stats)(t[0]);
        CHECK(s.traces == (kinds < 9 ? kinds : 8));
        CHECK(s.refused == (machine ? 0 : s.refused) && s.redone == 0);
        if (machine) {
            CHECK(kinds == 9 || (s.compiled == kinds && s.evicted == 0 && s.hits > 30 * kinds));
            CHECK(kinds == 9 || s.misses == kinds);
        }
        PAD(tape_destroy)(t[0]);
    }
    PAD(tape_destroy)(t[1]);
}
/* One instruction, one operand, one number more or less, another output, inputs of another number:
   the sweep is that of what is there. */
static void PT(changes)(void)
{
    PAD(tape) *t[2];
    PAD(var) v[2][8], y[2], *const x[2] = { v[0], v[1] };
    size_t k, w;
    t[0] = PT(hot_tape)(2);
    t[1] = PAD(tape_create)(NULL);
    for (k = 0; k < 300; k++) {
        const int odd = k % 10 == 9 && k > 20;
        const size_t n = odd && k % 4 == 1 ? 4 : 5;
        PAD(tape_reset)(t[0]);
        PAD(tape_reset)(t[1]);
        PT(record)(t, n, (PREAL)0.003 * (PREAL)(k % 50), 60, v, y);
        for (w = 0; w < 2; w++) {
            if (!odd) y[w] = PAD(var_mul)(y[w], v[w][2]);
            else if (k % 20 == 9) y[w] = PAD(var_mul)(y[w], v[w][3]);
            else y[w] = PAD(var_sub)(y[w], v[w][2]);
            {   /* another operand of a list alone */
                PAD(var) list[3];
                list[0] = list[1] = y[w];
                list[2] = v[w][k % 7 == 3];
                y[w] = PAD(var_norm)(3, list);
            }
            if (k % 30 == 28) PAD(var_exp)(y[w]);        /* above the output: not swept */
        }
        PT(compare)(y, x, n, 0, "changes");
    }
    CHECK(!machine || (PAD(tape_hot_stats)(t[0]).hits > 200
                       && PAD(tape_hot_stats)(t[0]).misses >= 3));
    PAD(tape_destroy)(t[0]);
    PAD(tape_destroy)(t[1]);
}
/* A trace that stands above others, swept by the driver, which keeps to what it recorded. */
static PAD(var) PT(driven)(PAD(tape) *t, const PAD(var) *x, size_t n, void *user)
{
    PAD(var) own[8];
    size_t i;
    for (i = 0; i < n; i++) own[i] = x[i];
    return PAD(var_mul)(PT(recurrence)(t, own, n, (PREAL)0.2, 30), *(PAD(var) *)user);
}
static void PT(above)(void)
{
    PAD(tape) *const t = PT(hot_tape)(3), *const cold = PAD(tape_create)(NULL);
    PAD(var) outer[2], y[2];
    size_t k, i;
    for (k = 0; k < 40; k++) {
        PREAL at[5], value[2], g[2][5];
        ad_status s;
        if (k % 8 == 0) {
            PAD(tape_reset)(t);
            PAD(tape_reset)(cold);
        }
        for (i = 0; i < 5; i++) at[i] = (PREAL)(0.1 * (double)(i + 1) + 0.001 * (double)k);
        outer[0] = PAD(input)(t, at[0]);
        outer[1] = PAD(input)(cold, at[0]);
        y[0] = PAD(var_exp)(outer[0]);
        y[1] = PAD(var_exp)(outer[1]);
        s = PAD(gradient)(t, PT(driven), &y[0], at, 5, &value[0], g[0]);
        CHECK_STATUS(s, AD_OK);
        CHECK_STATUS(PAD(gradient)(cold, PT(driven), &y[1], at, 5, &value[1], g[1]), AD_OK);
        CHECK(PT(equal)(value[0], value[1]));
        for (i = 0; i < 5; i++) CHECK(PT(equal)(g[0][i], g[1][i]));
        CHECK_STATUS(PAD(backward)(y[0]), AD_OK);        /* and the one below is as it was */
        CHECK(PT(equal)(PAD(adjoint)(outer[0]), y[0].v));
    }
    PAD(tape_destroy)(t);
    PAD(tape_destroy)(cold);
}

/* Sweeps from the middle leave what stands above as it was; so does one where a tape is full. */
static void PT(middles)(void)
{
    PAD(tape) *t[2];
    PAD(var) v[2][8], y[2], high[2], *const x[2] = { v[0], v[1] };
    ad_tape_desc desc;
    size_t k, w, slots = 0;
    for (k = 0; k < 12; k++) {
        if (k == 0 || k == 6) {
            memset(&desc, 0, sizeof desc);
            desc.initial_slots = slots;
            for (w = 0; w < 2; w++) t[w] = PAD(tape_create)(&desc);
            CHECK_STATUS(PAD(tape_hot)(t[0], 2, 0), AD_OK);
        }
        PAD(tape_reset)(t[0]);
        PAD(tape_reset)(t[1]);
        PT(record)(t, 4, (PREAL)(0.1 + 0.01 * (double)k), 30, v, y);
        for (w = 0; w < 2; w++)
            high[w] = k > 5 ? y[w] : PAD(var_mul)(PT(recurrence)(t[w], v[w], 4, 1, 9), y[w]);
        PT(compare)(y, x, 4, 0, "middle");
        PT(compare)(high, x, 4, 0, "above the middle");
        slots = (size_t)y[0].id + 1;
        if (k == 5 || k == 11) {
            CHECK(!machine || PAD(tape_hot_stats)(t[0]).hits >= 3);
            PAD(tape_destroy)(t[0]);
            PAD(tape_destroy)(t[1]);
        }
    }
}
/* The same instructions, swept down to a driver's first slot and all the way. */
static PAD(var) PT(times)(PAD(tape) *t, const PAD(var) *x, size_t n, void *user)
{
    (void)t; (void)n;
    return PAD(var_mul)(x[0], *(PAD(var) *)user);
}
static void PT(floors)(void)
{
    PAD(tape) *const t = PT(hot_tape)(2);
    size_t k;
    for (k = 0; k < 12; k++) {
        const PREAL at = (PREAL)(0.5 + 0.1 * (double)k);
        PREAL y, g;
        PAD(var) a, b, x;
        PAD(tape_reset)(t);
        a = PAD(input)(t, at);
        b = PAD(var_exp)(a);
        if (k % 3) {
            CHECK_STATUS(PAD(gradient)(t, PT(times), &b, &at, 1, &y, &g), AD_OK);
            CHECK(PT(equal)(y, at * b.v) && PT(equal)(g, b.v));
        } else {
            x = PAD(input)(t, at);
            CHECK_STATUS(PAD(backward)(PAD(var_mul)(x, b)), AD_OK);
            CHECK(PT(equal)(PAD(adjoint)(a), at * b.v) && PT(equal)(PAD(adjoint)(x), b.v));
        }
    }
    CHECK(!machine || (PAD(tape_hot_stats)(t).compiled == 2 && PAD(tape_hot_stats)(t).misses == 2));
    PAD(tape_destroy)(t);
}

/* ---------------------------------------------------------------- adjoints in between */

/* A hot tape with a trace that was just swept by machine code, and one that has none. */
static void PT(swept)(PAD(tape) **t, PAD(var) (*v)[8], PAD(var) *y, PAD(var) *middle, size_t *mark)
{
    size_t k, w;
    t[0] = PT(hot_tape)(2);
    t[1] = PAD(tape_create)(NULL);
    for (k = 0; k < 4; k++)
        for (w = 0; w < 2; w++) {
            size_t i;
            PAD(tape_reset)(t[w]);
            for (i = 0; i < 4; i++) v[w][i] = PAD(input)(t[w], (PREAL)(0.3 + 0.1 * (double)i));
            middle[w] = PT(recurrence)(t[w], v[w], 4, (PREAL)0.1, 12);
            *mark = PAD(tape_mark)(t[w]);
            y[w] = PAD(var_mul)(middle[w], PT(recurrence)(t[w], v[w], 3, (PREAL)0.3, 9));
            CHECK_STATUS(PAD(backward)(y[w]), AD_OK);
        }
    CHECK(!machine || PAD(tape_hot_stats)(t[0]).hits == 3);
}
static void PT(between)(void)
{
    PAD(tape) *t[2];
    PAD(var) v[2][8], y[2], middle[2], later;
    size_t way, mark, i;
    for (way = 0; way < 12; way++) {
        PT(swept)(t, v, y, middle, &mark);
        if (way == 1) {                          /* what was recorded afterwards changes nothing */
            for (i = 0; i < 3000; i++) later = PAD(var_sin)(y[0]);
            CHECK(PAD(adjoint)(later) == 0);
        } else if (way == 2) {                   /* a rewind that keeps it: as ever */
            PAD(tape_rewind)(t[0], mark);
            PAD(tape_rewind)(t[1], mark);
            CHECK(PAD(adjoint)(y[0]) != PAD(adjoint)(y[0]));
        } else if (way == 3) {                   /* no hot traces any more */
            CHECK_STATUS(PAD(tape_hot)(t[0], 0, 0), AD_OK);
            CHECK(PAD(tape_hot_stats)(t[0]).bytes == 0);
        } else if (way == 4) {
            const PAD(health) a = PAD(tape_health)(t[0]), b = PAD(tape_health)(t[1]);
            CHECK(a.slots == b.slots && a.zero == b.zero && a.largest == b.largest
                  && a.smallest == b.smallest);
        } else if (way == 5) {                   /* another sweep is another */
            const PREAL three = 3;
            CHECK_STATUS(PAD(backward_seeded)(t[0], 1, &y[0], &three), AD_OK);
            CHECK_STATUS(PAD(backward_seeded)(t[1], 1, &y[1], &three), AD_OK);
        } else if (way == 6) {
            CHECK_STATUS(PAD(backward)(middle[0]), AD_OK);
            CHECK_STATUS(PAD(backward)(middle[1]), AD_OK);
        } else if (way == 7) {                   /* and pairs are others */
            const PREAL v_dot[4] = { 1, 0, 2, 0 };
            CHECK_STATUS(PAD(forward_over_reverse)(y[0], 4, v[0], v_dot), AD_OK);
            CHECK_STATUS(PAD(forward_over_reverse)(y[1], 4, v[1], v_dot), AD_OK);
            CHECK(PT(equal)(PAD(adjoint_tangent)(middle[0]), PAD(adjoint_tangent)(middle[1])));
        } else if (way == 8) {                   /* a rewind to above what was swept */
            const size_t above = PAD(tape_mark)(t[0]);
            later = PAD(var_sin)(y[0]);
            PAD(tape_rewind)(t[0], above);
            CHECK(PAD(adjoint)(y[0]) == 1);
        } else if (way == 9) {                   /* two outputs */
            const PREAL both[2] = { 1, 3 };
            for (i = 0; i < 2; i++) {
                const PAD(var) of[2] = { y[i], middle[i] };
                CHECK_STATUS(PAD(backward_seeded)(t[i], 2, of, both), AD_OK);
            }
        } else if (way == 10) {                  /* a constant, or what stands below a rewind */
            const PAD(var) none = PAD(const)(7);
            const PREAL one = 1;
            for (i = 0; i < 2; i++) {
                CHECK_STATUS(PAD(backward_seeded)(t[i], 1, &none, &one), AD_OK);
                CHECK(PAD(adjoint)(middle[i]) == 0);
                CHECK_STATUS(PAD(backward)(y[i]), AD_OK);
            }
        } else if (way == 11) {                  /* a rewind to where nothing was left out */
            for (i = 0; i < 4; i++) CHECK(PT(equal)(PAD(adjoint)(v[0][i]), PAD(adjoint)(v[1][i])));
            for (i = 0; i < 2; i++) {
                size_t k;
                PAD(tape_rewind)(t[i], 2);
                CHECK(PT(equal)(PAD(adjoint)(v[i][1]), PAD(adjoint)(v[1][1])));
                for (later = v[i][1], k = 0; k < 40; k++) later = PAD(var_sin)(later);
                CHECK(PAD(adjoint)(later) == 0);
                PAD(tape_destroy)(t[i]);
            }
            continue;
        }
        CHECK(PT(equal)(PAD(adjoint)(middle[0]), PAD(adjoint)(middle[1])));
        CHECK(PAD(adjoint)(middle[1]) != 0);
        for (i = 0; i < 4; i++)
            CHECK(PT(equal)(PAD(adjoint)(v[0][i]), PAD(adjoint)(v[1][i])));
        PAD(tape_destroy)(t[0]);
        PAD(tape_destroy)(t[1]);
    }
    /* who asks once is expected to ask again: the function then gives all */
    PT(swept)(t, v, y, middle, &mark);
    for (i = 0; i < 10; i++) {
        CHECK_STATUS(PAD(backward)(y[0]), AD_OK);
        CHECK(PT(equal)(PAD(adjoint)(middle[0]), PAD(adjoint)(middle[1])));
        CHECK(PAD(adjoint)(y[0]) == 1);
    }
    CHECK(!machine || (PAD(tape_hot_stats)(t[0]).compiled == 2
                       && PAD(tape_hot_stats)(t[0]).hits == 13));
    PAD(tape_destroy)(t[0]);
    PAD(tape_destroy)(t[1]);
}

/* ---------------------------------------------------------------- zeros, infinities */

/* A zero adjoint stops where a partial is infinite; where one is finite again, machine code is
   back. (1 - c) has the adjoint 0 at its product's other operand. */
static void PT(stops)(void)
{
    PAD(tape) *t[2];
    PAD(var) v[2][8], y[2], *const x[2] = { v[0], v[1] };
    size_t k, w, redone = 0;
    t[0] = PT(hot_tape)(2);
    t[1] = PAD(tape_create)(NULL);
    for (k = 0; k < 30; k++) {
        const PREAL far = k % 3 == 2 ? (PREAL)HUGE_VAL : (PREAL)(1 + 0.1 * (double)k);
        redone += k % 3 == 2;
        for (w = 0; w < 2; w++) {
            PAD(var) product, zero;
            PAD(tape_reset)(t[w]);
            v[w][0] = PAD(input)(t[w], (PREAL)0.5);
            v[w][1] = PAD(input)(t[w], far);
            v[w][2] = PAD(input)(t[w], 0);
            zero = PAD(var_mul)(v[w][2], v[w][0]);
            product = PAD(var_mul)(PAD(var_add)(v[w][0], v[w][0]), v[w][1]);
            y[w] = PAD(var_add)(PAD(var_mul)(product, zero), v[w][0]);
        }
        PT(compare)(y, x, 3, 0, "stops");
    }
    CHECK(!machine || (PAD(tape_hot_stats)(t[0]).hits + PAD(tape_hot_stats)(t[0]).redone == 29
                       && PAD(tape_hot_stats)(t[0]).redone == redone));
    PAD(tape_destroy)(t[0]);
    PAD(tape_destroy)(t[1]);
}

/* A zero that meets an infinity gives NaN where the sweep computes the product: in the branch of a
   select that was not taken, too, and where the number was infinite when the code was made. */
static void PT(products)(void)
{
    PAD(tape) *t[2];
    PAD(var) v[2][8], y[2], *const x[2] = { v[0], v[1] };
    size_t way, k, w;
    for (way = 0; way < 2; way++) {
        size_t nans = 0;
        t[0] = PT(hot_tape)(2);
        t[1] = PAD(tape_create)(NULL);
        for (k = 0; k < 8; k++) {
            const PREAL z = k < 4 ? 2 : 0, far = way || k > 3 ? (PREAL)HUGE_VAL : 2;
            for (w = 0; w < 2; w++) {
                PAD(var) s;
                PAD(tape_reset)(t[w]);
                v[w][0] = PAD(input)(t[w], (PREAL)0.5);
                v[w][1] = PAD(input)(t[w], 1);
                if (way) {
                    s = PAD(var_mul_r)(v[w][0], z);
                    y[w] = PAD(var_mul_r)(s, far);
                } else {
                    s = PAD(var_mul_r)(PAD(var_exp)(v[w][0]), (PREAL)floor((double)z));
                    s = PAD(var_select)(v[w][1], s, v[w][0]);
                    y[w] = PAD(var_mul_r)(PAD(var_mul_r)(s, far), far);
                }
            }
            PT(compare)(y, x, 2, 0, "products");
            nans += PAD(adjoint)(v[1][0]) != PAD(adjoint)(v[1][0]);
        }
        CHECK(nans == 4);
        PAD(tape_destroy)(t[0]);
        PAD(tape_destroy)(t[1]);
    }
}
/* A trace whose adjoints are always infinite is swept as ever after some tries; large ones are not
   taken for that. */
static void PT(given_up)(void)
{
    size_t way, k, i;
    for (way = 0; way < 2; way++) {
        PAD(tape) *const t = PT(hot_tape)(2);
        const double most = sizeof(PREAL) == 8 ? 1.5e308 : 3e38;
        for (k = 0; k < 40; k++) {
            PAD(var) x[9], y = PAD(const)(0);
            PAD(tape_reset)(t);
            for (i = 0; i < 9; i++) x[i] = PAD(input)(t, (PREAL)0.25);
            for (i = 0; i < 9; i++)
                y = PAD(var_add)(y, PAD(var_mul_r)(x[i], way ? (PREAL)HUGE_VAL : (PREAL)most));
            CHECK_STATUS(PAD(backward)(y), AD_OK);
            CHECK(PAD(adjoint)(x[3]) == (way ? (PREAL)HUGE_VAL : (PREAL)most));
        }
        if (machine) {
            const ad_hot_stats s = PAD(tape_hot_stats)(t);
            CHECK(way ? s.redone == 16 && s.refused == 1 && s.hits == 0
                      : s.redone == 0 && s.hits == 39);
            CHECK(!way || strstr(s.why, "16 sweeps"));
        }
        PAD(tape_destroy)(t);
    }
}

/* ---------------------------------------------------------------- beside others */

/* A pack of results is a view of their slots, and reads their adjoints. */
static void PT(packed)(void)
{
    PAD(tape) *t[2];
    const int32_t three[1] = { 3 };
    size_t k, w, i;
    t[0] = PT(hot_tape)(2);
    t[1] = PAD(tape_create)(NULL);
    for (k = 0; k < 8; k++) {
        PREAL seen[2][3];
        for (w = 0; w < 2; w++) {
            const PREAL *bar;
            PAD(var) x, v[3], y;
            PAD(tape_reset)(t[w]);
            x = PAD(input)(t[w], (PREAL)(0.5 + 0.1 * (double)k));
            v[0] = PAD(var_mul)(x, x);
            v[1] = PAD(var_mul)(v[0], x);
            v[2] = PAD(var_exp)(v[1]);
            y = k % 4 == 3 ? PAD(var_mul)(v[0], x) : PAD(var_mul)(PAD(var_add)(v[2], v[1]), v[0]);
            CHECK_STATUS(PAD(backward)(k % 4 == 2 ? v[1] : y), AD_OK);
            bar = PAD(array_adjoints)(PAD(array_pack)(t[w], 1, three, v));
            for (i = 0; i < 3; i++) seen[w][i] = bar[i];     /* before each is asked for */
            for (i = 0; i < 3; i++) CHECK(PT(equal)(seen[w][i], PAD(adjoint)(v[i])));
        }
        for (i = 0; i < 3; i++) CHECK(PT(equal)(seen[0][i], seen[1][i]));
    }
    PAD(tape_destroy)(t[0]);
    PAD(tape_destroy)(t[1]);
}
/* A trace depends on nothing but what its instructions take: not on how many constants and lists
   stand below or above it. One that reaches far down for little is refused. */
static void PT(around)(void)
{
    size_t way, k, i;
    for (way = 0; way < 3; way++) {
        PAD(tape) *const t = PT(hot_tape)(2);
        ad_hot_stats s;
        for (k = 0; k < 60; k++) {
            PREAL at = (PREAL)(0.3 + 0.01 * (double)k), y, g;
            PAD(var) outer, v[3];
            if (way == 2 || k == 0) {
                PAD(tape_reset)(t);
                outer = v[0] = PAD(input)(t, at);
                for (i = 0; i < 20000 && way < 2; i++) outer = PAD(var_mul_r)(outer, (PREAL)i);
                outer = PAD(var_exp)(way == 1 ? v[0] : outer);
            }
            if (way == 2) {                      /* lists above, of another length each time */
                PAD(var) z = PAD(var_exp)(v[0]);
                for (i = 0; i < k % 10; i++) {
                    v[1] = PAD(var_mul_r)(v[0], (PREAL)i);
                    v[2] = PAD(var_norm)(2, v);
                }
                CHECK_STATUS(PAD(backward)(z), AD_OK);
                CHECK(PT(equal)(PAD(adjoint)(v[0]), z.v));
            } else {                             /* a driver above a long recording */
                if (way == 1) outer = v[0];
                CHECK_STATUS(PAD(gradient)(t, PT(times), &outer, &at, 1, &y, &g), AD_OK);
                CHECK(PT(equal)(g, outer.v));
            }
        }
        s = PAD(tape_hot_stats)(t);
        if (machine && way == 1)
            CHECK(s.hits == 0 && s.refused == 1 && strcmp(s.why,
                "2 instructions, which take from as many as 20004 numbers") == 0);
        else if (machine) CHECK(s.hits == 59 && s.compiled == 1 && s.misses == 1);
        CHECK(s.bytes < 300000);
        PAD(tape_destroy)(t);
    }
}
/* op(x, x) is one sum upwards, in the same order recorded and not. */
static void PT(upwards)(void)
{
    PAD(tape) *const t = PAD(tape_create)(NULL);
    size_t k;
    for (k = 0; k < 200; k++) {
        const PREAL at[2] = { (PREAL)(0.1 + 0.013 * (double)k), 1 };
        const PREAL dot[2] = { (PREAL)0.1137, (PREAL)(0.01 * (double)k + 0.003) };
        PAD(var) x[2], v[2], r;
        size_t i;
        PAD(tape_reset)(t);
        x[0] = PAD(input)(t, at[0]);
        x[1] = k % 2 ? PAD(var_sub)(x[0], x[0]) : PAD(var_div)(x[0], x[0]);
        for (i = 0; i < 2; i++) v[i] = PAD(input)(t, dot[i]);
        CHECK_STATUS(PAD(jvp_vars)(t, 2, x, v, 1, &x[1], &r), AD_OK);
        CHECK_STATUS(PAD(forward)(t, 2, x, dot), AD_OK);
        CHECK(PT(equal)(r.v, PAD(tangent)(x[1])));
    }
    PAD(tape_destroy)(t);
}

/* ---------------------------------------------------------------- refused, counted */

static ad_status PT(op_value)(void *user, size_t n, const PREAL *x, size_t m, PREAL *y)
{
    (void)user; (void)n; (void)m;
    y[0] = 2 * x[0];
    return AD_OK;
}
static ad_status PT(op_reverse)(void *user, size_t n, const PREAL *x, size_t m, const PREAL *y,
    const PREAL *y_bar, PREAL *x_bar)
{
    (void)user; (void)n; (void)m; (void)x; (void)y;
    x_bar[0] += 2 * y_bar[0];
    return AD_OK;
}
/* Memory with something in it. */
static void *PT(filled)(void *user, void *old, size_t old_bytes, size_t new_bytes)
{
    void *const p = new_bytes ? malloc(new_bytes) : NULL;
    if (p) memset(p, *(const int *)user, new_bytes);
    if (p && old) memcpy(p, old, old_bytes < new_bytes ? old_bytes : new_bytes);
    if (p || !new_bytes) free(old);
    return p;
}
/* The code of an array's run is nobody's: whatever is in it, the tape is swept as if it were
   cold. */
static void PT(arrays)(void)
{
    enum { N = 200 };
    static PREAL data[N];
    const int32_t many[1] = { N };
    ad_tape_desc desc;
    int fill, k, i, differ = 0;
    for (i = 0; i < N; i++) data[i] = (PREAL)i / (PREAL)N;
    memset(&desc, 0, sizeof desc);
    desc.resize = PT(filled);
    desc.resize_user = &fill;
    for (fill = 0; fill < 256; fill += 5) {
        PAD(tape) *const t = PAD(tape_create)(&desc);
        ad_hot_stats s;
        CHECK_STATUS(PAD(tape_hot)(t, 2, 0), AD_OK);
        for (k = 0; k < 4; k++) {
            PAD(array) a;
            PAD(tape_reset)(t);
            a = PAD(array_input)(t, 1, many, data);
            CHECK_STATUS(PAD(backward)(PAD(array_item)(PAD(array_sum)(PAD(array_square)(a),
                AD_ALL_AXES, 0))), AD_OK);
            for (i = 0; i < N; i++) differ += PAD(array_adjoints)(a)[i] != 2 * data[i];
        }
        s = PAD(tape_hot_stats)(t);
        CHECK(s.hits == 0 && s.refused == 1 && strstr(s.why, "on arrays"));
        PAD(tape_destroy)(t);
    }
    CHECK(differ == 0);
}
static void PT(refused)(void)
{
    static const char *const why[] = { "a list with coefficients", "an operation of the user's",
        "on arrays", "ad_tape_hot was given", "more slots" };
    const PREAL c[3] = { 1, 2, 3 };
    const int32_t one[1] = { 1 };
    PAD(op) op;
    size_t way, k;
    memset(&op, 0, sizeof op);
    op.name = "twice";
    op.value = PT(op_value);
    op.reverse = PT(op_reverse);
    for (way = 0; way < 5; way++) {
        PAD(tape) *const t = PT(hot_tape)(2);
        ad_hot_stats s;
        PAD(var) x, y;
        if (way == 3) CHECK_STATUS(PAD(tape_hot)(t, 2, 10), AD_OK);
        for (k = 0; k < 8; k++) {
            size_t i;
            PAD(tape_reset)(t);
            x = PAD(input)(t, (PREAL)0.5);
            y = x;
            if (way == 0) y = PAD(var_polyval)(3, c, x);
            else if (way == 1) CHECK_STATUS(PAD(var_call)(t, &op, NULL, 1, &x, 1, &y), AD_OK);
            else if (way == 2) {
                const PAD(array) a = PAD(array_pack)(t, 1, one, &x);
                y = PAD(array_item)(PAD(array_exp)(a));
            }
            else for (i = 0; i < (way == 3 ? 5u : 40000u); i++) y = PAD(var_mul)(y, x);
            CHECK_STATUS(PAD(backward)(y), AD_OK);
            if (way < 3) CHECK_NEAR(PAD(adjoint)(x), way == 0 ? 5 : way == 1 ? 2 : exp(0.5), 1e-6);
        }
        s = PAD(tape_hot_stats)(t);
        CHECK(s.hits == 0 && s.compiled == 0);
        if (machine) {
            CHECK(s.refused == 1);               /* once: not tried again */
            test_check(strstr(s.why, why[way]) != NULL, __FILE__, __LINE__, "why is \"%s\"", s.why);
        }
        PAD(tape_destroy)(t);
    }
    {
        static double buffer[4000];
        ad_tape_desc desc;
        PAD(tape) *t;
        memset(&desc, 0, sizeof desc);
        desc.buffer = buffer;
        desc.buffer_bytes = sizeof buffer;
        t = PAD(tape_create)(&desc);
        CHECK_STATUS(PAD(tape_hot)(t, 0, 0), AD_OK);
        CHECK_STATUS(PAD(tape_hot)(t, 5, 0), AD_ERR_UNSUPPORTED);
        CHECK_STATUS(PAD(tape_status)(t), AD_OK);
        PAD(tape_destroy)(t);
        CHECK_STATUS(PAD(tape_hot)(NULL, 5, 0), AD_ERR_ARGUMENT);
        CHECK(PAD(tape_hot_stats)(NULL).traces == 0);
        CHECK_STRING(PAD(tape_hot_stats)(NULL).why, "");
    }
}
/* Traces go for others when there is no room for all; what is held is what was taken, but for code;
   a tape that never repeats itself soon is not looked at. */
static void PT(counted)(void)
{
    PAD(tape) *t[2];
    ad_hot_stats s;
    heap h;
    size_t k, one;
    PT(on_heap)(t, &h, 320);
    CHECK_STATUS(PAD(tape_hot)(t[0], 2, 0), AD_OK);
    for (k = 0; k < 4; k++) {
        PT(again)(t, 4, (PREAL)0.1, 40, "counted");
    }
    one = PAD(tape_hot_stats)(t[0]).bytes;
    CHECK_STATUS(PAD(tape_hot)(t[0], 2, one * 5 / 2), AD_OK);        /* room for two */
    for (k = 0; k < 90; k++) {
        PT(again)(t, 4, (PREAL)0.1, 40 + k / 10 % 3, "counted");
        s = PAD(tape_hot_stats)(t[0]);
        CHECK(s.bytes <= one * 5 / 2 + h.live / 4);
    }
    {   /* what is alone too large throws none of the others out; with more room all may stay */
        const size_t evicted = s.evicted, refused = s.refused;
        for (k = 0; k < 4; k++) {
            PT(again)(t, 4, (PREAL)0.1, 300, "counted");
        }
        s = PAD(tape_hot_stats)(t[0]);
        CHECK(!machine || (s.evicted == evicted && s.refused == refused + 1));
        CHECK_STATUS(PAD(tape_hot)(t[0], 2, 0), AD_OK);
        for (k = 0; k < 4; k++) {
            PT(again)(t, 4, (PREAL)0.1, 300, "counted");
        }
        CHECK(!machine || PAD(tape_hot_stats)(t[0]).hits == s.hits + 3);
    }
    CHECK(!machine || (s.evicted >= 2 && s.compiled >= 4 && s.hits > 40));
    CHECK_STATUS(PAD(tape_hot)(t[0], 0, 0), AD_OK);
    CHECK(PAD(tape_hot_stats)(t[0]).bytes == 0);
    CHECK(h.live == PAD(tape_get_stats)(t[0]).bytes);
    CHECK_STATUS(PAD(tape_hot)(t[0], 2, 0), AD_OK);
    for (k = 0; k < 1000; k++) {
        PT(again)(t, 4, (PREAL)0.1, 20 + k % 300, "counted");
    }
    s = PAD(tape_hot_stats)(t[0]);
    CHECK(s.hits == 0 && s.compiled == 0 && s.misses < 40);
    PAD(tape_destroy)(t[0]);
    PAD(tape_destroy)(t[1]);
    CHECK(h.blocks == 0 && h.live == 0 && h.wrong == 0);
}
/* Every allocation fails once: the sweep is there all the same, and the trace is hot later. */
static void PT(starved)(void)
{
    size_t at;
    int failed = 1;
    for (at = 1; failed && at < 2000; at++) {
        PAD(tape) *t[2];
                heap h;
        size_t k;
        PT(on_heap)(t, &h, 300);                         /* the tape itself has its memory */
        h.calls = 0;
        h.fail_at = at;
        if (PAD(tape_hot)(t[0], 2, 0) != AD_OK) CHECK_STATUS(PAD(tape_hot)(t[0], 2, 0), AD_OK);
        CHECK_STATUS(PAD(tape_status)(t[0]), AD_OK);
        for (k = 0; k < 7; k++) {
            PT(again)(t, 4, (PREAL)0.1, 12, "starved");
        }
        failed = h.calls >= at;
        CHECK(!machine || PAD(tape_hot_stats)(t[0]).hits >= 2);
        CHECK(PAD(tape_hot_stats)(t[0]).refused == 0 || !machine);
        PAD(tape_destroy)(t[0]);
        PAD(tape_destroy)(t[1]);
        CHECK(h.blocks == 0 && h.live == 0 && h.wrong == 0);
    }
    CHECK(!failed);
}

static void PT(test_hot)(void)
{
    PT(find_machine)();
    PT(rules)();
    PT(random_programs)();
    PT(turns)();
    PT(changes)();
    PT(above)();
    PT(middles)();
    PT(floors)();
    PT(between)();
    PT(stops)();
    PT(products)();
    PT(given_up)();
    PT(packed)();
    PT(around)();
    PT(upwards)();
    PT(refused)();
    PT(arrays)();
    PT(counted)();
    PT(starved)();
}
#endif
