/* The benchmark: every problem's derivative by every version, compared with the hand-written one,
   then timed. run_suite.sh builds and runs it; suite.h says what the parts are.

     suite [--only TEXT]... [--seconds S] [--shown] [--facts FILE] [--csv FILE] [--json FILE]
       --only     problems or versions whose name has TEXT in it (hand, tape, dual and fn always)
       --seconds  for each version at the size that is shown; a fifth of it at other sizes
       --shown    no other sizes
       --facts    lines "key value" about the machine, flags and compile times, for the head

   Method. All versions of a case run in turn, in an order that changes from round to round, each
   so often that a sample takes 0.1 ms, after one sample that does not count; at least 10 rounds,
   and until each version has had its seconds. Times are medians of processor time; a ratio is the
   median of the rounds' ratios, its spread half the distance between the quartiles. The first call
   is opening (recording, compiling, memory) and one run, the median of three. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "bench.h"
#include "suite.h"
#include <ctype.h>
#include <stdarg.h>
#include <unistd.h>

#define VERSIONS 24
#define ROUNDS   401
#define CASES    12
#define PROBLEMS 32

/* ---------------------------------------------------------------- for the versions */

bench_facts bench_told;

void bench_begin_part(int part)
{
    const double now = bench_now();
    if (bench_told.part >= 0) bench_told.ns[bench_told.part] += now - bench_told.since;
    bench_told.part = part;
    bench_told.since = bench_now();
}

static uint64_t random_state;
void bench_seed(uint64_t seed) { random_state = seed; }
double bench_random(double low, double high) { return bench_between(&random_state, low, high); }
double bench_normal(void)
{
    const double u = bench_random(0, 1), v = bench_random(0, 1);
    return sqrt(-2 * log(1 - u)) * cos(6.28318530717958647693 * v);
}
size_t bench_below(size_t n) { return (size_t)(bench_bits(&random_state) % n); }
void *bench_new(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size ? size : 1);
    if (p == NULL) {
        fprintf(stderr, "suite: no memory\n");
        exit(2);
    }
    return p;
}

double *bench_vector(bench_case *c, size_t n)
{
    c->data = bench_new(n, sizeof(double));
    c->points = c->outputs = 1;
    c->inputs = c->columns = n;
    c->work = (double)n;
    return (double *)c->data;
}
void bench_vector_clean(bench_case *c) { free(c->data); }
void bench_vector_gather(const bench_case *c, size_t point, double *x)
{
    (void)point;
    memcpy(x, c->data, c->inputs * sizeof *x);
}

/* ---------------------------------------------------------------- what is measured */

typedef enum state { ABSENT, RIGHT, WRONG, FAILED } state;
typedef struct measured {
    const char *name;
    bench_mode mode;
    state how;
    int ours;
    double ns, low, high;                      /* a run: median and quartiles */
    double ratio, ratio_low, ratio_high;       /* to what is written by hand */
    const char *rival;                         /* ours of the same mode, for a peer */
    double gain, gain_low, gain_high;          /* its time over ours */
    double first, part[BENCH_PARTS], nodes, bytes, error;
} measured;
typedef struct case_result {
    size_t size[3];
    double work, plain, hand, hand_low, hand_high;     /* ns; ratios are to hand */
    const char *compiler;                      /* whose hand-written code was faster */
    int rounds, versions;
    measured version[VERSIONS];
} case_result;
typedef struct problem_result {
    const bench_problem *problem;
    int cases, shown;
    case_result at[CASES];
} problem_result;

static problem_result results[PROBLEMS];
static int result_count, wrong_count;
static const char *only[16];
static int only_count, shown_only;
static double seconds = 1;

static int is_wanted(const char *name)
{
    int i;
    for (i = 0; i < only_count; i++) if (strstr(name, only[i])) return 1;
    return only_count == 0;
}

/* ---------------------------------------------------------------- one case */

typedef struct runner {
    const bench_version *version;              /* NULL: by hand, or the plain function */
    void (*hand)(const bench_case *, double *);
    void *state;
    size_t count;                              /* runs in a sample */
    double sample[ROUNDS];
    measured *to;
} runner;

