"""Registries: which kinds of rules and motions model files may name."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from importlib import import_module
from typing import Any

from murmurate.errors import ModelError


def kind_of(cls: type) -> str:
    """The word for a class in model files: TendToPlace -> tend-to-place."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", cls.__name__).lower()


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """'no rule named 'cohesoin': did you mean 'cohesion'? (known: ...)'"""
    known = sorted(known)
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    hint = f": did you mean {close[0]!r}?" if close else ""
    return f"no {what} named {name!r}{hint} (known: {', '.join(known)})"


# Where the built-in rules and motions are. They are imported when a kind is first asked for, so
# that `import murmurate` and `murmurate --help` stay fast.
BUILT_IN = "murmurate.rules"


class Registry(dict[str, Any]):
    """kind -> class."""

    def __init__(self, what: str) -> None:
        super().__init__()
        self.what = what

    def register(self, cls: type) -> None:
        """A user's class may replace a user's, so that a notebook cell can run again; nobody's may
        replace a built-in one."""
        kind = kind_of(cls)
        if not cls.__module__.startswith("murmurate."):
            import_module(BUILT_IN)
        known = self.get(kind)
        if known is not None and known.__module__.startswith("murmurate."):
            raise ModelError(
                f"a {self.what} named {cls.__name__} would replace the built-in {kind!r}: "
                "give it another name"
            )
        self[kind] = cls

    def find(self, kind: str) -> Any:
        """The class of a kind, or a ModelError with the nearest name."""
        import_module(BUILT_IN)
        if kind not in self:
            raise ModelError(
                f"{unknown(self.what, kind, self)}. Is it in a Python file of your own? Name that "
                "file: --rules FILE.py, or in Python mm.load_rules('FILE.py')"
            )
        return self[kind]
