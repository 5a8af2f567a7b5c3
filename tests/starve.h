/* Memory that runs out, for code that takes it from malloc: where the system can limit it. */
#ifndef STARVE_H
#define STARVE_H
#include <stddef.h>
#include <stdio.h>
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define STARVE 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)                            \
    || __has_feature(memory_sanitizer)
#define STARVE 0
#endif
#endif
#if !defined(STARVE) && defined(__linux__) && defined(__GLIBC__)
#define STARVE 1
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#elif !defined(STARVE)
#define STARVE 0
#endif

/* From now on so many bytes more than there are now, in blocks of their own if they are not small;
   all there is again with (size_t)-1. 0 where that cannot be done. */
static inline int starve(size_t more)
{
#if STARVE
    static struct rlimit before;
    static int known;
    struct rlimit now;
    unsigned long pages = 0;
    FILE *f;
    if (!known) {
        const char *const below = getenv("LD_PRELOAD");      /* valgrind needs memory itself */
        if (below && strstr(below, "vgpreload")) return 0;
        known = getrlimit(RLIMIT_AS, &before) == 0 && mallopt(M_MMAP_THRESHOLD, 1 << 16);
        if (!known) return 0;
    }
    now = before;
    if (more == (size_t)-1) return setrlimit(RLIMIT_AS, &now) == 0;
    malloc_trim(0);
    f = fopen("/proc/self/statm", "r");
    if (!f) return 0;
    if (fscanf(f, "%lu", &pages) != 1) pages = 0;
    fclose(f);
    if (pages == 0) return 0;
    now.rlim_cur = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + more;
    return (now.rlim_max == RLIM_INFINITY || now.rlim_cur <= now.rlim_max)
        && setrlimit(RLIMIT_AS, &now) == 0;
#else
    (void)more;
    return 0;
#endif
}
#endif
