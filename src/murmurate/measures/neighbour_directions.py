"""Directions to neighbours: anisotropy, frontness, bearings, bond-orientational order."""

from __future__ import annotations

import math

import numpy as np

from murmurate.errors import MeasureError
from murmurate.frame import FlockFrame
from murmurate.measures.curve import (
    Curve,
    binned_curve,
    check_edges,
    empty_curve,
    equal_bins,
    ratio,
)
from murmurate.measures.flock_data import nearest_neighbours, unit_vectors, valid_rows
from murmurate.measures.geometry import outline, unwrapped_offsets
from murmurate.measures.limits import check_integer, format_value
from murmurate.measures.registry import measure
from murmurate.neighbours.periodic import displacements, periods

CONTACTS = {2: 6, 3: 12}  # neighbours that touch in the densest packing, by dimension


@measure(
    bounds="0 to 1; 1/D: isotropic",
    definition="(w . V)^2, w the direction with fewest k-th neighbours, V of the mean velocity",
    source="Ballerini et al. 2008b",
    min_boids="k",
    missing="the mean velocity is 0, no direction is preferred, or no boid is deep in the flock",
)
def anisotropy(flock: FlockFrame, *, k: int = 1, inner: bool = False) -> float:
    """Return the anisotropy of the directions to neighbours.

    w is the direction in which there are fewest k-th nearest neighbours: the eigenvector to the
    smallest eigenvalue of 1/N sum_i n_i n_i^T, with n_i the unit vector from boid i to its k-th
    nearest neighbour.

    k: Which neighbour, by distance.
    inner: Include only boids that are deeper below the convex hull than their k-th neighbour is
        far.
    value: 1: neighbours are at the sides, not ahead or behind. 1/D on average (1/3 in 3-D, 1/2 in
        2-D): in all directions alike. 0: not at the sides.
    source: Starlings: above 1/3 for the nearest neighbour, 1/3 from about the seventh on. The
        border is left out as in Cavagna et al. 2008, doi:10.1016/j.anbehav.2008.02.003, who follow
        Hanisch.

    A single frame of an isotropic flock gives any number from 0 to 1: average over frames.

    Boids at the border have neighbours on one side only. In a thin flock w is therefore
    perpendicular to its plane, whatever the headings; `inner` avoids this. A flock that spans half
    of a periodic side or more has no border along it.
    """
    flock = valid_rows(flock)
    k = check_integer(k, "k")
    if len(flock) <= k:
        return float("nan")
    mean = flock.velocities.mean(axis=0, dtype=np.float64)
    mean_speed = float(np.linalg.norm(mean))
    if mean_speed <= 1e-12 * float(np.abs(flock.velocities).max()):
        return float("nan")
    n = _directions(flock, k)[-1]
    if inner:
        n = n[:, _is_deep(flock, k)]
    if not n.shape[1]:
        return float("nan")
    values, vectors = np.linalg.eigh(n @ n.T / n.shape[1])
    if values[1] - values[0] <= 1e-12:
        return float("nan")
    return float((vectors[:, 0] @ mean / mean_speed) ** 2)


@measure(
    bounds="-1 to 1",
    definition="mean of u_i . n_ij over the k nearest j, u_i the heading, n_ij the direction to j",
    min_boids="k",
    missing="the flock is at rest",
)
def frontness(flock: FlockFrame, *, k: int = 1) -> float:
    """Return the mean cosine between a boid's heading and the directions to its neighbours.

    value: 1 if neighbours are straight ahead, -1 behind, 0 if both are equally frequent.

    A boid at rest, and a neighbour at the same position, are left out.
    """
    cosines = _cosines(valid_rows(flock), k)
    return float(cosines.mean()) if len(cosines) else float("nan")


@measure(
    "curve",
    across="angle from the heading, degrees",
    definition="density of the k nearest neighbours at an angle to the heading / isotropic density",
    source="Ballerini et al. 2008b",
    min_boids="k",
    missing="the flock is at rest",
)
def bearings(
    flock: FlockFrame, *, k: int = 1, bins: int = 18, edges: np.ndarray | None = None
) -> Curve:
    """Return the distribution of neighbours over the angle from a boid's heading.

    edges: Bin edges in degrees, in place of `bins`.
    value: From 0 (ahead) to 180 degrees (behind); 1 everywhere for an isotropic flock. `count` is
        the number of neighbours.

    In 3-D the solid angle at an angle a is proportional to sin(a), which is divided out.
    """
    flock = valid_rows(flock)
    cosines = _cosines(flock, k)
    if not len(cosines):
        return empty_curve()
    if edges is None:
        edges = equal_bins(180.0, bins)
    edges = check_edges(edges)
    angles = np.degrees(np.arccos(np.clip(cosines, -1.0, 1.0)))
    count = np.histogram(angles, edges)[0].astype(np.float64)
    isotropic = np.diff(edges) / 180.0
    if flock.space.dims == 3:
        isotropic = -np.diff(np.cos(np.radians(edges))) / 2.0
    return binned_curve(edges, ratio(count, len(angles) * isotropic), count)


