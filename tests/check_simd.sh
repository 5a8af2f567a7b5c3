#!/bin/sh
# All tests with each instruction set that this machine has taken for its best.
name=simd
. tests/check.sh
have "${CC:=cc}" || skip "no $CC"
cat >"$work/has.c" <<'END'
#define AUTODIFF_IMPLEMENTATION
#include "autodiff.h"
#include <stdio.h>
int main(void)
{
    static const char *const name[] = { "", "PLAIN", "AVX2", "AVX512", "NEON" };
    int s;
    for (s = AD_SIMD_PLAIN; s <= AD_SIMD_NEON; s++)
        if (ad_kernels_get((ad_simd)s)) printf("%s ", name[s]);
    return 0;
}
END
quietly 'what the machine has' $CC -O0 -I. "$work/has.c" -o "$work/has" -lm
notes=
for s in $("$work/has"); do
    tests "$s" CFLAGS="-O1 -DAUTODIFF_SIMD=AD_SIMD_$s"
    notes="$notes $s: $closing;"
done
ok "${notes# }"
