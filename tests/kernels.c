/* Emitted kernels against the functions that they were emitted from. Three programs of one text:
       -DKERNELS_OPENCL   makes the functions, emits each as OpenCL C, runs it on the first device
                          through the real interface, and compares
       -DKERNELS_WRITE    writes them all out as CUDA C, to be compiled; `kernels board`: as C for
                          boards, which check_board.sh reads
       neither            linked with that text, compiled for this machine (tests/cuda_host.h)
   Every rule and its derivatives, guards, calls, loops, tables of numbers, pieces, in double and
   float; ports that are shared, gathered, scattered, with strides, summed; numbers of points around
   the size of a group. Where the functions are libm's, or none but + - * / sqrt and comparisons are
   used, the bits are those of ad_fn_eval, else a bound holds; sums are those of the documented
   order, to the bit, and near those of ad_fn_map. The file includes itself, once for each real
   type. */
#ifndef PREAL
#include "alone.h"
#include "programs.h"

enum { CASES = 11, POINTS = 4200, INPUTS = 128, OUTPUTS = 512, TEXT = 4000000 };

typedef struct kernels_text { char *text; size_t n; } kernels_text;
static int kernels_keep(void *user, const char *text, size_t length)
{
    kernels_text *const t = (kernels_text *)user;
    if (length >= TEXT - t->n) return 1;
    memcpy(t->text + t->n, text, length);
    t->n += length;
    t->text[t->n] = 0;
    return 0;
}
/* The emulated kernels: what the generated program exports. */
typedef struct kernels_entry {
    char     kind;
    unsigned number;
    void   (*map)(long long points, const void *in, const long long *in_port, const unsigned *index,
                  void *out, const long long *out_port, void *part, unsigned *otherwise);
    void   (*sum)(long long points, const void *part, void *out, const long long *out_port);
} kernels_entry;

#if defined(KERNELS_OPENCL)
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
static cl_context kernels_context;
static cl_command_queue kernels_queue;
static cl_device_id kernels_device;
static cl_program kernels_program;
/* The numbers are libm's, bits are compared. */
enum { KERNELS_BITS = 0 };

