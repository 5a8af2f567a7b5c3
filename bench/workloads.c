/* Small fixed workloads whose instructions run_check.sh counts, so that a change that makes the
   library slower is seen on any machine, loaded or not.

     workloads NAME     runs that one; without a name: lists them

   What is counted is work_NAME alone: what it needs is made before, by ready_NAME. Nothing depends
   on time or addresses, random numbers are seeded, and what is recorded calls no mathematics
   functions of libm, which choose their code by the CPU. A workload prints a number made of its
   results, so that nothing can be left out. Exit code 77: this machine lacks the instructions. */
#include "../autodiff.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__)
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE
#endif
/* Of this name, also to the program that counts. */
#define WORK(name) NOINLINE double work_##name(void); double work_##name(void)
#define READY(name) static void ready_##name(void)
/* make_NAME(n), run_NAME() at one, two and four times a size, whose growth run_check.sh watches. */
#define AT_SIZES(name, n)                                                                          \
    AT_SIZE(name, name##_1, n) AT_SIZE(name, name##_2, 2 * (n)) AT_SIZE(name, name##_4, 4 * (n))
#define AT_SIZE(name, workload, n)                                                                 \
    READY(workload) { make_##name(n); }                                                            \
    WORK(workload) { return run_##name(); }

enum { N = 100, POINTS = 1000 };
static ad_tape *tape;
static ad_fn *fn;
static ad_var x[N], y[N];
static double at[N], out[N * N], many[POINTS], results[3 * POINTS];

static uint64_t state = 7;
static double uniform(void)                    /* in [0.5, 1.5) */
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return 0.5 + (double)(state >> 11) * (1.0 / 9007199254740992.0);
}
static void make_tape(void)
{
    size_t i;
    for (i = 0; i < N; i++) at[i] = uniform();
    for (i = 0; i < POINTS; i++) many[i] = uniform();
    tape = ad_tape_create(NULL);
    ad_tape_reserve(tape, 100000);
    ad_inputs(tape, N, at, x);
}

/* Some 20 operations for each of n variables, of all shapes that recording knows: one operand, two,
   a constant on either side, a list. */
static ad_var trace(size_t n, const ad_var *v)
{
    ad_var s = ad_const(0), terms[8];
    size_t i, k;
    for (i = 0; i + 1 < n; i++) {
        const ad_var a = ad_var_sub(v[i + 1], ad_var_square(v[i]));
        const ad_var b = ad_var_sub_from_r(1, v[i]);
        const ad_var c = ad_var_div(ad_var_mul(a, b), ad_var_add_r(ad_var_square(b), 2));
        for (k = 0; k < 4; k++) terms[k] = ad_var_mul_r(c, (double)k + 0.5);
        terms[4] = ad_var_sqrt(ad_var_add_r(ad_var_square(a), 1));
        terms[5] = ad_var_abs(ad_var_neg(b));
        terms[6] = ad_var_max(a, b);
        terms[7] = ad_var_div_from_r(3, v[i]);
        s = ad_var_add(s, ad_var_sum(8, terms));
    }
    return s;
}
READY(record) { make_tape(); }
WORK(record)
{
    double sum = 0;
    int k;
    for (k = 0; k < 20; k++) {
        ad_tape_reset(tape);
        ad_inputs(tape, N, at, x);
        sum += trace(N, x).v;
    }
    return sum;
}

static void make_trace(void)
{
    make_tape();
    y[0] = trace(N, x);
    ad_backward(y[0]);                         /* its memory is there from now on */
    ad_forward_over_reverse(y[0], N, x, at);
}
READY(backward) { make_trace(); }
WORK(backward)
{
    int k;
    for (k = 0; k < 20; k++) ad_backward(y[0]);
    return ad_adjoint(x[3]);
}
/* The same sweeps by machine code. */
READY(hot)
{
    int k;
    make_trace();
    ad_tape_hot(tape, 2, 0);
    for (k = 0; k < 3; k++) ad_backward(y[0]);
}
WORK(hot)
{
    int k;
    for (k = 0; k < 20; k++) ad_backward(y[0]);
    return ad_adjoint(x[3]);
}
READY(forward) { make_trace(); }
WORK(forward)
{
    int k;
    for (k = 0; k < 20; k++) ad_forward(tape, N, x, at);
    return ad_tangent(y[0]);
}
READY(forward_over_reverse) { make_trace(); }
WORK(forward_over_reverse)
{
    int k;
    for (k = 0; k < 20; k++) ad_forward_over_reverse(y[0], N, x, at);
    return ad_adjoint_tangent(x[3]);
}
READY(jacobian)
{
    size_t i;
    make_tape();
    for (i = 0; i < 16; i++) y[i] = trace(20, x + 4 * i);
}
WORK(jacobian)
{
    double sum;
    ad_jacobian_reverse(tape, N, x, 16, y, out);
    sum = out[5];
    ad_jacobian_forward(tape, N, x, 16, y, out);
    return sum + out[5];
}
READY(grad_vars) { make_trace(); }
WORK(grad_vars)
{
    ad_grad_vars(ad_var_mul_r(y[0], 1), N, x, y);
    return y[3].v;
}

/* Duals are inlined into what the user compiles. */
static ad_dual8 eight[N];
READY(duals)
{
    size_t i;
    for (i = 0; i < N; i++) eight[i] = ad_dual8_seed(uniform(), (int)i);
}
WORK(duals)
{
    ad_dual8 s = ad_dual8_num(0);
    ad_dual2 second = ad_dual2_num(1);
    size_t i, k;
    for (k = 0; k < 20; k++)
        for (i = 0; i + 1 < N; i++) {
            const ad_dual8 a = ad_dual8_sub(eight[i + 1], ad_dual8_square(eight[i]));
            const ad_dual2 z = ad_dual2_make(eight[i].v, 1, 1, 0);
            s = ad_dual8_add(s, ad_dual8_div(ad_dual8_mul_r(a, 3), eight[i]));
            second = ad_dual2_sqrt(ad_dual2_add(ad_dual2_div(second, z), ad_dual2_square(z)));
        }
    return s.d[3] + second.d12;
}

/* ---- compiled functions */
static ad_fn *compiled(size_t n, unsigned flags)
{
    ad_fn_desc desc;
    ad_fn *f, *g;
    const ad_var v = trace(n, x);
    memset(&desc, 0, sizeof desc);
    desc.flags = flags;
    f = ad_fn_create(tape, n, x, 1, &v, &desc);
    g = ad_fn_gradient(f);
    ad_fn_destroy(f);
    return g;
}
READY(fn_create) { make_tape(); }
WORK(fn_create)
{
    double nodes;
    fn = compiled(20, AD_FN_CONTRACT | AD_FN_FAST);
    nodes = (double)ad_fn_get_stats(fn).nodes;
    return nodes;
}
/* Where there is machine code, made before: its making is a workload of its own. */
READY(fn_native)
{
    make_tape();
    fn = compiled(N, 0);
}
WORK(fn_native)
{
    ad_fn_native(fn);
    return (double)ad_fn_get_stats(fn).nodes;
}
READY(fn_eval)
{
    make_tape();
    fn = compiled(N, 0);
    ad_fn_native(fn);
    ad_fn_eval(fn, at, out);
}
WORK(fn_eval)
{
    int k;
    for (k = 0; k < 50; k++) ad_fn_eval(fn, at, out);
    return out[3];
}

/* A function of one point with mathematics in it, which maps have from the kernels, not from libm;
   one output for each point and two sums. */
static int map_over(ad_simd simd)
{
    ad_port in[3], to[4];
    ad_map_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.threads = 1;
    desc.simd = simd;
    in[0] = ad_port_in(many, 1);
    in[1] = ad_port_shared(at);
    in[2] = ad_port_shared(at + 1);
    to[0] = ad_port_out(results, 1);
    to[1] = ad_port_out(results + POINTS, 1);
    to[2] = ad_port_sum(out);
    to[3] = ad_port_sum(out + 1);
    return ad_fn_map(fn, POINTS, in, to, &desc) == AD_OK;
}
static void make_map(const char *text, ad_simd simd)
{
    ad_fn *f;
    make_tape();
    f = ad_fn_parse(text, "x a b", NULL, 0);
    fn = ad_fn_gradient(f);
    ad_fn_destroy(f);
    if (!map_over(simd)) exit(77);             /* this machine lacks the instruction set */
}
static double run_map(ad_simd simd)
{
    int k;
    for (k = 0; k < 10; k++) map_over(simd);
    return out[0] + results[3];
}
#define MAP_PLAIN "a*x^2/(1 + b*x) + sqrt(1 + a*b*x) - max(x, b)"
#define MAP_MATHEMATICS "a*exp(-b*x) + log(1 + a*x^2) + sin(b*x)*tanh(a*x)"
READY(map_plain) { make_map(MAP_PLAIN, AD_SIMD_PLAIN); }
WORK(map_plain) { return run_map(AD_SIMD_PLAIN); }
READY(map_avx2) { make_map(MAP_MATHEMATICS, AD_SIMD_AVX2); }
WORK(map_avx2) { return run_map(AD_SIMD_AVX2); }

/* Functions of every shape of row that all take one computed value: run_check.sh asks whether they
   are made in a time that goes with n. */
enum { SHAPES = 6, LONGEST = 1000 };
static ad_var long_x[LONGEST], rows[SHAPES][LONGEST];
static size_t row_length;
static void make_rows(size_t n)
{
    ad_var greatest, sum, norm;
    size_t i;
    make_tape();
    row_length = n;
    for (i = 0; i < n; i++) long_x[i] = ad_input(tape, uniform());
    for (greatest = long_x[0], i = 1; i < n; i++) greatest = ad_var_max(greatest, long_x[i]);
    for (i = 0; i < n; i++) rows[0][i] = ad_var_sub(long_x[i], greatest);
    for (i = 0; i < n; i++) rows[1][i] = ad_var_square(rows[0][i]);
    sum = ad_var_sum(n, rows[1]);
    norm = ad_var_sqrt(sum);
    for (i = 0; i < n; i++) {
        rows[2][i] = ad_var_div(rows[1][i], sum);
        rows[3][i] = ad_var_mul(long_x[i], norm);
        rows[4][i] = ad_var_add(long_x[i], ad_var_mul_r(norm, (double)i));
        rows[5][i] = ad_var_fma(long_x[i], norm, sum);
    }
}
static double run_rows(void)
{
    double nodes = 0;
    int k;
    for (k = 0; k < SHAPES; k++) {
        ad_fn *f = ad_fn_create(tape, row_length, long_x, row_length, rows[k], NULL);
        ad_fn *g = ad_fn_vjp(f);
        nodes += (double)ad_fn_get_stats(g).nodes;
        ad_fn_destroy(g);
        ad_fn_destroy(f);
    }
    return nodes;
}
AT_SIZES(rows, LONGEST / 4)

/* Second derivatives of rows that share a value: sum i x[i]/s. */
static void make_bends(size_t n)
{
    ad_var s, y = ad_const(0);
    size_t i;
    make_tape();
    row_length = n;
    for (i = 0; i < n; i++) long_x[i] = ad_input(tape, uniform());
    s = ad_var_sum(n, long_x);
    for (i = 0; i < n; i++)
        y = ad_var_add(y, ad_var_mul_r(ad_var_div(long_x[i], s), (double)i + 1));
    fn = ad_fn_create(tape, n, long_x, 1, &y, NULL);
}
static double run_bends(void)
{
    ad_fn *const g = ad_fn_gradient(fn), *const h = ad_fn_vjp(g);
    const double nodes = (double)ad_fn_get_stats(h).nodes;
    ad_fn_destroy(h);
    ad_fn_destroy(g);
    return nodes;
}
AT_SIZES(bends, LONGEST / 4)

/* Equal products that are not to become one. */
static void make_apart(size_t n)
{
    ad_var y = ad_const(0);
    size_t i;
    make_tape();
    row_length = n;
    for (i = 0; i < n; i++) y = ad_var_add(y, ad_var_mul(x[0], x[1]));
    rows[0][0] = y;
}
static double run_apart(void)
{
    ad_fn_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.skip = AD_FN_CSE;
    fn = ad_fn_create(tape, N, x, 1, rows[0], &desc);
    return (double)ad_fn_get_stats(fn).nodes;
}
AT_SIZES(apart, LONGEST)

/* What a function of lists depends on. */
static void make_kinds(size_t n)
{
    size_t i;
    make_tape();
    row_length = n;
    for (i = 0; i < n; i++) long_x[i] = ad_input(tape, uniform());
    y[0] = ad_var_add(ad_var_norm(n, long_x), ad_var_logsumexp(n, long_x));
}
static double run_kinds(void)
{
    static ad_kind kind[LONGEST];
    double sum = 0;
    size_t i;
    ad_kinds(tape, row_length, long_x, 1, y, kind, NULL);
    for (i = 0; i < row_length; i++) sum += (double)kind[i];
    return sum;
}
AT_SIZES(kinds, LONGEST / 4)

READY(parse) { }
WORK(parse)
{
    double nodes = 0;
    int k;
    for (k = 0; k < 10; k++) {
        ad_fn *f = ad_fn_parse("r = x^2 + y^2; s = r*(1 - x/y) + 3*x*y - y^3/(2 + r); "
                               "t = s > 0.5 ? r*s : max(r, s, x) - min(x, y); t^2 + hypot(x, y)",
                               "x, y", NULL, 0);
        nodes += (double)ad_fn_get_stats(f).nodes;
        ad_fn_destroy(f);
    }
    return nodes;
}

/* ---- arrays: a step of a network with two layers, of 16 examples */
static const int32_t in_dim[2] = { 16, 24 }, w1_dim[2] = { 24, 32 }, b1_dim[1] = { 32 };
static const int32_t w2_dim[2] = { 32, 8 }, to_dim[2] = { 16, 8 };
static double net_in[16 * 24], net_w1[24 * 32], net_b1[32], net_w2[32 * 8], net_to[16 * 8];
static double network_step(void)
{
    ad_array p[3], h, loss;
    size_t i, k;
    double *const w[3] = { net_w1, net_b1, net_w2 };
    ad_tape_reset(tape);
    p[0] = ad_array_borrow(tape, 2, w1_dim, net_w1);
    p[1] = ad_array_borrow(tape, 1, b1_dim, net_b1);
    p[2] = ad_array_borrow(tape, 2, w2_dim, net_w2);
    h = ad_array_matmul(ad_array_const_borrow(tape, 2, in_dim, net_in), p[0]);
    h = ad_array_max_r(ad_array_add(h, p[1]), 0);
    h = ad_array_matmul(h, p[2]);
    loss = ad_array_squared_error(h, ad_array_const_borrow(tape, 2, to_dim, net_to), AD_MEAN);
    ad_backward(ad_array_item(loss));
    for (k = 0; k < 3; k++) {
        const double *g = ad_array_adjoints(p[k]);
        for (i = 0; g && i < ad_array_size(p[k]); i++) w[k][i] -= 1e-3 * g[i];
    }
    return ad_array_values(loss) ? ad_array_values(loss)[0] : 0;
}
static void make_network(ad_simd simd)
{
    ad_tape_desc desc;
    size_t i;
    memset(&desc, 0, sizeof desc);
    desc.simd = simd;
    tape = ad_tape_create(&desc);
    if (tape == NULL || ad_tape_status(tape) != AD_OK) exit(77);
    for (i = 0; i < 16 * 24; i++) net_in[i] = uniform() - 1;
    for (i = 0; i < 24 * 32; i++) net_w1[i] = uniform() - 1;
    for (i = 0; i < 32 * 8; i++) net_w2[i] = uniform() - 1;
    for (i = 0; i < 16 * 8; i++) net_to[i] = uniform() - 1;
    network_step();
}
static double run_network(void)
{
    double sum = 0;
    int k;
    for (k = 0; k < 10; k++) sum += network_step();
    return sum;
}
READY(network_plain) { make_network(AD_SIMD_PLAIN); }
WORK(network_plain) { return run_network(); }
READY(network_avx2) { make_network(AD_SIMD_AVX2); }
WORK(network_avx2) { return run_network(); }

/* ---- the checker */
static double valley(const double *v, size_t n, void *user)
{
    double s = 0;
    size_t i;
    (void)user;
    for (i = 0; i + 1 < n; i++) {
        const double a = v[i + 1] - v[i] * v[i], b = 1 - v[i];
        s += 100 * a * a + b * b;
    }
    return s;
}
static void valley_gradient(const double *v, size_t n, double *g, void *user)
{
    size_t i;
    (void)user;
    for (i = 0; i < n; i++) g[i] = 0;
    for (i = 0; i + 1 < n; i++) {
        const double a = v[i + 1] - v[i] * v[i];
        g[i] += -400 * a * v[i] - 2 * (1 - v[i]);
        g[i + 1] += 200 * a;
    }
}
READY(check) { make_tape(); }
WORK(check)
{
    ad_check_result result;
    double sum = 0;
    size_t k;
    for (k = 0; k < 10; k++)
        sum += (double)ad_check_gradient(valley, valley_gradient, at + k, 8, NULL, NULL, &result);
    return sum;
}

static const struct workload {
    const char *name;
    void (*ready)(void);
    double (*work)(void);
} workloads[] = {
#define ROW(name) { #name, ready_##name, work_##name },
    ROW(record) ROW(backward) ROW(hot) ROW(forward) ROW(forward_over_reverse) ROW(jacobian)
    ROW(grad_vars) ROW(duals) ROW(fn_create) ROW(fn_native) ROW(fn_eval) ROW(map_plain)
    ROW(map_avx2) ROW(parse) ROW(rows_1) ROW(rows_2) ROW(rows_4)
    ROW(bends_1) ROW(bends_2) ROW(bends_4) ROW(apart_1) ROW(apart_2) ROW(apart_4)
    ROW(kinds_1) ROW(kinds_2) ROW(kinds_4)
    ROW(network_plain) ROW(network_avx2) ROW(check)
#undef ROW
};

int main(int argc, char **argv)
{
    size_t i;
    for (i = 0; i < sizeof workloads / sizeof workloads[0]; i++) {
        if (argc < 2) puts(workloads[i].name);
        else if (strcmp(argv[1], workloads[i].name) == 0) {
            workloads[i].ready();
            printf("%.17g\n", workloads[i].work());
            if (tape && ad_tape_status(tape) != AD_OK) {
                fprintf(stderr, "%s: %s\n", argv[1], ad_tape_message(tape));
                return 1;
            }
            ad_fn_destroy(fn);
            ad_tape_destroy(tape);
            return 0;
        }
    }
    return argc < 2 ? 0 : 2;
}
