/* What arrays on the tape cost: the side of autodiff.h. bench/run_arrays.sh runs it beside
   bench/arrays_torch.py, which does the same with PyTorch, one after the other.
       arrays --list             rows: name, goal (times as fast as PyTorch), what it is
       arrays --pairs            rows beside other rows: name, the other (- is PyTorch), what is
                                 compared, goal, what it is; time: the other's over this one's, at
                                 least; memory: this one's over the other's, at most; bytes: at most
       arrays                    commands from standard input, one line of answer each:
           value NAME            a fresh one; the loss in the second step, and the norm of all
                                 gradients in the first (Adam turns the last bits of gradients
                                 near 0 into others of the parameters)
           time NAME             nanoseconds a step, the median of one round of them; of the
                                 processor's time, which other programs disturb less
           memory NAME           bytes: the most that the tape or the compiled function has held
                                 in two steps, and the results where they are the caller's;
                                 operands are not counted
       arrays --resident NAME    bytes: by how much the resident set has grown at most in the first
                                 step of a fresh process, as bench/arrays_torch.py measures its own
                                 (Linux; -1 elsewhere)
       arrays --about            the compiler
   Data are hashes of their places, so that both sides have the same. The tape stays from step to
   step and is reset; parameters, inputs and targets are borrowed. A compiled function is made of
   what one step records, the gradient with it, with parameters, inputs and targets as its
   operands, and the tape is given back; that takes no part in a step. */
#include <math.h>
#include <stdint.h>
#include <string.h>
#include "bench.h"
#include "../autodiff.h"

#define ROUND 40e6                            /* nanoseconds */

enum { MAX_ARRAYS = 16, LINKS = 64, PARTS = 5 };

typedef struct row {
    const char *name;
    double goal;
    void (*make)(const struct row *r);        /* data of the row; the tapes are empty */
    void (*step)(const struct row *r);
    size_t n, k;                              /* sizes */
    int    way;                               /* variant of the step */
    const char *what;
} row;

/* What the current row has: memory that is freed with it, and what a step leaves. */
static void *memory[64];
static size_t n_memory;
static ad_tape *dt;
static adf_tape *ft;
static double loss;
static adf_array fg[MAX_ARRAYS];              /* whose adjoints are the gradient */
static ad_array dg[MAX_ARRAYS];
static size_t n_fg, n_dg;
static adf_fn *ff[2];
static ad_fn *df[2];
static uint64_t steps;                        /* done since the data were made */
static size_t held, most_held;                /* bytes, by tapes and compiled functions */
static double each;                           /* nanoseconds of a step; 0: not known yet */

static void *room(size_t bytes)
{
    void *p = calloc(bytes + 64, 1);
    if (!p || n_memory == sizeof memory / sizeof *memory) exit(2);
    return memory[n_memory++] = p;
}

/* In [0, 1), with 24 bits, so that a float has it. */
static double hashed(uint64_t salt, uint64_t i)
{
    uint64_t z = (i + 1) * UINT64_C(0x9E3779B97F4A7C15) + salt * UINT64_C(0xD1B54A32D192ED03);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    z ^= z >> 31;
    return (double)(z >> 40) / 16777216.0;
}

static void *resize(void *user, void *old, size_t old_bytes, size_t new_bytes)
{
    void *p = NULL;
    (void)user;
    if (new_bytes == 0) free(old);
    else if ((p = realloc(old, new_bytes)) == NULL) return NULL;
    held += new_bytes - old_bytes;
    if (held > most_held) most_held = held;
    return p;
}

static float *floats(size_t n, uint64_t salt, double low, double high)
{
    float *x = (float *)room(n * sizeof *x);
    size_t i;
    for (i = 0; i < n; i++) x[i] = (float)(low + (high - low) * hashed(salt, i));
    return x;
}

static double *doubles(size_t n, uint64_t salt, double low, double high)
{
    double *x = (double *)room(n * sizeof *x);
    size_t i;
    for (i = 0; i < n; i++) x[i] = low + (high - low) * hashed(salt, i);
    return x;
}

static uint32_t *classes(size_t n, uint64_t salt, uint32_t count)
{
    uint32_t *c = (uint32_t *)room(n * sizeof *c);
    size_t i;
    for (i = 0; i < n; i++) c[i] = (uint32_t)(hashed(salt, i) * count);
    return c;
}

static const int32_t *dims(int32_t a, int32_t b, int32_t c, int32_t d)
{
    static int32_t ring[8][4], next;
    int32_t *r = ring[next++ & 7];
    r[0] = a, r[1] = b, r[2] = c, r[3] = d;
    return r;
}

/* The loss, or NaN where there is none. */
static void keep(const float *f, const double *d)
{
    loss = f ? (double)*f : d ? *d : (double)NAN;
}

static adf_array borrow(const float *x, int rank, const int32_t *dim)
{
    return adf_array_borrow(ft, rank, dim, x);
}

/* Operand k of a step, whose gradient is wanted. */
static const float *lent[MAX_ARRAYS];
static void lend(size_t k, const float *x, int rank, const int32_t *dim)
{
    lent[k] = x;
    fg[k] = borrow(x, rank, dim);
    n_fg = k + 1;
}

/* ---------------------------------------------------------------- compiled functions */

static adf_fn *program;
static const float *program_x[MAX_ARRAYS];
static float *program_y[MAX_ARRAYS + 1];      /* the result, then the gradient by each fg */
static size_t program_size[MAX_ARRAYS + 1], n_program, program_bytes;
static size_t workspace;                      /* ad_fn_desc's */

/* y and the derivatives of a number, which is y or its sum, as a function of fg and of n arrays
   more that are lent. */
static void compile(adf_array y, size_t n, const adf_array *more, const float *const *data)
{
    const adf_array sum = adf_array_size(y) == 1 ? y : adf_array_sum(y, AD_ALL_AXES, 0);
    adf_array x[MAX_ARRAYS], to[MAX_ARRAYS + 1];
    ad_fn_desc desc;
    ad_tape_desc of_tape;
    size_t k;
    memset(&desc, 0, sizeof desc);
    desc.resize = resize;
    desc.workspace = workspace;
    for (k = 0; k < n_fg; k++) x[k] = fg[k], program_x[k] = lent[k];
    for (k = 0; k < n; k++) x[n_fg + k] = more[k], program_x[n_fg + k] = data[k];
    to[0] = y;
    if (n_fg) adf_array_grad(adf_array_item(sum), n_fg, fg, to + 1);
    program = adf_fn_create_arrays(ft, n_fg + n, x, n_fg + 1, to, &desc);
    n_program = n_fg + 1;
    for (program_bytes = 0, k = 0; k < n_program; k++) {
        program_size[k] = adf_array_size(to[k]);
        program_y[k] = (float *)room(program_size[k] * sizeof(float));
        program_bytes += program_size[k] * sizeof(float);
    }
    if (adf_tape_status(ft) != AD_OK) printf("error %s\n", adf_tape_message(ft));
    adf_tape_destroy(ft);
    memset(&of_tape, 0, sizeof of_tape);
    of_tape.resize = resize;
    ft = adf_tape_create(&of_tape);
    n_fg = 0;
}

/* ---------------------------------------------------------------- training steps */

typedef struct parameter {
    int     rank;
    int32_t dim[4];
    size_t  n;
    float  *x, *m, *v;
} parameter;
static parameter parameters[MAX_ARRAYS];
static size_t n_parameters;
static float *inputs, *operand[8], *seed;
static uint32_t *labels;

