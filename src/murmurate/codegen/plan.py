"""Plan: what flying a model takes: numbers with their slots, rules with their senses and sums.

A plan knows no arrays and no engine: what an engine makes of it (cells, sweeps, threads) is said in
a layout (layout.py).
"""

from __future__ import annotations

import math
import zlib
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from murmurate.codegen.obstacle_shapes import BOX, SPHERE, TANK, WALL
from murmurate.language.reader import Readings
from murmurate.language.tree import LARGE
from murmurate.model.model import Model
from murmurate.model.obstacles import unit_normal
from murmurate.model.quantity import extent, is_scheduled, number_at
from murmurate.model.rule import NeighbourRule

FAR = LARGE
"""What infinity is in a kernel."""


@dataclass(frozen=True)
class Slot:
    """One number that kernels read.

    key    what it is, such as ('rule', 'cohesion', 'radius'): texts make names of it. One word
           alone is no user's: ('TIME_STEP',)
    kind   plain; or cone: a field of view, which is passed as a signed squared cosine
    value  a number or a schedule
    path   where it stands in the model: rules.cohesion.radius; '' for what stands nowhere
    """

    key: tuple[str, ...]
    kind: str
    value: Any
    path: str = ""

    def at(self, time: float) -> float:
        """The number at a time, as kernels get it."""
        number = number_at(self.value, time)
        if self.kind == "cone":
            c = math.cos(math.radians(number))
            return c * abs(c) if number < 180.0 else -2.0  # rounding may hide nobody right behind
        return min(FAR, max(-FAR, number))


@dataclass(frozen=True)
class Numbers:
    """The numbers of one part (a rule or a motion) in a kernel.

    role    'rule' or 'motion'
    owner   the name of the rule, or of the flock whose motion it is
    fields  field -> slot, slots of a vector (3), or slots of a polyline's points
    words   field -> constant: everything in the part that is not a number
    """

    role: str
    owner: str
    fields: dict[str, Any]
    words: dict[str, Any]

    @property
    def shape(self) -> tuple[str, ...]:
        """Its fields as words: parts of the same shape share a tuple, and so compiled functions."""
        return tuple(
            f"{name}{len(slot)}" if isinstance(slot, tuple) and name == "points" else name
            for name, slot in self.fields.items()
        )


@dataclass(frozen=True)
class PerBoidState:
    """What a rule or a motion keeps of each boid of a flock.

    role   'rule' or 'motion'
    owner  the name of the rule, or of the flock whose motion it is
    names  those of the numbers
    first  their first row in the memory of all boids
    """

    role: str
    owner: str
    names: tuple[str, ...]
    first: int

    @property
    def rows(self) -> range:
        """Their rows in the memory of all boids."""
        return range(self.first, self.first + len(self.names))


