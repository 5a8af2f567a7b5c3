#!/bin/sh
# The tests on other machines, by cross compilers and emulators, and by other C compilers and
# libraries here. One a run of those that can be, which the date chooses; `all`, or those named.
#     check_machines.sh [all | NAME...]
# Without the checker's two suites, whose borderline verdicts move with the machine's arithmetic, and
# with one in so many random samples.
name=machines
. tests/check.sh
: "${AD_TEST_STRIDE:=29}" "${EMIT_EVERY:=6}"
export AD_TEST_STRIDE EMIT_EVERY WINEDEBUG=-all

# Not run, since their references do not hold there: where x87 registers are wider than a double,
# what compares bits; with musl, whose fma loses the sign of a product too small for any number, the
# kernels; with MinGW, whose fma and square root round twice, what contracts, and the kernels.
without()
{
    case $1 in
    i387) echo fn kernels packs parse rules twins emit fuzz_modes ;;
    mingw) echo fn kernels ;;
    musl) echo kernels ;;
    esac
}

# name; how its programs are run (-: as they are); Debian's packages; the compiler with its flags
machines='
i386    qemu-i386    gcc-i686-linux-gnu,libc6-dev-i386-cross,qemu-user       i686-linux-gnu-gcc -msse2 -mfpmath=sse
i387    qemu-i386    gcc-i686-linux-gnu,libc6-dev-i386-cross,qemu-user       i686-linux-gnu-gcc -mfpmath=387
armhf   qemu-arm     gcc-arm-linux-gnueabihf,libc6-dev-armhf-cross,qemu-user arm-linux-gnueabihf-gcc
riscv64 qemu-riscv64 gcc-riscv64-linux-gnu,libc6-dev-riscv64-cross,qemu-user riscv64-linux-gnu-gcc
s390x   qemu-s390x   gcc-s390x-linux-gnu,libc6-dev-s390x-cross,qemu-user     s390x-linux-gnu-gcc
mingw   wine         gcc-mingw-w64-x86-64,wine,wine64                        x86_64-w64-mingw32-gcc -Werror=format
musl    -            musl-tools                                              musl-gcc
tcc     -            tcc                                                     tcc
enums   -            gcc                                                     gcc -fshort-enums -funsigned-char -Werror
'
known=$(echo "$machines" | awk 'NF { print $1 }')

# describe MACHINE: leaves its compiler in $cc, how to link in $static, what runs programs in $run.
describe()
{
    # shellcheck disable=SC2046
    set -- $(echo "$machines" | awk -v m="$1" '$1 == m')
    [ $# -gt 3 ] || fail "no machine '$machine': $(echo $known)"
    machine=$1 run=$2 packages=$(echo "$3" | tr ',' ' ')
    shift 3
    cc=$* static=-static
    [ "$1" != tcc ] && [ "$machine" != enums ] || static=
    [ "$run" != - ] || run=
}
present() { links $cc $static && { [ -z "$run" ] || have "$run"; }; }

case $* in
all) chosen=$known ;;
'')  set --
     for machine in $known; do describe "$machine"; ! present || set -- "$@" "$machine"; done
     [ $# -gt 0 ] || skip "no compiler for $(echo $known)"
     shift $((TURN % $#))
     chosen=$1 ;;
*)   chosen=$* ;;
esac

# tcc has no constant that is NaN, or infinite: the library and the suites without a table of such.
alone()
{
    own=$work/$machine objects= can= cannot=
    for s in $suites; do
        if $cc -c tests/test_$s.c -o "$own/$s.o" >"$own/$s.log" 2>&1; then
            can="$can X($s)" objects="$objects $own/$s.o"
        else
            grep -q 'not constant' "$own/$s.log" || { cat "$own/$s.log"; failed="$failed $machine"; }
            cannot="$cannot $s"
        fi
    done
    echo "SKIP check-machines, $machine: NaN in tables of the suites$cannot"
    if $cc -c tests/impl.c -o "$own/impl.o" >"$work/$machine.log" 2>&1 &&
        $cc "-DSUITES(X)=$can" tests/main.c $objects "$own/impl.o" -o "$own/runner" -lm \
            >>"$work/$machine.log" 2>&1 && "$own/runner" >>"$work/$machine.log" 2>&1; then
        echo "$machine: $(tail -n 1 "$work/$machine.log")"
        total="$total $machine"
    else
        grep -v passed "$work/$machine.log" | tail -n 40
        failed="$failed $machine"
    fi
}

failed= total=
for machine in $chosen; do
    describe "$machine"
    if ! present; then
        echo "SKIP check-machines, $machine: Debian: apt-get install $packages"
        continue
    fi
    mkdir -p "$work/$machine"
    left=" verdicts check $(without $machine) "
    suites= programs= link=${cc%% *}
    for s in $(ls tests/test_*.c | sed 's/.*test_//; s/\.c$//'); do
        case $left in *" $s "*) ;; *) suites="$suites $s" ;; esac
    done
    for s in emit fuzz_expression fuzz_calls fuzz_files fuzz_modes runner; do
        case $left in *" $s "*) ;; *) programs="$programs $work/$machine/$s" ;; esac
    done
    if [ $machine = mingw ]; then                # .exe is appended, and nobody asked for it
        link="sh $work/mingw/link ${cc%% *}"
        printf '%s\n' '"$@" || exit' 'for a; do [ ! -f "$a.exe" ] || mv "$a.exe" "$a"; done' \
            >"$work/mingw/link"
    fi
    if [ $machine = tcc ]; then
        alone
        continue
    fi
    if $MAKE --no-print-directory -k test BUILD="$work/$machine" CC="$cc" CXX=none LINK="$link" \
        PROGRAMS="$programs" LDFLAGS="$static" RUN="$run" ONLY="$suites" >"$work/$machine.log" 2>&1 &&
        { [ $machine != enums ] || ! grep -q ':[0-9]*: warning:' "$work/$machine.log"; }; then   # of a compiler
        echo "$machine: $(tail -n 1 "$work/$machine.log")"
        total="$total $machine"
    else
        grep -E 'error:|warning:|FAILED|undefined reference|exit code|^\*\*\*|passed' "$work/$machine.log" | head -n 40
        echo "FAILED $machine, see $work/$machine.log"
        failed="$failed $machine"
    fi
done
[ -z "$failed" ] || fail "on$failed"
[ -n "$total" ] || skip "no compiler for $(echo $chosen)"
ok "${total# }"
