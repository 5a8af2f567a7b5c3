/* Machine code of compiled functions, against the same functions interpreted, to the bit: random
   programs over every rule and their gradients, special values, more values alive than there are
   registers, guards that hold and fail, calls, both roundings, the instruction sets; maps of the
   same through every kind of port; when it is made and when not; an allocator that fails.
   The file includes itself, once for each real type, behind the first #else.
   Sections: Compiled Functions: Native; Lanes: Running Programs; Compiled Functions: Evaluating. */
#ifndef PREAL
#include <math.h>
#include <stdlib.h>
#include "test.h"
#include "programs.h"
#include "heap.h"

TEST_DEF void suite_native(void);

enum { WIDE = 600, NATIVE_PROGRAMS = 400, MAPPED = 2300, SPECIAL = 121 };
/* Does this build make machine code at all? And how many programs were run by it. */
static int machine;
static size_t made, evaluated, mapped;
/* The smallest set that loops over points are made for, and the largest; is it here? */
#ifdef __aarch64__
enum { BLOCKS = AD_SIMD_NEON, LARGE_BLOCKS = AD_SIMD_NEON };
#else
enum { BLOCKS = AD_SIMD_AVX2, LARGE_BLOCKS = AD_SIMD_AVX512 };
#endif
static int blocks(void) { return ad_kernels_get((ad_simd)BLOCKS) != NULL; }

#define TWICE "test_native.c"
#include "twice.h"

TEST_DEF void suite_native(void)
{
    made = evaluated = mapped = 0;
    d_test_native();
    f_test_native();
    if (!machine) printf("SKIP native: this build makes no machine code\n");
    else CHECK(made > NATIVE_PROGRAMS / (size_t)test_stride() && evaluated > 4 * made);
    if (machine && blocks())
        CHECK(mapped > NATIVE_PROGRAMS / (size_t)test_stride());
}
#else

static PREAL PT(draw)(program_dice *d)
{
    static const double special[] = { 0, -0.0, 1, -1, 2, 0.5, HUGE_VAL, -HUGE_VAL, 1e-40, 1e30,
        -3, 1e300, 5e-324 };
    if (program_chance(d, 2)) return (PREAL)NAN;
    if (program_chance(d, 25))
        return (PREAL)special[program_below(d, sizeof special / sizeof *special)];
    return (PREAL)(4 * program_unit(d));
}

/* f interpreted and g in machine code at some points: status and bits. */
static void PT(compare)(const PAD(fn) *f, const PAD(fn) *g, size_t n, size_t m, program_dice *d,
    const char *what)
{
    PREAL *const x = (PREAL *)calloc(n + 2 * m + 1, sizeof *x), *const y = x + n, *const z = y + m;
    PREAL *const work = (PREAL *)malloc(PAD(fn_get_stats)(g).workspace_bytes + 1);
    size_t i, k;
    for (k = 0; k < 12; k++) {
        ad_status s, r;
        size_t wrong = 0;
        for (i = 0; i < n; i++) x[i] = k < 6 ? (PREAL)(2 * program_unit(d)) : PT(draw)(d);
        s = PAD(fn_eval)(f, x, y);
        r = k % 3 ? PAD(fn_eval)(g, x, z) : PAD(fn_eval_in)(g, x, z, work);
        for (i = 0; i < m; i++) wrong += !PT(same)(y[i], z[i]);
        evaluated++;
        test_check(s == r && wrong == 0, __FILE__, __LINE__,
            "%s: %s interpreted, %s in machine code, %lu of %lu outputs other", what,
            ad_status_name(s), ad_status_name(r), (unsigned long)wrong, (unsigned long)m);
    }
    free(x);
    free(work);
}
/* Ports of every kind, at random, on data[kinds * MAPPED]: one number for all, numbers that follow
   each other, that are a step apart, side by side with the port before, by an index; of outputs
   sums, and what is added. index: 0 to points - 1 in another order. */
static void PT(random_ports)(PAD(port) *port, size_t n, PREAL *data, const uint32_t *index,
    int outputs, program_dice *d)
{
    size_t i, kind;
    ptrdiff_t beside = 1;
    for (i = 0; i < n; i++, data += 4 * MAPPED) {
        kind = program_below(d, 8);
        if (kind == 0) port[i] = PAD(port_shared)(data);
        else if (kind == 1) port[i] = PAD(port_of)(data, 3, NULL);
        else if (kind == 2) port[i] = PAD(port_of)(data, 2, index);
        else if (kind == 3 && i && beside < port[i - 1].stride) {
            port[i] = port[i - 1];
            port[i].data++;
            beside++;
            continue;
        } else port[i] = PAD(port_of)(data, 1, NULL);
        if (outputs && program_chance(d, 15)) port[i].adds = 1;
        beside = 1;
    }
}
/* f interpreted and g in machine code at many points, by one set of instructions: the status, all
   that is written, what is said of guards. */
