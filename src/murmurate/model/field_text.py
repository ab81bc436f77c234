"""What the texts below the fields of a class say: read when somebody asks, for reading them all
takes a quarter of the time in which a command starts."""

from __future__ import annotations

import ast
import inspect
import linecache
import sys
import textwrap
import tokenize
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any

from murmurate.syntax import syntax_tree


def place_of_class(cls: type) -> tuple[str, int] | None:
    """The file and the line of the class statement that is being run; None where none is."""
    frame = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__") != cls.__module__:
        frame = frame.f_back  # type: ignore[assignment]
    return None if frame is None else (frame.f_code.co_filename, frame.f_lineno)


@lru_cache(maxsize=256)  # what rules share is asked for by each of them
def texts_at(place: tuple[str, int], cls: type) -> Mapping[str, str]:
    """Name of a field -> the text below it, of the class whose statement stands at a place."""
    file, line = place
    lines = linecache.getlines(file, getattr(sys.modules.get(cls.__module__), "__dict__", None))
    try:
        block = textwrap.dedent("".join(inspect.getblock(lines[line - 1 :])))
        statement: Any = syntax_tree(block).body[0]
    except (SyntaxError, IndexError, tokenize.TokenError):  # the file is another one by now
        return {}
    if not isinstance(statement, ast.ClassDef) or statement.name != cls.__name__:
        return {}
    found = {}
    body: list[Any] = statement.body
    for field, below in pairwise(body):
        text = getattr(getattr(below, "value", None), "value", None)
        named = isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if named and isinstance(below, ast.Expr) and isinstance(text, str):
            found[field.target.id] = inspect.cleandoc(text)
    return found
