"""Where boids leave: regions of exits, and the prey that predators find.

All work grows with the number of boids, never with its square.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np

from murmurate.model.population import AXES, ExitBall, ExitBox
from murmurate.model.quantity import numbers_at
from murmurate.model.space import Space

MAX_PAIRS = 200_000  # of predators and prey that are compared at once; more are found in a tree
MAX_CELLS = 2**20  # into which predators and prey are divided
FEW_PREDATORS = 8  # each of which is compared with all prey
SLACK = 1 + 1e-6  # of a radius: candidates are chosen with it, and then compared exactly


def region_mask(region: Any, space: Space, time: float, positions: np.ndarray) -> np.ndarray:
    """Return whether each boid is in the region of an exit: (N,) bool.

    time  time of its schedules
    positions  (D, N) positions, in the precision of the engine
    """
    real, numbers = positions.dtype.type, numbers_at(region, time)
    if isinstance(region, ExitBox):
        inside = np.ones(positions.shape[1], bool)
        for row, low, high in zip(positions, numbers["lower"], numbers["upper"], strict=True):
            inside &= (row >= real(low)) & (row <= real(high))
        return inside
    if isinstance(region, ExitBall):
        d2 = distances2(space, numbers["centre"], positions)
        mask: np.ndarray = d2 <= numbers["radius"] ** 2
        return mask
    axis = AXES.index(region.axis)
    if region.side == "lower":
        return np.asarray(positions[axis] <= real(space.lower[axis]))
    return np.asarray(positions[axis] >= real(space.upper[axis]))


def distances2(space: Space, point: Any, positions: np.ndarray) -> np.ndarray:
    """Return (N,) squared distances from (D,) or (D, N) points to (D, N) positions, by nearest
    images.
    """
    total: Any = 0.0
    for axis, row in enumerate(positions):
        gap = row.astype(float) - point[axis]
        if space.periodic[axis]:
            side = space.size[axis]
            gap -= side * np.round(gap / side)
        total = total + gap * gap
    return np.asarray(total)


def nearest_pairs(
    space: Space,
    positions: np.ndarray,
    ids: np.ndarray,
    predators: np.ndarray,
    select_prey: Callable[[np.ndarray], np.ndarray],
    radius: float,
) -> tuple[np.ndarray, np.ndarray]:
    """Return pairs of predators and prey within a radius: two (K,) arrays of columns.

    They are in the order of the predators' ids; those of one predator are in the order of distance,
    then of ids. A boid is no pair with itself.

    positions  (D, N)
    ids  (N,) their dense numbers
    predators  columns of predators
    select_prey  select_prey(columns) returns those of some columns that hold prey
    radius  the largest distance
    """
    none = np.zeros(0, np.int64)
    if not len(predators):
        return none, none
    x = positions[:, predators].astype(float)
    if len(predators) <= FEW_PREDATORS:
        own = [select_prey(_near_on_axis(space, positions[0], at[0], radius)) for at in x.T]
        p, prey = np.repeat(np.arange(len(own)), [len(q) for q in own]), np.concatenate(own)
    else:
        near = select_prey(np.flatnonzero(_around(space, x, positions, radius * SLACK)))
        y = positions[:, near].astype(float)
        if len(predators) * len(near) <= MAX_PAIRS:
            p, q = (grid.ravel() for grid in np.indices((len(predators), len(near))))
        else:
            p, q = _pairs_of_tree(space, x, y, radius * SLACK)
        prey = near[q]
    if not len(prey):
        return none, none
    d2 = distances2(space, x[:, p], positions[:, prey])
    within = (d2 <= radius**2) & (predators[p] != prey)
    p, prey, d2 = p[within], prey[within], d2[within]
    order = np.lexsort((ids[prey], d2, ids[predators[p]]))
    return predators[p[order]], prey[order]


def _near_on_axis(space: Space, row: np.ndarray, at: float, radius: float) -> np.ndarray:
    """Return the columns of boids that are within a radius of a coordinate on the first axis."""
    gap = np.abs(row - row.dtype.type(at))
    spread = SLACK * radius + 1e-6 * (abs(at) + radius)  # more than what rounding to float32 loses
    near = gap <= spread
    if space.periodic[0]:
        near |= gap >= space.size[0] - spread
    return np.flatnonzero(near)


def _around(space: Space, predators: np.ndarray, prey: np.ndarray, radius: float) -> np.ndarray:
    """Return (N,) whether a prey may be within the radius: its cell is that of a predator or next
    to it.
    """
    corners, sides, shape = [], [], []
    per_axis = int(MAX_CELLS ** (1 / space.dims))
    for axis, row in enumerate(predators):
        corner, length = space.lower[axis], space.size[axis]
        if not space.periodic[axis]:
            corner = float(row.min()) - 2 * radius
            length = float(row.max()) + 2 * radius - corner
        cells = max(1, min(per_axis, int(length / radius)))
        corners.append(corner)
        sides.append(length / cells)
        shape.append(cells + 2)  # a margin on both sides, for prey beyond them

    def cells_of(positions: np.ndarray) -> list[np.ndarray]:
        cells = []
        for axis, row in enumerate(positions):
            cell = np.floor((row.astype(float) - corners[axis]) / sides[axis]).astype(np.int64)
            margin = int(space.periodic[axis])  # a boid at the upper face is in the last cell
            cells.append(np.clip(cell + 1, margin, shape[axis] - 1 - margin))
        return cells

    marked, own = np.zeros(shape, bool), cells_of(predators)
    for offsets in product((-1, 0, 1), repeat=space.dims):
        at = []
        for axis, offset in enumerate(offsets):
            cell = own[axis] + offset
            if space.periodic[axis]:
                cell = (cell - 1) % (shape[axis] - 2) + 1
            at.append(np.clip(cell, 0, shape[axis] - 1))
        marked[tuple(at)] = True
    return np.asarray(marked[tuple(cells_of(prey))])


def _pairs_of_tree(
    space: Space, predators: np.ndarray, prey: np.ndarray, radius: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return indices of predators and prey, (K,) each, that may be within a radius."""
    from scipy.spatial import cKDTree

    if any(space.periodic):
        box: Any = [s if p else 0.0 for s, p in zip(space.size, space.periodic, strict=True)]
        a, b = space.wrap_from_corner(predators.T), space.wrap_from_corner(prey.T)
    else:
        box, a, b = None, predators.T, prey.T
    near_prey = cKDTree(b, boxsize=box).query_ball_point(a, radius)
    sizes = [len(near) for near in near_prey]
    q = np.concatenate([np.zeros(0, np.int64), *(np.asarray(near, np.int64) for near in near_prey)])
    return np.repeat(np.arange(len(near_prey)), sizes), q