static void PT(compare_maps)(const PAD(fn) *f, const PAD(fn) *g, size_t n, size_t m, ad_simd simd,
    program_dice *d, const char *what)
{
    static const size_t some[] = { 1, 3, 8, 64, 129, 520 };
    const size_t numbers = 4 * MAPPED;
    PREAL *const x = (PREAL *)calloc((n + 2 * m) * numbers + 1, sizeof *x);
    PREAL *const y = x + n * numbers, *const z = y + m * numbers;
    PAD(port) *const port = (PAD(port) *)calloc(n + 2 * m + 1, sizeof *port);
    uint32_t *const index = (uint32_t *)malloc(MAPPED * sizeof *index);
    ad_map_desc by;
    ad_map_report report[2];
    size_t i, k;
    for (k = 0; k < 8; k++) {
        const size_t points = k == 0 ? 700 : k == 1 ? (size_t)MAPPED
                                    : some[program_below(d, 6)];
        size_t wrong = 0;
        ad_status s, r;
        uint64_t state;
        for (i = 0; i < points; i++) index[i] = (uint32_t)((i * 7 + k) % points);
        if (points % 7 == 0) for (i = 0; i < points; i++) index[i] = (uint32_t)(points - 1 - i);
        for (i = 0; i < n * numbers; i++)
            x[i] = k % 2 ? (PREAL)(2 * program_unit(d)) : PT(draw)(d);
        for (i = 0; i < m * numbers; i++) y[i] = z[i] = (PREAL)program_unit(d);
        PT(random_ports)(port, n, x, index, 0, d);
        state = d->state;
        PT(random_ports)(port + n, m, y, index, 1, d);
        d->state = state;
        PT(random_ports)(port + n + m, m, z, index, 1, d);
        memset(&by, 0, sizeof by);
        by.simd = simd;
        by.threads = 1 + (int)(k % 2);
        by.report = &report[0];
        s = PAD(fn_map)(f, points, port, port + n, &by);
        by.report = &report[1];
        r = PAD(fn_map)(g, points, port, port + n + m, &by);
        for (i = 0; i < m * numbers; i++) wrong += !PT(same)(y[i], z[i]);
        test_check(s == r && wrong == 0 && report[0].points == report[1].points
            && report[0].first == report[1].first && report[0].guard == report[1].guard
            && strcmp(report[0].message, report[1].message) == 0, __FILE__, __LINE__,
            "%s, %lu points: %s interpreted, %s in machine code, %lu numbers other", what,
            (unsigned long)points, ad_status_name(s), ad_status_name(r), (unsigned long)wrong);
    }
    mapped += PAD(fn_get_stats)(g).native_maps > 0;
    CHECK(PAD(fn_get_stats)(f).native_maps == 0);
    free(x);
    free(port);
    free(index);
}
/* What the trace gives, in both ways, with these flags and this set; and its gradient. */
static void PT(both)(PAD(tape) *t, size_t n, const PAD(var) *x, size_t m, const PAD(var) *y,
    unsigned flags, ad_simd simd, program_dice *d, const char *what)
{
    ad_fn_desc desc;
    const ad_simd mapped_by = simd == AD_SIMD_PLAIN || !blocks() ? simd
        : (ad_simd)(ad_kernels_get((ad_simd)LARGE_BLOCKS) && program_chance(d, 50) ? LARGE_BLOCKS
                                                                                    : BLOCKS);
    PAD(fn) *f, *g, *df, *dg;
    const char *why;
    int there;
    memset(&desc, 0, sizeof desc);
    desc.flags = flags;
    desc.simd = simd;
    desc.native = AD_NATIVE_NEVER;
    f = PAD(fn_create)(t, n, x, m, y, &desc);
    desc.native = AD_NATIVE_NOW;
    g = PAD(fn_create)(t, n, x, m, y, &desc);
    CHECK_STRING(PAD(fn_message)(f), "");
    CHECK_STATUS(PAD(fn_native)(f), AD_ERR_UNSUPPORTED);
    there = PAD(fn_native)(g) == AD_OK;
    why = PAD(fn_get_stats)(g).native;
#ifdef _WIN32                                    /* MinGW's fma may round twice */
    if (flags & AD_FN_CONTRACT && strstr(why, "fma of the C library")) CHECK(!there);
    else
#endif
    {
        CHECK(there == machine);
        CHECK_STRING(why, machine ? "native" : "not for this machine, or not in this build");
    }
    made += there != 0;
    PT(compare)(f, g, n, m, d, what);
    if (m < 100) PT(compare_maps)(f, g, n, m, mapped_by, d, what);
    df = PAD(fn_jacobian)(f);
    dg = PAD(fn_jacobian)(g);
    if (PAD(fn_status)(df) == AD_OK) {
        CHECK_STRING(PAD(fn_get_stats)(dg).native, "not yet");
        PT(compare)(df, dg, n, m + m * n, d, what);
        if (m + m * n < 40) PT(compare_maps)(df, dg, n, m + m * n, mapped_by, d, what);
        CHECK_STRING(PAD(fn_get_stats)(dg).native, why);
        CHECK_STRING(PAD(fn_get_stats)(df).native, "not asked for");
    }
    PAD(fn_destroy)(f);
    PAD(fn_destroy)(g);
    PAD(fn_destroy)(df);
    PAD(fn_destroy)(dg);
}

