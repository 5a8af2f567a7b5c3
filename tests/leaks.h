/* What malloc has given and does not get back, of code that takes its memory from there. */
#ifndef LEAKS_H
#define LEAKS_H
#include <stddef.h>
#include <stdlib.h>
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
#include <malloc.h>
#define LEAKS_TOLD 1
#else
#define LEAKS_TOLD 0
#endif

/* Bytes that malloc has given and not got back, where it tells; else 0. It keeps small blocks for
   the next who asks, and takes them for given: what is measured was done several times before. */
static inline size_t leaks_given(void)
{
#if LEAKS_TOLD
    const struct mallinfo2 all = mallinfo2();
    return all.uordblks + all.hblkhd;
#else
    return 0;
#endif
}
/* Does work() give back all that it takes? */
static inline int leaks_none(void (*work)(void))
{
    enum { TO_BEGIN = 3, MORE = 12 };
    size_t before = 0;
    int i;
    for (i = 0; i < TO_BEGIN + MORE; i++) {
        if (i == TO_BEGIN) before = leaks_given();
        work();
    }
    return leaks_given() < before + 16 * MORE;        /* no block is smaller */
}
#endif
