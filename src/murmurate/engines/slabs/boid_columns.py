"""Boid columns: what travels with boids from worker to worker, and the columns of a worker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from murmurate.codegen.argument import PAD
from murmurate.engines.cpu.argument_table import ArgumentTable

OWN = ("state", "timers", "memory", "ids", "flock_index", "search_radius2")
"""What of a boid travels with it."""
TWINS = {
    "state": "next_state", "timers": "next_timers", "memory": "next_memory", "ids": "next_ids",
    "flock_index": "next_flock_index",
}  # fmt: skip
WORK = ("cell", "column_order")


@dataclass(frozen=True, eq=False)
class Boids:
    """Some boids, a column each; arrays as in murmurate.engines.cpu.state_arrays."""

    state: np.ndarray
    timers: np.ndarray
    memory: np.ndarray
    ids: np.ndarray
    flock_index: np.ndarray
    search_radius2: np.ndarray

    def __len__(self) -> int:
        return len(self.ids)

    @classmethod
    def joined(cls, parts: Sequence[Boids]) -> Boids:
        """All of some parts, in their order."""
        return cls(
            *(np.concatenate([getattr(p, f.name) for p in parts], axis=-1) for f in fields(cls))
        )


@dataclass(frozen=True, eq=False)
class Roster:
    """Who the boids of some layers are, in the order of their cells.

    counts  (cells,) boids in each cell
    """

    ids: np.ndarray
    flock_index: np.ndarray
    counts: np.ndarray


@dataclass(frozen=True, eq=False)
class Neighbours:
    """The boids of some layers, in the order of their cells, as another worker looks at them.

    state   (2 axes, boids) places, on its side of a torus, and velocities
    roster  who they are; None where the other worker knows
    """

    state: np.ndarray
    roster: Roster | None

    def __len__(self) -> int:
        return int(self.state.shape[1])


class BoidColumns:
    """The columns of a worker: halo | its own boids, from `front` on | halo | boids in no cell.

    table  where the arrays are put
    sides  the sides of arrays, by the words of their shapes, but for columns
    """

    def __init__(self, table: ArgumentTable, sides: dict[str, int]) -> None:
        self.table, self._sides = table, sides
        self.front = self.count = 0
        self.columns = 0
        self._allocate(1024, 256)

    def array(self, name: str) -> np.ndarray:
        """An array of all columns."""
        return self.table.array(name)

    @property
    def own(self) -> slice:
        return slice(self.front, self.front + self.count)

    def append(self, boids: Boids) -> None:
        """More boids of its own, behind the others."""
        self.make_room(self.count + len(boids), 0, 0)
        end = self.front + self.count
        for name in OWN:
            self.table.array(name)[..., end : end + len(boids)] = getattr(boids, name)
        self.count += len(boids)

    def copied(self, which: np.ndarray | slice) -> Boids:
        """Some of the columns, as they are now."""
        return Boids(*(self.table.array(name)[..., which].copy() for name in OWN))

    def drop(self, gone: np.ndarray) -> None:
        """Takes columns, in rising order, out of its own: boids from the end fill the gaps."""
        end = self.front + self.count
        left = end - len(gone)
        gaps = gone[gone < left]
        stays = np.ones(end - left, bool)
        stays[gone[gone >= left] - left] = False
        fill = left + np.flatnonzero(stays)
        for name in OWN:
            array = self.table.array(name)
            array[..., gaps] = array[..., fill]
        self.count -= len(gone)

    def make_room(self, own: int, before: int, behind: int) -> None:
        """Room for so many boids of its own, and so many before and behind them."""
        if before <= self.front and self.front + own + behind + PAD <= self.columns:
            return
        front = self.front if before <= self.front else before + before // 4
        self._allocate(front + (own + behind) * 9 // 8 + 1024, front)

    def _allocate(self, columns: int, front: int) -> None:
        """Other arrays, with the own boids from `front` on."""
        before, own = self.columns, self.own
        self.columns = columns + PAD
        to = slice(front, front + self.count)
        for name in (*OWN, *TWINS.values(), *WORK):  # one at a time: they may fill the memory
            array = self.table.made(name, {**self._sides, "columns": self.columns})
            if before:
                array[..., to] = self.table.array(name)[..., own]
            self.table.put(name, array)
        self.front = front

    def swap(self) -> None:
        """What a stage made becomes the state."""
        for name in ("state", "timers", "memory"):
            self.table.exchange(name, TWINS[name])

    def swap_order(self) -> None:
        """Boids stand as they were sorted."""
        for name, twin in TWINS.items():
            self.table.exchange(name, twin)
