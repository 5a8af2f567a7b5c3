#!/bin/sh
# Counts the instructions of fixed workloads (bench/workloads.c) and compares them with the figures
# in bench/instructions.txt. 5 % more of any fails; 5 % less is pointed out. NAME_2 and NAME_4 are
# NAME_1 of twice and four times the size: more than 2.3 times the instructions for twice the size
# fails too.
#     run_check.sh [--write]
# --write: writes the figures anew. Compiler and flags are fixed; where the compiler's or libc's
# version is not that of the figures there is nothing to compare, and the answer is SKIP.
# Counts do not depend on load. valgrind emulates a CPU with AVX2 and without AVX-512 wherever it
# runs, so libc chooses the same functions. BUILD (directory) from the environment.
. bench/build.sh
figures=bench/instructions.txt
dir=$BUILD/bench/guard
flags=-O2
write=
case $#:$1 in
0:) ;;
1:--write) write=yes ;;
*) sed -n '2,/^#     /s/^# *//p' "$0"; exit 2 ;;
esac
skip() { echo "SKIP bench-check: $*"; exit 0; }
for tool in gcc valgrind; do
    have $tool || skip "$tool is not installed (Debian: apt-get install $tool)"
done
libc=$(getconf GNU_LIBC_VERSION 2>/dev/null) || libc=$(ldd --version 2>&1 | head -n 1)
here="gcc $(gcc -dumpfullversion) $(gcc -dumpmachine), $libc, $flags"
if [ -z "$write" ]; then
    there=$(sed -n '1s/^# //p' "$figures" 2>/dev/null)
    [ "$there" = "$here" ] || skip "the figures are of $there; this is $here"
fi

mkdir -p "$dir" || exit 1
library gcc $flags || exit 1
gcc $flags bench/workloads.c "$(library_of gcc $flags)" -o "$dir/workloads" -lm || exit 1

# One run for each workload, in which callgrind counts while its function is entered.
"$dir/workloads" >"$dir/names" || exit 1
: >"$dir/counts"
while read -r name; do
    rm -f "$dir/callgrind.out"
    valgrind --tool=callgrind --callgrind-out-file="$dir/callgrind.out" \
        --toggle-collect="work_$name" "$dir/workloads" "$name" >"$dir/log" 2>&1 </dev/null
    code=$?
    count=$(sed -n 's/^totals: *//p' "$dir/callgrind.out" 2>/dev/null)
    if [ $code = 77 ]; then
        echo "SKIP $name: this machine lacks its instruction set"
    elif [ $code != 0 ] || [ "${count:-0}" = 0 ]; then
        echo "FAILED $name: nothing was counted, exit code $code"
        tail -n 5 "$dir/log"
        exit 1
    else
        echo "$name $count" >>"$dir/counts"
    fi
done <"$dir/names"

if [ -n "$write" ]; then
    {
        echo "# $here"
        echo '# Instructions of the workloads in workloads.c; written by run_check.sh --write.'
        cat "$dir/counts"
    } >"$figures"
    cat "$figures"
    exit 0
fi
awk '
    NR == 1 { printf "%-24s %12s %12s %8s\n", "workload", "committed", "now", "change" }
    FNR == NR { if ($1 != "#") committed[$1] = $2; next }
    { now[$1] = $2 }
    !($1 in committed) { printf "%-24s %12s %12d %8s\n", $1, "-", $2, "new"; less = 1; next }
    {
        change = 100 * ($2 / committed[$1] - 1)
        word = change > 5 ? "  MORE" : change < -5 ? "  less" : ""
        printf "%-24s %12d %12d %+7.2f%%%s\n", $1, committed[$1], $2, change, word
        if (change > 5) more++
        if (change < -5) less = 1
    }
    END {
        for (name in now) if (name ~ /_[24]$/) {
            half = substr(name, 1, length(name) - 1) substr(name, length(name)) / 2
            if (now[name] > 2.3 * now[half]) {
                printf "FAILED bench-check: %s takes %.2f times %s\n", name, now[name] / now[half], half
                more++
            }
        }
        if (less) print "figures anew: sh bench/run_check.sh --write"
        if (more) print "FAILED bench-check: " more " of the workloads take 5 % more instructions, or grow"
        else print "ok bench-check"
        exit (more > 0)
    }' "$figures" "$dir/counts"
