/* Your C as it stands, differentiated: C goes in, C that carries derivatives comes out.
       cc -O1 tools/adc.c -I$(llvm-config --includedir) -lclang -o adc
       adc --help
   libclang reads the source; what follows is in the order of the work: the text (macros expanded,
   each line knowing where it came from), its tree, which memory carries derivatives, the changes,
   and the text again, in which a line without a change is the user's own, macros and all. */
#include "alike.h"
#include <clang-c/Index.h>
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef ADC_VERSION
#define ADC_VERSION "?"
#endif
#ifndef ADC_INCLUDE
#define ADC_INCLUDE "."            /* where autodiff.h is, if the compiler does not know */
#endif

/* ---- text that grows; what is allocated lives as long as the program */
typedef struct text { char *s; size_t n, room; } text;

static int checks;                             /* adc check ... */
static int failed(void) { return checks ? 99 : 1; }

#define FORMAT(a, b) __attribute__((format(printf, a, b)))
static void die(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
static void die(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fputs("adc: ", stderr);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
    exit(failed());
}
static void *more(void *p, size_t bytes)
{
    p = realloc(p, bytes ? bytes : 1);
    if (p == NULL) die("out of memory");
    return p;
}
/* Room for one more at the end of an array whose length is n: doubled at powers of two. */
#define GROW(array, n)                                                                             \
    ((n) & ((n) - 1) ? (void)0                                                                     \
                     : (void)((array) = more((array), ((n) ? 2 * (n) : 1) * sizeof *(array))))
static void put(text *t, const char *s, size_t n)
{
    if (t->n + n >= t->room) t->s = (char *)more(t->s, t->room = 2 * (t->n + n) + 64);
    memcpy(t->s + t->n, s, n);
    t->s[t->n += n] = 0;
}
static void vprint(text *t, const char *format, va_list list)
{
    va_list again;
    char *s;
    int n;
    va_copy(again, list);
    n = vsnprintf(NULL, 0, format, again);
    va_end(again);
    s = (char *)more(NULL, (size_t)n + 1);
    vsnprintf(s, (size_t)n + 1, format, list);
    put(t, s, (size_t)n);
    free(s);
}
FORMAT(2, 3) static void print(text *t, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vprint(t, format, list);
    va_end(list);
}
FORMAT(1, 2) static char *say(const char *format, ...)
{
    text t = { NULL, 0, 0 };
    va_list list;
    va_start(list, format);
    put(&t, "", 0);
    vprint(&t, format, list);
    va_end(list);
    return t.s;
}
static void read_all(FILE *file, text *t)
{
    char piece[4096];
    size_t got;
    put(t, "", 0);
    while ((got = fread(piece, 1, sizeof piece, file)) > 0) put(t, piece, got);
}
static int is_name(char c) { return isalnum((unsigned char)c) || c == '_'; }
static int starts(const char *s, const char *with) { return strncmp(s, with, strlen(with)) == 0; }
static int equal(const char *a, const char *b) { return strcmp(a, b) == 0; }

/* ---- options */
#define OPTIONS(O)                                                                                 \
    O(function, "function NAME",   "the function to differentiate")                                \
    O(as,       "as TYPE",         "C in such numbers: var, dual, dual4, dual8, dual2, fvar ...")  \
    O(gradient, "gradient",        "C that computes value and gradient, without the library; of\n" \
                "                     a check, the function to check: --gradient NAME") \
    O(jacobian, "jacobian",        "values and Jacobian, by rows; of a check, as --gradient") \
    O(hessian,  "hessian",         "value, gradient and Hessian") \
    O(jvp,      "jvp",             "values and J v: inputs x, v") \
    O(vjp,      "vjp",             "values and w^T J: inputs x, w") \
    O(sparse,   "sparse",          "the nonzeros of a Jacobian alone, or those of the lower\n" \
                "                     triangle of a Hessian times a weight, and their pattern") \
    O(in,       "in NAMES",        "parameters to differentiate by: 'x', 'x[3], a'")               \
    O(out,      "out NAMES",       "parameters that take results, 'y[3]'; or 'return'")            \
    O(n,        "n SIZE",          "the length of const pointers, and the value of integers")     \
    O(set,      "set NAME=VALUE",  "the value, in C, of another parameter; may be repeated")       \
    O(setup,    "setup CODE",      "C to be run before the function is called")                    \
    O(external, "external TEXT",   "'G: gradient H': double G(...) of elsewhere, of numbers and\n" \
      "                     const arrays with their common length, has the derivative\n"           \
      "                     void H(..., double *dG), by the numbers in G's order; repeated")       \
    O(inactive, "inactive NAMES",  "functions of elsewhere that have no derivative; in C\n"       \
      "                     that is written, their values stay those at the first point")          \
    O(at,       "at NUMBERS",      "where it is recorded: the inputs; ';' before another point")   \
    O(branches, "branches HOW",    "comparisons: record (guarded; the default of var) or value")   \
    O(name,     "name NAME",       "of the derivative in C, in place of FUNCTION_gradient ...")    \
    O(output,   "output FILE",     "where the C goes (also -o); default: stdout")                  \
    O(cc,       "cc COMMAND",      "the compiler that expands macros; default: cc")                \
    O(report,   "report",          "counts on stderr")                                             \
    O(version,  "version",         "print the version")                                            \
    O(help,     "help",            "print this")

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
static const char *given[O_COUNT];
static const char **set, **passed, **linked;   /* NAME=VALUE; -I and -D; -l and -L */
static size_t sets, passes, links;
/* Functions of elsewhere whose derivatives are functions, too. */
static struct external {
    char    *name, *gradient;
    CXCursor cursor;               /* its declaration */
    int      called;
} *externals;
static size_t external_count;

/* ---- the source: the user's lines, and one text without macros whose lines know where they
   come from */
typedef struct line {
    size_t      at;                /* in `code` */
    const char *file;
    unsigned    number;
    int         own;               /* of the file itself, not of a header */
    int         users;             /* nor of one that the system has, or of what is added here */
    int         exact;             /* as the user wrote it */
} line;

static const char *path;
static char      **user;           /* [1..users]: the user's lines, ended by 0 */
static size_t      users;
static text        code;
static line       *lines;
static size_t      count;

/* The two lines are one but for blanks. */
static int same_tokens(const char *a, const char *b)
{
    for (;;) {
        while (isspace((unsigned char)*a)) a++;
        while (isspace((unsigned char)*b)) b++;
        if (*a != *b) return 0;
        if (*a == 0) return 1;
        a++;
        b++;
    }
}
static int is_blank(const char *s) { return s[strspn(s, " \t\r\f\v\n")] == 0; }

/* A word for the shell. */
static void quote(text *t, const char *word)
{
    put(t, " '", 2);
    for (; *word; word++)
        if (*word == '\'') put(t, "'\\''", 4);
        else put(t, word, 1);
    put(t, "'", 1);
}

static void read_user(void)
{
    FILE *file = fopen(path, "rb");
    text t = { NULL, 0, 0 };
    char *s, *end;
    if (file == NULL) die("cannot read '%s': %s", path, strerror(errno));
    read_all(file, &t);
    if (ferror(file)) die("cannot read '%s': %s", path, strerror(errno));
    fclose(file);
    if (strlen(t.s) != t.n) die("'%s' is not a text", path);
    user = (char **)more(NULL, 2 * sizeof *user);
    users = 1;
    for (s = t.s; *s; s = end) {
        end = s + strcspn(s, "\n");
        if (end > s && end[-1] == '\r') end[-1] = 0;
        if (*end) *end++ = 0;
        GROW(user, users);
        user[users++] = s;
    }
}

static int of_system = 1;          /* what is read is, or is added here */
/* A line of the preprocessor's. gcc begins a new one for each piece that a system header's macro
   gave: what belongs to a line that is there is joined to it. */
static void add_line(const char *s, const char *file, unsigned number)
{
    const int own = equal(file, path);
    line *l = count ? &lines[count - 1] : NULL;
    if (l && own && l->own && number <= l->number) {
        code.n--;
        s += strspn(s, " \t");
        if (*s) put(&code, " ", 1);
    } else {
        GROW(lines, count);
        l = &lines[count++];
        l->at = code.n;
        l->file = file;
        l->number = number;
        l->own = own;
        l->users = own || !of_system;
    }
    put(&code, s, strlen(s));
    l->exact = own && l->number > 0 && l->number < users
               && same_tokens(code.s + l->at, user[l->number]);
    if (l->exact) {
        code.n = l->at;
        put(&code, user[l->number], strlen(user[l->number]));
    }
    put(&code, "\n", 1);
}

static void read_macros(const char *command);

/* ---- files of our own */
static char *directory;
static char *file_in(const char *name) { return say("%s/%s", directory, name); }

static void remove_directory(void)
{
    static const char *const files[] = { "assert.h", "tgmath.h", "plain.c", "main.c", "program",
                                         "messages", "source.c", NULL };
    size_t i;
    for (i = 0; files[i]; i++) remove(file_in(files[i]));
    rmdir(directory);
}
static void make_directory(void)
{
    const char *const base = getenv("TMPDIR");
    directory = say("%s/adcXXXXXX", base && *base ? base : "/tmp");
    if (mkdtemp(directory) == NULL) die("cannot make '%s': %s", directory, strerror(errno));
    atexit(remove_directory);
}
/* All of it, or no file. */
static void write_file(const char *name, const text *t)
{
    FILE *const file = name && !equal(name, "-") ? fopen(name, "wb") : stdout;
    struct stat s;
    int bad = file == NULL || fwrite(t->s, 1, t->n, file) != t->n;
    if (file && (file != stdout ? fclose(file) : fflush(file)) != 0) bad = 1;
    if (!bad) return;
    bad = errno;                               /* half of a file goes, but no device */
    if (name && file && file != stdout && lstat(name, &s) == 0
        && (s.st_mode & S_IFMT) == S_IFREG) remove(name);
    die("cannot write '%s': %s", name ? name : "stdout", strerror(bad));
}

/* A file's name in a string of C, and from one up to its end. */
static char *escaped(const char *name)
{
    text t = { NULL, 0, 0 };
    put(&t, "", 0);
    for (; *name; name++) {
        if (strchr("\"\\", *name)) put(&t, "\\", 1);
        put(&t, name, 1);
    }
    return t.s;
}
static char *name_in(const char *s)
{
    text t = { NULL, 0, 0 };
    put(&t, "", 0);
    for (; *s && *s != '"'; s++) {
        char c = *s;
        unsigned octal;
        if (c == '\\' && sscanf(++s, "%3o", &octal) == 1) c = (char)octal, s += 2;
        else c = *s;
        put(&t, &c, 1);
    }
    return t.s;
}
/* Lines say where they are from by #line, too, as those of yacc: of a copy without these, the lines
   are the file's own. */
static const char *without_lines(text *command)
{
    text t = { NULL, 0, 0 };
    const char *const slash = strrchr(path, '/');
    size_t i, found = 0;
    print(&t, "# 1 \"%s\"\n", escaped(path));
    for (i = 1; i < users; i++) {
        const char *s = user[i] + strspn(user[i], " \t");
        const int is_line = *s == '#' && starts(s += 1 + strspn(s + 1, " \t"), "line")
                            && !is_name(s[4]);
        found += (size_t)is_line;
        print(&t, "%s\n", is_line ? "" : user[i]);
    }
    if (!found) return path;
    write_file(file_in("source.c"), &t);
    put(command, " -iquote", 8);
    quote(command, slash ? say("%.*s", (int)(slash - path) + 1, path) : ".");
    return file_in("source.c");
}

/* The preprocessor's output. It is told to be an old gcc, so that libc's headers are such as every
   compiler reads (6: the first whose signbit is no _Generic); comments stay. assert is a function
   there, since what a library's expands to is no text to be written. */
static void read_expanded(void)
{
    text command = { NULL, 0, 0 }, t = { NULL, 0, 0 };
    const char *file = "", *source;
    unsigned number = 0;
    char *s, *end;
    FILE *pipe;
    size_t i;
    make_directory();
    put(&t, "void assert(int);\n", 18);
    write_file(file_in("assert.h"), &t);
    t.n = 0;
    print(&t, "#include <math.h>\n#include <complex.h>\n");   /* sin(x) is what is written */
    write_file(file_in("tgmath.h"), &t);
    t.n = 0;
    print(&command, "%s -E -C -w -U__GNUC__ -D__GNUC__=6 -U__GNUC_MINOR__ -D__GNUC_MINOR__=0"
          " -D_BITS_FLOATN_H",                   /* there are no _Float128, which isinf asks for */
          given[O_cc] ? given[O_cc] : "cc");
    quote(&command, say("-I%s", directory));
    for (i = 0; i < passes; i++) quote(&command, passed[i]);
    source = without_lines(&command);
    put(&command, " -x c", 5);
    quote(&command, source);
    read_macros(say("%s -dM", command.s));
    pipe = popen(command.s, "r");
    if (pipe == NULL) die("cannot run '%s'", command.s);
    read_all(pipe, &t);
    if (pclose(pipe) != 0) die("'%s' does not get through the preprocessor", path);
    for (s = t.s; *s; s = end) {
        end = s + strcspn(s, "\n");
        if (*end) *end++ = 0;
        if (*s == '#' && s[1] == ' ' && isdigit((unsigned char)s[2])) {  /* # 12 "file" flags */
            char *name;
            number = (unsigned)strtoul(s + 2, &name, 10);
            of_system = strstr(strrchr(name, '"') ? strrchr(name, '"') : name, " 3") != NULL;
            file = name_in(name + strspn(name, " \""));
        } else {
            add_line(*s == '#' ? "" : s, file, number++);
        }
    }
    of_system = 1;
}

/* Of the functions of <math.h>: the operation that the rule table has for each; of fmin and fmax,
   which pass over a NaN as no rule does, a helper. */
static const struct { const char *name, *op; int operands; } mathematics[] = {
    { "fabs", "abs", 1 }, { "sqrt", "sqrt", 1 }, { "cbrt", "cbrt", 1 }, { "exp", "exp", 1 },
    { "exp2", "exp2", 1 }, { "expm1", "expm1", 1 }, { "log", "log", 1 }, { "log2", "log2", 1 },
    { "log10", "log10", 1 }, { "log1p", "log1p", 1 }, { "sin", "sin", 1 }, { "cos", "cos", 1 },
    { "tan", "tan", 1 }, { "asin", "asin", 1 }, { "acos", "acos", 1 }, { "atan", "atan", 1 },
    { "sinh", "sinh", 1 }, { "cosh", "cosh", 1 }, { "tanh", "tanh", 1 }, { "asinh", "asinh", 1 },
    { "acosh", "acosh", 1 }, { "atanh", "atanh", 1 }, { "erf", "erf", 1 }, { "erfc", "erfc", 1 },
    { "lgamma", "lgamma", 1 }, { "floor", "floor", 1 }, { "ceil", "ceil", 1 },
    { "round", "round", 1 }, { "trunc", "trunc", 1 }, { "pow", "pow", 2 }, { "atan2", "atan2", 2 },
    { "hypot", "hypot", 2 }, { "fmod", "fmod", 2 }, { "copysign", "copysign", 2 },
    { "fmin", "fmin", 2 }, { "fmax", "fmax", 2 }, { "fma", "fma", 3 }
};
/* Functions that the rule table has not, and those of SUNDIALS' serial vectors, GSL's vectors and
   powers, since a solver's examples call them: as C that is read with the user's, so that they are
   differentiated like all else. The values are to the bit those of libm, SUNDIALS and GSL. Where no
   formula gives libm's bits, adc_value(x), the number alone, does: tgamma is libm's number times
   one that is 1 and has the derivative. In what is compiled from a tape these numbers stay. */
#define VALUE "double adc_value(double);"
/* The power that is the factor may be none though the product is a number: in three steps, of which
   the last alone rounds. */
#define SCALE(I)  "(double x, " I " e) { e = e < -2140 ? -2140 : e > 2140 ? 2140 : e;"            \
                  " return e >= -1022 && e <= 1023 ? x*exp2((double)e)"                            \
                  " : x*exp2((double)(e/3))*exp2((double)(e/3))*exp2((double)(e - 2*(e/3))); }"
#define SCALEF(I) "(float x, " I " e) { e = e < -280 ? -280 : e > 280 ? 280 : e;"                  \
                  " return e >= -126 && e <= 127 ? x*exp2f((float)e)"                              \
                  " : x*exp2f((float)(e/3))*exp2f((float)(e/3))*exp2f((float)(e - 2*(e/3))); }"
#define DATA(v) "((N_VectorContent_Serial)(" v "->content))->data"
#define EACH    "{ sunindextype i; realtype *zd = " DATA("z") ";"                                  \
                " const sunindextype n = ((N_VectorContent_Serial)(z->content))->length;"
static const struct { const char *name, *text; } known[] = {
    { "N_VGetArrayPointer", "realtype *N_VGetArrayPointer(N_Vector v) { return " DATA("v") "; }" },
    { "N_VConst", "void N_VConst(realtype c, N_Vector z) " EACH
      " for (i = 0; i < n; i++) zd[i] = c; }" },
    { "N_VScale", "void N_VScale(realtype c, N_Vector x, N_Vector z) " EACH
      " realtype *xd = " DATA("x") "; for (i = 0; i < n; i++) zd[i] = c*xd[i]; }" },
    { "N_VAddConst", "void N_VAddConst(N_Vector x, realtype b, N_Vector z) " EACH
      " realtype *xd = " DATA("x") "; for (i = 0; i < n; i++) zd[i] = xd[i] + b; }" },
    { "N_VProd", "void N_VProd(N_Vector x, N_Vector y, N_Vector z) " EACH
      " realtype *xd = " DATA("x")
      ", *yd = " DATA("y") "; for (i = 0; i < n; i++) zd[i] = xd[i]*yd[i]; }" },
    { "N_VDiv", "void N_VDiv(N_Vector x, N_Vector y, N_Vector z) " EACH " realtype *xd = " DATA("x")
      ", *yd = " DATA("y") "; for (i = 0; i < n; i++) zd[i] = xd[i]/yd[i]; }" },
    { "N_VLinearSum",
      "void N_VLinearSum(realtype a, N_Vector x, realtype b, N_Vector y, N_Vector z) "
      EACH " realtype *xd = " DATA("x") ", *yd = " DATA("y") "; for (i = 0; i < n; i++)"
      " zd[i] = a == b ? a*(xd[i] + yd[i]) : a == -b ? a*(xd[i] - yd[i]) : a*xd[i] + b*yd[i]; }" },
    { "gsl_vector_get", "double gsl_vector_get(const gsl_vector *v, const size_t i)"
      " { return v->data[i*v->stride]; }" },
    { "gsl_vector_set", "void gsl_vector_set(gsl_vector *v, const size_t i, double x)"
      " { v->data[i*v->stride] = x; }" },
    { "gsl_vector_ptr", "double *gsl_vector_ptr(gsl_vector *v, const size_t i)"
      " { return v->data + i*v->stride; }" },
    { "gsl_vector_const_ptr", "const double *gsl_vector_const_ptr(const gsl_vector *v,"
      " const size_t i) { return v->data + i*v->stride; }" },
    { "gsl_vector_set_all", "void gsl_vector_set_all(gsl_vector *v, double x)"
      " { size_t i; for (i = 0; i < v->size; i++) v->data[i*v->stride] = x; }" },
    { "gsl_vector_set_zero", "void gsl_vector_set_zero(gsl_vector *v)"
      " { size_t i; for (i = 0; i < v->size; i++) v->data[i*v->stride] = 0; }" },
    { "gsl_hypot", "double gsl_hypot(const double x, const double y)"
      " { const double a = fabs(x), b = fabs(y), low = a < b ? a : b, high = a < b ? b : a;"
      " const double u = low/high; if (__builtin_isinf(x)) return a; if (__builtin_isinf(y))"
      " return b; if (low == 0) return high; return high*sqrt(1 + u*u); }" },
    { "gsl_pow_int", "double gsl_pow_int(double x, int n)"
      " { unsigned k = n; double p = 1; if (n < 0) { x = 1/x; k = -(unsigned)n; }"
      " do { if (k & 1) p *= x; k >>= 1; x *= x; } while (k); return p; }" },
    { "gsl_pow_2", "double gsl_pow_2(const double x) { return x*x; }" },
    { "gsl_pow_3", "double gsl_pow_3(const double x) { return x*x*x; }" },
    { "gsl_pow_4", "double gsl_pow_4(const double x) { const double x2 = x*x; return x2*x2; }" },
    { "gsl_pow_5", "double gsl_pow_5(const double x) { const double x2 = x*x; return x2*x2*x; }" },
    { "gsl_pow_6", "double gsl_pow_6(const double x) { const double x2 = x*x; return x2*x2*x2; }" },
    { "gsl_pow_7", "double gsl_pow_7(const double x)"
      " { const double x3 = x*x*x; return x3*x3*x; }" },
    { "gsl_pow_8", "double gsl_pow_8(const double x)"
      " { const double x2 = x*x, x4 = x2*x2; return x4*x4; }" },
    { "gsl_pow_9", "double gsl_pow_9(const double x)"
      " { const double x3 = x*x*x; return x3*x3*x3; }" },
    { "fdim", "double fdim(double x, double y) { return x > y ? x - y : x <= y ? 0 : x + y; }" },
    { "ldexp", "double ldexp" SCALE("int") },
    { "scalbn", "double scalbn" SCALE("int") },
    { "scalbln", "double scalbln" SCALE("long") },
    { "logb", VALUE "double logb(double x)"              /* which one is a decision */
      " { const double e = __builtin_logb(adc_value(x)), a = fabs(x);"
      " return a < exp2(e) || a >= 2*exp2(e) ? e : e; }" },
    { "rint", "double rint(double x)"
      " { return fabs(x - trunc(x)) == 0.5 ? 2*round(x/2) : round(x); }" },
    { "nearbyint", "double nearbyint(double x)"
      " { return fabs(x - trunc(x)) == 0.5 ? 2*round(x/2) : round(x); }" },
    { "modf", "double modf(double x, double *whole)"
      " { *whole = trunc(x); return copysign(x - *whole, x); }" },
    { "tgamma", VALUE "double tgamma(double x) { const double at = adc_value(x);"
      " return __builtin_tgamma(at)*exp(lgamma(x) - lgamma(at)); }" },
    { "remainder", "double remainder(double x, double y) { const double b = fabs(y);"
      " double a = fabs(fmod(x, 2*y)); if (2*a > b) { a -= b; if (2*a >= b) a -= b; }"
      " return __builtin_signbit(x) ? -a : a; }" },
    { "frexp", VALUE "double frexp(double x, int *e) { double m = __builtin_frexp(adc_value(x), e);"
      " m = x*exp2(-(*e/2))*exp2(-(*e - *e/2));"
      " return fabs(m) >= 0.5 && fabs(m) < 1 ? m : x; }" },
    { "nextafter", VALUE "double nextafter(double x, double y) { const double at = adc_value(x);"
      " return x + (__builtin_nextafter(at, adc_value(y)) - at); }" },
    { "fdimf", "float fdimf(float x, float y)"
      " { return x > y ? x - y : x <= y ? 0 : x + y; }" },
    { "ldexpf", "float ldexpf" SCALEF("int") },
    { "scalbnf", "float scalbnf" SCALEF("int") },
    { "scalblnf", "float scalblnf" SCALEF("long") },
    { "logbf", VALUE "float logbf(float x)"
      " { const float e = __builtin_logbf((float)adc_value(x)), a = fabsf(x);"
      " return a < exp2f(e) || a >= 2*exp2f(e) ? e : e; }" },
    { "rintf", "float rintf(float x)"
      " { return fabsf(x - truncf(x)) == 0.5f ? 2*roundf(x/2) : roundf(x); }" },
    { "nearbyintf", "float nearbyintf(float x)"
      " { return fabsf(x - truncf(x)) == 0.5f ? 2*roundf(x/2) : roundf(x); }" },
    { "modff", "float modff(float x, float *whole)"
      " { *whole = truncf(x); return copysignf(x - *whole, x); }" },
    { "tgammaf", VALUE "float tgammaf(float x) { const float at = (float)adc_value(x);"
      " return __builtin_tgammaf(at)*expf(lgammaf(x) - lgammaf(at)); }" },
    { "remainderf", "float remainderf(float x, float y) { const float b = fabsf(y);"
      " float a = fabsf(fmodf(x, 2*y)); if (2*a > b) { a -= b; if (2*a >= b) a -= b; }"
      " return __builtin_signbit(x) ? -a : a; }" },
    { "frexpf", VALUE "float frexpf(float x, int *e)"
      " { float m = __builtin_frexpf((float)adc_value(x), e);"
      " m = x*exp2f((float)-(*e/2))*exp2f((float)-(*e - *e/2));"
      " return fabsf(m) >= 0.5f && fabsf(m) < 1 ? m : x; }" },
    { "nextafterf", VALUE "float nextafterf(float x, float y)"
      " { const float at = (float)adc_value(x);"
      " return x + (__builtin_nextafterf(at, (float)adc_value(y)) - at); }" },
    { "SUNRpowerI", "realtype SUNRpowerI(realtype base, int exponent) { int i; realtype p = 1;"
      " for (i = exponent < 0 ? -exponent : exponent; i > 0; i--) p *= base;"
      " return exponent < 0 ? 1/p : p; }" },
    { "SUNRpowerR", "realtype SUNRpowerR(realtype base, realtype exponent)"
      " { return base <= 0 ? 0 : pow(base, exponent); }" }
};
/* What stands in a header that declares the function; "": no matter. */
static const char *header_of(const char *name)
{
    static const char *const table[][2] = {
        { "N_V", "struct _N_VectorContent_Serial {" },
        { "gsl_vector", "double gsl_vector_get (const gsl_vector * v" },
        { "gsl_hypot", "double gsl_hypot (const double x, const double y);" },
        { "gsl_pow", "double gsl_pow_int(double x, int n);" },
        { "SUNR", " base, int exponent);" } };
    size_t i;
    for (i = 0; i < sizeof table/sizeof *table; i++)
        if (starts(name, table[i][0])) return table[i][1];
    return "";
}
/* A header declares the function of numbers, so it is not the user's own. */
static int is_declared(const char *name)
{
    const char *s = code.s;
    size_t l;
    for (l = 0; l < count; l++) {
        const char *const stop = code.s + (l + 1 < count ? lines[l + 1].at : code.n);
        if (lines[l].own) continue;
        for (s = code.s + lines[l].at; (s = strstr(s, name)) != NULL && s < stop; s++) {
            const char *const after = s + strlen(name);
            if (after[strspn(after, " ")] == '('
                && ((s - code.s > 7 && starts(s - 7, "double "))
                    || (s - code.s > 6 && starts(s - 6, "float ")))) return 1;
        }
    }
    return 0;
}
static const line *line_at(size_t offset)
{
    size_t low = 0, high = count;
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        if (lines[middle].at <= offset) low = middle;
        else high = middle;
    }
    return &lines[low];
}
static size_t words_end(size_t at);
static void skip_blanks(size_t *at);
/* The name stands before (...) {: the file defines the function. */
static int is_head(size_t end)
{
    skip_blanks(&end);
    if (code.s[end] != '(') return 0;
    end = words_end(end);
    skip_blanks(&end);
    return code.s[end] == '{';
}
static void add_known(void)
{
    const size_t end = code.n;
    size_t i;
    for (i = 0; i < sizeof known/sizeof *known; i++) {
        int called = 0, defined = 0;
        const char *s = code.s;
        for (; (s = strstr(s, known[i].name)) != NULL && s < code.s + end; s++) {
            const size_t at = (size_t)(s - code.s), length = strlen(known[i].name);
            if (at == 0 || is_name(s[-1]) || is_name(s[length]) || !line_at(at)->users) continue;
            called = 1;
            defined |= is_head(at + length);
        }
        if (called && !defined
            && (*header_of(known[i].name) ? strstr(code.s, header_of(known[i].name)) != NULL
                                          : is_declared(known[i].name)))
            add_line(known[i].text, "(adc)", (unsigned)i + 1);
    }
}

/* Is the name at s, of so many characters, a value: behind an operator, and not called? */
static int is_address(const char *s, size_t length)
{
    size_t at = (size_t)(s - code.s), end = at + length;
    skip_blanks(&end);
    while (at > 0 && isspace((unsigned char)code.s[at - 1])) at--;
    return code.s[end] != '(' && at > 0
        && (strchr("(,={?:&", code.s[at - 1])
            || (at >= 6 && strncmp(code.s + at - 6, "return", 6) == 0));
}
/* The text n times, with commas; # is the number. */
static char *repeated(const char *format, size_t n)
{
    text t = { NULL, 0, 0 };
    const char *s;
    size_t i;
    for (i = 0; i < n; i++) {
        if (i) put(&t, ", ", 2);
        for (s = format; *s; s++)
            if (*s == '#') print(&t, "%lu", (unsigned long)i);
            else put(&t, s, 1);
    }
    return t.n ? t.s : say("void");
}
/* A function of <math.h> whose address the file takes is one of the file's, so that a table may
   have it beside others. */
static void add_taken(void)
{
    const size_t end = code.n;
    size_t i, k;
    for (i = 0; i < 2*sizeof mathematics/sizeof *mathematics; i++) {
        const char *const name = say("%s%s", mathematics[i/2].name, i % 2 ? "f" : "");
        const char *const type = i % 2 ? "float" : "double", *s;
        const size_t n = (size_t)mathematics[i/2].operands;
        int taken = 0;
        for (s = code.s; (s = strstr(s, name)) != NULL && s < code.s + end; s++) {
            const size_t at = (size_t)(s - code.s), length = strlen(name);
            if (at == 0 || is_name(s[-1]) || is_name(s[length]) || !line_at(at)->users) continue;
            taken |= is_address(s, length);
        }
        for (k = 0; k < sets; k++) taken |= equal(strchr(set[k], '=') + 1, name);
        if (!taken || !is_declared(name)) continue;
        add_line(say("%s %s(%s) { return __builtin_%s(%s); }", type, name,
                     repeated(say("%s adc_#", type), n), name, repeated("adc_#", n)),
                 "(adc)", (unsigned)(1000 + i));
    }
}

static int refused, warned;

/* "model.c:12:3: error: ", as compilers say it, and once, though a text may be read again. */
static void complain(size_t offset, const char *kind, const char *format, va_list list)
{
    static text said;
    const line *l = line_at(offset);
    text t = { NULL, 0, 0 };
    print(&t, "%s:%u:%u: %s: ", l->file, l->number, (unsigned)(offset - l->at) + 1, kind);
    vprint(&t, format, list);
    put(&t, "\n", 1);
    if (said.n && strstr(said.s, t.s)) return;
    put(&said, t.s, t.n);
    fputs(t.s, stderr);
}
FORMAT(2, 3) static void refuse(size_t offset, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    complain(offset, "error", format, list);
    va_end(list);
    refused++;
}
FORMAT(2, 3) static void warn(size_t offset, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    complain(offset, "warning", format, list);
    va_end(list);
    warned++;
}

/* ---- the tree: libclang's, without what the compiler converts silently */
typedef struct node {
    CXCursor          cursor;
    enum CXCursorKind kind;
    size_t            start, end;  /* in `code` */
    size_t            n;
    struct node     **child, *parent;
} node;

/* Names and operators are asked for again and again: one copy of each. */
static char *one_copy(const char *s, size_t n)
{
    static struct copy { char *s; struct copy *next; } *lists[4096];
    struct copy **list, *c;
    unsigned hash = 0;
    size_t i;
    for (i = 0; i < n; i++) hash = 31*hash + (unsigned char)s[i];
    list = &lists[hash % 4096];
    for (c = *list; c; c = c->next)
        if (strncmp(c->s, s, n) == 0 && c->s[n] == 0) return c->s;
    c = (struct copy *)more(NULL, sizeof *c);
    c->s = say("%.*s", (int)n, s);
    c->next = *list;
    *list = c;
    return c->s;
}
static char *string_of(CXString s)
{
    const char *const own = clang_getCString(s) ? clang_getCString(s) : "";
    char *const copy = one_copy(own, strlen(own));
    clang_disposeString(s);
    return copy;
}
static char *name_of(CXCursor c) { return string_of(clang_getCursorSpelling(c)); }
static char *cut(size_t start, size_t end) { return say("%.*s", (int)(end - start),
                                                        code.s + start); }

static size_t offset_of(CXSourceLocation l)
{
    unsigned offset;
    clang_getSpellingLocation(l, NULL, NULL, NULL, &offset);
    return offset;
}
static size_t place_of(CXCursor c) { return offset_of(clang_getCursorLocation(c)); }
static size_t start_of(CXCursor c)
{
    return offset_of(clang_getRangeStart(clang_getCursorExtent(c)));
}
static size_t end_of(CXCursor c)
{
    return offset_of(clang_getRangeEnd(clang_getCursorExtent(c)));
}

static node *grow_tree(CXCursor c, node *parent);
static enum CXChildVisitResult add_child(CXCursor c, CXCursor above, CXClientData data)
{
    node *n = (node *)data, *child;
    (void)above;
    /* A struct inside a declaration is also a neighbour before it. */
    if ((clang_getCursorKind(c) == CXCursor_StructDecl
         || clang_getCursorKind(c) == CXCursor_UnionDecl
         || clang_getCursorKind(c) == CXCursor_EnumDecl)
        && (n->kind == CXCursor_VarDecl || n->kind == CXCursor_TypedefDecl
            || n->kind == CXCursor_FieldDecl)) return CXChildVisit_Continue;
    child = grow_tree(c, n);
    GROW(n->child, n->n);
    n->child[n->n++] = child;
    return CXChildVisit_Continue;
}
static node *grow_tree(CXCursor c, node *parent)
{
    node *n = (node *)more(NULL, sizeof *n);
    size_t i;
    memset(n, 0, sizeof *n);
    n->cursor = c;
    n->kind = clang_getCursorKind(c);
    n->start = start_of(c);
    n->end = end_of(c);
    n->parent = parent;
    clang_visitChildren(c, add_child, n);
    if (n->kind == CXCursor_UnexposedExpr && n->n == 1 && n->child[0]->start == n->start
        && n->child[0]->end == n->end) {
        n->child[0]->parent = parent;
        return n->child[0];
    }
    for (i = 0; i < n->n; i++) n->child[i]->parent = n;
    return n;
}

static const node *bare(const node *n)
{
    while (n->kind == CXCursor_ParenExpr && n->n == 1) n = n->child[0];
    return n;
}

/* The operator of a node: what stands between or beside its operands, without comments. */
static void skip_blanks(size_t *at)
{
    for (;;) {
        const char *s = code.s + *at;
        if (isspace((unsigned char)*s)) ++*at;
        else if (starts(s, "/*")) *at += (size_t)(strstr(s + 2, "*/") - s) + 2;
        else if (starts(s, "//")) *at += strcspn(s, "\n");
        else return;
    }
}
static char *operator_of(const node *n, size_t *at)
{
    size_t length = 0;
    if (n->kind == CXCursor_UnaryOperator) {
        const int before = n->child[0]->start > n->start;
        *at = before ? n->start : n->child[0]->end;
        skip_blanks(at);
        while (*at + length < (before ? n->child[0]->start : n->end)
               && !isspace((unsigned char)code.s[*at + length])
               && code.s[*at + length] != '/') length++;
    } else {
        *at = n->child[0]->end;
        skip_blanks(at);
        while (strchr("+-*/%<>=!&|^,", code.s[*at + length])
               && !starts(code.s + *at + length, "/*") && !starts(code.s + *at + length, "//")
               && *at + length < n->child[1]->start) length++;
    }
    return one_copy(code.s + *at, length);
}

/* ---- memory that may carry derivatives. A declaration of numbers, of pointers to them or arrays
   of them is one memory; pointers that are assigned to each other share theirs
   (Steensgaard, POPL 1996). Along the
   arrows from operands to results what depends on the inputs is marked, against them what the
   outputs depend on; what is both is active. */
typedef struct memory {
    CXCursor cursor;
    size_t   at;                   /* of the declaration, or 0 */
    char    *name;
    size_t   same;                 /* union-find: the parent */
    size_t   next;                 /* 1 + that of a place that ends in the same bits */
    int      varied, useful, result;
    int      tied;                 /* declared inside for (...): with its neighbours, or none */
    int      stepped;              /* from where it points, others are reached: p[i], p++ */
} memory;

#define NOWHERE ((size_t)-1)
static memory *cells;
static size_t  cell_count;
static struct { size_t from, to; } *arrows;
static size_t  arrow_count;
static struct { size_t from, to; } *leads;     /* pointers: what the one is goes to */
static size_t  lead_count;

static size_t root(size_t m)
{
    while (cells[m].same != m) m = cells[m].same = cells[cells[m].same].same;
    return m;
}
static void unify(size_t a, size_t b)
{
    if (a == NOWHERE || b == NOWHERE) return;
    a = root(a);
    b = root(b);
    cells[b].varied |= cells[a].varied;
    cells[b].useful |= cells[a].useful;
    cells[a].same = b;
}
static void arrow(size_t from, size_t to)
{
    if (from == NOWHERE || to == NOWHERE || from == to) return;
    GROW(arrows, arrow_count);
    arrows[arrow_count].from = from;
    arrows[arrow_count++].to = to;
}

static void lead(size_t from, size_t to)
{
    if (from == NOWHERE || to == NOWHERE || from == to) return;
    GROW(leads, lead_count);
    leads[lead_count].from = from;
    leads[lead_count++].to = to;
}
static void step(size_t m)
{
    if (m != NOWHERE) cells[m].stepped = 1;
}

/* What is at the end of pointers and arrays: 'd', 'f', 'l' (long double), or 0 for no number that
   may have a derivative. */
static CXType innermost(CXType t, int *depth)
{
    for (*depth = 0;; ++*depth) {
        t = clang_getCanonicalType(t);
        if (t.kind == CXType_Pointer) t = clang_getPointeeType(t);
        else if (t.kind == CXType_ConstantArray || t.kind == CXType_IncompleteArray
                 || t.kind == CXType_VariableArray) t = clang_getArrayElementType(t);
        else return t;
    }
}
static char real_type(CXType t, int *depth)
{
    int own;
    const CXType e = innermost(t, depth ? depth : &own);
    return e.kind == CXType_Double ? 'd' : e.kind == CXType_Float ? 'f'
         : e.kind == CXType_LongDouble ? 'l' : 0;
}
static int is_scalar_real(CXType t)
{
    int depth;
    return real_type(t, &depth) && depth == 0;
}
static CXType type_of(const node *n) { return clang_getCursorType(n->cursor); }
/* A number, or an array of numbers, that is const: the word is the array's or its elements'. */
static int is_constant_type(CXType t)
{
    for (t = clang_getCanonicalType(t); !clang_isConstQualifiedType(t);
         t = clang_getCanonicalType(clang_getArrayElementType(t)))
        if (t.kind != CXType_ConstantArray && t.kind != CXType_IncompleteArray
            && t.kind != CXType_VariableArray) return 0;
    return 1;
}
/* What is at the end of both is of one type, but for const. */
static int same_content(CXType a, CXType b)
{
    int depth;
    a = innermost(a, &depth);
    b = innermost(b, &depth);
    return a.kind == b.kind && (a.kind != CXType_Record
        || clang_equalCursors(clang_getTypeDeclaration(a), clang_getTypeDeclaration(b)));
}

