/* Derivatives that are kept: against formulas written by hand and differences of plain functions,
   before and after a call is compiled; which calls are compiled, kept and dropped, against a model
   of the list of use; branches that go every way; promises that are broken; memory that runs out.
   Values are to have the tape's bits, so nothing may be fused. The file includes itself, once for
   each real type, behind the first #else.
   Sections: Common Types; Compiled Functions; Drivers; Compiled Functions: Making; Compiled
   Functions: Evaluating; Cached Derivatives. */
#ifndef PREAL
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include "heap.h"
#include "leaks.h"
#include "starve.h"
#include "test.h"

#define COUNT(a) (sizeof (a) / sizeof (a)[0])

TEST_DEF void suite_cache(void);

static int one_line(const char *message)
{
    return message[0] != 0 && strchr(message, '\n') == NULL;
}
/* Numbers in [0, 1) that are the same each time. */
static double draw(unsigned long *state)
{
    *state = (*state * 1103515245ul + 12345ul) & 0x7FFFFFFFul;
    return (double)(*state >> 8) / (double)(0x7FFFFFFFul >> 8);
}
static size_t below(unsigned long *state, size_t n)
{
    return (size_t)(draw(state) * (double)n * 0.999999);
}

static const double d_unit = DBL_EPSILON, f_unit = (double)FLT_EPSILON;
#define TWICE "test_cache.c"
#include "twice.h"

/* ---------------------------------------------------------------- against differences */

enum { WIDE = 5, ROWS = 3 };

/* Sums of products and functions, of plain numbers and on the tape, from the same draws. */
static double plain(const double *x, unsigned long seed)
{
    double v[30];
    int i;
    for (i = 0; i < WIDE; i++) v[i] = x[i];
    for (; i < 30; i++) {
        const double a = v[below(&seed, (size_t)i)], b = v[below(&seed, (size_t)i)];
        switch (below(&seed, 5)) {
        case 0:  v[i] = a * b - 0.5; break;
        case 1:  v[i] = sin(a) + b; break;
        case 2:  v[i] = a / (1 + b * b); break;
        case 3:  v[i] = tanh(a) * b; break;
        default: v[i] = a - 0.7 * b; break;
        }
    }
    return v[29];
}
static ad_var taped(const ad_var *x, unsigned long seed)
{
    ad_var v[30];
    int i;
    for (i = 0; i < WIDE; i++) v[i] = x[i];
    for (; i < 30; i++) {
        const ad_var a = v[below(&seed, (size_t)i)], b = v[below(&seed, (size_t)i)];
        switch (below(&seed, 5)) {
        case 0:  v[i] = ad_var_sub_r(ad_var_mul(a, b), 0.5); break;
        case 1:  v[i] = ad_var_add(ad_var_sin(a), b); break;
        case 2:  v[i] = ad_var_div(a, ad_var_add_r(ad_var_mul(b, b), 1)); break;
        case 3:  v[i] = ad_var_mul(ad_var_tanh(a), b); break;
        default: v[i] = ad_var_sub(a, ad_var_mul_r(b, 0.7)); break;
        }
    }
    return v[29];
}
static ad_var random_one(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    (void)t; (void)n;
    return taped(x, *(const unsigned long *)user);
}
static void random_rows(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m, void *user)
{
    size_t i;
    (void)t; (void)n;
    for (i = 0; i < m; i++) y[i] = taped(x, *(const unsigned long *)user + 77 * i);
}
/* d f / d x[i] by central differences with one extrapolation, good to 1e-9; its second derivative
   by j likewise, good to 1e-6. */
static double slope(const double *x, size_t i, unsigned long seed, double h)
{
    double at[WIDE], up, down;
    memcpy(at, x, sizeof at);
    at[i] = x[i] + h;
    up = plain(at, seed);
    at[i] = x[i] - h;
    down = plain(at, seed);
    return (up - down) / (2 * h);
}
static double difference(const double *x, size_t i, unsigned long seed)
{
    return (4 * slope(x, i, seed, 1e-3) - slope(x, i, seed, 2e-3)) / 3;
}
static double curvature(const double *x, size_t i, size_t j, unsigned long seed)
{
    double up[WIDE], down[WIDE];
    memcpy(up, x, sizeof up);
    memcpy(down, x, sizeof down);
    up[j] += 1e-4;
    down[j] -= 1e-4;
    return (difference(up, i, seed) - difference(down, i, seed)) / 2e-4;
}
static void test_differences(void)
{
    static unsigned long seeds[12];
    ad_cache_desc desc;
    ad_cache *c;
    unsigned long state = 5;
    size_t s, i, j, call, wrong = 0;
    memset(&desc, 0, sizeof desc);
    desc.after = 3;
    c = ad_cache_create(&desc);
    for (s = 0; s < COUNT(seeds); s++) seeds[s] = 1000 + 31 * s;
    for (call = 0; call < 8; call++)
        for (s = 0; s < COUNT(seeds); s++) {
            double x[WIDE], y[ROWS], g[WIDE], H[WIDE * WIDE], J[ROWS * WIDE];
            for (i = 0; i < WIDE; i++) x[i] = draw(&state) - 0.3;
            CHECK_STATUS(ad_cache_gradient(c, 0, random_one, &seeds[s], x, WIDE, NULL, 0, y, g),
                AD_OK);
            CHECK(y[0] == plain(x, seeds[s]));
            for (i = 0; i < WIDE; i++) CHECK_NEAR(g[i], difference(x, i, seeds[s]), 1e-8);
            CHECK_STATUS(ad_cache_hessian(c, 0, random_one, &seeds[s], x, WIDE, NULL, 0, y, g, H),
                AD_OK);
            CHECK(y[0] == plain(x, seeds[s]));
            for (i = 0; i < WIDE; i++) {
                CHECK_NEAR(g[i], difference(x, i, seeds[s]), 1e-8);
                for (j = 0; j < WIDE; j++)
                    CHECK_NEAR(H[i * WIDE + j], curvature(x, i, j, seeds[s]), 3e-5);
            }
            CHECK_STATUS(ad_cache_jacobian(c, 0, random_rows, &seeds[s], x, WIDE, NULL, 0, ROWS, y,
                J), AD_OK);
            for (j = 0; j < ROWS; j++) {
                wrong += y[j] != plain(x, seeds[s] + 77 * j);
                for (i = 0; i < WIDE; i++)
                    CHECK_NEAR(J[j * WIDE + i], difference(x, i, seeds[s] + 77 * j), 1e-8);
            }
        }
    CHECK(wrong == 0);
    CHECK(ad_cache_get_stats(c).functions == 3 * COUNT(seeds));
    CHECK(ad_cache_get_stats(c).hits == 3 * COUNT(seeds) * 5);
    ad_cache_destroy(c);
}

/* ---------------------------------------------------------------- the list of use */

/* What a call has to be told by. Each of these differs from the first in one thing alone. */
static int called;
static ad_var square_sum(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    ad_var s = ad_const(0);
    size_t i;
    (void)t; (void)user;
    called++;
    for (i = 0; i < n; i++) s = ad_var_add(s, ad_var_mul(x[i], x[i]));
    return s;
}
static ad_var cube_sum(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    ad_var s = ad_const(0);
    size_t i;
    (void)t; (void)user;
    called++;
    for (i = 0; i < n; i++) s = ad_var_add(s, ad_var_mul(x[i], ad_var_mul(x[i], x[i])));
    return s;
}
static void doubles(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m, void *user)
{
    size_t i;
    (void)t; (void)user;
    called++;
    for (i = 0; i < m; i++) y[i] = ad_var_mul_r(x[i % n], 2.0 + (double)m);
}
static void triples(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m, void *user)
{
    size_t i;
    (void)t; (void)user;
    called++;
    for (i = 0; i < m; i++) y[i] = ad_var_mul_r(x[i % n], 3);
}

typedef struct asked { int kind; uint64_t key; int other, user; size_t n, k, m; } asked;

