/* Common to tests/native.c and tests/native_arm.c: the writer whose instructions are tested, and
   where bytes and texts go. `program FILE-OF-BYTES FILE-OF-TEXTS SET double|single` */
static FILE *meant;
static adi_asm_writer writer;
static adi_asm_writer *const e = &writer;
static int single;
static unsigned vector;                  /* octets of a register in blocks of points, or 0 */

/* Begins with a writer for such registers, writes all, and ends: the exit code. */
static int write_all(char **argv, int has_wide, unsigned octets, unsigned base, void (*all)(void))
{
    adi_target t;
    adi_memory memory;
    FILE *const bytes = fopen(argv[1], "wb");
    size_t i;
    memset(&t, 0, sizeof t);
    memset(&memory, 0, sizeof memory);
    memory.resize = adi_libc_resize;
    t.wide = has_wide;
    t.single = single = argv[4][0] == 's';
    t.octets = vector = octets;
    adi_asm_writer_init(e, &memory, &t);
    e->base[4] = base;
    for (i = 0; i < ADI_REGISTERS; i++) e->holds[i] = ADI_NONE;
    meant = fopen(argv[2], "w");
    if (!bytes || !meant) return 2;
    all();
    fwrite(e->code, 1, e->n, bytes);
    return e->failed | fclose(bytes) | fclose(meant);
}
