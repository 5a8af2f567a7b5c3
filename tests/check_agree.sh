#!/bin/sh
# Random programs: compiled functions against the tape, duals, kernels (tests/agree.c), with OpenMP
# where the compiler has it; and arrays that threads share, which have the bits that they have alone
# (tests/shared.c).
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
if [ -n "$openmp" ]; then
    quietly compile $CC -O1 -g $openmp tests/shared.c "$object" -o "$work/shared" -lm
    object $CC $standard
    quietly compile $CC -O1 -g tests/shared.c "$object" -o "$work/alone" -lm
    "$work/alone" >"$work/bits" || fail "$(cat "$work/bits")"
    for threads in 1 2 3 8; do
        OMP_NUM_THREADS=$threads "$work/shared" >"$work/log" || fail "$(cat "$work/log")"
        cmp -s "$work/bits" "$work/log" || fail "other bits with $threads threads:
$(diff "$work/bits" "$work/log")"
    done
fi
ok
