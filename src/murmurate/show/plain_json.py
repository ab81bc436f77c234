"""Values as JSON can say them, which has no infinity: an infinite number is the word "inf", as in
TOML."""

from __future__ import annotations

import math
from typing import Any


def jsonable(value: Any) -> Any:
    """The value as JSON can say it: infinite numbers as words, nan as null, tuples as lists."""
    if isinstance(value, dict):
        return {str(key): jsonable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [jsonable(item) for item in value]
    if isinstance(value, float):
        if math.isnan(value):
            return None
        if math.isinf(value):
            return "inf" if value > 0 else "-inf"
    return value
