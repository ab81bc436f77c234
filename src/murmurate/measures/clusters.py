"""Clusters: the groups of a flock in one frame, and their splits and merges over time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from murmurate.frame import FlockFrame, Frame
from murmurate.measures.curve import Curve, empty_curve
from murmurate.measures.errorbars import count_events
from murmurate.measures.estimate import Estimate
from murmurate.measures.flock_data import cached, common_rows, pairs_within, valid_rows
from murmurate.measures.limits import check_integer, check_positive
from murmurate.measures.neighbour_distances import nearest_neighbour_distance
from murmurate.measures.over_frames import timed_flocks
from murmurate.measures.registry import measure, measure_over_frames

LINK = 3.0  # default link, in mean nearest-neighbour distances


def clusters(flock: FlockFrame, link: float | None = None) -> np.ndarray:
    """Return the cluster of each boid.

    Two boids are linked if they are at most `link` apart, to the nearest image on periodic axes. A
    cluster is a connected component of the network of links.

    Parameters
    ----------
    flock : FlockFrame
        N boids.
    link : float, optional
        Distance in length units, above 0. The default is three times the flock's mean
        nearest-neighbour distance. Random points are connected at that distance: each has 7 (2-D)
        or 19 (3-D) others within it, and 4.5 or 2.7 are enough.

    Returns
    -------
    ndarray of shape (N,), int64
        0 for the largest cluster, 1 for the next. Of equally large ones, the one with the lowest id
        comes first. -1 for a boid that is not seen.

    Raises
    ------
    MeasureError
        Above 30 million links, and unless link > 0.

    Notes
    -----
    Cost: O(N log N + links).
    """
    link = None if link is None else check_positive(link, "link")
    valid = valid_rows(flock, "positions")
    return cached(flock, ("clusters", link), lambda: _label_clusters(flock, valid, link)).copy()


def _label_clusters(flock: FlockFrame, valid: FlockFrame, link: float | None) -> np.ndarray:
    """Return the clusters of a flock, of which `valid` are the boids that are seen."""
    rows = np.flatnonzero(np.isfinite(flock.positions).all(axis=1))
    labels = np.full(len(flock), -1, dtype=np.int64)
    if not len(valid):
        return labels
    link = default_link(valid) if link is None else link
    pairs = np.empty((0, 2), np.int64)
    if len(valid) > 1:
        pairs = pairs_within(valid, link, "clusters")
    component = _components(len(valid), pairs)
    count = component.max() + 1
    # scipy numbers components by their first row, so a stable order keeps the lowest id first.
    order = np.argsort(-np.bincount(component, minlength=count), kind="stable")
    rank = np.empty(count, dtype=np.int64)
    rank[order] = np.arange(count)
    labels[rows] = rank[component]
    return labels


def _components(count: int, links: np.ndarray) -> np.ndarray:
    """Return (count,) the connected component of each node, numbered by their first nodes."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    ones = np.ones(len(links), np.int8)
    matrix = coo_matrix((ones, np.reshape(links, (-1, 2)).T), shape=(count, count))
    return connected_components(matrix, directed=False)[1]


def default_link(flock: FlockFrame) -> float:
    """Return three times the mean nearest-neighbour distance; 0 for fewer than 2 boids."""
    distance = nearest_neighbour_distance(flock)
    return LINK * distance if distance == distance else 0.0


def cluster_sizes(flock: FlockFrame, link: float | None = None) -> np.ndarray:
    """Return the number of boids in each cluster, largest first.

    Parameters
    ----------
    flock : FlockFrame
        N boids.
    link : float, optional
        As for `clusters`.

    Returns
    -------
    ndarray of shape (clusters,), int64

    Raises
    ------
    MeasureError
        As for `clusters`.
    """
    labels = clusters(flock, link)
    return np.bincount(labels[labels >= 0])


@measure(
    unit="clusters",
    bounds="1 up",
    definition="number of groups connected by links of at most `link`",
    source="Gregoire & Chate 2004",
)
def cluster_count(flock: FlockFrame, *, link: float | None = None) -> float:
    """Return the number of clusters.

    source: There: cohesion as connected groups.
    """
    any_seen = len(valid_rows(flock, "positions")) > 0
    return float(len(cluster_sizes(flock, link))) if any_seen else float("nan")


@measure(
    bounds="above 0, to 1",
    definition="boids of the largest cluster / N",
    source="Gregoire & Chate 2004",
)
def largest_cluster(flock: FlockFrame, *, link: float | None = None) -> float:
    """Return the fraction of the boids that are in the largest cluster."""
    sizes = cluster_sizes(flock, link)
    return float(sizes[0] / sizes.sum()) if len(sizes) else float("nan")


