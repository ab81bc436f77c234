"""Prints which files of a checkout name the grid of cells, and the words that they use:

    python tests/codegen/grid_knowledge.py [CHECKOUT]

Names and strings of code count; docstrings, comments and sentences do not.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOMS = ("codegen", "engines")
GRID = {"cell", "cells", "grid", "grids", "gridded"}
NAME = re.compile(r"[A-Za-z_]\w*")
TEMPLATE_COMMENTS = re.compile(r"\{#.*?#\}|^[ \t]*#.*?$|  # .*?$", re.DOTALL | re.MULTILINE)


def grid_words(text: str, kind: str) -> set[str]:
    """Return the words of a source text that name the grid.

    kind  'py' or 'j2'
    """
    code = TEMPLATE_COMMENTS.sub("", text)
    names = set(_python_names(text) if kind == "py" else NAME.findall(code))
    parts = {name: re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name) for name in names}
    return {name for name in names if GRID & {part.lower() for part in parts[name]}}


def _python_names(text: str) -> Iterator[str]:
    tree = ast.parse(text)
    alone = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}  # docstrings
    for node in ast.walk(tree):
        for field in ("id", "attr", "arg", "name", "module", "asname"):
            word = getattr(node, field, None)
            if isinstance(word, str):
                yield from NAME.findall(word)
        match node:
            case ast.Constant(value=str() as word) if id(node) not in alone and " " not in word:
                yield from NAME.findall(word)


def files_that_know(checkout: Path) -> dict[str, set[str]]:
    """Return the files of a checkout that name the grid: path in the package -> words."""
    package = checkout / "src" / "murmurate"
    files = {}
    for file in sorted(f for room in ROOMS for f in (package / room).rglob("*")):
        if file.suffix in (".py", ".j2"):
            words = grid_words(file.read_text(encoding="utf-8"), file.suffix[1:])
            if words:
                files[file.relative_to(package).as_posix()] = words
    return files


if __name__ == "__main__":
    files = files_that_know(Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve())
    for path, used in files.items():
        print(f"{path}: {', '.join(sorted(used))}")
    print(f"{len(files)} files, {sum('/candidates/' in path for path in files)} of candidates")
