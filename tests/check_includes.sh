#!/bin/sh
# The ways in which a header is included. Each program is made of what the functions below write.
name=includes
. tests/check.sh
: "${CC:=cc}" "${CXX:=c++}"
have "$CXX" || skip "no C++ compiler $CXX"
mkdir -p "$work/lib/deep" "$work/renamed"
cp autodiff.h "$work/lib/deep/"
cp autodiff.h "$work/renamed/renamed.h"
warn='-Wall -Wextra -Werror'
use='double use(ad_tape *t); double use(ad_tape *t)
{ ad_var x = ad_input(t, 2); ad_backward(ad_var_mul(x, ad_var_sin(x))); return ad_adjoint(x); }'
main='int main(void) { ad_tape *t = ad_tape_create(NULL); const double d = use(t) - (sin(2.0) + 2 * cos(2.0));
ad_tape_destroy(t); return !(d < 1e-12 && d > -1e-12); }'
here='#include "autodiff.h"'
implement='#define AUTODIFF_IMPLEMENTATION'
count=0

# compiles WHAT FLAGS TEXT...: the text, without the implementation as C99, C11 and C++11; with it, every
# other one in turn, as C99, and as C++11 if it defines macros.
compiles()
{
    what=$1 flags=$2
    shift 2
    printf '%s\n' "$@" >"$work/t.c"
    for compiler in "$CC -std=c99" "$CC -std=c11" "$CXX -x c++ -std=c++11"; do
        quietly "$what" $compiler $warn -fsyntax-only $flags "$work/t.c"
    done
    count=$((count + 1))
    mine $count 2 || return 0
    flags="$flags -DAUTODIFF_IMPLEMENTATION -DAUTODIFF_GRAPH -DAUTODIFF_CHECK"
    quietly "$what" $CC -std=c99 $warn -fsyntax-only $flags "$work/t.c"
    case $* in
    *'#define'*) quietly "$what" $CXX -x c++ -std=c++11 $warn -fsyntax-only $flags "$work/t.c" ;;
    esac
}

# runs WHAT FLAGS TEXT...: the text is a program that exits with 0, as C and as C++.
runs()
{
    what=$1 flags=$2
    shift 2
    printf '%s\n' "$@" >"$work/t.c"
    for compiler in "$CC" "$CXX -x c++ -std=c++11"; do
        quietly "$what" $compiler $warn $flags "$work/t.c" -o "$work/t" -lm
        quietly "$what" "$work/t"
    done
    count=$((count + 1))
}

compiles first   -I. "$here" '#include <stdio.h>' '#include <math.h>' '#include <stdlib.h>' "$use"
compiles last    -I. '#include <stdlib.h>' '#include <stdio.h>' '#include <math.h>' "$here" "$use"
compiles twice   -I. "$here" "$here" "$use" "$here"
compiles complex -I. '#include <complex.h>' "$here" "$use"
compiles tgmath  -I. '#include <tgmath.h>' "$here" "$use"
libraries='#ifdef __cplusplus
#include <limits>
#include <iosfwd>
#endif
#include <math.h>'
compiles 'min and max' -I. "$libraries" '#define min(a, b) ((a) < (b) ? (a) : (b))' \
    '#define max(a, b) ((a) > (b) ? (a) : (b))' "$here" "$use"
compiles 'macros of <windows.h>' -I. "$libraries" '#define small char' '#define far' '#define near' \
    '#define ERROR 0' '#define IN' '#define OUT' '#define interface struct' "$here" "$use"
compiles 'macros in capitals' -I. "$libraries" '#define ADD(a, b) ((a) + (b))' \
    '#define SQUARE(a) ((a) * (a))' '#define ABS(a) ((a) < 0 ? -(a) : (a))' '#define SIGN(a) ((a) > 0)' \
    '#define MIN(a, b) 1' '#define MAX 1' '#define NUM 1' '#define ONE 1' '#define EQ 3' '#define LT' \
    '#define PLAIN 1' '#define GUARD 1' '#define X1 7' '#define X(a) a' '#define PI 3.14' \
    '#define N 9' '#define T 1' '#define DEBUG 1' '#define OK 0' '#define EPS 1e-9' '#define INPUT 0' \
    '#define NEEDED' '#define DEPENDS -' '#define ADDS 2' '#define OUTPUT' '#define ERROR 1' "$here" "$use"
compiles system  "-isystem $work/lib/deep" '#include <autodiff.h>' "$use"
compiles deep    -I. '#include "lib/deep/autodiff.h"' "$use"
compiles renamed "-I$work/renamed -DAD_HEADER_NAME=\"renamed.h\"" '#include "renamed.h"' "$use"
compiles option  '-I. -include autodiff.h' "$use"
# What is static and not called is not compiled.
runs 'declared, then implemented' '-DAUTODIFF_NO_KERNELS -I.' "$here" "$use" "$implement" "$here" "$main"
runs 'static'    '-I. -DAUTODIFF_STATIC' "$implement" "$here" "$use" "$main"
# Too late it would do nothing, and the linker would ask for what stands there.
printf '%s\n' "$here" '#define AUTODIFF_STATIC' "$here" "$use" >"$work/t.c"
for compiler in "$CC" "$CXX -x c++ -std=c++11"; do
    if $compiler -fsyntax-only -I. "$work/t.c" 2>"$work/late"; then fail 'static, too late: is taken'; fi
    grep -q 'AUTODIFF_STATIC comes too late' "$work/late" || fail 'static, too late: the message'
