/* A gradient check as a plain assertion: no framework.
   Build: cc plain_assert.c -o plain_assert -lm */
#undef NDEBUG               /* a release build would check nothing */
#include <assert.h>
#include <stdio.h>
#include "model.h"

int main(void)
{
    const double x[2] = { -1.2, 1.0 };
    ad_check_result r;
    ad_check_gradient(rosenbrock, rosenbrock_gradient, x, 2, NULL, NULL, &r);
    puts(r.message);
    fflush(stdout);         /* abort() need not */
    AD_CHECK_ASSERT_OK(r.verdict);
    return 0;
}
