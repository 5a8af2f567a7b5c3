/* Arrays on the tape: every operation at many shapes against a naive loop in double, its
   derivatives against differences of that loop, and every sweep against every other: reverse,
   tangent, forward over reverse, recorded gradients swept again, both Jacobians. Operands are
   results of operations, inputs, borrowed numbers, constants, pieces of larger arrays, packed
   scalars. Then what holds across operations: random compositions, ties, wrong shapes, memory that
   ends, long traces, the drivers.
   What depends on the real type is in arrays.h, which is read for double and for float.
   Sections: Arrays; Arrays: Shapes; Lanes: Reductions; Lanes: Matrices; Kernels: Calling Them;
   Arrays: Recording; Arrays: Operations; Arrays: The Public Functions; Arrays: Recorded Pulls;
   Arrays: Tangents; Arrays: Recorded Gradients; Arrays: Compiled Functions; Arrays: The Rows. */
#include <math.h>
#include <stdlib.h>
#include <time.h>
#include "test.h"
#include "rows.h"
#include "heap.h"

TEST_DEF void suite_arrays(void);

#define COUNT(a) (sizeof (a) / sizeof (a)[0])

/* ---------------------------------------------------------------- numbers with a shape */

enum { ARENA = 1 << 19, MOST = 24000, MOST_Y = 24000, MOST_J = 8192, MOST_COLUMNS = 300,
    OPERANDS = 3 };

typedef struct nd {
    int rank;
    int32_t dim[4];
    size_t n;
    double *v;
} nd;

static double arena[ARENA];
static size_t arena_used;

static double *take(size_t n)
{
    double *p = arena + arena_used;
    if (n > ARENA - arena_used) {
        fprintf(stderr, "test_arrays.c: the arena is too small\n");
        exit(1);
    }
    arena_used += n;
    memset(p, 0, n * sizeof *p);
    return p;
}

static size_t size_of(int rank, const int32_t *dim)
{
    size_t n = 1;
    int k;
    for (k = 0; k < rank; k++) n *= (size_t)dim[k];
    return n;
}

static nd nd_make(int rank, const int32_t *dim)
{
    nd a;
    int k;
    a.rank = rank;
    for (k = 0; k < 4; k++) a.dim[k] = k < rank ? dim[k] : 1;
    a.n = size_of(rank, dim);
    a.v = take(a.n);
    return a;
}

static nd nd_of(int rank, int32_t a, int32_t b, int32_t c, int32_t d)
{
    int32_t dim[4];
    dim[0] = a;
    dim[1] = b;
    dim[2] = c;
    dim[3] = d;
    return nd_make(rank, dim);
}

/* Element k, in order, has the indices i. */
static void unravel(int rank, const int32_t *dim, size_t k, int32_t *i)
{
    int j;
    for (j = 0; j < 4; j++) i[j] = 0;
    for (j = rank - 1; j >= 0; j--) {
        i[j] = (int32_t)(k % (size_t)dim[j]);
        k /= (size_t)dim[j];
    }
}

static size_t ravel(const nd *a, const int32_t *i)
{
    size_t k = 0;
    int j;
    for (j = 0; j < a->rank; j++) k = k * (size_t)a->dim[j] + (size_t)i[j];
    return k;
}

/* The element of a that stands at i of an array of this rank which a is broadcast to. */
static double spread(const nd *a, int rank, const int32_t *i)
{
    int32_t own[4] = { 0, 0, 0, 0 };
    int j;
    for (j = 0; j < a->rank; j++) own[j] = a->dim[j] == 1 ? 0 : i[rank - a->rank + j];
    return a->v[ravel(a, own)];
}

/* The shape of the first `lead` axes of a and b broadcast; lead is a rank less `cut` axes. */
static void together(int *rank, int32_t *dim, int rank_b, const int32_t *b)
{
    int32_t r[4];
    const int n = *rank > rank_b ? *rank : rank_b;
    int k;
    for (k = 0; k < n; k++) {
        const int i = k - n + *rank, j = k - n + rank_b;
        r[k] = i < 0 ? b[j] : j < 0 || b[j] == 1 ? dim[i] : b[j];
    }
    memcpy(dim, r, (size_t)n * sizeof *r);
    *rank = n;
}

/* ---------------------------------------------------------------- operations */

/* What an operation is told besides its operands; each reads what it needs. */
typedef struct param {
    int rule;
    unsigned axes;
    int keepdims, ddof, axis, k, flag_a, flag_b;
    int32_t start, stop, step;
    int rank;
    int32_t dim[4], after[4];
    int order[4];
    double number;
    size_t n;
    uint32_t index[24];
    ad_conv_desc conv;
    ad_conv3d_desc volume;
    ad_pool_desc pool;
    ad_reduction how;
    ad_triangle triangle;
    double fixed[2][8];
    const double *mask;
} param;

/* The name, and the call: u are the operands, p the parameters. The reference is ref_<name>. */
#define OPERATIONS(X)                                                                              \
    X(rule1,        T(rules)[p->rule].one(u[0]))                                                   \
    X(rule2,        T(rules)[p->rule].two(u[0], u[1]))                                             \
    X(rule2_r,      T(rules)[p->rule].right(u[0], (AREAL)p->number))                               \
    X(rule2_from_r, T(rules)[p->rule].left((AREAL)p->number, u[0]))                                \
    X(rule3,        T(rules)[p->rule].three(u[0], u[1], u[2]))                                     \
    X(where,        A(array_where)(u[0], u[1], u[2]))                                              \
    X(map,          A(array_map)(T(map)[p->k], (size_t)p->k + 1, u))                               \
    X(sum,          A(array_sum)(u[0], p->axes, p->keepdims))                                      \
    X(mean,         A(array_mean)(u[0], p->axes, p->keepdims))                                     \
    X(prod,         A(array_prod)(u[0], p->axes, p->keepdims))                                     \
    X(amax,         A(array_amax)(u[0], p->axes, p->keepdims))                                     \
    X(amin,         A(array_amin)(u[0], p->axes, p->keepdims))                                     \
    X(norm,         A(array_norm)(u[0], p->axes, p->keepdims))                                     \
    X(logsumexp,    A(array_logsumexp)(u[0], p->axes, p->keepdims))                                \
    X(var,          A(array_var)(u[0], p->axes, p->keepdims, p->ddof))                             \
    X(std,          A(array_std)(u[0], p->axes, p->keepdims, p->ddof))                             \
    X(cumsum,       A(array_cumsum)(u[0], p->axis))                                                \
    X(cumprod,      A(array_cumprod)(u[0], p->axis))                                               \
    X(logcumsumexp, A(array_logcumsumexp)(u[0], p->axis))                                          \
    X(cummax,       A(array_cummax)(u[0], p->axis))                                                \
    X(cummin,       A(array_cummin)(u[0], p->axis))                                                \
    X(vector_norm,  A(array_vector_norm)(u[0], (AREAL)p->number, p->axes, p->keepdims))            \
    X(matmul,       A(array_matmul)(u[0], u[1]))                                                   \
    X(matmul_t,     A(array_matmul_t)(u[0], p->flag_a, u[1], p->flag_b))                           \
    X(dot,          A(array_dot)(u[0], u[1]))                                                      \
    X(outer,        A(array_outer)(u[0], u[1]))                                                    \
    X(diagonal,     A(array_diagonal)(u[0], p->k))                                                 \
    X(trace,        A(array_trace)(u[0]))                                                          \
    X(tril,         A(array_tril)(u[0], p->k))                                                     \
    X(triu,         A(array_triu)(u[0], p->k))                                                     \
    X(triangular_solve, A(array_triangular_solve)(u[0], u[1], p->triangle, p->flag_a))             \
    X(cholesky,     A(array_cholesky)(u[0]))                                                       \
    X(solve,        A(array_solve)(u[0], u[1]))                                                    \
    X(inverse,      A(array_inverse)(u[0]))                                                        \
    X(logdet,       A(array_logdet)(u[0]))                                                         \
    X(reshape,      A(array_reshape)(u[0], p->rank, p->dim))                                       \
    X(broadcast_to, A(array_broadcast_to)(u[0], p->rank, p->dim))                                  \
    X(permute,      A(array_permute)(u[0], p->order))                                              \
    X(transpose,    A(array_transpose)(u[0]))                                                      \
    X(slice,        A(array_slice)(u[0], p->axis, p->start, p->stop, p->step))                     \
    X(flip,         A(array_flip)(u[0], p->axes))                                                  \
    X(concatenate,  A(array_concatenate)(p->n, u, p->axis))                                        \
    X(stack,        A(array_stack)(p->n, u, p->axis))                                              \
    X(split,        T(split)(u[0], p))                                                             \
    X(pad,          A(array_pad)(u[0], p->dim, p->after, (AREAL)p->number))                        \
    X(pad_mode,     A(array_pad_mode)(u[0], p->dim, p->after, (ad_pad_mode)p->k))                  \
    X(tile,         A(array_tile)(u[0], p->dim))                                                   \
    X(repeat,       A(array_repeat)(u[0], p->axis, p->k))                                          \
    X(roll,         A(array_roll)(u[0], p->axis, p->k))                                            \
    X(gather,       A(array_gather)(u[0], p->axis, p->n, p->index))                                \
    X(scatter_add,  A(array_scatter_add)(u[0], p->axis, p->n, p->index, u[1]))                     \
    X(argsort,      A(array_argsort)(u[0], p->axis, p->flag_a))                                    \
    X(sort,         A(array_sort)(u[0], p->axis, p->flag_a))                                       \
    X(topk,         A(array_topk)(u[0], p->axis, p->k, p->flag_a, NULL))                           \
    X(take_along,   A(array_take_along)(u[0], p->axis, u[1]))                                      \
    X(scatter_along, A(array_scatter_along)(u[0], p->axis, u[1], u[2]))                            \
    X(scatter_add_along, A(array_scatter_add_along)(u[0], p->axis, u[1], u[2]))                    \
    X(embedding,    A(array_embedding)(u[0], p->rank, p->dim, p->index))                           \
    X(softmax,      A(array_softmax)(u[0], p->axis))                                               \
    X(log_softmax,  A(array_log_softmax)(u[0], p->axis))                                           \
    X(conv1d,       A(array_conv1d)(u[0], u[1], p->k ? NULL : &p->conv))                           \
    X(conv2d,       A(array_conv2d)(u[0], u[1], p->k ? NULL : &p->conv))                           \
    X(conv1d_transpose, A(array_conv1d_transpose)(u[0], u[1], p->k ? NULL : &p->conv))             \
    X(conv2d_transpose, A(array_conv2d_transpose)(u[0], u[1], p->k ? NULL : &p->conv))             \
    X(conv3d,       A(array_conv3d)(u[0], u[1], p->step, p->k ? NULL : &p->volume))                \
    X(adaptive_max_pool, A(array_adaptive_max_pool)(u[0], p->dim))                                 \
    X(adaptive_avg_pool, A(array_adaptive_avg_pool)(u[0], p->dim))                                 \
    X(interpolate,  A(array_interpolate)(u[0], p->dim, (ad_interpolation)p->k, p->flag_a))         \
    X(attention,    T(attention)(u, p))                                                            \
    X(max_pool,     A(array_max_pool)(u[0], &p->pool))                                             \
    X(avg_pool,     A(array_avg_pool)(u[0], &p->pool))                                             \
    X(layer_norm,   A(array_layer_norm)(u[0], u[1], u[2], (AREAL)p->number))                       \
    X(group_norm,   A(array_group_norm)(u[0], p->k, u[1], u[2], (AREAL)p->number))                 \
    X(rms_norm,     A(array_rms_norm)(u[0], u[1], (AREAL)p->number))                               \
    X(batch_norm,   A(array_batch_norm)(u[0], u[1], u[2], (AREAL)p->number, NULL, NULL))           \
    X(batch_norm_with, T(batch_norm_with)(u, p))                                                   \
    X(dropout,      A(array_dropout)(u[0], (AREAL)p->number, 7u, 3u))                              \
    X(squared_error, A(array_squared_error)(u[0], u[1], p->how))                                   \
    X(huber,        A(array_huber)(u[0], u[1], (AREAL)p->number, p->how))                          \
    X(cross_entropy, A(array_cross_entropy)(u[0], p->index, p->how))                               \
    X(cross_entropy_with, A(array_cross_entropy_with)(u[0], u[1], p->how))                         \
    X(binary_cross_entropy, A(array_binary_cross_entropy)(u[0], u[1], p->how))                     \
    X(kl,           A(array_kl)(u[0], u[1], p->how))                                               \
    X(gaussian_nll, A(array_gaussian_nll)(u[0], u[1], u[2], p->how))                               \
    X(poisson_nll,  A(array_poisson_nll)(u[0], u[1], p->how))                                      \
    X(cross_entropy_weighted, T(weighted)(u, p))                                                   \
    X(binary_cross_entropy_weighted,                                                               \
        A(array_binary_cross_entropy_weighted)(u[0], u[1], u[2], p->how))                  \
    X(cosine_similarity, A(array_cosine_similarity)(u[0], u[1], p->axis))                          \
    X(cosine_embedding, A(array_cosine_embedding)(u[0], u[1], u[2], (AREAL)p->number, p->how))     \
    X(ctc,          A(array_ctc)(u[0], p->n, p->index, p->index + 12,                              \
        p->flag_a ? p->index + 16 : NULL, (uint32_t)p->k, p->how))

typedef enum operation {
#define X(name, call) OP_##name,
    OPERATIONS(X)
#undef X
    OP_COUNT
} operation;

static const char *const operation_name[] = {
#define X(name, call) #name,
    OPERATIONS(X)
#undef X
};

/* ---------------------------------------------------------------- references, naive on purpose */

/* The rules: the library's scalar reading, which the suite "rules" tests. */
typedef struct scalar_rule {
    const char *name;
    int operands;
    double (*one)(double x), (*two)(double x, double y), (*three)(double x, double y, double z);
} scalar_rule;

static const scalar_rule scalar_rules[] = {
#define X1(n, class_, v, dx) { #n, 1, ad_real_##n, NULL, NULL },
#define X2(n, class_, v, dx, dy) { #n, 2, NULL, ad_real_##n, NULL },
#define X3(n, class_, v, dx, dy, dz) { #n, 3, NULL, NULL, ad_real_##n },
    ADI_READ((X1, X2, X3, ADI_SKIPN, ADI_WORDS(ADI_WORD_TEXT)))
#undef X1
#undef X2
#undef X3
};
enum { RULES = (int)COUNT(scalar_rules) };

static double rule_value(int rule, const double *a)
{
    const scalar_rule *const r = &scalar_rules[rule];
    return r->operands == 1 ? r->one(a[0]) : r->operands == 2 ? r->two(a[0], a[1])
                                                              : r->three(a[0], a[1], a[2]);
}

static double map_value(int k, const double *a)
{
    switch (k) {
    case 0: return a[0] * exp(-0.3 * a[0] * a[0]) + sin(2 * a[0]);
    case 1: return a[0] * a[1] * a[1] + tanh(a[0] - a[1]);
    default: return a[2] * sin(a[0] * a[1]) + a[0] / (2 + a[2] * a[2]);
    }
}
static const char *const map_text[3] = { "x*exp(-0.3*x^2) + sin(2*x)", "x*y^2 + tanh(x - y)",
    "z*sin(x*y) + x/(2 + z^2)" };
static const char *const map_variables[3] = { "x", "x,y", "x,y,z" };

static nd elementwise(const nd *u, int operands, const param *p, operation op)
{
    nd y;
    int32_t dim[4], i[4];
    int rank = u[0].rank, j;
    size_t k;
    memcpy(dim, u[0].dim, sizeof dim);
    for (j = 1; j < operands; j++) together(&rank, dim, u[j].rank, u[j].dim);
    y = nd_make(rank, dim);
    for (k = 0; k < y.n; k++) {
        double a[3] = { 0, 0, 0 };
        unravel(rank, dim, k, i);
        for (j = 0; j < operands; j++) a[j] = spread(&u[j], rank, i);
        if (op == OP_rule2_r) a[1] = p->number;
        if (op == OP_rule2_from_r) {
            a[1] = a[0];
            a[0] = p->number;
        }
        y.v[k] = op == OP_where ? (a[0] != 0 ? a[1] : a[2])
               : op == OP_map ? map_value(p->k, a) : rule_value(p->rule, a);
    }
    return y;
}
static nd ref_rule1(const nd *u, const param *p) { return elementwise(u, 1, p, OP_rule1); }
static nd ref_rule2(const nd *u, const param *p) { return elementwise(u, 2, p, OP_rule2); }
static nd ref_rule2_r(const nd *u, const param *p) { return elementwise(u, 1, p, OP_rule2_r); }
static nd ref_rule2_from_r(const nd *u, const param *p)
{
    return elementwise(u, 1, p, OP_rule2_from_r);
}
static nd ref_rule3(const nd *u, const param *p) { return elementwise(u, 3, p, OP_rule3); }
static nd ref_where(const nd *u, const param *p) { return elementwise(u, 3, p, OP_where); }
static nd ref_map(const nd *u, const param *p) { return elementwise(u, p->k + 1, p, OP_map); }

/* The axes of a mask, by position from either end. */
static int in_axes(unsigned axes, int rank, int axis)
{
    return axes == AD_ALL_AXES || (axes >> axis & 1u) || (axes >> ((axis - rank) & 31) & 1u);
}

typedef double (*reducer)(const double *v, size_t n, int ddof);

static nd reduce(const nd *u, const param *p, reducer f)
{
    int32_t dim[4], full[4], i[4];
    double *list;
    size_t *filled, to, e, each;
    int rank = 0, k;
    nd y;
    for (k = 0; k < u->rank; k++) {
        const int gone = in_axes(p->axes, u->rank, k);
        full[k] = gone ? 1 : u->dim[k];
        if (!gone || p->keepdims) dim[rank++] = full[k];
    }
    y = nd_make(rank, dim);
    each = y.n ? u->n / y.n : 0;
    list = take(u->n + 1);
    filled = (size_t *)calloc(y.n + 1, sizeof *filled);
    for (e = 0; e < u->n; e++) {                 /* each element into the list of its result */
        unravel(u->rank, u->dim, e, i);
        for (to = 0, k = 0; k < u->rank; k++)
            to = to * (size_t)full[k] + (size_t)(full[k] == 1 ? 0 : i[k]);
        list[to * each + filled[to]++] = u->v[e];
    }
    for (e = 0; e < y.n; e++) y.v[e] = f(list + e * each, each, p->ddof);
    free(filled);
    return y;
}

static double r_sum(const double *v, size_t n, int ddof)
{
    double s = 0;
    size_t i;
    (void)ddof;
    for (i = 0; i < n; i++) s += v[i];
    return s;
}
static double r_mean(const double *v, size_t n, int ddof) { return r_sum(v, n, ddof) / (double)n; }
static double r_prod(const double *v, size_t n, int ddof)
{
    double s = 1;
    size_t i;
    (void)ddof;
    for (i = 0; i < n; i++) s *= v[i];
    return s;
}
static double r_amax(const double *v, size_t n, int ddof)
{
    double s = v[0];
    size_t i;
    (void)ddof;
    for (i = 1; i < n; i++)
        if (v[i] > s) s = v[i];
    return s;
}
static double r_amin(const double *v, size_t n, int ddof)
{
    double s = v[0];
    size_t i;
    (void)ddof;
    for (i = 1; i < n; i++)
        if (v[i] < s) s = v[i];
    return s;
}
static double r_norm(const double *v, size_t n, int ddof)
{
    double s = 0;
    size_t i;
    (void)ddof;
    for (i = 0; i < n; i++) s += v[i] * v[i];
    return sqrt(s);
}
static double r_logsumexp(const double *v, size_t n, int ddof)
{
    double s = 0, m;
    size_t i;
    if (n == 0) return (double)-INFINITY;
    m = r_amax(v, n, ddof);
    for (i = 0; i < n; i++) s += exp(v[i] - m);
    return m + log(s);
}
static double r_var(const double *v, size_t n, int ddof)
{
    const double m = r_mean(v, n, 0);
    double s = 0;
    size_t i;
    for (i = 0; i < n; i++) s += (v[i] - m) * (v[i] - m);
    return s / ((double)n - ddof);
}
static double r_std(const double *v, size_t n, int ddof) { return sqrt(r_var(v, n, ddof)); }
#define REDUCTION(name)                                                                            \
    static nd ref_##name(const nd *u, const param *p) { return reduce(u, p, r_##name); }
REDUCTION(sum)
REDUCTION(mean)
REDUCTION(prod)
REDUCTION(amax)
REDUCTION(amin)
REDUCTION(norm)
REDUCTION(logsumexp)
REDUCTION(var)
REDUCTION(std)
#undef REDUCTION

static int from_start(int axis, int rank) { return axis < 0 ? axis + rank : axis; }

/* Element by element along an axis: y = f(y of the one before, x). */
static nd cumulated(const nd *u, const param *p, double (*f)(double y, double x))
{
    const int axis = from_start(p->axis, u->rank);
    nd y = nd_make(u->rank, u->dim);
    int32_t i[4];
    size_t k;
    for (k = 0; k < y.n; k++) {
        unravel(u->rank, u->dim, k, i);
        y.v[k] = u->v[k];
        if (i[axis] > 0) {
            i[axis]--;
            y.v[k] = f(y.v[ravel(u, i)], u->v[k]);
        }
    }
    return y;
}
static double c_sum(double y, double x) { return y + x; }
static double c_prod(double y, double x) { return y * x; }
static double c_logsumexp(double y, double x) { return y > x ? y + log1p(exp(x - y))
                                                             : x + log1p(exp(y - x)); }
static double c_max(double y, double x) { return x > y ? x : y; }
static double c_min(double y, double x) { return x < y ? x : y; }
static nd ref_cumsum(const nd *u, const param *p) { return cumulated(u, p, c_sum); }
static nd ref_cumprod(const nd *u, const param *p) { return cumulated(u, p, c_prod); }
static nd ref_logcumsumexp(const nd *u, const param *p) { return cumulated(u, p, c_logsumexp); }
static nd ref_cummax(const nd *u, const param *p) { return cumulated(u, p, c_max); }
static nd ref_cummin(const nd *u, const param *p) { return cumulated(u, p, c_min); }

static double order_of_norm;
static double r_vector_norm(const double *v, size_t n, int ddof)
{
    double s = 0;
    size_t i;
    (void)ddof;
    for (i = 0; i < n; i++)
        if (order_of_norm > 100) s = fabs(v[i]) > s ? fabs(v[i]) : s;
        else s += pow(fabs(v[i]), order_of_norm);
    return order_of_norm > 100 ? s : pow(s, 1 / order_of_norm);
}
static nd ref_vector_norm(const nd *u, const param *p)
{
    order_of_norm = p->number;
    return reduce(u, p, r_vector_norm);
}

/* ---- matrices: the last two axes; where a matrix of a batch begins */
static size_t batch(const nd *a, int lead, const int32_t *i)
{
    int32_t own[4] = { 0, 0, 0, 0 };
    int j;
    for (j = 0; j < a->rank - 2; j++) own[j] = a->dim[j] == 1 ? 0 : i[lead - (a->rank - 2) + j];
    return ravel(a, own);
}

static nd product(nd a, int ta, nd b, int tb)
{
    const int va = a.rank == 1, vb = b.rank == 1;
    int32_t dim[4], i[4], m, n, inner, r, c, k;
    int rank, lead, out = 0;
    size_t o, batches, cell;
    nd y;
    if (va) {
        a.dim[1] = a.dim[0];
        a.dim[0] = 1;
        a.rank = 2;
    }
    if (vb) b.rank = 2;
    m = a.dim[a.rank - (ta ? 1 : 2)];
    inner = a.dim[a.rank - (ta ? 2 : 1)];
    n = b.dim[b.rank - (tb ? 2 : 1)];
    rank = a.rank - 2;
    memcpy(dim, a.dim, sizeof dim);
    together(&rank, dim, b.rank - 2, b.dim);
    lead = rank;
    batches = size_of(lead, dim);
    for (k = 0; k < lead; k++) out++;
    if (!va) dim[out++] = m;
    if (!vb) dim[out++] = n;
    y = nd_make(out, dim);
    cell = 0;
    for (o = 0; o < batches; o++) {
        const double *A, *B;
        unravel(lead, dim, o, i);
        A = a.v + batch(&a, lead, i);
        B = b.v + batch(&b, lead, i);
        for (r = 0; r < m; r++)
            for (c = 0; c < n; c++) {
                double s = 0;
                for (k = 0; k < inner; k++)
                    s += (ta ? A[k * m + r] : A[r * inner + k])
                       * (tb ? B[c * inner + k] : B[k * n + c]);
                y.v[cell++] = s;
            }
    }
    return y;
}
static nd ref_matmul(const nd *u, const param *p)
{
    (void)p;
    return product(u[0], 0, u[1], 0);
}
static nd ref_matmul_t(const nd *u, const param *p)
{
    return product(u[0], p->flag_a, u[1], p->flag_b);
}
static nd ref_dot(const nd *u, const param *p)
{
    nd y = nd_make(0, NULL);
    size_t k;
    (void)p;
    for (k = 0; k < u->n; k++) y.v[0] += u[0].v[k] * u[1].v[k];
    return y;
}
static nd ref_outer(const nd *u, const param *p)
{
    nd y = nd_of(2, u[0].dim[0], u[1].dim[0], 0, 0);
    size_t i, j;
    (void)p;
    for (i = 0; i < u[0].n; i++)
        for (j = 0; j < u[1].n; j++) y.v[i * u[1].n + j] = u[0].v[i] * u[1].v[j];
    return y;
}
static nd ref_diagonal(const nd *u, const param *p)
{
    const int32_t rows = u->dim[u->rank - 2], columns = u->dim[u->rank - 1];
    const int32_t i0 = p->k < 0 ? -p->k : 0, j0 = p->k > 0 ? p->k : 0;
    int32_t dim[4], count = rows - i0 < columns - j0 ? rows - i0 : columns - j0, i;
    size_t o, batches = size_of(u->rank - 2, u->dim);
    nd y;
    if (count < 0) count = 0;
    memcpy(dim, u->dim, sizeof dim);
    dim[u->rank - 2] = count;
    y = nd_make(u->rank - 1, dim);
    for (o = 0; o < batches; o++)
        for (i = 0; i < count; i++)
            y.v[o * (size_t)count + (size_t)i] =
                u->v[(o * (size_t)rows + (size_t)(i0 + i)) * (size_t)columns + (size_t)(j0 + i)];
    return y;
}
static nd ref_trace(const nd *u, const param *p)
{
    param q = *p;
    nd d, y;
    size_t k;
    q.k = 0;
    d = ref_diagonal(u, &q);
    y = nd_make(u->rank - 2, u->dim);
    for (k = 0; k < d.n; k++) y.v[k / (size_t)d.dim[d.rank - 1]] += d.v[k];
    return y;
}
static nd triangle(const nd *u, int k, int upper)
{
    nd y = nd_make(u->rank, u->dim);
    int32_t i[4];
    size_t e;
    for (e = 0; e < y.n; e++) {
        int32_t d;
        unravel(u->rank, u->dim, e, i);
        d = i[u->rank - 1] - i[u->rank - 2];
        if (upper ? d >= k : d <= k) y.v[e] = u->v[e];
    }
    return y;
}
static nd ref_tril(const nd *u, const param *p) { return triangle(u, p->k, 0); }
static nd ref_triu(const nd *u, const param *p) { return triangle(u, p->k, 1); }

