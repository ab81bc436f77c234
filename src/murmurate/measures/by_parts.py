"""Measures by parts: for a flock whose boids are distributed over several workers.

A measure by parts is a generator. It yields functions of a part of the flock, receives the arrays
that they return for each non-empty part, and returns the value of the measure. That value equals
the one of the function with the same name, except for rounding in another order of summation.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.flock_data import nearest_distances, unit_vectors
from murmurate.measures.geometry import (
    convex_hull,
    largest_distance,
    largest_periodic_distance,
    offsets,
    offsets_on_axis,
    outline,
    wraps_around,
)
from murmurate.measures.order import speeds, spins
from murmurate.model.space import Space
from murmurate.neighbours.periodic import periods
from murmurate.neighbours.search import NeighbourSearch

NO_BOIDS = np.zeros(1)
BINS = 4096  # along the axis on which flocks are cut

PartFunction = Callable[[FlockFrame], np.ndarray]
ByParts = Generator[PartFunction, list[np.ndarray], float]


def polarization() -> ByParts:
    """See murmurate.measures.polarization."""
    total = _sum(
        (yield lambda part: np.array([len(part), *unit_vectors(part.velocities).sum(axis=1)]))
    )
    return float(np.linalg.norm(total[1:])) / total[0] if total[0] > 1 else float("nan")


def speed() -> ByParts:
    """See murmurate.measures.speed."""
    total = _sum((yield lambda part: np.array([len(part), speeds(part).sum()])))
    return float(total[1]) / total[0] if total[0] else float("nan")


def milling() -> ByParts:
    """See murmurate.measures.milling."""
    centre = yield from _find_centre()
    if centre is None:
        return float("nan")
    total = _sum((yield centre.sum_spins))
    return float(np.linalg.norm(total[1:])) / total[0] if total[0] > 1 else float("nan")


def extent() -> ByParts:
    """See murmurate.measures.extent."""
    centre = yield from _find_centre()
    if centre is None:
        return float("nan")
    sides = (yield _periods)[0]
    corners = np.concatenate((yield centre.corners))
    if wraps_around(corners, sides).any():
        return largest_periodic_distance(np.concatenate((yield centre.offsets)), sides)
    return largest_distance(corners)


def density() -> ByParts:
    """See murmurate.measures.density."""
    centre = yield from _find_centre()
    if centre is None:
        return float("nan")
    sides = (yield _periods)[0]
    corners = np.concatenate((yield centre.corners))
    return centre.boids / outline(corners, sides).volume


def nearest_neighbour_distance() -> ByParts:
    """See murmurate.measures.nearest_neighbour_distance.

    Each part searches among its own boids. Another part may have a nearer one only if it has boids
    within that distance along one axis: these few boids are sent to all other parts. Parts are
    assumed to be slabs along the axis on which flocks are cut; other shapes take longer.
    """
    ends = np.array((yield _count_and_ends)).reshape(-1, 3)
    boids = int(ends[:, 0].sum())
    if boids < 2:
        return float("nan")
    bins = _Bins(float(ends[:, 1].min()), float(ends[:, 2].max()))
    occupied = np.sum((yield bins.counts), axis=0)
    own = yield _OwnDistances(bins, occupied)
    certain = sum(float(rows[0, 0]) for rows in own)
    queries = _Queries.of(np.concatenate([rows[1:] for rows in own]))
    if not len(queries.ids):
        return certain / boids
    answers = yield _OtherDistances(bins, queries)
    return (certain + float(np.min([queries.distances, *answers], axis=0).sum())) / boids


BY_PARTS: Mapping[str, Callable[[], ByParts]] = {
    function.__name__: function
    for function in (polarization, milling, nearest_neighbour_distance, speed, extent, density)
}


def measure_by_parts(
    names: Sequence[str],
    flocks: Sequence[str],
    map_parts: Callable[[PartFunctions], Sequence[Mapping[tuple[str, str], np.ndarray]]],
) -> dict[str, dict[str, float]]:
    """Compute measures of distributed flocks.

    names  measures in `BY_PARTS`
    map_parts  calls a function on every worker with the parts of flocks that it holds, and returns
        the results
    """
    running = {(flock, name): BY_PARTS[name]() for flock in flocks for name in names}
    pending = {key: next(measure) for key, measure in running.items()}
    values: dict[str, dict[str, float]] = {flock: dict.fromkeys(names, 0.0) for flock in flocks}
    while pending:
        by_flock: dict[str, dict[str, PartFunction]] = {}
        for (flock, name), function in pending.items():
            by_flock.setdefault(flock, {})[name] = function
        results = map_parts(PartFunctions(by_flock))
        for key in list(pending):
            try:
                arrays = [result[key] for result in results if key in result]
                pending[key] = running[key].send(arrays)
            except StopIteration as end:
                del pending[key]
                values[key[0]][key[1]] = float(end.value)
    return values


class PartFunctions:
    """Functions that a worker applies to its parts of flocks: flock -> measure -> function."""

    def __init__(self, functions: Mapping[str, Mapping[str, PartFunction]]) -> None:
        self.functions = functions

    def __call__(self, parts: Sequence[FlockFrame]) -> dict[tuple[str, str], np.ndarray]:
        return {
            (part.name, name): function(part)
            for part in parts
            if len(part)
            for name, function in self.functions.get(part.name, {}).items()
        }


def _sum(parts: Sequence[np.ndarray]) -> np.ndarray:
    return sum(parts, NO_BOIDS)


def _periods(part: FlockFrame) -> np.ndarray:
    return periods(part.space)


def _find_centre() -> Generator[PartFunction, list[np.ndarray], _Centre | None]:
    """Return the centre of a flock; None for a flock without boids."""
    total = _sum((yield _sum_positions))
    if not total[0]:
        return None
    # on a periodic axis first the circular mean, then the mean around it, as centroid() does
    middle = _Middle(total[1:].reshape(-1, 3) / total[0])
    total = _sum((yield middle.sum_offsets))
    return _Centre(middle, total[1:] / total[0], int(total[0]))


def _sum_positions(part: FlockFrame) -> np.ndarray:
    """Return the number of boids, and for each axis the sums of x and of sine and cosine of x."""
    rows = []
    for axis in range(part.space.dims):
        x = part.positions[:, axis].astype(np.float64)
        angles = (x - part.space.lower[axis]) * (2.0 * np.pi / part.space.size[axis])
        rows += [x.sum(), np.sin(angles).sum(), np.cos(angles).sum()]
    return np.array([len(part), *rows])


class _Middle:
    """An approximate centre, from the (axes, 3) means of `_sum_positions`."""

    def __init__(self, means: np.ndarray) -> None:
        self.means = means

    def on_axis(self, flock: FlockFrame, axis: int) -> float:
        mean, sine, cosine = self.means[axis]
        if not flock.space.periodic[axis]:
            return float(mean)
        side = flock.space.size[axis]
        return float(flock.space.lower[axis] + np.arctan2(sine, cosine) * side / (2.0 * np.pi))

    def sum_offsets(self, part: FlockFrame) -> np.ndarray:
        """Return the number of boids, and the sums of their offsets from the middle."""
        axes = range(part.space.dims)
        sums = [offsets_on_axis(part, axis, self.on_axis(part, axis)).sum() for axis in axes]
        return np.array([len(part), *sums])


class _Centre:
    """The centre of a flock of `boids` boids, as an (axes,) `shift` from its middle."""

    def __init__(self, middle: _Middle, shift: np.ndarray, boids: int) -> None:
        self.middle, self.shift, self.boids = middle, shift, boids

    def offsets(self, part: FlockFrame) -> np.ndarray:
        """Return (boids, axes) vectors from the centre to each boid."""
        axes = range(part.space.dims)
        middle = np.array([self.middle.on_axis(part, axis) for axis in axes])
        return offsets(part, middle + self.shift)

    def sum_spins(self, part: FlockFrame) -> np.ndarray:
        """Return the number of boids, and the sums of their spins about the centre."""
        return np.array([len(part), *spins(self.offsets(part), part.velocities).sum(axis=1)])

    def corners(self, part: FlockFrame) -> np.ndarray:
        """Return the (corners, axes) of the part's hull; those of the flock are among them."""
        vectors = self.offsets(part)
        hull = convex_hull(vectors)
        return vectors if hull is None else vectors[hull.vertices]


