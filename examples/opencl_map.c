/* A compiled function on a graphics card, or whatever OpenCL finds: the energy of 100,000 springs
   between points of a line, summed, and its derivatives: the force of each spring on its ends; by
   stiffness and length, which all share, sums. The ends are gathered by index. Compared with
   ad_fn_map (-DWITH_OPENCL -lOpenCL; Debian: ocl-icd-opencl-dev, pocl-opencl-icd). */
#define AUTODIFF_STATIC double
#include "../autodiff.h"
#include <stdio.h>
#include <stdlib.h>

#ifndef WITH_OPENCL
int main(void) { return puts("SKIP opencl_map: compiled without OpenCL") < 0; }
#else
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

enum { POINTS = 5000, SPRINGS = 100000, GROUPS = (SPRINGS + 63) / 64, SIZE = 3 + 2 * SPRINGS };
enum { INPUTS = 4, OUTPUTS = 5 };
static double from[2 + POINTS], to[SIZE], on_host[SIZE], part[OUTPUTS * GROUPS];
static unsigned end_of[2 * SPRINGS];
static char text[20000];

static int keep(void *user, const char *more, size_t length)
{
    (void)user;
    strncat(text, more, sizeof text - 1 - strlen(text));
    return strlen(text) == sizeof text - 1 && length > 0;
}
static void expect(int good, const char *what)
{
    if (!good) printf("opencl_map: %s\n", what);
    if (!good) exit(1);
}
static cl_mem buffer(cl_context context, size_t bytes, void *data)
{
    cl_mem m = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, data, NULL);
    expect(m != NULL, "clCreateBuffer");
    return m;
}
/* Runs a kernel on the springs and n buffers, so many groups of 64. */
static void run(cl_command_queue queue, cl_program program, const char *name, size_t groups,
                cl_uint n, const cl_mem *m)
{
    const cl_long springs = SPRINGS;
    const size_t group = 64, items = group * groups;
    cl_kernel k = clCreateKernel(program, name, NULL);
    cl_uint i;
    expect(k && clSetKernelArg(k, 0, sizeof springs, &springs) == CL_SUCCESS, name);
    for (i = 0; i < n; i++)
        expect(clSetKernelArg(k, i + 1, sizeof m[i], &m[i]) == CL_SUCCESS, name);
    expect(clEnqueueNDRangeKernel(queue, k, 1, NULL, &items, &group, 0, NULL, NULL) == CL_SUCCESS,
           name);
    clReleaseKernel(k);
}

int main(void)
{
    /* place, stride, and place in the indices or -1: two ends, what all share; then a sum, two
       forces a spring, two sums */
    cl_long in_port[] = { 2, 1, 0,  2, 1, SPRINGS,  0, 0, -1,  1, 0, -1 };
    cl_long out_port[] = { 0, 0, -1,  3, 1, -1,  3 + SPRINGS, 1, -1,  1, 0, -1,  2, 0, -1 };
    ad_fn *const f = ad_fn_parse("k/2*(b - a - length)^2", "a, b, k, length", NULL, 0);
    ad_fn *const g = ad_fn_gradient(f);
    char error[200] = "", name[100] = "";
    ad_port in[INPUTS], out[OUTPUTS];
    ad_emit_desc desc;
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_mem m[7], sums[3];
    const char *source = text;
    double worst = 0;
    unsigned otherwise = 0, i;
    from[0] = 2.5;                               /* k, length, then the points */
    from[1] = 0.01;
    for (i = 0; i < POINTS; i++) from[2 + i] = 0.01 * i + 0.002 * sin(i);
    for (i = 0; i < SPRINGS; i++) {
        end_of[i] = i % (POINTS - 1);
        end_of[SPRINGS + i] = end_of[i] + 1;
    }
    /* the same on the processor */
    in[0] = ad_port_gather(from + 2, 1, end_of);
    in[1] = ad_port_gather(from + 2, 1, end_of + SPRINGS);
    for (i = 2; i < INPUTS; i++) in[i] = ad_port_shared(from + i - 2);
    for (i = 0; i < OUTPUTS; i++)
        out[i] = ad_port_of(on_host + out_port[3 * i], (ptrdiff_t)out_port[3 * i + 1], NULL);
    expect(ad_fn_map(g, SPRINGS, in, out, NULL) == AD_OK, ad_fn_message(g));
    /* the kernels */
    memset(&desc, 0, sizeof desc);
    desc.name = "springs";
    desc.language = AD_LANGUAGE_OPENCL;
    desc.error = error;
    desc.error_size = sizeof error;
    expect(ad_fn_emit(g, &desc, keep, NULL) == AD_OK, error);
    if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS
        || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
        return puts("SKIP opencl_map: no device") < 0;
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    queue = clCreateCommandQueue(context, device, 0, NULL);
    program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    expect(clBuildProgram(program, 1, &device, "", NULL, NULL) == CL_SUCCESS, "clBuildProgram");
    sums[1] = m[3] = buffer(context, sizeof to, to);
    sums[2] = m[4] = buffer(context, sizeof out_port, out_port);
    sums[0] = m[5] = buffer(context, sizeof part, part);
    m[0] = buffer(context, sizeof from, from);
    m[1] = buffer(context, sizeof in_port, in_port);
    m[2] = buffer(context, sizeof end_of, end_of);
    m[6] = buffer(context, sizeof otherwise, &otherwise);
    run(queue, program, "springs_map", GROUPS, 7, m);
    run(queue, program, "springs_sum", OUTPUTS, 3, sums);
    clEnqueueReadBuffer(queue, m[3], CL_TRUE, 0, sizeof to, to, 0, NULL, NULL);
    for (i = 0; i < SIZE; i++) worst = fmax(worst, fabs(to[i] - on_host[i]) / (1 + fabs(to[i])));
    printf("%s: energy %.9f, by k %.9f, by length %.6f; off by %.1e at most\n", name, to[0], to[1],
           to[2], worst);
    return !(worst < 1e-11);
}
#endif
