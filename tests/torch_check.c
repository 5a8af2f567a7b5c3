/* Runs cases that tests/torch_check.py made, through the arrays of autodiff.h, and writes what came
   out: values, gradients, tangents, recorded gradients and their derivatives.
       torch_check CASES RESULTS
       torch_check --rules           names of the rules and of the operations below
   Both files are numbers in the machine's order, one case after the other.
       case     text[128], then 8 whole numbers: bytes of a real (8: double, 4: float), instruction
                set, way (below), how many operands, whole numbers, reals, outputs with weights, 0;
                operands: how (below), rank, dim[4], numbers; whole numbers; doubles;
                weights: their number, then numbers
       result   status, bytes in all, message[160]; arrays: what (below), index, rank, dim[4],
                size, numbers
   Whole numbers have four bytes. The text is the operation's name, then what else it needs.
   The file includes itself, once for each real type. */
#ifndef PAD
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../autodiff.h"

enum { MAX_OPERANDS = 16, MAX_OUTPUTS = 16 };

/* How an operand gets onto the tape. */
enum { HOW_INPUT, HOW_BORROW, HOW_CONST, HOW_CONST_BORROW, HOW_NEGATED, HOW_SCALARS, HOW_PIECE,
       HOW_SAME };
/* What is differentiated: WAY_SEED: array_backward with the weights; WAY_LOSS: backward from the
   sum of weight times output, and a tangent sweep; WAY_TWICE: the recorded gradient of that, and
   the derivative of its product with a direction; WAY_PLAIN: nothing; WAY_MORE: as WAY_LOSS, plus
   the operands times their directions, so that the operation adds to adjoints that are there;
   WAY_BENT: as WAY_TWICE, of the sum of weight times output squared, halved; WAY_COMPILED and
   WAY_COMPILED_TWICE: outputs and recorded gradient, or what WAY_BENT gives, by a compiled function
   that was recorded with the numbers of each operand in the opposite order; WAY_DERIVED: outputs,
   tangents and gradient by ad_fn_jvp and ad_fn_vjp of such a function. */
enum { WAY_SEED, WAY_LOSS, WAY_TWICE, WAY_PLAIN, WAY_MORE, WAY_BENT, WAY_COMPILED,
       WAY_COMPILED_TWICE, WAY_DERIVED };
/* What a result is. */
enum { IS_OUTPUT, IS_GRADIENT, IS_TANGENT, IS_RECORDED, IS_SECOND, IS_PLAIN };

static FILE *cases, *results;

static void stop(const char *what)
{
    fprintf(stderr, "torch_check: %s\n", what);
    exit(2);
}

static void get(void *to, size_t bytes)
{
    if (bytes && fread(to, 1, bytes, cases) != bytes) stop("the file of cases is cut off");
}

static int32_t get_int(void)
{
    int32_t i;
    get(&i, sizeof i);
    return i;
}

static void put(const void *from, size_t bytes)
{
    if (bytes && fwrite(from, 1, bytes, results) != bytes) stop("the results cannot be written");
}

static void put_int(int32_t i) { put(&i, sizeof i); }

static void *room(size_t n, size_t size)
{
    void *p = calloc(n + 1, size);
    if (!p) stop("out of memory");
    return p;
}

/* Directions for tangents and for second derivatives; numbers that a float has. */
static double direction(size_t operand, size_t i)
{
    return ((double)((i * 37 + operand * 17 + 11) % 64) - 31.5) / 32;
}

static const ad_simd levels[4] = { AD_SIMD_BEST, AD_SIMD_PLAIN, AD_SIMD_AVX2, AD_SIMD_AVX512 };
static int level_here(int level) { return ad_kernels_get(levels[level & 3]) ? level & 3 : 0; }

typedef struct header { int32_t real, level, way, n_x, n_i, n_r, n_w, reserved; } header;

#define TWICE "torch_check.c"
#include "twice.h"

int main(int argc, char **argv)
{
    char text[128];
    header h;
    size_t i, n;
    if (argc == 2 && strcmp(argv[1], "--rules") == 0) {
        const ad_rule *rule = ad_rules(&n);
        for (i = 0; i < n; i++)
            if (rule[i].operands > 0) printf("%s\n", rule[i].name);
        for (i = 0; d_operations[i].name; i++) printf("%s\n", d_operations[i].name);
        return 0;
    }
    if (argc != 3) stop("usage: torch_check CASES RESULTS");
    cases = fopen(argv[1], "rb");
    results = fopen(argv[2], "wb");
    if (!cases || !results) stop("a file cannot be opened");
    while (fread(text, 1, sizeof text, cases) == sizeof text) {
        get(&h, sizeof h);
        if (h.real == 8) d_case(text, &h);
        else f_case(text, &h);
    }
    d_end();
    f_end();
    fclose(cases);
    return fclose(results) != 0;
}

#else
/* ================================================ once for each real type */

typedef struct PT(operand) {
    int    how, rank;
    int32_t dim[4];
    size_t size;
    PREAL *data;
    PAD(array) x, leaf;         /* what the operation gets; the variable behind it */
    PAD(var) *scalar;
} PT(operand);

typedef struct PT(run) {
    PAD(tape) *t;
    char   name[128];
    const char *rest;           /* of the text */
    int    n_x, n_y, n_plain;
    PT(operand) x[MAX_OPERANDS];
    PAD(array)  y[MAX_OUTPUTS];
    struct { size_t n; PREAL *data; } plain[MAX_OUTPUTS];
    int32_t *i;
    double  *r;
    PAD(fn) *f;
    int32_t call[3];            /* extents that an operation of the user's knows */
    ad_status status;
} PT(run);

#define X(k)    (r->x[k].x)
#define I(k)    (r->i[k])
#define U(k)    ((const uint32_t *)(r->i + (k)))
#define R(k)    ((PREAL)r->r[k])
#define SIZE(k) ((size_t)r->i[k])
#define OP(n)   static void PT(op_##n)(PT(run) *r)

static void PT(out)(PT(run) *r, PAD(array) y) { r->y[r->n_y++] = y; }

/* Plain numbers as a result; they are freed with the case. */
static PREAL *PT(plain)(PT(run) *r, size_t n)
{
    r->plain[r->n_plain].n = n;
    return r->plain[r->n_plain++].data = (PREAL *)room(n, sizeof(PREAL));
}

/* ---------------------------------------------------------------- operations

   Whole numbers in the order of the arguments. */

#define REDUCE(name) OP(name) { PT(out)(r, PAD(array_##name)(X(0), (unsigned)I(0), I(1))); }
REDUCE(sum)
REDUCE(mean)
REDUCE(prod)
REDUCE(amax)
REDUCE(amin)
REDUCE(norm)
REDUCE(logsumexp)
#undef REDUCE
OP(var) { PT(out)(r, PAD(array_var)(X(0), (unsigned)I(0), I(1), I(2))); }
OP(std) { PT(out)(r, PAD(array_std)(X(0), (unsigned)I(0), I(1), I(2))); }
OP(vector_norm)
{
    PT(out)(r, PAD(array_vector_norm)(X(0), (PREAL)R(0), (unsigned)I(0), I(1)));
}
OP(cumsum) { PT(out)(r, PAD(array_cumsum)(X(0), I(0))); }
OP(cumprod) { PT(out)(r, PAD(array_cumprod)(X(0), I(0))); }
OP(logcumsumexp) { PT(out)(r, PAD(array_logcumsumexp)(X(0), I(0))); }
OP(cummax) { PT(out)(r, PAD(array_cummax)(X(0), I(0))); }
OP(cummin) { PT(out)(r, PAD(array_cummin)(X(0), I(0))); }

static void PT(where_it_is)(PT(run) *r, int greatest)
{
    const int32_t extent = X(0).dim[I(0) < 0 ? X(0).rank + I(0) : I(0)];
    const size_t n = PAD(array_size)(X(0)) / (size_t)extent;
    uint32_t *index = (uint32_t *)room(n, sizeof *index);
    PREAL *p = PT(plain)(r, n);
    size_t k;
    r->status = greatest ? PAD(array_argmax)(X(0), I(0), index)
                         : PAD(array_argmin)(X(0), I(0), index);
    for (k = 0; k < n; k++) p[k] = (PREAL)index[k];
    free(index);
}
OP(argmax) { PT(where_it_is)(r, 1); }
OP(argmin) { PT(where_it_is)(r, 0); }

