/* Fuzz target: machine code against the interpreters, to the bit. The input's bytes are a trace,
   operation by operation over every rule of the table, with guards; then flags, and points for one
   evaluation after the other and for a map. Double and float.
   The file includes itself, once for each real type, behind the #else.
   Sections: Compiled Functions: Native; Lanes: Running Programs. */
#ifndef PREAL
#include "../programs.h"
#include "fuzz.h"

enum { INPUTS = 4, STEPS = 120, OUTPUTS = 5, POINTS = 70, EVALUATIONS = 6 };

#define TWICE "fuzz/native.c"
#include "../twice.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes b;
    b.at = data;
    b.end = data + size;
    if (fuzz_next(&b, 2)) f_trial(&b);
    else d_trial(&b);
    return 0;
}
#else

/* One operation on the values so far. A NaN's sign means nothing, unless it comes from outside: so
   copysign takes that of an input. */
static PAD(var) PT(step)(fuzz_bytes *b, const PAD(var) *v, size_t n)
{
    const size_t rule = fuzz_next(b, PROGRAM_RULES);
    const PT(form) *const f = &PT(forms)[rule];
    const PAD(var) x = v[n - 1 - fuzz_next(b, n)], y = v[n - 1 - fuzz_next(b, n)];
    if (rule == program_rule_number("copysign")) return f->var2(x, v[fuzz_next(b, INPUTS)]);
    if (f->var1) return f->var1(x);
    if (f->var3) return f->var3(x, y, v[n - 1 - fuzz_next(b, n)]);
    if (fuzz_next(b, 4)) return f->var2(x, y);
    return fuzz_next(b, 2) ? f->right(x, (PREAL)fuzz_number(b)) : f->left((PREAL)fuzz_number(b), x);
}
static void PT(equal)(ad_status s, ad_status r, const PREAL *y, const PREAL *z, size_t n)
{
    REQUIRE(s == r);
    while (n-- > 0) REQUIRE(PT(same)(y[n], z[n]));
}
static void PT(trial)(fuzz_bytes *b)
{
    static PREAL x[INPUTS][POINTS], y[OUTPUTS * POINTS], z[OUTPUTS * POINTS];
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(var) v[INPUTS + STEPS], out[OUTPUTS];
    PAD(port) in[INPUTS], to[OUTPUTS];
    PAD(fn) *f, *g;
    ad_fn_desc desc;
    ad_map_desc how;
    ad_status s;
    PREAL at[INPUTS];
    const size_t steps = 1 + fuzz_next(b, STEPS), points = 1 + fuzz_next(b, POINTS);
    size_t i, k;
    memset(&desc, 0, sizeof desc);
    memset(&how, 0, sizeof how);
    desc.flags = fuzz_next(b, 2) ? AD_FN_CONTRACT : 0;
    how.simd = fuzz_next(b, 2) && ad_kernels_get(AD_SIMD_AVX2) ? AD_SIMD_AVX2 : AD_SIMD_BEST;
    for (i = 0; i < INPUTS; i++) v[i] = PAD(input)(t, (PREAL)fuzz_number(b));
    for (i = INPUTS; i < INPUTS + steps; i++) {
        v[i] = PT(step)(b, v, i);
        if (!fuzz_next(b, 16)) (void)PAD(branch)(v[i]);
    }
    for (i = 0; i < OUTPUTS; i++) out[i] = v[INPUTS + steps - 1 - fuzz_next(b, steps)];
    desc.native = AD_NATIVE_NEVER;
    f = PAD(fn_create)(t, INPUTS, v, OUTPUTS, out, &desc);
    desc.native = AD_NATIVE_NOW;
    g = PAD(fn_create)(t, INPUTS, v, OUTPUTS, out, &desc);
    for (k = 0; k < EVALUATIONS; k++) {
        for (i = 0; i < INPUTS; i++) at[i] = (PREAL)fuzz_number(b);
        PT(equal)(PAD(fn_eval)(f, at, y), PAD(fn_eval)(g, at, z), y, z, OUTPUTS);
    }
    for (i = 0; i < INPUTS; i++) {
        for (k = 0; k < points; k++) x[i][k] = (PREAL)fuzz_number(b);
        in[i] = fuzz_next(b, 4) ? PAD(port_in)(x[i], 1) : PAD(port_shared)(x[i]);
    }
    memset(y, 0, sizeof y);
    memset(z, 0, sizeof z);
    for (i = 0; i < OUTPUTS; i++)
        to[i] = fuzz_next(b, 4) ? PAD(port_out)(y + i * POINTS, 1) : PAD(port_sum)(y + i * POINTS);
    s = PAD(fn_map)(f, points, in, to, &how);
    for (i = 0; i < OUTPUTS; i++) to[i].data = z + i * POINTS;
    PT(equal)(s, PAD(fn_map)(g, points, in, to, &how), y, z, OUTPUTS * POINTS);
    PAD(fn_destroy)(f);
    PAD(fn_destroy)(g);
    PAD(tape_destroy)(t);
}
#endif
