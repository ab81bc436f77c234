"""Bands: number density and order along the direction in which a flock moves."""

from __future__ import annotations

import itertools

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.curve import (
    Curve,
    binned_curve,
    check_edges,
    empty_curve,
    equal_bins,
    ratio,
)
from murmurate.measures.flock_data import unit_vectors, valid_rows
from murmurate.measures.registry import measure

GREGOIRE = "10.1103/PhysRevLett.92.025702 10.1103/PhysRevE.77.046113"
BINS = 32
ACROSS = "position along the mean heading, share of the box"


@measure(
    "curve",
    unit="1",
    across=ACROSS,
    bounds="0 up",
    definition="number density in a slab across the mean heading / mean number density",
    source=GREGOIRE,
)
def density_profile(
    flock: FlockFrame, *, bins: int = BINS, edges: np.ndarray | None = None
) -> Curve:
    """Return the number density in slabs along the mean heading, over the mean density.

    rho(s) / rho_0, with s from 0 to 1 in the direction of the mean heading.

    Parameters
    ----------
    flock : FlockFrame
        N boids in D dimensions.
    bins : int, default 32
        Number of slabs of equal width.
    edges : array_like of shape (B + 1,), optional
        Edges of the slabs, in place of `bins`.

    Returns
    -------
    Curve
        Over s (no unit); `count` is the number of boids. 1 everywhere for a uniform flock, a peak
        for a band, whose steep side is the front (larger s). Multiply by N / (volume of the box)
        for boids per length^D. Without points for a mean heading of 0, and for a flock without
        extent along an open axis.

    Raises
    ------
    MeasureError
        For invalid bins or edges.

    Notes
    -----
    On periodic axes s is the phase of the plane wave that fits the box and is nearest to the mean
    heading: along a side or a diagonal, combined from the longest wave of each axis. Slabs then
    close on themselves and fill the box. s = 1/2 is the circular mean of the phases, so a band is
    in the middle, wherever it is in the box. If the heading is nearer to the open axes, or all axes
    are open, s is the position along the heading from the last boid to the first.

    Source: as profiles are shown by Gregoire & Chate 2004, doi:10.1103/PhysRevLett.92.025702, and
    Chate et al. 2008, doi:10.1103/PhysRevE.77.046113.
    """
    s, edges = _profile_coordinates(flock)[0], _slab_edges(bins, edges)
    if not len(s):
        return empty_curve()
    count = np.histogram(s, edges)[0].astype(np.float64)
    return binned_curve(edges, count / (len(s) * np.diff(edges)), count)


@measure(
    "curve",
    unit="1",
    across=ACROSS,
    bounds="-1 to 1",
    definition="mean of u_i . U in a slab across U, U the direction of the mean heading",
    source=GREGOIRE,
)
def order_profile(flock: FlockFrame, *, bins: int = BINS, edges: np.ndarray | None = None) -> Curve:
    """Return the alignment with the mean heading in slabs along it.

    The mean over the boids of a slab of u_i . U, with u_i the heading of boid i and U the direction
    of the mean heading.

    Parameters
    ----------
    flock : FlockFrame
        N boids in D dimensions.
    bins, edges : int or array_like, optional
        Slabs, as for `density_profile`.

    Returns
    -------
    Curve
        Over s (no unit), see `density_profile`. Near 1 in a band, near 0 in the disordered gas
        between bands; nan in a slab without boids.

    Raises
    ------
    MeasureError
        For invalid bins or edges.

    Notes
    -----
    Source: doi:10.1103/PhysRevLett.92.025702, doi:10.1103/PhysRevE.77.046113.
    """
    (s, alignment), edges = _profile_coordinates(flock), _slab_edges(bins, edges)
    if not len(s):
        return empty_curve()
    count = np.histogram(s, edges)[0].astype(np.float64)
    sums = np.histogram(s, edges, weights=alignment)[0]
    return binned_curve(edges, ratio(sums, count), count)