/* The memory that begins at a place of the text. */
static size_t cell_at(size_t at, CXCursor c, int result)
{
    static size_t first[4096];                  /* 1 + the newest cell, of places that end so */
    size_t *const list = &first[at % 4096], i;
    for (i = *list; i; i = cells[i - 1].next)
        if (cells[i - 1].at == at && cells[i - 1].result == result) return i - 1;
    i = cell_count;
    GROW(cells, cell_count);
    memset(&cells[i], 0, sizeof cells[i]);
    cells[i].cursor = c;
    cells[i].at = at;
    cells[i].name = name_of(c);
    cells[i].same = i;
    cells[i].result = result;
    cells[i].next = *list;
    *list = ++cell_count;
    return i;
}
/* The memory of a declaration; `result`: of what a function returns. */
static size_t cell(CXCursor c, int result)
{
    const CXType t = result ? clang_getCursorResultType(c) : clang_getCursorType(c);
    if (!real_type(t, NULL)) return NOWHERE;
    if (result) {
        const CXCursor d = clang_getCursorDefinition(c);
        if (!clang_Cursor_isNull(d)) c = d;
    } else if (clang_getCursorKind(c) == CXCursor_VarDecl) {
        c = clang_getCanonicalCursor(c);
    }
    return cell_at(place_of(c), c, result);
}
static int is_varied(size_t m) { return m != NOWHERE && cells[root(m)].varied; }
static int is_active(size_t m)
{
    if (m == NOWHERE) return 0;
    m = root(m);
    return cells[m].varied && cells[m].useful;
}

/* ---- the file's declarations, in their order; those that the function needs come out */
typedef struct item {
    size_t start, end;
    node **part;
    size_t parts;
    int    needed;
} item;
static item  *items;
static size_t item_count;

/* ---- functions: those that the one to be differentiated reaches */
typedef struct function {
    CXCursor cursor;               /* its definition */
    char    *name;
    node    *tree;
    int      renamed, taken;       /* taken: its address is, for calls through a pointer */
    int      rewritten;            /* its text changes */
    int      acts;                 /* it changes what others see */
} function;
static function *functions;
static size_t    function_count;

static CXTranslationUnit unit;
static const char *T = "ad_var", *suffix = "_var";
static int recording = 1, single;
static int derives;                            /* a derivative is written as C: by a run, at --at */
static int in_double;              /* code of single precision that computes in double, too */

static function *function_at(CXCursor c)
{
    size_t i;
    for (i = 0; i < function_count; i++)
        if (clang_equalCursors(functions[i].cursor, c)) return &functions[i];
    return NULL;
}

/* Types of functions that a cast makes of each other. */
static struct { CXType from, to; } *turned;
static size_t turns;
static int is_function(CXType t)
{
    return t.kind == CXType_FunctionProto || t.kind == CXType_FunctionNoProto;
}
static void turn(CXType from, CXType to)
{
    int depth;
    from = innermost(from, &depth);
    to = innermost(to, &depth);
    if (!is_function(from) || !is_function(to) || clang_equalTypes(from, to)) return;
    GROW(turned, turns);
    turned[turns].from = from;
    turned[turns++].to = to;
}
/* Of one type, or one says no parameters: double (*)(); or a cast makes the one of the other. */
static int may_point_to(CXType t, CXType to)
{
    size_t i;
    for (i = 0; i < turns; i++)
        if ((clang_equalTypes(t, turned[i].from) && clang_equalTypes(to, turned[i].to))
            || (clang_equalTypes(t, turned[i].to) && clang_equalTypes(to, turned[i].from)))
            return 1;
    return clang_equalTypes(t, to)
           || ((t.kind == CXType_FunctionNoProto || to.kind == CXType_FunctionNoProto)
               && clang_equalTypes(clang_getCanonicalType(clang_getResultType(t)),
                                   clang_getCanonicalType(clang_getResultType(to))));
}
static CXType function_type(const function *f)
{
    return clang_getCanonicalType(clang_getCursorType(f->cursor));
}
/* The function that stands for all that a pointer of this type, or a table of them, may point to:
   those of the type whose address is taken. Their parameters and results share memory, so that they
   stay of one type. */
static function *pointed_to(CXType t)
{
    function *other = NULL;
    size_t i;
    int depth;
    t = innermost(t, &depth);
    if (!is_function(t)) return NULL;
    for (i = 0; i < function_count; i++) {
        if (!functions[i].taken) continue;
        if (clang_equalTypes(t, function_type(&functions[i]))) return &functions[i];
        if (!other && may_point_to(t, function_type(&functions[i]))) other = &functions[i];
    }
    return other;
}

/* Functions that take numbers and give no derivative: what they print or decide stays a number. */
static const char *const without[] = {
    "adc_value",
    "printf", "fprintf", "sprintf", "snprintf", "puts", "fputs", "putchar", "fputc", "fflush",
    "exit", "abort", "assert",
    "isnan", "isinf", "lrint", "lround", "llrint", "llround",
    "ilogb", "abs", "labs", "llabs", "__builtin_expect", NULL
};
static const char *const rounding[] = { "lrint", "lround", "llrint", "llround", "ilogb", "abs",
                                       "labs", "llabs", NULL };
static const char *const copying[] = { "memcpy", "memmove", NULL };
static const char *const owning[] = { "malloc", "calloc", "realloc", "free", "memset", "alloca",
                                      "__builtin_alloca", "aligned_alloc", "reallocarray",
                                      "posix_memalign", "memalign", "valloc", NULL };

static int among(const char *name, const char *const *list)
{
    for (; *list; list++)
        if (equal(name, *list)) return 1;
    return 0;
}
/* isnan and its kind, as the C libraries name what their macros call. */
static int classifies(const char *name)
{
    static const char *const beginnings[] = { "__isnan", "__isinf", "__finite", "__signbit",
        "__fpclassify", "__iscanonical", "__issignaling", "__iseqsig", "__builtin_is",
        "__builtin_signbit", "__builtin_fpclassify", NULL };
    size_t i;
    for (i = 0; beginnings[i]; i++)
        if (starts(name, beginnings[i])) return 1;
    return 0;
}
/* Some name of the text ends in `end`. */
static int word_in(const char *s, const char *end)
{
    while ((s = strstr(s, end)) != NULL) {
        s += strlen(end);
        if (!is_name(*s)) return 1;
    }
    return 0;
}
/* NAME is one of those in the text, between commas and blanks. */
static int listed(const char *names, const char *name)
{
    const size_t length = strlen(name);
    const char *s = names;
    while (s && (s = strstr(s, name)) != NULL) {
        if ((s == names || !is_name(s[-1])) && !is_name(s[length])) return 1;
        s += length;
    }
    return 0;
}
/* The row of `mathematics`, or -1. *narrow: sinf and its like, in code of double precision. */
static int operation_of(const char *name, int *narrow)
{
    size_t i;
    if (starts(name, "__builtin_")) name += strlen("__builtin_");
    for (i = 0; i < sizeof mathematics/sizeof *mathematics; i++) {
        const size_t length = strlen(mathematics[i].name);
        if (strncmp(name, mathematics[i].name, length) != 0) continue;
        *narrow = !single && equal(name + length, "f");
        if (name[length] == 0 || equal(name + length, "f")) return (int)i;
    }
    return -1;
}

/* The function's result, or a parameter, `is` so. */
static int has_number(const function *f, int (*is)(size_t))
{
    int i, any = is(cell(f->cursor, 1));
    for (i = 0; i < clang_Cursor_getNumArguments(f->cursor); i++)
        any |= is(cell(clang_Cursor_getArgument(f->cursor, (unsigned)i), 0));
    return any;
}

/* What a call calls: a definition in the text, or a name. */
typedef struct callee {
    char            *name;
    function        *own;
    int              row, narrow;
    struct external *external;
} callee;
static callee callee_of(const node *n)
{
    callee c;
    const node *f = n->child[0];
    CXCursor r;
    size_t i;
    memset(&c, 0, sizeof c);
    c.row = -1;
    while ((f->kind == CXCursor_ParenExpr || f->kind == CXCursor_UnexposedExpr) && f->n)
        f = f->child[0];
    r = clang_getCursorReferenced(f->cursor);
    if (clang_Cursor_isNull(r) || clang_getCursorKind(r) != CXCursor_FunctionDecl
        || f->kind != CXCursor_DeclRefExpr) {
        int depth;
        c.own = pointed_to(type_of(f));
        if (innermost(type_of(f), &depth).kind == CXType_FunctionNoProto)
            for (i = function_count; i-- > 0;)               /* one that takes as many */
                if (functions[i].taken && may_point_to(innermost(type_of(f), &depth),
                                                       function_type(&functions[i]))
                    && (size_t)clang_Cursor_getNumArguments(functions[i].cursor) == n->n - 1)
                    c.own = &functions[i];
        return c;
    }
    c.name = name_of(r);
    c.own = function_at(clang_getCursorDefinition(r));
    if (!c.own) c.row = operation_of(c.name, &c.narrow);
    for (i = 0; i < external_count && !c.own; i++)
        if (equal(externals[i].name, c.name)) {
            c.external = &externals[i];
            c.external->cursor = clang_getCanonicalCursor(r);
        }
    return c;
}

/* Vectors of SUNDIALS (N_Vector, serial) and of GSL (gsl_vector *): the data of each, and who has
   it. */
enum { NO_VECTOR, OF_SUNDIALS, OF_GSL, VECTORS,
       MATRIX = 4 };                               /* and one of these: a claim's result */
static size_t vector_data[VECTORS] = { NOWHERE, NOWHERE, NOWHERE };
static enum CXChildVisitResult find_data(CXCursor c, CXCursor above, CXClientData data)
{
    (void)above;
    if (clang_getCursorKind(c) == CXCursor_FieldDecl && equal(name_of(c), "data"))
        *(size_t *)data = cell(c, 0);
    return CXChildVisit_Continue;
}
static int vector_of(CXType t)
{
    const char *name;
    t = clang_getCanonicalType(t);
    if (t.kind != CXType_Pointer) return NO_VECTOR;
    name = string_of(clang_getTypeSpelling(clang_getPointeeType(t)));
    if (equal(name, "struct _generic_N_Vector")) return OF_SUNDIALS;
    return equal(name + (starts(name, "const ") ? 6 : 0), "gsl_vector") ? OF_GSL : NO_VECTOR;
}
/* A matrix of theirs, as a claim may have for its result: SUNMatrix, gsl_matrix *. */
static int matrix_of(CXType t)
{
    const char *name;
    t = clang_getCanonicalType(t);
    if (t.kind != CXType_Pointer) return NO_VECTOR;
    name = string_of(clang_getTypeSpelling(clang_getPointeeType(t)));
    return equal(name, "struct _generic_SUNMatrix") ? MATRIX + OF_SUNDIALS
         : equal(name, "gsl_matrix") ? MATRIX + OF_GSL : NO_VECTOR;
}
static enum CXChildVisitResult find_vector(CXCursor c, CXCursor above, CXClientData data)
{
    (void)above;
    (void)data;
    if (clang_getCursorKind(c) == CXCursor_StructDecl && clang_isCursorDefinition(c)) {
        const char *const name = string_of(clang_getTypeSpelling(clang_getCursorType(c)));
        if (equal(name, "struct _N_VectorContent_Serial"))
            clang_visitChildren(c, find_data, &vector_data[OF_SUNDIALS]);
        else if (equal(name, "gsl_vector"))
            clang_visitChildren(c, find_data, &vector_data[OF_GSL]);
    }
    return CXChildVisit_Continue;
}
static int is_content(CXType t)                /* what a vector of SUNDIALS has behind void * */
{
    return equal(string_of(clang_getTypeSpelling(t)), "struct _N_VectorContent_Serial");
}
static int is_active_vector(CXType t) { return is_active(vector_data[vector_of(t)]); }

/* What is behind void * and char *. */
static int is_untyped(CXType t)
{
    return t.kind == CXType_Void || t.kind == CXType_Char_S || t.kind == CXType_UChar;
}
/* A function of the file's own that gives memory of a size: void *xmalloc(size_t), or void
   *xrealloc(void *, size_t). */
static int gives_memory(const function *own)
{
    const char *const body = cut(own->tree->start, own->tree->end);
    const int n = clang_Cursor_getNumArguments(own->cursor);
    int i, depth, sizes = 0;
    if (!is_untyped(innermost(clang_getCursorResultType(own->cursor), &depth)) || depth != 1)
        return 0;
    for (i = 0; i < n; i++) {
        const CXType t = clang_getCanonicalType(clang_getCursorType(
            clang_Cursor_getArgument(own->cursor, (unsigned)i)));
        const int size = t.kind >= CXType_Bool && t.kind < CXType_Float;
        if (!size && (innermost(t, &depth).kind != CXType_Void || depth != 1
                      || !strstr(body, "realloc"))) return 0;
        sizes += size;
    }
    return sizes && !strstr(body, "sizeof");
}
static int allocates(const callee *c) { return c->own && gives_memory(c->own); }

/* All memory of numbers that a pointer without their type (void *, char *, an integer) has come
   from or leads to: it could be any of it. */
static size_t untyped = NOWHERE;
static int is_pointer_to_reals(CXType t)
{
    int depth;
    return real_type(t, &depth) && depth > 0;
}
/* A pointer to numbers that is made of something else, not of new memory, nor of 0. */
static int comes_from_untyped(const node *value)
{
    const node *v = value;
    while ((v->kind == CXCursor_ParenExpr || v->kind == CXCursor_CStyleCastExpr) && v->n)
        v = v->child[v->n - 1];
    if (v->kind == CXCursor_ConditionalOperator && !real_type(type_of(value), NULL))
        return comes_from_untyped(v->child[1]) || comes_from_untyped(v->child[2]);
    if (v->kind == CXCursor_CallExpr && v->n) {
        const callee c = callee_of(v);
        if (c.name && v->n > 1 && (among(c.name, copying) || equal(c.name, "memset")))
            return comes_from_untyped(v->child[1]);
        if (allocates(&c) || (c.name && among(c.name, owning))) return 0;
    }
    return !real_type(type_of(value), NULL) && v->kind != CXCursor_IntegerLiteral;
}

/* The last expression of ({ ... }), which is its value. */
static const node *value_in(const node *n)
{
    const node *const block = n->n ? n->child[0] : NULL;
    return block && block->n ? block->child[block->n - 1] : NULL;
}
/* (double[]){ a, b }: memory of its own. */
static size_t literal_cell(const node *n)
{
    return real_type(type_of(n), NULL) ? cell_at(n->start, n->cursor, 0) : NOWHERE;
}
/* The memory that an expression denotes, is in, or points to. */
static size_t memory_of(const node *n)
{
    callee c;
    size_t at;
    const CXType t = clang_getCanonicalType(type_of(n));
    if (t.kind >= CXType_Bool && t.kind < CXType_Float) return NOWHERE;        /* p - q, p == q */
    switch ((int)n->kind) {
    case CXCursor_DeclRefExpr:
    case CXCursor_MemberRefExpr: {
        const CXCursor r = clang_getCursorReferenced(n->cursor);
        const enum CXCursorKind k = clang_Cursor_isNull(r) ? CXCursor_InvalidCode
            : clang_getCursorKind(r);
        return k == CXCursor_VarDecl || k == CXCursor_ParmDecl || k == CXCursor_FieldDecl
             ? cell(r, 0) : NOWHERE;
    }
    case CXCursor_ArraySubscriptExpr:
        return memory_of(n->child[!real_type(type_of(n->child[0]), NULL)]);
    case CXCursor_ParenExpr:
    case CXCursor_UnexposedExpr:
    case CXCursor_UnaryOperator:
    case CXCursor_CompoundAssignOperator:
        return n->n ? memory_of(n->child[0]) : NOWHERE;
    case CXCursor_CompoundLiteralExpr:
        return literal_cell(n);
    case CXCursor_StmtExpr:
        return value_in(n) ? memory_of(value_in(n)) : NOWHERE;
    case CXCursor_CStyleCastExpr: {
        const node *const value = n->child[n->n - 1];
        return !real_type(type_of(n), NULL) ? NOWHERE
             : is_pointer_to_reals(type_of(n)) && comes_from_untyped(value) ? untyped
             : memory_of(value);
    }
    case CXCursor_ConditionalOperator: {
        const size_t m = memory_of(n->child[1]);
        return m == NOWHERE ? memory_of(n->child[2]) : m;
    }
    case CXCursor_BinaryOperator:
        if (equal(operator_of(n, &at), ",")) return memory_of(n->child[1]);
        if (equal(operator_of(n, &at), "=")) return memory_of(n->child[0]);
        return memory_of(n->child[!real_type(type_of(n->child[0]), NULL)]);   /* p + i, i + p */
    case CXCursor_CallExpr:
        if (n->n == 0) return NOWHERE;
        c = callee_of(n);
        for (at = 1; allocates(&c) && at < n->n; at++)           /* xrealloc(p, size) */
            if (memory_of(n->child[at]) != NOWHERE) return memory_of(n->child[at]);
        if (c.own) return cell(c.own->cursor, 1);
        if (c.name && n->n > 1 && (among(c.name, copying) || equal(c.name, "realloc")
                                   || equal(c.name, "memset"))) return memory_of(n->child[1]);
        return NOWHERE;
    default:
        return NOWHERE;
    }
}

/* Arrows to `to` from all numbers that the expression's value is made of. */
static void flow(const node *n, size_t to)
{
    callee c;
    size_t i, at;
    const char *op;
    if (!is_scalar_real(type_of(n))) return;
    switch ((int)n->kind) {
    case CXCursor_BinaryOperator:
        op = operator_of(n, &at);
        if (equal(op, ",")) flow(n->child[1], to);
        else if (equal(op, "=")) arrow(memory_of(n->child[0]), to);
        else for (i = 0; i < 2; i++) flow(n->child[i], to);
        return;
    case CXCursor_ConditionalOperator:
        flow(n->child[1], to);
        flow(n->child[2], to);
        return;
    case CXCursor_ParenExpr:
    case CXCursor_UnexposedExpr:
        for (i = 0; i < n->n; i++) flow(n->child[i], to);
        return;
    case CXCursor_StmtExpr:
        if (value_in(n)) flow(value_in(n), to);
        return;
    case CXCursor_CStyleCastExpr:
        flow(n->child[n->n - 1], to);
        return;
    case CXCursor_UnaryOperator:
        if (strchr("+-", *operator_of(n, &at)) && strlen(operator_of(n, &at)) == 1)
            flow(n->child[0], to);
        else if (!starts(operator_of(n, &at), "__")) arrow(memory_of(n), to);
        else flow(n->child[0], to);
        return;
    case CXCursor_CallExpr:
        c = callee_of(n);
        if (c.own) arrow(cell(c.own->cursor, 1), to);
        else if (c.row >= 0 || c.external)
            for (i = 1; i < n->n; i++) {
                flow(n->child[i], to);
                if (c.external && is_pointer_to_reals(type_of(n->child[i])))
                    arrow(memory_of(n->child[i]), to);
            }
        return;
    default:
        arrow(memory_of(n), to);
    }
}

typedef struct fields { CXCursor *at; size_t n; } fields;
static enum CXVisitorResult add_field(CXCursor c, CXClientData data)
{
    fields *f = (fields *)data;
    GROW(f->at, f->n);
    f->at[f->n++] = c;
    return CXVisit_Continue;
}
static fields fields_of(CXType t)
{
    fields f = { NULL, 0 };
    clang_Type_visitFields(clang_getCanonicalType(t), add_field, &f);
    return f;
}

static int is_a_number(size_t m) { return m != NOWHERE; }
/* Some number in the struct, or in one that is in it, `is` so. */
static int has_field(CXType t, int (*is)(size_t))
{
    fields f;
    size_t i;
    int depth;
    t = innermost(t, &depth);
    if (t.kind != CXType_Record) return 0;
    f = fields_of(t);
    for (i = 0; i < f.n; i++) {
        const CXType of = clang_getCanonicalType(clang_getCursorType(f.at[i]));
        const function *const g = pointed_to(of);
        if (g && has_number(g, is)) return 1;
        if (is(cell(f.at[i], 0)) || (of.kind != CXType_Pointer && has_field(of, is))) return 1;
    }
    return 0;
}
/* The numbers of a struct, and of structs in it, are reached as others are: one memory, `to`. */
static size_t pool(CXType t, size_t to)
{
    fields f;
    size_t i;
    int depth;
    t = innermost(t, &depth);
    if (t.kind != CXType_Record) return to;
    f = fields_of(t);
    for (i = 0; i < f.n; i++) {
        const size_t m = cell(f.at[i], 0);
        const CXType of = clang_getCanonicalType(clang_getCursorType(f.at[i]));
        if (m == NOWHERE) {
            if (of.kind != CXType_Pointer) to = pool(of, to);
        } else if (to == NOWHERE) {
            to = m;
        } else {
            unify(m, to);
        }
    }
    return to;
}

/* The struct begins with one of the other type: it is reached through that. */
static int begins_with(CXType t, CXType with)
{
    const fields f = fields_of(t);
    CXType first;
    if (f.n == 0) return 0;
    first = clang_getCanonicalType(clang_getCursorType(f.at[0]));
    return first.kind == CXType_Record && (same_content(first, with) || begins_with(first, with));
}
static int are_related(CXType t, CXType u)
{
    return same_content(t, u) || begins_with(t, u) || begins_with(u, t);
}

/* Structs whose place is known without their type, and those that are made of such a pointer: where
   numbers are taken from behind it, or a struct that nobody put there, they may be any of it. */
static struct records { CXType *all; size_t n; } hidden, revealed;
static int untyped_read, bytes_read;           /* as numbers; as bytes, or words of their size */
static int untyped_written;                    /* memory of numbers went there */
static int untyped_structs;                    /* as structs that nobody put there */
static void conceal(const node *value, CXType to)
{
    int depth, d;
    const CXType from = innermost(type_of(value), &depth);
    to = innermost(to, &d);
    if (to.kind == CXType_Record && d && depth && is_untyped(from) && comes_from_untyped(value)
        && has_field(to, is_a_number) && !is_content(to)) {
        GROW(revealed.all, revealed.n);
        revealed.all[revealed.n++] = to;
    }
    if (from.kind == CXType_Void && depth && to.kind >= CXType_Bool && to.kind < CXType_Float && d
        && (clang_Type_getSizeOf(to) == 1 || clang_Type_getSizeOf(to) == 8)) bytes_read = 1;
    if (from.kind != CXType_Record || depth == 0
        || !(d == 0 ? to.kind >= CXType_Bool && to.kind < CXType_Float : is_untyped(to))) return;
    GROW(hidden.all, hidden.n);
    hidden.all[hidden.n++] = from;
}
/* Structs that nobody put where they are taken from: it is what was put there, of another type. */
static void pool_untyped(void)
{
    size_t i, k;
    for (i = 0; i < revealed.n; i++) {
        for (k = 0; k < hidden.n && !are_related(hidden.all[k], revealed.all[i]);) k++;
        if (k < hidden.n || !(untyped_read || untyped_written || hidden.n)) continue;
        untyped_structs = 1;
        unify(pool(revealed.all[i], NOWHERE), untyped);
    }
    for (i = 0; (untyped_read || untyped_structs) && i < hidden.n; i++)
        unify(pool(hidden.all[i], NOWHERE), untyped);
}
/* A cast makes numbers of a struct, a struct of numbers, or of another struct: what is in the one
   is what is in the other. */
static void share_content(const node *value, CXType to)
{
    int depth, d;
    const CXType from = innermost(type_of(value), &depth);
    const int numbers = is_pointer_to_reals(to);
    to = innermost(to, &d);
    if (d == 0) return;
    if (from.kind == CXType_Record && numbers) {
        unify(pool(from, NOWHERE), untyped);
    } else if (to.kind == CXType_Record && is_pointer_to_reals(type_of(value))) {
        unify(memory_of(value), untyped);
        unify(pool(to, NOWHERE), untyped);
    } else if (from.kind == CXType_Record && to.kind == CXType_Record && !are_related(from, to)) {
        unify(pool(from, NOWHERE), pool(to, NOWHERE));
    }
}
/* It is of a type that none of the structs has that went there; one that did carries
   derivatives. */
static int is_disguised(const node *value, CXType to)
{
    size_t i;
    int depth, d, varied = 0;
    const CXType from = innermost(type_of(value), &depth);
    to = innermost(to, &d);
    if (to.kind != CXType_Record || depth == 0 || !is_untyped(from)) return 0;
    if (!comes_from_untyped(value)) return 0;                              /* new memory */
    for (i = 0; i < hidden.n; i++) {
        if (same_content(hidden.all[i], to)) return 0;
        varied |= has_field(hidden.all[i], is_varied);
    }
    return varied && has_field(to, is_a_number);
}
/* The same without a cast: compilers warn of it, and do it. */
static int is_another(const node *value, CXType to)
{
    int depth, d;
    const CXType from = innermost(type_of(value), &depth);
    const int numbers = is_pointer_to_reals(to);
    to = innermost(to, &d);
    if (d == 0 || depth == 0 || value->kind == CXCursor_InitListExpr) return 0;
    if (from.kind == CXType_Record && (numbers || to.kind == CXType_Record))
        return !(to.kind == CXType_Record && are_related(from, to)) && has_field(from, is_varied);
    return to.kind == CXType_Record && is_pointer_to_reals(type_of(value))
           && is_varied(memory_of(value));
}
static void leads_to(const node *value, size_t to)
{
    value = bare(value);
    if (value->kind == CXCursor_ConditionalOperator) {
        leads_to(value->child[1], to);
        leads_to(value->child[2], to);
    } else if (is_pointer_to_reals(type_of(value))) {
        lead(memory_of(value), to);
    } else if (comes_from_untyped(value)) {
        lead(untyped, to);
    }
}
/* A value goes where `to` is: a number by an arrow, a pointer by sharing. */
static void moves(const node *value, CXType type, size_t to)
{
    if (!is_scalar_real(type)) leads_to(value, real_type(type, NULL) ? to : untyped);
    conceal(value, type);
    share_content(value, type);
    if (!is_scalar_real(type) && real_type(type, NULL) && comes_from_untyped(value))
        untyped_read = 1;
    if (is_scalar_real(type)) flow(value, to);
    else if (real_type(type, NULL))
        unify(comes_from_untyped(value) ? untyped : memory_of(value), to);
    else if (is_pointer_to_reals(type_of(value))) {
        unify(memory_of(value), untyped);
        untyped_written = 1;
    }
}

/* Nothing but numbers of one kind is in it: a union of such is memory like any other. */
static int is_pure(CXType t, enum CXTypeKind *kind)
{
    fields f;
    size_t i;
    t = clang_getCanonicalType(t);
    if (t.kind == CXType_ConstantArray) return is_pure(clang_getArrayElementType(t), kind);
    if (t.kind != CXType_Record) {
        if (*kind == CXType_Invalid) *kind = t.kind;
        return t.kind == *kind && is_scalar_real(t);
    }
    f = fields_of(t);
    for (i = 0; i < f.n; i++) if (!is_pure(clang_getCursorType(f.at[i]), kind)) return 0;
    return f.n > 0;
}

/* What an initialiser's element i initialises: its type, and its memory if it is a number's. */
typedef struct spot { CXType type; size_t to; } spot;
static spot spot_in(CXCursor field)
{
    spot s;
    s.type = clang_getCanonicalType(clang_getCursorType(field));
    s.to = cell(field, 0);
    return s;
}
static spot element_of(spot s)
{
    s.type = clang_getCanonicalType(clang_getArrayElementType(s.type));
    return s;
}
/* .a = value, [2] = value, a: value. What leads into an unnamed struct has no text of its own. */
static int is_designated(const node *e)
{
    return e->kind == CXCursor_UnexposedExpr && e->n > 1
           && (e->child[0]->kind == CXCursor_MemberRef || strchr(".[", code.s[e->start]));
}
static const node *designated(const node *e) { return is_designated(e) ? e->child[e->n - 1] : e; }
/* Which field element i of the list is for: the one after that of the element before it. */
static size_t field_at(const node *list, size_t i, const fields *f)
{
    size_t at = 0, k, j;
    for (k = 0; k < i; k++, at++) {
        const node *const e = list->child[k];
        if (!is_designated(e) || e->child[0]->kind != CXCursor_MemberRef) continue;
        for (j = 0; j < f->n; j++)
            if (clang_equalCursors(f->at[j], clang_getCursorReferenced(e->child[0]->cursor)))
                at = j;
    }
    return at;
}
static spot spot_of(const node *list, CXType type, size_t to, size_t i, const node **value)
{
    spot s;
    const node *e = list->child[i];
    size_t k;
    s.to = to;
    s.type = clang_getCanonicalType(type);
    *value = designated(e);
    if (is_designated(e)) {                                   /* .a[2].b = value */
        for (k = 0; k + 1 < e->n; k++)
            if (e->child[k]->kind == CXCursor_MemberRef)
                s = spot_in(clang_getCursorReferenced(e->child[k]->cursor));
            else if (k == 0 || e->child[k - 1]->kind == CXCursor_MemberRef   /* or [1 ... 3] */
                     || !strstr(cut(e->child[k - 1]->end, e->child[k]->start), "..."))
                s = element_of(s);
        return s;
    }
    if (s.type.kind == CXType_Record) {
        const fields f = fields_of(s.type);
        const size_t at = field_at(list, i, &f);
        return at < f.n ? spot_in(f.at[at]) : s;
    }
    return element_of(s);
}
/* double m[2][2] = { 1, 2, 3, 4 }: numbers stand where braces could. What is initialised are then
   the numbers that are in the type, in their order. */
static int is_aggregate(CXType t)
{
    t = clang_getCanonicalType(t);
    return t.kind == CXType_Record || t.kind == CXType_ConstantArray
           || t.kind == CXType_IncompleteArray || t.kind == CXType_VariableArray;
}
static int is_union(CXType t)
{
    return clang_getCursorKind(clang_getTypeDeclaration(clang_getCanonicalType(t)))
           == CXCursor_UnionDecl;
}
static size_t leaves(CXType t)
{
    size_t i, n = 0;
    t = clang_getCanonicalType(t);
    if (t.kind == CXType_Record) {
        const fields f = fields_of(t);
        for (i = 0; i < f.n && (i == 0 || !is_union(t)); i++)
            n += leaves(clang_getCursorType(f.at[i]));
        return n ? n : 1;
    }
    if (t.kind == CXType_ConstantArray)
        return (size_t)clang_getArraySize(t)*leaves(clang_getArrayElementType(t));
    return 1;
}
/* Number k of a type; *opens and *closes: of how many arrays and structs in it it is the first, and
   the last. */
static spot leaf(CXType t, size_t to, size_t k, int *opens, int *closes)
{
    spot s;
    size_t i, n;
    int inner_opens = 0, inner_closes = 0;
    t = clang_getCanonicalType(t);
    s.type = t;
    s.to = to;
    *opens = *closes = 0;
    if (!is_aggregate(t)) return s;
    if (t.kind == CXType_Record) {
        const fields f = fields_of(t);
        for (i = 0; i + 1 < f.n && k >= (n = leaves(clang_getCursorType(f.at[i]))); i++) k -= n;
        if (f.n == 0) return s;
        s.type = clang_getCursorType(f.at[i]);
        s.to = cell(f.at[i], 0);
    } else {
        s.type = clang_getArrayElementType(t);
    }
    n = leaves(s.type);
    k %= n ? n : 1;
    if (!is_aggregate(s.type)) return s;
    s = leaf(s.type, s.to, k, &inner_opens, &inner_closes);
    *opens = k == 0 ? inner_opens + 1 : inner_opens;
    *closes = k + 1 == n ? inner_closes + 1 : inner_closes;
    return s;
}
/* 0: each element is what its place says; 1: all are numbers, of leaves; -1: some of both, or what
   stands behind .a.b = value: in a, if that goes on. */
static int lacks_braces(const node *list, CXType type, size_t to)
{
    size_t i, numbers = 0, lacking = 0;
    for (i = 0; i < list->n; i++) {
        const node *element;
        if (i && list->child[i - 1]->n > 2 && is_designated(list->child[i - 1])
            && !is_designated(list->child[i])) return -1;
        const spot s = spot_of(list, type, to, i, &element);
        const int number = element == list->child[i] && element->kind != CXCursor_InitListExpr
                           && !is_aggregate(type_of(element));
        numbers += (size_t)number;
        lacking += number && is_aggregate(s.type);
    }
    return lacking == 0 ? 0 : numbers == list->n ? 1 : -1;
}
static void initialise(const node *value, CXType type, size_t to)
{
    size_t i;
    int flat, ends;
    if (value->kind != CXCursor_InitListExpr) {
        moves(value, type, to);
        return;
    }
    if (is_scalar_real(type)) {                                     /* double a = { b } */
        if (value->n == 1) initialise(value->child[0], type, to);
        return;
    }
    flat = lacks_braces(value, type, to);
    for (i = 0; i < value->n; i++) {
        const node *element = value->child[i];
        const spot s = flat > 0 ? leaf(type, to, i, &ends, &ends)
                                : spot_of(value, type, to, i, &element);
        initialise(element, s.type, s.to);
    }
}
static const node *initialiser_of(const node *n)
{
    const CXCursor c = clang_Cursor_getVarDeclInitializer(n->cursor);
    size_t i;
    if (clang_Cursor_isNull(c)) return NULL;
    for (i = n->n; i-- > 0;)
        if (n->child[i]->start == start_of(c)) return n->child[i];
    return NULL;
}

/* The call that a cast's value is an argument of, or NULL. */
static const node *call_of(const node *n)
{
    const node *to = n->parent;
    while (to && to->kind == CXCursor_ParenExpr) to = to->parent;
    return to && to->kind == CXCursor_CallExpr && to->n
           && clang_getCanonicalType(type_of(n)).kind == CXType_Pointer ? to : NULL;
}
/* A pointer, which does not say to what, is compared there, printed, or leads to an integer of
   another size than numbers have, as an error's: not to what it is made of. */
static int is_only_checked(const node *n, CXCursor pointer)
{
    size_t i, at;
    int depth;
    if (n->kind == CXCursor_DeclRefExpr
        && clang_equalCursors(clang_getCursorReferenced(n->cursor), pointer)) {
        const node *use = n->parent;
        while (use && use->kind == CXCursor_ParenExpr) use = use->parent;
        if (use == NULL) return 0;
        if (use->kind == CXCursor_BinaryOperator)
            return !strchr(",+-=", *operator_of(use, &at)) || operator_of(use, &at)[1] == '=';
        if (use->kind == CXCursor_UnaryOperator) return *operator_of(use, &at) == '!';
        if (use->kind == CXCursor_CStyleCastExpr) {
            const CXType t = innermost(type_of(use), &depth);
            return depth == 1 && t.kind >= CXType_Bool && t.kind < CXType_Float
                   && clang_Type_getSizeOf(t) != 1 && clang_Type_getSizeOf(t) != 8;
        }
        if (use->kind == CXCursor_CallExpr && use->n) {
            const callee c = callee_of(use);
            return c.name && !c.own && among(c.name, without);
        }
        return use->kind == CXCursor_IfStmt;
    }
    for (i = 0; i < n->n; i++)
        if (!is_only_checked(n->child[i], pointer)) return 0;
    return 1;
}
/* (char *)p for memcpy, memset, free, (void *)p for printf: nobody there reads numbers. Nor does
   int check(void *p, const char *what). */
static int is_moved(const node *n)
{
    const node *const to = call_of(n);
    const callee c = callee_of(to);
    int depth;
    size_t i;
    if (c.own && clang_getCanonicalType(clang_getPointeeType(clang_getCanonicalType(type_of(n))))
                 .kind == CXType_Void)
        for (i = 1; i < to->n && (int)i <= clang_Cursor_getNumArguments(c.own->cursor); i++)
            if (to->child[i]->start <= n->start && to->child[i]->end >= n->end)
                return is_only_checked(c.own->tree, clang_Cursor_getArgument(c.own->cursor,
                                                                             (unsigned)i - 1));
    return c.name && (among(c.name, copying) || among(c.name, owning)
        || (innermost(type_of(n), &depth).kind == CXType_Void && among(c.name, without)));
}
/* Or (void *)p for a function of the file, where none turns such a pointer into one to numbers, or
   to bytes. */
static int is_argument(const node *n)
{
    int depth;
    return call_of(n) && (is_moved(n)
        || (!untyped_read && !bytes_read && !untyped_structs
            && innermost(type_of(n), &depth).kind == CXType_Void
            && depth == 1 && callee_of(call_of(n)).own));
}

/* p in (void *)p and (char *)p. */
static const node *plain_pointer(const node *n)
{
    int depth;
    while (n->n && (n->kind == CXCursor_ParenExpr
                    || (n->kind == CXCursor_CStyleCastExpr && !real_type(type_of(n), &depth)
                        && innermost(type_of(n), &depth).kind != CXType_Record)))
        n = n->child[n->n - 1];
    return n;
}
/* memcpy(a, b, ...): structs of two types, or a struct and numbers, share what is in them. */
static void copies(const node *a, const node *b)
{
    int depth;
    const CXType t = innermost(type_of(a), &depth), u = innermost(type_of(b), &depth);
    if (same_content(t, u)) {
        unify(memory_of(a), memory_of(b));
    } else if (t.kind == CXType_Record || u.kind == CXType_Record) {
        const size_t m = t.kind == CXType_Record ? pool(t, NOWHERE) : memory_of(a),
            k = u.kind == CXType_Record ? pool(u, NOWHERE) : memory_of(b);
        unify(m == NOWHERE ? untyped : m, k == NOWHERE ? untyped : k);
    } else {
        const size_t m = memory_of(a), k = memory_of(b);
        if (m == NOWHERE || k == NOWHERE) untyped_read = 1;
        unify(m == NOWHERE ? untyped : m, k == NOWHERE ? untyped : k);
    }
}
/* The union that the field is in, maybe in a struct without a name; else an invalid type. */
static CXType union_around(CXCursor field)
{
    CXCursor c = field;
    CXType none;
    memset(&none, 0, sizeof none);
    none.kind = CXType_Invalid;
    if (clang_Cursor_isNull(field) || clang_getCursorKind(field) != CXCursor_FieldDecl) return none;
    for (;;) {
        c = clang_getCursorSemanticParent(c);
        if (clang_getCursorKind(c) == CXCursor_UnionDecl) return clang_getCursorType(c);
        if (clang_getCursorKind(c) != CXCursor_StructDecl) return none;
    }
}

