#!/bin/sh
# The accuracy of the array kernels' mathematics, in every level that this machine has, NEON by an
# emulator, and the same bits on all of them.
#     check_accuracy.sh          some thousand points a function
#     check_accuracy.sh long     a million doubles, every float; on all processors
name=accuracy
. tests/check.sh
: "${CC:=cc}"
[ -f tests/accuracy.c ] || fail 'no tests/accuracy.c'
jobs=$(nproc 2>/dev/null || echo 2)
passed=0 failed=0 notes=

# add FILE: shows a program's lines, and adds its closing one to the total; without one it counts as
# a failure.
add()
{
    closing=$(tail -n 1 "$1" | grep -E '^[0-9]+ passed, [0-9]+ failed$')
    if [ -z "$closing" ]; then
        tail -n 20 "$1"
        failed=$((failed + 1))
        return
    fi
    sed '$d' "$1"
    p=${closing%% *} f=${closing#*, }
    passed=$((passed + p)) failed=$((failed + ${f%% *}))
}

# every WHAT ARGUMENT...: one process a function, as many at a time as there are processors.
every()
{
    what=$1
    shift
    rm -f "$work/$what".*.log
    "$program" --list | xargs -P "$jobs" -I NAME sh -c \
        '"$@" >"$0" 2>&1 || true' "$work/$what.NAME.log" "$program" --only NAME "$@"
    for f in $("$program" --list); do add "$work/$what.$f.log"; done
}

echo '#include <mpfr.h>
int main(void) { mpfr_t x; mpfr_init2(x, 53); return mpfr_set_d(x, 1, MPFR_RNDN); }' >"$work/mpfr.c"
mpfr=
if $CC "$work/mpfr.c" -o "$work/mpfr" -lmpfr -lgmp 2>/dev/null; then
    mpfr=-DACCURACY_MPFR libraries='-lmpfr -lgmp'
else
    echo 'SKIP check-accuracy, double: no MPFR for the exact values (Debian: libmpfr-dev)'
    notes=', double by special values alone' libraries=
fi
object $CC $standard
program=$work/accuracy
quietly compile $CC -O2 -ffp-contract=off $mpfr tests/accuracy.c "$object" -o "$program" \
    $libraries -lm

if [ "$1" = long ]; then
    [ -z "$mpfr" ] || every double --double --points 1000000
    every float --float --all
else
    "$program" --double --points 10000 >"$work/double.log" 2>&1
    add "$work/double.log"
    "$program" --float --points 1000000 >"$work/float.log" 2>&1
    add "$work/float.log"
fi

# 64-bit ARM. Its bits are to be those of the levels here, so that what MPFR said of those holds.
cc=aarch64-linux-gnu-gcc
if ! have qemu-aarch64; then
    echo 'SKIP check-accuracy, NEON: no emulator (Debian: qemu-user)'
elif ! links $cc -static; then
    echo "SKIP check-accuracy, NEON: no $cc, or no C library for it (Debian: gcc-aarch64-linux-gnu)"
else
    object $cc $standard
    quietly 'compile for ARM' $cc -O2 -ffp-contract=off -static tests/accuracy.c "$object" \
        -o "$work/accuracy-arm" -lm
    qemu-aarch64 "$work/accuracy-arm" --float --points 100000 >"$work/arm.log" 2>&1
    add "$work/arm.log"
    qemu-aarch64 "$work/accuracy-arm" --double --points 1 2>&1 | grep -v '^SKIP' >"$work/arm.log"
    add "$work/arm.log"
    echo 'SKIP check-accuracy, NEON against MPFR: none for ARM; its bits are compared with those here'
    "$program" --digest >"$work/digest" && sort -u "$work/digest" >"$work/digests"
    qemu-aarch64 "$work/accuracy-arm" --digest | sort -u >"$work/digests-arm"
    n=$(grep -c . "$work/digests-arm")
    if [ ! -s "$work/digests" ]; then
        echo 'SKIP check-accuracy, the bits of NEON: no level here to compare with'
    elif [ "$n" -gt 0 ] && cmp -s "$work/digests" "$work/digests-arm"; then
        passed=$((passed + n))
    else
        diff "$work/digests" "$work/digests-arm" | head -n 20
        echo 'FAILED: NEON gives other bits (<: here, >: NEON)'
        failed=$((failed + 1))
    fi
fi

[ $failed = 0 ] && [ $passed -gt 0 ] || fail "$passed passed, $failed failed"
ok "$passed passed, $failed failed$notes"
