#!/bin/sh
# Prints the path of tests/impl.c compiled by a compiler with flags: what was made before, if neither
# the sources nor the compiler have changed since. A second job that asks for it meanwhile waits.
#     object.sh COMPILER FLAG...
dir=build/objects
mkdir -p "$dir"
object=$dir/$(echo "$*" | cksum | cut -d ' ' -f 1).o
if command -v flock >/dev/null 2>&1; then          # without it both compile, and either's is good
    exec 9>"$object.lock"
    flock 9
fi
sum=$({ echo "$*"; $1 --version; cat autodiff.h tests/impl.c; } 2>/dev/null | cksum)
if [ ! -f "$object" ] || [ "$sum" != "$(cat "$object.sum" 2>/dev/null)" ]; then
    "$@" -c tests/impl.c -o "$object.$$" >&2 || { rm -f "$object.$$"; exit 1; }
    mv "$object.$$" "$object"
    echo "$sum" >"$object.sum"
fi
echo "$object"
