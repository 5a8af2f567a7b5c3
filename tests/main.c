/* The test runner: every suite, or those named on the command line. */
#include "test.h"
#include "counts.h"

#ifndef SUITES
#define SUITES(X) X(rules) X(tape) X(errors) X(user) X(graph) X(check) X(verdicts) X(kernels)      \
    X(parse) X(fn) X(conv) X(arrays) X(learn) X(packs)
#endif
#define X(name) void suite_##name(void);
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
