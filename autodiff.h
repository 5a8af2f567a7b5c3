/* autodiff.h 0.1.0: automatic differentiation in one file, for C99 to C17 and C++11 and later.

   ===============================================================================================
                                              MANUAL
   ===============================================================================================

   WHAT IT IS

   Derivatives of functions that you write in C, exact to rounding, without deriving them yourself:
   gradients, Jacobians, Hessians, and products with them, for double (names in ad_) and float
   (names in adf_). Copy the file, include it, link with -lm. It needs nothing else, and it keeps no
   global state.

   QUICK START

   In one source file of your program define AUTODIFF_IMPLEMENTATION before the include; elsewhere
   just include it.

   --- program: quick_start
   #define AUTODIFF_IMPLEMENTATION
   #include "autodiff.h"
   #include <stdio.h>

   // f(x) = x0^2 * sin(x1)
   static ad_var f(ad_tape *t, const ad_var *x, size_t n, void *user)
   {
       (void)t; (void)n; (void)user;
       return ad_var_mul(ad_var_square(x[0]), ad_var_sin(x[1]));
   }

   int main(void)
   {
       const double x[2] = { 3.0, 0.5 };
       double y, g[2];
       ad_status s = ad_gradient(NULL, f, NULL, x, 2, &y, g);
       printf("%s: f = %g, gradient = (%g, %g)\n", ad_status_name(s), y, g[0], g[1]);
       return !(s == AD_OK && fabs(g[0] - 6 * sin(0.5)) + fabs(g[1] - 9 * cos(0.5)) < 1e-14);
   }
   --- end

   A SHORT COURSE

   1. One rule. A program computes its result by elementary operations, v = op(u, w), whose
   partial derivatives are known: that is the table in [S2]. The chain rule joins them. Evaluated
   from the inputs to the outputs it is called forward mode, from the outputs to the inputs
   reverse mode; both give the derivative of the program as it ran, exact but for rounding.
   Nothing is approximated by differences, and no formula is manipulated.

   2. Duals: forward mode. Put a number and its derivative side by side, x = (v, d). A product
   then is (v1 v2, d1 v2 + v1 d2), a sine (sin v, cos v d), and so on. Run your function on duals
   instead of numbers, with d = 1 for the variable you ask about, and out comes (f, f'). No
   memory, no tape; the cost is about twice the function for one direction. ad_dual carries one
   direction, ad_dual4 and ad_dual8 several, ad_dual2 the exact second derivative along two.

   --- program: newton_with_duals
   #define AUTODIFF_IMPLEMENTATION
   #include "autodiff.h"
   #include <stdio.h>

   static ad_dual f(ad_dual x)      // cos(x) - x
   {
       return ad_dual_sub(ad_dual_cos(x), x);
   }

   int main(void)
   {
       double x = 1;
       int i;
       for (i = 0; i < 6; i++) {
           const ad_dual y = f(ad_dual_make(x, 1));
           x -= y.v / y.d;
       }
       printf("cos(x) = x at %.16f\n", x);
       return !(fabs(cos(x) - x) < 1e-15);
   }
   --- end

   3. The tape: reverse mode. Forward mode needs a run for each input. When a function has many
   inputs and one output, go the other way. Run it once and write every operation down: that list
   is the tape. Then walk it backwards with one number for each entry, the adjoint bar(v) = dy/dv.
   The last entry has bar(y) = 1; an entry v = op(u, w) hands on bar(u) += bar(v) dv/du and bar(w)
   += bar(v) dv/dw. When the walk reaches an entry, all that use it have been visited, so its
   adjoint is complete. Each operation costs a few more, whatever the number of inputs: the whole
   gradient of a million inputs for a small multiple of the function (Griewank & Walther,
   Evaluating Derivatives, 2nd edition, 2008, chapter 3). The price is memory, here 24 bytes an
   operation.

   --- program: tape_by_hand
   #define AUTODIFF_IMPLEMENTATION
   #include "autodiff.h"
   #include <stdio.h>

   int main(void)
   {
       ad_tape *t = ad_tape_create(NULL);
       ad_var s = ad_const(0), x[1000];
       double worst = 0;
       int i, ok;
       for (i = 0; i < 1000; i++) {
           x[i] = ad_input(t, 0.001 * i);
           s = ad_var_add(s, ad_var_exp(x[i]));          // ordinary loops, ifs and calls
       }
       s = ad_var_log(s);                                // the log of a sum of exponentials
       ok = ad_backward(s) == AD_OK;
       for (i = 0; i < 1000; i++) {                      // its gradient is the softmax
           const double e = fabs(ad_adjoint(x[i]) - exp(0.001 * i - s.v));
           if (e > worst) worst = e;
       }
       printf("1000 derivatives in one sweep, worst error %.1g\n", worst);
       ad_tape_destroy(t);
       return !(ok && worst < 1e-15);
   }
   --- end

   4. Second derivatives are derivatives of derivatives. Sweep the tape backwards in dual arithmetic
   and each adjoint carries its own derivative: one Hessian-vector product for a few gradients
   (ad_forward_over_reverse, ad_hvp; ad_hessian does four columns at once). Or record the sweep:
   ad_grad_vars gives the gradient as variables on the tape, to be used and differentiated like any
   other, to any order.

   --- program: third_derivative
   #define AUTODIFF_IMPLEMENTATION
   #include "autodiff.h"
   #include <stdio.h>

   int main(void)
   {
       ad_tape *t = ad_tape_create(NULL);
       ad_var x = ad_input(t, 0.7), y = ad_var_sin(x);
       int order;
       for (order = 0; order < 3; order++) ad_grad_vars(y, 1, &x, &y);
       printf("sin'''(0.7) = %.15f, -cos(0.7) = %.15f\n", y.v, -cos(0.7));
       order = fabs(y.v + cos(0.7)) < 1e-15;
       ad_tape_destroy(t);
       return !order;
   }
   --- end

   5. One function for numbers, duals and tape. In C++ write template <class T> T f(const T *x) with
   ordinary operators. In C11 write the body with ad_mul, ad_sin ... which choose by the type of
   their arguments, in a macro or an included file with the type as a parameter.

   --- program: one_function.cpp
   #define AUTODIFF_IMPLEMENTATION
   #include "autodiff.h"

   template <class T> T f(const T *x) { return exp(-x[0] * x[1]) + 2 * sin(x[0]); }

   int main()
   {
       double p[2] = { 0.3, 1.5 };
       ad_dual d[2] = { ad_dual(0.3, 1), 1.5 };
       ad_tape *t = ad_tape_create(NULL);
       ad_var v[2] = { ad_input(t, 0.3), ad_input(t, 1.5) }, y = f(v);
       ad_backward(y);
       const bool ok = f(p) == y.v && fabs(f(d).d - ad_adjoint(v[0])) < 1e-15;
       ad_tape_destroy(t);
       return !ok;
   }
   --- end

   --- program: write_once
   #define AUTODIFF_IMPLEMENTATION
   #include "autodiff.h"

   #define DEFINE_F(name, T)                                                                       \
       static T name(const T *x)                                                                   \
       { return ad_add(ad_exp(ad_mul(x[0], x[1])), ad_mul(2, ad_sin(x[0]))); }
   DEFINE_F(f_plain, double)
   DEFINE_F(f_dual, ad_dual)

   int main(void)
   {
       const double p[2] = { 0.3, 1.5 };
       ad_dual d[2];
       d[0] = ad_dual_make(0.3, 1);
       d[1] = ad_dual_make(1.5, 0);
       return !(f_plain(p) == f_dual(d).v
                && fabs(f_dual(d).d - 1.5 * exp(0.45) - 2 * cos(0.3)) < 1e-14);
   }
   --- end

   CONFIGURATION                                                        define it before the include

   AUTODIFF_IMPLEMENTATION   in one source file: compiles the functions there
   AUTODIFF_STATIC           everywhere, with the former: all functions static, one copy a file
   AUTODIFF_GRAPH            beside _IMPLEMENTATION: compiles ad_graph_dump
   AUTODIFF_MALLOC(bytes), AUTODIFF_REALLOC(old, bytes), AUTODIFF_FREE(old)
                             beside _IMPLEMENTATION, all or none: the default allocator
   AD_HEADER_NAME            everywhere: what the file is called, if not "autodiff.h"
   No macro changes the layout or the signature of anything in the interface. At run time
   ad_tape_desc chooses allocator, fixed buffer, limits and debugging for each tape.

   CONCEPTS

   A variable (ad_var) is a value and the index of its slot on a tape; copy it freely. A constant
   has no tape: ad_const(2.0) costs nothing, and what is computed from constants alone is not
   recorded. Operations take plain numbers directly: ad_var_mul_r(x, 2.0), ad_var_sub_from_r(1.0,
   x). Reset empties a tape in O(1) and makes its variables stale; mark and rewind drop what came
   since. Sweeps never record and zero their adjoints first, so repeat them at will. The drivers
   (ad_gradient, ad_jacobian, ad_hessian, ad_hvp, ad_jvp, ad_vjp) do all of that for a function of
   yours. An ordinary if on x.v is fine: the derivative is that of the branch taken. ad_branch
   and, in C++, the comparison operators remember the decision for functions compiled from the
   trace.

   ERRORS

   Functions return an ad_status. Operations, which return variables, set the tape's status instead:
   the first error stays, with one message naming the operation and the numbers; from then on
   operations return NaN constants and record nothing, until ad_tape_clear_status or ad_tape_reset.
   So a program checks once, at the end. Running out of memory, of a fixed buffer or of the limit is
   such an error; rewind makes the tape usable again. A NaN or infinity is not an error: set
   desc.debug to learn which operation made the first one. Using a variable after its tape was
   destroyed is undefined, as with any pointer.

   NUMERICAL CONVENTIONS

   A zero adjoint (or tangent) stops: 0 times an infinite partial contributes 0, so sqrt(x)*0 at x
   = 0 has the derivative 0. Exception: the inlined duals multiply add, sub, mul, fma and the
   functions with finite partials plainly, so there an infinite operand may give NaN.

     operation            where               value          derivative
     abs, sign            0                   0              0
     relu                 0                   0              0          (of NaN: NaN, 0)
     max, min, clamp      at a tie            either         1/2 to each
     max, min             an operand NaN      NaN            0
     floor ceil round trunc, comparisons      as C           0 everywhere
     fmod(x, y)           everywhere          as C           1, -trunc(x/y)
     select(c, a, b)      c != 0, NaN too     a              1 to a; 0 to c
     copysign(x, y)       x = 0               +-0            0
     sqrt, cbrt           0                   0              +inf       (one-sided limit)
     log, log2, log10     0                   -inf           +inf
     inv                  0                   inf            -inf
     div(x, y)            y = 0               as IEEE        +-inf; NaN for 0/0 by y
     asin, acos, atanh    1, -1               as C           +-inf
     acosh                1                   0              +inf
     hypot, norm, atan2   origin              0              0
     pow(x, y)            x = 0, y > 1        0              0, 0
                          x = 0, y = 1        0              1, 0
                          x = 0, 0 < y < 1    0              inf, 0
                          x = 0, y = 0        1              0, -inf
                          x < 0, y integer    as C           y x^(y-1); NaN by y
     ipow(x, n)           x = 0, n = 0        1              0          (n is rounded toward zero)
     logaddexp, logsumexp equal infinities    that infinity  1/2 each; 1 each
     mul0(x, y)           x = 0 or y = 0      0              y, x
     div0(x, y)           y = 0               0              0, 0
     sub0(x, y)           x = y, inf too      0              1, -1
     lgamma, digamma      0, -1, -2 ...       pole           pole

   Outside its domain a function is NaN; the derivative there is what its formula says (log'(-1) is
   -1) or NaN. The derivatives of tanh and sigmoid, 1 - r^2 and r(1 - r), are exact to a unit in the
   last place of 1, not relative to their own size. digamma and polygamma are good to some 1e-14,
   relative except near their zeros. Values are those of libm.

   THREADS

   There is no shared mutable state. One tape belongs to one thread at a time; duals are plain
   values. (The lgamma of other C libraries than glibc may write the global signgam, which nothing
   here reads.)

   WHAT IT DOES NOT DO

   No arrays on the tape, no vector kernels, no compiled functions and no gradient checker yet. No
   sparsity detection, no checkpoints. A trace has at most 2^28 - 1 slots. A tape is not
   thread-safe.

   CONTENTS

   [S1]  VERSION AND PLATFORM
   [S2]  THE RULE TABLE
   [S3]  COMMON TYPES
   [S4]  THE REAL READING
   [S5]  DUAL NUMBERS
   [S6]  THE TAPE AND RECORDING
   [S7]  THE TAPE'S INTERFACE
   [S8]  THE C11 FRONT
   [S9]  THE C++ FRONT
   [S10] SETTINGS AND SHARED TABLES
   [S11] SPECIAL FUNCTIONS
   [S12] THE WHOLE TAPE AND ITS MEMORY
   [S13] RECORDING, THE SLOW PATHS
   [S14] THE TABLE AS PARTIALS
   [S15] THE REVERSE SWEEP
   [S16] THE OTHER SWEEPS
   [S17] RECORDED GRADIENTS
   [S18] DRIVERS
   [S19] DIAGNOSTICS
   [S20] GRAPH DUMP
   [S21] LICENCE AND HISTORY
*/

/* ============================================================ [S1] VERSION AND PLATFORM
   The version, the compiler's words for "inline" and "unlikely", and nothing else.      needs: - */
#if !defined(ADI_PASS) && !defined(AUTODIFF_H)
#define AUTODIFF_H

#define AD_VERSION_MAJOR 0
#define AD_VERSION_MINOR 1
#define AD_VERSION_PATCH 0
#define AD_VERSION "0.1.0"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__GLIBC__) && !defined(__cplusplus)
double lgamma_r(double, int *);          /* in the library, if not declared in strict C */
float lgammaf_r(float, int *);
#endif

#ifndef AD_HEADER_NAME
#define AD_HEADER_NAME "autodiff.h"      /* what the file is called where it includes itself */
#endif

#if defined(__GNUC__)
#define ADI_LIKELY(c)   __builtin_expect(!!(c), 1)
#define ADI_INLINE      static inline __attribute__((always_inline, unused))
#define ADI_UNUSED      __attribute__((unused))
#define ADI_COLD        __attribute__((cold, noinline))
#define ADI_NOINLINE    __attribute__((noinline))
#define ADI_BRANCH      __asm__ volatile("")     /* keeps an if a branch */
#else
#define ADI_LIKELY(c)   (c)
#define ADI_INLINE      static inline
#define ADI_UNUSED
#define ADI_COLD
#define ADI_NOINLINE
#define ADI_BRANCH      ((void)0)
#endif

#if defined(AUTODIFF_STATIC)
#define AD_DEF static ADI_UNUSED
#else
#define AD_DEF extern
#endif

/* ============================================================ [S2] THE RULE TABLE
   Every elementary operation, once: its name, its value, its partial derivatives.          needs: -

   X1( name, class, value, d/dx )                      one operand   x
   X2( name, class, value, d/dx, d/dy )                two operands  x, y
   X3( name, class, value, d/dx, d/dy, d/dz )          three         x, y, z
   XN( name, partial )                                 a list; the partial for one operand x

   r is the operation's value. In a list, y is the partner of x in the other factor, c the constant
   that belongs to x; n, k_, d a polynomial: coefficients k_[n], derivative number d. The words in
   capitals are parameters of the macro, so no user's macro can clash: a reading of the table is a
   choice of what they mean (real arithmetic, dual numbers, recording, text; later, registers).
   ADI_WORDS below gives them in order.

   The class says how an adjoint or tangent multiplies the partial where that is written inline:
   PLAIN   partials are finite at finite operands: a bare product;
   GUARD   a partial may be infinite or a switch: 0 times anything is 0 (a zero adjoint stops).

   What the rows rely on: SUB0(x,y) is x-y, and 0 where x == y, infinities included; MUL0 is 0 where
   either factor is 0; DIV0 is 0 where the divisor is 0. They are operations like any other.      */
#define ADI_RULES(X1, X2, X3, XN,                                                                  \
    NUM, ADD, SUB, MUL, DIV, NEG, SUB0, MUL0, DIV0, FMA, ABS, SIGN, COPYSIGN,                      \
    SQRT, CBRT, SQUARE, INV, HYPOT, POW, IPOW,                                                     \
    EXP, EXP2, EXPM1, LOG, LOG2, LOG10, LOG1P, SIN, COS, TAN, ASIN, ACOS, ATAN, ATAN2,             \
    SINH, COSH, TANH, ASINH, ACOSH, ATANH, ERF, ERFC, LGAMMA, DIGAMMA, TRIGAMMA, POLYGAMMA,        \
    SIGMOID, SOFTPLUS, LOGADDEXP, MIN, MAX, FLOOR, CEIL, ROUND, TRUNC, FMOD,                       \
    LT, LE, GT, GE, EQ, NE, SELECT, POLY)                                                          \
    /* arithmetic  class  value                    d/dx                      d/dy               */ \
    X1( neg,       PLAIN, NEG(x),                  NUM(-1)                                       ) \
    X2( add,       PLAIN, ADD(x, y),               NUM(1),                   NUM(1)              ) \
    X2( sub,       PLAIN, SUB(x, y),               NUM(1),                   NUM(-1)             ) \
    X2( mul,       PLAIN, MUL(x, y),               y,                        x                   ) \
    X2( div,       GUARD, DIV(x, y),               INV(y),           NEG(MUL0(r, INV(y)))        ) \
    X2( sub0,      PLAIN, SUB0(x, y),              NUM(1),                   NUM(-1)             ) \
    X2( mul0,      GUARD, MUL0(x, y),              y,                        x                   ) \
    X2( div0,      GUARD, DIV0(x, y),              DIV0(NUM(1), y),          NEG(DIV0(r, y))     ) \
    X3( fma,       PLAIN, FMA(x, y, z),            y,        x,              NUM(1)              ) \
    /* sign and size                                                                            */ \
    X1( abs,       GUARD, ABS(x),                  SIGN(x)                                       ) \
    X1( sign,      GUARD, SIGN(x),                 NUM(0)                                        ) \
    X2( copysign,  GUARD, COPYSIGN(x, y),          MUL(SIGN(x), COPYSIGN(NUM(1), y)),  NUM(0)    ) \
    /* powers and roots                                                                         */ \
    X1( sqrt,      GUARD, SQRT(x),                 DIV(NUM(0.5), r)                              ) \
    X1( cbrt,      GUARD, CBRT(x),                 DIV(NUM(1), MUL(NUM(3), SQUARE(r)))           ) \
    X1( square,    PLAIN, MUL(x, x),               MUL(NUM(2), x)                                ) \
    X1( inv,       GUARD, DIV(NUM(1), x),          NEG(SQUARE(r))                                ) \
    X2( hypot,     GUARD, HYPOT(x, y),             DIV0(x, r),               DIV0(y, r)          ) \
    X2( pow,       GUARD, POW(x, y),               MUL0(y, POW(x, SUB(y, NUM(1)))),                \
                                                   MUL0(r, LOG(x))                               ) \
    X2( ipow,      GUARD, IPOW(x, y),              MUL0(TRUNC(y), IPOW(x, SUB(TRUNC(y), NUM(1)))), \
                                                   NUM(0)                                        ) \
    /* exponentials and logarithms                                                              */ \
    X1( exp,       PLAIN, EXP(x),                  r                                             ) \
    X1( exp2,      PLAIN, EXP2(x),                 MUL(NUM(0.69314718055994530942), r)           ) \
    X1( expm1,     PLAIN, EXPM1(x),                EXP(x)                                        ) \
    X1( log,       GUARD, LOG(x),                  INV(x)                                        ) \
    X1( log2,      GUARD, LOG2(x),                 DIV(NUM(1.44269504088896340736), x)           ) \
    X1( log10,     GUARD, LOG10(x),                DIV(NUM(0.43429448190325182765), x)           ) \
    X1( log1p,     GUARD, LOG1P(x),                INV(ADD(x, NUM(1)))                           ) \
    /* trigonometry                                                                             */ \
    X1( sin,       PLAIN, SIN(x),                  COS(x)                                        ) \
    X1( cos,       PLAIN, COS(x),                  NEG(SIN(x))                                   ) \
    X1( tan,       PLAIN, TAN(x),                  ADD(SQUARE(r), NUM(1))                        ) \
    X1( asin,      GUARD, ASIN(x),                 INV(SQRT(MUL(SUB(NUM(1), x),                    \
                                                                ADD(x, NUM(1)))))                ) \
    X1( acos,      GUARD, ACOS(x),                 NEG(INV(SQRT(MUL(SUB(NUM(1), x),                \
                                                                    ADD(x, NUM(1))))))           ) \
    X1( atan,      PLAIN, ATAN(x),                 INV(ADD(SQUARE(x), NUM(1)))                   ) \
    X2( atan2,     GUARD, ATAN2(x, y),             DIV0(DIV0(y, HYPOT(x, y)), HYPOT(x, y)),        \
                                                   NEG(DIV0(DIV0(x, HYPOT(x, y)), HYPOT(x, y)))  ) \
    X1( sinh,      PLAIN, SINH(x),                 COSH(x)                                       ) \
    X1( cosh,      PLAIN, COSH(x),                 SINH(x)                                       ) \
    X1( tanh,      PLAIN, TANH(x),                 SUB(NUM(1), SQUARE(r))                        ) \
    X1( asinh,     PLAIN, ASINH(x),                INV(HYPOT(x, NUM(1)))                         ) \
    X1( acosh,     GUARD, ACOSH(x),                INV(MUL(SQRT(SUB(x, NUM(1))),                   \
                                                           SQRT(ADD(x, NUM(1)))))                ) \
    X1( atanh,     GUARD, ATANH(x),                INV(MUL(SUB(NUM(1), x), ADD(x, NUM(1))))      ) \
    /* special functions                                                                        */ \
    X1( erf,       PLAIN, ERF(x),                  MUL(NUM(1.12837916709551257390),                \
                                                       EXP(NEG(SQUARE(x))))                      ) \
    X1( erfc,      PLAIN, ERFC(x),                 MUL(NUM(-1.12837916709551257390),               \
                                                       EXP(NEG(SQUARE(x))))                      ) \
    X1( lgamma,    GUARD, LGAMMA(x),               DIGAMMA(x)                                    ) \
    X1( digamma,   GUARD, POLYGAMMA(x, NUM(0)),    TRIGAMMA(x)                                   ) \
    X1( trigamma,  GUARD, POLYGAMMA(x, NUM(1)),    POLYGAMMA(x, NUM(2))                          ) \
    X2( polygamma, GUARD, POLYGAMMA(x, y),         POLYGAMMA(x, ADD(y, NUM(1))),       NUM(0)    ) \
    /* probability and learning                                                                 */ \
    X1( sigmoid,   PLAIN, DIV(NUM(1), ADD(EXP(NEG(x)), NUM(1))),   MUL(r, SUB(NUM(1), r))        ) \
    X1( softplus,  PLAIN, ADD(MAX(x, NUM(0)), LOG1P(EXP(NEG(ABS(x))))),   SIGMOID(x)             ) \
    X2( logaddexp, PLAIN, ADD(MAX(x, y), LOG1P(EXP(NEG(ABS(SUB0(x, y)))))),                        \
                                                   SIGMOID(SUB0(x, y)),  SIGMOID(SUB0(y, x))     ) \
    X1( relu,      GUARD, SELECT(LE(x, NUM(0)), NUM(0), x),   GT(x, NUM(0))                      ) \
    /* choosing and rounding: at a tie the operands share the adjoint; steps have derivative 0  */ \
    X2( min,       GUARD, MIN(x, y),               ADD(LT(x, y), MUL(NUM(0.5), EQ(x, y))),         \
                                                   ADD(GT(x, y), MUL(NUM(0.5), EQ(x, y)))        ) \
    X2( max,       GUARD, MAX(x, y),               ADD(GT(x, y), MUL(NUM(0.5), EQ(x, y))),         \
                                                   ADD(LT(x, y), MUL(NUM(0.5), EQ(x, y)))        ) \
    X3( clamp,     GUARD, MIN(MAX(x, y), z),                                                       \
                   MUL(ADD(GT(x, y), MUL(NUM(0.5), EQ(x, y))),                                     \
                       ADD(LT(MAX(x, y), z), MUL(NUM(0.5), EQ(MAX(x, y), z)))),                    \
                   MUL(ADD(LT(x, y), MUL(NUM(0.5), EQ(x, y))),                                     \
                       ADD(LT(MAX(x, y), z), MUL(NUM(0.5), EQ(MAX(x, y), z)))),                    \
                   ADD(GT(MAX(x, y), z), MUL(NUM(0.5), EQ(MAX(x, y), z)))                        ) \
    X1( floor,     GUARD, FLOOR(x),                NUM(0)                                        ) \
    X1( ceil,      GUARD, CEIL(x),                 NUM(0)                                        ) \
    X1( round,     GUARD, ROUND(x),                NUM(0)                                        ) \
    X1( trunc,     GUARD, TRUNC(x),                NUM(0)                                        ) \
    X2( fmod,      GUARD, FMOD(x, y),              NUM(1),         NEG(TRUNC(DIV(x, y)))         ) \
    X2( lt,        GUARD, LT(x, y),                NUM(0),                   NUM(0)              ) \
    X2( le,        GUARD, LE(x, y),                NUM(0),                   NUM(0)              ) \
    X2( gt,        GUARD, GT(x, y),                NUM(0),                   NUM(0)              ) \
    X2( ge,        GUARD, GE(x, y),                NUM(0),                   NUM(0)              ) \
    X2( eq,        GUARD, EQ(x, y),                NUM(0),                   NUM(0)              ) \
    X2( ne,        GUARD, NE(x, y),                NUM(0),                   NUM(0)              ) \
    X3( select,    GUARD, SELECT(x, y, z),         NUM(0), NE(x, NUM(0)),    EQ(x, NUM(0))       ) \
    /* lists: one instruction each; the value stands in [S4]                                    */ \
    XN( sum,       NUM(1)                                                                        ) \
    XN( dot,       y                                                                             ) \
    XN( norm,      DIV0(x, r)                                                                    ) \
    XN( logsumexp, EXP(SUB0(x, r))                                                               ) \
    XN( lincomb,   c                                                                             ) \
    XN( polyval,   POLY(n, k_, d, x)                                                             ) \
    XN( custom,    c                                                                               )

/* The words, in the order of the parameters above. P(word) is what a reading makes of it. */
#define ADI_WORDS(P)                                                                               \
    P(num), P(add), P(sub), P(mul), P(div), P(neg), P(sub0), P(mul0), P(div0), P(fma), P(abs),     \
    P(sign), P(copysign), P(sqrt), P(cbrt), P(square), P(inv), P(hypot), P(pow), P(ipow),          \
    P(exp), P(exp2), P(expm1), P(log), P(log2), P(log10), P(log1p), P(sin), P(cos), P(tan),        \
    P(asin), P(acos), P(atan), P(atan2), P(sinh), P(cosh), P(tanh), P(asinh), P(acosh), P(atanh),  \
    P(erf), P(erfc), P(lgamma), P(digamma), P(trigamma), P(polygamma), P(sigmoid), P(softplus),    \
    P(logaddexp), P(min), P(max), P(floor), P(ceil), P(round), P(trunc), P(fmod),                  \
    P(lt), P(le), P(gt), P(ge), P(eq), P(ne), P(select), P(poly)
#define ADI_READ(arguments) ADI_RULES arguments      /* ADI_READ((X1, X2, X3, XN, ADI_WORDS(P))) */
#define ADI_SKIP3(name, class_, value, dx, dy, dz)
#define ADI_SKIPN(name, partial)
#define ADI_WORD_TEXT(w) w                           /* the text reading: mul(cos(x), y) */

/* Operation codes. A binary operation has three: both operands recorded (_vv), the second a plain
   number from the constant pool (_vc), the first one (_cv). */
enum {
    ADI_OP_input, ADI_OP_part,
#define ADI_X1(name, class_, value, dx)          ADI_OP_##name,
#define ADI_X2(name, class_, value, dx, dy)      ADI_OP_##name, ADI_OP_##name##_vc,                \
    ADI_OP_##name##_cv,
#define ADI_X3(name, class_, value, dx, dy, dz)  ADI_OP_##name,
#define ADI_XN(name, partial)                    ADI_OP_##name,
    ADI_READ((ADI_X1, ADI_X2, ADI_X3, ADI_XN, ADI_WORDS(ADI_WORD_TEXT)))
#undef ADI_X1
#undef ADI_X2
#undef ADI_X3
#undef ADI_XN
    ADI_OP_user, ADI_OP_COUNT
};

/* ============================================================ [S3] COMMON TYPES
   What both precisions share: status, write callback, descriptors without numbers.   needs: [S2] */