static int run_once(const runner *r, const bench_case *c, double *result)
{
    if (r->version) return r->version->run(r->state, result);
    if (r->hand) r->hand(c, result);
    else bench_plain(c, result);
    return 0;
}
static double time_runs(const runner *r, const bench_case *c, double *result)
{
    const double start = bench_processor();
    size_t i;
    for (i = 0; i < r->count; i++) run_once(r, c, result);
    return (bench_processor() - start) / (double)r->count;
}

/* The greatest difference, relative to the greatest number. Infinite where a NaN came out. */
static double difference(size_t n, const double *got, const double *want)
{
    double size = 0, error = 0;
    size_t i;
    for (i = 0; i < n; i++) size = fabs(want[i]) > size ? fabs(want[i]) : size;
    for (i = 0; i < n; i++) {
        const double e = fabs(got[i] - want[i]);
        if (!(e <= error)) error = e;
        if (e != e) return INFINITY;
    }
    return size > 0 ? error / size : error;
}
static void quartiles(const double *v, int n, double *median, double *low, double *high)
{
    double copy[ROUNDS];
    memcpy(copy, v, (size_t)n * sizeof *v);
    *median = bench_median(copy, (size_t)n, low, high);
}
static void ratio_of(const runner *a, const runner *b, int n, double *median, double *low,
    double *high)
{
    double r[ROUNDS];
    int i;
    for (i = 0; i < n; i++) r[i] = a->sample[i] / b->sample[i];
    quartiles(r, n, median, low, high);
}

/* Opens a version, runs it, compares. The first call's time is the median of three such. */
static void open_version(runner *r, const bench_case *c, const double *want, double *got)
{
    double first[3], start;
    int tries = 0, wrong = 0;
    measured *m = r->to;
    while (tries < 3 && (tries == 0 || first[0] < 3e8)) {
        if (tries) r->version->close(r->state);
        memset(got, 0xff, c->results * sizeof *got);
        start = bench_processor();
        r->state = r->version->open(c);
        if (r->state == NULL) return;
        wrong = run_once(r, c, got);
        first[tries++] = bench_processor() - start;
    }
    m->first = bench_median(first, (size_t)tries, NULL, NULL);
    m->error = wrong ? INFINITY : difference(c->results, got, want);
    m->how = wrong ? FAILED : m->error <= c->problem->tolerance ? RIGHT : WRONG;
    if (m->how == RIGHT) return;
    wrong_count++;
    r->version->close(r->state);
    r->state = NULL;
}

/* Where the time goes: some runs with a clock between the parts, their medians. */
static void find_parts(const runner *r, const bench_case *c, double *result)
{
    double part[BENCH_PARTS][11];
    int k, i, runs = r->sample[0] > 1e8 ? 3 : 11;
    for (k = 0; k < runs; k++) {
        memset(&bench_told, 0, sizeof bench_told);
        bench_told.wanted = 1;
        bench_told.part = -1;
        run_once(r, c, result);
        bench_begin_part(-1);
        bench_told.wanted = 0;
        for (i = 0; i < BENCH_PARTS; i++) part[i][k] = bench_told.ns[i];
    }
    for (i = 0; i < BENCH_PARTS; i++)
        r->to->part[i] = bench_median(part[i], (size_t)runs, NULL, NULL);
    r->to->nodes = bench_told.nodes;
    r->to->bytes = bench_told.bytes;
}

static const runner *rival_of(const runner *r, int n, const measured *m)
{
    int i;
    if (m->ours || m->mode == BENCH_OTHER) return NULL;
    for (i = 0; i < n; i++)
        if (r[i].version && r[i].to->ours && r[i].to->mode == m->mode && r[i].to->how == RIGHT)
            return &r[i];
    return NULL;
}

