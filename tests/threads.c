/* Several threads, each with tapes and a cache of its own, that call one compiled function and one
   of arrays: what they compute together is, to the last bit, what one computes alone. Meant for
   the thread sanitizer, which sees whatever they should not share. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include "../autodiff.h"

enum { THREADS = 8, ROUNDS = 5, N = 6, TEXT = 400 };

typedef struct result {
    double  y, g[N], H[N * N], Hv[N], J[N * N], dual, special;
    double  rows;
    double  called[2 + 2 * N + N * N + 2], compiled[2 + N], arrays[1 + 2 * N];
    size_t  entries;
    double  cached[1 + N + N * N];
    float   yf, gf[N], Hf[N * N];
    size_t  rules, rule_letters, dump_bytes;
    unsigned long dump_sum;
    int     status[7];
    char    message[TEXT];
} result;

typedef struct job {
    int       seed;
    int       rounds;
    result    r;
    pthread_t thread;
} job;

static pthread_barrier_t start;

static ad_var f(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    ad_var s = ad_var_lgamma(ad_var_square(x[0]));
    size_t i;
    (void)t;
    for (i = 0; i + 1 < n; i++) {
        const ad_var d = ad_var_sub(x[i + 1], ad_var_square(x[i]));
        s = ad_var_add(s, ad_var_mul_r(ad_var_square(d), *(const double *)user));
        s = ad_var_add(s, ad_var_exp(ad_var_sin(ad_var_mul(x[i], x[i + 1]))));
    }
    return ad_var_add(s, ad_var_logsumexp(n, x));
}

static void fs(ad_tape *t, const ad_var *x, size_t n, ad_var *y, size_t m, void *user)
{
    size_t i;
    (void)t, (void)user;
    for (i = 0; i < m; i++) y[i] = ad_var_hypot(x[i], ad_var_tanh(x[(i + 1) % n]));
}

static adf_var ff(adf_tape *t, const adf_var *x, size_t n, void *user)
{
    adf_var s = adf_var_lgamma(adf_var_square(x[0]));
    size_t i;
    (void)t, (void)user;
    for (i = 0; i + 1 < n; i++)
        s = adf_var_add(s, adf_var_atan2(x[i], adf_var_add_r(adf_var_abs(x[i + 1]), 1)));
    return s;
}

static int add_up(void *user, const char *text, size_t length)
{
    result *r = (result *)user;
    size_t i;
    r->dump_bytes += length;
    for (i = 0; i < length; i++) r->dump_sum = r->dump_sum * 31 + (unsigned char)text[i];
    return 0;
}

/* A function that all threads call: its derivatives and its pattern are made by those who come
   first, all at once, and kept in it. It has a parameter, and calls another. */
static ad_fn *part, *shared;

static void share(void)
{
    static const unsigned char parameters[N] = { 0, 0, 1 };
    ad_tape *const t = ad_tape_create(NULL);
    const double x[N] = { 1, 2, 3, 4, 5, 6 };
    ad_fn_desc desc;
    ad_var in[N], y[2];
    memset(&desc, 0, sizeof desc);
    desc.parameters = parameters;
    part = ad_fn_parse("x*sin(y); y", "x, y", NULL, 0);
    ad_inputs(t, N, x, in);
    ad_fn_call(part, t, 2, in + 1, 2, y);
    y[1] = ad_var_mul(ad_var_tanh(y[1]), ad_var_logsumexp(N, in));
    shared = ad_fn_create(t, N, in, 2, y, &desc);
    ad_tape_destroy(t);
}
/* A function of arrays, with its gradient and a guard: it keeps one workspace, and those who come
   while another has it take their own. */
static ad_fn *network;
/* One of arrays that some run while others make functions of it for another batch. */
static ad_fn *rows;

