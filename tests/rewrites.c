/* The rows of ADI_REWRITES, by which compiled functions are rewritten: is each of them true, does
   it do its work, does rewriting end? Sides are read as the table's bytes, and computed without any
   rewriting by the scalar functions ad_real_<op>, at special values crossed and at random ones; the
   letters that stand for numbers take all that they may stand for.

   true     RULES and REDUCE: the same bits on either side, NaN being equal to NaN; and the same
            bits from ad_fn_eval, and from ad_fn_map on every instruction set of this machine as
            from the function that was not rewritten: a set's mathematics need not be exactly even
            because libm's is, nor need a sine and cosine taken together be those taken apart.
            FAST: both sides are within rounding of one number. Every operation's result is taken
            to be wrong by EPSILON of itself and by the least number, besides what its operands'
            errors make of it by its partials; twice the sum of both sides' errors is allowed.
            Nothing is asked where an input or anything computed is infinite or NaN. No NaN is a
            signalling one, which pow would tell from the others.
   reached  A function recorded as the left side has as many nodes as the right side; with its pass
            switched off it keeps those of the left. In every order of commutative operands the
            right side comes out; and it is not an earlier row that does the row's work.
   ended    Left sides, also with other rows' left sides for their letters, come to a form that no
            row changes further, and without FAST to the same bits.

   A row that fails is named, once for each way in which it fails. Exit code 1 then.
   The file includes itself, once for each real type. */
#ifndef KREAL
#define AUTODIFF_STATIC
#include "../autodiff.h"
#include <stdio.h>
#include <stdlib.h>

enum {
    ROWS = ADI_REWRITE_ROWS, LETTERS = ADI_LETTERS, VARIABLES = 3, MOST_VALUES = 64, DRAWS = 3000,
    MOST_POINTS = MOST_VALUES * MOST_VALUES * MOST_VALUES + DRAWS, MOST_NUMBERS = 4400, LEVELS = 4,
    ASSIGNMENTS = 7, LEAST_COMPARED = 500
};
enum { LETTER_k = ADI_IS_k - ADI_IS_x, LETTER_l, LETTER_f, LETTER_p };
enum { NUMBERS_MASK = 15 << LETTER_k, VARIABLES_MASK = 7 };

/* Another reading of the table: its text. */
static const struct { const char *left, *right; } row_text[] = {
#define T0(name)           #name
#define T1(op, x)          #op "(" x ")"
#define T2(op, x, y)       #op "(" x ", " y ")"
#define T3(op, x, y, z)    #op "(" x ", " y ", " z ")"
#define TROW(when, left, right) { #when " " left, right },
    ADI_REWRITES(TROW, T0, T1, T2, T3, "x", "y", "z", "k", "l", "f", "p")
#undef T0
#undef T1
#undef T2
#undef T3
#undef TROW
    { NULL, NULL }
};

static const ad_simd every_level[LEVELS] = { AD_SIMD_PLAIN, AD_SIMD_AVX2, AD_SIMD_AVX512,
    AD_SIMD_NEON };

#if defined(__aarch64__)
static const int on_arm = 1;
#else
static const int on_arm = 0;
#endif

/* ---------------------------------------------------------------- what fails */

typedef enum trouble {
    T_FORM, T_TRUE, T_EVAL, T_MAP, T_LETTER, T_REACHED, T_OFF, T_ORDER, T_EARLIER, T_END,
    T_TOGETHER, T_FUNCTION, TROUBLES
} trouble;
static const char *const trouble_text[TROUBLES] = { "malformed", "not true", "ad_fn_eval",
    "ad_fn_map", "letters", "not reached", "not switched off", "order of operands",
    "always an earlier row", "rewriting does not end",
    "not true of the graph", "the function" };
static int told[ROWS][TROUBLES];
static int failures;
static unsigned long compared, mapped, formed;

/* Nonzero where the row has not failed in this way yet: then the caller says more. */
static int fails(size_t row, trouble what, const char *real)
{
    failures++;
    if (told[row][what]++) return 0;
    printf("FAILED %s: %s = %s: %s: ", real, row_text[row].left, row_text[row].right,
           trouble_text[what]);
    return 1;
}

/* ---------------------------------------------------------------- sides */

static uint64_t state = 88172645463325252u;
static uint64_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* The letters of a side, a bit each, and how many bytes it has; 0 letters and bytes where it is cut
   short by the table's width. */
static unsigned side_letters(const uint8_t *side, size_t width, size_t *bytes)
{
    size_t i = 0, wanted = 1;
    unsigned letters = 0;
    for (; wanted && i < width; i++, wanted--) {
        if (side[i] < ADI_IS_x) wanted += adi_arity(side[i]);
        else if (side[i] < ADI_IS_zero) letters |= 1u << (side[i] - ADI_IS_x);
    }
    *bytes = wanted ? 0 : i;
    return wanted ? 0 : letters;
}
static unsigned left_letters(size_t row)
{
    size_t bytes;
    return side_letters(adi_rewrites[row].left, sizeof adi_rewrites[row].left, &bytes);
}

/* A row that keeps later ones away: it is not a rewriting. */
static int is_stop(size_t row) { return adi_rewrites[row].right[0] == ADI_IS_itself; }
static int is_fast(size_t row) { return adi_rewrites[row].when == ADI_WHEN_FAST; }

