"""The comparison of kernels' texts finds every change but that of names."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from same_module import difference

import murmurate as mm
from murmurate.codegen.layout import lay_out
from murmurate.codegen.module_text import kernel_text
from murmurate.codegen.planner import make_plan
from murmurate.engines.cpu.thresholds import CpuThresholds
from processes import ran

CELLS = CpuThresholds(flock=0, model=0, covered=1.0)


def text_of(model: mm.Model, dtype: str = "float32") -> str:
    plan = make_plan(model)
    return kernel_text(plan, dtype, lay_out(plan, CELLS))


@pytest.fixture(scope="module")
def text() -> str:
    return text_of(mm.load("starlings"))


def test_a_text_is_the_same_as_itself(text: str) -> None:
    assert difference(text, text) is None


def test_names_may_be_others(text: str) -> None:
    """Those of variables, arguments, functions and constants, throughout."""
    renamed = _renamed(text, lambda name: f"{name}_2")
    assert renamed != text and difference(text, renamed) is None


def test_prose_order_of_lines_and_what_is_not_used_may_be_others(text: str) -> None:
    more = text.replace("real = np.float32\n", "UNUSED = 3\n\n\n# a remark\nreal = np.float32\n")
    more = more.replace("(table):\n", '(table):\n    """What it does."""\n', 1)
    more = more.replace("    numbers = ", "    unread = array1(table, NOW, 0.0)\n    numbers = ", 1)
    assert more.count("unread") == 1 and difference(text, more) is None


def test_two_precisions_and_two_models_differ(text: str) -> None:
    assert "float32" in str(difference(text, text_of(mm.load("starlings"), "float64")))
    assert difference(text, text_of(mm.load("couzin-2002")))


ONE = """
from elsewhere import ({imports})
from murmurate_functions_float32_{digest} import unit
STEP = {number}
Numbers1 = namedtuple("Numbers1", ("{field}", "limit"))


@rule
def pair(self, me, other={default}):
    {x} = {first} {operator} {second}
    if {x} {compare} 1.0:
        {x} {augment}= self.{used}
    return {call}({x}, {argument}), me.{attribute}


@kernel
def whole(table):
    step = number(table, STEP)
    return pair(Numbers1(step, 1), {given})
