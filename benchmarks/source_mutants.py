"""Mutants of the source code, and which tests notice them.

    python benchmarks/source_mutants.py [PACKAGE ...] [--count 300] [--seed 1] [--jobs 2]
                                        [--slow] [--budget 60] [--tests PATH ...] [--lines FILE]

A mutant is a copy of the package in which one operator, number, condition or function of one line
differs. Docstrings, comments, messages of errors, imports and annotations are never changed. The
mutants are drawn from all lines with a seed, each by its own text: a change of the code changes
few of them.

A test notices a mutant if it fails, or does not end, and passes without it. First one run of the
suite records which tests execute which lines (`--lines` keeps that record in a folder, for another
call); then each mutant gets the tests that execute its statement, those of its package first and
the cheapest of them first, until one fails. What is not, or not only, executed line by line also
gets the tests of kernels that Python interprets, then those of its package and of those that import
it: templates of kernels, functions that numba compiles, and what runs on import. With --slow,
mutants that the default tests miss also get the slow tests of these packages. Each group of tests
ends after --budget seconds of processor time, so the whole suite may notice more. The tests run in
forks of a process that has imported the libraries.

With --listed, the mutants are those of an earlier call whose lines are still there, and that no
test has noticed: so tests of what survived can be tried. The tests must pass without a mutant.
results/source_mutants.jsonl keeps a line for each mutant: its
file, line and change, and the test of each layer that noticed it, or '' if none did. At the end a
table of the packages and a list of the survivors are printed.
"""

from __future__ import annotations

import argparse
import ast
import compileall
import hashlib
import json
import os
import queue
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from forked_tests import OUTPUT, ROOT, first_failure
from json_lines import read_lines, write_lines

PACKAGE = ROOT / "src" / "murmurate"
FILE = ROOT / "benchmarks" / "results" / "source_mutants.jsonl"
FIRST = 40  # tests that a mutant gets before all others
INTERPRETED = {  # tests that execute the text of kernels, by the suffix of a file
    ".wgsl": ["tests/engines/test_gpu_interpreted.py"],
    "": ["tests/engines/parity/test_interpreted.py"],
}
PRINTED = ("codegen", "engines", "language", "rules")  # kernels contain some of their functions
LAYERS = {
    "default": "not slow and not long and not site",
    "slow": "slow and not long and not site",
}

sys.path.append(str(ROOT / "tests" / "support"))
import packages  # noqa: E402

