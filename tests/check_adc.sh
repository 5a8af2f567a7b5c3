#!/bin/sh
# adc on C as people write it: translations compiled by several compilers, run beside the function as
# it is; the text that stays; derivatives as C; checks of derivatives; what is refused, and where;
# random programs.
#     check_adc.sh ["COUNT [FIRST SEED]"]
name=adc
. tests/check.sh
: "${CC:=cc}" "${CXX:=c++}"
work=$PWD/$work
rm -rf "$work"
mkdir -p "$work/made"
here=$PWD count=$1
adc=$PWD/$BUILD/adc
[ -x "$adc" ] || skip 'no libclang (Debian: apt-get install libclang-14-dev)'
object $CC $standard
object=$here/$object
bad=0 parts=

# wrong WHAT [FILE]: says so, shows the file, and goes on.
wrong()
{
    bad=$((bad + 1))
    echo "-- $1"
    [ -z "$2" ] || head -n 12 "$2" | cut -c 1-160
}

# ---- every case as tape, duals and packs of duals; strict compilers; run beside the function itself
strict='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror'
exact='-O0 -std=c99 -D_GNU_SOURCE -fno-builtin -ffp-contract=off'
# Memory of numbers that grew: what is too small for them is seen.
links $CC -fsanitize=address,undefined && exact="$exact -g -fsanitize=address,undefined"
export ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1

# A header that was compiled before spares each translation the reading of it.
quick=$work/quick
mkdir -p "$quick/c" "$quick/c++" "$quick/clang"
# shellcheck disable=SC2086
case $($CC --version) in
*clang*) ;;
*)  quietly 'autodiff.h, compiled before' $CC $exact $strict -x c-header autodiff.h \
        -o "$quick/c/autodiff.h.gch" ;;
esac
others=
if have "${CXX%% *}" && $CXX -std=c++11 $strict -w -x c++-header autodiff.h -o "$quick/c++/autodiff.h.gch" \
    2>"$work/log"; then
    others=C++
fi
if have clang; then
    quietly 'autodiff.h, compiled before by clang' \
        clang -std=c99 -D_GNU_SOURCE $strict -Wno-float-conversion -x c-header \
        autodiff.h -o "$quick/clang/autodiff.h.pch"
    others="$others clang"
fi

# translate CASE.c: in $work/made, all that it is made into; its line in cases or singles.
translate()
{
    source=$1
    case=$(basename "$source" .c)
    head=$(sed -n '1s/^\/\* adc: \(.*\): .*/\1/p' "$source")
    n=${head%% *}
    m=$(echo "$head" | sed 's/^[0-9]* -> \([0-9]*\) .*/\1/')
    box=$(echo "$head" | sed 's/.*\[\(.*\)\].*/\1/')
    single= list=cases
    case $head in *single*) single=f list=singles ;; esac
    warns=$(echo "$head" | sed -n 's/.*warns \([0-9]*\).*/\1/p')
    lacks=                                       # fields that the source leaves out itself
    # shellcheck disable=SC2086
    $CC $exact -Werror=missing-field-initializers -fsyntax-only "$source" 2>/dev/null \
        || lacks=-Wno-missing-field-initializers
    for as in var dual dual8; do
        made=$work/made/$case$as.c
        if ! "$adc" "$source" --function "$case" --in "x[$n]" --out "y[$m]" --as $single$as -o "$made" \
            2>"$work/err"; then
            wrong "$case as $as is refused" "$work/err"
            return
        fi
        [ "$(grep -c 'warning: ' "$work/err")" = "${warns:-0}" ] \
            || wrong "$case as $as: not ${warns:-0} warnings" "$work/err"
        $CC $exact $strict $lacks -I"$quick/c" -I. -I"$(dirname "$source")" -c "$made" \
            -o "$work/made/$case$as.o" 2>"$work/err" || wrong "$case as $as, $CC" "$work/err"
        [ $as != dual ] || continue             # dual8 is the same text
        case $others in *clang*)
            clang -std=c99 -D_GNU_SOURCE $strict $lacks -Wno-float-conversion -fsyntax-only \
                -include-pch "$quick/clang/autodiff.h.pch" -I. -I"$(dirname "$source")" "$made" \
                2>"$work/err" || wrong "$case as $as, clang" "$work/err"
        esac
        case "$others $head" in *C++*C++*)
            $CXX -std=c++11 $strict $lacks -x c++ -fsyntax-only -I"$quick/c++" -I. -I"$(dirname "$source")" "$made" \
                2>"$work/err" || wrong "$case as $as, $CXX" "$work/err"
        esac
    done
    $CC $exact -w -c "$source" -o "$work/made/$case.o" 2>"$work/err" || wrong "$case itself" "$work/err"
    echo "CASE($case, $n, $m, $box)" >>"$work/$list"
    eval "${list}_objects=\"\$${list}_objects $work/made/$case.o $work/made/${case}var.o \
        $work/made/${case}dual.o $work/made/${case}dual8.o\""
}

