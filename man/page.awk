# A manual page from its text: awk -v version=0.1.0 -v help=FILE -f man/page.awk man/adcheck.1
# In the text "@version" is the version, and these lines stand for what is written elsewhere:
#     @usage        the lines "usage: ..." of the tool's --help, which is in `help`
#     @options      its list of options
#     @help WORDS   its block that begins with these words, which are left out if they end with
#                   ':'; there is a line for every block, or the page is refused
#     @calls        the table of README.md, which is `help`, under "You have, you want, you call"
# A block ends at an empty line, and where a line begins with "Word: " or "Two words:". Lines that
# are indented are shown as they are, others are filled.

function roff(text)
{
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    gsub(/'/, "\\(aq", text)
    gsub(/`/, "\\(ga", text)
    gsub(/\^/, "\\(ha", text)
    gsub(/~/, "\\(ti", text)
    return (text ~ /^\./ ? "\\\&" : "") text
}

function stop(why)
{
    print "man/page.awk: " FILENAME ": " why | "cat >&2"
    failed = 1
    exit 1
}

function read_help(   line, first)
{
    first = 1
    while ((getline line <help) > 0) {
        if (line == "") { first = 1; continue }
        if (first || line ~ /^[A-Z][a-z]*( [a-z]+)*:/) block[++blocks] = line
        else block[blocks] = block[blocks] "\n" line
        first = 0
    }
}

# The block that begins so, marked as shown.
function find(words,   i)
{
    for (i = 1; i <= blocks; i++)
        if (index(block[i], words) == 1) { shown[i] = 1; return block[i] }
    stop("--help has no block that begins with '" words "'")
}

function show(text,   line, count, i, code, any)
{
    count = split(text, line, "\n")
    for (i = 1; i <= count; i++) {
        if (line[i] == "") continue                      # the words were all of it
        if ((line[i] ~ /^  /) != code) {
            code = !code
            print code ? (any ? ".PP\n" : "") ".nf\n.RS 2" : ".RE\n.fi\n.PP"
        }
        any = 1
        sub(/^  /, "", line[i])
        print roff(line[i])
    }
    if (code) print ".RE\n.fi"
}

function show_options(text,   line, count, i, at)
{
    count = split(text, line, "\n")
    for (i = 1; i <= count; i++) {
        sub(/^  /, "", line[i])
        if (line[i] ~ /^ /) {                            # the line before it goes on
            sub(/^ */, "", line[i])
            print roff(line[i])
            continue
        }
        at = index(line[i], "  ")
        if (!at) at = match(line[i], / [^A-Z]/)          # as wide as the column
        print ".TP\n.B " roff(substr(line[i], 1, at - 1))
        sub(/^ */, "", line[i])
        line[i] = substr(line[i], at)
        sub(/^ */, "", line[i])
        print roff(line[i])
    }
}

function show_calls(   line, cell, rows)
{
    while ((getline line <help) > 0) {
        if (line ~ /^#/) rows = line ~ /^## You have, you want, you call/
        if (!rows || line !~ /^\|/ || line ~ /^\| (you have|---) /) continue
        gsub(/`/, "", line)
        split(line, cell, / *\| */)
        print ".TP\n.B " roff(cell[4]) "\n" roff(cell[2] ": " cell[3])
        any = 1
    }
    if (!any) stop("README.md has no table of calls")
}

BEGIN           { if (help != "README.md") read_help() }
/^@usage$/      { count = split(find("usage:"), row, "\n")
                  print ".nf"
                  for (i = 1; i <= count; i++) print roff(substr(row[i], 8))
                  print ".fi"; next }
/^@options$/    { show_options(find("  --")); next }
/^@help /       { words = substr($0, 7)
                  text = find(words)
                  if (words ~ /:$/) sub(/^[^:]*: */, "", text)
                  show(text); next }
/^@calls$/      { show_calls(); next }
/^@/            { stop("unknown: " $0) }
                { gsub(/@version/, version); print }
END {
    for (i = 1; i <= blocks && !failed; i++)
        if (!shown[i]) { failed = 1; stop("not in the page: '" substr(block[i], 1, 40) "...'") }
    if (failed) exit 1
}
