/* A variational autoencoder (Kingma & Welling 2014): pictures of a disc somewhere, 16 x 16 pixels,
   are squeezed through two numbers and drawn again from them. Nobody tells it what the two numbers
   are to be; in the end they are the disc's place. Tested with discs that it has not seen: those
   that it draws must be within a pixel of where they should be. Exit code 1 if not.

       cc -O2 examples/vae.c -o vae -lm && ./vae [OUTPUT]

   Leaves OUTPUT/vae.pgm (.): what all pairs of numbers between -2 and 2 stand for. */
#ifdef ARRAY            /* the network, which learn.h includes twice: for floats and for doubles */

static ARRAY NET(layer)(ARRAY x, const ARRAY *w)                    /* w[0]: matrix, w[1]: bias */
{
    return OP(add)(OP(matmul)(x, w[0]), w[1]);
}

static ARRAY NET(pictures)(TAPE *t, const pictures *p)
{
    int32_t dim[2] = { 0, PIXELS };
    dim[0] = p->n;
    return NET(data)(t, 2, dim, p->pixel);
}

static ARRAY NET(decoder)(const ARRAY *w, ARRAY code)               /* the logits of the pixels */
{
    return NET(layer)(OP(tanh)(NET(layer)(code, w + OUT_W)), w + LAST_W);
}

/* What the pixels cost, in nats, and what the code costs: its divergence from normal numbers, half
   the sum of mean^2 + variance - log(variance) - 1. */
static ARRAY NET(loss)(TAPE *t, const ARRAY *w, const void *data)
{
    const pictures *const p = (const pictures *)data;
    const ARRAY x = NET(pictures)(t, p), h = OP(tanh)(NET(layer)(x, w + IN_W));
    const ARRAY mean = NET(layer)(h, w + MEAN_W), log_var = NET(layer)(h, w + VAR_W);
    const ARRAY noise = NET(data)(t, 2, mean.dim, p->noise);
    const ARRAY code = OP(fma)(noise, OP(exp)(OP(mul_r)(log_var, (NUMBER)0.5)), mean);
    const ARRAY pixels = OP(binary_cross_entropy)(NET(decoder)(w, code), x, AD_SUM);
    const ARRAY size = OP(add)(OP(square)(mean), OP(exp)(log_var));
    const ARRAY far = OP(sum)(OP(sub_r)(OP(sub)(size, log_var), 1), AD_ALL_AXES, 0);
    return OP(div_r)(OP(add)(OP(mul_r)(far, (NUMBER)0.5), pixels), (NUMBER)p->n);
}

#else                   /* the program */
#ifndef EXAMPLE_LINKED                       /* else the implementation is in another file */
#define AUTODIFF_CHECK
#define AUTODIFF_IMPLEMENTATION
#endif
#include "../autodiff.h"

enum { SIDE = 16, PIXELS = SIDE * SIDE, HIDDEN = 64, CODE = 2, BATCH = 64, STEPS = 4000,
       GRID = 15 };
enum { IN_W, IN_B, MEAN_W, MEAN_B, VAR_W, VAR_B, OUT_W, OUT_B, LAST_W, LAST_B, PARTS };

typedef struct pictures {
    int32_t  n;
    float    place[BATCH][2], pixel[BATCH * PIXELS];
    float    noise[BATCH * CODE];            /* what the code is disturbed with */
} pictures;

#define LEARN_NETWORK "vae.c"
#include "learn.h"

static const learn_part parts[PARTS] = {
    { "in_w",   2, { PIXELS, HIDDEN }, PIXELS }, { "in_b",   1, { HIDDEN }, 0 },
    { "mean_w", 2, { HIDDEN, CODE },   HIDDEN }, { "mean_b", 1, { CODE },   0 },
    { "var_w",  2, { HIDDEN, CODE },   HIDDEN }, { "var_b",  1, { CODE },   0 },
    { "out_w",  2, { CODE, HIDDEN },   CODE },   { "out_b",  1, { HIDDEN }, 0 },
    { "last_w", 2, { HIDDEN, PIXELS }, HIDDEN }, { "last_b", 1, { PIXELS }, 0 }
};

