/* The graph dump: the three formats are parsed here, not compared with a text, so that they
   may change their looks but not their grammar or what they say.
   Sections: Notation; Diagnostics; Graph Dump. */
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include "test.h"

TEST_DEF void suite_graph(void);

/* ---------------------------------------------------------------- collecting the output */
typedef struct text {
    char *data;
    size_t length, capacity, calls, stop_at, after_stop;
    int stop_with;
} text;

static int collect(void *user, const char *piece, size_t length)
{
    text *s = (text *)user;
    if (s->stop_at && s->calls >= s->stop_at) s->after_stop++;
    s->calls++;
    if (s->length + length + 1 > s->capacity) {
        s->capacity = 2 * (s->length + length + 1);
        s->data = (char *)realloc(s->data, s->capacity);
    }
    memcpy(s->data + s->length, piece, length);
    s->length += length;
    s->data[s->length] = 0;
    return s->stop_at && s->calls >= s->stop_at ? s->stop_with : 0;
}

static ad_status dump(const ad_tape *t, ad_graph_format format, const ad_graph_desc *desc, text *s)
{
    s->length = s->calls = s->after_stop = 0;
    if (s->data) s->data[0] = 0;
    return ad_graph_dump(t, format, desc, collect, s);
}

static size_t count_of(const char *haystack, const char *needle)
{
    size_t n = 0;
    for (; haystack && (haystack = strstr(haystack, needle)) != NULL; haystack += strlen(needle))
        n++;
    return n;
}

/* Well-formed UTF-8 as RFC 3629 has it, without control characters but newline. */
static int valid_text(const char *p, size_t length)
{
    const unsigned char *s = (const unsigned char *)p, *end = s + length;
    while (s < end) {
        int more = *s < 0x80 ? 0 : *s < 0xC2 ? -1 : *s < 0xE0 ? 1 : *s < 0xF0 ? 2 : 3;
        if (more < 0 || *s > 0xF4 || (*s < 0x20 && *s != '\n')) return 0;
        if ((*s == 0xE0 && s[1] < 0xA0) || (*s == 0xED && s[1] > 0x9F)
            || (*s == 0xF0 && s[1] < 0x90) || (*s == 0xF4 && s[1] > 0x8F))
            return 0;
        for (s++; more > 0; more--, s++)
            if (s == end || (*s & 0xC0) != 0x80) return 0;
    }
    return 1;
}

/* ---------------------------------------------------------------- a validator of JSON, RFC 8259 */
static const char *blank(const char *p)
{
    while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r') p++;
    return p;
}
static int is_digit(char c) { return c >= '0' && c <= '9'; }
static int is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static const char *json_string(const char *p)       /* past the string, or NULL */
{
    if (*p++ != '"') return NULL;
    for (; *p != '"'; p++) {
        if ((unsigned char)*p < 0x20) return NULL;   /* the end, or a bare control character */
        if (*p != '\\') continue;
        p++;
        if (*p == 'u') {
            if (!is_hex(p[1]) || !is_hex(p[2]) || !is_hex(p[3]) || !is_hex(p[4])) return NULL;
            p += 4;
        } else if (*p == 0 || strchr("\"\\/bfnrt", *p) == NULL) return NULL;
    }
    return p + 1;
}
static const char *json_number(const char *p)
{
    if (*p == '-') p++;
    if (!is_digit(*p)) return NULL;
    if (*p == '0' && is_digit(p[1])) return NULL;
    while (is_digit(*p)) p++;
    if (*p == '.') {
        if (!is_digit(*++p)) return NULL;
        while (is_digit(*p)) p++;
    }
    if (*p == 'e' || *p == 'E') {
        p++;
        if (*p == '+' || *p == '-') p++;
        if (!is_digit(*p)) return NULL;
        while (is_digit(*p)) p++;
    }
    return p;
}
static const char *json_value(const char *p, int depth)
{
    char close;
    p = blank(p);
    if (depth > 30) return NULL;
    if (*p == '"') return json_string(p);
    if (strncmp(p, "true", 4) == 0 || strncmp(p, "null", 4) == 0) return p + 4;
    if (strncmp(p, "false", 5) == 0) return p + 5;
    if (*p != '{' && *p != '[') return json_number(p);
    close = *p == '{' ? '}' : ']';
    p = blank(p + 1);
    if (*p == close) return p + 1;
    for (;;) {
        if (close == '}') {
            p = json_string(blank(p));
            if (p == NULL) return NULL;
            p = blank(p);
            if (*p++ != ':') return NULL;
        }
        p = json_value(p, depth + 1);
        if (p == NULL) return NULL;
        p = blank(p);
        if (*p == close) return p + 1;
        if (*p++ != ',') return NULL;
    }
}
static int valid_json(const text *s)
{
    const char *end = s->data ? json_value(s->data, 0) : NULL;
    return end != NULL && *blank(end) == 0 && strlen(s->data) == s->length
           && valid_text(s->data, s->length);
}

/* ---------------------------------------------------------------- a validator of DOT
   graph: "digraph" name? "{" statement* "}"; a statement is ids joined by "->", or id "=" id, then
   attributes in brackets, then ";". Nodes are declared once; edges end at declared nodes. */
enum { MOST_NODES = 20000 };
typedef struct dot { const char *p; int bad; size_t nodes, edges; } dot;