CHANGES = (
    (r" \+ ", " - "), (r" - ", " + "), (r" \* ", " / "), (r" / ", " * "), (r"(?<= )-(?=[a-z])", ""),
    (r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "), (r" >= ", " > "), (r" == ", " != "),
    (r" != ", " == "), (r" and ", " or "), (r" or ", " and "), (r" && ", " || "), (r"\bnot ", ""),
    (r"\bif (?!not )", "if not "), (r"(?<! not) in (?=[A-Za-z_.]+:?$)", " not in "),
    (r"\b0\.5\b", "0.25"), (r"\b2\.0\b", "1.0"), (r"\b1\.0\b", "2.0"), (r"(?<=[+-] )1\b", "2"),
    (r"\[0\]", "[-1]"), (r"\bmin(2?)(?=\()", r"max\1"), (r"\bmax(2?)(?=\()", r"min\1"),
    (r"\bany\(", "all("), (r"\ball\(", "any("), (r"\bcos\b", "sin"), (r"\bsin\b", "cos"),
    (r"(?<!strict=)\bTrue\b", "False"), (r"\bFalse\b", "True"),
)  # fmt: skip
"""What a mutant changes: a pattern, and what replaces it."""
EQUIVALENT = (
    # a point on the surface of a tank moves by 0
    r"codegen/obstacle_contact.py: if r > most: -> if r >= most:",
    # which cells have their candidates gathered: the search finds the same, in more or less time
    r"codegen/candidates/.*/sweep_cells.py.j2: if start\[.* -> (if|if not) start\[cell . .\] . "
    r"start\[cell\] >=? .* and aside \+ full \+ 16 <=? stage.*",
    # a smaller radius that is covered, or a wider search: the same neighbours
    r"codegen/candidates/.*/staging.py.j2: above = .* \+ 1\) .* -> .* - 1\) .*",
    r"codegen/candidates/.*/nearest.py.j2: if bound > (min2.*) -> if bound >= \1",
    # a thread that polls less
    r"codegen/templates/many_steps.py.j2: if left \+ (.*) > 0: -> if left \+ \1 >= 0:",
)
"""Patterns of mutants that compute the same: no test can notice them, so none is drawn."""


@dataclass(frozen=True)
class Mutant:
    """A change of one line of a file of the package."""

    file: str
    line: int
    before: str
    after: str

    @property
    def package(self) -> str:
        return self.file.split("/")[0].removesuffix(".py")

    @property
    def key(self) -> str:
        """The mutant, without its line number: an earlier line may be added."""
        return f"{self.file}: {self.before.strip()} -> {self.after.strip()}"


def mutants(names: list[str]) -> Iterator[Mutant]:
    """Yield all mutants of some packages, or of all."""
    suffixes = (".py", ".j2", ".wgsl")
    for path in sorted(path for path in PACKAGE.rglob("*") if path.suffix in suffixes):
        file = path.relative_to(PACKAGE).as_posix()
        if names and file.split("/")[0].removesuffix(".py") not in names:
            continue
        lines = path.read_text(encoding="utf-8").splitlines()
        for number in code_lines(path, lines):
            line = lines[number - 1]
            for old, new in CHANGES:
                for match in re.finditer(old, line.split("  # ")[0].split(" // ")[0]):
                    in_text = line[: match.start()].count('"') % 2
                    after = line[: match.start()] + match.expand(new) + line[match.end() :]
                    if not in_text or path.name.endswith("_text.py"):  # which write code
                        if path.suffix == ".py" and not parses(lines, number, after):
                            continue
                        mutant = Mutant(file, number, line, after)
                        if not any(re.fullmatch(same, mutant.key) for same in EQUIVALENT):
                            yield mutant


def parses(lines: list[str], number: int, after: str) -> bool:
    """Return whether a line of Python is still code: `if` of a comprehension may not be."""
    text = after.strip()
    alone = text + " pass" if text.endswith(":") else text
    try:
        ast.parse("if x: pass\n" + alone if text.startswith("el") else alone)
    except SyntaxError:  # a part of a longer statement
        try:
            ast.parse("\n".join([*lines[: number - 1], after, *lines[number:]]))
        except SyntaxError:
            return False
    return True


def code_lines(path: Path, lines: list[str]) -> list[int]:
    """Return the numbers of the lines that are code, from 1."""
    skipped: set[int] = set()
    if path.suffix == ".py":
        for node in ast.walk(ast.parse("\n".join(lines))):
            text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            if text or isinstance(node, ast.Raise | ast.Import | ast.ImportFrom):
                skipped.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    elif path.suffix == ".j2":
        inside = False
        for number, line in enumerate(lines, 1):
            inside = inside or "{#" in line
            if inside or line.lstrip().startswith("%% macro"):
                skipped.add(number)
            inside = inside and "#}" not in line
    comments = ["#", "//", '"""', "if TYPE_CHECKING", "@"]
    if not path.name.endswith("_text.py"):  # which write code, in strings
        comments += ['"', 'f"']
    return [
        number
        for number, line in enumerate(lines, 1)
        if number not in skipped and line.strip() and not line.lstrip().startswith(tuple(comments))
    ]


def drawn(names: list[str], count: int, seed: int) -> list[Mutant]:
    """Return some mutants at random: those of the first digests of the seed and their text.

    So they depend neither on `count` nor on lines elsewhere.
    """

    def digest(mutant: Mutant) -> bytes:
        return hashlib.sha256(f"{seed} {mutant.key}".encode()).digest()

    return sorted({m.key: m for m in mutants(names)}.values(), key=digest)[:count]


class Lines:
    """Which tests execute which lines, and how long each takes.

    Made by a run of the suite with the plugin `executed_lines`, or read from its file.
    """

    def __init__(self, folder: Path, layer: str) -> None:
        self.folder = folder / layer
        if not self.folder.exists():
            self.folder.mkdir(parents=True)
            environment = {
                **os.environ,
                "EXECUTED_LINES": str(self.folder),
                "PYTHONPATH": os.pathsep.join([str(PACKAGE.parent), str(Path(__file__).parent)]),
            }
            command = ["-m", LAYERS[layer], "-p", "executed_lines", "-n", "2"]
            ran = subprocess.run(
                [sys.executable, "-m", "pytest", *command], cwd=ROOT, env=environment
            )
            if ran.returncode:
                shutil.rmtree(self.folder)
                sys.exit(f"the {layer} tests fail without a mutant: mend them first")
        from coverage import CoverageData

        self.data = [CoverageData(str(path)) for path in self.folder.glob("*.coverage")]
        for data in self.data:
            data.read()
        self.costs: dict[str, float] = {}
        for path in self.folder.glob("*.json"):
            self.costs.update(json.loads(path.read_text(encoding="utf-8")))

    def tests(self, file: str, lines: Iterable[int]) -> list[str]:
        """Return the tests that execute one of some lines: of its package first, then the cheapest.

        Without what runs before all tests, on import.
        """
        found: set[str] = set()
        for data in self.data:
            for name in data.measured_files():  # of the checkout in which it was recorded
                if name.endswith(f"src/murmurate/{file}"):
                    contexts = data.contexts_by_lineno(name)
                    found.update(*(contexts.get(line, ()) for line in lines))
        own = f"tests/{file.split('/')[0].removesuffix('.py')}/"
        return sorted(
            found & set(self.costs), key=lambda test: (not test.startswith(own), self.costs[test])
        )


def statement(mutant: Mutant) -> range:
    """Return the lines of the statement of a mutant; those of its head, if it has a body."""
    found = range(mutant.line, mutant.line + 1)
    if mutant.file.endswith(".py"):
        for node in ast.walk(ast.parse((PACKAGE / mutant.file).read_text(encoding="utf-8"))):
            if isinstance(node, ast.stmt) and node.lineno <= mutant.line <= (node.end_lineno or 0):
                body = getattr(node, "body", None)
                end = body[0].lineno - 1 if body else node.end_lineno or 0
                found = range(node.lineno, max(node.lineno, end) + 1)
    return found


def has_compiled_functions(file: str) -> bool:
    """Return whether numba compiles functions of a file: tests do not execute their lines."""
    text = (PACKAGE / file).read_text(encoding="utf-8")
    return bool(re.search(r"^(from|import) (numba|murmurate\.jit)\b", text, re.MULTILINE))


def tests_of(mutant: Mutant, lines: Lines | None) -> list[list[str]]:
    """Return lists of tests for a mutant, in the order in which they are to run."""
    executing = lines.tests(mutant.file, statement(mutant)) if lines else []
    printed = mutant.package in PRINTED
    if executing and not printed and not has_compiled_functions(mutant.file):
        return [executing[:FIRST], executing[FIRST:]]
    if lines and not executing:  # on import, or in a compiled function
        executing = lines.tests(mutant.file, range(1, 10000))[:FIRST]
    near = packages.affected([f"src/murmurate/{mutant.file}"]) or set()
    own = [name for name in (mutant.package,) if (packages.TESTS / name).is_dir()]
    folders = [[f"tests/{name}" for name in names] for names in (own, sorted(near - set(own)))]
    kernels = INTERPRETED.get(Path(mutant.file).suffix, INTERPRETED[""]) if printed else []
    return [executing[:FIRST], kernels, executing[FIRST:], *folders]


def noticed_by(
    mutant: Mutant, folder: Path, tests: list[str], layer: str, budget: float | None = None
) -> str:
    """Return the first test that fails for a mutant; 'limit' for a hang; '' if none fails.

    `folder` contains a copy of the package.
    """
    path = folder / "murmurate" / mutant.file
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    changed = list(lines)
    changed[mutant.line - 1] = changed[mutant.line - 1].replace(mutant.before, mutant.after)

    fresh = has_compiled_functions(mutant.file)

    def failing(some: list[str], text: list[str]) -> str:
        try:
            write(path, "".join(text))
            return first_failure(folder, some, LAYERS[layer], budget, fresh)
        finally:
            write(path, "".join(lines))

    while failed := failing(tests, changed):
        alone = [failed] if "::" in failed else [*tests, "--collect-only"]
        if not failing(alone, lines) and ("::" not in failed or failing(alone, changed)):
            break
        if "::" not in failed:
            sys.exit(f"{failed} without a mutant: {(folder / OUTPUT).read_text(encoding='utf-8')}")
        print(f"left out, since it depends on other tests, or always fails: {failed}", flush=True)
        tests = [*tests, "--deselect", failed]
    return failed


def write(path: Path, text: str) -> None:
    """Write a source file, and remove its bytecode, which may have the same time and size."""
    path.write_text(text, encoding="utf-8")
    for compiled in path.parent.glob(f"__pycache__/{path.stem}.*.pyc"):
        compiled.unlink()


def tried(mutant: Mutant, row: dict[str, Any], folder: Path, options: Any) -> dict[str, Any]:
    """Return the row of a mutant, after the layers that it lacks."""
    row = {"mutant": mutant.key, "package": mutant.package, **row, "line": mutant.line}
    for layer in LAYERS if options.slow else ["default"]:
        if layer not in row:
            lines = options.recorded.get(layer)
            groups = [options.tests] if options.tests else tests_of(mutant, lines)
            row[layer] = next(
                (
                    by
                    for tests in groups
                    if tests and (by := noticed_by(mutant, folder, tests, layer, options.budget))
                ),
                "",
            )
        if row[layer]:
            break
    return row


def table(rows: list[dict[str, Any]]) -> str:
    """Return a Markdown table of the packages, and the mutants that no test noticed."""
    drawn_of = Counter(row["package"] for row in rows)
    default = Counter(row["package"] for row in rows if row["default"])
    noticed = Counter(row["package"] for row in rows if row["default"] or row.get("slow"))
    out = ["| package | mutants | noticed by default | by all |", "|---|---:|---:|---:|"]
    for name in [*sorted(drawn_of), None]:
        counts = [
            counter.total() if name is None else counter[name]
            for counter in (drawn_of, default, noticed)
        ]
        out.append(f"| {'all' if name is None else f'`{name}`'} | {' | '.join(map(str, counts))} |")
    survivors = [row for row in rows if not row["default"] and not row.get("slow")]
    lines = [f"- `{row['mutant']}`" for row in sorted(survivors, key=lambda row: row["mutant"])]
    return "\n".join([*out, "", "Survivors:", "", *lines, ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("packages", nargs="*", metavar="PACKAGE")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--slow", action="store_true", help="also the slow tests, for what is left")
    parser.add_argument("--budget", type=float, default=60.0, help="seconds for a group of tests")
    parser.add_argument("--tests", nargs="+", help="these, instead of those that may notice it")
    parser.add_argument("--lines", type=Path, help="folder of the record of executed lines")
    parser.add_argument("--listed", action="store_true", help="survivors of the file of results")
    options = parser.parse_args()
    known = {row["mutant"]: row for row in read_lines(FILE)} if FILE.exists() else {}
    chosen = drawn(options.packages, options.count, options.seed)
    if options.listed:
        left = {key for key, row in known.items() if not (row["default"] or row.get("slow"))}
        chosen = [mutant for mutant in mutants(options.packages) if mutant.key in left]
        known = {key: row for key, row in known.items() if key not in left}
    rows = {m.key: known.get(m.key, {}) if not options.tests else {} for m in chosen}
    with tempfile.TemporaryDirectory() as name:
        options.recorded = {}
        if not options.tests:
            options.recorded["default"] = Lines(options.lines or Path(name) / "lines", "default")
        copies: queue.Queue[Path] = queue.Queue()
        for k in range(options.jobs):
            copies.put(Path(name) / str(k))
            shutil.copytree(PACKAGE, Path(name) / str(k) / "murmurate")
            compileall.compile_dir(Path(name) / str(k), quiet=1)
        if options.tests and (
            failed := first_failure(Path(name) / "0", options.tests, LAYERS["default"])
        ):
            sys.exit(f"{failed} fails without a mutant: mend it first")

        def attempt(mutant: Mutant) -> dict[str, Any]:
            folder = copies.get()
            try:
                return tried(mutant, rows[mutant.key], folder, options)
            finally:
                copies.put(folder)

        with ThreadPoolExecutor(options.jobs) as pool:
            jobs = {pool.submit(attempt, mutant): mutant for mutant in chosen}
            for number, job in enumerate(as_completed(jobs), 1):
                mutant, row = jobs[job], job.result()
                rows[mutant.key] = row
                result = next((row[layer] for layer in LAYERS if row.get(layer)), "SURVIVED")
                print(f"{number}/{len(chosen)} {mutant.file}:{mutant.line}: {result}", flush=True)
                print(f"    - {mutant.before.strip()}\n    + {mutant.after.strip()}", flush=True)
                if not options.tests:
                    done = {key: row for key, row in {**known, **rows}.items() if row}
                    write_lines(FILE, (done[key] for key in sorted(done)))
    print(table(list(rows.values())))


if __name__ == "__main__":
    main()
