"""Layout: which flocks are sorted into cells, and by which search each rule senses each flock."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

from murmurate.codegen.plan import FlockPlan, Plan, RulePlan, Sense, copied
from murmurate.codegen.planner import uses_totals
from murmurate.codegen.structure import is_bounded, same_structure
from murmurate.model.model import Model
from murmurate.model.quantity import extent
from murmurate.model.rule import NeighbourRule, has_view

PAD_COORDINATE = 1e10
"""Padding coordinate: farther than any radius, and small enough that its cube fits in float32."""


STEP_PARTS = ("sort_cells", "perceive", "arrange_perceived", "integrate", "share_updates")
"""Optional parts of a step: compiled for the first model that needs them."""


class Thresholds(Protocol):
    """When an engine sorts boids into cells, as measured."""

    @property
    def costly(self) -> int:
        """Number of roots and quotients from which a pair function is called only for boids within
        the radius."""

    def of(self, model: Model) -> tuple[int, int]:
        """Return the largest flock, and the largest model, that is compared in all pairs."""

    def crowded(self, model: Model, radius: float) -> bool:
        """Return whether cells would leave out too few boids to pay."""

    def prefetch_batch(self, boids: int) -> int:
        """Return the number of boids that a sequential update prefetches together; 0 for none."""


@dataclass(frozen=True)
class Layout:
    """How a plan uses cells and all pairs.

    gridded   flocks that are sorted into cells
    prefetch  number of boids that a sequential update prefetches together; 0 for none
    costly    see Thresholds
    """

    plan: Plan
    gridded: tuple[str, ...]
    prefetch: int
    costly: int

    def with_counts(self, counts: Mapping[str, int]) -> Layout:
        """Return the layout of the same kernels for other numbers of boids."""
        return copied(self, plan=self.plan.with_counts(counts))

    def with_numbers(self, model: Model, thresholds: Thresholds) -> Layout | None:
        """Return the layout of a model for the same kernels; None if it needs others."""
        before = self.plan.model
        if not same_structure(before, model):
            return None
        for name, rule in model.rules.items():
            old: Any = before.rules[name]
            if rule is old or not isinstance(rule, NeighbourRule) or rule.radius == old.radius:
                continue
            if _suits_cells(model, rule, thresholds) != _suits_cells(before, old, thresholds):
                return None
        return copied(self, plan=self.plan.with_numbers(model))

    def all_pairs(self) -> Layout:
        """Return the layout that compares all pairs."""
        return replace(self, gridded=())

    @property
    def n_boids(self) -> int:
        """Number of boids."""
        return sum(self.plan.counts.values())

    @property
    def n_gridded(self) -> int:
        """Number of boids in cells."""
        return sum(self.plan.counts[name] for name in self.gridded)

    @property
    def several_flocks(self) -> bool:
        """Whether several flocks are in cells."""
        return len(self.gridded) > 1

    @property
    def columns(self) -> dict[str, tuple[int, int, int]]:
        """Flock -> its first column, and first and number of the columns to compare with. Flocks in
        cells come first, and each compares with the columns of all of them."""
        columns, column = {}, 0
        for name in [*self.gridded, *(n for n in self.plan.counts if n not in self.gridded)]:
            size = self.plan.counts[name]
            swept = (0, self.n_gridded) if name in self.gridded else (column, size)
            columns[name] = (column, *swept)
            column += size
        return columns

    def search(self, flock: FlockPlan, sense: Sense) -> str:
        """Return the search for a sense: that of the rule (totals, voronoi), cells or all_pairs."""
        if sense.method != "each":
            return sense.method
        rule = sense.rule
        within = rule.nearest or is_bounded(rule.rule)
        both = flock.flock in self.gridded and sense.flock in self.gridded
        return "cells" if within and both else "all_pairs"

    def senses(self) -> list[tuple[RulePlan, str, str]]:
        """Return (rule, sensed flock, search) of all flocks and stages."""
        return [
            (s.rule, s.flock, self.search(flock, s))
            for flock in self.plan.flocks
            for s in flock.senses
        ]

    def reach(self, time: float) -> float:
        """Return the longest finite radius of rules that sense through cells; 0 for none."""
        reach = [
            self.plan.slots[rule.numbers.fields["radius"]].at(time)
            for rule, _, how in self.senses()
            if how == "cells" and not rule.nearest
        ]
        return max(reach, default=0.0)

    def step_parts(self, threads: int = 1) -> dict[str, bool]:
        """Return which optional parts a step has, for a number of threads that may share it."""
        plan, shares = self.plan, self.shares_updates and threads > 1
        values = (bool(self.gridded), plan.perceives, plan.perceives, plan.integrates, shares)
        return dict(zip(STEP_PARTS, values, strict=True))

    @property
    def skin_factor(self) -> float:
        """Skin, in multiples of the largest displacement per step (Verlet skin): in a sequential
        update, boids that have moved are no longer in their cells."""
        model = self.plan.model
        return 0.0 if model.order == "synchronous" or model.positions == "at-end" else 1.25

    @property
    def grid_follows(self) -> bool:
        """Whether the grid depends on positions, true or perceived, or on speeds."""
        open_space = not all(self.plan.model.space.periodic)
        return open_space or self.skin_factor > 0.0 or self.perceived_row is not None

    @cached_property
    def shares_updates(self) -> bool:
        """Whether threads can share the updates of a step.

        Boids in cells may sense others in cells only within a radius: a search for the nearest may
        go farther, and totals change with each update.
        """
        plan, gridded = self.plan, self.gridded
        near = all(
            self.search(flock, sense) == "cells" and not sense.rule.nearest
            for flock in plan.flocks
            for sense in flock.senses
            if flock.flock in gridded and sense.flock in gridded
        )
        in_turn = plan.model.order != "synchronous"
        return in_turn and bool(gridded) and near and not plan.has_totals and not plan.perceives

    @cached_property
    def perceived_row(self) -> int | None:
        """Row of `perceived` that cells serve; None: the state."""
        plan = self.plan
        flocks = [
            flock.flock
            for flock in plan.flocks
            if any(self.search(flock, s) == "cells" for s in flock.senses)
        ]
        own = [name for name in flocks if name in plan.sensor_flocks]
        return plan.first_messages[own[0]] if own else None

    @property
    def radii(self) -> list[int]:
        """Slots of the radii that boids sense through cells."""
        slots = {
            rule.numbers.fields["radius"]
            for rule, _, how in self.senses()
            if how == "cells" and not rule.nearest
        }
        return sorted(slots)

    @property
    def boids_per_cell(self) -> float:
        """Number of boids for a cell where rules sense only the nearest."""
        max_nearest = max(
            (rule.nearest for rule, _, how in self.senses() if how == "cells"), default=0
        )
        return 1.0 if self.radii else max(1.0, 0.6 * max_nearest)

    @property
    def sums_follow_cells(self) -> bool:
        """Whether some sums run in the order of cells."""
        return self.plan.has_totals or any(
            how == "all_pairs" and flock in self.gridded and not rule.nearest
            for rule, flock, how in self.senses()
        )


def lay_out(plan: Plan, thresholds: Thresholds) -> Layout:
    """Return the layout of a plan for the thresholds of an engine."""
    fetched = thresholds.prefetch_batch(sum(plan.counts.values()))
    return Layout(plan, _gridded(plan, thresholds), fetched, thresholds.costly)


def _suits_cells(model: Model, rule: NeighbourRule, thresholds: Thresholds) -> tuple[bool, bool]:
    """Return what the choice of cells reads of a radius: see _gridded."""
    radius = extent(rule.radius)[1]
    return _has_room(model, radius), thresholds.crowded(model, radius)


def _has_room(model: Model, radius: float) -> bool:
    """Return whether each periodic axis has room for three cells: with fewer, a boid would be met
    twice."""
    sides = zip(model.space.size, model.space.periodic, strict=True)
    return math.isinf(radius) or all(s >= 3 * radius for s, periodic in sides if periodic)


def _gridded(plan: Plan, thresholds: Thresholds) -> tuple[str, ...]:
    model, counts = plan.model, plan.counts
    max_ungridded, max_all_pairs = thresholds.of(model)
    if sum(counts.values()) <= max_all_pairs:
        return ()
    if (plan.sensor_flocks or plan.tessellations) and model.order != "synchronous":
        return ()
    gridded: set[str] = set()
    for rule in model.rules.values():
        if not isinstance(rule, NeighbourRule) or uses_totals(model, rule):
            continue
        if rule.neighbours == "voronoi":
            continue
        view = has_view(rule)
        nearest = 0 if view else rule.nearest
        if not is_bounded(rule) and not nearest:
            continue
        radius = extent(rule.radius)[1]
        if model.order == "synchronous" and not _has_room(model, radius):
            return ()
        if not nearest and thresholds.crowded(model, radius):
            return ()
        for flock in model.movers(rule):
            sensed = model.sensed(rule, flock)[0]
            large = {s for s in sensed if counts[s] > max_ungridded}
            if large and counts[flock] > max_ungridded:
                # one search finds the nearest or visible of all flocks, so all are in cells
                gridded |= {flock, *(sensed if nearest or view else large)}
    if gridded & set(plan.sensor_flocks) and not _one_view(plan, gridded):
        return ()
    return tuple(name for name in model.flocks if name in gridded)


def _one_view(plan: Plan, gridded: set[str]) -> bool:
    """Return whether cells can serve boids that sense others late or with errors.

    Cells hold what one flock perceives, and cannot guarantee its k nearest. If messages get lost,
    its boids perceive different things.
    """
    if any(plan.loses(name) for name in gridded):
        return False
    movers = {flock.flock for flock in plan.flocks if flock.flock in gridded and flock.senses}
    nearest = any(r.nearest for f in plan.flocks if f.flock in plan.sensor_flocks for r in f.rules)
    return len(movers) == 1 and not nearest
