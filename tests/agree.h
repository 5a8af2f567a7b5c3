/* Do a random program's compiled functions agree with everything else? d_agree(p, &a) and f_agree
   (double and float) record the program, compile it with every pass on and off, and compare:
   - ad_fn_eval with recording anew, at the point of the recording and at others: the same bits, the
     same branches; NaN equals NaN;
   - functions made contracted or fast: within the error that the study of the program allows;
   - gradient, Jacobian, Hessian, their products with vectors, and derivatives of those with the
     study, which differentiates each step by duals alone, and with the sweeps of the tape and duals
     of the whole program: within 4096 roundings of the sizes of what is added up;
   - the study with differences of values in long double (tests/truth.h), which know no derivative;
   - ad_fn_map on every instruction set, through all kinds of ports, with evaluating each point: on
     plain C the same bits, on the others the bits of the array kernels, step by step, but for what
     the shared inputs alone determine, which is computed as for one point;
   - recorded functions and recorded gradients with recording anew.
   The file includes itself, once for each real type, behind the first #else. */
#ifndef PREAL
#ifndef AGREE_H
#define AGREE_H
#include <stdarg.h>
#include "programs.h"
#include "truth.h"

enum {
    AGREE_POINTS = 8,           /* the first is the recording's; then 3 near it, 2 far, 2 special */
    AGREE_MANY = 1000,          /* points of a map */
    AGREE_RESULTS = PROGRAM_OUTPUTS * (1 + PROGRAM_INPUTS) * (1 + PROGRAM_INPUTS) * 2,
    AGREE_PORTS = 3 * PROGRAM_INPUTS + 2 * PROGRAM_OUTPUTS, AGREE_OUTS = PROGRAM_OUTPUTS * 8
};

typedef struct agreement {
    size_t checks, comparisons;     /* numbers compared: bits; with a tolerance */
    size_t folded;                  /* results of maps where a kernel's bits were expected and only
                                       the tolerance is kept: of constants in disguise, such as
                                       digamma(x^0), which are computed once, as the tape does */
    size_t truths, untold;          /* derivatives compared with differences; not smooth enough */
    char   kind[80];                /* of the first disagreement, "" if there is none */
    char   text[600];
} agreement;

/* Derivative functions, in the order in which they are made. */
enum {
    AGREE_GRADIENT, AGREE_JACOBIAN, AGREE_HESSIAN, AGREE_JVP, AGREE_VJP, AGREE_GRADIENT_JACOBIAN,
    AGREE_GRADIENT_JVP, AGREE_JVP_JACOBIAN, AGREE_VJP_JACOBIAN, AGREE_VJP_JVP, AGREE_DERIVATIVES
};

PROGRAM_DEF int agree_fails(agreement *a, const char *kind, const char *format, ...)
{
    va_list arguments;
    snprintf(a->kind, sizeof a->kind, "%s", kind);
    va_start(arguments, format);
    vsnprintf(a->text, sizeof a->text, format, arguments);
    va_end(arguments);
    return 1;
}

static const struct { unsigned bit; const char *name; } agree_passes[] = {
    { AD_FN_FOLD, "fold" }, { AD_FN_RULES, "rules" }, { AD_FN_REDUCE, "reduce" },
    { AD_FN_CSE, "cse" }, { AD_FN_DEAD, "dead" }, { AD_FN_FUSE, "fuse" },
    { AD_FN_SCHEDULE, "schedule" }, { AD_FN_REUSE, "reuse" }, { AD_FN_UNIFORM, "uniform" },
    { AD_FN_PACK, "pack" } };
enum { AGREE_PASSES = sizeof agree_passes / sizeof agree_passes[0], AGREE_ALL = 1023 };

/* "without cse fuse", for messages */
PROGRAM_DEF const char *agree_skip_text(unsigned skip)
{
    static char text[160];
    size_t i;
    if (!skip) return "all passes";
    if (skip == AGREE_ALL) return "no pass";
    strcpy(text, "without");
    for (i = 0; i < AGREE_PASSES; i++)
        if (skip & agree_passes[i].bit) {
            strcat(text, " ");
            strcat(text, agree_passes[i].name);
        }
    return text;
}

static const struct { ad_simd simd; const char *name; } agree_levels[] = {
    { AD_SIMD_PLAIN, "plain" }, { AD_SIMD_AVX2, "avx2" }, { AD_SIMD_AVX512, "avx512" },
    { AD_SIMD_NEON, "neon" } };
enum { AGREE_LEVELS = sizeof agree_levels / sizeof agree_levels[0] };

#define TWICE "agree.h"
#include "twice.h"
#endif

#else
/* ================================================ once for each real type */

/* What the tape says at a point. */
typedef struct PT(truth) {
    PREAL  x[PROGRAM_INPUTS], y[PROGRAM_OUTPUTS];
    unsigned char way[PROGRAM_STEPS];
    size_t number[PROGRAM_STEPS];           /* of each branch on the tape */
    int    other;                           /* it went another way than the recording */
    int    vague;                           /* its values depend on the sign of a NaN */
    size_t guard;                           /* there, the first that did */
} PT(truth);

typedef struct PT(case) {
    const program *p;
    agreement     *a;
    program_dice   dice;
    PAD(tape)     *t;                       /* holds the recording at p->point */
    PAD(tape)     *again;                   /* for recording anew */
    PAD(var)       x[PROGRAM_INPUTS], v[PROGRAM_VALUES], y[PROGRAM_OUTPUTS];
    PT(truth)      at[AGREE_POINTS];
    size_t         n_v, variable[PROGRAM_INPUTS];   /* the inputs that are no parameters */
} PT(case);

static PT(study) PT(the_study);

/* Records the program at x on t: results y, and the truth. */
PROGRAM_DEF int PT(record)(PT(case) *c, PAD(tape) *t, const PREAL *x, PAD(var) *vx, PAD(var) *v,
                           PAD(var) *y, PT(truth) *truth)
{
    const program *p = c->p;
    PREAL value[PROGRAM_VALUES];
    size_t i, k, b = 0, n = 0;
    PAD(tape_reset)(t);
    if (PAD(inputs)(t, p->inputs, x, vx) != AD_OK)
        return agree_fails(c->a, "tape", "no inputs");
    PT(run_var)(p, t, vx, v, truth->way);
    for (i = 0; i < p->outputs; i++) {
        y[i] = v[p->output[i]];
        truth->y[i] = y[i].v;
    }
    for (k = 0; k < p->steps; k++)
        if (p->step[k].form == STEP_BRANCH) {
            truth->number[b++] = n;
            n += v[p->operand[p->step[k].operand]].tape != NULL;
        }
    memcpy(truth->x, x, p->inputs * sizeof *x);
    for (i = 0; i < p->values; i++) value[i] = v[i].v;
    truth->vague = PT(is_vague)(p, value);
    if (PAD(tape_status)(t) != AD_OK)
        return agree_fails(c->a, "tape", "recording failed: %s", PAD(tape_message)(t));
    return 0;
}

PROGRAM_DEF PREAL PT(draw_point)(PT(case) *c, size_t i, int how)
{
    static const double special[] = { 0, -0.0, 1, -1, 0.5, 2, HUGE_VAL, -HUGE_VAL, (double)NAN,
        1e-30, -1e-30, 1e30, -1e30, 3, 1e5, -1e5 };
    const double x = c->p->point[i];
    if (how == 0) return (PREAL)x;
    if (how <= 3) return (PREAL)(x + 0.05 * program_unit(&c->dice) * (fabs(x) + 0.1));
    if (how <= 5) return (PREAL)(4 * program_unit(&c->dice));
    return program_chance(&c->dice, 50) ? (PREAL)x
        : (PREAL)special[program_below(&c->dice, sizeof special / sizeof *special)];
}

PROGRAM_DEF int PT(find_truth)(PT(case) *c)
{
    const program *p = c->p;
    PAD(var) x[PROGRAM_INPUTS], v[PROGRAM_VALUES], y[PROGRAM_OUTPUTS];
    size_t q, i, b;
    PREAL point[PROGRAM_INPUTS];
    for (q = 0; q < AGREE_POINTS; q++) {
        PT(truth) *truth = &c->at[q];
        for (i = 0; i < p->inputs; i++) point[i] = PT(draw_point)(c, i, (int)q);
        if (PT(record)(c, c->again, point, x, v, y, truth)) return 1;
        truth->other = 0;
        for (b = 0; b < p->branches && !truth->other; b++)
            if (truth->way[b] != c->at[0].way[b]) {
                truth->other = 1;
                truth->guard = truth->number[b];
            }
    }
    return PT(record)(c, c->t, c->at[0].x, c->x, c->v, c->y, &c->at[0]);
}

PROGRAM_DEF PAD(fn) *PT(create)(PT(case) *c, unsigned flags, unsigned skip)
{
    ad_fn_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.parameters = c->p->parameter;
    desc.flags = flags;
    desc.skip = skip;
    return PAD(fn_create)(c->t, c->p->inputs, c->x, c->p->outputs, c->y, &desc);
}

