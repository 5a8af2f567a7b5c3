/* What the benchmarks share: clocks, random numbers, races (interleaved runs, medians of ratios),
   goals, and the head of what they print. */
#ifndef BENCH_H
#define BENCH_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#if defined(__GNUC__)
#define BENCH_NOINLINE __attribute__((noinline))
#else
#define BENCH_NOINLINE
#endif

static double bench_now(void)                  /* nanoseconds */
{
    struct timespec s;
    clock_gettime(CLOCK_MONOTONIC, &s);
    return (double)s.tv_sec * 1e9 + (double)s.tv_nsec;
}

/* Nanoseconds of this process's processor time: what else runs is not counted. */
static inline double bench_processor(void)
{
    struct timespec s;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &s);
    return (double)s.tv_sec * 1e9 + (double)s.tv_nsec;
}

/* Random numbers, the same on every machine (splitmix64: Steele, Lea & Flood 2014). */
static inline uint64_t bench_bits(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}
static inline double bench_between(uint64_t *state, double low, double high)
{
    return low + (high - low) * ((double)(bench_bits(state) >> 11) * (1.0 / 9007199254740992.0));
}

static int bench_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median, and the quartiles where wanted. Sorts v. */
static double bench_median(double *v, size_t n, double *low, double *high)
{
    qsort(v, n, sizeof *v, bench_compare);
    if (low) *low = v[n / 4];
    if (high) *high = v[n - 1 - n / 4];
    return v[n / 2];
}

/* ---- races */

#define BENCH_PEERS  4                   /* the first is what the others are compared with */
#define BENCH_ROUNDS 401
typedef struct bench_race {
    double ns[BENCH_PEERS], least[BENCH_PEERS];          /* a unit: median, and the fastest run */
    double ratio[BENCH_PEERS], low[BENCH_PEERS], high[BENCH_PEERS];
} bench_race;

/* Runs the jobs (NULL: none) in turns within some time (ns); a run is so many units. `took` tells
   how long so many runs took (ns), of which the first has that number. Samples take 0.1 ms, after a
   run that does not count. The order changes from round to round, so that none always comes after
   the same other. */
static inline void bench_run(const void *const job[BENCH_PEERS],
    double (*took)(const void *job, size_t first, size_t count), double units, double budget,
    bench_race *out)
{
    static double ns[BENCH_PEERS][BENCH_ROUNDS], ratio[BENCH_PEERS][BENCH_ROUNDS];
    size_t count[BENCH_PEERS] = { 0, 0, 0, 0 }, rounds, i;
    double round = 0;
    int p, k;
    for (p = 0; p < BENCH_PEERS; p++) {
        double t, u;
        if (job[p] == NULL) continue;
        t = took(job[p], 0, 1);
        u = took(job[p], 1, 1);
        if (u < t) t = u;
        count[p] = t > 1e5 ? 1 : (size_t)(1e5 / (t > 1 ? t : 1)) + 1;
        round += t * (double)(count[p] + 1);
    }
    rounds = (size_t)(budget / (round > 1 ? round : 1));
    rounds = rounds < 5 ? 5 : rounds > BENCH_ROUNDS ? BENCH_ROUNDS : rounds;
    for (i = 0; i < rounds; i++) {
        for (k = 0; k < BENCH_PEERS; k++) {
            p = i % 2 ? BENCH_PEERS - 1 - k : k;
            if (job[p] == NULL) continue;
            if (count[p] > 1) took(job[p], 9 * i, 1);            /* caches as they are in a row */
            ns[p][i] = took(job[p], 7 * i, count[p]) / ((double)count[p] * units);
        }
        for (p = 0; p < BENCH_PEERS; p++)
            if (job[p] && job[0]) ratio[p][i] = ns[p][i] / ns[0][i];
    }
    memset(out, 0, sizeof *out);
    for (p = 0; p < BENCH_PEERS; p++) {
        if (job[p] == NULL) continue;
        out->ns[p] = bench_median(ns[p], rounds, NULL, NULL);
        out->least[p] = ns[p][0];                                /* sorted now */
        if (job[0]) out->ratio[p] = bench_median(ratio[p], rounds, &out->low[p], &out->high[p]);
    }
}

/* ---- goals */

typedef struct bench_goals {
    int met, missed, wrong;
    size_t used;
    char list[8192];                     /* of those missed, a line each */
} bench_goals;
/* Returns what to print beside the figure. */
static inline const char *bench_goal(bench_goals *g, int ok, const char *what, double figure,
    double wanted)
{
    if (ok) {
        g->met++;
        return "met";
    }
    g->missed++;
    if (g->used + 120 < sizeof g->list) {
        const int n = snprintf(g->list + g->used, 120, "  %-48s %.4g instead of %.4g\n", what,
            figure, wanted);
        g->used += n < 120 ? (size_t)n : 119;
    }
    return "MISSED";
}
/* Ends what the program prints; its exit code. start: bench_now() then. */
static inline int bench_end(const bench_goals *g, double start)
{
    printf("\n%d goals met, %d missed, %d wrong; %.0f s\n%s", g->met, g->missed, g->wrong,
        (bench_now() - start) / 1e9, g->list);
    return g->wrong != 0;
}

/* ---- heads */

static inline void bench_head(const char *title)
{
    printf("%s  [%s]\n", title,
#if defined(__clang__)
           "clang " __clang_version__
#elif defined(__GNUC__)
           "gcc " __VERSION__
#else
           "unknown compiler"
#endif
    );
}
/* The same, and the machine: no end of line, for what else there is to say. */
static inline void bench_machine(const char *title)
{
    char line[256] = "";
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, "model name", 10) == 0) break;
        else line[0] = 0;
    if (f) fclose(f);
    line[strcspn(line, "\n")] = 0;
    bench_head(title);
    printf("CPU%s, %ld processors", line[0] ? strchr(line, ':') : ": unknown",
        sysconf(_SC_NPROCESSORS_ONLN));
}
#endif
