/* Gaussian-process regression (Rasmussen & Williams 2006, chapters 2 and 5): carbon dioxide in the
   air at Mauna Loa is a trend whose slope wanders, a yearly cycle that may change its shape, and
   weather. How much of each, and how slow, are eight numbers, found by gradient: they maximise the
   likelihood of the months up to 1990. Then the eleven years after are predicted, with error bars
   of 95 %: eight in ten months must be within them, since the trend displaces all months of a year
   together. Exit code 1 if not.

       cc -O2 examples/gaussian_process.c -o gp -lm && ./gp [OUTPUT [DATA]]

   Leaves OUTPUT/gaussian_process.svg (.). DATA: examples/data/mauna_loa.txt. */
#ifndef EXAMPLE_LINKED                       /* else the implementation is in another file */
#define AUTODIFF_CHECK
#define AUTODIFF_IMPLEMENTATION
#endif
#include "../autodiff.h"
#include "plot.h"

enum { MOST = 600, FIRST_UNSEEN = 1991, STEPS = 100 };

/* Where each number starts; the functions below have their logarithms. */
enum { TREND, TREND_TIME, CYCLE, CYCLE_TIME, CYCLE_SHAPE, WEATHER, WEATHER_TIME, NOISE, THETA };
static const char *const name[THETA] = { "trend (ppm)", "its time (years)", "cycle (ppm)",
    "its time", "its smoothness", "weather (ppm)", "its time", "noise (ppm)" };
static const double start[THETA] = { 50, 100, 3, 50, 1, 0.5, 1, 0.2 };

typedef struct months { int32_t n; double year[MOST], ppm[MOST]; } months;
typedef struct problem { ad_tape *tape; months seen, unseen; double mean; } problem;

static int read_data(const char *path, problem *p)
{
    FILE *const file = fopen(path, "r");
    char line[200];
    int year, month;
    double ppm;
    if (!file) return 0;
    while (fgets(line, sizeof line, file) && p->seen.n < MOST && p->unseen.n < MOST)
        if (sscanf(line, "%d %d %lf", &year, &month, &ppm) == 3) {
            months *const to = year < FIRST_UNSEEN ? &p->seen : &p->unseen;
            to->year[to->n] = year + (month - 0.5) / 12;
            to->ppm[to->n++] = ppm;
            if (to == &p->seen) p->mean += ppm;
        }
    fclose(file);
    p->mean /= p->seen.n;
    return p->seen.n > 60 && p->unseen.n > 0;
}

static ad_array column(ad_tape *t, int32_t n, const double *v)
{
    int32_t dim[2] = { 0, 1 };
    dim[0] = n;
    return ad_array_const_borrow(t, 2, dim, v);
}

/* A number from its logarithm, theta[i], to a power. */
static ad_array power(ad_array theta, int32_t i, double exponent)
{
    return ad_array_exp(ad_array_mul_r(ad_array_slice(theta, 0, i, i + 1, 1), exponent));
}

/* Covariances of trend, cycle and weather at the times s[n, 1] with those at t[m, 1]. The trend's
   is Matern's with 3/2: it has a slope, and no second derivative. */
static ad_array covariance(ad_array theta, ad_array s, ad_array t)
{
    const ad_array d = ad_array_abs(ad_array_sub(s, ad_array_transpose(t)));
    const ad_array phase = ad_array_sin(ad_array_mul_r(d, 3.14159265358979323846));
    const ad_array trend = ad_array_mul(ad_array_mul_r(d, sqrt(3.0)), power(theta, TREND_TIME, -1));
    const ad_array cycle = ad_array_add(
        ad_array_mul(ad_array_mul_r(ad_array_square(d), -0.5), power(theta, CYCLE_TIME, -2)),
        ad_array_mul(ad_array_mul_r(ad_array_square(phase), -2), power(theta, CYCLE_SHAPE, -2)));
    const ad_array weather = ad_array_mul(ad_array_neg(d), power(theta, WEATHER_TIME, -1));
    ad_array k = ad_array_mul(ad_array_add_r(trend, 1), ad_array_exp(ad_array_neg(trend)));
    k = ad_array_mul(k, power(theta, TREND, 2));
    k = ad_array_fma(ad_array_exp(cycle), power(theta, CYCLE, 2), k);
    return ad_array_fma(ad_array_exp(weather), power(theta, WEATHER, 2), k);
}

/* K, the covariance of the first n measurements; gives its Cholesky factor L, and L^-1 times the
   measurements, in *white. */
static ad_array factor(const problem *p, ad_array theta, int32_t n, ad_array *K, ad_array *white)
{
    const ad_array years = column(p->tape, n, p->seen.year);
    const ad_array ppm = ad_array_sub_r(column(p->tape, n, p->seen.ppm), p->mean);
    const ad_array same = ad_array_sub(years, ad_array_transpose(years));
    ad_array L;
    *K = ad_array_fma(ad_array_eq_r(same, 0), power(theta, NOISE, 2),
                      covariance(theta, years, years));
    L = ad_array_cholesky(*K);
    *white = ad_array_triangular_solve(L, ppm, AD_LOWER, 0);
    return L;
}

static ad_array half_log_det(ad_array L)
{
    return ad_array_sum(ad_array_log(ad_array_diagonal(L, 0)), AD_ALL_AXES, 0);
}