/* Asks, and looks at every number: 0 where all is right. */
static int asks(ad_cache *c, const asked *q)
{
    static char users[4];
    const double x[4] = { 0.5, -1.25, 2, 3 }, p[3] = { 4, 0.25, -1 };
    double y[4] = { 0 }, g[4] = { 0 }, D[16] = { 0 }, all[7], sum = 0;
    void *const user = q->user ? &users[q->user] : NULL;
    const ad_fun f = q->other ? cube_sum : square_sum;
    ad_status s;
    size_t i, j;
    int wrong = 0;
    for (i = 0; i < q->n; i++) all[i] = x[i];
    for (i = 0; i < q->k; i++) all[q->n + i] = p[i];
    if (q->kind == 2) {
        const double factor = q->other ? 3 : 2 + (double)q->m;
        s = ad_cache_jacobian(c, q->key, q->other ? triples : doubles, user, x, q->n, p, q->k, q->m,
            y, D);
        for (i = 0; i < q->m; i++) {
            const size_t from = i % (q->n + q->k);
            wrong += y[i] != factor * all[from];
            for (j = 0; j < q->n; j++) wrong += D[i * q->n + j] != (j == from ? factor : 0);
        }
        return wrong + (s != AD_OK);
    }
    s = q->kind == 0 ? ad_cache_gradient(c, q->key, f, user, x, q->n, p, q->k, y, g)
                     : ad_cache_hessian(c, q->key, f, user, x, q->n, p, q->k, y, g, D);
    for (i = 0; i < q->n + q->k; i++) sum += all[i] * all[i] * (q->other ? all[i] : 1);
    wrong += fabs(y[0] - sum) > 1e-12;
    for (i = 0; i < q->n; i++) {
        wrong += fabs(g[i] - (q->other ? 3 * x[i] * x[i] : 2 * x[i])) > 1e-12;
        for (j = 0; q->kind && j < q->n; j++)
            wrong += fabs(D[i * q->n + j] - (i != j ? 0 : q->other ? 6 * x[i] : 2)) > 1e-12;
    }
    return wrong + (s != AD_OK);
}

/* The model: who is kept, the last one called first, and how often each was recorded. */
typedef struct model {
    size_t who[64], recorded[64], n, most, after;
    size_t hits, misses, compiled, evicted, recordings;
} model;
/* 1 if a compiled function is to answer. */
static int model_call(model *m, size_t who)
{
    size_t at = 0, count;
    int hit;
    while (at < m->n && m->who[at] != who) at++;
    if (at == m->n) {
        m->misses++;
        if (m->n == m->most) {
            m->evicted++;
            at = m->n - 1;
        } else {
            m->n++;
        }
        m->recorded[at] = 0;
    }
    count = m->recorded[at];
    for (; at > 0; at--) {
        m->who[at] = m->who[at - 1];
        m->recorded[at] = m->recorded[at - 1];
    }
    hit = count >= m->after;
    m->who[0] = who;
    m->recorded[0] = count + !hit;
    m->hits += (size_t)hit;
    m->recordings += !hit;
    m->compiled += !hit && count + 1 == m->after;
    return hit;
}
static size_t model_functions(const model *m)
{
    size_t i, functions = 0;
    for (i = 0; i < m->n; i++) functions += m->recorded[i] >= m->after;
    return functions;
}

/* Each differs from the first in one thing. */
static const asked variants[] = {
    { 0, 0, 0, 0, 2, 1, 1 }, { 0, 1, 0, 0, 2, 1, 1 }, { 0, UINT64_C(1) << 40, 0, 0, 2, 1, 1 },
    { 0, 0, 1, 0, 2, 1, 1 }, { 0, 0, 0, 1, 2, 1, 1 }, { 0, 0, 0, 2, 2, 1, 1 },
    { 0, 0, 0, 0, 3, 1, 1 }, { 0, 0, 0, 0, 3, 0, 1 }, { 0, 0, 0, 0, 2, 2, 1 },
    { 0, 0, 0, 0, 1, 2, 1 }, { 1, 0, 0, 0, 2, 1, 1 }, { 1, 0, 1, 0, 2, 1, 1 },
    { 1, 0, 0, 0, 3, 0, 1 }, { 2, 0, 0, 0, 2, 1, 1 }, { 2, 0, 1, 0, 2, 1, 1 },
    { 2, 0, 0, 0, 2, 1, 2 }, { 2, 0, 0, 0, 2, 1, 4 }, { 2, 0, 0, 3, 2, 1, 1 },
    { 0, UINT64_MAX, 0, 0, 2, 1, 1 }, { 2, 0, 0, 0, 3, 0, 1 }, { 2, 0, 0, 0, 0, 3, 3 },
    { 0, 0, 0, 0, 0, 3, 1 }, { 1, 0, 0, 0, 0, 3, 1 }, { 0, 0, 0, 0, 0, 0, 1 },
    { 1, 0, 0, 0, 0, 0, 1 }, { 2, 0, 0, 0, 2, 1, 0 }
};
static void test_use(size_t most, size_t after, size_t calls, size_t keys)
{
    ad_cache_desc desc;
    ad_cache *c;
    ad_cache_stats s;
    model m;
    unsigned long state = 7 + (unsigned long)most;
    size_t i, wrong = 0, other = 0;
    memset(&s, 0, sizeof s);
    memset(&desc, 0, sizeof desc);
    memset(&m, 0, sizeof m);
    m.most = desc.entries = most;
    m.after = desc.after = after;
    c = ad_cache_create(&desc);
    for (i = 0; i < calls; i++) {
        /* the lower numbers more often, so that some are compiled and some go before */
        const size_t who = below(&state, 1 + below(&state, keys));
        const int before = called, hit = model_call(&m, who);
        wrong += asks(c, &variants[who]) != 0;
        other += (called == before) != hit;
        s = ad_cache_get_stats(c);
        other += s.entries != m.n || s.hits != m.hits || s.misses != m.misses
            || s.evicted != m.evicted || s.compiled != m.compiled || s.recorded != m.recordings
            || s.functions != model_functions(&m);
    }
    test_check(wrong == 0 && other == 0, __FILE__, __LINE__, "%d entries, after %d: %d calls wrong,"
        " %d not as the model has it", (int)most, (int)after, (int)wrong, (int)other);
    CHECK(m.hits > calls / 20 && m.evicted > 0 && m.compiled > 0);
    CHECK(s.guard_failures == 0 && s.refused == 0 && s.verified == 0);
    CHECK_STRING(s.why, "");
    CHECK_STRING(ad_cache_message(c), "");
    ad_cache_destroy(c);
}
/* All variants at once: none answers for another. */
static void test_told_apart(void)
{
    ad_cache_desc desc;
    ad_cache *c;
    ad_cache_stats s;
    size_t i, round;
    int before;
    memset(&desc, 0, sizeof desc);
    desc.after = 1;
    c = ad_cache_create(&desc);
    for (round = 0; round < 3; round++) {
        before = called;
        for (i = 0; i < COUNT(variants); i++) CHECK(asks(c, &variants[i]) == 0);
        CHECK(called - before == (round ? 0 : (int)COUNT(variants)));
    }
    s = ad_cache_get_stats(c);
    CHECK(s.entries == COUNT(variants) && s.functions == COUNT(variants));
    CHECK(s.misses == COUNT(variants) && s.hits == 2 * COUNT(variants));
    ad_cache_clear(c);
    s = ad_cache_get_stats(c);
    CHECK(s.entries == 0 && s.functions == 0 && s.hits == 0 && s.misses == 0 && s.recorded == 0);
    for (i = 0; i < COUNT(variants); i++) CHECK(asks(c, &variants[i]) == 0);
    CHECK(ad_cache_get_stats(c).misses == COUNT(variants));
    ad_cache_destroy(c);
}
/* Two at a time in a short table, where many stand in one chain: each pair that differs in one
   thing, with many keys. */
