#!/bin/sh
# Runs test programs one after another; the last line is the total of their closing lines
# "N passed, N failed". A program that ends badly without a failed check counts as one failure.
#     [RUN=emulator] [ONLY=suites] run.sh PROGRAM...
passed=0 failed=0
for program do
    log=$program.log
    $RUN "$program" $ONLY >"$log" 2>&1
    code=$?
    closing=$(tail -n 1 "$log" | grep -E '^[0-9]+ passed, [0-9]+ failed$')
    if [ -n "$closing" ]; then
        sed '$d' "$log"
        p=${closing%% *} f=${closing#*, } f=${f%% *}
        [ "$code" -eq 0 ] || [ "$f" -gt 0 ] || f=1
        [ "$p" -gt 0 ] || [ "$f" -gt 0 ] || f=1
    else
        cat "$log"
        p=0 f=1
    fi
    [ "$code" -eq 0 ] || echo "$program: exit code $code"
    printf '== %-20s %7d passed %5d failed\n' "$(basename "$program")" "$p" "$f"
    passed=$((passed + p)) failed=$((failed + f))
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
