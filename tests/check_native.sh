#!/bin/sh
# The instructions that compiled functions are made of as machine code (tests/native.c), read by
# binutils' disassembler: numbers by both sets, vectors of both sizes, both precisions. And the names
# that perf reads.
name=native
. tests/check.sh
: "${CC:=cc}"
have objdump || skip 'no objdump'
[ "$(uname -m)" = x86_64 ] || skip 'not x86-64'
quietly compile $CC -O1 tests/native.c -o "$work/native" -lm
count=0
for set in wide plain ymm zmm; do
    for real in double single; do
        "$work/native" "$work/bytes" "$work/meant" $set $real || fail "tests/native.c, $set, $real"
        objdump -D -b binary -m i386:x86-64 -M intel --no-show-raw-insn "$work/bytes" \
            | sed -n 's/^ *[0-9a-f]*:\t//p' \
            | sed 's/\[rip[+-]0x[0-9a-f]*\]\(.*[^ ]\)* *# 0x20$/[rip+POOL]\1/; s/  */ /; s/ *$//' >"$work/read"
        if ! cmp -s "$work/meant" "$work/read"; then
            diff "$work/meant" "$work/read" | head -n 20
            fail "$set, $real"
        fi
        count=$((count + $(wc -l <"$work/meant")))
    done
done

# perf's map file: asked for, a line for each piece of code, at its address; else no file.
cat >"$work/perf.c" <<'PROGRAM'
#define AUTODIFF_STATIC
#include "autodiff.h"
#include <unistd.h>
int main(void)
{
    static double x[2000], y[2000];
    char error[80];
    ad_fn *f = ad_fn_parse("energy = a*a*0.5 + a", "a", error, sizeof error);
    const ad_port in = ad_port_in(x, 1), out = ad_port_out(y, 1);
    int ok = ad_fn_native(f) == AD_OK && ad_fn_map(f, 2000, &in, &out, NULL) == AD_OK
        && ad_fn_map(f, 2000, &in, &out, NULL) == AD_OK;
    printf("%ld %lx\n", (long)getpid(), (unsigned long)ad_fn_get_stats(f).native_bytes);
    ad_fn_destroy(f);
    return !ok;
}
PROGRAM
for asked in -DAUTODIFF_PERF_MAP -DAUTODIFF_NOTHING; do
    quietly compile $CC -std=c99 -w -I. $asked "$work/perf.c" -o "$work/perf" -lm
    read -r pid rest <<END
$("$work/perf")
END
    map=/tmp/perf-$pid.map
    case $asked in
    *PERF_MAP)
        grep -qE '^[0-9a-f]+ [0-9a-f]+ ad_fn energy$' "$map" || fail "no line of the function in $map"
        ! grep -q avx2 /proc/cpuinfo || grep -q 'ad_fn energy, loops of a map$' "$map" \
            || fail "no line of the map in $map"
        rm -f "$map" ;;
    *)  [ ! -e "$map" ] || fail "$map, which nobody asked for" ;;
    esac
done
ok "$count instructions"
