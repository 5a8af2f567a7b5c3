/* Sparse Jacobians and Hessians beside ADOL-C's: the same text, recorded by both; pattern and
   colours; all of it as far as the first values; values at the point of the record, at another, and
   there by a compiled function (made once, in the time that is said). Turn by turn, on one thread,
   processor time, medians of five after one that does not count. ADOL-C's entries and ours are
   compared: WRONG, and an exit code, where they differ.
       sparse_adolc [SCALE] [TEXT]      sizes times SCALE (1); problems whose names have TEXT

   ADOL-C's drivers sparse_jac and sparse_hess need ColPack inside the library; Debian's is built
   without it, and they end the program. What they do is done here, step by step, with the same
   functions of both libraries and their default options: jac_pat or hess_pat, ColPack's colouring
   by SMALLEST_LAST and its seed, vector sweeps of all colours at once, ColPack's recovery. Steps as
   far as the seed are repeat = 0 alone, the others repeat = 1. Of Hessians both recoveries are
   shown, which sparse_hess calls indirect (its default) and direct. */
// package: libadolc-dev libcolpack-dev
// header: adolc/adouble.h ColPack/ColPackHeaders.h
// libs: -ladolc -lColPack
#include <ColPack/ColPackHeaders.h>
#include <adolc/adalloc.h>
#include <adolc/adouble.h>
#include <adolc/interfaces.h>
#include <adolc/sparse/sparsedrivers.h>
#include <adolc/taping.h>
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>
#include "../autodiff.h"
#include "bench.h"

enum { TIMES = 5 };
static bench_goals goals;

/* An entry of a matrix; of a Hessian on or below the diagonal. */
struct entry {
    size_t i, j;
    double v;
    bool operator<(const entry &e) const { return i != e.i ? i < e.i : j < e.j; }
};
typedef std::vector<entry> entries;

/* The greatest difference, relative to the greatest entry; what is not there is 0. */
static double difference(entries a, entries b)
{
    double most = 0, size = 0;
    for (entry &e : b) e.v = -e.v;
    a.insert(a.end(), b.begin(), b.end());
    std::sort(a.begin(), a.end());
    for (size_t k = 0; k < a.size(); k++) {
        const bool two = k + 1 < a.size() && !(a[k] < a[k + 1]);
        const double d = std::fabs(two ? a[k].v + a[k + 1].v : a[k].v);
        size = std::fmax(size, std::fabs(a[k].v));
        if (!(d <= most)) most = d;              /* NaN stays */
        k += two;
    }
    return size > 0 ? most / size : most;
}

/* ---------------------------------------------------------------- problems */

/* A text computes y[rows()] of x[n] in numbers of any kind; a Hessian is of one output. */
struct problem {
    size_t n;
    bool hessian;
    size_t rows() const { return hessian ? 1 : n; }
};

