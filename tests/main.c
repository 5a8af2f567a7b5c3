/* The test runner: every suite, or those named on the command line; --list prints their names. The
   longest come first, so that two jobs end together. */
#include <stdarg.h>
#include <stdlib.h>
#include "test.h"

#define SUITES(X) X(arrays) X(conv) X(verdicts) X(packs) X(fn) X(kernels) X(check) X(parse)      \
    X(learn) X(tape) X(graph) X(errors) X(user) X(rules)
#define X(name) void suite_##name(void);
SUITES(X)
#undef X

static int passed, failed;

int test_check(int ok, const char *file, int line, const char *format, ...)
{
    if (ok) {
        passed++;
        return 1;
    }
    failed++;
    if (failed <= 200) {
        va_list arguments;
        fprintf(stderr, "%s:%d: FAILED: ", file, line);
        va_start(arguments, format);
        vfprintf(stderr, format, arguments);
        va_end(arguments);
        fputc('\n', stderr);
    }
    return 0;
}

int test_near(double a, double b, double tolerance)
{
    const double size = b < 0 ? -b : b;
    if (a != a || b != b) return a != a && b != b;
    if (a == b) return 1;
    if (a - a != 0 || b - b != 0) return 0;
    return (a < b ? b - a : a - b) <= tolerance * (size > 1 ? size : 1);
}

int test_stride(void)
{
    const char *const every = getenv("AD_TEST_STRIDE");
    return every && atoi(every) > 1 ? atoi(every) : 1;
}

int main(int argc, char **argv)
{
    static const struct { const char *name; void (*run)(void); } suite[] = {
#define X(name) { #name, suite_##name },
        SUITES(X)
#undef X
    };
    size_t i;
    int a;
    for (i = 0; argc == 2 && strcmp(argv[1], "--list") == 0; i++) {
        if (i == sizeof suite / sizeof suite[0]) return 0;
        puts(suite[i].name);
    }
    for (i = 0; i < sizeof suite / sizeof suite[0]; i++) {
        const int before_passed = passed, before_failed = failed;
        int wanted = argc < 2;
        for (a = 1; a < argc; a++) wanted |= strcmp(argv[a], suite[i].name) == 0;
        if (!wanted) continue;
        suite[i].run();
        printf("%-12s %7d passed %5d failed\n", suite[i].name, passed - before_passed,
            failed - before_failed);
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0 || passed == 0;
}
