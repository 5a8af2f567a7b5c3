/* The gradient checker between a program that others published and the solver it calls: what
   sundials.c and nlopt.c have in common. A derivative that the program registers is checked at the
   points where the solver asks for it, then with an entry spoilt, which must be found. At the
   program's end one line a derivative is appended to the file $PUBLISHED. */
#ifndef PUBLISHED_H
#define PUBLISHED_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

/* One derivative of a program: a kind and a function, whatever number of solvers it is given to. */
typedef struct derivative {
    const char *kind;               /* "Jacobian", "J*v" ... */
    const void *function;           /* which the script finds the name of, or */
    const char *name;               /* the name, where it is not NULL */
    int    part;                    /* of a function that has several; else 0 */
    size_t calls, points;           /* by the solver; checked */
    size_t wrong, undecided;        /* points */
    size_t spoilt, found, doubted;  /* derivatives with a wrong entry; called wrong; undecided */
    char   worst[400];              /* the message of the worst point */
    int    rank;                    /* of that point: 3 wrong, 2 undecided, 1 right */
} derivative;

/* A function R^n -> R^m and what the program says of its derivative at x: one of jacobian, sparse,
   jv, vj; or fg, which has f itself and, where g is not NULL, its gradient. `at` goes to all. */
typedef struct claim {
    void (*f)(const double *x, size_t n, double *y, size_t m, void *at);
    void (*jacobian)(const double *x, size_t n, double *J, size_t m, void *at);
    void (*sparse)(const double *x, size_t n, double *values, size_t nnz, void *at);
    void (*jv)(const double *x, size_t n, const double *v, double *Jv, size_t m, void *at);
    void (*vj)(const double *x, size_t n, const double *w, double *wJ, size_t m, void *at);
    double (*fg)(const double *x, size_t n, double *g, void *at);
    void  *at;
    const double *x;
    size_t n, m;
    const size_t *row_start, *column;           /* of sparse */
} claim;

derivative *published_derivative(const char *kind, const void *function, int part);
/* The solver calls it: is this a point to check? The first, the second, the fourth ... are. */
int  published_due(derivative *d);
void published_check(derivative *d, const claim *c);
/* `what` cannot be: ends the program, with a line that fails the check. */
void published_fail(const char *what);
void *published_memory(size_t bytes);
#ifdef __cplusplus
}
#endif
#endif
