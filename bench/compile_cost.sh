#!/bin/sh
# What the header costs to compile: a table of the compiler's user seconds and greatest memory and of
# what comes out, at -O0 and at -O2, beside the goals.
#     compile_cost.sh [--facts] [--only TEXT]... [--runs N]
# Rows: the header alone; small programs (bench/compile), each of which calls one part of it; and the
# whole implementation as one object (tests/impl.c). First stands bench/calibrate.c, a program that
# never changes; "x" is how many times its seconds a row takes, which is to be compared where machines
# differ. Seconds are medians of up to N runs (5; fewer of what takes long) of compiling without
# linking. Size is text and data of the linked program, or of the object where there is no program.
# --facts: instead of the table, lines "compile-KEY seconds bytes runs" for the suite's report, by CC
# and by clang where that is another. --only: the rows whose key has TEXT in it, such as gradient.
# CC, CXX, BUILD (directory) and HEADER (the header to measure, to compare with another) from the
# environment. Memory wants GNU time, sizes want size: without them there is a "-".
: "${HEADER:=autodiff.h}"
. bench/build.sh
facts= only= most=5
while [ $# -gt 0 ]; do
    case $1:$# in
    --facts:*) facts=yes ;;
    --only:1 | --runs:1) set -- --help; continue ;;
    --only:*) only="$only $2"; shift ;;
    --runs:*) most=$2; shift ;;
    *) sed -n '2,/^# environment/s/^# *//p' "$0"; exit 2 ;;
    esac
    shift
done
[ -f "$HEADER" ] || { echo "compile_cost.sh: no file $HEADER"; exit 2; }
dir=$BUILD/bench/compile
mkdir -p "$dir/include" || exit 1
cp "$HEADER" "$dir/include/autodiff.h" || exit 1
echo '#include "autodiff.h"' >"$dir/header.c"
cp "$dir/header.c" "$dir/header.cpp"
{ echo "#define NDEBUG"; sed 's|"../autodiff.h"|"autodiff.h"|' tests/impl.c ; } >"$dir/whole.c"
gnu_time=
if /usr/bin/time -f '%U %M' true 2>&1 | grep -q '^[0-9.]* [0-9]*$'; then gnu_time=yes; fi

# The goals, and the calibration's seconds where they were set: gcc 12.
reference_O0=0.62 reference_O2=2.48
goals='
KEY         LEVEL  SECONDS  MB   kB
header      O0     0.15     -    -
header      O2     0.15     -    -
header++    O0     0.25     -    -
header++    O2     0.25     -    -
gradient    O0     1.2      -    200
gradient    O2     1.6      -    60
check       O0     1.8      200  -
check       O2     3        200  -
fn          O0     3        -    -
fn          O2     8        -    -
arrays      O0     4        -    -
arrays      O2     12       -    -
whole       O0     6        -    4000
whole       O2     22       -    1500'

# spent COMMAND...: runs it; "user-seconds kilobytes" in $dir/spent.
spent()
{
    if [ $gnu_time ]; then
        /usr/bin/time -f '%U %M' -o "$dir/spent" "$@" 2>"$dir/log"
    else
        ( "$@" 2>"$dir/log" || exit 1
          times ) >"$dir/times" || return 1
        awk 'NR == 2 { split($1, t, /[ms]/); print 60 * t[1] + t[2], "-" }' "$dir/times" >"$dir/spent"
    fi
}
# cost COMMAND...: $seconds, $memory (kB), $runs.
cost()
{
    : >"$dir/runs"
    while :; do
        spent "$@" || return 1
        cat "$dir/spent" >>"$dir/runs"
        awk -v most="$most" -v least="$least" '
            { s += $1 } END { exit !(NR < least || (NR < most && s * (NR + 1) / NR < 10)) }' \
            "$dir/runs" || break
    done
    runs=$(grep -c '' "$dir/runs")
    seconds=$(sort -n "$dir/runs" | awk -v n=$(((runs + 1) / 2)) 'NR == n { print $1 }')
    memory=$(awk '$2 + 0 > most + 0 { most = $2 } END { print most == "" ? "-" : most }' "$dir/runs")
}
# bytes FILE: text and data.
bytes() { size "$1" 2>/dev/null | awk 'NR == 2 { print $1 + $2; n = 1 } END { if (!n) print "-" }'; }
is_clang() { "$@" --version 2>/dev/null | grep -q clang; }

