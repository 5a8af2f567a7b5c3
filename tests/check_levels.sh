#!/bin/sh
# The bits that the array kernels promise: tests/levels.c, built by every compiler at every level of
# optimisation, in strict and in GNU C, for any machine and for this one, with products contracted,
# as C++, without SIMD and for 64-bit ARM under an emulator, prints the same checksums everywhere.
#     [LEVELS=all] check_levels.sh [COMPILER...]
# gcc and clang by default; all: every combination (some 20 minutes), not only every value of each, of
# which -O3 and C++ take turns.
name=levels
. tests/check.sh
rm -f "$work"/*.txt "$work"/*.bad

# one TAG RUN COMPILER FLAG...: builds and runs; leaves TAG.txt, and TAG.bad where that failed.
one()
{
    tag=$1 run=$2
    shift 2
    if ! "$@" -w tests/levels.c -o "$work/$tag" -lm >"$work/$tag.log" 2>&1; then
        echo "does not compile: $*" >"$work/$tag.bad"
    elif ! $run "$work/$tag" >"$work/$tag.txt" 2>"$work/$tag.log"; then
        echo "instruction sets differ: $*" >"$work/$tag.bad"
    fi
    rm -f "$work/$tag"
}

# both TAG FLAG...: by every compiler at hand, side by side
both()
{
    flags=$1
    shift
    for cc in $compilers; do one "$cc-$flags" '' $cc "$@" & done
    wait
}

compilers=
for cc in ${*:-gcc clang}; do
    if links "$cc"; then compilers="$compilers $cc"
    else echo "SKIP $cc: not found or cannot link (apt-get install $cc libc6-dev)"; fi
done
[ -n "$compilers" ] || skip 'no compiler'
native=
for cc in $compilers; do links "$cc" -march=native && native=-march=native; done

if [ "$LEVELS" = all ]; then
    for o in 0 1 2 3; do
        for std in c99 gnu11; do
            both "$o-$std" -O$o -std=$std
            both "$o-$std-fast" -O$o -std=$std -ffp-contract=fast
            both "$o-$std-native" -O$o -std=$std $native
            both "$o-$std-native-fast" -O$o -std=$std $native -ffp-contract=fast
        done
    done
else
    both 0-c99 -O0 -std=c99
    both 2-gnu11-native-fast -O2 -std=gnu11 $native -ffp-contract=fast
    if mine 0 2; then
        case $compilers in *gcc*) one gcc-3-gnu11 '' gcc -O3 -std=gnu11 & ;; esac
        case $compilers in *clang*) one clang-3-c99-fast '' clang -O3 -std=c99 -ffp-contract=fast & ;; esac
        wait
    fi
fi
both none -O2 -std=gnu11 $native -DAUTODIFF_NO_SIMD
[ "$LEVELS" != all ] || TURN=all
for cxx in g++ clang++; do
    mine 1 2 || continue
    case $cxx:$compilers in g++:*gcc*|clang++:*clang*) ;; *) continue ;; esac
    if have $cxx; then one "$cxx" '' $cxx -x c++ -std=c++11 -O1 &
    else echo "SKIP $cxx: not found (apt-get install ${cxx%++}++)"; fi
done
wait
cross=aarch64-linux-gnu-gcc
if ! have qemu-aarch64; then
    echo 'SKIP NEON: no qemu-aarch64 (apt-get install qemu-user)'
elif ! links $cross -static; then
    echo "SKIP NEON: no $cross (apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross)"
else
    [ "$LEVELS" != all ] || one neon-0 qemu-aarch64 $cross -static -std=c99 -O0 &
    one neon-3 qemu-aarch64 $cross -static -std=gnu11 -O3 &
    wait
fi

for bad in "$work"/*.bad; do
    [ -f "$bad" ] || continue
    tail -n 20 "${bad%.bad}.log"
    fail "$(cat "$bad")"
done
builds=0 sums=
for group in arithmetic mathematics; do
    first=
    for text in "$work"/*.txt; do
        grep "^$group" "$text" >"$text.$group" || continue
        if [ -z "$first" ]; then
            first=$text
            sums="$sums$group $(sed -n "s/^$group \([0-9a-f]*\)\$/\1/p" "$text"), "
        elif ! cmp -s "$first.$group" "$text.$group"; then
            echo "$(basename "$first" .txt) and $(basename "$text" .txt) differ:"
            diff "$first.$group" "$text.$group" | grep '^[<>]' | head -n 20
            fail "different bits, $group: $(basename "$first" .txt) and $(basename "$text" .txt)"
        fi
        [ $group = mathematics ] || builds=$((builds + 1))
    done
done
sets=$(sed -n 's/^# //p' "$work"/*.txt | tr ' ' '\n' | sort -u | xargs)
ok "$sums$builds builds, on $sets"