static void race(runner *r, int n, const bench_case *c, double *result, double budget,
    case_result *out)
{
    double least = 0, spent = 0;
    int i, k, round, hand, rounds;
    for (i = 0; i < n; i++) {
        double t;
        r[i].count = 1;
        t = time_runs(&r[i], c, result);
        if (t < 1e7) {
            const double again = time_runs(&r[i], c, result);
            if (again < t) t = again;
        }
        r[i].count = t < 1e5 ? (size_t)(1e5 / (t > 1 ? t : 1)) + 1 : 1;
        t *= (double)r[i].count;
        spent += r[i].count > 1 ? 2 * t : t;
        if (least == 0 || t < least) least = t;
    }
    /* at least 10; until every version has had its time, as far as there is room for samples */
    rounds = (int)fmin(ROUNDS, fmax(10, budget * 1e9 / least));
    if (spent * rounds > budget * 1e9 * n) rounds = (int)fmax(10, budget * 1e9 * n / spent);
    for (round = 0; round < rounds; round++)
        for (k = 0; k < n; k++) {
            i = round % 2 ? (n - 1 - k + round) % n : (k + round) % n;
            if (r[i].count > 1) time_runs(&r[i], c, result);     /* caches as they are in a row */
            r[i].sample[round] = time_runs(&r[i], c, result);
        }
    out->rounds = rounds;
    quartiles(r[0].sample, rounds, &out->hand, &out->hand_low, &out->hand_high);
    hand = 0;
    out->compiler = bench_hand_compiler(0);
    {
        double ns, low, high;
        quartiles(r[1].sample, rounds, &ns, &low, &high);
        if (ns < out->hand) {
            out->hand = ns;
            out->hand_low = low;
            out->hand_high = high;
            out->compiler = bench_hand_compiler(1);
            hand = 1;
        }
        quartiles(r[2].sample, rounds, &out->plain, &low, &high);
    }
    for (i = 3; i < n; i++) {
        measured *m = r[i].to;
        const runner *rival = rival_of(r, n, m);
        quartiles(r[i].sample, rounds, &m->ns, &m->low, &m->high);
        ratio_of(&r[i], &r[hand], rounds, &m->ratio, &m->ratio_low, &m->ratio_high);
        if (rival) {
            m->rival = rival->to->name;
            ratio_of(&r[i], rival, rounds, &m->gain, &m->gain_low, &m->gain_high);
        }
    }
}

static void add_version(case_result *out, const bench_version *v, int ours, const char *problem)
{
    measured *m;
    int i;
    for (i = 0; i < out->versions; i++)
        if (strcmp(out->version[i].name, v->name) == 0) return;
    if (!ours && !is_wanted(v->name) && !is_wanted(problem)) return;
    if (out->versions == VERSIONS) return;
    m = &out->version[out->versions++];
    memset(m, 0, sizeof *m);
    m->name = v->name;
    m->mode = v->mode;
    m->ours = ours;
}

static void run_case(const bench_problem *p, const size_t size[3], int shown, case_result *out)
{
    static runner runners[VERSIONS + 3];
    const bench_version *all[VERSIONS] = { NULL };
    bench_case c;
    double *want, *got;
    int i, n = 3, before;
    memset(&c, 0, sizeof c);
    memset(out, 0, sizeof *out);
    memset(runners, 0, sizeof runners);
    c.problem = p;
    c.order = 1;
    memcpy(c.size, size, sizeof c.size);
    memcpy(out->size, size, sizeof c.size);
    bench_seed(7);
    p->make(&c);
    if (c.results == 0)
        c.results = c.points * (c.pick ? c.picked : c.order == 2 ? 1 + 2 * c.inputs
            : c.outputs * (1 + c.columns));
    out->work = c.work;
    want = BENCH_NEW(double, c.results);
    got = BENCH_NEW(double, c.results > c.points * c.outputs ? c.results : c.points * c.outputs);
    p->hand[0](&c, want);
    p->hand[1](&c, got);
    if (difference(c.results, got, want) > p->tolerance) {
        printf("WRONG %s: what is written by hand differs between compilers\n", p->name);
        wrong_count++;
    }
    runners[0].hand = p->hand[0];
    runners[1].hand = p->hand[1];
    for (i = 0; p->own && p->own[i].name; i++) {
        before = out->versions;
        add_version(out, &p->own[i], 1, p->name);
        if (out->versions > before) all[before] = &p->own[i];
    }
    for (i = 0; bench_ours[i].name; i++) {
        before = out->versions;
        add_version(out, &bench_ours[i], 1, p->name);
        if (out->versions > before) all[before] = &bench_ours[i];
    }
    for (i = 0; bench_peers[i]; i++) {
        const bench_version *v = bench_peers[i];
        for (; v->name; v++) {
            before = out->versions;
            add_version(out, v, 0, p->name);
            if (out->versions > before) all[before] = v;
        }
    }
    for (i = 0; i < out->versions; i++) {
        runner *r = &runners[n];
        r->version = all[i];
        r->to = &out->version[i];
        open_version(r, &c, want, got);
        if (r->to->how == RIGHT) n++;
        else if (r->to->how != ABSENT)
            printf("WRONG %s %s: %s, %.2g\n", p->name, r->to->name,
                r->to->how == WRONG ? "differs" : "failed", r->to->error);
        if (r->to->how != RIGHT) memset(r, 0, sizeof *r);
    }
    race(runners, n, &c, got, shown ? seconds : seconds / 5, out);
    for (i = 3; i < n; i++) {
        find_parts(&runners[i], &c, got);
        runners[i].version->close(runners[i].state);
    }
    free(want);
    free(got);
    p->clean(&c);
}