def _is_deep(flock: FlockFrame, k: int) -> np.ndarray:
    """Return (N,) bool: the boid is deeper below the hull than its k-th neighbour is far."""
    points = unwrapped_offsets(flock)
    surface = outline(points, periods(flock.space))
    if surface.volume != surface.volume:  # flat
        return np.zeros(len(flock), bool)
    return surface.depths(points) >= nearest_neighbours(flock, k)[0][:, -1]


def _directions(flock: FlockFrame, k: int) -> np.ndarray:
    """Return (k, D, N) unit vectors to the neighbours, nearest first; zero at the same position."""
    rows = nearest_neighbours(flock, k)[1]
    x = flock.positions
    return np.array([unit_vectors(displacements(x[rows[:, j]], x, flock.space)) for j in range(k)])


def _cosines(flock: FlockFrame, k: int) -> np.ndarray:
    """Return (n,) cosines for all pairs of a moving boid and one of its k nearest neighbours."""
    k = check_integer(k, "k")
    if len(flock) <= k:
        return np.empty(0)
    directions, u = _directions(flock, k), unit_vectors(flock.velocities)
    nonzero = directions.any(axis=1) & u.any(axis=0)
    return np.einsum("kdn,dn->kn", directions, u)[nonzero]


@measure(
    bounds="0 to 1",
    definition="|psi_6| in 2-D, Q_6 in 3-D: sixfold order of the directions to the k nearest",
    source="Nelson & Halperin 1979; Steinhardt, Nelson & Ronchetti 1983",
    min_boids="k",
    missing="the flock has too few boids: 7 in 2-D and 13 in 3-D, for the default k",
)
def bond_orientational_order(
    flock: FlockFrame, *, k: int | None = None, average: str = "flock"
) -> float:
    """Return the bond-orientational order of the directions to the k nearest neighbours.

    2-D: | <psi_j> |, psi_j = 1/k sum_n exp(6 i a_jn), with a_jn the angle of the direction from
    boid j to its n-th nearest neighbour (hexatic order). 3-D: Steinhardt's Q_6 = sqrt(4 pi / 13
    sum_m |<q_j6m>|^2), with q_j6m the mean of the spherical harmonic Y_6m over the directions from
    boid j.

    k: Number of nearest neighbours (not Voronoi neighbours). The default is 6 in 2-D, 12 in 3-D.
    average: 'flock' takes the mean over boids first: one orientation throughout the flock. 'boid'
        takes |psi_j|, or q_j6, first: local order, also between grains of different orientation.
    value: 1 for a triangular lattice; in 3-D 0.575 for the face-centred cubic and 0.485 for the
        hexagonal close-packed lattice, both with 12 neighbours. Random points have about 2/sqrt(k
        N).
    source: The first in 2-D, the second in 3-D.

    Boids at the border have neighbours on one side only, which lowers the value. A neighbour at the
    same position has no direction and contributes zero. Cost: O(N k log N).
    """
    if average not in ("flock", "boid"):
        raise MeasureError(f"average: got {format_value(average)}; expected 'flock' or 'boid'")
    flock = valid_rows(flock, "positions")
    k = CONTACTS[flock.space.dims] if k is None else check_integer(k, "k")
    if len(flock) <= k:
        return float("nan")
    rows = nearest_neighbours(flock, k)[1]
    x = flock.positions
    sums: np.ndarray | float = 0.0
    for column in rows.T:
        sums = sums + _sixfold(unit_vectors(displacements(x[column], x, flock.space)))
    q = np.asarray(sums) / k
    if average == "flock":
        q = q.mean(axis=1, keepdims=True)
    return float(np.sqrt((np.abs(q) ** 2).sum(axis=0)).mean())


def _sixfold(directions: np.ndarray) -> np.ndarray:
    """Map (D, N) unit vectors to sixfold harmonics; zero for a zero vector.

    (1, N) exp(6 i a) in 2-D, (13, N) sqrt(4 pi / 13) Y_6m in 3-D, so that the squares of the
    magnitudes add up to 1 (Unsoeld's theorem).
    """
    nonzero = directions.any(axis=0)
    if len(directions) == 2:
        return np.where(nonzero, (directions[0] + 1j * directions[1]) ** 6, 0.0)[None]
    from scipy.special import lpmv

    phase = np.exp(1j * np.arctan2(directions[1], directions[0]))
    height = np.clip(directions[2], -1.0, 1.0)
    harmonics = np.zeros((13, directions.shape[1]), dtype=complex)
    for m in range(7):
        norm = math.sqrt(math.factorial(6 - m) / math.factorial(6 + m))
        harmonics[6 + m] = norm * lpmv(m, 6, height) * phase**m
        harmonics[6 - m] = (-1) ** m * harmonics[6 + m].conj()
    return np.where(nonzero, harmonics, 0.0)
