/* Random programs over every rule of the table, for tests that compare the parts of the library.
   A program is a list of steps on values: first its inputs, then what each step gives. It runs on
   plain numbers, duals and the tape; by the array kernels at many points at once; and through its
   own study, which differentiates every step alone, joins them, and says beside every number how
   large an error rounding can leave in it. It can be printed and made smaller.
       program p;
       program_make(&p, seed, 0);
       d_run_var(&p, tape, x, v, way);          // f_run_var in float; v[p.output[j]] are outputs
   A program depends on its seed alone. The file includes itself, once for each real type, behind
   the first #else. */
#ifndef PREAL
#ifndef PROGRAMS_H
#define PROGRAMS_H
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../autodiff.h"
#include "rows.h"

#if defined(__GNUC__)
#define PROGRAM_DEF static __attribute__((unused))
#else
#define PROGRAM_DEF static
#endif

enum {
    PROGRAM_INPUTS = 6, PROGRAM_STEPS = 64, PROGRAM_LIST = 6, PROGRAM_OPERANDS = 2 * PROGRAM_LIST,
    PROGRAM_VALUES = PROGRAM_INPUTS + 3 * PROGRAM_STEPS, PROGRAM_OUTPUTS = 6,
    PROGRAM_POOL = PROGRAM_STEPS * PROGRAM_OPERANDS
};

/* What a program is not to have, for program_make. */
enum {
    PROGRAM_NO_CALLS = 1,       /* operations of the user */
    PROGRAM_NO_BRANCHES = 2,
    PROGRAM_ONE_OUTPUT = 4,     /* and no other number of them */
    PROGRAM_NO_PARAMETERS = 8,
    PROGRAM_TAME = 16           /* no NaN and no infinity among its numbers or at its point */
};

typedef enum program_form {
    STEP_NUMBER,                            /* a constant */
    STEP_ONE, STEP_TWO, STEP_THREE,         /* a rule; STEP_RIGHT: its second operand a number, */
    STEP_RIGHT, STEP_LEFT,                  /* STEP_LEFT: its first */
    STEP_SUM, STEP_DOT, STEP_NORM, STEP_LOGSUMEXP, STEP_LINCOMB, STEP_POLYVAL,
    STEP_POLY,                              /* number[0]: which derivative */
    STEP_POWI,                              /* number[0]: the exponent */
    STEP_CALL,                              /* n operands, m results: program_mill below */
    STEP_BRANCH                             /* no result */
} program_form;

typedef struct program_step {
    program_form form;
    size_t rule;                /* of STEP_ONE to STEP_LEFT: which of program_rules */
    size_t n, operand;          /* operands: program.operand[operand..operand+n) are values */
    size_t numbers, number;     /* plain numbers: program.number[number..number+numbers) */
    size_t m, first;            /* results: values first..first+m */
} program_step;

typedef struct program {
    uint64_t seed;
    int    mix;
    size_t inputs, steps, values, outputs, branches, n_operand, n_number;
    unsigned char parameter[PROGRAM_INPUTS];
    double point[PROGRAM_INPUTS];           /* where it is to be recorded; all numbers are floats */
    program_step step[PROGRAM_STEPS];
    size_t operand[PROGRAM_POOL];
    double number[PROGRAM_POOL];
    size_t output[PROGRAM_OUTPUTS];
} program;

/* ---- the rules, by number */
typedef struct program_rule { const char *name; int operands; } program_rule;
static const program_rule program_rules[] = {
#define X1(name, class_, value, dx)         { #name, 1 },
#define X2(name, class_, value, dx, dy)     { #name, 2 },
#define X3(name, class_, value, dx, dy, dz) { #name, 3 },
    ADI_READ((X1, X2, X3, ADI_SKIPN, ADI_WORDS(ADI_WORD_TEXT)))
#undef X1
#undef X2
#undef X3
};
enum { PROGRAM_RULES = sizeof program_rules / sizeof program_rules[0] };

/* The compiler fused products and sums of the tape's lists: then its bits are its own. */
PROGRAM_DEF int program_fused_lists(void)
{
    ad_tape *t = ad_tape_create(NULL);
    ad_var x[2], y[2];
    double dot;
    x[0] = ad_input(t, -1.0);
    y[0] = ad_input(t, 1.0);
    x[1] = ad_input(t, 1 + DBL_EPSILON);
    y[1] = ad_input(t, 1 - DBL_EPSILON);
    dot = ad_var_dot(2, x, y).v;
    ad_tape_destroy(t);
    return dot != 0;
}

PROGRAM_DEF size_t program_rule_number(const char *name)
{
    size_t i;
    for (i = 0; i < PROGRAM_RULES; i++)
        if (strcmp(program_rules[i].name, name) == 0) return i;
    return 0;
}

/* Valgrind's fused products (up to 3.19 at least) give zeros of the wrong sign. */
PROGRAM_DEF int program_zeros_have_signs(void)
{
    static int known = -1;
    if (known < 0) {
        volatile double zero = -0.0, one = 1;
        known = copysign(1.0, fma(zero, one, zero)) < 0;
    }
    return known;
}

/* ---- numbers that depend on the seed alone: Vigna's splitmix64 */
typedef struct program_dice { uint64_t state; } program_dice;

PROGRAM_DEF uint64_t program_draw(program_dice *d)
{
    uint64_t z = d->state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}
PROGRAM_DEF size_t program_below(program_dice *d, size_t n)
{
    return (size_t)((program_draw(d) >> 11) % n);
}
PROGRAM_DEF int program_chance(program_dice *d, int percent)
{
    return (int)program_below(d, 100) < percent;
}
/* in [-1, 1), a float */
PROGRAM_DEF double program_unit(program_dice *d)
{
    return (double)(program_draw(d) >> 40) / 8388608.0 - 1;
}
PROGRAM_DEF double program_number(program_dice *d, unsigned without)
{
    static const double special[] = { 0, 1, 2, -1, 0.5, -0.0, 3, 4, -2, 0.25, 1, 0, -0.5, 10, 8,
        0.125, -3, 5, 0.0625, 1e3, 7, -4, 1 };
    if (!(without & PROGRAM_TAME) && program_chance(d, 1))
        return program_chance(d, 50) ? (double)NAN : program_chance(d, 50) ? HUGE_VAL : -HUGE_VAL;
    if (program_chance(d, 55)) return special[program_below(d, sizeof special / sizeof *special)];
    return (double)(float)(3 * program_unit(d));
}

/* ---- the user's operation: result j of n operands is sin(a) b + a j / 4, where a is operand j and
   b the one after it, in a circle */