/* Minus the logarithm of the likelihood of the first n months, half of y' K^-1 y + log det K +
   n log(2 pi), without its last term; its gradient where g is not NULL. */
static double cost(const problem *p, int32_t n, const double *x, double *g)
{
    static const int32_t dim[1] = { THETA };
    ad_array theta, K, white, L, y;
    ad_tape_reset(p->tape);
    theta = ad_array_borrow(p->tape, 1, dim, x);
    L = factor(p, theta, n, &K, &white);
    y = ad_array_add(ad_array_mul_r(ad_array_dot(white, white), 0.5), half_log_det(L));
    if (g && ad_array_backward(y, NULL) == AD_OK)
        memcpy(g, ad_array_adjoints(theta), THETA * sizeof *g);
    if (ad_tape_status(p->tape) != AD_OK) fprintf(stderr, "%s\n", ad_tape_message(p->tape));
    return ad_array_item(y).v;
}

static double five_years(const double *x, size_t n, double *g, void *user)    /* to be checked */
{
    (void)n;
    return cost((const problem *)user, 60, x, g);
}

/* Predicts the months not seen, compares and draws. 1 if that is as it should be. */
static int predict(const problem *p, const double *x, const char *directory)
{
    static const int32_t dim[1] = { THETA };
    const months *const u = &p->unseen;
    const double prior = exp(2 * x[TREND]) + exp(2 * x[CYCLE]) + exp(2 * x[WEATHER])
                       + exp(2 * x[NOISE]);
    double low[MOST], high[MOST], square = 0, by_factor, by_elimination;
    ad_array theta, K, white, L, across, mean, known;
    plot_series s[3];
    char path[1200];
    int within = 0;
    int32_t i;
    ad_tape_reset(p->tape);
    theta = ad_array_const_borrow(p->tape, 1, dim, x);
    L = factor(p, theta, p->seen.n, &K, &white);
    across = ad_array_triangular_solve(L, covariance(theta,
        column(p->tape, p->seen.n, p->seen.year), column(p->tape, u->n, u->year)), AD_LOWER, 0);
    mean = ad_array_matmul_t(across, 1, white, 0);
    known = ad_array_sum(ad_array_square(across), AD_AXIS(0), 0);
    by_factor = 2 * ad_array_item(half_log_det(L)).v;
    by_elimination = ad_array_item(ad_array_logdet(K)).v;
    for (i = 0; i < u->n; i++) {
        const double predicted = p->mean + ad_array_at(mean, (size_t)i).v;
        const double bar = 1.96 * sqrt(prior - ad_array_at(known, (size_t)i).v);
        low[i] = predicted - bar;
        high[i] = predicted + bar;
        square += (predicted - u->ppm[i]) * (predicted - u->ppm[i]);
        within += fabs(predicted - u->ppm[i]) < bar;
    }
    printf("log det K: %.8f from the factor, %.8f by elimination\n"
           "%d months predicted: off by %.2f ppm (root mean square), %d within the error bars\n",
           by_factor, by_elimination, (int)u->n, sqrt(square / u->n), within);
    s[0] = plot_make("predicted: 95 %", PLOT_BAND, (size_t)u->n, u->year, low, high);
    s[1] = plot_make("measured", PLOT_POINTS, (size_t)u->n, u->year, u->ppm, NULL);
    s[2] = plot_make("known to the model", PLOT_POINTS, (size_t)p->seen.n, p->seen.year,
                     p->seen.ppm, NULL);
    snprintf(path, sizeof path, "%.1000s/gaussian_process.svg", directory);
    return plot_svg(path, "Carbon dioxide at Mauna Loa, predicted from 1991 on", "year", "ppm", 3,
                    s) && ad_tape_status(p->tape) == AD_OK && within >= 0.8 * u->n
        && fabs(by_factor - by_elimination) < 1e-9 * fabs(by_factor);
}

int main(int argc, char **argv)
{
    const char *const data = argc > 2 ? argv[2] : "examples/data/mauna_loa.txt";
    double x[THETA], g[THETA], m[THETA] = { 0 }, v[THETA] = { 0 };
    static problem p;
    ad_check_result check;
    ad_adam how;
    int step, i, good;
    p.tape = ad_tape_create(NULL);
    if (!p.tape || !read_data(data, &p)) return fprintf(stderr, "cannot read %s\n", data), 1;
    for (i = 0; i < THETA; i++) x[i] = log(start[i]);
    ad_check_fgradient(five_years, x, THETA, &p, NULL, &check);
    printf("gradient: %s\n", check.message);
    if (!ad_check_ok(check.verdict)) return 1;
    memset(&how, 0, sizeof how);
    for (step = 1; step <= STEPS; step++) {
        const double value = cost(&p, p.seen.n, x, g);
        if (step % 25 == 0 || step == 1) printf("step %3d: %9.4f\n", step, value);
        how.rate = ad_rate_cosine(0.1, 0.001, STEPS, (uint64_t)step);
        ad_adam_step(&how, (uint64_t)step, THETA, x, g, m, v);
    }
    for (i = 0; i < THETA; i++) printf("%s %.3g%s", name[i], exp(x[i]), i < 7 ? ", " : "\n");
    good = predict(&p, x, argc > 1 ? argv[1] : ".");
    ad_tape_destroy(p.tape);
    return !good;
}
