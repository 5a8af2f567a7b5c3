/* Checks derivatives from the command line: those of a shared library, or of an expression.
       cc -O2 tools/adcheck.c -o adcheck -ldl -lm
       adcheck --help
   The checks, the verdicts, the reports and the parser of expressions are autodiff.h's; here are
   the options and the calls of the user's functions, which are counted on the way. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200112L
#endif
#define AUTODIFF_CHECK
#define AUTODIFF_STATIC
#include "../autodiff.h"
#include "alike.h"
#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__linux__)
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#endif

#define OPTIONS(O)                                                                                 \
    O(f,          "f NAME",      "the function of the library")                                    \
    O(grad,       "grad NAME",   "its gradient; with an expression: a list of expressions")        \
    O(fgrad,      "fgrad NAME",  "value and gradient in one, instead of --f and --grad")           \
    O(hv,         "hv NAME",     "Hessian times a vector, checked against --grad")                 \
    O(jac,        "jac NAME",    "Jacobian; with expressions: rows apart by ';', entries by ','")  \
    O(jvp,        "jvp NAME",    "Jacobian times a vector")                                        \
    O(vjp,        "vjp NAME",    "a vector times the Jacobian; with --jvp: one against the other") \
    O(m,          "m COUNT",     "how many values --f has, for --jac, --jvp, --vjp")               \
    O(n,          "n COUNT",     "how many variables; default: as many as the point has")          \
    O(x,          "x FILE",      "the point: numbers; '#' begins a comment; '-' is stdin")         \
    O(at,         "at LIST",     "the point in place: 1,pi/2 or, with names, x=1,y=pi/2")          \
    O(names,      "names LIST",  "names of the variables, for reports and expressions")            \
    O(float,      "float",       "float functions; an expression is computed in float")            \
    O(fortran,    "fortran",     "Fortran's functions; with --float, real ones")                   \
    O(lo,         "lo NUMBERS",  "box never left: a list, a file, or one number for all")          \
    O(hi,         "hi NUMBERS",  "its other side")                                                 \
    O(x_scale,    "x-scale NUMBERS", "typical sizes of variables, where these are near 0; 1")      \
    O(rtol,       "rtol NUMBER", "relative error that passes, to twice of it; 1e-6, float 1e-3")   \
    O(atol,       "atol NUMBER", "absolute error that passes besides; default: found out")         \
    O(noise,      "noise NUMBER", "absolute noise of the function; default: measured")             \
    O(nondet_tol, "nondet-tol NUMBER", "relative difference allowed between two calls; 0")         \
    O(dense_limit, "dense-limit COUNT", "variables up to which each is checked by itself; 2000")   \
    O(max_evals,  "max-evals COUNT", "limit on calls; 200 for each variable, 20000 when many")     \
    O(directions, "directions COUNT", "random directions, where there are too many variables; 4")  \
    O(seed,       "seed COUNT",  "of these directions; 1")                                         \
    O(strict,     "strict",      "a kink fails, and so does what is undecided")                    \
    O(label,      "label TEXT",  "what the report calls the check")                                \
    O(format,     "format WORD", "text, tap, tap13, junit, github or json")                        \
    O(output,     "output FILE", "where the report goes; default: stdout")                         \
    O(verbose,    "verbose",     "what passes in full, too")                                       \
    O(quiet,      "quiet",       "nothing to stdout: the exit code tells")                         \
    O(progress,   "progress",    "count calls on stderr even where that is no terminal")           \
    O(version,    "version",     "print the version")                                              \
    O(help,       "help",        "print this")

enum {
#define O(id, name, text) O_##id,
    OPTIONS(O)
#undef O
    O_COUNT
};
static const struct { const char *name, *text; } options[] = {
#define O(id, name, text) { name, text },
    OPTIONS(O)
#undef O
    { NULL, NULL }
};

typedef void (*any_function)(void);           /* cast back before it is called */
typedef struct call {                         /* what the checker's `user` points to */
    any_function function[O_COUNT];           /* by option, as given there */
    void  *user[O_COUNT];                     /* of an expression; NULL in a library */
    int    progress, width;                   /* columns shown */
    size_t count;                             /* of calls so far */
    double start, shown;                      /* seconds */
} call;

/* One line on stderr, whatever the arguments hold, and exit code 99. */
#if defined(__GNUC__)
__attribute__((noreturn, format(printf, 1, 2)))
#endif
static void die(const char *format, ...)
{
    char line[1024], *c;
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    for (c = line; *c; c++)
        if (iscntrl((unsigned char)*c)) *c = ' ';
    fprintf(stderr, "adcheck: %s\n", line);
    exit(99);
}

/* What is allocated lives as long as the program. */
static void *allocate(size_t count, size_t bytes)
{
    void *p = calloc(count ? count : 1, bytes);
    if (p == NULL) die("out of memory");
    return p;
}

/* ---- expressions: lists of them, which the library parses */
enum { LONGEST_NAME = sizeof ((ad_check_finding *)0)->name - 1 };     /* what a report can show */
#define NAME_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"

typedef struct expressions {
    ad_fn  *ad_fn_;                            /* the one or the other */
    adf_fn *adf_fn_;
    size_t  results, rows;
} expressions;

static char *copy_name(const char *what, const char *text, size_t length)
{
    char *copy = (char *)allocate(length + 1, 1);
    if (length == 0) die("%s: a name is missing", what);
    if (length > LONGEST_NAME)
        die("%s: the name '%.24s...' has more than %d letters", what, text, LONGEST_NAME);
    memcpy(copy, text, length);
    return copy;
}

/* The names, divided by commas, as the parser wants them. */
static char *join(char **names, size_t n)
{
    char *list, *at;
    size_t i, letters = 1;
    for (i = 0; i < n; i++) {
        const char *name = names[i];
        if (name[strspn(name, NAME_LETTERS)] || isdigit((unsigned char)*name))
            die("a variable cannot be called '%s': letters, digits and '_', no digit first", name);
        letters += strlen(name) + 1;
    }
    at = list = (char *)allocate(letters, 1);
    for (i = 0; i < n; i++) at += sprintf(at, "%s%s", i ? "," : "", names[i]);
    return list;
}

