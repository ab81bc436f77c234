"""Boids as they travel between workers, and their conversion from states and to frames.

A boid is a column of each array: see murmurate.engines.cpu.state_arrays for shapes and dtypes.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np

from murmurate.codegen.layout import Layout
from murmurate.engines.bounds import wrap_upper_face
from murmurate.engines.cpu.model_arguments import array_sizes
from murmurate.engines.state import FlightState
from murmurate.frame import FlockFrame

Arrays = Mapping[str, np.ndarray]
GetArray = Callable[[str], np.ndarray]
"""Returns an array of columns by its name."""


@dataclass(frozen=True, eq=False)
class Boids:
    """All data of some boids."""

    state: np.ndarray
    timers: np.ndarray
    memory: np.ndarray
    ids: np.ndarray
    flock_index: np.ndarray
    search_radius2: np.ndarray

    def __len__(self) -> int:
        return len(self.ids)

    @classmethod
    def concatenate(cls, parts: Sequence[Boids]) -> Boids:
        """Return the boids of all parts, in their order."""
        return cls(
            *(np.concatenate([getattr(p, f.name) for p in parts], axis=-1) for f in fields(cls))
        )


BOID_ARRAYS = tuple(field.name for field in fields(Boids))


@dataclass(frozen=True, eq=False)
class BoidIdentities:
    """Ids and flocks of the boids in some layers of the grid, in the order of cells.

    counts  (cells,) number of boids in each cell
    """

    ids: np.ndarray
    flock_index: np.ndarray
    counts: np.ndarray


@dataclass(frozen=True, eq=False)
class HaloBoids:
    """The boids of some layers, in the order of cells, as another worker needs them.

    state       (2 axes, boids) positions, shifted to the receiver's periodic image, and velocities
    memory      (rows, boids) per-boid state that rules read of neighbours: the rows
                `plan.states.shared_rows`
    identities  None if the receiver has them already
    """

    state: np.ndarray
    memory: np.ndarray
    identities: BoidIdentities | None

    def __len__(self) -> int:
        return int(self.state.shape[1])


@dataclass(frozen=True, eq=False)
class UngriddedBoids:
    """The boids of the ungridded flocks, flock by flock, by id.

    state   (2 axes, boids) positions and velocities
    memory  (rows, boids) as in HaloBoids
    begins  flock name -> its first column
    """

    state: np.ndarray
    memory: np.ndarray
    ids: np.ndarray
    flock_index: np.ndarray
    begins: Mapping[str, int]


def select_boids(
    layout: Layout,
    state: FlightState,
    dtype: str,
    *,
    gridded: bool,
    share: int = 0,
    shares: int = 1,
) -> Boids:
    """Return boids of a state, flock by flock.

    gridded  True for the gridded flocks, False for the others
    share    index of the part of each flock to return, of `shares` parts of equal size
    """
    plan, real = layout.plan, np.dtype(dtype)
    space, dims = plan.model.space, plan.model.space.dims
    searches, parts, first = array_sizes(layout)["searches"], [], 0
    for flock_index, (name, size) in enumerate(plan.counts.items()):
        if (name in layout.gridded) == gridded:
            rows = slice(size * share // shares, size * (share + 1) // shares)
            flock, count = state.rows(name, rows), rows.stop - rows.start
            vectors = np.empty((2 * dims, count), real)
            vectors[:dims], vectors[dims:] = flock.positions.T, flock.velocities.T
            memory = np.zeros((plan.memory_rows, count), real)
            numbers = len(plan.model.memory_of(name))
            if flock.memory.shape[1] >= numbers:
                memory[:numbers] = flock.memory[:, :numbers].T
            wrap_upper_face(space, vectors)
            parts.append(
                Boids(
                    vectors, flock.timers.astype(np.int32), memory,
                    np.arange(first + rows.start, first + rows.stop, dtype=np.int32),
                    np.full(count, flock_index, np.int32),
                    np.zeros((searches, count), real),
                )
            )  # fmt: skip
        first += size
    return Boids.concatenate(parts)


def make_flock_frames(layout: Layout, array: GetArray, columns: slice) -> list[FlockFrame]:
    """Return a frame of each flock that has boids in some columns; ids are not in order."""
    model, frames, dims = layout.plan.model, [], layout.plan.model.space.dims
    flock_indices = array("flock_index")[columns]
    for flock_index, name in enumerate(layout.plan.counts):
        selected = columns.start + np.flatnonzero(flock_indices == flock_index)
        if len(selected):
            vectors, memory_names = array("state")[:, selected], model.memory_of(name)
            frames.append(
                FlockFrame(
                    name, array("ids")[selected], vectors[:dims].T, vectors[dims:].T,
                    array("timers")[selected], model.space,
                    array("memory")[: len(memory_names), selected].T, memory_names,
                )
            )  # fmt: skip
    return frames


RECORDED = ("ids", "state", "timers", "memory")


def split_by_id(array: GetArray, columns: slice, bounds: Sequence[int]) -> list[Arrays]:
    """Split the boids of some columns by id: part k has the ids bounds[k] to bounds[k + 1] - 1."""
    ids = array("ids")[columns]
    order = np.argsort(ids, kind="stable")
    edges = np.searchsorted(ids[order], bounds)
    sorted_columns = order + columns.start
    return [
        {name: array(name)[..., sorted_columns[first:last]] for name in RECORDED}
        for first, last in itertools.pairwise(edges)
    ]


def merge_id_range(parts: Sequence[Arrays], first: int, last: int) -> Arrays:
    """Merge parts that together hold the ids `first` to `last` - 1.

    Returns the arrays of a recording, in the order of ids: 'position' and 'velocity' (boids, dims),
    'perch_timer' (boids,), 'memory' (boids, numbers).
    """
    rows = [part["ids"] - first for part in parts]
    merged = {}
    for name in RECORDED[1:]:
        example = parts[0][name]
        out = np.empty((last - first, *example.shape[:-1]), example.dtype)
        for part, indices in zip(parts, rows, strict=True):
            out[indices] = part[name].T
        merged[name] = out
    dims = merged["state"].shape[1] // 2
    return {
        "position": merged["state"][:, :dims],
        "velocity": merged["state"][:, dims:],
        "perch_timer": merged["timers"],
        "memory": merged["memory"],
    }
