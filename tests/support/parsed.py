"""Python files as trees. Looking for garbage takes longer than parsing, and trees have none."""

from __future__ import annotations

import ast
import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

Found = TypeVar("Found")


def read_trees(files: Iterable[Path], read: Callable[[ast.Module], Found]) -> dict[Path, Found]:
    """Return what a function reads from the tree of each file. No tree is kept."""
    with garbage_kept():
        return {file: read(ast.parse(file.read_text("utf-8"))) for file in files}


@contextmanager
def garbage_kept() -> Iterator[None]:
    """Look for no garbage meanwhile."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
