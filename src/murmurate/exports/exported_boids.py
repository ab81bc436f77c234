"""Rows of exported boids, one for each boid that is in a frame, and the choice of boids by id."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Integral

import numpy as np

from murmurate.errors import ExportOptionsError
from murmurate.frame import FlockFrame, Frame
from murmurate.record.store import concatenate_flocks

Array = np.ndarray
RANGE = re.compile(r"([0-9]+)(?:-([0-9]+))?")


@dataclass(frozen=True)
class FrameRows:
    """The M boids of one exported frame, in order of id.

    index  index of the frame among the exported frames
    ids, flock_index  (M,) ids, and indices of the flocks among those that are exported
    positions, velocities  (M, D) length units, and length units per time unit
    state  (M,) as in Piece, and 'birth', int64, the step at which a boid joined, if boids come and
        go
    traits  (M,) numbers that differ between boids; nan for flocks that have no such number
    """

    index: int
    step: int
    time: float
    ids: Array
    flock_index: Array
    positions: Array
    velocities: Array
    state: dict[str, Array]
    traits: dict[str, Array]

    def __len__(self) -> int:
        return len(self.ids)

    @classmethod
    def of(cls, index: int, frame: Frame, state: Iterable[str], traits: Iterable[str]) -> FrameRows:
        """Return the boids of a frame, with these names of state and traits."""
        columns: dict[str, Array] = {}
        for name in state:
            if name == "perch_timer":
                columns[name] = concatenate_flocks(frame, "perch_timers").astype(np.int32)
            elif name == "birth":
                columns[name] = concatenate_flocks(frame, "births").astype(np.int64)
            else:
                column = int(name.removeprefix("memory_"))
                columns[name] = concatenate_flocks(frame, "memory")[:, column]
        sizes = [len(flock) for flock in frame.values()]
        return cls(
            index, frame.step, frame.time,
            concatenate_flocks(frame, "ids"),
            np.repeat(np.arange(len(sizes)), sizes),
            concatenate_flocks(frame, "positions"),
            concatenate_flocks(frame, "velocities"),
            columns,
            {name: traits_of(frame, name) for name in traits},
        )  # fmt: skip


def trait_names(frame: Frame) -> list[str]:
    """Return the names of the numbers that differ between boids of any flock."""
    return list(dict.fromkeys(name for flock in frame.values() for name in flock.traits))


def traits_of(frame: Frame, name: str) -> Array:
    """Return a number of all boids of a frame (M,), nan for flocks without it."""
    parts = [
        np.asarray(flock.traits.get(name, np.full(len(flock), np.nan)), np.float64)
        for flock in frame.values()
    ]
    return np.concatenate(parts)


@dataclass(frozen=True)
class IdChoice:
    """Boids that are exported, as ranges of ids.

    text  the choice, for messages
    ranges  first and last id of each range, both included
    """

    text: str
    ranges: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, ids: str | int | Iterable[int]) -> IdChoice:
        """Return the choice of ids, such as '0-9,15', 15, or [3, 4, 7], or raise
        ExportOptionsError.
        """
        if isinstance(ids, str):
            matches = [RANGE.fullmatch(part.strip()) for part in ids.split(",")]
            pairs = [(int(m[1]), int(m[2] or m[1])) for m in matches if m is not None]
            if len(pairs) == len(matches) and all(low <= high for low, high in pairs):
                return cls(ids, tuple(pairs))
        else:
            numbers = [ids] if isinstance(ids, Integral) else list(ids)  # type: ignore[arg-type]
            if numbers and all(isinstance(n, Integral) and int(n) >= 0 for n in numbers):
                pairs = [(int(n), int(n)) for n in numbers]
                return cls(", ".join(map(str, numbers))[:60], tuple(pairs))
        raise ExportOptionsError(
            f"ids: got {ids!r}; expected ids of boids and ranges of them, such as 0-9,15"
        )

    def select(self, flock: FlockFrame) -> FlockFrame:
        """Return the boids of a flock that are chosen."""
        return flock.take(np.flatnonzero(self.contains(flock.ids)))

    def contains(self, ids: Array) -> Array:
        """Return (M,) bool: which ids are chosen."""
        chosen = np.zeros(len(ids), bool)
        for low, high in self.ranges:
            chosen |= (ids >= low) & (ids <= high)
        return chosen

    def check(self, ids: Array, path: object) -> None:
        """Raise ExportOptionsError if a range contains none of the ids that are exported."""
        for low, high in self.ranges:
            if not ((ids >= low) & (ids <= high)).any():
                text = f"{low}" if low == high else f"{low}-{high}"
                raise ExportOptionsError(
                    f"{path}: ids: got {text}; expected ids of boids in the exported flocks and "
                    "frames. A table (.csv) lists them in its column id."
                )
