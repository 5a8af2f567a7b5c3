/* Any network learns Fashion-MNIST: the training step is compiled, and for an epoch compared with
   the tape's; or all is the tape's, where argv[3] is "tape". Include it after learn.h, with which
   the network has defined float_logits(w, images). */
#ifndef FASHION_LEARN_H
#define FASHION_LEARN_H

#include <time.h>
#include <unistd.h>
#include "plot.h"

enum { FASHION_POINTS = 2000 };

typedef struct fashion_plan {
    const char       *name;
    size_t            parts;
    const learn_part *part, *small;    /* small: the network that is checked */
    int               epochs;
    float             rate;            /* of Adam, falling to 0 along a cosine */
    int               mirror;          /* nonzero: learn from mirror images too */
    double            goal;            /* per cent of the test images */
} fashion_plan;

/* Per cent of a set that the network names; *loss: the mean of the loss. */
static double fashion_test(learner *l, fashion_batch *b, const fashion_set *set, double *loss)
{
    const size_t batch = FASHION_BATCH;
    size_t first, i, right = 0;
    *loss = 0;
    for (first = 0; first < set->n; first += batch) {
        uint32_t index[FASHION_BATCH];
        adf_array w[LEARN_PARTS], logits;
        const size_t left = set->n - first, n = left < batch ? left : batch;
        for (i = 0; i < n; i++) index[i] = (uint32_t)(first + i);
        fashion_fill(b, set, index, n, NULL);
        float_begin(l, l->x, 1, w);
        logits = float_logits(w, float_data(l->float_tape, 2, b->dim, b->pixel));
        *loss += (double)adf_array_item(adf_array_cross_entropy(logits, b->label, AD_SUM)).v;
        if (adf_array_argmax(logits, 1, index) != AD_OK) return 0;
        for (i = 0; i < n; i++) right += index[i] == b->label[i];
    }
    *loss /= (double)set->n;
    return 100.0 * (double)right / (double)set->n;
}

/* Every array to a file of its own, and back. */
static int fashion_save(learner *l, const char *directory, const char *name)
{
    float *x = l->x;
    size_t i;
    for (i = 0; i < l->parts; i++) {
        const learn_part *const p = &l->part[i];
        const size_t size = learn_size(p->rank, p->dim);
        char path[1200];
        int32_t dim[4];
        int rank = 4;
        snprintf(path, sizeof path, "%.1000s/%s_%s.npy", directory, name, p->name);
        if (adf_npy_save(path, p->rank, p->dim, x) != AD_OK)
            return fprintf(stderr, "cannot write %s\n", path), 0;
        memset(x, 0, size * sizeof *x);
        if (adf_npy_load(path, &rank, dim, size, x) != AD_OK || rank != p->rank)
            return fprintf(stderr, "cannot read %s\n", path), 0;
        x += size;
    }
    return 1;
}

/* The training step, recorded once: a function of images, of what they are and of the parameters,
   which gives the loss and its gradient by each array of parameters. (The kinds of the images are
   an array, not indices: what is no array would be captured as it stands.) */
static adf_fn *fashion_compile(learner *l, const fashion_batch *b)
{
    static const unsigned char data[2 + LEARN_PARTS] = { 1, 1 };       /* no derivative by these */
    adf_array x[2 + LEARN_PARTS], loss;
    ad_fn_desc desc;
    adf_fn *f, *step;
    memset(&desc, 0, sizeof desc);
    desc.parameters = data;
    float_begin(l, l->x, 0, x + 2);
    x[0] = adf_array_borrow(l->float_tape, 2, b->dim, b->pixel);
    x[1] = adf_array_borrow(l->float_tape, 2, b->kinds, b->target);
    loss = adf_array_cross_entropy_with(float_logits(x + 2, x[0]), x[1], AD_MEAN);
    f = adf_fn_create_arrays(l->float_tape, 2 + l->parts, x, 1, &loss, &desc);
    step = adf_fn_gradient(f);
    adf_fn_destroy(f);
    return step;
}

/* How the gradient is got, and what the first epoch, in which both ways compute it at the same
   parameters, tells of them: seconds, and the greatest distances found, of losses relative to the
   loss, of gradients to the gradient's length. */
typedef struct fashion_ways {
    adf_fn *step;                      /* NULL: by the tape alone */
    float  *other;                     /* [parameters] the tape's gradient */
    double  compiled, tape, loss, gradient;
} fashion_ways;

