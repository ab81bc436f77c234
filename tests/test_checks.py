"""Every test can fail: it asserts something, by itself or by a function that it calls, and no
assertion is true whatever the code does."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import murmurate as mm
from parsed import read_trees

TESTS = Path(__file__).parent
Function = ast.FunctionDef | ast.AsyncFunctionDef
FAILING = ("until", "raises", "warns", "fail", "wait_for", "wait", "check_call")
"""`until`, and functions of libraries, that fail where something is not as it should be. So do
those whose names begin with `assert_`, and calls with `check=True`."""


@dataclass(frozen=True)
class Checked:
    """A function of a test file.

    called    the names of the functions that it calls, without their modules
    asserts   whether it asserts or raises something, or calls a function that always does
    """

    name: str
    line: int
    called: frozenset[str]
    asserts: bool


@dataclass(frozen=True)
class Source:
    """What is read from a test file.

    imported  module -> names that are imported from it, at the top of the file
    parts     names of its classes of rules, motions and other parts of models
    """

    functions: list[Checked]
    parts: list[str]
    imported: list[tuple[str, str]]
    always_true: list[int]


def read_source(tree: ast.Module) -> Source:
    """Read the functions of a file, and its assertions that always hold."""
    names = [
        (str(node.module), alias.name)
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    ]
    found = [read_function(node) for node in ast.walk(tree) if isinstance(node, Function)]
    parts = [
        node.name
        for node in tree.body
        if isinstance(node, ast.ClassDef)
        and any(hasattr(mm, ast.unparse(base).removeprefix("mm.")) for base in node.bases)
    ]
    return Source(found, parts, names, list(always_true(tree)))


def read_function(function: Function) -> Checked:
    """Read what a function calls, and whether it asserts, raises, or calls what does."""
    called, asserts = set(), False
    for node in ast.walk(function):
        if isinstance(node, ast.Assert | ast.Raise):
            asserts = True
        elif isinstance(node, ast.Call):
            of = node.func
            called.add(of.attr if isinstance(of, ast.Attribute) else getattr(of, "id", ""))
            words = {word.arg: word.value for word in node.keywords}
            check = words.get("check")
            asserts |= isinstance(check, ast.Constant) and check.value is True
    asserts |= any(name in FAILING or name.startswith("assert_") for name in called)
    return Checked(function.name, function.lineno, frozenset(called), asserts)


def helpers(functions: list[Checked]) -> set[str]:
    """The names of functions that check something: those that do so wherever they are defined."""
    defined: dict[str, list[Checked]] = {}
    for function in functions:
        defined.setdefault(function.name, []).append(function)
    found = {name for name, all_ in defined.items() if all(f.asserts for f in all_)}
    while True:
        more = {
            name
            for name, all_ in defined.items()
            if name not in found and not any(f.called.isdisjoint(found) for f in all_)
        }
        if not more:
            return {name for name in found if not name.startswith("test_")}
        found |= more


def without_checks(sources: dict[str, Source]) -> list[str]:
    """The tests that check nothing."""
    known = helpers([function for source in sources.values() for function in source.functions])
    of_file = {Path(name).stem: helpers(source.functions) for name, source in sources.items()}
    wrong = []
    for file, source in sources.items():
        own = {name for module, name in source.imported if name in of_file.get(module, set())}
        checking = known | of_file[Path(file).stem] | own
        wrong += [
            f"{file}:{function.line} {function.name}"
            for function in source.functions
            if function.name.startswith("test_")
            and not function.asserts
            and function.called.isdisjoint(checking)
        ]
    return wrong


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
    if isinstance(test, ast.Constant):
        return bool(test.value)
    if isinstance(test, ast.Tuple | ast.Lambda):
        return True
    if isinstance(test, ast.Name):
        return test.id in fixed and test.id.islower()
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        left, other, relation = test.left, test.comparators[0], test.ops[0]
        name = left.id if isinstance(left, ast.Name) else ""
        constant = other.value if isinstance(other, ast.Constant) else ...
        if isinstance(relation, ast.IsNot) and constant is None:
            return name in fixed
        if isinstance(relation, ast.GtE) and constant == 0:
            return isinstance(left, ast.Call) and ast.unparse(left.func) == "len"
        same = isinstance(other, ast.Name) and name == other.id
        return same and isinstance(relation, ast.Eq | ast.LtE | ast.GtE | ast.Is)
    if not isinstance(test, ast.Call) or ast.unparse(test.func) != "isinstance":
        return False
    return ast.unparse(test.args[-1]) == "object"


@pytest.fixture(scope="module")
def sources() -> dict[str, Source]:
    read = read_trees(sorted(TESTS.rglob("*.py")), read_source)
    return {file.relative_to(TESTS).as_posix(): source for file, source in read.items()}


def test_every_test_checks_something(sources: dict[str, Source]) -> None:
    assert without_checks(sources) == []


def test_kinds_of_parts_are_defined_once(sources: dict[str, Source]) -> None:
    """A class of a rule names its kind: of two in one process the last imported would be built."""
    counts = Counter(part for source in sources.values() for part in source.parts)
    assert len(counts) > 20
    assert [part for part, count in counts.items() if count > 1] == []


def test_no_assertion_holds_in_any_case(sources: dict[str, Source]) -> None:
    lines = [f"{name}:{line}" for name, source in sources.items() for line in source.always_true]
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
    assert without_checks({"file": read_source(ast.parse(text))}) == ["file:3 test_a"]
