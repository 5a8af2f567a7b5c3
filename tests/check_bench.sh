#!/bin/sh
# The benchmark's report: bench/RESULTS.md and README.md have the tables of bench/results.json; then results that somebody
# made up, with what is missing, wrong, failed or no number in them, as a page and as a table; then
# that what is no result is refused in one line.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
report=$root/tools/bench_report.py
if ! command -v python3 >/dev/null 2>&1; then
    echo "SKIP check_bench: no python3"
    exit 0
fi
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failed=0
fail()
{
    echo "check_bench: FAILED: $*" >&2
    failed=1
}

# ---- what is committed
for text in bench/RESULTS.md README.md; do
    python3 "$report" "$root/bench/results.json" --html "$dir/results.html" --check "$root/$text" \
        || fail "$text differs: python3 tools/bench_report.py bench/results.json --readme $text"
done

# ---- what somebody made up
cat > "$dir/mixed.json" <<'JSON'
{"facts": {"cpu": "A <fast> one & \"cheap\"", "compiler": "cc 1", "flags": "-O3",
           "peer": "package-a 1", "peer": "package-b 2",
           "compile-header": "0.25 2048 5", "compile-odd": "no numbers here"},
 "problems": [
  {"name": "escapes", "title": "a < b & \"c\" | d", "sizes": "d examples", "shown": 1, "maps": 1,
   "cases": [
    {"size": [2, 10], "work": 20, "rounds": 10, "compiler": "gcc", "hand": 100, "plain": 50,
     "versions": [{"name": "peer jet", "mode": "forward", "ours": 0, "state": "right", "ns": 450,
                   "ratio": 4.5, "ratio_low": 4.4, "ratio_high": 4.6, "rival": "dual", "gain": null},
                  {"name": "tape", "mode": "tape", "ours": 1, "state": "right", "ns": 700,
                   "ratio": 7, "ratio_low": 7, "ratio_high": 7, "nodes": 0, "bytes": 0}]},
    {"size": [2, 100], "work": 200, "rounds": 10, "compiler": "clang", "hand": 999960,
     "plain": null,
     "versions": [{"name": "tape", "mode": "tape", "ours": 1, "state": "right", "ns": 9996000,
                   "ratio": 9.996, "ratio_low": 9, "ratio_high": 11, "first": 99960000,
                   "record": 4000, "sweep": 2500, "replay": 0, "nodes": 1000, "bytes": 24000},
                  {"name": "fn", "mode": "compiled", "ours": 1, "state": "wrong", "error": 0.5},
                  {"name": "dual", "mode": "forward", "ours": 1, "state": "right", "ns": 40000,
                   "ratio": 0.04, "ratio_low": null, "ratio_high": null, "first": null},
                  {"name": "peer jet", "mode": "forward", "ours": 0, "state": "failed",
                   "error": null}]},
    {"size": [2, 1000], "work": 2000, "rounds": 10, "compiler": "gcc", "hand": null, "plain": 5e5,
     "versions": [{"name": "tape", "mode": "tape", "ours": 1, "state": "right", "ns": 2e9,
                   "ratio": null, "ratio_low": null, "ratio_high": null}]}],
   "exponents": {"hand": null, "tape": 1.234}},
  {"name": "single", "title": "One case", "sizes": "n", "shown": 0, "maps": 0,
   "cases": [{"size": [7], "work": 7, "rounds": 10, "compiler": "gcc", "hand": 0.5, "plain": 0.25,
              "versions": [{"name": "fn", "mode": "compiled", "ours": 1, "state": "right", "ns": 0.25,
                            "ratio": 0.5, "ratio_low": 0.4, "ratio_high": 0.6}]}],
   "exponents": {}},
  {"name": "alone", "title": "Nobody takes part", "sizes": "n", "shown": 0, "maps": 0,
   "cases": [{"size": [7], "work": 7, "hand": null, "plain": null, "versions": []}],
   "exponents": {}}],
 "goals": [{"what": "fn / by hand", "figure": 0.5, "wanted": 1, "met": 1},
           {"what": "tape < peer", "figure": null, "wanted": 1, "met": 0}]}
JSON
cat > "$dir/wanted" <<'TABLE'
# Before
<!-- bench begin -->
| problem | by hand | fn | tape | dual | peer jet |
| --- | ---: | ---: | ---: | ---: | ---: |
| a < b & "c" \| d, d=2 e=100 | 1 ms | WRONG | 10.0 | 0.040 | FAILED |
| One case, n=7 | 0.5 ns | 0.50 | - | - | - |
| Nobody takes part, n=7 | - | - | - | - | - |

A <fast> one & "cheap", cc 1, `-O3`, peer (package-a 1, package-b 2). `make bench-peers` prints these.
<!-- bench end -->
After
TABLE
printf '# Before\n<!-- bench begin -->\nold\n<!-- bench end -->\nAfter\n' > "$dir/readme.md"
printf '{"facts": {}, "problems": []}' > "$dir/empty.json"
python3 - "$dir" <<'PROGRAM' || fail 'no results of one problem'
import json, sys
tree = json.load(open(sys.argv[1] + "/mixed.json"))
for name, i in (("single", 1), ("alone", 2)):
    json.dump(dict(tree, problems=[tree["problems"][i]]), open("%s/%s.json" % (sys.argv[1], name), "w"))
PROGRAM

cp "$dir/readme.md" "$dir/old.md"
python3 "$report" "$dir/mixed.json" --check "$dir/readme.md" > "$dir/told"
[ $? -eq 1 ] || fail "an old table passes --check"
grep -q '^+| One case, n=7 | 0.5 ns | 0.50 |' "$dir/told" || fail "--check does not say what differs"
cmp -s "$dir/old.md" "$dir/readme.md" || fail "--check wrote"
python3 "$report" "$dir/mixed.json" --readme "$dir/readme.md" || fail "--readme"
diff "$dir/wanted" "$dir/readme.md" || fail "the table of mixed.json"
python3 "$report" "$dir/mixed.json" --check "$dir/readme.md" || fail "--check after --readme"

