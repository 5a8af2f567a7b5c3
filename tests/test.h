/* A check that can fail, and says how it failed. */
#ifndef TEST_H
#define TEST_H
#include <stdio.h>
#include <string.h>
#include "../autodiff.h"

#ifndef TEST_DEF
#ifdef __cplusplus
#define TEST_DEF extern "C"
#else
#define TEST_DEF extern
#endif
#endif
/* Counts one check; prints the place and the message when it failed. Returns ok. */
TEST_DEF int test_check(int ok, const char *file, int line, const char *format, ...);
/* |a - b| <= tolerance * max(1, |b|); NaN equals NaN alone, an infinity itself alone. */
TEST_DEF int test_near(double a, double b, double tolerance);
/* AD_TEST_STRIDE, a prime, in the environment: of random samples every so many alone. Else 1. */
TEST_DEF int test_stride(void);
/* Whether what has one text for both types is looked at in the type of so many bytes: where samples
   are left out, in float alone. */
TEST_DEF int test_in_type(size_t bytes);
/* As test_stride, of what is no sample, such as each allocation that may fail: leaves fewer out. */
TEST_DEF int test_step(void);

#define CHECK(c) test_check(!!(c), __FILE__, __LINE__, "%s", #c)
#define CHECK_NEAR(a, b, tolerance)                                                                \
    test_check(test_near((double)(a), (double)(b), (double)(tolerance)),                           \
    __FILE__, __LINE__, "%s is %.17g, not %s = %.17g", #a, (double)(a), #b, (double)(b))
#define CHECK_STATUS(call, expected) do { const ad_status s_ = (call);                             \
    test_check(s_ == (expected),                                                                   \
    __FILE__, __LINE__, "%s gave %s, not %s", #call, ad_status_name(s_), #expected); } while (0)
#define CHECK_STRING(a, b) test_check(strcmp((a), (b)) == 0, __FILE__, __LINE__,                   \
    "%s is \"%s\", not \"%s\"", #a, (a), (b))
#endif
