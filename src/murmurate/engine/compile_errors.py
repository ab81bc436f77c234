"""Compile errors: which rule's function does not compile, and why, in terms of the user's file.

What numba says is about the generated kernel. Most of what is wrong with a function shows when it
is called once as plain Python, with numbers such as a boid would give it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from murmurate.codegen.function_library import Library
from murmurate.codegen.function_text import arguments as parameters_of
from murmurate.codegen.function_text import fault, is_own
from murmurate.codegen.kernel_functions_text import shared_functions
from murmurate.codegen.layout import Layout
from murmurate.codegen.module_text import kernel_text
from murmurate.engine.rule_calls import called, vector_of
from murmurate.errors import RuleError
from murmurate.model.model import Model
from murmurate.model.quantity import Part, quantities, within
from murmurate.model.rule_arguments import (
    Herd,
    Me,
    Other,
    Random,
    kept_tuple,
    takes_herd,
    takes_kept,
)
from murmurate.model.schedule import number_at
from murmurate.syntax import syntax_tree

ME = Me(1.0, 2.0, 3.0, 0.1, 0.2, 0.2, 0.3, 0, 0.0, 1.0, 1.0, 1.0, 2.0, 3)
OTHER = Other(0.1, 0.2, 0.2, 0.09, 0.3, 0.2, 0.1, 0.2)
RANDOM = Random(0.1, 0.2, 0.3, 0.4)


def blame(layout: Layout, text: str, error: Exception) -> Exception:
    """The RuleError for the kernels with this text, which failed to compile; the error itself where
    no function of a user's is in them."""
    model = layout.plan.model
    parts = {f"rule {name}": rule for name, rule in model.rules.items()}
    motions = {f"the motion of {name}": flock.motion for name, flock in model.flocks.items()}
    try:
        for name, rule in parts.items():
            _try_rule(name, rule, model)
        for name, motion in motions.items():
            turn = type(motion).turn  # type: ignore[attr-defined]
            arguments = (_numbers(motion, model), ME, 0.1, 0.2, 0.2)
            _try(name, motion, turn, *arguments, *_chance(turn))
    except RuleError as found:
        return found
    library = Library(shared_functions())
    kernel_text(layout.plan, "float64", layout, library)
    functions = {name: key[0] for key, name in library.functions.items() if is_own(key[0])}
    if not functions:
        return error
    name, line = _culprit(str(error), text, library)
    if name not in functions:
        name, line = next(iter(functions)), None
    return fault(
        functions[name], line, "does not compile, though it runs as plain Python: a variable must "
        "hold the same kind of thing, a number or a tuple of as many numbers, in all branches, and "
        "only numbers can be computed with"
    )  # fmt: skip


def _culprit(message: str, text: str, library: Library) -> tuple[str, int | None]:
    """The function of a module's text that numba's message is about, and the line in the user's
    file: the same statement of the tree that the text was made from."""
    found = re.search(r'murmurate_kernel_\w+\.py(?:", line |\s*\()(\d+)', message)
    at = int(found[1]) if found else 0
    for function in syntax_tree(text).body:
        last = function.end_lineno or function.lineno
        if not (isinstance(function, ast.FunctionDef) and function.lineno <= at <= last):
            continue
        if function.name in library.trees:
            numbers = [k for k, s in enumerate(_statements(function)) if s.lineno <= at]
            its = _statements(library.trees[function.name])[numbers[-1]]
            return function.name, getattr(its, "lineno", None)
    return "", None


def _statements(function: ast.AST) -> list[ast.stmt]:
    """All statements of a function, in the order of its text."""
    found: list[ast.stmt] = []
    for node in ast.iter_child_nodes(function):
        if isinstance(node, ast.stmt):
            found.append(node)
        found += _statements(node)
    return found


def _try_rule(name: str, rule: Any, model: Model) -> None:
    cls, its = type(rule), _numbers(rule, model)
    if hasattr(cls, "pair"):
        sums = called(name, cls.pair, its, ME, OTHER)
        _try(name, rule, cls.finish, its, sums, ME, *_chance(cls.finish), *_herd(cls.finish))
    if hasattr(cls, "alone"):
        _try(name, rule, cls.alone, its, ME, *_chance(cls.alone))


def _chance(function: Callable[..., Any]) -> tuple[Random, ...]:
    return (RANDOM,) if "random" in parameters_of(function) else ()


def _herd(function: Callable[..., Any]) -> tuple[Herd, ...]:
    return (Herd(3.0, 1.0, 2.0, 3.0, 2.0, 1.0, 3.0, 2.0),) if takes_herd(function) else ()


def _try(name: str, part: Any, function: Callable[..., Any], *arguments: Any) -> None:
    """Calls a function that must give a vector, and behind it what it keeps, if it does."""
    names = part.keeps if takes_kept(function) else ()
    if names:
        arguments = (*arguments, kept_tuple(names)(*(0.1 * (k + 1) for k in range(len(names)))))
    vector_of(name, function, names, *arguments)


def _numbers(part: Part, model: Model) -> SimpleNamespace:
    """A part's fields, schedules as they are at the start."""
    inside = within(part, model.space)
    fields = {key: getattr(inside, key) for key in type(part).model_fields}
    for key in quantities(type(part)):
        value = fields[key]
        if isinstance(value, tuple):
            fields[key] = (*(number_at(x, 0.0) for x in value), *(0.0,) * (3 - len(value)))
        elif value is not None:
            fields[key] = number_at(value, 0.0)
    return SimpleNamespace(**fields)
