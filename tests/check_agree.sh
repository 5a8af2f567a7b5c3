#!/bin/sh
# Random programs: compiled functions against the tape, duals, kernels (tests/agree.c), with OpenMP
# where the compiler has it.
#     check_agree.sh [PROGRAMS [FIRST SEED [double|float]]]
name=agree
. tests/check.sh
: "${CC:=cc}"
have "$CC" || skip "no $CC"
openmp=
links $CC -fopenmp && openmp=-fopenmp
[ -n "$openmp" ] || echo "SKIP check-agree with threads: $CC has no OpenMP (libgomp or libomp)"
object $CC $standard $openmp
quietly compile $CC -O1 -g $openmp -ffp-contract=off tests/agree.c "$object" -o "$work/agree" -lm
OMP_WAIT_POLICY=passive
export OMP_WAIT_POLICY
quietly run "$work/agree" "${1:-1000}" "${2:-1}" $3
cat "$work/log"
ok
