#!/usr/bin/env python3
"""Tells what the benchmark of whole problems measured: the JSON of bench/suite.c as an HTML page,
and as the tables in bench/RESULTS.md and, of three problems, in README.md.

The page is one file that loads nothing and runs nothing: text, tables, and drawings in SVG on
logarithmic axes. A version of a derivative keeps its colour and its mark all over the page. It is
well-formed as XML too, so that any XML tool can read it. Only the standard library is used.
"""
import argparse
import difflib
import html
import json
import math
import sys

EXAMPLE = """\
example:
  make bench-all
  python3 tools/bench_report.py build/bench/suite.json --html suite.html
  python3 tools/bench_report.py bench/results.json --readme bench/RESULTS.md
"""
BEGIN, END = "<!-- bench begin -->", "<!-- bench end -->"
SHORT, SHORT_END = "<!-- bench short begin -->", "<!-- bench short end -->"


class Malformed(Exception):
    """A file is not what it should be; the text is one line."""


# ------------------------------------------------------------------------------------ reading

def number(x):
    """A finite number, or None for what was not measured."""
    good = isinstance(x, (int, float)) and not isinstance(x, bool) and math.isfinite(x)
    return float(x) if good else None


class Version:
    """What was measured of a version in a case: numbers as bench/suite.c names them, or None."""

    def __init__(self, row):
        self.name, self.mode = str(row["name"]), row.get("mode", "other")
        self.ours, self.state = bool(row.get("ours")), row.get("state")
        for key in ("ns", "ratio", "ratio_low", "ratio_high", "first", "record", "sweep", "replay",
                    "nodes", "bytes", "gain", "error"):
            setattr(self, key, number(row.get(key)))
        self.right = self.state == "right" and positive(self.ns)
        self.rival = row.get("rival")

    def fault(self):
        """WRONG, FAILED or nothing."""
        return "" if self.state == "right" else str(self.state).upper()


class Case:
    def __init__(self, sizes, row):
        self.size = " ".join("%s=%d" % (word if len(word) < 5 else word[0], n)
                             for word, n in zip(sizes, row["size"]))
        self.work = number(row.get("work")) or float(math.prod(row["size"]))
        self.hand, self.plain = number(row.get("hand")), number(row.get("plain"))
        self.compiler, self.rounds = row.get("compiler", ""), row.get("rounds")
        self.versions = {v["name"]: Version(v) for v in row.get("versions", [])}


class Problem:
    def __init__(self, row):
        self.name, self.title = str(row["name"]), str(row["title"])
        self.cases = [Case(row["sizes"].split(), c) for c in row["cases"]]
        self.shown = self.cases[row.get("shown", 0)]
        self.exponents = {k: number(v) for k, v in row.get("exponents", {}).items()}


class Suite:
    """facts, problems, goals; names: of all versions, ours first, as {name: a Version of it}"""

    ORDER = ("compiled", "tape", "forward", "arrays", "other")

    def __init__(self, tree):
        self.facts = {str(k): str(v) for k, v in tree["facts"].items()}
        self.problems = [Problem(p) for p in tree["problems"] if p["cases"]]
        self.goals = tree.get("goals", [])
        found = {}
        for p in self.problems:
            for c in p.cases:
                for v in c.versions.values():
                    found.setdefault(v.name, v)
        self.names = {v.name: v for v in sorted(found.values(), key=self.rank)}
        self.peers = {k: v for k, v in self.facts.items()
                      if k not in FACTS and not k.startswith("compile-")}
        self.wrong = sum(bool(v.fault()) for p in self.problems for c in p.cases
                         for v in c.versions.values())

    def rank(self, v):
        return self.ORDER.index(v.mode) if v.ours and v.mode in self.ORDER else len(self.ORDER)


FACTS = {"cpu": "Processor", "system": "System", "compiler": "Compiler", "flags": "Flags",
         "hand-gcc": "By hand, gcc", "hand-clang": "By hand, clang", "autodiff.h": "autodiff.h"}


def join_twice(pairs):
    """A key twice is a fact of two lines, such as a peer made of two packages."""
    tree = {}
    for k, v in pairs:
        tree[k] = "%s, %s" % (tree[k], v) if isinstance(tree.get(k), str) else v
    return tree


