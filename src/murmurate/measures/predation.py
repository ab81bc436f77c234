"""Predation: distances to predators, captures, and the time until prey regroup."""

from __future__ import annotations

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.clusters import ClusterTracker
from murmurate.measures.errorbars import MIN_RUNS, count_events, mean_and_error
from murmurate.measures.estimate import Estimate
from murmurate.measures.flock_data import valid_rows
from murmurate.measures.limits import check_positive
from murmurate.measures.registry import measure_over_frames
from murmurate.neighbours.search import NeighbourSearch

NO_COUNT = Estimate(float("nan"), float("nan"), 0.0, "counting", short=True)


def predator_distances(prey: FlockFrame, predators: FlockFrame) -> np.ndarray:
    """Return the distance from each prey to the nearest predator.

    Parameters
    ----------
    prey, predators : FlockFrame
        N prey, and predators in the same space.

    Returns
    -------
    ndarray of shape (N,)
        In length units, to the nearest image on periodic axes. nan for prey that are not seen, and
        everywhere if no predator is seen.
    """
    distances = np.full(len(prey), np.nan)
    rows = np.isfinite(prey.positions).all(axis=1)
    hunters = valid_rows(predators, "positions")
    if len(hunters) and rows.any():
        search = NeighbourSearch(hunters.positions, prey.space)
        distances[rows] = search.distances_from(prey.positions[rows])
    return distances


class PredatorDistance:
    """Return the distance of the nearest pair of a predator and a prey, averaged over frames."""

    def __init__(self) -> None:
        self.series: list[float] = []

    def add(self, prey: FlockFrame, predators: FlockFrame, time: float) -> None:
        distances = predator_distances(prey, predators)
        distances = distances[np.isfinite(distances)]
        self.series.append(float(distances.min()) if len(distances) else np.nan)

    def result(self) -> Estimate:
        return mean_and_error(np.array(self.series))


class Captures:
    """Return the number of prey that came within `radius` of a predator, each counted once.

    value: With the error of rare events, sqrt(count).

    Captures are counted from positions. One between two frames is missed, so frames must be close
    in time. For models in which predators remove prey from the flock use `departure_rate`.
    """

    def __init__(self, radius: float) -> None:
        self.radius = check_positive(radius, "radius")
        self.captured: dict[int, float] = {}  # id -> time
        self.frames = 0

    def add(self, prey: FlockFrame, predators: FlockFrame, time: float) -> None:
        distances = predator_distances(prey, predators)
        self.frames += bool(np.isfinite(distances).any())
        for boid in prey.ids[np.nan_to_num(distances, nan=np.inf) <= self.radius]:
            self.captured.setdefault(int(boid), time)

    def result(self) -> Estimate:
        return count_events(len(self.captured)) if self.frames else NO_COUNT


class RegroupingTime:
    """Return the mean time for which the prey are in several clusters before they regroup.

    Clusters are followed as by `track_clusters`; `splits` counts how often the prey split.

    value: With the standard error over such intervals; `short` below 8 of them. An interval that
        includes the first or the last frame, or a frame without prey, is left out. A group that is
        wholly out of sight does not count.
    """

    def __init__(self, link: float | None = None, min_size: int = 1) -> None:
        self.tracker = ClusterTracker(link, min_size)
        self.together = False  # a split counts only if the prey were seen together before
        self.split_time: float | None = None
        self.durations: list[float] = []

    def add(self, prey: FlockFrame, predators: FlockFrame, time: float) -> None:
        sizes = self.tracker.follow(prey, time).sizes.values()
        groups = sum(size >= self.tracker.min_size for size in sizes)
        if not sizes:  # those who join later have not been split
            self.split_time, self.together = None, False
        elif groups > 1 and self.together:
            self.split_time, self.together = time, False
        elif groups == 1:
            if self.split_time is not None:
                self.durations.append(time - self.split_time)
            self.split_time, self.together = None, True

    def result(self) -> Estimate:
        n = len(self.durations)
        mean = float(np.mean(self.durations)) if n else np.nan
        error = float(np.std(self.durations, ddof=1) / np.sqrt(n)) if n > 1 else np.nan
        return Estimate(mean, error, float(n), "seeds", short=n < MIN_RUNS, freedom=n - 1.0)


predator_distance = measure_over_frames(
    PredatorDistance,
    "hunt",
    unit="length",
    definition="mean over frames of the smallest distance between a predator and a prey",
    missing="no predator or no prey is seen",
)


captures = measure_over_frames(
    Captures,
    "hunt",
    unit="boids",
    bounds="0 to N",
    definition="number of prey that were within `radius` of a predator in any frame, each once",
    missing="no predator or no prey is seen",
)


regrouping_time = measure_over_frames(
    RegroupingTime,
    "hunt",
    unit="time",
    definition="mean time from a split of the prey until they are one cluster again",
    missing="the prey is never seen to split and regroup",
)
