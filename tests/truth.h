/* An outside truth for random programs (tests/programs.h): their values in long double, from the
   definitions of the rules alone, and derivatives by differences of these. No derivative of any
   rule is written here, and nothing of the library is called.
       truth_result t;
       truth_along(&p, x, v, h, noise, &t);
   of the program at x[p.inputs], along v[p.inputs], with steps from h downwards; noise[p.outputs]:
   how far rounding can move the values. First and second derivatives are extrapolated to step 0
   (Ridders 1982); t says how far they can be off, which is infinite where most steps cross a jump
   or go another way at a branch. */
#ifndef TRUTH_H
#define TRUTH_H
#include "programs.h"

typedef long double truth_real;
typedef struct truth_number { double value, error; } truth_number;
typedef struct truth { truth_number first[PROGRAM_OUTPUTS], second[PROGRAM_OUTPUTS]; } truth_result;

/* The order-th derivative of digamma: its recurrence up to 30, then Abramowitz & Stegun 6.4.11. */
PROGRAM_DEF truth_real truth_psi(truth_real x, truth_real order)
{
    static const double bernoulli[] = { 1 / 6.0, -1 / 30.0, 1 / 42.0, -1 / 30.0, 5 / 66.0,
        -691 / 2730.0, 7 / 6.0, -3617 / 510.0 };
    const int n = (int)order;
    truth_real sum = 0, factorial = 1, term, sign = n % 2 ? 1 : -1;
    int k;
    if (!(x > -1000) || n != order || n < 0 || n > 8) return (truth_real)NAN;
    for (k = 2; k <= n; k++) factorial *= k;                 /* n! */
    for (; x < 30; x++) sum += factorial / powl(x, (truth_real)(n + 1));
    sum += n == 0 ? 1 / (2 * x) - logl(x) : factorial / n * powl(x, (truth_real)-n)
        + factorial / 2 * powl(x, (truth_real)(-n - 1));
    for (k = 1; k <= 8; k++) {                               /* (2k+n-1)!/(2k)! */
        int j;
        for (term = 1, j = 2; j < 2 * k + n; j++) term *= j;
        for (j = 2; j <= 2 * k; j++) term /= j;
        sum += (truth_real)bernoulli[k - 1] * term * powl(x, (truth_real)(-2 * k - n));
    }
    return sign * sum;
}
PROGRAM_DEF truth_real truth_times(truth_real x, truth_real y)
{
    return x == 0 || y == 0 ? 0 : x * y;
}
PROGRAM_DEF truth_real truth_logistic(truth_real x) { return 1 / (1 + expl(-x)); }

#define TRUTH(name, value)                                                                         \
PROGRAM_DEF truth_real truth_##name(truth_real x, truth_real y, truth_real z)                      \
{                                                                                                  \
    (void)x;                                                                                       \
    (void)y;                                                                                       \
    (void)z;                                                                                       \
    return value;                                                                                  \
}
TRUTH(neg, -x)                      TRUTH(add, x + y)               TRUTH(sub, x - y)
TRUTH(mul, x * y)                   TRUTH(div, x / y)               TRUTH(sub0, x == y ? 0 : x - y)
TRUTH(mul0, truth_times(x, y))      TRUTH(div0, y == 0 ? 0 : x / y) TRUTH(fma, x * y + z)
TRUTH(abs, fabsl(x))                TRUTH(copysign, copysignl(x, y))
TRUTH(sign, x > 0 ? 1 : x < 0 ? -1 : x)
TRUTH(sqrt, sqrtl(x))               TRUTH(cbrt, cbrtl(x))           TRUTH(square, x * x)
TRUTH(inv, 1 / x)                   TRUTH(hypot, hypotl(x, y))      TRUTH(pow, powl(x, y))
TRUTH(ipow, powl(x, truncl(y)))     TRUTH(exp, expl(x))             TRUTH(exp2, exp2l(x))
TRUTH(expm1, expm1l(x))             TRUTH(log, logl(x))             TRUTH(log2, log2l(x))
TRUTH(log10, log10l(x))             TRUTH(log1p, log1pl(x))         TRUTH(sin, sinl(x))
TRUTH(cos, cosl(x))                 TRUTH(tan, tanl(x))
TRUTH(sinc, x == 0 ? 1 : sinl(x) / x)
TRUTH(asin, asinl(x))               TRUTH(acos, acosl(x))           TRUTH(atan, atanl(x))
TRUTH(atan2, atan2l(x, y))          TRUTH(sinh, sinhl(x))           TRUTH(cosh, coshl(x))
TRUTH(tanh, tanhl(x))               TRUTH(asinh, asinhl(x))         TRUTH(acosh, acoshl(x))
TRUTH(atanh, atanhl(x))             TRUTH(erf, erfl(x))             TRUTH(erfc, erfcl(x))
TRUTH(lgamma, lgammal(x))           TRUTH(digamma, truth_psi(x, 0))
TRUTH(trigamma, truth_psi(x, 1))
TRUTH(polygamma, truth_psi(x, y))
TRUTH(sigmoid, truth_logistic(x))   TRUTH(softplus, x > 0 ? x + log1pl(expl(-x)) : log1pl(expl(x)))
TRUTH(logaddexp, x > y ? x + log1pl(expl(y - x)) : y + log1pl(expl(x - y)))
TRUTH(relu, x > 0 ? x : 0)          TRUTH(leaky_relu, x > 0 ? x : y * x)
TRUTH(elu, x > 0 ? x : y * expm1l(x))
TRUTH(selu, 1.0507009873554804934193349852946L
      * (x > 0 ? x : 1.6732632423543772848170429916717L * expm1l(x)))