/* As PyTorch begins: uniform up to 1 / sqrt(inputs of a unit). */
static void add_parameter(int rank, const int32_t *dim, int32_t fan_in)
{
    parameter *p = &parameters[n_parameters++];
    const double most = 1 / sqrt((double)fan_in);
    int k;
    p->rank = rank;
    for (p->n = 1, k = 0; k < rank; k++) p->n *= (size_t)(p->dim[k] = dim[k]);
    p->x = floats(p->n, 10 + n_parameters, -most, most);
    p->m = (float *)room(p->n * sizeof(float));
    p->v = (float *)room(p->n * sizeof(float));
}

static void update(const float *const *gradient)
{
    adf_adam how;
    size_t k;
    memset(&how, 0, sizeof how);
    steps++;
    for (k = 0; k < n_parameters; k++)
        adf_adam_step(&how, steps, parameters[k].n, parameters[k].x, gradient[k], parameters[k].m,
                      parameters[k].v);
}

static void train(adf_array y)
{
    const float *gradient[MAX_ARRAYS];
    size_t k;
    adf_backward(adf_array_item(y));
    keep(adf_array_values(y), NULL);
    for (k = 0; k < n_parameters; k++) gradient[k] = adf_array_adjoints(fg[k]);
    update(gradient);
}

/* A step by the compiled function. */
static void program_step(const row *r)
{
    (void)r;
    adf_fn_run(program, program_x, program_y);
    keep(program_y[0], NULL);
    if (n_parameters) update((const float *const *)program_y + 1);
}

static void place_parameters(void)
{
    size_t k;
    adf_tape_reset(ft);
    for (k = 0; k < n_parameters; k++)
        lend(k, parameters[k].x, parameters[k].rank, parameters[k].dim);
}

/* The training step of a network as a compiled function. Labels would be captured: it takes their
   rows of ones and zeros. */
static void compile_step(adf_array (*network)(adf_array x), int rank, const int32_t *of_inputs)
{
    const int32_t rows = of_inputs[0];
    adf_array more[2];
    const float *data[2];
    float *ones = (float *)room((size_t)rows * 10 * sizeof *ones);
    int32_t k;
    for (k = 0; k < rows; k++) ones[10 * k + (int32_t)labels[k]] = 1;
    data[0] = inputs, data[1] = ones;
    place_parameters();
    more[0] = borrow(inputs, rank, of_inputs);
    more[1] = borrow(ones, 2, dims(rows, 10, 1, 1));
    compile(adf_array_cross_entropy_with(network(more[0]), more[1], AD_MEAN), 2, more, data);
}

static adf_array linear(adf_array x, size_t k)
{
    return adf_array_add(adf_array_matmul_t(x, 0, fg[k], 1), fg[k + 1]);
}

static adf_array cnn(adf_array h)
{
    ad_conv_desc conv;
    ad_pool_desc pool;
    size_t k;
    memset(&conv, 0, sizeof conv);
    memset(&pool, 0, sizeof pool);
    conv.pad[0] = conv.pad[1] = 1;
    pool.size[0] = pool.size[1] = 2;
    for (k = 0; k < 6; k += 2) {
        adf_array b = adf_array_reshape(fg[k + 1], 3, dims(fg[k + 1].dim[0], 1, 1, 1));
        h = adf_array_relu(adf_array_add(adf_array_conv2d(h, fg[k], &conv), b));
        h = adf_array_max_pool(h, &pool);
    }
    h = adf_array_relu(linear(adf_array_reshape(h, 2, dims(64, 2048, 1, 1)), 6));
    return linear(h, 8);
}

static void cnn_make(const row *r)
{
    static const int32_t channels[4] = { 3, 32, 64, 128 };
    int k;
    inputs = floats(64 * 3 * 32 * 32, 1, -1, 1);
    labels = classes(64, 2, 10);
    for (k = 0; k < 3; k++) {
        add_parameter(4, dims(channels[k + 1], channels[k], 3, 3), 9 * channels[k]);
        add_parameter(1, dims(channels[k + 1], 1, 1, 1), 9 * channels[k]);
    }
    add_parameter(2, dims(256, 2048, 1, 1), 2048);
    add_parameter(1, dims(256, 1, 1, 1), 2048);
    add_parameter(2, dims(10, 256, 1, 1), 256);
    add_parameter(1, dims(10, 1, 1, 1), 256);
    if (r->way) compile_step(cnn, 4, dims(64, 3, 32, 32));
}

static void cnn_step(const row *r)
{
    (void)r;
    place_parameters();
    train(adf_array_cross_entropy(cnn(adf_array_const_borrow(ft, 4, dims(64, 3, 32, 32), inputs)),
                                  labels, AD_MEAN));
}

static adf_array mlp(adf_array h)
{
    h = adf_array_relu(linear(h, 0));
    h = adf_array_relu(linear(h, 2));
    return linear(h, 4);
}

static void mlp_make(const row *r)
{
    static const int32_t width[4] = { 784, 256, 128, 10 };
    int k;
    inputs = floats(64 * 784, 1, -1, 1);
    labels = classes(64, 2, 10);
    for (k = 0; k < 3; k++) {
        add_parameter(2, dims(width[k + 1], width[k], 1, 1), width[k]);
        add_parameter(1, dims(width[k + 1], 1, 1, 1), width[k]);
    }
    if (r->way) compile_step(mlp, 2, dims(64, 784, 1, 1));
}

static void mlp_step(const row *r)
{
    (void)r;
    place_parameters();
    train(adf_array_cross_entropy(mlp(adf_array_const_borrow(ft, 2, dims(64, 784, 1, 1), inputs)),
                                  labels, AD_MEAN));
}

/* ---------------------------------------------------------------- parts of networks

   Forwards and backwards, without the optimiser; the loss is the mean square from targets. */

static float *targets_of_part;

static void part_data(size_t n_inputs, size_t n_targets)
{
    inputs = floats(n_inputs, 1, -1, 1);
    targets_of_part = floats(n_targets, 2, -1, 1);
}

static void part_loss(adf_array (*network)(adf_array x), int rank, const int32_t *of_inputs,
                      int target_rank, const int32_t *of_targets, int compiled)
{
    adf_array more[2], y;
    const float *data[2];
    data[0] = inputs, data[1] = targets_of_part;
    if (compiled) {
        more[0] = borrow(inputs, rank, of_inputs);
        more[1] = borrow(targets_of_part, target_rank, of_targets);
    } else {
        more[0] = adf_array_const_borrow(ft, rank, of_inputs, inputs);
        more[1] = adf_array_const_borrow(ft, target_rank, of_targets, targets_of_part);
    }
    y = adf_array_squared_error(network(more[0]), more[1], AD_MEAN);
    if (compiled) {
        compile(y, 2, more, data);
        return;
    }
    adf_backward(adf_array_item(y));
    keep(adf_array_values(y), NULL);
}

/* Attention with 8 heads and what was there added: 8 sequences of 64 places, 256 wide. */
enum { SEQUENCES = 8, LENGTH = 64, WIDTH = 256, HEADS = 8 };

