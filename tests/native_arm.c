/* As tests/native.c, for AArch64: every word that its machine code is made of, once for each kind
   of operand, in the text of binutils' disassembler. */
#define AUTODIFF_STATIC
#include "../autodiff.h"
#include <stdio.h>

#ifdef ADI_NATIVE_ARM
#include "native.h"

static const unsigned registers[] = { 0, 1, 7, 16, 28, 30, 31 };
enum { REGISTERS = 7, POOL = 64, POOL_BASE = 9 };
static const int64_t disps[] = { 0, 16, 4096, 16380, 16384, 32760, 65520, 65536, 100008, 70000000 };
enum { DISPS = 10 };

/* A register as an operand of arithmetic; of logic, which takes all of its bytes. */
static const char *reg(unsigned r)
{
    static char text[8][12];
    static unsigned n;
    char *const t = text[n++ % 8];
    if (vector) sprintf(t, "v%u.%s", r, single ? "4s" : "2d");
    else sprintf(t, "%c%u", single ? 's' : 'd', r);
    return t;
}
static void constant(unsigned r, uint64_t v)
{
    unsigned part;
    fprintf(meant, "mov x%u, #0x%x\n", r, (unsigned)(v & 0xFFFF));
    for (part = 1; part < 4; part++)
        if (v >> 16 * part)
            fprintf(meant, "movk x%u, #0x%x, lsl #%u\n", r, (unsigned)(v >> 16 * part & 0xFFFF),
                16 * part);
}
/* name what, [m], of so many bytes. */
static void memory(const char *name, const char *what, unsigned bytes, adi_asm_place m)
{
    const int base = m.base == ADI_POOL_BASE ? POOL_BASE : m.base;
    if (m.indexed && m.disp) {
        constant(16, (uint64_t)m.disp);
        fprintf(meant, "add x16, x%d, x16\n%s %s, [x16, x10]\n", base, name, what);
    } else if (m.indexed) {
        fprintf(meant, "%s %s, [x%d, x10]\n", name, what, base);
    } else if (m.disp % bytes == 0 && m.disp / bytes < 4096) {
        if (m.disp) fprintf(meant, "%s %s, [x%d, #%d]\n", name, what, base, (int)m.disp);
        else fprintf(meant, "%s %s, [x%d]\n", name, what, base);
    } else {
        constant(16, (uint64_t)m.disp);
        fprintf(meant, "%s %s, [x%d, x16]\n", name, what, base);
    }
}
static void number(const char *name, unsigned r, adi_asm_place m)
{
    char what[8];
    sprintf(what, "%c%u", vector ? 'q' : single ? 's' : 'd', r);
    memory(name, what, vector ? 16 : single ? 4 : 8, m);
}
/* The register that m is in, when it was loaded. */
static unsigned loaded(adi_asm_place m)
{
    if (m.reg >= 0) return (unsigned)m.reg;
    number("ldr", ADI_LOADED, m);
    return ADI_LOADED;
}
static int place(size_t k, adi_asm_place *m)
{
    static const int bases[] = { 0, 1, 2, 3, ADI_ROW_BASE, 19, 22 };
    if (k < REGISTERS) {
        *m = adi_asm_in(registers[k]);
        return 1;
    }
    k -= REGISTERS;
    if (k < 7 * DISPS) {
        *m = adi_asm_at(bases[k / DISPS], disps[k % DISPS]);
        return 1;
    }
    *m = adi_asm_at(ADI_POOL_BASE, POOL);
    if (k == 7 * DISPS) return 1;
    k -= 7 * DISPS + 1;
    if (!vector) return 0;
    if (k <= sizeof adi_asm_pointers) {
        *m = adi_asm_at(k ? adi_asm_pointers[k - 1] : ADI_LENDER, 0);    /* a lent row */
    } else {
        k -= sizeof adi_asm_pointers + 1;                /* a row of a point's, or of the pool */
        if (k >= 8 * DISPS) return 0;
        *m = adi_asm_at(k < 7 * DISPS ? bases[k / DISPS] : POOL_BASE, disps[k % DISPS]);
    }
    m->indexed = 1;
    return 1;
}

