#!/bin/sh
# The tests on another architecture: cross-compiled, linked statically, run by an emulator. Kernels
# and machine code, which are its own, and of the other suites a third, another one each day. Without
# the checker's two: they evaluate functions for a quarter of an hour there, and borderline verdicts
# move with what the compiler contracts.
name=aarch64
. tests/check.sh
cc=aarch64-linux-gnu-gcc
have qemu-aarch64 || skip 'no qemu-aarch64'
links $cc -static || skip "no $cc, or no C library for it"
: "${AD_TEST_STRIDE:=29}" "${EMIT_EVERY:=6}"    # one in so many random samples, emitted functions
export AD_TEST_STRIDE EMIT_EVERY
suites=$("$BUILD/runner" --list | turn 2 3 | grep -Evx 'verdicts|check|kernels|native' | xargs)
tests run CC=$cc CXX=none LDFLAGS=-static ONLY="kernels native $suites" RUN=qemu-aarch64
ok "$closing"
