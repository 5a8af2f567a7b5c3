#!/bin/sh
# The command line tool: libraries and expressions, every kind of check, verdicts and exit codes,
# formats, the parser against known slopes, and a line for everything that cannot be meant.
name=adcheck
. tests/check.sh
: "${CC:=cc}"
work=$work/run
rm -rf "$work"
mkdir -p "$work"
echo 'int f(void) { return 0; }' >"$work/probe.c"
have "${CC%% *}" || skip "no $CC"
$CC -shared -fPIC "$work/probe.c" -o "$work/probe.so" -ldl >"$work/log" 2>&1 \
    || skip "$CC makes no shared library"

cat >"$work/model.c" <<'END'
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#ifdef __cplusplus
extern "C" {
#endif

/* loss = x0^2 sin(x1) + sum of x^3, its gradient, and what is wrong with the others */
double loss(const double *x, size_t n, void *user)
{
    double s = x[0] * x[0] * sin(x[1]);
    size_t i;
    if (user) abort();
    for (i = 0; i < n; i++) s += x[i] * x[i] * x[i];
    return s;
}
void loss_grad(const double *x, size_t n, double *d, void *user)
{
    size_t i;
    if (user) abort();
    for (i = 0; i < n; i++) d[i] = 3 * x[i] * x[i];
    d[0] += 2 * x[0] * sin(x[1]);
    d[1] += x[0] * x[0] * cos(x[1]);
}
void g_sign(const double *x, size_t n, double *d, void *user)
{
    loss_grad(x, n, d, user);
    d[1] = -d[1];
}
void g_off(const double *x, size_t n, double *d, void *user)
{
    loss_grad(x, n, d, user);
    d[0] *= 1.00005;
}
void g_nan(const double *x, size_t n, double *d, void *user)
{
    loss_grad(x, n, d, user);
    d[0] = NAN;
}
void g_short(const double *x, size_t n, double *d, void *user)
{
    double all[9];
    loss_grad(x, n, all, user);
    d[0] = all[0];
}
double loss_both(const double *x, size_t n, double *d, void *user)
{
    if (d) loss_grad(x, n, d, user);
    return loss(x, n, user);
}
double both_sign(const double *x, size_t n, double *d, void *user)
{
    if (d) g_sign(x, n, d, user);
    return loss(x, n, user);
}
void loss_hv(const double *x, size_t n, const double *v, double *y, void *user)
{
    size_t i;
    if (user) abort();
    for (i = 0; i < n; i++) y[i] = 6 * x[i] * v[i];
    y[0] += 2 * sin(x[1]) * v[0] + 2 * x[0] * cos(x[1]) * v[1];
    y[1] += 2 * x[0] * cos(x[1]) * v[0] - x[0] * x[0] * sin(x[1]) * v[1];
}
void hv_sign(const double *x, size_t n, const double *v, double *y, void *user)
{
    loss_hv(x, n, v, y, user);
    y[1] = -y[1];
}

/* (x0 x1, exp(x0), x1^2) */
void F(const double *x, size_t n, double *y, size_t m, void *user)
{
    if (user || n != 2 || m != 3) abort();
    y[0] = x[0] * x[1];
    y[1] = exp(x[0]);
    y[2] = x[1] * x[1];
}
void J(const double *x, size_t n, double *J, size_t m, void *user)
{
    if (user || n != 2 || m != 3) abort();
    J[0] = x[1];      J[1] = x[0];
    J[2] = exp(x[0]); J[3] = 0;
    J[4] = 0;         J[5] = 2 * x[1];
}
void J_factor(const double *x, size_t n, double *d, size_t m, void *user)
{
    J(x, n, d, m, user);
    d[5] /= 2;
}
void jv(const double *x, size_t n, const double *v, double *y, size_t m, void *user)
{
    double d[6];
    J(x, n, d, m, user);
    y[0] = d[0] * v[0] + d[1] * v[1];
    y[1] = d[2] * v[0] + d[3] * v[1];
    y[2] = d[4] * v[0] + d[5] * v[1];
}
void vj(const double *x, size_t n, const double *w, double *y, size_t m, void *user)
{
    double d[6];
    J(x, n, d, m, user);
    y[0] = d[0] * w[0] + d[2] * w[1] + d[4] * w[2];
    y[1] = d[1] * w[0] + d[3] * w[1] + d[5] * w[2];
}
void jv_sign(const double *x, size_t n, const double *v, double *y, size_t m, void *user)
{
    jv(x, n, v, y, m, user);
    y[1] = -y[1];
}
void vj_sign(const double *x, size_t n, const double *w, double *y, size_t m, void *user)
{
    vj(x, n, w, y, m, user);
    y[1] = -y[1];
}

float f_float(const float *x, size_t n, void *user)
{
    float s = 0;
    size_t i;
    if (user) abort();
    for (i = 0; i < n; i++) s += sinf(x[i]);
    return s;
}
void g_float(const float *x, size_t n, float *d, void *user)
{
    size_t i;
    (void)user;
    for (i = 0; i < n; i++) d[i] = cosf(x[i]);
}
void g_float_sign(const float *x, size_t n, float *d, void *user)
{
    g_float(x, n, d, user);
    d[0] = -d[0];
}
float both_float(const float *x, size_t n, float *d, void *user)
{
    if (d) g_float(x, n, d, user);
    return f_float(x, n, user);
}
void hv_float(const float *x, size_t n, const float *v, float *y, void *user)
{
    size_t i;
    (void)user;
    for (i = 0; i < n; i++) y[i] = -sinf(x[i]) * v[i];
}
void layer(const float *x, size_t n, float *y, size_t m, void *user)
{
    (void)n; (void)m; (void)user;
    y[0] = x[0] * x[1];
    y[1] = x[1];
}
void J_float(const float *x, size_t n, float *d, size_t m, void *user)
{
    (void)n; (void)m; (void)user;
    d[0] = x[1]; d[1] = x[0];
    d[2] = 0;    d[3] = 1;
}
void push(const float *x, size_t n, const float *v, float *y, size_t m, void *user)
{
    (void)n; (void)m; (void)user;
    y[0] = x[1] * v[0] + x[0] * v[1];
    y[1] = v[1];
}
void pull(const float *x, size_t n, const float *w, float *y, size_t m, void *user)
{
    (void)n; (void)m; (void)user;
    y[0] = x[1] * w[0];
    y[1] = x[0] * w[0] + w[1];
}

/* must not be called outside of its box */
double f_box(const double *x, size_t n, void *user)
{
    (void)n; (void)user;
    if (x[0] < 0.5 || x[0] > 2) abort();
    return x[0] * x[0];
}
void g_box(const double *x, size_t n, double *d, void *user)
{
    (void)n; (void)user;
    d[0] = 2 * x[0];
}
double f_random(const double *x, size_t n, void *user)
{
    (void)n; (void)user;
    return x[0] + rand();
}
double f_crash(const double *x, size_t n, void *user)
{
    (void)x; (void)n;
    return *(volatile double *)user;
}
double f_nan(const double *x, size_t n, void *user)
{
    (void)x; (void)n; (void)user;
    return NAN;
}
void g_zero(const double *x, size_t n, double *d, void *user)
{
    (void)x; (void)n; (void)user;
    d[0] = 0;
}
double f_slow(const double *x, size_t n, void *user)
{
    struct timespec t = { 0, 20000000 };
    nanosleep(&t, NULL);
    return loss(x, n, user);
}
double slow_crash(const double *x, size_t n, void *user)
{
    struct timespec t = { 0, 300000000 };
    static int calls;
    if (calls++ == 2) abort();
    nanosleep(&t, NULL);
    return loss(x, n, user);
}
double f_leaves(const double *x, size_t n, void *user)
{
    (void)x;
    (void)n;
    (void)user;
    _Exit(0);
}
double f_deep(const double *x, size_t n, void *user)
{
    volatile double here[1000];
    here[n] = x[0];
    return here[n] + f_deep((const double *)here, n, user) + here[0];
}
double f_alarm(const double *x, size_t n, void *user)
{
    raise(SIGALRM);
    return loss(x, n, user);
}
double f_killed(const double *x, size_t n, void *user)
{
    raise(SIGKILL);
    return loss(x, n, user);
}
double f_exit(const double *x, size_t n, void *user)
{
    exit(0);
    return loss(x, n, user);
}

/* as Fortran's compilers make them */
double energy_(const int *n, const double *x) { return loss(x, (size_t)*n, NULL); }
void force_(const int *n, const double *x, double *d) { loss_grad(x, (size_t)*n, d, NULL); }
void forcesign_(const int *n, const double *x, double *d) { g_sign(x, (size_t)*n, d, NULL); }
double both_(const int *n, const double *x, double *d)
{
    loss_grad(x, (size_t)*n, d, NULL);                 /* never without d */
    return loss(x, (size_t)*n, NULL);
}
double energy8_(const long long *n, const double *x) { return loss(x, (size_t)*n, NULL); }
void hessian_(const int *n, const double *x, const double *v, double *y)
{
    loss_hv(x, (size_t)*n, v, y, NULL);
}
void map_(const int *n, const int *m, const double *x, double *y)
{
    F(x, (size_t)*n, y, (size_t)*m, NULL);
}
void jacobian_(const int *n, const int *m, const double *x, double *d)
{
    d[0] = x[1]; d[1] = exp(x[0]); d[2] = 0;           /* a column */
    d[3] = x[0]; d[4] = 0;         d[5] = 2 * x[1];
    if (*n != 2 || *m != 3) abort();
}
void rows_(const int *n, const int *m, const double *x, double *d)
{
    J(x, (size_t)*n, d, (size_t)*m, NULL);
}
void partly_(const int *n, const int *m, const double *x, double *d)
{
    const double kept = d[1];                          /* row 1, column 0 */
    jacobian_(n, m, x, d);
    d[1] = kept;
}
void push_(const int *n, const int *m, const double *x, const double *v, double *y)
{
    jv(x, (size_t)*n, v, y, (size_t)*m, NULL);
}
void pull_(const int *n, const int *m, const double *x, const double *w, double *y)
{
    vj(x, (size_t)*n, w, y, (size_t)*m, NULL);
}
float real_(const int *n, const float *x) { return f_float(x, (size_t)*n, NULL); }
void realforce_(const int *n, const float *x, float *d) { g_float(x, (size_t)*n, d, NULL); }
#ifdef __cplusplus
}
#endif
END
quietly 'tool' $CC -O0 -Wall -Wextra -Werror tools/adcheck.c -o "$work/adcheck" -ldl -lm
quietly 'library' $CC -O1 -shared -fPIC -D_POSIX_C_SOURCE=200112L "$work/model.c" \
    -o "$work/model.so" -lm