static void PT(random_programs)(void)
{
    PAD(tape) *const t = PAD(tape_create)(NULL);
    const ad_simd best = ad_kernels_simd(NULL);
    uint64_t seed;
    for (seed = 1; seed <= NATIVE_PROGRAMS; seed += (uint64_t)test_stride()) {
        PAD(var) v[PROGRAM_VALUES], y[PROGRAM_OUTPUTS];
        unsigned char way[PROGRAM_STEPS];
        program_dice d;
        program p;
        char what[40];
        size_t i;
        d.state = seed;
        program_make(&p, seed, seed % 3 ? 0 : PROGRAM_NO_CALLS);
        PAD(tape_reset)(t);
        for (i = 0; i < p.inputs; i++) v[i] = PAD(input)(t, (PREAL)p.point[i]);
        PT(run_var)(&p, t, v, v, way);
        for (i = 0; i < p.outputs; i++) y[i] = v[p.output[i]];
        snprintf(what, sizeof what, "program %lu", (unsigned long)seed);
        PT(both)(t, p.inputs, v, p.outputs, y, seed % 2 ? 0 : AD_FN_CONTRACT,
            seed % 5 ? best : AD_SIMD_PLAIN, &d, what);
        CHECK_STATUS(PAD(tape_status)(t), AD_OK);
        if (PAD(tape_status)(t) != AD_OK) break;
    }
    PAD(tape_destroy)(t);
}

static PAD(var) PT(rule_var)(size_t rule, PAD(var) x, PAD(var) y, PAD(var) z)
{
    const PT(form) *const f = &PT(forms)[rule];
    return f->var1 ? f->var1(x) : f->var2 ? f->var2(x, y) : f->var3(x, y, z);
}
/* Every rule alone, on every pair of special values; its operands in a register, in memory, the
   same, numbers. */
static void PT(rules)(void)
{
    static const double value[] = { 0, -0.0, 1, -1, 2.5, -3.25, 0.5, 1e-310, HUGE_VAL, -HUGE_VAL };
    enum { VALUES = sizeof value / sizeof *value };
    PAD(tape) *const t = PAD(tape_create)(NULL);
    const ad_simd set[] = { AD_SIMD_BEST, AD_SIMD_PLAIN };
    size_t rule, s;
    for (rule = 0; rule < PROGRAM_RULES; rule++)
        for (s = 0; s < 2; s++) {
            const int k = program_rules[rule].operands;
            ad_fn_desc desc;
            PAD(var) x[3], y[5], h;
            PAD(fn) *f, *g;
            PREAL in[3], a[5], b[5];
            size_t i, j, wrong = 0;
            PAD(tape_reset)(t);
            for (i = 0; i < 3; i++) x[i] = PAD(input)(t, (PREAL)(0.25 + 0.5 * (double)i));
            h = PAD(var_mul)(x[0], x[1]);                /* a result, so in a register */
            y[0] = PT(rule_var)(rule, x[0], x[1], x[2]);
            y[1] = PT(rule_var)(rule, h, x[1], h);
            y[2] = PT(rule_var)(rule, x[1], h, x[0]);
            y[3] = PT(rule_var)(rule, h, h, h);
            y[4] = PT(rule_var)(rule, k > 1 ? PAD(const)(2) : x[0], x[1], PAD(const)(1));
            memset(&desc, 0, sizeof desc);
            desc.simd = set[s];
            desc.native = AD_NATIVE_NEVER;
            f = PAD(fn_create)(t, 3, x, 5, y, &desc);
            desc.native = AD_NATIVE_NOW;
            g = PAD(fn_create)(t, 3, x, 5, y, &desc);
            for (i = 0; i <= VALUES; i++)
                for (j = 0; j <= VALUES; j++) {
                    size_t o;
                    in[0] = (PREAL)(i < VALUES ? value[i] : (double)NAN);
                    in[1] = (PREAL)(j < VALUES ? value[j] : (double)NAN);
                    in[2] = (PREAL)value[(i + j) % VALUES];
                    CHECK_STATUS(PAD(fn_eval)(f, in, a), AD_OK);
                    CHECK_STATUS(PAD(fn_eval)(g, in, b), AD_OK);
                    for (o = 0; o < 5; o++) wrong += !PT(same)(a[o], b[o]);
                }
            test_check(wrong == 0, __FILE__, __LINE__, "%s, set %d: %lu other results",
                program_rules[rule].name, (int)set[s], (unsigned long)wrong);
            for (j = 0; set[s] == AD_SIMD_BEST && j < 2; j++) {          /* and all at once */
                PREAL many[3][SPECIAL], out[2][5][SPECIAL];
                const ad_simd by = (ad_simd)(j ? LARGE_BLOCKS : BLOCKS);
                PAD(port) port[3], to[5];
                PAD(fn) *const blocks = PAD(fn_create)(t, 3, x, 5, y, &desc);
                ad_map_desc how;
                memset(&how, 0, sizeof how);
                how.simd = by;
                for (i = 0; i < SPECIAL; i++) {
                    many[0][i] = (PREAL)(i % 11 < VALUES ? value[i % 11] : (double)NAN);
                    many[1][i] = (PREAL)(i / 11 < VALUES ? value[i / 11] : (double)NAN);
                    many[2][i] = (PREAL)value[(i % 11 + i / 11) % VALUES];
                }
                for (i = 0; i < 3; i++) port[i] = PAD(port_in)(many[i], 1);
                for (i = 0; i < 5; i++) to[i] = PAD(port_out)(out[0][i], 1);
                if (PAD(fn_map)(f, SPECIAL, port, to, &how) == AD_ERR_UNSUPPORTED) {
                    PAD(fn_destroy)(blocks);
                    break;
                }
                for (i = 0; i < 5; i++) to[i] = PAD(port_out)(out[1][i], 1);
                CHECK_STATUS(PAD(fn_map)(blocks, SPECIAL, port, to, &how), AD_OK);
                for (i = wrong = 0; i < 5 * SPECIAL; i++)
                    wrong += !PT(same)(out[0][i / SPECIAL][i % SPECIAL],
                                       out[1][i / SPECIAL][i % SPECIAL]);
                test_check(wrong == 0, __FILE__, __LINE__, "%s, map, set %d: %lu other results",
                    program_rules[rule].name, (int)by, (unsigned long)wrong);
                PAD(fn_destroy)(blocks);
            }
            PAD(fn_destroy)(f);
            PAD(fn_destroy)(g);
        }
    PAD(tape_destroy)(t);
}