OP(matmul) { PT(out)(r, PAD(array_matmul)(X(0), X(1))); }
OP(matmul_t) { PT(out)(r, PAD(array_matmul_t)(X(0), I(0), X(1), I(1))); }
OP(dot) { PT(out)(r, PAD(array_dot)(X(0), X(1))); }
OP(outer) { PT(out)(r, PAD(array_outer)(X(0), X(1))); }
OP(diagonal) { PT(out)(r, PAD(array_diagonal)(X(0), I(0))); }
OP(trace) { PT(out)(r, PAD(array_trace)(X(0))); }
OP(tril) { PT(out)(r, PAD(array_tril)(X(0), I(0))); }
OP(triu) { PT(out)(r, PAD(array_triu)(X(0), I(0))); }
OP(triangular_solve)
{
    PT(out)(r, PAD(array_triangular_solve)(X(0), X(1), I(0) ? AD_UPPER : AD_LOWER, I(1)));
}
OP(cholesky) { PT(out)(r, PAD(array_cholesky)(X(0))); }
OP(solve) { PT(out)(r, PAD(array_solve)(X(0), X(1))); }
OP(inverse) { PT(out)(r, PAD(array_inverse)(X(0))); }
OP(logdet) { PT(out)(r, PAD(array_logdet)(X(0))); }
OP(slogdet)
{
    PAD(array) part[2];
    r->status = PAD(array_slogdet)(X(0), &part[0], &part[1]);
    PT(out)(r, part[0]);
    PT(out)(r, part[1]);
}
OP(qr)
{
    r->status = PAD(array_qr)(X(0), &r->y[0], &r->y[1]);
    r->n_y = 2;
}
OP(eigh)
{
    r->status = PAD(array_eigh)(X(0), &r->y[0], &r->y[1]);
    r->n_y = 2;
}
OP(svd)
{
    r->status = PAD(array_svd)(X(0), &r->y[0], &r->y[1], &r->y[2]);
    r->n_y = 3;
}
OP(lstsq) { PT(out)(r, PAD(array_lstsq)(X(0), X(1))); }
OP(einsum) { PT(out)(r, PAD(array_einsum)(r->rest, X(0), r->n_x > 1 ? X(1) : X(0))); }

OP(reshape) { PT(out)(r, PAD(array_reshape)(X(0), I(0), r->i + 1)); }
OP(broadcast_to) { PT(out)(r, PAD(array_broadcast_to)(X(0), I(0), r->i + 1)); }
OP(permute)
{
    int axes[4], k;
    for (k = 0; k < 4; k++) axes[k] = I(k);
    PT(out)(r, PAD(array_permute)(X(0), axes));
}
OP(transpose) { PT(out)(r, PAD(array_transpose)(X(0))); }
/* 1000000 stands for AD_END. */
OP(slice)
{
    const int32_t from = I(1) == 1000000 ? AD_END : I(1), to = I(2) == 1000000 ? AD_END : I(2);
    PT(out)(r, PAD(array_slice)(X(0), I(0), from, to, I(3)));
}
OP(flip) { PT(out)(r, PAD(array_flip)(X(0), (unsigned)I(0))); }
static int PT(all)(PT(run) *r, PAD(array) *a)
{
    int k;
    for (k = 0; k < r->n_x; k++) a[k] = X(k);
    return r->n_x;
}
OP(concatenate)
{
    PAD(array) a[MAX_OPERANDS];
    const int n = PT(all)(r, a);
    PT(out)(r, PAD(array_concatenate)((size_t)n, a, I(0)));
}
OP(stack)
{
    PAD(array) a[MAX_OPERANDS];
    const int n = PT(all)(r, a);
    PT(out)(r, PAD(array_stack)((size_t)n, a, I(0)));
}
OP(split)
{
    r->status = PAD(array_split)(X(0), I(0), SIZE(1), r->y);
    r->n_y = I(1);
}
OP(pad) { PT(out)(r, PAD(array_pad)(X(0), r->i, r->i + 4, R(0))); }
OP(pad_mode)
{
    PT(out)(r, PAD(array_pad_mode)(X(0), r->i, r->i + 4, (ad_pad_mode)I(8)));
}
OP(tile) { PT(out)(r, PAD(array_tile)(X(0), r->i)); }
OP(repeat) { PT(out)(r, PAD(array_repeat)(X(0), I(0), I(1))); }
OP(roll) { PT(out)(r, PAD(array_roll)(X(0), I(0), I(1))); }
OP(gather) { PT(out)(r, PAD(array_gather)(X(0), I(0), SIZE(1), U(2))); }
OP(scatter_add) { PT(out)(r, PAD(array_scatter_add)(X(0), I(0), SIZE(1), U(2), X(1))); }
OP(argsort) { PT(out)(r, PAD(array_argsort)(X(0), I(0), I(1))); }
OP(sort) { PT(out)(r, PAD(array_sort)(X(0), I(0), I(1))); }
OP(topk)
{
    PAD(array) index;
    PT(out)(r, PAD(array_topk)(X(0), I(0), I(1), I(2), &index));
    PT(out)(r, index);
}
OP(take_along) { PT(out)(r, PAD(array_take_along)(X(0), I(0), X(1))); }
OP(scatter_along) { PT(out)(r, PAD(array_scatter_along)(X(0), I(0), X(1), X(2))); }
OP(scatter_add_along) { PT(out)(r, PAD(array_scatter_add_along)(X(0), I(0), X(1), X(2))); }
OP(embedding) { PT(out)(r, PAD(array_embedding)(X(0), I(0), r->i + 1, U(5))); }
OP(where) { PT(out)(r, PAD(array_where)(X(0), X(1), X(2))); }

/* Elements squared one by one as scalars, and the first of them times all of them. */
OP(elements)
{
    const size_t n = PAD(array_size)(X(0));
    PAD(var) *v = (PAD(var) *)room(n, sizeof *v), first;
    size_t k;
    r->status = PAD(array_unpack)(X(0), v);
    for (k = 0; k < n; k++) v[k] = PAD(var_mul)(v[k], v[k]);
    first = PAD(array_at)(X(0), 0);
    for (k = 0; k < n; k++) v[k] = PAD(var_mul)(v[k], first);
    PT(out)(r, PAD(array_pack)(r->t, X(0).rank, X(0).dim, v));
    free(v);
}
OP(detach) { PT(out)(r, PAD(array_mul)(X(0), PAD(array_detach)(X(0)))); }
OP(full)
{
    PT(out)(r, PAD(array_mul)(X(0), PAD(array_full)(r->t, I(0), r->i + 1, R(0))));
}
OP(map)
{
    PAD(array) a[MAX_OPERANDS];
    const int n = PT(all)(r, a);
    char variables[] = "a b c d", error[160] = "";
    variables[n > 0 ? 2 * n - 1 : 0] = 0;
    r->f = PAD(fn_parse)(r->rest, variables, error, sizeof error);
    if (!r->f) stop(error);
    PT(out)(r, PAD(array_map)(r->f, (size_t)n, a));
}

/* Arrays beside variables, where forms 3 and 4 of the rules do not say it: X(0) is the array, X(1)
   and X(2) the variables. */
OP(beside)
{
    const PAD(var) v = PAD(array_item)(X(1)), w = PAD(array_item)(X(2));
    const PAD(array) a = X(0), p = PAD(array_beside)(a, v), q = PAD(array_beside)(a, w);
    PAD(array) part[3];
    switch (I(0)) {
    case 0: PT(out)(r, PAD(array_fma)(a, p, q)); break;
    case 1: PT(out)(r, PAD(array_clamp)(a, p, q)); break;
    case 2: PT(out)(r, PAD(array_where)(PAD(array_gt)(a, p), q, PAD(array_mul)(a, p))); break;
    case 3:                     /* a variable that scalars made */
        PT(out)(r, PAD(array_div_v)(a, PAD(var_add_r)(PAD(var_square)(PAD(var_mul)(v, w)), 1)));
        break;
    case 4:                     /* one that an array made, and a constant */
        part[0] = PAD(array_sub_from_v)(PAD(array_item)(PAD(array_dot)(a, a)), a);
        part[0] = PAD(array_add_v)(part[0], PAD(var_mul)(v, w));
        PT(out)(r, PAD(array_mul_v)(part[0], PAD(const)(R(0))));
        break;
    default:                    /* elements of an array beside its sum */
        part[0] = q, part[1] = PAD(array_sum)(a, AD_ALL_AXES, 0), part[2] = p;
        PT(out)(r, PAD(array_tanh)(PAD(array_stack)(3, part, 0)));
    }
}

/* ---- operations of the user's. The callbacks have no reverse_dual: second derivatives are those
   of the recorded gradient here. */

/* y[i] = x[i]^2 x[i + 1], where the last one is followed by the first. */
static ad_status PT(ring_value)(void *user, size_t n, const PREAL *x, size_t m, PREAL *y)
{
    size_t i;
    (void)user; (void)m;
    for (i = 0; i < n; i++) y[i] = x[i] * x[i] * x[(i + 1) % n];
    return AD_OK;
}
static ad_status PT(ring_reverse)(void *user, size_t n, const PREAL *x, size_t m, const PREAL *y,
                                  const PREAL *y_bar, PREAL *x_bar)
{
    size_t i;
    (void)user; (void)m; (void)y;
    for (i = 0; i < n; i++) {
        x_bar[i] += 2 * x[i] * x[(i + 1) % n] * y_bar[i];
        x_bar[(i + 1) % n] += x[i] * x[i] * y_bar[i];
    }
    return AD_OK;
}
static ad_status PT(ring_tangent)(void *user, size_t n, const PREAL *x, size_t m, const PREAL *y,
                                  const PREAL *x_dot, PREAL *y_dot)
{
    size_t i;
    (void)user; (void)m; (void)y;
    for (i = 0; i < n; i++)
        y_dot[i] = 2 * x[i] * x[(i + 1) % n] * x_dot[i] + x[i] * x[i] * x_dot[(i + 1) % n];
    return AD_OK;
}
static ad_status PT(ring_record)(void *user, PAD(tape) *t, size_t n, const PAD(var) *x, size_t m,
                                 const PAD(var) *y, const PAD(var) *y_bar, PAD(var) *x_bar)
{
    size_t i;
    (void)user; (void)t; (void)m; (void)y;
    for (i = 0; i < n; i++) {
        const size_t next = (i + 1) % n;
        const PAD(var) part = PAD(var_mul)(PAD(var_mul_r)(x[i], 2), y_bar[i]);
        x_bar[i] = PAD(var_add)(x_bar[i], PAD(var_mul)(part, x[next]));
        x_bar[next] = PAD(var_add)(x_bar[next], PAD(var_mul)(PAD(var_square)(x[i]), y_bar[i]));
    }
    return AD_OK;
}
static const PAD(op) PT(ring) = { "ring", PT(ring_value), PT(ring_reverse), PT(ring_tangent), NULL,
                                  PT(ring_record) };