/* Elimination with pivots: B becomes A^-1 B; gives log |det A|. A is destroyed. */
static double eliminate(size_t n, double *A, size_t m, double *B)
{
    double logdet = 0;
    size_t i, j, k;
    for (k = 0; k < n; k++) {
        size_t best = k;
        for (i = k + 1; i < n; i++)
            if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
        for (j = 0; j < n; j++) {
            const double t = A[k * n + j];
            A[k * n + j] = A[best * n + j];
            A[best * n + j] = t;
        }
        for (j = 0; j < m; j++) {
            const double t = B[k * m + j];
            B[k * m + j] = B[best * m + j];
            B[best * m + j] = t;
        }
        logdet += log(fabs(A[k * n + k]));
        for (i = 0; i < n; i++) {
            const double f = i == k ? 0 : A[i * n + k] / A[k * n + k];
            for (j = 0; j < n; j++) A[i * n + j] -= f * A[k * n + j];
            for (j = 0; j < m; j++) B[i * m + j] -= f * B[k * m + j];
        }
    }
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++) B[i * m + j] /= A[i * n + i];
    return logdet;
}

/* A^-1 B with batches; keep: which elements of A count (0 all, 1 the lower triangle, 2 the upper);
   transposed: of A^T. */
static nd solved(const nd *u, int keep, int transposed)
{
    const nd *const a = u, *const b = u + 1;
    const int32_t n = a->dim[a->rank - 1], m = b->dim[b->rank - 1];
    int32_t dim[4], i[4], r, c;
    int rank = a->rank - 2, lead;
    size_t o, batches;
    double *A = take((size_t)n * (size_t)n);
    nd y;
    memcpy(dim, a->dim, sizeof dim);
    together(&rank, dim, b->rank - 2, b->dim);
    lead = rank;
    batches = size_of(lead, dim);
    dim[lead] = n;
    dim[lead + 1] = m;
    y = nd_make(lead + 2, dim);
    for (o = 0; o < batches; o++) {
        double *const Y = y.v + o * (size_t)(n * m);
        const double *from;
        unravel(lead, dim, o, i);
        from = a->v + batch(a, lead, i);
        for (r = 0; r < n; r++)
            for (c = 0; c < n; c++) {
                const double e = keep == 0 || (keep == 1 ? c <= r : c >= r) ? from[r * n + c] : 0;
                A[transposed ? c * n + r : r * n + c] = e;
            }
        memcpy(Y, b->v + batch(b, lead, i), (size_t)(n * m) * sizeof *Y);
        eliminate((size_t)n, A, (size_t)m, Y);
    }
    return y;
}
static nd ref_triangular_solve(const nd *u, const param *p)
{
    return solved(u, p->triangle == AD_LOWER ? 1 : 2, p->flag_a);
}
static nd ref_solve(const nd *u, const param *p)
{
    (void)p;
    return solved(u, 0, 0);
}
static nd ref_inverse(const nd *u, const param *p)
{
    const int32_t n = u->dim[u->rank - 1];
    int32_t i;
    nd both[2];
    (void)p;
    both[0] = *u;
    both[1] = nd_of(2, n, n, 0, 0);
    for (i = 0; i < n; i++) both[1].v[i * n + i] = 1;
    return solved(both, 0, 0);
}
static nd ref_logdet(const nd *u, const param *p)
{
    const size_t n = (size_t)u->dim[u->rank - 1];
    double *const A = take(n * n);
    nd y = nd_make(u->rank - 2, u->dim);
    size_t o;
    (void)p;
    for (o = 0; o < y.n; o++) {
        memcpy(A, u->v + o * n * n, n * n * sizeof *A);
        y.v[o] = eliminate(n, A, 0, NULL);
    }
    return y;
}
/* Of the symmetric part: the derivative that is promised. */
static nd ref_cholesky(const nd *u, const param *p)
{
    const size_t n = (size_t)u->dim[u->rank - 1], batches = size_of(u->rank - 2, u->dim);
    nd y = nd_make(u->rank, u->dim);
    size_t o, i, j, k;
    (void)p;
    for (o = 0; o < batches; o++) {
        const double *const A = u->v + o * n * n;
        double *const L = y.v + o * n * n;
        for (j = 0; j < n; j++)
            for (i = j; i < n; i++) {
                double s = (A[i * n + j] + A[j * n + i]) / 2;
                for (k = 0; k < j; k++) s -= L[i * n + k] * L[j * n + k];
                L[i * n + j] = i == j ? sqrt(s) : s / L[j * n + j];
            }
    }
    return y;
}

/* ---- shape */
static nd ref_reshape(const nd *u, const param *p)
{
    int32_t dim[4], known = 1;
    int k, hole = -1;
    nd y;
    memcpy(dim, p->dim, sizeof dim);
    for (k = 0; k < p->rank; k++) {
        if (dim[k] == -1) hole = k;
        else known *= dim[k];
    }
    if (hole >= 0) dim[hole] = (int32_t)u->n / known;
    y = nd_make(p->rank, dim);
    memcpy(y.v, u->v, u->n * sizeof *y.v);
    return y;
}
static nd ref_broadcast_to(const nd *u, const param *p)
{
    nd y = nd_make(p->rank, p->dim);
    int32_t i[4];
    size_t k;
    for (k = 0; k < y.n; k++) {
        unravel(y.rank, y.dim, k, i);
        y.v[k] = spread(u, y.rank, i);
    }
    return y;
}
static nd ref_permute(const nd *u, const param *p)
{
    int32_t dim[4], i[4], j[4] = { 0, 0, 0, 0 };
    size_t e;
    nd y;
    int k;
    for (k = 0; k < u->rank; k++) dim[k] = u->dim[from_start(p->order[k], u->rank)];
    y = nd_make(u->rank, dim);
    for (e = 0; e < y.n; e++) {
        unravel(y.rank, y.dim, e, i);
        for (k = 0; k < u->rank; k++) j[from_start(p->order[k], u->rank)] = i[k];
        y.v[e] = u->v[ravel(u, j)];
    }
    return y;
}
static nd ref_transpose(const nd *u, const param *p)
{
    param q = *p;
    int k;
    for (k = 0; k < u->rank; k++) q.order[k] = k;
    q.order[u->rank - 2] = u->rank - 1;
    q.order[u->rank - 1] = u->rank - 2;
    return ref_permute(u, &q);
}
/* y[i] = u[i with place[i[axis]] for its index along the axis] */
static nd pick(const nd *u, int axis, size_t n, const int32_t *place)
{
    int32_t dim[4], i[4];
    size_t e;
    nd y;
    memcpy(dim, u->dim, sizeof dim);
    dim[axis] = (int32_t)n;
    y = nd_make(u->rank, dim);
    for (e = 0; e < y.n; e++) {
        unravel(y.rank, y.dim, e, i);
        i[axis] = place[i[axis]];
        y.v[e] = u->v[ravel(u, i)];
    }
    return y;
}
/* Python's rule. */
static nd ref_slice(const nd *u, const param *p)
{
    const int axis = from_start(p->axis, u->rank);
    const int32_t n = u->dim[axis], step = p->step;
    int32_t start = p->start, stop = p->stop, place[1024], i;
    size_t count = 0;
    if (start == AD_END) start = step > 0 ? 0 : n - 1;
    else {
        if (start < 0) start += n;
        if (start < 0) start = step > 0 ? 0 : -1;
        if (start >= n) start = step > 0 ? n : n - 1;
    }
    if (stop == AD_END) stop = step > 0 ? n : -1;
    else {
        if (stop < 0) stop += n;
        if (stop < 0) stop = step > 0 ? 0 : -1;
        if (stop >= n) stop = step > 0 ? n : n - 1;
    }
    for (i = start; step > 0 ? i < stop : i > stop; i += step) place[count++] = i;
    return pick(u, axis, count, place);
}
static nd ref_flip(const nd *u, const param *p)
{
    nd y = *u;
    int32_t place[1024], i;
    int k;
    for (k = 0; k < u->rank; k++) {
        if (!in_axes(p->axes, u->rank, k)) continue;
        for (i = 0; i < u->dim[k]; i++) place[i] = u->dim[k] - 1 - i;
        y = pick(&y, k, (size_t)u->dim[k], place);
    }
    if (y.v == u->v) {
        y = nd_make(u->rank, u->dim);
        memcpy(y.v, u->v, u->n * sizeof *y.v);
    }
    return y;
}
static nd ref_gather(const nd *u, const param *p)
{
    int32_t place[24];
    size_t j;
    for (j = 0; j < p->n; j++) place[j] = (int32_t)p->index[j];
    return pick(u, from_start(p->axis, u->rank), p->n, place);
}
static nd ref_concatenate(const nd *u, const param *p)
{
    const int axis = from_start(p->axis, u->rank);
    int32_t dim[4], i[4];
    size_t k, e, at = 0;
    nd y;
    memcpy(dim, u->dim, sizeof dim);
    for (k = 1; k < p->n; k++) dim[axis] += u[k].dim[axis];
    y = nd_make(u->rank, dim);
    for (k = 0; k < p->n; k++) {
        for (e = 0; e < u[k].n; e++) {
            unravel(u[k].rank, u[k].dim, e, i);
            i[axis] += (int32_t)at;
            y.v[ravel(&y, i)] = u[k].v[e];
        }
        at += (size_t)u[k].dim[axis];
    }
    return y;
}
static nd ref_stack(const nd *u, const param *p)
{
    const int axis = from_start(p->axis, u->rank + 1);
    param q = *p;
    nd part[OPERANDS], y;
    size_t k;
    int j;
    for (k = 0; k < p->n; k++) {
        part[k] = u[k];
        part[k].rank = u->rank + 1;
        for (j = u->rank; j > axis; j--) part[k].dim[j] = u[k].dim[j - 1];
        part[k].dim[axis] = 1;
    }
    q.axis = axis;
    y = ref_concatenate(part, &q);
    return y;
}
/* The pieces, each times its number, added; those of an odd number are not used if k says so. */
static nd ref_split(const nd *u, const param *p)
{
    const int axis = from_start(p->axis, u->rank);
    const int32_t width = u->dim[axis] / (int32_t)p->n;
    int32_t place[1024], i;
    nd y, part;
    size_t k, e;
    y.rank = -1;
    for (k = 0; k < p->n; k++) {
        for (i = 0; i < width; i++) place[i] = (int32_t)k * width + i;
        part = pick(u, axis, (size_t)width, place);
        for (e = 0; e < part.n; e++) part.v[e] *= p->k && k % 2 ? 0 : (double)(k + 1);
        if (y.rank < 0) y = part;
        else
            for (e = 0; e < part.n; e++) y.v[e] += part.v[e];
    }
    return y;
}
static nd ref_pad(const nd *u, const param *p)
{
    int32_t dim[4], i[4];
    size_t e;
    nd y;
    int k;
    for (k = 0; k < u->rank; k++) dim[k] = p->dim[k] + u->dim[k] + p->after[k];
    y = nd_make(u->rank, dim);
    for (e = 0; e < y.n; e++) y.v[e] = p->number;
    for (e = 0; e < u->n; e++) {
        unravel(u->rank, u->dim, e, i);
        for (k = 0; k < u->rank; k++) i[k] += p->dim[k];
        y.v[ravel(&y, i)] = u->v[e];
    }
    return y;
}
/* Where i of an axis of n is taken from, or -1: a zero. */
static int32_t from_beyond(int32_t i, int32_t n, int mode)
{
    if (mode == AD_PAD_ZEROS) return i < 0 || i >= n ? -1 : i;
    if (mode == AD_PAD_REFLECT && n == 1) return 0;
    while (i < 0 || i >= n) {
        if (mode == AD_PAD_CIRCULAR) i += i < 0 ? n : -n;
        else if (mode == AD_PAD_REPLICATE) i += i < 0 ? 1 : -1;
        else i = i < 0 ? -i : 2 * (n - 1) - i;
    }
    return i;
}
static nd ref_pad_mode(const nd *u, const param *p)
{
    int32_t dim[4], i[4];
    size_t e;
    nd y;
    int k, zero;
    for (k = 0; k < u->rank; k++) dim[k] = p->dim[k] + u->dim[k] + p->after[k];
    y = nd_make(u->rank, dim);
    for (e = 0; e < y.n; e++) {
        unravel(y.rank, y.dim, e, i);
        for (k = zero = 0; k < u->rank; k++) {
            i[k] = from_beyond(i[k] - p->dim[k], u->dim[k], p->k);
            zero |= i[k] < 0;
        }
        y.v[e] = zero ? 0 : u->v[ravel(u, i)];
    }
    return y;
}
static nd ref_tile(const nd *u, const param *p)
{
    int32_t dim[4], i[4];
    size_t e;
    nd y;
    int k;
    for (k = 0; k < u->rank; k++) dim[k] = p->dim[k] * u->dim[k];
    y = nd_make(u->rank, dim);
    for (e = 0; e < y.n; e++) {
        unravel(y.rank, y.dim, e, i);
        for (k = 0; k < u->rank; k++) i[k] %= u->dim[k];
        y.v[e] = u->v[ravel(u, i)];
    }
    return y;
}
static nd ref_scatter_add(const nd *u, const param *p)
{
    const int axis = from_start(p->axis, u->rank);
    nd y = nd_make(u->rank, u->dim);
    int32_t i[4];
    size_t e;
    memcpy(y.v, u->v, y.n * sizeof *y.v);
    for (e = 0; e < u[1].n; e++) {
        unravel(u[1].rank, u[1].dim, e, i);
        i[axis] = (int32_t)p->index[i[axis]];
        y.v[ravel(&y, i)] += u[1].v[e];
    }
    return y;
}
static nd ref_repeat(const nd *u, const param *p)
{
    const int axis = from_start(p->axis, u->rank);
    int32_t dim[4], i[4];
    nd y;
    size_t k;
    memcpy(dim, u->dim, sizeof dim);
    dim[axis] *= p->k;
    y = nd_make(u->rank, dim);
    for (k = 0; k < y.n; k++) {
        unravel(y.rank, dim, k, i);
        i[axis] /= p->k;
        y.v[k] = u->v[ravel(u, i)];
    }
    return y;
}
static nd ref_roll(const nd *u, const param *p)
{
    const int axis = from_start(p->axis, u->rank);
    nd y = nd_make(u->rank, u->dim);
    int32_t i[4];
    size_t k;
    for (k = 0; k < y.n; k++) {
        unravel(u->rank, u->dim, k, i);
        i[axis] = (i[axis] + p->k + 100 * u->dim[axis]) % u->dim[axis];
        y.v[ravel(u, i)] = u->v[k];
    }
    return y;
}
/* The place of an element: how many on its line go before it. */
static nd ref_argsort(const nd *u, const param *p)
{
    const int axis = from_start(p->axis, u->rank);
    nd y = nd_make(u->rank, u->dim);
    int32_t i[4], j, own, before;
    size_t k;
    for (k = 0; k < y.n; k++) {
        unravel(u->rank, u->dim, k, i);
        own = i[axis];
        for (j = before = 0; j < u->dim[axis]; j++) {
            const double v = (i[axis] = j, u->v[ravel(u, i)]), w = u->v[k];
            before += p->flag_a ? v > w || (v == w && j < own) : v < w || (v == w && j < own);
        }
        i[axis] = before;
        y.v[ravel(&y, i)] = own;
    }
    return y;
}
/* Element [.., j, ..] of a, where an index says which j. */
static nd ref_take_along(const nd *u, const param *p)
{
    const int axis = from_start(p->axis, u->rank);
    nd y;
    int32_t dim[4], i[4];
    size_t k;
    int j;
    for (j = 0; j < 4; j++) dim[j] = j == axis || u->dim[j] == 1 ? u[1].dim[j] : u->dim[j];
    y = nd_make(u->rank, dim);
    for (k = 0; k < y.n; k++) {
        unravel(y.rank, dim, k, i);
        i[axis] = (int32_t)spread(&u[1], y.rank, i);
        for (j = 0; j < u->rank; j++)
            if (u->dim[j] == 1) i[j] = 0;
        y.v[k] = u->v[ravel(u, i)];
    }
    return y;
}
static nd ref_sort(const nd *u, const param *p)
{
    nd both[2];
    both[0] = u[0];
    both[1] = ref_argsort(u, p);
    return ref_take_along(both, p);
}
static nd ref_topk(const nd *u, const param *p)
{
    const nd all = ref_sort(u, p);
    nd y;
    int32_t dim[4], i[4];
    size_t k;
    memcpy(dim, u->dim, sizeof dim);
    dim[from_start(p->axis, u->rank)] = p->k;
    y = nd_make(u->rank, dim);
    for (k = 0; k < y.n; k++) {
        unravel(y.rank, dim, k, i);
        y.v[k] = all.v[ravel(&all, i)];
    }
    return y;
}
static nd scattered(const nd *u, const param *p, int add)
{
    const int axis = from_start(p->axis, u->rank);
    nd y = nd_make(u->rank, u->dim);
    int32_t dim[4], i[4];
    size_t k, n;
    memcpy(y.v, u->v, y.n * sizeof *y.v);
    memcpy(dim, u->dim, sizeof dim);
    dim[axis] = u[1].dim[axis] == 1 ? u[2].dim[u[2].rank - u->rank + axis] : u[1].dim[axis];
    for (k = 0, n = size_of(u->rank, dim); k < n; k++) {
        double v;
        unravel(u->rank, dim, k, i);
        v = spread(&u[2], u->rank, i);
        i[axis] = (int32_t)spread(&u[1], u->rank, i);
        y.v[ravel(&y, i)] = v + (add ? y.v[ravel(&y, i)] : 0);
    }
    return y;
}
static nd ref_scatter_along(const nd *u, const param *p) { return scattered(u, p, 0); }
static nd ref_scatter_add_along(const nd *u, const param *p) { return scattered(u, p, 1); }
static nd ref_embedding(const nd *u, const param *p)
{
    const size_t width = (size_t)u->dim[1];
    int32_t dim[4];
    size_t e;
    nd y;
    memcpy(dim, p->dim, sizeof dim);
    dim[p->rank] = u->dim[1];
    y = nd_make(p->rank + 1, dim);
    for (e = 0; e < y.n; e++) y.v[e] = u->v[p->index[e / width] * width + e % width];
    return y;
}

/* ---- networks */
static nd soft(const nd *u, int axis, int logarithm)
{
    param q;
    nd y = nd_make(u->rank, u->dim), s;
    int32_t i[4];
    size_t e;
    memset(&q, 0, sizeof q);
    axis = from_start(axis, u->rank);
    q.axes = AD_AXIS(axis);
    q.keepdims = 1;
    s = ref_logsumexp(u, &q);
    for (e = 0; e < y.n; e++) {
        unravel(u->rank, u->dim, e, i);
        i[axis] = 0;
        y.v[e] = u->v[e] - s.v[ravel(&s, i)];
        if (!logarithm) y.v[e] = exp(y.v[e]);
    }
    return y;
}
static nd ref_softmax(const nd *u, const param *p) { return soft(u, p->axis, 0); }
static nd ref_log_softmax(const nd *u, const param *p) { return soft(u, p->axis, 1); }

/* A convolution over two axes; one axis is two with a height of 1. */
typedef struct plane {
    int32_t stride[2], pad[2], dilation[2], groups, extra[2], same, mode;
} plane;

static plane plane_of(const param *p, int one)
{
    plane g;
    int k;
    memset(&g, 0, sizeof g);
    for (k = 0; k < 2; k++) g.stride[k] = g.dilation[k] = 1;
    g.groups = 1;
    if (p->k) return g;
    for (k = 0; k < 2; k++) {
        const int from = one ? 0 : k;
        if (one && k == 0) continue;
        if (p->conv.stride[from]) g.stride[k] = p->conv.stride[from];
        if (p->conv.dilation[from]) g.dilation[k] = p->conv.dilation[from];
        g.pad[k] = p->conv.pad[from];
        g.extra[k] = p->conv.extra[from];
    }
    if (p->conv.groups) g.groups = p->conv.groups;
    g.same = p->conv.same;
    g.mode = p->conv.pad_mode;
    return g;
}

/* [n, c, l] as [n, c, 1, l] */
static nd with_height(nd a)
{
    a.rank = 4;
    a.dim[3] = a.dim[2];
    a.dim[2] = 1;
    return a;
}
static nd without_height(nd a)
{
    a.rank = 3;
    a.dim[2] = a.dim[3];
    a.dim[3] = 1;
    return a;
}
static double *at4(const nd *a, int32_t i, int32_t j, int32_t k, int32_t l)
{
    return a->v + ((i * a->dim[1] + j) * a->dim[2] + k) * a->dim[3] + l;
}

static nd convolve(nd x, nd w, const plane *g)
{
    const int32_t cg = x.dim[1] / g->groups, fg = w.dim[0] / g->groups;
    int32_t out[2], pad[2], i, f, r, c, j, a, b;
    nd y;
    int k;
    for (k = 0; k < 2; k++) {
        const int32_t whole = g->dilation[k] * (w.dim[2 + k] - 1);
        pad[k] = g->same ? whole / 2 : g->pad[k];
        out[k] = g->same ? x.dim[2 + k]
                         : (x.dim[2 + k] + 2 * pad[k] - whole - 1) / g->stride[k] + 1;
    }
    y = nd_of(4, x.dim[0], w.dim[0], out[0], out[1]);
    for (i = 0; i < x.dim[0]; i++)
        for (f = 0; f < w.dim[0]; f++)
            for (r = 0; r < out[0]; r++)
                for (c = 0; c < out[1]; c++)
                    for (j = 0; j < cg; j++)
                        for (a = 0; a < w.dim[2]; a++)
                            for (b = 0; b < w.dim[3]; b++) {
                                const int32_t R = from_beyond(r * g->stride[0] - pad[0]
                                    + a * g->dilation[0], x.dim[2], g->mode);
                                const int32_t C = from_beyond(c * g->stride[1] - pad[1]
                                    + b * g->dilation[1], x.dim[3], g->mode);
                                if (R < 0 || C < 0) continue;
                                *at4(&y, i, f, r, c) += *at4(&w, f, j, a, b)
                                    * *at4(&x, i, f / fg * cg + j, R, C);
                            }
    return y;
}
static nd convolve_back(nd x, nd w, const plane *g)
{
    const int32_t cg = x.dim[1] / g->groups, fg = w.dim[1];
    int32_t out[2], i, f, r, c, j, a, b;
    nd y;
    int k;
    for (k = 0; k < 2; k++)
        out[k] = (x.dim[2 + k] - 1) * g->stride[k] - 2 * g->pad[k]
            + g->dilation[k] * (w.dim[2 + k] - 1) + 1 + g->extra[k];
    y = nd_of(4, x.dim[0], fg * g->groups, out[0], out[1]);
    for (i = 0; i < x.dim[0]; i++)
        for (j = 0; j < x.dim[1]; j++)
            for (r = 0; r < x.dim[2]; r++)
                for (c = 0; c < x.dim[3]; c++)
                    for (f = 0; f < fg; f++)
                        for (a = 0; a < w.dim[2]; a++)
                            for (b = 0; b < w.dim[3]; b++) {
                                const int32_t R = r * g->stride[0] - g->pad[0]
                                    + a * g->dilation[0];
                                const int32_t C = c * g->stride[1] - g->pad[1]
                                    + b * g->dilation[1];
                                if (R < 0 || C < 0 || R >= out[0] || C >= out[1]) continue;
                                *at4(&y, i, j / cg * fg + f, R, C) += *at4(&w, j, f, a, b)
                                    * *at4(&x, i, j, r, c);
                            }
    return y;
}
static nd ref_conv1d(const nd *u, const param *p)
{
    const plane g = plane_of(p, 1);
    return without_height(convolve(with_height(u[0]), with_height(u[1]), &g));
}
static nd ref_conv2d(const nd *u, const param *p)
{
    const plane g = plane_of(p, 0);
    return convolve(u[0], u[1], &g);
}
static nd ref_conv1d_transpose(const nd *u, const param *p)
{
    const plane g = plane_of(p, 1);
    return without_height(convolve_back(with_height(u[0]), with_height(u[1]), &g));
}
static nd ref_conv2d_transpose(const nd *u, const param *p)
{
    const plane g = plane_of(p, 0);
    return convolve_back(u[0], u[1], &g);
}

/* Volumes in four axes: depth and channels are one. */
static nd ref_conv3d(const nd *u, const param *p)
{
    ad_conv3d_desc d = p->volume;
    const nd x = u[0], w = u[1];
    int32_t size[3], kernel[3], out[3], pad[3], groups, channels, cg, fg, n, f, j, o[3], a[3], s[3];
    nd y;
    int k;
    if (p->k) memset(&d, 0, sizeof d);
    groups = d.groups ? d.groups : 1;
    channels = x.dim[1] / p->step;
    cg = channels / groups;
    fg = w.dim[0] / groups;
    for (k = 0; k < 3; k++) {
        size[k] = k ? x.dim[1 + k] : p->step;
        kernel[k] = k ? w.dim[1 + k] : w.dim[1] / cg;
        if (!d.stride[k]) d.stride[k] = 1;
        if (!d.dilation[k]) d.dilation[k] = 1;
        pad[k] = d.same ? d.dilation[k] * (kernel[k] - 1) / 2 : d.pad[k];
        out[k] = d.same ? size[k] : (size[k] + 2 * pad[k] - d.dilation[k] * (kernel[k] - 1) - 1)
            / d.stride[k] + 1;
    }
    y = nd_of(4, x.dim[0], w.dim[0] * out[0], out[1], out[2]);
    for (n = 0; n < x.dim[0]; n++)
    for (f = 0; f < w.dim[0]; f++)
    for (o[0] = 0; o[0] < out[0]; o[0]++)
    for (o[1] = 0; o[1] < out[1]; o[1]++)
    for (o[2] = 0; o[2] < out[2]; o[2]++)
    for (j = 0; j < cg; j++)
    for (a[0] = 0; a[0] < kernel[0]; a[0]++)
    for (a[1] = 0; a[1] < kernel[1]; a[1]++)
    for (a[2] = 0; a[2] < kernel[2]; a[2]++) {
        for (k = 0; k < 3; k++)
            s[k] = from_beyond(o[k] * d.stride[k] - pad[k] + a[k] * d.dilation[k], size[k],
                               d.pad_mode);
        if (s[0] < 0 || s[1] < 0 || s[2] < 0) continue;
        *at4(&y, n, f * out[0] + o[0], o[1], o[2])
            += *at4(&w, f, j * kernel[0] + a[0], a[1], a[2])
            * *at4(&x, n, (f / fg * cg + j) * size[0] + s[0], s[1], s[2]);
    }
    return y;
}

