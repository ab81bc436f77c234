"""Numbers of a model: plain, scheduled or different between boids, with bounds and a unit.

`radius: Scalar = quantity(inf, gt=0, unit="length", infinite=True)` declares a number with bounds
and a unit. Bounds hold for every value of a schedule and of a distribution. The JSON schema has
bounds and units too, for sliders and editors.

Schedules are evaluated once per step, outside the compiled kernels, so they never recompile
anything. Their times are in the time unit of the model (step * dt).
"""

from __future__ import annotations

import itertools
import math
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Literal

from pydantic import (
    BeforeValidator,
    Discriminator,
    Field,
    Strict,
    Tag,
    ValidationInfo,
    field_validator,
    model_validator,
)

from murmurate.model.distribution import (
    DISTRIBUTIONS,
    Choice,
    Distribution,
    Each,
    Lognormal,
    Normal,
    Uniform,
    is_individual,
)
from murmurate.model.number import Data, Number, check_size
from murmurate.model.number_table import table_fields, table_numbers
from murmurate.model.value import Value

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
KINDS = (*SCHEDULES, *DISTRIBUTIONS)
"""Classes of numbers that are tables in a model file."""


def _tag(value: object) -> str:
    if isinstance(value, dict):
        return str(value.get("kind", "a table without a kind"))
    return str(value.kind) if isinstance(value, KINDS) else "number"


def _parse_scalar(value: Any) -> Any:
    """Return an array of numbers as a table of kind 'each'. Refuse a file that nobody read."""
    if isinstance(value, dict) and "from" in value:
        raise ValueError(
            f"got from = {value['from']!r}; expected values. Only model files on disk name files: "
            "load the model from its file, or give kind 'each' and values"
        )
    if isinstance(value, list | tuple):
        raise ValueError(
            f"got a list of {len(value)}; expected one number. Numbers of each boid of a rule or "
            "motion are { kind = 'each', values = [...] }, in Python also an array"
        )
    if not hasattr(value, "__array__") or isinstance(value, float):
        return value
    if len(value.shape) == 0:
        return value.item()
    _check_array(value, 1)
    return {"kind": "each", "values": value.tolist()}


def _parse_vector(value: Any) -> Any:
    """Return an array of shape (D,) as numbers, one of shape (N, D) as numbers of each boid."""
    if not hasattr(value, "__array__"):
        return value
    if len(value.shape) == 1:
        return tuple(value.tolist())
    _check_array(value, 2)
    return tuple({"kind": "each", "values": column} for column in value.T.tolist())


def _check_array(array: Any, axes: int) -> None:
    """Check an array of numbers of boids. Raises ValueError."""
    import numpy as np

    shape = " or ".join(("a number", "shape (N,)") if axes == 1 else ("shape (D,)", "(N, D)"))
    if len(array.shape) != axes:
        raise ValueError(f"got an array of shape {tuple(array.shape)}; expected {shape}")
    if array.dtype.kind not in "iuf":
        raise ValueError(f"got an array of {array.dtype}; expected numbers")
    if wrong := np.argwhere(~np.isfinite(array)).tolist():
        number = array[tuple(wrong[0])]
        raise ValueError(f"got {number:g} for boid {wrong[0][0]}; expected finite numbers")


Scalar = Annotated[
    Annotated[float, Strict(), Tag("number")]
    | Annotated[Ramp, Tag("ramp")]
    | Annotated[Steps, Tag("steps")]
    | Annotated[Cycle, Tag("cycle")]
    | Annotated[Sampled, Tag("sampled")]
    | Annotated[Normal, Tag("normal")]
    | Annotated[Uniform, Tag("uniform")]
    | Annotated[Lognormal, Tag("lognormal")]
    | Annotated[Choice, Tag("choice")]
    | Annotated[Each, Tag("each")],
    Discriminator(_tag),
    BeforeValidator(_parse_scalar),
]
"""A number, a schedule, or a distribution of numbers that differ between boids."""

Vector = Annotated[tuple[Scalar, ...], BeforeValidator(_parse_vector)]
"""One scalar for each axis."""


def _parse_names(value: object) -> object:
    if isinstance(value, list | tuple) and "" in value:
        raise ValueError(f"got {list(value)}; expected names. Leave out the empty ones")
    return tuple(value) if isinstance(value, list) else value


FlockNames = Annotated[str | tuple[str, ...], BeforeValidator(_parse_names)]
"""The name of a flock, or several names."""


def number_at(value: object, time: float) -> float:
    """Return the number that a scalar holds at a time. Raises TypeError for a distribution."""
    if type(value) is float:  # as nearly all: a fast test
        return value
    if isinstance(value, Distribution):
        raise TypeError(f"number_at: got {value.text}, which differs between boids")
    return value.at(time) if isinstance(value, SCHEDULES) else float(value)  # type: ignore[arg-type]


def is_scheduled(value: object) -> bool:
    """Return whether a value is a schedule."""
    return isinstance(value, SCHEDULES)


