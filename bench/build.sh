# Common to the benchmarks' scripts, which say `. bench/build.sh` at the top of the checkout: making
# what is older than its sources, or was made in another way.
: "${CC:=cc}" "${CXX:=c++}" "${BUILD:=build}"
have() { command -v "$1" >/dev/null 2>&1; }

# build TARGET SOURCES COMMAND...: runs the command where it is needed; nonzero where that fails.
build()
{
    target=$1 sources=$2
    shift 2
    # shellcheck disable=SC2086
    if [ -f "$target" ] && [ "$*" = "$(cat "$target.command" 2>/dev/null)" ] \
        && [ -z "$(find $sources -newer "$target")" ]; then return 0; fi
    rm -f "$target.command"
    sh -c "$*" || return 1
    echo "$*" >"$target.command"
}

# says WHAT SOURCE: what a comparison says of itself, in a comment "// WHAT: ...".
says() { sed -n "s|^// $1: *||p" "$2"; }

# peer NAME SOURCE: what it compares with is here, by "// header: ..." and "// flags: ..."; else says
# SKIP, and what Debian calls it, by "// package: ...".
peer()
{
    if ! have "$CXX"; then
        echo "SKIP $1: no C++ compiler (Debian: apt-get install g++)"
        return 1
    fi
    # shellcheck disable=SC2046
    if ! printf '#include <%s>\n' $(says header "$2") \
        | $CXX -std=c++17 $(says flags "$2") -fsyntax-only -x c++ - >/dev/null 2>&1; then
        echo "SKIP $1: not installed (Debian: apt-get install $(says package "$2"))"
        return 1
    fi
}

# known COMPILER FLAG...: prints them, without -march=native where the compiler does not know that.
known()
{
    if echo 'int x;' | "$@" -fsyntax-only -x c - 2>/dev/null; then echo "$*"
    else echo "$*" | sed 's/ -march=native//'; fi
}

# alone FOLDER COMPILER...: prints what a program that says AUTODIFF_STATIC has to say besides: nothing;
# or, with a header in FOLDER/include from before that was enough, -DAUTODIFF_IMPLEMENTATION.
alone()
{
    folder=$1
    shift
    cat >"$folder/alone.c" <<'PROGRAM'
#define AUTODIFF_STATIC
#include "autodiff.h"
int main(void) { return ad_status_name(AD_OK)[0] != 'A'; }
PROGRAM
    "$@" -I"$folder/include" "$folder/alone.c" -o "$folder/alone" -lm 2>/dev/null \
        || echo -DAUTODIFF_IMPLEMENTATION
}

# library COMPILER FLAG...: the library alone, which takes a minute or two, so all benchmarks that want
# it made in the same way share one object; library_of prints its name.
library_of() { echo "$BUILD/bench/library-$(echo "$*" | cksum | cut -d ' ' -f 1).o"; }
library()
{
    mkdir -p "$BUILD/bench" || return 1
    build "$(library_of "$@")" 'autodiff.h tests/impl.c' "$* -DNDEBUG -c tests/impl.c -o $(library_of "$@")"
}

# hand FOLDER FLAGS SOURCE...: by gcc and by clang what is written by hand, to FOLDER/NAME_COMPILER.o,
# whose names are added to $objects. Where one is missing, $CC stands in for it.
hand()
{
    folder=$1 flags=$2
    shift 2
    for peer in gcc clang; do
        compiler=$peer
        if ! have $peer; then
            echo "SKIP $peer: not installed (Debian: apt-get install $peer); its column is $CC's"
            compiler=$CC
        fi
        for source do
            object=$folder/$(basename "$source" .c)_$peer.o
            build "$object" "$source $(echo bench/problems/*.h) bench/suite.h" \
                "$(known $compiler $flags) -DHAND=$peer -c $source -o $object" || return 1
            objects="$objects $object"
        done
    done
}