/* More values than registers, all wanted at the end, functions between; outputs that are inputs,
   numbers, the same twice; no inputs at all. */
static void PT(wide)(void)
{
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(var) x[8], y[WIDE];
    program_dice d;
    size_t i;
    d.state = 5;
    for (i = 0; i < 8; i++) x[i] = PAD(input)(t, (PREAL)(0.1 * (double)(i + 1)));
    for (i = 0; i < WIDE; i++)
        y[i] = PAD(var_mul)(x[i % 8], PAD(var_add_r)(x[i * 5 % 7], (PREAL)i));
    for (i = WIDE - 1; i-- > 0;)
        y[i] = i % 40 ? PAD(var_sub)(y[i], PAD(var_mul)(y[i + 1], y[(i * 7) % WIDE]))
                      : PAD(var_sin)(y[i]);
    y[3] = x[2];
    y[4] = x[2];
    y[5] = PAD(const)(-0.0);
    y[6] = PAD(const)(7);
    y[7] = y[8];
    PT(both)(t, 8, x, WIDE, y, 0, AD_SIMD_BEST, &d, "wide");
    PT(both)(t, 8, x, WIDE, y, AD_FN_CONTRACT, AD_SIMD_PLAIN, &d, "wide, plain");
    PT(both)(t, 8, x, WIDE, y, AD_FN_CONTRACT, AD_SIMD_BEST, &d, "wide, contracted");
    PT(both)(t, 0, x, 2, y + 5, 0, AD_SIMD_BEST, &d, "numbers alone");
    PT(both)(t, 8, x, 0, y, 0, AD_SIMD_BEST, &d, "no outputs");
    PAD(tape_destroy)(t);
}

/* Operands of a function that are in each other's registers, in every order. */
static void PT(crossed)(void)
{
    PAD(tape) *const t = PAD(tape_create)(NULL);
    program_dice d;
    int order;
    d.state = 7;
    for (order = 0; order < 27; order++) {
        PAD(var) x[3], v[3], y;
        size_t i;
        PAD(tape_reset)(t);
        for (i = 0; i < 3; i++) x[i] = PAD(input)(t, (PREAL)(0.5 + (double)i));
        for (i = 0; i < 3; i++) v[i] = PAD(var_sub)(x[i], x[(i + 1) % 3]);
        y = PAD(var_fma)(v[order % 3], v[order / 3 % 3], v[order / 9]);
        PT(both)(t, 3, x, 1, &y, 0, AD_SIMD_PLAIN, &d, "crossed");
    }
    PAD(tape_destroy)(t);
}

/* Maps of long functions: chains that end a loop, sums of many products, more numbers than
   registers; columns as far apart as makes them share a cache's set; more ports than are lent. */
