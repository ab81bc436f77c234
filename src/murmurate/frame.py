"""Frame: one moment of a flock, read-only, in id order.

It is the one interface between engines and all that reads them: engines make frames; measures,
recorders and pictures read frames and nothing else, so a live run and a recording are the same
thing to them. The boids of a distributed simulation stay on their workers: a DistributedFrame calls
functions there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from murmurate.model.obstacles import ObstacleShape
from murmurate.model.space import Space

if TYPE_CHECKING:
    from murmurate.neighbours.sensed import Neighbours

Array = np.ndarray


def _freeze(array: Array) -> Array:
    array = np.ascontiguousarray(array)
    array.flags.writeable = False
    return array


@dataclass(frozen=True, eq=False, repr=False)
class FlockFrame:
    """One flock at one step. `len(flock)` is its number of boids.

    Attributes
    ----------
    name : str
        The flock's name in the model.
    ids : (N,) int64
        Ascending. An id belongs to one boid for the whole run.
    positions : (N, D) float
        Length units.
    velocities : (N, D) float
        Length units per time unit.
    perch_timers : (N,) int64
        Steps left on the ground; 0 for boids in the air.
    space : Space
        The model's space: measures read which axes are periodic.
    memory : (N, M) float
        Per-boid state besides positions and velocities. The first columns are the numbers that
        the motion and the rules store, in the order of `state_names`. Past states follow if the
        flock senses with a delay. M is 0 for most models.
    state_names : tuple of str
        Names of the first columns of `memory`, such as 'rules.flee.tiredness'; see `state`.
    images : (N, D) int or None
        How often a boid crossed each periodic axis, from files that record it.
    traits : mapping of str to (N,) float
        Numbers of rules and of the motion that differ between boids, by their path in the model,
        such as 'rules.cohesion.weight' or 'motion.max_speed'. They do not change in time.
    births : (N,) int64
        Step at which each boid joined the flock; 0 for boids of the start.
    n_ever : int
        Number of boids that have ever been in the flock. The next one to join gets the id that
        follows theirs, so no id is used twice.
    """

    name: str
    ids: Array
    positions: Array
    velocities: Array
    perch_timers: Array
    space: Space
    memory: Array = field(default=None)  # type: ignore[arg-type]
    state_names: tuple[str, ...] = ()
    images: Array | None = None
    traits: Mapping[str, Array] = field(default_factory=dict)
    births: Array = field(default=None)  # type: ignore[arg-type]
    n_ever: int = -1

    def __post_init__(self) -> None:
        if self.memory is None:
            none = np.zeros((len(self.positions), 0), self.positions.dtype)
            object.__setattr__(self, "memory", none)
        if self.births is None:
            object.__setattr__(self, "births", np.zeros(len(self.positions), np.int64))
        if self.n_ever < 0:
            object.__setattr__(self, "n_ever", len(self.positions))
        for name in ("ids", "positions", "velocities", "perch_timers", "memory", "births"):
            object.__setattr__(self, name, _freeze(getattr(self, name)))
        traits = {name: _freeze(values) for name, values in self.traits.items()}
        object.__setattr__(self, "traits", MappingProxyType(traits))

    def __len__(self) -> int:
        return len(self.positions)

    def __repr__(self) -> str:
        return f"<FlockFrame {self.name!r}: {len(self)} boids, {self.space.dims}-D>"

    def state(self, name: str) -> Array:
        """Return per-boid state that a rule or the motion stores.

        Parameters
        ----------
        name : str
            One of `state_names`, such as 'rules.flee.tiredness'.

        Returns
        -------
        (N,) float
            The stored numbers.

        Raises
        ------
        KeyError
            The flock does not store this name.
        """
        if name not in self.state_names:
            names = ", ".join(self.state_names) or "nothing"
            raise KeyError(
                f"state: got {name!r}; expected what flock {self.name!r} stores: {names}"
            )
        return self.memory[:, self.state_names.index(name)]

    def take(self, rows: Array) -> FlockFrame:
        """Return some of the boids, with all their data.

        Parameters
        ----------
        rows : (M,) int
            Rows of the boids, ascending.

        Returns
        -------
        FlockFrame
            M boids; the flock itself if these are all its boids.
        """
        if len(rows) == len(self):
            return self
        fields = ("ids", "positions", "velocities", "perch_timers", "memory", "births")
        return replace(
            self,
            **{name: getattr(self, name)[rows] for name in fields},
            images=None if self.images is None else self.images[rows],
            traits={name: values[rows] for name, values in self.traits.items()},
        )

    @property
    def n_left(self) -> int:
        """Return the number of boids that have left the flock."""
        return self.n_ever - len(self)

    def per_boid(self, name: str) -> Array:
        """Return a number of each boid: one of `traits`, or per-boid state.

        Parameters
        ----------
        name : str
            A name in `traits` or `state_names`, or its last part if only one of them ends with it:
            'weight' for 'rules.cohesion.weight'.

        Returns
        -------
        (N,) float
            The numbers, in the order of `ids`.

        Raises
        ------
        KeyError
            No name matches, or several do.
        """
        names = [*self.traits, *self.state_names]
        matches = [name] if name in names else [k for k in names if k.endswith(f".{name}")]
        if len(matches) != 1:
            expected = ", ".join(matches or names) or "none: its boids have no numbers of their own"
            raise KeyError(
                f"per_boid: got {name!r}; expected one name of flock {self.name!r}: {expected}"
            )
        (match,) = matches
        return self.traits[match] if match in self.traits else self.state(match)

    @property
    def perching(self) -> Array:
        """(N,) bool: whether each boid stands on the ground."""
        return self.perch_timers > 0


@dataclass(frozen=True, eq=False, repr=False)
class Frame(Mapping[str, FlockFrame]):
    """All flocks at one step: a mapping from names to flocks.

    `frame["boids"]` is a flock, `len(frame)` the number of flocks, and iteration gives their names.

    Attributes
    ----------
    step : int
        Steps since the start.
    time : float
        step * dt, in the model's time unit.
    space : Space
        The model's space.
    flocks : mapping of str to FlockFrame
        The flocks in the model's order.
    obstacles : mapping of str to shape
        The obstacles with their numbers at this step.
    """

    step: int
    time: float
    space: Space
    flocks: Mapping[str, FlockFrame]
    obstacles: Mapping[str, ObstacleShape] = field(default_factory=dict)

    __eq__ = object.__eq__  # a mapping would compare arrays
    __hash__ = object.__hash__

    def __repr__(self) -> str:
        flocks = ", ".join(f"{name} {len(flock)}" for name, flock in self.items())
        return f"<Frame step {self.step}, time {self.time:g}: {flocks}>"

    def __getitem__(self, name: str) -> FlockFrame:
        try:
            return self.flocks[name]
        except KeyError:
            names = ", ".join(self.flocks)
            raise KeyError(f"frame: got flock {name!r}; expected one of {names}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.flocks)

    def __len__(self) -> int:
        return len(self.flocks)

    @property
    def n_boids(self) -> int:
        """The number of boids in all flocks."""
        return sum(map(len, self.flocks.values()))

    def neighbours(
        self,
        flock: str = "",
        *,
        senses: str = "",
        k: int | None = None,
        radius: float = math.inf,
        field_of_view: float = 180.0,
    ) -> Neighbours:
        """Return the neighbours of each boid of a flock, the nearest first.

        Parameters
        ----------
        flock : str, optional
            The flock of the boids; by default the largest.
        senses : str, optional
            The flock of the neighbours; by default the same. A boid is no neighbour of itself.
        k : int, optional
            The largest number of neighbours; by default all within the radius.
        radius : float, default inf
            Largest distance, length units; one at exactly this distance counts. Distances are to
            the nearest image on periodic axes.
        field_of_view : float, default 180
            Half angle, in degrees, of the cone along a boid's velocity in which it sees. A boid at
            rest sees all around.

        Returns
        -------
        Neighbours
            ids, displacements, distances and velocities, in K columns: `k`, or the largest number
            within the radius.

        Raises
        ------
        ModelError
            `k`, `radius` or `field_of_view` is wrong, or both `k` and `radius` are missing.
        KeyError
            A flock is unknown.
        """
        from murmurate.neighbours.sensed import Neighbours, check_zone, sensed_rows

        check_zone(k, radius, field_of_view)
        main = self.main
        name = flock or (main.name if main is not None else "")
        boids, others = self[name], self[senses or name]
        rows = sensed_rows(
            boids.positions, boids.velocities, others.positions, self.space,
            boids is others, k, float(radius), float(field_of_view),
        )  # fmt: skip
        absent = rows < 0
        to = np.full((*rows.shape, self.space.dims), np.nan)
        velocities = to.copy()
        at = np.nonzero(~absent)
        difference = others.positions[rows[at]].astype(float) - boids.positions[at[0]]
        to[at] = self.space.minimum_image(difference)
        velocities[at] = others.velocities[rows[at]]
        distances = np.where(absent, np.inf, np.linalg.norm(to, axis=2))
        ids = np.full(rows.shape, -1)
        ids[at] = others.ids[rows[at]]
        return Neighbours(ids, to, distances, velocities)

    @property
    def main(self) -> FlockFrame | None:
        """The largest flock (the first one of equals), which is shown and measured by default.

        None if the model has no flock.
        """
        return max(self.flocks.values(), key=len, default=None)


Arrays = Mapping[str, np.ndarray]
MapParts = Callable[[Callable[[list[FlockFrame]], Any]], list[Any]]
GatherById = Callable[
    [Sequence[int], Callable[[int, Arrays], Any], Callable[[Iterator[Any]], Any]], Any
]


@dataclass(frozen=True, eq=False)
class DistributedFrame:
    """One moment of a flock whose boids several workers hold; valid until the next step.

    step          whole number of steps since the start
    time          step * dt, in the model's time unit
    map_parts     map_parts(function): on each worker, call `function` with a list of frames, one
                  for each flock that has boids there, whose ids are not in order; return the list
                  of results
    gather_by_id  gather_by_id(bounds, map, reduce): for each k, gather the boids with the ids
                  bounds[k] to bounds[k + 1] - 1 on one worker, in the order of ids, and apply
                  `map(k, arrays)` there; pass the iterator of results, in the order of k, to
                  `reduce`, and return its result. `arrays` are those of a recording, by name. If a
                  worker is lost meanwhile, `reduce` is called again
    """

    step: int
    time: float
    map_parts: MapParts
    gather_by_id: GatherById


@dataclass(frozen=True, eq=False, repr=False)
class WorldsFlock:
    """One flock in all of E worlds. The arrays are read-only, and in id order.

    Attributes
    ----------
    name : str
        The flock's name in the model.
    positions : (E, N, D) float
        Length units. N is the number of boids; where boids join and leave, the largest that the
        model allows, with nan in rows without boid.
    velocities : (E, N, D) float
        Length units per time unit; nan in rows without boid.
    ids : (E, N) int64
        -1 in rows without boid.
    present : (E, N) bool
        Whether a row has a boid.
    perch_timers : (E, N) int
        Steps left on the ground; 0 for boids in the air.
    memory : (E, N, M) float
        Per-boid state of the motion and the rules: see `state`.
    state_names : tuple of str
        Names of the columns of `memory`, such as 'rules.flee.tiredness'.
    """

    name: str
    positions: Array
    velocities: Array
    ids: Array
    present: Array
    perch_timers: Array
    memory: Array
    state_names: tuple[str, ...]

    def __post_init__(self) -> None:
        for name, array in vars(self).items():
            if isinstance(array, np.ndarray):
                view = array.view()
                view.flags.writeable = False
                object.__setattr__(self, name, view)

    def __repr__(self) -> str:
        worlds, boids, dims = self.positions.shape
        return f"<WorldsFlock {self.name!r}: {worlds} worlds, {boids} boids, {dims}-D>"

    def state(self, name: str) -> Array:
        """Return per-boid state that a rule or the motion stores, (E, N).

        Parameters
        ----------
        name : str
            One of `state_names`.

        Raises
        ------
        KeyError
            The flock does not store this name.
        """
        if name not in self.state_names:
            names = ", ".join(self.state_names) or "nothing"
            raise KeyError(
                f"state: got {name!r}; expected what flock {self.name!r} stores: {names}"
            )
        return self.memory[..., self.state_names.index(name)]
