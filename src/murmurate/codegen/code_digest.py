"""Compute digests of code that ignore comments, docstrings and line numbers."""

from __future__ import annotations

import ast
import hashlib
import re
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

from murmurate.codegen.cache_folder import cached_file
from murmurate.disk import read_bytes
from murmurate.syntax import syntax_tree

PACKAGE = Path(__file__).resolve().parents[1]
SOURCES = ("codegen", "language", "model", "rules")
"""Packages that determine the texts of kernels; they import no others."""

_PROSE = re.compile(r'\A"""[^"]*"""|[ \t]*#.*$|[ \t]+$', re.MULTILINE)
_WITH_DOCSTRING = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def code_of(text: str) -> str:
    """Return the code of a generated module: without its docstring, comments and empty lines.

    The only strings in generated code are names of fields, so a '#' always begins a comment. This
    takes a fiftieth of the time of `ast.dump`, which would delay each start.
    """
    return re.sub(r"\n+", "\n", _PROSE.sub("", text))


def code_digest(texts: Iterable[str], *more: str) -> str:
    """Return a digest (64 hexadecimal digits) of the code of generated modules.

    more  other inputs of the compiled code, such as versions
    """
    return hashlib.sha256("\0".join([*more, *map(code_of, texts)]).encode()).hexdigest()


@lru_cache(maxsize=32)
def file_digest(*files: Path) -> str:
    """Return a digest of the code of Python files, without comments and docstrings.

    Parsing is slow, so the cache stores the digest of each file under the hash of its contents.
    """
    return hashlib.sha256(b"".join(map(_code_of_file, files))).hexdigest()


def _code_of_file(file: Path) -> bytes:
    contents = read_bytes(file)

    def parsed() -> bytes:
        tree = tree_dump(syntax_tree(contents.decode()))
        return hashlib.sha256(tree.encode()).hexdigest().encode()

    key = hashlib.sha256(sys.version.encode() + contents).hexdigest()
    return cached_file(f"{file.stem}_{key[:24]}.digest", parsed)


@lru_cache(maxsize=1)
def package_digest() -> str:
    """Return a digest of all source files that determine the texts of kernels, and of the versions
    of Python and Jinja."""
    digest = hashlib.sha256(f"{sys.version}\0{version('jinja2')}".encode())
    for file in sorted(_sources()):
        digest.update(f"\0{file.relative_to(PACKAGE).as_posix()}\0".encode() + read_bytes(file))
    return digest.hexdigest()


def _sources() -> Iterator[Path]:
    yield from PACKAGE.glob("*.py")
    for folder in SOURCES:
        for ending in ("py", "j2"):
            yield from (PACKAGE / folder).rglob(f"*.{ending}")


def tree_dump(tree: ast.AST) -> str:
    """Return the code of a syntax tree without docstrings and positions. It changes the tree."""
    for node in ast.walk(tree):
        if isinstance(node, _WITH_DOCSTRING) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:]
    return ast.dump(tree)