/* ---------------------------------------------------------------- tables */

/* Three digits and a unit, in a buffer of its own. */
static const char *shown_time(double ns)
{
    static char buffer[8][24];
    static int next;
    char *b = buffer[next++ % 8];
    if (!(ns > 0)) snprintf(b, 24, "-");
    else if (ns < 1e3) snprintf(b, 24, "%.3g ns", ns);
    else if (ns < 1e6) snprintf(b, 24, "%.3g us", ns / 1e3);
    else if (ns < 1e9) snprintf(b, 24, "%.3g ms", ns / 1e6);
    else snprintf(b, 24, "%.3g s", ns / 1e9);
    return b;
}
static const char *shown_size(const bench_problem *p, const size_t *size)
{
    static char buffer[80];
    const char *s = p->sizes;
    size_t used = 0;
    int i;
    for (i = 0; i < 3 && size[i] && *s; i++) {
        const size_t n = strcspn(s, " ");
        used += (size_t)snprintf(buffer + used, sizeof buffer - used, "%s%.*s=%zu", i ? " " : "",
            n > 4 ? 1 : (int)n, s, size[i]);
        s += n;
        while (*s == ' ') s++;
    }
    return buffer;
}

/* The names of all versions, in the order in which they first came. */
static const char *names[VERSIONS];
static int name_count;
static void collect_names(void)
{
    int p, c, v, i;
    for (p = 0; p < result_count; p++)
        for (c = 0; c < results[p].cases; c++)
            for (v = 0; v < results[p].at[c].versions; v++) {
                const measured *m = &results[p].at[c].version[v];
                if (m->how == ABSENT) continue;
                for (i = 0; i < name_count && strcmp(names[i], m->name); i++) continue;
                if (i == name_count && name_count < VERSIONS) names[name_count++] = m->name;
            }
}
static const measured *version_named(const case_result *c, const char *name)
{
    int i;
    for (i = 0; i < c->versions; i++)
        if (strcmp(c->version[i].name, name) == 0 && c->version[i].how != ABSENT)
            return &c->version[i];
    return NULL;
}
/* The slope of log time over log work, by least squares: 1 is proportional. NAN below three. */
static double exponent(const problem_result *p, const char *name)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0, n = 0;
    int c;
    for (c = 0; c < p->cases; c++) {
        const measured *m = name ? version_named(&p->at[c], name) : NULL;
        const double ns = name ? (m && m->how == RIGHT ? m->ns : 0) : p->at[c].hand;
        double x, y;
        if (!(ns > 0)) continue;
        x = log(p->at[c].work);
        y = log(ns);
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
        n++;
    }
    if (n < 3 || n * sxx - sx * sx < 1e-9) return NAN;
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