PROGRAM_DEF int PT(made)(PT(case) *c, const PAD(fn) *f, const char *what)
{
    if (PAD(fn_status)(f) == AD_OK) return 0;
    return agree_fails(c->a, "made", "%s: %s, %s", what, ad_status_name(PAD(fn_status)(f)),
                       PAD(fn_message)(f));
}

/* Evaluates f at extra[] behind the point's x, y has room for all its results; in a workspace of
   its own or of the caller. NaN where the branches say so; status and untouched x. */
PROGRAM_DEF int PT(evaluate)(PT(case) *c, const PAD(fn) *f, const char *what,
                             const PT(truth) *truth, size_t extras, const PREAL *extra,
                             size_t results, PREAL *y)
{
    PREAL x[3 * PROGRAM_INPUTS + 2 * PROGRAM_OUTPUTS], kept[3 * PROGRAM_INPUTS
        + 2 * PROGRAM_OUTPUTS];
    const size_t n = c->p->inputs + extras;
    const ad_status expected = truth->other ? AD_ERR_BRANCH : AD_OK;
    const int ours = program_chance(&c->dice, 30);
    ad_status s;
    size_t i;
    memcpy(x, truth->x, c->p->inputs * sizeof *x);
    if (extras) memcpy(x + c->p->inputs, extra, extras * sizeof *x);
    memcpy(kept, x, n * sizeof *x);
    for (i = 0; i < results; i++) y[i] = -77;
    if (ours) {
        const size_t bytes = PAD(fn_get_stats)(f).workspace_bytes;
        void *work = malloc(bytes ? bytes : 1);
        if (work) memset(work, 0xA5, bytes);
        s = PAD(fn_eval_in)(f, x, y, (PREAL *)work);
        free(work);
    } else {
        s = PAD(fn_eval)(f, x, y);
    }
    if (s != expected)
        return agree_fails(c->a, "status", "%s: eval gives %s, not %s", what, ad_status_name(s),
                           ad_status_name(expected));
    if (memcmp(x, kept, n * sizeof *x) != 0)
        return agree_fails(c->a, "input", "%s: eval changed its inputs", what);
    for (i = 0; i < results && truth->other; i++)
        if (y[i] == y[i])
            return agree_fails(c->a, "guarded output", "%s: output %d is %.9g where a branch goes "
                               "another way, not NaN", what, (int)i, (double)y[i]);
    c->a->checks += results;
    return 0;
}

/* The values that f gives first are the tape's. */
PROGRAM_DEF int PT(values_same)(PT(case) *c, const char *what, size_t q, const PREAL *y)
{
    size_t i;
    for (i = 0; i < c->p->outputs && !c->at[q].other && !c->at[q].vague; i++)
        if (!PT(same)(y[i], c->at[q].y[i]))
            return agree_fails(c->a, "bits", "%s: output %d at point %d is %.17g (%a), not %.17g "
                               "(%a)", what, (int)i, (int)q, (double)y[i], (double)y[i],
                               (double)c->at[q].y[i], (double)c->at[q].y[i]);
    return 0;
}

PROGRAM_DEF int PT(eval_exactly)(PT(case) *c, const PAD(fn) *f, const char *what)
{
    PREAL y[PROGRAM_OUTPUTS];
    size_t q;
    for (q = 0; q < AGREE_POINTS; q++)
        if (PT(evaluate)(c, f, what, &c->at[q], 0, NULL, c->p->outputs, y)
            || PT(values_same)(c, what, q, y)) return 1;
    return 0;
}

/* ---- the statistics are plausible */
PROGRAM_DEF int PT(count)(PT(case) *c, const PAD(fn) *f, unsigned skip, const ad_fn_stats *bare)
{
    const ad_fn_stats s = PAD(fn_get_stats)(f);
    const char *what = agree_skip_text(skip);
    size_t i, calls = 0;
    if (s.inputs != c->p->inputs || s.outputs != c->p->outputs || s.variables != c->n_v)
        return agree_fails(c->a, "stats", "%s: %d inputs, %d variables, %d outputs", what,
                           (int)s.inputs, (int)s.variables, (int)s.outputs);
    if (s.guards > c->p->branches)
        return agree_fails(c->a, "stats", "%s: %d guards", what, (int)s.guards);
    if (((skip & AD_FN_FOLD) && s.folded) || ((skip & AD_FN_RULES) && s.rewritten)
        || ((skip & AD_FN_REDUCE) && s.reduced) || ((skip & AD_FN_CSE) && s.merged)
        || ((skip & AD_FN_DEAD) && s.dead) || ((skip & AD_FN_FUSE) && s.fused))
        return agree_fails(c->a, "stats", "%s: folded %d, rewritten %d, reduced %d, merged %d, "
                           "dead %d, fused %d", what, (int)s.folded, (int)s.rewritten,
                           (int)s.reduced, (int)s.merged, (int)s.dead, (int)s.fused);
    if (!s.order || ((skip & AD_FN_SCHEDULE) && strcmp(s.order, "trace") != 0
                     && ((skip & AD_FN_PACK) || strcmp(s.order, "packs") != 0)))
        return agree_fails(c->a, "stats", "%s: order %s", what, s.order ? s.order : "NULL");
    /* (a power in products is more of them than it was; results of calls are nodes, too) */
    for (i = 0; i < c->p->steps; i++) if (c->p->step[i].form == STEP_CALL) calls += c->p->step[i].m;
    if (skip == 0 && !s.reduced && (s.nodes > bare->nodes || s.nodes > s.trace_nodes + calls))
        return agree_fails(c->a, "stats", "%d nodes after optimising, of %d; %d in the trace",
                           (int)s.nodes, (int)bare->nodes, (int)s.trace_nodes);
    if (s.trace_nodes != bare->trace_nodes)
        return agree_fails(c->a, "stats", "%s: the trace has %d nodes, not %d", what,
                           (int)s.trace_nodes, (int)bare->trace_nodes);
    if (s.bytes == 0 || s.average_live < 0 || !(s.average_live <= (double)s.live_slots)
        || (s.constants && !s.constant))
        return agree_fails(c->a, "stats", "%s: %d bytes, %g live on average, %d slots", what,
                           (int)s.bytes, s.average_live, (int)s.live_slots);
    return 0;
}

/* ---- every pass on and off */
PROGRAM_DEF int PT(agree_passes)(PT(case) *c)
{
    unsigned skip[4 + 2 * AGREE_PASSES];
    size_t n = 0, i;
    int bad = 0;
    ad_fn_stats bare;
    skip[n++] = AGREE_ALL;
    skip[n++] = 0;
    skip[n++] = (unsigned)program_draw(&c->dice) & AGREE_ALL;
    skip[n++] = (unsigned)program_draw(&c->dice) & AGREE_ALL;
    for (i = 0; i < AGREE_PASSES; i++) {
        skip[n++] = agree_passes[i].bit;
        skip[n++] = AGREE_ALL & ~agree_passes[i].bit;
    }
    memset(&bare, 0, sizeof bare);
    for (i = 0; i < n && !bad; i++) {
        PAD(fn) *f = PT(create)(c, 0, skip[i]);
        const char *what = agree_skip_text(skip[i]);
        if (i == 0) bare = PAD(fn_get_stats)(f);
        bad = PT(made)(c, f, what) || PT(eval_exactly)(c, f, what)
            || PT(count)(c, f, skip[i], &bare);
        PAD(fn_destroy)(f);
    }
    return bad;
}

/* ---- contracted, fast: the error that the study allows, eight times, at finite points */
PROGRAM_DEF int PT(near_study)(PT(case) *c, const char *what, const PT(study) *w, const PREAL *y)
{
    size_t i;
    for (i = 0; i < c->p->outputs; i++) {
        const size_t id = c->p->output[i];
        const double off = fabs((double)y[i] - (double)w->v[id]);
        if (off <= 8 * w->error[id]) continue;
        return agree_fails(c->a, "tolerance", "%s: output %d is %.17g, not %.17g: %.3g off, and "
                           "%.3g are allowed", what, (int)i, (double)y[i], (double)w->v[id], off,
                           8 * w->error[id]);
    }
    c->a->comparisons += c->p->outputs;
    return 0;
}