unset AD_CHECK_FORMAT AD_CHECK_OUTPUT AD_CHECK_ONLY AD_CHECK_SEED AD_CHECK_MAX_EVALS \
    AD_CHECK_STRICT AD_CHECK_VERBOSE GITHUB_ACTIONS GITHUB_STEP_SUMMARY
tool=$work/adcheck so=$work/model.so runs=0 bad=0
as_float='look like float functions: --float?'

wrong()
{
    bad=$((bad + 1))
    [ $bad -le 12 ] || return
    printf '%s: adcheck' "$1"
    shift
    printf " '%s'" "$@" | cut -c 1-200
    echo
    head -n 5 "$work/out" "$work/err"
    echo
}

# gives CODE WORD ARGUMENT...: the exit code, the word in the report, nothing on stderr.
gives()
{
    expected=$1 word=$2
    shift 2
    "$tool" "$@" >"$work/out" 2>"$work/err" </dev/null
    code=$?
    runs=$((runs + 1))
    [ $code = "$expected" ] || wrong "exit code $code, not $expected" "$@"
    [ -z "$word" ] || grep -q -e "$word" "$work/out" || wrong "no '$word'" "$@"
    [ "$word" = "$as_float" ] || ! grep -q -e "$as_float" "$work/out" || wrong "'$as_float'" "$@"
    [ ! -s "$work/err" ] || wrong 'something on stderr' "$@"
}

