#define AUTODIFF_CHECK
#include "../../autodiff.h"
#include "published.h"
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 256 };
static derivative list[MOST];
static size_t length;
static int busy;                                /* the program is called by a check of its own */

/* ---- what is written at the end */

static FILE *report(void)
{
    const char *const path = getenv("PUBLISHED");
    FILE *const out = path ? fopen(path, "a") : NULL;
    return out ? out : stderr;
}

static void finish(void)
{
    FILE *const out = report();
    size_t k;
    for (k = 0; k < length; k++) {
        const derivative *const d = &list[k];
        const char *const verdict = d->wrong ? "WRONG" : d->undecided ? "UNDECIDED"
                                  : d->points ? "RIGHT" : "UNSEEN";
        if (d->name) fprintf(out, "%s", d->name);
        else fprintf(out, "%p", d->function);
        fprintf(out, " %d|%s|%s|%zu|%zu|%zu|%zu|%zu|%zu|%s\n", d->part, d->kind, verdict, d->points,
                d->wrong, d->undecided, d->spoilt, d->found, d->doubted, d->worst);
    }
    fclose(out);
}

void published_fail(const char *what)
{
    FILE *const out = report();
    fprintf(out, "%p 0|shim|FAILED|0|0|0|0|0|0|%s\n", (void *)0, what);
    fclose(out);
    _Exit(1);
}

void *published_memory(size_t bytes)
{
    void *const p = calloc(1, bytes ? bytes : 1);
    if (!p) published_fail("no memory");
    return p;
}

derivative *published_derivative(const char *kind, const void *function, int part)
{
    derivative *d = list;
    if (!length) atexit(finish);
    for (; d < list + length; d++)
        if (d->function == function && d->part == part && !strcmp(d->kind, kind)) return d;
    if (length == MOST) published_fail("more derivatives than published.c has room for");
    length++;
    d->kind = kind;
    d->function = function;
    d->part = part;
    return d;
}

int published_due(derivative *d)
{
    if (busy) return 0;
    d->calls++;
    return (d->calls & (d->calls - 1)) == 0;
}

/* ---- one check */

static ad_verdict check(const claim *c, ad_check_result *r)
{
    if (c->fg) return ad_check_fgradient(c->fg, c->x, c->n, c->at, NULL, r);
    if (c->jacobian) return ad_check_jacobian(c->f, c->jacobian, c->x, c->n, c->m, c->at, NULL, r);
    if (c->sparse)
        return ad_check_sparse_jacobian(c->f, c->sparse, c->x, c->n, c->m, c->row_start, c->column,
                                        c->at, NULL, r);
    if (c->jv) return ad_check_jvp(c->f, c->jv, c->x, c->n, c->m, c->at, NULL, r);
    return ad_check_vjp(c->f, c->vj, c->x, c->n, c->m, c->at, NULL, r);
}

/* ---- the same with a wrong entry: J[row][column] is multiplied by `factor` */

typedef struct spoilt {
    const claim *c;
    size_t row, column, place;      /* place: among the values */
    double factor, entry;
} spoilt;

static void spoilt_f(const double *x, size_t n, double *y, size_t m, void *at)
{
    const claim *const c = ((const spoilt *)at)->c;
    c->f(x, n, y, m, c->at);
}

static void spoilt_jacobian(const double *x, size_t n, double *J, size_t m, void *at)
{
    const spoilt *const s = (const spoilt *)at;
    s->c->jacobian(x, n, J, m, s->c->at);
    J[s->place] *= s->factor;
}

static void spoilt_sparse(const double *x, size_t n, double *values, size_t nnz, void *at)
{
    const spoilt *const s = (const spoilt *)at;
    s->c->sparse(x, n, values, nnz, s->c->at);
    values[s->place] *= s->factor;
}

static void spoilt_jv(const double *x, size_t n, const double *v, double *Jv, size_t m, void *at)
{
    const spoilt *const s = (const spoilt *)at;
    s->c->jv(x, n, v, Jv, m, s->c->at);
    Jv[s->row] += (s->factor - 1) * s->entry * v[s->column];
}

static void spoilt_vj(const double *x, size_t n, const double *w, double *wJ, size_t m, void *at)
{
    const spoilt *const s = (const spoilt *)at;
    s->c->vj(x, n, w, wJ, m, s->c->at);
    wJ[s->column] += (s->factor - 1) * s->entry * w[s->row];
}

static double spoilt_fg(const double *x, size_t n, double *g, void *at)
{
    const spoilt *const s = (const spoilt *)at;
    const double f = s->c->fg(x, n, g, s->c->at);
    if (g) g[s->place] *= s->factor;
    return f;
}

/* The k-th of `count` numbers, beginning anew behind the last, that is not 0 and not nothing beside
   the greatest; count: there is none. */
static size_t pick(const double *a, size_t count, size_t k)
{
    double greatest = 0;
    size_t i;
    for (i = 0; i < count; i++)
        if (fabs(a[i]) > greatest) greatest = fabs(a[i]);
    if (greatest == 0) return count;
    for (i = 0; i < count; i++)
        if (fabs(a[(k + i) % count]) >= 1e-6 * greatest) return (k + i) % count;
    return count;
}