static int dot_id(dot *d, char *id, size_t size)    /* a word or a quoted string */
{
    size_t n = 0;
    d->p = blank(d->p);
    if (*d->p == '"') {
        for (d->p++; *d->p != '"'; d->p++) {
            if ((unsigned char)*d->p < 0x20 && *d->p != '\n') return 0;
            if (*d->p == '\\') {
                /* what DOT's labels know: a quote, a backslash, line ends; not \u, not \t */
                if (n + 1 < size) id[n++] = '\\';
                d->p++;
                if (*d->p == 0 || strchr("\"\\nlr", *d->p) == NULL) return 0;
            }
            if (n + 1 < size) id[n++] = *d->p;
        }
        d->p++;
    } else {
        while ((*d->p >= 'a' && *d->p <= 'z') || (*d->p >= 'A' && *d->p <= 'Z') || *d->p == '_'
               || is_digit(*d->p) || *d->p == '.' || (*d->p == '-' && d->p[1] != '>')) {
            if (n + 1 < size) id[n++] = *d->p;
            d->p++;
        }
        if (n == 0) return 0;
    }
    id[n] = 0;
    return 1;
}
static int dot_char(dot *d, char c)
{
    d->p = blank(d->p);
    if (*d->p != c) return 0;
    d->p++;
    return 1;
}
static int dot_attributes(dot *d)
{
    char id[8];
    if (!dot_char(d, '[')) return 1;
    while (!dot_char(d, ']')) {
        if (!dot_id(d, id, sizeof id) || !dot_char(d, '=') || !dot_id(d, id, sizeof id)) return 0;
        (void)dot_char(d, ',');
        (void)dot_char(d, ';');
    }
    return 1;
}
static int valid_dot(const text *s, size_t *nodes, size_t *edges)
{
    static unsigned char seen[MOST_NODES];
    char id[64], to[64];
    dot d;
    memset(seen, 0, sizeof seen);
    memset(&d, 0, sizeof d);
    d.p = s->data;
    *nodes = *edges = 0;
    if (s->data == NULL || strlen(s->data) != s->length || !valid_text(s->data, s->length))
        return 0;
    if (!dot_id(&d, id, sizeof id) || strcmp(id, "digraph") != 0) return 0;
    if (*blank(d.p) != '{' && !dot_id(&d, id, sizeof id)) return 0;
    if (!dot_char(&d, '{')) return 0;
    while (!dot_char(&d, '}')) {
        unsigned long number = MOST_NODES;
        if (!dot_id(&d, id, sizeof id)) return 0;
        if (id[0] == 'n' && is_digit(id[1])) number = strtoul(id + 1, NULL, 10);
        d.p = blank(d.p);
        if (d.p[0] == '-' && d.p[1] == '>') {
            unsigned long other;
            d.p += 2;
            if (id[0] != 'n' || !is_digit(id[1])) return 0;
            if (!dot_id(&d, to, sizeof to) || to[0] != 'n' || !is_digit(to[1])) return 0;
            other = strtoul(to + 1, NULL, 10);
            if (number < MOST_NODES && !seen[number]) return 0;    /* operands come first */
            if (other < MOST_NODES && !seen[other]) return 0;
            ++*edges;
        } else if (*d.p == '=') {
            d.p++;
            if (!dot_id(&d, to, sizeof to)) return 0;
        } else if (id[0] == 'n' && is_digit(id[1])) {
            if (number < MOST_NODES && seen[number]++) return 0;   /* twice */
            ++*nodes;
        }
        if (!dot_attributes(&d) || !dot_char(&d, ';')) return 0;
    }
    return *blank(d.p) == 0;
}

/* ---------------------------------------------------------------- TEXT: lines of "#slot ...",
   indented under what uses them. A slot with operands is expanded once, elsewhere marked. */
static int valid_lines(const text *s, const ad_tape *t)
{
    static unsigned char expanded[MOST_NODES], marked[MOST_NODES];
    const char *p = s->data;
    long before = -1;
    unsigned long last = MOST_NODES;
    if (p == NULL || strlen(p) != s->length || !valid_text(p, s->length)) return 0;
    if (s->length && s->data[s->length - 1] != '\n') return 0;
    memset(expanded, 0, sizeof expanded);
    memset(marked, 0, sizeof marked);
    while (*p) {
        const char *end = strchr(p, '\n');
        long indent = 0;
        if (end == NULL) return 0;
        while (*p == ' ') {
            p++;
            indent++;
        }
        if (indent > before + 8) return 0;             /* at most a level deeper */
        if (*p == '#') {
            unsigned long slot = strtoul(p + 1, NULL, 10);
            if (slot >= (t ? ad_tape_get_stats(t).slots : (size_t)MOST_NODES)) return 0;
            if (indent > before && last < MOST_NODES) {
                if (expanded[last]++) return 0;        /* expanded a second time */
            }
            last = slot;
        } else if (indent > before && last < MOST_NODES) {
            if (expanded[last]++) return 0;
            last = MOST_NODES;
        } else last = MOST_NODES;
        before = indent;
        p = end + 1;
    }
    return 1;
}

/* DOT's edges are JSON's operands, one by one: how many, and -1 after one that is missing. */
static long edges_of(const char *json, const char *drawn)
{
    long n = 0;
    const char *p = json, *q = drawn;
    while ((p = strstr(p, "{\"slot\": ")) != NULL) {
        const unsigned long slot = strtoul(p + 9, NULL, 10);
        if ((p = strstr(p, "\"operands\": [")) == NULL) return -1;
        for (p += 13; *p != ']'; p++) {
            char edge[64];
            if (*p == '{') p = strchr(p, '}');           /* a constant */
            if (!is_digit(*p)) continue;
            snprintf(edge, sizeof edge, "\n  n%lu -> n%lu;\n", strtoul(p, NULL, 10), slot);
            if ((q = strstr(q, edge)) == NULL) return -1;
            q += strlen(edge) - 1;
            n++;
            while (is_digit(p[1])) p++;
        }
    }
    return n;
}

