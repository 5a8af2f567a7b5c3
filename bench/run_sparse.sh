#!/bin/sh
# Builds and runs sparse derivatives beside ADOL-C's (bench/sparse_adolc.cpp).
#     run_sparse.sh [SCALE] [TEXT]
# CC, CXX, BENCH (flags), BUILD (directory) from the environment.
: "${BENCH:=-O3 -march=native}"
. bench/build.sh
source=bench/sparse_adolc.cpp
peer 'sparse derivatives beside ADOL-C' $source || exit 0
dir=$BUILD/bench
# shellcheck disable=SC2086
ours=$(known $CC $BENCH)
# shellcheck disable=SC2086
library $ours || exit 1
# shellcheck disable=SC2086
object=$(library_of $ours)
# shellcheck disable=SC2086
build "$dir/sparse_adolc" "$source bench/bench.h $object" \
    "$(known $CXX -std=c++17 $BENCH) -DNDEBUG $source $object -o $dir/sparse_adolc $(says libs $source) -lm" \
    || exit 1
# ColPack would take more threads than one
OMP_NUM_THREADS=1 exec "$dir/sparse_adolc" "$@"
