#!/bin/sh
# Builds every benchmark with gcc and with clang, whichever are there, and runs them one by one.
#     bench.sh FLAG...
mkdir -p build/bench
found=0
for cc in gcc clang; do
    command -v $cc >/dev/null 2>&1 || { echo "SKIP bench with $cc: not installed"; continue; }
    found=1
    for source in bench/*.c; do
        program=build/bench/$(basename "$source" .c)-$cc
        $cc "$@" "$source" -o "$program" -lm || exit 1
        "$program" || exit 1
    done
done
[ $found = 1 ]