@measure(
    "curve",
    bounds="0 to 1",
    across="boids in a cluster",
    definition="share of the clusters whose size is in a bin; bins double",
    source="Peruani, Deutsch & Baer 2006",
)
def cluster_size_distribution(
    flock: FlockFrame, *, link: float | None = None, edges: np.ndarray | None = None
) -> Curve:
    """Return the distribution of cluster sizes: the fraction of clusters in each bin of sizes.

    edges: Sizes at which bins begin. The default is 1, 2, 4, 8, ...: clusters of 1 boid, 2 or 3, 4
        to 7, 8 to 15 and so on. Bins of double size are added for larger clusters.
    value: x is the geometric mean of the smallest and largest size in a bin, `count` the number of
        clusters.
    source: There: clusters of self-propelled rods.
    """
    sizes = cluster_sizes(flock, link)
    if not len(sizes):
        return empty_curve()
    if edges is None:
        edges = 2.0 ** np.arange(int(np.log2(sizes.sum())) + 2)
    edges = np.asarray(edges, dtype=np.float64)
    while edges[-1] <= sizes[0]:
        edges = np.append(edges, 2.0 * max(edges[-1], 1.0))
    count = np.histogram(sizes, edges)[0].astype(np.float64)
    return Curve(np.sqrt(edges[:-1] * (edges[1:] - 1)), count / len(sizes), count, edges)


@dataclass(frozen=True, eq=False)
class ClusterFrame:
    """The clusters of one frame, with labels that persist over frames.

    Attributes
    ----------
    time : float
        Time of the frame.
    ids : ndarray of shape (N,)
        Boids that are seen.
    labels : ndarray of shape (N,)
        Cluster of each boid. A label passes to the later cluster that shares most boids with it.
    sizes : dict of int to int
        Label -> number of boids, with those that are out of sight for the moment.
    splits : list of (int, list of int)
        (previous label, current labels) of clusters that split since the previous frame.
    merges : list of (list of int, int)
        (previous labels, current label) of clusters that merged.
    """

    time: float
    ids: np.ndarray
    labels: np.ndarray
    sizes: dict[int, int]
    splits: list[tuple[int, list[int]]]
    merges: list[tuple[list[int], int]]


