"""The module that finds the messages of catalogues in the sources: viewer/messages.py."""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path
from types import ModuleType

PATH = Path(__file__).resolve().parents[2] / "viewer" / "messages.py"


@cache
def extraction() -> ModuleType:
    """The module, which is in no package."""
    spec = importlib.util.spec_from_file_location("messages", PATH)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
