/* Names that are hostile to the languages in which they are written: what check_names.sh compiles
   and reads.
       names emit DIRECTORY       a C program for each, emit-0.c ..., of a function in every form,
                                  whose inputs, outputs and captured variables have that name
       names graph DIRECTORY      dumps graph-0.json, graph-0.dot, graph-0.txt ...
       names report DIRECTORY     a suite's report-0.json, .xml, .tap, .github, .txt ...
       names words DIRECTORY      names of functions: word-0.c ... of those that are accepted, and a
                                  line "accepted WORD" or "refused WORD" each
       names list                 the names, each followed by a NUL */
#include <stdio.h>
#include <stdlib.h>
#include "../autodiff.h"

#define LONG20(piece) piece piece piece piece piece piece piece piece piece piece                  \
    piece piece piece piece piece piece piece piece piece piece
static const char *const names[] = {
    "plain", "*/ int evil(void) { return 1; } /*", "*/", "/*", "line\nbreak", "\n#error evil\n",
    "\r\n", "?\?/", "ends in ?\?/\n#error", "?\?)?\?(?\?<?\?>", "*?\?/\n/ evil 1; /*", "trailing\\",
    "back\\\nslash", "*\\\n/ evil 1; /*", "// line\\", "a \"quoted\" one", "'", "\"",
    "<script>alert(1)</script>", "</script><b>", "]]>", "<!-- --", "--> <!", "&amp;&#0;&bogus;",
    "100% %s %n %d", "%", "\x01\x02\x1b[31m\x1f\x7f", "tab\tcr\rbell\a", "\xff\xfe", "caf\xe9",
    "cut \xe2\x88", "\xed\xa0\x80", "x" LONG20("\xc3\xa9\xc3\xa9"), "\xef\xbf\xbf \xe2\x80\xa8",
    LONG20(LONG20("long ")), LONG20(LONG20("*/\n?\?/\\\"<&%")),
    "a -> b; }", "[label=x];", "{", "$x", "turned \xe2\x80\xae round \xe2\x81\xa6",
    "# SKIP", "1..2", "not ok 1", "::error::x", "not \\E<b onload='x'>", "" };
enum { NAMES = sizeof names / sizeof names[0] };

static int put(void *user, const char *text, size_t length)
{
    return fwrite(text, 1, length, (FILE *)user) != length;
}

static FILE *open_file(const char *directory, const char *stem, size_t k, const char *ending)
{
    char path[600];
    FILE *f;
    if (k == (size_t)-1) snprintf(path, sizeof path, "%s/%s%s", directory, stem, ending);
    else snprintf(path, sizeof path, "%s/%s-%lu%s", directory, stem, (unsigned long)k, ending);
    f = fopen(path, "wb");
    if (!f) {
        fprintf(stderr, "names: %s cannot be written\n", path);
        exit(2);
    }
    return f;
}
static void expect(ad_status s, const char *what, size_t k)
{
    if (s == AD_OK) return;
    fprintf(stderr, "names: %s of name %lu: %s\n", what, (unsigned long)k, ad_status_name(s));
    exit(2);
}

/* ---------------------------------------------------------------- emitted C */

/* Two outputs of two inputs, a captured variable and a branch; all with that name. by_desc: by the
   descriptor, else by ad_name. */
static ad_fn *named(const char *name, int by_desc)
{
    const char *both[2];
    ad_tape *const t = ad_tape_create(NULL);
    ad_var x[2], y[2], c;
    ad_fn_desc desc;
    ad_fn *f, *g;
    memset(&desc, 0, sizeof desc);
    both[0] = both[1] = name;
    if (by_desc) desc.input_names = desc.output_names = both;
    c = ad_name(ad_input(t, 0.75), name);
    x[0] = ad_input(t, 0.5);
    x[1] = ad_input(t, 1.5);
    if (!by_desc) {
        x[0] = ad_name(x[0], name);
        x[1] = ad_name(x[1], name);
    }
    y[0] = ad_var_add(ad_var_mul(c, ad_var_sin(x[0])), ad_var_sigmoid(x[1]));
    y[1] = ad_var_select(ad_var_lt(x[0], x[1]), ad_var_exp(x[0]), ad_var_ipow_r(x[1], 3));
    if (ad_branch(ad_var_gt_r(x[1], 0))) y[1] = ad_var_hypot(y[1], x[1]);
    if (!by_desc) ad_name(y[0], name);
    f = ad_fn_create(t, 2, x, 2, y, &desc);
    g = ad_fn_jacobian(f);
    ad_fn_destroy(f);
    ad_tape_destroy(t);
    return g;
}

