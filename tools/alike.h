/* How alike two names are, for who has written one that there is not. */
#ifndef ALIKE_H
#define ALIKE_H
#include <ctype.h>
#include <string.h>

enum { LONGEST_SYMBOL = 120 };

/* How many letters to put in, to leave out, to replace, or to exchange with their neighbour, until
   a is b; capitals aside. Each row of the table is for one letter more of a. */
static inline size_t distance(const char *a, const char *b)
{
    size_t table[3][LONGEST_SYMBOL + 1], *row = table[0], *above = table[1], *top = table[2];
    size_t i, j;
    for (j = 0; j <= strlen(b); j++) row[j] = j;
    for (i = 1; a[i - 1]; i++) {
        size_t *const free_row = top;
        top = above;
        above = row;
        row = free_row;
        row[0] = i;
        for (j = 1; b[j - 1]; j++) {
            const int p = tolower((unsigned char)a[i - 1]), q = tolower((unsigned char)b[j - 1]);
            row[j] = above[j - 1] + (p != q);
            if (above[j] + 1 < row[j]) row[j] = above[j] + 1;
            if (row[j - 1] + 1 < row[j]) row[j] = row[j - 1] + 1;
            if (i > 1 && j > 1 && p == tolower((unsigned char)b[j - 2])
                && q == tolower((unsigned char)a[i - 2]) && top[j - 2] + 1 < row[j])
                row[j] = top[j - 2] + 1;
        }
    }
    return row[strlen(b)];
}
#endif