/* What decides whether it is done, or done again; of for (;;) what is between the two, or NULL. */
static const node *condition_of(const node *n)
{
    size_t i;
    switch ((int)n->kind) {
    case CXCursor_IfStmt:
    case CXCursor_WhileStmt:
    case CXCursor_ConditionalOperator: return n->child[0];
    case CXCursor_DoStmt: return n->child[1];
    case CXCursor_ForStmt:
        for (i = 0; i + 1 < n->n; i++) {
            size_t end = n->child[i]->end;
            skip_blanks(&end);
            if (code.s[end] == ';' && strchr(cut(n->start, n->child[i]->start), ';'))
                return n->child[i];
        }
        return NULL;
    default: return NULL;
    }
}

/* Places of fields, as in &s.x: where a pointer that steps gets them, it reaches the fields beside
   them, and they are one memory. */
static struct place { size_t at; CXType outer; size_t field; } *places;
static size_t place_count;
static void take_place(const node *n)
{
    const node *e = bare(n->child[0]);
    CXType outer;
    int depth;
    if (e->kind != CXCursor_MemberRefExpr || !is_scalar_real(type_of(e))) return;
    GROW(places, place_count);
    places[place_count].at = n->start;
    places[place_count].field = memory_of(e);
    for (outer = type_of(e); e->n; e = e->child[0]) {
        const int member = e->kind == CXCursor_MemberRefExpr;
        const CXType t = clang_getCanonicalType(type_of(e->child[0]));
        if (!member && e->kind != CXCursor_ArraySubscriptExpr && e->kind != CXCursor_ParenExpr)
            break;
        if (member) outer = innermost(t, &depth);
        if (t.kind == CXType_Pointer) break;
    }
    places[place_count++].outer = outer;
}
static void follow_steps(void)
{
    size_t i;
    int again = 1;
    while (again)
        for (again = 0, i = 0; i < lead_count; i++)
            if (cells[leads[i].to].stepped && !cells[leads[i].from].stepped)
                cells[leads[i].from].stepped = again = 1;
    for (i = 0; i < place_count; i++)
        if (places[i].field != NOWHERE && cells[places[i].field].stepped)
            pool(places[i].outer, places[i].field);
}

static int is_one(const node *n);

static function *enclosing;
static size_t decided = NOWHERE;   /* what comparisons decide about: recorded, they must see their
                                      operands */
static void connect(const node *n)
{
    size_t i, at;
    callee c;
    if (recording && condition_of(n)) flow(condition_of(n), decided);
    switch ((int)n->kind) {
    case CXCursor_VarDecl:
        if (initialiser_of(n)) initialise(initialiser_of(n), type_of(n), cell(n->cursor, 0));
        if (n->parent && n->parent->parent && n->parent->parent->kind == CXCursor_ForStmt
            && n->parent->kind == CXCursor_DeclStmt) {
            const size_t m = cell(n->cursor, 0);
            if (m != NOWHERE) cells[m].tied = 1;
        }
        break;
    case CXCursor_ArraySubscriptExpr:
        if (!equal(cut(n->child[1]->start, n->child[1]->end), "0")) step(memory_of(n));
        break;
    case CXCursor_BinaryOperator:
        if (is_pointer_to_reals(type_of(n)) && strchr("+-", *operator_of(n, &at)))
            step(memory_of(n));
        if (equal(operator_of(n, &at), "="))
            moves(n->child[1], type_of(n->child[0]), memory_of(n->child[0]));
        else if (recording && !is_scalar_real(type_of(n)))
            for (i = 0; i < 2; i++) flow(n->child[i], decided);
        break;
    case CXCursor_CompoundLiteralExpr:
        for (i = 0; i < n->n; i++)
            if (n->child[i]->kind == CXCursor_InitListExpr)
                initialise(n->child[i], type_of(n), literal_cell(n));
        break;
    case CXCursor_UnaryOperator:
        if (equal(operator_of(n, &at), "&")) take_place(n);
        if (is_pointer_to_reals(type_of(n)) && strchr("+-", *operator_of(n, &at)))
            step(memory_of(n));
        if (recording && equal(operator_of(n, &at), "!")) flow(n->child[0], decided);
        break;
    case CXCursor_ConditionalOperator:
        if (!is_scalar_real(type_of(n))) unify(memory_of(n->child[1]), memory_of(n->child[2]));
        break;
    case CXCursor_CompoundAssignOperator:
        if (is_scalar_real(type_of(n->child[0]))) flow(n->child[1], memory_of(n->child[0]));
        else if (is_pointer_to_reals(type_of(n))) step(memory_of(n));
        break;
    case CXCursor_MemberRefExpr: {
        const CXType t = union_around(clang_getCursorReferenced(n->cursor));
        enum CXTypeKind kind = CXType_Invalid;
        if (t.kind != CXType_Invalid && is_pure(t, &kind)) pool(t, NOWHERE);
        break;
    }
    case CXCursor_CStyleCastExpr: {
        const node *const value = n->child[n->n - 1];
        const int moved = call_of(n) && is_moved(n);
        if (!moved) conceal(value, type_of(n));
        share_content(value, type_of(n));
        if (is_pointer_to_reals(type_of(n)) && comes_from_untyped(value)) untyped_read = 1;
        if (!real_type(type_of(n), NULL) && is_pointer_to_reals(type_of(value))
            && clang_getCanonicalType(type_of(n)).kind != CXType_Void && !moved) {
            leads_to(value, untyped);
            unify(memory_of(value), untyped);
            untyped_written = 1;
        }
        break;
    }
    case CXCursor_ReturnStmt:
        if (n->n) moves(n->child[0], clang_getCursorResultType(enclosing->cursor),
                        cell(enclosing->cursor, 1));
        break;
    case CXCursor_CallExpr:
        if (n->n == 0) break;
        c = callee_of(n);
        if (c.own) {
            const int parameters = clang_Cursor_getNumArguments(c.own->cursor);
            for (i = 1; i < n->n && (int)i <= parameters; i++) {
                const CXCursor p = clang_Cursor_getArgument(c.own->cursor, (unsigned)i - 1);
                if (!allocates(&c)) moves(n->child[i], clang_getCursorType(p), cell(p, 0));
            }
        } else if (c.external) {                         /* arrays are those of all its calls */
            for (i = 1; i < n->n; i++) {
                const CXCursor p = clang_Cursor_getArgument(c.external->cursor, (unsigned)i - 1);
                if (!clang_Cursor_isNull(p) && is_pointer_to_reals(clang_getCursorType(p))) {
                    moves(n->child[i], clang_getCursorType(p), cell(p, 0));
                    step(cell(p, 0));
                }
            }
        }
        if (c.name && (among(c.name, copying) || equal(c.name, "memset"))
            && !(n->n > 3 && is_one(bare(n->child[3]))))
            for (i = 1; i < n->n && i < 3; i++) step(memory_of(plain_pointer(n->child[i])));
        if (c.name && among(c.name, copying) && n->n > 2) {
            copies(plain_pointer(n->child[1]), plain_pointer(n->child[2]));
        }
        break;
    default: break;
    }
    for (i = 0; i < n->n; i++) connect(n->child[i]);
}

/* Marks along the arrows until nothing changes. */
static void spread(void)
{
    int changed = 1;
    size_t i;
    while (changed) {
        changed = 0;
        for (i = 0; i < arrow_count; i++) {
            memory *const from = &cells[root(arrows[i].from)],
                *const to = &cells[root(arrows[i].to)];
            if (from->varied && !to->varied) changed = to->varied = 1;
            if (to->useful && !from->useful) changed = from->useful = 1;
        }
    }
}

/* ---- changes: what is to be removed and put in, in the order of the text */
typedef struct change { size_t at, remove; char *insert; } change;
typedef struct changes { change *all; size_t n; } changes;
static changes *edits;
/* functions that *p++ += x, y = x++, (float)x, (int)x, lround(x), isnan(x) and so on call */
enum { STEP, POST, NARROW, WHOLE, NEAREST, ISNAN, ISINF, ISFINITE, SIGNBIT, ISNORMAL, FPCLASSIFY,
       ILOGB, ISUNORDERED, ISLESSGREATER, FMIN, FMAX, HELPERS };
static int helpers[HELPERS];       /* wanted */
static int narrowed[sizeof mathematics/sizeof *mathematics];   /* sinf and its like, wanted */

static void edit(size_t at, size_t remove, char *insert)
{
    GROW(edits->all, edits->n);
    edits->all[edits->n].at = at;
    edits->all[edits->n].remove = remove;
    edits->all[edits->n++].insert = insert;
}
static void insert(size_t at, const char *s) { edit(at, 0, say("%s", s)); }

/* The text from start to end with the changes that lie in it. At one place what came first stands
   first: openings from the outside in, closings from the inside out. */
static void sort_changes(changes *c)           /* stable: insertion, nearly in order already */
{
    size_t i, j;
    for (i = 1; i < c->n; i++) {
        const change e = c->all[i];
        for (j = i; j > 0 && c->all[j - 1].at > e.at; j--) c->all[j] = c->all[j - 1];
        c->all[j] = e;
    }
}
static size_t first_change(const changes *c, size_t at)      /* of those from `at` on */
{
    size_t low = 0, high = c->n;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (c->all[middle].at < at) low = middle + 1;
        else high = middle;
    }
    return low;
}
/* Words stay apart where parentheses between them go, or a call takes the place of an operator; but
   a suffix, which begins with '_', makes a name longer. */
static void put_apart(text *t, const char *s, size_t n)
{
    if (n && t->n && is_name(t->s[t->n - 1]) && is_name(*s)) put(t, " ", 1);
    put(t, s, n);
}
static void put_change(text *t, const char *s)
{
    if (*s == '_') put(t, s, strlen(s));
    else put_apart(t, s, strlen(s));
}
static void apply(text *t, const changes *c, size_t start, size_t end)
{
    size_t i;
    for (i = first_change(c, start); i < c->n && c->all[i].at <= end; i++) {
        const change *const e = &c->all[i];
        if (e->at < start || (e->at == end && e->remove)) continue;
        if (e->at > start) put_apart(t, code.s + start, e->at - start);
        put_change(t, e->insert);
        if (e->at + e->remove > start) start = e->at + e->remove;
    }
    if (end > start) put_apart(t, code.s + start, end - start);
}

/* What an expression becomes: as its memory is; a number of type T; a plain number. */
enum { AS_IT_IS, ACTIVE, PLAIN };
static void rewrite(const node *n, int want);

/* The expression's value is made of memory that `is` so: it carries derivatives, or depends on an
   input, though what becomes of it may be no number that an output depends on. */
static int depends(const node *n, int (*is)(size_t))
{
    callee c;
    size_t i, at;
    const char *op;
    if (!is_scalar_real(type_of(n))) return 0;
    switch ((int)n->kind) {
    case CXCursor_BinaryOperator:
        op = operator_of(n, &at);
        if (equal(op, "=")) return is(memory_of(n->child[0]));
        if (equal(op, ",")) return depends(n->child[1], is);
        return depends(n->child[0], is) || depends(n->child[1], is);
    case CXCursor_ConditionalOperator:
        return depends(n->child[1], is) || depends(n->child[2], is);
    case CXCursor_ParenExpr:
    case CXCursor_UnexposedExpr:
        for (i = 0; i < n->n; i++)
            if (depends(n->child[i], is)) return 1;
        return 0;
    case CXCursor_StmtExpr:
        return value_in(n) && depends(value_in(n), is);
    case CXCursor_CStyleCastExpr:
        return depends(n->child[n->n - 1], is);
    case CXCursor_UnaryOperator:
        op = operator_of(n, &at);
        return equal(op, "-") || equal(op, "+") || starts(op, "__") ? depends(n->child[0], is)
                                                                     : is(memory_of(n));
    case CXCursor_CallExpr:
        if (n->n == 0) return 0;
        c = callee_of(n);
        if (c.own) return is(cell(c.own->cursor, 1));
        if (c.row >= 0 || c.external)
            for (i = 1; i < n->n; i++)
                if (depends(n->child[i], is)
                    || (c.external && is_pointer_to_reals(type_of(n->child[i]))
                        && is(memory_of(n->child[i])))) return 1;
        return 0;
    default:
        return is(memory_of(n));
    }
}
static int carries(const node *n) { return depends(n, is_active); }
static int varies(const node *n)  { return depends(n, is_varied); }

static char *text_of(const node *n, int want)  /* n as it will be, beside the changes in progress */
{
    changes own = { NULL, 0 }, *const outer = edits;
    text t = { NULL, 0, 0 };
    edits = &own;
    rewrite(n, want);
    edits = outer;
    sort_changes(&own);
    put(&t, "", 0);
    apply(&t, &own, n->start, n->end);
    return t.s;
}

static int has_effects(const node *n)          /* evaluated twice it would do something else */
{
    size_t i, at;
    if (n->kind == CXCursor_CallExpr || n->kind == CXCursor_CompoundAssignOperator) return 1;
    if (n->kind == CXCursor_BinaryOperator && equal(operator_of(n, &at), "=")) return 1;
    if (n->kind == CXCursor_UnaryOperator && strlen(operator_of(n, &at)) == 2
        && strchr("+-", *operator_of(n, &at))) return 1;
    for (i = 0; i < n->n; i++)
        if (has_effects(n->child[i])) return 1;
    return 0;
}

/* Memory that a call leaves: a variable of the function's own, and what is in it. */
static int is_local(const node *n)
{
    CXCursor r;
    n = bare(n);
    if (n->kind == CXCursor_ArraySubscriptExpr || n->kind == CXCursor_MemberRefExpr)
        return n->n && clang_getCanonicalType(type_of(n->child[0])).kind != CXType_Pointer
               && is_local(n->child[0]);
    if (n->kind != CXCursor_DeclRefExpr) return 0;
    r = clang_getCursorReferenced(n->cursor);
    return clang_getCursorKind(r) == CXCursor_ParmDecl
           || (clang_getCursorLinkage(r) == CXLinkage_NoLinkage
               && clang_Cursor_getStorageClass(r) != CX_SC_Static);
}
/* What it does is seen by others: it changes memory that is not its own, or calls what does. */
static int acts(const node *n)
{
    static const char *const all[] = { "rand", "random", "drand48", "getchar", "fgetc", NULL };
    size_t i, at;
    if (n->kind == CXCursor_CallExpr && n->n) {
        const callee c = callee_of(n);
        if (c.own ? c.own->acts : c.name && among(c.name, all)) return 1;
    }
    if ((n->kind == CXCursor_CompoundAssignOperator
         || (n->kind == CXCursor_BinaryOperator && equal(operator_of(n, &at), "="))
         || (n->kind == CXCursor_UnaryOperator && strlen(operator_of(n, &at)) == 2
             && strchr("+-", *operator_of(n, &at)))) && !is_local(n->child[0])) return 1;
    for (i = 0; i < n->n; i++)
        if (acts(n->child[i])) return 1;
    return 0;
}
/* The first use of a variable, in the order of the text; with `seen`, a byte for each function that
   was gone into, in that of the course, calls included. */
static const node *first_met(const node *n, CXCursor of, unsigned char *seen)
{
    const node *found = NULL;
    const function *f = NULL;
    size_t i;
    if (n->kind == CXCursor_DeclRefExpr && clang_equalCursors(
            clang_getCanonicalCursor(clang_getCursorReferenced(n->cursor)),
            clang_getCanonicalCursor(of))) return n;
    if (n->kind == CXCursor_BinaryOperator && equal(operator_of(n, &i), "="))   /* b, then a */
        return (found = first_met(n->child[1], of, seen)) != NULL ? found
            : first_met(n->child[0], of, seen);
    for (i = 0; i < n->n && !found; i++) found = first_met(n->child[i], of, seen);
    if (seen && !found && n->kind == CXCursor_CallExpr && n->n) f = callee_of(n).own;
    if (f && f->tree && !seen[f - functions]) {
        seen[f - functions] = 1;
        found = first_met(f->tree, of, seen);
    }
    return found;
}
static const node *first_use(const node *n, CXCursor of) { return first_met(n, of, NULL); }
/* What a call changes by its place, as in f(&i)*i. */
static int changes_of(const node *a, const node *b)
{
    size_t i, at;
    if (a->kind == CXCursor_UnaryOperator && equal(operator_of(a, &at), "&")
        && bare(a->child[0])->kind == CXCursor_DeclRefExpr
        && first_use(b, clang_getCursorReferenced(bare(a->child[0])->cursor))) return 1;
    for (i = 0; i < a->n; i++)
        if (changes_of(a->child[i], b)) return 1;
    return 0;
}
/* The sides of an operator do something else in the other order, which C leaves open. */
static int has_order(const node *a, const node *b)
{
    return acts(a) ? acts(b) || changes_of(a, b) : acts(b) && changes_of(b, a);
}
static void find_acts(void)
{
    size_t i;
    int again = 1;
    while (again)
        for (again = 0, i = 0; i < function_count; i++)
            if (!functions[i].acts && acts(functions[i].tree)) functions[i].acts = again = 1;
}

/* It becomes a call, which needs no parentheses around it. */
static int becomes_call(const node *n)
{
    size_t at;
    const char *op;
    if (n->kind != CXCursor_BinaryOperator && n->kind != CXCursor_UnaryOperator) return 0;
    op = operator_of(n, &at);
    return carries(n) && strlen(op) == 1
           && (n->kind == CXCursor_UnaryOperator ? *op == '-' : strchr("+-*/", *op) != NULL);
}
static const node *open_parentheses(const node *n)
{
    const node *inner = bare(n);
    if (!becomes_call(inner)) return n;
    for (; n != inner; n = n->child[0]) edit(n->start, 1, say("%s", ""));
    return inner;
}
static void close_parentheses(const node *outer, const node *inner)
{
    const node *n;
    for (n = inner; n != outer; n = n->parent) edit(n->parent->end - 1, 1, say("%s", ""));
}
static void argument(const node *n, int want)
{
    const node *const inner = open_parentheses(n);
    rewrite(inner, want);
    close_parentheses(n, inner);
}

/* a * b -> T_mul(a, b): `open` goes before, the operator becomes a comma. */
static void call_binary(const node *n, const char *open, const char *op, const char *close)
{
    const int a = carries(n->child[0]), b = carries(n->child[1]);
    size_t at;
    const size_t length = strlen(operator_of(n, &at)), before = n->child[0]->end;
    if (has_order(n->child[0], n->child[1]))
        warn(n->start, "'%s': C does not say which side is first, and one changes what the other "
             "sees", cut(n->start, n->end));
    edit(n->start, 0, say("%s%s_%s%s(", open, T, op, a && b ? "" : a ? "_r" : "_from_r"));
    argument(n->child[0], AS_IT_IS);
    insert(before, ",");
    if (at > before && isspace((unsigned char)code.s[at - 1]) && code.s[at + length] == ' ')
        edit(at, length + 1, say("%s", ""));
    else
        edit(at, length, say("%s", at == before && code.s[at + length] != ' ' ? " " : ""));
    argument(n->child[1], AS_IT_IS);
    edit(n->end, 0, say(")%s", close));
}

static const char *arithmetic(const char *op)
{
    return *op == '+' ? "add" : *op == '-' ? "sub" : *op == '*' ? "mul" : *op == '/' ? "div" : NULL;
}
static const char *comparison(const char *op)
{
    static const char *const table[][2] = { { "<", "lt" }, { "<=", "le" }, { ">", "gt" },
                                            { ">=", "ge" }, { "==", "eq" }, { "!=", "ne" } };
    size_t i;
    for (i = 0; i < 6; i++)
        if (equal(op, table[i][0])) return table[i][1];
    return NULL;
}

static const char *branch(void) { return single ? "adf_branch" : "ad_branch"; }
/* A condition: if (x), !x, x && y. */
static void truth(const node *n)
{
    size_t at;
    if (n->kind == CXCursor_BinaryOperator && equal(operator_of(n, &at), ",")) {
        rewrite(n->child[0], AS_IT_IS);
        truth(n->child[1]);
    } else if (!carries(n)) rewrite(n, AS_IT_IS);
    else if (recording) {
        edit(n->start, 0, say("%s(%s_ne_r(", branch(), T));
        argument(n, AS_IT_IS);
        insert(n->end, ", 0))");
    } else {
        rewrite(n, PLAIN);
    }
}

static int any_varies(const node *list)
{
    size_t i;
    for (i = 0; i < list->n; i++)
        if (varies(list->child[i])) return 1;
    return 0;
}

static void loses(const node *n, const char *how)
{
    if (varies(n)) warn(n->start, "'%s' loses its derivative: %s", cut(n->start, n->end), how);
}
/* What becomes an integer is recorded as a decision: which one, by the helper of that number. */
static const node *counted;
static int counting;
static void counts(const node *n, int by)
{
    counted = recording && varies(n) ? n : NULL;
    counting = by;
}
/* An integer may be meant, as of a place in a table; another kind of number is not. */
static void loses_to(const node *n, CXType t, const char *what)
{
    const enum CXTypeKind kind = clang_getCanonicalType(t).kind;
    if (!varies(n)) return;
    if ((kind >= CXType_Bool && kind < CXType_Float) || kind == CXType_Enum)
        loses(n, say("%s is an integer", what)), counts(n, kind == CXType_Bool ? STEP : WHOLE);
    else if (kind == CXType_Complex)
        refuse(n->start, "'%s' becomes complex: no derivative is carried", cut(n->start, n->end));
    else
        refuse(n->start, "'%s' loses its derivative: %s is a '%s'", cut(n->start, n->end), what,
               string_of(clang_getTypeSpelling(t)));
}
/* Where a number goes, such as an element of __attribute__((vector_size(16))), is followed? */
static void must_be_followed(const node *n, const node *to)
{
    if (is_scalar_real(type_of(to)) && memory_of(to) == NOWHERE && varies(n))
        refuse(to->start, "'%s' gets '%s', which carries derivatives, and is not followed",
               cut(to->start, to->end), cut(n->start, n->end));
}

/* Complex numbers and vectors are not followed: numbers that carry derivatives must not come there
   through a pointer of another type. */
static int has_unfollowed(CXType t)
{
    fields f;
    size_t i;
    int depth;
    t = innermost(t, &depth);
    if (t.kind == CXType_Complex || t.kind == CXType_Vector || t.kind == CXType_ExtVector) return 1;
    if (t.kind != CXType_Record) return 0;
    f = fields_of(t);
    for (i = 0; i < f.n; i++) {
        const CXType of = clang_getCanonicalType(clang_getCursorType(f.at[i]));
        if (of.kind != CXType_Pointer && has_unfollowed(of)) return 1;
    }
    return 0;
}
static int becomes_numbers(const node *n, CXType to)
{
    int depth, d;
    innermost(type_of(n), &d);
    if (!is_varied(untyped) || !has_unfollowed(type_of(n))
        || !(is_pointer_to_reals(to)
             || (is_untyped(innermost(to, &depth)) && depth > 0 && d > 0 && untyped_read)))
        return 0;
    refuse(n->start, "'%s' is complex, or a vector: no derivative is carried",
           cut(n->start, n->end));
    return 1;
}

/* A pointer's value goes where it is one to something else. */
static void becomes(const node *n, CXType to)
{
    if (is_disguised(n, to))
        refuse(n->start, "'%s': no struct of this type is behind that pointer, but one that "
               "carries derivatives", cut(n->start, n->end));
    else if (is_another(n, to))
        refuse(n->start, "'%s', which carries derivatives, becomes a '%s'", cut(n->start, n->end),
               string_of(clang_getTypeSpelling(to)));
    else
        becomes_numbers(n, to);
}

/* Memory that carries derivatives behind a pointer that does not say so, from which it might come
   back as plain numbers. */
static void hides(const node *n, CXType to)
{
    int depth;
    const CXType inner = innermost(to, &depth);
    becomes(n, to);
    if (depth > 0 && (inner.kind == CXType_Void || inner.kind == CXType_Char_S)
        && real_type(type_of(n), &depth) && depth > 0 && is_varied(memory_of(n)))
        refuse(n->start, "'%s', which carries derivatives, becomes a '%s'", cut(n->start, n->end),
               string_of(clang_getTypeSpelling(to)));
}

/* A member of a union, whose bits may be read as something else. */
static int in_union(const node *n)
{
    enum CXTypeKind kind = CXType_Invalid;
    CXType t;
    if (n->kind == CXCursor_ArraySubscriptExpr || n->kind == CXCursor_ParenExpr)
        return in_union(n->child[0]);
    if (n->kind != CXCursor_MemberRefExpr) return 0;
    t = union_around(clang_getCursorReferenced(n->cursor));
    return (t.kind != CXType_Invalid && !is_pure(t, &kind) && has_field(t, is_varied))
           || (n->n && in_union(n->child[0]));
}

static void binary(const node *n)
{
    size_t at;
    const char *const op = operator_of(n, &at);
    const node *const a = n->child[0], *const b = n->child[1];
    if (equal(op, "=")) {
        rewrite(a, AS_IT_IS);
        must_be_followed(b, a);
        if (is_scalar_real(type_of(a))) {
            rewrite(b, is_active(memory_of(a)) ? ACTIVE : PLAIN);
        } else {
            if (!real_type(type_of(a), NULL)) loses_to(b, type_of(a), "what it is assigned to");
            hides(b, type_of(a));
            rewrite(b, carries(b) ? PLAIN : AS_IT_IS);
        }
    } else if (equal(op, "&&") || equal(op, "||")) {
        truth(a);
        truth(b);
    } else if (comparison(op) && (carries(a) || carries(b))) {
        if (recording)
            call_binary(n, say("%s(", branch()), comparison(op), ")");
        else {
            rewrite(a, PLAIN);
            rewrite(b, PLAIN);
        }
    } else if (arithmetic(op) && carries(n)) {
        if (single && real_type(type_of(n), NULL) == 'd' && !in_double++)
            warn(n->start, "'%s' is of double precision in C, of single precision here: last bits "
                 "may differ", cut(n->start, n->end));
        if (real_type(type_of(n), NULL) == 'l')
            refuse(n->start, "'%s' is a long double and carries a derivative",
                   cut(n->start, n->end));
        if (real_type(type_of(n), NULL) == 'f' && !single) {    /* float's: rounded once more */
            helpers[NARROW] = 1;
            call_binary(n, say("%s_narrow(", T), arithmetic(op), ")");
        } else {
            call_binary(n, "", arithmetic(op), "");
        }
    } else {
        rewrite(a, AS_IT_IS);
        rewrite(b, AS_IT_IS);
    }
}

/* Its value goes nowhere. */
static int is_statement(const node *n)
{
    const node *const p = n->parent;
    size_t at;
    if (p == NULL) return 1;
    switch ((int)p->kind) {
    case CXCursor_CompoundStmt:
        return !p->parent || p->parent->kind != CXCursor_StmtExpr || value_in(p->parent) != n;
    case CXCursor_CaseStmt: case CXCursor_DefaultStmt: case CXCursor_LabelStmt: return 1;
    case CXCursor_SwitchStmt: return n != p->child[0];
    case CXCursor_IfStmt: case CXCursor_WhileStmt: case CXCursor_DoStmt: case CXCursor_ForStmt:
        return n != condition_of(p);
    case CXCursor_ParenExpr: return is_statement(p);
    case CXCursor_CStyleCastExpr:
        return clang_getCanonicalType(type_of(p)).kind == CXType_Void && is_statement(p);
    case CXCursor_BinaryOperator:
        return equal(operator_of(p, &at), ",") && (n == p->child[0] || is_statement(p));
    default: return 0;
    }
}

/* x += e -> x = T_add(x, e). Where x has effects of its own, its place is taken once. */
static void compound(const node *n)
{
    size_t at;
    const char *const op = operator_of(n, &at);
    const node *const a = n->child[0], *const b = n->child[1];
    const int active = is_scalar_real(type_of(a)) && is_active(memory_of(a));
    if (!active) {
        rewrite(a, AS_IT_IS);
        if (!is_scalar_real(type_of(a))) loses_to(b, type_of(a), "what it changes");
        must_be_followed(b, a);
        rewrite(b, carries(b) ? PLAIN : AS_IT_IS);
        return;
    }
    if (has_effects(a)) {
        helpers[STEP] = 1;
        edit(n->start, 0, say("%s%s_step(&", is_statement(n) ? "" : "*", T));
        rewrite(a, AS_IT_IS);
        edit(at, strlen(op), say(", '%c',", *op));
        argument(b, ACTIVE);
        insert(n->end, ")");
        return;
    }
    rewrite(a, AS_IT_IS);
    edit(at, strlen(op), say("= %s_%s%s(%s,", T, arithmetic(op), carries(b) ? "" : "_r",
                             text_of(a, AS_IT_IS)));
    argument(b, AS_IT_IS);
    insert(n->end, ")");
}

static void unary(const node *n)
{
    size_t at, i;
    const char *const op = operator_of(n, &at);
    const node *const a = n->child[0];
    const size_t length = strlen(op);
    enum CXTypeKind kind = CXType_Invalid;
    for (i = 0; i < place_count; i++)
        if (places[i].at == n->start && places[i].field != NOWHERE
            && cells[places[i].field].stepped && is_active(places[i].field)
            && !is_pure(places[i].outer, &kind))
            refuse(n->start, "'%s': from there other fields are reached, in a struct of more than "
                   "numbers", cut(n->start, n->end));
    if (equal(op, "!")) truth(a);
    else if ((equal(op, "-") || equal(op, "+")) && carries(a)) {
        edit(at, 1, *op == '-' ? say("%s_neg(", T) : say("%s", ""));
        if (*op == '-') argument(a, AS_IT_IS);
        else rewrite(a, AS_IT_IS);
        if (*op == '-') insert(n->end, ")");
    } else if ((equal(op, "++") || equal(op, "--")) && is_scalar_real(type_of(a))
               && is_active(memory_of(a))) {
        const int statement = is_statement(n), post = at > a->start && !statement;
        if (has_effects(a) || post) {
            helpers[post ? POST : STEP] = 1;
            edit(n->start, 0, say("%s%s_%s(&", post || statement ? "" : "*", T,
                                  post ? "post" : "step"));
            if (at < a->start) edit(at, length, say("%s", ""));
            rewrite(a, AS_IT_IS);
            if (at > a->start) edit(at, length, say("%s", ""));
            edit(n->end, 0, say(", '%c', %s_num(1))", *op, T));
            return;
        }
        if (at < a->start) edit(at, length, say("%s", statement ? "" : "("));
        rewrite(a, AS_IT_IS);
        if (at > a->start) edit(at, length, say("%s", ""));
        edit(n->end, 0, say(" = %s_%s_r(%s, 1)%s", T, *op == '+' ? "add" : "sub",
                            text_of(a, AS_IT_IS), statement ? "" : ")"));
    } else {
        rewrite(a, AS_IT_IS);
    }
}

/* __attribute__((...)), _Alignas(...) */
static int takes_words(const char *name)
{
    static const char *const all[] = { "__attribute__", "__attribute", "_Alignas", "__declspec",
                                       "labs", "llabs", NULL };
    return among(name, all);
}
static size_t words_end(size_t at)             /* behind the parentheses from `at` on */
{
    int depth = 0;
    skip_blanks(&at);
    if (code.s[at] != '(') return at;
    for (; code.s[at]; at++) {
        skip_blanks(&at);
        depth += code.s[at] == '(';
        depth -= code.s[at] == ')';
        if (depth == 0) return at + 1;
    }
    return at;
}
/* The first word of a type from `at` on that is none of const, static, ... and its length. */
static size_t type_word(size_t at, size_t end, size_t *length)
{
    static const char *const kinds[] = { "const", "volatile", "static", "extern", "register",
                                        "auto",
        "inline", "__inline", "__inline__", "restrict", "__restrict", "typedef", "_Thread_local",
        "__thread", "__extension__", "_Noreturn", NULL };
    for (;;) {
        const char *word;
        skip_blanks(&at);
        if (at >= end || !is_name(code.s[at])) return NOWHERE;
        for (*length = 0; is_name(code.s[at + *length]);) ++*length;
        word = cut(at, at + *length);
        if (takes_words(word)) at = words_end(at + *length);
        else if (among(word, kinds)) at += *length;
        else return at;
    }
}

/* Typedefs of pointers and arrays of numbers, and structs of headers, that have a second form where
   they carry derivatives. Memory has the one or the other; a struct has but one form in a
   translation, so a macro changes its name, and lines that use it stay as they are. */
static struct variant { char *name; CXCursor cursor; int number, inner; } *variants;
static size_t variant_count;
static int has_variant(const char *name)
{
    size_t i;
    for (i = 0; i < variant_count; i++)
        if (equal(variants[i].name, name)) return 1;
    return 0;
}
static void add_variant(const char *name, CXCursor c)
{
    size_t i;
    for (i = 0; i < variant_count; i++)              /* typedef struct name name; are two */
        if (equal(variants[i].name, name)
            && clang_getCursorKind(variants[i].cursor) == clang_getCursorKind(c)) return;
    GROW(variants, variant_count);
    variants[variant_count].name = say("%s", name);
    variants[variant_count].number = clang_getCursorKind(c) == CXCursor_TypedefDecl
                                     && real_type(clang_getCursorType(c), NULL) != 0;
    variants[variant_count].inner = 0;
    variants[variant_count++].cursor = c;
}

/* Where a declaration's head ends: at one of `stops`, but not at those of an attribute. */
static size_t head_end(size_t at, const char *stops)
{
    while (code.s[at] && !strchr(stops, code.s[at])) {
        size_t n = 0;
        while (is_name(code.s[at + n])) n++;
        if (starts(code.s + at, "/*") || starts(code.s + at, "//")) skip_blanks(&at);
        else if (n == 0) at++;
        else if (takes_words(cut(at, at + n))) at = words_end(at + n);
        else at += n;
    }
    return at;
}
static void retype(size_t at, size_t end, CXType t);
static void rewrite_parameters(const node *n, const function *f);
static void rewrite_function(const node *n);

/* The number's type inside of a declaration's or a cast's becomes T. */
static char *retyped(size_t at, size_t end, CXType t, size_t *word, size_t *length)
{
    char *name;
    int depth;
    *word = type_word(at, end, length);
    if (*word == NOWHERE) return NULL;
    name = cut(*word, *word + *length);
    if (strstr(name, "typeof")) refuse(at, "'%s' of what carries derivatives", name);
    if (real_type(t, &depth) == 'l') refuse(at, "long double that carries a derivative");
    else if ((real_type(t, &depth) == 'f') != single)
        refuse(at, single ? "a double carries derivatives in code of single precision"
                          : "a float carries derivatives in code of double precision");
    return say("%s%s", has_variant(name) ? name : T, has_variant(name) ? suffix : "");
}
static void retype(size_t at, size_t end, CXType t)
{
    size_t word, length;
    char *const name = retyped(at, end, t, &word, &length);
    if (name) edit(word, length, name);
}

static int constant;               /* the initialiser is of static memory: C wants no call */
static int numbers;                /* there are such, of what carries derivatives */
/* Their macro: in C a value for each field, in C++ that for the constructor. */
static void put_numbers(text *t)
{
    const char *const type = strchr(T, '_') + 1;
    const char *const fields = equal(type, "dual") ? "0"
        : equal(type, "dual4") || equal(type, "dual8") ? "{ 0 }" : "0, 0, 0";
    print(t, "#if defined(__cplusplus)\n#define ADC_NUMBER%s(number) { number }\n#else\n"
          "#define ADC_NUMBER%s(number) { (number), %s }\n#endif\n", suffix, suffix, fields);
}
static int holds_active(CXType type, size_t to)
{
    return is_active(to) || has_field(type, is_active);
}
static void rewrite_initialiser(const node *n, CXType type, size_t to)
{
    size_t i;
    int flat, open = 0;
    if (n->kind != CXCursor_InitListExpr) {
        const int number = is_scalar_real(type);
        if (constant && number && is_active(to)) {
            insert(n->start, say("ADC_NUMBER%s(", suffix));
            rewrite(n, AS_IT_IS);
            insert(n->end, ")");
            numbers = 1;
            return;
        }
        if (!number) loses_to(n, type, "what it initialises");
        hides(n, type);
        rewrite(n, number && is_active(to) ? ACTIVE : carries(n) ? PLAIN : AS_IT_IS);
        return;
    }
    if (n->n == 1 && is_scalar_real(type)) {             /* double a = { b }: a struct, from one */
        if (is_active(to)) edit(n->start, 1, say("%s", ""));
        rewrite_initialiser(n->child[0], type, to);
        if (is_active(to)) edit(n->end - 1, 1, say("%s", ""));
        return;
    }
    if (n->n == 1 && is_active(to) && !is_scalar_real(type)) {    /* { 0 } stays what it is */
        const char *zero = cut(n->child[0]->start, n->child[0]->end);
        if (strspn(zero, "0.") == strlen(zero)) {
            edit(n->child[0]->start, strlen(zero), say("0"));
            return;
        }
    }
    if (any_varies(n) && (clang_getCanonicalType(type).kind == CXType_Vector
                          || clang_getCanonicalType(type).kind == CXType_ExtVector)) {
        refuse(n->start, "'%s' carries derivatives to a vector", cut(n->start, n->end));
        return;
    }
    for (i = 0; i < n->n; i++)
        if (line_at(designated(n->child[i])->start)->own != line_at(n->start)->own
            && holds_active(type, to)) {
            refuse(n->start, "what carries derivatives is initialised by numbers of another file");
            return;
        }
    flat = lacks_braces(n, type, to);
    if (flat < 0 && holds_active(type, to)) {
        refuse(n->start, "'%s' initialises what carries derivatives, with some of its braces left "
               "out", cut(n->start, n->end));
        return;
    }
    for (i = 0; i < n->n; i++) {
        const node *element = n->child[i];
        int opens = 0, closes = 0;
        const spot s = flat > 0 ? leaf(type, to, i, &opens, &closes)
                                : spot_of(n, type, to, i, &element);
        const int braces = flat > 0 && holds_active(type, to);
        if (i + 1 == n->n) closes = open + opens;
        open += opens - closes;
        while (braces && opens-- > 0) insert(element->start, "{ ");
        rewrite_initialiser(element, s.type, s.to);
        while (braces && closes-- > 0) insert(element->end, " }");
    }
}

/* The pointer to functions has a typedef's type, which says what they take and give; else it is
   spelled with their parentheses: double (*[2])(double), of a fun (*)(int), double (double). */