static adf_array attention(adf_array x)
{
    static const int places[4] = { 0, 2, 1, 3 };
    const int32_t *split = dims(SEQUENCES, LENGTH, HEADS, WIDTH / HEADS);
    adf_array part[3], h = linear(x, 0);
    int k;
    adf_array_split(h, -1, 3, part);
    for (k = 0; k < 3; k++)
        part[k] = adf_array_permute(adf_array_reshape(part[k], 4, split), places);
    h = adf_array_mul_r(adf_array_matmul_t(part[0], 0, part[1], 1),
                        (float)(1 / sqrt((double)WIDTH / HEADS)));
    h = adf_array_permute(adf_array_matmul(adf_array_softmax(h, -1), part[2]), places);
    return adf_array_add(x, linear(adf_array_reshape(h, 3, dims(SEQUENCES, LENGTH, WIDTH, 1)), 2));
}

static void attention_step(const row *r)
{
    const int32_t *dim = dims(SEQUENCES, LENGTH, WIDTH, 1);
    adf_tape_reset(ft);
    lend(0, operand[0], 2, dims(3 * WIDTH, WIDTH, 1, 1));
    lend(1, operand[1], 1, dims(3 * WIDTH, 1, 1, 1));
    lend(2, operand[2], 2, dims(WIDTH, WIDTH, 1, 1));
    lend(3, operand[3], 1, dims(WIDTH, 1, 1, 1));
    part_loss(attention, 3, dim, 3, dim, r->way);
}

static void attention_make(const row *r)
{
    part_data(SEQUENCES * LENGTH * WIDTH, SEQUENCES * LENGTH * WIDTH);
    operand[0] = floats(3 * WIDTH * WIDTH, 3, -0.0625, 0.0625);
    operand[1] = floats(3 * WIDTH, 4, -0.0625, 0.0625);
    operand[2] = floats(WIDTH * WIDTH, 5, -0.0625, 0.0625);
    operand[3] = floats(WIDTH, 6, -0.0625, 0.0625);
    if (r->way) attention_step(r);
}

/* An LSTM of 128 units over 16 steps of 64 inputs, batch 32. */
enum { STEPS = 16, BATCH = 32, INPUTS = 64, UNITS = 128 };

static adf_array lstm_batch(adf_array x)
{
    adf_array h, c, z, gate[4], all[STEPS];
    int s;
    x = adf_array_add(adf_array_matmul_t(x, 0, fg[0], 1), fg[2]);
    h = c = adf_array_full(ft, 2, dims(BATCH, UNITS, 1, 1), 0);
    for (s = 0; s < STEPS; s++) {
        z = adf_array_slice(x, 0, s * BATCH, (s + 1) * BATCH, 1);
        z = adf_array_add(z, adf_array_matmul_t(h, 0, fg[1], 1));
        adf_array_split(z, 1, 4, gate);
        c = adf_array_add(adf_array_mul(adf_array_sigmoid(gate[1]), c),
                          adf_array_mul(adf_array_sigmoid(gate[0]), adf_array_tanh(gate[2])));
        all[s] = h = adf_array_mul(adf_array_sigmoid(gate[3]), adf_array_tanh(c));
    }
    return adf_array_concatenate(STEPS, all, 0);
}

static void lstm_batch_step(const row *r)
{
    adf_tape_reset(ft);
    lend(0, operand[0], 2, dims(4 * UNITS, INPUTS, 1, 1));
    lend(1, operand[1], 2, dims(4 * UNITS, UNITS, 1, 1));
    lend(2, operand[2], 1, dims(4 * UNITS, 1, 1, 1));
    part_loss(lstm_batch, 2, dims(STEPS * BATCH, INPUTS, 1, 1), 2,
              dims(STEPS * BATCH, UNITS, 1, 1), r->way);
}

static void lstm_batch_make(const row *r)
{
    part_data(STEPS * BATCH * INPUTS, STEPS * BATCH * UNITS);
    operand[0] = floats(4 * UNITS * INPUTS, 3, -0.088, 0.088);
    operand[1] = floats(4 * UNITS * UNITS, 4, -0.088, 0.088);
    operand[2] = floats(4 * UNITS, 5, -0.088, 0.088);
    if (r->way) lstm_batch_step(r);
}

/* Six layers with gelu, 1,024 rows of 64, as a function whose workspace is to be as small as it can
   (way 2), or as it comes. */
enum { GELU_LAYERS = 6, GELU_ROWS = 1024, GELU_WIDTH = 64 };

static adf_array gelu(adf_array x)
{
    int k;
    for (k = 0; k < GELU_LAYERS; k++) x = adf_array_gelu(linear(x, (size_t)(2 * k)));
    return x;
}

static void gelu_make(const row *r)
{
    static const int32_t rows[2] = { GELU_ROWS, GELU_WIDTH };
    int k;
    part_data(GELU_ROWS * GELU_WIDTH, GELU_ROWS * GELU_WIDTH);
    for (k = 0; k < GELU_LAYERS; k++) {
        lend((size_t)(2 * k), floats(GELU_WIDTH * GELU_WIDTH, (uint64_t)(3 + 2 * k), -0.1, 0.1), 2,
             dims(GELU_WIDTH, GELU_WIDTH, 1, 1));
        lend((size_t)(2 * k + 1), floats(GELU_WIDTH, (uint64_t)(4 + 2 * k), -0.1, 0.1), 1,
             dims(GELU_WIDTH, 1, 1, 1));
    }
    workspace = r->way == 2;
    part_loss(gelu, 2, rows, 2, rows, 1);
    workspace = 0;
}

/* relu(x * gain + bias) with a gain and a bias for each of 64 channels (way 1), or for all. */
static void channels_make(const row *r)
{
    const int32_t *const of_x = dims(32, 64, 28, 28), *const of_gain = dims(64, 1, 1, 1);
    const float *data[3];
    adf_array a[3];
    data[0] = floats(32 * 64 * 28 * 28, 1, -1, 1);
    data[1] = floats(64, 2, 0.5, 1.5);
    data[2] = floats(64, 3, -1, 1);
    a[0] = borrow(data[0], 4, of_x);
    a[1] = borrow(data[1], r->way ? 3 : 1, r->way ? of_gain : dims(1, 1, 1, 1));
    a[2] = borrow(data[2], r->way ? 3 : 1, r->way ? of_gain : dims(1, 1, 1, 1));
    compile(adf_array_mean(adf_array_relu(adf_array_add(adf_array_mul(a[0], a[1]), a[2])),
                           AD_ALL_AXES, 0), 3, a, data);
}

/* ---------------------------------------------------------------- layers and reductions */

/* Backward from a whole array; the loss is the sum of the sizes of its elements. */
static void sweep(adf_array y, const float *y_bar)
{
    adf_array_backward(y, y_bar);
    fg[n_fg] = y;                             /* whose values the check wants */
}

static double sum_of_numbers(size_t n, const float *v)
{
    double s = 0;
    size_t i;
    for (i = 0; v && i < n; i++) s += fabs((double)v[i]);
    return s;
}

static double sum_of_sizes(adf_array y)
{
    return sum_of_numbers(adf_array_size(y), adf_array_values(y));
}

static void chain_make(const row *r)
{
    char error[160];
    uint64_t k;
    for (k = 0; k < 4; k++) operand[k] = floats(r->n, k + 1, -1, 1);
    if (r->way) ff[0] = adf_fn_parse("sigmoid(a*x + b)*c", "a x b c", error, sizeof error);
}

static void chain_step(const row *r)
{
    const int32_t *dim = dims((int32_t)r->n, 1, 1, 1);
    size_t k;
    adf_tape_reset(ft);
    for (k = 0; k < 4; k++) fg[k] = borrow(operand[k], 1, dim);
    n_fg = 4;
    if (r->way) sweep(adf_array_map(ff[0], 4, fg), NULL);
    else sweep(adf_array_mul(adf_array_sigmoid(adf_array_fma(fg[0], fg[1], fg[2])), fg[3]), NULL);
}

