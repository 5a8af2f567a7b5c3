/* The gradient checker's verdicts: each is earned by functions that deserve it and refused to
   those that do not. A right claim never gets a failing verdict, a clearly wrong one never a
   passing one; where several verdicts would be reasonable, the test takes any of them. The lower
   part is read twice, for double and for float.
   Sections: Checker: The Engine; Checker: Points and Lines; Checker: Calling the User. */
#ifndef RT
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include "test.h"

TEST_DEF void suite_verdicts(void);

#define BIT(v)      (1u << AD_VERDICT_##v)
#define RIGHT       (BIT(CORRECT) | BIT(CORRECT_NOISE_LIMITED))
#define KINK        BIT(NONSMOOTH_VALID)
#define PASS        (RIGHT | BIT(CORRECT_ONESIDED) | KINK)
#define MAYBE       BIT(INCONCLUSIVE)
#define NUMBERS     (BIT(INACCURATE) | BIT(NONSMOOTH_INVALID) | BIT(UNBOUNDED) | BIT(DISCONTINUOUS)\
                     | BIT(WRONG) | BIT(G_NONFINITE))
#define PROTOCOL    (BIT(STALE_STATE) | BIT(ACCUMULATES) | BIT(UNWRITTEN) | BIT(X_MODIFIED)        \
                     | BIT(OUT_OF_BOUNDS))
#define FAIL        (NUMBERS | PROTOCOL)
#define UNDECIDED   (MAYBE | BIT(BUDGET) | BIT(NONDETERMINISTIC) | BIT(F_NONFINITE))
#define NOT_FAIL    (PASS | MAYBE)
#define NOT_PASS    (FAIL | MAYBE)

#define PI          3.14159265358979323846

/* n of the largest functions, and of those whose wrong components are many */
#ifndef LARGE
#define LARGE 1000000
#endif
#ifndef MANY
#define MANY 10000
#endif

static uint64_t next_random(uint64_t *s)
{
    uint64_t z = *s += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}
/* uniform in [a, b) */
static double between(uint64_t *s, double a, double b)
{
    return a + (b - a) * (double)(next_random(s) >> 11) / 9007199254740992.0;
}

static ad_check_options default_options(void)
{
    ad_check_options o;
    memset(&o, 0, sizeof o);
    return o;
}

/* Near a root of sqrt(x^2 + y^2) - 1, the helical valley of MINPACK's problems: where y is as good
   as nothing, f is the same at all short steps along y, since 1 swallows them, and looks exact. */
static int valley_wrong;
static void valley_f(const double *x, size_t n, double *y, size_t m, void *user)
{
    (void)n; (void)m; (void)user;
    y[0] = 10 * (x[2] - 10 * (atan(x[1] / x[0]) / (2 * PI)));
    y[1] = 10 * (sqrt(x[0] * x[0] + x[1] * x[1]) - 1);
    y[2] = x[2];
}
static void valley_J(const double *x, size_t n, double *J, size_t m, void *user)
{
    const double r = sqrt(x[0] * x[0] + x[1] * x[1]), t = 2 * PI * r * r;
    (void)n; (void)m; (void)user;
    J[0] = 100 * x[1] / t;
    J[1] = -100 * x[0] / t;
    J[2] = 10;
    J[3] = 10 * x[0] / r;
    J[4] = valley_wrong ? 1 : 10 * x[1] / r;
    J[5] = J[6] = J[7] = 0;
    J[8] = 1;
}
static void valley(void)
{
    uint64_t s = 11;
    int i, right = 0, missed = 0;
    for (i = 0; i < 200; i++) {
        const double e = pow(10, -5 - i % 33);
        double x[3];
        ad_check_result r;
        x[0] = i & 1 ? 1 + 1e-12 : 1;
        x[1] = e * between(&s, 0.01, 1);
        x[2] = e * (i & 2 ? 1e-5 : 1) * between(&s, 0.01, 1);
        valley_wrong = 0;
        right += (1u << ad_check_jacobian(valley_f, valley_J, x, 3, 3, NULL, NULL, &r)
                  & NOT_FAIL) != 0;
        valley_wrong = 1;
        missed += (1u << ad_check_jacobian(valley_f, valley_J, x, 3, 3, NULL, NULL, &r)
                   & PASS) != 0;
    }
    test_check(right == 200, __FILE__, __LINE__, "%d of 200 right claims do not fail", right);
    test_check(missed == 0, __FILE__, __LINE__, "%d of 200 wrong claims passed", missed);
}

/* Robertson's reactions as a solver of SUNDIALS sees them, x -> F(x, x'): all species sum to 1, and
   one is as good as not there yet, so that its steps are lost beside the others' terms. */
typedef struct reactions { double begin[3], shift, rate[2]; int wrong; } reactions;
static void reactions_f(const double *x, size_t n, double *r, size_t m, void *user)
{
    const reactions *q = (const reactions *)user;
    (void)n; (void)m;
    r[0] = 0.04 * x[0] - 1e4 * x[1] * x[2];
    r[1] = -r[0] + 3e7 * x[1] * x[1] + (q->rate[1] + q->shift * (x[1] - q->begin[1]));
    r[0] += q->rate[0] + q->shift * (x[0] - q->begin[0]);
    r[2] = x[0] + x[1] + x[2] - 1;
}
static void reactions_J(const double *x, size_t n, double *J, size_t m, void *user)
{
    const reactions *q = (const reactions *)user;
    (void)n; (void)m;
    J[0] = 0.04 + q->shift;
    J[1] = -1e4 * x[2];
    J[2] = q->wrong ? 1 : -1e4 * x[1];
    J[3] = -0.04;
    J[4] = 1e4 * x[2] + 6e7 * x[1] + q->shift;
    J[5] = 1e4 * x[1];
    J[6] = J[7] = 1;
    J[8] = q->wrong ? 2 : 1;
}
static void species(void)
{
    static const double points[3][2] = { { 7e-12, 8e-26 }, { 3e-11, 4e-24 }, { 1.1e-7, 3e-13 } };
    int i, right = 0, missed = 0;
    for (i = 0; i < 300; i++) {
        const double *const point = points[i % 3];
        reactions q;
        ad_check_result r;
        q.begin[1] = point[0] * (1 + 0.001 * i);
        q.begin[2] = point[1] * (1 + 0.002 * i);
        q.begin[0] = 1 - q.begin[1] - q.begin[2];
        q.shift = 0.15 / q.begin[1];
        q.rate[0] = -0.04 * q.begin[0] + 1e4 * q.begin[1] * q.begin[2];
        q.rate[1] = -q.rate[0] - 3e7 * q.begin[1] * q.begin[1];
        q.wrong = 0;
        right += (1u << ad_check_jacobian(reactions_f, reactions_J, q.begin, 3, 3, &q, NULL, &r)
                  & NOT_FAIL) != 0;
        q.wrong = 1;
        missed += (1u << ad_check_jacobian(reactions_f, reactions_J, q.begin, 3, 3, &q, NULL, &r)
                   & PASS) != 0;
    }
    test_check(right == 300, __FILE__, __LINE__, "%d of 300 right claims do not fail", right);
    test_check(missed == 0, __FILE__, __LINE__, "%d of 300 wrong claims passed", missed);
}

/* A row of an electric circuit just switched on, where one current is 1e-29 and all slopes count:
   what the others add is more than that current ever adds by so much, but it will grow. */
static double circuit_factor;
static void circuit_f(const double *x, size_t n, double *y, size_t m, void *user)
{
    (void)n; (void)m; (void)user;
    y[0] = 6.25e7 * (x[1] - 0.5 * x[2] + 0.5 * x[3] + x[4] - x[0] / 25e3);
}
static void circuit_J(const double *x, size_t n, double *J, size_t m, void *user)
{
    static const double slope[5] = { -2500, 6.25e7, -3.125e7, 3.125e7, 6.25e7 };
    (void)x; (void)n; (void)m; (void)user;
    memcpy(J, slope, sizeof slope);
    J[1] *= circuit_factor;
}
static void circuit(void)
{
    static const double x[5] = { 1.6e-17, -9.2e-29, -3.02e-17, -3.02e-17, 7.85e-15 };
    static const double factor[4] = { 1, 1.01, 0, -1 };
    int i;
    for (i = 0; i < 4; i++) {
        ad_check_result r;
        ad_verdict v;
        circuit_factor = factor[i];
        v = ad_check_jacobian(circuit_f, circuit_J, x, 5, 1, NULL, NULL, &r);
        test_check((1u << v & (i ? BIT(WRONG) : RIGHT)) != 0 && (!i || r.findings[0].j == 1),
            __FILE__, __LINE__, "the slope times %g: %s", factor[i], r.message);
    }
}

typedef struct sink {
    size_t length;
    int bad, newline;
    char last;
} sink;
static int sink_write(void *user, const char *text, size_t length)
{
    sink *s = (sink *)user;
    size_t i;
    for (i = 0; i < length; i++) {
        if (text[i] == 0 || (text[i] & 0x80)) s->bad = 1;
        s->last = text[i];
    }
    s->length += length;
    return 0;
}

/* A message: one line, not empty, and the verdict in it. "CORRECT within noise" will do. */
static int good_message(const ad_check_result *r)
{
    const char *name = ad_verdict_name(r->verdict);
    char word[64];
    size_t i;
    if (memchr(r->message, 0, sizeof r->message) == NULL || r->message[0] == 0) return 0;
    for (i = 0; r->message[i]; i++)
        if (r->message[i] < ' ' || r->message[i] > '~') return 0;
    strcpy(word, strncmp(name, "CORRECT", 7) == 0 ? "CORRECT" : name);
    return strstr(r->message, word) != NULL;
}

/* What holds of every result; and the verdict is one of `mask`. */
static int inspect(int line, const char *name, double x, unsigned mask, ad_verdict v,
                   const ad_check_result *r)
{
    static const ad_verdict worse[2] = { AD_VERDICT_INACCURATE, AD_VERDICT_G_NONFINITE };
    sink out;
    size_t i;
    int ok = 1;
#define MUST(c) do { if (!(c)) {                                                                   \
        test_check(0, __FILE__, line, "%s at %.9g: not %s; \"%s\"", name, x, #c, r->message);      \
        ok = 0; } } while (0)
    if ((1u << v & mask) == 0) {
        test_check(0, __FILE__, line, "%s at %.9g: %s; \"%s\"", name, x, ad_verdict_name(v),
                   r->message);
        ok = 0;
    }
    MUST(r->verdict == v);
    MUST(good_message(r));
    MUST(ad_check_ok(v) == ((1u << v & PASS) != 0));
    MUST(ad_check_undecided(v) == ((1u << v & (UNDECIDED | BIT(SKIPPED))) != 0));
    MUST(r->n_findings <= AD_CHECK_FINDINGS);
    MUST(r->resolution >= 0 && r->f_noise >= 0 && r->worst_rel >= 0);
    MUST(r->what != NULL);
    if (v >= worse[0] && v <= worse[1]) MUST(r->wrong > 0 && r->n_findings > 0);
    if (ad_check_ok(v)) MUST(r->wrong == 0 && r->inconclusive == 0);
    if (v == AD_VERDICT_INCONCLUSIVE) MUST(r->inconclusive > 0);
    if (r->checked) MUST(r->wrong + r->inconclusive <= r->checked && r->nonsmooth <= r->checked);
    for (i = 0; i < r->n_findings && i < AD_CHECK_FINDINGS; i++) {
        const ad_check_finding *f = &r->findings[i];
        MUST(memchr(f->name, 0, sizeof f->name) && memchr(f->cause, 0, sizeof f->cause));
        MUST(f->hint >= AD_HINT_NONE && f->hint <= AD_HINT_UNSYMMETRIC);
        MUST(f->bound >= 0 || f->bound != f->bound);
        MUST(f->verdict <= v);
        MUST(i == 0 || f->verdict <= f[-1].verdict);
    }
    if (v >= worse[0] && v <= worse[1]) MUST(r->findings[0].verdict == v);
    memset(&out, 0, sizeof out);
    MUST(ad_check_print(r, sink_write, &out) == AD_OK);
    MUST(out.length > 10 && out.last == '\n' && !out.bad);
#undef MUST
    return test_check(ok, __FILE__, line, "%s at %.9g", name, x);
}

#define RT          double
#define A(n)        ad_##n
#define U(n)        n##_d
#define M(n)        n
#define IS_FLOAT    0
#define UNIT        DBL_EPSILON
#define BITS        uint64_t
#include "test_verdicts.c"
#undef RT
#undef A
#undef U
#undef M
#undef IS_FLOAT
#undef UNIT
#undef BITS

#define RT          float
#define A(n)        adf_##n
#define U(n)        n##_f
#define M(n)        n##f
#define IS_FLOAT    1
#define UNIT        ((double)FLT_EPSILON)
#define BITS        uint32_t
#include "test_verdicts.c"

/* ---------------------------------------------------------------- small cases, by the letter */

/* Functions of one variable around x0 with what may be the matter with them at a distance of a, or
   in a size of s; and claims that are right, nearly right, of one side, of neither. */
enum { AT_CORNER, AT_EDGE, AT_ROOT, CORNER_AND_NOISE, AT_BEND, NOISE_BEYOND, AT_STEP, SMOOTH_CUBIC,
    CUBIC_AND_NOISE, IN_STEPS, BESIDE_LARGE, IN_BOX, LOTS, OF_EACH = 176 };
