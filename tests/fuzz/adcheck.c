/* Fuzz target: command lines of tools/adcheck, an argument in each line. Its exits come back here;
   it opens no library and writes no file, and `--x point` reads what follows an empty line. */
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

static FILE *open_nothing(const char *path, const char *mode)
{
    FILE *const file = mode[0] == 'r' && strcmp(path, "point") != 0 ? NULL : tmpfile();
    if (!file || mode[0] != 'r') return file;
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
    if (!quiet) quiet = fopen("quiet", "w");
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
    return 0;
}
