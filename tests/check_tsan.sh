#!/bin/sh
# tests/threads.c under the thread sanitizer, with what it calls of the library in the same file. The
# sanitizer wants memory where some kernels do not give it while addresses are randomised; setarch -R
# turns that off for the one program. Plain C kernels: the vector ones share nothing more, and take
# minutes to instrument.
name=tsan
. tests/check.sh
flags='-g1 -O0 -fsanitize=thread -pthread'
library='-DAUTODIFF_STATIC -DAUTODIFF_GRAPH -DAUTODIFF_CHECK -DAUTODIFF_NO_SIMD'
total=
for cc in gcc clang; do
    links $cc $flags || { echo "SKIP check-tsan with $cc: not installed, or without its runtime"; continue; }
    quietly $cc $cc $flags $library tests/threads.c -o "$work/threads" -lm
    run=
    "$work/probe" 2>/dev/null || run='setarch -R'
    $run "$work/probe" 2>/dev/null || skip 'the sanitizer does not start on this kernel'
    quietly $cc env TSAN_OPTIONS=halt_on_error=1 $run "$work/threads"
    total="$total $cc $(tail -n 1 "$work/log");"
done
[ -n "$total" ] || skip 'no compiler with the sanitizer'
ok "${total# }"
