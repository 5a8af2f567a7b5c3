#!/bin/sh
# The tests under valgrind: no invalid or uninitialised access, no leak.
name=valgrind
. tests/check.sh
have valgrind || skip 'no valgrind'
tests run CXX=none CFLAGS='-g -O1' \
    RUN='valgrind -q --leak-check=full --show-leak-kinds=all --error-exitcode=9'
ok "$closing"
