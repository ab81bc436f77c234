"""The nearest-neighbour distance of a flock whose boids are in several places.

Each part finds the nearest among its own boids. Another part may have a nearer one only where its
boids are no farther along one axis: these few are asked about at all other parts.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import NamedTuple

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.neighbours import nearest_distances
from murmurate.model.space import Space
from murmurate.neighbours.search import NeighbourSearch

BINS = 4096

Step = Generator[Callable[[FlockFrame], np.ndarray], list[np.ndarray], float]


def nearest_neighbour_distance() -> Step:
    """See murmurate.measures.nearest_neighbour_distance. Parts are thought of as slabs, along the
    axis that flocks are cut on; they may be of any shape, which takes longer."""
    ends = np.array((yield _ends)).reshape(-1, 3)
    boids = int(ends[:, 0].sum())
    if boids < 2:
        return float("nan")
    bins = _Bins(float(ends[:, 1].min()), float(ends[:, 2].max()))
    occupied = np.sum((yield bins.counts), axis=0)
    given = yield _Own(bins, occupied)
    sure = sum(float(one[0, 0]) for one in given)
    asked = _Questions.of(np.concatenate([one[1:] for one in given]))
    if not len(asked.ids):
        return sure / boids
    answers = yield _Answers(bins, asked)
    return (sure + float(np.min([asked.distances, *answers], axis=0).sum())) / boids


class _Questions(NamedTuple):
    """Boids whose nearest may be in another part: how far the nearest of their own part is."""

    ids: np.ndarray
    distances: np.ndarray
    places: np.ndarray

    @classmethod
    def of(cls, rows: np.ndarray) -> _Questions:
        return cls(rows[:, 0].astype(np.int64), rows[:, 1], rows[:, 2:])


def axis_of(space: Space) -> int:
    """The axis that flocks are cut on."""
    return 2 if space.dims == 3 else 0


def _ends(part: FlockFrame) -> np.ndarray:
    """Number of boids, and the least and the greatest place along the axis."""
    x = part.positions[:, axis_of(part.space)]
    return np.array([len(x), x.min(), x.max()], np.float64)


class _Bins:
    """Bins along the axis; of a periodic one those of the space, else from the first boid to the
    last."""

    def __init__(self, first: float, last: float) -> None:
        self.first, self.last = first, last

    def of(self, space: Space, x: np.ndarray) -> np.ndarray:
        """The bins of places, before the first one and behind the last one too."""
        axis = axis_of(space)
        lower, side = self.first, self.last - self.first
        if space.periodic[axis]:
            lower, side = space.lower[axis], space.size[axis]
        if side <= 0.0:
            return np.where(x < lower, -1, np.where(x > lower, BINS, 0))
        # so many bins away are all of them: boids without a neighbour are infinitely far
        bins = np.floor((x.astype(np.float64) - lower) * (BINS / side))
        return np.clip(bins, -BINS, 2 * BINS - 1).astype(np.int64)

    def around(
        self, space: Space, any_in: np.ndarray, x: np.ndarray, far: np.ndarray
    ) -> np.ndarray:
        """(boids,) whether there is anything in the bins from x - far to x + far.

        any_in  (BINS,) bool
        """
        before = any_in if space.periodic[axis_of(space)] else np.zeros(BINS, bool)
        upto = np.concatenate([[0], np.cumsum(np.concatenate([before, any_in, before]))])
        # a bin more on both sides, for what rounding does at their ends
        low = np.maximum(self.of(space, x - far) - 1 + BINS, 0)
        high = np.minimum(self.of(space, x + far) + 2 + BINS, 3 * BINS)
        return upto[high] > upto[low]

    def counts(self, part: FlockFrame) -> np.ndarray:
        """(BINS,) how many boids are in each."""
        found = self.of(part.space, part.positions[:, axis_of(part.space)])
        return np.bincount(np.clip(found, 0, BINS - 1), minlength=BINS)


class _Own:
    """What a part knows by itself: a row that begins with the sum of the distances that are sure,
    then a row for each other boid: id, distance, place."""

    def __init__(self, bins: _Bins, occupied: np.ndarray) -> None:
        self.bins, self.occupied = bins, occupied

    def __call__(self, part: FlockFrame) -> np.ndarray:
        space, x = part.space, part.positions[:, axis_of(part.space)].astype(np.float64)
        distances = nearest_distances(part) if len(part) > 1 else np.full(1, np.inf)
        others = self.occupied > self.bins.counts(part)
        open_ = np.flatnonzero(self.bins.around(space, others, x, distances))
        out = np.zeros((1 + len(open_), 2 + space.dims))
        out[0, 0] = np.delete(distances, open_).sum()
        out[1:, 0], out[1:, 1] = part.ids[open_], distances[open_]
        out[1:, 2:] = part.positions[open_]
        return out


class _Answers:
    """How far the nearest boid of a part is from boids of others; infinitely from its own."""

    def __init__(self, bins: _Bins, asked: _Questions) -> None:
        self.bins, self.asked = bins, asked

    def __call__(self, part: FlockFrame) -> np.ndarray:
        found = np.full(len(self.asked.ids), np.inf)
        strange = np.flatnonzero(~np.isin(self.asked.ids, part.ids))
        near = self._near(part, strange)
        if len(strange) and near.any():
            search = NeighbourSearch(part.positions[near], part.space)
            found[strange] = search.distances_from(self.asked.places[strange])
        return found

    def _near(self, part: FlockFrame, strange: np.ndarray) -> np.ndarray:
        """(boids,) which of the part's may be the nearest of one that is asked about."""
        axis, reached = axis_of(part.space), np.zeros(BINS + 1, np.int64)
        x, far = self.asked.places[strange, axis], self.asked.distances[strange]
        low, high = (self.bins.of(part.space, x - far) - 1, self.bins.of(part.space, x + far) + 2)
        shifts = (-BINS, 0, BINS) if part.space.periodic[axis] else (0,)
        for shift in shifts:
            np.add.at(reached, np.clip(low + shift, 0, BINS), 1)
            np.add.at(reached, np.clip(high + shift, 0, BINS), -1)
        bins = self.bins.of(part.space, part.positions[:, axis])
        return np.cumsum(reached)[np.clip(bins, 0, BINS - 1)] > 0
