"""Connectivity of a flock's network of neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.flock_data import nearest_neighbours, pairs_within, valid_rows
from murmurate.measures.limits import check_count, check_integer, check_positive
from murmurate.measures.registry import measure

DENSE = 60  # boids up to which all eigenvalues are computed, which is faster
MAX_BOIDS = 20_000


def neighbour_network(flock: FlockFrame, k: int = 7, radius: float | None = None) -> Any:
    """Return the symmetric adjacency matrix of a flock, whose boids must all be seen.

    k  each boid is linked with its k nearest, in either direction; with all others if there are no
        more than k
    radius  in place of k: boids at most this far apart are linked
    returns  (N, N) 1 for linked boids, else 0; 0 on the diagonal
    raises MeasureError  for an invalid k or radius, and above 30 million links
    """
    from scipy.sparse import coo_matrix

    count = len(flock)
    if radius is not None:
        pairs = pairs_within(flock, check_positive(radius, "radius"), "neighbour network")
    else:
        k = min(check_integer(k, "k"), count - 1)
        rows = nearest_neighbours(flock, k)[1] if k else np.empty((count, 0), np.int64)
        pairs = np.stack([np.repeat(np.arange(count), k), rows.ravel()], axis=1)
    both = np.concatenate([pairs, pairs[:, ::-1]])
    links = coo_matrix((np.ones(len(both)), both.T), shape=(count, count)).tocsr()
    links.data[:] = 1.0  # a link found from both sides counts once
    return links


@measure(
    bounds="0 to N",
    definition="second smallest eigenvalue of the Laplacian of the network of neighbours",
    source="Fiedler 1973",
    slow=True,
    min_boids=2,
)
def algebraic_connectivity(flock: FlockFrame, *, k: int = 7, radius: float | None = None) -> float:
    """Return the algebraic connectivity of the network of neighbours.

    lambda_2, the second smallest eigenvalue of L = degrees - links.

    k: Each boid is linked with its k nearest, in either direction.
    radius: In place of k: boids at most this far apart are linked, in length units.
    value: 0 for a disconnected network, N if all boids are linked with each other. The larger it
        is, the faster averaging with neighbours leads to consensus.
    raises: More than 20,000 boids are refused too.

    Cost: about O(N^1.5).
    """
    from scipy.sparse import diags
    from scipy.sparse.csgraph import connected_components
    from scipy.sparse.linalg import eigsh

    flock = valid_rows(flock, "positions")
    count = len(flock)
    if count < 2:
        return float("nan")
    advice = "Use relative_connectivity, or a part of the flock."
    check_count(count, MAX_BOIDS, "algebraic_connectivity", "boids", advice)
    links = neighbour_network(flock, k, radius)
    if connected_components(links, directed=False)[0] > 1:
        return 0.0
    laplacian = (diags(np.asarray(links.sum(axis=1)).ravel()) - links).tocsc()
    if count <= DENSE:
        return float(np.linalg.eigvalsh(laplacian.toarray())[1])
    # A fixed start vector: the same flock always gives the same result.
    start = np.random.default_rng(0).normal(size=count)
    values = eigsh(laplacian, k=2, sigma=-1e-3, v0=start, return_eigenvectors=False)
    return float(np.sort(values)[1])


@measure(
    bounds="0 to 1",
    definition="(N - parts) / (N - 1), parts of the network of neighbours",
    source="Olfati-Saber 2006",
    min_boids=2,
)
def relative_connectivity(flock: FlockFrame, *, k: int = 7, radius: float | None = None) -> float:
    """Return the relative connectivity of the network of neighbours.

    It is rank(L) / (N - 1), with L the Laplacian; parts are the connected components.

    k: Each boid is linked with its k nearest, in either direction.
    radius: In place of k: boids at most this far apart are linked, in length units.
    value: 1 for a connected network, 0 if no boids are linked.
    raises: More than 30 million links are refused too.

    Cost: O(N log N + links).
    """
    from scipy.sparse.csgraph import connected_components

    flock = valid_rows(flock, "positions")
    count = len(flock)
    if count < 2:
        return float("nan")
    parts = connected_components(neighbour_network(flock, k, radius), directed=False)[0]
    return float((count - parts) / (count - 1))
