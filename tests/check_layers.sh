#!/bin/sh
# That the header's layers do not point up: small programs, each of which calls one part of it
# (bench/compile), are compiled with AUTODIFF_STATIC by gcc and by clang, at -O0, since the optimiser only
# removes functions; those in the objects are looked up in the header's sections, and tests/layers.txt says
# which may not be there. The compiler's line numbers tell where one stands, so no list of names is kept.
# Besides: AUTODIFF_STATIC alone does, nothing external comes out, and the programs' results are right.
# HEADER (the header to look at) from the environment.
name=layers
. tests/check.sh
. bench/build.sh
: "${HEADER:=autodiff.h}"
rules=tests/layers.txt
bad=0
wrong() { echo "$*"; bad=$((bad + 1)); }

have nm || skip 'no nm'
compilers=
for cc in gcc clang; do
    if links $cc -g; then compilers="$compilers $cc"; else echo "SKIP check-layers with $cc: not installed"; fi
done
[ "$compilers" ] || skip 'no gcc and no clang'
mkdir -p "$work/include"
cp "$HEADER" "$work/include/autodiff.h" || fail "no $HEADER"

# Where each section begins: "LINE TITLE". What the passes of the header begin with counts as one.
awk '/^\/\* =+ \[S[0-9]+\] / { sub(/.*\] /, ""); print FNR, $0 }
     /^\/\* -+ (sub-)?pass [0-9]/ { sub(/^\/\* -+ /, ""); sub(/ *\*\/$/, ""); print FNR, $0 }' \
    "$HEADER" >"$work/sections"
[ "$(grep -c '' "$work/sections")" -gt 20 ] || fail "few sections in $HEADER: have the banners changed?"

# A rule about a section that is not there would never fail.
grep -vE '^(#.*)?$|^[a-z]+ (has [^(]+|(only|not [^ ]+ in) [^(]+ -- .+)$' "$rules" \
    && fail "lines of $rules that say nothing"
sed -n -E -e 's/ -- .*//' -e 's/^[a-z]+ (has|only|not [^ ]+ in) //p' "$rules" | tr '|' '\n' | sort -u |
while read -r part; do
    sed 's/^[0-9]* //' "$work/sections" | grep -qE -e "$part" || echo "$rules: no section is called $part"
done >"$work/unknown"
cat "$work/unknown"
bad=$(grep -c '' "$work/unknown")
for program in $(sed -n 's/^\([a-z]*\) .*/\1/p' "$rules" | sort -u); do
    [ -f "bench/compile/$program.c" ] || fail "$rules: no bench/compile/$program.c"
done

# places OBJECT: "NAME LINE" of the functions in it that are the header's, without the suffixes of
# copies that the optimiser makes; LINE is 0 where the compiler does not say. (Of a function that is
# made by a macro and optimised, nm sometimes names the wrong file, never the wrong line.)
places()
{
    nm -l "$1" | awk '$2 ~ /^[tTwWi]$/ && ($3 ~ /^adi?f?_/ || $4 ~ /autodiff\.h:[0-9]+$/) {
        sub(/\..*/, "", $3)
        if (!sub(/.*:/, "", $4)) $4 = 0
        if (!line[$3]) line[$3] = $4 + 0
    }
    END { for (name in line) print name, line[name] }' | sort
}

# judge PROGRAM TITLE PLACES: says which rules are broken.
judge()
{
    awk -v program="$1" -v what="$2" '
        FILENAME == ARGV[1] { at = $1; sub(/^[0-9]+ /, ""); begin[++sections] = at; title[sections] = $0; next }
        FILENAME == ARGV[2] {
            if ($1 != program) next
            kind[++rules] = $2
            why[rules] = $0
            if (!sub(/.* -- /, "", why[rules])) why[rules] = ""
            text = $0
            sub(/ -- .*/, "", text)
            sub(/^[a-z]+ [a-z]+ /, "", text)
            wanted[rules] = "."
            if ($2 == "not") {
                wanted[rules] = $3
                text = substr(text, length($3) + 5)
            }
            where[rules] = text
            next
        }
        {
            found = "UNKNOWN"
            for (s = 1; s <= sections && begin[s] + 0 <= $2 + 0; s++) found = title[s]
            for (r = 1; r <= rules; r++) if (kind[r] == "has") count[r] += found ~ where[r]
            if (found == "UNKNOWN") { print program ".c, " what ", contains " $1 " of no section"; next }
            for (r = 1; r <= rules; r++) {
                inside = found ~ where[r]
                if (kind[r] == "has" || (kind[r] == "only" ? inside : !(inside && $1 ~ wanted[r]))) continue
                if (!((r, found) in first)) { first[r, found] = $1; order[++pairs] = r SUBSEP found }
                more[r, found]++
                break                      # said once
            }
        }
        END {
            for (r = 1; r <= rules; r++)
                if (kind[r] == "has" && !count[r])
                    print program ".c, " what ", contains no function of section " where[r]
            for (i = 1; i <= pairs; i++) {
                split(order[i], k, SUBSEP)
                n = more[k[1], k[2]] - 1
                print program ".c, " what ", contains " first[k[1], k[2]] (n ? " and " n " more" : "") \
                    " of section " k[2] ": " why[k[1]]
            }
        }' "$work/sections" "$rules" "$3"
}

# examine PROGRAM COMPILER FLAG...: compiles, links, runs and looks into one.
examine()
{
    program=$1 cc=$2
    shift 2
    object=$work/$program-$cc.o
    quietly "$program" $cc -std=c99 -g -O0 "$@" -I"$work/include" -c "bench/compile/$program.c" -o "$object"
    quietly "$program" $cc "$object" -o "${object%.o}" -lm
    "${object%.o}" >"$work/log" 2>&1 || wrong "$program.c, $cc, says: $(tail -n 1 "$work/log")"
    external=$(nm -g --defined-only "$object" | awk '$3 != "main" { print $3 }' | head -n 10 | tr '\n' ' ')
    [ -z "${external% }" ] || wrong "$program.c, $cc: external symbols $external"
    places "$object" >"$object.places"
    judge "$program" "$cc" "$object.places" >"$object.broken"
    size=-
    if have size; then size=$(size "$object" | awk 'NR == 2 { printf "%.1f", ($1 + $2) / 1000 }'); fi
    printf '%-10s %-5s %6d functions %9s kB%s\n' "$program" "$cc" \
        "$(grep -c '' "$object.places")" "$size" "$([ -s "$object.broken" ] && echo '  BROKEN')"
    [ -s "$object.broken" ] || return
    head -n 12 "$object.broken"
    [ "$(grep -c '' "$object.broken")" -le 12 ] || echo "... all: $object.broken"
    bad=$((bad + $(grep -c '' "$object.broken")))
}

for cc in $compilers; do
    with=$(alone "$work" $cc)
    [ -z "$with" ] || wrong "$cc: AUTODIFF_STATIC alone does not do, $with has to stand beside it"
    for program in $(sed -n 's/^\([a-z]*\) .*/\1/p' "$rules" | sort -u); do
        flags=$with
        [ "$program" != duals ] || flags=
        examine "$program" "$cc" $flags
    done
done
[ $bad = 0 ] || fail "$bad broken rules of $rules"
ok
