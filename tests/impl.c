/* The library's implementation, once, for all test suites. AD_TEST_BEST in the environment is a
   number of ad_simd: no better instruction set is then said to be here (check_simd.sh). Invariants
   are asserted, but for benchmarks, which say NDEBUG. */
#include <stdio.h>
#include <stdlib.h>
#if !defined(NDEBUG) && !defined(AUTODIFF_ASSERT)
#include <assert.h>
#define AUTODIFF_ASSERT(condition) assert(condition)
#endif
#define AUTODIFF_GRAPH
#define AUTODIFF_CHECK
#if !defined(AUTODIFF_NATIVE_AFTER)
#define AUTODIFF_NATIVE_AFTER 2      /* the first evaluation is interpreted, the others are not */
#endif
#if !defined(AUTODIFF_SIMD)
static int impl_best(void)
{
    const char *const best = getenv("AD_TEST_BEST");
    return best ? atoi(best) : 0;
}
#define AUTODIFF_SIMD ((ad_simd)impl_best())
#endif
#define AUTODIFF_IMPLEMENTATION
#include "../autodiff.h"
