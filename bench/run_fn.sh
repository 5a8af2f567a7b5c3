#!/bin/sh
# Builds and runs the benchmark of compiled functions.
#     run_fn.sh [point] [map] [emit] [compile] [--fast] [--large] [--only TEXT]...
# CC, BENCH (flags of the library and of the benchmark), BUILD (directory) from the environment.
# What is written by hand is compiled by gcc and by clang with -O3 -march=native, emitted C by gcc
# with the same.
: "${CC:=cc}" "${BENCH:=-O3}" "${BUILD:=build}"
dir=$BUILD/bench/fn
mkdir -p "$dir/emitted" || exit 1
native='-O3 -march=native'
echo 'int f(void); int f(void) { return 0; }' >"$dir/probe.c"

have() { command -v "$1" >/dev/null 2>&1; }
# stale TARGET SOURCE...: has to be made anew, also because the flags in $flags are others.
stale()
{
    target=$1
    shift
    [ -f "$target" ] && [ "$flags" = "$(cat "$target.flags" 2>/dev/null)" ] \
        && [ -z "$(find "$@" -newer "$target")" ] && return 1
    echo "$flags" >"$target.flags"
}

# The library by itself: it takes longest, and is seldom changed.
printf '#define AUTODIFF_IMPLEMENTATION\n#include "autodiff.h"\n' >"$dir/library.c"
flags="$CC $BENCH"
if stale "$dir/library.o" autodiff.h; then
    $CC $BENCH -I. -c "$dir/library.c" -o "$dir/library.o" || exit 1
fi
if stale "$dir/fn.o" autodiff.h bench/fn.c bench/problems/*.h bench/bench.h; then
    $CC $BENCH -c bench/fn.c -o "$dir/fn.o" || exit 1
fi
for peer in gcc clang; do
    compiler=$peer
    if ! have $peer; then
        echo "SKIP $peer: not installed (Debian: apt-get install $peer); its column is $CC's"
        compiler=$CC
    fi
    $compiler $native -c "$dir/probe.c" -o "$dir/probe.o" 2>/dev/null || native=-O3
    flags="$compiler $native"
    if stale "$dir/hand_$peer.o" bench/problems/hand.c bench/problems/*.h; then
        $compiler $native -DHAND=$peer -c bench/problems/hand.c -o "$dir/hand_$peer.o" || exit 1
    fi
done

cat >"$dir/none.c" <<'END'
typedef struct emitted { const char *id; void (*run)(const double *, double *); } emitted;
const emitted *fn_emitted(void);
const emitted *fn_emitted(void) { static const emitted none = { 0, 0 }; return &none; }
END
$CC -c "$dir/none.c" -o "$dir/none.o" || exit 1
objects="$dir/fn.o $dir/library.o $dir/hand_gcc.o $dir/hand_clang.o"
$CC $objects "$dir/none.o" -o "$dir/fn" -lm || exit 1

emit=yes others= fast=
for argument; do
    case $argument in
    --fast) fast=--fast ;;
    emit) emit=only ;;
    point | map | compile) others=yes ;;
    esac
done
[ -z "$others" ] || [ $emit = only ] || emit=
if [ $emit ]; then
    if have gcc; then compiler=gcc; else compiler=$CC; fi
    flags="$compiler $native $fast"
    if stale "$dir/emitted.o" autodiff.h bench/fn.c bench/problems/*.h; then
        echo 'emitting and compiling gradients'
        rm -f "$dir/emitted"/* "$dir/emitted.o"
        "$dir/fn" write "$dir/emitted" $fast || { rm -f "$dir/emitted"/*; echo 'WRONG: nothing emitted'; }
        for source in "$dir/emitted"/*.c; do
            [ -f "$source" ] || continue
            $compiler $native -c "$source" -o "${source%.c}.o" || exit 1
        done
        [ ! -f "$dir/emitted/table.o" ] || ld -r "$dir/emitted"/*.o -o "$dir/emitted.o" || exit 1
    fi
    [ ! -f "$dir/emitted.o" ] || $CC $objects "$dir/emitted.o" -o "$dir/fn" -lm || exit 1
fi
exec "$dir/fn" --folder "$dir" "$@"
