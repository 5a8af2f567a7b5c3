/* Fits the 27 nonlinear regression problems of NIST's Statistical Reference Datasets, each from
   both of NIST's starts, and counts the digits in agreement with the certified results, which
   have eleven. Exit code 1 if a fit has fewer digits than it should.

       cc -O2 -std=c99 examples/nist_fit.c -o nist_fit -lm && ./nist_fit                          */
#define AUTODIFF_STATIC double
#include "../autodiff.h"

#include <time.h>
#include "levenberg.h"
#include "nist_data.h"
#include "nist_models.h"
#include "nist_svg.h"

static const char usage[] =
    "usage: nist_fit [--data DIR] [--problem NAME] [--svg FILE]\n"
    "  --data DIR      where the datasets are (examples/nist)\n"
    "  --problem NAME  fit this one alone\n"
    "  --svg FILE      also draw a fit: that of Gauss3, or of the --problem\n";

/* In NIST's order of difficulty. Nine digits are asked of all; the last column makes exceptions
   for the sum of squares. Lanczos1 is a sum of exponentials rounded to 14 digits: its residuals
   are 1e-13, differences of numbers near 1, where doubles are 2e-16 apart. So they have two or
   three digits, and the sum of their squares no more. */
static const struct nist_problem {
    const char *name;
    nist_model  model;
    int         log_y;                /* the model is of log(y) */
    double      rss_digits;
} problems[] = {
    { "Misra1a",  misra1a,  0, 9 }, { "Chwirut2", chwirut,  0, 9 }, { "Chwirut1", chwirut,  0, 9 },
    { "Lanczos3", lanczos,  0, 9 }, { "Gauss1",   gauss,    0, 9 }, { "Gauss2",   gauss,    0, 9 },
    { "DanWood",  danwood,  0, 9 }, { "Misra1b",  misra1b,  0, 9 },

    { "Kirby2",   kirby2,   0, 9 }, { "Hahn1",    thurber,  0, 9 }, { "Nelson",   nelson,   1, 9 },
    { "MGH17",    mgh17,    0, 9 }, { "Lanczos1", lanczos,  0, 2 }, { "Lanczos2", lanczos,  0, 9 },
    { "Gauss3",   gauss,    0, 9 }, { "Misra1c",  misra1c,  0, 9 }, { "Misra1d",  misra1d,  0, 9 },
    { "Roszman1", roszman1, 0, 9 }, { "ENSO",     enso,     0, 9 },

    { "MGH09",    mgh09,    0, 9 }, { "Thurber",  thurber,  0, 9 }, { "BoxBOD",   misra1a,  0, 9 },
    { "Rat42",    rat42,    0, 9 }, { "MGH10",    mgh10,    0, 9 }, { "Eckerle4", eckerle4, 0, 9 },
    { "Rat43",    rat43,    0, 9 }, { "Bennett5", bennett5, 0, 9 }
};
enum { PROBLEMS = sizeof problems / sizeof problems[0] };
static const double required_digits = 9;

typedef struct fit {
    nist_data  data;
    nist_model model;
    double     b[NIST_MAX_B], digits;      /* the result, and how far it agrees with NIST's */
} fit;

typedef struct tally {
    int    fits, failed, residuals, jacobians, bends;
    double ms;
} tally;

/* r[i] = model(b, x[i]) - y[i] */
static void residuals(ad_tape *tape, const ad_var *b, size_t n, ad_var *r, size_t m, void *user)
{
    const fit *const f = (const fit *)user;
    size_t i;
    (void)tape, (void)n;
    for (i = 0; i < m; i++) r[i] = ad_var_sub_r(f->model(b, f->data.x[i]), f->data.y[i]);
}

/* Digits of agreement, from 0 to the eleven that are certified. */
static double agreement(double value, double certified)
{
    const double digits = -log10(fabs(value - certified) / fabs(certified));
    return digits > 11 ? 11 : digits > 0 ? digits : 0;
}

/* Digits of the parameters' standard deviations, from J^T J, a compiled function. Six are asked
   for: what Bennett5 has, whose parameters act nearly alike, with the square of J's condition. */
static double deviation_digits(const fit *f, ad_tape *tape)
{
    const size_t n = f->data.n, m = f->data.m, mark = ad_tape_mark(tape);
    double sums[1 + NIST_MAX_B + NIST_MAX_B * (NIST_MAX_B + 1) / 2], deviation[NIST_MAX_B];
    double digits = 11;
    ad_var b[NIST_MAX_B], r[NIST_MAX_M];
    ad_fn *model, *normal;
    size_t j;
    ad_inputs(tape, n, f->b, b);
    residuals(tape, b, n, r, m, (void *)(uintptr_t)f);
    model = ad_fn_create(tape, n, b, m, r, NULL);
    normal = ad_fn_normal(model);
    if (ad_fn_eval(normal, f->b, sums) != AD_OK
        || ad_covariance(n, sums + 1 + n, sums[0] / (double)(m - n), NULL, deviation) != AD_OK)
        digits = 0;
    for (j = 0; j < n; j++) digits = fmin(digits, agreement(deviation[j], f->data.deviation[j]));
    ad_fn_destroy(normal);
    ad_fn_destroy(model);
    ad_tape_rewind(tape, mark);
    return digits;
}