static nd adaptive(const nd *u, const param *p, int average)
{
    const nd x = u->rank == 3 ? with_height(*u) : *u;
    const int32_t m = u->rank == 3 ? 1 : p->dim[0], l = u->rank == 3 ? p->dim[0] : p->dim[1];
    int32_t i, j, r, c, a, b;
    nd y = nd_of(4, x.dim[0], x.dim[1], m, l);
    for (i = 0; i < x.dim[0]; i++)
        for (j = 0; j < x.dim[1]; j++)
            for (r = 0; r < m; r++)
                for (c = 0; c < l; c++) {
                    double s = 0, most = (double)-INFINITY;
                    int n = 0;
                    for (a = 0; a < x.dim[2]; a++)
                        for (b = 0; b < x.dim[3]; b++) {
                            const int32_t h = x.dim[2], w = x.dim[3];
                            /* a pixel that the window has any part of */
                            if ((a + 1) * m <= r * h || a * m >= (r + 1) * h) continue;
                            if ((b + 1) * l <= c * w || b * l >= (c + 1) * w) continue;
                            s += *at4(&x, i, j, a, b);
                            most = fmax(most, *at4(&x, i, j, a, b));
                            n++;
                        }
                    *at4(&y, i, j, r, c) = average ? s / n : most;
                }
    return u->rank == 3 ? without_height(y) : y;
}
static nd ref_adaptive_max_pool(const nd *u, const param *p) { return adaptive(u, p, 0); }
static nd ref_adaptive_avg_pool(const nd *u, const param *p) { return adaptive(u, p, 1); }

/* What pixel i of m has of pixel j of n. */
static double share_of(int32_t i, int32_t m, int32_t j, int32_t n, const param *p)
{
    double at;
    if (p->k == AD_NEAREST) return i * n / m == j;
    at = p->flag_a ? m > 1 ? (double)i * (n - 1) / (m - 1) : 0 : (i + 0.5) * n / m - 0.5;
    at = fmin(fmax(at, 0), n - 1);
    return fmax(0, 1 - fabs(at - j));
}
static nd ref_interpolate(const nd *u, const param *p)
{
    const nd x = u->rank == 3 ? with_height(*u) : *u;
    const int32_t m = u->rank == 3 ? 1 : p->dim[0], l = u->rank == 3 ? p->dim[0] : p->dim[1];
    int32_t i, j, r, c, a, b;
    nd y = nd_of(4, x.dim[0], x.dim[1], m, l);
    for (i = 0; i < x.dim[0]; i++)
        for (j = 0; j < x.dim[1]; j++)
            for (r = 0; r < m; r++)
                for (c = 0; c < l; c++)
                    for (a = 0; a < x.dim[2]; a++)
                        for (b = 0; b < x.dim[3]; b++)
                            *at4(&y, i, j, r, c) += share_of(r, m, a, x.dim[2], p)
                                * share_of(c, l, b, x.dim[3], p) * *at4(&x, i, j, a, b);
    return u->rank == 3 ? without_height(y) : y;
}

static nd ref_attention(const nd *u, const param *p)
{
    const nd q = u[0], k = u[1], v = u[2];
    int32_t dim[4], at[4], i, j, e;
    const int32_t width = q.dim[q.rank - 1], keys = k.dim[k.rank - 2];
    const double scale = p->number != 0 ? p->number : 1 / sqrt(width);
    int rank = q.rank - 2;
    size_t n;
    nd y;
    memcpy(dim, q.dim, sizeof dim);
    together(&rank, dim, k.rank - 2, k.dim);
    together(&rank, dim, v.rank - 2, v.dim);
    dim[rank++] = q.dim[q.rank - 2];
    dim[rank++] = v.dim[v.rank - 1];
    y = nd_make(rank, dim);
    for (n = 0; n < y.n; n++) {
        double weight[16], sum = 0;
        unravel(rank, dim, n, at);
        i = at[rank - 2];
        e = at[rank - 1];
        for (j = 0; j < keys; j++) {
            double s = 0;
            int32_t d;
            for (d = 0; d < width; d++) {
                double one;
                at[rank - 1] = d;
                at[rank - 2] = i;
                one = spread(&q, rank, at);
                at[rank - 2] = j;
                s += one * spread(&k, rank, at);
            }
            weight[j] = p->flag_a && j > i ? 0 : exp(s * scale);
            sum += weight[j];
        }
        at[rank - 1] = e;
        for (j = 0; j < keys; j++) {
            at[rank - 2] = j;
            y.v[n] += weight[j] / sum * spread(&v, rank, at);
        }
    }
    return y;
}

static nd pool(const nd *u, const param *p, int average)
{
    const nd x = u->rank == 3 ? with_height(*u) : *u;
    int32_t size[2] = { 1, 1 }, stride[2] = { 1, 1 }, pad[2] = { 0, 0 }, out[2];
    int32_t i, j, r, c, a, b;
    nd y;
    int k;
    for (k = u->rank == 3; k < 2; k++) {
        const int from = u->rank == 3 ? 0 : k;
        size[k] = p->pool.size[from];
        stride[k] = p->pool.stride[from] ? p->pool.stride[from] : size[k];
        pad[k] = p->pool.pad[from];
    }
    for (k = 0; k < 2; k++) out[k] = (x.dim[2 + k] + 2 * pad[k] - size[k]) / stride[k] + 1;
    y = nd_of(4, x.dim[0], x.dim[1], out[0], out[1]);
    for (i = 0; i < x.dim[0]; i++)
        for (j = 0; j < x.dim[1]; j++)
            for (r = 0; r < out[0]; r++)
                for (c = 0; c < out[1]; c++) {
                    double s = 0, most = (double)-INFINITY;
                    int inside = 0;
                    for (a = 0; a < size[0]; a++)
                        for (b = 0; b < size[1]; b++) {
                            const int32_t R = r * stride[0] - pad[0] + a;
                            const int32_t C = c * stride[1] - pad[1] + b;
                            double e;
                            if (R < 0 || C < 0 || R >= x.dim[2] || C >= x.dim[3]) continue;
                            e = *at4(&x, i, j, R, C);
                            s += e;
                            if (e > most) most = e;
                            inside++;
                        }
                    *at4(&y, i, j, r, c) = !average ? most
                        : s / (p->pool.count_padding ? size[0] * size[1] : inside);
                }
    return u->rank == 3 ? without_height(y) : y;
}
static nd ref_max_pool(const nd *u, const param *p) { return pool(u, p, 0); }
static nd ref_avg_pool(const nd *u, const param *p) { return pool(u, p, 1); }

/* Elements of one class are normalised together; gain and bias are those of a channel. */
static nd normalise(const nd *u, const param *p, const size_t *class_of, size_t classes,
    const size_t *channel_of, int centred)
{
    const double eps = p->number > 0 ? p->number : 1e-5;
    nd y = nd_make(u->rank, u->dim);
    size_t e, k;
    for (k = 0; k < classes; k++) {
        double sum = 0, mean, square = 0, count = 0;
        for (e = 0; e < u->n; e++)
            if (class_of[e] == k) {
                sum += u->v[e];
                count += 1;
            }
        mean = centred ? sum / count : 0;
        for (e = 0; e < u->n; e++)
            if (class_of[e] == k) square += (u->v[e] - mean) * (u->v[e] - mean);
        for (e = 0; e < u->n; e++)
            if (class_of[e] == k) {
                y.v[e] = (u->v[e] - mean) / sqrt(square / count + eps);
                if (u[1].rank > 0) y.v[e] *= u[1].v[channel_of[e]];
                if (centred && u[2].rank > 0) y.v[e] += u[2].v[channel_of[e]];
            }
    }
    return y;
}
static nd ref_layer_norm(const nd *u, const param *p)
{
    static size_t row[MOST], column[MOST];
    size_t e;
    for (e = 0; e < u->n; e++) {
        row[e] = e / (size_t)u->dim[u->rank - 1];
        column[e] = e % (size_t)u->dim[u->rank - 1];
    }
    return normalise(u, p, row, u->n / (size_t)u->dim[u->rank - 1], column, 1);
}
static nd ref_rms_norm(const nd *u, const param *p)
{
    static size_t row[MOST], column[MOST];
    size_t e;
    for (e = 0; e < u->n; e++) {
        row[e] = e / (size_t)u->dim[u->rank - 1];
        column[e] = e % (size_t)u->dim[u->rank - 1];
    }
    return normalise(u, p, row, u->n / (size_t)u->dim[u->rank - 1], column, 0);
}
static nd ref_group_norm(const nd *u, const param *p)
{
    const size_t each = (size_t)u->dim[1] / (size_t)p->k;
    static size_t class_of[MOST], channel[MOST];
    size_t e;
    for (e = 0; e < u->n; e++) {
        int32_t i[4];
        unravel(u->rank, u->dim, e, i);
        channel[e] = (size_t)i[1];
        class_of[e] = (size_t)i[0] * (size_t)p->k + channel[e] / each;
    }
    return normalise(u, p, class_of, (size_t)u->dim[0] * (size_t)p->k, channel, 1);
}
static nd ref_batch_norm(const nd *u, const param *p)
{
    static size_t channel[MOST];
    size_t e;
    for (e = 0; e < u->n; e++) {
        int32_t i[4];
        unravel(u->rank, u->dim, e, i);
        channel[e] = (size_t)i[1];
    }
    return normalise(u, p, channel, (size_t)u->dim[1], channel, 1);
}
static nd ref_batch_norm_with(const nd *u, const param *p)
{
    const double eps = p->number > 0 ? p->number : 1e-5;
    nd y = nd_make(u->rank, u->dim);
    size_t e;
    for (e = 0; e < u->n; e++) {
        int32_t i[4];
        unravel(u->rank, u->dim, e, i);
        y.v[e] = (u->v[e] - p->fixed[0][i[1]]) / sqrt(p->fixed[1][i[1]] + eps);
        if (u[1].rank > 0) y.v[e] *= u[1].v[i[1]];
        if (u[2].rank > 0) y.v[e] += u[2].v[i[1]];
    }
    return y;
}
static nd ref_dropout(const nd *u, const param *p)
{
    nd y = nd_make(u->rank, u->dim);
    size_t e;
    for (e = 0; e < y.n; e++) y.v[e] = p->mask[e] != 0 ? u->v[e] / (1 - p->number) : 0;
    return y;
}

/* ---- losses, each an array of terms that is reduced */
static nd reduced(nd terms, ad_reduction how)
{
    nd y;
    if (how == AD_NONE) return terms;
    y = nd_make(0, NULL);
    y.v[0] = r_sum(terms.v, terms.n, 0);
    if (how == AD_MEAN) y.v[0] /= (double)terms.n;
    return y;
}
static nd ref_squared_error(const nd *u, const param *p)
{
    nd y = nd_make(u->rank, u->dim);
    size_t e;
    for (e = 0; e < y.n; e++) y.v[e] = (u[0].v[e] - u[1].v[e]) * (u[0].v[e] - u[1].v[e]);
    return reduced(y, p->how);
}
static nd ref_huber(const nd *u, const param *p)
{
    nd y = nd_make(u->rank, u->dim);
    size_t e;
    for (e = 0; e < y.n; e++) {
        const double d = fabs(u[0].v[e] - u[1].v[e]);
        y.v[e] = d <= p->number ? d * d / 2 : p->number * (d - p->number / 2);
    }
    return reduced(y, p->how);
}
static nd ref_cross_entropy(const nd *u, const param *p)
{
    const size_t classes = (size_t)u->dim[u->rank - 1];
    nd l = soft(u, -1, 1), y = nd_make(u->rank - 1, u->dim);
    size_t e;
    for (e = 0; e < y.n; e++) y.v[e] = -l.v[e * classes + p->index[e]];
    return reduced(y, p->how);
}
static nd ref_cross_entropy_with(const nd *u, const param *p)
{
    const size_t classes = (size_t)u->dim[u->rank - 1];
    nd l = soft(u, -1, 1), y = nd_make(u->rank - 1, u->dim);
    size_t e;
    for (e = 0; e < l.n; e++) y.v[e / classes] -= u[1].v[e] * l.v[e];
    return reduced(y, p->how);
}
static nd ref_binary_cross_entropy(const nd *u, const param *p)
{
    nd y = nd_make(u->rank, u->dim);
    size_t e;
    for (e = 0; e < y.n; e++) {
        const double x = u[0].v[e], t = u[1].v[e];
        y.v[e] = t * log1p(exp(-x)) + (1 - t) * (x + log1p(exp(-x)));
    }
    return reduced(y, p->how);
}
static nd ref_kl(const nd *u, const param *p)
{
    const size_t classes = (size_t)u->dim[u->rank - 1];
    nd y = nd_make(u->rank - 1, u->dim);
    size_t e;
    for (e = 0; e < u->n; e++) y.v[e / classes] += exp(u[0].v[e]) * (u[0].v[e] - u[1].v[e]);
    return reduced(y, p->how);
}
static nd ref_gaussian_nll(const nd *u, const param *p)
{
    nd y = nd_make(u->rank, u->dim);
    size_t e;
    for (e = 0; e < y.n; e++) {
        const double d = u[2].v[e] - u[0].v[e], l = u[1].v[e];
        y.v[e] = (d * d / exp(l) + l + log(2 * acos(-1.0))) / 2;
    }
    return reduced(y, p->how);
}
static nd ref_poisson_nll(const nd *u, const param *p)
{
    nd y = nd_make(u->rank, u->dim);
    size_t e;
    for (e = 0; e < y.n; e++)
        y.v[e] = exp(u[0].v[e]) - u[1].v[e] * u[0].v[e] + lgamma(u[1].v[e] + 1);
    return reduced(y, p->how);
}

static double class_weight(size_t k) { return 1 + (double)(k * 5 % 8) / 8; }
static nd ref_cross_entropy_weighted(const nd *u, const param *p)
{
    const size_t classes = (size_t)u->dim[u->rank - 1];
    nd l = soft(u, -1, 1), y = nd_make(u->rank - 1, u->dim);
    double all = 0;
    size_t e, k;
    for (e = 0; e < y.n; e++) {
        if ((p->flag_a & 2) && p->index[e] == (uint32_t)p->k) continue;
        for (k = 0; k < classes; k++) {
            const double w = p->flag_a & 1 ? class_weight(k) : 1;
            double target = p->number / (double)classes;
            if (k == p->index[e]) target += 1 - p->number;
            y.v[e] -= target * w * l.v[e * classes + k];
            if (k == p->index[e]) all += w;
        }
    }
    y = reduced(y, p->how == AD_NONE ? AD_NONE : AD_SUM);
    if (p->how == AD_MEAN) y.v[0] /= all;
    return y;
}
static nd ref_binary_cross_entropy_weighted(const nd *u, const param *p)
{
    nd y = nd_make(u->rank, u->dim);
    size_t e;
    for (e = 0; e < y.n; e++) {
        int32_t i[4];
        const double x = u[0].v[e], t = u[1].v[e];
        unravel(u->rank, u->dim, e, i);
        y.v[e] = spread(&u[2], u->rank, i) * t * log1p(exp(-x)) + (1 - t) * (x + log1p(exp(-x)));
    }
    return reduced(y, p->how);
}
/* Of equal ranks. */
static nd ref_cosine_similarity(const nd *u, const param *p)
{
    const int axis = from_start(p->axis, u->rank);
    int32_t full[4], dim[4], i[4];
    int j, rank = 0;
    nd y;
    size_t e;
    for (j = 0; j < u->rank; j++) full[j] = u[0].dim[j] == 1 ? u[1].dim[j] : u[0].dim[j];
    for (j = 0; j < u->rank; j++)
        if (j != axis) dim[rank++] = full[j];
    y = nd_make(rank, dim);
    for (e = 0; e < y.n; e++) {
        double a = 0, b = 0, c = 0;
        int32_t k;
        unravel(rank, dim, e, i);
        for (j = rank; j > axis; j--) i[j] = i[j - 1];
        for (k = 0; k < full[axis]; k++) {
            double v, w;
            i[axis] = k;
            v = spread(&u[0], u->rank, i);
            w = spread(&u[1], u->rank, i);
            a += v * v;
            b += w * w;
            c += v * w;
        }
        y.v[e] = c / sqrt(a * b);
    }
    return y;
}
static nd ref_cosine_embedding(const nd *u, const param *p)
{
    param last = *p;
    nd y;
    size_t e;
    last.axis = -1;
    y = ref_cosine_similarity(u, &last);
    for (e = 0; e < y.n; e++)
        y.v[e] = u[2].v[e] > 0 ? 1 - y.v[e] : y.v[e] > p->number ? y.v[e] - p->number : 0;
    return reduced(y, p->how);
}
/* The probability of every reading, one by one. */
static nd ref_ctc(const nd *u, const param *p)
{
    const size_t rows = (size_t)u->dim[1], classes = (size_t)u->dim[2];
    nd y = nd_make(1, &u->dim[1]);
    size_t i, t, k;
    for (i = 0; i < rows; i++) {
        const uint32_t *const label = p->index + i * p->n, length = p->index[12 + i];
        const size_t times = p->flag_a ? p->index[16 + i] : (size_t)u->dim[0];
        size_t readings = 1, reading;
        double sum = 0;
        for (t = 0; t < times; t++) readings *= classes;
        for (reading = 0; reading < readings; reading++) {
            size_t rest = reading, said = 0, before = classes;
            int same = 1;
            double log_p = 0;
            for (t = 0; t < times; t++, rest /= classes) {
                k = rest % classes;
                log_p += u->v[(t * rows + i) * classes + k];
                if (k != before && k != (size_t)p->k) {
                    same = same && said < length && label[said] == k;
                    said++;
                }
                before = k;
            }
            if (same && said == length) sum += exp(log_p);
        }
        y.v[i] = -log(sum) / (p->how == AD_MEAN && length ? (double)length : 1);
    }
    return reduced(y, p->how);
}

static nd reference(operation op, const nd *u, const param *p)
{
    static nd (*const table[])(const nd *, const param *) = {
#define X(name, call) ref_##name,
        OPERATIONS(X)
#undef X
    };
    return table[op](u, p);
}

/* ---------------------------------------------------------------- samples and trials */

/* How an operand's numbers are drawn. */
typedef enum draw_kind {
    DRAW_PLAIN,                 /* from lo to hi */
    DRAW_AWAY,                  /* besides, not near a multiple of 1/2 */
    DRAW_DISTINCT,              /* no two of the sample are near each other */
    DRAW_WHOLE,                 /* whole numbers: no derivative is asked for */
    DRAW_DOMINANT,              /* square matrices with a large diagonal */
    DRAW_PIVOTS,                /* with a large element of every row beside the diagonal */
    DRAW_SYMMETRIC,             /* those of DRAW_DOMINANT, symmetric */
    DRAW_CHANCES                /* rows of the last axis that add up to 1 */
} draw_kind;

enum {
    VALUE_ONLY = 1,             /* infinite or NaN: values alone are compared */
    NO_SECOND = 2,              /* the second derivative is not compared with differences */
    LINEAR = 4                  /* the loss has no square of the result */
};

/* An operation with its operands, which are g(x) = 1.5 x + x^2 / 8 of multiples of 1/256: exact in
   float too. */
typedef struct sample {
    operation op;
    int operands;
    int rank[OPERANDS];
    int32_t dim[OPERANDS][4];
    draw_kind draw[OPERANDS];
    double lo[OPERANDS], hi[OPERANDS];
    unsigned flags, fixed;      /* bit k of fixed: operand k is a constant always */
    uint32_t zeros;             /* bit e: element e of operand 0 is 0 */
    param p;
    /* drawn, for one sample at a time: x, the operand u = g(x), a direction v for x */
    size_t n[OPERANDS];
    double (*x)[MOST], (*u)[MOST], (*v)[MOST];
} sample;

static double drawn[3][OPERANDS][MOST], kept_by_dropout[MOST];

static double g_of(double x) { return 1.5 * x + 0.125 * x * x; }

/* What an operand is on the tape. */
typedef enum form {
    NON_LEAF,                   /* g of an input */
    LEAF, BORROWED,
    PIECE,                      /* a free piece of a longer input, its start not aligned */
    PACKED,                     /* scalars computed from scalars, some of them constants */
    CONSTANT, CONSTANT_BORROWED, DETACHED,
    FORMS
} form;
static const char *const form_name[] = { "non-leaf", "leaf", "borrowed", "piece", "packed",
    "constant", "borrowed constant", "detached" };

/* How the result becomes a number. */
typedef enum ending {
    BY_ARRAYS,
    BY_SCALARS,                 /* its elements, by scalar operations */
    BY_BOTH,                    /* its elements packed again, some after a scalar operation */
    BY_SEED,                    /* by ad_array_backward, with adjoints that the loss would give */
    ENDINGS
} ending;
static const char *const ending_name[] = { "arrays", "scalars", "both", "seed" };

enum { ANY = -1 };               /* a status that the interface does not name: any error */
enum { TANGENTS = 1, RECORDED = 2, JACOBIANS = 4, HESSIAN = 8, EVERYTHING = 15 };

typedef struct trial {
    const sample *s;
    const double *x[OPERANDS];  /* instead of the sample's */
    form as[OPERANDS];
    ending end;
    ad_simd simd;
    int work;
    int zeroed;                 /* what is left out is an array of zeros, not of rank -1 */
    unsigned alias;             /* bit k: operand k is operand 0 */
} trial;

typedef struct outcome {
    ad_status status;
    char message[300];
    int rank;
    int32_t dim[4];
    size_t n;
    double y[MOST_Y], y_dot[MOST_Y];
    double loss, loss_dot;
    int same_twice;             /* two sweeps gave the same bits */
    int constant;               /* the result is one: it takes no slots */
    double u_bar[OPERANDS][MOST], x_bar[OPERANDS][MOST], grad[OPERANDS][MOST];
    double hv_recorded[OPERANDS][MOST], hv_tangent[OPERANDS][MOST], hv_dual[OPERANDS][MOST],
        hv_matrix[OPERANDS][MOST];
    double forward[MOST_J], reverse[MOST_J];
} outcome;

/* Weights that every type can hold. */
static double weight(size_t j, int which)
{
    return ((double)((j * 37 + (size_t)which * 11 + 5) % 64) - 31.5) / 32;
}
enum { W_LINEAR, W_SQUARE, W_OPERAND, W_SEEDS = 9 };

/* The loss as the trials compute it, from the result and the operands. */
static double loss_of(const sample *s, const nd *y, const nd *u)
{
    double l = 0;
    size_t e;
    int k;
    for (e = 0; e < y->n; e++) {
        l += weight(e, W_LINEAR) * y->v[e];
        if (!(s->flags & LINEAR)) l += 0.25 * weight(e, W_SQUARE) * y->v[e] * y->v[e];
    }
    for (k = 0; k < s->operands; k++)
        for (e = 0; e < s->n[k]; e++)
            if (!(s->fixed >> k & 1)) l += weight(e, W_OPERAND + k) * u[k].v[e];
    return l;
}

typedef struct failure_place {
    const char *real;
    const sample *s;
    const trial *q;
} failure_place;
static failure_place now;

static char *place_text(char *text, size_t size)
{
    const sample *const s = now.s;
    size_t used;
    int k, j;
#define SAY(...) do { if (used < size) used += (size_t)snprintf(text + used, size - used,          \
        __VA_ARGS__); } while (0)
    used = 0;
    text[0] = 0;
    if (!s) return text;
    SAY("%s %s", now.real, operation_name[s->op]);
    if (s->op <= OP_rule3) SAY(" %s", scalar_rules[s->p.rule].name);
    for (k = 0; k < s->operands; k++) {
        SAY(" [");
        for (j = 0; j < s->rank[k]; j++) SAY("%s%d", j ? "," : "", (int)s->dim[k][j]);
        SAY("]");
        if (now.q) SAY(" %s", form_name[now.q->as[k]]);
    }
    if (now.q) SAY(", %s, %s", ending_name[now.q->end], ad_simd_name(now.q->simd));
    SAY(" (axes %x keep %d axis %d k %d flags %d%d n %d slice %d:%d:%d rank %d dim %d,%d,%d,%d)",
        s->p.axes, s->p.keepdims, s->p.axis, s->p.k, s->p.flag_a, s->p.flag_b, (int)s->p.n,
        (int)s->p.start, (int)s->p.stop, (int)s->p.step, s->p.rank, (int)s->p.dim[0],
        (int)s->p.dim[1], (int)s->p.dim[2], (int)s->p.dim[3]);
#undef SAY
    return text;
}

static int expect(int ok, int line, const char *what)
{
    char text[400];
    if (ok) return test_check(1, __FILE__, line, "");
    return test_check(0, __FILE__, line, "%s: %s", place_text(text, sizeof text), what);
}
#define EXPECT(c) expect(!!(c), __LINE__, #c)

/* The sample that is examined, NULL between them; how many arrays were compared for each operation
   and, of these, for each rule: what is skipped is not counted, and too few fail by name. With one
   instruction set it is some 60. */
enum { LEAST = 40 };
static const sample *examined;
static int compared[OP_COUNT], compared_rule[RULES];

/* a[n] and b[n] agree to tolerance times the largest of b, or 1. */
static int agree(int line, const char *what, size_t n, const double *a, const double *b,
    double tolerance)
{
    char text[400], message[240];
    double most = 1;
    size_t i;
    if (examined && n) {
        compared[examined->op]++;
        if (examined->op <= OP_rule3) compared_rule[examined->p.rule]++;
    }
    for (i = 0; i < n; i++)
        if (fabs(b[i]) > most && fabs(b[i]) <= 1.7e308) most = fabs(b[i]);
    for (i = 0; i < n; i++) {
        if (a[i] == b[i] || (a[i] != a[i] && b[i] != b[i])) continue;
        if (fabs(a[i] - b[i]) <= tolerance * most) continue;
        snprintf(message, sizeof message, "%s: element %d of %d is %.17g, not %.17g", what, (int)i,
            (int)n, a[i], b[i]);
        return test_check(0, __FILE__, line, "%s: %s", place_text(text, sizeof text), message);
    }
    return test_check(1, __FILE__, line, "");
}
#define AGREE(what, n, a, b, tolerance) agree(__LINE__, what, n, a, b, tolerance)

static outcome base, other;     /* results of trials, too large for the stack */

/* ---- numbers that are the same in every run */
static uint64_t seed_now = 1;

static uint32_t draw(void)
{
    uint64_t z = seed_now += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (uint32_t)((z ^ (z >> 31)) >> 32);
}
static double draw_between(double lo, double hi) { return lo + (hi - lo) * draw() / 4294967296.0; }

#define AREAL  double
#define A(n)   ad_##n
#define T(n)   n##_d
#define AEPS   2.2204460492503131e-16
#define ASINGLE 0
#include "arrays.h"
#undef AREAL
#undef A
#undef T
#undef AEPS
#undef ASINGLE

#define AREAL  float
#define A(n)   adf_##n
#define T(n)   n##_f
#define AEPS   1.1920928955078125e-7
#define ASINGLE 1
#include "arrays.h"
#undef AREAL
#undef A
#undef T
#undef AEPS
#undef ASINGLE

/* ---------------------------------------------------------------- one sample, every way */

static void run(int single, const trial *q, outcome *o)
{
    if (single) run_f(q, o);
    else run_d(q, o);
}

static sample sample_of(operation op, int operands)
{
    sample s;
    int k;
    memset(&s, 0, sizeof s);
    s.op = op;
    s.operands = operands;
    s.x = drawn[0];
    s.u = drawn[1];
    s.v = drawn[2];
    for (k = 0; k < OPERANDS; k++) {
        s.lo[k] = -1.5;
        s.hi[k] = 2;
    }
    return s;
}

