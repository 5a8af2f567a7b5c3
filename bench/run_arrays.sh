#!/bin/sh
# Arrays on the tape and compiled against PyTorch, one thread each: a table of medians. Then compiled
# functions against the same on the tape and by hand, and what each keeps in memory.
#     run_arrays.sh [--only TEXT]... [--rounds N]
# TEXT: part of a row's name (bench/arrays --list). Two programs run all the time and are asked in
# turn by pipes, one round of some 40 ms each; before that both say what they compute, and WRONG
# stands where that differs by more than 1e-4. PyTorch uses its fastest spelling of each row, and
# the BLAS that it finds: netlib's, which it comes with in Debian, is twenty times slower than
# OpenBLAS, so that matrix products are worth a comparison with the latter only.
# CC, BENCH (flags), BUILD (directory), PYTHON (an interpreter that has PyTorch) from the environment.
: "${BENCH:=-O3}"
. bench/build.sh
only= rounds=9
while [ $# -gt 0 ]; do
    case $1 in
    --only) only="$only $2" ;;
    --rounds) rounds=$2 ;;
    *) sed -n '2,/^#     /s/^# *//p' "$0"; exit 2 ;;
    esac
    shift; shift
done

dir=$BUILD/bench
program=$dir/arrays
mkdir -p "$dir"
# shellcheck disable=SC2086
library $CC $BENCH || exit 1
# shellcheck disable=SC2086
library=$(library_of $CC $BENCH)
hand=$dir/arrays_hand.o
# shellcheck disable=SC2086
build "$hand" bench/arrays_hand.c \
    "$(known $CC -O3 -march=native -ffast-math) -c bench/arrays_hand.c -o $hand" || exit 1
build "$program" "autodiff.h bench/arrays.c bench/bench.h $hand $library" \
    "$CC $BENCH bench/arrays.c $hand $library -o $program -lm" || exit 1

# PyTorch at its best: kernels for AVX-512 where the machine has it, and an allocator that gives
# nothing back, so that no step pays for pages.
OMP_NUM_THREADS=1 MALLOC_MMAP_MAX_=0 MALLOC_TRIM_THRESHOLD_=17179869184 MALLOC_TOP_PAD_=268435456
export OMP_NUM_THREADS
if grep -q avx512bw /proc/cpuinfo 2>/dev/null; then
    ATEN_CPU_CAPABILITY=avx512 OPENBLAS_CORETYPE=SkylakeX
    export ATEN_CPU_CAPABILITY OPENBLAS_CORETYPE
fi
python=
for p in $PYTHON python3 /usr/bin/python3; do
    "$p" -c 'import numpy, torch' >/dev/null 2>&1 && python=$p && break
done

# The programs end with this shell, when their standard inputs do.
pipes=$(mktemp -d) || exit 1
trap 'rm -rf "$pipes"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
mkfifo "$pipes/a" "$pipes/b" "$pipes/c" "$pipes/d" "$pipes/e" "$pipes/f"

start_ours()
{
    "$program" <"$pipes/a" >"$pipes/b" 5>&- 6<&- 7>&- 8<&- &
    exec 3>"$pipes/a" 4<"$pipes/b"
}
ask_ours()
{
    echo "$*" >&3
    read -r answer <&4 && return
    exec 3>&- 4<&-
    start_ours
    answer='error the program ended'
}
start_theirs()
{
    MALLOC_MMAP_MAX_=$MALLOC_MMAP_MAX_ MALLOC_TRIM_THRESHOLD_=$MALLOC_TRIM_THRESHOLD_ \
        MALLOC_TOP_PAD_=$MALLOC_TOP_PAD_ \
        "$python" bench/arrays_torch.py <"$pipes/c" >"$pipes/d" 2>"$dir/arrays_torch.log" 3>&- 4<&- \
        7>&- 8<&- &
    exec 5>"$pipes/c" 6<"$pipes/d"
}
# Another one of ours, for pairs.
start_other()
{
    "$program" <"$pipes/e" >"$pipes/f" 3>&- 4<&- 5>&- 6<&- &
    exec 7>"$pipes/e" 8<"$pipes/f"
}
ask_other()
{
    echo "$*" >&7
    read -r answer <&8 && return
    exec 7>&- 8<&-
    start_other
    answer='error the program ended'
}
ask_theirs()
{
    answer=none
    [ -n "$python" ] || return 0
    echo "$*" >&5
    read -r answer <&6 && return
    exec 5>&- 6<&-
    start_theirs
    answer='error the program ended'
}

start_ours
"$program" --about
if [ -n "$python" ]; then
    start_theirs
    about=$("$python" bench/arrays_torch.py --about)
    echo "$about, $python"
    case $about in
    *openblas*|*OpenBLAS*|*mkl*) ;;
    *) echo 'NOTE the BLAS that PyTorch calls is a slow one (Debian: apt-get install libopenblas0)' ;;
    esac
else
    echo 'SKIP PyTorch: not installed (Debian: apt-get install python3-torch; or PYTHON=an interpreter that has it)'
fi
uname -m | tr '\n' ' '
sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1
printf '%-56s %11s %11s %8s  %s\n' 'one step, one thread; medians' autodiff.h PyTorch ratio goal

