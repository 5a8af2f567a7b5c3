#!/bin/sh
# The tests that compute with arrays, with each instruction set that this machine has taken for its
# best; the best itself is what `make test` runs on. All programs are those of `make test`:
# tests/impl.c reads AD_TEST_BEST. The suites kernels and conv run every set by themselves.
name=simd
. tests/check.sh
have "${CC:=cc}" || skip "no $CC"
cat >"$work/has.c" <<'END'
#include <stdio.h>
#include "autodiff.h"
int main(void)
{
    int s;
    for (s = AD_SIMD_PLAIN; s <= AD_SIMD_NEON; s++)
        if (ad_kernels_get((ad_simd)s)) printf("%d %s\n", s, ad_simd_name((ad_simd)s));
    return 0;
}
END
quietly 'what the machine has' $CC -O0 -I. "$work/has.c" "$BUILD/impl.o" -o "$work/has" -lm
"$work/has" >"$work/sets"
grep -q '^1 plain$' "$work/sets" || fail 'no plain C'
AD_TEST_STRIDE=5                               # one in so many random samples
export AD_TEST_STRIDE
notes=
while read -r AD_TEST_BEST s; do
    export AD_TEST_BEST
    [ "$("$work/has" | tail -n 1)" = "$AD_TEST_BEST $s" ] || fail "$s cannot be the best"
    if [ "$(tail -n 1 "$work/sets")" = "$AD_TEST_BEST $s" ]; then
        notes="$notes $s: make test;"
    else
        runs "$s" arrays fn packs learn tape graph
        notes="$notes $s: $closing;"
    fi
done <"$work/sets"
ok "${notes# }"
