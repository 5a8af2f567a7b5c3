#!/bin/sh
# The banners "[S7] TITLE" count from 1 without a gap, and the contents list in the manual, lines
# "   [S7]  TITLE ..." of the first comment, names the same sections in the same order.
name=contents
. tests/check.sh
awk '
    /\*\//                                  { manual_over = 1 }
    !manual_over && /^ +\[S[0-9]+\] /       { list[++n_list] = $1; sub(/^ +\[S[0-9]+\] +/, ""); text[n_list] = $0 }
    /^\/\* =+ \[S[0-9]+\] /                 { banner[++n] = $3; sub(/^\/\* =+ \[S[0-9]+\] +/, "")
                                              sub(/[ *\/]+$/, ""); title[n] = $0 }
    function wrong(what)                    { print what; bad = 1 }
    END {
        if (!n) wrong("no banner at all")
        if (n_list != n) wrong("the manual lists " (n_list + 0) " sections, the file has " n)
        for (i = 1; i <= n; i++) {
            if (banner[i] != "[S" i "]") wrong("section number " i " is called " banner[i] " " title[i])
            if (i > n_list) continue
            after = substr(text[i], length(title[i]) + 1, 1)
            if (list[i] != banner[i] || index(text[i], title[i]) != 1 || after ~ /[^ ]/)
                wrong("the manual has " list[i] " " text[i] "; the file " banner[i] " " title[i])
        }
        exit bad
    }' autodiff.h || fail 'contents and sections differ'
ok "$(grep -c '^/\* =* \[S[0-9]*\] ' autodiff.h) sections"