/* Expressions of n variables, divided by ';' or by commas outside of parentheses. what: for
   messages. columns: how many to a row, which a ';' ends; 0 where ';' is like ','. named: receives
   the names before the expressions, as in x=1; NULL where they do not matter. */
static expressions *parse(const char *what, const char *text, char **names, size_t n,
                          size_t columns, char **named, int single)
{
    expressions *p = (expressions *)allocate(1, sizeof *p);
    char *copy = (char *)allocate(strlen(text) + 1, 1), error[300] = "";
    size_t i, row = 0, open = 0, start = 0;
    strcpy(copy, text);
    for (i = 0; text[i]; i++) {
        open += text[i] == '(';
        if (text[i] == ')' && open) open--;
        if (text[i] == ',' && !open) copy[i] = ';';
    }
    if (single) p->adf_fn_ = adf_fn_parse(copy, join(names, n), error, sizeof error);
    else p->ad_fn_ = ad_fn_parse(copy, join(names, n), error, sizeof error);
    if (error[0] || (single ? adf_fn_status(p->adf_fn_) : ad_fn_status(p->ad_fn_)) != AD_OK)
        die("%s, %s", what, error);
    for (i = 0;; i++) {                        /* none is empty, or it would not be there */
        size_t length, gap;
        if (copy[i] && copy[i] != ';') continue;
        while (isspace((unsigned char)copy[start])) start++;
        if (start >= i) break;                 /* after a last ';' */
        length = strspn(copy + start, NAME_LETTERS);
        gap = start + length + strspn(copy + start + length, " \t\r\n\v\f");
        if (length == 3 && memcmp(copy + start, "let", 3) == 0 && gap > start + 3 && copy[gap]
            && strchr(NAME_LETTERS, copy[gap])) {          /* a name for later, and no value */
            if (copy[i] == 0) break;
            start = i + 1;
            continue;
        }
        if (named && length && copy[gap] == '=' && copy[gap + 1] != '=')
            named[p->results] = copy_name(what, copy + start, length);
        p->results++;
        row++;
        if (columns && text[i] != ',') {
            p->rows++;
            if (row != columns)
                die("%s: row %lu has n = %lu, the point n = %lu", what, (unsigned long)p->rows,
                    (unsigned long)row, (unsigned long)columns);
            row = 0;
        }
        if (copy[i] == 0) break;
        start = i + 1;
    }
    free(copy);
    return p;
}

/* ---- calls of the user's functions, in both precisions */
static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Counts a call, and says so at most four times a second. */
static call *counted(void *user)
{
    call *c = (call *)user;
    double t;
    c->count++;
    if (c->progress && (t = now()) - c->shown >= 0.25) {
        c->width = fprintf(stderr, "\radcheck: %lu calls, %.1f s",
                           (unsigned long)c->count, t - c->start) - 1;
        fflush(stderr);
        c->shown = t;
    }
    return c;
}