static void shape4(sample *s, int k, int rank, int32_t a, int32_t b, int32_t c, int32_t d)
{
    s->rank[k] = rank;
    s->dim[k][0] = a;
    s->dim[k][1] = b;
    s->dim[k][2] = c;
    s->dim[k][3] = d;
}

static void range(sample *s, int k, double lo, double hi)
{
    s->lo[k] = lo;
    s->hi[k] = hi;
}

/* x of a u, on the grid. */
static double x_near(double u)
{
    return floor((sqrt(2.25 + 0.5 * u) - 1.5) / 0.25 * 256 + 0.5) / 256;
}

static void draw_numbers(sample *s)
{
    static size_t order[OPERANDS * MOST];
    size_t total = 0, at = 0, e;
    int k;
    for (k = 0; k < s->operands; k++) {
        s->n[k] = size_of(s->rank[k], s->dim[k]);
        if (s->n[k] > MOST) {
            fprintf(stderr, "test_arrays.c: an operand is too large\n");
            exit(1);
        }
        total += s->n[k];
    }
    for (e = 0; e < total; e++) order[e] = e;
    for (e = total; e > 1; e--) {
        const size_t j = draw() % e, t = order[e - 1];
        order[e - 1] = order[j];
        order[j] = t;
    }
    for (k = 0; k < s->operands; k++)
        for (e = 0; e < s->n[k]; e++) {
            const size_t n = (size_t)s->dim[k][s->rank[k] > 0 ? s->rank[k] - 1 : 0];
            const double lo = s->lo[k], hi = s->hi[k];
            double u = draw_between(lo, hi), far;
            switch (s->draw[k]) {
            case DRAW_AWAY:
                do {
                    u = draw_between(lo, hi);
                    far = fabs(u - floor(2 * u + 0.5) / 2);
                } while (far < 0.06);
                break;
            case DRAW_DISTINCT:
                u = lo + (hi - lo) * ((double)order[at++] + 0.5) / (double)total;
                break;
            case DRAW_WHOLE: u = floor(u + 0.5); break;
            case DRAW_DOMINANT:
            case DRAW_PIVOTS:
            case DRAW_SYMMETRIC:
                u = draw_between(-0.8, 0.8) * (n > 4 ? 4 / (double)n : 1);
                if ((e / n % n + (s->draw[k] == DRAW_PIVOTS)) % n == e % n)
                    u = draw_between(2.5, 4);
                break;
            default: break;
            }
            s->x[k][e] = x_near(u);
            if (k == 0 && e < 32 && (s->zeros >> e & 1)) s->x[k][e] = 0;
            s->u[k][e] = s->draw[k] == DRAW_WHOLE ? u : g_of(s->x[k][e]);
            s->v[k][e] = floor(draw_between(-1, 1) * 64 + 0.5) / 64;
            if (s->draw[k] == DRAW_SYMMETRIC && e % n > e / n % n) continue;
            if (s->draw[k] == DRAW_SYMMETRIC) {          /* the lower triangle is mirrored */
                const size_t mirror = e / (n * n) * n * n + e % n * n + e / n % n;
                s->x[k][mirror] = s->x[k][e];
                s->u[k][mirror] = s->u[k][e];
                s->v[k][mirror] = s->v[k][e];
            }
        }
    for (k = 0; k < s->operands; k++)                    /* what was mirrored was drawn over */
        for (e = 0; s->draw[k] == DRAW_SYMMETRIC && e < s->n[k]; e++) {
            const size_t n = (size_t)s->dim[k][s->rank[k] - 1];
            const size_t mirror = e / (n * n) * n * n + e % n * n + e / n % n;
            if (e % n <= e / n % n) continue;
            s->x[k][e] = s->x[k][mirror];
            s->u[k][e] = s->u[k][mirror];
            s->v[k][e] = s->v[k][mirror];
        }
    s->p.mask = kept_by_dropout;
}

static void views(const sample *s, double (*u)[MOST], nd *view)
{
    int k, j;
    for (k = 0; k < OPERANDS; k++) {
        memset(&view[k], 0, sizeof view[k]);
        view[k].rank = -1;
        if (k >= s->operands) continue;
        view[k].rank = s->rank[k];
        for (j = 0; j < 4; j++) view[k].dim[j] = j < s->rank[k] ? s->dim[k][j] : 1;
        view[k].n = s->n[k];
        view[k].v = u[k];
    }
}

/* The loss by the reference, for the checker: x are the operands that are not fixed, in a row. */
static double loss_by_reference(const double *x, size_t n, void *user)
{
    static double u[OPERANDS][MOST];
    const sample *const s = (const sample *)user;
    const size_t mark = arena_used;
    nd view[OPERANDS], y;
    double l;
    size_t e;
    int k;
    (void)n;
    for (k = 0; k < s->operands; k++)
        for (e = 0; e < s->n[k]; e++) u[k][e] = s->fixed >> k & 1 ? s->u[k][e] : g_of(*x++);
    views(s, u, view);
    y = reference(s->op, view, &s->p);
    l = loss_of(s, &y, view);
    arena_used = mark;
    return l;
}

static trial trial_of(const sample *s, int work)
{
    trial q;
    int k;
    memset(&q, 0, sizeof q);
    q.s = s;
    q.work = work;
    for (k = 0; k < OPERANDS; k++) q.as[k] = s->fixed >> k & 1 ? CONSTANT : NON_LEAF;
    return q;
}

/* Sets of operands that are constants, and forms for the others, change with every sample. */
static unsigned turn;
static unsigned every_nth = 1, place_in_stride;          /* see test_stride */

/* The gradient against differences of the reference, by the project's checker. */
static void against_differences(const sample *s)
{
    static double x[OPERANDS * MOST], g[OPERANDS * MOST];
    ad_check_options options;
    ad_check_result r;
    ad_verdict v;
    char text[400];
    size_t n = 0, e;
    int k;
    memset(&options, 0, sizeof options);
    for (k = 0; k < s->operands; k++)
        for (e = 0; !(s->fixed >> k & 1) && e < s->n[k]; e++) {
            x[n] = s->x[k][e];
            g[n++] = base.x_bar[k][e];
        }
    if (n == 0) return;
    options.max_evals = 100 * n + 4000;
    options.dense_limit = 200;                   /* above, along directions */
    options.directions = 2;
    options.localise = -1;
    v = ad_check_values(loss_by_reference, g, x, n, (void *)(uintptr_t)s, &options, &r);
    if (!test_check(ad_check_ok(v), __FILE__, __LINE__, "%s: %s",
        place_text(text, sizeof text), r.message)) {
        size_t i = r.n_findings ? r.findings[0].i : 0;
        if (r.n_findings)
            fprintf(stderr, "    x[%d]: claimed %.12g, numeric %.12g\n", (int)i,
                r.findings[0].claimed, r.findings[0].numeric);
    }
}

/* Hessian-vector products against differences of the gradient along v. */
static void second_differences(const sample *s)
{
    static double moved[OPERANDS][MOST], sum[OPERANDS][MOST];
    static const double factor[4] = { 8, -8, -1, 1 }, places[4] = { 1, -1, 2, -2 };
    const double h = 1.0 / 2048;
    trial q = trial_of(s, 0);
    size_t e;
    int k, i;
    for (k = 0; k < s->operands; k++) memset(sum[k], 0, s->n[k] * sizeof sum[k][0]);
    for (i = 0; i < 4; i++) {
        for (k = 0; k < s->operands; k++) {
            for (e = 0; e < s->n[k]; e++) moved[k][e] = s->x[k][e] + places[i] * h * s->v[k][e];
            if (!(s->fixed >> k & 1)) q.x[k] = moved[k];
        }
        run(0, &q, &other);
        if (!EXPECT(other.status == AD_OK)) return;
        for (k = 0; k < s->operands; k++)
            for (e = 0; e < s->n[k]; e++) sum[k][e] += factor[i] * other.x_bar[k][e] / (12 * h);
    }
    for (k = 0; k < s->operands; k++)
        if (!(s->fixed >> k & 1))
            AGREE("Hessian-vector product against differences of the gradient", s->n[k],
                base.hv_dual[k], sum[k], 2e-7);
}

static double inner(const sample *s, double (*a)[MOST], double (*b)[MOST])
{
    double r = 0;
    size_t e;
    int k;
    for (k = 0; k < s->operands; k++)
        for (e = 0; !(s->fixed >> k & 1) && e < s->n[k]; e++) r += a[k][e] * b[k][e];
    return r;
}

/* Another trial of the same sample gives the same result, loss and adjoints of the operands. */
static void same_as_base(const trial *q, double tolerance, int single)
{
    const sample *const s = q->s;
    int k;
    run(single, q, &other);
    if (!EXPECT(other.status == AD_OK)) {
        test_check(0, __FILE__, __LINE__, "    %s", other.message);
        return;
    }
    if (!EXPECT(other.rank == base.rank && other.n == base.n)) return;
    AGREE("value", base.n, other.y, base.y, tolerance);
    if (s->flags & VALUE_ONLY) return;
    if (q->end != BY_SEED && base.n)
        EXPECT(fabs(other.loss - base.loss) <= tolerance * (double)(base.n + 1)
               * (1 + fabs(base.loss)));
    EXPECT(other.same_twice);
    for (k = 0; k < s->operands; k++) {
        char what[40];
        if (q->as[k] > PACKED) continue;
        snprintf(what, sizeof what, "adjoint of operand %d", k);
        AGREE(what, s->n[k], other.u_bar[k], base.u_bar[k], tolerance);
    }
}

/* Operands that are one array: its adjoint is the sum of those that equal arrays have. */
static void same_as_several(const trial *alias, double tolerance)
{
    static double sum[MOST];
    const sample *const s = alias->s;
    trial q = *alias;
    double loss;
    size_t e;
    int k;
    q.alias = 0;
    run(0, &q, &other);
    if (other.status != AD_OK) return;           /* equal numbers may be a singular matrix */
    loss = other.loss;
    for (e = 0; e < s->n[0]; e++) sum[e] = other.u_bar[0][e];
    for (k = 1; k < s->operands; k++)
        for (e = 0; e < s->n[0] && (alias->alias >> k & 1); e++) sum[e] += other.u_bar[k][e];
    q = *alias;
    run(0, &q, &other);
    if (!EXPECT(other.status == AD_OK)) return;
    EXPECT(test_near(other.loss, loss, tolerance * (double)(base.n + 1)));
    AGREE("adjoint of one array as several operands", s->n[0], other.u_bar[0], sum, tolerance);
}

/* Which elements dropout keeps: its result on ones. */
static void draw_mask(sample *s)
{
    ad_tape *const t = ad_tape_create(NULL);
    const ad_array a = ad_array_full(t, s->rank[0], s->dim[0], 1);
    const double *const kept = ad_array_values(ad_array_dropout(a, s->p.number, 7, 3));
    size_t e;
    for (e = 0; e < s->n[0]; e++) kept_by_dropout[e] = kept ? kept[e] : 0;
    ad_tape_destroy(t);
}

static void examine_drawn(const sample *s)
{
    const double tolerance = 4e-13, coarse = 3e-5;
    static const ad_simd sets[4] = { AD_SIMD_PLAIN, AD_SIMD_AVX2, AD_SIMD_AVX512, AD_SIMD_NEON };
    const size_t mark = arena_used;
    trial q;
    nd view[OPERANDS], y;
    int k, i, j;
    size_t e, n = 0;
    q = trial_of(s, EVERYTHING);
    run(0, &q, &base);
    if (!EXPECT(base.status == AD_OK)) {
        test_check(0, __FILE__, __LINE__, "    %s", base.message);
        return;
    }
    views(s, s->u, view);
    y = reference(s->op, view, &s->p);
    if (!EXPECT(base.rank == y.rank && memcmp(base.dim, y.dim, sizeof base.dim) == 0)
        || !EXPECT(base.n == y.n)) {
        arena_used = mark;
        return;
    }
    AGREE("value against the reference", y.n, base.y, y.v, tolerance);
    arena_used = mark;
    for (k = 0; k < s->operands; k++) n += s->fixed >> k & 1 ? 0 : s->n[k];
    if (!(s->flags & VALUE_ONLY) && n) {
        double x_bar_v;
        EXPECT(base.same_twice);
        against_differences(s);
        x_bar_v = inner(s, base.x_bar, s->v);
        EXPECT(test_near(base.loss_dot, x_bar_v, 1e-11 * (double)(1 + base.n)));
        for (k = 0; k < s->operands; k++) {
            if (s->fixed >> k & 1) continue;
            AGREE("recorded gradient", s->n[k], base.grad[k], base.x_bar[k], tolerance);
            AGREE("recorded gradient swept again", s->n[k], base.hv_recorded[k], base.hv_dual[k],
                4e-12);
            AGREE("tangent of the recorded gradient", s->n[k], base.hv_tangent[k],
                base.hv_dual[k], 4e-12);
            AGREE("Hessian times the direction", s->n[k], base.hv_matrix[k], base.hv_dual[k],
                4e-12);
        }
        if (!(s->flags & NO_SECOND)) second_differences(s);
        now.q = &q;
        if (n <= MOST_COLUMNS && n * base.n <= MOST_J) {
            static double product_[MOST_Y];
            AGREE("Jacobians, forward and reverse", n * base.n, base.forward, base.reverse,
                tolerance);
            for (e = 0; e < base.n; e++) {
                size_t at = e * n, o;
                product_[e] = 0;
                for (k = 0; k < s->operands; k++)
                    for (o = 0; !(s->fixed >> k & 1) && o < s->n[k]; o++)
                        product_[e] += base.reverse[at++] * s->v[k][o];
            }
            AGREE("tangents of the result and Jacobian", base.n, base.y_dot, product_, 1e-11);
        }
        /* one form for all, and a mixture */
        for (i = 0; i < 3; i++) {
            q = trial_of(s, 0);
            q.end = (ending)((turn + (unsigned)i) % ENDINGS);
            for (k = 0; k < s->operands; k++) {
                if (s->fixed >> k & 1) q.as[k] = i & 1 ? CONSTANT_BORROWED : CONSTANT;
                else if (i < 2) q.as[k] = (form)((turn + (unsigned)i * 3) % 5);
                else q.as[k] = (form)((turn / 2 + (unsigned)k * 3) % FORMS);
            }
            same_as_base(&q, tolerance, 0);
        }
        /* the same array as several operands */
        q = trial_of(s, 0);
        for (k = 1; k < s->operands && !s->fixed; k++) {
            if (s->rank[k] != s->rank[0] || memcmp(s->dim[k], s->dim[0],
                (size_t)s->rank[0] * sizeof s->dim[0][0]) != 0) continue;
            q.x[k] = s->x[0];
            q.alias |= 1u << k;
        }
        if (q.alias) same_as_several(&q, tolerance);
        /* some operands constant */
        for (i = 1; s->operands > 1 && i < 1 << s->operands; i++) {
            q = trial_of(s, 0);
            for (k = 0; k < s->operands; k++)
                q.as[k] = (i >> k & 1) || (s->fixed >> k & 1)
                    ? (form)(CONSTANT + (turn + (unsigned)k) % 2) : LEAF;
            same_as_base(&q, tolerance, 0);
        }
    }
    /* nothing but constants: no slots */
    q = trial_of(s, 0);
    for (k = 0; k < s->operands; k++) q.as[k] = turn & 1 ? CONSTANT : CONSTANT_BORROWED;
    q.zeroed = turn & 1;
    same_as_base(&q, tolerance, 0);
    EXPECT(other.constant);
    for (j = 0; j < 4; j++) {
        if (!ad_kernels_get(sets[j])) continue;
        q = trial_of(s, 0);
        q.simd = sets[j];
        for (k = 0; k < s->operands && turn % 2; k++)
            if (!(s->fixed >> k & 1)) q.as[k] = LEAF;
        same_as_base(&q, tolerance, 0);
        q.end = (ending)(turn % ENDINGS);
        if ((turn + (unsigned)j) % 2) same_as_base(&q, coarse, 1);
    }
    if (turn % 4 == 0 && !(s->flags & (VALUE_ONLY | NO_SECOND)) && n && n < 400) {
        q = trial_of(s, TANGENTS | RECORDED);                        /* all sweeps in float */
        run(1, &q, &other);
        for (k = 0; k < s->operands; k++) {
            if (s->fixed >> k & 1) continue;
            AGREE("recorded gradient", s->n[k], other.grad[k], other.x_bar[k], coarse);
            AGREE("recorded gradient swept again", s->n[k], other.hv_recorded[k],
                other.hv_dual[k], 40 * coarse);
            AGREE("tangent of the recorded gradient", s->n[k], other.hv_tangent[k],
                other.hv_dual[k], 40 * coarse);
        }
    }
}

static void examine(sample *s)
{
    if (place_in_stride++ % every_nth) return;
    draw_numbers(s);
    if (s->op == OP_dropout) draw_mask(s);
    turn++;
    examined = s;
    examine_drawn(s);
    examined = NULL;
}

/* ---------------------------------------------------------------- the samples */

/* Pairs of shapes that broadcast. */
typedef struct pair {
    int rank_a;
    int32_t a[4];
    int rank_b;
    int32_t b[4];
} pair;
static const pair pairs[] = {
    { 2, { 3, 4, 0, 0 }, 2, { 3, 4, 0, 0 } }, { 0, { 0, 0, 0, 0 }, 2, { 3, 4, 0, 0 } },
    { 2, { 3, 4, 0, 0 }, 0, { 0, 0, 0, 0 } }, { 1, { 4, 0, 0, 0 }, 2, { 3, 4, 0, 0 } },
    { 2, { 3, 1, 0, 0 }, 2, { 1, 4, 0, 0 } }, { 3, { 2, 1, 3, 0 }, 2, { 4, 1, 0, 0 } },
    { 4, { 2, 1, 4, 1 }, 3, { 3, 1, 5, 0 } }, { 2, { 3, 1, 0, 0 }, 2, { 3, 17, 0, 0 } },
    { 1, { 67, 0, 0, 0 }, 0, { 0, 0, 0, 0 } }, { 2, { 3, 4, 0, 0 }, 1, { 4, 0, 0, 0 } },
    { 2, { 3, 1, 0, 0 }, 2, { 3, 4, 0, 0 } }, { 3, { 2, 3, 4, 0 }, 2, { 3, 1, 0, 0 } },
    { 1, { 1, 0, 0, 0 }, 1, { 5, 0, 0, 0 } }, { 0, { 0, 0, 0, 0 }, 0, { 0, 0, 0, 0 } },
    { 4, { 2, 3, 2, 5 }, 1, { 5, 0, 0, 0 } }, { 4, { 2, 3, 2, 5 }, 3, { 1, 2, 1, 0 } },
    { 4, { 1, 1, 1, 1 }, 1, { 3, 0, 0, 0 } }, { 2, { 3, 17, 0, 0 }, 1, { 17, 0, 0, 0 } },
    { 1, { 65, 0, 0, 0 }, 1, { 65, 0, 0, 0 } }, { 2, { 5, 33, 0, 0 }, 2, { 5, 1, 0, 0 } },
    { 3, { 3, 1, 5, 0 }, 3, { 1, 4, 1, 0 } }, { 4, { 2, 1, 3, 1 }, 4, { 1, 2, 1, 3 } },
    { 1, { 16, 0, 0, 0 }, 1, { 1, 0, 0, 0 } }, { 2, { 1, 1, 0, 0 }, 2, { 1, 9, 0, 0 } },
    { 3, { 4, 1, 1, 0 }, 3, { 4, 3, 2, 0 } }, { 4, { 2, 3, 1, 2 }, 4, { 2, 3, 2, 2 } },
    { 3, { 5, 3, 1, 0 }, 3, { 5, 1, 1, 0 } }, { 4, { 2, 1, 1, 19 }, 4, { 1, 2, 2, 1 } },
    { 3, { 1, 2, 33, 0 }, 3, { 3, 1, 1, 0 } }, { 2, { 2, 0, 0, 0 }, 1, { 1, 0, 0, 0 } },
    { 3, { 2, 1, 3, 0 }, 2, { 0, 3, 0, 0 } }, { 4, { 3, 1, 2, 1 }, 2, { 2, 18, 0, 0 } }
};

static void shape_of(sample *s, int k, int rank, const int32_t *dim)
{
    s->rank[k] = rank;
    memcpy(s->dim[k], dim, sizeof s->dim[k]);
}

/* Where a rule is smooth. */
static void rule_domain(sample *s, const char *name)
{
    const row_facts *const r = row_of(name);
    int k;
    if (!test_check(r != NULL, __FILE__, __LINE__, "rule %s has no domain in rows.h", name)) return;
    for (k = 0; k < r->operands; k++) {
        const row_domain d = r->on[k];
        if (d.kind == ROW_WHOLE) {               /* what is between is rounded */
            range(s, k, d.lo - 0.4, d.hi + 0.4);
            s->draw[k] = DRAW_WHOLE;
            s->fixed |= 1u << k;
        } else if (d.kind != ROW_ANY) {
            range(s, k, d.lo, d.hi);
            s->draw[k] = d.kind == ROW_DISTINCT ? DRAW_DISTINCT
                : d.kind == ROW_KINKS || d.kind == ROW_PART ? DRAW_AWAY : DRAW_PLAIN;
        }
    }
}

static void test_rules(void)
{
    static const pair singles[] = { { 1, { 7, 0, 0, 0 }, 0, { 0, 0, 0, 0 } },
        { 0, { 0, 0, 0, 0 }, 0, { 0, 0, 0, 0 } }, { 4, { 2, 1, 3, 5 }, 0, { 0, 0, 0, 0 } } };
    static const pair triples[] = {        /* the third has the shape of the first, or of the sum */
        { 1, { 5, 0, 0, 0 }, 1, { 5, 0, 0, 0 } }, { 0, { 0, 0, 0, 0 }, 2, { 2, 3, 0, 0 } },
        { 2, { 3, 1, 0, 0 }, 1, { 18, 0, 0, 0 } }, { 3, { 2, 3, 1, 0 }, 4, { 2, 1, 1, 4 } } };
    int rule;
    size_t i;
    for (rule = 0; rule < RULES; rule++) {
        const scalar_rule *const r = &scalar_rules[rule];
        for (i = 0; r->operands == 1 && i < COUNT(singles); i++) {
            sample s = sample_of(OP_rule1, 1);
            shape_of(&s, 0, singles[i].rank_a, singles[i].a);
            s.p.rule = rule;
            rule_domain(&s, r->name);
            examine(&s);
        }
        for (i = 0; r->operands == 2 && i < COUNT(pairs); i++) {
            sample s = sample_of(OP_rule2, 2);
            if (i > 8 && (i + (size_t)rule) % 5 && !row_listed(" add mul sub div ", r->name))
                continue;
            shape_of(&s, 0, pairs[i].rank_a, pairs[i].a);
            shape_of(&s, 1, pairs[i].rank_b, pairs[i].b);
            s.p.rule = rule;
            rule_domain(&s, r->name);
            examine(&s);
        }
        for (i = 0; r->operands == 2 && i < 2 * COUNT(singles); i++) {
            sample s = sample_of(i & 1 ? OP_rule2_r : OP_rule2_from_r, 2);
            s.p.rule = rule;
            rule_domain(&s, r->name);
            if (!(i & 1)) {                      /* the number is the first, the array the second */
                s.p.number = x_near((s.lo[0] + s.hi[0]) / 2 + 0.14);
                s.lo[0] = s.lo[1];
                s.hi[0] = s.hi[1];
                s.draw[0] = s.draw[1];
                s.fixed >>= 1;
            } else {
                s.p.number = s.fixed & 2 ? 2 : x_near((s.lo[1] + s.hi[1]) / 2 + 0.14);
                s.fixed &= 1;
            }
            s.operands = 1;
            if (s.draw[0] == DRAW_DISTINCT) s.draw[0] = DRAW_AWAY;     /* from the number too */
            if (s.draw[0] == DRAW_AWAY) s.p.number = 0.5;
            shape_of(&s, 0, singles[i / 2].rank_a, singles[i / 2].a);
            examine(&s);
        }
        for (i = 0; r->operands == 3 && i < 2 * COUNT(triples); i++) {
            sample s = sample_of(OP_rule3, 3);
            shape_of(&s, 0, triples[i / 2].rank_a, triples[i / 2].a);
            shape_of(&s, 1, triples[i / 2].rank_b, triples[i / 2].b);
            shape_of(&s, 2, triples[i / 2].rank_a, triples[i / 2].a);
            if (i & 1) {
                together(&s.rank[2], s.dim[2], s.rank[1], s.dim[1]);
            }
            s.p.rule = rule;
            rule_domain(&s, r->name);
            if (i > 4) s.op = strcmp(r->name, "select") == 0 ? OP_where : s.op;
            examine(&s);
        }
    }
}

static void test_map(void)
{
    size_t i;
    int k;
    for (i = 0; i < COUNT(pairs); i++) {
        sample s;
        for (k = 0; k < 3; k++) {
            s = sample_of(OP_map, k + 1);
            if (i > 6 && (i + (size_t)k) % 3) continue;
            s.p.k = k;
            shape_of(&s, 0, pairs[i].rank_a, pairs[i].a);
            shape_of(&s, 1, pairs[i].rank_b, pairs[i].b);
            shape_of(&s, 2, pairs[i].rank_a, pairs[i].a);
            examine(&s);
        }
    }
}