static char *spelling_of(const node *n)
{
    const CXType t = n->kind == CXCursor_TypedefDecl
                   ? clang_getTypedefDeclUnderlyingType(n->cursor) : type_of(n);
    return string_of(clang_getTypeSpelling(t));
}
static int is_named(const node *n)
{
    const char *const s = spelling_of(n);
    return strstr(s, ")(") == NULL && (*s == 0 || s[strlen(s) - 1] != ')');
}
/* double (*(*p)(int))(double): what is given back is spelled there, too, and would have to be
   translated in the middle. */
static void is_followed(const node *n, const char *spelling, const function *f)
{
    const function *const g = pointed_to(clang_getCursorResultType(f->cursor));
    if (g && has_number(g, is_active) && strstr(spelling, "))("))
        refuse(place_of(n->cursor), "'%s': a pointer to functions that give pointers to functions, "
               "which carry derivatives: give those a typedef", name_of(n->cursor));
}

/* The name at a place gets the suffix. */
static void grow_name(size_t at, const char *name)
{
    if (strncmp(code.s + at, name, strlen(name)) != 0)
        refuse(at, "'%s': a name of other letters than C's own", name);
    insert(at + strlen(name), suffix);
}
/* Where a variable is defined; `double w[3];` in the file is enough. */
static CXCursor variable_definition(CXCursor c)
{
    CXCursor d = clang_getCursorDefinition(c);
    size_t i, k;
    for (i = 0; i < item_count && clang_Cursor_isNull(d); i++)
        for (k = 0; k < items[i].parts; k++) {
            const CXCursor p = items[i].part[k]->cursor;
            if (clang_getCursorKind(p) == CXCursor_VarDecl
                && clang_Cursor_getStorageClass(p) != CX_SC_Extern
                && clang_equalCursors(clang_getCanonicalCursor(p), clang_getCanonicalCursor(c)))
                d = p;
        }
    return d;
}
/* A variable that other files know, and carries derivatives: another here than there. */
static int is_own_global(CXCursor c)
{
    return clang_getCursorKind(c) == CXCursor_VarDecl
           && clang_getCursorLinkage(c) == CXLinkage_External
           && holds_active(clang_getCursorType(c), cell(c, 0))
           && line_at(place_of(clang_getCanonicalCursor(c)))->own;
}

/* Declarations with one type at their head: double a, *b, c[3] = { ... }. Where some carry
   derivatives and others do not, they are parted. */
static int declares_active(const node *n)
{
    const function *f;
    if (n->kind != CXCursor_VarDecl && n->kind != CXCursor_FieldDecl
        && n->kind != CXCursor_ParmDecl) return 0;
    f = is_named(n) ? NULL : pointed_to(type_of(n));
    return is_active(f ? cell(f->cursor, 1) : cell(n->cursor, 0));
}
static void declaration(node *const *group, size_t n)
{
    const size_t start = group[0]->start;
    size_t i, j, word, length, place = place_of(group[0]->cursor), declarator;
    int mixed = 0, type_at_head;
    char *head = NULL;
    for (i = 1; i < n; i++) mixed |= declares_active(group[i]) != declares_active(group[0]);
    declarator = head_end(start, "*([{");
    type_at_head = declarator < place && code.s[declarator] == '{';       /* struct { ... } a, b */
    if (declarator > place) declarator = place;
    if (!type_at_head)
        for (i = 0; i < n && !head; i++)
            if (declares_active(group[i]))
                head = retyped(start, declarator, type_of(group[i]), &word, &length);
    if (head && declares_active(group[0])) edit(word, length, head);
    for (i = 0; i < n; i++) {
        const node *const d = group[i], *const value = initialiser_of(d);
        if (i > 0 && mixed && declares_active(d) != declares_active(group[i - 1])) {
            size_t comma = group[i - 1]->end;
            skip_blanks(&comma);
            edit(comma, 1, declares_active(d)
                 ? say("; %s%s%s", cut(start, word), head, cut(word + length, declarator))
                 : say("; %s", cut(start, declarator)));
        }
        if (is_own_global(d->cursor)) {
            if (clang_Cursor_isNull(variable_definition(d->cursor))
                && clang_Cursor_getStorageClass(d->cursor) == CX_SC_Extern)
                refuse(d->start, "'%s' carries derivatives and has no definition here",
                       name_of(d->cursor));
            grow_name(place_of(d->cursor), name_of(d->cursor));
        }
        if (pointed_to(type_of(d)) && !is_named(d)) {           /* double (*f)(double x) = g */
            is_followed(d, spelling_of(d), pointed_to(type_of(d)));
            rewrite_parameters(d, pointed_to(type_of(d)));
            continue;
        }
        for (j = 0; j < d->n; j++) {
            if (d->child[j] != value) {
                if (!(declares_active(d) && d->child[j]->kind == CXCursor_TypeRef))
                    rewrite(d->child[j], AS_IT_IS);
                continue;
            }
            constant = d->parent == NULL
                       || clang_Cursor_getStorageClass(d->cursor) == CX_SC_Static;
            rewrite_initialiser(value, type_of(d), cell(d->cursor, 0));
            constant = 0;
        }
    }
}

/* Neighbours that share the head of their declaration. */
static int shares_head(const node *a)
{
    size_t next = a->end;
    skip_blanks(&next);
    return code.s[next] == ',';
}
static int has_new_type(const node *n)
{
    const CXCursor d = clang_getCursorDefinition(n->cursor);
    const function *const f = clang_Cursor_isNull(d) ? NULL : function_at(d);
    if (n->kind == CXCursor_TypedefDecl) {               /* typedef double (*law)(double); */
        const function *const g = is_named(n) ? NULL : pointed_to(type_of(n));
        return g && is_active(cell(g->cursor, 1));
    }
    return n->kind == CXCursor_FunctionDecl ? f && has_number(f, is_active) : declares_active(n);
}
static void refuse_company(const node *n)
{
    refuse(place_of(n->cursor), "'%s' is declared beside what carries derivatives: give it a "
           "declaration of its own", name_of(n->cursor));
}
/* The one head of double a, sqrt(), *b would have to be parted around the function's; that of
   typedef double real, (*law)(double) is of both. Whether that is why they were refused. */
static int is_refused(node *const *group, size_t n)
{
    const node *function_there = NULL, *law = NULL;
    size_t i, changed = 0;
    for (i = 0; i < n; i++) {
        const int is_new = has_new_type(group[i]);
        changed += (size_t)is_new;
        if (group[i]->kind == CXCursor_FunctionDecl) function_there = group[i];
        if (group[i]->kind == CXCursor_TypedefDecl && is_new) law = group[i];
    }
    if (law && changed < n)
        refuse(place_of(law->cursor), "'%s' is of functions that carry derivatives: give it a "
               "typedef of its own", name_of(law->cursor));
    else if (function_there && changed && n > 1) refuse_company(function_there);
    else return 0;
    return 1;
}
static void declarations(node *const *all, size_t n)
{
    size_t i, j, k;
    for (i = 0; i < n; i = j) {
        const enum CXCursorKind kind = all[i]->kind;
        for (j = i + 1; j < n && shares_head(all[j - 1]); j++) continue;
        if (is_refused(all + i, j - i)) continue;
        j = i + 1;
        if (kind != CXCursor_VarDecl && kind != CXCursor_FieldDecl) {
            rewrite(all[i], AS_IT_IS);
            continue;
        }
        for (k = i; j < n && all[j]->kind == kind && shares_head(all[k]); k++) j++;
        declaration(all + i, j - i);
    }
}

static void rename_if(CXCursor c, size_t end)
{
    const CXCursor d = clang_getCursorDefinition(c);
    const function *const f = clang_Cursor_isNull(d) ? NULL : function_at(d);
    if ((f && f->renamed) || is_own_global(c)) grow_name(end - strlen(name_of(c)), name_of(c));
}

/* What it prints may be read again: text in memory, or in a file that is not the terminal's. */
static int writes(const node *n, const char *name)
{
    if (equal(name, "fprintf"))
        return !word_in(cut(n->child[1]->start, n->child[1]->end), "stdout")
               && !word_in(cut(n->child[1]->start, n->child[1]->end), "stderr");
    return equal(name, "sprintf") || equal(name, "snprintf");
}
/* What a parameter of a function of elsewhere is: a number, an array of them that it does not
   write, their length, or nothing that is followed. */
enum { NUMBER, ARRAY, LENGTH, OTHER };
static int kind_of_parameter(CXCursor p)
{
    const CXType t = clang_getCanonicalType(clang_getCursorType(p));
    int depth;
    if (is_scalar_real(t)) return NUMBER;
    if (real_type(t, &depth) && depth == 1)
        return t.kind == CXType_Pointer && clang_isConstQualifiedType(clang_getPointeeType(t))
             ? ARRAY : OTHER;
    return t.kind >= CXType_Bool && t.kind < CXType_Float ? LENGTH : OTHER;
}
/* How many of a kind it has before parameter `end`. */
static size_t parameters_of(const struct external *e, int kind, int end)
{
    size_t n = 0;
    int i;
    for (i = 0; i < end; i++)
        n += kind_of_parameter(clang_Cursor_getArgument(e->cursor, (unsigned)i)) == kind;
    return n;
}
static int is_active_parameter(CXCursor p)
{
    return kind_of_parameter(p) == NUMBER || is_active(cell(p, 0));
}
static void call_external(const node *n, struct external *e)
{
    const int parameters = clang_Cursor_getNumArguments(e->cursor);
    const size_t arrays = parameters_of(e, ARRAY, parameters);
    int i;
    if (!is_scalar_real(clang_getCursorResultType(e->cursor)) || parameters != (int)n->n - 1
        || parameters_of(e, OTHER, parameters)
        || parameters_of(e, LENGTH, parameters) != (arrays > 0)) {
        refuse(n->start, "--external: '%s' takes, or gives, something else than numbers, and const "
               "arrays of one length", e->name);
        return;
    }
    if (word_in(T, "dual2"))
        refuse(n->start, "'%s' has a gradient, but no second derivative for dual2", e->name);
    e->called = 1;
    insert(n->child[0]->end, suffix);
    for (i = 1; i < (int)n->n; i++) {
        const int number = is_scalar_real(type_of(n->child[i]));
        const CXCursor p = clang_Cursor_getArgument(e->cursor, (unsigned)i - 1);
        if (kind_of_parameter(p) == LENGTH) loses(n->child[i], "the parameter is an integer");
        rewrite(n->child[i], kind_of_parameter(p) == NUMBER ? ACTIVE : number ? PLAIN : AS_IT_IS);
    }
}

static int call_asks(const node *p);
static int says_size(const node *n, int grows);
enum { MEMORY = 1, NUMBERS, STRUCTS, QUOTIENT };  /* who asks for a size: points_to_active() */
/* The size of memory for what carries derivatives must be one of its type, which it follows. */
static void check_size(const node *n, const callee *c)
{
    const int asks = n->n < 2 || (c->name && equal(c->name, "free")) ? 0 : call_asks(n);
    const int said = asks && says_size(n, 0);
    if (!asks) return;
    if (said && asks != MEMORY && !says_size(n, 1))
        refuse(n->start, "memory that carries derivatives: '%s' has the size of something else",
               cut(n->start, n->end));
    if (!said && !gives_memory(enclosing))           /* whose callers say it */
        refuse(n->start, "memory that carries derivatives: '%s' says no sizeof",
               cut(n->start, n->end));
    if (said && c->own) {
        const char *const text = cut(c->own->tree->start, c->own->tree->end);
        if (!strstr(text, "malloc(") && !strstr(text, "calloc(") && !strstr(text, "realloc("))
            warn(n->start, "what '%s' gives must have room for numbers of type %s", c->own->name,
                 T);
    }
}
static int is_zero(const node *n)
{
    const CXEvalResult value = clang_Cursor_Evaluate(n->cursor);
    const int zero = clang_EvalResult_getKind(value) == CXEval_Int
                     && clang_EvalResult_getAsLongLong(value) == 0;
    clang_EvalResult_dispose(value);
    return zero;
}
static int points_to_varied(const node *n)
{
    return is_varied(memory_of(n)) || has_field(type_of(n), is_varied);
}
/* NAME as C libraries spell it: isnanf, __isinfl, __builtin_isinf_sign; not isnan_of. */
static int spells(const char *spelt, const char *name)
{
    static const char *const ends[] = { "", "f", "l", "d", "_sign", NULL };
    return starts(spelt, name) && among(spelt + strlen(name), ends);
}
/* isless(x, y), isnan(x) and their like, of numbers that carry derivatives, are decisions. */
static int decides(const node *n, const char *name)
{
    static const struct { const char *name, *op; } ordered[] = { { "isless", "lt" },
        { "islessequal", "le" }, { "isgreater", "gt" }, { "isgreaterequal", "ge" } };
    static const struct { const char *name, *call; int helper; } kinds[] = {
        { "isnan", "isnan", ISNAN }, { "isinf", "isinf", ISINF },
        { "isfinite", "isfinite", ISFINITE }, { "finite", "isfinite", ISFINITE },
        { "signbit", "signbit", SIGNBIT }, { "isnormal", "isnormal", ISNORMAL },
        { "fpclassify", "fpclassify", FPCLASSIFY }, { "ilogb", "ilogb", ILOGB },
        { "isunordered", "isunordered", ISUNORDERED },
        { "islessgreater", "islessgreater", ISLESSGREATER } };
    size_t i, first, k;
    if (starts(name, "__builtin_")) name += strlen("__builtin_");
    name += strspn(name, "_");
    for (i = 0; i < 4 && n->n > 2; i++) {
        const int a = carries(n->child[1]), b = carries(n->child[2]);
        if (!equal(name, ordered[i].name) || !(a || b)) continue;
        edit(n->start, n->child[0]->end - n->start,
             say("%s(%s_%s%s", branch(), T, ordered[i].op, a && b ? "" : a ? "_r" : "_from_r"));
        argument(n->child[1], AS_IT_IS);
        argument(n->child[2], AS_IT_IS);
        insert(n->end, ")");
        return 1;
    }
    for (i = 0; i < sizeof kinds/sizeof *kinds; i++) {
        if (!spells(name, kinds[i].name)) continue;
        first = kinds[i].helper == FPCLASSIFY ? n->n - 1 : 1;     /* behind the builtin's answers */
        for (k = first; k < n->n && !carries(n->child[k]); k++);
        if (k >= n->n) return 0;
        helpers[kinds[i].helper] = 1;
        edit(n->start, n->child[first]->start - n->start, say("%s_%s(", T, kinds[i].call));
        for (k = first; k < n->n; k++) argument(n->child[k], ACTIVE);
        return 1;
    }
    return 0;
}
static void call(const node *n)
{
    const callee c = callee_of(n);
    size_t i;
    if (c.external && carries(n)) {
        call_external(n, c.external);
        return;
    }
    if (c.own) {
        const int parameters = clang_Cursor_getNumArguments(c.own->cursor);
        int depth;
        if (!c.name && n->n - 1 != (size_t)parameters
            && innermost(type_of(n->child[0]), &depth).kind == CXType_FunctionNoProto)
            refuse(n->start, "'%s': a pointer that says no parameters", cut(n->start, n->end));
        rewrite(n->child[0], AS_IT_IS);
        for (i = 1; i < n->n; i++) {
            if ((int)i <= parameters) {
                const CXCursor p = clang_Cursor_getArgument(c.own->cursor, (unsigned)i - 1);
                if (is_scalar_real(clang_getCursorType(p))) {
                    rewrite(n->child[i], is_active(cell(p, 0)) ? ACTIVE : PLAIN);
                    continue;
                }
                loses_to(n->child[i], clang_getCursorType(p), "the parameter");
                if (!allocates(&c)) hides(n->child[i], clang_getCursorType(p));
            } else if (varies(n->child[i]) || is_varied(memory_of(n->child[i]))) {
                refuse(n->child[i]->start, "'%s' carries derivatives to a function with '...'",
                       cut(n->child[i]->start, n->child[i]->end));
            }
            rewrite(n->child[i], carries(n->child[i]) ? PLAIN : AS_IT_IS);
        }
        check_size(n, &c);
        return;
    }
    if (c.name && recording && decides(n, c.name)) return;
    if (c.name && equal(line_at(n->start)->file, "(adc)")) {      /* the names of C's library */
        if (equal(c.name, "adc_value")) edit(n->start, strlen(c.name), say("%s", ""));
        else if (starts(c.name, "__builtin_") && !(c.row >= 0 && carries(n)))
            edit(n->start, strlen("__builtin_"), say("%s", ""));
    }
    if (c.row >= 0 && carries(n)) {
        const char *const op = mathematics[c.row].op;
        const int operands = mathematics[c.row].operands;
        const int a = carries(n->child[1]), b = operands > 1 && carries(n->child[2]);
        const int least = equal(op, "fmin"), whole = operands == 3 || least || equal(op, "fmax");
        if (whole && operands == 2) helpers[least ? FMIN : FMAX] = 1;
        if (c.narrow) {
            narrowed[c.row] = 1;
            edit(n->start, n->child[0]->end - n->start,
                 say("%s_%sf", T, mathematics[c.row].name));
            for (i = 1; i < n->n; i++) argument(n->child[i], ACTIVE);
            return;
        }
        edit(n->start, n->child[0]->end - n->start,
             say("%s_%s%s", T, op,
                 whole || operands == 1 || (a && b) ? "" : a ? "_r" : "_from_r"));
        for (i = 1; i < n->n; i++) argument(n->child[i], whole ? ACTIVE : AS_IT_IS);
        return;
    }
    if (!c.name) {
        for (i = 1; i < n->n; i++)
            if (varies(n->child[i]) || points_to_varied(n->child[i])) {
                refuse(n->start, "a call through a pointer, with '%s', which carries derivatives",
                       cut(n->child[i]->start, n->child[i]->end));
                return;
            }
        if (real_type(type_of(n), NULL))
            warn(n->start, "'%s' may lose a derivative: no function here is known to be behind the "
                 "pointer", cut(n->start, n->end));
    } else if (c.row < 0 && !among(c.name, without) && !classifies(c.name)
               && !among(c.name, copying) && !among(c.name, owning)
               && !listed(given[O_inactive], c.name)) {
        if (is_active_vector(type_of(n)))
            refuse(n->start, "'%s' makes a vector, whose numbers carry no derivatives", c.name);
        if (equal(c.name, "setjmp") || equal(c.name, "_setjmp") || equal(c.name, "longjmp"))
            refuse(n->start, "'%s': jumps out of functions are not followed", c.name);
        for (i = 1; i < n->n; i++)
            if (varies(n->child[i]) || is_varied(memory_of(n->child[i]))
                || has_field(type_of(n->child[i]), is_varied)
                || is_active_vector(type_of(n->child[i]))) {
                const char *const cure = equal(c.name, "memcmp") ? "compare numbers one by one"
                    : equal(c.name, "qsort") ? "sort by a function of this file"
                    : say("--inactive %s if it has none, or --external", c.name);
                refuse(n->start, "'%s' has no definition here and gets '%s', which carries "
                       "derivatives; %s", c.name, cut(n->child[i]->start, n->child[i]->end), cure);
                return;
            }
    } else if (!among(c.name, copying) && !among(c.name, owning)) {
        /* A derivative is written from a run, in which the result was a plain number. */
        for (i = 1; derives && !checks && i < n->n && listed(given[O_inactive], c.name)
             && clang_getCanonicalType(type_of(n)).kind != CXType_Void; i++)
            if (varies(n->child[i])) {
                warn(n->start, "'%s' is not called by what is written: its value stays that at the "
                     "first point of --at, whatever '%s' is", c.name,
                     cut(n->child[i]->start, n->child[i]->end));
                break;
            }
        for (i = 1; i < n->n && !is_scalar_real(type_of(n)) && among(c.name, rounding); i++) {
            loses(n->child[i], say("'%s' gives an integer", c.name));
            if (!equal(c.name, "ilogb"))
                counts(n->child[i], strstr(c.name, "abs") ? WHOLE : NEAREST);
        }
        for (i = 1; i < n->n && writes(n, c.name); i++)
            loses(n->child[i], "it becomes text, which might be read again");
        for (i = 1; i < n->n; i++)
            if (!is_scalar_real(type_of(n->child[i])) && is_active(memory_of(n->child[i]))
                && real_type(type_of(n->child[i]), NULL))
                refuse(n->child[i]->start, "'%s' gets memory that carries derivatives", c.name);
    }
    check_size(n, &c);
    if (c.name && equal(c.name, "memset") && n->n > 2 && call_asks(n) && !is_zero(n->child[2]))
        refuse(n->start, "'%s' sets the bytes of numbers that carry derivatives, not to 0", c.name);
    if (c.name && among(c.name, copying) && n->n > 2) {
        const node *const a = plain_pointer(n->child[1]), *const b = plain_pointer(n->child[2]);
        enum CXTypeKind kind = CXType_Invalid;
        int depth;
        if ((points_to_varied(a) || points_to_varied(b)) && !same_content(type_of(a), type_of(b))
            && !(is_pure(innermost(type_of(a), &depth), &kind)
                 && is_pure(innermost(type_of(b), &depth), &kind)))
            refuse(n->start, "'%s' copies numbers that carry derivatives as another type", c.name);
    }
    for (i = 0; i < n->n; i++)
        rewrite(n->child[i], carries(n->child[i]) ? PLAIN : AS_IT_IS);
}

/* How much of a type becomes another: nothing, all of it numbers, or a part, whose size is then no
   multiple of theirs. */
enum { NOTHING, ALL, PART };
static int growth(CXType t, size_t to)
{
    fields f;
    size_t i;
    int all;
    t = clang_getCanonicalType(t);
    if (is_scalar_real(t)) return is_active(to) ? ALL : NOTHING;
    if (!is_aggregate(t)) return NOTHING;
    if (t.kind != CXType_Record) return growth(clang_getArrayElementType(t), to);
    f = fields_of(t);
    for (all = NOTHING, i = 0; i < f.n; i++) {
        const int own = growth(clang_getCursorType(f.at[i]), cell(f.at[i], 0));
        all = i == 0 || own == all ? own : PART;
    }
    return all;
}
/* Who asks for a size: memory that carries derivatives, as malloc(n*sizeof(double)) in p = ...,
   memset(p, 0, ...), NUMBERS where it is said that it is no struct, STRUCTS where it is one that
   grows; a QUOTIENT of two sizes, a count; or others, 0. */
static CXType element_type(CXType t)           /* of what it points to, or is an array of */
{
    t = clang_getCanonicalType(t);
    return clang_getCanonicalType(t.kind == CXType_Pointer ? clang_getPointeeType(t)
                                                           : clang_getArrayElementType(t));
}
static int points_to_active(size_t m, CXType t)
{
    const CXType of = element_type(t);
    int depth;
    if (is_untyped(innermost(t, &depth)) && depth > 0) m = untyped;
    return growth(of, m) == ALL && of.kind != CXType_Record ? NUMBERS
         : growth(of, m) != NOTHING ? STRUCTS
         : is_active(m) || has_field(t, is_varied) ? MEMORY : 0;
}
static int is_size(const node *n)
{
    return n->kind == CXCursor_UnaryExpr && starts(code.s + n->start, "sizeof");
}
/* What sizeof is of: an expression, or NULL; its type, if it has a name. */
static const node *sized(const node *n)
{
    size_t at = n->start + strlen("sizeof");
    skip_blanks(&at);
    return n->n && n->child[n->n - 1]->start == at ? bare(n->child[n->n - 1]) : NULL;
}
static CXType sized_type(const node *n)
{
    CXType none;
    memset(&none, 0, sizeof none);
    return sized(n) ? type_of(sized(n))
         : n->n && n->child[0]->kind == CXCursor_TypeRef && !strchr(cut(n->start, n->end), '*')
         ? clang_getCursorType(clang_getCursorReferenced(n->child[0]->cursor)) : none;
}
static int size_growth(const node *n)
{
    const CXType t = sized_type(n);
    return t.kind == CXType_Invalid ? NOTHING : growth(t, sized(n) ? memory_of(sized(n)) : NOWHERE);
}
/* The name of a type of numbers, which can be those that carry derivatives: double, vector; its
   place. */
static size_t number_type(const node *n, size_t *length)
{
    const CXType t = sized_type(n);
    const size_t at = n->start + strcspn(code.s + n->start, "(") + 1,
        word = sized(n) ? NOWHERE : type_word(at, n->end, length);
    int depth;
    if (word == NOWHERE || strchr(cut(n->start, n->end), '*')) return NOWHERE;
    if (t.kind == CXType_Invalid)
        return equal(cut(word, word + *length), single ? "float" : "double") ? word : NOWHERE;
    return clang_getCanonicalType(t).kind != CXType_Pointer
           && real_type(t, &depth) == (single ? 'f' : 'd')
         ? word : NOWHERE;
}
/* sizeof(double), sizeof x: of one number. */
static int is_one(const node *n)
{
    size_t length;
    return is_size(n) && (sized_type(n).kind != CXType_Invalid ? is_scalar_real(sized_type(n))
        : number_type(n, &length) != NOWHERE && !strchr(cut(n->start, n->end), '['));
}
/* The variable of this function that a cursor declares. */
static const node *variable_in(const node *n, CXCursor c)
{
    const node *found = NULL;
    size_t i;
    if (n->kind == CXCursor_VarDecl && clang_equalCursors(n->cursor, c)) return n;
    for (i = 0; found == NULL && i < n->n; i++) found = variable_in(n->child[i], c);
    return found;
}
static int variable_asks(const node *variable);
/* Some sizeof is in it, or in what a variable for sizes begins with; `grows`: of what carries
   derivatives. */
static int says_size(const node *n, int grows)
{
    size_t i, length;
    if (n->kind == CXCursor_DeclRefExpr) {
        const node *const v = variable_in(enclosing->tree, clang_getCursorReferenced(n->cursor));
        return v && v->n && variable_asks(v) && says_size(v->child[v->n - 1], grows);
    }
    if (is_size(n) && (!grows || size_growth(n) || number_type(n, &length) != NOWHERE)) return 1;
    for (i = 0; i < n->n; i++)
        if (says_size(n->child[i], grows)) return 1;
    return 0;
}
/* The declaration, or the literal, that a list of initialisers belongs to, and what its spots in
   outer lists say of it. */
static spot list_spot(const node *list)
{
    const node *const up = list->parent;
    spot s;
    size_t i;
    s.to = NOWHERE;
    s.type = clang_getCursorType(list->cursor);
    if (up == NULL) return s;
    if (up->kind == CXCursor_VarDecl) {
        s.type = type_of(up);
        s.to = cell(up->cursor, 0);
    } else if (up->kind == CXCursor_CompoundLiteralExpr) {
        s.type = type_of(up);
        s.to = literal_cell(up);
    } else if (up->kind == CXCursor_InitListExpr
               || (up->kind == CXCursor_UnexposedExpr && up->parent)) {
        const node *const outer = up->kind == CXCursor_InitListExpr ? up : up->parent;
        const node *element;
        const spot o = list_spot(outer);
        for (i = 0; i < outer->n; i++) {
            const spot e = spot_of(outer, o.type, o.to, i, &element);
            if (element == list) return e;
        }
    }
    return s;
}

/* Where a pointer's value goes carries derivatives. */
static int place_asks(const node *value)
{
    const node *const to = value->parent;
    size_t i, at;
    if (to == NULL) return 0;
    switch ((int)to->kind) {
    case CXCursor_ParenExpr:
    case CXCursor_CStyleCastExpr:
    case CXCursor_ConditionalOperator:
    case CXCursor_UnexposedExpr:
        return place_asks(to);
    case CXCursor_VarDecl:
        return points_to_active(cell(to->cursor, 0), type_of(to));
    case CXCursor_BinaryOperator:
        return equal(operator_of(to, &at), "=")
             ? points_to_active(memory_of(to->child[0]), type_of(to->child[0])) : place_asks(to);
    case CXCursor_ReturnStmt:
        return points_to_active(cell(enclosing->cursor, 1),
                                clang_getCursorResultType(enclosing->cursor));
    case CXCursor_InitListExpr:
        for (i = 0; i < to->n; i++) {
            const node *element;
            const spot list = list_spot(to), s = spot_of(to, list.type, list.to, i, &element);
            if (to->child[i] == value || element == value)
                return points_to_active(s.to, s.type);
        }
        return 0;
    case CXCursor_CallExpr: {                                          /* f(malloc(...)) */
        const callee f = callee_of(to);
        if (f.name && (among(f.name, copying) || among(f.name, owning))) return place_asks(to);
        for (i = 1; f.own && i < to->n; i++)
            if (to->child[i] == value && (int)i <= clang_Cursor_getNumArguments(f.own->cursor)) {
                const CXCursor q = clang_Cursor_getArgument(f.own->cursor, (unsigned)i - 1);
                return points_to_active(cell(q, 0), clang_getCursorType(q));
            }
        return 0;
    }
    default:
        return 0;
    }
}
/* What a call that allocates, copies or sets memory does it to carries derivatives. */
/* take(&arena, n*sizeof(double)): memory from a place of the program's own. */
static int hands_out(const node *call, const callee *c)
{
    int depth;
    return c->own && is_untyped(innermost(clang_getCursorResultType(c->own->cursor), &depth))
           && depth == 1 && says_size(call, 0);
}
static int call_asks(const node *p)
{
    const callee c = callee_of(p);
    if (!allocates(&c) && !hands_out(p, &c)
        && (!c.name || (!among(c.name, copying) && !among(c.name, owning)))) return 0;
    if (c.name && (among(c.name, copying) || equal(c.name, "memset") || equal(c.name, "realloc")
                   || equal(c.name, "reallocarray") || equal(c.name, "posix_memalign"))) {
        const node *const pointer = plain_pointer(p->child[1]);
        const int asks = points_to_active(memory_of(pointer), type_of(pointer));
        if (asks) return asks;
    }
    return place_asks(p);
}
/* Or a function of the file's own, which takes pointers that do not say what they point to. */
static int own_asks(const node *p)
{
    const callee c = callee_of(p);
    size_t i;
    int depth;
    for (i = 1; c.own && i < p->n && (int)i <= clang_Cursor_getNumArguments(c.own->cursor); i++)
        if (is_untyped(innermost(clang_getCursorType(clang_Cursor_getArgument(
                c.own->cursor, (unsigned)i - 1)), &depth)) && depth > 0
            && points_to_active(memory_of(plain_pointer(p->child[i])),
                                type_of(plain_pointer(p->child[i])))) return MEMORY;
    return 0;
}
static int who_asks(const node *n, const node **other)
{
    const node *p;
    size_t at;
    for (p = n->parent; p; p = p->parent) {
        if (p->kind == CXCursor_BinaryOperator && equal(operator_of(p, &at), "/")
            && is_size(bare(p->child[0])) && is_size(bare(p->child[1]))) {
            *other = bare(p->child[bare(p->child[0]) == n]);
            return QUOTIENT;
        }
        if (p->kind == CXCursor_CallExpr && p->n > 1)
            return call_asks(p) ? call_asks(p) : own_asks(p);
        if (p->kind == CXCursor_VarDecl) return variable_asks(p);
        if (p->kind == CXCursor_CompoundStmt) return 0;
    }
    return 0;
}
/* A variable for a size, const size_t bytes = n*sizeof(double), asks as all do that read it: one
   that is also printed, or changed, stays a number. */
static void ask_all(const node *n, CXCursor variable, int *asks)
{
    size_t i;
    if (n->kind == CXCursor_DeclRefExpr
        && clang_equalCursors(clang_getCursorReferenced(n->cursor), variable)) {
        const node *other;
        const int own = n->parent->kind == CXCursor_UnaryOperator ? 0 : who_asks(n, &other);
        *asks = *asks < 0 || *asks == own ? own : 0;
    }
    for (i = 0; i < n->n; i++) ask_all(n->child[i], variable, asks);
}
static int variable_asks(const node *variable)
{
    const CXType t = clang_getCanonicalType(type_of(variable));
    int asks = -1;
    if (enclosing == NULL || t.kind < CXType_Bool || t.kind >= CXType_Float) return 0;
    ask_all(enclosing->tree, variable->cursor, &asks);
    return asks < 0 ? 0 : asks;
}
/* sizeof(vector), typedef double vector[3] */
static int array_typedef(const node *n)
{
    size_t length;
    return is_size(n) && number_type(n, &length) != NOWHERE && is_aggregate(sized_type(n));
}
static int can_grow(const node *n)
{
    size_t length;
    const size_t word = number_type(n, &length);
    return word != NOWHERE && (!array_typedef(n) || has_variant(cut(word, word + length)));
}
/* sizeof. A size that nobody uses for memory stays the number that it was. */
static void size_of(const node *n)
{
    const node *other = NULL;
    const int asks = who_asks(n, &other), grows = size_growth(n),
        others = other ? size_growth(other) : NOTHING;
    const int scales = grows == NOTHING || (asks && asks != QUOTIENT)
        || (grows == ALL && other && (others == ALL || can_grow(other)))
        || (grows == PART && others == PART && same_content(sized_type(n), sized_type(other)));
    const char *const real = single ? "float" : "double";
    size_t i, length, start = n->start + strlen("sizeof");
    if (can_grow(n) && (asks == QUOTIENT ? others == ALL : asks)) {
        const size_t word = number_type(n, &length);
        const int array = array_typedef(n);
        edit(word, length, say("%s%s", array ? cut(word, word + length) : T, array ? suffix : ""));
        return;
    }
    if (!scales && grows == PART) {
        refuse(n->start, "'%s': a struct in which some numbers carry derivatives has another size",
               cut(n->start, n->end));
    } else if (!scales && is_scalar_real(sized_type(n))) {
        edit(start, n->end - start, say("(%s)", real));
        return;
    }
    if (!scales) insert(n->start, "(");
    for (i = 0; i < n->n; i++) rewrite(n->child[i], AS_IT_IS);
    if (!scales) edit(n->end, 0, say("/(sizeof(%s)/sizeof(%s)))", T, real));
}
/* offsetof, but of what stands at the beginning, or where it leads from one pointer to another. */
static void offset_in(const node *n)
{
    const node *p = n->parent;
    CXEvalResult value;
    long long at = 1;
    if (n->n == 0 || n->child[0]->kind != CXCursor_TypeRef) return;
    while (p && clang_isExpression(p->kind) && type_of(p).kind != CXType_Pointer) p = p->parent;
    if (p && clang_isExpression(p->kind)) return;
    value = clang_Cursor_Evaluate(n->cursor);
    if (clang_EvalResult_getKind(value) == CXEval_Int) at = clang_EvalResult_getAsLongLong(value);
    clang_EvalResult_dispose(value);
    if (at && growth(clang_getCursorType(clang_getCursorReferenced(n->child[0]->cursor)), NOWHERE))
        refuse(n->start, "'%s': a struct that carries derivatives has other places",
               cut(n->start, n->end));
}

/* What a pointer is made of, without casts: a pointer, or memory that is declared. */
static const node *origin(const node *n, int *declared)
{
    size_t at;
    for (*declared = 0;;) {
        n = bare(n);
        if (n->kind == CXCursor_CStyleCastExpr) {
            n = n->child[n->n - 1];
        } else if (n->kind == CXCursor_ArraySubscriptExpr && *declared) {         /* &a[i] */
            *declared = 0;
            n = n->child[0];
        } else if (n->kind == CXCursor_BinaryOperator && strchr("+-", *operator_of(n, &at))) {
            n = n->child[clang_getCanonicalType(type_of(n->child[0])).kind < CXType_Pointer];
        } else if (n->kind == CXCursor_UnaryOperator && equal(operator_of(n, &at), "&")) {
            *declared = 1;
            n = n->child[0];
        } else if (n->kind == CXCursor_UnaryOperator && *declared
                   && equal(operator_of(n, &at), "*")) {
            *declared = 0;
            n = n->child[0];
        } else {
            if (clang_getCanonicalType(type_of(n)).kind == CXType_Pointer) *declared = 0;
            else if (is_aggregate(type_of(n))) *declared = 1;
            return n;
        }
    }
}
/* It is declared as memory of integers, or of a struct of such, which does not grow as what it is
   used for does. */