@measure(
    "number",
    unit="1",
    bounds="1 up, to the number of bins",
    definition="largest value of the density profile: peak / mean density",
    source=GREGOIRE,
    missing="the flock has no density profile",
)
def band_peak(flock: FlockFrame, *, bins: int = BINS) -> float:
    """Return the largest value of the density profile, the peak density over the mean density.

    Parameters
    ----------
    flock : FlockFrame
        N boids in D dimensions.
    bins : int, default 32
        Number of slabs, as for `density_profile`.

    Returns
    -------
    float
        1 or more (no unit); nan for a flock without a profile. Random points have about
        1 + 2 sqrt(bins / N) at 32 bins: compare flocks of equal size, or use `band_contrast`.

    Raises
    ------
    MeasureError
        For invalid bins.

    Notes
    -----
    Source: doi:10.1103/PhysRevLett.92.025702, doi:10.1103/PhysRevE.77.046113.
    """
    curve = density_profile(flock, bins=bins)
    return float(curve.y.max()) if len(curve) else float("nan")


@measure(
    "number",
    unit="1",
    bounds="0: even; up",
    definition="sqrt(var(n) / <n>^2 - 1 / <n>), n boids in a slab across the mean heading",
    source=GREGOIRE,
    missing="the flock has no density profile",
)
def band_contrast(flock: FlockFrame, *, bins: int = BINS) -> float:
    """Return the relative standard deviation of the density profile, without counting noise.

    sqrt(var(n) / <n>^2 - 1 / <n>), with n the number of boids in a slab of `density_profile`.

    Parameters
    ----------
    flock : FlockFrame
        N boids in D dimensions.
    bins : int, default 32
        Number of slabs.

    Returns
    -------
    float
        0 or more (no unit); 0 if the variance is below that of random points, nan for a flock
        without a profile. a / sqrt(2) for a density of 1 + a cos(2 pi s), and 1 if all boids are
        spread over half the box, whatever their number. Random points have 0, with fluctuations of
        0.2 at 100 boids and 0.05 at 2,000.

    Raises
    ------
    MeasureError
        For invalid bins.

    Notes
    -----
    Source: of profiles as in doi:10.1103/PhysRevLett.92.025702 and doi:10.1103/PhysRevE.77.046113.
    Subtracting the counting noise is specific to this function.
    """
    count = density_profile(flock, bins=bins).count
    if not len(count):
        return float("nan")
    mean = count.mean()
    # Divided by bins - 1: exact for random points with a fixed total.
    variance = count.var(ddof=1) if len(count) > 1 else 0.0
    return float(np.sqrt(max(variance / mean**2 - 1 / mean, 0.0)))


def _slab_edges(bins: int, edges: np.ndarray | None) -> np.ndarray:
    return check_edges(equal_bins(1.0, bins) if edges is None else edges)


def _profile_coordinates(flock: FlockFrame) -> tuple[np.ndarray, np.ndarray]:
    """Return (n,) s of each boid, and (n,) u_i . U; empty for a flock without a profile."""
    flock = valid_rows(flock)
    none = np.empty(0), np.empty(0)
    if not len(flock):
        return none
    u = unit_vectors(flock.velocities)
    mean = u.mean(axis=1)
    length = float(np.linalg.norm(mean))
    if length <= 1e-12:
        return none
    mean /= length
    waves = _box_waves(flock.space.size, flock.space.periodic)
    cosines = [float(wave @ mean / np.linalg.norm(wave)) for wave in waves]
    open_part = np.where(flock.space.periodic, 0.0, mean)
    positions = flock.space.wrap_from_corner(flock.positions)
    if not waves or max(cosines) < np.linalg.norm(open_part):
        s = positions @ open_part
        s -= s.min()
        width = s.max()
        return (s / width, mean @ u) if width > 0 else none
    phases = positions @ waves[int(np.argmax(cosines))]
    middle = np.angle(np.exp(2j * np.pi * phases).sum()) / (2 * np.pi)
    return (phases - middle + 0.5) % 1.0, mean @ u


def _box_waves(size: tuple[float, ...], periodic: tuple[bool, ...]) -> list[np.ndarray]:
    """Return (D,) vectors w of plane waves of phase w . x, with -1, 0 or 1 periods per side."""
    choices = [(-1, 0, 1) if is_periodic else (0,) for is_periodic in periodic]
    return [np.array(counts) / size for counts in itertools.product(*choices) if any(counts)]
