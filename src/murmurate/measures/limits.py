"""MeasureError, and the checks of options and counts that raise it."""

from __future__ import annotations

from decimal import Context, Decimal
from numbers import Real
from typing import Any

from murmurate.errors import MeasureError
from murmurate.model.number import MAX_WHOLE


def check_count(count: int, maximum: int, name: str, things: str, advice: str) -> None:
    """Raise MeasureError if `count` exceeds `maximum`.

    count, maximum  number of `things`, and how many the measure can process
    name  measure or option that the message names
    things  what is counted, such as 'boids'. May be empty.
    advice  a sentence that says what to do instead
    """
    if count > maximum:
        text = f"{format_count(count)} {things}".rstrip()
        raise MeasureError(f"{name}: got {text}; expected at most {maximum:,}. {advice}")


def check_positive(value: float, name: str) -> float:
    """Return `value` as a float. Raise MeasureError unless it is a number above 0."""
    if not is_number(value) or not value > 0:
        raise MeasureError(f"{name}: got {format_value(value)}; expected a number above 0")
    return float(value)


def check_integer(value: int, name: str, minimum: int = 1) -> int:
    """Return `value` as an int. Raise MeasureError unless it is a whole number >= `minimum`."""
    if not is_number(value) or not minimum <= value <= MAX_WHOLE or value != int(value):
        raise MeasureError(
            f"{name}: got {format_value(value)}; expected a whole number from {minimum} to "
            f"{MAX_WHOLE:,}"
        )
    return int(value)


def is_number(value: Any) -> bool:
    """Return True for one real number. Booleans do not count as numbers here."""
    return isinstance(value, Real) and not isinstance(value, bool)


def format_count(number: float) -> str:
    """Format a count for a message: '12,000', or '1e+30' beyond the largest exact integer."""
    if abs(number) <= MAX_WHOLE:
        return f"{int(number):,}"
    return f"{Decimal(number).normalize(Context(prec=3)):g}"


def format_value(value: Any) -> str:
    """Format a value for a message: text in quotes, everything else as `print` shows it."""
    if isinstance(value, int) and abs(value) > MAX_WHOLE:
        return format_count(value)
    return repr(value) if isinstance(value, str) else f"{value}"