static int well_formed(size_t row)
{
    const adi_rewrite *const r = &adi_rewrites[row];
    size_t left, right;
    const unsigned a = side_letters(r->left, sizeof r->left, &left);
    const unsigned b = side_letters(r->right, sizeof r->right, &right);
    if (left > 1 && right && r->left[0] < ADI_IS_x && !(b & ~a)) return 1;
    if (fails(row, T_FORM, "the table"))
        printf("a left side of %lu bytes, a right one of %lu, letters of the right alone: %x\n",
               (unsigned long)left, (unsigned long)right, b & ~a);
    return 0;
}

/* ---------------------------------------------------------------- graphs */

static const adi_rewrite *side_of(size_t row) { return &adi_rewrites[row]; }

static void without_row(adi_graph *g, size_t row)
{
    uint8_t *next = &g->first_row[adi_rewrites[row].left[0]];
    while (*next != row) next = &g->next_row[*next];
    *next = g->next_row[row];
}

/* The node that a side says, operands of commutative operations exchanged by the bits of swaps. */
static uint32_t build(adi_graph *g, const uint8_t **p, const uint32_t *bound, unsigned *swaps)
{
    const unsigned what = *(*p)++;
    uint32_t arg[3] = { ADI_NONE, ADI_NONE, ADI_NONE };
    unsigned i;
    if (what >= ADI_IS_zero) return adi_graph_number(g, adi_named[what - ADI_IS_zero]);
    if (what >= ADI_IS_x) return bound[what - ADI_IS_x];
    for (i = 0; i < adi_arity(what); i++) arg[i] = build(g, p, bound, swaps);
    if (adi_commutes(what)) {
        const unsigned swap = *swaps & 1;
        *swaps >>= 1;
        return adi_graph_op(g, what, arg[swap], arg[1 - swap], ADI_NONE);
    }
    return adi_graph_op(g, what, arg[0], arg[1], arg[2]);
}
static uint32_t build_side(adi_graph *g, const uint8_t *side, const uint32_t *bound, unsigned swaps)
{
    return build(g, &side, bound, &swaps);
}

static size_t operations(const adi_graph *g, uint32_t v, uint8_t *seen)
{
    const adi_node *const u = &g->node[v];
    size_t n = 1;
    unsigned i;
    if (seen[v] || u->op == ADI_NODE_number || u->op == ADI_NODE_input) return 0;
    seen[v] = 1;
    for (i = 0; i < adi_arity(u->op); i++) n += operations(g, u->arg[i], seen);
    return n;
}

static int same_form(const adi_graph *g, uint32_t v, const adi_graph *h, uint32_t w)
{
    const adi_node *const a = &g->node[v], *const b = &h->node[w];
    unsigned i;
    if (a->op != b->op) return 0;
    if (a->op == ADI_NODE_number)
        return memcmp(&g->number[a->arg[0]], &h->number[b->arg[0]], sizeof(double)) == 0;
    if (a->op == ADI_NODE_input) return a->arg[0] == b->arg[0];
    for (i = 0; i < adi_arity(a->op); i++)
        if (!same_form(g, a->arg[i], h, b->arg[i])) return 0;
    return 1;
}

/* Whether no row has anything to do below v: each operation asked for again stays as it is. */
static int is_final(adi_graph *g, uint32_t v)
{
    const adi_node u = g->node[v];
    const size_t before = g->rewritten + g->reduced;
    unsigned i;
    if (u.op == ADI_NODE_number || u.op == ADI_NODE_input) return 1;
    adi_graph_op(g, u.op, u.arg[0], u.arg[1], u.arg[2]);
    if (g->rewritten + g->reduced != before) return 0;
    for (i = 0; i < adi_arity(u.op); i++)
        if (!is_final(g, u.arg[i])) return 0;
    return 1;
}

/* Numbers for k, l, f, p; the first takes no row's place but that of the row itself. */
static const double assigned[ASSIGNMENTS][4] = { { 0.75, -1.25, 3, 4 }, { 1, -1, 1, 1 },
    { -1, 0, -1, -1 }, { -0.0, 0.5, 0.5, -0.5 }, { 2, 3, -2, 2 }, { -2, (double)INFINITY, -3,
    0.25 },
    { 4, (double)NAN, 1e30, -16 } };

static void print_letters(unsigned letters, const double *at)
{
    unsigned i;
    for (i = 0; i < LETTERS; i++)
        if (letters >> i & 1) printf("%c = %.17g (%a) ", "xyzklfp"[i], at[i], at[i]);
}

#define KREAL    double
#define KBITS    uint64_t
#define KNAME    "double"
#define KA(name) ad_##name
#define KT(name) name##_d
#define KDIGITS  52
#define KBIAS    1023
#include "rewrites.c"
#undef KREAL
#undef KBITS
#undef KNAME
#undef KA
#undef KT
#undef KDIGITS
#undef KBIAS
#define KREAL    float
#define KBITS    uint32_t
#define KNAME    "float"
#define KA(name) adf_##name
#define KT(name) name##_f
#define KDIGITS  23
#define KBIAS    127
#include "rewrites.c"

int main(void)
{
    size_t row, l;
    int formed_well = 1;
    for (row = 0; row < ROWS; row++) formed_well &= well_formed(row);
    if (formed_well) {
        everything_d();
        everything_f();
    }
    printf("%d rows, %lu points in double and float, %lu of them in maps on", (int)ROWS, compared,
           mapped);
    for (l = 0; l < LEVELS; l++)
        if (ad_kernels_get(every_level[l])) printf(" %s", ad_simd_name(every_level[l]));
    printf("; %lu left sides within left sides: %d failures\n", formed, failures);
    for (l = 0; l < LEVELS; l++)
        if (!ad_kernels_get(every_level[l]) && (every_level[l] == AD_SIMD_NEON) == on_arm)
            printf("SKIP maps on %s: not of this machine or build; run where it is\n",
                   ad_simd_name(every_level[l]));
    return failures != 0 || mapped == 0 || formed == 0;
}

