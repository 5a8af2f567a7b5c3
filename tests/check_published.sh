#!/bin/sh
# The gradient checker on code that others published: the examples that Debian's packages ship, as they
# are, with the checker between them and their solver (tests/published). Every verdict is compared with
# tests/published/expected.txt; every derivative that is right is checked with wrong entries too.
# With names of programs: these alone. The parts whose sources no package ships (GSL's tests, Ipopt's
# examples) are checked where tests/published/sources.sh has fetched them.
name=published
. tests/check.sh
: "${CC:=cc}" "${CXX:=c++}"
sundials=/usr/share/doc/libsundials-dev/examples
klu=/usr/include/suitesparse
nlopt=/usr/share/doc/libnlopt-dev/examples
sources=build/published
[ -d "$sundials" ] || skip 'no examples of SUNDIALS (Debian: apt-get install libsundials-dev)'
grep -q '^#define SUNDIALS_VERSION "6.4.1"' /usr/include/sundials/sundials_config.h 2>/dev/null \
    || skip 'expected.txt is of SUNDIALS 6.4.1'
[ -f "$nlopt/testfuncs.c" ] || skip 'no examples of NLopt (Debian: apt-get install libnlopt-cxx-dev)'
[ -f "$klu/klu.h" ] || skip 'no klu.h (Debian: apt-get install libsuitesparse-dev)'
strict='-std=c99 -O1 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror'
libraries='nvecserial nvecmanyvector sunmatrixband sunmatrixdense sunmatrixsparse sunlinsolband
           sunlinsoldense sunlinsolklu sunlinsolpcg sunlinsolspbcgs sunlinsolspfgmr sunlinsolspgmr
           sunlinsolsptfqmr sunnonlinsolnewton sunnonlinsolfixedpoint generic'
rm -rf "$work"
mkdir -p "$work/reports"
: >"$work/nlopt_config.h"                  # testfuncs.c wants it, and nothing of it
: >"$work/config.h"                        # so do GSL's tests

# The parts that are not here, as programs' first letters; what they want is said at the end.
absent= without=
[ -f $sources/gsl/multifit_nlinear/test.c ] && [ -f /usr/include/gsl/gsl_version.h ] \
    || { absent="$absent gsl" without="$without GSL"; }
[ -d $sources/ipopt/Ipopt/examples/ScalableProblems ] && [ -f /usr/include/coin/IpTNLP.hpp ] \
    || { absent="$absent ipopt" without="$without Ipopt"; }
object $CC $standard
quietly 'compile published.c' $CC $strict -c tests/published/published.c -o "$work/published.o"

# unpacked FILE: it, or what is in FILE.gz, which Debian makes of long ones.
unpacked()
{
    [ -f "$1.gz" ] || { echo "$1"; return; }
    gzip -dc "$1.gz" >"$work/$(basename "$1")"
    echo "$work/$(basename "$1")"
}