class _Queries(NamedTuple):
    """Boids whose nearest neighbour may be in another part.

    distances : to the nearest boid of their own part
    """

    ids: np.ndarray
    distances: np.ndarray
    positions: np.ndarray

    @classmethod
    def of(cls, rows: np.ndarray) -> _Queries:
        return cls(rows[:, 0].astype(np.int64), rows[:, 1], rows[:, 2:])


def axis_of(space: Space) -> int:
    """Return the axis on which flocks are cut into slabs."""
    return 2 if space.dims == 3 else 0


def _count_and_ends(part: FlockFrame) -> np.ndarray:
    """Return the number of boids, and their smallest and largest coordinate on the axis."""
    x = part.positions[:, axis_of(part.space)]
    return np.array([len(x), x.min(), x.max()], np.float64)


class _Bins:
    """Bins along the axis: over the space if it is periodic, else from first to last boid."""

    def __init__(self, first: float, last: float) -> None:
        self.first, self.last = first, last

    def of(self, space: Space, x: np.ndarray) -> np.ndarray:
        """Return the bins of coordinates, including bins before the first and after the last."""
        axis = axis_of(space)
        lower, side = self.first, self.last - self.first
        if space.periodic[axis]:
            lower, side = space.lower[axis], space.size[axis]
        if side <= 0.0:
            return np.where(x < lower, -1, np.where(x > lower, BINS, 0))
        # Clipped at BINS bins to each side: boids without a neighbour are infinitely far from it.
        bins = np.floor((x.astype(np.float64) - lower) * (BINS / side))
        return np.clip(bins, -BINS, 2 * BINS - 1).astype(np.int64)

    def any_within(
        self, space: Space, occupied: np.ndarray, x: np.ndarray, radius: np.ndarray
    ) -> np.ndarray:
        """Return (boids,) bool: some bin from x - radius to x + radius is occupied.

        occupied : (BINS,) bool
        """
        before = occupied if space.periodic[axis_of(space)] else np.zeros(BINS, bool)
        sums = np.concatenate([[0], np.cumsum(np.concatenate([before, occupied, before]))])
        # one bin more on both sides, for rounding at their ends
        low = np.maximum(self.of(space, x - radius) - 1 + BINS, 0)
        high = np.minimum(self.of(space, x + radius) + 2 + BINS, 3 * BINS)
        return sums[high] > sums[low]

    def counts(self, part: FlockFrame) -> np.ndarray:
        """Return (BINS,) the number of boids in each bin."""
        bins = self.of(part.space, part.positions[:, axis_of(part.space)])
        return np.bincount(np.clip(bins, 0, BINS - 1), minlength=BINS)


