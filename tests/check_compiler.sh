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
variants='-DAUTODIFF_NONE
-DNDEBUG
-DAUTODIFF_IMPLEMENTATION
-DAUTODIFF_IMPLEMENTATION -DNDEBUG
-DAUTODIFF_IMPLEMENTATION -DAUTODIFF_STATIC
-DAUTODIFF_IMPLEMENTATION -DAUTODIFF_CHECK
-DAUTODIFF_IMPLEMENTATION -DAUTODIFF_CHECK -DAUTODIFF_STATIC
-DAUTODIFF_IMPLEMENTATION -DAUTODIFF_NO_KERNELS
-DAUTODIFF_IMPLEMENTATION -DAUTODIFF_GRAPH -DAUTODIFF_CHECK -DAUTODIFF_NO_SIMD
-DAUTODIFF_IMPLEMENTATION -DAUTODIFF_GRAPH -DAUTODIFF_CHECK -DAUTODIFF_STATIC -DNDEBUG'

# all COMPILER: the header in every variant
all()
{
    echo "$variants" | while read -r flags; do
        "$@" $warn -fsyntax-only -I. $flags "$work/header.c" || { echo "with $flags"; exit 1; }
    done
}

suites="tests/impl.c tests/main.c $(echo tests/test_*.c)"
others=$(ls examples/*.c examples/frameworks/plain_assert.c examples/frameworks/suite.c tests/threads.c \
    tests/reports.c tests/rates.c tests/hostile.c tools/adcheck.c tools/adgen.c 2>/dev/null)
for std in c99 c11 c17; do
    files="$suites $others"
    [ $std = c99 ] || files="$files $(ls tests/generic.c 2>/dev/null)"
    quietly "header, $std" all "$cc" -std=$std
    quietly "tests and examples, $std" "$cc" -std=$std $warn -fsyntax-only $files
done
for std in c++11 c++17; do
    quietly "header, $std" all "$cxx" -x c++ -std=$std
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
