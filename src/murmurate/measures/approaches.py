"""Approaches: pairs of animals that come near each other, and when each begins."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.measures.limits import MeasureError, positive, shown
from murmurate.measures.neighbours import pairs_within
from murmurate.measures.over_frames import collect
from murmurate.measures.per_animal import EVENTS, PerAnimal, per_animal
from murmurate.measures.registry import measure
from murmurate.measures.valid_rows import valid_rows
from murmurate.neighbours.periodic import displacements

NONE = -1  # in place of an event's number, or of its last frame


class Approaches:
    """Pairs that are near each other, and the events that began in earlier frames.

    near    (P, 2) ids of pairs that came within `radius`, and have not been beyond `leave` since
    number  (P,) which event each belongs to; NONE for those that were not seen to come near
    """

    def __init__(self, radius: float, leave: float | None = None) -> None:
        self.radius = positive(radius, "radius")
        self.leave = self.radius if leave is None else positive(leave, "leave")
        if self.leave < self.radius:
            raise MeasureError(f"leave is {shown(leave)}: it must be at least radius, "
                               f"{self.radius:g}")  # fmt: skip
        self.frame = 0
        self.ids = np.empty(0, dtype=np.int64)  # all that were seen, ascending
        self.seen = np.empty(0, dtype=np.int64)  # in how many frames
        self.before = self.ids  # those seen in the frame before
        self.near = np.empty((0, 2), dtype=np.int64)
        self.number = np.empty(0, dtype=np.int64)
        self.events: list[dict[str, float]] = []

    def add(self, flock: FlockFrame, time: float) -> None:
        flock = valid_rows(flock, "positions")
        self._count(flock.ids)
        pairs, apart = self._pairs(flock)
        known = _where(pairs, self.near)
        stays = known != NONE
        number = np.full(len(pairs), NONE)
        number[stays] = self.number[known[stays]]
        enters = ~stays & (apart <= self.radius)
        seen_apart = enters & np.isin(pairs, self.before).all(axis=1)
        for row in np.flatnonzero(seen_apart):
            number[row] = len(self.events)
            start = (*pairs[row], self.frame, NONE, time, np.inf)
            self.events.append(dict(zip(EVENTS, start, strict=True)))
        self._end(number)
        for row in np.flatnonzero(number != NONE):
            event = self.events[number[row]]
            event["closest"] = min(event["closest"], float(apart[row]))
        kept = stays | enters
        self.near, self.number, self.before = pairs[kept], number[kept], flock.ids
        self.frame += 1

    def result(self) -> PerAnimal:
        whole = ("first", "second", "start", "end")
        columns = {
            name: np.array([event[name] for event in self.events],
                           dtype=np.int64 if name in whole else np.float64)
            for name in EVENTS
        }  # fmt: skip
        took_part = np.concatenate([columns["first"], columns["second"]])
        counts = np.bincount(np.searchsorted(self.ids, took_part), minlength=len(self.ids))
        return per_animal(self.ids, self.seen, counts, self.seen, "frames", columns)

    def _pairs(self, flock: FlockFrame) -> tuple[np.ndarray, np.ndarray]:
        """(P, 2) ids of the pairs that are at most `leave` apart, the smaller first, and their
        (P,) distances."""
        if len(flock) < 2:
            return np.empty((0, 2), dtype=np.int64), np.empty(0)
        # a little farther, as the search rounds otherwise than the distances below
        rows = pairs_within(flock, self.leave * (1 + 1e-9), "approaches")
        x = flock.positions
        away = displacements(x[rows[:, 1]], x[rows[:, 0]], flock.space)
        apart = np.sqrt(np.einsum("ij,ij->i", away, away))
        close = apart <= self.leave
        return np.sort(flock.ids[rows[close]], axis=1), apart[close]

    def _count(self, ids: np.ndarray) -> None:
        everyone = np.union1d(self.ids, ids)
        seen = np.zeros(len(everyone), dtype=np.int64)
        seen[np.searchsorted(everyone, self.ids)] = self.seen
        seen[np.searchsorted(everyone, ids)] += 1
        self.ids, self.seen = everyone, seen

    def _end(self, number: np.ndarray) -> None:
        """Ends the events that no pair of this frame belongs to."""
        for gone in np.setdiff1d(self.number, number):
            if gone != NONE:
                self.events[gone]["end"] = self.frame


def _where(pairs: np.ndarray, among: np.ndarray) -> np.ndarray:
    """(P,) the row of each of (P, 2) pairs among (M, 2) others; NONE where it is not there."""
    found = np.full(len(pairs), NONE)
    if not len(pairs) or not len(among):
        return found
    _, key = np.unique(np.concatenate([among, pairs]), axis=0, return_inverse=True)
    key = key.reshape(-1)
    place = np.full(key.max() + 1, NONE)
    place[key[: len(among)]] = np.arange(len(among))
    result: np.ndarray = place[key[len(among) :]]
    return result


@measure(
    "per animal",
    unit="approaches",
    bounds="0 up",
    definition="times that each animal and another come within `radius` of each other",
    collector=Approaches,
)
def approaches(
    frames: Iterable[Frame | FlockFrame],
    *,
    radius: float,
    leave: float | None = None,
    flock: str | None = None,
) -> PerAnimal:
    """How many approaches each animal takes part in. An approach of a pair begins in a frame in
    which both are seen at most `radius` apart, if in the frame before both were seen and the pair
    was not near. It is near until the first frame in which the two are more than `leave` apart, or
    one of them is not seen.

    frames  of one flock; of `Frame`s, the largest flock is taken
    radius  a distance, length units
    leave   the distance beyond which an approach is over, at least `radius`, which it is unless
            given: a larger one keeps a pair that hovers at `radius` from counting many times
    flock   the name of another flock

    Gaps: a pair that is near in the first frame, or in the first frame after one in which one of
    them was not seen, has not been seen to come near. It does not count as an approach; it counts
    again once it has been seen apart. On periodic axes distances are to the nearest image.

    Returns PerAnimal: `values` are the approaches of each animal, so that their sum is twice the
    number of approaches; `counts` are the frames in which it was seen. `events` has a row per
    approach, in the order in which they begin:

    first, second  ids of the two, the smaller first
    start, end     the number, from 0, of the frame in which it begins, and of the first in which
                   the pair is no longer near; -1 where it still is in the last frame
    time           of the frame in which it begins
    closest        the smallest distance while it lasts, length units

    Cost: O(N log N) a frame, for a radius that holds few others.
    Raises MeasureError for a radius that is not above 0, a `leave` below it, and more than 30
    million pairs.
    """
    return collect(Approaches(radius, leave), frames, flock)
