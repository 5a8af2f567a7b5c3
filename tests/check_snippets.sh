#!/bin/sh
# Every program that the documentation shows compiles without a warning, runs and exits with 0.
# In README.md: fenced blocks of c or cpp whose first line is /* snippet: NAME */ or // snippet: NAME.
# In autodiff.h: the lines between "   --- program: NAME" and "   --- end", unindented by three; C11,
# or C++11 where NAME ends in .cpp. Those that define AUTODIFF_STATIC, and the first that defines
# AUTODIFF_IMPLEMENTATION, are compiled as they stand; the others are linked with one library for all,
# which a header of the same name stands for.
name=snippets
. tests/check.sh
: "${CC:=cc}" "${CXX:=c++}"
rm -rf "$work"
mkdir -p "$work"
awk -v dir="$work" '
    function open(name, cpp)  { file = dir "/" origin "-" name (cpp && name !~ /\.cpp$/ ? ".cpp" : !cpp ? ".c" : "")
                                if (seen[file]++) { print "two programs are called " file; exit 1 } }
    FNR == 1                  { origin = FILENAME ~ /README/ ? "readme" : "manual"; file = fence = "" }
    origin == "manual" && /^ *--- program: /  { open($3, $3 ~ /\.cpp$/); next }
    origin == "manual" && /^ *--- end *$/     { close(file); file = ""; next }
    origin == "manual" && file                { sub(/^   /, ""); print > file; next }
    origin == "readme" && /^```/              { if (file) close(file); file = ""; fence = fence ? "" : $0
                                                first = fence ~ /^```(c|cpp)$/; next }
    origin == "readme" && first               { first = 0; if ($2 == "snippet:") open($3, fence == "```cpp") }
    origin == "readme" && file                { print > file }
    END { if (file) { print "no end: " file; exit 1 } }
' $(ls README.md 2>/dev/null) autodiff.h || fail 'extraction'

count=0 alone=yes
mkdir "$work/linked"
printf '#undef AUTODIFF_IMPLEMENTATION\n#include "%s/autodiff.h"\n' "$PWD" >"$work/linked/autodiff.h"
object $CC $standard
warn='-Wall -Wextra -Wpedantic -Werror'
for source in "$work"/readme-* "$work"/manual-*; do
    [ -f "$source" ] || fail "no program in $(basename "$source" '-*')"
    case $source in
    *.cpp) compiler="$CXX -std=c++11" ;;
    *)     compiler="$CC -std=c11" ;;
    esac
    if grep -q AUTODIFF_STATIC "$source" || { [ $alone ] && grep -q AUTODIFF_IMPLEMENTATION "$source"; }; then
        alone=
        quietly compile $compiler $warn -I. "$source" -o "$source.out" -lm
    else
        quietly compile $compiler $warn -I"$work/linked" "$source" "$object" -o "$source.out" -lm
    fi
    quietly run "$source.out"
    count=$((count + 1))
done
ok "$count programs"
