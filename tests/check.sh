# Common to the checks, which say `name=asan; . tests/check.sh` and run from the top of the checkout.
# A check ends in one line: "ok check-NAME (seconds)", "SKIP check-NAME (seconds): reason" or
# "FAILED check-NAME (seconds): reason".
: "${MAKE:=make}" "${BUILD:=build}"
standard='-O1 -Wall -Wextra'                     # the flags of `make test`, whose object many share
work=build/check-$name
start=$(date +%s)
mkdir -p "$work"

# What takes long takes turns, which the number of the day chooses, or who says TURN; all: everything.
: "${TURN:=$(($(date +%s) / 86400))}"

# mine I OF: whether it is the turn of the I-th of so many.
mine() { [ "$TURN" = all ] || [ $((($1 + TURN) % $2)) -eq 0 ]; }

# turn PART OF: of the lines those whose turn it is; the parts 0 to OF - 1 have all of them between them.
turn()
{
    i=$1
    while read -r line; do
        ! mine $i "$2" || echo "$line"
        i=$((i + 1))
    done
}

took() { echo "check-$name ($(($(date +%s) - start)) s)"; }
ok()   { echo "ok $(took)${1:+: $1}"; exit 0; }
skip() { echo "SKIP $(took): $1"; exit 0; }
fail() { echo "FAILED $(took): $1"; exit 1; }
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

# object COMPILER FLAG...: leaves in $object the path of the library (tests/impl.c) compiled so,
# which is made once for all the checks.
object()
{
    object=$(sh tests/object.sh "$@" 2>"$work/log") && return
    tail -n 60 "$work/log"
    fail "compile the library: $*"
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

# runs WHAT SUITE...: the suites of build/runner, as `make test` made it, under $RUN; leaves the
# closing line in $closing.
runs()
{
    what=$1
    shift
    mkdir -p "$work/$what"
    quietly "$what" env RUN="$RUN" ONLY="$*" LOGS="$work/$what" sh tests/run.sh "$BUILD/runner"
    closing=$(tail -n 1 "$work/log")
}
