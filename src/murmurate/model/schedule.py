"""Schedules: a number that changes in time. Any scalar of a model may be one.

Schedules are evaluated once a step, outside the compiled kernels, so they never recompile anything.
Times are in the model's time unit (step * dt).
"""

from __future__ import annotations

import itertools
import math
from bisect import bisect_right
from typing import Annotated, Literal

from pydantic import Discriminator, Field, Strict, Tag, model_validator

from murmurate.model.number import Data, Number
from murmurate.model.value import Value

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