# row KEY WHAT LEVEL COMPILER...: compiles $dir/KEY.c or bench/compile/KEY.c, links it if it is a
# program, runs that, prints the row.
row()
{
    key=$1 what=$2 level=$3 made=- extra=
    shift 3
    [ -z "$only" ] || [ "$key" = calibrate ] || {
        wanted=
        for text in $only; do case $key in *"$text"*) wanted=yes ;; esac; done
        [ $wanted ] || return 0
    }
    object=$dir/$key.o program=
    case $key in
    header) source=$dir/header.c ;;
    header++) source=$dir/header.cpp ;;
    whole) source=$dir/whole.c ;;
    calibrate) source=bench/calibrate.c program=$dir/$key ;;
    both) source=bench/compile/gradient.c program=$dir/$key extra=$with ;;
    duals | nested) source=bench/compile/$key.c program=$dir/$key ;;
    *) source=bench/compile/$key.c program=$dir/$key extra=$with ;;
    esac
    rm -f "$object"
    least=1
    [ $key != calibrate ] || least=3
    # shellcheck disable=SC2086
    if ! cost "$@" "-$level" $extra -I"$dir/include" -c "$source" -o "$object" \
        || { [ "$program" ] && ! "$@" "$object" -o "$program" -lm 2>"$dir/log"; }; then
        echo "FAILED $what, -$level: does not compile"
        head -n 5 "$dir/log"
        failed=1
        return
    fi
    if [ "$program" ] && ! "$program" >"$dir/log" 2>&1; then
        echo "WRONG $what, -$level: the program says"
        tail -n 5 "$dir/log"
        failed=1
    fi
    case $key in
    header*) ;;
    *) made=$(bytes "${program:-$object}") ;;
    esac
    [ $key != calibrate ] || eval "calibration_$level=$seconds"
    eval "unit=\$calibration_$level reference=\$reference_$level"
    if [ $facts ]; then
        [ "$made" != - ] || made=0
        echo "compile-$name-$level-$key $seconds $made $runs"
    else
        [ $name = gcc ] || reference=
        echo "$goals" | awk -v key="$key" -v level="$level" -v what="$what" -v seconds="$seconds" \
            -v unit="$unit" -v reference="$reference" -v memory="$memory" -v made="$made" \
            -v runs="$runs" '
            function told(x, digits) { return x == "-" ? x : sprintf("%." digits "f", x) }
            $1 == key && $2 == level && reference { goal = $3; most = $4; large = $5 }
            END {
                if (goal == "") goal = most = large = "-"
                if (memory != "-") memory /= 1024
                if (made != "-") made /= 1000
                # gets the time that the machine of the goals would have taken
                if (goal != "-") {
                    missed = seconds * reference / unit > goal + 0.005 ? " seconds" : ""
                    if (most != "-" && memory != "-" && memory > most + 0) missed = missed " memory"
                    if (large != "-" && made != "-" && made > large + 0) missed = missed " size"
                    missed = missed ? "missed:" missed : "met"
                }
                printf "%-34s %s %7.2f %6s %7.2f %6s %6s %8s %6s %4d  %s\n", what, level, seconds,
                    goal, seconds / unit, told(memory, 0), most, told(made, 1), large, runs, missed
            }'
    fi
}

# rows KEY WHAT COMPILER...: at both levels.
rows()
{
    key=$1 what=$2
    shift 2
    row "$key" "$what" O0 "$@"
    row "$key" "$what" O2 "$@"
}
# table CC CXX
# shellcheck disable=SC2086
table()
{
    if is_clang $1; then name=clang; else name=gcc; fi
    with=$(alone "$dir" $1)
    if [ ! $facts ]; then
        echo "$HEADER, $(wc -c <"$HEADER" | tr -d ' ') bytes; $($1 --version | head -n 1)"
        [ $gnu_time ] || echo 'SKIP memory: no GNU time (Debian: apt-get install time)'
        [ -z "$with" ] || echo "programs with $with: this header's AUTODIFF_STATIC alone does not do"
        echo "goals: gcc 12 where the calibration takes $reference_O0 s at -O0, $reference_O2 s at -O2;"
        echo 'seconds are judged in proportion to it'
        printf '%-34s %s %7s %6s %7s %6s %6s %8s %6s %4s\n' '' '  ' seconds goal x MB goal kB goal runs
    fi
    rows calibrate calibration $1
    rows header 'the header alone, C' $1
    ! have ${2%% *} || rows header++ 'the header alone, C++' $2
    rows duals 'dual numbers' $1
    rows nested 'dual numbers, 32 levels nested' $1
    rows gradient 'a gradient' $1
    if [ ! $facts ]; then
        row gradient 'a gradient, with warnings' O0 $1 -Wall -Wextra
        rows both 'a gradient, float there too' $1 -DAUTODIFF_STATIC
    fi
    rows matrices 'a Jacobian and a Hessian' $1
    rows check 'a check with its report' $1
    rows kernels 'kernels: tanh' $1
    rows fn 'compiled functions' $1
    rows cache 'cached derivatives' $1
    rows arrays 'learning with float arrays' $1
    rows whole 'everything, one object' $1
    [ ! $facts ] || return 0
    # the machine at the end
    least=1
    for level in O0 O2; do
        eval "before=\$calibration_$level"
        cost $1 -$level -c bench/calibrate.c -o "$dir/calibrate.o" || return 1
        echo "$before $seconds" | awk -v level=$level '
            $2 > 1.1 * $1 || $1 > 1.1 * $2 {
                print "the machine was not quiet: at the end the calibration took " $2 " s at -" level
            }'
    done
}

failed=0
table "$CC" "$CXX"
# shellcheck disable=SC2086
if [ $facts ] && ! is_clang $CC && have clang; then table clang clang++; fi
exit $failed
