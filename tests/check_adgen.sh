#!/bin/sh
# The generator for builds: the example's build; models to C and C++, every kind of derivative and of
# code, compiled without a warning and compared with formulas; what is refused, and where.
name=adgen
. tests/check.sh
: "${CC:=cc}" "${CXX:=c++}"
work=$PWD/$work/run
rm -rf "$work"
mkdir -p "$work"

quietly example $MAKE --no-print-directory -C examples/model check BUILD="$work/model" CC="$CC" \
    CFLAGS='-std=c99 -O2 -Wall -Wextra -Wpedantic -Werror'
grep -q 'step 4: the hand is at (0.900000, 0.400000)' "$work/log" || fail 'the hand is elsewhere'
tool=$work/model/adgen
cd "$work" || fail 'no directory'
bad=0 runs=0

# wrong WHAT ARGUMENT...: shows what the last run said, and goes on.
wrong()
{
    bad=$((bad + 1))
    what=$1
    shift
    echo "-- $what: adgen $*" | cut -c 1-200
    cut -c 1-160 "$work/out" | head -n 8
    cut -c 1-160 "$work/err" | head -n 8
}

# ---- numbers
cat >one.txt <<'END'
# f = a exp(-x^2 - y^2) + x y + log a
variables: x,y   # of these
parameters a
let s = x^2 + \
        y^2
f = a*exp(-s) + x*y + log(a)
END
{ cat one.txt; echo '  g = x > y ? x^3 - y : a*max(y, 3*x)'; } | sed 's/$/\r/' >two.txt
printf 'parameters a\nvariables x y\n2*a*x*y' >three.txt          # order, no name, no last newline

cat >drive.c <<'END'
#include <math.h>
#include <stdio.h>
#include "t.h"
#define VALUE 0
#define GRADIENT 1
#define JACOBIAN 2
#define HESSIAN 3
static int bad;
static void is(const char *what, double v, double expected)
{
    const double size = fabs(expected) > 1 ? fabs(expected) : 1;
    if (fabs(v - expected) <= size * (sizeof(REAL) == 4 ? 2e-6 : 1e-14)) return;
    printf("%s is %.17g, not %.17g\n", what, v, expected);
    bad = 1;
}
int main(void)
{
    static const double point[4][2] = { { 0.5, -0.25 }, { -1, 0.75 }, { 0.125, 2 }, { 1.5, 1.25 } };
    static REAL X[3 * 200], Y[9 * 200];
    int k;
    for (k = 0; k < 4; k++) {
        const double x = point[k][0], y = point[k][1], a = 1.5, e = a * exp(-x * x - y * y);
        REAL in[3], out[9] = { 0, 0, 0, 0, 0, 0, 0, 0, 0 };
        in[t_in_x] = (REAL)x;
        in[t_in_y] = (REAL)y;
        in[t_in_a] = (REAL)a;
        t(in, out);
        is("inputs", t_inputs + 0 * e, 3);
#if MODEL == 3
        is("y0", (double)out[t_out_y0], 2 * a * x * y);
        is("order", t_in_a, 0);
        is("outputs", t_outputs, KIND == VALUE ? 1 : KIND == HESSIAN ? 7 : 3);
#if KIND == HESSIAN
        is("d2y0_dy_dx", (double)out[t_out_d2y0_dy_dx], 2 * a);
#endif
#if KIND != VALUE
        is("dy0_dx", (double)out[t_out_dy0_dx], 2 * a * y);
        is("dy0_dy", (double)out[t_out_dy0_dy], 2 * a * x);
#endif
#else
        is("f", (double)out[t_out_f], e + x * y + log(a));
#if MODEL == 2
        is("g", (double)out[t_out_g], x > y ? x * x * x - y : a * (y > 3 * x ? y : 3 * x));
#endif
#if KIND != VALUE
        is("df_dx", (double)out[t_out_df_dx], -2 * x * e + y);
        is("df_dy", (double)out[t_out_df_dy], -2 * y * e + x);
#if MODEL == 2
        is("dg_dx", (double)out[t_out_dg_dx], x > y ? 3 * x * x : y > 3 * x ? 0 : 3 * a);
        is("dg_dy", (double)out[t_out_dg_dy], x > y ? -1 : y > 3 * x ? a : 0);
        is("rows", t_out_dg_dx - t_out_df_dx, 2);
#endif
#endif
#if KIND == HESSIAN
        is("d2f_dx_dx", (double)out[t_out_d2f_dx_dx], (4 * x * x - 2) * e);
        is("d2f_dx_dy", (double)out[t_out_d2f_dx_dy], 4 * x * y * e + 1);
        is("d2f_dy_dx", (double)out[t_out_d2f_dy_dx], 4 * x * y * e + 1);
        is("d2f_dy_dy", (double)out[t_out_d2f_dy_dy], (4 * y * y - 2) * e);
#endif
#endif
    }
#if BATCH
    for (k = 0; k < 200; k++) {
        X[t_in_x * 200 + k] = (REAL)(0.01 * k - 1);
        X[t_in_y * 200 + k] = (REAL)(0.5 - 0.003 * k);
        X[t_in_a * 200 + k] = (REAL)(1 + 0.001 * k);
    }
    t_batch(199, X, 200, Y, 200);
    for (k = 0; k < 200; k++) {
        REAL in[3], out[9];
        int i;
        for (i = 0; i < 3; i++) in[i] = X[i * 200 + k];
        t(in, out);
        for (i = 0; i < t_outputs; i++)
            is("batch", (double)Y[i * 200 + k], k < 199 ? (double)out[i] : 0);
    }
#else
    (void)X; (void)Y;
#endif
    return bad;
}
END

