#!/bin/sh
# What the header costs to compile: lines "compile-KEY seconds bytes runs" with the median of the
# compiler's user time, the object's size and how often it was compiled.
#     compile_cost.sh DIR
# A file that includes the header alone, at -O0 and -O2, and in C++; one with the implementation, at
# -O0 and -O2, and without kernels. By CC and CXX from the environment, and by clang where it is
# another and installed. Works in DIR/compile.
. bench/build.sh
[ $# = 1 ] || { sed -n '2,/^#     /s/^# *//p' "$0"; exit 2; }
dir=$1/compile
mkdir -p "$dir" || exit 1
header=$(pwd)/autodiff.h
echo "#include \"$header\"" >"$dir/header.c"
cp "$dir/header.c" "$dir/header.cpp"
{
    echo '#define AUTODIFF_IMPLEMENTATION'
    cat "$dir/header.c"
} >"$dir/implementation.c"

# The children's user time of the shell that this runs in; `times` says it as 0m1.234s.
user_time()
{
    times >"$work.times"
    awk 'NR == 2 { split($1, t, /[ms]/); print 60 * t[1] + t[2] }' "$work.times"
}
# cost KEY RUNS SOURCE COMPILER...: nothing is said of what does not compile.
cost()
{
    key=$1 runs=$2 source=$dir/$3 work=$dir/$1
    shift 3
    : >"$work.runs"
    run=0
    while [ $run -lt "$runs" ]; do
        (
            "$@" -c "$source" -o "$work.o" || exit 1
            user_time >>"$work.runs"
        ) 2>"$work.log" || return
        run=$((run + 1))
    done
    seconds=$(sort -n "$work.runs" | sed -n "$((runs / 2 + 1))p")
    echo "compile-$key $seconds $(wc -c <"$work.o" | tr -d ' ') $runs"
}
is_clang() { "$1" --version 2>/dev/null | grep -q clang; }
headers()
{
    name=gcc plus=g++
    is_clang "$1" && name=clang plus=clang++
    have "$1" && cost $name-O0-header 11 header.c "$1" -O0
    have "$1" && cost $name-O2-header 11 header.c "$1" -O2
    have "$2" && cost $plus-O2-header 11 header.cpp "$2" -O2
}
implementations()
{
    name=gcc
    is_clang "$1" && name=clang
    have "$1" || return
    cost $name-O0-implementation 1 implementation.c "$1" -O0
    cost $name-O2-implementation 1 implementation.c "$1" -O2
    cost $name-O2-implementation-no-kernels 1 implementation.c "$1" -O2 -DAUTODIFF_NO_KERNELS
}
other=
if ! is_clang "$CC" && have clang; then other=yes; fi
# The long ones of two compilers run side by side.
headers "$CC" "$CXX"
[ $other ] && headers clang clang++
implementations "$CC" >"$dir/first" &
[ $other ] && implementations clang >"$dir/second"
wait
cat "$dir/first"
[ $other ] && cat "$dir/second"
exit 0