TRUTH(gelu, truth_times(x / 2, erfcl(-x / sqrtl(2))))
TRUTH(gelu_tanh, truth_times(x, truth_logistic(2 * sqrtl(2 / acosl(-1))
                                               * (x + 0.044715L * x * x * x))))
TRUTH(silu, truth_times(x, truth_logistic(x)))
TRUTH(min, x < y || x != x ? x : y) TRUTH(max, x > y || x != x ? x : y)
TRUTH(clamp, x < y ? y < z ? y : z : x < z ? x : z)
TRUTH(floor, floorl(x))             TRUTH(ceil, ceill(x))           TRUTH(round, roundl(x))
TRUTH(trunc, truncl(x))             TRUTH(fmod, fmodl(x, y))        TRUTH(lt, x < y)
TRUTH(le, x <= y)                   TRUTH(gt, x > y)                TRUTH(ge, x >= y)
TRUTH(eq, x == y)                   TRUTH(ne, x != y)               TRUTH(select, x != 0 ? y : z)
#undef TRUTH

typedef truth_real (*truth_rule)(truth_real, truth_real, truth_real);
static const truth_rule truth_rules[] = {                    /* as program_rules */
#define X1(name, class_, value, dx)         truth_##name,
#define X2(name, class_, value, dx, dy)     truth_##name,
#define X3(name, class_, value, dx, dy, dz) truth_##name,
    ADI_READ((X1, X2, X3, ADI_SKIPN, ADI_WORDS(ADI_WORD_TEXT)))
#undef X1
#undef X2
#undef X3
};

PROGRAM_DEF void truth_step(const program *p, const program_step *s, const truth_real *a,
                            truth_real *r)
{
    truth_real c[PROGRAM_OPERANDS + 1];
    const size_t n = s->n;
    truth_real sum = 0, most = -HUGE_VALL;
    size_t i, j, d;
    c[0] = 0;
    for (i = 0; i < s->numbers; i++) c[i] = (truth_real)p->number[s->number + i];
    switch (s->form) {
    case STEP_NUMBER: sum = c[0]; break;
    case STEP_ONE: sum = truth_rules[s->rule](a[0], 0, 0); break;
    case STEP_TWO: sum = truth_rules[s->rule](a[0], a[1], 0); break;
    case STEP_THREE: sum = truth_rules[s->rule](a[0], a[1], a[2]); break;
    case STEP_RIGHT: sum = truth_rules[s->rule](a[0], c[0], 0); break;
    case STEP_LEFT: sum = truth_rules[s->rule](c[0], a[0], 0); break;
    case STEP_SUM: for (i = 0; i < n; i++) sum += a[i]; break;
    case STEP_DOT: for (i = 0; i < n / 2; i++) sum += a[i] * a[n / 2 + i]; break;
    case STEP_LINCOMB: for (i = 0; i < n; i++) sum += c[i] * a[i]; break;
    case STEP_NORM:
        for (i = 0; i < n; i++) sum = hypotl(sum, a[i]);
        break;
    case STEP_LOGSUMEXP:
        for (i = 0; i < n; i++) most = a[i] > most ? a[i] : most;
        for (i = 0; i < n; i++) sum += expl(a[i] - most);
        sum = n ? most + logl(sum) : most;
        break;
    case STEP_POLYVAL: case STEP_POLY:
        j = s->form == STEP_POLY;
        d = j ? (size_t)c[0] : 0;
        for (i = s->numbers - j; i-- > d;) {
            truth_real factor = c[j + i];
            size_t k;
            for (k = 0; k < d; k++) factor *= (truth_real)(i - k);
            sum = sum * a[0] + factor;
        }
        break;
    case STEP_POWI: sum = powl(a[0], c[0]); break;
    case STEP_CALL:
        for (i = 0; i < s->m; i++)
            r[i] = sinl(a[i % n]) * a[(i + 1) % n] + a[i % n] * 0.25L * (truth_real)i;
        return;
    case STEP_BRANCH: return;
    }
    r[0] = sum;
}

