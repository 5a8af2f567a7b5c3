/* Packs of compiled functions: random programs that do the same to neighbours, made with the
   pass and without it, against each other and the tape; guards and operations of the user among
   packs; special values; maps; an allocator that fails; statistics. What is recorded here is to
   have the bits of its operations one by one, so no product and sum of this file may be fused.
   The file includes itself, once for each real type, behind the first #else.
   Sections: Compiled Functions: Schedules; Compiled Functions: Parts; Compiled Functions: Programs;
   Lanes: The Vocabulary; Lanes: The Table's Words; Lanes: Running Programs. */
#ifndef PREAL
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>
#include "test.h"
#include "programs.h"
#include "heap.h"

TEST_DEF void suite_packs(void);

enum {
    MOST = 70,                      /* elements of a row */
    ROWS = 28, STAGE = 4,           /* rows in all; rows of a stage */
    INPUTS = 4 * MOST, OUTPUTS = 3 * MOST, WAYS = 64, POINTS = 23
};
/* What a program is made of: exact rules of finite numbers, smooth rules, any rules. */
enum { EXACT, SMOOTH, WILD };
/* What an operand of a row is. */
enum { A_ROW, A_ONE, A_NUMBER, A_NUMBERS };

typedef struct operand {
    int    kind, step;              /* step: 1, or -1 for elements in reversed order */
    size_t row, from;
    double number[MOST];
} operand;
typedef struct rowop { size_t rule, arity, to; operand a[3]; } rowop;

typedef struct counts {
    size_t programs, packed, functions, packed_functions, compared, fast, native;
} counts;
static counts counted;

/* Registers hold 2 to 16 numbers: sizes near multiples are as likely as all others together. */
static size_t pick_size(program_dice *d)
{
    static const size_t near[] = { 7, 8, 9, 15, 16, 17, 31, 32, 33, 40, 63, 64, 65, 70 };
    return program_chance(d, 60) ? near[program_below(d, sizeof near / sizeof *near)]
                                 : 1 + program_below(d, MOST);
}
static size_t pick_rule(program_dice *d, int mix)
{
    static const char *const exact[] = { "add", "sub", "mul", "mul", "add", "neg", "fma", "square",
        "min", "max", "clamp", "abs", "relu", "select", "lt", "ge", "eq", "ne", "le", "gt", "sub0",
        "mul0", "copysign", "sign", "floor", "leaky_relu", "round", "div0", "div", "sqrt" };
    static const char *const smooth[] = { "add", "sub", "mul", "mul", "add", "sub", "neg", "fma",
        "square", "sin", "cos", "tanh", "sigmoid", "softplus", "atan", "hypot", "logaddexp",
        "gelu_tanh", "silu" };
    if (mix == EXACT) return program_rule_number(exact[program_below(d, sizeof exact
                                                                     / sizeof *exact)]);
    if (mix == SMOOTH) return program_rule_number(smooth[program_below(d, sizeof smooth
                                                                       / sizeof *smooth)]);
    return program_chance(d, 40) ? program_rule_number(exact[program_below(d, 15)])
                                 : program_below(d, PROGRAM_RULES);
}

#define TWICE "test_packs.c"
#include "twice.h"

TEST_DEF void suite_packs(void)
{
    const size_t share = test_stride() == 1 ? 4 : 8;
    memset(&counted, 0, sizeof counted);
    d_test_packs();
    f_test_packs();
    if (program_fused_lists()) {
        printf("SKIP packs, random programs: the compiler fuses products and sums of the tape's "
               "lists (-ffp-contract=off)\n");
        return;
    }
    /* A suite whose programs are all turned down would pass whatever packs do; a few may be, and of
       one in so many another share. */
    if (test_stride() > 20) return;
    test_check(counted.packed * share > counted.programs, __FILE__, __LINE__,
               "only %lu of %lu random programs have packs", (unsigned long)counted.packed,
               (unsigned long)counted.programs);
    test_check(counted.packed_functions * share > counted.functions, __FILE__, __LINE__,
               "only %lu of %lu derivative functions have packs",
               (unsigned long)counted.packed_functions, (unsigned long)counted.functions);
    CHECK(counted.compared > 100000 / (size_t)test_stride()
        && counted.fast > 1000 / (size_t)test_stride());
#if defined(__x86_64__) && defined(__linux__)
    CHECK(counted.native > counted.packed || !ad_kernels_get(AD_SIMD_AVX2));
#endif
}

#else
/* ================================================ once for each real type */

/* A program being recorded. It depends on the seed alone, so it is recorded again by making it
   again, at another point. */
typedef struct PT(maker) {
    program_dice dice;
    int       mix, guards, calls, vague;     /* vague: it can show the sign of a NaN */
    PAD(tape) *t;
    PAD(var)  v[ROWS][MOST];
    size_t    n[ROWS], rows;
    PAD(var)  y[OUTPUTS], total;
    size_t    m, n_way;
    int       way[WAYS];
} PT(maker);

/* Lengths and order of the inputs: rows one after another, or element by element. */
static size_t PT(shape)(program_dice *d, size_t *n, size_t *rows, int *woven)
{
    const size_t all = pick_size(d);
    size_t i, sum = 0;
    *rows = 1 + program_below(d, 4);
    *woven = program_chance(d, 25);
    for (i = 0; i < *rows; i++) {
        n[i] = *woven || program_chance(d, 60) ? all : pick_size(d);
        sum += n[i];
    }
    return sum;
}

static operand PT(pick_operand)(PT(maker) *k, size_t n, size_t stage, int may_be_number)
{
    program_dice *const d = &k->dice;
    const unsigned tame = k->mix == WILD ? 0 : PROGRAM_TAME;
    operand a;
    size_t i, tries;
    memset(&a, 0, sizeof a);
    a.step = 1;
    if (may_be_number && program_chance(d, 25)) {
        a.kind = program_chance(d, 50) ? A_NUMBER : A_NUMBERS;
        for (i = 0; i < n; i++)
            a.number[i] = i && a.kind == A_NUMBER ? a.number[0] : program_number(d, tame);
        return a;
    }
    if (program_chance(d, 25)) {                        /* one value for all */
        a.kind = A_ONE;
        a.row = program_below(d, stage);
        a.from = program_below(d, k->n[a.row]);
        return a;
    }
    for (tries = 0; tries < 8; tries++) {
        a.row = program_chance(d, 50) ? k->rows - 1 - program_below(d, k->rows < 3 ? k->rows : 3)
                                      : program_below(d, k->rows);
        if (a.row >= stage) return a;                   /* of this stage: the same element */
        if (k->n[a.row] < n) continue;
        a.from = program_chance(d, 60) ? 0 : program_below(d, k->n[a.row] - n + 1);
        if (program_chance(d, 15)) {
            a.step = -1;
            a.from += n - 1;
        }
        return a;
    }
    a.kind = A_ONE;
    a.row = program_below(d, stage);
    a.from = program_below(d, k->n[a.row]);
    return a;
}
static PAD(var) PT(take)(const PT(maker) *k, const operand *a, size_t i)
{
    switch (a->kind) {
    case A_ROW: return k->v[a->row][a->step > 0 ? a->from + i : a->from - i];
    case A_ONE: return k->v[a->row][a->from];
    default:    return PAD(const)((PREAL)a->number[i]);
    }
}
static void PT(element)(PT(maker) *k, const rowop *o, size_t i)
{
    const PT(form) *const f = &PT(forms)[o->rule];
    const PAD(var) x = PT(take)(k, &o->a[0], i);
    PAD(var) y, z;
    if (o->arity == 1) {
        k->v[o->to][i] = f->var1(x);
        return;
    }
    y = PT(take)(k, &o->a[1], i);
    if (o->arity == 2) {
        k->v[o->to][i] = o->a[1].kind >= A_NUMBER ? f->right(x, y.v)
                       : o->a[0].kind >= A_NUMBER ? f->left(x.v, y) : f->var2(x, y);
        return;
    }
    z = PT(take)(k, &o->a[2], i);
    k->v[o->to][i] = f->var3(x, y, z);
}

/* Some rows, element by element of rows before them, recorded row by row or element by element,
   in the elements' order, reversed or shuffled. */