# refused WORD ARGUMENT...: exit code 99, one line on stderr with the word, nothing on stdout.
refused()
{
    word=$1
    shift
    "$tool" "$@" >"$work/out" 2>"$work/err" </dev/null
    code=$?
    runs=$((runs + 1))
    [ $code = 99 ] || wrong "exit code $code, not 99" "$@"
    [ "$(wc -l <"$work/err")" -eq 1 ] || wrong 'not one line' "$@"
    grep -q "^adcheck: " "$work/err" || wrong 'not its own line' "$@"
    grep -q -e "$word" "$work/err" || wrong "no '$word'" "$@"
    [ ! -s "$work/out" ] || wrong 'something on stdout' "$@"
}

# slope EXPRESSION POINT GRADIENT: the gradient is this, and not this with another end.
slope()
{
    gives 0 CORRECT "$1" --grad "$3" --at "$2"
    gives 1 WRONG "$1" --grad "$3*1.25+1/16" --at "$2"
}

# ---- the parser: precedence and association, by slopes worked out by hand
slope '-x^2' x=3 -6
slope '-x^2*x' x=2 -12
slope '2*-x^2' x=3 -12
slope '(-x)^2' x=3 6
slope '2^x^2' x=3 2129.348138652237
slope '(2^x)^2' x=3 88.72283911050988
slope 'x^3^2' x=1.25 53.64418029785156
slope '2^-x' x=2 -.17328679513998632
slope 'x-1-x^2-x' x=3 -6
slope '12/x/2' x=2 -1.5
slope '12/(x/2)' x=2 -6
slope '12/x*2' x=2 -6
slope '1-x*2+3' x=7 -2
slope '1-(x*2+3)-x' x=7 -3
slope '- - + -x' x=7 -1
slope '3e-1*x+2.5E+1*x+.5*x+1.*x' x=7 26.8
slope 'pi*x' x=7 3.141592653589793
slope 'e*x' x=7 2.718281828459045
slope 'e*x' e=2,x=7 7,2
slope ' x * sin( y ) ' ' x = 1 , y = 2 ' '.9092974268256817, -.4161468365471424'
slope 'x*y' 'x=2;y=pi/2' '1.5707963267948966;2'
slope 'x_1+2*X1' 'x_1=1,X1=1' 1,2
slope 'x0*x1+x2' 1,2,3 2,1,1
slope 'atan2(y,x)' x=1,y=2 -.4,.2
slope 'max(x,y)+2*min(x,y)' x=1,y=2 2,1
slope 'clamp(x,0,y)+select(gt(x,y),x,5*x)' x=1,y=2 6,0
slope 'hypot(x,y)+pow(x,y)+fma(x,y,x)' x=3,y=4 113.6,92.7875953821169
slope 'lgamma(x)+erf(x)+cbrt(x)+tanh(x)' x=1 .591199507504
slope "$(printf '%098d' 0 | tr 0 '(')x*x$(printf '%098d' 0 | tr 0 ')')" x=3 6
slope 'x > 1 ? x^2 : 0' x=3 6
slope 'x<y ? 2*x : x==y ? 1 : 3*y' x=3,y=2 0,3
slope '(x<=4)*x^2 + (x!=5)*y^2' x=3,y=2 6,4
slope 'max(x,y,-2,1)+sum(x,y,2*x)+dot(x,y,y,x)' x=1,y=2 7,4
slope 'x*y' 'x=2,y=x^2' 4,2
slope "x$(printf '%03000d' 0 | sed 's/0/+x/g')" x=3 3001
gives 0 CORRECT 'a*b' --grad b,a --at 2,3 --names a,b
gives 0 CORRECT 'x*sin(x)' --grad 'sin(x)+x*cos(x)' --at x=1 --float
gives 0 CORRECT '(1e8+x)-1e8' --grad 1 --at x=1
gives 1 WRONG '(1e8+x)-1e8' --grad 1 --at x=1 --float

rows=$(sed -n '/^#define ADI_RULES(/,/[^\\]$/p' autodiff.h \
       | sed -n 's/^ *X\([123]\)( *\([a-z0-9_]*\),.*/\1:\2/p')
"$tool" --help >"$work/help" || wrong 'no help' --help
for row in $rows; do
    case $row in 1*) values=x ;; 2*) values=x,2 ;; *) values=x,2,3 ;; esac
    "$tool" "${row#*:}($values)+100*x" --grad 100 --at x=.5 >"$work/out" 2>"$work/err"
    [ $? != 99 ] || wrong 'a rule is missing' "${row#*:}($values)"
    grep -q "[ ,]${row#*:}\(\$\|[ (]\)" "$work/help" || wrong 'not in the help' "${row#*:}"
    runs=$((runs + 1))
done
[ "$runs" -gt 100 ] || fail "only $runs runs so far"

# ---- vector functions as expressions
gives 0 CORRECT 'r*cos(t); r*sin(t)' --jac 'cos(t), -r*sin(t); sin(t), r*cos(t)' --at r=2,t=pi/3
gives 0 CORRECT 'r*cos(t), r*sin(t)' --jac 'cos(t), -r*sin(t); sin(t), r*cos(t)' --at r=2,t=pi/3
gives 1 WRONG 'r*cos(t); r*sin(t)' --jac 'cos(t), r*sin(t); sin(t), r*cos(t)' --at r=2,t=pi/3
gives 1 exchanged 'r*cos(t); r*sin(t)' --jac 'cos(t), sin(t); -r*sin(t), r*cos(t)' --at r=2,t=pi/3
gives 0 CORRECT 's = sin(t); c = cos(t); s*c' --jac 'cos(t); -sin(t); cos(2*t)' --at t=1
gives 1 WRONG 's = sin(t); c = cos(t); s*c' --jac 'cos(t); -sin(t); sin(2*t)' --at t=1
gives 0 CORRECT 'x*y' --jac y,x --at x=2,y=3
gives 0 CORRECT 'x*y;x' --jac 'y,x;1,0' --at x=2,y=3 --float
gives 0 CORRECT 'let r = x*y; r^2' --grad '2*x*y*y, 2*x*y*x' --at x=1,y=2
gives 0 CORRECT 'let r=x*y; r^2; r' --jac 'let r = x*y; 2*r*y, 2*r*x; y, x' --at x=1,y=2
gives 0 CORRECT 'let*2 + x' --grad '2, 1' --at let=1,x=2

