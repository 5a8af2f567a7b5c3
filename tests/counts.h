/* What counts the checks of test.h: in the test runner, or in a program of its own (alone.h). */
#include <stdarg.h>
#include <stdlib.h>

static int test_passed, test_failed;

TEST_DEF int test_check(int ok, const char *file, int line, const char *format, ...)
{
    va_list arguments;
    if (ok) {
        test_passed++;
        return 1;
    }
    test_failed++;
    if (test_failed > 200) return 0;
    fprintf(stderr, "%s:%d: FAILED: ", file, line);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    if (getenv("AD_TEST_FIRST")) exit(1);      /* mutate.py: one is enough */
    return 0;
}

TEST_DEF int test_near(double a, double b, double tolerance)
{
    const double size = b < 0 ? -b : b;
    if (a != a || b != b) return a != a && b != b;
    if (a == b) return 1;
    if (a - a != 0 || b - b != 0) return 0;
    return (a < b ? b - a : a - b) <= tolerance * (size > 1 ? size : 1);
}

/* The closing line, and main's result. */
static int test_finish(void)
{
    printf("%d passed, %d failed\n", test_passed, test_failed);
    return test_failed != 0 || test_passed == 0;
}
/* The environment's number of a name: one in so many is looked at. */
TEST_DEF int test_every(const char *name)
{
    const char *const every = getenv(name);
    return every && atoi(every) > 1 ? atoi(every) : 1;
}
TEST_DEF int test_stride(void)
{
    return test_every("AD_TEST_STRIDE");
}
TEST_DEF int test_in_type(size_t bytes)
{
    return bytes == sizeof(float) || test_stride() == 1;
}
TEST_DEF int test_step(void)
{
    return 1 + test_stride() / 3;
}