static int kernels_try(cl_int error, const char *what)
{
    return test_check(error == CL_SUCCESS, __FILE__, __LINE__, "%s: error %d", what, (int)error);
}
static int kernels_begin(void)
{
    cl_platform_id platform;
    cl_uint count = 0;
    cl_int error;
    char name[200] = "", version[200] = "";
    if (clGetPlatformIDs(1, &platform, &count) != CL_SUCCESS || !count
        || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &kernels_device, NULL) != CL_SUCCESS) {
        puts("no OpenCL device");
        return 0;
    }
    clGetDeviceInfo(kernels_device, CL_DEVICE_NAME, sizeof name, name, NULL);
    clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof version, version, NULL);
    printf("%s; %s\n", name, version);
    kernels_context = clCreateContext(NULL, 1, &kernels_device, NULL, NULL, &error);
    if (kernels_try(error, "clCreateContext"))
        kernels_queue = clCreateCommandQueue(kernels_context, kernels_device, 0, &error);
    return kernels_try(error, "clCreateCommandQueue");
}
static int kernels_build(const char *text)
{
    cl_int error;
    char log[4000] = "";
    if (kernels_program) clReleaseProgram(kernels_program);
    kernels_program = clCreateProgramWithSource(kernels_context, 1, &text, NULL, &error);
    error = clBuildProgram(kernels_program, 1, &kernels_device,
        "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt -Werror", NULL, NULL);
    clGetProgramBuildInfo(kernels_program, kernels_device, CL_PROGRAM_BUILD_LOG, sizeof log - 1,
                          log, NULL);
    return test_check(error == CL_SUCCESS, __FILE__, __LINE__, "build: %d\n%s", (int)error, log);
}
static cl_mem kernels_buffer(size_t bytes, const void *from)
{
    cl_int error;
    cl_mem m = clCreateBuffer(kernels_context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                              bytes, (void *)(uintptr_t)from, &error);
    kernels_try(error, "clCreateBuffer");
    return m;
}
static void kernels_arguments(cl_kernel k, const cl_mem *m, cl_uint n, cl_long points)
{
    cl_uint i;
    kernels_try(clSetKernelArg(k, 0, sizeof points, &points), "clSetKernelArg");
    for (i = 0; i < n; i++)
        kernels_try(clSetKernelArg(k, i + 1, sizeof m[i], &m[i]), "clSetKernelArg");
}
static void kernels_run(char kind, size_t number, size_t size, size_t points, size_t n, size_t m,
    const void *in, size_t n_in, const cl_long *in_port, const unsigned *index, size_t n_index,
    void *out, size_t n_out, const cl_long *out_port, unsigned *otherwise)
{
    char name[40];
    cl_mem b[7], part_first[3];
    const size_t groups = (points + 63) / 64, global = 64 * groups, local = 64, all = 64 * m;
    void *const part = calloc(groups * m, size);
    cl_kernel k;
    cl_int error;
    size_t i;
    b[0] = kernels_buffer(n_in * size, in);
    b[1] = kernels_buffer(3 * n * sizeof *in_port, in_port);
    b[2] = kernels_buffer(n_index * sizeof *index, index);
    b[3] = kernels_buffer(n_out * size, out);
    b[4] = kernels_buffer(3 * m * sizeof *out_port, out_port);
    b[5] = kernels_buffer(groups * m * size, part);
    b[6] = kernels_buffer(sizeof *otherwise, otherwise);
    snprintf(name, sizeof name, "%c_%u_map", kind, (unsigned)number);
    k = clCreateKernel(kernels_program, name, &error);
    kernels_try(error, name);
    kernels_arguments(k, b, 7, (cl_long)points);
    kernels_try(clEnqueueNDRangeKernel(kernels_queue, k, 1, NULL, &global, &local, 0, NULL, NULL),
                name);
    clReleaseKernel(k);
    snprintf(name, sizeof name, "%c_%u_sum", kind, (unsigned)number);
    k = clCreateKernel(kernels_program, name, &error);
    kernels_try(error, name);
    part_first[0] = b[5];
    part_first[1] = b[3];
    part_first[2] = b[4];
    kernels_arguments(k, part_first, 3, (cl_long)points);
    kernels_try(clEnqueueNDRangeKernel(kernels_queue, k, 1, NULL, &all, &local, 0, NULL, NULL),
                name);
    clReleaseKernel(k);
    kernels_try(clEnqueueReadBuffer(kernels_queue, b[3], CL_TRUE, 0, n_out * size, out, 0, NULL,
                                    NULL), "clEnqueueReadBuffer");
    kernels_try(clEnqueueReadBuffer(kernels_queue, b[6], CL_TRUE, 0, sizeof *otherwise, otherwise,
                                    0, NULL, NULL), "clEnqueueReadBuffer");
    for (i = 0; i < 7; i++) clReleaseMemObject(b[i]);
    free(part);
}
static void kernels_end(void)
{
    if (kernels_program) clReleaseProgram(kernels_program);
    if (kernels_queue) clReleaseCommandQueue(kernels_queue);
    if (kernels_context) clReleaseContext(kernels_context);
}
typedef cl_long kernels_long;
#else
typedef long long kernels_long;
#if !defined(KERNELS_WRITE)
#include "cuda_host.h"
extern const kernels_entry kernels_entries[];
extern const size_t kernels_count;
enum { KERNELS_BITS = 1 };
static struct kernels_call {
    const kernels_entry *e;
    long long points;
    const void *in;
    const long long *in_port, *out_port;
    const unsigned *index;
    void *out, *part;
    unsigned *otherwise;
} kernels_now;
static void kernels_map(void)
{
    const struct kernels_call *const c = &kernels_now;
    c->e->map(c->points, c->in, c->in_port, c->index, c->out, c->out_port, c->part, c->otherwise);
}
static void kernels_sum(void)
{
    const struct kernels_call *const c = &kernels_now;
    c->e->sum(c->points, c->part, c->out, c->out_port);
}
static void kernels_run(char kind, size_t number, size_t size, size_t points, size_t n, size_t m,
    const void *in, size_t n_in, const long long *in_port, const unsigned *index, size_t n_index,
    void *out, size_t n_out, const long long *out_port, unsigned *otherwise)
{
    struct kernels_call *const c = &kernels_now;
    const unsigned groups = (unsigned)(points + 63) / 64;
    size_t i;
    (void)n;
    (void)n_in;
    (void)n_index;
    (void)n_out;
    memset(c, 0, sizeof *c);
    for (i = 0; i < kernels_count; i++)
        if (kernels_entries[i].kind == kind && kernels_entries[i].number == number)
            c->e = &kernels_entries[i];
    if (!CHECK(c->e != NULL)) return;
    c->points = (long long)points;
    c->in = in;
    c->in_port = in_port;
    c->out_port = out_port;
    c->index = index;
    c->out = out;
    c->part = calloc(groups * m, size);
    c->otherwise = otherwise;
    cuda_launch(kernels_map, groups);
    cuda_launch(kernels_sum, (unsigned)m);
    free(c->part);
}
#endif
#endif

