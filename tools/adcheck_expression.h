/* Expressions for adcheck: parsed once to a program for a stack, run many times. An error ends the
   program in one line that names the column.

   list    = sum { (',' | ';') sum }               sum   = term  { ('+' | '-') term }
   term    = unary { ('*' | '/') unary }           unary = ('-' | '+') unary | power
   power   = primary [ '^' unary ]
   primary = number | name | function '(' sum { ',' sum } ')' | '(' sum ')' */
#ifndef ADCHECK_EXPRESSION_H
#define ADCHECK_EXPRESSION_H

enum { NESTING = 100, STACK = 5 * NESTING };   /* a level leaves 4 values waiting at most */
enum { STEP_NUMBER, STEP_1, STEP_2, STEP_3, STEP_VARIABLE, STEP_RESULT };
enum { LONGEST_NAME = sizeof ((ad_check_finding *)0)->name - 1 };     /* what a report can show */
#define NAME_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"

typedef struct step {                          /* and a row of the rule table */
    const char *name;
    int         kind;                          /* STEP_1, _2, _3: the operands */
    double    (*f1)(double);
    double    (*f2)(double, double);
    double    (*f3)(double, double, double);
    double      number;
    size_t      variable;
} step;

static const step rows[] = {
#define X1(name, class_, value, dx)         { #name, STEP_1, ad_real_##name, NULL, NULL, 0, 0 },
#define X2(name, class_, value, dx, dy)     { #name, STEP_2, NULL, ad_real_##name, NULL, 0, 0 },
#define X3(name, class_, value, dx, dy, dz) { #name, STEP_3, NULL, NULL, ad_real_##name, 0, 0 },
    ADI_READ((X1, X2, X3, ADI_SKIPN, ADI_WORDS(ADI_WORD_TEXT)))
#undef X1
#undef X2
#undef X3
    { NULL, 0, NULL, NULL, NULL, 0, 0 }
};

typedef struct program {
    step   *steps;
    size_t  count, results, rows;              /* rows: of a list in rows */
    size_t  n;
    double *x, *y;                             /* [n], [results] */
    int     single;                            /* round every value to float */
} program;

typedef struct parser {
    const char *what, *text, *at;
    char      **names;                         /* [n] of the variables */
    size_t      n;
    program    *p;
    int         depth;
} parser;

#if defined(__GNUC__)
__attribute__((noreturn))
#endif
static void complain(const parser *q, const char *at, const char *problem)
{
    die("%s, column %lu: %s%s%.24s%s", q->what, (unsigned long)(at - q->text) + 1, problem,
        *at ? ", at: " : ", at the end", at, strlen(at) > 24 ? "..." : "");
}

static char next(parser *q)
{
    while (isspace((unsigned char)*q->at)) q->at++;
    return *q->at;
}
static int take(parser *q, char c)
{
    if (next(q) != c) return 0;
    q->at++;
    return 1;
}

static const step *find_row(const char *name, size_t length)
{
    const step *r = rows;
    while (r->name && (strncmp(r->name, name, length) != 0 || r->name[length])) r++;
    return r->name ? r : NULL;
}
static step *emit(parser *q, int kind)
{
    step *s = &q->p->steps[q->p->count++];
    s->kind = kind;
    return s;
}
static void emit_row(parser *q, const step *row) { q->p->steps[q->p->count++] = *row; }
static void emit_operator(parser *q, const char *name)
{
    emit_row(q, find_row(name, strlen(name)));
}

static void sum(parser *q);

static void function_call(parser *q, const char *name, size_t length)
{
    const step *row = find_row(name, length);
    char problem[80];
    int count = 0;
    if (row == NULL) complain(q, name, "no such function (--help lists them)");
    do {
        sum(q);
        count++;
    } while (take(q, ','));
    if (!take(q, ')')) complain(q, q->at, "an operator, ',' or ')' is missing");
    sprintf(problem, "%.20s takes %d operands, not %d", row->name, row->kind, count);
    if (count != row->kind) complain(q, name, problem);
    emit_row(q, row);
}

static void name(parser *q, size_t length)
{
    const char *start = q->at;
    size_t i = 0;
    q->at += length;
    while (i < q->n && (strncmp(q->names[i], start, length) || q->names[i][length])) i++;
    if (take(q, '(')) function_call(q, start, length);
    else if (i < q->n) emit(q, STEP_VARIABLE)->variable = i;
    else if (length == 1 && *start == 'e') emit(q, STEP_NUMBER)->number = 2.7182818284590452354;
    else if (length == 2 && !strncmp(start, "pi", 2))
        emit(q, STEP_NUMBER)->number = 3.14159265358979323846;
    else if (find_row(start, length)) complain(q, start, "a function needs '('");
    else complain(q, start, "no such variable (--at and --names tell them)");
}

