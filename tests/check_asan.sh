#!/bin/sh
# The tests under the address and undefined behaviour sanitizers; the first finding ends them. clang
# needs minutes and a gigabyte for instrumented vector kernels, so there they are plain C.
name=asan
. tests/check.sh
flags='-fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all'
flags="$flags -fno-omit-frame-pointer"
total=
for cc in gcc clang; do
    [ $cc = gcc ] && cxx=g++ || cxx=clang++
    links $cc $flags || { echo "SKIP check-asan with $cc: not installed, or without its runtime"; continue; }
    [ $cc = gcc ] && simd= || simd=-DAUTODIFF_NO_SIMD
    tests $cc CC=$cc CXX=$cxx CFLAGS="-g -O0 $simd $flags" LDFLAGS="$flags"
    total="$total $cc $closing;"
done
[ -n "$total" ] || skip 'no compiler with the sanitizers'
ok "${total# }"