# build FOLDER PROGRAM: $work/PROGRAM, with the wrappers of its package.
build()
{
    compiler="$CC -fcommon" source=$2.c options= libs= with= packages=
    case $1 in
        nlopt) from=$nlopt packages=nlopt libs='-lnlopt -lm' ;;
        gsl)
            from=$sources/gsl/${2#gsl_} packages=gsl source=test.c options="-I$work" libs='-lgsl -lgslcblas -lm'
            # some have their functions in a file of their own
            [ ! -f "$from/test_funcs.c" ] || options="$options $from/test_funcs.c" ;;
        ipopt)
            from=$sources/ipopt/Ipopt/examples/ScalableProblems packages=ipopt compiler=$CXX source=solve_problem.cpp
            options="-I$work -I/usr/include/coin -DHAVE_CONFIG_H"
            for h in CSTDIO CSTDLIB CSTRING CSTDDEF CMATH CASSERT; do options="$options -DHAVE_$h"; done
            options="$options $(ls "$from"/*.cpp | grep -v solve_problem)" libs='-lipopt -llapack -lblas -lm' ;;
        *) from=$sundials/$1 packages=${1%%/*} options=-I$klu ;;
    esac
    case $1/$2 in
        arkode/CXX*) packages='arkode cvode' compiler="$CXX -std=c++14" source=$2.cpp ;;
        */CXX*) compiler="$CXX -std=c++14" source=$2.cpp ;;
        nlopt/t_tutorial) compiler=$CXX source=t_tutorial.cxx libs='-lnlopt_cxx -lm' ;;
        nlopt/testfuncs) with=-DTESTFUNCS options="-I$work" ;;
    esac
    shim="$work/$(echo $packages $with | tr -d ' ').o"
    if [ "$packages" = ipopt ]; then
        [ -f "$shim" ] || quietly 'compile ipopt.cpp' $CXX -std=c++11 -O1 -Wall -Wextra -Wpedantic -Wshadow -Werror \
            -isystem /usr/include/coin -isystem "$from" -isystem "$work" -DHAVE_CONFIG_H -DHAVE_CSTDDEF -DHAVE_CMATH -DHAVE_CASSERT \
            -c tests/published/ipopt.cpp -o "$shim"
    elif [ "$packages" = nlopt ] || [ "$packages" = gsl ]; then
        [ -f "$shim" ] || quietly "compile $packages.c" $CC $strict $with -I"$nlopt" \
            -c tests/published/$packages.c -o "$shim"
    else
        defines=
        for p in $packages; do defines="$defines -DPACKAGE_$(echo "$p" | tr a-z A-Z)"; done
        [ -f "$shim" ] || quietly 'compile sundials.c' $CC $strict -I$klu $defines -c tests/published/sundials.c -o "$shim"
        for l in $packages $libraries; do libs="$libs -lsundials_$l"; done
        libs="$libs -lm"
    fi
    wraps=$(nm "$shim" | sed -n 's/.* T __wrap_/-Wl,--wrap=/p')
    # not moved in memory, so that the report's addresses are those of the symbol table
    quietly "compile $2" $compiler -O1 -w -no-pie $options -I"$from" "$(unpacked "$from/$source")" \
        "$shim" "$work/published.o" "$object" $wraps -o "$work/$2" $libs
}

# ---- every program with its arguments; what it is made of is told by the name of the function
programs=0
while read -r folder program arguments; do
    case $folder in ''|'#'*) continue ;; esac
    case " $absent " in *" $folder "*) continue ;; esac
    if [ $# -gt 0 ]; then
        case " $* " in *" $program "*) ;; *) continue ;; esac
    fi
    if [ ! -f "$work/$program" ]; then
        build "$folder" "$program"
        programs=$((programs + 1))
    fi
    rm -f "$work/report"
    (cd "$work" && PUBLISHED=report "./$program" $arguments) >"$work/$program.out" 2>"$work/$program.err" \
        || { tail -n 5 "$work/$program.out" "$work/$program.err"; cat "$work/report"; fail "$program $arguments"; }
    [ -f "$work/report" ] || fail "$program $arguments: no derivative was registered"
    nm -C "$work/$program" | sed 's/^0*/0x/; s/(.*//; s/ /|/g' \
        | awk -F'|' -v program="$program" '
            NR == FNR { name[$1] = $3; next }
            { split($1, at, " ")
              what = (at[1] in name) ? name[at[1]] : at[1]
              if (at[2]) what = what ":" at[2]
              line = program "|" $2 "|" what
              for (k = 3; k <= 9; k++) line = line "|" $k
              rest = $0
              for (k = 1; k <= 9; k++) sub(/^[^|]*\|/, "", rest)
              print line "|" rest }' - "$work/report" >>"$work/reports/all"
done <tests/published/programs.txt
[ $programs -gt 0 ] || fail "no program $*"

# ---- one line a derivative, over all runs of its program, beside what is expected of it
awk -F'|' '
    { key = $1 "|" $2 "|" $3
      if (!(key in points)) order[++n] = key
      points[key] += $5; wrong[key] += $6; undecided[key] += $7
      spoilt[key] += $8; found[key] += $9; doubted[key] += $10
      rank = $4 == "WRONG" ? 4 : $4 == "UNDECIDED" ? 3 : $4 == "RIGHT" ? 2 : $4 == "UNSEEN" ? 1 : 5
      if (rank > worst[key]) { worst[key] = rank; verdict[key] = $4; message[key] = $11 } }
    END { for (k = 1; k <= n; k++) { key = order[k]
            printf "%s|%s|%d|%d|%d|%d|%d|%d|%s\n", key, verdict[key], points[key], wrong[key],
                undecided[key], spoilt[key], found[key], doubted[key], message[key] } }' \
    "$work/reports/all" >"$work/table"
