#!/usr/bin/env python3
"""Makes examples/nist/*.txt from NIST's files of the nonlinear regression datasets.

    nist_convert.py ORIGINALS DIR             writes DIR/<Name>.txt from ORIGINALS/<Name>.dat
    nist_convert.py ORIGINALS --compare DIR   checks that DIR holds the same numbers; exit 1 if not

ORIGINALS is a directory with the files of https://www.itl.nist.gov/div898/strd/nls/nls_main.shtml.
Only figures and the model's formula are taken. --compare reads DIR with a parser of its own and
compares exact decimals, so that a slip in writing shows.
"""
import re
import sys
from decimal import Decimal
from pathlib import Path

NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"

# Some copies of Roszman1.dat have the certified b1 garbled, a column out of place. The value on the
# right is that of the other published copies, and the least-squares solution of the file's data.
MISPRINTS = {("Roszman1", "1.20196866396E-0"): "2.0196866396E-01"}


def tidy(number):
    """10.07E0 -> 10.07; every other spelling stays, digits and trailing zeros too."""
    return re.sub(r"[eE][-+]?0+$", "", number)


def find(pattern, text, what):
    found = re.search(pattern, text, re.MULTILINE)
    if not found:
        raise ValueError(f"no {what}")
    return found.group(1)


def read_original(path):
    """The numbers of one of NIST's files, still as text, in a dictionary."""
    text = path.read_text(encoding="ascii").replace("\r", "")
    name = find(r"^Dataset Name:\s*(\S+)", text, "name")
    for (whose, wrong), right in MISPRINTS.items():
        if name == whose and wrong in text:
            print(f"{path}: {wrong} is a misprint, read as {right}")
            text = text.replace(wrong, right)
    head, data = re.split(r"^Data:\s+y\b.*\n", text, maxsplit=1, flags=re.MULTILINE)
    model = find(r"^(Model:(?:.*\n)+?)\s*Starting [Vv]alues", head, "model")
    lines = [" ".join(line.split()) for line in model.splitlines()]
    first = next(i for i, line in enumerate(lines) if re.match(r"(y|log\[y\])\s*=", line))
    formula = " ".join(line for line in lines[first:] if line)
    formula = re.sub(r"\s*\+ e$", "", formula.translate(str.maketrans("[]", "()")))
    problem = {
        "name": name,
        "difficulty": find(r"^\s*(\w+) Level of Difficulty", head, "difficulty").lower(),
        "model": formula.replace("( ", "(").replace(" )", ")").replace("**", "^"),
        "rss": find(rf"^Residual Sum of Squares:\s*({NUMBER})", head, "residual sum of squares"),
        "b": re.findall(rf"^\s*b\d+ =\s+({NUMBER})\s+({NUMBER})\s+({NUMBER})\s+({NUMBER})\s*$",
                        head, re.MULTILINE),
        "data": [re.findall(NUMBER, line) for line in data.splitlines() if line.strip()],
    }
    count = {"parameters": int(find(r"(\d+) Parameters", head, "number of parameters")),
             "observations": int(find(r"(\d+) Observations", head, "number of observations"))}
    columns = {len(row) for row in problem["data"]}
    if len(problem["b"]) != count["parameters"] or len(problem["data"]) != count["observations"]:
        raise ValueError("not as many rows as the text says")
    if len(columns) != 1 or columns.pop() < 2:
        raise ValueError("data rows of different lengths")
    return problem


def write(problem, path):
    predictors = len(problem["data"][0]) - 1
    names = ["y"] + (["x"] if predictors == 1 else [f"x{i + 1}" for i in range(predictors)])
    out = ["# NIST Statistical Reference Datasets, nonlinear regression",
           "# written by tools/nist_convert.py",
           f"name          {problem['name']}",
           f"model         {problem['model']}",
           f"difficulty    {problem['difficulty']}",
           f"parameters    {len(problem['b'])}",
           f"predictors    {predictors}",
           f"observations  {len(problem['data'])}",
           f"rss           {problem['rss']}",
           "",
           "#     start 1       start 2       certified value    standard deviation"]
    for i, row in enumerate(problem["b"]):
        out.append("b{:<4} {:<13} {:<13} {:<18} {}".format(i + 1, *row))
    out += ["", "# data: " + ", ".join(names)]
    for row in problem["data"]:
        out.append("  ".join(f"{tidy(number):>12}" for number in row))
    path.write_text("\n".join(out) + "\n", encoding="ascii")


def read_ours(path):
    """All numbers of one of our files in order: rss, then b, then data."""
    words = [line.split() for line in path.read_text(encoding="ascii").splitlines()
             if line.strip() and not line.startswith("#")]
    head = {w[0]: w[1] for w in words[:7]}
    if not {"name", "difficulty", "parameters", "predictors", "observations", "rss"} <= set(head):
        raise ValueError("not in our format")
    if [int(head[key]) for key in ("parameters", "predictors", "observations")] != [
            sum(w[0][0] == "b" for w in words[7:]), len(words[-1]) - 1,
            sum(w[0][0] != "b" for w in words[7:])]:
        raise ValueError("not as many rows as its head says")
    numbers = [head["rss"]] + [n for w in words[7:] for n in (w[1:] if w[0][0] == "b" else w)]
    return head["name"], head["difficulty"], [Decimal(n) for n in numbers]


def compare(problem, path):
    """What differs between an original and our file; None if nothing does."""
    numbers = [problem["rss"]] + [n for row in problem["b"] + problem["data"] for n in row]
    theirs = (problem["name"], problem["difficulty"], [Decimal(n) for n in numbers])
    ours = read_ours(path)
    if theirs[:2] != ours[:2] or len(theirs[2]) != len(ours[2]):
        return "name, difficulty or the count of numbers differs"
    wrong = [f"{a} is {b} here" for a, b in zip(theirs[2], ours[2]) if a != b]
    return "; ".join(wrong) or None


def main(arguments):
    comparing = "--compare" in arguments
    where = [a for a in arguments if a != "--compare"]
    if len(where) != 2 or any(a.startswith("-") for a in where):
        print(__doc__, file=sys.stderr)
        return 2
    originals = sorted(Path(where[0]).glob("*.dat"))
    target = Path(where[1])
    if not originals:
        print(f"{where[0]}: no .dat files", file=sys.stderr)
        return 1
    problems = 0
    if not comparing:
        target.mkdir(parents=True, exist_ok=True)
    for path in originals:
        ours = target / (path.stem + ".txt")
        try:
            problem = read_original(path)
            fault = compare(problem, ours) if comparing else write(problem, ours)
        except (ValueError, OSError, ArithmeticError, IndexError) as error:
            fault = str(error) or type(error).__name__
        if fault:
            print(f"{ours if comparing else path}: {fault}", file=sys.stderr)
            problems += 1
    surplus = {p.stem for p in target.glob("*.txt")} - {p.stem for p in originals}
    if comparing and surplus:
        print(f"{target}: no original of {', '.join(sorted(surplus))}", file=sys.stderr)
        problems += 1
    verb = "compared" if comparing else "written"
    print(f"{len(originals)} files {verb}, {problems} faults")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
