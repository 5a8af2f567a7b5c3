#!/usr/bin/env python3
"""Random single changes of autodiff.h's implementation, and the suites that should see them.
    mutate.py WORK BUILD CC N [SEED]
    mutate.py --check                only whether every section has a suite, every listed line a place
WORK/tree holds a copy of the header; BUILD the objects of `make programs`, which no change of the
implementation touches. A change that gives the same object as before (it stands where this machine
compiles nothing, say) is drawn again, and so is one that does not compile or that tests/mutants.txt
says to be none. The suites run with samples left out (AD_TEST_STRIDE); what they do not see, they
look at again with all, and those of other sections, and all under the sanitizers. Before CC comes
tcc, where there is one: it compiles the library in a third of a second."""
import difflib, glob, os, random, re, resource, subprocess, sys, time

only_check = sys.argv[1:] == ["--check"]
work, build, cc, wanted = ["", "build", "", "0"] if only_check else sys.argv[1:5]
seed = int(sys.argv[5]) if len(sys.argv) > 5 else random.SystemRandom().randrange(10**6)
source = open("autodiff.h" if only_check else work + "/tree/autodiff.h").read().split("\n")

# ---- what is run for a section: suites and programs whose first comment names it, as
# "Sections: Title; title.", first those that name few and are quick
# Programs of checks, whose objects mutate.sh made: arguments for few samples, for all, libraries.
OWN = {"agree": ("150", "1000"), "rates": ("--seed 1 3000", "--seed 1 20000"),
       "large": ("--seed 1 --large 50", "--seed 1 --large 200"),
       "accuracy": ("--points 1000", "--points 30000", "-lmpfr", "-lgmp")}
OWN = {suite: how for suite, how in OWN.items() if os.path.exists(os.path.join(work, suite + ".o"))}
STRIDE = os.environ.get("AD_TEST_STRIDE", "7")
STRIDDEN = {*OWN}                                # what leaves samples out
os.environ["AD_TEST_FIRST"] = "1"                # a failure is enough
limits = {}                                      # seconds of a suite


def sections_of(source):
    first = open(source).read().partition("*/")[0]
    named = re.search(r"\bSections?: ([^.]*)\.", re.sub(r"\s+", " ", first))
    return [title.strip().upper() for title in named.group(1).split(";")] if named else []


NAMED = {suite: sections_of(f"tests/{'rates' if suite == 'large' else suite}.c") for suite in OWN}
for path in ["tests/emit.c"] + glob.glob("tests/test_*.c") + glob.glob("tests/fuzz/*.c"):
    suite = path[6:-2].replace("test_", "").replace("/", "_")
    if "/fuzz/" not in path or os.path.exists(f"{build}/{suite}.o"):    # not all are replayed
        NAMED[suite] = sections_of(path)
        if "test_stride" in open(path).read():
            STRIDDEN.add(suite)


def suites(title):
    return sorted((s for s in NAMED if title in NAMED[s]),
                  key=lambda s: (len(NAMED[s]) * limits.get(s, 1), s))