/* A program that has f in these forms and compares it with what it is here. */
static void write_program(FILE *to, const ad_fn *f, const char *word, size_t k, int from, int end)
{
    static const double x[2] = { 0.625, 1.375 };
    const size_t m = ad_fn_get_stats(f).outputs;
    char name[80];
    double y[8];
    size_t i;
    int form;
    ad_emit_desc d;
    for (form = from; form < end; form++) {
        memset(&d, 0, sizeof d);
        snprintf(name, sizeof name, word ? word : "f_%lu_%d", (unsigned long)k, form);
        d.name = name;
        d.form = (ad_emit_form)form;
        expect(ad_fn_emit(f, &d, put, to), "ad_fn_emit", k);
    }
    expect(ad_fn_eval(f, x, y), "ad_fn_eval", k);
    fprintf(to, "int main(void)\n{\n    static const double the_point[2] = { 0.625, 1.375 };\n"
        "    double it_gave[8];\n    int at_output, it_is_bad = 0;\n"
        "    static const double it_should[%d] = {", (int)m);
    for (i = 0; i < m; i++) fprintf(to, "%s%.17g", i ? ", " : " ", y[i]);
    fprintf(to, " };\n");
    for (form = from; form < end; form++) {
        snprintf(name, sizeof name, word ? word : "f_%lu_%d", (unsigned long)k, form);
        fprintf(to, "    it_is_bad |= %s(the_point, it_gave);\n"
            "    for (at_output = 0; at_output < %d; at_output++)\n"
            "        it_is_bad |= it_gave[at_output] != it_should[at_output];\n", name, (int)m);
    }
    fprintf(to, "    return it_is_bad;\n}\n");
}

static void emit(const char *directory)
{
    size_t k;
    for (k = 0; k < 2 * NAMES; k++) {
        ad_fn *const f = named(names[k / 2], (int)(k % 2));
        FILE *const to = open_file(directory, "emit", k, ".c");
        expect(ad_fn_status(f), "ad_fn_create", k / 2);
        write_program(to, f, NULL, k, AD_EMIT_FUNCTION, AD_EMIT_TABLE + 1);
        fclose(to);
        ad_fn_destroy(f);
    }
}

/* Functions that lack something, in all forms: inputs, outputs, rounds of a loop, anything that
   depends on x but a guard. What is written has no loop that runs never. */
static ad_fn *lacking(int what)
{
    ad_tape *const t = ad_tape_create(NULL);
    const ad_var x = ad_input(t, 1), two = ad_const(2);
    ad_fn *f = NULL, *g = NULL;
    ad_pattern p;
    memset(&p, 0, sizeof p);
    if (what == 0) {
        f = ad_fn_parse("2", "", NULL, 0);
    } else if (what >= 4) {
        g = ad_fn_parse("x + y*sin(x); y - x", "x y", NULL, 0);
        f = ad_fn_repeat(g, 0, 2, 0, 0);
    } else {
        if (what < 3) ad_branch(what == 1 ? ad_var_ipow_r(x, 0) : ad_var_gt_r(x, 0));
        f = ad_fn_create(t, 1, &x, 1, &two, NULL);
    }
    if (what == 2 || what == 3 || what == 5) {
        ad_fn_destroy(g);
        g = f;
        f = what == 5 ? ad_fn_jacobian(g) : ad_fn_sparse_jacobian(g, &p);
    }
    ad_pattern_free(&p);
    ad_fn_destroy(g);
    ad_tape_destroy(t);
    return f;
}
static void lack(const char *directory)
{
    int what, form;
    for (what = 0; what < 6; what++) {
        ad_fn *const f = lacking(what);
        expect(ad_fn_status(f), "ad_fn_create", (size_t)what);
        for (form = 0; form < 4; form++) {
            FILE *to;
            ad_emit_desc d;
            memset(&d, 0, sizeof d);
            if (what >= 4 && form == AD_EMIT_TABLE) continue;
            if (form < 3) d.form = (ad_emit_form)form;
            else {
                d.form = AD_EMIT_POINT;
                d.language = AD_LANGUAGE_BOARD;
            }
            to = open_file(directory, "lack", (size_t)(4 * what + form), ".c");
            expect(ad_fn_emit(f, &d, put, to), "ad_fn_emit", (size_t)what);
            fclose(to);
        }
        ad_fn_destroy(f);
    }
}