#define FUNCTION(type, option) call *c = counted(user); const type f_ = (type)c->function[option]
#define CALLS(REAL, P)                                                                             \
static REAL P##call_f(const REAL *x, size_t n, void *user)                                         \
{ FUNCTION(P##check_f, O_f); return f_(x, n, c->user[O_f]); }                                      \
static void P##call_vf(const REAL *x, size_t n, REAL *y, size_t m, void *user)                     \
{ FUNCTION(P##check_vf, O_f); f_(x, n, y, m, c->user[O_f]); }                                      \
static void P##call_g(const REAL *x, size_t n, REAL *g, void *user)                                \
{ FUNCTION(P##check_g, O_grad); f_(x, n, g, c->user[O_grad]); }                                    \
static REAL P##call_fg(const REAL *x, size_t n, REAL *g, void *user)                               \
{ FUNCTION(P##check_fg, O_fgrad); return f_(x, n, g, c->user[O_fgrad]); }                          \
static void P##call_jac(const REAL *x, size_t n, REAL *J, size_t m, void *user)                    \
{ FUNCTION(P##check_jac, O_jac); f_(x, n, J, m, c->user[O_jac]); }                                 \
static void P##call_jvp(const REAL *x, size_t n, const REAL *v, REAL *y, size_t m, void *user)     \
{ FUNCTION(P##check_jv, O_jvp); f_(x, n, v, y, m, c->user[O_jvp]); }                               \
static void P##call_vjp(const REAL *x, size_t n, const REAL *w, REAL *y, size_t m, void *user)     \
{ FUNCTION(P##check_vj, O_vjp); f_(x, n, w, y, m, c->user[O_vjp]); }                               \
static void P##call_hv(const REAL *x, size_t n, const REAL *v, REAL *y, void *user)                \
{ FUNCTION(P##check_hv, O_hv); f_(x, n, v, y, c->user[O_hv]); }                                    \
/* expressions, as a function that the library might hold */                                       \
static void P##expression(const REAL *x, REAL *y, void *user)                                      \
{ P##fn_eval(((const expressions *)user)->P##fn_, x, y); }                                         \
static REAL P##expression_f(const REAL *x, size_t n, void *user)                                   \
{ REAL y; (void)n; P##expression(x, &y, user); return y; }                                         \
static void P##expression_g(const REAL *x, size_t n, REAL *g, void *user)                          \
{ (void)n; P##expression(x, g, user); }                                                            \
static void P##expression_vf(const REAL *x, size_t n, REAL *y, size_t m, void *user)               \
{ (void)n; (void)m; P##expression(x, y, user); }
CALLS(double, ad_)
CALLS(float, adf_)

/* ---- Fortran's functions behind those of C: everything by its address, first n and m. `user` is
   such a record. Behind an INTEGER stands a zero, so that one of 8 bytes has the same value on
   machines that store the low half first. */
typedef struct fortran {
    any_function function;
    void        *work;                        /* n numbers for --fgrad, m n for --jac */
} fortran;

#define INTEGER(name, value) const int32_t name[2] = { (int32_t)(value), 0 }
#define CALL(REAL, ARGUMENTS) const fortran *const f_ = (const fortran *)user;                     \
    typedef REAL (*type) ARGUMENTS; const type call_ = (type)f_->function
#define FORTRAN(REAL, P)                                                                           \
static REAL P##fortran_f(const REAL *x, size_t n, void *user)                                      \
{ CALL(REAL, (const int32_t *, const REAL *)); INTEGER(n_, n); return call_(n_, x); }              \
static void P##fortran_vf(const REAL *x, size_t n, REAL *y, size_t m, void *user)                  \
{ CALL(void, (const int32_t *, const int32_t *, const REAL *, REAL *));                            \
  INTEGER(n_, n); INTEGER(m_, m); call_(n_, m_, x, y); }                                           \
static void P##fortran_g(const REAL *x, size_t n, REAL *g, void *user)                             \
{ CALL(void, (const int32_t *, const REAL *, REAL *)); INTEGER(n_, n); call_(n_, x, g); }          \
/* the C function may be called without g, a Fortran function not */                               \
static REAL P##fortran_fg(const REAL *x, size_t n, REAL *g, void *user)                            \
{ CALL(REAL, (const int32_t *, const REAL *, REAL *)); INTEGER(n_, n);                             \
  return call_(n_, x, g ? g : (REAL *)f_->work); }                                                 \
/* a[rows][columns] becomes a[columns][rows] */                                                    \
static void P##transpose(REAL *a, size_t rows, size_t columns, REAL *work)                         \
{ size_t i, j;                                                                                     \
  for (i = 0; i < rows; i++)                                                                       \
      for (j = 0; j < columns; j++) work[j * rows + i] = a[i * columns + j];                       \
  memcpy(a, work, rows * columns * sizeof *a); }                                                   \
/* J(m, n) lies by columns. What it held is turned, too, and turned back: the checker looks for    \
   numbers that are left as they were. */                                                          \
static void P##fortran_jac(const REAL *x, size_t n, REAL *J, size_t m, void *user)                 \
{ CALL(void, (const int32_t *, const int32_t *, const REAL *, REAL *));                            \
  INTEGER(n_, n); INTEGER(m_, m);                                                                  \
  P##transpose(J, m, n, (REAL *)f_->work);                                                         \
  call_(n_, m_, x, J);                                                                             \
  P##transpose(J, n, m, (REAL *)f_->work); }                                                       \
/* jvp and vjp */                                                                                  \
static void P##fortran_product(const REAL *x, size_t n, const REAL *v, REAL *y, size_t m,          \
                               void *user)                                                         \
{ CALL(void, (const int32_t *, const int32_t *, const REAL *, const REAL *, REAL *));              \
  INTEGER(n_, n); INTEGER(m_, m); call_(n_, m_, x, v, y); }                                        \
static void P##fortran_hv(const REAL *x, size_t n, const REAL *v, REAL *y, void *user)             \
{ CALL(void, (const int32_t *, const REAL *, const REAL *, REAL *));                               \
  INTEGER(n_, n); call_(n_, x, v, y); }
FORTRAN(double, ad_)
FORTRAN(float, adf_)

/* ---- what the command line says */
static size_t count_of(const char *const *given, int option, size_t otherwise)
{
    const char *text = given[option];
    char *end;
    unsigned long value;
    if (text == NULL) return otherwise;
    errno = 0;
    value = strtoul(text, &end, 10);
    if (!isdigit((unsigned char)*text) || *end || errno || value == 0 || value > 0x7fffffff)
        die("--%s: a whole number from 1 to 2147483647, not '%.40s'", options[option].name,
            text);
    return (size_t)value;
}

static double number_of(const char *const *given, int option)
{
    const char *text = given[option];
    char *end;
    double value;
    if (text == NULL) return 0;
    value = strtod(text, &end);
    if (end == text || *end || !(value > 0 && value <= DBL_MAX))
        die("--%s: a number above 0, not '%.40s'", options[option].name, text);
    return value;
}

static char *read_file(const char *what, const char *path)
{
    FILE *file = strcmp(path, "-") ? fopen(path, "rb") : stdin;
    size_t size = 0, room = 4096, got;
    char *text = (char *)allocate(room, 1);
    if (file == NULL) die("%s: cannot read '%.200s': %s", what, path, strerror(errno));
    while ((got = fread(text + size, 1, room - size - 1, file)) > 0) {
        size += got;
        if (size + 1 == room) text = (char *)realloc(text, room *= 2);
        if (text == NULL) die("out of memory");
    }
    if (ferror(file)) die("%s: cannot read '%.200s': %s", what, path, strerror(errno));
    if (file != stdin) fclose(file);
    text[size] = 0;
    if (strlen(text) != size) die("%s: '%.200s' is not a text", what, path);
    return text;
}

/* Numbers apart by blanks and commas, in a file or, where `list` allows it, in place. */
static double *numbers(const char *what, const char *source, int list, size_t *count)
{
    const char *text = source, *at, *c;
    char *end;
    double *x;
    strtod(source, &end);
    list = list && end != source && strchr(" ,", *end);     /* begins with a number */
    if (!list) text = read_file(what, source);
    x = (double *)allocate(strlen(text) / 2 + 1, sizeof *x);
    *count = 0;
    for (at = text; *(at += strspn(at, " \t\r\n,"));) {
        if (*at == '#') {
            at += strcspn(at, "\n");
            continue;
        }
        x[(*count)++] = strtod(at, &end);
        if (end == at || !strchr(" \t\r\n,#", *end)) {
            const size_t length = strcspn(at, " \t\r\n,#");
            unsigned long line = 1;
            for (c = text; c < at; c++) line += *c == '\n';
            die("%s: '%.200s', line %lu: not a number: %.*s", what, source, line,
                length < 24 ? (int)length : 24, at);
        }
        at = end;
    }
    return x;
}

/* A number for each variable, or one for all; NULL if not given. */
static double *sizes_of(const char *const *given, int option, size_t n, int single)
{
    char what[24];
    double *in, *all;
    size_t count, i;
    if (given[option] == NULL) return NULL;
    sprintf(what, "--%.*s", (int)strcspn(options[option].name, " "), options[option].name);
    in = numbers(what, given[option], 1, &count);
    if (count != n && count != 1)
        die("%s has n = %lu, the point n = %lu", what, (unsigned long)count, (unsigned long)n);
    all = (double *)allocate(n, sizeof *all);
    for (i = 0; i < n; i++) {
        all[i] = in[count == 1 ? 0 : i];
        if (single) all[i] = (double)(float)all[i];
    }
    free(in);
    return all;
}
static double *box_of(const char *const *given, int option, const double *x, size_t n, int single)
{
    double *const all = sizes_of(given, option, n, single);
    size_t i;
    for (i = 0; i < n && all; i++)
        if (option == O_lo ? !(x[i] >= all[i]) : !(x[i] <= all[i]))
            die("x[%lu] = %g is outside of the box: --%s is %g there", (unsigned long)i, x[i],
                option == O_lo ? "lo" : "hi", all[i]);
    return all;
}

/* The point and, where they are told, the names of its components (else *names is NULL). */
static double *point_of(const char *const *given, int single, size_t *n, char ***names)
{
    const char *source = given[O_at] ? "--at" : "--x";
    double *x;
    size_t i, j;
    *names = NULL;
    if (!given[O_x] == !given[O_at]) die("give the point once: by --x FILE or by --at LIST");
    if (given[O_x]) {
        x = numbers("--x", given[O_x], 0, n);
    } else {
        char **named = (char **)allocate(strlen(given[O_at]) + 1, sizeof *named);
        const expressions *p = parse("--at", given[O_at], NULL, 0, 0, named, 0);
        *n = p->results;
        x = (double *)allocate(*n, sizeof *x);
        ad_fn_eval(p->ad_fn_, NULL, x);
        for (i = j = 0; i < *n; i++) j += named[i] != NULL;
        if (j && j != *n) die("--at: give every number a name, or none");
        if (j) *names = named;
    }
    if (*n == 0) die("%s: there is no number in it", source);
    if (count_of(given, O_n, *n) != *n)
        die("the point of %s has n = %lu, --n says %s", source, (unsigned long)*n, given[O_n]);
    for (i = 0; i < *n; i++) {
        if (!(fabs(x[i]) <= (single ? (double)FLT_MAX : DBL_MAX)))
            die("%s: number %lu is %g: a point must be finite", source, (unsigned long)i + 1, x[i]);
        if (single) x[i] = (double)(float)x[i];
    }
    if (given[O_names]) {
        const char *at = given[O_names];
        if (*names) die("the variables have names twice: in --at and in --names");
        *names = (char **)allocate(*n, sizeof **names);
        for (i = 0;; i++) {
            size_t length = strcspn(at, ",");
            if (i < *n) (*names)[i] = copy_name("--names", at, length);
            at += length;
            if (*at++ == 0) break;
        }
        if (i + 1 != *n)
            die("--names has n = %lu, the point n = %lu", (unsigned long)i + 1, (unsigned long)*n);
    }
    return x;
}

/* x0, x1, ... where the variables of an expression were given no names. */
static char **variables(char **given_names, size_t n)
{
    char **names = given_names;
    size_t i;
    if (names) return names;
    names = (char **)allocate(n, sizeof *names);
    for (i = 0; i < n; i++) {
        names[i] = (char *)allocate(24, 1);
        sprintf(names[i], "x%lu", (unsigned long)i);
    }
    return names;
}

/* ---- the names that a library has, for one that it has not; elsewhere than on Linux, none */
enum { NEAREST = 3 };
typedef struct nearest {
    const char *name;                         /* what is looked for */
    int         fortran;                      /* names as Fortran has them, without the '_' */
    size_t      count, far[NEAREST];          /* nearest first */
    char        found[NEAREST][LONGEST_SYMBOL + 1];
} nearest;

#if defined(__linux__)
/* The name as one word of the symbol, as in model_loss, or as C++ has it, in _Z4lossPKd. */
static int has_word(const char *symbol, const char *word)
{
    const size_t length = strlen(word);
    char counted_word[LONGEST_SYMBOL + 24];
    const char *at = symbol;
    sprintf(counted_word, "%lu%s", (unsigned long)length, word);
    if (strncmp(symbol, "_Z", 2) == 0 && strstr(symbol, counted_word)) return 1;
    for (; (at = strstr(at, word)) != NULL; at++)
        if ((at == symbol || at[-1] == '_') && (at[length] == 0 || at[length] == '_')) return 1;
    return 0;
}

/* Keeps a symbol that is near enough: a letter in three is another, or the name is a part of it. */
static void consider(nearest *c, const char *text)
{
    const size_t length = strlen(c->name), letters = strlen(text);
    char symbol[LONGEST_SYMBOL + 1];
    size_t far, i;
    if (length == 0 || length > LONGEST_SYMBOL || letters > LONGEST_SYMBOL) return;
    strcpy(symbol, text);
    if (c->fortran && letters > 1 && symbol[letters - 1] == '_') symbol[letters - 1] = 0;
    far = distance(c->name, symbol);
    if (far > length / 3 && has_word(symbol, c->name)) far = length / 3 + strlen(symbol);
    else if (far > length / 3) return;
    for (i = c->count; i > 0 && c->far[i - 1] > far; i--)
        if (i < NEAREST) {
            c->far[i] = c->far[i - 1];
            strcpy(c->found[i], c->found[i - 1]);
        }
    if (i == NEAREST) return;
    c->far[i] = far;
    strcpy(c->found[i], symbol);
    if (c->count < NEAREST) c->count++;
}

/* `count` bytes of the file, or NULL if they are not all there: what a file says of itself may be
   wrong wherever dlopen did not look. */
static const char *bytes_at(const char *file, size_t size, uint64_t offset, uint64_t count)
{
    return offset <= size && count <= size - offset ? file + offset : NULL;
}

/* Copies the record with this number of an array of them. */
static int record_at(const char *file, size_t size, uint64_t array, uint64_t number, void *record,
                     size_t bytes)
{
    const char *from = number > size ? NULL : bytes_at(file, size, array + number * bytes, bytes);
    if (from) memcpy(record, from, bytes);
    return from != NULL;
}

/* Tables of dynamic symbols: System V ABI, edition 4.1, chapters 4 and 5. */
static void consider_all(nearest *c, const char *file, size_t size)
{
    ElfW(Ehdr) head;
    ElfW(Shdr) table, strings;
    ElfW(Sym) symbol;
    uint64_t i, k;
    if (!record_at(file, size, 0, 0, &head, sizeof head)
        || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0) return;
    for (i = 0; i < head.e_shnum; i++) {
        const char *text;
        if (!record_at(file, size, head.e_shoff, i, &table, sizeof table)) return;
        if (table.sh_type != SHT_DYNSYM) continue;
        if (!record_at(file, size, head.e_shoff, table.sh_link, &strings, sizeof strings)) return;
        text = bytes_at(file, size, strings.sh_offset, strings.sh_size);
        for (k = 0; text && k < table.sh_size / sizeof symbol; k++) {
            if (!record_at(file, size, table.sh_offset, k, &symbol, sizeof symbol)) break;
            if ((symbol.st_info & 15) == STT_FUNC && symbol.st_shndx != SHN_UNDEF
                && symbol.st_name < strings.sh_size
                && memchr(text + symbol.st_name, 0, strings.sh_size - symbol.st_name))
                consider(c, text + symbol.st_name);
        }
    }
}

static void look_for(nearest *c, const char *path)
{
    const int file = open(path, O_RDONLY);
    struct stat status;
    void *bytes;
    if (file < 0 || fstat(file, &status) != 0 || status.st_size <= 0) return;
    bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (bytes != MAP_FAILED) consider_all(c, (const char *)bytes, (size_t)status.st_size);
}
#else
static void look_for(nearest *c, const char *path) { (void)c; (void)path; }
#endif

/* ---- where the functions come from */
#if defined(__GNUC__)
__attribute__((noreturn))
#endif
static void no_function(const char *path, const char *name, int is_fortran)
{
    nearest c;
    memset(&c, 0, sizeof c);
    c.name = name;
    c.fortran = is_fortran;
    look_for(&c, path);
    if (c.count == 0)
        die("'%.200s' has no function '%.100s' (nm -D shows what it has; C++ needs extern \"C\")",
            path, name);
    die("'%.200s' has no function '%.100s'; do you mean '%s'%s%s%s%s%s%s?%s", path, name,
        c.found[0], c.count > 2 ? ", '" : c.count > 1 ? " or '" : "", c.found[1],
        c.count > 1 ? "'" : "", c.count > 2 ? " or '" : "", c.found[2], c.count > 2 ? "'" : "",
        strncmp(c.found[0], "_Z", 2) == 0 ? " That is C++: declare it extern \"C\"" : "");
}

/* The function's address; Fortran's name for it comes first where that is meant. */
static any_function symbol(void *library, const char *path, const char *name, int is_fortran)
{
    char *fortran_name = (char *)allocate(strlen(name) + 2, 1);
    void *address = NULL, *other;
    any_function f;
    size_t i;
    for (i = 0; name[i]; i++) fortran_name[i] = (char)tolower((unsigned char)name[i]);
    fortran_name[i] = '_';
    other = dlsym(library, fortran_name);
    if (is_fortran) address = other;
    if (address == NULL) address = dlsym(library, name);
    if (address == NULL && other)
        die("'%.200s' has no function '%.100s', but Fortran's '%.100s': --fortran?", path, name,
            fortran_name);
    if (address == NULL) no_function(path, name, is_fortran);
    free(fortran_name);
    memcpy(&f, &address, sizeof f);           /* C knows no cast between the two */
    return f;
}

/* The library is called by a process of its own, which says at its end that it has come there:
   whatever a call does to it, a stack that overflows, Fortran's STOP, _exit(0), which would look
   like a check that has passed, is told by this one. */
static int through = -1;
static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
static void catch_signals(void (*handler)(int))
{
    size_t i;
    for (i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], handler);
}
static void stand_by(int progress)
{
    int side[2], status = 0, by;
    char done = 0;
    pid_t child;
    ssize_t got;
    size_t i;
    if (pipe(side) != 0) return;
    child = fork();
    if (child != 0) close(side[1]);
    if (child <= 0) close(side[0]);
    if (child == 0) through = side[1];
    if (child <= 0) return;
    while ((got = read(side[0], &done, 1)) < 0 && errno == EINTR) continue;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    if (WIFEXITED(status) && (got == 1 || WEXITSTATUS(status) == 99))        /* it has said why */
        exit(WEXITSTATUS(status));
    if (progress) fputc('\n', stderr);
    if (!WIFSIGNALED(status)) die("the library ended the program in a call");
    by = WTERMSIG(status);
    for (i = 0; i < sizeof signals / sizeof *signals; i++)
        if (by == signals[i])
            die("the library crashed in a call; are --n, --m, --float, --fortran and the "
                "signatures (--help) right?");
    if (by == SIGINT || by == SIGTERM || by == SIGHUP || by == SIGQUIT) raise(by);  /* of both */
    die("signal %d ended the program in a call of the library%s", by,
        by == SIGKILL ? ", as where memory ends" : "");
}

/* Puts Fortran's functions behind those of C in `c`, which have the same types in both. */
static void open_fortran(call *c, size_t n, size_t m, int single)
{
#define BEHIND(name) single ? (any_function)adf_fortran_##name : (any_function)ad_fortran_##name
    const int vector = c->function[O_jac] || c->function[O_jvp] || c->function[O_vjp];
    size_t i;
    for (i = O_f; i <= O_vjp; i++) {
        fortran *f;
        if (c->function[i] == NULL) continue;
        if (c->user[i] == NULL) {
            f = (fortran *)allocate(1, sizeof *f);
            f->function = c->function[i];
            if (i == O_fgrad) f->work = allocate(n, sizeof(double));
            if (i == O_jac) f->work = allocate(n, m * sizeof(double));
            c->user[i] = f;
        }
        c->function[i] = i == O_f ? (vector ? BEHIND(vf) : BEHIND(f)) : i == O_grad ? BEHIND(g)
                       : i == O_fgrad ? BEHIND(fg) : i == O_hv ? BEHIND(hv)
                       : i == O_jac ? BEHIND(jac) : BEHIND(product);
    }
#undef BEHIND
}

static void open_library(call *c, const char *const *given, const char *path)
{
    char *full = (char *)allocate(strlen(path) + 3, 1);
    void *library;
    size_t i;
    /* dlopen looks for a name without '/' in the system's directories alone */
    sprintf(full, "%s%s", strchr(path, '/') || access(path, F_OK) ? "" : "./", path);
    library = dlopen(full, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        const char *why = dlerror();
        die("cannot load the library: %s (made with cc -shared -fPIC?)", why ? why : path);
    }
    free(full);
    for (i = O_f; i <= O_vjp; i++)
        if (given[i]) c->function[i] = symbol(library, path, given[i], given[O_fortran] != NULL);
}

/* Returns the number of values. */
static size_t open_expressions(call *c, const char *const *given, const char *text, char **names,
                               size_t n, int single)
{
    const int vector = given[O_jac] != NULL, option = vector ? O_jac : O_grad;
    expressions *f = parse("the expression", text, names, n, 0, NULL, single), *d;
    d = parse(vector ? "--jac" : "--grad", given[option], names, n, vector ? n : 0, NULL, single);
    if (!vector && f->results != 1)
        die("the expression has %lu values: give --jac, rows apart by ';', instead of --grad",
            (unsigned long)f->results);
    if (!vector && d->results != n)
        die("--grad has n = %lu, the point n = %lu", (unsigned long)d->results, (unsigned long)n);
    if (vector && d->rows != f->results)
        die("--jac has m = %lu rows, the expression m = %lu values", (unsigned long)d->rows,
            (unsigned long)f->results);
    if (count_of(given, O_m, f->results) != f->results)
        die("the expression has m = %lu, --m says %s", (unsigned long)f->results, given[O_m]);
    c->user[O_f] = f;
    c->user[option] = d;
    if (vector) {
        c->function[O_f] = c->function[O_jac] = single ? (any_function)adf_expression_vf
                                                       : (any_function)ad_expression_vf;
    } else if (single) {
        c->function[O_f] = (any_function)adf_expression_f;
        c->function[O_grad] = (any_function)adf_expression_g;
    } else {
        c->function[O_f] = (any_function)ad_expression_f;
        c->function[O_grad] = (any_function)ad_expression_g;
    }
    return f->results;
}

static const char *const usage[] = {
    "usage: adcheck LIBRARY.so --f NAME --grad NAME (--x FILE | --at LIST) [options]",
    "       adcheck EXPRESSION --grad LIST --at NAME=NUMBER,... [options]",
    "",
    "Is a derivative right? It is compared with differences of the function, whose error is",
    "known, so there is no step to choose and hardly ever a tolerance.",
    "Exit code: 0 right, 1 wrong, 77 undecided, 99 could not be checked (one line on stderr).",
    "",
    NULL
};
static const char *const guide[] = {
    "",
    "A library's functions (with --float, float for double). user is NULL, n and m are counts,",
    "matrices are stored by rows. In C++ declare them extern \"C\".",
    "  --f      double f(const double *x, size_t n, void *user);",
    "  --grad   void g(const double *x, size_t n, double *g, void *user);",
    "  --fgrad  double fg(const double *x, size_t n, double *g /* or NULL */, void *user);",
    "  --hv     void hv(const double *x, size_t n, const double *v, double *Hv, void *user);",
    "of several values (--m of them):",
    "  --f      void F(const double *x, size_t n, double *y, size_t m, void *user);",
    "  --jac    void J(const double *x, size_t n, double *J, size_t m, void *user);",
    "  --jvp    void jv(const double *x, size_t n, const double *v, double *Jv, size_t m,",
    "                   void *user);",
    "  --vjp    void vj(const double *x, size_t n, const double *w, double *wJ, size_t m,",
    "                   void *user);",
    "",
    "Fortran's functions, with --fortran (with --float, real for double precision). n and m are",
    "integers, arrays are x(n), y(m), J(m, n). The symbol is the name in small letters and '_', or",
    "else the name as it is given.",
    "  --f      double precision function f(n, x)",
    "  --grad   subroutine grad(n, x, g)",
    "  --fgrad  double precision function fg(n, x, g)",
    "  --hv     subroutine hess(n, x, v, Hv)",
    "of several values:",
    "  --f      subroutine F(n, m, x, y)",
    "  --jac    subroutine jac(n, m, x, J)",
    "  --jvp    subroutine jvp(n, m, x, v, Jv)",
    "  --vjp    subroutine vjp(n, m, x, w, wJ)",
    "",
    "Expressions: + - * / ^ ( ), < <= > >= == !=, c ? a : b, decimal numbers, pi, e, inf, the",
    "variables that --at or --names tells (x0, x1, ... if neither does), and these functions:",
    NULL
};
static const char *const examples[] = {
    "",
    "Examples:",
    "  adcheck 'x*sin(y)' --grad 'sin(y), x*cos(y)' --at x=1,y=2",
    "  adcheck 'r*cos(t); r*sin(t)' --jac 'cos(t), -r*sin(t); sin(t), r*cos(t)' --at r=2,t=pi/3",
    "  cc -shared -fPIC model.c -o libmodel.so",
    "  adcheck ./libmodel.so --f loss --grad loss_grad --x x.txt",
    "  adcheck ./libmodel.so --grad loss_grad --hv loss_hv --at 1.5,-2",
    "  adcheck ./libmodel.so --f layer --m 2 --jvp push --vjp pull --at 0.5,2 --float",
    "  adcheck ./libmodel.so --fgrad loss_both --x x.txt --format junit --output report.xml",
    "  gfortran -shared -fPIC model.f90 -o libmodel.so",
    "  adcheck ./libmodel.so --fortran --f energy --grad force --at 1.5,-2",
    NULL
};

static void print_lines(const char *const *line)
{
    while (*line) puts(*line++);
}
static int help(void)
{
    size_t i, count, column = 99;
    const ad_rule *const rule = ad_rules(&count);
    print_lines(usage);
    for (i = 0; i < O_COUNT; i++) printf("  --%-18s %s\n", options[i].name, options[i].text);
    print_lines(guide);
    for (i = 0; i < count; i++) {
        static const char *const operands[] = { "(...)", "", "(x,y)", "(x,y,z)" };
        const char *name = rule[i].name;
#define OTHER(list) && strcmp(name, #list)
        if (!rule[i].operands && strcmp(name, "dot") ADI_VALUE_LISTS(OTHER)) continue;
#undef OTHER
        if (column + strlen(name) > 88) column = (size_t)printf("%s ", i ? "\n " : " ") - 1;
        column += (size_t)printf(" %s%s", name, operands[rule[i].operands]);
    }
    putchar('\n');
    print_lines(examples);
    return 0;
}

/* ---- running */
static int is_library(const char *const *given, const char *text)
{
    const size_t length = strlen(text);
    return given[O_f] || given[O_fgrad] || given[O_hv] || given[O_jvp] || given[O_vjp]
        || (length > 3 && !strcmp(text + length - 3, ".so")) || strstr(text, ".so.")
        || (length > 6 && !strcmp(text + length - 6, ".dylib"));
}

/* Fills `given` by option, with "" for one without value; returns the library or expression. */
static const char *arguments(int argc, char **argv, const char **given)
{
    const char *what = NULL;
    int i;
    for (i = 1; i < argc; i++) {
        const char *arg = strcmp(argv[i], "-h") ? argv[i] : "--help", *value;
        size_t length;
        int o = 0;
        if (strncmp(arg, "--", 2) != 0) {
            if (what) die("one library or expression at a time, not '%.80s', '%.80s'", what, arg);
            what = arg;
            continue;
        }
        length = strcspn(arg += 2, "=");
        while (o < O_COUNT && (strncmp(arg, options[o].name, length) != 0
               || length != strcspn(options[o].name, " "))) o++;
        if (o == O_COUNT) die("unknown option '--%.40s'; see adcheck --help", arg);
        value = arg[length] ? arg + length + 1 : NULL;
        if (options[o].name[length] == 0) {
            if (value) die("--%s takes no value", options[o].name);
            value = "";
        } else if (value == NULL && (value = argv[++i]) == NULL) {
            die("the value is missing: --%s", options[o].name);
        }
        if ((o == O_at || o == O_x) && given[o] && strcmp(given[o], value) != 0)
            die("--%s is given twice: a point a run", o == O_at ? "at" : "x");
        given[o] = value;
    }
    return what;
}

static const char products[] = "jvp against vjp";
/* What a check is called in the report: the function's name, or the expression. */
static char *title(const char *const *given, const char *name)
{
    const char *label = given[O_label] ? given[O_label] : "";
    char *text = (char *)allocate(strlen(label) + strlen(name) + 3, 1);
    sprintf(text, "%s%s%s", label, *label ? ": " : "", name);
    return text;
}

/* The suite asks the environment, too: what the command line says comes first. */
static void environment(const char **given)
{
    static const struct { int option; const char *name; } row[] = {
        { O_format, "AD_CHECK_FORMAT" }, { O_output, "AD_CHECK_OUTPUT" },
        { O_seed, "AD_CHECK_SEED" }, { O_max_evals, "AD_CHECK_MAX_EVALS" }
    };
    size_t i;
    for (i = 0; i < sizeof row / sizeof *row; i++) {
        const char *value = getenv(row[i].name);
        if (given[row[i].option]) setenv(row[i].name, given[row[i].option], 1);
        else if (value && *value) given[row[i].option] = value;
    }
    if (given[O_strict]) setenv("AD_CHECK_STRICT", "1", 1);
    if (given[O_verbose]) setenv("AD_CHECK_VERBOSE", "1", 1);
}
/* Of several checks those that AD_CHECK_ONLY names; if it names none, it means other suites. */
static void choose(const char *const *given, const char *what, int library)
{
    const char *const only = getenv("AD_CHECK_ONLY");
    int i;
    for (i = O_f + 1; only && i <= O_vjp; i++)
        if (given[i] && strstr(title(given, library ? given[i] : what), only)) return;
    if (only && given[O_jvp] && given[O_vjp] && strstr(title(given, products), only)) return;
    unsetenv("AD_CHECK_ONLY");
}

/* What cannot be meant, before anything is opened. */
static void refuse(const char *const *given, const char *what, int library)
{
    const int vector = given[O_jac] || given[O_jvp] || given[O_vjp];
    if (what == NULL) die("a library or an expression is missing; see adcheck --help");
    if (!vector && !given[O_grad] && !given[O_fgrad])
        die("nothing to check: give --grad, or --jac for several values; see adcheck --help");
    if (vector && (given[O_grad] || given[O_fgrad] || given[O_hv]))
        die("--grad, --fgrad and --hv are for one value, --jac, --jvp and --vjp for several: "
            "run adcheck twice");
    if (given[O_fortran] && !library) die("--fortran is for the functions of a library");
    if (given[O_hv] && !given[O_grad]) die("--hv is checked against --grad, which is missing");
    if (given[O_fgrad] && (given[O_f] || given[O_grad]))
        die("--fgrad stands for --f and --grad: leave these out");
    if (library && vector && !given[O_m]) die("--m is missing: how many values the function has");
    if (library && !given[O_f] && !given[O_fgrad] && !given[O_hv]
        && !(given[O_jvp] && given[O_vjp] && !given[O_jac]))
        die("--f is missing: the function whose derivative it is");
}

static int put(void *file, const char *text, size_t length)
{
    return fwrite(text, 1, length, (FILE *)file) != length;
}

/* Floats fill half of an output of doubles: an output that is not written, and no numbers. */
static int may_be_float(ad_verdict v)
{
    return ad_check_undecided(v) || (v >= AD_VERDICT_G_NONFINITE && v < AD_VERDICT_ERROR);
}
/* Does the check, run anew on the library's functions as float functions, find a derivative? One
   that is right or almost, or has but the wrong sign or a factor, of a function whose value is such
   as floats have: half of a double often is 0, and the derivative of 0 looks right. */
static int says_float(const ad_check_result *r, ad_verdict v)
{
    const ad_hint hint = r->n_findings ? r->findings[0].hint : AD_HINT_NONE;
    if (!(fabs(r->f) > 1e-20 && fabs(r->f) < 1e20)) return 0;
    if (v == AD_VERDICT_WRONG) return hint == AD_HINT_SIGN || hint == AD_HINT_FACTOR;
    return v == AD_VERDICT_INACCURATE || ad_check_ok(v);
}
/* In a process of its own, where a crash does no harm. */
static void give_up(int number) { (void)number; _exit(0); }
static pid_t fork_to_look(call *c)
{
    const pid_t child = fork();
    if (child != 0) return child;
    c->progress = 0;
    catch_signals(give_up);
    signal(SIGALRM, give_up);
    alarm(2);
    close(1);
    close(2);
    return 0;
}
static int child_says_yes(pid_t child)
{
    int status;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status)
        && WEXITSTATUS(status) == 1;
}

/* ad_check_NAME, or its twin for float, as a part of the suite. There is no source file to name,
   hence not AD_CHECK_RUN. FUNCTIONS(P, x): the arguments up to x; then follow n or n, m. */
#define RUN(name, check, FUNCTIONS, ...)                                                           \
    if (ad_check_suite_begin(suite, title(given, name), NULL, 0, &opt)) {                          \
        const ad_check_options *const o = ad_check_suite_options(suite);                           \
        ad_check_result *const r = ad_check_suite_result(suite);                                   \
        const ad_verdict v = single                                                                \
            ? adf_check_##check(FUNCTIONS(adf_, xf), __VA_ARGS__, &c, o, r)                        \
            : ad_check_##check(FUNCTIONS(ad_, x), __VA_ARGS__, &c, o, r);                          \
        if (library && !single && may_be_float(v)) {                                               \
            const pid_t child = fork_to_look(&c);                                                  \
            if (child == 0) {                                                                      \
                ad_check_result as_float;                                                          \
                ad_verdict w;                                                                      \
                if (given[O_fortran]) open_fortran(&c, n, m, 1);                                   \
                w = adf_check_##check(FUNCTIONS(adf_, xf), __VA_ARGS__, &c, &opt, &as_float);      \
                _exit(says_float(&as_float, w));                                                   \
            }                                                                                      \
            if (child_says_yes(child))                                                             \
                strncat(r->message, "; they look like float functions: --float?",                  \
                        sizeof r->message - 1 - strlen(r->message));                               \
        }                                                                                          \
        if (ad_check_suite_end(suite, v) == AD_VERDICT_ERROR) problem = r->message;                \
    }
#define F_G(P, x)     P##call_f, P##call_g, x
#define FG(P, x)      P##call_fg, x
#define G_HV(P, x)    P##call_g, P##call_hv, x
#define F_JAC(P, x)   P##call_vf, P##call_jac, x
#define F_JVP(P, x)   P##call_vf, P##call_jvp, x
#define F_VJP(P, x)   P##call_vf, P##call_vjp, x
#define JVP_VJP(P, x) P##call_jvp, P##call_vjp, x

int main(int argc, char **argv)
{
    static const char *const formats[] = { "text", "tap", "junit", "github", "json", "tap13" };
    const char *given[O_COUNT], *what, *problem = NULL;
    char **names;
    ad_check_options opt;
    ad_check_suite *suite;
    FILE *out = stdout;
    double *x;
    float *xf;
    size_t n, m, i;
    int single, library, format = 0, code;
    call c;

    memset(given, 0, sizeof given);
    memset(&opt, 0, sizeof opt);
    memset(&c, 0, sizeof c);
    what = arguments(argc, argv, given);
    environment(given);
    if (given[O_help]) return help();
    if (given[O_version]) return puts("adcheck " AD_VERSION) < 0;
    single = given[O_float] != NULL;
    library = what && is_library(given, what);
    refuse(given, what, library);
    choose(given, what, library);
    while (given[O_format] && strcmp(given[O_format], formats[format]) != 0)
        if (++format == 6)
            die("--format: text, tap, tap13, junit, github or json, not '%.40s'", given[O_format]);
    m = count_of(given, O_m, 1);
    opt.rtol = number_of(given, O_rtol);
    opt.atol = number_of(given, O_atol);
    opt.f_noise = number_of(given, O_noise);
    opt.nondet_tol = number_of(given, O_nondet_tol);
    opt.dense_limit = count_of(given, O_dense_limit, 0);
    opt.max_evals = count_of(given, O_max_evals, 0);
    opt.directions = (int)count_of(given, O_directions, 0);
    opt.seed = count_of(given, O_seed, 0);
    x = point_of(given, single, &n, &names);
    opt.lo = box_of(given, O_lo, x, n, single);
    opt.hi = box_of(given, O_hi, x, n, single);
    opt.x_scale = sizes_of(given, O_x_scale, n, single);
    c.progress = given[O_progress] || isatty(2);
    if (library) {
        stand_by(c.progress);
        open_library(&c, given, what);
        if (given[O_fortran]) open_fortran(&c, n, m, single);
    } else {
        names = variables(names, n);
        m = open_expressions(&c, given, what, names, n, single);
    }
    opt.names = (const char *const *)names;
    xf = (float *)allocate(n, sizeof *xf);
    for (i = 0; i < n; i++) xf[i] = (float)x[i];
    if (given[O_output]) out = fopen(given[O_output], "wb");
    if (out == NULL) die("cannot write '%.200s': %s", given[O_output], strerror(errno));

    suite = ad_check_suite_create("adcheck");
    if (suite == NULL) die("out of memory");
    c.start = c.shown = now();
    if (c.function[O_fgrad]) RUN(given[O_fgrad], fgradient, FG, n)
    if (c.function[O_f]) {
        if (given[O_grad]) RUN(library ? given[O_grad] : what, gradient, F_G, n)
        if (given[O_jac]) RUN(library ? given[O_jac] : what, jacobian, F_JAC, n, m)
        if (given[O_jvp]) RUN(given[O_jvp], jvp, F_JVP, n, m)
        if (given[O_vjp]) RUN(given[O_vjp], vjp, F_VJP, n, m)
    }
    if (given[O_hv]) RUN(given[O_hv], hessian, G_HV, n)
    if (given[O_jvp] && given[O_vjp]) RUN(products, adjoint, JVP_VJP, n, m)
    if (c.width) fprintf(stderr, "\r%*s\r", c.width, "");
    code = ad_check_suite_code(suite);
    if (format == 5) format = AD_CHECK_TAP;     /* the environment has told the suite of the 13 */
    if ((out != stdout || !given[O_quiet])
        && (ad_check_suite_write(suite, (ad_check_format)format, put, out) != AD_OK || fflush(out)))
        die("cannot write the report: %s", strerror(errno));
    if (code == 99) die("a check could not run: %s", problem ? problem : "out of memory");
    ad_check_suite_destroy(suite);
    if (through >= 0 && write(through, "", 1) != 1) return 99;
    return code;
}
