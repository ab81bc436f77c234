"""Public names that the `__init__.pyi` of a package declares, all imported with the package."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path


def import_all(package: str, file: str) -> dict[str, object]:
    """Import the modules of a package in the order of its stub, and return the public names.

    file  `__file__` of the package; the stub lies beside it
    """
    stub = ast.parse(Path(file).with_suffix(".pyi").read_text("utf-8"))
    names: dict[str, object] = {}
    for line in stub.body:
        if isinstance(line, ast.ImportFrom):
            module = import_module("." * line.level + (line.module or ""), package)
            names |= {alias.name: getattr(module, alias.name) for alias in line.names}
    return names
