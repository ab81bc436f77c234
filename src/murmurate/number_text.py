"""Numbers as text: numbers from outside, and sizes of files for people."""

from __future__ import annotations

from typing import Any


def parse_number(text: Any) -> float:
    """Return the number that a text has in ASCII digits, without the underscores of Python.

    raises ValueError  for other text. Python's float() also accepts 1_0 and the digits of every
        script.
    """
    if isinstance(text, str) and (not text.isascii() or "_" in text):
        raise ValueError(f"{text[:40]!r} is not a number")
    return float(text)


def size_text(count: float) -> str:
    """Return a number of bytes for people, such as '1.2 MB'."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit in ("bytes", "kB") else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.2f} TB"