compilers="$CC -std=c99|$CXX -x c++ -std=c++11"
for cc in 'clang -std=c99' 'clang++ -x c++ -std=c++11'; do
    if have "${cc%% *}"; then compilers="$compilers|$cc"
    else echo "SKIP check-adgen with ${cc%% *}: not installed"
    fi
done

# number MODEL KIND: in every form and precision, by two compilers, a C and a C++ one in turn.
number()
{
    case $1 in 1) file=one ;; 2) file=two ;; *) file=three ;; esac
    kind=$(echo "$2" | tr '[:lower:]' '[:upper:]')
    for form in '' --point --table --board '--fast --contract'; do
        for real in double float; do
            [ $real = float ] && float=--float || float=
            quietly adgen "$tool" "--$2" $form $float --name t $file.txt -o t.c --header t.h
            case $form in --point | --table | --board) batch=0 ;; *) batch=1 ;; esac
            pair=$([ $(((runs + runs / 2 + runs / 8) % 2)) = 0 ] && echo '1p; 4p' || echo '2p; 3p')
            echo "$compilers" | tr '|' '\n' | sed -n "$pair" | while read -r cc; do
                # as a table, a number that is not used is no mistake of the user's
                $cc -O1 -Wall -Wextra -Wpedantic -Werror -DREAL=$real -DMODEL="$1" -DKIND=$kind \
                    -DBATCH=$batch t.c drive.c -o drive -lm >err 2>&1 && ./drive >out 2>&1 \
                    || { echo "-- $cc"; exit 1; }
            done || wrong number "--$2" $form $float $file.txt
            runs=$((runs + 1))
        done
    done
}
: >out; : >err
number 1 value
number 1 gradient
number 1 jacobian
number 1 hessian
number 2 value
number 2 jacobian
number 3 gradient
number 3 hessian

# ---- options
# makes WORD ARGUMENT...: exit code 0, the word on stdout, nothing on stderr.
makes()
{
    word=$1
    shift
    "$tool" "$@" >out 2>err </dev/null || wrong 'exit code not 0' "$@"
    runs=$((runs + 1))
    grep -q -e "$word" out || wrong "no '$word'" "$@"
    [ ! -s err ] || wrong 'something on stderr' "$@"
}
makes '^void one(const double \*x, double \*y);' one.txt
makes 'df_dy' one.txt                                        # the gradient of one expression
makes 'dg_dy' two.txt                                        # the Jacobian of several
makes '^void one(const float \*x, float \*y);' one.txt --float
makes '^void spring(' one.txt --name=spring
makes 'Made by adgen from one.txt' "$work/one.txt"
makes '^void _1_of_2(' --name _1_of_2 one.txt
cp one.txt '2 of 3.txt'
makes '^void f_2_of_3(' '2 of 3.txt'
makes 'usage: adgen' --help
for row in $(sed -n '/^#define ADI_RULES(/,/[^\\]$/p' "$OLDPWD/autodiff.h" \
             | sed -n 's/^ *X[123]( *\([a-z0-9_]*\),.*/\1/p'); do
    grep -q "[ ,]$row\(\$\|[ (]\)" out || wrong "not in the help: $row" --help
