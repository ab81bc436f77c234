"""Traits over frames: behaviour of each boid over a run, and consistent differences."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, cast

import numpy as np

from murmurate.errors import MeasureError
from murmurate.frame import FlockFrame
from murmurate.measures.estimate import Estimate
from murmurate.measures.flock_data import valid_rows
from murmurate.measures.leadership import Leadership, check_correlation
from murmurate.measures.limits import format_value
from murmurate.measures.per_animal import PerAnimal
from murmurate.measures.registry import measure_over_frames, plain_measure
from murmurate.measures.traits import (
    QUANTITIES,
    Method,
    check_method,
    correlation,
    trait_of,
)

NO_CORRELATION = Estimate(math.nan, math.nan, 0.0, "animals", short=True)


def correlation_estimate(x: np.ndarray, y: np.ndarray, method: Method) -> Estimate:
    """Return the correlation of (n,) numbers with its standard error, for independent boids.

    (1 - r^2) / sqrt(n - 3), by Fisher's transformation; for ranks times sqrt(1 + r^2 / 2).

    Source: Bonett & Wright 2000, doi:10.1007/BF02294183.
    """
    both = np.isfinite(x) & np.isfinite(y)
    x, y = x[both], y[both]
    r, n = correlation(x, y, method), len(x)
    if r != r:
        return NO_CORRELATION
    spread = 1.0 + r * r / 2 if method == "spearman" else 1.0
    error = (1.0 - r * r) * math.sqrt(spread / (n - 3)) if n > 3 else math.nan
    return Estimate(r, error, float(n), "animals", short=n < 8, freedom=n - 2.0)


class BoidSums:
    """Sums of numbers of each boid over the frames in which it has one.

    ids  (N,) boids that had a number, ascending
    sums  (N, 3) number of frames, sum of the numbers, sum of their squares
    """

    def __init__(self) -> None:
        self.ids = np.empty(0, np.int64)
        self.sums = np.empty((0, 3))

    def add(self, ids: np.ndarray, values: np.ndarray) -> None:
        """Add the (n,) numbers of boids with ascending ids, except those that are not finite."""
        finite = np.isfinite(values)
        ids, values = ids[finite], values[finite]
        if not np.isin(ids, self.ids, assume_unique=True).all():
            all_ids = np.union1d(self.ids, ids)
            sums = np.zeros((len(all_ids), 3))
            sums[np.searchsorted(all_ids, self.ids)] = self.sums
            self.ids, self.sums = all_ids, sums
        terms = np.stack([np.ones(len(values)), values, values**2], axis=1)
        self.sums[np.searchsorted(self.ids, ids)] += terms

    def means(self, ids: np.ndarray) -> np.ndarray:
        """Return the (n,) means of boids; nan for a boid that never had a number."""
        _, rows, sum_rows = np.intersect1d(ids, self.ids, assume_unique=True, return_indices=True)
        result = np.full(len(ids), np.nan)
        result[rows] = self.sums[sum_rows, 1] / self.sums[sum_rows, 0]
        return result


class LeadershipTraitCorrelation:
    """Return the correlation of a trait with leadership.

    The leadership of a boid is its mean directional delay to the others, above 0 for boids whose
    headings others take up later; see `directional_delays`.

    trait: Name of a trait, as for `trait_mean`. Of per-boid state the mean over frames counts.
    reach: Largest delay, in units of time. The default is a quarter of the frames.
    min_correlation: Smallest correlation at which a pair counts, as for `directional_delays`.
    value: Above 0 if boids with a larger trait lead. The standard error is that of independent
        boids, (1 - r^2) / sqrt(n - 3), for ranks times sqrt(1 + r^2 / 2).
    """

    def __init__(
        self,
        trait: str,
        method: Method = "spearman",
        reach: float | None = None,
        min_correlation: float = 0.5,
    ) -> None:
        self.trait, self.traits = trait, BoidSums()
        self.method = check_method(method)
        check_correlation(min_correlation, "min_correlation")
        self.delays = Leadership(reach, min_correlation)

    def add(self, flock: FlockFrame, time: float) -> None:
        seen, values = trait_of(flock, self.trait)
        self.traits.add(seen.ids, values)
        self.delays.add(flock, time)

    def result(self) -> Estimate:
        delays = self.delays.delays()
        return correlation_estimate(self.traits.means(delays.ids), delays.lead, self.method)


class IndividualTraitCorrelation:
    """Return the correlation of a trait with the behaviour of each boid over all frames.

    The mean over frames removes fluctuations of single frames, which lower the correlations of
    `front_trait_correlation` and `speed_trait_correlation`.

    trait: Name of a trait, as for `trait_mean`. Of per-boid state the mean over frames counts.
    of: 'front' (distance ahead of the centre), 'centre' (distance to it) or 'speed', each as the
        mean over the frames in which a boid is seen. Or a measure per animal that needs no option,
        such as 'straightness'.
    value: With the standard error as for `leadership_trait_correlation`. Each boid counts once,
        however long it was there.
    """

    def __init__(self, trait: str, of: str = "front", method: Method = "spearman") -> None:
        self.trait, self.traits = trait, BoidSums()
        self.method = check_method(method)
        self.means = Individuals(of) if isinstance(of, str) and of in QUANTITIES else None
        if self.means is None:
            other = plain_measure(of, "per animal")
            if other is None:
                raise MeasureError(
                    f"of: got {format_value(of)}; expected {', '.join(map(repr, QUANTITIES))}, or "
                    "a measure per animal that needs no option, such as 'straightness'"
                )
            self.collector = cast(Callable[..., Any], other.collector)()

    def add(self, flock: FlockFrame, time: float) -> None:
        seen, values = trait_of(flock, self.trait)
        self.traits.add(seen.ids, values)
        (self.collector if self.means is None else self.means).add(flock, time)

    def result(self) -> Estimate:
        result = self.collector.result() if self.means is None else self.means.averages()
        return correlation_estimate(self.traits.means(result.ids), result.values, self.method)


class Individuals:
    """One of QUANTITIES of each boid, over the frames in which it is seen."""

    def __init__(self, of: str = "speed") -> None:
        if not isinstance(of, str) or of not in QUANTITIES:
            names = ", ".join(map(repr, QUANTITIES))
            raise MeasureError(f"of: got {format_value(of)}; expected one of {names}")
        self.of, self.boids = of, BoidSums()

    def add(self, flock: FlockFrame, time: float) -> None:
        flock = valid_rows(flock)
        if len(flock):
            self.boids.add(flock.ids, QUANTITIES[self.of](flock))

    def averages(self) -> PerAnimal:
        """Return the mean of each boid over its frames."""
        ids, counts = self.boids.ids, self.boids.sums[:, 0].astype(np.int64)
        return PerAnimal(ids, self.boids.means(ids), counts, "frames")


class Repeatability(Individuals):
    """Return the repeatability: how consistently boids differ from each other over frames.

    From an analysis of variance: s_w^2, the variance within a boid, is the mean square within
    boids, and s_b^2 = (mean square between boids - s_w^2) / n_0, with n_0 = (sum n_i - sum n_i^2 /
    sum n_i) / (a - 1) for a boids with n_i frames each.

    frames: Frames of a run, far enough apart to be independent.
    of: Number of a boid in a frame: 'speed', 'front' (distance ahead of the flock's centre along
        the mean heading) or 'centre' (distance to the centre).
    value: 1 if each boid always has the same number, and boids differ; 0 on average if boids do not
        differ, when it may be negative. The standard error is that of an intraclass correlation for
        n_0 frames per boid, sqrt(2 / (n_0 (n_0 - 1) (a - 1))) (1 - r) (1 + (n_0 - 1) r).

    Frames that follow each other closely are alike, which increases r: take frames at intervals of
    several correlation times. Boids may be there in different frames.
    """

    def result(self) -> Estimate:
        n, sums, squares = self.boids.sums.T
        count, frames = len(n), float(n.sum())
        if count < 2 or frames <= count:
            return NO_CORRELATION
        means = sums / n
        between = float((n * (means - sums.sum() / frames) ** 2).sum()) / (count - 1)
        within = float(np.maximum(squares - n * means**2, 0.0).sum()) / (frames - count)
        usual = (frames - float((n**2).sum()) / frames) / (count - 1)  # frames per boid
        variance = (between - within) / usual
        if not variance + within > 1e-24 * float(squares.max()):
            return NO_CORRELATION
        r = variance / (variance + within)
        error = math.nan
        if usual > 1:
            scale = math.sqrt(2 / (usual * (usual - 1) * (count - 1)))
            error = scale * (1 - r) * (1 + (usual - 1) * r)
        return Estimate(r, error, float(count), "animals", short=count < 8, freedom=count - 1.0)


leadership_trait_correlation = measure_over_frames(
    LeadershipTraitCorrelation,
    bounds="-1 to 1",
    definition="correlation of the trait with the mean directional delay of each boid",
    source="Nagy et al. 2010; Spearman 1904; Pearson 1895; Bonett & Wright 2000",
    slow=True,
    population=True,
    equal_steps=True,
    min_boids=3,
    missing="all traits or all delays are equal",
)


individual_trait_correlation = measure_over_frames(
    IndividualTraitCorrelation,
    bounds="-1 to 1",
    definition="correlation over boids of the trait with a boid's own mean over frames",
    source="Jolles et al. 2017; Spearman 1904; Pearson 1895; Bonett & Wright 2000",
    population=True,
    min_boids=3,
    missing="all boids have the same trait or the same value",
)


repeatability = measure_over_frames(
    Repeatability,
    bounds="below 0 to 1",
    definition="variance between boids / (variance between boids + variance within a boid)",
    source="Lessells & Boag 1987",
    population=True,
    min_boids=2,
    missing="boids are seen in one frame each, or all values are equal",
)