#ifdef __cplusplus
extern "C" {
#endif

typedef enum ad_status {
    AD_OK = 0,
    AD_ERR_ARGUMENT,        /* a NULL or a size that cannot be meant */
    AD_ERR_MEMORY,          /* the allocator returned NULL */
    AD_ERR_LIMIT,           /* the tape's limit or buffer is full; usable again after rewind */
    AD_ERR_STALE,           /* a variable from before a reset, or (in lists and sweeps) a rewind */
    AD_ERR_MIXED,           /* variables of two tapes in one operation */
    AD_ERR_UNSUPPORTED,     /* a user operation lacks the callback that this sweep needs */
    AD_ERR_USER,            /* a user callback reported failure */
    AD_ERR_WRITE,           /* the write callback stopped the output */
    AD_ERR_SHAPE,           /* shapes do not fit */
    AD_ERR_BRANCH           /* an evaluation would have taken another branch than the recording */
} ad_status;

/* "AD_ERR_STALE"; never NULL. */
AD_DEF const char *ad_status_name(ad_status s);

/* Receives text in pieces; nonzero stops the output, which then returns AD_ERR_WRITE. */
typedef int (*ad_write_fn)(void *user, const char *text, size_t length);

/* Replaces malloc, realloc and free in one: old NULL allocates, new_bytes 0 frees. Returns NULL on
   failure (the old block is then untouched). */
typedef void *(*ad_resize_fn)(void *user, void *old, size_t old_bytes, size_t new_bytes);

/* What a tape may be told at its creation; all zero is the default. */
typedef struct ad_tape_desc {
    ad_resize_fn resize;      /* allocator; NULL: AUTODIFF_REALLOC and AUTODIFF_FREE */
    void        *resize_user;
    void        *buffer;      /* a fixed buffer: the tape lives in it alone and never allocates */
    size_t       buffer_bytes;
    size_t       max_slots;   /* limit on variables; 0: 2^28 - 1, what an instruction can name */
    size_t       initial_slots;   /* first allocation; 0: 1024 */
    size_t       grow_slots;  /* slots added when full; 0: double */
    int          debug;       /* nonzero: report the first operation that makes a NaN or infinity */
    int          reserved[7];
} ad_tape_desc;

typedef struct ad_tape_stats {
    size_t slots;             /* values on the tape: inputs and results */
    size_t instructions;      /* slots that an operation made */
    size_t constants;         /* numbers in the constant pool */
    size_t bytes;             /* allocated now */
    size_t bytes_used;        /* of these, holding the trace and its adjoints */
    size_t peak_bytes;        /* most ever allocated */
    size_t peak_slots;
    size_t branches;          /* guards recorded by ad_branch */
} ad_tape_stats;

/* One row of the rule table as text, in the neutral words: value "mul(x, y)", partials "y", "x".
   In lists the value is NULL and partial[0] is the one for an operand x. */
typedef struct ad_rule {
    const char *name;
    int         operands;     /* 1, 2, 3; 0 for a list */
    const char *value;
    const char *partial[3];
} ad_rule;
/* The whole table, for tools, tests and documentation. */
AD_DEF const ad_rule *ad_rules(size_t *count);

typedef enum ad_graph_format { AD_GRAPH_DOT, AD_GRAPH_JSON, AD_GRAPH_TEXT } ad_graph_format;

#ifdef __cplusplus
}   /* extern "C" */
#endif

/* Pass 1: everything that depends on the real type, for double and for float. */
#define ADI_PASS   1
#define REAL       double
#define AD_FN(n)   ad_##n
#define ADI_LIBM(n) n
#define ADI_LGAMMA_R lgamma_r
#define ADI_BITS   uint64_t
#include AD_HEADER_NAME

#define ADI_PASS   1
#define REAL       float
#define AD_FN(n)   adf_##n
#define ADI_LIBM(n) n##f
#define ADI_LGAMMA_R lgammaf_r
#define ADI_BITS   uint32_t
#include AD_HEADER_NAME
#endif

/* ------------------------------------------------------- pass 1: the interface of one real type */
#if defined(ADI_PASS) && ADI_PASS == 1 && !defined(ADI_SUBPASS)

/* ============================================================ [S4] THE REAL READING
   ad_real_<op>(x, y): every row's value on plain numbers. The value column is read with the
   primitives ad_prim_<word>, which map to libm and C; the partial columns, later, with the
   results (so that SIGMOID in a partial is ad_real_sigmoid).                         needs: [S2] */
#ifdef __cplusplus
extern "C" {
#endif
/* The polygamma function psi_n(x) of order n = 0 (digamma), 1 (trigamma), 2 ... 60; NaN for others.
   Recurrence, then the asymptotic series: Abramowitz & Stegun 6.4.6 and 6.4.11. */
AD_DEF REAL AD_FN(private_polygamma)(REAL x, REAL n);
#ifdef __cplusplus
}
#endif

/* Neither zero nor infinite nor NaN, by one comparison of the bits without the sign. */
ADI_INLINE int AD_FN(private_ordinary)(REAL p)
{
    const ADI_BITS top = (ADI_BITS)-1 << (sizeof(REAL) == 8 ? 53 : 24);     /* infinity, doubled */
    ADI_BITS u;
    memcpy(&u, &p, sizeof u);
    return (ADI_BITS)((ADI_BITS)(u << 1) - 1) < (ADI_BITS)(top - 1);
}

#define ADI_PRIM1(w, e) ADI_INLINE REAL AD_FN(prim_##w)(REAL x) { return e; }
#define ADI_PRIM2(w, e) ADI_INLINE REAL AD_FN(prim_##w)(REAL x, REAL y) { return e; }
#define ADI_PRIM3(w, e) ADI_INLINE REAL AD_FN(prim_##w)(REAL x, REAL y, REAL z) { return e; }
ADI_INLINE REAL AD_FN(prim_num)(double x) { return (REAL)x; }
ADI_PRIM2(add, x + y)               ADI_PRIM2(sub, x - y)             ADI_PRIM2(mul, x * y)
ADI_PRIM2(div, x / y)               ADI_PRIM1(neg, -x)
ADI_PRIM1(abs, ADI_LIBM(fabs)(x))
ADI_PRIM2(sub0, x == y ? 0 : x - y)
ADI_PRIM2(mul0, ADI_LIKELY(AD_FN(private_ordinary)(y)) || (x != 0 && y != 0) ? x * y : 0)
ADI_PRIM2(div0, y == 0 ? 0 : x / y)
ADI_PRIM3(fma, ADI_LIBM(fma)(x, y, z))
ADI_PRIM1(sign, x > 0 ? 1 : x < 0 ? -1 : x == 0 ? 0 : x)       /* NaN stays NaN */
ADI_PRIM2(copysign, ADI_LIBM(copysign)(x, y))
ADI_PRIM1(sqrt, ADI_LIBM(sqrt)(x))     ADI_PRIM1(cbrt, ADI_LIBM(cbrt)(x))
ADI_PRIM2(hypot, ADI_LIBM(hypot)(x, y)) ADI_PRIM2(pow, ADI_LIBM(pow)(x, y))
ADI_PRIM1(exp, ADI_LIBM(exp)(x))       ADI_PRIM1(exp2, ADI_LIBM(exp2)(x))
ADI_PRIM1(expm1, ADI_LIBM(expm1)(x))   ADI_PRIM1(log, ADI_LIBM(log)(x))
ADI_PRIM1(log2, ADI_LIBM(log2)(x))     ADI_PRIM1(log10, ADI_LIBM(log10)(x))
ADI_PRIM1(log1p, ADI_LIBM(log1p)(x))   ADI_PRIM1(sin, ADI_LIBM(sin)(x))
ADI_PRIM1(cos, ADI_LIBM(cos)(x))       ADI_PRIM1(tan, ADI_LIBM(tan)(x))
ADI_PRIM1(asin, ADI_LIBM(asin)(x))     ADI_PRIM1(acos, ADI_LIBM(acos)(x))
ADI_PRIM1(atan, ADI_LIBM(atan)(x))     ADI_PRIM2(atan2, ADI_LIBM(atan2)(x, y))
ADI_PRIM1(sinh, ADI_LIBM(sinh)(x))     ADI_PRIM1(cosh, ADI_LIBM(cosh)(x))
ADI_PRIM1(tanh, ADI_LIBM(tanh)(x))     ADI_PRIM1(asinh, ADI_LIBM(asinh)(x))
ADI_PRIM1(acosh, ADI_LIBM(acosh)(x))   ADI_PRIM1(atanh, ADI_LIBM(atanh)(x))
ADI_PRIM1(erf, ADI_LIBM(erf)(x))       ADI_PRIM1(erfc, ADI_LIBM(erfc)(x))
ADI_PRIM2(polygamma, AD_FN(private_polygamma)(x, y))
ADI_PRIM2(min, x < y || x != x ? x : y)                        /* NaN if either is */
ADI_PRIM2(max, x > y || x != x ? x : y)
ADI_PRIM1(floor, ADI_LIBM(floor)(x))   ADI_PRIM1(ceil, ADI_LIBM(ceil)(x))
ADI_PRIM1(round, ADI_LIBM(round)(x))   ADI_PRIM1(trunc, ADI_LIBM(trunc)(x))
ADI_PRIM2(fmod, ADI_LIBM(fmod)(x, y))
ADI_PRIM2(lt, x < y)   ADI_PRIM2(le, x <= y)   ADI_PRIM2(gt, x > y)
ADI_PRIM2(ge, x >= y)  ADI_PRIM2(eq, x == y)   ADI_PRIM2(ne, x != y)
ADI_PRIM3(select, x != 0 ? y : z)
/* C's lgamma writes the global signgam, a race between threads; glibc has one that does not. */
ADI_INLINE REAL AD_FN(prim_lgamma)(REAL x)
{
#if defined(__GLIBC__)
    int sign;
    return ADI_LGAMMA_R(x, &sign);
#else
    return ADI_LIBM(lgamma)(x);
#endif
}
/* x to an integer power by repeated squaring; libm beyond 64, where its rounding errors are
   fewer. */
ADI_INLINE REAL AD_FN(prim_ipow)(REAL x, REAL y)
{
    REAL r = 1, b = x;
    int n = 0;
    if (!(y >= -64 && y <= 64)) return ADI_LIBM(pow)(x, ADI_LIBM(trunc)(y));
    for (n = (int)(y < 0 ? -y : y); n > 0; n >>= 1) {
        if (n & 1) r *= b;
        if (n > 1) b *= b;
    }
    return y <= -1 ? 1 / r : r;
}
#undef ADI_PRIM1
#undef ADI_PRIM2
#undef ADI_PRIM3

