/* The test runner: every suite, or those named on the command line; --list prints their names. The
   longest come first, so that two jobs end together. */
#include "test.h"
#include "counts.h"

#ifndef SUITES
#define SUITES(X) X(arrays) X(conv) X(verdicts) X(packs) X(programs) X(fn) X(kernels) X(check)   \
    X(parse) X(learn) X(tape) X(graph) X(errors) X(user) X(rules) X(twins) X(sparse) X(repeat) \
    X(linear) X(root) X(call) X(loops) X(algebra) X(native) X(cache) X(hot) X(expr)
#endif
#define X(name) TEST_DEF void suite_##name(void);
SUITES(X)
#undef X

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
        const int before_passed = test_passed, before_failed = test_failed;
        int wanted = argc < 2;
        for (a = 1; a < argc; a++) wanted |= strcmp(argv[a], suite[i].name) == 0;
        if (!wanted) continue;
        suite[i].run();
        printf("%-12s %7d passed %5d failed\n", suite[i].name, test_passed - before_passed,
            test_failed - before_failed);
    }
    return test_finish();
}