/* A map of such a function at points near the recording's: rows of inputs, rows of outputs. */
PROGRAM_DEF int PT(map_nearly)(PT(case) *c, const PAD(fn) *f, const char *name)
{
    enum { MANY = 37 };
    static PREAL x[MANY * PROGRAM_INPUTS], y[MANY * PROGRAM_OUTPUTS];
    const size_t n = c->p->inputs, m = c->p->outputs;
    PAD(port) in[PROGRAM_INPUTS], out[PROGRAM_OUTPUTS];
    size_t l, i, q, b;
    for (q = 0; q < MANY; q++)
        for (i = 0; i < n; i++)
            x[q * n + i] = PT(draw_point)(c, i, (int)program_below(&c->dice, 4));
    for (i = 0; i < n; i++) in[i] = PAD(port_in)(x + i, (ptrdiff_t)n);
    for (i = 0; i < m; i++) out[i] = PAD(port_out)(y + i, (ptrdiff_t)m);
    for (l = 0; l < AGREE_LEVELS; l++) {
        ad_map_desc desc;
        ad_status s;
        if (!ad_kernels_get(agree_levels[l].simd)) continue;
        memset(&desc, 0, sizeof desc);
        desc.simd = agree_levels[l].simd;
        s = PAD(fn_map)(f, MANY, in, out, &desc);
        if (s != AD_OK && s != AD_ERR_BRANCH)
            return agree_fails(c->a, "map status", "%s: %s", name, ad_status_name(s));
        for (q = 0; q < MANY; q++) {
            PT(study) *w = &PT(the_study);
            char what[80];
            int other = 0;
            PT(study_at)(c->p, x + q * n, 0, w);
            for (b = 0; b < c->p->branches; b++) other |= w->way[b] != c->at[0].way[b];
            snprintf(what, sizeof what, "%s, in a map on %s", name, agree_levels[l].name);
            if (w->safe && !other && PT(near_study)(c, what, w, y + q * m)) return 1;
        }
    }
    return 0;
}

PROGRAM_DEF int PT(agree_flags)(PT(case) *c)
{
    static const struct { unsigned flags; const char *name; } kinds[] = {
        { AD_FN_CONTRACT, "contracted" }, { AD_FN_FAST, "fast" },
        { AD_FN_CONTRACT | AD_FN_FAST, "contracted and fast" } };
    size_t k, q;
    int bad = 0;
    for (k = 0; k < 3 && !bad; k++) {
        const unsigned skip = program_chance(&c->dice, 50) ? 0
            : (unsigned)program_draw(&c->dice) & AGREE_ALL;
        PAD(fn) *f = PT(create)(c, kinds[k].flags, skip);
        bad = PT(made)(c, f, kinds[k].name);
        for (q = 0; q < 6 && !bad; q++) {
            PREAL y[PROGRAM_OUTPUTS];
            PT(study) *w = &PT(the_study);
            PT(study_at)(c->p, c->at[q].x, 0, w);
            if (!w->safe) continue;
            bad = PT(evaluate)(c, f, kinds[k].name, &c->at[q], 0, NULL, c->p->outputs, y)
                || (!c->at[q].other && PT(near_study)(c, kinds[k].name, w, y));
        }
        bad = bad || PT(map_nearly)(c, f, kinds[k].name);
        PAD(fn_destroy)(f);
    }
    return bad;
}

/* ---- derivatives */

/* y is expected, of terms of that size */
PROGRAM_DEF int PT(near)(PT(case) *c, const char *what, size_t q, size_t i, double y,
                         double expected, double size)
{
    const double tiny = sizeof(PREAL) == 8 ? 1e-290 : 1e-36;       /* where terms underflow */
    c->a->comparisons++;
    if (fabs(y - expected) <= 4096 * PUNIT * size + tiny) return 0;
    return agree_fails(c->a, what, "%s: result %d at point %d is %.17g, not %.17g (terms of %.3g)",
                       what, (int)i, (int)q, y, expected, size);
}

/* J from the study, and its sizes: rows outputs, columns variables */
typedef struct PT(slopes) {
    double J[PROGRAM_OUTPUTS][PROGRAM_INPUTS], size[PROGRAM_OUTPUTS][PROGRAM_INPUTS];
    double H[PROGRAM_OUTPUTS][PROGRAM_INPUTS][PROGRAM_INPUTS];
    double H_size[PROGRAM_OUTPUTS][PROGRAM_INPUTS][PROGRAM_INPUTS];
    int    finite, finite2;
} PT(slopes);

PROGRAM_DEF void PT(find_slopes)(PT(case) *c, size_t q, PT(slopes) *d)
{
    PT(study) *w = &PT(the_study);
    size_t i, j, k;
    PT(study_at)(c->p, c->at[q].x, 1, w);
    for (i = 0; i < c->p->outputs; i++)
        for (j = 0; j < c->n_v; j++) {
            const size_t id = c->p->output[i], x = c->variable[j];
            d->J[i][j] = w->slope[id][x];
            d->size[i][j] = w->slope_size[id][x];
            for (k = 0; k < c->n_v; k++) {
                d->H[i][j][k] = w->second[id][x][c->variable[k]];
                d->H_size[i][j][k] = w->second_size[id][x][c->variable[k]];
            }
        }
    d->finite = w->finite && !c->at[q].other;
    d->finite2 = w->finite2 && d->finite;
}

/* Derivatives along v, each output's: the study's against differences, where these are sure. */
PROGRAM_DEF int PT(agree_along)(PT(case) *c, size_t q, const PT(slopes) *d, const double *x,
                                const double *v)
{
    double s[2][PROGRAM_OUTPUTS], size[2][PROGRAM_OUTPUTS], noise[PROGRAM_OUTPUTS], h = 1 / 32.0;
    truth_result t;
    size_t i, j, k;
    int order;
    for (i = 0; i < c->p->outputs; i++) {
        s[0][i] = size[0][i] = s[1][i] = size[1][i] = 0;
        for (j = 0; j < c->n_v; j++) {
            const double v_j = v[c->variable[j]];
            s[0][i] += d->J[i][j] * v_j;
            size[0][i] += d->size[i][j] * fabs(v_j);
            for (k = 0; k < c->n_v; k++) {
                s[1][i] += d->H[i][j][k] * v_j * v[c->variable[k]];
                size[1][i] += d->H_size[i][j][k] * fabs(v_j * v[c->variable[k]]);
            }
        }
        if (size[1][i] * h > size[0][i]) h = size[0][i] / size[1][i];
        noise[i] = PT(the_study).error[c->p->output[i]] * (double)LDBL_EPSILON / PUNIT;
    }
    truth_along(c->p, x, v, h / 4, noise, &t);
    for (i = 0; i < c->p->outputs; i++)
        for (order = 0; order < 2; order++) {
            const truth_number n = order ? t.second[i] : t.first[i];
            if (!(n.error <= 1e-7 * size[order][i])) {
                c->a->untold++;
                continue;
            }
            c->a->truths++;
            if (fabs(s[order][i] - n.value) > 1e-6 * size[order][i])
                return agree_fails(c->a, order ? "curvature" : "slope", "along a line, of output "
                    "%d at point %d: %.12g, by differences %.12g (terms of %.3g)", (int)i, (int)q,
                    s[order][i], n.value, size[order][i]);
        }
    return 0;
}
/* Along each input, and along all of them. */
PROGRAM_DEF int PT(agree_truth)(PT(case) *c, size_t q, const PT(slopes) *d)
{
    static const double all[PROGRAM_INPUTS] = { 0.75, -0.5, 0.625, -0.875, 0.375, 1 };
    double x[PROGRAM_INPUTS], v[PROGRAM_INPUTS];
    size_t i, j;
    for (i = 0; i < c->p->inputs; i++) x[i] = (double)c->at[q].x[i];
    for (j = 0; j <= c->n_v; j++) {
        for (i = 0; i < c->p->inputs; i++) v[i] = j == c->n_v && !c->p->parameter[i] ? all[i] : 0;
        if (j < c->n_v) v[c->variable[j]] = 1;
        if (PT(agree_along)(c, q, d, x, v)) return 1;
    }
    return 0;
}

/* The study against the tape's sweeps and duals of the whole program. */
PROGRAM_DEF int PT(agree_study)(PT(case) *c, size_t q, const PT(slopes) *d)
{
    const program *p = c->p;
    const size_t n = p->inputs, m = p->outputs;
    PAD(var) x[PROGRAM_INPUTS], v[PROGRAM_VALUES], y[PROGRAM_OUTPUTS];
    PAD(dual) dx[PROGRAM_INPUTS], dv[PROGRAM_VALUES];
    PREAL J[PROGRAM_INPUTS * PROGRAM_OUTPUTS], F[PROGRAM_INPUTS * PROGRAM_OUTPUTS];
    unsigned char way[PROGRAM_STEPS];
    PT(truth) truth;
    size_t i, j, k;
    if (PT(record)(c, c->again, c->at[q].x, x, v, y, &truth)) return 1;
    if (PAD(jacobian_reverse)(c->again, n, x, m, y, J) != AD_OK
        || PAD(jacobian_forward)(c->again, n, x, m, y, F) != AD_OK)
        return agree_fails(c->a, "tape", "%s", PAD(tape_message)(c->again));
    for (j = 0; j < c->n_v; j++) {
        const size_t at = c->variable[j];
        for (i = 0; i < n; i++) dx[i] = PAD(dual_make)(c->at[q].x[i], (PREAL)(i == at));
        PT(run_dual)(p, NULL, dx, dv, way);
        for (i = 0; i < m; i++) {
            const double size = d->size[i][j], expected = d->J[i][j];
            if (PT(near)(c, "tape, reverse", q, i, (double)J[i * n + at], expected, size)
                || PT(near)(c, "tape, forward", q, i, (double)F[i * n + at], expected, size)
                || PT(near)(c, "duals", q, i, (double)dv[p->output[i]].d, expected, size))
                return 1;
        }
    }
    for (i = 0; i < m && d->finite2; i++) {
        PREAL H[PROGRAM_INPUTS * PROGRAM_INPUTS];
        if (!y[i].tape) continue;
        if (PAD(hessian_of)(y[i], n, x, H) != AD_OK)
            return agree_fails(c->a, "tape", "%s", PAD(tape_message)(c->again));
        for (j = 0; j < c->n_v; j++)
            for (k = 0; k < c->n_v; k++)
                if (PT(near)(c, "tape, Hessian", q, i, (double)H[c->variable[j] * n
                    + c->variable[k]], d->H[i][j][k], d->H_size[i][j][k])) return 1;
    }
    return 0;
}