#else

/* ======================================================================== for each real type */

/* ---- values */

static KREAL KT(value)[MOST_VALUES], KT(power)[MOST_NUMBERS], KT(finite)[MOST_VALUES];
static size_t KT(values), KT(powers), KT(finites);

static KREAL KT(from_bits)(KBITS bits)
{
    KREAL v;
    memcpy(&v, &bits, sizeof v);
    return v;
}
static int KT(same)(KREAL a, KREAL b)
{
    return a != a || b != b ? a != a && b != b : memcmp(&a, &b, sizeof a) == 0;
}

/* sign, exponent of two, fraction */
static KREAL KT(composed)(unsigned sign, int exponent, KBITS fraction)
{
    return KT(from_bits)((KBITS)((KBITS)sign << (sizeof(KBITS) * 8 - 1)
        | (KBITS)((KBITS)(exponent + KBIAS) << KDIGITS) | fraction));
}

/* What the table's text says that a letter may stand for. */
static int KT(documented)(unsigned letter, KREAL v)
{
    int exponent;
    const double m = frexp((double)v, &exponent);
    if (letter == LETTER_f) return v != 0 && v - v == 0;
    if (letter == LETTER_p)
        return (m == 0.5 || m == -0.5) && exponent <= KBIAS && exponent - 1 >= -KDIGITS - KBIAS
            && 2 - exponent - 1 <= KBIAS;
    return 1;
}

static void KT(collect)(void)
{
    static const double plain[] = { 0.0, -0.0, 1, -1, 0.5, -0.5, 2, -2, 3, -3, 4, 6, 0.1, -0.7, 1.5,
        -2.5, 3.141592653589793, 10, -100, 1000.25, 1e-5, 1e5, 0.3333333333333333, 20.5, -90, 700,
        -740, 4096, 0.0625 };
    const KBITS all = (KBITS)(((KBITS)1 << KDIGITS) - 1);
    size_t i;
    int e;
    unsigned s;
#define PUT(v) KT(value)[KT(values)++] = (v)
    for (i = 0; i < sizeof plain / sizeof plain[0]; i++) PUT((KREAL)plain[i]);
    for (s = 0; s < 2; s++) {
        PUT(KT(composed)(s, -KBIAS, 1));                 /* the least */
        PUT(KT(composed)(s, -KBIAS, all));               /* the largest subnormal number */
        PUT(KT(composed)(s, 1 - KBIAS, 0));              /* the least normal number */
        PUT(KT(composed)(s, KBIAS, all));                /* the largest */
        PUT(KT(composed)(s, KBIAS / 2, all));            /* its square is finite still */
        PUT(KT(composed)(s, -KBIAS / 2 - 3, 5));         /* its square is subnormal */
        PUT(KT(composed)(s, KBIAS + 1, 0));              /* infinity */
        PUT(KT(composed)(s, KBIAS + 1, all));            /* NaN */
        PUT(KT(composed)(s, -2, all));                   /* next below a half */
        PUT(KT(composed)(s, KDIGITS - 1, 1));            /* the last halves */
    }
    PUT(KT(composed)(0, 0, 1));                          /* next to 1 */
    PUT(KT(composed)(0, -1, all));
    PUT(KT(composed)(1, KDIGITS, all));
#undef PUT
    for (i = 0; i < KT(values); i++)
        if (KT(documented)(LETTER_f, KT(value)[i])) KT(finite)[KT(finites)++] = KT(value)[i];
    for (e = -KBIAS - KDIGITS; e <= KBIAS; e++)
        for (s = 0; s < 2; s++) {
            const KREAL v = (KREAL)ldexp(s ? -1.0 : 1.0, e);
            if (KT(documented)(LETTER_p, v)) KT(power)[KT(powers)++] = v;
        }
}

/* Any bits, any size, or of ordinary size, or a special one. */
static KREAL KT(drawn)(unsigned letter)
{
    KREAL v;
    if (letter == LETTER_p) return KT(power)[(size_t)(draw() % KT(powers))];
    do {
        const uint64_t way = draw() >> 8 & 7;
        const KBITS bits = (KBITS)(draw() >> 3);
        const KREAL unit = (KREAL)((double)(draw() >> 11) / 9007199254740992.0);
        if (way == 0) v = KT(value)[(size_t)(draw() % KT(values))];
        else if (way == 1) v = KT(from_bits)(bits);
        else if (way == 2) v = (KREAL)(int)(draw() % 41) - 20;
        else if (way < 5) v = KT(composed)((unsigned)(bits & 1), (int)(draw() % 40) - 20,
                                           (KBITS)(bits >> (sizeof(KBITS) * 8 - KDIGITS)));
        else v = (KREAL)((way == 5 ? 100 : 4) * ((double)unit - 0.5));
        if (v != v) v = KT(composed)(way & 1, KBIAS + 1, (KBITS)1 << (KDIGITS - 1));
    } while (!KT(documented)(letter, v));
    return v;
}

/* The candidates of the letters in a mask, all combinations of them in turn, then random ones. */
typedef struct KT(walk) { unsigned letters; size_t at[LETTERS], draws; int begun; } KT(walk);

