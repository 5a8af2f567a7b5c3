#!/bin/sh
# Functions of the instruction sets that others call leave the upper halves of registers clean, at
# every level of optimisation: their code, disassembled, has vzeroupper or (-O0) calls what has it.
# (A caller's own code is 25 times slower else.)
name=upper
. tests/check.sh
have gcc && have objdump || skip 'no gcc or objdump'
[ "$(uname -m)" = x86_64 ] || skip 'not x86-64'
entries='drive drive_formula both_of step_by_squares reduce_sum reduce_dot reduce_most argmost gemv
         ger gemm syrk trsm conv max_pool max_pool_adjoint run_block point_twice point_once'
count=0
for level in ${LEVELS:--O0 standard}; do            # objects that other checks have too
    if [ "$level" = standard ]; then object "${CC:-cc}" $standard; else object gcc "$level" -fno-exceptions; fi
    objdump -d --no-show-raw-insn "$object" | awk '
        /^[0-9a-f]+ <.*>:$/ { f = $2; gsub(/[<>:]/, "", f); sub(/\.(part|constprop|isra|cold).*/, "", f); seen[f] = 1 }
        /vzeroupper|call.*_clear_upper>/ { clean[f] = 1 }
        END { for (f in seen) print f, (f in clean) ? "clean" : "dirty" }' >"$work/functions"
    for real in adi adif; do
        for set in avx2 avx512; do
            for entry in $entries; do
                grep -q "^${real}_${set}_$entry clean$" "$work/functions" \
                    || fail "$level: ${real}_${set}_$entry: $(grep "^${real}_${set}_$entry " "$work/functions" || echo missing)"
                count=$((count + 1))
            done
        done
    done
done
ok "$count functions"