def extent(scalar: object) -> tuple[float, float]:
    """Return bounds of the numbers that a scalar holds at any time, in any boid."""
    if isinstance(scalar, (*SCHEDULES, Distribution)):
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
        Bounds: greater than, at least, at most. They hold for every value of a schedule and of a
        distribution.
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

    _may_differ: ClassVar[bool] = False  # whether its quantities may differ between boids

    @field_validator("*", mode="after")
    @classmethod
    def _check_bounds(cls, value: Any, info: ValidationInfo) -> Any:
        extra = quantities(cls).get(info.field_name or "")
        if extra is not None:
            for scalar in value if isinstance(value, tuple) else (value,):
                if is_individual(scalar):
                    _check_individual(scalar, extra, cls._may_differ)
                else:
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


def _check_individual(value: Distribution, extra: dict[str, Any], may_differ: bool) -> None:
    """Check that a distribution is allowed, and that all of its numbers are within the bounds."""
    if not may_differ:
        raise ValueError(
            f"got {value.text}; expected a number or a schedule, since only numbers of rules and "
            "motions may differ between boids"
        )
    low, high = value.extent()
    smallest, excluded = extra.get("minimum", -math.inf), extra.get("exclusiveMinimum")
    if low < smallest or (excluded is not None and low <= excluded):
        numbers, key = "numbers without a smallest one", "min"
        numbers = numbers if math.isinf(low) else f"numbers down to {low:g}"
    elif high > extra.get("maximum", math.inf):
        numbers, key = "numbers without a largest one", "max"
        numbers = numbers if math.isinf(high) else f"numbers up to {high:g}"
    else:
        return
    if isinstance(value, Choice | Each):
        remedy = "Change its values"
    else:
        remedy = f"{'Change' if isinstance(value, Uniform) else 'Give'} {key}"
    raise ValueError(
        f"got {value.text}, {numbers}; expected each to be {_allowed({**extra, 'infinite': False})}"
        f". {remedy}"
    )


def _allowed(extra: dict[str, Any]) -> str:
    """Return 'a number > 0 or inf'."""
    signs = {"exclusiveMinimum": ">", "minimum": ">=", "maximum": "<="}
    bounds = [f"{sign} {extra[key]:g}" for key, sign in signs.items() if key in extra]
    if extra["infinite"]:
        return f"a number {' and '.join(bounds)}".rstrip() + " or inf"
    return f"a finite number {' and '.join(bounds)}".rstrip()


def individual_fields(part: Part) -> dict[str, Distribution]:
    """Return the numbers of a part that differ between boids.

    The keys are its fields, for a component of a vector with its axis: 'weight', 'velocity.x'.
    """
    fields: dict[str, Distribution] = {}
    for name in quantities(type(part)):
        value = getattr(part, name)
        items = zip("xyz", value, strict=False) if isinstance(value, tuple) else [("", value)]
        fields |= {
            f"{name}.{axis}".rstrip("."): item for axis, item in items if is_individual(item)
        }
    return fields


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


def may_differ(part: type) -> bool:
    """Return whether the quantities of a part may differ between boids."""
    return issubclass(part, Part) and part._may_differ


@lru_cache(maxsize=512)
def quantities(part: type[Part]) -> dict[str, dict[str, Any]]:
    """Return the quantity fields of a part: field name -> bounds and unit."""
    return {
        name: info.json_schema_extra
        for name, info in part.model_fields.items()
        if isinstance(info.json_schema_extra, dict) and "unit" in info.json_schema_extra
    }


def numbers_at(part: Part, time: float) -> dict[str, Any]:
    """Return the quantities of a part at a time: field -> number or numbers of a vector."""
    values = {name: getattr(part, name) for name in quantities(type(part))}
    return {
        name: tuple(number_at(x, time) for x in value)
        if isinstance(value, tuple)
        else number_at(value, time)
        for name, value in values.items()
    }


@dataclass(frozen=True)
class TableRows:
    """The placeholder of a table among the numbers of a part.

    count  number of rows
    first  index of the first one among the numbers of all tables of a model
    """

    count: int
    first: int = 0


Keys = tuple[str, *tuple[int, ...]]


def numbers_and_words(
    part: Part, number: Callable[[Keys, Any], Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the numbers of a part, and its other constants, by field. Tables are TableRows.

    number  number(keys, value) returns the placeholder of a number. Keys are the field, for a
            corner of a path the index of the corner, and for a vector the axis; vectors have three
    """
    numbers: dict[str, Any] = {}
    words: dict[str, Any] = {}
    scalars = quantities(type(part))

    def vector(keys: Keys, value: Any) -> tuple[Any, ...]:
        padded = (*value, *(0.0,) * (3 - len(value)))
        return tuple(number((*keys, axis), x) for axis, x in enumerate(padded))

    for key in type(part).model_fields:
        value = getattr(part, key)
        if key in scalars:
            if isinstance(value, tuple):
                numbers[key] = vector((key,), value)
            elif value is not None:
                numbers[key] = number((key,), value)
        elif key == "points" and are_corners(value):
            numbers[key] = tuple(vector((key, k), point) for k, point in enumerate(value))
        elif key in table_fields(type(part)):
            numbers[key] = TableRows(len(table_numbers(value)))
        elif key != "functions" and isinstance(value, bool | int | float | str):
            words[key] = value
    return numbers, words
