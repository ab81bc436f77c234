"""What a measure cannot do, said before the work begins."""

from __future__ import annotations

from murmurate.errors import MurmurateError


class MeasureError(MurmurateError, ValueError):
    """A measure cannot be taken as asked: too many boids for its cost, or an option that is not
    allowed. The message says what to do instead."""


def at_most(count: int, limit: int, what: str, advice: str) -> None:
    """Raises MeasureError where a count is above what a measure can work through."""
    if count > limit:
        raise MeasureError(f"{what}: at most {limit:,} can be done. {advice}")


def positive(value: float, name: str) -> float:
    """The number itself. Raises MeasureError unless it is above 0."""
    if not value > 0:
        raise MeasureError(f"{name} is {value}: it must be > 0")
    return float(value)


def whole(value: int, name: str, least: int = 1) -> int:
    """The number itself. Raises MeasureError unless it is whole and not below `least`."""
    if int(value) != value or value < least:
        raise MeasureError(f"{name} is {value}: it must be a whole number of {least} or more")
    return int(value)