static void test_chains(void)
{
    static const size_t pair[][2] = { { 0, 3 }, { 0, 4 }, { 0, 6 }, { 0, 8 }, { 0, 10 },
        { 3, 11 }, { 13, 14 }, { 13, 15 }, { 13, 17 } };
    ad_cache_desc desc;
    ad_cache *c;
    size_t i, k, wrong = 0;
    memset(&desc, 0, sizeof desc);
    desc.after = 1;
    desc.entries = 2;
    c = ad_cache_create(&desc);
    for (k = 0; k < 100; k++)
        for (i = 0; i < COUNT(pair); i++) {
            const int before = called;
            int round, j;
            for (round = 0; round < 2; round++)
                for (j = 0; j < 2; j++) {
                    asked q = variants[pair[i][j]];
                    q.key = 1000 * k + i;
                    wrong += asks(c, &q) != 0;
                }
            wrong += called - before != 2;
        }
    CHECK(wrong == 0);
    ad_cache_destroy(c);
}
/* 1000 are kept where nothing is said. */
static void test_many(void)
{
    ad_cache_desc desc;
    ad_cache *c;
    ad_cache_stats s;
    asked q = variants[0];
    size_t i, wrong = 0;
    int before;
    memset(&desc, 0, sizeof desc);
    desc.after = 2;
    c = ad_cache_create(&desc);
    for (i = 0; i < 2 * 1003; i++) {
        q.key = i / 2;
        wrong += asks(c, &q) != 0;
    }
    s = ad_cache_get_stats(c);
    CHECK(wrong == 0 && s.entries == 1000 && s.functions == 1000 && s.evicted == 3);
    before = called;
    for (i = 3; i < 1003; i++) {
        q.key = i;
        wrong += asks(c, &q) != 0;
    }
    CHECK(wrong == 0 && called == before);
    ad_cache_destroy(c);
    c = ad_cache_create(NULL);                   /* at the 100th */
    for (before = called, i = 0; i < 150; i++) wrong += asks(c, &variants[0]) != 0;
    CHECK(wrong == 0 && called - before == 100 && ad_cache_get_stats(c).hits == 50);
    ad_cache_destroy(c);
}

/* ---------------------------------------------------------------- what cannot be compiled */

static ad_var known(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    const double slope_there = 2 * x[0].v;
    (void)n; (void)user;
    called++;
    return ad_var_custom(t, 1, x, x[0].v * x[0].v, &slope_there);
}
static ad_var with_arrays(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    const int32_t one = (int32_t)n;
    (void)user;
    called++;
    return ad_array_item(ad_array_sum(ad_array_square(ad_array_pack(t, 1, &one, x)), AD_ALL_AXES,
        0));
}
static void test_refused(void)
{
    const double x[2] = { 1.5, 0.5 };
    ad_cache_desc desc;
    ad_cache *c;
    ad_cache_stats s;
    double y, g[2];
    size_t what, i;
    for (what = 0; what < 3; what++) {
        static const char *const says[3] = { "ad_var_custom", "arrays", "operations" };
        const ad_fun f = what == 0 ? known : what == 1 ? with_arrays : square_sum;
        const size_t n = what == 0 ? 1 : 2;
        const int before = called;
        memset(&desc, 0, sizeof desc);
        desc.after = 4;
        if (what == 2) desc.operations = 3;
        c = ad_cache_create(&desc);
        for (i = 0; i < 30; i++) {
            CHECK_STATUS(ad_cache_gradient(c, 0, f, NULL, x, n, NULL, 0, &y, g), AD_OK);
            CHECK_NEAR(y, what == 0 ? 2.25 : 2.5, 1e-15);
            CHECK_NEAR(g[0], 3, 1e-15);
            CHECK_STRING(ad_cache_message(c), "");
        }
        s = ad_cache_get_stats(c);
        CHECK(called - before == 30 && s.recorded == 30 && s.hits == 0 && s.functions == 0);
        CHECK(s.refused == 1 && one_line(s.why) && strstr(s.why, says[what]) != NULL);
        ad_cache_clear(c);
        CHECK_STRING(ad_cache_get_stats(c).why, "");
        ad_cache_destroy(c);
    }
}
/* Operations times rows or columns, the fewer: 4 operations, n = 2; Jacobians of 1, 2, 4 rows. */
static void test_size(void)
{
    static const size_t needs[5] = { 4, 8, 1, 4, 8 };
    ad_cache_desc desc;
    size_t kind, less;
    for (kind = 0; kind < 5; kind++)
        for (less = 0; less < 2; less++) {
            asked q = variants[0];
            ad_cache *c;
            size_t i;
            q.kind = kind < 2 ? (int)kind : 2;
            q.m = kind < 2 ? 1 : (size_t)1 << (kind - 2);
            q.k = 0;
            if (kind == 2 && less) continue;     /* 0 is the default */
            memset(&desc, 0, sizeof desc);
            desc.after = 1;
            desc.operations = needs[kind] - less;
            c = ad_cache_create(&desc);
            for (i = 0; i < 3; i++) CHECK(asks(c, &q) == 0);
            CHECK(ad_cache_get_stats(c).functions == 1 - less);
            CHECK(ad_cache_get_stats(c).refused == less);
            ad_cache_destroy(c);
        }
}

/* ---------------------------------------------------------------- errors */