static void PT(stage)(PT(maker) *k)
{
    static rowop op[STAGE];
    program_dice *const d = &k->dice;
    const size_t stage = k->rows, count = 1 + program_below(d, STAGE);
    const size_t n = program_chance(d, 50) ? k->n[program_below(d, stage)] : pick_size(d);
    const int across = program_chance(d, 50), order = (int)program_below(d, 4);
    size_t at[MOST], i, j, o;
    for (o = 0; o < count; o++) {
        rowop *const r = &op[o];
        const char *name;
        r->rule = pick_rule(d, k->mix);
        name = program_rules[r->rule].name;
        r->arity = (size_t)program_rules[r->rule].operands;
        r->to = k->rows;
        for (j = 0; j < r->arity; j++)
            r->a[j] = PT(pick_operand)(k, n, stage, r->arity > 1 && (j || r->arity > 2
                                                                     || program_chance(d, 50)));
        if (r->arity == 2 && r->a[0].kind >= A_NUMBER && r->a[1].kind >= A_NUMBER)
            r->a[0] = PT(pick_operand)(k, n, stage, 0);
        /* a row and one of its own, which a result may be written over */
        if (r->arity == 2 && r->a[0].kind == A_ROW && r->a[0].row < stage
            && program_chance(d, 20)) {
            r->a[1] = r->a[0];
            r->a[1].kind = A_ONE;
            r->a[1].from = program_below(d, k->n[r->a[0].row]);
        }
        /* as a loop over the order, or over the exponent, would be long */
        if (row_takes_whole(name, 1)) {
            memset(&r->a[1], 0, sizeof r->a[1]);
            r->a[1].kind = A_NUMBERS;
            for (i = 0; i < n; i++) r->a[1].number[i] = (double)program_below(d, 4);
        }
        k->vague |= strcmp(name, "copysign") == 0;
        k->n[k->rows++] = n;
    }
    for (i = 0; i < n; i++) at[i] = order == 2 ? n - 1 - i : i;
    for (i = n; order == 3 && i > 1; i--) {
        const size_t other = program_below(d, i), t = at[i - 1];
        at[i - 1] = at[other];
        at[other] = t;
    }
    if (across)
        for (i = 0; i < n; i++) for (o = 0; o < count; o++) PT(element)(k, &op[o], at[i]);
    else
        for (o = 0; o < count; o++) for (i = 0; i < n; i++) PT(element)(k, &op[o], at[i]);
}

/* Chains side by side over a matrix, which is a row, and maybe a vector: sums, products, greatest;
   rows or columns, the whole or a triangle, chain by chain or all together. */
static void PT(reduce)(PT(maker) *k)
{
    program_dice *const d = &k->dice;
    const size_t from = program_below(d, k->rows), all = k->n[from];
    const size_t many = 1 + program_below(d, program_chance(d, 30) ? 1 : all);
    const size_t length = all / many, vector = program_below(d, k->rows);
    const int columns = program_chance(d, 50), together = program_chance(d, 50);
    const int triangle = program_chance(d, 25), left = program_chance(d, 50);
    const int products = program_chance(d, 50) && k->n[vector] >= length;
    const int zero = program_chance(d, 30), way = (int)program_below(d, 100);
    size_t e, i, j;
    PAD(var) *const r = k->v[k->rows];
    if (k->rows >= ROWS) return;
    for (e = 0; e < many * length; e++) {
        PAD(var) x;
        i = together ? e % many : e / length;
        j = together ? e / many : e % length;
        if (triangle && j > i) continue;
        x = k->v[from][columns ? j * many + i : i * length + j];
        if (products) x = PAD(var_mul)(x, k->v[vector][j]);
        if (j == 0 && !zero) r[i] = x;
        else if (j == 0) r[i] = PAD(var_add_r)(x, 0);
        else if (way < 75) r[i] = left ? PAD(var_add)(x, r[i]) : PAD(var_add)(r[i], x);
        else if (way < 90 || k->mix == SMOOTH) r[i] = PAD(var_mul)(r[i], x);
        else r[i] = PAD(var_max)(r[i], x);
    }
    k->n[k->rows++] = many;
}

/* What packs have to go around: scans, lists, operations of the user, guards. */
static void PT(odd)(PT(maker) *k)
{
    program_dice *const d = &k->dice;
    const size_t from = program_below(d, k->rows), n = k->n[from], next = program_below(d, k->rows);
    const int which = (int)program_below(d, 5), every = program_chance(d, 50);
    const PREAL c = (PREAL)program_unit(d);
    PAD(var) *const x = k->v[from], *const r = k->v[k->rows];
    size_t i;
    if (k->rows >= ROWS) return;
    if (which == 0) {
        r[0] = x[0];
        for (i = 1; i < n; i++) r[i] = PAD(var_add)(PAD(var_mul_r)(r[i - 1], c), x[i]);
    } else if (which == 1 && k->mix != SMOOTH) {
        r[0] = PAD(var_sum)(n, x);
        r[n > 1] = PAD(var_dot)(n < k->n[next] ? n : k->n[next], x, k->v[next]);
        k->n[k->rows++] = n > 1 ? 2 : 1;
        return;
    } else if (which == 2 && k->guards) {
        for (i = 0; i < n; i++) r[i] = PAD(var_lt_r)(x[i], c);
        for (i = 0; i < n; i++)
            if ((every || i % 5 == 2) && k->n_way < WAYS) {
                const int w = k->way[k->n_way++] = PAD(branch)(r[i]);
                r[i] = w ? PAD(var_mul)(x[i], x[i]) : PAD(var_add)(x[i], x[0]);
            }
    } else if (which == 3 && k->calls) {
        for (i = 0; i < n; i++) {
            PAD(var) a[3], b[2];
            a[0] = x[i];
            a[1] = k->v[next][i % k->n[next]];
            a[2] = x[0];
            b[0] = a[1];
            if (every || i % 7 == 0) PT(mill_call)(k->t, 3, a, 2, b);
            r[i] = PAD(var_add)(b[0], x[i]);
            if (i % 14 == 0 && every) r[i] = b[1];
        }
    } else {
        for (i = 0; i < n; i++) r[i] = PAD(var_sin)(x[n - 1 - i]);
    }
    k->n[k->rows++] = n;
}

/* Records the program of a seed on t at x. */
static void PT(make)(PT(maker) *k, uint64_t seed, PAD(tape) *t, const PAD(var) *x)
{
    program_dice *const d = &k->dice;
    size_t i, j, steps, at = 0, longest = 0, outs;
    int woven;
    memset(k, 0, sizeof *k);
    d->state = seed;
    k->t = t;
    PT(shape)(d, k->n, &k->rows, &woven);
    for (i = 0; i < k->rows; i++) if (k->n[i] > longest) longest = k->n[i];
    if (woven) {
        for (j = 0; j < longest; j++) for (i = 0; i < k->rows; i++) k->v[i][j] = x[at++];
    } else {
        for (i = 0; i < k->rows; i++) for (j = 0; j < k->n[i]; j++) k->v[i][j] = x[at++];
    }
    k->mix = (int)(seed % 3);
    k->guards = k->mix != SMOOTH && program_chance(d, 25);
    k->calls = k->mix != SMOOTH && program_chance(d, 25);
    steps = 2 + program_below(d, 5);
    for (i = 0; i < steps && k->rows + STAGE < ROWS; i++) {
        PT(stage)(k);
        if (program_chance(d, 35)) PT(reduce)(k);
        if (program_chance(d, 35)) PT(odd)(k);
    }
    outs = 1 + program_below(d, 3);
    for (i = 0; i < outs; i++) {
        const size_t r = i == 0 ? k->rows - 1 : program_below(d, k->rows);
        for (j = 0; j < k->n[r]; j++) k->y[k->m++] = k->v[r][j];
    }
    k->total = k->y[0];
    for (i = 1; i < k->m; i++) k->total = PAD(var_add)(k->total, k->y[i]);
}

static void PT(point)(program_dice *d, size_t n, int special, PREAL *x)
{
    static const double value[] = { 0, 1, -1, 1e300, -1e300, 1e-300, 0.5, 3 };
    size_t i;
    for (i = 0; i < n; i++) {
        x[i] = (PREAL)program_unit(d);
        if (!special || program_chance(d, 75)) continue;
        switch (program_below(d, 6)) {
        case 0: x[i] = (PREAL)NAN; break;
        case 1: x[i] = (PREAL)(program_chance(d, 50) ? HUGE_VAL : -HUGE_VAL); break;
        case 2: x[i] = (PREAL)-0.0; break;
        default: x[i] = (PREAL)value[program_below(d, sizeof value / sizeof *value)];
        }
    }
}
static int PT(has_nan)(const PAD(tape) *t)
{
    uint32_t i;
    for (i = 0; i < t->n; i++) if (t->value[i] != t->value[i]) return 1;
    return 0;
}

