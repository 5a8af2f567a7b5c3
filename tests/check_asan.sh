#!/bin/sh
# The tests under sanitizers; the first finding ends them. gcc: addresses, in vector kernels too, with
# suites whose own arrays are watched as well. clang, which needs minutes and a gigabyte for those
# kernels: addresses and undefined behaviour, in plain C, and in the fronts.
#     check_asan.sh          one in so many random samples
#     check_asan.sh long     all samples; undefined behaviour with gcc too
name=asan
. tests/check.sh
AD_TEST_STRIDE=19
[ "$1" != long ] || AD_TEST_STRIDE=1
export AD_TEST_STRIDE
address='-fsanitize=address -fno-sanitize-recover=all -fno-omit-frame-pointer'
both="$address -fsanitize=undefined,float-cast-overflow"
total=
for cc in gcc clang; do
    links $cc $both || { echo "SKIP check-asan with $cc: not installed, or without its runtime"; continue; }
    case $cc:$1 in
    gcc:long)   flags=$both simd= cxx=CXX=g++ linked= ;;
    gcc:*)      flags=$address simd= cxx=HAVE_CXX= linked= ;;
    clang:long) flags=$both simd=-DAUTODIFF_NO_SIMD cxx=CXX=clang++ linked= ;;
    clang:*)    flags=$both simd=-DAUTODIFF_NO_SIMD cxx=CXX=clang++ linked=$BUILD ;;
    esac
    tests $cc CC=$cc $cxx CFLAGS="-g1 -O0 $simd $flags" LDFLAGS="$flags" LINKED=$linked \
        INLINE='test_rules test_tape test_twins test_user test_kernels'    # which looks at $simd
    total="$total $cc $closing;"
done
[ -n "$total" ] || skip 'no compiler with the sanitizers'
ok "${total# }"