static void print_ratios(void)
{
    int p, i;
    printf("\nHOW FAR FROM WRITTEN BY HAND?  Time of a derivative over that of the hand-written "
        "one (spread in %%).\n%-24s %-22s %9s %6s", "", "", "by hand", "plain");
    for (i = 0; i < name_count; i++) printf(" %12s", names[i]);
    printf("\n");
    for (p = 0; p < result_count; p++) {
        const problem_result *r = &results[p];
        const case_result *c = &r->at[r->shown];
        printf("%-24s %-22s %9s %6.2f", r->problem->title, shown_size(r->problem, c->size),
            shown_time(c->hand), c->plain / c->hand);
        for (i = 0; i < name_count; i++) {
            const measured *m = version_named(c, names[i]);
            char cell[32];
            if (m == NULL) snprintf(cell, sizeof cell, "-");
            else if (m->how == RIGHT)
                snprintf(cell, sizeof cell, "%.*f (%.0f)", m->ratio < 10 ? 2 : m->ratio < 100,
                    m->ratio, 50 * (m->ratio_high - m->ratio_low) / m->ratio);
            else snprintf(cell, sizeof cell, "WRONG");
            printf(" %12s", cell);
        }
        printf("\n");
    }
}

static void print_growth(void)
{
    int p, c, i;
    printf("\nHOW DOES IT GROW?  Time at each size, and the exponent of work that it grows with."
        "\n");
    for (p = 0; p < result_count; p++) {
        const problem_result *r = &results[p];
        if (r->cases < 2) continue;
        printf("%-16s", r->problem->title);
        for (c = 0; c < r->cases; c++) printf(" %18s", shown_size(r->problem, r->at[c].size));
        printf(" %8s\n", "exponent");
        for (i = -1; i < name_count; i++) {
            const double e = exponent(r, i < 0 ? NULL : names[i]);
            int some = i < 0;
            for (c = 0; c < r->cases && !some; c++)
                some = version_named(&r->at[c], names[i]) != NULL;
            if (!some) continue;
            printf("  %-14s", i < 0 ? "by hand" : names[i]);
            for (c = 0; c < r->cases; c++) {
                const measured *m = i < 0 ? NULL : version_named(&r->at[c], names[i]);
                printf(" %18s", i < 0 ? shown_time(r->at[c].hand) : m == NULL ? "-"
                    : m->how == RIGHT ? shown_time(m->ns) : "WRONG");
            }
            if (e == e) printf(" %8.2f\n", e);
            else printf(" %8s\n", "-");
        }
    }
}

static void print_parts(void)
{
    int p, v;
    printf("\nWHERE DOES IT GO?  First call (opening and one run) and later ones; recording, sweep "
        "and replay\napart, in ns a node; memory.\n%-24s %-14s %10s %10s %7s %10s %8s %8s %8s "
        "%8s\n", "", "", "first", "later", "ratio", "nodes", "record", "sweep", "replay", "B/node");
    for (p = 0; p < result_count; p++) {
        const case_result *c = &results[p].at[results[p].shown];
        for (v = 0; v < c->versions; v++) {
            const measured *m = &c->version[v];
            int k;
            if (m->how != RIGHT) continue;
            printf("%-24s %-14s %10s %10s %7.1f", results[p].problem->title, m->name,
                shown_time(m->first), shown_time(m->ns), m->first / m->ns);
            if (m->nodes > 0) {
                printf(" %10.0f", m->nodes);
                for (k = 0; k < BENCH_PARTS; k++)
                    if (m->part[k] > 0) printf(" %8.2f", m->part[k] / m->nodes);
                    else printf(" %8s", "-");
                if (m->bytes > 0) printf(" %8.1f", m->bytes / m->nodes);
            }
            printf("\n");
        }
    }
}

/* ---------------------------------------------------------------- goals */

