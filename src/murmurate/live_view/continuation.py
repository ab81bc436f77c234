"""Continuation: how the flock that flies goes on as another model, from where it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from murmurate.errors import ModelError
from murmurate.live_view.edits import Edit
from murmurate.model.model import Model
from murmurate.runs.simulation import Simulation

Point = Sequence[float]


class Continuation:
    """Which flocks the one that flies may go on as, and where boids join it.

    It goes on as a model of the same space and the same numbers of boids. Boids and flocks that are
    placed or taken away change these numbers; a count that is set by hand does not, and begins the
    flight again.
    """

    def __init__(self, model: Model) -> None:
        self._counts = _counts(model)
        self._places: dict[tuple[str, int], Point] = {}
        self._leaving: dict[str, set[int]] = {}

    def allows(self, running: Model, model: Model) -> bool:
        """Whether the flock goes on as that model, and does not begin again."""
        return running.space == model.space and _counts(model) == self._counts

    def edited(self, running: Model, before: Model, after: Model, edit: Edit) -> None:
        """The model that is requested was edited. Raises ModelError for a boid that leaves
        already."""
        if not self.allows(running, before):
            return  # it begins again in any case
        for name, row in edit.leaving:
            if row in self._leaving.get(name, ()):
                raise ModelError(f"boid {row} of {name} is being taken away already")
            self._leaving.setdefault(name, set()).add(row)
        old, new = dict(_counts(before)), dict(_counts(after))
        self._counts = _counts(after)
        for name, points in edit.places.items():
            for row, point in enumerate(points, old.get(name, 0)):
                if row < new.get(name, 0):
                    self._places[name, row] = point

    def trial(self, simulation: Simulation, model: Model) -> Callable[[], Simulation]:
        """Makes what flies from a copy of the simulation that is taken now, for another thread."""
        copied, places = simulation.copy(), dict(self._places)
        leaving = {name: set(rows) for name, rows in self._leaving.items()}
        return lambda: copied.fork(model, places, leaving)

    def resumed(self, simulation: Simulation, model: Model) -> Simulation:
        """What flies from now on: the same simulation with another model, where it has the same
        boids, or one that continues from its state."""
        if _counts(simulation.model) != _counts(model):
            return simulation.fork(model, self._places, self._leaving)
        simulation.replace_model(model)
        return simulation

    def begin(self, model: Model) -> None:
        """That model flies now."""
        self._counts, self._places, self._leaving = _counts(model), {}, {}


def _counts(model: Model) -> list[tuple[str, int]]:
    return [(name, flock.count) for name, flock in model.flocks.items()]