/* Owned by C99 to C23, by C++11 to C++20, or by a header that emitted C includes. */
static const char *const owned[] = {
    "alignas", "alignof", "auto", "bool", "break", "case", "char", "const", "constexpr", "continue",
    "default", "do", "double", "else", "enum", "extern", "false", "float", "for", "goto", "if",
    "inline", "int", "long", "nullptr", "register", "restrict", "return", "short", "signed",
    "sizeof", "static", "static_assert", "struct", "switch", "thread_local", "true", "typedef",
    "typeof", "typeof_unqual", "union", "unsigned", "void", "volatile", "while", "_Alignas",
    "_Alignof", "_Atomic", "_BitInt", "_Bool", "_Complex", "_Decimal64", "_Generic", "_Imaginary",
    "_Noreturn", "_Static_assert", "_Thread_local", "_Pragma", "asm", "main",
    "and", "and_eq", "bitand", "bitor", "catch", "char16_t", "char32_t", "char8_t", "class",
    "co_await", "co_return", "co_yield", "compl", "concept", "const_cast", "consteval", "constinit",
    "decltype", "delete", "dynamic_cast", "explicit", "export", "friend", "mutable", "namespace",
    "new", "noexcept", "not", "not_eq", "operator", "or", "or_eq", "private", "protected", "public",
    "reinterpret_cast", "requires", "static_cast", "template", "this", "throw", "try", "typeid",
    "typename", "using", "virtual", "wchar_t", "xor", "xor_eq",
    "NAN", "INFINITY", "HUGE_VAL", "HUGE_VALF", "FP_NAN", "FP_INFINITE", "M_PI", "isnan", "isinf",
    "isfinite", "signbit", "fpclassify", "isless", "float_t", "double_t", "acos", "acosf", "acosl",
    "acosh", "asin", "asinh", "atan", "atan2", "atan2f", "atanh", "cbrt", "cbrtf", "ceil",
    "copysign", "copysignf", "cos", "cosf", "cosh", "erf", "erfc", "exp", "expf", "expl", "exp2",
    "expm1", "fabs", "fabsf", "fdim", "floor", "fma", "fmaf", "fmax", "fmin", "fmod", "fmodf",
    "frexp", "hypot", "ilogb", "ldexp", "lgamma", "llrint", "llround", "log", "logf", "log10",
    "log1p", "log2", "logb", "lrint", "lround", "modf", "nan", "nearbyint", "nextafter",
    "nexttoward", "pow", "powf", "remainder", "remquo", "rint", "round", "roundf", "scalbln",
    "scalbn", "sin", "sinf", "sinh", "sqrt", "sqrtf", "tan", "tanf", "tanh", "tanhf", "tgamma",
    "trunc", "truncf", "y0", "y1", "yn", "j0", "j1", "jn", "signgam",
    "size_t", "ptrdiff_t", "NULL", "offsetof", "max_align_t", "int8_t", "int16_t", "int32_t",
    "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "intptr_t", "uintptr_t", "intmax_t",
    "uint_least8_t", "int_fast16_t", "INT32_MAX", "UINT16_MAX", "SIZE_MAX", "UINT32_C",
    "memcpy", "memmove", "memset", "memcmp", "memchr", "strcpy", "strncpy", "strcat", "strcmp",
    "strlen", "strchr", "strrchr", "strstr", "strtok", "strerror", "strcoll", "strxfrm", "strspn",
    "strcspn", "strpbrk", "strncmp", "strncat",
    "index", "rindex", "ffs", "bcopy", "bzero", "stpcpy", "strsep", "strcasecmp", "finite",
    "isinff", "significand", "j0f", "ynf", "unix", "locale_t", "fadd", "nextup", "roundeven",
    "MAXFLOAT" };
/* A reader's own: these must be taken, and work, however the text calls its own variables. */
static const char *const taken[] = {
    "f", "g", "x", "y", "n", "w", "p", "i", "j", "k", "q", "r", "s", "t", "a", "b", "c", "d", "v",
    "u", "v0", "v1", "w0", "x0", "bad", "model", "energy_gradient", "F", "X", "exponential",
    "memcpy_", "size", "sine", "normal", "value", "points", "x_stride", "y_stride", "output",
    "number", "code", "sigmoid", "mul0", "ipow", "batch", "piece", "abs_", "batch_",
    "twelve34567890123456789012345678901234567890" };

static void words(const char *directory)
{
    const size_t n_owned = sizeof owned / sizeof owned[0], n_taken = sizeof taken / sizeof taken[0];
    ad_fn *const f = named("plain", 1);
    size_t k, programs = 0;
    int form;
    for (k = 0; k < n_owned + n_taken; k++) {
        const char *const word = k < n_owned ? owned[k] : taken[k - n_owned];
        int refused = 0;
        for (form = AD_EMIT_FUNCTION; form <= AD_EMIT_TABLE; form++) {
            FILE *const to = open_file(directory, "word", programs, ".c");
            ad_emit_desc d;
            ad_status s;
            memset(&d, 0, sizeof d);
            d.name = word;
            d.form = (ad_emit_form)form;
            s = ad_fn_emit(f, &d, put, to);
            if (s != AD_OK && (s != AD_ERR_ARGUMENT || ftell(to) != 0)) expect(s, word, k);
            refused += s == AD_ERR_ARGUMENT;
            fclose(to);
            if (k < n_owned || s != AD_OK) continue;
            if (form == AD_EMIT_POINT && k % 3) continue;
            {
                FILE *const program = open_file(directory, "word", programs++, ".c");
                write_program(program, f, word, k, form, form + 1);
                fclose(program);
            }
        }
        printf("%s %s %s\n", k < n_owned ? "owned" : "free",
            refused == 3 ? "refused" : refused ? "divided" : "accepted", word);
    }
    ad_fn_destroy(f);
}