#define TWICE "kernels.c"
#include "twice.h"

int main(int argc, char **argv)
{
    size_t k;
    kernels_text text;
    text.text = (char *)malloc(TEXT);
    (void)argc;
    (void)argv;
    if (!text.text) return 1;
#if defined(KERNELS_WRITE)
    if (argc > 1 && strcmp(argv[1], "board") == 0) {
        for (k = 0; k < CASES; k++) {
            d_write(k, AD_LANGUAGE_BOARD, &text);
            f_write(k, AD_LANGUAGE_BOARD, &text);
        }
        free(text.text);
        return 0;
    }
    puts("#include \"cuda_host.h\"");
    for (k = 0; k < CASES; k++) {
        d_write(k, AD_LANGUAGE_CUDA, &text);
        f_write(k, AD_LANGUAGE_CUDA, &text);
    }
    puts("#if !defined(__CUDA__) && !defined(__CUDACC__)\n"
         "typedef struct kernels_entry {\n    char kind;\n    unsigned number;\n"
         "    void (*map)(), (*sum)();\n} kernels_entry;\nextern \"C\" {\n"
         "extern const kernels_entry kernels_entries[];\nextern const size_t kernels_count;\n}\n"
         "const kernels_entry kernels_entries[] = {");
    for (k = 0; k < 2 * CASES; k++)
        printf("    { '%c', %u, (void (*)())%c_%u_map, (void (*)())%c_%u_sum },\n", "df"[k % 2],
            (unsigned)k / 2, "df"[k % 2], (unsigned)k / 2, "df"[k % 2], (unsigned)k / 2);
    printf("};\nconst size_t kernels_count = %u;\n#endif\n", 2u * CASES);
    free(text.text);
    printf("/* ");
    k = (size_t)test_finish();
    puts("*/");
    return (int)k;
#else
#if defined(KERNELS_OPENCL)
    if (!kernels_begin()) return 77;
#endif
    for (k = 0; k < CASES; k++) {
        d_compare(k, &text);
        f_compare(k, &text);
    }
#if defined(KERNELS_OPENCL)
    kernels_end();
#endif
    free(text.text);
    return test_finish();
#endif
}
#else

