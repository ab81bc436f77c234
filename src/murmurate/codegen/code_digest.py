"""Digests of code: the same whatever comments and docstrings say and wherever lines stand."""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from types import ModuleType

from murmurate.syntax import syntax_tree

_PROSE = re.compile(r'\A"""[^"]*"""|[ \t]*#.*$|[ \t]+$', re.MULTILINE)
_WITH_DOCSTRING = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def code_of(text: str) -> str:
    """Return the code of a generated module: without its docstring, comments and empty lines.

    Generated code holds no strings but names of fields, so a '#' always begins a comment. To
    look at the text takes a fiftieth of the time of `ast.dump`, and each start would wait for that.
    """
    return re.sub(r"\n+", "\n", _PROSE.sub("", text))


def code_digest(texts: Iterable[str], *more: str) -> str:
    """Return a digest (64 hexadecimal digits) of the code of generated modules.

    more  what their compiled code depends on beside it, such as versions
    """
    return hashlib.sha256("\0".join([*more, *map(code_of, texts)]).encode()).hexdigest()


@lru_cache(maxsize=32)
def source_digest(*modules: ModuleType) -> str:
    """Return a digest of what modules of this package do, as their files say it."""
    return hashlib.sha256("\0".join(map(_dump, modules)).encode()).hexdigest()


def _dump(module: ModuleType) -> str:
    return tree_dump(syntax_tree(Path(str(module.__file__)).read_text(encoding="utf-8")))


def tree_dump(tree: ast.AST) -> str:
    """Return the code of a syntax tree, which it changes, without docstrings and positions."""
    for node in ast.walk(tree):
        if isinstance(node, _WITH_DOCSTRING) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:]
    return ast.dump(tree)
