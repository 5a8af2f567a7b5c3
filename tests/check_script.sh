#!/bin/sh
# A check that is a script of its own, tests/check_NAME.sh: shows what it says where it fails.
#     check_script.sh NAME
name=$1
. tests/check.sh
[ -f "tests/check_$name.sh" ] || fail "no tests/check_$name.sh"
quietly script sh "tests/check_$name.sh"
if grep '^SKIP' "$work/log"; then exit 0; fi
ok