typedef struct lot { int kind; double l, r, c, a, s, x0, claim; } lot;
static uint32_t lot_draw(uint64_t *state, uint32_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 40) % below;
}
static double lot_noise(double x)
{
    uint64_t b;
    memcpy(&b, &x, sizeof b);
    b = (b ^ b >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
    b = (b ^ b >> 32) * UINT64_C(0x9E3779B97F4A7C15);
    return (double)(b >> 11) / 4503599627370496.0 - 1;
}
static double lot_f(const double *x, size_t n, void *user)
{
    const lot *const q = (const lot *)user;
    const double d = x[0] - q->x0, t = d - q->a, v = (t > 0 ? q->r * t : q->l * t) + q->c * d * d;
    const double smooth = q->l * d + q->r * d * d + q->c * d * d * d;
    (void)n;
    switch (q->kind) {
    case AT_EDGE: return t > 0 ? (double)NAN : v;
    case AT_ROOT: return sqrt(fabs(t)) + q->c * d;
    case CORNER_AND_NOISE: return v + q->s * lot_noise(x[0]);
    case AT_BEND: return (t > 0 ? t * sqrt(t) : 0) + q->c * d * d;
    case NOISE_BEYOND: return t > 0 ? v + q->s * lot_noise(x[0]) : v;
    case AT_STEP: return (t > 0 ? q->r : 0) + q->l * d + q->c * d * d;
    case SMOOTH_CUBIC: return smooth;
    case CUBIC_AND_NOISE: return smooth + q->s * lot_noise(x[0]);
    case IN_STEPS: return floor(smooth / q->s) * q->s;
    case BESIDE_LARGE: return smooth + x[1] / q->s;
    default: return v;
    }
}
static void lot_g(const double *x, size_t n, double *g, void *user)
{
    const lot *const q = (const lot *)user;
    (void)x;
    g[0] = q->claim;
    if (n > 1) g[1] = 1 / q->s;
}
/* 1 to 15/8 times 2^-(least ... least + most - 1) */
static double lot_power(uint64_t *state, int least, uint32_t most)
{
    const double m = 1 + (double)lot_draw(state, 8) / 8;
    return ldexp(m, -least - (int)lot_draw(state, most));
}
/* The next case of a kind. */
static lot next_lot(uint64_t *state, int kind)
{
    lot q;
    double off;
    uint32_t z;
    q.kind = kind;
    q.l = (double)lot_draw(state, 8) - 4;
    q.r = (double)lot_draw(state, 8) - 4;
    q.c = (double)lot_draw(state, 4);
    q.a = lot_power(state, 3, 48);
    z = lot_draw(state, 8);
    q.a = z < 3 ? q.a : z < 6 ? -q.a : 0;
    if (kind == AT_ROOT && q.a != 0) q.l = (q.a < 0 ? 0.5 : -0.5) / sqrt(fabs(q.a)) + q.c;
    if (kind == AT_BEND) q.l = q.a < 0 ? 1.5 * sqrt(-q.a) : 0;
    q.s = lot_power(state, 10, 40);
    z = lot_draw(state, 10);
    q.x0 = z < 3 ? 0 : z < 8 ? 0.5 + (double)lot_draw(state, 4)
                             : ldexp(1, (int)lot_draw(state, 60) - 30);
    off = lot_power(state, 3, 36);
    z = lot_draw(state, 20);
    q.claim = z < 5 ? q.l : z < 8 ? q.r : z < 11 ? (q.l + q.r) / 2 : z < 12 ? 0 : q.l * (1 + off);
    return q;
}
static ad_verdict lot_verdict(lot *q, ad_check_result *r)
{
    double x[2], lo[2];
    ad_check_options o;
    memset(&o, 0, sizeof o);
    x[0] = lo[0] = q->x0;
    x[1] = 1;
    if (q->kind == IN_BOX) o.lo = lo;
    return ad_check_gradient(lot_f, lot_g, x, q->kind == BESIDE_LARGE ? 2 : 1, q, &o, r);
}

/* The letters of all verdicts, case by case, and the evaluations of all together: whatever moves a
   verdict, moves one here. A ? is a case on the edge, which a little more of what is drawn, or
   another rounding, decides otherwise. */
static void lots(void)
{
    static const char letter[] = "-CNOKIBRFAkUDWG";
    static const struct { int evaluations; const char *letters; } all[LOTS] = {
        { 18808, "WACWWW?CWCICC?WCCCWkWKWkCWWWWCCWKCCKKKWkAWWWKCWkWKCCCKCKWKCACKWWKWCWKWCCCWCCCCWK"
          "WWWCWWWAWKCCCCCK?KCCCCKWCWCWWCCKCWWAKWWKCWKCCKAkKWWCWWWCKCCWWCWKWCW?CKKWKWCWWIWC"
          "WKkWCKKWCkWKWCKC" },
        { 9431, "FWFFFCCAFOOOWOFFFOFWFWFWWOFOCOFCFWWFWFFAOFWOFWFFWCCFWOFFWFOFWFFFOFFCFFWOOCWFWCOC"
          "OAFOWWFFAFAWWOWAAFOFFCOOFWOFWFOOWFFFWCWWFFFWAAFWWCFFFCFFAAWWOWCFAOFFFAFOFWWOFWWW"
          "CCKFOOCWWOFFFCOF" },
        { 22296, "UUCUIUUACWUUIIUWWWUUWWCCACWWCUWWUCUWWWCCWCCCUUCUAWCCACWIWWCACCCCCNCWWWCUWUWUUUCW"
          "WWWWWCCCCWWCUWWAA?CUUUCWWWUCUIWUWWWWCWCWCUIICWIUCWWUWW?WUWICUCUWUWCCAICCCWWUUUCC"
          "WCWCWUWCWUWCWAWC" },
        { 22502, "IKKWCCKKNKKkKWKKKWIWKKkKWWCKKKKKCNWKKKCCKKKNIWKKCKKWKWKWKKKWNkKWWKKCkKCKKWCKCKWC"
          "?WWWKKKAKKKWWKWWKWNKWWWKCKCWKINKIKKKKKKkNKWkKAIKKWKIWWKKWIWWKWNKKWWKKWNKKWIKCKWW"
          "KCKWKKWWKWKCKKWK" },
        { 21829, "WCCWCCWCWCCCCCCCCWCCWWACCCWWWCCWWWCCWCCCCIWWCNWWWWWWCWCCCKWCCCCCWWWCWWWCCCCCCCCC"
          "CCWCWCCCACWI?WCWCWCWACWWCCWWWCWWCCWWCNWWICCCCCCCCCCCCCCCCWCIWCCCCWWCCWCWCCCWCWCC"
          "CCWWCACCCWWCCCWC" },
        { 21372, "KCAWCKNWKKKKAkWKKWCWIWWKWWWKKWkKKKkWCKKKAKWkKWKKK?NKKKKKWKKKCKKWKWCWKKKWIKKCKCKC"
          "CKNKCCCkKkKCCCWkWIKKKCNWCWKKIWWKKKKACWkWKWWWKKKKKKWCCKKKIKCWWCKKAKCKWKWNKCKKWKWK"
          "KKNCKKWWkKKCNCAK" },
        { 20179, "CCDCCCCWWCI?INDDDAWCICIWWDDDDCDWDWDCIIIIICCCWIWIWWCDCICIICCIDNKDWDICWCCDIICIIIID"
          "WIWICCCDIIWCDWWKKCDCCDAIDCDKCCCCAWDCDWIWCDKDDWWDDKCWDIWCDCICIWCDWDDDIDDCCWDWICDC"
          "DCCIIDIWCDDADIDW" },
        { 11552, "CWCCACCCWWCCCWCWWCWWCCCCCWCWWWACCCCCCWWWCCCCCCCWCCCCWWCCCWCAWWCACWWWWCCCWCWWCWWC"
          "CCWCCCWCCACWCCCCCWCCCCWCCCACCCWCCCACCAACCCWACCWWCCWCCCCACCCAWCCWCCCWWCWCCWCCCCCW"
          "CWACCAWCCACCAAAW" },
        { 15900, "WIWCNCWWWCCNCNCCINCCWCCCNWNWWCWWWNNCCWCIWCCWNCCWAWWCCWWWICACWICWWAIIWWWWACCCNNCW"
          "CCWWWWWNNWCWWWICWCICCWWCNNCCWCWCWCWCWWIWCNWCWIIWCCWWCNWIANWCWCCCNCWWWIWWCCWWCNCC"
          "CWWIIWCCWACWANCW" },
        { 15463, "CCCWWNC??WWNINACC?CWWW?N?DCWD?WNA?NWC?CWCC??WCCWWNCNWWWCDCCWWWWWWWNWWDCCCWCWWCWC"
          "?WA??CA?WNWNCCCWCWWNWCCWWWCAWAWWWW??CCNACCWCWWWWCCW?CCNWW?WNNANCWCCAD??WWC?NCWCW"
          "WWCWCNNWWWWWAWWC" },
        { 20525, "WNCNNCWCCCANWCCNNAWNCCAWCCWCNCCCWCCCNCWCNCCWCCCCCCCWCWCNWWWWCWWCCWCWCWCCWCWCWCNN"
          "CWWANWNNWWNWCNAWW?CWCWNCCCNCCCWWC?CNCCWWWCNWWCWCWWCCCWCCNWWCCWWCCCWCWWCCWCCWAWWW"
          "CWWCNCCCCCCWCCCW" },
        { 9737, "OOIOWWWWWOWWOOWOWOWWWWWWWOWOOWWOWWOOWWOWOAOWOWOOOWWOWWAOWWAWOWWWWWWOIOOWWWOOOWWW"
          "WWOOOOWWWOOWWWWOOWWW?WOAWWWOWWAOOWWWWWOWAWOWWWWAWWOWWOOIIWOOWWWWWWWWOWWWIWOWOW?W"
          "WWOOIWWOWWWOWOOW" } };
    int kind, i, evaluations;
    for (kind = 0; kind < LOTS; kind++) {
        uint64_t state = (uint64_t)kind + 1;
        for (i = evaluations = 0; i < OF_EACH; i++) {
            lot q = next_lot(&state, kind);
            ad_check_result r;
            const ad_verdict v = lot_verdict(&q, &r);
            const char wanted = all[kind].letters[i];
            if (wanted == '?') continue;
            evaluations += (int)r.f_evals;
            test_check(v < AD_VERDICT_STALE_STATE && letter[v] == wanted, __FILE__, __LINE__,
                "lot %d, %d: not %c: %s", kind, i, wanted, r.message);
            test_check(v != AD_VERDICT_CORRECT_NOISE_LIMITED || r.resolution >= r.worst_rel,
                __FILE__, __LINE__, "lot %d, %d: more passed: %s", kind, i, r.message);
        }
        CHECK_NEAR(evaluations, all[kind].evaluations, 0.01);
    }
}

/* sin(w x), whose w x has the same rounding error on most steps of the ladder, and on those by
   which noise is measured. */
static double fast_w;
static double fast_sine(double x, void *user) { (void)user; return sin(fast_w * x); }
static double fast_value(const double *x, size_t n, void *user)
{
    (void)n;
    return fast_sine(x[0], user);
}
static void fast_slope(const double *x, size_t n, double *g, void *user)
{
    (void)n; (void)user;
    g[0] = 1.000576 * fast_w * cos(fast_w * x[0]);
}
/* A small slope beside a large constant. */
static double beside_constant(const double *x, size_t n, void *user)
{
    (void)n; (void)user;
    return 1.625 * cos(0.25 * x[0]) - 29706508445.112053;
}
static void its_slope(const double *x, size_t n, double *g, void *user)
{
    (void)n;
    g[0] = -0.40625 * sin(0.25 * x[0]) * (1 + *(const double *)user);
}
/* What passes is not said to have been seen. */
static void passed_unseen(void)
{
    static const double off[] = { 0, 1e-3, 0.0083, -0.0083 };
    const double x = -0.2607690350294804;
    double error;
    int i;
    for (i = 0; i < 4; i++) {
        ad_check_result r;
        error = off[i];
        ad_check_gradient(beside_constant, its_slope, &x, 1, &error, NULL, &r);
        test_check(r.resolution > 0.9 * fabs(error), __FILE__, __LINE__, "off by %g: %s", error,
            r.message);
    }
}
/* Odd around x, and so fast that float's usual step sees another slope. */
static float turns(const float *x, size_t n, void *user)
{
    (void)n; (void)user;
    return sinf(6.2831855f * x[0]);
}
static void its_share(const float *x, size_t n, float *g, void *user)
{
    (void)n;
    g[0] = *(const float *)user * 6.2831855f * cosf(6.2831855f * x[0]);
}
static void claims_of_long_steps(void)
{
    int twice, percent, passed = 0, failed = 0;
    for (twice = 1; twice <= 200; twice += test_stride())
        for (percent = 500; percent <= 1500; percent += 5) {
            const float x = (float)twice / 2;
            float share = (float)percent / 1000;
            const ad_verdict v = adf_check_gradient(turns, its_share, &x, 1, &share, NULL, NULL);
            passed += percent != 1000 && ad_check_ok(v);
            failed += percent == 1000 && !ad_check_ok(v);
        }
    test_check(passed == 0 && failed == 0, __FILE__, __LINE__,
        "%d of 40000 wrong claims pass, %d of 200 right ones fail", passed, failed);
}
static void rounded_alike(void)
{
    static const double w[] = { 1e6, 281838.29312644532, 6309573.4448019324 };
    uint64_t state = 11;
    int k, i;
    for (k = 0; k < 3; k++) {
        int told = 0, passed = 0;
        fast_w = w[k];
        for (i = 0; i < 400; i++) {
            const double high = (double)lot_draw(&state, 1 << 24);
            const double x = 0.5 + ldexp(high + ldexp((double)lot_draw(&state, 1 << 24), -24), -23);
            double bound;
            const double d = ad_derivative(fast_sine, x, NULL, NULL, &bound);
            told += !(fabs(d - fast_w * cos(fast_w * x)) <= bound + 1e-9 * fast_w);
            passed += ad_check_ok(ad_check_gradient(fast_value, fast_slope, &x, 1, NULL, NULL,
                NULL));
        }
        test_check(told <= 2 && passed <= 2, __FILE__, __LINE__,
            "sin(%g x): %d of 400 slopes told wrong, %d wrong claims pass", fast_w, told, passed);
    }
}

TEST_DEF void suite_verdicts(void)
{
    lots();
    rounded_alike();
    passed_unseen();
    claims_of_long_steps();
    verdicts_d();
    verdicts_f();
}

#else   /* ================================================================ one precision */

#define K(c) ((RT)(c))
#define EITHER(in_double, in_float) (IS_FLOAT ? (in_float) : (in_double))

/* The user's data of every function below: calls are counted, steps out of the box too. */
typedef struct U(probe) {
    size_t f_calls, g_calls, strays;
    const double *lo, *hi;
    RT (*h)(RT);               /* of one variable */
    double claim;
    double a, b;               /* parameters */
    int mode, spoil;
    size_t i, j;
    uint64_t random;
    RT seen[8];                /* state of functions that keep some */
    RT value;
    const RT *pointer;
    int has_seen;
    int once;                  /* too large to be run again for comparison */
} U(probe);

typedef RT (*U(fun))(const RT *x, size_t n, void *user);
typedef void (*U(grad))(const RT *x, size_t n, RT *g, void *user);

static void U(watch)(U(probe) *p, const RT *x, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++) {
        if (p->lo && !((double)x[i] >= p->lo[i])) p->strays++;
        if (p->hi && !((double)x[i] <= p->hi[i])) p->strays++;
    }
}

static unsigned U(earned);     /* verdicts that were the only one accepted, and came */

/* Runs the check, and again with options.work and other rubbish in the result: x stays as it is,
   calls are counted rightly, and the bytes are the same. */
static ad_check_result U(run)(int line, const char *name, unsigned mask, U(fun) f, U(grad) g,
                              const RT *x, size_t n, U(probe) *p, const ad_check_options *opt)
{
    const U(probe) before = *p;
    ad_check_options o = opt ? *opt : default_options();
    const size_t bytes = ad_check_work_bytes(n, 1);
    const size_t limit = o.max_evals ? o.max_evals : n <= 64 ? 200 * n : 20000;
    RT *copy = (RT *)malloc((n + 1) * sizeof *copy);
    ad_check_result r, again;
    ad_verdict v;
    memcpy(copy, x, n * sizeof *copy);
    memset(&r, 0x55, sizeof r);
    v = A(check_gradient)(f, g, x, n, p, opt, &r);
    inspect(line, name, n ? (double)x[0] : 0, mask, v, &r);
    if (((mask & (mask - 1)) == 0 && mask == 1u << v)) U(earned) |= mask;
    test_check(r.f_evals == p->f_calls, __FILE__, line, "%s: f called %lu times, not %lu", name,
               (unsigned long)p->f_calls, (unsigned long)r.f_evals);
    test_check(r.g_evals == p->g_calls, __FILE__, line, "%s: g called %lu times, not %lu", name,
               (unsigned long)p->g_calls, (unsigned long)r.g_evals);
    test_check(p->f_calls <= limit, __FILE__, line, "%s: %lu calls of f", name,
               (unsigned long)p->f_calls);
    test_check(p->strays == 0, __FILE__, line, "%s: %lu steps out of the box", name,
               (unsigned long)p->strays);
    test_check(r.n == n && r.seed == (o.seed ? o.seed : 1), __FILE__, line, "%s: n, seed", name);
    test_check(memcmp(copy, x, n * sizeof *copy) == 0, __FILE__, line, "%s: x is changed", name);
    if (!p->once) {
        unsigned char *work = (unsigned char *)malloc(bytes + 64);
        size_t i;
        memset(work, 0xA5, bytes + 64);
        o.work = work;
        o.work_bytes = bytes;
        *p = before;
        memset(&again, 0xAA, sizeof again);
        v = A(check_gradient)(f, g, x, n, p, &o, &again);
        test_check(memcmp(&r, &again, sizeof r) == 0, __FILE__, line,
                   "%s at %.9g: another result with work: \"%s\", then \"%s\"", name,
                   n ? (double)x[0] : 0, r.message, again.message);
        for (i = 0; i < 64 && work[bytes + i] == 0xA5;) i++;
        test_check(i == 64, __FILE__, line, "%s: wrote beside options.work", name);
        free(work);
    }
    free(copy);
    return r;
}

/* ---------------------------------------------------------------- functions of one variable */

static RT U(f1)(const RT *x, size_t n, void *user)
{
    U(probe) *p = (U(probe) *)user;
    p->f_calls++;
    U(watch)(p, x, n);
    return p->h(x[0]);
}
static void U(g1)(const RT *x, size_t n, RT *g, void *user)
{
    U(probe) *p = (U(probe) *)user;
    p->g_calls++;
    U(watch)(p, x, n);
    g[0] = (RT)p->claim;
}

static ad_check_result U(one)(int line, const char *name, RT (*h)(RT), double at, double claim,
                              unsigned mask, const ad_check_options *opt)
{
    char title[100];
    U(probe) p;
    RT x = (RT)at;
    memset(&p, 0, sizeof p);
    p.h = h;
    p.claim = claim;
    if (opt) p.lo = opt->lo;
    if (opt) p.hi = opt->hi;
    sprintf(title, "%s%.40s, claim %.9g", IS_FLOAT ? "float " : "", name, claim);
    return U(run)(line, title, mask, U(f1), U(g1), &x, 1, &p, opt);
}
#define ONE(h, x, claim, mask)       U(one)(__LINE__, #h, U(h), x, claim, mask, NULL)
#define ONE_OPT(h, x, claim, mask, opt) U(one)(__LINE__, #h, U(h), x, claim, mask, opt)

#define H(name, e) static RT U(name)(RT x) { return e; }

/* Smooth ones with their derivatives, told in double. */
H(sine, M(sin)(x))
H(cosine, M(cos)(x))
H(exponential, M(exp)(x))
H(logarithm, M(log)(x))
H(root, M(sqrt)(x))
H(cubic, x * x * x - 2 * x)
H(bell, 1 / (1 + x * x))
H(hyperbolic, M(tanh)(x))
H(arc, M(atan)(x))
H(gamma_like, x * M(exp)(-x))
H(softplus, M(log1p)(M(exp)(x)))
H(wave, x * M(sin)(3 * x))
static double U(slope)(int k, double t)
{
    switch (k) {
    case 0: return cos(t);
    case 1: return -sin(t);
    case 2: return exp(t);
    case 3: return 1 / t;
    case 4: return 0.5 / sqrt(t);
    case 5: return 3 * t * t - 2;
    case 6: return -2 * t / ((1 + t * t) * (1 + t * t));
    case 7: return 1 / (cosh(t) * cosh(t));
    case 8: return 1 / (1 + t * t);
    case 9: return (1 - t) * exp(-t);
    case 10: return 1 / (1 + exp(-t));
    default: return sin(3 * t) + 3 * t * cos(3 * t);
    }
}
#define SMOOTH 12
static RT (*const U(smooth)[SMOOTH])(RT) = { U(sine), U(cosine), U(exponential), U(logarithm),
    U(root), U(cubic), U(bell), U(hyperbolic), U(arc), U(gamma_like), U(softplus), U(wave) };

static void U(ordinary)(void)
{
    static const double at[] = { 0.3, 0.7, 1.3, 2.1 };
    const unsigned small = EITHER(BIT(INACCURATE), RIGHT);
    ad_check_options o = default_options();
    size_t i;
    int k;
    for (k = 0; k < SMOOTH; k++)
        for (i = 0; i < sizeof at / sizeof at[0]; i++) {
            const double d = U(slope)(k, (double)(RT)at[i]);
            char name[20];
            if (fabs(d) < 0.05) continue;
            sprintf(name, "smooth %d", k);
#define CLAIM(c, mask) U(one)(__LINE__, name, U(smooth)[k], at[i], c, mask, NULL)
            CLAIM(d, EITHER(BIT(CORRECT), RIGHT));
            CLAIM(d * (1 + 1e-10), EITHER(BIT(CORRECT), RIGHT));
            CLAIM(d * (1 - 5e-7), EITHER(BIT(CORRECT), RIGHT));
            CLAIM(d * (1 + 4e-6), small);
            CLAIM(d * (1 - 1e-4), small);
            CLAIM(d * (1 + 9e-4), EITHER(BIT(INACCURATE), RIGHT | BIT(WRONG)));
            CLAIM(d * (1 + 1e-3), EITHER(BIT(INACCURATE) | BIT(WRONG), RIGHT | BIT(WRONG)));
            CLAIM(d * (1 - 1.2e-3), EITHER(BIT(WRONG), RIGHT | BIT(WRONG)));
            CLAIM(d * (1 + 1e-2), BIT(WRONG));
            CLAIM(-d, BIT(WRONG));
            CLAIM(2 * d, BIT(WRONG));
            CLAIM(d / 2, BIT(WRONG));
            CLAIM(0.0, BIT(WRONG));
            CLAIM(d + 1, BIT(WRONG));
            CLAIM((double)(RT)1e30, BIT(WRONG));
            CLAIM(EITHER(DBL_MAX, (double)FLT_MAX), BIT(WRONG));
            CLAIM(EITHER(-DBL_MAX, -(double)FLT_MAX), BIT(WRONG));
            CLAIM(HUGE_VAL, BIT(G_NONFINITE));
            CLAIM(-HUGE_VAL, BIT(G_NONFINITE));
            CLAIM((double)NAN, BIT(G_NONFINITE));
#undef CLAIM
        }
    /* the options move the limits */
    o.rtol = 1e-2;
    o.wrong_rtol = 0.2;
    ONE_OPT(sine, 0.3, 1.005 * cos(0.3), RIGHT, &o);
    ONE_OPT(sine, 0.3, 1.05 * cos(0.3), BIT(INACCURATE), &o);
    ONE_OPT(sine, 0.3, 1.5 * cos(0.3), BIT(WRONG), &o);
    o = default_options();
    o.atol = 0.5;
    ONE_OPT(sine, 0.3, 0.3 + cos(0.3), RIGHT, &o);
    ONE_OPT(sine, 0.3, 0.7 + cos(0.3), BIT(WRONG), &o);
}

