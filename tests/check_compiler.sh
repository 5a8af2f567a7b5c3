#!/bin/sh
# One compiler: header, tests and examples without a warning in every language version and with
# every configuration macro; then the tests run, without and with optimisation, as C and as C++.
#     check_compiler.sh CC CXX
cc=$1 cxx=$2 name=$1
. tests/check.sh
have "$cc" || skip "no $cc"
have "$cxx" || skip "no $cxx"
warn='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wdouble-promotion -Wundef -Werror'

echo '#include "autodiff.h"' >"$work/header.c"
few='-DAUTODIFF_NONE
-DAUTODIFF_IMPLEMENTATION
-DAUTODIFF_IMPLEMENTATION -DAUTODIFF_GRAPH -DAUTODIFF_CHECK -DAUTODIFF_STATIC -DNDEBUG'
many="$few
-DNDEBUG
-DAUTODIFF_IMPLEMENTATION -DNDEBUG
-DAUTODIFF_IMPLEMENTATION -DAUTODIFF_STATIC
-DAUTODIFF_IMPLEMENTATION -DAUTODIFF_CHECK
-DAUTODIFF_IMPLEMENTATION -DAUTODIFF_CHECK -DAUTODIFF_STATIC
-DAUTODIFF_IMPLEMENTATION -DAUTODIFF_NO_KERNELS
-DAUTODIFF_IMPLEMENTATION -DAUTODIFF_GRAPH -DAUTODIFF_CHECK -DAUTODIFF_NO_SIMD"

# all VARIANTS COMPILER: the header with the flags of each line
all()
{
    variants=$1
    shift
    echo "$variants" | while read -r flags; do
        "$@" $warn -fsyntax-only -I. $flags "$work/header.c" || { echo "with $flags"; exit 1; }
    done
}

suites="tests/impl.c tests/main.c $(echo tests/test_*.c)"
others=$(ls examples/*.c examples/frameworks/plain_assert.c examples/frameworks/suite.c tests/threads.c \
    tests/reports.c tests/rates.c tests/hostile.c tests/table.c tools/adcheck.c tools/adgen.c 2>/dev/null)
# Every macro in the oldest C and C++; later ones differ by less.
for std in c99 c11 c17; do
    [ $std = c99 ] && variants=$many files="$suites $others" \
        || variants=$few files="$suites $(ls tests/generic.c 2>/dev/null)"
    quietly "header, $std" all "$variants" "$cc" -std=$std
    quietly "tests and examples, $std" "$cc" -std=$std $warn -fsyntax-only $files
done
for std in c++11 c++17; do
    [ $std = c++11 ] && variants=$many || variants=$few
    quietly "header, $std" all "$variants" "$cxx" -x c++ -std=$std
    quietly "tests, $std" "$cxx" -x c++ -std=$std $warn -fsyntax-only $suites \
        $(ls tests/fronts.cpp 2>/dev/null)
done

# Some warnings need the optimiser or the whole file, so these builds have them too.
for std in c99 c++11; do
    [ $std = c99 ] && compiler="$cc -std=c99" || compiler="$cxx -x c++ -std=c++11"
    for i in -DAUTODIFF_NONE '-DAUTODIFF_IMPLEMENTATION -DAUTODIFF_STATIC -DAUTODIFF_GRAPH -DAUTODIFF_CHECK'; do
        quietly "header, $std" $compiler $warn -O2 -S -I. $i "$work/header.c" -o "$work/header.s"
    done
done
if [ "$cc" = gcc ]; then c=-O3 cplus=-O0; else c=-O0 cplus=-O3; fi
tests c99 CC="$cc" CXX="$cxx" CFLAGS="-std=c99 $c $warn"
total="C $closing"
tests cxx CC="$cxx -x c++ -std=c++11" LINK="$cxx" CXX="$cxx" HAVE_C11= CFLAGS="$cplus $warn"
ok "$total; C++ $closing"
