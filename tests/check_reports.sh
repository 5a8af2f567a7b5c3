#!/bin/sh
# The reports of suites of checks: tests/reports.c writes one in every format, other programs read
# it; then exit codes, the variables of the environment, colours.
name=reports
. tests/check.sh
: "${CC:=cc}"
rm -rf "$work"
mkdir -p "$work"
for variable in AD_CHECK_FORMAT AD_CHECK_OUTPUT AD_CHECK_ONLY AD_CHECK_SEED AD_CHECK_MAX_EVALS \
    AD_CHECK_STRICT AD_CHECK_VERBOSE GITHUB_ACTIONS GITHUB_STEP_SUMMARY NO_COLOR CLICOLOR \
    CLICOLOR_FORCE FORCE_COLOR HARNESS_ACTIVE; do
    unset $variable
done
object $CC $standard
quietly compile $CC -Wall -Wextra tests/reports.c "$object" -o "$work/reports" -lm
reports=$work/reports
esc=$(printf '\033')

# run CODE ARGUMENT...: `env ARGUMENT...` ends with one of the codes "a|b"; leaves out and err.
run()
{
    wanted=$1
    shift
    env "$@" >"$work/out" 2>"$work/err"
    code=$?
    case "|$wanted|" in
    *"|$code|"*) ;;
    *) tail -n 20 "$work/out" "$work/err"; fail "exit code $code, not $wanted: $*" ;;
    esac
}

# ---------------------------------------------------------------- exit codes
run 0 AD_CHECK_ONLY='CORRECT plain' "$reports"
run 0 AD_CHECK_ONLY=NONSMOOTH_VALID "$reports"
run 1 AD_CHECK_ONLY='WRONG plain' "$reports"
run 1 AD_CHECK_ONLY=plain "$reports"
run 1 AD_CHECK_ONLY=OUT_OF_BOUNDS "$reports"
run 77 AD_CHECK_ONLY=F_NONFINITE "$reports"
run 77 AD_CHECK_ONLY=NONDETERMINISTIC "$reports"
run 77 AD_CHECK_ONLY='no such check' "$reports"
run 99 AD_CHECK_ONLY='ERROR no function' "$reports"
run 99 AD_CHECK_ONLY='ERROR left' "$reports"
run 99 "$reports" null
run 99 "$reports"

# ---------------------------------------------------------------- the environment
run 0 AD_CHECK_ONLY='CORRECT plain' "$reports"
mv "$work/out" "$work/plain"
run 0 AD_CHECK_ONLY='CORRECT plain' AD_CHECK_VERBOSE=1 "$reports"
[ "$(wc -c <"$work/out")" -gt "$(wc -c <"$work/plain")" ] || fail 'AD_CHECK_VERBOSE=1 tells no more'
run 0 AD_CHECK_ONLY=NONSMOOTH_VALID AD_CHECK_STRICT=0 "$reports"
run 1 AD_CHECK_ONLY=NONSMOOTH_VALID AD_CHECK_STRICT=1 "$reports"
grep -q 'NONSMOOTH_INVALID:' "$work/out" || fail 'AD_CHECK_STRICT=1 does not reach the check'
run 1 AD_CHECK_ONLY=F_NONFINITE AD_CHECK_STRICT=1 "$reports"
run 1 AD_CHECK_ONLY=NONSMOOTH_VALID AD_CHECK_STRICT=1 "$reports" added
run 0 AD_CHECK_ONLY=NONSMOOTH_VALID "$reports" added
run 0 AD_CHECK_ONLY='CORRECT plain' AD_CHECK_STRICT=1 "$reports"
run 77 AD_CHECK_ONLY='CORRECT plain' AD_CHECK_MAX_EVALS=2 "$reports"
grep -q BUDGET "$work/out" || fail 'AD_CHECK_MAX_EVALS=2 does not end in BUDGET'
run 0 AD_CHECK_ONLY='CORRECT plain' AD_CHECK_SEED=4711 AD_CHECK_FORMAT=json "$reports"
grep -q 4711 "$work/out" || fail 'AD_CHECK_SEED does not reach the report'
run 99 AD_CHECK_OUTPUT="$work/no/such/directory/r" AD_CHECK_ONLY='CORRECT plain' "$reports"
cat "$work/out" "$work/err" | grep -q 'no/such/directory/r' || fail 'no message for a path that cannot be written'
if [ -w /dev/full ]; then
    run 99 AD_CHECK_OUTPUT=/dev/full AD_CHECK_ONLY='CORRECT plain' "$reports"
    cat "$work/out" "$work/err" | grep -q '/dev/full' || fail 'no message for a full disk'
