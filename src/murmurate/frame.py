"""Frame: one moment of a flock, read-only, in id order.

It is the one interface between engines and all that reads them: engines make frames; measures,
recorders and pictures read frames and nothing else, so a live run and a recording are the same
thing to them. The boids of a distributed simulation stay on their workers: a DistributedFrame calls
functions there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from murmurate.model.obstacles import ObstacleShape
from murmurate.model.space import Space

Array = np.ndarray


def _freeze(array: Array) -> Array:
    array = np.ascontiguousarray(array)
    array.flags.writeable = False
    return array


@dataclass(frozen=True, eq=False, repr=False)
class FlockFrame:
    """One flock at one moment.

    name         the flock's name in the model
    ids          (N,) int64, ascending; an id belongs to one boid for the whole run
    positions    (N, D) float, length units
    velocities   (N, D) float, length units per time unit
    perch_timers (N,) int64, steps left on the ground; 0 = flying
    space        the model's space, so that measures know which axes are periodic
    memory       (N, M) float, what a boid carries besides: first the numbers that its motion and
                 its rules keep (a spin, say), by the names of `kept_names`; then, where a flock
                 senses late, its past states. M is 0 for most models
    kept_names   the names of the first columns of memory, such as 'rules.flee.tiredness'; see kept
    images       (N, D) whole numbers: how many sides of a periodic axis a boid has gone round since
                 it was first seen, of files that count them; None where nobody does
    """

    name: str
    ids: Array
    positions: Array
    velocities: Array
    perch_timers: Array
    space: Space
    memory: Array = field(default=None)  # type: ignore[arg-type]
    kept_names: tuple[str, ...] = ()
    images: Array | None = None

    def __post_init__(self) -> None:
        if self.memory is None:
            none = np.zeros((len(self.positions), 0), self.positions.dtype)
            object.__setattr__(self, "memory", none)
        for name in ("ids", "positions", "velocities", "perch_timers", "memory"):
            object.__setattr__(self, name, _freeze(getattr(self, name)))

    def __len__(self) -> int:
        return len(self.positions)

    def __repr__(self) -> str:
        return f"<FlockFrame {self.name!r}: {len(self)} boids, {self.space.dims}-D>"

    def kept(self, name: str) -> Array:
        """(N,) float: what a rule or the motion keeps of each boid, by its name:
        frame["boids"].kept("rules.flee.tiredness"). Raises KeyError for a name that is not there.
        """
        if name not in self.kept_names:
            known = ", ".join(self.kept_names) or "nothing"
            raise KeyError(f"{name!r} is not kept of the flock {self.name!r}, but {known}")
        return self.memory[:, self.kept_names.index(name)]

    @property
    def perching(self) -> Array:
        """(N,) bool: which boids stand on the ground."""
        return self.perch_timers > 0


@dataclass(frozen=True, eq=False, repr=False)
class Frame:
    """All flocks at one moment.

    step       whole number of steps since the start
    time       step * dt, in the model's time unit
    flocks     name -> FlockFrame, in the model's order; `frame["boids"]` is the short form
    obstacles  name -> shape, with the numbers that hold at this moment
    """

    step: int
    time: float
    space: Space
    flocks: Mapping[str, FlockFrame]
    obstacles: Mapping[str, ObstacleShape] = field(default_factory=dict)

    def __repr__(self) -> str:
        flocks = ", ".join(f"{flock.name} {len(flock)}" for flock in self)
        return f"<Frame step {self.step}, time {self.time:g}: {flocks}>"

    def __getitem__(self, name: str) -> FlockFrame:
        try:
            return self.flocks[name]
        except KeyError:
            raise KeyError(
                f"no flock named {name!r} in this frame: it has {', '.join(self.flocks)}"
            ) from None

    @property
    def main(self) -> FlockFrame | None:
        """The flock that is shown and measured by default: the largest, the first of them where
        several are; None if the model has none."""
        return max(self, key=len, default=None)

    def __iter__(self) -> Iterator[FlockFrame]:
        return iter(self.flocks.values())

    def __len__(self) -> int:
        """The number of boids, all flocks together."""
        return sum(len(flock) for flock in self)


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
