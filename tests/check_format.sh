#!/bin/sh
# The looks of the sources.
name=format
. tests/check.sh
sources=$(find autodiff.h tests examples bench tools -name '*.[ch]' -o -name '*.?pp')
texts="$sources README.md Makefile .ci/run $(ls man/*)
    $(find tests bench examples tools -name '*.sh' -o -name '*.awk' -o -name '*.py' -o -path 'tests/*/*.txt')"
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
# Where a backslash joins lines of a comment into one that is longer than 127, gcc numbers 512 columns
# of every line behind it instead of 128, until its numbers end: every token then takes memory of its
# own, a fifth more for what a small program compiles.
awk '/\/\*/ { inside = 1 }
    inside { joined += length($0)
        if (joined > 127) { print FILENAME ":" FNR ": joined in a comment: " $0; exit 1 } }
    !/\\$/ { joined = 0 }
    /\*\// { inside = joined = 0 }' autodiff.h || bad=$((bad + 1))
git ls-files 2>/dev/null | grep -E '\.(orig|rej)$|~$' >"$work/found" && {
    cat "$work/found"
    fail "what a patch or an editor left is committed"
}
[ $bad = 0 ] || fail "$bad lines"
ok