fi
# What the environment asks for and cannot mean is said, in every format.
for bad in AD_CHECK_FORMAT=yaml AD_CHECK_SEED=-1 AD_CHECK_SEED=many AD_CHECK_MAX_EVALS=1e3; do
    run 99 $bad AD_CHECK_ONLY='CORRECT plain' "$reports"
    cat "$work/out" "$work/err" | grep -q "$bad" || fail "no word of $bad"
done
for format in tap junit github json; do
    run 99 AD_CHECK_SEED=many AD_CHECK_FORMAT=$format AD_CHECK_OUTPUT="$work/bad.$format" "$reports"
    grep -q 'AD_CHECK_SEED=many' "$work/bad.$format" || fail "$format: no word of AD_CHECK_SEED=many"
done
for format in text tap tap13 junit github json; do
    for mode in '' added many; do
        file=$work/r$mode.$format
        run '1|99' AD_CHECK_FORMAT=$format AD_CHECK_OUTPUT="$file" "$reports" $mode
        cat "$work/out" "$work/err" | grep -q 'checks: .* passed' || fail "$format: no text beside AD_CHECK_OUTPUT"
        [ -s "$file" ] || fail "$format: nothing in AD_CHECK_OUTPUT"
        run '1|99' AD_CHECK_FORMAT=$format "$reports" $mode
        for f in "$file" "$work/out"; do
            sed -E 's/time="[^"]*"|timestamp="[^"]*"|"(time|seconds|ms)": ?[0-9.e+-]*|[0-9.]+ m?s\>//g' "$f" >"$f.bare"
        done
        cmp "$file.bare" "$work/out.bare" || fail "$format: not the same bytes on two runs"
    done
done

# ---------------------------------------------------------------- colours
if have script; then
    # terminal VARIABLE=VALUE...: what a terminal gets of stdout.
    terminal() { script -qec "env $* AD_CHECK_ONLY=plain $reports 2>/dev/null" /dev/null </dev/null >"$work/out" 2>&1; }
    terminal TERM=xterm
    grep -q "$esc\[" "$work/out" || fail 'no colours on a terminal'
    for off in NO_COLOR=1 'NO_COLOR=1 CLICOLOR_FORCE=1' 'NO_COLOR=1 FORCE_COLOR=1' AD_CHECK_FORMAT=tap \
        AD_CHECK_FORMAT=json AD_CHECK_FORMAT=junit; do
        terminal TERM=xterm $off
        grep -q "$esc" "$work/out" && fail "$off: escape codes on a terminal"
        grep -q plain "$work/out" || fail "$off: no report on a terminal"
    done
else
    echo 'SKIP check-reports on a terminal: no script'
fi
run 1 AD_CHECK_ONLY=plain "$reports"
grep -q "$esc" "$work/out" && fail 'escape codes where there is no terminal'
for on in CLICOLOR_FORCE=1 FORCE_COLOR=1; do
    run 1 $on AD_CHECK_ONLY=plain "$reports"
    grep -q "$esc\[" "$work/out" || fail "$on: no colours"
    run 1 NO_COLOR=1 $on AD_CHECK_ONLY=plain "$reports"
    grep -q "$esc" "$work/out" && fail "$on wins over NO_COLOR"
    run 1 NO_COLOR= $on AD_CHECK_ONLY=plain "$reports"
    grep -q "$esc\[" "$work/out" || fail "an empty NO_COLOR wins over $on"
done

