"""Order and speed: how the boids of a flock move together.

Polarization, milling, the state that follows from them, speeds, and the fluctuations of the
polarization over the frames of a run.
"""

from __future__ import annotations

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.errorbars import jackknife
from murmurate.measures.estimate import Estimate
from murmurate.measures.flock_data import unit_vectors, valid_rows
from murmurate.measures.geometry import centroid, offsets
from murmurate.measures.registry import measure, measure_over_frames

HIGH, LOW = 0.65, 0.35  # thresholds of polarization and milling between states
STATES = ("swarm", "milling", "polarized", "transition")


@measure(
    bounds="0 to 1",
    definition="| 1/N sum_i u_i |, u_i the unit heading",
    source="Vicsek et al. 1995; Couzin et al. 2002",
    min_boids=2,
)
def polarization(flock: FlockFrame) -> float:
    """Return the polarization, the length of the mean heading.

    value: 1: all fly in the same direction. Near 0: there is no common direction; independent
        random headings give about 1/sqrt(N).

    A boid at rest contributes zero.
    """
    flock = valid_rows(flock, "velocities")
    if len(flock) < 2:
        return float("nan")
    return float(np.linalg.norm(unit_vectors(flock.velocities).mean(axis=1)))


@measure(
    bounds="0 to 1",
    definition="largest eigenvalue of 1/N sum_i (D u_i u_i - 1) / (D - 1)",
    source="Ginelli et al. 2010",
    min_boids=2,
)
def nematic_order(flock: FlockFrame) -> float:
    """Return the nematic order, which measures alignment along a line, in either direction.

    u_i is the heading of boid i and D the dimension. In 2-D it is |1/N sum_i exp(2 i theta_i)|.

    value: Two columns that pass each other have 1, and a polarization of 0. Independent random
        headings give about 1/sqrt(N).
    source: There: for self-driven rods; it is the order parameter of liquid crystals.

    A boid at rest contributes zero.
    """
    flock = valid_rows(flock, "velocities")
    if len(flock) < 2:
        return float("nan")
    u = unit_vectors(flock.velocities)
    dims = len(u)
    moving = np.einsum("ij,ij->", u, u)  # number of boids with a heading
    order = (dims * (u @ u.T) - moving * np.eye(dims)) / ((dims - 1) * len(flock))
    return float(np.linalg.eigvalsh(order)[-1])


@measure(
    bounds="0 to 1",
    definition="| 1/N sum_i r_i x u_i |, r_i the unit vector from the centre to boid i",
    source="Couzin et al. 2002",
    min_boids=2,
)
def milling(flock: FlockFrame) -> float:
    """Return the milling, which measures rotation about the flock's centre.

    u_i is the heading of boid i. The cross product is a number in 2-D and a vector in 3-D; the bars
    are its absolute value or length.

    value: 1 is a perfect mill. Boids that fly straight outwards or inwards give 0, and so do two
        rings that rotate in opposite directions.
    source: There: the group angular momentum.

    A boid at rest, or exactly at the centre, contributes zero. On periodic axes the centre is the
    `centroid`. A flock that fills a torus has no centre: random headings there give the milling of
    random numbers, about 1 / sqrt(N).
    """
    if len(valid_rows(flock)) < 2:
        return float("nan")
    return float(np.linalg.norm(_spins(flock).mean(axis=1)))


@measure(
    bounds="-1 to 1",
    definition="1/N sum_i (r_i x u_i), seen from above; positive: counter-clockwise",
    source="Couzin et al. 2002",
    min_boids=2,
)
def signed_milling(flock: FlockFrame) -> float:
    """Return the milling with its sign, which shows the sense of rotation.

    r_i and u_i as for `milling`. In 3-D it is the component about the last axis, seen from above.

    value: In 3-D a mill about a horizontal axis has 0.
    source: There: without the sign.
    """
    return float(_spins(flock)[0].mean()) if len(valid_rows(flock)) > 1 else float("nan")


@measure(
    bounds="0 to 1",
    definition="1/N sum_i | r_i x u_i |",
    source="Couzin et al. 2002",
    min_boids=2,
)
def absolute_milling(flock: FlockFrame) -> float:
    """Return the milling regardless of the direction in which each boid rotates.

    r_i and u_i as for `milling`.

    value: Two rings that rotate in opposite directions have 1, and a milling of 0. Random headings
        have 2/pi in 2-D and pi/4 in 3-D, not 0.
    """
    if len(valid_rows(flock)) < 2:
        return float("nan")
    return float(np.linalg.norm(_spins(flock), axis=0).mean())


@measure(
    bounds="0 to 1",
    definition="| sum_i d_i x v_i | / sum_i |d_i| |v_i|, d_i from the centre to boid i",
    min_boids=2,
    missing="the flock is at rest",
)
def angular_momentum(flock: FlockFrame) -> float:
    """Return the angular momentum about the flock's centre, relative to its largest value.

    v_i is the velocity of boid i. Unlike in `milling`, boids that are fast or far from the centre
    have more weight.
    """
    flock = valid_rows(flock)
    if len(flock) == 0:
        return float("nan")
    d = np.ascontiguousarray(offsets(flock, centroid(flock)).T)
    v = np.array(flock.velocities.T, dtype=np.float64, order="C")
    largest = float((np.linalg.norm(d, axis=0) * np.linalg.norm(v, axis=0)).sum())
    total = float(np.linalg.norm(_cross(d, v).sum(axis=1)))
    return total / largest if largest > 0 else float("nan")


def _spins(flock: FlockFrame) -> np.ndarray:
    flock = valid_rows(flock)
    return spins(offsets(flock, centroid(flock)), flock.velocities)


