"""Write the columns of `NearestBoids` in compiled code."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from murmurate.jit import njit
from murmurate.model.space import Space

compiled = njit(nogil=True, cache=True)


def column_writer(
    positions: np.ndarray,
    velocities: np.ndarray,
    numbers: np.ndarray,
    first: int,
    space: Space,
    kinds: int,
    out: np.ndarray,
) -> Callable[[int, int, slice, np.ndarray], None]:
    """Return a function that writes the columns of agents whose nearest boids are known.

    It is called as `then` of `k_nearest` is, with rows (E, M, k) of the M agents.

    positions, velocities  (E, N, D), of all flocks
    numbers  (N,) number of each boid's flock
    first  row of the first agent
    kinds  number of columns for flocks
    out  (E, M, columns) float32
    """
    sides = np.where(space.periodic, np.array(space.size), np.inf)

    def fill(begin: int, end: int, part: slice, rows: np.ndarray) -> None:
        write(
            begin, end, rows[:, part], positions, velocities, numbers, first + part.start, sides,
            kinds, out[:, part],
        )  # fmt: skip

    return fill


@compiled
def write(begin, end, rows, positions, velocities, numbers, first, sides, kinds, out):  # type: ignore[no-untyped-def]
    """Write whether there is a boid, its relative position and velocity, and its flock."""
    agents, k = rows.shape[1:]
    dims = len(sides)
    width = 1 + 2 * dims + kinds
    for world in range(begin, end):
        for agent in range(agents):
            i = first + agent
            for slot in range(k):
                j, column = rows[world, agent, slot], slot * width
                if j < 0:
                    break
                out[world, agent, column] = 1.0
                for axis in range(dims):
                    gap = positions[world, j, axis] - positions[world, i, axis]
                    if abs(gap) > 0.5 * sides[axis]:
                        gap -= np.copysign(sides[axis], gap)
                    out[world, agent, column + 1 + axis] = gap
                    out[world, agent, column + 1 + dims + axis] = (
                        velocities[world, j, axis] - velocities[world, i, axis]
                    )
                if kinds > 0:
                    out[world, agent, column + 1 + 2 * dims + numbers[j]] = 1.0
