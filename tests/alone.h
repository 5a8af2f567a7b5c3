/* Checks for test programs with a main of their own: C and C++, no link with the test runner. */
#ifndef ALONE_H
#define ALONE_H
#if defined(__GNUC__)
#define TEST_DEF static __attribute__((unused))
#else
#define TEST_DEF static
#endif
#include "test.h"
#include "counts.h"

#define NEAR CHECK_NEAR
/* the same with a word about which case it is */
#define NEAR_AS(what, a, b, tolerance) test_check(test_near((double)(a), (double)(b),              \
    (tolerance)),                                                                                  \
    __FILE__, __LINE__, "%s: %s is %.17g, not %s = %.17g", what, #a, (double)(a), #b, (double)(b))
#endif
