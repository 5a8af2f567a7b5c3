/* Kinds of numbers. The problems beside this file are written once, in the words below, and read
   with each kind: as plain C, over duals, recorded on a tape, and in C++ over the classes of other
   libraries. So whatever is compared is the same text.

   One of these is defined before texts.h is included, which undefines it again:
       NUMBERS_PLAIN    double
       NUMBERS_DUAL     DUAL(_op) is a dual type's operation, as in ad_dual8##_op
       NUMBERS_TAPE     variables of a tape; data are plain numbers
       NUMBERS_FN       variables, also the data: a function of one point, to be compiled and
                        mapped. REAL, A(name) (ad_##name or adf_##name) and S(name), the suffix
                        of what it defines, may be given: float
       NUMBERS_CXX      C++: templates over a class N with the usual operators

   N            a number that derivatives are taken of
   D            data: a plain number, but for NUMBERS_FN
   R            constants in the text
   P(name)      what the text is called with this kind of numbers
   TEXT         stands before every function
   ADD SUB MUL DIV NEG SQUARE SQRT EXP LOG SIN COS TANH ERFC SIGMOID
   SOFTPLUS     of N
   SELECT_LT(x, r, a, b)    x < r ? a : b, where both ways are computed
   ADD_R MUL_R SUB_R R_SUB R_DIV         one operand is a constant; the letters say which
   ADD_D MUL_D SUB_D D_SUB               one operand is data
   VALUE(x)     its value as a plain number
   CONST(r)     a constant as N
   LOG_SUM_EXP(n, a)     log of the sum of exp(a[i])
   ROOM(name, count), ROOM_END(name)     an array of N for a while, uninitialised */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#if defined(NUMBERS_CXX) || defined(NUMBERS_PLAIN)      /* operators and <math.h>'s names */