/* Fits from one start and prints the table's line. */
static void run(const struct nist_problem *p, fit *f, int start, ad_tape *tape, tally *total)
{
    const clock_t before = clock();
    double rss, s, ms;
    lm_report report;
    const char *verdict = "";
    size_t j;
    memcpy(f->b, f->data.start[start - 1], sizeof f->b);
    report = lm_fit(tape, residuals, f, f->data.n, f->data.m, f->b);
    ms = 1e3 * (double)(clock() - before) / CLOCKS_PER_SEC;
    rss = agreement(report.rss, f->data.rss);
    s = deviation_digits(f, tape);
    f->digits = 11;
    for (j = 0; j < f->data.n; j++)
        f->digits = fmin(f->digits, agreement(f->b[j], f->data.certified[j]));
    if (f->digits < required_digits || rss < p->rss_digits || s < fmin(p->rss_digits, 6))
        verdict = "too few digits";
    if (!report.converged) verdict = "no convergence";
    if (report.status != AD_OK) verdict = ad_status_name(report.status);
    if (total->fits == 0)
        puts("                          digits of agreement       evaluations\n"
             "problem   level   start    b   s(b)    RSS         r      J   r_vv      ms");
    printf("%-9s %-7s %5d %6.1f %5.1f %5.1f%c %8d %6d %6d %7.2f%s%s\n", p->name, f->data.difficulty,
           start, f->digits, s, rss, p->rss_digits < required_digits ? '*' : ' ', report.residuals,
           report.jacobians, report.bends, ms, verdict[0] ? "  " : "", verdict);
    total->fits++;
    total->failed += verdict[0] != '\0';
    total->residuals += report.residuals;
    total->jacobians += report.jacobians;
    total->bends += report.bends;
    total->ms += ms;
}

/* Both starts of one problem; the picture of the first if svg names a file. 0 if a file fails. */
static int run_both(const struct nist_problem *p, const char *directory, const char *svg,
                    ad_tape *tape, tally *total)
{
    fit f;
    char title[120];
    int start;
    size_t i;
    if (!nist_read(directory, p->name, &f.data)) return 0;
    f.model = p->model;
    for (i = 0; i < f.data.m && p->log_y; i++) f.data.y[i] = log(f.data.y[i]);
    for (start = 1; start <= 2; start++) {
        run(p, &f, start, tape, total);
        if (start == 1 && svg) {
            snprintf(title, sizeof title,
                     "%s: %d observations, %d parameters, fitted to %.0f digits",
                     p->name, (int)f.data.m, (int)f.data.n, floor(f.digits));
            if (!nist_svg(svg, title, &f.data, f.model, f.b, start)) return 0;
        }
    }
    return 1;
}

int main(int argc, char **argv)
{
    const char *directory = "examples/nist", *only = NULL, *svg = NULL;
    const struct nist_problem *p;
    tally total = { 0, 0, 0, 0, 0, 0 };
    int a, good = 1;
    ad_tape *tape;
    for (a = 1; a < argc; a++) {
        const char **const value = strcmp(argv[a], "--data") == 0 ? &directory
                                 : strcmp(argv[a], "--problem") == 0 ? &only
                                 : strcmp(argv[a], "--svg") == 0 ? &svg : NULL;
        if (strcmp(argv[a], "--help") == 0) return fputs(usage, stdout) < 0;
        if (!value || a + 1 == argc) return fputs(usage, stderr), 2;
        *value = argv[++a];
    }
    tape = ad_tape_create(NULL);
    if (!tape) return fputs("nist_fit: out of memory\n", stderr), 1;
    for (p = problems; p < problems + PROBLEMS && good; p++) {
        const int drawn = only || strcmp(p->name, "Gauss3") == 0;
        if (!only || strcmp(only, p->name) == 0)
            good = run_both(p, directory, drawn ? svg : NULL, tape, &total);
    }
    ad_tape_destroy(tape);
    if (!good) return 1;
    if (total.fits == 0) return fprintf(stderr, "nist_fit: there is no problem %s\n", only), 1;
    printf("%2d fits, %2d of them with too few digits %8d %6d %6d %7.2f\n", total.fits,
           total.failed, total.residuals, total.jacobians, total.bends, total.ms);
    if (!only) puts("* two are required: residuals of 1e-13, from doubles near 1, have no more");
    return total.failed > 0;
}
