/* The models of NIST's nonlinear regression datasets, each written once, on tape variables:
   b[] are the parameters b1, b2, ... of the formula, x[] the predictors of one observation. */
#ifndef NIST_MODELS_H
#define NIST_MODELS_H

#include "../autodiff.h"

typedef ad_var (*nist_model)(const ad_var *b, const double *x);

#define NIST_PI 3.14159265358979323846

/* ---- what several of them are built from */

/* exp(-rate*x) */
static ad_var decay(ad_var rate, double x)
{
    return ad_var_exp(ad_var_mul_r(rate, -x));
}

/* b1 * exp(-b2*x) */
static ad_var decaying(const ad_var *b, double x)
{
    return ad_var_mul(b[0], decay(b[1], x));
}

/* b1 * exp(-((x - b2)/b3)^2) */
static ad_var bell(const ad_var *b, double x)
{
    const ad_var z = ad_var_div(ad_var_sub_from_r(x, b[1]), b[2]);
    return ad_var_mul(b[0], ad_var_exp(ad_var_neg(ad_var_square(z))));
}

/* b1*cos(angle) + b2*sin(angle) */
static ad_var wave(const ad_var *b, ad_var angle)
{
    return ad_var_add(ad_var_mul(b[0], ad_var_cos(angle)), ad_var_mul(b[1], ad_var_sin(angle)));
}

/* Polynomials of one degree: (b1 + b2*x + ...) / (1 + x*(first coefficient after those) + ...) */
static ad_var rational(const ad_var *b, double x, size_t degree)
{
    const double power[] = { 1, x, x * x, x * x * x };
    return ad_var_div(ad_var_lincomb(degree + 1, power, b),
                      ad_var_add_r(ad_var_lincomb(degree, power + 1, b + degree + 1), 1));
}

/* ---- the models */

/* y = b1 * (1 - exp(-b2*x)) */
static ad_var misra1a(const ad_var *b, const double *x)
{
    return ad_var_neg(ad_var_mul(b[0], ad_var_expm1(ad_var_mul_r(b[1], -x[0]))));
}

/* y = b1 * (1 - (1 + b2*x/2)^-2) */
static ad_var misra1b(const ad_var *b, const double *x)
{
    const ad_var power = ad_var_powi(ad_var_add_r(ad_var_mul_r(b[1], x[0] / 2), 1), -2);
    return ad_var_mul(b[0], ad_var_sub_from_r(1, power));
}

/* y = b1 * (1 - (1 + 2*b2*x)^-0.5) */
static ad_var misra1c(const ad_var *b, const double *x)
{
    const ad_var root = ad_var_sqrt(ad_var_add_r(ad_var_mul_r(b[1], 2 * x[0]), 1));
    return ad_var_mul(b[0], ad_var_sub_from_r(1, ad_var_inv(root)));
}

/* y = b1*b2*x / (1 + b2*x) */
static ad_var misra1d(const ad_var *b, const double *x)
{
    const ad_var z = ad_var_mul_r(b[1], x[0]);
    return ad_var_div(ad_var_mul(b[0], z), ad_var_add_r(z, 1));
}

/* y = exp(-b1*x) / (b2 + b3*x) */
static ad_var chwirut(const ad_var *b, const double *x)
{
    return ad_var_div(decay(b[0], x[0]), ad_var_add(b[1], ad_var_mul_r(b[2], x[0])));
}

/* y = b1*exp(-b2*x) + b3*exp(-b4*x) + b5*exp(-b6*x) */
static ad_var lanczos(const ad_var *b, const double *x)
{
    return ad_var_add(ad_var_add(decaying(b, x[0]), decaying(b + 2, x[0])), decaying(b + 4, x[0]));
}

/* y = b1*exp(-b2*x) + b3*exp(-((x-b4)/b5)^2) + b6*exp(-((x-b7)/b8)^2) */
static ad_var gauss(const ad_var *b, const double *x)
{
    return ad_var_add(ad_var_add(decaying(b, x[0]), bell(b + 2, x[0])), bell(b + 5, x[0]));
}

/* y = b1 * x^b2 */
static ad_var danwood(const ad_var *b, const double *x)
{
    return ad_var_mul(b[0], ad_var_pow_from_r(x[0], b[1]));
}