/* Ten operations, forwards and backwards: u = a b + c, s = sigmoid(u), t = tanh(s d), w = t - a,
   y = (w^2 + b) s + t. way 0: on the tape, 1: compiled, 2: bench/arrays_hand.c. */
void ten_by_hand(size_t n, const float *a, const float *b, const float *c, const float *d, float *y,
                 float *a_bar, float *b_bar, float *c_bar, float *d_bar);

static void ten_step(const row *r)
{
    const int32_t *dim = dims((int32_t)r->n, 1, 1, 1);
    adf_array s, t, y;
    size_t k;
    adf_tape_reset(ft);
    for (k = 0; k < 4; k++) lend(k, operand[k], 1, dim);
    s = adf_array_sigmoid(adf_array_add(adf_array_mul(fg[0], fg[1]), fg[2]));
    t = adf_array_tanh(adf_array_mul(s, fg[3]));
    y = adf_array_add(adf_array_square(adf_array_sub(t, fg[0])), fg[1]);
    y = adf_array_add(adf_array_mul(y, s), t);
    if (r->way) compile(y, 0, NULL, NULL);
    else sweep(y, NULL);
}

static void ten_hand_step(const row *r)
{
    ten_by_hand(r->n, operand[0], operand[1], operand[2], operand[3], program_y[0], program_y[1],
                program_y[2], program_y[3], program_y[4]);
}

static void ten_make(const row *r)
{
    size_t k;
    for (k = 0; k < 4; k++) operand[k] = floats(r->n, k + 1, -1, 1);
    if (r->way == 1) ten_step(r);
    if (r->way != 2) return;
    for (n_program = 5, k = 0; k < n_program; k++) {
        program_size[k] = r->n;
        program_y[k] = (float *)room(r->n * sizeof(float));
    }
}

/* Ten tanh one after the other. */
static void tanh_step(const row *r)
{
    adf_array y;
    int k;
    adf_tape_reset(ft);
    lend(0, operand[0], 1, dims((int32_t)r->n, 1, 1, 1));
    for (y = fg[0], k = 0; k < 10; k++) y = adf_array_tanh(y);
    if (r->way) compile(y, 0, NULL, NULL);
    else sweep(y, NULL);
}

static void tanh_make(const row *r)
{
    operand[0] = floats(r->n, 1, -1, 1);
    if (r->way) tanh_step(r);
}

static void softmax_make(const row *r)
{
    (void)r;
    operand[0] = floats(64 * 1000, 1, -4, 4);
    labels = classes(64, 2, 1000);
}

static void softmax_step(const row *r)
{
    (void)r;
    adf_tape_reset(ft);
    fg[0] = borrow(operand[0], 2, dims(64, 1000, 1, 1));
    n_fg = 1;
    sweep(adf_array_cross_entropy(fg[0], labels, AD_MEAN), NULL);
}

static void norm_make(const row *r)
{
    (void)r;
    operand[0] = floats(64 * 1024, 1, -2, 2);
    operand[1] = floats(1024, 2, 0.5, 1.5);
    operand[2] = floats(1024, 3, -1, 1);
    seed = floats(64 * 1024, 4, -1, 1);
}

static void norm_step(const row *r)
{
    (void)r;
    adf_tape_reset(ft);
    fg[0] = borrow(operand[0], 2, dims(64, 1024, 1, 1));
    fg[1] = borrow(operand[1], 1, dims(1024, 1, 1, 1));
    fg[2] = borrow(operand[2], 1, dims(1024, 1, 1, 1));
    n_fg = 3;
    sweep(adf_array_layer_norm(fg[0], fg[1], fg[2], 0), seed);
}

/* Single operations, with the adjoints in seed. */
enum { BATCH_NORM, CONV_5, POOL_3, GATHER, TRANSPOSE, OUTER };

static void layer_make(const row *r)
{
    static const size_t size[6] = { 64 * 64 * 16 * 16, 32 * 16 * 28 * 28, 32 * 32 * 32 * 32,
                                    1000 * 1000, 1024 * 1024, 1000 };
    static const size_t result[6] = { 64 * 64 * 16 * 16, 32 * 32 * 28 * 28, 32 * 32 * 16 * 16,
                                      1000 * 1000, 1024 * 1024, 1000 * 1000 };
    static const size_t more[6] = { 64, 32 * 16 * 25, 1, 1, 1, 1000 };
    operand[0] = floats(size[r->way], 1, -2, 2);
    operand[1] = floats(more[r->way], 2, 0.5, 1.5);
    operand[2] = floats(more[r->way], 3, -1, 1);
    seed = floats(result[r->way], 4, -1, 1);
    labels = classes(1000, 5, 1000);
}

static void layer_step(const row *r)
{
    ad_conv_desc conv;
    ad_pool_desc pool;
    adf_array y;
    memset(&conv, 0, sizeof conv);
    memset(&pool, 0, sizeof pool);
    adf_tape_reset(ft);
    switch (r->way) {
    case BATCH_NORM:
        lend(0, operand[0], 4, dims(64, 64, 16, 16));
        lend(1, operand[1], 1, dims(64, 1, 1, 1));
        lend(2, operand[2], 1, dims(64, 1, 1, 1));
        y = adf_array_batch_norm(fg[0], fg[1], fg[2], 0, NULL, NULL);
        break;
    case CONV_5:
        conv.pad[0] = conv.pad[1] = 2;
        lend(0, operand[0], 4, dims(32, 16, 28, 28));
        lend(1, operand[1], 4, dims(32, 16, 5, 5));
        y = adf_array_conv2d(fg[0], fg[1], &conv);
        break;
    case POOL_3:
        pool.size[0] = pool.size[1] = 3, pool.stride[0] = pool.stride[1] = 2;
        pool.pad[0] = pool.pad[1] = 1;
        lend(0, operand[0], 4, dims(32, 32, 32, 32));
        y = adf_array_max_pool(fg[0], &pool);
        break;
    case GATHER:
        lend(0, operand[0], 2, dims(1000, 1000, 1, 1));
        y = adf_array_gather(fg[0], 1, 1000, labels);
        break;
    case TRANSPOSE:
        lend(0, operand[0], 2, dims(1024, 1024, 1, 1));
        y = adf_array_transpose(fg[0]);
        break;
    default:
        lend(0, operand[0], 2, dims(1000, 1, 1, 1));
        lend(1, operand[1], 2, dims(1, 1000, 1, 1));
        y = adf_array_mul(fg[0], fg[1]);
    }
    sweep(y, seed);
}

enum { SUM, MEAN, PROD, AMAX, AMIN, VAR, STD, NORM, LOGSUMEXP };

/* way: which reduction; k: 0: all axes, else axis k - 1. A product of a million numbers needs them
   near 1. */
static void reduce_make(const row *r)
{
    operand[0] = r->way == PROD ? floats(1000 * 1000, 1, 0.97, 1.030306)
                                : floats(1000 * 1000, 1, -1, 1);
}

