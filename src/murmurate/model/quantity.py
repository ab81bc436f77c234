"""Numbers of a model: plain or scheduled, with bounds and a unit.

`radius: Scalar = quantity(inf, gt=0, unit="length", infinite=True)` declares a number with bounds
and a unit. Bounds hold for every value of a schedule. The JSON schema has bounds and units too,
for sliders and editors.

Schedules are evaluated once per step, outside the compiled kernels, so they never recompile
anything. Their times are in the time unit of the model (step * dt).
"""

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

MAX_NUMBER = 1e9
"""The largest number of a model, in either direction; some may be infinite too. Kernels form fourth
powers of lengths and speeds. Those of 1e9 are 1e36, and sums of a few of them fit into float32,
which ends at 3.4e38."""
MAX_WHOLE = 2**53  # engines and pages represent whole numbers up to this exactly


def check_size(number: float) -> float:
    """Return the number. Raises ValueError if it is finite and its size is above MAX_NUMBER."""
    if MAX_NUMBER < abs(number) < math.inf:
        raise ValueError(
            f"got {number:g}; expected a number from -{MAX_NUMBER:,.0f} to {MAX_NUMBER:,.0f}, "
            "whose fourth power fits into float32. Use larger units"
        )
    return number


def _parse_whole(value: Any) -> Any:
    """Return a whole number as an int; floats such as 1000.0 and 1e3 count as whole numbers."""
    if isinstance(value, bool | str) or (isinstance(value, float) and not value.is_integer()):
        raise PydanticCustomError("not_whole", "a whole number")
    if isinstance(value, int | float) and value > MAX_WHOLE:
        raise PydanticCustomError("too_large", f"at most {MAX_WHOLE:,}")
    return int(value) if isinstance(value, float) else value


Number = Annotated[FiniteFloat, Strict(), AfterValidator(check_size)]
"""A finite number that simulations compute with. Booleans are refused."""

Data = Annotated[FiniteFloat, Strict()]
"""A finite number of any size, for comparisons and plots. Booleans are refused."""

Whole = Annotated[int, BeforeValidator(_parse_whole)]
"""A whole number. Booleans are refused."""

Times = tuple[Data, ...]
Values = tuple[Number, ...]


class Ramp(Value):
    """`start` until the time `begin`, then a straight line to `stop` at the time `end`."""

    kind: Literal["ramp"] = "ramp"
    start: Number
    """The value before."""
    stop: Number
    """The value after."""
    begin: Data = 0.0
    """When the change begins. Unit: time."""
    end: Data
    """When the change ends. Unit: time."""

    @model_validator(mode="after")
    def _check_times(self) -> Ramp:
        if self.end <= self.begin:
            raise ValueError(f"end: got {self.end:g}; expected a time after begin, {self.begin:g}")
        return self

    def at(self, time: float) -> float:
        """Return the value at a time."""
        part = min(1.0, max(0.0, (time - self.begin) / (self.end - self.begin)))
        return self.start + (self.stop - self.start) * part

    def extent(self) -> tuple[float, float]:
        """Return the smallest and the largest value."""
        return min(self.start, self.stop), max(self.start, self.stop)


class Steps(Value):
    """`values[0]` until `times[0]`, `values[1]` until `times[1]`, and so on.

    There is one value more than there are times; the last one holds for good.
    """

    kind: Literal["steps"] = "steps"
    times: Times
    """When the value changes, in increasing order. Unit: time."""
    values: Values
    """The values: one more than there are times."""

    @model_validator(mode="after")
    def _check_lengths(self) -> Steps:
        if len(self.values) != len(self.times) + 1:
            raise ValueError(
                f"values: got {len(self.values)} for {len(self.times)} times; expected one value "
                "more than times, since the first holds from the start"
            )
        _check_increasing(self.times)
        return self

    def at(self, time: float) -> float:
        """Return the value at a time."""
        return self.values[bisect_right(self.times, time)]

    def extent(self) -> tuple[float, float]:
        """Return the smallest and the largest value."""
        return min(self.values), max(self.values)


class Cycle(Value):
    """A sine: mean + amplitude * sin(2 pi (time / period + phase))."""

    kind: Literal["cycle"] = "cycle"
    mean: Number = 0.0
    """The mean value."""
    amplitude: Number
    """The largest difference from the mean."""
    period: Annotated[Data, Field(gt=0)]
    """Duration of one cycle. Unit: time."""
    phase: Data = 0.0
    """The phase at time 0. Unit: turns."""

    def at(self, time: float) -> float:
        """Return the value at a time."""
        cycles = time / self.period + self.phase
        return self.mean + self.amplitude * math.sin(2.0 * math.pi * cycles)

    def extent(self) -> tuple[float, float]:
        """Return the smallest and the largest value."""
        return self.mean - abs(self.amplitude), self.mean + abs(self.amplitude)