static KREAL KT(candidate)(unsigned letter, size_t i, size_t *count)
{
    const KREAL *const list = letter == LETTER_p ? KT(power)
                            : letter == LETTER_f ? KT(finite) : KT(value);
    *count = letter == LETTER_p ? KT(powers) : letter == LETTER_f ? KT(finites) : KT(values);
    return list[i];
}
static int KT(next)(KT(walk) *w, KREAL *at)
{
    unsigned i;
    size_t count;
    if (w->begun) {
        for (i = 0; i < LETTERS; i++) {
            if (!(w->letters >> i & 1)) continue;
            KT(candidate)(i, 0, &count);
            if (++w->at[i] < count) break;
            w->at[i] = 0;
        }
        if (i == LETTERS) {
            w->begun = 1;
            if (w->letters == 0 || w->draws == 0) return 0;
            w->draws--;
            for (i = 0; i < LETTERS; i++) {
                w->at[i] = 0;
                if (w->letters >> i & 1) {
                    KT(candidate)(i, 0, &count);
                    w->at[i] = count - 1;               /* so that the next step ends here too */
                    at[i] = KT(drawn)(i);
                }
            }
            return 1;
        }
    }
    w->begun = 1;
    for (i = 0; i < LETTERS; i++)
        if (w->letters >> i & 1) at[i] = KT(candidate)(i, w->at[i], &count);
    return 1;
}
static KT(walk) KT(walk_of)(unsigned letters, size_t draws)
{
    KT(walk) w;
    memset(&w, 0, sizeof w);
    w.letters = letters;
    w.draws = draws;
    return w;
}

static void KT(print)(unsigned letters, const KREAL *at)
{
    double wide[LETTERS];
    unsigned i;
    for (i = 0; i < LETTERS; i++) wide[i] = letters >> i & 1 ? (double)at[i] : 0;
    print_letters(letters, wide);
}

/* ---- operations: on numbers, with their errors, recorded */

static KREAL KT(real)(unsigned op, const KREAL *a)
{
    switch (op) {
#define X1(name, class_, value, dx)         case ADI_OP_##name: return KA(real_##name)(a[0]);
#define X2(name, class_, value, dx, dy)     case ADI_OP_##name: return KA(real_##name)(a[0], a[1]);
#define X3(name, class_, value, dx, dy, dz)                                                        \
    case ADI_OP_##name: return KA(real_##name)(a[0], a[1], a[2]);
    ADI_READ((X1, X2, X3, ADI_SKIPN, ADI_WORDS(ADI_WORD_TEXT)))
#undef X1
#undef X2
#undef X3
    default: return (KREAL)NAN;
    }
}
static double KT(fold)(uint32_t op, double x, double y, double z)
{
    KREAL a[3];
    a[0] = (KREAL)x;
    a[1] = (KREAL)y;
    a[2] = (KREAL)z;
    return (double)KT(real)(op, a);
}

static KREAL KT(partial)(unsigned op, const KREAL *a, unsigned by)
{
    KA(dual) d[3];
    unsigned i;
    for (i = 0; i < 3; i++) d[i] = KA(dual_make)(a[i], (KREAL)(i == by));
    switch (op) {
#define X1(name, class_, value, dx)         case ADI_OP_##name: return KA(dual_##name)(d[0]).d;
#define X2(name, class_, value, dx, dy)                                                            \
    case ADI_OP_##name: return KA(dual_##name)(d[0], d[1]).d;
#define X3(name, class_, value, dx, dy, dz)                                                        \
    case ADI_OP_##name: return KA(dual_##name)(d[0], d[1], d[2]).d;
    ADI_READ((X1, X2, X3, ADI_SKIPN, ADI_WORDS(ADI_WORD_TEXT)))
#undef X1
#undef X2
#undef X3
    default: return (KREAL)NAN;
    }
}

static KA(var) KT(recorded)(unsigned op, const KA(var) *a)
{
    switch (op) {
#define X1(name, class_, value, dx)         case ADI_OP_##name: return KA(var_##name)(a[0]);
#define X2(name, class_, value, dx, dy)     case ADI_OP_##name: return KA(var_##name)(a[0], a[1]);
#define X3(name, class_, value, dx, dy, dz)                                                        \
    case ADI_OP_##name: return KA(var_##name)(a[0], a[1], a[2]);
    ADI_READ((X1, X2, X3, ADI_SKIPN, ADI_WORDS(ADI_WORD_TEXT)))
#undef X1
#undef X2
#undef X3
    default: return KA(const)((KREAL)NAN);
    }
}

/* ---- sides */

static KREAL KT(compute)(const uint8_t **p, const KREAL *at)
{
    const unsigned what = *(*p)++;
    KREAL a[3] = { 0, 0, 0 };
    unsigned i;
    if (what >= ADI_IS_zero) return (KREAL)adi_named[what - ADI_IS_zero];
    if (what >= ADI_IS_x) return at[what - ADI_IS_x];
    for (i = 0; i < adi_arity(what); i++) a[i] = KT(compute)(p, at);
    return KT(real)(what, a);
}
static KREAL KT(side)(const uint8_t *side, const KREAL *at) { return KT(compute)(&side, at); }

/* A number, and how far it may be from what exact arithmetic would give: infinitely if nobody
   knows. */
typedef struct KT(measured) { KREAL v; double error; } KT(measured);