def spins(vectors: np.ndarray, velocities: np.ndarray) -> np.ndarray:
    """Return r_i x u_i of (N, D) vectors from the centre and (N, D) velocities.

    The result has shape (1, N) in 2-D and (3, N) in 3-D, with the vertical component first.
    """
    return _cross(unit_vectors(vectors), unit_vectors(velocities))


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return cross products of (D, N) rows: (1, N) in 2-D, (3, N) in 3-D, vertical first."""
    planes = [(0, 1)] if len(a) == 2 else [(0, 1), (1, 2), (2, 0)]
    return np.array([a[i] * b[j] - a[j] * b[i] for i, j in planes])


@measure(
    "word",
    unit="word",
    bounds="swarm, milling, polarized, transition; none",
    definition="polarized: P > 0.65, M < 0.35; milling: M > 0.65, P < 0.35; swarm: both < 0.35",
    source="Tunstrom et al. 2013",
    min_boids=2,
)
def state(flock: FlockFrame) -> str:
    """Return the collective state of a flock as a word.

    P is the polarization and M the milling.

    value: 'transition' in all other cases.
    source: The thresholds are those of two analysis codes that cite the paper. They were not
        confirmed in the paper itself.
    """
    return state_of(polarization(flock), milling(flock))


def state_of(order: float, rotation: float) -> str:
    """Return the state for a polarization and a milling; 'none' if one of them is nan."""
    if order != order or rotation != rotation:
        return "none"
    if order > HIGH and rotation < LOW:
        return "polarized"
    if rotation > HIGH and order < LOW:
        return "milling"
    if order < LOW and rotation < LOW:
        return "swarm"
    return "transition"


@measure(unit="length/time", definition="1/N sum_i |v_i|")
def speed(flock: FlockFrame) -> float:
    """Return the mean speed of the boids."""
    values = speeds(flock)
    return float(values.mean()) if len(values) else float("nan")


@measure(unit="length/time", definition="sqrt(1/N sum_i (|v_i| - mean speed)^2)")
def speed_spread(flock: FlockFrame) -> float:
    """Return the standard deviation of the boids' speeds, divided by N.

    value: 0 for one boid.
    """
    values = speeds(flock)
    return float(values.std()) if len(values) else float("nan")


@measure(unit="length/time", definition="| 1/N sum_i v_i |")
def group_speed(flock: FlockFrame) -> float:
    """Return the speed of the flock's mean velocity.

    value: If all boids have the same speed, it is the polarization times that speed.
    """
    flock = valid_rows(flock, "velocities")
    if not len(flock):
        return float("nan")
    return float(np.linalg.norm(flock.velocities.mean(axis=0, dtype=np.float64)))


def speeds(flock: FlockFrame) -> np.ndarray:
    """Return (n,) float64 speeds of the boids that are seen."""
    velocities = np.asarray(valid_rows(flock, "velocities").velocities, dtype=np.float64)
    return np.sqrt(np.einsum("ij,ij->i", velocities, velocities))


class PolarizationSeries:
    """Stores the polarization and the number of boids of each frame."""

    def __init__(self) -> None:
        self.order: list[float] = []
        self.boids: list[int] = []

    def add(self, flock: FlockFrame, time: float) -> None:
        self.order.append(polarization(flock))
        self.boids.append(len(valid_rows(flock, "velocities")))


class Susceptibility(PolarizationSeries):
    """Return the susceptibility, the variance of the polarization over time.

    N is the mean number of boids that are seen.

    frames: Frames of a steady state.
    value: With an error by a jackknife over blocks. It peaks at the transition between order and
        disorder. Independent random headings give 1 - pi/4 in 2-D, for many boids.
    source: There: as the variance of the order parameter.
    """

    def result(self) -> Estimate:
        order = np.array(self.order)
        boids = np.array(self.boids)[np.isfinite(order)]  # frames without a value do not count
        return susceptibility_of(order, float(boids.mean()) if len(boids) else np.nan)


class BinderCumulant(PolarizationSeries):
    """Return the Binder cumulant of the polarization over time.

    frames: Frames of a steady state.
    value: With an error by a jackknife over blocks. 2/3 for constant P (order). For disorder, where
        the mean heading is a Gaussian vector, 1/3 in 2-D and 4/9 in 3-D. Lower values, even below
        0, if the flock switches between order and disorder: a discontinuous transition.
    source: The second for flocks.

    A signed, one-dimensional Gaussian number has 0.
    """

    def result(self) -> Estimate:
        return binder_of(np.array(self.order))


susceptibility = measure_over_frames(
    Susceptibility,
    definition="N (<P^2> - <P>^2) over frames, P the polarization",
    source="Chate et al. 2008",
)


binder_cumulant = measure_over_frames(
    BinderCumulant,
    bounds="up to 2/3",
    definition="1 - <P^4> / (3 <P^2>^2) over frames, P the polarization",
    source="Binder 1981; Chate et al. 2008",
    missing="the polarization is always 0",
)


def susceptibility_of(series: np.ndarray, count: float) -> Estimate:
    """Return count * variance of an (n,) series, with its error."""
    return jackknife(series, lambda x: count * np.var(x))


def binder_of(series: np.ndarray) -> Estimate:
    """Return 1 - <x^4> / (3 <x^2>^2) of an (n,) series, with its error.

    0 for a Gaussian x around 0, 2/3 if x is +m or -m.
    """
    return jackknife(series, _binder)


def _binder(x: np.ndarray) -> float:
    square = np.mean(x**2)
    return float(1 - np.mean(x**4) / (3 * square**2)) if square > 0 else float("nan")
