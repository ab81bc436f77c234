"""Predation: distances to predators, captures, and the time until prey regroup."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.measures.clusters import ClusterTracker
from murmurate.measures.errorbars import MIN_RUNS, count_events, mean_and_error
from murmurate.measures.estimate import Estimate
from murmurate.measures.flock_data import valid_rows
from murmurate.measures.limits import check_positive
from murmurate.measures.over_frames import flock_named
from murmurate.measures.registry import measure
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
    """Stores the smallest distance between predators and prey in each frame."""

    def __init__(self) -> None:
        self.series: list[float] = []

    def add(self, prey: FlockFrame, predators: FlockFrame, time: float) -> None:
        distances = predator_distances(prey, predators)
        distances = distances[np.isfinite(distances)]
        self.series.append(float(distances.min()) if len(distances) else np.nan)

    def result(self) -> Estimate:
        return mean_and_error(np.array(self.series))


class Captures:
    """Stores the prey that came within a radius of a predator, each once."""

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


class Regrouping:
    """Stores the times for which the prey were in several clusters."""

    def __init__(self, link: float | None = None, least: int = 1) -> None:
        self.tracker = ClusterTracker(link, least)
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


@measure(
    "hunt",
    unit="length",
    bounds="0 up",
    definition="mean over frames of the smallest distance between a predator and a prey",
    collector=PredatorDistance,
    missing="no predator or no prey is seen",
)
def predator_distance(frames: Iterable[Frame], *, flock: str, predators: str) -> Estimate:
    """Return the distance of the nearest pair of a predator and a prey, averaged over frames.

    Parameters
    ----------
    frames : iterable of Frame
        Frames with both flocks.
    flock : str
        Name of the prey's flock.
    predators : str
        Name of the predators' flock.

    Returns
    -------
    Estimate
        In length units; nan if no predator or no prey is seen.

    Raises
    ------
    MeasureError
        For a frame without one of the flocks.
    """
    return _collect_hunt(PredatorDistance(), frames, flock, predators)


@measure(
    "hunt",
    unit="boids",
    bounds="0 to N",
    definition="number of prey that were within `radius` of a predator in any frame, each once",
    collector=Captures,
    missing="no predator or no prey is seen",
)
def captures(frames: Iterable[Frame], *, flock: str, predators: str, radius: float) -> Estimate:
    """Return the number of prey that came within `radius` of a predator, each counted once.

    Parameters
    ----------
    frames : iterable of Frame
        Frames with both flocks.
    flock : str
        Name of the prey's flock.
    predators : str
        Name of the predators' flock.
    radius : float
        Distance in length units, above 0.

    Returns
    -------
    Estimate
        With the error of rare events, sqrt(count); nan if no predator or no prey is seen.

    Raises
    ------
    MeasureError
        For a frame without one of the flocks, and unless `radius` is above 0.

    Notes
    -----
    Captures are counted from positions. One between two frames is missed, so frames must be close
    in time. For models in which predators remove prey from the flock use `departure_rate`.
    """
    return _collect_hunt(Captures(radius), frames, flock, predators)


@measure(
    "hunt",
    unit="time",
    bounds="0 up",
    definition="mean time from a split of the prey until they are one cluster again",
    collector=Regrouping,
    missing="the prey is never seen to split and regroup",
)
def regrouping_time(
    frames: Iterable[Frame],
    *,
    flock: str,
    predators: str,
    link: float | None = None,
    least: int = 1,
) -> Estimate:
    """Return the mean time for which the prey are in several clusters before they regroup.

    Parameters
    ----------
    frames : iterable of Frame
        Frames with both flocks.
    flock : str
        Name of the prey's flock.
    predators : str
        Name of the predators' flock.
    link, least
        As for `track_clusters`; `splits` counts how often the prey split.

    Returns
    -------
    Estimate
        In time units, with the standard error over such intervals; `short` below 8 of them. nan
        without an interval that ended. An interval that includes the first or the last frame, or
        a frame without prey, is left out. A group that is wholly out of sight does not count.

    Raises
    ------
    MeasureError
        For a frame without one of the flocks, and as for `clusters`.
    """
    return _collect_hunt(Regrouping(link, least), frames, flock, predators)


def _collect_hunt(collector, frames, flock, predators):  # type: ignore[no-untyped-def]
    """Add all frames to `collector`, and return its result."""
    for frame in frames:
        collector.add(flock_named(frame, flock), flock_named(frame, predators), frame.time)
    return collector.result()