/* What functions call: it lives as long as they do. */
static PAD(fn) *PT(callee)[2];
/* Function number k. exact: + - * / sqrt and comparisons alone. */
static PAD(fn) *PT(make)(size_t k, int *exact, ad_emit_desc *d)
{
    PAD(tape) *const t = PAD(tape_create)(NULL);
    PAD(fn) *f = NULL, *g = NULL;
    PAD(var) x[INPUTS], y[OUTPUTS], s;
    size_t i, m = 0;
    memset(d, 0, sizeof *d);
    *exact = k != 1 && k != 2;
    for (i = 0; i < 4; i++) x[i] = PAD(input)(t, (PREAL)(0.25 + 0.125 * (double)i));
    switch (k) {
    case 0:                                      /* arithmetic */
        f = PAD(fn_parse)("x*y + z/(1 + y*y); sqrt(x*x + z*z); max(x, y)*z - min(y, z)/x;"
            "x < y ? x^3 : abs(y - z); (x + y)*(x - y)*0.3333333333333333; y^-3; z >= x",
            "x, y, z", NULL, 0);
        g = PAD(fn_jacobian)(f);
        break;
    case 1: case 2:                              /* every rule but digamma's kind; derivatives */
        for (i = 0; i < PROGRAM_RULES; i++) {
            const PT(form) *const q = &PT(forms)[i];
            if (strstr(program_rules[i].name, k == 1 ? "igamma" : "gamma")
                || strcmp(program_rules[i].name, "polygamma") == 0) continue;
            y[m++] = q->var1 ? q->var1(x[i % 3]) : q->var2 ? q->var2(x[0], x[i % 2 + 1])
                                                          : q->var3(x[0], x[1], x[2]);
        }
        f = PAD(fn_create)(t, 3, x, m, y, NULL);
        if (k == 2) g = PAD(fn_jacobian)(f);
        break;
    case 3:                                      /* guards */
        y[0] = PAD(branch)(PAD(var_lt)(x[0], x[1])) ? PAD(var_mul)(x[0], x[1]) : x[2];
        y[1] = x[1];
        y[2] = PAD(const)((PREAL)0.5);
        y[3] = PAD(branch)(PAD(var_lt_r)(x[2], (PREAL)1)) ? PAD(var_div)(x[2], y[0]) : x[0];
        f = PAD(fn_create)(t, 3, x, 4, y, NULL);
        break;
    case 4: case 5:                              /* calls, in what is called a guard */
        y[0] = PAD(branch)(PAD(var_lt_r)(x[0], (PREAL)2)) ? PAD(var_mul)(x[0], x[1]) : x[1];
        y[1] = PAD(var_div)(x[1], x[0]);
        f = PAD(fn_create)(t, 2, x, 2, y, NULL);
        PAD(tape_reset)(t);
        for (i = 0; i < 3; i++) x[i] = PAD(input)(t, (PREAL)0.5 + (PREAL)i);
        PAD(fn_call)(f, t, 2, x, 2, y);
        PAD(fn_call)(f, t, 2, y, 2, y + 2);
        y[4] = PAD(var_mul)(y[3], x[2]);
        PT(callee)[0] = f;
        f = PAD(fn_create)(t, 3, x, 5, y, NULL);
        if (k == 5) {
            PT(callee)[1] = f;
            f = PAD(fn_jacobian)(f);
        }
        break;
    case 6: case 7:                              /* a loop of many numbers, and its derivative */
        f = PAD(fn_parse)("s + 0.25*u*r; r - 0.5*p*s; s*u; r/(1 + s*s)", "s, r, p, u", NULL, 0);
        g = PAD(fn_repeat)(f, 12, 2, 1, 1);
        if (k == 7) {
            PAD(fn_destroy)(f);
            f = g;
            g = PAD(fn_vjp)(f);
        }
        break;
    case 8:                                      /* outputs that are numbers, a table of them */
        for (i = 0; i < 4; i++) y[m++] = PAD(var_mul)(x[i], x[i]);
        for (i = 0; i < 3; i++) y[m++] = PAD(var_mul)(y[i], y[i + 1]);
        f = PAD(fn_create)(t, 4, x, m, y, NULL);
        g = PAD(fn_jacobian)(f);
        break;
    case 9:                                      /* a table that has no NaN and no infinity */
        for (i = 0; i < 24; i++)
            y[i] = PAD(const)((PREAL)(i == 5 ? (double)NAN : i == 9 ? HUGE_VAL
                                      : i == 10 ? -HUGE_VAL : 0.25 * (double)i));
        y[7] = PAD(var_square)(x[0]);
        f = PAD(fn_create)(t, 1, x, 24, y, NULL);
        break;
    default:                                     /* pieces */
        for (s = x[0], i = 0; i < 300; i++) {
            s = PAD(var_add)(PAD(var_mul_r)(s, (PREAL)0.75), x[i % 4]);
            if (i % 60 == 9) y[m++] = s;
        }
        f = PAD(fn_create)(t, 4, x, m, y, NULL);
        d->piece = 20;
    }
    PAD(tape_destroy)(t);
    if (g) {
        PAD(fn_destroy)(f);
        f = g;
    }
    test_check(PAD(fn_status)(f) == AD_OK, __FILE__, __LINE__, "function %u: %s", (unsigned)k,
               PAD(fn_message)(f));
    return f;
}
static void PT(release)(PAD(fn) *f)
{
    PAD(fn_destroy)(f);
    PAD(fn_destroy)(PT(callee)[1]);
    PAD(fn_destroy)(PT(callee)[0]);
    PT(callee)[0] = PT(callee)[1] = NULL;
}
#if defined(KERNELS_WRITE) || defined(KERNELS_OPENCL)
static int PT(emit)(const PAD(fn) *f, size_t k, ad_emit_language language, ad_emit_desc *d,
                    kernels_text *text)
{
    char name[32], error[200];
    ad_status s;
    snprintf(name, sizeof name, "%c_%u", sizeof(PREAL) == sizeof(float) ? 'f' : 'd', (unsigned)k);
    d->name = name;
    d->language = language;
    d->error = error;
    d->error_size = sizeof error;
    text->n = 0;
    s = PAD(fn_emit)(f, d, kernels_keep, text);
    return test_check(s == AD_OK, __FILE__, __LINE__, "%s: %s", ad_status_name(s), error);
}
#endif