/* The product of a[m][k] and b[k][n]; its gradient is recorded in array operations. */
static ad_status PT(product_value)(void *user, size_t n, const PREAL *x, size_t m, PREAL *y)
{
    const int32_t *const d = (const int32_t *)user;
    const PREAL *const b = x + d[0] * d[1];
    int32_t i, j, k;
    (void)n; (void)m;
    for (i = 0; i < d[0]; i++)
        for (j = 0; j < d[2]; j++)
            for (y[i * d[2] + j] = 0, k = 0; k < d[1]; k++)
                y[i * d[2] + j] += x[i * d[1] + k] * b[k * d[2] + j];
    return AD_OK;
}
static ad_status PT(product_reverse)(void *user, size_t n, const PREAL *x, size_t m,
                                     const PREAL *y, const PREAL *y_bar, PREAL *x_bar)
{
    const int32_t *const d = (const int32_t *)user;
    const PREAL *const b = x + d[0] * d[1];
    PREAL *const b_bar = x_bar + d[0] * d[1];
    int32_t i, j, k;
    (void)n; (void)m; (void)y;
    for (i = 0; i < d[0]; i++)
        for (j = 0; j < d[2]; j++)
            for (k = 0; k < d[1]; k++) {
                x_bar[i * d[1] + k] += y_bar[i * d[2] + j] * b[k * d[2] + j];
                b_bar[k * d[2] + j] += y_bar[i * d[2] + j] * x[i * d[1] + k];
            }
    return AD_OK;
}
static ad_status PT(product_tangent)(void *user, size_t n, const PREAL *x, size_t m,
                                     const PREAL *y, const PREAL *x_dot, PREAL *y_dot)
{
    const int32_t *const d = (const int32_t *)user;
    const PREAL *const b = x + d[0] * d[1], *const b_dot = x_dot + d[0] * d[1];
    int32_t i, j, k;
    (void)n; (void)m; (void)y;
    for (i = 0; i < d[0]; i++)
        for (j = 0; j < d[2]; j++)
            for (y_dot[i * d[2] + j] = 0, k = 0; k < d[1]; k++)
                y_dot[i * d[2] + j] += x_dot[i * d[1] + k] * b[k * d[2] + j]
                                     + x[i * d[1] + k] * b_dot[k * d[2] + j];
    return AD_OK;
}
static ad_status PT(product_record)(void *user, PAD(tape) *t, size_t n, const PAD(var) *x,
                                    size_t m, const PAD(var) *y, const PAD(var) *y_bar,
                                    PAD(var) *x_bar)
{
    const int32_t *const d = (const int32_t *)user;
    const size_t first = (size_t)(d[0] * d[1]);
    int32_t out[2];
    PAD(array) a, b, bar;
    ad_status s;
    (void)n; (void)m; (void)y;
    out[0] = d[0], out[1] = d[2];
    a = PAD(array_pack)(t, 2, d, x);
    b = PAD(array_pack)(t, 2, d + 1, x + first);
    bar = PAD(array_pack)(t, 2, out, y_bar);
    s = PAD(array_unpack)(PAD(array_matmul_t)(bar, 0, b, 1), x_bar);
    return s != AD_OK ? s : PAD(array_unpack)(PAD(array_matmul_t)(a, 1, bar, 0), x_bar + first);
}
static const PAD(op) PT(product) = { "product", PT(product_value), PT(product_reverse),
                                     PT(product_tangent), NULL, PT(product_record) };

/* The Gaussian kernel of points a[m][k] and b[n][k], exp(-s |a_i - b_j|^2), m x n. */
static PREAL PT(square_apart)(const int32_t *d, const PREAL *x, int32_t i, int32_t j)
{
    PREAL sum = 0;
    int32_t k;
    for (k = 0; k < d[1]; k++) {
        const PREAL u = x[i * d[1] + k] - x[(d[0] + j) * d[1] + k];
        sum += u * u;
    }
    return sum;
}
static ad_status PT(kernel_value)(void *user, size_t n, const PREAL *x, size_t m, PREAL *y)
{
    const int32_t *const d = (const int32_t *)user;
    int32_t i, j;
    (void)m;
    for (i = 0; i < d[0]; i++)
        for (j = 0; j < d[2]; j++)
            y[i * d[2] + j] = (PREAL)exp((double)(-x[n - 1] * PT(square_apart)(d, x, i, j)));
    return AD_OK;
}
static ad_status PT(kernel_reverse)(void *user, size_t n, const PREAL *x, size_t m, const PREAL *y,
                                    const PREAL *y_bar, PREAL *x_bar)
{
    const int32_t *const d = (const int32_t *)user;
    int32_t i, j, k;
    (void)m;
    for (i = 0; i < d[0]; i++)
        for (j = 0; j < d[2]; j++) {
            const PREAL bar = y_bar[i * d[2] + j] * y[i * d[2] + j];
            x_bar[n - 1] -= bar * PT(square_apart)(d, x, i, j);
            for (k = 0; k < d[1]; k++) {
                const int32_t p = i * d[1] + k, q = (d[0] + j) * d[1] + k;
                x_bar[p] -= 2 * bar * x[n - 1] * (x[p] - x[q]);
                x_bar[q] += 2 * bar * x[n - 1] * (x[p] - x[q]);
            }
        }
    return AD_OK;
}
static ad_status PT(kernel_tangent)(void *user, size_t n, const PREAL *x, size_t m, const PREAL *y,
                                    const PREAL *x_dot, PREAL *y_dot)
{
    const int32_t *const d = (const int32_t *)user;
    int32_t i, j, k;
    (void)m;
    for (i = 0; i < d[0]; i++)
        for (j = 0; j < d[2]; j++) {
            PREAL sum = x_dot[n - 1] * PT(square_apart)(d, x, i, j);
            for (k = 0; k < d[1]; k++) {
                const int32_t p = i * d[1] + k, q = (d[0] + j) * d[1] + k;
                sum += 2 * x[n - 1] * (x[p] - x[q]) * (x_dot[p] - x_dot[q]);
            }
            y_dot[i * d[2] + j] = -y[i * d[2] + j] * sum;
        }
    return AD_OK;
}
static ad_status PT(kernel_record)(void *user, PAD(tape) *t, size_t n, const PAD(var) *x, size_t m,
                                   const PAD(var) *y, const PAD(var) *y_bar, PAD(var) *x_bar)
{
    const int32_t *const d = (const int32_t *)user;
    int32_t of_a[3], of_b[3], of_y[3];
    PAD(array) apart, bar;
    PAD(var) s = x[n - 1];
    size_t i;
    (void)m;
    of_a[0] = d[0], of_a[1] = 1, of_a[2] = d[1];
    of_b[0] = 1, of_b[1] = d[2], of_b[2] = d[1];
    of_y[0] = d[0], of_y[1] = d[2], of_y[2] = 1;
    apart = PAD(array_sub)(PAD(array_pack)(t, 3, of_a, x),
                           PAD(array_pack)(t, 3, of_b, x + d[0] * d[1]));
    bar = PAD(array_mul)(PAD(array_pack)(t, 3, of_y, y), PAD(array_pack)(t, 3, of_y, y_bar));
    x_bar[n - 1] = PAD(array_item)(PAD(array_neg)(PAD(array_sum)(
        PAD(array_mul)(bar, PAD(array_square)(apart)), AD_ALL_AXES, 0)));
    apart = PAD(array_mul_v)(PAD(array_mul)(bar, apart), PAD(var_mul_r)(s, -2));
    if (PAD(array_unpack)(PAD(array_sum)(apart, AD_AXIS(1), 0), x_bar) != AD_OK
        || PAD(array_unpack)(PAD(array_sum)(apart, AD_AXIS(0), 0), x_bar + d[0] * d[1]) != AD_OK)
        return AD_ERR_USER;
    for (i = (size_t)(d[0] * d[1]); i + 1 < n; i++) x_bar[i] = PAD(var_neg)(x_bar[i]);
    return AD_OK;
}
static const PAD(op) PT(kernel) = { "kernel", PT(kernel_value), PT(kernel_reverse),
                                    PT(kernel_tangent), NULL, PT(kernel_record) };

/* Which operation; then how often for the ring, or 1: the result is taken apart. */
OP(call)
{
    PAD(array) a[MAX_OPERANDS], y, part;
    const size_t n = (size_t)PT(all)(r, a);
    int32_t dim[2];
    int k;
    if (I(0) == 0) {
        for (y = X(0), k = 0; k < I(1); k++)
            y = PAD(array_call)(r->t, &PT(ring), NULL, 1, &y, y.rank, y.dim);
        PT(out)(r, y);
        return;
    }
    r->call[0] = dim[0] = X(0).dim[0], r->call[1] = X(0).dim[1];
    r->call[2] = dim[1] = X(1).dim[I(0) == 1 ? 1 : 0];
    y = PAD(array_call)(r->t, I(0) == 1 ? &PT(product) : &PT(kernel), r->call, n, a, 2, dim);
    if (I(1) == 0) {
        PT(out)(r, y);
        return;
    }
    part = PAD(array_slice)(y, 0, 0, 1, 1);
    PT(out)(r, PAD(array_reshape)(part, 1, dim + 1));
    PT(out)(r, PAD(array_tanh)(y));
}