/* Evaluates f, whose results are to be those of y[m], or a way that was not taken. */
static void PT(expect)(const PAD(fn) *f, const PREAL *x, size_t m, const PREAL *y, int other,
    uint64_t seed, const char *what, unsigned skip)
{
    const ad_fn_stats s = PAD(fn_get_stats)(f);
    PREAL *const r = (PREAL *)malloc((m + 1) * sizeof *r);
    PREAL *const w = (PREAL *)malloc(s.workspace_bytes ? s.workspace_bytes : 1);
    size_t i, wrong = 0, first = 0;
    ad_status status;
    int way;                         /* 0, 1 as it is; 2, 3 by machine code, where there is some */
    for (way = 0; way < 4; way++) {
        for (i = 0; i < m; i++) r[i] = 77;
        if (way == 2 && PAD(fn_native)(f) != AD_OK) break;
        counted.native += way == 2 && s.packs;
        status = way % 2 ? PAD(fn_eval_in)(f, x, r, w) : PAD(fn_eval)(f, x, r);
        if (!test_check(status == (other ? AD_ERR_BRANCH : AD_OK), __FILE__, __LINE__,
                        "seed %lu, %s, skip %u, %s, way %d: %s", (unsigned long)seed, what, skip,
                        sizeof(PREAL) == 4 ? "float" : "double", way, ad_status_name(status)))
            continue;
        for (i = m; i-- > 0;)
            if (other ? r[i] == r[i] : !PT(same)(r[i], y[i])) {
                wrong++;
                first = i;
            }
        test_check(!wrong, __FILE__, __LINE__, "seed %lu, %s, skip %u, %s, way %d: %lu of %lu "
                   "results differ, the first is number %lu: %.17g, not %.17g", (unsigned long)seed,
                   what, skip, sizeof(PREAL) == 4 ? "float" : "double", way, (unsigned long)wrong,
                   (unsigned long)m, (unsigned long)first, (double)r[first], (double)y[first]);
        if (wrong) break;
    }
    counted.compared += m;
    free(r);
    free(w);
}

static int PT(good)(const PAD(fn) *f, uint64_t seed, const char *what)
{
    return test_check(PAD(fn_status)(f) == AD_OK, __FILE__, __LINE__, "seed %lu, %s: %s",
                      (unsigned long)seed, what, PAD(fn_message)(f));
}

/* Statistics with and without the pass. */
static void PT(compare_stats)(const PAD(fn) *f, const PAD(fn) *g, uint64_t seed, const char *what)
{
    const ad_fn_stats a = PAD(fn_get_stats)(f), b = PAD(fn_get_stats)(g);
    test_check(b.packs == 0 && b.packed == 0 && strcmp(b.order, "packs") != 0, __FILE__, __LINE__,
               "seed %lu, %s: packs where they are left out", (unsigned long)seed, what);
    test_check(a.nodes == b.nodes, __FILE__, __LINE__, "seed %lu, %s: %lu nodes, without packs %lu",
               (unsigned long)seed, what, (unsigned long)a.nodes, (unsigned long)b.nodes);
    test_check((a.packs != 0) == (strcmp(a.order, "packs") == 0) && a.packed >= 8 * a.packs
               && a.packed + a.fused <= a.nodes
               && a.instructions == a.nodes - a.fused - a.packed + a.packs
               && a.dead == b.dead && a.trace_nodes == b.trace_nodes && a.folded == b.folded
               && (a.average_live > 0) == (b.average_live > 0)
               && a.average_live <= (double)a.nodes,
               __FILE__, __LINE__, "seed %lu, %s: %lu packed in %lu packs, %lu instructions, %lu "
               "nodes, %lu fused, %s", (unsigned long)seed, what, (unsigned long)a.packed,
               (unsigned long)a.packs, (unsigned long)a.instructions, (unsigned long)a.nodes,
               (unsigned long)a.fused, a.order);
}

/* A derivative function with and without packs, at a point: the bits of its trace recorded anew. */
static void PT(compare)(PAD(fn) *f, PAD(fn) *g, PAD(tape) *t, const PT(maker) *k, uint64_t seed,
    const char *what)
{
    const ad_fn_stats s = PAD(fn_get_stats)(f);
    PREAL *const x = (PREAL *)malloc((s.inputs + s.outputs + 1) * sizeof *x);
    PREAL *const y = x + s.inputs;
    PAD(var) *const vx = (PAD(var) *)malloc((s.inputs + s.outputs + 1) * sizeof *vx);
    PAD(var) *const vy = vx + s.inputs;
    program_dice d;
    size_t i;
    int special;
    d.state = seed + 5;
    if (PT(good)(f, seed, what) && PT(good)(g, seed, what)) {
        PT(compare_stats)(f, g, seed, what);
        counted.functions++;
        counted.packed_functions += s.packs != 0;
        for (special = 0; special < 2 && !k->n_way; special++) {
            PT(point)(&d, s.inputs, special && k->mix != SMOOTH, x);
            PAD(tape_reset)(t);
            PAD(inputs)(t, s.inputs, x, vx);
            if (PAD(fn_record)(f, t, vx, vy) != AD_OK) {
                test_check(0, __FILE__, __LINE__, "seed %lu: %s", (unsigned long)seed,
                           PAD(tape_message)(t));
                break;
            }
            if (k->vague && PT(has_nan)(t)) continue;
            for (i = 0; i < s.outputs; i++) y[i] = vy[i].v;
            PT(expect)(f, x, s.outputs, y, 0, seed, what, 0);
            PT(expect)(g, x, s.outputs, y, 0, seed, what, AD_FN_PACK);
        }
        if (k->n_way) {                                  /* the bits of the other alone */
            PT(point)(&d, s.inputs, 0, x);
            for (special = 0; special < 2; special++) {
                const ad_status status = PAD(fn_eval)(g, x, y);
                if (!k->vague && (status == AD_OK || status == AD_ERR_BRANCH))
                    PT(expect)(f, x, s.outputs, y, status != AD_OK, seed, what, 0);
                for (i = 0; i < s.inputs; i++) x[i] = (PREAL)(0.001 * (double)i);
            }
        }
    }
    free(x);
    free(vx);
    PAD(fn_destroy)(f);
    PAD(fn_destroy)(g);
}

/* The size of what rounding every slot of the tape below y once can do to y, to first order: the
   sum of |dy/dslot| |slot|. A chain's partial sums are slots, and a tree's are at most the sum of
   its terms, which are differences of the chain's, so of at most twice that size. */
static double PT(study_of)(PAD(tape) *t, PAD(var) y)
{
    double sum = fabs((double)y.v);
    uint32_t i;
    if (!y.tape || PAD(backward)(y) != AD_OK) return sum;
    for (i = 0; i < t->n; i++) {
        PAD(var) x = y;
        x.id = i;
        sum += fabs((double)PAD(adjoint)(x) * (double)t->value[i]);
    }
    return sum;
}
/* A function that may round otherwise: y[m] are on t. Sixteen levels of a tree, kernels' two units
   and the rewritten operations' own (at most four) for one rounding, twice for the chains. */
static void PT(near)(PAD(fn) *f, const PREAL *x, PAD(tape) *t, size_t m, const PAD(var) *y,
    uint64_t seed, const char *what)
{
    PREAL *const r = (PREAL *)malloc((m + 1) * sizeof *r);
    size_t i;
    if (PT(good)(f, seed, what)
        && test_check(PAD(fn_eval)(f, x, r) == AD_OK, __FILE__, __LINE__, "seed %lu, %s: no result",
                      (unsigned long)seed, what))
        for (i = 0; i < m; i++) {
            const double size = PT(study_of)(t, y[i]), gap = fabs((double)r[i] - (double)y[i].v);
            const double leave = 2 * (16 + 2 + 4) * PUNIT * size + 1000 * PLEAST;
            if (size - size != 0) continue;
            counted.fast++;
            if (!test_check(gap <= leave, __FILE__, __LINE__, "seed %lu, %s, %s: result %lu is "
                            "%.17g, not %.17g: %.3g away, %.3g allowed", (unsigned long)seed, what,
                            sizeof(PREAL) == 4 ? "float" : "double", (unsigned long)i,
                            (double)r[i], (double)y[i].v, gap, leave)) break;
        }
    if (PAD(fn_native)(f) == AD_OK) PT(expect)(f, x, m, r, 0, seed, what, 0);
    free(r);
}