/* y = (b1 + b2*x + b3*x^2) / (1 + b4*x + b5*x^2) */
static ad_var kirby2(const ad_var *b, const double *x) { return rational(b, x[0], 2); }

/* y = (b1 + b2*x + b3*x^2 + b4*x^3) / (1 + b5*x + b6*x^2 + b7*x^3) */
static ad_var thurber(const ad_var *b, const double *x) { return rational(b, x[0], 3); }

/* log(y) = b1 - b2*x1 * exp(-b3*x2) */
static ad_var nelson(const ad_var *b, const double *x)
{
    return ad_var_sub(b[0], ad_var_mul(ad_var_mul_r(b[1], x[0]), decay(b[2], x[1])));
}

/* y = b1 + b2*exp(-b4*x) + b3*exp(-b5*x) */
static ad_var mgh17(const ad_var *b, const double *x)
{
    const ad_var first = ad_var_mul(b[1], decay(b[3], x[0]));
    return ad_var_add(b[0], ad_var_add(first, ad_var_mul(b[2], decay(b[4], x[0]))));
}

/* y = b1 - b2*x - atan(b3/(x-b4))/pi */
static ad_var roszman1(const ad_var *b, const double *x)
{
    const ad_var angle = ad_var_atan(ad_var_div(b[2], ad_var_sub_from_r(x[0], b[3])));
    const ad_var line = ad_var_sub(b[0], ad_var_mul_r(b[1], x[0]));
    return ad_var_sub(line, ad_var_div_r(angle, NIST_PI));
}

/* y = b1 + a year's wave in b2, b3 + a wave of period b4 in b5, b6 + one of period b7 in b8, b9 */
static ad_var enso(const ad_var *b, const double *x)
{
    const double turn = 2 * NIST_PI * x[0];
    const ad_var year = wave(b + 1, ad_const(turn / 12));
    const ad_var first = wave(b + 4, ad_var_div_from_r(turn, b[3]));
    const ad_var second = wave(b + 7, ad_var_div_from_r(turn, b[6]));
    return ad_var_add(ad_var_add(b[0], year), ad_var_add(first, second));
}

/* y = b1 * (x^2 + x*b2) / (x^2 + x*b3 + b4) */
static ad_var mgh09(const ad_var *b, const double *x)
{
    const double xx = x[0] * x[0];
    const ad_var above = ad_var_add_r(ad_var_mul_r(b[1], x[0]), xx);
    const ad_var below = ad_var_add_r(ad_var_add(ad_var_mul_r(b[2], x[0]), b[3]), xx);
    return ad_var_div(ad_var_mul(b[0], above), below);
}

/* y = b1 * exp(b2 / (x + b3)) */
static ad_var mgh10(const ad_var *b, const double *x)
{
    return ad_var_mul(b[0], ad_var_exp(ad_var_div(b[1], ad_var_add_r(b[2], x[0]))));
}

/* y = (b1/b2) * exp(-0.5*((x-b3)/b2)^2) */
static ad_var eckerle4(const ad_var *b, const double *x)
{
    const ad_var z = ad_var_div(ad_var_sub_from_r(x[0], b[2]), b[1]);
    const ad_var curve = ad_var_exp(ad_var_mul_r(ad_var_square(z), -0.5));
    return ad_var_mul(ad_var_div(b[0], b[1]), curve);
}

/* y = b1 / (1 + exp(b2 - b3*x)) */
static ad_var rat42(const ad_var *b, const double *x)
{
    const ad_var z = ad_var_sub(ad_var_mul_r(b[2], x[0]), b[1]);
    return ad_var_mul(b[0], ad_var_sigmoid(z));
}

/* y = b1 / (1 + exp(b2 - b3*x))^(1/b4); log(1 + exp(z)) is softplus(z) */
static ad_var rat43(const ad_var *b, const double *x)
{
    const ad_var z = ad_var_sub(b[1], ad_var_mul_r(b[2], x[0]));
    return ad_var_mul(b[0], ad_var_exp(ad_var_neg(ad_var_div(ad_var_softplus(z), b[3]))));
}

/* y = b1 * (b2+x)^(-1/b3) */
static ad_var bennett5(const ad_var *b, const double *x)
{
    const ad_var power = ad_var_div_from_r(-1, b[2]);
    return ad_var_mul(b[0], ad_var_pow(ad_var_add_r(b[1], x[0]), power));
}

#endif
