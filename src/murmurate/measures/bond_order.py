"""Bond-orientational order: whether the ways to the nearest neighbours are those of a crystal."""

from __future__ import annotations

import math

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.headings import unit
from murmurate.measures.limits import MeasureError, shown, whole
from murmurate.measures.neighbours import nearest
from murmurate.measures.registry import measure
from murmurate.measures.valid_rows import valid_rows
from murmurate.neighbours.periodic import displacements

HALPERIN_NELSON, STEINHARDT = "10.1103/PhysRevB.19.2457", "10.1103/PhysRevB.28.784"
NEAREST = {2: 6, 3: 12}  # the neighbours that touch in the densest packing


@measure(
    "number",
    unit="1",
    bounds="0 to 1",
    definition="|psi_6| in 2-D, Q_6 in 3-D: sixfold order of the ways to the k nearest",
    source=f"{HALPERIN_NELSON} {STEINHARDT}",
)
def bond_orientational_order(
    flock: FlockFrame, *, k: int | None = None, average: str = "flock"
) -> float:
    """Hexatic order in 2-D: | <psi_j> |, psi_j = 1/k sum_n exp(6 i a_jn), a_jn the angle of the way
    from boid j to its n-th nearest neighbour. In 3-D Steinhardt's Q_6 =
    sqrt(4 pi / 13 sum_m |<q_j6m>|^2), q_j6m the mean of the spherical harmonic Y_6m over those
    ways (no unit).

    1 for a triangular lattice; in 3-D 0.575 for the face-centred cubic lattice, 0.485 for the
    hexagonal close-packed one, both with 12 neighbours. Random points have about 2/sqrt(k N). Boids
    at the border have neighbours on one side only, and lower it.

    k        how many nearest neighbours (not Voronoi ones); 6 in 2-D and 12 in 3-D unless given
    average  'flock': the mean over boids is taken first: order of one orientation through all the
             flock; 'boid': |psi_j|, or q_j6, first: local order, also of grains that differ

    nan for k boids or fewer; a neighbour at the same place counts as no way. Cost: O(N k log N).
    Raises MeasureError unless k is a whole number of 1 or more and average is one of the two.

    Source: Nelson & Halperin 1979, doi:10.1103/PhysRevB.19.2457 (2-D); Steinhardt, Nelson &
    Ronchetti 1983, doi:10.1103/PhysRevB.28.784 (3-D).
    """
    if average not in ("flock", "boid"):
        raise MeasureError(f"average is {shown(average)}: it must be 'flock' or 'boid'")
    flock = valid_rows(flock, "positions")
    k = NEAREST[flock.space.dims] if k is None else whole(k, "k")
    if len(flock) <= k:
        return float("nan")
    rows = nearest(flock, k)[1]
    x = flock.positions
    sums: np.ndarray | float = 0.0
    for column in rows.T:
        sums = sums + _sixfold(unit(displacements(x[column], x, flock.space)))
    q = np.asarray(sums) / k
    if average == "flock":
        q = q.mean(axis=1, keepdims=True)
    return float(np.sqrt((np.abs(q) ** 2).sum(axis=0)).mean())


def _sixfold(ways: np.ndarray) -> np.ndarray:
    """(D, N) unit vectors -> (1, N) exp(6 i a) in 2-D; (13, N) sqrt(4 pi / 13) Y_6m in 3-D, so that
    the squares add up to 1 (Unsoeld's theorem); 0 for a zero vector."""
    there = ways.any(axis=0)
    if len(ways) == 2:
        return np.where(there, (ways[0] + 1j * ways[1]) ** 6, 0.0)[None]
    from scipy.special import lpmv

    turn = np.exp(1j * np.arctan2(ways[1], ways[0]))
    height = np.clip(ways[2], -1.0, 1.0)
    found = np.zeros((13, ways.shape[1]), dtype=complex)
    for m in range(7):
        norm = math.sqrt(math.factorial(6 - m) / math.factorial(6 + m))
        found[6 + m] = norm * lpmv(m, 6, height) * turn**m
        found[6 - m] = (-1) ** m * found[6 + m].conj()
    return np.where(there, found, 0.0)