/* Results of a derivative function, piece by piece: `next` is what comes next. */
typedef struct PT(reader) {
    PT(case)   *c;
    const char *what;
    size_t      q, next;
    const PREAL *y;
} PT(reader);

PROGRAM_DEF int PT(next)(PT(reader) *r, double expected, double size)
{
    const size_t i = r->next++;
    return PT(near)(r->c, r->what, r->q, i, (double)r->y[i], expected, size);
}
PROGRAM_DEF int PT(next_values)(PT(reader) *r)
{
    const PREAL *y = r->y + r->next;
    r->next += r->c->p->outputs;
    return PT(values_same)(r->c, r->what, r->q, y);
}
PROGRAM_DEF int PT(next_jacobian)(PT(reader) *r, const PT(slopes) *d)
{
    size_t i, j;
    for (i = 0; i < r->c->p->outputs; i++)
        for (j = 0; j < r->c->n_v; j++) if (PT(next)(r, d->J[i][j], d->size[i][j])) return 1;
    return 0;
}
PROGRAM_DEF int PT(next_hessian)(PT(reader) *r, const PT(slopes) *d, size_t i)
{
    size_t j, k;
    for (j = 0; j < r->c->n_v; j++)
        for (k = 0; k < r->c->n_v; k++)
            if (PT(next)(r, d->H[i][j][k], d->H_size[i][j][k])) return 1;
    return 0;
}
/* J v, then, where it is asked for, the Jacobian of J v */
PROGRAM_DEF int PT(next_jvp)(PT(reader) *r, const PT(slopes) *d, const PREAL *v)
{
    size_t i, j;
    for (i = 0; i < r->c->p->outputs; i++) {
        double s = 0, size = 0;
        for (j = 0; j < r->c->n_v; j++) {
            s += d->J[i][j] * (double)v[j];
            size += d->size[i][j] * fabs((double)v[j]);
        }
        if (PT(next)(r, s, size)) return 1;
    }
    return 0;
}
PROGRAM_DEF int PT(next_jvp_jacobian)(PT(reader) *r, const PT(slopes) *d, const PREAL *v)
{
    size_t i, j, k;
    for (i = 0; i < r->c->p->outputs; i++)
        for (k = 0; k < r->c->n_v; k++) {
            double s = 0, size = 0;
            for (j = 0; j < r->c->n_v; j++) {
                s += d->H[i][j][k] * (double)v[j];
                size += d->H_size[i][j][k] * fabs((double)v[j]);
            }
            if (PT(next)(r, s, size)) return 1;
        }
    return 0;
}
PROGRAM_DEF int PT(next_vjp)(PT(reader) *r, const PT(slopes) *d, const PREAL *w)
{
    size_t i, j;
    for (j = 0; j < r->c->n_v; j++) {
        double s = 0, size = 0;
        for (i = 0; i < r->c->p->outputs; i++) {
            s += d->J[i][j] * (double)w[i];
            size += d->size[i][j] * fabs((double)w[i]);
        }
        if (PT(next)(r, s, size)) return 1;
    }
    return 0;
}
/* Jacobian of w^T J by the variables, applied to v where that is given */
PROGRAM_DEF int PT(next_vjp_jacobian)(PT(reader) *r, const PT(slopes) *d, const PREAL *w,
                                      const PREAL *v)
{
    size_t i, j, k;
    for (j = 0; j < r->c->n_v; j++) {
        double total = 0, total_size = 0;
        for (k = 0; k < r->c->n_v; k++) {
            double s = 0, size = 0;
            for (i = 0; i < r->c->p->outputs; i++) {
                s += d->H[i][j][k] * (double)w[i];
                size += d->H_size[i][j][k] * fabs((double)w[i]);
            }
            if (!v && PT(next)(r, s, size)) return 1;
            if (v) {
                total += s * (double)v[k];
                total_size += size * fabs((double)v[k]);
            }
        }
        if (v && PT(next)(r, total, total_size)) return 1;
    }
    return 0;
}

/* Function number `which`, made from f, with the numbers of its extra inputs and its results. */
PROGRAM_DEF PAD(fn) *PT(derive)(PT(case) *c, const PAD(fn) *f, int which, const char **what,
                                size_t *extras, size_t *results)
{
    const size_t m = c->p->outputs, n = c->n_v;
    PAD(fn) *g = NULL, *h = NULL;
    *extras = 0;
    switch (which) {
    case AGREE_GRADIENT:
        *what = "gradient";
        *results = 1 + n;
        return PAD(fn_gradient)(f);
    case AGREE_JACOBIAN:
        *what = "Jacobian";
        *results = m + m * n;
        return PAD(fn_jacobian)(f);
    case AGREE_HESSIAN:
        *what = "Hessian";
        *results = 1 + n + n * n;
        return PAD(fn_hessian)(f);
    case AGREE_JVP:
        *what = "jvp";
        *extras = n;
        *results = 2 * m;
        return PAD(fn_jvp)(f);
    case AGREE_VJP:
        *what = "vjp";
        *extras = m;
        *results = m + n;
        return PAD(fn_vjp)(f);
    case AGREE_GRADIENT_JACOBIAN:
        *what = "Jacobian of gradient";
        *results = (1 + n) * (1 + n);
        g = PAD(fn_gradient)(f);
        h = PAD(fn_jacobian)(g);
        break;
    case AGREE_GRADIENT_JVP:
        *what = "jvp of gradient";
        *extras = n;
        *results = 2 * (1 + n);
        g = PAD(fn_gradient)(f);
        h = PAD(fn_jvp)(g);
        break;
    case AGREE_JVP_JACOBIAN:
        *what = "Jacobian of jvp";
        *extras = n;
        *results = 2 * m * (1 + n);
        g = PAD(fn_jvp)(f);
        h = PAD(fn_jacobian)(g);
        break;
    case AGREE_VJP_JACOBIAN:
        *what = "Jacobian of vjp";
        *extras = m;
        *results = (m + n) * (1 + n);
        g = PAD(fn_vjp)(f);
        h = PAD(fn_jacobian)(g);
        break;
    default:
        *what = "jvp of vjp";
        *extras = m + n;
        *results = 2 * (m + n);
        g = PAD(fn_vjp)(f);
        h = PAD(fn_jvp)(g);
        break;
    }
    PAD(fn_destroy)(g);
    return h;
}

/* Its results are those of the study. extra: v[n] or w[m] or w[m], v[n], as it takes them. */
PROGRAM_DEF int PT(read_derivative)(PT(reader) *r, int which, const PT(slopes) *d,
                                    const PREAL *extra)
{
    const int gradient = which == AGREE_GRADIENT || which == AGREE_HESSIAN
        || which == AGREE_GRADIENT_JACOBIAN || which == AGREE_GRADIENT_JVP;
    const PREAL *w = extra, *v = extra + (which == AGREE_VJP_JVP ? r->c->p->outputs : 0);
    if (PT(next_values)(r)) return 1;
    if (!d->finite) return 0;
    if ((gradient || which == AGREE_JACOBIAN) && PT(next_jacobian)(r, d)) return 1;
    if ((which == AGREE_JVP || which == AGREE_JVP_JACOBIAN) && PT(next_jvp)(r, d, extra))
        return 1;
    if ((which == AGREE_VJP || which == AGREE_VJP_JACOBIAN || which == AGREE_VJP_JVP)
        && PT(next_vjp)(r, d, w)) return 1;
    if (!d->finite2) return 0;
    switch (which) {
    case AGREE_HESSIAN: return PT(next_hessian)(r, d, 0);
    case AGREE_GRADIENT_JACOBIAN: return PT(next_jacobian)(r, d) || PT(next_hessian)(r, d, 0);
    case AGREE_GRADIENT_JVP: return PT(next_jvp)(r, d, v) || PT(next_jvp_jacobian)(r, d, v);
    case AGREE_JVP_JACOBIAN: return PT(next_jacobian)(r, d) || PT(next_jvp_jacobian)(r, d, v);
    case AGREE_VJP_JACOBIAN:
        return PT(next_jacobian)(r, d) || PT(next_vjp_jacobian)(r, d, w, NULL);
    case AGREE_VJP_JVP: return PT(next_jvp)(r, d, v) || PT(next_vjp_jacobian)(r, d, w, v);
    default: return 0;
    }
}

