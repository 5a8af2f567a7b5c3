#!/bin/sh
# What the suites execute of autodiff.h, by gcov: the library alone is compiled anew, with counters,
# and linked with the programs of `make test`. Precisions and instruction sets are functions of their
# own. Fails where a function is never executed, or fewer lines are than are told: see tests/coverage.py.
#     coverage.sh [LINES in per cent]
name=coverage
. tests/check.sh
: "${CC:=cc}" "${CXX:=c++}" "${GCOV:=gcov}"
have "$GCOV" || skip 'no gcov (Debian: gcc)'
have python3 || skip 'no python3 (Debian: python3)'
links "$CC" --coverage || skip "$CC has no --coverage (Debian: gcc)"
$CC --version | grep -qi clang && skip 'gcov is for gcc: CC=gcc'
html=$BUILD/coverage
rm -f "$work"/*.gcda "$work"/*.json.gz
quietly compile $CC -O0 --coverage -fprofile-abs-path -c tests/impl.c -o "$work/impl.o"
programs=
for program in fronts generic emit runner; do
    objects=$BUILD/$program.o link=$CC
    [ $program != runner ] || objects="$BUILD/main.o $(echo "$BUILD"/test_*.o)"
    [ $program != emit ] || objects="$objects $BUILD/emitted.o"
    [ $program != fronts ] || link=$CXX
    [ -f "$BUILD/$program.o" ] || [ $program = runner ] || continue
    quietly link $link --coverage $objects "$work/impl.o" -o "$work/$program" -lm
    programs="$programs $work/$program"
done
# What emits code is a program too: it has nothing to compare, so it stands outside of run.sh.
quietly link $CC --coverage "$BUILD/emitter.o" "$work/impl.o" -o "$work/emitter" -lm
quietly emit "$work/emitter"
quietly tests env JOBS="$(nproc 2>/dev/null || echo 1)" sh tests/run.sh $programs
closing=$(tail -n 1 "$work/log")
for best in 1 2; do                            # the sets that this machine has not for its best
    for suite in fn algebra learn; do
        AD_TEST_BEST=$best "$work/runner" $suite >"$work/log" 2>&1 \
            || fail "suite $suite, instruction set $best"
    done
done
root=$PWD
(cd "$work" && "$GCOV" -j -b -c impl.o) >"$work/log" 2>&1 || fail "$GCOV: $(tail -n 1 "$work/log")"
python3 tests/coverage.py "$work/impl.gcov.json.gz" "$root/autodiff.h" "$html" tests/coverage.txt "$1" \
    >"$work/log" || { cat "$work/log"; fail "$(tail -n 1 "$work/log")"; }
cat "$work/log"
ok "$closing; $html/index.html"
