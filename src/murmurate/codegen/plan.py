"""Plan: what a kernel for a model must do, before any text is written.

A plan says which numbers the kernel reads and where (slots), and, for every flock and stage, how
each rule senses: by totals (O(1) a boid), by a sweep of a whole flock, or of the cells around.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from murmurate.codegen import function_text
from murmurate.codegen.obstacle_table import obstacle_table
from murmurate.model.model import Model
from murmurate.model.rule import NeighbourRule
from murmurate.model.schedule import extent, is_scheduled, number_at

FAR = 1e15
"""What infinity is in a kernel: its square fits in float32, and kernels are compiled as if infinity
did not exist."""

HIDDEN = 1e10
"""Where a boid is put that must not be seen: out of reach of anything, and near enough that the
cube of the distance is a number in float32."""

WHOLE_FLOCK = 256
"""A sensed flock of up to so many boids is swept whole; a larger one through cells."""
WHOLE_MODEL = 1500
"""A model of up to so many boids needs no cells at all."""


@dataclass(frozen=True)
class Numbers:
    """The numbers of one part (a rule or a motion) in a kernel.

    name    the part's name in the kernel's text
    fields  field -> slot, slots of a vector (3), or slots of a polyline's points
    words   field -> constant: everything in the part that is not a number
    """

    name: str
    fields: dict[str, Any]
    words: dict[str, Any]

    @property
    def tuple_name(self) -> str:
        """The named tuple that holds them: the same for all parts with the same fields, so that
        their functions are compiled once."""
        return "numbers_" + "_".join(_shape(name, slot) for name, slot in self.fields.items())


@dataclass(frozen=True)
class Sense:
    """One rule sensing one flock.

    how     totals | whole | cells | voronoi
    """

    rule: RulePlan
    flock: str
    how: str


@dataclass(frozen=True)
class RulePlan:
    """A rule as one flock's boids follow it."""

    name: str
    rule: Any
    numbers: Numbers
    sums: int
    """How many sums its pair function gives; 0 for a rule that needs no neighbours."""
    purpose: int
    """Its number in the law of random numbers."""
    cone: int
    """Slot of its field of view as a signed squared cosine; -1 where it sees all around."""
    senses: tuple[str, ...] = ()
    obstacles: tuple[int, ...] = ()
    herd: int = -1
    """First of the eight slots of what it is told of a herd; -1 where it is told nothing."""
    tessellation: int = -1
    """The tessellation whose neighbours it senses; -1 where it senses others."""

    @property
    def nearest(self) -> int:
        return getattr(self.rule, "nearest", 0)

    @property
    def annulus(self) -> bool:
        """Whether it senses only beyond an inner radius."""
        return isinstance(self.rule, NeighbourRule) and extent(self.rule.inner_radius)[1] > 0.0


@dataclass(frozen=True)
class FlockPlan:
    """What one flock's boids do in one stage."""

    flock: str
    stage: int
    rules: tuple[RulePlan, ...]
    motion: Numbers
    senses: tuple[Sense, ...]
    last: bool
    keeps: bool = False
    """Whether its motion keeps three numbers a boid from step to step."""


@dataclass
class Plan:
    """All a kernel's text depends on, and the numbers it will be given."""

    model: Model
    counts: dict[str, int]
    gridded: tuple[str, ...]
    stages: int
    flocks: list[FlockPlan]
    slots: list[tuple[str, Any]] = field(default_factory=list)
    herds: dict[tuple[str, tuple[str, ...]], int] = field(default_factory=dict)
    """(the flock that senses it late or badly, or '', the flocks it is of) -> its first slot."""
    tessellations: list[tuple[str, ...]] = field(default_factory=list)
    """Flocks that Voronoi cells are made of together."""
    _steady: np.ndarray = field(default_factory=lambda: np.zeros(0))

    @property
    def told(self) -> tuple[str, ...]:
        """The flocks that know of others late or badly."""
        return tuple(name for name, flock in self.model.flocks.items() if flock.sensing)

    @property
    def integrates(self) -> bool:
        """Whether forces are looked at more than once a step."""
        return self.model.integrator != "euler"

    @property
    def watches(self) -> bool:
        """Whether something must be worked out for all boids before each step."""
        return bool(self.herds or self.told or self.tessellations)

    @property
    def extras(self) -> tuple[str, ...]:
        """Arrays that its kernels are given beside those that all kernels are."""
        keeps = any(flock.keeps for flock in self.flocks)
        return (
            *(("kept", "new_kept") if keeps else ()),
            *(("told",) if self.told else ()),
            *(("offsets", "links") if self.tessellations else ()),
        )

    def numbers(self, time: float, herds: Mapping[int, np.ndarray] | None = None) -> np.ndarray:
        """(slots,) float64: every number as it holds at `time`; of herds, what is given."""
        if self.scheduled or len(self._steady) != len(self.slots):
            self._steady = np.array([_slot_value(kind, value, time) for kind, value in self.slots])
        values = self._steady.copy()
        for slot, numbers in (herds or {}).items():
            values[slot : slot + len(numbers)] = numbers
        return values

    @cached_property
    def scheduled(self) -> bool:
        """Whether any number changes in time."""
        obstacles = (value for shape in self.model.obstacles.values() for _, value in shape)
        scalars = [value for _, value in self.slots]
        for value in obstacles:
            scalars.extend(value if isinstance(value, tuple) else [value])
        return any(is_scheduled(value) for value in scalars)

    def obstacle_table(self, time: float) -> np.ndarray:
        """(obstacles, 7) float64: kind, centre or point, radius or half sizes or unit normal."""
        return obstacle_table(self.model, time)

    def reach(self, time: float) -> float:
        """The longest finite radius of the rules that sense through cells; 0 if none."""
        reach = [
            number_at(s.rule.rule.radius, time)
            for f in self.flocks
            for s in f.senses
            if s.how == "cells" and not s.rule.nearest
        ]
        return max(reach, default=0.0)


def purpose(*names: str) -> int:
    """The number that a source of chance has in the law of random numbers: from its names, so that
    adding one leaves the others as they were."""
    return zlib.crc32("/".join(names).encode())


def keeps_numbers(motion: Any) -> bool:
    """Whether a motion keeps three numbers a boid from step to step."""
    return "kept" in function_text.arguments(type(motion).turn)


def perching_slot(plan: Plan, flock: str) -> int:
    """The first of a perching flock's slots: ground level, fewest steps on it, most steps."""
    perching = [name for name, f in plan.model.flocks.items() if f.perching]
    grounds = [slot for slot, (kind, _) in enumerate(plan.slots) if kind == "ground"]
    return grounds[perching.index(flock)]


def dt_slot(plan: Plan) -> int:
    """The slot of the time step."""
    return [kind for kind, _ in plan.slots].index("dt")


def _shape(name: str, slot: Any) -> str:
    return f"{name}{len(slot)}" if isinstance(slot, tuple) and name == "points" else name


def _slot_value(kind: str, value: Any, time: float) -> float:
    number = number_at(value, time)
    if kind == "cone":
        c = math.cos(math.radians(number))
        return c * abs(c) if number < 180.0 else -2.0  # no rounding may hide who is right behind
    return min(FAR, max(-FAR, number))