done
count=$((count + 1))
runs 'for double' '-I. -DAUTODIFF_STATIC=double' "$here" "$use" "$main"
# Another word would be taken for none.
printf '%s\n' '#define AUTODIFF_STATIC doubel' "$here" "$use" >"$work/t.c"
if $CC -fsyntax-only -I. "$work/t.c" 2>"$work/word"; then fail 'AUTODIFF_STATIC doubel: is taken'; fi
grep -q 'nothing more, or the word double' "$work/word" || fail 'AUTODIFF_STATIC doubel: the message'
runs 'for double, of several files' '-I.' "$implement double" "$here" "$use" "$main"
if [ "$(uname -m)" = x86_64 ]; then              # whose header of intrinsics it reads parts of
    vectors='__attribute__((target("avx512vl"))) static inline __m256d f(__m256d a, __mmask8 m)
{ return _mm256_maskz_add_pd(m, a, a); }'
    runs 'intrinsics after it' '-I. -DAUTODIFF_STATIC' "$here" '#include <immintrin.h>' "$vectors" "$use" "$main"
    runs 'intrinsics before it' '-I. -DAUTODIFF_STATIC' '#include <immintrin.h>' "$here" "$vectors" "$use" "$main"
fi
runs 'renamed'   "-DAUTODIFF_STATIC -I$work/renamed -DAD_HEADER_NAME=\"renamed.h\"" "$implement" '#include "renamed.h"' "$use" "$main"
runs 'elsewhere' "-DAUTODIFF_STATIC -I$work/lib" "$implement" '#include "deep/autodiff.h"' "$use" "$main"

set -- '#include <stdlib.h>' 'static int news; static void *get(size_t n) { news++; return malloc(n); }' \
    'static void *more(void *p, size_t n) { news += p == NULL; return realloc(p, n); }' \
    '#define AUTODIFF_MALLOC(n) get(n)' '#define AUTODIFF_REALLOC(p, n) more(p, n)' \
    '#define AUTODIFF_FREE(p) (news -= (p) != NULL, free(p))'
runs 'allocator' '-DAUTODIFF_STATIC -I. -Dmain=inner -Wno-error=missing-prototypes' "$@" "$implement" "$here" "$use" "$main" '#undef main' \
    'int main(void) { ad_tape *t = ad_tape_create(NULL); const int some = news; ad_tape_destroy(t);' \
    'return !(some > 0 && news == 0 && inner() == 0 && news == 0); }'
echo "$here" >"$work/t.c"
# Names that programs give to types by #define: the whole implementation does without them.
quietly 'types by macros' "$CC" -std=c99 -fsyntax-only -I. -DAUTODIFF_IMPLEMENTATION -DAUTODIFF_CHECK \
    -Dreal=double -Dscalar=double -Dvector=double -Dbyte=char -Duint=unsigned -Dstring=char "$work/t.c"
for only in MALLOC REALLOC FREE; do
    "$CC" -fsyntax-only -I. -DAUTODIFF_IMPLEMENTATION "-DAUTODIFF_$only=f" "$work/t.c" >"$work/log" 2>&1 \
        && fail "AUTODIFF_$only alone is accepted"
    grep -q '#error.*AUTODIFF_MALLOC' "$work/log" || { cat "$work/log"; fail "no #error for AUTODIFF_$only alone"; }
    count=$((count + 1))
done

# Several files of C and C++ in one program, and the library.
object $CC $standard
printf '%s\n' "$here" '#ifdef __cplusplus' 'extern "C"' '#endif' "$use" >"$work/a.c"
printf '%s\n' "$here" 'double use(ad_tape *t);' "$main" >"$work/b.c"
printf '%s\n' "$here" 'ad_var c(ad_var x); ad_var c(ad_var x) { return x * sin(x); }' >"$work/c.cpp"
for a in "$CC" "$CXX -x c++"; do
    for f in a b; do quietly 'many files' $a $warn -I. -c "$work/$f.c" -o "$work/$f.o"; a=$CC; done
    quietly 'many files' "$CXX" $warn -I. -c "$work/c.cpp" -o "$work/c.o"
    quietly 'many files' "$CXX" "$work/a.o" "$work/b.o" "$work/c.o" "$object" -o "$work/t" -lm
    quietly 'many files' "$work/t"
done
# What it cannot be compiled with is one error, not hundreds.
for flag in -std=c90 -ffast-math -ffinite-math-only; do
    echo "$here" >"$work/t.c"
    $CC $flag -I. -fsyntax-only "$work/t.c" 2>"$work/log" && fail "no error with $flag"
    [ "$(grep -c 'error:' "$work/log")" = 1 ] || fail "$flag: $(grep -c 'error:' "$work/log") errors"
done
$CXX -std=c++98 -x c++ -I. -fsyntax-only "$work/t.c" 2>"$work/log" && fail 'no error with -std=c++98'
[ "$(grep -c 'error:' "$work/log")" = 1 ] || fail "-std=c++98: $(grep -c 'error:' "$work/log") errors"
quietly 'fast-math, allowed' $CC -ffast-math -DAUTODIFF_ALLOW_FAST_MATH -I. -fsyntax-only "$work/t.c"
ok "$((count + 1)) ways"