# ---------------------------------------------------------------- what other programs read
parts='exit codes, environment, colours'
if have prove && have perl; then
    # prove knows no TAP beyond 13: it gets that, whether it runs the program or reads a file.
    quietly prove env AD_CHECK_FORMAT=tap AD_CHECK_ONLY=CORRECT prove -e '' "$reports"
    grep -q 'Result: PASS' "$work/log" || fail 'prove did not see what passes'
    quietly prove env AD_CHECK_FORMAT=tap AD_CHECK_ONLY='no such check' prove -e '' "$reports"
    env AD_CHECK_FORMAT=tap AD_CHECK_ONLY=F_NONFINITE prove -e '' "$reports" >"$work/log" 2>&1 \
        && fail 'prove lets a check pass that decides nothing'
    env AD_CHECK_FORMAT=tap AD_CHECK_ONLY=plain prove -e '' "$reports" >"$work/log" 2>&1 \
        && fail 'prove lets a wrong gradient pass'
    grep -q 'Parse errors' "$work/log" && { cat "$work/log"; fail 'prove cannot read it'; }
    for f in r radded rmany; do
        prove -e cat "$work/$f.tap13" >"$work/log" 2>&1 && fail "prove lets $f.tap13 pass"
        grep -q 'Parse errors' "$work/log" && { cat "$work/log"; fail "prove cannot read $f.tap13"; }
        perl -MTAP::Parser -e '
            my $p = TAP::Parser->new({ exec => ["cat", $ARGV[0]] });
            my %n = map { $_ => 0 } qw(ok skip bad other);
            while (my $r = $p->next) {
                if ($r->is_test) { $n{$r->has_skip ? "skip" : $r->is_ok ? "ok" : "bad"}++; $n{todo}++ if $r->has_todo; }
                elsif ($r->is_unknown) { print STDERR "unknown: ", $r->raw, "\n"; $n{other}++; }
            }
            print "$n{ok} $n{bad} $n{skip} ", $n{other} + scalar($p->parse_errors) + ($n{todo} || 0), "\n";
        ' "$work/$f.tap13" >"$work/$f.counts" || fail "TAP::Parser and $f.tap13"
    done
    parts="$parts, TAP"
else
    echo 'SKIP check-reports in TAP by prove: no perl'
fi
if have xmllint; then
    for f in r radded rmany bad; do
        quietly "JUnit $f" xmllint --noout --schema tests/junit.xsd "$work/$f.junit"
    done
    parts="$parts, JUnit"
else
    echo 'SKIP check-reports in JUnit by xmllint: not installed'
fi

have python3 || { echo 'SKIP check-reports by python3: not installed'; ok "$parts"; }
printf 'before\n' >"$work/summary"
run 99 GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY="$work/summary" AD_CHECK_FORMAT=tap "$reports"
mv "$work/out" "$work/actions.tap"
mv "$work/err" "$work/actions.err"
run 99 GITHUB_ACTIONS=true "$reports"
mv "$work/out" "$work/actions.text"
env "$reports" names >"$work/names"
cat >"$work/look.py" <<'PROGRAM'
import json, re, subprocess, sys, unicodedata
import xml.etree.ElementTree as tree
try:
    import yaml
except ImportError:
    yaml = None
    print("SKIP check-reports in TAP's blocks: python3 has no yaml")

where = sys.argv[1]
bad = 0
PASS = "CORRECT CORRECT_NOISE_LIMITED CORRECT_ONESIDED NONSMOOTH_VALID".split()
UNDECIDED = "SKIPPED INCONCLUSIVE BUDGET NONDETERMINISTIC F_NONFINITE".split()
FAIL = ("INACCURATE NONSMOOTH_INVALID UNBOUNDED DISCONTINUOUS WRONG G_NONFINITE STALE_STATE "
        "ACCUMULATES UNWRITTEN X_MODIFIED OUT_OF_BOUNDS").split()
VERDICTS = PASS + UNDECIDED + FAIL + ["ERROR"]
WILD = "<&>\"' # \\ 100% a,b:c\n::error::x\r\t\x01\u00e9\u0085\u009b ]]> ... |`"


