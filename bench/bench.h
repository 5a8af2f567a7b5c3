/* Timing for the benchmarks: interleaved runs, medians of ratios. */
#ifndef BENCH_H
#define BENCH_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

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
#endif
