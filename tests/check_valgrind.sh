#!/bin/sh
# The programs of `make test` under valgrind: no invalid or uninitialised access, no leak. Of the
# checker, whose two suites evaluate functions for ten minutes there, the example with seeded mistakes.
# With AVX2 for the best instruction set: the emulated processor has no better one.
#     check_valgrind.sh [SUITE...]      by default some of a third of all, another third each day
name=valgrind
. tests/check.sh
have valgrind || skip 'no valgrind'
: "${AD_TEST_STRIDE:=97}"                        # one in so many random samples
export AD_TEST_STRIDE
RUN='valgrind -q --leak-check=full --show-leak-kinds=all --error-exitcode=9'
# shellcheck disable=SC2046
[ $# -gt 0 ] || set -- $("$BUILD/runner" --list | turn 1 3 | grep -Ex 'arrays|fn|conv|errors|packs|tape|rules|parse|graph|user|learn')
runs run "$@"
quietly 'seeded mistakes' ${CC:-cc} -g -O1 examples/seeded_bugs.c -o "$work/seeded" -lm
quietly 'seeded mistakes under valgrind' valgrind -q --leak-check=full --error-exitcode=9 "$work/seeded"
ok "$closing; the checker's example"
