"""When agents are done: endings, which a task lists. An agent is done when one of them applies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from murmurate.errors import ModelError
from murmurate.model.space import Space
from murmurate.neighbours.periodic import displacements

if TYPE_CHECKING:
    from murmurate.runs.worlds import Worlds


@dataclass(frozen=True)
class Collision:
    """An agent is done when another boid is at most a distance away.

    Parameters
    ----------
    distance : float
        In length units, above 0.

    Raises
    ------
    ModelError
        The distance is not above 0.
    """

    distance: float

    def __post_init__(self) -> None:
        if not self.distance > 0:
            raise ModelError(f"distance: got {self.distance!r}; expected a number above 0")

    def __call__(self, worlds: Worlds, flock: str) -> np.ndarray:
        """Return (E, N) bool."""
        from murmurate.neighbours.k_nearest import NOBODY, k_nearest

        flocks = [flock, *(name for name in worlds.model.flocks if name != flock)]
        positions = np.concatenate([worlds[name].positions for name in flocks], axis=1)
        rows = k_nearest(
            positions, worlds.model.space, 1, radius=self.distance, threads=worlds.options.threads,
            observers=slice(worlds[flock].positions.shape[1]),
        )  # fmt: skip
        return rows[..., 0] != NOBODY


@dataclass(frozen=True)
class Arrival:
    """A world is done when the centre of a flock is within a distance of a point.

    Parameters
    ----------
    point : sequence of float
        In length units.
    radius : float
        Distance, in length units.
    flock : str, optional
        The flock that arrives; by default that of the agents.

    Raises
    ------
    ModelError
        The radius is not above 0.
    """

    point: Sequence[float]
    radius: float
    flock: str | None = None

    def __post_init__(self) -> None:
        if not self.radius > 0:
            raise ModelError(f"radius: got {self.radius!r}; expected a number above 0")

    def __call__(self, worlds: Worlds, flock: str) -> np.ndarray:
        """Return (E,) bool."""
        name = self.flock or flock
        return distance_to(self.point, worlds, name) <= self.radius


def distance_to(point: Sequence[float], worlds: Worlds, flock: str) -> np.ndarray:
    """Return (E,) the distance from the centre of a flock to a point, in length units."""
    space: Space = worlds.model.space
    offsets = displacements(np.asarray(point), worlds[flock].positions, space)
    return np.asarray(np.linalg.norm(offsets.mean(axis=1), axis=-1))