# ---- libraries
printf '1.5, -2 # two\r\n\n# three\n3e-1\n' >"$work/x.txt"
seq 1 3000 | sed 's/^/1./' >"$work/many.txt"
gives 0 CORRECT "$so" --f loss --grad loss_grad --n 3 --x "$work/x.txt"
gives 0 CORRECT "$so" --f=loss --grad=loss_grad --at=1.5,-2
gives 1 sign "$so" --f loss --grad g_sign --x "$work/x.txt"
gives 1 INACCURATE "$so" --f loss --grad g_off --x "$work/x.txt"
gives 0 CORRECT "$so" --f loss --grad g_off --x "$work/x.txt" --rtol 1e-3
gives 1 G_NONFINITE "$so" --f loss --grad g_nan --x "$work/x.txt"
gives 1 UNWRITTEN "$so" --f loss --grad g_short --x "$work/x.txt"
gives 0 CORRECT "$so" --fgrad loss_both --x "$work/x.txt"
gives 1 sign "$so" --fgrad both_sign --x "$work/x.txt"
gives 0 CORRECT "$so" --grad loss_grad --hv loss_hv --x "$work/x.txt"
gives 0 CORRECT "$so" --f loss --grad loss_grad --hv loss_hv --x "$work/x.txt"
gives 1 WRONG "$so" --grad loss_grad --hv hv_sign --x "$work/x.txt"
gives 1 WRONG "$so" --f loss --grad g_sign --hv loss_hv --x "$work/x.txt"
gives 0 CORRECT "$so" --f F --m 3 --jac J --at .5,2
gives 1 WRONG "$so" --f F --m 3 --jac J_factor --at .5,2
gives 0 CORRECT "$so" --f F --m 3 --jvp jv --at .5,2
gives 1 WRONG "$so" --f F --m 3 --jvp jv_sign --at .5,2
gives 0 CORRECT "$so" --f F --m 3 --vjp vj --at .5,2
gives 1 WRONG "$so" --f F --m 3 --vjp vj_sign --at .5,2
gives 0 CORRECT "$so" --f F --m 3 --jac J --jvp jv --vjp vj --at .5,2
gives 0 CORRECT "$so" --m 3 --jvp jv --vjp vj --at .5,2
gives 1 WRONG "$so" --m 3 --jvp jv --vjp vj_sign --at .5,2
gives 0 CORRECT "$so" --f f_float --grad g_float --x "$work/x.txt" --float
gives 1 sign "$so" --f f_float --grad g_float_sign --x "$work/x.txt" --float
gives 0 CORRECT "$so" --fgrad both_float --x "$work/x.txt" --float
gives 0 CORRECT "$so" --grad g_float --hv hv_float --x "$work/x.txt" --float
gives 0 CORRECT "$so" --f layer --jac J_float --jvp push --vjp pull --m 2 --at 2,3 --float
gives 0 directional "$so" --f loss --grad loss_grad --x "$work/many.txt" --directions 2 --seed 7
gives 1 sign "$so" --f loss --grad g_sign --x "$work/many.txt"
gives 0 CORRECT "$so" --f f_box --grad g_box --at .5 --lo .5 --hi 2
gives 0 CORRECT "$so" --f f_box --grad g_box --at 2 --lo .5 --hi 2
echo 0.5 >"$work/lo.txt"
gives 0 CORRECT "$so" --f f_box --grad g_box --at 1 --lo "$work/lo.txt" --hi 2,
gives 0 CORRECT x*y --grad y,x --at x=1,y=2 --lo 0 --hi 3,inf
gives 77 NONDETERMINISTIC "$so" --f f_random --grad g_box --at 1
echo '1 2 3' | "$tool" "$so" --f loss --grad loss_grad --x - >"$work/out" 2>"$work/err" \
    || wrong 'stdin' "$so" --f loss --grad loss_grad --x -
(cd "$work" && ./adcheck model.so --f loss --grad loss_grad --x x.txt) >"$work/out" 2>"$work/err" \
    || wrong 'a library in this directory' model.so

# ---- Fortran: its convention in C, and the compiler's own
gives 0 CORRECT "$so" --fortran --f energy --grad force --x "$work/x.txt"
gives 0 CORRECT "$so" --fortran --f Energy --grad force_ --x "$work/x.txt"
gives 1 sign "$so" --fortran --f energy --grad forcesign --x "$work/x.txt"
gives 0 CORRECT "$so" --fortran --fgrad both --x "$work/x.txt"
gives 0 CORRECT "$so" --fortran --grad force --hv hessian --x "$work/x.txt"
gives 0 CORRECT "$so" --fortran --f map --m 3 --jac jacobian --jvp push --vjp pull --at .5,2
gives 1 WRONG "$so" --fortran --f map --m 3 --jac rows --at .5,2
gives 1 'UNWRITTEN.*index 2$' "$so" --fortran --f map --m 3 --jac partly --at .5,2
gives 0 CORRECT "$so" --fortran --f real --grad realforce --at .5,2 --float
gives 1 "$as_float" "$so" --fortran --f real --grad realforce --at .5,2
case $(printf '\001\000' | od -An -tx2) in
*0001) gives 0 CORRECT "$so" --fortran --f energy8 --grad force --x "$work/x.txt" ;;
esac
refused "Fortran's 'energy_': --fortran" "$so" --f energy --grad force --at 1,2
refused 'for the functions of a library' x --grad 1 --at x=1 --fortran
if have gfortran; then
    cat >"$work/model.f90" <<'END'
