"""Grid: how space is cut into cells at one step: a function of the model and of where the boids
are, never of threads or of steps before, wherever the answer could depend on it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from murmurate.model.space import Space

# Sensing radius and cell size are compared with this margin, so that rounding in float32 cannot put
# a neighbour two cells away.
MARGIN = 1.00002


@dataclass(frozen=True)
class Grid:
    """corner, size  (3,) float64, lower corner of cell 0 and sides of a cell
    shape         (5,) int64: cells along x, y, z; cells a radius reaches along x, along y"""

    corner: np.ndarray
    size: np.ndarray
    shape: np.ndarray

    @property
    def cells(self) -> int:
        return int(self.shape[0] * self.shape[1] * self.shape[2])


def most_cells(count: int) -> int:
    """The most cells for so many boids: wide open space gets coarser ones."""
    return min(8 * count, 2 * count + 2_000_000) + 64


def bounds(samples: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where the flock is, axis by axis: the extent of all but its outermost boids, and half as much
    again on either side. (dims, n) samples -> lower and upper corner. Boids farther out count to
    the edge cells, so one that runs away costs nothing."""
    ordered = np.sort(samples, axis=1)  # NaN, for ids of flocks that are not in the grid, goes last
    last = np.count_nonzero(~np.isnan(ordered[0])) - 1
    low, high = ordered[:, int(0.005 * last)], ordered[:, int(np.ceil(0.995 * last))]
    room = 0.5 * (high - low)
    return np.maximum(ordered[:, 0], low - room), np.minimum(ordered[:, last], high + room)


def make_grid(
    space: Space,
    lower: np.ndarray,
    upper: np.ndarray,
    count: int,
    reach: float,
    cell: float,
) -> Grid:
    """The grid for `count` boids.

    lower, upper  corners of what it covers on open axes
    reach         the sensing radius; 0 where only nearest neighbours are searched for
    cell          the side of a cell where reach is 0
    """
    dims = space.dims
    low, high = np.array(lower, dtype=float), np.array(upper, dtype=float)
    for axis in range(dims):
        if space.periodic[axis]:
            low[axis] = space.lower[axis]
            high[axis] = low[axis] + space.size[axis]
    extent = np.maximum(high - low, 1e-12)
    fine = 1
    if reach > 0:
        # In a dense flock thinner slabs leave fewer boids to compare in vain.
        crowd = count * reach**dims / float(np.prod(np.maximum(extent, reach)))
        fine = 2 if crowd > 8 else 1
    wish = np.full(dims, reach * MARGIN if reach > 0 else cell)
    wish[: min(dims, 2)] /= fine
    if any(space.periodic[a] and extent[a] < (2 * fine + 1) * wish[a] for a in range(dims)):
        wish[: min(dims, 2)] *= fine
        fine = 1
    cap = most_cells(count)
    for _ in range(64):
        shape = np.maximum(1, np.floor(extent / wish))
        if np.prod(shape) <= cap:
            break
        wish *= max(1.02, (np.prod(shape) / cap) ** (1.0 / dims))
    size = np.where(space.periodic, extent / shape, np.maximum(wish, extent / shape))
    full = np.ones(3, dtype=np.int64)
    full[:dims] = shape.astype(np.int64)
    corner3, size3 = np.zeros(3), np.ones(3)
    corner3[:dims], size3[:dims] = low, size
    return Grid(corner3, size3, np.array([*full, fine, fine], dtype=np.int64))
