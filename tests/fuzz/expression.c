/* Fuzz target: text through parsing, derivatives, evaluation, maps and emitted C, in both
   precisions. The first line names the variables, the rest is the expression. The file includes
   itself, once for each real type.
   Sections: Notation; Compiled Functions: Emitted C; Compiled Functions: Parsing. */
#ifndef PREAL
#include "../../autodiff.h"
#include "fuzz.h"

enum { INPUTS = 6, OUTPUTS = 6, RESULTS = OUTPUTS * (1 + INPUTS) * (1 + INPUTS), POINTS = 5 };

#define TWICE "fuzz/expression.c"
#include "../twice.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[600], *expression;
    if (size >= sizeof text) return 0;
    memcpy(text, data, size);
    text[size] = 0;
    expression = strchr(text, '\n');
    if (expression) *expression++ = 0;
    d_try(expression ? expression : text, expression ? text : "x, y, z");
    f_try(expression ? expression : text, expression ? text : "x, y, z");
    return 0;
}

#else

/* A function that was made is evaluated, mapped, and written out; y: its results at `at`. */
static void PT(use)(const PAD(fn) *f, const PREAL *at, PREAL *y)
{
    static PREAL z[RESULTS * POINTS], x[INPUTS * POINTS];
    const ad_fn_stats stats = PAD(fn_get_stats)(f);
    PAD(port) in[INPUTS], out[RESULTS];
    ad_map_desc d;
    ad_emit_desc e;
    size_t i, q, m = stats.outputs;
    ad_status s;
    if (PAD(fn_status)(f) != AD_OK) return;
    REQUIRE(stats.inputs <= INPUTS && m <= RESULTS);
    memset(&d, 0, sizeof d);
    memset(&e, 0, sizeof e);
    s = PAD(fn_eval)(f, at, y);
    REQUIRE(s == AD_OK);
    for (i = 0; i < stats.inputs; i++) {
        for (q = 0; q < POINTS; q++) x[i * POINTS + q] = q == 2 ? at[i] : at[(i + q) % INPUTS];
        in[i] = PAD(port_in)(x + i * POINTS, 1);
    }
    for (i = 0; i < m; i++) out[i] = PAD(port_out)(z + i * POINTS, 1);
    d.simd = AD_SIMD_PLAIN;
    REQUIRE(PAD(fn_map)(f, POINTS, in, out, &d) == AD_OK);
    for (i = 0; i < m; i++) REQUIRE(fuzz_same((double)z[i * POINTS + 2], (double)y[i]));
    for (i = 0; i < 3; i++) {
        size_t pieces = i == 2 && m ? 4 : (size_t)-1;
        e.form = (ad_emit_form)i;
        e.piece = i == 0 ? 3 : 0;
        s = PAD(fn_emit)(f, &e, fuzz_write, &pieces);
        REQUIRE(s == AD_OK || (i == 2 && s == AD_ERR_WRITE));
    }
}

static void PT(try)(const char *expression, const char *variables)
{
    static const double from[INPUTS] = { 0.75, -1.25, 2, 0.5, -0.5, 3 };
    static PREAL y[RESULTS], z[RESULTS];
    char error[120];
    PAD(fn) *f = PAD(fn_parse)(expression, variables, error, sizeof error), *g;
    const ad_fn_stats stats = PAD(fn_get_stats)(f);
    const size_t n = stats.inputs, m = stats.outputs, v = stats.variables;
    PREAL x[INPUTS];
    size_t i, j;
    for (i = 0; i < INPUTS; i++) x[i] = (PREAL)from[i];
    REQUIRE((PAD(fn_status)(f) == AD_OK) == (error[0] == 0));
    if (PAD(fn_status)(f) == AD_OK && n <= INPUTS && m <= OUTPUTS) {
        PAD(tape) *t = PAD(tape_create)(NULL);
        PAD(var) in[INPUTS], out[OUTPUTS];
        PT(use)(f, x, y);
        PAD(inputs)(t, n, x, in);
        REQUIRE(PAD(fn_record)(f, t, in, out) == AD_OK);
        for (i = 0; i < m; i++) REQUIRE(fuzz_same((double)out[i].v, (double)y[i]));
        PAD(tape_destroy)(t);
        if (stats.nodes < 300) {
            g = PAD(fn_jacobian)(f);
            PT(use)(g, x, z);
            for (i = 0; i < m; i++) REQUIRE(fuzz_same((double)y[i], (double)z[i]));
            PAD(fn_destroy)(g);
        }
        if (stats.nodes < 100 && m == 1) {
            g = PAD(fn_hessian)(f);
            PT(use)(g, x, z);
            for (i = 0; i < v; i++)
                for (j = 0; j < i; j++)
                    REQUIRE(fuzz_same((double)z[1 + v + i * v + j], (double)z[1 + v + j * v + i]));
            PAD(fn_destroy)(g);
        }
    }
    PAD(fn_destroy)(f);
}
#endif