done
sed -n '/# a mass on a spring/,/energy/s/^  //p' out >spring.txt
makes 'denergy_dp' spring.txt
makes "adgen $(sed -n 's/^#define AD_VERSION "\(.*\)"/\1/p' "$OLDPWD/autodiff.h")" --version
"$tool" - <one.txt >out 2>err || wrong 'exit code' -
grep -q '^void model(' out || wrong 'not called model' -
"$tool" one.txt --report >out 2>err || wrong 'exit code' --report
grep -q '3 inputs, 2 of them variables, 3 outputs' err || wrong 'no report' --report
"$tool" one.txt --hessian >out 2>err && "$tool" --hessian one.txt -o again.c || wrong 'exit code'
cmp -s out again.c || wrong 'not the same twice' --hessian one.txt
grep -q _batch out || wrong 'no batch' --hessian one.txt
makes . one.txt --point
! grep -q _batch out || wrong 'a batch' --point
makes '^__kernel' one.txt --opencl
makes '__global__' one.txt --cuda --float
makes 'bytes of arrays' one.txt --board
printf 'variables = 2; variables^2\n' | "$tool" --value - >out 2>err && wrong 'two expressions'
printf 'variables = 2\nlet = 3\nparameters = variables*let' | "$tool" --value - >out 2>err \
    || wrong 'words that are names as well' -

# ---- what is refused
# refused WORD MODEL ARGUMENT...: exit code 1, one line on stderr with the word, no file.
refused()
{
    word=$1
    printf "$2" >bad.txt
    shift 2
    rm -f bad.c bad.h
    "$tool" -o bad.c --header bad.h bad.txt "$@" >out 2>err </dev/null
    code=$?
    runs=$((runs + 1))
    [ $code = 1 ] || wrong "exit code $code, not 1" "$@"
    [ "$(wc -l <err)" -eq 1 ] || wrong 'not one line' "$@"
    grep -q -e "$word" err || wrong "no '$word'" "$@"
    [ ! -s out ] || wrong 'something on stdout' "$@"
    [ ! -e bad.c ] && [ ! -e bad.h ] || wrong 'a file' "$@"
}
# the place, as an editor wants it
refused '^bad.txt:2:7: error: no such variable: .y' 'variables x\nf = x*y\n'
refused '^bad.txt:3:5: error: no such function: .sine.; do you mean .sin' \
    '\n variables x # one\nf = sine(x)'
