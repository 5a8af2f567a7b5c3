#!/usr/bin/env python3
"""What gcov counted of autodiff.h: totals, functions that never ran, lines that never ran, a page.
    coverage.py COUNTS.gcov.json.gz autodiff.h DIRECTORY REASONS [LINES]
REASONS lists functions that cannot run here, and of some sections the branches that are not taken
both ways: see there. A function is named as the compiler names it (ad_ double, adf_ float,
adi_avx2_ an instruction set of its own). Exit code 1 where a function that is not listed never ran,
less than LINES per cent of lines did, a branch of those sections has neither both sides nor a
reason, or an entry of REASONS has no longer anything to say."""
import collections, fnmatch, gzip, html, json, os, re, sys

counts, header, directory, reasons = sys.argv[1:5]
least = float(sys.argv[5]) if len(sys.argv) > 5 and sys.argv[5] else 0
with gzip.open(counts) as f:
    files = json.load(f)["files"]
text = open(header).read().split("\n")
bodies, fronts = (next(i for i, row in enumerate(text, 1) if row.endswith("## " + part))
                  for part in ("IMPLEMENTATION", "FRONTS"))

functions = {}                                   # (name, line) -> executions
lines = collections.Counter()                    # line -> executions, in all functions on it
branches = collections.defaultdict(dict)         # line -> (function, number) -> times taken
for file in files:
    if os.path.basename(file["file"]) != "autodiff.h":
        continue
    for f in file["functions"]:
        if not bodies < f["start_line"] < fronts:         # inline: compiled in the files that call it
            continue
        functions[f["name"], f["start_line"]] = f["execution_count"]
    for line in file["lines"]:
        n = line["line_number"]
        lines[n] += line["count"]
        for i, b in enumerate(line["branches"]):
            if not b["throw"]:
                branches[n][line.get("function_name"), i] = b["count"]

# A branch is of the text: taken in one precision or instruction set, it is taken.
taken = sides = 0
half = {}                                        # line -> "3 of 4"
untaken = {}                                     # line -> how many sides, of lines that ran
width = {}                                       # line -> how many in all
for n, of in branches.items():
    merged = collections.defaultdict(int)
    each = collections.defaultdict(list)
    for (function, i), count in of.items():
        each[function].append(count)
    widths = {len(c) for c in each.values()}
    for function, row in each.items():           # instances of different width stay apart
        for i, count in enumerate(row):
            merged[(len(row) if len(widths) > 1 else 0), i] += count
    sides += len(merged)
    got = sum(1 for c in merged.values() if c)
    taken += got
    if got < len(merged) and lines[n]:
        half[n] = f"{got} of {len(merged)}"
        untaken[n] = len(merged) - got
    width[n] = len(merged)

listed, classes, entries, watched = [], [], [], set()
for at, row in enumerate(open(reasons), 1):
    if row.startswith("    ") and classes:               # goes on
        classes[-1][1] += " " + row.strip()
        continue
    row = row.strip()
    header_of = re.match(r"\[(\w+)\] (.*)", row)
    entry = re.match(r"(?:(\d+) )?([\w*?]+): (.*)", row)
    if not row or row.startswith("#"):
        continue
    if row.startswith("section "):
        watched.add(row.split(None, 1)[1])
    elif header_of:
        classes.append(list(header_of.groups()))
    elif classes and entry:
        sides_of, function, words = entry.groups()
        entries.append((at, int(sides_of or 0), function, " ".join(words.split()), len(classes) - 1))
    elif not classes and len(row.split(None, 1)) == 2:
        listed.append(row.split(None, 1))
    else:
        sys.exit(f"{reasons}:{at}: neither an entry nor a class: {row}")
never = collections.defaultdict(list)            # line -> names
excused = []
for (name, line), count in sorted(functions.items(), key=lambda f: (f[0][1], f[0][0])):
    if count:
        continue
    for pattern, reason in listed:
        if fnmatch.fnmatch(name, pattern):
            excused.append((name, line, reason.strip()))
            break
    else:
        never[line].append(name)
stale = [f"{pattern}: all such functions ran, or there is none" for pattern, _ in listed
         if not any(fnmatch.fnmatch(name, pattern) for name, _, _ in excused)]
missing = sorted(n for n, count in lines.items() if not count)
percent = 100 * (len(lines) - len(missing)) / len(lines)

# Of the sections that are watched, every line with a side that is not taken has one entry that says why.
section_of, section = {}, ""
for number, row in enumerate(text, 1):
    found = re.match(r"/\* =+ \[S\d+\] (.*?)[ *\/]*$", row)
    section = found.group(1) if found else section
    section_of[number] = section