typedef struct goal { char what[160]; double figure, wanted; int met; } goal;
static goal goals[512];
static int goal_count;
static void add_goal(double figure, double wanted, const char *format, ...)
{
    goal *g = &goals[goal_count];
    va_list list;
    if (goal_count == (int)(sizeof goals / sizeof goals[0])) return;
    goal_count++;
    va_start(list, format);
    vsnprintf(g->what, sizeof g->what, format, list);
    va_end(list);
    g->figure = figure;
    g->wanted = wanted;
    g->met = figure <= wanted;
}
static void find_goals(void)
{
    int p, c, v;
    for (p = 0; p < result_count; p++)
        for (c = 0; c < results[p].cases; c++) {
            const bench_problem *b = results[p].problem;
            const case_result *r = &results[p].at[c];
            const char *size = shown_size(b, r->size);
            for (v = 0; v < r->versions; v++) {
                const measured *m = &r->version[v];
                if (m->how != RIGHT) continue;
                if (m->ours && m->mode == BENCH_COMPILED)
                    add_goal(m->ratio, b->maps ? 1 : 2, "%s %s: %s / by hand", b->title, size,
                        m->name);
                if (m->rival && (m->mode == BENCH_TAPE || m->mode == BENCH_FORWARD))
                    add_goal(1 / m->gain, 1, "%s %s: %s / %s", b->title, size, m->rival, m->name);
            }
        }
}
static void print_goals(void)
{
    int i, met = 0;
    for (i = 0; i < goal_count; i++) met += goals[i].met;
    printf("\nGOALS: %d met, %d missed: fn faster than by hand over many points, within 2 at one; "
        "the tape\nfaster than any C++ tape, duals than any other forward mode (time of ours over "
        "theirs).\n", met, goal_count - met);
    for (i = 0; i < goal_count; i++)
        if (!goals[i].met) printf("  missed: %-72s %.2f instead of %.2f\n", goals[i].what,
            goals[i].figure, goals[i].wanted);
}

/* ---------------------------------------------------------------- files */

static char fact_key[64][48], fact_text[64][200];
static int fact_count;
static void read_facts(const char *path)
{
    char line[256];
    FILE *f = fopen(path, "r");
    while (f && fact_count < 64 && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = 0;
        if (sscanf(line, "%47s %199[^\n]", fact_key[fact_count], fact_text[fact_count]) == 2)
            fact_count++;
    }
    if (f) fclose(f);
}
static void print_facts(void)
{
    int i;
    for (i = 0; i < fact_count; i++) {
        if (strncmp(fact_key[i], "compile-", 8) == 0) continue;
        printf("%-10s %s\n", fact_key[i], fact_text[i]);
    }
}
static void print_compile(void)
{
    int i, some = 0;
    for (i = 0; i < fact_count; i++) {
        double s, bytes, runs;
        if (strncmp(fact_key[i], "compile-", 8)
            || sscanf(fact_text[i], "%lf %lf %lf", &s, &bytes, &runs) != 3) continue;
        if (!some++)
            printf("\nWHAT DOES THE HEADER COST?  Compiling it alone, programs that call one part "
                "of it, and all of it.\n%-44s %10s %12s %6s\n", "", "seconds", "bytes", "runs");
        printf("%-44s %10.3g %12.0f %6.0f\n", fact_key[i] + 8, s, bytes, runs);
    }
}

static void write_text(FILE *f, const char *s)
{
    fputc('"', f);
    for (; *s; s++) {
        if (*s == '"' || *s == '\\') fputc('\\', f);
        fputc((unsigned char)*s < 32 ? ' ' : *s, f);
    }
    fputc('"', f);
}
static void write_number(FILE *f, const char *key, double v)
{
    if (v == v && v - v == 0) fprintf(f, ", \"%s\": %.6g", key, v);
    else fprintf(f, ", \"%s\": null", key);
}
static const char *const mode_names[] = { "forward", "tape", "compiled", "arrays", "other" };
static const char *const state_names[] = { "absent", "right", "wrong", "failed" };