double precision function energy(n, x)
    integer, intent(in) :: n
    double precision, intent(in) :: x(n)
    energy = sum(x**3) + x(1)*sin(x(2))
end function

subroutine force(n, x, g)
    integer, intent(in) :: n
    double precision, intent(in) :: x(n)
    double precision, intent(out) :: g(n)
    g = 3*x**2
    g(1) = g(1) + sin(x(2))
    g(2) = g(2) + x(1)*cos(x(2))
end subroutine

subroutine map(n, m, x, y)
    integer, intent(in) :: n, m
    double precision, intent(in) :: x(n)
    double precision, intent(out) :: y(m)
    y = [x(1)*x(2), exp(x(1)), x(2)**2]
end subroutine

subroutine jacobian(n, m, x, J)
    integer, intent(in) :: n, m
    double precision, intent(in) :: x(n)
    double precision, intent(out) :: J(m, n)
    J = 0
    J(1, 1) = x(2)
    J(1, 2) = x(1)
    J(2, 1) = exp(x(1))
    J(3, 2) = 2*x(2)
end subroutine

real function small(n, x)
    integer, intent(in) :: n
    real, intent(in) :: x(n)
    small = sum(sin(x))
end function

subroutine small_grad(n, x, g)
    integer, intent(in) :: n
    real, intent(in) :: x(n)
    real, intent(out) :: g(n)
    g = cos(x)
end subroutine

double precision function ends(n, x)
    integer, intent(in) :: n
    double precision, intent(in) :: x(n)
    ends = x(1)
    stop
end function
END
    quietly 'Fortran library' gfortran -shared -fPIC "$work/model.f90" -o "$work/fortran.so"
    gives 0 CORRECT "$work/fortran.so" --fortran --f energy --grad force --x "$work/x.txt"
    gives 0 CORRECT "$work/fortran.so" --fortran --f map --jac Jacobian --m 3 --at .5,2
    gives 0 CORRECT "$work/fortran.so" --fortran --f small --grad small_grad --float --at .5,2
    gives 1 "$as_float" "$work/fortran.so" --fortran --f small --grad small_grad --at .5,2
    refused 'ended the program' "$work/fortran.so" --fortran --f ends --grad force --at 1,2
else
    echo 'SKIP check-adcheck of a Fortran library: no gfortran'
fi

# ---- float functions that are taken for others: said where the derivative fails and, in float,
# is one; and of nothing else (that is in `gives`)
gives 1 "$as_float" "$so" --f f_float --grad g_float --at 1
gives 1 "$as_float" "$so" --f f_float --grad g_float --x "$work/x.txt"
gives 1 "$as_float" "$so" --f f_float --grad g_float_sign --x "$work/x.txt"
gives 1 "$as_float" "$so" --fgrad both_float --x "$work/x.txt"
gives 1 "$as_float" "$so" --grad g_float --hv hv_float --x "$work/x.txt"
gives 1 "$as_float" "$so" --f layer --jac J_float --m 2 --at 2,3
gives 1 "$as_float" "$so" --f layer --jvp push --m 2 --at 2,3
gives 1 "$as_float" "$so" --f layer --vjp pull --m 2 --at 2,3
gives 1 "$as_float" "$so" --f f_float --grad g_float --x "$work/x.txt" --format junit
gives 77 F_NONFINITE "$so" --f f_nan --grad g_zero --at 1,2    # as float, all is 0
for at in 1 2 .1 1,2 .1,.2,.3; do
    gives 1 UNWRITTEN "$so" --f loss --grad g_short --at "$at,1"
    gives 1 NONFINITE "$so" --f loss --grad g_nan --at "$at,1"
done

# ---- verdicts and options
gives 0 NONSMOOTH_VALID 'abs(x)' --grad 0 --at x=0
gives 1 . 'abs(x)' --grad 0 --at x=0 --strict
gives 1 NONSMOOTH_INVALID 'abs(x)' --grad 2 --at x=0
gives 77 F_NONFINITE 'log(x)' --grad 1/x --at x=-1
gives 77 F_NONFINITE 'x+inf' --grad 1 --at x=1
gives 1 . 'log(x)' --grad 1/x --at x=-1 --strict
gives 1 G_NONFINITE 'x^2' --grad '0/0' --at x=1
gives 1 UNBOUNDED 'sqrt(abs(x))' --grad 0 --at x=0
gives 1 DISCONTINUOUS 'floor(x)' --grad 0 --at x=1
gives 77 BUDGET "$so" --f loss --grad g_sign --x "$work/x.txt" --max-evals 2
gives 0 CORRECT 'x^2' --grad '2*x+1e-3' --at x=1 --atol 1e-2
gives 0 CORRECT 'x^2' --grad '2*x' --at x=1 --noise 1e-12
gives 77 INCONCLUSIVE 'x*y' --grad '1.003*y,x' --at x=1,y=1 --noise 1
gives 0 CORRECT 'x+y' --grad '1,1' --at x=1e-18,y=1 --x-scale 1e-18,1
gives 0 'CORRECT (directional' 'x+y' --grad '1,1' --at x=2,y=1 --dense-limit 1
gives 0 CORRECT 'x+y' --grad '1,1' --at x=2,y=1 --nondet-tol 1e-9
gives 0 'my label' 'x^2' --grad '2*x' --at x=1 --label 'my label'
gives 1 alpha "$so" --f loss --grad g_sign --at 1,2 --names beta,alpha
gives 1 '1 *y ' 'x*sin(y)' --grad 'sin(y), -x*cos(y)' --at x=1,y=2
gives 0 . 'x^2' --grad '2*x' --at x=1 --verbose
export AD_CHECK_ONLY=nothing AD_CHECK_FORMAT=json AD_CHECK_SEED=3
gives 0 '"seed": 3' 'x^2' --grad '2*x' --at x=1
gives 0 'CORRECT: 1' 'x^2' --grad '2*x' --at x=1 --format text
AD_CHECK_SEED=no
refused '--seed COUNT' 'x^2' --grad '2*x' --at x=1
unset AD_CHECK_ONLY AD_CHECK_FORMAT AD_CHECK_SEED
for only in 'mine: vj' 'jvp against'; do
    AD_CHECK_ONLY=$only
    export AD_CHECK_ONLY
    gives 0 '1 checks: 1 passed' "$so" --f F --m 3 --jvp jv --vjp vj --at .5,2 --label mine
