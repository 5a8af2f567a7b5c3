#!/bin/sh
# Fetches the sources of GSL, Ipopt, NLopt and cminpack, whose tests and examples no binary package of
# Debian has, to build/published, for `make check-published` and `make check-adc-published`. By Debian's
# own client with lists and a configuration of their own: the system's are not touched. Exit code 1:
# there is no network, no apt, or no such version; the check then says which part it leaves out.
set -eu
at=$PWD/build/published
mkdir -p "$at/lists/partial" "$at/archives/partial"
. /etc/os-release
# where the system has its packages from has their sources too
from=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME)' \
    | sed -n "s/ ${VERSION_CODENAME:-bookworm}\$//p" | head -n 1)
[ -n "$from" ] || exit 1
cat >"$at/debian.sources" <<END_SOURCES
Types: deb-src
URIs: $from
Suites: ${VERSION_CODENAME:-bookworm}
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
END_SOURCES
client="apt-get -q -o Dir::Etc::SourceList=$at/debian.sources -o Dir::Etc::SourceParts=$at/none
        -o Dir::State::Lists=$at/lists -o Dir::Cache=$at -o APT::Sandbox::User=$(id -un)
        -o Acquire::Retries=2 -o Acquire::http::Timeout=20 -o APT::Update::Error-Mode=any"
cd "$at"
if [ ! -d gsl ] || [ ! -d ipopt ] || [ ! -d nlopt ] || [ ! -d cminpack ]; then
    $client update >log 2>&1 || { tail -n 3 log; exit 1; }
    for package in gsl coinor-ipopt nlopt cminpack; do
        name=${package#coinor-}
        $client source --download-only --tar-only $package >log 2>&1 || { tail -n 3 log; exit 1; }
        rm -rf "$name" "$name.new"
        mkdir "$name.new"
        tar -xf $package*.orig.tar.?z -C "$name.new" --strip-components=1
        mv "$name.new" "$name"
    done
fi
ls -d "$at"/gsl "$at"/ipopt "$at"/nlopt "$at"/cminpack