static void write_json(const char *path)
{
    FILE *f = fopen(path, "w");
    int p, c, v, i;
    if (f == NULL) return;
    fprintf(f, "{\n\"facts\": {");
    for (i = 0; i < fact_count; i++) {
        fprintf(f, "%s\n  ", i ? "," : "");
        write_text(f, fact_key[i]);
        fprintf(f, ": ");
        write_text(f, fact_text[i]);
    }
    fprintf(f, "\n},\n\"problems\": [");
    for (p = 0; p < result_count; p++) {
        const problem_result *r = &results[p];
        fprintf(f, "%s\n {\"name\": \"%s\", \"title\": ", p ? "," : "", r->problem->name);
        write_text(f, r->problem->title);
        fprintf(f, ", \"sizes\": \"%s\", \"shown\": %d, \"maps\": %d,\n  \"cases\": [",
            r->problem->sizes, r->shown, r->problem->maps);
        for (c = 0; c < r->cases; c++) {
            const case_result *k = &r->at[c];
            fprintf(f, "%s\n  {\"size\": [", c ? "," : "");
            for (i = 0; i < 3 && k->size[i]; i++) fprintf(f, "%s%zu", i ? ", " : "", k->size[i]);
            fprintf(f, "], \"work\": %.6g, \"rounds\": %d, \"compiler\": \"%s\"", k->work,
                k->rounds, k->compiler);
            write_number(f, "hand", k->hand);
            write_number(f, "hand_low", k->hand_low);
            write_number(f, "hand_high", k->hand_high);
            write_number(f, "plain", k->plain);
            fprintf(f, ",\n   \"versions\": [");
            for (v = i = 0; v < k->versions; v++) {
                const measured *m = &k->version[v];
                if (m->how == ABSENT) continue;
                fprintf(f, "%s\n    {\"name\": \"%s\", \"mode\": \"%s\", \"ours\": %d, "
                    "\"state\": \"%s\"", i++ ? "," : "", m->name, mode_names[m->mode], m->ours,
                    state_names[m->how]);
                if (m->how == RIGHT) {
                    write_number(f, "ns", m->ns);
                    write_number(f, "ns_low", m->low);
                    write_number(f, "ns_high", m->high);
                    write_number(f, "ratio", m->ratio);
                    write_number(f, "ratio_low", m->ratio_low);
                    write_number(f, "ratio_high", m->ratio_high);
                    write_number(f, "first", m->first);
                    write_number(f, "record", m->part[BENCH_RECORD]);
                    write_number(f, "sweep", m->part[BENCH_SWEEP]);
                    write_number(f, "replay", m->part[BENCH_REPLAY]);
                    write_number(f, "nodes", m->nodes);
                    write_number(f, "bytes", m->bytes);
                    if (m->rival) {
                        fprintf(f, ", \"rival\": \"%s\"", m->rival);
                        write_number(f, "gain", m->gain);
                        write_number(f, "gain_low", m->gain_low);
                        write_number(f, "gain_high", m->gain_high);
                    }
                }
                write_number(f, "error", m->error);
                fprintf(f, "}");
            }
            fprintf(f, "]}");
        }
        fprintf(f, "],\n  \"exponents\": {\"hand\": ");
        {
            const double e = exponent(r, NULL);
            if (e == e) fprintf(f, "%.3f", e);
            else fprintf(f, "null");
        }
        for (i = 0; i < name_count; i++) {
            const double e = exponent(r, names[i]);
            if (e == e) fprintf(f, ", \"%s\": %.3f", names[i], e);
        }
        fprintf(f, "}}");
    }
    fprintf(f, "],\n\"goals\": [");
    for (i = 0; i < goal_count; i++) {
        fprintf(f, "%s\n {\"what\": ", i ? "," : "");
        write_text(f, goals[i].what);
        fprintf(f, ", \"figure\": %.4g, \"wanted\": %.4g, \"met\": %d}", goals[i].figure,
            goals[i].wanted, goals[i].met);
    }
    fprintf(f, "]\n}\n");
    fclose(f);
}

