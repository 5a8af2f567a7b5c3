#!/bin/sh
# Every row of the table by which compiled functions are rewritten (tests/rewrites.c). Products and
# sums are not fused, since sides are compared by their bits.
name=rewrites
. tests/check.sh
: "${CC:=cc}"
have "$CC" || skip "no $CC"
quietly compile $CC -O1 -ffp-contract=off tests/rewrites.c -o "$work/rewrites" -lm
quietly run "$work/rewrites"
cat "$work/log"
ok
