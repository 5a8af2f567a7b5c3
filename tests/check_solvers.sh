#!/bin/sh
# examples/solvers: each program with its solver, as far as they are installed; the headers in C++;
# how many lines of a program are there for the derivatives, which README.md tells. The programs that
# SUNDIALS ships, with the derivatives that they bring replaced.
name=solvers
. tests/check.sh
: "${CC:=cc}" "${CXX:=c++}"
object $CC $standard
strict='-O1 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -DEXAMPLE_LINKED'
places='-isystem /usr/include/suitesparse -isystem /usr/include/coin -isystem /usr/include/cminpack-1'
done= missing= HAVE_CXX=
echo 'int x;' >"$work/probe.cpp"
have "${CXX%% *}" && $CXX -std=c++11 -include limits -fsyntax-only "$work/probe.cpp" 2>/dev/null && HAVE_CXX=yes

# solver PROGRAM PACKAGES LIBRARIES [COMPILER]: makes it and runs it; what it prints is kept. Says
# SKIP where its headers or libraries are not there.
solver()
{
    program=$1 packages=$2 libraries=$3 compiler=${4:-$CC}
    source=examples/solvers/$program.c header=$(sed -n 's/^#include "\(ad_.*\.h\)"/\1/p' "$source")
    grep '^#include <' "$source" "examples/solvers/$header" | sed 's/.*:#/#/' >"$work/probe.c"
    echo 'int main(void) { return 0; }' >>"$work/probe.c"
    if ! have "${compiler%% *}" || ! $compiler $places "$work/probe.c" -o "$work/probe" $libraries >"$work/log" 2>&1; then
        echo "SKIP check-solvers of $program: not installed (Debian: apt-get install $packages)"
        missing="$missing $program"
        return
    fi
    quietly "compile $program" $compiler -std=c99 $strict $places "$source" "$object" -o "$work/$program" $libraries -lm
    # Lines that name the library, but for those that write the function down.
    lines=$(grep '\<ad_' "$source" | grep -cvE '\<ad_(var|tape|const|branch|dual)')
    [ "$lines" -le 10 ] || fail "$source: $lines lines for the derivatives, more than ten"
    grep -qE "^\| [^|]* \| \`$header\` \| \`$program\.c\` \| $lines \|" README.md \
        || fail "README.md has no row '$header, $program.c, $lines'"
    if [ "$HAVE_CXX" ]; then
        printf '#include "autodiff.h"\n#include "examples/solvers/%s"\n' "$header" >"$work/header.cpp"
        quietly "$header in C++" ${5:-$CXX} -std=c++14 -I. $places -Wall -Wextra -fsyntax-only "$work/header.cpp"
    fi
    if [ "$compiler" = "$CC" ]; then
        quietly "$program" "$work/$program"
        sed "s/^/$program: /" "$work/log"
    fi
    done="$done $program"
}

sundials='libsundials-dev libsuitesparse-dev'
common='-lsundials_sunlinsolklu -lsundials_nvecserial'
solver sundials_cvode "$sundials" "-lsundials_cvode $common"
solver sundials_band "$sundials" "-lsundials_cvode $common"
solver sundials_cvodes "$sundials" "-lsundials_cvodes $common"
solver sundials_ida "$sundials" "-lsundials_ida $common"
solver sundials_kinsol "$sundials" "-lsundials_kinsol $common"
solver ipopt coinor-libipopt-dev -lipopt
solver gsl_fit libgsl-dev '-lgsl -lgslcblas'
solver gsl_root libgsl-dev '-lgsl -lgslcblas'
solver gsl_ode libgsl-dev '-lgsl -lgslcblas'
solver nlopt libnlopt-dev -lnlopt
solver cminpack libcminpack-dev -lcminpack
solver lbfgs liblbfgs-dev -llbfgs
export OMPI_CC="$CC" OMPI_CXX="$CXX"
solver mpi 'libopenmpi-dev openmpi-bin' '' mpicc mpicxx

# The same bits from 1, 2, 3 and 4 processes.
case $done in
*mpi*)
    for ranks in 1 2 3 4; do
        quietly "mpi, $ranks processes" mpirun --allow-run-as-root --oversubscribe -np $ranks "$work/mpi"
        grep -v '^$' "$work/log" >"$work/mpi.$ranks"
        grep -q '^bits ' "$work/mpi.$ranks" || fail "mpi, $ranks processes: it printed nothing"
        quietly "the bits of $ranks processes" diff "$work/mpi.1" "$work/mpi.$ranks"
    done
    sed 's/^/mpi: /' "$work/mpi.4" ;;
esac
[ "$done" ] || skip 'no solver is installed'

# Failures, points that are no number, other ways at an ad_branch: with the solvers that are there.
with= libraries=
for each in 'sundials_kinsol KINSOL -lsundials_kinsol -lsundials_sunlinsolklu -lsundials_nvecserial' \
    'gsl_ode GSL -lgsl -lgslcblas' 'nlopt NLOPT -lnlopt' 'cminpack CMINPACK -lcminpack' 'lbfgs LBFGS -llbfgs' \
    'ipopt IPOPT -lipopt'; do
    case " $done " in *" ${each%% *} "*) ;; *) continue ;; esac
    each=${each#* }
    with="$with -DWITH_${each%% *}" libraries="$libraries ${each#* }"
done
quietly 'compile solver_errors' $CC -std=c99 $strict $places $with tests/solver_errors.c "$object" \
    -o "$work/solver_errors" $libraries -lm
quietly solver_errors "$work/solver_errors"
echo "solver_errors:$with: $(tail -n 1 "$work/log")"

# What SUNDIALS ships, with its Jacobians replaced (tests/shipped.txt has the reasons).
examples=/usr/share/doc/libsundials-dev/examples shipped=
if ! echo "$done" | grep -q sundials; then :
elif [ ! -x "$BUILD/adc" ] || ! have python3 || ! have objcopy || [ ! -d "$examples" ]; then
    echo "SKIP check-solvers of SUNDIALS' examples: no adc (make adc), python3, objcopy or $examples"
else
    CC="$CC" python3 tests/shipped.py "$examples" "$work/programs" "$object" tests/shipped.txt >"$work/shipped" 2>&1 \
        || { tail -n 60 "$work/shipped"; fail "SUNDIALS' examples"; }
    cat "$work/shipped"
    # Jacobians as emitted C: the same numbers, or they would not be timed.
    grep -E '(cvRoberts_dns|idaRoberts_dns|cvAdvDiff_bnd|idasRoberts_klu|kinRoboKin_dns) = ' tests/shipped.txt >"$work/few"
    quietly 'emitted Jacobians' env CC="$CC" python3 tests/shipped.py "$examples" "$work/emitted" "$object" "$work/few" --time
    [ "$(awk '$3 ~ /^[0-9]+$/ && NF == 8 && $6 > 0' "$work/log" | wc -l)" = 5 ] \
        || { cat "$work/log"; fail 'emitted Jacobians have other numbers'; }
    shipped="; $(sed -n 's/ with their.*//p' "$work/shipped" | tail -n 1)"
fi
ok "$(echo $done | wc -w) programs${missing:+; not:$missing}$shipped"