#if defined(KERNELS_WRITE)
static void PT(write)(size_t k, ad_emit_language language, kernels_text *text)
{
    ad_emit_desc d;
    int exact;
    PAD(fn) *const f = PT(make)(k, &exact, &d);
    if (PT(emit)(f, k, language, &d, text)) puts(text->text);
    PT(release)(f);
}
#else
#if !defined(KERNELS_POINTS)
#define KERNELS_POINTS
static const size_t kernels_points[] = { 1, 64, 65, 700, POINTS };
#endif
/* Adds 64 numbers in pairs, as the kernels' head says. */
static PREAL PT(pairs)(PREAL *row)
{
    size_t by, i;
    for (by = 32; by > 0; by /= 2) for (i = 0; i < by; i++) row[i] = row[i] + row[i + by];
    return row[0];
}
/* The sum over the points of v[points] in the documented order. */
static PREAL PT(ordered)(const PREAL *v, size_t points)
{
    const size_t groups = (points + 63) / 64;
    PREAL row[64], all[64];
    size_t g, i;
    for (i = 0; i < 64; i++) all[i] = 0;
    for (g = 0; g < groups; g++) {
        for (i = 0; i < 64; i++) row[i] = 64 * g + i < points ? v[64 * g + i] : 0;
        all[g % 64] = all[g % 64] + PT(pairs)(row);
    }
    return PT(pairs)(all);
}