static void arithmetic(void)
{
    static const char *const name[] = { "fadd", "fsub", "fmul", "fdiv" };
    static const char *const logic[] = { "and", "bic", "orr", "eor" };
    static const struct { unsigned how; const char *name; int turned, inverted; } mask[] = {
        { ADI_ASM_EQ, "fcmeq", 0, 0 }, { ADI_ASM_NE, "fcmeq", 0, 1 }, { ADI_ASM_LT, "fcmgt", 1, 0 },
        { ADI_ASM_LE, "fcmge", 1, 0 }, { ADI_ASM_NLE, "fcmge", 1, 1 } };
    adi_asm_place m;
    size_t i, j, k;
    unsigned f;
    for (i = 0; i < REGISTERS; i++)
        for (j = 0; j < REGISTERS; j++)
            for (k = 0; place(k, &m); k++) {
                const unsigned d = registers[i], a = registers[j];
                unsigned b;
                for (f = 0; f < 4; f++) {
                    adi_asm_arithmetic(e, f, d, a, m);
                    b = loaded(m);
                    fprintf(meant, "%s %s, %s, %s\n", name[f], reg(d), reg(a), reg(b));
                }
                for (f = 0; f < 4; f++) {
                    adi_asm_logic(e, f, d, a, m);
                    b = loaded(m);
                    if (f == ADI_ASM_or && a == b) fprintf(meant, "mov v%u.16b, v%u.16b\n", d, a);
                    else fprintf(meant, "%s v%u.16b, v%u.16b, v%u.16b\n", logic[f], d,
                            f == ADI_ASM_andnot ? b : a, f == ADI_ASM_andnot ? a : b);
                }
                adi_asm_fma(e, d, a, m);
                b = loaded(m);
                if (vector) fprintf(meant, "fmla %s, %s, %s\n", reg(d), reg(a), reg(b));
                else fprintf(meant, "fmadd %s, %s, %s, %s\n", reg(d), reg(a), reg(b), reg(d));
                for (f = 0; f < 5; f++) {
                    adi_asm_mask(e, d, a, m, mask[f].how);
                    b = loaded(m);
                    fprintf(meant, "%s %s, %s, %s\n", mask[f].name, reg(d),
                        reg(mask[f].turned ? b : a), reg(mask[f].turned ? a : b));
                    if (mask[f].inverted) fprintf(meant, "mvn v%u.16b, v%u.16b\n", d, d);
                }
                if (m.reg < 0) continue;
                b = (unsigned)m.reg;
                adi_asm_blend(e, d, a, b);
                fprintf(meant, "bsl v30.16b, v%u.16b, v%u.16b\n", a, b);
                if (d != ADI_TEMP) fprintf(meant, "mov v%u.16b, v30.16b\n", d);
            }
}
static void single_operand(void)
{
    static const char *const name[] = { "frintm", "frintp", "frintz" };
    adi_asm_place m;
    size_t i, k;
    unsigned f;
    for (i = 0; i < REGISTERS; i++)
        for (k = 0; place(k, &m); k++) {
            const unsigned d = registers[i], s = (unsigned)m.reg;
            if (m.reg < 0) {
                adi_asm_load_from(e, d, m);
                number("ldr", d, m);
                adi_asm_store(e, d, m);
                number("str", d, m);
                if (!vector || m.indexed) continue;
                adi_asm_spread(e, d, m);
                vector = 0;
                number("ldr", d, m);
                vector = 16;
                fprintf(meant, "dup %s, v%u.%c[0]\n", reg(d), d, single ? 's' : 'd');
                continue;
            }
            adi_asm_copy(e, d, s);
            if (d != s) fprintf(meant, "mov v%u.16b, v%u.16b\n", d, s);
            adi_asm_negate(e, d, s);
            adi_asm_absolute(e, d, s);
            adi_asm_sqrt(e, d, s);
            fprintf(meant, "fneg %s, %s\nfabs %s, %s\nfsqrt %s, %s\n", reg(d), reg(s), reg(d),
                reg(s), reg(d), reg(s));
            for (f = 0; f < 3; f++) {
                adi_asm_round(e, f, d, s);
                fprintf(meant, "%s %s, %s\n", name[f], reg(d), reg(s));
            }
            adi_asm_mask(e, d, s, adi_asm_in(s), ADI_ASM_UNORDERED);
            fprintf(meant, "fcmeq %s, %s, %s\nmvn v%u.16b, v%u.16b\n", reg(d), reg(s), reg(s), d,
                d);
            adi_asm_zero(e, d);
            fprintf(meant, "movi v%u.2d, #0x0\n", d);
            if (vector) continue;
            adi_asm_compare_zero(e, d);
            fprintf(meant, "fcmp %s, #0.0\n", reg(d));
        }
}
/* Jumps, pointers, calls, how functions and loops begin and end. */
static void others(void)
{
    size_t jump[2], i, here;
    adi_asm_jump_if_zero(e, jump);
    fprintf(meant, "b.eq 0x%lx\n", (unsigned long)jump[0] + 12);
    adi_asm_jump_unless_zero(e, jump + 1);
    fprintf(meant, "b.ne 0x%lx\n", (unsigned long)jump[1] + 12);
    adi_asm_zero(e, 0);
    fprintf(meant, "movi v0.2d, #0x0\n");
    adi_asm_land(e, jump[0]);
    adi_asm_zero(e, 1);
    fprintf(meant, "movi v1.2d, #0x0\n");
    adi_asm_land(e, jump[1]);
    jump[0] = adi_asm_jump_if_nan(e, 7);
    if (vector) fprintf(meant, "fcmeq %s, %s, %s\numinv s30, v30.4s\nfmov w16, s30\n"
                    "cbz w16, 0x%lx\n", reg(30), reg(7), reg(7), (unsigned long)jump[0] + 4);
    else fprintf(meant, "fcmp %s, %s\nb.vs 0x%lx\n", reg(7), reg(7), (unsigned long)jump[0] + 4);
    adi_asm_land(e, jump[0]);
    adi_asm_jump_back(e, jump[0]);
    fprintf(meant, "b 0x%lx\n", (unsigned long)jump[0]);
    for (i = 0; i < 4; i++) {
        adi_asm_move_pointer(e, adi_asm_bases[1][i], adi_asm_bases[0][i]);
        adi_asm_address(e, ADI_ARG2, adi_asm_at(adi_asm_bases[1][i], 70000));
        fprintf(meant, "mov x%u, x%u\n", adi_asm_bases[1][i], adi_asm_bases[0][i]);
        constant(16, 70000);
        fprintf(meant, "add x2, x%u, x16\n", adi_asm_bases[1][i]);
    }
    adi_asm_address(e, ADI_ARG0, ADI_POOLED(70000));
    constant(16, 70000);
    fprintf(meant, "add x0, x9, x16\n");
    for (i = 0; i < sizeof adi_asm_pointers; i++) {
        char what[8];
        adi_asm_load_pointer(e, adi_asm_pointers[i], adi_asm_at(ADI_ARG0, 8 * (int64_t)i));
        sprintf(what, "x%u", adi_asm_pointers[i]);
        memory("ldr", what, 8, adi_asm_at(ADI_ARG0, 8 * (int64_t)i));
    }
    adi_asm_argument(e, 77);
    constant(0, 77);
    for (i = 0; i < DISPS; i++) {
        adi_asm_store_int(e, 123456, adi_asm_at(ADI_ARG3, disps[i]));
        constant(10, 123456);
        memory("str", "w10", 4, adi_asm_at(ADI_ARG3, disps[i]));
    }
    adi_asm_call(e, POOL);
    fprintf(meant, "ldr x16, [x9, #64]\nblr x16\n");
    here = e->n;
    adi_asm_enter(e, 0);
    fprintf(meant, "bti c\nadr x9, 0x%lx\n", (unsigned long)here + 4);
    constant(16, here + 4);
    fprintf(meant, "sub x9, x9, x16\n");
    adi_asm_return(e, 0);
    fprintf(meant, "ret\n");
    here = e->n;
    adi_asm_enter(e, 1);
    fprintf(meant, "bti c\nstp x29, x30, [sp, #-64]!\nmov x29, sp\nstp x19, x20, [sp, #16]\n"
        "stp x21, x22, [sp, #32]\nstp x23, x24, [sp, #48]\nadr x23, 0x%lx\n",
        (unsigned long)here + 24);
    constant(16, here + 24);
    fprintf(meant, "sub x23, x23, x16\nmov x19, x0\nmov x20, x1\nmov x21, x2\nmov x22, x3\n");
    adi_asm_return(e, 1);
    fprintf(meant, "ldp x23, x24, [sp, #48]\nldp x21, x22, [sp, #32]\nldp x19, x20, [sp, #16]\n"
        "ldp x29, x30, [sp], #64\nret\n");
    if (!vector) return;
    here = e->n;
    adi_asm_loop_enter(e, 8);
    fprintf(meant, "bti c\nadr x9, 0x%lx\n", (unsigned long)here + 4);
    constant(16, here + 4);
    here = adi_asm_loop_top(e);
    adi_asm_loop_return(e, here, 8);
    fprintf(meant, "sub x9, x9, x16\nmov x10, #0x0\nmov x8, x2\nmov x11, x3\nadd x8, x8, #0x10\n"
        "add x10, x10, #0x10\ncmp x10, x11\nb.cc 0x%lx\nret\n", (unsigned long)here);
    here = adi_asm_rows_top(e, 24, 123456);
    constant(10, 0);
    constant(12, 24);
    constant(11, 123456);
    adi_asm_rows_end(e, here, 0);
    adi_asm_rows_end(e, here, 123456);
    fprintf(meant, "add x10, x10, x12\n");
    constant(12, 16);
    fprintf(meant, "cmp x10, x11\nb.ls 0x%lx\n", (unsigned long)here);
}
/* A jump that is too far is said, and none is written wrongly: how often not. */
static int far_jumps(void)
{
    adi_memory memory;
    adi_target t;
    size_t jump[2], i;
    int k, wrong = 0;
    memset(&t, 0, sizeof t);
    memset(&memory, 0, sizeof memory);
    memory.resize = adi_libc_resize;
    for (k = 0; k < 2; k++) {
        adi_asm_writer_init(e, &memory, &t);
        adi_asm_jump_if_zero(e, jump);
        for (i = 1; i < (1u << 18) - 1 + (unsigned)k; i++) adi_asm_zero(e, 0);
        adi_asm_land(e, jump[0]);
        wrong += e->failed != k || e->far_off != k;
        adi_asm_writer_free(e);
    }
    return wrong;
}
static void all(void)
{
    arithmetic();
    single_operand();
    others();
}
int main(int argc, char **argv)
{
    if (argc != 5) return 2;
    if (far_jumps()) return 3;
    return write_all(argv, 1, argv[3][0] == 'v' ? 16 : 0, POOL_BASE, all);
}
#else
int main(void) { return 77; }
#endif