# shellcheck disable=SC2016
functions='
    function median(text,   v, n, i, j, x) {
        n = split(text, v, " ")
        for (i = 2; i <= n; i++) {
            x = v[i] + 0
            for (j = i - 1; j >= 1 && v[j] + 0 > x; j--) v[j + 1] = v[j]
            v[j + 1] = x
        }
        return v[int((n + 1) / 2)] + 0
    }
    function shown(ns) {
        return ns < 1e3 ? sprintf("%.1f ns", ns) : ns < 1e6 ? sprintf("%.2f us", ns / 1e3) \
            : sprintf("%.2f ms", ns / 1e6)
    }'
"$program" --list >"$dir/arrays.rows"
: >"$dir/arrays.table"
wanted()                                # is the row NAME?
{
    [ -n "$only" ] || return 0
    for text in $only; do
        case $1 in *"$text"*) return 0 ;; esac
    done
    return 1
}
while read -r name goal what; do
    wanted "$name" || continue
    ask_ours value "$name"
    value=$answer
    ask_theirs value "$name"
    value_torch=$answer
    a= b= round=0
    case "$value $value_torch" in
    *error*) ;;
    *)  while [ $round -lt "$rounds" ]; do
            ask_ours time "$name"
            a="$a $answer"
            ask_theirs time "$name"
            b="$b $answer"
            round=$((round + 1))
        done ;;
    esac
    printf '%s~%s~%s~%s~%s~%s~%s\n' "$name" "$goal" "$what" "$value" "$value_torch" "$a" "$b" |
    awk -F'~' "$functions"'
        function near(x, y) {
            return x == x && x - y <= 1e-4 * (y < 0 ? -y : y) && y - x <= 1e-4 * (y < 0 ? -y : y)
        }
        {
            if ($4 ~ /error/ || $5 ~ /error/) {
                printf "%-56s %s\n", $3, $4 ~ /error/ ? "WRONG autodiff.h: " $4 : "PyTorch: " $5
                next
            }
            if ($5 == "none") {
                printf "%-56s %11s\n", $3, shown(median($6))
                next
            }
            split($4, v, " ")
            split($5, w, " ")
            bad = ($4 ~ /nan|inf/) || !near(v[1], w[1]) || !near(v[2], w[2])
            r = median($7) / median($6)
            goal = $2 == 1 ? "faster" : $2 "x"
            verdict = r >= $2 + 0 ? "met" : "missed"
            if (bad) verdict = "WRONG: " $4 ", not " $5
            printf "%-56s %11s %11s %8.2f  %-6s %s\n", $3, shown(median($6)), shown(median($7)), r,
                goal, verdict
        }' | tee -a "$dir/arrays.table"
done <"$dir/arrays.rows"

# ---- pairs
start_other
"$program" --pairs >"$dir/arrays.rows"
head=
while read -r name other compared goal what; do
    wanted "$name" || continue
    if [ -z "$head" ]; then
        head=1
        printf '\n%-56s %11s %11s %8s  %s\n' 'pairs' 'the first' 'the other' ratio goal
    fi
    a= b= round=0
    ask_ours value "$name"
    error=$answer
    if [ "$compared" = time ]; then
        while [ $round -lt "$rounds" ]; do
            ask_ours time "$name"
            a="$a $answer"
            ask_other time "$other"
            b="$b $answer"
            round=$((round + 1))
        done
    else
        ask_ours memory "$name"
        a=$answer
        if [ "$other" != - ]; then
            ask_other memory "$other"
            b=$answer
        else
            # as PyTorch is by default: what it gives back is given back
            plain='env -u MALLOC_MMAP_MAX_ -u MALLOC_TRIM_THRESHOLD_ -u MALLOC_TOP_PAD_'
            seen=$($plain "$program" --resident "$name")
            [ "${seen:--1}" = -1 ] || a=$seen
            [ -z "$python" ] || b=$($plain "$python" bench/arrays_torch.py --memory "$name" \
                2>>"$dir/arrays_torch.log")
            what="$what; PyTorch"
        fi
    fi
    printf '%s~%s~%s~%s~%s~%s\n' "$compared" "$goal" "$what" "$error" "$a" "$b" |
    awk -F'~' "$functions"'
        function shown_bytes(n) { return n == "" ? "" : sprintf("%.1f MB", n / 1e6) }
        $4 ~ /error/ || $5 ~ /error/ || $6 ~ /error/ {
            printf "%-56s WRONG: %s %s %s\n", $3, $4, $5, $6
            next
        }
        $1 == "time" {
            r = median($6) / median($5)
            verdict = r >= $2 + 0 ? "met" : "missed"
            printf "%-56s %11s %11s %8.2f  %-6s %s\n", "time: " $3, shown(median($5)),
                shown(median($6)), r, sprintf("%.2gx", $2), verdict
            next
        }
        {
            r = ($6 > 0) ? $5 / $6 : 0
            limit = $1 == "memory" ? sprintf("<%g", $2) : sprintf("<%g MB", $2 / 1e6)
            verdict = ($1 == "memory" ? r : $5 + 0) <= $2 + 0 ? "met" : "missed"
            printf "%-56s %11s %11s %8.2f  %-6s %s\n", "memory: " $3, shown_bytes($5),
                shown_bytes($6), r, limit, verdict
        }' | tee -a "$dir/arrays.table"
done <"$dir/arrays.rows"
exec 7>&-
exec 3>&- 5>&-
[ -z "$python" ] || awk '
    /WRONG/ { wrong++ } / met$/ { met++ } / missed$/ { missed++ }
    END { printf "%d goals met, %d missed, %d wrong\n", met, missed, wrong; exit (wrong > 0) }
' "$dir/arrays.table"
