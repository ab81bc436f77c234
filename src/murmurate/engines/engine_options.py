"""Options that only one engine has: the base class of their values."""

from __future__ import annotations

from dataclasses import dataclass, fields
from numbers import Integral
from typing import Any, ClassVar, TypeAlias


@dataclass(frozen=True)
class EngineOptions:
    """Options of one engine; those of an engine that has none are empty.

    A subclass is a frozen dataclass. Each field has a default, and `metadata={"help": ...}`, which
    the command line shows. It checks its values in `__post_init__` and raises ModelError.
    """

    engine: ClassVar[str] = ""
    """The name of the engine that has these options: engine=value asks for that engine."""

    def given(self) -> dict[str, Any]:
        """Return the fields that differ from their defaults."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {f.name: values[f.name] for f in fields(self) if values[f.name] != f.default}


EngineChoice: TypeAlias = str | EngineOptions
"""What an argument `engine` takes: the name of an engine, or options of it."""


def is_whole(value: object) -> bool:
    """Return whether a value is a whole number of Python's or NumPy's; True and False are not."""
    return isinstance(value, Integral) and not isinstance(value, bool)