static void share_arrays(void)
{
    static const double x[N] = { 1, 0.5, 2, 0.25, 1.5, 0.75 };
    const int32_t n = N, square[2] = { N, 1 };
    ad_tape *const t = ad_tape_create(NULL);
    ad_array in[2], a, loss;
    ad_fn *f;
    in[0] = ad_array_input(t, 1, &n, x);
    in[1] = ad_array_input(t, 2, square, x);
    a = ad_array_tanh(ad_array_mul(in[0], ad_array_softmax(in[1], 0)));
    if (ad_branch(ad_var_lt_r(ad_array_at(in[0], 0), 1e6))) a = ad_array_exp(a);
    loss = ad_array_sum(ad_array_square(ad_array_matmul(a, in[1])), AD_ALL_AXES, 0);
    f = ad_fn_create_arrays(t, 2, in, 1, &loss, NULL);
    network = ad_fn_gradient(f);
    ad_fn_destroy(f);
    ad_tape_destroy(t);
}
static void share_rows(void)
{
    static const double x[6] = { 1, 2, 3, 4, 5, 6 };
    const int32_t dim[2] = { 2, 3 };
    ad_tape *const t = ad_tape_create(NULL);
    const ad_array a = ad_array_input(t, 2, dim, x);
    const ad_array sum = ad_array_sum(ad_array_sin(a), AD_ALL_AXES, 0);
    rows = ad_fn_create_arrays(t, 1, &a, 1, &sum, NULL);
    ad_tape_destroy(t);
}
/* Both are the sum of the same sines: of two rows of three, or of three and one of zeros. */
static double of_rows(int seed)
{
    const unsigned char batched = 1;
    const double x[9] = { 1, 2, 3, 4, 5, 6, 0, 0, 0 }, *const in = x;
    double sum = 0, *const out = &sum;
    ad_fn *const f = seed % 2 ? ad_fn_batch(rows, &batched, 3) : NULL;
    ad_fn_run(f ? f : rows, &in, &out);
    ad_fn_destroy(f);
    return sum;
}
/* Seeds differ in what they want first. */
static void call(ad_tape *t, int seed, const double *x, const double *v, result *r)
{
    double *const o = r->called;
    ad_fn *f, *g;
    ad_pattern p;
    ad_var in[N], y[2], s, d[N];
    size_t i;
    int k;
    ad_inputs(t, N, x, in);
    ad_fn_call(shared, t, N, in, 2, y);
    s = ad_var_mul(y[0], y[1]);
    for (k = 0; k < 5; k++) {
        switch ((k + seed) % 5) {
        case 0:
            ad_backward(s);
            ad_adjoints(N, in, o);
            break;
        case 1:
            ad_forward(t, N, in, v);
            for (i = 0; i < 2; i++) o[N + i] = ad_tangent(y[i]);
            break;
        case 2:
            ad_hessian_of(s, N, in, o + N + 2);
            break;
        case 3:
            ad_hessian_pattern(t, N, in, 2, y, &p);
            r->entries = p.row_start[N];
            ad_pattern_free(&p);
            break;
        default:
            ad_grad_vars(s, N, in, d);
            for (i = 0; i < N; i++) o[N + 2 + N * N + i] = d[i].v;
        }
    }
    f = ad_fn_create(t, N, in, 1, &s, NULL);
    g = ad_fn_gradient(f);
    r->status[4] = (int)ad_fn_eval(g, x, r->compiled);
    ad_fn_destroy(f);
    ad_fn_destroy(g);
}

/* Errors of this thread's tape alone: two tapes in one operation, with its message. */
static void spoil(ad_tape *t, double v, result *r)
{
    ad_tape *other = ad_tape_create(NULL);
    ad_var a = ad_input(t, v), b = ad_input(other, v);
    r->status[2] = (int)ad_backward(ad_var_mul(a, b));
    r->status[3] = (int)ad_tape_status(t);
    snprintf(r->message, TEXT, "%s %s", ad_status_name(ad_tape_status(t)), ad_tape_message(t));
    ad_tape_destroy(other);
}

/* A cache for each thread: recorded twice, then compiled, and evicted in the end. */
static void keep(double *weight, const double *x, result *r)
{
    ad_cache_desc desc;
    ad_cache *c;
    ad_status s = AD_OK;
    int i;
    memset(&desc, 0, sizeof desc);
    desc.after = 2;
    desc.entries = 2;
    c = ad_cache_create(&desc);
    for (i = 0; i < 6 && s == AD_OK; i++) {
        s = ad_cache_gradient(c, 0, f, weight, x, N, NULL, 0, r->cached, r->cached + 1);
        if (s == AD_OK) s = ad_cache_jacobian(c, (uint64_t)(i > 3), fs, NULL, x, N, NULL, 0, N,
            NULL, r->cached + 1 + N);
    }
    r->status[6] = (int)(s == AD_OK && ad_cache_get_stats(c).hits == 6 ? AD_OK : AD_ERR_USER);
    ad_cache_destroy(c);
}

