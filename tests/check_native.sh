#!/bin/sh
# The instructions that compiled functions are made of as machine code (tests/native.c), read by
# binutils' disassembler: numbers by both sets, vectors of both sizes, both precisions.
name=native
. tests/check.sh
: "${CC:=cc}"
have objdump || skip 'no objdump'
[ "$(uname -m)" = x86_64 ] || skip 'not x86-64'
quietly compile $CC -O1 tests/native.c -o "$work/native" -lm
count=0
for set in wide plain ymm zmm; do
    for real in double single; do
        "$work/native" "$work/bytes" "$work/meant" $set $real || fail "tests/native.c, $set, $real"
        objdump -D -b binary -m i386:x86-64 -M intel --no-show-raw-insn "$work/bytes" \
            | sed -n 's/^ *[0-9a-f]*:\t//p' \
            | sed 's/\[rip[+-]0x[0-9a-f]*\]\(.*[^ ]\)* *# 0x20$/[rip+POOL]\1/; s/  */ /; s/ *$//' >"$work/read"
        if ! cmp -s "$work/meant" "$work/read"; then
            diff "$work/meant" "$work/read" | head -n 20
            fail "$set, $real"
        fi
        count=$((count + $(wc -l <"$work/meant")))
    done
done
ok "$count instructions"