def run(command, seconds):
    """The exit code, not 0 after so many seconds of the processor."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        if not sanitized:                        # these take addresses without end
            resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return subprocess.call(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                           preexec_fn=limit)


# Memory is not zero by chance: what reads it before it was written is to be seen.
os.environ["MALLOC_PERTURB_"] = "165"
FILLED = ["-ftrivial-auto-var-init=pattern"]


# Pointers in the place of numbers are no C; clang says so where nothing else is said.
QUIET = ["-w"] if "clang" not in cc else ["-Wno-everything", "-Werror=int-conversion",
                                           "-Werror=incompatible-pointer-types"]
# As check-asan: overruns of blocks, and what C leaves undefined.
SANITIZE = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-DAUTODIFF_NO_SIMD"]
os.environ["ASAN_OPTIONS"] = "allocator_may_return_null=1"
sanitized = hasty = False                        # hasty: the library's object is tcc's
TCC_HELPERS = "/usr/lib/x86_64-linux-gnu/tcc/libtcc1.a"    # what its code calls


def compiled(name="impl", level="-O0"):
    how = ["tcc", "-w"] if hasty else [cc, level, *QUIET, *(SANITIZE if sanitized else FILLED)]
    return run([*how, "-c", f"{work}/tree/tests/impl.c", "-o", f"{work}/{name}.o"], 600) == 0


def link(name, objects, *libraries):
    how = SANITIZE if sanitized else []
    helpers = [TCC_HELPERS] if hasty else []
    return run([cc, *how, *objects, f"{work}/impl.o", *helpers, "-o", f"{work}/{name}", *libraries,
                "-lm"], 60) == 0


def b(*names):
    return [f"{build}/{n}.o" for n in names]


def linked():
    tests = sorted(n[:-2] for n in os.listdir(build) if re.match(r"test_\w+\.o$", n))
    return (link("runner", b("main", *tests)) and link("emit", b("emit", "emitted"))
            and link("emitter", b("emitter")))


def passes(suite, seconds, stride=STRIDE):
    os.environ["AD_TEST_STRIDE"] = stride
    few = stride != "1"
    if suite in OWN:                             # a program of a check: linked when it is needed
        arguments = OWN[suite][0 if few else 1]
        return (link(suite, [f"{work}/{suite}.o"], *OWN[suite][2:])
                and run([f"{work}/{suite}", *arguments.split()], seconds) == 0)
    if suite.startswith("fuzz_"):
        return (link(suite, b(suite, suite.replace("fuzz", "replay")))
                and run([f"{work}/{suite}"], seconds) == 0)
    if suite != "emit":
        return run([f"{work}/runner", suite], seconds) == 0
    text = f"{work}/emitted.c"                   # what is emitted may be other text: compiled anew
    if run(["sh", "-c", f"{work}/emitter >{text}"], seconds) != 0:
        return False
    if open(text, "rb").read() != open(f"{build}/emitted.c", "rb").read():
        return (run([cc, "-O0", "-w", "-ffp-contract=off", "-fno-builtin-pow", "-fno-builtin-powf",
                     "-c", text, "-o", f"{work}/emitted.o"], 120) == 0
                and link("emit", b("emit") + [f"{work}/emitted.o"])
                and run([f"{work}/emit"], seconds) == 0)
    return run([f"{work}/emit"], seconds) == 0


# ---- where: code of the implementation, comments and strings blanked
def mask():
    blank = lambda m: re.sub(r"[^\n]", " ", m.group())
    text = "\n".join(source)
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', blank, text,
                  flags=re.S).split("\n")


code = mask()
section, sections = "", []                       # a line's, by its title
for row in source:
    found = re.match(r"/\* =+ \[S\d+\] (.*?)[ *\/]*$", row)
    section = found.group(1) if found else section
    sections.append(section)
first, last = (next(i for i, row in enumerate(source) if row.endswith("## " + part))
               for part in ("IMPLEMENTATION", "FRONTS"))
places = [i for i, row in enumerate(code) if first < i < last and re.search(r"\w", row)
          and not re.match(r"\s*#|\s*(case|default)\b.*:\s*$|.*ASSERT|.*\bstatic const\b", row)]

# ---- what: (pattern, replacements); each match in a line is a place of its own
NUMBER = r"(?<![\w.])(\d+)(?![\w.])"
SWAPS = {"<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"], "==": ["!="],
         "!=": ["=="], "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "+=": ["-=", "="],
         "-=": ["+="], "*=": ["="], "|=": ["=", "&="], "&=": ["|="], "&&": ["||"], "||": ["&&"],
         "++": ["--"], "--": ["++"], "<<": [">>"], ">>": ["<<"], "&": ["|"], "|": ["&"],
         "MUL": ["ADD"], "ADD": ["SUB"], "SUB": ["ADD"], "continue": ["break"],
         "break": [";"], "min": ["max"], "max": ["min"]}
SPACED = {"*", "-", "+", "<", ">", "&", "|", "/"}     # between blanks they are of two operands


STORED = re.compile(r"store\)?\([^;]*[+-] $")
ROOM = re.compile(r"\b(adi_grow|\w*room|store|store_bytes|array|zeros|adi_block_resize)\)?\(")
DECLARED = re.compile(r"\s*(static |const |unsigned )*(\w+|AD\w*\(\w+\)) +(\*|const )*\w+[^=]*\[")


# The lesser, or greater, of two equal numbers is either.
SIMPLE = r"(?<![\w.>\]] )([\w.>\[\]-]+) ([<>]=?) ([\w.>\[\]-]+)"
LESSER = [r"(?<![\w.>\]] )((?:\([\w ]+\))?[\w.>\[\]-]+(?: [-+] [\w.>\[\]-]+)?) ([<>]=?) "
          r"((?:\([\w ]+\))?[\w.>\[\]-]+) \? (\1 : \3|\3 : \1)(?! [-+*/])(?![\w.([>-])",
          r"if \(" + SIMPLE + r"\) (\1 = \3|\3 = \1);",
          SIMPLE + r" \? \1 - \3 : 0\b"]                 # nor is their difference
# Real numbers are equal to a threshold by nothing but chance.
REAL_THRESHOLD = re.compile(r"\s*(fabs\(|\d+(\.\d+)?(e-?\d+)? \* |\d*\.\d|\d+e-\d)")


def closing(row, at):
    depth = 0
    for i in range(at, len(row)):
        depth += (row[i] == "(") - (row[i] == ")")
        if depth == 0:
            return i
    return -1


def changes(i):
    """All changes of line i: (what, from, to, text)."""
    row, found = code[i], []
    either = {m.start(2) for pattern in LESSER for m in re.finditer(pattern, row)}
    for m in re.finditer(r"(\+\+|--|<<|>>|&&|\|\||[-+*|&<>=!]=|[-+*/<>&|]|\b(?:MUL|ADD|SUB|continue"
                         r"|break|min|max)\b)(?!=)", row):
        op = m.group()
        if STORED.search(row[:m.end()] + " ") and re.match(r" 1[,)]", row[m.end():]):
            continue
        if op in SPACED and not (row[m.start() - 1:m.start()] == " "
                                 and row[m.end():m.end() + 1] == " "):
            continue
        if op == "break" and re.match(r"\s*default: break;", code[i + 1]):
            continue                             # there anyway
        for to in SWAPS.get(op, []):
            if m.start() in either and to in (op + "=", op[0]):
                continue
            if (op in ("<", ">", "<=", ">=") and to in (op + "=", op[0])
                    and REAL_THRESHOLD.match(row[m.end():]) and "fabs" in row):
                continue
            found.append(("operator", m.start(), m.end(), to))
    for m in re.finditer(NUMBER, row):
        n = int(m.group())
        if DECLARED.match(row) and row[m.start() - 1] == "[":      # room, mostly
            continue
        if n == 1 and STORED.search(row[:m.start()]) and re.match(r"[,)]", row[m.end():]):
            continue                             # the store gives whole lines of the cache
        near = {n + 1, max(n - 1, 0)}
        if ROOM.search(row) or (n == 1 and re.match(r";", row[m.end():])
                                and re.search(r"(\breturn| =) $", row[:m.start()])):
            near.discard(n + 1)                  # more room is as good as enough, 2 as true as 1
        if n == 1 and re.search(r"adi_g\(.*, $", row[:m.start()]):
            near.discard(0)                      # no digit is one
        for to in near - {n}:
            found.append(("constant", m.start(), m.end(), str(to)))
    for m in re.finditer(r"\b(?:if|while) \(", row):
        end = closing(row, m.end() - 1)
        if end > 0:
            found.append(("condition", m.end(), end, "!(" + source[i][m.end():end] + ")"))
    if re.search(r"[;{}:]\s*\\?$", code[i - 1]) or not code[i - 1].strip():
        m = re.match(r"\s*(?!return\b|goto\b|case\b|const\b|static\b|struct\b|typedef\b|else\b"
                     r"|if\b|for\b|while\b|do\b|size_t\b|int\b|uint\w+\b|REAL\b|double\b"
                     r"|adi_\w+ \*?\w+\b(?!\()"
                     r"|unsigned\b|char\b|AD\w*\(\w+\) \*?\w)([\w(*].*;)\s*\\?$", row)
        if m and m.group(1).count("(") == m.group(1).count(")"):
            found.append(("statement", m.start(1), m.end(1), ";"))
    for m in re.finditer(r"\w\(([\w.>\[\]-]+), ([\w.>\[\]-]+)(?=[,)])", row):
        called = re.search(r"\w+$", row[:m.start() + 1]).group()
        if m.group(1) != m.group(2) and not re.search("MUL|ADD|FN?MA|AND|MAX|MIN|like|larger|smaller", called):
            found.append(("arguments", m.start(1), m.end(2), m.group(2) + ", " + m.group(1)))
    return found


def mutant(dice):
    while True:
        i = dice.choice(places)
        some = changes(i)
        if some:
            what = dice.choice(sorted({c[0] for c in some}))
            return i, dice.choice([c for c in some if c[0] == what])


# ---- what is no mistake: tests/mutants.txt
listed, stale, after = {}, [], None
for line in open("tests/mutants.txt"):
    if line.startswith("  "):
        after = line.strip()
    elif line.startswith("- "):
        before = line[2:].strip(), after
        listed.setdefault(before, set())
        if not any(row.strip() == before[0] and after in (None, source[i - 1].strip())
                   for i, row in enumerate(source)):
            stale.append(before[0])
        after = None
    elif line.startswith("+ "):
        listed[before].add(line[2:].strip())
if stale:
    sys.exit("mutate: tests/mutants.txt has lines that the header has not:\n" + "\n".join(stale))


def known(i, row):
    for after in (None, source[i - 1].strip()):
        to = listed.get((source[i].strip(), after))
        if to is not None and (not to or row.strip() in to):
            return True
    return False


def write(i=None, row=None):
    with open(f"{work}/tree/autodiff.h", "w") as f:
        f.write("\n".join(source if i is None else source[:i] + [row] + source[i + 1:]))


unseen = {sections[i] for i in places if not suites(sections[i])}
if unseen:
    sys.exit("mutate: no suite names these sections: " + "; ".join(sorted(unseen)))
if only_check:
    sys.exit()

# ---- first without a change: everything passes, and takes its time
print(f"mutate: seed {seed}, {wanted} mutants", flush=True)
UNFIT, UNFIT_FOR_TCC = set(OWN), set()           # suites: not under the sanitizers, not with tcc


def made():
    """The object's bytes, None of what does not compile."""
    return open(f"{work}/impl.o", "rb").read() if compiled() else None