/* Discs of radius 3 with soft edges at random places, wholly within the picture. */
static void draw(pictures *p, int32_t n, uint64_t seed, uint64_t call)
{
    int i, k;
    p->n = n;
    adf_random_normal((size_t)n * CODE, seed, call, p->noise);
    adf_random_uniform((size_t)n * 2, seed, ~call, p->place[0]);
    for (i = 0; i < n; i++) {
        float *const at = p->place[i];
        at[0] = 3 + at[0] * (SIDE - 7);
        at[1] = 3 + at[1] * (SIDE - 7);
        for (k = 0; k < PIXELS; k++) {
            const float r = hypotf((float)(k % SIDE) - at[0], (float)(k / SIDE) - at[1]);
            p->pixel[i * PIXELS + k] = 1 / (1 + expf(4 * (r - 3)));
        }
    }
}

/* The greatest distance between where a disc is and where the network draws it, in pixels. */
static double worst(learner *l, const pictures *p)
{
    adf_array w[LEARN_PARTS], h;
    const float *y;
    double most = 0;
    int i, k;
    float_begin(l, l->x, 1, w);
    h = adf_array_tanh(float_layer(float_pictures(l->float_tape, p), w + IN_W));
    y = adf_array_values(adf_array_sigmoid(float_decoder(w, float_layer(h, w + MEAN_W))));
    if (!y) return HUGE_VAL;
    for (i = 0; i < p->n; i++) {                             /* its centre of gravity */
        double mass = 0, x0 = 0, x1 = 0;
        for (k = 0; k < PIXELS; k++) {
            const double v = (double)y[i * PIXELS + k];
            mass += v;
            x0 += v * (k % SIDE);
            x1 += v * (k / SIDE);
        }
        most = fmax(most, hypot(x0 / mass - (double)p->place[i][0],
                                x1 / mass - (double)p->place[i][1]));
    }
    return most;
}

/* A picture of pictures: what the codes of a grid stand for. */
static int save(learner *l, const char *directory)
{
    static const int32_t dim[2] = { GRID * GRID, CODE };
    float code[GRID * GRID][CODE];
    adf_array w[LEARN_PARTS];
    const float *y;
    char path[1200];
    FILE *file;
    int i, k;
    for (i = 0; i < GRID * GRID; i++) {
        code[i][0] = 4 * (float)(i % GRID) / (GRID - 1) - 2;
        code[i][1] = 4 * (float)(i / GRID) / (GRID - 1) - 2;
    }
    float_begin(l, l->x, 1, w);
    y = adf_array_values(adf_array_sigmoid(float_decoder(w, float_data(l->float_tape, 2, dim,
                                                                          code[0]))));
    snprintf(path, sizeof path, "%.1000s/vae.pgm", directory);
    file = fopen(path, "wb");
    if (!y || !file) return fprintf(stderr, "cannot write %s\n", path), 0;
    fprintf(file, "P5 %d %d 255\n", GRID * SIDE, GRID * SIDE);
    for (i = 0; i < GRID * SIDE; i++)
        for (k = 0; k < GRID * SIDE; k++) {
            const int picture = i / SIDE * GRID + k / SIDE, pixel = i % SIDE * SIDE + k % SIDE;
            fputc((int)(255 * y[picture * PIXELS + pixel]), file);
        }
    return fclose(file) == 0;
}

int main(int argc, char **argv)
{
    const char *const output = argc > 1 ? argv[1] : ".";
    static pictures p;
    double distance, sum = 0;
    learner l;
    int step;
    draw(&p, 4, 1, 0);
    if (!learn_check(PARTS, parts, &p) || !learn_create(&l, PARTS, parts, &p)) return 1;
    for (step = 1; step <= STEPS; step++) {
        draw(&p, BATCH, 1, (uint64_t)step);
        sum += (double)float_value(l.x, l.n, l.g, &l);
        learn_step(&l, adf_rate_cosine(0.005f, 0, STEPS, l.step));
        if (step % 500 != 0) continue;
        draw(&p, BATCH, 2, (uint64_t)step);
        printf("step %4d: %6.2f nats a picture; unseen discs are drawn within %.2f pixels\n", step,
               sum / 500, worst(&l, &p));
        sum = 0;
    }
    draw(&p, BATCH, 3, 0);
    distance = worst(&l, &p);
    if (!save(&l, output)) return 1;
    printf("%d more unseen discs are drawn within %.2f pixels of their place; the goal is 1\n"
           "%s/vae.pgm shows what the codes stand for\n", BATCH, distance, output);
    learn_destroy(&l);
    return !(distance < 1);
}
#endif
