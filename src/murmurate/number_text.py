"""parse_number(): the one way in which text from outside becomes a number."""

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
