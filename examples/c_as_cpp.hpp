/* A file of C, as it stands, on another type of number, by a C++ compiler alone:

       #include "c_as_cpp.hpp"
       #define double ad_dual8             // or ad_dual, ad_dual2, ad_var; float: adf_dual8 ...
       #include "model.c"
       #undef double

   What must hold: README.md, "Your C as it stands". Here is what C has and C++ has not for such
   numbers: printf of values, malloc without a cast, x++, !x, and functions of <math.h> that no rule
   is for. Headers of the system come first: in them a double stays one. */
#ifndef C_AS_CPP_HPP
#define C_AS_CPP_HPP
#include "autodiff.h"
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

template <class T> struct c_number {};
#define C_NUMBER(T) template <> struct c_number<T> { typedef T type; };
C_NUMBER(ad_var) C_NUMBER(ad_dual) C_NUMBER(ad_dual4) C_NUMBER(ad_dual8) C_NUMBER(ad_dual2)
C_NUMBER(adf_var) C_NUMBER(adf_dual) C_NUMBER(adf_dual4) C_NUMBER(adf_dual8) C_NUMBER(adf_dual2)
#undef C_NUMBER
#define C_OF_NUMBERS(result) template <class T> inline typename c_number<T>::type result

/* What is printed is the value: through `...` a struct would go as it is. */
C_OF_NUMBERS(*c_one_of)(const T &);
template <class T> inline double c_plain(const T &x, decltype(c_one_of(x))) { return x.v; }
template <class T> inline T c_plain(T x, ...) { return x; }
template <class... A> inline int c_printf(const char *format, A... a)
{
    return printf(format, c_plain(a, 0)...);
}
template <class... A> inline int c_fprintf(FILE *file, const char *format, A... a)
{
    return fprintf(file, format, c_plain(a, 0)...);
}
template <class... A> inline int c_snprintf(char *s, size_t size, const char *format, A... a)
{
    return snprintf(s, size, format, c_plain(a, 0)...);
}
template <class... A> inline int c_sprintf(char *s, const char *format, A... a)
{
    return sprintf(s, format, c_plain(a, 0)...);
}
#define printf   c_printf
#define sprintf  c_sprintf
#define fprintf  c_fprintf
#define snprintf c_snprintf

/* Memory that is of the type it is assigned to, as in C. */
struct c_memory {
    void *at;
    template <class T> operator T *() const { return static_cast<T *>(at); }
    bool operator!() const { return !at; }
};
inline c_memory c_malloc(size_t size) { c_memory m = { malloc(size) }; return m; }
inline c_memory c_calloc(size_t n, size_t size) { c_memory m = { calloc(n, size) }; return m; }
inline c_memory c_realloc(void *p, size_t size) { c_memory m = { realloc(p, size) }; return m; }
#define malloc  c_malloc
#define calloc  c_calloc
#define realloc c_realloc

C_OF_NUMBERS(&operator++)(T &x) { return x = x + 1; }
C_OF_NUMBERS(&operator--)(T &x) { return x = x - 1; }
C_OF_NUMBERS(operator++)(T &x, int) { const T was = x; x = x + 1; return was; }
C_OF_NUMBERS(operator--)(T &x, int) { const T was = x; x = x - 1; return was; }
template <class T> inline auto operator!(const T &x) -> decltype(c_one_of(x), true)
{
    return x == 0;
}
template <class X, class Y>
inline auto fdim(const X &x, const Y &y) -> decltype(c_one_of(x + y), x + y)
{
    typedef decltype(x + y) T;
    return x > y ? x - y : x <= y ? T(0) : x + y;
}
/* By factors that a float has, the smaller one first: what leaves the range does so in the last. */
C_OF_NUMBERS(ldexp)(const T &x, int e)
{
    T y = x*exp2((double)(e % 100));
    for (int i = abs(e / 100) < 30 ? abs(e / 100) : 30; i > 0; i--)
        y = y*exp2(e < 0 ? -100.0 : 100.0);
    return y;
}
C_OF_NUMBERS(rint)(const T &x)
{
    return fabs(x - trunc(x)) == 0.5 ? 2*round(x/2) : round(x);
}
C_OF_NUMBERS(modf)(const T &x, T *whole)
{
    *whole = trunc(x);
    return copysign(isinf(x) ? T(0) : x - *whole, x);
}

/* Macros of C that tell one kind of number from another. */
#define C_CLASS(name, result)                                                                      \
    template <class T> inline auto name(const T &x) -> decltype(c_one_of(x), result())             \
    {                                                                                              \
        return std::name(x.v);                                                                     \
    }
#define C_ORDER(name, yes)                                                                         \
    template <class X, class Y>                                                                    \
    inline auto name(const X &x, const Y &y) -> decltype(c_one_of(x + y), true)                    \
    {                                                                                              \
        return yes;                                                                                \
    }
C_CLASS(signbit, bool) C_CLASS(isnormal, bool) C_CLASS(fpclassify, int)
C_ORDER(isgreater, x > y) C_ORDER(isgreaterequal, x >= y) C_ORDER(isless, x < y)
C_ORDER(islessequal, x <= y) C_ORDER(islessgreater, x < y || x > y)
C_ORDER(isunordered, !(x < y || x >= y))

/* Functions as floats have them. */
#define C_FLOAT(name)                                                                              \
    template <class X> inline auto name##f(const X &x) -> decltype(c_one_of(x), x + x)             \
    {                                                                                              \
        return name(x);                                                                            \
    }
#define C_FLOAT2(name)                                                                             \
    template <class X, class Y>                                                                    \
    inline auto name##f(const X &x, const Y &y) -> decltype(c_one_of(x + y), x + y)                \
    {                                                                                              \
        return name(x, y);                                                                         \
    }
C_FLOAT(fabs) C_FLOAT(sqrt) C_FLOAT(cbrt) C_FLOAT(exp) C_FLOAT(exp2) C_FLOAT(expm1) C_FLOAT(log)
C_FLOAT(log2) C_FLOAT(log10) C_FLOAT(log1p) C_FLOAT(sin) C_FLOAT(cos) C_FLOAT(tan) C_FLOAT(asin)
C_FLOAT(acos) C_FLOAT(atan) C_FLOAT(sinh) C_FLOAT(cosh) C_FLOAT(tanh) C_FLOAT(asinh)
C_FLOAT(acosh) C_FLOAT(atanh) C_FLOAT(erf) C_FLOAT(erfc) C_FLOAT(lgamma) C_FLOAT(floor)
C_FLOAT(ceil) C_FLOAT(round) C_FLOAT(trunc)
C_FLOAT2(pow) C_FLOAT2(atan2) C_FLOAT2(hypot) C_FLOAT2(fmod) C_FLOAT2(copysign) C_FLOAT2(fmin)
C_FLOAT2(fmax)
#undef C_FLOAT
#undef C_FLOAT2
#undef C_CLASS
#undef C_ORDER
#undef C_OF_NUMBERS
#endif