/* ---- scales */
#define BIG   EITHER(1e150, 1e18)
#define TINY  EITHER(1e-150, 1e-18)
H(big_sine, K(BIG) * M(sin)(x))
H(tiny_sine, K(TINY) * M(sin)(x))
H(sine_of_big, M(sin)(x * K(TINY)))
H(sine_of_tiny, M(sin)(x * K(BIG)))
H(square, x * x)
H(tiny_square, K(TINY) * K(TINY) * x * x)
H(minute, EITHER(K(1e-320), K(1e-43)) * x)
H(polynomial, x * x + x)
H(shifted_sine, 3 + M(sin)(x))
H(inverse, 1 / x)
static void U(scales)(void)
{
    const double tiniest = EITHER(1e-310, 1e-41);
    const unsigned right = EITHER(BIT(CORRECT), RIGHT);
    uint64_t s = 7;
    int i;
#define SCALE(h, x, d, mask) do {                                                                  \
        ONE(h, x, d, mask);                                                                        \
        ONE(h, x, -(d), BIT(WRONG));                                                               \
        ONE(h, x, 2 * (d), BIT(WRONG));                                                            \
        ONE(h, x, 1.01 * (d), BIT(WRONG));                                                         \
        ONE(h, x, 0, BIT(WRONG));                                                                  \
    } while (0)
    SCALE(big_sine, 0.7, BIG * cos((double)K(0.7)), right);
    SCALE(tiny_sine, 0.7, TINY * cos((double)K(0.7)), right);
    SCALE(sine_of_big, 0.7 * BIG, TINY * cos(0.7), right);
    SCALE(sine_of_tiny, 0.7 * TINY, BIG * cos(0.7), right);
    SCALE(square, BIG, 2 * BIG, right);
    SCALE(square, TINY, 2 * TINY, right);
    SCALE(tiny_square, 0.7, 1.4 * TINY * TINY, right);
    SCALE(inverse, TINY, -1 / TINY / TINY, right);
    SCALE(inverse, BIG, -1 / BIG / BIG, right);
    SCALE(exponential, EITHER(700.0, 85.0), exp(EITHER(700.0, 85.0)), right);
    SCALE(exponential, EITHER(-700.0, -85.0), exp(EITHER(-700.0, -85.0)), right);
    SCALE(logarithm, EITHER(1e-300, 1e-36), 1 / (double)K(EITHER(1e-300, 1e-36)), right);
    SCALE(logarithm, EITHER(1e300, 1e36), 1 / (double)K(EITHER(1e300, 1e36)), right);
    SCALE(root, EITHER(1e-300, 1e-36), 0.5 / sqrt((double)K(EITHER(1e-300, 1e-36))), right);
#undef SCALE
    /* where f itself is denormal, or x is: quanta everywhere */
    ONE(minute, 0.7, (double)EITHER(K(1e-320), K(1e-43)), NOT_FAIL);
    ONE(polynomial, tiniest, 1, NOT_FAIL);
    ONE(polynomial, tiniest, 2, NOT_PASS);
    /* |x| says nothing about the scale of f: no step that moves f may be found, but none lies */
    for (i = 1; i < 34; i++) {
        const double x = EITHER(pow(10, -9.0 * i), pow(10, -1.0 * i));
        ONE(shifted_sine, x, cos(x), NOT_FAIL);
        ONE(shifted_sine, x, 5, NOT_PASS);
        ONE(shifted_sine, x, -cos(x), NOT_PASS);
    }
    /* and the other way: all steps are longer than the wave */
    for (i = 0; i < 150; i++) {
        const double x = (double)(RT)pow(10, EITHER(between(&s, 6, 12), between(&s, 1, 6)));
        ONE(sine, x, cos(x), NOT_FAIL);
        if (fabs(cos(x)) > 0.1) ONE(sine, x, -cos(x), NOT_PASS);
    }
}

/* ---- A h(B x + C): half the claims wrong; see the rates below */
typedef struct U(affine) {
    U(probe) p;
    RT a, b, c;
} U(affine);
static RT U(f_affine)(const RT *x, size_t n, void *user)
{
    U(affine) *q = (U(affine) *)user;
    q->p.f_calls++;
    (void)n;
    return q->a * q->p.h(q->b * x[0] + q->c);
}
static void U(random_suite)(void)
{
    const int count = 3000;
    int alarms = 0, missed = 0, undecided = 0, dishonest = 0, i;
    uint64_t s = 20;
    for (i = 0; i < count; i++) {
        const int k = (int)(next_random(&s) % SMOOTH);
        const double t = between(&s, 0.2, 2), c0 = i % 3 ? 0 : between(&s, -3, 3);
        const double lb = EITHER(between(&s, -30, 30), between(&s, -5, 5));
        const double la = EITHER(between(&s, -60, 60), between(&s, -8, 8));
        static const double wrong[] = { -1, 2, 0.5, 0, 1.05, 0.95, 1.2, 10, 0.1, -2, 1.01, 1.0001 };
        const double factor = i % 2 ? wrong[next_random(&s) % 12] : 1;
        U(affine) q;
        ad_check_result r;
        ad_verdict v;
        RT x;
        double d, error;
        memset(&q, 0, sizeof q);
        q.p.h = U(smooth)[k];
        q.a = (RT)pow(10, la);
        q.b = (RT)pow(10, lb);
        q.c = (RT)c0;
        x = (RT)((t - c0) / pow(10, lb));
        d = U(slope)(k, (double)q.b * (double)x + (double)q.c) * (double)q.a * (double)q.b;
        if (fabs(U(slope)(k, t)) < 0.02) continue;
        q.p.claim = d * factor;
        v = A(check_gradient)(U(f_affine), U(g1), &x, 1, &q, NULL, &r);
        error = fabs(factor - 1);
        if (ad_check_undecided(v)) undecided++;
        else if (factor == 1 && !ad_check_ok(v)) alarms++;
        else if (error >= 0.05 && ad_check_ok(v)) missed++;
        else if (error > 0 && ad_check_ok(v) && error > 3 * r.resolution) dishonest++;
        if ((factor == 1 && !ad_check_ok(v) && !ad_check_undecided(v))
            || (error >= 0.05 && ad_check_ok(v)))
            fprintf(stderr, "%s%s: A = %g, B = %g, C = %g, h = %d, factor %g: %s\n",
                IS_FLOAT ? "float " : "", "random suite", (double)q.a, (double)q.b, (double)q.c,
                k, factor, r.message);
    }
    CHECK(alarms == 0);
    CHECK(missed == 0);
    CHECK(dishonest == 0);
    test_check(undecided < count / EITHER(100, 10), __FILE__, __LINE__, "%d undecided", undecided);
}

/* Points where a constraint holds, f = 0 by cancelling, with entries that are nothing beside the
   others: cos(pi/2), the tails of exp(-x^2) and of the logistic function, x = 0. The right gradient
   passes, and one entry of it with the wrong sign does not, but where that is nothing. */
typedef struct U(constraint) { int kind, wrong; double level; } U(constraint);
static double U(constrained)(int kind, const RT *x, double *g)
{
    const double a = (double)x[0], b = (double)x[1], c = (double)x[2];
    const double bell = exp(-a * a), rest = 1 / (1 + exp(b));
    g[0] = kind == 0 ? 1 : kind == 1 ? 2 * a : kind == 2 ? cos(b) : kind == 3 ? -2 * a * bell
        : kind == 4 ? rest : 2 * a / (a * a + 1);
    g[1] = kind == 1 ? 2 * b : kind == 2 ? -a * sin(b) : kind == 4 ? -a * exp(b) * rest * rest
        : kind == 5 ? c : 1;
    g[2] = kind == 3 ? 0 : kind == 5 ? b : 1;
    return kind == 0 ? a + b + c : kind == 1 ? a * a + b * b + c : kind == 2 ? a * cos(b) + c
        : kind == 3 ? bell + b : kind == 4 ? a * rest + c : log(a * a + 1) + b * c;
}
static RT U(f_constrained)(const RT *x, size_t n, void *user)
{
    const U(constraint) *q = (const U(constraint) *)user;
    double g[3];
    (void)n;
    return (RT)U(constrained)(q->kind, x, g) - (RT)q->level;
}
static void U(g_constrained)(const RT *x, size_t n, RT *g, void *user)
{
    const U(constraint) *q = (const U(constraint) *)user;
    double all[3];
    size_t i;
    U(constrained)(q->kind, x, all);
    for (i = 0; i < n; i++) g[i] = (RT)((int)i == q->wrong ? -all[i] : all[i]);
}
static void U(feasible)(void)
{
    int i, k, undecided = 0, alarms = 0, missed = 0, unfound = 0;
    uint64_t s = 12;
    for (i = 0; i < 900; i++) {
        U(constraint) q;
        ad_check_result r;
        RT x[3];
        double g[3], most = 0;
        q.kind = i % 6;
        for (k = 0; k < 3; k++) {
            const int how = (int)(next_random(&s) % 5);
            const double any = between(&s, -2, 2);
            x[k] = (RT)(how == 0 ? floor(10 * any) / 10 : how == 1 ? floor(any)
                : how == 2 && q.kind >= 2 && q.kind <= 4 ? 20 * any : any);
            if (q.kind == 2 && k == 1 && how > 2) x[k] = (RT)(floor(2 * any) * 1.5707963267948966);
        }
        q.level = U(constrained)(q.kind, x, g);
        q.wrong = -1;
        A(check_gradient)(U(f_constrained), U(g_constrained), x, 3, &q, NULL, &r);
        undecided += !ad_check_ok(r.verdict) && r.wrong == 0;
        alarms += r.wrong != 0;
        for (k = 0; k < 3; k++)
            most = fmax(most, fabs(g[k]) * fmax(fabs((double)x[k]), 1e-3));
        q.wrong = (int)(next_random(&s) % 3);
        if (!(fabs(g[q.wrong]) * fmax(fabs((double)x[q.wrong]), 1e-3) > EITHER(1e-4, 1e-2) * most))
            continue;
        A(check_gradient)(U(f_constrained), U(g_constrained), x, 3, &q, NULL, &r);
        missed += ad_check_ok(r.verdict);
        unfound += !ad_check_ok(r.verdict) && r.wrong == 0;
    }
    CHECK(alarms == 0 && missed == 0 && unfound == 0);
    test_check(undecided <= EITHER(0, 2), __FILE__, __LINE__, "%d of 900 undecided", undecided);
}

/* ---- kinks */
H(absolute, M(fabs)(x))
H(relu, x > 0 ? x : 0)
H(leaky, x > 0 ? x : K(0.125) * x)
H(maximum, x > x * x ? x : x * x)
H(absolute_big, K(BIG) * M(fabs)(x))
H(absolute_tiny, K(TINY) * M(fabs)(x))
H(absolute_one, M(fabs)(x - 1))
H(absolute_sine, M(fabs)(M(sin)(x)))
H(steep_kink, 1000 * x + 10 * M(fabs)(x))
H(smooth_kink, M(exp)(x) + M(fabs)(x))
H(kink_3, M(fabs)(x - K(1e-3)))
H(kink_6, M(fabs)(x - K(1e-6)))
H(kink_9, M(fabs)(x - K(1e-9)))
H(kink_12, M(fabs)(x - K(1e-12)))
H(kink_m3, M(exp)(x) + M(fabs)(x + K(1e-3)))
H(kink_m6, M(exp)(x) + M(fabs)(x + K(1e-6)))
H(relu_7, x > K(1e-7) ? x - K(1e-7) : 0)
H(signed_square, x * M(fabs)(x))
H(half_square, x > 0 ? x * x : 0)
H(power_15, M(fabs)(x) * M(sqrt)(M(fabs)(x)))
H(power_12, M(pow)(M(fabs)(x), K(1.2)))
H(huber, M(fabs)(x) < 1 ? x * x / 2 : M(fabs)(x) - K(0.5))
H(round_3, M(sqrt)(x * x + K(1e-6)))
H(round_6, M(sqrt)(x * x + K(1e-12)))
H(round_9, M(sqrt)(x * x + K(1e-18)))
H(round_12, M(sqrt)(x * x + K(1e-24)))
static void U(kinks)(void)
{
    const unsigned valid = KINK, invalid = BIT(NONSMOOTH_INVALID);
    /* closer than the last step: within [left, right] anything but a plain CORRECT is fair */
    const unsigned close = FAIL | KINK | MAYBE;
    ad_check_options strict = default_options();
    ad_check_result r;
    strict.strict = 1;
    ONE(absolute, 0, 0, valid);
    ONE(absolute, 0, -1, valid);
    ONE(absolute, 0, 1, valid);
    ONE(absolute, 0, 0.5, valid);
    r = ONE(absolute, 0, 1.5, invalid);
    CHECK_NEAR(r.findings[0].left, -1, EITHER(1e-6, 1e-3));
    CHECK_NEAR(r.findings[0].right, 1, EITHER(1e-6, 1e-3));
    ONE(absolute, 0, -1.01, invalid);
    ONE(absolute, -0.0, 0, valid);
    ONE_OPT(absolute, 0, 0, invalid, &strict);
    ONE_OPT(absolute, 0, 1, invalid, &strict);
    ONE_OPT(absolute, 0, 2, invalid, &strict);
    ONE_OPT(sine, 0.3, cos((double)K(0.3)), RIGHT, &strict);
    ONE_OPT(signed_square, 0, 0, RIGHT, &strict);
    ONE(absolute, 0.5, 1, RIGHT);
    ONE(absolute, -0.5, -1, RIGHT);
    ONE(absolute, 0.5, -1, BIT(WRONG));
    ONE(relu, 0, 0, valid);
    ONE(relu, 0, 1, valid);
    ONE(relu, 0, 0.5, valid);
    ONE(relu, 0, -0.1, invalid);
    ONE(relu, 0, 1.1, invalid);
    ONE(relu, -0.3, 0, RIGHT);
    ONE(relu, -0.3, 1, BIT(WRONG));
    ONE(relu, 0.3, 1, RIGHT);
    ONE(relu, 0.3, 0, BIT(WRONG));
    ONE(leaky, 0, 0.125, valid);
    ONE(leaky, 0, 1, valid);
    ONE(leaky, 0, 0, invalid);
    ONE(maximum, 0, 0, valid);
    ONE(maximum, 0, 1, valid);
    ONE(maximum, 0, -1, invalid);
    ONE(maximum, 1, 1, valid);
    ONE(maximum, 1, 2, valid);
    ONE(maximum, 1, 1.5, valid);
    ONE(maximum, 1, 0.9, invalid);
    ONE(maximum, 1, 2.1, invalid);
    ONE(absolute_big, 0, 0, valid);
    ONE(absolute_big, 0, BIG, valid);
    ONE(absolute_big, 0, 2 * BIG, invalid);
    ONE(absolute_tiny, 0, 0, valid);
    ONE(absolute_tiny, 0, -TINY, valid);
    ONE(absolute_tiny, 0, 2 * TINY, invalid);
    ONE(absolute_one, 1, 0, valid);
    ONE(absolute_one, 1, 2, invalid);
    ONE(absolute_sine, 0, 0, valid);
    ONE(absolute_sine, 0, -1.5, invalid);
    ONE(steep_kink, 0, 1000, KINK | RIGHT);
    ONE(steep_kink, 0, 991, KINK);
    ONE(steep_kink, 0, 1030, FAIL);
    ONE(steep_kink, 0, 980, FAIL);
    ONE(smooth_kink, 0, 0, valid);
    ONE(smooth_kink, 0, 2, valid);
    ONE(smooth_kink, 0, 2.5, invalid);
    ONE(smooth_kink, 0.5, exp(0.5) + 1, RIGHT);
    ONE(smooth_kink, 0.5, exp(0.5) - 1, BIT(WRONG));
    /* near: f has a derivative at x, and the claim is it or is not */
    ONE(kink_3, 0, -1, RIGHT | MAYBE);
    ONE(kink_6, 0, -1, NOT_FAIL);
    ONE(kink_9, 0, -1, NOT_FAIL);
    ONE(kink_12, 0, -1, NOT_FAIL);
    ONE(kink_3, 0, 1, FAIL);
    ONE(kink_6, 0, 1, FAIL);
    ONE(kink_9, 0, 1, close);
    ONE(kink_12, 0, 1, close);
    ONE(kink_3, 0, 0, FAIL);
    ONE(kink_6, 0, 0, FAIL);
    ONE(kink_9, 0, 0, close);
    ONE(kink_3, 0, 2, FAIL);
    ONE(kink_6, 0, 2, FAIL);
    ONE(kink_9, 0, 2, FAIL);
    ONE(kink_12, 0, 2, EITHER(FAIL, NOT_PASS));
    ONE(kink_m3, 0, 2, RIGHT | MAYBE);
    if (!IS_FLOAT) ONE(kink_m6, 0, 2, NOT_FAIL);
    ONE(kink_m3, 0, 1, FAIL);
    ONE(kink_m3, 0, 0, FAIL);
    ONE(kink_m6, 0, 0, EITHER(FAIL, FAIL | KINK | MAYBE));
    ONE(relu_7, 0, 0, RIGHT | KINK);
    ONE(relu_7, 0, 1, EITHER(FAIL, NOT_PASS));
    ONE(relu_7, 0, -1, EITHER(FAIL, NOT_PASS));
    /* no kink, though it looks like one from afar, or f has no second derivative */
    ONE(signed_square, 0, 0, RIGHT);
    ONE(signed_square, 0, 0.1, FAIL);
    ONE(half_square, 0, 0, RIGHT);
    ONE(half_square, 0, 0.1, FAIL);
    ONE(power_15, 0, 0, NOT_FAIL);
    ONE(power_15, 0, 0.1, NOT_PASS);
    ONE(power_12, 0, 0, NOT_FAIL);
    ONE(power_12, 0, 0.5, NOT_PASS);
    ONE(huber, 1, 1, RIGHT);
    ONE(huber, 1, 0, BIT(WRONG));
    ONE(huber, 0.999, (double)K(0.999), NOT_FAIL);
    ONE(round_3, 0, 0, RIGHT | MAYBE);
    ONE(round_6, 0, 0, NOT_FAIL);
    ONE(round_9, 0, 0, NOT_FAIL);
    ONE(round_12, 0, 0, NOT_FAIL);
    ONE(round_3, 0, 0.5, FAIL);
    ONE(round_6, 0, 0.5, FAIL);
    ONE(round_9, 0, 2, FAIL);
    ONE(round_12, 0, 2, FAIL);
}