static void PT(long_maps)(void)
{
    enum { COLUMNS = 40, ROWS = 512 };
    static PREAL x[COLUMNS][ROWS], y[2][COLUMNS][ROWS];
    PAD(tape) *const t = PAD(tape_create)(NULL);
    const ad_simd sets[] = { (ad_simd)BLOCKS, (ad_simd)LARGE_BLOCKS };
    program_dice d;
    size_t kind, set, i, k;
    d.state = 77;
    for (i = 0; i < COLUMNS; i++)
        for (k = 0; k < ROWS; k++) x[i][k] = (PREAL)program_unit(&d);
    for (kind = 0; kind < 12; kind++)
        for (set = 0; set < 2; set++) {
            const size_t n = kind < 6 ? 12 : COLUMNS, m = kind % 3 == 0 ? 1 : n;
            PAD(var) v[COLUMNS], out[COLUMNS], s;
            PAD(port) in[COLUMNS], to[COLUMNS];
            ad_fn_desc desc;
            ad_map_desc how;
            int native;
            if (!ad_kernels_get(sets[set])) continue;
            memset(&desc, 0, sizeof desc);
            memset(&how, 0, sizeof how);
            how.simd = sets[set];
            desc.flags = kind % 2 ? AD_FN_CONTRACT : 0;
            PAD(tape_reset)(t);
            for (i = 0; i < n; i++) v[i] = PAD(input)(t, (PREAL)0.5);
            s = PAD(var_mul)(v[0], v[1]);
            for (i = 0; i < n; i++) out[i] = v[(7 * i + 1) % n];
            for (i = 0; i < 1500; i++) {                 /* a chain; many beside each other */
                const PAD(var) a = kind % 3 == 0 ? s : out[i % n], b = v[i % n];
                const PAD(var) z = i % 97 == 5 ? PAD(var_tanh)(a)
                    : PAD(var_add)(PAD(var_mul)(a, b), PAD(var_mul_r)(out[(i + 3) % n],
                                                                      (PREAL)(0.01 * (double)i)));
                if (kind % 3 == 0) s = PAD(var_mul_r)(z, (PREAL)0.5);
                else out[i % n] = PAD(var_mul_r)(z, (PREAL)0.5);
            }
            if (kind % 3 == 0) out[0] = s;
            for (native = 0; native < 2; native++) {
                PAD(fn) *f;
                desc.native = native ? AD_NATIVE_NOW : AD_NATIVE_NEVER;
                f = PAD(fn_create)(t, n, v, m, out, &desc);
                for (i = 0; i < n; i++) in[i] = PAD(port_in)(x[i], 1);
                for (i = 0; i < m; i++) to[i] = PAD(port_out)(y[native][i], 1);
                if (kind > 9) to[0] = PAD(port_sum)(y[native][0]);
                CHECK_STATUS(PAD(fn_map)(f, ROWS - (kind & 1), in, to, &how), AD_OK);
                CHECK((PAD(fn_get_stats)(f).native_maps != 0) == (native && machine));
                PAD(fn_destroy)(f);
            }
            for (i = k = 0; i < m * (ROWS - 1); i++)
                k += !PT(same)(y[0][i / (ROWS - 1)][i % (ROWS - 1)],
                               y[1][i / (ROWS - 1)][i % (ROWS - 1)]);
            test_check(k == 0, __FILE__, __LINE__, "kind %d, set %d: %lu other numbers", (int)kind,
                (int)sets[set], (unsigned long)k);
        }
    PAD(tape_destroy)(t);
}

/* After how many points maps become machine code; without memory they do as well without. */
static void PT(making_maps)(void)
{
    PAD(tape) *const t = PAD(tape_create)(NULL);
    const PAD(var) a = PAD(input)(t, 1), b = PAD(input)(t, 2);
    PAD(var) v[2], y[2];
    PREAL in[2][64], out[3][64];
    PAD(port) port[2], to[2];
    PAD(fn) *f;
    ad_fn_desc desc;
    ad_map_desc how;
    heap h;
    size_t i, k, at;
    if (!blocks()) {
        PAD(tape_destroy)(t);
        return;
    }
    memset(&desc, 0, sizeof desc);
    memset(&how, 0, sizeof how);
    memset(&h, 0, sizeof h);
    how.simd = (ad_simd)BLOCKS;
    v[0] = a;
    v[1] = b;
    y[0] = PAD(var_add)(PAD(var_mul)(a, b), PAD(var_exp)(a));
    y[1] = PAD(var_div)(y[0], b);
    for (i = 0; i < 64; i++) {
        in[0][i] = (PREAL)i / 64;
        in[1][i] = 1 + (PREAL)i;
    }
    for (k = 0; k < 2; k++) port[k] = PAD(port_in)(in[k], 1);
    for (k = 0; k < 2; k++) to[k] = PAD(port_out)(out[k], 1);
    desc.native_after = 4;                               /* evaluations, so 40 points */
    f = PAD(fn_create)(t, 2, v, 2, y, &desc);
    for (i = 13; i <= 52; i += 13) {
        CHECK_STATUS(PAD(fn_map)(f, 13, port, to, &how), AD_OK);
        CHECK((PAD(fn_get_stats)(f).native_maps == 1) == (i >= 40 && machine));
        CHECK_STRING(PAD(fn_get_stats)(f).native, "not yet");
    }
    to[0] = PAD(port_sum)(out[0]);                       /* a pattern of its own */
    CHECK_STATUS(PAD(fn_map)(f, 64, port, to, &how), AD_OK);
    CHECK(PAD(fn_get_stats)(f).native_maps == (machine ? 2 : 0));
    PAD(fn_destroy)(f);
    desc.native = AD_NATIVE_NOW;
    desc.resize = heap_resize;
    desc.resize_user = &h;
    for (at = 0; at < 300; at++) {                       /* one fails, or the next one too */
        ad_status s;
        f = PAD(fn_create)(t, 2, v, 2, y, &desc);
        for (k = 0; k < 2; k++) to[k] = PAD(port_out)(out[at ? 2 : k], 1);
        if (at) to[0] = PAD(port_out)(out[2] + 32, 1);
        h.fail_at = at ? h.calls + (at + 1) / 2 : 0;
        h.also = at % 2;
        s = PAD(fn_map)(f, 32, port, to, &how);
        h.fail_at = 0;
        CHECK(s == AD_OK || s == AD_ERR_MEMORY);
        for (i = k = 0; i < 32 && at && s == AD_OK; i++)
            k += !PT(same)(out[2][i], out[1][i]) || !PT(same)(out[2][32 + i], out[0][i]);
        CHECK(k == 0);
        CHECK_STATUS(PAD(fn_map)(f, 32, port, to, &how), AD_OK);     /* and later with memory */
        CHECK(PAD(fn_get_stats)(f).native_maps == (machine ? 1 : 0));
        PAD(fn_destroy)(f);
    }
    CHECK(h.blocks == 0 && h.wrong == 0);
    PAD(tape_destroy)(t);
}

