#!/bin/sh
# The macros that the header leaves behind, beyond those of the system headers it includes: only
# names of its own, and nothing of the system's redefined or lost.
name=macros
. tests/check.sh
count=0
for cc in gcc clang; do
    have $cc || { echo "SKIP check-macros with $cc: not installed"; continue; }
    for std in c99 c11 gnu17 c++11; do
        case $std in
        c++*) x=c++ own='(AD|ADF|ADI|AUTODIFF)_[A-Za-z0-9_]*|AUTODIFF_H' ;;
        c99)  x=c   own='(AD|ADF|ADI|AUTODIFF)_[A-Za-z0-9_]*' ;;
        *)    x=c   own='(AD|ADF|ADI|AUTODIFF)_[A-Za-z0-9_]*|ad_[a-z0-9_]+\([a-z, ]*\)' ;;
        esac
        # those that this machine's build includes: not the other processor's, nor the user's BLAS
        sed -n 's/^ *# *include *<\(.*\)>.*/#include <\1>/p' autodiff.h | grep -v 'cblas' >"$work/all"
        case $(uname -m) in x86_64) other=arm_neon ;; aarch64) other=immintrin ;; *) other='arm_neon|immintrin' ;; esac
        grep -Ev "$other" "$work/all" >"$work/system.c"
        [ $x = c++ ] || { grep '\.h>' "$work/system.c" >"$work/c"; mv "$work/c" "$work/system.c"; }
        { cat "$work/system.c"; echo '#include "autodiff.h"'; } >"$work/header.c"
        for flags in -DAUTODIFF_NONE '-DAUTODIFF_IMPLEMENTATION -DAUTODIFF_GRAPH -DAUTODIFF_CHECK'; do
            for f in system header; do
                quietly "$cc $std" $cc -x $x -std=$std -I. $flags -dM -E "$work/$f.c"
                sort "$work/log" >"$work/$f"
            done
            comm -23 "$work/system" "$work/header" | grep . && fail "system macros changed: $cc $std $flags"
            comm -13 "$work/system" "$work/header" >"$work/new"
            grep -Ev "^#define ($own)([ (]|\$)" "$work/new" && fail "foreign macros: $cc $std $flags"
            count=$(grep -c . "$work/new")
            [ "$count" -gt 10 ] || fail "too few macros to be true: $cc $std $flags"
        done
    done
done
[ "$count" -gt 0 ] || skip 'no compiler'
ok
