"""Paths, values and measures as plots and tables say them."""

from __future__ import annotations

from typing import Any


def short(path: str) -> str:
    """A path as an axis says it: 'rules.alignment.weight' -> 'alignment weight'."""
    parts = [part for part in path.split(".") if part not in ("rules", "flocks")]
    return " ".join(parts).replace("_", " ")


def word(measure: str) -> str:
    """'polarization@hawks' -> 'polarization of hawks'."""
    name, at, flock = measure.partition("@")
    return name.replace("_", " ") + (f" of {flock}" if at else "")


def value_text(value: Any) -> str:
    """A varied value in few characters."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)