static void test_reductions(void)
{
    static const pair shapes[] = { { 0, { 0, 0, 0, 0 }, 0, { 0, 0, 0, 0 } },
        { 1, { 7, 0, 0, 0 }, 0, { 0, 0, 0, 0 } }, { 2, { 3, 5, 0, 0 }, 0, { 0, 0, 0, 0 } },
        { 3, { 2, 3, 4, 0 }, 0, { 0, 0, 0, 0 } }, { 4, { 2, 3, 2, 3 }, 0, { 0, 0, 0, 0 } },
        { 2, { 2, 37, 0, 0 }, 0, { 0, 0, 0, 0 } }, { 2, { 33, 2, 0, 0 }, 0, { 0, 0, 0, 0 } },
        { 3, { 2, 1, 3, 0 }, 0, { 0, 0, 0, 0 } }, { 4, { 1, 2, 1, 19 }, 0, { 0, 0, 0, 0 } },
        { 1, { 1, 0, 0, 0 }, 0, { 0, 0, 0, 0 } } };
    size_t i;
    int op, keep;
    unsigned mask;
    for (op = OP_sum; op <= OP_std; op++)
        for (i = 0; i < COUNT(shapes); i++)
            for (mask = 0; mask < 1u << shapes[i].rank_a; mask++)
                for (keep = 0; keep < 2; keep++) {
                    const int rank = shapes[i].rank_a;
                    sample s = sample_of((operation)op, 1);
                    int k;
                    size_t n = 1;
                    shape_of(&s, 0, rank, shapes[i].a);
                    for (k = 0; k < rank; k++)
                        if (mask >> k & 1) n *= (size_t)shapes[i].a[k];
                    s.p.axes = mask | AD_NO_AXES;
                    s.p.keepdims = keep;
                    if (i % 2 && mask && keep)       /* the same axes, from the end */
                        for (s.p.axes = AD_NO_AXES, k = 0; k < rank; k++)
                            if (mask >> k & 1) s.p.axes |= AD_AXIS(k - rank);
                    if (mask == (1u << rank) - 1 && keep) s.p.axes = AD_ALL_AXES;
                    s.p.ddof = op >= OP_var && n > 2 && (i + mask) % 2;
                    if (op == OP_amax || op == OP_amin || n == 1) s.draw[0] = DRAW_DISTINCT;
                    if (op == OP_prod) {
                        range(&s, 0, 0.6, 1.4);
                        if (mask % 3 == 1) s.zeros = keep ? 4 : 2 | 8;
                    }
                    if ((op == OP_var || op == OP_std) && n == 1) s.flags = VALUE_ONLY;
                    if (op == OP_norm) range(&s, 0, 0.4, 2);
                    if (op == OP_var || op == OP_std) s.draw[0] = DRAW_DISTINCT;
                    if (op == OP_std && n == 2) s.flags |= NO_SECOND;     /* |a - b| / 2 */
                    examine(&s);
                }
    for (op = OP_cumsum; op <= OP_cummin; op++)
        for (i = 1; i < COUNT(shapes); i++) {
            int axis;
            for (axis = -shapes[i].rank_a; axis < shapes[i].rank_a; axis++) {
                sample s = sample_of((operation)op, 1);
                shape_of(&s, 0, shapes[i].rank_a, shapes[i].a);
                s.p.axis = axis;
                if (op == OP_cummax || op == OP_cummin) s.draw[0] = DRAW_DISTINCT;
                if (op == OP_cumprod) {
                    range(&s, 0, 0.7, 1.3);
                    if (i % 2) s.zeros = axis < 0 ? 2 : 4 | 16;
                }
                if (op == OP_logcumsumexp && axis < 0) range(&s, 0, -4, 9);
                examine(&s);
            }
        }
    for (op = 0; op < 4; op++)                   /* norms of several orders */
        for (i = 0; i < COUNT(shapes); i++)
            for (mask = 0; mask < 1u << shapes[i].rank_a; mask++) {
                static const double orders[4] = { 1, 2.5, 4, (double)INFINITY };
                sample s = sample_of(OP_vector_norm, 1);
                shape_of(&s, 0, shapes[i].rank_a, shapes[i].a);
                s.p.axes = mask | AD_NO_AXES;
                s.p.keepdims = (int)(i + mask) % 2;
                s.p.number = orders[op];
                s.draw[0] = DRAW_DISTINCT;
                range(&s, 0, 0.3, 2);
                examine(&s);
            }
    for (op = OP_sum; op <= OP_logsumexp; op++) {     /* of nothing */
        static const int32_t none[4] = { 2, 0, 3, 0 };
        for (mask = 1; mask < 8; mask++) {
            sample s = sample_of((operation)op, 1);
            if ((op == OP_amax || op == OP_amin) && (mask & 2)) continue;
            if (op == OP_logsumexp || op == OP_mean) s.flags = VALUE_ONLY;
            shape_of(&s, 0, 3, none);
            s.p.axes = mask | AD_NO_AXES;
            s.p.keepdims = (int)mask % 2;
            examine(&s);
        }
    }
}

/* a and b by digits: "2,3x3,4" */
static void shapes_from(sample *s, const char *text)
{
    int k = 0;
    s->rank[0] = s->rank[1] = s->rank[2] = 0;
    memset(s->dim, 0, sizeof s->dim);
    while (*text) {
        if (*text == 'x') {
            k++;
            text++;
            continue;
        }
        if (*text == ',') {
            text++;
            continue;
        }
        s->dim[k][s->rank[k]++] = (int32_t)strtol(text, (char **)(uintptr_t)&text, 10);
    }
}

static void test_matrices(void)
{
    static const char *const products[] = { "3,4x4,5", "4x4", "4x4,3", "3,4x4", "2,3,4x4,5",
        "2,3,4x2,4,5", "3,4x2,4,5", "2,1,3,4x3,4,2", "1,4x4,1", "1,1x1,1", "2,3,4x4", "4x2,4,3",
        "2,2,2,3x2,2,3,2", "2,1,2,3x1,2,3,2", "9,10x10,7", "17,3x3,16", "3,0x0,2", "0,3x3,2",
        "2,2,3x1,3,2", "1x1", "5,1x1,6", "2,3,1,2x2,4" };
    static const char *const solves[] = { "1,1x1,1", "3,3x3,2", "4,4x4,1", "2,3,3x2,3,2",
        "3,3x2,3,2", "2,3,3x3,2", "2,1,2,2x3,2,1", "7,7x7,5", "2,2,2,2x2,2,2,3", "9,9x9,1" };
    static const char *const squares[] = { "1,1", "2,2", "3,3", "5,5", "2,3,3", "2,2,3,3", "8,8" };
    static const char *const matrices[] = { "3,3", "3,5", "5,3", "2,3,4", "2,1,3,2", "1,1", "1,4" };
    size_t i;
    int k;
    for (i = 0; i < COUNT(products); i++) {
        sample s = sample_of(OP_matmul, 2);
        shapes_from(&s, products[i]);
        examine(&s);
        if (s.rank[0] < 2 || s.rank[1] < 2) continue;
        for (k = 0; k < 4; k++) {
            int32_t t;
            s = sample_of(OP_matmul_t, 2);
            shapes_from(&s, products[i]);
            s.p.flag_a = k & 1;
            s.p.flag_b = k >> 1;
            if (k & 1) {
                t = s.dim[0][s.rank[0] - 1];
                s.dim[0][s.rank[0] - 1] = s.dim[0][s.rank[0] - 2];
                s.dim[0][s.rank[0] - 2] = t;
            }
            if (k & 2) {
                t = s.dim[1][s.rank[1] - 1];
                s.dim[1][s.rank[1] - 1] = s.dim[1][s.rank[1] - 2];
                s.dim[1][s.rank[1] - 2] = t;
            }
            examine(&s);
        }
    }
    for (k = 0; k < 5; k++) {
        static const char *const equal[] = { "5x5", "3,4x3,4", "2,3,2,2x2,3,2,2", "x", "37x37" };
        sample s = sample_of(OP_dot, 2);
        shapes_from(&s, equal[k]);
        examine(&s);
    }
    for (k = 1; k < 20; k += 6) {
        sample s = sample_of(OP_outer, 2);
        shape4(&s, 0, 1, k, 0, 0, 0);
        shape4(&s, 1, 1, 20 - k, 0, 0, 0);
        examine(&s);
    }
    for (i = 0; i < COUNT(matrices); i++) {
        sample s = sample_of(OP_trace, 1);
        shapes_from(&s, matrices[i]);
        examine(&s);
        for (k = -4; k <= 4; k++) {
            s = sample_of(OP_diagonal, 1);
            shapes_from(&s, matrices[i]);
            s.p.k = k;
            if (k > -s.dim[0][s.rank[0] - 2] && k < s.dim[0][s.rank[0] - 1]) examine(&s);
            s.op = k & 1 ? OP_tril : OP_triu;
            examine(&s);
        }
    }
    for (i = 0; i < COUNT(solves); i++) {
        sample s = sample_of(OP_solve, 2);
        shapes_from(&s, solves[i]);
        s.draw[0] = i % 2 ? DRAW_PIVOTS : DRAW_DOMINANT;
        examine(&s);
        for (k = 0; k < 4; k++) {
            s = sample_of(OP_triangular_solve, 2);
            shapes_from(&s, solves[i]);
            s.draw[0] = DRAW_DOMINANT;
            s.p.triangle = k & 1 ? AD_UPPER : AD_LOWER;
            s.p.flag_a = k >> 1;
            examine(&s);
        }
    }
    for (i = 0; i < COUNT(squares); i++) {
        static const operation of[3] = { OP_cholesky, OP_inverse, OP_logdet };
        for (k = 0; k < 3; k++) {
            sample s = sample_of(of[k], 1);
            shapes_from(&s, squares[i]);
            s.draw[0] = k == 0 ? DRAW_SYMMETRIC : ((size_t)k + i) % 2 ? DRAW_PIVOTS : DRAW_DOMINANT;
            examine(&s);
        }
    }
}

static void test_shapes(void)
{
    static const int32_t full[4] = { 2, 3, 4, 2 };
    int rank, axis, k, j;
    size_t i;
    {
        static const struct { const char *from; int rank; int32_t dim[4]; } of[] = {
            { "2,6", 2, { 3, 4, 0, 0 } }, { "2,6", 1, { -1, 0, 0, 0 } },
            { "2,6", 3, { 2, -1, 2, 0 } }, { "2,3,2", 2, { 3, 4, 0, 0 } },
            { "", 1, { 1, 0, 0, 0 } }, { "1", 0, { 0, 0, 0, 0 } }, { "2,6", 4, { 2, 3, 2, 1 } },
            { "0,3", 3, { 2, 0, 5, 0 } }, { "1,1,1,1", 0, { 0, 0, 0, 0 } },
            { "", 4, { 1, 1, -1, 1 } } };
        for (i = 0; i < COUNT(of); i++) {
            sample s = sample_of(OP_reshape, 1);
            shapes_from(&s, of[i].from);
            s.p.rank = of[i].rank;
            memcpy(s.p.dim, of[i].dim, sizeof s.p.dim);
            examine(&s);
        }
    }
    {
        static const struct { const char *from; int rank; int32_t dim[4]; } of[] = {
            { "", 2, { 3, 4, 0, 0 } }, { "4", 2, { 3, 4, 0, 0 } }, { "3,1", 2, { 3, 4, 0, 0 } },
            { "3,1", 4, { 2, 2, 3, 2 } }, { "2,1,3", 4, { 2, 2, 5, 3 } },
            { "1,1", 3, { 2, 3, 4, 0 } }, { "17", 2, { 5, 17, 0, 0 } }, { "3", 1, { 3, 0, 0, 0 } },
            { "1", 1, { 0, 0, 0, 0 } }, { "2,1,2,1", 4, { 2, 9, 2, 16 } },
            { "", 0, { 0, 0, 0, 0 } } };
        for (i = 0; i < COUNT(of); i++) {
            sample s = sample_of(OP_broadcast_to, 1);
            shapes_from(&s, of[i].from);
            s.p.rank = of[i].rank;
            memcpy(s.p.dim, of[i].dim, sizeof s.p.dim);
            examine(&s);
        }
    }
    for (rank = 0; rank <= 4; rank++) {              /* every permutation */
        int order[4];
        for (k = 0; k < 256; k++) {
            sample s = sample_of(OP_permute, 1);
            unsigned seen = 0;
            for (j = 0; j < 4; j++) order[j] = k >> (2 * j) & 3;
            for (j = 0; j < rank; j++) seen |= 1u << order[j];
            if (seen != (1u << rank) - 1 || k >> (2 * rank)) continue;
            shape_of(&s, 0, rank, full);
            for (j = 0; j < rank; j++) s.p.order[j] = k % 3 ? order[j] : order[j] - rank;
            examine(&s);
        }
        if (rank >= 2) {
            sample s = sample_of(OP_transpose, 1);
            shape_of(&s, 0, rank, full);
            examine(&s);
        }
    }
    {
        static const char *const big[] = { "17,23", "16,16", "1,33", "9,5,7", "20,3" };
        for (i = 0; i < COUNT(big); i++) {
            sample s = sample_of(OP_transpose, 1);
            shapes_from(&s, big[i]);
            examine(&s);
        }
    }
    {
        static const int32_t of[][3] = { { 0, 3, 1 }, { 1, 4, 1 }, { 2, AD_END, 1 },
            { AD_END, AD_END, 1 }, { AD_END, AD_END, -1 }, { -2, AD_END, 1 }, { 0, -1, 1 },
            { 0, AD_END, 2 }, { 1, AD_END, 3 }, { -1, AD_END, -2 }, { 3, 0, -1 }, { 4, 1, -2 },
            { 2, 2, 1 }, { 3, 1, 1 }, { 1, 3, -1 }, { -100, 100, 1 }, { 100, -100, -1 },
            { 5, AD_END, 1 }, { -1, -4, -1 }, { 0, AD_END, 100 }, { AD_END, 2, -100 },
            { 2, -100, -1 }, { 0, 5, 1 }, { 7, 9, 2 }, { -9, -7, 1 }, { 2, 3, 1 } };
        static const char *const from[] = { "5", "5,3", "2,5", "2,5,3", "2,2,5,2", "1,5,7",
            "5,1,17" };
        for (k = 0; k < (int)COUNT(from); k++)
            for (i = 0; i < COUNT(of); i++) {
                sample s = sample_of(OP_slice, 1);
                shapes_from(&s, from[k]);
                for (axis = 0; s.dim[0][axis] != 5; axis++) continue;
                s.p.axis = i % 2 ? axis : axis - s.rank[0];
                s.p.start = of[i][0];
                s.p.stop = of[i][1];
                s.p.step = of[i][2];
                examine(&s);
            }
    }
    for (rank = 0; rank <= 4; rank++)
        for (k = 0; k < 1 << rank; k++) {
            sample s = sample_of(OP_flip, 1);
            shape_of(&s, 0, rank, full);
            s.p.axes = k == (1 << rank) - 1 ? AD_ALL_AXES : (unsigned)k | AD_NO_AXES;
            examine(&s);
        }
    for (rank = 1; rank <= 4; rank++)
        for (axis = -rank; axis < rank; axis++)
            for (k = 1; k <= 3; k++) {
                sample s = sample_of(OP_concatenate, k);
                for (j = 0; j < k; j++) {
                    shape_of(&s, j, rank, full);
                    s.dim[j][axis < 0 ? axis + rank : axis] = j == 1 ? 1 : j + 2;
                    if (j == 2 && axis == 0) s.dim[j][0] = 0;
                }
                s.p.n = (size_t)k;
                s.p.axis = axis;
                examine(&s);
            }
    for (rank = 0; rank <= 3; rank++)
        for (axis = -rank - 1; axis <= rank; axis++) {
            sample s = sample_of(OP_stack, 1 + (axis + 4) % 3);
            for (j = 0; j < s.operands; j++) shape_of(&s, j, rank, full);
            s.p.n = (size_t)s.operands;
            s.p.axis = axis;
            examine(&s);
        }
    for (rank = 1; rank <= 4; rank++)
        for (axis = 0; axis < rank; axis++)
            for (k = 1; k <= 3; k++) {
                sample s = sample_of(OP_split, 1);
                shape_of(&s, 0, rank, full);
                s.dim[0][axis] = 6;
                s.p.n = (size_t)k;
                s.p.k = (axis + k) % 2;
                s.p.axis = k == 2 ? axis - rank : axis;
                examine(&s);
            }
    {
        static const int32_t of[][8] = { { 0, 0, 0, 0, 0, 0, 0, 0 }, { 1, 0, 0, 0, 0, 0, 0, 0 },
            { 0, 2, 1, 0, 2, 0, 1, 1 }, { 1, 1, 1, 1, 1, 1, 1, 1 }, { 0, 0, 0, 3, 0, 0, 0, 0 } };
        for (rank = 0; rank <= 4; rank++)
            for (i = 0; i < COUNT(of); i++) {
                sample s = sample_of(OP_pad, 1);
                shape_of(&s, 0, rank, full);
                memcpy(s.p.dim, of[i], sizeof s.p.dim);
                memcpy(s.p.after, of[i] + 4, sizeof s.p.after);
                s.p.number = i % 2 ? 0 : -1.5;
                examine(&s);
            }
    }
    {
        static const int32_t of[][4] = { { 1, 1, 1, 1 }, { 2, 1, 1, 1 }, { 1, 3, 1, 2 },
            { 3, 2, 2, 1 }, { 1, 0, 1, 1 } };
        for (rank = 0; rank <= 4; rank++)
            for (i = 0; i < COUNT(of); i++) {
                sample s = sample_of(OP_tile, 1);
                shape_of(&s, 0, rank, full);
                memcpy(s.p.dim, of[i], sizeof s.p.dim);
                examine(&s);
            }
    }
    for (rank = 1; rank <= 4; rank++)
        for (axis = -rank; axis < rank; axis++)
            for (k = 0; k < 4; k++) {
                sample s = sample_of(OP_repeat, 1);
                shape_of(&s, 0, rank, full);
                s.p.axis = axis;
                s.p.k = k;
                examine(&s);
                s.op = OP_roll;
                s.p.k = k * 3 - 4;
                examine(&s);
            }
    {
        static const uint32_t index[7] = { 2, 0, 0, 1, 2, 2, 0 };
        for (rank = 1; rank <= 4; rank++)
            for (axis = -rank; axis < rank; axis++)
                for (k = 0; k < 8; k += axis < 0 ? 4 : 1) {
                    sample s = sample_of(OP_gather, 1);
                    shape_of(&s, 0, rank, full);
                    s.dim[0][axis < 0 ? axis + rank : axis] = 3;
                    s.p.axis = axis;
                    s.p.n = (size_t)k;
                    memcpy(s.p.index, index, sizeof index);
                    examine(&s);
                    s.op = OP_scatter_add;
                    s.operands = 2;
                    shape_of(&s, 1, rank, s.dim[0]);
                    s.dim[1][axis < 0 ? axis + rank : axis] = k;
                    examine(&s);
                }
    }
    {
        static const uint32_t index[12] = { 3, 1, 1, 0, 2, 3, 3, 3, 0, 1, 2, 1 };
        static const int32_t of[][4] = { { 0, 0, 0, 0 }, { 5, 0, 0, 0 }, { 2, 3, 0, 0 },
            { 2, 3, 2, 0 } };
        for (i = 0; i < COUNT(of); i++)
            for (k = 1; k < 20; k += 6) {
                sample s = sample_of(OP_embedding, 1);
                shape4(&s, 0, 2, 4, k, 0, 0);
                s.p.rank = (int)i;
                memcpy(s.p.dim, of[i], sizeof s.p.dim);
                memcpy(s.p.index, index, sizeof index);
                examine(&s);
            }
    }
}

static void convolution(operation op, const char *shapes, const int32_t *d)
{
    sample s = sample_of(op, 2);
    int k;
    shapes_from(&s, shapes);
    if (!d) {
        s.p.k = 1;
    } else {
        for (k = 0; k < 2; k++) {
            s.p.conv.stride[k] = d[k];
            s.p.conv.pad[k] = d[2 + k];
            s.p.conv.dilation[k] = d[4 + k];
            s.p.conv.extra[k] = d[7 + k];
        }
        s.p.conv.groups = d[6];
    }
    examine(&s);
}

static void test_networks(void)
{
    static const char *const soft_shapes[] = { "5", "3,4", "2,3,4", "2,2,3,3", "2,37", "33,2",
        "1", "3,1" };
    /* stride, pad, dilation, groups, extra */
    static const struct { const char *shapes; int32_t d[9]; } plane_of[] = {
        { "2,3,5,6x4,3,3,3", { 1, 1, 1, 1, 1, 1, 1, 0, 0 } },
        { "1,1,4,4x1,1,1,1", { 0, 0, 0, 0, 0, 0, 0, 0, 0 } },
        { "1,2,5,7x3,2,3,2", { 1, 1, 0, 0, 1, 1, 1, 0, 0 } },
        { "2,2,6,5x2,2,2,3", { 2, 2, 0, 0, 1, 1, 1, 0, 0 } },
        { "1,2,7,6x2,2,3,2", { 2, 1, 1, 2, 1, 2, 1, 0, 0 } },
        { "1,2,9,8x2,2,3,3", { 1, 2, 2, 1, 3, 2, 1, 0, 0 } },
        { "2,4,4,5x6,2,2,3", { 1, 1, 1, 0, 1, 1, 2, 0, 0 } },
        { "1,3,5,5x6,1,3,3", { 2, 2, 1, 1, 1, 1, 3, 0, 0 } },
        { "1,1,3,3x2,1,3,3", { 1, 1, 2, 2, 1, 1, 1, 0, 0 } },
        { "1,1,2,9x1,1,1,4", { 1, 3, 0, 1, 1, 2, 1, 0, 0 } },
        { "1,2,8,8x3,2,3,3", { 3, 3, 0, 0, 1, 1, 1, 0, 0 } },
        { "2,1,1,17x3,1,1,3", { 1, 1, 0, 1, 1, 1, 1, 0, 0 } },
        { "1,8,3,3x8,8,1,1", { 1, 1, 0, 0, 1, 1, 1, 0, 0 } },
        { "1,4,6,6x4,1,5,2", { 1, 2, 2, 0, 1, 1, 4, 0, 0 } } };
    static const struct { const char *shapes; int32_t d[9]; } back_of[] = {
        { "2,3,3,4x3,2,3,3", { 1, 1, 1, 1, 1, 1, 1, 0, 0 } },
        { "1,2,3,3x2,3,2,2", { 2, 2, 0, 0, 1, 1, 1, 0, 0 } },
        { "1,2,3,2x2,2,3,2", { 2, 3, 1, 0, 1, 1, 1, 1, 2 } },
        { "1,2,3,4x2,1,2,3", { 1, 2, 0, 1, 2, 1, 1, 0, 1 } },
        { "2,4,2,3x4,2,3,2", { 2, 1, 1, 1, 1, 2, 2, 1, 0 } },
        { "1,1,4,4x1,1,1,1", { 0, 0, 0, 0, 0, 0, 0, 0, 0 } },
        { "1,3,3,3x3,1,3,3", { 3, 2, 1, 2, 2, 1, 3, 0, 0 } } };
    static const struct { const char *shapes; int32_t d[9]; } line_of[] = {
        { "2,3,7x4,3,3", { 1, 0, 1, 0, 1, 0, 1, 0, 0 } },
        { "1,2,9x3,2,4", { 2, 9, 1, 9, 2, 9, 1, 0, 9 } },
        { "1,4,8x6,2,3", { 3, 0, 2, 0, 1, 0, 2, 0, 0 } },
        { "1,1,5x1,1,5", { 0, 0, 0, 0, 0, 0, 0, 0, 0 } },
        { "1,1,40x2,1,7", { 1, 0, 3, 0, 2, 0, 1, 0, 0 } } };
    static const struct { const char *shapes; int32_t d[9]; } line_back_of[] = {
        { "2,3,5x3,2,3", { 1, 0, 1, 0, 1, 0, 1, 0, 0 } },
        { "1,2,4x2,3,4", { 2, 9, 1, 9, 2, 9, 1, 1, 9 } },
        { "1,4,4x4,2,3", { 3, 0, 2, 0, 1, 0, 2, 2, 0 } } };
    /* size, stride, pad */
    static const struct { const char *shape; int32_t d[6]; } pool_of[] = {
        { "2,2,4,6", { 2, 2, 0, 0, 0, 0 } }, { "1,2,5,7", { 2, 3, 0, 0, 0, 0 } },
        { "1,2,5,5", { 3, 3, 1, 1, 0, 0 } }, { "1,1,5,6", { 3, 2, 2, 1, 1, 0 } },
        { "2,1,4,5", { 3, 3, 2, 2, 1, 1 } }, { "1,1,7,7", { 4, 5, 3, 2, 1, 2 } },
        { "1,3,3,3", { 3, 3, 0, 0, 0, 0 } }, { "1,1,1,1", { 1, 1, 0, 0, 0, 0 } },
        { "2,2,7", { 2, 0, 0, 0, 0, 0 } }, { "1,2,9", { 3, 0, 2, 0, 1, 0 } },
        { "1,1,8,20", { 2, 2, 2, 2, 0, 0 } }, { "1,2,6,6", { 1, 1, 2, 2, 0, 0 } } };
    size_t i;
    int k, axis;
    for (i = 0; i < COUNT(soft_shapes); i++)
        for (k = 0; k < 2; k++) {
            sample s = sample_of(k ? OP_softmax : OP_log_softmax, 1);
            shapes_from(&s, soft_shapes[i]);
            for (axis = -s.rank[0]; axis < s.rank[0]; axis++) {
                s.p.axis = axis;
                examine(&s);
            }
        }
    for (i = 0; i < COUNT(plane_of); i++) {
        convolution(OP_conv2d, plane_of[i].shapes, plane_of[i].d);
        if (i < 3) convolution(OP_conv2d, plane_of[i].shapes, NULL);
    }
    for (i = 0; i < COUNT(back_of); i++) {
        convolution(OP_conv2d_transpose, back_of[i].shapes, back_of[i].d);
        if (i < 2) convolution(OP_conv2d_transpose, back_of[i].shapes, NULL);
    }
    for (i = 0; i < COUNT(line_of); i++) {
        convolution(OP_conv1d, line_of[i].shapes, line_of[i].d);
        if (i < 2) convolution(OP_conv1d, line_of[i].shapes, NULL);
    }
    for (i = 0; i < COUNT(line_back_of); i++) {
        convolution(OP_conv1d_transpose, line_back_of[i].shapes, line_back_of[i].d);
        if (i < 2) convolution(OP_conv1d_transpose, line_back_of[i].shapes, NULL);
    }
    for (i = 0; i < COUNT(pool_of); i++)
        for (k = 0; k < 3; k++) {
            sample s = sample_of(k ? OP_avg_pool : OP_max_pool, 1);
            int j;
            shapes_from(&s, pool_of[i].shape);
            for (j = 0; j < 2; j++) {
                s.p.pool.size[j] = pool_of[i].d[j];
                s.p.pool.stride[j] = pool_of[i].d[2 + j];
                s.p.pool.pad[j] = pool_of[i].d[4 + j];
            }
            s.p.pool.count_padding = k == 2;
            if (k == 0) s.draw[0] = DRAW_DISTINCT;
            examine(&s);
        }
    for (k = 0; k < 4; k++) {                    /* many windows */
        sample s = sample_of(k < 2 ? OP_adaptive_avg_pool : OP_adaptive_max_pool, 1);
        shapes_from(&s, "2,1,120");
        s.p.dim[0] = k % 2 ? 40 : 50;
        if (k > 1) s.draw[0] = DRAW_DISTINCT;
        examine(&s);
    }
}

/* Whatever fits: convolutions, their transposes, windows, products, sums, slices, broadcasts. */
enum { RANDOM_SHAPES = 200 };

static int32_t draw_up_to(int32_t n) { return 1 + (int32_t)(draw() % (uint32_t)n); }

static void random_convolution(int one, int back)
{
    sample s = sample_of(back ? one ? OP_conv1d_transpose : OP_conv2d_transpose
        : one ? OP_conv1d : OP_conv2d, 2);
    const int32_t groups = draw() % 3 ? 1 : draw_up_to(3), c = groups * draw_up_to(3);
    const int32_t f = groups * draw_up_to(3);
    const int rank = one ? 3 : 4;
    int k;
    shape4(&s, 0, rank, draw_up_to(2), c, 0, 0);
    shape4(&s, 1, rank, back ? c : f, back ? f / groups : c / groups, 0, 0);
    s.p.conv.groups = groups;
    for (k = 0; k < rank - 2; k++) {
        const int32_t window = draw_up_to(4), dilation = draw_up_to(3), stride = draw_up_to(3);
        const int32_t pad = (int32_t)(draw() % 4), span = dilation * (window - 1) + 1;
        int32_t n = draw_up_to(9);
        if (k == 0 && !back && draw() % 3 == 0) {
            s.p.conv.same = draw() % 2 != 0;
            s.p.conv.pad_mode = (int32_t)(draw() % 4);
        }
        s.dim[1][2 + k] = window;
        s.p.conv.dilation[k] = dilation;
        s.p.conv.stride[k] = s.p.conv.same ? k : stride;
        s.p.conv.pad[k] = pad;
        if (back) {
            s.p.conv.extra[k] = (int32_t)(draw() % (uint32_t)stride);
            while ((n - 1) * stride - 2 * pad + span < 1) n++;
        } else {
            while (!s.p.conv.same && n + 2 * pad < span) n++;
        }
        s.dim[0][2 + k] = n;
    }
    examine(&s);
}