/* -u'' = exp(u) in so many dimensions, 0 at the border. */
template <int dimensions> struct bratu : problem {
    size_t k;
    explicit bratu(size_t edge) : k(edge)
    {
        n = dimensions == 3 ? k * k * k : k * k;
        hessian = false;
    }
    template <class N> void text(const N *x, N *y) const
    {
        const double h = 1.0 / static_cast<double>(k + 1);
        for (size_t p = 0; p < n; p++) {
            N sum = 2.0 * dimensions * x[p] - h * h * exp(x[p]);
            size_t step = 1;
            for (int d = 0; d < dimensions; d++, step *= k) {
                const size_t at = p / step % k;
                if (at > 0) sum = sum - x[p - step];
                if (at < k - 1) sum = sum - x[p + step];
            }
            y[p] = sum;
        }
    }
};
/* A derivative by seven points, and a reaction: collocation with a band. */
struct band : problem {
    explicit band(size_t points)
    {
        n = points;
        hessian = false;
    }
    template <class N> void text(const N *x, N *y) const
    {
        for (size_t i = 0; i < n; i++) {
            N sum = x[i] * (1.0 - x[i]);
            for (size_t j = i < 3 ? 0 : i - 3; j < n && j <= i + 3; j++)
                sum = sum + (0.3 + static_cast<double>(j + 3 - i)) * x[j];
            y[i] = sum;
        }
    }
};
/* Rows, or terms, of `each` variables drawn by chance. */
struct drawn : problem {
    size_t each;
    std::vector<size_t> pick;
    drawn(size_t count, size_t of, bool second) : each(of), pick(count * of)
    {
        uint64_t seed = 7;
        n = count;
        hessian = second;
        for (size_t &j : pick) j = static_cast<size_t>(bench_bits(&seed) % n);
    }
    template <class N> N of(const N *x, size_t i) const
    {
        N sum = x[pick[each * i]];
        for (size_t k = 1; k < each; k++) sum = sum * x[pick[each * i + k]] + 0.5;
        return sum;
    }
    template <class N> void text(const N *x, N *y) const
    {
        if (hessian) {
            N sum = of(x, 0);
            for (size_t i = 1; i < n; i++) sum = sum + of(x, i);
            y[0] = sum;
        } else
            for (size_t i = 0; i < n; i++) y[i] = of(x, i);
    }
};
/* Everything meets the last one. */
struct arrow : problem {
    explicit arrow(size_t count)
    {
        n = count;
        hessian = true;
    }
    template <class N> void text(const N *x, N *y) const
    {
        N sum = x[0] * x[0] * x[n - 1];
        for (size_t i = 1; i < n; i++) sum = sum + x[i] * x[i] * x[n - 1];
        y[0] = sum;
    }
};
struct rosenbrock : problem {
    explicit rosenbrock(size_t count)
    {
        n = count;
        hessian = true;
    }
    template <class N> void text(const N *x, N *y) const
    {
        N sum = 1.0 - x[0];
        sum = sum * sum;
        for (size_t i = 0; i + 1 < n; i++) {
            const N a = x[i + 1] - x[i] * x[i], b = 1.0 - x[i];
            sum = sum + 100.0 * (a * a) + b * b;
        }
        y[0] = sum;
    }
};
/* The area of a surface over a grid of k points each way: triangles' roots. */
struct surface : problem {
    size_t k;
    explicit surface(size_t edge) : k(edge)
    {
        n = k * k;
        hessian = true;
    }
    template <class N> void text(const N *x, N *y) const
    {
        const double h = static_cast<double>(k - 1);
        N sum = 0.0 * x[0];
        for (size_t p = 0; p + k < n; p++) {
            if (p % k == k - 1) continue;
            const N u = h * (x[p + 1] - x[p]), v = h * (x[p + k] - x[p]);
            sum = sum + sqrt(u * u + v * v + 1.0);
        }
        y[0] = sum;
    }
};

/* ---------------------------------------------------------------- ours */

enum lap { RECORD, PLAN, FIRST, RECORD_AGAIN, VALUES, COMPILED, LAPS };

template <class P> struct ours {
    const P &p;
    std::vector<ad_var> x, y;
    std::vector<double> values, nonzeros;
    ad_tape *tape;
    ad_fn *f, *derivative;
    ad_sparse *plan;
    ad_pattern pattern, of_fn;

    explicit ours(const P &what) : p(what), x(p.n), y(p.rows()), tape(ad_tape_create(NULL)),
        f(NULL), derivative(NULL), plan(NULL)
    {
        memset(&pattern, 0, sizeof pattern);
        memset(&of_fn, 0, sizeof of_fn);
    }
    ours(const ours &) = delete;
    ours &operator=(const ours &) = delete;
    ~ours()
    {
        forget();
        ad_pattern_free(&of_fn);
        ad_fn_destroy(derivative);
        ad_fn_destroy(f);
        ad_tape_destroy(tape);
    }
    void forget()
    {
        ad_sparse_destroy(plan);
        ad_pattern_free(&pattern);
        plan = NULL;
    }
    void record(const std::vector<double> &at)
    {
        ad_tape_reset(tape);
        ad_inputs(tape, p.n, at.data(), x.data());
        p.text(x.data(), y.data());
    }
    void make_plan()
    {
        ad_sparse_desc desc;
        memset(&desc, 0, sizeof desc);
        desc.hessian = p.hessian;
        desc.lower = p.hessian;                  /* ADOL-C gives a triangle, too */
        if (p.hessian) ad_hessian_pattern(tape, p.n, x.data(), 1, y.data(), &pattern);
        else ad_jacobian_pattern(tape, p.n, x.data(), y.size(), y.data(), &pattern);
        plan = ad_sparse_create(&pattern, &desc);
        values.resize(ad_sparse_get_stats(plan).values);
    }
    void evaluate()
    {
        if (p.hessian)
            ad_sparse_hessian(plan, tape, p.n, x.data(), 1, y.data(), NULL, values.data());
        else
            ad_sparse_jacobian(plan, tape, p.n, x.data(), y.size(), y.data(), values.data());
    }
    void compile()
    {
        f = ad_fn_create(tape, p.n, x.data(), y.size(), y.data(), NULL);
        derivative = p.hessian ? ad_fn_sparse_hessian(f, &of_fn) : ad_fn_sparse_jacobian(f, &of_fn);
        nonzeros.resize(ad_fn_get_stats(derivative).outputs);
    }
    void evaluate_compiled(const std::vector<double> &at)
    {
        ad_fn_eval(derivative, at.data(), nonzeros.data());
    }
    entries listed(const ad_pattern &of, const std::vector<double> &v) const
    {
        entries r;
        size_t next = 0;
        for (size_t i = 0; i < of.rows; i++)
            for (size_t k = of.row_start[i]; k < of.row_start[i + 1]; k++)
                if (!p.hessian || of.column[k] <= i)
                    r.push_back(entry{ i, of.column[k], v[next++] });
        return r;
    }
};

