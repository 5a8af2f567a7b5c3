#!/bin/sh
# Builds and runs the benchmarks of single operations on tape and duals, with gcc and with clang,
# whichever are there.
#     run_tape.sh FLAG...
. bench/build.sh
mkdir -p "$BUILD/bench"
found=0
for cc in gcc clang; do
    have $cc || { echo "SKIP bench with $cc: not installed"; continue; }
    found=1
    for name in tape dual; do
        program=$BUILD/bench/$name-$cc
        $cc "$@" bench/$name.c -o "$program" -lm || exit 1
        "$program" || exit 1
    done
done
[ $found = 1 ]