static void random_volume(void)
{
    sample s = sample_of(OP_conv3d, 2);
    const int32_t groups = draw() % 3 ? 1 : 2, c = draw_up_to(2), f = groups * draw_up_to(2);
    int32_t n[3], window[3];
    int k;
    s.p.k = draw() % 8 == 0;
    s.p.volume.groups = groups;
    s.p.volume.same = draw() % 3 == 0;
    s.p.volume.pad_mode = draw() % 2 ? (int32_t)(draw() % 4) : 0;
    for (k = 0; k < 3; k++) {
        const int32_t dilation = (int32_t)(draw() % 3), pad = s.p.k ? 0 : (int32_t)(draw() % 3);
        window[k] = draw_up_to(3);
        n[k] = draw_up_to(4);
        s.p.volume.dilation[k] = dilation;
        s.p.volume.stride[k] = s.p.volume.same ? k % 2 : (int32_t)(draw() % 4);
        s.p.volume.pad[k] = pad;
        while (n[k] + 2 * pad < (s.p.k || !dilation ? 1 : dilation) * (window[k] - 1) + 1) n[k]++;
    }
    s.p.step = n[0];
    shape4(&s, 0, 4, draw_up_to(2), (s.p.k ? 1 : groups) * c * n[0], n[1], n[2]);
    shape4(&s, 1, 4, f, c * window[0], window[1], window[2]);
    examine(&s);
}

/* Borders of every kind, windows and pixels that follow from a size. */
static void random_sizes(void)
{
    static const operation sized[] = { OP_adaptive_avg_pool, OP_adaptive_max_pool, OP_interpolate };
    sample s = sample_of(OP_pad_mode, 1);
    int k;
    shape4(&s, 0, (int)(draw() % 5), draw_up_to(3), draw_up_to(3), draw_up_to(4), draw_up_to(5));
    s.p.k = (int)(draw() % 4);
    for (k = 0; k < 4; k++) {
        s.p.dim[k] = (int32_t)(draw() % (draw() % 8 ? 2 : 7));
        s.p.after[k] = (int32_t)(draw() % 3);
    }
    examine(&s);
    s = sample_of(OP_attention, 3);
    k = 2 + (int)(draw() % 3);                   /* axes, batches before them broadcast */
    shape4(&s, 0, k, draw_up_to(2), draw_up_to(3), 0, 0);
    shape4(&s, 1, k, k > 2 ? s.dim[0][0] : 0, draw() % 2 ? s.dim[0][1] : 1, 0, 0);
    shape4(&s, 2, draw() % 2 ? k : 2, k > 2 ? 1 : 0, s.dim[0][1], 0, 0);
    s.dim[0][k - 2] = draw_up_to(4);
    s.dim[0][k - 1] = s.dim[1][k - 1] = draw_up_to(4);
    s.dim[1][k - 2] = s.dim[2][s.rank[2] - 2] = draw_up_to(5);
    s.dim[2][s.rank[2] - 1] = draw_up_to(4);
    s.p.flag_a = (int)(draw() % 2);
    s.p.number = draw() % 2 ? 0 : 0.75;
    examine(&s);
    s = sample_of(sized[draw() % 3], 1);
    shape4(&s, 0, 3 + (int)(draw() % 2), draw_up_to(2), draw_up_to(2), draw_up_to(7),
           draw_up_to(9));
    s.p.k = draw() % 3 ? AD_LINEAR : AD_NEAREST;
    s.p.flag_a = s.p.k == AD_LINEAR && draw() % 2;
    for (k = 0; k < 2; k++)
        s.p.dim[k] = draw() % 3 ? draw_up_to(8) : s.dim[0][2 + k] * (draw() % 2 ? 1 : 2);
    if (s.op == OP_adaptive_max_pool) s.draw[0] = DRAW_DISTINCT;
    examine(&s);
}

static void random_window(void)
{
    sample s = sample_of(draw() % 2 ? OP_avg_pool : OP_max_pool, 1);
    const int rank = 3 + (int)(draw() % 2);
    int k;
    shape4(&s, 0, rank, draw_up_to(2), draw_up_to(2), 0, 0);
    for (k = 0; k < rank - 2; k++) {
        s.p.pool.size[k] = draw_up_to(4);
        s.p.pool.stride[k] = (int32_t)(draw() % 4);
        s.p.pool.pad[k] = (int32_t)(draw() % (uint32_t)((s.p.pool.size[k] + 1) / 2));
        s.dim[0][2 + k] = s.p.pool.size[k] + (int32_t)(draw() % 6);
    }
    s.p.pool.count_padding = (int)(draw() % 2);
    s.draw[0] = DRAW_DISTINCT;
    examine(&s);
}

/* Extents of which some are 1; b is a with ones, and perhaps without its first axes. */
static void random_pair(sample *s, int32_t most)
{
    int k, cut;
    s->rank[0] = (int)(draw() % 5);
    for (k = 0; k < s->rank[0]; k++) s->dim[0][k] = draw() % 4 ? draw_up_to(most) : 1;
    cut = (int)(draw() % (uint32_t)(s->rank[0] + 1));
    s->rank[1] = s->rank[0] - cut;
    for (k = 0; k < s->rank[1]; k++) {
        s->dim[1][k] = s->dim[0][k + cut];
        if (draw() % 3 == 0) {
            if (draw() % 2) s->dim[1][k] = 1;
            else s->dim[0][k + cut] = 1;
        }
    }
}

static void test_random_shapes(void)
{
    int i, k;
    for (i = 0; i < RANDOM_SHAPES; i++) {
        sample s;
        random_convolution(i & 1, i >> 1 & 1);
        random_window();
        random_volume();
        random_sizes();
        s = sample_of(i % 3 ? OP_rule2 : OP_map, 2);
        random_pair(&s, i % 5 ? 4 : 7);
        s.p.k = 1;
        for (s.p.rule = 0; strcmp(scalar_rules[s.p.rule].name, i % 3 == 1 ? "mul" : "atan2") != 0;)
            s.p.rule++;
        range(&s, 1, 0.4, 2);
        if (size_of(s.rank[0], s.dim[0]) < 600) examine(&s);
        s = sample_of((operation)(OP_sum + i % 9), 1);
        random_pair(&s, 4);
        s.p.axes = draw() % (1u << s.rank[0]) | AD_NO_AXES;
        s.p.keepdims = (int)(draw() % 2);
        if (s.op == OP_amax || s.op == OP_amin || s.op == OP_std) s.draw[0] = DRAW_DISTINCT;
        if (s.op == OP_norm || s.op == OP_prod) range(&s, 0, 0.5, 1.5);
        if (s.op == OP_std) s.op = OP_var;
        examine(&s);
        s = sample_of(OP_matmul_t, 2);           /* [batch, m, inner] and [batch, inner, n] */
        {
            const int32_t m = draw_up_to(9), n = draw_up_to(9), inner = draw_up_to(9);
            const int batches = (int)(draw() % 3);
            s.p.flag_a = (int)(draw() % 2);
            s.p.flag_b = (int)(draw() % 2);
            s.rank[0] = batches + 2;
            s.rank[1] = (draw() % 2 ? batches : 0) + 2;
            for (k = 0; k < batches; k++) {
                s.dim[0][k] = draw_up_to(3);
                if (s.rank[1] > 2) s.dim[1][k] = draw() % 2 ? s.dim[0][k] : 1;
            }
            s.dim[0][batches + s.p.flag_a] = m;
            s.dim[0][batches + 1 - s.p.flag_a] = inner;
            s.dim[1][s.rank[1] - 2 + s.p.flag_b] = inner;
            s.dim[1][s.rank[1] - 1 - s.p.flag_b] = n;
            examine(&s);
        }
        s = sample_of(OP_slice, 1);
        random_pair(&s, 6);
        if (s.rank[0]) {
            s.p.axis = (int)(draw() % (uint32_t)s.rank[0]);
            s.p.start = draw() % 4 ? (int32_t)(draw() % 17) - 8 : AD_END;
            s.p.stop = draw() % 4 ? (int32_t)(draw() % 17) - 8 : AD_END;
            s.p.step = (int32_t)(draw() % 7) - 3;
            if (s.p.step == 0) s.p.step = 4;
            examine(&s);
        }
    }
}

static void test_norms(void)
{
    static const char *const layer[] = { "5", "3,4", "2,3,4", "2,2,2,3", "2,37", "3,2", "3,16" };
    static const char *const images[] = { "3,4", "2,4,3", "2,2,3,2", "3,6,1,2", "1,2,3,3",
        "4,2,1,1", "2,2,17" };
    size_t i;
    int given, k;
    for (i = 0; i < COUNT(layer); i++)
        for (given = 0; given < 3; given++) {
            sample s = sample_of(OP_layer_norm, 1 + given);
            shapes_from(&s, layer[i]);
            s.draw[0] = DRAW_DISTINCT;
            range(&s, 0, -3, 5);
            for (k = 1; k < 3; k++) shape4(&s, k, 1, s.dim[0][s.rank[0] - 1], 0, 0, 0);
            s.p.number = i % 2 ? 0 : 0.125;
            examine(&s);
            if (given == 2) continue;
            s.op = OP_rms_norm;
            examine(&s);
        }
    for (i = 0; i < COUNT(images); i++)
        for (given = 0; given < 3; given++) {
            sample s = sample_of(OP_batch_norm, 1 + given);
            shapes_from(&s, images[i]);
            s.draw[0] = DRAW_DISTINCT;
            range(&s, 0, -3, 5);
            for (k = 1; k < 3; k++) shape4(&s, k, 1, s.dim[0][1], 0, 0, 0);
            s.p.number = i % 2 ? 0 : 0.125;
            if (i != 4 || given != 2) examine(&s);
            s.op = OP_batch_norm_with;
            for (k = 0; k < 8; k++) {
                s.p.fixed[0][k] = weight((size_t)k, 3);
                s.p.fixed[1][k] = 1.25 + weight((size_t)k, 4);
            }
            examine(&s);
            s.op = OP_group_norm;
            for (k = 1; k <= s.dim[0][1]; k++) {
                if (s.dim[0][1] % k) continue;
                s.p.k = k;
                if ((size_t)(s.dim[0][1] / k) * size_of(s.rank[0] - 2, s.dim[0] + 2) > 1)
                    examine(&s);
            }
        }
    for (i = 0; i < 3; i++) {
        sample s = sample_of(OP_dropout, 1);
        shapes_from(&s, layer[i + 2]);
        s.p.number = 0.25 * (double)i;
        examine(&s);
    }
}

/* Order, and elements by indices that are numbers: distinct ones, so that differences of the
   reference are its derivatives. */
static void test_order(void)
{
    static const char *const shapes[] = { "7", "3,4", "2,3,4", "2,3,2,3", "1,5", "40", "19,2",
        "1" };
    /* a, index, b; the axis */
    static const struct { const char *shapes; int axis; } along[] = { { "5x3x3", 0 },
        { "3,4x2,4x2,4", 0 }, { "3,4x3,7x3,7", -1 }, { "3,4x1,5x3,1", 1 }, { "2,3,4x2,6,1x6,4", 1 },
        { "2,3,2,3x2,3,2,4x4", 3 }, { "2,3,4x1,3,1x2,3,4", -3 }, { "3,2x9,2x1,2", 0 },
        { "1x4x4", 0 }, { "4,3x0,3x0,3", 0 }, { "2,1,3x2,5,3x", 1 }, { "17,2x33,2x33,2", 0 } };
    size_t i;
    int op, down, axis;
    for (op = OP_argsort; op <= OP_topk; op++)
        for (i = 0; i < COUNT(shapes); i++)
            for (down = 0; down < 2; down++) {
                sample s = sample_of((operation)op, 1);
                shapes_from(&s, shapes[i]);
                for (axis = -s.rank[0]; axis < s.rank[0]; axis++) {
                    s.p.axis = axis;
                    s.p.flag_a = down;
                    s.p.k = (int)(i + 2 + (size_t)down) % (s.dim[0][from_start(axis, s.rank[0])]
                        + 1);
                    s.draw[0] = DRAW_DISTINCT;
                    range(&s, 0, -3, 3);
                    if (i < 6 || axis < 0) examine(&s);
                }
            }
    for (op = OP_take_along; op <= OP_scatter_add_along; op++)
        for (i = 0; i < COUNT(along); i++) {
            sample s = sample_of((operation)op, op == OP_take_along ? 2 : 3);
            shapes_from(&s, along[i].shapes);
            s.p.axis = along[i].axis;
            s.draw[1] = DRAW_WHOLE;
            s.fixed = 2;
            range(&s, 1, -0.4, s.dim[0][from_start(along[i].axis, s.rank[0])] - 0.6);
            examine(&s);
        }
}

/* Places along an axis are numbers: a float has 2^24 of them. What is refused is not read. */
static void test_longest_axis(void)
{
    const int32_t n = (1 << 24) + 1;
    float *const x = (float *)calloc((size_t)n, sizeof *x);
    adf_tape *const t = adf_tape_create(NULL);
    int way;
    for (way = 0; x && way < 4; way++) {
        const adf_array a = adf_array_const_borrow(t, 1, &n, x);
        const adf_array y = way == 0 ? adf_array_argsort(a, 0, 0)
            : way == 1 ? adf_array_sort(a, 0, 0)
            : way == 2 ? adf_array_cummax(a, 0) : adf_array_topk(a, 0, 3, 1, NULL);
        CHECK(y.rank < 0);
        CHECK_STATUS(adf_tape_status(t), AD_ERR_SHAPE);
        adf_tape_reset(t);
    }
    adf_tape_destroy(t);
    free(x);
}

/* A tangent sweep over a padded pool, on tapes whose memory ends anywhere. */
static void test_starved_pool(void)
{
    const int32_t dim[3] = { 2, 1, 4 };
    static const double x[8] = { 1, 5, 2, 7, 3, 8, 4, 6 }, x_dot[8] = { 1, 1, 1, 1, 1, 1, 1, 1 };
    const double *const dot = x_dot;
    size_t k, ended = 0, fine = 0;
    for (k = 0; k <= 1000; k++) {
        const size_t bytes = k < 1000 ? 4000 + 8 * k : 1 << 20;
        ad_tape_desc desc;
        ad_pool_desc pool;
        ad_tape *t;
        memset(&desc, 0, sizeof desc);
        memset(&pool, 0, sizeof pool);
        pool.size[0] = 2;
        pool.pad[0] = 1;
        desc.buffer = malloc(bytes);
        desc.buffer_bytes = bytes;
        t = desc.buffer ? ad_tape_create(&desc) : NULL;
        if (t) {
            const ad_array a = ad_array_input(t, 3, dim, x), y = ad_array_max_pool(a, &pool);
            if (ad_tape_status(t) == AD_OK) {
                const ad_status s = ad_array_forward(t, 1, &a, &dot);
                CHECK(y.rank == 3 && (s == AD_OK || s == AD_ERR_LIMIT));
                ended += s != AD_OK;
                fine += s == AD_OK;
            }
        }
        ad_tape_destroy(t);
        free(desc.buffer);
    }
    CHECK(ended > 0 && fine > 0);
}

/* Systems large enough for the blocked elimination, on tapes whose memory ends anywhere and holds
   what would be bad pivots. */
static void test_starved_solve(void)
{
    enum { N = 40 };
    const int32_t dim[2] = { N, N };
    static double x[N * N];
    size_t bytes, ended = 0, fine = 0, i;
    int way;
    for (i = 0; i < N * N; i++) x[i] = i % (N + 1) ? sin((double)i) : (double)N;
    for (way = 0; way < 3; way++)
        for (bytes = 13000; bytes < 200000; bytes += 500) {
            ad_tape_desc desc;
            ad_tape *t;
            memset(&desc, 0, sizeof desc);
            desc.buffer = malloc(bytes);
            desc.buffer_bytes = bytes;
            if (desc.buffer) memset(desc.buffer, 0x7f, bytes);
            t = desc.buffer ? ad_tape_create(&desc) : NULL;
            if (t) {
                const ad_array a = ad_array_input(t, 2, dim, x);
                ad_array sign, y;
                if (way == 0) ad_array_slogdet(a, &sign, &y);
                else y = way == 1 ? ad_array_solve(a, a) : ad_array_inverse(a);
                CHECK(ad_tape_status(t) == AD_OK ? ad_array_values(y) != NULL
                                                 : ad_tape_status(t) == AD_ERR_LIMIT);
                ended += ad_tape_status(t) != AD_OK;
                fine += ad_tape_status(t) == AD_OK;
            }
            ad_tape_destroy(t);
            free(desc.buffer);
        }
    CHECK(ended > 0 && fine > 0);
}

static void test_losses(void)
{
    static const char *const shapes[] = { "4", "3,4", "2,2,3", "2,2,2,3", "3,17", "5,1" };
    size_t i, e;
    int op, how;
    for (op = OP_squared_error; op <= OP_poisson_nll; op++)
        for (i = 0; i < COUNT(shapes); i++)
            for (how = AD_MEAN; how <= AD_NONE; how++) {
                const int operands = op == OP_cross_entropy ? 1 : op == OP_gaussian_nll ? 3 : 2;
                sample s = sample_of((operation)op, operands);
                int k;
                shapes_from(&s, shapes[i]);
                for (k = 1; k < operands; k++) shape_of(&s, k, s.rank[0], s.dim[0]);
                s.p.how = (ad_reduction)how;
                s.p.number = 0.75;                       /* Huber's delta */
                for (e = 0; e < 24; e++)
                    s.p.index[e] = (uint32_t)((e * 5 + i) % (size_t)s.dim[0][s.rank[0] - 1]);
                if (op == OP_huber) s.draw[0] = s.draw[1] = DRAW_DISTINCT;
                if (op == OP_poisson_nll) range(&s, 1, 0.2, 3);
                if (op == OP_cross_entropy_with || op == OP_binary_cross_entropy)
                    range(&s, 1, 0.1, 0.9);
                examine(&s);
            }
}

/* Weights, what is left out, similarities, readings. */
static void test_more_losses(void)
{
    static const char *const shapes[] = { "4", "3,4", "2,2,3", "2,2,2,3", "3,17", "5,1" };
    static const char *const pairs_of[] = { "3,4x3,4", "3,4x1,4", "1,2,3x2,2,3", "5x5",
        "2,3,2,2x2,1,2,2", "2,19x2,19" };
    /* times, rows, classes; most; labels, lengths, ends; the blank */
    static const struct { const char *shape; size_t most; const char *labels; int blank; } said[]
        = { { "3,2,3", 2, "12102133", 0 }, { "4,1,3", 3, "11024", 2 }, { "4,2,3", 2, "10112044",
        2 }, { "1,2,4", 1, "321011", 0 }, { "4,3,3", 2, "121121210423", 0 }, { "5,1,2", 2, "1125",
        0 }, { "2,1,3", 0, "02", 1 } };
    size_t i, e;
    int how, k;
    for (i = 0; i < COUNT(shapes); i++)
        for (how = AD_MEAN; how <= AD_NONE; how++)
            for (k = 0; k < 6; k++) {
                sample s = sample_of(OP_cross_entropy_weighted, 1);
                shapes_from(&s, shapes[i]);
                s.p.how = (ad_reduction)how;
                s.p.flag_a = k & 3;
                s.p.number = k == 4 ? 1 : k == 1 || k == 5 ? 0 : 0.125 * (k + 1);
                for (e = 0; e < 24; e++)
                    s.p.index[e] = (uint32_t)((e * 5 + i) % (size_t)s.dim[0][s.rank[0] - 1]);
                s.p.k = k == 2 || size_of(s.rank[0] - 1, s.dim[0]) == 1 || s.p.index[0]
                    == s.p.index[1] ? 99 : (int)s.p.index[0];
                if (s.p.k == 99 && s.p.flag_a & 2 && size_of(s.rank[0] - 1, s.dim[0]) > 2)
                    s.p.index[1] = 99;
                examine(&s);
                if (k) continue;
                s = sample_of(OP_binary_cross_entropy_weighted, 3);
                shapes_from(&s, shapes[i]);
                shape_of(&s, 1, s.rank[0], s.dim[0]);
                shape_of(&s, 2, 1, &s.dim[0][s.rank[0] - 1]);
                s.p.how = (ad_reduction)how;
                range(&s, 1, 0.1, 0.9);
                range(&s, 2, 0.5, 3);
                examine(&s);
            }
    for (i = 0; i < COUNT(pairs_of); i++)
        for (k = -4; k < 4; k++) {
            sample s = sample_of(OP_cosine_similarity, 2);
            shapes_from(&s, pairs_of[i]);
            s.p.axis = k;
            range(&s, 0, 0.2, 2);
            range(&s, 1, k % 2 ? 0.4 : -2, k % 2 ? 2 : -0.4);    /* no norm near 0 */
            if (k >= -s.rank[0] && k < s.rank[0]) examine(&s);
            if (k < 0 || k > AD_NONE) continue;
            s = sample_of(OP_cosine_embedding, 3);
            shapes_from(&s, pairs_of[i]);
            for (e = 0; (int)e < s.rank[0] - 1; e++)
                s.dim[2][e] = s.dim[0][e] == 1 ? s.dim[1][e] : s.dim[0][e];
            s.rank[2] = s.rank[0] - 1;
            s.fixed = 4;
            range(&s, 2, -3, 3);
            s.p.how = (ad_reduction)k;
            s.p.number = i % 2 ? -0.25 : 0;
            s.flags = NO_SECOND;
            examine(&s);
        }
    for (i = 0; i < COUNT(said); i++)
        for (how = AD_MEAN; how <= AD_NONE; how++)
            for (k = 0; k < 2; k++) {
                sample s = sample_of(OP_ctc, 1);
                const char *digit = said[i].labels;
                shapes_from(&s, said[i].shape);
                s.p.how = (ad_reduction)how;
                s.p.n = said[i].most;
                s.p.k = said[i].blank;
                for (e = 0; e < said[i].most * (size_t)s.dim[0][1]; e++)
                    s.p.index[e] = (uint32_t)(*digit++ - '0');
                for (e = 0; (int)e < s.dim[0][1]; e++)
                    s.p.index[12 + e] = (uint32_t)(*digit++ - '0');
                for (e = 0; (int)e < s.dim[0][1]; e++)
                    s.p.index[16 + e] = (uint32_t)(*digit++ - '0');
                s.p.flag_a = k;
                range(&s, 0, -3, 0.5);
                examine(&s);
            }
}

/* Arrays of nothing, through what was made for something. */
static void test_empty(void)
{
    static const struct { operation op; const char *shapes; int axis; } of[] = {
        { OP_conv2d, "0,2,5,5x3,2,3,3", 0 }, { OP_conv1d, "0,2,5x3,2,3", 0 },
        { OP_conv2d_transpose, "0,2,5,5x2,3,3,3", 0 }, { OP_conv1d_transpose, "0,2,5x2,3,3", 0 },
        { OP_max_pool, "0,2,4,4", 0 }, { OP_avg_pool, "0,2,4,4", 0 },
        { OP_softmax, "0,4", 1 }, { OP_softmax, "4,0", 0 },
        { OP_log_softmax, "0,4", 1 }, { OP_log_softmax, "0,4", 0 }, { OP_layer_norm, "0,4x4", 0 },
        { OP_rms_norm, "0,4", 0 }, { OP_cholesky, "0,0", 0 }, { OP_cholesky, "0,3,3", 0 },
        { OP_solve, "0,0x0,2", 0 }, { OP_solve, "3,3x3,0", 0 }, { OP_inverse, "0,0", 0 },
        { OP_logdet, "0,0", 0 }, { OP_trace, "0,0", 0 }, { OP_diagonal, "0,3", 0 },
        { OP_tril, "0,3", 0 }, { OP_triangular_solve, "0,0x0,3", 0 }, { OP_cumsum, "0,3", 0 },
        { OP_cumsum, "0,3", 1 }, { OP_transpose, "0,3", 0 }, { OP_matmul, "2,0x0,3", 0 },
        { OP_matmul, "0x0", 0 }, { OP_matmul, "0,2,3x3,4", 0 }, { OP_outer, "0x3", 0 },
        { OP_dot, "0x0", 0 }, { OP_embedding, "4,0", 0 }, { OP_flip, "0,3", 0 },
        { OP_concatenate, "0,3x0,3", 0 }, { OP_stack, "0,3x0,3", 1 }, { OP_map, "0,3", 0 },
        { OP_dropout, "0,3", 0 }, { OP_squared_error, "0,3x0,3", 0 },
        { OP_cross_entropy_with, "0,3x0,3", 0 }, { OP_kl, "0,3x0,3", 0 } };
    size_t i;
    int how;
    for (i = 0; i < COUNT(of); i++)
        for (how = AD_SUM; how <= AD_NONE; how++) {
            sample s = sample_of(of[i].op, 1 + (strchr(of[i].shapes, 'x') != NULL));
            shapes_from(&s, of[i].shapes);
            s.draw[0] = of[i].op == OP_solve ? DRAW_DOMINANT : DRAW_PLAIN;
            s.p.axis = of[i].axis;
            s.p.axes = AD_AXIS(0) | AD_AXIS(1);
            s.p.n = 2;
            s.p.rank = 1;
            s.p.dim[0] = 2;
            s.p.number = 0.25;
            s.p.how = (ad_reduction)how;
            s.p.pool.size[0] = s.p.pool.size[1] = 2;
            examine(&s);
        }
}

/* Sizes where other code runs: several registers, blocks, tiles, pieces, and rests of them. */
static void large(operation op, const char *shapes, draw_kind kind, const param *p)
{
    sample s = sample_of(op, 1);
    int k;
    const char *c;
    for (c = shapes; *c; c++) s.operands += *c == 'x';
    shapes_from(&s, shapes);
    for (k = 0; k < OPERANDS; k++) {
        s.draw[k] = k == 0 ? kind : DRAW_PLAIN;
        range(&s, k, -1, 1.5);
    }
    if (op == OP_prod) range(&s, 0, 0.97, 1.03);
    if (op == OP_norm) range(&s, 0, 0.4, 2);
    s.p = *p;
    examine(&s);
}