static KT(measured) KT(measure)(const uint8_t **p, const KREAL *at)
{
    const unsigned what = *(*p)++;
    KT(measured) r, m;
    KREAL a[3] = { 0, 0, 0 };
    double error[3] = { 0, 0, 0 };
    unsigned i;
    r.error = 0;
    if (what >= ADI_IS_x) {
        r.v = what >= ADI_IS_zero ? (KREAL)adi_named[what - ADI_IS_zero] : at[what - ADI_IS_x];
    } else {
        for (i = 0; i < adi_arity(what); i++) {
            m = KT(measure)(p, at);
            a[i] = m.v;
            error[i] = m.error;
        }
        r.v = KT(real)(what, a);
        r.error = ldexp(fabs((double)r.v), -KDIGITS) + ldexp(1.0, 1 - KBIAS - KDIGITS);
        for (i = 0; i < adi_arity(what); i++)
            if (error[i] != 0) r.error += error[i] * fabs((double)KT(partial)(what, a, i));
    }
    if (r.v - r.v != 0 || r.error - r.error != 0) r.error = (double)INFINITY;
    return r;
}

/* ---- true, by scalars */

static void KT(test_true)(size_t row)
{
    const adi_rewrite *const r = side_of(row);
    const unsigned letters = left_letters(row);
    KT(walk) w = KT(walk_of)(letters, DRAWS);
    KREAL at[LETTERS];
    unsigned long n = 0;
    memset(at, 0, sizeof at);
    while (!is_stop(row) && KT(next)(&w, at)) {
        const uint8_t *p = r->left, *q = r->right;
        if (is_fast(row)) {
            const KT(measured) a = KT(measure)(&p, at), b = KT(measure)(&q, at);
            const double allowed = 2 * (a.error + b.error);
            unsigned i;
            for (i = 0; i < LETTERS && at[i] - at[i] == 0; i++) continue;
            if (i < LETTERS || allowed - allowed != 0) continue;
            n++;
            if (fabs((double)a.v - (double)b.v) <= allowed) continue;
            if (!fails(row, T_TRUE, KNAME)) continue;
            KT(print)(letters, at);
            printf("gives %.17g, not %.17g, with an error of %.3g allowed\n", (double)b.v,
                   (double)a.v, allowed);
        } else {
            const KREAL a = KT(compute)(&p, at), b = KT(compute)(&q, at);
            n++;
            if (KT(same)(a, b) || !fails(row, T_TRUE, KNAME)) continue;
            KT(print)(letters, at);
            printf("gives %.17g (%a), not %.17g (%a)\n", (double)b, (double)b, (double)a,
                   (double)a);
        }
    }
    if (n < LEAST_COMPARED && !is_stop(row) && fails(row, T_TRUE, KNAME))
        printf("only %lu points could be compared\n", n);
    compared += n;
}

/* ---- functions */

static KA(var) KT(record)(const uint8_t **p, const KA(var) *bound)
{
    const unsigned what = *(*p)++;
    KA(var) a[3];
    unsigned i;
    if (what >= ADI_IS_zero) return KA(const)((KREAL)adi_named[what - ADI_IS_zero]);
    if (what >= ADI_IS_x) return bound[what - ADI_IS_x];
    for (i = 0; i < adi_arity(what); i++) a[i] = KT(record)(p, bound);
    return KT(recorded)(what, a);
}

/* A function of x, y, z: the row's left side with the numbers in at; and if m is 2 the sine of its
   first operand. */
static KA(fn) *KT(function)(KA(tape) *t, size_t row, size_t m, const KREAL *at, unsigned flags,
    unsigned skip)
{
    const uint8_t *p = side_of(row)->left;
    const unsigned op = *p++;
    KA(var) bound[LETTERS], a[3], y[2];
    ad_fn_desc desc;
    KA(fn) *f;
    unsigned i;
    memset(&desc, 0, sizeof desc);
    desc.flags = flags;
    desc.skip = skip;
    KA(tape_reset)(t);
    for (i = 0; i < LETTERS; i++)
        bound[i] = i < VARIABLES ? KA(input)(t, (KREAL)(0.4375 + 0.1875 * i)) : KA(const)(at[i]);
    for (i = 0; i < adi_arity(op); i++) a[i] = KT(record)(&p, bound);
    y[0] = KT(recorded)(op, a);
    y[1] = KA(var_sin)(a[0]);
    f = KA(fn_create)(t, VARIABLES, bound, m, y, &desc);
    if (KA(fn_status)(f) != AD_OK && fails(row, T_FUNCTION, KNAME))
        printf("%s\n", KA(fn_message)(f));
    return f;
}

/* The rewritten function against the other, at one point and at many, `shared` being the variable
   that all points share, if any. */
typedef struct KT(pair) {
    size_t row;
    unsigned letters;
    KA(fn) *on, *off;
    size_t n;
    const KREAL *at;                     /* the numbers, and what is shared */
} KT(pair);
static KREAL KT(x)[VARIABLES][MOST_POINTS], KT(y)[2][2][MOST_POINTS];

static void KT(tell_map)(const KT(pair) *f, const char *where, trouble what, size_t i,
    unsigned shared, KREAL a, KREAL b)
{
    KREAL at[LETTERS];
    unsigned j;
    if (!fails(f->row, what, KNAME)) return;
    memcpy(at, f->at, sizeof at);
    for (j = 0; j < VARIABLES; j++)
        if (j != shared) at[j] = KT(x)[j][i];
    printf("%s: ", where);
    KT(print)(f->letters, at);
    if (shared < VARIABLES) printf("(%c is shared) ", "xyz"[shared]);
    printf("gives %.17g (%a), not %.17g (%a)\n", (double)a, (double)a, (double)b, (double)b);
}

