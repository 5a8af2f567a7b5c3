#!/bin/sh
# Eigen's matrices and decompositions over the header's number types.
name=eigen
. tests/check.sh
: "${CC:=cc}" "${CXX:=c++}" "${EIGEN:=/usr/include/eigen3}"
have "$CXX" || skip "no C++ compiler $CXX"
[ -f "$EIGEN/Eigen/Core" ] || skip "no Eigen in $EIGEN (EIGEN=DIR)"
[ -f tests/eigen.cpp ] || fail 'no tests/eigen.cpp'
object $CC $standard
quietly 'compile' "$CXX" -std=c++14 -O0 -Wall -Wextra -isystem "$EIGEN" tests/eigen.cpp "$object" \
    -o "$work/eigen" -lm
quietly 'run' sh tests/run.sh "$work/eigen"
ok "$(tail -n 1 "$work/log")"
