"""Clusters: the groups that a flock falls into."""

from __future__ import annotations

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.curve import Curve, no_curve
from murmurate.measures.last_flock import once
from murmurate.measures.limits import positive
from murmurate.measures.nearest import nearest_neighbour_distance
from murmurate.measures.neighbours import pairs_within
from murmurate.measures.registry import measure
from murmurate.measures.valid_rows import valid_rows

GREGOIRE = "10.1103/PhysRevLett.92.025702"
LINK = 3.0  # unless a link is given, it is this many nearest-neighbour distances


def clusters(flock: FlockFrame, link: float | None = None) -> np.ndarray:
    """Which cluster each boid is in: (N,) int64, 0 for the largest, 1 for the next; of equally
    large ones the one with the lowest id comes first. -1 for a boid that is not seen.

    Two boids are linked where they are at most `link` apart, to the nearest image on periodic axes;
    a cluster is all that hangs together by links.

    link  length; three times the flock's mean nearest-neighbour distance unless given. Random
          points hang together at that: each has 7 (2-D) or 19 (3-D) others within reach, and 4.5 or
          2.7 are enough.

    Cost: O(N log N + links). Raises MeasureError above 30 million links, and unless link > 0.
    """
    link = None if link is None else positive(link, "link")
    one = valid_rows(flock, "positions")
    return once(flock, ("clusters", link), lambda: _labels(flock, one, link)).copy()


def _labels(flock: FlockFrame, one: FlockFrame, link: float | None) -> np.ndarray:
    """The clusters of a flock, of which `one` are those that are seen."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    rows = np.flatnonzero(np.isfinite(flock.positions).all(axis=1))
    labels = np.full(len(flock), -1, dtype=np.int64)
    if not len(one):
        return labels
    link = default_link(one) if link is None else link
    pairs = pairs_within(one, link, "clusters") if len(one) > 1 else np.empty((0, 2), np.int64)
    joined = coo_matrix((np.ones(len(pairs), np.int8), pairs.T), shape=(len(one), len(one)))
    found, of = connected_components(joined, directed=False)
    # scipy counts components by their first row, so a stable order keeps the lowest id first.
    order = np.argsort(-np.bincount(of, minlength=found), kind="stable")
    rank = np.empty(found, dtype=np.int64)
    rank[order] = np.arange(found)
    labels[rows] = rank[of]
    return labels


def default_link(flock: FlockFrame) -> float:
    """Three times the mean nearest-neighbour distance; 0 below 2 boids, which have none."""
    distance = nearest_neighbour_distance(flock)
    return LINK * distance if distance == distance else 0.0


def cluster_sizes(flock: FlockFrame, link: float | None = None) -> np.ndarray:
    """How many boids each cluster has, the largest first. Options and errors as for `clusters`."""
    labels = clusters(flock, link)
    return np.bincount(labels[labels >= 0])


@measure(
    "number",
    unit="clusters",
    bounds="1 up",
    definition="number of groups that hang together by links of at most `link`",
    source=GREGOIRE,
)
def cluster_count(flock: FlockFrame, *, link: float | None = None) -> float:
    """The number of clusters; nan for an empty flock. Options, cost and errors as for `clusters`.

    Source: cohesion as connected groups in Gregoire & Chate 2004,
    doi:10.1103/PhysRevLett.92.025702.
    """
    known = len(valid_rows(flock, "positions")) > 0
    return float(len(cluster_sizes(flock, link))) if known else float("nan")


@measure(
    "number",
    unit="1",
    bounds="above 0, to 1",
    definition="boids of the largest cluster / N",
    source=GREGOIRE,
)
def largest_cluster(flock: FlockFrame, *, link: float | None = None) -> float:
    """The share of the boids that are in the largest cluster (no unit); nan for an empty flock.
    Options, cost and errors as for `clusters`."""
    sizes = cluster_sizes(flock, link)
    return float(sizes[0] / sizes.sum()) if len(sizes) else float("nan")


@measure(
    "curve",
    unit="1",
    across="boids in a cluster",
    bounds="0 to 1",
    definition="share of the clusters whose size is in a bin; bins double",
    source="10.48550/arXiv.cond-mat/0604490",
)
def cluster_size_distribution(
    flock: FlockFrame, *, link: float | None = None, edges: np.ndarray | None = None
) -> Curve:
    """The share of the clusters that have 1 boid, 2 or 3, 4 to 7, 8 to 15 and so on (no unit).

    edges  (B + 1,) sizes at which bins begin, in place of 1, 2, 4, 8, ...

    Returns a Curve over sizes, x being the geometric mean of the sizes in a bin's reach; `count` is
    the number of clusters. Without points for an empty flock. Options, cost and errors as for
    `clusters`.

    Source: cluster sizes of self-propelled rods, Peruani, Deutsch & Baer 2006,
    doi:10.48550/arXiv.cond-mat/0604490.
    """
    sizes = cluster_sizes(flock, link)
    if not len(sizes):
        return no_curve()
    if edges is None:
        edges = 2.0 ** np.arange(int(np.log2(sizes.sum())) + 2)
    edges = np.asarray(edges, dtype=np.float64)
    count = np.histogram(sizes, edges)[0].astype(np.float64)
    return Curve(np.sqrt(edges[:-1] * (edges[1:] - 1)), count / len(sizes), count, edges)