/* Made with AD_FN_FAST and AD_FN_CONTRACT: values and gradient. */
static void PT(fast)(const PT(maker) *k, PAD(tape) *t, size_t n, const PAD(var) *x,
    const PREAL *point, uint64_t seed)
{
    static PAD(var) g[INPUTS + 1];
    ad_fn_desc desc;
    PAD(fn) *f, *h;
    memset(&desc, 0, sizeof desc);
    if (seed % 7 == 0 && ad_kernels_get(AD_SIMD_AVX2)) desc.simd = AD_SIMD_AVX2;
    desc.flags = seed % 5 ? AD_FN_FAST | AD_FN_CONTRACT : seed % 2 ? AD_FN_FAST : AD_FN_CONTRACT;
    f = PAD(fn_create)(t, n, x, k->m, k->y, &desc);
    PT(near)(f, point, t, k->m, k->y, seed, "fast");
    PAD(fn_destroy)(f);
    f = PAD(fn_create)(t, n, x, 1, &k->total, &desc);
    h = PAD(fn_gradient)(f);
    PAD(grad_vars)(k->total, n, x, g + 1);
    g[0] = k->total;
    PT(near)(h, point, t, n + 1, g, seed, "fast gradient");
    PAD(fn_destroy)(h);
    desc.skip = AD_FN_PACK;
    h = PAD(fn_create)(t, n, x, n + 1, g, &desc);
    PT(near)(h, point, t, n + 1, g, seed, "fast gradient without packs");
    PAD(fn_destroy)(h);
    PAD(fn_destroy)(f);
}

/* Maps: rows of inputs are shared, rows of outputs summed; the programs before and after the blocks
   are packed too. On plain C, unsummed results have the bits of each point. */
static void PT(maps)(const PAD(fn) *f, const PAD(fn) *g, const PT(maker) *k, size_t n,
    uint64_t seed)
{
    static PREAL x[POINTS * INPUTS], y[2][(POINTS + 1) * OUTPUTS], one[INPUTS], r[OUTPUTS];
    static PAD(port) in[INPUTS], out[OUTPUTS];
    static unsigned char shared[INPUTS], summed[OUTPUTS];
    const size_t m = k->m;
    program_dice d;
    ad_map_desc desc;
    ad_status status[2];
    size_t i, p, wrong = 0;
    int which, shares, sums;
    d.state = seed + 9;
    memset(&desc, 0, sizeof desc);
    desc.threads = 1;
    desc.simd = seed % 2 ? AD_SIMD_BEST : AD_SIMD_PLAIN;
    PT(point)(&d, POINTS * n, 0, x);
    shares = (int)program_below(&d, 4);
    sums = (int)program_below(&d, 3);
    for (i = 0; i < n; i++) {
        shared[i] = shares && (shares == 1 ? i >= n / 3 : shares == 2 ? i < n / 2 : i != n / 2);
        in[i] = shared[i] ? PAD(port_shared)(x + i) : PAD(port_in)(x + i, (ptrdiff_t)n);
    }
    for (which = 0; which < 2; which++) {
        for (i = 0; i < (POINTS + 1) * m; i++) y[which][i] = 0;
        for (i = 0; i < m; i++) {
            summed[i] = sums == 1 || (sums == 2 && i >= m / 2);
            out[i] = summed[i] ? PAD(port_sum)(y[which] + POINTS * m + i)
                               : PAD(port_out)(y[which] + i, (ptrdiff_t)m);
        }
        status[which] = PAD(fn_map)(which ? g : f, POINTS, in, out, &desc);
    }
    CHECK(status[0] == status[1] && (status[0] == AD_OK || status[0] == AD_ERR_BRANCH));
    for (i = (POINTS + 1) * m; i-- > 0;) wrong += !PT(same)(y[0][i], y[1][i]);
    test_check(!wrong || k->vague, __FILE__, __LINE__, "seed %lu, %s, map: %lu results differ",
               (unsigned long)seed, sizeof(PREAL) == 4 ? "float" : "double", (unsigned long)wrong);
    if (status[0] != AD_OK || desc.simd != AD_SIMD_PLAIN || k->vague) return;
    for (p = 0, wrong = 0; p < POINTS; p++) {
        for (i = 0; i < n; i++) one[i] = x[(shared[i] ? 0 : p * n) + i];
        if (PAD(fn_eval)(g, one, r) != AD_OK) wrong++;
        for (i = 0; i < m; i++) wrong += !summed[i] && !PT(same)(r[i], y[0][p * m + i]);
    }
    test_check(!wrong, __FILE__, __LINE__, "seed %lu, map and points: %lu results differ",
               (unsigned long)seed, (unsigned long)wrong);
}

static void PT(random_program)(uint64_t seed, PAD(tape) *t, PAD(tape) *u)
{
    static PT(maker) k, again;
    static PREAL point[3][INPUTS], y[3][OUTPUTS];
    static PAD(var) x[INPUTS], xu[INPUTS];
    static const unsigned passes[] = { AD_FN_FOLD, AD_FN_RULES, AD_FN_REDUCE, AD_FN_CSE, AD_FN_DEAD,
        AD_FN_FUSE, AD_FN_SCHEDULE, AD_FN_REUSE, AD_FN_UNIFORM, 511, 0 };
    int other[3], q, woven;
    size_t n, rows, length[4], i;
    program_dice d;
    ad_fn_desc desc;
    PAD(fn) *f, *g, *df, *dg;
    d.state = seed;
    n = PT(shape)(&d, length, &rows, &woven);
    for (q = 0; q < 3; q++) PT(point)(&d, n, q == 2, point[q]);
    PAD(tape_reset)(t);
    PAD(inputs)(t, n, point[0], x);
    PT(make)(&k, seed, t, x);
    if (!test_check(PAD(tape_status)(t) == AD_OK, __FILE__, __LINE__, "seed %lu: %s",
                    (unsigned long)seed, PAD(tape_message)(t))) return;
    for (q = 0; q < 3; q++) {
        PAD(tape_reset)(u);
        PAD(inputs)(u, n, point[q], xu);
        PT(make)(&again, seed, u, xu);
        for (i = 0; i < k.m; i++) y[q][i] = again.y[i].v;
        other[q] = 0;
        for (i = 0; i < k.n_way; i++) other[q] |= again.way[i] != k.way[i];
        if (k.vague && PT(has_nan)(u)) other[q] = -1;
    }
    memset(&desc, 0, sizeof desc);
    if (seed % 3 == 0) {                         /* registers half as long, or no machine code's */
        desc.simd = ad_kernels_get(AD_SIMD_AVX2) ? AD_SIMD_AVX2 : AD_SIMD_PLAIN;
        if (seed % 2) desc.simd = AD_SIMD_PLAIN;
    }
    f = PAD(fn_create)(t, n, x, k.m, k.y, &desc);
    desc.skip = AD_FN_PACK;
    g = PAD(fn_create)(t, n, x, k.m, k.y, &desc);
    if (!PT(good)(f, seed, "packs") || !PT(good)(g, seed, "no packs")) goto done;
    counted.programs++;
    counted.packed += PAD(fn_get_stats)(f).packs != 0;
    PT(compare_stats)(f, g, seed, "values");
    for (q = 0; q < 3; q++) {
        if (other[q] < 0) continue;
        PT(expect)(f, point[q], k.m, y[q], other[q], seed, "values", 0);
        PT(expect)(g, point[q], k.m, y[q], other[q], seed, "values", AD_FN_PACK);
    }
    for (i = 0; i < sizeof passes / sizeof *passes; i++) {
        const unsigned drawn = (unsigned)program_below(&d, 512);
        if (passes[i] && passes[i] != 511 && program_chance(&d, 50)) continue;
        desc.skip = passes[i] ? passes[i] : drawn;
        df = PAD(fn_create)(t, n, x, k.m, k.y, &desc);
        if (PT(good)(df, seed, "a pass left out"))
            for (q = 0; q < 3; q++)
                if (other[q] >= 0)
                    PT(expect)(df, point[q], k.m, y[q], other[q], seed, "values", desc.skip);
        PAD(fn_destroy)(df);
    }
    PT(maps)(f, g, &k, n, seed);
    PT(compare)(PAD(fn_jvp)(f), PAD(fn_jvp)(g), u, &k, seed, "jvp");
    if (n * k.m <= 1500)
        PT(compare)(PAD(fn_jacobian)(f), PAD(fn_jacobian)(g), u, &k, seed, "jacobian");
    PAD(fn_destroy)(f);
    PAD(fn_destroy)(g);
    desc.skip = 0;
    f = PAD(fn_create)(t, n, x, 1, &k.total, &desc);
    desc.skip = AD_FN_PACK;
    g = PAD(fn_create)(t, n, x, 1, &k.total, &desc);
    df = PAD(fn_gradient)(f);
    dg = PAD(fn_gradient)(g);
    if (PT(good)(df, seed, "gradient") && PT(good)(dg, seed, "gradient"))
        PT(compare)(PAD(fn_jvp)(df), PAD(fn_jvp)(dg), u, &k, seed, "jvp of the gradient");
    PT(compare)(df, dg, u, &k, seed, "gradient");
    if (n <= 12) PT(compare)(PAD(fn_hessian)(f), PAD(fn_hessian)(g), u, &k, seed, "hessian");
    if (k.mix == SMOOTH) PT(fast)(&k, t, n, x, point[0], seed);
done:
    PAD(fn_destroy)(f);
    PAD(fn_destroy)(g);
}