#define R double
#define D double
#define ADD(a, b) ((a) + (b))
#define SUB(a, b) ((a) - (b))
#define MUL(a, b) ((a) * (b))
#define DIV(a, b) ((a) / (b))
#define NEG(a)    (-(a))
#define SQUARE(a) numbers_square(a)
#define SQRT(a)   sqrt(a)
#define EXP(a)    exp(a)
#define LOG(a)    log(a)
#define SIN(a)    sin(a)
#define COS(a)    cos(a)
#define TANH(a)   tanh(a)
#define ERFC(a)   erfc(a)
#define ADD_R(a, r) ((a) + (double)(r))
#define MUL_R(a, r) ((a) * (double)(r))
#define SUB_R(a, r) ((a) - (double)(r))
#define R_SUB(r, a) ((double)(r) - (a))
#define R_DIV(r, a) ((double)(r) / (a))
#define ADD_D ADD
#define MUL_D MUL
#define SUB_D SUB
#define D_SUB SUB
#if defined(NUMBERS_PLAIN)
#define N double
#define P(name) name##_plain
#define TEXT static inline
#define SIGMOID(a) (1 / (1 + exp(-(a))))
#define SOFTPLUS(a) numbers_softplus(a)
#define VALUE(x) (x)
#define CONST(r) ((double)(r))
#define SELECT_LT(x, r, a, b) ((x) < (r) ? (a) : (b))
static inline double numbers_square(double a) { return a * a; }
static inline double numbers_softplus(double a)
{
    return (a > 0 ? a : 0) + log1p(exp(-fabs(a)));
}
#else
#define N N
#define P(name) name
#define TEXT template <class N> static
#define SIGMOID(a) numbers_sigmoid<N>(a)
#define SOFTPLUS(a) numbers_softplus<N>(a)
#define VALUE(x) numbers_value(x)
#define CONST(r) numbers_const<N>::of(r)
#define SELECT_LT(x, r, a, b) (numbers_value(x) < (r) ? N(a) : N(b))
#define ROOM(name, count) std::vector<N> name##_room(count); N *const name = name##_room.data()
#define ROOM_END(name)    ((void)name##_room)
#ifndef NUMBERS_ONCE
#define NUMBERS_ONCE
#include <cmath>
#include <vector>
/* A constant; a peer specialises it where its class is not made of a plain number. */
template <class N> struct numbers_const { static N of(double r) { return N(r); } };
/* Of a number or an expression of numbers, and what the library makes of it. */
template <class E> static inline decltype(auto) numbers_square(const E &a) { return a * a; }
template <class N> static inline N numbers_sigmoid(const N &a) { return 1.0 / (1.0 + exp(-a)); }
/* The libraries have no softplus: as a user writes it, with a look at the sign. */
template <class N> static inline N numbers_softplus(const N &a)
{
    if (numbers_value(a) > 0) return a + log(1.0 + exp(-a));
    return log(1.0 + exp(a));
}
#endif
#endif
#else
#define TEXT static inline
#if defined(NUMBERS_DUAL)
#define N DUAL()
#define R double
#define D double
#define P(name) DUAL(_text_##name)
#define OP(name) DUAL(_##name)
#define CONST(r) OP(num)(r)
#define SELECT_LT(x, r, a, b) OP(select)(OP(num)((x).v < (r)), a, b)
#else
#if !defined(A)
#define A(name) ad_##name
#endif
#if !defined(REAL)
#define REAL double
#endif
#define N A(var)
#define R REAL
#define OP(name) A(var_##name)
#define CONST(r) A(const)(r)
#define SELECT_LT(x, r, a, b) OP(select)(OP(lt_r)(x, r), a, b)
#if defined(NUMBERS_FN)
#define D N
#define P(name) S(name)
#else
#define D double
#define P(name) name##_tape
#endif
#endif
#define ADD(a, b) OP(add)(a, b)
#define SUB(a, b) OP(sub)(a, b)
#define MUL(a, b) OP(mul)(a, b)
#define DIV(a, b) OP(div)(a, b)
#define NEG(a)    OP(neg)(a)
#define SQUARE(a) OP(square)(a)
#define SQRT(a)   OP(sqrt)(a)
#define EXP(a)    OP(exp)(a)
#define LOG(a)    OP(log)(a)
#define SIN(a)    OP(sin)(a)
#define COS(a)    OP(cos)(a)
#define TANH(a)   OP(tanh)(a)
#define ERFC(a)   OP(erfc)(a)
#define SIGMOID(a) OP(sigmoid)(a)
#define SOFTPLUS(a) OP(softplus)(a)
#define ADD_R(a, r) OP(add_r)(a, (R)(r))
#define MUL_R(a, r) OP(mul_r)(a, (R)(r))
#define SUB_R(a, r) OP(add_r)(a, -(R)(r))
#define R_SUB(r, a) OP(sub_from_r)((R)(r), a)
#define R_DIV(r, a) OP(div_from_r)((R)(r), a)
#if defined(NUMBERS_FN)
#define ADD_D ADD
#define MUL_D MUL
#define SUB_D SUB
#define D_SUB SUB
#else
#define ADD_D ADD_R
#define MUL_D MUL_R
#define SUB_D SUB_R
#define D_SUB R_SUB
#endif
#define VALUE(x) ((x).v)
#endif
#ifndef ROOM
#define ROOM(name, count) N *const name = (N *)malloc(((count) + 1) * sizeof(N))
#define ROOM_END(name)    free(name)
#endif

/* The greatest is taken out as a plain number: the derivative does not change with it. A compiled
   function must do without a look at values. */
#if defined(NUMBERS_FN)
#define LOG_SUM_EXP(n, a) OP(logsumexp)(n, a)
#else
#define LOG_SUM_EXP(n, a) P(log_sum_exp)(n, a)
TEXT N P(log_sum_exp)(size_t n, const N *a)
{
    double most = VALUE(a[0]);
    size_t i;
    N s = CONST(0);
    for (i = 1; i < n; i++) most = VALUE(a[i]) > most ? VALUE(a[i]) : most;
    for (i = 0; i < n; i++) s = ADD(s, EXP(SUB_R(a[i], most)));
    return ADD_R(LOG(s), most);
}
#endif