awk -F'|' -v few="$#" -v programs="$programs" -v absent="$absent" '
    BEGIN { parts = split(absent, part, " ") }
    function here(program, k) { for (k = 1; k <= parts; k++) if (index(program, part[k] "_") == 1) return 0; return 1 }
    function bad(text) { print "  " text; errors++ }
    FILENAME == ARGV[1] && /^ *(#|$)/ { next }
    FILENAME == ARGV[1] { gsub(/ *\| */, "|"); sub(/ +$/, ""); $0 = $0; expected[$1 "|" $2 "|" $3] = $4; next }
    { key = $1 "|" $2 "|" $3
      e = (key in expected) ? expected[key] : "nothing"
      seen[key] = 1
      derivatives++; points += $5; spoilt += $8; found += $9; doubted += $10
      count[e]++
      want = e == "right" ? "RIGHT" : e == "undecided" || e == "random" ? "UNDECIDED" \
           : e == "unseen" ? "UNSEEN" : e ~ /^(wrong|alarm|linear|continuous|numeric)$/ ? "WRONG" : "?"
      if ($4 != want) bad(key ": " $4 ", expected " e ": " $11)
      printf "%-9s %-30s %-18s %-12s %3d points %3d wrong %3d undecided, spoilt %d, found %d, undecided %d\n",
          $4, $1, $2, $3, $5, $6, $7, $8, $9, $10 >"'"$work/lines"'"
      if ($4 != "RIGHT") printf "    %s\n", $11 >"'"$work/lines"'" }
    END {
      if (!few) for (key in expected) if (!(key in seen) && here(key)) bad(key ": expected, but not there")
      if (found + doubted < spoilt) bad(spoilt - found - doubted " of " spoilt " spoilt derivatives called right")
      if (found < 0.97 * spoilt) bad("only " found " of " spoilt " spoilt derivatives found")
      printf "%d derivatives of %d programs at %d points: %d of %d wrong ones found; of %d right ones %d called wrong, %d undecided; %d of %d spoilt ones found, %d undecided\n",
          derivatives, programs, points, count["wrong"], count["wrong"],
          count["right"] + count["alarm"] + count["undecided"], count["alarm"], count["undecided"], found, spoilt, doubted
      exit errors > 0 }' tests/published/expected.txt "$work/table" >"$work/summary"
code=$?
cat "$work/lines"
if [ $code != 0 ]; then
    sed '$d' "$work/summary"
    fail "$(grep -c '^  ' "$work/summary") differences from tests/published/expected.txt"
fi

# ---- what a right Jacobian does to the programs whose own is wrong: steps, convergence failures
# steps PROGRAM SED-SCRIPT: both numbers of the two runs.
steps()
{
    [ -f "$work/$1" ] || return
    for replace in '' yes; do
        env PUBLISHED="$work/report" ${replace:+PUBLISHED_REPLACE=$replace} "$work/$1" \
            | sed -n "$2" | tr '\n' ' '
    done
}
got=$(steps cvRocket_dns 's/^nst = \([0-9]*\).*/\1/p; s/.*ncfn = \([0-9]*\).*/\1/p')
[ -z "$got" ] || [ "$got" = '91 9 57 0 ' ] || fail "cvRocket_dns: steps and failures $got, not 91 9 57 0"
took='s/^Number of \(steps taken\|convergence failures\) = \([0-9]*\).*/\2/p'
for program in cvParticle_dns cvsParticle_dns; do
    got=$(steps $program "$took")
    [ -z "$got" ] || [ "$got" = '4131 52 3524 0 ' ] \
        || fail "$program: steps and failures $got, not 4131 52 3524 0"
done
ok "$(tail -n 1 "$work/summary")${without:+; without$without: tests/published/sources.sh fetches the sources}"
