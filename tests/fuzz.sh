#!/bin/sh
# Fuzz targets (tests/fuzz): first the corpus, one input after the other, under the sanitizers; then
# clang's libFuzzer makes new inputs, for so many seconds in all. What ends badly is left in
# build/check-fuzz/found-TARGET, and said: the input goes to tests/fuzz/corpus/TARGET, with its line
# in the list there, when the fault is mended.
#     fuzz.sh [SECONDS [TARGET...]]
name=fuzz
. tests/check.sh
seconds=${1:-30}
[ $# = 0 ] || shift
all='expression calls files adcheck modes native'
targets=${*:-$all}
level=-O0
[ "$seconds" -lt 300 ] || level=-O1           # compiled in minutes, and then faster
flags="-g1 $level -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all -DAUTODIFF_NO_SIMD"
links clang $flags -fsanitize=fuzzer -DPROBE -shared ||
    skip 'no clang with libFuzzer and the sanitizers (Debian: clang libclang-rt-14-dev)'
object clang -w $flags -fsanitize=fuzzer-no-link
each=$((seconds / $(echo $targets | wc -w)))
[ $each -gt 0 ] || each=1
ASAN_OPTIONS=allocator_may_return_null=1
export ASAN_OPTIONS
found=
for target in $targets; do
    library=$object leaks=1
    [ $target != adcheck ] || library= leaks=0                # what it has when it exits is lost
    quietly "compile $target" clang -w -D_GNU_SOURCE $flags -fsanitize=fuzzer tests/fuzz/$target.c \
        $library -o "$work/$target" -ldl -lm
    mkdir -p "$work/corpus-$target" "$work/found-$target"
    top=$PWD
    inputs=$(sed "s|^|$top/tests/fuzz/corpus/$target/|" tests/fuzz/corpus/$target/list)
    (cd "$work" && ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=$leaks "./$target" $inputs) \
        >"$work/log" 2>&1 || { tail -n 40 "$work/log"; fail "$target: its corpus"; }
    if (cd "$work" && ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=$leaks "./$target" -max_total_time=$each \
        -timeout=20 -rss_limit_mb=3000 -max_len=1000 -detect_leaks=$leaks -print_final_stats=1 \
        -artifact_prefix="found-$target/" "corpus-$target" "$top/tests/fuzz/corpus/$target") \
        >"$work/log.$target" 2>&1; then
        echo "$target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$work/log.$target") inputs"
    else
        grep -E 'ERROR|FAILED|runtime error|^seed|SUMMARY|^    #[0-9] .*(autodiff|fuzz)' "$work/log.$target" |
            head -n 20
        grep -o 'Test unit written to.*' "$work/log.$target" | sed "s|to |to $work/|"
        found="$found $target"
    fi
done
[ -z "$found" ] || fail "found in$found"
ok "$each s a target"