PROGRAM_DEF int PT(agree_derivatives)(PT(case) *c)
{
    static PT(slopes) d[AGREE_POINTS];
    static PREAL y[AGREE_RESULTS];
    PREAL extra[PROGRAM_INPUTS + PROGRAM_OUTPUTS];
    const int scalar = c->p->outputs == 1, small = c->p->steps <= 40;
    PAD(fn) *f;
    int which, bad = 0;
    size_t q, i;
    for (q = 0; q < AGREE_POINTS && !bad; q++) {
        PT(find_slopes)(c, q, &d[q]);
        if (d[q].finite) bad = PT(agree_study)(c, q, &d[q]);
        if (!bad && d[q].finite2 && PT(the_study).safe && q < 6 && sizeof(PREAL) == sizeof(double)
            && truth_is_here()) bad = PT(agree_truth)(c, q, &d[q]);
    }
    if (bad) return 1;
    f = PT(create)(c, 0, program_chance(&c->dice, 60) ? 0
                   : (unsigned)program_draw(&c->dice) & AGREE_ALL);
    bad = PT(made)(c, f, "function");
    for (which = 0; which < AGREE_DERIVATIVES && !bad; which++) {
        const char *what;
        size_t extras, results;
        PAD(fn) *g;
        const int wants_scalar = which == AGREE_GRADIENT || which == AGREE_HESSIAN
            || which == AGREE_GRADIENT_JACOBIAN || which == AGREE_GRADIENT_JVP;
        if (which > AGREE_VJP && (!small || program_chance(&c->dice, 50))) continue;
        g = PT(derive)(c, f, which, &what, &extras, &results);
        if (wants_scalar && !scalar) {
            if (PAD(fn_status)(g) == AD_OK)
                bad = agree_fails(c->a, "refused", "%s of %d outputs is not refused", what,
                                  (int)c->p->outputs);
            PAD(fn_destroy)(g);
            continue;
        }
        bad = PT(made)(c, g, what);
        if (!bad) {
            const ad_fn_stats s = PAD(fn_get_stats)(g);
            if (s.inputs != c->p->inputs + extras || s.outputs != results || s.variables != c->n_v)
                bad = agree_fails(c->a, "shape", "%s has %d inputs, %d variables, %d outputs", what,
                                  (int)s.inputs, (int)s.variables, (int)s.outputs);
        }
        for (q = 0; q < AGREE_POINTS && !bad; q++) {
            PT(reader) r;
            for (i = 0; i < extras; i++) extra[i] = (PREAL)(2 * program_unit(&c->dice));
            r.c = c;
            r.what = what;
            r.q = q;
            r.next = 0;
            r.y = y;
            bad = PT(evaluate)(c, g, what, &c->at[q], extras, extra, results, y)
                || (!c->at[q].other && PT(read_derivative)(&r, which, &d[q], extra));
        }
        PAD(fn_destroy)(g);
    }
    PAD(fn_destroy)(f);
    return bad;
}

/* ---- gradients recorded on the tape as outputs: the bits of recording anew, where all is finite
   (what an infinite partial leaves on the tape depends on the point) */
PROGRAM_DEF int PT(agree_recorded)(PT(case) *c)
{
    const size_t n = c->p->inputs;
    PAD(var) g[PROGRAM_INPUTS];
    PREAL y[PROGRAM_INPUTS];
    unsigned skip[3];
    size_t k, q, i;
    int bad = 0;
    if (!c->y[0].tape) return 0;
    PT(study_at)(c->p, c->at[0].x, 0, &PT(the_study));
    if (!PT(the_study).finite) return 0;
    if (PAD(grad_vars)(c->y[0], n, c->x, g) != AD_OK)
        return agree_fails(c->a, "tape", "%s", PAD(tape_message)(c->t));
    skip[0] = 0;
    skip[1] = AGREE_ALL;
    skip[2] = (unsigned)program_draw(&c->dice) & AGREE_ALL;
    for (k = 0; k < 3 && !bad; k++) {
        ad_fn_desc desc;
        PAD(fn) *f;
        memset(&desc, 0, sizeof desc);
        desc.skip = skip[k];
        f = PAD(fn_create)(c->t, n, c->x, n, g, &desc);
        bad = PT(made)(c, f, "a recorded gradient");
        for (q = 0; q < 6 && !bad; q++) {
            PAD(var) x[PROGRAM_INPUTS], v[PROGRAM_VALUES], r[PROGRAM_OUTPUTS], h[PROGRAM_INPUTS];
            PT(truth) truth;
            if (PT(record)(c, c->again, c->at[q].x, x, v, r, &truth)) {
                bad = 1;
                break;
            }
            PT(study_at)(c->p, c->at[q].x, 0, &PT(the_study));
            if (!PT(the_study).finite) continue;
            if (PAD(grad_vars)(r[0], n, x, h) != AD_OK) {
                bad = agree_fails(c->a, "tape", "%s", PAD(tape_message)(c->again));
                break;
            }
            bad = PT(evaluate)(c, f, "a recorded gradient", &c->at[q], 0, NULL, n, y);
            for (i = 0; i < n && !bad && !c->at[q].other; i++)
                if (!PT(same)(y[i], h[i].v))
                    bad = agree_fails(c->a, "recorded gradient", "%s: by input %d at point %d: "
                                      "%.17g, not %.17g", agree_skip_text(skip[k]), (int)i,
                                      (int)q, (double)y[i], (double)h[i].v);
        }
        PAD(fn_destroy)(f);
    }
    return bad;
}

/* ---- a function recorded on a tape: the same bits, the same derivatives, the same branches */
PROGRAM_DEF int PT(agree_record)(PT(case) *c)
{
    const size_t n = c->p->inputs, m = c->p->outputs, q = program_below(&c->dice, AGREE_POINTS);
    PAD(fn) *f = PT(create)(c, 0, program_chance(&c->dice, 50) ? 0
                            : (unsigned)program_draw(&c->dice) & AGREE_ALL), *g;
    PAD(var) x[PROGRAM_INPUTS], y[PROGRAM_OUTPUTS];
    PREAL J[PROGRAM_INPUTS * PROGRAM_OUTPUTS];
    PT(slopes) d;
    ad_status s = AD_OK;
    size_t i, j;
    int bad = PT(made)(c, f, "function");
    PAD(tape_reset)(c->again);
    PAD(inputs)(c->again, n, c->at[q].x, x);
    if (!bad) s = PAD(fn_record)(f, c->again, x, y);
    if (!bad && s != (c->at[q].other ? AD_ERR_BRANCH : AD_OK))
        bad = agree_fails(c->a, "record", "at point %d: %s %s", (int)q, ad_status_name(s),
                          PAD(tape_message)(c->again));
    if (bad || c->at[q].other) {
        PAD(fn_destroy)(f);
        return bad;
    }
    for (i = 0; i < m && !bad && !c->at[q].vague; i++)
        if (!PT(same)(y[i].v, c->at[q].y[i]))
            bad = agree_fails(c->a, "record", "output %d at point %d is %.17g, not %.17g", (int)i,
                              (int)q, (double)y[i].v, (double)c->at[q].y[i]);
    if (!bad) PT(find_slopes)(c, q, &d);
    if (!bad && d.finite) {
        if (PAD(jacobian_reverse)(c->again, n, x, m, y, J) != AD_OK)
            bad = agree_fails(c->a, "tape", "%s", PAD(tape_message)(c->again));
        for (i = 0; i < m && !bad; i++)
            for (j = 0; j < c->n_v && !bad; j++)
                bad = PT(near)(c, "derivative of what is recorded", q, i,
                               (double)J[i * n + c->variable[j]], d.J[i][j], d.size[i][j]);
    }
    if (!bad && q == 0) {                       /* compiled again: the same function */
        g = PAD(fn_create)(c->again, n, x, m, y, NULL);
        bad = PT(made)(c, g, "a function of a recorded function")
            || PT(eval_exactly)(c, g, "a function of a recorded function");
        PAD(fn_destroy)(g);
    }
    PAD(fn_destroy)(f);
    return bad;
}