#define PROGRAM_MILL(name, reverse, T, F)                                                          \
PROGRAM_DEF void name(size_t n, const T *x, size_t m, T *y)                                        \
{                                                                                                  \
    size_t j;                                                                                      \
    for (j = 0; j < m; j++)                                                                        \
        y[j] = F(add)(F(mul)(F(sin)(x[j % n]), x[(j + 1) % n]),                                    \
                      F(mul)(x[j % n], F(num)(0.25 * (double)j)));                                 \
}                                                                                                  \
/* x_bar[i] += sum over j of y_bar[j] dy[j]/dx[i] */                                               \
PROGRAM_DEF void reverse(size_t n, const T *x, size_t m, const T *y_bar, T *x_bar)                 \
{                                                                                                  \
    size_t j;                                                                                      \
    for (j = 0; j < m; j++) {                                                                      \
        const size_t a = j % n, b = (j + 1) % n;                                                   \
        x_bar[a] = F(add)(x_bar[a], F(mul)(y_bar[j], F(add)(F(mul)(F(cos)(x[a]), x[b]),            \
                                                            F(num)(0.25 * (double)j))));           \
        x_bar[b] = F(add)(x_bar[b], F(mul)(y_bar[j], F(sin)(x[a])));                               \
    }                                                                                              \
}

/* Which values depend on an input at all; the others are constants on a tape. */
PROGRAM_DEF void program_dependence(const program *p, unsigned char *depends)
{
    size_t i, k;
    memset(depends, 0, PROGRAM_VALUES);
    for (i = 0; i < p->inputs; i++) depends[i] = 1;
    for (k = 0; k < p->steps; k++) {
        const program_step *s = &p->step[k];
        unsigned char d = 0;
        for (i = 0; i < s->n; i++) d |= depends[p->operand[s->operand + i]];
        for (i = 0; i < s->m; i++) depends[s->first + i] = d;
    }
}

/* Which values an output or a branch needs. */
PROGRAM_DEF void program_needs(const program *p, unsigned char *needed)
{
    size_t i, k;
    memset(needed, 0, PROGRAM_VALUES);
    for (i = 0; i < p->outputs; i++) needed[p->output[i]] = 1;
    for (k = p->steps; k-- > 0;) {
        const program_step *s = &p->step[k];
        unsigned char want = s->form == STEP_BRANCH;
        for (i = 0; i < s->m; i++) want |= needed[s->first + i];
        for (i = 0; i < s->n && want; i++) needed[p->operand[s->operand + i]] = 1;
    }
}

#define TWICE "programs.h"
#include "twice.h"

/* ---- making one */

/* All values that the outputs or branches need come from arithmetic alone. */
PROGRAM_DEF int program_is_exact(const program *p)
{
    unsigned char needed[PROGRAM_VALUES];
    size_t i, k;
    program_needs(p, needed);
    for (k = 0; k < p->steps; k++) {
        const program_step *s = &p->step[k];
        int want = s->form == STEP_BRANCH;
        for (i = 0; i < s->m; i++) want |= needed[s->first + i];
        if (!want) continue;
        if (s->form == STEP_LOGSUMEXP || s->form == STEP_CALL) return 0;
        if (s->form >= STEP_ONE && s->form <= STEP_LEFT
            && !row_is_exact(program_rules[s->rule].name)) return 0;
        /* beyond 64 an integer power is pow's */
        if (s->form <= STEP_LEFT && s->form != STEP_NUMBER
            && strcmp(program_rules[s->rule].name, "ipow") == 0
            && !(s->form == STEP_RIGHT && fabs(p->number[s->number]) <= 60)) return 0;
    }
    return 1;
}

PROGRAM_DEF size_t program_pick_rule(program_dice *d, int mix)
{
    static const char *const often[] = { "add", "mul", "sub", "mul", "add", "div", "neg", "fma",
        "square", "mul", "sub", "sqrt", "inv", "abs", "add", "mul" };
    static const char *const choose[] = { "min", "max", "clamp", "relu", "select", "lt", "le",
        "gt", "ge", "eq", "ne", "sign", "floor", "ceil", "round", "trunc", "copysign", "abs",
        "select", "fmod", "sub0", "mul0", "div0" };
    static const char *const food[] = { "neg", "abs", "add", "sub", "mul", "div", "neg", "mul",
        "square", "inv", "fma", "sqrt", "exp", "log", "min", "max", "select", "select", "eq", "ne",
        "gt", "ge", "floor", "round", "ceil", "trunc", "mul0", "sub0", "div0", "pow", "ipow", "cos",
        "cosh", "abs", "add", "sub" };
    const int at = (int)program_below(d, 100);
    if (mix == 3 && at < 80)                    /* what an optimiser may rewrite */
        return program_rule_number(food[program_below(d, sizeof food / sizeof *food)]);
    if (at < (mix == 0 ? 75 : mix == 1 ? 30 : mix == 2 ? 10 : 60))
        return program_rule_number(often[program_below(d, sizeof often / sizeof *often)]);
    if (at < (mix == 0 ? 90 : mix == 1 ? 40 : mix == 2 ? 20 : 75))
        return program_rule_number(choose[program_below(d, sizeof choose / sizeof *choose)]);
    for (;;) {
        const size_t r = program_below(d, PROGRAM_RULES);
        if (mix != 1 || !row_is_exact(program_rules[r].name)) return r;
    }
}

/* A value to take: mostly a late one. */
PROGRAM_DEF size_t program_pick_value(program_dice *d, const program *p)
{
    const size_t few = p->mix == 3 ? 3 : 8, late = p->values < few ? p->values : few;
    return program_chance(d, 60) ? p->values - 1 - program_below(d, late)
                                 : program_below(d, p->values);
}

PROGRAM_DEF void program_take(program *p, program_step *s, size_t value)
{
    p->operand[s->operand + s->n++] = value;
}
PROGRAM_DEF void program_take_number(program *p, program_step *s, double c)
{
    p->number[s->number + s->numbers++] = c;
}