/* All three formats of one graph. */
static void all_valid(const ad_tape *t, const ad_graph_desc *desc, size_t nodes, const char *name,
                      int line)
{
    text s, json;
    size_t n, e;
    memset(&s, 0, sizeof s);
    memset(&json, 0, sizeof json);
    test_check(dump(t, AD_GRAPH_JSON, desc, &json) == AD_OK, __FILE__, line, "JSON failed");
    test_check(dump(t, AD_GRAPH_JSON, desc, &s) == AD_OK, __FILE__, line, "JSON failed");
    test_check(valid_json(&s), __FILE__, line, "JSON is invalid: %.300s",
               s.data ? s.data : "(nothing)");
    if (nodes != (size_t)-1)
        test_check(count_of(s.data, "\"slot\"") == nodes, __FILE__, line,
                   "JSON has %d nodes, not %d", (int)count_of(s.data, "\"slot\""), (int)nodes);
    if (name)
        test_check(strstr(s.data, name) != NULL, __FILE__, line, "JSON does not say %s", name);
    test_check(dump(t, AD_GRAPH_DOT, desc, &s) == AD_OK, __FILE__, line, "DOT failed");
    test_check(valid_dot(&s, &n, &e), __FILE__, line, "DOT is invalid: %.300s",
               s.data ? s.data : "(nothing)");
    if (nodes != (size_t)-1)
        test_check(n == nodes, __FILE__, line, "DOT has %d nodes, not %d", (int)n, (int)nodes);
    if (name) test_check(strstr(s.data, name) != NULL, __FILE__, line, "DOT does not say %s", name);
    if (strstr(json.data, "\"elided\": 0,"))
        test_check(edges_of(json.data, s.data) == (long)e, __FILE__, line,
                   "DOT's edges are not JSON's: %ld, not %ld: %.300s", (long)e,
                   edges_of(json.data, s.data), s.data);
    test_check(dump(t, AD_GRAPH_TEXT, desc, &s) == AD_OK, __FILE__, line, "TEXT failed");
    if (s.length)
        test_check(valid_lines(&s, t), __FILE__, line, "TEXT is invalid: %.300s",
                   s.data ? s.data : "(nothing)");
    if (name)
        test_check(s.data && strstr(s.data, name) != NULL, __FILE__, line, "TEXT does not say %s",
                   name);
    free(s.data);
    free(json.data);
}
#define ALL_VALID(t, desc, nodes, name) all_valid(t, desc, nodes, name, __LINE__)

static ad_graph_desc make_desc(size_t n_outputs, const ad_var *outputs, size_t max_nodes)
{
    ad_graph_desc d;
    memset(&d, 0, sizeof d);
    d.n_outputs = n_outputs;
    d.outputs = outputs;
    d.max_nodes = max_nodes;
    return d;
}

/* ---------------------------------------------------------------- tests */

static ad_status three_value(void *user, size_t n, const double *x, size_t m, double *y)
{
    size_t j;
    (void)user;
    (void)n;
    for (j = 0; j < m; j++) y[j] = x[0] + (double)j;
    return AD_OK;
}
static const ad_op three = { "three \"quoted\"", three_value, NULL, NULL, NULL, NULL };

/* Which nodes each node is made of, for all kinds of record: by its place among the nodes. */
static void test_operands(void)
{
    static const struct { const char *op, *operands; } of[] = {
        { "input", "" }, { "input", "" }, { "input", "" }, { "input", "" }, { "mul", "0 3" },
        { "pow", "0 k" }, { "fma", "0 1 4" }, { "lincomb", "1 2 6" }, { "three", "0 7" },
        { "three", "0 7" }, { "three", "0 7" }, { "pack", "0 4 3" }, { "input", "" },
        { "matmul", "11 12" }, { "join", "11 13" }, { "mul", "12" }, { "gt", "12" },
        { "select", "16 15" }, { "add", "4 5" }, { "sum", "17" }, { "mul", "15 19" },
        { "exp", "0 1 2 3" } };
    enum { N = sizeof of / sizeof of[0] };
    static const double c[3] = { 1, 2, 3 }, v[4] = { 1, 2, 3, 4 };
    const int32_t two[2] = { 2, 2 }, wide[2] = { 1, 4 }, four = 4;
    ad_tape *const t = ad_tape_create(NULL);
    ad_var x[4], y[3], l[4], m, p;
    ad_array a, b, d, list[3];
    unsigned long slot[N];
    text s;
    size_t i, j;
    const char *at;
    memset(&s, 0, sizeof s);
    for (i = 0; i < 4; i++) x[i] = ad_input(t, (double)i + 1);
    m = ad_var_mul(x[0], x[3]);
    p = ad_var_pow_r(x[0], 3);
    l[0] = x[1];
    l[1] = x[2];
    l[2] = ad_var_fma(x[0], x[1], m);
    y[0] = x[0];
    y[1] = ad_var_lincomb(3, c, l);
    CHECK_STATUS(ad_var_call(t, &three, NULL, 2, y, 3, l), AD_OK);
    l[0] = x[0];
    l[1] = m;
    l[2] = ad_const(5);
    l[3] = x[3];
    a = ad_array_pack(t, 2, two, l);
    b = ad_array_input(t, 2, two, v);
    list[0] = a;
    list[1] = ad_array_matmul(a, b);
    list[2] = ad_array_const(t, 2, two, v);
    ad_array_concatenate(3, list, 0);
    d = ad_array_reshape(b, 1, &four);
    d = ad_array_mul(d, d);
    b = ad_array_gt_r(ad_array_reshape(b, 1, &four), 0);
    b = ad_array_select(b, d, ad_array_full(t, 0, NULL, 1));
    ad_var_add(m, p);
    ad_var_mul(ad_array_at(d, 1), ad_array_item(ad_array_sum(b, AD_ALL_AXES, 0)));
    ad_array_exp(ad_array_pack(t, 1, &four, x));         /* the inputs, where they stand */
    CHECK_STATUS(dump(t, AD_GRAPH_JSON, NULL, &s), AD_OK);
    for (i = 0, at = s.data; i < N && at; i++) {
        char op[16] = "", list_[64] = "";
        size_t used = 0;
        if ((at = strstr(at, "{\"slot\": ")) == NULL) break;
        slot[i] = strtoul(at + 9, NULL, 10);
        sscanf(strstr(at, "\"op\": ") + 7, "%15[a-z]", op);
        for (at = strstr(at, "\"operands\": [") + 13; *at != ']'; at++) {
            unsigned long of_slot;
            if (*at == '{') at = strchr(at, '}');
            else if (!is_digit(*at)) continue;
            of_slot = strtoul(at, NULL, 10);
            for (j = 0; j < i && slot[j] != of_slot; j++) continue;
            used += (size_t)snprintf(list_ + used, sizeof list_ - used, *at == '}' ? "%sk" : "%s%d",
                used ? " " : "", (int)j);
            while (is_digit(at[1])) at++;
        }
        test_check(strncmp(op, of[i].op, 15) == 0 && strcmp(list_, of[i].operands) == 0, __FILE__,
            __LINE__, "node %d is %s of %s, not %s of %s", (int)i, op, list_, of[i].op,
            of[i].operands);
    }
    CHECK(i == N && at && !strstr(at, "\"slot\""));
    ALL_VALID(t, NULL, N, NULL);
    /* the parts of a decomposition stand together, and there is no more than them */
    a = ad_array_input(t, 2, wide, v);
    b = ad_array_input(t, 2, two, v);
    CHECK_STATUS(ad_array_svd(a, NULL, NULL, NULL), AD_OK);
    CHECK_STATUS(ad_array_qr(ad_array_transpose(a), NULL, NULL), AD_OK);
    CHECK_STATUS(ad_array_eigh(b, NULL, NULL), AD_OK);
    CHECK_STATUS(dump(t, AD_GRAPH_JSON, NULL, &s), AD_OK);
    CHECK(strstr(s.data, "\"svd\", \"shape\": [6]") && strstr(s.data, "\"qr\", \"shape\": [5]")
          && strstr(s.data, "\"eigh\", \"shape\": [6]"));
    free(s.data);
    ad_tape_destroy(t);
}

