#!/bin/sh
# The tests under valgrind: no invalid or uninitialised access, no leak. Without the suite of verdicts:
# it sends other numbers where `check` has been, for as long as all the others take together.
name=valgrind
. tests/check.sh
have valgrind || skip 'no valgrind'
suites=$(ls tests/test_*.c | sed 's/.*test_//; s/\.c$//' | grep -v '^verdicts$' | tr '\n' ' ')
tests run CXX=none CFLAGS='-g -O1' ONLY="$suites" \
    RUN='valgrind -q --leak-check=full --show-leak-kinds=all --error-exitcode=9'
ok "$closing"