static void reduce_step(const row *r)
{
    const unsigned axes = r->k == 0 ? AD_ALL_AXES : AD_AXIS(r->k - 1);
    adf_array x, y;
    adf_tape_reset(ft);
    x = fg[0] = borrow(operand[0], 2, dims(1000, 1000, 1, 1));
    n_fg = 1;
    switch (r->way) {
    case SUM:  y = adf_array_sum(x, axes, 0); break;
    case MEAN: y = adf_array_mean(x, axes, 0); break;
    case PROD: y = adf_array_prod(x, axes, 0); break;
    case AMAX: y = adf_array_amax(x, axes, 0); break;
    case AMIN: y = adf_array_amin(x, axes, 0); break;
    case VAR:  y = adf_array_var(x, axes, 0, 1); break;
    case STD:  y = adf_array_std(x, axes, 0, 1); break;
    case NORM: y = adf_array_norm(x, axes, 0); break;
    default:   y = adf_array_logsumexp(x, axes, 0); break;
    }
    sweep(y, NULL);
}

/* ---------------------------------------------------------------- statistics, in double

   Log likelihood of a mixture of K Gaussians in d dimensions with a Wishart prior, as in the
   benchmark ADBench: weights alpha[K], means mu[K][d], and for each an inverse factor Q: icf[K] has
   the logarithms of Q's diagonal, then what is below it, column by column.
       sum_i logsumexp_k (alpha_k + sum log diag Q_k - |Q_k (x_i - mu_k)|^2 / 2)
           - n logsumexp alpha + sum_k |Q_k|^2 / 2                              (gamma = 1, m = 0)
   without the constants, which have no derivative. The points have a last column of -1, so that
   [Q, Q mu] times such a row is Q (x - mu). way 0: one product for all Gaussians; 1: one for each,
   which stays in the cache. */
static double *alpha, *mu, *icf, *points, *targets;
static uint32_t *places;

static void gmm_make(const row *r)
{
    const size_t d = r->n, K = r->k, size = d * (d + 1) / 2;
    size_t i, j, at = d;
    alpha = doubles(K, 1, -1, 1);
    mu = doubles(K * d, 2, -1, 1);
    icf = doubles(K * size, 3, -0.5, 0.5);
    targets = doubles(1000 * d, 4, -2, 2);
    points = (double *)room(1000 * (d + 1) * sizeof *points);
    for (i = 0; i < 1000; i++) {
        memcpy(points + i * (d + 1), targets + i * d, d * sizeof *points);
        points[i * (d + 1) + d] = -1;
    }
    places = (uint32_t *)room(d * d * sizeof *places);
    for (i = 0; i < d * d; i++) places[i] = (uint32_t)size;       /* a zero */
    for (j = 0; j < d; j++) {
        places[j * d + j] = (uint32_t)j;
        for (i = j + 1; i < d; i++) places[i * d + j] = (uint32_t)at++;
    }
}

static void gmm_step(const row *r)
{
    const int32_t d = (int32_t)r->n, K = (int32_t)r->k, size = d * (d + 1) / 2, n = 1000;
    ad_array a, m, q, x, logs, part[3], Q, y, prior, distance[64];
    int32_t k;
    ad_tape_reset(dt);
    a = dg[0] = ad_array_borrow(dt, 1, dims(K, 1, 1, 1), alpha);
    m = dg[1] = ad_array_borrow(dt, 2, dims(K, d, 1, 1), mu);
    q = dg[2] = ad_array_borrow(dt, 2, dims(K, size, 1, 1), icf);
    n_dg = 3;
    x = ad_array_const_borrow(dt, 2, dims(n, d + 1, 1, 1), points);
    logs = ad_array_slice(q, 1, 0, d, 1);
    part[0] = ad_array_exp(logs);
    part[1] = ad_array_slice(q, 1, d, AD_END, 1);
    part[2] = ad_array_full(dt, 2, dims(K, 1, 1, 1), 0);
    Q = ad_array_gather(ad_array_concatenate(3, part, 1), 1, (size_t)(d * d), places);
    prior = ad_array_mul_r(ad_array_dot(Q, Q), 0.5);
    part[0] = ad_array_reshape(Q, 3, dims(K, d, d, 1));
    part[1] = ad_array_matmul(part[0], ad_array_reshape(m, 3, dims(K, d, 1, 1)));
    q = ad_array_concatenate(2, part, 2);
    if (r->way == 0) {
        y = ad_array_matmul_t(x, 0, ad_array_reshape(q, 2, dims(K * d, d + 1, 1, 1)), 1);
        y = ad_array_norm(ad_array_reshape(y, 3, dims(n, K, d, 1)), AD_AXIS(2), 0);
    } else {
        for (k = 0; k < K; k++) {
            m = ad_array_reshape(ad_array_slice(q, 0, k, k + 1, 1), 2, dims(d, d + 1, 1, 1));
            distance[k] = ad_array_norm(ad_array_matmul_t(x, 0, m, 1), AD_AXIS(1), 0);
        }
        y = ad_array_stack(r->k, distance, 1);
    }
    m = ad_array_add(a, ad_array_sum(logs, AD_AXIS(1), 0));
    y = ad_array_sub(m, ad_array_mul_r(ad_array_square(y), 0.5));
    y = ad_array_sum(ad_array_logsumexp(y, AD_AXIS(1), 0), AD_ALL_AXES, 0);
    y = ad_array_sub(y, ad_array_mul_r(ad_array_logsumexp(a, AD_ALL_AXES, 0), (double)n));
    y = ad_array_add(y, prior);
    ad_backward(ad_array_item(y));
    keep(NULL, ad_array_values(y));
}

static void logistic_make(const row *r)
{
    size_t i;
    points = doubles(r->n * r->k, 1, -1, 1);
    mu = doubles(r->k, 2, -0.1, 0.1);
    targets = doubles(r->n, 3, 0, 1);
    for (i = 0; i < r->n; i++) targets[i] = targets[i] < 0.5;
}

static void logistic_step(const row *r)
{
    const int32_t n = (int32_t)r->n, k = (int32_t)r->k;
    ad_array x, w, y;
    ad_tape_reset(dt);
    x = ad_array_const_borrow(dt, 2, dims(n, k, 1, 1), points);
    y = ad_array_const_borrow(dt, 1, dims(n, 1, 1, 1), targets);
    w = dg[0] = ad_array_borrow(dt, 1, dims(k, 1, 1, 1), mu);
    n_dg = 1;
    y = ad_array_binary_cross_entropy(ad_array_matmul(x, w), y, AD_MEAN);
    ad_backward(ad_array_item(y));
    keep(NULL, ad_array_values(y));
}

/* ---------------------------------------------------------------- linear algebra, in double

   The sum of all elements of a solution or of an inverse, or the logarithm of a determinant. */
enum { SOLVE, LOGDET, INVERSE };

static void linear_make(const row *r)
{
    const double most = 1 / sqrt((double)r->n);
    size_t i;
    points = doubles(r->n * r->n, 1, -most, most);
    targets = doubles(r->n, 2, -1, 1);
    for (i = 0; i < r->n; i++) points[i * r->n + i] += 2;
}

static void linear_step(const row *r)
{
    const int32_t n = (int32_t)r->n;
    ad_array y;
    ad_tape_reset(dt);
    dg[0] = ad_array_borrow(dt, 2, dims(n, n, 1, 1), points);
    n_dg = 1;
    if (r->way == SOLVE) {
        dg[n_dg++] = ad_array_borrow(dt, 2, dims(n, 1, 1, 1), targets);
        y = ad_array_solve(dg[0], dg[1]);
    } else y = r->way == LOGDET ? ad_array_logdet(dg[0]) : ad_array_inverse(dg[0]);
    y = ad_array_sum(y, AD_ALL_AXES, 0);
    ad_backward(ad_array_item(y));
    keep(NULL, ad_array_values(y));
}

