"""Layout: which flocks a processor sorts into cells, and how each rule then senses each flock."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from murmurate.codegen.plan import FlockPlan, Plan, RulePlan, Sense
from murmurate.codegen.planner import by_totals
from murmurate.model.model import Model
from murmurate.model.rule import NeighbourRule
from murmurate.model.schedule import extent, number_at

T = TypeVar("T")

HIDDEN = 1e10
"""Where a boid is put that must not be seen: out of reach of anything, and near enough that the
cube of the distance is a number in float32."""


SMALL = {"synchronous": {2: 140, 3: 600}, "one-by-one": {2: 700, 3: 2000}}
"""A model of up to so many boids is swept whole: by its order (shuffled is as one by one) and its
dimensions. Measured: rows of cells are staged once for all boids of a cell where they move
together, and once for each where they take turns."""


CROWDED = {"synchronous": {2: 1.0, 3: 0.8}, "one-by-one": {2: 0.5, 3: 0.25}}
"""The share of a space up to which the cells around a boid may cover it: where they cover more,
they leave out too few boids to pay. Measured with boids that fill a torus; where they clump, cells
leave out fewer still."""


TURNS_FETCHED = 16
"""So many boids that take turns are fetched together. Measured: 8 to 16 are alike, and more or
fewer slower."""


STEP_PARTS = ("sort_cells", "perceive", "arrange_perceived", "integrate", "share_turns")
"""Parts of a step that not every step has: compiled for the first model that has them, so that
nobody's first flight waits for what it has no use for."""


@dataclass(frozen=True)
class Thresholds:
    """From when on cells pay.

    flock    a sensed flock of up to so many boids is swept whole; a larger one through cells
    model    a model of up to so many boids needs no cells at all; None: SMALL
    nearest  no more than this in place of either where a rule takes the k nearest: to keep the
             nearest in order costs far more for each boid swept than to add it to a sum
    covered  the share of the space up to which cells around a boid may cover it; None: CROWDED
    fetched  boids that take turns, and those around them, are fetched from memory ahead of their
             turns where there are more than this: fewer are near the processor anyway
    """

    flock: int = 120
    model: int | None = None
    nearest: int = 150
    covered: float | None = None
    fetched: int = 30_000

    def crowded(self, model: Model, radius: float) -> bool:
        """Whether the cells around a boid leave out too few; in open space nobody knows."""
        most = _by_order(CROWDED, model) if self.covered is None else self.covered
        shares = [min(1.0, 3.0 * radius / side) for side in model.space.size]
        return "open" not in model.space.boundaries and math.prod(shares) > most

    def of(self, model: Model) -> tuple[int, int]:
        """(flock, model) of a model."""
        whole = _by_order(SMALL, model) if self.model is None else self.model
        if any(isinstance(r, NeighbourRule) and r.nearest for r in model.rules.values()):
            return min(self.flock, self.nearest), min(whole, self.nearest)
        return self.flock, whole


THRESHOLDS = Thresholds()


def _by_order(numbers: Mapping[str, Mapping[int, T]], model: Model) -> T:
    """What holds for a model, by its order (shuffled is as one by one) and its dimensions."""
    together = "synchronous" if model.order == "synchronous" else "one-by-one"
    return numbers[together][model.space.dims]