static int has_no_room(const node *value, CXType to)
{
    int depth, declared;
    const node *const of = origin(value, &declared);
    const CXType t = innermost(type_of(of), &depth);
    if (!declared) return 0;
    return (t.kind >= CXType_Bool && t.kind < CXType_Float) || t.kind == CXType_Enum
           || (t.kind == CXType_Record && !same_content(t, to) && !has_field(t, is_a_number));
}
/* A null pointer of a type of its own, (double *)0 or (double *)NULL. */
static int is_null(const node *n)
{
    while ((n->kind == CXCursor_ParenExpr || n->kind == CXCursor_CStyleCastExpr) && n->n)
        n = n->child[n->n - 1];
    return n->kind == CXCursor_IntegerLiteral && is_zero(n);
}
/* What it is given to, or compared with, carries derivatives. */
static int meets_active(const node *n)
{
    const node *p = n->parent;
    size_t i;
    while (p && (p->kind == CXCursor_ParenExpr || p->kind == CXCursor_UnexposedExpr))
        n = p, p = p->parent;
    if (p == NULL) return 0;
    if (p->kind == CXCursor_InitListExpr) return 1;       /* also { .p = ... } */
    if (p->kind == CXCursor_CallExpr) {
        const callee c = callee_of(p);
        for (i = 1; i < p->n && p->child[i] != n; i++) continue;
        return c.own && (int)i <= clang_Cursor_getNumArguments(c.own->cursor)
               && is_active(cell(clang_Cursor_getArgument(c.own->cursor, (unsigned)i - 1), 0));
    }
    if (p->kind != CXCursor_ConditionalOperator && p->kind != CXCursor_BinaryOperator) return 0;
    for (i = p->kind == CXCursor_ConditionalOperator; i < p->n; i++)
        if (p->child[i] != n && is_active(memory_of(p->child[i]))) return 1;
    return p->kind == CXCursor_ConditionalOperator && meets_active(p);
}
static int is_handed_out(const node *value)        /* which the call's own warning tells */
{
    const node *const call = plain_pointer(value);
    callee c;
    if (call->kind != CXCursor_CallExpr || call->n == 0) return 0;
    c = callee_of(call);
    return hands_out(call, &c);
}
/* char *p = malloc(n*sizeof(double)), whose size does not grow: p has no type that carries any. */
static int has_size_of_plain(const node *value)
{
    int declared;
    const node *const of = origin(value, &declared);
    const node *const v = of->kind == CXCursor_DeclRefExpr
        ? variable_in(enclosing->tree, clang_getCursorReferenced(of->cursor)) : NULL;
    const node *const from = v && v->n ? plain_pointer(v->child[v->n - 1]) : NULL;
    return from && from->kind == CXCursor_CallExpr && !comes_from_untyped(from)
           && says_size(from, 0) && !place_asks(from);
}
static void cast(const node *n)
{
    const node *const value = n->child[n->n - 1];
    const CXType type = type_of(n);
    size_t i;
    const size_t close = words_end(n->start);
    if (pointed_to(type)) {                                 /* (double (*)(double))p */
        const function *const f = pointed_to(type);
        if (!is_named(n) && is_active(cell(f->cursor, 1)))
            retype(n->start + 1, value->start, clang_getCursorResultType(f->cursor));
        if (is_named(n)) rewrite(value, AS_IT_IS);
        else rewrite_parameters(n, f);
        return;
    }
    if (is_scalar_real(type)) {
        if (!carries(value)) {
            for (i = 0; i < n->n; i++) rewrite(n->child[i], AS_IT_IS);
            return;
        }
        if (real_type(type, NULL) == 'f' && !single) {       /* its value is rounded */
            helpers[NARROW] = 1;
            edit(n->start, close - n->start, say("%s_narrow(", T));
            argument(value, ACTIVE);
            insert(n->end, ")");
            return;
        }
        if (single && real_type(type, NULL) == 'd' && !in_double++)
            warn(n->start, "'%s' is of double precision in C, of single precision here: last bits "
                 "may differ", cut(n->start, n->end));
        if (real_type(type, NULL) == 'l')
            refuse(n->start, "'%s' changes the precision of a number that carries a derivative",
                   cut(n->start, n->end));
        edit(n->start, close - n->start, say("%s", ""));
        rewrite(value, ACTIVE);
        return;
    }
    if (clang_getCanonicalType(type).kind == CXType_Void) {        /* (void)x */
        rewrite(value, AS_IT_IS);
        return;
    }
    if (clang_getCanonicalType(type).kind == CXType_Pointer        /* double *p = (void *)bytes; */
        && clang_getPointeeType(clang_getCanonicalType(type)).kind == CXType_Void
        && place_asks(n) && has_no_room(value, type)) {
        int declared;
        const node *const of = origin(value, &declared);
        refuse(n->start, "'%s' carries derivatives, and has no room for them",
               cut(of->start, of->end));
        return;
    }
    if (is_scalar_real(type_of(value))) {
        loses_to(value, type, "what the cast makes of it");
        rewrite(value, PLAIN);
        return;
    }
    if (is_disguised(value, type))
        refuse(n->start, "'%s': no struct of this type is behind that pointer, but one that "
               "carries derivatives", cut(n->start, n->end));
    if ((is_pointer_to_reals(type) || !(call_of(n) && is_moved(n)))
        && becomes_numbers(value, type)) return;
    {                                          /* struct A * to double *, or to struct B * */
        int depth, d;
        const CXType from = innermost(type_of(value), &d), to = innermost(type, &depth);
        if (from.kind == CXType_Record && to.kind != CXType_Void && !same_content(from, to)
            && !(to.kind == CXType_Record && are_related(from, to))
            && !(is_untyped(to) && is_argument(n)) && has_field(from, is_varied)) {
            refuse(n->start, "'%s' reads a struct that carries derivatives as something else",
                   cut(n->start, n->end));
            return;
        }
        if (to.kind == CXType_Record && depth > 0 && has_field(to, is_active)) {
            const node *const of = origin(value, &d);
            if (has_no_room(value, type))
                refuse(n->start, "'%s' carries derivatives, and has no room for them",
                       cut(of->start, of->end));
            else if (from.kind >= CXType_Bool && from.kind < CXType_Float
                     && comes_from_untyped(value)
                     && innermost(type_of(of), &depth).kind != CXType_Record)
                warn(n->start, "what is behind '%s' must have room for a '%s' that carries "
                     "derivatives", cut(value->start, value->end),
                     string_of(clang_getTypeSpelling(to)));
        }
    }
    if (real_type(type, NULL) && is_null(value) && meets_active(n)) {   /* g(a, (double *)0) */
        edit(n->start, close - n->start, say("%s", ""));
        rewrite(value, AS_IT_IS);
        return;
    }
    if (real_type(type, NULL)) {
        const node *to = n;
        size_t m = memory_of(n), at;
        while (to->parent && (to->parent->kind == CXCursor_ParenExpr
                              || to->parent->kind == CXCursor_CStyleCastExpr)) to = to->parent;
        if (m == NOWHERE && to->parent) {
            const node *const p = to->parent;
            m = p->kind == CXCursor_VarDecl ? cell(p->cursor, 0)
              : p->kind == CXCursor_BinaryOperator && equal(operator_of(p, &at), "=")
              ? memory_of(p->child[0])
              : p->kind == CXCursor_ReturnStmt ? cell(enclosing->cursor, 1) : NOWHERE;
        }
        if (is_varied(m) && comes_from_untyped(value) && has_no_room(value, type)) {
            refuse(n->start, "'%s' carries derivatives, and has no room for them",
                   cut(value->start, value->end));
            return;
        }
        if (is_active(m) && comes_from_untyped(value)) {                /* mem + n*sizeof(double) */
            const int counts = plain_pointer(value)->kind != CXCursor_CallExpr
                               && says_size(value, 0);
            if (counts || has_size_of_plain(value)) {
                refuse(value->start, "'%s' carries derivatives, and %s for numbers without them",
                       cut(value->start, value->end), counts ? "counts bytes" : "has memory");
                return;
            }
        }
        if (is_active(m) && comes_from_untyped(value) && !is_handed_out(value)) {
            warn(n->start, "what is behind '%s' must be of type %s, since it carries derivatives",
                 cut(value->start, value->end), T);
        }
        if (is_active(m)) {
            retype(n->start + 1, value->start, type);
            rewrite(value, AS_IT_IS);
            return;
        }
    } else if (is_varied(memory_of(value))) {
        int depth;
        if (!is_untyped(innermost(type, &depth)) || !is_argument(n))
            refuse(n->start, "'%s' reads the bits of numbers that carry derivatives",
                   cut(n->start, n->end));
    }
    for (i = 0; i < n->n; i++) rewrite(n->child[i], AS_IT_IS);
}

static void rewrite(const node *n, int want)
{
    size_t i, at;
    const int active = clang_isExpression(n->kind) && want != AS_IT_IS && carries(n);
    if (want != AS_IT_IS && n->kind == CXCursor_BinaryOperator && equal(operator_of(n, &at), ",")) {
        rewrite(n->child[0], AS_IT_IS);
        rewrite(n->child[1], want);
        return;
    }
    if (want == ACTIVE && !active) {
        edit(n->start, 0, say("%s_num(", T));
        argument(n, AS_IT_IS);
        insert(n->end, ")");
        return;
    }
    if (want == PLAIN && active) {
        const int by = n == counted ? counting : STEP;
        helpers[by] |= by != STEP;
        edit(n->start, 0, say("%s_%s(", T, by == WHOLE ? "whole" : by == NEAREST ? "nearest"
                                                                              : "value"));
        argument(n, AS_IT_IS);
        insert(n->end, ")");
        return;
    }
    if (clang_isExpression(n->kind)
        && clang_getCanonicalType(type_of(n)).kind == CXType_Complex && any_varies(n)) {
        refuse(n->start, "'%s' is complex: no derivative is carried", cut(n->start, n->end));
        return;
    }
    if (n->kind == CXCursor_UnexposedExpr && n->n > 1 && any_varies(n)
        && strchr(cut(n->child[0]->end, n->child[1]->start), '?')) {
        refuse(n->start, "'%s': say what stands between '?' and ':'", cut(n->start, n->end));
        return;
    }
    switch ((int)n->kind) {
    case CXCursor_BinaryOperator:         binary(n); return;
    case CXCursor_CompoundAssignOperator: compound(n); return;
    case CXCursor_UnaryOperator:          unary(n); return;
    case CXCursor_CStyleCastExpr:         cast(n); return;
    case CXCursor_CallExpr:
        if (n->n) call(n);
        return;
    case CXCursor_ParenExpr: {
        const node *const inner = open_parentheses(n);
        if (inner == n) rewrite(n->child[0], AS_IT_IS);
        else rewrite(inner, AS_IT_IS);
        close_parentheses(n, inner);
        return;
    }
    case CXCursor_ConditionalOperator: {
        const int w = carries(n) ? ACTIVE : AS_IT_IS;
        truth(n->child[0]);
        rewrite(n->child[1], w);
        rewrite(n->child[2], w);
        return;
    }
    case CXCursor_ReturnStmt:
        if (n->n) {
            const CXType t = clang_getCursorResultType(enclosing->cursor);
            if (is_scalar_real(t))
                rewrite(n->child[0], is_active(cell(enclosing->cursor, 1)) ? ACTIVE : PLAIN);
            else {
                loses_to(n->child[0], t, "what the function returns");
                becomes(n->child[0], t);
                rewrite(n->child[0], carries(n->child[0]) ? PLAIN : AS_IT_IS);
            }
        }
        return;
    case CXCursor_IfStmt:
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt:
    case CXCursor_ForStmt:
        for (i = 0; i < n->n; i++)
            if (n->child[i] == condition_of(n)) truth(n->child[i]);
            else rewrite(n->child[i], AS_IT_IS);
        return;
    case CXCursor_DeclStmt:
    case CXCursor_StructDecl:
    case CXCursor_UnionDecl:
        declarations(n->child, n->n);
        return;
    case CXCursor_TypedefDecl:
        if (pointed_to(type_of(n)) && !is_named(n)) {     /* not typedef fun *pointer; */
            const function *const f = pointed_to(type_of(n));
            is_followed(n, spelling_of(n), f);
            at = n->start + strlen("typedef");
            if (is_active(cell(f->cursor, 1)))
                retype(at, head_end(at, "*("), clang_getCursorResultType(f->cursor));
            rewrite_parameters(n, f);
            return;
        }
        break;
    case CXCursor_ParmDecl:
    case CXCursor_VarDecl:
    case CXCursor_FieldDecl:
        declaration((node *const *)&n, 1);
        return;
    case CXCursor_FunctionDecl:                       /* a prototype in a block */
        rewrite_function(n);
        return;
    case CXCursor_MemberRefExpr:
        if (in_union(n) && real_type(type_of(n), NULL))
            refuse(n->start, "'%s', a member of a union, carries derivatives",
                   cut(n->start, n->end));
        if (is_active_vector(type_of(n)))
            refuse(n->start, "'%s': a vector that is no parameter; its numbers carry no "
                   "derivatives, those of the parameters do", cut(n->start, n->end));
        break;
    case CXCursor_DeclRefExpr: {
        const CXCursor r = clang_getCursorReferenced(n->cursor);
        if (clang_getCursorKind(r) == CXCursor_FunctionDecl && pointed_to(type_of(n))
            && clang_Cursor_isNull(clang_getCursorDefinition(r))
            && !(n->parent && n->parent->kind == CXCursor_CallExpr && n->parent->child[0] == n))
            refuse(n->start, "'%s' has no definition here: its address cannot stand beside those "
                   "of functions that carry derivatives", cut(n->start, n->end));
        rename_if(r, n->end);
        return;
    }
    case CXCursor_TypeRef:
        return;
    case CXCursor_UnaryExpr:
        if (!is_size(n)) break;
        size_of(n);
        return;
    case CXCursor_UnexposedExpr:
        if (starts(code.s + n->start, "__builtin_offsetof")) offset_in(n);
        break;
    case CXCursor_CompoundLiteralExpr:
        for (i = 0; i < n->n; i++) {
            if (n->child[i]->kind != CXCursor_InitListExpr) continue;
            if (is_active(literal_cell(n)))
                retype(n->start + 1, head_end(n->start + 1, "*[)"), type_of(n));
            if (is_active(literal_cell(n)) && is_scalar_real(type_of(n)) && n->child[i]->n) {
                insert(n->start, "(*");                     /* an array: C has no struct from one */
                insert(head_end(n->start + 1, ")"), "[]");
                rewrite_initialiser(n->child[i]->child[0], type_of(n), literal_cell(n));
                insert(n->end, ")");
                continue;
            }
            rewrite_initialiser(n->child[i], type_of(n), literal_cell(n));
        }
        return;
    case CXCursor_GenericSelectionExpr:
        if (any_varies(n)) {
            refuse(n->start, "_Generic of what carries derivatives");
            return;
        }
        break;
    case CXCursor_GCCAsmStmt:
    case CXCursor_MSAsmStmt:
        refuse(n->start, "assembler: what it does is not known");
        return;
    default: break;
    }
    for (i = 0; i < n->n; i++)
        rewrite(n->child[i], clang_isExpression(n->child[i]->kind) && carries(n->child[i])
                && n->kind == CXCursor_ArraySubscriptExpr && i == 1 ? PLAIN : AS_IT_IS);
}

/* ---- what of the file is needed */
static enum CXChildVisitResult collect(CXCursor c, CXCursor above, CXClientData data)
{
    size_t end = item_count ? items[item_count - 1].end : 0;
    item *last;
    (void)above;
    (void)data;
    if (!line_at(place_of(c))->own) return CXChildVisit_Continue;
    skip_blanks(&end);
    if (item_count == 0 || (start_of(c) >= items[item_count - 1].end && code.s[end] != ','
                            && line_at(start_of(c)) != line_at(items[item_count - 1].end))) {
        GROW(items, item_count);
        memset(&items[item_count], 0, sizeof *items);
        items[item_count++].start = start_of(c);
    }
    last = &items[item_count - 1];
    GROW(last->part, last->parts);
    last->part[last->parts++] = grow_tree(c, NULL);
    if (end_of(c) > last->end) last->end = end_of(c);
    return CXChildVisit_Continue;
}
static item *item_at(CXCursor c)
{
    const size_t at = place_of(c);
    size_t i;
    for (i = 0; i < item_count; i++)
        if (at >= items[i].start && at < items[i].end) return &items[i];
    return NULL;
}

static function *reach(CXCursor definition);
static void reach_calls(const node *n);
/* Variables that are used; one may be a table of functions. */
static CXCursor *variables;
static size_t    variable_count;
static void reach_variable(CXCursor c)
{
    const CXCursor d = clang_getCursorDefinition(c);
    size_t i;
    c = clang_getCanonicalCursor(c);
    for (i = 0; i < variable_count; i++) if (clang_equalCursors(variables[i], c)) return;
    GROW(variables, variable_count);
    variables[variable_count++] = c;
    if (!clang_Cursor_isNull(d)) reach_calls(grow_tree(d, NULL));
}
static void reach_calls(const node *n)
{
    size_t i;
    if (n->kind == CXCursor_CStyleCastExpr && n->n)
        turn(type_of(n->child[n->n - 1]), type_of(n));
    if (n->kind == CXCursor_DeclRefExpr) {
        const CXCursor r = clang_getCursorReferenced(n->cursor);
        if (!clang_Cursor_isNull(r) && clang_getCursorKind(r) == CXCursor_VarDecl)
            reach_variable(r);
        if (!clang_Cursor_isNull(r) && clang_getCursorKind(r) == CXCursor_FunctionDecl) {
            const CXCursor d = clang_getCursorDefinition(r);
            const node *use = n;
            while (use->parent && use->parent->kind == CXCursor_ParenExpr) use = use->parent;
            if (!clang_Cursor_isNull(d)) {
                function *const f = reach(d);
                if (!use->parent || use->parent->kind != CXCursor_CallExpr
                    || use->parent->child[0] != use) f->taken = 1;
            }
        }
    }
    for (i = 0; i < n->n; i++) reach_calls(n->child[i]);
}
static function *reach(CXCursor definition)
{
    node *tree;
    const size_t own = function_count;
    if (function_at(definition)) return function_at(definition);
    tree = grow_tree(definition, NULL);
    GROW(functions, function_count);
    functions[function_count].cursor = definition;
    functions[function_count].name = name_of(definition);
    functions[function_count].tree = tree;
    functions[function_count].taken = functions[function_count].acts = 0;
    functions[function_count++].renamed = 0;
    reach_calls(tree);
    return &functions[own];
}

static void need(const node *n);
static void need_item(item *i)
{
    size_t k;
    if (i == NULL || i->needed) return;
    i->needed = 1;
    for (k = 0; k < i->parts; k++) need(i->part[k]);
}
/* struct s; before its definition, which what stands between them may need. */
static void need_declarations(CXCursor record)
{
    size_t i, k;
    for (i = 0; i < item_count; i++)
        for (k = 0; k < items[i].parts; k++)
            if (clang_equalCursors(clang_getCanonicalCursor(items[i].part[k]->cursor),
                                   clang_getCanonicalCursor(record))) need_item(&items[i]);
}
/* A builtin's declaration, as isnan's, stands where it is first used, and one within a function is
   that function's own: none of these is an item. */
static int is_within(CXCursor c)
{
    const item *const in = item_at(c);
    size_t k;
    for (k = 0; in && k < in->parts; k++)
        if (clang_equalCursors(in->part[k]->cursor, c)) return 0;
    return in && clang_getCursorKind(c) == CXCursor_FunctionDecl;
}
static void need(const node *n)
{
    size_t i;
    if (n->kind == CXCursor_DeclRefExpr || n->kind == CXCursor_TypeRef) {
        const CXCursor r = clang_getCursorReferenced(n->cursor);
        if (!clang_Cursor_isNull(r) && !is_within(r)) need_item(item_at(r));
        if (clang_getCursorKind(r) == CXCursor_StructDecl
            || clang_getCursorKind(r) == CXCursor_UnionDecl) need_declarations(r);
        if (!clang_Cursor_isNull(r) && clang_getCursorKind(r) == CXCursor_VarDecl
            && !clang_Cursor_isNull(variable_definition(r)))
            need_item(item_at(variable_definition(r)));
    }
    for (i = 0; i < n->n; i++) need(n->child[i]);
}

/* What a file that is included in the middle needs of what stands above it. It stays as it is, so
   a struct that carries derivatives is none of this. */
static void refuse_structs(const node *n)
{
    const CXCursor r = clang_getCursorReferenced(n->cursor);
    size_t i;
    if (n->kind == CXCursor_TypeRef && item_at(r) && has_field(clang_getCursorType(r), is_active))
        refuse(place_of(r), "'%s' carries derivatives, and an included file needs it as it is: put "
               "it into a file that is included first", string_of(clang_getCursorSpelling(r)));
    for (i = 0; i < n->n; i++) refuse_structs(n->child[i]);
}
static enum CXChildVisitResult need_above(CXCursor c, CXCursor above, CXClientData data)
{
    (void)above;
    (void)data;
    if (item_count && start_of(c) > items[0].start && !line_at(place_of(c))->own) {
        const node *const n = grow_tree(c, NULL);
        need(n);
        refuse_structs(n);
    }
    return CXChildVisit_Continue;
}

/* ---- the parts of a function's head: its result's type, its name, its parameters */
static int is_parameter(const node *n, CXCursor parameter)
{
    int i;
    for (i = 0; i < clang_Cursor_getNumArguments(n->cursor); i++)
        if (clang_equalCursors(clang_Cursor_getArgument(n->cursor, (unsigned)i), parameter))
            return 1;
    return 0;
}
/* double f(a, b) double a, *b; { ... }: parameters with one type at their head. Those of child `i`
   are rewritten with the first of them. */
static int shares_type(const node *n, size_t i)
{
    node **const group = (node **)more(NULL, n->n * sizeof *group);
    size_t k, j, size = 0;
    for (k = 0; k < n->n; k++) {
        if (n->child[k]->kind != CXCursor_ParmDecl || n->child[k]->start != n->child[i]->start)
            continue;
        if (k < i) return 1;
        for (j = size++; j && place_of(group[j - 1]->cursor) > place_of(n->child[k]->cursor); j--)
            group[j] = group[j - 1];                     /* f(b, a) double a, b; */
        group[j] = n->child[k];
    }
    if (size > 1) declaration(group, size);
    return size > 1;
}
static void rewrite_parameters(const node *n, const function *f)
{
    /* double (*f(int k))(double x): the result's parameters are children, too */
    const function *const given_back = n->kind == CXCursor_FunctionDecl
        ? pointed_to(clang_getCursorResultType(n->cursor)) : NULL;
    size_t i, p = 0, q = 0;
    for (i = 0; i < n->n; i++) {
        node *const c = n->child[i];
        if (c->kind == CXCursor_ParmDecl) {
            const int of_result = given_back && !is_parameter(n, c->cursor);
            const CXCursor own = of_result
                ? clang_Cursor_getArgument(given_back->cursor, (unsigned)q++)
                : clang_Cursor_getArgument(f->cursor, (unsigned)p++);
            if (shares_type(n, i)) continue;
            if (is_active(cell(own, 0))) {
                size_t end = head_end(c->start, "*([,)");
                if (end > c->end) end = c->end;
                retype(c->start, end, clang_getCursorType(own));
            } else {
                rewrite(c, AS_IT_IS);
            }
        } else if (!(c->kind == CXCursor_TypeRef && is_active(cell(f->cursor, 1)))) {
            rewrite(c, AS_IT_IS);
        }
    }
}
static void rewrite_function(const node *n)
{
    const CXCursor d = clang_getCursorDefinition(n->cursor);
    const function *const f = clang_Cursor_isNull(d) ? NULL : function_at(d);
    const function *const outer = enclosing;
    const size_t place = place_of(n->cursor);
    const size_t head = head_end(n->start, "*(");
    if (f == NULL) return;
    if (strchr(cut(place, n->end), '(') == NULL && has_number(f, is_active)) {     /* fun f; */
        refuse(place, "'%s' carries derivatives and is declared by a typedef", f->name);
        return;
    }
    enclosing = (function *)(size_t)f;
    if (is_active(cell(d, 1))) retype(n->start, head < place ? head : place,
                                      clang_getCursorResultType(d));
    if (head < place && code.s[head] == '(') {                /* double (*f(int k))(double x) */
        const function *const g = pointed_to(clang_getCursorResultType(d));
        if (g) is_followed(n, string_of(clang_getTypeSpelling(clang_getCursorResultType(d))), g);
        if (g && is_active(cell(g->cursor, 1)))
            retype(n->start, head, clang_getCursorResultType(g->cursor));
    }
    if (f->renamed) grow_name(place, f->name);
    rewrite_parameters(n, f);
    enclosing = (function *)(size_t)outer;
}

/* The typedefs and structs that need a second form. */
static void add_typedef(CXCursor r)
{
    const node *const n = grow_tree(r, NULL);
    size_t i;
    int depth;
    if (!real_type(clang_getCursorType(r), &depth) || depth == 0) return;
    for (i = 0; i < n->n; i++)
        if (n->child[i]->kind == CXCursor_TypeRef)
            add_typedef(clang_getCursorReferenced(n->child[i]->cursor));
    add_variant(name_of(r), r);
}
static void find_variants(const node *n)
{
    size_t i;
    const node *other;
    if (array_typedef(n) && who_asks(n, &other) % QUOTIENT)
        add_typedef(clang_getCursorReferenced(n->child[0]->cursor));
    if (declares_active(n) || (n->kind == CXCursor_FunctionDecl && is_active(cell(n->cursor, 1))))
        for (i = 0; i < n->n; i++)
            if (n->child[i]->kind == CXCursor_TypeRef) {
                const CXCursor r = clang_getCursorReferenced(n->child[i]->cursor);
                if (clang_getCursorKind(r) == CXCursor_TypedefDecl) add_typedef(r);
            }
    for (i = 0; i < n->n; i++) find_variants(n->child[i]);
}
/* The typedef's struct is defined inside of it. */
static int struct_in(CXCursor typedef_, CXCursor record)
{
    return start_of(record) >= start_of(typedef_) && end_of(record) <= end_of(typedef_)
           && code.s[end_of(record) - 1] == '}';
}
/* The words before a struct's braces: "struct", or "union name ". */
static char *struct_head(CXCursor record)
{
    return cut(start_of(record), start_of(record) + strcspn(code.s + start_of(record), "{"));
}
static int has_name(CXCursor record)
{
    const char *const head = struct_head(record);
    return !is_blank(head + strcspn(head, " \t\n"));
}
/* It has a pointer to a struct that has another form. */
static int leads_to_variant(CXType t)
{
    const fields f = fields_of(t);
    size_t i;
    int depth;
    for (i = 0; i < f.n; i++) {
        const CXType of = innermost(clang_getCursorType(f.at[i]), &depth);
        if (of.kind == CXType_Record && has_variant(name_of(clang_getTypeDeclaration(of))))
            return 1;
    }
    return 0;
}
/* A struct that another defines inside is written with that one. */
static enum CXChildVisitResult find_inner(CXCursor c, CXCursor above, CXClientData data)
{
    const enum CXCursorKind kind = clang_getCursorKind(c);
    (void)above;
    (void)data;
    if ((kind == CXCursor_StructDecl || kind == CXCursor_UnionDecl) && clang_isCursorDefinition(c)
        && has_name(c) && has_field(clang_getCursorType(c), is_active)
        && !has_variant(name_of(c))) {
        add_variant(name_of(c), c);
        variants[variant_count - 1].inner = 1;
    }
    return CXChildVisit_Recurse;
}
static enum CXChildVisitResult find_foreign(CXCursor c, CXCursor above, CXClientData data)
{
    const enum CXCursorKind kind = clang_getCursorKind(c);
    int depth;
    (void)above;
    (void)data;
    if (line_at(place_of(c))->own) return CXChildVisit_Continue;
    if ((kind == CXCursor_StructDecl || kind == CXCursor_UnionDecl) && has_name(c)
        && clang_isCursorDefinition(c)) {
        if (has_field(clang_getCursorType(c), is_active)
            || leads_to_variant(clang_getCursorType(c))) {
            find_variants(grow_tree(c, NULL));                /* before what uses them */
            add_variant(name_of(c), c);
            clang_visitChildren(c, find_inner, NULL);
        }
    } else if (kind == CXCursor_TypedefDecl) {
        const CXType t = innermost(clang_getCursorType(c), &depth);
        const function *const f = pointed_to(t);
        const CXCursor record = clang_getTypeDeclaration(t);
        if (t.kind == CXType_Record && (has_field(t, is_active) || leads_to_variant(t))) {
            add_variant(name_of(c), c);
            if (struct_in(c, record) && !has_name(record))
                clang_visitChildren(record, find_inner, NULL);
        } else if (f && has_number(f, is_active)) {
            add_variant(name_of(c), c);
        }
    } else if (kind == CXCursor_VarDecl) {
        size_t i;
        for (i = 0; i < variable_count; i++)
            if (clang_equalCursors(variables[i], clang_getCanonicalCursor(c))
                && holds_active(clang_getCursorType(c), cell(c, 0))) add_variant(name_of(c), c);
    }
    return CXChildVisit_Continue;
}

static int is_repeated(size_t v)               /* struct name and its typedef */
{
    size_t i;
    for (i = 0; i < v; i++) if (equal(variants[i].name, variants[v].name)) return 1;
    return 0;
}
/* What a header's struct defines inside is defined there already: an enumeration, and a struct that
   does not change; one that does has another name, by a macro, as its variant. */
static void name_inner(const node *n)
{
    size_t i;
    for (i = 0; i < n->n; i++) {
        const node *const c = n->child[i];
        const int is_enum = c->kind == CXCursor_EnumDecl;
        if (!is_enum && c->kind != CXCursor_StructDecl && c->kind != CXCursor_UnionDecl) continue;
        if (!clang_isCursorDefinition(c->cursor)) continue;
        if (is_enum && !has_name(c->cursor)) edit(c->start, c->end - c->start, "int");
        else if (has_name(c->cursor) && (is_enum || !has_field(clang_getCursorType(c->cursor),
                                                               is_active)))
            edit(c->start, c->end - c->start, say("%s %s", is_enum ? "enum"
                 : c->kind == CXCursor_UnionDecl ? "union" : "struct", name_of(c->cursor)));
        else name_inner(c);
    }
}
static char *variant_text(const struct variant *v)
{
    changes own = { NULL, 0 };
    node *const n = grow_tree(v->cursor, NULL);
    text t = { NULL, 0, 0 };
    edits = &own;
    put(&t, "", 0);
    if (n->kind == CXCursor_VarDecl) {
        const CXCursor d = variable_definition(v->cursor);
        const int is_extern = clang_Cursor_getStorageClass(v->cursor) == CX_SC_Extern;
        if (is_extern && clang_Cursor_isNull(d))
            refuse(n->start, "'%s' carries derivatives and has no definition here", v->name);
        else if (strchr(cut(n->start, place_of(v->cursor)), ','))
            refuse(n->start, "'%s' carries derivatives: give it a declaration of its own", v->name);
        else rewrite(n, AS_IT_IS);
    } else if (n->kind == CXCursor_TypedefDecl && real_type(clang_getCursorType(v->cursor), NULL)) {
        size_t length;
        const size_t word = type_word(n->start, n->end, &length);
        size_t last = place_of(v->cursor);
        while (last > word && code.s[last] != ',') last--;     /* typedef double a, *b: of b */
        const char *const name = cut(word, word + length);
        char *const type = say("%s%s", has_variant(name) ? name : T,
                               has_variant(name) ? suffix : "");
        edit(word, last > word ? last + 1 - word : length, type);
    } else {
        int depth;
        const CXCursor record = clang_getTypeDeclaration(innermost(clang_getCursorType(v->cursor),
                                                                   &depth));
        if (n->kind == CXCursor_TypedefDecl && struct_in(v->cursor, record)) {
            if (has_name(record))                       /* the struct's form stands above */
                edit(start_of(record), end_of(record) - start_of(record), say("%s %s%s",
                     starts(struct_head(record), "union") ? "union" : "struct", name_of(record),
                     suffix));
            else rewrite(grow_tree(record, NULL), AS_IT_IS);
        }
        rewrite(n, AS_IT_IS);
        if (item_at(v->cursor) == NULL)
            name_inner(n->kind == CXCursor_TypedefDecl && struct_in(v->cursor, record)
                       && !has_name(record) ? grow_tree(record, NULL) : n);
    }
    insert(place_of(v->cursor) + strlen(v->name), suffix);
    sort_changes(&own);
    apply(&t, &own, n->start, n->end);
    put(&t, ";\n", 2);
    return t.s;
}

/* ---- lines with macros. Their changes were made to what the macros gave; where a change lies
   outside of the invocations, or around them, it can be made to the user's line, and the macros
   stay. */
typedef struct token { size_t start, end; } token;
typedef struct tokens { token *all; size_t n; } tokens;

static tokens tokens_of(const char *s)
{
    tokens t = { NULL, 0 };
    size_t at = 0;
    for (;;) {
        size_t end;
        while (isspace((unsigned char)s[at])) at++;
        if (s[at] == 0) return t;
        end = at + 1;
        if (is_name(s[at]) || (s[at] == '.' && isdigit((unsigned char)s[at + 1]))) {
            while (is_name(s[end]) || s[end] == '.'
                   || (strchr("+-", s[end]) && s[end] && isdigit((unsigned char)s[at])
                       && strchr("eEpP", s[end - 1]))) end++;
        } else if (s[at] == '"' || s[at] == '\'') {
            while (s[end] && s[end] != s[at]) end += s[end] == '\\' && s[end + 1] ? 2 : 1;
            end += s[end] != 0;
        } else if (starts(s + at, "//")) {
            end = strlen(s);
        } else if (starts(s + at, "/*")) {
            const char *close = strstr(s + at + 2, "*/");
            end = close ? (size_t)(close - s) + 2 : strlen(s);
        }
        GROW(t.all, t.n);
        t.all[t.n].start = at;
        t.all[t.n++].end = end;
        at = end;
    }
}

static text macro_names;           /* " NAME NAME( ": with '(' where it takes arguments */
static int is_macro(const char *s, const token *t, int *arguments)
{
    const char *const word = say(" %.*s", (int)(t->end - t->start), s + t->start);
    const char *at = macro_names.s;
    while ((at = strstr(at, word)) != NULL) {
        at += strlen(word);
        if (*at == ' ' || *at == '(') return (*arguments = *at == '('), 1;
    }
    return 0;
}
static void read_macros(const char *command)
{
    FILE *const pipe = popen(command, "r");
    char word[300];
    text t = { NULL, 0, 0 };
    char *s;
    if (pipe == NULL) die("cannot run '%s'", command);
    read_all(pipe, &t);
    pclose(pipe);
    put(&macro_names, "", 0);
    for (s = t.s; *s; s += strcspn(s, "\n"), s += *s != 0)
        if (sscanf(s, "#define %298[A-Za-z0-9_]", word) == 1
            && strncmp(s + 9 + strlen(word), word, strlen(word)) != 0)    /* #define stdin stdin */
            print(&macro_names, " %s%s", word, s[8 + strlen(word)] == '(' ? "(" : "");
    put(&macro_names, " ", 1);
}

/* Which piece of the expanded line each word or invocation of the user's line became. */
typedef struct pairing {
    const char *u, *e;             /* the user's line, the expanded one */
    tokens      ut, et;
    size_t     *from;              /* [ut.n]: first token of `et`, up to that of the next */
    size_t     *best;
    int         found;             /* ways to pair */
} pairing;

static int balanced(const pairing *p, size_t a, size_t b)
{
    int depth = 0;
    for (; a < b; a++) {
        const char c = p->e[p->et.all[a].start];
        depth += strchr("([{", c) != NULL;
        depth -= strchr(")]}", c) != NULL;
        if (depth < 0) return 0;
    }
    return depth == 0;
}
static size_t invocation_end(const pairing *p, size_t i)  /* i itself where it is no invocation */
{
    int takes, depth = 0;
    size_t k = i + 1;
    if (!is_macro(p->u, &p->ut.all[i], &takes)) return i;
    if (!takes) return k;
    for (; k < p->ut.n; k++) {
        const char c = p->u[p->ut.all[k].start];
        depth += c == '(';
        depth -= c == ')';
        if (depth == 0) return k == i + 1 ? i : k + 1;
    }
    return i;
}
static void pair(pairing *p, size_t i, size_t j)
{
    size_t end;
    if (p->found > 1) return;
    if (i == p->ut.n) {
        if (j == p->et.n && p->found++ == 0) memcpy(p->best, p->from, i * sizeof *p->from);
        return;
    }
    p->from[i] = j;
    end = invocation_end(p, i);
    if (end == i) {
        const token *const a = &p->ut.all[i], *const b = &p->et.all[j];
        if (j < p->et.n && a->end - a->start == b->end - b->start
            && memcmp(p->u + a->start, p->e + b->start, a->end - a->start) == 0) pair(p, i + 1,
                                                                                      j + 1);
        return;
    }
    for (; i + 1 < end; i++) p->from[i + 1] = NOWHERE;
    for (i = j; i <= p->et.n; i++)
        if (balanced(p, j, i)) pair(p, end, i);
}

/* Where an offset of the expanded line is in the user's: as something's start, or as its end. */
static size_t user_place(const pairing *p, size_t at, int as_end)
{
    size_t i, next;
    for (i = 0; i < p->ut.n; i = next) {
        size_t last;
        for (next = i + 1; next < p->ut.n && p->best[next] == NOWHERE;) next++;
        last = next < p->ut.n ? p->best[next] : p->et.n;
        if (last == p->best[i]) continue;                /* it became nothing */
        if (!as_end && p->et.all[p->best[i]].start == at) return p->ut.all[i].start;
        if (as_end && p->et.all[last - 1].end == at) return p->ut.all[next - 1].end;
    }
    return NOWHERE;
}

/* The number of ways to pair an expanded line with the user's, two for more: one if all is well,
   none where a macro's call goes on in another line. */
static int pair_lines(pairing *p, const char *own, size_t start, size_t end)
{
    memset(p, 0, sizeof *p);
    p->u = own;
    p->e = cut(start, end);
    p->ut = tokens_of(p->u);
    p->et = tokens_of(p->e);
    p->from = (size_t *)more(NULL, (p->ut.n + 1) * sizeof *p->from);
    p->best = (size_t *)more(NULL, (p->ut.n + 1) * sizeof *p->best);
    pair(p, 0, 0);
    return p->found;
}

/* The user's line with the changes of the expanded one at `start`, or NULL. */
static char *with_macros(const changes *c, const char *own, size_t start, size_t end)
{
    pairing p;
    text t = { NULL, 0, 0 };
    size_t i, done = 0;
    if (pair_lines(&p, own, start, end) != 1) return NULL;
    put(&t, "", 0);
    for (i = first_change(c, start); i < c->n && c->all[i].at <= end; i++) {
        const change *const e = &c->all[i];
        const size_t at = e->at - start, length = strlen(e->insert);
        const int opens = length && strchr("(&", e->insert[length - 1]) != NULL;
        size_t place, stop;
        place = e->remove || opens ? user_place(&p, at, 0) : user_place(&p, at, 1);
        if (place == NOWHERE && !e->remove) place = user_place(&p, at, opens);
        stop = place;
        if (place != NOWHERE && length && is_name(e->insert[0]) && !e->remove) {
            size_t n = 0;                                /* a name grows: it must stand there */
            while (n < at && is_name(p.e[at - n - 1])) n++;
            if (n > place || strncmp(p.u + place - n, p.e + at - n, n) != 0) return NULL;
        }
        if (e->remove) {
            const int blank = p.e[at + e->remove - 1] == ' ';
            stop = user_place(&p, at + e->remove - (size_t)blank, 1);
            if (stop != NOWHERE) stop += blank && p.u[stop] == ' ';
        }
        if (place == NOWHERE || stop == NOWHERE || place < done || stop < place) return NULL;
        put_apart(&t, p.u + done, place - done);
        put_change(&t, e->insert);
        done = stop;
    }
    put_apart(&t, p.u + done, strlen(p.u + done));
    return t.s;
}

/* ---- the text again */
static int is_changed(const changes *c, size_t start, size_t end)
{
    const size_t i = first_change(c, start);
    return i < c->n && c->all[i].at <= end;
}
static size_t line_end(size_t l) { return (l + 1 < count ? lines[l + 1].at : code.n) - 1; }

static int is_empty(size_t l) { return is_blank(cut(lines[l].at, line_end(l))); }

/* All of the line is in it: no call of a macro goes over its end, nor over all of it. */
static int is_whole(size_t l)
{
    pairing p;
    const char *const s = lines[l].own && lines[l].number < users ? user[lines[l].number] : "";
    return lines[l].exact || s[strspn(s, " \t")] == '#'
           || (*s && !is_empty(l) && pair_lines(&p, s, lines[l].at, line_end(l)) > 0);
}