static void KT(test_map)(const KT(pair) *f, unsigned shared)
{
    KA(port) in[VARIABLES], out[2];
    ad_map_desc desc;
    size_t l, i;
    unsigned j;
    memset(&desc, 0, sizeof desc);
    for (j = 0; j < VARIABLES; j++)
        in[j] = j == shared ? KA(port_shared)(f->at + j) : KA(port_in)(KT(x)[j], 1);
    for (l = 0; l < LEVELS; l++) {
        ad_status s[2];
        if (!ad_kernels_get(every_level[l])) continue;
        desc.simd = every_level[l];
        for (i = 0; i < 2; i++) {
            for (j = 0; j < 2; j++) {
                memset(KT(y)[i][j], i ? 0x55 : 0xAA, f->n * sizeof(KREAL));
                out[j] = KA(port_out)(KT(y)[i][j], 1);
            }
            s[i] = KA(fn_map)(i ? f->off : f->on, f->n, in, out, &desc);
        }
        if ((s[0] != AD_OK || s[1] != AD_OK) && fails(f->row, T_FUNCTION, KNAME))
            printf("ad_fn_map: %s, %s\n", ad_status_name(s[0]), ad_status_name(s[1]));
        for (j = 0; j < 2; j++)
            for (i = 0; i < f->n; i++)
                if (!KT(same)(KT(y)[0][j][i], KT(y)[1][j][i]))
                    KT(tell_map)(f, ad_simd_name(desc.simd), T_MAP, i, shared, KT(y)[0][j][i],
                                 KT(y)[1][j][i]);
        mapped += (unsigned long)f->n;
    }
}

static void KT(test_eval)(const KT(pair) *f)
{
    KREAL at[LETTERS], y[2][2];
    size_t i;
    unsigned j;
    memcpy(at, f->at, sizeof at);
    for (i = 0; i < f->n; i++) {
        KREAL want;
        for (j = 0; j < VARIABLES; j++) at[j] = KT(x)[j][i];
        want = KT(side)(side_of(f->row)->left, at);
        memset(y, 0, sizeof y);
        if (KA(fn_eval)(f->on, at, y[0]) != AD_OK || KA(fn_eval)(f->off, at, y[1]) != AD_OK) {
            if (fails(f->row, T_FUNCTION, KNAME)) printf("ad_fn_eval failed\n");
            return;
        }
        for (j = 0; j < 2; j++)
            if (!KT(same)(y[j][0], want))
                KT(tell_map)(f, j ? "as it was" : "rewritten", T_EVAL, i, VARIABLES, y[j][0], want);
        if (!KT(same)(y[0][1], y[1][1]))
            KT(tell_map)(f, "sine", T_EVAL, i, VARIABLES, y[0][1], y[1][1]);
    }
}

/* All points of the variables but those that at holds. */
static size_t KT(points)(unsigned letters, const KREAL *at, size_t draws)
{
    KT(walk) w = KT(walk_of)(letters, draws);
    KREAL x[LETTERS];
    size_t n = 0, j;
    memcpy(x, at, sizeof x);
    while (n < MOST_POINTS && KT(next)(&w, x)) {
        for (j = 0; j < VARIABLES; j++) KT(x)[j][n] = x[j];
        n++;
        if (!w.letters) break;
    }
    return n;
}

static void KT(test_functions)(KA(tape) *t, size_t row)
{
    const unsigned letters = left_letters(row);
    KT(walk) w = KT(walk_of)(letters & NUMBERS_MASK, 20);
    KREAL at[LETTERS];
    KT(pair) f;
    size_t i;
    unsigned j;
    if (is_fast(row)) return;
    memset(at, 0, sizeof at);
    f.row = row;
    f.letters = letters;
    f.at = at;
    while (KT(next)(&w, at)) {
        int exponent;
        if (letters >> LETTER_p & 1) {                   /* of the many powers few */
            frexp((double)at[LETTER_p], &exponent);
            if (exponent % 17 != 2 && exponent != KBIAS && exponent != 3 - KBIAS
                && abs(exponent) > 3) continue;
        }
        f.on = KT(function)(t, row, 2, at, 0, 0);
        f.off = KT(function)(t, row, 2, at, 0, AD_FN_RULES | AD_FN_REDUCE);
        f.n = KT(points)(letters & VARIABLES_MASK, at, DRAWS);
        KT(test_eval)(&f);
        KT(test_map)(&f, VARIABLES);
        for (j = 0; j < VARIABLES; j++) {
            if (!(letters >> j & 1)) continue;
            for (i = 0; i < KT(values); i++) {
                at[j] = KT(value)[i];
                f.n = KT(points)(letters & VARIABLES_MASK & ~(1u << j), at, 0);
                if (f.n < 3) f.n = 1;
                KT(test_map)(&f, j);
            }
            at[j] = 0;
        }
        KA(fn_destroy)(f.on);
        KA(fn_destroy)(f.off);
        if (!(letters & NUMBERS_MASK)) break;
    }
}

/* ---- reached */

/* Which numbers a letter takes is what the table's text says. */
static void KT(test_letters)(void)
{
    static const uint8_t letter[4] = { ADI_IS_k, ADI_IS_l, ADI_IS_f, ADI_IS_p };
    adi_memory memory;
    adi_graph g;
    uint32_t bound[LETTERS], v;
    size_t i, j, row;
    memset(&memory, 0, sizeof memory);
    memory.resize = adi_libc_resize;
    adi_graph_init(&g, &memory, 0, 0, KT(fold));
    for (j = 0; j < 4; j++)
        for (i = 0; i < KT(values) + KT(powers); i++) {
            const KREAL x = i < KT(values) ? KT(value)[i] : KT(power)[i - KT(values)];
            const double size = fabs((double)x);
            int may, taken;
            v = adi_graph_number(&g, (double)x);
            memset(bound, 0xFF, sizeof bound);
            may = KT(documented)((unsigned)(LETTER_k + j), x);
            taken = adi_match(&g, letter + j, v, bound) != NULL;
            if (taken ? may : !may || size < 1e-30 || size > 1e30) continue;
            for (row = 0; !(left_letters(row) >> (LETTER_k + j) & 1); row++) continue;
            if (fails(row, T_LETTER, KNAME))
                printf("%c %s %a\n", "klfp"[j], taken ? "takes" : "does not take", (double)x);
        }
    adi_graph_free(&g);
}

