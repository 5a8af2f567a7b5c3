#!/bin/sh
# Time of a Jacobian, or of J v, that a program of SUNDIALS brings, beside the one of its right-hand
# side by adc and examples/solvers/ad_sundials.h: the median of up to 20 points (tests/shipped.c).
: "${BUILD:=build}" "${CC:=cc}"
examples=/usr/share/doc/libsundials-dev/examples
for need in python3 objcopy; do
    command -v $need >/dev/null 2>&1 || { echo "SKIP bench-solvers: no $need"; exit 0; }
done
[ -x "$BUILD/adc" ] || { echo 'SKIP bench-solvers: no adc (make adc)'; exit 0; }
[ -d "$examples" ] || { echo 'SKIP bench-solvers: no libsundials-dev'; exit 0; }
object=$(sh tests/object.sh $CC -O2 -DNDEBUG) || exit 1
exec env CC="$CC" python3 tests/shipped.py "$examples" "$BUILD/bench/solvers" "$object" tests/shipped.txt --time
