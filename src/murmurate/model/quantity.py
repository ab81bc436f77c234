"""Scalars with bounds and a unit, plain or scheduled.

`radius: Scalar = quantity(inf, gt=0, unit="length", infinite=True)` declares one. Bounds hold over
the whole extent of a schedule, and travel into the JSON schema with the unit, for sliders and
editors.
"""

from __future__ import annotations

import math
from typing import Any

from pydantic import Field, ValidationInfo, field_validator

from murmurate.model.number import check_size
from murmurate.model.schedule import SCHEDULES
from murmurate.model.schedule import Scalar as Scalar
from murmurate.model.value import Value

Vector = tuple[Scalar, ...]
"""One scalar an axis."""


def quantity(
    default: Any = ...,
    *,
    gt: float | None = None,
    ge: float | None = None,
    le: float | None = None,
    unit: str = "",
    infinite: bool = False,
    slider: tuple[float, float] | None = None,
) -> Any:
    """The field of a scalar, or of a vector of them (bounds then hold for each number).

    default     its default; required without one
    gt, ge, le  bounds; every value a schedule can take must keep them
    unit        'length', 'speed', '1/time', ...: words, since a model chooses its own units
    infinite    whether inf is a legal value (a radius that reaches everyone)
    slider      the range worth sliding over, where the bounds leave it open
    """
    extra: dict[str, Any] = {"unit": unit, "infinite": infinite}
    bounds = {"exclusiveMinimum": gt, "minimum": ge, "maximum": le, "slider": slider}
    extra |= {
        key: list(value) if isinstance(value, tuple) else value
        for key, value in bounds.items()
        if value is not None
    }
    return Field(default, json_schema_extra=extra)


class Part(Value):
    """A value with quantities: their bounds are checked here."""

    @field_validator("*", mode="after")
    @classmethod
    def _within_bounds(cls, value: Any, info: ValidationInfo) -> Any:
        extra = cls.model_fields[info.field_name or ""].json_schema_extra
        if isinstance(extra, dict) and "unit" in extra:
            for scalar in value if isinstance(value, tuple) else (value,):
                _check(scalar, extra)
        return value


def _check(scalar: Any, extra: dict[str, Any]) -> None:
    if scalar is None:
        return
    for number in scalar.extent() if isinstance(scalar, SCHEDULES) else (scalar,):
        if (
            math.isnan(number)
            or (math.isinf(number) and not extra["infinite"])
            or (number <= extra.get("exclusiveMinimum", -math.inf) and "exclusiveMinimum" in extra)
            or number < extra.get("minimum", -math.inf)
            or number > extra.get("maximum", math.inf)
        ):
            raise ValueError(f"{number:g} is out of bounds: it must be {_allowed(extra)}")
        check_size(number)


def _allowed(extra: dict[str, Any]) -> str:
    words = {"exclusiveMinimum": ">", "minimum": ">=", "maximum": "<="}
    parts = [f"{sign} {extra[key]:g}" for key, sign in words.items() if key in extra]
    text = " and ".join(parts) or "a number"
    return text + (" or inf" if extra["infinite"] else ", and finite")


def within(part: Part, space: Any) -> Any:
    """Return a rule or motion as it is in a space: those whose class has a method `within` take
    from it what their model leaves open. A user's parameter of this name is no such method."""
    cls: Any = type(part)
    return cls.within(part, space) if callable(getattr(cls, "within", None)) else part


def are_corners(value: object) -> bool:
    """Return whether a field's value is the corners of a path, (n, D), and not a word or number of
    the same name."""
    return isinstance(value, tuple) and all(isinstance(point, tuple) for point in value)


def corners(part: object) -> tuple[tuple[float, ...], ...]:
    """Return the corners of a rule's path, (n, D); none where its `points` are something else."""
    points = getattr(part, "points", ())
    return points if are_corners(points) else ()


def quantities(part: type[Part]) -> dict[str, dict[str, Any]]:
    """The quantity fields of a part: name -> bounds and unit."""
    return {
        name: info.json_schema_extra
        for name, info in part.model_fields.items()
        if isinstance(info.json_schema_extra, dict) and "unit" in info.json_schema_extra
    }