static void KT(bind)(adi_graph *g, const double *numbers, const unsigned *order, uint32_t *bound)
{
    unsigned i;
    uint32_t input[VARIABLES];
    for (i = 0; i < VARIABLES; i++)
        input[i] = adi_graph_node(g, ADI_NODE_input, i, ADI_NONE, ADI_NONE);
    for (i = 0; i < VARIABLES; i++) bound[i] = input[order[i]];
    for (i = VARIABLES; i < LETTERS; i++)
        bound[i] = adi_graph_number(g, (double)(KREAL)numbers[i - VARIABLES]);
}

static const unsigned KT(order)[6][VARIABLES] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
    { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };

static size_t KT(nodes_of)(adi_memory *memory, const uint8_t *side)
{
    adi_graph g;
    uint32_t bound[LETTERS], v;
    uint8_t seen[64];
    size_t n;
    adi_graph_init(&g, memory, 0, 0, KT(fold));
    memset(g.first_row, 0xFF, sizeof g.first_row);
    KT(bind)(&g, assigned[0], KT(order)[0], bound);
    v = build_side(&g, side, bound, 0);
    memset(seen, 0, sizeof seen);
    n = operations(&g, v, seen);
    adi_graph_free(&g);
    return n;
}

static ad_fn_stats KT(stats_of)(KA(tape) *t, size_t row, unsigned flags, unsigned skip)
{
    KREAL at[LETTERS];
    ad_fn_stats s;
    KA(fn) *f;
    unsigned i;
    for (i = 0; i < LETTERS; i++)
        at[i] = i < VARIABLES ? 0 : (KREAL)assigned[0][i - VARIABLES];
    f = KT(function)(t, row, 1, at, flags, skip);
    s = KA(fn_get_stats)(f);
    KA(fn_destroy)(f);
    return s;
}

static void KT(test_reached)(KA(tape) *t, adi_memory *memory, size_t row)
{
    static const unsigned both = AD_FN_RULES | AD_FN_REDUCE;
    const adi_rewrite *const r = side_of(row);
    const int stop = is_stop(row), reduces = r->when == ADI_WHEN_REDUCE;
    const size_t left = KT(nodes_of)(memory, r->left);
    const size_t right = stop ? left : KT(nodes_of)(memory, r->right);
    const unsigned flags = is_fast(row) ? AD_FN_FAST : 0;
    const ad_fn_stats on = KT(stats_of)(t, row, flags, 0);
    const ad_fn_stats off = KT(stats_of)(t, row, flags, both);
    const ad_fn_stats alone = KT(stats_of)(t, row, flags, reduces ? AD_FN_REDUCE : AD_FN_RULES);
    const ad_fn_stats exact = KT(stats_of)(t, row, 0, 0);
    if ((on.nodes != right || (reduces ? on.reduced : on.rewritten) != (stop ? 0u : 1u))
        && fails(row, T_REACHED, KNAME))
        printf("%lu nodes, not %lu; %lu rewritten, %lu reduced\n", (unsigned long)on.nodes,
               (unsigned long)right, (unsigned long)on.rewritten, (unsigned long)on.reduced);
    if ((off.nodes != left || off.rewritten || off.reduced) && fails(row, T_OFF, KNAME))
        printf("%lu nodes, not %lu; %lu rewritten, %lu reduced\n", (unsigned long)off.nodes,
               (unsigned long)left, (unsigned long)off.rewritten, (unsigned long)off.reduced);
    if ((reduces ? alone.reduced : alone.rewritten) && fails(row, T_OFF, KNAME))
        printf("its pass alone: %lu rewritten, %lu reduced\n", (unsigned long)alone.rewritten,
               (unsigned long)alone.reduced);
    if (is_fast(row) && (exact.nodes != left || exact.rewritten) && fails(row, T_OFF, KNAME))
        printf("without AD_FN_FAST %lu nodes, not %lu; %lu rewritten\n",
               (unsigned long)exact.nodes, (unsigned long)left, (unsigned long)exact.rewritten);
}

/* Whatever the order of the inputs and of commutative operands, the right side comes out. */
static void KT(test_orders)(adi_memory *memory, size_t row)
{
    const adi_rewrite *const r = side_of(row);
    uint32_t bound[LETTERS], a, b;
    adi_graph g;
    unsigned i, swaps;
    size_t done;
    for (i = 0; i < 6; i++)
        for (swaps = 0; swaps < 16 && !is_stop(row); swaps++) {
            adi_graph_init(&g, memory, is_fast(row) ? AD_FN_FAST : 0, 0, KT(fold));
            KT(bind)(&g, assigned[0], KT(order)[i], bound);
            a = build_side(&g, r->left, bound, swaps);
            done = g.rewritten + g.reduced;
            b = build_side(&g, r->right, bound, 0);
            if ((done == 0 || a != b) && fails(row, T_ORDER, KNAME))
                printf("inputs %u %u %u, exchanged %x: rewritten %lu times\n", KT(order)[i][0],
                       KT(order)[i][1], KT(order)[i][2], swaps, (unsigned long)done);
            adi_graph_free(&g);
        }
}