static void number(parser *q)
{
    const char *start = q->at;
    char *end;
    const double value = strtod(start, &end);
    if (end == start) complain(q, start, "a number is expected");
    if (!(value <= DBL_MAX)) complain(q, start, "the number is too large");
    q->at = *start == '0' && (start[1] == 'x' || start[1] == 'X') ? start + 1 : end;
    emit(q, STEP_NUMBER)->number = value;
}

static void primary(parser *q)
{
    const char c = next(q);
    if (take(q, '(')) {
        sum(q);
        if (!take(q, ')')) complain(q, q->at, "an operator or ')' is missing");
    }
    else if (isdigit((unsigned char)c) || c == '.') number(q);
    else if (c && strchr(NAME_LETTERS, c)) name(q, strspn(q->at, NAME_LETTERS));
    else complain(q, q->at, "a number, a name or '(' is expected");
}

static void unary(parser *q)
{
    if (++q->depth > NESTING) complain(q, q->at, "nested more than 100 deep");
    if (take(q, '-')) {
        unary(q);
        emit_operator(q, "neg");
    } else if (take(q, '+')) {
        unary(q);
    } else {
        primary(q);
        if (take(q, '^')) {
            unary(q);
            emit_operator(q, "pow");
        }
    }
    q->depth--;
}
static void term(parser *q)
{
    unary(q);
    for (;;) {
        const int product = take(q, '*');
        if (!product && !take(q, '/')) return;
        unary(q);
        emit_operator(q, product ? "mul" : "div");
    }
}
static void sum(parser *q)
{
    term(q);
    for (;;) {
        const int plus = take(q, '+');
        if (!plus && !take(q, '-')) return;
        term(q);
        emit_operator(q, plus ? "add" : "sub");
    }
}

static char *copy_name(const char *what, const char *text, size_t length)
{
    char *copy = (char *)allocate(length + 1, 1);
    if (length == 0) die("%s: a name is missing", what);
    if (length > LONGEST_NAME)
        die("%s: the name '%.24s...' has more than %d letters", what, text, LONGEST_NAME);
    memcpy(copy, text, length);
    return copy;
}

/* what: for messages. columns: how many to a row; 0 where ';' is like ','. named: receives the
   names before the expressions, as in x=1; NULL where none may stand. */
static program *parse(const char *what, const char *text, char **names, size_t n, size_t columns,
                      char **named)
{
    const size_t most = strlen(text) + 2;      /* a character makes one step at most */
    program *p = (program *)allocate(1, sizeof *p);
    size_t entries = 0;
    parser q;
    char c;
    memset(&q, 0, sizeof q);
    q.what = what;
    q.text = q.at = text;
    q.names = names;
    q.n = p->n = n;
    q.p = p;
    p->steps = (step *)allocate(most, sizeof *p->steps);
    p->x = (double *)allocate(n, sizeof *p->x);
    p->y = (double *)allocate(most, sizeof *p->y);
    do {
        size_t length, gap;
        length = isdigit((unsigned char)next(&q)) ? 0 : strspn(q.at, NAME_LETTERS);
        gap = length + strspn(q.at + length, " ");
        if (named && length && q.at[gap] == '=') {
            named[p->results] = copy_name(what, q.at, length);
            q.at += gap + 1;
        }
        sum(&q);
        emit(&q, STEP_RESULT);
        p->results++;
        entries++;
        c = next(&q);
        if (c && c != ',' && c != ';') complain(&q, q.at, "an operator or ',' is missing");
        if (columns && c != ',') {
            p->rows++;
            if (entries != columns)
                die("%s: row %lu has n = %lu, the point n = %lu", what, (unsigned long)p->rows,
                    (unsigned long)entries, (unsigned long)columns);
            entries = 0;
        }
        if (c) q.at++;
    } while (c);
    return p;
}

/* From p->x to p->y. */
static void run(const program *p)
{
    double s[STACK], *top = s, *y = p->y;      /* top: above the last */
    size_t i;
    for (i = 0; i < p->count; i++) {
        const step *r = &p->steps[i];
        switch (r->kind) {
        case STEP_NUMBER:   *top++ = r->number; break;
        case STEP_VARIABLE: *top++ = p->x[r->variable]; break;
        case STEP_RESULT:   *y++ = *--top; continue;
        case STEP_1:             top[-1] = r->f1(top[-1]); break;
        case STEP_2: top -= 1;   top[-1] = r->f2(top[-1], top[0]); break;
        case STEP_3: top -= 2;   top[-1] = r->f3(top[-1], top[0], top[1]); break;
        default: break;
        }
        if (p->single) top[-1] = (double)(float)top[-1];
    }
}
#endif