/* A row or column of J with an entry in it, and that entry's place, by products. */
static int pick_product(spoilt *s, size_t k)
{
    const claim *const c = s->c;
    const size_t in = c->jv ? c->n : c->m, out = c->jv ? c->m : c->n;
    double *const unit = (double *)published_memory(in * sizeof *unit);
    double *const product = (double *)published_memory(out * sizeof *product);
    size_t i, at = out, one = 0;
    for (i = 0; i < in && i < 20 && at == out; i++) {
        one = (k + i) % in;
        unit[one] = 1;
        if (c->jv) c->jv(c->x, c->n, unit, product, c->m, c->at);
        else c->vj(c->x, c->n, unit, product, c->m, c->at);
        unit[one] = 0;
        at = pick(product, out, k);
    }
    if (at < out) {
        s->row = c->jv ? at : one;
        s->column = c->jv ? one : at;
        s->entry = product[at];
    }
    free(unit);
    free(product);
    return at < out;
}

static int pick_value(spoilt *s, size_t k)
{
    const claim *const c = s->c;
    const size_t count = c->sparse ? c->row_start[c->m] : c->m * c->n;
    double *const values = (double *)published_memory(count * sizeof *values);
    if (c->fg) c->fg(c->x, c->n, values, c->at);
    else if (c->sparse) c->sparse(c->x, c->n, values, count, c->at);
    else c->jacobian(c->x, c->n, values, c->m, c->at);
    s->place = pick(values, count, k);
    free(values);
    return s->place < count;
}

static int pick_entry(spoilt *s, size_t k)
{
    return s->c->fg || s->c->jacobian || s->c->sparse ? pick_value(s, k) : pick_product(s, k);
}

static void spoil(derivative *d, const claim *c)
{
    static const double factor[3] = { -1, 1.01, 0 };           /* sign, size, a term forgotten */
    ad_check_result *const r = (ad_check_result *)published_memory(sizeof *r);
    int k;
    for (k = 0; k < 3; k++) {
        spoilt s;
        claim wrong = *c;
        memset(&s, 0, sizeof s);
        s.c = c;
        s.factor = factor[k];
        if (!pick_entry(&s, 7919u * d->points + 31u * (size_t)k)) continue;
        wrong.at = &s;
        wrong.f = spoilt_f;
        if (c->fg) wrong.fg = spoilt_fg;
        if (c->jacobian) wrong.jacobian = spoilt_jacobian;
        if (c->sparse) wrong.sparse = spoilt_sparse;
        if (c->jv) wrong.jv = spoilt_jv;
        if (c->vj) wrong.vj = spoilt_vj;
        check(&wrong, r);
        d->spoilt++;
        d->found += !ad_check_ok(r->verdict) && !ad_check_undecided(r->verdict);
        d->doubted += (size_t)ad_check_undecided(r->verdict);
        if (getenv("PUBLISHED_ALL") && ad_check_ok(r->verdict))
            fprintf(stderr, "not found, factor %g: %s\n", s.factor, r->message);
    }
    free(r);
}

/* PUBLISHED_ALL: what is not right, and where, to the last digit. */
static void tell(const derivative *d, const claim *c, const ad_check_result *r)
{
    size_t i;
    fprintf(stderr, "%s, point %zu: %s\n", d->kind, d->points, r->message);
    for (i = 0; i < c->n && i < 16; i++) fprintf(stderr, "    x[%zu] = %.17g\n", i, c->x[i]);
    for (i = 0; i < r->n_findings; i++) {
        const ad_check_finding *const f = &r->findings[i];
        if (f->i == AD_NO_INDEX || ad_check_ok(f->verdict)) continue;
        fprintf(stderr, "    %s (%zu, %zu): claimed %.17g, numeric %.17g +- %g, step %g\n",
                ad_verdict_name(f->verdict), f->i, f->j, f->claimed, f->numeric, f->bound, f->h);
    }
}

void published_check(derivative *d, const claim *c)
{
    ad_check_result *const r = (ad_check_result *)published_memory(sizeof *r);
    ad_verdict v;
    int rank;
    busy = 1;
    v = check(c, r);
    if (v == AD_VERDICT_ERROR) published_fail(r->message);
    rank = ad_check_ok(v) ? 1 : ad_check_undecided(v) ? 2 : 3;
    d->points++;
    d->wrong += rank == 3;
    d->undecided += rank == 2;
    if (rank > d->rank) {
        d->rank = rank;
        snprintf(d->worst, sizeof d->worst, "%s", r->message);
    }
    if (rank != 1 && getenv("PUBLISHED_ALL")) tell(d, c, r);
    /* at a kink another slope may be as right */
    if (rank == 1 && v != AD_VERDICT_NONSMOOTH_VALID && d->spoilt < 6) spoil(d, c);
    busy = 0;
    free(r);
}
