"""Calls of functions of rules and motions as plain Python: what goes wrong is said with its file
and line."""

from __future__ import annotations

import ast
import traceback
from bdb import BdbQuit
from collections.abc import Callable
from typing import Any

from murmurate.language.source import definition, fault


def called(name: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """What a function returns. Raises RuleError, with the line, for whatever it raises.

    name  whose function it is, such as 'rule flee'
    """
    try:
        return function(*arguments)
    except BdbQuit:  # the user left the debugger
        raise
    except Exception as error:
        file = function.__code__.co_filename
        frames = traceback.extract_tb(error.__traceback__)
        line = next((f.lineno for f in reversed(frames) if f.filename == file), None)
        text = f"of {name} raises {type(error).__name__}: {error}"
        raise fault(function, line, text) from error


def vector_of(
    name: str, function: Callable[..., Any], names: tuple[str, ...], *arguments: Any
) -> tuple[Any, ...]:
    """What a function returns that must give a vector, and behind it a number for each name that it
    keeps. Raises RuleError, with the line, for anything else."""
    result: Any = called(name, function, *arguments)
    wrong = ""
    if not isinstance(result, tuple) or len(result) != 3 + len(names):
        found = f"{len(result)} numbers" if isinstance(result, tuple) else f"{result!r}"
        wanted = "three, x, y and z, such as 'return x, y, 0.0'"
        if names:
            wanted = f"{3 + len(names)}: 'return x, y, z, {', '.join(names)}'"
        wrong = f"of {name} returns {found}: it must return {wanted}"
    else:
        for number in result:
            if isinstance(number, bool) or not isinstance(number, int | float):
                wrong = f"of {name} returns {number!r} where a number must be"
    if wrong:
        raise fault(function, _first_return(function), wrong)
    vector: tuple[Any, ...] = result
    return vector


def _first_return(function: Callable[..., Any]) -> int | None:
    """The line of the first return."""
    returns = (n.lineno for n in ast.walk(definition(function)) if isinstance(n, ast.Return))
    return next(returns, None)
