/* Every form of instruction that the writer of machine code can make (section Compiled Functions:
   Native), once for each kind of register and memory: the bytes go to the first file, what they are
   meant to be to the second, in the words of binutils' disassembler (objdump -M intel), a line
   each. */
#define AUTODIFF_STATIC
#include "../autodiff.h"
#include <stdio.h>

#ifdef ADI_NATIVE_X86
#include "native.h"
static int wide;

/* Registers of all halves, and the last for what is needed within; those from 16 on are zmm. */
static const unsigned registers[] = { 0, 1, 7, 8, 13, 14, 15, 16, 23, 24, 31 };
enum { POOL = 32 /* where it is read */ };
static size_t n_registers = 7;
#define REGISTERS n_registers
static const int bases[] = { 7, 6, 2, 1, 3, 5, 14, 15 };
static const char *const base_name[16] = { "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
    "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15" };
static const int64_t disps[] = { 0, 8, -128, 127, 128, -136, 100000 };
static const int64_t far_disps[] = { 0, 8, -8192, 8128, 8192, -8256, 100000 };  /* units of 64 */

static const char *family(void) { return vector == 64 ? "zmm" : vector == 32 ? "ymm" : "xmm"; }
static const char *text_of(adi_asm_place m, const char *size)
{
    static char text[80];
    if (m.reg >= 0) {
        snprintf(text, sizeof text, "%s%d", family(), m.reg);
    } else if (m.indexed) {
        snprintf(text, sizeof text, "%s PTR [%s+rax*1%c0x%lx]", size, base_name[m.base],
            m.disp < 0 ? '-' : '+', (unsigned long)(m.disp < 0 ? -m.disp : m.disp));
    } else if (m.base == ADI_POOL_BASE) {
        snprintf(text, sizeof text, "%s PTR [rip+POOL]", size);
    } else {
        snprintf(text, sizeof text, "%s PTR [%s%c0x%lx]", size, base_name[m.base],
            m.disp < 0 ? '-' : '+', (unsigned long)(m.disp < 0 ? -m.disp : m.disp));
    }
    return text;
}
/* The place number k; 0 when there is no more. */
static int place(size_t k, adi_asm_place *m)
{
    if (k < REGISTERS) {
        *m = adi_asm_in(registers[k]);
        return 1;
    }
    k -= REGISTERS;
    if (k < 56) {
        *m = adi_asm_at(bases[k / 7], (vector == 64 ? far_disps : disps)[k % 7]);
        return 1;
    }
    *m = adi_asm_at(ADI_POOL_BASE, POOL);
    if (k == 56) return 1;
    k -= 57;
    if (!vector) return 0;
    if (k < sizeof adi_asm_pointers) {
        *m = adi_asm_at(adi_asm_pointers[k], 0);         /* a lent row */
    } else {
        k -= sizeof adi_asm_pointers;                    /* a row of a point's, or of the pool */
        if (k >= 63) return 0;
        *m = adi_asm_at(k < 56 ? bases[k / 7] : 10, (vector == 64 ? far_disps : disps)[k % 7]);
    }
    m->indexed = 1;
    return 1;
}