/* ---- jumps */
H(floor_, M(floor)(x))
H(sign_, x > 0 ? 1 : x < 0 ? -1 : 0)
H(small_step, x > 0 ? x + K(1e-6) : x)
H(step_at_half, x > K(0.5) ? x + 1 : x)
H(hole, x == 0 ? 5 : x)
H(step_3, x > K(0.501) ? x + 1 : x)
H(step_6, x > K(0.500001) ? x + 1 : x)
H(step_9, x > K(0.500000001) ? x + 1 : x)
H(step_m3, x < K(-1e-3) ? 2 * x - 1 : 2 * x)
H(step_m6, x < K(-1e-6) ? 2 * x - 1 : 2 * x)
H(step_big, K(BIG) * M(floor)(x))
H(step_tiny, K(TINY) * M(floor)(x))
static void U(jumps)(void)
{
    const unsigned jump = BIT(DISCONTINUOUS);
    ad_check_result r;
    r = ONE(floor_, 1, 0, jump);
    CHECK_NEAR(fabs(r.findings[0].h), 1, 1e-6);
    ONE(floor_, 0, 0, jump);
    ONE(floor_, 0, 1, FAIL);
    ONE(floor_, -2, 0, jump);
    ONE(floor_, 0.5, 0, RIGHT);
    ONE(floor_, 0.5, 1, BIT(WRONG));
    ONE(sign_, 0, 0, jump);
    ONE(sign_, 0.1, 0, RIGHT);
    ONE(step_big, 1, 0, jump);
    ONE(step_tiny, 1, 0, jump);
    r = ONE(small_step, 0, 1, EITHER(jump, NOT_FAIL | jump));      /* under a float's rtol */
    CHECK(IS_FLOAT || test_near(fabs(r.findings[0].h) * 1e6, 1, 1e-3));
    ONE(small_step, 0, 5, FAIL);
    ONE(small_step, 1e-3, 1, EITHER(RIGHT, NOT_FAIL));
    ONE(small_step, 1, 1, EITHER(RIGHT, NOT_FAIL));
    ONE(step_at_half, 0.5, 1, jump);
    ONE(hole, 0, 1, jump);
    ONE(hole, 1, 1, RIGHT);
    ONE(step_3, 0.5, 1, RIGHT | MAYBE);
    ONE(step_3, 0.5, 2, NOT_PASS);
    ONE(step_6, 0.5, 1, EITHER(RIGHT | MAYBE, NOT_FAIL | jump | BIT(UNBOUNDED)));
    ONE(step_6, 0.5, 2, NOT_PASS);
    ONE(step_9, 0.5, 1, EITHER(NOT_FAIL, NOT_FAIL | jump | BIT(UNBOUNDED)));
    ONE(step_9, 0.5, 2, NOT_PASS);
    ONE(step_m3, 0, 2, RIGHT | MAYBE);
    ONE(step_m6, 0, 2, RIGHT | MAYBE);
    ONE(step_m3, 0, 1, FAIL);
}

/* ---- vertical tangents */
H(cube_root, M(cbrt)(x))
H(x_log_x, x == 0 ? 0 : x * M(log)(x))
H(x_log_abs, x == 0 ? 0 : x * M(log)(M(fabs)(x)))
H(cusp, M(sqrt)(M(fabs)(x)))
H(arc_cosine, M(acos)(x))
H(arc_sine, M(asin)(x))
H(power_09, M(pow)(M(fabs)(x), K(0.9)))
H(power_01, M(pow)(M(fabs)(x), K(0.1)))
H(root_one, 5 + M(sqrt)(x - 1))
H(root_big, K(BIG) * M(sqrt)(x))
static void U(tangents)(void)
{
    const unsigned steep = BIT(UNBOUNDED);
    const double inf = HUGE_VAL;
    ONE(root, 0, 0, steep);
    ONE(root, 0, 1e6, steep);
    ONE(root, 0, inf, steep | BIT(G_NONFINITE));
    ONE(root_big, 0, 0, steep);
    ONE(root_one, 1, 0, steep | BIT(G_NONFINITE));
    ONE(cube_root, 0, 0, steep);
    ONE(cube_root, 0, 1, steep);
    ONE(cube_root, 0, inf, steep | BIT(G_NONFINITE));
    ONE(x_log_x, 0, 0, EITHER(steep, FAIL));
    ONE(x_log_x, 0, 1, EITHER(steep, FAIL));
    ONE(x_log_x, 0, -inf, steep | BIT(G_NONFINITE));
    ONE(x_log_abs, 0, 0, NOT_PASS);
    ONE(x_log_abs, 0, -20, NOT_PASS);
    ONE(cusp, 0, 0, steep);
    ONE(cusp, 0, 1, steep);
    ONE(arc_cosine, 1, 0, steep);
    ONE(arc_cosine, -1, -1, steep);
    ONE(arc_sine, 1, 1, steep);
    if (!IS_FLOAT) ONE(power_09, 0, 0, NOT_PASS);
    ONE(power_09, 0, 5, NOT_PASS);
    ONE(power_01, 0, 0, FAIL);
    /* near it, not on it */
    ONE(root, 1e-10, 0.5 / sqrt((double)K(1e-10)), RIGHT);
    ONE(root, 1e-10, 1 / sqrt((double)K(1e-10)), BIT(WRONG));
    ONE(root, 1e-10, 0, BIT(WRONG));
    ONE(cube_root, 1e-9, 1e6 / 3, RIGHT);
    ONE(cube_root, 1e-9, 1e6 / 2, BIT(WRONG));
    ONE(cube_root, -1e-9, 1e6 / 3, RIGHT);
    ONE(x_log_x, 1e-8, 1 + log((double)K(1e-8)), RIGHT);
    ONE(x_log_x, 1e-8, -1 - log((double)K(1e-8)), BIT(WRONG));
    ONE(cusp, 1e-3, 0.5 / sqrt((double)K(1e-3)), RIGHT);
    ONE(arc_sine, 1 - 1e-3, 1 / sqrt(1 - (double)K(0.999) * (double)K(0.999)),
        EITHER(RIGHT, NOT_FAIL));
    ONE(arc_sine, 1 - 1e-3, 10, NOT_PASS);
}

/* ---- domains that end at x, or near it; boxes */
H(power_3_2, x * M(sqrt)(x))
H(power_5_2, x * x * M(sqrt)(x))
H(right_exponential, x < 0 ? K(NAN) : M(exp)(x))
H(left_exponential, x > 0 ? K(INFINITY) : M(exp)(x))
H(log_from_one, M(log)(x - 1))
H(root_from_edge, M(sqrt)(x - K(0.2999999992)))
H(only_here, x == K(0.7) ? 1 : K(NAN))
H(island, M(fabs)(x - K(0.7)) < K(0.01) ? M(sin)(x) : K(NAN))
H(right_edge, M(pow)(1 - x, K(1.5)))
static void U(domains)(void)
{
    const unsigned side = BIT(CORRECT_ONESIDED);
    const double inf = HUGE_VAL;
    ad_check_options o = default_options();
    double lo, hi;
    int i;
    ONE(power_3_2, 0, 0, side);
    ONE(power_3_2, 0, 1, BIT(WRONG));
    ONE(power_3_2, 0, 0.1, BIT(WRONG));
    ONE(power_3_2, 1e-6, 1.5 * sqrt((double)K(1e-6)), PASS);
    ONE(power_5_2, 0, 0, side);
    ONE(power_5_2, 0, -1, BIT(WRONG));
    ONE(right_exponential, 0, 1, side);
    ONE(right_exponential, 0, 2, BIT(WRONG));
    ONE(right_exponential, 0, 0, BIT(WRONG));
    ONE(right_exponential, 0, -1, BIT(WRONG));
    ONE(right_exponential, 0, 1.0001, EITHER(BIT(INACCURATE), PASS));
    ONE(right_exponential, 0.5, exp(0.5), PASS);
    ONE(left_exponential, 0, 1, side);
    ONE(left_exponential, 0, 1.5, BIT(WRONG));
    ONE(right_edge, 1, 0, side);
    ONE(right_edge, 1, 1, BIT(WRONG));
    ONE(log_from_one, 1.5, 2, PASS);
    ONE(log_from_one, 1.5, 1, BIT(WRONG));
    for (i = 2; i < EITHER(12, 5); i++) {
        const double x = (double)(RT)(1 + pow(10, -i));
        ONE(log_from_one, x, 1 / (x - 1), NOT_FAIL);
        ONE(log_from_one, x, 2 / (x - 1), NOT_PASS);
        ONE(log_from_one, x, -1 / (x - 1), NOT_PASS);
        ONE(log_from_one, x, 0, NOT_PASS);
    }
    /* so near the edge that few steps fit on both sides, whose slope is the better known */
    if (!IS_FLOAT) ONE(root_from_edge, 0.3, 0.5 / sqrt(0.3 - 0.2999999992), BIT(CORRECT));
    ONE(only_here, (double)K(0.7), 0, MAYBE);
    ONE(only_here, (double)K(0.7), 1, MAYBE);
    ONE(island, 0.7, cos((double)K(0.7)), EITHER(RIGHT, NOT_FAIL));
    ONE(island, 0.7, -cos((double)K(0.7)), EITHER(BIT(WRONG), NOT_PASS));
    ONE(logarithm, 0, inf, BIT(F_NONFINITE));
    ONE(logarithm, 0, 0, BIT(F_NONFINITE));
    ONE(logarithm, -1, -1, BIT(F_NONFINITE));
    ONE(inverse, 0, 0, BIT(F_NONFINITE));
    /* a box; the functions count steps out of it */
    o.lo = &lo;
    o.hi = &hi;
    for (i = 0; i < 10; i++) {
        const double x = (double)K(0.7), w = EITHER(pow(10, -i), pow(10, -0.5 * i));
        lo = x;
        hi = x + w;
        ONE_OPT(sine, x, cos(x), NOT_FAIL, &o);
        ONE_OPT(sine, x, -cos(x), i < 5 ? BIT(WRONG) : NOT_PASS, &o);
        lo = x - w;
        hi = x;
        ONE_OPT(sine, x, cos(x), NOT_FAIL, &o);
        ONE_OPT(sine, x, 2 * cos(x), i < 5 ? BIT(WRONG) : NOT_PASS, &o);
        hi = x + w;
        ONE_OPT(sine, x, cos(x), NOT_FAIL, &o);
        ONE_OPT(sine, x, 0, i < 5 ? BIT(WRONG) : NOT_PASS, &o);
    }
    lo = 0;
    hi = 1;
    ONE_OPT(exponential, 0, 1, PASS, &o);
    ONE_OPT(exponential, 1, exp(1.0), PASS, &o);
    ONE_OPT(exponential, 1, exp(1.0) + 1, BIT(WRONG), &o);
    ONE_OPT(exponential, 0, 2, BIT(WRONG), &o);
    ONE_OPT(power_3_2, 0, 0, side, &o);
    ONE_OPT(absolute, 0, 1, PASS, &o);
    ONE_OPT(absolute, 0, 2, FAIL, &o);
    lo = hi = (double)K(0.7);
    ONE_OPT(sine, 0.7, cos((double)K(0.7)), NOT_FAIL, &o);
    ONE_OPT(sine, 0.7, 5, NOT_PASS, &o);
    lo = 0;
    hi = 0.1;           /* no float has this value: the one nearest lies outside */
    ONE_OPT(sine, 0.0999, cos((double)K(0.0999)), PASS, &o);
    lo = -inf;
    hi = inf;
    ONE_OPT(sine, 0.7, cos((double)K(0.7)), RIGHT, &o);
    o.hi = NULL;
    lo = 0;
    ONE_OPT(logarithm, 0.7, 1 / (double)K(0.7), RIGHT, &o);
    ONE_OPT(root, 0, 0, BIT(UNBOUNDED), &o);
}

/* ---- noise */
static double U(hash)(RT x)
{
    BITS b;
    uint64_t s;
    memcpy(&b, &x, sizeof b);
    s = b;
    return between(&s, -1, 1);
}
static RT U(f_noisy)(const RT *x, size_t n, void *user)
{
    U(probe) *p = (U(probe) *)user;
    p->f_calls++;
    (void)n;
    return (RT)((double)M(sin)(x[0]) + p->a * U(hash)(x[0]));
}
static RT U(f_noise_times)(const RT *x, size_t n, void *user)
{
    U(probe) *p = (U(probe) *)user;
    p->f_calls++;
    (void)n;
    return (RT)((double)M(exp)(x[0]) * (1 + p->a * U(hash)(x[0])));
}
static void U(noise)(void)
{
    uint64_t s = 3;
    int e, i;
    for (e = EITHER(-12, -6); e <= -1; e++)
        for (i = 0; i < 40; i++) {
            const double at = (double)(RT)between(&s, 0.1, 1.2);
            RT x = (RT)at;
            char name[60];
            U(probe) p;
            ad_check_options o = default_options();
            memset(&p, 0, sizeof p);
            p.a = pow(10, e);
            sprintf(name, "%ssin with noise 1e%d", IS_FLOAT ? "float " : "", e);
#define NOISY(f, d, mask) (p.claim = (d), p.f_calls = p.g_calls = 0,                               \
                           U(run)(__LINE__, name, mask, f, U(g1), &x, 1, &p, &o))
            NOISY(U(f_noisy), cos(at), e == EITHER(-6, -99) ? BIT(CORRECT_NOISE_LIMITED)
                  : e <= -6 ? RIGHT : NOT_FAIL);
            NOISY(U(f_noisy), 2 * cos(at), e <= -6 ? BIT(WRONG) : NOT_PASS);
            NOISY(U(f_noisy), -cos(at), e <= -5 ? BIT(WRONG) : NOT_PASS);
            NOISY(U(f_noisy), 0, e <= -6 ? BIT(WRONG) : NOT_PASS);
            NOISY(U(f_noise_times), exp(at), e <= -6 ? RIGHT : NOT_FAIL);
            NOISY(U(f_noise_times), -exp(at), e <= -6 ? BIT(WRONG) : NOT_PASS);
            if (i >= 5) continue;
            o.f_noise = p.a;       /* told, not estimated */
            NOISY(U(f_noisy), cos(at), e <= -6 ? RIGHT : NOT_FAIL);
            NOISY(U(f_noisy), 2 * cos(at), e <= -6 ? BIT(WRONG) : NOT_PASS);
#undef NOISY
        }
}

/* ---- float inside, cancellation */
H(far_sine, K(EITHER(1e10, 1e4)) + M(sin)(x))
H(very_far, K(1e16) + x)
H(one_plus, (1 + x) - 1)
H(quotient, (1 - M(cos)(x)) / (x * x))
H(nothing, (x + 1) * (x + 1) - x * x - 2 * x - 1)
H(one_by_parts, M(sin)(x) * M(sin)(x) + M(cos)(x) * M(cos)(x))
H(exp_rest, M(exp)(x) - 1 - x)
H(expanded, ((((((x - 6) * x + 15) * x - 20) * x + 15) * x - 6) * x + 1))     /* (x - 1)^6 */
H(float_sine, (RT)sinf((float)x))
H(float_chain, (RT)(expf((float)x) * cosf((float)x * 2)))
H(float_argument, M(sin)((RT)(float)x) * M(exp)(x))
H(float_result, (RT)(float)M(sin)(x))
H(float_big, (RT)(1e5f + sinf((float)x)))
static void U(rounding)(void)
{
    ad_check_options o = default_options();
    uint64_t s = 4;
    int i;
    for (i = 0; i < 25; i++) {
        const double x = (double)(RT)between(&s, 0.2, 1.3), c = cos(x), e = exp(x);
        const double chain = exp(x) * (cos(2 * x) - 2 * sin(2 * x));
        ONE(far_sine, x, c, NOT_FAIL);
        ONE(far_sine, x, -c, NOT_PASS);
        ONE(one_plus, x, 1, RIGHT);
        ONE(one_plus, x, 2, BIT(WRONG));
        ONE(nothing, x, 0, NOT_FAIL);
        ONE(nothing, x, 1, NOT_PASS);
        ONE(one_by_parts, x, 0, NOT_FAIL);
        ONE(one_by_parts, x, UNIT / 2, NOT_FAIL);
        ONE(one_by_parts, x, 1, BIT(WRONG));
        ONE(one_by_parts, x, EITHER(1e-3, 0.1), EITHER(FAIL, NOT_PASS));
        if (!IS_FLOAT) {       /* in float these are flat, and a saw */
            ONE(quotient, x * 1e-4, 1e7, NOT_PASS);
        }
        ONE(exp_rest, x * 1e-5, 1, NOT_PASS);
        ONE(expanded, 1 + x * 1e-3, 6 * pow((double)K(1 + x * 1e-3) - 1, 5), NOT_FAIL);
        ONE(expanded, 1 + x * 1e-3, 1, NOT_PASS);
        ONE(very_far, x, 1, NOT_FAIL);
        if (!IS_FLOAT) ONE(very_far, x, 5, NOT_PASS);
        for (o.f_eps = 0; o.f_eps < 1; o.f_eps += (double)FLT_EPSILON) {
            ONE_OPT(float_sine, x, c, RIGHT, &o);
            ONE_OPT(float_sine, x, -c, BIT(WRONG), &o);
            ONE_OPT(float_sine, x, 1.1 * c, BIT(WRONG), &o);
            ONE_OPT(float_chain, x, chain, NOT_FAIL, &o);
            ONE_OPT(float_chain, x, -chain, fabs(chain) > 0.2 ? BIT(WRONG) : NOT_PASS, &o);
            /* one factor is computed in float: told so, the checker must manage */
            ONE_OPT(float_argument, x, (c + sin(x)) * e, o.f_eps > 0 ? RIGHT : RIGHT | MAYBE, &o);
            ONE_OPT(float_argument, x, c * e, o.f_eps > 0 ? BIT(WRONG) : NOT_PASS, &o);
            ONE_OPT(float_result, x, c, RIGHT, &o);
            ONE_OPT(float_result, x, 2 * c, BIT(WRONG), &o);
            ONE_OPT(float_big, x, c, NOT_FAIL, &o);
            ONE_OPT(float_big, x, -c, NOT_PASS, &o);
            if (o.f_eps > 0) break;
        }
    }
}