/* Points that are rows of numbers, with little to do for each: by the code of a point, which blocks
   and the interpreter agree with. Rows may have more numbers than the function takes, and it does
   not touch them; outputs may stand where inputs did, as with blocks. */
static void PT(row_maps)(void)
{
    enum { ROW = 20, ROWS = 512 };
    static PREAL x[ROWS][ROW], y[3][ROWS][ROW];
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(var) v[ROW], r[ROW];
    PAD(fn) *f[3];
    ad_fn_desc desc;
    program_dice d;
    const int vectors = blocks();
    size_t i, j, k, n, round;
    memset(&desc, 0, sizeof desc);
    d.state = 31;
    for (i = 0; i < ROW; i++) v[i] = PAD(input)(t, (PREAL)(1 + i));
    for (i = 0; i < ROW; i++)
        r[i] = i % 3 ? PAD(var_sub)(v[i], PAD(var_mul)(v[(i + 1) % 16], v[(i + 5) % 16]))
                     : PAD(var_div)(v[i % 16], v[(3 * i + 1) % 16]);
    for (i = 0; i < 3; i++) {
        desc.native = i ? AD_NATIVE_NOW : AD_NATIVE_NEVER;
        f[i] = PAD(fn_create)(t, 16, v, 16, r, &desc);
    }
    for (round = 0; round < 12; round++) {
        const size_t points = round < 4 ? (size_t)ROWS : 1 + program_below(&d, ROWS);
        const int inside = round % 4 == 3;       /* outputs in the place of inputs */
        size_t wrong = 0, touched = 0;
        for (i = 0; i < ROWS; i++)
            for (j = 0; j < ROW; j++)
                x[i][j] = round % 2 ? PT(draw)(&d) : (PREAL)program_unit(&d);
        for (k = 0; k < 3; k++) {
            PAD(port) in[16], out[16];
            ad_map_desc how;
            memset(&how, 0, sizeof how);
            how.threads = 1 + (int)(round & 1);
            memcpy(y[k], x, sizeof x);
            for (j = 0; j < 16; j++) {
                in[j] = PAD(port_of)(inside ? &y[k][0][j] : &x[0][j], ROW, NULL);
                out[j] = PAD(port_of)(&y[k][0][j], ROW, NULL);
            }
            if (k == 1) out[15] = PAD(port_of)(&y[k][0][16], ROW, NULL);     /* blocks */
            CHECK_STATUS(PAD(fn_map)(f[k], points, in, out, &how), AD_OK);
        }
        for (i = 0; i < points; i++) {
            PREAL one[16];
            if (!inside) CHECK_STATUS(PAD(fn_eval)(f[0], x[i], one), AD_OK);
            for (j = 0; j < 16; j++) {
                const size_t at = j == 15 ? 16 : j;
                wrong += !PT(same)(y[0][i][j], y[2][i][j]) || !PT(same)(y[0][i][j], y[1][i][at]);
                wrong += !inside && !PT(same)(one[j], y[2][i][j]);
            }
        }
        for (k = 0; k < 3; k++)
            for (i = 0; i < ROWS; i++)
                for (j = i < points ? 17 : 0; j < ROW; j++)
                    touched += !PT(same)(y[k][i][j], x[i][j]);
        if (vectors && machine)                  /* blocks' code is made where rows are no use */
            CHECK(PAD(fn_get_stats)(f[2]).native_maps == (round >= 3));
        test_check(wrong == 0 && touched == 0, __FILE__, __LINE__, "rows, %d points%s: %d numbers "
                   "other, %d touched", (int)points, inside ? ", inside" : "", (int)wrong,
                   (int)touched);
    }
    for (i = 0; i < 3; i++) PAD(fn_destroy)(f[i]);
    /* after some points; with what is called it is the code of blocks */
    for (k = 0; k < 4 && vectors && machine; k++) {
        PAD(port) in[16], out[16];
        ad_map_desc how;
        ad_fn_stats stats;
        PAD(fn) *g;
        memset(&how, 0, sizeof how);
        how.simd = k == 3 ? AD_SIMD_PLAIN : AD_SIMD_BEST;
        desc.native = AD_NATIVE_AUTO;
        desc.native_after = 10;                  /* 100 points */
        if (k == 1) r[0] = PAD(var_exp)(r[0]);
        g = PAD(fn_create)(t, 16, v, 16, r, &desc);
        for (j = 0; j < 16; j++) {
            in[j] = PAD(port_of)(&x[0][j], ROW, NULL);
            out[j] = PAD(port_of)(&y[0][0][j], ROW, NULL);
        }
        for (n = 20; n <= 120; n += 20) {
            CHECK_STATUS(PAD(fn_map)(g, 20, in, out, &how), AD_OK);
            stats = PAD(fn_get_stats)(g);
            CHECK((strcmp(stats.native, "native") == 0) == (n >= 100 && k < 3));
            CHECK(stats.native_maps == (n >= 100 && (k == 1 || k == 2)));
        }
        PAD(fn_destroy)(g);
    }
    PAD(tape_destroy)(t);
}

