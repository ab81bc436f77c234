"""Read the text of functions, and check that they were compiled from it: files may have changed
since."""

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
from murmurate.syntax import MAX_NESTING, syntax_tree

_FUTURES = __future__.annotations.compiler_flag


def definition(function: Callable[..., Any]) -> ast.FunctionDef:
    """Return the syntax tree of a function. Raises RuleError if its text cannot be read."""
    code = function.__code__
    key = (code, code.co_filename)
    if key not in _TEXTS:
        _TEXTS[key] = _checked_text(function)
    tree = syntax_tree(_TEXTS[key]).body[0]
    assert isinstance(tree, ast.FunctionDef)
    return tree


_TEXTS: dict[tuple[CodeType, str], str] = {}  # the text of a code object never changes


def _checked_text(function: Callable[..., Any]) -> str:
    """Return the text from which a function was compiled, on its lines of the file."""
    code = function.__code__
    text = _read(function)
    if not _gives(text, code) and os.path.exists(code.co_filename):
        # `linecache` may hold an older version of the file
        linecache.cache.pop(code.co_filename, None)
        text = _read(function)
    try:
        tree = syntax_tree(text, MAX_NESTING)
    except SyntaxError as error:
        raise RuleError(
            f"{location(function)}: {function.__qualname__} cannot be read: {error.msg}"
        ) from None
    if not isinstance(tree.body[0], ast.FunctionDef):
        raise RuleError(f"{location(function)}: {function.__qualname__} must be a plain 'def'")
    if not _gives(text, code):
        raise RuleError(
            f"{location(function)}: the file has changed since {function.__qualname__} was loaded: "
            "load it again (restart Python, or reload the module)"
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
    """Return whether a text compiles to a function's code."""
    if code.co_freevars:
        return True  # the text alone does not give the bytecode of a closure
    flags = code.co_flags & _FUTURES
    # Python compiles `math.sqrt` differently where it sees the import of `math`
    compiled = compile(f"import math\n{text}", code.co_filename, "exec", flags=flags)
    again = [c for c in compiled.co_consts if inspect.iscode(c) and c.co_name == code.co_name]
    return any(_alike(c, code) or _instructions(c) == _instructions(code) for c in again)


def _alike(code: CodeType, other: CodeType) -> bool:
    """Return whether two code objects differ only in lines and docstring: a fast test."""
    first, last = code.co_consts[:1], other.co_consts[:1]
    return (
        code.co_code == other.co_code
        and code.co_names == other.co_names
        and code.co_varnames == other.co_varnames
        and code.co_consts[1:] == other.co_consts[1:]
        and (first == last or all(isinstance(text, str) for text in first + last))
    )


def _instructions(code: CodeType) -> list[tuple[str, str]]:
    """Return the instructions for arithmetic. Those that look up names of the module depend on the
    surrounding code, so they are left out."""
    return [
        (i.opname, i.argval.co_name if inspect.iscode(i.argval) else i.argrepr)
        for i in dis.get_instructions(code)
        if i.opname.startswith(("BINARY", "COMPARE", "UNARY", "LOAD_CONST", "LOAD_FAST", "STORE"))
    ]


def location(function: Callable[..., Any], line: int | None = None) -> str:
    """Return 'flock.py, line 12'."""
    code = function.__code__
    return f"{code.co_filename}, line {line or code.co_firstlineno}"


def fault(
    function: Callable[..., Any],
    line: int | None,
    text: str,
    error: type[RuleError] = RuleError,
) -> RuleError:
    """Return the error for a function: file, line, message, and the text of the line."""
    code = function.__code__
    line = line or code.co_firstlineno
    lines = _TEXTS.get((code, code.co_filename), "").splitlines()
    inside = code.co_firstlineno <= line <= len(lines)
    quoted = (lines[line - 1] if inside else linecache.getline(code.co_filename, line)).strip()
    more = f"\n    {quoted}" if quoted else ""
    return error(f"{location(function, line)}: {function.__qualname__} {text}{more}")


@lru_cache(maxsize=512)
def arguments(function: Callable[..., Any]) -> tuple[str, ...]:
    """Return the names of a function's arguments."""
    return tuple(inspect.signature(function).parameters)