/* ---- oscillation, plateaus, flat functions, and the known hard one */
#define FAST EITHER(1e8, 1e4)
H(fast, M(sin)(K(FAST) * x))
H(ripple, x + K(EITHER(1e-6, 1e-3)) * M(sin)(K(FAST) * x))
H(very_fast, M(sin)(K(EITHER(1e12, 1e8)) * x))
H(period_1024, M(sin)(K(2 * PI * 1024) * x))
H(period_2_20, x + M(sin)(K(2 * PI * 1048576) * x) / 1048576)
H(steep, M(tanh)(K(1e6) * x))
H(constant, x == x ? 5 : x)
H(zero, x == x ? 0 : x)
H(quartic, x * x * x * x)
H(tenth, M(pow)(x - 1, 10))
H(flat_exp, x == 0 ? 0 : M(exp)(-1 / (x * x)))
H(hard, x == 0 ? 0 : x * x * M(sin)(1 / x))
H(bowl, (x - K(0.1)) * (x - K(0.1)))
H(faint, EITHER(K(1e-12), K(1e-4)) * x + 1)
static void U(shapes)(void)
{
    ad_check_options o = default_options();
    double scale = EITHER(1e-12, 1e-8);
    RT near_tenth;
    uint64_t s = 5;
    int i;
    for (i = 0; i < 25; i++) {
        const double x = (double)(RT)between(&s, 0.2, 1.3);
        const double w = FAST * cos(FAST * x);
        const double r = 1 + w * EITHER(1e-6, 1e-3);
        ONE(fast, x, w, NOT_FAIL);
        ONE(fast, x, 0, NOT_PASS);
        if (fabs(w) > 0.1 * FAST) ONE(fast, x, -w, NOT_PASS);
        ONE(ripple, x, r, NOT_FAIL);
        if (fabs(r) > 0.3) ONE(ripple, x, -r, NOT_PASS);
    }
    ONE(very_fast, 0, EITHER(1e12, 1e8), NOT_FAIL);
    ONE(very_fast, 0, 0, NOT_PASS);
    o.x_scale = &scale;
    ONE_OPT(very_fast, 0, EITHER(1e12, 1e8), RIGHT, &o);
    ONE_OPT(very_fast, 0, EITHER(2e12, 2e8), BIT(WRONG), &o);
    /* sampled at multiples of its period, sin is 0 */
    ONE(period_1024, 0.5, 2 * PI * 1024, EITHER(RIGHT, NOT_FAIL));
    ONE(period_1024, 0.5, 0, EITHER(FAIL, NOT_PASS));
    ONE(period_1024, 0.5, -2 * PI * 1024, EITHER(FAIL, NOT_PASS));
    if (!IS_FLOAT) {
        ONE(period_2_20, 0.5, 1 + 2 * PI, NOT_FAIL);
        ONE(period_2_20, 0.5, 1, NOT_PASS);
        ONE(period_2_20, 0.5, 2 + 2 * PI, NOT_PASS);
    }
    ONE(steep, 0, 1e6, RIGHT);
    ONE(steep, 0, 0, BIT(WRONG));
    ONE(steep, 0, 2e6, BIT(WRONG));
    ONE(steep, 1e-6, 1e6 / (cosh(1.0) * cosh(1.0)), RIGHT);
    ONE(steep, 0.3, 0, RIGHT);
    ONE(steep, -0.3, 0, RIGHT);
    ONE(steep, 0.3, 1, BIT(WRONG));
    ONE(steep, 1e-5, 1e6 / (cosh((double)K(1e-5) * 1e6) * cosh((double)K(1e-5) * 1e6)), NOT_FAIL);
    ONE(constant, 0.3, 0, BIT(CORRECT));
    ONE(constant, 0, 0, BIT(CORRECT));
    ONE(constant, 0.3, UNIT / 100, RIGHT | MAYBE);
    ONE(constant, 0.3, EITHER(1e-3, 0.1), BIT(WRONG));
    ONE(constant, 0, 1, BIT(WRONG));
    ONE(zero, 0.3, 0, BIT(CORRECT));
    ONE(zero, 0, 0, BIT(CORRECT));
    ONE(zero, 0, 1e-3, BIT(WRONG));
    ONE(zero, 0.3, -1, BIT(WRONG));
    ONE(square, 0, 0, BIT(CORRECT));
    ONE(square, 0, -0.0, BIT(CORRECT));
    ONE(square, 0, 1e-3, BIT(WRONG));
    ONE(quartic, 0, 0, RIGHT);
    ONE(quartic, 0, 1e-3, BIT(WRONG));
    ONE(tenth, 1, 0, RIGHT);
    ONE(tenth, 1, 0.5, BIT(WRONG));
    ONE(flat_exp, 0, 0, RIGHT);
    ONE(flat_exp, 0, 1, BIT(WRONG));
    ONE(flat_exp, 0, 1e-3, BIT(WRONG));
    for (i = 0; i < 5; i++) {
        static const double at[5] = { 0.05, 0.08, 0.15, 0.3, 1 };
        const double x = (double)K(at[i]), d = 2 / (x * x * x) * exp(-1 / (x * x));
        if (IS_FLOAT && i < 2) continue;
        ONE(flat_exp, x, d, RIGHT);
        ONE(flat_exp, x, 2 * d, BIT(WRONG));
        ONE(flat_exp, x, -d, BIT(WRONG));
        ONE(flat_exp, x, 0, BIT(WRONG));
    }
    ONE(flat_exp, 0.03, 0, NOT_FAIL);
    ONE(hard, 0, 0, NOT_FAIL);
    ONE(hard, 0, 1, NOT_PASS);
    ONE(hard, 0, -1, NOT_PASS);
    ONE(faint, 0.3, (double)K(EITHER(1e-12, 1e-4)), NOT_FAIL);
    ONE(faint, 0.3, EITHER(1e-11, 1e-3), EITHER(FAIL, NOT_PASS));
    ONE(faint, 0.3, 0, EITHER(FAIL, NOT_PASS));
    /* one unit beside the minimum */
    near_tenth = K(0.1) + K(0.1) * 2 * (RT)UNIT;
    ONE(bowl, (double)near_tenth, 2 * (double)(near_tenth - K(0.1)), NOT_FAIL);
}

/* What cancels next to a root: around a tiny x f does not move at all, a little further on in
   grains of what it is rounded beside. Right claims do not fail there, and the other sign of a
   slope that f shows on longer steps does not pass. One has a slope on short steps that rounding
   alone makes; it is not the one claimed, but condemns nothing. The last, in double, is a row of a
   system, beside whose other slope both signs are nothing. */
enum { U(HIDDEN) = 6, U(ALONE) = 7, U(CANCELLING) = IS_FLOAT ? 7 : 8 };
static RT U(cancels_f)(const RT *x, size_t n, void *user)
{
    const RT z = x[0];
    (void)n;
    switch (*(const int *)user) {
    case 0: return 1 - M(cos)(z);
    case 1: return 1 - M(exp)(-z * z);
    case 2: return M(log)(1 + z * z);
    case 3: return M(sqrt)(1 + z * z) - 1;
    case 4: return M(cosh)(z) - 1;
    case 5: return M(exp)(z) - 1;
    case U(HIDDEN): return M(exp)(z) - 1 - z;
    default: return 2 - M(cos)(z) - M(cos)(x[1]) + 2 * (1 - M(cos)(x[1])) - M(sin)(x[1]);
    }
}
static int U(cancels_wrong);
static void U(cancels_g)(const RT *x, size_t n, RT *g, void *user)
{
    const int kind = *(const int *)user;
    const RT z = x[0];
    (void)n;
    g[0] = kind == 0 || kind == U(ALONE) ? M(sin)(z) : kind == 1 ? 2 * z * M(exp)(-z * z)
         : kind == 2 ? 2 * z / (1 + z * z) : kind == 3 ? z / M(sqrt)(1 + z * z)
         : kind == 4 ? M(sinh)(z) : kind == 5 ? M(exp)(z) : M(expm1)(z);
    if (kind == U(ALONE)) g[1] = 3 * M(sin)(x[1]) - M(cos)(x[1]);
    if (U(cancels_wrong)) g[0] = -g[0];
}
static void U(cancelling)(void)
{
    uint64_t s = 1618;
    int kind, i;
    for (kind = 0; kind < U(CANCELLING); kind++) {
        int failed = 0, missed = 0, sure = 0;
        for (i = 0; i < 100; i++) {
            const double e = between(&s, IS_FLOAT ? -7 : -16, -1);
            const size_t n = kind < U(ALONE) ? 1 : 2;
            ad_check_result r;
            unsigned v;
            RT x[2];
            x[0] = (RT)((i & 1 ? -1 : 1) * pow(10, e));
            x[1] = (RT)(x[0] * (RT)between(&s, -2, 2));
            U(cancels_wrong) = 0;
            v = 1u << A(check_gradient)(U(cancels_f), U(cancels_g), x, n, &kind, NULL, &r);
            failed += (v & NOT_FAIL) == 0;
            sure += (v & PASS) != 0;
            U(cancels_wrong) = 1;
            v = 1u << A(check_gradient)(U(cancels_f), U(cancels_g), x, n, &kind, NULL, &r);
            missed += kind < U(ALONE) && e > (IS_FLOAT ? -3 : -11) && (v & PASS) != 0;
        }
        test_check(failed == 0 && missed == 0
            && (sure >= (IS_FLOAT ? 25 : 60) || kind == U(HIDDEN)), __FILE__, __LINE__,
            "function %d: %d of 100 right claims fail, %d pass, %d wrong ones pass", kind, failed,
            sure, missed);
    }
}
/* The same beside another variable: where x is tiny, the products are nothing, without a trace of
   the rounding that made them so. Right claims do not fail; and that there is no slope at all does
   not pass where f alone moves by grains on longer steps. */
enum { U(TIMES) = 16 };
static RT U(beside_f)(const RT *x, size_t n, void *user)
{
    const int all = *(const int *)user, kind = all % U(TIMES);
    const RT h = U(cancels_f)(x, 1, (void *)(uintptr_t)&kind);
    (void)n;
    return all < U(TIMES) ? h * x[1] : all < 2 * U(TIMES) ? h / (1 + x[1] * x[1]) : h;
}
static void U(beside_g)(const RT *x, size_t n, RT *g, void *user)
{
    const int all = *(const int *)user, kind = all % U(TIMES);
    const RT z = x[0], y = x[1], to = 1 + y * y, half = M(sinh)(z / 2), sine = M(sin)(z / 2);
    const RT h = kind == 0 ? 2 * sine * sine : kind == 1 ? -M(expm1)(-z * z)
        : kind == 2 ? M(log1p)(z * z) : kind == 3 ? z * z / (1 + M(sqrt)(1 + z * z))
        : kind == 4 ? 2 * half * half : M(expm1)(z);         /* with all its digits */
    U(cancels_g)(x, n, g, (void *)(uintptr_t)&kind);
    g[0] *= all < U(TIMES) ? y : 1 / to;
    g[1] = all < U(TIMES) ? h : -2 * y * h / (to * to);
}
/* and the square of y before it, a row that hides nothing */
static void U(beside_F)(const RT *x, size_t n, RT *y, size_t m, void *user)
{
    (void)m;
    y[0] = x[1] * x[1];
    y[1] = U(beside_f)(x, n, user);
}
static void U(beside_J)(const RT *x, size_t n, RT *J, size_t m, void *user)
{
    (void)m;
    J[0] = 0;
    J[1] = 2 * x[1];
    U(beside_g)(x, n, J + 2, user);
}
static void U(no_slope)(const RT *x, size_t n, RT *g, void *user)
{
    (void)x; (void)n; (void)user;
    g[0] = 0;
}
static void U(emerging)(void)
{
    uint64_t s = 2718;
    int kind, i;
    U(cancels_wrong) = 0;
    for (kind = 0; kind < U(HIDDEN); kind++) {
        int failed[2] = { 0, 0 }, rows = 0, missed = 0;
        for (i = 0; i < 100; i++) {
            int all = kind;
            ad_check_result r;
            RT x[2];
            x[0] = (RT)((i & 1 ? -1 : 1) * pow(10, between(&s, IS_FLOAT ? -7 : -16, -1)));
            x[1] = (RT)between(&s, 0.5, 3);
            for (; all < 2 * U(TIMES); all += U(TIMES))
                failed[all / U(TIMES)] += A(check_gradient)(U(beside_f), U(beside_g), x, 2, &all,
                    NULL, &r) >= AD_VERDICT_INACCURATE;
            rows += A(check_jacobian)(U(beside_F), U(beside_J), x, 2, 2, &kind, NULL, &r)
                >= AD_VERDICT_INACCURATE;
            missed += fabs((double)x[0]) > EITHER(1e-11, 1e-3) && ad_check_ok(A(check_gradient)(
                U(beside_f), U(no_slope), x, 1, &all, NULL, &r));
        }
        test_check(failed[0] == 0 && failed[1] == 0 && rows == 0 && missed == 0, __FILE__,
            __LINE__, "function %d: %d of 100 products fail, %d quotients, %d second rows, no "
            "slope passes %d times", kind, failed[0], failed[1], rows, missed);
    }
}
/* ---- points that textbooks like: where terms cancel, f and its slope are rounding alone, and what
   the last digit of x does to the slope is more than the slope */
H(less_sine, x - M(sin)(x))
H(less_tangent, M(tan)(x) - x)
H(less_hyperbolic, M(sinh)(x) - x)
H(less_tanh, M(tanh)(x) - x)
H(less_arc, M(atan)(x) - x)
H(less_arcsine, M(asin)(x) - x)
H(less_log, M(log1p)(x) - x)
H(less_expm1, M(expm1)(x) - x)
H(less_exp, M(exp)(x) - 1 - x)
H(less_root, M(sqrt)(1 + x) - 1 - x / 2)
H(less_chord, M(log)(x) - x + 1)
H(three_roots, ((x - 6) * x + 11) * x - 6)
H(flat_wave, 1 - M(cos)(1000 * x))
static void U(textbook)(void)
{
    static const struct { const char *name; RT (*h)(RT); RT x; double slope; } flat[] = {
        { "x - sin x", U(less_sine), 0, 0 }, { "tan x - x", U(less_tangent), 0, 0 },
        { "sinh x - x", U(less_hyperbolic), 0, 0 }, { "tanh x - x", U(less_tanh), 0, 0 },
        { "atan x - x", U(less_arc), 0, 0 }, { "asin x - x", U(less_arcsine), 0, 0 },
        { "log1p x - x", U(less_log), 0, 0 }, { "expm1 x - x", U(less_expm1), 0, 0 },
        { "exp x - 1 - x", U(less_exp), 0, 0 }, { "sqrt(1 + x) - 1 - x/2", U(less_root), 0, 0 },
        { "log x - x + 1", U(less_chord), 1, 0 }, { "roots", U(three_roots), 1, 2 },
        { "roots", U(three_roots), 2, -1 }, { "roots", U(three_roots), 3, 2 }
    };
    size_t i;
    int k;
    for (i = 0; i < sizeof flat / sizeof flat[0]; i++) {
        const char *const name = flat[i].name;
        const double x = (double)flat[i].x, slope = flat[i].slope, off = EITHER(1e-4, 2e-2);
        U(one)(__LINE__, name, flat[i].h, x, slope, EITHER(RIGHT, RIGHT | MAYBE), NULL);
        U(one)(__LINE__, name, flat[i].h, x, slope + off, BIT(WRONG) | BIT(INACCURATE), NULL);
        U(one)(__LINE__, name, flat[i].h, x, slope - off, BIT(WRONG) | BIT(INACCURATE), NULL);
        U(one)(__LINE__, name, flat[i].h, x, slope - 1, BIT(WRONG), NULL);
    }
    for (k = 1; k < EITHER(2000, 60); k += EITHER(37, 7)) {
        const RT x = K(k * PI);
        ONE(cosine, (double)x, -sin((double)x), RIGHT);
        ONE(cosine, (double)x, 0, RIGHT);
        ONE(cosine, (double)x, EITHER(1e-6, 1e-2), NOT_PASS);
    }
    for (k = 11; k <= 12 && !IS_FLOAT; k++) {    /* steps that move f are far longer than x, and
                                                    far shorter than the longest */
        const double x = 1.21 * pow(0.1, k);
        ONE(flat_wave, x, 1000 * sin(1000 * x), NOT_FAIL);
        ONE(flat_wave, x, 0, BIT(WRONG));
    }
}

/* ---------------------------------------------------------------- functions of several variables
   f = sum of (i + 1) sin x_i + x_i x_(i+1); what its gradient does wrong is p->spoil. */
enum { U(NOTHING), U(SIGN_ONE), U(SIGN_ALL), U(FACTOR_ONE), U(FACTOR_ALL), U(TIMES_X), U(BY_X),
    U(SWAPPED), U(SHIFT_UP), U(SHIFT_DOWN), U(MISSING_ONE), U(MISSING_TERM), U(OFFSET),
    U(OTHER_X), U(NAN_ONE), U(INF_ONE), U(NAN_ALL) };

static void U(spoil)(const U(probe) *p, const RT *x, RT *g, size_t n)
{
    RT t;
    size_t i;
    switch (p->spoil) {
    case U(SIGN_ONE): g[p->i] = -g[p->i]; break;
    case U(SIGN_ALL): for (i = 0; i < n; i++) g[i] = -g[i]; break;
    case U(FACTOR_ONE): g[p->i] *= (RT)p->a; break;
    case U(FACTOR_ALL): for (i = 0; i < n; i++) g[i] *= (RT)p->a; break;
    case U(TIMES_X): for (i = 0; i < n; i++) g[i] *= x[i]; break;
    case U(BY_X): for (i = 0; i < n; i++) g[i] /= x[i]; break;
    case U(SWAPPED): t = g[p->i]; g[p->i] = g[p->j]; g[p->j] = t; break;
    case U(SHIFT_UP): for (t = g[0], i = 0; i < n; i++) g[i] = i + 1 < n ? g[i + 1] : t; break;
    case U(SHIFT_DOWN): for (t = g[n - 1], i = n; i-- > 0;) g[i] = i ? g[i - 1] : t; break;
    case U(MISSING_ONE): g[p->i] = 0; break;
    case U(MISSING_TERM): for (i = 0; i + 1 < n; i++) g[i] -= x[i + 1]; break;
    case U(OFFSET): for (i = 0; i < n; i++) g[i] += K(0.75); break;
    case U(NAN_ONE): g[p->i] = K(NAN); break;
    case U(INF_ONE): g[p->i] = K(INFINITY); break;
    case U(NAN_ALL): for (i = 0; i < n; i++) g[i] = K(NAN); break;
    default: break;
    }
}

static RT U(value_sum)(const RT *x, size_t n)
{
    double s = 0;
    size_t i;
    for (i = 0; i < n; i++) {
        s += (double)(i % 16 + 1) * (double)M(sin)(x[i]);
        if (i + 1 < n) s += (double)(x[i] * x[i + 1]);
    }
    return (RT)s;
}
static void U(grad_sum)(const RT *x, size_t n, RT *g)
{
    size_t i;
    for (i = 0; i < n; i++) {
        g[i] = (RT)(i % 16 + 1) * M(cos)(x[i]);
        if (i > 0) g[i] += x[i - 1];
        if (i + 1 < n) g[i] += x[i + 1];
    }
}
static RT U(f_sum)(const RT *x, size_t n, void *user)
{
    U(probe) *p = (U(probe) *)user;
    p->f_calls++;
    U(watch)(p, x, n);
    return U(value_sum)(x, n);
}
static void U(g_sum)(const RT *x, size_t n, RT *g, void *user)
{
    U(probe) *p = (U(probe) *)user;
    p->g_calls++;
    U(watch)(p, x, n);
    if (p->spoil == U(OTHER_X)) {
        RT y[16];
        size_t i;
        for (i = 0; i < n && i < 16; i++) y[i] = x[i] + K(0.1);
        U(grad_sum)(y, n, g);
        return;
    }
    U(grad_sum)(x, n, g);
    U(spoil)(p, x, g, n);
}

