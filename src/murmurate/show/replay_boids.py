"""Boids of a replay: rows for boids that join and leave, and numbers that differ between boids.

A page draws a replay from rows of positions. Where boids join and leave, each has a row while it is
there, and rows are used again after a pause, in which trails of the earlier boid end.

Numbers are quantised and packed: those that differ between boids once for each boid (two bytes),
per-boid state once for each row and frame (one byte, differences in time).
"""

from __future__ import annotations

import base64
import heapq
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.show.replay_types import BoidRows, ReplayNumber, ReplayNumbers

Array = np.ndarray

REST = 64  # frames that a row is empty between two boids: the longest trail of a page
MIN_REST = 2  # where boids come and go so fast that trails do not matter
MANY_ROWS = 4  # rows for each boid from which MIN_REST applies
FEW_ROWS = 128
TRAIT_LEVELS = 65534  # levels above the lowest one; the next one marks a missing number
STATE_LEVELS = 254
MAX_STATES = 4  # in a page
LEVEL = 9  # of deflate


@dataclass(frozen=True)
class RowLayout:
    """The rows of boids that join and leave.

    flocks  (K,) number of the flock of each boid that was ever there, flock by flock and in order
        of id
    ids  (K,)
    first, last  (K,) the first and the last frame in which it is there
    rows  (K,) its row, counted through all flocks
    sizes  number of rows of each flock
    """

    flocks: Array
    ids: Array
    first: Array
    last: Array
    rows: Array
    sizes: list[int]

    @classmethod
    def of_ids(cls, ids: Sequence[Sequence[Array]]) -> RowLayout:
        """Return the layout for the ids of each flock, in each frame."""
        parts, sizes, before = [], [], 0
        for number, flock_ids in enumerate(zip(*ids, strict=True)):
            every = np.concatenate(flock_ids)
            frames = np.repeat(np.arange(len(flock_ids)), [len(each) for each in flock_ids])
            unique_ids, first = np.unique(every, return_index=True)
            last = len(every) - 1 - np.unique(every[::-1], return_index=True)[1]
            begin, end = frames[first], frames[last]
            rows, size = _assign_rows(begin, end, max(map(len, flock_ids)))
            parts.append((np.full(len(unique_ids), number), unique_ids, begin, end, rows + before))
            sizes.append(size)
            before += size
        flocks, unique_ids, begin, end, rows = map(np.concatenate, zip(*parts, strict=True))
        return cls(flocks, unique_ids, begin, end, rows, sizes)

    def rows_of(self, flock: int, ids: Array) -> Array:
        """Return the rows (N,) of boids of a flock that are there in one frame."""
        own = np.flatnonzero(self.flocks == flock)
        return self.rows[own[np.searchsorted(self.ids[own], ids)]]

    def spread(self, ids: Sequence[Sequence[Array]], values: Sequence[Array]) -> list[Array]:
        """Return values of rows for each frame.

        Empty rows have the last value before, or the first one.

        ids  (N,) ids of each flock, in each frame
        values  (N, ...) values of the boids of each frame
        """
        count = sum(self.sizes)
        result: list[Array] = []
        seen: list[Array] = []
        for frame_ids, own in zip(ids, values, strict=True):
            rows = np.concatenate([self.rows_of(k, flock) for k, flock in enumerate(frame_ids)])
            full = np.zeros((count, *own.shape[1:]), own.dtype)
            occupied = np.zeros(count, bool)
            occupied[rows] = True
            if result:
                full[:] = result[-1]
                occupied |= seen[-1]
            full[rows] = own
            result.append(full)
            seen.append(occupied)
        for number in range(len(result) - 2, -1, -1):  # rows without a boid so far
            missing = ~seen[number]
            result[number][missing] = result[number + 1][missing]
        return result

    def head(self, first_ids: Sequence[int]) -> BoidRows:
        """Return the metadata of a page; `first_ids` are the ids of index 0 of the flocks."""
        return {
            "rows": self.sizes,
            "row": self.rows.tolist(),
            "id": (self.ids - np.array(first_ids, np.int64)[self.flocks]).tolist(),
            "first": self.first.tolist(),
            "last": self.last.tolist(),
        }


def _assign_rows(first: Array, last: Array, max_present: int) -> tuple[Array, int]:
    """Return the row (K,) of each boid, and the number of rows."""
    rows, size = share_rows(first, last, REST)
    if size > MANY_ROWS * max_present + FEW_ROWS:
        return share_rows(first, last, MIN_REST)
    return rows, size


def share_rows(first: Array, last: Array, rest: int) -> tuple[Array, int]:
    """Return the row (K,) of each boid, and the number of rows, as few as possible.

    first, last  (K,) indices of a boid's first and last frame
    rest  frames from the last one of a boid to the first one of the next boid in its row
    """
    rows = np.zeros(len(first), np.int64)
    free: list[tuple[int, int]] = []  # frame from which a row is free, row
    size = 0
    for boid in np.argsort(first, kind="stable"):
        if free and free[0][0] <= first[boid]:
            _, row = heapq.heappop(free)
        else:
            row, size = size, size + 1
        rows[boid] = row
        heapq.heappush(free, (int(last[boid]) + rest, row))
    return rows, size


