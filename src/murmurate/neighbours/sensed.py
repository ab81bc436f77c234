"""Neighbours that boids sense, for controllers: the nearest in a radius and field of view."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from murmurate.errors import ModelError
from murmurate.model.space import Space
from murmurate.neighbours.periodic import displacements
from murmurate.neighbours.search import NeighbourSearch


@dataclass(frozen=True, eq=False)
class Neighbours:
    """Neighbours of N boids, the nearest first, in arrays with K columns.

    Attributes
    ----------
    ids : (N, K) int64
        Ids of the neighbours; -1 where a boid has fewer.
    displacements : (N, K, D) float64
        Vectors from a boid to the nearest images of its neighbours; nan where it has fewer.
    distances : (N, K) float64
        Lengths of these vectors; inf where it has fewer.
    velocities : (N, K, D) float64
        Velocities of the neighbours; nan where it has fewer.
    """

    ids: np.ndarray
    displacements: np.ndarray
    distances: np.ndarray
    velocities: np.ndarray

    @property
    def counts(self) -> np.ndarray:
        """(N,) int64: the number of neighbours of each boid."""
        return np.asarray((self.ids >= 0).sum(axis=1), np.int64)


def check_zone(k: int | None, radius: float, field_of_view: float) -> None:
    """Raise ModelError for a zone that cannot be searched."""
    if k is not None and (isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1):
        raise ModelError(f"k: got {k!r}; expected a whole number of at least 1")
    if not isinstance(radius, int | float | np.number) or not radius > 0:
        raise ModelError(f"radius: got {radius!r}; expected a number above 0")
    if k is None and math.isinf(radius):
        raise ModelError("neighbours: got no k and no radius; expected one of them, or both")
    if not isinstance(field_of_view, int | float | np.number) or not 0 < field_of_view <= 180:
        raise ModelError(
            f"field_of_view: got {field_of_view!r}; expected half an angle in degrees, above 0 and "
            "at most 180"
        )


def sensed_rows(
    positions: np.ndarray,
    velocities: np.ndarray,
    candidates: np.ndarray,
    space: Space,
    own: bool,
    k: int | None = None,
    radius: float = math.inf,
    field_of_view: float = 180.0,
) -> np.ndarray:
    """Return (N, K) rows of the candidates that boids sense, the nearest first, or -1.

    positions, velocities  (N, D) of the boids
    candidates  (M, D) positions
    own  whether the candidates are the boids themselves, which do not sense themselves
    """
    search, n = NeighbourSearch(candidates, space), len(candidates)
    if k is None:
        room = int(search.counts_around(positions, radius).max(initial=0))
    else:
        room = k + own if field_of_view == 180.0 else 2 * k + own
    while True:
        room = max(1, min(room, n))
        distances, rows = search.within(positions, room, radius)
        sensed = rows >= 0
        if own:
            sensed &= rows != np.arange(len(rows))[:, None]
        if field_of_view < 180.0 and n:
            to = displacements(candidates[rows], positions[:, None], space)
            sensed &= _in_view(to, velocities, field_of_view)
        complete = k is None or room >= n or ((rows[:, -1] < 0) | (sensed.sum(axis=1) >= k)).all()
        if complete:
            break
        room *= 2
    order = np.lexsort((rows, distances, ~sensed), axis=1)
    columns = int(sensed.sum(axis=1).max(initial=0)) if k is None else k
    chosen = np.take_along_axis(np.where(sensed, rows, -1), order, axis=1)[:, :columns]
    missing = columns - chosen.shape[1]
    return np.pad(chosen, ((0, 0), (0, missing)), constant_values=-1) if missing > 0 else chosen


def _in_view(to: np.ndarray, velocities: np.ndarray, field_of_view: float) -> np.ndarray:
    """Return (N, K) whether vectors are in view. A boid at rest sees all around."""
    along = np.einsum("nkd,nd->nk", to, velocities.astype(float))
    lengths = np.linalg.norm(to, axis=2) * np.linalg.norm(velocities, axis=1)[:, None]
    return np.asarray(along >= math.cos(math.radians(field_of_view)) * lengths)