static const RT U(point)[6] = { K(0.3), K(-0.8), K(1.1), K(0.45), K(-1.3), K(0.65) };

static ad_check_result U(spoiled)(int line, int spoil, size_t i, size_t j, double a, unsigned mask)
{
    char name[60];
    U(probe) p;
    memset(&p, 0, sizeof p);
    p.spoil = spoil;
    p.i = i;
    p.j = j;
    p.a = a;
    sprintf(name, "%ssum, spoiled %d", IS_FLOAT ? "float " : "", spoil);
    return U(run)(line, name, mask, U(f_sum), U(g_sum), U(point), 6, &p, NULL);
}
/* The finding of component i; a blank one where it has none. */
static ad_check_finding U(found)(const ad_check_result *r, size_t i)
{
    ad_check_finding none;
    size_t k;
    for (k = 0; k < r->n_findings; k++)
        if (r->findings[k].i == i) return r->findings[k];
    memset(&none, 0, sizeof none);
    return none;
}
#define HINT(r, k, h, text) do {                                                                   \
        const ad_check_finding f_ = U(found)(&r, k);                                               \
        test_check(f_.verdict == AD_VERDICT_WRONG, __FILE__, __LINE__, "component %d: %s",         \
                   (int)(k), ad_verdict_name(f_.verdict));                                         \
        test_check(f_.hint == h, __FILE__, __LINE__, "hint %s, not %s; \"%s\"",                    \
                   ad_hint_name(f_.hint), #h, r.message);                                          \
        test_check(strstr(f_.cause, text) != NULL, __FILE__, __LINE__, "cause \"%s\", not %s",     \
                   f_.cause, text);                                                                \
    } while (0)

static void U(hints)(void)
{
    const unsigned wrong = BIT(WRONG);
    static const double factor[] = { 2, 0.5, 6, 3, -4, 1.7 };
    ad_check_result r;
    size_t k;
    r = U(spoiled)(__LINE__, U(NOTHING), 0, 0, 0, EITHER(BIT(CORRECT), RIGHT));
    CHECK(r.n_findings == 0 || r.findings[0].verdict <= AD_VERDICT_CORRECT_NOISE_LIMITED);
    CHECK(r.checked == 6 && r.mode == AD_CHECK_DENSE);
    CHECK(r.f_evals <= EITHER(40u, 700u));
    CHECK_NEAR(r.f, U(value_sum)(U(point), 6), 64 * UNIT);     /* inlined it is rounded otherwise */
    for (k = 0; k < 6; k++) {
        r = U(spoiled)(__LINE__, U(SIGN_ONE), k, 0, 0, wrong);
        CHECK(r.wrong == 1);
        HINT(r, k, AD_HINT_SIGN, "");
        r = U(spoiled)(__LINE__, U(MISSING_ONE), k, 0, 0, wrong);
        CHECK(r.wrong == 1);
        HINT(r, k, AD_HINT_MISSING, "");
        r = U(spoiled)(__LINE__, U(FACTOR_ONE), k, 0, 2, wrong);
        CHECK(r.wrong == 1);
        HINT(r, k, AD_HINT_FACTOR, "2");
        CHECK_NEAR(r.findings[0].ratio, 2, EITHER(1e-6, 1e-2));
        U(spoiled)(__LINE__, U(NAN_ONE), k, 0, 0, BIT(G_NONFINITE));
        r = U(spoiled)(__LINE__, U(INF_ONE), k, 0, 0, BIT(G_NONFINITE));
        CHECK(r.findings[0].i == k);
        U(spoiled)(__LINE__, U(FACTOR_ONE), k, 0, 1 + 1e-10, EITHER(BIT(CORRECT), RIGHT));
        U(spoiled)(__LINE__, U(FACTOR_ONE), k, 0, 1 - 1e-4, EITHER(BIT(INACCURATE), RIGHT));
        U(spoiled)(__LINE__, U(FACTOR_ONE), k, 0, 1.05, wrong);
    }
    U(spoiled)(__LINE__, U(NAN_ALL), 0, 0, 0, BIT(G_NONFINITE));
    r = U(spoiled)(__LINE__, U(SIGN_ALL), 0, 0, 0, wrong);
    CHECK(r.hint == AD_HINT_SIGN && r.wrong == 6);
    CHECK(strstr(r.message, "sign") != NULL);
    for (k = 0; k < sizeof factor / sizeof factor[0]; k++) {
        r = U(spoiled)(__LINE__, U(FACTOR_ALL), 0, 0, factor[k], wrong);
        CHECK(r.hint == AD_HINT_FACTOR && r.wrong == 6);
        CHECK_NEAR(r.findings[0].ratio, factor[k], EITHER(1e-6, 1e-2));
        HINT(r, 0, AD_HINT_FACTOR, "");
    }
    r = U(spoiled)(__LINE__, U(FACTOR_ALL), 0, 0, PI, wrong);
    CHECK(r.hint == AD_HINT_FACTOR);
    HINT(r, 2, AD_HINT_FACTOR, "pi");
    r = U(spoiled)(__LINE__, U(FACTOR_ALL), 0, 0, 6, wrong);
    HINT(r, 2, AD_HINT_FACTOR, "n");
    r = U(spoiled)(__LINE__, U(TIMES_X), 0, 0, 0, wrong);
    HINT(r, 2, AD_HINT_FACTOR, "x");
    r = U(spoiled)(__LINE__, U(BY_X), 0, 0, 0, wrong);
    HINT(r, 4, AD_HINT_FACTOR, "x");
    r = U(spoiled)(__LINE__, U(SWAPPED), 1, 4, 0, wrong);
    CHECK(r.wrong == 2);
    HINT(r, 1, AD_HINT_SWAPPED, "4");
    HINT(r, 4, AD_HINT_SWAPPED, "1");
    CHECK(U(found)(&r, 1).partner == 4 && U(found)(&r, 4).partner == 1);
    r = U(spoiled)(__LINE__, U(SHIFT_UP), 0, 0, 0, wrong);
    HINT(r, 2, AD_HINT_SHIFTED, "");
    CHECK(U(found)(&r, 2).partner == 3 && r.hint == AD_HINT_SHIFTED);
    r = U(spoiled)(__LINE__, U(SHIFT_DOWN), 0, 0, 0, wrong);
    HINT(r, 3, AD_HINT_SHIFTED, "");
    CHECK(U(found)(&r, 3).partner == 2 && r.hint == AD_HINT_SHIFTED);
    r = U(spoiled)(__LINE__, U(OFFSET), 0, 0, 0, wrong);
    CHECK(r.wrong == 6 && r.hint == AD_HINT_OFFSET);
    HINT(r, 5, AD_HINT_OFFSET, "");
    r = U(spoiled)(__LINE__, U(MISSING_TERM), 0, 0, 0, wrong);
    CHECK(r.wrong == 5);
    r = U(spoiled)(__LINE__, U(OTHER_X), 0, 0, 0, wrong);
    CHECK(r.wrong >= 5);
}

/* ---------------------------------------------------------------- code that breaks its contract */
enum { U(HONEST), U(SKIPS), U(WRITES_NONE), U(SKIPS_ZERO), U(ADDS), U(ADDS_ONE), U(G_OVER),
    U(G_UNDER), U(X_OVER_G), U(X_UNDER_G), U(X_OVER_F), U(X_UNDER_F), U(G_CHANGES_X),
    U(F_CHANGES_X), U(F_DRIFTS_X), U(G_FROM_F), U(F_FIRST), U(F_BY_X0), U(F_BY_POINTER),
    U(F_CACHES), U(WRITES_ZEROS), U(F_RANDOM), U(G_COUNTS), U(G_RANDOM), U(G_PREVIOUS), U(F_NAN),
    U(F_INF), U(F_COUNTS) };

static void U(remember)(U(probe) *p, const RT *x, size_t n)
{
    size_t i;
    for (i = 0; i < n && i < 8; i++) p->seen[i] = x[i];
    p->has_seen = 1;
}
static void U(write_beside)(RT *v, size_t n, int after)
{
    size_t i;
    for (i = 0; i < 3; i++) {
        RT *place = after ? v + n + i : v - 1 - i;
        *place = K(1.5);
    }
}
static RT U(f_rogue)(const RT *x, size_t n, void *user)
{
    U(probe) *p = (U(probe) *)user;
    RT *writable = (RT *)(uintptr_t)x;
    const RT y = U(value_sum)(x, n);
    p->f_calls++;
    switch (p->mode) {
    case U(X_OVER_F): U(write_beside)(writable, n, 1); break;
    case U(X_UNDER_F): U(write_beside)(writable, n, 0); break;
    case U(F_CHANGES_X): writable[p->i] += 1; break;
    case U(F_DRIFTS_X): writable[p->i] *= 1 + (RT)UNIT; break;
    case U(F_NAN): return K(NAN);
    case U(F_INF): return K(INFINITY);
    case U(F_FIRST):
        if (!p->has_seen) p->value = y;
        p->has_seen = 1;
        return p->value;
    case U(F_BY_X0):
        if (!p->has_seen || p->seen[0] != x[0]) p->value = y;
        U(remember)(p, x, n);
        return p->value;
    case U(F_BY_POINTER):
        if (p->pointer != x) p->value = y;
        p->pointer = x;
        return p->value;
    case U(F_CACHES):
        if (!p->has_seen || memcmp(p->seen, x, n * sizeof *x) != 0) p->value = y;
        U(remember)(p, x, n);
        return p->value;
    case U(F_RANDOM): return y + (RT)(p->a * between(&p->random, -1, 1));
    case U(F_COUNTS): return y + (RT)p->a * (RT)p->f_calls;
    default: break;
    }
    U(remember)(p, x, n);
    return y;
}
static void U(g_rogue)(const RT *x, size_t n, RT *g, void *user)
{
    U(probe) *p = (U(probe) *)user;
    RT right[8];
    RT *writable = (RT *)(uintptr_t)x;
    size_t i;
    p->g_calls++;
    U(grad_sum)(p->mode == U(G_FROM_F) ? p->seen : x, n, right);
    if (p->mode == U(SKIPS_ZERO)) right[p->i] = 0;
    U(spoil)(p, x, right, n);
    for (i = 0; i < n; i++) {
        if (p->mode == U(SKIPS) && i == p->i) continue;
        if (p->mode == U(WRITES_ZEROS) && g[i] != 0) continue;
        if (p->mode == U(WRITES_NONE)) continue;
        if (p->mode == U(SKIPS_ZERO) && right[i] == 0) continue;
        if (p->mode == U(ADDS) || (p->mode == U(ADDS_ONE) && i == p->i)) g[i] += right[i];
        else g[i] = right[i];
    }
    if (p->mode == U(G_OVER)) U(write_beside)(g, n, 1);
    if (p->mode == U(G_UNDER)) U(write_beside)(g, n, 0);
    if (p->mode == U(X_OVER_G)) U(write_beside)(writable, n, 1);
    if (p->mode == U(X_UNDER_G)) U(write_beside)(writable, n, 0);
    if (p->mode == U(G_CHANGES_X)) writable[p->i] = -writable[p->i];
    if (p->mode == U(G_COUNTS)) g[p->i] += K(1e-2) * (RT)p->g_calls;
    if (p->mode == U(G_RANDOM)) g[p->i] += (RT)(p->a * between(&p->random, -1, 1));
    if (p->mode == U(G_PREVIOUS)) {
        for (i = 0; i < n; i++) {
            const RT now = g[i];
            g[i] = p->has_seen == 2 ? p->seen[i] : 0;
            p->seen[i] = now;
        }
        p->has_seen = 2;
    }
}
static ad_check_result U(rogue)(int line, int mode, size_t i, double a, int spoil, unsigned mask,
                                const ad_check_options *opt)
{
    char name[60];
    U(probe) p;
    memset(&p, 0, sizeof p);
    p.mode = mode;
    p.spoil = spoil;
    p.i = i;
    p.a = a;
    sprintf(name, "%srogue %d", IS_FLOAT ? "float " : "", mode);
    return U(run)(line, name, mask, U(f_rogue), U(g_rogue), U(point), 6, &p, opt);
}
#define ROGUE(mode, i, mask) U(rogue)(__LINE__, U(mode), i, 0, U(NOTHING), mask, NULL)

static void U(contract)(void)
{
    ad_check_options o = default_options();
    ad_check_result r;
    const unsigned stale = BIT(STALE_STATE), fickle = BIT(NONDETERMINISTIC);
    ROGUE(HONEST, 0, EITHER(BIT(CORRECT), RIGHT));
    r = ROGUE(SKIPS, 3, BIT(UNWRITTEN));
    CHECK(r.n_findings > 0 && r.findings[0].i == 3);
    ROGUE(SKIPS, 0, BIT(UNWRITTEN));
    ROGUE(SKIPS, 5, BIT(UNWRITTEN));
    ROGUE(WRITES_NONE, 0, BIT(UNWRITTEN));
    r = ROGUE(SKIPS_ZERO, 2, BIT(UNWRITTEN));
    r = ROGUE(ADDS, 0, BIT(ACCUMULATES));
    r = ROGUE(ADDS_ONE, 4, BIT(ACCUMULATES));
    CHECK(r.n_findings > 0 && r.findings[0].i == 4);
    ROGUE(WRITES_ZEROS, 0, FAIL);
    ROGUE(G_OVER, 0, BIT(OUT_OF_BOUNDS));
    ROGUE(G_UNDER, 0, BIT(OUT_OF_BOUNDS));
    ROGUE(X_OVER_G, 0, BIT(OUT_OF_BOUNDS));
    ROGUE(X_UNDER_G, 0, BIT(OUT_OF_BOUNDS));
    ROGUE(X_OVER_F, 0, BIT(OUT_OF_BOUNDS));
    ROGUE(X_UNDER_F, 0, BIT(OUT_OF_BOUNDS));
    r = ROGUE(G_CHANGES_X, 2, BIT(X_MODIFIED));
    ROGUE(F_CHANGES_X, 5, BIT(X_MODIFIED));
    ROGUE(F_DRIFTS_X, 0, BIT(X_MODIFIED));
    ROGUE(G_FROM_F, 0, stale);
    ROGUE(F_FIRST, 0, FAIL);
    ROGUE(F_BY_X0, 0, FAIL);
    ROGUE(F_BY_POINTER, 0, FAIL);
    ROGUE(F_CACHES, 0, EITHER(BIT(CORRECT), RIGHT));
    U(rogue)(__LINE__, U(F_CACHES), 3, 0, U(SIGN_ONE), BIT(WRONG), NULL);
    ROGUE(G_COUNTS, 0, fickle | stale);
    ROGUE(G_PREVIOUS, 0, FAIL | fickle);
    ROGUE(F_NAN, 0, BIT(F_NONFINITE));
    ROGUE(F_INF, 0, BIT(F_NONFINITE));
    /* dice: without leave, with it, with it and a wrong claim */
    U(rogue)(__LINE__, U(F_RANDOM), 0, 1e-3, U(NOTHING), fickle, NULL);
    U(rogue)(__LINE__, U(F_RANDOM), 0, 1000 * UNIT, U(NOTHING), fickle, NULL);
    U(rogue)(__LINE__, U(F_COUNTS), 0, 1e-3, U(NOTHING), fickle | stale, NULL);
    U(rogue)(__LINE__, U(G_RANDOM), 1, 1e-2, U(NOTHING), fickle | stale, NULL);
    o.nondet_tol = 1e-4;
    U(rogue)(__LINE__, U(F_RANDOM), 0, EITHER(1e-8, 1e-6), U(NOTHING), NOT_FAIL, &o);
    U(rogue)(__LINE__, U(F_RANDOM), 2, EITHER(1e-8, 1e-6), U(SIGN_ONE), NOT_PASS, &o);
    U(rogue)(__LINE__, U(F_RANDOM), 2, EITHER(1e-12, 1e-6), U(SIGN_ONE), BIT(WRONG), &o);
    U(rogue)(__LINE__, U(F_RANDOM), 0, 1, U(NOTHING), fickle, &o);
    U(rogue)(__LINE__, U(G_RANDOM), 1, EITHER(1e-9, 1e-6), U(NOTHING), RIGHT, &o);
}

/* ---------------------------------------------------------------- how verdicts combine */
typedef struct U(mixture) {
    U(probe) p;
    RT (*h[4])(RT);
    double claims[4];
} U(mixture);
static RT U(f_mixed)(const RT *x, size_t n, void *user)
{
    U(mixture) *q = (U(mixture) *)user;
    RT s = 0;
    size_t i;
    q->p.f_calls++;
    for (i = 0; i < n; i++) s += q->h[i](x[i]);
    return s;
}
static void U(g_mixed)(const RT *x, size_t n, RT *g, void *user)
{
    U(mixture) *q = (U(mixture) *)user;
    size_t i;
    (void)x;
    q->p.g_calls++;
    for (i = 0; i < n; i++) g[i] = (RT)q->claims[i];
}
static ad_check_result U(mixed)(int line, const double *claims, unsigned mask,
                                const ad_check_options *opt)
{
    static const RT x[4] = { K(0.5), 0, 1, 0 };
    ad_check_result r;
    ad_verdict v;
    U(mixture) q;
    memset(&q, 0, sizeof q);
    q.h[0] = U(sine);
    q.h[1] = U(absolute);
    q.h[2] = U(floor_);
    q.h[3] = U(cusp);
    memcpy(q.claims, claims, sizeof q.claims);
    v = A(check_gradient)(U(f_mixed), U(g_mixed), x, 4, &q, opt, &r);
    inspect(line, IS_FLOAT ? "float mixture" : "mixture", 0, mask, v, &r);
    CHECK(r.f_evals == q.p.f_calls);
    return r;
}
static void U(mixtures)(void)
{
    static const RT two[2] = { K(0.5), 0 };
    ad_check_options o = default_options();
    double claims[4], box[4] = { -5, -5, -5, -5 };
    ad_check_result r;
    U(mixture) q;
    claims[0] = cos(0.5);
    claims[1] = claims[2] = claims[3] = 0;
    r = U(mixed)(__LINE__, claims, BIT(DISCONTINUOUS), NULL);
    CHECK(IS_FLOAT || (r.findings[0].i == 2 && r.wrong == 2 && r.nonsmooth >= 1));
    claims[1] = 7;
    r = U(mixed)(__LINE__, claims, BIT(DISCONTINUOUS), NULL);
    CHECK(IS_FLOAT || r.wrong == 3);
    claims[0] = 3;
    r = U(mixed)(__LINE__, claims, BIT(WRONG), NULL);
    CHECK(IS_FLOAT || (r.findings[0].i == 0 && r.wrong == 4 && r.n_findings == 4));
    o.max_report = 2;
    r = U(mixed)(__LINE__, claims, BIT(WRONG), &o);
    CHECK(IS_FLOAT || (r.n_findings == 2 && r.wrong == 4));
    claims[1] = (double)NAN;
    r = U(mixed)(__LINE__, claims, BIT(G_NONFINITE), NULL);
    CHECK(r.findings[0].i == 1);
    o.lo = box;
    U(mixed)(__LINE__, claims, BIT(G_NONFINITE), &o);
    /* a valid kink is the verdict of a whole that is right otherwise */
    memset(&q, 0, sizeof q);
    q.h[0] = U(sine);
    q.h[1] = U(absolute);
    q.claims[0] = cos(0.5);
    q.claims[1] = 0.5;
    r = U(run)(__LINE__, "sine and kink", KINK, U(f_mixed), U(g_mixed), two, 2, &q.p, NULL);
    CHECK(r.nonsmooth == 1 && r.wrong == 0 && r.checked == 2);
    q.claims[0] = 1;
    memset(&q.p, 0, sizeof q.p);
    U(run)(__LINE__, "wrong sine and kink", BIT(WRONG), U(f_mixed), U(g_mixed), two, 2, &q.p, NULL);
}

