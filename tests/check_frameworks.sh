#!/bin/sh
# The gradient checks in examples/frameworks, each in its framework where that is installed: they
# pass, and with -DSEED_BUG, which makes the gradient wrong, they fail and say that it is wrong.
name=frameworks
. tests/check.sh
: "${CC:=cc}"
rm -rf "$work"
mkdir -p "$work/examples"
here=$PWD/$work
from=$here/examples/frameworks
warn='-std=c99 -Wall -Wextra -Wpedantic -Werror'
ulimit -c 0             # the assertions that must fail leave nothing behind
for variable in AD_CHECK_FORMAT AD_CHECK_OUTPUT AD_CHECK_ONLY AD_CHECK_SEED AD_CHECK_MAX_EVALS \
    AD_CHECK_STRICT AD_CHECK_VERBOSE GITHUB_ACTIONS GITHUB_STEP_SUMMARY HARNESS_ACTIVE; do
    unset $variable
done

# In this copy the header beside the examples leaves the implementation to an object that is made
# once: a dozen programs would each take as long to compile.
cp -r examples/frameworks "$work/examples/"
printf '#undef AUTODIFF_%s\n' IMPLEMENTATION STATIC >"$work/autodiff.h"
echo "#include \"$PWD/autodiff.h\"" >>"$work/autodiff.h"
object $CC $standard
cp "$object" "$work/impl.o"

# shows PATTERN WHAT: the last output has a line with the pattern.
shows()
{
    grep -q -e "$1" "$work/log" && return
    tail -n 60 "$work/log"
    fail "$2"
}

# refuses WHAT COMMAND...: fails, and says that something is wrong. The inner shell is the one to
# tell of a program that was aborted.
refuses()
{
    what=$1
    shift
    sh -c '"$@"; exit $?' sh "$@" >"$work/log" 2>&1 && { tail -n 60 "$work/log"; fail "$what: a wrong gradient passes"; }
    shows WRONG "$what: not a word of WRONG"
}

# program NAME FLAG...: builds it, right and wrong.
program()
{
    p=$1
    shift
    quietly "$p" $CC $warn "$from/$p.c" "$work/impl.o" -o "$work/$p" "$@" -lm
    quietly "$p, wrong" $CC $warn -DSEED_BUG "$from/$p.c" "$work/impl.o" -o "$work/$p-wrong" "$@" -lm
}

program plain_assert
quietly 'plain assert' "$work/plain_assert"
refuses 'plain assert' "$work/plain_assert-wrong"
quietly 'suite, as it stands' $CC $warn examples/frameworks/suite.c -o "$work/suite-alone" -lm
quietly 'suite, as it stands' "$work/suite-alone"
program suite
quietly suite "$work/suite"
refuses suite "$work/suite-wrong"
refuses 'suite, TAP' env AD_CHECK_FORMAT=tap "$work/suite-wrong"
shows '^not ok 1 - rosenbrock_gradient' 'suite: no "not ok" in TAP'
parts='plain assert, suite'

if have pkg-config && pkg-config --exists cmocka; then
    program with_cmocka $(pkg-config --cflags --libs cmocka)
    quietly cmocka "$work/with_cmocka"
    shows 'PASSED.* 1 test' 'cmocka ran nothing'
    refuses cmocka "$work/with_cmocka-wrong"
    shows 'FAILED.* 1 test' 'cmocka tells of no failed test'
    parts="$parts, cmocka"
else
    echo 'SKIP check-frameworks with cmocka: not installed'
fi

if have pkg-config && pkg-config --exists check; then
    program with_check $(pkg-config --cflags --libs check)
    quietly Check "$work/with_check"
    shows '100%: Checks: 1' 'Check ran nothing'
    refuses Check "$work/with_check-wrong"
    shows 'Failures: 1' 'Check counts no failure'
    parts="$parts, Check"
else
    echo 'SKIP check-frameworks with Check: not installed'
fi

if have cmake && have ctest; then
    # A release build, where assert() does nothing unless the program sees to it.
    for seed in '' -DSEED_BUG; do
        build=$work/cmake$seed
        quietly CMake cmake -S "$from" -B "$build" -DCMAKE_BUILD_TYPE=Release \
            "-DCMAKE_C_COMPILER=${CC%% *}" "-DCMAKE_C_FLAGS=$seed" "-DCMAKE_C_STANDARD_LIBRARIES=$here/impl.o -lm"
        quietly CMake cmake --build "$build"
        if [ "$seed" ]; then
            refuses CTest ctest --test-dir "$build" --output-on-failure
            shows '0% tests passed, 2 tests failed' 'CTest: not both failed'
            env AD_CHECK_ONLY=none-such ctest --test-dir "$build" -R suite >"$work/log" 2>&1 \
                && fail 'CTest: a suite that decides nothing passes'
        else
            quietly CTest ctest --test-dir "$build" --output-on-failure
            shows '100% tests passed.* out of 2' 'CTest: not both passed'
        fi
    done
    parts="$parts, CTest"
else
    echo 'SKIP check-frameworks with CTest: not installed'
fi

if have meson && have ninja; then
    for seed in '' -DSEED_BUG; do
        build=$work/meson$seed
        quietly Meson env CC="$CC" meson setup "$build" "$from" "-Dc_args=$seed" "-Dc_link_args=$here/impl.o -lm"
        quietly Meson ninja -C "$build"
        if [ "$seed" ]; then
            refuses Meson meson test -C "$build" --print-errorlogs
            shows '^Ok: *0 *$' 'Meson: a wrong one passed'
            shows 'rosenbrock_gradient FAIL' 'Meson does not say which check of the suite failed'
        else
            quietly Meson meson test -C "$build" --verbose
            shows '^Ok: *2 *$' 'Meson: not both passed'
            shows 'at the minimum' "Meson: the suite's checks are not subtests"
            quietly 'Meson, nothing to do' env AD_CHECK_ONLY=none-such meson test -C "$build" suite
            shows '^Skipped: *1 *$' 'Meson: a suite that decides nothing is not skipped'
        fi
    done
    parts="$parts, Meson"
else
    echo 'SKIP check-frameworks with Meson: not installed'
fi
ok "$parts"
