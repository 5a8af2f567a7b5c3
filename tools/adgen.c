/* Derivative code for a build: a model as text goes in, C comes out.
       cc -O1 tools/adgen.c -o adgen -lm
       adgen --help
   Parsing, derivatives, optimising and the C are autodiff.h's; here are the options and the lines
   of the model. */
#if !defined(_XOPEN_SOURCE)
#define _XOPEN_SOURCE 700          /* lstat */
#endif
#define AUTODIFF_NO_KERNELS
#define AUTODIFF_STATIC
#include "../autodiff.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#if defined(_WIN32)
#define lstat stat
#endif

#define OPTIONS(O)                                                                                 \
    O(value,    "value",       "the expressions alone")                                            \
    O(gradient, "gradient",    "and the gradient, of one expression; the default for one")         \
    O(jacobian, "jacobian",    "and the Jacobian, by rows; the default for several")               \
    O(hessian,  "hessian",     "and gradient and Hessian, of one expression")                      \
    O(name,     "name NAME",   "of the C function; default: the file's up to its first '.'")       \
    O(output,   "output FILE", "where the C goes; default: stdout")                                \
    O(header,   "header FILE", "declarations, and names for the elements of x and y")              \
    O(float,    "float",       "float instead of double; constants must be floats")               \
    O(point,    "point",       "no function for many points")                                      \
    O(table,    "table",       "tables and a small evaluator: the least code, for small machines") \
    O(board,    "board",       "C by rules of MISRA C:2012, its stack counted; one point")        \
    O(opencl,   "opencl",      "OpenCL C: kernels for many points")                               \
    O(cuda,     "cuda",        "CUDA C: kernels for many points")                                 \
    O(contract, "contract",    "allow a*b + c with one rounding")                                  \
    O(fast,     "fast",        "allow what changes roundings, zeros' signs, infinities and NaN")   \
    O(report,   "report",      "counts on stderr")                                                 \
    O(version,  "version",     "print the version")                                                \
    O(help,     "help",        "print this")

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

static const char *const guide[] = {
    "",
    "A model has an expression a line, in ordinary notation; '#' begins a comment, a backslash at",
    "the end joins the next line. Derivatives are taken by variables, not by parameters.",
    "  # a mass on a spring",
    "  variables  q, p",
    "  parameters m, k",
    "  let v = p/m                  # of use in what follows, no output",
    "  energy = m*v^2/2 + k*q^2/2",
    "Expressions: + - * / ^ ( ), < <= > >= == !=, c ? a : b, numbers, pi, e, inf, the names above,",
    "and these functions:",
    NULL
};
static const char *const examples[] = {
    "",
    "C: void NAME(const double *x, double *y); x has the variables and parameters in their order,",
    "y the outputs and then their derivatives. NAME_batch does many points.",
    "",
    "In a makefile:",
    "  spring.c spring.h: spring.txt",
    "          adgen --gradient spring.txt --output spring.c --header spring.h",
    NULL
};

/* One line on stderr and exit code 1. */
#if defined(__GNUC__)
__attribute__((noreturn, format(printf, 1, 2)))
#endif
static void die(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fputs("adgen: ", stderr);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
    exit(1);
}

/* What is allocated lives as long as the program. */
static void *allocate(size_t count, size_t bytes)
{
    void *p = calloc(count ? count : 1, bytes);
    if (p == NULL) die("out of memory");
    return p;
}

/* ---- text that grows */
typedef struct buffer { char *text; size_t size, room; } buffer;

/* Room for so much, and a 0. */
static void reserve(buffer *b, size_t length)
{
    if (b->room - b->size > length) return;
    b->room = 2 * (b->size + length) + 4096;
    b->text = (char *)realloc(b->text, b->room);
    if (b->text == NULL) die("out of memory");
}
static int keep(void *user, const char *text, size_t length)
{
    buffer *b = (buffer *)user;
    reserve(b, length);
    memcpy(b->text + b->size, text, length);
    b->size += length;
    b->text[b->size] = 0;
    return 0;
}
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void print(buffer *b, const char *format, ...)
{
    va_list list;
    int length;
    va_start(list, format);
    length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    if (length < 0) die("a text cannot be written");
    reserve(b, (size_t)length);
    va_start(list, format);
    vsnprintf(b->text + b->size, (size_t)length + 1, format, list);
    va_end(list);
    b->size += (size_t)length;
}