/* ---------------------------------------------------------------- recurrent networks

   An LSTM of r->k units over r->n steps, batch 1, gates in the order input, forget, cell, output;
   loss: mean square from targets at every step. */
static void lstm_make(const row *r)
{
    const size_t k = r->k, n = r->n;
    char error[160];
    operand[0] = floats(n * k, 1, -1, 1);
    operand[1] = floats(n * k, 2, -1, 1);                 /* targets */
    operand[2] = floats(4 * k * k, 3, -0.26, 0.26);
    operand[3] = floats(4 * k * k, 4, -0.26, 0.26);
    operand[4] = floats(4 * k, 5, -0.26, 0.26);
    ff[0] = adf_fn_parse("sigmoid(f)*c + sigmoid(i)*tanh(g)", "i f g c", error, sizeof error);
    ff[1] = adf_fn_parse("sigmoid(o)*tanh(c)", "o c", error, sizeof error);
}

static void lstm_step(const row *r)
{
    static adf_array all[1024];
    const int32_t n = (int32_t)r->n, k = (int32_t)r->k;
    adf_array x, y, z, h, c, in[4], out[2];
    int32_t s;
    adf_tape_reset(ft);
    fg[0] = borrow(operand[2], 2, dims(4 * k, k, 1, 1));
    fg[1] = borrow(operand[3], 2, dims(4 * k, k, 1, 1));
    fg[2] = borrow(operand[4], 1, dims(4 * k, 1, 1, 1));
    n_fg = 3;
    x = adf_array_const_borrow(ft, 2, dims(n, k, 1, 1), operand[0]);
    y = adf_array_const_borrow(ft, 2, dims(n, k, 1, 1), operand[1]);
    x = adf_array_add(adf_array_matmul_t(x, 0, fg[0], 1), fg[2]);
    h = c = adf_array_full(ft, 1, dims(k, 1, 1, 1), 0);
    for (s = 0; s < n; s++) {
        z = adf_array_reshape(adf_array_slice(x, 0, s, s + 1, 1), 1, dims(4 * k, 1, 1, 1));
        z = adf_array_add(z, adf_array_matmul(fg[1], h));
        in[0] = adf_array_slice(z, 0, 0, k, 1);
        in[1] = adf_array_slice(z, 0, k, 2 * k, 1);
        in[2] = adf_array_slice(z, 0, 2 * k, 3 * k, 1);
        in[3] = c;
        out[0] = adf_array_slice(z, 0, 3 * k, 4 * k, 1);
        out[1] = c = adf_array_map(ff[0], 4, in);
        all[s] = h = adf_array_map(ff[1], 2, out);
    }
    y = adf_array_squared_error(adf_array_stack(r->n, all, 0), y, AD_MEAN);
    adf_backward(adf_array_item(y));
    keep(adf_array_values(y), NULL);
}

/* The model of ADBench: two layers whose gates are elementwise,
       forget = sigmoid(x w0 + b0), input = sigmoid(h w1 + b1), output = sigmoid(x w2 + b2),
       change = tanh(h w3 + b3), c = c forget + input change, h = output tanh(c)
   and -mean of next (p - log(2 + sum exp p)) with p = h v + d. */
static void gates_make(const row *r)
{
    const size_t k = r->k, n = r->n;
    char error[160];
    operand[0] = floats(n * k, 1, -1, 1);
    operand[1] = floats(n * k, 2, 0, 1);                  /* what is to come next */
    operand[2] = floats(2 * 8 * k, 3, -1, 1);             /* of each layer: w[4][k], b[4][k] */
    operand[3] = floats(3 * k, 4, -1, 1);                 /* of the input; v, d */
    ff[0] = adf_fn_parse("c*sigmoid(x*w0 + b0) + sigmoid(h*w1 + b1)*tanh(h*w3 + b3)",
                         "c x h w0 b0 w1 b1 w3 b3", error, sizeof error);
    ff[1] = adf_fn_parse("sigmoid(x*w2 + b2)*tanh(c)", "x w2 b2 c", error, sizeof error);
}

static void gates_step(const row *r)
{
    static adf_array all[1024];
    const int32_t n = (int32_t)r->n, k = (int32_t)r->k;
    adf_array in, x, y, p, h[2], c[2], w[2][8], a[9], b[4], extra[3];
    int32_t s, l, g;
    adf_tape_reset(ft);
    fg[0] = borrow(operand[2], 2, dims(2 * 8, k, 1, 1));
    fg[1] = borrow(operand[3], 2, dims(3, k, 1, 1));
    n_fg = 2;
    for (g = 0; g < 3; g++)
        extra[g] = adf_array_reshape(adf_array_slice(fg[1], 0, g, g + 1, 1), 1, dims(k, 1, 1, 1));
    for (l = 0; l < 2; l++) {
        for (g = 0; g < 8; g++)
            w[l][g] = adf_array_reshape(adf_array_slice(fg[0], 0, 8 * l + g, 8 * l + g + 1, 1), 1,
                                        dims(k, 1, 1, 1));
        h[l] = c[l] = adf_array_full(ft, 1, dims(k, 1, 1, 1), 0);
    }
    in = adf_array_mul(adf_array_const_borrow(ft, 2, dims(n, k, 1, 1), operand[0]), extra[0]);
    y = adf_array_const_borrow(ft, 2, dims(n, k, 1, 1), operand[1]);
    for (s = 0; s < n; s++) {
        x = adf_array_reshape(adf_array_slice(in, 0, s, s + 1, 1), 1, dims(k, 1, 1, 1));
        for (l = 0; l < 2; l++) {
            a[0] = c[l], a[1] = x, a[2] = h[l];
            a[3] = w[l][0], a[4] = w[l][4], a[5] = w[l][1], a[6] = w[l][5];
            a[7] = w[l][3], a[8] = w[l][7];
            c[l] = adf_array_map(ff[0], 9, a);
            b[0] = x, b[1] = w[l][2], b[2] = w[l][6], b[3] = c[l];
            x = h[l] = adf_array_map(ff[1], 4, b);
        }
        all[s] = x;
    }
    p = adf_array_fma(adf_array_stack(r->n, all, 0), extra[1], extra[2]);
    x = adf_array_log(adf_array_add_r(adf_array_sum(adf_array_exp(p), AD_AXIS(1), 1), 2));
    y = adf_array_mul_r(adf_array_dot(y, adf_array_sub(p, x)), -1.0f / (float)n);
    adf_backward(adf_array_item(y));
    keep(adf_array_values(y), NULL);
}

/* ---------------------------------------------------------------- tiny arrays

   LINKS links y = y*c, y = y + c, y = exp(x) + y or y = sum(x) + y, of which the last two are two
   operations. k: 0 forwards, 1 and backwards. The time is that of one operation. */
enum { MUL, ADD, EXP, TOTAL };

static void tiny_make(const row *r)
{
    operand[0] = floats(r->n, 1, -1, 1);
    operand[1] = floats(r->n, 2, 0.98, 1.02);
}