static ad_var failing(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    (void)t;
    called++;
    return *(const int *)user ? x[n] : ad_var_square(x[0]);
}
static void lazy(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m, void *user)
{
    (void)t; (void)n; (void)m; (void)user;
    y[0] = x[0];
}
static void test_errors(void)
{
    const double x[2] = { 3, 1 }, p[1] = { 2 };
    ad_cache_desc desc;
    ad_cache *c;
    ad_cache_stats s;
    const size_t many = (size_t)1 << (8 * sizeof many - 4);
    double y, g[2], both[2];
    char text[40];
    int fails = 1, i;
    memset(&desc, 0, sizeof desc);
    desc.after = 2;
    c = ad_cache_create(&desc);
    for (i = 0; i < 5; i++) {
        CHECK_STATUS(ad_cache_gradient(c, 0, failing, &fails, x, 2, NULL, 0, &y, g),
            AD_ERR_ARGUMENT);
        CHECK(one_line(ad_cache_message(c)) && y != y);
    }
    CHECK(ad_cache_get_stats(c).compiled == 0 && ad_cache_get_stats(c).refused == 0);
    fails = 0;                                   /* what failed was not counted */
    for (i = 0; i < 4; i++) {
        CHECK_STATUS(ad_cache_gradient(c, 0, failing, &fails, x, 2, NULL, 0, &y, g), AD_OK);
        CHECK(y == 9 && g[0] == 6 && g[1] == 0);
        CHECK_STRING(ad_cache_message(c), "");
    }
    CHECK(ad_cache_get_stats(c).hits == 2 && ad_cache_get_stats(c).compiled == 1);
    CHECK_STATUS(ad_cache_gradient(c, 0, NULL, NULL, x, 2, NULL, 0, &y, g), AD_ERR_ARGUMENT);
    CHECK(one_line(ad_cache_message(c)));
    CHECK_STATUS(ad_cache_gradient(c, 0, failing, &fails, NULL, 2, NULL, 0, &y, g),
        AD_ERR_ARGUMENT);
    CHECK_STATUS(ad_cache_gradient(c, 0, failing, &fails, x, 2, NULL, 1, &y, g), AD_ERR_ARGUMENT);
    CHECK_STATUS(ad_cache_gradient(c, 0, failing, &fails, NULL, 2, p, 1, &y, g), AD_ERR_ARGUMENT);
    CHECK_STATUS(ad_cache_gradient(c, 0, failing, &fails, x, SIZE_MAX, p, 2, &y, g), AD_ERR_LIMIT);
    CHECK_STATUS(ad_cache_gradient(c, 0, failing, &fails, x, 2, p, SIZE_MAX, &y, g), AD_ERR_LIMIT);
    CHECK_STATUS(ad_cache_gradient(c, 0, failing, &fails, x, many, p, 1, &y, g), AD_ERR_LIMIT);
    sprintf(text, "%.0f", (double)many);         /* a power of two; and one more */
    CHECK(strncmp(strpbrk(ad_cache_message(c), "123456789"), text, strlen(text) - 1) == 0);
    CHECK_STATUS(ad_cache_hessian(c, 0, NULL, NULL, x, 2, NULL, 0, &y, g, NULL), AD_ERR_ARGUMENT);
    CHECK_STATUS(ad_cache_jacobian(c, 0, NULL, NULL, x, 2, NULL, 0, 1, &y, g), AD_ERR_ARGUMENT);
    CHECK_STATUS(ad_cache_jacobian(c, 0, lazy, NULL, x, 2, NULL, 0, 2, both, NULL),
        AD_ERR_ARGUMENT);
    CHECK(strstr(ad_cache_message(c), "not written") != NULL);
    /* nothing that is wanted, before and after */
    for (i = 0; i < 4; i++) {
        CHECK_STATUS(ad_cache_gradient(c, 5, failing, &fails, x, 2, NULL, 0, NULL, NULL), AD_OK);
        CHECK_STATUS(ad_cache_hessian(c, 5, failing, &fails, x, 2, NULL, 0, NULL, NULL, NULL),
            AD_OK);
        CHECK_STATUS(ad_cache_jacobian(c, 5, doubles, NULL, x, 2, NULL, 0, 2, NULL, NULL), AD_OK);
    }
    ad_cache_destroy(c);
    /* no cache: all is recorded */
    for (i = 0; i < 3; i++) {
        CHECK_STATUS(ad_cache_gradient(NULL, 0, failing, &fails, x, 1, p, 1, &y, g), AD_OK);
        CHECK(y == 9 && g[0] == 6);
        CHECK_STATUS(ad_cache_jacobian(NULL, 0, doubles, NULL, x, 1, p, 1, 2, both, g), AD_OK);
        CHECK(both[0] == 12 && both[1] == 8 && g[0] == 4 && g[1] == 0);
    }
    CHECK_STATUS(ad_cache_gradient(NULL, 0, NULL, NULL, x, 1, p, 1, &y, g), AD_ERR_ARGUMENT);
    CHECK_STRING(ad_cache_message(NULL), "");
    s = ad_cache_get_stats(NULL);
    CHECK(s.entries == 0 && s.bytes == 0 && s.why[0] == 0);
    ad_cache_clear(NULL);
    ad_cache_destroy(NULL);
    /* a tape that is too short for f, and long enough for less */
    {
        ad_tape_desc tape;
        memset(&tape, 0, sizeof tape);
        tape.max_slots = 6;
        desc.tape = &tape;
        c = ad_cache_create(&desc);
        CHECK_STATUS(ad_cache_gradient(c, 0, square_sum, NULL, x, 2, p, 1, &y, g), AD_ERR_LIMIT);
        CHECK(one_line(ad_cache_message(c)));
        for (i = 0; i < 3; i++) {
            CHECK_STATUS(ad_cache_gradient(c, 0, square_sum, NULL, x, 1, p, 1, &y, g), AD_OK);
            CHECK(y == 13 && g[0] == 6);
        }
        ad_cache_destroy(c);
    }
}

/* x^2, which fails when it is told to. */
static ad_status square_value(void *user, size_t n, const double *x, size_t m, double *y)
{
    (void)n; (void)m;
    y[0] = x[0] * x[0];
    return *(const int *)user ? AD_ERR_USER : AD_OK;
}
static ad_status square_reverse(void *user, size_t n, const double *x, size_t m, const double *y,
    const double *y_bar, double *x_bar)
{
    (void)user; (void)n; (void)m; (void)y;
    x_bar[0] += 2 * x[0] * y_bar[0];
    return AD_OK;
}
static ad_status square_record(void *user, ad_tape *t, size_t n, const ad_var *x, size_t m,
    const ad_var *y, const ad_var *y_bar, ad_var *x_bar)
{
    (void)user; (void)t; (void)n; (void)m; (void)y;
    x_bar[0] = ad_var_mul(ad_var_mul_r(x[0], 2), y_bar[0]);
    return AD_OK;
}
static ad_op square_op;
static ad_var with_op(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    ad_var y = ad_const(0);
    (void)n;
    called++;
    ad_var_call(t, &square_op, user, 1, x, 1, &y);
    return y;
}
static void test_user_operation(void)
{
    ad_cache_desc desc;
    ad_cache *c;
    double x = 3, y, g;
    int fails = 0, i;
    square_op.name = "square";
    square_op.value = square_value;
    square_op.reverse = square_reverse;
    square_op.record = square_record;
    memset(&desc, 0, sizeof desc);
    desc.after = 1;
    c = ad_cache_create(&desc);
    for (i = 0; i < 9; i++) {
        const int before = called;
        fails = i == 4;
        CHECK_STATUS(ad_cache_gradient(c, 0, with_op, &fails, &x, 1, NULL, 0, &y, &g),
            fails ? AD_ERR_USER : AD_OK);
        if (!fails) CHECK(y == 9 && g == 6);
        CHECK(called - before == (i == 0 || fails) && (ad_cache_message(c)[0] != 0) == fails);
    }
    CHECK(ad_cache_get_stats(c).hits == 7 && ad_cache_get_stats(c).guard_failures == 0);
    ad_cache_destroy(c);
}

/* ---------------------------------------------------------------- called while it is called */

/* 0.5 |inner gradient of the squares at (2, user's key)|^2 x0, by the cache that calls it. */
typedef struct nest { ad_cache *c; double wrong; int clears; } nest;
static ad_var nested(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    nest *const q = (nest *)user;
    const double at[2] = { 2, 3 };
    double y, g[2], sum;
    uint64_t key;
    (void)t; (void)n;
    if (q->clears) ad_cache_clear(q->c);
    for (key = 0; key < 3; key++) {              /* more than there is room for */
        if (ad_cache_gradient(q->c, 100 + key, square_sum, NULL, at, 2, NULL, 0, &y, g) != AD_OK
            || y != 13 || g[0] != 4 || g[1] != 6) q->wrong++;
        if (ad_cache_gradient(q->c, 100 + key, square_sum, NULL, at, 1, at + 1, 1, &y, g) != AD_OK
            || y != 13 || g[0] != 4) q->wrong++;
        if (ad_cache_gradient(q->c, 0, NULL, NULL, at, 2, NULL, 0, &y, g) != AD_ERR_ARGUMENT)
            q->wrong++;
    }
    ad_cache_gradient(q->c, 100, square_sum, NULL, at, 2, NULL, 0, &y, g);
    sum = 0.5 * (g[0] * g[0] + g[1] * g[1]);
    return ad_var_mul_r(ad_var_square(x[0]), sum);
}
static void test_nested(void)
{
    const double x[1] = { 3 };
    double y, g[1];
    ad_cache_desc desc;
    nest q;
    int i;
    memset(&q, 0, sizeof q);
    memset(&desc, 0, sizeof desc);
    desc.after = 3;
    desc.entries = 1;
    q.c = ad_cache_create(&desc);
    for (i = 0; i < 6; i++) {
        q.clears = i == 1;
        CHECK_STATUS(ad_cache_gradient(q.c, 0, nested, &q, x, 1, NULL, 0, &y, g), AD_OK);
        CHECK(y == 26 * 9 && g[0] == 26 * 6 && q.wrong == 0);
        CHECK_STRING(ad_cache_message(q.c), "");
    }
    CHECK(ad_cache_get_stats(q.c).hits == 3 && ad_cache_get_stats(q.c).misses == 1);
    ad_cache_destroy(q.c);
}

/* ---------------------------------------------------------------- memory */