static void test_large(void)
{
    static const char *const reduced_[] = { "130,70", "3,1100", "1100,3", "20,3,50", "9,40,17",
        "2,2,2,700" };
    static const struct { const char *shapes; int32_t d[7]; } plane_of[] = {
        { "2,13,9,10x14,13,3,3", { 1, 1, 1, 1, 1, 1, 1 } },
        { "1,12,8,16x12,12,3,3", { 1, 1, 0, 0, 1, 1, 1 } },
        { "1,16,12,12x17,16,3,3", { 1, 1, 2, 2, 1, 1, 1 } },
        { "2,24,8,8x26,12,3,3", { 1, 1, 1, 1, 1, 1, 2 } },
        { "1,32,16,8x16,32,3,3", { 1, 1, 1, 1, 1, 1, 1 } },
        { "1,3,20,70x5,3,3,5", { 2, 1, 1, 2, 1, 1, 1 } },
        { "1,40,9,9x24,40,1,1", { 1, 1, 0, 0, 1, 1, 1 } },
        { "2,6,17,19x8,6,3,3", { 2, 2, 1, 1, 2, 3, 1 } },
        { "3,16,6,7x16,1,3,3", { 1, 1, 1, 1, 1, 1, 16 } },
        { "1,2,40,40x3,2,7,7", { 3, 3, 3, 3, 1, 1, 1 } } };
    static const char *const back_of[] = { "2,12,8,9x12,14,3,3", "1,7,13,11x7,9,4,4",
        "1,16,8,8x16,12,3,3" };
    param p, zero;
    size_t i;
    int op, axis, k;
    memset(&zero, 0, sizeof zero);
    for (i = 0; i < COUNT(reduced_); i++)
        for (op = OP_sum; op <= OP_std; op++) {
            int rank = 1;
            const char *c;
            for (c = reduced_[i]; *c; c++) rank += *c == ',';
            for (axis = 0; axis <= rank; axis++) {
                p = zero;
                p.axes = axis < rank ? AD_AXIS(axis) : AD_ALL_AXES;
                if (axis > 1 && (op + (int)i) % 3) continue;
                if (op == OP_amax || op == OP_amin || (op == OP_prod && axis == rank)
                    || (op == OP_std && i != 0)) continue;
                large((operation)op, reduced_[i], DRAW_PLAIN, &p);
            }
        }
    for (i = 0; i < COUNT(plane_of); i++) {
        p = zero;
        for (k = 0; k < 2; k++) {
            p.conv.stride[k] = plane_of[i].d[k];
            p.conv.pad[k] = plane_of[i].d[2 + k];
            p.conv.dilation[k] = plane_of[i].d[4 + k];
        }
        p.conv.groups = plane_of[i].d[6];
        large(OP_conv2d, plane_of[i].shapes, DRAW_PLAIN, &p);
    }
    p = zero;
    for (i = 0; i < COUNT(back_of); i++) {
        large(OP_conv2d_transpose, back_of[i], DRAW_PLAIN, &p);
        p.conv.pad[0] = p.conv.pad[1] = 1;
        p.conv.stride[0] = 2 - (int32_t)i % 2;
    }
    p = zero;
    p.conv.pad[0] = 2;
    large(OP_conv1d, "2,8,300x6,8,5", DRAW_PLAIN, &p);
    p.conv.stride[0] = 2;
    large(OP_conv1d_transpose, "2,8,150x8,6,5", DRAW_PLAIN, &p);
    large(OP_matmul, "70,130x130,40", DRAW_PLAIN, &zero);
    large(OP_matmul, "2,33,65x65,40", DRAW_PLAIN, &zero);
    large(OP_matmul, "16,5,6x16,6,7", DRAW_PLAIN, &zero);
    large(OP_matmul, "100,130x130", DRAW_PLAIN, &zero);
    large(OP_matmul, "130x130,100", DRAW_PLAIN, &zero);
    p = zero;
    p.flag_a = 1;
    large(OP_matmul_t, "130,37x130,65", DRAW_PLAIN, &p);
    p.flag_b = 1;
    large(OP_matmul_t, "3,70,37x41,70", DRAW_PLAIN, &p);
    p.flag_a = 0;
    large(OP_matmul_t, "64,64x64,64", DRAW_PLAIN, &p);
    large(OP_dot, "5000x5000", DRAW_PLAIN, &zero);
    large(OP_outer, "70x130", DRAW_PLAIN, &zero);
    large(OP_cholesky, "75,75", DRAW_SYMMETRIC, &zero);
    large(OP_cholesky, "3,34,34", DRAW_SYMMETRIC, &zero);
    large(OP_solve, "70,70x70,33", DRAW_PIVOTS, &zero);
    large(OP_inverse, "66,66", DRAW_PIVOTS, &zero);
    large(OP_logdet, "2,65,65", DRAW_DOMINANT, &zero);
    large(OP_cholesky, "101,101", DRAW_SYMMETRIC, &zero);
    large(OP_solve, "101,101x101,1", DRAW_PIVOTS, &zero);
    large(OP_solve, "33,33x3,33,2", DRAW_PIVOTS, &zero);
    large(OP_inverse, "2,40,40", DRAW_PIVOTS, &zero);
    large(OP_logdet, "97,97", DRAW_PIVOTS, &zero);
    for (k = 0; k < 4; k++) {
        p = zero;
        p.triangle = k & 1 ? AD_UPPER : AD_LOWER;
        p.flag_a = k >> 1;
        large(OP_triangular_solve, "70,70x70,40", DRAW_DOMINANT, &p);
    }
    for (k = 0; k < 3; k++) {
        p = zero;
        p.axis = k - 1;
        p.axes = AD_AXIS(k - 1);
        large(OP_softmax, k == 1 ? "600,8" : "8,600", DRAW_PLAIN, &p);
        large(OP_log_softmax, k == 1 ? "600,8" : "8,600", DRAW_PLAIN, &p);
        large(OP_cumsum, "40,60", DRAW_PLAIN, &p);
        large(OP_flip, "40,60", DRAW_PLAIN, &p);
        p.start = AD_END;
        p.stop = AD_END;
        p.step = k - 3;
        large(OP_slice, "40,60", DRAW_PLAIN, &p);
        p.n = 20;
        for (i = 0; i < 20; i++) p.index[i] = (uint32_t)(i * 7 % 12);
        large(OP_gather, "40,60", DRAW_PLAIN, &p);
        large(OP_scatter_add, k == 1 ? "40,60x20,60" : "40,60x40,20", DRAW_PLAIN, &p);
        p.n = 2;
        large(OP_concatenate, "40,60x40,60", DRAW_PLAIN, &p);
        large(OP_stack, "40,60x40,60", DRAW_PLAIN, &p);
        p = zero;
        p.pool.size[0] = 2 + k;
        p.pool.size[1] = 2;
        p.pool.stride[0] = p.pool.stride[1] = k == 1 ? 1 : 2;
        p.pool.pad[0] = k / 2;
        large(OP_avg_pool, "2,3,20,21", DRAW_PLAIN, &p);
        p = zero;
        p.how = (ad_reduction)k;
        for (i = 0; i < 24; i++) p.index[i] = (uint32_t)(i * 7 % 12);
        large(OP_cross_entropy, "20,150", DRAW_PLAIN, &p);
        large(OP_cross_entropy_with, "40,60x40,60", DRAW_PLAIN, &p);
        large(OP_binary_cross_entropy, "40,60x40,60", DRAW_PLAIN, &p);
        large(OP_squared_error, "40,60x40,60", DRAW_PLAIN, &p);
        large(OP_kl, "40,60x40,60", DRAW_PLAIN, &p);
        p = zero;
        p.number = 0.125;
        p.k = 1 + k;
        large(OP_layer_norm, k == 0 ? "6,700" : k == 1 ? "6,700x700" : "6,700x700x700",
            DRAW_PLAIN, &p);
        large(OP_rms_norm, k == 0 ? "6,700" : "6,700x700", DRAW_PLAIN, &p);
        large(OP_batch_norm, k == 0 ? "4,6,12,13" : "4,6,12,13x6x6", DRAW_PLAIN, &p);
        large(OP_batch_norm, "70,33x33x33", DRAW_PLAIN, &p);
        large(OP_group_norm, k == 0 ? "4,6,12,13" : "4,6,12,13x6x6", DRAW_PLAIN, &p);
    }
    p = zero;
    p.order[0] = 2;
    p.order[1] = 0;
    p.order[2] = 1;
    large(OP_permute, "10,20,30", DRAW_PLAIN, &p);
    p.order[0] = 1;
    p.order[1] = 0;
    p.order[2] = 2;
    large(OP_permute, "10,20,30", DRAW_PLAIN, &p);
    large(OP_transpose, "130,90", DRAW_PLAIN, &zero);
    for (p = zero; p.rule < RULES; p.rule++) {
        const char *const name = scalar_rules[p.rule].name;
        if (!row_listed(" add mul sub fma tanh gelu silu atan softplus ", name)) continue;
        if (scalar_rules[p.rule].operands == 1) large(OP_rule1, "37,130", DRAW_PLAIN, &p);
        if (scalar_rules[p.rule].operands == 3) large(OP_rule3, "37,130x130x37,1", DRAW_PLAIN, &p);
        if (scalar_rules[p.rule].operands != 2) continue;
        large(OP_rule2, "37,130x130", DRAW_PLAIN, &p);
        large(OP_rule2, "37,130x37,1", DRAW_PLAIN, &p);
        large(OP_rule2, "5,1,70x8,1", DRAW_PLAIN, &p);
        large(OP_rule2, "1300,3x3", DRAW_PLAIN, &p);
        large(OP_rule2, "1300,3x1300,1", DRAW_PLAIN, &p);
        large(OP_rule2, "x4000", DRAW_PLAIN, &p);
        large(OP_rule2, "4100x1", DRAW_PLAIN, &p);
    }
    for (k = 0; k < 3; k++) {
        p = zero;
        p.k = k;
        large(OP_map, k == 0 ? "37,60" : k == 1 ? "37,60x60" : "37,60x37,1x60", DRAW_PLAIN, &p);
    }
}

/* Transposed convolutions for every small window, stride, dilation, padding and number of extra
   places: right, adjoints too, where the shape is accepted; a refusal is AD_ERR_SHAPE, and only
   where the extra places are as many as the stride, or nothing is left. Borrowed numbers fill
   their block to the last. */
static void transpose_of(ad_tape *t, int rank, const int32_t *n, const int32_t *window,
    const ad_conv_desc *d)
{
    const size_t mark = arena_used;
    int32_t dim_x[4], dim_w[4];
    int k, fits = 1, plain = 1;
    plane g;
    double sum = 0, by_x = 0, by_w = 0;
    size_t e, nx, nw, bad = 0;
    double *x, *w;
    ad_array a, b, y;
    nd u[2], want;
    param p;
    memset(&p, 0, sizeof p);
    p.conv = *d;
    g = plane_of(&p, rank == 3);
    dim_x[0] = 1;
    dim_x[1] = dim_w[0] = 2;
    dim_w[1] = 1;
    for (k = 0; k < rank - 2; k++) {
        dim_x[2 + k] = n[k];
        dim_w[2 + k] = window[k];
    }
    for (k = 0; k < 2; k++) {
        const int at = k - (4 - rank);
        const int32_t length = at < 0 ? 1 : n[at], span = at < 0 ? 1
            : g.dilation[k] * (window[at] - 1) + 1;
        if ((length - 1) * g.stride[k] - 2 * g.pad[k] + span + g.extra[k] < 1) fits = 0;
        if (g.extra[k] >= g.stride[k]) plain = 0;
    }
    nx = size_of(rank, dim_x);
    nw = size_of(rank, dim_w);
    x = (double *)malloc(nx * sizeof *x);
    w = (double *)malloc(nw * sizeof *w);
    for (e = 0; e < nx; e++) x[e] = 1 + 0.25 * (double)(e * 7 % 11);
    for (e = 0; e < nw; e++) w[e] = 0.5 + 0.125 * (double)(e * 5 % 13);
    ad_tape_reset(t);
    a = ad_array_borrow(t, rank, dim_x, x);
    b = ad_array_borrow(t, rank, dim_w, w);
    y = rank == 3 ? ad_array_conv1d_transpose(a, b, d) : ad_array_conv2d_transpose(a, b, d);
    if (ad_tape_status(t) != AD_OK || !fits) {
        test_check(ad_tape_status(t) == AD_ERR_SHAPE && !(fits && plain), __FILE__, __LINE__,
            "rank %d, stride %d, dilation %d, pad %d, extra %d: %s", rank, (int)d->stride[0],
            (int)d->dilation[0], (int)d->pad[0], (int)d->extra[0], ad_tape_message(t));
    } else {
        for (k = 0; k < 2; k++) {
            u[k] = nd_make(rank, k ? dim_w : dim_x);
            memcpy(u[k].v, k ? w : x, (k ? nw : nx) * sizeof *x);
        }
        want = rank == 3 ? ref_conv1d_transpose(u, &p) : ref_conv2d_transpose(u, &p);
        for (k = 0; k < rank; k++) bad += y.dim[k] != want.dim[k];
        for (e = 0; e < want.n && !bad; e++) {
            bad += !test_near(ad_array_values(y)[e], want.v[e], 1e-13);
            sum += want.v[e];
        }
        if (ad_array_backward(y, NULL) == AD_OK) {       /* it is linear in x, and in w */
            for (e = 0; e < nx; e++) by_x += x[e] * ad_array_adjoints(a)[e];
            for (e = 0; e < nw; e++) by_w += w[e] * ad_array_adjoints(b)[e];
        }
        bad += !test_near(by_x, sum, 1e-12) || !test_near(by_w, sum, 1e-12);
        test_check(!bad && ad_tape_status(t) == AD_OK, __FILE__, __LINE__, "rank %d, window %d, "
            "length %d, stride %d, dilation %d, pad %d, extra %d: %lu wrong, sum %g by x %g by w "
            "%g: %s", rank, (int)window[0], (int)n[0], (int)d->stride[0], (int)d->dilation[0],
            (int)d->pad[0], (int)d->extra[0], (unsigned long)bad, sum, by_x, by_w,
            ad_tape_message(t));
    }
    ad_tape_reset(t);
    free(x);
    free(w);
    arena_used = mark;
}
/* Padding that no extent holds: a status and a message without a negative extent. */
static void test_wide_pads(void)
{
    static const int32_t pads[] = { INT32_MAX, INT32_MAX - 1, 1 << 30 }, dim[4] = { 1, 2, 4, 4 };
    static const int32_t kernel[4] = { 2, 2, 3, 3 }, line[3] = { 1, 2, 4 };
    static const int32_t short_one[3] = { 2, 2, 3 };
    ad_tape *const t = ad_tape_create(NULL);
    size_t i;
    int way;
    for (i = 0; i < sizeof pads / sizeof *pads; i++)
        for (way = 0; way < 3; way++) {
            ad_array x, w, y;
            ad_conv_desc d;
            ad_conv3d_desc three;
            ad_status s;
            ad_tape_reset(t);
            memset(&d, 0, sizeof d);
            memset(&three, 0, sizeof three);
            d.pad[0] = three.pad[0] = pads[i];
            x = way == 1 ? ad_array_full(t, 3, line, 1) : ad_array_full(t, 4, dim, 1);
            w = way == 1 ? ad_array_full(t, 3, short_one, 1) : ad_array_full(t, 4, kernel, 1);
            y = way == 1 ? ad_array_conv1d(x, w, &d) : way == 0 ? ad_array_conv2d(x, w, &d)
              : ad_array_conv3d(x, w, 2, &three);
            s = ad_tape_status(t);
            test_check(y.rank < 0 && (s == AD_ERR_SHAPE || s == AD_ERR_LIMIT)
                && strstr(ad_tape_message(t), "-") == NULL, __FILE__, __LINE__, "way %d, pad %d: "
                "%s: %s", way, (int)pads[i], ad_status_name(s), ad_tape_message(t));
        }
    ad_tape_destroy(t);
}
/* What is added to a variance must be a number that can be. */
static void test_eps(void)
{
    static const double eps[] = { -1, -1e-30, HUGE_VAL, (double)NAN, 0, 1e-3 };
    static const int32_t dim[2] = { 3, 2 };
    static const double mean[2] = { 0.5, 1 }, data[6] = { 1, 2, 4, 3, 5, 7 };
    ad_tape *const t = ad_tape_create(NULL);
    size_t i;
    int way;
    for (i = 0; i < sizeof eps / sizeof *eps; i++)
        for (way = 0; way < 5; way++) {
            ad_array x, none, y;
            ad_tape_reset(t);
            memset(&none, 0, sizeof none);
            x = ad_array_input(t, 2, dim, data);
            y = way == 0 ? ad_array_layer_norm(x, none, none, eps[i])
              : way == 1 ? ad_array_group_norm(x, 1, none, none, eps[i])
              : way == 2 ? ad_array_rms_norm(x, none, eps[i])
              : way == 3 ? ad_array_batch_norm(x, none, none, eps[i], NULL, NULL)
              : ad_array_batch_norm_with(x, none, none, eps[i], mean, mean);
            CHECK_STATUS(ad_tape_status(t), i < 4 ? AD_ERR_ARGUMENT : AD_OK);
            CHECK((y.rank == 2) == (i >= 4));
            CHECK(i >= 4 || strstr(ad_tape_message(t), "eps") != NULL);
        }
    ad_tape_destroy(t);
}
static void test_transposes(void)
{
    ad_tape *const t = ad_tape_create(NULL);
    int32_t n[2], window[2], stride, dilation, extra, pad;
    for (stride = 1; stride <= 3; stride++)
        for (dilation = 1; dilation <= 4; dilation++)
            for (window[0] = 1; window[0] <= 3; window[0]++)
                for (n[0] = 1; n[0] <= 4; n[0] += 1 + n[0] / 2)
                    for (pad = 0; pad <= 2; pad++)
                        for (extra = 0; extra <= 5; extra++) {
                            ad_conv_desc d;
                            memset(&d, 0, sizeof d);
                            d.stride[0] = stride;
                            d.dilation[0] = dilation;
                            d.pad[0] = pad;
                            d.extra[0] = extra;
                            transpose_of(t, 3, n, window, &d);
                            n[1] = 3;
                            window[1] = 2;
                            d.stride[1] = 2;
                            d.extra[1] = 1;
                            transpose_of(t, 4, n, window, &d);
                            d.stride[1] = 1;
                            d.dilation[1] = 3;
                            d.extra[1] = extra % 3;
                            transpose_of(t, 4, n, window, &d);
                        }
    ad_tape_destroy(t);
}

/* Arrays without elements, however large their other extents: operations cost what their elements
   cost, that is nothing, sweeps too; or they are refused with a message. */
enum { VAST = 1 << 28 };        /* more than a tape has slots */
static ad_array on_empty(int way, ad_array a, const char **name)
{
    static const int32_t flat[1] = { 0 }, more[4] = { 1, 0, 0, 0 }, none[4] = { 0, 0, 0, 0 };
    static const int32_t twice[4] = { 1, 1, 2, 2 };
    static const int turned[4] = { 2, 0, 1, 3 };
    static const uint32_t index[2] = { 0, 1 };
    const int axis = way / 32 % 4;
    const unsigned axes = way / 32 < 4 ? AD_AXIS(axis) : (unsigned)(way / 32 + 1) | AD_NO_AXES;
    ad_array nothing, pieces[2];
    ad_pool_desc pool;
    memset(&nothing, 0, sizeof nothing);
    memset(&pool, 0, sizeof pool);
    pool.size[0] = pool.size[1] = 1;
    pieces[0] = pieces[1] = a;
    switch (way % 32) {
    case 0: *name = "exp"; return ad_array_exp(a);
    case 1: *name = "add"; return ad_array_add(a, a);
    case 2: *name = "sum"; return ad_array_sum(a, axes, 0);
    case 3: *name = "mean"; return ad_array_mean(a, axes, 1);
    case 4: *name = "prod"; return ad_array_prod(a, axes, 0);
    case 5: *name = "amax"; return ad_array_amax(a, axes, 0);
    case 6: *name = "amin"; return ad_array_amin(a, axes, 1);
    case 7: *name = "norm"; return ad_array_norm(a, axes, 0);
    case 8: *name = "logsumexp"; return ad_array_logsumexp(a, axes, 0);
    case 9: *name = "var"; return ad_array_var(a, axes, 0, 0);
    case 10: *name = "cumsum"; return ad_array_cumsum(a, axis);
    case 11: *name = "softmax"; return ad_array_softmax(a, axis);
    case 12: *name = "log_softmax"; return ad_array_log_softmax(a, axis);
    case 13: *name = "flip"; return ad_array_flip(a, axes);
    case 14: *name = "permute"; return a.rank < 3 ? a : ad_array_permute(a, turned);
    case 15: *name = "transpose"; return ad_array_transpose(a);
    case 16: *name = "reshape"; return ad_array_reshape(a, 1, flat);
    case 17: *name = "slice"; return ad_array_slice(a, axis, 1, AD_END, 2);
    case 18: *name = "concatenate"; return ad_array_concatenate(2, pieces, axis);
    case 19: *name = "stack"; return ad_array_stack(2, pieces, axis);
    case 20: *name = "split";
        return ad_array_split(a, axis, 1, pieces) == AD_OK ? pieces[0] : pieces[1];
    case 21: *name = "pad"; return ad_array_pad(a, way / 32 % 2 ? more : none, none, 1);
    case 22: *name = "tile"; return ad_array_tile(a, twice);
    case 23: *name = "gather"; return ad_array_gather(a, axis, 2, index);
    case 24: *name = "layer_norm"; return ad_array_layer_norm(a, nothing, nothing, 0);
    case 25: *name = "rms_norm"; return ad_array_rms_norm(a, nothing, 0);
    case 26: *name = "dropout"; return ad_array_dropout(a, 0.5, 1, 1);
    case 27: *name = "matmul"; return ad_array_matmul_t(a, 0, a, 1);
    case 28: *name = "max_pool"; return ad_array_max_pool(a, &pool);
    case 29: *name = "avg_pool"; return ad_array_avg_pool(a, &pool);
    case 30: *name = "squared_error"; return ad_array_squared_error(a, a, AD_NONE);
    default: *name = "triu"; return ad_array_triu(a, 0);
    }
}
/* A sum over the axis without elements, or a border around it, has elements: many. */
static int fills(int rank, const int32_t *dim, int way)
{
    const unsigned axes = way / 32 < 4 ? AD_AXIS(way / 32 % 4)
                                       : (unsigned)(way / 32 + 1) | AD_NO_AXES;
    int k, empty = 0;
    if (way % 32 == 21) return way / 32 % 2 && dim[0] == 0;
    for (k = 0; k < rank; k++) empty |= !(axes >> k & 1) && dim[k] == 0;
    return way % 32 >= 2 && way % 32 <= 9 && !empty;
}
static void test_vast(void)
{
    static const struct { int rank; int32_t dim[4]; } of[] = {
        { 2, { 0, VAST, 0, 0 } }, { 2, { VAST, 0, 0, 0 } }, { 3, { VAST, 9, 0, 0 } },
        { 3, { 0, VAST, 9, 0 } }, { 4, { VAST, 2, 0, 1 } }, { 4, { 9, 0, 2, VAST } },
        { 2, { 0, INT32_MAX, 0, 0 } }, { 2, { INT32_MAX, 0, 0, 0 } },
        { 3, { INT32_MAX, 0, 2, 0 } }, { 4, { 0, INT32_MAX, INT32_MAX, INT32_MAX } } };
    const clock_t tenth = CLOCKS_PER_SEC / 10;
    size_t i;
    int way;
    unsigned slow = 0;
    for (i = 0; i < COUNT(of); i++)
        for (way = 0; way < 32 * 8; way++) {
            ad_tape *t;
            const char *name = "";
            const clock_t start = clock();
            clock_t took;
            ad_array a, r, g;
            int k, whole = 1;
            if (slow >> way % 32 & 1) continue;          /* one example is enough */
            if (of[i].dim[3] == INT32_MAX && way % 32 > 1) continue;
            if (fills(of[i].rank, of[i].dim, way)) continue;
            t = ad_tape_create(NULL);
            a = ad_array_input(t, of[i].rank, of[i].dim, NULL);
            CHECK(a.rank == of[i].rank && ad_array_size(a) == 0);
            r = on_empty(way, a, &name);
            if (r.rank >= 0) {
                for (k = 0; k < r.rank; k++) whole &= r.dim[k] >= 0;
                if (ad_array_size(r) < 100 && ad_array_backward(r, NULL) == AD_OK) {
                    ad_array_forward(t, 1, &a, NULL);
                    ad_array_grad(ad_array_item(ad_array_sum(r, AD_ALL_AXES, 0)), 1, &a, &g);
                }
                ad_array_size(r);
            }
            took = clock() - start;
            slow |= (unsigned)(took > tenth) << way % 32;
            test_check(took <= tenth && whole
                && (ad_tape_status(t) == AD_OK || ad_tape_message(t)[0]), __FILE__, __LINE__,
                "%s, way %d, of %d axes %d, %d, %d, %d: %.2f s; %s", name, way / 32, of[i].rank,
                (int)of[i].dim[0], (int)of[i].dim[1], (int)of[i].dim[2], (int)of[i].dim[3],
                (double)took / CLOCKS_PER_SEC, ad_tape_message(t));
            ad_tape_destroy(t);
        }
}

/* Norms over an infinite element, along either axis, whole and as compiled functions: infinite, NaN
   by that element, 0 by its neighbours, and nothing where the adjoint is 0. */
static void test_infinite_norms(void)
{
    static const double x[4] = { (double)INFINITY, 1, 3, 4 };
    static const int32_t n[2] = { 2, 2 };
    ad_tape *const t = ad_tape_create(NULL);
    int axis, k;
    for (axis = 0; axis < 2; axis++) {
        const ad_array a = ad_array_input(t, 2, n, x), r = ad_array_norm(a, AD_AXIS(axis), 0);
        const int beside = axis ? 1 : 2, apart = axis ? 2 : 1;   /* in the infinite row or column */
        const double length = sqrt(axis ? 25 : 17);
        CHECK(ad_array_values(r)[0] == (double)INFINITY);
        CHECK_NEAR(ad_array_values(r)[1], length, 1e-15);
        for (k = 0; k < 2; k++) {
            const double y_bar[2] = { (double)k, 2 };
            const double *g;
            CHECK_STATUS(ad_array_backward(r, y_bar), AD_OK);
            g = ad_array_adjoints(a);
            CHECK(k ? g[0] != g[0] : g[0] == 0);
            CHECK(g[beside] == 0);
            CHECK_NEAR(g[apart], 2 * x[apart] / length, 1e-15);
            CHECK_NEAR(g[3], 8 / length, 1e-15);
        }
        ad_tape_reset(t);
    }
    ad_tape_destroy(t);
}

/* Along rows that lie together logsumexp is the kernel's, to the bit. */
static void test_rows_by_kernels(void)
{
    ad_tape *const t = ad_tape_create(NULL);
    double x[3 * 60], want;
    int32_t n[2] = { 3, 0 };
    int i;
    for (i = 0; i < 3 * 60; i++) x[i] = sin(1.7 * i) * 3;
    for (n[1] = 1; n[1] <= 60; n[1]++) {
        const ad_array r = ad_array_logsumexp(ad_array_input(t, 2, n, x), AD_AXIS(1), 0);
        for (i = 0; i < 3; i++) {
            ad_kernel_logsumexp(ad_tape_kernels(t), (size_t)n[1], x + i * n[1], &want);
            CHECK(ad_array_values(r)[i] == want);
        }
        ad_tape_reset(t);
    }
    ad_tape_destroy(t);
}

