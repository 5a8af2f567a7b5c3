/* Checks for test programs with a main of their own: C and C++, no link with the test runner. */
#ifndef ALONE_H
#define ALONE_H
#include <stdarg.h>
#include <stdio.h>

static int alone_passed, alone_failed;

static int alone_check(int ok, const char *file, int line, const char *format, ...)
{
    va_list arguments;
    if (ok) {
        alone_passed++;
        return 1;
    }
    alone_failed++;
    if (alone_failed > 100) return 0;
    fprintf(stderr, "%s:%d: FAILED: ", file, line);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return 0;
}

/* |a - b| <= tolerance * max(1, |b|); NaN equals NaN alone, an infinity itself alone. */
static int alone_near(double a, double b, double tolerance)
{
    const double size = b < 0 ? -b : b;
    if (a != a || b != b) return a != a && b != b;
    if (a == b) return 1;
    if (a - a != 0 || b - b != 0) return 0;
    return (a < b ? b - a : a - b) <= tolerance * (size > 1 ? size : 1);
}

static int alone_finish(void)
{
    printf("%d passed, %d failed\n", alone_passed, alone_failed);
    return alone_failed != 0 || alone_passed == 0;
}

#define CHECK(c) alone_check(!!(c), __FILE__, __LINE__, "%s", #c)
/* Two macros, not one on the other: an argument that is a macro would be told expanded,
    at length. */
#define NEAR(a, b, tolerance) alone_check(alone_near((double)(a), (double)(b), (tolerance)),       \
    __FILE__, __LINE__, "%s is %.17g, not %s = %.17g", #a, (double)(a), #b, (double)(b))
/* the same with a word about which case it is */
#define NEAR_AS(what, a, b, tolerance) alone_check(alone_near((double)(a), (double)(b),            \
    (tolerance)),                                                                                  \
    __FILE__, __LINE__, "%s: %s is %.17g, not %s = %.17g", what, #a, (double)(a), #b, (double)(b))
#endif
