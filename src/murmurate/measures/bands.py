"""Bands: number density and order along the direction in which a flock flies."""

from __future__ import annotations

import itertools

import numpy as np

from murmurate.frame import FlockFrame
from murmurate.measures.curve import Curve, ascending, binned, even, no_curve, ratio
from murmurate.measures.headings import unit
from murmurate.measures.registry import measure
from murmurate.measures.valid_rows import valid_rows
from murmurate.neighbours.periodic import wrapped

GREGOIRE = "10.1103/PhysRevLett.92.025702 10.1103/PhysRevE.77.046113"
BINS = 32
ACROSS = "place along the mean heading, share of the box"


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
    """rho(s) / rho_0 in equal slabs along the mean heading (no unit): 1 everywhere for a flock that
    is even, a peak for a band, of which the steep side is the front (larger s).

    s runs forward from 0 to 1. On periodic axes it is the phase of the plane wave that fits the box
    and is nearest to the mean heading: along a side, or along a diagonal, in steps of the shortest
    ones; slabs then close on themselves, and fill the box. s = 1/2 is the circular mean of the
    phases, so that a band stands in the middle, wherever it is. Where the heading is nearer to the
    open axes, or all are open, s is the place along the heading from the last boid to the first.

    bins   how many slabs
    edges  (B + 1,) edges of the slabs, in place of bins

    Returns a Curve over s; `count` is the number of boids. Multiply by N / (volume of the box)
    for boids per length^D. Without points where the flock does not fly as a whole, and where it has
    no extent along an open axis. Raises MeasureError for bins or edges that are not allowed.

    Source: as profiles are shown by Gregoire & Chate 2004, doi:10.1103/PhysRevLett.92.025702, and
    Chate et al. 2008, doi:10.1103/PhysRevE.77.046113.
    """
    places, edges = _places(flock)[0], _edges(bins, edges)
    if not len(places):
        return no_curve()
    count = np.histogram(places, edges)[0].astype(np.float64)
    return binned(edges, count / (len(places) * np.diff(edges)), count)


@measure(
    "curve",
    unit="1",
    across=ACROSS,
    bounds="-1 to 1",
    definition="mean of u_i . U in a slab across U, U the direction of the mean heading",
    source=GREGOIRE,
)
def order_profile(flock: FlockFrame, *, bins: int = BINS, edges: np.ndarray | None = None) -> Curve:
    """The mean over the boids of a slab of u_i . U (no unit), u_i the heading, U the direction of
    the mean heading: near 1 in a band, near 0 in the disordered gas between bands.

    nan in a slab without boids. Slabs, options and errors as for `density_profile`.

    Source: doi:10.1103/PhysRevLett.92.025702, doi:10.1103/PhysRevE.77.046113.
    """
    (places, along), edges = _places(flock), _edges(bins, edges)
    if not len(places):
        return no_curve()
    count = np.histogram(places, edges)[0].astype(np.float64)
    return binned(edges, ratio(np.histogram(places, edges, weights=along)[0], count), count)


@measure(
    "number",
    unit="1",
    bounds="1 up, to the number of bins",
    definition="largest value of the density profile: peak / mean density",
    source=GREGOIRE,
)
def band_peak(flock: FlockFrame, *, bins: int = BINS) -> float:
    """The highest number density of a slab by the mean one; see `density_profile`.

    Chance alone gives about 1 + 2 sqrt(bins / N) at 32 bins, so compare flocks of one size, or take
    `band_contrast`. nan where there is no profile.

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
)
def band_contrast(flock: FlockFrame, *, bins: int = BINS) -> float:
    """The relative standard deviation of the number density along the mean heading, less what
    chance adds: sqrt(var(n) / <n>^2 - 1 / <n>) over the slabs of `density_profile`, n the boids in
    one; 0 where there is less than chance adds (no unit).

    a / sqrt(2) for a density of 1 + a cos(2 pi s), 1 where all boids are spread over half the box,
    whatever their number; random points have 0, give or take 0.2 at 100 boids and 0.05 at 2,000.
    nan where there is no profile.

    Source: of profiles as in doi:10.1103/PhysRevLett.92.025702 and doi:10.1103/PhysRevE.77.046113;
    taking off the noise of counting is our choice.
    """
    count = density_profile(flock, bins=bins).count
    if not len(count):
        return float("nan")
    mean = count.mean()
    # Divided by bins - 1: exact for random points, whose total is given.
    spread = count.var(ddof=1) if len(count) > 1 else 0.0
    return float(np.sqrt(max(spread / mean**2 - 1 / mean, 0.0)))


def _edges(bins: int, edges: np.ndarray | None) -> np.ndarray:
    return ascending(even(1.0, bins) if edges is None else edges)


def _places(flock: FlockFrame) -> tuple[np.ndarray, np.ndarray]:
    """(n,) s of each boid, and (n,) u_i . U; empty where there is no profile."""
    flock = valid_rows(flock)
    none = np.empty(0), np.empty(0)
    if not len(flock):
        return none
    u = unit(flock.velocities)
    way = u.mean(axis=1)
    length = float(np.linalg.norm(way))
    if length <= 1e-12:
        return none
    way /= length
    waves = _waves(flock.space.size, flock.space.periodic)
    steep = [float(wave @ way / np.linalg.norm(wave)) for wave in waves]
    open_way = np.where(flock.space.periodic, 0.0, way)
    positions = wrapped(flock.positions, flock.space)
    if not waves or max(steep) < np.linalg.norm(open_way):
        places = positions @ open_way
        places -= places.min()
        width = places.max()
        return (places / width, way @ u) if width > 0 else none
    turns = positions @ waves[int(np.argmax(steep))]
    middle = np.angle(np.exp(2j * np.pi * turns).sum()) / (2 * np.pi)
    return (turns - middle + 0.5) % 1.0, way @ u


def _waves(size: tuple[float, ...], periodic: tuple[bool, ...]) -> list[np.ndarray]:
    """(D,) vectors w of plane waves of phase w . x, with -1, 0 or 1 turns a periodic side."""
    choices = [(-1, 0, 1) if one else (0,) for one in periodic]
    return [np.array(turns) / size for turns in itertools.product(*choices) if any(turns)]