/* Draws a step; it becomes part of the program with program_add_step. */
PROGRAM_DEF program_step program_draw_step(program_dice *d, program *p, unsigned without)
{
    program_step s;
    size_t i, n;
    int at = (int)program_below(d, 100);
    memset(&s, 0, sizeof s);
    s.operand = p->n_operand;
    s.number = p->n_number;
    s.first = p->values;
    s.m = 1;
    if (p->steps && program_chance(d, p->mix == 3 ? 25 : 8)) {      /* one that is there already */
        const program_step *old = &p->step[program_below(d, p->steps)];
        if (old->form != STEP_BRANCH) {
            s.form = old->form;
            s.rule = old->rule;
            s.m = old->m;
            for (i = 0; i < old->n; i++) program_take(p, &s, p->operand[old->operand + i]);
            for (i = 0; i < old->numbers; i++)
                program_take_number(p, &s, p->number[old->number + i]);
            if (s.form == STEP_TWO && program_chance(d, 40)) {
                p->operand[s.operand] = p->operand[old->operand + 1];
                p->operand[s.operand + 1] = p->operand[old->operand];
            }
            return s;
        }
    }
    if (p->mix == 3 && at >= 84 && at < 92) at = 99;
    if (at < 84) {
        const int special = p->mix == 3 ? 35 : 20;
        s.rule = program_pick_rule(d, p->mix);
        n = (size_t)program_rules[s.rule].operands;
        s.form = n == 1 ? STEP_ONE : n == 2 ? STEP_TWO : STEP_THREE;
        if (n == 2) {
            const char *name = program_rules[s.rule].name;
            const int order = strcmp(name, "polygamma") == 0, power = strcmp(name, "ipow") == 0;
            if (order || power || program_chance(d, special)) {
                s.form = order || power || program_chance(d, 60) ? STEP_RIGHT : STEP_LEFT;
                program_take_number(p, &s, order ? (double)program_below(d, 4)
                    : power ? (double)program_below(d, 12) - 4 : program_number(d, without));
                n = 1;
            }
        }
        for (i = 0; i < n; i++) program_take(p, &s, program_pick_value(d, p));
        if (n == 2 && program_chance(d, 6)) p->operand[s.operand + 1] = p->operand[s.operand];
        return s;
    }
    if (at < 97 || (at < 99 && (without & PROGRAM_NO_CALLS))) {
        static const program_form lists[] = { STEP_SUM, STEP_DOT, STEP_NORM, STEP_LOGSUMEXP,
            STEP_LINCOMB, STEP_POLYVAL, STEP_POLY, STEP_POWI, STEP_SUM, STEP_DOT };
        s.form = lists[program_below(d, p->mix == 0 ? 10 : 8)];
        n = program_below(d, PROGRAM_LIST + 1);
        if (s.form == STEP_POLYVAL || s.form == STEP_POLY || s.form == STEP_POWI) {
            program_take(p, &s, program_pick_value(d, p));
            if (s.form == STEP_POWI)
                program_take_number(p, &s, (double)program_below(d, 12) - 4);
            if (s.form == STEP_POLY) program_take_number(p, &s, (double)program_below(d, 4));
            for (i = 0; i < n && s.form != STEP_POWI; i++)
                program_take_number(p, &s, program_number(d, without));
            return s;
        }
        for (i = 0; i < n; i++) program_take(p, &s, program_pick_value(d, p));
        for (i = 0; i < n && s.form == STEP_DOT; i++)
            program_take(p, &s, program_chance(d, 30) ? p->operand[s.operand + i]
                                                      : program_pick_value(d, p));
        for (i = 0; i < n && s.form == STEP_LINCOMB; i++)
            program_take_number(p, &s, program_number(d, without));
        return s;
    }
    if (at < 99) {
        s.form = STEP_CALL;
        n = 1 + program_below(d, 3);
        s.m = 1 + program_below(d, 3);
        for (i = 0; i < n; i++) program_take(p, &s, program_pick_value(d, p));
        return s;
    }
    s.form = STEP_NUMBER;
    program_take_number(p, &s, program_number(d, without));
    return s;
}

PROGRAM_DEF void program_add_step(program *p, const program_step *s)
{
    p->step[p->steps++] = *s;
    p->n_operand += s->n;
    p->n_number += s->numbers;
    p->values += s->m;
    p->branches += s->form == STEP_BRANCH;
}

/* Values stay of a size that can be compared with, mostly. */
PROGRAM_DEF void program_make(program *p, uint64_t seed, unsigned without)
{
    program_dice dice;
    double v[PROGRAM_VALUES];
    unsigned char depends[PROGRAM_VALUES];
    size_t steps, i;
    int guarded;
    memset(p, 0, sizeof *p);
    p->seed = seed;
    dice.state = seed;
    p->mix = (int)program_below(&dice, 4);
    p->inputs = p->values = 1 + program_below(&dice, PROGRAM_INPUTS);
    for (i = 0; i < p->inputs; i++)
        v[i] = p->point[i] = program_chance(&dice, 20) ? program_number(&dice, PROGRAM_TAME)
                                                       : 2 * program_unit(&dice);
    if (!(without & PROGRAM_NO_PARAMETERS) && program_chance(&dice, 25))
        for (i = 0; i < p->inputs; i++)
            p->parameter[i] = (unsigned char)program_chance(&dice, 35);
    guarded = !(without & PROGRAM_NO_BRANCHES) && program_chance(&dice, 20);
    steps = 1 + program_below(&dice, program_chance(&dice, 30) ? 8 : PROGRAM_STEPS);
    while (p->steps < steps) {
        program_step s;
        int tries, ok = 0;
        if (guarded && p->branches < 4 && program_chance(&dice, 10)) {
            memset(&s, 0, sizeof s);
            s.form = STEP_BRANCH;
            s.operand = p->n_operand;
            s.number = p->n_number;
            s.first = p->values;
            program_take(p, &s, program_pick_value(&dice, p));
            program_dependence(p, depends);
            if (depends[p->operand[s.operand]]) {
                program_add_step(p, &s);
                continue;
            }
        }
        for (tries = 0; tries < 20 && !ok; tries++) {
            s = program_draw_step(&dice, p, without);
            d_step_value_of(p, &s, v);
            for (i = 0, ok = 1; i < s.m; i++)
                if (!(fabs(v[s.first + i]) < 1e5) || (v[s.first + i] != 0
                                                      && fabs(v[s.first + i]) < 1e-5)) ok = 0;
            if (!ok && !(without & PROGRAM_TAME) && program_chance(&dice, 1)) ok = 1;
        }
        if (!ok) steps--;
        else program_add_step(p, &s);
    }
    p->outputs = (without & PROGRAM_ONE_OUTPUT) || program_chance(&dice, 40)
        ? 1 : 1 + program_below(&dice, PROGRAM_OUTPUTS);
    for (i = 0; i < p->outputs; i++) {
        const size_t late = p->values < 6 ? p->values : 6;
        p->output[i] = program_chance(&dice, 85) ? p->values - 1 - program_below(&dice, late)
                                                 : program_below(&dice, p->values);
        if (i && program_chance(&dice, 6)) p->output[i] = p->output[program_below(&dice, i)];
    }
}

/* ---- making one smaller */

/* p without step k: who takes its results takes `instead`, a value before it. */
PROGRAM_DEF void program_drop_step(program *p, size_t k, size_t instead)
{
    const program_step gone = p->step[k];
    size_t i, j;
    p->branches -= gone.form == STEP_BRANCH;
    for (i = k; i + 1 < p->steps; i++) p->step[i] = p->step[i + 1];
    p->steps--;
    for (i = k; i < p->steps; i++) {
        program_step *s = &p->step[i];
        for (j = 0; j < s->n; j++) {
            size_t *v = &p->operand[s->operand + j];
            *v = *v < gone.first ? *v : *v < gone.first + gone.m ? instead : *v - gone.m;
        }
        s->first -= gone.m;
    }
    for (j = 0; j < p->outputs; j++) {
        size_t *v = &p->output[j];
        *v = *v < gone.first ? *v : *v < gone.first + gone.m ? instead : *v - gone.m;
    }
    p->values -= gone.m;
}

