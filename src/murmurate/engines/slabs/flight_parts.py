"""Parts of a flight that pass between its engine and its workers, and the boids of a state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from murmurate.codegen.layout import Layout
from murmurate.engines.bounds import put_below_upper
from murmurate.engines.cpu.model_arguments import sides_of
from murmurate.engines.protocol import FlightState
from murmurate.engines.slabs.boid_columns import Boids
from murmurate.frame import FlockFrame


@dataclass(frozen=True)
class Moment:
    """step, stage  what is flown"""

    step: int
    stage: int


@dataclass(frozen=True, eq=False)
class Outside:
    """The boids that are in no cell, flock by flock, in the order of their numbers.

    state   (2 axes, boids) places and velocities
    begins  flock -> where its boids begin
    """

    state: np.ndarray
    ids: np.ndarray
    flock_index: np.ndarray
    begins: Mapping[str, int]


def boids_of(
    layout: Layout, state: FlightState, dtype: str, *, gridded: bool, share: int = 0, of: int = 1
) -> Boids:
    """Boids of a state, flock by flock: of those in cells, or of the others.

    share, of  which part of each flock's boids: all of them, or a stretch
    """
    plan, real = layout.plan, np.dtype(dtype)
    space, dims = plan.model.space, plan.model.space.dims
    searches, parts, first = sides_of(layout)["searches"], [], 0
    for kind, (name, size) in enumerate(plan.counts.items()):
        if (name in layout.gridded) == gridded:
            rows = slice(size * share // of, size * (share + 1) // of)
            flock, count = state.rows(name, rows), rows.stop - rows.start
            columns = np.empty((2 * dims, count), real)
            columns[:dims], columns[dims:] = flock.positions.T, flock.velocities.T
            memory, keeps = np.zeros((plan.kept, count), real), len(plan.model.memory_of(name))
            if flock.memory.shape[1] >= keeps:
                memory[:keeps] = flock.memory[:, :keeps].T
            put_below_upper(space, columns)
            parts.append(
                Boids(
                    columns, flock.timers.astype(np.int32), memory,
                    np.arange(first + rows.start, first + rows.stop, dtype=np.int32),
                    np.full(count, kind, np.int32),
                    np.zeros((searches, count), real),
                )
            )  # fmt: skip
        first += size
    return Boids.joined(parts)


def frames_of(
    layout: Layout, array: Callable[[str], np.ndarray], columns: slice
) -> list[FlockFrame]:
    """The boids of some columns, a frame of each flock; not in the order of their numbers.

    array  name of an array of columns -> the array
    """
    model, found, dims = layout.plan.model, [], layout.plan.model.space.dims
    flock_index = array("flock_index")[columns]
    for kind, name in enumerate(layout.plan.counts):
        which = columns.start + np.flatnonzero(flock_index == kind)
        if len(which):
            state, keeps = array("state")[:, which], model.memory_of(name)
            found.append(
                FlockFrame(
                    name, array("ids")[which], state[:dims].T, state[dims:].T,
                    array("timers")[which],
                    model.space, array("memory")[: len(keeps), which].T, keeps,
                )
            )  # fmt: skip
    return found