/* What macros gave must not have the name of one, which would take it for a call. */
static void no_macros_in(const char *s, size_t at)
{
    const tokens t = tokens_of(s);
    size_t i;
    int takes;
    for (i = 0; i < t.n; i++)
        if (is_name(s[t.all[i].start]) && is_macro(s, &t.all[i], &takes)
            && (!takes || (i + 1 < t.n && s[t.all[i + 1].start] == '(')))
            refuse(at, "a macro gives '%.*s', a macro's name: that line cannot be changed",
                   (int)(t.all[i].end - t.all[i].start), s + t.all[i].start);
}

/* The line begins in a comment of the line before. */
static int is_inside(unsigned number)
{
    static char *inside;
    unsigned k;
    if (inside == NULL) {
        inside = (char *)more(NULL, users + 2);
        for (inside[1] = 0, k = 1; k < users; k++) {
            const char *s = user[k], *const close = inside[k] ? strstr(s, "*/") : s;
            const tokens t = tokens_of(close ? close + 2*inside[k] : "");
            const char *const last = t.n ? close + 2*inside[k] + t.all[t.n - 1].start : "";
            inside[k + 1] = close == NULL || (starts(last, "/*") && strstr(last + 2, "*/") == NULL);
        }
    }
    return inside[number];
}
/* A directive begins there: not in a comment, nor in a line that a backslash joins to another. */
static int is_directive(unsigned number)
{
    const char *const before = number > 1 ? user[number - 1] : "";
    return user[number][strspn(user[number], " \t")] == '#' && !is_inside(number)
           && !(*before && before[strlen(before) - 1] == '\\');
}
static int is_include(unsigned number)
{
    const char *const s = user[number] + strspn(user[number], " \t");
    return is_directive(number) && starts(s + 1 + strspn(s + 1, " \t"), "include");
}

/* The lines from first to last, with the changes. A line without one is the user's own; where a
   macro goes over lines, all of them are or none. */
static unsigned lines_taken, lines_changed;        /* of the file, for --report */

/* OpenMP's directives in what is translated go: a tape is recorded by one thread, and OpenMP's sums
   are of numbers. One thread is always right. */
static void put_own(text *t, unsigned number, size_t at)
{
    static unsigned left_out;                      /* that line, if the next one belongs to it */
    const char *s = user[number] + strspn(user[number], " \t");
    const size_t n = strlen(s);
    int omp = left_out && number == left_out + 1;
    if (!omp && is_directive(number)) {
        s += 1 + strspn(s + 1, " \t");
        if (starts(s, "pragma")) {
            s += 6 + strspn(s + 6, " \t");
            omp = starts(s, "omp") && !is_name(s[3]);
        }
        if (omp) warn(at, "'#pragma omp' is left out: what carries derivatives is one thread's");
    }
    left_out = omp && n > 0 && user[number][strlen(user[number]) - 1] == '\\' ? number : 0;
    if (!omp) print(t, "%s\n", user[number]);
}
static void put_lines(text *t, const changes *c, size_t first, size_t last)
{
    size_t l, next, k;
    unsigned done = lines[first].number - 1;
    for (l = first; l <= last; l = next) {
        const int whole = is_whole(l);
        int changed = 0;
        next = l + 1;
        while (!whole && !is_empty(l) && next <= last && !is_whole(next)) next++;
        for (k = l; k < next; k++) changed |= is_changed(c, lines[k].at, line_end(k));
        for (k = l; k < next; k++) {
            const unsigned number = lines[k].number;
            text piece = { NULL, 0, 0 };
            char *own = NULL;
            if (!changed) {
                while (lines[k].own && done < number && done + 1 < users) {
                    put_own(t, ++done, lines[k].at);
                    lines_taken++;
                }
                continue;
            }
            lines_taken += number - done;
            lines_changed += number - done;
            if (whole && !lines[k].exact)
                own = with_macros(c, user[number], lines[k].at, line_end(k));
            if (!lines[k].own && (k == l || lines[k - 1].own)) {    /* in place of its #include */
                unsigned include = done + 1;
                while (include < users && !is_include(include)) include++;
                while (include < users && done + 1 < include) put_own(t, ++done, lines[k].at);
                if (include < users) done = include;
            }
            if (own == NULL) {
                put(&piece, "", 0);
                apply(&piece, c, lines[k].at, line_end(k));
                own = piece.s;
                no_macros_in(own, lines[k].at);
            }
            if (whole || !is_blank(own)) print(t, "%s\n", own);
            if (lines[k].own) done = number;
        }
    }
}

/* The comment that ends just above a line, or in it, or the line itself. */
static unsigned comment_above(unsigned number)
{
    unsigned k = number, j = number;
    while (is_inside(j)) j--;
    if (j < number && starts(user[j] + strspn(user[j], " \t"), "/*")) k = j;
    while (k > 1) {
        const char *s = user[k - 1] + strspn(user[k - 1], " \t");
        size_t n = strlen(s);
        while (n > 0 && isspace((unsigned char)s[n - 1])) n--;
        if (starts(s, "//")) k--;
        else if (n > 1 && s[n - 2] == '*' && s[n - 1] == '/') {
            j = k - 1;
            while (j > 1 && strstr(user[j], "/*") == NULL) j--;
            if (!starts(user[j] + strspn(user[j], " \t"), "/*")) return k;
            k = j;
        } else {
            return k;
        }
    }
    return k;
}

/* The second forms of an item's typedefs, behind it; NULL: of those of headers, whose names become
   others at once. */
static void put_variants(text *t, const item *of)
{
    size_t v;
    for (v = 0; v < variant_count && of == NULL; v++)
        if (item_at(variants[v].cursor) == NULL && !variants[v].number && !is_repeated(v))
            print(t, "#define %s %s%s\n", variants[v].name, variants[v].name, suffix);
    for (v = 0; v < variant_count && of == NULL; v++) {      /* declared before they are defined */
        const enum CXCursorKind kind = clang_getCursorKind(variants[v].cursor);
        if ((kind == CXCursor_StructDecl || kind == CXCursor_UnionDecl)
            && item_at(variants[v].cursor) == NULL && !clang_equalCursors(variants[v].cursor,
                                              clang_getCanonicalCursor(variants[v].cursor)))
            print(t, "%s %s%s;\n", kind == CXCursor_UnionDecl ? "union" : "struct",
                  variants[v].name, suffix);
    }
    for (v = 0; v < variant_count; v++) {
        char *s;
        if (item_at(variants[v].cursor) != of || variants[v].inner) continue;
        s = variant_text(&variants[v]);
        put(t, s, strlen(s));
    }
}

/* double g(double), h(int); has one type for both, which is then that of neither alone. */
static int gives_active(const node *n)
{
    const CXCursor d = clang_getCursorDefinition(n->cursor);
    const function *const f = clang_Cursor_isNull(d) ? NULL : function_at(d);
    return f != NULL && is_active(cell(f->cursor, 1));
}
static void part_company(const item *i)
{
    size_t k, j;
    for (k = 0; k < i->parts; k++) {                         /* double a, g(double), *b; */
        int others = 0, changed = 0;
        if (i->part[k]->kind != CXCursor_FunctionDecl) continue;
        for (j = 0; j < i->parts; j++)
            if (i->part[j]->start == i->part[k]->start) {
                others |= i->part[j]->kind == CXCursor_VarDecl;
                changed |= has_new_type(i->part[j]);
            }
        if (others && changed) refuse_company(i->part[k]);
    }
    for (k = 1; k < i->parts; k++)
        if (i->part[k]->kind == CXCursor_FunctionDecl && i->part[k]->start == i->part[k - 1]->start
            && i->part[k - 1]->kind == CXCursor_FunctionDecl
            && gives_active(i->part[k]) != gives_active(i->part[k - 1]))
            refuse(place_of(i->part[k - 1]->cursor), "'%s' and '%s' are declared together, and one "
                   "of them carries derivatives", name_of(i->part[k - 1]->cursor),
                   name_of(i->part[k]->cursor));
}
static int uses_types(const node *n)
{
    return n->kind == CXCursor_FunctionDecl || n->kind == CXCursor_VarDecl
           || n->kind == CXCursor_StructDecl || n->kind == CXCursor_UnionDecl;
}
static void put_item(text *t, const item *i)
{
    changes own = { NULL, 0 };
    size_t k, first, last, begin, end = i->end;
    unsigned number;
    const char *close;
    skip_blanks(&end);
    if (code.s[end] != ';') end = i->end;
    edits = &own;
    part_company(i);
    for (k = 0; k < i->parts; k = last) {
        for (last = k; last < i->parts && i->part[last]->kind != CXCursor_FunctionDecl;) last++;
        declarations(i->part + k, last - k);
        if (last < i->parts) rewrite_function(i->part[last++]);
    }
    sort_changes(&own);
    first = (size_t)(line_at(i->start) - lines);
    last = (size_t)(line_at(end) - lines);
    for (k = comment_above(lines[first].number); k < lines[first].number; k++)
        print(t, "%s\n", user[k]);
    for (k = 0; k < i->parts && !uses_types(i->part[k]);) k++;
    if (k < i->parts) put_variants(t, i);      /* all in one line: before what uses them */
    begin = t->n;
    put_lines(t, &own, first, last);
    if (is_inside(lines[first].number)
        && comment_above(lines[first].number) == lines[first].number) {   /* of the code before */
        const char *const rest = strstr(t->s + begin, "*/") + 2;
        const size_t n = t->n - (size_t)(rest - t->s);
        memmove(t->s + begin, rest, n);
        t->s[t->n = begin + n] = 0;
    }
    for (number = lines[last].number + 1, close = NULL; !close && is_inside(number); number++) {
        close = strstr(user[number], "*/");
        print(t, "%.*s\n", close ? (int)(close - user[number]) + 2 : (int)strlen(user[number]),
              user[number]);
    }
    if (k == i->parts) put_variants(t, i);
}

/* A directive's line ends in a backslash, or in a comment that does not end. */
static int goes_on(const char *s, int *comment)
{
    const size_t n = strlen(s);
    const int joined = n > 0 && s[n - 1] == '\\';
    for (; *s; s++) {
        if (!*comment && (*s == '"' || *s == '\'')) {      /* of a text; an apostrophe of */
            const char *end = s + 1;                         /* #error begins none */
            while (*end && *end != *s) end += *end == '\\' && end[1] ? 2 : 1;
            if (*end) s = end;
            continue;
        }
        if (!*comment && starts(s, "//")) break;
        if (starts(s, *comment ? "*/" : "/*")) {
            *comment = !*comment;
            s++;
        }
    }
    return *comment || joined;
}

/* Of a NaN and a number the number, as in C. A NaN that comes when the derivative runs stays. */
#define BEYOND_NAN(least)                                                                          \
    { "static %s %s_f" least "(%s adc_x, %s adc_y)", "{",                                          \
      "    if (%s_value(adc_x) != %s_value(adc_x)%nx) return adc_y;",                              \
      "    if (%s_value(adc_y) != %s_value(adc_y)%ny) return adc_x;",                              \
      "    return %s_" least "(adc_x, adc_y);", "}", NULL }
static const char *const helper[HELPERS][9] = {
    { "static %s *%s_step(%s *adc_x, char adc_op, %s adc_y)", "{",
      "    *adc_x = adc_op == '+' ? %s_add(*adc_x, adc_y) : adc_op == '-' ? %s_sub(*adc_x, adc_y)",
      "           : adc_op == '*' ? %s_mul(*adc_x, adc_y) : %s_div(*adc_x, adc_y);",
      "    return adc_x;", "}", NULL },
    { "static %s %s_post(%s *adc_x, char adc_op, %s adc_y)", "{", "    const %s adc_was = *adc_x;",
      "    *adc_x = adc_op == '+' ? %s_add(adc_was, adc_y) : %s_sub(adc_was, adc_y);",
      "    return adc_was;", "}", NULL },
    { "static %s %s_narrow(%s adc_x)", "{",
      "    const double adc_v = %s_value(adc_x), adc_w = (double)(float)adc_v;",
      "    /* rounded; the slope is 1 */",
      "    return %s_add_r(adc_x, adc_v < adc_w || adc_v > adc_w ? adc_w - adc_v : 0);", "}",
      NULL },
    { "static %r %s_whole(%s adc_x)", "{",
      "    const %s adc_w = %s_trunc(adc_x);",
      "    %b(%s_eq_r(adc_w, %s_value(adc_w)));", "    return %s_value(adc_x);", "}", NULL },
    { "static %r %s_nearest(%s adc_x)", "{",
      "    const %s adc_w = %s_round(adc_x);",
      "    %b(%s_eq_r(adc_w, %s_value(adc_w)));", "    return %s_value(adc_x);", "}", NULL },
    { "static int %s_isnan(%s adc_x)", "{", "    return %b(%s_ne(adc_x, adc_x));", "}", NULL },
    { "static int %s_isinf(%s adc_x)",
      "{", "    return %b(%s_eq_r(%s_inv(adc_x), 0));", "}", NULL },
    { "static int %s_isfinite(%s adc_x)",
      "{", "    return %b(%s_eq_r(%s_sub(adc_x, adc_x), 0));", "}", NULL },
    { "static int %s_signbit(%s adc_x)",
      "{", "    return %b(%s_lt_r(%s_copysign_from_r(1, adc_x), 0));", "}", NULL },
    { "static int %s_isnormal(%s adc_x)", "{",
      "    const %r adc_least = (%r)(sizeof(%r) == 4 ? 1.17549435e-38 : 2.2250738585072014e-308);",
      "    return %b(%s_eq_r(%s_sub(adc_x, adc_x), 0)) && %b(%s_ge_r(%s_abs(adc_x), adc_least));",
      "}", NULL },
    { "static int %s_fpclassify(%s adc_x)", "{",
      "    const %r adc_least = (%r)(sizeof(%r) == 4 ? 1.17549435e-38 : 2.2250738585072014e-308);",
      "    if (%b(%s_ne(adc_x, adc_x))) return FP_NAN;",
      "    if (!%b(%s_eq_r(%s_sub(adc_x, adc_x), 0))) return FP_INFINITE;",
      "    if (%b(%s_eq_r(adc_x, 0))) return FP_ZERO;",
      "    return %b(%s_ge_r(%s_abs(adc_x), adc_least)) ? FP_NORMAL : FP_SUBNORMAL;", "}", NULL },
    { "static int %s_ilogb(%s adc_x)", "{", "    const int adc_k = ilogb((double)%s_value(adc_x));",
      "    %b(%s_ge_r(%s_abs(adc_x), ldexp(1, adc_k)));",
      "    %b(%s_lt_r(%s_abs(adc_x), ldexp(2, adc_k)));", "    return adc_k;", "}", NULL },
    { "static int %s_isunordered(%s adc_x, %s adc_y)", "{",
      "    return %b(%s_ne(adc_x, adc_x)) || %b(%s_ne(adc_y, adc_y));", "}", NULL },
    { "static int %s_islessgreater(%s adc_x, %s adc_y)", "{",
      "    return %b(%s_lt(adc_x, adc_y)) || %b(%s_gt(adc_x, adc_y));", "}", NULL },
    BEYOND_NAN("min"), BEYOND_NAN("max")
};

/* A function of elsewhere: on a tape an operation that knows that it has no second derivatives, of
   duals its tangent plane. $F, $G: it and its gradient; $T, $S, $P, $R: types; $d: its parameters;
   $a: those of its translation; $x: arguments from x[n], of which arrays have k; $k: k from the
   arguments; $A, $N: how many arrays and numbers; $C: all of them, which $i puts to in[n]; $t: the
   derivatives d[n] times what is not constant. */
static const char *const external_head[] = {
    "$R $F($d);", "void $G($d, $R *);", NULL
};
static const char *const external_var[] = {
    "static ad_status $F_value(void *user, size_t n, const $R *x, size_t m, $R *y)", "{",
    "    const size_t k = (n - $N)/$A;", "    (void)user; (void)m; (void)k;", "    y[0] = $F($x);",
    "    return AD_OK;", "}",
    "static ad_status $F_reverse(void *user, size_t n, const $R *x, size_t m, const $R *y,",
    "    const $R *y_bar, $R *x_bar)", "{", "    const size_t k = (n - $N)/$A;",
    "    $R *const d = ($R *)calloc(n + 1, sizeof *d);", "    size_t i;",
    "    (void)user; (void)m; (void)y; (void)k;", "    if (d == NULL) return AD_ERR_MEMORY;",
    "    $G($x, d);",
    "    for (i = 0; i < n; i++) x_bar[i] += y_bar[0]*d[i];", "    free(d);", "    return AD_OK;",
    "}",
    "static ad_status $F_tangent(void *user, size_t n, const $R *x, size_t m, const $R *y,",
    "    const $R *x_dot, $R *y_dot)", "{", "    const size_t k = (n - $N)/$A;",
    "    $R *const d = ($R *)calloc(n + 1, sizeof *d);", "    size_t i;",
    "    (void)user; (void)m; (void)y; (void)k;", "    if (d == NULL) return AD_ERR_MEMORY;",
    "    $G($x, d);",
    "    for (y_dot[0] = 0, i = 0; i < n; i++) y_dot[0] += d[i]*x_dot[i];", "    free(d);",
    "    return AD_OK;", "}",
    "static $T $F$S($a)", "{",
    "    static const $P_op op = { \"$F\", $F_value, $F_reverse, $F_tangent, NULL, NULL };",
    "    const size_t k = $k, n = $C;", "    $T *const in = ($T *)malloc((n + 1)*sizeof *in);",
    "    $R *const x = ($R *)malloc((n + 1)*sizeof *x);", "    $T y = $T_num(NAN);",
    "    size_t i;", "    (void)k;", "    if (in && x) {", "$i",
    "        for (i = 0; i < n; i++) x[i] = $T_value(in[i]);",
    "        for (i = 0; i < n && !in[i].tape;) i++;",
    "        if (i == n) y = $T_num($F($x));",
    "        else $P_var_call(in[i].tape, &op, NULL, n, in, 1, &y);", "    }", "    free(x);",
    "    free(in);", "    return y;", "}", NULL
};
static const char *const external_dual[] = {
    "static $T $F$S($a)", "{", "    const size_t k = $k, n = $C;",
    "    $T *const in = ($T *)malloc((n + 1)*sizeof *in);",
    "    $R *const x = ($R *)calloc(2*n + 1, sizeof *x), *const d = x + n;",
    "    $T y = $T_num(NAN);", "    size_t i;", "    (void)k;", "    if (in && x) {", "$i",
    "        for (i = 0; i < n; i++) x[i] = $T_value(in[i]);", "        y = $T_num($F($x));",
    "        $G($x, d);", "$t", "    }", "    free(x);", "    free(in);", "    return y;", "}", NULL
};
static void put_external(text *t, const struct external *e)
{
    const char *const p = single ? "adf" : "ad", *const real = single ? "float" : "double";
    const int parameters = clang_Cursor_getNumArguments(e->cursor);
    const size_t arrays = parameters_of(e, ARRAY, parameters),
        numbers = parameters_of(e, NUMBER, parameters);
    text types = { NULL, 0, 0 }, own = { NULL, 0, 0 }, x = { NULL, 0, 0 }, in = { NULL, 0, 0 },
        plane = { NULL, 0, 0 };
    const char *length = "0";
    const char *const *parts[2], *const *row, *s;
    size_t i, w;
    int k;
    for (k = 0; k < parameters; k++) {
        const CXCursor c = clang_Cursor_getArgument(e->cursor, (unsigned)k);
        const char *const name = string_of(clang_getTypeSpelling(clang_getCanonicalType(
            clang_getCursorType(c)))), *const comma = k ? ", " : "";
        const char *const at = say("%lu*k + %lu", (unsigned long)parameters_of(e, ARRAY, k),
                                   (unsigned long)parameters_of(e, NUMBER, k));
        const int kind = kind_of_parameter(c), active = is_active_parameter(c);
        print(&types, "%s%s", comma, kind == ARRAY ? say("const %s *", real)
              : kind == NUMBER ? real : name);
        print(&own, kind == ARRAY ? "%sconst %s *a%d" : "%s%s a%d", comma,
              kind == LENGTH ? name : active ? T : real, k);
        print(&x, kind == ARRAY ? "%sx + %s" : kind == NUMBER ? "%sx[%s]" : "%s(%s)k", comma,
              kind == LENGTH ? name : at);
        if (kind == LENGTH) length = say("(size_t)a%d", k);
        else if (kind == NUMBER) print(&in, "        in[%s] = a%d;\n", at, k);
        else print(&in, "        for (i = 0; i < k; i++) in[%s + i] = %s%sa%d[i]%s;\n", at,
                   active ? "" : T, active ? "" : "_num(", k, active ? "" : ")");
        if (kind != LENGTH && active)
            print(&plane, "        for (i = %s; i < %s + %s; i++)\n"
                  "            y = %s_add(y, %s_mul_r(%s_sub_r(in[i], x[i]), d[i]));\n", at, at,
                  kind == ARRAY ? "k" : "1", T, T, T);
    }
    for (i = 0; i < 2; i++) {
        text *const text_of_it = i ? &plane : &in;
        if (text_of_it->n) text_of_it->s[--text_of_it->n] = 0;         /* its last line's end */
    }
    {
        const struct { char letter; const char *means; } words[] = {
            { 'F', e->name }, { 'G', e->gradient }, { 'T', T }, { 'S', suffix }, { 'P', p },
            { 'R', real }, { 'd', types.s }, { 'a', own.s }, { 'x', x.s }, { 'k', length },
            { 'A', say("%lu", (unsigned long)(arrays ? arrays : 1)) },
            { 'N', say("%lu", (unsigned long)numbers) },
            { 'C', say("%lu*k + %lu", (unsigned long)arrays, (unsigned long)numbers) },
            { 'i', in.s }, { 't', plane.s } };
        parts[0] = external_head;
        parts[1] = equal(T + strlen(p), "_var") ? external_var : external_dual;
        for (i = 0; i < 2; i++)
            for (row = parts[i]; *row; row++) {
                for (s = *row; *s; s++) {
                    if (*s != '$') {
                        put(t, s, 1);
                        continue;
                    }
                    for (s++, w = 0; words[w].letter != *s;) w++;
                    put(t, words[w].means, strlen(words[w].means));
                }
                put(t, "\n", 1);
            }
    }
}

/* sinf of numbers in double precision: the value that it has, the derivative of sin. */
static void put_narrow(text *t, const char *name, const char *op, size_t n)
{
    print(t, "static %s %s_%sf(%s)\n{\n", T, T, name, repeated(say("%s adc_#", T), n));
    print(t, "    const double adc_v = %s(%s),\n", name, repeated(say("%s_value(adc_#)", T), n));
    print(t, "        adc_w = (double)%sf(%s);\n", name,
          repeated(say("(float)%s_value(adc_#)", T), n));
    print(t, "    return %s_add_r(%s_%s(%s), adc_v < adc_w || adc_v > adc_w ? adc_w - adc_v : 0);\n"
          "}\n", T, T, op, repeated("adc_#", n));
}

/* A function of another file is named by one of those that are written before it: what a header
   declares, of two files that the file includes, say. (f(a) double a; has no head to repeat.) */
static int is_awaited(size_t v)
{
    size_t u;
    for (u = v + 1; u < function_count; u++)
        if (functions[u].renamed && !line_at(functions[u].tree->start)->own
            && strstr(cut(functions[u].tree->start, functions[u].tree->end),
                      name_of(functions[v].cursor))) return 1;
    return 0;
}

/* What the rest uses and the file does not have: known once all else is written. */
static void put_prelude(text *prelude)
{
    text behind = { NULL, 0, 0 };    /* the functions of headers, which call helpers too */
    text bodies = { NULL, 0, 0 };
    size_t v, h;
    put(prelude, "", 0);
    put(&behind, "", 0);
    put(&bodies, "", 0);
    put_variants(&behind, NULL);
    for (v = 0, h = 0; v < external_count; v++) {
        if (!externals[v].called) continue;
        if (h++ == 0) print(&behind, "#include <stdlib.h>\n");
        put_external(&behind, &externals[v]);
    }
    for (v = 0; v < function_count; v++)            /* of the file's, in its headers */
        if (functions[v].renamed && line_at(functions[v].tree->start)->own) {
            changes own = { NULL, 0 };
            const CXCursor c = clang_getCanonicalCursor(functions[v].cursor);
            /* The compiler's own idea of double rint(double) has no text: the definition's head. */
            const int has_text = strchr(cut(place_of(c), end_of(c)), '(') != NULL;
            node *const n = has_text ? grow_tree(c, NULL) : functions[v].tree;
            if (line_at(place_of(c))->own) continue;
            edits = &own;
            rewrite_function(n);
            sort_changes(&own);
            apply(&behind, &own, n->start, has_text ? n->end : n->child[n->n - 1]->start);
            put(&behind, ";\n", 2);
        }
    for (v = function_count; v-- > 0;)              /* of other files, in what may be any order */
        if (functions[v].renamed && !line_at(functions[v].tree->start)->own) {
            const node *const n = functions[v].tree;
            const CXCursor c = functions[v].cursor;
            const int is_static = clang_Cursor_getStorageClass(c) == CX_SC_Static;
            changes own = { NULL, 0 };
            edits = &own;
            rewrite_function(functions[v].tree);
            sort_changes(&own);
            if (is_awaited(v) && clang_getCursorType(c).kind == CXType_FunctionProto) {
                if (!is_static) put(&behind, "static ", 7);
                apply(&behind, &own, n->start, n->child[n->n - 1]->start);
                while (isspace((unsigned char)behind.s[behind.n - 1])) behind.n--;
                put(&behind, ";\n", 2);
            }
            if (!is_static) put(&bodies, "static ", 7);
            apply(&bodies, &own, n->start, n->end);
            put(&bodies, "\n", 1);
        }
    put(&behind, bodies.s, bodies.n);
    for (h = 0; h < HELPERS; h++) {              /* once, where one file includes several */
        if (helpers[h]) print(prelude, "#if !defined(ADC_%s_%lu)\n#define ADC_%s_%lu\n", T,
                              (unsigned long)h, T, (unsigned long)h);
        for (v = 0; helpers[h] && helper[h][v]; v++) {
            const char *l;
            for (l = helper[h][v]; *l; l++)
                if (starts(l, "%s")) put(prelude, T, strlen(T)), l++;
                else if (starts(l, "%r")) print(prelude, single ? "float" : "double"), l++;
                else if (starts(l, "%b")) print(prelude, "%s", branch()), l++;
                else if (starts(l, "%n")) {                    /* it is NaN: the guard of a tape */
                    if (recording) print(prelude, " && %s(%s_ne(adc_%c, adc_%c))", branch(), T,
                                         l[2], l[2]);
                    l += 2;
                }
                else put(prelude, l, 1);
            put(prelude, "\n", 1);
        }
        if (helpers[h]) print(prelude, "#endif /* ADC_%s_%lu */\n", T, (unsigned long)h);
    }
    for (v = 0; v < sizeof narrowed/sizeof *narrowed; v++)
        if (narrowed[v]) put_narrow(prelude, mathematics[v].name, mathematics[v].op,
                                    (size_t)mathematics[v].operands);
    put(prelude, behind.s, behind.n);
}

/* The comment at the file's head, a licence say: all above its first directive, or empty line. */
static void put_head_comment(text *t)
{
    unsigned last = 1, k;
    const char *s;
    while (last < users
           && (is_inside(last) || (!is_blank(user[last]) && user[last][0] != '#'))) last++;
    s = user[1] + strspn(user[1], " \t");
    if (!starts(s, "/*") && !starts(s, "//")) return;
    if (comment_above(last) > 1) return;       /* there is more than the comment */
    for (k = 1; k < last; k++) print(t, "%s\n", user[k]);
}

/* The last line of the directives that headers look at, and which are before the library's as they
   are before theirs: #define _GNU_SOURCE, in #ifndef ... #endif, too; or 0. All other macros come
   behind it, whose words they would change. */
static unsigned early_lines(void)
{
    unsigned k, last = 0, depth = 0;
    for (k = 1; k < users; k++) {
        const char *s = user[k] + strspn(user[k], " \t"), *word;
        int comment = 0;
        if (is_inside(k) || is_blank(s) || starts(s, "/*") || starts(s, "//")) continue;
        if (*s != '#') break;
        s += 1 + strspn(s + 1, " \t");
        word = s + strspn(s, "abcdefghijklmnopqrstuvwxyz");
        word += strspn(word, " \t");
        if (starts(s, "if")) depth++;
        else if (starts(s, "endif")) depth -= depth > 0;
        else if (!starts(s, "el")
                 && !((starts(s, "define") || starts(s, "undef"))
                      && ((*word == '_' && (word[1] == '_' || isupper((unsigned char)word[1])))
                          || starts(word, "AD_")))) break;
        while (k + 1 < users && goes_on(user[k], &comment)) k++;
        if (depth == 0) last = k;
    }
    return last;
}

/* Of what is not needed, where conditions begin or end in it that others see (#else and #endif
   behind the second of two heads, say), or macros: its directives, but for what it includes. */
static void put_directives(text *t, unsigned first, unsigned last)
{
    text all = { NULL, 0, 0 };
    int depth = 0, wanted = 0;
    unsigned k;
    put(&all, "", 0);
    for (k = first; k <= last; k++) {
        const char *s = user[k] + strspn(user[k], " \t");
        int comment = 0;
        if (!is_directive(k)) continue;
        s += 1 + strspn(s + 1, " \t");
        if (starts(s, "if")) depth++;
        else if (starts(s, "el")) wanted |= depth < 1;
        else if (starts(s, "endif")) wanted |= --depth < 0;
        else if (starts(s, "define") || starts(s, "undef")) wanted = 1;
        else continue;
        print(&all, "%s\n", user[k]);
        while (k < last && goes_on(user[k], &comment)) print(&all, "%s\n", user[++k]);
    }
    if (wanted || depth) put(t, all.s, all.n);
}

/* The function, what it needs, and the file's directives, in their order. */
static void put_translation(text *t)
{
    unsigned number;
    const unsigned early = early_lines();
    size_t k = 0, first = 0;
    int header = 0, functions_put = 0;
    text rest = { NULL, 0, 0 }, prelude = { NULL, 0, 0 };
    put_head_comment(t);
    for (number = 1; number < users; number++) {
        while (k < item_count && line_at(items[k].end)->number < number) k++;
        if (k < item_count && line_at(items[k].start)->number <= number) {
            unsigned last = number;
            if (!header++) print(t, "#include \"autodiff.h\"\n");
            for (; k < item_count && line_at(items[k].start)->number <= last; k++) {
                const unsigned end = line_at(items[k].end)->number;
                if (end > last) last = end;
                if (!items[k].needed) {
                    put_directives(t, line_at(items[k].start)->number, end);
                    continue;
                }
                if (first == 0) first = t->n;
                functions_put |= items[k].part[0]->kind == CXCursor_FunctionDecl;
                put(t, "\n", 1);
                put_item(t, &items[k]);
            }
            number = last;
        } else if (is_directive(number)) {
            if (!header && number > early) {
                print(t, "#include \"autodiff.h\"\n");
                header = 1;
            }
            int comment = 0;
            print(t, "%s\n", user[number]);
            while (number + 1 < users && goes_on(user[number], &comment))
                print(t, "%s\n", user[++number]);
            /* what is included may need what stands above it, and the prelude may need both */
            if (first && !functions_put && is_include(number)) first = t->n;
        }
    }
    if (!header) print(t, "#include \"autodiff.h\"\n");
    if (first == 0) first = t->n;              /* the file has nothing but what it includes */
    put_prelude(&prelude);
    if (prelude.n == 0 && !numbers) return;
    put(&rest, t->s + first, t->n - first);
    t->n = first;
    print(t, "\n");
    if (numbers) put_numbers(t);
    print(t, "%s%s", prelude.s, rest.s);
}

/* ---- what the parameters are for: calls with x in a function's inputs and y from its outputs */
typedef struct role { char *name, *length; int parameter,
                     vector; } role;   /* parameter -1: return */
typedef struct roles { role *all; size_t n; } roles;
typedef struct entry { CXCursor function; roles in, out; } entry;
static entry target;

static CXCursor parameter(const entry *e, int i)
{
    return clang_Cursor_getArgument(e->function, (unsigned)i);
}
static int parameter_of(const entry *e, const char *name, size_t length)
{
    const int n = clang_Cursor_getNumArguments(e->function);
    int i;
    for (i = 0; i < n; i++) {
        const char *own = name_of(parameter(e, i));
        if (strlen(own) == length && strncmp(own, name, length) == 0) return i;
    }
    return -1;
}
static void add_role(const entry *e, roles *r, const char *name, size_t n, char *length, int p)
{
    role *o;
    GROW(r->all, r->n);
    o = &r->all[r->n++];
    o->name = say("%.*s", (int)n, name);
    o->length = length;
    o->parameter = p;
    o->vector = p >= 0 ? vector_of(clang_getCursorType(parameter(e, p))) : NO_VECTOR;
}
/* The number of elements that a parameter double x[3] says, or NULL. */
static char *size_in(CXType t)
{
    long long n = 1;
    for (t = clang_getCanonicalType(t); t.kind == CXType_ConstantArray;
         t = clang_getCanonicalType(clang_getArrayElementType(t))) n *= clang_getArraySize(t);
    return n > 1 && is_scalar_real(t) ? say("(%lld)", n) : NULL;
}
/* "x[3], a": names, with the number of elements where it is memory. */
static void read_roles(const entry *e, roles *r, const char *s, const char *option)
{
    while (*(s += strspn(s, " ,"))) {
        char *length = NULL;
        size_t n = 0, k;
        int p;
        while (is_name(s[n])) n++;
        if (n == 0) die("--%s: 'NAME' or 'NAME[SIZE]', apart by commas, not '%s'", option, s);
        p = parameter_of(e, s, n);
        for (k = 0; k < r->n; k++)              /* the second would hide what the first is given */
            if (r->all[k].parameter == p && strlen(r->all[k].name) == n)
                die("--%s: '%.*s' is there twice", option, (int)n, s);
        if (p < 0 && !(r == &e->out && n == 6 && starts(s, "return")))
            die("--%s: '%s' has no parameter '%.*s'", option, name_of(e->function), (int)n, s);
        if (s[n] == '[') {
            const size_t close = strcspn(s + n, "]");
            if (s[n + close] == 0) die("--%s: ']' is missing", option);
            length = say("(%.*s)", (int)close - 1, s + n + 1);
            add_role(e, r, s, n, length, p);
            s += n + close + 1;
        } else {
            add_role(e, r, s, n, p < 0 ? NULL : size_in(clang_getCursorType(parameter(e, p))), p);
            s += n;
        }
    }
}
static int points_to_const(CXType t)
{
    t = clang_getCanonicalType(t);
    return t.kind == CXType_Pointer ? is_constant_type(clang_getPointeeType(t))
         : !is_scalar_real(t) && is_constant_type(t);                     /* const double x[3] */
}
/* Without --in and --out: const pointers, or else numbers, are inputs; the number that is returned,
   or else pointers that are not const, are outputs. */
static void find_roles(entry *e)
{
    const int n = clang_Cursor_getNumArguments(e->function);
    const int whole = is_scalar_real(clang_getCursorResultType(e->function));
    int i, depth, constants = 0;
    size_t k;
    if (given[O_in]) read_roles(e, &e->in, given[O_in], "in");
    if (given[O_out]) read_roles(e, &e->out, given[O_out], "out");
    for (i = 0; i < n; i++)
        constants += real_type(clang_getCursorType(parameter(e, i)), NULL)
                     && points_to_const(clang_getCursorType(parameter(e, i)));
    for (i = 0; i < n; i++) {
        const CXType t = clang_getCursorType(parameter(e, i));
        const char *name = name_of(parameter(e, i));
        char *const own = size_in(t), *const length = given[O_n] && real_type(t, &depth) && depth
            ? say("(%s)", given[O_n]) : own;
        if (!real_type(t, &depth)) continue;
        for (k = 0; k < e->in.n; k++)                      /* --in x --n 3 */
            if (e->in.all[k].parameter == i && !e->in.all[k].length && points_to_const(t))
                e->in.all[k].length = length;
        if (!given[O_in] && (depth == 0 ? !constants : points_to_const(t)))
            add_role(e, &e->in, name, strlen(name), length, i);
        if (!given[O_out] && !whole && depth > 0 && !points_to_const(t))
            add_role(e, &e->out, name, strlen(name), own, i);
    }
    if (!given[O_out] && whole) add_role(e, &e->out, "return", 6, NULL, -1);
    if (e->in.n == 0 || e->out.n == 0)
        die("which parameters of '%s' are the %s? --%s 'NAME[SIZE]'", name_of(e->function),
            e->in.n ? "results" : "inputs", e->in.n ? "out" : "in");
}
static size_t role_memory(const entry *e, const role *r)
{
    const size_t m = r->vector ? vector_data[r->vector]
                   : cell(r->parameter < 0 ? e->function : parameter(e, r->parameter),
                          r->parameter < 0);
    if (m == NOWHERE) die("'%s' is no number, nor memory of numbers", r->name);
    return m;
}
static void seed(void)
{
    size_t i, m;
    for (i = 0; i < target.in.n; i++) {
        m = root(role_memory(&target, &target.in.all[i]));
        cells[m].varied = 1;
    }
    for (i = 0; i < target.out.n; i++) {
        m = root(role_memory(&target, &target.out.all[i]));
        cells[m].useful = 1;
    }
}

/* What of the variable that stands there is taken: a.b[1] of a. */
static const node *part_of(const node *n)
{
    while (n->parent && (n->parent->kind == CXCursor_ParenExpr
                         || n->parent->kind == CXCursor_MemberRefExpr
                         || (n->parent->kind == CXCursor_ArraySubscriptExpr
                             && n == n->parent->child[0]))) n = n->parent;
    return n;
}
/* It is given a value there, or a part of it is, whatever the course was. */
static int is_given(const node *use)
{
    const node *n = part_of(use);
    size_t at;
    if (!n->parent || n->parent->kind != CXCursor_BinaryOperator || n != n->parent->child[0]
        || !equal(operator_of(n->parent, &at), "=")) return 0;
    for (n = n->parent; n; n = n->parent)
        if (n->kind == CXCursor_IfStmt || n->kind == CXCursor_SwitchStmt
            || n->kind == CXCursor_ConditionalOperator) return 0;
    return 1;
}
/* Numbers that outlive a call and carry derivatives bring those of the call before, or of a tape
   that is gone, where a call reads them before it has set them. */