@dataclass(frozen=True)
class Sense:
    """One rule sensing one flock.

    how  totals: everyone by plain sums; voronoi: those of touching cells; each: boid by boid
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
    rng_stream: int
    """Its number in the law of random numbers."""
    cone: int
    """Slot of its field of view as a signed squared cosine; -1 where it sees all around."""
    senses: tuple[str, ...] = ()
    obstacles: tuple[int, ...] = ()
    herd: int = -1
    """First of the eight slots of the herd that it senses; -1 where it senses none."""
    tessellation: int = -1
    """The tessellation whose neighbours it senses; -1 where it senses others."""
    state: PerBoidState | None = None
    """What it keeps of each boid."""

    @property
    def nearest(self) -> int:
        return getattr(self.rule, "nearest", 0)

    @property
    def has_cone(self) -> bool:
        """Whether it has a field of view."""
        return self.cone >= 0

    @property
    def limited(self) -> bool:
        """Whether its vector may be too long: a limit costs each boid a root and a quotient."""
        return math.isfinite(extent(self.rule.limit)[0])

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
    motion_state: PerBoidState | None
    """What its motion keeps of each boid."""
    memory_rows: int
    """How many numbers its motion and its rules of all stages keep of each boid."""
    can_perch: bool
    """Whether its boids may rest on the ground."""

    @property
    def states(self) -> tuple[PerBoidState, ...]:
        """What its motion and its rules of this stage keep."""
        return tuple(
            kept for kept in (self.motion_state, *(rule.state for rule in self.rules)) if kept
        )

    @property
    def other_rows(self) -> list[int]:
        """The rows of what only rules of other stages keep."""
        mine = {row for kept in self.states for row in kept.rows}
        return [row for row in range(self.memory_rows) if row not in mine]


@dataclass
class Plan:
    """All that the functions of a kernel depend on, and the numbers it will be given."""

    model: Model
    counts: dict[str, int]
    stages: int = 0
    flocks: list[FlockPlan] = field(default_factory=list)
    slots: list[Slot] = field(default_factory=list)
    herds: dict[tuple[str, tuple[str, ...]], int] = field(default_factory=dict)
    """(the flock that senses it late or badly, or '', the flocks it is of) -> its first slot."""
    tessellations: list[tuple[str, ...]] = field(default_factory=list)
    """Flocks that Voronoi cells are made of together."""
    grounds: dict[str, int] = field(default_factory=dict)
    """A flock that may rest -> slots of its ground level, shortest and longest rest."""
    time_step: int = -1
    """Slot of dt."""
    readings: Readings = field(default_factory=Readings)
    """The functions of rules and motions as they were read, for all texts."""
    _steady: np.ndarray = field(default_factory=lambda: np.zeros(0))
    _changing: list[int] = field(default_factory=list)

    def add_slot(
        self, key: tuple[str, ...], value: Any, kind: str = "plain", path: str = ""
    ) -> int:
        """Give a number its slot."""
        self.slots.append(Slot(key, kind, value, path))
        return len(self.slots) - 1

    @property
    def sensor_flocks(self) -> tuple[str, ...]:
        """The flocks that sense others late or with errors."""
        return tuple(name for name, flock in self.model.flocks.items() if flock.sensing)

    @property
    def integrates(self) -> bool:
        """Whether forces are evaluated more than once a step."""
        return self.model.integrator != "euler"

    @property
    def perceives(self) -> bool:
        """Whether boids know of others beside the state: late, with errors, as herds."""
        return bool(self.herds or self.sensor_flocks)

    @property
    def memory_rows(self) -> int:
        """How many numbers are kept of a boid at most: the rows of the memory of all boids."""
        return max((flock.memory_rows for flock in self.flocks), default=0)

    @property
    def has_totals(self) -> bool:
        """Whether a rule senses everyone by sums."""
        return any(s.how == "totals" for flock in self.flocks for s in flock.senses)

    def numbers(self, time: float) -> np.ndarray:
        """(slots,) float64: every number as it holds at `time`, but for those of herds."""
        if len(self._steady) != len(self.slots):
            self._steady = np.array([slot.at(time) for slot in self.slots])
            self._changing = [k for k, s in enumerate(self.slots) if is_scheduled(s.value)]
        values = self._steady.copy()
        for k in self._changing:
            values[k] = self.slots[k].at(time)
        return values

    @cached_property
    def scheduled(self) -> bool:
        """Whether any number changes in time."""
        obstacles = (value for shape in self.model.obstacles.values() for _, value in shape)
        scalars = [slot.value for slot in self.slots]
        for value in obstacles:
            scalars.extend(value if isinstance(value, tuple) else [value])
        return any(is_scheduled(value) for value in scalars)

    def obstacle_table(self, time: float) -> np.ndarray:
        """(obstacles, 7) float64: kind, centre or point, radius or half sizes or unit normal."""
        return obstacle_table(self.model, time)


def rng_stream_id(*names: str) -> int:
    """The number that a source of chance has in the law of random numbers: from its names, so that
    adding one leaves the others as they were."""
    return zlib.crc32("/".join(names).encode())


# In 2-D a box has no faces across z: they are out of reach.
NO_FACE = 1e15


def obstacle_table(model: Model, time: float) -> np.ndarray:
    """(obstacles, 7) float64: see Plan.obstacle_table."""

    def three(vector: Any, fill: float = 0.0) -> list[float]:
        return [number_at(x, time) for x in vector] + [fill] * (3 - len(vector))

    rows = []
    for shape in model.obstacles.values():
        if shape.kind == "sphere" or shape.kind == "tank":
            kind = SPHERE if shape.kind == "sphere" else TANK
            rows.append([kind, *three(shape.centre), number_at(shape.radius, time), 0.0, 0.0])
        elif shape.kind == "box":
            half = [0.5 * s for s in three(shape.size, 2 * NO_FACE)]
            rows.append([BOX, *three(shape.centre), *half])
        else:
            rows.append([WALL, *three(shape.point), *unit_normal(three(shape.normal))])
    return np.array(rows, dtype=float).reshape(-1, 7)
