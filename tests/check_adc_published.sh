#!/bin/sh
# adc on functions that others published, not a line of which is changed: the tables of all. SUNDIALS'
# serial examples; where tests/published/sources.sh has fetched them, the problems of GSL's, NLopt's and
# cminpack's tests; and NIST's models, a Kepler propagator and a rigid body, which are files of ours.
#     check_adc_published.sh [FILE:FUNCTION ...]
name=adc-published
. tests/check.sh
: "${CC:=cc}"
examples=/usr/share/doc/libsundials-dev/examples
sources=build/published
[ -x "$BUILD/adc" ] || skip 'no libclang (Debian: apt-get install libclang-14-dev)'
have python3 || skip 'no python3'
rm -rf "$work"
mkdir -p "$work/files"
object $CC $standard
OBJECT=$PWD/$object
export CC OBJECT
bad= without=

# part NAME LEAST TABLE ROOT FILE:FUNCTION...: at least so many are right, none is wrong.
part()
{
    what=$1 least=$2 list=$3 root=$4
    shift 4
    [ $# = 0 ] || least=0
    python3 tests/adc/published.py "$PWD/$BUILD/adc" "sh $PWD/tests/adc/cc.sh" "$list" "$root" "$work/files" \
        --least $least "$@" >"$work/$what"
    right=$?
    cat "$work/$what"
    [ $right = 0 ] || { [ $# != 0 ] && tail -n 1 "$work/$what" | grep -q '^0 functions'; } || bad="$bad $what"
}

rm -f "$work/sundials" "$work/others"
if [ -d "$examples" ]; then
    part sundials 130 tests/adc/published.txt "$examples" "$@"
else
    without='; no examples (Debian: apt-get install libsundials-dev)'
fi
least=23                                        # ours
for package in cminpack:34 nlopt:20; do
    if [ -d "$sources/${package%:*}" ]; then
        least=$((least + ${package#*:}))
    else
        without="$without; no $sources/${package%:*} (sh tests/published/sources.sh)"
    fi
done
if [ -d $sources/gsl ] && [ -f /usr/include/gsl/gsl_vector.h ]; then
    least=$((least + 145))
else
    without="$without; no GSL (sh tests/published/sources.sh, Debian: apt-get install libgsl-dev)"
fi
part others $least tests/adc/sources.txt $sources "$@"

closing=$(for what in sundials others; do [ ! -f "$work/$what" ] || tail -n 1 "$work/$what"; done \
    | awk '{ printf "%s%s", (NR > 1 ? "; " : ""), $0 }')
[ -z "$bad" ] || fail "$closing$without"
ok "$closing$without"