static void read_file(const char *path, buffer *b)
{
    FILE *file = strcmp(path, "-") ? fopen(path, "rb") : stdin;
    char piece[4096];
    size_t got;
    if (file == NULL) die("cannot read '%s': %s", path, strerror(errno));
    keep(b, "", 0);
    while ((got = fread(piece, 1, sizeof piece, file)) > 0) keep(b, piece, got);
    if (ferror(file)) die("cannot read '%s': %s", path, strerror(errno));
    if (file != stdin) fclose(file);
    if (strlen(b->text) != b->size) die("'%s' is not a text", path);
}

/* A file, and no device or link, which are not ours to remove. */
static void drop(const char *path)
{
    struct stat s;
    if (lstat(path, &s) == 0 && (s.st_mode & S_IFMT) == S_IFREG) remove(path);
}
/* All of it, or no file, nor the other one: a build must not find half of what it asked for. */
static void write_file(const char *path, const buffer *b, const char *other)
{
    FILE *file = path ? fopen(path, "wb") : stdout;
    int bad = file == NULL || fwrite(b->text, 1, b->size, file) != b->size;
    if (file != NULL && (path ? fclose(file) : fflush(file)) != 0) bad = 1;
    if (!bad) return;
    bad = errno;
    if (path && file != NULL) drop(path);
    if (other) drop(other);
    die("cannot write '%s': %s", path ? path : "stdout", strerror(bad));
}

/* ---- the model: two copies of its text in which all else is blank, so that a place in a copy is
   the place in the file */
typedef struct model {
    const char    *path;
    buffer         text;
    char          *names;          /* of variables and parameters */
    char          *expressions;    /* divided by ';' at the ends of lines */
    unsigned char *parameter;      /* [inputs] */
    size_t         inputs;
} model;

/* "model.txt:3:12: error: ", as compilers say it; exit code 1. */
#if defined(__GNUC__)
__attribute__((noreturn))
#endif
static void complain(const model *m, size_t at, const char *problem)
{
    static const char column[] = "of column ";
    const char *c, *other = strstr(problem, column);
    unsigned long line = 1, place = 1, other_line = 1, other_place = 1;
    size_t other_at = other ? (size_t)strtoul(other + sizeof column - 1, NULL, 10) - 1 : 0;
    for (c = m->text.text; c < m->text.text + at; c++) {
        line += *c == '\n';
        place = *c == '\n' ? 1 : place + 1;
        if (other_at-- > 0) {
            other_line = line;
            other_place = place;
        } else {
            other_at = 0;
        }
    }
    fprintf(stderr, "%s:%lu:%lu: error: ", m->path, line, place);
    if (other) {                   /* "')' is missing: '(' of column 4 waits for it" */
        other += sizeof column - 1;
        fprintf(stderr, "%.*s", (int)(other - problem), problem);
        fprintf(stderr, other_line == line ? "%lu" : "%lu in line %lu", other_place, other_line);
        problem = other + strspn(other, "0123456789");
    }
    fprintf(stderr, "%s\n", problem);
    exit(1);
}

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"
#define BLANKS  " \t\r\v\f"

static size_t word_length(const char *at)
{
    return *at >= '0' && *at <= '9' ? 0 : strspn(at, LETTERS);
}
static int is_word(const char *at, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(at, word, length) == 0;
}

/* A line from `at` to `end` of code; the places are those of the file. */
static void read_line(model *m, const char *code, size_t at, size_t end)
{
    size_t n = word_length(code + at), next = at + n, i;
    const unsigned char parameters = (unsigned char)is_word(code + at, n, "parameters");
    next += strspn(code + next, BLANKS);
    if ((parameters || is_word(code + at, n, "variables")) && code[next] != '=') {
        if (code[next] == ':') next++;
        memcpy(m->names + next, code + next, end - next);
        for (i = next; i < end; i += n ? n : 1)
            if (code[i] == '|') complain(m, i, "parameters have a line of their own");
            else if ((n = strspn(code + i, LETTERS)) > 0) m->parameter[m->inputs++] = parameters;
        return;
    }
    for (i = at; i < end; i++) {
        if (code[i] == ';') complain(m, i, "';' has no meaning here: one expression a line");
        m->expressions[i] = code[i];
    }
    if (code[end]) m->expressions[end] = ';';
}

