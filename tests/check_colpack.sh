#!/bin/sh
# How many colours the plans of sparse matrices take, beside ColPack.
name=colpack
. tests/check.sh
: "${CC:=cc}" "${CXX:=c++}"
have "$CXX" || skip "no C++ compiler $CXX"
echo '#include <ColPack/ColPackHeaders.h>' | $CXX -fsyntax-only -x c++ - 2>/dev/null \
    || skip 'no ColPack (Debian: apt-get install libcolpack-dev)'
object $CC $standard
quietly compile "$CXX" -std=c++11 -O1 -Wall -Wextra tests/colpack.cpp "$object" -o "$work/colpack" -lColPack -lm
# with more threads its colours are more, and differ from run to run
export OMP_NUM_THREADS=1
"$work/colpack" >"$work/table" 2>"$work/log" || { cat "$work/table" "$work/log"; fail "$(tail -n 1 "$work/table")"; }
cat "$work/table"
ok "$(tail -n 1 "$work/table")"
