"""Measures by parts: of a flock whose boids are in several places, none of which holds all.

A measure by parts is a generator. It yields functions of a part of a flock, is sent what they give
of each part that has boids, and returns the measure's value: that of the function of its name, but
for the rounding of sums in another order.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.centroid import offsets, offsets_on_axis
from murmurate.measures.headings import unit
from murmurate.measures.hull import farthest, farthest_wound, hull_of, outline, wound
from murmurate.measures.milling import spins
from murmurate.measures.nearest_by_parts import nearest_neighbour_distance
from murmurate.measures.speed import speeds
from murmurate.neighbours.periodic import periods

NOTHING = np.zeros(1)
Part = Callable[[FlockFrame], np.ndarray]
ByParts = Generator[Part, list[np.ndarray], float]


def polarization() -> ByParts:
    """See murmurate.measures.polarization."""
    total = _sum((yield lambda part: np.array([len(part), *unit(part.velocities).sum(axis=1)])))
    return float(np.linalg.norm(total[1:])) / total[0] if total[0] else float("nan")


def speed() -> ByParts:
    """See murmurate.measures.speed."""
    total = _sum((yield lambda part: np.array([len(part), speeds(part).sum()])))
    return float(total[1]) / total[0] if total[0] else float("nan")


def milling() -> ByParts:
    """See murmurate.measures.milling."""
    centre = yield from _centre()
    if centre is None:
        return float("nan")
    total = _sum((yield centre.spin))
    return float(np.linalg.norm(total[1:])) / total[0]


def extent() -> ByParts:
    """See murmurate.measures.extent."""
    centre = yield from _centre()
    if centre is None:
        return float("nan")
    sides = (yield _periods)[0]
    corners = np.concatenate((yield centre.corners))
    if wound(corners, sides).any():
        return farthest_wound(np.concatenate((yield centre.ways)), sides)
    return farthest(corners)


def density() -> ByParts:
    """See murmurate.measures.density."""
    centre = yield from _centre()
    if centre is None:
        return float("nan")
    sides = (yield _periods)[0]
    corners = np.concatenate((yield centre.corners))
    return centre.boids / outline(corners, sides).volume


BY_PARTS: Mapping[str, Callable[[], ByParts]] = {
    function.__name__: function
    for function in (polarization, milling, nearest_neighbour_distance, speed, extent, density)
}


def _sum(parts: Sequence[np.ndarray]) -> np.ndarray:
    return sum(parts, NOTHING)


def _periods(part: FlockFrame) -> np.ndarray:
    return periods(part.space)


def _centre() -> Generator[Part, list[np.ndarray], _Centre | None]:
    """Where a flock is; None where it has no boids."""
    total = _sum((yield _around))
    if not total[0]:
        return None
    # on a periodic axis first the circular mean, then the mean around it, as centroid() does
    middle = _Middle(total[1:].reshape(-1, 3) / total[0])
    total = _sum((yield middle.away))
    return _Centre(middle, total[1:] / total[0], int(total[0]))


def _around(part: FlockFrame) -> np.ndarray:
    """Number of boids, and of each axis the sums of places, and of sines and cosines round it."""
    rows = []
    for axis in range(part.space.dims):
        x = part.positions[:, axis].astype(np.float64)
        angles = (x - part.space.lower[axis]) * (2.0 * np.pi / part.space.size[axis])
        rows += [x.sum(), np.sin(angles).sum(), np.cos(angles).sum()]
    return np.array([len(part), *rows])


class _Middle:
    """About where a flock is; means: (axes, 3) of what _around sums."""

    def __init__(self, means: np.ndarray) -> None:
        self.means = means

    def on(self, flock: FlockFrame, axis: int) -> float:
        place, sine, cosine = self.means[axis]
        if not flock.space.periodic[axis]:
            return float(place)
        side = flock.space.size[axis]
        return float(flock.space.lower[axis] + np.arctan2(sine, cosine) * side / (2.0 * np.pi))

    def away(self, part: FlockFrame) -> np.ndarray:
        """Number of boids, and the sums of their ways from there."""
        axes = range(part.space.dims)
        sums = [offsets_on_axis(part, axis, self.on(part, axis)).sum() for axis in axes]
        return np.array([len(part), *sums])


class _Centre:
    """The centre of a flock of so many boids.

    beyond  (axes,) how far it is from its middle
    """

    def __init__(self, middle: _Middle, beyond: np.ndarray, boids: int) -> None:
        self.middle, self.beyond, self.boids = middle, beyond, boids

    def ways(self, part: FlockFrame) -> np.ndarray:
        """(boids, axes) from there to each boid."""
        axes = range(part.space.dims)
        return offsets(part, np.array([self.middle.on(part, axis) for axis in axes]) + self.beyond)

    def spin(self, part: FlockFrame) -> np.ndarray:
        """Number of boids, and the sums of their spins about it."""
        return np.array([len(part), *spins(self.ways(part), part.velocities).sum(axis=1)])

    def corners(self, part: FlockFrame) -> np.ndarray:
        """(corners, axes) those of the part's hull, which those of the flock's are among."""
        ways = self.ways(part)
        hull = hull_of(ways)
        return ways if hull is None else ways[hull.vertices]


class OfParts:
    """What a place that holds parts of some flocks gives for each flock and measure.

    asked  flock -> measure -> function of a part
    """

    def __init__(self, asked: Mapping[str, Mapping[str, Part]]) -> None:
        self.asked = asked

    def __call__(self, parts: Sequence[FlockFrame]) -> dict[tuple[str, str], np.ndarray]:
        return {
            (part.name, name): function(part)
            for part in parts
            if len(part)
            for name, function in self.asked.get(part.name, {}).items()
        }


def measured_by_parts(
    names: Sequence[str],
    flocks: Sequence[str],
    places: Callable[[OfParts], Sequence[Mapping[tuple[str, str], np.ndarray]]],
) -> dict[str, dict[str, float]]:
    """Flock -> name of a measure -> its value.

    names   of measures, of those in BY_PARTS
    places  calls a function where boids are, with the parts that are there, and gives what it gave
    """
    running = {(flock, name): BY_PARTS[name]() for flock in flocks for name in names}
    asked = {key: next(one) for key, one in running.items()}
    found: dict[str, dict[str, float]] = {flock: dict.fromkeys(names, 0.0) for flock in flocks}
    while asked:
        by_flock: dict[str, dict[str, Part]] = {}
        for (flock, name), function in asked.items():
            by_flock.setdefault(flock, {})[name] = function
        given = places(OfParts(by_flock))
        for key in list(asked):
            try:
                asked[key] = running[key].send([one[key] for one in given if key in one])
            except StopIteration as end:
                del asked[key]
                found[key[0]][key[1]] = float(end.value)
    return found