static void read_model(model *m)
{
    const size_t size = m->text.size;
    char *const code = (char *)allocate(size + 1, 1);
    size_t at, end;
    memcpy(code, m->text.text, size);
    for (at = 0; code[at]; at++) {                     /* comments and joints become blanks */
        if (code[at] == '#') {
            end = strcspn(code + at, "\n");
            memset(code + at, ' ', end);
        }
        end = at + 1 + (code[at] == '\\' && code[at + 1] == '\r');
        if (code[at] == '\\' && code[end] == '\n') memset(code + at, ' ', end + 1 - at);
    }
    m->names = (char *)allocate(size + 1, 1);
    m->expressions = (char *)allocate(size + 1, 1);
    memset(m->names, ' ', size);
    memset(m->expressions, ' ', size);
    m->parameter = (unsigned char *)allocate(size, 1);
    for (at = 0; code[at]; at = end + (code[end] != 0)) {
        end = at + strcspn(code + at, "\n");
        at += strspn(code + at, BLANKS);
        if (at < end) read_line(m, code, at, end);
    }
    free(code);
}

/* What the model says, with its parameters marked. */
static ad_fn *function_of(const model *m, unsigned flags)
{
    char error[400];
    const char *problem = error;
    ad_fn_desc desc;
    ad_fn *f;
    memset(&desc, 0, sizeof desc);
    desc.parameters = m->parameter;
    desc.flags = flags;
    f = ad_fn_parse_desc(m->expressions, m->names, &desc, error, sizeof error);
    if (strncmp(problem, "variables, ", 11) == 0) problem += 11;
    if (strncmp(problem, "column ", 7) == 0)
        complain(m, (size_t)strtoul(problem + 7, NULL, 10) - 1, strchr(problem, ':') + 2);
    if (ad_fn_status(f) != AD_OK) die("%s: %s", m->path, error);
    return f;
}

/* ---- what comes out */
static ad_fn *derivative_of(const model *m, ad_fn *f, const char *const *given)
{
    const unsigned long outputs = (unsigned long)ad_fn_get_stats(f).outputs;
    const int several = !given[O_value] && !given[O_gradient] && !given[O_hessian]
                        && (given[O_jacobian] || outputs > 1);
    ad_fn *d;
    if (given[O_value]) return f;
    if (!several && outputs > 1)
        die("%s: a %s is that of one expression, here are %lu: --jacobian, or hide some by let",
            m->path, given[O_hessian] ? "Hessian" : "gradient", outputs);
    if (ad_fn_get_stats(f).variables == 0)
        die("%s: there are no variables to differentiate by; --value?", m->path);
    d = several ? ad_fn_jacobian(f) : given[O_hessian] ? ad_fn_hessian(f) : ad_fn_gradient(f);
    if (ad_fn_status(d) != AD_OK) die("%s: %s", m->path, ad_fn_message(d));
    ad_fn_destroy(f);
    return d;
}

