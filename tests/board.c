/* The Jacobian of a step of an extended Kalman filter, as C for a board, on an emulated Cortex-M4:
       board code     the emitted C, for check_board.sh to compile
       board points   inputs, and what the compiled function says here: board_points.h
   For the board the same file is the program that compares, with vectors and semihosting of its
   own. A body falls along a line; a station at a distance measures how far away it is. State and
   covariance after the measurement, by both before, by the measurement and its variance. */
#if defined(__arm__)
#include <math.h>
#include <stdint.h>
#include "board_points.h"
void kalman(const float *x, float *y);

/* ---------------------------------------------------------------- the bare machine */
extern uint32_t board_stack[];                   /* by the linker script */
int main(void);
static long semihosting(long operation, const void *argument)
{
    register long r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}
static void board_exit(int status)
{
    const long argument[2] = { 0x20026, status };                /* the application ended */
    semihosting(0x20, argument);
    for (;;) continue;
}
static void board_fault(void) { board_exit(3); }
void board_reset(void);
void board_reset(void)
{
    *(volatile uint32_t *)0xE000ED88 |= 0xFu << 20;              /* the floating point unit is on */
    __asm__ volatile("dsb\n isb");
    board_exit(main());
}
__attribute__((section(".vectors"), used)) static const void *const board_vectors[16] = {
    board_stack, (const void *)board_reset, (const void *)board_fault, (const void *)board_fault,
    (const void *)board_fault, (const void *)board_fault, (const void *)board_fault };

static void say_number(const char *what, unsigned long v)
{
    char text[80];
    int n = 79;
    const char *c = what;
    text[n] = 0;
    text[--n] = '\n';
    do {
        text[--n] = (char)('0' + v % 10);
        v /= 10;
    } while (v);
    for (; *c; c++) continue;
    while (c > what) text[--n] = *--c;
    semihosting(0x04, text + n);
}

/* ---------------------------------------------------------------- the comparison */
int main(void)
{
    unsigned long wrong = 0, same = 0;
    unsigned p, i;
    for (p = 0; p < BOARD_POINTS; p++) {
        union { float f; uint32_t u; } y[BOARD_OUTPUTS], expected;
        float x[BOARD_INPUTS], results[BOARD_OUTPUTS];
        for (i = 0; i < BOARD_INPUTS; i++) x[i] = board_x[p][i];
        kalman(x, results);
        for (i = 0; i < BOARD_OUTPUTS; i++) {
            y[i].f = results[i];
            expected.u = board_y[p][i];
            if (y[i].u == expected.u) same++;
            else wrong++;
        }
    }
    say_number("numbers with the host's bits: ", same);
    say_number("others: ", wrong);
    return wrong != 0 || same != BOARD_POINTS * BOARD_OUTPUTS;
}
#else
#include "../autodiff.h"
#include <stdio.h>
#include <stdlib.h>

enum { INPUTS = 7, VALUES = 5, POINTS = 40 };

static int put(void *user, const char *text, size_t length)
{
    return fwrite(text, 1, length, (FILE *)user) != length;
}

/* x: position, velocity, covariance p00 p01 p11, the measurement, its variance. */
static void step(const adf_var *x, adf_var *y)
{
    const float dt = 0.125f, gravity = -9.8125f, aside = 40;
    const adf_var position = adf_var_add(x[0], adf_var_add_r(adf_var_mul_r(x[1], dt),
                                                             gravity * dt * dt / 2));
    const adf_var velocity = adf_var_add_r(x[1], gravity * dt);
    const adf_var p01 = adf_var_add(x[3], adf_var_mul_r(x[4], dt));
    const adf_var p00 = adf_var_add_r(adf_var_add(x[2], adf_var_mul_r(adf_var_add(x[3], p01), dt)),
                                      0.01f);
    const adf_var p11 = adf_var_add_r(x[4], 0.04f);
    /* distance, its derivative by the position; gains */
    const adf_var distance = adf_var_sqrt(adf_var_add_r(adf_var_mul(position, position),
                                                        aside * aside));
    const adf_var h = adf_var_div(position, distance);
    const adf_var s = adf_var_add(adf_var_mul(adf_var_mul(h, h), p00), x[6]);
    const adf_var k0 = adf_var_div(adf_var_mul(p00, h), s);
    const adf_var k1 = adf_var_div(adf_var_mul(p01, h), s);
    const adf_var off = adf_var_sub(x[5], distance);
    y[0] = adf_var_add(position, adf_var_mul(k0, off));
    y[1] = adf_var_add(velocity, adf_var_mul(k1, off));
    y[2] = adf_var_sub(p00, adf_var_mul(adf_var_mul(k0, h), p00));
    y[3] = adf_var_sub(p01, adf_var_mul(adf_var_mul(k0, h), p01));
    y[4] = adf_var_sub(p11, adf_var_mul(adf_var_mul(k1, h), p01));
}

int main(int argc, char **argv)
{
    static const char *const names[INPUTS] = { "position", "velocity", "p00", "p01", "p11",
        "measured distance", "its variance" };
    static const float from[INPUTS] = { 100, -5, 2, 0.25f, 0.5f, 105, 0.5f };
    adf_tape *const t = adf_tape_create(NULL);
    adf_var x[INPUTS], y[VALUES];
    ad_fn_desc desc;
    ad_emit_desc how;
    char error[200];
    adf_fn *f, *J;
    size_t i, p, m;
    memset(&desc, 0, sizeof desc);
    memset(&how, 0, sizeof how);
    desc.input_names = names;
    adf_inputs(t, INPUTS, from, x);
    step(x, y);
    f = adf_fn_create(t, INPUTS, x, VALUES, y, &desc);
    J = adf_fn_jacobian(f);
    m = adf_fn_get_stats(J).outputs;
    how.name = "kalman";
    how.language = AD_LANGUAGE_BOARD;
    how.error = error;
    how.error_size = sizeof error;
    if (argc > 1 && strcmp(argv[1], "code") == 0) {
        if (adf_fn_emit(J, &how, put, stdout) == AD_OK) return 0;
        fprintf(stderr, "%s\n", error);
        return 1;
    }
    printf("enum { BOARD_POINTS = %d, BOARD_INPUTS = %d, BOARD_OUTPUTS = %u };\n", (int)POINTS,
           (int)INPUTS, (unsigned)m);
    printf("static const float board_x[BOARD_POINTS][BOARD_INPUTS] = {\n");
    for (p = 0; p < POINTS; p++) {
        for (i = 0; i < INPUTS; i++)
            printf("%s%.9gf,", i ? " " : "    { ",
                   (double)(from[i] + 0.0625f * (float)((p * (i + 3)) % 17)) + 0.001953125);
        puts(" },");
    }
    printf("};\nstatic const uint32_t board_y[BOARD_POINTS][BOARD_OUTPUTS] = {\n");
    for (p = 0; p < POINTS; p++) {
        float at[INPUTS], out[VALUES * (1 + INPUTS)];
        for (i = 0; i < INPUTS; i++)
            at[i] = from[i] + 0.0625f * (float)((p * (i + 3)) % 17) + 0.001953125f;
        if (adf_fn_eval(J, at, out) != AD_OK) return 1;
        for (i = 0; i < m; i++) {
            uint32_t bits;
            memcpy(&bits, &out[i], sizeof bits);
            printf("%s0x%08lxu,", i ? i % 8 ? " " : "\n      " : "    { ", (unsigned long)bits);
        }
        puts(" },");
    }
    puts("};");
    adf_fn_destroy(J);
    adf_fn_destroy(f);
    adf_tape_destroy(t);
    return 0;
}
#endif
