"""Connectivity: how well a flock's network of neighbours holds together."""

from __future__ import annotations

from typing import Any

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.limits import at_most, positive, whole
from murmurate.measures.neighbours import nearest, pairs_within
from murmurate.measures.registry import measure
from murmurate.measures.valid_rows import valid_rows

FIEDLER = "10.21136/CMJ.1973.101168"
DENSE, MOST = 60, 20_000  # boids of which all eigenvalues are found soonest; and at most


def network(flock: FlockFrame, k: int = 7, radius: float | None = None) -> Any:
    """The (N, N) sparse matrix of who is linked with whom: 1 or 0, both ways, not with oneself. All
    boids must be seen.

    k       each boid is linked with its k nearest, in either direction; all, if there are no
            more than k others
    radius  in place of k: those at most this far apart are linked
    """
    from scipy.sparse import coo_matrix

    count = len(flock)
    if radius is not None:
        pairs = pairs_within(flock, positive(radius, "radius"), "network")
    else:
        k = min(whole(k, "k"), count - 1)
        rows = nearest(flock, k)[1] if k else np.empty((count, 0), np.int64)
        pairs = np.stack([np.repeat(np.arange(count), k), rows.ravel()], axis=1)
    both = np.concatenate([pairs, pairs[:, ::-1]])
    links = coo_matrix((np.ones(len(both)), both.T), shape=(count, count)).tocsr()
    links.data[:] = 1.0  # found from both sides counts once
    return links


@measure(
    "number",
    unit="1",
    bounds="0 to N",
    definition="second smallest eigenvalue of the Laplacian of the network of neighbours",
    source=FIEDLER,
    slow=True,
)
def algebraic_connectivity(flock: FlockFrame, *, k: int = 7, radius: float | None = None) -> float:
    """lambda_2: the second smallest eigenvalue of L = degrees - links (no unit).

    0 where the network is in parts, N where everyone is linked with everyone; the larger, the
    faster neighbours that average come to agree. See `network` for k and radius. nan below 2 boids.
    Cost: about O(N^1.5); at most 20,000 boids.
    Raises MeasureError above that, and for a k or radius that is not allowed.

    Source: Fiedler 1973, doi:10.21136/CMJ.1973.101168.
    """
    from scipy.sparse import diags
    from scipy.sparse.csgraph import connected_components
    from scipy.sparse.linalg import eigsh

    flock = valid_rows(flock, "positions")
    count = len(flock)
    if count < 2:
        return float("nan")
    advice = "Take relative_connectivity, or a part of the flock."
    at_most(count, MOST, f"algebraic connectivity of {count:,} boids", advice)
    links = network(flock, k, radius)
    if connected_components(links, directed=False)[0] > 1:
        return 0.0
    laplacian = (diags(np.asarray(links.sum(axis=1)).ravel()) - links).tocsc()
    if count <= DENSE:
        return float(np.linalg.eigvalsh(laplacian.toarray())[1])
    # A start that is always the same: the same flock has the same answer.
    start = np.random.default_rng(0).normal(size=count)
    values = eigsh(laplacian, k=2, sigma=-1e-3, v0=start, return_eigenvectors=False)
    return float(np.sort(values)[1])


@measure(
    "number",
    unit="1",
    bounds="0 to 1",
    definition="(N - parts) / (N - 1), parts of the network of neighbours",
    source="10.1109/TAC.2005.864190",
)
def relative_connectivity(flock: FlockFrame, *, k: int = 7, radius: float | None = None) -> float:
    """rank(L) / (N - 1) = (N - parts) / (N - 1) (no unit): 1 where the network of neighbours hangs
    together, 0 where nobody is linked. See `network` for k and radius. nan below 2 boids. Cost:
    O(N log N + links).
    Raises MeasureError for a k or radius that is not allowed, and above 30 million links.

    Source: Olfati-Saber 2006, doi:10.1109/TAC.2005.864190.
    """
    from scipy.sparse.csgraph import connected_components

    flock = valid_rows(flock, "positions")
    count = len(flock)
    if count < 2:
        return float("nan")
    parts = connected_components(network(flock, k, radius), directed=False)[0]
    return float((count - parts) / (count - 1))