# ---- pages: well-formed as XML and as HTML; drawings whose numbers are numbers, nothing clipped,
# no two labels on top of each other; nothing loaded; tables with the right cells
cat > "$dir/look.py" <<'PROGRAM'
import html.parser, re, sys, xml.etree.ElementTree as tree

SVG = "{http://www.w3.org/2000/svg}"
EMPTY = ("meta", "line", "path", "rect", "polyline")


class Balance(html.parser.HTMLParser):
    open = []
    def handle_starttag(self, tag, attributes):
        if tag not in EMPTY:
            self.open.append(tag)
    def handle_endtag(self, tag):
        if tag not in EMPTY and self.open.pop() != tag:
            sys.exit("%s: </%s> closes something else" % (path, tag))


def boxes(drawing):
    """Of the texts, as wide as a narrow font makes them."""
    for t in drawing.iter(SVG + "text"):
        x, y, told = float(t.get("x")), float(t.get("y")), "".join(t.itertext())
        wide = 6.0 * len(told)
        x -= {"end": wide, "middle": wide / 2}.get(t.get("text-anchor"), 0)
        yield x, y - 9, x + wide, y + 2, told


path = sys.argv[1]
page = open(path, encoding="utf-8").read()
balance = Balance()
balance.feed(page)
balance.close()
if balance.open:
    sys.exit("%s: %s stays open" % (path, balance.open))
if re.search(r'\b(src|srcset|data)=|href="[^#]|url\(|@import|<script|<link', page):
    sys.exit("%s: loads or runs something" % path)
root = tree.parse(path).getroot()
drawings = [s for s in root.iter(SVG + "svg") if s.get("role") == "img"]
for s in drawings:
    width, height = map(float, s.get("viewBox").split()[2:])
    for e in s.iter():
        for k, v in e.attrib.items():
            if k in ("x", "y", "x1", "y1", "x2", "y2", "width", "height", "d", "points") \
                    and not re.fullmatch(r"[-0-9. ,mMhvlaz]*", v):
                sys.exit("%s: %s=%s" % (path, k, v))
    texts = list(boxes(s))
    for i, a in enumerate(texts):
        if a[0] < 0 or a[1] < 0 or a[2] > width or a[3] > height:
            sys.exit("%s: %s is clipped" % (path, a))
        for b in texts[:i]:
            if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]:
                sys.exit("%s: %s is on top of %s" % (path, a, b))
rows = [[" ".join("".join(cell.itertext()).split()) for cell in row]
        for row in root.iter("{http://www.w3.org/1999/xhtml}tr")]
told = ["|".join(r) for r in rows] + ["".join(t.itertext()) for s in drawings
                                      for t in s.iter(SVG + "text")]
for want in sys.argv[2:]:
    if not any(want in t for t in told):
        sys.exit("%s: no %s in\n%s" % (path, want, "\n".join(told)))
PROGRAM
look()
{
    page=$dir/$1.html
    [ "$1" = results ] || python3 "$report" "$dir/$1.json" --html "$page" || fail "the page of $1"
    shift
    python3 "$dir/look.py" "$page" "$@" || fail "what is on it"
}
look results
look mixed 'by hand|100 ns' '10.0 ± 10 %' 'error 0.5' WRONG FAILED 'tape|100 ms|10 ms|10.0|1 k|4.00|2.50|–|24.0' \
    'a < b & "c" | d' 'tape 10.0' 'fn WRONG' 'tape 1.23' 'header|250 ms|2.05 kB|5' \
    'tape < peer|–|1.00|missed' 'fn / by hand|0.50|1.00|met'
look single 'fn|0.25 ns 0.50 ± 20 %' 'fn 0.50'
look alone 'by hand|–'
look empty

# ---- each must be refused: one line that names the file, exit 1, no traceback
refuse()
{
    printf '%s' "$1" > "$dir/bad.json"
    printf '%s' "$2" > "$dir/bad.md"
    message=$(python3 "$report" "$dir/bad.json" --html "$dir/bad.html" --readme "$dir/bad.md" 2>&1)
    code=$?
    [ $code -eq 1 ] || fail "exit $code for: $1 $2"
    [ "$(printf '%s\n' "$message" | wc -l)" -eq 1 ] || fail "more than a line for: $1 $2"
    case $message in *bad.*) ;; *) fail "no file name for: $1 $2" ;; esac
}
good='{"facts": {}, "problems": []}'
begin='<!-- bench begin -->' end='<!-- bench end -->'
marks="$begin
$end"
refuse '' "$marks"
refuse '{' "$marks"
refuse '[]' "$marks"
refuse '{"facts": {}}' "$marks"
refuse '{"facts": {}, "problems": [{}]}' "$marks"
refuse '{"facts": {}, "problems": 3}' "$marks"
refuse '{"facts": {}, "problems": [{"name": "a", "title": "a", "sizes": "n", "shown": 1, "cases": [{"size": [1]}]}]}' "$marks"
refuse '{"facts": {}, "problems": [{"name": "a", "title": "a", "sizes": "n", "cases": [{"size": ["x"]}]}]}' "$marks"
refuse "$good" ''
refuse "$good" "$begin"
refuse "$good" "$end
$begin"
refuse "$good" "$marks
$marks"
python3 "$report" "$dir/absent.json" 2>/dev/null && fail "an absent file was accepted"
python3 "$report" --help | grep -q 'example' || fail "--help has no example"

[ $failed -eq 0 ] && echo "check_bench: passed"
exit $failed