done
AD_CHECK_ONLY=F                                  # no check's name, but the function's
gives 0 '3 checks: 3 passed' "$so" --f F --m 3 --jvp jv --vjp vj --at .5,2 --label mine
AD_CHECK_ONLY=sin
gives 0 '1 checks: 1 passed' 'x^2' --grad '2*x+0*sin(x)' --at x=1
unset AD_CHECK_ONLY
gives 0 "adcheck $(sed -n 's/^#define AD_VERSION "\(.*\)"/\1/p' autodiff.h)" --version
gives 0 'adcheck .*--grad' -h
sed -n 's/^  \(adcheck .*\)/.\/\1/p' "$work/help" >"$work/examples"
[ "$(wc -l <"$work/examples")" -ge 5 ] || wrong 'no examples' --help
cp "$so" "$work/libmodel.so"
while read -r line; do
    (cd "$work" && eval "$line") >"$work/out" 2>"$work/err" || wrong 'an example of the help' "$line"
    runs=$((runs + 1))
done <"$work/examples"
grep -q '<testsuite' "$work/report.xml" || wrong 'no report by an example' --help

# ---- formats
gives 1 '^not ok 1' "$so" --f loss --grad g_sign --x "$work/x.txt" --format tap
gives 0 '^ok 1' "$so" --f loss --grad loss_grad --x "$work/x.txt" --format tap
grep -q '^TAP version' "$work/out" || wrong 'no TAP'
gives 0 '^TAP version 13' 'x^2' --grad '2*x' --at x=1 --format tap13
gives 1 '<failure type="WRONG"' "$so" --f loss --grad g_sign --x "$work/x.txt" --format junit
cp "$work/out" "$work/junit.xml"
gives 1 '^::error' "$so" --f loss --grad g_sign --x "$work/x.txt" --format github
gives 1 '"WRONG"' "$so" --f loss --grad g_sign --x "$work/x.txt" --format json
cp "$work/out" "$work/report.json"
gives 1 '"WRONG"' 'x * y' --grad 'y, -x' --at x=1,y=2 --format json --label 'a "b" \ <c>'
cp "$work/out" "$work/label.json"
if have python3; then
    for file in report label; do
        python3 -m json.tool "$work/$file.json" >"$work/log" 2>&1 || wrong "not JSON" "$file"
    done
    python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' \
        "$work/junit.xml" >"$work/log" 2>&1 || wrong 'not XML' junit
else
    echo 'SKIP check-adcheck of JSON and XML: no python3'
fi
gives 0 '' 'x^2' --grad '2*x' --at x=1 --output "$work/report.txt"
[ ! -s "$work/out" ] || wrong 'stdout beside --output'
grep -q CORRECT "$work/report.txt" || wrong 'no report' --output
gives 1 '' 'x^2' --grad 'x' --at x=1 --quiet
[ ! -s "$work/out" ] || wrong 'stdout in spite of --quiet'

# ---- progress: a few times a second, only where it is asked for
"$tool" "$so" --f f_slow --grad loss_grad --at 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15 --progress \
    >"$work/out" 2>"$work/err" || wrong 'progress' f_slow
count=$(tr '\r' '\n' <"$work/err" | grep -c 'calls, [0-9]')
{ [ "$count" -ge 1 ] && [ "$count" -le 12 ]; } || wrong "$count lines of progress" f_slow
gives 0 CORRECT "$so" --f f_slow --grad loss_grad --at 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15
"$tool" "$so" --f slow_crash --grad loss_grad --at 1,2 --progress >"$work/out" 2>"$work/err"
[ $? = 99 ] || wrong 'exit code not 99' slow_crash
grep -q '^adcheck: the library crashed' "$work/err" || wrong 'not on a line of its own' slow_crash

# On a terminal it comes by itself, and the line is empty again at the end.
if have script && script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
    script -qec "'$tool' '$so' --f f_slow --grad loss_grad --at 1,2,3,4,5,6,7 --output '$work/report.txt'" \
        /dev/null >"$work/out" 2>"$work/err" </dev/null || wrong 'on a terminal' f_slow
    tr '\r' '\n' <"$work/out" | grep -q 'calls, [0-9]' || wrong 'no progress on a terminal' f_slow
    tr '\r' '\n' <"$work/out" | tail -n 1 | grep -q '^ *$' || wrong 'progress is left on the line' f_slow
else
    echo 'SKIP check-adcheck of progress on a terminal: no script(1)'
fi

