/* Fuzz target: a random program, which the input seeds, through every mode (tests/agree.h): tape,
   duals, compiled functions with all passes on and off, derivatives of these, maps.
   Sections: The Table as Formulas; Compiled Functions: Rewriting; The Other Sweeps; Second
   Derivatives; Compiled Functions: Evaluating. */
#include "../agree.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static program p;
    static agreement a;
    uint64_t seed = size;
    size_t i;
    memset(&a, 0, sizeof a);
    for (i = 0; i < size; i++) seed = (seed ^ data[i]) * 0x100000001B3u;
    program_make(&p, seed, size ? data[0] & 3u : 0);
    if (d_agree(&p, &a) || f_agree(&p, &a)) {
        fprintf(stderr, "seed %llu: %s: %s\n", (unsigned long long)seed, a.kind, a.text);
        program_print(&p, stderr);
        abort();
    }
    return 0;
}