/* A function of three inputs with two outputs: interpreted, and as machine code. */
static void PT(two_ways)(PAD(tape) *t, PAD(fn) *f[2])
{
    PAD(var) v[3], r[2];
    ad_fn_desc desc;
    int i;
    memset(&desc, 0, sizeof desc);
    for (i = 0; i < 3; i++) v[i] = PAD(input)(t, (PREAL)(1 + i));
    r[0] = PAD(var_sub)(PAD(var_mul)(v[0], v[1]), PAD(var_div)(v[2], v[0]));
    r[1] = PAD(var_max)(PAD(var_mul)(v[2], v[2]), r[0]);
    for (i = 0; i < 2; i++) {
        desc.native = i ? AD_NATIVE_NOW : AD_NATIVE_NEVER;
        f[i] = PAD(fn_create)(t, 3, v, 2, r, &desc);
    }
}

/* Few points: by the code of a point, however they lie in memory, with the bits of blocks; outputs
   may stand on inputs of other points, since all of these are read before. */
static void PT(few_maps)(void)
{
    enum { MOST = 24, ROOM = 4 * MOST };
    PREAL memory[2][ROOM];
    uint32_t index[3][MOST];
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(fn) *f[2];
    program_dice d;
    size_t i, j, k, round, points;
    d.state = 83;
    PT(two_ways)(t, f);
    for (round = 0; round < 120; round++) {
        const int rows = round % 3 == 0, indexed = round % 3 == 1;
        const int aside = round % 9 == 3, among = round % 9 == 6;    /* a row of outputs */
        const ptrdiff_t odd = round % 2;
        const size_t apart = round % 6 == 5 ? 1 : 2 * MOST;      /* 1: outputs meet */
        size_t wrong = 0;
        points = 1 + program_below(&d, aside ? MOST / 2 : MOST);
        for (i = 0; i < ROOM; i++)
            memory[0][i] = memory[1][i] = round % 2 ? PT(draw)(&d) : (PREAL)program_unit(&d);
        for (j = 0; j < 3; j++)
            for (i = 0; i < MOST; i++)           /* of outputs each once */
                index[j][i] = (uint32_t)(j ? (7 * i + j) % MOST : program_below(&d, MOST));
        for (k = 0; k < 2; k++) {
            PAD(port) in[3], out[2];
            ad_map_report report;
            ad_map_desc how;
            memset(&how, 0, sizeof how);
            memset(&report, 1, sizeof report);
            how.report = round % 4 ? &report : NULL;
            for (j = 0; j < 3; j++)
                in[j] = rows ? PAD(port_of)(memory[k] + 1 + j, 4, NULL)
                    : j == 2 ? PAD(port_shared)(memory[k] + 5)
                             : PAD(port_of)(memory[k] + j, 2, indexed ? index[0] : NULL);
            for (j = 0; j < 2; j++)              /* of the row before, or anywhere */
                out[j] = aside ? PAD(port_of)(memory[k] + ROOM / 2 + j, odd + 2, NULL)
                    : among ? PAD(port_of)(memory[k] + 4 + j, odd + 1, NULL)
                    : rows ? PAD(port_of)(memory[k] + 3 * j, 4, NULL)
                           : PAD(port_of)(memory[k] + apart * j + 1, indexed ? 2 : 1,
                                          indexed ? index[1 + j] : NULL);
            CHECK_STATUS(PAD(fn_map)(f[k], points, in, out, &how), AD_OK);
            CHECK(!how.report || (report.points == 0 && report.message[0] == 0));
            how.report = &report;
            out[1].data = NULL;                  /* what cannot be is said as ever */
            if (round == 0) CHECK_STATUS(PAD(fn_map)(f[k], 2, in, out, &how), AD_ERR_ARGUMENT);
            CHECK(round || strstr(report.message, "output port 1") != NULL);
        }
        for (i = 0; i < ROOM; i++) wrong += !PT(same)(memory[0][i], memory[1][i]);
        test_check(wrong == 0, __FILE__, __LINE__, "%d points: %d numbers other", (int)points,
                   (int)wrong);
    }
    for (k = 0; k < 2; k++) PAD(fn_destroy)(f[k]);
    PAD(tape_destroy)(t);
}

/* Few points by groups of ports: one group of all is a row, and what is taken at once, only if its
   ports lie side by side, are read without an index and do not add. */