def wrong(*what):
    global bad
    bad += 1
    print("wrong:", *(w if isinstance(w, str) else ascii(w) for w in what))


def same(what, a, b):
    if a != b:
        wrong(what + ":", a, "and not", b)


def text(name):
    data = open(where + "/" + name, "rb").read()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as e:
        wrong(name, "is not UTF-8:", str(e))
        return data.decode("utf-8", "replace")


def fold(s):
    """What no format can carry, and spaces, are alike."""
    return re.sub(r"[\s\x00-\x1f\x7f-\x9f\ufffd\uffff\ufffe?]+", "?", s).strip("?")


def lines_of(s):
    """The same, where line breaks must survive."""
    return [fold(l) for l in s.split("\n")]


def kind(verdict):
    return ("pass" if verdict in PASS else "skip" if verdict == "SKIPPED" else "open" if verdict in UNDECIDED else
            "error" if verdict == "ERROR" else "fail")


def controls(what, s):
    found = {c for c in s if unicodedata.category(c) == "Cc" and c != "\n"}
    if found:
        wrong(what, "has control characters", sorted(found))


def look_json(name, names):
    def refuse(word):
        wrong(name, "has the word", word)
    d = json.loads(text(name), parse_constant=refuse)
    same(name + " suite", d["suite"], "reports <&>\"'#\\\n%,: \u00e9")
    checks = d["checks"]
    same(name + " names", [fold(c["name"]) for c in checks], [fold(n) for n in names])
    for c, n in zip(checks, names):
        if "\ufffd" not in n:
            same(name + " name", c["name"], n)
        same(name + " " + ascii(n), c["verdict"], n.split()[0])
        same(name + " ok", c["ok"], c["verdict"] in PASS)
        for key in "f f_noise resolution worst_rel seconds".split():
            if c[key] is not None and type(c[key]) not in (int, float):
                wrong(name, key, "is", c[key])
        for key in "line n m checked wrong inconclusive nonsmooth f_evals g_evals seed".split():
            if type(c[key]) is not int or c[key] < 0:
                wrong(name, key, "is", c[key])
        for f in c["findings"]:
            if f["verdict"] not in VERDICTS:
                wrong(name, "finding's verdict", f["verdict"])
            for key in "x claimed numeric bound left right h ratio".split():
                if f[key] is not None and type(f[key]) not in (int, float):
                    wrong(name, key, "is", f[key])
    for key, k in ("passed", "pass"), ("failed", "fail"), ("undecided", "open"), ("skipped", "skip"), ("errors", "error"):
        same(name + " " + key, d[key], sum(1 for c in checks if kind(c["verdict"]) == k))
    return checks


def look_junit(name, checks):
    root = tree.fromstring(open(where + "/" + name, "rb").read())
    suites = list(root)
    same(name + " suites", [root.tag] + [s.tag for s in suites], ["testsuites", "testsuite"])
    cases = suites[0].findall("testcase")
    same(name + " names", [lines_of(c.get("name")) for c in cases], [lines_of(c["name"]) for c in checks])
    number = {"pass": 0, "skip": 0, "open": 0, "fail": 0, "error": 0}
    for case, c in zip(cases, checks):
        k = kind(c["verdict"])
        number[k] += 1
        # An undecided check is an error: what is skipped is shown in green.
        tag = {"pass": None, "skip": "skipped", "open": "error", "fail": "failure", "error": "error"}[k]
        same(name + " outcome of " + ascii(c["name"]), [e.tag for e in case], [tag] if tag else [])
        same(name + " file", fold(case.get("file", "")), fold(c["file"]))
        if c["file"]:
            same(name + " line", int(case.get("line")), c["line"])
        if tag:
            same(name + " message", lines_of(case[0].get("message")), lines_of(c["message"]))
        if k in ("open", "fail", "error"):
            same(name + " type", case[0].get("type"), c["verdict"])
            if fold(c["message"]) not in fold(case[0].text):
                wrong(name, "text lacks the message of", c["name"])
    for e in root, suites[0]:
        for key, n in ("tests", len(cases)), ("failures", number["fail"]), ("errors", number["open"] + number["error"]), \
                ("skipped", number["skip"]):
            if e.get(key) is not None:
                same(name + " " + e.tag + " " + key, int(e.get(key)), n)


