#!/bin/sh
# The tests under sanitizers; the first finding ends them. clang, which needs minutes and a gigabyte
# for the vector kernels: addresses and undefined behaviour, in plain C, and in the fronts. gcc, as
# C++: addresses, in those kernels too, with suites whose own arrays are watched as well; a third of
# the suites, another one each day. (check-valgrind and check-aarch64 take theirs from the other thirds.)
#     check_asan.sh          one in so many random samples
#     check_asan.sh long     all samples; undefined behaviour with gcc too
name=asan
. tests/check.sh
AD_TEST_STRIDE=19 EMIT_EVERY=6
[ "$1" != long ] || AD_TEST_STRIDE=1 EMIT_EVERY=1
export AD_TEST_STRIDE EMIT_EVERY
address='-fsanitize=address -fno-sanitize-recover=all -fno-omit-frame-pointer'
both="$address -fsanitize=undefined,float-cast-overflow"
total=
for cc in gcc clang; do
    links $cc $both || { echo "SKIP check-asan with $cc: not installed, or without its runtime"; continue; }
    language=$cc link=$cc cxx=CXX=clang++ linked=$BUILD simd=-DAUTODIFF_NO_SIMD flags=$both only=
    case $cc:$1 in
    gcc:long)   simd= cxx=CXX=g++ linked= ;;
    gcc:*)      language='g++ -x c++ -std=c++11' link=g++ flags=$address simd= linked=
                cxx=PROGRAMS=$work/gcc/runner only=$("$BUILD/runner" --list | turn 0 3 | xargs) ;;
    clang:long) linked= ;;
    esac
    # shellcheck disable=SC2086
    tests $cc CC="$language" LINK=$link $cxx CFLAGS="-g1 -O0 $simd $flags" LDFLAGS="$flags" LINKED=$linked ONLY="$only" \
        INLINE='test_rules test_tape test_twins test_user test_kernels'    # which looks at $simd
    total="$total $cc $closing;"
done
[ -n "$total" ] || skip 'no compiler with the sanitizers'
ok "${total# }"