static int remembers;                                    /* one of them is met */
static void doubt_static(CXCursor variable, const char *name, const node *from)
{
    unsigned char *const seen = (unsigned char *)more(NULL, function_count);
    const node *use;
    memset(seen, 0, function_count);
    use = first_met(from, variable, seen);
    free(seen);
    if (!use || is_given(use)) return;
    warn(use->start, "'%s' may carry derivatives from one call of '%s' to the next",
         name_of(variable), name);
    remembers = 1;
}
/* Nothing in the tree changes it, or has a pointer to it. */
static int is_only_read(const node *n, CXCursor of)
{
    const node *part;
    size_t i;
    if (n->kind != CXCursor_DeclRefExpr || !clang_equalCursors(of, clang_getCanonicalCursor(
            clang_getCursorReferenced(n->cursor)))) {
        for (i = 0; i < n->n; i++)
            if (!is_only_read(n->child[i], of)) return 0;
        return 1;
    }
    part = part_of(n);
    switch ((int)clang_getCanonicalType(type_of(part)).kind) {
    case CXType_Pointer:
    case CXType_ConstantArray: return 0;
    default: break;
    }
    n = part->parent;
    return !n || part != n->child[0] || n->kind == CXCursor_VarDecl
        || (n->kind == CXCursor_BinaryOperator && !equal(operator_of(n, &i), "="));
}
static int is_ever_changed(CXCursor of)
{
    size_t i;
    for (i = 0; i < function_count; i++)
        if (functions[i].tree && !is_only_read(functions[i].tree, of)) return 1;
    return 0;
}
static void doubt_statics(const function *f, const node *n)
{
    static CXCursor *asked;                              /* variables of the file */
    static size_t count;
    const CXCursor of = clang_getCanonicalCursor(n->kind == CXCursor_DeclRefExpr
        ? clang_getCursorReferenced(n->cursor) : n->cursor);
    size_t i;
    if (clang_getCursorKind(of) == CXCursor_VarDecl && !is_constant_type(clang_getCursorType(of))
        && (is_active(cell(of, 0))
            || (has_field(clang_getCursorType(of), is_active) && is_ever_changed(of)))) {
        if (n->kind == CXCursor_VarDecl && clang_Cursor_getStorageClass(of) == CX_SC_Static)
            doubt_static(of, f->name, f->tree);
        for (i = 0; i < count && !clang_equalCursors(asked[i], of); i++) continue;
        if (i == count && clang_getCursorKind(clang_getCursorSemanticParent(of))
            == CXCursor_TranslationUnit) {
            GROW(asked, count);
            asked[count++] = of;
            doubt_static(of, name_of(target.function), function_at(target.function)->tree);
        }
    }
    for (i = 0; i < n->n; i++) doubt_statics(f, n->child[i]);
}

/* What is an input, or a result, and is none: nothing that is understood leads from the one to the
   other. */
static void doubt(const entry *e)
{
    const roles *const both[2] = { &e->in, &e->out };
    size_t i, k;
    for (k = 0; k < 2; k++)
        for (i = 0; i < both[k]->n; i++)
            if (!is_active(role_memory(e, &both[k]->all[i])))
                warn(place_of(e->function), k ? "'%s' does not depend on the inputs"
                                              : "'%s' does not reach the results",
                     both[k]->all[i].name);
}

static const role *role_named(const roles *r, const char *name)
{
    size_t i;
    for (i = 0; i < r->n; i++)
        if (equal(r->all[i].name, name)) return &r->all[i];
    return NULL;
}
static const role *role_of(const roles *r, int parameter)
{
    size_t i;
    for (i = 0; i < r->n; i++)
        if (r->all[i].parameter == parameter) return &r->all[i];
    return NULL;
}
static int is_memory(const entry *e, const role *r)
{
    int depth;
    return r->vector || (r->parameter >= 0
           && real_type(clang_getCursorType(parameter(e, r->parameter)), &depth) && depth > 0);
}
/* The elements of the roles before `r`, or of all: "3 + 1 + n". */
static char *total(const roles *all, const role *r)
{
    text t = { NULL, 0, 0 };
    const role *o;
    for (o = all->all; o < all->all + all->n && o != r; o++)
        print(&t, "%s%s", t.n ? " + " : "", o->length ? o->length : "1");
    return t.n ? t.s : say("0");
}
/* What has a size that nobody said, or NULL. */
static const role *unsized(const entry *e)
{
    const roles *const both[2] = { &e->in, &e->out };
    size_t i, k;
    for (k = 0; k < 2; k++)
        for (i = 0; i < both[k]->n; i++)
            if (is_memory(e, &both[k]->all[i]) && !both[k]->all[i].length) return &both[k]->all[i];
    return NULL;
}
static const char *value_of(const char *name)
{
    size_t i;
    for (i = 0; i < sets; i++)
        if (starts(set[i], name) && set[i][strlen(name)] == '=') return set[i] + strlen(name) + 1;
    return NULL;
}

/* C that calls a function: `declare` its memory, fill it (`before`), the `call`, and the results
   (`after`). `plain`: of the function as it is, in plain numbers; else of its translation. Of a
   CLAIM the result is the caller's memory itself: only there the checker sees what is not written,
   added to, or written past its end; and it is told of inputs that were written to. */
enum { CLAIM = 2 };
typedef struct caller {
    text declare, before, call, after;
    text contexts;                 /* of SUNDIALS' objects, which make others in theirs */
    int  valued, sundials;         /* f's values are there; vectors of SUNDIALS are */
} caller;

static int is_flat(CXType t)                   /* double *, double [] */
{
    int depth;
    real_type(t, &depth);
    return depth == 1;
}
/* The pattern with the words for $0, $1 ... */
static void fill(text *t, const char *pattern, const char *const *words)
{
    for (; *pattern; pattern++)
        if (*pattern == '$') print(t, "%s", words[*++pattern - '0']);
        else put(t, pattern, 1);
}
static const char *original(CXCursor c)
{
    return say("%.*s", (int)(end_of(c) - start_of(c)), code.s + start_of(c));
}
/* A vector around `memory`. */
static void call_vector(caller *c, int vector, const char *name, const char *length,
                        const char *memory, const char *tail, int plain)
{
    const char *const words[] = { name, length, memory, tail };
    fill(&c->before, "    memset(&adc_v_$0, 0, sizeof adc_v_$0);\n", words);
    if (vector == OF_GSL) {
        fill(&c->declare, "    gsl_vector$3 adc_v_$0;\n", words);
        fill(&c->before, "    adc_v_$0.size = $1;\n    adc_v_$0.stride = 1;\n"
             "    adc_v_$0.data = $2;\n", words);
        return;
    }
    c->sundials = 1;
    fill(&c->declare, "    struct _N_VectorContent_Serial$3 adc_c_$0;\n"
         "    struct _generic_N_Vector adc_v_$0;\n", words);
    fill(&c->before, "    adc_v_$0.content = &adc_c_$0;\n    adc_c_$0.length = $1;\n"
         "    adc_c_$0.data = $2;\n", words);
    if (plain) fill(&c->before, "    adc_v_$0.ops = &adc_ops;\n", words);
    if (plain) fill(&c->contexts, "    adc_v_$0.sunctx = adc_context;\n", words);
}
/* A SUNMatrix is one of three kinds, which its type does not tell: C that makes one around `data`,
   and gives its entries by rows. A band is as wide as can be, and a sparse matrix has room for all
   entries. $0 is its name, of $1 entries in $2 rows and $3 columns. */
static const struct matrix_kind {
    const char *name, *header, *declare, *at, *open, *close;
} kinds[] = {
    { "Dense", "dense",
      "    static realtype adc_$0[$1 + 64], *adc_k_$0[$3];\n",
      "realtype **",
      "    c->ldata = rows*columns;\n    c->cols = at;\n"
      "    for (k = 0; k < columns; k++) at[k] = data + k*rows;\n",
      "    for (i = 0; i < c->M; i++)\n"
      "        for (j = 0; j < c->N; j++) to[i*c->N + j] = c->cols[j][i];\n" },
    { "Band", "band",
      "    static realtype adc_$0[($2 + $3 - 1)*($3) + 64], *adc_k_$0[$3];\n",
      "realtype **",
      "    c->mu = c->s_mu = columns - 1;\n    c->ml = rows - 1;\n"
      "    c->ldim = rows + columns - 1;\n    c->ldata = c->ldim*columns;\n    c->cols = at;\n"
      "    for (k = 0; k < columns; k++) at[k] = data + k*c->ldim;\n",
      "    for (i = 0; i < c->M; i++)\n"
      "        for (j = 0; j < c->N; j++) to[i*c->N + j] = c->cols[j][i - j + c->s_mu];\n" },
    { "Sparse", "sparse",
      "    static realtype adc_$0[$1 + 64];\n    static sunindextype adc_k_$0[$1 + $2 + $3 + 1];\n",
      "sunindextype *",
      "    c->NNZ = rows*columns;\n    c->NP = adc_stored == CSC_MAT ? columns : rows;\n"
      "    c->sparsetype = adc_stored;\n    c->indexvals = at;\n"
      "    c->indexptrs = at + c->NNZ;\n    c->rowvals = c->colvals = &c->indexvals;\n"
      "    c->colptrs = c->rowptrs = &c->indexptrs;\n"
      "    memset(at, 0, (size_t)(c->NNZ + c->NP + 1)*sizeof *at);\n",
      "    memset(to, 0, (size_t)c->NNZ*sizeof *to);\n"
      "    for (i = 0; i < c->NP; i++)\n"
      "        for (j = c->indexptrs[i]; j < c->indexptrs[i + 1]; j++) {\n"
      "            const sunindextype k = j < 0 || j >= c->NNZ ? -1 : c->indexvals[j];\n"
      "            if (k < 0 || k >= (c->sparsetype == CSC_MAT ? c->M : c->N)) {\n"
      "                to[0] = NAN;                           /* no place of the matrix */\n"
      "                return;\n            }\n"
      "            to[c->sparsetype == CSC_MAT ? k*c->N + i : i*c->N + k] += c->data[j];\n"
      "        }\n" } };
static const struct matrix_kind *matrix_kind;      /* that of the claim */

/* The matrix's operations are the library's, if it is linked. The user's macros may be NNZ or M. */
static void put_matrix_support(text *t, int by_rows)
{
    static const char *const operations[] = { "Zero", "Copy", "ScaleAdd", "ScaleAddI", "Matvec",
        "Clone", "Destroy", NULL };
    static const char *const names[] = { "M", "N", "NNZ", "NP", "rows", "columns", "data", "at",
        "to", "ops", "content", "cols", "a", "c", "i", "j", "k", NULL };
    const char *const kind = matrix_kind->name, *const *o, *l;
    const char *const words[] = { kind, matrix_kind->header, by_rows ? "1" : "0" };
    const char *const length = equal(kind, "Sparse") ? "NNZ" : "ldata";
    for (o = names; *o; o++) print(t, "#pragma push_macro(\"%s\")\n#undef %s\n", *o, *o);
    fill(t, "#include <sunmatrix/sunmatrix_$1.h>\nenum { adc_stored = $2 };\n", words);
    for (o = operations; *o; o++) print(t, "#pragma weak SUNMat%s_%s\n", *o, kind);
    print(t, "static SUNMatrix_ID adc_id(SUNMatrix a)\n{\n    (void)a;\n    return SUNMATRIX_");
    for (l = kind; *l; l++) print(t, "%c", toupper((unsigned char)*l));
    fill(t, ";\n}\nstatic void adc_open(SUNMatrix a, struct _generic_SUNMatrix_Ops *ops,\n"
         "    sunindextype rows, sunindextype columns, struct _SUNMatrixContent_$0 *c,\n"
         "    realtype *data, ", words);
    print(t, "%sat)\n{\n    sunindextype k;\n%s    for (k = 0; k < 64; k++)\n"
          "        data[c->%s + k] = (realtype)0.7;                  /* is it written past it? */\n"
          "    memset(a, 0, sizeof *a);\n    memset(ops, 0, sizeof *ops);\n"
          "    a->content = c;\n    a->ops = ops;\n    c->M = rows;\n    c->N = columns;\n"
          "    c->data = data;\n    ops->getid = adc_id;\n", matrix_kind->at,
          matrix_kind->open, length);
    for (o = operations; *o; o++) {
        print(t, "    ops->");
        for (l = *o; *l; l++) print(t, "%c", tolower((unsigned char)*l));
        print(t, " = SUNMat%s_%s;\n", *o, kind);
    }
    fill(t, "}\nstatic void adc_close(const struct _SUNMatrixContent_$0 *c, realtype *to)\n{\n"
         "    sunindextype i, j;\n", words);
    print(t, "    for (i = 0; i < 64; i++)\n        if (c->data[c->%s + i] != (realtype)0.7)\n"
          "            to[c->M*c->N] = c->data[c->%s + i];\n", length, length);
    print(t, "%s}\n", matrix_kind->close);
    for (o = names; *o; o++) print(t, "#pragma pop_macro(\"%s\")\n", *o);
}
/* A claim's result by rows in adc_to. */
static void call_matrix(caller *c, const role *r, const char *rows, const char *columns)
{
    const char *const words[] = { r->name, r->length, rows, columns };
    if (r->vector == MATRIX + OF_GSL) {
        fill(&c->declare, "    gsl_matrix adc_v_$0;\n", words);
        fill(&c->before, "    memset(&adc_v_$0, 0, sizeof adc_v_$0);\n"
             "    adc_v_$0.data = adc_to;\n    adc_v_$0.size1 = $2;\n"
             "    adc_v_$0.size2 = adc_v_$0.tda = $3;\n", words);
        return;
    }
    fill(&c->declare, matrix_kind->declare, words);
    print(&c->declare, "    struct _SUNMatrixContent_%s adc_c_%s;\n", matrix_kind->name, r->name);
    fill(&c->declare, "    struct _generic_SUNMatrix adc_v_$0;\n"
         "    struct _generic_SUNMatrix_Ops adc_m_$0;\n", words);
    fill(&c->before, "    memset(&adc_c_$0, 0, sizeof adc_c_$0);\n"
         "    memset(adc_$0, 0, sizeof adc_$0);\n"
         "    adc_open(&adc_v_$0, &adc_m_$0, $2, $3, &adc_c_$0, adc_$0, adc_k_$0);\n", words);
    fill(&c->contexts, "    adc_v_$0.sunctx = adc_context;\n", words);
    fill(&c->after, "    adc_close(&adc_c_$0, adc_to);\n", words);
}
static void call_memory(caller *c, const entry *e, const role *in, const role *out, int plain)
{
    const CXType type = clang_getCanonicalType(clang_getCursorType(parameter(e, (in ? in : out)
                                                                             ->parameter)));
    if (type.kind == CXType_Pointer && !is_flat(type)
        && clang_getCanonicalType(clang_getPointeeType(type)).kind == CXType_Pointer)
        die(plain == CLAIM && !in ? "'%s' points to pointers: the result of what is checked is in "
            "one piece" : "'%s' points to pointers: --set '%s=...' and --setup",
            (in ? in : out)->name, (in ? in : out)->name);
    const char *const real = single ? "float" : "double", *const tail = plain ? "" : suffix;
    const role *const r = in ? in : out;
    const int active = !plain && is_active(role_memory(e, r)), number = plain || active;
    int depth;
    if (plain == CLAIM && !r->vector
        && real_type(type, &depth) != (single ? 'f' : 'd'))
        die("'%s' of '%s' is of another precision than what '%s' computes", r->name,
            name_of(e->function), name_of(target.function));
    if (plain == CLAIM && !in) {
        if (r->vector > MATRIX)
            call_matrix(c, r, total(&target.out, NULL), total(&target.in, NULL));
        else if (r->vector) call_vector(c, r->vector, r->name, r->length, "adc_to", "", plain);
        return;
    }
    print(&c->declare, "    static %s adc_%s[%s];\n", active ? T : real, r->name, r->length);
    if (in) {
        print(&c->before, "    for (adc_i = 0; adc_i < %s; adc_i++) adc_%s[adc_i] = ", r->length,
              r->name);
        print(&c->before, "%s%sadc_from[%s + adc_i]%s;\n", number ? "" : T,
              number ? "" : "_value(", total(&e->in, in), number ? "" : ")");
    } else {
        print(&c->before, "    memset(adc_%s, 0, sizeof adc_%s);\n", r->name, r->name);
    }
    if (in && plain == CLAIM)
        print(&c->after, "    for (adc_i = 0; adc_i < %s; adc_i++)\n"
              "        ((%s *)adc_from)[%s + adc_i] = adc_%s[adc_i];\n", r->length, real,
              total(&e->in, in), r->name);
    if (out) {
        print(&c->after, "    for (adc_i = 0; adc_i < %s; adc_i++) adc_to[%s + adc_i] = ",
              r->length,
              total(&e->out, out));
        print(&c->after, "%s%sadc_%s[adc_i]%s;\n", number ? "" : T, number ? "" : "_num(", r->name,
              number ? "" : ")");
    }
    if (r->vector)
        call_vector(c, r->vector, r->name, r->length, say("adc_%s", r->name), active ? tail : "",
                    plain);
}
/* The caller's pointer, as --setup knows it; not where a macro or a type has the name. */
static const char *user_name(void)
{
    size_t i, p;
    for (i = 0; i < item_count; i++)
        for (p = 0; p < items[i].parts; p++)
            if (clang_getCursorKind(items[i].part[p]->cursor) == CXCursor_TypedefDecl
                && equal(name_of(items[i].part[p]->cursor), "user")) return "adc_user";
    return strstr(macro_names.s, " user ") || strstr(macro_names.s, " user(") ? "adc_user" : "user";
}
/* Declared, since compilers ask for it, and defined. */
static char *plain_head(const char *name)
{
    const char *const real = single ? "float" : "double";
    const char *const head = say("void %s(const %s *adc_from, %s *adc_to, void *%s)", name, real,
                                 real, user_name());
    return say("%s;\n%s", head, head);
}
static CXCursor found;
static enum CXChildVisitResult find_definition(CXCursor c, CXCursor above, CXClientData data)
{
    (void)above;
    if (clang_getCursorKind(c) == CXCursor_FunctionDecl && clang_isCursorDefinition(c)
        && equal(name_of(c), (const char *)data)) found = c;
    return CXChildVisit_Continue;
}

static int defines(const char *name)
{
    found = clang_getNullCursor();
    clang_visitChildren(clang_getTranslationUnitCursor(unit), find_definition,
                        (CXClientData)(size_t)name);
    return !clang_Cursor_isNull(found);
}
/* The function of the file that a value of --set is, or NULL. */
static function *named_by(const char *value)
{
    if (value == NULL) return NULL;
    value += *value == '&';
    return value[0] && defines(value) ? function_at(found) : NULL;
}
static void call_argument(caller *c, const entry *e, int i, int plain)
{
    const CXCursor p = parameter(e, i);
    const CXType type = clang_getCanonicalType(clang_getCursorType(p));
    const role *const in = role_of(&e->in, i), *const r = in ? in : role_of(&e->out, i);
    const char *const name = name_of(p), *const value = value_of(name);
    const int number = plain || !is_scalar_real(type) || is_active(cell(p, 0));
    const function *const target_of_it = plain ? NULL : named_by(value);
    const int vector = vector_of(clang_getCursorType(p));
    const role *const of_f = plain == CLAIM && !r && !value && (vector || is_flat(type))
        ? role_named(&target.out, name) : NULL;
    /* J(t, y, fy, J, user, tmp1, tmp2): other vectors are f's values before the result, and memory
       after it */
    const int space = plain == CLAIM && vector && !r && !value && !of_f
        && e->out.all[0].vector > MATRIX ? 1 + (i > e->out.all[0].parameter) : 0;
    if (i) put(&c->call, ", ", 2);
    if (of_f || space == 1) {                  /* J(y, dy, ...) is given what f(y, dy) wrote */
        const char *const at = say("adc_of_f + (%s)", of_f ? total(&target.out, of_f) : "0");
        if (!c->valued++) {
            print(&c->declare, "    static %s adc_of_f[%s];\n", single ? "float" : "double",
                  total(&target.out, NULL));
            print(&c->before, "    adc_plain(adc_from, adc_of_f, %s);\n", user_name());
        }
        if (vector) call_vector(c, vector, name, !of_f ? total(&target.out, NULL) : of_f->length
                                ? of_f->length : "1", at, "", plain);
        print(&c->call, vector ? "&adc_v_%s" : "%s", vector ? name : at);
    } else if (space) {
        print(&c->declare, "    static %s adc_%s[%s];\n", single ? "float" : "double", name,
              total(&target.in, NULL));
        call_vector(c, vector, name, total(&target.in, NULL), say("adc_%s", name), "", plain);
        print(&c->call, "&adc_v_%s", name);
    } else if (plain == CLAIM && r && !in && is_memory(e, r) && !r->vector)
        print(&c->call, "(void *)adc_to");
    else if (r && is_memory(e, r))
        print(&c->call, r->vector ? "&adc_v_%s" : is_flat(type) ? "adc_%s"
              : "(void *)adc_%s", r->name);                          /* double A[2][2] */
    else if (in) print(&c->call, "%s%sadc_from[%s]%s", number ? "" : T, number ? "" : "_value(",
                       total(&e->in, in), number ? "" : ")");
    else if (value && !plain && vector && !equal(value, "0") && !equal(value, "NULL"))
        die("'%s' of '%s' is a vector, whose numbers have another type in the translation: --in or "
            "--out '%s[...]', or numbers behind void *user", name, name_of(e->function), name);
    else if (value && !plain && is_scalar_real(type) && number)
        print(&c->call, "%s_num(%s)", T, value);
    else if (target_of_it && target_of_it->renamed)
        print(&c->call, "%s%s", target_of_it->name, suffix);
    else if (value) put(&c->call, value, strlen(value));
    else if (type.kind == CXType_Pointer
             && clang_getCanonicalType(clang_getPointeeType(type)).kind == CXType_Void)
        print(&c->call, "%s", user_name());
    else if (given[O_n] && !clang_equalCursors(p, clang_getNullCursor())
             && type.kind != CXType_Pointer
             && type.kind >= CXType_FirstBuiltin && type.kind < CXType_Float)
        put(&c->call, given[O_n], strlen(given[O_n]));      /* int n */
    else die("'%s' of '%s' has no value: --in, --out or --set %s=...", name, name_of(e->function),
             name);
}
static void put_caller(text *t, const char *head, const entry *e, int plain)
{
    static const char *const operations[] = { "GetArrayPointer", "GetLength", "LinearSum", "Const",
        "Prod", "Div", "Scale", "Abs", "Inv", "AddConst", "DotProd", "MaxNorm", "WrmsNorm",
        "WrmsNormMask", "Min", "WL2Norm", "L1Norm", "Compare", "InvTest", "ConstrMask",
        "MinQuotient", "SetArrayPointer", "GetVectorID", "Clone", "CloneEmpty", "Destroy" };
    const int n = clang_Cursor_getNumArguments(e->function);
    const role *const returned = role_of(&e->out, -1);
    caller c;
    size_t k;
    int i;
    memset(&c, 0, sizeof c);
    put(&c.declare, "", 0);
    put(&c.before, "", 0);
    put(&c.after, "", 0);
    if (unsized(e)) die("how long is '%s'? --in or --out '%s[...]' (--n: const pointers alone)",
                        unsized(e)->name, unsized(e)->name);
    for (i = 0; i < n; i++) {
        const role *const in = role_of(&e->in, i), *const out = role_of(&e->out, i);
        if ((in && is_memory(e, in)) || (out && is_memory(e, out))) call_memory(&c, e, in, out,
                                                                                plain);
    }
    if (plain == CLAIM && e->out.all[0].vector                   /* theirs return 0, or fail */
        && clang_getCanonicalType(clang_getCursorResultType(e->function)).kind == CXType_Int) {
        print(&c.declare, "    int adc_failed;\n");
        print(&c.call, "adc_failed = ");
        print(&c.after, "    if (adc_failed) adc_to[0] = NAN;\n");
    }
    if (returned) print(&c.call, "adc_to[%s] = ", total(&e->out, returned));
    if (returned && !plain && !is_active(role_memory(e, returned))) print(&c.call, "%s_num(", T);
    print(&c.call, "%s%s(", name_of(e->function), plain ? "" : suffix);
    for (i = 0; i < n; i++) call_argument(&c, e, i, plain);
    if (c.sundials && plain) {                     /* the library's, if it is linked */
        print(&c.declare, "    struct _generic_N_Vector_Ops adc_ops;\n");
        print(&c.before, "    memset(&adc_ops, 0, sizeof adc_ops);\n");
        for (k = 0; k < sizeof operations/sizeof *operations; k++) {
            const char *const name = say("N_V%s_Serial", operations[k]), *l;
            if (!strstr(code.s, name)) continue;
            print(t, "#pragma weak %s\n", name);
            print(&c.before, "    adc_ops.nv");
            for (l = operations[k]; *l; l++)
                print(&c.before, "%c", tolower((unsigned char)*l));
            print(&c.before, " = %s;\n", name);
        }
    }
    print(&c.call, returned && !plain && !is_active(role_memory(e, returned)) ? "))" : ")");
    if (c.contexts.n && strstr(code.s, "SUNContext sunctx;")) {        /* since its version 6 */
        print(t, "#pragma weak SUNContext_Create\n");
        print(&c.declare, "    static SUNContext adc_context;\n");
        print(&c.before, "    if (SUNContext_Create && !adc_context)\n"
              "        SUNContext_Create(0, &adc_context);\n%s", c.contexts.s);
    }
    print(t, "%s\n{\n%s    int adc_i = 0;\n", head, c.declare.s);
    if (given[O_setup]) print(t, "    %s\n", given[O_setup]);
    print(t, "%s    %s;\n%s    (void)adc_i; (void)%s; (void)adc_from; (void)adc_to;\n}\n",
          c.before.s, c.call.s, c.after.s, user_name());
}

/* The translation as the drivers of autodiff.h take it. */
static void put_vfun(text *t)
{
    const char *const p = single ? "adf" : "ad", *const name = name_of(target.function);
    char *const head = say("void %s_vfun(%s_tape *adc_t, const %s *adc_from, size_t adc_n, "
                           "%s *adc_to, size_t adc_m, void *%s)", name, p, T, T, user_name());
    char *const at = say("static void adc_%s_at(const %s *adc_from, %s *adc_to, void *%s)", name, T,
                         T, user_name());
    print(t, "\n/* y = %s(x) for the drivers of autodiff.h: x is ", name);
    print(t, "%s", given[O_in] ? given[O_in] : "the inputs");
    print(t, ". */\n%s;\n%s;\n%s\n{\n    (void)adc_t; (void)adc_n; (void)adc_m;\n"
          "    adc_%s_at(adc_from, adc_to, %s);\n}\n", at, head, head, name, user_name());
    put_caller(t, at, &target, 0);
}

/* Names that the translation has of its own must not be the file's. */
static int is_taken(const char *name)
{
    static const char *const all[] = { "var", "dual", "dual2", "dual4", "dual8", "tape", NULL };
    return starts(name, say("%s_", T)) || (starts(name, "ad_") && among(name + 3, all))
           || (starts(name, "adf_") && among(name + 4, all));
}
static void check_names(int vfun)
{
    static const char *const external[] = { "d", "i", "in", "k", "m", "n", "op", "user", "x",
        "x_bar", "x_dot", "y", "y_bar", "y_dot", NULL };
    const char *const function = say("%s_vfun", name_of(target.function));
    size_t i, k;
    unsigned number;
    for (i = 0; i < item_count; i++)
        for (k = 0; items[i].needed && k < items[i].parts; k++) {
            const CXCursor c = items[i].part[k]->cursor;
            const char *const name = name_of(c);
            if (is_taken(name) || (vfun && equal(name, function))
                || ((checks || derives) && (starts(name, "adc_") || starts(name, "ADC_"))))
                refuse(place_of(c), "'%s' is a name that the translation has of its own", name);
        }
    for (number = 1; number < users; number++) {
        const char *s = user[number] + strspn(user[number], " \t"), *word;
        size_t n = 0;
        if (*s != '#' || is_inside(number)) continue;
        s += 1 + strspn(s + 1, " \t");
        if (!starts(s, "define") || is_name(s[6])) continue;
        word = s + 6 + strspn(s + 6, " \t");
        while (is_name(word[n])) n++;
        word = say("%.*s", (int)n, word);
        if (!starts(word, "adc_") && !is_taken(word) && !(vfun && equal(word, function))
            && !(external_count && among(word, external))) continue;
        fprintf(stderr, "%s:%u:%u: error: '%s' is a name that the translation has of its own\n",
                path, number, (unsigned)(strstr(user[number], word) - user[number]) + 1, word);
        refused++;
    }
}

/* ---- the whole of it */
static void open_source(void)
{
    struct CXUnsavedFile file;
    const char **arguments = (const char **)more(NULL, (passes + 4) * sizeof *arguments);
    int n = 0;
    unsigned i, errors = 0;
    read_user();
    read_expanded();
    add_known();
    add_taken();
    file.Filename = "expanded.c";
    file.Contents = code.s;
    file.Length = (unsigned long)code.n;
    arguments[n++] = "-std=gnu11";
    arguments[n++] = "-w";
    unit = clang_parseTranslationUnit(clang_createIndex(0, 0), "expanded.c", arguments, n, &file, 1,
                                      0);
    if (unit == NULL) die("libclang does not read '%s'", path);
    for (i = 0; i < clang_getNumDiagnostics(unit); i++) {
        const CXDiagnostic d = clang_getDiagnostic(unit, i);
        if (clang_getDiagnosticSeverity(d) < CXDiagnostic_Error || errors++ > 4) continue;
        refuse(offset_of(clang_getDiagnosticLocation(d)), "%s",
               string_of(clang_getDiagnosticSpelling(d)));
    }
    if (refused) exit(failed());
}

/* The file's function whose name is next to another. */
typedef struct likeness { const char *name, *best; size_t apart; } likeness;
static enum CXChildVisitResult find_alike(CXCursor c, CXCursor above, CXClientData data)
{
    likeness *const l = (likeness *)data;
    (void)above;
    if (clang_getCursorKind(c) == CXCursor_FunctionDecl && clang_isCursorDefinition(c)
        && line_at(place_of(c))->own && strlen(name_of(c)) <= LONGEST_SYMBOL
        && distance(l->name, name_of(c)) <= l->apart) {
        l->best = name_of(c);
        l->apart = distance(l->name, l->best);
    }
    return CXChildVisit_Continue;
}
static CXCursor definition_of(const char *name)
{
    likeness l;
    if (defines(name)) return found;
    l.name = name;
    l.best = NULL;
    l.apart = strlen(name)/3;                            /* a letter in three */
    if (strlen(name) <= LONGEST_SYMBOL)
        clang_visitChildren(clang_getTranslationUnitCursor(unit), find_alike, &l);
    if (l.best) die("'%s' defines no function '%s': '%s'?", path, name, l.best);
    die("'%s' defines no function '%s'", path, name);
    return found;
}

/* Rewrites what is reached, to see what changes: functions whose text does get another name. */
static void find_renamed(void)
{
    const int refused_before = refused, warned_before = warned;
    int again = 1;
    size_t i;
    FILE *const saved = stderr;
    (void)saved;
    for (i = 0; i < function_count; i++)
        functions[i].renamed = clang_Cursor_getStorageClass(functions[i].cursor) != CX_SC_Static
                               || clang_equalCursors(functions[i].cursor, target.function);
    while (again) {
        again = 0;
        for (i = 0; i < function_count; i++) {
            changes own = { NULL, 0 };
            if (functions[i].renamed) continue;
            edits = &own;
            rewrite_function(functions[i].tree);
            if (own.n) functions[i].renamed = again = 1;
        }
    }
    for (i = 0; i < function_count; i++) {
        changes own = { NULL, 0 };
        edits = &own;
        rewrite_function(functions[i].tree);
        functions[i].rewritten = own.n > 0;
    }
    edits = NULL;
    refused = refused_before;
    warned = warned_before;
}
/* A variable of a header is not written anew for the functions that it holds: it would call those
   of plain numbers. */
static int names_rewritten(const node *n)
{
    size_t i;
    if (n->kind == CXCursor_DeclRefExpr) {
        const CXCursor d = clang_getCursorDefinition(clang_getCursorReferenced(n->cursor));
        const function *const f = clang_Cursor_isNull(d) ? NULL : function_at(d);
        if (f && f->rewritten) return 1;
    }
    for (i = 0; i < n->n && !names_rewritten(n->child[i]); i++) continue;
    return i < n->n;
}
static void doubt_tables(void)
{
    size_t i;
    for (i = 0; i < variable_count; i++) {
        const CXCursor d = clang_getCursorDefinition(variables[i]);
        if (!clang_Cursor_isNull(d) && !line_at(place_of(d))->own
            && names_rewritten(grow_tree(d, NULL)))
            refuse(place_of(d), "'%s' holds functions that carry derivatives: that is followed in "
                   "the file that is read, not in one that it includes", name_of(d));
    }
}

/* Functions of the file that --setup names. */
static void reach_words(const char *s)
{
    size_t n;
    for (; s && *s; s += n ? n : 1) {
        for (n = 0; is_name(s[n]);) n++;
        if (n == 0) continue;
        found = clang_getNullCursor();
        clang_visitChildren(clang_getTranslationUnitCursor(unit), find_definition,
                            say("%.*s", (int)n, s));
        if (!clang_Cursor_isNull(found)) reach(found);
    }
}

/* Both may be behind one pointer. */
static void share_type(const function *f, const function *g)
{
    const int n = clang_Cursor_getNumArguments(f->cursor),
        m = clang_Cursor_getNumArguments(g->cursor);
    int i;
    if (!f->taken || !g->taken || !may_point_to(function_type(f), function_type(g))) return;
    unify(cell(f->cursor, 1), cell(g->cursor, 1));
    for (i = 0; i < n && i < m; i++) {
        const size_t p = cell(clang_Cursor_getArgument(f->cursor, (unsigned)i), 0),
            q = cell(clang_Cursor_getArgument(g->cursor, (unsigned)i), 0);
        lead(p, q);
        lead(q, p);
        unify(p, q);
    }
}

static void find_activity(void)
{
    size_t i, j;
    int again = 1;
    GROW(cells, cell_count);                   /* `decided`: a memory that outputs depend on */
    memset(&cells[cell_count], 0, sizeof *cells);
    cells[cell_count].same = decided = cell_count;
    cells[cell_count].cursor = clang_getNullCursor();
    cells[cell_count++].useful = 1;
    GROW(cells, cell_count);
    memset(&cells[cell_count], 0, sizeof *cells);
    cells[cell_count].same = untyped = cell_count;
    cells[cell_count++].cursor = clang_getNullCursor();
    clang_visitChildren(clang_getTranslationUnitCursor(unit), find_vector, NULL);
    reach(target.function);
    reach_words(given[O_setup]);
    for (i = 0; i < sets; i++) {                         /* --set kernel=gauss */
        const char *const value = strchr(set[i], '=') + 1;
        if (defines(value + (*value == '&'))) reach(found)->taken = 1;
    }
    for (i = 0; i < function_count; i++) {
        enclosing = &functions[i];
        connect(functions[i].tree);
    }
    for (i = 0; i < item_count; i++)
        for (j = 0; j < items[i].parts; j++)
            if (items[i].part[j]->kind == CXCursor_VarDecl) connect(items[i].part[j]);
    for (i = 0; i < variable_count; i++) {               /* of headers */
        const CXCursor d = clang_getCursorDefinition(variables[i]);
        if (!clang_Cursor_isNull(d) && !line_at(place_of(d))->own) connect(grow_tree(d, NULL));
    }
    pool_untyped();
    for (i = 0; i < function_count; i++) {
        for (j = 0; j < i; j++) share_type(&functions[i], &functions[j]);
    }
    follow_steps();
    seed();
    while (again) {
        again = 0;
        spread();
        for (i = 0; i < cell_count; i++)
            for (j = 0; cells[i].tied && is_active(i) && j < cell_count; j++)
                if (cells[j].tied && line_at(cells[j].at) == line_at(cells[i].at)
                    && !is_active(j)) {
                    memory *const m = &cells[root(j)];
                    m->varied = m->useful = again = 1;
                }
    }
    for (i = 0; i < function_count; i++) {
        enclosing = &functions[i];
        find_variants(functions[i].tree);
    }
    enclosing = NULL;
    for (i = 0; i < item_count; i++)               /* fields and globals of such typedefs */
        for (j = 0; j < items[i].parts; j++)
            if (items[i].part[j]->kind != CXCursor_FunctionDecl) find_variants(items[i].part[j]);
    for (i = 0; i < 2; i++)
        clang_visitChildren(clang_getTranslationUnitCursor(unit), find_foreign, NULL);
}

/* ---- programs of our own: what is made from a translation is made by compiling and running it */
static char *absolute(const char *file)
{
    char *const full = realpath(file, NULL);
    if (full == NULL) die("cannot find '%s': %s", file, strerror(errno));
    return full;
}
/* The program is compiled in another directory: a file, or a directory, by its whole name if it is
   one. */
static const char *from_here(const char *file)
{
    char *const full = realpath(file, NULL);
    return full ? full : file;
}
/* The exit code of a program made of the files named; its output goes to `out`, or to ours. Values
   are compared to the bit: no compiler's own constants for libm's functions, no contraction. What
   is extern in the file is in both files of a check, and is one. */
static int compile_and_run(const char *files, text *out)
{
    text command = { NULL, 0, 0 };
    char program[4096];
    ssize_t own;
    char *const here = absolute(path);
    size_t i;
    int status;
    *strrchr(here, '/') = 0;                   /* the directory of the file */
    print(&command, "cd");
    quote(&command, directory);
    print(&command, " && %s -O1 -fno-builtin -ffp-contract=off -D_GNU_SOURCE "
          "-ffunction-sections -fdata-sections -Werror=incompatible-pointer-types "
          "-Wl,--gc-sections,-z,muldefs %s -o program",
          given[O_cc] ? given[O_cc] : "cc", files);
    for (i = 0; i < passes; i++) {
        const int follows = i > 0 && (equal(passed[i - 1], "-I") || equal(passed[i - 1], "-isystem")
                                      || equal(passed[i - 1], "-include"));
        if (starts(passed[i], "-I") && passed[i][2])
            quote(&command, say("-I%s", from_here(passed[i] + 2)));
        else quote(&command, follows ? from_here(passed[i]) : passed[i]);
    }
    quote(&command, say("-I%s", here));
    own = readlink("/proc/self/exe", program, sizeof program - 1);
    if (own > 0) {                             /* installed: the header is in ../include */
        program[own] = 0;
        *strrchr(program, '/') = 0;
        quote(&command, say("-I%s/../include", program));
    }
    quote(&command, "-I" ADC_INCLUDE);
    if (links) quote(&command, "-Wl,--no-as-needed");    /* weak symbols ask for a library, too */
    for (i = 0; i < links; i++)
        quote(&command, starts(linked[i], "-L") ? say("-L%s", from_here(linked[i] + 2))
                                                : linked[i]);
    put(&command, " -lm >messages 2>&1", 19);
    fflush(NULL);
    if (system(command.s) != 0) {
        text said = { NULL, 0, 0 };
        FILE *const messages = fopen(file_in("messages"), "rb");
        if (messages) read_all(messages, &said);
        fputs(said.s ? said.s : "", stderr);
        die("'%s' does not compile: see above%s", path, sets ? " (what --set names must be known "
            "in the translation: --setup declares it)" : "");
    }
    command.n = 0;
    quote(&command, file_in("program"));
    if (out) {
        FILE *const pipe = popen(command.s, "r");
        if (pipe == NULL) die("cannot run '%s'", file_in("program"));
        read_all(pipe, out);
        status = pclose(pipe);
    } else {
        status = system(command.s);
    }
    if (status == -1 || (status & 0x7f) || (status >> 8 & 0xff) > 99)  /* a shell: 128 + signal */
        die("the program made from '%s' did not end well: are the sizes of --in and --out right?",
            path);
    return status >> 8 & 0xff;
}