# ---- what cannot be meant
refused 'missing'
refused 'missing' --grad 1 --at x=1
refused 'nothing to check' x --at x=1
refused 'once' x --grad 1
refused 'once' x --grad 1 --at x=1 --x "$work/x.txt"
refused 'column 1' '' --grad 1 --at x=1
refused 'column 3' '  ' --grad 1 --at x=1
refused '--grad, column 1' x --grad '' --at x=1
refused '--at, column 1' x --grad 1 --at ''
refused '--at, column 3' x --grad 1 --at x=
refused 'finite' x --grad 1 --at x=1/0
refused 'finite' x --grad 1 --at x=0/0
refused 'finite' x --grad 1 --at x=1e300 --float
refused 'column 3' 'x+' --grad 1 --at x=1
refused 'column 2.*operator' '2x' --grad 1 --at x=1
refused 'column 2.*operator' '0x1F' --grad 1 --at x=1
refused 'column 3.*too large' 'x*1e999' --grad 1 --at x=1
refused 'column 3.*too large' 'x*1e39' --grad 1 --at x=1 --float
refused 'column 3.*too small' 'x*1e-999' --grad 1 --at x=1
refused 'column 4.*second comparison' 'x<1<2' --grad 1 --at x=1
refused 'column 1.*number' '..5*x' --grad 1 --at x=1
refused 'column 3.*no such function' 'x+foo(x)' --grad 1 --at x=1
refused 'column 3.*no such variable' 'x+y' --grad 1 --at x=1
refused 'do you mean .alpha' 'alpah' --grad 1 --at alpha=1
refused "needs '('" 'sin x' --grad 1 --at x=1
refused 'column 5' 'sin()' --grad 1 --at x=1
refused 'takes 1 operand, not 2' 'sin(x,x)' --grad 1 --at x=1
refused 'takes 2 operands, not 1' 'pow(x)' --grad 1 --at x=1
refused 'column 6' 'sin(x' --grad 1 --at x=1
refused 'column 3' '(x' --grad 1 --at x=1
refused 'column 2' 'x)' --grad 1 --at x=1
refused 'column 3' 'x x' --grad 1 --at x=1
refused 'column 2' 'x#1' --grad 1 --at x=1
refused 'column 3' 'x,,x' --grad 1 --at x=1
refused 'column 3' "$(printf 'x y\nz')" --grad 1 --at x=1
for c in '(' - + 'x^' 'x*(' 'sin(' 'pow(x,' 'x+x*clamp(x,x,'; do
    refused 'nested' "1*$(printf '%08000d' 0 | sed "s/0/$c/g")x" --grad 1 --at x=1
done
refused 'letters' x --grad 1 --at "$(printf '%0100d' 0 | tr 0 x)=1"
refused 'letters' x --grad 1 --at 1 --names "$(printf '%0100d' 0 | tr 0 x)"
refused 'two variables' x --grad 1,1 --at 1,2 --names x,x
refused '--at, column 5: .x. has a value already' x --grad 1,1 --at x=1,x=2
refused 'cannot be called' x --grad 1,1 --at 1,2 --names 'x,a b'
refused 'cannot be called' x --grad 1,1 --at 1,2 --names x,2
refused 'every number' x --grad 1,1 --at x=1,2
refused 'twice' x --grad 1 --at x=1 --names x
refused 'n = 3' 'a+b' --grad 1,1 --at 1,2 --names a,b,c
refused 'name is missing' 'a+b' --grad 1,1 --at 1,2 --names a,
refused 'n = 2' x --grad 1,2 --at x=1
refused '2 values' 'x,x' --grad 1 --at x=1
refused 'm = 2, --m says 3' 'x,x' --jac '1;1' --m 3 --at x=1
refused '3 rows' 'x,x' --jac '1;1;1' --at x=1
refused 'row 2' 'x,x' --jac '1;1,1' --at x=1
refused 'n = 1, --n says 2' x --grad 1 --at x=1 --n 2
for value in 0 -1 x 1.5 '' 99999999999999999999; do
    refused '--n COUNT' x --grad 1 --at x=1 --n "$value"
    refused '--max-evals COUNT' x --grad 1 --at x=1 --max-evals "$value"
    refused '--seed COUNT' x --grad 1 --at x=1 --seed="$value"
done
for value in 0 -1 nan inf 1e999 1x ''; do
    refused '--rtol NUMBER' x --grad 1 --at x=1 --rtol "$value"
done
refused 'value is missing: --rtol' x --grad 1 --at x=1 --rtol
refused 'no value' x --grad 1 --at x=1 --strict=1
refused 'unknown option' x --grad 1 --at x=1 --max 3
refused 'unknown option' x --grad 1 --at x=1 --
refused '--x-scale has n = 3, the point n = 2' 'x+y' --grad 1,1 --at x=1,y=2 --x-scale 1,2,3
refused 'at a time' x y --grad 1 --at x=1
refused 'text, tap' x --grad 1 --at x=1 --format xml
refused 'cannot write' x --grad 1 --at x=1 --output "$work/none/report"
[ ! -c /dev/full ] || refused 'cannot write' x --grad 1 --at x=1 --output /dev/full
refused 'outside' x --grad 1 --at x=1 --lo 2
refused 'outside' x --grad 1 --at x=1 --hi nan
refused 'n = 2' x --grad 1 --at x=1 --lo 0,0
refused 'cannot read' x --grad 1 --at x=1 --lo none.txt
refused 'cannot read' x --grad 1 --x "$work/none.txt"
refused 'cannot read' x --grad 1 --x "$work"
: >"$work/empty.txt"
refused 'no number' x --grad 1 --x "$work/empty.txt"
refused 'no number' x --grad 1 --x -
printf '1\n2 3x\n' >"$work/bad.txt"
refused 'line 2: not a number: 3x' "$so" --f loss --grad loss_grad --x "$work/bad.txt"
printf '1\n nan\n' >"$work/bad.txt"
refused 'number 2' "$so" --f loss --grad loss_grad --x "$work/bad.txt"
printf '1\000002' >"$work/bad.txt"
refused 'not a text' "$so" --f loss --grad loss_grad --x "$work/bad.txt"
refused 'n = 3, --n says 12' "$so" --f loss --grad loss_grad --x "$work/x.txt" --n 12
refused 'cannot load' "$work/none.so" --f loss --grad loss_grad --at 1
refused 'cannot load' "$work/x.txt" --f loss --grad loss_grad --at 1
refused "no function 'nonesuch' (nm -D" "$so" --f nonesuch --grad loss_grad --at 1
refused "no function '' (nm -D" "$so" --f '' --grad loss_grad --at 1
refused "no function 'nonesuch'" "$so" --f loss --grad nonesuch --at 1
refused '--f is missing' "$so" --grad loss_grad --at 1
refused '--f is missing' "$so" --jac J --m 3 --at 1,2
refused '--m is missing' "$so" --f F --jac J --at 1,2
refused '--grad' "$so" --hv loss_hv --at 1,2
refused 'leave these out' "$so" --f loss --fgrad loss_both --at 1,2
refused 'twice' "$so" --f loss --grad loss_grad --jac J --m 3 --at 1,2
refused 'crashed' "$so" --f f_crash --grad loss_grad --at 1,2
refused 'crashed' "$so" --f f_deep --grad loss_grad --at 1,2
refused 'signal 14' "$so" --f f_alarm --grad loss_grad --at 1,2
refused 'signal 9 .*memory' "$so" --f f_killed --grad loss_grad --at 1,2
refused 'given twice' x --grad 1 --at x=1 --at x=2
gives 0 CORRECT x --grad 1 --at x=1 --at x=1
refused 'ended the program' "$so" --f f_exit --grad loss_grad --at 1,2
refused 'ended the program' "$so" --f f_leaves --grad loss_grad --at 1,2