/* ---- tangents recorded on the tape, and their gradients */
PROGRAM_DEF int PT(agree_tangents)(PT(case) *c)
{
    const size_t n = c->n_v, m = c->p->outputs, q = program_below(&c->dice, AGREE_POINTS);
    static PREAL out[PROGRAM_OUTPUTS * (1 + PROGRAM_INPUTS)];
    static PAD(var) value[PROGRAM_VALUES];
    PAD(var) all[PROGRAM_INPUTS], x[PROGRAM_INPUTS], v[PROGRAM_INPUTS], g[PROGRAM_INPUTS],
        y[PROGRAM_OUTPUTS], y_dot[PROGRAM_OUTPUTS];
    PREAL number[PROGRAM_INPUTS];
    PT(slopes) d;
    PT(reader) r;
    PT(truth) truth;
    size_t i, j, n_out = 0;
    if (PT(record)(c, c->again, c->at[q].x, all, value, y, &truth)) return 1;
    PT(find_slopes)(c, q, &d);
    if (!d.finite || c->at[q].vague) return 0;
    for (j = 0; j < n; j++) {
        x[j] = all[c->variable[j]];
        number[j] = program_chance(&c->dice, 30) ? (PREAL)program_below(&c->dice, 2)
                                                 : (PREAL)(2 * program_unit(&c->dice));
        v[j] = program_chance(&c->dice, 30) ? PAD(input)(c->again, number[j])
                                            : PAD(const)(number[j]);
    }
    if (PAD(jvp_vars)(c->again, n, x, v, m, y, y_dot) != AD_OK)
        return agree_fails(c->a, "tape", "jvp_vars: %s", PAD(tape_message)(c->again));
    for (i = 0; i < m; i++) out[n_out++] = y_dot[i].v;
    for (i = 0; i < m && d.finite2; i++) {
        if (y_dot[i].tape && PAD(grad_vars)(y_dot[i], n, x, g) != AD_OK)
            return agree_fails(c->a, "tape", "of jvp_vars: %s", PAD(tape_message)(c->again));
        for (j = 0; j < n; j++) out[n_out++] = y_dot[i].tape ? g[j].v : 0;
    }
    r.c = c;
    r.what = "recorded tangents";
    r.q = q;
    r.next = 0;
    r.y = out;
    return PT(next_jvp)(&r, &d, number) || (d.finite2 && PT(next_jvp_jacobian)(&r, &d, number));
}

/* ---- many points */
typedef struct PT(place) {                      /* one input or output of a map */
    PREAL    *buffer;                           /* its own, or another place's that it shares */
    size_t    length;
    PAD(port) port;
    uint32_t  index[AGREE_MANY + 8];
    int       shared;                           /* or summed */
    int       owner;                            /* of its buffer */
} PT(place);

static PT(place) PT(in_place)[AGREE_PORTS], PT(out_place)[AGREE_OUTS];
static PREAL PT(rows)[PROGRAM_VALUES * AGREE_MANY];
static unsigned char PT(ways)[PROGRAM_STEPS * AGREE_MANY];
static PREAL PT(expected)[AGREE_OUTS * AGREE_MANY];
static unsigned char PT(stopped)[AGREE_MANY], PT(vague)[AGREE_MANY];

