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

BINS = 32
ACROSS = "position along the mean heading, share of the box"


@measure(
    "curve",
    across=ACROSS,
    definition="number density in a slab across the mean heading / mean number density",
    source="Gregoire & Chate 2004; Chate et al. 2008",
)
def density_profile(
    flock: FlockFrame, *, bins: int = BINS, edges: np.ndarray | None = None
) -> Curve:
    """Return the number density in slabs along the mean heading, over the mean density.

    bins: Number of slabs of equal width.
    edges: Edges of the slabs, in place of `bins`.
    value: `count` is the number of boids. 1 everywhere for a uniform flock, a peak for a band,
        whose steep side is the front (larger s). Multiply by N / (volume of the box) for boids per
        length^D. Without points also for a mean heading of 0, and for a flock without extent along
        an open axis.

    On periodic axes the position s is the phase of the plane wave that fits the box and is nearest
    to the mean heading: along a side or a diagonal, combined from the longest wave of each axis.
    Slabs then close on themselves and fill the box. s = 1/2 is the circular mean of the phases, so
    a band is in the middle, wherever it is in the box. If the heading is nearer to the open axes,
    or all axes are open, s is the position along the heading from the last boid to the first.
    """
    s, edges = _profile_coordinates(flock)[0], _slab_edges(bins, edges)
    if not len(s):
        return empty_curve()
    count = np.histogram(s, edges)[0].astype(np.float64)
    return binned_curve(edges, count / (len(s) * np.diff(edges)), count)


@measure(
    "curve",
    bounds="-1 to 1",
    across=ACROSS,
    definition="mean of u_i . U in a slab across U, U the direction of the mean heading",
    source="Gregoire & Chate 2004; Chate et al. 2008",
)
def order_profile(flock: FlockFrame, *, bins: int = BINS, edges: np.ndarray | None = None) -> Curve:
    """Return the alignment with the mean heading in slabs along it.

    bins: Number of slabs of equal width.
    edges: Edges of the slabs, in place of `bins`.
    value: See `density_profile` for the position. Near 1 in a band, near 0 in the disordered gas
        between bands; nan in a slab without boids.
    """
    (s, alignment), edges = _profile_coordinates(flock), _slab_edges(bins, edges)
    if not len(s):
        return empty_curve()
    count = np.histogram(s, edges)[0].astype(np.float64)
    sums = np.histogram(s, edges, weights=alignment)[0]
    return binned_curve(edges, ratio(sums, count), count)


@measure(
    bounds="1 up, to the number of bins",
    definition="largest value of the density profile: peak / mean density",
    source="Gregoire & Chate 2004; Chate et al. 2008",
    missing="the flock has no density profile",
)
def band_peak(flock: FlockFrame, *, bins: int = BINS) -> float:
    """Return the largest value of the density profile, the peak density over the mean density.

    bins: Number of slabs, as for `density_profile`.
    value: Random points have about 1 + 2 sqrt(bins / N) at 32 bins: compare flocks of equal size,
        or use `band_contrast`.
    """
    curve = density_profile(flock, bins=bins)
    return float(curve.y.max()) if len(curve) else float("nan")


@measure(
    bounds="0: even; up",
    definition="sqrt(var(n) / <n>^2 - 1 / <n>), n boids in a slab across the mean heading",
    source="Gregoire & Chate 2004; Chate et al. 2008",
    missing="the flock has no density profile",
)
def band_contrast(flock: FlockFrame, *, bins: int = BINS) -> float:
    """Return the relative standard deviation of the density profile, without counting noise.

    bins: Number of slabs, as for `density_profile`.
    value: 0 if the variance is below that of random points. a / sqrt(2) for a density of 1 + a
        cos(2 pi s), and 1 if all boids are spread over half the box, whatever their number. Random
        points have 0, with fluctuations of 0.2 at 100 boids and 0.05 at 2,000.
    source: These have such profiles; subtracting the counting noise is specific to this function.
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