#define ADI_WORD_PRIM(w) AD_FN(prim_##w)
#define ADI_WORD_REAL(w) AD_FN(real_##w)
#define ADI_X1(name, class_, value, dx)                                                            \
    ADI_INLINE REAL AD_FN(real_##name)(REAL x) { return value; }
#define ADI_X2(name, class_, value, dx, dy)                                                        \
    ADI_INLINE REAL AD_FN(real_##name)(REAL x, REAL y) { return value; }
#define ADI_X3(name, class_, value, dx, dy, dz)                                                    \
    ADI_INLINE REAL AD_FN(real_##name)(REAL x, REAL y, REAL z) { return value; }
ADI_READ((ADI_X1, ADI_X2, ADI_X3, ADI_SKIPN, ADI_WORDS(ADI_WORD_PRIM)))
#undef ADI_X1
#undef ADI_X2
#undef ADI_X3
ADI_INLINE REAL AD_FN(real_num)(double x) { return (REAL)x; }
ADI_INLINE REAL AD_FN(real_value)(REAL x) { return x; }

/* How a partial p multiplies an adjoint or tangent d, by the class of its rule. An ordinary partial
   needs no guard: only 0 times infinity must become 0, and NaN times 0. */
ADI_INLINE REAL AD_FN(real_chain_PLAIN)(REAL p, REAL d) { return p * d; }
ADI_INLINE REAL AD_FN(real_chain_GUARD)(REAL p, REAL d) { return AD_FN(prim_mul0)(d, p); }

#define ADI_ITSELF(x) x
/* The lists, over any number type T with functions F(name): N(sum) and so on, over elements E that
   V turns into T. The largest value leaves the sums of norm and logsumexp as a plain number, so
   neither overflows, and the derivative is unchanged. */
#define ADI_LISTS(T, E, V, F, N)                                                                   \
ADI_INLINE T N(sum)(size_t n, const E *x)                                                          \
{                                                                                                  \
    T s = F(num)(0);                                                                               \
    size_t i;                                                                                      \
    for (i = 0; i < n; i++) s = F(add)(s, V(x[i]));                                                \
    return s;                                                                                      \
}                                                                                                  \
ADI_INLINE T N(dot)(size_t n, const E *x, const E *y)                                              \
{                                                                                                  \
    T s = F(num)(0);                                                                               \
    size_t i;                                                                                      \
    for (i = 0; i < n; i++) s = F(add)(s, F(mul)(V(x[i]), V(y[i])));                               \
    return s;                                                                                      \
}                                                                                                  \
ADI_INLINE T N(norm)(size_t n, const E *x)                                                         \
{                                                                                                  \
    T s = F(num)(0), q;                                                                            \
    REAL m = 0;                                                                                    \
    size_t i;                                                                                      \
    for (i = 0; i < n; i++) m = AD_FN(real_max)(m, AD_FN(real_abs)(F(value)(V(x[i]))));            \
    if (m == 0) return s;                                                                          \
    if (m > AD_FN(real_num)(1e-15) && m < AD_FN(real_num)(1e15)) m = 1;                            \
    for (i = 0; i < n; i++) {                                                                      \
        q = m == 1 ? V(x[i]) : F(div)(V(x[i]), F(num)((double)m));                                 \
        s = F(add)(s, F(mul)(q, q));                                                               \
    }                                                                                              \
    s = F(sqrt)(s);                                                                                \
    return m == 1 ? s : F(mul)(s, F(num)((double)m));                                              \
}                                                                                                  \
ADI_INLINE T N(logsumexp)(size_t n, const E *x)                                                    \
{                                                                                                  \
    T s = F(num)(0);                                                                               \
    REAL m = n ? F(value)(V(x[0])) : -(REAL)INFINITY;                                              \
    size_t i;                                                                                      \
    for (i = 1; i < n; i++) m = AD_FN(real_max)(m, F(value)(V(x[i])));                             \
    if (m - m != 0 && m == m) {       /* infinite: exp(x - m) is 1 where x == m, else 0 */         \
        for (i = 0, s = F(num)((double)m); i < n; i++)                                             \
            if (F(value)(V(x[i])) == m) s = F(add)(s, V(x[i]));                                    \
        return s;                                                                                  \
    }                                                                                              \
    for (i = 0; i < n; i++) s = F(add)(s, F(exp)(F(sub)(V(x[i]), F(num)((double)m))));             \
    return F(add)(F(log)(s), F(num)((double)m));                                                   \
}                                                                                                  \
ADI_INLINE T N(lincomb)(size_t n, const REAL *c, const E *x)                                       \
{                                                                                                  \
    T s = F(num)(0);                                                                               \
    size_t i;                                                                                      \
    for (i = 0; i < n; i++) s = F(add)(s, F(mul)(F(num)((double)c[i]), V(x[i])));                  \
    return s;                                                                                      \
}                                                                                                  \
/* derivative number d of c[0] + c[1] x + ... + c[n-1] x^(n-1), by Horner's rule */                \
ADI_INLINE T N(poly)(size_t n, const REAL *c, size_t d, T x)                                       \
{                                                                                                  \
    T s = F(num)(0);                                                                               \
    size_t i = n, j;                                                                               \
    while (i-- > d) {                                                                              \
        double q = (double)c[i];                                                                   \
        for (j = 0; j < d; j++) q *= (double)(i - j);                                              \
        s = F(add)(F(mul)(s, x), F(num)(q));                                                       \
    }                                                                                              \
    return s;                                                                                      \
}                                                                                                  \
ADI_INLINE T N(polyval)(size_t n, const REAL *c, T x) { return N(poly)(n, c, 0, x); }              \
ADI_INLINE T N(powi)(T x, int n) { return F(ipow)(x, F(num)((double)n)); }
ADI_LISTS(REAL, REAL, ADI_ITSELF, ADI_WORD_REAL, ADI_WORD_REAL)

/* ============================================================ [S5] DUAL NUMBERS
   A dual is a value and its derivative along one or several directions, carried together:
   f(v + d e) = f(v) + f'(v) d e, where e*e = 0. Arithmetic on duals is the chain rule.
                                                                                      needs: [S4] */
typedef struct AD_FN(dual) {               /* value, one tangent */
    REAL v, d;
#ifdef __cplusplus
    AD_FN(dual)() = default;
    AD_FN(dual)(REAL value, REAL tangent = 0) : v(value), d(tangent) {}
#endif
} AD_FN(dual);

typedef struct AD_FN(dual4) {              /* value, four tangents */
    REAL v;
    REAL d[4];
#ifdef __cplusplus
    AD_FN(dual4)() = default;
    AD_FN(dual4)(REAL value) : v(value), d() {}
#endif
} AD_FN(dual4);

typedef struct AD_FN(dual8) {              /* value, eight tangents */
    REAL v;
    REAL d[8];
#ifdef __cplusplus
    AD_FN(dual8)() = default;
    AD_FN(dual8)(REAL value) : v(value), d() {}
#endif
} AD_FN(dual8);

/* Second order, along two directions a and b: d1 = df/da, d2 = df/db, d12 = d2f/(da db), exact.
   With both directions the same, d12 is the second derivative. */
typedef struct AD_FN(dual2) {
    REAL v, d1, d2, d12;
#ifdef __cplusplus
    AD_FN(dual2)() = default;
    AD_FN(dual2)(REAL value, REAL a = 0, REAL b = 0, REAL ab = 0) : v(value), d1(a), d2(b),
        d12(ab) {}
#endif
} AD_FN(dual2);

#define ADI_D(n)       AD_FN(dual_##n)
#define ADI_DUAL       AD_FN(dual)
#define ADI_LANES      1
#define ADI_TANGENT(x) (&(x).d)
#define ADI_SUBPASS    4
#include AD_HEADER_NAME

#define ADI_D(n)       AD_FN(dual4_##n)
#define ADI_DUAL       AD_FN(dual4)
#define ADI_LANES      4
#define ADI_TANGENT(x) ((x).d)
#define ADI_SUBPASS    4
#include AD_HEADER_NAME

#define ADI_D(n)       AD_FN(dual8_##n)
#define ADI_DUAL       AD_FN(dual8)
#define ADI_LANES      8
#define ADI_TANGENT(x) ((x).d)
#define ADI_SUBPASS    4
#include AD_HEADER_NAME

/* ad_dual_make(v, d): value and tangent. A variable has d = 1, a constant d = 0. */
ADI_INLINE AD_FN(dual) AD_FN(dual_make)(REAL v, REAL d)
{
    AD_FN(dual) r;
    r.v = v;
    r.d = d;
    return r;
}

ADI_INLINE AD_FN(dual2) AD_FN(dual2_make)(REAL v, REAL d1, REAL d2, REAL d12)
{
    AD_FN(dual2) r;
    r.v = v;
    r.d1 = d1;
    r.d2 = d2;
    r.d12 = d12;
    return r;
}

/* ad_dual4_seed(v, i): the variable number i of four (dual8: of eight): tangent i is 1, the
   others 0. */
ADI_INLINE AD_FN(dual4) AD_FN(dual4_seed)(REAL v, int i)
{
    AD_FN(dual4) r = AD_FN(dual4_num)((double)v);
    r.d[i & 3] = 1;
    return r;
}

ADI_INLINE AD_FN(dual8) AD_FN(dual8_seed)(REAL v, int i)
{
    AD_FN(dual8) r = AD_FN(dual8_num)((double)v);
    r.d[i & 7] = 1;
    return r;
}

/* Second order is a dual of duals: the inner dual is (v, d1), the outer tangent (d2, d12). So the
   partials, read over duals, carry their own derivative along the first direction. */
ADI_INLINE AD_FN(dual) AD_FN(private_inner)(AD_FN(dual2) a) { return AD_FN(dual_make)(a.v, a.d1); }
ADI_INLINE AD_FN(dual) AD_FN(private_outer)(AD_FN(dual2) a)
{
    return AD_FN(dual_make)(a.d2, a.d12);
}
ADI_INLINE AD_FN(dual2) AD_FN(private_nest)(AD_FN(dual) v, AD_FN(dual) d)
{
    return AD_FN(dual2_make)(v.v, v.d, d.v, d.d);
}
ADI_INLINE REAL AD_FN(dual2_value)(AD_FN(dual2) a) { return a.v; }
ADI_INLINE AD_FN(dual2) AD_FN(dual2_num)(double v) { return AD_FN(dual2_make)((REAL)v, 0, 0, 0); }
#define ADI_WORD_DUAL(w) AD_FN(dual_##w)
#define ADI_WORD_DUAL2(w) AD_FN(dual2_##w)
#define ADI_X1(name, class_, value, dx)                                                            \
    ADI_INLINE AD_FN(dual2) AD_FN(dual2_##name)(AD_FN(dual2) a)                                    \
    {                                                                                              \
        AD_FN(dual) x = AD_FN(private_inner)(a), r = AD_FN(dual_##name)(x), p = dx;                \
        (void)x;                                                                                   \
        return AD_FN(private_nest)(r, AD_FN(dual_chain_##class_)(p, AD_FN(private_outer)(a)));     \
    }
#define ADI_X2(name, class_, value, dx, dy)                                                        \
    ADI_INLINE AD_FN(dual2) AD_FN(dual2_##name)(AD_FN(dual2) a, AD_FN(dual2) b)                    \
    {                                                                                              \
        AD_FN(dual) x = AD_FN(private_inner)(a), y = AD_FN(private_inner)(b);                      \
        AD_FN(dual) r = AD_FN(dual_##name)(x, y), p = dx, q = dy;                                  \
        (void)x; (void)y;                                                                          \
        return AD_FN(private_nest)(r, AD_FN(dual_add)(                                             \
            AD_FN(dual_chain_##class_)(p, AD_FN(private_outer)(a)),                                \
            AD_FN(dual_chain_##class_)(q, AD_FN(private_outer)(b))));                              \
    }                                                                                              \
    ADI_INLINE AD_FN(dual2) AD_FN(dual2_##name##_r)(AD_FN(dual2) a, REAL c)                        \
    {                                                                                              \
        const AD_FN(dual) x = AD_FN(private_inner)(a), y = AD_FN(dual_num)((double)c);             \
        const AD_FN(dual) r = AD_FN(dual_##name)(x, y), p = dx;                                    \
        (void)x; (void)y;                                                                          \
        return AD_FN(private_nest)(r, AD_FN(dual_chain_##class_)(p, AD_FN(private_outer)(a)));     \
    }                                                                                              \
    ADI_INLINE AD_FN(dual2) AD_FN(dual2_##name##_from_r)(REAL c, AD_FN(dual2) b)                   \
    {                                                                                              \
        const AD_FN(dual) x = AD_FN(dual_num)((double)c), y = AD_FN(private_inner)(b);             \
        const AD_FN(dual) r = AD_FN(dual_##name)(x, y), p = dy;                                    \
        (void)x; (void)y;                                                                          \
        return AD_FN(private_nest)(r, AD_FN(dual_chain_##class_)(p, AD_FN(private_outer)(b)));     \
    }
#define ADI_X3(name, class_, value, dx, dy, dz)                                                    \
    ADI_INLINE AD_FN(dual2) AD_FN(dual2_##name)(AD_FN(dual2) a, AD_FN(dual2) b, AD_FN(dual2) c)    \
    {                                                                                              \
        AD_FN(dual) x = AD_FN(private_inner)(a), y = AD_FN(private_inner)(b);                      \
        AD_FN(dual) z = AD_FN(private_inner)(c), r = AD_FN(dual_##name)(x, y, z);                  \
        AD_FN(dual) p = dx, q = dy, s = dz;                                                        \
        (void)x; (void)y; (void)z; (void)r;                                                        \
        return AD_FN(private_nest)(r, AD_FN(dual_add)(AD_FN(dual_add)(                             \
            AD_FN(dual_chain_##class_)(p, AD_FN(private_outer)(a)),                                \
            AD_FN(dual_chain_##class_)(q, AD_FN(private_outer)(b))),                               \
            AD_FN(dual_chain_##class_)(s, AD_FN(private_outer)(c))));                              \
    }
ADI_READ((ADI_X1, ADI_X2, ADI_X3, ADI_SKIPN, ADI_WORDS(ADI_WORD_DUAL)))
#undef ADI_X1
#undef ADI_X2
#undef ADI_X3
ADI_LISTS(AD_FN(dual2), AD_FN(dual2), ADI_ITSELF, ADI_WORD_DUAL2, ADI_WORD_DUAL2)

/* ============================================================ [S6] THE TAPE AND RECORDING
   A tape is two growing arrays: a value and an instruction for every slot. A variable is the index
   of its slot. Recording appends one slot and is inlined; all that is rare (growth, constants,
   errors, debugging) is behind one test, because `limit` is then 0.                     needs: [S4]

   An instruction is one 64-bit word: operation in bits 0-7, first operand in 8-35, second in 36-63;
   operations on three operands or lists have there the place of a record in `list`.              */
typedef struct AD_FN(tape) AD_FN(tape);    /* private: read it with the functions of [S7] */
struct AD_FN(tape) {
    uint32_t   n;              /* slots in use */
    uint32_t   limit;          /* slots that may be recorded without a look at anything else */
    uint32_t   epoch;          /* changes with every reset */
    uint32_t   n_constant;
    uint64_t  *code;
    REAL      *value;
    REAL      *constant;
    uint32_t   recent[64];     /* hash of a constant's bits -> where it last was */
};

/* A variable: a value and where it stands. tape == NULL: a constant. Copy it freely. */
typedef struct AD_FN(var) {
    REAL v;
    AD_FN(tape) *tape;
    uint32_t id, epoch;
#ifdef __cplusplus
    AD_FN(var)() = default;
    AD_FN(var)(REAL value) : v(value), tape(0), id(0), epoch(0) {}
#endif
} AD_FN(var);

#ifdef __cplusplus
extern "C" {
#endif
/* The slow paths of recording [S13]; v is the value that the rule gave. They return the new slot,
   or UINT32_MAX after an error: a whole variable, returned through memory, would keep compilers
   from holding variables in registers on the fast path. */
AD_DEF uint32_t AD_FN(private_record1)(uint32_t op, REAL v,
    REAL av, AD_FN(tape) *at, uint32_t ai, uint32_t ae);
AD_DEF uint32_t AD_FN(private_record2)(uint32_t op, REAL v,
    REAL av, AD_FN(tape) *at, uint32_t ai, uint32_t ae, REAL bv, AD_FN(tape) *bt, uint32_t bi,
        uint32_t be);
AD_DEF uint32_t AD_FN(private_record3)(uint32_t op, REAL v, AD_FN(tape) *t,
    const AD_FN(var) *a, const AD_FN(var) *b, const AD_FN(var) *c);
#ifdef __cplusplus
}
#endif

/* A constant: never on a tape, costs nothing. */
ADI_INLINE AD_FN(var) AD_FN(const)(REAL v)
{
    AD_FN(var) r;
    r.v = v;
    r.tape = NULL;
    r.id = 0;
    r.epoch = 0;
    return r;
}
/* The same value without its derivative. */
ADI_INLINE AD_FN(var) AD_FN(detach)(AD_FN(var) x) { return AD_FN(const)(x.v); }
ADI_INLINE REAL AD_FN(var_value)(AD_FN(var) x) { return x.v; }
ADI_INLINE AD_FN(var) AD_FN(var_num)(double v) { return AD_FN(const)((REAL)v); }

/* Appends an instruction; the caller has tested the limit. */
ADI_INLINE AD_FN(var) AD_FN(private_push)(AD_FN(tape) *t, uint64_t word, REAL v, uint32_t epoch)
{
    AD_FN(var) r;
    const uint32_t n = t->n;
    r.v = v;
    r.tape = t;
    r.id = n;
    r.epoch = epoch;
    t->value[n] = v;
    t->code[n] = word;
    t->n = n + 1;
    return r;
}

/* What a slow path's answer means: the new variable, or the NaN constant of an error. */
ADI_INLINE AD_FN(var) AD_FN(private_result)(AD_FN(tape) *t, uint32_t id, REAL v)
{
    AD_FN(var) r;
    r.v = id != UINT32_MAX ? v : (REAL)NAN;
    r.tape = id != UINT32_MAX ? t : NULL;
    r.id = id != UINT32_MAX ? id : 0;
    r.epoch = id != UINT32_MAX ? t->epoch : 0;
    return r;
}

/* The place of constant c in the pool where it was used lately, else UINT32_MAX. By bits: -0.0 is
   not 0.0. */
ADI_INLINE uint32_t AD_FN(private_hash)(ADI_BITS bits)
{
    return (uint32_t)(((uint64_t)bits * 0x9E3779B97F4A7C15u) >> 58);
}
ADI_INLINE uint32_t AD_FN(private_find)(const AD_FN(tape) *t, REAL c)
{
    ADI_BITS want, have;
    uint32_t at;
    memcpy(&want, &c, sizeof want);
    at = t->recent[AD_FN(private_hash)(want)];
    if (at >= t->n_constant) return UINT32_MAX;
    memcpy(&have, t->constant + at, sizeof have);
    return have == want ? at : UINT32_MAX;
}

/* ad_var_<op>, ad_var_<op>_r(a, number), ad_var_<op>_from_r(number, a). Operations on constants
   alone give constants and record nothing. */
#define ADI_X1(name, class_, value_, dx)                                                           \
    ADI_INLINE AD_FN(var) AD_FN(var_##name)(AD_FN(var) a)                                          \
    {                                                                                              \
        const REAL v = AD_FN(real_##name)(a.v);                                                    \
        if (a.tape == NULL) return AD_FN(const)(v);                                                \
        if (ADI_LIKELY(a.epoch == a.tape->epoch && a.tape->n < a.tape->limit))                     \
            return AD_FN(private_push)(a.tape, ADI_OP_##name | (uint64_t)a.id << 8, v, a.epoch);   \
        return AD_FN(private_result)(a.tape, AD_FN(private_record1)(                               \
            ADI_OP_##name, v, a.v, a.tape, a.id, a.epoch), v);                                     \
    }
#define ADI_X2(name, class_, value_, dx, dy)                                                       \
    ADI_INLINE AD_FN(var) AD_FN(var_##name)(AD_FN(var) a, AD_FN(var) b)                            \
    {                                                                                              \
        const REAL v = AD_FN(real_##name)(a.v, b.v);                                               \
        AD_FN(tape) *t = a.tape;                                                                   \
        if (ADI_LIKELY(t != NULL && t == b.tape && a.epoch == t->epoch && b.epoch == t->epoch      \
                       && t->n < t->limit))                                                        \
            return AD_FN(private_push)(t,                                                          \
                ADI_OP_##name | (uint64_t)a.id << 8 | (uint64_t)b.id << 36,                        \
                                       v, a.epoch);                                                \
        if (t == NULL && b.tape == NULL) return AD_FN(const)(v);                                   \
        return AD_FN(private_result)(t ? t : b.tape, AD_FN(private_record2)(ADI_OP_##name, v,      \
            a.v, a.tape, a.id, a.epoch, b.v, b.tape, b.id, b.epoch), v);                           \
    }                                                                                              \
    ADI_INLINE AD_FN(var) AD_FN(var_##name##_r)(AD_FN(var) a, REAL c)                              \
    {                                                                                              \
        const REAL v = AD_FN(real_##name)(a.v, c);                                                 \
        AD_FN(tape) *t = a.tape;                                                                   \
        if (t == NULL) return AD_FN(const)(v);                                                     \
        if (ADI_LIKELY(a.epoch == t->epoch && t->n < t->limit)) {                                  \
            const uint32_t k = AD_FN(private_find)(t, c);                                          \
            if (ADI_LIKELY(k != UINT32_MAX))                                                       \
                return AD_FN(private_push)(t, ADI_OP_##name##_vc | (uint64_t)a.id << 8             \
                                              | (uint64_t)k << 36, v, a.epoch);                    \
        }                                                                                          \
        return AD_FN(private_result)(t, AD_FN(private_record2)(                                    \
            ADI_OP_##name, v, a.v, t, a.id, a.epoch, c, NULL, 0, 0), v);                           \
    }                                                                                              \
    ADI_INLINE AD_FN(var) AD_FN(var_##name##_from_r)(REAL c, AD_FN(var) b)                         \
    {                                                                                              \
        const REAL v = AD_FN(real_##name)(c, b.v);                                                 \
        AD_FN(tape) *t = b.tape;                                                                   \
        if (t == NULL) return AD_FN(const)(v);                                                     \
        if (ADI_LIKELY(b.epoch == t->epoch && t->n < t->limit)) {                                  \
            const uint32_t k = AD_FN(private_find)(t, c);                                          \
            if (ADI_LIKELY(k != UINT32_MAX))                                                       \
                return AD_FN(private_push)(t, ADI_OP_##name##_cv | (uint64_t)k << 8                \
                                              | (uint64_t)b.id << 36, v, b.epoch);                 \
        }                                                                                          \
        return AD_FN(private_result)(t, AD_FN(private_record2)(                                    \
            ADI_OP_##name, v, c, NULL, 0, 0, b.v, t, b.id, b.epoch), v);                           \
    }
#define ADI_X3(name, class_, value_, dx, dy, dz)                                                   \
    ADI_INLINE AD_FN(var) AD_FN(var_##name)(AD_FN(var) a, AD_FN(var) b, AD_FN(var) c)              \
    {                                                                                              \
        const REAL v = AD_FN(real_##name)(a.v, b.v, c.v);                                          \
        AD_FN(tape) *t = a.tape ? a.tape : b.tape ? b.tape : c.tape;                               \
        if (t == NULL) return AD_FN(const)(v);                                                     \
        return AD_FN(private_result)(t, AD_FN(private_record3)(ADI_OP_##name, v, t, &a, &b, &c),   \
            v);                                                                                    \
    }
ADI_READ((ADI_X1, ADI_X2, ADI_X3, ADI_SKIPN, ADI_WORDS(ADI_WORD_REAL)))
#undef ADI_X1
#undef ADI_X2
#undef ADI_X3
/* x to an integer power. */
ADI_INLINE AD_FN(var) AD_FN(var_powi)(AD_FN(var) x, int n) { return AD_FN(var_ipow_r)(x, (REAL)n); }

/* ============================================================ [S7] THE TAPE'S INTERFACE
   Everything that is called, not inlined. A function that takes a tape touches that tape alone: one
   tape a thread needs no locks.                                                      needs: [S6] */
#ifdef __cplusplus
extern "C" {
#endif

/* ---- life of a tape */

/* A new, empty tape; desc NULL: the defaults. NULL if memory fails or the descriptor cannot be met
   (a buffer too small for one slot). With desc->buffer the tape lives in that buffer, which must
   outlive it. The caller owns it: ad_tape_destroy. */
AD_DEF AD_FN(tape) *AD_FN(tape_create)(const ad_tape_desc *desc);
/* Frees everything; NULL is allowed. Variables of the tape must not be used afterwards. */
AD_DEF void AD_FN(tape_destroy)(AD_FN(tape) *t);
/* Empties the tape and clears its status; keeps the memory; makes all its variables stale. O(1). */
AD_DEF void AD_FN(tape_reset)(AD_FN(tape) *t);
/* The present end of the trace, for ad_tape_rewind. */
AD_DEF size_t AD_FN(tape_mark)(const AD_FN(tape) *t);
/* Drops all that was recorded since the mark, and the status if it was AD_ERR_LIMIT or
   AD_ERR_MEMORY. Variables from after the mark must not be used again. O(what is dropped). */
AD_DEF void AD_FN(tape_rewind)(AD_FN(tape) *t, size_t mark);
/* Makes room for this many slots in all, their adjoints and 64 constants, so that recording within
   it (lists, names and user operations apart) and reverse sweeps do not allocate. */
AD_DEF ad_status AD_FN(tape_reserve)(AD_FN(tape) *t, size_t slots);
/* The first error since creation, reset or clear. After it, operations give NaN constants and
   record nothing: read it once, at the end. */
AD_DEF ad_status AD_FN(tape_status)(const AD_FN(tape) *t);
/* One line about it, with the operation and the numbers; "" when there is none. Valid until the
   next error. */
AD_DEF const char *AD_FN(tape_message)(const AD_FN(tape) *t);
AD_DEF void AD_FN(tape_clear_status)(AD_FN(tape) *t);
AD_DEF ad_tape_stats AD_FN(tape_get_stats)(const AD_FN(tape) *t);

/* ---- recording */

/* A new independent variable. On an unusable tape: a NaN constant. */
AD_DEF AD_FN(var) AD_FN(input)(AD_FN(tape) *t, REAL v);
/* n of them: x[i] = ad_input(t, v[i]). */
AD_DEF ad_status AD_FN(inputs)(AD_FN(tape) *t, size_t n, const REAL *v, AD_FN(var) *x);
/* Lists, each one instruction. Coefficients: lincomb is the sum of c[i]*x[i]; polyval is
   c[0] + c[1]*x + ... + c[n-1]*x^(n-1). c is copied. */
AD_DEF AD_FN(var) AD_FN(var_sum)(size_t n, const AD_FN(var) *x);
AD_DEF AD_FN(var) AD_FN(var_dot)(size_t n, const AD_FN(var) *x, const AD_FN(var) *y);
AD_DEF AD_FN(var) AD_FN(var_norm)(size_t n, const AD_FN(var) *x);
AD_DEF AD_FN(var) AD_FN(var_logsumexp)(size_t n, const AD_FN(var) *x);
AD_DEF AD_FN(var) AD_FN(var_lincomb)(size_t n, const REAL *c, const AD_FN(var) *x);
AD_DEF AD_FN(var) AD_FN(var_polyval)(size_t n, const REAL *c, AD_FN(var) x);
/* derivative number d of that polynomial */
AD_DEF AD_FN(var) AD_FN(var_poly)(size_t n, const REAL *c, size_t d, AD_FN(var) x);
/* A value y whose partials dy_dx[n] you know: one instruction. Both are copied. The partials
   count as constants, so second derivatives through it are zero; see ad_op for more. */
AD_DEF AD_FN(var) AD_FN(var_custom)(AD_FN(tape) *t, size_t n, const AD_FN(var) *x, REAL y,
    const REAL *dy_dx);
/* Which way an ordinary `if` goes: 1 where condition != 0. The tape remembers it, so that a
   compiled function can tell when another input would have gone the other way. */
AD_DEF int AD_FN(branch)(AD_FN(var) condition);
/* Names x in dumps and messages (the text is copied); returns x. */
AD_DEF AD_FN(var) AD_FN(name)(AD_FN(var) x, const char *name);

/* An operation of your own with n operands and m results. All arrays are the library's; callbacks
   must not touch the tape, except record. Any status but AD_OK fails as AD_ERR_USER. A NULL
   callback makes the sweep that needs it fail with AD_ERR_UNSUPPORTED; value is always needed. */
typedef struct AD_FN(op) {
    const char *name;
    ad_status (*value)(void *user, size_t n, const REAL *x, size_t m, REAL *y);
    /* x_bar[i] += sum over j of y_bar[j] * dy[j]/dx[i] */
    ad_status (*reverse)(void *user, size_t n, const REAL *x, size_t m, const REAL *y,
                         const REAL *y_bar, REAL *x_bar);
    /* y_dot[j] = sum over i of dy[j]/dx[i] * x_dot[i] */
    ad_status (*tangent)(void *user, size_t n, const REAL *x, size_t m, const REAL *y,
                         const REAL *x_dot, REAL *y_dot);
    /* reverse over duals, for Hessians: x_bar[i] += ..., values and tangents */
    ad_status (*reverse_dual)(void *user, size_t n, const AD_FN(dual) *x, size_t m,
        const AD_FN(dual) *y,
                              const AD_FN(dual) *y_bar, AD_FN(dual) *x_bar);
    /* the same recorded, for ad_grad_vars: x_bar[i] (zero on entry) is set with ad_var operations;
       it may record anything and call ad_grad_vars */
    ad_status (*record)(void *user, AD_FN(tape) *t, size_t n, const AD_FN(var) *x, size_t m,
                        const AD_FN(var) *y, const AD_FN(var) *y_bar, AD_FN(var) *x_bar);
} AD_FN(op);
/* Records op on x[n] and gives its results y[m]. op and user must live as long as the trace.
   Constant operands are allowed; if all are constant, so are the results. */
AD_DEF ad_status AD_FN(var_call)(AD_FN(tape) *t, const AD_FN(op) *op, void *user,
                                 size_t n, const AD_FN(var) *x, size_t m, AD_FN(var) *y);

/* ---- sweeps over what is recorded. All are linear in the trace below the outputs and never
   record. */

/* Reverse sweep from y. Afterwards ad_adjoint(x) is dy/dx for every x recorded before y. Adjoints
   are zeroed first: twice is the same as once. A constant y: AD_ERR_ARGUMENT (it has no tape).
   Griewank & Walther (2008), section 3.2. */
AD_DEF ad_status AD_FN(backward)(AD_FN(var) y);
/* The same from m outputs at once: adjoints become sum over j of y_bar[j] * dy[j]/dx. Constant
   outputs contribute nothing; an output named twice counts twice. */
AD_DEF ad_status AD_FN(backward_seeded)(AD_FN(tape) *t, size_t m, const AD_FN(var) *y,
    const REAL *y_bar);
/* The adjoint that the last reverse sweep left: 0 for constants and for what the output does not
   depend on, NaN for a stale variable. */
AD_DEF REAL AD_FN(adjoint)(AD_FN(var) x);
/* Tangent sweep: ad_tangent(y) becomes the derivative of y along x_dot in the variables x[n]. An
   x that is a result keeps its own derivative besides: the seed is added. */
AD_DEF ad_status AD_FN(forward)(AD_FN(tape) *t, size_t n, const AD_FN(var) *x, const REAL *x_dot);
AD_DEF REAL AD_FN(tangent)(AD_FN(var) y);
/* Forward over reverse: along x_dot, ad_adjoint(x) is the gradient of y and ad_adjoint_tangent(x)
   the Hessian-vector product. About 4 times the cost of a reverse sweep. */
AD_DEF ad_status AD_FN(forward_over_reverse)(AD_FN(var) y, size_t n, const AD_FN(var) *x,
    const REAL *x_dot);
AD_DEF REAL AD_FN(adjoint_tangent)(AD_FN(var) x);
/* J[i*n + j] = dy[i]/dx[j], eight rows (reverse) or eight columns (forward) a sweep. */
AD_DEF ad_status AD_FN(jacobian_reverse)(AD_FN(tape) *t, size_t n, const AD_FN(var) *x,
                                         size_t m, const AD_FN(var) *y, REAL *J);
AD_DEF ad_status AD_FN(jacobian_forward)(AD_FN(tape) *t, size_t n, const AD_FN(var) *x,
                                         size_t m, const AD_FN(var) *y, REAL *J);
/* H[i*n + j] = d2y/(dx[i] dx[j]), symmetric to the last bit; four columns a sweep. */
AD_DEF ad_status AD_FN(hessian_of)(AD_FN(var) y, size_t n, const AD_FN(var) *x, REAL *H);
/* The gradient of y, recorded: g[i] = dy/dx[i] are variables, to be used and differentiated like
   any other. Of zero or independent x the g are constants. */
AD_DEF ad_status AD_FN(grad_vars)(AD_FN(var) y, size_t n, const AD_FN(var) *x, AD_FN(var) *g);

/* ---- drivers: record f at x, sweep, and leave the tape as they found it. t NULL: a tape for the
   call (errors then have a status and no message). Output pointers may be NULL where not wanted. */
typedef AD_FN(var) (*AD_FN(fun))(AD_FN(tape) *t, const AD_FN(var) *x, size_t n, void *user);
typedef void (*AD_FN(vfun))(AD_FN(tape) *t, const AD_FN(var) *x, size_t n, AD_FN(var) *y,
    size_t m, void *user);
/* y = f(x), g[n]. A small multiple of f, whatever n. */
AD_DEF ad_status AD_FN(gradient)(AD_FN(tape) *t, AD_FN(fun) f, void *user, const REAL *x, size_t n,
                                 REAL *y, REAL *g);
/* H row-major n*n, symmetric. n/4 sweeps. */
AD_DEF ad_status AD_FN(hessian)(AD_FN(tape) *t, AD_FN(fun) f, void *user, const REAL *x, size_t n,
                                REAL *y, REAL *g, REAL *H);
/* Hv = H v without H. */
AD_DEF ad_status AD_FN(hvp)(AD_FN(tape) *t, AD_FN(fun) f, void *user, const REAL *x, size_t n,
                            const REAL *v, REAL *y, REAL *g, REAL *Hv);
/* y[m] = f(x), J row-major m*n; forward when n <= m, else reverse. */
AD_DEF ad_status AD_FN(jacobian)(AD_FN(tape) *t, AD_FN(vfun) f, void *user, const REAL *x, size_t n,
                                 size_t m, REAL *y, REAL *J);
/* Jv[m] = J v, v[n]. */
AD_DEF ad_status AD_FN(jvp)(AD_FN(tape) *t, AD_FN(vfun) f, void *user, const REAL *x, size_t n,
    size_t m,
                            const REAL *v, REAL *y, REAL *Jv);
/* wJ[n] = w^T J, w[m]. */
AD_DEF ad_status AD_FN(vjp)(AD_FN(tape) *t, AD_FN(vfun) f, void *user, const REAL *x, size_t n,
    size_t m,
                            const REAL *w, REAL *y, REAL *wJ);

/* ---- diagnostics */

/* With desc.debug: the first operation that made a NaN or an infinity of finite operands, or that
   did so to a finite adjoint on the way back. */
typedef struct AD_FN(nonfinite) {
    int         backward;      /* 0: its value; 1: the contribution to the adjoint of an operand */
    const char *operation;
    size_t      slot;
    int         operands;      /* at most 3 are given */
    REAL        operand[3];
    REAL        result;        /* the value, or the contribution */
    const char *file;          /* the last AD_HERE before it; NULL without one */
    int         line;
    char        message[200];
} AD_FN(nonfinite);
/* 1 and the report if there was one since the last reset, else 0. */
AD_DEF int AD_FN(tape_nonfinite)(const AD_FN(tape) *t, AD_FN(nonfinite) *report);
/* Remembers where in the source the recording is; AD_HERE(t) gives file and line. Nothing unless
   debug. */
AD_DEF void AD_FN(here)(AD_FN(tape) *t, const char *file, int line);

/* The adjoints of the last reverse sweep at a glance: do they vanish or explode? */
typedef struct AD_FN(health) {
    size_t slots, zero, denormal, nonfinite;
    REAL   largest, smallest;           /* magnitudes; smallest is of those not zero */
} AD_FN(health);
AD_DEF AD_FN(health) AD_FN(tape_health)(const AD_FN(tape) *t);

/* What a graph dump contains; all zero is the default. */
typedef struct AD_FN(graph_desc) {
    size_t           n_outputs;         /* only what these depend on; 0: the whole tape */
    const AD_FN(var) *outputs;
    size_t           max_nodes;         /* more are elided, and the dump says how many; 0: 10000 */
    int              no_values;         /* nonzero: structure and names alone */
    const char      *title;
} AD_FN(graph_desc);
/* Writes the graph with names, values and (after a sweep) adjoints. O(nodes). Compiled in by
   AUTODIFF_GRAPH where the implementation is; without it: AD_ERR_UNSUPPORTED. */
AD_DEF ad_status AD_FN(graph_dump)(const AD_FN(tape) *t, ad_graph_format format,
                                   const AD_FN(graph_desc) *desc, ad_write_fn write, void *user);
#ifdef __cplusplus
}   /* extern "C" */
#endif
#endif

/* ------------------------------------------------------- sub-pass 4: one first-order dual type */
#if defined(ADI_SUBPASS) && ADI_SUBPASS == 4
/* Parameters: ADI_DUAL the type, ADI_D(name) its functions, ADI_LANES tangents, ADI_TANGENT(x) the
   address of the first. The tangents are handled as one vector where the compiler knows vectors:
   compilers keep a struct in registers only when its parts are always accessed alike. */
#if defined(__GNUC__) && ADI_LANES > 1
typedef REAL ADI_D(lanes) __attribute__((vector_size(ADI_LANES * sizeof(REAL))));
#define ADI_ALL(statement) statement
#elif ADI_LANES > 1
typedef struct ADI_D(lanes) { REAL d[ADI_LANES]; } ADI_D(lanes);
#define ADI_ALL(statement) { int i_; for (i_ = 0; i_ < ADI_LANES; i_++) { statement } }
#else
typedef REAL ADI_D(lanes);
#define ADI_ALL(statement) statement
#endif
#if defined(__GNUC__) || ADI_LANES == 1
#define ADI_OF(x) x
#else
#define ADI_OF(x) x.d[i_]
#endif

ADI_INLINE REAL ADI_D(value)(ADI_DUAL a) { return a.v; }
ADI_INLINE ADI_DUAL ADI_D(num)(double v)
{
    ADI_DUAL r;
    r.v = (REAL)v;
    memset(ADI_TANGENT(r), 0, sizeof(ADI_D(lanes)));
    return r;
}

/* p times every tangent of a, by the class of the rule. */
ADI_INLINE ADI_DUAL ADI_D(scale_PLAIN)(REAL p, ADI_DUAL a)
{
    ADI_D(lanes) t;
    memcpy(&t, ADI_TANGENT(a), sizeof t);
    ADI_ALL(ADI_OF(t) = p * ADI_OF(t);)
    memcpy(ADI_TANGENT(a), &t, sizeof t);
    return a;
}
static ADI_COLD ADI_UNUSED ADI_DUAL ADI_D(scale_rare)(REAL p, ADI_DUAL a)
{
    int i;
    for (i = 0; i < ADI_LANES; i++)
        ADI_TANGENT(a)[i] = AD_FN(real_chain_GUARD)(p, ADI_TANGENT(a)[i]);
    return a;
}
ADI_INLINE ADI_DUAL ADI_D(scale_GUARD)(REAL p, ADI_DUAL a)
{
    if (ADI_LANES > 1 && !ADI_LIKELY(AD_FN(private_ordinary)(p))) return ADI_D(scale_rare)(p, a);
    if (ADI_LANES > 1) return ADI_D(scale_PLAIN)(p, a);
    *ADI_TANGENT(a) = AD_FN(real_chain_GUARD)(p, *ADI_TANGENT(a));
    return a;
}
ADI_INLINE ADI_DUAL ADI_D(plus)(ADI_DUAL a, ADI_DUAL b)        /* the tangents' sum */
{
    ADI_D(lanes) t, u;
    memcpy(&t, ADI_TANGENT(a), sizeof t);
    memcpy(&u, ADI_TANGENT(b), sizeof u);
    ADI_ALL(ADI_OF(t) += ADI_OF(u);)
    memcpy(ADI_TANGENT(a), &t, sizeof t);
    return a;
}
#undef ADI_ALL
#undef ADI_OF

/* ad_dual_<op> for every row of the table. */
#define ADI_X1(name, class_, value, dx)                                                            \
    ADI_INLINE ADI_DUAL ADI_D(name)(ADI_DUAL a)                                                    \
    {                                                                                              \
        const REAL x = a.v, r = AD_FN(real_##name)(x);                                             \
        ADI_DUAL t = ADI_D(scale_##class_)(dx, a);                                                 \
        (void)x;                                                                                   \
        t.v = r;                                                                                   \
        return t;                                                                                  \
    }
#define ADI_X2(name, class_, value, dx, dy)                                                        \
    ADI_INLINE ADI_DUAL ADI_D(name)(ADI_DUAL a, ADI_DUAL b)                                        \
    {                                                                                              \
        const REAL x = a.v, y = b.v, r = AD_FN(real_##name)(x, y);                                 \
        ADI_DUAL t = ADI_D(plus)(ADI_D(scale_##class_)(dx, a), ADI_D(scale_##class_)(dy, b));      \
        (void)x; (void)y;                                                                          \
        t.v = r;                                                                                   \
        return t;                                                                                  \
    }                                                                                              \
    ADI_INLINE ADI_DUAL ADI_D(name##_r)(ADI_DUAL a, REAL y)                                        \
    {                                                                                              \
        const REAL x = a.v, r = AD_FN(real_##name)(x, y);                                          \
        ADI_DUAL t = ADI_D(scale_##class_)(dx, a);                                                 \
        (void)x;                                                                                   \
        t.v = r;                                                                                   \
        return t;                                                                                  \
    }                                                                                              \
    ADI_INLINE ADI_DUAL ADI_D(name##_from_r)(REAL x, ADI_DUAL b)                                   \
    {                                                                                              \
        const REAL y = b.v, r = AD_FN(real_##name)(x, y);                                          \
        ADI_DUAL t = ADI_D(scale_##class_)(dy, b);                                                 \
        (void)y;                                                                                   \
        t.v = r;                                                                                   \
        return t;                                                                                  \
    }
#define ADI_X3(name, class_, value, dx, dy, dz)                                                    \
    ADI_INLINE ADI_DUAL ADI_D(name)(ADI_DUAL a, ADI_DUAL b, ADI_DUAL c)                            \
    {                                                                                              \
        const REAL x = a.v, y = b.v, z = c.v, r = AD_FN(real_##name)(x, y, z);                     \
        ADI_DUAL t = ADI_D(plus)(ADI_D(scale_##class_)(dx, a), ADI_D(scale_##class_)(dy, b));      \
        t = ADI_D(plus)(t, ADI_D(scale_##class_)(dz, c));                                          \
        (void)x; (void)y; (void)z;                                                                 \
        t.v = r;                                                                                   \
        return t;                                                                                  \
    }
ADI_READ((ADI_X1, ADI_X2, ADI_X3, ADI_SKIPN, ADI_WORDS(ADI_WORD_REAL)))
#undef ADI_X1
#undef ADI_X2
#undef ADI_X3

/* The same for partials that are themselves dual: where one is not ordinary, both factors and their
   tangents are switched off one by one. */
ADI_INLINE ADI_DUAL ADI_D(chain_PLAIN)(ADI_DUAL p, ADI_DUAL d) { return ADI_D(mul)(p, d); }
static ADI_COLD ADI_UNUSED ADI_DUAL ADI_D(chain_rare)(ADI_DUAL p, ADI_DUAL d)
{
    return ADI_D(mul0)(p, d);
}
ADI_INLINE ADI_DUAL ADI_D(chain_GUARD)(ADI_DUAL p, ADI_DUAL d)
{
    REAL all = p.v;
    int i;
    for (i = 0; i < ADI_LANES; i++) all += ADI_TANGENT(p)[i] - ADI_TANGENT(p)[i];
    if (ADI_LIKELY(p.v != 0 && AD_FN(private_ordinary)(all))) return ADI_D(mul)(p, d);
    return ADI_D(chain_rare)(p, d);
}

ADI_LISTS(ADI_DUAL, ADI_DUAL, ADI_ITSELF, ADI_D, ADI_D)

#undef ADI_D
#undef ADI_DUAL
#undef ADI_LANES
#undef ADI_TANGENT
#endif

#if !defined(ADI_PASS) && !defined(ADI_FRONTS)
#define ADI_FRONTS
/* ============================================================ [S8] THE C11 FRONT
   ad_mul(a, b), ad_sin(x) for every number type, plain numbers included, by _Generic.
                                                                                    needs: [S5] [S6]
   An argument's text appears twice in the expansion (eight times in fma, clamp, select), so nest
   shallowly: a dozen levels compile at once, thirty do not.                                      */
#if !defined(__cplusplus) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
ADI_INLINE double ad_real_same(double x) { return x; }
#define ADI_SAME(T) ADI_INLINE T T##_same(T x) { return x; }
ADI_SAME(ad_var)  ADI_SAME(ad_dual)  ADI_SAME(ad_dual4)  ADI_SAME(ad_dual8)  ADI_SAME(ad_dual2)
ADI_SAME(adf_var) ADI_SAME(adf_dual) ADI_SAME(adf_dual4) ADI_SAME(adf_dual8) ADI_SAME(adf_dual2)
#undef ADI_SAME
/* The type of an argument as a number; two of them make the length of an array type, and _Generic
   over that picks the function. */
#define ADI_KIND(a) _Generic((a), ad_var: 1, ad_dual: 2, ad_dual4: 3, ad_dual8: 4, ad_dual2: 5,    \
    adf_var: 6, adf_dual: 7, adf_dual4: 8, adf_dual8: 9, adf_dual2: 10, float: 11, default: 0)
#define ADI_STRUCT(a) (ADI_KIND(a) % 11)                     /* a plain number is 0 */
#define ADI_TYPES(M, op) M(op, 1, ad_var), M(op, 2, ad_dual), M(op, 3, ad_dual4),                  \
    M(op, 4, ad_dual8),                                                                            \
    M(op, 5, ad_dual2), M(op, 6, adf_var), M(op, 7, adf_dual), M(op, 8, adf_dual4),                \
    M(op, 9, adf_dual8), M(op, 10, adf_dual2)
#define ADI_G1T(op, k, T) T: T##_##op
#define ADI_G1(op, a) _Generic((a), ADI_TYPES(ADI_G1T, op), float: adf_real_##op,                  \
    default: ad_real_##op)(a)
#define ADI_CASE2(ka, kb) char (*)[(ka) * 16 + (kb) + 1]
#define ADI_G2T(op, k, T) ADI_CASE2(k, k): T##_##op,                                               \
    ADI_CASE2(k, 0): T##_##op##_r, ADI_CASE2(k, 11): T##_##op##_r,                                 \
    ADI_CASE2(0, k): T##_##op##_from_r, ADI_CASE2(11, k): T##_##op##_from_r
#define ADI_G2(op, a, b) _Generic((ADI_CASE2(ADI_KIND(a), ADI_KIND(b)))0, ADI_TYPES(ADI_G2T, op),  \
    ADI_CASE2(11, 11): adf_real_##op, default: ad_real_##op)((a), (b))
#define ADI_LIFTT(op, k, T) ADI_CASE2(k, k): T##_same, ADI_CASE2(k, 0): T##_num
#define ADI_LIFT(k, a) _Generic((ADI_CASE2(k, ADI_STRUCT(a)))0, ADI_TYPES(ADI_LIFTT, 0),           \
    default: ad_real_same)(a)
#define ADI_G3T(op, k, T) ADI_CASE2(0, k): T##_##op
#define ADI_G3K(op, k, a, b, c) _Generic((ADI_CASE2(0, k))0, ADI_TYPES(ADI_G3T, op),               \
    default: ad_real_##op)                                                                         \
    (ADI_LIFT(k, a), ADI_LIFT(k, b), ADI_LIFT(k, c))
#define ADI_G3(op, a, b, c) ADI_G3K(op, ADI_STRUCT(a) | ADI_STRUCT(b) | ADI_STRUCT(c), a, b, c)
/* One line a row: a macro cannot define macros. A check compares this list with the table. */
#define ad_neg(x)       ADI_G1(neg, x)
#define ad_abs(x)       ADI_G1(abs, x)
#define ad_sign(x)      ADI_G1(sign, x)
#define ad_sqrt(x)      ADI_G1(sqrt, x)
#define ad_cbrt(x)      ADI_G1(cbrt, x)
#define ad_square(x)    ADI_G1(square, x)
#define ad_inv(x)       ADI_G1(inv, x)
#define ad_exp(x)       ADI_G1(exp, x)
#define ad_exp2(x)      ADI_G1(exp2, x)
#define ad_expm1(x)     ADI_G1(expm1, x)
#define ad_log(x)       ADI_G1(log, x)
#define ad_log2(x)      ADI_G1(log2, x)
#define ad_log10(x)     ADI_G1(log10, x)
#define ad_log1p(x)     ADI_G1(log1p, x)
#define ad_sin(x)       ADI_G1(sin, x)
#define ad_cos(x)       ADI_G1(cos, x)
#define ad_tan(x)       ADI_G1(tan, x)
#define ad_asin(x)      ADI_G1(asin, x)
#define ad_acos(x)      ADI_G1(acos, x)
#define ad_atan(x)      ADI_G1(atan, x)
#define ad_sinh(x)      ADI_G1(sinh, x)
#define ad_cosh(x)      ADI_G1(cosh, x)
#define ad_tanh(x)      ADI_G1(tanh, x)
#define ad_asinh(x)     ADI_G1(asinh, x)
#define ad_acosh(x)     ADI_G1(acosh, x)
#define ad_atanh(x)     ADI_G1(atanh, x)
#define ad_erf(x)       ADI_G1(erf, x)
#define ad_erfc(x)      ADI_G1(erfc, x)
#define ad_lgamma(x)    ADI_G1(lgamma, x)
#define ad_digamma(x)   ADI_G1(digamma, x)
#define ad_trigamma(x)  ADI_G1(trigamma, x)
#define ad_sigmoid(x)   ADI_G1(sigmoid, x)
#define ad_softplus(x)  ADI_G1(softplus, x)
#define ad_relu(x)      ADI_G1(relu, x)
#define ad_floor(x)     ADI_G1(floor, x)
#define ad_ceil(x)      ADI_G1(ceil, x)
#define ad_round(x)     ADI_G1(round, x)
#define ad_trunc(x)     ADI_G1(trunc, x)
#define ad_add(x, y)       ADI_G2(add, x, y)
#define ad_sub(x, y)       ADI_G2(sub, x, y)
#define ad_mul(x, y)       ADI_G2(mul, x, y)
#define ad_div(x, y)       ADI_G2(div, x, y)
#define ad_sub0(x, y)      ADI_G2(sub0, x, y)
#define ad_mul0(x, y)      ADI_G2(mul0, x, y)
#define ad_div0(x, y)      ADI_G2(div0, x, y)
#define ad_copysign(x, y)  ADI_G2(copysign, x, y)
#define ad_hypot(x, y)     ADI_G2(hypot, x, y)
#define ad_pow(x, y)       ADI_G2(pow, x, y)
#define ad_ipow(x, y)      ADI_G2(ipow, x, y)
#define ad_atan2(x, y)     ADI_G2(atan2, x, y)
#define ad_polygamma(x, y) ADI_G2(polygamma, x, y)
#define ad_logaddexp(x, y) ADI_G2(logaddexp, x, y)
#define ad_min(x, y)       ADI_G2(min, x, y)
#define ad_max(x, y)       ADI_G2(max, x, y)
#define ad_fmod(x, y)      ADI_G2(fmod, x, y)
#define ad_lt(x, y)        ADI_G2(lt, x, y)
#define ad_le(x, y)        ADI_G2(le, x, y)
#define ad_gt(x, y)        ADI_G2(gt, x, y)
#define ad_ge(x, y)        ADI_G2(ge, x, y)
#define ad_eq(x, y)        ADI_G2(eq, x, y)
#define ad_ne(x, y)        ADI_G2(ne, x, y)
#define ad_fma(x, y, z)    ADI_G3(fma, x, y, z)
#define ad_clamp(x, y, z)  ADI_G3(clamp, x, y, z)
#define ad_select(x, y, z) ADI_G3(select, x, y, z)
#define ad_powi(x, n)      ADI_G1P(powi, x)((x), (n))
#define ADI_G1P(op, a) _Generic((a), ADI_TYPES(ADI_G1T, op), float: adf_real_##op,                 \
    default: ad_real_##op)
/* the number without its derivatives, whatever the type */
#define ad_value(x)        ADI_G1(value, x)
#define AD_HERE(t) _Generic((t), adf_tape *: adf_here, default: ad_here)((t), __FILE__, __LINE__)
#elif !defined(__cplusplus)
#define AD_HERE(t) ad_here((t), __FILE__, __LINE__)      /* float tapes: adf_here */
#endif

/* ============================================================ [S9] THE C++ FRONT
   Operators and mathematics functions for every number type, found by argument-dependent lookup, so
   that template <class T> T f(const T *x) serves double, duals and tape variables.
                                                                                 needs: [S5] [S6] */
#ifdef __cplusplus
#include <iosfwd>
#include <limits>
#include <type_traits>

/* A plain number of any arithmetic type beside a T; names in parentheses, so that no user's macro
   (min, max) is expanded. */
template <class Plain_, class Result_>
struct adi_beside : std::enable_if<std::is_arithmetic<Plain_>::value, Result_> {};
#define ADI_BESIDE(result) template <class Plain_> inline typename adi_beside<Plain_, result>::type
#define ADI_X1(name, class_, value, dx)                                                            \
    inline ADI_T (name)(ADI_T x) { return ADI_F(name)(x); }
#define ADI_BINARY(function, name)                                                                 \
    inline ADI_T (function)(ADI_T x, ADI_T y) { return ADI_F(name)(x, y); }                        \
    ADI_BESIDE(ADI_T) (function)(ADI_T x, Plain_ y)                                                \
    { return ADI_F(name##_r)(x, static_cast<ADI_R>(y)); }                                          \
    ADI_BESIDE(ADI_T) (function)(Plain_ x, ADI_T y)                                                \
    { return ADI_F(name##_from_r)(static_cast<ADI_R>(x), y); }
#define ADI_X2(name, class_, value, dx, dy) ADI_BINARY(name, name)
#define ADI_X3(name, class_, value, dx, dy, dz)                                                    \
    inline ADI_T (name)(ADI_T x, ADI_T y, ADI_T z) { return ADI_F(name)(x, y, z); }
#define ADI_OPERATOR(sign, name)                                                                   \
    ADI_BINARY(operator sign, name)                                                                \
    inline ADI_T &operator sign##=(ADI_T &x, ADI_T y) { return x = x sign y; }                     \
    ADI_BESIDE(ADI_T &) operator sign##=(ADI_T &x, Plain_ y) { return x = x sign y; }
/* A comparison that decides an `if`: the tape records which way it went, as ad_branch does. */
#define ADI_COMPARISON(sign, name)                                                                 \
    inline bool operator sign(ADI_T x, ADI_T y) { return ADI_DECIDE(name, (x, y)); }               \
    ADI_BESIDE(bool) operator sign(ADI_T x, Plain_ y)                                              \
    { return ADI_DECIDE(name##_r, (x, static_cast<ADI_R>(y))); }                                   \
    ADI_BESIDE(bool) operator sign(Plain_ x, ADI_T y)                                              \
    { return ADI_DECIDE(name##_from_r, (static_cast<ADI_R>(x), y)); }
#define ADI_ARITHMETIC                                                                             \
    inline ADI_T operator+(ADI_T x) { return x; }                                                  \
    inline ADI_T operator-(ADI_T x) { return ADI_F(neg)(x); }                                      \
    ADI_OPERATOR(+, add) ADI_OPERATOR(-, sub) ADI_OPERATOR(*, mul) ADI_OPERATOR(/, div)            \
    ADI_COMPARISON(<, lt) ADI_COMPARISON(<=, le) ADI_COMPARISON(>, gt) ADI_COMPARISON(>=, ge)      \
    ADI_COMPARISON(==, eq) ADI_COMPARISON(!=, ne)                                                  \
    inline ADI_T powi(ADI_T x, int n) { return ADI_F(powi)(x, n); }                                \
    inline ADI_T fabs(ADI_T x) { return ADI_F(abs)(x); }                                           \
    ADI_BINARY(fmin, min) ADI_BINARY(fmax, max)                                                    \
    inline bool isnan(ADI_T x) { return x.v != x.v; }                                              \
    inline bool isfinite(ADI_T x) { return x.v - x.v == 0; }                                       \
    inline bool isinf(ADI_T x) { return x.v == x.v && x.v - x.v != 0; }                            \
    template <class Char_, class Traits_>                                                          \
    std::basic_ostream<Char_, Traits_> &operator<<(std::basic_ostream<Char_, Traits_> &s,          \
        const ADI_T &x) { return s << x.v; }                                                       \
    ADI_READ((ADI_X1, ADI_X2, ADI_X3, ADI_SKIPN, ADI_WORDS(ADI_WORD_TEXT)))                        \
    namespace std {                                                                                \
    template <> class numeric_limits<ADI_T> : public numeric_limits<ADI_R> {                       \
    public:                                                                                        \
        static ADI_T (min)() { return ADI_T((numeric_limits<ADI_R>::min)()); }                     \
        static ADI_T (max)() { return ADI_T((numeric_limits<ADI_R>::max)()); }                     \
        static ADI_T lowest() { return ADI_T(numeric_limits<ADI_R>::lowest()); }                   \
        static ADI_T epsilon() { return ADI_T(numeric_limits<ADI_R>::epsilon()); }                 \
        static ADI_T round_error() { return ADI_T(numeric_limits<ADI_R>::round_error()); }         \
        static ADI_T infinity() { return ADI_T(numeric_limits<ADI_R>::infinity()); }               \
        static ADI_T quiet_NaN() { return ADI_T(numeric_limits<ADI_R>::quiet_NaN()); }             \
        static ADI_T signaling_NaN() { return ADI_T(numeric_limits<ADI_R>::signaling_NaN()); }     \
        static ADI_T denorm_min() { return ADI_T(numeric_limits<ADI_R>::denorm_min()); }           \
    };                                                                                             \
    }

#define ADI_DECIDE(name, arguments) (ADI_F(value)(ADI_F(name) arguments) != 0)
#define ADI_R double
#define ADI_T ad_dual
#define ADI_F(n) ad_dual_##n
ADI_ARITHMETIC
#undef ADI_T
#undef ADI_F
#define ADI_T ad_dual4
#define ADI_F(n) ad_dual4_##n
ADI_ARITHMETIC
#undef ADI_T
#undef ADI_F
#define ADI_T ad_dual8
#define ADI_F(n) ad_dual8_##n
ADI_ARITHMETIC
#undef ADI_T
#undef ADI_F
#define ADI_T ad_dual2
#define ADI_F(n) ad_dual2_##n
ADI_ARITHMETIC
#undef ADI_T
#undef ADI_F
#undef ADI_R
#define ADI_R float
#define ADI_T adf_dual
#define ADI_F(n) adf_dual_##n
ADI_ARITHMETIC
#undef ADI_T
#undef ADI_F
#define ADI_T adf_dual4
#define ADI_F(n) adf_dual4_##n
ADI_ARITHMETIC
#undef ADI_T
#undef ADI_F
#define ADI_T adf_dual8
#define ADI_F(n) adf_dual8_##n
ADI_ARITHMETIC
#undef ADI_T
#undef ADI_F
#define ADI_T adf_dual2
#define ADI_F(n) adf_dual2_##n
ADI_ARITHMETIC
#undef ADI_T
#undef ADI_F
#undef ADI_DECIDE
#define ADI_DECIDE(name, arguments) (adf_branch(ADI_F(name) arguments) != 0)
#define ADI_T adf_var
#define ADI_F(n) adf_var_##n
ADI_ARITHMETIC
#undef ADI_T
#undef ADI_F
#undef ADI_R
#undef ADI_DECIDE
#define ADI_DECIDE(name, arguments) (ad_branch(ADI_F(name) arguments) != 0)
#define ADI_R double
#define ADI_T ad_var
#define ADI_F(n) ad_var_##n
ADI_ARITHMETIC
#undef ADI_T
#undef ADI_F
#undef ADI_R
#undef ADI_DECIDE
#undef ADI_X1
#undef ADI_X2
#undef ADI_X3
#undef ADI_OPERATOR
#undef ADI_COMPARISON
#undef ADI_BINARY
#undef ADI_BESIDE
#undef ADI_ARITHMETIC

/* What libm lacks, for plain numbers too, so that a template may call sigmoid(x) whatever x is. */
template <class Plain_> struct adi_plain
    : std::enable_if<std::is_arithmetic<Plain_>::value,
        typename std::conditional<std::is_same<Plain_, float>::value, float, double>::type> {};
#define ADI_PLAIN1(name)                                                                           \
    template <class Plain_> inline typename adi_plain<Plain_>::type (name)(Plain_ x)               \
    {                                                                                              \
        return static_cast<typename adi_plain<Plain_>::type>(                                      \
            ad_real_##name(static_cast<double>(x)));                                               \
    }
#define ADI_PLAIN2(name)                                                                           \
    template <class Plain_> inline typename adi_plain<Plain_>::type (name)(Plain_ x, Plain_ y)     \
    {                                                                                              \
        return static_cast<typename adi_plain<Plain_>::type>(                                      \
            ad_real_##name(static_cast<double>(x), static_cast<double>(y)));                       \
    }
ADI_PLAIN1(sign)     ADI_PLAIN1(square)    ADI_PLAIN1(inv)      ADI_PLAIN1(digamma)
ADI_PLAIN1(trigamma) ADI_PLAIN1(sigmoid)   ADI_PLAIN1(softplus) ADI_PLAIN1(relu)
ADI_PLAIN2(ipow)     ADI_PLAIN2(polygamma) ADI_PLAIN2(logaddexp)
#undef ADI_PLAIN1
#undef ADI_PLAIN2

inline void ad_private_here(ad_tape *t, const char *f, int l) { ad_here(t, f, l); }
inline void ad_private_here(adf_tape *t, const char *f, int l) { adf_here(t, f, l); }
#define AD_HERE(t) ad_private_here((t), __FILE__, __LINE__)

/* Once, after both <Eigen/Core> and this header: AD_EIGEN_NUMTRAITS(ad_var, double) */
#define AD_EIGEN_NUMTRAITS(T, R)                                                                   \
    namespace Eigen {                                                                              \
    template <> struct NumTraits<T> : NumTraits<R> {                                               \
        typedef T Real;                                                                            \
        typedef T NonInteger;                                                                      \
        typedef T Nested;                                                                          \
        typedef T Literal;                                                                         \
        enum { IsComplex = 0, IsInteger = 0, IsSigned = 1, RequireInitialization = 0,              \
               ReadCost = 2, AddCost = 4, MulCost = 4 };                                           \
        static inline T epsilon() { return T(NumTraits<R>::epsilon()); }                           \
        static inline T dummy_precision() { return T(NumTraits<R>::dummy_precision()); }           \
        static inline T highest() { return T((std::numeric_limits<R>::max)()); }                   \
        static inline T lowest() { return T(std::numeric_limits<R>::lowest()); }                   \
    };                                                                                             \
    }
#endif

#endif /* ADI_FRONTS */

/* ##################################################################### IMPLEMENTATION
   Compiled in one source file of a program (or in each, with AUTODIFF_STATIC). */
#if defined(AUTODIFF_IMPLEMENTATION) && !defined(ADI_PASS) && !defined(ADI_IMPLEMENTED)
#define ADI_IMPLEMENTED

/* ============================================================ [S10] SETTINGS AND SHARED TABLES
   The allocator, the rules as text, number formatting: what needs no real type.      needs: [S3] */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(AUTODIFF_MALLOC) || defined(AUTODIFF_REALLOC) || defined(AUTODIFF_FREE)
#if !defined(AUTODIFF_MALLOC) || !defined(AUTODIFF_REALLOC) || !defined(AUTODIFF_FREE)
#error "autodiff.h: define all of AUTODIFF_MALLOC, AUTODIFF_REALLOC and AUTODIFF_FREE, or none"
#endif
#else
#define AUTODIFF_MALLOC(bytes)       malloc(bytes)
#define AUTODIFF_REALLOC(old, bytes) realloc(old, bytes)
#define AUTODIFF_FREE(old)           free(old)
#endif

#define ADI_MAX_SLOTS   0x0FFFFFFFu                /* 28 bits name an operand */
#define ADI_OPERAND     0x0FFFFFFFu
#define ADI_CONSTANT    0x80000000u             /* in a list record: the operand is in the pool */
#define ADI_NO_ENTRY    UINT32_MAX

#ifdef __cplusplus
extern "C" {
#endif

AD_DEF const char *ad_status_name(ad_status s)
{
    static const char *const name[] = {
        "AD_OK", "AD_ERR_ARGUMENT", "AD_ERR_MEMORY", "AD_ERR_LIMIT", "AD_ERR_STALE", "AD_ERR_MIXED",
        "AD_ERR_UNSUPPORTED", "AD_ERR_USER", "AD_ERR_WRITE", "AD_ERR_SHAPE", "AD_ERR_BRANCH" };
    const size_t i = (size_t)s;
    return i < sizeof name / sizeof name[0] ? name[i] : "AD_ERR_?";
}

AD_DEF const ad_rule *ad_rules(size_t *count)
{
    static const ad_rule rule[] = {
#define ADI_X1(name, class_, value, dx)          { #name, 1, #value, { #dx, NULL, NULL } },
#define ADI_X2(name, class_, value, dx, dy)      { #name, 2, #value, { #dx, #dy, NULL } },
#define ADI_X3(name, class_, value, dx, dy, dz)  { #name, 3, #value, { #dx, #dy, #dz } },
#define ADI_XN(name, partial)                    { #name, 0, NULL, { #partial, NULL, NULL } },
        ADI_READ((ADI_X1, ADI_X2, ADI_X3, ADI_XN, ADI_WORDS(ADI_WORD_TEXT)))
#undef ADI_X1
#undef ADI_X2
#undef ADI_X3
#undef ADI_XN
    };
    if (count) *count = sizeof rule / sizeof rule[0];
    return rule;
}

/* What each operation code is: its name and where its operands stand. */
enum { ADI_FORM_NONE, ADI_FORM_V, ADI_FORM_VV, ADI_FORM_VC, ADI_FORM_CV, ADI_FORM_3,
    ADI_FORM_LIST, ADI_FORM_USER };
enum { ADI_CLASS_PLAIN, ADI_CLASS_GUARD };
typedef struct adi_form { const char *name; int form, class_; } adi_form;
static const adi_form adi_forms[ADI_OP_COUNT] = {
    { "input", ADI_FORM_NONE, 0 }, { "part", ADI_FORM_NONE, 0 },
#define ADI_X1(name, class_, value, dx)          { #name, ADI_FORM_V, ADI_CLASS_##class_ },
#define ADI_X2(name, class_, value, dx, dy)                                                        \
    { #name, ADI_FORM_VV, ADI_CLASS_##class_ }, { #name, ADI_FORM_VC, ADI_CLASS_##class_ },        \
    { #name, ADI_FORM_CV, ADI_CLASS_##class_ },
#define ADI_X3(name, class_, value, dx, dy, dz)  { #name, ADI_FORM_3, ADI_CLASS_##class_ },
#define ADI_XN(name, partial)                    { #name, ADI_FORM_LIST, ADI_CLASS_PLAIN },
    ADI_READ((ADI_X1, ADI_X2, ADI_X3, ADI_XN, ADI_WORDS(ADI_WORD_TEXT)))
#undef ADI_X1
#undef ADI_X2
#undef ADI_X3
#undef ADI_XN
    { "user", ADI_FORM_USER, 0 }
};

/* A record in `list`: a head, then the operands. Three-operand rules have the operands alone. */
enum { ADI_HEAD_COUNT, ADI_HEAD_CONSTANTS, ADI_HEAD_A, ADI_HEAD_B, ADI_HEAD };

/* ---- memory: blocks aligned to 64 bytes, from the allocator or from the fixed buffer */
typedef struct adi_block {
    void  *raw;           /* as the allocator gave it */
    void  *data;          /* aligned */
    size_t bytes;         /* usable from data */
} adi_block;

typedef struct adi_memory {
    ad_resize_fn   resize;
    void          *user;
    unsigned char *buffer;      /* NULL: not fixed */
    size_t         buffer_bytes, buffer_used;
    size_t         bytes, peak;
} adi_memory;

static void *adi_libc_resize(void *user, void *old, size_t old_bytes, size_t new_bytes)
{
    (void)user;
    (void)old_bytes;
    if (new_bytes == 0) {
        AUTODIFF_FREE(old);
        return NULL;
    }
    return old ? AUTODIFF_REALLOC(old, new_bytes) : AUTODIFF_MALLOC(new_bytes);
}

static size_t adi_misalignment(const void *p) { return (size_t)(-(uintptr_t)p & 63u); }

/* Room for new_bytes, contents kept. 0 on success; on failure the block is as it was.
   A fixed buffer grows the block in place when it is the topmost, else takes a new piece. */
static int adi_block_resize(adi_memory *m, adi_block *b, size_t new_bytes)
{
    unsigned char *raw, *data;
    size_t gap = 0;
    if (new_bytes <= b->bytes) return 0;
    if (new_bytes > SIZE_MAX - 64) return -1;
    if (m->buffer) {
        unsigned char *top = m->buffer + m->buffer_used;
        const size_t left = m->buffer_bytes - m->buffer_used;
        if (b->data && (unsigned char *)b->data + b->bytes == top) {
            if (new_bytes - b->bytes > left) return -1;
            m->buffer_used += new_bytes - b->bytes;
        } else {
            gap = adi_misalignment(top);
            if (gap > left || new_bytes > left - gap) return -1;
            if (b->bytes) memcpy(top + gap, b->data, b->bytes);
            b->raw = top;
            b->data = top + gap;
            m->buffer_used += gap + new_bytes;
        }
        b->bytes = new_bytes;
        if (m->buffer_used > m->peak) m->peak = m->buffer_used;
        m->bytes = m->buffer_used;
        return 0;
    }
    if (b->raw) gap = (size_t)((unsigned char *)b->data - (unsigned char *)b->raw);
    raw = (unsigned char *)m->resize(m->user, b->raw, b->raw ? b->bytes + 64 : 0, new_bytes + 64);
    if (!raw) return -1;
    data = raw + adi_misalignment(raw);
    if (b->raw && data != raw + gap) memmove(data, raw + gap, b->bytes);
    m->bytes += new_bytes - b->bytes + (b->raw ? 0 : 64);
    if (m->bytes > m->peak) m->peak = m->bytes;
    b->raw = raw;
    b->data = data;
    b->bytes = new_bytes;
    return 0;
}

static void adi_block_free(adi_memory *m, adi_block *b)
{
    if (!m->buffer && b->raw) {
        m->resize(m->user, b->raw, b->bytes + 64, 0);
        m->bytes -= b->bytes + 64;
    }
    memset(b, 0, sizeof *b);
}

/* ---- text */

#if defined(AUTODIFF_GRAPH)
/* Bytes of the UTF-8 character at p, 0 where there is none (Unicode 15, table 3-7). */
static size_t adi_utf8_length(const unsigned char *p)
{
    const size_t n = p[0] < 0x80 ? 1 : p[0] < 0xC2 ? 0 : p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3
                   : p[0] < 0xF5 ? 4 : 0;
    size_t i;
    for (i = 1; i < n; i++)
        if ((p[i] & 0xC0) != 0x80) return 0;
    if (n == 3 && ((p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xED && p[1] > 0x9F))) return 0;
    if (n == 4 && ((p[0] == 0xF0 && p[1] < 0x90) || (p[0] == 0xF4 && p[1] > 0x8F))) return 0;
    return n;
}
#endif

/* A number for JSON and messages: 17 digits, a point whatever the locale says. */
static void adi_format_real(char *text, size_t size, double v, int digits)
{
    char *p;
    if (v != v || v - v != 0) {
        snprintf(text, size, "%s", v != v ? "nan" : v > 0 ? "inf" : "-inf");
        return;
    }
    snprintf(text, size, "%.*g", digits, v);
    for (p = text; *p; p++)
        if (!((*p >= '0' && *p <= '9') || *p == '-' || *p == '+' || *p == 'e')) *p = '.';
}

/* ============================================================ [S11] SPECIAL FUNCTIONS
   What libm lacks: the polygamma functions, in double for both precisions.              needs: - */

/* psi_n(x). Right of 12 + n the asymptotic series (Abramowitz & Stegun 6.4.11) has twelve good
   terms; below it the recurrence 6.4.6 climbs there; left of 0 the reflection 6.4.7 psi_n(x) =
   (-1)^n psi_n(1-x) - pi d^n/dx^n cot(pi x), whose derivatives are polynomials in the cotangent:
   d/dx p(c) = -pi (1 + c^2) p'(c). Error: a few units in the last place, near a zero of psi_n
   absolute. */
static double adi_polygamma(double x, double n)
{
    static const double bernoulli[12] = {
        1.0 / 6, -1.0 / 30, 1.0 / 42, -1.0 / 30, 5.0 / 66, -691.0 / 2730, 7.0 / 6, -3617.0 / 510,
        43867.0 / 798, -174611.0 / 330, 854513.0 / 138, -236364091.0 / 2730 };
    const double pi = 3.14159265358979323846;
    const int order = n >= 0 && n <= 60 ? (int)n : -1;
    const double sign = order & 1 ? 1 : -1;                /* (-1)^(n+1) */
    double sum = 0, term, factorial = 1, power;
    int i, k;
    if (order < 0 || (double)order != n || x != x || (x < 0 && x - x != 0)) return (double)NAN;
    if (x == 0) return order ? (order & 1 ? (double)INFINITY : copysign((double)INFINITY, -x))
                             : copysign((double)INFINITY, -x);
    if (x < 0 && x == floor(x)) return order & 1 ? (double)INFINITY : (double)NAN;
    if (x - x != 0) return order ? sign * 0.0 : x;
    if (x < 0) {
        double p[64] = { 0 }, c = 1 / tan(pi * (x - floor(x)));
        p[1] = 1;
        for (k = 0; k < order; k++) {
            double q[64] = { 0 };
            for (i = 1; i <= k + 1; i++) {
                q[i - 1] -= pi * i * p[i];
                q[i + 1] -= pi * i * p[i];
            }
            memcpy(p, q, sizeof p);
        }
        for (i = order + 1; i >= 0; i--) sum = sum * c + p[i];
        return -sign * adi_polygamma(1 - x, n) - pi * sum;
    }
    for (i = 2; i <= order; i++) factorial *= i;
    for (; x < 12 + order; x += 1) sum += order ? factorial / pow(x, order + 1) : 1 / x;
    if (order == 0) {
        sum = log(x) - 0.5 / x - sum;
        for (k = 1, power = 1; k <= 12; k++) {
            power /= x * x;
            sum -= bernoulli[k - 1] / (2 * k) * power;
        }
        return sum;
    }
    power = pow(x, -order);
    term = factorial / order * power;                      /* (n-1)! / x^n */
    sum += term + factorial * power / (2 * x);
    term *= order / (x * x) * (order + 1) / 2;             /* (2k+n-1)! / ((2k)! x^(2k+n)), k = 1 */
    for (k = 1; k <= 12; k++) {
        sum += bernoulli[k - 1] * term;
        term *= (2.0 * k + order) * (2.0 * k + order + 1) / (x * x);
        term /= (2.0 * k + 1) * (2.0 * k + 2);
    }
    return sign * sum;
}

#ifdef __cplusplus
}
#endif

/* Pass 3: the bodies, for double and for float. */
#define ADI_PASS   3
#define REAL       double
#define AD_FN(n)   ad_##n
#define ADI_FN(n)  adi_##n
#define ADI_TINY   DBL_MIN
#define ADI_BITS   uint64_t
#include AD_HEADER_NAME

#define ADI_PASS   3
#define REAL       float
#define AD_FN(n)   adf_##n
#define ADI_FN(n)  adif_##n
#define ADI_TINY   FLT_MIN
#define ADI_BITS   uint32_t
#include AD_HEADER_NAME

#endif /* AUTODIFF_IMPLEMENTATION */

/* ------------------------------------------------------- pass 3: the bodies for one real type */
#if defined(ADI_PASS) && ADI_PASS == 3 && !defined(ADI_SUBPASS)
#ifdef __cplusplus
extern "C" {
#endif

/* ============================================================ [S12] THE WHOLE TAPE AND ITS MEMORY
   What stands behind the few fields that recording sees. Every array is a block that grows by
   itself; on failure the tape is as it was.                                    needs: [S6] [S10] */
/* `when` is the number of slots at the time: what a rewind to fewer drops */
typedef struct ADI_FN(guard) { uint32_t slot, taken, when; } ADI_FN(guard);
typedef struct ADI_FN(label) { uint32_t slot, text, when; } ADI_FN(label);
typedef struct ADI_FN(place) { const char *file; int line; uint32_t when; } ADI_FN(place);
typedef struct ADI_FN(callee) { const AD_FN(op) *op; void *user; } ADI_FN(callee);

/* How far the trace and what belongs to it reach. */
typedef struct ADI_FN(reach) {
    uint32_t slots, guards, labels, places, text;
} ADI_FN(reach);

typedef struct ADI_FN(full) {
    AD_FN(tape)   hot;              /* first: a tape pointer is a pointer to the whole */
    ad_tape_desc  desc;
    adi_memory    memory;
    adi_block     self;
    adi_block     code, value, constant, constant_slot, list;
    adi_block     adjoint, adjoint_dot, tangent;     /* results of sweeps, one number a slot */
    adi_block     wide, lanes, scratch, frame;       /* working memory of sweeps */
    adi_block     guard, label, text, place, callee;
    adi_block     variables;        /* of a driver, between calls */
    ADI_FN(reach) marked;           /* the last mark, exactly */
    adi_block     fixed[4];         /* a fixed buffer's first layout: list, pool, adjoints */
    size_t        fixed_used;
    size_t        capacity, max_slots, peak_slots;
    size_t        swept, swept_dot, swept_tangent;   /* slots for which the results hold */
    uint32_t      n_list, longest, n_guard, n_label, n_text, n_place, n_callee;
    uint32_t      leading;          /* slots 0 .. leading-1 are inputs: no sweep visits them */
    size_t        floor;            /* a driver's sweeps stay above this slot, else 0 */
    ad_status     status;
    int           reported;
    AD_FN(nonfinite) report;
    char          message[256];
} ADI_FN(full);

static ADI_FN(full) *ADI_FN(whole)(AD_FN(tape) *t) { return (ADI_FN(full) *)(void *)t; }
static const ADI_FN(full) *ADI_FN(whole_const)(const AD_FN(tape) *t)
{
    return (const ADI_FN(full) *)(const void *)t;
}
static const uint32_t *ADI_FN(list_at)(const ADI_FN(full) *f, size_t at)
{
    return (const uint32_t *)f->list.data + at;
}

/* The one test of recording: nothing may be recorded inline after an error or while debugging. */
static void ADI_FN(set_limit)(ADI_FN(full) *f)
{
    f->hot.limit = f->status == AD_OK && !f->desc.debug ? (uint32_t)f->capacity : 0;
}

/* Remembers the first error and shuts the inline path. Returns s. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static ADI_COLD ad_status ADI_FN(fail)(ADI_FN(full) *f, ad_status s, const char *format, ...)
{
    va_list arguments;
    if (f->status != AD_OK) return s;
    f->status = s;
    va_start(arguments, format);
    vsnprintf(f->message, sizeof f->message, format, arguments);
    va_end(arguments);
    ADI_FN(set_limit)(f);
    return s;
}

/* Room for `bytes` in a block, with growth to spare where memory allows. */
static ad_status ADI_FN(room)(ADI_FN(full) *f, adi_block *b, size_t bytes, const char *what)
{
    size_t ample = b->bytes + b->bytes / 2;
    if (bytes <= b->bytes) return AD_OK;
    if (ample < bytes) ample = bytes;
    if (ample < 256) ample = 256;
    if (adi_block_resize(&f->memory, b, ample) == 0
        || adi_block_resize(&f->memory, b, bytes) == 0) return AD_OK;
    if (f->memory.buffer)
        return ADI_FN(fail)(f, AD_ERR_LIMIT,
            "%s: the fixed buffer of %zu bytes is full (%zu bytes wanted)",
                            what, f->memory.buffer_bytes, bytes);
    return ADI_FN(fail)(f, AD_ERR_MEMORY, "%s: no memory for %zu bytes", what, bytes);
}

/* Room for an array of `count` elements. */
static ad_status ADI_FN(array)(ADI_FN(full) *f, adi_block *b, size_t count, size_t size,
    const char *what)
{
    if (size && count > SIZE_MAX / 2 / size)
        return ADI_FN(fail)(f, AD_ERR_MEMORY, "%s: %zu times %zu bytes", what, count, size);
    return ADI_FN(room)(f, b, count * size, what);
}

/* Working memory that every reverse or tangent sweep may need for one list instruction. */
static ad_status ADI_FN(prepare)(ADI_FN(full) *f, size_t number, const char *name)
{
    if (f->status != AD_OK) return f->status;
    return ADI_FN(array)(f, &f->scratch, 2 * ((size_t)f->longest + 3), number, name);
}

/* In a fixed buffer working memory is a stack: what a sweep took is given back before the next one,
   or the pieces would add up. */
enum { ADI_FN(works) = 4 };
static void ADI_FN(work)(ADI_FN(full) *f, adi_block **work)
{
    work[0] = &f->wide;
    work[1] = &f->lanes;
    work[2] = &f->scratch;
    work[3] = &f->frame;
}
static void ADI_FN(release)(ADI_FN(full) *f)
{
    adi_block *work[ADI_FN(works)];
    size_t i = 0;
    ADI_FN(work)(f, work);
    while (f->memory.buffer && i < ADI_FN(works)) {
        const unsigned char *const data = (const unsigned char *)work[i]->data;
        if (data && data + work[i]->bytes == f->memory.buffer + f->memory.buffer_used) {
            f->memory.buffer_used = (size_t)((unsigned char *)work[i]->raw - f->memory.buffer);
            f->memory.bytes = f->memory.buffer_used;
            memset(work[i], 0, sizeof *work[i]);
            i = 0;
        } else {
            i++;
        }
    }
}

/* Capacity for `slots` in all. */
static ad_status ADI_FN(capacity)(ADI_FN(full) *f, const char *name, size_t slots, int exactly)
{
    size_t want = f->desc.grow_slots ? f->capacity + f->desc.grow_slots : f->capacity * 2;
    if (f->status != AD_OK) return f->status;
    if (slots <= f->capacity) return AD_OK;
    if (slots > f->max_slots)
        return ADI_FN(fail)(f, AD_ERR_LIMIT, "%s: tape limit of %zu slots reached, %zu wanted",
                            name, f->max_slots, slots);
    if (f->capacity == 0) want = f->desc.initial_slots ? f->desc.initial_slots : 1024;
    if (want < slots || exactly) want = slots;
    if (want > f->max_slots) want = f->max_slots;
    if (adi_block_resize(&f->memory, &f->code, want * sizeof(uint64_t))
        || adi_block_resize(&f->memory, &f->value, want * sizeof(REAL))) {
        f->hot.code = (uint64_t *)f->code.data;     /* one of the two may have moved */
        f->hot.value = (REAL *)f->value.data;
        return ADI_FN(fail)(f, AD_ERR_MEMORY, "%s: no memory for a tape of %zu slots", name, want);
    }
    f->hot.code = (uint64_t *)f->code.data;
    f->hot.value = (REAL *)f->value.data;
    f->capacity = want;
    ADI_FN(set_limit)(f);
    return AD_OK;
}

AD_DEF AD_FN(tape) *AD_FN(tape_create)(const ad_tape_desc *desc)
{
    ad_tape_desc d;
    adi_memory m;
    adi_block self;
    ADI_FN(full) *f;
    memset(&d, 0, sizeof d);
    memset(&m, 0, sizeof m);
    memset(&self, 0, sizeof self);
    if (desc) d = *desc;
    m.resize = d.resize ? d.resize : adi_libc_resize;
    m.user = d.resize_user;
    m.buffer = (unsigned char *)d.buffer;
    m.buffer_bytes = d.buffer_bytes;
    if (m.buffer == NULL && d.buffer_bytes != 0) return NULL;
    if (adi_block_resize(&m, &self, sizeof(ADI_FN(full)))) return NULL;
    f = (ADI_FN(full) *)self.data;
    memset(f, 0, sizeof *f);
    f->desc = d;
    f->memory = m;
    f->self = self;
    f->hot.epoch = 1;
    f->max_slots = d.max_slots && d.max_slots < ADI_MAX_SLOTS ? d.max_slots : ADI_MAX_SLOTS;
    if (m.buffer) {
        /* Shares of the buffer for each slot: instruction, value, adjoint, a word of list, half a
           constant; an eighth of the whole for names and for other sweeps. */
        const size_t left = m.buffer_bytes - m.buffer_used;
        const size_t share = sizeof(uint64_t) + 2 * sizeof(REAL) + sizeof(uint32_t)
                           + (sizeof(REAL) + 4) / 2;
        const size_t gaps = 5 * 64;
        const size_t fit = left > gaps ? (left - left / 8 - gaps) / share : 0;
        if (f->max_slots > fit) f->max_slots = fit;
        if (fit == 0 || ADI_FN(capacity)(f, "ad_tape_create", f->max_slots, 1) != AD_OK
            || adi_block_resize(&f->memory, &f->adjoint, f->max_slots * sizeof(REAL))
            || adi_block_resize(&f->memory, &f->list, f->max_slots * sizeof(uint32_t))
            || adi_block_resize(&f->memory, &f->constant, (f->max_slots + 1) / 2 * sizeof(REAL))
            || adi_block_resize(&f->memory, &f->constant_slot,
                (f->max_slots + 1) / 2 * sizeof(uint32_t)))
            return NULL;
        f->hot.constant = (REAL *)f->constant.data;
        f->fixed[0] = f->list;
        f->fixed[1] = f->constant;
        f->fixed[2] = f->constant_slot;
        f->fixed[3] = f->adjoint;
        f->fixed_used = f->memory.buffer_used;
    }
    return &f->hot;
}

/* The blocks that are given back together; code and value keep their place. */
static size_t ADI_FN(blocks)(ADI_FN(full) *f, adi_block **all)
{
    adi_block *const block[] = { &f->list, &f->constant, &f->constant_slot, &f->adjoint,
        &f->adjoint_dot, &f->tangent, &f->wide, &f->lanes, &f->scratch, &f->frame, &f->guard,
        &f->label, &f->text, &f->place, &f->callee, &f->variables };
    memcpy(all, block, sizeof block);
    return sizeof block / sizeof block[0];
}
enum { ADI_FN(most_blocks) = 16 };

/* For an empty trace: in a fixed buffer it goes back to the first layout, so
   that nothing is lost to pieces. */
static void ADI_FN(first_layout)(ADI_FN(full) *f)
{
    adi_block *all[ADI_FN(most_blocks)];
    const size_t n = ADI_FN(blocks)(f, all);
    size_t i;
    f->longest = 0;
    if (!f->memory.buffer) return;
    for (i = 0; i < n; i++) memset(all[i], 0, sizeof *all[i]);
    for (i = 0; i < 4; i++) *all[i] = f->fixed[i];
    f->hot.constant = (REAL *)f->constant.data;
    f->memory.buffer_used = f->memory.bytes = f->fixed_used;
}

AD_DEF void AD_FN(tape_destroy)(AD_FN(tape) *t)
{
    if (t) {
        ADI_FN(full) *f = ADI_FN(whole)(t);
        adi_memory m = f->memory;
        adi_block self = f->self, *all[ADI_FN(most_blocks)];
        const size_t n = ADI_FN(blocks)(f, all);
        size_t i;
        adi_block_free(&m, &f->code);
        adi_block_free(&m, &f->value);
        for (i = 0; i < n; i++) adi_block_free(&m, all[i]);
        adi_block_free(&m, &self);
    }
}

AD_DEF void AD_FN(tape_reset)(AD_FN(tape) *t)
{
    ADI_FN(full) *f = ADI_FN(whole)(t);
    if (!t) return;
    if (f->hot.n > f->peak_slots) f->peak_slots = f->hot.n;
    f->hot.n = 0;
    f->hot.n_constant = 0;
    f->hot.epoch++;
    f->n_list = f->n_guard = f->n_label = f->n_text = f->n_place = f->n_callee = f->leading = 0;
    f->swept = f->swept_dot = f->swept_tangent = 0;
    f->reported = 0;
    memset(&f->marked, 0, sizeof f->marked);
    ADI_FN(first_layout)(f);
    AD_FN(tape_clear_status)(t);
}

AD_DEF size_t AD_FN(tape_mark)(const AD_FN(tape) *t)
{
    if (!t) return 0;
    {   /* A mark is a number of slots; what was noted without recording a slot is remembered for
           the last one. No tape object is const, only this view of it. */
        ADI_FN(full) *f = ADI_FN(whole)((AD_FN(tape) *)(uintptr_t)t);
        f->marked.slots = t->n;
        f->marked.guards = f->n_guard;
        f->marked.labels = f->n_label;
        f->marked.places = f->n_place;
        f->marked.text = f->n_text;
    }
    return t->n;
}

AD_DEF void AD_FN(tape_rewind)(AD_FN(tape) *t, size_t mark)
{
    ADI_FN(full) *f = ADI_FN(whole)(t);
    size_t k;
    if (!t) return;
    if (f->status == AD_ERR_LIMIT || f->status == AD_ERR_MEMORY) AD_FN(tape_clear_status)(t);
    if (mark > t->n) return;
    if (t->n > f->peak_slots) f->peak_slots = t->n;
    for (k = t->n; k-- > mark;) {                /* what the dropped instructions owned */
        const uint64_t w = t->code[k];
        const int form = adi_forms[w & 255].form;
        if (form >= ADI_FORM_3) f->n_list = (uint32_t)(w >> 8);
        if (form == ADI_FORM_USER) f->n_callee = ADI_FN(list_at)(f, (size_t)(w >> 8))[ADI_HEAD_B];
    }
    {
        const uint32_t *constant_slot = (const uint32_t *)f->constant_slot.data;
        const ADI_FN(guard) *guard = (const ADI_FN(guard) *)f->guard.data;
        const ADI_FN(place) *place = (const ADI_FN(place) *)f->place.data;
        const ADI_FN(label) *label = (const ADI_FN(label) *)f->label.data;
        while (t->n_constant && constant_slot[t->n_constant - 1] >= mark) t->n_constant--;
        while (f->n_guard && guard[f->n_guard - 1].when > mark) f->n_guard--;
        while (f->n_place && place[f->n_place - 1].when > mark) f->n_place--;
        while (f->n_label && label[f->n_label - 1].when > mark)
            f->n_text = label[--f->n_label].text;
        if (mark == f->marked.slots) {           /* notes taken at the mark, before or after it */
            if (f->n_guard > f->marked.guards) f->n_guard = f->marked.guards;
            if (f->n_place > f->marked.places) f->n_place = f->marked.places;
            if (f->n_label > f->marked.labels) {
                f->n_label = f->marked.labels;
                f->n_text = f->marked.text;
            }
        }
    }
    t->n = (uint32_t)mark;
    if (f->leading > mark) f->leading = (uint32_t)mark;
    if (f->swept > mark) f->swept = mark;
    if (f->swept_dot > mark) f->swept_dot = mark;
    if (f->swept_tangent > mark) f->swept_tangent = mark;
    ADI_FN(release)(f);
    if (mark == 0) ADI_FN(first_layout)(f);
}

AD_DEF ad_status AD_FN(tape_reserve)(AD_FN(tape) *t, size_t slots)
{
    static const char name[] = "ad_tape_reserve";
    ADI_FN(full) *f = ADI_FN(whole)(t);
    ad_status s;
    if (!t) return AD_ERR_ARGUMENT;
    s = ADI_FN(capacity)(f, name, slots, 1);
    if (s == AD_OK) s = ADI_FN(array)(f, &f->adjoint, slots, sizeof(REAL), name);
    if (s == AD_OK) s = ADI_FN(prepare)(f, sizeof(REAL), name);
    if (s == AD_OK) s = ADI_FN(room)(f, &f->constant, 64 * sizeof(REAL), name);
    if (s == AD_OK) s = ADI_FN(room)(f, &f->constant_slot, 64 * sizeof(uint32_t), name);
    f->hot.constant = (REAL *)f->constant.data;
    return s;
}

AD_DEF ad_status AD_FN(tape_status)(const AD_FN(tape) *t)
{
    return t ? ADI_FN(whole_const)(t)->status : AD_ERR_ARGUMENT;
}

AD_DEF const char *AD_FN(tape_message)(const AD_FN(tape) *t)
{
    return t ? ADI_FN(whole_const)(t)->message : "no tape";
}

AD_DEF void AD_FN(tape_clear_status)(AD_FN(tape) *t)
{
    ADI_FN(full) *f = ADI_FN(whole)(t);
    if (!t) return;
    f->status = AD_OK;
    f->message[0] = 0;
    ADI_FN(set_limit)(f);
}

AD_DEF ad_tape_stats AD_FN(tape_get_stats)(const AD_FN(tape) *t)
{
    ad_tape_stats s;
    memset(&s, 0, sizeof s);
    if (t) {
        const ADI_FN(full) *f = ADI_FN(whole_const)(t);
        size_t k;
        s.slots = t->n;
        for (k = f->leading; k < t->n; k++) s.instructions += (t->code[k] & 255) > ADI_OP_part;
        s.constants = t->n_constant;
        s.bytes = f->memory.bytes;
        s.peak_bytes = f->memory.peak;
        s.bytes_used = t->n * (sizeof(uint64_t) + 2 * sizeof(REAL)) + f->n_list * sizeof(uint32_t)
                     + t->n_constant * (sizeof(REAL) + sizeof(uint32_t));
        s.peak_slots = f->peak_slots > t->n ? f->peak_slots : t->n;
        s.branches = f->n_guard;
    }
    return s;
}

/* ============================================================ [S13] RECORDING, THE SLOW PATHS
   Growth, constants, lists, user operations, errors. Invariant: everything that can fail does so
   before the first effect.                                                          needs: [S12] */
AD_DEF REAL AD_FN(private_polygamma)(REAL x,
    REAL n) { return (REAL)adi_polygamma((double)x, (double)n); }

static AD_FN(var) ADI_FN(nothing)(void) { return AD_FN(const)((REAL)NAN); }

static AD_FN(var) ADI_FN(handle)(AD_FN(tape) *t, size_t slot)
{
    AD_FN(var) x = AD_FN(const)(t->value[slot]);
    x.tape = t;
    x.id = (uint32_t)slot;
    x.epoch = t->epoch;
    return x;
}

/* Is x a constant or a live variable of f? If not: the error, named after the operation. */
static ad_status ADI_FN(check)(ADI_FN(full) *f, const char *name, const AD_FN(tape) *tape,
    uint32_t id, uint32_t epoch)
{
    if (f->status != AD_OK) return f->status;
    if (tape == NULL) return AD_OK;
    if (tape != &f->hot)
        return ADI_FN(fail)(f, AD_ERR_MIXED, "%s: operands of two tapes", name);
    if (epoch != tape->epoch)
        return ADI_FN(fail)(f, AD_ERR_STALE,
            "%s: variable %u is of epoch %u, the tape was reset and is in %u",
                            name, (unsigned)id, (unsigned)epoch, (unsigned)tape->epoch);
    if (id >= tape->n)
        return ADI_FN(fail)(f, AD_ERR_STALE, "%s: variable %u was dropped by a rewind to %u slots",
                            name, (unsigned)id, (unsigned)tape->n);
    return AD_OK;
}
static ad_status ADI_FN(check_all)(ADI_FN(full) *f, const char *name, size_t n, const AD_FN(var) *x)
{
    size_t i;
    ad_status s = f->status;
    if (n && !x) return ADI_FN(fail)(f, AD_ERR_ARGUMENT, "%s: NULL for %zu variables", name, n);
    for (i = 0; i < n && s == AD_OK; i++)
        s = ADI_FN(check)(f, name, x[i].tape, x[i].id, x[i].epoch);
    return s;
}

/* The tape of the first variable that is on one. */
static ADI_FN(full) *ADI_FN(tape_of)(size_t n, const AD_FN(var) *x)
{
    size_t i;
    for (i = 0; i < n; i++)
        if (x[i].tape) return ADI_FN(whole)(x[i].tape);
    return NULL;
}

/* Appends k numbers to the constant pool. */
static ad_status ADI_FN(constants)(ADI_FN(full) *f, size_t k, const REAL *c, uint32_t *at)
{
    const size_t n = f->hot.n_constant;
    size_t i;
    ad_status s = AD_OK;
    if (k > ADI_MAX_SLOTS - n)
        return ADI_FN(fail)(f, AD_ERR_LIMIT, "tape limit of %u constants", ADI_MAX_SLOTS);
    if (!(n && (uintptr_t)c >= (uintptr_t)f->hot.constant
        && (uintptr_t)c < (uintptr_t)(f->hot.constant + n))) {
        s = ADI_FN(room)(f, &f->constant, (n + k) * sizeof(REAL), "constants");
        if (s == AD_OK) f->hot.constant = (REAL *)f->constant.data;
        if (s == AD_OK) s = ADI_FN(room)(f, &f->constant_slot, (n + k) * sizeof(uint32_t),
            "constants");
        if (s != AD_OK) return s;
        for (i = 0; i < k; i++) {
            f->hot.constant[n + i] = c[i];
            ((uint32_t *)f->constant_slot.data)[n + i] = f->hot.n;
        }
        f->hot.n_constant = (uint32_t)(n + k);
        *at = (uint32_t)n;
    } else {
        *at = (uint32_t)(c - f->hot.constant);      /* they are in the pool already */
    }
    return s;
}

/* One constant, found or appended. */
static ad_status ADI_FN(constant)(ADI_FN(full) *f, REAL c, uint32_t *at)
{
    ADI_BITS bits;
    ad_status s = AD_OK;
    *at = AD_FN(private_find)(&f->hot, c);
    if (*at != ADI_NO_ENTRY) return AD_OK;
    s = ADI_FN(constants)(f, 1, &c, at);
    memcpy(&bits, &c, sizeof bits);
    if (s == AD_OK) f->hot.recent[AD_FN(private_hash)(bits)] = *at;
    return s;
}

/* One past the instruction that computes a slot: of a user operation's results that is the last. */
static size_t ADI_FN(end_of)(const ADI_FN(full) *f, size_t slot)
{
    const uint64_t w = f->hot.code[slot];
    return 1 + ((w & 255) == ADI_OP_part ? (size_t)(w >> 8) : slot);
}

/* The operands of instruction k: slots, or pool entries marked ADI_CONSTANT. Returns their number;
   local is room for two, *id where they are. */
static uint32_t ADI_FN(operands)(const ADI_FN(full) *f, size_t k, uint32_t *local,
    const uint32_t **id)
{
    const uint64_t w = f->hot.code[k];
    const uint32_t *list;
    local[0] = (uint32_t)(w >> 8) & ADI_OPERAND;
    local[1] = (uint32_t)(w >> 36);
    *id = local;
    switch (adi_forms[w & 255].form) {
    case ADI_FORM_V:  return 1;
    case ADI_FORM_VV: return 2;
    case ADI_FORM_VC: local[1] |= ADI_CONSTANT; return 2;
    case ADI_FORM_CV: local[0] |= ADI_CONSTANT; return 2;
    case ADI_FORM_3:  *id = ADI_FN(list_at)(f, (size_t)(w >> 8)); return 3;
    case ADI_FORM_LIST:
    case ADI_FORM_USER:
        list = ADI_FN(list_at)(f, (size_t)(w >> 8));
        *id = list + ADI_HEAD;
        return list[ADI_HEAD_COUNT];
    default: return 0;
    }
}

static REAL ADI_FN(operand_value)(const ADI_FN(full) *f, uint32_t id)
{
    return id & ADI_CONSTANT ? f->hot.constant[id & ~ADI_CONSTANT] : f->hot.value[id];
}

static const char *ADI_FN(operation_name)(const ADI_FN(full) *f, size_t k)
{
    const uint64_t w = f->hot.code[ADI_FN(end_of)(f, k) - 1];
    const char *name = adi_forms[w & 255].name;
    if (adi_forms[w & 255].form == ADI_FORM_USER) {
        const ADI_FN(callee) *c = (const ADI_FN(callee) *)f->callee.data;
        const char *own = c[ADI_FN(list_at)(f, (size_t)(w >> 8))[ADI_HEAD_B]].op->name;
        if (own) name = own;
    }
    return name;
}

/* The name that the user gave slot id, or NULL. */
static const char *ADI_FN(label_of)(const ADI_FN(full) *f, uint32_t id)
{
    const ADI_FN(label) *l = (const ADI_FN(label) *)f->label.data;
    uint32_t i;
    for (i = f->n_label; i-- > 0;)
        if (l[i].slot == id) return (const char *)f->text.data + l[i].text;
    return NULL;
}

/* Debugging: keeps the first report of a non-finite number that finite ones made at slot k. */
static ADI_COLD void ADI_FN(report)(ADI_FN(full) *f, size_t k, int backward, REAL result)
{
    AD_FN(nonfinite) *r = &f->report;
    uint32_t local[2], n, i;
    const uint32_t *id;
    const ADI_FN(place) *p = (const ADI_FN(place) *)f->place.data;
    const char *name;
    char number[40];
    size_t used, j;
    n = ADI_FN(operands)(f, k, local, &id);
    f->reported = 1;
    memset(r, 0, sizeof *r);
    r->backward = backward;
    r->operation = ADI_FN(operation_name)(f, k);
    r->slot = k;
    r->operands = (int)(n < 3 ? n : 3);
    r->result = result;
    for (j = f->n_place; j-- > 0;)
        if (p[j].when <= k) {
            r->file = p[j].file;
            r->line = p[j].line;
            break;
        }
    adi_format_real(number, sizeof number, (double)result, 9);
    snprintf(r->message, sizeof r->message, "%s made %s in slot %zu:", r->operation,
             backward ? "the adjoint of an operand non-finite" : number, k);
    for (i = 0; i < (uint32_t)r->operands; i++) {
        r->operand[i] = ADI_FN(operand_value)(f, id[i]);
        used = strlen(r->message);
        adi_format_real(number, sizeof number, (double)r->operand[i], 9);
        name = id[i] & ADI_CONSTANT ? NULL : ADI_FN(label_of)(f, id[i]);
        snprintf(r->message + used, sizeof r->message - used, "%s %.30s%s%s",
                 i ? "," : n == 1 ? " operand" : " operands", name ? name : "",
                 name ? " = " : "", number);
    }
    used = strlen(r->message);
    if (r->file) snprintf(r->message + used, sizeof r->message - used, " (after %s:%d)", r->file,
        r->line);
}

static int ADI_FN(finite)(REAL v) { return v - v == 0; }

static void ADI_FN(watch)(ADI_FN(full) *f, size_t k)
{
    uint32_t local[2], n, i;
    const uint32_t *id;
    if (f->reported || ADI_FN(finite)(f->hot.value[k])) return;
    n = ADI_FN(operands)(f, k, local, &id);
    for (i = 0; i < n; i++)
        if (!ADI_FN(finite)(ADI_FN(operand_value)(f, id[i]))) return;
    ADI_FN(report)(f, k, 0, f->hot.value[k]);
}

/* Appends the instruction when there is room: its slot, or ADI_NO_ENTRY. */
static uint32_t ADI_FN(append_slot)(ADI_FN(full) *f, uint64_t word, REAL v)
{
    const uint32_t id = f->hot.n;
    if (ADI_FN(capacity)(f, adi_forms[word & 255].name, (size_t)id + 1, 0) != AD_OK)
        return ADI_NO_ENTRY;
    AD_FN(private_push)(&f->hot, word, v, f->hot.epoch);
    if (f->desc.debug) ADI_FN(watch)(f, id);
    return id;
}
static AD_FN(var) ADI_FN(append)(ADI_FN(full) *f, uint64_t word, REAL v)
{
    return AD_FN(private_result)(&f->hot, ADI_FN(append_slot)(f, word, v), v);
}

AD_DEF ADI_COLD uint32_t AD_FN(private_record1)(uint32_t op, REAL v,
    REAL av, AD_FN(tape) *at, uint32_t ai, uint32_t ae)
{
    ADI_FN(full) *f = ADI_FN(whole)(at);
    (void)av;
    if (ADI_FN(check)(f, adi_forms[op].name, at, ai, ae) != AD_OK) return ADI_NO_ENTRY;
    return ADI_FN(append_slot)(f, op | (uint64_t)ai << 8, v);
}

AD_DEF ADI_COLD uint32_t AD_FN(private_record2)(uint32_t op, REAL v,
    REAL av, AD_FN(tape) *at, uint32_t ai, uint32_t ae, REAL bv, AD_FN(tape) *bt, uint32_t bi,
        uint32_t be)
{
    ADI_FN(full) *f = ADI_FN(whole)(at ? at : bt);
    /* tell both */
    if (at && bt && at != bt) ADI_FN(check)(ADI_FN(whole)(bt), adi_forms[op].name, at, ai, ae);
    if (ADI_FN(check)(f, adi_forms[op].name, at, ai, ae) != AD_OK
        || ADI_FN(check)(f, adi_forms[op].name, bt, bi, be) != AD_OK
        || ADI_FN(capacity)(f, adi_forms[op].name, (size_t)f->hot.n + 1, 0) != AD_OK
        || (!bt && ADI_FN(constant)(f, bv, &bi) != AD_OK)
        || (!at && ADI_FN(constant)(f, av, &ai) != AD_OK)) return ADI_NO_ENTRY;
    if (!bt) op += ADI_OP_add_vc - ADI_OP_add;
    if (!at) op += ADI_OP_add_cv - ADI_OP_add;
    return ADI_FN(append_slot)(f, op | (uint64_t)ai << 8 | (uint64_t)bi << 36, v);
}

/* Writes the operands x[n] into the list; constants go to the pool. */
static ad_status ADI_FN(list_operands)(ADI_FN(full) *f, size_t n, const AD_FN(var) *x, size_t at)
{
    size_t i;
    ad_status s = AD_OK;
    for (i = 0; i < n && s == AD_OK; i++) {
        uint32_t id = x[i].id;
        if (!x[i].tape) {
            s = ADI_FN(constant)(f, x[i].v, &id);
            id |= ADI_CONSTANT;
        }
        ((uint32_t *)f->list.data)[at + i] = id;
    }
    return s;
}

AD_DEF ADI_NOINLINE uint32_t AD_FN(private_record3)(uint32_t op, REAL v, AD_FN(tape) *t,
    const AD_FN(var) *a, const AD_FN(var) *b, const AD_FN(var) *c)
{
    ADI_FN(full) *f = ADI_FN(whole)(t);
    const uint32_t at = f->n_list;
    AD_FN(var) x[3];
    x[0] = *a;
    x[1] = *b;
    x[2] = *c;
    if (ADI_FN(check_all)(f, adi_forms[op].name, 3, x) != AD_OK
        || ADI_FN(capacity)(f, adi_forms[op].name, (size_t)f->hot.n + 1, 0) != AD_OK
        || ADI_FN(room)(f, &f->list, ((size_t)at + 3) * sizeof(uint32_t),
            adi_forms[op].name) != AD_OK
        || ADI_FN(list_operands)(f, 3, x, at) != AD_OK) return ADI_NO_ENTRY;
    f->n_list = at + 3;
    return ADI_FN(append_slot)(f, op | (uint64_t)at << 8, v);
}

/* A list instruction: head, then x[n], then y[n] when given; constants c[k]. */
static AD_FN(var) ADI_FN(record_list)(ADI_FN(full) *f, uint32_t op, REAL v, size_t n,
    const AD_FN(var) *x,
    const AD_FN(var) *y, size_t k, const REAL *c, uint32_t a, uint32_t b)
{
    const char *name = adi_forms[op].name;
    const size_t all = y ? 2 * n : n, at = f->n_list, end = at + ADI_HEAD + all;
    uint32_t *list, first = ADI_NO_ENTRY;
    if (n > ADI_MAX_SLOTS / 2 || end > UINT32_MAX) {
        ADI_FN(fail)(f, AD_ERR_LIMIT, "%s: a list of %zu operands is too long", name, n);
        return ADI_FN(nothing)();
    }
    if (ADI_FN(check_all)(f, name, n, x) != AD_OK
        || (y && ADI_FN(check_all)(f, name, n, y) != AD_OK)
        || ADI_FN(capacity)(f, adi_forms[op].name, (size_t)f->hot.n + 1, 0) != AD_OK
        || ADI_FN(room)(f, &f->list, end * sizeof(uint32_t), name) != AD_OK
        || ADI_FN(list_operands)(f, n, x, at + ADI_HEAD) != AD_OK
        || (y && ADI_FN(list_operands)(f, n, y, at + ADI_HEAD + n) != AD_OK)
        || (k && ADI_FN(constants)(f, k, c, &first) != AD_OK)) return ADI_FN(nothing)();
    list = (uint32_t *)f->list.data + at;
    list[ADI_HEAD_COUNT] = (uint32_t)all;
    list[ADI_HEAD_CONSTANTS] = first;
    list[ADI_HEAD_A] = a;
    list[ADI_HEAD_B] = b;
    f->n_list = (uint32_t)end;
    if (all > f->longest) f->longest = (uint32_t)all;
    return ADI_FN(append)(f, op | (uint64_t)at << 8, v);
}

/* The values of the lists, over variables without recording. */
#define ADI_VALUE(x) (x).v
#define ADI_WORD_LIST(w) ADI_FN(list_##w)
ADI_LISTS(REAL, AD_FN(var), ADI_VALUE, ADI_WORD_REAL, ADI_WORD_LIST)

AD_DEF AD_FN(var) AD_FN(input)(AD_FN(tape) *t, REAL v)
{
    ADI_FN(full) *f = ADI_FN(whole)(t);
    AD_FN(var) x;
    if (!t) return ADI_FN(nothing)();
    x = ADI_FN(append)(f, ADI_OP_input, v);
    if (x.tape && x.id == f->leading) f->leading++;
    return x;
}

AD_DEF ad_status AD_FN(inputs)(AD_FN(tape) *t, size_t n, const REAL *v, AD_FN(var) *x)
{
    static const char name[] = "ad_inputs";
    ADI_FN(full) *f = ADI_FN(whole)(t);
    size_t i;
    for (i = 0; i < n && x; i++) x[i] = ADI_FN(nothing)();
    if (!t) return AD_ERR_ARGUMENT;
    if (n && (!v || !x))
        return ADI_FN(fail)(f, AD_ERR_ARGUMENT, "%s: NULL for %zu inputs", name, n);
    if (n > ADI_MAX_SLOTS)
        return ADI_FN(fail)(f, AD_ERR_LIMIT, "%s: %zu inputs are too many", name, n);
    if (ADI_FN(capacity)(f, name, t->n + n, 0) != AD_OK) return f->status;
    for (i = 0; i < n; i++) x[i] = AD_FN(input)(t, v[i]);
    return f->status;
}

/* The tape of a list operation over x[n] and, where it has them, y[n] and coefficients c: NULL
   where all are constant. A NULL among them is an error of the tape that the others name. */
static ADI_FN(full) *ADI_FN(list_tape)(uint32_t op, size_t n, const AD_FN(var) *x,
                                       const AD_FN(var) *y, const void *c)
{
    ADI_FN(full) *f = x ? ADI_FN(tape_of)(n, x) : NULL;
    if (!f && y) f = ADI_FN(tape_of)(n, y);
    if (f && (!x || !y || !c))
        ADI_FN(fail)(f, AD_ERR_ARGUMENT, "%s: NULL for %zu operands", adi_forms[op].name, n);
    return f;
}

/* A list operation on a tape, or the constant v. */
#define ADI_LIST(op, n, x, y, c, list_value)                                                       \
    ADI_FN(full) *f = ADI_FN(list_tape)(op, n, x, y, c);                                           \
    const REAL v = n == 0 || (x && y && c) ? list_value : (REAL)NAN;                               \
    if (!f) return AD_FN(const)(v);                                                                \
    if (f->status != AD_OK) return ADI_FN(nothing)()

AD_DEF AD_FN(var) AD_FN(var_sum)(size_t n, const AD_FN(var) *x)
{
    ADI_LIST(ADI_OP_sum, n, x, x, x, ADI_FN(list_sum)(n, x));
    return ADI_FN(record_list)(f, ADI_OP_sum, v, n, x, NULL, 0, NULL, 0, 0);
}

AD_DEF AD_FN(var) AD_FN(var_dot)(size_t n, const AD_FN(var) *x, const AD_FN(var) *y)
{
    ADI_LIST(ADI_OP_dot, n, x, y, x, ADI_FN(list_dot)(n, x, y));
    return ADI_FN(record_list)(f, ADI_OP_dot, v, n, x, y, 0, NULL, 0, 0);
}

AD_DEF AD_FN(var) AD_FN(var_norm)(size_t n, const AD_FN(var) *x)
{
    ADI_LIST(ADI_OP_norm, n, x, x, x, ADI_FN(list_norm)(n, x));
    return ADI_FN(record_list)(f, ADI_OP_norm, v, n, x, NULL, 0, NULL, 0, 0);
}

AD_DEF AD_FN(var) AD_FN(var_logsumexp)(size_t n, const AD_FN(var) *x)
{
    ADI_LIST(ADI_OP_logsumexp, n, x, x, x, ADI_FN(list_logsumexp)(n, x));
    return ADI_FN(record_list)(f, ADI_OP_logsumexp, v, n, x, NULL, 0, NULL, 0, 0);
}

AD_DEF AD_FN(var) AD_FN(var_lincomb)(size_t n, const REAL *c, const AD_FN(var) *x)
{
    ADI_LIST(ADI_OP_lincomb, n, x, x, c, ADI_FN(list_lincomb)(n, c, x));
    return ADI_FN(record_list)(f, ADI_OP_lincomb, v, n, x, NULL, n, c, 0, 0);
}

AD_DEF AD_FN(var) AD_FN(var_poly)(size_t n, const REAL *c, size_t d, AD_FN(var) x)
{
    const AD_FN(var) *const at = &x;
    if (d >= n) return AD_FN(const)(0);
    {
        ADI_LIST(ADI_OP_polyval, 1, at, at, c, AD_FN(real_poly)(n, c, d, x.v));
        return ADI_FN(record_list)(f, ADI_OP_polyval, v, 1, at, NULL, n, c, (uint32_t)n,
                                   (uint32_t)d);
    }
}
#undef ADI_LIST

AD_DEF AD_FN(var) AD_FN(var_polyval)(size_t n, const REAL *c, AD_FN(var) x)
{
    return AD_FN(var_poly)(n, c, 0, x);
}

AD_DEF AD_FN(var) AD_FN(var_custom)(AD_FN(tape) *t, size_t n, const AD_FN(var) *x, REAL y,
    const REAL *dy_dx)
{
    ADI_FN(full) *f = ADI_FN(whole)(t);
    if (!t) return AD_FN(const)(y);
    if (n && (!x || !dy_dx))
        ADI_FN(fail)(f, AD_ERR_ARGUMENT, "custom: NULL for %zu operands", n);
    if (f->status != AD_OK) return ADI_FN(nothing)();
    if (!ADI_FN(tape_of)(n, x)) return AD_FN(const)(y);
    return ADI_FN(record_list)(f, ADI_OP_custom, y, n, x, NULL, n, dy_dx, 0, 0);
}

static ad_status ADI_FN(call)(AD_FN(tape) *t, const AD_FN(op) *op, void *user, size_t n,
    const AD_FN(var) *x, size_t m, AD_FN(var) *y)
{
    ADI_FN(full) *f = ADI_FN(whole)(t);
    const char *name = op && op->name ? op->name : "user";
    ADI_FN(callee) *callee;
    AD_FN(var) last;
    REAL *in, *out;
    ad_status s;
    size_t i, last_slot;
    if (!op || !op->value || m == 0 || !y || (n && !x))
        return ADI_FN(fail)(f, AD_ERR_ARGUMENT,
            "%s: an operation needs a value callback and room for its %zu results", name, m);
    if ((s = ADI_FN(check_all)(f, name, n, x)) != AD_OK
        || (s = ADI_FN(array)(f, &f->scratch, n + m, sizeof(REAL), name)) != AD_OK
        || (s = ADI_FN(capacity)(f, name, (size_t)f->hot.n + m, 0)) != AD_OK
        || (s = ADI_FN(room)(f, &f->callee, ((size_t)f->n_callee + 1) * sizeof *callee,
            name)) != AD_OK) return s;
    in = (REAL *)f->scratch.data;
    out = in + n;
    for (i = 0; i < n; i++) in[i] = x[i].v;
    for (i = 0; i < m; i++) out[i] = 0;
    s = op->value(user, n, in, m, out);
    if (s != AD_OK) return ADI_FN(fail)(f, AD_ERR_USER, "%s: its value callback returned %s",
        name, ad_status_name(s));
    if (!ADI_FN(tape_of)(n, x)) {
        for (i = 0; i < m; i++) y[i] = AD_FN(const)(out[i]);
        return AD_OK;
    }
    /* The results are m slots; the last carries the call, so a reverse sweep meets it first. */
    callee = (ADI_FN(callee) *)f->callee.data + f->n_callee;
    callee->op = op;
    callee->user = user;
    last_slot = t->n + (m - 1);
    for (i = 0; i + 1 < m; i++)
        AD_FN(private_push)(t, ADI_OP_part | (uint64_t)last_slot << 8, out[i], t->epoch);
    last = ADI_FN(record_list)(f, ADI_OP_user, out[m - 1], n, x, NULL, 0, NULL, (uint32_t)m,
        f->n_callee);
    if (!last.tape) {
        t->n -= (uint32_t)(m - 1);
        return f->status;
    }
    f->n_callee++;
    if (m > f->longest) f->longest = (uint32_t)m;
    for (i = 0; i < m; i++) y[i] = ADI_FN(handle)(t, last.id + 1 - m + i);
    return AD_OK;
}

AD_DEF ad_status AD_FN(var_call)(AD_FN(tape) *t, const AD_FN(op) *op, void *user,
                                 size_t n, const AD_FN(var) *x, size_t m, AD_FN(var) *y)
{
    const ad_status s = t ? ADI_FN(call)(t, op, user, n, x, m, y) : AD_ERR_ARGUMENT;
    size_t i;
    for (i = 0; i < m && y && s != AD_OK; i++) y[i] = ADI_FN(nothing)();
    return s;
}

AD_DEF int AD_FN(branch)(AD_FN(var) condition)
{
    const int taken = condition.v != 0;
    if (condition.tape) {
        ADI_FN(full) *f = ADI_FN(whole)(condition.tape);
        ADI_FN(guard) *g;
        if (ADI_FN(check)(f, "branch", condition.tape, condition.id, condition.epoch) == AD_OK
            && ADI_FN(room)(f, &f->guard, ((size_t)f->n_guard + 1) * sizeof *g,
                "branch") == AD_OK) {
            g = (ADI_FN(guard) *)f->guard.data + f->n_guard++;
            g->slot = condition.id;
            g->taken = (uint32_t)taken;
            g->when = f->hot.n;
        }
    }
    return taken;
}

AD_DEF AD_FN(var) AD_FN(name)(AD_FN(var) x, const char *name)
{
    if (x.tape) {
        ADI_FN(full) *f = ADI_FN(whole)(x.tape);
        const size_t length = name ? strlen(name) + 1 : 0;
        if (!name)
            ADI_FN(fail)(f, AD_ERR_ARGUMENT, "name: NULL for variable %u", (unsigned)x.id);
        if (ADI_FN(check)(f, "name", x.tape, x.id, x.epoch) == AD_OK
            && ADI_FN(room)(f, &f->text, f->n_text + length, "name") == AD_OK
            && ADI_FN(room)(f, &f->label, ((size_t)f->n_label + 1) * sizeof(ADI_FN(label)),
                "name") == AD_OK) {
            ADI_FN(label) *l = (ADI_FN(label) *)f->label.data + f->n_label++;
            memcpy((char *)f->text.data + f->n_text, name, length);
            l->slot = x.id;
            l->text = f->n_text;
            l->when = f->hot.n;
            f->n_text += (uint32_t)length;
        }
    }
    return x;
}

AD_DEF void AD_FN(here)(AD_FN(tape) *t, const char *file, int line)
{
    ADI_FN(full) *f = ADI_FN(whole)(t);
    if (!t || !f->desc.debug || f->status != AD_OK) return;
    if (ADI_FN(room)(f, &f->place, ((size_t)f->n_place + 1) * sizeof(ADI_FN(place)),
        "AD_HERE") == AD_OK) {
        ADI_FN(place) *p = (ADI_FN(place) *)f->place.data + f->n_place++;
        p->file = file;
        p->line = line;
        p->when = t->n;
    }
}

/* ============================================================ [S14] THE TABLE AS PARTIALS
   linear_<system>(f, k, p) leaves in p[i] the partial of instruction k by its operand i, in the
   arithmetic of a number system: real, dual, dual4, or recorded variables. All sweeps but the fast
   one are loops around it.                                                     needs: [S13] */
#define ADI_NUMBER        REAL
#define ADI_SYSTEM(n)     ADI_FN(n##_real)
#define ADI_WORD(w)       AD_FN(real_##w)
#define ADI_AT(slot)      f->hot.value[slot]
#define ADI_WANTED(id)    1
#define ADI_SUBPASS       5
#include AD_HEADER_NAME

static AD_FN(dual) ADI_FN(dual_at)(const ADI_FN(full) *f, size_t slot)
{
    return AD_FN(dual_make)(f->hot.value[slot],
                            slot < f->floor ? 0 : ((const REAL *)f->lanes.data)[slot]);
}
#define ADI_NUMBER        AD_FN(dual)
#define ADI_SYSTEM(n)     ADI_FN(n##_dual)
#define ADI_WORD(w)       AD_FN(dual_##w)
#define ADI_AT(slot)      ADI_FN(dual_at)(f, slot)
#define ADI_WANTED(id)    1
#define ADI_SUBPASS       5
#include AD_HEADER_NAME

static AD_FN(dual4) ADI_FN(dual4_at)(const ADI_FN(full) *f, size_t slot)
{
    AD_FN(dual4) r;
    r.v = f->hot.value[slot];
    if (slot < f->floor) memset(r.d, 0, sizeof r.d);
    else memcpy(r.d, (const REAL *)f->lanes.data + 4 * slot, sizeof r.d);
    return r;
}
#define ADI_NUMBER        AD_FN(dual4)
#define ADI_SYSTEM(n)     ADI_FN(n##_dual4)
#define ADI_WORD(w)       AD_FN(dual4_##w)
#define ADI_AT(slot)      ADI_FN(dual4_at)(f, slot)
#define ADI_WANTED(id)    1
#define ADI_SUBPASS       5
#include AD_HEADER_NAME

/* Recording: only what the gradient needs; lanes holds a mark for every slot that depends on x. The
   words are called, not inlined: a few hundred copies of the recording code would help nobody. */
#define ADI_X1(name, class_, value, dx)                                                            \
    static ADI_NOINLINE ADI_UNUSED AD_FN(var) ADI_FN(word_##name)(AD_FN(var) x)                    \
    { return AD_FN(var_##name)(x); }
#define ADI_X2(name, class_, value, dx, dy)                                                        \
    static ADI_NOINLINE ADI_UNUSED AD_FN(var) ADI_FN(word_##name)(AD_FN(var) x, AD_FN(var) y)      \
    { return AD_FN(var_##name)(x, y); }
ADI_READ((ADI_X1, ADI_X2, ADI_SKIP3, ADI_SKIPN, ADI_WORDS(ADI_WORD_REAL)))
#undef ADI_X1
#undef ADI_X2
static AD_FN(var) ADI_FN(word_num)(double v) { return AD_FN(var_num)(v); }
static AD_FN(var) ADI_FN(word_poly)(size_t n, const REAL *c, size_t d, AD_FN(var) x)
{
    return AD_FN(var_poly)(n, c, d, x);
}
#define ADI_NUMBER        AD_FN(var)
#define ADI_SYSTEM(n)     ADI_FN(n##_var)
#define ADI_WORD(w)       ADI_FN(word_##w)
#define ADI_AT(slot)      ADI_FN(handle)(&f->hot, slot)
#define ADI_WANTED(id)    (((const unsigned char *)f->lanes.data)[id])
#define ADI_SUBPASS       5
#include AD_HEADER_NAME

/* ============================================================ [S15] THE REVERSE SWEEP
   Walks the trace backwards once and leaves d(output)/d(slot) in adjoint[slot].
   Invariant: when an instruction is reached, its slot's adjoint is complete, since all that use the
   slot stand above it. So one pass does, whatever is shared.                        needs: [S14] */

/* Adds the contributions of a rare instruction (three operands, list, user) with adjoint g. */
static ad_status ADI_FN(reverse_rare)(ADI_FN(full) *f, REAL *adjoint, size_t k, REAL g)
{
    const uint64_t w = f->hot.code[k];
    REAL *p = (REAL *)f->scratch.data;
    uint32_t local[2], i;
    const uint32_t *id;
    const uint32_t n = ADI_FN(operands)(f, k, local, &id);
    if ((w & 255) == ADI_OP_user) {
        const uint32_t *head = id - ADI_HEAD;
        const size_t m = head[ADI_HEAD_A], first = k + 1 - m;
        const ADI_FN(callee) c = ((const ADI_FN(callee) *)f->callee.data)[head[ADI_HEAD_B]];
        REAL *bar = p + n;
        ad_status s;
        for (i = 0; i < m && adjoint[first + i] == 0; i++) continue;
        if (i == m) return AD_OK;
        if (!c.op->reverse) return ADI_FN(fail)(f, AD_ERR_UNSUPPORTED, "%s: no reverse callback",
            ADI_FN(operation_name)(f, k));
        for (i = 0; i < n; i++) {
            p[i] = ADI_FN(operand_value)(f, id[i]);
            bar[i] = 0;
        }
        s = c.op->reverse(c.user, n, p, m, f->hot.value + first, adjoint + first, bar);
        if (s != AD_OK) return ADI_FN(fail)(f, AD_ERR_USER, "%s: its reverse callback returned %s",
                                            ADI_FN(operation_name)(f, k), ad_status_name(s));
        for (i = 0; i < n; i++)
            if (!(id[i] & ADI_CONSTANT)) adjoint[id[i]] += bar[i];
        return AD_OK;
    }
    ADI_FN(linear_real)(f, k, p);
    for (i = 0; i < n; i++)
        if (!(id[i] & ADI_CONSTANT)) adjoint[id[i]] += AD_FN(real_chain_GUARD)(p[i], g);
    return AD_OK;
}

/* Instructions high-1 down to low. What a slot contributes to the one just below it (most chains
   do) waits in the register `carry` instead of memory, where it would be stored and loaded again
   at once. The test for that is a branch on purpose: it is as predictable as the trace is
   regular, and shorter than computing both outcomes. */
#define ADI_TO(id, twice, contribution) do {                                                       \
        const REAL bar = contribution;                                                             \
        if (ADI_LIKELY((id) == below) && !(twice)) {                                               \
            ADI_BRANCH;                                                                            \
            carry = bar;                                                                           \
        } else {                                                                                   \
            adjoint[id] += bar;                                                                    \
        }                                                                                          \
    } while (0)
static ADI_NOINLINE ad_status ADI_FN(reverse)(ADI_FN(full) *f, REAL *adjoint, size_t high,
    size_t low)
{
    const uint64_t *const code = f->hot.code;
    const REAL *const value = f->hot.value, *const constant = f->hot.constant;
    REAL carry = 0;
    size_t k;
    for (k = high; k-- > low;) {
        const uint64_t w = code[k];
        const size_t a = (size_t)(w >> 8) & ADI_OPERAND, b = (size_t)(w >> 36), below = k - 1;
        const REAL g = adjoint[k] + carry;
        adjoint[k] = g;
        carry = 0;
        if (!ADI_LIKELY(g != 0) && (w & 255) != ADI_OP_user) continue; /* a zero adjoint stops */
        switch (w & 255) {
        case ADI_OP_input: break;
#define ADI_X1(name, class_, value_, dx)                                                           \
        case ADI_OP_##name: {                                                                      \
            const REAL x = value[a], r = value[k];                                                 \
            (void)x; (void)r;                                                                      \
            ADI_TO(a, 0, AD_FN(real_chain_##class_)(dx, g));                                       \
        } break;
#define ADI_X2(name, class_, value_, dx, dy)                                                       \
        case ADI_OP_##name: {                                                                      \
            const REAL x = value[a], y = value[b], r = value[k];                                   \
            (void)x; (void)y; (void)r;                                                             \
            ADI_TO(a, 0, AD_FN(real_chain_##class_)(dx, g));                                       \
            ADI_TO(b, a == b, AD_FN(real_chain_##class_)(dy, g));                                  \
        } break;                                                                                   \
        case ADI_OP_##name##_vc: {                                                                 \
            const REAL x = value[a], y = constant[b], r = value[k];                                \
            (void)x; (void)y; (void)r;                                                             \
            ADI_TO(a, 0, AD_FN(real_chain_##class_)(dx, g));                                       \
        } break;                                                                                   \
        case ADI_OP_##name##_cv: {                                                                 \
            const REAL x = constant[a], y = value[b], r = value[k];                                \
            (void)x; (void)y; (void)r;                                                             \
            ADI_TO(b, 0, AD_FN(real_chain_##class_)(dy, g));                                       \
        } break;
        ADI_READ((ADI_X1, ADI_X2, ADI_SKIP3, ADI_SKIPN, ADI_WORDS(ADI_WORD_REAL)))
#undef ADI_X1
#undef ADI_X2
        default: {
            const ad_status s = ADI_FN(reverse_rare)(f, adjoint, k, g);
            if (s != AD_OK) return s;
        }
        }
    }
    if (low > 0) adjoint[low - 1] += carry;
    return AD_OK;
}
#undef ADI_TO

/* The first slot that a sweep visits: below are inputs, or what a driver's function found there. */
static size_t ADI_FN(lowest)(const ADI_FN(full) *f)
{
    return f->leading > f->floor ? f->leading : f->floor;
}

/* Debugging: one instruction at a time; reports the first that turns a finite adjoint non-finite.
   */
static ADI_COLD ad_status ADI_FN(reverse_watched)(ADI_FN(full) *f, REAL *adjoint, size_t high,
    size_t low)
{
    size_t k;
    ad_status s = AD_OK;
    for (k = high; k-- > low && s == AD_OK;) {
        uint32_t local[2], n, i;
        const uint32_t *id;
        s = ADI_FN(reverse)(f, adjoint, k + 1, k);
        n = ADI_FN(operands)(f, k, local, &id);
        for (i = 0; i < n && !f->reported && s == AD_OK; i++)
            if (!(id[i] & ADI_CONSTANT) && !ADI_FN(finite)(adjoint[id[i]])) ADI_FN(report)(f, k,
                1, adjoint[id[i]]);
    }
    return s;
}

static ad_status ADI_FN(backward)(AD_FN(tape) *t, const char *name, size_t m, const AD_FN(var) *y,
    const REAL *y_bar)
{
    ADI_FN(full) *f = ADI_FN(whole)(t);
    REAL *adjoint;
    size_t i, high = 0;
    ad_status s;
    if (!t) return AD_ERR_ARGUMENT;
    if (m && (!y || !y_bar))
        return ADI_FN(fail)(f, AD_ERR_ARGUMENT, "%s: NULL for %zu outputs", name, m);
    ADI_FN(release)(f);
    if ((s = ADI_FN(check_all)(f, name, m, y)) != AD_OK
        || (s = ADI_FN(array)(f, &f->adjoint, t->n, sizeof(REAL), name)) != AD_OK
        || (s = ADI_FN(prepare)(f, sizeof(REAL), name)) != AD_OK) return s;
    adjoint = (REAL *)f->adjoint.data;
    for (i = 0; i < m; i++)
        if (y[i].tape && ADI_FN(end_of)(f, y[i].id) > high) high = ADI_FN(end_of)(f, y[i].id);
    f->swept = 0;
    if (high > f->floor) memset(adjoint + f->floor, 0, (high - f->floor) * sizeof(REAL));
    for (i = 0; i < m; i++)
        if (y[i].tape) adjoint[y[i].id] += y_bar[i];
    s = f->desc.debug ? ADI_FN(reverse_watched)(f, adjoint, high, ADI_FN(lowest)(f))
                      : ADI_FN(reverse)(f, adjoint, high, ADI_FN(lowest)(f));
    if (s == AD_OK) f->swept = high;
    return s;
}

AD_DEF ad_status AD_FN(backward)(AD_FN(var) y)
{
    const REAL one = 1;
    return ADI_FN(backward)(y.tape, "ad_backward", 1, &y, &one);
}

AD_DEF ad_status AD_FN(backward_seeded)(AD_FN(tape) *t, size_t m, const AD_FN(var) *y,
    const REAL *y_bar)
{
    return ADI_FN(backward)(t, "ad_backward_seeded", m, y, y_bar);
}

/* The number that a sweep left for x in results[0 .. swept). */
static REAL ADI_FN(result)(AD_FN(var) x, const adi_block *results, size_t swept)
{
    if (x.epoch != x.tape->epoch || x.id >= x.tape->n) return (REAL)NAN;
    if (x.id < ADI_FN(whole_const)(x.tape)->floor) return 0;
    return x.id < swept ? ((const REAL *)results->data)[x.id] : 0;
}

AD_DEF REAL AD_FN(adjoint)(AD_FN(var) x)
{
    const ADI_FN(full) *f = ADI_FN(whole_const)(x.tape);
    return x.tape ? ADI_FN(result)(x, &f->adjoint, f->swept) : 0;
}

AD_DEF REAL AD_FN(tangent)(AD_FN(var) y)
{
    const ADI_FN(full) *f = ADI_FN(whole_const)(y.tape);
    return y.tape ? ADI_FN(result)(y, &f->tangent, f->swept_tangent) : 0;
}

AD_DEF REAL AD_FN(adjoint_tangent)(AD_FN(var) x)
{
    const ADI_FN(full) *f = ADI_FN(whole_const)(x.tape);
    return x.tape ? ADI_FN(result)(x, &f->adjoint_dot, f->swept_dot) : 0;
}

/* ============================================================ [S16] THE OTHER SWEEPS
   Tangents upwards; several adjoints or tangents at once (lanes, next to each other, so that one
   partial serves them all); adjoints that are duals, for second derivatives.           needs: [S15]
   In all of them 0 times anything is 0, lane by lane.                                            */

/* Tangents of slots low .. high-1 over `lanes` directions, on top of the seeds that are there. */
ADI_INLINE ad_status ADI_FN(tangents)(ADI_FN(full) *f, REAL *tangent, size_t low, size_t high,
    const size_t lanes)
{
    REAL *const p = (REAL *)f->scratch.data;
    size_t k, l;
    for (k = low; k < high; k++) {
        uint32_t local[2], i;
        const uint32_t *id;
        const uint32_t n = ADI_FN(operands)(f, k, local, &id);
        REAL *const to = tangent + k * lanes;
        if ((f->hot.code[k] & 255) == ADI_OP_user) {
            const size_t m = (id - ADI_HEAD)[ADI_HEAD_A], first = k + 1 - m;
            const ADI_FN(callee) c =
                ((const ADI_FN(callee) *)f->callee.data)[(id - ADI_HEAD)[ADI_HEAD_B]];
            REAL *const x = (REAL *)f->frame.data, *const x_dot = x + n, *const y_dot = x_dot + n;
            if (!c.op->tangent) return ADI_FN(fail)(f, AD_ERR_UNSUPPORTED,
                "%s: no tangent callback", ADI_FN(operation_name)(f, k));
            for (i = 0; i < n; i++) x[i] = ADI_FN(operand_value)(f, id[i]);
            for (l = 0; l < lanes; l++) {
                ad_status s;
                for (i = 0; i < n; i++)
                    x_dot[i] = id[i] & ADI_CONSTANT || id[i] < f->floor ? 0
                             : tangent[id[i] * lanes + l];
                for (i = 0; i < m; i++) y_dot[i] = 0;
                s = c.op->tangent(c.user, n, x, m, f->hot.value + first, x_dot, y_dot);
                if (s != AD_OK) return ADI_FN(fail)(f, AD_ERR_USER,
                    "%s: its tangent callback returned %s",
                                                    ADI_FN(operation_name)(f, k),
                                                        ad_status_name(s));
                for (i = 0; i < m; i++) tangent[(first + i) * lanes + l] += y_dot[i];
            }
            continue;
        }
        ADI_FN(linear_real)(f, k, p);
        for (i = 0; i < n; i++)
            if (!(id[i] & ADI_CONSTANT) && id[i] >= f->floor)
                for (l = 0; l < lanes; l++)
                    to[l] += AD_FN(real_chain_GUARD)(p[i], tangent[id[i] * lanes + l]);
    }
    return AD_OK;
}
static ADI_NOINLINE ad_status ADI_FN(tangents1)(ADI_FN(full) *f, REAL *v, size_t low, size_t high)
{
    return ADI_FN(tangents)(f, v, low, high, 1);
}
static ADI_NOINLINE ad_status ADI_FN(tangents4)(ADI_FN(full) *f, REAL *v, size_t low, size_t high)
{
    return ADI_FN(tangents)(f, v, low, high, 4);
}
static ADI_NOINLINE ad_status ADI_FN(tangents8)(ADI_FN(full) *f, REAL *v, size_t low, size_t high)
{
    return ADI_FN(tangents)(f, v, low, high, 8);
}

/* Room for `size` bytes of every slot below `count`, zero from the floor on. */
static ad_status ADI_FN(zeros)(ADI_FN(full) *f, adi_block *b, size_t count, size_t size,
    const char *name)
{
    const ad_status s = ADI_FN(array)(f, b, count, size, name);
    if (s == AD_OK && count > f->floor)
        memset((char *)b->data + f->floor * size, 0, (count - f->floor) * size);
    return s;
}

/* Working memory of the lane sweeps: a list instruction's partials, a user operation's operands. */
static ad_status ADI_FN(prepare_lanes)(ADI_FN(full) *f, const char *name)
{
    const ad_status s = ADI_FN(prepare)(f, sizeof(AD_FN(dual4)), name);
    return s != AD_OK ? s
        : ADI_FN(array)(f, &f->frame, 4 * ((size_t)f->longest + 1), sizeof(AD_FN(dual)), name);
}

AD_DEF ad_status AD_FN(forward)(AD_FN(tape) *t, size_t n, const AD_FN(var) *x, const REAL *x_dot)
{
    ADI_FN(full) *f = ADI_FN(whole)(t);
    ad_status s;
    size_t i;
    if (!t) return AD_ERR_ARGUMENT;
    if (n && (!x || !x_dot)) return ADI_FN(fail)(f, AD_ERR_ARGUMENT,
        "ad_forward: NULL for %zu variables", n);
    f->swept_tangent = 0;
    ADI_FN(release)(f);
    if ((s = ADI_FN(check_all)(f, "ad_forward", n, x)) != AD_OK
        || (s = ADI_FN(zeros)(f, &f->tangent, t->n, sizeof(REAL), "ad_forward")) != AD_OK
        || (s = ADI_FN(prepare_lanes)(f, "ad_forward")) != AD_OK) return s;
    for (i = 0; i < n; i++)
        if (x[i].tape) ((REAL *)f->tangent.data)[x[i].id] += x_dot[i];
    s = ADI_FN(tangents1)(f, (REAL *)f->tangent.data, ADI_FN(lowest)(f), t->n);
    if (s == AD_OK) f->swept_tangent = t->n;
    return s;
}

static int ADI_FN(all_zero)(const REAL *v, size_t n)
{
    while (n > 0 && v[n - 1] == 0) n--;
    return n == 0;
}

/* A user operation in the sweep of eight adjoints, one lane after another. */
static ad_status ADI_FN(reverse8_user)(ADI_FN(full) *f, REAL *adjoint, size_t k)
{
    uint32_t local[2], i;
    const uint32_t *id;
    const uint32_t n = ADI_FN(operands)(f, k, local, &id);
    const size_t m = (id - ADI_HEAD)[ADI_HEAD_A], first = k + 1 - m;
    const ADI_FN(callee) c = ((const ADI_FN(callee) *)f->callee.data)[(id - ADI_HEAD)[ADI_HEAD_B]];
    REAL *const x = (REAL *)f->frame.data, *const x_bar = x + n, *const y_bar = x_bar + n;
    size_t l;
    if (ADI_FN(all_zero)(adjoint + 8 * first, 8 * m)) return AD_OK;
    if (!c.op->reverse)
        return ADI_FN(fail)(f, AD_ERR_UNSUPPORTED, "%s: no reverse callback",
                            ADI_FN(operation_name)(f, k));
    for (l = 0; l < 8; l++) {
        ad_status s;
        for (i = 0; i < m; i++) y_bar[i] = adjoint[8 * (first + i) + l];
        if (ADI_FN(all_zero)(y_bar, m)) continue;
        for (i = 0; i < n; i++) {
            x[i] = ADI_FN(operand_value)(f, id[i]);
            x_bar[i] = 0;
        }
        s = c.op->reverse(c.user, n, x, m, f->hot.value + first, y_bar, x_bar);
        if (s != AD_OK)
            return ADI_FN(fail)(f, AD_ERR_USER, "%s: its reverse callback returned %s",
                                ADI_FN(operation_name)(f, k), ad_status_name(s));
        for (i = 0; i < n; i++)
            if (!(id[i] & ADI_CONSTANT)) adjoint[8 * (size_t)id[i] + l] += x_bar[i];
    }
    return AD_OK;
}

/* Eight adjoints at once. */
static ADI_NOINLINE ad_status ADI_FN(reverse8)(ADI_FN(full) *f, REAL *adjoint, size_t high,
    size_t low)
{
    REAL *const p = (REAL *)f->scratch.data;
    size_t k, l;
    for (k = high; k-- > low;) {
        uint32_t local[2], i, n;
        const uint32_t *id;
        const REAL *const g = adjoint + 8 * k;
        if ((f->hot.code[k] & 255) == ADI_OP_user) {
            const ad_status s = ADI_FN(reverse8_user)(f, adjoint, k);
            if (s != AD_OK) return s;
            continue;
        }
        if (ADI_FN(all_zero)(g, 8)) continue;
        n = ADI_FN(operands)(f, k, local, &id);
        ADI_FN(linear_real)(f, k, p);
        for (i = 0; i < n; i++)
            if (!(id[i] & ADI_CONSTANT)) {
                REAL *const to = adjoint + 8 * (size_t)id[i];
                for (l = 0; l < 8; l++) to[l] += AD_FN(real_chain_GUARD)(p[i], g[l]);
            }
    }
    return AD_OK;
}

/* The checks and the extent that sweeps over outputs y[m] and inputs x[n] have in common. */
static ad_status ADI_FN(extent)(ADI_FN(full) *f, const char *name, size_t n, const AD_FN(var) *x,
                                size_t m, const AD_FN(var) *y, const void *out, size_t *high)
{
    size_t i;
    ad_status s;
    *high = 0;
    if (!f) return AD_ERR_ARGUMENT;
    ADI_FN(release)(f);
    if (n && m && !out) return ADI_FN(fail)(f, AD_ERR_ARGUMENT,
        "%s: NULL for %zu by %zu results", name, m, n);
    if (m && n > SIZE_MAX / sizeof(REAL) / m)
        return ADI_FN(fail)(f, AD_ERR_ARGUMENT, "%s: %zu by %zu results are too many", name, m, n);
    if ((s = ADI_FN(check_all)(f, name, n, x)) != AD_OK
        || (s = ADI_FN(check_all)(f, name, m, y)) != AD_OK) return s;
    for (i = 0; i < m; i++)
        if (y[i].tape && ADI_FN(end_of)(f, y[i].id) > *high) *high = ADI_FN(end_of)(f, y[i].id);
    return ADI_FN(prepare_lanes)(f, name);
}

AD_DEF ad_status AD_FN(jacobian_reverse)(AD_FN(tape) *t, size_t n, const AD_FN(var) *x,
                                         size_t m, const AD_FN(var) *y, REAL *J)
{
    ADI_FN(full) *f = ADI_FN(whole)(t);
    size_t i, j, l, high;
    ad_status s = ADI_FN(extent)(f, "ad_jacobian_reverse", n, x, m, y, J, &high);
    for (i = 0; i < m && s == AD_OK; i += 8) {
        const size_t rows = m - i < 8 ? m - i : 8;
        REAL *a;
        if ((s = ADI_FN(zeros)(f, &f->wide, high, 8 * sizeof(REAL),
            "ad_jacobian_reverse")) != AD_OK) break;
        a = (REAL *)f->wide.data;
        for (l = 0; l < rows; l++)
            if (y[i + l].tape) a[8 * (size_t)y[i + l].id + l] = 1;
        s = ADI_FN(reverse8)(f, a, high, ADI_FN(lowest)(f));
        for (l = 0; l < rows; l++)
            for (j = 0; j < n; j++) J[(i + l) * n + j] = x[j].tape && x[j].id < high
                ? a[8 * (size_t)x[j].id + l] : 0;
    }
    return s;
}

AD_DEF ad_status AD_FN(jacobian_forward)(AD_FN(tape) *t, size_t n, const AD_FN(var) *x,
                                         size_t m, const AD_FN(var) *y, REAL *J)
{
    ADI_FN(full) *f = ADI_FN(whole)(t);
    size_t i, j, l, high;
    ad_status s = ADI_FN(extent)(f, "ad_jacobian_forward", n, x, m, y, J, &high);
    for (j = 0; j < n && s == AD_OK; j += 8) {
        const size_t columns = n - j < 8 ? n - j : 8;
        REAL *v;
        if ((s = ADI_FN(zeros)(f, &f->wide, t->n, 8 * sizeof(REAL),
            "ad_jacobian_forward")) != AD_OK) break;
        v = (REAL *)f->wide.data;
        for (l = 0; l < columns; l++)
            if (x[j + l].tape) v[8 * (size_t)x[j + l].id + l] = 1;
        s = ADI_FN(tangents8)(f, v, ADI_FN(lowest)(f), high);
        for (i = 0; i < m; i++)
            for (l = 0; l < columns; l++) J[i * n + j + l] = y[i].tape && y[i].id >= f->floor
                                 ? v[8 * (size_t)y[i].id + l] : 0;
    }
    return s;
}

/* A user operation in a reverse sweep over duals; lane l of a dual with `lanes` tangents, bar[] the
   adjoints as v, d[0], d[1] ... one after another. */
static ad_status ADI_FN(reverse_dual_user)(ADI_FN(full) *f, size_t k, REAL *bar, size_t lanes)
{
    uint32_t local[2], i;
    const uint32_t *id;
    const uint32_t n = ADI_FN(operands)(f, k, local, &id);
    const size_t m = (id - ADI_HEAD)[ADI_HEAD_A], first = k + 1 - m, size = 1 + lanes;
    const ADI_FN(callee) c = ((const ADI_FN(callee) *)f->callee.data)[(id - ADI_HEAD)[ADI_HEAD_B]];
    const REAL *dot = (const REAL *)f->lanes.data;
    AD_FN(dual) *const x = (AD_FN(dual) *)f->frame.data, *const x_bar = x + n,
        *const y = x_bar + n, *const y_bar = y + m;
    size_t l;
    if (ADI_FN(all_zero)(bar + first * size, m * size)) return AD_OK;
    if (!c.op->reverse_dual)
        return ADI_FN(fail)(f, AD_ERR_UNSUPPORTED, "%s: no reverse_dual callback",
            ADI_FN(operation_name)(f, k));
    for (l = 0; l < lanes; l++) {
        ad_status s;
        for (i = 0; i < n; i++) {
            const int still = id[i] & ADI_CONSTANT || id[i] < f->floor;
            x[i] = AD_FN(dual_make)(ADI_FN(operand_value)(f, id[i]),
                                    still ? 0 : dot[id[i] * lanes + l]);
            x_bar[i] = AD_FN(dual_make)(0, 0);
        }
        for (i = 0; i < m; i++) {
            y[i] = AD_FN(dual_make)(f->hot.value[first + i], dot[(first + i) * lanes + l]);
            y_bar[i] = AD_FN(dual_make)(bar[(first + i) * size], bar[(first + i) * size + 1 + l]);
        }
        s = c.op->reverse_dual(c.user, n, x, m, y, y_bar, x_bar);
        if (s != AD_OK) return ADI_FN(fail)(f, AD_ERR_USER,
            "%s: its reverse_dual callback returned %s",
                                            ADI_FN(operation_name)(f, k), ad_status_name(s));
        for (i = 0; i < n; i++)
            if (!(id[i] & ADI_CONSTANT)) {
                if (l == 0) bar[id[i] * size] += x_bar[i].v;
                bar[id[i] * size + 1 + l] += x_bar[i].d;
            }
    }
    return AD_OK;
}

/* Reverse over duals: the tangents of all slots stand in `lanes`; adjoints are duals. */
#define ADI_REVERSE_DUAL(name, D, F, LINEAR, LANES)                                                \
static ADI_NOINLINE ad_status name(ADI_FN(full) *f, D *bar, size_t high, size_t low)               \
{                                                                                                  \
    D *const p = (D *)f->scratch.data;                                                             \
    size_t k;                                                                                      \
    for (k = high; k-- > low;) {                                                                   \
        uint32_t local[2], n, i;                                                                   \
        const uint32_t *id;                                                                        \
        const D g = bar[k];                                                                        \
        const REAL *part = (const REAL *)(const void *)&bar[k];                                    \
        if ((f->hot.code[k] & 255) == ADI_OP_user) {                                               \
            const ad_status s = ADI_FN(reverse_dual_user)(f, k, (REAL *)(void *)bar, LANES);       \
            if (s != AD_OK) return s;                                                              \
            continue;                                                                              \
        }                                                                                          \
        if (ADI_FN(all_zero)(part, LANES + 1)) continue;                                           \
        n = ADI_FN(operands)(f, k, local, &id);                                                    \
        LINEAR(f, k, p);                                                                           \
        for (i = 0; i < n; i++)                                                                    \
            if (!(id[i] & ADI_CONSTANT)) bar[id[i]] = F(add)(bar[id[i]], F(mul0)(p[i], g));        \
    }                                                                                              \
    return AD_OK;                                                                                  \
}
#define ADI_WORD_DUAL4(w) AD_FN(dual4_##w)
ADI_REVERSE_DUAL(ADI_FN(reverse_dual), AD_FN(dual), ADI_WORD_DUAL, ADI_FN(linear_dual), 1)
ADI_REVERSE_DUAL(ADI_FN(reverse_dual4), AD_FN(dual4), ADI_WORD_DUAL4, ADI_FN(linear_dual4), 4)
#undef ADI_REVERSE_DUAL

AD_DEF ad_status AD_FN(forward_over_reverse)(AD_FN(var) y, size_t n, const AD_FN(var) *x,
    const REAL *x_dot)
{
    static const char name[] = "ad_forward_over_reverse";
    ADI_FN(full) *f = ADI_FN(whole)(y.tape);
    AD_FN(dual) *bar;
    size_t i, high = 0;
    ad_status s = AD_OK;
    if (f) {                                     /* results first, working memory above them */
        ADI_FN(release)(f);
        if (f->status == AD_OK)
            s = ADI_FN(array)(f, &f->adjoint_dot, f->hot.n, sizeof(REAL), name);
    }
    if (s == AD_OK) s = ADI_FN(extent)(f, name, n, x, 1, &y, x_dot, &high);
    if (s != AD_OK
        || (s = ADI_FN(array)(f, &f->adjoint, high, sizeof(REAL), name)) != AD_OK
        || (s = ADI_FN(zeros)(f, &f->lanes, high, sizeof(REAL), name)) != AD_OK
        || (s = ADI_FN(zeros)(f, &f->wide, high, sizeof(AD_FN(dual)), name)) != AD_OK) return s;
    for (i = 0; i < n; i++)
        if (x[i].tape && x[i].id < high) ((REAL *)f->lanes.data)[x[i].id] += x_dot[i];
    f->swept = f->swept_dot = 0;
    s = ADI_FN(tangents1)(f, (REAL *)f->lanes.data, ADI_FN(lowest)(f), high);
    if (s != AD_OK) return s;
    bar = (AD_FN(dual) *)f->wide.data;
    bar[y.id].v = 1;
    if ((s = ADI_FN(reverse_dual)(f, bar, high, ADI_FN(lowest)(f))) != AD_OK) return s;
    for (i = f->floor; i < high; i++) {
        ((REAL *)f->adjoint.data)[i] = bar[i].v;
        ((REAL *)f->adjoint_dot.data)[i] = bar[i].d;
    }
    f->swept = f->swept_dot = high;
    return AD_OK;
}

AD_DEF ad_status AD_FN(hessian_of)(AD_FN(var) y, size_t n, const AD_FN(var) *x, REAL *H)
{
    static const char name[] = "ad_hessian_of";
    ADI_FN(full) *f = ADI_FN(whole)(y.tape);
    size_t i, j, l, high;
    ad_status s = ADI_FN(extent)(f, name, n, x, 1, &y, H, &high);
    if (f && s == AD_OK && n > SIZE_MAX / sizeof(REAL) / (n ? n : 1))
        s = ADI_FN(fail)(f, AD_ERR_ARGUMENT, "%s: %zu by %zu results are too many", name, n, n);
    for (j = 0; j < n && s == AD_OK; j += 4) {
        const size_t columns = n - j < 4 ? n - j : 4;
        const AD_FN(dual4) *bar;
        if ((s = ADI_FN(zeros)(f, &f->lanes, high, 4 * sizeof(REAL), name)) != AD_OK
            || (s = ADI_FN(zeros)(f, &f->wide, high, sizeof(AD_FN(dual4)), name)) != AD_OK) break;
        for (l = 0; l < columns; l++)
            if (x[j + l].tape && x[j + l].id < high)
                ((REAL *)f->lanes.data)[4 * (size_t)x[j + l].id + l] = 1;
        ((AD_FN(dual4) *)f->wide.data)[y.id].v = 1;
        if ((s = ADI_FN(tangents4)(f, (REAL *)f->lanes.data, ADI_FN(lowest)(f), high)) != AD_OK
            || (s = ADI_FN(reverse_dual4)(f, (AD_FN(dual4) *)f->wide.data, high,
                ADI_FN(lowest)(f))) != AD_OK) break;
        bar = (const AD_FN(dual4) *)f->wide.data;
        for (l = 0; l < columns; l++)
            for (i = j + l; i < n; i++)          /* one triangle, mirrored */
                H[i * n + j + l] = H[(j + l) * n + i] = x[i].tape && x[i].id < high
                    ? bar[x[i].id].d[l] : 0;
    }
    return s;
}

/* ============================================================ [S17] RECORDED GRADIENTS
   The reverse sweep again, but its arithmetic is recorded: each adjoint is a variable, and can be
   differentiated in turn. Only instructions between x and y are visited, and 0 and 1 cost nothing.
                                                                                     needs: [S14] */

/* adjoint * partial, without recording what is known beforehand. For a rule of class GUARD the
   product is mul0, so that a zero adjoint stops for other inputs than today's too. */
static AD_FN(var) ADI_FN(chain_var)(int class_, AD_FN(var) g, AD_FN(var) p)
{
    if (!g.tape && !p.tape) return AD_FN(const)(AD_FN(real_chain_GUARD)(p.v, g.v));
    if (!g.tape && g.v == 1) return p;
    if (!p.tape && p.v == 1) return g;
    if ((!g.tape && g.v == 0) || (!p.tape && p.v == 0)) return AD_FN(const)(0);
    if (!g.tape && g.v == -1) return AD_FN(var_neg)(p);
    if (!p.tape && p.v == -1) return AD_FN(var_neg)(g);
    if (!g.tape) return AD_FN(var_mul_r)(p, g.v);
    if (!p.tape) return AD_FN(var_mul_r)(g, p.v);
    if (class_ == ADI_CLASS_GUARD || !ADI_FN(finite)(p.v) || !ADI_FN(finite)(g.v))
        return AD_FN(var_mul0)(g, p);
    return AD_FN(var_mul)(g, p);
}

static void ADI_FN(accumulate_var)(AD_FN(var) *bar, AD_FN(var) c)
{
    if (!bar->tape && bar->v == 0) *bar = c;
    else if (c.tape || c.v != 0) *bar = AD_FN(var_add)(*bar, c);
}

/* The callback may record, and take gradients itself: it gets working memory of its own. */
static ad_status ADI_FN(record_callback)(ADI_FN(full) *f, ADI_FN(callee) c, size_t n,
    const AD_FN(var) *x, size_t m, const AD_FN(var) *y, const AD_FN(var) *y_bar, AD_FN(var) *x_bar)
{
    adi_block *work[ADI_FN(works)], kept[ADI_FN(works)];
    ad_status s;
    int i;
    ADI_FN(work)(f, work);
    for (i = 0; i < ADI_FN(works); i++) {
        kept[i] = *work[i];
        memset(work[i], 0, sizeof *work[i]);
    }
    s = c.op->record(c.user, &f->hot, n, x, m, y, y_bar, x_bar);
    ADI_FN(release)(f);
    for (i = 0; i < ADI_FN(works); i++) {
        adi_block_free(&f->memory, work[i]);
        *work[i] = kept[i];
    }
    return s;
}

static ad_status ADI_FN(record_user)(ADI_FN(full) *f, size_t k, AD_FN(var) *bar)
{
    uint32_t local[2], i;
    const uint32_t *id;
    const uint32_t n = ADI_FN(operands)(f, k, local, &id);
    const size_t m = (id - ADI_HEAD)[ADI_HEAD_A], first = k + 1 - m;
    const ADI_FN(callee) c = ((const ADI_FN(callee) *)f->callee.data)[(id - ADI_HEAD)[ADI_HEAD_B]];
    AD_FN(var) *const x = (AD_FN(var) *)f->frame.data, *const x_bar = x + n, *const y = x_bar + n;
    ad_status s;
    for (i = 0; i < m && !bar[first + i].tape && bar[first + i].v == 0; i++) continue;
    if (i == m) return AD_OK;
    if (!c.op->record)
        return ADI_FN(fail)(f, AD_ERR_UNSUPPORTED, "%s: no record callback",
            ADI_FN(operation_name)(f, k));
    for (i = 0; i < n; i++) {
        x[i] = ADI_FN(operand_var)(f, id[i]);
        x_bar[i] = AD_FN(const)(0);
    }
    for (i = 0; i < m; i++) y[i] = ADI_FN(handle)(&f->hot, first + i);
    s = ADI_FN(record_callback)(f, c, n, x, m, y, bar + first, x_bar);
    if (s != AD_OK) return ADI_FN(fail)(f, AD_ERR_USER, "%s: its record callback returned %s",
                                        ADI_FN(operation_name)(f, k), ad_status_name(s));
    ADI_FN(operands)(f, k, local, &id);          /* the list may have moved */
    for (i = 0; i < n; i++)
        if (!(id[i] & ADI_CONSTANT) && ((const unsigned char *)f->lanes.data)[id[i]])
            ADI_FN(accumulate_var)(&bar[id[i]], x_bar[i]);
    return f->status;
}

static ad_status ADI_FN(grad_vars)(AD_FN(var) y, size_t n, const AD_FN(var) *x, AD_FN(var) *g)
{
    static const char name[] = "ad_grad_vars";
    ADI_FN(full) *f = ADI_FN(whole)(y.tape);
    AD_FN(var) *bar, *p;
    unsigned char *depends;
    size_t high = 0, low, i, k;
    ad_status s;
    if ((s = ADI_FN(extent)(f, name, n, x, 1, &y, g, &high)) != AD_OK
        || (s = ADI_FN(prepare)(f, sizeof(AD_FN(var)), name)) != AD_OK
        || (s = ADI_FN(array)(f, &f->frame, 4 * ((size_t)f->longest + 1), sizeof(AD_FN(var)),
            name)) != AD_OK
        || (s = ADI_FN(array)(f, &f->lanes, high, 1, name)) != AD_OK
        || (s = ADI_FN(array)(f, &f->wide, high, sizeof(AD_FN(var)), name)) != AD_OK) return s;
    depends = (unsigned char *)f->lanes.data;
    memset(depends, 0, high);
    bar = (AD_FN(var) *)f->wide.data;
    p = (AD_FN(var) *)f->scratch.data;
    for (i = 0, low = high; i < n; i++)
        if (x[i].tape && x[i].id < high) {
            depends[x[i].id] = 1;
            if (x[i].id < low) low = x[i].id;
        }
    for (k = low; k < high; k++) {
        uint32_t local[2], j;
        const uint32_t *id;
        const uint32_t count = ADI_FN(operands)(f, k, local, &id);
        for (j = 0; j < count && !depends[k]; j++)
            depends[k] = !(id[j] & ADI_CONSTANT) && depends[id[j]];
        if (depends[k] && (f->hot.code[k] & 255) == ADI_OP_user)
            memset(depends + k + 1 - (id - ADI_HEAD)[ADI_HEAD_A], 1, (id - ADI_HEAD)[ADI_HEAD_A]);
        bar[k] = AD_FN(const)(0);
    }
    if (low < high) bar[y.id] = AD_FN(const)(1);
    for (k = high; k-- > low && s == AD_OK;) {
        uint32_t local[2], j, count;
        const uint32_t *id;
        int class_;
        if (!depends[k]) continue;
        if ((f->hot.code[k] & 255) == ADI_OP_user) {
            s = ADI_FN(record_user)(f, k, bar);
            continue;
        }
        if (!bar[k].tape && bar[k].v == 0) continue;
        class_ = adi_forms[f->hot.code[k] & 255].class_;
        ADI_FN(linear_var)(f, k, p);
        count = ADI_FN(operands)(f, k, local, &id);
        for (j = 0; j < count; j++)
            if (!(id[j] & ADI_CONSTANT) && depends[id[j]])
                ADI_FN(accumulate_var)(&bar[id[j]], ADI_FN(chain_var)(class_, bar[k], p[j]));
        s = f->status;
    }
    for (i = 0; i < n && s == AD_OK; i++) g[i] = x[i].tape && x[i].id < high ? bar[x[i].id]
        : AD_FN(const)(0);
    return s;
}

AD_DEF ad_status AD_FN(grad_vars)(AD_FN(var) y, size_t n, const AD_FN(var) *x, AD_FN(var) *g)
{
    ad_status s = n && !g ? AD_ERR_ARGUMENT : AD_OK;
    size_t i;
    if (y.tape) s = ADI_FN(grad_vars)(y, n, x, g);
    if (!y.tape || s != AD_OK)                   /* a constant has gradient 0; an error gives NaN */
        for (i = 0; i < n && g; i++) g[i] = y.tape ? ADI_FN(nothing)() : AD_FN(const)(0);
    return s;
}

/* ============================================================ [S18] DRIVERS
   Record the user's function at a point, sweep, and put the tape back as it was.    needs: [S16] */
typedef struct ADI_FN(session) {
    ADI_FN(full) *f;
    AD_FN(tape)  *own;              /* made for this call */
    AD_FN(var)   *x, *y;
    size_t        mark;
    ADI_FN(reach) marked;       /* the user's last mark */
    adi_block     variables;
    ad_status     status;
} ADI_FN(session);

/* Inputs for x[n], room for m results. */
static ADI_FN(session) ADI_FN(open)(AD_FN(tape) *t, const char *name, int valid, const REAL *x,
    size_t n, size_t m)
{
    ADI_FN(session) s;
    memset(&s, 0, sizeof s);
    if (!t) t = s.own = AD_FN(tape_create)(NULL);
    if (!t) {
        s.status = AD_ERR_MEMORY;
        return s;
    }
    s.f = ADI_FN(whole)(t);
    s.marked = s.f->marked;
    s.mark = AD_FN(tape_mark)(t);
    s.variables = s.f->variables;                /* a driver inside of f takes its own */
    memset(&s.f->variables, 0, sizeof s.f->variables);
    s.status = s.f->status;
    if (s.status == AD_OK && (!valid || (n && !x)))
        s.status = ADI_FN(fail)(s.f, AD_ERR_ARGUMENT, "%s: a NULL function, point or direction",
            name);
    if (s.status == AD_OK && (n > ADI_MAX_SLOTS || m > ADI_MAX_SLOTS))
        s.status = ADI_FN(fail)(s.f, AD_ERR_LIMIT, "%s: %zu inputs and %zu outputs are too many",
            name, n, m);
    if (s.status == AD_OK) s.status = ADI_FN(array)(s.f, &s.variables, n + m + 1,
        sizeof(AD_FN(var)), name);
    if (s.status == AD_OK) {
        size_t i;
        s.x = (AD_FN(var) *)s.variables.data;
        s.y = s.x + n;
        s.status = AD_FN(inputs)(t, n, x, s.x);
        for (i = 0; i < m; i++) s.y[i] = ADI_FN(nothing)();
    }
    return s;
}

/* After the user's function: its error, or its results into y[m]. From here on sweeps keep to what
   it recorded, so that a driver costs the same inside of a long recording. */
static void ADI_FN(recorded)(ADI_FN(session) *s, size_t m, REAL *y)
{
    size_t i;
    if (s->status == AD_OK) s->status = ADI_FN(check_all)(s->f, "the driver's function", m, s->y);
    if (s->status == AD_OK) s->status = s->f->status;
    for (i = 0; i < m && y && s->y; i++) y[i] = s->y[i].v;
    if (s->f) s->f->floor = s->mark;
}

static ad_status ADI_FN(close)(ADI_FN(session) *s)
{
    if (s->f) {
        const ad_status kept = s->f->status;
        char message[sizeof s->f->message];
        memcpy(message, s->f->message, sizeof message);
        adi_block_free(&s->f->memory, &s->f->variables);
        s->f->variables = s->variables;
        AD_FN(tape_rewind)(&s->f->hot, s->mark);
        s->f->marked = s->marked;
        if (s->f->floor) s->f->swept = s->f->swept_dot = s->f->swept_tangent = 0;
        s->f->floor = 0;
        /* it is to be read */
        if (kept != AD_OK && s->f->status == AD_OK) ADI_FN(fail)(s->f, kept, "%s", message);
    }
    AD_FN(tape_destroy)(s->own);
    return s->status;
}

AD_DEF ad_status AD_FN(gradient)(AD_FN(tape) *t, AD_FN(fun) f, void *user, const REAL *x, size_t n,
                                 REAL *y, REAL *g)
{
    ADI_FN(session) s = ADI_FN(open)(t, "ad_gradient", f != NULL, x, n, 1);
    size_t i;
    if (s.status == AD_OK) s.y[0] = f(&s.f->hot, s.x, n, user);
    ADI_FN(recorded)(&s, 1, y);
    if (s.status == AD_OK && g) {
        if (s.y[0].tape) s.status = AD_FN(backward)(s.y[0]);
        for (i = 0; i < n && s.status == AD_OK; i++) g[i] = s.y[0].tape ? AD_FN(adjoint)(s.x[i])
            : 0;
    }
    return ADI_FN(close)(&s);
}

AD_DEF ad_status AD_FN(hvp)(AD_FN(tape) *t, AD_FN(fun) f, void *user, const REAL *x, size_t n,
                            const REAL *v, REAL *y, REAL *g, REAL *Hv)
{
    ADI_FN(session) s = ADI_FN(open)(t, "ad_hvp", f != NULL && (v || !n), x, n, 1);
    size_t i;
    if (s.status == AD_OK) s.y[0] = f(&s.f->hot, s.x, n, user);
    ADI_FN(recorded)(&s, 1, y);
    if (s.status == AD_OK && s.y[0].tape) s.status = AD_FN(forward_over_reverse)(s.y[0], n, s.x, v);
    for (i = 0; i < n && s.status == AD_OK; i++) {
        if (g) g[i] = s.y[0].tape ? AD_FN(adjoint)(s.x[i]) : 0;
        if (Hv) Hv[i] = s.y[0].tape ? AD_FN(adjoint_tangent)(s.x[i]) : 0;
    }
    return ADI_FN(close)(&s);
}

AD_DEF ad_status AD_FN(hessian)(AD_FN(tape) *t, AD_FN(fun) f, void *user, const REAL *x, size_t n,
                                REAL *y, REAL *g, REAL *H)
{
    ADI_FN(session) s = ADI_FN(open)(t, "ad_hessian", f != NULL, x, n, 1);
    size_t i;
    if (s.status == AD_OK) s.y[0] = f(&s.f->hot, s.x, n, user);
    ADI_FN(recorded)(&s, 1, y);
    if (s.status == AD_OK && !s.y[0].tape) {
        for (i = 0; i < n && g; i++) g[i] = 0;
        for (i = 0; i < n && H; i++) memset(H + i * n, 0, n * sizeof *H);
    } else if (s.status == AD_OK) {
        if (g) s.status = AD_FN(backward)(s.y[0]);
        for (i = 0; i < n && g && s.status == AD_OK; i++) g[i] = AD_FN(adjoint)(s.x[i]);
        if (H && s.status == AD_OK) s.status = AD_FN(hessian_of)(s.y[0], n, s.x, H);
    }
    return ADI_FN(close)(&s);
}

AD_DEF ad_status AD_FN(jacobian)(AD_FN(tape) *t, AD_FN(vfun) f, void *user, const REAL *x, size_t n,
                                 size_t m, REAL *y, REAL *J)
{
    ADI_FN(session) s = ADI_FN(open)(t, "ad_jacobian", f != NULL, x, n, m);
    if (s.status == AD_OK) f(&s.f->hot, s.x, n, s.y, m, user);
    ADI_FN(recorded)(&s, m, y);
    if (s.status == AD_OK && J)
        s.status = n <= m ? AD_FN(jacobian_forward)(&s.f->hot, n, s.x, m, s.y, J)
                          : AD_FN(jacobian_reverse)(&s.f->hot, n, s.x, m, s.y, J);
    return ADI_FN(close)(&s);
}

AD_DEF ad_status AD_FN(jvp)(AD_FN(tape) *t, AD_FN(vfun) f, void *user, const REAL *x, size_t n,
    size_t m,
                            const REAL *v, REAL *y, REAL *Jv)
{
    ADI_FN(session) s = ADI_FN(open)(t, "ad_jvp", f != NULL && (v || !n), x, n, m);
    size_t i;
    if (s.status == AD_OK) f(&s.f->hot, s.x, n, s.y, m, user);
    ADI_FN(recorded)(&s, m, y);
    if (s.status == AD_OK) s.status = AD_FN(forward)(&s.f->hot, n, s.x, v);
    for (i = 0; i < m && Jv && s.status == AD_OK; i++) Jv[i] = AD_FN(tangent)(s.y[i]);
    return ADI_FN(close)(&s);
}

AD_DEF ad_status AD_FN(vjp)(AD_FN(tape) *t, AD_FN(vfun) f, void *user, const REAL *x, size_t n,
    size_t m,
                            const REAL *w, REAL *y, REAL *wJ)
{
    ADI_FN(session) s = ADI_FN(open)(t, "ad_vjp", f != NULL && (w || !m), x, n, m);
    size_t i;
    if (s.status == AD_OK) f(&s.f->hot, s.x, n, s.y, m, user);
    ADI_FN(recorded)(&s, m, y);
    if (s.status == AD_OK) s.status = AD_FN(backward_seeded)(&s.f->hot, m, s.y, w);
    for (i = 0; i < n && wJ && s.status == AD_OK; i++) wJ[i] = AD_FN(adjoint)(s.x[i]);
    return ADI_FN(close)(&s);
}

/* ============================================================ [S19] DIAGNOSTICS
   What went wrong numerically, and how the adjoints look.                           needs: [S12] */
AD_DEF int AD_FN(tape_nonfinite)(const AD_FN(tape) *t, AD_FN(nonfinite) *report)
{
    const ADI_FN(full) *f = ADI_FN(whole_const)(t);
    if (report) memset(report, 0, sizeof *report);
    if (!t || !f->reported) return 0;
    if (report) *report = f->report;
    return 1;
}

AD_DEF AD_FN(health) AD_FN(tape_health)(const AD_FN(tape) *t)
{
    AD_FN(health) h;
    memset(&h, 0, sizeof h);
    if (t) {
        const ADI_FN(full) *f = ADI_FN(whole_const)(t);
        const REAL *adjoint = (const REAL *)f->adjoint.data;
        size_t k;
        h.slots = f->swept;
        for (k = 0; k < f->swept; k++) {
            const REAL size = AD_FN(real_abs)(adjoint[k]);
            if (size == 0) h.zero++;
            else if (!ADI_FN(finite)(size)) h.nonfinite++;
            else {
                if (size < ADI_TINY) h.denormal++;
                if (size > h.largest) h.largest = size;
                if (h.smallest == 0 || size < h.smallest) h.smallest = size;
            }
        }
    }
    return h;
}

/* ============================================================ [S20] GRAPH DUMP
   DOT, JSON, or an indented tree in which a shared node is expanded once. No recursion, O(nodes): a
   chain of millions and a graph with 2^100 paths are as easy as any other.          needs: [S12] */
#if defined(AUTODIFF_GRAPH)
typedef struct ADI_FN(dump) {
    const ADI_FN(full)       *f;
    const AD_FN(graph_desc)  *desc;
    ad_write_fn    write;
    void          *user;
    ad_status      status;
    unsigned char *chosen;          /* by slot: 1 chosen, 2 output, 4 has a user, 8 expanded */
    const char   **name;            /* by slot */
    char           buffer[1024];
    size_t         used;
    int            json;
} ADI_FN(dump);

/* The operands of slot k, which several results of a user operation share. */
static uint32_t ADI_FN(shown_operands)(const ADI_FN(full) *f, size_t k, uint32_t *local,
    const uint32_t **id)
{
    return ADI_FN(operands)(f, ADI_FN(end_of)(f, k) - 1, local, id);
}

static void ADI_FN(flush)(ADI_FN(dump) *d)
{
    if (d->status == AD_OK && d->used && d->write(d->user, d->buffer, d->used) != 0) d->status =
        AD_ERR_WRITE;
    d->used = 0;
}
static void ADI_FN(put)(ADI_FN(dump) *d, const char *text)
{
    for (; *text; text++) {
        if (d->used == sizeof d->buffer) ADI_FN(flush)(d);
        d->buffer[d->used++] = *text;
    }
}
static void ADI_FN(put_count)(ADI_FN(dump) *d, size_t n)
{
    char text[32];
    snprintf(text, sizeof text, "%zu", n);
    ADI_FN(put)(d, text);
}
static void ADI_FN(put_real)(ADI_FN(dump) *d, REAL v, int digits, int quote)
{
    char text[40];
    const char *const mark = quote && !ADI_FN(finite)(v) ? "\"" : "";    /* JSON has no nan */
    adi_format_real(text, sizeof text, (double)v, digits);
    ADI_FN(put)(d, mark);
    ADI_FN(put)(d, text);
    ADI_FN(put)(d, mark);
}
/* A user's text inside the quotes of JSON or DOT, or bare on a line: quotes and control characters
   escaped as the format has it, bytes that are not UTF-8 replaced. */
static void ADI_FN(put_text)(ADI_FN(dump) *d, const char *text)
{
    const unsigned char *p = (const unsigned char *)text;
    char piece[8];
    while (*p) {
        const size_t length = adi_utf8_length(p);
        if (*p == '"' || *p == '\\') snprintf(piece, sizeof piece, "\\%c", *p);
        else if (*p == '\n') snprintf(piece, sizeof piece, "\\n");
        else if ((*p < 32 || *p == 127) && d->json)
            snprintf(piece, sizeof piece, "\\u%04x", (unsigned)*p);
        else if (*p < 32 || *p == 127) snprintf(piece, sizeof piece, "?");
        else if (length == 0) snprintf(piece, sizeof piece, "%s", d->json ? "\\ufffd" : "?");
        else snprintf(piece, sizeof piece, "%.*s", (int)length, (const char *)p);
        ADI_FN(put)(d, piece);
        p += length ? length : 1;
    }
}

static int ADI_FN(show_adjoint)(const ADI_FN(dump) *d, size_t k) { return !d->desc->no_values
    && k < d->f->swept; }

/* Marks what to show; returns how many slots that is. */
static size_t ADI_FN(choose)(ADI_FN(dump) *d)
{
    const ADI_FN(full) *f = d->f;
    size_t i, k, total = 0;
    uint32_t local[2], n, j;
    const uint32_t *id;
    for (i = 0; i < d->desc->n_outputs; i++)
        if (d->desc->outputs[i].tape) d->chosen[d->desc->outputs[i].id] |= 3;
    for (k = f->hot.n; k-- > 0;) {
        if (d->desc->n_outputs == 0) d->chosen[k] |= 1;
        if (!(d->chosen[k] & 1)) continue;
        total++;
        n = ADI_FN(shown_operands)(f, k, local, &id);
        for (j = 0; j < n; j++)
            if (!(id[j] & ADI_CONSTANT)) d->chosen[id[j]] |= 5;
    }
    for (i = 0; i < f->n_label; i++) {
        const ADI_FN(label) l = ((const ADI_FN(label) *)f->label.data)[i];
        d->name[l.slot] = (const char *)f->text.data + l.text;
    }
    return total;
}

static void ADI_FN(dot_node)(ADI_FN(dump) *d, size_t k)
{
    const ADI_FN(full) *f = d->f;
    uint32_t local[2], n, i;
    const uint32_t *id;
    n = ADI_FN(shown_operands)(f, k, local, &id);
    ADI_FN(put)(d, "  n");
    ADI_FN(put_count)(d, k);
    ADI_FN(put)(d, " [label=\"");
    if (d->name[k]) {
        ADI_FN(put_text)(d, d->name[k]);
        ADI_FN(put)(d, "\\n");
    }
    ADI_FN(put_text)(d, ADI_FN(operation_name)(f, k));
    for (i = 0; i < n; i++)
        if (id[i] & ADI_CONSTANT) {
            ADI_FN(put)(d, i ? ", " : " ");
            ADI_FN(put_real)(d, ADI_FN(operand_value)(f, id[i]), 6, 0);
        }
    if (!d->desc->no_values) {
        ADI_FN(put)(d, "\\nv = ");
        ADI_FN(put_real)(d, f->hot.value[k], 6, 0);
    }
    if (ADI_FN(show_adjoint)(d, k)) {
        ADI_FN(put)(d, "\\nadj = ");
        ADI_FN(put_real)(d, ((const REAL *)f->adjoint.data)[k], 6, 0);
    }
    ADI_FN(put)(d, "\"");
    if (n == 0) ADI_FN(put)(d, ", shape=ellipse");
    if (d->chosen[k] & 2) ADI_FN(put)(d, ", penwidth=2");
    ADI_FN(put)(d, "];\n");
}

static void ADI_FN(json_node)(ADI_FN(dump) *d, size_t k)
{
    const ADI_FN(full) *f = d->f;
    uint32_t local[2], n, i;
    const uint32_t *id;
    n = ADI_FN(shown_operands)(f, k, local, &id);
    ADI_FN(put)(d, "    {\"slot\": ");
    ADI_FN(put_count)(d, k);
    ADI_FN(put)(d, ", \"op\": \"");
    ADI_FN(put_text)(d, ADI_FN(operation_name)(f, k));
    if (d->name[k]) {
        ADI_FN(put)(d, "\", \"name\": \"");
        ADI_FN(put_text)(d, d->name[k]);
    }
    ADI_FN(put)(d, "\"");
    if (d->chosen[k] & 2) ADI_FN(put)(d, ", \"output\": true");
    if (!d->desc->no_values) {
        ADI_FN(put)(d, ", \"value\": ");
        ADI_FN(put_real)(d, f->hot.value[k], sizeof(REAL) == 8 ? 17 : 9, 1);
    }
    if (ADI_FN(show_adjoint)(d, k)) {
        ADI_FN(put)(d, ", \"adjoint\": ");
        ADI_FN(put_real)(d, ((const REAL *)f->adjoint.data)[k], sizeof(REAL) == 8 ? 17 : 9, 1);
    }
    ADI_FN(put)(d, ", \"operands\": [");
    for (i = 0; i < n; i++) {
        if (i) ADI_FN(put)(d, ", ");
        if (id[i] & ADI_CONSTANT) {
            ADI_FN(put)(d, "{\"constant\": ");
            ADI_FN(put_real)(d, ADI_FN(operand_value)(f, id[i]), sizeof(REAL) == 8 ? 17 : 9, 1);
            ADI_FN(put)(d, "}");
        } else {
            ADI_FN(put_count)(d, id[i]);
        }
    }
    ADI_FN(put)(d, "]}");
}

static void ADI_FN(tree_line)(ADI_FN(dump) *d, size_t k, size_t depth, const char *mark)
{
    size_t i;
    for (i = 0; i < depth; i++) ADI_FN(put)(d, "  ");
    ADI_FN(put)(d, "#");
    ADI_FN(put_count)(d, k);
    ADI_FN(put)(d, " ");
    if (d->name[k]) {
        ADI_FN(put_text)(d, d->name[k]);
        ADI_FN(put)(d, " = ");
    }
    ADI_FN(put_text)(d, ADI_FN(operation_name)(d->f, k));
    if (!d->desc->no_values) {
        ADI_FN(put)(d, "  v=");
        ADI_FN(put_real)(d, d->f->hot.value[k], 9, 0);
    }
    if (ADI_FN(show_adjoint)(d, k)) {
        ADI_FN(put)(d, "  adj=");
        ADI_FN(put_real)(d, ((const REAL *)d->f->adjoint.data)[k], 9, 0);
    }
    ADI_FN(put)(d, mark);
    ADI_FN(put)(d, "\n");
}

/* The tree under one root, depth first with a stack of its own. Beyond ADI_DEEPEST levels a node is
   named and its tree continued at the margin later: stack[] then keeps it at the far end. */
enum { ADI_FN(deepest) = 24 };
static size_t ADI_FN(tree)(ADI_FN(dump) *d, size_t root, uint32_t *later, size_t room)
{
    uint32_t node[ADI_FN(deepest) + 1], at[ADI_FN(deepest) + 1], local[2], n;
    const uint32_t *id;
    size_t depth, waiting = 1, lines = 0;
    later[0] = (uint32_t)root;
    while (waiting && d->status == AD_OK) {
        const uint32_t top = later[--waiting];
        if (d->chosen[top] & 8) continue;
        d->chosen[top] |= 8;
        ADI_FN(tree_line)(d, top, 0, "");
        lines++;
        node[0] = top;
        at[0] = 0;
        depth = 1;
        while (depth > 0) {
            const uint32_t k = node[depth - 1], i = at[depth - 1];
            n = ADI_FN(shown_operands)(d->f, k, local, &id);
            if (i == n) {
                depth--;
                continue;
            }
            at[depth - 1]++;
            if (id[i] & ADI_CONSTANT) {
                size_t s;
                for (s = 0; s < depth; s++) ADI_FN(put)(d, "  ");
                ADI_FN(put_real)(d, ADI_FN(operand_value)(d->f, id[i]), 9, 0);
                ADI_FN(put)(d, "\n");
                continue;
            }
            {
                uint32_t two[2];
                const uint32_t *own;
                const uint32_t c = id[i], leaf = ADI_FN(shown_operands)(d->f, c, two, &own) == 0;
                if (leaf) {
                    ADI_FN(tree_line)(d, c, depth, "");
                } else if (d->chosen[c] & 8) {
                    ADI_FN(tree_line)(d, c, depth, "  ^ shared, expanded elsewhere");
                } else if (lines >= room) {
                    ADI_FN(tree_line)(d, c, depth, "  ... elided");
                } else if (depth == ADI_FN(deepest)) {
                    ADI_FN(tree_line)(d, c, depth, "  > continued at the margin");
                    if (!(d->chosen[c] & 16)) later[waiting++] = c;
                    d->chosen[c] |= 16;
                } else {
                    d->chosen[c] |= 8;
                    ADI_FN(tree_line)(d, c, depth, "");
                    lines++;
                    node[depth] = c;
                    at[depth++] = 0;
                }
            }
        }
    }
    return lines;
}

/* The slots from `first` on, which are `shown` of `total`. */
static void ADI_FN(graph_json)(ADI_FN(dump) *d, size_t first, size_t total, size_t shown)
{
    const char *separator = "";
    size_t k;
    ADI_FN(put)(d, "{\n  \"format\": \"autodiff-graph\", \"version\": 1, \"title\": \"");
    ADI_FN(put_text)(d, d->desc->title ? d->desc->title : "");
    ADI_FN(put)(d, "\",\n  \"total\": ");
    ADI_FN(put_count)(d, total);
    ADI_FN(put)(d, ", \"shown\": ");
    ADI_FN(put_count)(d, shown);
    ADI_FN(put)(d, ", \"elided\": ");
    ADI_FN(put_count)(d, total - shown);
    ADI_FN(put)(d, ",\n  \"nodes\": [\n");
    for (k = first; k < d->f->hot.n; k++)
        if (d->chosen[k] & 1) {
            ADI_FN(put)(d, separator);
            separator = ",\n";
            ADI_FN(json_node)(d, k);
        }
    ADI_FN(put)(d, "\n  ]\n}\n");
}

static void ADI_FN(graph_dot)(ADI_FN(dump) *d, size_t first, size_t total, size_t shown)
{
    uint32_t local[2], n, j;
    const uint32_t *id;
    size_t k;
    ADI_FN(put)(d, "digraph \"");
    ADI_FN(put_text)(d, d->desc->title ? d->desc->title : "tape");
    ADI_FN(put)(d, "\" {\n  rankdir=BT;\n  node [shape=box, fontname=\"Helvetica\"];\n");
    for (k = first; k < d->f->hot.n; k++) {
        if (!(d->chosen[k] & 1)) continue;
        ADI_FN(dot_node)(d, k);
        n = ADI_FN(shown_operands)(d->f, k, local, &id);
        for (j = 0; j < n; j++)
            if (!(id[j] & ADI_CONSTANT) && id[j] >= first) {
                ADI_FN(put)(d, "  n");
                ADI_FN(put_count)(d, id[j]);
                ADI_FN(put)(d, " -> n");
                ADI_FN(put_count)(d, k);
                ADI_FN(put)(d, ";\n");
            }
    }
    if (total > shown) {
        ADI_FN(put)(d, "  elided [shape=plaintext, label=\"");
        ADI_FN(put_count)(d, total - shown);
        ADI_FN(put)(d, " more nodes elided\"];\n");
    }
    ADI_FN(put)(d, "}\n");
}

/* One tree for every output, or for every slot that nobody uses. */
static void ADI_FN(graph_text)(ADI_FN(dump) *d, uint32_t *later, size_t total, size_t room)
{
    size_t k, lines = 0;
    for (k = d->f->hot.n; k-- > 0 && d->status == AD_OK;) {
        const int root = d->desc->n_outputs ? d->chosen[k] & 2 : !(d->chosen[k] & 4);
        if (root && lines < room) lines += ADI_FN(tree)(d, k, later, room - lines);
    }
    if (lines >= room && total > room) {
        ADI_FN(put)(d, "(limit of ");
        ADI_FN(put_count)(d, room);
        ADI_FN(put)(d, " nodes; the graph has ");
        ADI_FN(put_count)(d, total);
        ADI_FN(put)(d, ")\n");
    }
}

AD_DEF ad_status AD_FN(graph_dump)(const AD_FN(tape) *t, ad_graph_format format,
                                   const AD_FN(graph_desc) *desc, ad_write_fn write, void *user)
{
    static const AD_FN(graph_desc) none = { 0, NULL, 0, 0, NULL };
    ADI_FN(dump) d;
    adi_memory memory;
    adi_block chosen, name, later;
    size_t total, room, i, first, shown = 0;
    memset(&d, 0, sizeof d);
    memset(&chosen, 0, sizeof chosen);
    memset(&name, 0, sizeof name);
    memset(&later, 0, sizeof later);
    d.f = ADI_FN(whole_const)(t);
    d.desc = desc ? desc : &none;
    d.write = write;
    d.user = user;
    if (!t || !write || (d.desc->n_outputs && !d.desc->outputs) || format < AD_GRAPH_DOT
        || format > AD_GRAPH_TEXT)
        return AD_ERR_ARGUMENT;
    for (i = 0; i < d.desc->n_outputs; i++) {
        const AD_FN(var) y = d.desc->outputs[i];
        if (!y.tape) continue;
        if (y.tape != t) return AD_ERR_MIXED;
        if (y.epoch != t->epoch || y.id >= t->n) return AD_ERR_STALE;
    }
    memory = d.f->memory;               /* a copy: a fixed buffer's rest is only borrowed */
    if (adi_block_resize(&memory, &chosen, (size_t)t->n + 1)
        || adi_block_resize(&memory, &name, ((size_t)t->n + 1) * sizeof(char *))
        || adi_block_resize(&memory, &later, ((size_t)t->n + 1) * sizeof(uint32_t))) {
        adi_block_free(&memory, &chosen);
        adi_block_free(&memory, &name);
        return memory.buffer ? AD_ERR_LIMIT : AD_ERR_MEMORY;
    }
    memset(chosen.data, 0, (size_t)t->n + 1);
    memset(name.data, 0, ((size_t)t->n + 1) * sizeof(char *));
    d.chosen = (unsigned char *)chosen.data;
    d.name = (const char **)name.data;
    total = ADI_FN(choose)(&d);
    d.json = format == AD_GRAPH_JSON;
    room = d.desc->max_nodes ? d.desc->max_nodes : 10000;
    /* the last ones */
    for (first = t->n; first > 0 && shown < room; first--) shown += d.chosen[first - 1] & 1;

    if (format == AD_GRAPH_JSON) ADI_FN(graph_json)(&d, first, total, shown);
    else if (format == AD_GRAPH_DOT) ADI_FN(graph_dot)(&d, first, total, shown);
    else ADI_FN(graph_text)(&d, (uint32_t *)later.data, total, room);
    ADI_FN(flush)(&d);
    adi_block_free(&memory, &later);
    adi_block_free(&memory, &name);
    adi_block_free(&memory, &chosen);
    return d.status;
}
#else
AD_DEF ad_status AD_FN(graph_dump)(const AD_FN(tape) *t, ad_graph_format format,
    const AD_FN(graph_desc) *desc, ad_write_fn write, void *user)
{
    (void)t;
    (void)format;
    (void)desc;
    (void)write;
    (void)user;
    return AD_ERR_UNSUPPORTED;
}
#endif /* AUTODIFF_GRAPH */

#ifdef __cplusplus
}   /* extern "C" */
#endif
#endif

/* ------------------------------------------------------- sub-pass 5: the table in one number
   system */
#if defined(ADI_SUBPASS) && ADI_SUBPASS == 5
/* Parameters: ADI_NUMBER the type, ADI_SYSTEM(name) names, ADI_WORD(w) its words, ADI_AT(slot) a
   slot's value, ADI_WANTED(id) whether anybody asks for that operand's partial. */
static ADI_NUMBER ADI_SYSTEM(operand)(ADI_FN(full) *f, uint32_t id)
{
    return id & ADI_CONSTANT ? ADI_WORD(num)((double)f->hot.constant[id & ~ADI_CONSTANT])
        : ADI_AT(id);
}

static void ADI_SYSTEM(linear)(ADI_FN(full) *f, size_t k, ADI_NUMBER *p)
{
    const uint64_t w = f->hot.code[k];
    const uint32_t a = (uint32_t)(w >> 8) & ADI_OPERAND, b = (uint32_t)(w >> 36);
    switch (w & 255) {
#define ADI_X1(name, class_, value_, dx)                                                           \
    case ADI_OP_##name: {                                                                          \
        const ADI_NUMBER x = ADI_AT(a), r = ADI_AT(k);                                             \
        (void)x; (void)r;                                                                          \
        p[0] = dx;                                                                                 \
    } break;
#define ADI_X2(name, class_, value_, dx, dy)                                                       \
    case ADI_OP_##name: {                                                                          \
        const ADI_NUMBER x = ADI_AT(a), y = ADI_AT(b), r = ADI_AT(k);                              \
        (void)x; (void)y; (void)r;                                                                 \
        if (ADI_WANTED(a)) p[0] = dx;                                                              \
        if (ADI_WANTED(b)) p[1] = dy;                                                              \
    } break;                                                                                       \
    case ADI_OP_##name##_vc: {                                                                     \
        const ADI_NUMBER x = ADI_AT(a), y = ADI_WORD(num)((double)f->hot.constant[b]),             \
            r = ADI_AT(k);                                                                         \
        (void)x; (void)y; (void)r;                                                                 \
        p[0] = dx;                                                                                 \
    } break;                                                                                       \
    case ADI_OP_##name##_cv: {                                                                     \
        const ADI_NUMBER x = ADI_WORD(num)((double)f->hot.constant[a]), y = ADI_AT(b),             \
            r = ADI_AT(k);                                                                         \
        (void)x; (void)y; (void)r;                                                                 \
        p[1] = dy;                                                                                 \
    } break;
#define ADI_X3(name, class_, value_, dx, dy, dz)                                                   \
    case ADI_OP_##name: {                                                                          \
        const uint32_t *l = ADI_FN(list_at)(f, (size_t)(w >> 8));                                  \
        const uint32_t i = l[0], j = l[1], h = l[2];                                               \
        const ADI_NUMBER x = ADI_SYSTEM(operand)(f, i), y = ADI_SYSTEM(operand)(f, j);             \
        const ADI_NUMBER z = ADI_SYSTEM(operand)(f, h), r = ADI_AT(k);                             \
        (void)x; (void)y; (void)z; (void)r;                                                        \
        if (!(i & ADI_CONSTANT) && ADI_WANTED(i)) p[0] = dx;                                       \
        if (!(j & ADI_CONSTANT) && ADI_WANTED(j)) p[1] = dy;                                       \
        if (!(h & ADI_CONSTANT) && ADI_WANTED(h)) p[2] = dz;                                       \
    } break;
/* In a list the partner of x is half a list away; c and the polynomial are in the pool. */
#define ADI_XN(name, partial)                                                                      \
    case ADI_OP_##name: {                                                                          \
        const size_t at = (size_t)(w >> 8);                                                        \
        const uint32_t count = ADI_FN(list_at)(f, at)[ADI_HEAD_COUNT];                             \
        const uint32_t pool = ADI_FN(list_at)(f, at)[ADI_HEAD_CONSTANTS];                          \
        const size_t n = ADI_FN(list_at)(f, at)[ADI_HEAD_A];                                       \
        const size_t d = (size_t)ADI_FN(list_at)(f, at)[ADI_HEAD_B] + 1;                           \
        uint32_t i;                                                                                \
        for (i = 0; i < count; i++) {                                                              \
            const uint32_t *id = ADI_FN(list_at)(f, at) + ADI_HEAD;                                \
            const uint32_t me = id[i], partner = id[(i + count / 2) % count];                      \
            if (!(me & ADI_CONSTANT) && ADI_WANTED(me)) {                                          \
                const REAL *k_ = pool == ADI_NO_ENTRY ? NULL : f->hot.constant + pool;             \
                const ADI_NUMBER x = ADI_SYSTEM(operand)(f, me),                                   \
                    y = ADI_SYSTEM(operand)(f, partner);                                           \
                const ADI_NUMBER r = ADI_AT(k),                                                    \
                    c = ADI_WORD(num)(k_ && n == 0 ? (double)k_[i] : 0.0);                         \
                (void)x; (void)y; (void)r; (void)c; (void)k_;                                      \
                p[i] = partial;                                                                    \
            }                                                                                      \
        }                                                                                          \
        (void)n; (void)d;                                                                          \
    } break;
    ADI_READ((ADI_X1, ADI_X2, ADI_X3, ADI_XN, ADI_WORDS(ADI_WORD)))
#undef ADI_X1
#undef ADI_X2
#undef ADI_X3
#undef ADI_XN
    default: break;
    }
}
#undef ADI_NUMBER
#undef ADI_SYSTEM
#undef ADI_WORD
#undef ADI_AT
#undef ADI_WANTED
#endif

/* A pass ends by undefining its parameters. */
#if defined(ADI_SUBPASS)
#undef ADI_SUBPASS
#elif defined(ADI_PASS)
#undef ADI_PASS
#undef REAL
#undef AD_FN
#undef ADI_FN
#undef ADI_LIBM
#undef ADI_LGAMMA_R
#undef ADI_TINY
#undef ADI_BITS
#endif

/* ============================================================ [S21] LICENCE AND HISTORY
   Your choice of two licences.                                                           needs: -

   A. MIT. Copyright (c) 2026 the authors of autodiff.h. Permission is hereby granted, free of
   charge, to any person obtaining a copy of this software and associated documentation files (the
   "Software"), to deal in the Software without restriction, including without limitation the
   rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the
   Software, and to permit persons to whom the Software is furnished to do so, subject to the
   following conditions: The above copyright notice and this permission notice shall be included
   in all copies or substantial portions of the Software. THE SOFTWARE IS PROVIDED "AS IS",
   WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES
   OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
   AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN
   ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE
   OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.

   B. Public domain (www.unlicense.org). This is free and unencumbered software released into the
   public domain. Anyone is free to copy, modify, publish, use, compile, sell, or distribute this
   software, either in source code form or as a compiled binary, for any purpose, commercial or
   non-commercial, and by any means. In jurisdictions that recognize copyright laws, the authors
   dedicate any and all copyright interest in the software to the public domain. THE SOFTWARE IS
   PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, as above.

   0.1.0  The rule table, duals, the tape, drivers, graph dump; double and float; C and C++.
   */
