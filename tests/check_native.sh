#!/bin/sh
# The instructions that compiled functions are made of as machine code, read by binutils'
# disassembler: on x86-64 (tests/native.c) numbers by both sets and vectors of both sizes, on AArch64
# (tests/native_arm.c, by an emulator) numbers and vectors; both precisions. What the names say that
# perf reads. And that code for AArch64 leaves those registers alone that are its caller's.
name=native
. tests/check.sh
: "${CC:=cc}"
have objdump || skip 'no objdump'
[ "$(uname -m)" = x86_64 ] || skip 'not x86-64'
quietly compile $CC -O1 tests/native.c -o "$work/native" -lm
count=0

# compare SET PRECISION: the text of what was meant and of what was read.
compare()
{
    if ! cmp -s "$work/meant" "$work/read"; then
        diff "$work/meant" "$work/read" | head -n 20
        fail "$1, $2"
    fi
    count=$((count + $(wc -l <"$work/meant")))
}
for set in wide plain ymm zmm; do
    for real in double single; do
        "$work/native" "$work/bytes" "$work/meant" $set $real || fail "tests/native.c, $set, $real"
        objdump -D -b binary -m i386:x86-64 -M intel --no-show-raw-insn "$work/bytes" \
            | sed -n 's/^ *[0-9a-f]*:\t//p' \
            | sed 's/\[rip[+-]0x[0-9a-f]*\]\(.*[^ ]\)* *# 0x20$/[rip+POOL]\1/
                   s/\[rip[+-]0x[0-9a-f]*\] *# 0x0$/[rip+START]/; s/  */ /; s/ *$//' >"$work/read"
        compare $set $real
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

cross=aarch64-linux-gnu-gcc
dump=aarch64-linux-gnu-objdump
if ! have qemu-aarch64 || ! have $dump || ! links $cross -static; then
    echo "SKIP AArch64: no qemu-aarch64, $cross or $dump (Debian: qemu-user gcc-aarch64-linux-gnu)"
    ok "$count instructions"
fi
quietly compile $cross -O1 -static tests/native_arm.c -o "$work/native-arm" -lm
for set in number vector; do
    for real in double single; do
        qemu-aarch64 "$work/native-arm" "$work/bytes" "$work/meant" $set $real \
            || fail "tests/native_arm.c, $set, $real"
        $dump -D -b binary -m aarch64 --no-show-raw-insn "$work/bytes" \
            | sed -n 's/^ *[0-9a-f]*:\t//p' | sed 's/\t/ /g; s, *//.*,,; s/ *$//' >"$work/read"
        compare "AArch64, $set" $real
    done
done

# A function with more values alive, and more numbers for all points, than there are registers, and
# calls: the halves of 8 to 15, and the general registers from 18 on but for those that its beginning
# saves, are the caller's.
cat >"$work/kept.c" <<'PROGRAM'
#define AUTODIFF_STATIC
#define AUTODIFF_PERF_MAP
#include "autodiff.h"
#include <unistd.h>
int main(int argc, char **argv)
{
    enum { N = 40, POINTS = 64 };
    static double many[POINTS], out[POINTS];
    double p[N], y;
    ad_tape *t = ad_tape_create(NULL);
    ad_var x[N], z[N], s = ad_input(t, 1);
    ad_port in[N], to = ad_port_out(out, 1);
    ad_fn_desc desc = { 0 };
    ad_fn *f;
    unsigned long at, bytes;
    char path[60], line[200];
    FILE *map, *code = fopen(argv[argc - 1], "wb");
    int i, calls;
    desc.native = AD_NATIVE_NOW;
    for (i = 0; i < N; i++) x[i] = ad_input(t, p[i] = 1 + 0.01 * i);
    for (calls = 0; calls < 2; calls++) {
        s = x[0];
        for (i = 1; i < N; i++) z[i] = ad_var_mul(x[0], x[i]);
        for (i = 1; i < N; i++) s = ad_var_add(ad_var_mul(s, x[i]), z[N - i]);
        if (calls) s = ad_var_tanh(s);
        for (i = 1; i < N; i++) s = ad_var_add(s, ad_var_mul(s, x[i]));
        for (i = 1; i < N; i++) s = ad_var_add(s, z[i]);
        for (i = 0; i < N; i++) in[i] = i ? ad_port_shared(&p[i]) : ad_port_in(many, 1);
        f = ad_fn_create(t, N, x, 1, &s, &desc);
        if (ad_fn_native(f) != AD_OK || ad_fn_eval(f, p, &y) != AD_OK
            || ad_fn_map(f, POINTS, in, &to, NULL) != AD_OK
            || ad_fn_get_stats(f).native_maps != 1) return 1;
        snprintf(path, sizeof path, "/tmp/perf-%ld.map", (long)getpid());
        map = fopen(path, "r");
        while (map && fgets(line, sizeof line, map))
            if (sscanf(line, "%lx %lx", &at, &bytes) == 2) fwrite((void *)at, 1, bytes, code);
        if (!map || fclose(map) || remove(path)) return 1;
        ad_fn_destroy(f);
    }
    /* guards jump to what stands behind 400,000 steps: too far, and interpreted */
    ad_branch(x[0]);
    for (s = x[0], i = 0; i < 400000; i++) s = ad_var_add(ad_var_mul(s, x[i % 7]), x[1 + i % 5]);
    f = ad_fn_create(t, N, x, 1, &s, &desc);
    p[0] = x[0].v;
    if (ad_fn_native(f) != AD_ERR_UNSUPPORTED || strcmp(ad_fn_get_stats(f).native, "too long")
        || ad_fn_eval(f, p, &y) != AD_OK || y != s.v) return 1;
    ad_fn_destroy(f);
    ad_tape_destroy(t);
    return fclose(code);
}
PROGRAM
quietly compile $cross -O1 -w -static -I. "$work/kept.c" -o "$work/kept" -lm
qemu-aarch64 "$work/kept" "$work/bytes" || fail 'a function and its map on AArch64'
$dump -D -b binary -m aarch64 --no-show-raw-insn "$work/bytes" | sed -n 's/^ *[0-9a-f]*:\t//p' >"$work/read"
grep -q blr "$work/read" && grep -q '^fmul.*v2[0-9]' "$work/read" || fail 'what the function was made into'
if grep -wE '[qvds](8|9|1[0-5])(\.[0-9a-z]+)?|x(18|2[5-8])' "$work/read" | head -n 5 | grep .; then
    fail 'registers that are the caller'"'"'s'
fi
ok "$count instructions"