/* ---- programs that are known */

static PAD(fn) *PT(finish)(PAD(tape) *t, size_t n, const PAD(var) *x, size_t m, const PAD(var) *y,
    const ad_fn_desc *desc)
{
    PAD(fn) *const f = PAD(fn_create)(t, n, x, m, y, desc);
    PAD(tape_destroy)(t);
    return f;
}
/* Rosenbrock's function, a matrix times a vector, softplus of each: the least that is packed. */
static PAD(fn) *PT(rosenbrock)(size_t n, const ad_fn_desc *desc)
{
    static PAD(var) x[100];
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(var) sum = PAD(const)(0);
    size_t i;
    for (i = 0; i < n; i++) x[i] = PAD(input)(t, (PREAL)(0.5 + 0.01 * (double)i));
    for (i = 0; i + 1 < n; i++) {
        const PAD(var) a = PAD(var_sub)(x[i + 1], PAD(var_mul)(x[i], x[i]));
        const PAD(var) b = PAD(var_sub_from_r)(1, x[i]);
        sum = PAD(var_add)(sum, PAD(var_add)(PAD(var_mul_r)(PAD(var_mul)(a, a), 100),
                                             PAD(var_mul)(b, b)));
    }
    return PT(finish)(t, n, x, 1, &sum, desc);
}
/* The matrix: inputs column by column, so that the rows' next elements stand side by side; or
   numbers. */
static PAD(fn) *PT(matrix)(size_t n, int numbers, const ad_fn_desc *desc)
{
    static PAD(var) x[50 * 51], y[50];
    PAD(tape) *const t = PAD(tape_create)(NULL);
    size_t i, j;
    for (i = 0; i < n * (n + 1); i++) x[i] = PAD(input)(t, (PREAL)(0.01 * (double)(i % 97) - 0.5));
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            const PAD(var) v = x[n * n + j];
            const PAD(var) p = numbers ? PAD(var_mul_r)(v, (PREAL)(0.37 * (double)(i * n + j) - 9))
                                       : PAD(var_mul)(x[j * n + i], v);
            y[i] = j ? PAD(var_add)(y[i], p) : p;
        }
    return PT(finish)(t, n * (n + 1), x, n, y, desc);
}
static PAD(fn) *PT(softplus)(size_t n, const ad_fn_desc *desc)
{
    static PAD(var) x[40], y[40];
    PAD(tape) *const t = PAD(tape_create)(NULL);
    size_t i;
    for (i = 0; i < n; i++) x[i] = PAD(input)(t, (PREAL)(0.1 * (double)i - 2));
    for (i = 0; i < n; i++)
        y[i] = PAD(var_softplus)(PAD(var_add_r)(PAD(var_mul_r)(x[i], 3), (PREAL)i));
    return PT(finish)(t, n, x, n, y, desc);
}

/* Does f have packs, at least so many of its operations, and in fewer instructions than a third? */
static void PT(must_pack)(const PAD(fn) *f, const PAD(fn) *g, double share, const char *what)
{
    const ad_fn_stats a = PAD(fn_get_stats)(f), b = PAD(fn_get_stats)(g);
    PT(good)(f, 0, what);
    PT(good)(g, 0, what);
    PT(compare_stats)(f, g, 0, what);
    test_check(a.packs && (double)(a.packed + a.fused) >= share * (double)a.nodes
               && (double)a.instructions < (1.25 - share) * (double)b.instructions, __FILE__,
               __LINE__, "%s: %lu of %lu operations in %lu packs, %lu instructions instead of %lu",
               what, (unsigned long)a.packed, (unsigned long)a.nodes, (unsigned long)a.packs,
               (unsigned long)a.instructions, (unsigned long)b.instructions);
}
static void PT(test_known)(void)
{
    ad_fn_desc with, without;
    PAD(fn) *f, *g, *df, *dg;
    ad_fn_stats s;
    int numbers;
    memset(&with, 0, sizeof with);
    memset(&without, 0, sizeof without);
    without.skip = AD_FN_PACK;
    f = PT(rosenbrock)(100, &with);
    g = PT(rosenbrock)(100, &without);
    df = PAD(fn_gradient)(f);
    dg = PAD(fn_gradient)(g);
    PT(must_pack)(f, g, 0.4, "Rosenbrock");
    PT(must_pack)(df, dg, 0.6, "Rosenbrock's gradient");
    PAD(fn_destroy)(f);
    PAD(fn_destroy)(g);
    PAD(fn_destroy)(df);
    PAD(fn_destroy)(dg);
    for (numbers = 0; numbers < 2; numbers++) {
        f = PT(matrix)(50, numbers, &with);
        g = PT(matrix)(50, numbers, &without);
        PT(must_pack)(f, g, 0.9, numbers ? "numbers times a vector" : "a matrix times a vector");
        PAD(fn_destroy)(f);
        PAD(fn_destroy)(g);
    }
    f = PT(softplus)(40, &with);
    g = PT(softplus)(40, &without);
    PT(must_pack)(f, g, 0.9, "softplus");
    PAD(fn_destroy)(f);
    PAD(fn_destroy)(g);
    with.flags = AD_FN_FAST;                             /* a sum alone, as a tree */
    f = PT(rosenbrock)(100, &with);
    s = PAD(fn_get_stats)(f);
    test_check(s.packs && s.packed + s.fused > s.nodes * 4 / 5, __FILE__, __LINE__,
               "fast: %lu of %lu in packs", (unsigned long)s.packed, (unsigned long)s.nodes);
    PAD(fn_destroy)(f);
}

/* Long products, which AD_FN_FAST makes trees of: factors that come as the product grows, some of
   them products themselves; what is in the middle may be an output (1), decide a branch (2), be
   taken twice (3), be a factor twice (4), have a number for a factor (5). f and its derivatives are
   as without, but for rounding. A product of the inputs (6) is packs then. */
