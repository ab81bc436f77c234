"""Grid: how space is cut into cells at one step: a function of the model and of where the boids
are, never of threads or of steps before, wherever the answer could depend on it.
"""

from __future__ import annotations

import math
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
    # NaN stands for ids of flocks that are not in the grid, and goes last
    ordered = np.sort(samples, axis=1)
    last = int(np.count_nonzero(samples[0] == samples[0])) - 1
    places = [0, int(0.005 * last), math.ceil(0.995 * last), last]
    least, low, high, most = ordered.T[places]
    room = 0.5 * (high - low)
    return np.maximum(least, low - room), np.minimum(most, high + room)


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
    # plain floats: a step of a small flock takes less time than numpy with three of them
    dims, periodic = space.dims, space.periodic
    low, high = [float(x) for x in lower], [float(x) for x in upper]
    for axis in range(dims):
        if periodic[axis]:
            low[axis] = float(space.lower[axis])
            high[axis] = low[axis] + float(space.size[axis])
    extent = [max(b - a, 1e-12) for a, b in zip(low, high, strict=True)]
    fine = 1
    if reach > 0:
        # In a dense flock thinner slabs leave fewer boids to compare in vain.
        crowd = count * reach**dims / math.prod(max(side, reach) for side in extent)
        fine = 2 if crowd > 8 else 1
    side = reach * MARGIN if reach > 0 else cell
    wish = [side / fine if axis < 2 else side for axis in range(dims)]
    if any(periodic[a] and extent[a] < (2 * fine + 1) * wish[a] for a in range(dims)):
        wish = [w * fine if axis < 2 else w for axis, w in enumerate(wish)]
        fine = 1
    cap = most_cells(count)
    for _ in range(64):
        shape = [max(1, math.floor(min(x / w, 1e18))) for x, w in zip(extent, wish, strict=True)]
        if math.prod(shape) <= cap:
            break
        more = max(1.02, (math.prod(shape) / cap) ** (1.0 / dims))
        wish = [w * more for w in wish]
    size = [
        x / n if round_ else max(w, x / n)
        for x, n, w, round_ in zip(extent, shape, wish, periodic, strict=True)
    ]
    full = [*shape, 1][:3]
    corner3, size3 = np.zeros(3), np.ones(3)
    corner3[:dims], size3[:dims] = low, size
    return Grid(corner3, size3, np.array([*full, fine, fine], dtype=np.int64))
