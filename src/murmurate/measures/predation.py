"""Predation: distances to predators, captures, and how long prey take to regroup."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.measures.clusters import cluster_sizes, default_link
from murmurate.measures.errorbars import counted, mean_and_error
from murmurate.measures.estimate import Estimate
from murmurate.measures.limits import positive, whole
from murmurate.measures.over_frames import named
from murmurate.measures.registry import measure
from murmurate.measures.valid_rows import valid_rows
from murmurate.neighbours.search import NeighbourSearch

NONE = Estimate(float("nan"), float("nan"), 0.0, "counting", short=True)


def predator_distances(prey: FlockFrame, predators: FlockFrame) -> np.ndarray:
    """(N,) the distance from each prey to the nearest predator, to the nearest image on periodic
    axes; nan for prey that are not seen, and where no predator is."""
    distances = np.full(len(prey), np.nan)
    rows = np.isfinite(prey.positions).all(axis=1)
    hunters = valid_rows(predators, "positions")
    if len(hunters) and rows.any():
        near = NeighbourSearch(hunters.positions, prey.space)
        distances[rows] = near.distances_from(prey.positions[rows])
    return distances


class Nearest:
    """The distance from predators to the nearest prey."""

    def __init__(self) -> None:
        self.series: list[float] = []

    def add(self, prey: FlockFrame, predators: FlockFrame, time: float) -> None:
        known = predator_distances(prey, predators)
        known = known[np.isfinite(known)]
        self.series.append(float(known.min()) if len(known) else np.nan)

    def result(self) -> Estimate:
        return mean_and_error(np.array(self.series))


class Captures:
    """Prey that came within reach, each once."""

    def __init__(self, radius: float) -> None:
        self.radius = positive(radius, "radius")
        self.caught: dict[int, float] = {}  # id -> time
        self.frames = 0

    def add(self, prey: FlockFrame, predators: FlockFrame, time: float) -> None:
        away = predator_distances(prey, predators)
        self.frames += bool(np.isfinite(away).any())
        for boid in prey.ids[np.nan_to_num(away, nan=np.inf) <= self.radius]:
            self.caught.setdefault(int(boid), time)

    def result(self) -> Estimate:
        return counted(len(self.caught)) if self.frames else NONE


class Regrouping:
    """How long the prey are in parts."""

    def __init__(self, link: float | None = None, least: int = 1) -> None:
        self.link = link if link is None else positive(link, "link")
        self.least = whole(least, "least")
        self.together = False  # since when prey are in parts is known only of those who were one
        self.parted: float | None = None
        self.spells: list[float] = []

    def add(self, prey: FlockFrame, predators: FlockFrame, time: float) -> None:
        prey = valid_rows(prey, "positions")
        if self.link is None and len(prey) > 1:
            self.link = default_link(prey) or None
        groups = int((cluster_sizes(prey, self.link) >= self.least).sum())
        if groups > 1 and self.together:
            self.parted, self.together = time, False
        elif groups == 1:
            if self.parted is not None:
                self.spells.append(time - self.parted)
            self.parted, self.together = None, True

    def result(self) -> Estimate:
        n = len(self.spells)
        mean = float(np.mean(self.spells)) if n else np.nan
        error = float(np.std(self.spells, ddof=1) / np.sqrt(n)) if n > 1 else np.nan
        return Estimate(mean, error, float(n), "seeds", short=n < 8, freedom=n - 1.0)


@measure(
    "hunt",
    unit="length",
    bounds="0 up",
    definition="mean over frames of the smallest distance between a predator and a prey",
    collector=Nearest,
)
def predator_distance(frames: Iterable[Frame], *, flock: str, predators: str) -> Estimate:
    """The distance between the nearest pair of a predator and a prey, averaged over frames, in
    length units. nan where none of them are seen.

    frames     with both flocks
    flock      the name of the prey
    predators  the name of the predators

    Raises MeasureError for a frame without one of them.
    """
    return _hunt(Nearest(), frames, flock, predators)


@measure(
    "hunt",
    unit="boids",
    bounds="0 to N",
    definition="number of prey that were within `radius` of a predator in any frame, each once",
    collector=Captures,
)
def captures(frames: Iterable[Frame], *, flock: str, predators: str, radius: float) -> Estimate:
    """How many prey came within `radius` of a predator in at least one frame, each counted once.
    The error is that of rare events, sqrt(count). nan where none are seen.

    It counts meetings and takes nobody out of the flock; one between two frames is missed, so
    frames must be close in time. Options as for `predator_distance`; radius > 0.
    """
    return _hunt(Captures(radius), frames, flock, predators)


@measure(
    "hunt",
    unit="time",
    bounds="0 up",
    definition="mean time from the prey falling into parts to their being one cluster again",
    collector=Regrouping,
)
def regrouping_time(
    frames: Iterable[Frame],
    *,
    flock: str,
    predators: str,
    link: float | None = None,
    least: int = 1,
) -> Estimate:
    """The mean time for which the prey are in two clusters or more before they are one again, in
    time units, with the standard error over such spells; `short` below 8 of them. nan where there
    is no spell that ended; one that is there in the first frame, or lasts at the end, is left out.

    link, least  as for `track_clusters`: of `splits`, which counts how often the prey parted
    Other options as for `predator_distance`.
    """
    return _hunt(Regrouping(link, least), frames, flock, predators)


def _hunt(collector, frames, flock, predators):  # type: ignore[no-untyped-def]
    for frame in frames:
        collector.add(named(frame, flock), named(frame, predators), frame.time)
    return collector.result()
