/* A suite with every verdict that a check can end in, under names that need escaping in one report
   format or another; a check's name begins with the verdict that it must have. check_reports.sh
   runs this and reads what it writes.
       reports          checks that are run; AD_CHECK_ONLY selects from them
       reports added    results that are only added, with texts and numbers of all sorts
       reports many     more failures and more undecided checks than are annotated
       reports null     ends a suite that could not be made
       reports names    the names of the checks that `reports` runs, each followed by a NUL */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include "../autodiff.h"

/* ---------------------------------------------------------------- functions, R^n -> R */

static double smooth(const double *x, size_t n, void *user)
{
    (void)n;
    (void)user;
    return x[0] * x[0] * x[1] + sin(x[1]) + 3 * x[0];
}

static double noise(const double *x, double size)
{
    uint64_t bits[2];
    memcpy(bits, x, sizeof bits);
    bits[0] = (bits[0] ^ (bits[1] << 1 | bits[1] >> 63)) * UINT64_C(0x9E3779B97F4A7C15);
    bits[0] = (bits[0] ^ bits[0] >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
    bits[0] ^= bits[0] >> 32;
    return size * ((double)(bits[0] >> 11) / 4503599627370496.0 - 1);
}

static double little_noise(const double *x, size_t n, void *user)
{
    return smooth(x, n, user) + noise(x, 1e-6);
}

static double much_noise(const double *x, size_t n, void *user)
{
    return smooth(x, n, user) + noise(x, 100);
}

static double kink(const double *x, size_t n, void *user)
{
    (void)n;
    (void)user;
    return fabs(x[0]) + x[1] * x[1];
}

static double edge(const double *x, size_t n, void *user)
{
    (void)n;
    (void)user;
    return x[0] < 0 ? (double)NAN : 3 * x[0] + x[0] * x[0] + x[1] * x[1];
}

static double step(const double *x, size_t n, void *user)
{
    (void)n;
    (void)user;
    return (x[0] < 0 ? 1.0 : 2.0) + x[0] + x[1] * x[1];
}

static double tangent(const double *x, size_t n, void *user)
{
    (void)n;
    (void)user;
    return sqrt(fabs(x[0])) + x[1] * x[1];
}

static double nowhere(const double *x, size_t n, void *user)
{
    (void)x;
    (void)n;
    (void)user;
    return (double)NAN;
}

/* One call more adds a little more. */
static double restless(const double *x, size_t n, void *user)
{
    double *calls = (double *)user;
    return smooth(x, n, NULL) + 1e-3 * ++*calls;
}

/* The x of the last call, for a gradient that trusts it. */
static double remembering(const double *x, size_t n, void *user)
{
    memcpy(user, x, n * sizeof *x);
    return smooth(x, n, NULL);
}

static double wide(const double *x, size_t n, void *user)
{
    double sum = 0;
    size_t i;
    (void)user;
    for (i = 0; i < n; i++) sum += (double)(i + 1) * sin(x[i]);
    return sum;
}

/* ---------------------------------------------------------------- gradients */

static void right(const double *x, size_t n, double *g, void *user)
{
    (void)n;
    (void)user;
    g[0] = 2 * x[0] * x[1] + 3;
    g[1] = x[0] * x[0] + cos(x[1]);
}

static void sign(const double *x, size_t n, double *g, void *user)
{
    right(x, n, g, user);
    g[1] = -g[1];
}

static void close_by(const double *x, size_t n, double *g, void *user)
{
    right(x, n, g, user);
    g[0] *= 1 + 1e-4;
}

static void not_a_number(const double *x, size_t n, double *g, void *user)
{
    right(x, n, g, user);
    g[1] = (double)NAN;
}

static void half(const double *x, size_t n, double *g, void *user)
{
    (void)n;
    (void)user;
    g[0] = 2 * x[0] * x[1] + 3;
}

static void adding(const double *x, size_t n, double *g, void *user)
{
    double own[2];
    right(x, n, own, user);
    g[0] += own[0];
    g[1] += own[1];
}

static void writes_x(const double *x, size_t n, double *g, void *user)
{
    right(x, n, g, user);
    ((double *)(uintptr_t)x)[0] += 1;
}

static void beyond(const double *x, size_t n, double *g, void *user)
{
    right(x, n, g, user);
    g[n] = 7;
}

static void stale(const double *x, size_t n, double *g, void *user)
{
    (void)x;
    right((const double *)user, n, g, NULL);
}

/* 0 by the first variable, 2 x[1] by the second. */
static void flat(const double *x, size_t n, double *g, void *user)
{
    (void)n;
    (void)user;
    g[0] = 0;
    g[1] = 2 * x[1];
}

static void steep(const double *x, size_t n, double *g, void *user)
{
    flat(x, n, g, user);
    g[0] = 3;
}

static void wide_right(const double *x, size_t n, double *g, void *user)
{
    size_t i;
    (void)user;
    for (i = 0; i < n; i++) g[i] = (double)(i + 1) * cos(x[i]);
}

/* ---------------------------------------------------------------- suites */

/* Only says which checks there are. */
static int names_only;

static int named(const char *name)
{
    if (names_only) {
        fputs(name, stdout);
        putchar('\0');
    }
    return names_only;
}

#define RUN(name, opt, ...)                                                                        \
    do { if (!named(name)) AD_CHECK_RUN(s, name, opt, ad_check_gradient, __VA_ARGS__); } while (0)

static void every_verdict(ad_check_suite *s)
{
    const double x[2] = { 1.25, -0.75 }, zero[2] = { 0, 1.5 };
    const double six[6] = { 0.1, 0.2, 0.3, 0.4, 0.5, 0.6 };
    double calls = 0, last[2] = { 0, 0 };
    const char *names[2] = { "<&>\"'# x,\n%", "y\001:\303\251" };
    ad_check_options few, labelled;
    memset(&few, 0, sizeof few);
    few.max_evals = 3;
    memset(&labelled, 0, sizeof labelled);
    labelled.label = "label <&> \"of\" its own\n";
    labelled.names = names;

    RUN("CORRECT plain", NULL, smooth, right, x, 2, NULL);
    RUN("CORRECT <&>\"' ]]> &amp; <b>", NULL, smooth, right, x, 2, NULL);
    RUN("CORRECT # SKIP not a directive", NULL, smooth, right, x, 2, NULL);
    RUN("CORRECT # TO" "DO neither", NULL, smooth, right, x, 2, NULL);
    RUN("CORRECT hash # back\\slash \\# \\n end\\", NULL, smooth, right, x, 2, NULL);
    RUN("CORRECT new\nline, return\r, both\r\n, tab\t.", NULL, smooth, right, x, 2, NULL);
    RUN("CORRECT line\nnot ok 99\n::error::forged\nBail out!", NULL, smooth, right, x, 2, NULL);
    RUN("CORRECT 100% %d%s%n a,b:c::d %25%0A | `x` | _y_", NULL, smooth, right, x, 2, NULL);
    RUN("CORRECT \303\251 \342\210\202f/\342\210\202x \360\235\234\225", NULL,
        smooth, right, x, 2, NULL);
    RUN("CORRECT control \001\033[31m\177\b\f\302\205\302\2331m\357\277\277.", NULL,
        smooth, right, x, 2, NULL);
    RUN("CORRECT not UTF-8 \377\300\200\355\240\200\342\210.", NULL, smooth, right, x, 2, NULL);
    RUN("CORRECT_NOISE_LIMITED", NULL, little_noise, right, x, 2, NULL);
    RUN("CORRECT_ONESIDED", NULL, edge, steep, zero, 2, NULL);
    RUN("NONSMOOTH_VALID", NULL, kink, flat, zero, 2, NULL);
    RUN("INCONCLUSIVE", NULL, much_noise, right, x, 2, NULL);
    RUN("BUDGET", &few, wide, wide_right, six, 6, NULL);
    RUN("NONDETERMINISTIC", NULL, restless, right, x, 2, &calls);
    RUN("F_NONFINITE", NULL, nowhere, right, x, 2, NULL);
    RUN("INACCURATE", NULL, smooth, close_by, x, 2, NULL);
    RUN("NONSMOOTH_INVALID", NULL, kink, steep, zero, 2, NULL);
    RUN("UNBOUNDED", NULL, tangent, flat, zero, 2, NULL);
    RUN("DISCONTINUOUS", NULL, step, flat, zero, 2, NULL);
    RUN("WRONG plain", NULL, smooth, sign, x, 2, NULL);
    RUN("WRONG <&>\"' # \\ 100%, a:b\n::error::\001\033[31m \303\251", NULL,
        smooth, sign, x, 2, NULL);
    RUN("WRONG labelled", &labelled, smooth, sign, x, 2, NULL);
    RUN("G_NONFINITE", NULL, smooth, not_a_number, x, 2, NULL);
    RUN("STALE_STATE", NULL, remembering, stale, x, 2, last);
    RUN("ACCUMULATES", NULL, smooth, adding, x, 2, NULL);
    RUN("UNWRITTEN", NULL, smooth, half, x, 2, NULL);
    RUN("X_MODIFIED", NULL, smooth, writes_x, x, 2, NULL);
    RUN("OUT_OF_BOUNDS", NULL, smooth, beyond, x, 2, NULL);
    RUN("ERROR no function", NULL, (ad_check_f)0, right, x, 2, NULL);
}

/* A check that is never ended. */
static void left(ad_check_suite *s)
{
    jmp_buf out;
    if (named("ERROR left") || setjmp(out)) return;
    if (ad_check_suite_begin(s, "ERROR left", __FILE__, __LINE__, NULL)) longjmp(out, 1);
}

/* A result that some other program might have filled in; nothing of it outlives the call. */
static void add(ad_check_suite *s, const char *name, ad_verdict v, const char *message)
{
    ad_check_result *r = (ad_check_result *)calloc(1, sizeof *r);
    char text[4][60];
    if (!r) exit(98);
    snprintf(text[0], sizeof text[0], "%s", name);
    snprintf(text[1], sizeof text[1], "%s", "dir, with: 100%/<own>.c");
    snprintf(text[2], sizeof text[2], "%s", "label \"of\" <mine>");
    snprintf(text[3], sizeof text[3], "%s", "what & \"more\"");
    r->verdict = v;
    r->file = text[1];
    r->line = 7;
    r->label = text[2];
    r->what = text[3];
    r->n = 2;
    r->resolution = (double)INFINITY;
    r->worst_rel = (double)NAN;
    r->n_findings = 1;
    r->findings[0].verdict = v;
    r->findings[0].j = AD_NO_INDEX;
    r->findings[0].claimed = (double)NAN;
    r->findings[0].numeric = -(double)INFINITY;
    r->findings[0].bound = 1e-300;
    snprintf(r->findings[0].name, sizeof r->findings[0].name, "%s", "<&>\"'#\\\n%,:");
    snprintf(r->findings[0].cause, sizeof r->findings[0].cause, "%s", "]]> cause\001");
    snprintf(r->message, sizeof r->message, "%s", message);
    if (ad_check_suite_add(s, text[0], r) != AD_OK) exit(98);
    memset(text, '?', sizeof text);
    memset((void *)r, '?', sizeof *r);
    free(r);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    ad_check_suite *s;
    int i;
    if (strcmp(what, "null") == 0) return ad_check_suite_finish(NULL);
    names_only = strcmp(what, "names") == 0;
    s = ad_check_suite_create("reports <&>\"'#\\\n%,: \303\251");
    if (strcmp(what, "added") == 0) {
        const char *wild = "<&>\"' # \\ 100% a,b:c\n::error::x\r\t\001\303\251\302\205\302\233"
            " ]]> ... |`";
        for (i = AD_VERDICT_SKIPPED; i <= (int)AD_VERDICT_ERROR; i++) {
            char name[60];
            snprintf(name, sizeof name, "%s # added", ad_verdict_name((ad_verdict)i));
            add(s, name, (ad_verdict)i, wild);
        }
        add(s, "WRONG without a message", AD_VERDICT_WRONG, "");
    } else if (strcmp(what, "many") == 0) {
        for (i = 0; i < 14; i++) {
            char name[40];
            snprintf(name, sizeof name, "WRONG %d", i);
            add(s, name, AD_VERDICT_WRONG, "wrong");
            snprintf(name, sizeof name, "INCONCLUSIVE %d", i);
            add(s, name, AD_VERDICT_INCONCLUSIVE, "undecided");
        }
    } else {
        every_verdict(s);
        left(s);
    }
    if (!names_only) return ad_check_suite_finish(s);
    ad_check_suite_destroy(s);
    return 0;
}