# run LIST FLAG...: what it holds, run.
run()
{
    list=$1
    shift
    eval "objects=\$${list}_objects"
    quietly "driver, $list" $CC $exact $strict "$@" -I. "-DCASES=\"$work/$list\"" \
        tests/adc/driver.c $objects "$object" -o "$work/$list.run" -lm
    "$work/$list.run" >"$work/log" 2>&1 || wrong "$list" "$work/log"
    tail -n 1 "$work/log"
}

cases_objects= singles_objects=
for source in tests/adc/cases/*.c; do translate "$source"; done
run cases
run singles -DSINGLE
parts="$(grep -c . "$work/cases") functions, $(grep -c . "$work/singles") in floats"

# ---- the text that stays, to the byte: of the cases; of one with marks, in three kinds of layout
mkdir -p "$work/text"
cp tests/adc/marked.c "$work/text/marked.c"
tab=$(printf '\t')
sed "s/^    /$tab/; s/;\$/;  /" tests/adc/marked.c >"$work/text/tabs.c"
sed 's/$/\r/' tests/adc/marked.c >"$work/text/returns.c"
pairs=
for source in tests/adc/cases/*.c; do
    case=$(basename "$source" .c)
    [ "$case" != directives ] || continue        # not all of which is needed
    for as in var dual dual8; do pairs="$pairs $source $work/made/$case$as.c"; done
done
for source in "$work"/text/*.c; do
    for as in var dual4; do
        made=${source%.c}_$as
        "$adc" "$source" --function marked --in 'x[2]' --out 'y[2]' --as $as -o "$made" 2>"$work/err" \
            || wrong "$source is refused" "$work/err"
        $CC $exact $strict -x c -I"$quick/c" -I. -c "$made" -o "$work/text/object" 2>"$work/err" \
            || wrong "$made" "$work/err"
        pairs="$pairs $source $made"
    done
done
python3 tests/adc/text.py $pairs >"$work/log" || wrong 'the text that stays' "$work/log"
tail -n 1 "$work/log"

# ---- messages: what is refused, what loses a derivative, and where
mkdir -p "$work/messages"
python3 tests/adc/messages.py "$adc" tests/adc/messages.txt "$work/messages" >"$work/log" \
    || wrong messages "$work/log"
tail -n 1 "$work/log"
parts="$parts, $(sed -n '$s/,.*//p' "$work/log") with their messages"

# ---- derivatives as C: alone, by strict compilers, in C++; their numbers
export CC OBJECT="$object"
through="sh $here/tests/adc/cc.sh"
mkdir -p "$work/derive"
derive()
{
    what=$1
    shift
    "$adc" tests/adc/derive.c --cc "$through" -o "$work/derive/$what.c" --function "$@" 2>"$work/err" \
        && [ ! -s "$work/err" ] || wrong "derive $what" "$work/err"
}
derive gradient energy --gradient --n 5
derive hessian energy --hessian --n 5
derive sparse_hessian energy --hessian --sparse --n 5
for kind in jacobian jvp vjp; do derive $kind flow --$kind --in 'u[5], rate' --out 'du[5]' --n 5; done
derive sparse_jacobian flow --jacobian --sparse --in 'u[5], rate' --out 'du[5]' --n 5
derive bell bell --gradient --in 'x[2], width'
derive none line --hessian --sparse --in 'x[2]'
derive logarithm logarithm --gradient --in 'x[1]' --at '1; 0'
derive kinked kinked --gradient --in 'x[2]' --at '2 1; 3 0.5; 1.5, -2'
"$adc" tests/adc/derive.c --cc "$through" --function kinked --gradient --in 'x[2]' --at '2 1; 1 2' \
    >"$work/out" 2>"$work/err"
