/* What a gradient costs that is recorded anew each time: recording and reverse sweep, on a tape, on
   one with hot traces (ad_tape_hot), and on CoDiPack's, where its headers are (make bench-anew
   CODIPACK=DIR; RealReverse, whose statements are expressions; measured with 3.1.1). Each is the
   same text for all three, at sizes that fit a cache and at one that does not. Figures are medians
   of ratios of runs in turn; the goals are those of the library's issues: on every row at most 1.0
   of CoDiPack, and with hot traces, up to 1e5 operations, 0.6. */
#define AUTODIFF_IMPLEMENTATION
#include "../autodiff.h"
#include "bench.h"
#include <math.h>
#include <string.h>
#if defined(WITH_CODIPACK)
#include <codi.hpp>
#endif

enum { INPUTS = 64 };

/* ---- what is differentiated: `turns` of it, so many operations each */

struct chain {                                   /* a statement, an operation */
    static const char *name() { return "1 operation"; }
    enum { operations = 2 };
    template <class T> static T of(const T *x, int turns)
    {
        T v = x[0];
        for (int i = 0; i < turns; i++) {
            v = v * x[1 + i % 7];
            v = v + x[8 + i % 7];
        }
        return v;
    }
};
struct product {
    static const char *name() { return "2 operations"; }
    enum { operations = 2 };
    template <class T> static T of(const T *x, int turns)
    {
        T v = 0.0;
        for (int i = 0; i < turns; i++) v = v + x[i % INPUTS] * x[(i + 3) % INPUTS];
        return v;
    }
};
/* Where a problem stands twice, its statements are one instruction each in the second, by AD_EXPR;
   CoDiPack's always are. */
