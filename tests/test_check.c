/* The gradient checker's other entry points and its suites: vector functions, products,
   adjoints, Hessians, the tape, reports and exit codes. test_verdicts.c has the gradient's own.
   The middle part is read twice, for double and for float.
   Sections: Checker: Verdicts and Suites; Checker: Entry Points; Checker: Points and Lines;
   Checker: Reports and Suites; Checker: Calling the User. */
#ifndef RT
#define _POSIX_C_SOURCE 200112L           /* setenv */
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#ifndef _WIN32
#include <unistd.h>
#endif
#include "test.h"
#include "leaks.h"
#include "starve.h"

TEST_DEF void suite_check(void);

#define BIT(v)      (1u << AD_VERDICT_##v)
#define RIGHT       (BIT(CORRECT) | BIT(CORRECT_NOISE_LIMITED))
#define KINK        BIT(NONSMOOTH_VALID)
#define PASS        (RIGHT | BIT(CORRECT_ONESIDED) | KINK)
#define MAYBE       BIT(INCONCLUSIVE)
#define FAIL        (BIT(INACCURATE) | BIT(NONSMOOTH_INVALID) | BIT(UNBOUNDED)                     \
                     | BIT(DISCONTINUOUS) | BIT(WRONG) | BIT(G_NONFINITE) | BIT(STALE_STATE)       \
                     | BIT(ACCUMULATES) | BIT(UNWRITTEN) | BIT(X_MODIFIED) | BIT(OUT_OF_BOUNDS))
#define NOT_FAIL    (PASS | MAYBE)
#define NOT_PASS    (FAIL | MAYBE)

typedef struct text {
    char *p;
    size_t length, room;
    size_t pieces, stop_at;           /* stop at this piece, if not 0 */
} text;
static int text_write(void *user, const char *p, size_t length)
{
    text *t = (text *)user;
    if (++t->pieces == t->stop_at) return 1;
    if (t->length + length + 1 > t->room) {
        t->room = 2 * (t->length + length) + 1000;
        t->p = (char *)realloc(t->p, t->room);
    }
    memcpy(t->p + t->length, p, length);
    t->length += length;
    t->p[t->length] = 0;
    return 0;
}
static text empty_text(void)
{
    text t;
    memset(&t, 0, sizeof t);
    return t;
}
static ad_check_options default_options(void)
{
    ad_check_options o;
    memset(&o, 0, sizeof o);
    return o;
}

/* Printable, names in UTF-8 allowed; nothing that would start another line. */
static int one_line(const char *s, size_t room)
{
    size_t i;
    if (memchr(s, 0, room) == NULL || s[0] == 0) return 0;
    for (i = 0; s[i]; i++)
        if ((unsigned char)s[i] < ' ' || s[i] == 127) return 0;
    return 1;
}
static int is_utf8(const char *s)
{
    const unsigned char *p = (const unsigned char *)s;
    while (*p) {
        int more = *p < 0x80 ? 0 : *p >= 0xc2 && *p < 0xe0 ? 1 : *p >= 0xe0 && *p < 0xf0 ? 2
            : *p >= 0xf0 && *p < 0xf5 ? 3 : -1;
        if (more < 0) return 0;
        for (p++; more > 0; more--, p++)
            if ((*p & 0xc0) != 0x80) return 0;
    }
    return 1;
}

/* Is it the text of a pattern, in which ~ stands for a number of one digit, as bounds and noise
   are, ~~ for one of two, @ for a count, and * for anything? What rounding leaves differs between
   machines. */
static int says(const char *s, const char *pattern)
{
    for (; *pattern; pattern++) {
        if (*pattern == '*') {
            while (*s && !says(s, pattern + 1)) s++;
            return says(s, pattern + 1);
        }
        if (*pattern == '@') {
            const size_t n = strspn(s, "0123456789");
            if (n == 0) return 0;
            s += n;
        } else if (*pattern == '~') {
            size_t most = 1, digits = 0;
            char *end;
            const char *p = s;
            while (pattern[1] == '~') most++, pattern++;
            strtod(s, &end);
            if (end == s) return 0;
            while (p < end && (*p == '-' || *p == '.' || *p == '0')) p++;
            for (; p < end && *p != 'e'; p++) digits += *p != '.';
            if (digits > most) return 0;
            s = end;
        } else if (*s++ != *pattern) return 0;
    }
    return *s == 0;
}
#define SAYS(text, pattern)                                                                        \
    test_check(says(text, pattern), __FILE__, __LINE__, "it says \"%s\", not \"%s\"", text, pattern)

/* What holds of every result; and the verdict is one of `mask`. */
static void inspect(int line, const char *name, unsigned mask, ad_verdict v,
                    const ad_check_result *r)
{
    const char *word = strncmp(ad_verdict_name(v), "CORRECT", 7) ? ad_verdict_name(v) : "CORRECT";
    text t = empty_text();
    int worst = 0;
    size_t i;
#define MUST(c) test_check(!!(c), __FILE__, line, "%s: not %s; %s \"%s\"", name, #c,               \
                           ad_verdict_name(v), r->message)
    test_check((1u << v & mask) != 0, __FILE__, line, "%s: %s; \"%s\"", name, ad_verdict_name(v),
               r->message);
    MUST(r->verdict == v);
    MUST(one_line(r->message, sizeof r->message) && strstr(r->message, word));
    MUST(r->n_findings <= AD_CHECK_FINDINGS);
    MUST(r->resolution >= 0 && r->f_noise >= 0 && r->worst_rel >= 0);
    MUST(r->what != NULL);
    if (ad_check_ok(v)) MUST(r->wrong == 0 && r->inconclusive == 0);
    if (v == AD_VERDICT_INCONCLUSIVE) MUST(r->inconclusive > 0);
    if (r->checked) MUST(r->wrong + r->inconclusive <= r->checked && r->nonsmooth <= r->checked);
    for (i = 0; i < r->n_findings && i < AD_CHECK_FINDINGS; i++) {
        MUST(memchr(r->findings[i].name, 0, sizeof r->findings[i].name) != NULL);
        MUST(memchr(r->findings[i].cause, 0, sizeof r->findings[i].cause) != NULL);
        MUST(r->findings[i].verdict <= v);
        worst |= r->findings[i].verdict == v;
    }
    if (r->n_findings && FAIL >> v & 1) MUST(worst);
    MUST(ad_check_print(r, text_write, &t) == AD_OK);
    MUST(t.length > 10 && t.p[t.length - 1] == '\n');
    MUST(!strstr(t.p, "18446744073709551615") && !strstr(t.p, "4294967295"));   /* no index */
    free(t.p);
#undef MUST
}

#define RT          double
#define A(n)        ad_##n
#define U(n)        n##_d
#define M(n)        n
#define IS_FLOAT    0
#define UNIT        DBL_EPSILON
#include "test_check.c"
#undef RT
#undef A
#undef U
#undef M
#undef IS_FLOAT
#undef UNIT

#define RT          float
#define A(n)        adf_##n
#define U(n)        n##_f
#define M(n)        n##f
#define IS_FLOAT    1
#define UNIT        ((double)FLT_EPSILON)
#include "test_check.c"

/* ---------------------------------------------------------------- is it JSON, XML, TAP? */

static const char *json_value(const char *p);
static const char *json_space(const char *p)
{
    while (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r') p++;
    return p;
}
static const char *json_string(const char *p)
{
    if (*p++ != '"') return NULL;
    for (; *p != '"'; p++) {
        if ((unsigned char)*p < ' ') return NULL;
        if (*p != '\\') continue;
        p++;
        if (*p == 'u') {
            if (strspn(p + 1, "0123456789abcdefABCDEF") < 4) return NULL;
            p += 4;
        } else if (*p == 0 || strchr("\"\\/bfnrt", *p) == NULL) return NULL;
    }
    return p + 1;
}
static const char *json_list(const char *p, char end)
{
    p = json_space(p + 1);
    if (*p == end) return p + 1;
    for (;;) {
        if (end == '}') {
            if ((p = json_string(p)) == NULL) return NULL;
            p = json_space(p);
            if (*p++ != ':') return NULL;
        }
        if ((p = json_value(p)) == NULL) return NULL;
        p = json_space(p);
        if (*p == end) return p + 1;
        if (*p++ != ',') return NULL;
        p = json_space(p);
    }
}
/* The end of the value at p, NULL if there is none. NaN and Infinity are not JSON. */
static const char *json_value(const char *p)
{
    char *end;
    p = json_space(p);
    if (*p == '{') return json_list(p, '}');
    if (*p == '[') return json_list(p, ']');
    if (*p == '"') return json_string(p);
    if (strncmp(p, "true", 4) == 0 || strncmp(p, "null", 4) == 0) return p + 4;
    if (strncmp(p, "false", 5) == 0) return p + 5;
    if (*p != '-' && (*p < '0' || *p > '9')) return NULL;
    if (p[*p == '-'] < '0' || p[*p == '-'] > '9' || p[1] == 'x' || p[1] == 'X') return NULL;
    strtod(p, &end);
    return end > p ? end : NULL;
}
static int is_json(const char *p)
{
    p = json_value(p);
    return p != NULL && *json_space(p) == 0;
}

static const char *xml_entity(const char *p)
{
    const char *end = strchr(p, ';');
    if (end == NULL || end - p > 8 || end - p < 3) return NULL;
    if (p[1] != '#' && strncmp(p, "&lt;", 4) && strncmp(p, "&gt;", 4) && strncmp(p, "&amp;", 5)
        && strncmp(p, "&quot;", 6) && strncmp(p, "&apos;", 6)) return NULL;
    return end;
}
/* One root, tags closed in order, attributes quoted, no control characters, no stray & or <. */
static int is_xml(const char *p, const char *root)
{
    char stack[20][40];
    int depth = 0, roots = 0;
    if (strncmp(p, "<?xml", 5) == 0) p = strstr(p, "?>") + 2;
    for (; *p; p++) {
        if ((unsigned char)*p < ' ' && *p != '\n' && *p != '\t') return 0;
        if (*p == '&' && (p = xml_entity(p)) == NULL) return 0;
        if (*p == '<') {
            const int closing = p[1] == '/';
            const char *name = p + 1 + closing;
            const size_t length = strcspn(name, " />\n\t");
            if (length == 0 || length >= 40 || depth >= 19) return 0;
            for (p = name + length; *p && *p != '>'; p++) {
                if (*p == '<') return 0;
                if (*p != '"') continue;
                for (p++; *p && *p != '"'; p++) {
                    if (*p == '<' || (unsigned char)*p < ' ') return 0;
                    if (*p == '&' && (p = xml_entity(p)) == NULL) return 0;
                }
                if (*p == 0) return 0;
            }
            if (*p == 0) return 0;
            if (closing) {
                if (depth == 0 || strlen(stack[depth - 1]) != length
                    || strncmp(stack[depth - 1], name, length)) return 0;
                depth--;
            } else {
                if (depth == 0 && (roots++ || strncmp(name, root, length))) return 0;
                if (p[-1] == '/') continue;
                memcpy(stack[depth], name, length);
                stack[depth++][length] = 0;
            }
        } else if (depth == 0 && *p != '\n' && *p != ' ') return 0;
    }
    return roots == 1 && depth == 0;
}

/* Version, plan, then points numbered from 1, each with at most a block of its own. */
static int is_tap(const char *p, int points)
{
    char want[40];
    int n = 0, block = 0;
    if (strncmp(p, "TAP version 1", 13)) return 0;
    p = strchr(p, '\n') + 1;
    sprintf(want, "1..%d", points);
    if (strncmp(p, want, strlen(want)) || strchr("\n ", p[strlen(want)]) == NULL) return 0;
    for (p = strchr(p, '\n'); p && *++p; p = strchr(p, '\n')) {
        if (strncmp(p, "  ---\n", 6) == 0) block = 1;
        else if (strncmp(p, "  ...\n", 6) == 0) block = 0;
        else if (block && strncmp(p, "  ", 2) == 0) continue;
        else if (*p == '#' || *p == '\n') continue;
        else {
            if (block) return 0;
            n++;
            sprintf(want, "ok %d", n);
            if (strncmp(p, "not ", 4) == 0) p += 4;
            if (strncmp(p, want, strlen(want)) || p[strlen(want)] != ' ') return 0;
        }
    }
    return n == points && !block;
}
/* Every line a command, nothing that would end one early. */
static int is_github(const char *p)
{
    int commands = 0;
    for (; p && *p; p = strchr(p, '\n'), p = p ? p + 1 : p) {
        const size_t length = strcspn(p, "\n");
        if (length == 0) continue;
        if (strncmp(p, "::error ", 8) && strncmp(p, "::warning ", 10) && strncmp(p, "::notice ", 9))
            return 0;
        if (memchr(p, '\r', length) || memchr(p, '\t', length)) return 0;
        commands++;
    }
    return commands > 0;
}

/* ---------------------------------------------------------------- suites */

static double f_plain(const double *x, size_t n, void *user)
{
    double s = 0;
    size_t i;
    (void)user;
    for (i = 0; i < n; i++) s += sin(x[i]);
    return s;
}
static void g_right(const double *x, size_t n, double *g, void *user)
{
    size_t i;
    (void)user;
    for (i = 0; i < n; i++) g[i] = cos(x[i]);
}
static void g_negative(const double *x, size_t n, double *g, void *user)
{
    size_t i;
    (void)user;
    for (i = 0; i < n; i++) g[i] = -cos(x[i]);
}
static float f_plain_f(const float *x, size_t n, void *user)
{
    float s = 0;
    size_t i;
    (void)user;
    for (i = 0; i < n; i++) s += sinf(x[i]);
    return s;
}
static void g_right_f(const float *x, size_t n, float *g, void *user)
{
    size_t i;
    (void)user;
    for (i = 0; i < n; i++) g[i] = cosf(x[i]);
}
static double f_absolute(const double *x, size_t n, void *user)
{
    (void)n;
    (void)user;
    return fabs(x[0]);
}
static void g_zero(const double *x, size_t n, double *g, void *user)
{
    size_t i;
    (void)x;
    (void)user;
    for (i = 0; i < n; i++) g[i] = 0;
}
static double f_nan(const double *x, size_t n, void *user)
{
    (void)x;
    (void)n;
    (void)user;
    return (double)NAN;
}

/* The verdict that each kind of check gives. */
enum { S_RIGHT, S_WRONG, S_KINK, S_UNDECIDED, S_ERROR };
static ad_verdict run_kind(ad_check_suite *s, const char *name, int kind)
{
    static const double x[3] = { 0.3, 0.5, 0.7 }, zero[1] = { 0 };
    switch (kind) {
    case S_RIGHT:
        return AD_CHECK_RUN(s, name, NULL, ad_check_gradient, f_plain, g_right, x, 3, NULL);
    case S_WRONG:
        return AD_CHECK_RUN(s, name, NULL, ad_check_gradient, f_plain, g_negative, x, 3, NULL);
    case S_KINK:
        return AD_CHECK_RUN(s, name, NULL, ad_check_gradient, f_absolute, g_zero, zero, 1, NULL);
    case S_UNDECIDED:
        return AD_CHECK_RUN(s, name, NULL, ad_check_gradient, f_nan, g_zero, x, 3, NULL);
    default: return AD_CHECK_RUN(s, name, NULL, ad_check_gradient, NULL, g_zero, x, 3, NULL);
    }
}
static text suite_text(const ad_check_suite *s, ad_check_format format)
{
    text t = empty_text();
    CHECK_STATUS(ad_check_suite_write(s, format, text_write, &t), AD_OK);
    CHECK(t.length > 0 && t.p != NULL);
    if (t.p == NULL) text_write(&t, "", 0);
    return t;
}
static void check_formats(const ad_check_suite *s, int points, int failing)
{
    text t;
    int format;
    size_t k;
    t = suite_text(s, AD_CHECK_TEXT);
    CHECK(strlen(t.p) == t.length);
    free(t.p);
    t = suite_text(s, AD_CHECK_TAP);
    test_check(is_tap(t.p, points), __FILE__, __LINE__, "not TAP:\n%s", t.p);
    free(t.p);
    t = suite_text(s, AD_CHECK_JUNIT);
    test_check(is_xml(t.p, "testsuites"), __FILE__, __LINE__, "not XML:\n%s", t.p);
    test_check(is_utf8(t.p), __FILE__, __LINE__, "not UTF-8:\n%s", t.p);
    free(t.p);
    t = suite_text(s, AD_CHECK_JSON);
    test_check(is_json(t.p), __FILE__, __LINE__, "not JSON:\n%s", t.p);
    test_check(is_utf8(t.p), __FILE__, __LINE__, "not UTF-8:\n%s", t.p);
    free(t.p);
    t = empty_text();
    CHECK_STATUS(ad_check_suite_write(s, AD_CHECK_GITHUB, text_write, &t), AD_OK);
    if (failing) test_check(t.p && is_github(t.p), __FILE__, __LINE__, "not GitHub's:\n%s",
                            t.p ? t.p : "");
    free(t.p);
    /* a writer that stops, at any piece */
    for (format = AD_CHECK_TEXT; format <= AD_CHECK_JSON; format++) {
        t = empty_text();
        if (ad_check_suite_write(s, (ad_check_format)format, text_write, &t) != AD_OK) continue;
        free(t.p);
        for (k = 1; k <= 20 && k <= t.pieces; k++) {
            text u = empty_text();
            u.stop_at = k;
            CHECK_STATUS(ad_check_suite_write(s, (ad_check_format)format, text_write, &u),
                         AD_ERR_WRITE);
            CHECK(u.pieces == k);
            free(u.p);
        }
    }
}

/* One wrong entry of a symmetric Jacobian is no exchange of rows and columns: that would be two. */
static void springs_F(const double *x, size_t n, double *y, size_t m, void *user)
{
    (void)n; (void)m; (void)user;
    y[0] = 2 * x[0] - x[1];
    y[1] = 2 * x[1] - x[0];
}
static void springs_J(const double *x, size_t n, double *J, size_t m, void *user)
{
    (void)x; (void)n; (void)m;
    J[0] = J[3] = 2;
    J[1] = J[2] = -1;
    J[*(const int *)user] *= -1;
}
static void one_of_a_symmetric(void)
{
    static const double x[2] = { 0.75, -1.25 };
    int wrong;
    for (wrong = 1; wrong <= 2; wrong++) {
        ad_check_result r;
        CHECK(ad_check_jacobian(springs_F, springs_J, x, 2, 2, &wrong, NULL, &r)
            == AD_VERDICT_WRONG);
        CHECK(r.wrong == 1 && r.hint == AD_HINT_SIGN);
        CHECK(r.findings[0].i == (size_t)wrong / 2 && r.findings[0].j == (size_t)wrong % 2);
    }
}

/* Along directions a column's second row was looked at closely and let pass. Those that follow are
   again about what all rows say together, and have nothing against it. */
static void waves_F(const double *x, size_t n, double *y, size_t m, void *user)
{
    size_t i, j;
    (void)user;
    for (i = 0; i < m; i++) {
        y[i] = 0;
        for (j = 0; j < n; j++) y[i] += sin(x[j] + (double)i);
    }
}
static void waves_J(const double *x, size_t n, double *J, size_t m, void *user)
{
    size_t k;
    for (k = 0; k < n * m; k++) J[k] = cos(x[k % n] + (double)(k / n));
    J[n + 3] *= *(const double *)user;
}
static void one_row_of_a_column(void)
{
    static const double x[8] = { 0.3, 0.31, 0.32, 0.33, 0.34, 0.35, 0.36, 0.37 };
    double times = 1.0015;
    ad_check_options o = default_options();
    ad_check_result r;
    o.dense_limit = 1;
    o.rtol = 1e-3;
    CHECK(ad_check_jacobian(waves_F, waves_J, x, 8, 2, &times, &o, &r) == AD_VERDICT_CORRECT);
    CHECK(r.mode == AD_CHECK_DIRECTIONAL && r.n_findings == 0);
    times = 1.003;
    CHECK(ad_check_jacobian(waves_F, waves_J, x, 8, 2, &times, &o, &r) == AD_VERDICT_WRONG);
    CHECK(r.wrong == 1 && r.findings[0].i == 1 && r.findings[0].j == 3);
}

/* Entries of rounding size, in the tails of bells, are no reason to leave a matrix undecided; nor,
   if the user says so, is a component alone. What stands out of the rounding is judged. */
static void bells_F(const double *x, size_t n, double *y, size_t m, void *user)
{
    size_t i, j;
    (void)user;
    for (i = 0; i < m; i++)
        for (y[i] = 0, j = 0; j < n; j++) y[i] += exp(-(x[j] - (double)i) * (x[j] - (double)i));
}
static void bells_J(const double *x, size_t n, double *J, size_t m, void *user)
{
    size_t i, j;
    for (i = 0; i < m; i++)
        for (j = 0; j < n; j++) {
            const double d = x[j] - (double)i;
            J[i * n + j] = -2 * d * exp(-d * d);
        }
    if (user) J[*(const size_t *)user] *= -1;
}
static double far_tanh(const double *x, size_t n, void *user)
{
    (void)n, (void)user;
    return tanh(x[0]);
}
static double bent(const double *x, size_t n, void *user)
{
    (void)n; (void)user;
    return x[0] * x[0];
}
static void tails(void)
{
    const double at = 18, nearer = 16, slope = 0, off = 1e-9, half = 0.5, far_off = 1.5;
    ad_check_options o;
    ad_check_result r;
    double x[12];
    uint32_t random = 1;
    int t;
    for (t = 0; t < 40; t++) {
        size_t i, near = 0;
        double d;
        for (i = 0; i < 12; i++) {
            random = random * 1664525u + 1013904223u;
            x[i] = ((double)(random >> 8) / 16777216 - 0.5) * (t & 1 ? 12 : 40);
            if (fabs(x[i] - 1) < fabs(x[near] - 1)) near = i;
        }
        CHECK(ad_check_jacobian(bells_F, bells_J, x, 12, 8, NULL, NULL, &r)
            <= AD_VERDICT_CORRECT_NOISE_LIMITED && ad_check_ok(r.verdict));
        d = fabs(x[near] - 1);
        i = 12 + near;
        CHECK(d < 1e-2 || d > 3 || ad_check_jacobian(bells_F, bells_J, x, 12, 8, &i, NULL, &r)
            == AD_VERDICT_WRONG);
    }
    memset(&o, 0, sizeof o);
    CHECK(ad_check_values(far_tanh, &slope, &at, 1, NULL, &o, &r) == AD_VERDICT_INCONCLUSIVE);
    o.atol = 1e-12;
    CHECK(ad_check_ok(ad_check_values(far_tanh, &slope, &at, 1, NULL, &o, &r)));
    CHECK(ad_check_ok(ad_check_values(far_tanh, &slope, &nearer, 1, NULL, &o, &r))
        && r.worst_rel == 0);                  /* what passes by atol tells no relative error */
    CHECK(ad_check_values(far_tanh, &off, &at, 1, NULL, &o, &r) == AD_VERDICT_WRONG);
    /* nor where a short look lets it pass; and so large an error would not have been seen */
    o.atol = 0.6;                              /* of 1.5; twice of it may pass */
    CHECK(ad_check_ok(ad_check_values(bent, &far_off, &half, 1, NULL, &o, &r))
        && r.worst_rel > 0.3 && r.worst_rel < 0.4 && r.resolution > 0.79 && r.resolution < 0.81
        && strstr(r.message, "an error above 0.8"));
    o.atol = 0.49;
    CHECK(ad_check_ok(ad_check_values(bent, &half, &half, 1, NULL, &o, &r))
        == 0 && r.resolution == 0);
    o.atol = 1;
    CHECK(ad_check_ok(ad_check_values(bent, &half, &half, 1, NULL, &o, &r)) && r.resolution == 0);
    o.atol = 2;                        /* more than the slope is: no relative error is seen */
    CHECK(ad_check_ok(ad_check_values(bent, &far_off, &half, 1, NULL, &o, &r))
        && r.worst_rel == 0 && r.resolution == 0 && strstr(r.message, "below atol"));
}

/* The cross-entropy log(sum exp(z - m)) + m - z[k] of a network that is sure, and right: near 0 it
   goes by the last digit of m, which no value of it shows. Slopes that hides are no errors; others
   are seen, whatever their units. */
typedef struct sure { size_t k; double times, unit; } sure;
static double entropy(const double *z, size_t n, double most, const sure *s, double *slope)
{
    double sum = 0;
    size_t i;
    for (i = 0; i < n; i++) sum += exp(z[i] - most);
    for (i = 0; i < n; i++) slope[i] = exp(z[i] - most) / sum * s->unit;
    for (i = 0, slope[s->k] = 0; i < n; i++) if (i != s->k) slope[s->k] -= slope[i];
    slope[0] *= s->times;
    return (log(sum) + most - z[s->k]) * s->unit;
}
static double sure_f(const double *z, size_t n, void *user)
{
    const sure *const s = (const sure *)user;
    double slope[10], most = z[0];
    size_t i;
    for (i = 1; i < n; i++) most = fmax(most, z[i]);
    return entropy(z, n, most, s, slope);
}
static void sure_g(const double *z, size_t n, double *g, void *user)
{
    const sure *const s = (const sure *)user;
    (void)entropy(z, n, z[s->k], s, g);
}
static float sure_f_float(const float *z, size_t n, void *user)
{
    const sure *const s = (const sure *)user;
    float sum = 0, most = z[0];
    size_t i;
    for (i = 1; i < n; i++) most = fmaxf(most, z[i]);
    for (i = 0; i < n; i++) sum += expf(z[i] - most);
    sum = logf(sum) + most;
    return (sum - z[s->k]) * (float)s->unit;
}
static void sure_g_float(const float *z, size_t n, float *g, void *user)
{
    double x[10] = { 0 }, slope[10];
    size_t i;
    for (i = 0; i < n; i++) x[i] = (double)z[i];
    sure_g(x, n, slope, user);
    for (i = 0; i < n; i++) g[i] = (float)slope[i];
}
static void test_sure(void)
{
    static const double unit[] = { 1, 1e-18, 1e12 };
    uint32_t random;
    int t, undecided = 0;
    for (t = 0; t < 240; t += test_stride()) {
        const double range = 2 + 4 * (t % 10);
        const int single = t & 1;
        ad_check_result r;
        ad_verdict v;
        double z[10];
        float y[10];
        sure s;
        size_t i;
        random = 7 + 2654435761u * (uint32_t)t;
        s.times = 1;
        s.unit = unit[t % 3];
        for (i = s.k = 0; i < 10; i++) {
            random = random * 1664525u + 1013904223u;
            y[i] = (float)(range * (2 * ((double)(random >> 8) / 16777216) - 1));
            z[i] = (double)y[i];
            if (z[i] > z[s.k]) s.k = i;
        }
        v = single ? adf_check_gradient(sure_f_float, sure_g_float, y, 10, &s, NULL, &r)
                   : ad_check_gradient(sure_f, sure_g, z, 10, &s, NULL, &r);
        test_check(v <= AD_VERDICT_INCONCLUSIVE, __FILE__, __LINE__, "%d, %g: %s", t, range,
                   r.message);
        if (!single) undecided += !ad_check_ok(v);
        if (s.k == 0 || z[s.k] - z[0] > (single ? 4 : 14)) continue;
        s.times = -1;
        v = single ? adf_check_gradient(sure_f_float, sure_g_float, y, 10, &s, NULL, &r)
                   : ad_check_gradient(sure_f, sure_g, z, 10, &s, NULL, &r);
        test_check(v == AD_VERDICT_WRONG, __FILE__, __LINE__, "%d, %g: %s", t, range, r.message);
    }
    CHECK(undecided <= 6);
}

/* log(1 + exp(x)), which is rounded to what 1 is before its logarithm: where exp(x) is no more than
   that, f is still on short steps, and a claim that no step can tell is not told wrong. */
static double softplus_f(const double *x, size_t n, void *user)
{
    (void)n; (void)user;
    return log(1 + exp(*x));
}
static void softplus_g(const double *x, size_t n, double *g, void *user)
{
    (void)n;
    *g = *(const double *)user * exp(*x) / (1 + exp(*x));
}
static float softplus_f_float(const float *x, size_t n, void *user)
{
    (void)n; (void)user;
    return logf(1 + expf(*x));
}
static void softplus_g_float(const float *x, size_t n, float *g, void *user)
{
    const double at = (double)*x;
    double slope;
    softplus_g(&at, n, &slope, user);
    *g = (float)slope;
}
static void test_rounded_within(void)
{
    int t;
    for (t = 0; t < 160; t += test_stride()) {
        const int single = t & 1;
        double x = -6 - 0.25 * t, factor = 1;
        float y = (float)x;
        ad_check_result r;
        ad_verdict v = single ? adf_check_gradient(softplus_f_float, softplus_g_float, &y, 1,
                                                   &factor, NULL, &r)
                              : ad_check_gradient(softplus_f, softplus_g, &x, 1, &factor, NULL, &r);
        test_check(v <= AD_VERDICT_INCONCLUSIVE, __FILE__, __LINE__, "%g: %s", x, r.message);
        if (x < (single ? -8 : -28)) continue;
        factor = -1;
        v = single ? adf_check_gradient(softplus_f_float, softplus_g_float, &y, 1, &factor, NULL,
                                        &r)
                   : ad_check_gradient(softplus_f, softplus_g, &x, 1, &factor, NULL, &r);
        test_check(v == AD_VERDICT_WRONG, __FILE__, __LINE__, "%g: %s", x, r.message);
    }
}

/* Above dense_limit, too, a claim within atol is right, and one beyond it is found; and where all
   are a little off, those that are looked at besides are said to be. */
static double many_f(const double *x, size_t n, void *user)
{
    double s = 0;
    size_t i;
    (void)user;
    for (i = 0; i < n; i++) s += sin(x[i]) + x[i] * x[i];
    return s;
}
static void many_g(const double *x, size_t n, double *g, void *user)
{
    const double *const off = (const double *)user;
    size_t i;
    for (i = 0; i < n; i++) g[i] = (cos(x[i]) + 2 * x[i]) * (1 + off[1]);
    g[3] += off[0];
}
static void test_atol_of_many(void)
{
    enum { N = 600 };
    static const double atol[] = { 0, 0.1, 1e-3 }, by[] = { 1e-5, 1e-3, 0.05, 0.5 };
    double x[N], off[2] = { 0, 0 };
    ad_check_result r;
    ad_verdict v;
    size_t i, j;
    for (i = 0; i < N; i++) x[i] = 0.5 + 0.004 * (double)i;
    for (i = 0; i < 12; i++) {
        ad_check_options o = default_options();
        o.dense_limit = 100;
        o.atol = atol[i % 3];
        off[0] = by[i / 3];
        v = ad_check_gradient(many_f, many_g, x, N, off, &o, &r);
        test_check(ad_check_ok(v) == (off[0] <= 2 * o.atol), __FILE__, __LINE__,
                   "%g off, atol %g: %s", off[0], o.atol, r.message);
    }
    for (j = 0; j < 2; j++) {
        ad_check_options o = default_options();
        o.dense_limit = 100;
        off[0] = 0;
        off[1] = j ? 0.1 : 5e-6;
        v = ad_check_gradient(many_f, many_g, x, N, off, &o, &r);
        test_check(v == (j ? AD_VERDICT_WRONG : AD_VERDICT_INACCURATE)
                   && strstr(r.message, "of 32 more at random 32 differ"), __FILE__, __LINE__, "%s",
                   r.message);
    }
}

/* Products by differences of the gradient, as Newton's methods have them, are linear to rtol. */
static void curved_g(const double *x, size_t n, double *g, void *user)
{
    size_t i;
    (void)user;
    for (i = 0; i < n; i++)
        g[i] = exp(x[i]) + (i ? x[i - 1] : 0) + (i + 1 < n ? x[i + 1] : 0) + x[i] * x[i] * x[i];
}
static void curved_hv(const double *x, size_t n, const double *v, double *Hv, void *user)
{
    const double step = *(const double *)user;
    double at[4] = { 0 }, more[4], less[4];
    size_t i;
    for (i = 0; i < n; i++) at[i] = x[i] + step * v[i];
    curved_g(at, n, more, user);
    for (i = 0; i < n; i++) at[i] = x[i] - step * v[i];
    curved_g(at, n, less, user);
    for (i = 0; i < n; i++) Hv[i] = (more[i] - less[i]) / (2 * step);
}
static void curved_F(const double *x, size_t n, double *y, size_t m, void *user)
{
    (void)m;
    curved_g(x, n, y, user);
}
static void curved_jv(const double *x, size_t n, const double *v, double *Jv, size_t m, void *user)
{
    (void)m;
    curved_hv(x, n, v, Jv, user);
}
/* A symmetric field in float: products to 1e-4 of their size, of which sums may cancel. */
typedef struct field { float a[100]; } field;
static void field_g(const field *f, const float *x, float *g)
{
    size_t i, j;
    for (i = 0; i < 10; i++) {
        g[i] = 1.5f * sinf(x[i]);
        for (j = 0; j < 10; j++) g[i] += f->a[10 * i + j] * x[j];
    }
}
static void field_hv(const float *x, size_t n, const float *v, float *Hv, size_t m, void *user)
{
    float at[10], more[10], less[10], lengths[2] = { 0, 0 }, step;
    size_t i;
    (void)m;
    for (i = 0; i < n; i++) {
        lengths[0] += x[i] * x[i];
        lengths[1] += v[i] * v[i];
    }
    step = lengths[1] > 0 ? 4e-3f * (1 + sqrtf(lengths[0])) / sqrtf(lengths[1]) : 1;
    for (i = 0; i < 10; i++) at[i] = x[i] + step * v[i];
    field_g((const field *)user, at, more);
    for (i = 0; i < 10; i++) at[i] = x[i] - step * v[i];
    field_g((const field *)user, at, less);
    for (i = 0; i < n; i++) Hv[i] = (more[i] - less[i]) / (2 * step);
}
static void fields(void)
{
    uint32_t random;
    int t;
    for (t = 0; t < 300; t += test_stride()) {
        ad_check_result r;
        field f;
        float x[10];
        size_t i, j;
        random = 1 + 2654435761u * (uint32_t)t;
        for (i = 0; i < 10; i++) {
            random = random * 1664525u + 1013904223u;
            x[i] = (float)(random >> 8) * (4.0f / 16777216) - 2;
            for (j = 0; j <= i; j++) {
                random = random * 1664525u + 1013904223u;
                f.a[10 * i + j] = f.a[10 * j + i]
                    = (float)(random >> 8) * (2.0f / 16777216) - (i == j ? -1.0f : 1.0f);
            }
        }
        test_check(ad_check_ok(adf_check_adjoint(field_hv, field_hv, x, 10, 10, &f, NULL, &r)),
            __FILE__, __LINE__, "%d: %s", t, r.message);
    }
}

/* A penalty that is off, in a box: its slope is 0, whatever longer steps meet, but for one in a
   hundred that begin where rounding would. */
typedef struct penalty { double factor, from; } penalty;
static float penalty_f(const float *x, size_t n, void *user)
{
    const penalty *const p = (const penalty *)user;
    const float off = x[0] - (float)p->from;
    (void)n;
    return 0.05f + (off > 0 ? (float)p->factor * off * off : 0);
}
static double penalty_f_double(const double *x, size_t n, void *user)
{
    const penalty *const p = (const penalty *)user;
    const double off = x[0] - p->from;
    (void)n;
    return 0.05 + (off > 0 ? p->factor * off * off : 0);
}
static void test_penalty_that_is_off(void)
{
    const double x = 0.56, none = 0;
    const float y = 0.56f, none_float = 0;
    uint32_t random = 5;
    int t, failed = 0;
    for (t = 0; t < 2000; t += test_stride()) {
        double u[4], lo, hi;
        ad_check_options o;
        ad_check_result r;
        ad_verdict v;
        penalty p;
        size_t i;
        for (i = 0; i < 4; i++) {
            random = random * 1664525u + 1013904223u;
            u[i] = (double)(random >> 8) / 16777216;
        }
        memset(&o, 0, sizeof o);
        lo = x - 0.56 * pow(10, -3 * u[0]);
        hi = x + 0.56 * pow(10, -3 * u[1]);
        o.lo = &lo;
        o.hi = &hi;
        p.factor = pow(10, 8 * u[2]);
        p.from = x + pow(10, -4 + 4 * u[3]);
        v = t & 1 ? ad_check_values(penalty_f_double, &none, &x, 1, &p, &o, &r)
                  : adf_check_values(penalty_f, &none_float, &y, 1, &p, &o, &r);
        failed += !ad_check_ok(v) && !ad_check_undecided(v);
    }
    test_check(failed <= 20, __FILE__, __LINE__, "%d of %d", failed, t);
}

static void test_by_differences(void)
{
    const double x[4] = { 0.5, 1.2, -0.7, 2 };
    double step;
    fields();
    for (step = 1e-4; step > 1e-8; step /= 10) {
        ad_check_result r;
        CHECK(ad_check_hessian(curved_g, curved_hv, x, 4, &step, NULL, &r) == AD_VERDICT_CORRECT);
        CHECK(ad_check_jvp(curved_F, curved_jv, x, 4, 4, &step, NULL, &r) == AD_VERDICT_CORRECT);
        CHECK(ad_check_ok(ad_check_adjoint(curved_jv, curved_jv, x, 4, 4, &step, NULL, &r)));
    }
}

/* ---------------------------------------------------------------- what is said, to the letter */

/* f = x.x / 2 at (1/3, 0.7, -1.3); what is claimed is `times` its slopes, or 1, plus `plus`. Where
   two errors are of one size, either comes first. */
typedef struct claims { double times[3], plus[3]; int ones; } claims;
static double half_squares(const double *x, size_t n, void *user)
{
    double s = 0;
    size_t i;
    (void)user;
    for (i = 0; i < n; i++) s += x[i] * x[i] / 2;
    return s;
}
static void claims_g(const double *x, size_t n, double *g, void *user)
{
    const claims *c = (const claims *)user;
    size_t i;
    if (c->ones == 2) ((double *)(uintptr_t)x)[2] += 1;
    for (i = 0; i < n; i++) g[i] = (c->ones ? 1 : x[i]) * c->times[i % 3] + c->plus[i % 3];
}
#define THIRD (1.0 / 3)
static void what_is_wrong(void)
{
    static const struct { claims c; const char *message, *cause[3]; } all[] = {
        { { { 1, 1, 1 }, { 0, 0, 0 }, 0 },
          "CORRECT: 3 components, worst relative difference ~; an error above ~ would have been"
          " seen",
          { "", "", "" } },
        { { { 1, -1, 1 }, { 0, 0, 0 }, 0 },
          "WRONG: 1 of 3 components; sign at i=1: claimed -0.7, numeric 0.7 +- ~",
          { "", "sign", "" } },
        { { { 0, 1, 1 }, { 0, 0, 0 }, 0 },
          "WRONG: 1 of 3 components; missing: 0 where there is a slope at i=0 (depth): claimed 0,"
          " numeric 0.333333333 +- ~", { "missing: 0 where there is a slope", "", "" } },
        { { { 1, 1, 2 }, { 0, 0, 0 }, 0 },
          "WRONG: 1 of 3 components; factor 2 at i=2 (an angle): claimed -2.6, numeric -1.3 +- ~",
          { "", "", "factor 2" } },
        { { { 1, 1, 3 }, { 0, 0, 0 }, 0 },
          "WRONG: 1 of 3 components; factor n = 3 at i=2 (an angle): claimed -3.9, numeric -1.3"
          " +- ~", { "", "", "factor n = 3" } },
        { { { 1, -THIRD, 1 }, { 0, 0, 0 }, 0 },
          "WRONG: 1 of 3 components; factor -1/n = 0.333333 at i=1: claimed -0.233333333, numeric"
          " 0.7 +- ~", { "", "factor -1/n = 0.333333", "" } },
        { { { 1, 0.7, 1 }, { 0, 0, 0 }, 0 },
          "WRONG: 1 of 3 components; factor x at i=1: claimed 0.49, numeric 0.7 +- ~",
          { "", "factor x", "" } },
        { { { -1.5, -1.5, -1.5 }, { 0, 0, 0 }, 0 },
          "WRONG: 3 of 3 components; factor -3/2 at i=*",
          { "factor -3/2", "factor -3/2", "factor -3/2" } },
        { { { 1, 1.3, 1 }, { 0, 0, 0 }, 0 },
          "WRONG: 1 of 3 components; off at i=1: claimed 0.91, numeric 0.7 +- ~", { "", "", "" } },
        { { { 1.2345678, 1.2345678, 1 }, { 0, 0, 0 }, 0 },
          "WRONG: 2 of 3 components; factor 1.23457 at i=*",
          { "factor 1.23457", "factor 1.23457", "" } },
        { { { 1, 1, 1 }, { 0.123456789, 0.123456789, 0.123456789 }, 0 },
          "WRONG: 3 of 3 components; 0.123457 added at i=0 (depth): claimed 0.456790122, numeric"
          " 0.333333333 +- ~", { "0.123457 added", "0.123457 added", "0.123457 added" } },
        { { { 1, 1, 1 }, { 0.25, 0.25, 0 }, 0 },             /* of two it may be chance */
          "WRONG: 2 of 3 components; off at i=0 (depth): claimed 0.583333333, numeric 0.333333333"
          " +- ~", { "", "", "" } },
        { { { 1.00012345, 1.00012345, 1.00012345 }, { 0, 0, 0 }, 0 },
          "INACCURATE: 3 of 3 components; factor 1.00012345 at i=*",
          { "factor 1.00012345", "factor 1.00012345", "factor 1.00012345" } },
        { { { 1, 1.00012345, 1 }, { 0, 0, 0 }, 0 },
          "INACCURATE: 1 of 3 components; off at i=1: claimed 0.700086415, numeric 0.7 +- ~",
          { "", "", "" } },
        { { { 0, 1, 0 }, { -1.3, 0, THIRD }, 0 },
          "WRONG: 2 of 3 components; swapped with *",
          { "swapped with 2, an angle", "", "swapped with 0, depth" } },
        { { { 0, 0, 0 }, { 0.7, -1.3, 0.91 }, 0 },
          "WRONG: 3 of 3 components; stale: the same at another x at i=2 (an angle): claimed 0.91,"
          " numeric -1.3 +- ~", { "shifted by one: the value of 1",
          "shifted by one: the value of 2, an angle", "stale: the same at another x" } },
        { { { 0.41, 0.7, 0.43 }, { 0, 0, 0 }, 1 },
          "WRONG: 2 of 3 components; stale: the same at another x at i=2 (an angle): claimed 0.43,"
          " numeric -1.3 +- ~",
          { "stale: the same at another x", "", "stale: the same at another x" } },
        { { { 1, 1, 1 }, { 0, 0, (double)INFINITY }, 0 },
          "G_NONFINITE: 1 of 3 components; not finite at i=2 (an angle): claimed inf, numeric -1.3"
          " +- ~", { "", "", "" } },
        { { { 1, 1, 1 }, { 0, 0, 0 }, 2 },
          "X_MODIFIED: g writes to its input x, at index 2 (an angle)", { "", "", "" } },
    };
    static const char *const names[3] = { "depth", NULL, "an\nangle" };
    static const double x[3] = { THIRD, 0.7, -1.3 };
    size_t k, i, j;
    for (k = 0; k < sizeof all / sizeof all[0]; k++) {
        ad_check_options o = default_options();
        claims c = all[k].c;
        ad_check_result r;
        o.names = names;
        ad_check_gradient(half_squares, claims_g, x, 3, &c, &o, &r);
        SAYS(r.message, all[k].message);
        for (i = 0; i < 3; i++) {
            const char *cause = "";
            for (j = 0; j < r.n_findings; j++)
                if (r.findings[j].i == i) cause = r.findings[j].cause;
            SAYS(cause, all[k].cause[i]);
        }
        for (i = r.n_findings; i < AD_CHECK_FINDINGS; i++)     /* nothing behind the last */
            CHECK(r.findings[i].hint == AD_HINT_NONE && r.findings[i].cause[0] == 0);
    }
}

/* Factors people forget have names. */
static void named_factors(void)
{
    static const struct { double factor; const char *name; } all[] = {
        { 2, "2" }, { 0.5, "1/2" }, { 3, "3" }, { 1.0 / 3, "1/3" }, { 4, "4" }, { 0.25, "1/4" },
        { 3.14159265358979324, "pi" }, { 0.318309886183790672, "1/pi" },
        { 6.28318530717958648, "2 pi" }, { 0.159154943091895336, "1/(2 pi)" },
        { 57.2957795130823209, "180/pi" }, { 0.0174532925199432958, "pi/180" },
        { 2.71828182845904524, "e" }, { 0.693147180559945309, "log 2" },
        { 2.30258509299404568, "log 10" }, { 1.41421356237309505, "sqrt 2" },
        { 0.707106781186547524, "1/sqrt 2" }, { 0.666666666666666667, "2/3" }, { 1.5, "3/2" },
        { 5, "5" }, { 0.2, "1/5" }, { 6, "6" }, { 0.166666666666666667, "1/6" }, { 8, "8" },
        { 0.125, "1/8" }, { 10, "10" }, { 0.1, "1/10" }, { 12, "12" },
        { 0.0833333333333333333, "1/12" }, { 16, "16" }, { 0.0625, "1/16" }, { 100, "100" },
        { 0.01, "1/100" }, { 1000, "1000" }, { 0.001, "1/1000" } };
    static const double x[1] = { 0.837 };
    size_t k;
    int sign;
    for (k = 0; k < sizeof all / sizeof all[0]; k++)
        for (sign = -1; sign <= 1; sign += 2) {
            claims c = { { 0, 0, 0 }, { 0, 0, 0 }, 0 };
            char expected[40];
            ad_check_options o = default_options();
            ad_check_result r;
            c.times[0] = sign * all[k].factor;
            snprintf(expected, sizeof expected, "factor %s%s", sign < 0 ? "-" : "", all[k].name);
            ad_check_gradient(half_squares, claims_g, x, 1, &c, &o, &r);
            CHECK(r.n_findings == 1);
            SAYS(r.findings[0].cause, expected);
        }
}

/* What f itself is like, at x[0] = at. */
enum { STEP_RIGHT, STEP_LEFT, ROOT, X_LOG_X, CORNER, NOWHERE_ELSE, ROUGH, PARABOLA, SIDE, HALVES,
    ROUGH_HALVES };
typedef struct scene { int kind; double claim, size; } scene;
static double by_chance(double x)                  /* of (-1, 1), by the bits of x */
{
    uint64_t b;
    memcpy(&b, &x, sizeof b);
    b = (b ^ b >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
    b = (b ^ b >> 32) * UINT64_C(0x9E3779B97F4A7C15);
    return (double)(b >> 11) / 4503599627370496.0 - 1;
}
static double scene_f(const double *x, size_t n, void *user)
{
    const scene *s = (const scene *)user;
    const double t = x[0];
    double sum = 0;
    size_t i;
    switch (s->kind) {
    case STEP_RIGHT: return t <= 0 ? 1 : 3;
    case STEP_LEFT: return t < 0 ? 1 : 3;
    case ROOT: return sqrt(fabs(t));
    case X_LOG_X: return t == 0 ? 0 : t * log(fabs(t));
    case CORNER: return 3 * fabs(t) + t;
    case NOWHERE_ELSE: return t == 0 ? 1 : (double)NAN;
    case ROUGH: return s->size * by_chance(t);
    case PARABOLA: return t * t + s->size * by_chance(t);
    case SIDE: return t < 0 ? (double)NAN : 3 * t + t * t;
    default: break;
    }
    for (i = 0; i < n; i++)
        sum += x[i] * x[i] / 2 + (s->kind == ROUGH_HALVES ? s->size * by_chance(x[i]) : 0);
    return sum;
}
static void scene_g(const double *x, size_t n, double *g, void *user)
{
    const scene *s = (const scene *)user;
    size_t i;
    for (i = 0; i < n; i++) g[i] = s->kind >= HALVES ? x[i] * s->claim : s->claim;
    if (s->kind == HALVES && s->size > 0)          /* every other one is right */
        for (i = 1; i < n; i += 2) g[i] = x[i];
}
static void what_f_is_like(void)
{
    static const struct { scene s; size_t n; double at; const char *message; } all[] = {
        { { STEP_RIGHT, 0, 0 }, 1, 0,
          "DISCONTINUOUS: 1 of 1 components; f jumps by 2 right of x at i=0: claimed 0" },
        { { STEP_LEFT, 0, 0 }, 1, 0,
          "DISCONTINUOUS: 1 of 1 components; f jumps by 2 left of x at i=0: claimed 0" },
        { { ROOT, 0, 0 }, 1, 0,
          "UNBOUNDED: 1 of 1 components; the slope grows like h^-0.50 towards x at i=0: claimed 0,"
          " numeric * +- ~" },
        { { X_LOG_X, 0, 0 }, 1, 0,
          "UNBOUNDED: 1 of 1 components; the slope grows like log h towards x at i=0: claimed 0,"
          " numeric ~~~~~~~~~ +- ~" },
        { { CORNER, THIRD, 0 }, 1, 0,
          "NONSMOOTH_VALID: 1 of 1 components; kink within ~ of x, slopes -2 and 4 at i=0, claimed"
          " 0.333333" },
        { { CORNER, 16.0 / 3, 0 }, 1, 0,
          "NONSMOOTH_INVALID: 1 of 1 components; kink within ~ of x, slopes -2 and 4 at i=0:"
          " claimed"
          " 5.33333333, numeric 1 +- 3" },
        { { NOWHERE_ELSE, THIRD, 0 }, 1, 0,
          "INCONCLUSIVE: 1 of 1 components; no step from x is in the box and has a finite f at i=0"
          " (claimed 0.333333, numeric nan; noise in f ~). Try: x_scale, as x is 0 there" },
        { { ROUGH, THIRD, 1 }, 1, 1,
          "INCONCLUSIVE: 1 of 1 components; the slope is known to +- ~~ only at i=0 (claimed"
          " 0.333333, numeric ~~~~~~; noise in f ~). Try: another x; atol, if so little does not"
          " matter" },
        { { ROUGH, THIRD, 1 }, 1, 0,
          "INCONCLUSIVE: 1 of 1 components; the slope is known to +- ~~ only at i=0 (claimed"
          " 0.333333, numeric ~~~~~~; noise in f ~). Try: x_scale, as x is 0 there" },
        { { PARABOLA, 2, 1e-3 }, 1, 1,
          "CORRECT_NOISE_LIMITED: f carries noise ~, so only ~ relative can be checked; agreement"
          " ~,"
          " 1 components" },
        { { SIDE, 3, 0 }, 1, 0,
          "CORRECT_ONESIDED: 1 components, worst relative difference ~; an error above ~ would have"
          " been seen" },
        { { HALVES, 1, 0 }, 8, 1,
          "CORRECT (directional, 4 directions): an error above ~ of a typical component would have"
          " been seen; n=8, @ f evals" },
        { { HALVES, -1, 0 }, 8, 1,
          "WRONG: 8 found among 8 components; sign at i=@: claimed *"
          "; of 32 more at random 32 differ" },
        { { HALVES, 2, 1 }, 12, 1,
          "WRONG: 6 found among 12 components; factor 2 at i=@: claimed *" },
        { { ROUGH_HALVES, 1, 0.1 }, 8, 1,
          "INCONCLUSIVE: noise in f (~~, |f| = ~~) leaves a resolution of ~~ for a component. Try:"
          " double inside f, smaller sums, or blocks" },
        { { ROUGH_HALVES, 1, 1e-6 }, 8, 1,
          "CORRECT (directional, 4 directions): an error above ~ of a typical component would have"
          " been seen; n=8, @ f evals" } };
    ad_check_options o = default_options();
    ad_check_result r;
    double x[40];
    scene s;
    size_t k, i;
    o.dense_limit = 4;
    for (k = 0; k < sizeof all / sizeof all[0]; k++) {
        s = all[k].s;
        for (i = 0; i < all[k].n; i++) x[i] = all[k].at + 0.1 * (double)i;
        ad_check_gradient(scene_f, scene_g, x, all[k].n, &s, &o, &r);
        SAYS(r.message, all[k].message);
    }
    /* the same under options */
    s.kind = HALVES;
    s.size = 0;
    for (i = 0; i < 40; i++) x[i] = 1 + 0.1 * (double)i;
    s.claim = 2;
    o.localise = -1;
    ad_check_gradient(scene_f, scene_g, x, 8, &s, &o, &r);
    SAYS(r.message, "WRONG: along a random direction: claimed ~~~~~~~~~, numeric ~~~~~~~~~ +- ~");
    CHECK(fabs(r.findings[0].claimed - 2 * r.findings[0].numeric)
          < 1e-5 * fabs(r.findings[0].claimed));
    s.claim = 1.0001;
    ad_check_gradient(scene_f, scene_g, x, 8, &s, &o, &r);
    SAYS(r.message, "INACCURATE: along a random direction: claimed ~~~~~~~~~, numeric ~~~~~~~~~"
        " +- ~");
    s.claim = 1;
    o.directions = 1;
    o.f_noise = 0.25;
    ad_check_gradient(scene_f, scene_g, x, 8, &s, &o, &r);
    SAYS(r.message, "INCONCLUSIVE: noise in f (0.25, |f| = 7.5) leaves a resolution of ~~ for a"
        " component. Try: double inside f, smaller sums, or blocks");
    o.f_noise = 0;
    o.max_evals = 20;
    ad_check_gradient(scene_f, scene_g, x, 8, &s, &o, &r);
    SAYS(r.message, "BUDGET: 20 evaluations were not enough, 8 of 8 components undecided; raise"
        " max_evals");
    o = default_options();
    o.max_evals = 12;
    s.claim = -1;
    ad_check_gradient(scene_f, scene_g, x, 8, &s, &o, &r);
    SAYS(r.message, "BUDGET: 12 evaluations were not enough, 8 of 8 components undecided; raise"
        " max_evals");
    o.max_evals = 3;
    ad_check_gradient(scene_f, scene_g, x, 8, &s, &o, &r);
    SAYS(r.message, "BUDGET: 3 evaluations are too few to begin with");
    o = default_options();
    o.strict = 1;
    s.kind = CORNER;
    s.claim = 1.5;
    x[0] = 0;
    ad_check_gradient(scene_f, scene_g, x, 1, &s, &o, &r);
    SAYS(r.message, "NONSMOOTH_INVALID: 1 of 1 components; kink within ~ of x, slopes -2 and 4 at"
        " i=0: claimed 1.5, numeric 1 +- 3");
    /* of many wrong ones, how many of some at random differ: half of them, nearly */
    o = default_options();
    o.dense_limit = 4;
    s.kind = HALVES;
    s.size = 1;
    s.claim = 2;
    x[0] = 1;
    ad_check_gradient(scene_f, scene_g, x, 40, &s, &o, &r);
    {
        const char *const tail = strstr(r.message, "; of 32 more at random ");
        int differ = 0;
        CHECK(tail != NULL && sscanf(tail, "; of 32 more at random %d", &differ) == 1);
        CHECK(differ >= 6 && differ <= 26);
    }
}

/* A matrix of numbers, F = A x; what derivative code does wrong is `bad`. */
enum { RIGHT_A, NEGATIVE_1_0, EXCHANGED, NEGATIVE_COLUMN, ADDS, SKIPS, COUNTS_CALLS, LAST_X, OVER,
    UNDER, WRITES_X, WRITES_V, CURVED, AFFINE };
typedef struct table { int bad, calls; double seen; } table;
static const double table_A[6] = { 2, 0.5, -1, 3, 0.25, 5 };
static void table_F(const double *x, size_t n, double *y, size_t m, void *user)
{
    table *const t = (table *)user;
    size_t i, j;
    t->seen = x[0];
    for (i = 0; i < m; i++)
        for (y[i] = 0, j = 0; j < n; j++) y[i] += table_A[i * n + j] * x[j];
}
static void table_break(table *t, const double *x, double *out, size_t count)
{
    if (t->bad == ADDS) out[1] += 1;
    if (t->bad == COUNTS_CALLS) out[1] += ++t->calls;
    if (t->bad == LAST_X) out[1] += t->seen;
    if (t->bad == OVER) out[count] = 1;
    if (t->bad == UNDER) out[-1] = 1;
    if (t->bad == WRITES_X) ((double *)(uintptr_t)x)[1] += 1;
}
static void table_J(const double *x, size_t n, double *J, size_t m, void *user)
{
    table *const t = (table *)user;
    const double held = J[1];
    size_t i, j;
    for (i = 0; i < m; i++)
        for (j = 0; j < n; j++) J[t->bad == EXCHANGED ? j * m + i : i * n + j] = table_A[i * n + j];
    if (t->bad == NEGATIVE_1_0) J[n] = -J[n];
    if (t->bad == SKIPS || t->bad == ADDS) J[1] = held;
    table_break(t, x, J, m * n);
}
static void table_v(const double *x, size_t n, const double *v, double *Jv, size_t m, void *user)
{
    table *const t = (table *)user;
    const double held = Jv[1];
    size_t i, j;
    for (i = 0; i < m; i++)
        for (Jv[i] = 0, j = 0; j < n; j++)
            Jv[i] += (t->bad == NEGATIVE_COLUMN && j == 1 ? -1 : 1) * table_A[i * n + j] * v[j];
    if (t->bad == SKIPS || t->bad == ADDS) Jv[1] = held;
    if (t->bad == CURVED) Jv[1] += v[0] * v[0];
    if (t->bad == AFFINE) Jv[1] += v[0] == 0;
    if (t->bad == WRITES_V) ((double *)(uintptr_t)v)[1] += 1;
    table_break(t, x, Jv, m);
}
static void table_w(const double *x, size_t n, const double *w, double *wJ, size_t m, void *user)
{
    table *const t = (table *)user;
    const double held = wJ[1];
    size_t i, j;
    for (j = 0; j < n; j++)
        for (wJ[j] = 0, i = 0; i < m; i++)
            wJ[j] += w[i] * table_A[i * n + j]
                * (t->bad == NEGATIVE_1_0 && i == 1 && j == 0 ? -1 : 1);
    if (t->bad == SKIPS || t->bad == ADDS) wJ[1] = held;
    table_break(t, x, wJ, n);
}
static void table_sparse(const double *x, size_t n, double *values, size_t nnz, void *user)
{
    (void)x; (void)n; (void)user;
    memcpy(values, table_A, nnz * sizeof *values);
}
static void where_it_is(void)
{
    static const struct { int bad; char who; const char *message; } all[] = {
        { RIGHT_A, 'J', "CORRECT: 6 entries, worst relative difference ~; an error above ~ would"
          " have"
          " been seen" },
        { NEGATIVE_1_0, 'J', "WRONG: 1 of 6 entries; sign at row 1, column 0 (W[0]): claimed -3,"
          " numeric 3 +- ~" },
        { EXCHANGED, 'J', "WRONG: 4 of 6 entries; rows and columns exchanged at row 0, column 2:"
          " claimed 0.5, numeric -1 +- ~" },
        { ADDS, 'J', "ACCUMULATES: J adds to what its output held, at index 1" },
        { SKIPS, 'J', "UNWRITTEN: J does not write, at index 1" },
        { COUNTS_CALLS, 'J', "NONDETERMINISTIC: J gives two results for one x, at index 1. Try:"
          " nondet_tol, if its results may differ so" },
        { LAST_X, 'J', "STALE_STATE: J depends on the call before it: it uses what another x"
          " left, at"
          " index 1" },
        { OVER, 'J', "OUT_OF_BOUNDS: J writes past the end of its output, at index 6 of 6" },
        { UNDER, 'J', "OUT_OF_BOUNDS: J writes before the start of its output, at index -1" },
        { WRITES_X, 'J', "X_MODIFIED: J writes to its input x, at index 1" },
        { RIGHT_A, 'v', "CORRECT: 6 entries, worst relative difference ~; an error above ~ would"
          " have"
          " been seen" },
        { NEGATIVE_COLUMN, 'v', "WRONG: 2 of 6 entries; sign at row *, column 1 (W[1]): claimed"
          " *" },
        { ADDS, 'v', "ACCUMULATES: jv adds to what its output held, at index 1" },
        { CURVED, 'v', "WRONG: jv is not linear: -2 times the direction does not give -2 times the"
          " result,"
          " at index 1" },
        { AFFINE, 'v', "WRONG: jv does not give 0 for the direction 0, at index 1" },
        { WRITES_V, 'v', "X_MODIFIED: jv writes to its direction" },
        { OVER, 'v', "OUT_OF_BOUNDS: jv writes past the end of its output, at index 2 of 2" },
        { RIGHT_A, 'w', "CORRECT: 6 entries, worst relative difference ~; an error above ~ would"
          " have"
          " been seen" },
        { NEGATIVE_1_0, 'w', "WRONG: 1 of 6 entries; sign at row 1, column 0 (W[0]): claimed -3,"
          " numeric 3 +- ~" },
        { ADDS, 'w', "ACCUMULATES: vj adds to what its output held, at index 1" },
        { UNDER, 'w', "OUT_OF_BOUNDS: vj writes before the start of its output, at index -1" },
        { RIGHT_A, 'a', "CORRECT: 4 entries, worst relative difference ~; an error above ~ would"
          " have"
          " been seen" },
        { NEGATIVE_1_0, 'a', "WRONG: vj is not the transpose of jv: w.(J v) is not (J^T w).v:"
          " claimed"
          " ~~~~~~~~~, numeric ~~~~~~~~~ +- ~" },
        { RIGHT_A, 's', "WRONG: 1 of 6 entries; the pattern has no such entry at row 1, column 2:"
          " claimed 0, numeric 5 +- ~" },
        /* many columns: combinations of rows, and directions */
        { RIGHT_A, 'd', "CORRECT (directional, 4 directions): an error above ~ of a typical"
          " component"
          " would have been seen; n=3, @ f evals" },
        { RIGHT_A, 'D', "CORRECT (directional, 4 directions): an error above ~ of a typical"
          " component would have been seen; n=3, @ f evals" },
        { NEGATIVE_1_0, 'D', "WRONG: 1 found among 3 components; off at i=0 (W[0]): claimed"
          " ~~~~~~~~~, numeric ~~~~~~~~~ +- ~" },
        { NEGATIVE_1_0, 'd', "WRONG: 1 found among the entries of @ columns; sign at row 1,"
          " column 0 (W[0]): claimed -3, numeric 3 +- ~" },
    };
    static const double x[3] = { 0.75, -1.25, 0.5 };
    static const size_t row_start[] = { 0, 3, 5 }, column[] = { 0, 1, 2, 0, 1 };
    static const ad_check_block blocks[2] = { { "W", 0, 2 }, { "beyond", 2, 1 } };
    ad_check_options o = default_options();
    size_t k;
    o.blocks = blocks;
    o.n_blocks = 1;                                /* the other one is none */
    for (k = 0; k < sizeof all / sizeof all[0]; k++) {
        ad_check_result r;
        table t;
        memset(&t, 0, sizeof t);
        t.bad = all[k].bad;
        o.dense_limit = all[k].who == 'd' || all[k].who == 'D' ? 1 : 0;
        switch (all[k].who) {
        case 'v': ad_check_jvp(table_F, table_v, x, 3, 2, &t, &o, &r); break;
        case 'w':
        case 'D': ad_check_vjp(table_F, table_w, x, 3, 2, &t, &o, &r); break;
        case 'a': ad_check_adjoint(table_v, table_w, x, 3, 2, &t, &o, &r); break;
        case 's':
            ad_check_sparse_jacobian(table_F, table_sparse, x, 3, 2, row_start, column, &t, &o, &r);
            break;
        default: ad_check_jacobian(table_F, table_J, x, 3, 2, &t, &o, &r); break;
        }
        SAYS(r.message, all[k].message);
    }
}

/* Between the knots of a table: what is summed is straight up to them. Its slope is right however
   near a knot is, and another is wrong. */
static double table_at(double x, double *slope)
{
    const double i = floor(2 * x), a = cos(i / 2), b = cos((i + 1) / 2);
    *slope = 2 * (b - a);
    return a + (b - a) * (2 * x - i);
}
static double table_f(const double *x, size_t n, void *user)
{
    double s = 0, slope;
    size_t i;
    (void)user;
    for (i = 0; i < n; i++) s += table_at(x[i], &slope);
    return s;
}
static void table_g(const double *x, size_t n, double *g, void *user)
{
    size_t i;
    for (i = 0; i < n; i++) table_at(x[i], &g[i]);
    g[0] *= *(const double *)user;
}
static void table_hv(const double *x, size_t n, const double *v, double *Hv, void *user)
{
    size_t i;
    (void)x;
    for (i = 0; i < n; i++) Hv[i] = user ? 0 * v[i] : v[i];
}
/* What shows only when f comes from another x: what that left there, a habit for good, a count. */
typedef struct habits { int kind, calls, changed; double last, x; } habits;
static double habits_f(const double *x, size_t n, void *user)
{
    habits *const u = (habits *)user;
    const double before = u->last;
    (void)n;
    u->calls++;
    u->changed |= x[0] != u->x;
    u->last = x[0];
    return x[0] * x[0] + (u->kind == 0 ? before != x[0] : u->kind == 1 ? u->changed
                          : u->calls > 2 ? 1e-3 * u->calls : 0);
}
static void habits_g(const double *x, size_t n, double *g, void *user)
{
    (void)n;
    (void)user;
    g[0] = 2 * x[0];
}
static void test_habits(void)
{
    static const char *const says[] = { "STALE_STATE: f depends on the call before it",
        "STALE_STATE: f depends on the call before it",
        "NONDETERMINISTIC: f gives two results for one x" };
    int kind;
    for (kind = 0; kind < 3; kind++) {
        const double x = 0.7;
        habits u = { 0, 0, 0, 0, 0 };
        ad_check_result r;
        u.kind = kind;
        u.last = u.x = x;
        ad_check_gradient(habits_f, habits_g, &x, 1, &u, NULL, &r);
        test_check(strncmp(r.message, says[kind], strlen(says[kind])) == 0, __FILE__, __LINE__,
                   "habit %d: %s", kind, r.message);
    }
}

/* Noise of any size beside sin(x) y. */
static double hissing_f(const double *x, size_t n, void *user)
{
    (void)n;
    return sin(x[0]) * x[1] + ((const double *)user)[1] * sin(1e9 * x[0] + 3e8 * x[1]);
}
static void hissing_g(const double *x, size_t n, double *g, void *user)
{
    (void)n;
    g[0] = *(const double *)user * cos(x[0]) * x[1];
    g[1] = sin(x[0]);
}
static void test_hissing(void)
{
    static const double x[2] = { 0.7, 1.3 };
    int k;
    for (k = 1; k <= 10; k++) {
        double how[2] = { 1, pow(10, -k) };
        ad_check_result r;
        const ad_verdict v = ad_check_taylor(hissing_f, hissing_g, NULL, x, 2, how, NULL, &r);
        test_check(k < 8 ? v == AD_VERDICT_INCONCLUSIVE : v == AD_VERDICT_CORRECT, __FILE__,
                   __LINE__, "noise of 1e-%d: %s", k, r.message);
        how[0] = 0.9;
        if (k > 5) {
            ad_check_taylor(hissing_f, hissing_g, NULL, x, 2, how, NULL, &r);
            test_check(r.verdict == AD_VERDICT_WRONG, __FILE__, __LINE__,
                       "noise of 1e-%d, a wrong claim: %s", k, r.message);
        }
    }
}
/* No slope is claimed of what has none. */
static double flat_f(const double *x, size_t n, void *user)
{
    (void)x;
    (void)n;
    return *(const double *)user;
}
static void flat_g(const double *x, size_t n, double *g, void *user)
{
    size_t i;
    (void)x;
    (void)user;
    for (i = 0; i < n; i++) g[i] = 0;
}
static void test_flat(void)
{
    static const double x[2] = { 0.7, 1.3 };
    double value;
    for (value = 0; value < 3; value += 1.5) {
        ad_check_result r;
        ad_check_taylor(flat_f, flat_g, NULL, x, 2, &value, NULL, &r);
        test_check(r.verdict == AD_VERDICT_CORRECT, __FILE__, __LINE__, "%g: %s", value, r.message);
    }
}
static void test_knots(void)
{
    double factor[2] = { 1, 0.98 };
    int k, way;
    for (k = 0; k < 60; k++)
        for (way = 0; way < 4; way++) {
            const double x[3] = { 0.7, 1 + ldexp(k % 2 ? -1 : 1, -k / 6 - 2), -0.3 };
            ad_check_result r;
            const ad_verdict v = ad_check_taylor(table_f, table_g, way & 2 ? table_hv : NULL, x, 3,
                                                 &factor[way & 1], NULL, &r);
            test_check(way & 1 ? v == AD_VERDICT_WRONG : v != AD_VERDICT_WRONG, __FILE__, __LINE__,
                       "a knot %g off, way %d: %s", x[1] - 1, way, r.message);
        }
}

/* A sparse Jacobian whose diagonal is a little off everywhere, and one entry of the wrong sign
   beside it, in any row: it is found, and told first. */
typedef struct stairs { size_t bad; size_t start[1201], column[2400]; } stairs;
static void stairs_f(const double *x, size_t n, double *y, size_t m, void *user)
{
    size_t i;
    (void)n;
    (void)user;
    for (i = 0; i < m; i++) y[i] = x[i] * x[i] * x[i] + (i ? 2 * x[i - 1] : 0);
}
static void stairs_j(const double *x, size_t n, double *v, size_t nnz, void *user)
{
    const stairs *const s = (const stairs *)user;
    size_t i, e;
    (void)nnz;
    for (i = 0; i < n; i++)
        for (e = s->start[i]; e < s->start[i + 1]; e++)
            v[e] = (s->column[e] == i ? 3.0006 * x[i] * x[i] : 2) * (i == s->bad ? -1 : 1);
}
static void test_behind_little_errors(void)
{
    static const size_t sizes[] = { 300, 700, 1200 };
    static stairs s;
    double *const x = (double *)malloc(1200 * sizeof *x);
    size_t k, i, e, at;
    for (k = 0; k < 3; k++)
        for (at = 1; at < sizes[k]; at += sizes[k] / 5) {
            const size_t n = sizes[k];
            ad_check_result r;
            s.bad = at;
            for (i = e = 0; i < n; i++) {
                x[i] = 0.5 + 0.3 * (double)(i % 7);
                s.start[i] = e;
                if (i) s.column[e++] = i - 1;
                s.column[e++] = i;
            }
            s.start[n] = e;
            ad_check_sparse_jacobian(stairs_f, stairs_j, x, n, n, s.start, s.column, &s, NULL, &r);
            test_check(r.verdict == AD_VERDICT_WRONG && r.findings[0].i == at
                       && r.hint == AD_HINT_NONE && r.findings[0].hint == AD_HINT_SIGN, __FILE__,
                       __LINE__, "row %d of %d: %s", (int)at, (int)n, r.message);
        }
    free(x);
}
/* The same of a gradient with more variables than are looked at one by one: every fifth entry is a
   little off, and one has the wrong sign. */
typedef struct throng { size_t bad; double factor; } throng;
static double throng_f(const double *x, size_t n, void *user)
{
    double sum = 0;
    size_t i;
    (void)user;
    for (i = 0; i < n; i++) sum += (double)(1 + i % 7) * sin(x[i]);
    return sum;
}
static void throng_g(const double *x, size_t n, double *g, void *user)
{
    const throng *const c = (const throng *)user;
    size_t i;
    for (i = 0; i < n; i++)
        g[i] = (double)(1 + i % 7) * cos(x[i]) * (i % 5 ? 1 : c->factor) * (i == c->bad ? -1 : 1);
}
static void test_among_little_errors(void)
{
    double *const x = (double *)malloc(5000 * sizeof *x);
    throng c;
    size_t i;
    for (i = 0; i < 5000; i++) x[i] = 0.3 + 1e-4 * (double)i;
    for (i = 0; i < 12; i++) {
        ad_check_result r;
        c.factor = i % 2 ? 1.005 : 0.99;
        c.bad = 3 + 411 * i;
        ad_check_gradient(throng_f, throng_g, x, 5000, &c, NULL, &r);
        test_check(r.verdict == AD_VERDICT_WRONG && r.findings[0].i == c.bad
                   && r.n_findings == AD_CHECK_FINDINGS, __FILE__, __LINE__, "%d: %s", (int)c.bad,
                   r.message);
    }
    free(x);
}
/* One wrong sign of a symmetric matrix is no exchange of rows and columns, however much else is
   wrong; a transposed matrix is one. */
static double striped(size_t i, size_t j) { return i == j ? -4 : i == j + 1 || j == i + 1; }
static void striped_f(const double *x, size_t n, double *y, size_t m, void *user)
{
    size_t i, j;
    for (i = 0; i < m; i++)
        for (y[i] = 0, j = 0; j < n; j++)
            y[i] += (*(int *)user ? (double)(i + 2 * j) + 1 : striped(i, j)) * x[j];
}
static void striped_j(const double *x, size_t n, double *J, size_t m, void *user)
{
    size_t i, j;
    (void)x;
    for (i = 0; i < m; i++)
        for (j = 0; j < n; j++)
            J[i * n + j] = *(int *)user ? (double)(j + 2 * i) + 1
                                        : striped(i, j) * (i == j ? 1.01 : 1);
    if (!*(int *)user) J[7 * n + 6] = -1;
}
static void test_half_exchanged(void)
{
    double x[10];
    ad_check_result r;
    int turned, i;
    for (i = 0; i < 10; i++) x[i] = 1 + i;
    for (turned = 0; turned < 2; turned++) {
        ad_check_jacobian(striped_f, striped_j, x, 10, 10, &turned, NULL, &r);
        test_check(r.verdict == AD_VERDICT_WRONG
                   && r.findings[0].hint == (turned ? AD_HINT_TRANSPOSED : AD_HINT_SIGN), __FILE__,
                   __LINE__, "turned %d: %s", turned, r.message);
    }
}
/* What passes is within what the message says would have been seen, and is told: a claim off by
   more and more, of Rosenbrock's function. */
static double valley_of(double a, double b)
{
    const double p = 10 * (b - a * a), q = 1 - a;
    return p * p + q * q;
}
static double valley_d(const double *x, size_t n, void *user)
{
    (void)n;
    (void)user;
    return valley_of(x[0], x[1]);
}
static float valley_f(const float *x, size_t n, void *user)
{
    (void)n;
    (void)user;
    return (float)valley_of((double)x[0], (double)x[1]);
}
static void test_what_is_said(void)
{
    int k, e, single;
    for (single = 0; single < 2; single++)
        for (k = 0; k < 40; k++)
            for (e = -48; e <= 48; e++) {
                const double off = (single ? 1e-4 : 1e-7) * (double)e;
                const float x[2] = { (float)(0.3 + 0.02 * k), (float)(0.1 + 0.031 * (k * 7 % 40)) };
                const double a = (double)x[0], b = (double)x[1], at[2] = { a, b };
                const double g[2] = { (-400 * a * (b - a * a) - 2 * (1 - a)) * (1 + off),
                                      200 * (b - a * a) };
                const float g_f[2] = { (float)g[0], (float)g[1] };
                const double error = single ? fabs((double)g_f[0] / g[0] * (1 + off) - 1)
                                            : fabs(off);
                ad_check_result r;
                if (single) adf_check_values(valley_f, g_f, x, 2, NULL, NULL, &r);
                else ad_check_values(valley_d, g, at, 2, NULL, NULL, &r);
                if (!ad_check_ok(r.verdict)) continue;
                test_check(error <= 1.05 * r.resolution && (r.verdict != AD_VERDICT_CORRECT
                           || fabs(r.worst_rel - error) <= (single ? 1e-3 : 1e-6)), __FILE__,
                           __LINE__, "point %d, off by %g, said to be %g: %s", k, error,
                           r.worst_rel, r.message);
            }
}

/* f = x.x / 2 + x[0]^3 + x[0]^5 / 5 and its derivatives; what is wrong with them is `bad`: 1 the
   gradient, 2 an entry of the Hessian, 3 its symmetry alone, 4 f with its gradient. */
static double power_f(const double *x, size_t n, void *user)
{
    (void)user;
    return half_squares(x, n, NULL) + x[0] * x[0] * x[0] * (1 + x[0] * x[0] / 5);
}
static void power_g(const double *x, size_t n, double *g, void *user)
{
    size_t i;
    for (i = 0; i < n; i++) g[i] = x[i];
    g[0] += x[0] * x[0] * (3 + x[0] * x[0]);
    if (*(const int *)user == 1) g[0] += 1;
    if (*(const int *)user == 3) g[0] += x[1];                 /* of no function */
}
static void power_hv(const double *x, size_t n, const double *v, double *Hv, void *user)
{
    const int bad = *(const int *)user;
    size_t i;
    for (i = 0; i < n; i++) Hv[i] = v[i];
    Hv[0] += x[0] * (6 + 4 * x[0] * x[0]) * v[0];
    if (bad == 2 || bad == 3) Hv[0] += v[1];
}
static void power_h(const double *x, size_t n, double *H, void *user)
{
    double v[3], Hv[3];
    size_t i, j;
    for (j = 0; j < n; j++) {
        for (i = 0; i < n; i++) v[i] = i == j;
        power_hv(x, n, v, Hv, user);
        for (i = 0; i < n; i++) H[i * n + j] = Hv[i];
    }
}
static double power_fg(const double *x, size_t n, double *g, void *user)
{
    const double f = power_f(x, n, NULL);
    if (g) power_g(x, n, g, user);
    return *(const int *)user == 4 && g ? f + 1 : f;
}
/* x^3 + c x^5 */
static double steep_f(const double *x, size_t n, void *user)
{
    (void)n;
    return x[0] * x[0] * x[0] * (1 + *(const double *)user * x[0] * x[0]);
}
static void steep_g(const double *x, size_t n, double *g, void *user)
{
    (void)n;
    g[0] = x[0] * x[0] * (3 + 5 * *(const double *)user * x[0] * x[0]);
}
static void second_opinions(void)
{
    static const double zero = 0;
    double steep = 1e9;
    ad_check_options o = default_options();
    ad_check_result r;
    static const struct { int bad; char who; const char *message; } all[] = {
        { 0, 't', "CORRECT: remainder slope ~~~, 3 if g is right" },
        { 1, 't', "WRONG: remainder slope ~~~, 3 if g is right: claimed ~~~~~~~~~, numeric"
          " ~~~~~~~~~ +- ~" },
        { 0, 'T', "CORRECT: remainder slope ~~~, 3 if g is right; second order ~~~, 4 if H is" },
        { 2, 'T', "WRONG: remainder slope ~~~, 3 if g is right; second order ~~~, 4 if H is:"
          " claimed"
          " ~~~~~~~~~, numeric ~~~~~~~~~ +- ~" },
        { 0, 'h', "CORRECT: 9 entries, worst relative difference ~; an error above ~ would have"
          " been"
          " seen" },
        { 2, 'h', "WRONG: 1 of 9 entries; off at row 0, column 1: claimed 1, numeric 0 +- ~" },
        { 3, 'h', "WRONG: not symmetric: claimed ~~~~~~~~~, numeric ~~~~~~~~~ +- 0" },
        { 0, 'H', "CORRECT: 9 entries, worst relative difference ~; an error above ~ would have"
          " been"
          " seen" },
        { 2, 'H', "WRONG: 1 of 9 entries; not symmetric at row 0, column 1: claimed 1, numeric 0 +-"
          " ~" },
        { 3, 'H', "WRONG: 1 of @ entries; not symmetric at row 1, column 0: claimed 0, numeric 1 +-"
          " 0" },
        { 0, 'f', "CORRECT: 3 components, worst relative difference ~; an error above ~ would have"
          " been seen" },
        { 1, 'f', "WRONG: 1 of 3 components; off at i=0: claimed 2.3125, numeric 1.3125 +- ~" },
        { 4, 'f', "WRONG: fg returns 2.34625 with g and 1.34625 without" },
    };
    static const double x[3] = { 0.5, 0.7, -1.3 };
    size_t k;
    for (k = 0; k < sizeof all / sizeof all[0]; k++) {
        int bad = all[k].bad;
        switch (all[k].who) {
        case 't': ad_check_taylor(power_f, power_g, NULL, x, 3, &bad, NULL, &r); break;
        case 'T': ad_check_taylor(power_f, power_g, power_hv, x, 3, &bad, NULL, &r); break;
        case 'h': ad_check_hessian(power_g, power_hv, x, 3, &bad, NULL, &r); break;
        case 'H': ad_check_hessian_matrix(power_g, power_h, x, 3, &bad, NULL, &r); break;
        default: ad_check_fgradient(power_fg, x, 3, &bad, NULL, &r); break;
        }
        SAYS(r.message, all[k].message);
        if (all[k].who == 't' || all[k].who == 'T') {
            CHECK_NEAR(r.slope, all[k].bad == 1 ? 1 : 3, 2e-4);
            CHECK_NEAR(r.slope2, all[k].who == 't' ? 0 : all[k].bad == 2 ? 2 : 4, 5e-4);
        }
    }
    /* the shortest steps are read, where there is no noise */
    o.f_noise = 1e-300;
    ad_check_taylor(steep_f, steep_g, NULL, &zero, 1, &steep, &o, &r);
    CHECK_NEAR(r.slope, 4.2955211061, 1e-6);
}

/* ---------------------------------------------------------------- reports, to the letter */
static ad_check_finding finding(ad_verdict v, size_t i, size_t j, double x, double claimed,
                                double numeric, double bound, const char *name, const char *cause)
{
    ad_check_finding f;
    memset(&f, 0, sizeof f);
    f.verdict = v;
    f.i = i;
    f.j = j;
    f.x = x;
    f.claimed = claimed;
    f.numeric = numeric;
    f.bound = bound;
    f.left = f.right = (double)NAN;
    f.h = 0.125;
    f.ratio = claimed / numeric;
    f.partner = AD_NO_INDEX;
    strcpy(f.name, name);
    strcpy(f.cause, cause);
    return f;
}
static ad_check_result result(ad_verdict v, const char *what, size_t n, size_t m,
                              const char *message)
{
    ad_check_result r;
    memset(&r, 0, sizeof r);
    r.verdict = v;
    r.what = what;
    r.n = n;
    r.m = m;
    r.f_noise = 1.25e-16;
    r.resolution = 2.5e-6;
    r.worst_rel = 3e-10;
    r.checked = n * m;
    r.f = 0.5;
    r.seed = 7;
    strcpy(r.message, message);
    return r;
}
static void printed(void)
{
    static const char head[] = "    %9s  name                          x          claimed"
        "          numeric  +- bound    rel.err  verdict\n";
    const size_t no = AD_NO_INDEX;
    ad_check_result r;
    text t;
    char expected[2000];
#define PRINTS(want) do {                                                                          \
        t = empty_text();                                                                          \
        CHECK_STATUS(ad_check_print(&r, text_write, &t), AD_OK);                                   \
        CHECK_STRING(t.p, want);                                                                   \
        free(t.p);                                                                                 \
    } while (0)
    r = result(AD_VERDICT_CORRECT, "gradient", 3, 1, "CORRECT: 3 components");
    PRINTS("gradient, x in R^3\n  CORRECT: 3 components\n");
    r.f_evals = 9;
    PRINTS("gradient, x in R^3\n  CORRECT: 3 components\n"
        "  noise in f 1e-16; 9 f and 0 g evaluations; seed 7\n");
    r.f_evals = 0;
    r.g_evals = 4;
    r.label = "loss";
    r.file = "a.c";
    r.line = 12;
    r.message[0] = 0;
    PRINTS("loss  gradient, x in R^3  a.c:12\n  CORRECT\n"
        "  noise in f 1e-16; 0 f and 4 g evaluations; seed 7\n");
    /* components: what is wrong, undecided, at a kink, and the rest of ten */
    r = result(AD_VERDICT_WRONG, "gradient", 10, 1, "WRONG: some");
    r.wrong = 3;
    r.inconclusive = 2;
    r.nonsmooth = 1;
    r.n_findings = 4;
    r.findings[0] = finding(AD_VERDICT_WRONG, 4, no, 1.0 / 3, 2.0 / 3, -2.0 / 3, 3.4e-10, "angle",
        "sign");
    r.findings[1] = finding(AD_VERDICT_INACCURATE, 0, no, -2, 1.5, 1, 0.25, "a name of 16 byt", "");
    r.findings[2] = finding(AD_VERDICT_INCONCLUSIVE, 9, no, 1e300, 0, (double)NAN, (double)INFINITY,
        "a name of seventeen", "noise");
    r.findings[3] = finding(AD_VERDICT_NONSMOOTH_VALID, no, no, 0, 0, 0, 0, "", "kink");
    sprintf(expected, "gradient, x in R^10\n  WRONG: some\n");
    sprintf(expected + strlen(expected), head, "i");
    strcat(expected,
        "            4  angle                  0.333333      0.666666667     -0.666666667  3e-10 "
        "    "
        "        2  WRONG  (sign)\n"
        "            0  a name of 16 byt             -2              1.5                1  0.2   "
        "    "
        "     0.33  INACCURATE\n"
        "            9  a name of seventeen         1e+300                0              nan  inf"
        "    "
        "         inf  INCONCLUSIVE  (noise)\n"
        "            -                                0                0                0  0     "
        "    "
        "        0  NONSMOOTH_VALID  (kink)\n"
        "    others: 4 correct to 3e-10, 1 at a kink, 1 more wrong, 1 more undecided\n");
    PRINTS(expected);
    r.checked = 6;
    strcpy(strstr(expected, "    others: "),
        "    others: 0 correct, 1 at a kink, 1 more wrong, 1 more undecided\n");
    PRINTS(expected);
    r.mode = AD_CHECK_DIRECTIONAL;                 /* the others are not known */
    *strstr(expected, "    others: ") = 0;
    PRINTS(expected);
    /* entries of a matrix, of a column, of neither */
    r = result(AD_VERDICT_UNBOUNDED, "Jacobian", 3, 2, "UNBOUNDED: some");
    r.wrong = 1;
    r.n_findings = 3;
    r.findings[0] = finding(AD_VERDICT_UNBOUNDED, 1, 2, 0.5, 1, 2, 1e-3, "W[1]", "");
    r.findings[1] = finding(AD_VERDICT_INCONCLUSIVE, no, 2, 0.5, 1, 2, 1e-3, "", "");
    r.findings[2] = finding(AD_VERDICT_INCONCLUSIVE, 1, no, 0.5, 1, 2, 1e-3, "", "");
    sprintf(expected, "Jacobian, x in R^3, 2 outputs\n  UNBOUNDED: some\n");
    sprintf(expected + strlen(expected), head, "row,col");
    strcat(expected,
        "          1,2  W[1]                        0.5                1                2  0.001 "
        "    "
        "      0.5  UNBOUNDED\n"
        "          *,2                              0.5                1                2  0.001 "
        "    "
        "      0.5  INCONCLUSIVE\n"
        "            1                              0.5                1                2  0.001 "
        "    "
        "      0.5  INCONCLUSIVE\n"
        "    others: 5 correct to 3e-10\n");
    PRINTS(expected);
#undef PRINTS
}

/* A suite of results that were not run, in every format. */
static const char *const reported[] = {
    "broken  adjoint, x in R^1\n"
    "  ERROR: out of memory\n"
    "  reproduce: AD_CHECK_SEED=7 AD_CHECK_ONLY='broken'\n"
    "wrong: \\ it  Jacobian, x in R^3, 2 outputs  d.c:44\n"
    "  WRONG: 2 of 6\n"
    "      row,col  name                          x          claimed          numeric  +-"
    " bound    rel.err  verdict\n"
    "          1,2  W[2]                        0.5      0.333333333             0.25 "
    " 1e-09          0.25  WRONG  (swapped with 1)\n"
    "          *,1                              0.5             0.25               -4 "
    " 1e-09           1.1  WRONG\n"
    "    others: 3 correct to 3e-10, 1 at a kink\n"
    "  reproduce: AD_CHECK_SEED=7 AD_CHECK_ONLY='wrong: \\ it'\n"
    "vague | #1  gradient, x in R^1  b,c.c:3\n"
    "  INCONCLUSIVE: 50% noise\n"
    "            i  name                          x          claimed          numeric  +-"
    " bound    rel.err  verdict\n"
    "            0                                0                1              nan  2  "
    "             inf  INCONCLUSIVE  (noise)\n"
    "    others: 0 correct\n"
    "  reproduce: AD_CHECK_SEED=7 AD_CHECK_ONLY='vague | #1'\n"
    "left out  gradient, x in R^0\n"
    "  SKIPPED: not \"today\"\n"
    "  reproduce: AD_CHECK_SEED=7 AD_CHECK_ONLY='left out'\n"
    "ok right  CORRECT: 2 components\n"
    "ok noisy  CORRECT_NOISE_LIMITED\n"
    "letters & <numbers>: 6 checks: 2 passed, 1 failed, 1 undecided, 1 skipped, 1 could"
    " not run\n",
    "TAP version 14\n"
    "1..6\n"
    "ok 1 - right\n"
    "ok 2 - noisy\n"
    "  ---\n"
    "  verdict: CORRECT_NOISE_LIMITED\n"
    "  message: \"CORRECT_NOISE_LIMITED\"\n"
    "  resolution: 2.5000000000000002e-06\n"
    "  seed: 7\n"
    "  ...\n"
    "ok 3 - left out # SKIP SKIPPED: not \"today\"\n"
    "  ---\n"
    "  verdict: SKIPPED\n"
    "  message: \"SKIPPED: not \\\"today\\\"\"\n"
    "  resolution: 2.5000000000000002e-06\n"
    "  seed: 7\n"
    "  ...\n"
    "not ok 4 - vague | \\#1\n"
    "  ---\n"
    "  verdict: INCONCLUSIVE\n"
    "  message: \"INCONCLUSIVE: 50% noise\"\n"
    "  at: {file: \"b,c.c\", line: 3}\n"
    "  worst: {i: 0, claimed: 1, numeric: null, bound: 2}\n"
    "  resolution: 2.5000000000000002e-06\n"
    "  seed: 7\n"
    "  ...\n"
    "not ok 5 - wrong: \\\\ it\n"
    "  ---\n"
    "  verdict: WRONG\n"
    "  message: \"WRONG: 2 of 6\"\n"
    "  at: {file: \"d.c\", line: 44}\n"
    "  worst: {i: 1, j: 2, claimed: 0.33333333333333331, numeric: 0.25, bound:"
    " 1.0000000000000001e-09}\n"
    "  resolution: 2.5000000000000002e-06\n"
    "  seed: 7\n"
    "  ...\n"
    "not ok 6 - broken\n"
    "  ---\n"
    "  verdict: ERROR\n"
    "  message: \"ERROR: out of memory\"\n"
    "  resolution: 2.5000000000000002e-06\n"
    "  seed: 7\n"
    "  ...\n",
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<testsuites name=\"letters &amp; &lt;numbers&gt;\" tests=\"6\" failures=\"1\""
    " errors=\"2\" time=\"0.000000\">\n"
    "  <testsuite name=\"letters &amp; &lt;numbers&gt;\" tests=\"6\" failures=\"1\""
    " errors=\"2\" skipped=\"1\" time=\"0.000000\">\n"
    "    <testcase classname=\"letters &amp; &lt;numbers&gt;\" name=\"right\""
    " time=\"0.000000\"/>\n"
    "    <testcase classname=\"letters &amp; &lt;numbers&gt;\" name=\"noisy\""
    " time=\"0.000000\"/>\n"
    "    <testcase classname=\"letters &amp; &lt;numbers&gt;\" name=\"left out\""
    " time=\"0.000000\">\n"
    "      <skipped message=\"SKIPPED: not &quot;today&quot;\"/>\n"
    "    </testcase>\n"
    "    <testcase classname=\"letters &amp; &lt;numbers&gt;\" name=\"vague | #1\""
    " file=\"b,c.c\" line=\"3\" time=\"0.000000\">\n"
    "      <error type=\"INCONCLUSIVE\" message=\"INCONCLUSIVE: 50% noise\">vague | #1 "
    " gradient, x in R^1  b,c.c:3&#10;  INCONCLUSIVE: 50% noise&#10;            i  name   "
    "                       x          claimed          numeric  +- bound    rel.err "
    " verdict&#10;            0                                0                1         "
    "     nan  2               inf  INCONCLUSIVE  (noise)&#10;    others: 0"
    " correct&#10;</error>\n"
    "    </testcase>\n"
    "    <testcase classname=\"letters &amp; &lt;numbers&gt;\" name=\"wrong: \\ it\""
    " file=\"d.c\" line=\"44\" time=\"0.000000\">\n"
    "      <failure type=\"WRONG\" message=\"WRONG: 2 of 6\">wrong: \\ it  Jacobian, x in"
    " R^3, 2 outputs  d.c:44&#10;  WRONG: 2 of 6&#10;      row,col  name                  "
    "        x          claimed          numeric  +- bound    rel.err  verdict&#10;       "
    "   1,2  W[2]                        0.5      0.333333333             0.25  1e-09     "
    "     0.25  WRONG  (swapped with 1)&#10;          *,1                              0.5"
    "             0.25               -4  1e-09           1.1  WRONG&#10;    others: 3"
    " correct to 3e-10, 1 at a kink&#10;</failure>\n"
    "    </testcase>\n"
    "    <testcase classname=\"letters &amp; &lt;numbers&gt;\" name=\"broken\""
    " time=\"0.000000\">\n"
    "      <error type=\"ERROR\" message=\"ERROR: out of memory\">broken  adjoint, x in"
    " R^1&#10;  ERROR: out of memory&#10;</error>\n"
    "    </testcase>\n"
    "  </testsuite>\n"
    "</testsuites>\n",
    "::warning title=left out SKIPPED::SKIPPED: not \"today\"\n"
    "::warning file=b%2Cc.c,line=3,title=vague | #1 INCONCLUSIVE::INCONCLUSIVE: 50%25"
    " noise\n"
    "::error file=d.c,line=44,title=wrong%3A \\ it WRONG::WRONG: 2 of 6\n"
    "::error title=broken ERROR::ERROR: out of memory\n",
    "{\"suite\": \"letters & <numbers>\", \"trouble\": \"\", \"passed\": 2, \"failed\": 1,"
    " \"undecided\": 1, \"skipped\": 1, \"errors\": 1,\n"
    "\"checks\": [\n"
    "{\"name\": \"right\", \"verdict\": \"CORRECT\", \"what\": \"gradient\", \"message\":"
    " \"CORRECT: 2 components\", \"file\": \"\", \"line\": 0, \"ok\": true, \"mode\":"
    " \"dense\",\n"
    " \"n\": 2, \"m\": 1, \"f\": 0.5, \"f_noise\": 1.2500000000000001e-16, \"resolution\":"
    " 2.5000000000000002e-06, \"worst_rel\": 3e-10,\n"
    " \"checked\": 2, \"wrong\": 0, \"inconclusive\": 0, \"nonsmooth\": 0, \"f_evals\": 0,"
    " \"g_evals\": 0, \"seed\": 7, \"hint\": \"none\", \"seconds\": 0,\n"
    " \"findings\": []},\n"
    "{\"name\": \"noisy\", \"verdict\": \"CORRECT_NOISE_LIMITED\", \"what\": \"gradient\","
    " \"message\": \"CORRECT_NOISE_LIMITED\", \"file\": \"\", \"line\": 0, \"ok\": true,"
    " \"mode\": \"directional\",\n"
    " \"n\": 2, \"m\": 1, \"f\": 0.5, \"f_noise\": 1.2500000000000001e-16, \"resolution\":"
    " 2.5000000000000002e-06, \"worst_rel\": 3e-10,\n"
    " \"checked\": 2, \"wrong\": 0, \"inconclusive\": 0, \"nonsmooth\": 0, \"f_evals\":"
    " 40, \"g_evals\": 3, \"seed\": 7, \"hint\": \"none\", \"seconds\": 0,\n"
    " \"findings\": []},\n"
    "{\"name\": \"left out\", \"verdict\": \"SKIPPED\", \"what\": \"gradient\","
    " \"message\": \"SKIPPED: not \\\"today\\\"\", \"file\": \"\", \"line\": 0, \"ok\":"
    " false, \"mode\": \"dense\",\n"
    " \"n\": 0, \"m\": 1, \"f\": 0.5, \"f_noise\": 1.2500000000000001e-16, \"resolution\":"
    " 2.5000000000000002e-06, \"worst_rel\": 3e-10,\n"
    " \"checked\": 0, \"wrong\": 0, \"inconclusive\": 0, \"nonsmooth\": 0, \"f_evals\": 0,"
    " \"g_evals\": 0, \"seed\": 7, \"hint\": \"none\", \"seconds\": 0,\n"
    " \"findings\": []},\n"
    "{\"name\": \"vague | #1\", \"verdict\": \"INCONCLUSIVE\", \"what\": \"gradient\","
    " \"message\": \"INCONCLUSIVE: 50% noise\", \"file\": \"b,c.c\", \"line\": 3, \"ok\":"
    " false, \"mode\": \"dense\",\n"
    " \"n\": 1, \"m\": 1, \"f\": 0.5, \"f_noise\": 1.2500000000000001e-16, \"resolution\":"
    " 2.5000000000000002e-06, \"worst_rel\": 3e-10,\n"
    " \"checked\": 1, \"wrong\": 0, \"inconclusive\": 1, \"nonsmooth\": 0, \"f_evals\": 0,"
    " \"g_evals\": 0, \"seed\": 7, \"hint\": \"none\", \"seconds\": 0,\n"
    " \"findings\": [\n"
    "  {\"verdict\": \"INCONCLUSIVE\", \"i\": 0, \"j\": null, \"name\": \"\", \"cause\":"
    " \"noise\", \"hint\": \"none\", \"x\": 0, \"claimed\": 1, \"numeric\": null,"
    " \"bound\": 2, \"left\": null, \"right\": null, \"h\": 0.125, \"ratio\": null}]},\n"
    "{\"name\": \"wrong: \\\\ it\", \"verdict\": \"WRONG\", \"what\": \"Jacobian\","
    " \"message\": \"WRONG: 2 of 6\", \"file\": \"d.c\", \"line\": 44, \"ok\": false,"
    " \"mode\": \"coloured\",\n"
    " \"n\": 3, \"m\": 2, \"f\": 0.5, \"f_noise\": 1.2500000000000001e-16, \"resolution\":"
    " 2.5000000000000002e-06, \"worst_rel\": 3e-10,\n"
    " \"checked\": 6, \"wrong\": 2, \"inconclusive\": 0, \"nonsmooth\": 1, \"f_evals\": 0,"
    " \"g_evals\": 0, \"seed\": 7, \"hint\": \"swapped\", \"seconds\": 0,\n"
    " \"findings\": [\n"
    "  {\"verdict\": \"WRONG\", \"i\": 1, \"j\": 2, \"name\": \"W[2]\", \"cause\":"
    " \"swapped with 1\", \"hint\": \"swapped\", \"x\": 0.5, \"claimed\":"
    " 0.33333333333333331, \"numeric\": 0.25, \"bound\": 1.0000000000000001e-09, \"left\":"
    " null, \"right\": null, \"h\": 0.125, \"ratio\": 1.3333333333333333},\n"
    "  {\"verdict\": \"WRONG\", \"i\": null, \"j\": 1, \"name\": \"\", \"cause\": \"\","
    " \"hint\": \"none\", \"x\": 0.5, \"claimed\": 0.25, \"numeric\": -4, \"bound\":"
    " 1.0000000000000001e-09, \"left\": 3, \"right\": 5, \"h\": 0.125, \"ratio\":"
    " -0.0625}]},\n"
    "{\"name\": \"broken\", \"verdict\": \"ERROR\", \"what\": \"adjoint\", \"message\":"
    " \"ERROR: out of memory\", \"file\": \"\", \"line\": 0, \"ok\": false, \"mode\":"
    " \"exact\",\n"
    " \"n\": 1, \"m\": 1, \"f\": 0.5, \"f_noise\": 1.2500000000000001e-16, \"resolution\":"
    " 2.5000000000000002e-06, \"worst_rel\": 3e-10,\n"
    " \"checked\": 1, \"wrong\": 0, \"inconclusive\": 0, \"nonsmooth\": 0, \"f_evals\": 0,"
    " \"g_evals\": 0, \"seed\": 7, \"hint\": \"none\", \"seconds\": 0,\n"
    " \"findings\": []}\n"
    "]}\n",
};
static void reports(void)
{
    ad_check_suite *const s = ad_check_suite_create("letters & <numbers>");
    ad_check_result r;
    size_t format;
    int count;
    r = result(AD_VERDICT_CORRECT, "gradient", 2, 1, "CORRECT: 2 components");
    CHECK_STATUS(ad_check_suite_add(s, "right", &r), AD_OK);
    r = result(AD_VERDICT_CORRECT_NOISE_LIMITED, "gradient", 2, 1, "");
    r.f_evals = 40;
    r.g_evals = 3;
    r.mode = AD_CHECK_DIRECTIONAL;
    CHECK_STATUS(ad_check_suite_add(s, "noisy", &r), AD_OK);
    r = result(AD_VERDICT_SKIPPED, "gradient", 0, 1, "SKIPPED: not \"today\"");
    CHECK_STATUS(ad_check_suite_add(s, "left out", &r), AD_OK);
    r = result(AD_VERDICT_INCONCLUSIVE, "gradient", 1, 1, "INCONCLUSIVE: 50% noise");
    r.inconclusive = 1;
    r.n_findings = 1;
    r.findings[0] = finding(AD_VERDICT_INCONCLUSIVE, 0, AD_NO_INDEX, 0, 1, (double)NAN, 2, "",
        "noise");
    r.file = "b,c.c";
    r.line = 3;
    CHECK_STATUS(ad_check_suite_add(s, "vague | #1", &r), AD_OK);
    r = result(AD_VERDICT_WRONG, "Jacobian", 3, 2, "WRONG: 2 of 6");
    r.wrong = 2;
    r.nonsmooth = 1;
    r.hint = AD_HINT_SWAPPED;
    r.mode = AD_CHECK_COLOURED;
    r.n_findings = 2;
    r.findings[0] = finding(AD_VERDICT_WRONG, 1, 2, 0.5, 1.0 / 3, 0.25, 1e-9, "W[2]",
        "swapped with 1");
    r.findings[0].hint = AD_HINT_SWAPPED;
    r.findings[1] = finding(AD_VERDICT_WRONG, AD_NO_INDEX, 1, 0.5, 0.25, -4, 1e-9, "", "");
    r.findings[1].left = 3;
    r.findings[1].right = 5;
    r.file = "d.c";
    r.line = 44;
    CHECK_STATUS(ad_check_suite_add(s, "wrong: \\ it", &r), AD_OK);
    r = result(AD_VERDICT_ERROR, "adjoint", 1, 1, "ERROR: out of memory");
    r.mode = AD_CHECK_EXACT;
    CHECK_STATUS(ad_check_suite_add(s, "broken", &r), AD_OK);
    CHECK(ad_check_suite_code(s) == 99);
    for (format = AD_CHECK_TEXT; format <= AD_CHECK_JSON; format++) {
        text t = suite_text(s, (ad_check_format)format);
        CHECK_STRING(t.p, reported[format]);
        free(t.p);
    }
    ad_check_suite_destroy(s);
    /* ten annotations of a level are shown: the tenth says how many more there are */
    for (count = 9; count <= 12; count++) {
        ad_check_suite *const many = ad_check_suite_create("many");
        char expected[2000] = "";
        text t = empty_text();
        int i;
        for (i = 0; i < 2 * count; i++) {
            r = result(i & 1 ? AD_VERDICT_WRONG : AD_VERDICT_BUDGET, "gradient", 1, 1, "");
            CHECK_STATUS(ad_check_suite_add(many, "x", &r), AD_OK);
            if (i / 2 < 9 || count == 10)
                strcat(expected, i & 1 ? "::error title=x WRONG::WRONG\n"
                                       : "::warning title=x BUDGET::BUDGET\n");
            else if (i / 2 == 9) sprintf(expected + strlen(expected), "::%s title=%d more::of %d in"
                " all; see the log\n", i & 1 ? "error" : "warning", count - 9, count);
        }
        CHECK_STATUS(ad_check_suite_write(many, AD_CHECK_GITHUB, text_write, &t), AD_OK);
        CHECK_STRING(t.p, expected);
        free(t.p);
        ad_check_suite_destroy(many);
    }
}

/* ---------------------------------------------------------------- cases of several variables */

/* F_i = scale_i sum of A_ij (x_j + x_j^2 / 2) and noise; claims of which some are wrong. As a
   gradient, a Jacobian, along directions, with a pattern, under a budget. */
enum { CROWD_GRADIENT, CROWD_DIRECTIONS, CROWD_JACOBIAN, CROWD_PROJECTED, CROWD_PATTERN,
    CROWD_BUDGET, CROWDS, CROWD_MOST = 6, CROWD_OF_EACH = 40 };
typedef struct crowd {
    size_t n, m, nnz, row_start[CROWD_MOST + 1], column[CROWD_MOST * CROWD_MOST];
    double A[CROWD_MOST * CROWD_MOST], times[CROWD_MOST * CROWD_MOST];
    double plus[CROWD_MOST * CROWD_MOST], x[CROWD_MOST], noise;
    size_t budget;
} crowd;
static uint32_t crowd_draw(uint64_t *state, uint32_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 40) % below;
}
static void crowd_F(const double *x, size_t n, double *y, size_t m, void *user)
{
    const crowd *const q = (const crowd *)user;
    size_t i, j;
    for (i = 0; i < m; i++) {
        y[i] = q->noise * by_chance(x[0] + x[n - 1]);
        for (j = 0; j < n; j++) y[i] += q->A[i * n + j] * (x[j] + x[j] * x[j] / 2);
    }
}
static double crowd_f(const double *x, size_t n, void *user)
{
    double y;
    crowd_F(x, n, &y, 1, user);
    return y;
}
static double crowd_claim(const crowd *q, const double *x, size_t k)
{
    return q->times[k] * q->A[k] * (1 + x[k % q->n]) + q->plus[k];
}
static void crowd_J(const double *x, size_t n, double *J, size_t m, void *user)
{
    size_t k;
    for (k = 0; k < n * m; k++) J[k] = crowd_claim((const crowd *)user, x, k);
}
static void crowd_g(const double *x, size_t n, double *g, void *user)
{
    crowd_J(x, n, g, 1, user);
}
static void crowd_values(const double *x, size_t n, double *values, size_t nnz, void *user)
{
    const crowd *const q = (const crowd *)user;
    size_t i, k;
    (void)nnz;
    for (i = 0; i < q->m; i++)
        for (k = q->row_start[i]; k < q->row_start[i + 1]; k++)
            values[k] = crowd_claim(q, x, i * n + q->column[k]);
}
static crowd next_crowd(uint64_t *state, int kind)
{
    const int matrix = kind == CROWD_JACOBIAN || kind == CROWD_PROJECTED || kind == CROWD_PATTERN;
    crowd q;
    size_t i, j, k, wrong;
    memset(&q, 0, sizeof q);
    q.n = 1 + crowd_draw(state, CROWD_MOST);
    q.m = matrix ? 1 + crowd_draw(state, CROWD_MOST) : 1;
    for (j = 0; j < q.n; j++) q.x[j] = (double)crowd_draw(state, 64) / 16 - 1;
    for (i = 0; i < q.m; i++) {
        const double scale = ldexp(1, 10 * (int)crowd_draw(state, 3) - 10);
        for (j = 0; j < q.n; j++) {
            const double a = (double)crowd_draw(state, 9) - 4;
            q.A[i * q.n + j] = crowd_draw(state, 3) ? a * scale : 0;
            q.times[i * q.n + j] = 1;
        }
    }
    if (crowd_draw(state, 3) == 0) {
        const double size = (double)(1 + crowd_draw(state, 8));
        q.noise = ldexp(size, -6 - (int)crowd_draw(state, 40));
    }
    for (i = k = 0; i < q.m; i++) {                /* now and then an entry is left out */
        q.row_start[i] = k;
        for (j = 0; j < q.n; j++)
            if (q.A[i * q.n + j] != 0 && crowd_draw(state, 25)) q.column[k++] = j;
    }
    q.nnz = q.row_start[q.m] = k;
    wrong = crowd_draw(state, 2) ? 0 : crowd_draw(state, 4) ? 1 + crowd_draw(state, 2)
                                                           : (uint32_t)(q.n * q.m);
    for (k = 0; k < wrong; k++) {
        const size_t at = crowd_draw(state, (uint32_t)(q.n * q.m));
        const double little = (double)(1 + crowd_draw(state, 8));
        const int power = 5 + (int)crowd_draw(state, 20);
        switch (crowd_draw(state, 6)) {
        case 0: q.times[at] = -1; break;
        case 1: q.times[at] = 0; break;
        case 2: q.times[at] = 2; break;
        case 3: q.plus[at] = 1; break;
        default: q.times[at] = 1 + ldexp(little, -power); break;
        }
    }
    q.budget = 3 + crowd_draw(state, 60);
    return q;
}
static void crowd_verdict(int kind, crowd *q, ad_check_result *r)
{
    ad_check_options o;
    memset(&o, 0, sizeof o);
    if (kind == CROWD_DIRECTIONS || kind == CROWD_PROJECTED) o.dense_limit = 1;
    if (kind == CROWD_BUDGET) o.max_evals = q->budget;
    if (kind == CROWD_JACOBIAN || kind == CROWD_PROJECTED)
        ad_check_jacobian(crowd_F, crowd_J, q->x, q->n, q->m, q, &o, r);
    else if (kind == CROWD_PATTERN)
        ad_check_sparse_jacobian(crowd_F, crowd_values, q->x, q->n, q->m, q->row_start, q->column,
            q, &o, r);
    else ad_check_gradient(crowd_f, crowd_g, q->x, q->n, q, &o, r);
}
/* The verdict's letter; how much was checked, is wrong, undecided, told; evaluations; and, where
   something is wrong, the place of the worst and what it looks like. */
static void crowd_line(const ad_check_result *r, char *line)
{
    const ad_check_finding *const f = r->findings;
    const int projected = r->mode == AD_CHECK_DIRECTIONAL && r->m > 1;
    line += sprintf(line, "%c%d/%d/%d/%d %d", "-CNOKIBRFAkUDWG"[r->verdict],
        projected ? 0 : (int)r->checked, (int)r->wrong, projected ? 0 : (int)r->inconclusive,
        (int)r->n_findings, (int)r->f_evals);
    if (r->wrong) sprintf(line, " %d,%d%c", (int)f->i, (int)f->j, ad_hint_name(f->hint)[0]);
}

/* What is said of each case. ? is a case on the edge, which a little more noise or error, or
   another rounding, decides otherwise. */
static void crowds(void)
{
    static const char *const all[CROWDS][CROWD_OF_EACH] = {
      { "W4/1/0/1 139 2,-1f", "W2/1/0/1 131 1,-1n", "C2/0/0/0 17", "C5/0/0/0 23",
        "W5/2/0/2 293 0,-1m", "C5/0/0/0 23", "?", "C5/0/0/0 265", "A4/1/1/2 333 2,-1n",
        "N1/0/0/0 99", "C4/0/0/0 21", "I1/0/1/1 135", "C5/0/0/0 31", "?", "C1/0/0/0 7",
        "C6/0/0/0 25", "I3/0/2/2 271", "A6/1/0/1 199 1,-1n", "C2/0/0/0 13", "C3/0/0/0 15",
        "I4/0/2/2 273", "W3/1/1/2 257 0,-1f", "C1/0/0/0 7", "I6/0/2/2 277", "I2/0/2/2 265",
        "W3/1/0/1 137 1,-1s", "W5/2/0/2 233 3,-1n", "C4/0/0/0 25", "A5/1/0/1 163 4,-1n",
        "C3/0/0/0 15", "A2/1/0/1 149 1,-1n", "W6/1/0/1 143 0,-1f", "W2/1/0/1 157 1,-1n",
        "A3/1/0/1 151 0,-1n", "W2/1/0/1 131 1,-1s", "W6/1/0/1 191 4,-1n", "C2/0/0/0 13",
        "I5/0/2/2 235", "A6/1/0/1 173 2,-1n", "C6/0/0/0 25" },
      { "W6/5/0/5 463 0,-1s", "C6/0/0/0 53", "C3/0/0/0 53", "W1/1/0/1 99 0,-1n", "C3/0/0/0 53",
        "I3/0/3/0 79", "C2/0/0/0 53", "C4/0/0/0 53", "C2/0/0/0 53", "I1/0/1/1 135",
        "W6/2/0/2 211 1,-1s", "C2/0/0/0 53", "C3/0/0/0 53", "I6/0/6/0 79", "C2/0/0/0 79",
        "W6/2/0/2 251 3,-1n", "W5/4/0/4 375 0,-1m", "C1/0/0/0 11", "A2/1/0/1 111 1,-1n",
        "C6/0/0/0 53", "C4/0/0/0 79", "C3/0/0/0 53", "W6/1/0/1 115 1,-1f", "W2/1/0/1 115 1,-1m",
        "W4/1/0/1 113 3,-1n", "C4/0/0/0 53", "W2/1/0/1 111 1,-1f", "I1/0/1/1 99", "C3/0/0/0 53",
        "I2/0/2/0 79", "C3/0/0/0 53", "I2/0/2/0 79", "W4/1/0/1 113 0,-1n", "C5/0/0/0 79",
        "C2/0/0/0 53", "C2/0/0/0 53", "I2/0/2/0 61", "W1/1/0/1 99 0,-1f", "C1/0/0/0 7",
        "W2/1/0/1 119 1,-1s" },
      { "W30/15/0/8 516 5,2n", "W20/1/0/1 150 4,3n", "W6/1/0/1 114 5,0n", "W6/1/3/4 296 1,0s",
        "W4/2/0/2 134 1,0n", "I16/0/6/6 282", "C15/0/0/0 284", "C9/0/0/0 24", "C6/0/0/0 30",
        "I20/0/5/5 282", "W20/1/0/1 414 1,1n", "C8/0/0/0 26", "C36/0/0/0 42", "C15/0/0/0 276",
        "C2/0/0/0 12", "W4/1/0/1 118 3,0n", "W6/1/3/4 138 5,0n", "C12/0/0/0 26", "C24/0/0/0 30",
        "W10/2/0/2 296 4,0n", "W4/1/3/4 296 0,1s", "C24/0/0/0 38", "W16/1/0/1 446 3,1n",
        "C8/0/0/0 18", "I18/0/9/8 276", "W8/4/0/4 306 3,1n", "I24/0/7/7 294", "I4/0/2/2 198",
        "I8/0/7/7 270", "C16/0/0/0 30", "W6/1/2/3 296 2,1s", "I12/0/5/5 270", "C16/0/0/0 30",
        "W24/1/0/1 402 2,2s", "C4/0/0/0 12", "W12/1/0/1 366 2,1n", "W4/1/0/1 134 0,0n",
        "C4/0/0/0 18", "W36/1/0/1 158 2,1s", "N9/0/0/0 268" },
      { "W1/1/0/1 100 0,0n", "C0/0/0/0 54", "W0/1/0/1 144 0,2n", "C0/0/0/0 54", "C0/0/0/0 54",
        "W0/4/0/5 206 0,0s", "C6/0/0/0 12", "C0/0/0/0 54", "A5/1/0/1 134 1,0n",
        "W5/3/0/3 118 1,0n", "W4/1/0/1 114 0,1m", "C0/0/0/0 54", "C0/0/0/0 80", "C0/0/0/0 54",
        "C0/0/0/0 94", "C4/0/0/0 54", "W3/1/0/1 140 0,2s", "C0/0/0/0 54", "C0/0/0/0 54",
        "C2/0/0/0 8", "W0/2/0/8 362 1,0s", "C0/0/0/0 54", "W4/1/0/1 106 0,0n", "C0/0/0/0 54",
        "W0/4/0/4 276 1,1s", "W0/7/0/7 654 0,3s", "C0/0/0/0 54", "I0/0/0/0 80", "I6/0/4/4 138",
        "C4/0/0/0 54", "I0/0/0/0 80", "C0/0/0/0 54", "C0/0/0/0 80", "W0/9/0/8 634 0,3s",
        "C3/0/0/0 12", "C0/0/0/0 54", "W0/3/0/3 260 1,2s", "C0/0/0/0 80", "C0/0/0/0 54",
        "C0/0/0/0 54" },
      { "C4/0/0/0 24", "C2/0/0/0 10", "W14/1/0/1 160 0,3p", "A2/1/1/2 136 0,0n", "I3/0/1/1 196",
        "W6/2/0/2 436 0,2p", "W5/1/0/1 102 1,0m", "C3/0/0/0 14", "C1/0/0/0 10", "C3/0/0/0 12",
        "W6/4/0/4 346 1,0n", "I6/0/5/5 136", "W13/1/0/1 550 1,3n", "W8/1/1/2 480 1,5p",
        "C6/0/0/0 26", "N1/0/0/0 118", "C16/0/0/0 42", "C6/0/0/0 22", "I13/0/8/8 332",
        "W9/7/0/7 652 1,3s", "?", "C14/0/0/0 176", "C11/0/0/0 32", "C12/0/0/0 26", "I6/0/5/5 266",
        "C0/0/0/0 12", "C12/0/0/0 28", "W7/1/0/1 134 5,0p", "C4/0/0/0 16", "C4/0/0/0 16",
        "C5/0/0/0 16", "W23/1/1/2 408 1,2p", "W12/1/0/1 510 1,4p", "I2/0/2/2 136", "C1/0/0/0 10",
        "C11/0/0/0 186", "W16/10/0/8 896 1,3s", "W18/13/0/8 662 1,1s", "W5/1/0/1 250 0,4m",
        "C8/0/0/0 24" },
      { "C1/0/0/0 11", "B2/0/1/1 11", "B5/0/1/1 19", "C2/0/0/0 9", "B0/0/0/0 3", "C1/0/0/0 9",
        "B4/0/2/1 15", "B4/0/1/1 34", "B3/0/1/1 24", "C2/0/0/0 9", "W2/1/0/1 35 0,-1n",
        "B3/0/2/1 21", "B6/0/4/0 12", "C6/0/0/0 27", "C4/0/0/0 21", "B5/0/2/1 19", "C1/0/0/0 11",
        "C1/0/0/0 11", "C3/0/0/0 19", "C2/0/0/0 17", "C2/0/0/0 13", "B1/0/1/1 10", "C3/0/0/0 15",
        "B6/0/3/0 18", "C3/0/0/0 11", "C2/0/0/0 13", "W4/1/1/1 45 1,-1n", "B5/0/1/0 20",
        "W4/1/1/1 44 0,-1s", "C1/0/0/0 11", "B2/0/2/1 33", "B2/0/1/1 25", "B3/0/2/1 24",
        "C1/0/0/0 7", "B4/0/2/1 50", "C2/0/0/0 17", "C1/0/0/0 9", "B5/0/1/0 19", "C4/0/0/0 23",
        "C2/0/0/0 9" } };
    int kind, i;
    for (kind = 0; kind < CROWDS; kind++) {
        uint64_t state = (uint64_t)kind + 1;
        for (i = 0; i < CROWD_OF_EACH; i++) {
            crowd q = next_crowd(&state, kind);
            ad_check_result r;
            char line[100];
            crowd_verdict(kind, &q, &r);
            crowd_line(&r, line);
            test_check(all[kind][i][0] == '?' || strcmp(line, all[kind][i]) == 0, __FILE__,
                __LINE__, "crowd %d, %d: \"%s\", not \"%s\": %s", kind, i, line, all[kind][i],
                r.message);
        }
    }
}

/* Where memory runs out a check says so, and the suite that it could not be kept in. */
static void starved(void)
{
    enum { N = 40000 };
    double *const x = (double *)calloc(N, sizeof *x);
    char *const name = (char *)calloc(N * sizeof *x, 1);
    ad_check_suite *const s = ad_check_suite_create("starved");
    ad_verdict v = AD_VERDICT_SKIPPED, w = AD_VERDICT_SKIPPED;
    ad_status added = AD_OK;
    ad_check_result r;
    text t;
    memset(name, 'n', N * sizeof *x - 1);
    r = result(AD_VERDICT_CORRECT, "gradient", 1, 1, "");
    CHECK(ad_check_suite_begin(s, "wide", "a.c", 5, NULL) == 1);
    if (starve(0)) {
        w = ad_check_suite_end(s, ad_check_gradient(f_plain, g_right, x, N, NULL,
            ad_check_suite_options(s), ad_check_suite_result(s)));
        v = ad_check_gradient(f_plain, g_right, x, N, NULL, NULL, &r);
        added = ad_check_suite_add(s, name, &r);
        starve((size_t)-1);
    }
    if (added != AD_OK) {                          /* else there was enough left over */
        CHECK_STATUS(added, AD_ERR_MEMORY);
        CHECK(v == AD_VERDICT_ERROR && w == AD_VERDICT_ERROR && r.f_evals == 0);
        SAYS(r.message, "ERROR: out of memory");
        CHECK(ad_check_suite_code(s) == 99);
        t = suite_text(s, AD_CHECK_TEXT);
        SAYS(t.p, "wide  gradient, x in R^40000  a.c:5\n  ERROR: out of memory\n  reproduce: *\n"
            "starved: 1 checks: 0 passed, 0 failed, 0 undecided, 1 could not run\nout of memory at"
            " check nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn\n");
        free(t.p);
    }
    w = AD_CHECK_RUN(s, "again", NULL, ad_check_gradient, f_plain, g_right, x, 3, NULL);
    CHECK(ad_check_ok(w));
    ad_check_suite_destroy(s);
    free(name);
    free(x);
}

/* A budget that ends leaves no error unsaid that a first look shows. F(x) = T x + x^3, T is
   tridiagonal; each diagonal entry is off by `off`, and row `bad` has the wrong sign. */
typedef struct chain { double off; size_t bad; } chain;
static double chain_entry(const chain *c, const double *x, size_t i, size_t j)
{
    const double v = i == j ? (3 * x[i] * x[i] - 4096) * (1 + c->off)
                   : i == j + 1 || j == i + 1 ? 1024 : 0;
    return i == c->bad ? -v : v;
}
static void chain_F(const double *x, size_t n, double *y, size_t m, void *user)
{
    size_t i;
    (void)user;
    for (i = 0; i < m; i++)
        y[i] = -4096 * x[i] + (i ? 1024 * x[i - 1] : 0) + (i + 1 < n ? 1024 * x[i + 1] : 0)
             + x[i] * x[i] * x[i];
}
static void chain_J(const double *x, size_t n, double *J, size_t m, void *user)
{
    size_t i, j;
    for (i = 0; i < m; i++)
        for (j = 0; j < n; j++) J[i * n + j] = chain_entry((const chain *)user, x, i, j);
}
static void chain_sparse(const double *x, size_t n, double *values, size_t length, void *user)
{
    size_t i, k = 0;
    (void)length;
    for (i = 0; i < n; i++) {
        if (i) values[k++] = chain_entry((const chain *)user, x, i, i - 1);
        values[k++] = chain_entry((const chain *)user, x, i, i);
        if (i + 1 < n) values[k++] = chain_entry((const chain *)user, x, i, i + 1);
    }
}
static void budgets(void)
{
    enum { N = 700 };
    static double x[N];
    static size_t start[N + 1], column[3 * N];
    const chain slight = { 2e-4, N }, off = { 0.01, N }, sign = { 2e-4, N - 9 };
    ad_check_result r;
    size_t i, k = 0;
    for (i = 0; i < N; i++) {
        start[i] = k;
        if (i) column[k++] = i - 1;
        column[k++] = i;
        if (i + 1 < N) column[k++] = i + 1;
    }
    start[N] = k;
    CHECK(ad_check_jacobian(chain_F, chain_J, x, N, N, (void *)&slight, NULL, &r)
        == AD_VERDICT_INACCURATE && r.f_evals <= 20000);
    CHECK(ad_check_jacobian(chain_F, chain_J, x, N, N, (void *)&off, NULL, &r) == AD_VERDICT_WRONG
        && r.f_evals <= 20000);
    CHECK(ad_check_jacobian(chain_F, chain_J, x, N, N, (void *)&sign, NULL, &r) == AD_VERDICT_WRONG
        && r.findings[0].i == N - 9);
    CHECK(ad_check_sparse_jacobian(chain_F, chain_sparse, x, N, N, start, column, (void *)&sign,
        NULL, &r) == AD_VERDICT_WRONG && r.findings[0].i == N - 9);
    CHECK(ad_check_sparse_jacobian(chain_F, chain_sparse, x, N, N, start, column, (void *)&slight,
        NULL, &r) == AD_VERDICT_INACCURATE);
}

/* Waves much shorter than x: an error is found along directions too; and where they are too short
   for that, it is not called noise. */
static double waves_f(const double *x, size_t n, void *user)
{
    double s = 0;
    size_t i;
    (void)user;
    for (i = 0; i < n; i++) s += sin(x[i]);
    return s;
}
static void waves_g(const double *x, size_t n, double *g, void *user)
{
    size_t i;
    for (i = 0; i < n; i++) g[i] = cos(x[i]);
    if (user) g[n / 3] *= -1;
}
static void waves(void)
{
    enum { N = 3000 };
    static double x[N];
    ad_check_result r;
    double top;
    size_t i;
    for (top = 1; top < 1e7; top *= 10) {
        int bad;
        for (i = 0; i < N; i++) x[i] = fmod((double)i * 4893.8, 1) * top;
        for (bad = 0; bad < 2; bad++) {
            const ad_verdict v
                = ad_check_gradient(waves_f, waves_g, x, N, bad ? &bad : NULL, NULL, &r);
            CHECK(top < 2000 ? v == (bad ? AD_VERDICT_WRONG : AD_VERDICT_CORRECT)
                             : bad ? !ad_check_ok(v) : ad_check_ok(v) || ad_check_undecided(v));
            CHECK(!strstr(r.message, "noise in f"));
        }
    }
}

/* Waves of one variable, whose phase is rounded: on the shortest steps f is in pieces, the slopes
   of which are far from each other, and no kink. */
typedef struct wave { double w, factor; } wave;
static double phase_f(const double *x, size_t n, void *user)
{
    (void)n;
    return sin(((const wave *)user)->w * x[0]);
}
static void phase_g(const double *x, size_t n, double *g, void *user)
{
    const wave *const q = (const wave *)user;
    (void)n;
    g[0] = q->factor * q->w * cos(q->w * x[0]);
}
static void phases(void)
{
    static const double factor[] = { 1, 1.005, 1.05, -1 };
    double w, x;
    size_t k;
    int i;
    for (w = 1e3; w < 1e8; w *= 10)
        for (i = 0; i < 60; i++)
            for (k = 0; k < sizeof factor / sizeof *factor; k++) {
                wave q;
                ad_check_result r;
                q.w = w * (1 + fmod(0.618034 * i, 1));
                q.factor = factor[k];
                x = 0.1 * (i + 1);
                ad_check_gradient(phase_f, phase_g, &x, 1, &q, NULL, &r);
                inspect(__LINE__, "phase", k ? NOT_PASS : PASS | MAYBE, r.verdict, &r);
            }
}

/* The colours of a sparse matrix have a second look, four times as long, before any is looked at
   closely: where waves bend the first one, that is all it takes. F_i = sin(w x_i) + x_(i + 1). */
static void bent_F(const double *x, size_t n, double *y, size_t m, void *user)
{
    size_t i;
    for (i = 0; i < m; i++) y[i] = sin(*(const double *)user * x[i]) + x[(i + 1) % n];
}
static double held_w;
static void held_F(const double *x, size_t n, double *y, size_t m, void *user)
{
    (void)user;
    bent_F(x, n, y, m, &held_w);
}
static void bent_sparse(const double *x, size_t n, double *values, size_t length, void *user)
{
    const double w = *(const double *)user;
    size_t i;
    (void)length;
    for (i = 0; i < n; i++) {
        values[2 * i] = w * cos(w * x[i]);
        values[2 * i + 1] = 1;
    }
}
static void second_looks(void)
{
    enum { N = 12 };
    double x[N], w;
    size_t start[N + 1], column[2 * N], i;
    for (i = 0; i <= N; i++) start[i] = 2 * i;
    for (i = 0; i < N; i++) {
        x[i] = 0.3 + 0.07 * (double)i;
        column[2 * i] = i;
        column[2 * i + 1] = (i + 1) % N;
    }
    for (w = 1; w < 600; w *= 2) {
        ad_check_result r;
        CHECK(ad_check_sparse_jacobian(bent_F, bent_sparse, x, N, N, start, column, &w, NULL, &r)
            == AD_VERDICT_CORRECT && r.f_evals <= 20);
    }
}

/* In a box, columns of one colour that go different ways do not hold each other up; one that cannot
   move is undecided by itself, and says so. */
static void held_columns(void)
{
    enum { N = 12, HELD = 4 };
    double x[N], lo[N], hi[N], w = 1, wrong = 1.5;
    size_t start[N + 1], column[2 * N], i;
    ad_check_options o = default_options();
    ad_check_result r;
    for (i = 0; i <= N; i++) start[i] = 2 * i;
    for (i = 0; i < N; i++) {
        x[i] = 0.3 + 0.07 * (double)i;
        lo[i] = i % 3 == 0 ? x[i] : 0;
        hi[i] = i % 3 == 1 ? x[i] : 2;
        column[2 * i] = i;
        column[2 * i + 1] = (i + 1) % N;
    }
    o.lo = lo;
    o.hi = hi;
    CHECK(ad_check_sparse_jacobian(bent_F, bent_sparse, x, N, N, start, column, &w, &o, &r)
        == AD_VERDICT_CORRECT_ONESIDED && r.inconclusive == 0);
    lo[HELD] = x[HELD];
    CHECK(ad_check_sparse_jacobian(bent_F, bent_sparse, x, N, N, start, column, &w, &o, &r)
        == AD_VERDICT_INCONCLUSIVE && r.inconclusive == N
        && r.findings[0].j == HELD && strstr(r.message, "lo and hi hold it fast")
        && strstr(r.message, "further apart"));
    held_w = 1;
    CHECK(ad_check_sparse_jacobian(held_F, bent_sparse, x, N, N, start, column, &wrong, &o, &r)
        == AD_VERDICT_WRONG && r.wrong == N - 1 && r.inconclusive == N);
    lo[HELD - 1] = 0;                            /* in no row with what moves one way */
    CHECK(ad_check_sparse_jacobian(held_F, bent_sparse, x, N, N, start, column, &wrong, &o, &r)
        == AD_VERDICT_WRONG && r.wrong == N - 1);
    o.lo = x;
    o.hi = x;
    CHECK(ad_check_sparse_jacobian(bent_F, bent_sparse, x, N, N, start, column, &w, &o, &r)
        == AD_VERDICT_INCONCLUSIVE && r.inconclusive >= 2 * N);
    CHECK(ad_check_gradient(f_plain, g_right, x, 3, NULL, &o, &r) == AD_VERDICT_INCONCLUSIVE
        && r.inconclusive == 3 && strstr(r.message, "lo and hi hold it fast"));
}

/* Columns of one colour move together, so they are as far below their size as each other: one
   colour where all are of a class, two where two are, at twice the evaluations. */
static void square_F(const double *x, size_t n, double *y, size_t m, void *user)
{
    size_t i;
    (void)user; (void)n;
    for (i = 0; i < m; i++) y[i] = x[i] * (2 + x[i]);
}
static void square_values(const double *x, size_t n, double *values, size_t count, void *user)
{
    size_t i;
    (void)user; (void)n;
    for (i = 0; i < count; i++) values[i] = 2 + 2 * x[i];
}
static void apart_by_size(void)
{
    static const double at[4] = { 0.7, 1e-5, 1e-10, 1e-20 }, size[4] = { 1, 1, 1, 1 };
    static const size_t start[5] = { 0, 1, 2, 3, 4 }, column[4] = { 0, 1, 2, 3 };
    ad_check_options o;
    ad_check_result r;
    int e, g;
    memset(&o, 0, sizeof o);
    o.x_scale = size;
    for (e = 0; e < 4; e++)
        for (g = 0; g < 4; g++) {
            double x[4];
            x[0] = x[1] = at[e];
            x[2] = x[3] = at[g];
            CHECK(ad_check_sparse_jacobian(square_F, square_values, x, 4, 4, start, column, NULL,
                &o, &r) == AD_VERDICT_CORRECT);
            CHECK(r.f_evals == (e == g ? 10 : 20));
        }
}

/* A gradient of the x before it is found, though all other x are inside of a corner of the box. */
typedef struct earlier { double x[2]; int has; } earlier;
static double product_f(const double *x, size_t n, void *user)
{
    (void)n; (void)user;
    return sin(x[0]) * exp(x[1]);
}
static void earlier_g(const double *x, size_t n, double *g, void *user)
{
    earlier *const e = (earlier *)user;
    if (!e->has) memcpy(e->x, x, n * sizeof *x);
    g[0] = cos(e->x[0]) * exp(e->x[1]);
    g[1] = sin(e->x[0]) * exp(e->x[1]);
    memcpy(e->x, x, n * sizeof *x);
    e->has = 1;
}
static void stale_in_corners(void)
{
    static const double x[2] = { 1, 0.5 };
    int way;
    for (way = 0; way < 9; way++) {
        double lo[2] = { -1, -1 }, hi[2] = { 2, 2 };
        ad_check_options o;
        ad_check_result r;
        earlier e;
        int i;
        memset(&o, 0, sizeof o);
        memset(&e, 0, sizeof e);
        o.lo = lo;
        o.hi = hi;
        for (i = 0; i < 2; i++) {
            const int edge = i ? way / 3 : way % 3;
            if (edge == 1) lo[i] = x[i];
            if (edge == 2) hi[i] = x[i];
        }
        CHECK(ad_check_gradient(product_f, earlier_g, x, 2, &e, &o, &r) == AD_VERDICT_STALE_STATE);
    }
}

/* By Taylor's remainders and along directions: wrong gradients of any size are found. */
typedef struct sized { double size, factor; } sized;
static double sized_f(const double *x, size_t n, void *user)
{
    (void)n;
    return ((const sized *)user)->size * (x[0] * x[0] + sin(x[1]));
}
static void sized_g(const double *x, size_t n, double *g, void *user)
{
    const sized *const s = (const sized *)user;
    (void)n;
    g[0] = s->factor * s->size * 2 * x[0];
    g[1] = s->size * cos(x[1]);
}
static void sized_hv(const double *x, size_t n, const double *v, double *y, void *user)
{
    const double size = ((const sized *)user)->size;
    (void)n;
    y[0] = size * 2 * v[0];
    y[1] = size * -sin(x[1]) * v[1];
}
static void any_size(void)
{
    static const double x[2] = { 0.7, 0.4 }, factor[3] = { 1, -1, 1.05 };
    int e, k, way;
    for (e = -300; e <= 300; e += 50)
        for (k = 0; k < 3; k++)
            for (way = 0; way < 3; way++) {
                ad_check_options o;
                ad_check_result r;
                sized s;
                memset(&o, 0, sizeof o);
                o.dense_limit = 1;
                s.size = pow(10, e);
                s.factor = factor[k];
                if (way == 2) ad_check_gradient(sized_f, sized_g, x, 2, &s, &o, &r);
                else ad_check_taylor(sized_f, sized_g, way ? sized_hv : NULL, x, 2, &s, &o, &r);
                test_check(ad_check_ok(r.verdict) == (k == 0), __FILE__, __LINE__,
                    "1e%d, %g, way %d: %s", e, factor[k], way, r.message);
            }
}

/* Taylor's remainders where the second derivative jumps: Huber's loss, at its joint. */
typedef struct joint { double claim[2]; } joint;
static double joint_f(const double *x, size_t n, void *user)
{
    const double d = fabs(x[0]);
    (void)n; (void)user;
    return (d < 1 ? d * d / 2 : d - 0.5) + x[1] * x[1];
}
static void joint_g(const double *x, size_t n, double *g, void *user)
{
    (void)x;
    memcpy(g, ((const joint *)user)->claim, n * sizeof *g);
}
static void taylor_at_joints(void)
{
    static const struct { double x[2]; joint j; unsigned mask; } row[] = {
        { { 1, 0.7 }, { { 1, 1.4 } }, BIT(CORRECT) },
        { { -1, 0.7 }, { { -1, 1.4 } }, BIT(CORRECT) },
        { { 1, 0.7 }, { { -1, 1.4 } }, BIT(WRONG) },
        { { 1, 0.7 }, { { 1.01, 1.4 } }, BIT(WRONG) },
        { { 1, 0.7 }, { { 1, 1.401 } }, BIT(WRONG) } };
    size_t i;
    int seed, undecided = 0;
    for (seed = 1; seed <= 40; seed++)
        for (i = 0; i < sizeof row / sizeof *row; i++) {
            joint j = row[i].j;
            ad_check_options o;
            ad_check_result r;
            ad_verdict v;
            memset(&o, 0, sizeof o);
            o.seed = (uint64_t)seed;
            v = ad_check_taylor(joint_f, joint_g, NULL, row[i].x, 2, &j, &o, &r);
            inspect(__LINE__, "joints", row[i].mask | BIT(INCONCLUSIVE), v, &r);
            undecided += v == AD_VERDICT_INCONCLUSIVE;
        }
    CHECK(undecided < 20);                       /* of 200 */
}

/* Terms of the L1 norm, a third of them at their kinks: along directions, where all are met at
   once, the kinks are not noise that hides a wrong sign. By Taylor's remainders, where none is. */
typedef struct moduli { size_t wrong; int zeros; } moduli;
static double moduli_f(const double *x, size_t n, void *user)
{
    double s = 0;
    size_t i;
    (void)user;
    for (i = 0; i < n; i++) s += fabs(x[i]) + x[i] * x[i] / 2;
    return s;
}
static void moduli_g(const double *x, size_t n, double *g, void *user)
{
    const moduli *const m = (const moduli *)user;
    size_t i;
    for (i = 0; i < n; i++) {
        g[i] = x[i] == 0 ? 0 : x[i] < 0 ? x[i] - 1 : x[i] + 1;
        if (i == m->wrong) g[i] = -g[i];
    }
}
static void sparse_moduli(void)
{
    static double x[3000];
    size_t n, i;
    int way;
    for (n = 30; n <= 3000; n *= 10)
        for (way = 0; way < 4; way++) {
            ad_check_options o;
            ad_check_result r;
            moduli m;
            memset(&o, 0, sizeof o);
            o.dense_limit = 10;
            m.zeros = !(way & 2);
            m.wrong = way & 1 ? 7 : n;
            for (i = 0; i < n; i++) x[i] = m.zeros && i % 3 == 0 ? 0 : sin((double)i + 1);
            if (way & 2) ad_check_taylor(moduli_f, moduli_g, NULL, x, n, &m, &o, &r);
            else ad_check_gradient(moduli_f, moduli_g, x, n, &m, &o, &r);
            inspect(__LINE__, "moduli", way & 1 ? BIT(WRONG) : PASS, r.verdict, &r);
        }
}

/* An oscillation that is shorter than Taylor's steps is not called an error, nor noise f. */
static double waving_f(const double *x, size_t n, void *user)
{
    const double k = *(const double *)user;
    (void)n;
    return sin(k * x[0]) + sin(k * x[1]);
}
static void waving_g(const double *x, size_t n, double *g, void *user)
{
    const double k = *(const double *)user;
    (void)n;
    g[0] = k * cos(k * x[0]);
    g[1] = k * cos(k * x[1]);
}
static void taylor_of_waves(void)
{
    double k;
    int i, wrong = 0;
    for (k = 10; k < 1e9; k *= 10)
        for (i = 0; i < 40; i++) {
            const double x[2] = { 1 + 0.05 * i, 2 - 0.015 * i };
            ad_check_result r;
            const ad_verdict v = ad_check_taylor(waving_f, waving_g, NULL, x, 2, &k, NULL, &r);
            inspect(__LINE__, "waves", k < 5e3 ? BIT(CORRECT)
                : BIT(CORRECT) | BIT(INCONCLUSIVE) | BIT(WRONG), v, &r);
            wrong += v == AD_VERDICT_WRONG;
        }
    CHECK(wrong < 10);                           /* of 360 */
}

/* The last digit differs by chance, as in the sum of several threads: that is neither memory nor
   an output that is added to. */
typedef struct shaky { uint64_t state; int code, one_in; } shaky;
static double shake(shaky *s, int code, double v)
{
    s->state = s->state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    if (s->code != code || (s->state >> 33) % (uint64_t)s->one_in != 0) return v;
    return v * (1 + DBL_EPSILON);
}
static double shaky_f(const double *x, size_t n, void *user)
{
    (void)n;
    return shake((shaky *)user, 0, x[0] * x[0] + sin(x[1]));
}
static void shaky_g(const double *x, size_t n, double *g, void *user)
{
    (void)n;
    g[0] = 2 * x[0];
    g[1] = shake((shaky *)user, 1, cos(x[1]));
}
static void by_chance_alone(void)
{
    static const double x[2] = { 1, 0.5 };
    int k, code, undecided = 0;
    for (code = 0; code < 2; code++)
        for (k = 0; k < 400; k++) {
            ad_check_options o;
            ad_check_result r;
            shaky s;
            s.state = (uint64_t)k;
            s.code = code;
            s.one_in = k & 1 ? 2 : 4;
            memset(&o, 0, sizeof o);
            if (k % 4 == 3) o.nondet_tol = 1e-14;
            inspect(__LINE__, "chance", o.nondet_tol > 0 ? BIT(CORRECT)
                : BIT(CORRECT) | BIT(NONDETERMINISTIC),
                ad_check_gradient(shaky_f, shaky_g, x, 2, &s, &o, &r), &r);
            undecided += r.verdict == AD_VERDICT_NONDETERMINISTIC;
        }
    CHECK(undecided > 300);
}

/* An f that uses the x of the call before it, where the derivative takes a direction. */
typedef struct lagging { double x; int has; } lagging;
static void lagging_F(const double *x, size_t n, double *y, size_t m, void *user)
{
    lagging *const l = (lagging *)user;
    (void)n; (void)m;
    y[0] = cos(l->has ? l->x : x[0]);
    l->x = x[0];
    l->has = 1;
}
static void lagging_g(const double *x, size_t n, double *g, void *user)
{
    lagging_F(x, n, g, n, user);
}
static void lagging_jv(const double *x, size_t n, const double *v, double *jv, size_t m, void *user)
{
    (void)n; (void)m; (void)user;
    jv[0] = -sin(x[0]) * v[0];
}
static void lagging_hv(const double *x, size_t n, const double *v, double *hv, void *user)
{
    lagging_jv(x, n, v, hv, n, user);
}
static void laggards(void)
{
    const double x = 0.7;
    int way;
    for (way = 0; way < 3; way++) {
        ad_check_result r;
        lagging l = { 0, 0 };
        if (way == 0) ad_check_hessian(lagging_g, lagging_hv, &x, 1, &l, NULL, &r);
        else if (way == 1) ad_check_jvp(lagging_F, lagging_jv, &x, 1, 1, &l, NULL, &r);
        else ad_check_vjp(lagging_F, lagging_jv, &x, 1, 1, &l, NULL, &r);
        inspect(__LINE__, "laggards", BIT(STALE_STATE), r.verdict, &r);
    }
}

/* J v of one output and more variables than are looked at one by one. */
static void one_row_F(const double *x, size_t n, double *y, size_t m, void *user)
{
    double s = 0;
    size_t i;
    (void)m; (void)user;
    for (i = 0; i < n; i++) s += cos(1.1 * (double)i) * x[i];
    y[0] = sin(s);
}
static void one_row_jv(const double *x, size_t n, const double *v, double *jv, size_t m, void *user)
{
    double s = 0, t = 0;
    size_t i;
    (void)m;
    for (i = 0; i < n; i++) {
        s += cos(1.1 * (double)i) * x[i];
        t += cos(1.1 * (double)i) * v[i];
    }
    jv[0] = *(const double *)user * cos(s) * t;
}
static void one_row(void)
{
    enum { N = 3000 };
    static double x[N];
    double factor;
    size_t i;
    int seed;
    for (i = 0; i < N; i++) x[i] = 0.05 + 0.02 * sin(0.7 * (double)i);
    for (seed = 1; seed <= 6; seed++)
        for (factor = 1; factor >= -1; factor -= 1.99) {
            ad_check_options o;
            ad_check_result r;
            memset(&o, 0, sizeof o);
            o.seed = (uint64_t)seed;
            inspect(__LINE__, "one row", factor == 1 ? BIT(CORRECT) : BIT(WRONG),
                ad_check_jvp(one_row_F, one_row_jv, x, N, 1, &factor, &o, &r), &r);
        }
}

/* The transpose writes beside what it fills, though there are more outputs than variables. */
typedef struct beside { size_t over; int transposed; } beside;
static void beside_jv(const double *x, size_t n, const double *v, double *jv, size_t m, void *user)
{
    const beside *const b = (const beside *)user;
    size_t i, j;
    (void)x;
    for (i = 0; i < m; i++)
        for (j = 0, jv[i] = 0; j < n; j++) jv[i] += (double)(i + 2 * j + 1) * v[j];
    if (!b->transposed) jv[m + b->over] = 1;
}
static void beside_vj(const double *x, size_t n, const double *w, double *wj, size_t m, void *user)
{
    const beside *const b = (const beside *)user;
    size_t i, j;
    (void)x;
    for (j = 0; j < n; j++)
        for (i = 0, wj[j] = 0; i < m; i++) wj[j] += (double)(i + 2 * j + 1) * w[i];
    if (b->transposed) wj[n + b->over] = 1;
}
static void beside_outputs(void)
{
    static const double x[4] = { 0.1, 0.2, 0.3, 0.4 };
    size_t n, m;
    beside b;
    for (b.transposed = 0; b.transposed < 2; b.transposed++)
        for (n = 1; n <= 4; n++)
            for (m = 1; m <= 4; m++)
                for (b.over = 0; b.over < 3; b.over++) {
                    ad_check_result r;
                    inspect(__LINE__, "beside", BIT(OUT_OF_BOUNDS),
                        ad_check_adjoint(beside_jv, beside_vj, x, n, m, &b, NULL, &r), &r);
                }
}

/* H v in ad_check_taylor is held to what it is held to elsewhere; where it is wrong, its numbers
   are told; where noise in f hides it, nothing is. */
typedef struct mannered { int bad; double noise, factor, at; } mannered;
static double mannered_f(const double *x, size_t n, void *user)
{
    const mannered *const p = (const mannered *)user;
    (void)n;
    return exp(x[0]) + x[1] * x[1] + p->noise * sin(1e12 * (x[0] + 2 * x[1]));
}
static void mannered_g(const double *x, size_t n, double *g, void *user)
{
    (void)n; (void)user;
    g[0] = exp(x[0]);
    g[1] = 2 * x[1];
}
static void mannered_hv(const double *x, size_t n, const double *v, double *hv, void *user)
{
    const mannered *const p = (const mannered *)user;
    (void)n;
    if (p->bad == 1) ((double *)(uintptr_t)x)[0] += 1e-3;
    hv[0] = (p->bad == 2 ? hv[0] : 0) + p->factor * exp(x[0]) * v[0];
    if (p->bad != 3) hv[1] = p->factor * 2 * v[1];
    if (p->bad == 4) hv[0] = (double)NAN;
    if (p->bad == 5) hv[2] = 1;
}
static void taylor_manners(void)
{
    static const unsigned verdict[6] = { BIT(CORRECT), BIT(X_MODIFIED), BIT(ACCUMULATES),
        BIT(UNWRITTEN), BIT(G_NONFINITE), BIT(OUT_OF_BOUNDS) };
    static const double x[2] = { 0.75, 1.25 };
    mannered p;
    ad_check_result r;
    int seed;
    memset(&p, 0, sizeof p);
    p.factor = 1;
    for (p.bad = 0; p.bad < 6; p.bad++) {
        ad_check_taylor(mannered_f, mannered_g, mannered_hv, x, 2, &p, NULL, &r);
        inspect(__LINE__, "manners", verdict[p.bad], r.verdict, &r);
    }
    p.bad = 0;
    p.factor = 1.5;
    ad_check_taylor(mannered_f, mannered_g, mannered_hv, x, 2, &p, NULL, &r);
    inspect(__LINE__, "wrong H", BIT(WRONG), r.verdict, &r);
    CHECK(fabs(r.findings[0].claimed / r.findings[0].numeric - 1.5) < 1e-3);
    p.noise = 1e-5;
    p.factor = 1.05;
    for (seed = 1; seed <= 40; seed++) {
        ad_check_options o;
        memset(&o, 0, sizeof o);
        o.seed = (uint64_t)seed;
        ad_check_taylor(mannered_f, mannered_g, mannered_hv, x, 2, &p, &o, &r);
        inspect(__LINE__, "H in noise", BIT(WRONG) | BIT(INCONCLUSIVE), r.verdict, &r);
    }
}

/* x of the smallest numbers, and scales of the greatest: such checks end. */
static void shared_F(const double *x, size_t n, double *y, size_t m, void *user)
{
    size_t i;
    (void)n; (void)user;
    for (i = 0; i < m; i++) y[i] = sin(x[0]) + 0.5 * x[0];
}
static void shared_values(const double *x, size_t n, double *values, size_t nnz, void *user)
{
    size_t i;
    (void)n; (void)user;
    for (i = 0; i < nnz; i++) values[i] = cos(x[0]) + 0.5;
}
static void ends_of_range(void)
{
    static const size_t row_start[5] = { 0, 1, 2, 3, 4 }, column[4] = { 0, 0, 0, 0 };
    static const double at[] = { 5e-324, 1e-323, -5e-324, 1e-322, 1e-310 };
    static const double x[2] = { 1, 0.25 };
    double scale[2] = { 1e308, 1e308 };
    ad_check_options o;
    ad_check_result r;
    size_t k;
    sized s;
    memset(&o, 0, sizeof o);
    o.max_evals = SIZE_MAX;
    for (k = 0; k < 5; k++)
        inspect(__LINE__, "least numbers", PASS | BIT(INCONCLUSIVE), ad_check_sparse_jacobian(
            shared_F, shared_values, &at[k], 1, 4, row_start, column, NULL, &o, &r), &r);
    memset(&o, 0, sizeof o);
    o.x_scale = scale;
    o.dense_limit = 1;
    s.size = s.factor = 1;
    ad_check_gradient(sized_f, sized_g, x, 2, &s, &o, &r);
    CHECK(!ad_check_ok(r.verdict) || r.verdict == AD_VERDICT_CORRECT);
}

static void suite_codes(void)
{
    static const struct { int kinds[4], n, code; } row[] = {
        { { S_RIGHT, S_RIGHT, S_KINK, 0 }, 3, 0 },
        { { S_RIGHT, 0, 0, 0 }, 1, 0 },
        { { S_RIGHT, S_WRONG, S_UNDECIDED, S_KINK }, 4, 1 },
        { { S_WRONG, 0, 0, 0 }, 1, 1 },
        { { S_RIGHT, S_UNDECIDED, 0, 0 }, 2, 77 },
        { { S_UNDECIDED, S_UNDECIDED, 0, 0 }, 2, 77 },
        { { S_ERROR, 0, 0, 0 }, 1, 99 },
        { { S_RIGHT, S_ERROR, 0, 0 }, 2, 99 },
        { { 0, 0, 0, 0 }, 0, 77 }
    };
    size_t i;
    int k;
    for (i = 0; i < sizeof row / sizeof row[0]; i++) {
        ad_check_suite *s = ad_check_suite_create("codes");
        int failing = 0;
        CHECK(s != NULL);
        for (k = 0; k < row[i].n; k++) {
            const int kind = row[i].kinds[k];
            const ad_verdict v = run_kind(s, "a check", kind);
            failing |= kind == S_WRONG || kind == S_ERROR;
            CHECK(kind != S_RIGHT || v == AD_VERDICT_CORRECT);
            CHECK(kind != S_WRONG || v == AD_VERDICT_WRONG);
            CHECK(kind != S_KINK || v == AD_VERDICT_NONSMOOTH_VALID);
            CHECK(kind != S_UNDECIDED || v == AD_VERDICT_F_NONFINITE);
            CHECK(kind != S_ERROR || v == AD_VERDICT_ERROR);
        }
        test_check(ad_check_suite_code(s) == row[i].code, __FILE__, __LINE__,
                   "row %d: code %d, not %d", (int)i, ad_check_suite_code(s), row[i].code);
        check_formats(s, row[i].n, failing);
        ad_check_suite_destroy(s);
    }
    for (i = 0; i < 2; i++) {                       /* a name of one letter, and none */
        ad_check_suite *const s = ad_check_suite_create(i ? "" : "a");
        const text t = suite_text(s, AD_CHECK_JUNIT);
        CHECK(strstr(t.p, i ? "<testsuites name=\"autodiff\"" : "<testsuites name=\"a\"") != NULL);
        free(t.p);
        ad_check_suite_destroy(s);
    }
}

/* A decimal comma must not reach the reports, nor any message. */
static void suite_locale(void)
{
    static const char *const names[] = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "da_DK.UTF-8",
        "de_DE", "German" };
    static const double x[3] = { 0.3, 0.5, 0.7 };
    ad_check_result before, after;
    ad_check_suite *s;
    size_t i;
    memset(&before, 0, sizeof before);
    memset(&after, 0, sizeof after);
    ad_check_gradient(f_plain, g_negative, x, 3, NULL, NULL, &before);
    for (i = 0; i < sizeof names / sizeof names[0] && !setlocale(LC_ALL, names[i]);) i++;
    if (i == sizeof names / sizeof names[0]) return;       /* no such locale here */
    ad_check_gradient(f_plain, g_negative, x, 3, NULL, NULL, &after);
    CHECK_STRING(after.message, before.message);
    s = ad_check_suite_create("locale");
    run_kind(s, "wrong", S_WRONG);
    check_formats(s, 1, 1);
    ad_check_suite_destroy(s);
    setlocale(LC_ALL, "C");
}

/* Names that every format must escape. */
static void suite_names(void)
{
    static const char *const nasty[] = {
        "plain", "", "a \"quoted\" one", "back\\slash", "<b>&amp;</b>", "]]> -->", "100% %s %n %d",
        "line\nbreak", "tab\tbell\a\x1b[31m", "# SKIP", ("# TO" "DO not"), "a: b, ::error::x",
        "caf\xc3\xa9", "broken \xff\xfe utf", "'apos'", "{json: [1, 2"
    };
    char longest[1000], big[40];
    ad_check_suite *s = ad_check_suite_create("the \"suite\" <&> 100% #, : \n");
    ad_check_options o = default_options();
    const char *names[3];
    static const double x[3] = { 0.3, 0.5, 0.7 };
    text t;
    size_t i;
    int n = 0;
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    for (i = 0; i < sizeof nasty / sizeof nasty[0]; i++) {
        names[0] = nasty[i];
        names[1] = longest;
        names[2] = NULL;
        o.names = names;
        o.label = nasty[i];
        o.file = nasty[i];
        o.line = -1;
        AD_CHECK_RUN(s, nasty[i], &o, ad_check_gradient, f_plain, g_negative, x, 3, NULL);
        test_check(one_line(ad_check_suite_result(s)->message, 256), __FILE__, __LINE__,
                   "not one line: \"%s\"", ad_check_suite_result(s)->message);
        run_kind(s, nasty[i], S_RIGHT);
        run_kind(s, nasty[i], S_UNDECIDED);
        n += 3;
    }
    t = suite_text(s, AD_CHECK_TEXT);                 /* the line for a shell */
    CHECK(strstr(t.p, "AD_CHECK_ONLY=''\\''apos'\\'''\n") != NULL);
    free(t.p);
    run_kind(s, longest, S_WRONG);
    run_kind(s, NULL, S_WRONG);
    n += 2;
    check_formats(s, n, 1);
    ad_check_suite_destroy(s);
    /* as many as one likes; the texts are the suite's own */
    s = ad_check_suite_create("many");
    for (i = 0; i < 300; i++) {
        sprintf(big, "check %d", (int)i);
        run_kind(s, big, i % 3 ? S_RIGHT : S_WRONG);
        memset(big, '?', sizeof big);
    }
    check_formats(s, 300, 1);
    t = suite_text(s, AD_CHECK_TAP);
    CHECK(strstr(t.p, "check 299") != NULL && strchr(t.p, '?') == NULL);
    free(t.p);
    ad_check_suite_destroy(s);
    s = ad_check_suite_create(NULL);
    if (s) run_kind(s, "x", S_RIGHT);
    ad_check_suite_destroy(s);
}

static void suite_macros(void)
{
    const double x[2] = { 0.4, -0.2 };
    const float xf[2] = { 0.4f, -0.2f };
    ad_check_suite *s = ad_check_suite_create("macros");
    text t;
    CHECK(AD_CHECK_GRADIENT(s, f_plain, g_right, x, 2, NULL) == AD_VERDICT_CORRECT);
    CHECK(AD_CHECK_GRADIENT(s, f_plain, g_negative, x, 2, NULL) == AD_VERDICT_WRONG);
    CHECK(ad_check_ok(ADF_CHECK_GRADIENT(s, f_plain_f, g_right_f, xf, 2, NULL)));
    CHECK(ad_check_ok(AD_CHECK_JACOBIAN(s, F_waves_d, J_waves_d, x, 2, 2, NULL)));
    CHECK(ad_check_ok(ADF_CHECK_JACOBIAN(s, F_waves_f, J_waves_f, xf, 2, 2, NULL)));
    t = suite_text(s, AD_CHECK_TAP);
    CHECK(strstr(t.p, "g_right") && strstr(t.p, "g_negative") && strstr(t.p, "J_waves_f"));
    CHECK(strstr(t.p, "test_check.c") && strstr(t.p, "WRONG"));
    CHECK(strstr(t.p, "not ok 2") && strstr(t.p, "\nok 1") && strstr(t.p, "\nok 5"));
    free(t.p);
    ad_check_suite_destroy(s);
}

/* Results from elsewhere, checks that were begun and never ended, calls without a suite. */
static void suite_odd_uses(void)
{
    static const double x[3] = { 0.3, 0.5, 0.7 };
    ad_check_suite *s = ad_check_suite_create("odd");
    char label[20] = "label", file[20] = "some_file.c";
    ad_check_options o = default_options();
    ad_check_result r;
    text t;
    o.label = label;
    o.file = file;
    o.line = 77;
    ad_check_gradient(f_plain, g_negative, x, 3, NULL, &o, &r);
    CHECK(r.label == label && r.file == file && r.line == 77);
    CHECK_STATUS(ad_check_suite_add(s, "added", &r), AD_OK);
    r.n_findings += 1000;                        /* more than there is room for */
    CHECK_STATUS(ad_check_suite_add(s, "added", &r), AD_ERR_ARGUMENT);
    r.n_findings -= 1000;
    memset(label, '?', sizeof label - 1);
    memset(file, '?', sizeof file - 1);
    t = suite_text(s, AD_CHECK_JSON);
    CHECK(strstr(t.p, "some_file.c") && strstr(t.p, "77") && strchr(t.p, '?') == NULL);
    CHECK(is_json(t.p));
    free(t.p);
    CHECK(ad_check_suite_code(s) == 1);
    ad_check_suite_destroy(s);

    s = ad_check_suite_create("left");
    CHECK(ad_check_suite_begin(s, "left", "f.c", 3, NULL) == 1);
    CHECK(ad_check_suite_options(s) != NULL && ad_check_suite_result(s) != NULL);
    CHECK(run_kind(s, "next", S_RIGHT) == AD_VERDICT_CORRECT);
    t = suite_text(s, AD_CHECK_TAP);
    CHECK(is_tap(t.p, 2) && strstr(t.p, "not ok 1 - left") && strstr(t.p, "ok 2 - next"));
    free(t.p);
    CHECK(ad_check_suite_code(s) == 99);
    CHECK(ad_check_suite_begin(s, "left last", "f.c", 3, NULL) == 1);
    t = suite_text(s, AD_CHECK_TAP);
    CHECK(is_tap(t.p, 3) && strstr(t.p, "not ok 3 - left last"));
    free(t.p);
    ad_check_suite_destroy(s);

    s = ad_check_suite_create("not begun");
    ad_check_suite_end(s, AD_VERDICT_CORRECT);
    CHECK(ad_check_suite_code(s) != 0);
    ad_check_suite_destroy(s);

    CHECK(!ad_check_ok(run_kind(NULL, "no suite", S_RIGHT)));
    CHECK(ad_check_suite_code(NULL) == 99);
    CHECK(ad_check_suite_add(NULL, "x", &r) != AD_OK);
    CHECK(ad_check_suite_write(NULL, AD_CHECK_TEXT, text_write, &t) != AD_OK);
    CHECK(ad_check_suite_finish(NULL) == 99);
    ad_check_suite_destroy(NULL);
    s = ad_check_suite_create("nulls");
    CHECK(ad_check_suite_write(s, AD_CHECK_TEXT, NULL, NULL) == AD_ERR_ARGUMENT);
    CHECK(ad_check_suite_add(s, "x", NULL) == AD_ERR_ARGUMENT);
    ad_check_suite_destroy(s);
    CHECK(ad_check_print(NULL, text_write, &t) == AD_ERR_ARGUMENT);
    CHECK(ad_check_print(&r, NULL, NULL) == AD_ERR_ARGUMENT);
    t = empty_text();
    t.stop_at = 1;
    CHECK_STATUS(ad_check_print(&r, text_write, &t), AD_ERR_WRITE);
}

/* Without a work array a suite lends its checks one: each after the other, whatever they need. */
static double half_square(const double *x, size_t n, void *user)
{
    double s = 0;
    size_t i;
    (void)user;
    for (i = 0; i < n; i++) s += x[i] * x[i] / 2;
    return s;
}
static void itself(const double *x, size_t n, double *g, void *user)
{
    const size_t *const wrong = (const size_t *)user;
    memcpy(g, x, n * sizeof *g);
    if (wrong && *wrong < n) g[*wrong] *= 2;
}
static void suite_large(void)
{
    enum { N = 700 };
    static double x[N];
    ad_check_suite *const s = ad_check_suite_create("large");
    size_t i, wrong = 411;
    for (i = 0; i < N; i++) x[i] = 1 + 0.001 * (double)i;
    CHECK(ad_check_ok(AD_CHECK_GRADIENT(s, half_square, itself, x, N, NULL)));
    CHECK(AD_CHECK_GRADIENT(s, half_square, itself, x, N, &wrong) == AD_VERDICT_WRONG);
    CHECK(ad_check_ok(AD_CHECK_GRADIENT(s, half_square, itself, x, N / 2, &wrong)));
    CHECK(ad_check_suite_code(s) == 1);
    ad_check_suite_destroy(s);
}

#ifndef _WIN32
/* A whole file; "" if there is none. */
static text read_file(const char *path)
{
    text t = empty_text();
    FILE *f = fopen(path, "rb");
    char piece[500];
    size_t n;
    text_write(&t, "", 0);
    while (f && (n = fread(piece, 1, sizeof piece, f)) > 0) text_write(&t, piece, n);
    if (f) fclose(f);
    return t;
}
/* As the environment asks: sets it, runs three checks, finishes the suite, reads what it wrote. */
static text finished(const char *name, const char *value, int right, int undecided, int *code)
{
    static const char *const all[] = { "AD_CHECK_FORMAT", "AD_CHECK_OUTPUT", "AD_CHECK_ONLY",
        "AD_CHECK_SEED", "AD_CHECK_MAX_EVALS", "AD_CHECK_STRICT", "AD_CHECK_VERBOSE",
        "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "NO_COLOR", "CLICOLOR_FORCE", "FORCE_COLOR",
        "HARNESS_ACTIVE" };
    char path[80];
    ad_check_suite *s;
    text t;
    size_t i;
    for (i = 0; i < sizeof all / sizeof all[0]; i++) unsetenv(all[i]);
    sprintf(path, "check-%p.tmp", (void *)&s);
    setenv("AD_CHECK_OUTPUT", path, 1);
    if (name) setenv(name, value, 1);
    if (name && strcmp(name, "GITHUB_STEP_SUMMARY") == 0) setenv("GITHUB_ACTIONS", "true", 1);
    if (name && strcmp(name, "HARNESS_ACTIVE") == 0) setenv("AD_CHECK_ONLY", value, 1);
    s = ad_check_suite_create("environment");
    run_kind(s, "alpha", right ? S_RIGHT : S_WRONG);
    run_kind(s, "beta", S_KINK);
    if (undecided) run_kind(s, "gamma", S_UNDECIDED);
    *code = ad_check_suite_finish(s);
    for (i = 0; i < sizeof all / sizeof all[0]; i++) unsetenv(all[i]);
    t = read_file(path);
    remove(path);
    return t;
}
static void suite_environment(void)
{
    int code;
    char summary[80];
    text t = finished(NULL, NULL, 1, 0, &code);
    CHECK(code == 0 && t.length > 0);
    free(t.p);
    t = finished(NULL, NULL, 0, 0, &code);
    CHECK(code == 1 && strstr(t.p, "WRONG") && strstr(t.p, "alpha"));
    CHECK(strchr(t.p, '\x1b') == NULL);               /* no colours in a file */
    free(t.p);
    sprintf(summary, "summary-%p.tmp", (void *)&code);
    t = finished("GITHUB_STEP_SUMMARY", summary, 0, 1, &code);
    free(t.p);
    t = read_file(summary);
    remove(summary);
    CHECK(code == 1 && t.length > 0 && strstr(t.p, "| check | verdict | |\n| --- | --- | --- |\n")
          && strstr(t.p, "| alpha | WRONG | ") && strstr(t.p, "| beta | NONSMOOTH_VALID | "));
    free(t.p);
    t = finished("AD_CHECK_FORMAT", "tap", 0, 1, &code);
    CHECK(code == 1 && is_tap(t.p, 3));
    free(t.p);
    t = finished("AD_CHECK_FORMAT", "junit", 0, 1, &code);
    CHECK(code == 1 && is_xml(t.p, "testsuites"));
    free(t.p);
    t = finished("AD_CHECK_FORMAT", "json", 0, 1, &code);
    CHECK(code == 1 && is_json(t.p));
    free(t.p);
    t = finished("AD_CHECK_FORMAT", "github", 0, 1, &code);
    CHECK(code == 1 && is_github(t.p));
    free(t.p);
    t = finished("AD_CHECK_FORMAT", "nonsense", 1, 0, &code);
    CHECK(t.length > 0);
    free(t.p);
    t = finished("AD_CHECK_ONLY", "alpha", 1, 1, &code);
    CHECK(code == 0 && strstr(t.p, "beta") == NULL);
    free(t.p);
    t = finished("AD_CHECK_ONLY", "bet", 0, 1, &code);
    CHECK(code == 0);
    free(t.p);
    t = finished("AD_CHECK_ONLY", "no such check", 0, 1, &code);
    CHECK(code == 77 && strstr(t.p, "no check's name has 'no such check'") != NULL);
    free(t.p);
    /* prove takes 77 for a crash: what was left out is no failure, what is undecided is one */
    t = finished("HARNESS_ACTIVE", "no such check", 0, 1, &code);
    CHECK(code == 0);
    free(t.p);
    t = finished("HARNESS_ACTIVE", "gamma", 0, 1, &code);
    CHECK(code == 77);
    free(t.p);
    t = finished("AD_CHECK_STRICT", "1", 1, 0, &code);
    CHECK(code == 1);                                  /* the kink */
    free(t.p);
    t = finished("AD_CHECK_STRICT", "1", 1, 1, &code);
    CHECK(code == 1);
    free(t.p);
    t = finished("AD_CHECK_STRICT", "0", 1, 0, &code);
    CHECK(code == 0);
    free(t.p);
    t = finished("AD_CHECK_VERBOSE", "1", 1, 0, &code);
    CHECK(code == 0 && strstr(t.p, "alpha") != NULL);
    free(t.p);
    t = finished("AD_CHECK_SEED", "12345", 0, 0, &code);
    CHECK(code == 1 && strstr(t.p, "12345") != NULL);
    free(t.p);
    t = finished("AD_CHECK_SEED", "rubbish", 1, 0, &code);
    CHECK(code == 0 || code == 99);
    free(t.p);
    t = finished("AD_CHECK_SEED", "18446744073709551615", 0, 0, &code);
    CHECK(code == 1 && strstr(t.p, "AD_CHECK_SEED=18446744073709551615 AD_CHECK_ONLY='alpha'"));
    free(t.p);
    t = finished("AD_CHECK_SEED", "18446744073709551616", 0, 0, &code);
    CHECK(code == 99 && strstr(t.p, "64 bits"));
    free(t.p);
    t = finished("AD_CHECK_STRICT", "1", 0, 0, &code);
    CHECK(code == 1 && strstr(t.p, " AD_CHECK_STRICT=1 AD_CHECK_ONLY='alpha'"));
    free(t.p);
    t = finished("AD_CHECK_MAX_EVALS", "2", 1, 0, &code);
    CHECK((code == 77 && strstr(t.p, " AD_CHECK_MAX_EVALS=2 AD_CHECK_ONLY=")) || code == 0);
    free(t.p);
    t = finished("AD_CHECK_OUTPUT", "/no such directory/file", 1, 0, &code);
    CHECK(code == 99);
    free(t.p);
}

/* What a stream gets is kept in a file until it is given back. */
static int keep_stream(FILE *stream, const char *path)
{
    FILE *const f = fopen(path, "wb");
    int saved;
    fflush(stream);
    saved = dup(fileno(stream));
    if (!f || saved < 0 || dup2(fileno(f), fileno(stream)) < 0) return -1;
    fclose(f);
    return saved;
}
static text give_back(FILE *stream, const char *path, int saved)
{
    text t;
    fflush(stream);
    if (saved >= 0) {
        dup2(saved, fileno(stream));
        close(saved);
    }
    t = read_file(path);
    remove(path);
    return t;
}
static int people_read(const char *p)
{
    int n = 0;
    for (; (p = strstr(p, " checks: ")) != NULL; p++) n++;
    return n;
}
/* What stands on stdout: the report for people, or one that a program can read; what failed is
   told to people once. Annotations where GitHub asks for them, once. */
static void suite_streams(void)
{
    static const char *const formats[] = { NULL, "tap", "junit", "json", "github" };
    size_t f;
    int file, actions, right;
    for (f = 0; f < sizeof formats / sizeof formats[0]; f++)
    for (file = 0; file < 2; file++)
    for (actions = 0; actions < 2; actions++)
    for (right = 0; right < 2; right++) {
        char path[3][80];
        int saved[2], code, told;
        ad_check_suite *s;
        text out, err, written;
        sprintf(path[0], "out-%p.tmp", (void *)&code);
        sprintf(path[1], "err-%p.tmp", (void *)&code);
        sprintf(path[2], "check-%p.tmp", (void *)&code);
        if (formats[f]) setenv("AD_CHECK_FORMAT", formats[f], 1);
        if (file) setenv("AD_CHECK_OUTPUT", path[2], 1);
        if (actions) setenv("GITHUB_ACTIONS", "true", 1);
        s = ad_check_suite_create("streams");
        run_kind(s, "alpha", right ? S_RIGHT : S_WRONG);
        saved[0] = keep_stream(stdout, path[0]);
        saved[1] = keep_stream(stderr, path[1]);
        code = ad_check_suite_finish(s);
        out = give_back(stdout, path[0], saved[0]);
        err = give_back(stderr, path[1], saved[1]);
        written = read_file(path[2]);
        remove(path[2]);
        unsetenv("AD_CHECK_FORMAT");
        unsetenv("AD_CHECK_OUTPUT");
        unsetenv("GITHUB_ACTIONS");
        told = people_read(out.p) + people_read(err.p);
        CHECK(code == !right);
        test_check(right ? told <= 1 : told == 1, __FILE__, __LINE__,
            "%s, file %d, GitHub %d: people are told %d times:\n%s\n%s", formats[f] ? formats[f]
            : "text", file, actions, told, out.p, err.p);
        CHECK((written.length > 0) == (file && !(f == 4 && right)));
        if (!f) CHECK(people_read(out.p) == 1 && err.length == 0);
        if (!f && file) CHECK(people_read(written.p) == 1);
        if (f && !file) {
            CHECK(f != 1 || is_tap(out.p, 1));
            CHECK(f != 2 || is_xml(out.p, "testsuites"));
            CHECK(f != 3 || is_json(out.p));
            CHECK(f != 4 || (right ? out.length == 0 : is_github(out.p)));
        }
        if (!right && f != 4)
            CHECK(!actions == !(strstr(out.p, "::error ") || strstr(err.p, "::error ")));
        free(out.p);
        free(err.p);
        free(written.p);
    }
}
#else
static void suite_environment(void) {}
static void suite_streams(void) {}
#endif

/* ---------------------------------------------------------------- names */
static void names(void)
{
    int v, w;
    for (v = AD_VERDICT_SKIPPED; v <= AD_VERDICT_ERROR; v++) {
        const char *name = ad_verdict_name((ad_verdict)v);
        CHECK(name != NULL && name[0] != 0 && strncmp(name, "AD_", 3) != 0);
        CHECK(!(ad_check_ok((ad_verdict)v) && ad_check_undecided((ad_verdict)v)));
        for (w = 0; w < v; w++) CHECK(strcmp(name, ad_verdict_name((ad_verdict)w)) != 0);
    }
    CHECK_STRING(ad_verdict_name(AD_VERDICT_WRONG), "WRONG");
    CHECK_STRING(ad_verdict_name(AD_VERDICT_CORRECT_NOISE_LIMITED), "CORRECT_NOISE_LIMITED");
    CHECK(ad_verdict_name((ad_verdict)(AD_VERDICT_ERROR + 1)) != NULL);
    for (v = AD_HINT_NONE; v <= AD_HINT_UNSYMMETRIC; v++) {
        CHECK(ad_hint_name((ad_hint)v) != NULL);
        for (w = 0; w < v; w++)
            CHECK(strcmp(ad_hint_name((ad_hint)v), ad_hint_name((ad_hint)w)) != 0);
    }
    CHECK_STRING(ad_hint_name(AD_HINT_SIGN), "sign");
    CHECK(ad_hint_name((ad_hint)(AD_HINT_UNSYMMETRIC + 1)) != NULL);
}

/* Along directions, from the edges of the box: what stands there moves in directions of its own,
   and nothing passes that they could not measure, nor what cannot move at all. The first variable
   is rough (1: its root, 2: a jump, 3: not finite) beyond its edge. */
enum { EDGES = 300 };
static double edge_lo[EDGES];
static int edge_kind;
static double edge_claim;
static double edge_f(const double *x, size_t n, void *user)
{
    const double d = x[0] - edge_lo[0];
    double s = edge_kind == 1 ? sqrt(d) : edge_kind == 2 ? 5 * (d > 0) : edge_kind == 3 && d > 0
             ? (double)NAN : edge_kind == 0 ? sin(x[0]) : 0;
    size_t i;
    (void)user;
    for (i = 1; i < n; i++) s += sin(x[i]);
    return s;
}
static void edge_g(const double *x, size_t n, double *g, void *user)
{
    size_t i;
    (void)user;
    for (i = 0; i < n; i++) g[i] = cos(x[i]);
    if (edge_claim != 0) g[0] = edge_claim;
}
static void edge_hv(const double *x, size_t n, const double *v, double *hv, void *user)
{
    size_t i;
    (void)user;
    for (i = 0; i < n; i++) hv[i] = -sin(x[i]) * v[i];
}
static void at_the_edges(void)
{
    double x[EDGES], hi[EDGES];
    ad_check_options o;
    ad_check_result r;
    size_t free_ones, i;
    memset(&o, 0, sizeof o);
    o.lo = edge_lo;
    o.hi = hi;
    o.dense_limit = 10;
    for (free_ones = 0; free_ones <= EDGES - 1; free_ones += (EDGES - 1) / 2) {
        for (i = 0; i < EDGES; i++) {
            edge_lo[i] = 0;
            hi[i] = 2;
            x[i] = i >= EDGES - free_ones ? 0.3 + 0.002 * (double)i : 0;
        }
        edge_kind = 0;
        edge_claim = 0;
        ad_check_gradient(edge_f, edge_g, x, EDGES, NULL, &o, &r);
        CHECK(r.verdict == AD_VERDICT_CORRECT && r.mode == AD_CHECK_DIRECTIONAL);
        edge_claim = -3;
        ad_check_gradient(edge_f, edge_g, x, EDGES, NULL, &o, &r);
        CHECK(r.verdict == AD_VERDICT_WRONG && r.findings[0].i == 0);
        for (edge_kind = 1; edge_kind < 4; edge_kind++) {
            edge_claim = 0.5;
            ad_check_gradient(edge_f, edge_g, x, EDGES, NULL, &o, &r);
            test_check(!(PASS >> r.verdict & 1), __FILE__, __LINE__, "rough %d, %d free: %s",
                edge_kind, (int)free_ones, r.message);
        }
        /* held fast, alone or all */
        edge_kind = 0;
        edge_claim = -3;
        hi[0] = 0;
        for (i = 1; i < EDGES && free_ones == 0; i++) hi[i] = 0;
        ad_check_gradient(edge_f, edge_g, x, EDGES, NULL, &o, &r);
        CHECK(r.verdict == AD_VERDICT_INCONCLUSIVE && strstr(r.message, "fast") != NULL);
        CHECK(r.inconclusive == (free_ones ? 1 : EDGES));
        /* remainders go both ways */
        ad_check_taylor(edge_f, edge_g, edge_hv, x, EDGES, NULL, &o, &r);
        CHECK(r.verdict == AD_VERDICT_INCONCLUSIVE && strstr(r.message, "not moved") != NULL);
    }
    edge_claim = 0;
    for (i = 0; i < EDGES; i++) {
        x[i] = 0.5;
        hi[i] = 2;
    }
    ad_check_taylor(edge_f, edge_g, edge_hv, x, EDGES, NULL, &o, &r);
    CHECK(r.verdict == AD_VERDICT_CORRECT);
}

/* ---- what is near 0, beside what is not: seen wherever components are not looked at one by one */
enum { NEAR_N = 600 };
static double near_claim, near_size;
static int near_kind;
static int is_near(size_t i) { return i % 10 == 7; }
static double near_f(const double *x, size_t n, void *user)
{
    double s = 0;
    size_t i;
    (void)user;
    for (i = 0; i < n; i++) s += near_kind ? x[i] * log(x[i]) : sin(x[i]);
    return s;
}
static void near_g(const double *x, size_t n, double *g, void *user)
{
    size_t i;
    (void)user;
    for (i = 0; i < n; i++)
        g[i] = is_near(i) && near_claim != 0 ? near_claim : near_kind ? log(x[i]) + 1 : cos(x[i]);
}
static void near_F(const double *x, size_t n, double *y, size_t m, void *user)
{
    size_t i;
    (void)user;
    for (i = 0; i < m; i++) y[i] = sin(x[i]) + x[(i + 1) % n] * x[(i + 1) % n];
}
static void near_values(const double *x, size_t n, double *values, size_t nnz, void *user)
{
    size_t i;
    (void)nnz;
    (void)user;
    for (i = 0; i < n; i++) {
        values[2 * i] = is_near(i) && near_claim != 0 ? near_claim : cos(x[i]);
        values[2 * i + 1] = 2 * x[(i + 1) % n];
    }
}
static void near_v(const double *x, size_t n, const double *v, double *g, void *user)
{
    size_t i;
    near_g(x, n, g, user);
    for (i = 0; i < n; i++) g[i] *= v[i];
}
static void near_exp(const double *x, size_t n, double *g, void *user)
{
    size_t i;
    (void)user;
    for (i = 0; i < n; i++) g[i] = sin(x[i]);
}
static void near_0(void)
{
    static const double sizes[] = { 1e-5, 1e-9, 1e-12, 1e-16, 1e-20 };
    double x[NEAR_N];
    size_t row_start[NEAR_N + 1], column[2 * NEAR_N], i, k;
    ad_check_options o;
    ad_check_result r;
    int claim;
    memset(&o, 0, sizeof o);
    o.dense_limit = 10;
    for (i = 0; i < NEAR_N; i++) {
        row_start[i + 1] = 2 * i + 2;
        column[2 * i] = i;
        column[2 * i + 1] = (i + 1) % NEAR_N;
    }
    row_start[0] = 0;
    for (k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        near_size = sizes[k];
        for (i = 0; i < NEAR_N; i++)
            x[i] = is_near(i) ? near_size : 1 + 0.5 * sin((double)i);
        for (claim = 0; claim < 4; claim++) {
            static const double told[4] = { 0, -1, -5, 1.5 };  /* 0: the right one */
            const unsigned mask = claim ? BIT(WRONG) : PASS;
            near_claim = told[claim];
            near_kind = 0;
            ad_check_gradient(near_f, near_g, x, NEAR_N, NULL, &o, &r);
            inspect(__LINE__, "gradient near 0", mask, r.verdict, &r);
            ad_check_hessian(near_exp, near_v, x, NEAR_N, NULL, &o, &r);
            inspect(__LINE__, "Hessian near 0", mask, r.verdict, &r);
            ad_check_sparse_jacobian(near_F, near_values, x, NEAR_N, NEAR_N, row_start, column,
                NULL, NULL, &r);
            inspect(__LINE__, "sparse Jacobian near 0", mask, r.verdict, &r);
        }
        near_kind = 1;                                 /* f has no other side, and is steep there */
        near_claim = 0;
        ad_check_gradient(near_f, near_g, x, NEAR_N, NULL, &o, &r);
        inspect(__LINE__, "x log x", ~FAIL, r.verdict, &r);
        CHECK(r.inconclusive == (r.verdict == AD_VERDICT_INCONCLUSIVE ? NEAR_N / 10 : 0));
        CHECK((r.verdict == AD_VERDICT_INCONCLUSIVE) == (near_size < 1e-10));
    }
}

/* ---- slopes of 0 on an edge of the box: f = sum of sin over the others */
enum { IDLE_N = 3000 };
static double idle_claim;
static double idle_f(const double *x, size_t n, void *user)
{
    double s = 0;
    size_t i;
    (void)user;
    for (i = 1; i < n; i++) s += sin(x[i]);
    return s;
}
static void idle_g(const double *x, size_t n, double *g, void *user)
{
    size_t i;
    (void)user;
    for (i = 0; i < n; i++) g[i] = i ? cos(x[i]) : idle_claim;
}
static void idle_edges(void)
{
    static double x[IDLE_N], lo[IDLE_N];
    ad_check_options o;
    ad_check_result r;
    size_t i;
    memset(&o, 0, sizeof o);
    for (i = 0; i < IDLE_N; i++) {
        x[i] = 0.3 + 0.7 * (double)i / (double)IDLE_N;
        lo[i] = i ? x[i] - 1 : x[i];
    }
    o.lo = lo;
    for (i = 0; i < 2; i++) {
        idle_claim = i ? 0.01 : 0;
        ad_check_gradient(idle_f, idle_g, x, IDLE_N, NULL, &o, &r);
        inspect(__LINE__, "idle on an edge", i ? BIT(WRONG) : PASS, r.verdict, &r);
        CHECK(r.mode == AD_CHECK_DIRECTIONAL);
    }
}

/* ---- what is added to shows beside any slope, and whatever differences are allowed */
static double added_f(const double *x, size_t n, void *user)
{
    (void)n;
    return *(double *)user * sin(x[0]);
}
static void adding_to(const double *x, size_t n, double *g, void *user)
{
    (void)n;
    g[0] += *(double *)user * cos(x[0]);
}
static float added_single(const float *x, size_t n, void *user)
{
    (void)n;
    return (float)(*(double *)user * sin((double)x[0]));
}
static void adding_to_single(const float *x, size_t n, float *g, void *user)
{
    (void)n;
    g[0] += (float)(*(double *)user * cos((double)x[0]));
}
static void adds_to_any(void)
{
    static const double x[1] = { 0.7 };
    static const float single[1] = { 0.7f };
    double slope;
    int tol;
    for (slope = 1e-20; slope < 1e37; slope *= 137)
        for (tol = 0; tol < 2; tol++) {
            ad_check_options o;
            ad_check_result r;
            memset(&o, 0, sizeof o);
            o.nondet_tol = tol ? 1e-3 : 0;
            ad_check_gradient(added_f, adding_to, x, 1, &slope, &o, &r);
            inspect(__LINE__, "adds to a slope", BIT(ACCUMULATES), r.verdict, &r);
            adf_check_gradient(added_single, adding_to_single, single, 1, &slope, &o, &r);
            inspect(__LINE__, "adds to a slope of floats", BIT(ACCUMULATES), r.verdict, &r);
        }
}

/* ---- products that are right for one number at a time */
static void alone_v(const double *x, size_t n, const double *v, double *y, size_t m, void *user)
{
    size_t i, j;
    (void)x;
    (void)user;
    for (i = 0; i < m; i++) y[i] = 0;
    for (i = 0; i < m; i++)
        for (j = 0; j < n; j++)
            if (v[j] != 0) y[i] = (double)(i + 2 * j + 1) * v[j];      /* += is meant */
}
static void alone_F(const double *x, size_t n, double *y, size_t m, void *user)
{
    size_t i, j;
    (void)user;
    for (i = 0; i < m; i++)
        for (y[i] = 0, j = 0; j < n; j++) y[i] += (double)(i + 2 * j + 1) * x[j];
}
/* ---- rounding that is no fault */
static void rounded_h(const double *x, size_t n, double *H, void *user)
{
    (void)x;
    (void)n;
    H[0] = H[3] = 1;
    H[1] = *(const double *)user;
    H[2] = 0;
}
static void rounded_g(const double *x, size_t n, double *g, void *user)
{
    size_t i;
    (void)user;
    for (i = 0; i < n; i++) g[i] = x[i];
}
static double rounded_fg(const double *x, size_t n, double *g, void *user)
{
    (void)n;
    (void)user;
    if (g) g[0] = g[2] = 1, g[1] = -1;
    return g ? x[0] - x[1] + x[2] : x[0] + x[2] - x[1];
}
/* An operation that has no tangents, and records another gradient than it sweeps: what is missing
   hides nothing behind it. */
static ad_status squares_value(void *user, size_t n, const double *x, size_t m, double *y)
{
    size_t i;
    (void)user; (void)m;
    for (y[0] = 0, i = 0; i < n; i++) y[0] += x[i] * x[i];
    return AD_OK;
}
static ad_status squares_reverse(void *user, size_t n, const double *x, size_t m, const double *y,
    const double *y_bar, double *x_bar)
{
    size_t i;
    (void)user; (void)m; (void)y;
    for (i = 0; i < n; i++) x_bar[i] += 2 * x[i] * y_bar[0];
    return AD_OK;
}
static ad_status squares_record(void *user, ad_tape *t, size_t n, const ad_var *x, size_t m,
    const ad_var *y, const ad_var *y_bar, ad_var *x_bar)
{
    size_t i;
    (void)t; (void)m; (void)y;
    for (i = 0; i < n; i++)
        x_bar[i] = ad_var_mul_r(ad_var_mul(x[i], y_bar[0]), i + 1 < n ? 2 : *(double *)user);
    return AD_OK;
}
static ad_var squares_t(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    static const ad_op op = { "squares", squares_value, squares_reverse, NULL, NULL,
        squares_record };
    ad_var y = ad_const(0);
    ad_var_call(t, &op, user, n, x, 1, &y);
    return y;
}
static void behind_what_is_missing(void)
{
    double x[65], last;
    size_t i, n;
    for (i = 0; i < 65; i++) x[i] = 0.5 + 0.01 * (double)i;
    for (n = 3; n <= 65; n += 62)
        for (last = 2; last < 4; last++) {
            ad_check_result r;
            ad_check_tape(squares_t, x, n, &last, NULL, &r);
            CHECK(last < 3 ? !(FAIL >> r.verdict & 1)
                  : r.verdict == AD_VERDICT_WRONG && strstr(r.message, "recorded gradient"));
        }
}
static ad_var rounded_t(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    const ad_var s = ad_var_sin(x[0]), c = ad_var_cos(x[0]);
    (void)t;
    (void)n;
    (void)user;
    return ad_var_mul(ad_var_add(ad_var_mul(s, s), ad_var_mul(c, c)), x[1]);
}
static double power_near_1(const double *x, size_t n, void *user)
{
    (void)n;
    return pow(fabs(x[0]), *(const double *)user);
}
static void slope_0(const double *x, size_t n, double *g, void *user)
{
    (void)x;
    (void)n;
    (void)user;
    g[0] = 0;
}
static double fitted_f(const double *x, size_t n, void *user)
{
    static const double at[4] = { 1, 1.9, 1.8, 1.7 }, to[4] = { 3.5, 4.22, 4.14, 4.06 };
    double s = 0;
    int i;
    (void)n;
    (void)user;
    for (i = 0; i < 4; i++) s += pow(x[0] + at[i] * x[1] - to[i], 2);
    return s;
}
static void fitted_g(const double *x, size_t n, double *g, void *user)
{
    static const double at[4] = { 1, 1.9, 1.8, 1.7 }, to[4] = { 3.5, 4.22, 4.14, 4.06 };
    int i;
    (void)n;
    (void)user;
    g[0] = g[1] = 0;
    for (i = 0; i < 4; i++) {
        g[0] += 2 * (x[0] + at[i] * x[1] - to[i]);
        g[1] += 2 * at[i] * (x[0] + at[i] * x[1] - to[i]);
    }
}
static double blurred_f(const double *x, size_t n, void *user)
{
    (void)n;
    (void)user;
    return x[0] * x[1];
}
static void blurred_g(const double *x, size_t n, double *g, void *user)
{
    (void)n;
    g[0] = *(const double *)user * x[1];
    g[1] = x[0];
}
static double outside_f(const double *x, size_t n, void *user)
{
    (void)n;
    (void)user;
    return x[0] * log(x[1]);
}
static void no_fault(void)
{
    static const double x[3] = { 0.1, 1e16, 1e16 - 2 }, fit[2] = { 2.7, 0.8 };
    static const double point[3] = { 0.3, 0.7, -1.1 }, one[2] = { 1, 1 }, other[2] = { 1, -1 };
    static const char *const names[2] = { "a", "b" };
    double by, zero = 0;
    ad_check_options o;
    ad_check_result r;
    ad_check_jvp(alone_F, alone_v, point, 3, 4, NULL, NULL, &r);
    CHECK(r.verdict == AD_VERDICT_WRONG && strstr(r.message, "sum of two directions") != NULL);
    by = 1e-17;
    ad_check_hessian_matrix(rounded_g, rounded_h, point, 2, &by, NULL, &r);
    CHECK(r.verdict == AD_VERDICT_CORRECT && r.checked == 4);
    by = 1e-3;
    ad_check_hessian_matrix(rounded_g, rounded_h, point, 2, &by, NULL, &r);
    CHECK(r.verdict == AD_VERDICT_WRONG && r.checked == 4);
    ad_check_tape(rounded_t, point, 2, NULL, NULL, &r);
    CHECK(!(FAIL >> r.verdict & 1));
    for (by = 1.005; by < 1.04; by += 0.005) {
        ad_check_gradient(power_near_1, slope_0, &zero, 1, &by, NULL, &r);
        CHECK(!(FAIL >> r.verdict & 1));
    }
    memset(&o, 0, sizeof o);
    ad_check_fgradient(rounded_fg, x, 3, NULL, &o, &r);
    CHECK(!(FAIL >> r.verdict & 1));
    o.nondet_tol = 1e-3;
    ad_check_fgradient(rounded_fg, point, 3, NULL, &o, &r);
    CHECK(r.verdict == AD_VERDICT_CORRECT);
    ad_check_gradient(fitted_f, fitted_g, fit, 2, NULL, NULL, &r);
    CHECK(!(FAIL >> r.verdict & 1));
    memset(&o, 0, sizeof o);
    for (o.f_noise = 0.01; o.f_noise < 1000; o.f_noise *= 10) {      /* the user's word */
        by = 1.003;
        ad_check_gradient(blurred_f, blurred_g, one, 2, &by, &o, &r);
        CHECK(r.verdict == AD_VERDICT_INCONCLUSIVE);
    }
    memset(&o, 0, sizeof o);
    for (by = 1e-12; by < 1; by *= 10) {               /* remainders, up to rtol */
        double factor = 1 + by;
        ad_check_taylor(blurred_f, blurred_g, NULL, other, 2, &factor, NULL, &r);
        CHECK(by < 1e-7 ? !(FAIL >> r.verdict & 1)
            : by < 1e-5 || r.verdict == AD_VERDICT_WRONG);
    }
    o.dense_limit = 1;                                 /* too few evaluations are no oscillation */
    for (o.max_evals = 9; o.max_evals < 13; o.max_evals++) {
        by = -1;
        ad_check_gradient(blurred_f, blurred_g, other, 2, &by, &o, &r);
        CHECK(ad_check_ok(r.verdict) == 0 && strstr(r.message, "oscillates") == NULL);
    }
    memset(&o, 0, sizeof o);
    o.names = names;                                   /* f has one output, which is no variable */
    by = 1;
    ad_check_gradient(outside_f, blurred_g, other, 2, &by, &o, &r);
    CHECK_STRING(r.message, "F_NONFINITE: f is not finite at x. Try: another x");
}

/* In a box a right gradient is as right: (1 - cos x) y next to x = 0, whose slope in y rounding
   hides. */
static double cancelling_f(const double *x, size_t n, void *user)
{
    (void)n; (void)user;
    return (1 - cos(x[0])) * x[1];
}
static void cancelling_g(const double *x, size_t n, double *g, void *user)
{
    const double s = sin(x[0] / 2);
    (void)n; (void)user;
    g[0] = sin(x[0]) * x[1];
    g[1] = 2 * s * s;
}
static void test_cancelling_in_a_box(void)
{
    static const double lo[2] = { 0, 0 }, hi[2] = { 1, 10 };
    double x[2] = { 1.2345e-4, 3 };
    for (; x[0] > 1e-11; x[0] /= 10) {
        ad_check_options o = default_options();
        ad_check_result r;
        int k;
        o.lo = lo;
        for (k = 0; k < 2; k++, o.hi = hi) {
            ad_check_gradient(cancelling_f, cancelling_g, x, 2, NULL, &o, &r);
            inspect(__LINE__, "cancelling in a box", NOT_FAIL, r.verdict, &r);
        }
    }
}
/* The memory that ad_check_work_bytes asks for is enough, however many outputs there are. */
static void tripled(const double *x, size_t n, double *y, size_t m, void *user)
{
    size_t i;
    (void)user;
    for (i = 0; i < m; i++) y[i] = 3 * x[i % n];
}
static void tripled_J(const double *x, size_t n, double *J, size_t m, void *user)
{
    size_t i;
    (void)x; (void)user;
    memset(J, 0, m * n * sizeof *J);
    for (i = 0; i < m; i++) J[i * n + i % n] = 3;
}
static void tripled_jv(const double *x, size_t n, const double *v, double *y, size_t m, void *user)
{
    (void)x;
    tripled(v, n, y, m, user);
}
static void test_work_is_enough(void)
{
    static const size_t few[] = { 1, 3, 17, 64, 257 }, many[] = { 1, 5, 100, 255, 300, 700 };
    size_t a, b, i;
    for (a = 0; a < sizeof few / sizeof few[0]; a++)
        for (b = 0; b < sizeof many / sizeof many[0]; b++) {
            const size_t n = few[a], m = many[b], bytes = ad_check_work_bytes(n, m);
            double *const x = (double *)malloc(n * sizeof *x);
            ad_check_options o = default_options();
            ad_check_result r;
            o.work = malloc(bytes);
            o.work_bytes = bytes;
            o.max_evals = 4;
            for (i = 0; i < n; i++) x[i] = 1 + 0.01 * (double)i;
            ad_check_jacobian(tripled, tripled_J, x, n, m, NULL, &o, &r);
            test_check(r.verdict != AD_VERDICT_ERROR, __FILE__, __LINE__, "%d by %d: %s", (int)m,
                (int)n, r.message);
            ad_check_jvp(tripled, tripled_jv, x, n, m, NULL, &o, &r);
            test_check(r.verdict != AD_VERDICT_ERROR, __FILE__, __LINE__, "%d by %d, J v: %s",
                (int)m, (int)n, r.message);
            free(o.work);
            free(x);
        }
}
/* What is undecided is counted as that: entries that the budget left out, and a function that gives
   another number each time. */
static void sines_F(const double *x, size_t n, double *y, size_t m, void *user)
{
    size_t i;
    (void)m; (void)user;
    for (i = 0; i < n; i++) y[i] = sin(x[i]) + (i ? x[i - 1] * x[i - 1] : 0);
}
static void sines_S(const double *x, size_t n, double *v, size_t nnz, void *user)
{
    size_t i, k = 0;
    (void)nnz; (void)user;
    for (i = 0; i < n; i++) {
        if (i) v[k++] = 2 * x[i - 1];
        v[k++] = cos(x[i]);
    }
}
static double restless_f(const double *x, size_t n, void *user)
{
    (void)n;
    return x[0] + ++*(int *)user;
}
static void restless_g(const double *x, size_t n, double *g, void *user)
{
    (void)x; (void)n; (void)user;
    g[0] = 1;
}
static void test_undecided_counts(void)
{
    enum { N = 20 };
    double x[N];
    size_t start[N + 1], column[2 * N], i, k = 0;
    int calls = 0;
    ad_check_options o = default_options();
    ad_check_result r;
    for (i = 0; i < N; i++) {
        x[i] = 0.3 + 0.1 * (double)i;
        start[i] = k;
        if (i) column[k++] = i - 1;
        column[k++] = i;
    }
    start[N] = k;
    for (o.max_evals = 7; o.max_evals < 14; o.max_evals++) {
        ad_check_sparse_jacobian(sines_F, sines_S, x, N, N, start, column, NULL, &o, &r);
        CHECK(r.verdict != AD_VERDICT_BUDGET || (r.inconclusive > 0 && r.checked == k
            && strstr(r.message, "39 entries undecided")));
    }
    ad_check_gradient(restless_f, restless_g, x, 1, &calls, NULL, &r);
    CHECK(r.verdict == AD_VERDICT_NONDETERMINISTIC && r.wrong == 0 && r.inconclusive == 1);
}
/* A wrong entry on the diagonal is not symmetric to anything, in a few directions alone too. */
static void cubes_g(const double *x, size_t n, double *g, void *user)
{
    size_t i;
    (void)user;
    for (i = 0; i < n; i++) g[i] = i == 7 ? 3 * x[0] : x[i] * x[i] * x[i] / 3;
    g[0] += 3 * x[7];
}
static void cubes_H(const double *x, size_t n, double *H, void *user)
{
    size_t i;
    (void)user;
    memset(H, 0, n * n * sizeof *H);
    for (i = 0; i < n; i++) H[i * n + i] = i == 7 ? 5 : x[i] * x[i];       /* 0 is right */
    H[7] = H[7 * n] = 3;
}
static void test_diagonal_of_many(void)
{
    double x[10];
    int i;
    ad_check_options o = default_options();
    ad_check_result r;
    for (i = 0; i < 10; i++) x[i] = 1 + 0.1 * i;
    for (i = 0; i < 2; i++) {
        o.dense_limit = i ? 0 : 4;
        ad_check_hessian_matrix(cubes_g, cubes_H, x, 10, NULL, &o, &r);
        CHECK(r.verdict == AD_VERDICT_WRONG && !strstr(r.message, "symmetric"));
    }
}

/* Beside a jump of f what it jumps by over a step is no slope, in whose measure all else is 0. */
static double fined_f(const double *x, size_t n, void *user)
{
    (void)n; (void)user;
    return x[0] > 1 + 1e-7 ? 1e10 : x[0] * x[0];
}
static void fined_g(const double *x, size_t n, double *g, void *user)
{
    (void)n;
    g[0] = *(const double *)user * 2 * x[0];
}
static void test_beside_a_jump(void)
{
    static const double one = 1, by[] = { 1.1, 2, -1, 0, 1 };
    ad_check_result r;
    size_t i;
    for (i = 0; i < sizeof by / sizeof *by; i++) {
        double times = by[i];
        CHECK(ad_check_ok(ad_check_gradient(fined_f, fined_g, &one, 1, &times, NULL, &r))
              == (by[i] == 1));
    }
}
/* In float, one that the longest step alone crosses: what f jumps by over the step is no slope
   that others would be nothing beside. Claims 5 to 50 % off passed there. */
typedef struct ledge { float at, height, times; } ledge;
static float ledge_f(const float *x, size_t n, void *user)
{
    const ledge *const q = (const ledge *)user;
    (void)n;
    return sinf(x[0]) + (x[0] > q->at ? q->height : 0);
}
static void ledge_g(const float *x, size_t n, float *g, void *user)
{
    (void)n;
    g[0] = ((const ledge *)user)->times * cosf(x[0]);
}
static void test_long_jumps(void)
{
    static const float xs[] = { 0.01f, 0.3f, 1.2f }, by[] = { 1.05f, 1.2f, 1.5f };
    size_t i, k;
    float d;
    for (i = 0; i < 3; i++)
        for (d = 0.01f; d < 1; d *= 1.15f)
            for (k = 0; k < 3; k++) {
                ad_check_result r;
                ledge q;
                q.at = xs[i] * (1 - d);
                q.height = 1000;
                q.times = by[k];
                inspect(__LINE__, "ledge", NOT_PASS, adf_check_gradient(ledge_f, ledge_g, &xs[i],
                    1, &q, NULL, &r), &r);
            }
}
/* The mean of a kink's slopes is no derivative, however near x the kink is. */
typedef struct crease { double at, slope; } crease;
static double crease_f(const double *x, size_t n, void *user)
{
    const double at = ((const crease *)user)->at;
    (void)n;
    return 1 + 0.28 * x[0] + (x[0] > at ? x[0] - at : 0);
}
static void crease_g(const double *x, size_t n, double *g, void *user)
{
    (void)x; (void)n;
    g[0] = ((const crease *)user)->slope;
}
static double crease_of_one(double x, void *user) { return crease_f(&x, 1, user); }
static void test_creases(void)
{
    int i, side, beyond = 0, known = 0;
    double d;
    for (i = 1; i < 40; i += test_stride())
        for (d = 2e-15; d < 2e-14; d *= 1.1)
            for (side = -1; side <= 1; side += 2) {
                const double x = 0.013 * i;
                double bound, slope;
                ad_check_result r;
                ad_verdict v;
                crease q;
                q.at = x + side * d;
                q.slope = 0.78;
                v = ad_check_gradient(crease_f, crease_g, &x, 1, &q, NULL, &r);
                CHECK(v == AD_VERDICT_NONSMOOTH_VALID || !ad_check_ok(v));
                q.slope = x > q.at ? 1.28 : 0.28;
                v = ad_check_gradient(crease_f, crease_g, &x, 1, &q, NULL, &r);
                inspect(__LINE__, "crease", PASS | MAYBE, v, &r);
                slope = ad_derivative(crease_of_one, x, &q, NULL, &bound);
                known += slope == slope;
                beyond += fabs(slope - q.slope) > bound;
            }
    CHECK(known * test_stride() > 50 && beyond == 0);
}
/* Values that stand in wrong columns: columns of a group move together, and by as much. */
static void squares_F(const double *x, size_t n, double *y, size_t m, void *user)
{
    size_t i;
    (void)n; (void)user;
    for (i = 0; i < m; i++) y[i] = x[i] * x[i];
}
static void squares_S(const double *x, size_t n, double *v, size_t nnz, void *user)
{
    size_t i;
    (void)n; (void)user;
    for (i = 0; i < nnz; i++) v[i] = 2 * x[i];
}
static void test_misplaced(void)
{
    static const double ones[] = { 1, 1, 1, 1 };
    static const size_t row[] = { 0, 1, 2, 3, 4 };
    static const size_t right[] = { 0, 1, 2, 3 }, next[] = { 1, 2, 3, 0 };
    ad_check_result r;
    CHECK(ad_check_sparse_jacobian(squares_F, squares_S, ones, 4, 4, row, right, NULL, NULL, &r)
          == AD_VERDICT_CORRECT && r.checked == 4);
    CHECK(ad_check_sparse_jacobian(squares_F, squares_S, ones, 4, 4, row, next, NULL, NULL, &r)
          == AD_VERDICT_WRONG && r.hint == AD_HINT_PATTERN);
}
/* Whatever else is wrong in the matrix: y0 = sin(x0) + x2 where the pattern says x1 and x2, beside
   y1 = exp(x3) with a factor; all of a full matrix where the pattern has nothing; and with any
   budget no wrong entry is among the right ones. */
static void hiding_F(const double *x, size_t n, double *y, size_t m, void *user)
{
    (void)n; (void)m; (void)user;
    y[0] = sin(x[0]) + x[2];
    y[1] = exp(x[3]);
}
static void hiding_S(const double *x, size_t n, double *v, size_t nnz, void *user)
{
    (void)n; (void)nnz;
    v[0] = cos(x[0]);
    v[1] = 1;
    v[2] = exp(x[3]) * *(const double *)user;
}
static void full_F(const double *x, size_t n, double *y, size_t m, void *user)
{
    size_t i, j;
    (void)user;
    for (i = 0; i < m; i++)
        for (y[i] = 0, j = 0; j < n; j++) y[i] += (double)(i + 1) * x[j];
}
static void swapped_F(const double *x, size_t n, double *y, size_t m, void *user)
{
    (void)n; (void)m; (void)user;
    y[0] = sin(x[0]);
    y[1] = 0;
    y[2] = sin(x[0]) + 3 * exp(x[1]);
}
static void swapped_S(const double *x, size_t n, double *v, size_t nnz, void *user)
{
    (void)n; (void)nnz; (void)user;
    v[0] = v[2] = cos(x[0]);
    v[1] = 3 * exp(x[1]);
}
static void ring_F(const double *x, size_t n, double *y, size_t m, void *user)
{
    size_t i;
    (void)user;
    for (i = 0; i < m; i++) y[i] = sin(x[i]) + x[(i + 1) % n] - x[(i + n - 1) % n];
}
static void ring_S(const double *x, size_t n, double *v, size_t nnz, void *user)
{
    size_t i;
    (void)n; (void)user;
    for (i = 0; i < nnz; i++) v[i] = cos(x[i]);
}
static void pairs_F(const double *x, size_t n, double *y, size_t m, void *user)
{
    size_t i;
    (void)user;
    for (i = 0; i < m; i++) y[i] = sin(x[i]) + 1.2 * cos(x[(i + 1) % n]);
}
static void pairs_S(const double *x, size_t n, double *v, size_t nnz, void *user)
{
    size_t i;
    for (i = 0; i < nnz; i += 2) {
        v[i] = cos(x[i / 2]);
        v[i + 1] = -1.2 * sin(x[(i / 2 + 1) % n]);
    }
    v[0] *= *(const double *)user;
}
static void three_F(const double *x, size_t n, double *y, size_t m, void *user)
{
    (void)n; (void)m; (void)user;
    y[0] = x[0] - x[1] + x[2];
    y[1] = x[0] + 2 * x[2];
}
static void still_F(const double *x, size_t n, double *y, size_t m, void *user)
{
    (void)x; (void)n; (void)m; (void)user;
    y[0] = y[1] = 0.7;
}
static void boxed_F(const double *x, size_t n, double *y, size_t m, void *user)
{
    (void)n; (void)m; (void)user;
    y[0] = x[0];
    y[1] = exp(x[0]) + 7 * x[1];
}
static void sum_F(const double *x, size_t n, double *y, size_t m, void *user)
{
    (void)n; (void)m; (void)user;
    y[0] = 3 * x[0] + 5 * x[1];
}
static void given_S(const double *x, size_t n, double *v, size_t nnz, void *user)
{
    (void)x; (void)n;
    memcpy(v, user, nnz * sizeof *v);
}
/* A product that is never twice the same to the last digits, and one that writes before its
   output. */
static void trembling_jv(const double *x, size_t n, const double *v, double *o, size_t m,
    void *user)
{
    unsigned *const calls = (unsigned *)user;
    size_t i;
    (void)x; (void)n;
    for (i = 0; i < m; i++) o[i] = (v[0] + v[1]) * (1 + 1e-9 * sin((double)(*calls += 7)));
}
static void early_vj(const double *x, size_t n, const double *w, double *o, size_t m, void *user)
{
    double sum = 0;
    size_t i;
    (void)x; (void)n; (void)user;
    for (i = 0; i < m; i++) sum += w[i];
    o[0] = o[1] = sum;
    o[-1] = 0;
}
static void trembling_F(const double *x, size_t n, double *y, size_t m, void *user)
{
    size_t i;
    (void)n; (void)user;
    for (i = 0; i < m; i++) y[i] = x[0] + x[1];
}
static void still_jv(const double *x, size_t n, const double *v, double *o, size_t m, void *user)
{
    size_t i;
    (void)x; (void)n; (void)user;
    for (i = 0; i < m; i++) o[i] = v[0] + v[1];
}
static void test_products_of_many(void)
{
    static const double x[] = { 1, 2 };
    unsigned calls = 0;
    ad_check_options o = default_options();
    ad_check_result r;
    CHECK(ad_check_jvp(trembling_F, trembling_jv, x, 2, 4, &calls, NULL, &r)
          == AD_VERDICT_NONDETERMINISTIC);
    o.nondet_tol = 1e-8;                         /* as the message says */
    CHECK(ad_check_jvp(trembling_F, trembling_jv, x, 2, 4, &calls, &o, &r) == AD_VERDICT_CORRECT);
    CHECK(ad_check_adjoint(still_jv, early_vj, x, 2, 4, NULL, NULL, &r) == AD_VERDICT_OUT_OF_BOUNDS
          && strstr(r.message, "index -1"));
}
/* Taylor remainders of second order in float, where noise leaves few of them. */
static float sines_f(const float *x, size_t n, void *user)
{
    double s = 0;
    size_t i;
    (void)user;
    for (i = 0; i < n; i++) s += sin((double)x[i]);
    return (float)s;
}
static void sines_g(const float *x, size_t n, float *g, void *user)
{
    size_t i;
    (void)user;
    for (i = 0; i < n; i++) g[i] = (float)cos((double)x[i]);
}
static void sines_hv(const float *x, size_t n, const float *v, float *o, void *user)
{
    size_t i;
    for (i = 0; i < n; i++)
        o[i] = (float)(-sin((double)x[i]) * (double)v[i] * *(const double *)user);
}
static void test_float_remainders(void)
{
    static const double by[] = { 1, 2, 1.05 };
    int t, k, told[3] = { 0, 0, 0 };
    for (t = 0; t < 60; t++)
        for (k = 0; k < 3; k++) {
            double times = by[k];
            float x[3];
            int i;
            ad_check_result r;
            ad_verdict v;
            for (i = 0; i < 3; i++) x[i] = 0.5f + (float)((t * 7 + i * 37) % 100) / 70;
            v = adf_check_taylor(sines_f, sines_g, sines_hv, x, 3, &times, NULL, &r);
            CHECK(k ? !ad_check_ok(v) : v != AD_VERDICT_WRONG);
            told[k] += k ? v == AD_VERDICT_WRONG : ad_check_ok(v);
        }
    CHECK(told[0] >= 50 && told[1] >= 50 && told[2] >= 40);
}
static const ad_check_finding *entry_found(const ad_check_result *r, size_t i, size_t j)
{
    static ad_check_finding nothing;
    size_t k;
    for (k = 0; k < r->n_findings; k++)
        if (r->findings[k].i == i && r->findings[k].j == j) return &r->findings[k];
    return &nothing;
}
static void test_hidden_entries(void)
{
    static const double x[] = { 0.6, 0.7, 1.1, 0.4 }, by[] = { 1, 2 };
    static const size_t row[] = { 0, 2, 3 }, column[] = { 1, 2, 3 }, none[] = { 0, 0, 0 };
    static const size_t rows[] = { 0, 1, 1, 3 }, columns[] = { 0, 0, 1 };
    ad_check_options o = default_options();
    ad_check_result r;
    size_t i;
    for (i = 0; i < 2; i++) {
        double times = by[i];
        const ad_check_finding *f;
        CHECK(ad_check_sparse_jacobian(hiding_F, hiding_S, x, 4, 2, row, column, &times, NULL, &r)
              == AD_VERDICT_WRONG && r.wrong == 2 + i && r.checked == 4 && r.inconclusive == 0);
        f = entry_found(&r, 0, 1);
        CHECK(f->hint == AD_HINT_PATTERN && f->partner == 0 && f->numeric == 0);
        f = entry_found(&r, 0, 0);
        CHECK(f->hint == AD_HINT_PATTERN && f->claimed == 0 && fabs(f->numeric - cos(0.6)) < 1e-9);
        CHECK(i == 0 || entry_found(&r, 1, 3)->hint == AD_HINT_FACTOR);
    }
    o.max_evals = 100000;
    CHECK(ad_check_sparse_jacobian(full_F, squares_S, x, 2, 2, none, column, NULL, &o, &r)
          == AD_VERDICT_WRONG && r.wrong == 4 && r.checked == 4 && r.inconclusive == 0);
    o.max_evals = 0;
    {                              /* two that the pattern lacks, and that cancel in their group */
        static const double xs[] = { 1.1, 1.3, 1.5, 1.7, 1.9 };
        static const size_t own[] = { 0, 1, 2, 3, 4, 5 };
        CHECK(ad_check_sparse_jacobian(ring_F, ring_S, xs, 5, 5, own, own, NULL, NULL, &r)
              == AD_VERDICT_WRONG && r.wrong >= 8 && r.findings[0].hint == AD_HINT_PATTERN);
    }
    {                              /* a narrow box; atol and findings in units of x, not of steps */
        static const double ones[] = { 1, 1 }, wide[] = { 0.3, 1000 }, small[] = { 0.3, 0.001 };
        static const size_t start[] = { 0, 1, 2 }, at[] = { 0, 1 }, row0[] = { 0, 2 };
        double lo[] = { 1 - 1e-6, 1 - 1e-6 }, hi[] = { 1 + 1e-6, 1 + 1e-6 };
        double claim[2] = { 1, 7 };
        ad_check_options p = default_options();
        p.lo = lo;
        p.hi = hi;
        CHECK(ad_check_sparse_jacobian(boxed_F, given_S, ones, 2, 2, start, at, claim, &p, &r)
              == AD_VERDICT_WRONG && r.wrong == 1 && entry_found(&r, 1, 0)->claimed == 0);
        p = default_options();
        claim[0] = 3;
        claim[1] = 10;
        CHECK(ad_check_sparse_jacobian(sum_F, given_S, wide, 2, 1, row0, at, claim, &p, &r)
              == AD_VERDICT_WRONG && entry_found(&r, 0, 1)->claimed == 10
              && fabs(entry_found(&r, 0, 1)->numeric - 5) < 1e-9);
        p.atol = 0.01;
        claim[1] = 5.005;
        CHECK(ad_check_sparse_jacobian(sum_F, given_S, wide, 2, 1, row0, at, claim, &p, &r)
              == AD_VERDICT_CORRECT);
        claim[1] = 6;
        CHECK(ad_check_sparse_jacobian(sum_F, given_S, small, 2, 1, row0, at, claim, &p, &r)
              == AD_VERDICT_WRONG);
    }
    for (i = 0; i < 60; i++) {     /* within rtol, where terms of a row cancel in a direction */
        static const size_t start[] = { 0, 2, 4, 6 }, at[] = { 0, 1, 1, 2, 2, 0 };
        double xs[] = { 0.3, 0.8, 1.3 }, off;
        ad_check_options p = default_options();
        xs[i % 3] += 0.01 * (double)i;
        p.seed = i + 1;
        off = 1 + 0.5e-6;
        CHECK(ad_check_sparse_jacobian(pairs_F, pairs_S, xs, 3, 3, start, at, &off, &p, &r)
              == AD_VERDICT_CORRECT);
    }
    {                              /* more rows than are looked at together, all of them in doubt */
        enum { MANY = 600 };
        static double xs[MANY];
        static size_t start[MANY + 1], at[2 * MANY];
        double w = 256;
        for (i = 0; i < MANY; i++) {
            start[i + 1] = 2 * (i + 1);
            at[2 * i] = i;
            at[2 * i + 1] = i ? (i + 1) % MANY : 5;          /* a misplaced one in the first row */
            xs[i] = 1e-3 * (double)(i + 1) + 1;
        }
        CHECK(ad_check_sparse_jacobian(bent_F, bent_sparse, xs, MANY, MANY, start, at, &w, NULL,
            &r) == AD_VERDICT_WRONG && r.wrong == 2 && r.inconclusive == 0);
    }
    {                              /* two that cancel beside a third that is told; all on an edge */
        static const double ones[] = { 1, 1, 1 };
        static const size_t start[] = { 0, 0, 2 }, at[] = { 0, 2 }, nothing[] = { 0, 0, 0 };
        double claim[2] = { 1, 2 };
        ad_check_options p = default_options();
        CHECK(ad_check_sparse_jacobian(three_F, given_S, ones, 3, 2, start, at, claim, NULL, &r)
              == AD_VERDICT_WRONG && r.wrong + r.inconclusive >= 3);
        p.lo = ones;
        CHECK(ad_check_ok(ad_check_sparse_jacobian(still_F, given_S, ones, 3, 2, nothing, at,
            claim, &p, &r)));
    }
    for (o.max_evals = 1; o.max_evals <= 300; o.max_evals++) {
        const ad_verdict v = ad_check_sparse_jacobian(swapped_F, swapped_S, x, 2, 3, rows, columns,
            NULL, &o, &r);
        CHECK(r.wrong <= 2 && (r.wrong == 2 || r.inconclusive || r.message[0]));
        CHECK(r.checked == 0 || (r.checked >= 3 && r.wrong + r.inconclusive >= 2));
        CHECK(v == (r.wrong ? AD_VERDICT_WRONG : AD_VERDICT_BUDGET) && r.f_evals <= o.max_evals);
    }
    CHECK(r.wrong == 2 && r.inconclusive == 0);
}
/* Code that keeps what it computed: the first result for ever, as long as x has its address, or
   until the next call. */
typedef struct keeper { int way, have; const double *at; double g[2]; } keeper;
static double kept_f(const double *x, size_t n, void *user)
{
    (void)n; (void)user;
    return sin(x[0]) * x[1];
}
static void kept_g(const double *x, size_t n, double *g, void *user)
{
    keeper *const k = (keeper *)user;
    double now[2];
    now[0] = cos(x[0]) * x[1];
    now[1] = sin(x[0]);
    if (!k->have || k->way == 3 || (k->way == 1 && k->at != x)) memcpy(k->g, now, sizeof now);
    k->have = 1;
    k->at = x;
    memcpy(g, k->g, n * sizeof *g);
    if (k->way == 2) memcpy(k->g, now, sizeof now);
}
static void test_keepers(void)
{
    static const double at[] = { 1, 2 };
    ad_check_result r;
    int way;
    for (way = 0; way < 4; way++) {
        keeper k;
        memset(&k, 0, sizeof k);
        k.way = way;
        ad_check_gradient(kept_f, kept_g, at, 2, &k, NULL, &r);
        CHECK(way == 3 ? r.verdict == AD_VERDICT_CORRECT
            : way == 2 ? r.verdict == AD_VERDICT_STALE_STATE
            : r.verdict == AD_VERDICT_WRONG && r.findings[0].hint == AD_HINT_STALE);
    }
}
/* A gradient that is the same elsewhere is not stale where f is linear. */
static double line_f(const double *x, size_t n, void *user)
{
    (void)n; (void)user;
    return 2 * x[0] + 3 * x[1];
}
static void line_g(const double *x, size_t n, double *g, void *user)
{
    (void)x; (void)n; (void)user;
    g[0] = 2;
    g[1] = 3.3;
}
static void nearly_g(const double *x, size_t n, double *g, void *user)
{
    (void)x; (void)n; (void)user;
    g[0] = 2 * (1 + 1e-8);
    g[1] = 3 * (1 + 1e-8);
}
/* Variables in units of their own: what a small one adds to the products is looked at, too. */
static void units_jv(const double *x, size_t n, const double *v, double *o, size_t m, void *user)
{
    (void)x; (void)n; (void)m; (void)user;
    o[0] = v[0] + 1e-9 * v[1];
}
static void units_vj(const double *x, size_t n, const double *w, double *o, size_t m, void *user)
{
    (void)x; (void)n; (void)m;
    o[0] = w[0];
    o[1] = *(const double *)user * w[0];
}
/* A gradient that is NaN is that, and no quarrel of sweeps. */
static ad_var at_the_origin(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    (void)t; (void)n; (void)user;
    return ad_var_sqrt(ad_var_add(ad_var_square(x[0]), ad_var_square(x[1])));
}
static void test_other_words(void)
{
    static const double at[] = { 1, 1e9 }, origin[] = { 0, 0 };
    ad_check_result r;
    double by = -1e-9;
    ad_check_gradient(line_f, line_g, at, 2, NULL, NULL, &r);
    CHECK(r.verdict == AD_VERDICT_WRONG && r.findings[0].hint != AD_HINT_STALE);
    ad_check_taylor(line_f, nearly_g, NULL, at, 2, NULL, NULL, &r);
    CHECK(r.verdict == AD_VERDICT_CORRECT && r.slope < 2 && strstr(r.message, "below rtol"));
    CHECK(ad_check_adjoint(units_jv, units_vj, at, 2, 1, &by, NULL, &r) == AD_VERDICT_WRONG);
    by = 1e-9;
    CHECK(ad_check_adjoint(units_jv, units_vj, at, 2, 1, &by, NULL, &r) == AD_VERDICT_CORRECT);
    CHECK(ad_check_tape(at_the_origin, origin, 2, NULL, NULL, &r) == AD_VERDICT_G_NONFINITE);
}

TEST_DEF void suite_check(void)
{
    at_the_edges();
    CHECK(leaks_none(reports));
    CHECK(leaks_none(suite_codes));
    CHECK(leaks_none(suite_names));
    CHECK(leaks_none(suite_odd_uses));
    CHECK(leaks_none(suite_large));
    starved();
    names();
    near_0();
    idle_edges();
    adds_to_any();
    no_fault();
    entries_d();
    entries_f();
    one_of_a_symmetric();
    one_row_of_a_column();
    test_behind_little_errors();
    test_among_little_errors();
    test_cancelling_in_a_box();
    test_work_is_enough();
    test_undecided_counts();
    test_diagonal_of_many();
    test_beside_a_jump();
    test_long_jumps();
    test_creases();
    test_sure();
    test_rounded_within();
    test_atol_of_many();
    test_by_differences();
    test_penalty_that_is_off();
    test_misplaced();
    test_hidden_entries();
    test_products_of_many();
    test_float_remainders();
    test_keepers();
    test_other_words();
    test_half_exchanged();
    test_what_is_said();
    what_is_wrong();
    named_factors();
    behind_what_is_missing();
    what_f_is_like();
    where_it_is();
    second_opinions();
    test_knots();
    test_hissing();
    test_flat();
    test_habits();
    printed();
    reports();
    crowds();
    tails();
    budgets();
    waves();
    phases();
    second_looks();
    held_columns();
    apart_by_size();
    stale_in_corners();
    any_size();
    taylor_at_joints();
    sparse_moduli();
    taylor_of_waves();
    by_chance_alone();
    laggards();
    one_row();
    beside_outputs();
    taylor_manners();
    ends_of_range();
    suite_codes();
    suite_locale();
    suite_names();
    suite_macros();
    suite_odd_uses();
    suite_environment();
    suite_streams();
    suite_large();
}

#else   /* ================================================================ one precision */

#define K(c) ((RT)(c))
#define EITHER(in_double, in_float) (IS_FLOAT ? (in_float) : (in_double))

/* The user's data of every function below. F_i = s_i sum over j of c_ij sin(x_j + i/2); what the
   derivative code does wrong is `bad`. */
typedef struct U(probe) {
    size_t f_calls, g_calls;
    int bad, band;             /* band: c_ij is 0 but near the diagonal */
    size_t i, j;
    double a;
    size_t m, n;
    double tiny;               /* scale of row i; 0: 1 */
    RT seen[8];
    int dirty;                 /* F: 1 kink, 2 NaN, 3 unwritten, 4 adds, 5 over, 6 under */
    const size_t *start, *column;
    double unit;               /* all numbers are in these; 0: 1 */
} U(probe);

enum { U(GOOD), U(ENTRY), U(ALL), U(TRANSPOSED), U(COLUMN_MAJOR), U(ROW_ZERO), U(ROWS_SWAPPED),
    U(NAN_ENTRY), U(UNWRITTEN), U(ADDS), U(OVER), U(UNDER), U(CHANGES_X), U(FROM_F), U(NONLINEAR),
    U(AFFINE), U(IGNORES), U(CHANGES_V), U(V_OVER), U(UNSYMMETRIC), U(COUNTS) };

static double U(unit)(const U(probe) *p) { return p && p->unit > 0 ? p->unit : 1; }
static double U(c)(const U(probe) *p, size_t i, size_t j)
{
    const double s = (p && p->tiny != 0 && i == p->i ? p->tiny : 1) * U(unit)(p);
    if (p && p->band && (i > j + 1 || j > i + 1)) return 0;
    return s * (0.5 + (double)((i * 5 + j * 3) % 7) + 0.25 * (double)(i % 5));
}
static RT U(at)(size_t i, RT x) { return x + K(0.5) * (RT)(i % 8); }

static void U(F_waves)(const RT *x, size_t n, RT *y, size_t m, void *user)
{
    U(probe) *p = (U(probe) *)user;
    size_t i, j;
    if (p) p->f_calls++;
    for (i = 0; i < m; i++) {
        double s = 0;
        const size_t first = p && p->band && i > 0 ? i - 1 : 0;
        const size_t last = p && p->band && i + 2 < n ? i + 2 : n;
        for (j = first; j < last; j++) s += U(c)(p, i, j) * (double)M(sin)(U(at)(i, x[j]));
        if (p && p->dirty == 1 && i == p->i) s += (double)M(fabs)(x[p->j] - K(0.5));
        if (p && p->dirty == 2 && i == p->i) s = (double)NAN;
        if (p && p->dirty == 3 && i == p->i) continue;
        if (p && p->dirty == 4) s += (double)y[i];
        y[i] = (RT)s;
    }
    if (p && p->dirty == 5) y[m] = y[m + 1] = 1;
    if (p && p->dirty == 6) y[-1] = 1;
    if (p) for (j = 0; j < n && j < 8; j++) p->seen[j] = x[j];
}
/* The entry of the Jacobian that p claims. */
static RT U(entry)(const U(probe) *p, const RT *x, size_t i, size_t j)
{
    double v = U(c)(p, i, j) * (double)M(cos)(U(at)(i, x[j]));
    if (p && p->bad == U(ALL)) v *= p->a;
    if (p && p->bad == U(ENTRY) && i == p->i && j == p->j) v *= p->a;
    if (p && p->bad == U(ROW_ZERO) && i == p->i) v = 0;
    if (p && p->bad == U(NAN_ENTRY) && i == p->i && j == p->j) v = (double)NAN;
    return (RT)v;
}
static void U(J_waves)(const RT *x, size_t n, RT *J, size_t m, void *user)
{
    U(probe) *p = (U(probe) *)user;
    const int bad = p ? p->bad : U(GOOD);
    size_t i, j;
    if (p) p->g_calls++;
    for (i = 0; i < m; i++)
        for (j = 0; j < n; j++) {
            const size_t row = bad == U(ROWS_SWAPPED) ? (i == 0 ? 1 : i == 1 ? 0 : i) : i;
            const RT v = U(entry)(p, bad == U(FROM_F) ? p->seen : x, row, j);
            if (bad == U(UNWRITTEN) && i == p->i && j == p->j) continue;
            if (bad == U(ADDS)) J[i * n + j] += v;
            else if (bad == U(TRANSPOSED) || bad == U(COLUMN_MAJOR)) J[j * m + i] = v;
            else J[i * n + j] = v;
            if (bad == U(COUNTS)) J[i * n + j] += K(0.1) * (RT)p->g_calls;
        }
    if (bad == U(OVER)) J[m * n] = 1;
    if (bad == U(UNDER)) J[-1] = 1;
    if (bad == U(CHANGES_X)) *(RT *)(uintptr_t)x = 9;
}
static void U(v_waves)(const RT *x, size_t n, const RT *v, RT *Jv, size_t m, void *user)
{
    U(probe) *p = (U(probe) *)user;
    size_t i, j;
    double square = 0;
    p->g_calls++;
    for (j = 0; j < n; j++) square += (double)v[j] * (double)v[j];
    for (i = 0; i < m; i++) {
        double s = 0;
        for (j = 0; j < n; j++)
            s += (double)U(entry)(p, p->bad == U(FROM_F) ? p->seen : x, i, j)
                 * (p->bad == U(IGNORES) ? 1 : (double)v[p->bad == U(TRANSPOSED) ? n - 1 - j : j]);
        if (p->bad == U(NONLINEAR)) s += 0.1 * square;
        if (p->bad == U(AFFINE)) s += 0.25;
        if (p->bad == U(UNWRITTEN) && i == p->i) continue;
        if (p->bad == U(ADDS)) Jv[i] += (RT)s;
        else Jv[i] = (RT)s;
        if (p->bad == U(COUNTS)) Jv[i] += K(0.1) * (RT)p->g_calls;
    }
    if (p->bad == U(OVER)) Jv[m] = Jv[m + 1] = 1;
    if (p->bad == U(UNDER)) Jv[-1] = 1;
    if (p->bad == U(V_OVER)) ((RT *)(uintptr_t)v)[n] = 1;
    if (p->bad == U(CHANGES_V)) *(RT *)(uintptr_t)v = 9;
    if (p->bad == U(CHANGES_X)) *(RT *)(uintptr_t)x = 9;
}
static void U(w_waves)(const RT *x, size_t n, const RT *w, RT *wJ, size_t m, void *user)
{
    U(probe) *p = (U(probe) *)user;
    size_t i, j;
    double square = 0;
    p->g_calls++;
    for (i = 0; i < m; i++) square += (double)w[i] * (double)w[i];
    for (j = 0; j < n; j++) {
        double s = 0;
        for (i = 0; i < m; i++)
            s += (double)U(entry)(p, p->bad == U(FROM_F) ? p->seen : x, i, j)
                 * (p->bad == U(IGNORES) ? 1 : (double)w[p->bad == U(TRANSPOSED) ? m - 1 - i : i]);
        if (p->bad == U(NONLINEAR)) s += 0.1 * square;
        if (p->bad == U(AFFINE)) s += 0.25;
        if (p->bad == U(UNWRITTEN) && j == p->j) continue;
        if (p->bad == U(ADDS)) wJ[j] += (RT)s;
        else wJ[j] = (RT)s;
        if (p->bad == U(COUNTS)) wJ[j] += K(0.1) * (RT)p->g_calls;
    }
    if (p->bad == U(OVER)) wJ[n] = wJ[n + 1] = 1;
    if (p->bad == U(UNDER)) wJ[-1] = 1;
    if (p->bad == U(V_OVER)) ((RT *)(uintptr_t)w)[m] = 1;
    if (p->bad == U(CHANGES_V)) *(RT *)(uintptr_t)w = 9;
    if (p->bad == U(CHANGES_X)) *(RT *)(uintptr_t)x = 9;
}

/* Runs any of them; then again with options.work and rubbish in the result: the same bytes, x as it
   was, the calls counted. */
enum { U(JACOBIAN), U(JVP), U(VJP), U(ADJOINT), U(SPARSE), U(HESSIAN), U(HESSIAN_MATRIX),
    U(TAYLOR), U(FGRADIENT), U(VALUES) };

static void U(g_energy)(const RT *x, size_t n, RT *g, void *user);
static void U(hv_energy)(const RT *x, size_t n, const RT *v, RT *Hv, void *user);
static void U(H_energy)(const RT *x, size_t n, RT *H, void *user);
static RT U(f_energy)(const RT *x, size_t n, void *user);
static void U(s_waves)(const RT *x, size_t n, RT *values, size_t nnz, void *user);
static RT U(fg_energy)(const RT *x, size_t n, RT *g, void *user);

static ad_verdict U(call)(int kind, const RT *x, U(probe) *p, const ad_check_options *o,
                          ad_check_result *r)
{
    const size_t n = p->n, m = p->m;
    RT g[16];
    switch (kind) {
    case U(JACOBIAN): return A(check_jacobian)(U(F_waves), U(J_waves), x, n, m, p, o, r);
    case U(JVP): return A(check_jvp)(U(F_waves), U(v_waves), x, n, m, p, o, r);
    case U(VJP): return A(check_vjp)(U(F_waves), U(w_waves), x, n, m, p, o, r);
    case U(ADJOINT): return A(check_adjoint)(U(v_waves), U(w_waves), x, n, m, p, o, r);
    case U(SPARSE): return A(check_sparse_jacobian)(U(F_waves), U(s_waves), x, n, m, p->start,
                                                    p->column, p, o, r);
    case U(HESSIAN): return A(check_hessian)(U(g_energy), U(hv_energy), x, n, p, o, r);
    case U(HESSIAN_MATRIX):
        return A(check_hessian_matrix)(U(g_energy), U(H_energy), x, n, p, o, r);
    case U(TAYLOR):
        return A(check_taylor)(U(f_energy), U(g_energy), m ? U(hv_energy) : NULL, x, n, p, o, r);
    case U(FGRADIENT): return A(check_fgradient)(U(fg_energy), x, n, p, o, r);
    default:
        U(g_energy)(x, n, g, p);
        p->g_calls = 0;
        return A(check_values)(U(f_energy), g, x, n, p, o, r);
    }
}
static size_t U(evals)[U(VALUES) + 1];             /* of f, by kind */
static ad_check_result U(run)(int line, int kind, unsigned mask, U(probe) *p,
                              const ad_check_options *opt)
{
    static const char *const title[] = { "Jacobian", "jvp", "vjp", "adjoint", "sparse Jacobian",
        "Hessian products", "Hessian", "Taylor", "f and g", "values" };
    const U(probe) before = *p;
    ad_check_options o = opt ? *opt : default_options();
    size_t nnz = kind == U(SPARSE) && p->start ? p->start[p->m] : 0;
    size_t bytes = ad_check_work_bytes(p->n, kind == U(HESSIAN) || kind == U(HESSIAN_MATRIX)
                                             || kind == U(TAYLOR) ? p->n : p->m ? p->m : 1);
    RT *x = (RT *)malloc((p->n + 1) * sizeof *x), *copy = (RT *)malloc((p->n + 1) * sizeof *x);
    unsigned char *work;
    ad_check_result r, again;
    ad_verdict v;
    char name[80];
    size_t i;
    int k, scales;
    if (nnz < 100000) bytes += nnz * (sizeof(RT) + 3 * sizeof(size_t));
    if (kind == U(VJP)) bytes += p->m * p->n * sizeof(RT);
    for (i = 0; i < p->n; i++) x[i] = (RT)(0.3 + 0.2 * (double)(i % 9));
    memcpy(copy, x, p->n * sizeof *x);
    sprintf(name, "%s%s, n = %d, m = %d, bad %d at %d, %d, dirty %d", IS_FLOAT ? "float " : "",
            title[kind], (int)p->n, (int)p->m, p->bad, (int)p->i, (int)p->j, p->dirty);
    memset(&r, 0x55, sizeof r);
    v = U(call)(kind, x, p, opt, &r);
    inspect(line, name, mask, v, &r);
    U(evals)[kind] += r.f_evals;
    test_check(memcmp(copy, x, p->n * sizeof *x) == 0, __FILE__, line, "%s: x is changed", name);
    test_check(r.f_evals + r.g_evals == p->f_calls + p->g_calls, __FILE__, line,
               "%s: %lu + %lu calls, not %lu + %lu", name, (unsigned long)p->f_calls,
               (unsigned long)p->g_calls, (unsigned long)r.f_evals, (unsigned long)r.g_evals);
    /* what is documented for all checks of this size may be far more than this one needs */
    work = bytes < (size_t)1 << 24 ? (unsigned char *)malloc(bytes + 64) : NULL;
    if (work) memset(work, 0xA5, bytes + 64);
    o.work = work;
    o.work_bytes = work ? bytes : 0;
    *p = before;
    memset(&again, 0xAA, sizeof again);
    U(call)(kind, x, p, &o, &again);
    test_check(memcmp(&r, &again, sizeof r) == 0, __FILE__, line,
               "%s: another result with work: \"%s\", then \"%s\"", name, r.message,
               again.message);
    for (i = 0; i < 64 && (!work || work[bytes + i] == 0xA5);) i++;
    test_check(i == 64, __FILE__, line, "%s: wrote beside options.work", name);
    /* what is said does not depend on the unit in which the numbers are */
    scales = p->dirty == 0 && p->tiny == 0 && (p->bad < U(UNWRITTEN) || p->bad == U(FROM_F)
        || p->bad == U(IGNORES) || p->bad == U(UNSYMMETRIC));
    for (k = -50; k <= 50 && scales; k += 100) {
        *p = before;
        p->unit = ldexp(1.0, k);
        U(call)(kind, x, p, opt, &again);
        test_check(again.verdict == r.verdict && again.checked == r.checked
            && again.wrong == r.wrong && again.inconclusive == r.inconclusive
            && again.nonsmooth == r.nonsmooth && again.n_findings == r.n_findings
            && again.f_evals == r.f_evals && again.g_evals == r.g_evals && again.hint == r.hint,
            __FILE__, line, "%s in units of 2^%d: \"%s\", not \"%s\"", name, k, again.message,
            r.message);
        for (i = 0; i < r.n_findings && i < again.n_findings; i++) {
            const ad_check_finding *const a = &r.findings[i], *const b = &again.findings[i];
            test_check(a->i == b->i && a->j == b->j && a->verdict == b->verdict
                && a->hint == b->hint && test_near(b->claimed, ldexp(a->claimed, k), 0)
                && test_near(b->numeric, ldexp(a->numeric, k), 0)
                && test_near(b->bound, ldexp(a->bound, k), 0), __FILE__, line,
                "%s in units of 2^%d: finding %d is %g, %g +- %g, not %g, %g +- %g", name, k,
                (int)i, b->claimed, b->numeric, b->bound, ldexp(a->claimed, k),
                ldexp(a->numeric, k), ldexp(a->bound, k));
        }
    }
    *p = before;
    free(work);
    free(x);
    free(copy);
    return r;
}
static ad_check_result U(try)(int line, int kind, size_t n, size_t m, int bad, size_t i, size_t j,
                              double a, unsigned mask)
{
    U(probe) p;
    memset(&p, 0, sizeof p);
    p.n = n;
    p.m = m;
    p.bad = bad;
    p.i = i;
    p.j = j;
    p.a = a;
    return U(run)(line, kind, mask, &p, NULL);
}
#define TRY(kind, n, m, bad, i, j, a, mask)                                                        \
    U(try)(__LINE__, U(kind), n, m, U(bad), i, j, a, mask)
/* Its worst finding is the entry i, j. */
static void U(points)(int line, const ad_check_result *r, size_t i, size_t j)
{
    test_check(r->n_findings > 0 && r->findings[0].i == i && r->findings[0].j == j, __FILE__, line,
               "worst is %lu, %lu, not %lu, %lu; \"%s\"", (unsigned long)r->findings[0].i,
               (unsigned long)r->findings[0].j, (unsigned long)i, (unsigned long)j, r->message);
}
#define POINTS(r, i, j) U(points)(__LINE__, &(r), i, j)
static U(probe) U(blank)(size_t n, size_t m)
{
    U(probe) p;
    memset(&p, 0, sizeof p);
    p.n = n;
    p.m = m;
    return p;
}

/* ---------------------------------------------------------------- dense Jacobians */
static void U(jacobians)(void)
{
    static const size_t sizes[][2] = { { 4, 3 }, { 3, 5 }, { 1, 1 }, { 1, 7 }, { 6, 1 }, { 4, 4 },
                                       { 2, 40 }, { 40, 2 } };
    ad_check_options o = default_options();
    ad_check_result r;
    U(probe) p;
    unsigned good;
    size_t k, n, m, i, j;
    for (k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        n = sizes[k][0];
        m = sizes[k][1];
        /* of 80 entries in float one may be too small to be told */
        good = EITHER(BIT(CORRECT), n * m > 70 ? NOT_FAIL : RIGHT);
        r = TRY(JACOBIAN, n, m, GOOD, 0, 0, 0, good);
        CHECK(r.n == n && r.m == m);
        test_check(r.checked == n * m, __FILE__, __LINE__, "n = %d, m = %d: %d checked", (int)n,
                   (int)m, (int)r.checked);
        CHECK(IS_FLOAT || r.f_evals <= 3 * n + 20);
        for (i = 0; i < m; i += 1 + m / 3)
            for (j = 0; j < n; j += 1 + n / 3) {
                r = TRY(JACOBIAN, n, m, ENTRY, i, j, -1, BIT(WRONG));
                POINTS(r, i, j);
                CHECK(r.wrong == 1 && r.findings[0].hint == AD_HINT_SIGN);
                r = TRY(JACOBIAN, n, m, ENTRY, i, j, 2, BIT(WRONG));
                POINTS(r, i, j);
                CHECK(r.findings[0].hint == AD_HINT_FACTOR);
                r = TRY(JACOBIAN, n, m, ENTRY, i, j, 0, BIT(WRONG));
                POINTS(r, i, j);
                CHECK(r.findings[0].hint == AD_HINT_MISSING);
                TRY(JACOBIAN, n, m, ENTRY, i, j, 1.0001, EITHER(BIT(INACCURATE), good));
                TRY(JACOBIAN, n, m, ENTRY, i, j, 1 + 1e-10, good);
                r = TRY(JACOBIAN, n, m, NAN_ENTRY, i, j, 0, BIT(G_NONFINITE));
                POINTS(r, i, j);
                TRY(JACOBIAN, n, m, UNWRITTEN, i, j, 0, BIT(UNWRITTEN));
            }
        TRY(JACOBIAN, n, m, ALL, 0, 0, 2, BIT(WRONG));
        TRY(JACOBIAN, n, m, ADDS, 0, 0, 0, BIT(ACCUMULATES));
        TRY(JACOBIAN, n, m, OVER, 0, 0, 0, BIT(OUT_OF_BOUNDS));
        TRY(JACOBIAN, n, m, UNDER, 0, 0, 0, BIT(OUT_OF_BOUNDS));
        TRY(JACOBIAN, n, m, CHANGES_X, 0, 0, 0, BIT(X_MODIFIED));
        TRY(JACOBIAN, n, m, COUNTS, 0, 0, 0, BIT(NONDETERMINISTIC) | BIT(STALE_STATE));
        if (n <= 8) TRY(JACOBIAN, n, m, FROM_F, 0, 0, 0, BIT(STALE_STATE));
    }
    r = TRY(JACOBIAN, 4, 4, TRANSPOSED, 0, 0, 0, BIT(WRONG));
    CHECK(r.hint == AD_HINT_TRANSPOSED);
    CHECK(strstr(r.message, "transpos") || strstr(r.message, "exchanged"));
    r = TRY(JACOBIAN, 3, 5, COLUMN_MAJOR, 0, 0, 0, BIT(WRONG));
    CHECK(r.hint == AD_HINT_TRANSPOSED);
    r = TRY(JACOBIAN, 5, 2, COLUMN_MAJOR, 0, 0, 0, BIT(WRONG));
    CHECK(r.hint == AD_HINT_TRANSPOSED);
    TRY(JACOBIAN, 4, 4, ROWS_SWAPPED, 0, 0, 0, BIT(WRONG));
    r = TRY(JACOBIAN, 4, 3, ROW_ZERO, 1, 0, 0, BIT(WRONG));
    CHECK(r.wrong == 4 && r.findings[0].i == 1);
    /* a row of another scale is seen by itself */
    for (k = 0; k < 4; k++) {
        static const double tiny[4] = { 1e-8, 1e-3, 1e-30, 1e8 };
        p = U(blank)(4, 3);
        p.i = 1;
        p.j = 2;
        p.tiny = tiny[k];
        U(run)(__LINE__, U(JACOBIAN), EITHER(BIT(CORRECT), RIGHT), &p, NULL);
        p.f_calls = p.g_calls = 0;
        p.bad = U(ENTRY);
        p.a = 2;
        r = U(run)(__LINE__, U(JACOBIAN), BIT(WRONG), &p, NULL);
        POINTS(r, 1, 2);
        p.f_calls = p.g_calls = 0;
        p.bad = U(ROW_ZERO);
        U(run)(__LINE__, U(JACOBIAN), BIT(WRONG), &p, NULL);
    }
    /* what F itself may do */
    for (k = 1; k <= 6; k++) {
        static const unsigned masks[7] = { 0, KINK | BIT(NONSMOOTH_INVALID), BIT(F_NONFINITE),
            BIT(UNWRITTEN) | BIT(F_NONFINITE), FAIL, BIT(OUT_OF_BOUNDS), BIT(OUT_OF_BOUNDS) };
        p = U(blank)(4, 3);
        p.dirty = (int)k;
        p.i = 1;
        p.j = 1;               /* x[1] is 0.5, where the kink is */
        U(run)(__LINE__, U(JACOBIAN), masks[k], &p, NULL);
        U(run)(__LINE__, U(JVP), k == 1 ? NOT_FAIL | FAIL : masks[k],
               (p.f_calls = p.g_calls = 0, &p), NULL);
    }
    /* many columns, one of them wrong; evaluations are limited all the same */
    r = TRY(JACOBIAN, 2500, 2, GOOD, 0, 0, 0, EITHER(RIGHT, NOT_FAIL));
    TRY(JACOBIAN, 2500, 2, ALL, 0, 0, -1, BIT(WRONG));
    r = TRY(JACOBIAN, 2500, 2, ENTRY, 1, 1773, -1, EITHER(BIT(WRONG), NOT_PASS));
    if (r.verdict == AD_VERDICT_WRONG) POINTS(r, 1, 1773);
    for (o.max_evals = 1; o.max_evals < 200; o.max_evals *= 3) {
        p = U(blank)(4, 3);
        r = U(run)(__LINE__, U(JACOBIAN), NOT_FAIL | BIT(BUDGET), &p, &o);
        CHECK(r.f_evals <= o.max_evals);
        p = U(blank)(4, 3);
        p.bad = U(ALL);
        p.a = -1;
        r = U(run)(__LINE__, U(JACOBIAN), NOT_PASS | BIT(BUDGET), &p, &o);
        CHECK(r.f_evals <= o.max_evals);
    }
}

/* ---------------------------------------------------------------- sparse Jacobians */
static void U(s_waves)(const RT *x, size_t n, RT *values, size_t nnz, void *user)
{
    U(probe) *p = (U(probe) *)user;
    size_t i, k;
    p->g_calls++;
    for (i = 0; i < p->m; i++)
        for (k = p->start[i]; k < p->start[i + 1]; k++) {
            if (p->bad == U(UNWRITTEN) && i == p->i && p->column[k] == p->j) continue;
            if (p->bad == U(ADDS)) values[k] += U(entry)(p, x, i, p->column[k]);
            else values[k] = p->column[k] < n ? U(entry)(p, x, i, p->column[k]) : 0;
        }
    if (p->bad == U(OVER)) values[nnz] = 1;
    if (p->bad == U(UNDER)) values[-1] = 1;
}
/* The pattern of a band of three, without the entry (i, j) and, of row `empty`, without any. */
static size_t U(band)(size_t n, size_t i, size_t j, size_t empty, size_t *start, size_t *column)
{
    size_t r, c, k = 0;
    for (r = 0; r < n; r++) {
        start[r] = k;
        for (c = r + 2 < n ? r + 2 : n; c-- > (r ? r - 1 : 0);)      /* not in rising order */
            if (r != empty && !(r == i && c == j)) column[k++] = c;
    }
    start[n] = k;
    return k;
}
/* Many variables: the cost does not grow with them. */
static void U(sparse_large)(void)
{
    const size_t n = EITHER(1500, 200);
    size_t *start = (size_t *)malloc((4 * n + 1) * sizeof *start), *column = start + n + 1;
    ad_check_result r;
    U(probe) p = U(blank)(n, n);
    p.band = 1;
    p.start = start;
    p.column = column;
    U(band)(n, n, n, n, start, column);
    r = U(run)(__LINE__, U(SPARSE), EITHER(RIGHT, NOT_FAIL), &p, NULL);
    CHECK(r.mode == AD_CHECK_COLOURED && (IS_FLOAT || r.f_evals <= 60));
    p.f_calls = p.g_calls = 0;
    p.bad = U(ENTRY);
    p.i = n / 2 + 1;
    p.j = n / 2 + 2;
    p.a = -1;
    r = U(run)(__LINE__, U(SPARSE), BIT(WRONG), &p, NULL);
    POINTS(r, n / 2 + 1, n / 2 + 2);
    CHECK(r.wrong == 1);
    p.f_calls = p.g_calls = 0;
    p.bad = U(GOOD);
    U(band)(n, n / 3, n / 3 - 1, n, start, column);
    r = U(run)(__LINE__, U(SPARSE), BIT(WRONG), &p, NULL);
    POINTS(r, n / 3, n / 3 - 1);
    free(start);
}
static void U(sparse)(void)
{
    enum { N = 60, NONE = 1000 };
    size_t start[N + 1], column[3 * N], i, nnz;
    ad_check_options o = default_options();
    ad_check_result r;
    U(probe) p = U(blank)(N, N);
    ad_verdict v;
    RT x[N];
    p.band = 1;
    p.start = start;
    p.column = column;
    for (i = 0; i < N; i++) x[i] = (RT)(0.3 + 0.2 * (double)(i % 9));
    U(band)(N, NONE, NONE, NONE, start, column);
#define SPARSE(b, r0, c0, a0, mask) (p.f_calls = p.g_calls = 0, p.bad = U(b), p.i = r0, p.j = c0,  \
                                     p.a = a0, r = U(run)(__LINE__, U(SPARSE), mask, &p, &o))
    SPARSE(GOOD, 0, 0, 0, EITHER(BIT(CORRECT), RIGHT));
    CHECK(r.mode == AD_CHECK_COLOURED && (IS_FLOAT || r.f_evals <= 40));
    SPARSE(ENTRY, 7, 8, -1, BIT(WRONG));
    POINTS(r, 7, 8);
    CHECK(r.wrong == 1 && r.findings[0].hint == AD_HINT_SIGN);
    SPARSE(ENTRY, 59, 58, 1.1, BIT(WRONG));
    POINTS(r, 59, 58);
    SPARSE(ENTRY, 0, 0, 1.0001, EITHER(BIT(INACCURATE), RIGHT));
    SPARSE(ENTRY, 5, 5, 0, BIT(WRONG));
    SPARSE(NAN_ENTRY, 5, 6, 0, BIT(G_NONFINITE));
    SPARSE(ALL, 0, 0, 2, BIT(WRONG));
    SPARSE(UNWRITTEN, 5, 5, 0, BIT(UNWRITTEN));
    SPARSE(ADDS, 5, 5, 0, BIT(ACCUMULATES));
    SPARSE(OVER, 0, 0, 0, BIT(OUT_OF_BOUNDS));
    SPARSE(UNDER, 0, 0, 0, BIT(OUT_OF_BOUNDS));
    for (i = 0; i < N; i += 11) {              /* the pattern lacks an entry */
        const size_t c = i % 3 == 0 || i == N - 1 ? i : i % 3 == 1 ? i + 1 : i - 1;
        U(band)(N, i, c, NONE, start, column);
        SPARSE(GOOD, 0, 0, 0, BIT(WRONG));
        POINTS(r, i, c);
        CHECK(r.findings[0].hint == AD_HINT_PATTERN && r.hint == AD_HINT_PATTERN);
        U(band)(N, NONE, NONE, i, start, column);      /* or a whole row */
        SPARSE(GOOD, 0, 0, 0, BIT(WRONG));
        CHECK(r.findings[0].hint == AD_HINT_PATTERN && r.findings[0].i == i);
    }
    U(band)(N, NONE, NONE, 4, start, column);           /* a row that is empty and may be */
    p.tiny = DBL_MIN * DBL_EPSILON;
    SPARSE(GOOD, 4, 0, 0, NOT_FAIL);
    p.tiny = 0;
    /* patterns that are none */
    nnz = U(band)(N, NONE, NONE, NONE, start, column);
    column[10] = column[9];
    p.bad = U(GOOD);
    v = A(check_sparse_jacobian)(U(F_waves), U(s_waves), x, N, N, start, column, &p, NULL, &r);
    inspect(__LINE__, "a column twice", BIT(ERROR) | NOT_PASS, v, &r);
    column[10] = N;
    v = A(check_sparse_jacobian)(U(F_waves), U(s_waves), x, N, N, start, column, &p, NULL, &r);
    inspect(__LINE__, "column out of range", BIT(ERROR), v, &r);
    U(band)(N, NONE, NONE, NONE, start, column);
    start[7] = nnz + 5;
    v = A(check_sparse_jacobian)(U(F_waves), U(s_waves), x, N, N, start, column, &p, NULL, &r);
    inspect(__LINE__, "rows that overlap", BIT(ERROR), v, &r);
    U(band)(N, NONE, NONE, NONE, start, column);
    v = A(check_sparse_jacobian)(U(F_waves), U(s_waves), x, N, N, NULL, column, &p, NULL, &r);
    inspect(__LINE__, "no rows", BIT(ERROR), v, &r);
    v = A(check_sparse_jacobian)(U(F_waves), U(s_waves), x, N, N, start, NULL, &p, NULL, &r);
    inspect(__LINE__, "no columns", BIT(ERROR), v, &r);
#undef SPARSE
}

/* ---------------------------------------------------------------- products with a Jacobian */
static void U(products)(void)
{
    static const size_t sizes[][2] = { { 4, 3 }, { 3, 5 }, { 1, 1 }, { 6, 1 }, { 1, 4 },
                                       { 30, 20 } };
    const unsigned fickle = BIT(NONDETERMINISTIC) | BIT(STALE_STATE);
    size_t k;
    int kind;
    for (k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
        for (kind = U(JVP); kind <= U(ADJOINT); kind++) {
            const size_t n = sizes[k][0], m = sizes[k][1];
            ad_check_options o = default_options();
            ad_check_result r;
            U(probe) p;
            /* of 600 entries in float one may be too small to be told */
            const unsigned good = EITHER(BIT(CORRECT), n > 10 ? NOT_FAIL : RIGHT);
#define PRODUCT(b, i, j, a, mask) r = U(try)(__LINE__, kind, n, m, U(b), i, j, a, mask)
            PRODUCT(GOOD, 0, 0, 0, good);
            CHECK(kind != U(ADJOINT) || (r.mode == AD_CHECK_EXACT && r.f_evals + r.g_evals < 40));
            if (kind != U(ADJOINT)) {          /* both of one wrong matrix are adjoint */
                PRODUCT(ENTRY, m - 1, n - 1, -1, BIT(WRONG));
                PRODUCT(ENTRY, m / 2, 0, 1.1, BIT(WRONG));
                PRODUCT(ALL, 0, 0, 2, BIT(WRONG));
                PRODUCT(ALL, 0, 0, -1, BIT(WRONG));
                PRODUCT(ALL, 0, 0, 1.0001, EITHER(BIT(INACCURATE), good));
                PRODUCT(ALL, 0, 0, 1 + 1e-10, good);
                if (n <= 8) PRODUCT(FROM_F, 0, 0, 0, FAIL);
                if (kind == U(JVP) ? n > 1 : m > 1) PRODUCT(TRANSPOSED, 0, 0, 0, BIT(WRONG));
            } else {
                PRODUCT(ENTRY, m / 2, 0, 3, BIT(CORRECT));
            }
            PRODUCT(NONLINEAR, 0, 0, 0, FAIL);
            PRODUCT(AFFINE, 0, 0, 0, FAIL);
            PRODUCT(IGNORES, 0, 0, 0, FAIL);
            PRODUCT(UNWRITTEN, m / 2, n / 2, 0, BIT(UNWRITTEN));
            PRODUCT(ADDS, 0, 0, 0, BIT(ACCUMULATES));
            PRODUCT(OVER, 0, 0, 0, BIT(OUT_OF_BOUNDS));
            PRODUCT(UNDER, 0, 0, 0, BIT(OUT_OF_BOUNDS));
            PRODUCT(V_OVER, 0, 0, 0, BIT(OUT_OF_BOUNDS));
            PRODUCT(CHANGES_X, 0, 0, 0, BIT(X_MODIFIED));
            PRODUCT(CHANGES_V, 0, 0, 0, BIT(X_MODIFIED));
            CHECK(r.findings[0].i == AD_NO_INDEX);       /* it is not known which */
            PRODUCT(COUNTS, 0, 0, 0, fickle);
            PRODUCT(NAN_ENTRY, 0, 0, 0, BIT(G_NONFINITE));
            for (o.max_evals = 1; o.max_evals < 60; o.max_evals *= 4) {
                p = U(blank)(n, m);
                U(run)(__LINE__, kind, NOT_FAIL | BIT(BUDGET), &p, &o);
                p = U(blank)(n, m);
                p.bad = U(AFFINE);
                U(run)(__LINE__, kind, NOT_PASS | BIT(BUDGET), &p, &o);
            }
#undef PRODUCT
        }
}

/* vjp of another matrix than jvp, by a little */
typedef struct U(pair) { double error; size_t i, j; int unit; } U(pair);
static double U(element)(size_t i, size_t j) { return sin((double)(3 * i + 7 * j + 1)); }
static void U(pair_jv)(const RT *x, size_t n, const RT *v, RT *Jv, size_t m, void *user)
{
    const U(pair) *q = (const U(pair) *)user;
    size_t i, j;
    (void)x;
    for (i = 0; i < m; i++) {
        RT s = 0;
        for (j = 0; j < n; j++) s += (RT)U(element)(i, j) * v[j];
        Jv[i] = (RT)ldexp((double)s, q->unit);
    }
}
static void U(pair_vj)(const RT *x, size_t n, const RT *w, RT *wJ, size_t m, void *user)
{
    const U(pair) *q = (const U(pair) *)user;
    size_t i, j;
    (void)x;
    for (j = 0; j < n; j++) {
        RT s = 0;
        for (i = 0; i < m; i++)
            s += (RT)(U(element)(i, j) * (i == q->i && j == q->j ? 1 + q->error : 1)) * w[i];
        wJ[j] = (RT)ldexp((double)s, q->unit);
    }
}
static void U(adjoints)(void)
{
    static const double error[] = { 0, -2, 1, 0.1, 1e-3, 1e-5, 1e-8, 1e-10 };
    RT x[40];
    size_t k, n;
    memset(x, 0, sizeof x);
    for (k = 0; k < sizeof error / sizeof error[0]; k++)
        for (n = 1; n <= 40; n += 13) {
            U(pair) q;
            ad_check_result r;
            ad_verdict v;
            unsigned mask = error[k] == 0 ? BIT(CORRECT) : FAIL;
            q.error = error[k];
            q.i = n / 2;
            q.j = n / 3;
            q.unit = (int)(k * 7 + n) % 3 * 50 - 50;
            if (IS_FLOAT && error[k] > 0 && error[k] < 1e-2) mask = FAIL | RIGHT;
            if (error[k] == -2 || error[k] == 1) mask = BIT(WRONG);
            if (error[k] > 0 && error[k] < 1e-2) mask |= BIT(CORRECT_NOISE_LIMITED);   /* rtol */
            v = A(check_adjoint)(U(pair_jv), U(pair_vj), x, n, n, &q, NULL, &r);
            inspect(__LINE__, "pair", mask, v, &r);
            v = A(check_adjoint)(U(pair_jv), U(pair_vj), x, n, 17, &q, NULL, &r);
            if (q.i < 17) inspect(__LINE__, "pair", mask, v, &r);
        }
}

/* ---------------------------------------------------------------- Hessians, Taylor, values
   f = sum of exp(x_i / 2) + x_i x_(i+1) sin x_i */
static RT U(f_energy)(const RT *x, size_t n, void *user)
{
    double s = 0;
    size_t i;
    ((U(probe) *)user)->f_calls++;
    for (i = 0; i < n; i++) {
        s += (double)M(exp)(x[i] / 2);
        if (i + 1 < n) s += (double)(x[i] * x[i + 1] * M(sin)(x[i]));
    }
    return (RT)(s * U(unit)((const U(probe) *)user));
}
static void U(g_energy)(const RT *x, size_t n, RT *g, void *user)
{
    U(probe) *p = (U(probe) *)user;
    size_t i;
    p->g_calls++;
    for (i = 0; i < n; i++) {
        g[i] = M(exp)(x[i] / 2) / 2;
        if (i + 1 < n) g[i] += x[i + 1] * (M(sin)(x[i]) + x[i] * M(cos)(x[i]));
        if (i > 0) g[i] += x[i - 1] * M(sin)(x[i - 1]);
        if (p->dirty == 7 && i == p->i) g[i] *= (RT)p->a;
        if (p->dirty == 8 && i == p->i) g[i] += M(fabs)(x[i] - (RT)(0.3 + 0.2 * (double)(i % 9)));
        g[i] *= (RT)U(unit)(p);
    }
    if (p->dirty == 9) g[n] = 1;
}
static RT U(second)(const U(probe) *p, const RT *x, size_t n, size_t i, size_t j)
{
    RT h = 0;
    const size_t low = i < j ? i : j;
    if (i == j) {
        h = M(exp)(x[i] / 2) / 4;
        if (i + 1 < n) h += x[i + 1] * (2 * M(cos)(x[i]) - x[i] * M(sin)(x[i]));
    } else if (i + 1 == j || j + 1 == i) {
        h = M(sin)(x[low]) + x[low] * M(cos)(x[low]);
    }
    if (p->bad == U(ALL)) h *= (RT)p->a;
    if (p->bad == U(ENTRY) && ((i == p->i && j == p->j) || (i == p->j && j == p->i)))
        h += (RT)p->a;
    if (p->bad == U(UNSYMMETRIC) && i == p->i && j == p->j) h += (RT)p->a;
    if (p->bad == U(NAN_ENTRY) && i == p->i && j == p->j) h = K(NAN);
    return h * (RT)U(unit)(p);
}
static void U(hv_energy)(const RT *x, size_t n, const RT *v, RT *Hv, void *user)
{
    U(probe) *p = (U(probe) *)user;
    size_t i, j;
    p->g_calls++;
    for (i = 0; i < n; i++) {
        double s = 0;
        for (j = 0; j < n; j++)
            s += (double)U(second)(p, x, n, i, j) * (p->bad == U(IGNORES) ? 1 : (double)v[j]);
        if (p->bad == U(AFFINE)) s += 0.25;
        if (p->bad == U(UNWRITTEN) && i == p->i) continue;
        if (p->bad == U(ADDS)) Hv[i] += (RT)s;
        else Hv[i] = (RT)s;
    }
    if (p->bad == U(OVER)) Hv[n] = 1;
    if (p->bad == U(UNDER)) Hv[-1] = 1;
    if (p->bad == U(CHANGES_X)) *(RT *)(uintptr_t)x = 9;
}
static void U(H_energy)(const RT *x, size_t n, RT *H, void *user)
{
    U(probe) *p = (U(probe) *)user;
    size_t i, j;
    p->g_calls++;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            if (p->bad == U(UNWRITTEN) && i == p->i && j == p->j) continue;
            if (p->bad == U(ADDS)) H[i * n + j] += U(second)(p, x, n, i, j);
            else H[i * n + j] = U(second)(p, x, n, i, j);
        }
    if (p->bad == U(OVER)) H[n * n] = 1;
    if (p->bad == U(UNDER)) H[-1] = 1;
    if (p->bad == U(CHANGES_X)) *(RT *)(uintptr_t)x = 9;
}
static RT U(fg_energy)(const RT *x, size_t n, RT *g, void *user)
{
    U(probe) *p = (U(probe) *)user;
    RT y = U(f_energy)(x, n, user);
    if (g == NULL) return y;
    p->f_calls--;
    U(g_energy)(x, n, g, user);
    if (p->bad == U(AFFINE)) y += (RT)p->a;
    return y;
}

static void U(hessians)(void)
{
    static const size_t sizes[] = { 1, 2, 5, 12 };
    const unsigned right = EITHER(BIT(CORRECT), RIGHT);
    ad_check_result r;
    size_t k;
    int kind;
    for (k = 0; k < 4; k++)
        for (kind = U(HESSIAN); kind <= U(HESSIAN_MATRIX); kind++) {
            const size_t n = sizes[k];
            const int whole = kind == U(HESSIAN_MATRIX);
            U(probe) p;
#define HESS(b, i, j, a, mask) r = U(try)(__LINE__, kind, n, n, U(b), i, j, a, mask)
            HESS(GOOD, 0, 0, 0, right);
            HESS(ALL, 0, 0, -1, BIT(WRONG));
            HESS(ALL, 0, 0, 0.5, BIT(WRONG));
            HESS(ALL, 0, 0, 1.0001, EITHER(BIT(INACCURATE), RIGHT));
            HESS(ALL, 0, 0, 1 + 1e-10, right);
            HESS(ENTRY, n / 2, n / 2, 0.5, BIT(WRONG));
            if (whole) POINTS(r, n / 2, n / 2);
            if (n > 1) {
                HESS(ENTRY, 0, 1, 0.5, BIT(WRONG));
                HESS(ENTRY, n - 1, 0, 0.5, BIT(WRONG));
                HESS(UNSYMMETRIC, n - 1, 0, 0.5, BIT(WRONG));
                CHECK(!whole || r.hint == AD_HINT_UNSYMMETRIC
                      || r.findings[0].hint == AD_HINT_UNSYMMETRIC);
                HESS(UNSYMMETRIC, 0, 1, -0.5, BIT(WRONG));
            }
            HESS(NAN_ENTRY, 0, 0, 0, BIT(G_NONFINITE));
            HESS(UNWRITTEN, n / 2, n / 2, 0, BIT(UNWRITTEN));
            HESS(ADDS, 0, 0, 0, BIT(ACCUMULATES));
            HESS(OVER, 0, 0, 0, BIT(OUT_OF_BOUNDS));
            HESS(UNDER, 0, 0, 0, BIT(OUT_OF_BOUNDS));
            HESS(CHANGES_X, 0, 0, 0, BIT(X_MODIFIED));
            if (!whole) {
                HESS(IGNORES, 0, 0, 0, FAIL);
                HESS(AFFINE, 0, 0, 0, FAIL);
            }
            p = U(blank)(n, n);
            p.dirty = 9;
            U(run)(__LINE__, kind, BIT(OUT_OF_BOUNDS), &p, NULL);
            p = U(blank)(n, n);
            p.dirty = 8;               /* the gradient has a kink: 0 is between its slopes */
            p.i = n / 2;
            U(run)(__LINE__, kind, KINK | (whole ? 0 : MAYBE), &p, NULL);
#undef HESS
        }
}

/* Above dense_limit random directions are checked. */
static void U(hessian_directions)(void)
{
    ad_check_options o = default_options();
    ad_check_result r;
    U(probe) p;
    int kind;
    o.dense_limit = 10;
    for (kind = U(HESSIAN); kind <= U(HESSIAN_MATRIX); kind++) {
        p = U(blank)(60, 60);
        U(run)(__LINE__, kind, EITHER(RIGHT, NOT_FAIL), &p, &o);
        p = U(blank)(60, 60);
        p.bad = U(ALL);
        p.a = -1;
        U(run)(__LINE__, kind, BIT(WRONG), &p, &o);
        p = U(blank)(60, 60);
        p.bad = U(ENTRY);
        p.i = p.j = 17;
        p.a = 1;
        r = U(run)(__LINE__, kind, EITHER(FAIL, NOT_PASS), &p, &o);
        CHECK(r.n == 60);
    }
}

/* Notes in which of its blocks alone x has moved. */
enum { U(BLOCKS) = 4, U(WIDTH) = 60 };
typedef struct U(moves) { RT at; size_t alone[U(BLOCKS)]; } U(moves);
static RT U(f_moves)(const RT *x, size_t n, void *user)
{
    U(moves) *const p = (U(moves) *)user;
    double s = 0;
    size_t i, first = n, last = 0;
    for (i = 0; i < n; i++) {
        s += sin((double)x[i]);
        if (x[i] == p->at) continue;
        if (first == n) first = i;
        last = i;
    }
    if (first < n && first / U(WIDTH) == last / U(WIDTH)) p->alone[first / U(WIDTH)]++;
    return (RT)s;
}
static void U(g_moves)(const RT *x, size_t n, RT *g, void *user)
{
    size_t i;
    (void)user;
    for (i = 0; i < n; i++) g[i] = (RT)cos((double)x[i]);
}
/* Along directions over all components, and over every block by itself. */
static void U(blocks)(void)
{
    enum { N = U(BLOCKS) * U(WIDTH) };
    static const ad_check_block block[U(BLOCKS) + 1] = { { "none", N, 5 }, { "first", 0, U(WIDTH) },
        { "second", U(WIDTH), U(WIDTH) }, { "third", 2 * U(WIDTH), U(WIDTH) },
        { "last", 3 * U(WIDTH), U(WIDTH) } };
    ad_check_options o = default_options();
    ad_check_result r;
    U(moves) p;
    RT x[N];
    size_t i, b;
    p.at = K(0.5);
    for (i = 0; i < N; i++) x[i] = p.at;
    o.dense_limit = 10;
    o.blocks = block;
    for (o.n_blocks = 0; o.n_blocks <= U(BLOCKS) + 1; o.n_blocks++) {
        memset(p.alone, 0, sizeof p.alone);
        A(check_gradient)(U(f_moves), U(g_moves), x, N, &p, &o, &r);
        inspect(__LINE__, "blocks", NOT_FAIL, r.verdict, &r);
        for (b = 0; b < U(BLOCKS); b++) CHECK((p.alone[b] > 0) == (b + 1 < o.n_blocks));
    }
}

/* Terms that cancel, in a box with no room to see how they are rounded: never WRONG of what is
   right, and the cure is a wider box; where there is room, what is far from right is. */
typedef struct U(crossing) { RT a; double factor; } U(crossing);
static RT U(f_crossing)(const RT *x, size_t n, void *user)
{
    (void)n;
    return (1 + ((const U(crossing) *)user)->a * x[0]) / (2 + x[0] * x[0]);
}
static void U(g_crossing)(const RT *x, size_t n, RT *g, void *user)
{
    const U(crossing) *const p = (const U(crossing) *)user;
    const double at = (double)x[0], a = (double)p->a, d = 2 + at * at;
    (void)n;
    g[0] = (RT)(p->factor * (a / d - (1 + a * at) * 2 * at / (d * d)));
}
static void U(narrow_boxes)(void)
{
    static const double width[] = { 1e-15, 1e-13, 1e-11, 1e-9, 1e-5, 1e-3, 0.1, 10 };
    int k, side, e;
    for (e = 0; e < 8; e++)
        for (side = 0; side < 3; side++)
            for (k = 0; k < 60; k++) {
                const RT x = K(0.1 + 0.0151 * k);
                const double w = (double)x * width[e];
                const double lo = side == 1 ? (double)x : (double)x - w;
                const double hi = side == 0 ? (double)x : (double)x + w;
                ad_check_options o = default_options();
                ad_check_result r;
                U(crossing) p;
                p.a = -1 / x * (1 + K(EITHER(1e-5, 2e-6) * k));
                o.lo = &lo;
                o.hi = &hi;
                p.factor = 1;
                A(check_gradient)(U(f_crossing), U(g_crossing), &x, 1, &p, &o, &r);
                inspect(__LINE__, "narrow", PASS | BIT(INCONCLUSIVE), r.verdict, &r);
                if (r.verdict == AD_VERDICT_INCONCLUSIVE && width[e] < 1e-10)
                    CHECK(strstr(r.message, "lo and hi further apart") != NULL);
                p.factor = 10;
                A(check_gradient)(U(f_crossing), U(g_crossing), &x, 1, &p, &o, &r);
                inspect(__LINE__, "narrow, wrong", width[e] > EITHER(1e-10, 5e-4) ? BIT(WRONG)
                    : BIT(WRONG) | BIT(INCONCLUSIVE), r.verdict, &r);
            }
}

/* On an edge of the box: what lies there moves by itself, inwards; nothing leaves the box. */
typedef struct U(box) { const double *lo, *hi; RT at; size_t edge, inner, both, out; } U(box);
static RT U(f_box)(const RT *x, size_t n, void *user)
{
    U(box) *const p = (U(box) *)user;
    double s = 0;
    size_t i, edge = 0, inner = 0;
    for (i = 0; i < n; i++) {
        s += sin((double)x[i]);
        p->out += (double)x[i] < p->lo[i] || (double)x[i] > p->hi[i];
        if (x[i] == p->at) continue;
        if (p->lo[i] == (double)p->at || p->hi[i] == (double)p->at) edge = 1;
        else inner = 1;
    }
    p->edge += edge && !inner;
    p->inner += inner && !edge;
    p->both += edge && inner;
    return (RT)s;
}
static void U(boxes)(void)
{
    enum { N = 120 };
    ad_check_options o = default_options();
    ad_check_result r;
    U(box) p;
    RT x[N];
    double lo[N], hi[N];
    size_t i;
    int edges;
    o.lo = lo;
    o.hi = hi;
    o.dense_limit = 10;
    for (edges = 0; edges < 4; edges++) {        /* bit 0: some at the lower, 1: at the upper */
        memset(&p, 0, sizeof p);
        p.lo = lo;
        p.hi = hi;
        p.at = K(0.5);
        for (i = 0; i < N; i++) {
            x[i] = p.at;
            lo[i] = edges & 1 && i % 3 == 0 ? 0.5 : 0.25;
            hi[i] = edges & 2 && i % 3 == 1 ? 0.5 : 0.625;
        }
        A(check_gradient)(U(f_box), U(g_moves), x, N, &p, &o, &r);
        inspect(__LINE__, "a box", NOT_FAIL, r.verdict, &r);
        CHECK(p.out == 0 && p.both == 0 && p.inner > 0);
        CHECK((p.edge > 0) == (edges > 0));
    }
}

/* What is said of one slope: that the bound holds, and that it is as tight as it was. f is a smooth
   function of closed derivative, and noise. */
enum { U(SLOPES) = 8 };
typedef struct U(slope) { int which; double noise, claim; size_t calls; } U(slope);
static double U(smooth)(int which, double x, double *slope)
{
    switch (which) {
    case 0: *slope = exp(x); return exp(x);
    case 1: *slope = 30 * cos(30 * x); return sin(30 * x);
    case 2: *slope = 1 / (x + 1e-3); return log(x + 1e-3);
    case 3: *slope = 5 * x * x * x * x; return x * x * x * x * x;
    case 4: *slope = 50 / (1 + 2500 * x * x); return atan(50 * x);
    case 5: *slope = 1e-3; return 1e3 + 1e-3 * x;
    case 6: *slope = x < 0.875 ? 1 : 2; return x < 0.875 ? x : 2 * x - 0.875;   /* a kink */
    default: *slope = 0.5 / sqrt(x); return sqrt(x);
    }
}
static RT U(f_slope)(const RT *x, size_t n, void *user)
{
    U(slope) *const p = (U(slope) *)user;
    double slope;
    const double y = U(smooth)(p->which, (double)x[0], &slope);
    (void)n;
    p->calls++;
    return (RT)(y + p->noise * sin(3e17 * (double)x[0]));
}
static void U(g_slope)(const RT *x, size_t n, RT *g, void *user)
{
    (void)x;
    (void)n;
    g[0] = (RT)((const U(slope) *)user)->claim;
}
/* How large noise is, and rounding to multiples of a number, of which it is 1/sqrt(12). */
static RT U(f_rounded)(const RT *x, size_t n, void *user)
{
    const double unit = *(const double *)user;
    (void)n;
    return (RT)(floor(sin((double)x[0]) / unit + 0.5) * unit);
}
static void U(noises)(void)
{
    ad_check_options o = default_options();
    ad_check_result r;
    double noise, slope;
    RT x, g;
    int point, seen = 0;
    for (point = 0; point < 6; point++) {
        U(slope) p;
        x = (RT)(0.25 + 0.21 * point);
        p.which = 0;
        p.calls = 0;
        U(smooth)(0, (double)x, &slope);
        g = (RT)slope;
        for (noise = EITHER(1e-8, 1e-3); noise < 2e-3; noise *= 10) {
            p.noise = noise;
            A(check_values)(U(f_slope), &g, &x, 1, &p, &o, &r);
            inspect(__LINE__, "noise", NOT_FAIL, r.verdict, &r);
            test_check(r.f_noise > 0.1 * noise && r.f_noise < 3 * noise, __FILE__, __LINE__,
                "noise of %g is %g", noise, r.f_noise);
        }
        noise = 1e-8;
        g = (RT)cos((double)x);
        if (IS_FLOAT) continue;
        A(check_values)(U(f_rounded), &g, &x, 1, &noise, &o, &r);
        inspect(__LINE__, "rounded", NOT_FAIL, r.verdict, &r);
        seen += r.f_noise > 0.1 * noise && r.f_noise < 0.6 * noise;
    }
    CHECK(seen >= EITHER(4, 0));                 /* not where few differences said enough */
}

static void U(bounds)(void)
{
    static const double noise[3] = { 0, 1e-9, 1e-5 };
    static const double tight[2][3][U(SLOPES)] = {          /* bounds there were, of the slope */
        { { 1.1e-13, 5.9e-14, 1.4e-13, 9.3e-15, 7.9e-12, 1.2e-8, 5.1e-14, 1.6e-13 },
          { 2e-7, 2.2e-7, 2.4e-7, 2.3e-5, 1.5e-5, 1.7e-4, 7.1e-7, 5.8e-7 },
          { 8e-4, 9.5e-4, 1.1e-3, 0.099, 0.038, 1.7, 7.1e-3, 2.1e-3 } },
        { { 2.3e-5, 2.2e-5, 1.9e-5, 9.2e-6, 1e-3, 3.8, 2.7e-5, 3.4e-5 },
          { 2.3e-5, 2.2e-5, 1.9e-5, 3.1e-5, 1e-3, 3.8, 2.7e-5, 3.4e-5 },
          { 8.6e-4, 2.4e-3, 1.2e-3, 0.092, 0.033, 4.2, 5.4e-3, 2e-3 } } };
    ad_check_options o = default_options();
    ad_check_result r;
    U(slope) p;
    int k, point;
    for (k = 0; k < 3; k++)
        for (p.which = 0; p.which < U(SLOPES); p.which++) {
            double loosest = 0;
            size_t most = 0;
            for (point = 0; point < 6; point++) {
                const RT x = (RT)(0.25 + 0.21 * point);
                double slope;
                U(smooth)(p.which, (double)x, &slope);
                p.noise = noise[k];
                p.claim = 3 * slope + 1;
                p.calls = 0;
                A(check_gradient)(U(f_slope), U(g_slope), &x, 1, &p, &o, &r);
                inspect(__LINE__, "a slope", NOT_PASS, r.verdict, &r);
                CHECK(r.n_findings == 1 && r.f_evals == p.calls);
                CHECK(fabs(r.findings[0].numeric - slope) <= r.findings[0].bound
                      + 4 * UNIT * fabs(slope));
                if (r.findings[0].bound / fabs(slope) > loosest)
                    loosest = r.findings[0].bound / fabs(slope);
                if (p.calls > most) most = p.calls;
            }
            test_check(loosest <= 1.6 * tight[IS_FLOAT][k][p.which] && most <= EITHER(111, 99),
                __FILE__, __LINE__, "slope %d, noise %g: bounds up to %g of it, %d evaluations",
                p.which, p.noise, loosest, (int)most);
        }
}

/* How many claims are wrong, undecided and at kinks is what the sums say that are checked: of each
   kind so many components. */
static RT U(f_kinds)(const RT *x, size_t n, void *user)
{
    double s = 0;
    size_t i;
    (void)user;
    for (i = 0; i < n; i++)
        s += i % 4 == 0 ? fabs((double)x[i] - 0.5)
             : i % 4 == 1 ? (double)x[i] + 1e-2 * sin(1e12 * (double)x[i])
                          : (double)x[i] * (double)x[i];
    return (RT)s;
}
static void U(g_kinds)(const RT *x, size_t n, RT *g, void *user)
{
    size_t i;
    (void)user;
    for (i = 0; i < n; i++)
        g[i] = i % 4 == 0 ? K(0.25) : i % 4 == 1 ? 1 : i % 4 == 2 ? 2 * x[i] : -2 * x[i];
}
static void U(counts)(void)
{
    ad_check_options o = default_options();
    ad_check_result r;
    RT x[16];
    size_t n, i;
    for (n = 4; n <= 16; n += 4) {
        for (i = 0; i < n; i++) x[i] = K(0.5);
        A(check_gradient)(U(f_kinds), U(g_kinds), x, n, NULL, &o, &r);
        inspect(__LINE__, "kinds", FAIL, r.verdict, &r);
        CHECK(r.checked == n && r.wrong == n / 4 && r.inconclusive == n / 4);
        CHECK(r.nonsmooth == n / 4);
    }
}

static void U(taylor)(void)
{
    static const double error[] = { -2, 1, 1e-1, 1e-2 };
    ad_check_result r;
    U(probe) p;
    size_t k, n;
    for (n = 1; n <= 9; n += 4) {
        p = U(blank)(n, 1);
        r = U(run)(__LINE__, U(TAYLOR), EITHER(BIT(CORRECT), NOT_FAIL), &p, NULL);
        CHECK(IS_FLOAT || (r.slope > 2.7 && r.slope < 3.3));
        CHECK(IS_FLOAT || (r.slope2 > 3.5 && r.slope2 < 4.5));
        p = U(blank)(n, 0);            /* without Hessian products */
        r = U(run)(__LINE__, U(TAYLOR), EITHER(BIT(CORRECT), NOT_FAIL), &p, NULL);
        CHECK(IS_FLOAT || (r.slope > 2.7 && r.slope < 3.3));
        for (k = 0; k < sizeof error / sizeof error[0]; k++) {
            p = U(blank)(n, 1);
            p.dirty = 7;
            p.i = n / 2;
            p.a = 1 + error[k];
            r = U(run)(__LINE__, U(TAYLOR), IS_FLOAT && k > 1 ? NOT_PASS : BIT(WRONG), &p, NULL);
            CHECK(IS_FLOAT || (r.slope > 0.8 && r.slope < 1.5));
            p = U(blank)(n, 1);
            p.bad = U(ALL);
            p.a = 1 + error[k];
            r = U(run)(__LINE__, U(TAYLOR), IS_FLOAT && k > 1 ? NOT_FAIL | FAIL : BIT(WRONG), &p,
                       NULL);
            CHECK(IS_FLOAT || (r.slope > 2.7 && r.slope2 > 1.8 && r.slope2 < 2.5));
        }
    }
}

static RT U(f_quadratic)(const RT *x, size_t n, void *user)
{
    (void)user;
    (void)n;
    return x[0] * x[0] + 3 * x[0] * x[1];
}
static void U(g_quadratic)(const RT *x, size_t n, RT *g, void *user)
{
    (void)user;
    (void)n;
    g[0] = 2 * x[0] + 3 * x[1];
    g[1] = 3 * x[0];
}

static void U(values)(void)
{
    static const RT x2[2] = { K(0.5), K(0.25) };
    static const double error[] = { -2, 1, 1e-1, 1e-2 };
    ad_check_options o = default_options();
    ad_check_result r;
    ad_verdict v;
    U(probe) p;
    RT g[2];
    size_t k;
    int kind;
    for (kind = U(FGRADIENT); kind <= U(VALUES); kind++) {
        p = U(blank)(6, 1);
        r = U(run)(__LINE__, kind, EITHER(BIT(CORRECT), RIGHT), &p, NULL);
        CHECK(r.g_evals == 0 || kind == U(FGRADIENT));
        for (k = 0; k < sizeof error / sizeof error[0]; k++) {
            p = U(blank)(6, 1);
            p.dirty = 7;
            p.i = 3;
            p.a = 1 + error[k];
            r = U(run)(__LINE__, kind, BIT(WRONG), &p, NULL);
            CHECK(r.findings[0].i == 3 && r.wrong == 1);
        }
        p = U(blank)(6, 1);
        p.dirty = 7;
        p.i = 5;
        p.a = 1.0001;
        U(run)(__LINE__, kind, EITHER(BIT(INACCURATE), RIGHT), &p, NULL);
    }
    p = U(blank)(6, 1);                        /* another value where the gradient is wanted */
    p.bad = U(AFFINE);
    p.a = 1e-3;
    U(run)(__LINE__, U(FGRADIENT), FAIL | BIT(NONDETERMINISTIC), &p, NULL);
    p = U(blank)(6, 1);
    p.dirty = 9;
    U(run)(__LINE__, U(FGRADIENT), BIT(OUT_OF_BOUNDS), &p, NULL);
    /* a quadratic has no third-order remainder */
    v = A(check_taylor)(U(f_quadratic), U(g_quadratic), NULL, x2, 2, NULL, NULL, &r);
    inspect(__LINE__, "quadratic", RIGHT, v, &r);
    CHECK(isinf(r.slope) || r.slope > 2.5);
    /* a claimed gradient that is not finite, or none */
    g[0] = K(NAN);
    g[1] = 1;
    v = A(check_values)(U(f_quadratic), g, x2, 2, NULL, NULL, &r);
    inspect(__LINE__, "NaN", BIT(G_NONFINITE), v, &r);
    v = A(check_values)(U(f_quadratic), NULL, x2, 2, NULL, NULL, &r);
    inspect(__LINE__, "NULL", BIT(ERROR), v, &r);
    v = A(check_fgradient)(NULL, x2, 2, NULL, NULL, &r);
    inspect(__LINE__, "NULL", BIT(ERROR), v, &r);
    /* names and label are in the report */
    {
        static const char *const names[2] = { "alpha", "a name that is longer than the forty bytes"
                                              " %s that a finding has for it" };
        text t = empty_text();
        o.names = names;
        o.label = "grad_quadratic";
        g[0] = 7;
        g[1] = 9;
        v = A(check_values)(U(f_quadratic), g, x2, 2, NULL, &o, &r);
        inspect(__LINE__, "names", BIT(WRONG), v, &r);
        CHECK(r.n_findings == 2 && r.label == o.label);
        for (k = 0; k < r.n_findings; k++)
            CHECK(strncmp(r.findings[k].name, names[r.findings[k].i], 39) == 0);
        ad_check_print(&r, text_write, &t);
        CHECK(strstr(t.p, "alpha") && strstr(t.p, "grad_quadratic") && strstr(t.p, "WRONG"));
        free(t.p);
    }
}

/* ---------------------------------------------------------------- functions for the tape */
typedef struct U(tape_user) { int lie, once, calls; RT factor; } U(tape_user);
/* What callback k of a user operation multiplies its derivatives by: always, or in one call. */
static RT U(lies)(void *user, int k)
{
    U(tape_user) *const u = (U(tape_user) *)user;
    return u->lie == k && (!u->once || ++u->calls == u->once) ? u->factor : 1;
}

static A(var) U(t_smooth)(A(tape) *t, const A(var) *x, size_t n, void *user)
{
    A(var) s = A(const)(0);
    size_t i;
    (void)t;
    (void)user;
    for (i = 0; i < n; i++) s = A(var_add)(s, A(var_mul)(A(var_sin)(x[i]), x[(i + 1) % n]));
    return A(var_add)(A(var_exp)(A(var_mul_r)(s, K(0.1))), A(var_tanh)(x[0]));
}
static A(var) U(t_kink)(A(tape) *t, const A(var) *x, size_t n, void *user)
{
    (void)t;
    (void)user;
    (void)n;
    return A(var_add)(A(var_abs)(x[0]), A(var_square)(x[1]));
}
static A(var) U(t_log)(A(tape) *t, const A(var) *x, size_t n, void *user)
{
    (void)t;
    (void)user;
    (void)n;
    return A(var_log)(A(var_neg)(A(var_square)(x[0])));
}
static A(var) U(t_constant)(A(tape) *t, const A(var) *x, size_t n, void *user)
{
    (void)t;
    (void)user;
    (void)n;
    return A(const)(x[0].v * 0 + 4);
}
static A(var) U(t_ignores)(A(tape) *t, const A(var) *x, size_t n, void *user)
{
    (void)t;
    (void)user;
    (void)n;
    return A(var_mul)(x[1], x[1]);
}
/* A dependence that the tape does not see. */
static A(var) U(t_detached)(A(tape) *t, const A(var) *x, size_t n, void *user)
{
    (void)t;
    (void)user;
    (void)n;
    return A(var_mul)(A(var_sin)(x[0]), A(detach)(A(var_exp)(x[1])));
}
static A(var) U(t_custom)(A(tape) *t, const A(var) *x, size_t n, void *user)
{
    const RT d = ((U(tape_user) *)user)->factor;
    RT partial[2];
    (void)n;
    partial[0] = 3 * d;
    partial[1] = -2;
    return A(var_mul)(A(var_custom)(t, 2, x, 3 * x[0].v - 2 * x[1].v, partial), x[2]);
}
static A(var) U(t_random)(A(tape) *t, const A(var) *x, size_t n, void *user)
{
    int *count = (int *)user;
    (void)t;
    (void)n;
    return A(var_mul_r)(A(var_sin)(x[0]), 1 + K(0.01) * (RT)++*count);
}
/* An error on the tape itself: a variable of no epoch. */
static A(var) U(t_broken)(A(tape) *t, const A(var) *x, size_t n, void *user)
{
    A(var) stale = x[0];
    (void)t;
    (void)user;
    (void)n;
    stale.epoch++;
    return A(var_add)(stale, x[1]);
}

/* y = x0^2 sin x1 with all of its callbacks, of which one may lie */
static ad_status U(op_value)(void *user, size_t n, const RT *x, size_t m, RT *y)
{
    (void)user;
    (void)n;
    (void)m;
    y[0] = x[0] * x[0] * M(sin)(x[1]);
    return AD_OK;
}
static ad_status U(op_reverse)(void *user, size_t n, const RT *x, size_t m, const RT *y,
                               const RT *y_bar, RT *x_bar)
{
    const RT d = U(lies)(user, 1);
    (void)n;
    (void)m;
    (void)y;
    x_bar[0] += d * 2 * x[0] * M(sin)(x[1]) * y_bar[0];
    x_bar[1] += x[0] * x[0] * M(cos)(x[1]) * y_bar[0];
    return AD_OK;
}
static ad_status U(op_tangent)(void *user, size_t n, const RT *x, size_t m, const RT *y,
                               const RT *x_dot, RT *y_dot)
{
    const RT d = U(lies)(user, 2);
    (void)n;
    (void)m;
    (void)y;
    y_dot[0] = d * 2 * x[0] * M(sin)(x[1]) * x_dot[0] + x[0] * x[0] * M(cos)(x[1]) * x_dot[1];
    return AD_OK;
}
static ad_status U(op_dual)(void *user, size_t n, const A(dual) *x, size_t m, const A(dual) *y,
                            const A(dual) *y_bar, A(dual) *x_bar)
{
    const RT d = U(lies)(user, 3);
    A(dual) a = A(dual_mul_r)(A(dual_mul)(x[0], A(dual_sin)(x[1])), 2);
    A(dual) b = A(dual_mul)(A(dual_mul)(x[0], x[0]), A(dual_cos)(x[1]));
    (void)n;
    (void)m;
    (void)y;
    a.d *= d;
    x_bar[0] = A(dual_add)(x_bar[0], A(dual_mul)(a, y_bar[0]));
    x_bar[1] = A(dual_add)(x_bar[1], A(dual_mul)(b, y_bar[0]));
    return AD_OK;
}
static ad_status U(op_record)(void *user, A(tape) *t, size_t n, const A(var) *x, size_t m,
                              const A(var) *y, const A(var) *y_bar, A(var) *x_bar)
{
    const RT d = U(lies)(user, 4);
    (void)t;
    (void)n;
    (void)m;
    (void)y;
    x_bar[0] = A(var_mul)(A(var_mul_r)(A(var_mul)(x[0], A(var_sin)(x[1])), 2 * d), y_bar[0]);
    x_bar[1] = A(var_mul)(A(var_mul)(A(var_square)(x[0]), A(var_cos)(x[1])), y_bar[0]);
    return AD_OK;
}
static A(var) U(t_called)(A(tape) *t, const A(var) *x, size_t n, void *user)
{
    static const A(op) op = { "liar", U(op_value), U(op_reverse), U(op_tangent), U(op_dual),
        U(op_record) };
    A(var) y = A(const)(0);
    (void)n;
    A(var_call)(t, &op, user, 2, x, 1, &y);
    return A(var_add)(y, A(var_mul)(x[0], x[2]));
}

static void U(tapes)(void)
{
    static const RT x[4] = { K(0.7), K(-0.4), K(1.2), K(0.3) }, zero[2] = { 0, K(0.5) };
    const unsigned right = EITHER(BIT(CORRECT), RIGHT);
    U(tape_user) u;
    ad_check_result r;
    ad_verdict v;
    size_t n;
    int count = 0;
#define TAPE(f, x, n, user, mask) (memset(&r, 0x55, sizeof r),                                     \
        v = A(check_tape)(U(f), x, n, user, NULL, &r), inspect(__LINE__, #f, mask, v, &r))
    for (n = 1; n <= 4; n++) TAPE(t_smooth, x, n, NULL, right);
    CHECK(r.n == 4);
    TAPE(t_kink, x, 2, NULL, right);
    TAPE(t_kink, zero, 2, NULL, KINK | BIT(UNBOUNDED) | BIT(DISCONTINUOUS));
    TAPE(t_log, x, 1, NULL, BIT(F_NONFINITE));
    TAPE(t_constant, x, 3, NULL, FAIL | right);
    TAPE(t_ignores, x, 3, NULL, right);
    TAPE(t_detached, x, 2, NULL, BIT(WRONG));
    CHECK(r.findings[0].i == 1 && r.findings[0].hint == AD_HINT_MISSING);
    TAPE(t_random, x, 1, &count, BIT(NONDETERMINISTIC) | FAIL);
    TAPE(t_broken, x, 2, NULL, BIT(ERROR) | BIT(F_NONFINITE));
    u.lie = u.once = 0;
    u.factor = 1;
    TAPE(t_custom, x, 3, &u, right);
    u.factor = -1;
    TAPE(t_custom, x, 3, &u, BIT(WRONG));
    CHECK(r.findings[0].i == 0);
    u.factor = K(1.1);
    TAPE(t_custom, x, 3, &u, BIT(WRONG));
    u.factor = K(NAN);
    TAPE(t_custom, x, 3, &u, FAIL);
    TAPE(t_called, x, 3, &u, right);
    for (u.lie = 1; u.lie <= 4; u.lie++) {
        static const char *const lies[4] = {
            "the tangent sweep gives ~~~~~~~~~ along a direction, the reverse sweep ~~~~~~~~~",
            "the tangent sweep gives ~~~~~~~~~ along a direction, the reverse sweep ~~~~~~~~~",
            ("second derivatives of forward over reverse and of the recorded gradient differ,"
             " at index 0"), "the recorded gradient and the reverse sweep differ, at index 0" };
        char message[160];
        sprintf(message, "WRONG: %s", lies[u.lie - 1]);
        u.factor = K(1.5);
        TAPE(t_called, x, 3, &u, BIT(WRONG));
        SAYS(r.message, message);
        u.factor = EITHER(K(1.0000001), K(1.01));        /* far less than differences see */
        TAPE(t_called, x, 3, &u, BIT(WRONG));
        SAYS(r.message, message);
    }
    /* right but in one call: the first that a driver of its own makes, after these of the checks of
       the gradient, or of one tangent sweep */
    {
        static const struct { int lie, once; const char *says; } liar[] = {
            { 1, 1, "NONDETERMINISTIC: its gradient gives several results for one x. Try:"
              " nondet_tol, if its results may differ so" },
            { 1, 3, "NONDETERMINISTIC: its gradient gives several results for one x. Try:"
              " nondet_tol, if its results may differ so" },
            { 1, 6, "WRONG: ad_jacobian_reverse and the reverse sweep differ, at index 0" },
            { 2, 2, "WRONG: ad_jacobian_forward and the reverse sweep differ, at index 0" } };
        u.factor = K(1.5);
        for (n = 0; n < sizeof liar / sizeof *liar; n++) {
            u.lie = liar[n].lie;
            u.once = liar[n].once;
            u.calls = 0;
            TAPE(t_called, x, 3, &u, BIT(WRONG) | BIT(NONDETERMINISTIC));
            SAYS(r.message, liar[n].says);
        }
    }
    v = A(check_tape)(NULL, x, 3, NULL, NULL, &r);
    inspect(__LINE__, "NULL", BIT(ERROR), v, &r);
#undef TAPE
}

/* Compiled functions against the programs that they came from: what is frozen is found, and where
   the two part; what follows its input, or says where it does not, passes. */
typedef enum U(course) { U(PLAIN), U(FROZEN_IF), U(FROZEN_NUMBER), U(LOOP), U(BRANCH), U(SELECT),
    U(ROOT), U(NOWHERE), U(HERE), U(CHOICE), U(CONSTANT), U(OFF), U(COURSES) } U(course);
typedef struct U(program) {
    U(course) course;
    RT off;                              /* of OFF: another program by so much */
    double least[2], most[2];            /* of x that were seen */
    int calls, fails;                    /* from this call on: an error */
} U(program);
static void U(fn_program)(A(tape) *t, const A(var) *x, size_t n, A(var) *y, size_t m, void *user)
{
    U(program) *const p = (U(program) *)user;
    const A(var) above = A(var_gt)(x[0], A(const)(1));
    size_t i;
    for (i = 0; i < 2; i++) {
        p->least[i] = fmin(p->least[i], (double)x[i].v);
        p->most[i] = fmax(p->most[i], (double)x[i].v);
    }
    p->calls++;
    if (p->fails && p->calls >= p->fails) A(var_custom)(t, 1, NULL, 0, NULL);
    for (i = 0; i < m; i++) y[i] = A(var_mul)(A(var_add_r)(x[i % n], (RT)(i + 1)), x[1]);
    switch (p->course) {
    case U(FROZEN_IF):     y[0] = x[0].v > 1 ? A(var_exp)(x[0]) : A(var_sin)(x[0]); break;
    case U(FROZEN_NUMBER): y[m - 1] = A(var_mul_r)(x[1], x[1].v); break;
    case U(LOOP):
        for (i = 0, y[0] = x[0]; i < (size_t)(2 + fabs((double)x[0].v)); i++)
            y[0] = A(var_sin)(y[0]);
        break;
    case U(BRANCH):
        y[0] = A(branch)(above) ? A(var_exp)(x[0]) : A(var_sin)(x[0]);
        break;
    case U(SELECT): y[0] = A(var_select)(above, A(var_exp)(x[0]), A(var_sin)(x[0])); break;
    case U(ROOT):   y[0] = A(var_sqrt)(x[0]); break;
    case U(NOWHERE): for (i = 0; i < m; i++) y[i] = A(var_log)(A(var_mul_r)(x[0], 0)); break;
    case U(HERE):
        A(branch)(A(var_eq)(x[0], A(const)(K(0.5))));
        y[0] = x[1].v < K(0.8) ? A(var_sin)(x[1]) : A(var_cos)(x[1]);
        break;
    case U(CHOICE): y[0] = x[0].v > 1 ? x[0] : x[1]; break;
    case U(CONSTANT): y[0] = A(const)(x[0].v > 1 ? K(2) : K(3)); break;
    case U(OFF):    y[0] = A(var_mul_r)(y[0], 1 + p->off); break;
    default: break;
    }
}
static A(fn) *U(fn_of)(U(course) course, const RT *x, size_t m, unsigned flags, int parameter)
{
    A(tape) *const t = A(tape_create)(NULL);
    unsigned char parameters[2] = { 0, 0 };
    ad_fn_desc desc;
    U(program) p;
    A(var) v[2], y[3];
    A(fn) *f;
    memset(&p, 0, sizeof p);
    p.course = course;
    memset(&desc, 0, sizeof desc);
    parameters[1] = (unsigned char)parameter;
    desc.parameters = parameters;
    desc.flags = flags;
    A(inputs)(t, 2, x, v);
    U(fn_program)(t, v, 2, y, m, &p);
    f = A(fn_create)(t, 2, v, m, y, &desc);
    A(tape_destroy)(t);
    return f;
}
static void U(compiled)(void)
{
    static const RT x[2] = { K(0.5), K(0.7) };
    static const struct { unsigned mask; const char *said; } expected[U(COURSES)] = {
        { BIT(CORRECT), "CORRECT: @ numbers at 17 points agree to ~; an ad_branch refused 0"
          " points" },
        { BIT(WRONG), "slot @ is exp there, sin at x" },
        { BIT(WRONG), "mul in slot @ takes ~~~~~~ there, 0.7 at x" },
        { BIT(WRONG), "@ slots there, @ at x" },
        { BIT(CORRECT), "CORRECT: @ numbers at 16 points agree to ~; an ad_branch refused 1"
          " points" },
        { BIT(CORRECT), "CORRECT: @ numbers at 17 points agree to ~; an ad_branch refused 0"
          " points" },
        { BIT(CORRECT), "CORRECT: @ numbers at 17 points agree to ~; an ad_branch refused 0"
          " points" },
        { BIT(INCONCLUSIVE), "INCONCLUSIVE: no finite number at 17 points, 0 of them refused by an"
          " ad_branch. Try: another x; options.lo and hi, where f is defined" },
        { BIT(INCONCLUSIVE), "INCONCLUSIVE: no finite number at 16 points beside x, 16 of them"
          " refused by an ad_branch. Try: another x; options.lo and hi, where f is defined" },
        { BIT(WRONG), "output 0 is slot 0 (input) there, slot 1 (input) at x" },
        { BIT(WRONG), "output 0 is a constant, 2 there, a constant, 3 at x" },
        { BIT(CORRECT), "CORRECT: @ numbers at 17 points agree to ~; an ad_branch refused 0"
          " points" } };
    const double lo[2] = { 0.4, 0.1 }, hi[2] = { 0.9, 0.8 };
    ad_check_options o;
    ad_check_result r;
    ad_verdict v;
    U(program) p;
    A(fn) *f, *d;
    char message[256];
    int course, flags, parameter;
    size_t m;
    for (course = 0; course < (int)U(COURSES); course++)
        for (m = 1; m <= 3; m++)
            for (flags = 0; flags < 2; flags++)
                for (parameter = 0; parameter < 2; parameter++) {
                    f = U(fn_of)((U(course))course, x, m, flags ? AD_FN_FAST | AD_FN_CONTRACT : 0,
                        parameter);
                    d = A(fn_jacobian)(f);
                    memset(&p, 0, sizeof p);
                    p.course = (U(course))course;
                    v = A(check_fn)(U(fn_program), f, x, 2, m, 0, &p, NULL, &r);
                    inspect(__LINE__, "compiled", expected[course].mask, v, &r);
                    sprintf(message, v == AD_VERDICT_WRONG ? "WRONG: compiled ~~~~~~~~~, recorded"
                        " anew ~~~~~~~~~ at i=@, at point @: %s. What the program decides by"
                        " numbers is frozen. Try: ad_branch, select" : "%s", expected[course].said);
                    SAYS(r.message, message);
                    CHECK(v != AD_VERDICT_WRONG || (r.findings[0].j == AD_NO_INDEX
                        && r.findings[0].i == (course == U(FROZEN_NUMBER) ? m - 1 : 0)));
                    v = A(check_fn)(U(fn_program), d, x, 2, m, 0, &p, NULL, &r);
                    inspect(__LINE__, "compiled Jacobian", expected[course].mask
                        | (course == U(NOWHERE) ? BIT(CORRECT) : 0), v, &r);   /* zeros */
                    if (course == U(PLAIN)) CHECK(r.checked == 17 * m * (parameter ? 2 : 3));
                    A(fn_destroy)(f);
                    A(fn_destroy)(d);
                }
    /* compiled where the program went elsewhere, or from another program */
    {
        static const RT there[2] = { K(1.5), K(0.7) };
        f = U(fn_of)(U(FROZEN_IF), there, 1, 0, 0);
        p.course = U(FROZEN_IF);
        v = A(check_fn)(U(fn_program), f, x, 2, 1, 0, &p, NULL, &r);
        inspect(__LINE__, "elsewhere", BIT(WRONG), v, &r);
        CHECK(strstr(r.message, "at point 0: the trace is that of x. Is it compiled from"));
        A(fn_destroy)(f);
        f = U(fn_of)(U(PLAIN), x, 2, 0, 0);
        d = A(fn_jacobian)(f);
        p.course = U(OFF);
        p.off = EITHER(K(1e-5), K(1e-2));
        v = A(check_fn)(U(fn_program), f, x, 2, 2, 3, &p, NULL, &r);
        inspect(__LINE__, "off", BIT(WRONG), v, &r);
        CHECK(r.wrong == 4 && r.checked == 8 && r.f_evals == 4 && r.g_evals == 4);
        memset(&o, 0, sizeof o);
        o.rtol = 0.1;
        v = A(check_fn)(U(fn_program), d, x, 2, 2, 3, &p, &o, &r);
        inspect(__LINE__, "off", BIT(CORRECT), v, &r);
        CHECK(r.checked == 24);
        p.off = EITHER(K(1e-9), K(1e-5));
        v = A(check_fn)(U(fn_program), d, x, 2, 2, 3, &p, NULL, &r);
        inspect(__LINE__, "off", BIT(CORRECT), v, &r);
    }
    /* the box; a function that is defined on one side */
    o.rtol = 0;
    o.lo = lo;
    o.hi = hi;
    memset(&p, 0, sizeof p);
    p.least[0] = p.least[1] = 1e9;
    v = A(check_fn)(U(fn_program), f, x, 2, 2, 200, &p, &o, &r);
    inspect(__LINE__, "box", BIT(CORRECT), v, &r);
    CHECK(p.least[0] >= 0.4 && p.least[0] < 0.45 && p.most[0] > 0.85 && p.most[0] <= 0.9);
    CHECK(p.least[1] >= 0.1 && p.least[1] < 0.2 && p.most[1] > 0.7 && p.most[1] <= 0.8);
    CHECK(r.f_evals == 201 && p.calls == 202);
    /* the program fails at the third point */
    memset(&p, 0, sizeof p);
    p.fails = 4;
    v = A(check_fn)(U(fn_program), f, x, 2, 2, 0, &p, NULL, &r);
    inspect(__LINE__, "fails", BIT(ERROR), v, &r);
    CHECK(strstr(r.message, "at point 2: custom: NULL for 1 operands") != NULL);
    p.fails = 0;
    /* bad arguments */
    v = A(check_fn)(NULL, f, x, 2, 2, 0, &p, NULL, &r);
    inspect(__LINE__, "NULL", BIT(ERROR), v, &r);
    v = A(check_fn)(U(fn_program), NULL, x, 2, 2, 0, &p, NULL, &r);
    inspect(__LINE__, "NULL", BIT(ERROR), v, &r);
    v = A(check_fn)(U(fn_program), f, NULL, 2, 2, 0, &p, NULL, NULL);
    CHECK(v == AD_VERDICT_ERROR);
    v = A(check_fn)(U(fn_program), f, x, 2, 3, 0, &p, NULL, &r);
    inspect(__LINE__, "outputs", BIT(ERROR), v, &r);
    CHECK(strstr(r.message, "f has 2 inputs and 3 outputs, the compiled function 2 and 2"));
    v = A(check_fn)(U(fn_program), d, x, 1, 2, 0, &p, NULL, &r);
    inspect(__LINE__, "inputs", BIT(ERROR), v, &r);
    A(fn_destroy)(f);
    f = A(fn_gradient)(d);                          /* of a function with six outputs */
    v = A(check_fn)(U(fn_program), f, x, 2, 2, 0, &p, NULL, &r);
    inspect(__LINE__, "failed", BIT(ERROR), v, &r);
    CHECK(strstr(r.message, A(fn_message)(f)) != NULL);
    A(fn_destroy)(f);
    A(fn_destroy)(d);
}

/* One row whose wrong entry is another component's slope: F = sum of slope(j) x_j, and claims, in
   every form in which a matrix can be claimed. */
static const double U(slope_of)[6] = { 1, 2, 3, 5, 8, 13 };
static void U(F_row)(const RT *x, size_t n, RT *y, size_t m, void *user)
{
    size_t i, j;
    (void)user;
    for (i = 0; i < m; i++)
        for (j = 0, y[i] = 0; j < n; j++) y[i] += K(U(slope_of)[j]) * x[j];
}
static void U(J_row)(const RT *x, size_t n, RT *J, size_t m, void *user)
{
    (void)x;
    memcpy(J, user, n * m * sizeof *J);
}
static void U(s_row)(const RT *x, size_t n, RT *values, size_t nnz, void *user)
{
    (void)x; (void)n;
    memcpy(values, user, nnz * sizeof *values);
}
static void U(v_row)(const RT *x, size_t n, const RT *v, RT *Jv, size_t m, void *user)
{
    const RT *const J = (const RT *)user;
    size_t i, j;
    (void)x;
    for (i = 0; i < m; i++)
        for (j = 0, Jv[i] = 0; j < n; j++) Jv[i] += J[i * n + j] * v[j];
}
static void U(w_row)(const RT *x, size_t n, const RT *w, RT *wJ, size_t m, void *user)
{
    const RT *const J = (const RT *)user;
    size_t i, j;
    (void)x;
    for (j = 0; j < n; j++)
        for (i = 0, wJ[j] = 0; i < m; i++) wJ[j] += J[i * n + j] * w[i];
}
static RT U(f_row)(const RT *x, size_t n, void *user)
{
    RT y;
    U(F_row)(x, n, &y, 1, user);
    return y;
}
static void U(neighbours)(void)
{
    static const RT x[6] = { K(1), K(2), K(3), K(0.5), K(0.25), K(1.5) };
    size_t n, i, j, e, m, row;
    int form;
    for (n = 2; n <= 6; n++)
        for (m = 1; m <= 2; m++)
            for (i = 0; i < n; i++)
                for (j = 0; j < n; j++)
                    for (form = 0; form < 5 && i != j; form++) {
                        size_t from[3], column[12];
                        RT J[12];
                        ad_check_result r;
                        ad_verdict v;
                        if (form == 4 && m > 1) continue;
                        for (e = 0; e < n * m; e++) {
                            J[e] = K(U(slope_of)[e % n]);
                            column[e] = e % n;
                        }
                        for (row = 0; row <= m; row++) from[row] = row * n;
                        J[(m - 1) * n + i] = J[(m - 1) * n + j];
                        memset(&r, 0x55, sizeof r);
                        switch (form) {
                        case 0: v = A(check_jacobian)(U(F_row), U(J_row), x, n, m, J, NULL, &r);
                            break;
                        case 1: v = A(check_sparse_jacobian)(U(F_row), U(s_row), x, n, m, from,
                            column, J, NULL, &r); break;
                        case 2: v = A(check_jvp)(U(F_row), U(v_row), x, n, m, J, NULL, &r); break;
                        case 3: v = A(check_vjp)(U(F_row), U(w_row), x, n, m, J, NULL, &r); break;
                        default: v = A(check_values)(U(f_row), J, x, n, NULL, NULL, &r);
                        }
                        test_check(v == AD_VERDICT_WRONG && r.wrong == 1 && r.n_findings == 1
                            && (form == 4 ? r.findings[0].i == i
                                : r.findings[0].i == m - 1 && r.findings[0].j == i),
                            __FILE__, __LINE__, "n = %d, m = %d, form %d, slope %d at %d: %s",
                            (int)n, (int)m, form, (int)j, (int)i, r.message);
                    }
}

/* ---------------------------------------------------------------- arguments */
static void U(refusals)(void)
{
    static const RT x[2] = { K(0.5), K(0.25) };
    static const size_t start[3] = { 0, 1, 2 }, column[2] = { 0, 1 };
    const size_t huge = (size_t)-1 / 4;
    ad_check_options o = default_options();
    ad_check_block outside = { "outside", 1, 5 };
    ad_check_result r;
    U(probe) p = U(blank)(2, 2);
    char work[16];
    ad_verdict v;
    int k;
#define REFUSED(...) do {                                                                          \
        memset(&r, 0x55, sizeof r);                                                                \
        v = __VA_ARGS__;                                                                           \
        inspect(__LINE__, #__VA_ARGS__, BIT(ERROR), v, &r);                                        \
        CHECK(says(r.message, "ERROR: a function or x is NULL")                                    \
            || says(r.message, "ERROR: @ variables and @ outputs are too many"));                  \
        CHECK(r.f_evals == 0 && r.g_evals == 0);                                                   \
    } while (0)
    p.start = start;
    p.column = column;
    REFUSED(A(check_jacobian)(NULL, U(J_waves), x, 2, 2, &p, NULL, &r));
    REFUSED(A(check_jacobian)(U(F_waves), NULL, x, 2, 2, &p, NULL, &r));
    REFUSED(A(check_jacobian)(U(F_waves), U(J_waves), NULL, 2, 2, &p, NULL, &r));
    REFUSED(A(check_jacobian)(U(F_waves), U(J_waves), x, huge, huge, &p, NULL, &r));
    REFUSED(A(check_jacobian)(U(F_waves), U(J_waves), x, (size_t)1 << 33, (size_t)1 << 33, &p, NULL,
                              &r));
    REFUSED(A(check_jvp)(NULL, U(v_waves), x, 2, 2, &p, NULL, &r));
    REFUSED(A(check_jvp)(U(F_waves), NULL, x, 2, 2, &p, NULL, &r));
    REFUSED(A(check_jvp)(U(F_waves), U(v_waves), NULL, 2, 2, &p, NULL, &r));
    REFUSED(A(check_vjp)(NULL, U(w_waves), x, 2, 2, &p, NULL, &r));
    REFUSED(A(check_vjp)(U(F_waves), NULL, x, 2, 2, &p, NULL, &r));
    REFUSED(A(check_adjoint)(NULL, U(w_waves), x, 2, 2, &p, NULL, &r));
    REFUSED(A(check_adjoint)(U(v_waves), NULL, x, 2, 2, &p, NULL, &r));
    REFUSED(A(check_hessian)(NULL, U(hv_energy), x, 2, &p, NULL, &r));
    REFUSED(A(check_hessian)(U(g_energy), NULL, x, 2, &p, NULL, &r));
    REFUSED(A(check_hessian_matrix)(NULL, U(H_energy), x, 2, &p, NULL, &r));
    REFUSED(A(check_hessian_matrix)(U(g_energy), NULL, x, 2, &p, NULL, &r));
    REFUSED(A(check_taylor)(NULL, U(g_energy), NULL, x, 2, &p, NULL, &r));
    REFUSED(A(check_taylor)(U(f_energy), NULL, NULL, x, 2, &p, NULL, &r));
    REFUSED(A(check_sparse_jacobian)(NULL, U(s_waves), x, 2, 2, start, column, &p, NULL, &r));
    REFUSED(A(check_sparse_jacobian)(U(F_waves), NULL, x, 2, 2, start, column, &p, NULL, &r));
    /* work that is too small, for every entry point */
    o.work = work;
    o.work_bytes = sizeof work;
    for (k = U(JACOBIAN); k <= U(VALUES); k++) {
        p.f_calls = p.g_calls = 0;
        memset(&r, 0x55, sizeof r);
        memset(work, 0x5A, sizeof work);
        v = U(call)(k, x, &p, &o, &r);
        inspect(__LINE__, "16 bytes of work", BIT(ERROR), v, &r);
        SAYS(r.message, "ERROR: work has 16 bytes, @ are needed");
    }
    /* a block that ends outside */
    o = default_options();
    o.blocks = &outside;
    o.n_blocks = 1;
    v = A(check_taylor)(U(f_energy), U(g_energy), NULL, x, 2, &p, &o, &r);
    inspect(__LINE__, "block", BIT(ERROR) | NOT_FAIL, v, &r);
    outside.count = (size_t)-1;
    v = A(check_values)(U(f_energy), x, x, 2, &p, &o, &r);
    inspect(__LINE__, "block", BIT(ERROR) | NOT_PASS, v, &r);
    /* nothing to check */
    for (k = 0; k < 3; k++) {
        const size_t n = k == 1 ? 2 : 0, m = k == 2 ? 2 : 0;
        const unsigned none = BIT(CORRECT) | BIT(SKIPPED) | BIT(ERROR) | MAYBE;
        memset(&r, 0x55, sizeof r);
        v = A(check_jacobian)(U(F_waves), U(J_waves), x, n, m, &p, NULL, &r);
        inspect(__LINE__, "empty Jacobian", none, v, &r);
        v = A(check_jvp)(U(F_waves), U(v_waves), x, n, m, &p, NULL, &r);
        inspect(__LINE__, "empty jvp", none, v, &r);
        v = A(check_vjp)(U(F_waves), U(w_waves), x, n, m, &p, NULL, &r);
        inspect(__LINE__, "empty vjp", none, v, &r);
        v = A(check_adjoint)(U(v_waves), U(w_waves), x, n, m, &p, NULL, &r);
        inspect(__LINE__, "empty adjoint", none, v, &r);
        v = A(check_sparse_jacobian)(U(F_waves), U(s_waves), x, n, 0, start, column, &p, NULL, &r);
        inspect(__LINE__, "no rows", none, v, &r);
    }
    v = A(check_hessian)(U(g_energy), U(hv_energy), x, 0, &p, NULL, &r);
    inspect(__LINE__, "no variables", BIT(CORRECT) | BIT(SKIPPED) | BIT(ERROR) | MAYBE, v, &r);
    v = A(check_taylor)(U(f_energy), U(g_energy), NULL, x, 0, &p, NULL, &r);
    inspect(__LINE__, "no variables", BIT(CORRECT) | BIT(SKIPPED) | BIT(ERROR) | MAYBE, v, &r);
    v = A(check_tape)(U(t_smooth), x, 0, NULL, NULL, NULL);
    CHECK(v == AD_VERDICT_CORRECT || v == AD_VERDICT_SKIPPED || !ad_check_ok(v));
#undef REFUSED
}

static void U(entries)(void)
{
    static const double most[2][U(VALUES) + 1] = {
        { 37178, 15904, 11625, 0, 23012, 15250, 13594, 1257, 749, 728 },
        { 64403, 19462, 17067, 0, 19150, 11502, 10248, 897, 745, 696 } };
    int kind;
    U(neighbours)();
    U(sparse)();
    if (test_in_type(sizeof(RT))) {
        U(jacobians)();
        U(sparse_large)();
        U(products)();
    }
    U(adjoints)();
    U(hessians)();
    U(hessian_directions)();
    U(taylor)();
    U(values)();
    for (kind = 0; kind <= U(VALUES); kind++)        /* no more than it was */
        test_check((double)U(evals)[kind] <= 1.01 * most[IS_FLOAT][kind], __FILE__, __LINE__,
            "%d evaluations for all checks of kind %d, not %g", (int)U(evals)[kind], kind,
            most[IS_FLOAT][kind]);
    U(tapes)();
    U(compiled)();
    U(blocks)();
    U(narrow_boxes)();
    U(boxes)();
    U(bounds)();
    U(noises)();
    U(counts)();
    U(refusals)();
}

#undef K
#undef EITHER
#undef TRY
#undef POINTS
#endif