static void PT(test_products)(void)
{
    enum { N = 203, CUT = 101 };
    static PAD(var) x[N];
    static PREAL point[N], want[2 + 2 * N], have[2 + 2 * N];
    const double tolerance = sizeof(PREAL) == 8 ? 1e-13 : 2e-5;
    size_t i, m;
    int way;
    for (i = 0; i < N; i++) point[i] = (PREAL)(0.75 + 0.5 * (double)((i * 7) % N) / (double)N);
    for (way = 0; way < 7; way++) {
        PAD(fn) *f[2], *g[2];
        PAD(tape) *const t = PAD(tape_create)(NULL);
        PAD(var) y[2], p = PAD(const)(1);
        ad_fn_desc desc;
        ad_fn_stats s[2];
        memset(&desc, 0, sizeof desc);
        PAD(inputs)(t, N, point, x);
        y[1] = x[0];
        for (i = 0; i < N; i++) {
            const PREAL c = (PREAL)(0.25 * (double)(i % 3) - 0.25);
            const PAD(var) a = way == 6 ? x[i] : i % 5 == 3 ? PAD(var_mul)(x[i], x[i - 1])
                                                            : PAD(var_add_r)(x[i], c);
            p = i % 2 ? PAD(var_mul)(p, a) : PAD(var_mul)(a, p);
            if (i != CUT) continue;
            if (way == 1) y[1] = p;
            if (way == 2) PAD(branch)(PAD(var_gt_r)(p, (PREAL)1e-30));
            if (way == 3) y[1] = PAD(var_sin)(p);
            if (way == 4) p = PAD(var_mul)(p, p);
            if (way == 5) p = PAD(var_mul_r)(p, 3);
        }
        y[0] = p;
        m = way == 1 || way == 3 ? 2 : 1;
        for (i = 0; i < 2; i++) {
            desc.flags = i ? AD_FN_FAST : 0;
            f[i] = PAD(fn_create)(t, N, x, m, y, &desc);
            g[i] = PAD(fn_jacobian)(f[i]);
            PT(good)(f[i], (uint64_t)way, "a product");
            PT(good)(g[i], (uint64_t)way, "a product's derivatives");
            s[i] = PAD(fn_get_stats)(f[i]);
        }
        CHECK(PAD(fn_eval)(g[0], point, want) == AD_OK);
        CHECK(PAD(fn_eval)(g[1], point, have) == AD_OK);
        for (i = 0; i < m + m * N; i++) {
            const double e = fabs((double)(have[i] - want[i])), size = fabs((double)want[i]);
            test_check(e <= tolerance * size, __FILE__, __LINE__, "product, way %d, output %lu: "
                       "%g, not %g", way, (unsigned long)i, (double)have[i], (double)want[i]);
        }
        test_check(s[1].nodes <= s[0].nodes, __FILE__, __LINE__, "product, way %d: %lu nodes, as a "
                   "chain %lu", way, (unsigned long)s[1].nodes, (unsigned long)s[0].nodes);
        s[0] = PAD(fn_get_stats)(g[1]);
        test_check(way != 6 || (2 * s[1].packed > s[1].nodes && 2 * s[0].packed > s[0].nodes),
                   __FILE__, __LINE__, "product: %lu of %lu in packs, of its gradient %lu of %lu",
                   (unsigned long)s[1].packed, (unsigned long)s[1].nodes,
                   (unsigned long)s[0].packed, (unsigned long)s[0].nodes);
        for (i = 0; i < 2; i++) {
            PAD(fn_destroy)(f[i]);
            PAD(fn_destroy)(g[i]);
        }
        PAD(tape_destroy)(t);
    }
}

/* Long sums, which AD_FN_FAST makes trees of: terms that are made while the sum grows, so that the
   tree takes what stands behind its nodes. Whatever the order, by machine code too: values and the
   gradient are as without, but for rounding. */
static void PT(test_sums)(void)
{
    enum { N = 12, SEEDS = 60 };
    static const unsigned skips[] = { 0, AD_FN_SCHEDULE, AD_FN_PACK, AD_FN_SCHEDULE | AD_FN_PACK };
    const double tolerance = sizeof(PREAL) == 8 ? 1e-13 : 1e-4;
    PAD(var) x[N], y;
    PREAL point[N], want[1 + N], have[1 + N];
    uint64_t seed;
    size_t i, way;
    for (i = 0; i < N; i++) point[i] = (PREAL)(0.1 + 0.05 * (double)i);
    for (seed = 1; seed <= SEEDS; seed++) {
        PAD(tape) *const t = PAD(tape_create)(NULL);
        uint64_t r = seed * 0x9E3779B97F4A7C15u;
        const size_t terms = 33 + (size_t)(r >> 40) % 70, form = (size_t)seed % 8;
        ad_fn_desc desc;
        PAD(fn) *f, *g;
        double size = 0;
        PAD(inputs)(t, N, point, x);
        y = PAD(const)(0);
        for (i = 0; i < terms; i++) {
            size_t a = i % N, b = (i + 1) % N;
            r = r * 6364136223846793005u + 1442695040888963407u;
            if (form & 1) a = (size_t)(r >> 33) % N;
            if (form & 2) b = (size_t)(r >> 50) % N;
            y = PAD(var_add)(y, !(form & 4) || i % 3 == 0 ? PAD(var_mul)(x[a], x[b])
                : i % 3 == 1 ? PAD(var_sub)(x[a], x[b]) : PAD(var_mul_r)(x[a], (PREAL)0.5));
        }
        if (seed % 5 == 0) y = PAD(var_mul)(y, x[0]);
        memset(&desc, 0, sizeof desc);
        f = PAD(fn_create)(t, N, x, 1, &y, &desc);
        g = PAD(fn_gradient)(f);
        CHECK_STATUS(PAD(fn_eval)(g, point, want), AD_OK);
        PAD(fn_destroy)(g);
        PAD(fn_destroy)(f);
        for (i = 0; i <= N; i++) size = fmax(size, fabs((double)want[i]));
        desc.flags = AD_FN_FAST;
        for (way = 0; way < 8; way++) {
            desc.skip = skips[way / 2];
            desc.native = way % 2 ? AD_NATIVE_NOW : AD_NATIVE_NEVER;
            f = PAD(fn_create)(t, N, x, 1, &y, &desc);
            g = PAD(fn_gradient)(f);
            CHECK_STATUS(PAD(fn_eval)(f, point, have), AD_OK);
            test_check(fabs((double)(have[0] - want[0])) <= tolerance * size, __FILE__, __LINE__,
                "sum %d, way %d: %g, not %g", (int)seed, (int)way, (double)have[0],
                (double)want[0]);
            CHECK_STATUS(PAD(fn_eval)(g, point, have), AD_OK);
            for (i = 0; i <= N; i++)
                test_check(fabs((double)(have[i] - want[i])) <= tolerance * size, __FILE__,
                    __LINE__, "sum %d, way %d, output %d of its gradient: %g, not %g", (int)seed,
                    (int)way, (int)i, (double)have[i], (double)want[i]);
            PAD(fn_destroy)(g);
            PAD(fn_destroy)(f);
        }
        PAD(tape_destroy)(t);
    }
}

/* With AD_FN_CONTRACT a map has the bits of single evaluations, however it is taken: differences,
   which no program for one point rounds once, are not rounded once there. */
static void PT(test_contracted)(void)
{
    enum { TAKEN = 33 };
    static const char *const text[] = { "c - a*b", "a*b - c", "a*b + c", "a*b - b*c",
        "c - (a - b*c)" };
    PREAL in[3][TAKEN], out[TAKEN], x[3], one;
    PAD(port) port[3], to;
    size_t i, p;
    int way;
    for (i = 0; i < 3; i++)
        for (p = 0; p < TAKEN; p++) in[i][p] = (PREAL)(1 + 1.0 / (double)(3 + p + 7 * i));
    for (i = 0; i < sizeof text / sizeof *text; i++)
        for (way = 0; way < 2; way++) {
            ad_fn_desc desc;
            PAD(fn) *f;
            size_t k;
            memset(&desc, 0, sizeof desc);
            desc.flags = AD_FN_CONTRACT;
            desc.native = way ? AD_NATIVE_NOW : AD_NATIVE_NEVER;
            f = PAD(fn_parse_desc)(text[i], "a, b, c", &desc, NULL, 0);
            for (k = 0; k < 3; k++) port[k] = PAD(port_in)(in[k], 1);
            to = PAD(port_out)(out, 1);
            CHECK_STATUS(PAD(fn_map)(f, TAKEN, port, &to, NULL), AD_OK);
            for (p = 0; p < TAKEN; p++) {
                for (k = 0; k < 3; k++) x[k] = in[k][p];
                CHECK_STATUS(PAD(fn_eval)(f, x, &one), AD_OK);
#if !defined(_WIN32) && (!defined(FLT_EVAL_METHOD) || FLT_EVAL_METHOD == 0)
                test_check(memcmp(&one, &out[p], sizeof one) == 0, __FILE__, __LINE__, "%s, way "
                    "%d, point %d: %.17g, in a map %.17g", text[i], way, (int)p, (double)one,
                    (double)out[p]);
#endif                                           /* MinGW's fma may round twice */
            }
            PAD(fn_destroy)(f);
        }
}

/* Results that are written over the row of which all take one value: f(r[i], r[place]). Every rule,
   every side, sizes around those of registers. */