static ad_var long_one(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    ad_var s = ad_var_mul(x[0], x[1]);
    size_t i;
    (void)t; (void)n;
    for (i = 0; i < *(const size_t *)user; i++)
        s = ad_var_add(ad_var_mul(s, x[i & 1]), ad_var_sin(x[2]));
    return s;
}
static void long_rows(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m, void *user)
{
    size_t i;
    for (i = 0; i < m; i++) y[i] = ad_var_mul(long_one(t, x, n, user), x[i]);
}
/* The gradient and Jacobian of those: s' = s x + sin x2 by the rules of sums and products. */
static void long_by_hand(const double *x, size_t steps, double *y, double *g)
{
    double s = x[0] * x[1], d[3];
    size_t i, k;
    d[0] = x[1];
    d[1] = x[0];
    d[2] = 0;
    for (i = 0; i < steps; i++) {
        for (k = 0; k < 3; k++) d[k] = d[k] * x[i & 1];
        d[i & 1] += s;
        d[2] += cos(x[2]);
        s = s * x[i & 1] + sin(x[2]);
    }
    *y = s;
    memcpy(g, d, sizeof d);
}
/* Allocation k of a cache's life fails, with `then` all after it too. The tape's memory, which
   recording needs, is another's: so every call has to be answered. 0: there are fewer. */
static int starved_at(size_t k, int then, size_t *made)
{
    static size_t steps = 40;
    heap h;
    ad_fn_desc fn;
    ad_tape_desc tape;
    ad_cache_desc desc;
    ad_cache *c;
    ad_cache_stats s;
    double x[4] = { 0.5, 0.75, 0, 0.25 }, y[2], g[3], D[9], right, slopes[3];
    size_t i, j, r;
    int failed, wrong = 0;
    memset(&h, 0, sizeof h);
    memset(&fn, 0, sizeof fn);
    memset(&tape, 0, sizeof tape);
    memset(&desc, 0, sizeof desc);
    fn.resize = heap_resize;
    fn.resize_user = &h;
    fn.native = AD_NATIVE_NOW;
    desc.fn = &fn;
    desc.tape = &tape;
    desc.after = 2;
    desc.entries = 20;
    h.fail_at = k;
    h.from_then_on = then;
    c = ad_cache_create(&desc);
    for (i = 0; i < 24; i++) {
        x[2] = 0.1 * (double)i;
        long_by_hand(x, steps, &right, slopes);
        wrong += ad_cache_gradient(c, i / 8, long_one, &steps, x, 3, NULL, 0, y, g) != AD_OK;
        wrong += !test_near(y[0], right, 1e-14);
        for (j = 0; j < 3; j++) wrong += !test_near(g[j], slopes[j], 1e-14);
        wrong += ad_cache_jacobian(c, i % 4, long_rows, &steps, x, 2, x + 2, 1, 2, y, D) != AD_OK;
        for (r = 0; r < 2; r++) {
            wrong += !test_near(y[r], right * x[r], 1e-14);
            for (j = 0; j < 2; j++)
                wrong += !test_near(D[2 * r + j], slopes[j] * x[r] + (r == j ? right : 0), 1e-14);
        }
    }
    failed = h.calls >= k;
    s = ad_cache_get_stats(c);
    *made += s.compiled;
    test_check(!wrong && s.refused == 0 && (failed || s.hits > 24), __FILE__, __LINE__,
        "allocation %d fails: %d wrong; refused %d: %s", (int)k, wrong, (int)s.refused, s.why);
    ad_cache_destroy(c);
    CHECK(h.blocks == 0 && h.live == 0 && h.wrong == 0);
    return failed;
}
/* Memory that the system does not give: f fits on the tape, its function does not. */
static void test_starved(void)
{
    static size_t steps = 5000;
    size_t k, made = 0, more, refused = 0, compiled = 0;
    int then;
    for (then = 0; then < 2; then++) {
        k = 1;
        while (starved_at(k, then, &made) && k < 5000) k += 1 + k / 24;
        CHECK(k > 20 && k < 5000 && made > 0);
    }
    for (more = 0; more < (size_t)64 << 20; more = 4 * more + ((size_t)1 << 18)) {
        ad_cache_desc desc;
        ad_cache *c;
        double x[3] = { 0.5, 0.75, 1 }, y, g[3], right, slopes[3];
        int i, j;
        memset(&desc, 0, sizeof desc);
        desc.after = 2;
        c = ad_cache_create(&desc);
        long_by_hand(x, steps, &right, slopes);
        CHECK_STATUS(ad_cache_gradient(c, 0, long_one, &steps, x, 3, NULL, 0, &y, g), AD_OK);
        for (i = 0; i < 4; i++) {                /* the tape has its memory by now */
            ad_status s;
            if (i < 2 && !starve(more)) break;
            y = 0;
            s = ad_cache_gradient(c, 0, long_one, &steps, x, 3, NULL, 0, &y, g);
            starve((size_t)-1);
            CHECK_STATUS(s, AD_OK);
            CHECK_NEAR(y, right, 1e-12);
            for (j = 0; j < 3; j++) CHECK_NEAR(g[j], slopes[j], 1e-12);
            if (i == 0) refused += ad_cache_get_stats(c).compiled == 0;
            if (i == 0) compiled += ad_cache_get_stats(c).compiled == 1;
        }
        CHECK(ad_cache_get_stats(c).refused == 0);
        CHECK(i < 4 || ad_cache_get_stats(c).compiled == 1);         /* at the 2nd, or the 4th */
        ad_cache_destroy(c);
    }
    CHECK(refused + compiled == 0 || compiled > 0);        /* how many not is the heap's affair */
}
static void lives(void)
{
    ad_cache_desc desc;
    ad_cache *c;
    size_t i;
    memset(&desc, 0, sizeof desc);
    desc.after = 2;
    desc.entries = 9;
    c = ad_cache_create(&desc);
    for (i = 0; i < 90; i++) asks(c, &variants[i / 3 % COUNT(variants)]);
    ad_cache_clear(c);
    for (i = 0; i < 30; i++) asks(c, &variants[i / 3 % COUNT(variants)]);
    ad_cache_destroy(c);
}
/* What is told of its bytes is what it took. */
static void test_bytes(void)
{
    heap h;
    ad_fn_desc fn;
    ad_cache_desc desc;
    ad_cache *c;
    size_t i, before = 0;
    memset(&h, 0, sizeof h);
    memset(&fn, 0, sizeof fn);
    memset(&desc, 0, sizeof desc);
    fn.resize = heap_resize;
    fn.resize_user = &h;
    fn.native = AD_NATIVE_NEVER;                 /* its memory is the system's */
    desc.fn = &fn;
    desc.after = 2;
    desc.entries = 12;
    c = ad_cache_create(&desc);
    for (i = 0; i < 3 * COUNT(variants); i++) {
        const size_t bytes = ad_cache_get_stats(c).bytes;
        CHECK(bytes == h.live);
        CHECK(asks(c, &variants[i / 3]) == 0);
        before = bytes;
    }
    ad_cache_clear(c);
    CHECK(ad_cache_get_stats(c).bytes == h.live && h.live < before);
    ad_cache_destroy(c);
    CHECK(h.blocks == 0 && h.live == 0 && h.wrong == 0);
}

TEST_DEF void suite_cache(void)
{
    int i;
    test_starved();                          /* before the others: they leave blocks */
    d_cached();
    f_cached();
    test_differences();
    test_use(1, 2, 400, 3);
    test_use(3, 1, 400, 12);
    test_use(7, 2, 1000, COUNT(variants));
    test_use(16, 3, 2000, COUNT(variants));
    test_use(17, 4, 2000, COUNT(variants));
    test_told_apart();
    test_chains();
    test_many();
    test_refused();
    test_size();
    test_errors();
    test_user_operation();
    test_nested();
    test_bytes();
    for (i = 0; i < 20; i++) lives();            /* malloc keeps what it likes to keep */
    CHECK(leaks_none(lives));
}

#else

/* ---------------------------------------------------------------- by hand */

typedef struct PT(known) { int calls; PREAL factor; } PT(known);

