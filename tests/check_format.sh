#!/bin/sh
# The looks of the sources.
name=format
. tests/check.sh
sources=$(ls autodiff.h tests/*.[ch] tests/fuzz/*.[ch] tests/published/*.[ch] tests/published/*.cpp tests/*.cpp examples/*.[ch] examples/*/*.[ch] bench/*.[ch] bench/*.cpp bench/*/*.[ch] bench/*/*.?pp tools/*.[ch] 2>/dev/null)
texts="$sources $(ls README.md Makefile .ci/run tests/*.sh tests/published/*.txt tests/published/*.sh bench/*.sh tests/*.awk tests/*.py tools/*.py tools/*.sh man/* 2>/dev/null)"
tab=$(printf '\t') bad=0

# none PATTERN FILES WHAT: no line matches.
none()
{
    grep -nHE "$1" $2 >"$work/found" || return 0
    bad=$((bad + $(grep -c . "$work/found")))
    head -n 10 "$work/found" | cut -c 1-160
    echo "   ... $(grep -c . "$work/found") $3"
}
none '.{101,}' "$sources" 'lines over 100 columns'
none '[ ]$' "$texts" 'lines with trailing spaces'
none "$tab" "$(echo "$texts" | tr ' ' '\n' | grep -v Makefile)" 'lines with tabs'
none '\<(TO[D]O|FIX[M]E|X[X]X)\>' "$texts" 'lines with something left to do'
LC_ALL=C none '[^ -~]' autodiff.h 'lines that are not ASCII'
[ $bad = 0 ] || fail "$bad lines"
ok
