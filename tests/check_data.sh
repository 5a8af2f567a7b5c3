#!/bin/sh
# The datasets in examples/nist against NIST's own files, which are not part of the checkout.
name=data
. tests/check.sh
[ -n "$NIST" ] || skip 'give NIST=DIR, a directory with the files of NIST'
have python3 || skip 'no python3'
quietly 'compare' python3 tools/nist_convert.py "$NIST" --compare examples/nist
ok "$(tail -n 1 "$work/log")"
