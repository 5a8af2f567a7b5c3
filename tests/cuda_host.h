/* What emitted CUDA C needs, without CUDA. For clang's device compiler (__CUDA__) the few words of
   CUDA's headers, and the names of its mathematics: what comes out is PTX that has these functions
   still to be linked. For this machine, in C++, the same text runs block after block, the threads
   of a block as coroutines that change places where they wait for each other. */
#ifndef CUDA_HOST_H
#define CUDA_HOST_H
#define CUDA_ONE(X)                                                                                \
    X(sqrt) X(cbrt) X(exp) X(exp2) X(expm1) X(log) X(log2) X(log10) X(log1p) X(sin) X(cos) X(tan)  \
    X(asin) X(acos) X(atan) X(sinh) X(cosh) X(tanh) X(asinh) X(acosh) X(atanh) X(erf) X(erfc)      \
    X(lgamma) X(floor) X(ceil) X(round) X(trunc) X(fabs)
#define CUDA_TWO(X) X(hypot) X(pow) X(atan2) X(fmod) X(copysign)

#if defined(__CUDACC__)                         /* CUDA itself is here */
#elif defined(__CUDA__)
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(n) __attribute__((launch_bounds(n)))
#define threadIdx cuda_thread()
#define blockIdx  cuda_block()
typedef __SIZE_TYPE__ size_t;
struct cuda_index { unsigned x; };
static __device__ cuda_index cuda_thread()
{
    const cuda_index i = { (unsigned)__nvvm_read_ptx_sreg_tid_x() };
    return i;
}
static __device__ cuda_index cuda_block()
{
    const cuda_index i = { (unsigned)__nvvm_read_ptx_sreg_ctaid_x() };
    return i;
}
static __device__ float __int_as_float(int i) { return __builtin_bit_cast(float, i); }
static __device__ unsigned atomicAdd(unsigned *to, unsigned by)
{
    return __atomic_fetch_add(to, by, __ATOMIC_RELAXED);
}
extern "C" __device__ void *memcpy(void *, const void *, size_t);
#define CUDA_X(name) extern "C" __device__ double name(double);                                    \
                     extern "C" __device__ float name##f(float);
CUDA_ONE(CUDA_X)
#undef CUDA_X
#define CUDA_X(name) extern "C" __device__ double name(double, double);                            \
                     extern "C" __device__ float name##f(float, float);
CUDA_TWO(CUDA_X)
#undef CUDA_X
extern "C" __device__ double fma(double, double, double);
extern "C" __device__ float fmaf(float, float, float);
#else

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#define __device__
#define __global__
#define __shared__ static                        /* one block at a time */
#define __launch_bounds__(n)
enum { CUDA_THREADS = 64, CUDA_STACK = 1 << 18 };
typedef struct cuda_index { unsigned x; } cuda_index;
#ifdef __cplusplus
extern "C" {
#endif
extern cuda_index threadIdx, blockIdx;
void __syncthreads(void);
/* Runs `kernel` in each of so many blocks. */
void cuda_launch(void (*kernel)(void), unsigned blocks);
#ifdef __cplusplus
}
static inline float __int_as_float(int i)
{
    float f;
    memcpy(&f, &i, sizeof f);
    return f;
}
static inline unsigned atomicAdd(unsigned *to, unsigned by)
{
    const unsigned was = *to;
    *to += by;
    return was;
}
#else
cuda_index threadIdx, blockIdx;
static ucontext_t cuda_main, cuda_thread[CUDA_THREADS];
static int cuda_done[CUDA_THREADS];
static void (*cuda_kernel)(void);
void __syncthreads(void) { swapcontext(&cuda_thread[threadIdx.x], &cuda_main); }
static void cuda_start(void)
{
    cuda_kernel();
    cuda_done[threadIdx.x] = 1;
}
void cuda_launch(void (*kernel)(void), unsigned blocks)
{
    char *const stack = (char *)malloc((size_t)CUDA_THREADS * CUDA_STACK);
    unsigned i, left;
    if (!stack) return;
    cuda_kernel = kernel;
    for (blockIdx.x = 0; blockIdx.x < blocks; blockIdx.x++) {
        for (i = 0; i < CUDA_THREADS; i++) {
            getcontext(&cuda_thread[i]);
            cuda_thread[i].uc_stack.ss_sp = stack + (size_t)i * CUDA_STACK;
            cuda_thread[i].uc_stack.ss_size = CUDA_STACK;
            cuda_thread[i].uc_link = &cuda_main;
            makecontext(&cuda_thread[i], cuda_start, 0);
            cuda_done[i] = 0;
        }
        do {                                     /* each to its next wait */
            for (i = left = 0; i < CUDA_THREADS; i++) {
                if (cuda_done[i]) continue;
                threadIdx.x = i;
                swapcontext(&cuda_main, &cuda_thread[i]);
                left += !cuda_done[i];
            }
        } while (left);
    }
    free(stack);
}
#endif
#endif
#endif