static void PT(few_groups)(void)
{
    enum { ROW, OTHER_FIRST, APART, GATHERED, TOO_FEW, PORTS };
    PREAL memory[2][80];
    uint32_t index[4] = { 3, 1, 2, 0 };
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(fn) *f[2];
    size_t i, k;
    int from, to, adds;
    PT(two_ways)(t, f);
    for (from = 0; from < PORTS; from++)
        for (to = 0; to < PORTS; to++)
            for (adds = 0; adds < 2; adds++) {
                size_t wrong = 0;
                for (i = 0; i < 80; i++) memory[0][i] = memory[1][i] = (PREAL)(i % 7) + 1;
                for (k = 0; k < 2; k++) {
                    const int at = from == OTHER_FIRST;
                    PAD(port) x = PAD(port_of)(memory[k] + at, 6, from == GATHERED ? index : NULL);
                    PAD(port) y = PAD(port_of)(memory[k] + 40, to == OTHER_FIRST ? 3 : 4,
                                               to == GATHERED ? index : NULL);
                    PAD(ports) in = PAD(ports_of)(x, from == TOO_FEW ? 2 : 3, 1 + (from == APART));
                    PAD(ports) out;
                    y.adds = adds;
                    out = PAD(ports_of)(y, to == TOO_FEW ? 1 : 2, 1 + (to == APART));
                    CHECK_STATUS(PAD(fn_map_ports)(f[k], 4, 1, &in, 1, &out, NULL),
                                 from == TOO_FEW || to == TOO_FEW ? AD_ERR_ARGUMENT : AD_OK);
                }
                for (i = 0; i < 80; i++) wrong += !PT(same)(memory[0][i], memory[1][i]);
                test_check(wrong == 0, __FILE__, __LINE__, "from %d to %d%s: %d numbers other",
                           from, to, adds ? ", added" : "", (int)wrong);
            }
    for (k = 0; k < 2; k++) PAD(fn_destroy)(f[k]);
    PAD(tape_destroy)(t);
}

/* When it is made, what is said of it, what it refuses; memory. */
static void PT(making)(void)
{
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(var) x[40], y = PAD(const)(0);
    PAD(fn) *f;
    ad_fn_desc desc;
    ad_fn_stats s;
    heap h;
    PREAL in[40], out[41], first[41];
    size_t i, at;
    memset(&desc, 0, sizeof desc);
    memset(&h, 0, sizeof h);
    for (i = 0; i < 40; i++) {
        in[i] = (PREAL)(0.01 * (double)(i + 1));
        x[i] = PAD(input)(t, in[i]);
    }
    for (i = 0; i < 40; i++)
        y = PAD(var_add)(PAD(var_exp)(PAD(var_mul)(x[i], y)), PAD(var_div)(x[i], x[39 - i]));
    desc.native_after = 5;
    f = PAD(fn_create)(t, 40, x, 1, &y, &desc);
    for (i = 1; i < 9; i++) {
        CHECK_STATUS(PAD(fn_eval)(f, in, out), AD_OK);
        CHECK(PT(same)(out[0], y.v));
        s = PAD(fn_get_stats)(f);
        CHECK_STRING(s.native, i < 5 ? "not yet" : machine ? "native"
                                     : "not for this machine, or not in this build");
        CHECK((s.native_bytes > 0) == (i >= 5 && machine) && s.native_seconds >= 0);
    }
    PAD(fn_destroy)(f);
    CHECK_STATUS(PAD(fn_native)(NULL), AD_ERR_MEMORY);
    f = PAD(fn_parse)("x +", "x", NULL, 0);
    CHECK(PAD(fn_native)(f) != AD_OK && PAD(fn_native)(f) == PAD(fn_status)(f));
    PAD(fn_destroy)(f);
    /* packs of a fast function are the kernels', here too */
    desc.flags = AD_FN_FAST;
    for (i = 0, y = PAD(const)(0); i < 40; i++) y = PAD(var_add)(y, PAD(var_exp)(x[i]));
    f = PAD(fn_create)(t, 40, x, 1, &y, &desc);
    CHECK_STATUS(PAD(fn_eval)(f, in, first), AD_OK);
    CHECK_STATUS(PAD(fn_native)(f), machine ? AD_OK : AD_ERR_UNSUPPORTED);
    CHECK_STATUS(PAD(fn_eval)(f, in, out), AD_OK);
    CHECK(PT(same)(out[0], first[0]));
    PAD(fn_destroy)(f);
    /* no memory: interpreted, and no other number */
    desc.flags = 0;
    desc.native = AD_NATIVE_NOW;
    desc.resize = heap_resize;
    desc.resize_user = &h;
    f = PAD(fn_create)(t, 40, x, 1, &y, &desc);
    CHECK_STATUS(PAD(fn_native)(f), machine ? AD_OK : AD_ERR_UNSUPPORTED);
    CHECK_STATUS(PAD(fn_eval)(f, in, first), AD_OK);
    PAD(fn_destroy)(f);
    for (at = 1; at < 40; at++) {
        f = PAD(fn_create)(t, 40, x, 1, &y, &desc);
        h.fail_at = h.calls + at;
        CHECK_STATUS(PAD(fn_eval)(f, in, out), AD_OK);
        CHECK(PT(same)(out[0], first[0]));
        h.fail_at = 0;
        PAD(fn_destroy)(f);
    }
    CHECK(h.blocks == 0 && h.wrong == 0);
    PAD(tape_destroy)(t);
}

static void PT(test_native)(void)
{
    PAD(fn) *const f = PAD(fn_parse)("x*x", "x", NULL, 0);
    machine = PAD(fn_native)(f) == AD_OK;
    PAD(fn_destroy)(f);
    PT(rules)();
    PT(wide)();
    PT(crossed)();
    PT(random_programs)();
    PT(making)();
    PT(long_maps)();
    PT(making_maps)();
    PT(row_maps)();
    PT(few_maps)();
    PT(few_groups)();
}
#endif
