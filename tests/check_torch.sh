#!/bin/sh
# Values and gradients of arrays against PyTorch, on random cases of every operation.
#     check_torch.sh [ARGUMENTS of tests/torch_check.py]
# PYTHON: an interpreter that has PyTorch.
name=torch
. tests/check.sh
: "${CC:=cc}"
[ -f tests/torch_check.c ] || fail 'no tests/torch_check.c'
OMP_NUM_THREADS=1
export OMP_NUM_THREADS

# Debian's PyTorch is a package of the interpreter in /usr/bin, which may not be the first one.
python=
for p in $PYTHON python3 /usr/bin/python3; do
    have "$p" && "$p" -c 'import numpy, torch' >/dev/null 2>&1 && python=$p && break
done
[ -n "$python" ] || skip 'no PyTorch (Debian: apt-get install python3-torch; or PYTHON=an interpreter that has it)'

object $CC $standard
quietly compile $CC -O2 tests/torch_check.c "$object" -o "$work/torch_check" -lm
"$python" tests/torch_check.py "$work/torch_check" --dir "$work" "$@" >"$work/log" 2>&1
status=$?
cat "$work/log"
[ $status = 0 ] || fail "$(tail -n 1 "$work/log")"
ok "$(tail -n 1 "$work/log")"