/* The smallest program found for which fails still says 1, starting from p. */
PROGRAM_DEF void program_shrink(program *p, int (*fails)(const program *p, void *user), void *user)
{
    static program trial;
    int smaller = 1;
    while (smaller) {
        size_t k, i;
        smaller = 0;
        for (i = p->outputs; i-- > 0 && p->outputs > 1;) {
            size_t j;
            trial = *p;
            for (j = i; j + 1 < trial.outputs; j++) trial.output[j] = trial.output[j + 1];
            trial.outputs--;
            if (!fails(&trial, user)) continue;
            *p = trial;
            smaller = 1;
        }
        for (k = p->steps; k-- > 0;) {
            const size_t tries = p->step[k].n + 1;
            for (i = 0; i < tries; i++) {
                trial = *p;
                program_drop_step(&trial, k, i < trial.step[k].n
                                  ? trial.operand[trial.step[k].operand + i] : 0);
                if (!fails(&trial, user)) continue;
                *p = trial;
                smaller = 1;
                break;
            }
        }
        for (k = 0; k < p->steps; k++) {            /* shorter lists */
            const program_step *s = &p->step[k];
            const size_t n = s->n;
            const int list = s->form == STEP_SUM || s->form == STEP_NORM
                || s->form == STEP_LOGSUMEXP || s->form == STEP_LINCOMB || s->form == STEP_DOT;
            if (!list || n < 2) continue;
            trial = *p;
            if (s->form == STEP_DOT) {
                for (i = n / 2; i + 1 < n; i++)
                    trial.operand[s->operand + i - 1] = p->operand[s->operand + i];
                trial.step[k].n -= 2;
            } else {
                trial.step[k].n--;
                if (s->form == STEP_LINCOMB) trial.step[k].numbers--;
            }
            if (!fails(&trial, user)) continue;
            *p = trial;
            smaller = 1;
        }
        for (i = 0; i < p->inputs; i++) {
            trial = *p;
            if (!trial.parameter[i]) continue;
            trial.parameter[i] = 0;
            if (!fails(&trial, user)) continue;
            *p = trial;
            smaller = 1;
        }
    }
}

/* ---- printing one */
PROGRAM_DEF void program_print(const program *p, FILE *out)
{
    static const char *const form[] = { "number", "", "", "", "", "", "sum", "dot", "norm",
        "logsumexp", "lincomb", "polyval", "poly", "powi", "mill", "branch" };
    size_t i, k;
    fprintf(out, "    inputs");
    for (i = 0; i < p->inputs; i++)
        fprintf(out, " v%d = %.9g%s", (int)i, p->point[i], p->parameter[i] ? " (parameter)" : "");
    fprintf(out, "\n");
    for (k = 0; k < p->steps; k++) {
        const program_step *s = &p->step[k];
        const int rule = s->form >= STEP_ONE && s->form <= STEP_LEFT;
        const char *separator = "";
        fprintf(out, "    ");
        for (i = 0; i < s->m; i++) fprintf(out, "%sv%d", i ? ", " : "", (int)(s->first + i));
        fprintf(out, "%s%s(", s->m ? " = " : "", rule ? program_rules[s->rule].name
                                                      : form[s->form]);
        for (i = 0; i < s->numbers && s->form != STEP_RIGHT && s->form != STEP_POWI; i++) {
            fprintf(out, "%s%.9g", separator, p->number[s->number + i]);
            separator = ", ";
        }
        for (i = 0; i < s->n; i++) {
            fprintf(out, "%sv%d", separator, (int)p->operand[s->operand + i]);
            separator = ", ";
        }
        for (i = 0; i < s->numbers && (s->form == STEP_RIGHT || s->form == STEP_POWI); i++)
            fprintf(out, ", %.9g", p->number[s->number + i]);
        fprintf(out, ")\n");
    }
    fprintf(out, "    outputs");
    for (i = 0; i < p->outputs; i++) fprintf(out, " v%d", (int)p->output[i]);
    fprintf(out, "\n");
}
#endif

#else
/* ================================================ once for each real type */

/* ---- a rule in every reading */
typedef struct PT(form) {
    PREAL      (*value1)(PREAL);
    PREAL      (*value2)(PREAL, PREAL);
    PREAL      (*value3)(PREAL, PREAL, PREAL);
    PAD(dual)  (*dual1)(PAD(dual));
    PAD(dual)  (*dual2)(PAD(dual), PAD(dual));
    PAD(dual)  (*dual3)(PAD(dual), PAD(dual), PAD(dual));
    PAD(dual2) (*second1)(PAD(dual2));
    PAD(dual2) (*second2)(PAD(dual2), PAD(dual2));
    PAD(dual2) (*second3)(PAD(dual2), PAD(dual2), PAD(dual2));
    PAD(var)   (*var1)(PAD(var));
    PAD(var)   (*var2)(PAD(var), PAD(var));
    PAD(var)   (*var3)(PAD(var), PAD(var), PAD(var));
    PAD(var)   (*right)(PAD(var), PREAL);
    PAD(var)   (*left)(PREAL, PAD(var));
    ad_status  (*kernel1)(const ad_kernels *, size_t, const PREAL *, PREAL *);
    ad_status  (*kernel2)(const ad_kernels *, size_t, const PREAL *, size_t, const PREAL *, size_t,
                          PREAL *);
    ad_status  (*kernel3)(const ad_kernels *, size_t, const PREAL *, size_t, const PREAL *, size_t,
                          const PREAL *, size_t, PREAL *);
} PT(form);