/* ---------------------------------------------------------------- ADOL-C */

static const short TAG = 1;

template <class P> struct theirs {
    const P &p;
    const bool direct;                           /* recovery of a Hessian */
    unsigned room[4];                /* operations, locations, constants, Taylor coefficients */
    int colours, code;
    std::vector<double> y, values;
    std::vector<unsigned> row, column;
    std::vector<unsigned *> pattern;
    std::unique_ptr<ColPack::BipartiteGraphPartialColoringInterface> columns;
    std::unique_ptr<ColPack::GraphColoringInterface> graph;
    ColPack::JacobianRecovery1D of_jacobian;
    ColPack::HessianRecovery of_hessian;
    double **seed, **compressed, ***directions, ***along, ***adjoints;

    theirs(const P &what, bool directly) : p(what), direct(directly), colours(0), code(0),
        y(p.rows()), seed(NULL), compressed(NULL), directions(NULL), along(NULL), adjoints(NULL)
    {
        /* sweeps take time for as many numbers as were ever alive at once: forget other problems */
        setStoreManagerType(ADOLC_LOCATION_SINGLETONS);
        setStoreManagerType(ADOLC_LOCATION_BLOCKS);
        for (unsigned &r : room) r = 1u << 28;   /* all in memory, which is taken when used */
    }
    theirs(const theirs &) = delete;
    theirs &operator=(const theirs &) = delete;
    ~theirs()
    {
        forget();
        removeTape(TAG, ADOLC_REMOVE_COMPLETELY);
    }
    void forget()
    {
        for (unsigned *r : pattern) free(r);
        pattern.clear();
        if (compressed) myfree2(compressed);
        if (directions) myfree3(directions);
        if (along) myfree3(along);
        if (adjoints) myfree3(adjoints);
        compressed = NULL;
        directions = along = adjoints = NULL;
        columns.reset();                         /* and the seed */
        graph.reset();
    }
    void record(const std::vector<double> &at)
    {
        trace_on(TAG, 0, room[0], room[1], room[2], room[3]);
        {
            std::vector<adouble> x(p.n), z(p.rows());
            for (size_t i = 0; i < p.n; i++) x[i] <<= at[i];
            p.text(x.data(), z.data());
            for (size_t i = 0; i < z.size(); i++) z[i] >>= y[i];
        }
        trace_off();
    }
    /* Nothing went to disk. */
    bool in_memory() const
    {
        size_t stats[STAT_SIZE];
        tapestats(TAG, stats);
        return !stats[OP_FILE_ACCESS] && !stats[LOC_FILE_ACCESS] && !stats[VAL_FILE_ACCESS];
    }
    void make_plan(const std::vector<double> &at)
    {
        const int n = static_cast<int>(p.n), m = static_cast<int>(p.rows());
        int options[4] = { 0, 0, 0, 0 }, rows;
        size_t nonzeros = 0;
        pattern.resize(p.hessian ? p.n : p.rows());
        code = p.hessian ? hess_pat(TAG, n, at.data(), pattern.data(), 0)
                         : jac_pat(TAG, m, n, at.data(), pattern.data(), options);
        for (size_t i = 0; i < pattern.size(); i++)
            for (unsigned k = 1; k <= pattern[i][0]; k++)
                nonzeros += !p.hessian || pattern[i][k] >= i;
        row.resize(nonzeros);
        column.resize(nonzeros);
        values.resize(nonzeros);
        if (p.hessian) {
            graph.reset(new ColPack::GraphColoringInterface(SRC_MEM_ADOLC, pattern.data(), n));
            graph->GenerateSeedHessian(&seed, &rows, &colours, "SMALLEST_LAST",
                direct ? "STAR" : "ACYCLIC_FOR_INDIRECT_RECOVERY");
            compressed = myalloc2(p.n, static_cast<size_t>(colours));
            directions = myalloc3(p.n, static_cast<size_t>(colours), 1);
            along = myalloc3(1, static_cast<size_t>(colours), 1);
            adjoints = myalloc3(static_cast<size_t>(colours), p.n, 2);
            for (int i = 0; i < n; i++)
                for (int c = 0; c < colours; c++) directions[i][c][0] = seed[i][c];
        } else {
            columns.reset(new ColPack::BipartiteGraphPartialColoringInterface(SRC_MEM_ADOLC,
                pattern.data(), m, n));
            columns->GenerateSeedJacobian(&seed, &rows, &colours, "SMALLEST_LAST",
                "COLUMN_PARTIAL_DISTANCE_TWO");
            compressed = myalloc2(p.rows(), static_cast<size_t>(colours));
        }
    }
    void evaluate(const std::vector<double> &at)
    {
        const int n = static_cast<int>(p.n), m = static_cast<int>(p.rows());
        unsigned *r = row.data(), *c = column.data();
        double *v = values.data();
        if (!p.hessian) {
            code = fov_forward(TAG, m, n, colours, at.data(), seed, y.data(), compressed);
            of_jacobian.RecoverD2Cln_CoordinateFormat_usermem(columns.get(), compressed,
                pattern.data(), &r, &c, &v);
            return;
        }
        double weight[2] = { 1, 0 }, *weights = weight;
        code = hov_wk_forward(TAG, 1, n, 1, 2, colours, at.data(), directions, y.data(), along);
        if (code >= 0) code = hos_ov_reverse(TAG, 1, n, 1, colours, &weights, adjoints);
        for (int k = 0; k < colours; k++)
            for (int i = 0; i < n; i++) compressed[i][k] = adjoints[k][i][1];
        if (direct)
            of_hessian.DirectRecover_CoordinateFormat_usermem(graph.get(), compressed,
                pattern.data(), &r, &c, &v);
        else
            of_hessian.IndirectRecover_CoordinateFormat_usermem(graph.get(), compressed,
                pattern.data(), &r, &c, &v);
    }
    entries listed() const
    {
        entries e;
        for (size_t k = 0; k < values.size(); k++)
            e.push_back(p.hessian ? entry{ column[k], row[k], values[k] }
                                  : entry{ row[k], column[k], values[k] });
        return e;
    }
};

