"""Milling: how far a flock circles about its own centre."""

from __future__ import annotations

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.centroid import centroid, offsets
from murmurate.measures.headings import unit
from murmurate.measures.registry import measure
from murmurate.measures.valid_rows import valid_rows

COUZIN = "10.1006/jtbi.2002.3065"


@measure(
    "number",
    unit="1",
    bounds="0 to 1",
    definition="| 1/N sum_i r_i x u_i |, r_i the unit vector from the centre to boid i",
    source=COUZIN,
)
def milling(flock: FlockFrame) -> float:
    """M = | 1/N sum_i r_i x u_i |, between 0 and 1 (no unit); nan for an empty flock.

    r_i is the unit vector from the flock's centre to boid i, u_i the boid's heading. In 2-D the
    cross product is a number and the bars its absolute value; in 3-D it is a vector and the bars
    its length. 1 is a perfect mill; boids that fly straight out or in give 0, and so do two
    rings that circle against each other. A boid that stands still, or exactly at the centre,
    contributes zero. On periodic axes the centre is the `centroid`; a flock that fills a torus has
    none, and random headings there give the milling of random numbers, about 1 / sqrt(N).

    Source: group angular momentum of Couzin et al. 2002, doi:10.1006/jtbi.2002.3065.
    """
    return float(np.linalg.norm(_spins(flock).mean(axis=1))) if _any(flock) else float("nan")


@measure(
    "number",
    unit="1",
    bounds="-1 to 1",
    definition="1/N sum_i (r_i x u_i), seen from above; positive: counter-clockwise",
    source=COUZIN,
)
def signed_milling(flock: FlockFrame) -> float:
    """The same sum with its sign, -1 to 1: positive where the flock circles counter-clockwise.

    In 3-D it is the part about the last axis, seen from above: a mill that stands upright has 0.
    nan for an empty flock.

    Source: Couzin et al. 2002, doi:10.1006/jtbi.2002.3065 (there without the sign).
    """
    return float(_spins(flock)[0].mean()) if _any(flock) else float("nan")


@measure(
    "number",
    unit="1",
    bounds="0 to 1",
    definition="1/N sum_i | r_i x u_i |",
    source=COUZIN,
)
def absolute_milling(flock: FlockFrame) -> float:
    """1/N sum_i | r_i x u_i |, between 0 and 1: how far boids circle, whichever way each does.

    Two rings that circle against each other have 1 here and a milling of 0. Random headings do not
    give 0: 2/pi in 2-D, pi/4 in 3-D. nan for an empty flock.
    """
    return float(np.linalg.norm(_spins(flock), axis=0).mean()) if _any(flock) else float("nan")


@measure(
    "number",
    unit="1",
    bounds="0 to 1",
    definition="| sum_i d_i x v_i | / sum_i |d_i| |v_i|, d_i from the centre to boid i",
)
def angular_momentum(flock: FlockFrame) -> float:
    """Angular momentum as a part of its largest value, | sum_i d_i x v_i | / sum_i |d_i| |v_i|
    (between 0 and 1, no unit).

    d_i is the way from the flock's centre to boid i, v_i its velocity. Unlike `milling`, boids that
    are far out or fast count for more. nan for an empty flock, one at rest, and a single boid.
    """
    flock = valid_rows(flock)
    if len(flock) == 0:
        return float("nan")
    d = np.ascontiguousarray(offsets(flock, centroid(flock)).T)
    v = np.array(flock.velocities.T, dtype=np.float64, order="C")
    most = float((np.linalg.norm(d, axis=0) * np.linalg.norm(v, axis=0)).sum())
    return float(np.linalg.norm(_cross(d, v).sum(axis=1))) / most if most > 0 else float("nan")


def _any(flock: FlockFrame) -> bool:
    return len(valid_rows(flock)) > 0


def _spins(flock: FlockFrame) -> np.ndarray:
    flock = valid_rows(flock)
    return spins(offsets(flock, centroid(flock)), flock.velocities)


def spins(ways: np.ndarray, velocities: np.ndarray) -> np.ndarray:
    """r_i x u_i of ways from the centre and velocities, (N, D) each: (1, N) in 2-D, (3, N) in 3-D,
    the vertical part first."""
    return _cross(unit(ways), unit(velocities))


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(D, N) rows -> cross products: (1, N) in 2-D, (3, N) in 3-D, the vertical part first."""
    planes = [(0, 1)] if len(a) == 2 else [(0, 1), (1, 2), (2, 0)]
    return np.array([a[i] * b[j] - a[j] * b[i] for i, j in planes])
