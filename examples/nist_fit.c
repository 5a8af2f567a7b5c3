/* Fits the 27 nonlinear regression problems of NIST's Statistical Reference Datasets, each from both
   of NIST's starts, and counts the digits in agreement with the certified results, which NIST
   gives to eleven. Exit code 1 if a fit has fewer digits than it should.

       cc -O2 -std=c99 examples/nist_fit.c -o nist_fit -lm && ./nist_fit                               */
#define AUTODIFF_IMPLEMENTATION
#include "../autodiff.h"

#include <time.h>
#include "levenberg.h"
#include "nist_data.h"
#include "nist_models.h"
#include "nist_svg.h"

#define USAGE "usage: nist_fit [--data DIR] [--problem NAME] [--svg FILE]\n"                               \
    "  --data DIR      where the datasets are (examples/nist)\n"                                           \
    "  --problem NAME  fit this one alone\n"                                                               \
    "  --svg FILE      also draw a fit, of Gauss3 unless --problem says otherwise\n"

/* By NIST's levels of difficulty. Nine digits are asked of all; the last column makes exceptions for
   the sum of squares. Lanczos1 is a sum of exponentials rounded to 14 digits: its residuals, 1e-13,
   are left over from y near 1, where double has a spacing of 2e-16. That is two digits of each. */
static const struct { const char *name; nist_model model; int log_y; double rss_digits; } problem[] = {
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
enum { PROBLEMS = sizeof problem / sizeof problem[0] };
static const double b_digits = 9;

typedef struct fit {
    nist_data  data;
    nist_model model;
} fit;

/* r[i] = model(b, x[i]) - y[i] */
static void residuals(ad_tape *tape, const ad_var *b, size_t n, ad_var *r, size_t m, void *user)
{
    const fit *const f = (const fit *)user;
    size_t i;
    (void)tape, (void)n;
    for (i = 0; i < m; i++) r[i] = ad_var_sub_r(f->model(b, f->data.x[i]), f->data.y[i]);
}

/* Digits of agreement, from 0 to the eleven that are certified. */
static double digits(double value, double certified)
{
    const double d = -log10(fabs(value - certified) / fabs(certified));
    return d > 11 ? 11 : d > 0 ? d : 0;
}

/* Both starts of problem p; the table's two lines, and the picture if a path is given. Returns how
   many fits fell short, -1 where a file failed. */
static int run(size_t p, const char *directory, const char *svg, ad_tape *tape, lm_report *total)
{
    static fit f;
    double b[NIST_MAX_B];
    int start, short_ = 0;
    size_t i;
    if (!nist_read(directory, problem[p].name, &f.data)) return -1;
    f.model = problem[p].model;
    for (i = 0; i < f.data.m && problem[p].log_y; i++) f.data.y[i] = log(f.data.y[i]);
    for (start = 1; start <= 2; start++) {
        const clock_t before = clock();
        double least = 11, rss, ms;
        lm_report report;
        int good;
        memcpy(b, f.data.start[start - 1], sizeof b);
        report = lm_fit(tape, residuals, &f, f.data.n, f.data.m, b);
        ms = 1e3 * (double)(clock() - before) / CLOCKS_PER_SEC;
        for (i = 0; i < f.data.n; i++) least = fmin(least, digits(b[i], f.data.certified[i]));
        rss = digits(report.rss, f.data.rss);
        good = report.converged && least >= b_digits && rss >= problem[p].rss_digits;
        short_ += !good;
        total->residuals += report.residuals;
        total->jacobians += report.jacobians;
        total->bends += report.bends;
        printf("%-9s %-7s %5d %8.1f %7.1f%c %8d %6d %6d %8.2f%s\n", f.data.name, f.data.difficulty, start,
               least, rss, problem[p].rss_digits < 9 ? '*' : ' ', report.residuals, report.jacobians,
               report.bends, ms, good ? "" : report.converged ? "  TOO FEW DIGITS" : "  NO CONVERGENCE");
        if (svg && start == 1) {
            char title[120];
            snprintf(title, sizeof title, "%s: %d observations, %d parameters, %.1f digits certified",
                     f.data.name, (int)f.data.m, (int)f.data.n, least);
            if (f.data.predictors != 1) {
                fprintf(stderr, "nist_fit: %s has two predictors, no curve to draw\n", f.data.name);
                return -1;
            }
            if (!nist_svg(svg, title, &f.data, f.model, b, start)) return -1;
        }
    }
    return short_;
}

int main(int argc, char **argv)
{
    const char *directory = "examples/nist", *only = NULL, *svg = NULL;
    const clock_t before = clock();
    lm_report total = { 0, 0, 0, 0, 0, AD_OK };
    int a, fits = 0, failed = 0, unreadable = 0;
    ad_tape *tape;
    size_t p;
    for (a = 1; a < argc; a++) {
        const char **const value = strcmp(argv[a], "--data") == 0 ? &directory
            : strcmp(argv[a], "--problem") == 0 ? &only : strcmp(argv[a], "--svg") == 0 ? &svg : NULL;
        if (strcmp(argv[a], "--help") == 0) return fputs(USAGE, stdout) < 0;
        if (!value || a + 1 == argc) return fputs(USAGE, stderr), 2;
        *value = argv[++a];
    }
    tape = ad_tape_create(NULL);
    if (!tape) return fputs("nist_fit: out of memory\n", stderr), 1;
    printf("                         digits of agreement        evaluations\n"
           "problem   level   start        b     RSS         r      J   r_vv       ms\n");
    for (p = 0; p < PROBLEMS && !unreadable; p++) {
        const int pictured = svg && (only || strcmp(problem[p].name, "Gauss3") == 0);
        int result;
        if (only && strcmp(only, problem[p].name) != 0) continue;
        result = run(p, directory, pictured ? svg : NULL, tape, &total);
        if (result < 0) unreadable = 1; else failed += result;
        fits += 2;
    }
    if (fits == 0) fprintf(stderr, "nist_fit: there is no problem called %s\n", only);
    else if (!unreadable)
        printf("%d fits, %d with too few digits; %d + %d + %d evaluations, %.0f ms\n", fits, failed,
               total.residuals, total.jacobians, total.bends,
               1e3 * (double)(clock() - before) / CLOCKS_PER_SEC);
    ad_tape_destroy(tape);
    return fits == 0 || unreadable || failed > 0;
}