def look_tap(name, checks, version, counts=None):
    s = text(name)
    controls(name, s)
    lines = s.split("\n")
    same(name + " end", lines.pop(), "")
    same(name + " begins", lines[0], "TAP version %d" % version)
    same(name + " plan", lines[1], "1..%d" % len(checks))
    points, block = [], None
    for line in lines[2:]:
        if block is not None:
            if line == "  ...":
                points[-1]["yaml"] = "\n".join(block)
                block = None
            elif line.startswith("  "):
                block.append(line[2:])
            else:
                wrong(name, "has in a block", line)
            continue
        m = re.match(r"(not ok|ok) (\d+) - ((?:[^\\#]|\\[\\#])*?)(?: # (SKIP|TOD[O])(?: (.*))?)?$", line)
        if m:
            points.append({"ok": m[1] == "ok", "number": int(m[2]), "name": m[3], "skip": m[4] == "SKIP"})
        elif line == "  ---" and points:
            block = []
        elif not line.startswith("#"):
            wrong(name, "has the line", line)
    same(name + " points", [p["number"] for p in points], list(range(1, len(checks) + 1)))
    number = {"pass": 0, "skip": 0, "open": 0, "fail": 0, "error": 0}
    for p, c in zip(points, checks):
        k = kind(c["verdict"])
        number[k] += 1
        same(name + " name", fold(re.sub(r"\\(.)", r"\1", p["name"])), fold(c["name"]))
        same(name + " point of " + ascii(c["name"]), (p["ok"], p["skip"]), (k in ("pass", "skip"), k == "skip"))
        if k != "pass" and "yaml" not in p:
            wrong(name, "no block for", c["name"])
        if yaml and "yaml" in p:
            try:
                y = yaml.safe_load(p["yaml"])
            except yaml.YAMLError as e:
                wrong(name, "block of", c["name"], str(e))
                continue
            same(name + " verdict", y["verdict"], c["verdict"])
            same(name + " message", y["message"], c["message"])
            if c["file"]:
                same(name + " at", y["at"], {"file": c["file"], "line": c["line"]})
            for key, value in y.get("worst", {}).items():
                # In YAML 1.1 a number with an exponent but no dot, 1e-300, is a word.
                if value is not None and not re.match(r"-?[0-9.]+(e[-+]?[0-9]+)?$", str(value)):
                    wrong(name, "worst has", key, value)
    if counts:
        try:
            same(name + " by TAP::Parser (ok, not ok, skipped, odd)", [int(n) for n in open(where + "/" + counts).read().split()],
                 [number["pass"], number["open"] + number["fail"] + number["error"], number["skip"], 0])
        except FileNotFoundError:
            pass


def look_annotations(name, checks, lines):
    level = {"error": [], "warning": [], "notice": []}
    for line in lines:
        m = re.match(r"::(error|warning|notice) ([^:]*)::(.*)$", line)
        if not m:
            wrong(name, "has the line", line)
            continue
        if re.search(r"%(?!25|0A|0D)", m[3]) or re.search(r"%(?!25|0A|0D|3A|2C)", m[2]):
            wrong(name, "escapes what is not escaped so", line)
        p = dict(q.split("=", 1) for q in m[2].split(","))
        back = lambda t: re.sub("%([0-9A-F]{2})", lambda x: chr(int(x[1], 16)), t)
        level[m[1]].append({"message": back(m[3]), **{k: back(v) for k, v in p.items()}})
        controls(name, line)
    for word, kinds in ("error", ("fail", "error")), ("warning", ("skip", "open")):
        # As a step shows ten of a level, the tenth may have to say how many more there are.
        all = [c for c in checks if kind(c["verdict"]) in kinds]
        told = level[word][:len(all) if len(all) <= 10 else 9]
        same(name + " number of " + word + "s", len(level[word]), min(10, len(all)))
        if len(all) > 10 and str(len(all)) not in "".join(a["message"] for a in level[word][9:]):
            wrong(name, "the last", word, "does not say how many there are")
        for a, c in zip(told, all):
            same(name + " title", lines_of(a["title"]), lines_of(c["name"] + " " + c["verdict"]))
            same(name + " message", lines_of(a["message"]), lines_of(c["message"]))
            if c["file"]:
                same(name + " file", (a["file"], a["line"]), (c["file"], str(c["line"])))