/* Of arrays the first numbers, and what the sweep left there; a sum is called so. */
static void test_array_numbers(void)
{
    static const int32_t dim[2] = { 2, 3 }, many = 70;
    static const double x[70] = { 1, 2, 3, 4, 5, 6 };
    ad_tape *const t = ad_tape_create(NULL);
    const ad_array a = ad_array_input(t, 2, dim, x), b = ad_array_input(t, 1, &many, x);
    const ad_array y = ad_array_sum(ad_array_mul(a, a), AD_AXIS(1), 0);
    text s;
    memset(&s, 0, sizeof s);
    ad_array_mul_r(b, 2);
    CHECK_STATUS(ad_array_backward(y, NULL), AD_OK);
    CHECK_STATUS(dump(t, AD_GRAPH_JSON, NULL, &s), AD_OK);
    CHECK(strstr(s.data, "\"op\": \"sum\", \"shape\": [2], \"value\": [14, 77], "
                         "\"adjoint\": [1, 1]"));
    CHECK(strstr(s.data, "\"shape\": [2, 3], \"value\": [1, 2, 3, 4, 5, 6], \"adjoint\": "
                         "[2, 4, 6, 8, 10, 12]"));
    CHECK(strstr(s.data, "\"shape\": [70], \"value\": [1, 2, 3, 4, 5, 6, 0,")
          && strstr(s.data, "\"adjoint\": [0, 0, 0, 0, 0,"));       /* where no sweep came */
    CHECK_STATUS(dump(t, AD_GRAPH_TEXT, NULL, &s), AD_OK);
    CHECK(strstr(s.data, "sum [2]  v=[14, 77]  adj=[1, 1]")
          && strstr(s.data, "[70]  v=[2, 4, 6, 8, 10, 12, ...]"));
    ALL_VALID(t, NULL, 5, NULL);
    free(s.data);
    ad_tape_destroy(t);
}

