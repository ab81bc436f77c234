"""Plan: what a kernel for a model must do, before any text is written.

A plan says which numbers the kernel reads and where (slots), and, for every flock and stage, how
each rule senses: by totals (O(1) a boid), by a sweep of a whole flock, or of the cells around.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from murmurate.build import source
from murmurate.build.methods import check_methods
from murmurate.build.obstacle_table import obstacle_table
from murmurate.model.model import Model
from murmurate.model.quantity import Part, quantities
from murmurate.model.rule import NeighbourRule, Rule
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

    how     totals | whole | cells
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


@dataclass
class Plan:
    """All a kernel's text depends on, and the numbers it will be given."""

    model: Model
    counts: dict[str, int]
    gridded: tuple[str, ...]
    stages: int
    flocks: list[FlockPlan]
    slots: list[tuple[str, Any]] = field(default_factory=list)

    def numbers(self, time: float) -> np.ndarray:
        """(slots,) float64: every number as it holds at `time`."""
        return np.array([_slot_value(kind, value, time) for kind, value in self.slots])

    @property
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


def make_plan(model: Model, counts: Mapping[str, int] | None = None) -> Plan:
    """The plan for a model. Raises RuleError for a rule whose functions cannot be used.

    counts  number of boids a flock, where arrays given at the start decide it
    """
    counts = {name: flock.count for name, flock in model.flocks.items()} | dict(counts or {})
    stages = sorted({rule.stage for rule in model.rules.values()}) or [1]
    plan = Plan(model, counts, (), len(stages), [])
    parts: dict[str, Numbers] = {}
    for name, rule in model.rules.items():
        inside = rule.within(model.space) if hasattr(rule, "within") else rule
        parts[name] = _numbers(plan, f"{_word(name)}_rule", inside)
    motions = {
        name: _numbers(plan, f"{_word(name)}_motion", flock.motion)
        for name, flock in model.flocks.items()
    }
    for perching in (flock.perching for flock in model.flocks.values()):
        if perching:
            plan.slots.append(("ground", perching.ground))
            plan.slots.append(("plain", float(perching.shortest)))
            plan.slots.append(("plain", float(perching.longest)))
    plan.slots.append(("dt", model.dt))
    plan.gridded = _gridded(model, counts)
    for position, stage in enumerate(stages):
        last = position == len(stages) - 1
        for flock in model.flocks:
            rules = tuple(
                _rule_plan(plan, name, rule, parts[name], flock)
                for name, rule in model.moved_by(flock).items()
                if rule.stage == stage
            )
            senses = tuple(
                Sense(rule, sensed, _how(plan, rule, flock, sensed))
                for rule in rules
                for sensed in rule.senses
            )
            plan.flocks.append(FlockPlan(flock, position, rules, motions[flock], senses, last))
    return plan


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


def _word(name: str) -> str:
    return name.replace("-", "_")


def _numbers(plan: Plan, name: str, part: Part) -> Numbers:
    """Gives a part's numbers their slots, and its words their constants."""
    fields: dict[str, Any] = {}
    words: dict[str, Any] = {}
    scalars = quantities(type(part))

    def slot(value: Any) -> int:
        plan.slots.append(("plain", value))
        return len(plan.slots) - 1

    for key in type(part).model_fields:
        value = getattr(part, key)
        if key in scalars:
            if isinstance(value, tuple):
                three = (*value, *(0.0,) * (3 - len(value)))
                fields[key] = tuple(slot(x) for x in three)
            elif value is not None:
                fields[key] = slot(value)
        elif key == "points":
            fields[key] = tuple(
                tuple(slot(x) for x in (*point, *(0.0,) * (3 - len(point)))) for point in value
            )
        elif isinstance(value, bool | int | float | str):
            words[key] = value
    return Numbers(name, fields, words)


def _rule_plan(plan: Plan, name: str, rule: Rule, numbers: Numbers, flock: str) -> RulePlan:
    model = plan.model
    cls: Any = type(rule)
    check_methods(cls)
    cone, sums = -1, 0
    senses: tuple[str, ...] = ()
    obstacles: tuple[int, ...] = ()
    if isinstance(rule, NeighbourRule):
        if extent(rule.field_of_view)[0] < 180:
            plan.slots.append(("cone", rule.field_of_view))
            cone = len(plan.slots) - 1
        senses, named = model.sensed(rule, flock)
        obstacles = tuple(list(model.obstacles).index(o) for o in named)
        sums = source.returned(cls.pair, numbers.words)
    return RulePlan(name, rule, numbers, sums, purpose(flock, name), cone, senses, obstacles)


def by_totals(model: Model, rule: Rule) -> bool:
    """Whether a rule's sum over everyone is a plain total."""
    if not isinstance(rule, NeighbourRule) or not rule.affine or model.order != "together":
        return False
    everyone = math.isinf(extent(rule.radius)[0])
    all_around = extent(rule.field_of_view)[0] >= 180 and extent(rule.inner_radius)[1] == 0.0
    flat = "position" not in rule.affine or not any(model.space.periodic)
    return everyone and all_around and flat and not rule.nearest


def _gridded(model: Model, counts: Mapping[str, int]) -> tuple[str, ...]:
    """The flocks that are sorted into cells."""
    if model.order != "together" or sum(counts.values()) <= WHOLE_MODEL:
        return ()
    sensed: set[str] = set()
    movers: set[str] = set()
    for rule in model.rules.values():
        if not isinstance(rule, NeighbourRule) or by_totals(model, rule):
            continue
        radius = extent(rule.radius)[1]
        if math.isinf(radius) and not rule.nearest:
            continue
        for axis, periodic in enumerate(model.space.periodic):
            # on fewer than three cells round a torus, neighbours would be met twice
            if periodic and not math.isinf(radius) and model.space.size[axis] < 3 * radius:
                return ()
        for flock in model.movers(rule):
            large = {s for s in model.sensed(rule, flock)[0] if counts[s] > WHOLE_FLOCK}
            if large and counts[flock] > WHOLE_FLOCK:
                sensed |= large
                movers.add(flock)
    return tuple(name for name in model.flocks if name in sensed | movers)


def _how(plan: Plan, rule: RulePlan, flock: str, sensed: str) -> str:
    if by_totals(plan.model, rule.rule):
        return "totals"
    within = rule.nearest or not math.isinf(extent(rule.rule.radius)[1])
    if within and flock in plan.gridded and sensed in plan.gridded:
        return "cells"
    return "whole"


def _slot_value(kind: str, value: Any, time: float) -> float:
    number = number_at(value, time)
    if kind == "cone":
        c = math.cos(math.radians(number))
        return c * abs(c) if number < 180.0 else -2.0  # no rounding may hide who is right behind
    return min(FAR, max(-FAR, number))
