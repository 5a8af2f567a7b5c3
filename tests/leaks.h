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

/* Bytes that malloc has given and not got back, where it tells; else 0. It keeps up to seven blocks
   of each small size for the next who asks, and takes them for given; so that they are as many
   whenever it is asked, all of them are filled before. */
static inline size_t leaks_given(void)
{
#if LEAKS_TOLD
    enum { SIZES = 64, KEPT = 7, APART = 16 };
    static void *block[SIZES * KEPT];
    struct mallinfo2 all;
    size_t i;
    for (i = 0; i < SIZES * KEPT; i++) block[i] = malloc(8 + APART * (i % SIZES));
    for (i = 0; i < SIZES * KEPT; i++) free(block[i]);
    all = mallinfo2();
    return all.uordblks + all.hblkhd;
#else
    return 0;
#endif
}
/* Does work() give back all that it takes? What it does not is more with every call; what malloc
   keeps is not. */
static inline int leaks_none(void (*work)(void))
{
    enum { TIMES = 6, LEAST = 16 };                /* no block is smaller */
    int tries, i;
    for (tries = 0; tries < 6; tries++) {
        const size_t before = leaks_given();
        for (i = 0; i < TIMES; i++) work();
        if (leaks_given() < before + LEAST * TIMES) return 1;
    }
    return 0;
}
#endif