static void test_contents(void)
{
    ad_tape *t = ad_tape_create(NULL);
    ad_var x, y, z, u, l[3], r[3], late;
    const double c[3] = { 1, 2, 3 };
    ad_graph_desc d;
    text s;
    ad_tape_stats before, after;
    memset(&s, 0, sizeof s);
    ALL_VALID(t, NULL, 0, NULL);                       /* nothing is a graph too */
    x = ad_name(ad_input(t, 2.0), "speed");
    y = ad_name(ad_input(t, -0.75), "mass");
    z = ad_var_mul(x, y);
    u = ad_name(ad_var_sub_from_r(1.5, ad_var_exp(y)), "unused");
    ALL_VALID(t, NULL, 5, "speed");
    ALL_VALID(t, NULL, 5, "unused");
    /* only what the outputs depend on */
    d = make_desc(1, &z, 0);
    ALL_VALID(t, &d, 3, "mass");
    CHECK_STATUS(dump(t, AD_GRAPH_JSON, &d, &s), AD_OK);
    CHECK(strstr(s.data, "unused") == NULL && strstr(s.data, "exp") == NULL);
    CHECK(strstr(s.data, "-1.5") != NULL);             /* the value of z */
    CHECK(strstr(s.data, "adjoint") == NULL);          /* none yet */
    d = make_desc(1, &u, 0);
    ALL_VALID(t, &d, 3, "unused");
    CHECK_STATUS(dump(t, AD_GRAPH_JSON, &d, &s), AD_OK);
    CHECK(strstr(s.data, "speed") == NULL);
    CHECK(strstr(s.data, "1.5") != NULL);              /* the constant operand */
    d = make_desc(1, &x, 0);
    ALL_VALID(t, &d, 1, "speed");
    l[0] = z;
    l[1] = u;
    l[2] = z;
    d = make_desc(3, l, 0);
    ALL_VALID(t, &d, 5, "speed");
    l[0] = ad_const(1.0);
    d = make_desc(1, l, 0);
    ALL_VALID(t, &d, 0, NULL);
    /* after a sweep: adjoints */
    CHECK_STATUS(ad_backward(z), AD_OK);
    CHECK_STATUS(dump(t, AD_GRAPH_JSON, NULL, &s), AD_OK);
    CHECK(count_of(s.data, "adj") > 0 && strstr(s.data, "-0.75") != NULL);
    /* structure and names alone */
    d = make_desc(0, NULL, 0);
    d.no_values = 1;
    d.title = "a title";
    ALL_VALID(t, &d, 5, "speed");
    CHECK_STATUS(dump(t, AD_GRAPH_JSON, &d, &s), AD_OK);
    CHECK(strstr(s.data, "0.75") == NULL && strstr(s.data, "a title") != NULL);
    CHECK_STATUS(dump(t, AD_GRAPH_DOT, &d, &s), AD_OK);
    CHECK(strstr(s.data, "0.75") == NULL && strstr(s.data, "a title") != NULL);
    CHECK_STATUS(dump(t, AD_GRAPH_TEXT, &d, &s), AD_OK);
    CHECK(strstr(s.data, "0.75") == NULL);
    /* every kind of instruction */
    l[0] = x;
    l[1] = ad_const(7.25);
    l[2] = y;
    late = ad_var_sum(3, l);
    late = ad_var_add(late, ad_var_dot(3, l, l));
    late = ad_var_add(late, ad_var_norm(3, l));
    late = ad_var_add(late, ad_var_logsumexp(3, l));
    late = ad_var_add(late, ad_var_lincomb(3, c, l));
    late = ad_var_add(late, ad_var_polyval(3, c, x));
    late = ad_var_add(late, ad_var_custom(t, 3, l, 1.0, c));
    late = ad_var_fma(late, ad_const(2.0), x);
    late = ad_var_clamp(late, x, ad_const(1e6));
    late = ad_var_select(ad_var_lt(x, y), late, ad_var_pow_r(late, 2.0));
    (void)ad_branch(ad_var_gt(late, x));
    ALL_VALID(t, NULL, ad_tape_get_stats(t).slots, "logsumexp");
    CHECK_STATUS(ad_var_call(t, &three, NULL, 3, l, 3, r), AD_OK);
    late = ad_name(ad_var_mul(r[0], r[2]), "late");
    ALL_VALID(t, NULL, ad_tape_get_stats(t).slots, "three \\\"quoted\\\"");
    d = make_desc(1, &late, 0);
    ALL_VALID(t, &d, (size_t)-1, "speed");
    CHECK_STATUS(dump(t, AD_GRAPH_TEXT, &d, &s), AD_OK);
    CHECK(strstr(s.data, " late = mul  v=") != NULL);
    /* a result of the user's operation depends on its operands, whichever result it is */
    d = make_desc(1, r + 2, 0);
    ALL_VALID(t, &d, (size_t)-1, "speed");
    d = make_desc(1, r, 0);
    ALL_VALID(t, &d, (size_t)-1, "speed");
    d = make_desc(1, r + 1, 0);
    ALL_VALID(t, &d, (size_t)-1, "mass");
    before = ad_tape_get_stats(t);
    CHECK_STATUS(dump(t, AD_GRAPH_TEXT, NULL, &s), AD_OK);
    after = ad_tape_get_stats(t);
    CHECK(before.slots == after.slots && before.constants == after.constants);
    /* the last sweep stands, and an error on the tape does not stop its diagnosis */
    CHECK(ad_adjoint(x) == -0.75);
    ad_backward(ad_const(1.0));
    (void)ad_var_custom(t, 1, NULL, 1.0, NULL);
    CHECK_STATUS(ad_tape_status(t), AD_ERR_ARGUMENT);
    CHECK_STATUS(dump(t, AD_GRAPH_DOT, NULL, &s), AD_OK);
    CHECK_STATUS(ad_tape_status(t), AD_ERR_ARGUMENT);
    ad_tape_clear_status(t);
    /* bad arguments */
    d = make_desc(1, NULL, 0);
    CHECK_STATUS(dump(t, AD_GRAPH_TEXT, &d, &s), AD_ERR_ARGUMENT);
    CHECK_STATUS(ad_graph_dump(t, AD_GRAPH_TEXT, NULL, NULL, NULL), AD_ERR_ARGUMENT);
    CHECK_STATUS(ad_graph_dump(NULL, AD_GRAPH_TEXT, NULL, collect, &s), AD_ERR_ARGUMENT);
    CHECK(s.length == 0);
    {
        ad_tape *other = ad_tape_create(NULL);
        ad_var foreign = ad_input(other, 1.0);
        d = make_desc(1, &foreign, 0);
        CHECK_STATUS(dump(t, AD_GRAPH_TEXT, &d, &s), AD_ERR_MIXED);
        ad_tape_destroy(other);
    }
    ad_tape_reset(t);
    d = make_desc(1, &z, 0);
    CHECK_STATUS(dump(t, AD_GRAPH_TEXT, &d, &s), AD_ERR_STALE);
    CHECK(s.length == 0);
    ALL_VALID(t, NULL, 0, NULL);
    free(s.data);
    ad_tape_destroy(t);
}

