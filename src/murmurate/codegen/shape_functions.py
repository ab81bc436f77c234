"""Join the functions of all obstacle shapes into functions with a branch for each shape.

`@with_shapes` replaces the statement `return of_shape.NAME(...)` of a function by the bodies of the
functions NAME of the shapes, each behind a test of the obstacle's shape. So a shape needs no call,
and the text is as if it were written by hand. The names of the arguments must be those of the
shapes' functions. `return of_shape.NAME`, without a call, becomes a test for the shapes whose class
has the attribute NAME.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from types import FunctionType
from typing import Any, get_args

from murmurate.model.model import Model
from murmurate.model.obstacles import Mesh, ObstacleShape

of_shape: Any = None
"""Stands for the shapes in a function with `@with_shapes`."""

CLASSES = tuple(get_args(ObstacleShape))
NUMBERS: dict[str, int] = {shape.__name__.upper(): shape.number for shape in CLASSES}
FLAGS = {shape.flag for shape in CLASSES if shape.flag}
"""Constants of kernels that have branches for a shape."""
HELPERS: dict[str, dict[str, Callable[..., Any]]] = {"": {}}
"""Flag -> functions of the shapes' files that the functions of these shapes call, by name."""


def flags_of(model: Model) -> dict[str, bool]:
    """Return the constants with which the functions of a model's kernels are read."""
    return dict.fromkeys(FLAGS, False) | {
        shape.flag: True for shape in model.obstacles.values() if shape.flag
    }


def with_shapes(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function with the bodies of the shapes' functions, or a test of their class."""
    tree = ast.parse(inspect.getsource(function))
    definition = tree.body[0]
    assert isinstance(definition, ast.FunctionDef)
    definition.decorator_list = []
    *before, last = definition.body
    assert isinstance(last, ast.Return)
    module = function.__globals__
    if isinstance(last.value, ast.Attribute):
        named = [shape for shape in CLASSES if getattr(shape, last.value.attr)]
        last.value = ast.BoolOp(ast.Or(), [_test(shape, module) for shape in named])
    else:
        name = last.value.func.attr  # type: ignore[union-attr]
        definition.body = [*before, *_branches(name, module)]
    text = ast.unparse(tree)
    file = f"<{function.__name__} of {function.__module__}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    code = compile(text, file, "exec", dont_inherit=True).co_consts[0]
    return FunctionType(code, module, function.__name__)


def _branches(name: str, module: dict[str, Any]) -> Iterator[ast.stmt]:
    """Yield the bodies behind their tests, the last without a test; add their names to a module."""
    shapes = [shape for shape in _ordered() if name in _bodies(shape.__module__)]
    for shape in shapes:
        body = _bodies(shape.__module__)[name]
        names = {node.id for part in body for node in ast.walk(part) if isinstance(node, ast.Name)}
        home = vars(sys.modules[shape.__module__])
        for used in names & home.keys():
            assert module.setdefault(used, home[used]) is home[used], used
            if getattr(home[used], "__module__", "") == shape.__module__:
                HELPERS.setdefault(shape.flag, {})[used] = home[used]
        if shape is shapes[-1]:
            yield from body
        else:
            yield ast.If(_test(shape, module), body, [])


def _test(shape: Any, module: dict[str, Any]) -> ast.expr:
    """Return the test whether an obstacle has a shape; add its names to a module."""
    flag, number = f"{shape.flag} and " if shape.flag else "", shape.__name__.upper()
    module |= {number: shape.number, **({shape.flag: True} if shape.flag else {})}
    return ast.parse(f"{flag}obstacle[0] == {number}", mode="eval").body


def _ordered() -> Iterable[Any]:
    """Return the shapes in the order of their branches: those with flags first, boxes last."""
    shapes = [shape for shape in CLASSES if shape is not Mesh]
    return sorted(shapes, key=lambda shape: (not shape.flag, shape.__name__ == "Box"))


@lru_cache
def _bodies(module: str) -> dict[str, list[ast.stmt]]:
    """Return name -> statements of the functions of a shape's file."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    functions = [part for part in tree.body if isinstance(part, ast.FunctionDef)]
    return {part.name: part.body for part in functions}
