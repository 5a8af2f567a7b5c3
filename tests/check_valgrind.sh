#!/bin/sh
# The tests under valgrind: no invalid or uninitialised access, no leak. Of the checker, whose two
# suites evaluate functions for ten minutes there, the example with seeded mistakes.
name=valgrind
. tests/check.sh
have valgrind || skip 'no valgrind'
AD_TEST_STRIDE=20                               # one in so many samples of the arrays' suite
export AD_TEST_STRIDE
suites=$(ls tests/test_*.c | sed 's/.*test_//; s/\.c$//' | grep -Ev '^(verdicts|check)$' | tr '\n' ' ')
tests run CXX=none CFLAGS='-g -O1' ONLY="$suites" \
    RUN='valgrind -q --leak-check=full --show-leak-kinds=all --error-exitcode=9'
quietly 'seeded mistakes' cc -g -O1 examples/seeded_bugs.c -o "$work/seeded" -lm
quietly 'seeded mistakes under valgrind' valgrind -q --leak-check=full --error-exitcode=9 "$work/seeded"
ok "$closing; the checker's example"