static void test_names(void)
{
    static const char *const names[] = {
        "", " ", "\"", "\\", "\\\\", "\\\"", "\n", "line\nline", "tab\tcr\rbell\a", "\x01\x1f\x7f",
        "{", "}", "[a];", "a -> b", "<b>html</b>", "&amp;", "// comment", "/* comment */", "# 3",
        "%s%n%d", "\\n", "\\u0041", "trailing\\", "caf\xc3\xa9", "\xe2\x88\x82y/\xe2\x88\x82x",
        "\xf0\x9f\x98\x80", "null", "a\"b\\c\nd", "'", "`", "what?", "$x_1^2$"
    };
    static const char *const broken[] = {
        "\xff", "caf\xe9", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "cut \xe2\x88", "\x80"
    };
    ad_tape *t = ad_tape_create(NULL);
    size_t i;
    ad_graph_desc d;
    ad_var x;
    char *longest = (char *)malloc(100001);
    for (i = 0; i < sizeof names / sizeof names[0]; i++) {
        ad_tape_reset(t);
        x = ad_name(ad_input(t, 1.0), names[i]);
        (void)ad_name(ad_var_mul(x, x), names[i]);
        d = make_desc(0, NULL, 0);
        d.title = names[i];
        ALL_VALID(t, &d, 2, NULL);
        CHECK_STATUS(ad_tape_status(t), AD_OK);
    }
    /* not UTF-8: the output is, all the same */
    for (i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        ad_tape_reset(t);
        (void)ad_name(ad_input(t, 1.0), broken[i]);
        ALL_VALID(t, NULL, 1, NULL);
    }
    /* what is no danger passes unchanged */
    ad_tape_reset(t);
    (void)ad_name(ad_input(t, 1.0), "caf\xc3\xa9 \xe2\x88\x82");
    ALL_VALID(t, NULL, 1, "caf\xc3\xa9 \xe2\x88\x82");
    ad_tape_reset(t);
    (void)ad_name(ad_input(t, 1.0), "a\"b\\c");
    ALL_VALID(t, NULL, 1, "a\\\"b\\\\c");
    memset(longest, 'n', 100000);
    memset(longest + 50000, '"', 1000);
    longest[100000] = 0;
    ad_tape_reset(t);
    x = ad_name(ad_input(t, 1.0), longest);
    memset(longest, 'm', 100000);
    x = ad_name(ad_var_sin(x), longest);
    d = make_desc(0, NULL, 0);
    d.title = longest;
    ALL_VALID(t, &d, 2, longest);
    /* the latest name counts; two variables may share one; names go with rewind */
    ad_tape_reset(t);
    x = ad_name(ad_input(t, 1.0), "first");
    x = ad_name(x, "second");
    ALL_VALID(t, NULL, 1, "second");
    {
        const size_t mark = ad_tape_mark(t);
        text s;
        memset(&s, 0, sizeof s);
        (void)ad_name(ad_var_sin(x), "gone");
        (void)ad_name(x, "third");
        ALL_VALID(t, NULL, 2, "gone");
        ad_tape_rewind(t, mark);
        (void)ad_var_cos(x);
        ALL_VALID(t, NULL, 2, NULL);
        CHECK_STATUS(dump(t, AD_GRAPH_TEXT, NULL, &s), AD_OK);
        CHECK(strstr(s.data, "gone") == NULL);
        CHECK(strstr(s.data, "first") == NULL);
        free(s.data);
    }
    free(longest);
    ad_tape_destroy(t);
}

/* ---------------------------------------------------------------- numbers */

static const double odd_numbers[] = { 0.0,
                                      1.0 / 3,
                                      1e300,
                                      1.7976931348623157e308,
                                      5e-324,
                                      -1e-310,
                                      123456789.123456789,
                                      -2.5,
                                      1e15,
                                      1e16,
                                      1e17,
                                      1e21,
                                      9007199254740993.0,
                                      0.1,
                                      100,
                                      1e5,
                                      1e-5 };

static void test_numbers(void)
{
    ad_tape *t = ad_tape_create(NULL);
    const double inf = (double)INFINITY, nan = (double)NAN;
    double special[3], seed;
    size_t i;
    text s;
    memset(&s, 0, sizeof s);
    special[0] = inf;
    special[1] = -inf;
    special[2] = nan;
    for (i = 0; i < sizeof odd_numbers / sizeof odd_numbers[0]; i++) {
        const char *p;
        ad_tape_reset(t);
        (void)ad_input(t, odd_numbers[i]);
        ALL_VALID(t, NULL, 1, NULL);
        CHECK_STATUS(dump(t, AD_GRAPH_JSON, NULL, &s), AD_OK);
        p = strstr(s.data, "\"value\":");
        CHECK(p != NULL);
        if (p) CHECK(strtod(p + 8, NULL) == odd_numbers[i]); /* JSON numbers read back exactly */
    }
    for (i = 0; i < 3; i++) {
        ad_var x, y;
        ad_tape_reset(t);
        x = ad_input(t, special[i]);
        y = ad_var_mul_r(x, special[(i + 1) % 3]);                 /* constants too */
        y = ad_var_fma(y, ad_const(special[i]), x);
        seed = special[(i + 2) % 3];
        CHECK_STATUS(ad_backward_seeded(t, 1, &y, &seed), AD_OK);
        ALL_VALID(t, NULL, 3, NULL);
    }
    free(s.data);
    ad_tape_destroy(t);
}