static int earlier_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}
/* No two outputs have one name: dy/dx may be that of an expression. Inputs are variables. */
static void refuse_twins(const ad_fn *f, const char *path)
{
    const size_t n = ad_fn_get_stats(f).outputs;
    const char **const own = (const char **)allocate(n, sizeof *own);
    size_t i;
    for (i = 0; i < n; i++) own[i] = ad_fn_output_name(f, i);
    qsort(own, n, sizeof *own, earlier_name);
    for (i = 1; i < n; i++)
        if (*own[i] && strcmp(own[i - 1], own[i]) == 0)
            die("%s: --header: two outputs are '%.200s'; call a variable or expression otherwise",
                path, own[i]);
    free(own);
}
/* The first line of the text that begins so, a declaration. */
static void copy_declaration(buffer *b, const char *code, const char *name, const char *more)
{
    char start[300];
    const char *at;
    sprintf(start, "\nvoid %.200s%s(", name, more);
    at = strstr(code, start);
    if (at) print(b, "%.*s", (int)(strcspn(at, ";") + 1), at);
}
/* The declarations, and constants for the places in x and y. */
static void declare(buffer *b, const ad_fn *f, const char *name, const char *from, const char *code)
{
    const ad_fn_stats s = ad_fn_get_stats(f);
    size_t i, k;
    print(b, "/* Made by adgen from %s. Do not edit. */\n#ifndef ADGEN_%s_H\n", from, name);
    print(b, "#define ADGEN_%s_H\n#include <stddef.h>\n", name);
    print(b, "#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    for (k = 0; k < 2; k++) {
        const size_t n = k ? s.outputs : s.inputs;
        const char *what = k ? "out" : "in";
        print(b, "\n/* %c[] */\nenum {\n", k ? 'y' : 'x');
        for (i = 0; i < n; i++) {
            const char *own = k ? ad_fn_output_name(f, i) : ad_fn_input_name(f, i);
            if (*own) print(b, "    %s_%s_%s = %lu,\n", name, what, own, (unsigned long)i);
        }
        print(b, "    %s_%sputs = %lu\n};\n", name, what, (unsigned long)n);
    }
    copy_declaration(b, code, name, "");
    copy_declaration(b, code, name, "_batch");
    print(b, "\n#ifdef __cplusplus\n}\n#endif\n#endif\n");
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The file's name as that of a C function. */
static char *name_of(const char *path)
{
    const char *from = strcmp(path, "-") ? last_part(path) : "model";
    const size_t length = strcspn(from, ".");
    char *name = (char *)allocate(length + 3, 1), *c;
    sprintf(name, "%s%.*s", *from >= '0' && *from <= '9' ? "f_" : "", (int)length, from);
    for (c = name; *c; c++)
        if (!strchr(LETTERS, *c)) *c = '_';
    if (*name == 0) strcpy(name, "f");
    return name;
}

static int help(void)
{
    size_t i, count, column = 99;
    const ad_rule *const rule = ad_rules(&count);
    const char *const *line;
    puts("usage: adgen [options] MODEL.txt          ('-': stdin)\n\n"
         "Derivatives as C code: self-contained C99 that is also C++, for any compiler.\n"
         "Exit code: 0; 1 with a line on stderr, and then no file.\n");
    for (i = 0; i < O_COUNT; i++) printf("  --%-14s %s\n", options[i].name, options[i].text);
    for (line = guide; *line; line++) puts(*line);
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
    for (line = examples; *line; line++) puts(*line);
    return 0;
}

/* One file, however it is spelled: ./a is a. Where it is not there yet, its directory tells. */
static int is_same(const char *a, const char *b)
{
    struct stat x, y;
    const char *const path[2] = { a, b };
    struct stat *const at[2] = { &x, &y };
    char directory[4096];
    int k;
    if (strcmp(a, b) == 0) return 1;
    if (stat(a, &x) != 0 || stat(b, &y) != 0) {
        if (strcmp(last_part(a), last_part(b)) != 0) return 0;
        for (k = 0; k < 2; k++) {
            snprintf(directory, sizeof directory, "%.*s.", (int)(last_part(path[k]) - path[k]),
                     path[k]);
            if (stat(directory, at[k]) != 0) return 0;
        }
    }
    return x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}
/* Fills `given` by option, with "" for one without value; returns the model's path. */
static const char *arguments(int argc, char **argv, const char **given)
{
    const char *path = NULL;
    int i, kinds;
    for (i = 1; i < argc; i++) {
        const char *arg = argv[i], *value;
        size_t length;
        int o = 0;
        if (strcmp(arg, "-h") == 0) arg = "--help";
        if (strcmp(arg, "-o") == 0) arg = "--output";
        if (arg[0] == '-' && arg[1] && arg[1] != '-')
            die("unknown option '%.40s'; see adgen --help", arg);
        if (strncmp(arg, "--", 2) != 0) {
            if (path) die("one model at a time, not '%s', '%s'", path, arg);
            path = arg;
            continue;
        }
        length = strcspn(arg += 2, "=");
        while (o < O_COUNT && (strncmp(arg, options[o].name, length) != 0
               || length != strcspn(options[o].name, " "))) o++;
        if (o == O_COUNT) die("unknown option '--%.40s'; see adgen --help", arg);
        value = arg[length] ? arg + length + 1 : NULL;
        if (options[o].name[length] == 0) {
            if (value) die("--%s takes no value", options[o].name);
            value = "";
        } else if (value == NULL && (value = argv[++i]) == NULL) {
            die("the value is missing: --%s", options[o].name);
        }
        given[o] = value;
    }
    kinds = !!given[O_value] + !!given[O_gradient] + !!given[O_jacobian] + !!given[O_hessian];
    if (kinds > 1) die("--value, --gradient, --jacobian and --hessian: one of them");
    kinds = !!given[O_table] + !!given[O_board] + !!given[O_opencl] + !!given[O_cuda];
    if (kinds + !!given[O_point] > 1)
        die("--point, --table, --board, --opencl and --cuda: one of them");
    if (given[O_header] && (given[O_opencl] || given[O_cuda]))
        die("--header: what is declared for kernels is no C");
    if (given[O_header] && given[O_output] && is_same(given[O_header], given[O_output]))
        die("--header and --output: the same file, '%s'", given[O_header]);
    for (i = O_output; path && i <= O_header; i++)
        if (given[i] && is_same(given[i], path))
            die("'%s' is the model", path);
    return path;
}

int main(int argc, char **argv)
{
    const char *given[O_COUNT], *name, *from;
    buffer code, header;
    char error[200];
    ad_emit_desc desc;
    model m;
    ad_fn *f;
    ad_status status;
    memset(given, 0, sizeof given);
    memset(&m, 0, sizeof m);
    memset(&desc, 0, sizeof desc);
    memset(&code, 0, sizeof code);
    memset(&header, 0, sizeof header);
    m.path = arguments(argc, argv, given);
    if (given[O_help]) return help();
    if (given[O_version]) return puts("adgen " AD_VERSION) < 0;
    if (m.path == NULL) die("a model is missing; see adgen --help");
    name = given[O_name] ? given[O_name] : name_of(m.path);
    if (word_length(name) == 0 || name[word_length(name)])
        die("--name: letters, digits and '_', no digit first, not '%s'", name);
    from = strpbrk(last_part(m.path), "*/\\\"\n") ? "a file" : last_part(m.path);

    read_file(m.path, &m.text);
    read_model(&m);
    if (m.expressions[strspn(m.expressions, " ")] == 0)
        die("%s: there is no expression in it", m.path);
    f = function_of(&m, (given[O_contract] ? (unsigned)AD_FN_CONTRACT : 0u)
                        | (given[O_fast] ? (unsigned)AD_FN_FAST : 0u));
    f = derivative_of(&m, f, given);

    desc.name = name;
    desc.form = given[O_table] ? AD_EMIT_TABLE : given[O_point] ? AD_EMIT_POINT : AD_EMIT_FUNCTION;
    desc.language = given[O_board] ? AD_LANGUAGE_BOARD : given[O_opencl] ? AD_LANGUAGE_OPENCL
        : given[O_cuda] ? AD_LANGUAGE_CUDA : AD_LANGUAGE_C;
    desc.single = given[O_float] != NULL;
    desc.error = error;
    desc.error_size = sizeof error;
    print(&code, "/* Made by adgen from %s. */\n", from);
    status = ad_fn_emit(f, &desc, keep, &code);
    if (status != AD_OK) die("%s: %s", m.path, error);
    declare(&header, f, name, from, code.text);
    if (given[O_header]) {
        refuse_twins(f, m.path);
        write_file(given[O_header], &header, NULL);
    }
    write_file(given[O_output], &code, given[O_header]);
    if (given[O_report]) {
        const ad_fn_stats s = ad_fn_get_stats(f);
        fprintf(stderr, "%s: %lu inputs, %lu of them variables, %lu outputs; %lu operations, of "
                "%lu in the trace\n", m.path, (unsigned long)s.inputs, (unsigned long)s.variables,
                (unsigned long)s.outputs, (unsigned long)s.nodes, (unsigned long)s.trace_nodes);
    }
    ad_fn_destroy(f);
    return 0;
}
