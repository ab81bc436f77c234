"""Mutants of source code: templates of kernels, kernel functions, engines and rules, changed in one
place each, and the tests that notice them. `python benchmarks/mutants.py --sources` runs it.

A mutant is a copy of the package in which one operator, number or function of one line differs. Its
tests run in a process of their own, with the copy as package. They notice a mutant if one fails,
or if they take longer than the limit. Lines of comments, docstrings and errors are left out. The
sites are drawn with a seed, so that a command gives the same mutants until the code changes.

results/source_mutants.jsonl keeps a line for each mutant: its group, file, line and change; the
tests that noticed it, all of them with --all and else the first; the tests that were run. A mutant
that is known for the same tests is not tried again.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from json_lines import read_lines, write_lines

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "murmurate"
FILE = ROOT / "benchmarks" / "results" / "source_mutants.jsonl"
LIMIT = 900.0  # seconds for the tests of a mutant

PARITY = ("tests/engines/parity", "tests/rules", "tests/engines/symmetry", "tests/engines/restart")
GROUPS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "templates": (("codegen/templates/*.j2", "codegen/candidates/pages/*.j2"), PARITY),
    "functions": (
        ("codegen/*_functions.py", "codegen/candidates/*_functions.py", "codegen/obstacle_*.py",
         "codegen/mesh_*.py"),
        (*PARITY, "tests/language"),
    ),
    "engines": (("engines/*.py", "engines/cpu/*.py", "engines/slabs/*.py"),
                (*PARITY, "tests/engines", "tests/engines/slabs")),
    "reference": (("engines/reference/*.py",), PARITY),
    "wgsl": (("engines/gpu/*.wgsl", "engines/gpu/*_text.py"),
             ("tests/engines", "tests/language")),
    "rules": (("rules/*.py",), (*PARITY, "tests/zoo")),
}  # fmt: skip
"""Group of files -> patterns of its files, and the tests that should notice its mutants."""

CHANGES = (
    (r" \+ ", " - "), (r" - ", " + "), (r" \* ", " / "), (r" / ", " * "), (r"(?<= )-(?=[a-z])", ""),
    (r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "), (r" >= ", " > "), (r" == ", " != "),
    (r" != ", " == "), (r" and ", " or "), (r" or ", " and "), (r" && ", " || "), (r"\bnot ", ""),
    (r"\b0\.5\b", "0.25"), (r"\b2\.0\b", "1.0"), (r"\b1\.0\b", "2.0"), (r"(?<=[+-] )1\b", "2"),
    (r"\bmin(2?)(?=\()", r"max\1"), (r"\bmax(2?)(?=\()", r"min\1"),
    (r"\bcos\b", "sin"), (r"\bsin\b", "cos"),
    (r"\bTrue\b", "False"), (r"\bFalse\b", "True"),
)  # fmt: skip
"""What a mutant changes: a pattern, and what replaces it."""


@dataclass(frozen=True)
class Site:
    """A change of one line of a file of the package."""

    group: str
    file: str
    line: int
    before: str
    after: str

    @property
    def key(self) -> str:
        """The mutant, without its line number: an earlier line may be added."""
        return f"{self.file}: {self.before.strip()} -> {self.after.strip()}"


def sites(group: str) -> Iterator[Site]:
    """Yield all changes of the files of a group."""
    for pattern in GROUPS[group][0]:
        for path in sorted(PACKAGE.glob(pattern)):
            lines = path.read_text(encoding="utf-8").splitlines()
            for number in code_lines(path, lines):
                line = lines[number - 1]
                for old, new in CHANGES:
                    for match in re.finditer(old, line.split("  # ")[0].split(" // ")[0]):
                        in_text = line[: match.start()].count('"') % 2
                        if in_text and not path.name.endswith("_text.py"):
                            continue
                        after = line[: match.start()] + match.expand(new) + line[match.end() :]
                        name = path.relative_to(PACKAGE).as_posix()
                        yield Site(group, name, number, line, after)


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
    comments = ["#", "//", '"""']
    if not path.name.endswith("_text.py"):  # which write code, in strings
        comments += ['"', 'f"']
    return [
        number
        for number, line in enumerate(lines, 1)
        if number not in skipped and line.strip() and not line.lstrip().startswith(tuple(comments))
    ]


def drawn(group: str, count: int, seed: int) -> list[Site]:
    """Return some sites of a group, at random: the same for a seed, and first ones for a count."""
    every = list(sites(group))
    random.Random(f"{group} {seed}").shuffle(every)
    return every[:count]


def noticed_by(site: Site, folder: Path, tests: tuple[str, ...], every: bool) -> tuple[str, ...]:
    """Return the tests that fail for a mutant: the first one, or all; 'limit' for a hang."""
    path = folder / "murmurate" / site.file
    text = path.read_text(encoding="utf-8").splitlines(keepends=True)
    changed = list(text)
    changed[site.line - 1] = changed[site.line - 1].replace(site.before, site.after)
    path.write_text("".join(changed), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-n", "0", "-q", "--tb=no", "-rfE",
               "-p", "no:cacheprovider", *(() if every else ("-x",)), *tests]  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True,
                             timeout=LIMIT, check=False)  # fmt: skip
    except subprocess.TimeoutExpired:
        return ("limit",)
    finally:
        path.write_text("".join(text), encoding="utf-8")
    failed = re.findall(r"^(?:FAILED|ERROR) (\S+)", ran.stdout, re.MULTILINE)
    return tuple(failed) if ran.returncode in (0, 1, 2) else ("crash",)


def run(options: argparse.Namespace) -> None:
    """Try mutants of some groups, and print which tests noticed them."""
    rows: dict[str, dict[str, Any]] = {}
    if FILE.exists():
        rows = {f"{row['mutant']} {row['tests']}": row for row in read_lines(FILE)}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(PACKAGE, folder / "murmurate", ignore=shutil.ignore_patterns("__pycache__"))
        for group in options.sources:
            tests = tuple(options.tests or GROUPS[group][1])
            found = 0
            chosen = drawn(group, options.count, options.seed)
            for number, site in enumerate(chosen, 1):
                key = f"{site.key} {list(tests)}"
                if key not in rows or (options.all and not rows[key]["all"]):
                    rows[key] = {
                        "mutant": site.key, "group": group, "line": site.line,
                        "tests": list(tests), "all": options.all,
                        "noticed": list(noticed_by(site, folder, tests, options.all)),
                    }  # fmt: skip
                    write_lines(FILE, (rows[key] for key in sorted(rows)))
                noticed = rows[key]["noticed"]
                found += bool(noticed)
                result = f"noticed by {noticed[0]}" if noticed else "SURVIVED"
                if len(noticed) > 1:
                    result += f" and {len(noticed) - 1} more"
                print(f"{number}/{len(chosen)} {site.file}:{site.line}: {result}", flush=True)
                print(f"    - {site.before.strip()}\n    + {site.after.strip()}", flush=True)
            print(f"{group}: {found} of {len(chosen)} noticed", flush=True)