/* A NaN is the greatest of its window; the sweep and the recorded gradient give it the same. */
static void test_pools_of_nan(void)
{
    static const int32_t n[4] = { 1, 1, 1, 6 }, size[2] = { 1, 2 };
    ad_pool_desc desc;
    int way, k;
    memset(&desc, 0, sizeof desc);
    desc.size[0] = 1;
    desc.size[1] = 3;
    for (way = 0; way < 2; way++) {
        ad_tape *const t = ad_tape_create(NULL);
        const double x[6] = { 1, (double)NAN, (double)NAN, 2, 0.5, 2 };
        const double want[6] = { 0, 0.5, 0.5, 0.5, 0, 0.5 };
        const ad_array a = ad_array_input(t, 4, n, x);
        ad_array g, y = way ? ad_array_adaptive_max_pool(a, size) : ad_array_max_pool(a, &desc);
        y = ad_array_sum(y, AD_ALL_AXES, 0);
        CHECK_STATUS(ad_backward(ad_array_item(y)), AD_OK);
        for (k = 0; k < 6; k++) CHECK(ad_array_adjoints(a)[k] == want[k]);
        CHECK_STATUS(ad_array_grad(ad_array_item(y), 1, &a, &g), AD_OK);
        for (k = 0; k < 6; k++) CHECK(ad_array_values(g)[k] == want[k]);
        ad_tape_destroy(t);
    }
}

/* Slices from, to and by the greatest numbers that there are: as in Python. */
static void test_extreme_slices(void)
{
    static const int32_t n[2][3] = { { 3, 1, 7 }, { 7, 1, 3 } };
    static const int32_t ends[] = { INT32_MIN, INT32_MIN + 1, -8, -7, -1, 0, 1, 6, 7, INT32_MAX - 1,
        AD_END };
    static const int32_t steps[] = { INT32_MIN, INT32_MIN + 1, -3, -1, 1, 2, INT32_MAX - 1,
        INT32_MAX };
    ad_tape *const t = ad_tape_create(NULL);
    double x[21];
    size_t e, i, j, k;
    int axis;
    for (e = 0; e < 21; e++) x[e] = (double)e;
    for (i = 0; i < COUNT(ends); i++)
        for (j = 0; j < COUNT(ends); j++)
            for (k = 0; k < 2 * COUNT(steps); k++) {
                const int64_t step = steps[k / 2], all = 7;
                int64_t from = ends[i], to = ends[j], at, count = 0;
                size_t bad = 0;
                ad_array a, r;
                axis = k % 2 ? 0 : 2;                        /* rows of three, or elements */
                ad_tape_reset(t);
                a = ad_array_input(t, 3, n[k % 2], x);
                r = ad_array_slice(a, axis, ends[i], ends[j], steps[k / 2]);
                from = from == AD_END ? step > 0 ? 0 : all - 1 : from < 0 ? from + all : from;
                to = to == AD_END ? step > 0 ? all : -1 : to < 0 ? to + all : to;
                if (from < 0) from = step > 0 ? 0 : -1;
                if (from >= all) from = step > 0 ? all : all - 1;
                if (to < 0) to = step > 0 ? 0 : -1;
                if (to > all) to = all;
                if (!test_check(r.rank == 3 && ad_tape_status(t) == AD_OK, __FILE__, __LINE__,
                    "[%d:%d:%d]: %s", (int)ends[i], (int)ends[j], (int)steps[k / 2],
                    ad_tape_message(t))) continue;
                for (at = from; step > 0 ? at < to : at > to; at += step, count++) {
                    if (count >= r.dim[axis]) bad++;
                    for (e = 0; e < 3 && count < r.dim[axis]; e++)
                        bad += axis == 0
                            ? ad_array_values(r)[3 * count + (int64_t)e] != x[3 * at + (int64_t)e]
                            : ad_array_values(r)[(int64_t)e * r.dim[2] + count]
                                != x[7 * (int64_t)e + at];
                }
                bad += r.dim[axis] != count;
                if (ad_array_backward(r, NULL) == AD_OK && count) {
                    double sum = 0;
                    for (e = 0; e < 21; e++) sum += ad_array_adjoints(a)[e];
                    bad += sum != 3.0 * (double)count;
                }
                test_check(!bad, __FILE__, __LINE__, "[%d:%d:%d]: %d elements, not %d",
                    (int)ends[i], (int)ends[j], (int)steps[k / 2], (int)r.dim[axis], (int)count);
            }
    ad_tape_destroy(t);
}

/* ---------------------------------------------------------------- the suite */

static void test_compositions(void)
{
    static double g[INPUTS_d], f[INPUTS_d];
    double v, w;
    uint64_t seed;
    int told = 0, count = 0;
    for (seed = 1; seed <= 160; seed += every_nth) {
        const int kinks = seed % 4 == 0, steps = 4 + (int)(seed % 17);
        double most = 1;
        size_t e;
        told += one_composition_d(seed, steps, kinks, g, &v);
        count++;
        if (seed % 2) continue;
        one_composition_f(seed, steps, kinks, f, &w);
        for (e = 0; e < INPUTS_d; e++)
            if (fabs(g[e]) > most) most = fabs(g[e]);
        test_check(fabs(v - w) < 1e-3 * (1 + fabs(v)), __FILE__, __LINE__,
            "composition %d: %.9g in double, %.9g in float", (int)seed, v, w);
        for (e = 0; e < INPUTS_d; e++)
            test_check(fabs(f[e] - g[e]) < 2e-3 * most, __FILE__, __LINE__,
                "composition %d: adjoint %d is %.9g in double, %.9g in float", (int)seed, (int)e,
                g[e], f[e]);
    }
    test_check(told > count * 9 / 10, __FILE__, __LINE__,
        "differences could tell %d of %d compositions", told, count);
}

/* A map whose operand is an array and one of its own numbers; tangents of it while arrays move. */
static void test_lone_numbers(void)
{
    enum { N = 5000, AT = 3000 };
    static double x[N];
    static const int32_t n = N, four = 4;
    ad_fn *const f = ad_fn_parse("a*b", "a, b", NULL, 0);
    ad_tape *t = ad_tape_create(NULL);
    ad_array u[2], y;
    double sum = 0;
    int i, k;
    for (i = 0; i < N; i++) sum += x[i] = 1 + i % 7;
    u[0] = ad_array_input(t, 1, &n, x);
    u[1] = ad_array_slice(u[0], 0, AT, AT + 1, 1);
    y = ad_array_map(f, 2, u);
    CHECK_STATUS(ad_array_backward(y, NULL), AD_OK);
    CHECK(ad_array_adjoints(u[0])[AT] == sum + x[AT] && ad_array_adjoints(u[0])[0] == x[AT]);
    ad_tape_destroy(t);
    for (k = 0; k < 300; k++) {
        const double two = 2, one = 1, *dot[2], *d;
        t = ad_tape_create(NULL);
        u[0] = ad_array_input(t, 1, &four, x);
        u[1] = ad_array_input(t, 0, NULL, &two);
        for (i = 0; i < k; i++) ad_array_const(t, 0, NULL, &two);
        y = ad_array_map(f, 2, u);
        dot[0] = NULL;
        dot[1] = &one;
        CHECK_STATUS(ad_array_forward(t, 2, u, dot), AD_OK);
        d = ad_array_tangents(y);
        CHECK(d && d[0] == x[0] && d[3] == x[3]);
        ad_tape_destroy(t);
    }
    ad_fn_destroy(f);
}

/* A map whose derivative finds no memory: said as that, and there when there is some again. */
static void test_map_without_memory(void)
{
    static const double x[3] = { 0.1, 0.2, 0.3 };
    static const int32_t three = 3;
    size_t k, failed = 0;
    for (k = 1; k < 400; k++) {
        ad_fn_desc desc;
        ad_fn *f;
        ad_tape *const t = ad_tape_create(NULL);
        ad_array a, y;
        ad_status s;
        heap h;
        size_t mark;
        memset(&h, 0, sizeof h);
        memset(&desc, 0, sizeof desc);
        desc.resize = heap_resize;
        desc.resize_user = &h;
        f = ad_fn_parse_desc("sin(a)*a", "a", &desc, NULL, 0);
        a = ad_array_input(t, 1, &three, x);
        y = ad_array_map(f, 1, &a);
        mark = ad_tape_mark(t);
        h.fail_at = h.calls + k;
        s = ad_array_backward(y, NULL);
        if (s != AD_OK) {
            failed++;
            test_check(s == AD_ERR_MEMORY, __FILE__, __LINE__, "allocation %d: %s", (int)k,
                ad_tape_message(t));
            ad_tape_rewind(t, mark);
            h.fail_at = 0;
            CHECK_STATUS(ad_array_backward(y, NULL), AD_OK);
        }
        CHECK(fabs(ad_array_adjoints(a)[2] - sin(0.3) - 0.3 * cos(0.3)) < 1e-15);
        ad_tape_destroy(t);
        ad_fn_destroy(f);
    }
    CHECK(failed > 3);
}

/* Running products whose parts are beyond all numbers, though none of them is. */
static void test_far_products(void)
{
    static const double x[4][3] = { { 0, 1e200, 1e200 }, { 1e200, 1e-200, 1e-200 },
        { 1e-200, 1e200, 1e200 }, { 3, 0, 1e200 } };
    static const double y[4][3] = { { 0, 0, 0 }, { 1e200, 1, 1e-200 }, { 1e-200, 1, 1e200 },
        { 3, 0, 0 } };
    static const int32_t three = 3;
    static const double last[3] = { 0, 0, 1 };
    int k, i;
    for (k = 0; k < 4; k++) {
        ad_tape *const t = ad_tape_create(NULL);
        const ad_array a = ad_array_input(t, 1, &three, x[k]), p = ad_array_cumprod(a, 0);
        CHECK_STATUS(ad_array_backward(p, last), AD_OK);
        for (i = 0; i < 3; i++) {
            CHECK(fabs(ad_array_values(p)[i] - y[k][i]) <= 1e-15 * y[k][i]);
            if (k != 0 || i != 0)                /* there it is 1e400 */
                CHECK_NEAR(ad_array_adjoints(a)[i], i == 0 ? x[k][1] * x[k][2]
                    : i == 1 ? x[k][0] * x[k][2] : y[k][1], 1e-15 * fabs(ad_array_adjoints(a)[i]));
        }
        ad_tape_destroy(t);
    }
}

/* A NaN in a running product: recorded gradients say what the sweep says, and 0 times it is 0. */
static void test_running_nan(void)
{
    static const double x[4] = { 0, 0.7, (double)NAN, -1.5 };
    static const int32_t four = 4;
    int k, i;
    for (k = 0; k < 4; k++) {
        double at[4];
        ad_tape *const t = ad_tape_create(NULL);
        ad_array a, y, g;
        for (i = 0; i < 4; i++) at[i] = x[(i + k) % 4];
        a = ad_array_input(t, 1, &four, at);
        y = ad_array_sum(ad_array_cumprod(a, 0), AD_ALL_AXES, 0);
        CHECK_STATUS(ad_backward(ad_array_item(y)), AD_OK);
        CHECK_STATUS(ad_array_grad(ad_array_item(y), 1, &a, &g), AD_OK);
        for (i = 0; i < 4 && ad_array_values(g); i++) {
            const double p = ad_array_adjoints(a)[i], q = ad_array_values(g)[i];
            test_check(p == q || (p != p && q != q), __FILE__, __LINE__, "%d, %d: %g, %g", k, i,
                p, q);
        }
        ad_tape_destroy(t);
    }
}

/* Where the greatest element is the least number, what a border has is none. */
static void test_lowest_beside_a_border(void)
{
    static const int32_t dim[4] = { 1, 1, 2, 2 };
    static const double x[4] = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL, 1 };
    const double one = 1;
    ad_pool_desc pool;
    ad_tape *const t = ad_tape_create(NULL);
    const ad_array a = ad_array_input(t, 4, dim, x);
    ad_array y, g;
    int i;
    memset(&pool, 0, sizeof pool);
    for (i = 0; i < 2; i++) {
        pool.size[i] = pool.stride[i] = 2;
        pool.pad[i] = 1;
    }
    y = ad_array_sum(ad_array_max_pool(a, &pool), AD_ALL_AXES, 0);      /* each in a window alone */
    CHECK_STATUS(ad_array_backward(y, &one), AD_OK);
    CHECK_STATUS(ad_array_grad(ad_array_item(y), 1, &a, &g), AD_OK);
    for (i = 0; i < 4; i++)
        CHECK(ad_array_adjoints(a)[i] == 1 && ad_array_values(g) && ad_array_values(g)[i] == 1);
    ad_tape_destroy(t);
}

/* Where a mask of axes is wanted a plain number is none, -1 neither, and the other way round. */
static void test_plain_axes(void)
{
    static const int32_t dim[2] = { 2, 3 };
    static const double x[6] = { 1, 2, 3, 4, 5, 6 };
    int k;
    for (k = -9; k <= 9; k++) {
        ad_tape *const t = ad_tape_create(NULL);
        const ad_array y = ad_array_sum(ad_array_input(t, 2, dim, x), (unsigned)k, 0);
        CHECK(ad_array_size(y) == 0);
        CHECK_STATUS(ad_tape_status(t), AD_ERR_SHAPE);
        CHECK(strstr(ad_tape_message(t), "plain number") != NULL);
        ad_tape_destroy(t);
    }
    for (k = -2; k < 2; k++) {
        ad_tape *const t = ad_tape_create(NULL);
        const ad_array a = ad_array_input(t, 2, dim, x);
        CHECK(ad_array_sum(a, AD_ALL_AXES | AD_AXIS(k), 0).rank == 0);
        CHECK(ad_array_sum(a, AD_AXIS(k), 0).rank == 1);
        CHECK_STATUS(ad_tape_status(t), AD_OK);
        CHECK(ad_array_size(ad_array_softmax(a, (int)(k < 0 ? AD_ALL_AXES : AD_AXIS(k)))) == 0);
        CHECK(strstr(ad_tape_message(t), "a number here") != NULL);
        ad_tape_destroy(t);
    }
}

/* Borders that cannot be, on each axis, of which the others have none. */
static void test_bad_borders(void)
{
    static const int32_t dim[3] = { 2, 3, 4 };
    static const double x[24] = { 1 };
    int axis, side, mode;
    for (mode = AD_PAD_ZEROS; mode <= AD_PAD_CIRCULAR; mode++)
        for (axis = 0; axis < 3; axis++)
            for (side = 0; side < 2; side++) {
                ad_tape *const t = ad_tape_create(NULL);
                int32_t border[2][3] = { { 0 } };
                ad_array y;
                border[side][axis] = -1;
                y = ad_array_pad_mode(ad_array_input(t, 3, dim, x), border[0], border[1],
                                      (ad_pad_mode)mode);
                CHECK(ad_tape_status(t) == AD_ERR_SHAPE && ad_array_size(y) == 0);
                ad_tape_destroy(t);
            }
}

/* The tangents of a sweep stay when adjoints are swept, and adjoints with their tangents. */
static void test_tangents_stay(void)
{
    static const double x[3] = { 1, 2, 3 }, v[3] = { 1, -1, 2 };
    static const int32_t three = 3;
    const double *dot[1];
    ad_tape *const t = ad_tape_create(NULL);
    ad_array a = ad_array_input(t, 1, &three, x), b = ad_array_square(a);
    ad_var y = ad_array_item(ad_array_sum(b, AD_ALL_AXES, 0)), in[3];
    int i, way;
    dot[0] = v;
    for (i = 0; i < 3; i++) in[i] = ad_array_at(a, (size_t)i);
    CHECK_STATUS(ad_array_forward(t, 1, &a, dot), AD_OK);
    for (way = 0; way < 3; way++) {
        const double *got;
        if (way == 1) CHECK_STATUS(ad_backward(y), AD_OK);
        if (way == 2) CHECK_STATUS(ad_forward_over_reverse(y, 3, in, v), AD_OK);
        for (i = 0; i < 3 && way; i++) CHECK(ad_array_adjoints(a)[i] == 2 * x[i]);
        got = ad_array_tangents(b);
        for (i = 0; i < 3; i++) CHECK(got && got[i] == 2 * x[i] * v[i]);
        CHECK(ad_tangent(y) == 2 - 4 + 12);
    }
    ad_tape_destroy(t);
}

/* Adjoints of a norm beside which y, g or g / y leaves the range, as where it is recorded. */
static void test_far_norms(void)
{
    static const double at[][3] = { { 3e-310, 4e-310, 1 }, { 3e-308, 4e-308, 100 },
        { 3e300, 4e300, 1e-20 }, { 3, 4, 0.5 } };
    static const float single[][3] = { { 3e-40f, 4e-40f, 1 }, { 3e-37f, 4e-37f, 1000 },
        { 3e20f, 4e20f, 1e-20f }, { 3, 4, 0.5f } };
    const int32_t two = 2;
    size_t i;
    for (i = 0; i < COUNT(at); i++) {
        ad_tape *const t = ad_tape_create(NULL);
        adf_tape *const s = adf_tape_create(NULL);
        const ad_array a = ad_array_input(t, 1, &two, at[i]);
        const adf_array b = adf_array_input(s, 1, &two, single[i]);
        CHECK_STATUS(ad_array_backward(ad_array_norm(a, AD_ALL_AXES, 0), &at[i][2]), AD_OK);
        CHECK_STATUS(adf_array_backward(adf_array_norm(b, AD_ALL_AXES, 0), &single[i][2]), AD_OK);
        CHECK_NEAR(ad_array_adjoints(a)[0] / at[i][2], 0.6, 1e-12);
        CHECK_NEAR(adf_array_adjoints(b)[0] / single[i][2], 0.6, i == 0 ? 1e-4 : 1e-6);
        ad_tape_destroy(t);
        adf_tape_destroy(s);
    }
}

/* Huber's loss is (a-b)^2 / 2 where a = b too: its second derivative there is 1, as beside it. */
static void test_huber_bends(void)
{
    static const double at[] = { 0, 0.5, -0.5, 3, -3 }, due[] = { 1, 1, 1, 0, 0 };
    static const double zero[COUNT(at)] = { 0 };
    const int32_t n = (int32_t)COUNT(at);
    ad_tape *const t = ad_tape_create(NULL);
    const ad_array a = ad_array_input(t, 1, &n, at), b = ad_array_const(t, 1, &n, zero);
    const ad_array y = ad_array_huber(a, b, 1, AD_SUM);
    ad_array g;
    size_t i;
    CHECK_STATUS(ad_array_grad(ad_array_item(y), 1, &a, &g), AD_OK);
    CHECK_STATUS(ad_array_backward(g, NULL), AD_OK);
    for (i = 0; i < COUNT(at); i++) CHECK_NEAR(ad_array_adjoints(a)[i], due[i], 1e-15);
    ad_tape_destroy(t);
}

/* Packs that begin in an array, or end in one: the sweep and the recorded gradient agree. */
static void test_packs_across(void)
{
    static const double x[3] = { 1, 2, 3 };
    static const int32_t three = 3, two = 2;
    int way;
    for (way = 0; way < 2; way++) {
        ad_tape *const t = ad_tape_create(NULL);
        ad_var v[2], l;
        ad_array a, p, g;
        if (way) v[0] = ad_input(t, 5);
        a = ad_array_input(t, 1, &three, x);
        v[way] = ad_array_at(a, way ? 0 : 2);
        if (!way) v[1] = ad_input(t, 5);
        p = ad_array_pack(t, 1, &two, v);
        l = ad_array_item(ad_array_add(ad_array_sum(ad_array_square(p), AD_ALL_AXES, 0),
            ad_array_sum(a, AD_ALL_AXES, 0)));
        CHECK_STATUS(ad_backward(l), AD_OK);
        {
            const double s0 = ad_array_adjoints(p)[0], s1 = ad_array_adjoints(p)[1];
            CHECK_STATUS(ad_array_grad(l, 1, &p, &g), AD_OK);
            CHECK(g.rank == 1 && ad_array_values(g)[0] == s0 && ad_array_values(g)[1] == s1);
            CHECK(s0 == (way ? 10 : 7) && s1 == (way ? 3 : 10));
        }
        ad_tape_destroy(t);
    }
}

/* Arrays of nothing, what is counted after a tangent sweep, and reports of what nobody did. */
static void test_nothing_done(void)
{
    static const int32_t none[2] = { 3, 0 }, flat[2] = { 0, 1 << 29 }, high[2] = { 1 << 29, 0 },
        pooled[4] = { 1, 1, 0, 4 }, two = 2, square[2] = { 2, 2 }, steps[3] = { 4, 1, 3 };
    static const double x[2] = { 1, 2 };
    static const uint32_t label = 1, length = 1, classes[2] = { 0, 1 };
    ad_pool_desc window;
    double minus[12];
    const double *dot = x;
    ad_tape_desc desc;
    ad_nonfinite r;
    ad_tape *t = ad_tape_create(NULL);
    ad_array a, y;
    int i;
    memset(&window, 0, sizeof window);
    window.size[0] = window.size[1] = 2;
    window.pad[0] = 1;
    for (i = 0; i < 2; i++) {
        const double v = ad_array_values(ad_array_var(ad_array_const(t, 2, none, NULL),
            AD_AXIS(1), 0, i))[0];
        CHECK(v != v);
    }
    a = ad_array_input(t, 1, &two, x);
    y = ad_array_square(a);
    CHECK_STATUS(ad_array_backward(y, NULL), AD_OK);
    CHECK(ad_array_adjoints(a)[1] == 4);
    CHECK_STATUS(ad_array_backward(ad_array_slice(y, 0, 0, 0, 1), NULL), AD_OK);
    CHECK(ad_array_adjoints(a)[0] == 0 && ad_array_adjoints(a)[1] == 0);
    CHECK(ad_array_reshape(ad_array_const(t, 2, flat, NULL), 2, high).rank == 2);
    for (i = 0; i < 2; i++) {
        const ad_array nothing = ad_array_input(t, 4, pooled, NULL);
        y = i ? ad_array_avg_pool(nothing, &window) : ad_array_max_pool(nothing, &window);
        CHECK(y.rank < 0 && ad_tape_status(t) != AD_OK && strstr(ad_tape_message(t), "window"));
        ad_tape_clear_status(t);
    }
    ad_array_cross_entropy_weighted(ad_array_input(t, 2, square, NULL), classes, NULL,
        (ad_reduction)3);
    CHECK_STATUS(ad_tape_status(t), AD_ERR_ARGUMENT);
    ad_tape_reset(t);
    a = ad_array_input(t, 1, &two, x);
    ad_array_logsumexp(a, AD_ALL_AXES, 0);
    {
        const size_t before = ad_tape_get_stats(t).instructions;
        CHECK_STATUS(ad_array_forward(t, 1, &a, &dot), AD_OK);
        CHECK(ad_tape_get_stats(t).instructions == before);
    }
    ad_tape_destroy(t);
    memset(&desc, 0, sizeof desc);
    desc.debug = 1;
    t = ad_tape_create(&desc);
    for (i = 0; i < 12; i++) minus[i] = -1 - 0.1 * i;
    a = ad_array_input(t, 3, steps, minus);
    ad_array_ctc(a, 1, &label, &length, NULL, 0, AD_SUM);
    CHECK(!ad_tape_nonfinite(t, &r));
    ad_array_exp(ad_array_mul_r(a, -1e4));
    CHECK(ad_tape_nonfinite(t, &r) && strstr(r.operation, "exp"));
    ad_tape_destroy(t);
}

TEST_DEF void suite_arrays(void)
{
    const char *const only = getenv("AD_TEST_ARRAYS");      /* one part, by its name */
    const int verbose = only && strcmp(only, "time") == 0;
    static const struct { const char *name; void (*run)(void); } part[] = {
        { "rules", test_rules }, { "map", test_map }, { "reductions", test_reductions },
        { "matrices", test_matrices }, { "shapes", test_shapes }, { "networks", test_networks },
        { "norms", test_norms }, { "infinite_norms", test_infinite_norms },
        { "rows_by_kernels", test_rows_by_kernels },
        { "pools_of_nan", test_pools_of_nan },
        { "order", test_order }, { "longest axis", test_longest_axis },
        { "starved pool", test_starved_pool }, { "starved solve", test_starved_solve },
        { "losses", test_losses },
        { "more losses", test_more_losses },
        { "empty", test_empty },
        { "random shapes", test_random_shapes }, { "large", test_large }, { "ties", ties_d },
        { "ties-f", ties_f },
        { "places", places_d }, { "places-f", places_f }, { "zeros", zeros_d },
        { "zeros-f", zeros_f }, { "far-beginnings", far_beginnings_d },
        { "far-beginnings-f", far_beginnings_f }, { "costs", costs_d },
        { "costs-f", costs_f },
        { "factors", factors_d }, { "factors-f", factors_f },
        { "layers refused", refused_layers_d }, { "layers refused-f", refused_layers_f },
        { "recurrent", recurrent_layers_d }, { "recurrent-f", recurrent_layers_f },
        { "masks", attention_masks_d }, { "masks-f", attention_masks_f },
        { "logits", far_logits_d }, { "logits-f", far_logits_f },
        { "errors", errors_d }, { "errors-f", errors_f }, { "memory", memory_d },
        { "memory-f", memory_f }, { "scopes", scopes_d }, { "scopes-f", scopes_f },
        { "long", long_traces_d }, { "long-f", long_traces_f },
        { "compositions", test_compositions }, { "drivers", drivers_d }, { "drivers-f", drivers_f },
        { "random", random_d }, { "random-f", random_f }, { "rest", rest_d }, { "rest-f", rest_f },
        { "compiled", compiled_d }, { "compiled-f", compiled_f },
        { "pads", test_wide_pads }, { "eps", test_eps },
        { "transposes", test_transposes }, { "slices", test_extreme_slices },
        { "vast", test_vast }, { "lone", test_lone_numbers },
        { "map memory", test_map_without_memory },
        { "lowest", test_lowest_beside_a_border }, { "far products", test_far_products },
        { "running", test_running_nan }, { "plain axes", test_plain_axes },
        { "norms", test_far_norms },
        { "borders", test_bad_borders }, { "tangents", test_tangents_stay },
        { "huber", test_huber_bends }, { "packs", test_packs_across },
        { "nothing", test_nothing_done } };
    size_t i;
    every_nth = (unsigned)test_stride();
    begin_d();
    begin_f();
    for (i = 0; i < COUNT(part); i++) {
        const clock_t start = clock();
        if (only && *only && !verbose && strcmp(only, part[i].name) != 0) continue;
        memset(&now, 0, sizeof now);
        seed_now = 1 + i;
        part[i].run();
        if (verbose)
            printf("arrays: %-14s %6.2f s\n", part[i].name,
                (double)(clock() - start) / CLOCKS_PER_SEC);
    }
    end_d();
    end_f();
    for (i = 0; i < OP_COUNT && !only && every_nth == 1; i++)
        test_check(compared[i] >= LEAST, __FILE__, __LINE__, "%s: only %d arrays compared",
            operation_name[i], compared[i]);
    for (i = 0; i < RULES && !only && every_nth == 1; i++)
        test_check(compared_rule[i] >= LEAST, __FILE__, __LINE__, "rule %s: only %d arrays "
            "compared", scalar_rules[i].name, compared_rule[i]);
}