static const char *scalar_size(void) { return single ? "DWORD" : "QWORD"; }
/* What an operation takes from memory; what its name ends with. */
static const char *operand_size(void)
{
    return vector == 64 ? "ZMMWORD" : vector == 32 ? "YMMWORD" : scalar_size();
}
static const char *logic_size(void) { return vector ? operand_size() : "XMMWORD"; }
static const char *ending(void)
{
    return vector ? (single ? "ps" : "pd") : single ? "ss" : "sd";
}
/* Masks: 64-byte registers compare into k1 first. */
static void masks(unsigned d, unsigned a, adi_asm_place m, const char *first)
{
    static const struct { unsigned how; const char *name; } mask[] = { { ADI_ASM_EQ, "eq" },
        { ADI_ASM_LT, "lt" }, { ADI_ASM_LE, "le" }, { ADI_ASM_UNORDERED, "unord" },
        { ADI_ASM_NE, "neq" }, { ADI_ASM_NLE, "nle" } };
    size_t f;
    for (f = 0; f < sizeof mask / sizeof *mask; f++) {
        adi_asm_mask(e, d, a, m, mask[f].how);
        if (vector == 64) {
            fprintf(meant, "vcmp%s%s k1,zmm%u,%s\n", mask[f].name, ending(), a,
                text_of(m, operand_size()));
            fprintf(meant, "vpmovm2%c zmm%u,k1\n", single ? 'd' : 'q', d);
        } else {
            fprintf(meant, "%scmp%s%s %s,%s\n", wide ? "v" : "", mask[f].name, ending(), first,
                text_of(m, operand_size()));
        }
    }
}
/* What only the wide sets have: products with sums, roundings, choices by a mask. */
static void wide_arithmetic(unsigned d, unsigned a, adi_asm_place m, const char *first)
{
    adi_asm_fma(e, d, a, m);
    fprintf(meant, "vfmadd231%s %s,%s\n", ending(), first, text_of(m, operand_size()));
    adi_asm_vex(e, ADI_P66, ADI_0F3A, !single, (vector ? 8u : 10u) + !single, d, vector ? 0 : a, m,
        1);
    adi_asm_put(e, 9);
    if (vector) fprintf(meant, "v%s%s %s%u,%s,0x9\n", vector == 64 ? "rndscale" : "round", ending(),
                    family(), d, text_of(m, operand_size()));
    else fprintf(meant, "vround%s %s,%s,0x9\n", ending(), first, text_of(m, operand_size()));
    if (vector == 64) {
        adi_asm_evex(e, ADI_P66, ADI_0F3A, 0, 0x25, d, a, m, 1);
        adi_asm_put(e, 0xCA);
        fprintf(meant, "vpternlogd %s,%s,0xca\n", first, text_of(m, logic_size()));
    } else {
        adi_asm_vex(e, ADI_P66, ADI_0F3A, 0, 0x4A, d, a, m, 1);
        adi_asm_put(e, ADI_TEMP << 4);
        fprintf(meant, "vblendvps %s,%s,%s14\n", first, text_of(m, logic_size()), family());
    }
}
/* Arithmetic of two operands. */
static void arithmetic(void)
{
    static const struct { unsigned op; const char *name; } form[] = { { ADI_ASM_add, "add" },
        { ADI_ASM_mul, "mul" }, { ADI_ASM_sub, "sub" }, { ADI_ASM_div, "div" },
        { ADI_ASM_least, "min" }, { ADI_ASM_most, "max" } };
    static const unsigned logic[] = { ADI_ASM_and, ADI_ASM_andnot, ADI_ASM_or, ADI_ASM_xor };
    static const char *const logic_name[] = { "andps", "andnps", "orps", "xorps" };
    const char *const v = wide ? "v" : "";
    adi_asm_place m;
    size_t i, j, k, f;
    for (i = 0; i < REGISTERS; i++)
        for (j = 0; j < REGISTERS; j++)
            for (k = 0; place(k, &m); k++) {
                const unsigned d = registers[i], a = wide ? registers[j] : d;
                char first[24];
                if (!wide && j > 0) continue;            /* its first operand is its result */
                snprintf(first, sizeof first, wide ? "%s%u,%s%u" : "%s%u", family(), d, family(),
                    a);
                for (f = 0; f < sizeof form / sizeof *form; f++) {
                    adi_asm_op2(e, e->prefix, form[f].op, d, a, m, 0);
                    fprintf(meant, "%s%s%s %s,%s\n", v, form[f].name, ending(), first,
                        text_of(m, operand_size()));
                }
                for (f = 0; f < 4; f++) {
                    adi_asm_logic(e, logic[f], d, a, m);
                    fprintf(meant, "%s%s %s,%s\n", v, logic_name[f], first,
                        text_of(m, logic_size()));
                }
                masks(d, a, m, first);
                if (wide) wide_arithmetic(d, a, m, first);
            }
}
/* Loads, stores, copies, comparisons, square roots, numbers for all points. */
static void single_operand(void)
{
    const char *const v = wide ? "v" : "", *const f = family();
    adi_asm_place m;
    size_t i, k;
    for (i = 0; i < REGISTERS; i++)
        for (k = 0; place(k, &m); k++) {
            const unsigned d = registers[i];
            if (m.reg >= 0) {
                if ((unsigned)m.reg != d) {
                    adi_asm_copy(e, d, (unsigned)m.reg);
                    fprintf(meant, "%smovaps %s%u,%s\n", v, f, d, text_of(m, ""));
                }
                if (vector) {
                    adi_asm_vex(e, e->prefix, ADI_0F, 0, ADI_X86_sqrt, d, 0, m, 0);
                    fprintf(meant, "vsqrt%s %s%u,%s\n", ending(), f, d, text_of(m, ""));
                    continue;
                }
                adi_asm_compare(e, d, (unsigned)m.reg);
                fprintf(meant, "%sucomi%s xmm%u,%s\n", v, ending(), d, text_of(m, ""));
                if (!wide) {
                    adi_asm_sse(e, e->prefix, ADI_X86_sqrt, d, m, 0);
                    fprintf(meant, "sqrt%s xmm%u,%s\n", ending(), d, text_of(m, ""));
                }
                continue;
            }
            adi_asm_op1(e, e->prefix, ADI_X86_load, d, m);
            fprintf(meant, "%smov%s%s %s%u,%s\n", v, vector ? "u" : "", ending(), f, d,
                text_of(m, operand_size()));
            if (m.base == ADI_POOL_BASE) continue;             /* the pool is read alone */
            adi_asm_op1(e, e->prefix, ADI_X86_store, d, m);
            fprintf(meant, "%smov%s%s %s,%s%u\n", v, vector ? "u" : "", ending(),
                text_of(m, operand_size()), f, d);
        }
    for (i = 0; vector && i < REGISTERS; i++)
        for (k = 0; k < 3; k++) {
            adi_asm_value u;
            memset(&u, 0, sizeof u);
            u.at = ADI_AT_NUMBER;
            u.index = k == 0 ? 0 : k == 1 ? 5 : 5000;
            adi_asm_load(e, registers[i], &u);
            fprintf(meant, "vbroadcasts%c %s%u,%s PTR [rsi+0x%x]\n", single ? 's' : 'd', f,
                registers[i], scalar_size(), u.index * (single ? 4 : 8));
        }
}
/* Pointers, calls, what is rare. */
static void others(void)
{
    static const unsigned from[] = { 7, 6, 2, 1 }, to[] = { 3, 5, 14, 15 };
    size_t i;
    for (i = 0; i < 4; i++) {
        adi_asm_move_pointer(e, to[i], from[i]);
        fprintf(meant, "mov %s,%s\n", base_name[to[i]], base_name[from[i]]);
        adi_asm_move_pointer(e, 7, to[i]);
        fprintf(meant, "mov rdi,%s\n", base_name[to[i]]);
    }
    adi_asm_call(e, POOL);
    fprintf(meant, "call QWORD PTR [rip+POOL]\n");
    for (i = 0; vector && i < sizeof adi_asm_pointers; i++) {
        adi_asm_place ahead = adi_asm_at((int)adi_asm_pointers[i], 0x700);
        ahead.indexed = 1;
        adi_asm_prefetch(e, ahead);
        fprintf(meant, "prefetcht0 BYTE PTR [%s+rax*1+0x700]\n", base_name[adi_asm_pointers[i]]);
    }
    for (i = 0; i < sizeof adi_asm_pointers; i++) {
        adi_asm_push_pop(e, ADI_X86_push, adi_asm_pointers[i]);
        adi_asm_load_pointer(e, adi_asm_pointers[i], adi_asm_at(ADI_ARG0, 0x1234));
        adi_asm_push_pop(e, ADI_X86_pop, adi_asm_pointers[i]);
        fprintf(meant, "push %s\nmov %s,QWORD PTR [rdi+0x1234]\npop %s\n",
            base_name[adi_asm_pointers[i]], base_name[adi_asm_pointers[i]],
            base_name[adi_asm_pointers[i]]);
    }
    if (vector) {                                        /* a loop over rows */
        const size_t top = adi_asm_rows_top(e, 0x18, 0x123456);
        adi_asm_rows_end(e, top, 0x123456);
        adi_asm_rows_end(e, top, 0);
        fprintf(meant, "lea r10,[rip+START]\nxor eax,eax\nmov r9d,0x18\nmov r11d,0x123456\n"
            "add rax,r9\nmov r9d,0x%x\ncmp rax,r11\njbe 0x%lx\nvzeroupper\nvzeroupper\n", vector,
            (unsigned long)top);
    }
    for (i = 0; vector && i < REGISTERS; i++) {
        adi_asm_any_nan(e, registers[i]);
        fprintf(meant, "vcmpunord%s %s,%s%u,%s%u\n%s\n", ending(), vector == 64 ? "k1" : "ymm14",
            family(), registers[i], family(), registers[i],
            vector == 64 ? "kortestw k1,k1" : "vptest ymm14,ymm14");
    }
}

static void all(void)
{
    arithmetic();
    single_operand();
    others();
}
int main(int argc, char **argv)
{
    const unsigned octets = argc != 5 ? 0 : argv[3][0] == 'y' ? 32 : argv[3][0] == 'z' ? 64 : 0;
    if (argc != 5) return 2;
    wide = argv[3][0] != 'p';
    if (octets == 64) n_registers = sizeof registers / sizeof *registers;
    return write_all(argv, wide, octets, 0, all);
}
#else
int main(void) { return 77; }
#endif