/* ---------------------------------------------------------------- many variables
   Chained Rosenbrock (mode 0), squares of scales 1e-3 to 1e3 (1), two fields of scale 1e5 and 1
   (2), the sum above (3). The first p->j of the places below have p->a times the right gradient. */
static size_t U(place)(size_t k, size_t n) { return (k * 7919 + n / 3 + 1) % n; }

static double U(weight)(size_t i)
{
    static const double w[7] = { 1, 1e-3, 1e3, 1e-2, 10, 0.1, 100 };
    return w[i % 7];
}
/* where mode 4 has its kinks */
static RT U(corner)(size_t i) { return K(0.5) + K(0.001) * (RT)(i * 7919 % 1000); }
static RT U(f_many)(const RT *x, size_t n, void *user)
{
    U(probe) *p = (U(probe) *)user;
    double s = 0;
    size_t i;
    p->f_calls++;
    if (p->lo || p->hi) U(watch)(p, x, n);
    if (p->mode == 0) {
        RT sum = 0;
        for (i = 0; i + 1 < n; i++) {
            const RT a = x[i + 1] - x[i] * x[i], b = 1 - x[i];
            sum += 100 * a * a + b * b;
        }
        return sum;
    }
    if (p->mode == 1)
        for (i = 0; i < n; i++) s += U(weight)(i) * (double)x[i] * (double)x[i];
    if (p->mode == 2)
        for (i = 0; i < n; i++) s += (i < n / 2 ? 1e5 : 1.0) * (double)(x[i] * x[i] * x[i]);
    if (p->mode == 3) return U(value_sum)(x, n);
    if (p->mode == 4)
        for (i = 0; i < n; i++) s += (double)M(fabs)(x[i] - U(corner)(i));
    if (p->mode >= 5) {
        for (i = 0; i < n; i++) s += (double)M(sin)(x[i]);
        if (p->mode == 5) s += (double)M(floor)(x[p->i]);
        if (p->mode == 6) s += (double)(x[p->i] * M(sqrt)(x[p->i]));
    }
    return (RT)s;
}
static void U(g_many)(const RT *x, size_t n, RT *g, void *user)
{
    U(probe) *p = (U(probe) *)user;
    size_t i;
    p->g_calls++;
    for (i = 0; i < n; i++) g[i] = 0;
    if (p->mode == 0)
        for (i = 0; i + 1 < n; i++) {
            const RT a = x[i + 1] - x[i] * x[i], b = 1 - x[i];
            g[i] -= 400 * a * x[i] + 2 * b;
            g[i + 1] += 200 * a;
        }
    if (p->mode == 1)
        for (i = 0; i < n; i++) g[i] = (RT)(2 * U(weight)(i) * (double)x[i]);
    if (p->mode == 2)
        for (i = 0; i < n; i++) g[i] = (i < n / 2 ? K(1e5) : 1) * (3 * x[i] * x[i]);
    if (p->mode == 3) U(grad_sum)(x, n, g);
    if (p->mode == 4)
        for (i = 0; i < n; i++) g[i] = x[i] > U(corner)(i) ? 1 : x[i] < U(corner)(i) ? -1 : 0;
    if (p->mode >= 5) for (i = 0; i < n; i++) g[i] = M(cos)(x[i]);
    if (p->mode == 6) g[p->i] += K(1.5) * M(sqrt)(x[p->i]);
    if (p->j == n) for (i = 0; i < n; i++) g[i] *= (RT)p->a;
    else for (i = 0; i < p->j; i++) g[U(place)(i, n)] *= (RT)p->a;
    if (p->spoil) U(spoil)(p, x, g, n);
}
static ad_check_result U(many)(int line, int mode, size_t n, size_t wrong, double a, unsigned mask,
                               const ad_check_options *opt)
{
    char name[90];
    RT *x = (RT *)malloc(n * sizeof *x);
    ad_check_result r;
    U(probe) p;
    uint64_t s = 11;
    size_t i, k;
    for (i = 0; i < n; i++) x[i] = (RT)between(&s, 0.4, 1.6);
    memset(&p, 0, sizeof p);
    p.mode = mode;
    p.j = wrong;
    p.a = a;
    p.once = n > 6000;
    if (opt) p.lo = opt->lo;
    if (opt) p.hi = opt->hi;
    sprintf(name, "%smany %d, n = %lu, %lu times %g", IS_FLOAT ? "float " : "", mode,
            (unsigned long)n, (unsigned long)wrong, a);
    r = U(run)(line, name, mask, U(f_many), U(g_many), x, n, &p, opt);
    /* what it names is what is wrong */
    if (wrong < n && r.verdict == AD_VERDICT_WRONG)
        for (k = 0; k < r.n_findings; k++) {
            if (r.findings[k].i == AD_NO_INDEX || !(FAIL & 1u << r.findings[k].verdict)) continue;
            for (i = 0; i < wrong && U(place)(i, n) != r.findings[k].i;) i++;
            test_check(i < wrong, __FILE__, line, "%s: names component %lu", name,
                       (unsigned long)r.findings[k].i);
        }
    free(x);
    return r;
}
#define MANY_IS(mode, n, wrong, a, mask) U(many)(__LINE__, mode, n, wrong, a, mask, NULL)

/* The finding of a component is among them. */
static int U(names)(const ad_check_result *r, size_t i)
{
    return U(found)(r, i).verdict == AD_VERDICT_WRONG && U(found)(r, i).i == i;
}

static void U(large)(void)
{
    /* a float's sum of many terms may leave nothing to be seen: that is INCONCLUSIVE */
    const unsigned right = EITHER(RIGHT, NOT_FAIL), wrong = EITHER(BIT(WRONG), NOT_PASS);
    const size_t n = MANY, dense = EITHER(600, 70);
    static const ad_check_block blocks[3] = { { "W1", 0, 1000 }, { "W2", 1000, 2500 },
                                              { "bias", 3500, 500 } };
    ad_check_options o = default_options();
    ad_check_result r;
    size_t k;
    int m;
    /* dense: 2 to 3 evaluations a component; in float most look suspicious and cost more */
    r = MANY_IS(3, dense, 0, 1, RIGHT);
    CHECK(r.mode == AD_CHECK_DENSE && r.checked == dense);
    CHECK(IS_FLOAT || r.f_evals <= 3 * dense + 100);
    r = MANY_IS(3, dense, 3, -1, BIT(WRONG));
    CHECK(IS_FLOAT || r.wrong == 3);
    for (m = 0; m < 4; m++) {
        r = MANY_IS(m, 3000, 0, 1, right);
        CHECK(r.mode == AD_CHECK_DIRECTIONAL);
        CHECK(r.f_evals <= 200 && r.g_evals <= 30);
        MANY_IS(m, 3000, 3000, 2, BIT(WRONG));
        MANY_IS(m, 3000, 3000, -1, BIT(WRONG));
        MANY_IS(m, 3000, 3000, 1.1, BIT(WRONG));
        r = MANY_IS(m, 3000, 1, -1, wrong);
        CHECK(IS_FLOAT || (U(names)(&r, U(place)(0, 3000)) && r.wrong == 1));
        r = MANY_IS(m, 3000, 1, 1.1, wrong);
        CHECK(IS_FLOAT || (U(names)(&r, U(place)(0, 3000)) && r.wrong == 1));
        MANY_IS(m, 3000, 1, 1e3, wrong);
    }
    r = MANY_IS(0, n, 5, 1.1, wrong);
    for (k = 0; k < 5 && !IS_FLOAT; k++) CHECK(U(names)(&r, U(place)(k, n)));
    CHECK(IS_FLOAT || r.wrong == 5);
    r = MANY_IS(0, n, 20, -1, wrong);
    CHECK(IS_FLOAT || (r.wrong >= 8 && r.n_findings == 8));
    r = MANY_IS(0, n, n, 2, BIT(WRONG));
    CHECK(r.hint == AD_HINT_FACTOR);
    r = MANY_IS(0, n, n, -1, BIT(WRONG));
    CHECK(r.hint == AD_HINT_SIGN);
    r = MANY_IS(0, LARGE / 5, 0, 1, right);
    CHECK(r.f_evals <= 200);
    if (!IS_FLOAT) {
        r = MANY_IS(0, LARGE, 1, -1, BIT(WRONG));
        CHECK(U(names)(&r, U(place)(0, LARGE)) && r.wrong == 1);
    }
    /* blocks; no localising; one direction; other seeds */
    o.blocks = blocks;
    o.n_blocks = 3;
    U(many)(__LINE__, 3, 4000, 0, 1, right, &o);
    r = U(many)(__LINE__, 3, 4000, 1, -1, EITHER(BIT(WRONG), NOT_PASS), &o);     /* place 1334 */
    CHECK(r.verdict != AD_VERDICT_WRONG || strstr(r.message, "W2") != NULL);
    o = default_options();
    o.localise = -1;
    r = U(many)(__LINE__, 3, 3000, 3000, 2, BIT(WRONG), &o);
    CHECK(r.f_evals <= 200 && r.findings[0].i == AD_NO_INDEX);
    o = default_options();
    for (k = 0; k < 4; k++) {
        o.directions = (int)(k % 2);
        o.seed = k * 1000003 + 5;
        U(many)(__LINE__, 3, 3000, 0, 1, right, &o);
        U(many)(__LINE__, 3, 3000, 1, -1, wrong, &o);
        U(many)(__LINE__, 3, 3000, 3000, 0.9, wrong, &o);
    }
    o = default_options();
    o.dense_limit = 10;
    r = U(many)(__LINE__, 3, 50, 0, 1, RIGHT, &o);
    CHECK(r.mode == AD_CHECK_DIRECTIONAL);
    r = U(many)(__LINE__, 3, 50, 1, -1, BIT(WRONG), &o);
    CHECK(U(names)(&r, U(place)(0, 50)));
    o.dense_limit = 100000;
    if (!IS_FLOAT) {
        r = U(many)(__LINE__, 1, 2100, 0, 1, RIGHT, &o);
        CHECK(r.mode == AD_CHECK_DENSE);
    }
}

/* Balanced directions show an error under a slope that is larger by as much as the digits hold, in
   whatever unit f is. */
static RT U(f_unequal)(const RT *x, size_t n, void *user)
{
    const U(affine) *q = (const U(affine) *)user;
    (void)n;
    return q->a * (q->b * M(sin)(x[0] - 1) + x[1] * x[1]);
}
static void U(g_unequal)(const RT *x, size_t n, RT *g, void *user)
{
    const U(affine) *q = (const U(affine) *)user;
    (void)n;
    g[0] = q->a * q->b * M(cos)(x[0] - 1);
    g[1] = q->a * q->c * 2 * x[1];
}
static void U(units)(void)
{
    static const double unit[2][5] = { { 1e-80, 1e-40, 1, 1e40, 1e80 },
                                       { 1e-17, 1e-5, 1, 1e5, 1e15 } };
    static const RT x[2] = { 1, K(0.25) };
    ad_check_options o = default_options();
    size_t k;
    o.dense_limit = 1;
    for (k = 0; k < 5; k++) {
        U(affine) q;
        ad_check_result r;
        memset(&q, 0, sizeof q);
        q.a = K(unit[IS_FLOAT][k]);
        q.b = EITHER(K(1e15), K(1e5));
        for (q.c = -1; q.c <= 1; q.c += 2) {
            A(check_gradient)(U(f_unequal), U(g_unequal), x, 2, &q, &o, &r);
            test_check(r.verdict == (q.c < 0 ? AD_VERDICT_WRONG : AD_VERDICT_CORRECT)
                && (q.c > 0 || (r.wrong == 1 && r.findings[0].i == 1)), __FILE__, __LINE__,
                "unit %g: %s", (double)q.a, r.message);
        }
    }
}

/* Nothing is said of variables that cannot be moved, whatever is known of a block of others. */
static RT U(f_halves)(const RT *x, size_t n, void *user)
{
    RT s = 0;
    size_t i;
    (void)user;
    for (i = 0; i < n; i++) s += 2 * i < n ? x[i] * x[i] : x[i] == K(0.5) ? 0 : K(NAN);
    return s;
}
static void U(g_halves)(const RT *x, size_t n, RT *g, void *user)
{
    size_t i;
    (void)user;
    for (i = 0; i < n; i++) g[i] = 2 * i < n ? 2 * x[i] : 0;
}
static void U(halves)(void)
{
    static const ad_check_block block[2] = { { "moves", 0, 5 }, { "stays", 5, 5 } };
    ad_check_options o = default_options();
    ad_check_result r;
    RT x[10];
    size_t i;
    for (i = 0; i < 10; i++) x[i] = K(0.5);
    o.dense_limit = 1;
    o.blocks = block;
    for (o.n_blocks = 0; o.n_blocks <= 2; o.n_blocks++) {
        A(check_gradient)(U(f_halves), U(g_halves), x, 10, NULL, &o, &r);
        test_check(r.verdict == (o.n_blocks == 1 ? AD_VERDICT_CORRECT : AD_VERDICT_INCONCLUSIVE),
            __FILE__, __LINE__, "%s", r.message);
    }
}

/* A box when all components are stepped at once: x in it, at its edges, in its corners. */
static void U(large_box)(void)
{
    const size_t n = 2100;
    double *lo = (double *)malloc(2 * n * sizeof *lo), *hi = lo + n;
    RT *x = (RT *)malloc(n * sizeof *x);
    ad_check_options o = default_options();
    uint64_t s = 9;
    size_t i;
    int kind;
    o.lo = lo;
    o.hi = hi;
    for (kind = 0; kind < 6; kind++) {
        U(probe) p;
        memset(&p, 0, sizeof p);
        p.mode = 3;
        p.lo = lo;
        p.hi = hi;
        for (i = 0; i < n; i++) {
            const double at = (double)(x[i] = (RT)between(&s, 0.4, 1.6));
            lo[i] = kind == 1 || (kind == 3 && i % 2) ? at : at - 0.25;
            hi[i] = kind == 2 || (kind == 3 && !(i % 2)) ? at : at + 0.25;
            if (kind == 4) lo[i] = at - 1e-3, hi[i] = at + (i % 5 ? 1e-3 : 0);
            if (kind == 5 && i % 7 == 3) lo[i] = hi[i] = at;      /* fixed ones among the others */
        }
        U(run)(__LINE__, "large box", NOT_FAIL, U(f_many), U(g_many), x, n, &p, &o);
        p.f_calls = p.g_calls = 0;
        p.j = n;
        p.a = -1;
        U(run)(__LINE__, "large box, sign", kind == 0 ? BIT(WRONG) : NOT_PASS, U(f_many),
               U(g_many), x, n, &p, &o);
        p.f_calls = p.g_calls = 0;
        p.j = 1;
        U(run)(__LINE__, "large box, one sign", NOT_PASS, U(f_many), U(g_many), x, n, &p, &o);
    }
    free(lo);
    free(x);
}

/* Kinks of some components, or of all; a jump; an edge of the domain. */
static void U(large_kinks)(void)
{
    const size_t n = 2100;
    RT *x = (RT *)malloc(n * sizeof *x);
    uint64_t s = 31;
    U(probe) p;
    size_t i;
    int kind;
    for (kind = 0; kind < 5; kind++) {
        for (i = 0; i < n; i++) {
            x[i] = (RT)between(&s, 0.4, 1.6);
            if (kind == 1 && i % 1000 == 7) x[i] = U(corner)(i);
            if (kind == 2) x[i] = U(corner)(i);
        }
        if (kind == 3) x[1234] = 1;
        if (kind == 4) x[1234] = 0;
        memset(&p, 0, sizeof p);
        p.i = 1234;
        p.mode = kind < 3 ? 4 : kind + 2;
        U(run)(__LINE__, "large kinks", kind == 3 ? NOT_PASS : NOT_FAIL, U(f_many), U(g_many), x, n,
               &p, NULL);
        if (kind == 2 || kind == 3) continue;
        p.f_calls = p.g_calls = 0;
        p.j = n;
        p.a = -1;
        U(run)(__LINE__, "large kinks, signs", NOT_PASS, U(f_many), U(g_many), x, n, &p, NULL);
    }
    free(x);
}

/* Non-finite numbers and broken contracts when n is large. */
static void U(large_rogue)(void)
{
    const size_t n = 5000;
    RT *x = (RT *)malloc(n * sizeof *x);
    ad_check_result r;
    U(probe) p;
    size_t i;
    for (i = 0; i < n; i++) x[i] = K(0.5);
    memset(&p, 0, sizeof p);
    p.mode = 3;
    p.i = 3777;
    p.spoil = U(NAN_ONE);
    r = U(run)(__LINE__, "NaN at 3777", BIT(G_NONFINITE), U(f_many), U(g_many), x, n, &p, NULL);
    CHECK(r.findings[0].i == 3777);
    p.f_calls = p.g_calls = 0;
    p.i = 0;
    r = U(run)(__LINE__, "NaN at 0", BIT(G_NONFINITE), U(f_many), U(g_many), x, n, &p, NULL);
    CHECK(r.findings[0].i == 0);
    p.f_calls = p.g_calls = 0;
    p.i = 3777;
    p.spoil = U(INF_ONE);
    r = U(run)(__LINE__, "Inf at 3777", BIT(G_NONFINITE), U(f_many), U(g_many), x, n, &p, NULL);
    CHECK(r.findings[0].i == 3777);
    p.f_calls = p.g_calls = 0;
    p.spoil = U(MISSING_ONE);
    r = U(run)(__LINE__, "0 at 3777", EITHER(BIT(WRONG), NOT_PASS), U(f_many), U(g_many), x, n, &p,
               NULL);
    CHECK(IS_FLOAT || U(names)(&r, 3777));
    for (i = 0; i < 4; i++) {         /* in the field of scale 1, under that of scale 1e5 */
        static const double factor[4] = { -1, 1.1, 0, 2 };
        memset(&p, 0, sizeof p);
        p.mode = 2;
        p.i = 4000 + 7 * i;
        p.spoil = U(FACTOR_ONE);
        p.a = factor[i];
        r = U(run)(__LINE__, "hidden field", EITHER(BIT(WRONG), NOT_PASS), U(f_many), U(g_many), x,
                   n, &p, NULL);
        CHECK(IS_FLOAT || U(names)(&r, 4000 + 7 * i));
    }
    x[17] = K(NAN);
    memset(&p, 0, sizeof p);
    p.mode = 3;
    p.f_calls = p.g_calls = 0;
    p.spoil = U(NOTHING);
    U(run)(__LINE__, "NaN in x", BIT(F_NONFINITE) | BIT(ERROR), U(f_many), U(g_many), x, n, &p,
           NULL);
    free(x);
}

