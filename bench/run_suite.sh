#!/bin/sh
# Builds and runs the benchmark of whole problems (bench/suite.c).
#     run_suite.sh [--all] [--peers] [--only TEXT]... [--seconds S]
# One size of each problem, in less than three minutes. --all: all sizes and more time for each, and
# what the header costs to compile: half an hour. --peers: with the C++ libraries that are installed.
# --only, --seconds: as bench/suite.c says. bench/results.json is of --all --peers.
# CC, CXX, BENCH (flags of the library and of all that is compared), BUILD (directory) from the
# environment. Results: a table, $BUILD/bench/suite.csv, suite.json and, with python3, suite.html.
: "${BENCH:=-O3 -march=native}"
. bench/build.sh
peers= all=
count=$#
while [ "$count" -gt 0 ]; do
    case $1 in
    --all) all=yes ;;
    --peers) peers=yes ;;
    *) set -- "$@" "$1" ;;
    esac
    shift
    count=$((count - 1))
done
[ $all ] || set -- --shown --seconds 0.25 "$@"

dir=$BUILD/bench/suite
mkdir -p "$dir" || exit 1

# ---- ours, and what is written by hand
# shellcheck disable=SC2086
ours=$(known $CC $BENCH)
texts=$(echo bench/problems/*.h bench/*.h)
# shellcheck disable=SC2086
objects=$(library_of $ours)
[ -f "$objects" ] || echo 'compiling the library and the problems, once'
# shellcheck disable=SC2086
library $ours &
library=$!
for source in bench/suite.c bench/ours.c bench/problems/*.c; do
    case $source in */hand_*) continue ;; esac
    object=$dir/$(basename "$source" .c).o
    build "$object" "$source autodiff.h $texts" "$ours -c $source -o $object" || exit 1
    objects="$objects $object"
done
hand "$dir" "$BENCH" bench/problems/hand_*.c || exit 1

# ---- peers: bench/peers/NAME.cpp says in comments "// package: ..." what Debian calls it,
# "// header: ..." what has to be there, "// flags: ..." and "// libs: ..." how to build with it
link=$CC libraries=-lm list=
if [ $peers ]; then
    for source in bench/peers/*.cpp; do
        name=$(basename "$source" .cpp)
        flags=$(says flags "$source") object=$dir/$name.o
        peer "$name" "$source" || continue
        echo "building $name"
        if ! build "$object" "$source bench/peers/peers.hpp $texts" \
            "$(known $CXX -std=c++17 $BENCH) $flags -c $source -o $object"; then
            echo "SKIP $name: does not compile"
            continue
        fi
        objects="$objects $object"
        libraries="$(says libs "$source") $libraries"
        list="$list $name"
        link=$CXX
    done
fi
{
    echo '#include "../../../bench/suite.h"'
    for name in $list; do echo "extern const bench_version ${name}_versions[];"; done
    echo 'const bench_version *const bench_peers[] = {'
    for name in $list; do echo "    ${name}_versions,"; done
    echo '    NULL };'
} >"$dir/list.c.new"
cmp -s "$dir/list.c.new" "$dir/list.c" || mv "$dir/list.c.new" "$dir/list.c"
build "$dir/list.o" "$dir/list.c bench/suite.h" "$CC -Ibench -include bench/suite.h -c $dir/list.c -o $dir/list.o" || exit 1
wait $library || exit 1
build "$dir/suite" "$objects $dir/list.o" "$link $objects $dir/list.o -o $dir/suite $libraries" || exit 1

# ---- the report's head. What the header costs is measured when the header has changed.
if [ $all ]; then
    [ -f "$dir/compile.facts" ] || echo 'measuring what the header costs to compile, some minutes'
    export CC CXX BUILD
    build "$dir/compile.facts" "autodiff.h bench/compile_cost.sh bench/calibrate.c bench/compile" \
        "sh bench/compile_cost.sh --facts >$dir/compile.facts" || exit 1
fi
{
    echo "cpu $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)"
    echo "system $(uname -sm)"
    echo "compiler $($CC --version | head -n 1)"
    if have gcc; then echo "hand-gcc $(gcc --version | head -n 1)"; fi
    if have clang; then echo "hand-clang $(clang --version | head -n 1)"; fi
    echo "flags ${ours#"$CC" }"
    echo "autodiff.h $(wc -c <autodiff.h) bytes, $(grep -c '' autodiff.h) lines"
    for name in $list; do
        says package "bench/peers/$name.cpp" | tr ' ' '\n' | while read -r package; do
            version=$(dpkg-query -W -f '${Version}' "$package" 2>/dev/null)
            echo "$name $package $version"
        done
    done
    if [ $all ]; then cat "$dir/compile.facts"; fi
} >"$dir/facts"

"$dir/suite" --facts "$dir/facts" --csv "$BUILD/bench/suite.csv" --json "$BUILD/bench/suite.json" "$@"
code=$?
if have python3 && [ -f tools/bench_report.py ]; then
    python3 tools/bench_report.py "$BUILD/bench/suite.json" --html "$BUILD/bench/suite.html" \
        && echo "$BUILD/bench/suite.html, suite.csv, suite.json"
else
    echo 'SKIP the HTML page: no python3 (Debian: apt-get install python3)'
fi
exit $code
