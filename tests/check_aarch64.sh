#!/bin/sh
# The tests on another architecture: cross-compiled, linked statically, run by an emulator. Without
# the checker's two suites: they evaluate functions for a quarter of an hour there, and borderline
# verdicts move with what the compiler contracts.
name=aarch64
. tests/check.sh
cc=aarch64-linux-gnu-gcc
have qemu-aarch64 || skip 'no qemu-aarch64'
links $cc -static || skip "no $cc, or no C library for it"
: "${AD_TEST_STRIDE:=29}" "${EMIT_EVERY:=6}"    # one in so many random samples, emitted functions
export AD_TEST_STRIDE EMIT_EVERY
suites=$(ls tests/test_*.c | sed 's/.*test_//; s/\.c$//' | grep -Ev '^(verdicts|check)$' | tr '\n' ' ')
tests run CC=$cc CXX=none LDFLAGS=-static ONLY="$suites" RUN=qemu-aarch64
ok "$closing"