# --- numbers of boids


class BoidNumbers:
    """Collects the numbers of boids from frames, and packs them."""

    def __init__(self) -> None:
        self._traits: dict[str, dict[str, list[Array]]] = {}  # name -> flock -> values of new boids
        self._states: dict[str, list[dict[str, Array]]] = {}  # name -> frame -> flock -> values
        self._newest: dict[str, int] = {}  # largest id of each flock so far
        self._frames = 0

    def add(self, frame: Frame) -> None:
        """Add a frame."""
        for flock in frame.values():
            self._add_traits(flock)
            for name in flock.state_names:
                frame_values = self._states.setdefault(name, [])
                frame_values += [{} for _ in range(self._frames + 1 - len(frame_values))]
                frame_values[-1][flock.name] = np.asarray(flock.state(name), np.float32)
        self._frames += 1

    def _add_traits(self, flock: FlockFrame) -> None:
        """Add the numbers of boids that were not there before."""
        new = flock.ids > self._newest.get(flock.name, -1)
        if not new.any():
            return
        self._newest[flock.name] = int(flock.ids[-1])
        for name, values in flock.traits.items():
            own = self._traits.setdefault(name, {}).setdefault(flock.name, [])
            own.append(np.asarray(values, np.float64)[new])

    def pack(
        self, counts: dict[str, int], rows: RowPlacer, colour_by: str = ""
    ) -> ReplayNumbers | None:
        """Return the metadata with the packed text; None if boids have no numbers.

        counts  boids that were ever in each flock, in order
        rows  returns values of rows for each frame, from values of the boids of each frame
        colour_by  what colours of the page show: a name or its last part. It comes first.
        """
        names: list[ReplayNumber] = []
        parts = []
        for name, by_flock in self._traits.items():
            values = _of_all(counts, {key: np.concatenate(own) for key, own in by_flock.items()})
            low, high, levels = _quantise(values, TRAIT_LEVELS, np.uint16)
            names.append({"name": name, "kind": "trait", "low": low, "high": high})
            parts.append(levels.tobytes())
        for name in self._chosen_states(colour_by):
            frame_values = self._states[name]
            frame_values += [{} for _ in range(self._frames - len(frame_values))]
            present = [dict(zip(counts, sizes, strict=True)) for sizes in rows.sizes]
            by_frame = [_of_all(n, own) for n, own in zip(present, frame_values, strict=True)]
            low, high, flat = _quantise(np.concatenate(by_frame), STATE_LEVELS, np.uint8)
            ends = np.cumsum([len(own) for own in by_frame])[:-1]
            by_row = np.stack(rows(np.split(flat, ends)), axis=1)  # (rows, frames)
            by_row[:, 1:] -= by_row[:, :-1].copy()
            names.append({"name": name, "kind": "state", "low": low, "high": high})
            parts.append(by_row.tobytes())
        if not names:
            return None
        text = base64.b64encode(zlib.compress(b"".join(parts), LEVEL)).decode("ascii")
        return {"names": names, "text": text}

    def _chosen_states(self, colour_by: str) -> list[str]:
        """Return the per-boid state of a page, with the shown one first."""
        first = [name for name in self._states if f".{name}".endswith(f".{colour_by}")]
        return [*first, *(name for name in self._states if name not in first)][:MAX_STATES]


class RowPlacer:
    """Returns values of rows for each frame, from values of the boids of each frame."""

    def __init__(self, ids: Sequence[Sequence[Array]], layout: RowLayout | None) -> None:
        self._ids, self._layout = ids, layout
        self.sizes = [[len(own) for own in frame_ids] for frame_ids in ids]

    def __call__(self, values: Sequence[Array]) -> list[Array]:
        if self._layout is None:
            return list(values)
        return self._layout.spread(self._ids, values)


def _of_all(counts: dict[str, int], by_flock: dict[str, Array]) -> Array:
    """Return the values of all flocks; nan for flocks without the number."""
    parts = [by_flock.get(name, np.full(count, np.nan)) for name, count in counts.items()]
    return np.concatenate(parts) if parts else np.zeros(0)


def _quantise(values: Array, levels: int, dtype: Any) -> tuple[float, float, Array]:
    """Return the values of level 0 and of the last level, and the levels.

    The level after the last one states that there is no finite number.
    """
    finite = np.isfinite(values)
    result = np.full(len(values), levels + 1, dtype)
    if not finite.any():
        return 0.0, 1.0, result
    low, high = float(values[finite].min()), float(values[finite].max())
    side = high - low if high > low else 1.0
    result[finite] = np.rint((values[finite].astype(np.float64) - low) / side * levels)
    return low, low + side, result
