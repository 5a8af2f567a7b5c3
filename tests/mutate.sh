#!/bin/sh
# Do the tests notice a mistake? N random single changes of the implementation, one at a time, each
# compiled and run with the suites that should see it; survivors are shown as differences. Seconds a
# mutant; all in a copy of its own. See tests/mutate.py.
#     mutate.sh [N [SEED]]
name=mutate
. tests/check.sh
have python3 || skip 'no python3 (Debian: python3)'
cc=${CC:-cc}
links clang && cc=clang                        # compiles this in half the time
links "$cc" || skip "no $cc"
rm -rf "$work/tree"
mkdir -p "$work/tree/tests"
cp tests/impl.c "$work/tree/tests"
cp autodiff.h "$work/tree"
# Programs of checks see changes too; accuracy where there is MPFR.
rm -f "$work/accuracy.o"
for program in agree rates; do
    quietly "$program" ${CC:-cc} -O1 -ffp-contract=off -c tests/$program.c -o "$work/$program.o"
done
cp "$work/rates.o" "$work/large.o"             # the same with other arguments
${CC:-cc} -O1 -ffp-contract=off -DACCURACY_MPFR -c tests/accuracy.c -o "$work/accuracy.o" \
    2>/dev/null || echo 'SKIP mutate, accuracy: no MPFR (Debian: libmpfr-dev)'
AD_TEST_STRIDE=${AD_TEST_STRIDE:-7} python3 tests/mutate.py "$work" "$BUILD" "$cc" "${1:-20}" $2