static void compute(int seed, result *r)
{
    double x[N], v[N], weight = 10 + seed;
    float xf[N];
    ad_tape *t = ad_tape_create(NULL);
    adf_tape *tf = adf_tape_create(NULL);
    ad_dual d = ad_dual_make(1.5 + seed, 1);
    const ad_rule *rule;
    ad_var y, in[N];
    size_t i;
    memset(r, 0, sizeof *r);
    for (i = 0; i < N; i++) {
        x[i] = 0.7 + 0.1 * (double)i + 0.01 * seed;
        v[i] = 1.0 / (double)(i + 1);
        xf[i] = (float)x[i];
    }
    ad_gradient(seed % 2 ? t : NULL, f, &weight, x, N, &r->y, r->g);
    ad_hessian(t, f, &weight, x, N, NULL, NULL, r->H);
    ad_hvp(t, f, &weight, x, N, v, NULL, NULL, r->Hv);
    ad_jacobian(t, fs, NULL, x, N, N, NULL, r->J);
    adf_gradient(tf, ff, NULL, xf, N, &r->yf, r->gf);
    adf_hessian(tf, ff, NULL, xf, N, NULL, NULL, r->Hf);
    keep(&weight, x, r);
    r->dual = ad_dual_lgamma(ad_dual_mul(d, ad_dual_digamma(d))).d;
    r->special = ad_real_polygamma(1.0 + seed, 3) + ad_real_lgamma(-0.5 - seed);

    ad_inputs(t, N, x, in);
    y = ad_name(f(t, in, N, &weight), "y");
    r->status[0] = (int)ad_backward(y);
    r->status[1] = (int)ad_graph_dump(t, AD_GRAPH_JSON, NULL, add_up, r);
    rule = ad_rules(&r->rules);
    for (i = 0; i < r->rules; i++)
        r->rule_letters += strlen(rule[i].name) + (rule[i].value ? strlen(rule[i].value) : 0);
    {
        const double *from[2];
        double *to[3];
        from[0] = x, from[1] = v;
        to[0] = r->arrays, to[1] = r->arrays + 1, to[2] = r->arrays + 1 + N;
        r->status[5] = (int)ad_fn_run(network, from, to);
    }
    r->rows = of_rows(seed);
    ad_tape_reset(t);
    call(t, seed, x, v, r);
    spoil(t, x[0], r);
    ad_tape_destroy(t);
    adf_tape_destroy(tf);
}

static void *run(void *user)
{
    job *j = (job *)user;
    int i;
    pthread_barrier_wait(&start);
    for (i = 0; i < j->rounds; i++) compute(j->seed, &j->r);
    return NULL;
}

int main(void)
{
    static job jobs[THREADS];
    static result alone;
    int i, passed = 0, failed = 0;
    share();
    share_arrays();
    share_rows();
    if (pthread_barrier_init(&start, NULL, THREADS) != 0) return 1;
    for (i = 0; i < THREADS; i++) {
        jobs[i].seed = i / 2;                       /* two threads do the same */
        jobs[i].rounds = ROUNDS;
        if (pthread_create(&jobs[i].thread, NULL, run, &jobs[i]) != 0) return 1;
    }
    for (i = 0; i < THREADS; i++) pthread_join(jobs[i].thread, NULL);
    for (i = 0; i < THREADS; i++) {
        const result *r = &jobs[i].r;
        compute(jobs[i].seed, &alone);
        if (memcmp(&alone, r, sizeof alone) == 0 && r->status[0] == AD_OK && r->status[1] == AD_OK
            && r->status[4] == AD_OK && r->status[5] == AD_OK && r->status[6] == AD_OK
            && r->arrays[0] > 0 && r->rows > -0.2 && r->rows < -0.1
            && r->entries > 0 && r->status[3] == AD_ERR_MIXED
            && r->dump_bytes > 0 && r->rules > 50) {
            passed++;
        } else {
            failed++;
            fprintf(stderr, "thread %d: not what one thread computes: y %.17g, %.17g; "
                            "dump %lu, %lu bytes; %s\n",
                    i, r->y, alone.y, (unsigned long)r->dump_bytes,
                        (unsigned long)alone.dump_bytes, r->message);
        }
    }
    pthread_barrier_destroy(&start);
    ad_fn_destroy(shared);
    ad_fn_destroy(network);
    ad_fn_destroy(rows);
    ad_fn_destroy(part);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
