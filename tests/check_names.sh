#!/bin/sh
# Hostile names (tests/names.c) in all that is written: emitted C compiles without a warning, with
# trigraphs, as C and C++, and computes the same (and so do functions that lack something); dumps and
# pages of graphs and the checker's reports are well-formed and have the structure that a plain name
# gives them. And the emitter refuses the names of functions that C, C++ or the headers of emitted C
# own, and takes all others.
name=names
. tests/check.sh
: "${CC:=cc}" "${CXX:=c++}"
rm -rf "$work"
mkdir -p "$work"
have python3 || skip 'no python3'
object $CC $standard
quietly compile $CC -Wall -Wextra tests/names.c "$object" -o "$work/names" -lm
for what in emit lack graph report words; do
    "$work/names" $what "$work" >"$work/$what.log" 2>&1 || { cat "$work/$what.log"; fail "names $what"; }
done
"$work/names" list >"$work/list"

wrong=0
bad() { wrong=$((wrong + 1)); [ $wrong -gt 40 ] || echo "check-names: $*"; }

# ---------------------------------------------------------------- emitted C
flags='-std=c99 -Wall -Wno-unused-function -Werror -trigraphs -ffp-contract=off'
programs=0
for c in "$work"/emit-*.c "$work"/word-*.c; do
    k=$(basename "$c" .c)
    [ -s "$c" ] || continue                              # a word that is refused
    programs=$((programs + 1))
    if $CC $flags "$c" -o "$work/program" -lm 2>"$work/$k.log"; then
        "$work/program" || bad "$k: other numbers"
    else
        bad "$k: $(grep -m 1 -E 'error|warning' "$work/$k.log")"
    fi
done
for c in "$work"/lack-*.c; do
    programs=$((programs + 1))
    $CC -std=c99 -Wall -Wextra -Wpedantic -Werror -fsyntax-only "$c" 2>"$work/log" \
        || bad "$(basename "$c"): $(grep -m 1 -E 'error|warning' "$work/log")"
done
if links $CXX; then
    for c in "$work"/lack-*.c; do
        $CXX -x c++ -std=c++11 -Wall -Wextra -Werror -fsyntax-only "$c" 2>"$work/log" \
            || bad "$(basename "$c") as C++: $(grep -m 1 -E 'error|warning' "$work/log")"
    done
    for k in 2 4 14 26 70; do
        $CXX -x c++ -std=c++11 -fsyntax-only "$work/emit-$k.c" 2>"$work/log" \
            || bad "emit-$k.c as C++: $(grep -m 1 error "$work/log")"
    done
fi
grep -E '^owned (accepted|divided)' "$work/words.log" >"$work/owned" \
    && bad "the emitter takes $(wc -l <"$work/owned") of C's names:" \
           "$(cut -d ' ' -f 3 "$work/owned" | tr '\n' ' ')"
grep -E '^free (refused|divided)' "$work/words.log" >"$work/free" \
    && bad "the emitter refuses $(cut -d ' ' -f 3 "$work/free" | tr '\n' ' ')"

# ---------------------------------------------------------------- graphs and reports
cat >"$work/render.sh" <<'SCRIPT'
for json in "$1"/graph-*.json; do
    for form in svg html; do
        python3 tools/graph_render.py "$json" -o "${json%.json}.$form" || echo "${json%.json}: $form"
    done
done
SCRIPT
sh "$work/render.sh" "$work" >"$work/render.log" 2>&1
[ -s "$work/render.log" ] && bad "graph_render.py: $(head -n 3 "$work/render.log")"
cat >"$work/look.py" <<'SCRIPT'
import json, re, sys, xml.etree.ElementTree as tree
where = sys.argv[1]
names = open(where + "/list", "rb").read().split(b"\0")[:-1]
found = []


def text(path):
    data = open(path, "rb").read()
    s = data.decode("utf-8")                     # or it is no text
    controls = set(re.findall("[\x00-\x08\x0b-\x1f\x7f]", s))
    if controls:
        raise ValueError("control characters %r" % sorted(controls))
    return s