def look_text(name, checks):
    s = text(name)
    controls(name, s)
    for c in checks:
        if fold(c["name"]) not in fold(s):
            wrong(name, "says nothing of", c["name"])
        if kind(c["verdict"]) != "pass" and fold(c["message"]) not in fold(s):
            wrong(name, "lacks the message", c["message"])


names = open(where + "/names", "rb").read().split(b"\0")[:-1]
names = [n.decode("utf-8", "replace") for n in names]
if {n.split()[0] for n in names} | {"SKIPPED"} != set(VERDICTS):
    wrong("not every verdict is tested")
added = [v + " # added" for v in
         "SKIPPED CORRECT CORRECT_NOISE_LIMITED CORRECT_ONESIDED NONSMOOTH_VALID INCONCLUSIVE BUDGET NONDETERMINISTIC "
         "F_NONFINITE INACCURATE NONSMOOTH_INVALID UNBOUNDED DISCONTINUOUS WRONG G_NONFINITE STALE_STATE ACCUMULATES "
         "UNWRITTEN X_MODIFIED OUT_OF_BOUNDS ERROR".split()] + ["WRONG without a message"]
many = [v % i for i in range(14) for v in ("WRONG %d", "INCONCLUSIVE %d")]
for which, expected in ("r", names), ("radded", added), ("rmany", many):
    checks = look_json(which + ".json", expected)
    if which == "radded":
        same("added messages", {c["message"] for c in checks[:-1]}, {WILD})
        same("added file", {(c["file"], c["line"], c["what"]) for c in checks},
             {("dir, with: 100%/<own>.c", 7, "what & \"more\"")})
    look_junit(which + ".junit", checks)
    look_tap(which + ".tap", checks, 14)
    look_tap(which + ".tap13", checks, 13, which + ".counts")
    look_annotations(which + ".github", checks, text(which + ".github").split("\n")[:-1])
    look_text(which + ".text", checks)
    if which == "r":
        real = checks
        if any(c["file"] and not c["file"].endswith("reports.c") for c in checks) or checks[0]["line"] < 10:
            wrong("files and lines of the checks")

# On a runner: annotations beside the report, but never in it; a table after what was there before.
commands = lambda s: [l.strip() for l in s.split("\n") if l.lstrip().startswith("::")]
look_tap("actions.tap", real, 14)
look_annotations("actions.err", real, commands(text("actions.err")))
look_annotations("actions.text", real, commands(text("actions.text")))
summary = text("summary").rstrip("\n").split("\n")
same("summary begins", summary[0], "before")
rows = [re.split(r"(?<!\\)\|", l) for l in summary if l.startswith("|")]
same("cells of the summary's rows", {len(r) for r in rows}, {len(rows[0])})
same("rows of the summary", len(rows), 2 + len(real))
if not re.match(r"\|( ?:?-+:? ?\|)+$", next(l for l in summary[1:] if "---" in l)):
    wrong("the summary is no table")
for r, c in zip(rows[2:], real):
    if c["verdict"] not in "|".join(r):
        wrong("no verdict in the row of", c["name"])
    if re.search(r"<[a-zA-Z!/]", re.sub(r"\\<", "", "|".join(r))):
        wrong("markup in the row of", c["name"])
if len([l for l in summary[1:] if l and not l.startswith(("|", "#"))]) > 3:
    wrong("lines of the summary outside of its table")
sys.exit(bad > 0)
PROGRAM
quietly contents python3 "$work/look.py" "$work"
grep '^SKIP' "$work/log"
ok "$parts, JSON, annotations"