/* ---------------------------------------------------------------- the resolution it states
   An error of three times that, in a component not smaller than most, must be found. */
static int U(ascending)(const void *a, const void *b)
{
    const RT x = *(const RT *)a, y = *(const RT *)b;
    return (x > y) - (x < y);
}
static RT U(median)(U(grad) g, const RT *x, size_t n, U(probe) p)
{
    RT *v = (RT *)malloc(n * sizeof *v), m;
    size_t i;
    g(x, n, v, &p);
    for (i = 0; i < n; i++) v[i] = M(fabs)(v[i]);
    qsort(v, n, sizeof *v, U(ascending));
    m = v[n / 2];
    free(v);
    return m;
}
static void U(resolves)(int line, const char *name, U(fun) f, U(grad) g, const RT *x, size_t n,
                        U(probe) *p, const ad_check_options *opt, double at_most)
{
    const U(probe) fresh = *p;
    const ad_check_result r = U(run)(line, name, NOT_FAIL, f, g, x, n, p, opt);
    const RT typical = U(median)(g, x, n, fresh);
    RT *right;
    size_t k;
    if (!ad_check_ok(r.verdict)) return;
    test_check(r.resolution > 0 && r.resolution <= at_most, __FILE__, line,
               "%s: resolution %g; \"%s\"", name, r.resolution, r.message);
    if (!(r.resolution > 0)) return;
    right = (RT *)malloc(n * sizeof *right);
    *p = fresh;
    g(x, n, right, p);
    for (k = 0; k < 6; k++) {
        *p = fresh;
        p->spoil = U(FACTOR_ONE);
        for (p->i = (k * 977 + n / 2) % n; M(fabs)(right[p->i]) < typical;) p->i = (p->i + 1) % n;
        p->a = k % 2 ? 1 + 3 * r.resolution : 1 - 3 * r.resolution;
        U(run)(line, name, FAIL, f, g, x, n, p, opt);
    }
    free(right);
}
static RT U(f_sum_noisy)(const RT *x, size_t n, void *user)
{
    U(probe) *p = (U(probe) *)user;
    double h = 0;
    size_t i;
    p->f_calls++;
    for (i = 0; i < n; i++) h += (double)(i + 1) * (double)x[i];
    return (RT)((double)U(value_sum)(x, n) + p->b * U(hash)((RT)h));
}
static void U(resolution)(void)
{
    static const double noise[] = { 0, 1e-12, 1e-8, 1e-5, 1e-4 };
    const size_t n = 3000;
    RT *x = (RT *)malloc(n * sizeof *x);
    ad_check_options o = default_options();
    uint64_t s = 21;
    size_t i;
    U(probe) p;
    char name[60];
    for (i = 0; i < n; i++) x[i] = (RT)between(&s, 0.4, 1.2);
    memset(&p, 0, sizeof p);
    U(resolves)(__LINE__, "resolution", U(f_sum), U(g_sum), x, 6, &p, NULL, EITHER(3e-6, 0.03));
    for (i = 0; i < sizeof noise / sizeof noise[0]; i++) {
        memset(&p, 0, sizeof p);
        p.b = noise[i];
        sprintf(name, "resolution, noise %g", noise[i]);
        U(resolves)(__LINE__, name, U(f_sum_noisy), U(g_sum), x, 6, &p, NULL,
                    EITHER(3e-6 + 1e3 * noise[i], 0.03 + 1e3 * noise[i]));
        o.dense_limit = 1;
        sprintf(name, "resolution, noise %g, directions", noise[i]);
        memset(&p, 0, sizeof p);
        p.b = noise[i];
        U(resolves)(__LINE__, name, U(f_sum_noisy), U(g_sum), x, 6, &p, &o,
                    EITHER(1e-4 + 1e4 * noise[i], 1));
    }
    memset(&p, 0, sizeof p);
    p.mode = 3;
    U(resolves)(__LINE__, "resolution, directions", U(f_many), U(g_many), x, n, &p, NULL,
                EITHER(1e-2, 1e2));
    memset(&p, 0, sizeof p);
    p.mode = 1;
    U(resolves)(__LINE__, "resolution, squares", U(f_many), U(g_many), x, n, &p, NULL,
                EITHER(1e-2, 1e2));
    memset(&p, 0, sizeof p);
    p.mode = 2;
    U(resolves)(__LINE__, "resolution, fields", U(f_many), U(g_many), x, n, &p, NULL,
                EITHER(1e-1, 1e2));
    free(x);
}

/* ---------------------------------------------------------------- a limit on evaluations */
static void U(budget)(void)
{
    static const size_t limits[] = { 1, 2, 3, 4, 5, 7, 10, 12, 15, 20, 30, 50, 80, 120, 200, 400 };
    ad_check_options o = default_options();
    const unsigned limited = BIT(BUDGET);
    size_t i;
    int spent = 0;
    for (i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        U(probe) p;
        ad_check_result r;
        o.max_evals = limits[i];
        memset(&p, 0, sizeof p);
        r = U(run)(__LINE__, "budget", NOT_FAIL | limited, U(f_sum), U(g_sum), U(point), 6, &p, &o);
        spent += r.verdict == AD_VERDICT_BUDGET;
        memset(&p, 0, sizeof p);
        p.spoil = U(SIGN_ALL);
        U(run)(__LINE__, "budget, signs", NOT_PASS | limited, U(f_sum), U(g_sum), U(point), 6, &p,
               &o);
        U(many)(__LINE__, 0, 3000, 0, 1, NOT_FAIL | limited, &o);
        U(many)(__LINE__, 0, 3000, 1, -1, NOT_PASS | limited, &o);
        U(many)(__LINE__, 0, 3000, 20, -1, NOT_PASS | limited, &o);
        U(many)(__LINE__, 0, 3000, 3000, 2, NOT_PASS | limited, &o);
        ONE_OPT(sine, 0.3, cos((double)K(0.3)), NOT_FAIL | limited, &o);
        ONE_OPT(sine, 0.3, 0, NOT_PASS | limited, &o);
        ONE_OPT(floor_, 1, 0, NOT_PASS | limited, &o);
        ONE_OPT(absolute, 0, 0, NOT_FAIL | limited, &o);
        ONE_OPT(absolute, 0, 3, NOT_PASS | limited, &o);
    }
    o.max_evals = 3;
    {
        U(probe) p;
        memset(&p, 0, sizeof p);
        p.spoil = U(FACTOR_ONE);
        p.i = 5;
        p.a = 3;
        U(run)(__LINE__, "budget of 3", BIT(BUDGET), U(f_sum), U(g_sum), U(point), 6, &p, &o);
    }
    CHECK(spent > 0);
}

/* ---------------------------------------------------------------- the engine alone */
static RT U(engine_f)(RT x, void *user)
{
    U(affine) *q = (U(affine) *)user;
    q->p.f_calls++;
    return q->a * q->p.h(q->b * x + q->c);
}
static double U(derive)(RT (*h)(RT), double x, double *bound)
{
    U(affine) q;
    memset(&q, 0, sizeof q);
    q.p.h = h;
    q.a = q.b = 1;
    return A(derivative)(U(engine_f), (RT)x, &q, NULL, bound);
}
/* Beside a corner at 7/16: slopes 0 and 2. Beside 1: r^2 log r, whose second derivative has no
   limit there. */
static RT U(beside_corner)(RT x) { return M(fabs)(x - K(0.4375)) + x; }
static RT U(beside_log)(RT x)
{
    const RT r = M(fabs)(x - 1);
    return r > 0 ? r * r * M(log)(r) : 0;
}
static void U(engine)(void)
{
    int k, i, covered = 0, count = 0, sharp = 0;
    uint64_t s = 8;
    double bound;
    for (k = 0; k < SMOOTH; k++)
        for (i = 0; i < 100; i++) {
            const double x = (double)(RT)between(&s, 0.2, 2.5), d = U(slope)(k, x);
            const double got = U(derive)(U(smooth)[k], x, &bound);
            const double least = 4 * DBL_EPSILON * fabs(d);     /* of d itself */
            count++;
            if (fabs(got - d) <= bound + least) covered++;
            if (bound <= EITHER(1e-9, 1e-2) * fabs(d)) sharp++;
            if (!(fabs(got - d) <= bound + least) && count - covered < 5)
                fprintf(stderr, "%sengine: smooth %d at %.9g: %.17g +- %g, not %.17g\n",
                    IS_FLOAT ? "float " : "", k, x, got, bound, d);
        }
    test_check(covered >= count - EITHER(0, count / 200), __FILE__, __LINE__,
               "%d of %d bounds cover the error", covered, count);
    test_check(sharp > count * EITHER(95, 80) / 100, __FILE__, __LINE__,
               "%d of %d bounds are small", sharp, count);
    CHECK_NEAR(U(derive)(U(sine), 0.3, NULL), cos((double)K(0.3)), EITHER(1e-10, 1e-4));
    CHECK(isnan(U(derive)(U(absolute), 0, &bound)));
    CHECK(isnan(U(derive)(U(floor_), 1, NULL)));
    CHECK(isnan(U(derive)(U(root), 0, NULL)));
    CHECK(isnan(U(derive)(U(cube_root), 0, NULL)));
    CHECK(isnan(U(derive)(U(logarithm), -1, NULL)));
    CHECK(isnan(U(derive)(U(only_here), (double)K(0.7), &bound)));
    CHECK_NEAR(U(derive)(U(right_exponential), 0, &bound), 1, EITHER(1e-6, 1e-2));
    CHECK_NEAR(U(derive)(U(constant), 0.3, &bound), 0, EITHER(1e-12, 1e-4));
    for (k = EITHER(17, 15); k < EITHER(27, 17); k++) {     /* known by the steps that end before */
        const double got = U(derive)(U(beside_corner), 0.4375 + ldexp(1.0, -k), &bound);
        CHECK(fabs(got - 2) <= bound && bound < 0.1);
    }
    for (k = EITHER(42, 20); k < EITHER(46, 22); k++) {     /* longer steps agree on another one */
        const double r = ldexp(1.0, -k), d = 2 * r * log(r) + r;
        CHECK(fabs(U(derive)(U(beside_log), 1 + r, &bound) - d) <= bound);
    }
    for (i = 0; i < 60; i++) {          /* where it cannot know, the bound says so, or it is NaN */
        const double x = (double)(RT)pow(10, EITHER(between(&s, 6, 12), between(&s, 1, 6)));
        const double got = U(derive)(U(sine), x, &bound);
        test_check(isnan(got) || fabs(got - cos(x)) <= bound + 1e-12, __FILE__, __LINE__,
                   "sin' at %.9g is %.17g +- %g", x, got, bound);
    }
    bound = 7;
    CHECK(isnan(A(derivative)(NULL, 1, NULL, NULL, &bound)));
}

/* ---------------------------------------------------------------- arguments */
static int U(refused)(ad_verdict v, const ad_check_result *r)
{
    return v == AD_VERDICT_ERROR && r->verdict == v && good_message(r) && r->f_evals == 0;
}
static void U(arguments)(void)
{
    const unsigned odd = BIT(ERROR) | UNDECIDED;
    U(probe) p;
    ad_check_options o = default_options();
    ad_check_result r;
    ad_verdict v;
    double lo = 1, hi = 0;
    RT x = K(0.5), bad;
    int i;
    char work[64];
    memset(&p, 0, sizeof p);
    p.h = U(sine);
    p.claim = cos(0.5);
#define REFUSED(...) (memset(&r, 0x55, sizeof r), v = A(check_gradient)(__VA_ARGS__),              \
                      CHECK(U(refused)(v, &r)))
    REFUSED(NULL, U(g1), &x, 1, &p, NULL, &r);
    REFUSED(U(f1), NULL, &x, 1, &p, NULL, &r);
    REFUSED(U(f1), U(g1), NULL, 1, &p, NULL, &r);
    REFUSED(NULL, NULL, NULL, 0, NULL, NULL, &r);
    CHECK(A(check_gradient)(NULL, U(g1), &x, 1, &p, NULL, NULL) == AD_VERDICT_ERROR);
    REFUSED(U(f1), U(g1), &x, (size_t)-1, &p, NULL, &r);
    REFUSED(U(f1), U(g1), &x, (size_t)-1 / sizeof x, &p, NULL, &r);
    o.work = work;
    o.work_bytes = sizeof work;
    REFUSED(U(f1), U(g1), &x, 1, &p, &o, &r);
    o.work_bytes = 0;
    v = A(check_gradient)(U(f1), U(g1), &x, 1, &p, &o, &r);
    CHECK(v == AD_VERDICT_ERROR || (1u << v & RIGHT));
    o = default_options();
    o.lo = &lo;
    o.hi = &hi;
    v = A(check_gradient)(U(f1), U(g1), &x, 1, &p, &o, &r);        /* an empty box */
    inspect(__LINE__, "empty box", 0, odd, v, &r);
    hi = 2;
    v = A(check_gradient)(U(f1), U(g1), &x, 1, &p, &o, &r);        /* x outside of it */
    inspect(__LINE__, "x outside the box", 0, odd, v, &r);
    CHECK(ad_check_ok(A(check_gradient)(U(f1), U(g1), &x, 1, &p, NULL, NULL)));
    memset(&r, 0x55, sizeof r);
    v = A(check_gradient)(U(f1), U(g1), &x, 0, &p, NULL, &r);      /* nothing to check */
    inspect(__LINE__, "n = 0", 0, BIT(CORRECT) | BIT(SKIPPED) | odd, v, &r);
    v = A(check_gradient)(U(f1), U(g1), NULL, 0, &p, NULL, &r);
    inspect(__LINE__, "n = 0, x NULL", 0, BIT(CORRECT) | BIT(SKIPPED) | odd, v, &r);
    for (i = 0; i < 3; i++) {
        bad = i == 0 ? K(NAN) : i == 1 ? K(INFINITY) : -K(INFINITY);
        p.h = U(bell);
        v = A(check_gradient)(U(f1), U(g1), &bad, 1, &p, NULL, &r);
        inspect(__LINE__, "x not finite", (double)bad, odd, v, &r);
        p.h = U(constant);
        v = A(check_gradient)(U(f1), U(g1), &bad, 1, &p, NULL, &r);
        inspect(__LINE__, "x not finite", (double)bad, odd, v, &r);
        CHECK(v == AD_VERDICT_ERROR && strstr(r.message, "x[0] is not finite"));
    }
    /* senseless options: refused or replaced by the defaults */
    p.h = U(sine);
    for (i = 0; i < 18; i++) {
        const double nonsense[3] = { -1, (double)NAN, HUGE_VAL };
        o = default_options();
        lo = nonsense[i % 3];
        if (i >= 15) o.lo = &lo;
        else if (i >= 12) o.x_scale = &lo;
        else
        if (i < 3) o.rtol = nonsense[i];
        else if (i < 6) o.f_noise = nonsense[i - 3];
        else if (i < 9) o.f_eps = nonsense[i - 6];
        else o.max_report = i == 9 ? -5 : i == 10 ? 1000 : 0, o.directions = 1 << i;
        p.claim = 5;
        v = A(check_gradient)(U(f1), U(g1), &x, 1, &p, &o, &r);
        inspect(__LINE__, "senseless options", i, i == 2 ? FAIL | odd | PASS : FAIL | odd, v, &r);
        x = i >= 12 && i < 15 ? K(0.5) : 0;
    }
#undef REFUSED
}

static void U(verdicts)(void)
{
    static const ad_verdict all[] = { AD_VERDICT_CORRECT, AD_VERDICT_CORRECT_ONESIDED,
        AD_VERDICT_NONSMOOTH_VALID, AD_VERDICT_INCONCLUSIVE, AD_VERDICT_BUDGET,
        AD_VERDICT_NONDETERMINISTIC, AD_VERDICT_F_NONFINITE, AD_VERDICT_INACCURATE,
        AD_VERDICT_NONSMOOTH_INVALID, AD_VERDICT_UNBOUNDED, AD_VERDICT_DISCONTINUOUS,
        AD_VERDICT_WRONG, AD_VERDICT_G_NONFINITE, AD_VERDICT_STALE_STATE, AD_VERDICT_ACCUMULATES,
        AD_VERDICT_UNWRITTEN, AD_VERDICT_X_MODIFIED, AD_VERDICT_OUT_OF_BOUNDS };
    size_t i;
    U(ordinary)();
    U(scales)();
    U(random_suite)();
    U(feasible)();
    U(kinks)();
    U(jumps)();
    U(tangents)();
    U(domains)();
    U(noise)();
    U(rounding)();
    U(shapes)();
    U(cancelling)();
    U(emerging)();
    U(textbook)();
    U(hints)();
    U(contract)();
    U(mixtures)();
    if (test_in_type(sizeof(RT))) U(large)();
    U(units)();
    U(halves)();
    U(large_box)();
    U(large_kinks)();
    U(large_rogue)();
    U(resolution)();
    U(budget)();
    if (!IS_FLOAT) valley();
    if (!IS_FLOAT) species();
    if (!IS_FLOAT) circuit();
    U(engine)();
    U(arguments)();
    for (i = 0; i < sizeof all / sizeof all[0]; i++)
        test_check((U(earned) & 1u << all[i]) != 0, __FILE__, __LINE__, "%s%s was never given",
                   IS_FLOAT ? "float " : "", ad_verdict_name(all[i]));
}

#undef K
#undef EITHER
#undef ONE
#undef ONE_OPT
#undef H
#undef SMOOTH
#undef BIG
#undef TINY
#undef FAST
#undef HINT
#undef ROGUE
#undef MANY_IS
#endif