@dataclass(frozen=True)
class Layout:
    """How a plan is flown by cells and sweeps.

    gridded  the flocks that are sorted into cells
    fetched  whether boids that take turns are fetched from memory ahead of their turns
    """

    plan: Plan
    gridded: tuple[str, ...]
    fetched: bool = False

    def how(self, flock: FlockPlan, sense: Sense) -> str:
        """totals, voronoi, cells or whole."""
        if sense.how != "each":
            return sense.how
        rule = sense.rule
        within = rule.nearest or not math.isinf(extent(rule.rule.radius)[1])
        both = flock.flock in self.gridded and sense.flock in self.gridded
        return "cells" if within and both else "whole"

    def senses(self) -> list[tuple[RulePlan, str, str]]:
        """(rule, sensed flock, how) of all flocks and stages."""
        return [
            (s.rule, s.flock, self.how(flock, s))
            for flock in self.plan.flocks
            for s in flock.senses
        ]

    def reach(self, time: float) -> float:
        """The longest finite radius of the rules that sense through cells; 0 if none."""
        reach = [
            number_at(rule.rule.radius, time)
            for rule, _, how in self.senses()
            if how == "cells" and not rule.nearest
        ]
        return max(reach, default=0.0)

    def step_parts(self, threads: int = 1) -> dict[str, bool]:
        """Which parts a step of it has, of those that not every step has, if so many threads may
        share it."""
        plan, turns = self.plan, self.shares_turns and threads > 1
        wanted = (bool(self.gridded), plan.perceives, plan.perceives, plan.integrates, turns)
        return dict(zip(STEP_PARTS, wanted, strict=True))

    @property
    def ahead(self) -> float:
        """How far boids look beyond their radius, in ways that the fastest one flies in a step:
        where they take turns, those who had theirs are no longer in their cells."""
        model = self.plan.model
        return 0.0 if model.order == "synchronous" or model.positions == "at-end" else 1.25

    @property
    def grid_follows(self) -> bool:
        """Whether the grid depends on where boids are or seem to be, or on how fast they are."""
        open_space = not all(self.plan.model.space.periodic)
        return open_space or self.ahead > 0.0 or self.view is not None

    @cached_property
    def shares_turns(self) -> bool:
        """Whether threads can share the turns of a step: boids in cells see nobody who is in cells
        but those within a radius. A search for the nearest may go farther, and totals change with
        each turn."""
        plan, gridded = self.plan, self.gridded
        near = all(
            self.how(flock, sense) == "cells" and not sense.rule.nearest
            for flock in plan.flocks
            for sense in flock.senses
            if flock.flock in gridded and sense.flock in gridded
        )
        in_turn = plan.model.order != "synchronous"
        return in_turn and bool(gridded) and near and not plan.has_totals and not plan.perceives

    @cached_property
    def view(self) -> int | None:
        """Which of `plan.lookers` looks through cells; None where boids there see all as it is."""
        plan = self.plan
        lookers = [
            flock.flock
            for flock in plan.flocks
            if any(self.how(flock, s) == "cells" for s in flock.senses)
        ]
        own = [name for name in lookers if name in plan.lookers]
        return plan.lookers.index(own[0]) if own else None

    @property
    def radii(self) -> list[int]:
        """Slots of the radii that boids sense through cells."""
        found = {
            rule.numbers.fields["radius"]
            for rule, _, how in self.senses()
            if how == "cells" and not rule.nearest
        }
        return sorted(found)

    @property
    def crowd(self) -> float:
        """How many boids a cell should hold where only nearest neighbours are looked for."""
        most = max((rule.nearest for rule, _, how in self.senses() if how == "cells"), default=0)
        return 1.0 if self.radii else max(1.0, 0.6 * most)

    @property
    def sums_follow_cells(self) -> bool:
        """Whether some sums are taken in the order of the cells."""
        return self.plan.has_totals or any(
            how == "whole" and flock in self.gridded and not rule.nearest
            for rule, flock, how in self.senses()
        )


def nearest_groups(flock: FlockPlan) -> list[list[RulePlan]]:
    """Rules that sense the same k nearest share one search."""
    groups: dict[object, list[RulePlan]] = {}
    for rule in flock.rules:
        if rule.nearest and rule.senses:
            sense = rule.rule
            key = (
                rule.nearest, rule.senses, sense.radius, sense.inner_radius, sense.field_of_view
            )  # fmt: skip
            groups.setdefault(key, []).append(rule)
    return list(groups.values())


def lay_out(plan: Plan, thresholds: Thresholds = THRESHOLDS) -> Layout:
    """The layout of a plan for so many boids."""
    many = sum(plan.counts.values()) > thresholds.fetched
    return Layout(plan, _gridded(plan, thresholds), many)


def _has_room(model: Model, radius: float) -> bool:
    """Whether there are three cells round a torus: on fewer, neighbours would be met twice."""
    sides = zip(model.space.size, model.space.periodic, strict=True)
    return math.isinf(radius) or all(s >= 3 * radius for s, periodic in sides if periodic)


def _gridded(plan: Plan, thresholds: Thresholds) -> tuple[str, ...]:
    model, counts = plan.model, plan.counts
    few, whole = thresholds.of(model)
    if sum(counts.values()) <= whole:
        return ()
    if (plan.lookers or plan.tessellations) and model.order != "synchronous":
        return ()
    found: set[str] = set()
    for rule in model.rules.values():
        if not isinstance(rule, NeighbourRule) or by_totals(model, rule):
            continue
        if rule.neighbours == "voronoi":
            continue
        radius = extent(rule.radius)[1]
        if math.isinf(radius) and not rule.nearest:
            continue
        if model.order == "synchronous" and not _has_room(model, radius):
            return ()
        if not rule.nearest and thresholds.crowded(model, radius):
            return ()
        for flock in model.movers(rule):
            sensed = model.sensed(rule, flock)[0]
            large = {s for s in sensed if counts[s] > few}
            if large and counts[flock] > few:
                # one search finds the nearest of all flocks, so all of them are in cells
                found |= {flock, *(sensed if rule.nearest else large)}
    if found & set(plan.lookers) and not _one_view(plan, found):
        return ()
    return tuple(name for name in model.flocks if name in found)


def _one_view(plan: Plan, gridded: set[str]) -> bool:
    """Whether cells can serve boids that sense others late or with errors: they hold what one flock
    knows of all, and of its nearest nobody can say that none was missed."""
    movers = {flock.flock for flock in plan.flocks if flock.flock in gridded and flock.senses}
    nearest = any(r.nearest for f in plan.flocks if f.flock in plan.lookers for r in f.rules)
    return len(movers) == 1 and not nearest