class _OwnDistances:
    """Nearest-neighbour distances within a part.

    Returns a row that begins with the sum of the distances that are certain, then a row (id,
    distance, position) for each other boid.
    """

    def __init__(self, bins: _Bins, occupied: np.ndarray) -> None:
        self.bins, self.occupied = bins, occupied

    def __call__(self, part: FlockFrame) -> np.ndarray:
        space, x = part.space, part.positions[:, axis_of(part.space)].astype(np.float64)
        distances = nearest_distances(part) if len(part) > 1 else np.full(1, np.inf)
        others = self.occupied > self.bins.counts(part)
        uncertain = np.flatnonzero(self.bins.any_within(space, others, x, distances))
        rows = np.zeros((1 + len(uncertain), 2 + space.dims))
        rows[0, 0] = np.delete(distances, uncertain).sum()
        rows[1:, 0], rows[1:, 1] = part.ids[uncertain], distances[uncertain]
        rows[1:, 2:] = part.positions[uncertain]
        return rows


class _OtherDistances:
    """Distances from boids of other parts to the nearest boid of a part; inf for its own boids."""

    def __init__(self, bins: _Bins, queries: _Queries) -> None:
        self.bins, self.queries = bins, queries

    def __call__(self, part: FlockFrame) -> np.ndarray:
        distances = np.full(len(self.queries.ids), np.inf)
        foreign = np.flatnonzero(~np.isin(self.queries.ids, part.ids))
        candidates = self._candidates(part, foreign)
        if len(foreign) and candidates.any():
            search = NeighbourSearch(part.positions[candidates], part.space)
            distances[foreign] = search.distances_from(self.queries.positions[foreign])
        return distances

    def _candidates(self, part: FlockFrame, foreign: np.ndarray) -> np.ndarray:
        """Return (boids,) bool: boids of the part that may be nearest to one of the queries."""
        axis, covered = axis_of(part.space), np.zeros(BINS + 1, np.int64)
        x, radius = self.queries.positions[foreign, axis], self.queries.distances[foreign]
        low = self.bins.of(part.space, x - radius) - 1
        high = self.bins.of(part.space, x + radius) + 2
        shifts = (-BINS, 0, BINS) if part.space.periodic[axis] else (0,)
        for shift in shifts:
            np.add.at(covered, np.clip(low + shift, 0, BINS), 1)
            np.add.at(covered, np.clip(high + shift, 0, BINS), -1)
        bins = self.bins.of(part.space, part.positions[:, axis])
        return np.cumsum(covered)[np.clip(bins, 0, BINS - 1)] > 0
