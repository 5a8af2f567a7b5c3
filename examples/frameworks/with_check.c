/* A gradient check as a test of Check.
   Build: cc with_check.c -o with_check $(pkg-config --cflags --libs check) -lm
   Reports for CI: CK_TAP_LOG_FILE_NAME=FILE or CK_XML_LOG_FILE_NAME=FILE */
#include <check.h>
#include "model.h"

START_TEST(gradient_is_right)
{
    const double x[2] = { -1.2, 1.0 };
    ad_check_result r;
    ad_check_gradient(rosenbrock, rosenbrock_gradient, x, 2, NULL, NULL, &r);
    ck_assert_msg(ad_check_ok(r.verdict), "%s", r.message);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("model");
    TCase *group = tcase_create("gradients");
    SRunner *runner = srunner_create(suite);
    int failed;
    tcase_add_test(group, gradient_is_right);
    suite_add_tcase(suite, group);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
