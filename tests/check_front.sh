#!/bin/sh
# Every row of the rule table with one, two or three operands has its line in the C11 front: a macro
# cannot define macros, so that list is written by hand and could fall behind.
header=${1:-$(dirname "$0")/../autodiff.h}
[ -r "$header" ] || { echo "check_front: cannot read $header" >&2; exit 1; }
rows=$(sed -n '/^#define ADI_RULES(/,/[^\\]$/p' "$header" \
       | sed -n 's/^ *X\([123]\)( *\([a-z0-9_]*\),.*/\1 \2/p')
count=0
missing=0
while read -r operands name; do
    [ -n "$name" ] || continue
    count=$((count + 1))
    case $operands in 1) letters='x' ;; 2) letters='x, y' ;; *) letters='x, y, z' ;; esac
    if ! grep -q "^#define ad_$name(" "$header"; then
        echo "check_front: no #define ad_$name($letters) in the C11 front" >&2
        missing=$((missing + 1))
    elif ! grep -q "^#define ad_$name($letters) *ADI_G$operands($name, $letters)\$" "$header"; then
        echo "check_front: ad_$name is not defined as ADI_G$operands($name, $letters)" >&2
        missing=$((missing + 1))
    fi
done <<ROWS
$rows
ROWS
# A check that finds no rows has not looked.
[ "$count" -ge 40 ] || { echo "check_front: only $count rows found in the rule table" >&2; exit 1; }
[ "$missing" -eq 0 ] || exit 1
# README counts them.
readme=$(dirname "$header")/README.md
if [ -r "$readme" ] && ! grep -q "$count rules in one table" "$readme"; then
    echo "check_front: README.md does not say that there are $count rules in one table" >&2
    exit 1
fi
echo "check_front: passed, $count rows"