/* ---------------------------------------------------------------- the race */

struct stopwatch {
    double since;
    stopwatch() : since(bench_processor()) {}
    double lap()
    {
        const double now = bench_processor(), took = now - since;
        since = now;
        return took;
    }
};

template <class P> static void race(const std::string &name, const P &p, bool direct)
{
    static double t[LAPS][TIMES], u[LAPS][TIMES];
    std::vector<double> at(p.n), other(p.n);
    uint64_t seed = 1;
    ours<P> a(p);
    theirs<P> b(p, direct);
    double wrong = 0;
    for (double &v : at) v = bench_between(&seed, 0.5, 1.5);
    for (double &v : other) v = bench_between(&seed, 0.5, 1.5);
    other.push_back(1);                          /* the weight that a compiled Hessian has */
    a.record(at);
    stopwatch compiling;
    a.compile();
    const double compiled = compiling.lap();
    const auto run_ours = [&](int time) {
        a.forget();
        stopwatch w;
        a.record(at);             t[RECORD][time] = w.lap();
        a.make_plan();            t[PLAN][time] = w.lap();
        a.evaluate();             t[FIRST][time] = w.lap();
        a.record(other);          t[RECORD_AGAIN][time] = w.lap();
        a.evaluate();             t[VALUES][time] = w.lap();
        a.evaluate_compiled(other);
        t[COMPILED][time] = w.lap();
    };
    const auto run_theirs = [&](int time) {
        b.forget();
        stopwatch w;
        b.record(at);             u[RECORD][time] = w.lap();
        b.make_plan(at);          u[PLAN][time] = w.lap();
        b.evaluate(at);           u[FIRST][time] = w.lap();
        b.evaluate(other);        u[VALUES][time] = w.lap();
    };
    for (int time = -1; time < TIMES; time++) {  /* the first is warm-up */
        const int k = time < 0 ? 0 : time;
        if (k % 2) run_theirs(k);
        run_ours(k);
        if (k % 2 == 0) run_theirs(k);
        const entries want = b.listed();
        wrong = std::fmax(wrong, std::fmax(difference(a.listed(a.pattern, a.values), want),
            difference(a.listed(a.of_fn, a.nonzeros), want)));
    }
    const ad_sparse_stats stats = ad_sparse_get_stats(a.plan);
    std::printf("\n%s: %zu unknowns, %zu nonzeros; colours %zu, ADOL-C %d; compiled in %.0f ms\n",
        name.c_str(), p.n, stats.nonzeros, stats.colours, b.colours, 1e-6 * compiled);
    if (!(wrong < 1e-11) || ad_tape_status(a.tape) || ad_fn_status(a.derivative) || b.code < 0
        || !b.in_memory()) {
        std::printf("WRONG: difference %g; %s %s; ADOL-C %d\n", wrong, ad_tape_message(a.tape),
            ad_fn_message(a.derivative), b.code);
        goals.wrong++;
        return;
    }
    static const struct { const char *what; unsigned ours, theirs; } rows[] = {
        { "record",                       1u << RECORD,                   1u << RECORD },
        { "pattern and plan",             1u << PLAN,                     1u << PLAN },
        { "these, and the first values",  1u << RECORD | 1u << PLAN | 1u << FIRST,
                                          1u << RECORD | 1u << PLAN | 1u << FIRST },
        { "values, recorded there",       1u << VALUES,                   1u << VALUES },
        { "values elsewhere",             1u << RECORD_AGAIN | 1u << VALUES, 1u << VALUES },
        { "values elsewhere, compiled",   1u << COMPILED,                 1u << VALUES },
    };
    for (const auto &r : rows) {
        double mine[TIMES], its[TIMES], ratio[TIMES];
        for (int time = 0; time < TIMES; time++) {
            mine[time] = its[time] = 0;
            for (int l = 0; l < LAPS; l++) {
                if (r.ours >> l & 1) mine[time] += t[l][time];
                if (r.theirs >> l & 1) its[time] += u[l][time];
            }
            ratio[time] = its[time] / mine[time];
        }
        const double times = bench_median(ratio, TIMES, NULL, NULL);
        std::printf("    %-28s %9.3f ms  ADOL-C %9.3f ms  %7.2f times  %s\n", r.what,
            1e-6 * bench_median(mine, TIMES, NULL, NULL),
            1e-6 * bench_median(its, TIMES, NULL, NULL), times,
            bench_goal(&goals, times >= 1, (name + ": " + r.what).c_str(), times, 1));
    }
}

