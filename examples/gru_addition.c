/* A recurrent network with gates (GRU, Cho et al. 2014) learns to add: it reads two binary numbers
   a digit at a time, the least first, and writes their sum. It must keep the carry in mind. Of the
   pairs of numbers a sixteenth is never shown to it; the sums of 2,000 of these must all be right
   in the end, three times in a row. Exit code 1 if not.

       cc -O2 examples/gru_addition.c -o gru_addition -lm && ./gru_addition                       */
#ifdef ARRAY            /* the network, which learn.h includes twice: for floats and for doubles */

static ARRAY NET(gate)(ARRAY a, int32_t k) { return OP(slice)(a, 0, k, k + 1, 1); }

/* The logits of the sums' digits: [step, pair, 1]. The three gates are a stack of matrices: one
   product serves all of them. */
static ARRAY NET(logits)(TAPE *t, const ARRAY *w, const sums *s)
{
    int32_t input[3] = { STEPS, 0, 2 }, state[3] = { 1, 0, UNITS };
    ARRAY x, h, y[STEPS];
    int32_t k;
    input[1] = state[1] = s->pairs;
    x = NET(data)(t, 3, input, s->digit);
    h = OP(full)(t, 3, state, 0);
    for (k = 0; k < STEPS; k++) {                /* [1, pairs, 2] by [3, 2, UNITS], and so on */
        const ARRAY a = OP(add)(OP(matmul)(NET(gate)(x, k), w[INPUT]), w[BIAS]);
        const ARRAY b = OP(matmul)(h, w[STATE]);
        const ARRAY reset = OP(sigmoid)(OP(add)(NET(gate)(a, 0), NET(gate)(b, 0)));
        const ARRAY update = OP(sigmoid)(OP(add)(NET(gate)(a, 1), NET(gate)(b, 1)));
        const ARRAY next = OP(tanh)(OP(fma)(reset, NET(gate)(b, 2), NET(gate)(a, 2)));
        h = OP(fma)(update, OP(sub)(next, h), h);
        y[k] = OP(matmul)(h, w[OUT]);
    }
    return OP(add)(OP(concatenate)(STEPS, y, 0), w[OUT_BIAS]);
}

static ARRAY NET(loss)(TAPE *t, const ARRAY *w, const void *data)
{
    const sums *const s = (const sums *)data;
    int32_t dim[3] = { STEPS, 0, 1 };
    dim[1] = s->pairs;
    return OP(binary_cross_entropy)(NET(logits)(t, w, s), NET(data)(t, 3, dim, s->sum), AD_MEAN);
}

#else                   /* the program */
#ifndef EXAMPLE_LINKED                       /* else the implementation is in another file */
#define AUTODIFF_CHECK
#define AUTODIFF_IMPLEMENTATION
#endif
#include "../autodiff.h"

enum { DIGITS = 20, STEPS = DIGITS + 1, BATCH = 64, UNITS = 16, TESTS = 2000, MOST = 4000 };
enum { INPUT, STATE, BIAS, OUT, OUT_BIAS, PARTS };

/* Digits of pairs of numbers, and of their sums: [digit, pair]. */
typedef struct sums {
    int32_t pairs;
    float   digit[STEPS * BATCH * 2], sum[STEPS * BATCH];
} sums;

#define LEARN_NETWORK "gru_addition.c"
#include "learn.h"

static const learn_part parts[PARTS] = {
    { "input", 3, { 3, 2, UNITS }, 2 }, { "state", 3, { 3, UNITS, UNITS }, UNITS },
    { "bias",  3, { 3, 1, UNITS }, 0 }, { "out",   2, { UNITS, 1 },        UNITS },
    { "out_bias", 1, { 1 }, 0 }
};

static uint32_t draw(uint32_t most)                                    /* 0 ... most - 1 */
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % most;
}

/* New pairs, to learn from or to test with. */
static void fill(sums *s, int32_t pairs, int test)
{
    int32_t i, k;
    s->pairs = pairs;
    for (i = 0; i < pairs; i++) {
        uint32_t a, b;
        do {
            a = draw(1u << DIGITS);
            b = draw(1u << DIGITS);
        } while (((a * 2654435761u ^ b * 2246822519u) >> 28 == 0) != test);
        for (k = 0; k < STEPS; k++) {
            s->digit[(k * pairs + i) * 2] = (float)(a >> k & 1);
            s->digit[(k * pairs + i) * 2 + 1] = (float)(b >> k & 1);
            s->sum[k * pairs + i] = (float)((a + b) >> k & 1);
        }
    }
}

/* How many of TESTS unseen pairs are added without a wrong digit. */
static int count_right(learner *l, sums *s)
{
    int tested, right = 0, i, k;
    for (tested = 0; tested < TESTS; tested += s->pairs) {
        adf_array w[LEARN_PARTS];
        const float *y;
        fill(s, TESTS - tested < BATCH ? TESTS - tested : BATCH, 1);
        float_begin(l, l->x, 1, w);
        y = adf_array_values(float_logits(l->float_tape, w, s));
        for (i = 0; y && i < s->pairs; i++) {
            int good = 1;
            for (k = 0; k < STEPS; k++)
                good = good && (y[k * s->pairs + i] > 0) == (s->sum[k * s->pairs + i] > 0.5f);
            right += good;
        }
    }
    return right;
}

int main(void)
{
    static sums s;
    int step, right = 0, in_a_row = 0;
    learner l;
    fill(&s, 4, 0);
    if (!learn_check(PARTS, parts, &s) || !learn_create(&l, PARTS, parts, &s)) return 1;
    for (step = 1; step <= MOST && in_a_row < 3; step++) {
        float loss;
        fill(&s, BATCH, 0);
        loss = float_value(l.x, l.n, l.g, &l);
        learn_step(&l, adf_rate_cosine(0.01f, 0.001f, MOST, l.step));
        if (step % 20 != 0) continue;
        right = count_right(&l, &s);
        in_a_row = right == TESTS ? in_a_row + 1 : 0;
        printf("step %4d: loss %.5f, %4d of %d unseen sums are right in all %d digits\n", step,
               (double)loss, right, TESTS, STEPS);
        fflush(stdout);
    }
    learn_destroy(&l);
    return in_a_row < 3;
}
#endif
