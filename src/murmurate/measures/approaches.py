"""Approaches: pairs of animals that come near each other, as events."""

from __future__ import annotations

import numpy as np

from murmurate.errors import MeasureError
from murmurate.frame import FlockFrame
from murmurate.measures.flock_data import pairs_within, valid_rows
from murmurate.measures.limits import check_positive, format_value
from murmurate.measures.per_animal import EVENTS, PerAnimal, seen_animals
from murmurate.measures.registry import measure_over_frames
from murmurate.neighbours.periodic import displacements

NONE = -1  # in place of an event's index, or of its last frame
INTEGER_COLUMNS = ("first", "second", "start", "end")


class Approaches:
    """Return the number of approaches in which each animal takes part.

    An approach of a pair begins in a frame in which both are at most `radius` apart, if both were
    seen in the previous frame and were not near. The pair is near until the first frame in which
    the two are more than `leave` apart, or one of them is not seen.

    leave: Distance beyond which an approach is over, at least `radius`, which is the default. A
        larger value avoids counting a pair that hovers at `radius` several times.
    value: `counts` are the frames in which an animal was seen. The sum of `values` is twice the
        number of approaches. `events` has a row per approach, in the order in which they begin: the
        ids of the two (`first` is smaller than `second`), the index of the frame in which it begins
        (`start`), that of the first frame in which the pair is no longer near (`end`; -1 if it
        still is in the last frame), the `time` of the frame in which it begins, and the smallest
        distance (`closest`).
    raises: More than 30 million pairs are refused too.

    Gaps: a pair that is near in the first frame, or in the first frame after one in which one of
    them was not seen, has not been seen to come near. It is not an approach; the pair counts again
    once it has been seen apart. On periodic axes distances are to the nearest image. Cost: O(N log
    N) per frame, for a radius within which there are few others.
    """

    def __init__(self, radius: float, leave: float | None = None) -> None:
        self.radius = check_positive(radius, "radius")
        self.leave = self.radius if leave is None else check_positive(leave, "leave")
        if self.leave < self.radius:
            raise MeasureError(
                f"leave: got {format_value(leave)}; expected at least radius, {self.radius:g}"
            )
        self.frame = 0
        self.ids = np.empty(0, dtype=np.int64)  # all that were seen, ascending
        self.seen = np.empty(0, dtype=np.int64)  # number of frames in which each was seen
        self.before = self.ids  # those seen in the previous frame
        # ids of pairs that came within `radius` and have not been beyond `leave` since
        self.near = np.empty((0, 2), dtype=np.int64)
        # event of each pair; NONE for a pair that was not seen to come near
        self.event_of = np.empty(0, dtype=np.int64)
        self.events: list[dict[str, float]] = []

    def add(self, flock: FlockFrame, time: float) -> None:
        flock = valid_rows(flock, "positions")
        self._count_seen(flock.ids)
        pairs, distances = self._close_pairs(flock)
        rows = _find_rows(pairs, self.near)
        stays = rows != NONE
        event_of = np.full(len(pairs), NONE)
        event_of[stays] = self.event_of[rows[stays]]
        enters = ~stays & (distances <= self.radius)
        both_seen_before = enters & np.isin(pairs, self.before).all(axis=1)
        for row in np.flatnonzero(both_seen_before):
            event_of[row] = len(self.events)
            start = (*pairs[row], self.frame, NONE, time, np.inf)
            self.events.append(dict(zip(EVENTS, start, strict=True)))
        self._end_events(event_of)
        for row in np.flatnonzero(event_of != NONE):
            event = self.events[event_of[row]]
            event["closest"] = min(event["closest"], float(distances[row]))
        near = stays | enters
        self.near, self.event_of, self.before = pairs[near], event_of[near], flock.ids
        self.frame += 1

    def result(self) -> PerAnimal:
        columns = {
            name: np.array(
                [event[name] for event in self.events],
                dtype=np.int64 if name in INTEGER_COLUMNS else np.float64,
            )
            for name in EVENTS
        }
        participants = np.concatenate([columns["first"], columns["second"]])
        counts = np.bincount(np.searchsorted(self.ids, participants), minlength=len(self.ids))
        return seen_animals(self.ids, self.seen, counts, self.seen, "frames", columns)

    def _close_pairs(self, flock: FlockFrame) -> tuple[np.ndarray, np.ndarray]:
        """Return (P, 2) ids of pairs at most `leave` apart, in order, and (P,) distances."""
        if len(flock) < 2:
            return np.empty((0, 2), dtype=np.int64), np.empty(0)
        # a little farther, since the search rounds differently from the distances below
        rows = pairs_within(flock, self.leave * (1 + 1e-9), "approaches")
        x = flock.positions
        vectors = displacements(x[rows[:, 1]], x[rows[:, 0]], flock.space)
        distances = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
        close = distances <= self.leave
        return np.sort(flock.ids[rows[close]], axis=1), distances[close]

    def _count_seen(self, ids: np.ndarray) -> None:
        all_ids = np.union1d(self.ids, ids)
        seen = np.zeros(len(all_ids), dtype=np.int64)
        seen[np.searchsorted(all_ids, self.ids)] = self.seen
        seen[np.searchsorted(all_ids, ids)] += 1
        self.ids, self.seen = all_ids, seen

    def _end_events(self, event_of: np.ndarray) -> None:
        """End the events to which no pair of this frame belongs."""
        for ended in np.setdiff1d(self.event_of, event_of):
            if ended != NONE:
                self.events[ended]["end"] = self.frame


def _find_rows(pairs: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return (P,) the row of each of (P, 2) pairs in (M, 2) others; NONE for a pair not in them."""
    if not len(pairs) or not len(others):
        return np.full(len(pairs), NONE)
    _, key = np.unique(np.concatenate([others, pairs]), axis=0, return_inverse=True)
    key = key.reshape(-1)
    row_of = np.full(key.max() + 1, NONE)
    row_of[key[: len(others)]] = np.arange(len(others))
    return row_of[key[len(others) :]]


approaches = measure_over_frames(
    Approaches,
    "per animal",
    unit="approaches",
    definition="times that each animal and another come within `radius` of each other",
)
