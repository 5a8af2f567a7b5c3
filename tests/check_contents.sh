#!/bin/sh
# The banners "[S7] TITLE" count from 1 without a gap, and the contents list in the manual, lines
# "   [S7]  TITLE ..." of the first comment, names the same sections in the same order. A banner's
# comment has one "needs:", whose sections stand above it. Tests and tools name sections not by their
# numbers, which change, but by their titles, as "Section: The Reverse Sweep."; every suite names some.
name=contents
. tests/check.sh
bad=
awk '
    /\*\//                                  { manual_over = 1 }
    !manual_over && /^ +\[S[0-9]+\] +[A-Z]/ { list[++n_list] = $1; sub(/^ +\[S[0-9]+\] +/, ""); text[n_list] = $0 }
    /^\/\* =+ \[S[0-9]+\] /                 { banner[++n] = $3; in_banner = 1; line = $0
                                              sub(/^\/\* =+ \[S[0-9]+\] +/, ""); sub(/[ *\/]+$/, "")
                                              title[n] = $0; $0 = line }
    in_banner && match($0, /needs:.*/)      { any[n]++; needs[n] = substr($0, RSTART + 6) }
    /\*\//                                  { in_banner = 0 }
    function wrong(what)                    { print what; bad = 1 }
    END {
        if (!n) wrong("no banner at all")
        if (n_list != n) wrong("the manual lists " (n_list + 0) " sections, the file has " n)
        for (i = 1; i <= n; i++) {
            place[banner[i]] = i
            if (banner[i] != "[S" i "]") wrong("section number " i " is called " banner[i] " " title[i])
            if (i > n_list) continue
            after = substr(text[i], length(title[i]) + 1, 1)
            if (list[i] != banner[i] || index(text[i], title[i]) != 1 || after ~ /[^ ]/)
                wrong("the manual has " list[i] " " text[i] "; the file " banner[i] " " title[i])
        }
        for (i = 1; i <= n; i++) {
            where = banner[i] " " title[i]
            if (any[i] != 1) wrong(where " says " (any[i] + 0) " times what it needs")
            sub(/[ *\/]+$/, "", needs[i])
            parts = split(needs[i], part, " ")
            if (!parts) wrong(where " needs nothing, without a -")
            for (k = 1; k <= parts; k++) {
                if (part[k] == "-" && parts == 1) continue
                if (!(part[k] in place)) wrong(where " needs " part[k] ", which is no section")
                else if (place[part[k]] >= i)
                    wrong(where " needs " part[k] " " title[place[part[k]]] ", which is not above it")
            }
        }
        exit bad
    }' autodiff.h || bad=yes

# Tests and tools name no number of a section.
grep -nE '\[S([0-9]+|K|A|L)\]' tests/*.[ch] tests/*.cpp tests/fuzz/*.[ch] tools/*.[ch] \
    tools/*.py && bad=yes

# "Section: Title." or "Sections: Title; title." in the comments of tests and tools.
sed -n 's/^\/\* =* \[S[0-9]*\] *\(.*\)/\1/p' autodiff.h | sed 's/[ *\/]*$//' | tr '[:upper:]' '[:lower:]' >"$work/titles"
for source in tests/*.[ch] tests/*.cpp tests/fuzz/*.[ch] tools/*.[ch] tools/*.py; do
    tr '\n' ' ' <"$source" | grep -oE '\<Sections?: [^.]*\.' | sed 's/^Sections*: *//; s/\.$//' | tr ';' '\n' \
        | sed 's/^ *//; s/ *$//; s/  */ /g' | tr '[:upper:]' '[:lower:]' >"$work/named"
    case $source in tests/test_*.c) [ -s "$work/named" ] || { echo "$source names no section"; bad=yes; } ;; esac
    grep -vxFf "$work/titles" "$work/named" | sed "s|^|$source names what is no section: |" | grep . && bad=yes
done
# The manual's index of names is that of the declarations, and #line gives true numbers back; every
# section of the implementation has a suite that is run for its mutants.
if have python3; then
    python3 tools/index.py autodiff.h --check || bad=yes
    python3 tests/mutate.py --check || bad=yes
fi
[ -z "$bad" ] || fail 'sections'
ok "$(grep -c . "$work/titles") sections"
