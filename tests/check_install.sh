#!/bin/sh
# make install, uninstall and dist: what is put where, and that nothing is left; programs in C and C++
# that find the installed header by pkg-config, CMake and Meson; the installed tools and manual pages.
name=install
. tests/check.sh
: "${CC:=cc}" "${CXX:=c++}"
rm -rf "$work"
mkdir -p "$work/client"
here=$PWD/$work
prefix="$here/a prefix"
version=$(sed -n 's/^#define AD_VERSION "\(.*\)"/\1/p' autodiff.h)
parts='install, uninstall'
export PKG_CONFIG_PATH="$prefix/share/pkgconfig"

cat >"$work/client/client.c" <<'END_C'
#define AUTODIFF_STATIC
#include <autodiff.h>
#include <stdio.h>

static ad_var f(ad_tape *t, const ad_var *x, size_t n, void *user)
{
    (void)t; (void)n; (void)user;
    return ad_var_mul(x[0], ad_var_sin(x[1]));
}

int main(void)
{
    const double x[2] = { 3.0, 0.5 };
    double y, g[2];
    const ad_status s = ad_gradient(NULL, f, NULL, x, 2, &y, g);
    printf("autodiff.h %s: %s\n", AD_VERSION, ad_status_name(s));
    return !(s == AD_OK && fabs(g[0] - sin(0.5)) + fabs(g[1] - 3 * cos(0.5)) < 1e-14);
}
END_C
cat >"$work/client/client.cpp" <<'END_C'
#include <autodiff.h>
#include <cstdio>

template <class T> T f(T x) { return x * exp(-x * x); }

int main()
{
    const ad_dual y = f(ad_dual(0.5, 1));
    std::printf("autodiff.h %s: AD_OK\n", AD_VERSION);
    return !(y.v == f(0.5) && std::fabs(y.d - 0.5 * std::exp(-0.25)) < 1e-15);
}
END_C

make_it() { what=$1; shift; quietly "$what" $MAKE --no-print-directory "$@"; }

# lists DIRECTORY: all that is in it, sorted.
lists() { (cd "$1" && find . ! -name . | LC_ALL=C sort); }

# is WHAT EXPECTED ACTUAL
is() { [ "$2" = "$3" ] || fail "$1: '$3', not '$2'"; }

# runs PROGRAM...: each says which header it was made with, and that its gradient is right.
runs()
{
    for program in "$@"; do
        quietly "$program" "$program"
        is "$program" "autodiff.h $version: AD_OK" "$(cat "$work/log")"
    done
}

# ---- what is put where, for a package: nothing outside of DESTDIR, nothing of DESTDIR in the files
make_it 'install, DESTDIR' install DESTDIR="$here/stage"
adc=
[ -x "$BUILD/adc" ] && adc=adc                    # libclang's headers are there
{ cat <<'END_FILES'
./bin
./bin/adcheck
./bin/adgen
./include
./include/autodiff.h
./share
./share/autodiff
./share/autodiff/installed
./share/cmake
./share/cmake/autodiff
./share/cmake/autodiff/autodiffConfig.cmake
./share/cmake/autodiff/autodiffConfigVersion.cmake
./share/man
./share/man/man1
./share/man/man1/adcheck.1
./share/man/man1/adgen.1
./share/man/man3
./share/man/man3/autodiff.3
./share/pkgconfig
./share/pkgconfig/autodiff.pc
END_FILES
  [ -z "$adc" ] || printf './bin/adc\n./share/man/man1/adc.1\n'; } | LC_ALL=C sort >"$work/expected"
lists "$work/stage/usr/local" >"$work/found"
quietly 'what is installed' diff "$work/expected" "$work/found"
(cd "$work/stage/usr/local" && find . -type f | sed 's,^\./,,' | LC_ALL=C sort) >"$work/found"
grep -v '/$' "$work/stage/usr/local/share/autodiff/installed" | LC_ALL=C sort >"$work/listed"
quietly 'what the list says' diff "$work/found" "$work/listed"
cmp -s autodiff.h "$work/stage/usr/local/include/autodiff.h" || fail 'another header'
if grep -rlI "$here" "$work/stage" >"$work/log"; then fail "DESTDIR stands in $(cat "$work/log")"; fi
is 'files that all may read' '' "$(find "$work/stage" ! -perm -444)"
is 'programs' "${adc:+adc }adcheck adgen" \
   "$(find "$work/stage" -type f -perm -111 | sed 's,.*/,,' | LC_ALL=C sort | xargs)"
make_it 'uninstall, DESTDIR' uninstall DESTDIR="$here/stage"
is 'left by uninstall' '' "$(lists "$work/stage/usr/local")"

