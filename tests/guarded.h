/* Functions of one variable with singularities that are guarded: by select, by clamp, max or min,
   or by a zero adjoint. d is x - 1, so points that matter are 0, 1, and those left and right.
   GUARDED_FUNCTION(f, V, O, N) defines f(which, x) for one type: V the type, O(op) the operation,
   N(c) the number c as a constant. */
#ifndef GUARDED_H
#define GUARDED_H

/* Each has a number, a name, and the formula; e is exp(-1000 x), infinite left of 0. */
#define GUARDED_LIST(F, O, N)                                                                      \
    F(0, "d == 0 ? x^2 : (x/d)*d", O(select)(O(eq_r)(d, 0), O(square)(x),                          \
        O(mul)(O(div)(x, d), d)))                                                                  \
    F(1, "d == 0 ? 1 : sin(d)/d", O(select)(O(eq_r)(d, 0), N(1), O(div)(O(sin)(d), d)))            \
    F(2, "d == 0 ? 1 : inv(d)*sin(d)", O(select)(O(eq_r)(d, 0), N(1), O(mul)(O(inv)(d),            \
        O(sin)(d))))                                                                               \
    F(3, "d == 0 ? 0.5 : inv(d)^2*(1 - cos(d))", O(select)(O(eq_r)(d, 0), N(0.5),                  \
        O(mul)(O(square)(O(inv)(d)), O(sub_from_r)(1, O(cos)(d)))))                                \
    F(4, "d > 0 ? sqrt(d) : 0*x", O(select)(O(gt_r)(d, 0), O(sqrt)(d), O(mul_r)(x, 0)))            \
    F(5, "d > 0 ? log(d) : x", O(select)(O(gt_r)(d, 0), O(log)(d), x))                             \
    F(6, "x < 0 ? x : exp(-1000x)", O(select)(O(lt_r)(x, 0), x, e))                                \
    F(7, "x == 0 ? 1 : log1p(max(x, -0.9))/x", O(select)(O(eq_r)(x, 0), N(1),                      \
        O(div)(O(log1p)(O(max_r)(x, -0.9)), x)))                                                   \
    F(8, "sqrt(max(d, 0))", O(sqrt)(O(max_r)(d, 0)))                                               \
    F(9, "log(clamp(x, 0, 2))", O(log)(O(clamp)(x, N(0), N(2))))                                   \
    F(10, "x > 0 ? x*log(x) : 0", O(select)(O(gt_r)(x, 0), O(mul)(x, O(log)(x)), N(0)))            \
    F(11, "x > 0 ? x^0.5 : -x", O(select)(O(gt_r)(x, 0), O(pow_r)(x, 0.5), O(neg)(x)))             \
    F(12, "x > 0 ? x^x : x", O(select)(O(gt_r)(x, 0), O(pow)(x, x), x))                            \
    F(13, "d != 0 ? exp(-inv(d^2)) : 0", O(select)(O(ne_r)(d, 0),                                  \
        O(exp)(O(neg)(O(inv)(O(square)(d)))), N(0)))                                               \
    F(14, "exp(-inv(d^2))", O(exp)(O(neg)(O(inv)(O(square)(d)))))                                  \
    F(15, "d != 0 ? hypot(d, d^2)/d : x", O(select)(O(ne_r)(d, 0),                                 \
        O(div)(O(hypot)(d, O(square)(d)), d), x))                                                  \
    F(16, "hypot(d, 2d)", O(hypot)(d, O(mul_r)(d, 2)))                                             \
    F(17, "x < 0 ? x : e*e", O(select)(O(lt_r)(x, 0), x, O(mul)(e, O(mul_r)(e, 0.5))))             \
    F(18, "x < 0 ? x : e^2", O(select)(O(lt_r)(x, 0), x, O(square)(e)))                            \
    F(19, "x < 0 ? x : sin(e)", O(select)(O(lt_r)(x, 0), x, O(sin)(e)))                            \
    F(20, "x < 0 ? x : fma(e, e, x)", O(select)(O(lt_r)(x, 0), x, O(fma)(e, e, x)))                \
    F(21, "x < 0 ? x : expm1(-1000x) - e", O(select)(O(lt_r)(x, 0), x,                             \
        O(sub)(O(expm1)(O(mul_r)(x, -1000)), e)))                                                  \
    F(22, "x < 0 ? x : sinh(e)", O(select)(O(lt_r)(x, 0), x, O(sinh)(e)))                          \
    F(23, "x < 0 ? x : cosh(e)*exp2(e)", O(select)(O(lt_r)(x, 0), x,                               \
        O(mul)(O(cosh)(e), O(exp2)(e))))                                                           \
    F(24, "min(x, e)", O(min)(x, e))                                                               \
    F(25, "clamp(e, -1, 5)", O(clamp)(e, N(-1), N(5)))                                             \
    F(26, "min(e, 5)*x", O(mul)(O(min_r)(e, 5), x))                                                \
    F(27, "d != 0 ? atan2(d, d^2) : 0", O(select)(O(ne_r)(d, 0), O(atan2)(d, O(square)(d)), N(0))) \
    F(28, "d != 0 ? d*floor(inv(d)) : x", O(select)(O(ne_r)(d, 0),                                 \
        O(mul)(d, O(floor)(O(inv)(d))), x))                                                        \
    F(29, "x == 0 ? 1 : expm1(x)/x", O(select)(O(eq_r)(x, 0), N(1), O(div)(O(expm1)(x), x)))       \
    F(30, "d != 0 ? inv(d)/(inv(d) + 0.25) : x", O(select)(O(ne_r)(d, 0),                       \
        O(div)(O(inv)(d), O(add_r)(O(inv)(d), 0.25)), x))                                          \
    F(31, "d != 0 ? cbrt(d)*log(abs(d)) : d", O(select)(O(ne_r)(d, 0),                             \
        O(mul)(O(cbrt)(d), O(log)(O(abs)(d))), d))                                                 \
    F(32, "abs(x) < 1 ? acos(x) : x", O(select)(O(lt_r)(O(abs)(x), 1), O(acos)(x), x))             \
    F(33, "abs(x) < 1 ? atanh(x) : x", O(select)(O(lt_r)(O(abs)(x), 1), O(atanh)(x), x))           \
    F(34, "x > 1 ? acosh(x) : tan(x)", O(select)(O(gt_r)(x, 1), O(acosh)(x), O(tan)(x)))           \
    F(35, "x > 0 ? lgamma(x) : x", O(select)(O(gt_r)(x, 0), O(lgamma)(x), x))                      \
    F(36, "d == 0 ? x : fmod(x, d)", O(select)(O(eq_r)(d, 0), x, O(fmod)(x, d)))                   \
    F(37, "x < 0 ? x : x*e - e", O(select)(O(lt_r)(x, 0), x, O(sub)(O(mul)(x, e), e)))             \
    F(38, "x < 0 ? x : logaddexp(e, x)", O(select)(O(lt_r)(x, 0), x, O(logaddexp)(e, x)))          \
    F(39, "x < 0 ? x : sigmoid(e)*softplus(e)", O(select)(O(lt_r)(x, 0), x,                        \
        O(mul)(O(sigmoid)(e), O(softplus)(e))))                                                    \
    /* with a part beside the switch whose slope is nothing */                                     \
    F(40, "(e > 5) + (x < 0 ? x : e)", O(add)(O(gt_r)(e, 5), O(select)(O(lt_r)(x, 0), x, e)))      \
    F(41, "(x < 0 ? x : e) + (e > 5)", O(add)(O(select)(O(lt_r)(x, 0), x, e), O(gt_r)(e, 5)))      \
    /* an infinite adjoint against a zero partial, at d = 0 or x = 0 */                            \
    F(42, "sqrt(d^2)", O(sqrt)(O(square)(d)))                                                      \
    F(43, "cbrt(d*d)", O(cbrt)(O(mul)(d, d)))                                                      \
    F(44, "sqrt(1 - cos(d))", O(sqrt)(O(sub_from_r)(1, O(cos)(d))))                                \
    F(45, "sqrt(fma(x, x, 0))", O(sqrt)(O(fma)(x, x, N(0))))                                       \
    F(46, "x <= 0 ? sqrt(x^2*x^2) : x", O(select)(O(le_r)(x, 0),                                   \
        O(sqrt)(O(mul)(O(square)(x), O(square)(x))), x))                                           \
    F(47, "pow(d^2, 0.25)", O(pow_r)(O(square)(d), 0.25))                                          \
    F(48, "asin(cos(d))", O(asin)(O(cos)(d)))

enum { GUARDED = 49 };
/* From here on there is no derivative at d = 0 (45, 46: at x = 0), and the sweeps say NaN. */
enum { GUARDED_INFINITE = 42 };

#define GUARDED_NAME(k, name, formula) name,
static const char *const guarded_name[GUARDED] = { GUARDED_LIST(GUARDED_NAME, 0, 0) };

#define GUARDED_CASE(k, name, formula) case k: return formula;
#define GUARDED_FUNCTION(f, V, O, N)                                                               \
    static V f(int which, V x)                                                                     \
    {                                                                                              \
        const V d = O(sub_r)(x, 1), e = O(exp)(O(mul_r)(x, -1000));                                \
        switch (which) {                                                                           \
        GUARDED_LIST(GUARDED_CASE, O, N)                                                           \
        default: return x;                                                                         \
        }                                                                                          \
    }

static const double guarded_point[] = { -2, -0.75, -0.0, 0, 0.5, 1, 1.5, 2.5, 1e-300, 40 };
enum { GUARDED_POINTS = sizeof guarded_point / sizeof guarded_point[0] };
#endif