static double fashion_clock(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* The loss, and its gradient in l->g, by the compiled step: new data, new parameters, the same
   program. */
static float fashion_run(const adf_fn *step, learner *l, const fashion_batch *b)
{
    const float *in[2 + LEARN_PARTS];
    float *out[1 + LEARN_PARTS], loss = 0;
    size_t i, at = 0;
    in[0] = b->pixel;
    in[1] = b->target;
    out[0] = &loss;
    for (i = 0; i < l->parts; i++) {
        in[2 + i] = l->x + at;
        out[1 + i] = l->g + at;
        at += learn_size(l->part[i].rank, l->part[i].dim);
    }
    return adf_fn_run(step, in, out) == AD_OK ? loss : (float)HUGE_VAL;
}

/* The same by the tape, and how far it is from that. */
static void fashion_compare(fashion_ways *ways, learner *l, float loss)
{
    const double by_tape = (double)float_value(l->x, l->n, ways->other, l);
    double apart = 0, length = 0;
    size_t i;
    for (i = 0; i < l->n; i++) {
        const double d = (double)ways->other[i] - (double)l->g[i];
        apart += d * d;
        length += (double)l->g[i] * (double)l->g[i];
    }
    ways->loss = fmax(ways->loss, fabs(by_tape - (double)loss) / (double)loss);
    ways->gradient = fmax(ways->gradient, sqrt(apart / length));
}

static float fashion_value(fashion_ways *ways, learner *l, const fashion_batch *b, int compare)
{
    const double start = fashion_clock();
    double middle;
    float loss;
    if (!ways->step) return float_value(l->x, l->n, l->g, l);
    loss = fashion_run(ways->step, l, b);
    if (!compare) return loss;
    middle = fashion_clock();
    fashion_compare(ways, l, loss);
    ways->compiled += middle - start;
    ways->tape += fashion_clock() - middle;
    return loss;
}

/* 1 where both ways gave the same. Each adds up a mean over the batch, or a bias's gradient, in an
   order of its own, so last bits differ, and learning would amplify that; at the same parameters
   losses and gradients agree to a few roundings of float. */
static int fashion_same(const fashion_ways *ways, size_t steps)
{
    ad_fn_stats s;
    if (!ways->step) return 1;
    s = adf_fn_get_stats(ways->step);
    printf("compiled: %zu operations (%zu equal ones merged, %zu dead ones left out), %zu of them "
           "fused in %zu groups;\n%.1f MB of workspace, where each result by itself would take "
           "%.1f MB\nloss and gradient take %.2f ms, by the tape %.2f ms; losses of the first %zu "
           "steps differ by %.1e, gradients by %.1e\n", s.nodes, s.merged, s.dead, s.fused,
           s.groups, 1e-6 * (double)s.workspace_bytes, 1e-6 * (double)s.unplanned_bytes,
           1e3 * ways->compiled / (double)steps, 1e3 * ways->tape / (double)steps, steps,
           ways->loss, ways->gradient);
    return ways->loss <= 2e-6 && ways->gradient <= 2e-6;
}

/* The curves of the loss: of training, the mean of some steps at a time; of testing, after each
   epoch. */
typedef struct fashion_curve {
    size_t n, tests;
    double x[FASHION_POINTS], y[FASHION_POINTS], test_x[FASHION_POINTS], test_y[FASHION_POINTS];
} fashion_curve;

static int fashion_draw(const fashion_curve *c, const char *directory, const char *name)
{
    char path[1200];
    plot_series s[2];
    s[0] = plot_make("training", PLOT_LINE, c->n, c->x, c->y, NULL);
    s[1] = plot_make("test", PLOT_LINE, c->tests, c->test_x, c->test_y, NULL);
    snprintf(path, sizeof path, "%.1000s/%s.svg", directory, name);
    return plot_svg(path, "Fashion-MNIST: loss while learning", "epoch", "cross-entropy", 2, s);
}

/* One epoch: every image once, in an order of its own. */
static void fashion_epoch(learner *l, fashion_batch *b, const fashion_set *set,
                          const fashion_plan *plan, int epoch, uint32_t *order, float *dice,
                          fashion_ways *ways, fashion_curve *c)
{
    const size_t steps = set->n / FASHION_BATCH, every = 50;
    double sum = 0;
    size_t i, step;
    adf_random_uniform(set->n, 2, (uint64_t)epoch, dice);
    for (i = 0; i + 1 < set->n; i++) {                         /* Fisher and Yates's shuffle */
        const size_t other = i + (size_t)(dice[i] * (float)(set->n - i));
        const uint32_t swap = order[i];
        order[i] = order[other];
        order[other] = swap;
    }
    adf_random_uniform(set->n, 3, (uint64_t)epoch, dice);
    for (step = 0; step < steps; step++) {
        const uint64_t total = (uint64_t)plan->epochs * steps;
        fashion_fill(b, set, order + step * FASHION_BATCH, FASHION_BATCH,
                     plan->mirror ? dice + step * FASHION_BATCH : NULL);
        sum += (double)fashion_value(ways, l, b, epoch == 0);
        learn_step(l, adf_rate_cosine(plan->rate, 0, total, l->step));
        if ((step + 1) % every != 0) continue;
        if (c->n < FASHION_POINTS) {
            c->x[c->n] = epoch + (double)(step + 1) / (double)steps;
            c->y[c->n++] = sum / (double)every;
        }
        if (isatty(1)) {
            printf("\repoch %2d of %d: %5.1f %%  loss %.4f ", epoch + 1, plan->epochs,
                   100.0 * (double)(step + 1) / (double)steps, sum / (double)every);
            fflush(stdout);
        }
        sum = 0;
    }
}

/* Learns, tests, saves and draws. The exit code: 1 where the goal is not reached. */
static int fashion_main(int argc, char **argv, const fashion_plan *plan)
{
    static fashion_batch batch;
    static fashion_curve curve;
    const char *const directory = argc > 1 ? argv[1] : "/usr/share/datasets/fashion-mnist";
    const char *const output = argc > 2 ? argv[2] : ".";
    fashion_set train, test;
    uint32_t *order;
    float *dice;
    double loss, right = 0, again;
    int epoch;
    size_t i;
    learner l;
    fashion_ways ways;
    if (!fashion_read(directory, "train", 60000, &train)
        || !fashion_read(directory, "t10k", 10000, &test)) {
        printf("SKIP %s: no Fashion-MNIST in %s. Debian: apt install dataset-fashion-mnist.\n"
               "Elsewhere: the four .gz files of github.com/zalandoresearch/fashion-mnist, in a "
               "directory\nto be named on the command line. gzip must be there.\n", plan->name,
               directory);
        return 0;
    }
    order = (uint32_t *)malloc(train.n * sizeof *order);
    dice = (float *)malloc(train.n * sizeof *dice);
    memset(&ways, 0, sizeof ways);
    if (!learn_create(&l, plan->parts, plan->part, &batch) || !order || !dice
        || !(ways.other = (float *)malloc(l.n * sizeof *ways.other)))
        return fputs("out of memory\n", stderr), 1;
    for (i = 0; i < train.n; i++) order[i] = (uint32_t)i;

    fashion_fill(&batch, &train, order, 4, NULL);
    if (!learn_check(plan->parts, plan->small, &batch)) return 1;
    fashion_fill(&batch, &train, order, FASHION_BATCH, NULL);
    if (argc <= 3 || strcmp(argv[3], "tape") != 0) {
        ways.step = fashion_compile(&l, &batch);
        if (adf_fn_status(ways.step) != AD_OK)
            return fprintf(stderr, "%s\n", adf_fn_message(ways.step)), 1;
    }
    printf("%s: %d parameters, %d epochs\n", plan->name, (int)l.n, plan->epochs);
    for (epoch = 0; epoch < plan->epochs; epoch++) {
        fashion_epoch(&l, &batch, &train, plan, epoch, order, dice, &ways, &curve);
        if (epoch == 0 && !fashion_same(&ways, train.n / FASHION_BATCH)) return 1;
        right = fashion_test(&l, &batch, &test, &loss);
        curve.test_x[curve.tests] = epoch + 1;
        curve.test_y[curve.tests++] = loss;
        printf("%sepoch %2d of %d: loss %.4f, of the test images %.4f, %.2f %% right, %4.0f s\n",
               isatty(1) ? "\r" : "", epoch + 1, plan->epochs, curve.y[curve.n - 1], loss, right,
               fashion_clock());
        fflush(stdout);
    }
    if (!fashion_draw(&curve, output, plan->name) || !fashion_save(&l, output, plan->name))
        return 1;
    again = fashion_test(&l, &batch, &test, &loss);
    printf("%s: %.2f %% of the test images, %.2f %% with the parameters read back; the goal is "
           "%.1f %%\n%s/%s.svg has the curves of the loss, %s_*.npy the parameters\n",
           plan->name, right, again, plan->goal, output, plan->name, plan->name);
    learn_destroy(&l);
    adf_fn_destroy(ways.step);
    free(order), free(dice), free(ways.other);
    free(train.pixel), free(train.label), free(test.pixel), free(test.label);
    return !(right >= plan->goal && again == right);
}

#endif
