#!/bin/sh
# The tests on another architecture: cross-compiled, linked statically, run by an emulator.
name=aarch64
. tests/check.sh
cc=aarch64-linux-gnu-gcc
have qemu-aarch64 || skip 'no qemu-aarch64'
links $cc -static || skip "no $cc, or no C library for it"
tests run CC=$cc CXX=none LDFLAGS=-static RUN=qemu-aarch64
ok "$closing"