/* Without the row something else comes out, or by another way. */
static void KT(test_earlier)(adi_memory *memory, size_t row)
{
    const adi_rewrite *const r = side_of(row);
    uint32_t bound[LETTERS], a, b;
    adi_graph g, h;
    unsigned i, k;
    int matters = 0;
    for (i = 0; i < 6; i++)
        for (k = 0; k < ASSIGNMENTS; k++) {
            adi_graph_init(&g, memory, is_fast(row) ? AD_FN_FAST : 0, 0, KT(fold));
            adi_graph_init(&h, memory, g.flags, 0, KT(fold));
            without_row(&h, row);
            KT(bind)(&g, assigned[k], KT(order)[i], bound);
            KT(bind)(&h, assigned[k], KT(order)[i], bound);
            a = build_side(&g, r->left, bound, 0);
            b = build_side(&h, r->left, bound, 0);
            matters |= g.rewritten != h.rewritten || g.reduced != h.reduced
                || !same_form(&g, a, &h, b);
            adi_graph_free(&g);
            adi_graph_free(&h);
        }
    if (!matters && fails(row, T_EARLIER, KNAME)) printf("without the row nothing changes\n");
}

/* ---- ended */

static KREAL KT(node_value)(const adi_graph *g, uint32_t v, const KREAL *x)
{
    const adi_node *const u = &g->node[v];
    KREAL a[3] = { 0, 0, 0 };
    unsigned i;
    if (u->op == ADI_NODE_number) return (KREAL)g->number[u->arg[0]];
    if (u->op == ADI_NODE_input) return x[u->arg[0]];
    for (i = 0; i < adi_arity(u->op); i++) a[i] = KT(node_value)(g, u->arg[i], x);
    return KT(real)(u->op, a);
}

/* The row's left side, with the left side of `inner` for letter `by`. */
static void KT(test_end)(adi_memory *memory, size_t row, size_t inner, unsigned by,
    const double *numbers, unsigned flags, unsigned skip)
{
    const unsigned *const order = KT(order)[(row + inner) % 6];
    uint32_t bound[LETTERS], v;
    KREAL at[LETTERS], x[VARIABLES];
    adi_graph g;
    unsigned i, k;
    adi_graph_init(&g, memory, flags, skip, KT(fold));
    KT(bind)(&g, numbers, order, bound);
    if (inner < ROWS) bound[by] = build_side(&g, side_of(inner)->left, bound, 0);
    v = build_side(&g, side_of(row)->left, bound, 0);
    formed++;
    if (g.status != AD_OK && fails(row, T_END, KNAME)) printf("%s\n", ad_status_name(g.status));
    for (k = 0; k < 12 && !flags && g.status == AD_OK; k++) {
        KREAL want, have;
        for (i = 0; i < VARIABLES; i++) x[i] = KT(drawn)(i);
        for (i = 0; i < VARIABLES; i++) at[i] = x[order[i]];
        for (; i < LETTERS; i++) at[i] = (KREAL)numbers[i - VARIABLES];
        if (inner < ROWS) at[by] = KT(side)(side_of(inner)->left, at);
        want = KT(side)(side_of(row)->left, at);
        have = KT(node_value)(&g, v, x);
        if (KT(same)(want, have) || !fails(row, T_TOGETHER, KNAME)) continue;
        if (inner < ROWS) printf("%c = %s: ", "xyz"[by], row_text[inner].left);
        KT(print)(left_letters(row), at);
        printf("gives %.17g, not %.17g\n", (double)have, (double)want);
    }
    if (g.status == AD_OK && !is_final(&g, v) && fails(row, T_END, KNAME)) {
        if (inner < ROWS) printf("%c = %s: ", "xyz"[by], row_text[inner].left);
        printf("flags %u, skip %u: it can be rewritten further\n", flags, skip);
    }
    adi_graph_free(&g);
}

static void KT(everything)(void)
{
    static const unsigned skip[] = { 0, AD_FN_FOLD, AD_FN_REDUCE };
    KA(tape) *const t = KA(tape_create)(NULL);
    adi_memory memory;
    size_t row, inner, k, s;
    unsigned by, flags;
    memset(&memory, 0, sizeof memory);
    memory.resize = adi_libc_resize;
    KT(collect)();
    KT(test_letters)();
    for (row = 0; row < ROWS; row++)
        for (flags = 0; flags <= AD_FN_FAST; flags += AD_FN_FAST)
            for (s = 0; s < sizeof skip / sizeof skip[0]; s++)
                for (k = 0; k < ASSIGNMENTS; k++)
                    KT(test_end)(&memory, row, ROWS, 0, assigned[k], flags, skip[s]);
    for (row = 0; row < ROWS; row++) {
        KT(test_true)(row);
        KT(test_reached)(t, &memory, row);
        KT(test_orders)(&memory, row);
        KT(test_earlier)(&memory, row);
        KT(test_functions)(t, row);
        for (flags = 0; flags <= AD_FN_FAST; flags += AD_FN_FAST)
            for (s = 0; s < sizeof skip / sizeof skip[0]; s++)
                for (k = 0; k < ASSIGNMENTS; k++)
                    for (by = 0; by < VARIABLES; by++)
                        for (inner = 0; inner < ROWS; inner++)
                            if (left_letters(row) >> by & 1 && !told[row][T_END]
                                && !told[inner][T_END])
                                KT(test_end)(&memory, row, inner, by, assigned[k], flags, skip[s]);
    }
    KA(tape_destroy)(t);
}

#endif
