"""Divide space into cells for one step.

Wherever results depend on the grid, it is a function of the model and of positions only, not of
threads or earlier steps.
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
    """A division of space into cells.

    corner, size  (3,) float64, lower corner of cell 0 and sides of a cell
    shape         (7,) int64: number of cells on x, y, z; number of cells that a radius spans on x
                  and y; number of layers of the whole grid, and index of the first layer here
    """

    corner: np.ndarray
    size: np.ndarray
    shape: np.ndarray

    @property
    def cells(self) -> int:
        return int(self.shape[0] * self.shape[1] * self.shape[2])


class Grids:
    """The grids of a simulation, step by step.

    layout  layout of the model
    count   number of boids in cells
    """

    def __init__(self, layout: Layout, count: int) -> None:
        self.layout, self.count = layout, count
        self._side = 0.0  # side of a cell, if rules sense only the nearest

    @property
    def follows(self) -> bool:
        """Whether a grid depends on positions."""
        return not all(self.layout.plan.model.space.periodic)

    def next(self, reach: float, samples: np.ndarray | None) -> Grid:
        """Return the grid of a step.

        reach    sensing radius; 0 if rules sense only the nearest
        samples  (dims, n) positions of some boids, NaN for none, if `follows`
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
        """Adapt cells for nearest neighbours to the density of the flock. Results do not change.

        met  mean number of boids in a boid's own cell
        """
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