struct each {                                    /* operation by operation */
    template <class T> static T eight(const T &v, const T &a, const T &b)
    {
        return 0.4 * ((v + a) * b - (a * b - 0.1 * v) * (a + 0.5));
    }
    template <class T> static T wave(const T &v, const T &a, const T &b)
    {
        using std::exp; using std::sin;
        return sin(v * a) + exp(-b);
    }
    template <class T> static T level(const T &v, const T &a)
    {
        using std::log; using std::tanh;
        return tanh(v) + log(a);
    }
    template <class T, class A> static T term(const T &sum, const A &at, const T &mean,
        const T &width, const T &weight)
    {
        using std::exp;
        const T z = (at - mean) / width;
        return sum + weight * exp(-0.5 * z * z) / width;
    }
    static const char *name(const char *text) { return text; }
};
AD_EXPR(eight_statement, (v, a, b), each::eight(v, a, b))
AD_EXPR(wave_statement, (v, a, b), each::wave(v, a, b))
AD_EXPR(level_statement, (v, a), each::level(v, a))
AD_EXPR(term_statement, (sum, at, mean, width, weight), each::term(sum, at, mean, width, weight))
struct whole : each {                            /* statement by statement */
    using each::eight;
    using each::wave;
    using each::level;
    using each::term;
    typedef const ad_var &V;
    static ad_var eight(V v, V a, V b) { return eight_statement(v, a, b); }
    static ad_var wave(V v, V a, V b) { return wave_statement(v, a, b); }
    static ad_var level(V v, V a) { return level_statement(v, a); }
    static ad_var term(V sum, double at, V mean, V width, V weight)
    {
        return term_statement(sum, at, mean, width, weight);
    }
    static const char *name(const char *) { return "  by AD_EXPR"; }
};
template <class S> struct eight {
    static const char *name() { return S::name("8 operations"); }
    enum { operations = 9 };
    template <class T> static T of(const T *x, int turns)
    {
        T v = x[0];
        for (int i = 0; i < turns; i++) v = S::eight(v, x[i % INPUTS], x[(i + 5) % INPUTS]);
        return v;
    }
};
template <class S> struct transcendental {
    static const char *name() { return S::name("sin, exp, log, tanh"); }
    enum { operations = 7 };
    template <class T> static T of(const T *x, int turns)
    {
        T v = x[0];
        for (int i = 0; i < turns; i++) {
            v = S::wave(v, x[i % INPUTS], x[(i + 1) % INPUTS]);
            v = S::level(v, x[(i + 2) % INPUTS]);
        }
        return v;
    }
};
struct ode {                                     /* Lorenz's equations by the classical method */
    static const char *name() { return "Runge-Kutta step"; }
    enum { operations = 86 };
    template <class T> static void slope(const T *p, const T *s, T *d)
    {
        d[0] = p[0] * (s[1] - s[0]);
        d[1] = s[0] * (p[1] - s[2]) - s[1];
        d[2] = s[0] * s[1] - p[2] * s[2];
    }
    template <class T> static T of(const T *x, int turns)
    {
        const double h = 0.001;
        T s[3] = { x[3], x[4], x[5] }, u[3], k1[3], k2[3], k3[3], k4[3];
        for (int i = 0; i < turns; i++) {
            slope(x, s, k1);
            for (int j = 0; j < 3; j++) u[j] = s[j] + h / 2 * k1[j];
            slope(x, u, k2);
            for (int j = 0; j < 3; j++) u[j] = s[j] + h / 2 * k2[j];
            slope(x, u, k3);
            for (int j = 0; j < 3; j++) u[j] = s[j] + h * k3[j];
            slope(x, u, k4);
            for (int j = 0; j < 3; j++)
                s[j] = s[j] + h / 6 * (k1[j] + 2.0 * k2[j] + 2.0 * k3[j] + k4[j]);
        }
        return s[0] + s[1] + s[2];
    }
};
struct lstm {                                    /* a cell of four, its gates one after the other */
    static const char *name() { return "LSTM cell"; }
    enum { operations = 236 };
    template <class T> static T of(const T *x, int turns)
    {
        using std::exp; using std::tanh;
        enum { N = 4 };
        T h[N], c[N], gate[4 * N];
        for (int j = 0; j < N; j++) h[j] = c[j] = x[j];
        for (int i = 0; i < turns; i++) {
            for (int g = 0; g < 4 * N; g++) {
                T sum = x[4 + g];
                for (int j = 0; j < N; j++) sum += x[(4 * g + j) % INPUTS] * h[j];
                if (g < 3 * N) gate[g] = 1.0 / (1.0 + exp(-sum));
                else gate[g] = tanh(sum);
            }
            for (int j = 0; j < N; j++) {
                c[j] = gate[N + j] * c[j] + gate[j] * gate[3 * N + j];
                h[j] = gate[2 * N + j] * tanh(c[j]);
            }
        }
        return h[0] + h[1] + h[2] + h[3];
    }
};
template <class S> struct mixture {              /* log likelihood of eight normal distributions */
    static const char *name() { return S::name("mixture's likelihood"); }
    enum { operations = 90 };
    template <class T> static T of(const T *x, int turns)
    {
        using std::log;
        T all = 0.0;
        for (int i = 0; i < turns; i++) {
            const double at = 0.01 * (i % 300) - 1.5;
            T sum = 0.0;
            for (int k = 0; k < 8; k++) sum = S::term(sum, at, x[k], x[8 + k], x[16 + k]);
            all += log(sum);
        }
        return all;
    }
};
struct determinant {                             /* eight rows, by elimination, again and again */
    static const char *name() { return "determinant"; }
    enum { operations = 372 };
    template <class T> static T of(const T *x, int turns)
    {
        enum { N = 8 };
        T all = 0.0;
        for (int i = 0; i < turns; i++) {
            T a[N][N], det = 1.0;
            for (int r = 0; r < N; r++)
                for (int c = 0; c < N; c++)
                    a[r][c] = r == c ? x[(r * N + c + i) % INPUTS] + 3.0
                                     : x[(r * N + c + i) % INPUTS];
            for (int k = 0; k < N; k++) {
                det *= a[k][k];
                for (int r = k + 1; r < N; r++) {
                    const T f = a[r][k] / a[k][k];
                    for (int c = k + 1; c < N; c++) a[r][c] -= f * a[k][c];
                }
            }
            all = 0.5 * all + det;
        }
        return all;
    }
};

/* ---- who differentiates it */

enum { CODI, TAPE, HOT };
typedef struct run_of {
    int turns;
    void (*gradient)(const struct run_of *r, const double *x, double *g);
    ad_tape *t;
} run_of;

template <class P> BENCH_NOINLINE static void by_tape(const run_of *r, const double *at, double *g)
{
    ad_var x[INPUTS];
    ad_tape_reset(r->t);
    ad_inputs(r->t, INPUTS, at, x);
    ad_backward(P::of(x, r->turns));
    ad_adjoints(INPUTS, x, g);
}
#if defined(WITH_CODIPACK)
template <class P> BENCH_NOINLINE static void by_codi(const run_of *r, const double *at, double *g)
{
    static codi::RealReverse x[INPUTS];
    codi::RealReverse::Tape &t = codi::RealReverse::getTape();
    codi::RealReverse y;
    t.reset();
    t.setActive();
    for (int i = 0; i < INPUTS; i++) {
        x[i] = at[i];
        t.registerInput(x[i]);
    }
    y = P::of(x, r->turns);
    t.registerOutput(y);
    t.setPassive();
    y.setGradient(1.0);
    t.evaluate();
    for (int i = 0; i < INPUTS; i++) g[i] = x[i].getGradient();
}
#endif

