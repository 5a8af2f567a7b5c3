#!/bin/sh
# adc on C as people write it: translations compiled by several compilers, run beside the function as
# it is; the text that stays; derivatives as C; checks of derivatives; what is refused, and where.
name=adc
. tests/check.sh
: "${CC:=cc}" "${CXX:=c++}"
work=$PWD/$work
rm -rf "$work"
mkdir -p "$work/made"
here=$PWD
adc=$PWD/$BUILD/adc
[ -x "$adc" ] || skip 'no libclang (Debian: apt-get install libclang-14-dev)'
object $CC $standard
object=$here/$object
bad=0 parts=

# wrong WHAT [FILE]: says so, shows the file, and goes on.
wrong()
{
    bad=$((bad + 1))
    echo "-- $1"
    [ -z "$2" ] || head -n 12 "$2" | cut -c 1-160
}

# ---- every case as tape, duals and packs of duals; strict compilers; run beside the function itself
strict='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-missing-field-initializers -Werror'
exact='-O1 -std=c99 -D_GNU_SOURCE -fno-builtin -ffp-contract=off'

# A header that was compiled before spares each translation the reading of it.
quick=$work/quick
mkdir -p "$quick/c" "$quick/c++" "$quick/clang"
# shellcheck disable=SC2086
case $($CC --version) in
*clang*) ;;
*)  quietly 'autodiff.h, compiled before' $CC $exact $strict -x c-header autodiff.h \
        -o "$quick/c/autodiff.h.gch" ;;
esac
others=
if have "${CXX%% *}" && $CXX -std=c++11 $strict -w -x c++-header autodiff.h -o "$quick/c++/autodiff.h.gch" \
    2>"$work/log"; then
    others=C++
fi
if have clang; then
    quietly 'autodiff.h, compiled before by clang' clang -std=c99 -D_GNU_SOURCE $strict -Wno-float-conversion -x c-header \
        autodiff.h -o "$quick/clang/autodiff.h.pch"
    others="$others clang"
fi

# translate CASE.c: in $work/made, all that it is made into; its line in cases or singles.
translate()
{
    source=$1
    case=$(basename "$source" .c)
    head=$(sed -n '1s/^\/\* adc: \(.*\): .*/\1/p' "$source")
    n=${head%% *}
    m=$(echo "$head" | sed 's/^[0-9]* -> \([0-9]*\) .*/\1/')
    box=$(echo "$head" | sed 's/.*\[\(.*\)\].*/\1/')
    single= list=cases
    case $head in *single*) single=f list=singles ;; esac
    warns=$(echo "$head" | sed -n 's/.*warns \([0-9]*\).*/\1/p')
    for as in var dual dual8; do
        made=$work/made/$case$as.c
        if ! "$adc" "$source" --function "$case" --in "x[$n]" --out "y[$m]" --as $single$as -o "$made" \
            2>"$work/err"; then
            wrong "$case as $as is refused" "$work/err"
            return
        fi
        [ "$(grep -c 'warning: ' "$work/err")" = "${warns:-0}" ] \
            || wrong "$case as $as: not ${warns:-0} warnings" "$work/err"
        $CC $exact $strict -I"$quick/c" -I. -I"$(dirname "$source")" -c "$made" \
            -o "$work/made/$case$as.o" 2>"$work/err" || wrong "$case as $as, $CC" "$work/err"
        case $others in *clang*)
            clang -std=c99 -D_GNU_SOURCE $strict -Wno-float-conversion -fsyntax-only -include-pch "$quick/clang/autodiff.h.pch" \
                -I. -I"$(dirname "$source")" "$made" 2>"$work/err" || wrong "$case as $as, clang" "$work/err"
        esac
        case "$others $head" in *C++*C++*)
            $CXX -std=c++11 $strict -x c++ -fsyntax-only -I"$quick/c++" -I. -I"$(dirname "$source")" "$made" \
                2>"$work/err" || wrong "$case as $as, $CXX" "$work/err"
        esac
    done
    $CC $exact -w -c "$source" -o "$work/made/$case.o" 2>"$work/err" || wrong "$case itself" "$work/err"
    echo "CASE($case, $n, $m, $box)" >>"$work/$list"
    eval "${list}_objects=\"\$${list}_objects $work/made/$case.o $work/made/${case}var.o \
        $work/made/${case}dual.o $work/made/${case}dual8.o\""
}

# run LIST FLAG...: what it holds, run.
run()
{
    list=$1
    shift
    eval "objects=\$${list}_objects"
    quietly "driver, $list" $CC $exact $strict "$@" -I. "-DCASES=\"$work/$list\"" tests/adc/driver.c $objects \
        "$object" -o "$work/$list.run" -lm
    "$work/$list.run" >"$work/log" 2>&1 || wrong "$list" "$work/log"
    tail -n 1 "$work/log"
}

cases_objects= singles_objects=
for source in tests/adc/cases/*.c; do translate "$source"; done
run cases
run singles -DSINGLE
parts="$(grep -c . "$work/cases") functions, $(grep -c . "$work/singles") in floats"

[ $bad = 0 ] || fail "$bad faults"
ok "$parts"
