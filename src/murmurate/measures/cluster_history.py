"""Clusters through time: which is which from frame to frame, splits and merges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.measures.clusters import clusters, default_link
from murmurate.measures.errorbars import counted
from murmurate.measures.estimate import Estimate
from murmurate.measures.limits import positive, whole
from murmurate.measures.over_frames import collect, timed
from murmurate.measures.registry import measure
from murmurate.measures.valid_rows import valid_rows


@dataclass(frozen=True, eq=False)
class ClusterFrame:
    """The clusters of one frame, under names that stay.

    time    of the frame
    ids     (N,) the boids that are seen
    labels  (N,) the cluster of each. A cluster keeps its label as long as it is the main heir of
            itself: that of the later clusters that shares most boids with it.
    sizes   label -> number of boids
    splits  (label before, labels now) of clusters that fell apart since the frame before
    merges  (labels before, label now) of clusters that came together
    """

    time: float
    ids: np.ndarray
    labels: np.ndarray
    sizes: dict[int, int]
    splits: list[tuple[int, list[int]]]
    merges: list[tuple[list[int], int]]


class ClusterTracker:
    """Follows clusters from frame to frame; keeps one frame.

    link   as for `clusters`; the default is taken from the first frame in which boids are seen, and
           held
    least  smaller clusters take no part in splits and merges
    """

    def __init__(self, link: float | None = None, least: int = 1) -> None:
        self.link = link if link is None else positive(link, "link")
        self.least = whole(least, "least")
        self.before: ClusterFrame | None = None
        self.next_label = 0

    def follow(self, flock: FlockFrame, time: float) -> ClusterFrame:
        """The clusters of the next frame."""
        flock = valid_rows(flock, "positions")
        if self.link is None and len(flock) > 1:
            self.link = default_link(flock) or None
        of = clusters(flock, self.link)
        old, new, shared = self._shared(flock.ids, of)
        heirs: dict[int, int] = {}
        for at in np.lexsort((new, old, -shared)):  # most boids in common first
            if int(new[at]) not in heirs and int(old[at]) not in heirs.values():
                heirs[int(new[at])] = int(old[at])
        sizes = np.bincount(of) if len(of) else np.empty(0, np.int64)
        for cluster in range(len(sizes)):
            if cluster not in heirs:
                heirs[cluster] = self.next_label
                self.next_label += 1
        names = np.array([heirs[cluster] for cluster in range(len(sizes))], dtype=np.int64)
        by_name = {heirs[cluster]: int(size) for cluster, size in enumerate(sizes)}
        counts = self._counts(old, new, sizes)
        old, new = old[counts], names[new[counts]] if len(names) else new[counts]
        self.before = ClusterFrame(
            time=time,
            ids=flock.ids,
            labels=names[of] if len(of) else of,
            sizes=by_name,
            splits=[(one, parts) for one, parts in _several(old, new)],
            merges=[(parts, one) for one, parts in _several(new, old)],
        )
        return self.before

    def _shared(self, ids: np.ndarray, of: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(P,) label before, (P,) cluster now and (P,) boids in both, of all that share any."""
        if self.before is None:
            none = np.empty(0, dtype=np.int64)
            return none, none, none
        _, a, b = np.intersect1d(self.before.ids, ids, assume_unique=True, return_indices=True)
        pairs = np.stack([self.before.labels[a], of[b]], axis=1)
        unique, shared = np.unique(pairs, axis=0, return_counts=True)
        return unique[:, 0], unique[:, 1], shared

    def _counts(self, old: np.ndarray, new: np.ndarray, sizes: np.ndarray) -> np.ndarray:
        """(P,) bool: both clusters are large enough to count."""
        if self.before is None or not len(old):
            return np.zeros(len(old), dtype=bool)
        were = np.array([self.before.sizes[int(label)] for label in old])
        found: np.ndarray = (were >= self.least) & (sizes[new] >= self.least)
        return found


def track_clusters(
    frames: Iterable[Frame | FlockFrame],
    *,
    link: float | None = None,
    least: int = 1,
    flock: str | None = None,
) -> Iterator[ClusterFrame]:
    """The clusters of frame after frame, under labels that stay; options as for `ClusterTracker`.
    A boid that crosses from one group to another is a split of the one and a merge into the other.

    frames  of one flock; of `Frame`s, the largest flock is taken
    flock   the name of another one
    """
    tracker = ClusterTracker(link, least)
    for time, one in timed(frames, flock):
        yield tracker.follow(one, time)


class Splits(ClusterTracker):
    """Counts splits."""

    events = 0
    seen_frames = 0

    def add(self, flock: FlockFrame, time: float) -> None:
        found = self.follow(flock, time)
        self.seen_frames += len(found.ids) > 0
        self.events += self.count(found)

    def count(self, found: ClusterFrame) -> int:
        return sum(len(parts) - 1 for _, parts in found.splits)

    def result(self) -> Estimate:
        if not self.seen_frames:
            return Estimate(np.nan, np.nan, 0.0, "counting", short=True)
        return counted(self.events)


class Merges(Splits):
    """Counts merges."""

    def count(self, found: ClusterFrame) -> int:
        return sum(len(parts) - 1 for parts, _ in found.merges)


@measure(
    "frames",
    unit="splits",
    bounds="0 up",
    definition="sum over frames and clusters of (parts it falls into by the next frame - 1)",
    collector=Splits,
)
def splits(
    frames: Iterable[Frame | FlockFrame],
    *,
    link: float | None = None,
    least: int = 1,
    flock: str | None = None,
) -> Estimate:
    """How often clusters fell apart over the frames: a cluster in p parts by the next frame counts
    p - 1. The error is that of rare events, sqrt(count). nan where no boid is seen.

    frames, flock, link, least  as for `track_clusters`
    """
    return collect(Splits(link, least), frames, flock)


@measure(
    "frames",
    unit="merges",
    bounds="0 up",
    definition="sum over frames and clusters of (clusters of the frame before in it - 1)",
    collector=Merges,
)
def merges(
    frames: Iterable[Frame | FlockFrame],
    *,
    link: float | None = None,
    least: int = 1,
    flock: str | None = None,
) -> Estimate:
    """How often clusters came together: one that has boids of p earlier ones counts p - 1. Errors
    and options as for `splits`."""
    return collect(Merges(link, least), frames, flock)


def _several(one: np.ndarray, others: np.ndarray) -> Iterator[tuple[int, list[int]]]:
    """Each of `one` that goes with more than one of `others`, with all of those."""
    labels, parts = np.unique(one, return_counts=True)
    for label in labels[parts > 1]:
        yield int(label), sorted(int(other) for other in others[one == label])
