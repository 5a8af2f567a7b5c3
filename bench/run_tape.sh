#!/bin/sh
# Builds and runs the benchmarks of single operations on tape and duals, with gcc and with clang,
# whichever are there.
#     run_tape.sh FLAG...
mkdir -p build/bench
found=0
for cc in gcc clang; do
    command -v $cc >/dev/null 2>&1 || { echo "SKIP bench with $cc: not installed"; continue; }
    found=1
    for name in tape dual; do
        program=build/bench/$name-$cc
        $cc "$@" bench/$name.c -o "$program" -lm || exit 1
        "$program" || exit 1
    done
done
[ $found = 1 ]