class Sampled(Value):
    """Straight lines between (times, values); the first and the last value hold outside."""

    kind: Literal["sampled"] = "sampled"
    times: Times
    """The times of the values, in increasing order. Unit: time."""
    values: Values
    """One value for each time."""

    @model_validator(mode="after")
    def _check_lengths(self) -> Sampled:
        if len(self.values) != len(self.times) or not self.times:
            raise ValueError(
                f"values: got {len(self.values)} for {len(self.times)} times; expected one value "
                "for each time, and at least one"
            )
        _check_increasing(self.times)
        return self

    def at(self, time: float) -> float:
        """Return the value at a time."""
        k = bisect_right(self.times, time)
        if k == 0:
            return self.values[0]
        if k == len(self.times):
            return self.values[-1]
        part = (time - self.times[k - 1]) / (self.times[k] - self.times[k - 1])
        return self.values[k - 1] + (self.values[k] - self.values[k - 1]) * part

    def extent(self) -> tuple[float, float]:
        """Return the smallest and the largest value."""
        return min(self.values), max(self.values)


def _check_increasing(times: Times) -> None:
    for earlier, later in itertools.pairwise(times):
        if later <= earlier:
            raise ValueError(f"times: got {later:g} after {earlier:g}; expected increasing times")


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
"""A number or a schedule."""

Vector = tuple[Scalar, ...]
"""One scalar for each axis."""


def number_at(value: object, time: float) -> float:
    """Return the number that a scalar holds at a time."""
    return value.at(time) if isinstance(value, SCHEDULES) else float(value)  # type: ignore[arg-type]


def is_scheduled(value: object) -> bool:
    """Return whether a value is a schedule."""
    return isinstance(value, SCHEDULES)


def extent(scalar: object) -> tuple[float, float]:
    """Return the smallest and the largest number that a scalar holds at any time."""
    if isinstance(scalar, SCHEDULES):
        return scalar.extent()
    return float(scalar), float(scalar)  # type: ignore[arg-type]


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
    """Return the field of a scalar, or of a vector, whose bounds hold for each number.

    Parameters
    ----------
    default : number, schedule or tuple of them, optional
        The default; a field without one is required.
    gt, ge, le : float, optional
        Bounds: greater than, at least, at most. They hold for every value of a schedule.
    unit : str, default ''
        The unit in words, such as 'length', 'speed' or '1/time': each model chooses its own units.
    infinite : bool, default False
        Whether inf is allowed, as for a radius that includes everyone.
    slider : (float, float), optional
        The range of a slider, where the bounds leave it open.
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
    """A value with quantities, whose bounds it checks."""

    @field_validator("*", mode="after")
    @classmethod
    def _check_bounds(cls, value: Any, info: ValidationInfo) -> Any:
        extra = cls.model_fields[info.field_name or ""].json_schema_extra
        if isinstance(extra, dict) and "unit" in extra:
            for scalar in value if isinstance(value, tuple) else (value,):
                _check_scalar(scalar, extra)
        return value


def _check_scalar(scalar: Any, extra: dict[str, Any]) -> None:
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
            raise ValueError(f"got {number:g}; expected {_allowed(extra)}")
        check_size(number)


def _allowed(extra: dict[str, Any]) -> str:
    """Return 'a number > 0 or inf'."""
    signs = {"exclusiveMinimum": ">", "minimum": ">=", "maximum": "<="}
    bounds = [f"{sign} {extra[key]:g}" for key, sign in signs.items() if key in extra]
    if extra["infinite"]:
        return f"a number {' and '.join(bounds)}".rstrip() + " or inf"
    return f"a finite number {' and '.join(bounds)}".rstrip()


def fill_from_space(part: Part, space: Any) -> Any:
    """Return a rule or motion with the parameters that its model leaves to the space.

    Classes with such parameters have a method `within(space)`. A user's parameter of this name
    is left alone.
    """
    cls: Any = type(part)
    return cls.within(part, space) if callable(getattr(cls, "within", None)) else part


def are_corners(value: object) -> bool:
    """Return whether a field's value is the corners (n, D) of a path."""
    return isinstance(value, tuple) and all(isinstance(point, tuple) for point in value)


def corners(part: object) -> tuple[tuple[float, ...], ...]:
    """Return the corners (n, D) of a rule's path; none if its `points` are something else."""
    points = getattr(part, "points", ())
    return points if are_corners(points) else ()


def quantities(part: type[Part]) -> dict[str, dict[str, Any]]:
    """Return the quantity fields of a part: field name -> bounds and unit."""
    return {
        name: info.json_schema_extra
        for name, info in part.model_fields.items()
        if isinstance(info.json_schema_extra, dict) and "unit" in info.json_schema_extra
    }
