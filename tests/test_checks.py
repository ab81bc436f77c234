"""Every test can fail: it asserts something, by itself or by a function that it calls, and no
assertion is true whatever the code does."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
Function = ast.FunctionDef | ast.AsyncFunctionDef
FAILING = ("until", "raises", "warns", "fail", "wait_for", "wait", "check_call")
"""`until`, and functions of libraries, that fail where something is not as it should be. So do
those whose names begin with `assert_`, and calls with `check=True`."""


@cache
def functions(tree: ast.AST) -> list[Function]:
    return [node for node in ast.walk(tree) if isinstance(node, Function)]


@cache
def called(node: ast.AST) -> set[str]:
    """The names of the functions that are called in a node, without their modules."""
    names = set()
    for call in ast.walk(node):
        if isinstance(call, ast.Call):
            of = call.func
            names.add(of.attr if isinstance(of, ast.Attribute) else getattr(of, "id", ""))
    return names


@cache
def checks_itself(node: ast.AST) -> bool:
    """Whether a function asserts, raises, or calls what does."""
    if any(isinstance(part, ast.Assert | ast.Raise) for part in ast.walk(node)):
        return True
    words = [
        word for part in ast.walk(node) if isinstance(part, ast.Call) for word in part.keywords
    ]
    if any(word.arg == "check" and ast.unparse(word.value) == "True" for word in words):
        return True
    return any(name in FAILING or name.startswith("assert_") for name in called(node))


def helpers(trees: list[ast.Module]) -> set[str]:
    """The names of functions that check something: those that do so wherever they are defined."""
    defined: dict[str, list[Function]] = {}
    for tree in trees:
        for function in functions(tree):
            defined.setdefault(function.name, []).append(function)
    found = {name for name, all_ in defined.items() if all(map(checks_itself, all_))}
    while True:
        more = {
            name
            for name, all_ in defined.items()
            if name not in found and all(called(function) & found for function in all_)
        }
        if not more:
            return {name for name in found if not name.startswith("test_")}
        found |= more


def without_checks(trees: dict[str, ast.Module]) -> list[str]:
    """The tests that check nothing."""
    known = helpers(list(trees.values()))
    of_file = {Path(name).stem: helpers([tree]) for name, tree in trees.items()}
    return [
        f"{name}:{function.lineno} {function.name}"
        for name, tree in trees.items()
        for function in functions(tree)
        if function.name.startswith("test_")
        and not checks_itself(function)
        and not called(function) & (known | of_file[Path(name).stem] | imported(tree, of_file))
    ]


def imported(tree: ast.Module, of_file: dict[str, set[str]]) -> set[str]:
    """The names of functions that check something and come from other files of tests."""
    return {
        alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name in of_file.get(str(node.module), set())
    }


def always_true(tree: ast.Module) -> Iterator[int]:
    """The lines of assertions, or of parts of them joined by `and`, that hold in any case."""
    imported = {
        alias.asname or alias.name
        for node in tree.body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    fixed = imported | {node.name for node in tree.body if isinstance(node, Function)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert):
            test = node.test
            parts = test.values if isinstance(test, ast.BoolOp) else [test]
            if any(holds_always(part, fixed) for part in parts):
                yield node.lineno


def holds_always(test: ast.expr, fixed: set[str]) -> bool:
    """Whether a condition is a constant, a function or module, or compares one with None; whether
    a length is at least 0, something an object, or a name equal to itself."""
    text = ast.unparse(test)
    if isinstance(test, ast.Constant):
        return bool(test.value)
    if isinstance(test, ast.Tuple | ast.Lambda):
        return True
    if isinstance(test, ast.Name):
        return test.id in fixed and test.id.islower()
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        left, right = ast.unparse(test.left), ast.unparse(test.comparators[0])
        if isinstance(test.ops[0], ast.IsNot) and right == "None":
            return left in fixed
        if isinstance(test.ops[0], ast.GtE) and right == "0":
            return left.startswith("len(")
        same = isinstance(test.left, ast.Name) and left == right
        return same and isinstance(test.ops[0], ast.Eq | ast.LtE | ast.GtE | ast.Is)
    return text.startswith("isinstance(") and text.endswith(", object)")


@pytest.fixture(scope="module")
def trees() -> dict[str, ast.Module]:
    return {
        file.relative_to(TESTS).as_posix(): ast.parse(file.read_text("utf-8"))
        for file in sorted(TESTS.rglob("*.py"))
    }


def test_every_test_checks_something(trees: dict[str, ast.Module]) -> None:
    assert without_checks(trees) == []


def test_no_assertion_holds_in_any_case(trees: dict[str, ast.Module]) -> None:
    lines = [f"{name}:{line}" for name, tree in trees.items() for line in always_true(tree)]
    assert lines == []


def test_files_are_limited_without_bytecode() -> None:
    """Bytecode that a limited process writes is cut, and breaks later runs: see small_files()."""
    word = "RLIMIT_" + "FSIZE"
    files = [f.name for f in TESTS.rglob("*.py") if word in f.read_text("utf-8")]
    assert files == ["processes.py"]


def test_empty_parameters_are_errors(pytestconfig: pytest.Config) -> None:
    """A test with no cases would be skipped, and nobody would notice."""
    assert pytestconfig.getini("empty_parameter_set_mark") == "fail_at_collect"
    assert pytestconfig.getini("xfail_strict") is True


@pytest.mark.parametrize(
    "text",
    [
        "crash_after is not None and x", "len(x) >= 0", "isinstance(x, object)", "True", "'text'",
        "(x == 1, 'message')", "x == x", "crash_after",
    ],
)  # fmt: skip
def test_each_of_these_holds_in_any_case(text: str) -> None:
    assert list(always_true(ast.parse(f"from recorded import crash_after\nassert {text}")))


def test_a_test_that_checks_nothing_is_found() -> None:
    text = "def helper():\n    run()\ndef test_a():\n    helper()\ndef test_b():\n    other()\n"
    text += "def other():\n    assert run()\n"
    assert without_checks({"file": ast.parse(text)}) == ["file:3 test_a"]
