"""The shape of a flock, from its gyration tensor."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.hull import unrolled
from murmurate.measures.registry import measure
from murmurate.measures.valid_rows import valid_rows

STARFLAG = "10.1016/j.anbehav.2008.02.004"


@dataclass(frozen=True, eq=False)
class Shape:
    """The gyration tensor S = 1/N sum_i d_i d_i^T, d_i from the centre to boid i, taken apart.

    eigenvalues  (D,) descending, length units squared; their sum is the radius of gyration squared
    axes         (D, D) the unit vectors they belong to, one a row; each may as well point backwards
    ratios       (D - 1,) sqrt(eigenvalue / smallest eigenvalue), from the longest on; inf if flat
    """

    eigenvalues: np.ndarray
    axes: np.ndarray
    ratios: np.ndarray


def shape(flock: FlockFrame) -> Shape:
    """The gyration tensor's eigenvalues, axes and aspect ratios; nan for an empty flock. Periodic
    axes are known, see `centroid`."""
    flock = valid_rows(flock, "positions")
    dims = flock.space.dims
    if not len(flock):
        none = np.full(dims, np.nan)
        return Shape(none, np.full((dims, dims), np.nan), none[1:])
    away = unrolled(flock)
    values, vectors = np.linalg.eigh(away.T @ away / len(away))
    values = np.maximum(values[::-1], 0.0)
    if values[-1] <= 1e-14 * values[0]:  # flat to the last digit
        values[-1] = 0.0
    ratios = np.full(dims - 1, np.nan if values[0] == 0 else np.inf)
    if values[-1] > 0:
        ratios = np.sqrt(values[:-1] / values[-1])
    return Shape(values, vectors.T[::-1], ratios)


@measure(
    "number",
    unit="1",
    bounds="0 to 1",
    definition="(D sum_k e_k^2 / (sum_k e_k)^2 - 1) / (D - 1), e_k gyration eigenvalues",
    source="10.1088/0305-4470/19/4/004",
)
def asphericity(flock: FlockFrame) -> float:
    """(D sum_k e_k^2 / (sum_k e_k)^2 - 1) / (D - 1), e_k the eigenvalues of the gyration tensor:
    0 for a round flock (and a square or cubic one), 1 for boids in a line (no unit).

    nan for an empty flock and one boid. N random points in a round region are not perfectly round:
    expect about 1/N.

    Source: Rudnick & Gaspari 1986, doi:10.1088/0305-4470/19/4/004 (for one configuration).
    """
    e = shape(flock).eigenvalues
    if not e.sum() > 0:
        return float("nan")
    return float((len(e) * (e**2).sum() / e.sum() ** 2 - 1) / (len(e) - 1))


@measure(
    "number",
    unit="1",
    bounds="1 up",
    definition="sqrt(largest / smallest eigenvalue of the gyration tensor)",
    source=STARFLAG,
)
def aspect_ratio(flock: FlockFrame) -> float:
    """The longest by the shortest axis of the flock, sqrt(e_1 / e_D) (no unit): 1 for a round
    flock. inf for a flat one, nan for an empty flock and one boid; `shape` has all ratios.

    Starlings over Rome: axes as 1 : 2.8 : 5.6, by another way of fitting them.
    Source: Ballerini et al. 2008, doi:10.1016/j.anbehav.2008.02.004.
    """
    return float(shape(flock).ratios[0])


@measure(
    "number",
    unit="length",
    bounds="0 up",
    definition="2 sqrt((D + 2) e_D), e_D the smallest eigenvalue of the gyration tensor",
)
def thickness(flock: FlockFrame) -> float:
    """2 sqrt((D + 2) e_D), e_D the smallest eigenvalue of the gyration tensor, in length units: the
    shortest full axis of the evenly filled ellipse or ellipsoid that has the flock's tensor. nan
    for an empty flock."""
    e = shape(flock).eigenvalues
    return float(2 * np.sqrt((len(e) + 2) * e[-1]))


@measure(
    "number",
    unit="1",
    bounds="0 to 1",
    definition="| a . V |, a the longest axis, V the unit mean velocity",
    source=STARFLAG,
)
def elongation_along_motion(flock: FlockFrame) -> float:
    """How far a flock flies along its length: | a . V |, a its longest axis and V the direction of
    its mean velocity (no unit): 1 for one that flies along it, 0 for one that flies across it.

    It says nothing where the flock is round. nan below 2 boids, where it does not fly as a whole,
    and where no axis is the longest.
    Source: as the orientation of axes in Ballerini et al. 2008, doi:10.1016/j.anbehav.2008.02.004.
    """
    flock = valid_rows(flock)
    found = shape(flock)
    e = found.eigenvalues
    if len(flock) < 2 or e[0] - e[1] <= 1e-12 * e[0]:
        return float("nan")
    mean = flock.velocities.mean(axis=0, dtype=np.float64)
    pace = np.linalg.norm(mean)
    most = np.abs(flock.velocities).max()
    if pace <= 1e-12 * most:
        return float("nan")
    return float(abs(found.axes[0] @ mean) / pace)