static void write_csv(const char *path)
{
    FILE *f = fopen(path, "w");
    int p, c, v;
    if (f == NULL) return;
    fprintf(f, "problem,size,work,version,state,ns,ns_low,ns_high,ratio,ratio_low,ratio_high,"
        "first_ns,record_ns,sweep_ns,replay_ns,nodes,bytes,rival,gain\n");
    for (p = 0; p < result_count; p++)
        for (c = 0; c < results[p].cases; c++) {
            const case_result *k = &results[p].at[c];
            const char *size = shown_size(results[p].problem, k->size);
            const char *name = results[p].problem->name;
            fprintf(f, "%s,%s,%g,hand,right,%g,%g,%g,1,1,1,,,,,,,,\n", name, size, k->work, k->hand,
                k->hand_low, k->hand_high);
            fprintf(f, "%s,%s,%g,plain,right,%g,,,,,,,,,,,,,\n", name, size, k->work, k->plain);
            for (v = 0; v < k->versions; v++) {
                const measured *m = &k->version[v];
                if (m->how == ABSENT) continue;
                fprintf(f, "%s,%s,%g,%s,%s,", name, size, k->work, m->name, state_names[m->how]);
                if (m->how == RIGHT)
                    fprintf(f, "%g,%g,%g,%g,%g,%g,%g,%g,%g,%g,%g,%g,%s,%g\n", m->ns, m->low,
                        m->high, m->ratio, m->ratio_low, m->ratio_high, m->first,
                        m->part[BENCH_RECORD], m->part[BENCH_SWEEP], m->part[BENCH_REPLAY],
                        m->nodes, m->bytes, m->rival ? m->rival : "", m->gain);
                else fprintf(f, ",,,,,,,,,,,,,\n");
            }
        }
    fclose(f);
}

/* One line that is written over, on a terminal; else a line for each. */
static void show_progress(int done, int all, const bench_problem *p, const size_t *size)
{
    char line[80];
    snprintf(line, sizeof line, "%d of %d: %s %s", done, all, p->title, shown_size(p, size));
    if (isatty(2)) fprintf(stderr, "\r%-78s", line);
    else fprintf(stderr, "%s\n", line);
}

int main(int argc, char **argv)
{
    const char *csv = NULL, *json = NULL;
    const double start = bench_now();
    int i, c, case_count = 0, done = 0;
    for (i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--shown") == 0) shown_only = 1;
        else if (i + 1 >= argc) break;
        else if (strcmp(argv[i], "--only") == 0 && only_count < 16) only[only_count++] = argv[++i];
        else if (strcmp(argv[i], "--seconds") == 0) seconds = atof(argv[++i]);
        else if (strcmp(argv[i], "--facts") == 0) read_facts(argv[++i]);
        else if (strcmp(argv[i], "--csv") == 0) csv = argv[++i];
        else if (strcmp(argv[i], "--json") == 0) json = argv[++i];
        else break;
    }
    if (i < argc) {
        fprintf(stderr, "usage: suite [--only TEXT]... [--seconds S] [--shown] [--facts FILE] "
            "[--csv FILE] [--json FILE]\n");
        return 2;
    }
    print_facts();
    for (i = 0; bench_problems[i] && result_count < PROBLEMS; i++) {
        const bench_problem *p = bench_problems[i];
        problem_result *r = &results[result_count];
        int some = only_count == 0;
        for (c = 0; c < only_count; c++) {
            const bench_version *const *q;
            int version = 0;
            for (q = bench_peers; *q; q++) version |= strstr((*q)->name, only[c]) != NULL;
            some |= strstr(p->name, only[c]) != NULL || version;
        }
        if (!some) continue;
        r->problem = p;
        result_count++;
        for (c = 0; p->cases[c][0]; c++) case_count += !shown_only || (size_t)c == p->shown;
    }
    for (i = 0; i < result_count; i++) {
        problem_result *r = &results[i];
        const bench_problem *p = r->problem;
        for (c = 0; p->cases[c][0] && r->cases < CASES; c++) {
            if (shown_only && (size_t)c != p->shown) continue;
            if ((size_t)c == p->shown) r->shown = r->cases;
            show_progress(++done, case_count, p, p->cases[c]);
            run_case(p, p->cases[c], (size_t)c == p->shown, &r->at[r->cases]);
            r->cases++;
        }
    }
    if (isatty(2)) fprintf(stderr, "\r%-78s\r", "");
    collect_names();
    if (!shown_only) print_growth();
    print_parts();
    print_compile();
    find_goals();
    print_goals();
    print_ratios();                    /* last: a terminal still shows it */
    if (csv) write_csv(csv);
    if (json) write_json(json);
    printf("\n%d wrong; %.0f s\n", wrong_count, (bench_now() - start) / 1e9);
    return wrong_count != 0;
}