/* What both kinds of program begin with: precision, sizes, points. Numbers of --at are a point,
   after a ';' another; else one is chosen where little is special. */
static void put_head(text *t)
{
    const char *s = given[O_at];
    size_t points = 1;
    print(t, "#include \"autodiff.h\"\n#include <stdio.h>\n#include <stdlib.h>\n#include <math.h>\n"
          "#include <unistd.h>\n"
          "#define ADC_REAL %s\n#define ADC_AD(name) %s_##name\n#define ADC_F %s_vfun\n"
          "extern const size_t adc_n, adc_m;\n"
          "void ADC_F(%s_tape *, const %s *, size_t, %s *, size_t, void *);\n"
          "static const double adc_at[] = { ", single ? "float" : "double", single ? "adf" : "ad",
          name_of(target.function), single ? "adf" : "ad", T, T);
    while (s && *(s += strspn(s, " ,\t"))) {            /* numbers apart by blanks or commas */
        char *end;
        const double x = strtod(s, &end);
        if (*s == ';') points++, s++;
        else print(t, "%.17g, ", x), s = end;
    }
    print(t, "%s };\nenum { ADC_AT = %d, ADC_POINTS = %lu };\n"
          "static ADC_REAL adc_coordinate(size_t p, size_t i)\n{\n"
          "    if (ADC_AT) return (ADC_REAL)adc_at[p*adc_n + i];\n"
          "    return (ADC_REAL)(0.5 + fmod(0.6180339887498949*(double)(3*p + i + 1), 1.0));\n}\n"
          "static int adc_sized(void)\n{\n"
          "    if (!ADC_AT || sizeof adc_at/sizeof *adc_at == ADC_POINTS*adc_n) return 1;\n"
          "    fprintf(stderr, \"adc: --at has %%u numbers\",\n"
          "            (unsigned)(sizeof adc_at/sizeof *adc_at));\n"
          "    if (ADC_POINTS > 1) fprintf(stderr, \" for %%u points\", (unsigned)ADC_POINTS);\n"
          "    fprintf(stderr, \", there are %%u inputs\\n\", (unsigned)adc_n);\n"
          "    return 0;\n}\n",
          given[O_at] ? "" : "0", given[O_at] != NULL, given[O_at] ? (unsigned long)points : 4ul);
}
static void put_sizes(text *t)
{
    print(t, "extern const size_t adc_n, adc_m;\nconst size_t adc_n = %s, adc_m = %s;\n",
          total(&target.in, NULL), total(&target.out, NULL));
}

/* The derivative: the translation is recorded at the first point, compared at the others. */
static const char *const derive[] = {
    "static int adc_keep(void *user, const char *s, size_t n)",
    "{ (void)user; return fwrite(s, 1, n, stdout) != n; }",
    "static int adc_fails(const char *message)",
    "{ fprintf(stderr, \"adc: %s\\n\", message); return 1; }",
    "static void adc_table(const char *what, const size_t *a, size_t n)",
    "{",
    "    const size_t size = n ? n : 1;            /* C has no array without elements */",
    "    size_t i;",
    "    printf(\"extern const unsigned \" ADC_NAME \"_%s[%lu];\\n\", what, (unsigned long)size);",
    "    printf(\"const unsigned \" ADC_NAME \"_%s[%lu] = {\", what, (unsigned long)size);",
    "    if (n == 0) printf(\"\\n    0\");",
    "    for (i = 0; i < n; i++)",
    "        printf(\"%s%lu\", i % 16 ? \", \" : i ? \",\\n    \" : \"\\n    \",",
    "               (unsigned long)a[i]);",
    "    printf(\"\\n};\\n\");",
    "}",
    "static int adc_main(void)",
    "{",
    "    ADC_AD(tape) *const t = ADC_AD(tape_create)(NULL);",
    "    ADC_AD(var) *const x = calloc(adc_n, sizeof *x), *const y = calloc(adc_m, sizeof *y);",
    "    ADC_REAL *const at = calloc(adc_n, sizeof *at), *const is = calloc(adc_m, sizeof *is);",
    "    ad_emit_desc desc;",
    "    char why[200];",
    "    ad_pattern pattern;",
    "    ADC_AD(fn) *f, *d;",
    "    ad_status s;",
    "    size_t i, p;",
    "    if (!t || !x || !y || !at || !is) return adc_fails(\"out of memory\");",
    "    if (!adc_sized()) return 1;",
    "    for (i = 0; i < adc_n; i++) x[i] = ADC_AD(input)(t, adc_coordinate(0, i));",
    "    ADC_F(t, x, adc_n, y, adc_m, NULL);",
    "    f = ADC_AD(fn_create)(t, adc_n, x, adc_m, y, NULL);",
    "    if (ADC_AD(fn_status)(f) != AD_OK) return adc_fails(ADC_AD(fn_message)(f));",
    "    for (p = 1; p < ADC_POINTS; p++) {",
    "        for (i = 0; i < adc_n; i++) at[i] = adc_coordinate(p, i);",
    "#ifndef ADC_REMEMBERS",
    "        ADC_AD(tape_reset)(t);",
    "#endif",
    "        for (i = 0; i < adc_n; i++) x[i] = ADC_AD(input)(t, at[i]);",
    "        ADC_F(t, x, adc_n, y, adc_m, NULL);",
    "        s = ADC_AD(fn_eval)(f, at, is);",
    "        for (i = 0; s == AD_OK && i < adc_m; i++)",
    "            if (is[i] != y[i].v && is[i] == is[i]",       /* infinities may be equal */
    "                && !(fabs((double)is[i] - (double)y[i].v) <= 1e-6*fabs((double)y[i].v)",
    "                                                             + 1e-300)) break;",
    "        if (s == AD_OK && i == adc_m) continue;",
    "        fprintf(stderr, \"adc: warning: %s takes another course at x = {\", ADC_NAME);",
    "        for (i = 0; i < adc_n; i++) fprintf(stderr, \" %g\", (double)at[i]);",
    "        fprintf(stderr, \" }: what is written holds where comparisons decide as at the \"",
    "                \"first point\\n\");",
    "        break;",
    "    }",
    "    memset(&desc, 0, sizeof desc);",
    "    memset(&pattern, 0, sizeof pattern);",
    "    desc.name = ADC_NAME;",
    "    desc.loops = AD_EMIT_LOOPS;",
    "    desc.single = sizeof(ADC_REAL) == sizeof(float);",
    "    d = ADC_KIND;",
    "    if (ADC_AD(fn_status)(d) != AD_OK) return adc_fails(ADC_AD(fn_message)(d));",
    "    adc_says(1);",
    "    desc.error = why;",
    "    desc.error_size = sizeof why;",
    "    s = ADC_AD(fn_emit)(d, &desc, adc_keep, NULL);",
    "    if (s != AD_OK) return adc_fails(*why ? why : ad_status_name(s));",
    "    if (pattern.row_start) {",
    "        printf(\"\\n/* Nonzeros: row i has row_start[i] to row_start[i + 1] - 1. */\\n\");",
    "        adc_table(\"row_start\", pattern.row_start, pattern.rows + 1);",
    "        adc_table(\"column\", pattern.column, pattern.row_start[pattern.rows]);",
    "    }",
    "    return 0;",
    "}", NULL
};
/* The check: values to the bit, the exact derivative against differences of the function as it is;
   a derivative written by hand against differences and against the exact one. */
static const char *const checking[] = {
    "void adc_plain(const ADC_REAL *x, ADC_REAL *y, void *user);",
    "static ad_status adc_status = AD_OK;",
    "static ADC_REAL *adc_scratch;",
    "static void adc_values(const ADC_REAL *x, size_t n, ADC_REAL *y, size_t m, void *user)",
    "{ (void)n; (void)m; adc_plain(x, y, user); }",
    "static void adc_exact(const ADC_REAL *x, size_t n, ADC_REAL *J, size_t m, void *user)",
    "{",
    "#ifndef ADC_REMEMBERS",
    "    const ad_status s = ADC_AD(jacobian)(NULL, ADC_F, user, x, n, m, adc_scratch, J);",
    "#else                     /* what outlives a call must not outlive its tape: one for all */",
    "    static ADC_AD(tape) *t;",
    "    static ADC_AD(var) *v;    /* outputs, then the inputs of all calls */",
    "    static size_t calls;",
    "    ADC_AD(var) *const w = realloc(v, (m + (calls + 1)*n)*sizeof *v), *in;",
    "    ad_status s = AD_ERR_MEMORY;",
    "    size_t i, k;",
    "    if (!t) t = ADC_AD(tape_create)(NULL);",
    "    if (w && t) {",
    "        v = w;",
    "        in = v + m + calls*n;",
    "        for (i = 0; i < n; i++) {         /* what was kept of this number depends on that */",
    "            for (k = calls; k > 0; k--)",
    "                if (v[m + (k - 1)*n + i].v == x[i]) break;",
    "            in[i] = k ? v[m + (k - 1)*n + i] : ADC_AD(input)(t, x[i]);",
    "        }",
    "        calls++;",
    "        ADC_F(t, in, n, v, m, user);",
    "        s = ADC_AD(jacobian_reverse)(t, n, in, m, v, J);",
    "        for (i = 0; i < m; i++) adc_scratch[i] = v[i].v;",
    "    }",
    "#endif",
    "    if (s != AD_OK) adc_status = s;",
    "}",
    "#ifdef ADC_CLAIM",
    "void adc_claim(const ADC_REAL *x, ADC_REAL *J, void *user);",
    "static void adc_claim_at(const ADC_REAL *x, size_t n, ADC_REAL *J, size_t m, void *user)",
    "{",
    "    (void)n; (void)m;",
    "    adc_called = ADC_WHAT;",
    "    adc_claim(x, J, user);",
    "    adc_called = ADC_CALLED;",
    "}",
    "static int adc_far_from(double a, double b, double size)",
    "{",
    "    return !(fabs(a - b) <= (sizeof(ADC_REAL) == 4 ? 1e-4 : 1e-9)*(size + fabs(b)))",
    "           && (a == a || b == b);",
    "}",
    "#endif",
    "static int adc_main(void)",
    "{",
    "    ADC_REAL *const x = calloc(adc_n, sizeof *x), *const y = calloc(adc_m, sizeof *y);",
    "    ADC_REAL *const J = calloc(adc_n*adc_m, sizeof *J);",
    "    ADC_REAL *const C = calloc(adc_n*adc_m + 64, sizeof *C);   /* 64: some write past it */",
    "    ad_check_suite *const suite = ad_check_suite_create(ADC_FILE_NAME);",
    "    size_t i, p;",
    "    int failed = 0, code;",
    "    adc_scratch = calloc(adc_m, sizeof *adc_scratch);",
    "    if (!x || !y || !J || !C || !suite || !adc_scratch)",
    "        return fprintf(stderr, \"adc: out of memory\\n\"), 99;",
    "    if (!adc_sized()) return 99;",
    "    for (p = 0; p < ADC_POINTS; p++) {",
    "        char name[200];",
    "        int other = 0;",
    "        for (i = 0; i < adc_n; i++) x[i] = adc_coordinate(p, i);",
    "        snprintf(name, sizeof name, \"%s at point %u\", ADC_WHAT, (unsigned)p + 1);",
    "        adc_values(x, adc_n, y, adc_m, NULL);",
    "        adc_exact(x, adc_n, J, adc_m, NULL);",
    "        for (i = 0; i < adc_m; i++)",
    "            if (memcmp(&y[i], &adc_scratch[i], sizeof y[i])",
    "                && !(fabs((double)y[i] - (double)adc_scratch[i])",
    "                     <= ADC_OFF*fabs((double)y[i]))",
    "                && (y[i] == y[i] || adc_scratch[i] == adc_scratch[i])) {",
    "                fprintf(stderr, \"adc: y[%u] of %s is %.17g, of its translation %.17g\\n\",",
    "                        (unsigned)i, name, (double)y[i], (double)adc_scratch[i]);",
    "                other++;",
    "            }",
    "#ifdef ADC_CLAIM",
    "        for (i = 0; i < adc_m*adc_n; i++) C[i] = 0;",
    "        adc_claim_at(x, adc_n, C, adc_m, NULL);",
    "        for (i = 0; i < adc_n; i++) x[i] = adc_coordinate(p, i);",
    "        for (i = 0; i < adc_m*adc_n; i++) {",
    "            double size = 0;",
    "            size_t k;",
    "            for (k = 0; k < adc_n; k++)",
    "                size = fmax(size, 1e-3*fabs((double)J[i/adc_n*adc_n + k]*(double)x[k]));",
    "            if (x[i % adc_n] != 0) size /= fabs((double)x[i % adc_n]);",
    "            if (!adc_far_from((double)C[i], (double)J[i], size)) continue;",
    "            fprintf(stderr, \"adc: %s, %u by %u: %.10g, the exact derivative is %.10g\\n\",",
    "                    name, (unsigned)(i/adc_n), (unsigned)(i % adc_n), (double)C[i],",
    "                    (double)J[i]);",
    "            other++;",
    "        }",
    "#define ADC_CHECKED adc_claim_at",
    "#else",
    "#define ADC_CHECKED adc_exact",
    "#endif",
    "        adc_says(1);",
    "@",                                       /* the line of what is checked, in the user's file */
    "        if (ad_check_suite_begin(suite, name, __FILE__, __LINE__, NULL)) {",
    "            ad_check_result *const r = ad_check_suite_result(suite);",
    "            ad_verdict v;",
    "            adc_says(0);",
    "            v = ADC_AD(check_jacobian)(adc_values, ADC_CHECKED, x, adc_n, adc_m, "
    "NULL, ad_check_suite_options(suite), r);",
    "            if (other && ad_check_ok(v)) {     /* more is known than differences show */",
    "                v = AD_VERDICT_INACCURATE;",
    "                r->wrong = (size_t)other;",
    "                snprintf(r->message, sizeof r->message, \"INACCURATE: %d of %u numbers are \"",
    "                         \"not the exact ones\", other, (unsigned)(adc_m*adc_n + adc_m));",
    "            }",
    "            adc_says(1);",
    "            ad_check_suite_end(suite, v);",
    "        }",
    "        adc_says(0);",
    "        failed += other;",
    "    }",
    "    if (adc_status != AD_OK)",
    "        fprintf(stderr, \"adc: %s: %s\\n\", ADC_WHAT, ad_status_name(adc_status));",
    "    adc_says(1);",
    "    code = ad_check_suite_finish(suite);",
    "    return adc_status != AD_OK ? 99 : code ? code : failed != 0;",
    "}", NULL
};
/* What the user's function prints goes to stderr, and so not into what is written here; and it may
   end the program, which is no success. */
static const char *const around[] = {
    "static int adc_out, adc_done;",
    "static const char *adc_called = ADC_CALLED;",
    "static void adc_says(int aloud) { fflush(stdout); dup2(aloud ? adc_out : 2, 1); }",
    "static void adc_ended(void)",
    "{",
    "    if (adc_done) return;",
    "    fprintf(stderr, \"adc: a call of '%s' ended the program\\n\", adc_called);",
    "    _Exit(99);",
    "}",
    "static int adc_main(void);",
    "int main(void)",
    "{",
    "    int code;",
    "    atexit(adc_ended);",
    "    adc_out = dup(1);",
    "    adc_says(0);",
    "    code = adc_main();",
    "    adc_says(1);",
    "    adc_done = 1;",
    "    return code;",
    "}", NULL
};
static void put_program(text *t, const char *const *lines_of, const char *place)
{
    const char *const *l;
    print(t, "#define ADC_CALLED \"%s\"\n", name_of(target.function));
    for (l = around; *l; l++) print(t, "%s\n", *l);
    for (; *lines_of; lines_of++) print(t, "%s\n", equal(*lines_of, "@") ? place : *lines_of);
}

static void derivative(text *translation, text *out)
{
    const char *const kind = given[O_gradient] ? "gradient" : given[O_hessian] ? "hessian"
                           : given[O_jvp] ? "jvp" : given[O_vjp] ? "vjp" : "jacobian";
    const char *const name = given[O_name] ? given[O_name]
        : say("%s_%s%s", given[O_function], given[O_sparse] ? "sparse_" : "", kind);
    text t = { NULL, 0, 0 };
    if (defines(name))
        warn(offset_of(clang_getCursorLocation(found)), "'%s' is the name of the derivative too: "
             "--name gives it another", name);
    print(&t, "#define AUTODIFF_STATIC%s\n", single ? "" : " double");
    put_head(&t);
    print(&t, "#define ADC_NAME \"%s\"\n", name);
    print(&t, given[O_sparse] ? "#define ADC_KIND ADC_AD(fn_sparse_%s)(f, &pattern)\n"
          : "#define ADC_KIND ADC_AD(fn_%s)(f)\n", kind);
    if (remembers) print(&t, "#define ADC_REMEMBERS\n");
    put_program(&t, derive, "");
    print(&t, "#line 1 \"translation\"\n");
    put(&t, translation->s, translation->n);
    put_sizes(&t);
    write_file(file_in("main.c"), &t);
    if (compile_and_run("main.c", out) != 0) exit(failed());
}

/* A matrix, or else a pointer to numbers, or else a vector: 1, 2, 3; where none of these, 0. */
static int may_take_result(const entry *claim, int i)
{
    const CXType t = clang_getCursorType(parameter(claim, i));
    int depth;
    if (role_of(&claim->in, i) || points_to_const(t)) return 0;
    return matrix_of(t) ? 1 : vector_of(t) ? 3 : real_type(t, &depth) && depth > 0 ? 2 : 0;
}
/* The vector of a claim that stands where f has this one among its vectors: those of SUNDIALS often
   have another name there. -1: none. */
static int same_vector(const entry *claim, const role *r)
{
    const int n = clang_Cursor_getNumArguments(claim->function);
    int before = 0, i;
    for (i = 0; i < r->parameter; i++)
        before += vector_of(clang_getCursorType(parameter(&target, i))) != NO_VECTOR;
    for (i = 0; i < n; i++)
        if (vector_of(clang_getCursorType(parameter(claim, i))) && before-- == 0)
            return role_named(&target.out, name_of(parameter(claim, i))) ? -1 : i;
    return -1;
}
/* IDA's Jacobian is dF/dy + c dF/dy', a matrix of one vector's size for two inputs: it has a number
   more than the residual has, and SUNDIALS' matrix. */
static void refuse_combined(const entry *claim)
{
    const int n = clang_Cursor_getNumArguments(claim->function);
    const int m = clang_Cursor_getNumArguments(target.function);
    int more = 0, i;
    for (i = 0; i < n; i++) more += is_scalar_real(clang_getCursorType(parameter(claim, i)));
    for (i = 0; i < m; i++) more -= is_scalar_real(clang_getCursorType(parameter(&target, i)));
    if (more > 0 && target.in.n == 2 && target.in.all[0].vector && target.in.all[1].vector)
        die("'%s' is a sum of two Jacobians, as IDA has it: write r(y) = F(y, yp + c*(y - y0)), "
            "and check that by y", name_of(claim->function));
}
/* The function of a file that is said to compute f's derivative: inputs by the names that f has for
   them, f's values too, the result in the pointer that is left, or else returned. */
static void find_claim(entry *claim)
{
    const int n = clang_Cursor_getNumArguments(claim->function);
    size_t k;
    int i, kind, left;
    for (k = 0; k < target.in.n; k++) {
        const role *const r = &target.in.all[k];
        int p = parameter_of(claim, r->name, strlen(r->name));
        if (p < 0 && r->vector) p = same_vector(claim, r);
        if (p < 0) die("'%s' has no parameter '%s' as '%s' has", name_of(claim->function), r->name,
                       name_of(target.function));
        add_role(claim, &claim->in, r->name, strlen(r->name), r->length, p);
    }
    for (i = 0, left = 0; i < n; i++) left += may_take_result(claim, i) != 0;
    for (kind = 1; kind <= 3; kind++)
        for (i = 0; i < n; i++) {
            const CXType type = clang_getCursorType(parameter(claim, i));
            const char *const name = name_of(parameter(claim, i));
            if (may_take_result(claim, i) == kind
                && !(left > 1 && (kind == 3 || is_flat(type)) && role_named(&target.out, name))) {
                add_role(claim, &claim->out, name, strlen(name),
                         say("((%s)*(%s))", total(&target.in, NULL), total(&target.out, NULL)), i);
                if (kind == 1) {
                    claim->out.all[0].vector = matrix_of(type);
                    refuse_combined(claim);
                }
                return;
            }
        }
    if (!is_scalar_real(clang_getCursorResultType(claim->function)))
        die("'%s' has no parameter that takes its result", name_of(claim->function));
    add_role(claim, &claim->out, "return", 6, NULL, -1);
}

static const char *squeezed(const char *text)  /* without blanks */
{
    char *const to = say("%s", text), *t = to;
    for (; *text; text++) if (!strchr(" \t\n\r", *text)) *t++ = *text;
    *t = 0;
    return to;
}
static int names_word(const char *text, const char *word)
{
    const size_t n = strlen(word);
    const char *at;
    for (at = n ? strstr(text, word) : NULL; at; at = strstr(at + 1, word))
        if ((at == text || !is_name(at[-1])) && !is_name(at[n])) return 1;
    return 0;
}
static const char *claim_name(void)            /* NULL: none is checked */
{
    return !checks ? NULL : given[O_gradient] && *given[O_gradient] ? given[O_gradient]
         : given[O_jacobian] && *given[O_jacobian] ? given[O_jacobian] : NULL;
}
static int says(const char *word)              /* the user's file, as it is written */
{
    unsigned k;
    for (k = 1; k < users; k++) if (strstr(user[k], word)) return 1;
    return 0;
}
/* The only kind that a text without blanks uses, of the matrix `name` or of any, if there is
   one. */
static const struct matrix_kind *kind_in(const char *text, const char *name)
{
    const struct matrix_kind *k, *one = NULL;
    for (k = kinds; k < kinds + sizeof kinds/sizeof *kinds; k++) {
        if (name ? !strstr(text, say("Content_%s)(%s->content", k->name, name))
                   && !strstr(text, say("Content_%s)%s->content", k->name, name))
            : !strstr(text, say("Content_%s)", k->name))
              && !strstr(text, say("SUN%sMatrix", k->name))) continue;
        if (one) return NULL;
        one = k;
    }
    return one;
}
/* The kind of a claim's SUNMatrix: the one by which its text reaches into it, or that its text
   speaks of alone, or the functions do that the text names, or the file; or the only one whose
   header is there. A sparse one is stored by columns, unless CSR_MAT alone is in the file. */
static void find_kind(const entry *claim, text *plain)
{
    const char *const s = original(claim->function);
    const struct matrix_kind *k;
    text called = { NULL, 0, 0 }, file = { NULL, 0, 0 };
    size_t i, p;
    put(&called, "", 0);
    put(&file, "", 0);
    for (i = 0; i < item_count; i++)
        for (p = 0; p < items[i].parts; p++) {
            const CXCursor c = items[i].part[p]->cursor;
            const char *const name = name_of(c);
            print(&file, "%s\n", squeezed(original(c)));
            if (*name && clang_getCursorKind(c) == CXCursor_FunctionDecl && names_word(s, name))
                print(&called, "%s\n", squeezed(original(c)));
        }
    matrix_kind = kind_in(squeezed(s), claim->out.all[0].name);
    if (!matrix_kind) matrix_kind = kind_in(squeezed(s), NULL);
    if (!matrix_kind) matrix_kind = kind_in(called.s, NULL);
    if (!matrix_kind) matrix_kind = kind_in(file.s, NULL);
    if (!matrix_kind)
        for (k = kinds, i = 0; k < kinds + sizeof kinds/sizeof *kinds; k++)
            if (strstr(code.s, say("struct _SUNMatrixContent_%s {", k->name)))
                matrix_kind = i++ ? NULL : k;
    if (!matrix_kind)
        die("'%s': is the SUNMatrix dense, band or sparse? Its text names none of their macros or "
            "functions", name_of(claim->function));
    put_matrix_support(plain, says("CSR_MAT") && !says("CSC_MAT"));
}

static int check(text *translation)
{
    const char *const wanted = claim_name();
    text plain = { NULL, 0, 0 }, t = { NULL, 0, 0 };
    entry claim;
    memset(&claim, 0, sizeof claim);
    /* the file first: it may say what the system's headers have, as by _GNU_SOURCE */
    print(&plain, "#define main adc_main_of_the_file\n#include \"%s\"\n#undef main\n\n"
          "#include <math.h>\n#include <string.h>\n", absolute(path));
    put_caller(&plain, plain_head("adc_plain"), &target, 1);
    if (wanted) {
        claim.function = definition_of(wanted);
        find_claim(&claim);
        if (claim.out.all[0].vector == MATRIX + OF_SUNDIALS) find_kind(&claim, &plain);
        put_caller(&plain, plain_head("adc_claim"), &claim, CLAIM);
    }
    print(&t, "#define AUTODIFF_STATIC%s\n#define AUTODIFF_CHECK\n%s", single ? "" : " double",
          wanted ? "#define ADC_CLAIM\n" : "");
    write_file(file_in("plain.c"), &plain);
    put_head(&t);
    print(&t, "#define ADC_OFF %s\n%s", in_double || remembers ? "1e-6" : "-1", remembers
          ? "#define ADC_REMEMBERS\n" : "");
    print(&t, "#define ADC_WHAT \"%s\"\n#define ADC_FILE_NAME \"%s\"\n", wanted ? wanted
          : given[O_function], escaped(path));
    put_program(&t, checking, say("#line %u \"%s\"", line_at(place_of(wanted ? claim.function
                                           : target.function))->number, escaped(path)));
    print(&t, "#line 1 \"translation\"\n");
    put(&t, translation->s, translation->n);
    put_sizes(&t);
    write_file(file_in("main.c"), &t);
    return compile_and_run("main.c plain.c", NULL);
}

static const char *const guide[] = {
    "",
    "Numbers that depend on the inputs and on which the outputs depend get another type, operators",
    "become calls, and all else stays: text, macros and comments of lines without a change are the",
    "file's own. What loses a derivative, such as a cast to an integer, is a warning; what cannot",
    "be followed is an error: a union of numbers with something else, bits of a number, a size of",
    "memory without a sizeof, a function without a definition, setjmp.",
    "",
    "Inputs are const pointers, or else numbers; outputs are the number that is returned, or else",
    "the other pointers; --in and --out say otherwise: --in 'x[3], a' --out 'y[2]'. Vectors of",
    "SUNDIALS (N_Vector) and of GSL (gsl_vector) are memory, too. All other parameters have a",
    "value by --set; void *user is what --setup makes of it: 'static struct p q = { 2 }; user =",
    "&q;'.",
    "",
    "Comparisons: those of an ad_var are recorded, so that a compiled function knows where it",
    "holds. A derivative is of the course that is taken at the first point of --at; another course",
    "at another point is a warning. Loops of that course are loops in the derivative, too, with as",
    "many rounds as they had there.",
    "",
    "A check runs the function as it is: its values against those of the translation, to the bit,",
    "and differences of it against the exact derivative; with --gradient NAME or --jacobian NAME",
    "that function's result, by rows, against both. That is in memory, a vector, or a matrix",
    "(gsl_matrix; SUNMatrix, dense, band or sparse); a parameter with the name of a result of the",
    "function gets those values, as does, beside a matrix, a vector before it; those after it are",
    "scratch: the Jacobians of CVODE, ARKODE and KINSOL as they are. Float code that computes in",
    "double on its way is translated in float, with a warning; its values are compared to a",
    "millionth, and so are those of functions that remember numbers from call to call. Functions",
    "that --external names are checked, or translated, but not written as C. Reports are those of",
    "adcheck; AD_CHECK_FORMAT and its like work. Exit code: 0 right, 1 wrong, 77 undecided, 99",
    "not run. A derivative is written by running the translation: it is compiled first, some 10",
    "s.",
    "",
    "Examples:",
    "  adc model.c --function rhs --as dual8 -o rhs_dual8.c",
    "  adc model.c --function loss --gradient --n 3 --at '1 2 3' -o loss_gradient.c",
    "  adc check model.c --function loss --gradient loss_grad --n 3",
    "  adc check cvRoberts_dns.c --function f --jacobian Jac --in 'y[3]' --out 'ydot[3]' \\",
    "      --set t=0 -lsundials_cvode -lsundials_nvecserial -lsundials_sunmatrixdense \\",
    "      -lsundials_sunlinsoldense",
    NULL
};

static int help(void)
{
    const char *const *row;
    size_t i;
    puts("usage: adc [options] FILE.c [-I DIR -D NAME ... for the compiler]\n"
         "       adc check [options] FILE.c [-I DIR -D NAME -l LIBRARY ...]\n\n"
         "Your C as it stands: C that carries derivatives, its derivatives as C, or a check of\n"
         "those that were written by hand.\n"
         "Exit code: 0; 1 with messages on stderr, and then no file.\n");
    for (i = 0; i < O_COUNT; i++) printf("  --%-16s %s\n", options[i].name, options[i].text);
    for (row = guide; *row; row++) puts(*row);
    return 0;
}

/* What the options say must be such as can be done: their words here, parameters where they are
   known. */
static void check_options(void)
{
    static const int kinds[] = { O_gradient, O_jacobian, O_hessian, O_jvp, O_vjp };
    const char *s;
    size_t i, k = 0;
    struct stat source, result;
    for (i = 0; i < sizeof kinds/sizeof *kinds; i++) k += given[kinds[i]] != NULL;
    if (k > 1) die("one derivative at a time");
    if (given[O_sparse] && !(given[O_jacobian] || given[O_hessian]))
        die("--sparse: --jacobian or --hessian?");
    if (given[O_as] && (k || checks)) die("--as or a derivative, not both");
    if (checks && (given[O_hessian] || given[O_jvp] || given[O_vjp] || given[O_sparse]))
        die("adc check: --gradient NAME or --jacobian NAME");
    if (given[O_branches] && !equal(given[O_branches], "record")
        && !equal(given[O_branches], "value")) die("--branches: record or value");
    if (k && !checks && given[O_external])
        die("--external: its derivative is no C that could be written; --as, or adc check");
    for (i = 0; i < sets; i++)
        if (!strchr(set[i], '=')) die("--set: NAME=VALUE, not '%s'", set[i]);
    for (s = given[O_at] ? given[O_at] : ""; *(s += strspn(s, " ,;\t"));) {
        char *end;
        const double x = strtod(s, &end);
        if (end == s || !strchr(" ,;\t", *end) || x - x != 0)
            die("--at: '%.*s' is no number", (int)strcspn(s, " ,;\t"), s);
        s = end;
    }
    if (given[O_output] && stat(given[O_output], &result) == 0 && stat(path, &source) == 0
        && source.st_dev == result.st_dev && source.st_ino == result.st_ino)
        die("--output: '%s' is what is read", given[O_output]);
}
/* Of the function, or of the one that is checked. */
static void check_sets(void)
{
    const char *const claimed = claim_name();
    entry claim;
    size_t i;
    memset(&claim, 0, sizeof claim);
    if (claimed) claim.function = definition_of(claimed);
    for (i = 0; i < sets; i++) {
        const size_t n = strcspn(set[i], "=");
        if (parameter_of(&target, set[i], n) < 0
            && !(claimed && parameter_of(&claim, set[i], n) >= 0))
            die("--set: '%s' has no parameter '%.*s'%s%s%s", given[O_function], (int)n, set[i],
                claimed ? ", nor has '" : "", claimed ? claimed : "", claimed ? "'" : "");
    }
}

static const char *const types[] = { "var", "dual", "dual4", "dual8", "dual2", NULL };

static void arguments(int argc, char **argv)
{
    int i;
    for (i = 1; i < argc; i++) {
        const char *arg = argv[i], *value;
        size_t length;
        int o = 0;
        if (equal(arg, "-h")) arg = "--help";
        if (equal(arg, "-o")) arg = "--output";
        if (i == 1 && equal(arg, "check")) {
            checks = 1;
            continue;
        }
        if (starts(arg, "-l") || starts(arg, "-L")) {
            if (!arg[2] && argv[i + 1] == NULL) die("the value is missing: %s", arg);
            GROW(linked, links);
            linked[links++] = arg[2] ? arg : say("%s%s", arg, argv[++i]);
            continue;
        }
        if (arg[0] == '-' && arg[1] && strchr("OgWwp", arg[1])) continue;  /* -O2 -Wall -w */
        if (arg[0] == '-' && arg[1] && strchr("IDUisfm", arg[1])) {
            GROW(passed, passes);
            passed[passes++] = arg;
            if (!arg[2] || equal(arg, "-include") || equal(arg, "-isystem")) {
                if (argv[i + 1] == NULL) die("the value is missing: %s", arg);
                GROW(passed, passes);
                passed[passes++] = argv[++i];
            }
            continue;
        }
        if (strncmp(arg, "--", 2) != 0) {
            if (path && checks && (given[O_hessian] || given[O_jvp] || given[O_vjp]))
                die("a check is of --gradient NAME or --jacobian NAME, not of '%s': a Hessian is "
                    "the Jacobian of the gradient", arg);
            if (path) die("one file at a time, not '%s', '%s'", path, arg);
            path = arg;
            continue;
        }
        length = strcspn(arg += 2, "=");
        while (o < O_COUNT && (strncmp(arg, options[o].name, length) != 0
               || length != strcspn(options[o].name, " "))) o++;
        if (o == O_COUNT) die("unknown option '--%.40s'; see adc --help", arg);
        value = arg[length] ? arg + length + 1 : NULL;
        if (options[o].name[length] == 0 && !(checks && (o == O_gradient || o == O_jacobian))) {
            if (value) die("--%s takes no value", options[o].name);
            value = "";
        } else if (value == NULL && (value = argv[++i]) == NULL) {
            die("the value is missing: --%s", options[o].name);
        }
        if (o == O_external) {
            char name[200], gradient[200], more_of_it;
            if (sscanf(value, " %199[A-Za-z0-9_] : gradient %199[A-Za-z0-9_] %c", name, gradient,
                       &more_of_it) != 2)
                die("--external: 'G: gradient H', not '%s'", value);
            GROW(externals, external_count);
            memset(&externals[external_count], 0, sizeof *externals);
            externals[external_count].name = say("%s", name);
            externals[external_count++].gradient = say("%s", gradient);
        }
        if (o == O_set) {
            GROW(set, sets);
            set[sets++] = value;
        }
        given[o] = value;
    }
}

int main(int argc, char **argv)
{
    text out = { NULL, 0, 0 };
    const char *type;
    size_t i, k;
    arguments(argc, argv);
    if (given[O_help]) return help();
    if (given[O_version]) return puts("adc " ADC_VERSION) < 0;
    if (path == NULL) die("a file is missing; see adc --help");
    if (given[O_function] == NULL) die("--function: which one?");
    derives = given[O_gradient] || given[O_jacobian] || given[O_hessian] || given[O_jvp]
        || given[O_vjp];
    if (given[O_name] && !derives) die("--name: of a derivative, as with --gradient");
    check_options();
    open_source();
    target.function = definition_of(given[O_function]);
    check_sets();
    clang_visitChildren(clang_getTranslationUnitCursor(unit), collect, NULL);
    find_roles(&target);
    type = given[O_as] ? given[O_as] : real_type(clang_getCursorType(parameter(&target,
                             target.in.all[0].parameter)), NULL) == 'f' ? "fvar" : "var";
    single = *type == 'f';
    if (!among(type + single, types))
        die("--as: var, dual, dual4, dual8, dual2, or one of these after an f");
    T = say("%s_%s", single ? "adf" : "ad", type + single);
    suffix = say("_%s", type);
    while (word_in(code.s, suffix)) suffix = say("_%s", suffix);     /* a name ends so */
    recording = equal(type + single, "var")
        && !(given[O_branches] && equal(given[O_branches], "value"));
    find_activity();
    doubt(&target);
    find_acts();
    for (i = 0; i < function_count; i++) doubt_statics(&functions[i], functions[i].tree);
    find_renamed();
    doubt_tables();
    for (i = 0; i < function_count; i++) {
        need_item(item_at(functions[i].cursor));
        for (k = 0; k < item_count; k++)
            if (items[k].part[0]->kind == CXCursor_FunctionDecl
                && clang_equalCursors(clang_getCursorDefinition(items[k].part[0]->cursor),
                                      functions[i].cursor)) need_item(&items[k]);
    }
    if (given[O_setup])                            /* types that it names, and f may not */
        for (i = 0; i < item_count; i++)
            for (k = 0; k < items[i].parts; k++) {
                const CXCursor c = items[i].part[k]->cursor;
                const enum CXCursorKind kind = clang_getCursorKind(c);
                if ((kind == CXCursor_TypedefDecl || kind == CXCursor_StructDecl
                     || kind == CXCursor_EnumDecl) && names_word(given[O_setup], name_of(c)))
                    need_item(&items[i]);
            }
    clang_visitChildren(clang_getTranslationUnitCursor(unit), need_above, NULL);
    print(&out, "/* Made by adc from %s: %s and what it calls, with derivatives. */\n", path,
          given[O_function]);
    check_names(equal(type + single, "var") && (derives || checks || !unsized(&target)));
    put_translation(&out);
    if (!refused && equal(type + single, "var")
        && (derives || checks || !unsized(&target))) put_vfun(&out);
    if (refused) die("%s: nothing is written", path);
    if (checks) return check(&out);
    if (derives) {
        text c = { NULL, 0, 0 };
        print(&c, "/* Made by adc from %s: %s. */\n", path, given[O_function]);
        derivative(&out, &c);
        out = c;
    }
    write_file(given[O_output], &out);
    if (given[O_report])
        fprintf(stderr, "adc: %s: %lu functions, %u of %u lines taken, %u of these changed\n",
                given[O_function], (unsigned long)function_count, lines_taken,
                (unsigned)users - 1, lines_changed);
    return 0;
}
