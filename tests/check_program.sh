#!/bin/sh
# A check that is one program, tests/NAME.c: builds it, runs it, shows what it says. It is linked with
# the library of `make test`, unless it has its own.
#     check_program.sh NAME FLAG... [-- ARGUMENT...]
name=$1
. tests/check.sh
: "${CC:=cc}"
shift
[ -f "tests/$name.c" ] || fail "no tests/$name.c"
flags=
while [ $# -gt 0 ] && [ "$1" != -- ]; do flags="$flags $1"; shift; done
[ $# = 0 ] || shift
object=
grep -q '^#define AUTODIFF_STATIC' "tests/$name.c" || object $CC $standard
quietly compile $CC $flags "tests/$name.c" $object -o "$work/$name" -lm
quietly run "$work/$name" "$@"
cat "$work/log"
ok
