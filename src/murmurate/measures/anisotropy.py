"""Anisotropy: where neighbours are, ahead, behind or beside."""

from __future__ import annotations

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.curve import Curve, ascending, binned, even, no_curve, ratio
from murmurate.measures.headings import unit
from murmurate.measures.hull import outline, unrolled
from murmurate.measures.limits import whole
from murmurate.measures.neighbours import nearest
from murmurate.measures.registry import measure
from murmurate.measures.valid_rows import valid_rows
from murmurate.neighbours.periodic import displacements, periods

BALLERINI = "10.1073/pnas.0711437105"


@measure(
    "number",
    unit="1",
    bounds="0 to 1; 1/D: isotropic",
    definition="(w . V)^2, w the way with fewest k-th neighbours, V that of the mean velocity",
    source=BALLERINI,
)
def anisotropy(flock: FlockFrame, *, k: int = 1, inner: bool = False) -> float:
    """gamma = (w . V)^2 (no unit), V the direction of the flock's mean velocity and w that in which
    there are fewest k-th nearest neighbours: the eigenvector to the smallest eigenvalue of
    1/N sum_i n_i n_i^T, n_i the unit vector from boid i to its k-th nearest.

    1: neighbours are beside, not ahead or behind; 1/D (1/3 in 3-D, 1/2 in 2-D) on average where
    they are all around; 0: they avoid the sides. One frame of a flock without a preference gives
    any number from 0 to 1: average over frames. nan for k boids or fewer, where the flock does not
    fly as a whole, and where no direction is the emptiest.

    k      which neighbour, by distance
    inner  only of boids that lie deeper below the convex hull than their k-th neighbour is far.
           Those at the border have neighbours on one side only, so that in a thin flock w is
           across its plane whatever the headings; nan where there are none deep enough. A flock
           that spans half of a periodic side or more has no border along it

    Raises MeasureError unless k is a whole number of 1 or more.

    Source: Ballerini et al. 2008, doi:10.1073/pnas.0711437105 (starlings: above 1/3 for the
    nearest, 1/3 from about the seventh on); the border left out as in Cavagna et al. 2008,
    doi:10.1016/j.anbehav.2008.02.003, who take that from Hanisch.
    """
    flock = valid_rows(flock)
    k = whole(k, "k")
    if len(flock) <= k:
        return float("nan")
    mean = flock.velocities.mean(axis=0, dtype=np.float64)
    pace = float(np.linalg.norm(mean))
    if pace <= 1e-12 * float(np.abs(flock.velocities).max()):
        return float("nan")
    n = _ways(flock, k)[-1]
    if inner:
        n = n[:, _deep(flock, k)]
    if not n.shape[1]:
        return float("nan")
    values, vectors = np.linalg.eigh(n @ n.T / n.shape[1])
    if values[1] - values[0] <= 1e-12:
        return float("nan")
    return float((vectors[:, 0] @ mean / pace) ** 2)


@measure(
    "number",
    unit="1",
    bounds="-1 to 1",
    definition="mean of u_i . n_ij over the k nearest j, u_i the heading, n_ij the way to j",
)
def frontness(flock: FlockFrame, *, k: int = 1) -> float:
    """The mean cosine between a boid's heading and the way to each of its k nearest neighbours (no
    unit): 1: they are straight ahead, -1: behind; 0: as many ahead as behind.

    nan for k boids or fewer and for a flock at rest; a boid that stands still, or one at the same
    place, is left out. Raises MeasureError unless k is a whole number of 1 or more.
    """
    cosines = _cosines(valid_rows(flock), k)
    return float(cosines.mean()) if len(cosines) else float("nan")


@measure(
    "curve",
    unit="1",
    across="angle from the heading, degrees",
    bounds="0 up",
    definition="density of the k nearest neighbours at an angle to the heading / isotropic density",
    source=BALLERINI,
)
def bearings(
    flock: FlockFrame, *, k: int = 1, bins: int = 18, edges: np.ndarray | None = None
) -> Curve:
    """How many of the k nearest neighbours lie at each angle to a boid's heading, by the number
    that there would be if all directions were alike: a Curve over 0 (ahead) to 180 degrees
    (behind).

    1 everywhere: no preference. In 3-D the band at an angle a has a share of sin(a), which is
    divided out. `count` is the number of neighbours. Without points where `frontness` is nan.
    Raises MeasureError unless k and bins are whole numbers of 1 or more.

    Source: the angular distribution of neighbours in Ballerini et al. 2008,
    doi:10.1073/pnas.0711437105.
    """
    flock = valid_rows(flock)
    cosines = _cosines(flock, k)
    if not len(cosines):
        return no_curve()
    if edges is None:
        edges = even(180.0, bins)
    edges = ascending(edges)
    angles = np.degrees(np.arccos(np.clip(cosines, -1.0, 1.0)))
    count = np.histogram(angles, edges)[0].astype(np.float64)
    share = np.diff(edges) / 180.0
    if flock.space.dims == 3:
        share = -np.diff(np.cos(np.radians(edges))) / 2.0
    return binned(edges, ratio(count, len(angles) * share), count)


def _deep(flock: FlockFrame, k: int) -> np.ndarray:
    """(N,) whether a boid is deeper below the hull than its k-th neighbour is far."""
    away = unrolled(flock)
    surface = outline(away, periods(flock.space))
    if surface.volume != surface.volume:  # flat
        return np.zeros(len(flock), bool)
    deep: np.ndarray = surface.depths(away) >= nearest(flock, k)[0][:, -1]
    return deep


def _ways(flock: FlockFrame, k: int) -> np.ndarray:
    """(k, D, N) unit vectors to the neighbours, nearest first; zero to one at the same place."""
    rows = nearest(flock, k)[1]
    x = flock.positions
    return np.array([unit(displacements(x[rows[:, j]], x, flock.space)) for j in range(k)])


def _cosines(flock: FlockFrame, k: int) -> np.ndarray:
    """(n,) of all pairs of a moving boid and a neighbour of its k nearest that is elsewhere."""
    k = whole(k, "k")
    if len(flock) <= k:
        return np.empty(0)
    ways, u = _ways(flock, k), unit(flock.velocities)
    known = ways.any(axis=1) & u.any(axis=0)
    cosines: np.ndarray = np.einsum("kdn,dn->kn", ways, u)[known]
    return cosines
