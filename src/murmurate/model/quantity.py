"""Numbers of a model: plain, scheduled, and with bounds and a unit."""

from __future__ import annotations

import itertools
import math
from bisect import bisect_right
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Discriminator,
    Field,
    FiniteFloat,
    Strict,
    Tag,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from murmurate.model.value import Value

LARGEST = 1e9
"""Numbers of a model lie between minus this and this (or are infinite, where that is allowed).
Kernels form fourth powers of lengths and speeds (squared distances times squared speeds): those of
1e9 are 1e36, and sums of some of them still fit into float32, which ends at 3.4e38."""
LARGEST_WHOLE = 2**53  # neither an engine nor a page loses a digit


def check_size(number: float) -> float:
    """The number. Raises ValueError for a finite one that is beyond LARGEST."""
    if LARGEST < abs(number) < math.inf:
        raise ValueError(
            f"{number:g} is out of bounds: it must be between -{LARGEST:,.0f} and {LARGEST:,.0f}, "
            "so that fourth powers fit into float32; measure in larger units"
        )
    return number


def _whole(value: Any) -> Any:
    """A whole number, 1000.0 and 1e3 too, as int."""
    if isinstance(value, bool | str) or (isinstance(value, float) and not value.is_integer()):
        raise PydanticCustomError("not_whole", "must be a whole number")
    if isinstance(value, int | float) and value > LARGEST_WHOLE:
        raise PydanticCustomError("too_large", f"must be at most {LARGEST_WHOLE:,}")
    return int(value) if isinstance(value, float) else value


Number = Annotated[FiniteFloat, Strict(), AfterValidator(check_size)]
"""A finite number of a size that can be computed with; true is none."""

Data = Annotated[FiniteFloat, Strict()]
"""A finite number that is compared or drawn, and not computed with."""

Whole = Annotated[int, BeforeValidator(_whole)]
"""A whole number; true is none."""


Times = tuple[Data, ...]
Values = tuple[Number, ...]


class Ramp(Value):
    """`start` until `begin`, then a straight line, `stop` from `end` on."""

    kind: Literal["ramp"] = "ramp"
    start: Number
    """The value before."""
    stop: Number
    """The value after."""
    begin: Data = 0.0
    """When it begins to change. Unit: time."""
    end: Data
    """When it has changed. Unit: time."""

    @model_validator(mode="after")
    def _ordered(self) -> Ramp:
        if self.end <= self.begin:
            raise ValueError(f"end is {self.end:g}: it must be later than begin ({self.begin:g})")
        return self

    def at(self, time: float) -> float:
        part = min(1.0, max(0.0, (time - self.begin) / (self.end - self.begin)))
        return self.start + (self.stop - self.start) * part

    def extent(self) -> tuple[float, float]:
        return min(self.start, self.stop), max(self.start, self.stop)


class Steps(Value):
    """`values[0]` until `times[0]`, `values[1]` until `times[1]`, ..., the last one for good.

    There is one value more than there are times.
    """

    kind: Literal["steps"] = "steps"
    times: Times
    """When the value changes, in increasing order. Unit: time."""
    values: Values
    """The values, one more than there are times."""

    @model_validator(mode="after")
    def _matching(self) -> Steps:
        if len(self.values) != len(self.times) + 1:
            raise ValueError(
                f"{len(self.values)} values for {len(self.times)} times: "
                "give one value more than times (the first holds from the start)"
            )
        _increasing(self.times)
        return self

    def at(self, time: float) -> float:
        return self.values[bisect_right(self.times, time)]

    def extent(self) -> tuple[float, float]:
        return min(self.values), max(self.values)


class Cycle(Value):
    """A sine: mean + amplitude * sin(2 pi (time / period + phase)); `phase` in turns."""

    kind: Literal["cycle"] = "cycle"
    mean: Number = 0.0
    """The value in the middle."""
    amplitude: Number
    """How far it swings to either side."""
    period: Annotated[Data, Field(gt=0)]
    """Time for one swing there and back. Unit: time."""
    phase: Data = 0.0
    """Where in the swing it begins. Unit: turns."""

    def at(self, time: float) -> float:
        turns = time / self.period + self.phase
        return self.mean + self.amplitude * math.sin(2.0 * math.pi * turns)

    def extent(self) -> tuple[float, float]:
        return self.mean - abs(self.amplitude), self.mean + abs(self.amplitude)


class Sampled(Value):
    """Straight lines between (times, values); the first and last value hold outside."""

    kind: Literal["sampled"] = "sampled"
    times: Times
    """When the values hold, in increasing order. Unit: time."""
    values: Values
    """The values, one a time."""

    @model_validator(mode="after")
    def _matching(self) -> Sampled:
        if len(self.values) != len(self.times) or not self.times:
            raise ValueError(
                f"{len(self.values)} values for {len(self.times)} times: give one value a time"
            )
        _increasing(self.times)
        return self

    def at(self, time: float) -> float:
        k = bisect_right(self.times, time)
        if k == 0:
            return self.values[0]
        if k == len(self.times):
            return self.values[-1]
        part = (time - self.times[k - 1]) / (self.times[k] - self.times[k - 1])
        return self.values[k - 1] + (self.values[k] - self.values[k - 1]) * part

    def extent(self) -> tuple[float, float]:
        return min(self.values), max(self.values)


def _increasing(times: Times) -> None:
    for earlier, later in itertools.pairwise(times):
        if later <= earlier:
            raise ValueError(f"times must increase, but {later:g} follows {earlier:g}")


SCHEDULES = (Ramp, Steps, Cycle, Sampled)


def _tag(value: object) -> str:
    if isinstance(value, dict):
        return str(value.get("kind", "a table without a kind"))
    return value.kind if isinstance(value, SCHEDULES) else "number"


Scalar = Annotated[
    Annotated[float, Strict(), Tag("number")]
    | Annotated[Ramp, Tag("ramp")]
    | Annotated[Steps, Tag("steps")]
    | Annotated[Cycle, Tag("cycle")]
    | Annotated[Sampled, Tag("sampled")],
    Discriminator(_tag),
]
"""A number, or a schedule."""


def number_at(value: object, time: float) -> float:
    """The number that a scalar (plain or scheduled) holds at `time`."""
    return value.at(time) if isinstance(value, SCHEDULES) else float(value)  # type: ignore[arg-type]


def is_scheduled(value: object) -> bool:
    return isinstance(value, SCHEDULES)


def extent(scalar: object) -> tuple[float, float]:
    """The least and the greatest value that a scalar (plain or scheduled) can take."""
    if isinstance(scalar, SCHEDULES):
        return scalar.extent()
    return float(scalar), float(scalar)  # type: ignore[arg-type]


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