OP(softmax) { PT(out)(r, PAD(array_softmax)(X(0), I(0))); }
OP(log_softmax) { PT(out)(r, PAD(array_log_softmax)(X(0), I(0))); }

static const ad_conv_desc *PT(conv)(const PT(run) *r, ad_conv_desc *d)
{
    int k;
    memset(d, 0, sizeof *d);
    for (k = 0; k < 2; k++) {
        d->stride[k] = I(k), d->pad[k] = I(2 + k), d->dilation[k] = I(4 + k);
        d->extra[k] = I(7 + k);
    }
    d->groups = I(6);
    d->same = I(10), d->pad_mode = I(11);
    return I(9) ? NULL : d;
}
#define CONV(name)                                                                                 \
    OP(name)                                                                                       \
    {                                                                                              \
        ad_conv_desc d;                                                                            \
        PT(out)(r, PAD(array_##name)(X(0), X(1), PT(conv)(r, &d)));                                \
    }
CONV(conv1d)
CONV(conv2d)
CONV(conv1d_transpose)
CONV(conv2d_transpose)
/* The depth of x; strides, paddings, dilations; groups, same, mode. */
OP(conv3d)
{
    ad_conv3d_desc d;
    int k;
    memset(&d, 0, sizeof d);
    for (k = 0; k < 3; k++) d.stride[k] = I(1 + k), d.pad[k] = I(4 + k), d.dilation[k] = I(7 + k);
    d.groups = I(10), d.same = I(11), d.pad_mode = I(12);
    PT(out)(r, PAD(array_conv3d)(X(0), X(1), I(0), I(13) ? NULL : &d));
}
#undef CONV

static const ad_pool_desc *PT(pool)(const PT(run) *r, ad_pool_desc *d)
{
    int k;
    memset(d, 0, sizeof *d);
    for (k = 0; k < 2; k++) d->size[k] = I(k), d->stride[k] = I(2 + k), d->pad[k] = I(4 + k);
    d->count_padding = I(6);
    return d;
}
OP(max_pool)
{
    ad_pool_desc d;
    PT(out)(r, PAD(array_max_pool)(X(0), PT(pool)(r, &d)));
}
OP(avg_pool)
{
    ad_pool_desc d;
    PT(out)(r, PAD(array_avg_pool)(X(0), PT(pool)(r, &d)));
}

OP(adaptive_max_pool) { PT(out)(r, PAD(array_adaptive_max_pool)(X(0), r->i)); }
OP(adaptive_avg_pool) { PT(out)(r, PAD(array_adaptive_avg_pool)(X(0), r->i)); }
OP(interpolate)
{
    PT(out)(r, PAD(array_interpolate)(X(0), r->i + 2, (ad_interpolation)I(0), I(1)));
}

/* An operand that may be left out: present is its number, or -1. */
static PAD(array) PT(maybe)(const PT(run) *r, int present)
{
    PAD(array) none;
    memset(&none, 0, sizeof none);
    none.rank = -1;
    return present < 0 ? none : X(present);
}
OP(layer_norm)
{
    PT(out)(r, PAD(array_layer_norm)(X(0), PT(maybe)(r, I(0)), PT(maybe)(r, I(1)), R(0)));
}
OP(group_norm)
{
    PT(out)(r, PAD(array_group_norm)(X(0), I(2), PT(maybe)(r, I(0)), PT(maybe)(r, I(1)), R(0)));
}
OP(rms_norm) { PT(out)(r, PAD(array_rms_norm)(X(0), PT(maybe)(r, I(0)), R(0))); }
OP(batch_norm)
{
    const size_t n = (size_t)X(0).dim[1];
    PREAL *mean = I(2) ? PT(plain)(r, n) : NULL, *var = I(2) ? PT(plain)(r, n) : NULL;
    PT(out)(r, PAD(array_batch_norm)(X(0), PT(maybe)(r, I(0)), PT(maybe)(r, I(1)), R(0), mean,
                                     var));
}
/* The last two operands are plain numbers here. */
OP(batch_norm_with)
{
    PT(out)(r, PAD(array_batch_norm_with)(X(0), PT(maybe)(r, I(0)), PT(maybe)(r, I(1)), R(0),
                                          r->x[I(2)].data, r->x[I(2) + 1].data));
}
OP(dropout)
{
    PT(out)(r, PAD(array_dropout)(X(0), R(0), (uint64_t)I(0), (uint64_t)I(1)));
}
/* A counter that is an array: what it counts is added to the number of the call. */
enum { PT(COUNT) = 5 };
static PAD(array) PT(counter)(PT(run) *r)
{
    const PREAL count = PT(COUNT);
    return PAD(array_const)(r->t, 0, NULL, &count);
}
OP(dropout_at)
{
    PT(out)(r, PAD(array_dropout_at)(X(0), R(0), (uint64_t)I(0), (uint64_t)I(1), PT(counter)(r)));
}
/* On the tape, and the same as plain numbers. */
static void PT(random)(PT(run) *r, PAD(array) y, int normal, uint64_t call)
{
    const size_t n = PAD(array_size)(y);
    PREAL *p = PT(plain)(r, n), *q = PT(plain)(r, n);
    if (n) memcpy(p, PAD(array_values)(y), n * sizeof *p);
    if (normal) PAD(random_normal)(n, (uint64_t)I(5), call, q);
    else PAD(random_uniform)(n, (uint64_t)I(5), call, q);
}
#define DRAWN(how, from, more, is_normal)                                                          \
OP(how)                                                                                            \
{                                                                                                  \
    const uint64_t seed = (uint64_t)I(5), call = (uint64_t)I(6);                                   \
    PT(random)(r, PAD(array_##how)(from, I(0), r->i + 1, seed, call), is_normal, call + more);     \
}
DRAWN(uniform, r->t, 0, 0)
DRAWN(normal, r->t, 0, 1)
DRAWN(uniform_at, PT(counter)(r), PT(COUNT), 0)
DRAWN(normal_at, PT(counter)(r), PT(COUNT), 1)
#undef DRAWN

#define HOW(k) ((ad_reduction)I(k))
OP(squared_error) { PT(out)(r, PAD(array_squared_error)(X(0), X(1), HOW(0))); }
OP(huber) { PT(out)(r, PAD(array_huber)(X(0), X(1), R(0), HOW(0))); }
OP(cross_entropy) { PT(out)(r, PAD(array_cross_entropy)(X(0), U(1), HOW(0))); }
OP(cross_entropy_with) { PT(out)(r, PAD(array_cross_entropy_with)(X(0), X(1), HOW(0))); }
OP(binary_cross_entropy) { PT(out)(r, PAD(array_binary_cross_entropy)(X(0), X(1), HOW(0))); }
/* Whole numbers: reduction, whether there are weights, is a class that is left out, that class,
   then those of the rows; reals: smoothing, weights. */
OP(cross_entropy_weighted)
{
    PREAL weight[40];
    const uint32_t ignored = (uint32_t)I(3);
    const int n = X(0).dim[X(0).rank - 1];
    PAD(cross_entropy_desc) d;
    int k;
    memset(&d, 0, sizeof d);
    for (k = 0; k < n && k < 40; k++) weight[k] = R(1 + k);
    d.smoothing = R(0);
    if (I(1)) d.weight = weight;
    if (I(2)) d.ignored = &ignored;
    PT(out)(r, PAD(array_cross_entropy_weighted)(X(0), U(4), &d, (ad_reduction)I(0)));
}
OP(binary_cross_entropy_weighted)
{
    PT(out)(r, PAD(array_binary_cross_entropy_weighted)(X(0), X(1), X(2), (ad_reduction)I(0)));
}
OP(cosine_similarity) { PT(out)(r, PAD(array_cosine_similarity)(X(0), X(1), I(0))); }
OP(cosine_embedding)
{
    PT(out)(r, PAD(array_cosine_embedding)(X(0), X(1), X(2), (PREAL)R(0), (ad_reduction)I(0)));
}
/* Whole numbers: reduction, blank, whether times are told, most labels; lengths, times, labels. */
OP(ctc)
{
    const int rows = X(0).dim[1];
    PT(out)(r, PAD(array_ctc)(PAD(array_log_softmax)(X(0), -1), SIZE(3), U(4 + 2 * rows), U(4),
        I(2) ? U(4 + rows) : NULL, (uint32_t)I(1), (ad_reduction)I(0)));
}
OP(kl) { PT(out)(r, PAD(array_kl)(X(0), X(1), HOW(0))); }
OP(gaussian_nll) { PT(out)(r, PAD(array_gaussian_nll)(X(0), X(1), X(2), HOW(0))); }
OP(poisson_nll) { PT(out)(r, PAD(array_poisson_nll)(X(0), X(1), HOW(0))); }
#undef HOW

/* ---------------------------------------------------------------- models */

static PAD(array) PT(linear)(PAD(array) x, PAD(array) w, PAD(array) b)    /* weights as PyTorch's */
{
    return PAD(array_add)(PAD(array_matmul_t)(x, 0, w, 1), b);
}

/* X(0): the batch; X(1), X(2) and so on: weights and biases; classes. */
OP(mlp)
{
    PAD(array) h = X(0);
    int k;
    for (k = 1; k + 1 < r->n_x; k += 2) {
        h = PT(linear)(h, X(k), X(k + 1));
        if (k + 3 < r->n_x) h = I(0) ? PAD(array_tanh)(h) : PAD(array_relu)(h);
    }
    PT(out)(r, PAD(array_cross_entropy)(h, U(1), AD_MEAN));
}

/* Convolutions 3x3 with padding 1, each with a bias, relu and a 2x2 pool; then one linear layer.
   X(1..3): weights, gain and bias of a batch normalisation, and so on. */
OP(cnn)
{
    const int layers = I(0);
    ad_conv_desc conv;
    ad_pool_desc pool;
    PAD(array) h = X(0);
    int32_t dim[4];
    int k;
    memset(&conv, 0, sizeof conv);
    memset(&pool, 0, sizeof pool);
    conv.pad[0] = conv.pad[1] = 1;
    pool.size[0] = pool.size[1] = 2;
    for (k = 0; k < layers; k++) {
        h = PAD(array_conv2d)(h, X(1 + 3 * k), &conv);
        h = PAD(array_batch_norm)(h, X(2 + 3 * k), X(3 + 3 * k), R(0), NULL, NULL);
        h = PAD(array_relu)(h);
        h = I(1) ? PAD(array_max_pool)(h, &pool) : PAD(array_avg_pool)(h, &pool);
    }
    dim[0] = h.dim[0], dim[1] = -1;
    h = PT(linear)(PAD(array_reshape)(h, 2, dim), X(1 + 3 * layers), X(2 + 3 * layers));
    PT(out)(r, PAD(array_cross_entropy)(h, U(2), AD_MEAN));
}

/* Recurrent layers: x and two weights, then what there is of two biases, h and c. */
static PAD(recurrent) PT(weights)(const PT(run) *r)
{
    PAD(recurrent) w;
    w.weight_ih = X(1), w.weight_hh = X(2);
    w.bias_ih = PT(maybe)(r, I(0)), w.bias_hh = PT(maybe)(r, I(1));
    return w;
}
OP(lstm)
{
    const PAD(recurrent) w = PT(weights)(r);
    PAD(array) c;
    PT(out)(r, PAD(array_lstm)(X(0), PT(maybe)(r, I(2)), PT(maybe)(r, I(3)), &w, &c));
    PT(out)(r, c);
}
OP(lstm_cell)
{
    const PAD(recurrent) w = PT(weights)(r);
    PAD(array) c;
    PT(out)(r, PAD(array_lstm_cell)(X(0), PT(maybe)(r, I(2)), PT(maybe)(r, I(3)), &w, &c));
    PT(out)(r, c);
}
OP(gru)
{
    const PAD(recurrent) w = PT(weights)(r);
    PT(out)(r, PAD(array_gru)(X(0), PT(maybe)(r, I(2)), &w));
}
OP(gru_cell)
{
    const PAD(recurrent) w = PT(weights)(r);
    PT(out)(r, PAD(array_gru_cell)(X(0), PT(maybe)(r, I(2)), &w));
}
OP(attention)
{
    PT(out)(r, PAD(array_attention)(X(0), X(1), X(2), PT(maybe)(r, I(0)), I(1), R(0)));
}
/* Queries, keys and values, or one array for all; weights of them and of the output. */
OP(multi_head_attention)
{
    const int n = I(0);
    PAD(attention) how;
    memset(&how, 0, sizeof how);
    how.in_proj_weight = X(n), how.out_proj_weight = X(n + 1);
    how.in_proj_bias = PT(maybe)(r, I(1)), how.out_proj_bias = PT(maybe)(r, I(2));
    how.mask = PT(maybe)(r, I(3));
    how.heads = I(4), how.causal = I(5);
    PT(out)(r, PAD(array_multi_head_attention)(X(0), X(n > 1), X(n > 1 ? n - 1 : 0), &how));
}

/* One block of a transformer, normalisation first: x[batch, length, width]; gain and bias; weights
   and biases of queries, keys, values together and of the output; gain and bias; weights and biases
   of the two layers after. Whole numbers: heads, causal or not, which gelu. */
OP(transformer)
{
    const int32_t batch = X(0).dim[0], length = X(0).dim[1], width = X(0).dim[2], heads = I(0);
    static const int places[4] = { 0, 2, 1, 3 };
    PAD(array) h, part[3], score;
    int32_t dim[4];
    int k;
    h = PT(linear)(PAD(array_layer_norm)(X(0), X(1), X(2), R(0)), X(3), X(4));
    if (PAD(array_split)(h, -1, 3, part) != AD_OK) return;
    dim[0] = batch, dim[1] = length, dim[2] = heads, dim[3] = width / heads;
    for (k = 0; k < 3; k++)
        part[k] = PAD(array_permute)(PAD(array_reshape)(part[k], 4, dim), places);
    score = PAD(array_mul_r)(PAD(array_matmul_t)(part[0], 0, part[1], 1), R(1));
    if (I(1)) {
        dim[0] = dim[1] = length;
        score = PAD(array_where)(PAD(array_tril)(PAD(array_full)(r->t, 2, dim, 1), 0), score,
                                 PAD(array_full)(r->t, 0, dim, (PREAL)-1e9));
    }
    h = PAD(array_permute)(PAD(array_matmul)(PAD(array_softmax)(score, -1), part[2]), places);
    h = PAD(array_add)(X(0), PT(linear)(PAD(array_reshape)(h, 3, X(0).dim), X(5), X(6)));
    score = PT(linear)(PAD(array_layer_norm)(h, X(7), X(8), R(0)), X(9), X(10));
    score = I(2) ? PAD(array_gelu_tanh)(score) : PAD(array_gelu)(score);
    PT(out)(r, PAD(array_add)(h, PT(linear)(score, X(11), X(12))));
}

/* Gaussian process: a negative log likelihood of points, targets, log length, log noise. */
OP(gaussian_process)
{
    const int32_t n = X(0).dim[0];
    int32_t column[2], row[2], one[2];
    PAD(array) s, d, K, L, a;
    column[0] = n, column[1] = 1, row[0] = 1, row[1] = n, one[0] = one[1] = n;
    s = PAD(array_div)(X(0), PAD(array_exp)(X(2)));
    d = PAD(array_sub)(PAD(array_reshape)(s, 2, column), PAD(array_reshape)(s, 2, row));
    K = PAD(array_exp)(PAD(array_mul_r)(PAD(array_square)(d), (PREAL)-0.5));
    one[1] = n;
    d = PAD(array_tril)(PAD(array_triu)(PAD(array_full)(r->t, 2, one, 1), 0), 0);
    K = PAD(array_add)(K, PAD(array_mul)(d, PAD(array_exp)(X(3))));
    L = PAD(array_cholesky)(K);
    a = PAD(array_triangular_solve)(L, PAD(array_reshape)(X(1), 2, column), AD_LOWER, 0);
    s = PAD(array_mul_r)(PAD(array_dot)(a, a), (PREAL)0.5);
    a = PAD(array_sum)(PAD(array_log)(PAD(array_diagonal)(L, 0)), AD_ALL_AXES, 0);
    PT(out)(r, PAD(array_add)(s, a));
    PT(out)(r, PAD(array_mul_r)(PAD(array_logdet)(K), (PREAL)0.5));
}

/* ---------------------------------------------------------------- learning

   Two layers with tanh learn 20 steps: X(0): inputs, X(1): targets, X(2), X(3): the weights, which
   are borrowed and the outcome. Whole numbers: optimiser, Nesterov or decoupled, schedule, clipping
   (1: norm, 2: value), steps. Reals: what the optimiser takes, then what clipping and the schedule
   take. */

static PREAL PT(rate)(const PT(run) *r, uint64_t step)
{
    const uint64_t n = (uint64_t)I(4);
    switch (I(2)) {
    case 1:  return PAD(rate_step)(R(0), R(7), 7, step);
    case 2:  return PAD(rate_exponential)(R(0), R(7), step);
    case 3:  return PAD(rate_cosine)(R(0), R(8), n, step);
    default: return R(0);
    }
}

static ad_status PT(step)(const PT(run) *r, uint64_t step, size_t n, PREAL *x, const PREAL *g,
                          PREAL *m, PREAL *v)
{
    if (I(0) == 0) {
        PAD(sgd) how;
        memset(&how, 0, sizeof how);
        how.rate = PT(rate)(r, step - 1), how.momentum = R(1), how.weight_decay = R(2);
        how.nesterov = I(1);
        return PAD(sgd_step)(&how, n, x, g, R(1) == 0 ? NULL : m);
    }
    if (I(0) == 1) {
        PAD(adam) how;
        memset(&how, 0, sizeof how);
        how.rate = PT(rate)(r, step - 1), how.beta1 = R(1), how.beta2 = R(3), how.eps = R(4);
        how.weight_decay = R(2), how.decoupled = I(1);
        return PAD(adam_step)(&how, step, n, x, g, m, v);
    }
    if (I(0) == 3) {
        PAD(adagrad) how;
        memset(&how, 0, sizeof how);
        how.rate = PT(rate)(r, step - 1), how.eps = R(4), how.weight_decay = R(2);
        return PAD(adagrad_step)(&how, n, x, g, v);
    }
    {
        PAD(rmsprop) how;
        memset(&how, 0, sizeof how);
        how.rate = PT(rate)(r, step - 1), how.decay = R(3), how.eps = R(4);
        return PAD(rmsprop_step)(&how, n, x, g, v);
    }
}

OP(learn)
{
    PREAL *loss = PT(plain)(r, SIZE(4)), *x[2], *g[2], *m[2], *v[2];
    size_t n[2];
    int k, step;
    for (k = 0; k < 2; k++) {
        n[k] = r->x[2 + k].size;
        x[k] = PT(plain)(r, n[k]);
        memcpy(x[k], r->x[2 + k].data, n[k] * sizeof(PREAL));
        g[k] = (PREAL *)room(n[k], sizeof(PREAL));
        m[k] = (PREAL *)room(n[k], sizeof(PREAL));
        v[k] = (PREAL *)room(n[k], sizeof(PREAL));
    }
    for (step = 1; step <= I(4); step++) {
        PAD(array) in, to, w[2], y;
        PAD(tape_reset)(r->t);
        in = PAD(array_const_borrow)(r->t, r->x[0].rank, r->x[0].dim, r->x[0].data);
        to = PAD(array_const_borrow)(r->t, r->x[1].rank, r->x[1].dim, r->x[1].data);
        for (k = 0; k < 2; k++)
            w[k] = PAD(array_borrow)(r->t, r->x[2 + k].rank, r->x[2 + k].dim, x[k]);
        y = PAD(array_matmul)(PAD(array_tanh)(PAD(array_matmul)(in, w[0])), w[1]);
        y = PAD(array_squared_error)(y, to, AD_MEAN);
        r->status = PAD(backward)(PAD(array_item)(y));
        if (r->status != AD_OK) break;
        loss[step - 1] = PAD(array_values)(y)[0];
        for (k = 0; k < 2; k++) memcpy(g[k], PAD(array_adjoints)(w[k]), n[k] * sizeof(PREAL));
        if (I(3) == 1) PAD(clip_norm)(2, n, g, R(6));
        if (I(3) == 2)
            for (k = 0; k < 2; k++) PAD(clip_value)(n[k], g[k], R(6));
        for (k = 0; k < 2 && r->status == AD_OK; k++)
            r->status = PT(step)(r, (uint64_t)step, n[k], x[k], g[k], m[k], v[k]);
    }
    for (k = 0; k < 2; k++) free(g[k]), free(m[k]), free(v[k]);
}

OP(clip)
{
    PREAL *x[MAX_OPERANDS], *norm;
    size_t n[MAX_OPERANDS];
    int k;
    for (k = 0; k < r->n_x; k++) {
        n[k] = r->x[k].size;
        x[k] = PT(plain)(r, n[k]);
        if (n[k]) memcpy(x[k], r->x[k].data, n[k] * sizeof(PREAL));
    }
    norm = PT(plain)(r, 1);
    if (I(0)) norm[0] = PAD(clip_norm)((size_t)r->n_x, n, x, R(0));
    else
        for (k = 0; k < r->n_x; k++) PAD(clip_value)(n[k], x[k], R(0));
}

/* Every schedule; whole numbers: how many steps, `every`, `warmup`. */
OP(rates)
{
    const size_t n = SIZE(0);
    PREAL *p[4];
    size_t k;
    for (k = 0; k < 4; k++) p[k] = PT(plain)(r, n + 1);
    for (k = 0; k <= n; k++) {
        p[0][k] = PAD(rate_step)(R(0), R(1), (uint64_t)I(1), k);
        p[1][k] = PAD(rate_exponential)(R(0), R(1), k);
        p[2][k] = PAD(rate_cosine)(R(0), R(2), (uint64_t)n, k);
        p[3][k] = PAD(rate_warmup)(R(0), R(2), (uint64_t)I(2), (uint64_t)n, k);
    }
}

/* The rate that falls on plateaus of the numbers X(0). */
OP(plateau)
{
    const size_t n = r->x[0].size;
    PREAL *const p = PT(plain)(r, n), rate = R(0);
    PAD(plateau) how;
    size_t k;
    memset(&how, 0, sizeof how);
    how.factor = R(1), how.least = R(2), how.threshold = R(3);
    how.patience = I(0), how.cooldown = I(1), how.greater = I(2);
    for (k = 0; k < n; k++) p[k] = rate = PAD(rate_plateau)(&how, rate, r->x[0].data[k]);
}

/* ---------------------------------------------------------------- the tables */

static const struct { const char *name; void (*run)(PT(run) *r); } PT(operations)[] = {
#define ROW(n) { #n, PT(op_##n) },
    ROW(sum) ROW(mean) ROW(prod) ROW(amax) ROW(amin) ROW(norm) ROW(logsumexp) ROW(var) ROW(std)
    ROW(vector_norm) ROW(cumsum) ROW(cumprod) ROW(logcumsumexp) ROW(cummax) ROW(cummin)
    ROW(argmax) ROW(argmin)
    ROW(matmul) ROW(matmul_t) ROW(dot) ROW(outer) ROW(diagonal) ROW(trace) ROW(tril) ROW(triu)
    ROW(triangular_solve) ROW(cholesky) ROW(solve) ROW(inverse) ROW(logdet)
    ROW(slogdet) ROW(qr) ROW(eigh) ROW(svd) ROW(lstsq) ROW(einsum)
    ROW(reshape) ROW(broadcast_to) ROW(permute) ROW(transpose) ROW(slice) ROW(flip)
    ROW(concatenate) ROW(stack) ROW(split) ROW(pad) ROW(pad_mode) ROW(tile) ROW(repeat) ROW(roll)
    ROW(gather) ROW(scatter_add)
    ROW(argsort) ROW(sort) ROW(topk) ROW(take_along) ROW(scatter_along) ROW(scatter_add_along)
    ROW(embedding) ROW(where) ROW(elements) ROW(detach) ROW(full) ROW(map) ROW(beside)
    ROW(call)
    ROW(softmax) ROW(log_softmax) ROW(conv1d) ROW(conv2d) ROW(conv1d_transpose)
    ROW(conv2d_transpose) ROW(conv3d) ROW(max_pool) ROW(avg_pool) ROW(adaptive_max_pool)
    ROW(adaptive_avg_pool) ROW(interpolate) ROW(layer_norm) ROW(group_norm)
    ROW(rms_norm) ROW(batch_norm) ROW(batch_norm_with) ROW(dropout) ROW(uniform) ROW(normal)
    ROW(dropout_at) ROW(uniform_at) ROW(normal_at)
    ROW(squared_error) ROW(huber) ROW(cross_entropy) ROW(cross_entropy_with)
    ROW(binary_cross_entropy) ROW(kl)
    ROW(cross_entropy_weighted) ROW(binary_cross_entropy_weighted) ROW(cosine_similarity)
    ROW(cosine_embedding) ROW(ctc) ROW(gaussian_nll) ROW(poisson_nll)
    ROW(attention) ROW(multi_head_attention) ROW(lstm_cell) ROW(gru_cell)
    ROW(mlp) ROW(cnn) ROW(lstm) ROW(gru) ROW(transformer) ROW(gaussian_process)
    ROW(learn) ROW(clip) ROW(rates) ROW(plateau)
#undef ROW
    { NULL, NULL }
};

/* The rules. Whole number 0 of a binary one: 0: two arrays, 1: _r with real 0, 2: _from_r, 3: _v
   with a variable, which is the element of operand 1, 4: _from_v. */
typedef struct PT(rule) {
    const char *name;
    PAD(array) (*one)(PAD(array));
    PAD(array) (*two)(PAD(array), PAD(array));
    PAD(array) (*two_r)(PAD(array), PREAL);
    PAD(array) (*two_from_r)(PREAL, PAD(array));
    PAD(array) (*two_v)(PAD(array), PAD(var));
    PAD(array) (*two_from_v)(PAD(var), PAD(array));
    PAD(array) (*three)(PAD(array), PAD(array), PAD(array));
} PT(rule);
static const PT(rule) PT(rules)[] = {
#define X1(name, class_, value, dx)                                                                \
    { #name, PAD(array_##name), NULL, NULL, NULL, NULL, NULL, NULL },
#define X2(name, class_, value, dx, dy)                                                            \
    { #name, NULL, PAD(array_##name), PAD(array_##name##_r), PAD(array_##name##_from_r),           \
      PAD(array_##name##_v), PAD(array_##name##_from_v), NULL },
#define X3(name, class_, value, dx, dy, dz)                                                        \
    { #name, NULL, NULL, NULL, NULL, NULL, NULL, PAD(array_##name) },
    ADI_READ((X1, X2, X3, ADI_SKIPN, ADI_WORDS(ADI_WORD_TEXT)))
#undef X1
#undef X2
#undef X3
    { NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL }
};

static void PT(apply)(PT(run) *r)
{
    size_t k;
    for (k = 0; PT(operations)[k].name; k++)
        if (strcmp(PT(operations)[k].name, r->name) == 0) {
            PT(operations)[k].run(r);
            return;
        }
    for (k = 0; PT(rules)[k].name; k++)
        if (strcmp(PT(rules)[k].name, r->name) == 0) {
            const PT(rule) *rule = &PT(rules)[k];
            if (rule->one) PT(out)(r, rule->one(X(0)));
            else if (rule->three) PT(out)(r, rule->three(X(0), X(1), X(2)));
            else if (I(0) == 0) PT(out)(r, rule->two(X(0), X(1)));
            else if (I(0) == 1) PT(out)(r, rule->two_r(X(0), R(0)));
            else if (I(0) == 2) PT(out)(r, rule->two_from_r(R(0), X(0)));
            else if (I(0) == 3) PT(out)(r, rule->two_v(X(0), PAD(array_item)(X(1))));
            else PT(out)(r, rule->two_from_v(PAD(array_item)(X(0)), X(1)));
            return;
        }
    stop(r->name);
}

/* ---------------------------------------------------------------- a case */

static PAD(tape) *PT(tapes)[8];              /* one for each instruction set */

static PAD(tape) *PT(tape_of)(int level)
{
    const int k = level_here(level);
    if (!PT(tapes)[k]) {
        ad_tape_desc desc;
        memset(&desc, 0, sizeof desc);
        desc.simd = levels[k];
        PT(tapes)[k] = PAD(tape_create)(&desc);
        if (!PT(tapes)[k]) stop("no tape");
    }
    PAD(tape_reset)(PT(tapes)[k]);
    return PT(tapes)[k];
}

static void PT(end)(void)
{
    size_t k;
    for (k = 0; k < 8; k++)
        if (PT(tapes)[k]) PAD(tape_destroy)(PT(tapes)[k]);
}

static void PT(put_array)(int what, int index, int rank, const int32_t *dim, size_t size,
                          const PREAL *data)
{
    static const int32_t none[4] = { 1, 1, 1, 1 };
    put_int(what);
    put_int(index);
    put_int(rank);
    put(dim ? dim : none, 4 * sizeof *dim);
    put_int(data ? (int32_t)size : 0);
    if (data) put(data, size * sizeof *data);
}

static void PT(put_handle)(int what, int index, PAD(array) a, const PREAL *data)
{
    PT(put_array)(what, index, a.rank, a.dim, PAD(array_size)(a), data);
}

/* HOW_PIECE: the middle of three along a new first axis. */
static void PT(place)(PT(run) *r, PT(operand) *p)
{
    PAD(tape) *t = r->t;
    int32_t dim[4];
    size_t k;
    switch (p->how) {
    case HOW_INPUT:
        p->x = p->leaf = PAD(array_input)(t, p->rank, p->dim, p->data);
        break;
    case HOW_BORROW:
        p->x = p->leaf = PAD(array_borrow)(t, p->rank, p->dim, p->data);
        break;
    case HOW_CONST:
        p->x = PAD(array_const)(t, p->rank, p->dim, p->data);
        break;
    case HOW_CONST_BORROW:
        p->x = PAD(array_const_borrow)(t, p->rank, p->dim, p->data);
        break;
    case HOW_NEGATED:
        for (k = 0; k < p->size; k++) p->data[k] = -p->data[k];
        p->leaf = PAD(array_borrow)(t, p->rank, p->dim, p->data);
        p->x = PAD(array_neg)(p->leaf);
        break;
    case HOW_SCALARS:
        p->scalar = (PAD(var) *)room(p->size, sizeof *p->scalar);
        for (k = 0; k < p->size; k++) p->scalar[k] = PAD(input)(t, p->data[k]);
        p->x = PAD(array_pack)(t, p->rank, p->dim, p->scalar);
        break;
    case HOW_PIECE: {
        PREAL *more = (PREAL *)room(3 * p->size, sizeof *more);
        for (k = 0; k < 3 * p->size; k++) more[k] = p->data[k % p->size];
        dim[0] = 3;
        for (k = 0; k < 3; k++) dim[k + 1] = p->dim[k];
        p->leaf = PAD(array_input)(t, p->rank + 1, dim, more);
        p->x = PAD(array_reshape)(PAD(array_slice)(p->leaf, 0, 1, 2, 1), p->rank, p->dim);
        free(more);
        break;
    }
    default:                    /* HOW_SAME: the operand before it once more */
        p->x = p[-1].x;
    }
}

/* The adjoints of what is behind operand k. */
static void PT(put_gradient)(PT(run) *r, int k)
{
    PT(operand) *p = &r->x[k];
    if (p->how == HOW_CONST || p->how == HOW_CONST_BORROW || p->how == HOW_SAME) return;
    if (p->scalar) {
        PREAL *g = (PREAL *)room(p->size, sizeof *g);
        size_t i;
        for (i = 0; i < p->size; i++) g[i] = PAD(adjoint)(p->scalar[i]);
        PT(put_array)(IS_GRADIENT, k, p->rank, p->dim, p->size, g);
        free(g);
    } else PT(put_handle)(IS_GRADIENT, k, p->leaf, PAD(array_adjoints)(p->leaf));
}

static PREAL *PT(directions)(size_t operand, size_t n)
{
    PREAL *v = (PREAL *)room(n, sizeof *v);
    size_t i;
    for (i = 0; i < n; i++) v[i] = (PREAL)direction(operand, i);
    return v;
}

/* The sum of the outputs times their weights, and of the operands times their directions. */
static PAD(var) PT(loss)(PT(run) *r, PREAL **w, int way)
{
    const int bent = way == WAY_BENT || way == WAY_COMPILED_TWICE;
    PAD(var) sum = PAD(const)(0);
    int k;
    for (k = 0; k < r->n_y; k++) {
        const PAD(array) y = r->y[k];
        sum = PAD(var_add)(sum, PAD(array_item)(PAD(array_dot)(
            bent ? PAD(array_mul_r)(PAD(array_square)(y), (PREAL)0.5) : y,
            PAD(array_const_borrow)(r->t, y.rank, y.dim, w[k]))));
    }
    for (k = 0; way == WAY_MORE && k < r->n_x; k++)
        if (r->x[k].leaf.rank >= 0 || r->x[k].scalar) {
            PREAL *v = PT(directions)((size_t)k, r->x[k].size);
            sum = PAD(var_add)(sum, PAD(array_item)(PAD(array_dot)(X(k),
                PAD(array_const)(r->t, X(k).rank, X(k).dim, v))));
            free(v);
        }
    return sum;
}

static void PT(tangents)(PT(run) *r)
{
    PAD(array) leaf[MAX_OPERANDS];
    PREAL *v[MAX_OPERANDS];
    size_t n = 0;
    int k;
    for (k = 0; k < r->n_x; k++) {
        if (r->x[k].leaf.rank < 0) continue;
        leaf[n] = r->x[k].leaf;
        v[n] = PT(directions)((size_t)k, PAD(array_size)(leaf[n]));
        n++;
    }
    r->status = PAD(array_forward)(r->t, n, leaf, (const PREAL *const *)v);
    if (r->status == AD_OK)
        for (k = 0; k < r->n_y; k++)
            PT(put_handle)(IS_TANGENT, k, r->y[k], PAD(array_tangents)(r->y[k]));
    while (n > 0) free(v[--n]);
}

static void PT(twice)(PT(run) *r, PAD(var) loss)
{
    PAD(array) leaf[MAX_OPERANDS], g[MAX_OPERANDS];
    PAD(var) sum = PAD(const)(0);
    PREAL *v[MAX_OPERANDS];
    size_t which[MAX_OPERANDS], n = 0, j;
    int k;
    for (k = 0; k < r->n_x; k++)
        if (r->x[k].leaf.rank >= 0) leaf[n] = r->x[k].leaf, which[n++] = (size_t)k;
    r->status = PAD(array_grad)(loss, n, leaf, g);
    if (r->status != AD_OK) return;
    for (j = 0; j < n; j++) {
        v[j] = PT(directions)(which[j], PAD(array_size)(leaf[j]));
        PT(put_handle)(IS_RECORDED, (int)which[j], g[j], PAD(array_values)(g[j]));
    }
    for (j = 0; j < n; j++)
        sum = PAD(var_add)(sum, PAD(array_item)(PAD(array_dot)(g[j],
            PAD(array_const_borrow)(r->t, leaf[j].rank, leaf[j].dim, v[j]))));
    if (sum.tape) {
        r->status = PAD(backward)(sum);
        for (j = 0; j < n && r->status == AD_OK; j++)
            PT(put_handle)(IS_SECOND, (int)which[j], leaf[j], PAD(array_adjoints)(leaf[j]));
    }
    for (j = 0; j < n; j++) free(v[j]);
}

/* The numbers of an operand from the last to the first. */
static void PT(turn)(const PT(operand) *p)
{
    size_t k;
    for (k = 0; k < p->size / 2; k++) {
        const PREAL x = p->data[k];
        p->data[k] = p->data[p->size - 1 - k];
        p->data[p->size - 1 - k] = x;
    }
}
static int PT(turns)(const PT(operand) *p)
{
    return p->how == HOW_INPUT || p->how == HOW_BORROW || p->how == HOW_NEGATED
        || p->how == HOW_PIECE;
}

/* Function f, which is destroyed, of x: results that `what` names, of the shapes of y, are put;
   none where that is -1. */
static void PT(put_function)(PT(run) *r, PAD(fn) *f, PREAL *const *x, size_t m,
                             const PAD(array) *y, const int *what, const int *index,
                             char *message)
{
    PREAL *to[MAX_OUTPUTS + 2 * MAX_OPERANDS];
    size_t j;
    for (j = 0; j < m; j++) to[j] = (PREAL *)room(PAD(array_size)(y[j]), sizeof **to);
    r->status = PAD(fn_status)(f);
    if (r->status == AD_OK) r->status = PAD(fn_run)(f, (const PREAL *const *)x, to);
    if (r->status != AD_OK) strncpy(message, PAD(fn_message)(f), 159);
    for (j = 0; j < m && r->status == AD_OK; j++)
        if (what[j] >= 0) PT(put_handle)(what[j], index[j], y[j], to[j]);
    for (j = 0; j < m; j++) free(to[j]);
    PAD(fn_destroy)(f);
}

/* Values, gradient and, if twice, the derivative of the latter's product with the directions as a
   function, run when the tape is empty again, with the numbers of the case. */
static void PT(compiled)(PT(run) *r, const header *h, PAD(var) loss, PREAL **w, char *message)
{
    enum { MOST = MAX_OUTPUTS + 2 * MAX_OPERANDS };
    const int twice = h->way == WAY_COMPILED_TWICE, derived = h->way == WAY_DERIVED;
    PAD(array) leaf[MAX_OPERANDS], y[MOST];
    PREAL *x[MAX_OPERANDS + MAX_OUTPUTS + MAX_OPERANDS];
    int what[MOST], index[MOST], which[MAX_OPERANDS], k;
    size_t n = 0, m = 0, j, i;
    ad_fn_desc desc;
    PAD(fn) *f;
    memset(&desc, 0, sizeof desc);
    desc.simd = levels[level_here(h->level)];
    for (k = 0; k < r->n_x; k++)
        if (r->x[k].leaf.rank >= 0) leaf[n] = r->x[k].leaf, which[n++] = k;
    for (k = 0; k < r->n_y; k++) y[m] = r->y[k], what[m] = IS_OUTPUT, index[m++] = k;
    if (loss.tape && !derived) {
        PAD(var) sum = PAD(const)(0);
        r->status = PAD(array_grad)(loss, n, leaf, y + m);
        for (j = 0; j < n; j++, m++) {
            what[m] = twice ? IS_RECORDED : IS_GRADIENT, index[m] = which[j];
            if (!twice || r->status != AD_OK) continue;
            x[0] = PT(directions)((size_t)which[j], PAD(array_size)(leaf[j]));
            sum = PAD(var_add)(sum, PAD(array_item)(PAD(array_dot)(y[m],
                PAD(array_const)(r->t, leaf[j].rank, leaf[j].dim, x[0]))));
            free(x[0]);
        }
        if (sum.tape) {
            r->status = PAD(array_grad)(sum, n, leaf, y + m);
            for (j = 0; j < n; j++, m++) what[m] = IS_SECOND, index[m] = which[j];
        }
    }
    if (r->status != AD_OK) return;
    f = PAD(fn_create_arrays)(r->t, n, leaf, m, y, &desc);
    for (j = 0; j < n; j++) {
        const PT(operand) *const p = &r->x[which[j]];
        PT(turn)(p);
        x[j] = (PREAL *)room(PAD(array_size)(leaf[j]), sizeof **x);
        for (i = 0; i < PAD(array_size)(leaf[j]); i++) x[j][i] = p->data[i % p->size];
    }
    PAD(tape_reset)(r->t);
    if (derived) {
        for (j = 0; j < n; j++)
            x[n + j] = PT(directions)((size_t)which[j], PAD(array_size)(leaf[j]));
        for (j = 0; j < m; j++) y[m + j] = y[j], what[m + j] = IS_TANGENT, index[m + j] = (int)j;
        PT(put_function)(r, PAD(fn_jvp)(f), x, 2 * m, y, what, index, message);
        for (j = 0; j < n; j++) free(x[n + j]);
        for (j = 0; j < m; j++) what[j] = -1, x[n + j] = w[j];
        for (j = 0; j < n; j++)
            y[m + j] = leaf[j], what[m + j] = IS_GRADIENT, index[m + j] = which[j];
        if (r->status == AD_OK)
            PT(put_function)(r, PAD(fn_vjp)(f), x, m + n, y, what, index, message);
        PAD(fn_destroy)(f);
    } else PT(put_function)(r, f, x, m, y, what, index, message);
    for (j = 0; j < n; j++) free(x[j]);
}

static void PT(case)(const char *text, const header *h)
{
    static PT(run) run;
    PT(run) *r = &run;
    PREAL *w[MAX_OUTPUTS];
    size_t n_w[MAX_OUTPUTS];
    char message[160];
    long place, after;
    int k, j, compiled;
    memset(r, 0, sizeof *r);
    memcpy(r->name, text, sizeof r->name);
    for (k = 0; r->name[k] && r->name[k] != ' '; k++) { }
    r->rest = r->name + k + (r->name[k] == ' ');
    r->name[k] = 0;
    if (h->n_x > MAX_OPERANDS || h->n_w > MAX_OUTPUTS) stop("too many operands");
    r->n_x = h->n_x;
    for (k = 0; k < r->n_x; k++) {
        PT(operand) *p = &r->x[k];
        p->how = get_int();
        p->rank = get_int();
        get(p->dim, sizeof p->dim);
        for (p->size = 1, j = 0; j < p->rank; j++) p->size *= (size_t)p->dim[j];
        p->leaf.rank = -1;
        p->data = (PREAL *)room(p->size, sizeof(PREAL));
        get(p->data, p->size * sizeof(PREAL));
    }
    r->i = (int32_t *)room((size_t)h->n_i, sizeof *r->i);
    get(r->i, (size_t)h->n_i * sizeof *r->i);
    r->r = (double *)room((size_t)h->n_r, sizeof *r->r);
    get(r->r, (size_t)h->n_r * sizeof *r->r);
    for (k = 0; k < h->n_w; k++) {
        n_w[k] = (size_t)get_int();
        w[k] = (PREAL *)room(n_w[k], sizeof(PREAL));
        get(w[k], n_w[k] * sizeof(PREAL));
    }

    compiled = h->way == WAY_COMPILED || h->way == WAY_COMPILED_TWICE || h->way == WAY_DERIVED;
    for (k = 0; compiled && k < r->n_x; k++)
        if (PT(turns)(&r->x[k])) PT(turn)(&r->x[k]);
    r->t = PT(tape_of)(h->level);
    if (strcmp(r->name, "learn") != 0 && strcmp(r->name, "clip") != 0)
        for (k = 0; k < r->n_x; k++) PT(place)(r, &r->x[k]);
    PT(apply)(r);
    if (r->status == AD_OK) r->status = PAD(tape_status)(r->t);

    /* The head of the result is written last, when the status is known. */
    place = ftell(results);
    memset(message, 0, sizeof message);
    put_int(0), put_int(0), put(message, sizeof message);
    if (r->status == AD_OK) {
        for (k = 0; k < r->n_y && !compiled; k++)
            PT(put_handle)(IS_OUTPUT, k, r->y[k], PAD(array_values)(r->y[k]));
        for (k = 0; k < r->n_plain; k++) {
            int32_t dim[4] = { 1, 1, 1, 1 };
            dim[0] = (int32_t)r->plain[k].n;
            PT(put_array)(IS_PLAIN, k, 1, dim, r->plain[k].n, r->plain[k].data);
        }
        if (h->way != WAY_PLAIN) {          /* other shapes than PyTorch's are told apart there */
            if (r->n_y != h->n_w) r->status = AD_ERR_SHAPE;
            for (k = 0; k < r->n_y && k < h->n_w; k++)
                if (PAD(array_size)(r->y[k]) != n_w[k]) r->status = AD_ERR_SHAPE;
        }
    }
    if (r->status == AD_OK) {
        /* What has no elements is a constant: nothing to differentiate. */
        PAD(var) loss = PAD(const)(0);
        const int by_loss = h->way == WAY_LOSS || h->way == WAY_MORE;
        const int by_twice = h->way == WAY_TWICE || h->way == WAY_BENT;
        int swept = h->way == WAY_SEED && n_w[0] > 0;
        if (swept) r->status = PAD(array_backward)(r->y[0], w[0]);
        if (by_loss || by_twice || compiled) loss = PT(loss)(r, w, h->way);
        if (by_loss && loss.tape) r->status = PAD(backward)(loss), swept = 1;
        for (k = 0; swept && k < r->n_x && r->status == AD_OK; k++) PT(put_gradient)(r, k);
        if (by_loss && swept && r->status == AD_OK) PT(tangents)(r);
        if (by_twice && loss.tape) PT(twice)(r, loss);
        if (compiled) PT(compiled)(r, h, loss, w, message);
    }
    after = ftell(results);
    if (fseek(results, place, SEEK_SET)) stop("the results cannot be written");
    put_int((int32_t)r->status);
    put_int((int32_t)(after - place));
    if (!message[0]) strncpy(message, PAD(tape_message)(r->t), sizeof message - 1);
    put(message, sizeof message);
    if (fseek(results, after, SEEK_SET)) stop("the results cannot be written");

    PAD(tape_reset)(r->t);
    if (r->f) PAD(fn_destroy)(r->f);
    for (k = 0; k < r->n_x; k++) free(r->x[k].data), free(r->x[k].scalar);
    for (k = 0; k < r->n_plain; k++) free(r->plain[k].data);
    for (k = 0; k < h->n_w; k++) free(w[k]);
    free(r->i);
    free(r->r);
}

#undef X
#undef I
#undef U
#undef R
#undef SIZE
#undef OP
#endif