# ---- a prefix with a blank, and with files of others; twice; without a tool; then it is used
mkdir -p "$prefix/bin" "$prefix/share/cmake"
echo other >"$prefix/bin/other"
mkdir "$prefix/share/cmake/autodiff"
lists "$prefix" >"$work/before"
make_it 'install, no tools' install PREFIX="$prefix" TOOLS=
[ ! -e "$prefix/bin/adcheck" ] || fail 'a tool, in spite of TOOLS='
make_it 'install twice' install PREFIX="$prefix"
make_it 'uninstall' uninstall PREFIX="$prefix"
lists "$prefix" >"$work/after"
quietly 'uninstall leaves what was there, and no more' diff "$work/before" "$work/after"
PREFIX=relative sh tools/package.sh install >"$work/log" 2>&1 && fail 'a relative prefix'
PREFIX="$prefix" sh tools/package.sh uninstall >"$work/log" 2>&1 && fail 'uninstall of nothing'
quietly 'a tool that was not built' env PREFIX="$prefix" TOOLS='adgen none' sh tools/package.sh install
grep -q 'not built: none' "$work/log" || fail 'not a word of a tool that was not built'
make_it 'install, a blank' install PREFIX="$prefix"

quietly adcheck "$prefix/bin/adcheck" 'x*y' --grad y,x --at x=1,y=2
printf 'variables p\nenergy = p^2/2\n' >"$work/model.txt"
quietly adgen "$prefix/bin/adgen" "$work/model.txt" --output "$work/model.c"
quietly 'what adgen makes' $CC -c "$work/model.c" -o "$work/model.o"

# ---- clients
HAVE_CXX=
echo 'int x;' >"$work/probe.cpp"
if have "${CXX%% *}" && $CXX -include limits -fsyntax-only "$work/probe.cpp" 2>/dev/null; then
    HAVE_CXX=yes
else
    echo "SKIP check-install of C++: no C++ compiler $CXX"
fi
if have pkg-config; then
    is 'version by pkg-config' "$version" "$(pkg-config --modversion autodiff)"
    # The blank comes with a backslash, as a shell or make wants it.
    eval "flags=\"\$(pkg-config --cflags autodiff)\" libs=\"\$(pkg-config --libs autodiff)\""
    quietly 'pkg-config, C' sh -c "$CC $work/client/client.c -o $work/client_c $flags $libs"
    runs "$work/client_c"
    if [ "$HAVE_CXX" ]; then
        quietly 'pkg-config, C++' sh -c "$CXX $work/client/client.cpp -o $work/client_cxx $flags $libs"
        runs "$work/client_cxx"
    fi
    parts="$parts, pkg-config"
else
    echo 'SKIP check-install by pkg-config: not installed'
fi

languages="C${HAVE_CXX:+ CXX}"
if have cmake; then
    cat >"$work/client/CMakeLists.txt" <<END_CMAKE
cmake_minimum_required(VERSION 3.13)
project(client LANGUAGES $languages)
find_package(autodiff $version CONFIG REQUIRED)
find_package(autodiff CONFIG REQUIRED)
add_executable(client_c client.c)
target_link_libraries(client_c PRIVATE autodiff::autodiff)
if(CMAKE_CXX_COMPILER)
    add_executable(client_cxx client.cpp)
    target_link_libraries(client_cxx PRIVATE autodiff::autodiff)
endif()
END_CMAKE
    quietly 'CMake' env CC="$CC" CXX="$CXX" cmake -S "$work/client" -B "$work/cmake" \
        "-DCMAKE_PREFIX_PATH=$prefix"
    quietly 'CMake, build' cmake --build "$work/cmake"
    runs "$work/cmake/client_c" ${HAVE_CXX:+"$work/cmake/client_cxx"}

    # Which versions are served: "yes" or "no", and what is asked for.
    mkdir "$work/versions"
    cat >"$work/versions/CMakeLists.txt" <<'END_CMAKE'
cmake_minimum_required(VERSION 3.19)
project(versions LANGUAGES NONE)
foreach(line IN LISTS lines)
    separate_arguments(line)
    list(POP_FRONT line expected)
    unset(autodiff_FOUND)
    find_package(autodiff ${line} CONFIG QUIET)
    if(autodiff_FOUND)
        set(found yes)
    else()
        set(found no)
    endif()
    if(NOT found STREQUAL expected)
        message(FATAL_ERROR "find_package(autodiff ${line}): ${found}")
    endif()