/* In a locale with a decimal comma the dump still has points. */
static void test_locale(void)
{
    static const char *const locales[] = { "de_DE.UTF-8", "de_DE.utf8",         "de_DE",
                                           "fr_FR.UTF-8", "fr_FR.utf8",         "fr_FR",
                                           "es_ES.UTF-8", "it_IT.UTF-8",        "nl_NL.UTF-8",
                                           "ru_RU.UTF-8", "German_Germany.1252" };
    ad_tape *t = ad_tape_create(NULL);
    ad_var x = ad_input(t, 0.5), y = ad_var_mul_r(x, 1234567.25);
    char old[256];
    text with, without;
    size_t i;
    ad_graph_format format;
    const char *now = setlocale(LC_ALL, NULL);
    memset(&with, 0, sizeof with);
    memset(&without, 0, sizeof without);
    strncpy(old, now ? now : "C", sizeof old - 1);
    old[sizeof old - 1] = 0;
    CHECK_STATUS(ad_backward(y), AD_OK);
    for (i = 0; i < sizeof locales / sizeof locales[0]; i++) {
        int k;
        if (setlocale(LC_ALL, locales[i]) == NULL) continue;
        if (localeconv()->decimal_point[0] != ',') continue;
        for (k = 0; k < 3; k++) {
            format = k == 0 ? AD_GRAPH_DOT : k == 1 ? AD_GRAPH_JSON : AD_GRAPH_TEXT;
            CHECK_STATUS(dump(t, format, NULL, &with), AD_OK);
            CHECK(strstr(with.data, "0,5") == NULL && strstr(with.data, "0.5") != NULL);
            setlocale(LC_ALL, "C");
            CHECK_STATUS(dump(t, format, NULL, &without), AD_OK);
            CHECK_STRING(with.data, without.data);
            setlocale(LC_ALL, locales[i]);
        }
        ALL_VALID(t, NULL, 2, NULL);
        {   /* messages with numbers as well */
            ad_tape_desc desc;
            ad_tape *d;
            ad_nonfinite r;
            memset(&desc, 0, sizeof desc);
            desc.debug = 1;
            d = ad_tape_create(&desc);
            ad_var_log(ad_input(d, -0.5));
            CHECK(ad_tape_nonfinite(d, &r) == 1 && strstr(r.message, "0,5") == NULL
                  && strstr(r.message, "0.5") != NULL);
            ad_tape_destroy(d);
        }
        break;
    }
    setlocale(LC_ALL, old);
    if (i == sizeof locales / sizeof locales[0]) printf("SKIP: no locale with a decimal comma\n");
    free(with.data);
    free(without.data);
    ad_tape_destroy(t);
}

/* ---------------------------------------------------------------- the callback that stops */

static void test_stop(void)
{
    ad_tape *t = ad_tape_create(NULL);
    ad_var x = ad_name(ad_input(t, 1.0), "a \"name\"\n"), y = x;
    text s;
    size_t k, total, length;
    int i, f;
    for (i = 0; i < 5; i++) y = ad_var_add(ad_var_sin(y), x);
    memset(&s, 0, sizeof s);
    for (f = 0; f < 3; f++) {
        const ad_graph_format format = f == 0   ? AD_GRAPH_DOT
                                       : f == 1 ? AD_GRAPH_JSON
                                                : AD_GRAPH_TEXT;
        s.stop_at = 0;
        CHECK_STATUS(dump(t, format, NULL, &s), AD_OK);
        total = s.calls;
        length = s.length;
        for (k = 1; k <= total; k++) {
            s.stop_at = k;
            s.stop_with = k & 1 ? 1 : -1;              /* nonzero stops */
            CHECK_STATUS(dump(t, format, NULL, &s), AD_ERR_WRITE);
            CHECK(s.after_stop == 0 && s.calls == k);
        }
        s.stop_at = 0;
        CHECK_STATUS(dump(t, format, NULL, &s), AD_OK);
        CHECK(s.length == length && s.calls == total);
        CHECK_STATUS(ad_tape_status(t), AD_OK);
    }
    free(s.data);
    ad_tape_destroy(t);
}

/* ---------------------------------------------------------------- sharing and size */

static void test_doubling(void)
{
    ad_tape *t = ad_tape_create(NULL);
    ad_var x = ad_name(ad_input(t, 1.0), "x"), y = x;
    ad_graph_desc d;
    text s;
    size_t n, e;
    int i;
    memset(&s, 0, sizeof s);
    for (i = 0; i < 100; i++) y = ad_var_add(y, y);
    ALL_VALID(t, NULL, 101, NULL);
    d = make_desc(1, &y, 0);
    ALL_VALID(t, &d, 101, NULL);
    CHECK_STATUS(dump(t, AD_GRAPH_TEXT, &d, &s), AD_OK);
    CHECK(s.length < 40000);
    CHECK(count_of(s.data, "\n") <= 300); /* a node, its mark, a few more where the indent ends */
    CHECK_STATUS(dump(t, AD_GRAPH_DOT, &d, &s), AD_OK);
    CHECK(s.length < 20000);
    CHECK(valid_dot(&s, &n, &e) && n == 101 && e == 200);
    CHECK_STATUS(dump(t, AD_GRAPH_JSON, &d, &s), AD_OK);
    CHECK(s.length < 20000);
    /* elision: the limit holds, and is stated with a number */
    for (i = 1; i <= 101; i += 10) {
        d = make_desc(1, &y, (size_t)i);
        ALL_VALID(t, &d, (size_t)i, NULL);
        CHECK_STATUS(dump(t, AD_GRAPH_JSON, &d, &s), AD_OK);
        if (i == 101) CHECK(strstr(s.data, "\"elided\": 0") != NULL);
        else {
            char number[64];
            sprintf(number, "\"elided\": %d", 101 - i);
            CHECK(strstr(s.data, number) != NULL);
            sprintf(number, "\"%d more nodes elided\"", 101 - i);
            CHECK_STATUS(dump(t, AD_GRAPH_DOT, &d, &s), AD_OK);
            CHECK(strstr(s.data, number) != NULL);
            CHECK_STATUS(dump(t, AD_GRAPH_TEXT, &d, &s), AD_OK);
            CHECK(strstr(s.data, "elided") != NULL);
            sprintf(number, "(limit of %d nodes; the graph has 101)", i);
            CHECK(strstr(s.data, number) != NULL);
            CHECK(count_of(s.data, "\n") <= 3 * (size_t)i + 3);
        }
    }
    free(s.data);
    ad_tape_destroy(t);
}

