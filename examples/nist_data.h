/* Reads a dataset in the format of examples/nist: lines of "key value"; then a line for each
   parameter with two starts, certified value and standard deviation; then the data, one line for
   each observation with y and the predictors. Lines with # at the front are comments. */
#ifndef NIST_DATA_H
#define NIST_DATA_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NIST_MAX_B = 9, NIST_MAX_M = 250, NIST_MAX_X = 2 };

typedef struct nist_data {
    char   name[32], difficulty[16], formula[256];
    size_t n, predictors, m;                     /* parameters, predictors, observations */
    double start[2][NIST_MAX_B], certified[NIST_MAX_B], deviation[NIST_MAX_B], rss;
    double y[NIST_MAX_M], x[NIST_MAX_M][NIST_MAX_X];
} nist_data;

/* The next line that says something, without its line end; NULL at the end of the file. */
static char *nist_line(FILE *file, char *line, int size)
{
    while (fgets(line, size, file)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] != '#' && line[strspn(line, " \t")] != '\0') return line;
    }
    return NULL;
}

/* The numbers of a line from `text` on, at most `most`. */
static size_t nist_numbers(const char *text, double *number, size_t most)
{
    size_t count = 0;
    char *end;
    for (; count < most; text = end, count++) {
        number[count] = strtod(text, &end);
        if (end == text) break;
    }
    return count;
}

/* The value of the line "key value"; "" if another line stands there. */
static const char *nist_field(FILE *file, char *line, int size, const char *key)
{
    const size_t length = strlen(key);
    if (!nist_line(file, line, size) || strncmp(line, key, length) != 0) return "";
    return line + length + strspn(line + length, " \t");
}

static int nist_parse(FILE *file, nist_data *d)
{
    static const char *const count_key[] = { "parameters", "predictors", "observations" };
    char line[400], key[16];
    double number[1 + NIST_MAX_X + 4];
    size_t count[3], i, j;
    memset(d, 0, sizeof *d);
    snprintf(d->name, sizeof d->name, "%.31s", nist_field(file, line, sizeof line, "name"));
    snprintf(d->formula, sizeof d->formula, "%.255s", nist_field(file, line, sizeof line, "model"));
    snprintf(d->difficulty, sizeof d->difficulty, "%.15s",
             nist_field(file, line, sizeof line, "difficulty"));
    for (i = 0; i < 3; i++)
        count[i] = (size_t)atoi(nist_field(file, line, sizeof line, count_key[i]));
    d->n = count[0];
    d->predictors = count[1];
    d->m = count[2];
    if (d->n - 1 >= NIST_MAX_B || d->predictors - 1 >= NIST_MAX_X || d->m - 1 >= NIST_MAX_M)
        return 0;                                /* 0 too: then d->n - 1 is the largest size_t */
    if (nist_numbers(nist_field(file, line, sizeof line, "rss"), &d->rss, 1) != 1) return 0;
    for (j = 0; j < d->n; j++) {
        snprintf(key, sizeof key, "b%d ", (int)j + 1);
        if (nist_numbers(nist_field(file, line, sizeof line, key), number, 4) != 4) return 0;
        d->start[0][j] = number[0];
        d->start[1][j] = number[1];
        d->certified[j] = number[2];
        d->deviation[j] = number[3];
    }
    for (i = 0; i < d->m; i++) {
        const size_t columns = 1 + d->predictors;
        if (!nist_line(file, line, sizeof line)) return 0;
        if (nist_numbers(line, number, columns + 1) != columns) return 0;
        d->y[i] = number[0];
        memcpy(d->x[i], number + 1, d->predictors * sizeof(double));
    }
    return nist_line(file, line, sizeof line) == NULL;
}

/* 1, or 0 with one line on stderr. */
static int nist_read(const char *directory, const char *name, nist_data *d)
{
    char path[1024];
    FILE *file;
    int good;
    snprintf(path, sizeof path, "%s/%s.txt", directory, name);
    file = fopen(path, "r");
    if (!file) {
        fprintf(stderr, "nist_fit: cannot open %s; run from the top of the repository, or give "
                        "--data DIR\n", path);
        return 0;
    }
    good = nist_parse(file, d) && strcmp(d->name, name) == 0;
    fclose(file);
    if (!good) fprintf(stderr, "nist_fit: %s is not a whole dataset of that name\n", path);
    return good;
}

#endif
