"""The tree of errors is complete, as its docstring shows it, and decides the exit code."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import murmurate as mm
from murmurate import errors
from murmurate.cli.terminal import EXIT_BAD_INPUT, EXIT_FAILED, exit_code

CLASSES = [value for value in vars(errors).values() if isinstance(value, type)]
PACKAGE = Path(mm.__file__).parent


def tree() -> dict[str, str]:
    """Return class -> parent, as the docstring of the module draws them."""
    parents: dict[str, str] = {}
    path: list[str] = []
    for line in (errors.__doc__ or "").splitlines():
        if name := re.match(r"^    ([│ ├└─]*)(\w+Error)\b", line):
            depth = len(name[1]) // 4
            path[depth:] = [name[2]]
            parents[name[2]] = path[depth - 1] if depth else "Exception"
    return parents


def test_the_docstring_draws_every_class_below_its_parent() -> None:
    drawn = tree()
    assert set(drawn) == {cls.__name__ for cls in CLASSES}
    for cls in CLASSES:
        assert drawn[cls.__name__] in {base.__name__ for base in cls.__bases__}


@pytest.mark.parametrize("cls", CLASSES)
def test_classes_are_public_and_named_errors(cls: type) -> None:
    assert cls.__name__.endswith("Error") and cls.__doc__
    assert getattr(mm, cls.__name__) is cls


def test_no_other_module_defines_a_murmurate_error() -> None:
    """All classes derived from one of the tree stand in errors.py, private ones excepted."""
    names = {cls.__name__ for cls in CLASSES}
    for file in PACKAGE.rglob("*.py"):
        if file.name == "errors.py":
            continue
        text = file.read_text(encoding="utf-8")
        if not re.search(r"^ *class \w+\(.*Error", text, re.MULTILINE):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                bases = {ast.unparse(base).rpartition(".")[2] for base in node.bases}
                assert not bases & names, f"{file}: {node.name}"


@pytest.mark.parametrize("cls", CLASSES)
def test_exit_codes_follow_from_the_tree(cls: type[Exception]) -> None:
    error = cls.__new__(cls)
    assert exit_code(error) == (EXIT_BAD_INPUT if isinstance(error, mm.InputError) else EXIT_FAILED)