def measured():
    """What passes without a change, and in how many seconds: sets the limits of time."""
    for suite in sorted({s for title in set(sections) for s in suites(title)}):
        start = time.time()
        if not passes(suite, 600):
            if not hasty:
                sys.exit(f"mutate: suite {suite} fails without a change")
            UNFIT_FOR_TCC.add(suite)
        limits[suite] = max(limits.get(suite, 0), int(10 + 4 * (time.time() - start)))


write()
hasty, tcc_original = os.path.exists(TCC_HELPERS), None
if hasty:
    tcc_original = made()
    if tcc_original and linked():
        measured()
    hasty = False
if not compiled():
    FILLED.clear()
original = made()
if not original or not linked():
    sys.exit("mutate: the library as it is cannot be compiled")
measured()


def sees(section, stride=STRIDE, unfit=()):
    """The section's first suite that fails; with all samples, of those that leave some out."""
    for s in suites(section):
        if (stride == STRIDE or s in STRIDDEN) and s not in unfit:
            if not passes(s, limits[s] * (10 if sanitized or stride == "1" else 1), stride):
                return s + (", all samples" if stride == "1" else "")
    return None


def others_see(section):
    """Of the suites that do not name the section, with few samples, the first that fails."""
    for s in sorted(set(NAMED) - set(suites(section)), key=limits.get):
        if not passes(s, limits[s], "101"):
            return s + ", which does not name the section"
    return None