endforeach()
END_CMAKE
    major=${version%%.*} rest=${version#*.}
    minor=${rest%%.*}
    next=$major.$((minor + 1))
    quietly 'CMake, versions' cmake -S "$work/versions" -B "$work/versions" \
        "-DCMAKE_PREFIX_PATH=$prefix" "-Dlines=yes;yes $version;yes $version EXACT;\
yes $major.$minor;no $next;no $((major + 1)).0;no $((major + 1));yes 0...$next;yes $version...$next;\
yes 0...$version;no 0...<$version;no $next...$((major + 1)).0"
    parts="$parts, CMake"
else
    echo 'SKIP check-install by CMake: not installed'
fi

if have meson && have ninja && have pkg-config; then
    mkdir "$work/meson"
    cp "$work/client/client.c" "$work/client/client.cpp" "$work/meson/"
    cat >"$work/meson/meson.build" <<END_MESON
project('client', 'c')
autodiff = dependency('autodiff', version: '>=$version')
executable('client_c', 'client.c', dependencies: autodiff)
if add_languages('cpp', required: false, native: false)
    executable('client_cxx', 'client.cpp', dependencies: autodiff)
endif
END_MESON
    quietly 'Meson' env CC="$CC" CXX="$CXX" meson setup "$work/meson/build" "$work/meson"
    quietly 'Meson, build' ninja -C "$work/meson/build"
    runs "$work/meson/build/client_c" ${HAVE_CXX:+"$work/meson/build/client_cxx"}
    parts="$parts, Meson"
else
    echo 'SKIP check-install by Meson: meson, ninja or pkg-config is not installed'
fi

# ---- manual pages: every option of the tools and no other, names that the header has, no warning
for tool in adcheck adgen $adc; do
    page=$prefix/share/man/man1/$tool.1
    "$prefix/bin/$tool" --help | grep -o -e '--[a-z][a-z-]*' | sort -u >"$work/expected"
    sed 's/\\-/-/g' "$page" | grep -o -e '--[a-z][a-z-]*' | sort -u >"$work/found"
    quietly "options of $tool" diff "$work/expected" "$work/found"
    grep -q "autodiff.h $version" "$page" || fail "$tool.1 is of another version"
done
for word in $(sed 's/\\-/-/g' "$prefix/share/man/man3/autodiff.3" \
              | grep -oE '\b(adf?|AD|AUTODIFF)_[A-Za-z0-9_]*[A-Za-z0-9]' | sort -u); do
    grep -q "\<$word\|AD_FN(${word#ad*_})" autodiff.h || fail "autodiff.3: no $word in autodiff.h"
done
formatters=
for page in man1/adcheck.1 man1/adgen.1 ${adc:+man1/adc.1} man3/autodiff.3; do
    page=$prefix/share/man/$page formatters=
    if have groff; then
        groff -ww -man -Tutf8 "$page" >"$work/page" 2>"$work/log" || echo "groff: $?" >>"$work/log"
        [ ! -s "$work/log" ] || { cat "$work/log"; fail "groff has something to say on $page"; }
        [ "$(grep -c . "$work/page")" -gt 20 ] || fail "$page is empty"
        formatters="$formatters groff"
    fi
    # A page is as old as its version: it needs no date.
    if have mandoc; then
        mandoc -T lint -W warning "$page" 2>&1 | grep -v 'missing date' >"$work/log"
        [ ! -s "$work/log" ] || { cat "$work/log"; fail "mandoc has something to say on $page"; }
        formatters="$formatters mandoc"
    fi
done
if [ "$formatters" ]; then
    parts="$parts, manual pages ($(echo $formatters))"
else
    echo 'SKIP check-install of manual pages: neither groff nor mandoc'
fi
make_it 'uninstall, a blank' uninstall PREFIX="$prefix"

# ---- the tarball: the same bytes twice, and what is in it can be installed and compiled
if have git && [ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$(pwd -P)" ]; then
    make_it dist dist BUILD="$work"
    mv "$work/autodiff-$version.tar.gz" "$work/first.tar.gz"
    sleep 1
    make_it 'dist again' dist BUILD="$work"
    quietly 'two tarballs of one commit' cmp "$work/first.tar.gz" "$work/autodiff-$version.tar.gz"
    quietly unpack tar -xzf "$work/first.tar.gz" -C "$work"
    tree=$work/autodiff-$version
    git ls-tree -r --name-only HEAD | LC_ALL=C sort >"$work/expected"
    (cd "$tree" && find . ! -type d | sed 's,^\./,,' | LC_ALL=C sort) >"$work/found"
    quietly 'what is in the tarball' diff "$work/expected" "$work/found"
    (cd "$tree" && sh tools/package.sh dist) >"$work/log" 2>&1 && fail 'a tarball of no checkout'
    make_it 'install from the tarball' -C "$tree" install TOOLS= PREFIX="$prefix" BUILD=build
    cmp -s "$tree/autodiff.h" "$prefix/include/autodiff.h" || fail 'the tarball has another header'
    make_it 'an example from the tarball' -C "$tree" build/examples/board BUILD=build CFLAGS=-O0
    quietly board "$tree/build/examples/board"
    parts="$parts, dist"
else
    echo 'SKIP check-install of dist: no git, or no checkout'
fi
ok "$parts"