static void test_chain(void)
{
    enum { N = 3000000 };
    ad_tape *t = ad_tape_create(NULL);
    ad_var x = ad_input(t, 0.25), y = x;
    ad_graph_desc d;
    text s;
    long i;
    int f;
    memset(&s, 0, sizeof s);
    for (i = 0; i < N; i++) y = ad_var_add_r(y, 1.0);
    for (f = 0; f < 3; f++) {
        const ad_graph_format format = f == 0   ? AD_GRAPH_DOT
                                       : f == 1 ? AD_GRAPH_JSON
                                                : AD_GRAPH_TEXT;
        size_t n, e;
        d = make_desc(1, &y, 50);
        CHECK_STATUS(dump(t, format, &d, &s), AD_OK);
        CHECK(s.length > 100 && s.length < 20000);
        CHECK(strstr(s.data, "elided") != NULL);
        if (f == 0) CHECK(valid_dot(&s, &n, &e));
        if (f == 1) CHECK(valid_json(&s) && strstr(s.data, "2999951") != NULL);
        CHECK_STATUS(dump(t, format, NULL, &s), AD_OK);            /* the default limit: 10000 */
        CHECK(s.length > 10000 && s.length < 200000000);
        if (f == 1) CHECK(count_of(s.data, "\"slot\"") == 10000 && valid_json(&s));
    }
    free(s.data);
    ad_tape_destroy(t);
}

/* Random graphs, sparse outputs, all limits. */
static void test_random(void)
{
    ad_tape *t = ad_tape_create(NULL);
    ad_var w[60], out[3];
    uint64_t seed = 12345;
    int g, i;
    for (g = 0; g < 60; g++) {
        ad_graph_desc d;
        size_t want = 0;
        unsigned char depends[64];
        int a[60], b[60];
        ad_tape_reset(t);
        for (i = 0; i < 60; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            a[i] = b[i] = -1;
            if (i < 5) {
                w[i] = ad_input(t, 0.1 * i);
                continue;
            }
            a[i] = (int)((seed >> 33) % (unsigned)i);
            b[i] = (int)((seed >> 45) % (unsigned)i);
            switch ((seed >> 57) % 4) {
            case 0: w[i] = ad_var_mul(w[a[i]], w[b[i]]); break;
            case 1: w[i] = ad_var_sin(w[a[i]]); b[i] = -1; break;
            case 2: w[i] = ad_var_fma(w[a[i]], w[b[i]], w[a[i]]); break;
            default: w[i] = ad_var_sub_from_r(0.5, w[b[i]]); a[i] = -1; break;
            }
        }
        memset(depends, 0, sizeof depends);
        for (i = 0; i < 3; i++) {
            const int k = 59 - 7 * i - g % 5;
            out[i] = w[k];
            depends[k] = 1;
        }
        for (i = 60; i-- > 0;) {
            want += depends[i];
            if (depends[i] && a[i] >= 0) depends[a[i]] = 1;
            if (depends[i] && b[i] >= 0) depends[b[i]] = 1;
        }
        d = make_desc(3, out, 0);
        ALL_VALID(t, &d, want, NULL);
        d.max_nodes = want / 2 + 1;
        ALL_VALID(t, &d, want / 2 + 1, NULL);
        ALL_VALID(t, NULL, 60, NULL);
    }
    ad_tape_destroy(t);
}

static void test_float(void)
{
    adf_tape *t = adf_tape_create(NULL);
    adf_var x = adf_name(adf_input(t, 0.1f), "x"), y = adf_var_mul_r(adf_var_sin(x), 3.0f);
    adf_graph_desc d;
    text s;
    size_t n, e;
    const char *p;
    memset(&s, 0, sizeof s);
    memset(&d, 0, sizeof d);
    d.n_outputs = 1;
    d.outputs = &y;
    CHECK_STATUS(adf_backward(y), AD_OK);
    CHECK_STATUS(adf_graph_dump(t, AD_GRAPH_JSON, &d, collect, &s), AD_OK);
    CHECK(valid_json(&s) && count_of(s.data, "\"slot\"") == 3);
    p = strstr(s.data, "\"value\":");
    if (CHECK(p != NULL)) CHECK((float)strtod(p + 8, NULL) == 0.1f);
    s.length = 0;
    CHECK_STATUS(adf_graph_dump(t, AD_GRAPH_DOT, &d, collect, &s), AD_OK);
    CHECK(valid_dot(&s, &n, &e) && n == 3 && e == 2);
    s.length = 0;
    CHECK_STATUS(adf_graph_dump(t, AD_GRAPH_TEXT, &d, collect, &s), AD_OK);
    CHECK(valid_lines(&s, NULL));
    free(s.data);
    adf_tape_destroy(t);
}

TEST_DEF void suite_graph(void)
{
    test_contents();
    test_array_numbers();
    test_operands();
    test_names();
    test_numbers();
    test_locale();
    test_stop();
    test_doubling();
    test_chain();
    test_random();
    test_float();
}
