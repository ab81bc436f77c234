"""Sizes from which cells pay on a processor, and other measured numbers of its kernels.

`benchmarks/thresholds.py` measures them. Another engine has its own numbers.
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

MAX_ALL_PAIRS_BOIDS = {
    "synchronous": {2: 140, 3: 600}, "one-by-one": {2: 700, 3: 2000},
}  # fmt: skip
"""Size of a model up to which all pairs are tested, by order of update and dimensions.

Shuffled updates are like one-by-one. Rows of cells are staged once for all boids of a cell in a
synchronous update, and once for each boid in a sequential one.
"""

MAX_CELL_SHARE = {
    "synchronous": {2: 1.0, 3: 0.8}, "one-by-one": {2: 0.5, 3: 0.25},
}  # fmt: skip
"""Share of the space that the cells around a boid may cover. Beyond it they exclude too few boids.

Measured with boids that fill a torus. Where boids clump, cells exclude fewer still.
"""

PREFETCHED_UPDATES = 16
"""Boids of a sequential update that are prefetched together. 8 to 16 are equally fast."""


@dataclass(frozen=True)
class CpuThresholds:
    """Measured numbers of processors, see codegen.layout.Thresholds.

    flock  size of a flock up to which all of its boids are candidates, without cells
    model  size of a model up to which it needs no cells. None means MAX_ALL_PAIRS_BOIDS.
    nearest  upper limit of both if a rule senses the k nearest: ordering the nearest costs far more
        per candidate than adding to a sum
    covered  share of the space that the cells around a boid may cover. None means MAX_CELL_SHARE.
    fetched  number of boids above which a sequential update prefetches boids. Smaller flocks are in
        the processor's caches.
    costly  see codegen.layout.Thresholds. Measured by benchmarks/language.py.
    """

    flock: int = 120
    model: int | None = None
    nearest: int = 150
    covered: float | None = None
    fetched: int = 30_000
    costly: int = 8

    def prefetch_batch(self, boids: int) -> int:
        """Return the number of boids that a sequential update prefetches together; 0 for none."""
        return PREFETCHED_UPDATES if boids > self.fetched else 0

    def crowded(self, model: Model, radius: float) -> bool:
        """Return whether the cells around a boid exclude too few boids; False in open space."""
        limit = _by_order(MAX_CELL_SHARE, model) if self.covered is None else self.covered
        shares = [min(1.0, 3.0 * radius / side) for side in model.space.size]
        return "open" not in model.space.boundaries and math.prod(shares) > limit

    def of(self, model: Model) -> tuple[int, int]:
        """Return the sizes of a flock and of a model up to which no cells are needed."""
        boids = _by_order(MAX_ALL_PAIRS_BOIDS, model) if self.model is None else self.model
        if any(isinstance(r, NeighbourRule) and r.nearest for r in model.rules.values()):
            return min(self.flock, self.nearest), min(boids, self.nearest)
        return self.flock, boids


THRESHOLDS = CpuThresholds()


def _by_order(numbers: Mapping[str, Mapping[int, T]], model: Model) -> T:
    """Return the number for a model's order of update and dimensions."""
    order = "synchronous" if model.order == "synchronous" else "one-by-one"
    return numbers[order][model.space.dims]


def cpu_layout(plan: Plan) -> Layout:
    """Return the layout of a plan for processors."""
    return lay_out(plan, THRESHOLDS)