def load(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as f:
            return Suite(json.load(f, object_pairs_hook=join_twice))
    except (ValueError, RecursionError) as e:
        raise Malformed("not JSON: %s" % e)
    except (KeyError, TypeError, AttributeError, IndexError) as e:
        raise Malformed("not what bench/suite.c writes: %s %s" % (type(e).__name__, e))


# --------------------------------------------------------------------------------------- text

def positive(x):
    return x is not None and x > 0


def si(x, unit="", micro="\u00b5"):
    """Three digits and a unit: 1.25 ms. A time has no kiloseconds."""
    if not positive(x):
        return "\u2013"
    x = float("%.3g" % x)
    k = math.floor(math.log10(x) / 3 + 1e-9)
    k = max(-3, min(k, 0 if unit == "s" else 4))
    prefix = {-3: "n", -2: micro, -1: "m", 0: "", 1: "k", 2: "M", 3: "G", 4: "T"}[k]
    return ("%.3g %s%s" % (x / 1000.0 ** k, prefix, unit)).rstrip()


def duration(ns, micro="\u00b5"):
    return si(ns and ns * 1e-9, "s", micro)


def ratio(x):
    """Two decimals below 10, three digits below 0.1 and above."""
    if x is None:
        return "\u2013"
    near = float("%.3g" % x)
    return "%.*f" % (3 if near < 0.1 else 2 if near < 10 else 1 if near < 100 else 0, x)


def spread(v):
    """Half the distance between the quartiles, in % of the ratio."""
    if not positive(v.ratio) or v.ratio_low is None or v.ratio_high is None:
        return ""
    return "\u00b1 %.0f %%" % (50 * (v.ratio_high - v.ratio_low) / v.ratio)


def quotient(x, y):
    return ratio(x / y if positive(x) and positive(y) else None)


def esc(s):
    """XML holds no control characters, not even escaped."""
    return html.escape("".join(c if c >= " " else "\ufffd" for c in str(s)))


def el(name, *inner, **attributes):
    """An element; inner is not escaped. Attributes: cls is class, _ is -, one decimal."""
    shown = "".join(' %s="%s"' % ("class" if k == "cls" else k.replace("_", "-"),
                                  "%.1f" % v if isinstance(v, float) else esc(v))
                    for k, v in attributes.items() if v is not None)
    text = "".join(inner)
    return "<%s%s>%s</%s>" % (name, shown, text, name) if text or name not in EMPTY else \
        "<%s%s />" % (name, shown)


EMPTY = ("rect", "line", "path", "polyline")


# ------------------------------------------------------------------------------------ drawings

WIDTH = 960.0
CHARACTER = 7.6                  # of 13 px text, wide fonts included


class Scale:
    """A logarithmic axis over the values, from one end to the other; two decades are on it."""

    def __init__(self, values, begin, end, slack):
        low, high = min(values) / slack, max(values) * slack
        self.begin, self.end = begin, end
        self.low, self.high = math.log10(low), math.log10(high)
        if len(self.decades()) < 2:
            self.low, self.high = math.floor(self.low), math.ceil(self.high)

    def __call__(self, x):
        return self.begin + (self.end - self.begin) * (math.log10(x) - self.low) / \
            (self.high - self.low)

    def decades(self):
        return [10.0 ** k for k in range(math.ceil(self.low - 1e-9),
                                         math.floor(self.high + 1e-9) + 1)]

    def between(self):
        """2 and 5 of each decade."""
        first = math.floor(self.low)
        every = [m * 10.0 ** k for k in range(first, math.ceil(self.high)) for m in (2, 5)]
        return [x for x in every if self.low <= math.log10(x) <= self.high]


def svg(height, label, *inner, **more):
    return el("svg", *inner, xmlns="http://www.w3.org/2000/svg", role="img", aria_label=label,
              viewBox="0 0 %g %g" % (WIDTH, height), **more)


def word(x, y, text, cls=None, anchor=None):
    return el("text", esc(text), x=x, y=y, cls=cls, text_anchor=anchor)


def line(x1, y1, x2, y2, cls):
    return el("line", x1=x1, y1=y1, x2=x2, y2=y2, cls=cls)


def mark(x, y, slot, ours, title=""):
    """Ours are filled; shapes repeat after four."""
    r = 4.2
    shape = ("M%.1f %.1fm-{0} 0a{0} {0} 0 1 0 {1} 0a{0} {0} 0 1 0 -{1} 0z",
             "M%.1f %.1fm-{0} -{0}h{1}v{1}h-{1}z", "M%.1f %.1fm0 -{2}l{2} {2}l-{2} {2}l-{2} -{2}z",
             "M%.1f %.1fm0 -{2}l{2} {3}h-{4}z")[slot % 4]
    path = shape.format(r, 2 * r, 1.3 * r, 2 * r, 2.6 * r) % (x, y)
    return el("path", title and el("title", esc(title)), d=path, cls="mark" if ours else "mark open")


def apart(wanted, gap, top, bottom):
    """Places next to the wanted ones, in their order, at least a gap from each other."""
    places = []
    for y in wanted:
        places.append(max(y, places[-1] + gap if places else top))
    limit = bottom
    for i in reversed(range(len(places))):
        places[i] = min(places[i], limit)
        limit = places[i] - gap
    return places


def bars(suite):
    """Ratios to what is written by hand, each problem at its shown size: one drawing a problem,
    so that paper can part between them, and one for each axis."""
    shown = [(p, p.shown, [(i, p.shown.versions[n]) for i, n in enumerate(suite.names)
                           if n in p.shown.versions]) for p in suite.problems]
    values = [x for p, c, rows in shown for i, v in rows if v.right
              for x in (v.ratio, v.ratio_low, v.ratio_high) if positive(x)]
    left = 24 + CHARACTER * max([len(p.title) for p, c, rows in shown] + [20])
    right = WIDTH - 70 - CHARACTER * max([len(n) for n in suite.names] + [4])
    at = Scale(values + [1], left, right, 1.2)

    def grid(height):
        return "".join([line(at(x), 0.0, at(x), height, "faint") for x in at.between()] +
                       [line(at(x), 0.0, at(x), height, "grid") for x in at.decades()] +
                       [line(at(1), 0.0, at(1), height, "one")])

    def axis(y, where):
        ticks = [word(at(x), y, "%g" % x, "tick", "middle") for x in at.decades()]
        if at(10) - at(1) > 150:
            ticks += [word(at(x), y, "%g" % x, "small", "middle") for x in at.between()]
        return svg(24.0, "axis " + where, word(4.0, y, "ratio, by hand = 1", "small"),
                   *ticks)

    drawn = [axis(16.0, "above")]
    for p, c, rows in shown:
        height = max(66.0, 19.0 * len(rows) + 16)
        parts = [grid(height), line(0.0, 0.5, WIDTH, 0.5, "rule"), word(4.0, 22.0, p.title, "strong"),
                 word(4.0, 39.0, c.size, "small"),
                 word(4.0, 55.0, "by hand " + duration(c.hand), "small")]
        for k, (i, v) in enumerate(rows):
            parts.append(el("g", bar(at, 17.5 + 19 * k, v), cls="v%d" % (i % 12)))
        drawn.append(svg(height, "%s, %s: %s" % (p.title, c.size, ", ".join(
            "%s %s" % (v.name, v.fault() or ratio(v.ratio)) for i, v in rows)), *parts))
    drawn.append(axis(16.0, "below"))
    return "\n".join(el("div", d, cls="bars") for d in drawn)


def bar(at, y, v):
    if not v.right or not positive(v.ratio):
        return word(at(1) + 8, y + 4.5, "%s %s" % (v.name, v.fault() or "not measured"), "bad")
    a, b = sorted((at(1), at(v.ratio)))
    title = "%s: %s of the time by hand, %s, %s" % (v.name, ratio(v.ratio), spread(v), duration(v.ns))
    parts = [el("rect", el("title", esc(title)), x=a, y=y - 6.5, width=max(b - a, 1.0), height=13.0,
                cls="bar" if v.ours else "bar open")]
    if positive(v.ratio_low) and positive(v.ratio_high):
        low, high = at(v.ratio_low), at(v.ratio_high)
        parts += [line(low, y, high, y, "whisker"), line(low, y - 4, low, y + 4, "whisker"),
                  line(high, y - 4, high, y + 4, "whisker")]
        b = max(b, high)
    return "".join(parts) + el("text", esc(v.name) + " " + el("tspan", ratio(v.ratio), cls="tick"),
                               x=b + 7, y=y + 4.5, cls="strong" if v.ours else None)


class Curve:
    """A version's (work, time, size) over the cases, how it is drawn, and what stands beside it."""

    def __init__(self, name, slot, ours, points, exponent, faults=""):
        self.name, self.slot, self.ours = name, slot, ours
        self.exponent, self.faults = exponent, faults
        self.points = sorted(q for q in points if positive(q[0]) and positive(q[1]))
        self.cls = "v%d" % (slot % 12) if isinstance(slot, int) else slot
        self.told = " ".join(filter(None, [name, exponent and "%.2f" % exponent, faults]))

    def drawn(self, at_x, at_y, right, y, reaches):
        """The line, its marks, and its label at y; a line that ends early is not led to it."""
        places = [(at_x(work), at_y(ns)) for work, ns, size in self.points]
        end = places[-1] if reaches else (right + 6, y)
        parts = [line(*end, right + 18, y, "leader"),
                 el("polyline", points=" ".join("%.1f,%.1f" % q for q in places), cls="curve")]
        if isinstance(self.slot, int):
            parts += [mark(x, y0, self.slot, self.ours, "%s, %s: %s" % (self.name, size, duration(ns)))
                      for (x, y0), (work, ns, size) in zip(places, self.points)]
            parts.append(mark(right + 26, y, self.slot, self.ours))
        else:
            parts.append(line(right + 18, y, right + 34, y, "curve"))
        label = [esc(self.name)]
        if self.exponent is not None:
            label.append(el("tspan", "%.2f" % self.exponent, cls="tick"))
        if self.faults:
            label.append(el("tspan", esc(self.faults), cls="bad"))
        return el("g", *parts, el("text", " ".join(label), x=right + 38, y=y + 4.5,
                                  cls="strong" if self.ours else None), cls=self.cls)


def growth(suite, p):
    """Time over work: a line a version, its name and exponent at the right."""
    hand = [(c.work, c.hand, c.size) for c in p.cases]
    plain = [(c.work, c.plain, c.size) for c in p.cases]
    curves = [Curve("by hand", "hand", True, hand, p.exponents.get("hand")),
              Curve("function alone", "plain", False, plain, None)]
    for slot, (name, first) in enumerate(suite.names.items()):
        some = [(c, c.versions[name]) for c in p.cases if name in c.versions]
        points = [(c.work, v.ns, c.size) for c, v in some if v.right]
        curves.append(Curve(name, slot, first.ours, points, p.exponents.get(name),
                            next((v.fault() for c, v in some if v.fault()), "")))
    curves = sorted((c for c in curves if c.points), key=lambda c: -c.points[-1][1])
    works = {q[0] for c in curves for q in c.points}
    if len(works) < 2:
        return ""
    left, top, bottom = 66.0, 14.0, max(304.0, 44.0 + 18 * len(curves))
    right = WIDTH - 50 - CHARACTER * max(len(c.told) for c in curves)
    at_x = Scale(works, left, right, 1.3)
    at_y = Scale([q[1] for c in curves for q in c.points], bottom, top, 1.5)
    parts = [line(left, at_y(y), right, at_y(y), "grid") for y in at_y.decades()] + \
            [word(left - 8, at_y(y) + 4, duration(y), "tick", "end") for y in at_y.decades()] + \
            [line(at_x(x), top, at_x(x), bottom, "grid") for x in at_x.decades()] + \
            [word(at_x(x), bottom + 18, si(x), "tick", "middle") for x in at_x.decades()] + \
            [line(at_x(x), bottom, at_x(x), bottom - 4, "one") for x in at_x.between()] + \
            [line(left, at_y(y), left + 4, at_y(y), "one") for y in at_y.between()] + \
            [line(left, top, left, bottom, "one"), line(left, bottom, right, bottom, "one"),
             word((left + right) / 2, bottom + 37, "work of the function", "small", "middle"),
             word(right + 38, top + 4, "version, exponent", "small")]
    places = apart([at_y(c.points[-1][1]) for c in curves], 18.0, top + 24, bottom)
    parts += [c.drawn(at_x, at_y, right, y, c.points[-1][0] == max(works))
              for c, y in zip(curves, places)]
    return svg(bottom + 46, "%s: time over work on logarithmic axes; the table below has the numbers"
               % p.title, *parts)


# ---------------------------------------------------------------------------------------- page

STYLE = """
:root { color-scheme: light dark; --page: #fff; --ink: #1b1f24; --soft: #57606a; --grid: #d5dae0;
  --faint: #eceff2; --panel: #f6f8fa; --bad: #c0162c; --good: #14703a; LIGHT }
@media screen and (prefers-color-scheme: dark) { :root { --page: #12161b; --ink: #e8ecf0;
  --soft: #a2acb7; --grid: #39424c; --faint: #232a31; --panel: #1a2027; --bad: #ff7b86;
  --good: #5fd08b; DARK } }
body { margin: 0 auto; max-width: 66rem; padding: 1.5rem; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; }
h1 { margin: 0 0 .2em; font-size: 2rem; line-height: 1.2; } h2 { margin: 2.5em 0 .4em; }
h3 { margin: 2.2em 0 .3em; padding-top: .8em; border-top: 1px solid var(--grid); }
p, li { max-width: 48rem; } a { color: inherit; } .quiet { color: var(--soft); }
.tiles { display: flex; flex-wrap: wrap; gap: .8rem; padding: 0; margin: 1.2rem 0; list-style: none; }
.tiles li { padding: .5rem 1rem; background: var(--panel); border-radius: .5rem; }
.tiles b { display: block; font-size: 1.5rem; line-height: 1.2; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1.2rem; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
nav ul { columns: 3 14rem; padding-left: 1.2rem; }
.scroll { overflow-x: auto; margin: .8rem 0; } .scroll > * { min-width: 44rem; }
svg { display: block; width: 100%; font-size: 13px; }
.key { display: flex; flex-wrap: wrap; gap: .3rem 1.4rem; padding: 0; list-style: none; }
.key svg { display: inline-block; width: 18px; vertical-align: -4px; }
table { border-collapse: collapse; font-size: .86rem; font-variant-numeric: tabular-nums; width: 100%; }
caption { text-align: left; color: var(--soft); padding: .3rem 0; }
th, td { padding: .25rem .6rem; text-align: right; border-bottom: 1px solid var(--faint);
  vertical-align: top; white-space: nowrap; }
th:first-child { text-align: left; } thead th { border-color: var(--grid);
  white-space: normal; vertical-align: bottom; } tbody th { white-space: nowrap; }
th { font-weight: 600; } td small { display: block; color: var(--soft); } .shown { background: var(--panel); }
.bad { color: var(--bad); fill: var(--bad); font-weight: 700; } .good { color: var(--good); }
text { fill: var(--ink); }
.bars { line-height: 0; } .strong { font-weight: 600; } text.small { fill: var(--soft); font-size: 12px; }
.tick { fill: var(--soft); font-weight: 400; font-variant-numeric: tabular-nums; }
text { paint-order: stroke; stroke: var(--page); stroke-width: 3px; stroke-linejoin: round; }
line { stroke-width: 1; } .grid { stroke: var(--grid); } .faint { stroke: var(--faint); }
.rule { stroke: var(--grid); } .one { stroke: var(--soft); stroke-width: 1.4; }
.bar, .mark { fill: var(--c); stroke: var(--c); stroke-width: 1.4; } .bar { stroke-width: 1; }
.bar.open { fill-opacity: .35; } .mark.open { fill: var(--page); } .whisker { stroke: var(--ink); stroke-width: 1.3; }
.curve { fill: none; stroke: var(--c); stroke-width: 1.8; } .leader { stroke: var(--c); stroke-opacity: .45; }
.hand { --c: var(--ink); } .hand .curve { stroke-width: 3; } .plain { --c: var(--soft); } tspan.bad { fill: var(--bad); }
.plain .curve { stroke-dasharray: 5 4; }
@media print { body { max-width: none; padding: 0; font-size: 11pt; } nav { display: none; }
  .scroll { overflow: visible; } .scroll > * { min-width: 0; } tr, svg, .tiles, dl { break-inside: avoid; }
  h2, h3, caption, .bars:first-child { break-after: avoid; } table { font-size: 8.5pt; } * { print-color-adjust: exact; } }
"""
LIGHT = "#1f6fd6 #c94f05 #17803a #8a3fc4 #c2185b #00838f #8a6d00 #5c6bc0 #795548 #455a64 #5f7d00 #a04a78"
DARK = "#64a8ff #ff9a55 #4cc878 #c592f7 #ff74a8 #45c8d4 #d9b84c #a2aeff #cfa593 #a3b6c2 #b4d45c #e5a3c8"

MODES = {"compiled": "recorded or compiled once", "tape": "reverse mode, recorded anew every time",
         "forward": "forward mode", "arrays": "operations on arrays"}

METHOD = """A problem's function is written once and read with every kind of number. Its hand-written
derivative says what is right: a version whose result differs is marked WRONG and not timed. All
versions of a case run in turn, in an order that changes from round to round; a sample takes at least
0.1 ms, after one that does not count. Times are medians of processor time. A ratio is the median of
the rounds' ratios to the derivative written by hand, of which the faster of gcc's and clang's counts;
its spread is half the distance between the quartiles. A first call is opening (recording, compiling,
memory) and one run. The exponent is the slope of log time over log work by least squares: 1 is
proportional."""


def style():
    slots = "".join(".v%d { --c: var(--c%d); }\n" % (i, i) for i in range(12))
    css = STYLE
    for name, colours in (("LIGHT", LIGHT), ("DARK", DARK)):
        css = css.replace(name, " ".join("--c%d: %s;" % c for c in enumerate(colours.split())), 1)
    return css + slots


def scroll(label, inner):
    """What may be wider than a narrow window; the keyboard reaches it."""
    return el("div", inner, cls="scroll", tabindex="0", role="region", aria_label=label)


def table(caption, head, rows):
    """rows: lists of cells, the first a heading; a cell is text or an element td."""
    def cell(x):
        return x if x.startswith("<td") else el("td", esc(x))
    body = [el("tr", el("th", esc(r[0]), scope="row"), *map(cell, r[1:])) for r in rows]
    top = el("tr", *(el("th", esc(h), scope="col") for h in head))
    return scroll(caption, el("table", el("caption", esc(caption)), el("thead", top),
                              el("tbody", "\n".join(body))))


def growth_table(suite, p):
    def cell(c, big, small="", bad=""):
        return el("td", el("span", esc(bad), cls="bad") if bad else esc(big),
                  " " + el("small", esc(small)) if small else "", cls="shown" if c is p.shown else None)

    def exponent(name):
        e = p.exponents.get(name)
        return "\u2013" if e is None else "%.2f" % e
    rows = [["by hand"] + [cell(c, duration(c.hand), c.compiler) for c in p.cases] + [exponent("hand")],
            ["function alone"] + [cell(c, duration(c.plain), quotient(c.plain, c.hand))
                                  for c in p.cases] + [""]]
    for name in suite.names:
        found = [(c, c.versions.get(name)) for c in p.cases]
        if any(v for c, v in found):
            rows.append([name] + [
                cell(c, "\u2013") if v is None else
                cell(c, "", "error %.2g" % v.error if v.error is not None else "", v.fault())
                if v.fault() else cell(c, duration(v.ns), (ratio(v.ratio) + " " + spread(v)).strip())
                for c, v in found] + [exponent(name)])
    return table("Times; below each, the ratio to the time by hand and its spread",
                 ["version"] + [c.size for c in p.cases] + ["exponent"], rows)


def parts_table(suite, p):
    rows = []
    for v in (p.shown.versions.get(n) for n in suite.names):
        if v and v.right:
            rows.append([v.name, duration(v.first), duration(v.ns), quotient(v.first, v.ns),
                         si(v.nodes), *(quotient(x, v.nodes) for x in (v.record, v.sweep, v.replay)),
                         quotient(v.bytes, v.nodes),
                         "%s (%s)" % (ratio(v.gain), v.rival) if v.rival and v.gain else "\u2013"])
    head = ["version", "first call", "later", "first/later", "nodes", "record ns/node",
            "sweep ns/node", "replay ns/node", "bytes/node", "over ours"]
    if not any(v.rival for v in p.shown.versions.values()):
        head, rows = head[:-1], [r[:-1] for r in rows]
    return table("Where it goes, at %s" % p.shown.size, head, rows) if rows else ""


def compile_table(suite):
    rows = []
    for key, text in suite.facts.items():
        words = text.split()
        if key.startswith("compile-") and len(words) == 3:
            try:
                seconds, size, runs = map(float, words)
            except ValueError:
                continue
            rows.append([key[8:], si(seconds, "s"), si(size, "B"), "%.0f" % runs])
    return table("Compiling a file that includes the header", ["file and compiler", "time",
                 "object", "runs"], rows) if rows else el("p", "Not measured in this run.")


def goals_table(suite):
    rows = []
    for g in sorted(suite.goals, key=lambda g: bool(g.get("met"))):
        met = el("td", "met", cls="good") if g.get("met") else el("td", "missed", cls="bad")
        rows.append([str(g.get("what")), ratio(number(g.get("figure"))),
                     ratio(number(g.get("wanted"))), met])
    return table("Ratios of times; those missed come first", ["goal", "measured", "wanted", ""],
                 rows) if rows else el("p", "None for what was measured.")


def page(suite):
    met = sum(1 for g in suite.goals if g.get("met"))
    tiles = [("problems", len(suite.problems)), ("versions", len(suite.names)), ("goals met", met),
             ("goals missed", len(suite.goals) - met), ("wrong or failed", suite.wrong)]
    facts = [(FACTS[k], suite.facts[k]) for k in FACTS if k in suite.facts] + list(suite.peers.items())
    key = [el("li", el("svg", mark(9.0, 9.0, i, v.ours), viewBox="0 0 18 18", aria_hidden="true"),
              " ", el("b", esc(n)) if v.ours else esc(n),
              el("span", esc(", " + MODES[v.mode]) if v.mode in MODES else "", cls="quiet"),
              cls="v%d" % (i % 12)) for i, (n, v) in enumerate(suite.names.items())]
    body = [el("h1", "autodiff.h: derivatives against those written by hand"),
            el("ul", *(el("li", el("b", str(n)), what, cls="bad" if n and "wrong" in what else None)
                       for what, n in tiles), cls="tiles"),
            el("dl", *(el("dt", esc(k)) + el("dd", esc(v)) for k, v in facts)),
            el("p", METHOD),
            el("nav", el("ul", *(el("li", el("a", esc(p.title), href="#" + p.name))
                                 for p in suite.problems),
                         el("li", el("a", "Compiling", href="#compiling")),
                         el("li", el("a", "Goals", href="#goals"))), aria_label="contents"),
            el("h2", "Ratio to the time by hand"),
            el("p", "Each problem at the size shown; logarithmic. Left of the line at 1 is faster than "
                    "by hand. Whiskers are quartiles; what is filled is this library's."),
            el("ul", *key, cls="key"),
            scroll("ratios", el("div", bars(suite))) if suite.problems else "",
            el("h2", "Problem by problem")]
    for p in suite.problems:
        drawing = growth(suite, p)
        body.append(el("section", el("h3", esc(p.title), id=p.name),
                       scroll("growth of " + p.title, drawing) if drawing else "",
                       growth_table(suite, p), parts_table(suite, p)))
    body += [el("h2", "What the header costs to compile", id="compiling"), compile_table(suite),
             el("h2", "Goals", id="goals"), goals_table(suite)]
    return """<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" lang="en"><head><meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>autodiff.h: benchmark</title><style>%s</style></head><body>
%s
</body></html>
""" % (style(), "\n".join(x for x in body if x))


# -------------------------------------------------------------------------------------- README

def markdown(suite):
    """One row a problem, at the size shown."""
    names = [n for n in suite.names if any(n in p.shown.versions for p in suite.problems)]
    lines = ["| problem | by hand | " + " | ".join(names) + " |",
             "| --- | ---: |" + " ---: |" * len(names)]
    for p in suite.problems:
        cells = ["%s, %s" % (p.title, p.shown.size), duration(p.shown.hand, "u")]
        for v in map(p.shown.versions.get, names):
            cells.append("-" if v is None else v.fault() or ratio(v.ratio))
        lines.append("| " + " | ".join(c.replace("|", "\\|") for c in cells) + " |")
    facts = [suite.facts[k] for k in ("cpu", "compiler") if k in suite.facts]
    facts += ["`%s`" % suite.facts["flags"]] if "flags" in suite.facts else []
    facts += ["%s (%s)" % peer for peer in suite.peers.items()]
    lines += ["", "%s. `make bench%s` prints these." % (", ".join(facts) or "Machine unknown",
                                                       "-peers" if suite.peers else "")]
    return "\n".join(lines).replace("\u2013", "-")


def short(suite):
    """Three problems: the compiled function, the tape, and the best of the other libraries."""
    wanted = ("bundle", "lstm", "logistic")
    lines = ["| times a derivative written by hand; smaller is better | by hand | compiled function "
             "| tape | best other library |", "| --- | ---: | ---: | ---: | ---: |"]
    for p in [p for p in suite.problems if p.name in wanted] or suite.problems[:3]:
        versions = p.shown.versions
        others = [v.ratio for v in versions.values() if not v.ours and v.ratio and not v.fault()]
        cells = ["%s, %s" % (p.title, p.shown.size), duration(p.shown.hand, "u")]
        for v in (versions.get("fn"), versions.get("tape")):
            cells.append("-" if v is None else v.fault() or ratio(v.ratio))
        cells.append(ratio(min(others)) if others else "-")
        lines.append("| " + " | ".join(c.replace("|", "\\|") for c in cells) + " |")
    return "\n".join(lines).replace("\u2013", "-")


def between(lines, begin, end, table):
    """The lines with the table between two marks."""
    if lines.count(begin) != 1 or lines.count(end) != 1 or lines.index(begin) > lines.index(end):
        raise Malformed("no lines %s and %s, once each and in this order" % (begin, end))
    return lines[:lines.index(begin) + 1] + table.split("\n") + lines[lines.index(end):]


def with_table(text, suite):
    """A text with the whole table, or the short one, between its marks."""
    lines = text.split("\n")
    if SHORT in lines:
        return "\n".join(between(lines, SHORT, SHORT_END, short(suite)))
    return "\n".join(between(lines, BEGIN, END, markdown(suite)))


def main():
    parser = argparse.ArgumentParser(
        description="Makes the report of autodiff.h's benchmark from its JSON.",
        epilog=EXAMPLE, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("json", help="what bench/suite.c wrote: suite.json")
    parser.add_argument("--html", metavar="FILE", help="write the page")
    parser.add_argument("--readme", metavar="FILE", help="replace the table between its marks")
    parser.add_argument("--check", metavar="FILE", help="does it have that table? exit 1 and the "
                        "difference if not; nothing is written")
    options = parser.parse_args()
    where, code = options.json, 0
    try:
        suite = load(where)
        if options.html:
            where = options.html
            with open(where, "w", encoding="utf-8", newline="\n") as f:
                f.write(page(suite))
        for where in filter(None, (options.readme, options.check)):
            with open(where, encoding="utf-8", newline="") as f:
                old = f.read()
            new = with_table(old, suite)
            if where == options.check and new != old:
                sys.stdout.write("\n".join(difflib.unified_diff(
                    old.split("\n"), new.split("\n"), where, options.json, lineterm="")) + "\n")
                code = 1
            elif new != old:
                with open(where, "w", encoding="utf-8", newline="") as f:
                    f.write(new)
    except Malformed as e:
        sys.stderr.write("bench_report.py: %s: %s\n" % (where, e))
        return 1
    except OSError as e:
        sys.stderr.write("bench_report.py: %s: %s\n" % (where, e.strerror or e))
        return 1
    return code


if __name__ == "__main__":
    sys.exit(main())
