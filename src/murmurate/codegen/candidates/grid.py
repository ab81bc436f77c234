"""Grid: how space is cut into cells at one step: a function of the model and of where the boids
are, never of threads or of steps before, wherever the answer could depend on it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from murmurate.codegen.candidates.cell_functions import divide_box, max_cells
from murmurate.codegen.layout import Layout
from murmurate.model.space import Space


@dataclass(frozen=True)
class Grid:
    """corner, size  (3,) float64, lower corner of cell 0 and sides of a cell
    shape         (7,) int64: cells along x, y, z; cells a radius reaches along x, along y; layers
                  of the whole grid, and which of them is the first one here"""

    corner: np.ndarray
    size: np.ndarray
    shape: np.ndarray

    @property
    def cells(self) -> int:
        return int(self.shape[0] * self.shape[1] * self.shape[2])


class Grids:
    """The grids of one flight, step by step.

    layout  of the model; count: how many boids are in cells
    """

    def __init__(self, layout: Layout, count: int) -> None:
        self.layout, self.count = layout, count
        self._side = 0.0  # of a cell, where only nearest neighbours are looked for

    @property
    def follows(self) -> bool:
        """Whether a grid depends on where the boids are."""
        return not all(self.layout.plan.model.space.periodic)

    def next(self, reach: float, samples: np.ndarray | None) -> Grid:
        """The grid of a step.

        reach    how far boids look through cells; 0 where they only look for the nearest
        samples  (dims, n) places of some boids, NaN for none, where `follows`
        """
        space = self.layout.plan.model.space
        lower, upper = np.array(space.lower), np.array(space.upper)
        if samples is not None:
            low, high = flock_bounds(samples)
            lower = np.where(space.periodic, lower, low)
            upper = np.where(space.periodic, upper, high)
        if reach == 0 and (self._side == 0 or self.layout.sums_follow_cells):
            volume = math.prod(max(float(b - a), 1e-9) for a, b in zip(lower, upper, strict=True))
            self._side = (volume * self.layout.boids_per_cell / self.count) ** (1.0 / space.dims)
        return make_grid(space, lower, upper, self.count, reach, self._side)

    def adapt(self, met: float, grid: Grid) -> None:
        """Cells for nearest neighbours follow the flock's density, of which `met`, the mean
        occupancy of a boid's own cell, tells. What is found does not depend on them."""
        dims = self.layout.plan.model.space.dims
        factor = ((self.layout.boids_per_cell + 1.0) / met) ** (1.0 / dims)
        side = float(np.prod(grid.size[:dims])) ** (1.0 / dims)
        self._side = side * min(1.25, max(0.8, factor))


def flock_bounds(samples: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the lower and upper corner of a box around the flock.

    On each axis the box spans all but the outermost boids, plus half that extent on either side.
    Boids outside are counted in the edge cells, so a lost boid does not enlarge the grid.

    samples  (dims, n) positions
    """
    # NaN marks boids of ungridded flocks; they sort to the end
    ordered = np.sort(samples, axis=1)
    last = int(np.count_nonzero(samples[0] == samples[0])) - 1
    ranks = [0, int(0.005 * last), math.ceil(0.995 * last), last]
    lowest, low, high, highest = ordered.T[ranks]
    room = 0.5 * (high - low)
    return np.maximum(lowest, low - room), np.minimum(highest, high + room)


def make_grid(
    space: Space,
    lower: np.ndarray,
    upper: np.ndarray,
    count: int,
    reach: float,
    cell: float,
) -> Grid:
    """Return the grid for `count` boids.

    lower, upper  corners of the box that it covers
    reach         sensing radius; 0 if rules sense only the nearest neighbours
    cell          side of a cell if reach is 0
    """
    # plain floats: numpy on three numbers takes longer than a step of a small flock
    dims = space.dims
    low, high = [float(x) for x in lower], [float(x) for x in upper]
    size, shape = [0.0] * 3, [0] * 7
    extent = [max(b - a, 1e-12) for a, b in zip(low, high, strict=True)]
    limit = max_cells(count)
    divide_box(dims, extent, space.periodic, count, float(reach), cell, limit, size, shape)  # type: ignore[no-untyped-call]
    corner = np.zeros(3)
    corner[:dims] = low
    return Grid(corner, np.array(size), np.array(shape, dtype=np.int64))


def even_edges(starts: np.ndarray, slabs: int, min_layers: int = 0) -> list[int]:
    """Return the first layer of each slab, and the number of layers.

    Slabs hold about equal numbers of boids.

    starts      (layers + 1,) number of boids in the layers before each, and in all
    min_layers  minimum number of layers of a slab
    """
    layers = len(starts) - 1
    shares = np.arange(1, slabs) * (starts[-1] / slabs)
    ends = np.searchsorted(starts, shares)
    # the nearer of the two layers between which a share ends
    nearer = (ends > 0) & (starts[ends] - shares > shares - starts[np.maximum(ends - 1, 0)])
    edges = [0]
    for slab, edge in enumerate((ends - nearer).tolist(), 1):
        edges.append(min(max(edge, edges[-1] + min_layers), layers - (slabs - slab) * min_layers))
    return [*edges, layers]
