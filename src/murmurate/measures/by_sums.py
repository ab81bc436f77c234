"""Default measures by sums: of a flock whose boids are in several places, none of which holds all.

A measure by sums is a generator. It yields functions of a part of a flock, is sent the sum of what
they give over all parts, and returns the measure's value: that of the function of its name, but for
the rounding of sums in another order.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.centroid import offsets, offsets_on_axis
from murmurate.measures.headings import unit
from murmurate.measures.milling import spins
from murmurate.measures.speed import speeds

NOTHING = np.zeros(1)
Part = Callable[[FlockFrame], np.ndarray]
BySums = Generator[Part, np.ndarray, float]


def polarization() -> BySums:
    """See murmurate.measures.polarization."""
    total = yield lambda part: np.array([len(part), *unit(part.velocities).sum(axis=1)])
    return float(np.linalg.norm(total[1:])) / total[0] if total[0] else float("nan")


def speed() -> BySums:
    """See murmurate.measures.speed."""
    total = yield lambda part: np.array([len(part), speeds(part).sum()])
    return float(total[1]) / total[0] if total[0] else float("nan")


def milling() -> BySums:
    """See murmurate.measures.milling."""
    total = yield _around
    if not total[0]:
        return float("nan")
    # on a periodic axis first the circular mean, then the mean around it, as centroid() does
    place = total[1:].reshape(-1, 3)
    middle = _Middle(place / total[0])
    total = yield middle.away
    centre = _Centre(middle, total[1:] / total[0])
    total = yield centre.spin
    return float(np.linalg.norm(total[1:])) / total[0]


BY_SUMS: Mapping[str, Callable[[], BySums]] = {
    "polarization": polarization, "milling": milling, "speed": speed,
}  # fmt: skip


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
    """The centre of a flock.

    beyond  (axes,) how far it is from its middle
    """

    def __init__(self, middle: _Middle, beyond: np.ndarray) -> None:
        self.middle, self.beyond = middle, beyond

    def spin(self, part: FlockFrame) -> np.ndarray:
        """Number of boids, and the sums of their spins about it."""
        axes = range(part.space.dims)
        centre = np.array([self.middle.on(part, axis) for axis in axes]) + self.beyond
        return np.array([len(part), *spins(offsets(part, centre), part.velocities).sum(axis=1)])


class SumsOf:
    """What a place that holds parts of some flocks gives for each flock and measure.

    asked  flock -> measure -> function of a part
    """

    def __init__(self, asked: Mapping[str, Mapping[str, Part]]) -> None:
        self.asked = asked

    def __call__(self, parts: Sequence[FlockFrame]) -> dict[tuple[str, str], np.ndarray]:
        return {
            (part.name, name): function(part)
            for part in parts
            for name, function in self.asked.get(part.name, {}).items()
        }


def measured_by_sums(
    flocks: Sequence[str],
    places: Callable[[SumsOf], Sequence[Mapping[tuple[str, str], np.ndarray]]],
) -> dict[str, dict[str, float]]:
    """Flock -> name of a default measure that is made of sums -> its value.

    places  calls a function where boids are, with the parts that are there, and gives what it gave
    """
    running = {(flock, name): make() for flock in flocks for name, make in BY_SUMS.items()}
    asked = {key: next(one) for key, one in running.items()}
    found: dict[str, dict[str, float]] = {flock: {} for flock in flocks}
    while asked:
        by_flock: dict[str, dict[str, Part]] = {}
        for (flock, name), function in asked.items():
            by_flock.setdefault(flock, {})[name] = function
        given = places(SumsOf(by_flock))
        for key in list(asked):
            try:
                asked[key] = running[key].send(
                    sum((one[key] for one in given if key in one), NOTHING)
                )
            except StopIteration as end:
                del asked[key]
                found[key[0]][key[1]] = end.value
    return found
