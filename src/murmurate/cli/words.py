"""Words of the command line -> values: whole numbers are whole, and no word is empty."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, get_args

from cyclopts import Token, convert

WHOLE = re.compile(r"([+-]?\d+(?:_\d+)*)(?:\.0*)?(?:e\+?(\d{1,2}))?", re.ASCII | re.IGNORECASE)
LONGEST = 40  # characters of a number


def value_of(kind: Any, tokens: Sequence[Token]) -> Any:
    """The value of an option or argument. Raises ValueError, saying what is allowed."""
    if any(token.value == "" for token in tokens):
        raise ValueError("it is empty: give a value, or leave it out")
    kinds, word = get_args(kind) or (kind,), tokens[0].value
    if int in kinds:
        return whole(word)
    if float in kinds and not (word.isascii() and len(word) <= LONGEST):
        raise ValueError(f"{word[:LONGEST]}: it must be a number, such as 0.5")
    return convert(kind, tokens)


def whole(word: str) -> int:
    """1000, 1_000, 1e3 and 1000.0 are 1000; 1.5 is no whole number. Raises ValueError."""
    found = WHOLE.fullmatch(word) if len(word) <= LONGEST else None
    if not found:
        raise ValueError(f"{word[:LONGEST]}: it must be a whole number, such as 1000 or 1e3")
    return int(found[1]) * 10 ** int(found[2] or 0)