grep -q '^adc: warning: kinked_gradient takes another course at x = { 1 2 }' "$work/err" \
    || wrong 'another course is no warning' "$work/err"
cmp -s "$work/out" "$work/derive/kinked.c" || wrong 'another course, another file'
printf '%s\n' 'double j0(double);' 'double f(const double *x);' \
    'double f(const double *x) { return j0(x[0])*x[1]; }' >"$work/frozen.c"
"$adc" "$work/frozen.c" --cc "$through" --function f --gradient --in 'x[2]' --inactive j0 >"$work/out" 2>"$work/err"
grep -q ":3:.*warning: 'j0' is not called by what is written: its value stays that at" "$work/err" \
    || wrong 'a value that stays is no warning' "$work/err"
# The way it goes without a compiler of ours: the library from its header.
"$adc" tests/adc/derive.c --cc "$CC" --function energy --gradient --n 5 >"$work/out" 2>"$work/err" \
    || wrong 'derive without help' "$work/err"
cmp -s "$work/out" "$work/derive/gradient.c" || wrong 'derive without help: another file'
for made in "$work"/derive/*.c; do
    $CC -O1 -ffp-contract=off -std=c99 $strict -c "$made" -o "${made%.c}.o" 2>"$work/err" \
        || wrong "$made" "$work/err"
    case $others in *C++*)
        $CXX -std=c++11 -Wall -Wextra -Werror -x c++ -fsyntax-only "$made" 2>"$work/err" \
            || wrong "$made, $CXX" "$work/err"
    esac
    case $others in *clang*)
        clang -std=c99 $strict -fsyntax-only "$made" 2>"$work/err" || wrong "$made, clang" "$work/err"
    esac
done
quietly 'derivatives, compile' $CC $exact $strict -Wno-missing-prototypes tests/adc/derive_run.c \
    tests/adc/derive.c "$work"/derive/*.o -o "$work/derive/run" -lm
"$work/derive/run" >"$work/log" 2>&1 || wrong 'derivatives' "$work/log"
tail -n 1 "$work/log"
parts="$parts, $(ls "$work"/derive/*.c | wc -l) derivatives as C"

# ---- checks of derivatives written by hand: exit codes, what is said
# verdict CODE WORDS OPTIONS...: adc check of $claims
claims=tests/adc/claims.c
verdict()
{
    expected=$1 words=$2
    shift 2
    "$adc" check "$claims" --cc "$through" "$@" >"$work/out" 2>"$work/err"
    code=$?
    cat "$work/err" >>"$work/out"
    [ $code = "$expected" ] && grep -q -- "$words" "$work/out" \
        || wrong "check $*: exit code $code, not $expected, or without '$words'" "$work/out"
    checks=$((checks + 1))
}
checks=0
n3='--n 3'
verdict 0 '4 checks: 4 passed, 0 failed, 0 undecided' --function loss $n3
verdict 0 'ok right at point 4  CORRECT: 3 entries' --function loss --gradient right $n3
verdict 0 '1 checks: 1 passed' --function loss --gradient right $n3 --at '1 2 3'
verdict 1 'ACCUMULATES' --function loss --gradient adds $n3
verdict 1 'OUT_OF_BOUNDS' --function loss --gradient outside $n3
verdict 1 'X_MODIFIED' --function loss --gradient spoils $n3
verdict 0 '4 checks: 4 passed' --function loss --gradient right --in x $n3
verdict 0 '4 checks: 4 passed' --function remembers --gradient remembers_gradient --in 'x[2]'
verdict 0 '4 checks: 4 passed' --function remembers --in 'x[2]'
verdict 0 '4 checks: 4 passed' --function warms --in 'x[2]'
verdict 0 '4 checks: 4 passed' --function rates --jacobian rates_jacobian --in 'u[2]' --out 'du[2]'
verdict 1 'WRONG: 1 of 3 entries; sign at row 0, column 1' --function loss --gradient sign $n3
verdict 1 'INACCURATE: 1 of 3 entries' --function loss --gradient inaccurate $n3
verdict 1 'adc: slightly at point 1, 0 by 1: .*, the exact derivative is' \
    --function loss --gradient slightly $n3
verdict 1 '4 checks: 0 passed, 4 failed, 0 undecided' --function loss --gradient slightly $n3
verdict 1 'G_NONFINITE' --function loss --gradient not_finite $n3
verdict 77 'F_NONFINITE' --function broken $n3
verdict 0 'CORRECT_NOISE_LIMITED' --function noisy $n3
verdict 1 'missing: 0 where there is a slope' --function steps --in 'x[3]'
verdict 0 'ok turn_slope at point 1' --function turn --gradient turn_slope
verdict 0 'ok spin_jacobian at point 1' --function spin --jacobian spin_jacobian --in 'u[2], w' --out 'y[2]'
verdict 1 'sign at row 1, column 0' --function spin --jacobian spin_wrong --in 'u[2], w' --out 'y[2]'
verdict 1 'transposed' --function spin --jacobian spin_transposed --in 'u[2]' --out 'y[2]' --set w=2
verdict 0 '4 checks: 4 passed' --function with_user --in 'x[2]' --set 'p=&a' \
    --setup 'struct parameters a = { 2, 3 };'
verdict 0 '4 checks: 4 passed' --function floats --gradient floats_gradient --in 'x[2]'
verdict 1 'sign at row 0, column 1' --function floats --gradient floats_wrong --in 'x[2]'
verdict 1 "sign at point 1  Jacobian, x in R^3  tests/adc/claims.c:22\$" --function loss --gradient sign $n3
verdict 99 "adc: the program made from 'tests/adc/claims.c' did not end well" \
    --function loss --gradient crash $n3
verdict 99 "adc: a call of 'leaves' ended the program" --function loss --gradient leaves $n3
verdict 99 "not of 'hess': a Hessian is the Jacobian of the gradient" --function loss --hessian hess
verdict 99 "'g' of 'in_floats' is of another precision than what 'loss' computes" \
    --function loss --gradient in_floats $n3
verdict 99 "'g' points to pointers: the result of what is checked is in one piece" \
    --function loss --gradient by_rows $n3
printf '%s\n' 'typedef struct { double k; } user;' 'double f(const double *x, user *p) { return p->k*x[0]; }' \
    'void g(const double *x, user *p, double *out) { (void)x; out[0] = p->k; }' >"$work/typed.c"
claims=$work/typed.c
verdict 0 '4 checks: 4 passed' --function f --gradient g --in 'x[1]' --set 'p=&q' --setup 'static user q = { 2 };'
claims=tests/adc/claims.c
export AD_CHECK_FORMAT=tap
verdict 1 '^not ok 1 - sign at point 1' --function loss --gradient sign $n3
AD_CHECK_FORMAT=json
verdict 0 '"verdict": *"CORRECT"' --function loss --gradient right $n3
unset AD_CHECK_FORMAT
"$adc" check tests/adc/claims.c --function loss --gradient sign $n3 >"$work/out" 2>&1
[ $? = 1 ] && grep -q '4 checks: 0 passed, 4 failed' "$work/out" || wrong 'check without help' "$work/out"

# ---- command lines that cannot be meant: one line, exit code 1, no output
# says WORDS ARGUMENTS...
says()
{
    words=$1
    shift
    "$adc" "$@" >"$work/out" 2>"$work/err"
    code=$?
    [ $code = $refusal ] && [ ! -s "$work/out" ] && [ "$(cat "$work/err")" = "adc: $words" ] \
        || wrong "adc $*: exit code $code" "$work/err"
    lines=$((lines + 1))
}
lines=0 refusal=1
printf '%s\n' 'struct p { double v; };' '#include "needs.h"' \
    'double f(const double *x) { struct p p = { x[0] }; return x[1]*part(&p); }' >"$work/needs.c"
echo 'static double part(const struct p *a) { return a->v*2; }' >"$work/needs.h"
"$adc" "$work/needs.c" --function f --in 'x[2]' --as dual >"$work/out" 2>"$work/err"
[ $? = 1 ] && grep -q "needs.c:1:8: error: 'p' carries derivatives, and an included file needs it" "$work/err" \
    || wrong 'a struct that an included file needs' "$work/err"
file=tests/adc/claims.c
says 'a file is missing; see adc --help'
says 'a file is missing; see adc --help' --function loss
says '--function: which one?' $file
says "cannot read 'tests/adc/none.c': No such file or directory" tests/adc/none.c --function loss
says "'$file' defines no function 'none'" $file --function none
says "'$file' defines no function 'losss': 'loss'?" $file --function losss
says "'$file' defines no function 'printf'" $file --function printf
says "unknown option '--derivative'; see adc --help" $file --derivative
says 'the value is missing: --function NAME' $file --function
says 'the value is missing: -I' $file --function loss -I
says '--sparse takes no value' $file --function loss --sparse=2
says '--gradient takes no value' $file --function loss --gradient=loss
says "one file at a time, not '$file', '$file'" $file $file --function loss
says '--as: var, dual, dual4, dual8, dual2, or one of these after an f' $file --function loss --as number
says '--as or a derivative, not both' $file --function loss --as dual --gradient
says "--in: 'loss' has no parameter 'z'" $file --function loss --in 'x[3], z'
says "--in: 'x' is there twice" $file --function loss --n 3 --gradient --in 'x[3], x[3]'
says "--in: 'NAME' or 'NAME[SIZE]', apart by commas, not '[2]'" $file --function loss --gradient --in 'x[3][2]'
says "--in: ']' is missing" $file --function loss --in 'x[3'
says "--out: 'loss' has no parameter 'z'" $file --function loss --out z
says "'n' is no number, nor memory of numbers" $file --function loss --in n
how_long="how long is 'x'? --in or --out 'x[...]' (--n: const pointers alone)"
says "$how_long" $file --function loss --gradient
says "--at has 2 numbers, there are 3 inputs" $file --function loss --gradient --n 3 --at '1 2' \
    --cc "$through"
says '--at has 2 numbers for 2 points, there are 3 inputs' $file --function loss --gradient --n 3 --at '1; 2' \
    --cc "$through"
says "--at: 'nan' is no number" $file --function loss --gradient --n 3 --at '1 nan 2'
says "--external: its derivative is no C that could be written; --as, or adc check" $file --function loss \
    --gradient --n 3 --external 'f: gradient g'
says 'the value is missing: -l' $file --function loss -l
says "cannot write '/nowhere/x.c': No such file or directory" $file --function loss --as dual -o /nowhere/x.c
says '--sparse: --jacobian or --hessian?' $file --function loss --n 3 --sparse
says '--sparse: --jacobian or --hessian?' $file --function loss --n 3 --sparse --vjp
says 'one derivative at a time' $file --function loss --n 3 --gradient --hessian
says '--name: of a derivative, as with --gradient' $file --function loss --as dual --name slope
says "'int' is no name that a function can have in C" $file --function loss --gradient --n 3 --name int \
    --cc "$through"
says '--branches: record or value' $file --function loss --as var --branches maybe
says "--set: NAME=VALUE, not 'n'" $file --function loss --gradient --set n
says "--set: 'loss' has no parameter 'm'" $file --function loss --as var --set m=3
says "--at: 'b' is no number" $file --function loss --gradient --n 3 --at '1 b 2'
says "cannot read 'tests': Is a directory" tests --function loss
cp $file "$work/source.c"
says "--output: '$work/source.c' is what is read" "$work/source.c" --function loss --as dual \
    -o "$work/source.c"
cmp -s $file "$work/source.c" || wrong 'the source is gone'
refusal=99                                          # of a check: not run
says "'turn_slope' has no parameter 'x' as 'loss' has" check $file --function loss \
    --gradient turn_slope --n 3
says "cannot read 'tests/adc/none.c': No such file or directory" check tests/adc/none.c --function loss
says "'$file' defines no function 'none'" check $file --function loss --gradient none --n 3
says "$how_long" check $file --function loss
says 'the value is missing: --gradient' check $file --function loss --gradient
refusal=1
"$adc" $file --function loss --as dual --report >"$work/out" 2>"$work/err" \
    && [ "$(cat "$work/err")" = 'adc: loss: 1 functions, 7 of 142 lines taken, 3 of these changed' ] \
    || wrong 'adc --report' "$work/err"
printf 'int f(void)\0{ return 1; }\n' >"$work/zero.c"
says "'$work/zero.c' is not a text" "$work/zero.c" --function f
awk 'BEGIN {
    print "void f(const double *x, double *y)\n{\n    y[0] = 0"
    for (i = 0; i < 2000; i++) printf "        + x[%d]*%d\n", i % 3, i + 1
    print "        ;\n}" }' >"$work/sum.c"
(ulimit -v 400000; "$adc" "$work/sum.c" --function f --in 'x[3]' --out 'y[1]' --as dual8) >"$work/out" \
    2>"$work/err" || wrong 'a long sum' "$work/err"
cp tests/adc/claims.c "$work/a \"\\b'.c"                # a name of which C, and the shell, are afraid
"$adc" "$work/a \"\\b'.c" --function steps --in 'x[3]' --as dual >"$work/out" 2>"$work/err" \
    || wrong 'a name with quotes' "$work/err"
if [ -w /dev/full ]; then
    ln -sf /dev/full "$work/link"                # what is no file of ours stays
    "$adc" $file --function loss --as dual -o "$work/link" 2>"$work/err" && wrong 'a full disk'
    [ -L "$work/link" ] || wrong 'a link, removed'
    "$adc" $file --function loss --as dual 2>"$work/err" >/dev/full && wrong 'a full disk'
    grep -q "^adc: cannot write 'stdout': " "$work/err" || wrong 'a full disk' "$work/err"
fi
"$adc" $file --function loss --as dual >"$work/out" && "$adc" $file --function loss --as dual -o - \
    | cmp -s "$work/out" - || wrong 'adc -o -'
[ "$("$adc" --version)" = "adc $(sed -n 's/^#define AD_VERSION "\(.*\)"/\1/p' autodiff.h)" ] || wrong 'adc --version'
"$adc" --help >"$work/out" 2>&1 && grep -q '^usage: adc ' "$work/out" || wrong 'adc --help' "$work/out"
parts="$parts, $checks checks, $lines command lines"

# ---- casts, isless, signbit and their like are decisions as comparisons are: elsewhere, 1 and NaN
decided=
for f in drag sided cell place nearest bounded exponent sorted normal ordered apart octave; do
    "$adc" tests/adc/decided.c --function $f --gradient --in 'x[1]' --at 0.5 --cc "$through" -o "$work/$f.c" \
        2>"$work/err" || wrong "decided: $f" "$work/err"
    decided="$decided $work/$f.c"
done
# shellcheck disable=SC2086
$CC $exact tests/adc/decided.c tests/adc/decided_run.c $decided -o "$work/decided" -lm 2>"$work/err" \
    && "$work/decided" >"$work/err" 2>&1 || wrong 'decided, run' "$work/err"

# ---- a function pointer of the function asked for: --set names what is behind it
for behind in bell '&bell' tanh; do
    "$adc" check tests/adc/decided.c --function weighed --in 'x[2]' --set kernel="$behind" --cc "$through" \
        >"$work/out" 2>"$work/err" && grep -q '4 passed, 0 failed' "$work/out" \
        || wrong "--set kernel=$behind" "$work/err"
done

# ---- what the function prints is not in the C, nor in a report; who ends the program has no success
"$adc" tests/adc/talks.c --function talks --gradient --in 'x[2]' --cc "$through" >"$work/out" 2>"$work/err" \
    && grep -q '^talks: ' "$work/err" && ! grep -q '^talks: ' "$work/out" || wrong 'talks' "$work/out"
AD_CHECK_FORMAT=json "$adc" check tests/adc/talks.c --function talks --in 'x[2]' --cc "$through" >"$work/out" \
    2>"$work/err" && head -c 1 "$work/out" | grep -q '{' && ! grep -q '^talks: ' "$work/out" \
    || wrong 'talks, checked' "$work/out"
rm -f "$work/leaves.c"
"$adc" tests/adc/talks.c --function leaves --gradient --in 'x[2]' --cc "$through" -o "$work/leaves.c" \
    2>"$work/err"
[ $? = 1 ] && [ ! -e "$work/leaves.c" ] && grep -q "a call of 'leaves' ended the program" "$work/err" \
    || wrong 'leaves' "$work/err"
"$adc" check tests/adc/talks.c --function leaves --gradient leaves_gradient --in 'x[2]' --cc "$through" \
    >"$work/out" 2>"$work/err"
[ $? = 99 ] || wrong 'leaves, checked' "$work/err"
"$adc" tests/adc/talks.c --function talks --gradient --in 'x[2]' --name leaves_gradient --cc "$through" \
    >"$work/out" 2>"$work/err" && grep -q "'leaves_gradient' is the name of the derivative too" "$work/err" \
    || wrong 'a name that there is' "$work/err"

# ---- functions of a library that have derivatives of their own: of numbers, of arrays
quietly 'the library' $CC -O1 -ffp-contract=off -c tests/adc/external_library.c -o "$work/external.o"
quietly 'the library' ar rcs "$work/libexternal.a" "$work/external.o"
within=${work#"$here"/}                       # paths are from where adc is called, a blank or none behind -L
# external NAME OPTIONS...: tests/adc/NAME.c in every number, and checked
external()
{
    named=$1
    shift
    for as in var dual dual8; do
        made=$work/${named}_$as
        "$adc" "tests/adc/$named.c" "$@" --as $as -o "$made.c" 2>"$work/err" || wrong "$named as $as" "$work/err"
        $CC $exact $strict -I. -c "$made.c" -o "$made.o" 2>"$work/err" || wrong "$named as $as, $CC" "$work/err"
    done
    (cd tests/adc && "$adc" check "$named.c" "$@" --cc "$through" -L "../../$within" -l external -O2 -Wall -w) \
        >"$work/out" 2>&1 \
        && grep -q '4 passed, 0 failed' "$work/out" || wrong "adc check of $named.c" "$work/out"
    "$adc" "tests/adc/$named.c" "$@" --as dual2 2>"$work/err" && wrong "$named as dual2"
    grep -q 'no second derivative for dual2' "$work/err" || wrong "$named as dual2" "$work/err"
}
external external --function flow --in 'x[3]' --out 'y[2]' --external 'viscosity: gradient viscosity_slopes'
(cd tests/adc && "$adc" check external.c --function flow --jacobian flow_jacobian --in 'x[3]' --out 'y[2]' \
    --external 'viscosity: gradient viscosity_slopes' --cc "$through" -L "../../$within" -l external) \
    >"$work/out" 2>&1 && grep -q '4 passed, 0 failed' "$work/out" || wrong 'a claim beside --external' "$work/out"
external external_arrays --function blend --in 'x[4]' --out 'y[4]' \
    --external 'energy: gradient energy_slopes' --external 'weighted: gradient weighted_slopes'
$CC $exact -I. tests/adc/external_run.c "$work/external_arrays_var.o" "$work/external_arrays_dual.o" \
    "$work/external_arrays_dual8.o" "$work/libexternal.a" "$object" -o "$work/external.run" -lm 2>"$work/err" \
    && "$work/external.run" >"$work/err" 2>&1 || wrong 'external_arrays, run' "$work/err"
! "$adc" tests/adc/external.c --function flow --in 'x[3]' --out 'y[2]' --external viscosity 2>"$work/err" \
    && grep -q "'G: gradient H', not 'viscosity'" "$work/err" || wrong 'an --external of other words' "$work/err"

# ---- code that others published: a sample of what check-adc-published has
examples=/usr/share/doc/libsundials-dev/examples
if [ -d "$examples" ]; then
    mkdir -p "$work/published"
    python3 tests/adc/published.py "$adc" "$through" tests/adc/published.txt "$examples" "$work/published" \
        --least 8 cvRoberts_dns.c:f ark_brusselator1D.c:f idaSlCrank_dns.c:ressc cvDiurnal_kry_bp.c:f \
        kinRoboKin_dns.c:func idasAkzoNob_dns.c:res cvKrylovDemo_prec.c:f ark_heat1D_adapt.c:f \
        >"$work/log" 2>&1 || wrong 'functions of SUNDIALS' "$work/log"
    tail -n 1 "$work/log"
    checks=0
    library='-lsundials_cvode -lsundials_nvecserial -lsundials_sunmatrixdense -lsundials_sunlinsoldense'
    claims=$examples/cvode/serial/cvRoberts_dns.c
    verdict 0 '1 passed' --function f --jacobian Jac --in 'y[3]' --out 'ydot[3]' --set t=0 --at '0.9 1e-5 0.1' $library
    claims=$examples/cvode/serial/cvParticle_dns.c            # which is wrong
    verdict 1 'rows and columns exchanged at row 1, column 0: claimed -2, numeric 2' --function f --jacobian Jac \
        --in 'y[2]' --out 'ydot[2]' --set t=0 --setup 'static struct UserData_ u; u.alpha = 2; user = &u;' $library
    claims=tests/adc/vectors.c
    library="$library -lsundials_sunmatrixband -lsundials_sunmatrixsparse"
    vectors() { expects=$1 said=$2 of=$3; verdict "$expects" "$said" --function rates --jacobian "$of" \
        --in 'x[2]' --out 'dx[2]' $library; }
    vectors 0 '4 passed' by_values
    vectors 1 'sign at row 1, column 1' by_values_wrong
    vectors 0 '4 passed' dense
    vectors 1 'missing: 0 where there is a slope at row 0, column 1' dense_wrong
    vectors 0 '4 passed' banded
    vectors 1 'off at row 1, column 0: claimed 1, numeric 0' banded_wrong
    vectors 0 '4 passed' sparse
    vectors 1 '2 of 4 entries; .* at row 1, column' sparse_wrong
    vectors 1 'G_NONFINITE' sparse_outside
    vectors 1 'G_NONFINITE' fails
    vectors 99 "'untold': is the SUNMatrix dense, band or sparse?" untold
    vectors 0 '4 passed' helped
    verdict 0 '4 passed' --function rates --jacobian mixed --in 'x[2]' --out 'dx[2]' --setup 'static struct other o;
        static SUNContext sc; if (!o.band) { SUNContext_Create(NULL, &sc); o.band = SUNBandMatrix(1, 0, 0, sc);
        SM_ELEMENT_B(o.band, 0, 0) = 1; } user = &o;' $library
    vectors 1 'OUT_OF_BOUNDS: J writes past the end of its output, at index 4 of 4' past_its_end
    vectors 99 "'tn' of 'works' has no value: --in, --out or --set tn=..." works
    verdict 0 '4 passed' --function rates --jacobian works --in 'x[2]' --out 'dx[2]' --set tn=7 $library
    verdict 99 "'by' of 'scaled' is a vector, whose numbers have another type in the translation" --function scaled \
        --in 'x[1]' --out 'dx[1]' --setup 'static double one[1] = { 1 }; N_Vector v = N_VMake_Serial(1, one, NULL);' \
        --set by=v $library
    verdict 99 "'of_residual' is a sum of two Jacobians, as IDA has it" --function residual \
        --jacobian of_residual --in 'x[1], xp[1]' --out 'r[1]' --set t=1 --set cj=2 $library
    if echo '#include <gsl/gsl_matrix.h>' | $CC -E - >"$work/out" 2>&1; then
        claims=tests/adc/gsl.c gsl='-lgsl -lgslcblas'
        verdict 0 '4 passed' --function energy --gradient slopes --in 'v[2]' $gsl
        verdict 1 'factor 2 at row 0, column 1' --function energy --gradient slopes_wrong --in 'v[2]' $gsl
        verdict 1 '0 passed, 4 failed' --function energy --gradient slopes_short --in 'v[2]' $gsl
        verdict 0 '4 passed' --function residuals --jacobian of_residuals --in 'v[2]' --out 'r[3]' $gsl
        verdict 1 'off at row 2, column 0' --function residuals --jacobian of_residuals_wrong --in 'v[2]' --out 'r[3]' $gsl
    else
        echo 'SKIP check-adc of vectors of GSL: not installed (Debian: libgsl-dev)'
    fi
    parts="$parts, 8 functions of SUNDIALS, $checks claims in vectors and matrices"
else
    echo 'SKIP check-adc of SUNDIALS: no examples (Debian: apt-get install libsundials-dev)'
fi

# ---- the way without this tool: C read by a C++ compiler, with another type of number for double
case $others in *C++*)
    export CXX OBJECT
    sh tests/adc/as_cpp.sh "$work/as_cpp" >"$work/log" 2>&1 || wrong 'C as C++' "$work/log"
    tail -n 1 "$work/log"
    parts="$parts, as C++ $(tail -n 1 "$work/log" | sed 's/, [^,]* faults//')" ;;
*)  echo "SKIP check-adc of C as C++: no C++ compiler $CXX" ;;
esac

# ---- random programs
case $others in *C++*)
    export CXX
    set -- ${count:-40}
    sh tests/adc/random.sh "$adc" "$work/random" "$@" >"$work/log" 2>&1 || wrong 'random programs' "$work/log"
    tail -n 1 "$work/log"
    parts="$parts, $1 random programs" ;;
*)  echo "SKIP check-adc of random programs: no C++ compiler $CXX" ;;
esac

[ $bad = 0 ] || fail "$bad faults"
ok "$parts"
