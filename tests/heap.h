/* An allocator for tests: counts, fails when it is told to, checks what it is told of old blocks,
   moves every block that grows, and poisons what it gives and what it frees.
       heap h;
       memset(&h, 0, sizeof h);
       desc.resize = heap_resize;
       desc.resize_user = &h;
       h.fail_at = 3;                            // the third call fails; 0: none */
#ifndef HEAP_H
#define HEAP_H
#include <stdlib.h>
#include <string.h>

typedef struct heap {
    size_t live, peak, blocks, calls;
    size_t fail_at;        /* this call fails (from 1); 0: none */
    int    from_then_on;   /* and all calls after it */
    size_t also;           /* and so many calls after it: who asks again for less gets nothing */
    int    dirt;           /* other bits of fresh memory, so that it holds 0 or anything else */
    size_t wrong;          /* blocks whose size was told wrongly, or that were written around */
} heap;

enum { HEAP_GUARD = 0xABCD, HEAP_TAIL = 64 };      /* bytes behind a block, all of them 0xA5 */
typedef struct heap_block { size_t bytes, guard, aligned[6]; } heap_block;

static int heap_is_whole(const heap_block *b)
{
    const unsigned char *const tail = (const unsigned char *)(b + 1) + b->bytes;
    size_t i;
    for (i = 0; i < HEAP_TAIL && tail[i] == 0xA5; i++) continue;
    return b->guard == HEAP_GUARD && i == HEAP_TAIL;
}
static void heap_drop(heap *h, heap_block *b)
{
    h->live -= b->bytes;
    h->blocks--;
    memset(b, 0xDD, sizeof *b + b->bytes);
    free(b);
}

static void *heap_resize(void *user, void *old, size_t old_bytes, size_t new_bytes)
{
    heap *const h = (heap *)user;
    heap_block *const b = old ? (heap_block *)old - 1 : NULL, *fresh;
    h->wrong += b ? b->bytes != old_bytes || !heap_is_whole(b) : old_bytes != 0;
    if (new_bytes == 0) {
        if (b) heap_drop(h, b);
        return NULL;
    }
    h->calls++;
    if (h->fail_at && h->calls >= h->fail_at
        && (h->from_then_on || h->calls - h->fail_at <= h->also)) return NULL;
    fresh = (heap_block *)malloc(sizeof *fresh + new_bytes + HEAP_TAIL);
    if (!fresh) return NULL;
    memset(fresh + 1, 0xCC ^ h->dirt, new_bytes);
    memset((unsigned char *)(fresh + 1) + new_bytes, 0xA5, HEAP_TAIL);
    fresh->bytes = new_bytes;
    fresh->guard = HEAP_GUARD;
    h->live += new_bytes;
    h->blocks++;
    if (h->live > h->peak) h->peak = h->live;
    if (b) {
        memcpy(fresh + 1, old, b->bytes < new_bytes ? b->bytes : new_bytes);
        heap_drop(h, b);
    }
    return fresh + 1;
}
#endif
