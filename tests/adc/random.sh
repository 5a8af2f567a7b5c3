#!/bin/sh
# Random programs through adc, in batches: as tape, duals and packs of them, compiled and run beside the
# program as it is and beside duals that know nothing of the library. $CC, $CXX, $OBJECT: compilers and
# the library compiled. The last line is the closing one.
#     random.sh ADC DIRECTORY COUNT [FIRST]
adc=$1 directory=$2 left=$3 seed=${4:-1} all=$3
exact='-O0 -std=c99 -D_GNU_SOURCE -fno-builtin -ffp-contract=off'
bad=0
while [ "$left" -gt 0 ]; do
    batch=$((left < 50 ? left : 50)) first=$seed
    left=$((left - batch))
    rm -rf "$directory"
    mkdir -p "$directory"
    while [ "$batch" -gt 0 ]; do
        program=g$seed source=$directory/g$seed.c
        python3 tests/adc/generate.py "$seed" >"$source" || exit 1
        head=$(sed -n '1s/^\/\* adc: \(.*\): .*/\1/p' "$source")
        n=${head%% *} m=$(echo "$head" | sed 's/^[0-9]* -> \([0-9]*\) .*/\1/')
        refused=
        for as in var dual dual8; do
            made=$directory/$program$as.c
            if "$adc" "$source" --function "$program" --in "x[$n]" --out "y[$m]" --as $as -o "$made" \
                2>"$directory/err"; then :; else
                refused=yes
                break
            fi
        done
        if [ "$refused" ]; then
            echo "-- program $seed is refused as $as:"
            grep -v 'warning: ' "$directory/err" | head -n 3 | cut -c 1-160
            bad=$((bad + 1))
        else
            echo "CASE($program, $n, $m, -2, 2)" >>"$directory/cases"
            for as in '' var dual dual8; do
                echo "#include \"$directory/$program$as.c\"" >>"$directory/all$as.c"
            done
        fi
        seed=$((seed + 1)) batch=$((batch - 1))
    done
    [ -f "$directory/cases" ] || continue
    # A program of the batch that does not compile is named by the compiler's message.
    if ( for as in '' var dual dual8; do
             $CC $exact -w -I. -c "$directory/all$as.c" -o "$directory/all$as.o" || exit
         done
         $CXX -O0 -std=c++11 -w -fno-exceptions -fno-threadsafe-statics -fno-builtin \
             -ffp-contract=off "-DPROGRAMS=\"$directory/all.c\"" \
             "-DCASES=\"$directory/cases\"" -c tests/adc/reference.cpp -o "$directory/reference.o" \
         && $CC $exact -w -I. -DREFERENCE "-DCASES=\"$directory/cases\"" tests/adc/driver.c \
             "$directory"/*.o "$OBJECT" -o "$directory/run" -lm ) >"$directory/err" 2>&1 \
        && "$directory/run" >"$directory/log" 2>&1; then :; else
        echo "-- programs $first to $((seed - 1)):"
        cat "$directory/log" "$directory/err" 2>/dev/null | grep -v ' note: ' | head -n 12 | cut -c 1-160
        bad=$((bad + 1))
    fi
done
echo "$all random programs, $bad faults"
[ $bad = 0 ]
