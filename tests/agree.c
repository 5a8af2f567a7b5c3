/* Random programs: do compiled functions agree with the tape, duals and kernels (tests/agree.h)?
       agree [programs [first seed [double|float]]]
   A program depends on its seed alone: `agree 1 SEED` runs one again. What disagrees is printed
   with its seed and the smallest program found that disagrees in the same way. Exit code 1 then.
   Compiled without fused products, since what is recorded is to have the bits of its operations one
   by one; linked with the implementation, compiled as its user would.
   Sections: Compiled Functions: Graphs; Compiled Functions: Rewriting; Compiled Functions:
   Schedules; Compiled Functions: Parts; Compiled Functions: Programs; Lanes: The Table's Words;
   Lanes: Running Programs; Compiled Functions: Making; Compiled Functions: Evaluating. */
#include "agree.h"

typedef int (*agree_fn)(const program *p, agreement *a);

typedef struct trial {
    agree_fn run;
    char     kind[sizeof ((agreement *)0)->kind];
} trial;

static int same_kind(const program *p, void *user)
{
    const trial *t = (const trial *)user;
    agreement a;
    memset(&a, 0, sizeof a);
    return t->run(p, &a) && strcmp(a.kind, t->kind) == 0;
}

static void tell(const program *p, const agreement *a, agree_fn run, const char *real)
{
    static program small;
    agreement last;
    trial t;
    t.run = run;
    memcpy(t.kind, a->kind, sizeof t.kind);
    printf("FAILED: seed %lu, %s: %s: %s\n", (unsigned long)p->seed, real, a->kind, a->text);
    small = *p;
    program_shrink(&small, same_kind, &t);
    memset(&last, 0, sizeof last);
    run(&small, &last);
    printf("  the smallest program that does so (%lu steps): %s\n", (unsigned long)small.steps,
           last.text);
    program_print(&small, stdout);
    printf("  again: agree 1 %lu %s\n", (unsigned long)p->seed, real);
    fflush(stdout);
}

#if defined(_OPENMP)
/* Many threads evaluate and map one function at once, with patterns of shared inputs that are new
   to it: each gets what a function of its own gets. */
enum { TOGETHER = 32, TOGETHER_POINTS = 40 };

static int one_map(const ad_fn *f, const program *p, size_t job, const double *x, double *y)
{
    ad_port in[PROGRAM_INPUTS], out[PROGRAM_OUTPUTS];
    ad_map_desc desc;
    size_t i;
    memset(&desc, 0, sizeof desc);
    desc.threads = 1;
    for (i = 0; i < p->inputs; i++)
        in[i] = job >> i & 1 ? ad_port_shared(x + i)
                             : ad_port_in(x + i, (ptrdiff_t)p->inputs);
    for (i = 0; i < p->outputs; i++) out[i] = ad_port_out(y + i * TOGETHER_POINTS, 1);
    return ad_fn_eval(f, x, y + p->outputs * TOGETHER_POINTS) == AD_OK
        && ad_fn_map(f, TOGETHER_POINTS, in, out, &desc) == AD_OK;
}

static int together(uint64_t seed)
{
    enum { NUMBERS = PROGRAM_OUTPUTS * (TOGETHER_POINTS + 1) };
    static double x[TOGETHER_POINTS * PROGRAM_INPUTS], y[TOGETHER][NUMBERS], alone[NUMBERS];
    static program p;
    ad_tape *t = ad_tape_create(NULL);
    ad_var v[PROGRAM_VALUES], r[PROGRAM_OUTPUTS], in[PROGRAM_INPUTS];
    unsigned char way[PROGRAM_STEPS];
    program_dice dice;
    ad_fn *f, *g;
    size_t i, j;
    int k, failed = 0, ok[TOGETHER];
    program_make(&p, seed, PROGRAM_NO_BRANCHES);
    dice.state = seed;
    for (i = 0; i < TOGETHER_POINTS * p.inputs; i++) x[i] = 2 * program_unit(&dice);
    ad_inputs(t, p.inputs, p.point, in);
    d_run_var(&p, t, in, v, way);
    for (i = 0; i < p.outputs; i++) r[i] = v[p.output[i]];
    f = ad_fn_create(t, p.inputs, in, p.outputs, r, NULL);
    memset(y, 0, sizeof y);
#pragma omp parallel for schedule(dynamic, 1) num_threads(4)
    for (k = 0; k < TOGETHER; k++) ok[k] = one_map(f, &p, (size_t)k, x, y[k]);
    for (k = 0; k < TOGETHER; k++) {
        const size_t n = p.outputs * (TOGETHER_POINTS + 1);
        memset(alone, 0, sizeof alone);
        g = ad_fn_create(t, p.inputs, in, p.outputs, r, NULL);
        if (!one_map(g, &p, (size_t)k, x, alone)) ok[k] = 0;
        ad_fn_destroy(g);
        for (j = 0; j < n && d_same(y[k][j], alone[j]); j++) continue;
        if (ok[k] && j == n) continue;
        printf("FAILED: seed %lu: one function in 4 threads, pattern %d: other numbers\n",
               (unsigned long)seed, k);
        failed = 1;
        break;
    }
    ad_fn_destroy(f);
    ad_tape_destroy(t);
    return failed;
}
#endif

int main(int argc, char **argv)
{
    static program p;
    static const struct { const char *name; agree_fn run; } reals[] = { { "double", d_agree },
        { "float", f_agree } };
    const unsigned long programs = argc > 1 ? strtoul(argv[1], NULL, 0) : 1000;
    const uint64_t first = argc > 2 ? (uint64_t)strtoull(argv[2], NULL, 0) : 1;
    unsigned long k, failed = 0, steps = 0;
    agreement a;
    size_t r;
    memset(&a, 0, sizeof a);
    for (k = 0; k < programs && failed < 10; k++) {
        program_make(&p, first + k, 0);
        steps += (unsigned long)p.steps;
        for (r = 0; r < 2; r++) {
            if (argc > 3 && strcmp(argv[3], reals[r].name) != 0) continue;
            if (!reals[r].run(&p, &a)) continue;
            failed++;
            tell(&p, &a, reals[r].run, reals[r].name);
        }
    }
#if defined(_OPENMP)
    for (r = 0; r < programs && r < 100; r++) failed += (unsigned long)together(first + r);
#endif
    printf("%lu programs of %.1f steps from seed %lu, %lu numbers with the same bits, %lu near, "
           "%lu of maps near where the kernels' bits were expected, %lu derivatives as by "
           "differences in long double (%lu not to be had so): %lu disagree\n", k,
           k ? (double)steps / (double)k : 0.0, (unsigned long)first, (unsigned long)a.checks,
           (unsigned long)a.comparisons, (unsigned long)a.folded,
           (unsigned long)a.truths, (unsigned long)a.untold, failed);
    if (truth_is_here() && programs >= 100 && argc < 4 && a.truths < a.untold) {
        printf("FAILED: too few derivatives by differences\n");
        failed++;
    }
    if (a.folded > 10000 + a.checks / 10000) {
        printf("FAILED: too many of the last\n");
        failed++;
    }
    return failed != 0 || programs == 0;
}
