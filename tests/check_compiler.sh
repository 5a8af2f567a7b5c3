#!/bin/sh
# One compiler: header, tests and examples without a warning in every language version and with
# every configuration macro; then, gcc and clang in turn, the tests run optimised, with gcc as C, with
# clang as C++. (Not optimised they run as C in `make test`, as C++ in check-asan.)
#     check_compiler.sh CC CXX
cc=$1 cxx=$2 name=$1
. tests/check.sh
have "$cc" || skip "no $cc"
have "$cxx" || skip "no $cxx"
[ "$cc" = gcc ] && own=0 || own=1                # whose turn it is: in C, in C++ the other's
warn='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wdouble-promotion -Wundef -Werror'

echo '#include "autodiff.h"' >"$work/header.c"
few='-DAUTODIFF_NONE
-DAUTODIFF_IMPLEMENTATION -DAUTODIFF_GRAPH -DAUTODIFF_CHECK -DAUTODIFF_STATIC -DNDEBUG'
many="$few
-DNDEBUG
-DAUTODIFF_IMPLEMENTATION
-DAUTODIFF_IMPLEMENTATION -DAUTODIFF_STATIC
-DAUTODIFF_IMPLEMENTATION=double
-DAUTODIFF_STATIC=double -DAUTODIFF_CHECK
-DAUTODIFF_IMPLEMENTATION -DAUTODIFF_CHECK -DAUTODIFF_STATIC
-DAUTODIFF_IMPLEMENTATION -DAUTODIFF_CHECK -DAUTODIFF_SIMD=AD_SIMD_AVX2 -DNDEBUG
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
# Every macro in the oldest C or C++, with the other compiler in the other; later ones differ by less.
quietly 'header, c99' all "$(echo "$many" | turn $own 2)" "$cc" -std=c99
quietly 'tests and examples, c99' "$cc" -std=c99 $warn -fsyntax-only $suites $others
quietly 'header, c++11' all "$(echo "$many" | turn $((1 - own)) 2)" "$cxx" -x c++ -std=c++11
quietly 'tests, c++11' "$cxx" -x c++ -std=c++11 $warn -fsyntax-only $suites
for std in c11 c17; do
    quietly "header, $std" all "$few" "$cc" -std=$std
    quietly "C11 front, $std" "$cc" -std=$std $warn -fsyntax-only tests/generic.c
done
quietly 'header, c++17' all "$few" "$cxx" -x c++ -std=c++17
quietly 'C++ front, c++17' "$cxx" -x c++ -std=c++17 $warn -fsyntax-only tests/fronts.cpp
# C++20 deprecates arithmetic of two enumerations, C++26 has none.
if "$cxx" -x c++ -std=c++20 -fsyntax-only - </dev/null 2>"$work/log"; then
    quietly 'header, c++20' all "$few" "$cxx" -x c++ -std=c++20
    quietly 'C++ front, c++20' "$cxx" -x c++ -std=c++20 $warn -fsyntax-only tests/fronts.cpp
fi

# Where numbers are computed wider than they are, strict C has no product of a double and a vector.
if [ "$cc" = gcc ] && links "$cc" -mfpmath=387; then
    quietly 'header, x87' "$cc" -std=c99 -mfpmath=387 $warn -fsyntax-only -I. "$work/header.c"
fi

# Some warnings need the optimiser, so these builds have them all, and the front of their language.
# Suites that only call the library are those of `make test`.
AD_TEST_STRIDE=19                              # one in so many random samples
EMIT_EVERY=6                                   # and in so many emitted functions
export AD_TEST_STRIDE EMIT_EVERY
quietly 'header optimised' "$cc" -std=c99 $warn -O2 -S -I. "$work/header.c" -o "$work/header.s"
quietly 'header optimised' "$cxx" -x c++ -std=c++11 $warn -O2 -S -I. "$work/header.c" -o "$work/header.s"
inline='test_rules test_tape test_twins test_user generic fronts emitted'
closing='the other compiler has the tests'
if ! mine $own 2; then
    :
elif [ "$cc" = gcc ]; then
    tests c99 CC="$cc" HAVE_CXX= CFLAGS="-std=c99 -O2 $warn" INLINE="$inline" LINKED="$BUILD"
else
    tests cxx CC="$cxx -x c++ -std=c++11" LINK="$cxx" CXX="$cxx" HAVE_C11= HAVE_CXX=yes \
        CFLAGS="-O2 $warn" INLINE="$inline" LINKED="$BUILD"
fi
ok "$closing"