def sanitizers_see(i, row):
    """The same under the sanitizers; what they find without the change too does not count."""
    global sanitized
    sanitized = True
    found = compiled() and linked() and sees(sections[i], unfit=UNFIT)
    if found:
        write()
        if not compiled() or not linked() or not passes(found, 10 * limits[found]):
            UNFIT.add(found)
            found = None
        write(i, row)
    sanitized = False
    return found and found + ", sanitized"


def tcc_sees(i):
    """The same with tcc's object, where it has the line and the change makes another of it; and the
    suites that have then looked in vain."""
    global hasty
    hasty, found, vain = True, None, ()
    if tcc_original and made() not in (None, tcc_original):
        found = "the linker" if not linked() else sees(sections[i], unfit=UNFIT_FOR_TCC)
        vain = {*suites(sections[i])} - UNFIT_FOR_TCC
    hasty = False
    return found and found + ", by tcc", vain


def optimised():
    """Whether the optimiser makes the same code of what is written and of what was: "Trivial
    Compiler Equivalence" (Papadakis 2015)."""
    global unchanged
    if not compiled("optimised", "-O2"):
        return False
    changed = open(f"{work}/optimised.o", "rb").read()
    if unchanged is None:
        here = open(f"{work}/tree/autodiff.h").read()
        write()
        unchanged = compiled("optimised", "-O2") and open(f"{work}/optimised.o", "rb").read()
        with open(f"{work}/tree/autodiff.h", "w") as f:
            f.write(here)
    return changed == unchanged


unchanged = None
dice = random.Random(seed)
survivors = count = same = 0
began = time.time()
while count < int(wanted):
    i, (what, low, high, to) = mutant(dice)
    row = source[i][:low] + to + source[i][high:]
    if known(i, row):
        same += 1
        continue
    write(i, row)
    start = time.time()
    killer, vain = tcc_sees(i)
    if not killer:
        changed = made()
        if changed in (None, original):          # no C, or no change
            same += changed is not None
            continue
        killer = "the linker" if not linked() else sees(sections[i], unfit=vain)
        if not killer and optimised():           # before the long looks
            same += 1
            continue
        killer = (killer or others_see(sections[i]) or sees(sections[i], "1")
                  or sanitizers_see(i, row))
    count += 1
    print(f"{count:4d} {sections[i]}, line {i + 1}, {what}: "
          + (f"{killer}" if killer else "SURVIVED") + f" ({time.time() - start:.0f} s)", flush=True)
    if not killer:
        survivors += 1
        near = slice(max(i - 3, 0), i + 4)
        changed = source[:i] + [row] + source[i + 1:]
        for line in list(difflib.unified_diff(source[near], changed[near], lineterm=""))[3:]:
            print("      " + line, flush=True)
write()
print(f"mutate: seed {seed}: {count} mutants, {survivors} survived ({same} more are no change); "
      f"{(time.time() - began) / max(count, 1):.1f} s a mutant")