static void PT(test_overwritten)(void)
{
    static const size_t sizes[] = { 8, 9, 16, 17, 33 };
    PAD(var) x[MOST], r[MOST], y[MOST];
    PREAL point[MOST], want[MOST];
    size_t rule, s, i;
    int side;
    for (rule = 0; rule < PROGRAM_RULES; rule++) {
        for (s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            for (side = 0; side < 4 && program_rules[rule].operands > 1; side++) {
                const size_t n = sizes[s], place = side & 1 ? n / 2 : 0;
                const PT(form) *const form = &PT(forms)[rule];
                PAD(tape) *const t = PAD(tape_create)(NULL);
                PAD(fn) *f;
                for (i = 0; i < n; i++) point[i] = (PREAL)(1 + 0.0625 * (double)((i * 5) % 13));
                PAD(inputs)(t, n, point, x);
                for (i = 0; i < n; i++) r[i] = PAD(var_mul)(x[i], x[i]);
                for (i = 0; i < n; i++) {
                    const PAD(var) a = r[side & 2 ? place : i], b = r[side & 2 ? i : place];
                    y[i] = program_rules[rule].operands == 2 ? form->var2(a, b)
                                                             : form->var3(a, b, r[(place + 1) % n]);
                    want[i] = y[i].v;
                }
                f = PT(finish)(t, n, x, n, y, NULL);
                if (PT(good)(f, 0, program_rules[rule].name))
                    PT(expect)(f, point, n, want, 0, rule, program_rules[rule].name, 0);
                PAD(fn_destroy)(f);
            }
        }
    }
}

/* Rows that take the same values, each made by itself, since it has a guard. */
static void PT(test_shared)(void)
{
    enum { N = 72 };
    PAD(var) x[2 * N], r[N], y[3 * N];
    PREAL point[2 * N], want[3 * N];
    int way;
    for (way = 0; way < 6; way++) {
        PAD(tape) *const t = PAD(tape_create)(NULL);
        PAD(fn) *f;
        size_t i;
        for (i = 0; i < 2 * N; i++) point[i] = (PREAL)(1 + 0.0625 * (double)((i * 5) % 13));
        PAD(inputs)(t, 2 * N, point, x);
        for (i = 0; i < N; i++) {
            r[i] = PAD(var_mul)(x[i], x[(3 * i + 1) % N]);
            PAD(branch)(r[i]);
        }
        for (i = 0; i < N; i++) {
            const PAD(var) a = r[i], b = r[way & 1 ? N - 1 - i : way & 2 ? (i + 3) % N : i];
            y[i] = PAD(var_mul)(a, x[N + i]);
            y[N + i] = PAD(var_add)(b, x[N + i]);
            y[2 * N + i] = way > 3 ? PAD(var_mul)(y[i], y[N + i]) : PAD(var_sub)(x[N + i], a);
        }
        for (i = 0; i < 3 * N; i++) want[i] = y[i].v;
        f = PT(finish)(t, 2 * N, x, 3 * N, y, NULL);
        if (PT(good)(f, (uint64_t)way, "shared"))
            PT(expect)(f, point, 3 * N, want, 0, (size_t)way, "shared", 0);
        PAD(fn_destroy)(f);
    }
}

/* Values made one by one, of which each element of a row takes the first, and each of another its
   own: these are put in a row, the first alone is none. */
static void PT(test_gathered)(void)
{
    enum { N = 80 };
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(var) x[2 * N], r[N], y[2 * N];
    PREAL point[2 * N], want[2 * N];
    ad_fn_stats s;
    PAD(fn) *f;
    size_t i;
    for (i = 0; i < 2 * N; i++) point[i] = (PREAL)(0.25 + 0.0625 * (double)((i * 5) % 13));
    PAD(inputs)(t, 2 * N, point, x);
    for (i = 0; i < N; i++)
        r[i] = i % 3 == 0 ? PAD(var_sin)(x[i]) : i % 3 == 1 ? PAD(var_cos)(x[i])
                                                            : PAD(var_exp)(x[i]);
    for (i = 0; i < N; i++) y[i] = PAD(var_mul)(x[N + i], r[0]);
    for (i = 0; i < N; i++) y[N + i] = PAD(var_sub)(r[i], x[N + i]);
    for (i = 0; i < 2 * N; i++) want[i] = y[i].v;
    f = PT(finish)(t, 2 * N, x, 2 * N, y, NULL);
    PT(good)(f, 0, "gathered");
    PT(expect)(f, point, 2 * N, want, 0, 0, "gathered", 0);
    s = PAD(fn_get_stats)(f);
    test_check(s.packed == 2 * N && s.live_slots < 5 * N, __FILE__, __LINE__, "gathered: %lu in "
               "packs, %lu live", (unsigned long)s.packed, (unsigned long)s.live_slots);
    PAD(fn_destroy)(f);
}

/* Special values go through packs as through the tape, one rule at a time, with a row, a number and
   a value for all as the other operand. */
static void PT(test_special)(void)
{
    static const double special[] = { 0, -0.0, 1, -1, 0.5, HUGE_VAL, -HUGE_VAL, 1e30, -1e30, 2, -3,
        1e-30, 0.25, 5, -0.75 };
    enum { N = 34, S = sizeof special / sizeof *special };
    PAD(var) x[2 * N], y[N];
    PREAL point[2 * N], want[N];
    size_t rule, i, turn;
    int form;
    for (rule = 0; rule < PROGRAM_RULES; rule++) {
        const int arity = program_rules[rule].operands;
        const PT(form) *const of = &PT(forms)[rule];
        if (row_takes_whole(program_rules[rule].name, 1)
            || strcmp(program_rules[rule].name, "copysign") == 0) continue;
        for (form = 0; form < (arity == 1 ? 1 : 5); form++) {
            PAD(fn) *f = NULL, *g = NULL;
            for (turn = 0; turn < 6; turn++) {
                PAD(tape) *const t = PAD(tape_create)(NULL);
                ad_fn_desc desc;
                memset(&desc, 0, sizeof desc);
                for (i = 0; i < 2 * N; i++) {
                    const size_t k = turn == 0 ? 2 : turn * 7 + i * (i < N ? 1 : 4);
                    point[i] = (PREAL)(k % 16 == S ? (double)NAN : special[k % 16]);
                }
                PAD(inputs)(t, 2 * N, point, x);
                for (i = 0; i < N; i++) {
                    const PREAL c = (PREAL)special[form == 3 ? 4 : (i * 3) % S];
                    if (arity == 1) y[i] = of->var1(x[i]);
                    else if (arity == 3)
                        y[i] = of->var3(x[form == 1 ? 0 : i], form == 2 ? PAD(const)(c) : x[N + i],
                                        form >= 3 ? PAD(const)(c) : x[N + (form ? 3 : i)]);
                    else y[i] = form == 0 ? of->var2(x[i], x[N + i]) : form == 1
                        ? of->var2(x[i], x[N]) : form == 4 ? of->left(c, x[i]) : of->right(x[i], c);
                    want[i] = y[i].v;
                }
                if (turn == 0) {
                    f = PAD(fn_create)(t, 2 * N, x, N, y, NULL);
                    desc.skip = AD_FN_PACK | AD_FN_RULES | AD_FN_REDUCE;
                    g = PAD(fn_create)(t, 2 * N, x, N, y, &desc);
                }
                PT(expect)(f, point, N, want, 0, turn, program_rules[rule].name, 0);
                PT(expect)(g, point, N, want, 0, turn, program_rules[rule].name, desc.skip);
                PAD(tape_destroy)(t);
            }
            PAD(fn_destroy)(f);
            PAD(fn_destroy)(g);
        }
    }
}

/* An allocator that fails at its k-th call, for every k, until all is made, or at that and the
   next, since who gets no memory to spare asks again for less: an error or, where packs alone had
   no memory, a function without them that is right; all memory comes back. */
