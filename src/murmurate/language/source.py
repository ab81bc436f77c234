"""Functions as text: read from where they were written, and known to be what they were compiled
from, since lines may have changed under a running program."""

from __future__ import annotations
import __future__

import ast
import dis
import inspect
import linecache
import os
import textwrap
from collections.abc import Callable
from functools import lru_cache
from types import CodeType
from typing import Any

from murmurate.errors import RuleError
from murmurate.syntax import syntax_tree

_FUTURES = __future__.annotations.compiler_flag


def definition(function: Callable[..., Any]) -> ast.FunctionDef:
    """The syntax tree of a function. Raises RuleError where its text cannot be had."""
    code = function.__code__
    key = (code, code.co_filename)
    if key not in _TEXTS:
        _TEXTS[key] = _checked_text(function)
    tree = syntax_tree(_TEXTS[key]).body[0]
    assert isinstance(tree, ast.FunctionDef)
    return tree


_TEXTS: dict[tuple[CodeType, str], str] = {}  # what a code was compiled from never changes


def _checked_text(function: Callable[..., Any]) -> str:
    """A function's text, found to be what it was compiled from, on its lines of the file."""
    code = function.__code__
    text = _read(function)
    if not _gives(text, code) and os.path.exists(code.co_filename):
        # lines of an older version of the file may be remembered
        linecache.cache.pop(code.co_filename, None)
        text = _read(function)
    if not isinstance(syntax_tree(text).body[0], ast.FunctionDef):
        raise RuleError(f"{place(function)}: {function.__qualname__} must be a plain 'def'")
    if not _gives(text, code):
        raise RuleError(
            f"{place(function)}: the file has changed since {function.__qualname__} was loaded: "
            "load it again (start anew, or reload the module)"
        )
    return "\n" * (code.co_firstlineno - 1) + text


def _read(function: Callable[..., Any]) -> str:
    try:
        return textwrap.dedent(inspect.getsource(function))
    except (OSError, TypeError):
        raise RuleError(
            f"the text of {function.__qualname__} cannot be read: write the rule in a file or a "
            "notebook cell, not at a bare prompt"
        ) from None


def _gives(text: str, code: CodeType) -> bool:
    """Whether a text still is what a function's code was compiled from."""
    if code.co_freevars:
        return True  # a closure's bytecode cannot be had from its text alone
    flags = code.co_flags & _FUTURES
    # Python compiles `math.sqrt` otherwise where it sees that `math` is imported
    compiled = compile(f"import math\n{text}", code.co_filename, "exec", flags=flags)
    again = [c for c in compiled.co_consts if inspect.iscode(c) and c.co_name == code.co_name]
    return any(_alike(c, code) or _instructions(c) == _instructions(code) for c in again)


def _alike(one: CodeType, other: CodeType) -> bool:
    """Whether two codes are the same but for lines and docstring: the usual case, told quickly."""
    first, last = one.co_consts[:1], other.co_consts[:1]
    return (
        one.co_code == other.co_code
        and one.co_names == other.co_names
        and one.co_varnames == other.co_varnames
        and one.co_consts[1:] == other.co_consts[1:]
        and (first == last or all(isinstance(text, str) for text in first + last))
    )


def _instructions(code: CodeType) -> list[tuple[str, str]]:
    """The arithmetic of a function. How it reaches names of its module depends on what stands
    around it, so that is left out."""
    return [
        (i.opname, i.argval.co_name if inspect.iscode(i.argval) else i.argrepr)
        for i in dis.get_instructions(code)
        if i.opname.startswith(("BINARY", "COMPARE", "UNARY", "LOAD_CONST", "LOAD_FAST", "STORE"))
    ]


def place(function: Callable[..., Any], line: int | None = None) -> str:
    """'flock.py, line 12'."""
    code = function.__code__
    return f"{code.co_filename}, line {line or code.co_firstlineno}"


def fault(function: Callable[..., Any], line: int | None, text: str) -> RuleError:
    """What is wrong with a function: its file, the line and the line's text."""
    code = function.__code__
    line = line or code.co_firstlineno
    lines = _TEXTS.get((code, code.co_filename), "").splitlines()
    inside = code.co_firstlineno <= line <= len(lines)
    shown = (lines[line - 1] if inside else linecache.getline(code.co_filename, line)).strip()
    more = f"\n    {shown}" if shown else ""
    return RuleError(f"{place(function, line)}: {function.__qualname__} {text}{more}")


def is_own(function: Callable[..., Any]) -> bool:
    """Whether a function is a user's, and not one of murmurate."""
    return not function.__module__.startswith("murmurate.")


@lru_cache(maxsize=512)
def arguments(function: Callable[..., Any]) -> tuple[str, ...]:
    """The names of a function's arguments."""
    return tuple(inspect.signature(function).parameters)