static double took(const void *job, size_t first, size_t count)
{
    const run_of *const r = (const run_of *)job;
    static double g[INPUTS];
    double x[INPUTS];
    const double start = bench_now();
    for (size_t k = 0; k < count; k++) {
        for (int i = 0; i < INPUTS; i++)
            x[i] = 0.3 + 0.6 * ((double)i / INPUTS) + 1e-4 * (double)((first + k) % 100);
        r->gradient(r, x, g);
    }
    return bench_now() - start;
}

template <class P> static void row(bench_goals *goals, int operations)
{
    run_of r[3];
    const void *job[BENCH_PEERS] = { NULL, NULL, NULL, NULL };
    bench_race race;
    double x[INPUTS], g[3][INPUTS], worst = 0;
    const int first =
#if defined(WITH_CODIPACK)
        CODI;
#else
        TAPE;
#endif
    const int turns = operations / P::operations > 1 ? operations / P::operations : 1;
    char what[80];
    for (int i = 0; i < INPUTS; i++) x[i] = 0.3 + 0.6 * ((double)i / INPUTS);
    for (int who = first; who <= HOT; who++) {
        r[who].turns = turns;
        r[who].gradient = by_tape<P>;
        r[who].t = who == CODI ? NULL : ad_tape_create(NULL);
#if defined(WITH_CODIPACK)
        if (who == CODI) r[who].gradient = by_codi<P>;
#endif
        if (who == HOT) ad_tape_hot(r[who].t, 3, 0);
        for (int k = 0; k < 5; k++) r[who].gradient(&r[who], x, g[who]);
        for (int i = 0; i < INPUTS; i++) {
            const double apart = fabs(g[who][i] - g[first][i]) / (1e-300 + fabs(g[first][i]));
            if (apart > worst) worst = apart;
        }
        job[who - first] = &r[who];
    }
    if (!(worst < 1e-8)) {
        printf("%-22s WRONG: gradients differ by %g\n", P::name(), worst);
        goals->wrong++;
        return;
    }
    bench_run(job, took, (double)turns * P::operations, 4e8, &race);
    {
        const ad_hot_stats s = ad_tape_hot_stats(r[HOT].t);
        const int t = TAPE - first, h = HOT - first;
        printf("%-22s %8.0f %7.2f %7.2f %7.2f", P::name(), (double)turns * P::operations,
            first == CODI ? race.ns[0] : 0.0, race.ns[t], race.ns[h]);
        if (first == CODI) {
            snprintf(what, sizeof what, "%s, %.0e: tape", P::name(), (double)operations);
            printf("   %5.2f %-6s", race.ratio[t],
                bench_goal(goals, race.ratio[t] <= 1, what, race.ratio[t], 1));
            snprintf(what, sizeof what, "%s, %.0e: hot", P::name(), (double)operations);
            printf("   %5.2f %-6s", race.ratio[h],
                operations > 100000 || strstr(s.why, "expr") ? "-"
                : bench_goal(goals, race.ratio[h] <= 0.6, what, race.ratio[h], 0.6));
        }
        printf("   %5.2f   %s%s\n", race.ns[h] / race.ns[t], s.hits ? "" : "not compiled ",
            s.why);
    }
    for (int who = first; who <= HOT; who++) ad_tape_destroy(r[who].t);
}

int main(void)
{
    static const int sizes[] = { 1000, 10000, 100000, 1000000 };
    static bench_goals goals;
    const double start = bench_now();
    printf("A gradient recorded anew; nanoseconds an operation, and ratios (smaller is better)\n"
        "%-22s %8s %7s %7s %7s", "", "oper.", "theirs", "tape", "hot");
#if defined(WITH_CODIPACK)
    printf("   tape/theirs    hot/theirs    ");
#endif
    printf(" hot/tape\n");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        row<chain>(&goals, sizes[i]);
        row<product>(&goals, sizes[i]);
        row<eight<each> >(&goals, sizes[i]);
        row<eight<whole> >(&goals, sizes[i]);
        row<transcendental<each> >(&goals, sizes[i]);
        row<transcendental<whole> >(&goals, sizes[i]);
        row<ode>(&goals, sizes[i]);
        row<lstm>(&goals, sizes[i]);
        row<mixture<each> >(&goals, sizes[i]);
        row<mixture<whole> >(&goals, sizes[i]);
        row<determinant>(&goals, sizes[i]);
    }
    return bench_end(&goals, start);
}
