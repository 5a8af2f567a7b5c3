#!/bin/sh
# Puts the library and its tools under a prefix, takes them away again, and packs the sources:
#     [PREFIX=/usr/local] [DESTDIR=] [TOOLS='adcheck adgen'] sh tools/package.sh install
#     [PREFIX=/usr/local] [DESTDIR=] sh tools/package.sh uninstall
#     sh tools/package.sh dist
# A header is for every machine, so what describes it is below share, not below lib. What install
# has put, and the directories that it had to make, are listed in share/autodiff/installed: uninstall
# takes away these and nothing else, and install begins by taking away what an earlier one put.
set -eu
umask 022
cd "$(dirname "$0")/.."
: "${PREFIX:=/usr/local}" "${DESTDIR:=}" "${BUILD:=build}" "${TOOLS=adcheck adgen}"
version=$(sed -n 's/^#define AD_VERSION "\(.*\)"/\1/p' autodiff.h)
root=$DESTDIR$PREFIX
installed=share/autodiff/installed

stop() { echo "tools/package.sh: $1" >&2; exit 1; }

# put MODE FILE PLACE: the file at that place below the prefix.
put()
{
    at=
    for part in $(dirname "$3" | tr / ' '); do
        at=$at$part/
        if [ ! -d "$root/$at" ]; then
            mkdir "$root/$at"
            echo "$at" >>"$temporary/list"
        fi
    done
    echo "$3" >>"$temporary/list"
    install -m "$1" "$2" "$root/$3"
}

# page NAME.SECTION: the manual page, with what README.md and the tool's --help say in it.
page()
{
    help=README.md
    if [ "$1" != autodiff.3 ]; then
        help=$temporary/help
        ${RUN:-} "$BUILD/${1%.*}" --help >"$help"
    fi
    awk -v version="$version" -v help="$help" -f man/page.awk "man/$1" >"$temporary/$1"
    put 644 "$temporary/$1" "share/man/man${1##*.}/$1"
}

pkg_config()
{
    cat <<end
prefix=$PREFIX
includedir=\${prefix}/include

Name: autodiff
Description: automatic differentiation for C and C++ in one file
Version: $version
Cflags: -I"\${includedir}"
Libs: -lm
end
}

cmake_config()
{
    cat <<'end'
# find_package(autodiff 0.1 CONFIG REQUIRED)
# target_link_libraries(program PRIVATE autodiff::autodiff)
if(NOT TARGET autodiff::autodiff)
    get_filename_component(autodiff_INCLUDE_DIR "${CMAKE_CURRENT_LIST_DIR}/../../../include" ABSOLUTE)
    add_library(autodiff::autodiff INTERFACE IMPORTED)
    set_target_properties(autodiff::autodiff PROPERTIES
        INTERFACE_INCLUDE_DIRECTORIES "${autodiff_INCLUDE_DIR}"
        INTERFACE_LINK_LIBRARIES m)
endif()
end
}

# Not older than what is asked for, and of the same major number; of a range, inside of it.
cmake_version()
{
    echo "set(PACKAGE_VERSION $version)"
    cat <<'end'
string(REGEX MATCH "^[0-9]+" autodiff_MAJOR "${PACKAGE_VERSION}")
set(PACKAGE_VERSION_COMPATIBLE FALSE)
if(PACKAGE_FIND_VERSION_RANGE)
    if(PACKAGE_VERSION VERSION_GREATER_EQUAL PACKAGE_FIND_VERSION_MIN
       AND (PACKAGE_VERSION VERSION_LESS PACKAGE_FIND_VERSION_MAX
            OR (PACKAGE_FIND_VERSION_RANGE_MAX STREQUAL "INCLUDE"
                AND PACKAGE_VERSION VERSION_EQUAL PACKAGE_FIND_VERSION_MAX)))
        set(PACKAGE_VERSION_COMPATIBLE TRUE)
    endif()
elseif(autodiff_MAJOR EQUAL PACKAGE_FIND_VERSION_MAJOR
       AND PACKAGE_VERSION VERSION_GREATER_EQUAL PACKAGE_FIND_VERSION)
    set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
if(PACKAGE_VERSION VERSION_EQUAL PACKAGE_FIND_VERSION)
    set(PACKAGE_VERSION_EXACT TRUE)
endif()
end
}

uninstall()
{
    [ -f "$root/$installed" ] || return 0
    # Backwards: what is in a directory before the directory, which stays if others use it.
    sort -r "$root/$installed" | while IFS= read -r place; do
        case $place in
        */) rmdir "$root/$place" 2>/dev/null || : ;;
        *)  rm -f "$root/$place" ;;
        esac
    done
}

case ${1:-}:$PREFIX in
install:/*)
    temporary=$(mktemp -d)
    trap 'rm -rf "$temporary"' EXIT
    uninstall
    mkdir -p "$root"
    put 644 autodiff.h include/autodiff.h
    pkg_config >"$temporary/pc"
    put 644 "$temporary/pc" share/pkgconfig/autodiff.pc
    cmake_config >"$temporary/cmake"
    put 644 "$temporary/cmake" share/cmake/autodiff/autodiffConfig.cmake
    cmake_version >"$temporary/cmake"
    put 644 "$temporary/cmake" share/cmake/autodiff/autodiffConfigVersion.cmake
    page autodiff.3
    for tool in $TOOLS; do
        if [ ! -x "$BUILD/$tool" ]; then
            echo "not installed, since it was not built: $tool"
            continue
        fi
        put 755 "$BUILD/$tool" "bin/$tool"
        if [ -f "man/$tool.1" ]; then page "$tool.1"; fi
    done
    put 644 "$temporary/list" "$installed"
    # The list's own line, and its directory's, came while it was being put.
    install -m 644 "$temporary/list" "$root/$installed"
    echo "autodiff $version is in $root: $(grep -c '[^/]$' "$root/$installed") files" ;;
uninstall:/*)
    [ -f "$root/$installed" ] || stop "nothing to take away: there is no $root/$installed"
    uninstall ;;
install:* | uninstall:*)
    stop "PREFIX is to begin with '/', not '$PREFIX'" ;;
dist:*)
    # With the commit's date on every file and no name or date in gzip's header: a commit has one tarball.
    name=autodiff-$version
    [ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$(pwd -P)" ] \
        || stop 'dist packs what is committed, and this is no checkout'
    git diff --quiet HEAD || echo 'not in the tarball: what is not committed'
    mkdir -p "$BUILD"
    git -c tar.umask=0022 archive --format=tar --prefix="$name/" HEAD | gzip -9n >"$BUILD/$name.tar.gz"
    echo "$BUILD/$name.tar.gz" ;;
*)
    stop 'one of: install, uninstall, dist' ;;
esac