static const PT(form) PT(forms)[] = {
#define X1(n, class_, v, dx) { PAD(real_##n), NULL, NULL, PAD(dual_##n), NULL, NULL,               \
    PAD(dual2_##n), NULL, NULL, PAD(var_##n), NULL, NULL, NULL, NULL, PAD(kernel_##n), NULL, NULL },
#define X2(n, class_, v, dx, dy) { NULL, PAD(real_##n), NULL, NULL, PAD(dual_##n), NULL,           \
    NULL, PAD(dual2_##n), NULL, NULL, PAD(var_##n), NULL, PAD(var_##n##_r),                        \
    PAD(var_##n##_from_r), NULL, PAD(kernel_##n), NULL },
#define X3(n, class_, v, dx, dy, dz) { NULL, NULL, PAD(real_##n), NULL, NULL, PAD(dual_##n),       \
    NULL, NULL, PAD(dual2_##n), NULL, NULL, PAD(var_##n), NULL, NULL, NULL, NULL,                  \
    PAD(kernel_##n) },
    ADI_READ((X1, X2, X3, ADI_SKIPN, ADI_WORDS(ADI_WORD_TEXT)))
#undef X1
#undef X2
#undef X3
};

/* Equal bits; one NaN is like another (and under an emulator without signs of zeros, a zero). */
PROGRAM_DEF int PT(same)(PREAL a, PREAL b)
{
    PBITS u, w;
    if (a != a || b != b) return a != a && b != b;
    if (a == 0 && b == 0 && !program_zeros_have_signs()) return 1;
    memcpy(&u, &a, sizeof u);
    memcpy(&w, &b, sizeof w);
    return u == w;
}

#define PVALUE(n)  PAD(real_##n)
#define PDUAL(n)   PAD(dual_##n)
#define PSECOND(n) PAD(dual2_##n)
#define PVAR(n)    PAD(var_##n)
PROGRAM_MILL(PT(mill_value), PT(mill_value_reverse), PREAL, PVALUE)
PROGRAM_MILL(PT(mill_dual), PT(mill_dual_reverse), PAD(dual), PDUAL)
PROGRAM_MILL(PT(mill_second), PT(mill_second_reverse), PAD(dual2), PSECOND)
PROGRAM_MILL(PT(mill_var), PT(mill_var_reverse), PAD(var), PVAR)

/* ---- the user's operation for the tape */
static ad_status PT(call_value)(void *user, size_t n, const PREAL *x, size_t m, PREAL *y)
{
    (void)user;
    PT(mill_value)(n, x, m, y);
    return AD_OK;
}
static ad_status PT(call_reverse)(void *user, size_t n, const PREAL *x, size_t m, const PREAL *y,
                                  const PREAL *y_bar, PREAL *x_bar)
{
    (void)user;
    (void)y;
    PT(mill_value_reverse)(n, x, m, y_bar, x_bar);
    return AD_OK;
}
static ad_status PT(call_tangent)(void *user, size_t n, const PREAL *x, size_t m, const PREAL *y,
                                  const PREAL *x_dot, PREAL *y_dot)
{
    PAD(dual) a[PROGRAM_LIST], r[PROGRAM_LIST];
    size_t i;
    (void)user;
    (void)y;
    for (i = 0; i < n; i++) a[i] = PAD(dual_make)(x[i], x_dot[i]);
    PT(mill_dual)(n, a, m, r);
    for (i = 0; i < m; i++) y_dot[i] = r[i].d;
    return AD_OK;
}
static ad_status PT(call_dual)(void *user, size_t n, const PAD(dual) *x, size_t m,
                               const PAD(dual) *y, const PAD(dual) *y_bar, PAD(dual) *x_bar)
{
    (void)user;
    (void)y;
    PT(mill_dual_reverse)(n, x, m, y_bar, x_bar);
    return AD_OK;
}
static ad_status PT(call_record)(void *user, PAD(tape) *t, size_t n, const PAD(var) *x, size_t m,
                                 const PAD(var) *y, const PAD(var) *y_bar, PAD(var) *x_bar)
{
    (void)user;
    (void)t;
    (void)y;
    PT(mill_var_reverse)(n, x, m, y_bar, x_bar);
    return AD_OK;
}
static const PAD(op) PT(mill_op) = { "mill", PT(call_value), PT(call_reverse), PT(call_tangent),
    PT(call_dual), PT(call_record) };
/* Recorded like any other, on tape t. */
PROGRAM_DEF void PT(mill_call)(PAD(tape) *t, size_t n, const PAD(var) *x, size_t m, PAD(var) *y)
{
    size_t i;
    if (PAD(var_call)(t, &PT(mill_op), NULL, n, x, m, y) != AD_OK)
        for (i = 0; i < m; i++) y[i] = PAD(const)((PREAL)NAN);
}

/* ---- a step: operands a in order, results r */
#define PROGRAM_STEP(name, T, F, one, two, three, RIGHT, LEFT, CALL)                               \
PROGRAM_DEF void PT(step_##name)(const program *p, const program_step *s, void *context,           \
                                 const T *a, T *r)                                                 \
{                                                                                                  \
    const PT(form) *f = &PT(forms)[s->rule];                                                       \
    PREAL c[PROGRAM_OPERANDS + 1];                                                                 \
    size_t i;                                                                                      \
    (void)context;                                                                                 \
    c[0] = 0;                                                                                      \
    for (i = 0; i < s->numbers; i++) c[i] = (PREAL)p->number[s->number + i];                       \
    switch (s->form) {                                                                             \
    case STEP_NUMBER: r[0] = F(num)((double)c[0]); break;                                          \
    case STEP_ONE: r[0] = f->one(a[0]); break;                                                     \
    case STEP_TWO: r[0] = f->two(a[0], a[1]); break;                                               \
    case STEP_THREE: r[0] = f->three(a[0], a[1], a[2]); break;                                     \
    case STEP_RIGHT: r[0] = RIGHT(f, a[0], c[0]); break;                                           \
    case STEP_LEFT: r[0] = LEFT(f, c[0], a[0]); break;                                             \
    case STEP_SUM: r[0] = F(sum)(s->n, a); break;                                                  \
    case STEP_DOT: r[0] = F(dot)(s->n / 2, a, a + s->n / 2); break;                                \
    case STEP_NORM: r[0] = F(norm)(s->n, a); break;                                                \
    case STEP_LOGSUMEXP: r[0] = F(logsumexp)(s->n, a); break;                                      \
    case STEP_LINCOMB: r[0] = F(lincomb)(s->n, c, a); break;                                       \
    case STEP_POLYVAL: r[0] = F(polyval)(s->numbers, c, a[0]); break;                              \
    case STEP_POLY: r[0] = F(poly)(s->numbers - 1, c + 1, (size_t)c[0], a[0]); break;              \
    case STEP_POWI: r[0] = F(powi)(a[0], (int)c[0]); break;                                        \
    case STEP_CALL: CALL(s->n, a, s->m, r); break;                                                 \
    case STEP_BRANCH: break;                                                                       \
    }                                                                                              \
}
#define PRIGHT_VALUE(f, a, c)  (f)->value2(a, c)
#define PLEFT_VALUE(f, c, a)   (f)->value2(c, a)
#define PRIGHT_DUAL(f, a, c)   (f)->dual2(a, PDUAL(num)((double)(c)))
#define PLEFT_DUAL(f, c, a)    (f)->dual2(PDUAL(num)((double)(c)), a)
#define PRIGHT_SECOND(f, a, c) (f)->second2(a, PSECOND(num)((double)(c)))
#define PLEFT_SECOND(f, c, a)  (f)->second2(PSECOND(num)((double)(c)), a)
#define PRIGHT_VAR(f, a, c)    (f)->right(a, c)
#define PLEFT_VAR(f, c, a)     (f)->left(c, a)
#define PCALL_VAR(n, a, m, r)  PT(mill_call)((PAD(tape) *)context, n, a, m, r)
PROGRAM_STEP(value, PREAL, PVALUE, value1, value2, value3, PRIGHT_VALUE, PLEFT_VALUE,
    PT(mill_value))
PROGRAM_STEP(dual, PAD(dual), PDUAL, dual1, dual2, dual3, PRIGHT_DUAL, PLEFT_DUAL, PT(mill_dual))
PROGRAM_STEP(second, PAD(dual2), PSECOND, second1, second2, second3, PRIGHT_SECOND, PLEFT_SECOND,
    PT(mill_second))
PROGRAM_STEP(var, PAD(var), PVAR, var1, var2, var3, PRIGHT_VAR, PLEFT_VAR, PCALL_VAR)

/* ---- a whole program: v[p->values], of which the inputs come from x; way[p->branches]: which way
   the branches went. context: for the tape alone. */
#define PROGRAM_RUN(name, T, BRANCH)                                                               \
PROGRAM_DEF void PT(run_##name)(const program *p, void *context, const T *x, T *v,                 \
                                unsigned char *way)                                                \
{                                                                                                  \
    T a[PROGRAM_OPERANDS];                                                                         \
    size_t i, k, b = 0;                                                                            \
    for (i = 0; i < p->inputs; i++) v[i] = x[i];                                                   \
    for (k = 0; k < p->steps; k++) {                                                               \
        const program_step *s = &p->step[k];                                                       \
        for (i = 0; i < s->n; i++) a[i] = v[p->operand[s->operand + i]];                           \
        if (s->form == STEP_BRANCH) way[b++] = (unsigned char)BRANCH(a[0]);                        \
        else PT(step_##name)(p, s, context, a, v + s->first);                                      \
    }                                                                                              \
}
#define PBRANCH_VALUE(a)  ((a) != 0)
#define PBRANCH_FIRST(a)  ((a).v != 0)
#define PBRANCH_VAR(a)    PAD(branch)(a)
PROGRAM_RUN(value, PREAL, PBRANCH_VALUE)
PROGRAM_RUN(dual, PAD(dual), PBRANCH_FIRST)
PROGRAM_RUN(second, PAD(dual2), PBRANCH_FIRST)
PROGRAM_RUN(var, PAD(var), PBRANCH_VAR)

/* A step that is not part of the program yet, on values v. */
PROGRAM_DEF void PT(step_value_of)(const program *p, const program_step *s, PREAL *v)
{
    PREAL a[PROGRAM_OPERANDS];
    size_t i;
    for (i = 0; i < s->n; i++) a[i] = v[p->operand[s->operand + i]];
    PT(step_value)(p, s, NULL, a, v + s->first);
}

/* A constant in disguise, of whose mathematics the tape's functions are taken: a polynomial of one
   coefficient; x^0 and 1^x, but for what is skipped. y: the step's second operand at one point,
   NULL where that varies. */
PROGRAM_DEF int PT(is_constant)(const program *p, const program_step *s, unsigned skip,
                                const PREAL *y)
{
    const double c = s->numbers ? p->number[s->number] : y ? (double)*y : -1;
    const char *name = program_rules[s->rule].name;
    if (s->form == STEP_POLYVAL) return s->numbers < 2;
    if (s->form == STEP_POLY) return s->numbers < 3 + (size_t)c;
    if (s->form == STEP_POWI) return !(skip & AD_FN_REDUCE) && c == 0;
    if (strcmp(name, "ipow") == 0)
        return !(skip & AD_FN_REDUCE) && s->form != STEP_LEFT && trunc(c) == 0;
    return !(skip & AD_FN_RULES) && strcmp(name, "pow") == 0
        && (s->form == STEP_LEFT ? c == 1 : c == 0);
}

/* ---- at many points by the array kernels: v[value * points + point], whose first rows are the
   inputs; way[branch * points + point]. What needs no input but those marked as shared (NULL: none)
   is computed as the tape does; constants in disguise too (skip: see is_constant). */
PROGRAM_DEF void PT(run_kernels)(const program *p, const ad_kernels *k, size_t points,
                                 const unsigned char *shared, unsigned skip, PREAL *v,
                                 unsigned char *way)
{
    enum { CONSTANT, SHARED, VARYING };
    unsigned char kind[PROGRAM_VALUES];
    size_t i, j, l, q, b = 0;
    memset(kind, CONSTANT, sizeof kind);
    for (i = 0; i < p->inputs; i++) kind[i] = shared && shared[i] ? SHARED : VARYING;
    for (l = 0; l < p->steps; l++) {
        const program_step *s = &p->step[l];
        const PT(form) *f = &PT(forms)[s->rule];
        const PREAL *x[PROGRAM_OPERANDS];
        PREAL *r = v + s->first * points, a[PROGRAM_OPERANDS], y[PROGRAM_LIST], c = 0;
        unsigned char d = CONSTANT;
        for (i = 0; i < s->n; i++) {
            x[i] = v + p->operand[s->operand + i] * points;
            if (kind[p->operand[s->operand + i]] > d) d = kind[p->operand[s->operand + i]];
        }
        if (points && PT(is_constant)(p, s, skip, s->n > 1
            && kind[p->operand[s->operand + 1]] == CONSTANT ? x[1] : NULL)) d = CONSTANT;
        if (points && s->form == STEP_THREE && kind[p->operand[s->operand]] == CONSTANT
            && strcmp(program_rules[s->rule].name, "select") == 0)
            d = kind[p->operand[s->operand + (x[0][0] != 0 ? 1 : 2)]];
        if (s->form == STEP_THREE && x[1] == x[2]
            && strcmp(program_rules[s->rule].name, "select") == 0)
            d = kind[p->operand[s->operand + 1]];
        for (i = 0; i < s->m; i++) kind[s->first + i] = d;
        if (s->numbers) c = (PREAL)p->number[s->number];
        if (s->form == STEP_BRANCH) {
            for (q = 0; q < points; q++) way[b * points + q] = x[0][q] != 0;
            b++;
        } else if (d == VARYING && s->form == STEP_ONE) {
            f->kernel1(k, points, x[0], r);
        } else if (d == VARYING && s->form == STEP_TWO) {
            f->kernel2(k, points, x[0], 1, x[1], 1, r);
        } else if (d == VARYING && s->form == STEP_RIGHT) {
            f->kernel2(k, points, x[0], 1, &c, 0, r);
        } else if (d == VARYING && s->form == STEP_LEFT) {
            f->kernel2(k, points, &c, 0, x[0], 1, r);
        } else if (d == VARYING && s->form == STEP_THREE) {
            f->kernel3(k, points, x[0], 1, x[1], 1, x[2], 1, r);
        } else {
            for (q = 0; q < points; q++) {
                for (i = 0; i < s->n; i++) a[i] = x[i][q];
                if (d == VARYING && s->form == STEP_LOGSUMEXP) {
                    PREAL e[PROGRAM_OPERANDS], sum = 0, m = a[0];
                    for (i = 1; i < s->n; i++) m = PAD(real_max)(m, a[i]);
                    if (m - m == 0) {
                        for (i = 0; i < s->n; i++) e[i] = a[i] - m;
                        PAD(kernel_exp)(k, s->n, e, e);
                        for (i = 0; i < s->n; i++) sum += e[i];
                        PAD(kernel_log)(k, 1, &sum, y);
                        y[0] += m;
                    } else {
                        PT(step_value)(p, s, NULL, a, y);
                    }
                } else {
                    PT(step_value)(p, s, NULL, a, y);
                }
                for (j = 0; j < s->m; j++) v[(s->first + j) * points + q] = y[j];
            }
        }
    }
}

/* The sign of a NaN decides: no two ways of computing it need agree. */
PROGRAM_DEF int PT(is_vague)(const program *p, const PREAL *v)
{
    size_t k;
    for (k = 0; k < p->steps; k++) {
        const program_step *s = &p->step[k];
        PREAL y;
        if ((s->form != STEP_TWO && s->form != STEP_LEFT)
            || strcmp(program_rules[s->rule].name, "copysign") != 0) continue;
        y = v[p->operand[s->operand + s->n - 1]];
        if (y != y) return 1;
    }
    return 0;
}

/* ---- the study of a program at a point. Derivatives by the inputs: slope[v][i], and, where they
   are asked for, second[v][i][j]; beside each the sum of the sizes of what was added up, to which a
   rounding error can be in proportion. error[v]: to first order, what a few roundings a step (of
   its operands, and of its result in proportion to the sizes of its terms) can change in v. */
typedef struct PT(study) {
    PREAL  v[PROGRAM_VALUES];
    unsigned char way[PROGRAM_STEPS], needed[PROGRAM_VALUES];
    double size[PROGRAM_VALUES];            /* sums and products of sizes */
    double error[PROGRAM_VALUES];
    double slope[PROGRAM_VALUES][PROGRAM_INPUTS], slope_size[PROGRAM_VALUES][PROGRAM_INPUTS];
    double second[PROGRAM_VALUES][PROGRAM_INPUTS][PROGRAM_INPUTS];
    double second_size[PROGRAM_VALUES][PROGRAM_INPUTS][PROGRAM_INPUTS];
    int    finite;              /* values and partials that matter; nor are these near underflow */
    int    finite2;             /* second partials too */
    int    safe;                /* error can be trusted: it is small, and nothing is near a jump,
                                   overflow or underflow */
} PT(study);

PROGRAM_DEF double PT(larger)(double a, double b) { return a > b ? a : b; }

/* The size of a step's terms, from those of its operands z. */
PROGRAM_DEF double PT(step_size)(const program *p, const program_step *s, const double *z,
                                 const PREAL *a, double v)
{
    const char *name = s->form >= STEP_ONE && s->form <= STEP_LEFT ? program_rules[s->rule].name
                                                                   : "";
    const double c = s->numbers ? fabs(p->number[s->number]) : 0;
    double x = s->n ? z[0] : 0, y = s->n > 1 ? z[1] : c, t = 0;
    size_t i;
    if (s->form == STEP_LEFT) {
        x = c;
        y = z[0];
    }
    if (row_listed(" add sub sub0 ", name)) t = x + y;
    else if (row_listed(" mul mul0 ", name)) t = x * y;
    else if (strcmp(name, "square") == 0) t = x * x;
    else if (strcmp(name, "fma") == 0) t = x * y + z[2];
    else if (row_listed(" neg abs ", name)) t = x;
    else if (row_listed(" min max ", name)) t = x + y;
    else if (row_listed(" clamp select ", name)) t = x + y + z[2];
    else if (row_listed(" div div0 ", name)) {
        const double d = fabs(s->form == STEP_RIGHT ? p->number[s->number]
                              : (double)a[s->form == STEP_LEFT ? 0 : 1]);
        t = d > 0 ? x / d : 0;
    }
    for (i = 0; i < s->n && s->form == STEP_SUM; i++) t += z[i];
    for (i = 0; i < s->n / 2 && s->form == STEP_DOT; i++) t += z[i] * z[s->n / 2 + i];
    for (i = 0; i < s->n && s->form == STEP_LINCOMB; i++)
        t += fabs(p->number[s->number + i]) * z[i];
    if (s->form == STEP_POLYVAL || s->form == STEP_POLY) {
        const size_t from = s->form == STEP_POLY, d = from ? (size_t)c : 0, n = s->numbers - from;
        double power = 1, factor;
        size_t j;
        for (i = d; i < n; i++) {
            for (j = 0, factor = 1; j < d; j++) factor *= (double)(i - j);
            t += factor * fabs(p->number[s->number + from + i]) * power;
            power *= fabs((double)a[0]);
        }
    }
    if (s->form == STEP_CALL) for (i = 0; i < s->n; i++) t += z[i] * 2;
    return PT(larger)(t, fabs(v));
}

/* Would an error of the operands carry the step over a jump? */
PROGRAM_DEF int PT(step_jumps)(const program *p, const program_step *s, const double *e,
                               const PREAL *a)
{
    const char *name;
    double x, y, ex, ey, t;
    if (s->form == STEP_BRANCH) return e[0] > 0 && fabs((double)a[0]) <= 4 * e[0];
    if (s->form < STEP_ONE || s->form > STEP_LEFT) return 0;
    name = program_rules[s->rule].name;
    x = (double)a[0];
    ex = 4 * e[0];
    y = s->n > 1 ? (double)a[1] : s->numbers ? p->number[s->number] : 0;
    ey = s->n > 1 ? 4 * e[1] : 0;
    if (s->form == STEP_LEFT) {
        y = x;
        ey = ex;
        x = p->number[s->number];
        ex = 0;
    }
    if (row_listed(" sign select ", name)) return ex > 0 && fabs(x) <= ex;
    if (row_listed(" floor ceil trunc ", name)) {
        t = x - floor(x);
        return ex > 0 && (t <= ex || 1 - t <= ex);
    }
    if (strcmp(name, "round") == 0) return ex > 0 && fabs(x - floor(x) - 0.5) <= ex;
    if (row_listed(" lt le gt ge eq ne ", name)) return ex + ey > 0 && fabs(x - y) <= ex + ey;
    if (strcmp(name, "copysign") == 0) return fabs(y) <= ey;        /* the sign of a zero, too */
    if (strcmp(name, "div0") == 0) return ey > 0 && fabs(y) <= ey;
    if (row_takes_whole(name, 1) && ey > 0) return 1;
    if (row_listed(" lgamma digamma trigamma polygamma ", name))        /* poles */
        return ex > 0 && x < ex && fabs(x - floor(x + 0.5)) <= ex;
    if (strcmp(name, "atan2") == 0) return y <= ey && fabs(x) <= ex + ey;
    if (strcmp(name, "fmod") == 0) {
        t = fabs(x / y);
        t -= floor(t);
        ex = 4 * (ex / fabs(y) + ey * fabs(x / y / y)) + 16 * PUNIT * fabs(x / y);
        return e[0] + ey > 0 && (t <= ex || 1 - t <= ex);
    }
    return 0;
}

PROGRAM_DEF void PT(study_step)(const program *p, const program_step *s, PT(study) *w, int seconds)
{
    static double partial[PROGRAM_LIST][PROGRAM_OPERANDS];
    static double curve[PROGRAM_LIST][PROGRAM_OPERANDS][PROGRAM_OPERANDS];
    const double big = sizeof(PREAL) == 8 ? 1e150 : 1e18, tiny = sizeof(PREAL) == 8 ? 1e-250
        : 1e-25;
    const int jump = s->form >= STEP_ONE && s->form <= STEP_LEFT
        && row_is_step(program_rules[s->rule].name);
    const int jumps_at_zero = s->form >= STEP_ONE && s->form <= STEP_LEFT
        && row_may_underflow(program_rules[s->rule].name);
    PREAL a[PROGRAM_OPERANDS];
    PAD(dual) da[PROGRAM_OPERANDS], dr[PROGRAM_LIST];
    PAD(dual2) sa[PROGRAM_OPERANDS], sr[PROGRAM_LIST];
    double e[PROGRAM_OPERANDS], z[PROGRAM_OPERANDS];
    size_t i, j, k, l, r;
    int matters = s->form == STEP_BRANCH;
    for (i = 0; i < s->n; i++) {
        const size_t id = p->operand[s->operand + i];
        a[i] = w->v[id];
        e[i] = w->error[id];
        z[i] = w->size[id];
    }
    for (r = 0; r < s->m; r++) matters |= w->needed[s->first + r];
    if (!matters) {
        for (r = 0; r < s->m; r++) {
            w->size[s->first + r] = w->error[s->first + r] = 0;
            memset(w->slope[s->first + r], 0, sizeof w->slope[0]);
            memset(w->slope_size[s->first + r], 0, sizeof w->slope[0]);
            memset(w->second[s->first + r], 0, sizeof w->second[0]);
            memset(w->second_size[s->first + r], 0, sizeof w->second[0]);
        }
        return;
    }
    if (PT(step_jumps)(p, s, e, a)) w->safe = 0;
    if (s->form == STEP_BRANCH) return;
    for (j = 0; j < s->n; j++) {
        for (i = 0; i < s->n; i++) da[i] = PAD(dual_make)(a[i], (PREAL)(i == j));
        PT(step_dual)(p, s, NULL, da, dr);
        for (r = 0; r < s->m; r++) partial[r][j] = (double)dr[r].d;
        for (i = 0; i <= j && seconds; i++) {
            for (k = 0; k < s->n; k++)
                sa[k] = PAD(dual2_make)(a[k], (PREAL)(k == i), (PREAL)(k == j), 0);
            PT(step_second)(p, s, NULL, sa, sr);
            for (r = 0; r < s->m; r++) curve[r][i][j] = curve[r][j][i] = (double)sr[r].d12;
        }
    }
    for (r = 0; r < s->m; r++) {
        const size_t id = s->first + r;
        const double v = (double)w->v[id];
        double most = 0, most2 = 0, all_nonzero = 1;
        memset(w->slope[id], 0, sizeof w->slope[0]);
        memset(w->slope_size[id], 0, sizeof w->slope[0]);
        memset(w->second[id], 0, sizeof w->second[0]);
        memset(w->second_size[id], 0, sizeof w->second[0]);
        w->size[id] = PT(step_size)(p, s, z, a, v);
        w->error[id] = jump ? 0 : 4 * PUNIT * w->size[id];
        if (s->form == STEP_NUMBER) w->error[id] = 0;
        if (!(fabs(v) <= (double)(sizeof(PREAL) == 8 ? DBL_MAX : (double)FLT_MAX))) w->finite = 0;
        if (!(w->size[id] < big) || (v != 0 && fabs(v) < tiny)) w->safe = 0;
        for (i = 0; i < s->n; i++) {
            const size_t from = p->operand[s->operand + i];
            double q = partial[r][i], weight = fabs(q);
            if (!(fabs(q) < big) || (q != 0 && fabs(q) < tiny)) w->finite = 0;
            if (a[i] == 0) all_nonzero = 0;
            if (s->form == STEP_LOGSUMEXP) weight *= 1 + fabs((double)a[i]) + fabs(v);
            if (s->form == STEP_CALL) {         /* one operand in both places: its terms cancel */
                if (i == r % s->n) weight += fabs((double)a[(r + 1) % s->n]) + 0.25 * (double)r;
                if (i == (r + 1) % s->n) weight += 1;
            }
            if (s->form == STEP_POLYVAL || s->form == STEP_POLY) {
                program_step up = *s;       /* the sizes of the derivative's terms */
                double x = 0, power = 1;
                const size_t base = s->form == STEP_POLY, d = base ? (size_t)p->number[s->number]
                    : 0;
                for (j = d + 1; j + base < up.numbers; j++) {
                    double factor = (double)j;
                    for (k = 0; k < d; k++) factor *= (double)(j - k);
                    x += factor * fabs(p->number[up.number + base + j]) * power;
                    power *= fabs((double)a[0]);
                }
                weight = x;
            }
            if (!jump) w->error[id] += weight * (e[i] + 4 * PUNIT * fabs((double)a[i]));
            most = PT(larger)(most, weight);
            for (k = 0; k < p->inputs; k++) {
                w->slope[id][k] += q * w->slope[from][k];
                w->slope_size[id][k] += weight * w->slope_size[from][k];
                if (w->slope_size[id][k] != 0 && w->slope_size[id][k] < tiny) w->finite = 0;
                if (!(w->slope_size[id][k] < big)) w->finite = 0;
            }
        }
        if (v == 0 && all_nonzero > 0 && jumps_at_zero) w->safe = 0;
        if (!(w->error[id] <= 1e4 * PUNIT * fabs(v))) w->safe = 0;
        if (!seconds) continue;
        for (i = 0; i < s->n; i++)
            for (j = 0; j < s->n; j++) {
                const double q = fabs(curve[r][i][j]);
                if (!(q < big) || (q != 0 && q < tiny)) w->finite2 = 0;
                most2 = PT(larger)(most2, fabs(curve[r][i][j]));
            }
        /* a rule's second partials can cancel inside: of the size of what its first ones suggest */
        if (most2 > 0) most2 += most + most * most;
        if (s->form == STEP_NORM && v > 0) most2 += 1 / v;
        if (s->form >= STEP_ONE && s->form <= STEP_LEFT) {
            const char *name = program_rules[s->rule].name;
            const double other = s->n > 1 ? (double)a[1] : s->numbers ? p->number[s->number] : 0;
            const double h = hypot((double)a[0], other);
            if (strcmp(name, "hypot") == 0 && h > 0) most2 += 1 / h;
            if (strcmp(name, "atan2") == 0 && h > 0) most2 += 1 / h / h;
        }
        if (s->form == STEP_CALL) most2 += 2 + most;
        for (k = 0; k < p->inputs; k++)
            for (l = 0; l < p->inputs; l++)
                for (i = 0; i < s->n; i++) {
                    const size_t from = p->operand[s->operand + i];
                    w->second[id][k][l] += partial[r][i] * w->second[from][k][l];
                    w->second_size[id][k][l] += fabs(partial[r][i]) * w->second_size[from][k][l];
                    for (j = 0; j < s->n; j++) {
                        const size_t with = p->operand[s->operand + j];
                        w->second[id][k][l] += curve[r][i][j] * w->slope[from][k]
                            * w->slope[with][l];
                        w->second_size[id][k][l] += most2 * w->slope_size[from][k]
                            * w->slope_size[with][l];
                    }
                    if (!(w->second_size[id][k][l] < big)) w->finite2 = 0;
                }
    }
}

PROGRAM_DEF void PT(study_at)(const program *p, const PREAL *x, int seconds, PT(study) *w)
{
    size_t i, k;
    PT(run_value)(p, NULL, x, w->v, w->way);
    program_needs(p, w->needed);
    w->finite = w->finite2 = w->safe = 1;
    for (i = 0; i < p->inputs; i++) {
        w->size[i] = fabs((double)x[i]);
        w->error[i] = 0;
        memset(w->slope[i], 0, sizeof w->slope[0]);
        memset(w->slope_size[i], 0, sizeof w->slope[0]);
        memset(w->second[i], 0, sizeof w->second[0]);
        memset(w->second_size[i], 0, sizeof w->second[0]);
        w->slope[i][i] = w->slope_size[i][i] = 1;
        if (!(fabs((double)x[i]) < 1e30)) w->finite = 0;
    }
    for (k = 0; k < p->steps; k++) PT(study_step)(p, &p->step[k], w, seconds);
    if (!w->finite) w->finite2 = w->safe = 0;
}
#undef PVALUE
#undef PDUAL
#undef PSECOND
#undef PVAR
#endif
