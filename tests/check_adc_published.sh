#!/bin/sh
# adc on the functions of SUNDIALS' serial examples, not a line of which is changed: the table of all.
#     check_adc_published.sh [FILE:FUNCTION ...]
name=adc-published
. tests/check.sh
: "${CC:=cc}"
examples=/usr/share/doc/libsundials-dev/examples
[ -x "$BUILD/adc" ] || skip 'no libclang (Debian: apt-get install libclang-14-dev)'
[ -d "$examples" ] && have python3 || skip 'no examples, no python3 (Debian: apt-get install libsundials-dev)'
rm -rf "$work"
mkdir -p "$work/files"
object $CC $standard
OBJECT=$PWD/$object
export CC OBJECT
least=130
[ $# = 0 ] || least=$#
python3 tests/adc/published.py "$PWD/$BUILD/adc" "sh $PWD/tests/adc/cc.sh" tests/adc/published.txt \
    "$examples" "$work/files" --least $least "$@" >"$work/table" 2>&1
right=$?
cat "$work/table"
[ $right = 0 ] || fail "$(tail -n 1 "$work/table")"
ok "$(tail -n 1 "$work/table")"
