"""Give boids that come and go a place in arrays of constant length, for scenes.

Scenes interpolate arrays between frames, so a slot must not pass from one boid to the next while it
is visible:

    frame             4     5     6     7     8     9
    slot 0  boid 3    o     o     .
            boid 8                      .     o     o      o visible, . hidden

A hidden boid moves straight on before its slot is taken, and towards its birth before that.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np

from murmurate.exports.selection import Array, Lives

HIDDEN = 2  # frames in which a slot is hidden between two boids


@dataclass(frozen=True)
class Slots:
    """Slots of the boids of one flock.

    ids  (N,) ids of the boids that are ever there, ascending
    first, last  (N,) indices of their first and last frame
    slot  (N,)
    """

    ids: Array
    first: Array
    last: Array
    slot: Array
    count: int

    @classmethod
    def of(cls, lives: Lives, flock_index: int) -> Slots:
        """Assign slots to the boids of a flock, as few as possible."""
        part = lives.flock_index == flock_index
        ids, first, last = lives.ids[part], lives.first[part], lives.last[part]
        slot, free, count = np.zeros(len(ids), np.int64), list[tuple[int, int]](), 0
        for boid in np.argsort(first, kind="stable").tolist():
            if free and free[0][0] <= first[boid]:
                _, number = heapq.heappop(free)
            else:
                number, count = count, count + 1
            slot[boid] = number
            heapq.heappush(free, (int(last[boid]) + HIDDEN + 1, number))
        return cls(ids, first, last, slot, count)

    @classmethod
    def fixed(cls, ids: Array, frames: int) -> Slots:
        """Return one slot for each boid, for flocks whose boids are in all frames."""
        none = np.zeros(len(ids), np.int64)
        return cls(ids, none, none + frames - 1, np.arange(len(ids)), len(ids))

    def of_ids(self, ids: Array) -> Array:
        """Return the slots (M,) of ids (M,)."""
        slots: Array = self.slot[np.searchsorted(self.ids, ids)]
        return slots

    def owners(self, frame: int) -> Array:
        """Return the id (count,) that owns each slot in a frame, visible or hidden.

        A slot belongs to a boid from the frame before its birth; the first owner has it from the
        start.
        """
        owners = np.zeros(self.count, np.int64)
        first = np.full(self.count, np.iinfo(np.int64).max)
        np.minimum.at(first, self.slot, self.first)
        owns = (self.first <= frame + 1) | (self.first == first[self.slot])
        owners[self.slot[owns]] = self.ids[owns]  # ids ascend with birth, so the last one owns it
        return owners