/* What no function would write. */
PROGRAM_DEF PREAL PT(sentinel)(void)
{
    const PBITS bits = sizeof(PBITS) == 8 ? (PBITS)0x7FF4DEADBEEF1234u : (PBITS)0x7FA5BEEFu;
    PREAL x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
PROGRAM_DEF int PT(untouched)(const PREAL *x)
{
    const PBITS bits = sizeof(PBITS) == 8 ? (PBITS)0x7FF4DEADBEEF1234u : (PBITS)0x7FA5BEEFu;
    return memcmp(x, &bits, sizeof bits) == 0;
}
PROGRAM_DEF void PT(fill_sentinel)(PREAL *x, size_t n)
{
    const PBITS bits = sizeof(PBITS) == 8 ? (PBITS)0x7FF4DEADBEEF1234u : (PBITS)0x7FA5BEEFu;
    size_t i;
    for (i = 0; i < n; i++) memcpy(x + i, &bits, sizeof bits);
}

PROGRAM_DEF ptrdiff_t PT(position)(const PT(place) *s, size_t q)
{
    return (ptrdiff_t)(s->port.index ? s->port.index[q] : (uint32_t)q) * s->port.stride;
}
PROGRAM_DEF PREAL *PT(element)(const PT(place) *s, size_t q)
{
    return s->port.data + PT(position)(s, q);
}

/* A place for `points` numbers, or one, at a distance of `row` at least. */
PROGRAM_DEF int PT(lay)(PT(case) *c, PT(place) *s, size_t points, int input, int share, size_t row)
{
    program_dice *d = &c->dice;
    const ptrdiff_t step = (ptrdiff_t)(row + program_below(d, 3));
    const int negative = program_chance(d, 20), indexed = program_chance(d, 30);
    const size_t places = indexed ? points + 5 : points;
    size_t i;
    s->shared = share;
    s->owner = 1;
    s->length = share ? 1 : (places + 1) * (size_t)step;
    s->buffer = (PREAL *)malloc(s->length * sizeof *s->buffer);
    if (!s->buffer) return agree_fails(c->a, "memory", "no memory for a test");
    PT(fill_sentinel)(s->buffer, s->length);
    s->port.index = NULL;
    s->port.adds = 0;
    if (indexed) {                              /* an input may be gathered twice */
        for (i = 0; i < places; i++) s->index[i] = (uint32_t)i;
        for (i = places; i-- > 1;) {
            const size_t j = program_below(d, i + 1);
            const uint32_t t = s->index[i];
            s->index[i] = s->index[j];
            s->index[j] = t;
        }
        for (i = 0; input && i < places; i++)
            if (program_chance(d, 20)) s->index[i] = s->index[program_below(d, places)];
        if (!share || program_chance(d, 30)) s->port.index = s->index;
    }
    s->port.stride = share ? 0 : negative ? -step : step;
    s->port.data = share || !negative || !places ? s->buffer
        : s->buffer + (places - 1) * (size_t)step;
    return 0;
}

/* Places for n inputs or outputs, of which some are shared or summed; the others apart, or side by
   side in rows, one for each point. */
PROGRAM_DEF int PT(lay_all)(PT(case) *c, PT(place) *s, size_t n, size_t points, int input,
                            int shares)
{
    const int rows = program_chance(&c->dice, 40), backwards = program_chance(&c->dice, 15);
    const size_t gap = program_chance(&c->dice, 15) ? 2 : 1;
    PT(place) *first = NULL;
    size_t i, column = 0;
    for (i = 0; i < n; i++) {
        const int share = program_chance(&c->dice, shares);
        if (rows && !share && first) {
            const size_t at = backwards ? n - 1 - column : column;
            s[i] = *first;
            s[i].owner = 0;
            if (first->port.index) s[i].port.index = first->index;
            s[i].port.data += at * gap;
            column++;
            continue;
        }
        if (PT(lay)(c, &s[i], points, input, share, rows ? n * gap : 1)) return 1;
        if (rows && !share) {
            first = &s[i];
            column = 1;
        }
    }
    if (first && backwards) first->port.data += (n - 1) * gap;
    return 0;
}

PROGRAM_DEF void PT(release)(size_t n, PT(place) *s)
{
    size_t i;
    for (i = 0; i < n; i++) {
        if (s[i].owner) free(s[i].buffer);
        s[i].buffer = NULL;
        s[i].owner = 0;
    }
}

typedef struct PT(mapping) {
    const char *what;
    size_t points, inputs, outputs;
    const ad_kernels *kernels;  /* what is expected are their results; NULL: the tape's */
    unsigned char shared[PROGRAM_INPUTS];       /* computed once */
    int    any_shared;
    size_t expected_stops, expected_first;
    unsigned char guards[PROGRAM_STEPS];        /* which go another way there: 2 the first, 1
                                                   others; one on shared inputs may be told of */
    double sum_size[AGREE_OUTS], sum[AGREE_OUTS];
    int    sum_finite[AGREE_OUTS];
} PT(mapping);

/* What the map was not to write into the buffer of output j is as it was. */
PROGRAM_DEF int PT(kept)(PT(case) *c, const PT(mapping) *m, size_t j)
{
    static unsigned char written[(AGREE_MANY + 8) * (2 * AGREE_OUTS + 3)];
    const PT(place) *s = &PT(out_place)[j];
    size_t i, q;
    if (s->shared || !s->owner) return 0;
    memset(written, 0, s->length);
    for (i = j; i < m->outputs; i++)
        for (q = 0; q < m->points && PT(out_place)[i].buffer == s->buffer; q++)
            written[PT(element)(&PT(out_place)[i], q) - s->buffer] = 1;
    for (i = 0; i < s->length; i++)
        if (!written[i] && !PT(untouched)(s->buffer + i))
            return agree_fails(c->a, "written", "%s: %d points, output %d: written beside it",
                               m->what, (int)m->points, (int)j);
    return 0;
}

/* Sizes of the values at a point, for the errors of sums. */
PROGRAM_DEF void PT(run_sizes)(const program *p, const PREAL *v, double *size)
{
    PREAL a[PROGRAM_OPERANDS];
    double z[PROGRAM_OPERANDS];
    size_t i, k;
    for (i = 0; i < p->inputs; i++) size[i] = fabs((double)v[i]);
    for (k = 0; k < p->steps; k++) {
        const program_step *s = &p->step[k];
        for (i = 0; i < s->n; i++) {
            a[i] = v[p->operand[s->operand + i]];
            z[i] = size[p->operand[s->operand + i]];
        }
        for (i = 0; i < s->m; i++)
            size[s->first + i] = PT(step_size)(p, s, z, a, (double)v[s->first + i]);
    }
}

/* y as output j at point q of a map is what it would be if other constants in disguise were known
   as such, or what the tape says, or near what the study says. */
PROGRAM_DEF int PT(nearly)(PT(case) *c, const PT(mapping) *m, size_t j, size_t q, PREAL y)
{
    PT(study) *w = &PT(the_study);
    const size_t id = c->p->output[j];
    PREAL x[PROGRAM_INPUTS], v[PROGRAM_VALUES];
    unsigned char way[PROGRAM_STEPS];
    size_t i, k;
    for (i = 0; i < c->p->inputs; i++) x[i] = *PT(element)(&PT(in_place)[i], q);
    for (k = 0; k < 2; k++) {
        memcpy(v, x, c->p->inputs * sizeof *x);
        PT(run_kernels)(c->p, m->kernels, 1, m->shared, k ? AGREE_ALL : 0, v, way);
        if (PT(same)(y, v[id])) return 1;
    }
    c->a->folded++;
    PT(study_at)(c->p, x, 0, w);
    if (PT(same)(y, w->v[id])) return 1;
    return w->safe && fabs((double)y - (double)w->v[id]) <= 8 * w->error[id];
}

/* "-v -> sv": an input and an output that are shared or summed (s), others in a row (-) or by index
   (v). */
PROGRAM_DEF void PT(name_ports)(const PT(mapping) *m, char *text)
{
    size_t i;
    for (i = 0; i < m->inputs + m->outputs; i++) {
        const PT(place) *s = i < m->inputs ? &PT(in_place)[i] : &PT(out_place)[i - m->inputs];
        if (i == m->inputs) {
            strcpy(text, " -> ");
            text += 4;
        }
        *text++ = s->shared ? 's' : s->port.index ? 'v' : '-';
    }
    *text = 0;
}

/* One call, compared with expected[output * points + point], stopped[point] and the sums. */
PROGRAM_DEF int PT(map_once)(PT(case) *c, const PAD(fn) *f, const PT(mapping) *m,
                             const ad_map_desc *given)
{
    PAD(port) in[AGREE_PORTS], out[AGREE_OUTS];
    ad_map_report report;
    ad_map_desc desc = *given;
    const ad_status expected = m->expected_stops ? AD_ERR_BRANCH : AD_OK;
    ad_status s;
    size_t i, j, q;
    memset(&report, 0x55, sizeof report);
    desc.report = program_chance(&c->dice, 70) ? &report : NULL;
    for (i = 0; i < m->inputs; i++) in[i] = PT(in_place)[i].port;
    for (j = 0; j < m->outputs; j++) {
        PT(fill_sentinel)(PT(out_place)[j].buffer, PT(out_place)[j].length);
        out[j] = PT(out_place)[j].port;
    }
    s = PAD(fn_map)(f, m->points, in, out, &desc);
    if (s != expected)
        return agree_fails(c->a, "map status", "%s: %d points: %s, not %s", m->what, (int)m->points,
                           ad_status_name(s), ad_status_name(expected));
    if (desc.report && report.points != m->expected_stops)
        return agree_fails(c->a, "map report", "%s: %d points, of which %d stop, not %d", m->what,
                           (int)m->points, (int)report.points, (int)m->expected_stops);
    if (desc.report && m->expected_stops
        && (report.first != m->expected_first || report.guard >= PROGRAM_STEPS
            || m->guards[report.guard] < (m->any_shared ? 1 : 2) || !report.message[0]))
        return agree_fails(c->a, "map report", "%s: the first stops at %d by guard %d, not at %d: "
                           "\"%.100s\"", m->what, (int)report.first, (int)report.guard,
                           (int)m->expected_first, report.message);
    for (j = 0; j < m->outputs; j++) {
        const PT(place) *place = &PT(out_place)[j];
        if (PT(kept)(c, m, j)) return 1;
        if (place->shared) {
            const double y = (double)*place->buffer;
            const double off = fabs(y - m->sum[j]), allowed = 256 * PUNIT * m->sum_size[j];
            if (memchr(PT(vague), 1, m->points)) continue;
            if (m->expected_stops ? y != y : m->sum_finite[j] ? off <= allowed : y - y != 0)
                continue;
            if (!m->expected_stops && !(m->sum_size[j] < (sizeof(PREAL) == 8 ? 1e150 : 1e18)))
                continue;
            return agree_fails(c->a, "map sum", "%s: %d points, output %d: the sum is %.17g, not "
                               "%.17g: %.3g off, and %.3g are allowed", m->what, (int)m->points,
                               (int)j, y, m->expected_stops ? (double)NAN : m->sum[j], off,
                               allowed);
        }
        for (q = 0; q < m->points; q++) {
            const PREAL y = *PT(element)(place, q), e = PT(stopped)[q] ? (PREAL)NAN
                : PT(expected)[j * m->points + q];
            c->a->checks++;
            if (PT(same)(y, e) || PT(vague)[q] || (m->kernels && PT(nearly)(c, m, j, q, y)))
                continue;
            return agree_fails(c->a, "map bits", "%s: %d points, output %d at %d is %.17g (%a), "
                               "not %.17g (%a)", m->what, (int)m->points, (int)j, (int)q, (double)y,
                               (double)y, (double)e, (double)e);
        }
    }
    return 0;
}

/* The same call again and, asked for, with other numbers of threads: the same bits. */
PROGRAM_DEF int PT(map_again)(PT(case) *c, const PAD(fn) *f, const PT(mapping) *m,
                              const ad_map_desc *given)
{
    PREAL sum[AGREE_OUTS];
    ad_map_desc desc = *given;
    size_t j;
    int k, bad = 0;
    for (j = 0; j < m->outputs; j++) sum[j] = *PT(out_place)[j].buffer;
    for (k = 0; k < 3 && !bad; k++) {
        desc.threads = desc.independent ? k + 1 : given->threads;
        bad = PT(map_once)(c, f, m, &desc);
        for (j = 0; j < m->outputs && !bad; j++)
            if (PT(out_place)[j].shared && !PT(same)(sum[j], *PT(out_place)[j].buffer))
                bad = agree_fails(c->a, "map again", "%s: %d points, output %d: the sum was %.17g "
                                  "and is %.17g", m->what, (int)m->points, (int)j, (double)sum[j],
                                  (double)*PT(out_place)[j].buffer);
        if (!desc.independent) break;
    }
    return bad;
}

PROGRAM_DEF size_t PT(draw_points)(PT(case) *c)
{
    const size_t at = program_below(&c->dice, 20);
    if (at < 8) {
        static const size_t few[] = { 0, 1, 2, 3, 7, 8, 15, 33 };
        return few[at];
    }
    if (at < 19) return 63 + program_below(&c->dice, 68);
    return AGREE_MANY;
}

/* Lays inputs and outputs out and fills the inputs: x into rows[input * points + point]. */
PROGRAM_DEF int PT(lay_out)(PT(case) *c, PT(mapping) *m, int wild)
{
    const int shares = program_chance(&c->dice, 60) ? (int)program_below(&c->dice, 101) : 0;
    size_t i, q;
    if (PT(lay_all)(c, PT(in_place), m->inputs, m->points, 1, shares)
        || PT(lay_all)(c, PT(out_place), m->outputs, m->points, 0,
                       program_chance(&c->dice, 50) ? 40 : 0)) return 1;
    for (i = 0; i < m->inputs; i++) {
        PT(place) *s = &PT(in_place)[i];
        m->any_shared |= s->shared;
        for (q = 0; q < m->points; q++) {
            const int how = wild ? (int)program_below(&c->dice, AGREE_POINTS)
                                 : (int)program_below(&c->dice, 4);
            if (s->shared && q) break;
            *PT(element)(s, q) = i < c->p->inputs ? PT(draw_point)(c, i, how)
                                                  : (PREAL)(2 * program_unit(&c->dice));
        }
        for (q = 0; q < m->points; q++) PT(rows)[i * m->points + q] = *PT(element)(s, q);
        if (s->shared && !m->points) *s->buffer = PT(draw_point)(c, i % c->p->inputs, 6);
    }
    return 0;
}

/* Did point q go another way than the recording? The guards that the first such point offends. */
PROGRAM_DEF void PT(note_stop)(PT(case) *c, PT(mapping) *m, size_t q, const unsigned char *way)
{
    const int before = q && memchr(PT(stopped), 1, q) != NULL;
    size_t b;
    PT(stopped)[q] = 0;
    for (b = 0; b < c->p->branches; b++) {
        if (way[b] == c->at[0].way[b]) continue;
        if (!before) m->guards[c->at[0].number[b]] = PT(stopped)[q] ? 1 : 2;
        PT(stopped)[q] = 1;
    }
}

/* From expected, stopped: how many stop, and sums with the sizes given by point. */
PROGRAM_DEF void PT(tally)(PT(mapping) *m, const double *size)
{
    size_t j, q;
    m->expected_stops = 0;
    for (q = 0; q < m->points; q++)
        if (PT(stopped)[q] && m->expected_stops++ == 0) m->expected_first = q;
    for (j = 0; j < m->outputs; j++) {
        m->sum[j] = m->sum_size[j] = 0;
        for (q = 0; q < m->points; q++) {
            m->sum[j] += (double)PT(expected)[j * m->points + q];
            m->sum_size[j] += size[j * m->points + q];
        }
        m->sum_finite[j] = m->sum[j] - m->sum[j] == 0;
    }
}

/* The function itself on every instruction set. */
PROGRAM_DEF int PT(agree_map)(PT(case) *c)
{
    static double size[AGREE_OUTS * AGREE_MANY];
    const program *p = c->p;
    const unsigned some = (unsigned)program_draw(&c->dice) & AGREE_ALL;
    const unsigned skip = program_chance(&c->dice, 40) ? 0u : program_chance(&c->dice, 40)
        ? (unsigned)AD_FN_UNIFORM : some;
    PAD(fn) *f = PT(create)(c, 0, skip);
    PT(mapping) m;
    char ports[AGREE_PORTS + AGREE_OUTS + 5];
    size_t l, i, j, q, b;
    int bad;
    memset(&m, 0, sizeof m);
    m.points = PT(draw_points)(c);
    m.inputs = p->inputs;
    m.outputs = p->outputs;
    bad = PT(made)(c, f, "function") || PT(lay_out)(c, &m, program_chance(&c->dice, 30));
    PT(name_ports)(&m, ports);
    for (l = 0; l < AGREE_LEVELS && !bad; l++) {
        const ad_kernels *k = ad_kernels_get(agree_levels[l].simd);
        char what[200];
        ad_map_desc desc;
        if (!k) continue;
        memset(&desc, 0, sizeof desc);
        desc.simd = agree_levels[l].simd;
        desc.threads = (int)program_below(&c->dice, 4);
        desc.independent = program_chance(&c->dice, 50);
        snprintf(what, sizeof what, "map %s on %s, %s", ports, agree_levels[l].name,
                 agree_skip_text(skip));
        m.what = what;
        m.kernels = l > 0 ? k : NULL;
        /* plain C computes what a single evaluation does, the others what the kernels do */
        if (l == 0) {
            PREAL x[PROGRAM_INPUTS], v[PROGRAM_VALUES];
            unsigned char way[PROGRAM_STEPS];
            for (q = 0; q < m.points; q++) {
                for (i = 0; i < p->inputs; i++) x[i] = PT(rows)[i * m.points + q];
                PT(run_value)(p, NULL, x, v, way);
                for (i = 0; i < p->values; i++) PT(rows)[i * m.points + q] = v[i];
                for (b = 0; b < p->branches; b++) PT(ways)[b * m.points + q] = way[b];
            }
        } else {
            for (i = 0; i < p->inputs; i++)
                m.shared[i] = PT(in_place)[i].shared && !(skip & AD_FN_UNIFORM);
            PT(run_kernels)(p, k, m.points, m.shared, skip, PT(rows), PT(ways));
        }
        for (q = 0; q < m.points; q++) {
            PREAL v[PROGRAM_VALUES];
            double z[PROGRAM_VALUES];
            unsigned char way[PROGRAM_STEPS];
            for (b = 0; b < p->branches; b++) way[b] = PT(ways)[b * m.points + q];
            if (q == 0) memset(m.guards, 0, sizeof m.guards);
            PT(note_stop)(c, &m, q, way);
            for (i = 0; i < p->values; i++) v[i] = PT(rows)[i * m.points + q];
            PT(vague)[q] = (unsigned char)PT(is_vague)(p, v);
            PT(run_sizes)(p, v, z);
            for (j = 0; j < p->outputs; j++) {
                PT(expected)[j * m.points + q] = v[p->output[j]];
                size[j * m.points + q] = z[p->output[j]];
            }
        }
        PT(tally)(&m, size);
        bad = PT(map_once)(c, f, &m, &desc) || PT(map_again)(c, f, &m, &desc);
    }
    PT(release)(PROGRAM_INPUTS, PT(in_place));
    PT(release)(AGREE_OUTS, PT(out_place));
    PAD(fn_destroy)(f);
    return bad;
}

/* A derivative function: on plain C against single evaluations; arithmetic alone has these bits on
   every instruction set; the mathematics of the others are the same on all of them. */
PROGRAM_DEF int PT(agree_map_derivatives)(PT(case) *c)
{
    static double size[AGREE_OUTS * AGREE_MANY];
    const program *p = c->p;
    const int scalar = p->outputs == 1, exact = program_is_exact(p);
    const int which = scalar ? (program_chance(&c->dice, 50) ? AGREE_GRADIENT : AGREE_HESSIAN)
        : program_chance(&c->dice, 50) ? AGREE_JVP : AGREE_VJP;
    PAD(fn) *f = PT(create)(c, 0, program_chance(&c->dice, 50) ? 0 : AD_FN_UNIFORM), *g;
    PT(mapping) m;
    char ports[AGREE_PORTS + AGREE_OUTS + 5];
    const char *name;
    size_t extras, l, i, j, q;
    int bad, first = 1;
    memset(&m, 0, sizeof m);
    g = PT(derive)(c, f, which, &name, &extras, &m.outputs);
    bad = PT(made)(c, f, "function") || PT(made)(c, g, name);
    m.inputs = p->inputs + extras;
    m.points = program_chance(&c->dice, 30) ? 3 : 60 + program_below(&c->dice, 20);
    if (m.outputs > AGREE_OUTS) {
        PAD(fn_destroy)(g);
        PAD(fn_destroy)(f);
        return bad;
    }
    bad = bad || PT(lay_out)(c, &m, 0);
    PT(name_ports)(&m, ports);
    for (q = 0; q < m.points && !bad; q++) {
        PREAL x[AGREE_PORTS], y[AGREE_OUTS];
        PREAL v[PROGRAM_VALUES];
        unsigned char way[PROGRAM_STEPS];
        ad_status s;
        for (i = 0; i < m.inputs; i++) x[i] = PT(rows)[i * m.points + q];
        PT(run_value)(p, NULL, x, v, way);
        PT(vague)[q] = (unsigned char)PT(is_vague)(p, v);
        PT(note_stop)(c, &m, q, way);
        s = PAD(fn_eval)(g, x, y);
        if (s != (PT(stopped)[q] ? AD_ERR_BRANCH : AD_OK))
            bad = agree_fails(c->a, "status", "%s: eval gives %s", name, ad_status_name(s));
        for (j = 0; j < m.outputs; j++) {
            PT(expected)[j * m.points + q] = y[j];
            size[j * m.points + q] = 0;         /* sums: in tests of their own */
        }
    }
    for (l = 0; l < AGREE_LEVELS && !bad; l++) {
        char what[200];
        ad_map_desc desc;
        if (!ad_kernels_get(agree_levels[l].simd)) continue;
        memset(&desc, 0, sizeof desc);
        desc.simd = agree_levels[l].simd;
        snprintf(what, sizeof what, "map %s of %s on %s", ports, name, agree_levels[l].name);
        m.what = what;
        PT(tally)(&m, size);
        for (j = 0; j < m.outputs; j++) m.sum_size[j] = (double)INFINITY;
        if (l > 0 && !exact && p->branches) break;      /* branches may differ by rounding */
        if (l > 0 && !exact && first) {         /* this one is what the next ones are to be */
            PAD(port) in[AGREE_PORTS], out[AGREE_OUTS];
            for (i = 0; i < m.inputs; i++) in[i] = PT(in_place)[i].port;
            for (j = 0; j < m.outputs; j++) out[j] = PT(out_place)[j].port;
            PAD(fn_map)(g, m.points, in, out, &desc);
            for (j = 0; j < m.outputs; j++)
                for (q = 0; q < m.points && !PT(out_place)[j].shared; q++)
                    PT(expected)[j * m.points + q] = *PT(element)(&PT(out_place)[j], q);
            first = 0;
            continue;
        }
        bad = PT(map_once)(c, g, &m, &desc);
    }
    PT(release)(AGREE_PORTS, PT(in_place));
    PT(release)(AGREE_OUTS, PT(out_place));
    PAD(fn_destroy)(g);
    PAD(fn_destroy)(f);
    return bad;
}

/* ---- all of it: 0 agreed, 1 not */
PROGRAM_DEF int PT(agree)(const program *p, agreement *a)
{
    static int (*const part[])(PT(case) *) = { PT(find_truth), PT(agree_passes), PT(agree_flags),
        PT(agree_derivatives), PT(agree_record), PT(agree_map), PT(agree_map_derivatives),
        PT(agree_recorded), PT(agree_tangents) };
    static PT(case) c;
    size_t i;
    int bad = 0;
    memset(&c, 0, sizeof c);
    c.p = p;
    c.a = a;
    c.t = PAD(tape_create)(NULL);
    c.again = PAD(tape_create)(NULL);
    a->kind[0] = a->text[0] = 0;
    for (i = 0; i < p->inputs; i++)
        if (!p->parameter[i]) c.variable[c.n_v++] = i;
    /* each part draws its own numbers, so that a smaller program meets the same ones */
    for (i = 0; i < sizeof part / sizeof *part && !bad; i++) {
        c.dice.state = (p->seed + i) ^ 0x5DEECE66Du;
        program_draw(&c.dice);
        bad = part[i](&c);
    }
    PAD(tape_destroy)(c.t);
    PAD(tape_destroy)(c.again);
    return bad;
}
#endif
