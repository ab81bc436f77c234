"""Observations of agents: columns of numbers, written for all worlds together.

A task lists observations; their columns stand side by side, in this order, in the row of an agent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from murmurate.errors import ModelError
from murmurate.model.messages import format_unknown
from murmurate.model.model import Model
from murmurate.neighbours.periodic import displacements
from murmurate.rules.policy_columns import nearest_columns, own_columns

if TYPE_CHECKING:
    from murmurate.runs.worlds import Worlds


class Observation(Protocol):
    """Some columns of observations."""

    def columns(self, model: Model, flock: str) -> tuple[str, ...]:
        """Return the names of the columns for agents of a flock.

        Raises
        ------
        ModelError
            The model has nothing of this kind.
        """

    def write(self, worlds: Worlds, flock: str, out: np.ndarray) -> None:
        """Write the columns of all agents.

        Parameters
        ----------
        worlds : Worlds
            The worlds, after a step.
        flock : str
            The flock of the agents.
        out : (E, N, columns) float32
            Zeros. Rows of agents that are not there are not read.
        """


@dataclass(frozen=True)
class OwnVelocity:
    """The velocity of the agent, in length units per time unit: D columns."""

    def columns(self, model: Model, flock: str) -> tuple[str, ...]:
        return own_columns("velocity", model.space.dims)

    def write(self, worlds: Worlds, flock: str, out: np.ndarray) -> None:
        for axis, values in enumerate(np.moveaxis(worlds[flock].velocities, -1, 0)):
            out[..., axis] = values  # numpy is slow along short rows


@dataclass(frozen=True)
class OwnPosition:
    """The position of the agent, or where a point is from there: D columns, in length units.

    Parameters
    ----------
    point : sequence of float, optional
        With a point, the vector from the agent to it, to its nearest image on periodic axes.
    """

    point: Sequence[float] | None = None

    def columns(self, model: Model, flock: str) -> tuple[str, ...]:
        dims = model.space.dims
        if self.point is not None and len(self.point) != dims:
            raise ModelError(f"point: got {tuple(self.point)}; expected {dims} numbers")
        return own_columns("position" if self.point is None else "to_point", dims)

    def write(self, worlds: Worlds, flock: str, out: np.ndarray) -> None:
        positions = worlds[flock].positions
        if self.point is None:
            out[:] = positions
        else:
            out[:] = displacements(np.asarray(self.point), positions, worlds.model.space)


@dataclass(frozen=True)
class OwnState:
    """Per-boid numbers that the motion and the rules of a flock store: a column for each.

    A rule that stores numbers is a sensor: it computes them from the flock before the last step.

    Parameters
    ----------
    *names : str
        Such as 'rules.flee.tiredness'.
    """

    names: tuple[str, ...]

    def __init__(self, *names: str) -> None:
        object.__setattr__(self, "names", names)

    def columns(self, model: Model, flock: str) -> tuple[str, ...]:
        stored = model.memory_of(flock)
        for name in self.names:
            if name not in stored:
                raise ModelError(format_unknown(f"state of flock {flock!r}", name, stored))
        return self.names

    def write(self, worlds: Worlds, flock: str, out: np.ndarray) -> None:
        for column, name in enumerate(self.names):
            out[..., column] = worlds[flock].state(name)


@dataclass(frozen=True)
class NearestBoids:
    """The k nearest boids, nearest first: for each whether there is one (1 or 0), its position and
    velocity relative to the agent's, and a column for each observed flock if there are several.

    Parameters
    ----------
    k : int
        Number of boids, at least 1.
    flocks : sequence of str, optional
        The flocks that are observed; by default all.
    radius : float
        Largest distance, in length units.
    field_of_view : float
        Half angle in degrees of the cone around the agent's velocity, as in rules; 180: all around.

    Notes
    -----
    Distances are to the nearest image on periodic axes, and exact. Columns of a boid that is not
    there are 0.
    """

    k: int = 8
    flocks: Sequence[str] | None = None
    radius: float = float("inf")
    field_of_view: float = 180.0

    def __post_init__(self) -> None:
        if isinstance(self.k, bool) or not isinstance(self.k, int) or not 1 <= self.k <= 1000:
            raise ModelError(f"k: got {self.k!r}; expected a whole number from 1 to 1000")
        if not self.radius > 0:
            raise ModelError(f"radius: got {self.radius!r}; expected more than 0")
        if not 0 < self.field_of_view <= 180:
            raise ModelError(
                f"field_of_view: got {self.field_of_view!r}; expected half an angle above 0, up to "
                "180"
            )

    def observed(self, model: Model) -> list[str]:
        """Return the names of the flocks that are observed. Raises ModelError."""
        names = list(model.flocks) if self.flocks is None else list(self.flocks)
        for name in names:
            if name not in model.flocks:
                raise ModelError(format_unknown("flock", name, model.flocks))
        return names

    def columns(self, model: Model, flock: str) -> tuple[str, ...]:
        return nearest_columns(self.k, model.space.dims, self.observed(model))

    def write(self, worlds: Worlds, flock: str, out: np.ndarray) -> None:
        from murmurate.environments.nearest_columns import column_writer
        from murmurate.neighbours.k_nearest import k_nearest

        observed = self.observed(worlds.model)
        flocks = observed if flock in observed else [flock, *observed]
        positions = np.concatenate([worlds[name].positions for name in flocks], axis=1)
        velocities = np.concatenate([worlds[name].velocities for name in flocks], axis=1)
        numbers = np.repeat(
            [observed.index(name) if name in observed else -1 for name in flocks],
            [worlds[name].positions.shape[1] for name in flocks],
        )
        first = sum(worlds[name].positions.shape[1] for name in flocks[: flocks.index(flock)])
        agents = slice(first, first + out.shape[1])
        kinds = len(observed) if len(observed) > 1 else 0
        space = worlds.model.space
        write = column_writer(positions, velocities, numbers, first, space, kinds, out)
        k_nearest(
            positions, space, self.k, observers=agents, targets=numbers >= 0,
            radius=self.radius, headings=velocities[:, agents], field_of_view=self.field_of_view,
            threads=worlds.options.threads, then=write,
        )  # fmt: skip
