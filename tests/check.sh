# Common to the checks, which say `name=asan; . tests/check.sh` and run from the top of the checkout.
# A check ends in one line: "ok check-NAME (seconds)", "SKIP check-NAME: reason" or "FAILED check-NAME:
# reason".
: "${MAKE:=make}"
work=build/check-$name
start=$(date +%s)
mkdir -p "$work"

ok()   { echo "ok check-$name ($(($(date +%s) - start)) s)${1:+: $1}"; exit 0; }
skip() { echo "SKIP check-$name: $1"; exit 0; }
fail() { echo "FAILED check-$name: $1"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

# quietly WHAT COMMAND...: shows the command's output if it fails, and ends the check.
quietly()
{
    what=$1
    shift
    "$@" >"$work/log" 2>&1 && return
    tail -n 60 "$work/log"
    fail "$what: $*"
}

# links CC FLAG...: the compiler can make a program with these flags.
links()
{
    echo 'int main(void) { return 0; }' >"$work/probe.c"
    have "$1" && "$@" "$work/probe.c" -o "$work/probe" >/dev/null 2>&1
}

# tests WHAT VARIABLE=VALUE...: `make test` with these variables in a build directory of its own;
# leaves its closing line in $closing.
tests()
{
    what=$1
    shift
    quietly "$what" $MAKE --no-print-directory test BUILD="$work/$what" "$@"
    closing=$(tail -n 1 "$work/log")
}