# ---- a name that is nearly one: the library's own file is read, by what it says of itself
if [ "$(uname -s)" = Linux ]; then
    refused "do you mean 'loss'?" "$so" --f los --grad loss_grad --at 1,2
    refused "do you mean 'loss'?" "$so" --f lsos --grad loss_grad --at 1,2
    refused "do you mean 'loss'?" "$so" --f LOSS --grad loss_grad --at 1,2
    refused "do you mean 'loss_grad'?" "$so" --f loss --grad loss_gard --at 1,2
    refused "do you mean 'loss_grad'?" "$so" --f loss --grad lossgrad --at 1,2
    refused "do you mean 'g_float', '._float' or '._float'?" "$so" --f loss --grad gfloat --at 1,2
    refused "do you mean 'force'?" "$so" --fortran --f energy --grad forse --at 1,2
    refused "do you mean '._float', '._float' or '._float'?" "$so" --f float --grad g --at 1,2
    refused "do you mean '._box' or '._box'?" "$so" --f box --grad g --at 1,2
    refused "no function 'lo' (nm -D" "$so" --f lo --grad loss_grad --at 1,2
    refused '(nm -D' "$so" --f "$(printf '%0500d' 0 | tr 0 f)" --grad loss_grad --at 1,2
    sed 's/extern "C" {/namespace model {/' "$work/model.c" >"$work/names.cpp"
    if have g++ && g++ -shared -fPIC -D_POSIX_C_SOURCE=200112L "$work/names.cpp" -o "$work/names.so" \
        >"$work/log" 2>&1; then
        refused "do you mean '_ZN5model4lossE.*That is C++: declare it extern" \
            "$work/names.so" --f loss --grad loss_grad --at 1,2
    fi
    # What dlopen does not look at may say anything: the table of sections, and what is in it.
    if have python3; then
        cat >"$work/spoil.py" <<'END'
import struct, sys
source, place, value, result = sys.argv[1:]
data = bytearray(open(source, 'rb').read())
wide, end = data[4] == 2, '<' if data[5] == 1 else '>'
word, at = (8, 40) if wide else (4, 32)
def put(where, size, number): data[where:where + size] = (number % 256**size).to_bytes(size, 'little' if end == '<' else 'big')
def get(where, size): return int.from_bytes(data[where:where + size], 'little' if end == '<' else 'big')
sections, step = get(at, word), 64 if wide else 40
names = 24 if wide else 16                       # sh_offset
dynamic = next(k for k in range(get(60 if wide else 48, 2)) if get(sections + k * step + 4, 4) == 11)
strings = get(sections + dynamic * step + (40 if wide else 24), 4)
number = int(value)
if place == 'sections': put(at, word, number)
if place == 'count': put(60 if wide else 48, 2, number)
for name, k in ('symbols', dynamic), ('strings', strings):
    if place == name + ' offset': put(sections + k * step + names, word, number)
    if place == name + ' size': put(sections + k * step + names + word, word, number)
if place == 'link': put(sections + dynamic * step + (40 if wide else 24), 4, number)
open(result, 'wb').write(data)
END
        for spoilt in 'sections 0' 'sections 65' 'sections -1' 'sections -64' 'sections 4611686018427387904' \
            'count 0' 'symbols offset=-8' 'symbols offset=3' 'symbols size=0' 'strings offset=-1' \
            'strings size=-1' 'strings size=1' 'strings size=0' 'link 65535' 'link -1' 'link 0'; do
            case $spoilt in
            *=*) place=${spoilt%=*} value=${spoilt#*=} ;;
            *)   place=${spoilt% *} value=${spoilt#* } ;;
            esac
            quietly "$spoilt" python3 "$work/spoil.py" "$so" "$place" "$value" "$work/spoilt.so"
            refused "no function 'los' (nm -D" "$work/spoilt.so" --f los --grad loss_grad --at 1,2
        done
        quietly 'symbols size' python3 "$work/spoil.py" "$so" 'symbols size' -1 "$work/spoilt.so"
        refused "no function 'los'" "$work/spoilt.so" --f los --grad loss_grad --at 1,2
    else
        echo 'SKIP check-adcheck of libraries with spoilt tables: no python3'
    fi
fi

# A check that cannot run: no memory for 2^31 - 1 outputs. Sanitizers need more than this to start.
if (ulimit -v 200000 && "$tool" x --grad 1 --at x=1) >"$work/out" 2>"$work/err"; then
    (ulimit -v 200000; "$tool" "$so" --f F --jac J --m 2147483647 --at 1,2) \
        >"$work/out" 2>"$work/err"
    [ $? = 99 ] || wrong 'exit code not 99' 'm = 2^31 - 1'
    grep -q '^adcheck: a check could not run: .*memory' "$work/err" || wrong 'no line' 'm = 2^31 - 1'
    runs=$((runs + 1))
fi

[ $bad = 0 ] || fail "$bad of $runs runs"
ok "$runs runs"