static void tiny_step(const row *r)
{
    const int32_t *dim = dims((int32_t)r->n, 1, 1, 1);
    adf_array x, c, y;
    int k;
    adf_tape_reset(ft);
    x = fg[0] = borrow(operand[0], 1, dim);
    c = fg[1] = borrow(operand[1], 1, dim);
    n_fg = 2;
    switch (r->way) {
    case MUL:
        for (y = x, k = 0; k < LINKS; k++) y = adf_array_mul(y, c);
        break;
    case ADD:
        for (y = x, k = 0; k < LINKS; k++) y = adf_array_add(y, c);
        break;
    case EXP:
        for (y = c, k = 0; k < LINKS; k++) y = adf_array_add(adf_array_exp(x), y);
        break;
    default:
        y = adf_array_sum(c, AD_ALL_AXES, 0);
        for (k = 0; k < LINKS; k++) y = adf_array_add(adf_array_sum(x, AD_ALL_AXES, 0), y);
    }
    if (r->k) sweep(y, NULL);
    else fg[n_fg] = y;
}

/* ---------------------------------------------------------------- the rows */

static const row rows[] = {
    { "cnn", 1, cnn_make, cnn_step, 0, 0, 0,
      "training step, 3-32-64-128 CNN, 64 images 32x32, Adam" },
    { "cnn-fn", 1.8, cnn_make, program_step, 0, 0, 1, "the same, compiled" },
    { "mlp", 1, mlp_make, mlp_step, 0, 0, 0, "training step, MLP 784-256-128-10, batch 64, Adam" },
    { "mlp-fn", 2.5, mlp_make, program_step, 0, 0, 1, "the same, compiled" },
    { "attention", 1, attention_make, attention_step, 0, 0, 0,
      "attention, 8 heads, 8 x 64 x 256, and back" },
    { "attention-fn", 1.6, attention_make, program_step, 0, 0, 1, "the same, compiled" },
    { "lstm-16", 1, lstm_batch_make, lstm_batch_step, 0, 0, 0,
      "LSTM, 128 units, 16 steps, batch 32, and back" },
    { "lstm-16-fn", 3, lstm_batch_make, program_step, 0, 0, 1, "the same, compiled" },
    { "gelu-least", 0, gelu_make, program_step, 0, 0, 2, "six layers, least workspace" },
    { "gelu-fn", 0, gelu_make, program_step, 0, 0, 1, "six layers with gelu" },
    { "channels-fn", 0, channels_make, program_step, 0, 0, 1, "a gain and a bias a channel" },
    { "number-fn", 0, channels_make, program_step, 0, 0, 0, "a gain and a bias" },
    { "ten", 1.5, ten_make, ten_step, 1000000, 0, 0, "ten elementwise operations, n = 1e6" },
    { "ten-fn", 4, ten_make, program_step, 1000000, 0, 1, "the same, compiled" },
    { "ten-hand", 0, ten_make, ten_hand_step, 1000000, 0, 2, "the same in one loop" },
    { "tanh", 1, tanh_make, tanh_step, 1000000, 0, 0, "ten tanh, n = 1e6" },
    { "tanh-fn", 4, tanh_make, program_step, 1000000, 0, 1, "the same, compiled" },
#define CHAIN(text, n)                                                                             \
    { "chain-" text, 1.5, chain_make, chain_step, n, 0, 0, "sigmoid(a*x+b)*c, n = " text },        \
    { "map-" text, 1.5, chain_make, chain_step, n, 0, 1, "the same by ad_array_map, n = " text },
    CHAIN("1e3", 1000) CHAIN("1e4", 10000) CHAIN("1e5", 100000) CHAIN("1e6", 1000000)
    CHAIN("1e7", 10000000)
#undef CHAIN
    { "softmax", 1.5, softmax_make, softmax_step, 0, 0, 0, "softmax cross entropy, 64 x 1000" },
    { "layer-norm", 1.5, norm_make, norm_step, 0, 0, 0, "layer norm, gain and bias, 64 x 1024" },
    { "batch-norm", 1.1, layer_make, layer_step, 0, 0, BATCH_NORM,
      "batch norm, 64 x 64 x 16 x 16" },
    { "conv-5", 1.1, layer_make, layer_step, 0, 0, CONV_5,
      "convolution 5x5, 16 to 32, 32 x 28 x 28" },
    { "max-pool-3", 1.1, layer_make, layer_step, 0, 0, POOL_3,
      "max pool 3x3, steps of 2, 32 x 32 x 32 x 32" },
    { "gather", 1.1, layer_make, layer_step, 0, 0, GATHER, "gather, 1000 x 1000, last axis" },
    { "transpose", 1.5, layer_make, layer_step, 0, 0, TRANSPOSE, "transpose, 1024 x 1024" },
    { "outer", 1.1, layer_make, layer_step, 0, 0, OUTER, "column times row, 1000 x 1000" },
#define REDUCTION(text, op)                                                                        \
    { text "-all", 1.5, reduce_make, reduce_step, 0, 0, op, text ", 1000 x 1000" },                \
    { text "-0", 1.5, reduce_make, reduce_step, 0, 1, op, text ", axis 0" },                       \
    { text "-1", 1.5, reduce_make, reduce_step, 0, 2, op, text ", axis 1" },
    REDUCTION("sum", SUM) REDUCTION("mean", MEAN) REDUCTION("prod", PROD) REDUCTION("max", AMAX)
    REDUCTION("min", AMIN) REDUCTION("var", VAR) REDUCTION("std", STD) REDUCTION("norm", NORM)
    REDUCTION("logsumexp", LOGSUMEXP)
#undef REDUCTION
    { "gmm-20", 1.5, gmm_make, gmm_step, 20, 25, 0, "Gaussian mixture, d = 20, K = 25, n = 1000" },
    { "gmm-64", 1.5, gmm_make, gmm_step, 64, 50, 1, "Gaussian mixture, d = 64, K = 50, n = 1000" },
    { "logistic", 1.5, logistic_make, logistic_step, 100000, 50, 0,
      "logistic regression 100,000 x 50" },
    { "solve-50", 1, linear_make, linear_step, 50, 0, SOLVE, "solve, n = 50" },
    { "solve-200", 1, linear_make, linear_step, 200, 0, SOLVE, "solve, n = 200" },
    { "solve-1000", 1, linear_make, linear_step, 1000, 0, SOLVE, "solve, n = 1000" },
    { "logdet-1000", 1, linear_make, linear_step, 1000, 0, LOGDET, "log determinant, n = 1000" },
    { "inverse-1000", 1, linear_make, linear_step, 1000, 0, INVERSE, "inverse, n = 1000" },
    { "lstm", 20, lstm_make, lstm_step, 1024, 14, 0, "LSTM, 14 units, 1,024 steps" },
    { "lstm-gates", 20, gates_make, gates_step, 1024, 14, 0,
      "LSTM of ADBench, 14 units, 2 layers, 1,024 steps" },
#define TINY(text, op, what, n, n_text)                                                            \
    { text "-" n_text, 20, tiny_make, tiny_step, n, 0, op, what ", n = " n_text },                 \
    { text "-" n_text "-back", 20, tiny_make, tiny_step, n, 1, op,                                 \
      what ", n = " n_text ", and back" },
#define TINIES(text, op, what)                                                                     \
    TINY(text, op, what, 4, "4") TINY(text, op, what, 8, "8") TINY(text, op, what, 16, "16")       \
    TINY(text, op, what, 32, "32")
    TINIES("tiny-mul", MUL, "y*c") TINIES("tiny-add", ADD, "y + c")
    TINIES("tiny-exp", EXP, "exp(x) + y") TINIES("tiny-sum", TOTAL, "sum(x) + y")
#undef TINIES
#undef TINY
};
enum { ROWS = sizeof rows / sizeof rows[0] };      /* without a goal: only in pairs */

