"""Shape of paths per animal: length, straightness, turning angles, sinuosity.

Steps lead from one frame to the next. Their properties depend on the time between frames, so only
paths sampled alike can be compared.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from murmurate.measures.curve import MAX_BINS, Curve, binned_curve, empty_curve, ratio
from murmurate.measures.limits import check_count, check_integer
from murmurate.measures.over_frames import time_step
from murmurate.measures.per_animal import AnimalPaths, PathValues, lengths
from murmurate.measures.registry import measure_over_frames
from murmurate.model.space import Space

MAX_CELLS = 20_000_000  # of a table of animals and bins


class PathLength(PathValues):
    """Return the length of each animal's path.

    A step leads from one frame to the next.

    value: `counts` are steps. nan for an animal without a step.

    Gaps: where an animal is not seen in one of two frames, nothing is added, so the length is that
    of the `counts` steps that were seen. For all frames multiply by (frames - 1) / counts, if the
    animal moves alike while it is not seen. On periodic axes a step leads to the nearest image, so
    it must be shorter than half the box. Tracking errors lengthen paths. Cost: O(N) per frame.
    """

    numbers = ("length", "steps")

    def follow(self, positions: np.ndarray, step: np.ndarray, space: Space) -> None:
        step_lengths = lengths(step)
        seen = np.isfinite(step_lengths)
        self.of["length"][seen] += step_lengths[seen]
        self.of["steps"] += seen

    def values(self) -> tuple[np.ndarray, np.ndarray]:
        time_step(self.times)
        steps = self.of["steps"]
        return np.where(steps > 0, self.of["length"], np.nan), steps


class Straightness(PathValues):
    """Return the straightness of each animal's path.

    The displacement from the first position to the last over the length of the path between them.

    value: 1 for a straight line, 0 for a closed loop. `counts` are steps. nan for an animal without
        a step, or one that does not move.
    source: In its section 2: of oriented paths.

    The straightness of a random path decreases with its number of steps: compare paths with the
    same number.

    Gaps: the longest stretch without a gap is used, the first one of equal length. On periodic axes
    the stretch is unwrapped, each step to the nearest image. Cost: O(N) per frame.
    """

    numbers = ("length", "steps", "best_length", "best_steps")
    vectors = ("displacement", "best_displacement")

    def follow(self, positions: np.ndarray, step: np.ndarray, space: Space) -> None:
        of, step_lengths = self.of, lengths(step)
        seen = np.isfinite(step_lengths)
        for name, amount in (("length", step_lengths), ("steps", 1.0)):
            of[name] = np.where(seen, of[name] + amount, 0.0)
        of["displacement"] = np.where(seen[:, None], of["displacement"] + step, 0.0)
        longer = of["steps"] > of["best_steps"]
        for name in ("length", "steps", "displacement"):
            of[f"best_{name}"][longer] = of[name][longer]

    def values(self) -> tuple[np.ndarray, np.ndarray]:
        time_step(self.times)
        straight = ratio(lengths(self.of["best_displacement"]), self.of["best_length"])
        return np.minimum(straight, 1.0), self.of["best_steps"]  # rounding may give more than 1


class TurningCosine(PathValues):
    """Return the mean cosine of each animal's turning angles.

    A turning angle is the angle from one step to the next.

    value: 1 straight on, 0 in random directions, -1 back and forth. `counts` are turns. nan for an
        animal without a turning angle.

    Gaps and steps of length 0 are treated as by `turning_angles`. Cost: O(N) per frame.
    """

    numbers: ClassVar[tuple[str, ...]] = ("turns", "cosines")
    counted = "turns"

    def follow(self, positions: np.ndarray, step: np.ndarray, space: Space) -> None:
        cosines = cosines_between(self.of["before"], step)
        finite = np.isfinite(cosines)
        self.of["turns"] += finite
        self.of["cosines"][finite] += cosines[finite]

    def values(self) -> tuple[np.ndarray, np.ndarray]:
        time_step(self.times)
        return ratio(self.of["cosines"], self.of["turns"]), self.of["turns"]


class Sinuosity(TurningCosine):
    """Return the sinuosity of each animal's path, as a correlated random walk.

    p is the mean step length, b its coefficient of variation (standard deviation, with n - 1, over
    mean) and c the mean cosine of the turning angles.

    value: `counts` are steps. 0 for a straight line, nan for an animal without a turning angle.
    source: Its equation 8.

    The sinuosity S determines how fast such a walk spreads: after a long path of length L the mean
    of D^2 is 4 L / S^2. The formula assumes that left and right turns are equally frequent. In 3-D
    the same formula is used, with the same mean of D^2.

    Gaps: p and b are those of all steps that were seen, c that of all angles that `turning_angles`
    would use. Steps of length 0 count in p and b. Cost: O(N) per frame.
    """

    numbers = ("turns", "cosines", "steps", "length", "squares")
    counted = "steps"

    def follow(self, positions: np.ndarray, step: np.ndarray, space: Space) -> None:
        super().follow(positions, step, space)
        step_lengths = lengths(step)
        seen = np.isfinite(step_lengths)
        self.of["steps"] += seen
        self.of["length"][seen] += step_lengths[seen]
        self.of["squares"][seen] += step_lengths[seen] ** 2

    def values(self) -> tuple[np.ndarray, np.ndarray]:
        c, _ = super().values()
        n = self.of["steps"]
        p = ratio(self.of["length"], n)
        # a single step has no variance, and no turning angle either
        variance = np.maximum(self.of["squares"] - n * p**2, 0.0) / np.maximum(n - 1, 1)
        b2 = ratio(variance, p**2)
        # 2 / sqrt(p ((1 + c) / (1 - c) + b^2)), written so that c = 1 gives 0
        denominator = p * ((1 + c) + b2 * (1 - c))
        values = 2 * np.sqrt(ratio(np.maximum(1 - c, 0.0), denominator))
        back_and_forth = (denominator == 0) & (self.of["turns"] > 0)  # c = -1 and b = 0
        return np.where(back_and_forth, np.inf, values), n


class TurningAngles(AnimalPaths):
    """Return the distribution of turning angles of all animals together.

    value: In 2-D over -pi to pi, above 0 to the left (counterclockwise if y points up). In 3-D over
        0 to pi, where random directions have sin(a) / 2. Its integral is 1. `count` is the number
        of angles. `error` is the standard error of a ratio of sums over animals, treated as
        independent; nan for one animal.

    Gaps: an angle needs three successive frames in which the animal is seen. A step of length 0 has
    no direction, and gives no angle. On periodic axes steps lead to the nearest image. Cost: O(N)
    per frame.
    """

    def __init__(self, bins: int = 36) -> None:
        super().__init__()
        self.bins = check_integer(bins, "bins")
        check_count(self.bins, MAX_BINS, "bins", "", "Give fewer.")
        self.low = -np.pi
        self.table = np.zeros((0, self.bins), dtype=np.int64)
        self.animals = self.ids

    def follow(self, positions: np.ndarray, step: np.ndarray, space: Space) -> None:
        if len(self.table) != len(self.ids):
            self._grow()
        self.low = -np.pi if space.dims == 2 else 0.0
        angles = angles_between(self.of["before"], step)
        rows = np.flatnonzero(np.isfinite(angles))
        bins = (angles[rows] - self.low) / (np.pi - self.low) * self.bins
        np.add.at(self.table, (rows, np.minimum(bins.astype(np.int64), self.bins - 1)), 1)

    def _grow(self) -> None:
        """Add rows to the table for new animals."""
        count = len(self.ids) * self.bins
        what = f"animals times bins ({len(self.ids):,} x {self.bins:,})"
        check_count(count, MAX_CELLS, "turning_angles", what, "Give fewer bins.")
        grown = np.zeros((len(self.ids), self.bins), dtype=np.int64)
        grown[np.searchsorted(self.ids, self.animals)] = self.table
        self.table, self.animals = grown, self.ids

    def result(self) -> Curve:
        time_step(self.times)
        table = self.table[self.table.any(axis=1)]
        if not len(table):
            return empty_curve()
        edges = np.linspace(self.low, np.pi, self.bins + 1)
        width, total, animals = edges[1] - edges[0], table.sum(), len(table)
        counts = table.sum(axis=0)
        share = counts / total
        curve = binned_curve(edges, share / width, counts)
        # the error of a ratio of sums, over animals (Cochran 1977, Sampling Techniques, 6.4)
        residuals = table - share * table.sum(axis=1, keepdims=True)
        error = np.full(self.bins, np.nan)
        if animals > 1:
            squares = animals / (animals - 1) * (residuals**2).sum(axis=0)
            error = np.sqrt(squares) / total / width
        return Curve(curve.x, curve.y, curve.count, edges, error)


def cosines_between(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """Return (N,) cosines of the angles between (N, D) steps.

    nan if a step is missing or has no length.
    """
    sizes = lengths(before) * lengths(after)
    dots = np.einsum("ij,ij->i", before, after)
    return np.clip(ratio(dots, np.nan_to_num(sizes)), -1.0, 1.0)


def angles_between(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """Return (N,) angles from one (N, D) step to the next, in radians.

    -pi to pi in 2-D, above 0 to the left; 0 to pi in 3-D. nan as for `cosines_between`.
    """
    dots = np.einsum("ij,ij->i", before, after)
    if before.shape[1] == 2:
        cross = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    else:
        cross = lengths(np.cross(before, after))
    sizes = lengths(before) * lengths(after)
    return np.where(sizes > 0, np.arctan2(cross, dots), np.nan)


path_length = measure_over_frames(
    PathLength,
    "per animal",
    unit="length",
    definition="sum over steps of |x_i(t + dt) - x_i(t)|, of each animal i",
    equal_steps=True,
    missing="no animal is seen in two frames in a row",
)


straightness = measure_over_frames(
    Straightness,
    "per animal",
    bounds="0 to 1",
    definition="D / L of each animal: displacement / length of its longest path without a gap",
    source="Benhamou 2004",
    equal_steps=True,
    missing="no animal moves",
)


turning_angles = measure_over_frames(
    TurningAngles,
    unit="1/rad",
    across="turning angle, rad",
    definition="density of the angle from one step of an animal to its next, all animals",
    source="Kareiva & Shigesada 1983",
    path=True,
    equal_steps=True,
    missing="no animal is seen to turn, in three frames in a row",
)


turning_cosine = measure_over_frames(
    TurningCosine,
    "per animal",
    bounds="-1 to 1",
    definition="mean cosine of the angle from one step to the next, of each animal",
    source="Kareiva & Shigesada 1983",
    equal_steps=True,
    missing="no animal is seen to turn, in three frames in a row",
)


sinuosity = measure_over_frames(
    Sinuosity,
    "per animal",
    unit="1/length^0.5",
    definition="2 / sqrt(p ((1 + c) / (1 - c) + b^2)); p, b of step lengths, c mean cosine",
    source="Benhamou 2004",
    equal_steps=True,
    missing="no animal is seen to turn, in three frames in a row",
)
