"""Compile errors: which rule's function does not compile, and why, in terms of the user's file.

What numba says is about the generated kernel. Most of what is wrong with a function shows when it
is called once as plain Python, with numbers such as a boid would give it.
"""

from __future__ import annotations

import ast
import traceback
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from murmurate.codegen.function_text import arguments as parameters_of
from murmurate.codegen.function_text import definition, place
from murmurate.errors import RuleError
from murmurate.model.model import Model
from murmurate.model.quantity import Part, quantities
from murmurate.model.rule_arguments import Herd, Kept, Me, Other, Random, takes_herd
from murmurate.model.schedule import number_at

ME = Me(1.0, 2.0, 3.0, 0.1, 0.2, 0.2, 0.3, 0, 0.0, 1.0, 1.0, 1.0, 2.0, 3)
OTHER = Other(0.1, 0.2, 0.2, 0.09, 0.3, 0.2, 0.1, 0.2)
RANDOM = Random(0.1, 0.2, 0.3, 0.4)


def blame(model: Model, error: Exception) -> RuleError:
    """The RuleError for a kernel of this model that failed to compile."""
    try:
        for name, rule in model.rules.items():
            _try_rule(f"rule {name}", rule, model)
        for name, flock in model.flocks.items():
            its = _numbers(flock.motion, model)
            turn = type(flock.motion).turn  # type: ignore[attr-defined]
            more = (*_chance(turn), *_kept(turn))
            _try(f"the motion of {name}", turn, its, ME, 0.1, 0.2, 0.2, *more)
    except RuleError as found:
        return found
    own = [
        f"{name} ({place(_function(type(rule)))})"
        for name, rule in model.rules.items()
        if not type(rule).__module__.startswith("murmurate.")
    ]
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    text = "a rule of this model does not compile, though it runs as plain Python"
    text += f"; see {' and '.join(own)}" if own else ""
    return RuleError("\n  ".join([text, *lines[:12]]))


def _try_rule(name: str, rule: Any, model: Model) -> None:
    cls, its = type(rule), _numbers(rule, model)
    if hasattr(cls, "pair"):
        sums = _called(name, cls.pair, its, ME, OTHER)
        _try(name, cls.finish, its, sums, ME, *_chance(cls.finish), *_herd(cls.finish))
    if hasattr(cls, "alone"):
        _try(name, cls.alone, its, ME, *_chance(cls.alone))


def _chance(function: Callable[..., Any]) -> tuple[Random, ...]:
    return (RANDOM,) if "random" in parameters_of(function) else ()


def _herd(function: Callable[..., Any]) -> tuple[Herd, ...]:
    return (Herd(3.0, 1.0, 2.0, 3.0, 2.0, 1.0, 3.0, 2.0),) if takes_herd(function) else ()


def _kept(function: Callable[..., Any]) -> tuple[Kept, ...]:
    return (Kept(0.1, 0.2, 0.3),) if "kept" in parameters_of(function) else ()


def _try(name: str, function: Callable[..., Any], *arguments: Any) -> None:
    """Calls a function that must give a vector, and, where it keeps numbers, three more."""
    result = _called(name, function, *arguments)
    six = "kept" in parameters_of(function)
    if not isinstance(result, tuple) or len(result) != (6 if six else 3):
        found = f"{len(result)} numbers" if isinstance(result, tuple) else f"{result!r}"
        wanted = "three, x, y and z, such as 'return x, y, 0.0'"
        if six:
            wanted = "six, the velocity and the three it keeps"
        raise RuleError(
            f"{place(function, _wrong_return(function))}: {function.__qualname__} of "
            f"{name} returns {found}: it must return {wanted}"
        )
    for number in result:
        if isinstance(number, bool) or not isinstance(number, int | float):
            raise RuleError(
                f"{place(function, _wrong_return(function))}: {function.__qualname__} of "
                f"{name} returns {number!r} where a number must be"
            )


def _called(name: str, function: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return function(*arguments)
    except Exception as error:
        file = function.__code__.co_filename
        frames = traceback.extract_tb(error.__traceback__)
        line = next((f.lineno for f in reversed(frames) if f.filename == file), None)
        raise RuleError(
            f"{place(function, line)}: {function.__qualname__} of {name} raises "
            f"{type(error).__name__}: {error}"
        ) from None


def _wrong_return(function: Callable[..., Any]) -> int | None:
    """The line of the first return that is not three numbers written out; else of the first."""
    returns = [n for n in ast.walk(definition(function)) if isinstance(n, ast.Return)]
    for node in returns:
        if isinstance(node.value, ast.Tuple) and len(node.value.elts) != 3:
            return node.lineno
    return returns[0].lineno if returns else None


def _function(cls: Any) -> Callable[..., Any]:
    function: Callable[..., Any] = cls.alone if hasattr(cls, "alone") else cls.finish
    return function


def _numbers(part: Part, model: Model) -> SimpleNamespace:
    """A part's fields, schedules as they are at the start."""
    inside: Any = part.within(model.space) if hasattr(part, "within") else part
    fields = {key: getattr(inside, key) for key in type(part).model_fields}
    for key in quantities(type(part)):
        value = fields[key]
        if isinstance(value, tuple):
            fields[key] = (*(number_at(x, 0.0) for x in value), *(0.0,) * (3 - len(value)))
        elif value is not None:
            fields[key] = number_at(value, 0.0)
    return SimpleNamespace(**fields)