/* On which side of its jumps a step is: 0 for one that has none. */
PROGRAM_DEF truth_real truth_side(const program *p, const program_step *s, const truth_real *a,
                                  truth_real r)
{
    const char *const name = program_rules[s->rule].name;
    const truth_real c = s->numbers ? (truth_real)p->number[s->number] : 0;
    if (s->form == STEP_BRANCH) return a[0] != 0;
    if (s->form < STEP_ONE || s->form > STEP_LEFT) return 0;
    if (row_is_step(name)) return r;
    if (strcmp(name, "fmod") == 0)
        return truncl((s->form == STEP_LEFT ? c : a[0])
                      / (s->form == STEP_RIGHT ? c : a[s->n - 1]));
    return strcmp(name, "select") == 0 ? a[0] != 0 : 0;
}

/* y[p->outputs] at x + h v; gives a number that is another where a jump lies between. */
PROGRAM_DEF truth_real truth_value(const program *p, const double *x, truth_real h, const double *v,
                                 truth_real *y)
{
    truth_real value[PROGRAM_VALUES], a[PROGRAM_OPERANDS];
    truth_real way = 0;
    size_t i, k;
    for (i = 0; i < p->inputs; i++) value[i] = (truth_real)x[i] + h * (truth_real)v[i];
    for (k = 0; k < p->steps; k++) {
        const program_step *s = &p->step[k];
        for (i = 0; i < s->n; i++) a[i] = value[p->operand[s->operand + i]];
        truth_step(p, s, a, value + s->first);
        way = fmodl(3 * way + truth_side(p, s, a, value[s->m ? s->first : 0]), 1e9L);
    }
    for (i = 0; i < p->outputs; i++) y[i] = value[p->output[i]];
    return way;
}

enum { TRUTH_STEPS = 8, TRUTH_LEAST = 5 };
/* Of quotients q[n] at steps that are halved, whose error is even in the step, the limit at 0. */
PROGRAM_DEF truth_number truth_limit(const truth_real *q, int n, truth_real noise)
{
    truth_real now[TRUTH_STEPS], before[TRUTH_STEPS];
    truth_number best;
    int i, j;
    best.value = 0;
    best.error = HUGE_VAL;
    for (i = 0; i < n && n >= TRUTH_LEAST; i++) {
        truth_real factor = 1;
        now[0] = q[i];
        for (j = 1; j <= i; j++) {
            truth_real error;
            factor *= 4;
            now[j] = (factor * now[j - 1] - before[j - 1]) / (factor - 1);
            error = fabsl(now[j] - now[j - 1]) + fabsl(now[j] - before[j - 1]) + noise;
            if (i < TRUTH_LEAST - 1 || !(error < (truth_real)best.error)) continue;
            best.value = (double)now[j];
            best.error = (double)error;
        }
        memcpy(before, now, sizeof before);
    }
    return best;
}

/* long double has more digits than double here (under valgrind it has not). */
PROGRAM_DEF int truth_is_here(void)
{
    volatile truth_real one = 1, little = (truth_real)DBL_EPSILON / 1024;
    return one + little != one;
}

PROGRAM_DEF void truth_along(const program *p, const double *x, const double *v, double longest,
                             const double *noise, truth_result *t)
{
    truth_real y[PROGRAM_OUTPUTS], up[PROGRAM_OUTPUTS], down[PROGRAM_OUTPUTS];
    truth_real first[PROGRAM_OUTPUTS][TRUTH_STEPS], second[PROGRAM_OUTPUTS][TRUTH_STEPS];
    const truth_real way = truth_value(p, x, 0, v, y);
    truth_real h = (truth_real)longest;
    size_t i;
    int k, n = 0;
    for (k = 0; k < TRUTH_STEPS; k++, h /= 2) {
        if (way != truth_value(p, x, h, v, up) || way != truth_value(p, x, -h, v, down)) n = 0;
        else n++;
        for (i = 0; i < p->outputs && n; i++) {
            first[i][n - 1] = (up[i] - down[i]) / (2 * h);
            second[i][n - 1] = (up[i] - 2 * y[i] + down[i]) / (h * h);
        }
    }
    for (i = 0; i < p->outputs; i++) {
        t->first[i] = truth_limit(first[i], n, (truth_real)noise[i] / h);
        t->second[i] = truth_limit(second[i], n, (truth_real)noise[i] / (h * h));
    }
}
#endif