static void PT(test_memory)(size_t also)
{
    static PREAL x[30 * 31], y[2][30];
    size_t k, i, failed = 0;
    int done = 0;
    PAD(port) in[30 * 31], out[30];
    for (i = 0; i < 30 * 31; i++) x[i] = (PREAL)(0.01 * (double)(i % 37));
    for (i = 0; i < 30 * 31; i++) in[i] = PAD(port_shared)(x + i);
    in[30 * 31 - 1] = PAD(port_in)(x, 1);
    for (i = 0; i < 30; i++) out[i] = PAD(port_sum)(y[1] + i);
    for (k = 1; k < 4000 && !done; k += (size_t)test_step()) {
        heap h;
        ad_fn_desc desc;
        PAD(fn) *f, *g;
        ad_status made, s = AD_OK, map = AD_OK;
        memset(&h, 0, sizeof h);
        memset(&desc, 0, sizeof desc);
        desc.resize = heap_resize;
        desc.resize_user = &h;
        h.fail_at = k;
        h.also = also;
        f = PT(matrix)(30, also != 0, &desc);
        g = PAD(fn_jvp)(f);
        made = PAD(fn_status)(g);
        failed += made != AD_OK;
        if (PAD(fn_status)(f) == AD_OK) {
            s = PAD(fn_eval)(f, x, y[0]);
            map = PAD(fn_map)(f, 1, in, out, NULL);
            test_check(s == AD_OK || s == AD_ERR_MEMORY, __FILE__, __LINE__, "call %lu: %s",
                       (unsigned long)k, ad_status_name(s));
            if (s == AD_OK) {
                double sum = 0;
                for (i = 0; i < 30; i++)
                    sum += (also ? 0.37 * (double)i - 9 : (double)x[30 * i]) * (double)x[900 + i];
                CHECK_NEAR(y[0][0], sum, 64 * PUNIT);
            }
        }
        test_check((made == AD_OK || made == AD_ERR_MEMORY) && (map == AD_OK
                   || map == AD_ERR_MEMORY), __FILE__, __LINE__, "call %lu fails: %s, %s",
                   (unsigned long)k, ad_status_name(made), ad_status_name(map));
        done = h.calls < h.fail_at;
        PAD(fn_destroy)(g);
        PAD(fn_destroy)(f);
        test_check(h.blocks == 0 && h.wrong == 0, __FILE__, __LINE__, "call %lu fails: %lu blocks "
                   "are left, %lu wrong sizes", (unsigned long)k, (unsigned long)h.blocks,
                   (unsigned long)h.wrong);
    }
    CHECK(done && failed > (size_t)(10 / test_step()));
}

/* What programs cost, which no result shows: no more than they did (compilers choose the order in
   which arguments are recorded), whatever memory held before. */
static void PT(test_costs)(void)
{
    enum { MADE = 12, BYTES = 4, COUNTS };
    static const char *const count_name[COUNTS] = { "nodes", "instructions", "live slots",
                                                "not packed", "bytes" };
    static const size_t most[MADE][COUNTS] = {
        { 792, 105, 305, 198, 83476 }, { 1770, 30, 963, 870, 250261 },
        { 4950, 50, 2603, 2450, 844907 }, { 120, 2, 84, 40, 46839 },
        { 1583, 113, 602, 198, 182085 }, { 4440, 959, 1924, 2639, 543590 },
        { 791, 39, 477, 131, 82508 }, { 1770, 30, 963, 870, 250261 },
        { 4950, 50, 2603, 2450, 844907 }, { 119, 4, 84, 41, 46819 },
        { 1483, 50, 875, 234, 181993 }, { 4440, 959, 1924, 2639, 543590 } };
    static const int dirt[3] = { 0, 0xCC, 0x33 };
    static PREAL x[4096], y[4096];
    PAD(port) in[4096], out[4096];
    size_t seen[MADE][COUNTS];
    int made, k;
    size_t i;
    for (k = 0; k < 3; k++)
        for (made = 0; made < MADE; made++) {
            ad_fn_desc desc;
            ad_fn_stats s;
            PAD(fn) *f, *d = NULL;
            size_t now[COUNTS];
            heap h;
            memset(&h, 0, sizeof h);
            memset(&desc, 0, sizeof desc);
            h.dirt = dirt[k];
            desc.resize = heap_resize;
            desc.resize_user = &h;
            desc.simd = AD_SIMD_PLAIN;
            desc.flags = made >= MADE / 2 ? AD_FN_FAST : 0;
            switch (made % (MADE / 2)) {
            case 0: f = PT(rosenbrock)(100, &desc); break;
            case 1: f = PT(matrix)(30, 0, &desc); break;
            case 2: f = PT(matrix)(50, 1, &desc); break;
            case 3: f = PT(softplus)(40, &desc); break;
            case 4: d = PAD(fn_gradient)(f = PT(rosenbrock)(100, &desc)); break;
            default: d = PAD(fn_vjp)(f = PT(matrix)(30, 0, &desc)); break;
            }
            if (!d) d = f;
            PT(good)(d, 0, "costs");
            s = PAD(fn_get_stats)(d);
            for (i = 0; i < s.inputs && i < sizeof in / sizeof in[0]; i++)
                in[i] = i % 5 == 4 ? PAD(port_shared)(x + i) : PAD(port_in)(x + i, 1);
            for (i = 0; i < s.outputs && i < sizeof out / sizeof out[0]; i++)
                out[i] = PAD(port_sum)(y + i);
            CHECK_STATUS(PAD(fn_map)(d, 1, in, out, NULL), AD_OK);
            s = PAD(fn_get_stats)(d);
            now[0] = s.nodes;
            now[1] = s.instructions;
            now[2] = s.live_slots;
            now[3] = s.nodes - s.packed;
            now[4] = s.bytes;
            for (i = 0; i < COUNTS; i++) {
                if (k == 0) seen[made][i] = now[i];
                test_check(now[i] == seen[made][i], __FILE__, __LINE__, "program %d: %lu %s, "
                    "in other memory %lu", made, (unsigned long)seen[made][i], count_name[i],
                    (unsigned long)now[i]);
                /* a field more in an object is no matter */
                test_check(now[i] <= most[made][i] + (i == BYTES ? most[made][i] / 100 : 0),
                    __FILE__, __LINE__, "program %d: %lu %s, not %lu", made,
                    (unsigned long)now[i], count_name[i],
                    (unsigned long)most[made][i]);
            }
            if (d != f) PAD(fn_destroy)(d);
            PAD(fn_destroy)(f);
        }
}

/* The time that a regular program of a million operations takes to compile. */
static void PT(test_time)(void)
{
    enum { N = 2000 };
    static PAD(var) x[N], y[N];
    const size_t deep = (size_t)(500 / test_stride());
    double seconds[2];
    PAD(tape) *const t = PAD(tape_create)(NULL);
    size_t i, j;
    int which;
    for (i = 0; i < N; i++) y[i] = x[i] = PAD(input)(t, (PREAL)(0.001 * (double)i));
    for (j = 0; j < deep; j++)
        for (i = 0; i < N; i++)
            y[i] = j % 3 == 0 ? PAD(var_mul)(y[i], x[(i + j) % N]) : j % 3 == 1
                ? PAD(var_add_r)(y[i], (PREAL)i) : PAD(var_sub)(y[i], x[j]);
    for (which = 0; which < 2; which++) {
        const clock_t start = clock();
        ad_fn_desc desc;
        PAD(fn) *f;
        memset(&desc, 0, sizeof desc);
        desc.skip = which ? AD_FN_PACK : 0;
        f = PAD(fn_create)(t, N, x, N, y, &desc);
        seconds[which] = (double)(clock() - start) / CLOCKS_PER_SEC;
        PT(good)(f, 0, "a million operations");
        CHECK((PAD(fn_get_stats)(f).packs != 0) == !which);
        PAD(fn_destroy)(f);
    }
    printf("packs, a million operations: compiled in %.2f s, without packs %.2f s\n", seconds[0],
           seconds[1]);
    PAD(tape_destroy)(t);
}

static void PT(test_packs)(void)
{
    PAD(tape) *t = PAD(tape_create)(NULL), *u = PAD(tape_create)(NULL);
    uint64_t seed, from = 1, to = 200;
    if (getenv("PACKS_FROM")) from = (uint64_t)atol(getenv("PACKS_FROM"));   /* for one again */
    if (getenv("PACKS_TO")) to = (uint64_t)atol(getenv("PACKS_TO"));
    PT(test_known)();
    PT(test_products)();
    PT(test_sums)();
    PT(test_contracted)();
    PT(test_overwritten)();
    PT(test_shared)();
    PT(test_gathered)();
    PT(test_special)();
    PT(test_memory)(0);
    PT(test_memory)(1);
    PT(test_costs)();
    if (sizeof(PREAL) == 8) PT(test_time)();
    for (seed = from; seed <= to && !program_fused_lists(); seed += (uint64_t)test_stride())
        PT(random_program)(seed, t, u);
    PAD(tape_destroy)(t);
    PAD(tape_destroy)(u);
}
#endif
