/* Common to the fuzz targets: bytes to be read one by one, a sink for text, and a requirement that
   ends the program. A target is LLVMFuzzerTestOneInput: clang's libFuzzer makes inputs for it
   (tests/fuzz.sh), replay.c gives it those of tests/fuzz/corpus. */
#ifndef FUZZ_H
#define FUZZ_H
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C"
#endif
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#if defined(__GNUC__)
#define FUZZ_DEF static __attribute__((unused))
#else
#define FUZZ_DEF static
#endif

#define REQUIRE(c)                                                                                 \
    do {                                                                                           \
        if (!(c)) {                                                                                \
            fprintf(stderr, "%s:%d: FAILED: %s\n", __FILE__, __LINE__, #c);                        \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

typedef struct fuzz_bytes { const uint8_t *at, *end; } fuzz_bytes;

/* The next byte, below n; 0 at the end. */
FUZZ_DEF size_t fuzz_next(fuzz_bytes *b, size_t n)
{
    return b->at < b->end ? *b->at++ % n : 0;
}

/* A number, mostly an ordinary one. */
FUZZ_DEF double fuzz_number(fuzz_bytes *b)
{
    static const double special[] = { 0, -0.0, 1, -1, 2, 0.5, 3, -2.5, 1e-3, 1e3, 1e-300, 1e300,
        HUGE_VAL, -HUGE_VAL, (double)NAN, 1e-310 };
    const size_t k = fuzz_next(b, 256);
    return k < 32 ? special[k % 16] : ((double)k - 140) / 37;
}

/* Takes text, and stops the output after *user pieces. */
FUZZ_DEF int fuzz_write(void *user, const char *text, size_t length)
{
    size_t *const pieces = (size_t *)user;
    REQUIRE(text[length] == 0 || strlen(text) >= length);
    return (*pieces)-- == 0;
}

FUZZ_DEF int fuzz_same(double a, double b) { return a == b || (a != a && b != b); }
#endif
