#!/bin/sh
# Arrays on the tape against PyTorch, one thread each: a table of medians.
#     run_arrays.sh [--only TEXT]... [--rounds N]
# TEXT: part of a row's name (bench/arrays --list). Two programs run all the time and are asked in
# turn by pipes, one round of some 40 ms each; before that both say what they compute, and WRONG
# stands where that differs by more than 1e-4. PyTorch uses its fastest spelling of each row.
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
build "$program" "autodiff.h bench/arrays.c bench/bench.h $library" \
    "$CC $BENCH bench/arrays.c $library -o $program -lm" || exit 1

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
mkfifo "$pipes/a" "$pipes/b" "$pipes/c" "$pipes/d"

start_ours()
{
    "$program" <"$pipes/a" >"$pipes/b" 5>&- 6<&- &
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
        "$python" bench/arrays_torch.py <"$pipes/c" >"$pipes/d" 2>"$dir/arrays_torch.log" 3>&- 4<&- &
    exec 5>"$pipes/c" 6<"$pipes/d"
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
    echo "$("$python" bench/arrays_torch.py --about), $python"
else
    echo 'SKIP PyTorch: not installed (Debian: apt-get install python3-torch; or PYTHON=an interpreter that has it)'
fi
uname -m | tr '\n' ' '
sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1
printf '%-56s %11s %11s %8s  %s\n' 'one step, one thread; medians' autodiff.h PyTorch ratio goal

"$program" --list >"$dir/arrays.rows"
: >"$dir/arrays.table"
while read -r name goal what; do
    if [ -n "$only" ]; then
        wanted=
        for text in $only; do
            case $name in *"$text"*) wanted=1 ;; esac
        done
        [ -n "$wanted" ] || continue
    fi
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
    awk -F'~' '
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
        }
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
exec 3>&- 5>&-
[ -z "$python" ] || awk '
    /WRONG/ { wrong++ } / met$/ { met++ } / missed$/ { missed++ }
    END { printf "%d goals met, %d missed, %d wrong\n", met, missed, wrong; exit (wrong > 0) }
' "$dir/arrays.table"
