"""From when on cells pay on a processor, and other numbers of kernels that were measured there.

`benchmarks/thresholds.py` measures them. Another engine lays models out by numbers of its own.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from murmurate.codegen.layout import Layout, lay_out
from murmurate.codegen.plan import Plan
from murmurate.model.model import Model
from murmurate.model.rule import NeighbourRule

T = TypeVar("T")

SMALL = {"synchronous": {2: 140, 3: 600}, "one-by-one": {2: 700, 3: 2000}}
"""The size of a model up to which all pairs are compared, by its order (shuffled is as one by one)
and its dimensions. Measured: rows of cells are staged once for all boids of a cell where they move
together, and once for each where they take turns."""


CROWDED = {"synchronous": {2: 1.0, 3: 0.8}, "one-by-one": {2: 0.5, 3: 0.25}}
"""The share of a space up to which the cells around a boid may cover it: where they cover more,
they leave out too few boids to pay. Measured with boids that fill a torus; where they clump, cells
leave out fewer still."""


TURNS_FETCHED = 16
"""How many boids that take turns are fetched together. Measured: 8 to 16 are alike, and more or
fewer slower."""


@dataclass(frozen=True)
class CpuThresholds:
    """What is measured on processors: see codegen.layout.Thresholds.

    flock    the size of a flock up to which all of its boids are candidates, without cells
    model    the size of a model up to which it needs no cells; None: SMALL
    nearest  no more than this in place of either where a rule takes the k nearest: to keep the
             nearest in order costs far more for each boid swept than to add it to a sum
    covered  the share of the space up to which cells around a boid may cover it; None: CROWDED
    fetched  boids that take turns, and those around them, are fetched from memory ahead of their
             turns where there are more than this: fewer are near the processor anyway
    costly   see codegen.layout.Thresholds: measured, see benchmarks/language.py
    """

    flock: int = 120
    model: int | None = None
    nearest: int = 150
    covered: float | None = None
    fetched: int = 30_000
    costly: int = 8

    def fetched_together(self, boids: int) -> int:
        """Return how many boids that take turns are fetched together; 0: none are."""
        return TURNS_FETCHED if boids > self.fetched else 0

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


THRESHOLDS = CpuThresholds()


def _by_order(numbers: Mapping[str, Mapping[int, T]], model: Model) -> T:
    """What holds for a model, by its order (shuffled is as one by one) and its dimensions."""
    together = "synchronous" if model.order == "synchronous" else "one-by-one"
    return numbers[together][model.space.dims]


def cpu_layout(plan: Plan) -> Layout:
    """Return the layout of a plan for processors."""
    return lay_out(plan, THRESHOLDS)
