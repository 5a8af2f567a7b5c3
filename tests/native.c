/* Every form of instruction that the writer of machine code can make (section Compiled Functions:
   Native), once for each kind of register and memory: the bytes go to the first file, what they are
   meant to be to the second, in the words of binutils' disassembler (objdump -M intel), a line
   each. */
#define AUTODIFF_STATIC
#include "../autodiff.h"
#include <stdio.h>

#ifdef ADI_NATIVE_X86
static FILE *meant;
static adi_asm_writer writer;
static adi_asm_writer *const e = &writer;
static int single, wide;

/* Registers of both halves, and the last for what is needed within. */
static const unsigned registers[] = { 0, 1, 7, 8, 13, 14, 15 };
enum { REGISTERS = sizeof registers / sizeof *registers, POOL = 32 /* where it is read */ };
static const int bases[] = { 7, 6, 2, 1, 3, 5, 14, 15 };
static const char *const base_name[16] = { "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
    "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15" };
static const int64_t disps[] = { 0, 8, -128, 127, 128, -136, 100000 };

static const char *text_of(adi_asm_place m, const char *size)
{
    static char text[80];
    if (m.reg >= 0) {
        snprintf(text, sizeof text, "xmm%d", m.reg);
    } else if (m.base == ADI_RIP) {
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
        *m = adi_asm_at(bases[k / 7], disps[k % 7]);
        return 1;
    }
    *m = adi_asm_at(ADI_RIP, POOL);
    return k == 56;
}

static const char *scalar_size(void) { return single ? "DWORD" : "QWORD"; }
/* Arithmetic of two operands. */
static void arithmetic(void)
{
    static const struct { unsigned op; const char *name; } form[] = { { ADI_X86_add, "add" },
        { ADI_X86_mul, "mul" }, { ADI_X86_sub, "sub" }, { ADI_X86_div, "div" },
        { ADI_X86_min, "min" }, { ADI_X86_max, "max" } };
    static const unsigned logic[] = { ADI_X86_and, ADI_X86_andnot, ADI_X86_or, ADI_X86_xor };
    static const char *const logic_name[] = { "andps", "andnps", "orps", "xorps" };
    static const struct { unsigned how; const char *name; } mask[] = { { ADI_EQ, "eq" },
        { ADI_LT, "lt" }, { ADI_LE, "le" }, { ADI_UNORDERED, "unord" }, { ADI_NE, "neq" },
        { ADI_NLE, "nle" } };
    const char *const v = wide ? "v" : "", *const s = single ? "ss" : "sd";
    adi_asm_place m;
    size_t i, j, k, f;
    for (i = 0; i < REGISTERS; i++)
        for (j = 0; j < REGISTERS; j++)
            for (k = 0; place(k, &m); k++) {
                const unsigned d = registers[i], a = wide ? registers[j] : d;
                char first[24];
                if (!wide && j > 0) continue;            /* its first operand is its result */
                snprintf(first, sizeof first, wide ? "xmm%u,xmm%u" : "xmm%u", d, a);
                for (f = 0; f < sizeof form / sizeof *form; f++) {
                    adi_asm_op2(e, e->prefix, form[f].op, d, a, m, 0);
                    fprintf(meant, "%s%s%s %s,%s\n", v, form[f].name, s, first,
                        text_of(m, scalar_size()));
                }
                for (f = 0; f < 4; f++) {
                    adi_asm_logic(e, logic[f], d, a, m);
                    fprintf(meant, "%s%s %s,%s\n", v, logic_name[f], first, text_of(m, "XMMWORD"));
                }
                for (f = 0; f < sizeof mask / sizeof *mask; f++) {
                    adi_asm_mask(e, d, a, m, mask[f].how);
                    fprintf(meant, "%scmp%s%s %s,%s\n", v, mask[f].name, s, first,
                        text_of(m, scalar_size()));
                }
                if (!wide) continue;
                adi_asm_vex(e, ADI_P66, ADI_0F38, single ? 0 : 1, 0xB9, d, a, m, 0);
                fprintf(meant, "vfmadd231%s %s,%s\n", s, first, text_of(m, scalar_size()));
                adi_asm_vex(e, ADI_P66, ADI_0F3A, 0, single ? 0x0A : 0x0B, d, a, m, 1);
                adi_asm_put(e, 9);
                fprintf(meant, "vround%s %s,%s,0x9\n", s, first, text_of(m, scalar_size()));
                adi_asm_vex(e, ADI_P66, ADI_0F3A, 0, 0x4A, d, a, m, 1);
                adi_asm_put(e, ADI_TEMP << 4);
                fprintf(meant, "vblendvps %s,%s,xmm14\n", first, text_of(m, "XMMWORD"));
            }
}
/* Loads, stores, copies, comparisons, square roots. */
static void single_operand(void)
{
    const char *const v = wide ? "v" : "", *const s = single ? "ss" : "sd";
    adi_asm_place m;
    size_t i, k;
    for (i = 0; i < REGISTERS; i++)
        for (k = 0; place(k, &m); k++) {
            const unsigned d = registers[i];
            if (m.reg >= 0) {
                if ((unsigned)m.reg != d) {
                    adi_asm_copy(e, d, (unsigned)m.reg);
                    fprintf(meant, "%smovaps xmm%u,%s\n", v, d, text_of(m, ""));
                }
                adi_asm_compare(e, d, (unsigned)m.reg);
                fprintf(meant, "%sucomi%s xmm%u,%s\n", v, s, d, text_of(m, ""));
                if (!wide) {
                    adi_asm_sse(e, e->prefix, ADI_X86_sqrt, d, m, 0);
                    fprintf(meant, "sqrt%s xmm%u,%s\n", s, d, text_of(m, ""));
                }
                continue;
            }
            adi_asm_op1(e, e->prefix, ADI_X86_load, d, m);
            fprintf(meant, "%smov%s xmm%u,%s\n", v, s, d, text_of(m, scalar_size()));
            if (m.base == ADI_RIP) continue;             /* the pool is read alone */
            adi_asm_op1(e, e->prefix, ADI_X86_store, d, m);
            fprintf(meant, "%smov%s %s,xmm%u\n", v, s, text_of(m, scalar_size()), d);
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
}

int main(int argc, char **argv)
{
    adi_graph g;
    adi_target t;
    adi_memory memory;
    FILE *bytes;
    size_t i;
    if (argc != 5) return 2;
    memset(&g, 0, sizeof g);
    memset(&t, 0, sizeof t);
    memset(&memory, 0, sizeof memory);
    memory.resize = adi_libc_resize;
    wide = argv[3][0] == 'w';
    single = argv[4][0] == 's';
    t.wide = wide;
    t.single = single;
    g.memory = &memory;
    e->g = &g;
    e->t = &t;
    e->size = single ? 4 : 8;
    e->prefix = single ? ADI_PF3 : ADI_PF2;
    for (i = 0; i < ADI_REGISTERS; i++) e->holds[i] = ADI_NONE;
    bytes = fopen(argv[1], "wb");
    meant = fopen(argv[2], "w");
    if (!bytes || !meant) return 2;
    arithmetic();
    single_operand();
    others();
    fwrite(e->code, 1, e->n, bytes);
    return e->failed | fclose(bytes) | fclose(meant);
}
#else
int main(void) { return 77; }
#endif
