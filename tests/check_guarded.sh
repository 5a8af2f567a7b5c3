#!/bin/sh
# Emitted C of gradients with guarded singularities (tests/guarded.c): the numbers of the tape, at
# other points than the recording's too, in every form.
name=guarded
. tests/check.sh
: "${CC:=cc}"
object $CC $standard
quietly compile $CC -Wall -Wextra tests/guarded.c "$object" -o "$work/guarded" -lm
for form in 0 1 2; do
    "$work/guarded" $form >"$work/form$form.c" || fail "emitting form $form"
    quietly "compile form $form" $CC -std=c99 -O1 "$work/form$form.c" -o "$work/form$form" -lm
    quietly "form $form" "$work/form$form"
done
ok
