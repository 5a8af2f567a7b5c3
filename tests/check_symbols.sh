#!/bin/sh
# What the implementation adds to a program: functions ad_* and adf_*, constants, no variables;
# with AUTODIFF_STATIC nothing that another file could see, though every function be kept. (Weak
# or unique, the inline functions of C++ and what is static in them.) With `double` behind the name,
# the same without float's. And what it takes from a program: no name that ISO C leaves to it.
name=symbols
. tests/check.sh
have nm || skip 'no nm'
have gcc && have g++ || skip 'no gcc or g++'
echo '#include "autodiff.h"' >"$work/i.c"
flags='-O0 -fno-exceptions -fkeep-static-functions -fkeep-inline-functions -I. -DAUTODIFF_IMPLEMENTATION -DAUTODIFF_GRAPH -DAUTODIFF_CHECK -DAUTODIFF_STATIC'
count=0
for language in c c++; do
    [ $language = c ] && cc=gcc || cc='g++ -x c++'
    for static in '' 'with AUTODIFF_STATIC'; do
        if [ "$static" ]; then
            object=$work/i.o
            quietly "$language $static" $cc $flags -c "$work/i.c" -o "$object"
        else
            object $cc -O0 -fno-exceptions
        fi
        nm -f sysv "$object" >"$work/all" || fail "nm -f sysv"
        nm -g --defined-only "$object" | awk '$2 !~ /[VWu]/ { print $NF }' >"$work/global"
        # Sections of what may change; .data.rel.ro is constant once addresses are known.
        awk -F'|' '{ gsub(/ /, "", $NF) } $NF ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)/ &&
            $NF !~ /^\.data\.rel\.ro/ && $4 !~ /SECTION/ { print $1, $NF }' "$work/all" >"$work/variables"
        [ ! -s "$work/variables" ] || { cat "$work/variables"; fail "variables, as $language $static"; }
        [ "$(grep -c '| *FUNC|.*text' "$work/all")" -gt 1000 ] || fail "few functions, as $language $static"
        if [ "$static" ]; then
            grep . "$work/global" && fail "external symbols with AUTODIFF_STATIC, as $language"
        else
            grep -Ev '^adf?_[a-z0-9_]+$' "$work/global" && fail "foreign external symbols, as $language"
            count=$(grep -c . "$work/global")
            [ "$count" -gt 0 ] || fail "no external symbol, as $language"
            [ $language = c ] || continue
            quietly "$language for double" $cc -O0 -fno-exceptions -I. -DAUTODIFF_IMPLEMENTATION=double \
                -DAUTODIFF_GRAPH -DAUTODIFF_CHECK -c "$work/i.c" -o "$work/i.o"
            nm -g --defined-only "$work/i.o" | awk '$2 !~ /[VWu]/ { print $NF }' >"$work/double"
            grep -Ev '^adf_' "$work/global" | cat - "$work/double" | sort | uniq -u >"$work/other"
            [ ! -s "$work/other" ] || { head "$work/other"; fail "for double, as $language"; }
            nm -u "$work/i.o" | grep -E ' adi?f?_' && fail "for double, as $language: missing"
        fi
    done
done
cat >"$work/own.c" <<'END'
#include "autodiff.h"
#include <math.h>
void sincos(double x, double *c, double *s);
void sincosf(float x, float *c, float *s);
void sincos(double x, double *c, double *s) { *c = *s = x; }
void sincosf(float x, float *c, float *s) { *c = *s = x; }
int main(void)
{
    ad_tape *t = ad_tape_create(NULL);
    adf_tape *u = adf_tape_create(NULL);
    ad_var x = ad_input(t, 1), y = ad_var_sin(x);
    adf_var z = adf_var_cos(adf_input(u, 1));
    int good;
    ad_backward(y);
    good = fabs(y.v - 0.8414709848078965) < 1e-15 && fabs(ad_adjoint(x) - 0.5403023058681398) < 1e-15
        && fabs(z.v - 0.5403023058681398) < 1e-7;
    ad_tape_destroy(t);
    adf_tape_destroy(u);
    return !good;
}
END
object gcc -O0 -fno-exceptions
quietly 'a program with sincos' gcc -std=c99 -w -I. "$work/own.c" "$object" -o "$work/own" -lm
"$work/own" || fail "a program's own sincos is called"
ok "$count functions"
