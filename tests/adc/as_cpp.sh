#!/bin/sh
# Files of C that a C++ compiler reads with another type of number for double (examples/c_as_cpp.hpp):
# the cases of adc, and functions of SUNDIALS' examples, beside the functions as they are.
#     as_cpp.sh DIRECTORY
# $CC, $CXX, $OBJECT: compilers and the library compiled. The last line is the closing one.
directory=$1
exact='-O0 -fno-builtin -ffp-contract=off -ffunction-sections -fdata-sections -D_GNU_SOURCE'
bad=0 closing=

# run WHAT OBJECTS...: in C++ $std, made of var.cpp, dual.cpp and dual8.cpp in $at, beside the objects.
run()
{
    what=$1
    shift
    for kind in var dual dual8; do
        $CXX -std=$std -w -fno-exceptions -fno-rtti -fno-threadsafe-statics $exact -I. \
            -I/usr/include/suitesparse -c "$at/$kind.cpp" -o "$at/$kind.o" 2>"$at/err" && continue
        echo "-- $what as $kind is not compiled:"
        grep -E 'error|warning' "$at/err" | head -n 8 | cut -c 1-160
        bad=$((bad + 1))
        return
    done
    for list in cases singles; do
        [ -s "$at/$list" ] || continue
        single=
        [ $list = cases ] || single=-DSINGLE
        if $CC -std=c99 $exact -w -I. $single "-DCASES=\"$at/$list\"" tests/adc/driver.c "$@" "$at"/*.o \
            "$OBJECT" -o "$at/$list.run" -Wl,--gc-sections -lm >"$at/err" 2>&1 \
            && "$at/$list.run" >"$at/err" 2>&1; then :; else
            echo "-- $what, $list:"
            head -n 8 "$at/err" | cut -c 1-160
            bad=$((bad + 1))
        fi
    done
    closing="$closing$(cat "$at/cases" "$at/singles" 2>/dev/null | grep -c .) $what, "
}

# Not C++: arrays whose length is a parameter (declarations, matrices), fields named out of their
# order (expressions, words), parameters of old functions (words, headed_by_one), void * that becomes
# another pointer (sizes); sizeof(double) as a number of the result (copying); functions that no rule
# and no text of ours is for (library, narrow); the place of a literal (tight); structs without a
# name, whose fields have no constructors there (unnamed), and structs that are known outside of those
# that define them (inner).
at=$directory/cases
rm -rf "$at"
mkdir -p "$at/plain"
sources=
for source in tests/adc/cases/*.c; do
    case $source in
    */declarations.c | */matrices.c | */expressions.c | */copying.c | */library.c \
    | */words.c | */headed_by_one.c | */sizes.c | */behind.c | */tight.c | */narrow.c | */unnamed.c \
    | */inner.c)
        continue ;;
    esac
    sources="$sources $source"
done
# Conversions that C has and the number types have where the header gives them: if (x), (int)x.
echo '#include "autodiff.h"
int main() { const ad_dual x = 1.5; return x ? (int)x - 1 : 1; }' >"$at/probe.cpp"
if ! $CXX -std=c++11 -fsyntax-only -I. "$at/probe.cpp" 2>/dev/null; then
    kept=
    for source in $sources; do
        case $source in
        */branches.c | */casts.c | */decisions.c | */tables.c) ;;
        *) kept="$kept $source" ;;
        esac
    done
    sources=$kept
fi
python3 tests/adc/as_cpp.py "$at" $sources || exit 1
for source in $sources; do
    $CC -std=c99 $exact -w -c "$source" -o "$at/plain/$(basename "$source" .c).o" || exit 1
done
std=c++11
run 'cases of adc' "$at"/plain/*.o

examples=/usr/share/doc/libsundials-dev/examples
if [ -d "$examples" ]; then
    at=$directory/sundials
    rm -rf "$at"
    mkdir -p "$at/plain"
    python3 tests/adc/as_cpp.py "$at" tests/adc/published.txt "$examples" cvRoberts_dns.c:f \
        ark_brusselator1D.c:f cvsRoberts_FSA_dns.c:f idaSlCrank_dns.c:ressc kinRoboKin_dns.c:func \
        idasAkzoNob_dns.c:res idasAkzoNob_dns.c:rhsQ cvDirectDemo_ls.c:f2 cvRocket_dns.c:f \
        ark_heat1D_adapt.c:f ark_analytic_nonlin.c:f cvPendulum_dns.c:f cvParticle_dns.c:f \
        cvsAdvDiff_FSA_non.c:f cvsRoberts_ASAi_dns.c:fB kinFerTron_dns.c:func || exit 1
    for source in "$at"/*.c; do
        case $source in
        */F[0-9]*_*.c | */vectors.c)
            $CC -std=c99 $exact -w -I/usr/include/suitesparse -c "$source" \
                -o "$at/plain/$(basename "$source" .c).o" || exit 1 ;;
        esac
    done
    std=c++14                                       # SUNDIALS' own headers want it
    run 'functions of SUNDIALS' "$at"/plain/*.o
fi
echo "$closing$bad faults"
[ $bad = 0 ]