reason_of, bare, used = {}, [], collections.Counter()
per_class = collections.Counter()
for n in sorted(untaken):
    if section_of[n] not in watched:
        continue
    row = " ".join(text[n - 1].split())
    names = {function for function, _ in branches[n]} or {""}
    for at, count, function, words, class_ in entries:
        if words in row and any(fnmatch.fnmatch(name or "", function) for name in names):
            used[at] += 1
            if n in reason_of:
                continue
            reason_of[n] = class_
            per_class[class_] += untaken[n]
            if count and count != untaken[n]:
                bare.append(f"autodiff.h:{n}: {untaken[n]} sides not taken, not the {count} of "
                            f"{reasons}:{at}: {row}")
    if n not in reason_of:
        name = sorted(map(str, names))[0]
        bare.append(f"autodiff.h:{n}: {untaken[n]} sides not taken and no reason: "
                    f"{untaken[n]} {name}: {row}")
stale += [f"{reasons}:{at}: taken now, or no such line: {function}: {words}"
          for at, _, function, words, _ in entries if not used[at]]
stale += [f"no section {name}" for name in sorted(watched - set(section_of.values()))]
watched_sides = sum(width[n] for n in width if section_of[n] in watched and lines[n])
watched_untaken = sum(untaken[n] for n in untaken if section_of[n] in watched)
summary = (f"{len(functions)} functions, {sum(map(len, never.values()))} never executed"
           f" and {len(excused)} listed as impossible; lines {percent:.1f} %, {len(missing)} not;"
           f" branches {100 * taken / sides:.1f} %, {sides - taken} sides not; of the watched sections"
           f" {watched_sides - watched_untaken} of {watched_sides} sides, with a reason "
           + ", ".join(f"{per_class[i]} {name}" for i, (name, _) in enumerate(classes)))

section, sections = "", []                       # line -> [S7]
for number, row in enumerate(text, 1):
    found = re.match(r"/\* =+ (\[S\d+\] .*)", row)
    if found:
        section = found.group(1)
        sections.append((number, section))
per = collections.OrderedDict((s, [0, 0]) for _, s in [(0, "")] + sections)
at = 0
names = [""] + [s for _, s in sections]
starts = [n for n, _ in sections] + [len(text) + 2]
for n in sorted(lines):
    while n >= starts[at]:
        at += 1
    per[names[at]][0] += 1
    per[names[at]][1] += not lines[n]

os.makedirs(directory, exist_ok=True)
with open(os.path.join(directory, "index.html"), "w") as page:
    page.write("<!doctype html><meta charset=utf-8><title>coverage of autodiff.h</title><style>"
               "body{font:13px monospace}td{white-space:pre;padding:0 .6em}"
               ".no{background:#fbb}.half{background:#fe9}.yes{background:#dfd}</style>\n")
    page.write(f"<h1>autodiff.h</h1><p>{html.escape(summary)}</p>\n<table>")
    for s, (n, no) in per.items():
        if n:
            page.write(f"<tr><td>{html.escape(s)}<td>{n} lines<td>{no} not executed\n")
    page.write("</table><h2>functions never executed</h2><ul>")
    for line, of in sorted(never.items()):
        page.write(f"<li><a href='#{line}'>{line}</a> {html.escape(' '.join(of))}\n")
    for of, line, reason in excused:
        page.write(f"<li><a href='#{line}'>{line}</a> {html.escape(of)}: {html.escape(reason)}\n")
    page.write("</ul><h2>reasons of branches not taken</h2><ul>")
    for i, (name, reason) in enumerate(classes):
        page.write(f"<li>{html.escape(name)}, {per_class[i]} sides: {html.escape(reason)}\n")
    page.write("</ul><table>")
    for n, row in enumerate(text, 1):
        why = f"{half.get(n, '')} {classes[reason_of[n]][0] if n in reason_of else ''}".strip()
        kind = "" if n not in lines else "no" if not lines[n] else "half" if n in half else "yes"
        count = "" if n not in lines else lines[n]
        page.write(f"<tr id={n} class='{kind}'><td>{n}<td>{count}<td>{why}"
                   f"<td>{html.escape(row)}\n")
    page.write("</table>\n")
with open(os.path.join(directory, "lines.txt"), "w") as out:
    for n in missing:
        out.write(f"{n}: {text[n - 1]}\n")
with open(os.path.join(directory, "branches.txt"), "w") as out:
    for n in sorted(half):
        out.write(f"{n}: {half[n]}: {text[n - 1]}\n")

for line, of in sorted(never.items()):
    print(f"autodiff.h:{line}: never executed: {' '.join(of)}")
for complaint in bare + stale:
    print(complaint)
print(summary)
sys.exit(bool(never or bare or stale) or percent < least)
