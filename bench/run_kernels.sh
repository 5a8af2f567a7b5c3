#!/bin/sh
# Builds and runs the benchmark of the array kernels.
#     run_kernels.sh [math] [elementwise] [matrix] [NAME]... [--double] [--float] [--level LEVEL]...
# CC, BENCH (flags), BUILD (directory) from the environment. The library's flags do not matter much:
# it chooses the instruction set itself, function by function.
: "${BENCH:=-O3}"
. bench/build.sh
mkdir -p "$BUILD/bench"
program=$BUILD/bench/kernels
# older C libraries keep dlopen apart
libraries='-lm'
echo 'int main(void) { return 0; }' >"$BUILD/bench/probe.c"
$CC "$BUILD/bench/probe.c" -o "$BUILD/bench/probe" -ldl 2>/dev/null && libraries='-ldl -lm'
# shellcheck disable=SC2086
library $CC $BENCH || exit 1
# shellcheck disable=SC2086
library=$(library_of $CC $BENCH)
build "$program" "autodiff.h bench/kernels.c bench/bench.h $library" \
    "$CC $BENCH '-DKERNELS_FLAGS=\"$BENCH\"' bench/kernels.c $library -o $program $libraries" || exit 1
exec "$program" "$@"
