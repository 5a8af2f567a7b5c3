#!/bin/sh
# What logistic_lbfgs is to be compiled and linked with, found out by linking; an empty line without
# an optimiser.
#     optimiser.sh CC [FLAGS]
program=${TMPDIR:-/tmp}/optimiser.$$
trap 'rm -f "$program"' EXIT
for pair in 'LBFGS lbfgs' 'NLOPT nlopt'; do
    macro=${pair% *} library=${pair#* }
    flags="$(pkg-config --cflags --libs-only-L "$library" 2>/dev/null) -l$library"
    if echo 'int main(void) { return 0; }' | "$@" -include "$library.h" -x c - -o "$program" $flags 2>/dev/null
    then
        echo "-DHAVE_$macro $flags"
        exit
    fi
done
echo
