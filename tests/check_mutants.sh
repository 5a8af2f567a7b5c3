#!/bin/sh
# The tests notice a wrong row, and say which: copies of the rule table in which the values are
# doubled, or one partial of every row has the other sign (1 where it is 0), are read by tests/table.c,
# and become a library that the suite `rules` is run with. Every row must be named. A row is read from
# its own text alone, so all rows are spoilt in one copy.
name=mutants
. tests/check.sh
: "${CC:=cc}"
rows='/^#define ADI_RULES\(/,/^#define ADI_WORD_TEXT/'

# mutant COLUMN FILE: the header with argument COLUMN of every row spoilt; in FILE.names the rows,
# and how they were spoilt. Column 0 is the value, 1 to 3 are the partials, 4 all of these.
mutant()
{
    awk -v column="$1" -v names="$2.names" '
    function trim(s) { gsub(/\\\n/, " ", s); gsub(/[ \n]+/, " ", s); sub(/^ /, "", s); sub(/ $/, "", s); return s }
    function spoil(s,  t) {
        t = trim(s)
        if (column == 0) return "MUL(NUM(2), " t ")"
        return t == "NUM(0)" ? "NUM(1)" : "NEG(" t ")"
    }
    /^#define ADI_RULES\(/ { table = 1 }
    /^#define ADI_WORDS\(/ && table { table = 0; spoil_all() }
    table { text = text $0 "\n"; next }
    { print }
    function spoil_all() {
        printf "" >names
        out = ""
        while (match(text, /\n +X[123N]\( *[a-z0-9_]+,/)) {
            head = substr(text, RSTART, RLENGTH)
            out = out substr(text, 1, RSTART + RLENGTH - 1)
            text = substr(text, RSTART + RLENGTH)
            kind = substr(head, match(head, /X[123N]/) + 1, 1)
            row = head
            gsub(/.*\(|[ ,]/, "", row)
            # argument 1 is the class, 2 the value, 3 ... the partials; of a list 1 is the partial
            wanted = kind == "N" ? (column == 1 || column == 4 ? 1 : 0) : column == 4 ? -1 : column + 2
            depth = 0
            argument = ""
            n = 1
            for (i = 1; ; i++) {
                c = substr(text, i, 1)
                if (c == "") exit 1
                if (depth == 0 && (c == "," || c == ")")) {
                    if (n == wanted || wanted == -1 && n > 2) {
                        print row, kind, trim(argument), "->", spoil(argument) >names
                        argument = spoil(argument)
                    }
                    out = out argument c
                    argument = ""
                    n++
                    if (c == ")") break
                } else {
                    if (c == "(") depth++
                    if (c == ")") depth--
                    argument = argument c
                }
            }
            text = substr(text, i + 1)
        }
        printf "%s%s", out, text
    }' autodiff.h >"$2" || fail "the table of autodiff.h cannot be read"
}

# named WHAT FILE NAMES: every row that NAMES has is in FILE, one a line
named()
{
    lost=$(cut -d ' ' -f 1 "$3" | sort -u | grep -vxF -f "$2" | tr '\n' ' ')
    [ -z "$lost" ] || fail "$1: no test notices $lost"
}

# The table as it is. Its section alone compiles in no time.
awk "$rows" autodiff.h >"$work/table.h"
quietly compile $CC -w "-DROW_TABLE=\"$PWD/$work/table.h\"" tests/table.c -o "$work/table" -lm
quietly 'the table' "$work/table"
cat "$work/log"

# A row that nobody told the tests of.
sed 's/^    XN( sum,/    X1( twice, PLAIN, ADD(x, x), NUM(2)) \\\
&/' "$work/table.h" >"$work/more.h"
quietly 'compile one row more' $CC -w "-DROW_TABLE=\"$PWD/$work/more.h\"" tests/table.c \
    -o "$work/table" -lm
"$work/table" >"$work/said" 2>&1 && fail 'a row without a reference passes'
grep -q '^rule twice has no reference$' "$work/said" || fail 'a row without a reference is not named'

killed=0
for column in 0 1 2 3; do
    of=$(echo 'value d/dx d/dy d/dz' | cut -d ' ' -f $((column + 1)))
    mutant $column "$work/mutant.h"
    cp "$work/mutant.h.names" "$work/names.$column"
    awk "$rows" "$work/mutant.h" >"$work/table.h"
    quietly "compile $of" $CC -w "-DROW_TABLE=\"$PWD/$work/table.h\"" tests/table.c \
        -o "$work/table" -lm
    "$work/table" >"$work/said" 2>&1 && fail "tests/table.c passes with every $of spoilt"
    # one line a failure: "rule NAME at (...), WHAT: ..."; a list has only partials
    sed -n "s|^rule \([a-z0-9_]*\) at .*, $of: .*|\1|p; s|^rule \([a-z0-9_]*\) at .*, partial: .*|\1|p" \
        "$work/said" | sort -u >"$work/noticed"
    named "tests/table.c, $of" "$work/noticed" "$work/names.$column"
    killed=$((killed + $(wc -l <"$work/names.$column")))
done
# A check that spoils nothing has not looked.
[ $killed -ge 170 ] || fail "only $killed mutants"
echo "tests/table.c: $killed mutants, all named"

# The library made of the table. A partial may use another row, so partials are spoilt together.
for column in 0 4; do
    of=values
    [ $column = 0 ] || of=partials
    mutant $column "$work/autodiff.h"
    mkdir -p "$work/tests"
    cp tests/*.c tests/*.h "$work/tests"
    for file in impl main test_rules; do
        quietly "compile $of" $CC -w -O0 -DAUTODIFF_NO_KERNELS '-DSUITES(X)=X(rules)' \
            -c "$work/tests/$file.c" -o "$work/$file.o"
    done
    quietly link $CC "$work/impl.o" "$work/main.o" "$work/test_rules.o" -o "$work/rules" -lm
    "$work/rules" >"$work/said" 2>&1 && fail "suite rules passes with all $of spoilt"
    sed -n "s/^rules with wrong $of://p" "$work/said" | tr ' ' '\n' | sort -u >"$work/noticed"
    grep -v '^[a-z0-9_]* N' "$work/autodiff.h.names" >"$work/names"        # lists have other tests
    named "suite rules, $of" "$work/noticed" "$work/names"
done
ok "$killed mutants of the rule table, and suite rules names every row with a wrong value or partial"
