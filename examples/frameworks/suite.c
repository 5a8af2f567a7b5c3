/* Several gradient checks as one suite, which needs no framework: its exit code is read by CTest
Automake, its TAP by Meson and prove, its JUnit by GitLab and Jenkins.
   Build: cc suite.c -o suite -lm
   Run:   ./suite    or AD_CHECK_FORMAT=tap ./suite
          or AD_CHECK_FORMAT=junit AD_CHECK_OUTPUT=suite.xml ./suite */
#include "model.h"

int main(void)
{
    const double start[2] = { -1.2, 1.0 }, valley[2] = { 0.5, 0.25 }, minimum[2] = { 1.0, 1.0 };
    ad_check_suite *s = ad_check_suite_create("rosenbrock");
    AD_CHECK_GRADIENT(s, rosenbrock, rosenbrock_gradient, start, 2, NULL);
    AD_CHECK_RUN(s, "in the valley", NULL, ad_check_gradient, rosenbrock, rosenbrock_gradient,
                 valley, 2, NULL);
    AD_CHECK_RUN(s, "at the minimum", NULL, ad_check_gradient, rosenbrock, rosenbrock_gradient,
                 minimum, 2, NULL);
    return ad_check_suite_finish(s);
}
