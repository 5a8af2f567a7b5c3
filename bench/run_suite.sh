#!/bin/sh
# Builds and runs the benchmark of whole problems (bench/suite.c).
#     run_suite.sh [--peers] [--no-compile] [--only TEXT]... [--seconds S] [--shown]
# --peers: with the C++ libraries that are installed. --no-compile: without the table of what the
# header costs to compile.
# CC, CXX, BENCH (flags of the library and of all that is compared), BUILD (directory) from the
# environment. Results: a table, $BUILD/bench/suite.csv, suite.json and, with python3, suite.html.
: "${BENCH:=-O3 -march=native}"
. bench/build.sh
peers= compile=yes
count=$#
while [ "$count" -gt 0 ]; do
    case $1 in
    --peers) peers=yes ;;
    --no-compile) compile= ;;
    *) set -- "$@" "$1" ;;
    esac
    shift
    count=$((count - 1))
done

dir=$BUILD/bench/suite
mkdir -p "$dir" || exit 1

# ---- ours, and what is written by hand
# shellcheck disable=SC2086
ours=$(known $CC $BENCH)
texts=$(echo bench/problems/*.h bench/*.h)
# shellcheck disable=SC2086
library "$BUILD/bench/library.o" $ours || exit 1
objects=$BUILD/bench/library.o
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
        says() { sed -n "s|^// $1: *||p" "$source"; }
        flags=$(says flags) object=$dir/$name.o
        if ! have "$CXX"; then
            echo "SKIP $name: no C++ compiler (Debian: apt-get install g++)"
            continue
        fi
        # shellcheck disable=SC2086
        if ! echo "#include <$(says header)>" | $CXX -std=c++17 $flags -fsyntax-only -x c++ - \
            >/dev/null 2>&1; then
            echo "SKIP $name: not installed (Debian: apt-get install $(says package))"
            continue
        fi
        echo "building $name"
        if ! build "$object" "$source bench/peers/peers.hpp $texts" \
            "$(known $CXX -std=c++17 $BENCH) $flags -c $source -o $object"; then
            echo "SKIP $name: does not compile"
            continue
        fi
        objects="$objects $object"
        libraries="$(says libs) $libraries"
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
build "$dir/suite" "$objects $dir/list.o" "$link $objects $dir/list.o -o $dir/suite $libraries" || exit 1

# ---- the report's head. What the header costs is measured when the header has changed.
if [ $compile ]; then
    [ -f "$dir/compile.facts" ] || echo 'compiling the header, some minutes (--no-compile: not)'
    CC=$CC CXX=$CXX build "$dir/compile.facts" "autodiff.h bench/compile_cost.sh" \
        "sh bench/compile_cost.sh $dir >$dir/compile.facts" || exit 1
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
        sed -n 's|^// package: *||p' "bench/peers/$name.cpp" | tr ' ' '\n' | while read -r package; do
            version=$(dpkg-query -W -f '${Version}' "$package" 2>/dev/null)
            echo "$name $package $version"
        done
    done
    if [ $compile ]; then cat "$dir/compile.facts"; fi
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