def shape(value):
    """A JSON value without its texts and numbers."""
    if isinstance(value, dict):
        return {k: shape(v) for k, v in value.items()}
    if isinstance(value, list):
        return [shape(v) for v in value]
    return type(value).__name__ if not isinstance(value, (int, float)) else "number"


def dot(s):
    """The tokens of a graph in DOT, texts left out."""
    token = re.compile(r'\s+|"(?:[^"\\]|\\.)*"|->|--|[A-Za-z_][A-Za-z_0-9]*|-?[0-9.]+|[][{};,=:]')
    at, tokens = 0, []
    while at < len(s):
        m = token.match(s, at)
        if not m:
            raise ValueError("no token of DOT: %r" % s[at:at + 30])
        at = m.end()
        if not m.group().isspace():
            tokens.append('""' if m.group()[0] == '"' else m.group())
    return tokens


def elements(s):
    return sorted({(e.tag, tuple(sorted(a for a in e.attrib))) for e in tree.fromstring(s).iter()})


def readable(name):
    try:
        return name.decode("utf-8").isprintable()
    except UnicodeDecodeError:
        return False


def look(what, k, ending, read, compare=True):
    path = "%s/%s-%d.%s" % (where, what, k, ending)
    try:
        got, plain = read(text(path)), read(text("%s/%s-0.%s" % (where, what, ending)))
        if compare and got != plain:
            raise ValueError("not the structure of a plain name's")
    except (ValueError, tree.ParseError, AssertionError, OSError) as error:
        found.append("%s-%d.%s, name %r: %s" % (what, k, ending, names[k][:40], error))


def tap(s):
    lines = s.split("\n")
    heads = [l for l in lines if re.match(r"(not )?ok\b|Bail out!|1\.\.", l)]
    return [re.match(r"(?:not )?ok \d+|1\.\.\d+|TAP version \d+|Bail out!", l).group() for l in heads]


def github(s):
    return [re.match(r"::[a-z]+", l).group() for l in s.split("\n") if l.startswith("::")]


def junit(s):
    return [(e.tag, sorted(e.attrib)) for e in tree.fromstring(s.encode()).iter()]


for k, name in enumerate(names):
    look("graph", k, "json", lambda s: shape(json.loads(s))
         if name else json.loads(s) and 0, bool(name))
    look("graph", k, "dot", dot, bool(name))
    look("graph", k, "txt", lambda s: len(s.rstrip("\n").split("\n")), bool(name))
    look("graph", k, "svg", elements, False)
    look("graph", k, "html", lambda s: sorted({e.tag for e in tree.fromstring(s).iter()}), bool(name))
    look("report", k, "json", lambda s: shape(json.loads(s)), False)
    look("report", k, "xml", junit, False)
    look("report", k, "tap", tap)
    look("report", k, "github", github)
    look("report", k, "txt", lambda s: 0)
    if readable(name) and name:
        d = json.loads(text("%s/graph-%d.json" % (where, k)))
        told = [n["name"] for n in d["nodes"] if "name" in n]
        if not told or any(t != name.decode() for t in told):
            found.append("graph-%d.json has the name %r" % (k, told[:1]))
        d = json.loads(text("%s/report-%d.json" % (where, k)))
        if len(name) < 100 and any(c["name"] != name.decode() for c in d["checks"]):
            found.append("report-%d.json has another name" % k)
for k in range(2 * len(names)):
    try:
        text("%s/emit-%d.c" % (where, k))
    except ValueError as error:
        found.append("emit-%d.c, name %r: %s" % (k, names[k // 2][:40], error))
print("\n".join(found[:20]))
sys.exit(len(found) > 0)
SCRIPT
python3 "$work/look.py" "$work" >"$work/look.log" 2>&1 || bad "$(cat "$work/look.log")"
[ $wrong -eq 0 ] || fail "$wrong findings"
ok "$(tr -dc '\000' <"$work/list" | wc -c) names, $programs programs"