"""
PLAIN = {
    "imports": "near, far", "digest": "0123456789ab", "number": "3", "field": "weight",
    "default": "1.0", "x": "x", "first": "me.u", "operator": "-", "second": "me.v", "compare": "<",
    "augment": "+", "used": "weight", "call": "near", "argument": "x", "attribute": "w",
    "given": "step, step + 1",
}  # fmt: skip


@pytest.mark.parametrize(
    "change",
    [
        {"x": "y"}, {"x": "y", "argument": "y"}, {"digest": "ba9876543210"},
        {"imports": "near, far, more"}, {"field": "strength", "used": "strength"},
        {"imports": "far, near"}, {"imports": "near as reach, far", "call": "reach"},
    ],
)  # fmt: skip
def test_these_changes_are_of_names_alone(change: dict[str, str]) -> None:
    words = {**PLAIN, **change}
    words["argument"] = words["x"]
    assert difference(ONE.format(**PLAIN), ONE.format(**words)) is None


@pytest.mark.parametrize(
    "change",
    [
        {"number": "4"}, {"number": "3.0"}, {"default": "2.0"}, {"default": "-1.0"},
        {"default": "True"}, {"operator": "+"}, {"first": "me.v", "second": "me.u"},
        {"second": "me.w"}, {"compare": "<="}, {"augment": "-"}, {"used": "limit"},
        {"call": "far"}, {"call": "unit"}, {"call": "abs"}, {"argument": "other"},
        {"argument": "-x"}, {"argument": "x, x"}, {"attribute": "u"}, {"given": "step + 1, step"},
        {"given": "step"}, {"given": "step, other=step + 1"},
        {"imports": "near as far, far as near"},
        {"imports": "nearer as near, far"}, {"x": "me"}, {"field": "limit2"},
    ],
)  # fmt: skip
def test_these_changes_are_found(change: dict[str, str]) -> None:
    changed = ONE.format(**{**PLAIN, **change})
    found = difference(ONE.format(**PLAIN), changed)
    assert found and "line " in found and "line 0" not in found
    assert difference(changed, ONE.format(**PLAIN))


def test_a_name_stands_for_one_name() -> None:
    """Also where each use, alone, could be a renaming."""
    one = "def f(a, b):\n    c = a\n    return c - b\n"
    for other in (
        "def f(a, b):\n    c = b\n    return c - a\n",
        "def f(a, b):\n    a = a\n    return a - b\n",
        "def f(a, b):\n    c = a\n    return b - c\n",
        "def f(a, b):\n    c = a\n    return d - b\n",
        "def f(b, a):\n    c = a\n    return c - b\n",
    ):
        assert difference(one, other), other


def test_a_constant_is_its_number() -> None:
    """However it is called and written, and however often; another number is another module."""
    body = "@kernel\ndef f(x):\n    return x * {} + {}\n"
    head = "import numpy as np\nreal = np.float32\n"
    one = f"{head}HALF = real(0.5)\nOTHER = real(-1e-3)\n" + body.format("HALF", "OTHER")
    same = f"{head}A = real(-0.001)\nB = real(5.0e-01)\n" + body.format("B", "A")
    assert difference(one, same) is None
    twice = f"{head}A = real(0.5)\nB = real(5.0e-01)\n" + body.format("B", "A")
    assert difference(f"{head}C = real(0.5)\n" + body.format("C", "C"), twice) is None
    for other in (
        same.replace("-0.001", "0.001"), same.replace("B + A", "A + B"), twice,
        same.replace("x * B + A", "A * B + x"), same.replace("* B", "* 0.5"),
    ):  # fmt: skip
        assert difference(one, other) and difference(other, one)


def test_a_take_that_is_read_before_it_is_given_a_value_counts() -> None:
    one = "@kernel\ndef f(table):\n    s = number(table, 1)\n    s = s + 1\n    return s\n"
    assert difference(one, one.replace("s = number(table, 1)\n    ", ""))
    dead = one.replace("s = s + 1", "s = 1")
    assert difference(dead, dead.replace("s = number(table, 1)\n    ", "")) is None
    branch = one.replace("s = s + 1", "if table:\n        s = 1")
    assert difference(branch, branch.replace("s = number(table, 1)\n    ", ""))


@pytest.mark.slow
def test_random_changes_of_real_kernels_are_found(text: str) -> None:
    """Each of some mutants of a kernel is another module."""
    dice, tree = Random(1), ast.parse(text)
    changes = list(_changes(tree))
    assert len(changes) > 1000
    for change in dice.sample(changes, 5):
        undo = change()
        mutant = ast.unparse(tree)
        undo()
        assert difference(text, mutant), mutant
    assert difference(text, ast.unparse(tree)) is None


def _changes(tree: ast.Module) -> Iterator[Callable[[], Callable[[], None]]]:
    """Yield functions that change a place of the functions of a tree, and return what undoes it."""

    def changing(node: ast.AST, **values: object) -> Callable[[], Callable[[], None]]:
        def change() -> Callable[[], None]:
            old = {field: getattr(node, field) for field in values}
            for field, value in values.items():
                setattr(node, field, value)
            return lambda: [setattr(node, f, v) for f, v in old.items()] and None

        return change

    for function in tree.body:
        for node in ast.walk(function) if isinstance(function, ast.FunctionDef) else ():
            match node:
                case ast.BinOp(op=op, left=left, right=right):
                    yield changing(node, op=ast.Sub() if isinstance(op, ast.Add) else ast.Add())
                    if ast.dump(left) != ast.dump(right):
                        yield changing(node, left=right, right=left)
                case ast.Compare(ops=[op]):
                    yield changing(node, ops=[ast.Lt() if isinstance(op, ast.LtE) else ast.LtE()])
                case ast.Constant(value=int() | float() as value):
                    yield changing(node, value=value + 1)
                case ast.Attribute(value=ast.Name("me"), attr=name):
                    yield changing(node, attr="u" if name != "u" else "v")
                case ast.Call(func=ast.Name(id=name), args=[_, _, *_] as arguments):
                    yield changing(node, func=ast.Name("lesser" if name != "lesser" else "greater"))
                    if ast.dump(arguments[0]) != ast.dump(arguments[1]):
                        yield changing(node, args=[arguments[1], arguments[0], *arguments[2:]])


def _renamed(text: str, rename: Callable[[str], str]) -> str:
    """Return a text in which every name that it defines has another name."""
    tree = ast.parse(text)
    defined = {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}
    defined |= {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            defined.add(node.id)
    defined -= {"self", "kernel", "wide_kernel"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in defined:
            node.id = rename(node.id)
        if isinstance(node, ast.arg) and node.arg in defined:
            node.arg = rename(node.arg)
        if isinstance(node, ast.FunctionDef) and node.name in defined:
            node.name = rename(node.name)
    return ast.unparse(tree)


@pytest.mark.long
def test_checkouts_are_compared(tmp_path: Path) -> None:
    """This checkout with itself, and with one that has another sign in a template."""
    root = Path(__file__).resolve().parents[2]
    program, names = (
        root / "tests/before_after/same_module.py",
        ["vicsek-1995 whole float32"],
    )
    same = ran(sys.executable, program, root, root, "--only", *names)
    assert same.returncode == 0 and "0 of 1 differ" in same.stdout, same.stdout + same.stderr
    other = tmp_path / "other"
    _copied(root, other)
    page = other / "src/murmurate/codegen/templates/steering.py.j2"
    page.write_text(page.read_text().replace("me.x + a * me.dt", "me.x - a * me.dt"))
    found = ran(sys.executable, program, root, other, "--only", *names)
    assert found.returncode == 1 and "1 of 1 differ" in found.stdout, found.stdout + found.stderr
    assert "me.x - a * me.dt" in found.stdout


def _copied(root: Path, other: Path) -> None:
    import shutil

    for part in ("src", "tests"):
        shutil.copytree(
            root / part, other / part, ignore=shutil.ignore_patterns("__pycache__", "viewer")
        )
