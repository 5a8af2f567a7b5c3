/* Fuzz target: command lines of tools/adcheck, an argument in each line. Its exits come back here;
   it opens no library, writes no file and starts no process (a child would wait for ever for a lock
   that a thread of libFuzzer's held), and `--x point` reads what follows an empty line. Memory and
   files that the program leaves to its end are given back before the next input. */
#include <ctype.h>
#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include "fuzz.h"

static jmp_buf back;
static FILE *quiet;
static const char *point;

#if defined(__GNUC__)
__attribute__((noreturn))
#endif
static void leave(int code)
{
    REQUIRE(code == 0 || code == 1 || code == 77 || code == 99);
    longjmp(back, 1 + code);
}

/* The blocks and files of this input; the last comes first. */
static void **blocks;
static FILE *files[8];
static size_t block_count, block_room, file_count;
static size_t place_of(const void *p)
{
    size_t i = block_count;
    while (i > 0 && blocks[i - 1] != p) i--;
    REQUIRE(i > 0);
    return i - 1;
}
static void *resize(void *p, size_t bytes)
{
    void *q;
    if (block_count == block_room) {
        block_room = 2 * block_room + 64;
        blocks = (void **)realloc(blocks, block_room * sizeof *blocks);
        REQUIRE(blocks);
    }
    q = realloc(p, bytes);
    if (!q) return NULL;
    blocks[p ? place_of(p) : block_count++] = q;
    return q;
}
static void *resize_zeroed(size_t count, size_t size)
{
    void *const p = size && count > (size_t)-1 / size ? NULL : resize(NULL, count * size);
    return p ? memset(p, 0, count * size) : NULL;
}
static void give_back(void *p)
{
    if (!p) return;
    blocks[place_of(p)] = blocks[block_count - 1];
    block_count--;
    free(p);
}
static void give_all_back(void)
{
    while (block_count > 0) free(blocks[--block_count]);
    while (file_count > 0) fclose(files[--file_count]);
}

static FILE *open_nothing(const char *path, const char *mode)
{
    FILE *const file = mode[0] == 'r' && strcmp(path, "point") != 0 ? NULL : tmpfile();
    if (!file) return NULL;
    REQUIRE(file_count < sizeof files / sizeof *files);
    files[file_count++] = file;
    if (mode[0] != 'r') return file;
    fputs(point, file);
    rewind(file);
    return file;
}

#undef stdin
#undef stdout
#undef stderr
#define stdin  quiet
#define stdout quiet
#define stderr quiet
#define main   adcheck_main
#define exit   leave
#define fopen  open_nothing
#define fclose(file)       ((void)(file), 0)
#define malloc(bytes)      resize(NULL, bytes)
#define realloc(p, bytes)  resize(p, bytes)
#define calloc(count, size) resize_zeroed(count, size)
#define free(p)            give_back(p)
#define pipe(ends)         (-1)
#define puts(text)   fputs(text, quiet)
#define printf(...)  fprintf(quiet, __VA_ARGS__)
#define putchar(c)   fputc(c, quiet)
#define dlopen(path, how) NULL
#define signal(number, handler) (void)(handler)
#include "../../tools/adcheck.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char text[600];
    char *argv[40], *at = text;
    int argc = 1;
    if (!quiet) quiet = tmpfile();
    if (!quiet || size >= sizeof text) return 0;
    rewind(quiet);
    memcpy(text, data, size);
    text[size] = 0;
    argv[0] = text + size;                       /* "" */
    point = text + size;
    for (argc = 1; argc < 39 && *at; argc++) {
        argv[argc] = at;
        at += strcspn(at, "\n");
        if (*at) *at++ = 0;
        if (*at == '\n') {
            point = at + 1;
            *at = 0;
        }
    }
    argv[argc] = NULL;
    if (setjmp(back) == 0) leave(adcheck_main(argc, argv));
    give_all_back();
    return 0;
}