/* p0 exp(x0 x1) + sin(x1) p1, and as a row of a Jacobian beside others. */
static PAD(var) PT(one)(PAD(tape) *t, const PAD(var) *x, size_t n, void *user)
{
    (void)t; (void)n;
    ((PT(known) *)user)->calls++;
    return PAD(var_add)(PAD(var_mul)(x[2], PAD(var_exp)(PAD(var_mul)(x[0], x[1]))),
        PAD(var_mul)(PAD(var_sin)(x[1]), x[3]));
}
static void PT(rows)(PAD(tape) *t, const PAD(var) *x, size_t n, PAD(var) *y, size_t m, void *user)
{
    y[0] = PT(one)(t, x, n, user);
    if (m > 1) y[1] = PAD(var_mul)(x[0], PAD(var_mul)(x[0], x[2]));
    if (m > 2) y[2] = PAD(const)(7);
}
static void PT(by_hand)(void)
{
    const double near = 40 * PT(unit);
    PAD(cache) *c;
    PT(known) user;
    ad_cache_desc desc;
    ad_cache_stats s;
    size_t i, k, m;
    memset(&user, 0, sizeof user);
    memset(&desc, 0, sizeof desc);
    desc.after = 5;
    c = PAD(cache_create)(&desc);
    for (i = 0; i < 150; i++) {                  /* beyond the 100th, which is machine code */
        const PREAL x[2] = { (PREAL)(0.01 * (double)i - 0.5), (PREAL)(1.25 - 0.02 * (double)i) };
        const PREAL p[2] = { (PREAL)(1 + 0.1 * (double)i), (PREAL)(2 - 0.03 * (double)i) };
        const double a = (double)x[0], b = (double)x[1], p0 = (double)p[0], p1 = (double)p[1];
        const double e = exp(a * b), value = p0 * e + sin(b) * p1;
        const double slope0 = p0 * b * e, slope1 = p0 * a * e + cos(b) * p1;
        const double cross = p0 * e * (1 + a * b);
        const PREAL right = p[0] * PAD(real_exp)(x[0] * x[1]) + PAD(real_sin)(x[1]) * p[1];
        PREAL y[3], g[2], H[4], J[6];
        const int before = user.calls;
        CHECK_STATUS(PAD(cache_gradient)(c, 3, PT(one), &user, x, 2, p, 2, y, g), AD_OK);
        CHECK(y[0] == right);
        CHECK_NEAR(y[0], value, near);
        CHECK_NEAR(g[0], slope0, near);
        CHECK_NEAR(g[1], slope1, near);
        CHECK_STATUS(PAD(cache_hessian)(c, 3, PT(one), &user, x, 2, p, 2, y, g, H), AD_OK);
        CHECK(y[0] == right);
        CHECK_NEAR(g[0], slope0, near);
        CHECK_NEAR(g[1], slope1, near);
        CHECK_NEAR(H[0], p0 * b * b * e, near);
        CHECK_NEAR(H[1], cross, near);
        CHECK_NEAR(H[2], cross, near);
        CHECK_NEAR(H[3], p0 * a * a * e - sin(b) * p1, near);
        for (m = 1; m <= 3; m++) {               /* fewer rows than columns, and more */
            const double rows[6] = { slope0, slope1, 2 * a * p0, 0, 0, 0 };
            for (k = 0; k < 6; k++) J[k] = 99;
            CHECK_STATUS(PAD(cache_jacobian)(c, 3, PT(rows), &user, x, 2, p, 2, m, y, J), AD_OK);
            CHECK(y[0] == right);
            if (m > 1) CHECK_NEAR(y[1], a * a * p0, near);
            if (m > 2) CHECK(y[2] == 7);
            for (k = 0; k < 6; k++) CHECK_NEAR(J[k], k < 2 * m ? rows[k] : 99, near);
        }
        CHECK(user.calls - before == (i < 5 ? 5 : 0));
    }
    s = PAD(cache_get_stats)(c);
    CHECK(s.entries == 5 && s.functions == 5 && s.compiled == 5 && s.misses == 5);
    CHECK(s.recorded == 25 && s.hits == 5 * 145 && s.guard_failures == 0 && s.refused == 0);
    PAD(cache_destroy)(c);
}

/* ---------------------------------------------------------------- branches */

/* Each x[i] goes its own way at 0: x^2 above, -3 x below; only ad_branch tells. */
static PAD(var) PT(ways)(PAD(tape) *t, const PAD(var) *x, size_t n, void *user)
{
    PAD(var) s = PAD(const)(0);
    size_t i;
    (void)t;
    ++*(int *)user;
    for (i = 0; i < n; i++) {
        if (PAD(branch)(PAD(var_lt_r)(x[i], 0))) s = PAD(var_add)(s, PAD(var_mul_r)(x[i], -3));
        else s = PAD(var_add)(s, PAD(var_mul)(x[i], x[i]));
    }
    return s;
}
/* n places have 2^n ways: up to four are compiled. */
static void PT(branches)(void)
{
    size_t n;
    for (n = 1; n <= 4; n++) {
        unsigned long state = 99;
        ad_cache_desc desc;
        ad_cache_stats s;
        PAD(cache) *c;
        int calls = 0;
        size_t i, k, late = 0;
        memset(&desc, 0, sizeof desc);
        desc.after = 4;
        c = PAD(cache_create)(&desc);
        for (i = 0; i < 3000; i++) {
            PREAL x[4], y, g[4], right = 0;
            for (k = 0; k < n; k++) {
                x[k] = (PREAL)(draw(&state) - 0.5);
                right += x[k] < 0 ? -3 * x[k] : x[k] * x[k];
            }
            if (i == 2900) late = (size_t)calls;
            CHECK_STATUS(PAD(cache_gradient)(c, 0, PT(ways), &calls, x, n, NULL, 0, &y, g), AD_OK);
            CHECK(y == right);
            for (k = 0; k < n; k++) CHECK(g[k] == (x[k] < 0 ? -3 : 2 * x[k]));
        }
        s = PAD(cache_get_stats)(c);
        late = (size_t)calls - late;
        CHECK(s.entries == 1 && s.misses == 1 && s.refused == 0);
        CHECK(s.recorded == (size_t)calls && s.hits + s.recorded == 3000);
        /* a call that no function answers, once there is one, was stopped by its guards */
        CHECK(s.guard_failures == s.recorded - 4);
        if (n <= 2) {
            CHECK(late == 0 && s.functions == (size_t)1 << n && s.compiled == s.functions);
        } else {
            CHECK(late > 20 && s.functions == 4);
            CHECK(s.compiled > 4 && s.compiled < 12);      /* at 4, 8, 16 ... recordings */
        }
        PAD(cache_destroy)(c);
    }
}

/* Way number `way` of eight; was f called? */
static int PT(goes)(PAD(cache) *c, int way)
{
    PREAL x[3], y, g[3], right = 0;
    static int calls;
    const int before = calls;
    int k;
    for (k = 0; k < 3; k++) {
        x[k] = (PREAL)(way >> k & 1 ? -2 : 3);
        right += x[k] < 0 ? -3 * x[k] : x[k] * x[k];
    }
    CHECK_STATUS(PAD(cache_gradient)(c, 0, PT(ways), &calls, x, 3, NULL, 0, &y, g), AD_OK);
    CHECK(y == right);
    for (k = 0; k < 3; k++) CHECK(g[k] == (x[k] < 0 ? -3 : 2 * x[k]));
    return calls != before;
}
/* Of five ways the one that was not gone for the longest time goes. */
static void PT(oldest_way)(void)
{
    ad_cache_desc desc;
    PAD(cache) *c;
    int way, tries;
    memset(&desc, 0, sizeof desc);
    desc.after = 1;
    c = PAD(cache_create)(&desc);
    for (way = 0; way < 4; way++) {
        for (tries = 0; PT(goes)(c, way) && tries < 99; tries++) continue;
        CHECK(tries == (way < 2 ? 1 : 1 << (way - 1)));    /* at the 1st recording, 2nd, 4th, 8th */
    }
    CHECK(!PT(goes)(c, 0));
    for (tries = 0; PT(goes)(c, 7) && tries < 99; tries++) continue;
    CHECK(tries == 8 && PAD(cache_get_stats)(c).functions == 4);
    CHECK(!PT(goes)(c, 0) && !PT(goes)(c, 2) && !PT(goes)(c, 3) && !PT(goes)(c, 7));
    CHECK(PT(goes)(c, 1));
    PAD(cache_destroy)(c);
}