class ClusterTracker:
    """Follows clusters from frame to frame, also through gaps in tracks. Memory holds one frame.

    A boid that is out of sight (nan) keeps its links, and so holds its cluster together, as long as
    this is possible: m such boids between two that are seen bridge at most m + 1 links. If it is
    not, its cluster is unknown until it is seen again. A boid whose cluster was not known joins a
    cluster when it comes into sight, and is no merge of those beside it.

    min_size  smallest size of a cluster that counts in splits and merges
    """

    def __init__(self, link: float | None = None, min_size: int = 1) -> None:
        self.link = link if link is None else check_positive(link, "link")
        self.min_size = check_integer(min_size, "min_size")
        self.next_label = 0
        none = np.empty(0, dtype=np.int64)
        self.ids, self.labels = none, none  # of boids whose cluster is known, in sight or not
        self.lost = none  # ids of boids out of sight whose cluster is unknown
        self.unsure: set[int] = set()  # labels of clusters that may be parts of others
        self.links = none.reshape(0, 2)  # ids of linked boids, of which one is out of sight
        self.before: FlockFrame | None = None  # the boids in sight in the previous frame

    def follow(self, flock: FlockFrame, time: float) -> ClusterFrame:
        """Return the clusters of the next frame."""
        seen = valid_rows(flock, "positions")
        if self.link is None and len(seen) > 1:
            self.link = default_link(seen) or None
        hidden, lost = (_absent(ids, flock, seen) for ids in (self.ids, self.lost))
        self._keep_links(seen, hidden)
        ids, groups = self._groups(seen, hidden)
        old, new, shared = self._overlaps(ids, groups)
        labels = self._assign_labels(old, new, shared, groups.max(initial=-1) + 1)
        old, new = self._large(old, new, groups)
        splits = list(_with_several(old, labels[new]))
        are_followed = np.isin(seen.ids, self.ids)
        part_of = np.arange(len(labels))  # which cluster each cluster of known boids is in
        if len(self.ids) and not are_followed.all():
            some, parts = self._groups(seen.take(np.flatnonzero(are_followed)), hidden)
            a, b = common_rows(ids, some)
            part_of = np.zeros(parts.max(initial=-1) + 1, dtype=np.int64)
            part_of[parts[b]] = groups[a]
            old, new, _ = self._overlaps(some, parts)
            old, new = self._large(old, new, parts)
        sure = ~np.isin(old, list(self.unsure))
        old, new = old[sure], new[sure]
        merges = [(several, int(labels[part_of[k]])) for k, several in _with_several(new, old)]
        sizes = np.bincount(groups)
        self.lost = np.union1d(lost, np.setdiff1d(hidden, ids))
        joined = labels[groups[np.isin(ids, seen.ids[~are_followed])]]
        self.unsure = {*self.unsure, *joined.tolist()} if len(lost) + len(hidden) else set()
        self.before, self.ids, self.labels = seen, ids, labels[groups]
        own = self.labels[np.isin(self.ids, seen.ids)]
        in_sight = np.isin(labels, own)
        return ClusterFrame(
            time=time,
            ids=seen.ids,
            labels=own,
            sizes=dict(zip(labels[in_sight].tolist(), sizes[in_sight].tolist(), strict=True)),
            splits=splits,
            merges=merges,
        )

    def _keep_links(self, seen: FlockFrame, hidden: np.ndarray) -> None:
        """Store the links of boids that have gone out of sight, and drop those that have ended."""
        if not len(hidden):
            self.links = self.links[:0]
            return
        if self.before is not None and self.link is not None:
            vanished = np.intersect1d(hidden, self.before.ids)
            if len(vanished) and len(self.before) > 1:
                pairs = self.before.ids[pairs_within(self.before, self.link, "clusters")]
                self.links = np.concatenate(
                    [self.links, pairs[np.isin(pairs, vanished).any(axis=1)]]
                )
        present = np.isin(self.links, np.concatenate([seen.ids, hidden])).all(axis=1)
        self.links = self.links[present & np.isin(self.links, hidden).any(axis=1)]

    def _groups(self, seen: FlockFrame, hidden: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return (K,) ascending ids of boids whose cluster is known, and (K,) clusters, from 0.

        `hidden` are ids of boids that are out of sight, in ascending order.
        """
        groups = clusters(seen, self.link)
        if not len(hidden):
            return seen.ids, groups
        inner = self.links[np.isin(self.links, hidden).all(axis=1)]
        bridge_of = _components(len(hidden), np.searchsorted(hidden, inner))
        count = groups.max(initial=-1) + 1
        bridges = []  # ids of boids out of sight, and those of their neighbours in sight
        joins = [np.empty((0, 2), dtype=np.int64)]
        for number in range(bridge_of.max() + 1):
            members = hidden[bridge_of == number]
            ends = np.unique(self.links[np.isin(self.links, members).any(axis=1)])
            rows = np.flatnonzero(np.isin(seen.ids, ends))
            border = groups[rows]
            bridges.append((members, np.unique(border)))
            if len(bridges[-1][1]) > 1 and self.link is not None:
                reach = clusters(seen.take(rows), (len(members) + 1) * self.link)
                followed, before = common_rows(seen.ids[rows], self.ids)
                label = np.full(len(rows), -1)
                label[followed] = self.labels[before]
                order = np.lexsort((label, reach))  # boids that were apart are not joined
                same = (np.diff(reach[order]) == 0) & (np.diff(label[order]) == 0)
                joins.append(np.stack([border[order][:-1][same], border[order][1:][same]], axis=1))
        joined = _components(count, np.concatenate(joins))
        ids, of_ids = [seen.ids], [joined[groups]]
        count = joined.max(initial=-1) + 1
        for members, border in bridges:
            around = np.unique(joined[border])
            if len(around) > 1:
                continue
            ids.append(members)
            of_ids.append(np.full(len(members), around[0] if len(around) else count))
            count += not len(around)
        order = np.argsort(np.concatenate(ids))
        return np.concatenate(ids)[order], np.concatenate(of_ids)[order]

    def _overlaps(
        self, ids: np.ndarray, groups: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return (P,) previous label, current cluster and number of common boids of each overlap.

        Pairs without common boids are left out.
        """
        a, b = common_rows(self.ids, ids)
        pairs = np.stack([self.labels[a], groups[b]], axis=1)
        unique, shared = np.unique(pairs, axis=0, return_counts=True)
        return unique[:, 0], unique[:, 1], shared

    def _assign_labels(
        self, old: np.ndarray, new: np.ndarray, shared: np.ndarray, count: int
    ) -> np.ndarray:
        """Return the labels of `count` clusters: previous labels by overlap, largest first."""
        labels: dict[int, int] = {}
        used: set[int] = set()
        for row in np.lexsort((new, old, -shared)):
            if int(new[row]) not in labels and int(old[row]) not in used:
                labels[int(new[row])] = int(old[row])
                used.add(int(old[row]))
        for cluster in range(count):
            if cluster not in labels:
                labels[cluster] = self.next_label
                self.next_label += 1
        return np.array([labels[cluster] for cluster in range(count)], dtype=np.int64)

    def _large(
        self, old: np.ndarray, new: np.ndarray, groups: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the overlaps of clusters that are large enough to count."""
        all_labels, sizes = np.unique(self.labels, return_counts=True)
        old_sizes = sizes[np.searchsorted(all_labels, old)]
        large = (old_sizes >= self.min_size) & (np.bincount(groups)[new] >= self.min_size)
        return old[large], new[large]


def _absent(ids: np.ndarray, flock: FlockFrame, seen: FlockFrame) -> np.ndarray:
    """Return the ids that are out of sight. In a run, boids that are not in the flock have left."""
    absent = ids[~np.isin(ids, seen.ids)]
    return absent[np.isin(absent, flock.ids)] if flock.n_ever > len(flock) else absent


def _with_several(labels: np.ndarray, others: np.ndarray) -> Iterator[tuple[int, list[int]]]:
    """Yield each label that is paired with more than one of `others`, and these in order."""
    unique, counts = np.unique(labels, return_counts=True)
    for label in unique[counts > 1]:
        yield int(label), sorted(int(other) for other in others[labels == label])


def track_clusters(
    frames: Iterable[Frame | FlockFrame],
    *,
    link: float | None = None,
    min_size: int = 1,
    flock: str | None = None,
) -> Iterator[ClusterFrame]:
    """Yield the clusters of each frame, with labels that persist over frames.

    Parameters
    ----------
    frames : iterable of Frame or FlockFrame
        Frames of a run.
    link : float, optional
        As for `clusters`. The default is computed for the first frame in which boids are seen, and
        used for all frames.
    min_size : int, default 1
        Smallest size of a cluster that counts in splits and merges.
    flock : str, optional
        Name of the flock. The default is the largest one of the first frame.

    Yields
    ------
    ClusterFrame
        A boid that moves from one group to another is a split of the one and a merge into the
        other. A boid that is not seen for some frames is neither: see Notes.

    Raises
    ------
    MeasureError
        As for `clusters`.

    Notes
    -----
    Gaps: a boid that is not seen keeps its links to others, and so holds its cluster together, as
    long as this is possible: m unseen boids bridge a distance of at most (m + 1) `link`. A boid
    that comes into sight for the first time joins a cluster, and is no merge of those beside it.
    Boids that have left a run are not unseen: they have no links.
    """
    tracker = ClusterTracker(link, min_size)
    for time, one_flock in timed_flocks(frames, flock):
        yield tracker.follow(one_flock, time)


class Splits(ClusterTracker):
    """Return the number of splits of clusters over the frames.

    A cluster that is in p parts in the next frame counts p - 1. Clusters are followed as by
    `track_clusters`.

    value: With the error of rare events, sqrt(count).
    """

    events = 0
    frames_with_boids = 0

    def add(self, flock: FlockFrame, time: float) -> None:
        frame = self.follow(flock, time)
        self.frames_with_boids += len(frame.ids) > 0
        self.events += self.count(frame)

    def count(self, frame: ClusterFrame) -> int:
        return sum(len(parts) - 1 for _, parts in frame.splits)

    def result(self) -> Estimate:
        if not self.frames_with_boids:
            return Estimate(np.nan, np.nan, 0.0, "counting", short=True)
        return count_events(self.events)


class Merges(Splits):
    """Return the number of merges of clusters over the frames.

    A cluster with boids from p clusters of the previous frame counts p - 1. Clusters are followed
    as by `track_clusters`.

    value: With the error of rare events, sqrt(count).
    """

    def count(self, frame: ClusterFrame) -> int:
        return sum(len(parts) - 1 for parts, _ in frame.merges)


splits = measure_over_frames(
    Splits,
    unit="splits",
    definition="sum over frames and clusters of (parts in the next frame - 1)",
)


merges = measure_over_frames(
    Merges,
    unit="merges",
    definition="sum over frames and clusters of (clusters of the previous frame in it - 1)",
)
