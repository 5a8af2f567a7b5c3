#!/bin/sh
# Runs test programs and adds up their closing lines "N passed, N failed"; the last line is the total.
# A suite of build/runner is a program of its own here. One that ends badly without a failed check
# counts as one failure. JOBS run at a time; what they print is kept in LOGS, or beside the programs.
#     [RUN=emulator] [ONLY=suites] [JOBS=1] [LOGS=directory] run.sh PROGRAM...
export RUN LOGS
# glibc: fresh memory is not zero by chance.
export MALLOC_PERTURB_="${MALLOC_PERTURB_:-165}"
LOGS=${LOGS:-$(dirname "$1")}
for program do
    suites=
    case $program in */runner) suites=${ONLY:-$($RUN "$program" --list)} ;; esac
    [ -n "$suites" ] || echo "$program"
    for suite in $suites; do echo "$program $suite"; done
done >"$LOGS/programs"
xargs -P "${JOBS:-1}" -L 1 sh -c '
    log=$LOGS/$(basename "$0")${1:+-$1}.log
    $RUN "$0" "$@" >"$log" 2>&1
    echo $? >"$log.code"' <"$LOGS/programs"

passed=0 failed=0
while read -r program suite; do
    log=$LOGS/$(basename "$program")${suite:+-$suite}.log
    code=$(cat "$log.code" 2>/dev/null)
    closing=$(tail -n 1 "$log" | tr -d '\r' | grep -E '^[0-9]+ passed, [0-9]+ failed$')
    if [ -n "$closing" ]; then
        sed '$d' "$log" | grep -v "^$suite  *[0-9]* passed"
        p=${closing%% *} f=${closing#*, } f=${f%% *}
        [ "$code" = 0 ] || [ "$f" -gt 0 ] || f=1
        [ "$p" -gt 0 ] || [ "$f" -gt 0 ] || f=1
    else
        cat "$log"
        p=0 f=1
    fi
    [ "$code" = 0 ] || echo "$program $suite: exit code $code"
    printf '== %-20s %7d passed %5d failed\n' "${suite:-$(basename "$program")}" "$p" "$f"
    passed=$((passed + p)) failed=$((failed + f))
done <"$LOGS/programs"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