/* ---------------------------------------------------------------- graphs */

static ad_status twice_value(void *user, size_t n, const double *x, size_t m, double *y)
{
    (void)user; (void)n; (void)m;
    y[0] = x[0];
    y[1] = 2 * x[0];
    return AD_OK;
}

static void graph(const char *directory)
{
    static const char *const ending[] = { ".dot", ".json", ".txt" };
    size_t k;
    int format;
    for (k = 0; k < NAMES; k++) {
        ad_tape *const t = ad_tape_create(NULL);
        const int32_t three = 3;
        ad_op op;
        ad_var x, y[2], z;
        ad_graph_desc d;
        memset(&d, 0, sizeof d);
        memset(&op, 0, sizeof op);
        op.name = names[k];
        op.value = twice_value;
        d.title = names[k];
        x = ad_name(ad_input(t, 0.5), names[k]);
        expect(ad_var_call(t, &op, NULL, 1, &x, 2, y), "ad_var_call", k);
        z = ad_name(ad_var_mul(ad_name(y[0], names[k]), y[1]), names[k]);
        ad_array_name(ad_array_mul_r(ad_array_input(t, 1, &three, NULL), 2), names[k]);
        ad_var_add(z, x);
        for (format = AD_GRAPH_DOT; format <= AD_GRAPH_TEXT; format++) {
            FILE *const to = open_file(directory, "graph", k, ending[format - AD_GRAPH_DOT]);
            expect(ad_graph_dump(t, (ad_graph_format)format, &d, put, to), "ad_graph_dump", k);
            fclose(to);
        }
        ad_tape_destroy(t);
    }
}

/* ---------------------------------------------------------------- reports */

static double f_sine(const double *x, size_t n, void *user)
{
    (void)n; (void)user;
    return sin(x[0]) + x[1];
}
static void g_sine(const double *x, size_t n, double *g, void *user)
{
    (void)n;
    g[0] = user ? -cos(x[0]) : cos(x[0]);
    g[1] = user ? 3 : 1;
}

static void report(const char *directory)
{
    static const struct { const char *ending; ad_check_format format; } as[] = {
        { ".txt", AD_CHECK_TEXT }, { ".tap", AD_CHECK_TAP }, { ".xml", AD_CHECK_JUNIT },
        { ".github", AD_CHECK_GITHUB }, { ".json", AD_CHECK_JSON } };
    static const double x[2] = { 0.5, 0.25 };
    size_t k, i;
    for (k = 0; k < NAMES; k++) {
        ad_check_suite *const s = ad_check_suite_create(names[k]);
        int wrong;
        for (wrong = 0; wrong < 2; wrong++) {
            const char *inputs[2];
            ad_check_options o;
            memset(&o, 0, sizeof o);
            inputs[0] = inputs[1] = names[k];
            o.names = inputs;
            o.label = names[k];
            o.file = names[k];
            o.line = 7;
            AD_CHECK_RUN(s, names[k], &o, ad_check_gradient, f_sine, g_sine, x, 2,
                wrong ? &wrong : NULL);
        }
        for (i = 0; i < sizeof as / sizeof as[0]; i++) {
            FILE *const to = open_file(directory, "report", k, as[i].ending);
            expect(ad_check_suite_write(s, as[i].format, put, to), "ad_check_suite_write", k);
            fclose(to);
        }
        ad_check_suite_destroy(s);
    }
}

int main(int argc, char **argv)
{
    const char *const what = argc > 1 ? argv[1] : "";
    size_t k;
    if (strcmp(what, "list") == 0)
        for (k = 0; k < NAMES; k++) fwrite(names[k], 1, strlen(names[k]) + 1, stdout);
    else if (argc != 3) return 2;
    else if (strcmp(what, "emit") == 0) emit(argv[2]);
    else if (strcmp(what, "lack") == 0) lack(argv[2]);
    else if (strcmp(what, "graph") == 0) graph(argv[2]);
    else if (strcmp(what, "report") == 0) report(argv[2]);
    else if (strcmp(what, "words") == 0) words(argv[2]);
    else return 2;
    return 0;
}
