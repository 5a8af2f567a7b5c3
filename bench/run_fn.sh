#!/bin/sh
# Builds and runs the benchmark of compiled functions.
#     run_fn.sh [point] [map] [emit] [cache] [compile] [--fast] [--large] [--only TEXT]...
# CC, BENCH (flags of the library and of the benchmark), BUILD (directory) from the environment.
# What is written by hand is compiled by gcc and by clang with -O3 -march=native, emitted C by gcc
# with the same.
: "${BENCH:=-O3}"
. bench/build.sh
dir=$BUILD/bench/fn
mkdir -p "$dir/emitted" || exit 1
native='-O3 -march=native'
texts=$(echo bench/problems/*.h bench/*.h)
# shellcheck disable=SC2086
library $CC $BENCH || exit 1
build "$dir/fn.o" "autodiff.h bench/fn.c $texts" "$CC $BENCH -c bench/fn.c -o $dir/fn.o" || exit 1
# shellcheck disable=SC2086
objects="$dir/fn.o $(library_of $CC $BENCH)"
hand "$dir" "$native" bench/problems/hand_points.c || exit 1

cat >"$dir/none.c" <<'END'
typedef struct emitted { const char *id; void (*run)(const double *, double *); } emitted;
const emitted *fn_emitted(void);
const emitted *fn_emitted(void) { static const emitted none = { 0, 0 }; return &none; }
END
$CC -c "$dir/none.c" -o "$dir/none.o" || exit 1
$CC $objects "$dir/none.o" -o "$dir/fn" -lm || exit 1

emit=yes others= fast=
for argument; do
    case $argument in
    --fast) fast=--fast ;;
    emit) emit=only ;;
    point | map | cache | compile) others=yes ;;
    esac
done
[ -z "$others" ] || [ $emit = only ] || emit=
if [ $emit ]; then
    if have gcc; then compiler=gcc; else compiler=$CC; fi
    # shellcheck disable=SC2086
    compiler=$(known $compiler $native)
    made="$dir/fn write $dir/emitted $fast; $compiler"
    # shellcheck disable=SC2086
    if [ ! -f "$dir/emitted.o" ] || [ -n "$(find $objects -newer "$dir/emitted.o")" ] \
        || [ "$made" != "$(cat "$dir/emitted.command" 2>/dev/null)" ]; then
        echo 'emitting and compiling gradients'
        rm -f "$dir/emitted"/* "$dir/emitted.o" "$dir/emitted.command"
        "$dir/fn" write "$dir/emitted" $fast || { rm -f "$dir/emitted"/*; echo 'WRONG: nothing emitted'; }
        for source in "$dir/emitted"/*.c; do
            [ -f "$source" ] || continue
            $compiler -c "$source" -o "${source%.c}.o" || exit 1
        done
        [ ! -f "$dir/emitted/table.o" ] || ld -r "$dir/emitted"/*.o -o "$dir/emitted.o" || exit 1
        echo "$made" >"$dir/emitted.command"
    fi
    [ ! -f "$dir/emitted.o" ] || $CC $objects "$dir/emitted.o" -o "$dir/fn" -lm || exit 1
fi
exec "$dir/fn" --folder "$dir" "$@"