typedef struct pair { const char *name, *other, *compared; double goal; const char *what; } pair;
static const pair pairs[] = {
    { "ten-fn", "ten-hand", "time", 1 / 1.3, "ten operations compiled, one loop by hand" },
#define PAIRS(name, text)                                                                          \
    { name "-fn", name, "time", 1.3, text " compiled, on the tape" },                              \
    { name "-fn", name, "memory", 0.6, text " compiled, on the tape" },
    PAIRS("mlp", "MLP") PAIRS("cnn", "CNN") PAIRS("attention", "attention")
    PAIRS("lstm-16", "LSTM, 16 steps")
#undef PAIRS
    { "gelu-least", "gelu-fn", "time", 0.75, "layers with gelu in the least workspace, in any" },
    { "gelu-least", "gelu-fn", "memory", 0.75, "layers with gelu in the least workspace, in any" },
    { "channels-fn", "number-fn", "time", 0.4, "gains and biases by channel, the same for all" },
    { "tanh", "-", "bytes", 140e6, "ten tanh on 1e6 floats, on the tape" },
    { "tanh-fn", "-", "bytes", 20e6, "ten tanh on 1e6 floats, compiled" },
};

static const row *now;

static void forget(void)
{
    size_t k;
    adf_tape_destroy(ft);
    ad_tape_destroy(dt);
    ft = NULL, dt = NULL;
    for (k = 0; k < 2; k++) {
        adf_fn_destroy(ff[k]), ad_fn_destroy(df[k]);
        ff[k] = NULL, df[k] = NULL;
    }
    while (n_memory > 0) free(memory[--n_memory]);
    adf_fn_destroy(program);
    program = NULL;
    n_parameters = n_program = 0;
    now = NULL;
}

static void make(const row *r)
{
    ad_tape_desc desc;
    forget();
    memset(&desc, 0, sizeof desc);
    desc.resize = resize;
    ft = adf_tape_create(&desc);
    dt = ad_tape_create(NULL);
    if (!ft || !dt) exit(2);
    n_fg = n_dg = 0;
    steps = 0;
    each = 0;
    r->make(r);
    now = r;
}

/* The square root of the sum of the squares of all gradients. */
static double gradient_norm(void)
{
    double s = 0;
    size_t k, i, n;
    for (k = 0; k < n_fg; k++) {
        const float *g = adf_array_adjoints(fg[k]);
        n = adf_array_size(fg[k]);
        for (i = 0; g && i < n; i++) s += (double)g[i] * (double)g[i];
    }
    for (k = 0; k < n_dg; k++) {
        const double *g = ad_array_adjoints(dg[k]);
        n = ad_array_size(dg[k]);
        for (i = 0; g && i < n; i++) s += g[i] * g[i];
    }
    for (k = 1; k < n_program; k++)
        for (i = 0; i < program_size[k]; i++)
            s += (double)program_y[k][i] * (double)program_y[k][i];
    return sqrt(s);
}

static void value(const row *r)
{
    double norm = 0;
    int whole;
    make(r);
    whole = r->step == chain_step || r->step == norm_step || r->step == softmax_step
         || r->step == reduce_step || r->step == tiny_step || r->make == ten_make
         || r->make == tanh_make || r->step == layer_step;
    r->step(r);
    if (r->step != tiny_step || r->k) norm = gradient_norm();
    r->step(r);
    if (adf_tape_status(ft) != AD_OK) {
        printf("error %s\n", adf_tape_message(ft));
    } else if (ad_tape_status(dt) != AD_OK) {
        printf("error %s\n", ad_tape_message(dt));
    } else if (program && adf_fn_status(program) != AD_OK) {
        printf("error %s\n", adf_fn_message(program));
    } else {
        if (whole) loss = n_program ? sum_of_numbers(program_size[0], program_y[0])
                                    : sum_of_sizes(fg[n_fg]);
        printf("%.9g %.9g\n", loss, norm);
    }
}

static void memory_of(const row *r)
{
    make(r);
    most_held = held;
    r->step(r);
    r->step(r);
    printf("%zu\n", most_held + (program ? program_bytes : 0));
}

/* A field of what Linux says of the process, in bytes; -1: it says nothing. */
static double process_says(const char *field)
{
    FILE *const f = fopen("/proc/self/status", "r");
    const size_t n = strlen(field);
    char line[256];
    double kilobytes = -1;
    while (f && kilobytes < 0 && fgets(line, sizeof line, f))
        if (strncmp(line, field, n) == 0 && line[n] == ':') kilobytes = atof(line + n + 1);
    if (f) fclose(f);
    return kilobytes < 0 ? -1 : 1024 * kilobytes;
}
static double resident(const row *r)
{
    FILE *const f = fopen("/proc/self/clear_refs", "w");
    double before;
    make(r);
    if (!f) return -1;
    fputs("5", f);                            /* the peak is now */
    fclose(f);
    before = process_says("VmRSS");
    r->step(r);
    return before < 0 ? -1 : process_says("VmHWM") - before;
}

static void round_of(const row *r)
{
    const double start = bench_now();
    double begin, ns[PARTS];
    size_t k, n, part;
    if (now != r) make(r);
    for (k = 0; each == 0 || k < 3; k++) {
        begin = bench_processor();
        r->step(r);
        each = bench_processor() - begin + 1;
    }
    n = (size_t)(ROUND / PARTS / each) + 1;
    for (part = 0; part < PARTS; part++) {
        begin = bench_processor();
        for (k = 0; k < n; k++) r->step(r);
        ns[part] = (bench_processor() - begin) / (double)n;
        if (bench_now() - start > 5 * ROUND) break;
    }
    each = bench_median(ns, part < PARTS ? part + 1 : (size_t)PARTS, NULL, NULL);
    k = r->step != tiny_step ? 1 : r->way == EXP || r->way == TOTAL ? 2 * LINKS : LINKS;
    printf("%.9g\n", each / (double)k);
}

int main(int argc, char **argv)
{
    char line[128];
    size_t k;
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        for (k = 0; k < ROWS; k++)
            if (rows[k].goal > 0) printf("%s %g %s\n", rows[k].name, rows[k].goal, rows[k].what);
        return 0;
    }
    if (argc == 2 && strcmp(argv[1], "--pairs") == 0) {
        for (k = 0; k < sizeof pairs / sizeof *pairs; k++)
            printf("%s %s %s %g %s\n", pairs[k].name, pairs[k].other, pairs[k].compared,
                   pairs[k].goal, pairs[k].what);
        return 0;
    }
    if (argc == 2 && strcmp(argv[1], "--about") == 0) {
        bench_head("autodiff.h");
        return 0;
    }
    for (k = 0; argc == 3 && strcmp(argv[1], "--resident") == 0 && k < ROWS; k++)
        if (strcmp(rows[k].name, argv[2]) == 0) {
            printf("%.0f\n", resident(&rows[k]));
            forget();
            return 0;
        }
    while (fgets(line, sizeof line, stdin)) {
        char *name = strchr(line, ' ');
        line[strcspn(line, "\n")] = 0;
        for (k = 0; name && k < ROWS && strcmp(rows[k].name, name + 1) != 0; k++) { }
        if (!name || k == ROWS) puts("error no such row");
        else if (line[0] == 'v') value(&rows[k]);
        else if (line[0] == 'm') memory_of(&rows[k]);
        else round_of(&rows[k]);
        fflush(stdout);
    }
    forget();
    return 0;
}