refused '^bad.txt:3:5: error: a number, a name' 'variables x\ny = x + \\\n  x*'
refused '^bad.txt:3:6: error: a number, a name' 'variables x\r\ny = x + \\\r\n  x*\r\n'
refused '^bad.txt:2:14: error: a number, a name' 'variables x\ny = x + # two\nx\n'
refused '^bad.txt:2:4: error: U+00B2 has no meaning here: write .2' 'variables x\nf=x\302\262'
refused '^bad.txt:2:7: error: .). is missing: .(. of column 5 waits' 'variables x\nf = (x\ng = 1'
refused 'error: .). is missing: .(. of column 5 in line 2 waits' 'variables x\nf = (x + \\\n1\ng = 1'
refused '^bad.txt:3:1: error: .f. has a value already' 'variables x\nf = x\nf = 2\n'
refused '^bad.txt:2:1: error: .x. has a value already' 'variables x\nx = 2\n'
refused '^bad.txt:2:12: error: there are two variables .x.' 'variables x, y\nparameters x\nx'
refused '^bad.txt:1:13: error: a name is expected' 'variables x,,y\nx'
refused '^bad.txt:1:13: error: names are letters' 'variables x 2y\nx'
refused '^bad.txt:2:5: error: a let needs a name' 'variables x\nlet x + 1\nx'
refused '^bad.txt:2:6: error: .;. has no meaning here' 'variables x\nf = x; g = 2'
refused '^bad.txt:1:12: error: names are letters' 'variables x\316\261\nx'
refused '^bad.txt:1:7: error: an operator is missing' 'x = 3 4' --value
refused 'no expression' ''
refused 'no expression' '# nothing\n\n   \nvariables x\n'
refused '^bad.txt:1:13: error: parameters have a line' 'variables x | y\nx'
refused 'every expression is a let' 'variables x\nlet y = x\n'
refused 'no variables' 'parameters x\ny = x\n'
refused 'no variables' 'y = 2\n' --jacobian
refused 'gradient is that of one expression, here are 2' 'variables x\nx\n2*x\n' --gradient
refused 'Hessian is that of one' 'variables x\nx\n2*x\n' --hessian
refused 'one of them' 'variables x\nx' --gradient --hessian
refused 'one of them' 'variables x\nx' --point --table
refused 'one of them' 'variables x\nx' --opencl --board
refused 'no C' 'variables x\nx' --cuda --header bad.h
refused 'there is no digamma' 'variables x\ndigamma(x)' --board
refused 'is no name' 'variables x\nx' --name int
refused 'no digit first' 'variables x\nx' --name 1x
refused 'no digit first' 'variables x\nx' --name 'a b'
refused 'unknown option' 'variables x\nx' --grad
refused 'unknown option' 'variables x\nx' -x
refused 'the same file' 'variables x\nx' --header bad.c
refused 'is the model' 'variables x\nx' --output bad.txt
refused 'the same file' 'variables x\nx' --header ./bad.c
refused 'is the model' 'variables x\nx' --output ./bad.txt
refused 'two outputs are .dy_dx' 'variables x, z\ny = x^2*z\ndy_dx = z*x\n'
refused 'two outputs are .d2y_dx_dx_dx' 'variables x, x_dx\ny = x^2*x_dx\n' --hessian
refused 'is no name' 'variables x\nx' --name lgamma_r
refused 'is no name' 'variables x\nx' --name abs
refused 'takes no value' 'variables x\nx' --float=1
refused 'one model at a time' 'variables x\nx' one.txt
refused 'cannot write' 'variables x\nx' --header none/bad.h
refused 'cannot write' 'variables x\nx' --output none/bad.c
refused 'too large' 'variables x\nx*1e999'
printf 'x\000y' >bad.txt
for arguments in '' one.txt=1 none.txt . bad.txt '--name' 'one.txt --output none/out.c'; do
    "$tool" $arguments >out 2>err </dev/null
    code=$?
    { [ $code = 1 ] && [ "$(wc -l <err)" -eq 1 ] && grep -q '^adgen: ' err; } \
        || wrong "exit code $code" $arguments
    runs=$((runs + 1))
done
[ ! -c /dev/full ] || { "$tool" one.txt >/dev/full 2>err && wrong 'a full disk' one.txt; }
# a device or a link to one is not removed
if [ -c /dev/full ]; then
    ln -s /dev/full link
    "$tool" one.txt --output link 2>err && wrong 'a full disk' link
    [ -h link ] || wrong 'a link was removed' link
fi
# text that nobody means ends in one line, too
awk 'BEGIN { srand(7); for (i = 0; i < 300; i++) {
    n = split("variables parameters let x y = + ( ) , ; # \\ 2 sin : ? ^ < \n \n \n", t, " ");
    t[++n] = "\n"; t[++n] = " "; s = "";
    for (k = 0; k < 25; k++) s = s t[1 + int(n * rand())] (rand() < 0.6 ? " " : "");
    file = "soup" i % 100; printf "%s", s > file; close(file) } }'
for file in soup*; do
    "$tool" --value $file -o bad.c >out 2>err
    code=$?
    case $code in
    0) [ ! -s err ] || wrong 'something on stderr' $file ;;
    1) [ "$(wc -l <err)" -eq 1 ] || wrong 'not one line' $file ;;
    *) wrong "exit code $code" $file ;;
    esac
    runs=$((runs + 1))
done

[ $bad = 0 ] || fail "$bad of $runs runs"
ok "$runs runs"