/* ---------------------------------------------------------------- promises */

static PAD(var) PT(captures)(PAD(tape) *t, const PAD(var) *x, size_t n, void *user)
{
    PT(known) *const q = (PT(known) *)user;
    (void)t; (void)n;
    q->calls++;
    return PAD(var_mul_r)(PAD(var_square)(x[0]), q->factor);
}
/* The same from a parameter: nothing is captured. */
static PAD(var) PT(takes)(PAD(tape) *t, const PAD(var) *x, size_t n, void *user)
{
    (void)t; (void)n; (void)user;
    return PAD(var_mul)(PAD(var_square)(x[0]), x[1]);
}
static PAD(var) PT(frozen)(PAD(tape) *t, const PAD(var) *x, size_t n, void *user)
{
    (void)t; (void)n; (void)user;
    return x[0].v < 2 ? PAD(var_square)(x[0]) : PAD(var_mul_r)(x[0], 5);
}
static void PT(promises)(void)
{
    unsigned verify, fast;
    for (verify = 0; verify < 3; verify++)
        for (fast = 0; fast < 2; fast++) {
            ad_fn_desc fn;
            ad_cache_desc desc;
            ad_cache_stats s;
            PAD(cache) *c;
            PT(known) user;
            PREAL x = 3, p = 2, y = 0, g = 0;
            int i;
            memset(&user, 0, sizeof user);
            memset(&fn, 0, sizeof fn);
            memset(&desc, 0, sizeof desc);
            fn.flags = fast ? AD_FN_FAST | AD_FN_CONTRACT : 0;
            desc.fn = &fn;
            desc.after = 2;
            desc.verify = verify;
            c = PAD(cache_create)(&desc);
            user.factor = 2;
            for (i = 0; i < 6; i++) {
                CHECK_STATUS(PAD(cache_gradient)(c, 0, PT(captures), &user, &x, 1, NULL, 0, &y, &g),
                    AD_OK);
                CHECK(y == 18 && g == 12);
            }
            s = PAD(cache_get_stats)(c);
            CHECK(s.hits == 4 && s.verified == (verify ? 4 / verify : 0) && s.broken == 0);
            CHECK((size_t)user.calls == 2 + s.verified && s.recorded == (size_t)user.calls);
            user.factor = 4;                     /* the promise is broken */
            for (i = 0; i < 6; i++) {
                const ad_status got = PAD(cache_gradient)(c, 0, PT(captures), &user, &x, 1, NULL, 0,
                    &y, &g);
                if (verify == 0 || (verify == 2 && i == 0)) {        /* nobody looks */
                    CHECK(got == AD_OK && y == 18 && g == 12);
                } else {
                    CHECK_STATUS(got, i == (int)verify - 1 ? AD_ERR_BRANCH : AD_OK);
                    CHECK(y == 36 && g == 24);
                    CHECK(got == AD_OK ? PAD(cache_message)(c)[0] == 0
                        : one_line(PAD(cache_message)(c))
                          && strstr(PAD(cache_message)(c), "36") != NULL
                          && strstr(PAD(cache_message)(c), "18") != NULL);
                }
            }
            s = PAD(cache_get_stats)(c);
            CHECK(s.broken == (verify != 0) && s.functions == (verify == 0));
            CHECK(s.refused == (verify != 0) && (s.why[0] != 0) == (verify != 0));
            for (i = 0; i < 6; i++, p += 1) {    /* a parameter breaks none */
                CHECK_STATUS(PAD(cache_gradient)(c, 0, PT(takes), NULL, &x, 1, &p, 1, &y, &g),
                    AD_OK);
                CHECK(y == 9 * p && g == 6 * p);
            }
            CHECK(PAD(cache_get_stats)(c).broken == (verify != 0));
            for (i = 0; i < 4 && verify < 2; i++) {          /* an if that nobody remembers */
                x = i < 3 ? 1 : 4;
                CHECK_STATUS(PAD(cache_gradient)(c, 0, PT(frozen), NULL, &x, 1, NULL, 0, &y, NULL),
                    i == 3 && verify ? AD_ERR_BRANCH : AD_OK);
            }
            if (verify < 2) CHECK(y == (verify ? 20 : 16));
            PAD(cache_destroy)(c);
        }
}
/* Another slope with the same value; keys by turns, of which one breaks its promise. */
static PAD(var) PT(slope)(PAD(tape) *t, const PAD(var) *x, size_t n, void *user)
{
    (void)t; (void)n;
    return PAD(var_mul_r)(PAD(var_sub_r)(x[0], x[0].v), (PREAL)((PT(known) *)user)->factor);
}
static void PT(slopes)(void)
{
    PAD(cache) *c;
    PT(known) user[2];
    ad_cache_desc desc;
    const PREAL x = 3;
    PREAL y, g;
    int i;
    memset(user, 0, sizeof user);
    memset(&desc, 0, sizeof desc);
    desc.after = 1;
    desc.verify = 2;
    c = PAD(cache_create)(&desc);
    for (i = 0; i < 12; i++) {
        const int which = i % 2;
        user[which].factor = i < 6 || !which ? 2 : 3;
        CHECK_STATUS(PAD(cache_gradient)(c, 0, PT(slope), &user[which], &x, 1, NULL, 0, &y, &g),
            i == 9 ? AD_ERR_BRANCH : AD_OK);             /* its fourth answer, looked at */
        CHECK(y == 0 && g == (i > 8 && which ? 3 : 2));
        if (i == 9) CHECK(strstr(PAD(cache_message)(c), "derivative 0 is 3, compiled 2") != NULL);
    }
    CHECK(PAD(cache_get_stats)(c).broken == 1 && PAD(cache_get_stats)(c).functions == 1);
    PAD(cache_destroy)(c);
}
/* Steps of which the numbers decide how many: each call is recorded. */
static ad_status PT(turn)(PAD(tape) *t, size_t i, const PAD(var) *s, size_t n, const PAD(var) *p,
    size_t k, PAD(var) *next, void *user)
{
    (void)t; (void)i; (void)n; (void)k; (void)user;
    next[0] = PAD(var_mul)(PAD(var_sin)(s[0]), p[0]);
    return AD_OK;
}
static int PT(goes_on)(void *user, size_t i, const PREAL *s, size_t n)
{
    (void)user; (void)i; (void)n;
    return s[0] > (PREAL)0.2;
}
static PAD(var) PT(turns)(PAD(tape) *t, const PAD(var) *x, size_t n, void *user)
{
    PAD(var) y = PAD(const)(0);
    (void)n;
    PAD(repeat_run)((PAD(repeat) *)user, t, x, x + 1, &y);
    return PAD(var_mul)(y, x[0]);
}
static void PT(repeats)(void)
{
    int more, i;
    for (more = 0; more < 2; more++) {
        PAD(cache) *c;
        PAD(repeat) *r;
        PAD(repeat_desc) how;
        ad_cache_desc desc;
        memset(&how, 0, sizeof how);
        memset(&desc, 0, sizeof desc);
        how.steps = 30;
        if (more) how.more = PT(goes_on);
        desc.after = 2;
        r = PAD(repeat_create)(PT(turn), NULL, 1, 1, &how);
        c = PAD(cache_create)(&desc);
        for (i = 0; i < 8; i++) {
            const PREAL x[2] = { (PREAL)(0.9 - 0.05 * i), (PREAL)(1.1 - 0.1 * i) };
            PREAL y, g[2], z, h[2];
            CHECK_STATUS(PAD(cache_gradient)(c, 0, PT(turns), r, x, 2, NULL, 0, &y, g), AD_OK);
            CHECK_STATUS(PAD(gradient)(NULL, PT(turns), r, x, 2, &z, h), AD_OK);
            CHECK(y == z);
            CHECK_NEAR(g[0], h[0], 16 * PT(unit) * (1 + fabs((double)h[0])));
            CHECK_NEAR(g[1], h[1], 16 * PT(unit) * (1 + fabs((double)h[1])));
        }
        CHECK((PAD(cache_get_stats)(c).hits == 0) == more);
        CHECK((strstr(PAD(cache_get_stats)(c).why, "more") != NULL) == more);
        PAD(cache_destroy)(c);
        PAD(repeat_destroy)(r);
    }
}
/* Verified without a place for y, and of several outputs. */
static void PT(verified)(void)
{
    PAD(cache) *c;
    PT(known) user;
    ad_cache_desc desc;
    const PREAL x[2] = { (PREAL)0.5, 2 }, p[2] = { 1, 3 };
    PREAL y[3], J[6];
    int i;
    memset(&user, 0, sizeof user);
    memset(&desc, 0, sizeof desc);
    desc.after = 1;
    desc.verify = 1;
    c = PAD(cache_create)(&desc);
    for (i = 0; i < 5; i++) {
        CHECK_STATUS(PAD(cache_jacobian)(c, 0, PT(rows), &user, x, 2, p, 2, 3, i % 2 ? y : NULL,
            J), AD_OK);
        CHECK(user.calls == i + 1);
        CHECK_NEAR(J[2], 1, PT(unit));
    }
    CHECK_NEAR(y[1], 0.25, PT(unit));
    CHECK(PAD(cache_get_stats)(c).verified == 4 && PAD(cache_get_stats)(c).broken == 0);
    PAD(cache_destroy)(c);
}

