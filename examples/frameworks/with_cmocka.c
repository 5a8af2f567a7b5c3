/* A gradient check as a test of cmocka.
   Build: cc with_cmocka.c -o with_cmocka $(pkg-config --cflags --libs cmocka) -lm
   Reports for CI: CMOCKA_MESSAGE_OUTPUT=TAP or XML */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "model.h"

static void gradient_is_right(void **state)
{
    const double x[2] = { -1.2, 1.0 };
    ad_check_result r;
    (void)state;
    if (!ad_check_ok(ad_check_gradient(rosenbrock, rosenbrock_gradient, x, 2, NULL, NULL, &r)))
        fail_msg("%s", r.message);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(gradient_is_right) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