static const char *wanted = "";
template <class P> static void row(const std::string &name, const P &p)
{
    if (name.find(wanted) == std::string::npos) return;
    if (p.hessian) race(name + ", indirect", p, false);
    race(p.hessian ? name + ", direct" : name, p, true);
}

int main(int count, char **argument)
{
    const double start = bench_now();
    const double scale = count > 1 ? std::atof(argument[1]) : 1;
    const auto size = [&](double n) { return static_cast<size_t>(n * scale); };
    const auto edge = [&](double n, double d) {
        return static_cast<size_t>(std::pow(n * scale, 1 / d) + 0.5);
    };
    if (count > 2) wanted = argument[2];
    bench_machine("sparse derivatives beside ADOL-C");
    std::puts("");
    row("Jacobian, Bratu 2D", bratu<2>(edge(40000, 2)));
    row("Jacobian, Bratu 3D", bratu<3>(edge(27000, 3)));
    row("Jacobian, band of 7", band(size(50000)));
    row("Jacobian, 4 a row by chance", drawn(size(10000), 4, false));
    row("Hessian, arrow", arrow(size(5000)));
    row("Hessian, Rosenbrock", rosenbrock(size(50000)));
    row("Hessian, minimal surface", surface(edge(10000, 2)));
    row("Hessian, 3 a term by chance", drawn(size(3000), 3, true));
    return bench_end(&goals, start);
}
