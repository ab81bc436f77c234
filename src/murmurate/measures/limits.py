"""Limits: MeasureError, and the checks of counts and options that raise it."""

from __future__ import annotations

from decimal import Context, Decimal
from numbers import Real
from typing import Any

from murmurate.errors import MurmurateError
from murmurate.model.number import LARGEST_WHOLE


class MeasureError(MurmurateError, ValueError):
    """A measure cannot be taken as asked: too many boids for its cost, or an option that is not
    allowed. The message says what to do instead."""


def at_most(count: int, limit: int, what: str, advice: str) -> None:
    """Raises MeasureError where a count is above what a measure can work through."""
    if count > limit:
        raise MeasureError(f"{what}: at most {limit:,} can be done. {advice}")


def counted(number: float) -> str:
    """A count for a message: '12,000', and '1e+30' where nobody would read all digits."""
    if abs(number) <= LARGEST_WHOLE:
        return f"{int(number):,}"
    return f"{Decimal(number).normalize(Context(prec=3)):g}"


def positive(value: float, name: str) -> float:
    """The number itself. Raises MeasureError unless it is above 0."""
    if not is_number(value) or not value > 0:
        raise MeasureError(f"{name} is {shown(value)}: it must be a number > 0")
    return float(value)


def whole(value: int, name: str, least: int = 1) -> int:
    """The number itself. Raises MeasureError unless it is whole and not below `least`."""
    if not is_number(value) or not least <= value <= LARGEST_WHOLE or value != int(value):
        said = f"{name} is {shown(value)}"
        raise MeasureError(
            f"{said}: it must be a whole number of {least} or more, at most {LARGEST_WHOLE:,}"
        )
    return int(value)


def is_number(value: Any) -> bool:
    """Whether it is one real number. True and False are none here: no option means 1 by them."""
    return isinstance(value, Real) and not isinstance(value, bool)


def shown(value: Any) -> str:
    """What was given, for an error: words in quotes, all else as it is printed."""
    if isinstance(value, int) and abs(value) > LARGEST_WHOLE:
        return counted(value)
    return repr(value) if isinstance(value, str) else f"{value}"
