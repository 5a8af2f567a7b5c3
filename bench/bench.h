/* Timing for the benchmarks: interleaved runs, medians of ratios. */
#ifndef BENCH_H
#define BENCH_H
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