/* One unit more is another value; where rounding may differ it is the same. */
static void PT(units)(void)
{
    int fast, i;
    for (fast = 0; fast < 2; fast++) {
        ad_fn_desc fn;
        ad_cache_desc desc;
        PAD(cache) *c;
        PT(known) user;
        const PREAL x = 1;
        PREAL y;
        memset(&user, 0, sizeof user);
        memset(&fn, 0, sizeof fn);
        memset(&desc, 0, sizeof desc);
        fn.flags = fast ? AD_FN_CONTRACT : 0;
        desc.fn = &fn;
        desc.after = 1;
        desc.verify = 1;
        c = PAD(cache_create)(&desc);
        for (i = 0; i < 2; i++) {
            user.factor = (PREAL)(1 + i * PT(unit));
            CHECK_STATUS(PAD(cache_gradient)(c, 0, PT(captures), &user, &x, 1, NULL, 0, &y, NULL),
                i && !fast ? AD_ERR_BRANCH : AD_OK);
            CHECK(y == user.factor);
        }
        PAD(cache_destroy)(c);
    }
}
static void PT(copies)(PAD(tape) *t, const PAD(var) *x, size_t n, PAD(var) *y, size_t m,
    void *user)
{
    size_t i;
    (void)t; (void)n; (void)user;
    for (i = 0; i < m; i++) y[i] = PAD(var_mul_r)(x[0], (PREAL)i);
}
static void PT(many_rows)(void)
{
    enum { MANY = 3000 };
    static PREAL y[MANY], J[MANY];
    const PREAL x = (PREAL)1.5;
    ad_cache_desc desc;
    PAD(cache) *c;
    size_t i, k, wrong = 0;
    memset(&desc, 0, sizeof desc);
    desc.after = 1;
    desc.verify = 2;
    desc.operations = MANY;
    c = PAD(cache_create)(&desc);
    for (i = 0; i < 5; i++) {
        CHECK_STATUS(PAD(cache_jacobian)(c, 0, PT(copies), NULL, &x, 1, NULL, 0, MANY, y, J),
            AD_OK);
        for (k = 0; k < MANY; k++) wrong += y[k] != (PREAL)k * x || J[k] != (PREAL)k;
    }
    CHECK(wrong == 0);
    CHECK(PAD(cache_get_stats)(c).hits == 4 && PAD(cache_get_stats)(c).verified == 2);
    PAD(cache_destroy)(c);
}

/* A point where there is no derivative, or no number: what the tape says, compiled too. */
static PAD(var) PT(edges)(PAD(tape) *t, const PAD(var) *x, size_t n, void *user)
{
    (void)t; (void)n; (void)user;
    return PAD(var_add)(PAD(var_sqrt)(x[0]), PAD(var_log)(x[1]));
}
static void PT(nan)(void)
{
    const PREAL at[4][2] = { { 0, 1 }, { -1, 1 }, { 4, 0 }, { (PREAL)INFINITY, 2 } };
    ad_cache_desc desc;
    PAD(cache) *c;
    int i, k;
    memset(&desc, 0, sizeof desc);
    desc.after = 1;
    desc.verify = 3;
    c = PAD(cache_create)(&desc);
    for (k = 0; k < 4; k++)
        for (i = 0; i < 4; i++) {
            PREAL y, g[2], y_tape, g_tape[2];
            CHECK_STATUS(PAD(gradient)(NULL, PT(edges), NULL, at[i], 2, &y_tape, g_tape), AD_OK);
            CHECK_STATUS(PAD(cache_gradient)(c, 0, PT(edges), NULL, at[i], 2, NULL, 0, &y, g),
                AD_OK);
            CHECK_NEAR(y, y_tape, 0);
            CHECK_NEAR(g[0], g_tape[0], PT(unit));
            CHECK_NEAR(g[1], g_tape[1], PT(unit));
        }
    CHECK(PAD(cache_get_stats)(c).hits == 15 && PAD(cache_get_stats)(c).verified == 5);
    PAD(cache_destroy)(c);
}

/* sqrt((a b)^2) - a b: value and gradient are what rounding leaves. f keeps its promises; with a
   factor that is no input, now and then, it does not. */
static PAD(var) PT(rounding)(PAD(tape) *t, const PAD(var) *x, size_t n, void *user)
{
    const PAD(var) root = PAD(var_sqrt)(PAD(var_square)(PAD(var_mul)(x[0], x[1])));
    const PAD(var) ab = PAD(var_mul)(x[0], x[1]);            /* is merged, compiled */
    (void)t; (void)n;
    return PAD(var_mul_r)(PAD(var_sub)(root, ab), *(PREAL *)user);
}
static void PT(what_rounding_leaves)(void)
{
    int i, broken = 0;
    for (i = 0; i < 200; i++) {
        const PREAL x[2] = { (PREAL)(0.7 + 0.0137 * i), (PREAL)(1.3 + 0.00719 * i) };
        PREAL factor = 1, y, g[2];
        ad_cache_desc desc;
        PAD(cache) *c;
        memset(&desc, 0, sizeof desc);
        desc.after = 1;
        desc.verify = 1;
        c = PAD(cache_create)(&desc);
        CHECK_STATUS(PAD(cache_gradient)(c, 0, PT(rounding), &factor, x, 2, NULL, 0, &y, g), AD_OK);
        CHECK_STATUS(PAD(cache_gradient)(c, 0, PT(rounding), &factor, x, 2, NULL, 0, &y, g), AD_OK);
        factor = 3;
        broken += PAD(cache_gradient)(c, 0, PT(rounding), &factor, x, 2, NULL, 0, &y, g)
               == AD_ERR_BRANCH;
        PAD(cache_destroy)(c);
    }
    CHECK(broken > 40);                         /* or all is 0 */
}

static void PT(cached)(void)
{
    PT(by_hand)();
    PT(branches)();
    PT(oldest_way)();
    PT(promises)();
    PT(verified)();
    PT(slopes)();
    PT(repeats)();
    PT(units)();
    PT(many_rows)();
    PT(nan)();
    PT(what_rounding_leaves)();
}
#endif
