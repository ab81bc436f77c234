"""Arrays of a flock that several measures use: valid rows, unit vectors, nearest neighbours.

Measures of one frame run one after another and share intermediate results, so `cached` keeps those
of the most recent flock.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from murmurate.errors import MeasureError
from murmurate.frame import FlockFrame, Frame
from murmurate.measures.limits import check_count
from murmurate.neighbours.search import NeighbourSearch

Needs = Literal["positions", "velocities", "both"]
Result = TypeVar("Result")

CACHE: WeakKeyDictionary[FlockFrame, dict[Any, Any]] = WeakKeyDictionary()  # at most one flock
MAX_UNCOUNTED = 5_000  # boids up to which pairs are listed without counting them first
MAX_PAIRS = 30_000_000  # pairs in a list, half a gigabyte


def valid_rows(flock: FlockFrame, needs: Needs = "both") -> FlockFrame:
    """Return the flock without the boids that were not seen.

    Tracks of real animals have gaps: a boid whose position or velocity is not finite was not seen,
    and measures leave it out.

    Parameters
    ----------
    flock : FlockFrame
        N boids.
    needs : {'both', 'positions', 'velocities'}
        Arrays that must be finite. A measure of positions keeps a boid with unknown velocity.

    Returns
    -------
    FlockFrame
        The flock itself if all its boids were seen, else a copy of the valid rows.

    Raises
    ------
    MeasureError
        If `flock` is not a FlockFrame.
    """
    if not isinstance(flock, FlockFrame):
        raise MeasureError(f"flock: got {_describe(flock)}")
    rows = np.ones(len(flock), dtype=bool)
    if needs != "velocities":
        rows &= _finite_rows(flock.positions)
    if needs != "positions":
        rows &= _finite_rows(flock.velocities)
    return flock if rows.all() else flock.take(np.flatnonzero(rows))


def common_rows(old: np.ndarray, new: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows in `old` and in `new` of the ids that both contain, in order of the ids.

    Measures over time compare boids by this function, since the boids of a flock may come and go.
    """
    if np.array_equal(old, new):
        return np.arange(len(old)), np.arange(len(new))
    _, old_rows, new_rows = np.intersect1d(old, new, assume_unique=True, return_indices=True)
    return old_rows, new_rows


def _finite_rows(rows: np.ndarray) -> np.ndarray:
    """Map (N, D) numbers to (N,) bool. Column by column: numpy is slow along short rows."""
    finite = np.isfinite(rows[:, 0])
    for axis in range(1, rows.shape[1]):
        finite &= np.isfinite(rows[:, axis])
    return finite


def _describe(value: Any) -> str:
    """Describe a value that is not a flock, and how to make a flock from it."""
    if isinstance(value, Frame):
        names = ", ".join(value.flocks)
        name = next(iter(value.flocks), "boids")
        return f"a Frame with flocks {names}; expected one flock. Give frame[{name!r}]."
    if isinstance(value, np.ndarray | list | tuple):
        return (
            f"{type(value).__name__}; expected a FlockFrame. mm.measures.of_arrays(positions, "
            "velocities) makes one from arrays, mm.measures.of_tracks(positions, dt) makes frames "
            "from an array of shape (T, N, D)."
        )
    return (
        f"{type(value).__name__}; expected a FlockFrame, such as frame['boids'] or "
        "mm.measures.of_arrays(positions, velocities)"
    )


def unit_vectors(vectors: np.ndarray) -> np.ndarray:
    """Map (N, D) vectors to (D, N) float64 unit vectors; a zero vector stays zero.

    A boid at rest has no heading: it adds nothing to a sum of headings, but counts among the N of a
    mean. The result has one row per axis, since numpy is many times faster along long rows.
    """
    rows = np.array(np.asarray(vectors).T, dtype=np.float64, order="C")
    lengths = np.sqrt(np.einsum("ij,ij->j", rows, rows))
    lengths[lengths == 0.0] = 1.0
    rows /= lengths
    return rows


def headings_by_id(flock: FlockFrame) -> tuple[np.ndarray, np.ndarray]:
    """Return (n,) ids and (n, D) headings of the boids that are seen and move."""
    flock = valid_rows(flock, "velocities")
    headings = unit_vectors(flock.velocities).T
    moving = headings.any(axis=1)
    return flock.ids[moving], headings[moving]


def sample_rows(count: int, max_rows: int, seed: int) -> np.ndarray:
    """Return the indices of a random subset of at most `max_rows` of `count` boids, ascending."""
    if count <= max_rows:
        return np.arange(count)
    return np.sort(np.random.default_rng(seed).choice(count, max_rows, replace=False))


def cached(flock: FlockFrame, key: Any, compute: Callable[[], Result]) -> Result:
    """Return `compute()`, computed once per flock until another flock is asked for.

    flock  the flock that the result belongs to. The cache is dropped together with it.
    key  name of the result, and everything besides the flock that it depends on
    compute  computes the result. The result is shared: callers must not change it, and it must not
        hold a reference to the flock.
    """
    results = CACHE.get(flock)
    if results is None:
        CACHE.clear()
        results = CACHE[flock] = {}
    if key not in results:
        results[key] = compute()
    return results[key]


def neighbour_search(flock: FlockFrame) -> NeighbourSearch:
    """Return the neighbour search over a flock's positions, which must all be finite."""
    return cached(flock, "search", lambda: NeighbourSearch(flock.positions, flock.space))


def nearest_distances(flock: FlockFrame) -> np.ndarray:
    """Return (N,) distances to the nearest other boid; empty for fewer than 2 boids."""
    return cached(flock, "nearest distances", lambda: neighbour_search(flock).nearest_distances())


def nearest_neighbours(flock: FlockFrame, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Return (N, k) distances to the k nearest other boids, ascending, and (N, k) their rows.

    The flock must have more than k boids.
    """
    return cached(flock, ("nearest", k), lambda: neighbour_search(flock).nearest(k))


def pairs_within(flock: FlockFrame, radius: float, name: str) -> np.ndarray:
    """Return (P, 2) rows of all pairs at most `radius` apart.

    Raises MeasureError, in the name of the measure `name`, above 30 million pairs.
    """
    search = neighbour_search(flock)
    if len(flock) > MAX_UNCOUNTED:
        pairs = (int(search.count_pairs(radius)) - len(flock)) // 2
        check_count(pairs, MAX_PAIRS, name, "pairs", "Give a smaller radius.")
    return search.pairs(radius)
