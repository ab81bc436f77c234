"""Shape of paths, per animal: length, straightness, turning angles, sinuosity.

Steps lead from one frame to the next. What is measured of them depends on the time between frames,
so only paths that were sampled alike can be compared.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.measures.animal_paths import AnimalPaths, PathValues, lengths
from murmurate.measures.curve import BINS, Curve, binned, no_curve, ratio
from murmurate.measures.limits import at_most, counted, whole
from murmurate.measures.over_frames import collect, time_step
from murmurate.measures.per_animal import PerAnimal
from murmurate.measures.registry import measure
from murmurate.model.space import Space

BENHAMOU = "10.1016/j.jtbi.2004.03.016"
TURNING = "10.1007/BF00379695"
CELLS = 20_000_000  # of a table of animals and bins


class PathLength(PathValues):
    """Lengths of steps, added up."""

    numbers = ("length", "steps")

    def follow(self, here: np.ndarray, step: np.ndarray, space: Space) -> None:
        gone = lengths(step)
        known = np.isfinite(gone)
        self.of["length"][known] += gone[known]
        self.of["steps"] += known

    def values(self) -> tuple[np.ndarray, np.ndarray]:
        time_step(self.times)
        steps = self.of["steps"]
        return np.where(steps > 0, self.of["length"], np.nan), steps


class Straightness(PathValues):
    """Displacement and length of the stretch without a gap that goes on, and of the longest."""

    numbers = ("length", "steps", "best_length", "best_steps")
    vectors = ("away", "best_away")

    def follow(self, here: np.ndarray, step: np.ndarray, space: Space) -> None:
        of, gone = self.of, lengths(step)
        known = np.isfinite(gone)
        for name, more in (("length", gone), ("steps", 1.0)):
            of[name] = np.where(known, of[name] + more, 0.0)
        of["away"] = np.where(known[:, None], of["away"] + step, 0.0)
        longer = of["steps"] > of["best_steps"]
        for name in ("length", "steps", "away"):
            of[f"best_{name}"][longer] = of[name][longer]

    def values(self) -> tuple[np.ndarray, np.ndarray]:
        time_step(self.times)
        found = ratio(lengths(self.of["best_away"]), self.of["best_length"])
        return np.minimum(found, 1.0), self.of["best_steps"]  # rounding may give more than 1


class Turning(PathValues):
    """Cosines of turning angles."""

    numbers: ClassVar[tuple[str, ...]] = ("turns", "cosines")
    counted = "turns"

    def follow(self, here: np.ndarray, step: np.ndarray, space: Space) -> None:
        cosines = cosines_between(self.of["before"], step)
        known = np.isfinite(cosines)
        self.of["turns"] += known
        self.of["cosines"][known] += cosines[known]

    def values(self) -> tuple[np.ndarray, np.ndarray]:
        time_step(self.times)
        return ratio(self.of["cosines"], self.of["turns"]), self.of["turns"]


class Sinuosity(Turning):
    """Cosines of turning angles, and the moments of step lengths."""

    numbers = ("turns", "cosines", "steps", "length", "squares")
    counted = "steps"

    def follow(self, here: np.ndarray, step: np.ndarray, space: Space) -> None:
        super().follow(here, step, space)
        gone = lengths(step)
        known = np.isfinite(gone)
        self.of["steps"] += known
        self.of["length"][known] += gone[known]
        self.of["squares"][known] += gone[known] ** 2

    def values(self) -> tuple[np.ndarray, np.ndarray]:
        c, _ = super().values()
        n = self.of["steps"]
        p = ratio(self.of["length"], n)
        # of one step there is no variance, and no turn either
        spread = np.maximum(self.of["squares"] - n * p**2, 0.0) / np.maximum(n - 1, 1)
        b2 = ratio(spread, p**2)
        # 2 / sqrt(p ((1 + c) / (1 - c) + b^2)), written so that c = 1 gives 0
        apart = p * ((1 + c) + b2 * (1 - c))
        found = 2 * np.sqrt(ratio(np.maximum(1 - c, 0.0), apart))
        still = (apart == 0) & (self.of["turns"] > 0)  # c = -1 and b = 0: back and forth for ever
        return np.where(still, np.inf, found), n


class TurningAngles(AnimalPaths):
    """Turning angles in bins, per animal."""

    def __init__(self, bins: int = 36) -> None:
        super().__init__()
        self.bins = whole(bins, "bins")
        at_most(self.bins, BINS, f"{counted(bins)} bins", "Give fewer.")
        self.low = -np.pi
        self.table = np.zeros((0, self.bins), dtype=np.int64)
        self.animals = self.ids

    def follow(self, here: np.ndarray, step: np.ndarray, space: Space) -> None:
        if len(self.table) != len(self.ids):
            what = f"turning angles of {len(self.ids):,} animals in {self.bins:,} bins"
            at_most(len(self.ids) * self.bins, CELLS, what, "Give fewer bins.")
            grown = np.zeros((len(self.ids), self.bins), dtype=np.int64)
            grown[np.searchsorted(self.ids, self.animals)] = self.table
            self.table, self.animals = grown, self.ids
        self.low = -np.pi if space.dims == 2 else 0.0
        angles = angles_between(self.of["before"], step)
        rows = np.flatnonzero(np.isfinite(angles))
        place = (angles[rows] - self.low) / (np.pi - self.low) * self.bins
        np.add.at(self.table, (rows, np.minimum(place.astype(np.int64), self.bins - 1)), 1)

    def result(self) -> Curve:
        time_step(self.times)
        table = self.table[self.table.any(axis=1)]
        if not len(table):
            return no_curve()
        edges = np.linspace(self.low, np.pi, self.bins + 1)
        width, turns, animals = edges[1] - edges[0], table.sum(), len(table)
        counts = table.sum(axis=0)
        share = counts / turns
        curve = binned(edges, share / width, counts)
        # the error of a ratio of sums, over animals (Cochran 1977, Sampling Techniques, 6.4)
        off = table - share * table.sum(axis=1, keepdims=True)
        error = np.full(self.bins, np.nan)
        if animals > 1:
            error = np.sqrt(animals / (animals - 1) * (off**2).sum(axis=0)) / turns / width
        return Curve(curve.x, curve.y, curve.count, edges, error)


def cosines_between(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """(N,) cosines of the angles between (N, D) steps; nan where one is missing or has no
    length."""
    sizes = lengths(before) * lengths(after)
    dots = np.einsum("ij,ij->i", before, after)
    return np.clip(ratio(dots, np.nan_to_num(sizes)), -1.0, 1.0)


def angles_between(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """(N,) angles from one step to the next, radians, nan as `cosines_between`: -pi to pi in 2-D,
    above 0 to the left; 0 to pi in 3-D."""
    dots = np.einsum("ij,ij->i", before, after)
    if before.shape[1] == 2:
        across = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    else:
        across = lengths(np.cross(before, after))
    sizes = lengths(before) * lengths(after)
    return np.where(sizes > 0, np.arctan2(across, dots), np.nan)


@measure(
    "per animal",
    unit="length",
    bounds="0 up",
    definition="sum over steps of |x_i(t + dt) - x_i(t)|, of each animal i",
    collector=PathLength,
)
def path_length(frames: Iterable[Frame | FlockFrame], *, flock: str | None = None) -> PerAnimal:
    """The length of each animal's path: L_i = sum over steps of |x_i(t + dt) - x_i(t)|, in length
    units.

    frames  at equal times; of `Frame`s, the largest flock is taken
    flock   the name of another flock

    A step leads from one frame to the next. Gaps are left out: where an animal is not seen in one
    of the two frames, nothing is added, so L is that of the `counts` steps that were seen. For a
    path of all frames multiply by (frames - 1) / counts, if it moves alike while it is not seen.
    On periodic axes a step is to the nearest image: an animal must not go half the box in one.
    nan for an animal that has no step. Tracking errors make paths longer.

    Returns PerAnimal (N values, `counts` are steps). Cost: O(N) a frame.
    Raises MeasureError where frames are not at equal times.
    """
    return collect(PathLength(), frames, flock)


@measure(
    "per animal",
    unit="1",
    bounds="0 to 1",
    definition="D / L of each animal: displacement / length of its longest path without a gap",
    source=BENHAMOU,
    collector=Straightness,
)
def straightness(frames: Iterable[Frame | FlockFrame], *, flock: str | None = None) -> PerAnimal:
    """The straightness of each animal's path: D / L, its displacement from the first position to
    the last over the length of the path between them (no unit). 1 for a straight line, 0 for a
    closed loop. A random path has less the more steps it has: compare paths of as many.

    frames, flock  as for `path_length`

    Gaps: of each animal the longest stretch without a gap is taken, the first of those as long;
    `counts` are its steps. On periodic axes the stretch is unwrapped, each step to the nearest
    image. nan for an animal that has no step, or stays where it is.

    Returns PerAnimal (N values, `counts` are steps). Cost: O(N) a frame.
    Raises MeasureError where frames are not at equal times.

    Source: Benhamou 2004, doi:10.1016/j.jtbi.2004.03.016, section 2 (there: of oriented paths).
    """
    return collect(Straightness(), frames, flock)


@measure(
    "frames",
    unit="1/rad",
    across="turning angle, rad",
    bounds="0 up",
    definition="density of the angle from one step of an animal to its next, all animals",
    source=TURNING,
    path=True,
    collector=TurningAngles,
)
def turning_angles(
    frames: Iterable[Frame | FlockFrame], *, bins: int = 36, flock: str | None = None
) -> Curve:
    """The distribution of turning angles: the density, per radian, of the angle from one step of
    an animal to its next one, of all animals together.

    In 2-D from -pi to pi, above 0 to the left (counterclockwise where y grows upwards); in 3-D from
    0 to pi, where directions at random have sin(a) / 2. Its integral is 1.

    frames, flock  as for `path_length`
    bins           how many, of equal width

    Gaps: an angle needs three frames in a row in which the animal is seen. A step of no length has
    no direction, and gives no angle. On periodic axes steps are to the nearest image.

    Returns a Curve; `count` has the number of angles, `error` the standard error over animals,
    taken as independent of each other: that of a ratio of sums; nan of one animal. Without points
    where there is no angle. Cost: O(N) a frame.
    Raises MeasureError where frames are not at equal times.

    Source: Kareiva & Shigesada 1983, doi:10.1007/BF00379695.
    """
    return collect(TurningAngles(bins), frames, flock)


@measure(
    "per animal",
    unit="1",
    bounds="-1 to 1",
    definition="mean cosine of the angle from one step to the next, of each animal",
    source=TURNING,
    collector=Turning,
)
def turning_cosine(frames: Iterable[Frame | FlockFrame], *, flock: str | None = None) -> PerAnimal:
    """The mean cosine c of each animal's turning angles (no unit): 1 straight on, 0 at random, -1
    back and forth. The angle is that from one step to the next.

    frames, flock  as for `path_length`

    Gaps and steps of no length are treated as by `turning_angles`; `counts` are the angles. nan for
    an animal that has none.

    Returns PerAnimal (N values, `counts` are turns). Cost: O(N) a frame.
    Raises MeasureError where frames are not at equal times.

    Source: Kareiva & Shigesada 1983, doi:10.1007/BF00379695.
    """
    return collect(Turning(), frames, flock)


@measure(
    "per animal",
    unit="1/length^0.5",
    bounds="0 up",
    definition="2 / sqrt(p ((1 + c) / (1 - c) + b^2)); p, b of step lengths, c mean cosine",
    source=BENHAMOU,
    collector=Sinuosity,
)
def sinuosity(frames: Iterable[Frame | FlockFrame], *, flock: str | None = None) -> PerAnimal:
    """The sinuosity of each animal's path as a correlated random walk,
    S = 2 / sqrt(p ((1 + c) / (1 - c) + b^2)), in 1 / sqrt(length): p the mean step length, b its
    coefficient of variation (standard deviation, with n - 1, over mean), c the mean cosine of the
    turning angles. 0 for a straight line.

    It says how fast such a walk spreads: after a long path of length L the mean of D^2 is
    4 L / S^2. It holds where left and right turns are as frequent; the same formula is taken in
    3-D, where the mean of D^2 is the same.

    frames, flock  as for `path_length`

    Gaps: p and b are those of all steps seen, of which `counts` has the number, c that of all
    angles that `turning_angles` would take. Steps of no length count in p and b. nan for an animal
    without an angle.

    Returns PerAnimal (N values, `counts` are steps). Cost: O(N) a frame.
    Raises MeasureError where frames are not at equal times.

    Source: Benhamou 2004, doi:10.1016/j.jtbi.2004.03.016, equation 8.
    """
    return collect(Sinuosity(), frames, flock)