static void PT(compare)(size_t k, kernels_text *text)
{
    static PREAL in[INPUTS * POINTS], out[OUTPUTS * (POINTS + 4)], mixed[OUTPUTS * 3 * POINTS],
        sums[OUTPUTS];
    static unsigned index[2 * POINTS];
    const char kind = sizeof(PREAL) == sizeof(float) ? 'f' : 'd';
    ad_emit_desc d;
    ad_map_desc plain;
    int exact;
    PAD(fn) *const f = PT(make)(k, &exact, &d);
    const ad_fn_stats stats = PAD(fn_get_stats)(f);
    const size_t n = stats.inputs, m = stats.outputs;
    kernels_long in_port[3 * INPUTS], out_port[3 * OUTPUTS];
    PAD(port) from[INPUTS], to[OUTPUTS];
    const double bound = kind == 'f' ? 2e-5 : 1e-13;
    program_dice dice;
    size_t i, q, r;
    memset(&plain, 0, sizeof plain);
    if (!test_check(n <= INPUTS && m <= OUTPUTS, __FILE__, __LINE__, "function %u is too large",
                    (unsigned)k)) return;
    (void)text;
#if defined(KERNELS_OPENCL)
    if (!PT(emit)(f, k, AD_LANGUAGE_OPENCL, &d, text) || !kernels_build(text->text)) return;
#else
    exact |= KERNELS_BITS;
#endif
    dice.state = 99 + k;
    for (i = 0; i < n * POINTS; i++) in[i] = (PREAL)(0.1 + 0.85 * fabs(program_unit(&dice)));
    if (k == 3) for (i = 0; i < n * POINTS; i += 5) in[i] = (PREAL)1.25;
    for (q = 0; q < POINTS; q++) index[POINTS + q] = (unsigned)(program_draw(&dice) % POINTS);
    for (r = 0; r < sizeof kernels_points / sizeof *kernels_points; r++) {
        const size_t points = kernels_points[r];
        unsigned otherwise[2] = { 0, 0 };
        size_t other = 0;
        for (q = 0; q < points; q++) index[q] = (unsigned)(points - 1 - q);
        for (i = 0; i < n; i++) {                /* shared, gathered, every second, the next */
            kernels_long *const p = in_port + 3 * i;
            p[0] = (kernels_long)(i * POINTS);
            p[1] = i % 4 == 2 ? 0 : 1;
            p[2] = i % 4 == 1 ? POINTS : -1;
            if (i % 4 == 3) p[0] += (kernels_long)points - 1, p[1] = -1;          /* backwards */
            from[i] = i % 4 == 1 ? PAD(port_gather)(in + i * POINTS, 1, index + POINTS)
                    : i % 4 == 2 ? PAD(port_shared)(in + i * POINTS)
                    : i % 4 == 3 ? PAD(port_in)(in + i * POINTS + points - 1, -1)
                                 : PAD(port_in)(in + i * POINTS, 1);
        }
        /* every output of every point */
        for (i = 0; i < m; i++) {
            out_port[3 * i] = (kernels_long)(i * points);
            out_port[3 * i + 1] = 1;
            out_port[3 * i + 2] = -1;
        }
        for (i = 0; i < m * points; i++) out[i] = -77;
        kernels_run(kind, k, sizeof(PREAL), points, n, m, in, n * POINTS, in_port, index,
                    2 * POINTS, out, m * points, out_port, &otherwise[0]);
        for (q = 0; q < points; q++) {
            PREAL x[INPUTS], y[OUTPUTS];
            int same = 1;
            for (i = 0; i < n; i++)
                x[i] = from[i].data[(ptrdiff_t)(from[i].index ? from[i].index[q] : q)
                                    * from[i].stride];
            other += PAD(fn_eval)(f, x, y) == AD_ERR_BRANCH;
            for (i = 0; i < m && same; i++) {
                const PREAL got = out[i * points + q];
                same = exact ? PT(same)(got, y[i])
                             : test_near((double)got, (double)y[i], bound);
            }
            if (!same || q == 0)
                test_check(same, __FILE__, __LINE__, "%c_%u, point %u of %u: output %u is %.17g, "
                    "not %.17g", kind, (unsigned)k, (unsigned)q, (unsigned)points, (unsigned)i - 1,
                    (double)out[(i - 1) * points + q], (double)y[i - 1]);
            if (!same) break;
        }
        CHECK(otherwise[0] == other);
        CHECK((k == 3) == (other > 0) || points < 64);
        /* sums, scattered, with a stride; one by one the same numbers */
        for (i = 0; i < m; i++) {
            kernels_long *const p = out_port + 3 * i;
            p[0] = (kernels_long)(i * 3 * points);
            p[1] = i % 3 == 0 ? 0 : i % 3 == 1 ? 1 : 3;
            p[2] = i % 3 == 1 ? 0 : -1;
            to[i] = PAD(port_of)(i % 3 == 0 ? sums + i : mixed + i * 3 * points,
                                 i % 3 == 0 ? 0 : 1, NULL);
        }
        for (i = 0; i < 3 * m * points; i++) mixed[i] = -77;
        kernels_run(kind, k, sizeof(PREAL), points, n, m, in, n * POINTS, in_port, index,
                    2 * POINTS, mixed, 3 * m * points, out_port, &otherwise[1]);
        CHECK(otherwise[1] == other);
        for (i = 0; i < m; i++) {
            const PREAL *const v = mixed + i * 3 * points;
            size_t wrong = 0, extra = 0;
            for (q = 0; q < 3 * points && i % 3; q++) {
                const int taken = i % 3 == 2 ? q % 3 == 0 : q < points;
                if (!taken) extra += !(v[q] == -77);
                else wrong += !PT(same)(v[q], out[i * points + (i % 3 == 2 ? q / 3
                                                                         : points - 1 - q)]);
            }
            if (i % 3 == 0) {
                const PREAL s = PT(ordered)(out + i * points, points);
                test_check(PT(same)(v[0], s), __FILE__, __LINE__, "%c_%u, %u points: the sum of "
                    "output %u is %.17g, not %.17g", kind, (unsigned)k, (unsigned)points,
                    (unsigned)i, (double)v[0], (double)s);
                for (q = 1; q < 3 * points; q++) extra += !(v[q] == -77);
            }
            test_check(!wrong && !extra, __FILE__, __LINE__, "%c_%u, %u points: output %u is wrong "
                "at %u, and written to at %u other places", kind, (unsigned)k, (unsigned)points,
                (unsigned)i, (unsigned)wrong, (unsigned)extra);
        }
        /* ad_fn_map has the same sums in another order */
        if (!other) {
            CHECK_STATUS(PAD(fn_map)(f, points, from, to, &plain), AD_OK);
            for (i = 0; i < m; i += 3) {
                double all = 0;
                for (q = 0; q < points; q++) all += fabs((double)out[i * points + q]);
                all = (all * 64 * PUNIT + (double)points * bound) * (exact ? 1 : 10);
                if (sums[i] == sums[i] && sums[i] - sums[i] == 0)
                    test_check(fabs((double)mixed[i * 3 * points] - (double)sums[i]) <= all,
                        __FILE__, __LINE__, "%c_%u: the sum of output %u is %.17g, of the map "
                        "%.17g", kind, (unsigned)k, (unsigned)i, (double)mixed[i * 3 * points],
                        (double)sums[i]);
            }
        }
    }
    PT(release)(f);
}
#endif
#endif
