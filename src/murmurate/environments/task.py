"""Task: a model with observations, actions and rewards of its agents."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from murmurate.engines.options import is_whole
from murmurate.environments.actions import Numbers, Steer
from murmurate.environments.observations import Observation
from murmurate.errors import ModelError
from murmurate.measures.registry import find_measure
from murmurate.model.files import model_of
from murmurate.model.messages import format_unknown
from murmurate.model.model import Model

if TYPE_CHECKING:
    from murmurate.runs.worlds import Worlds

    Reward = Callable[[Worlds, str], np.ndarray]
    Ending = Callable[[Worlds, str], np.ndarray]


class Task:
    """Observations, actions and rewards of agents in a model.

    Parameters
    ----------
    model : Model, str or path
        `Steer` adds a rule `command` for the agents, unless the model has one.
    agents : str
        The flock whose boids are agents.
    observations : sequence of Observation
        Columns of an agent's observation, in this order.
    action : Steer or Numbers
        What an agent does.
    reward : function or str
        Maps (worlds, flock) to (E, N) rewards of all agents, or to (E,) of all worlds, which each
        agent of a world gets; or the name of a measure that is one number of one frame.
    endings : sequence of functions
        Map (worlds, flock) to (E, N) or (E,) bool: which agents, or worlds, are done.
    decisions : int
        Actions until a world is out of time.
    steps : int
        Steps of the model for each action.

    Attributes
    ----------
    columns : tuple of str
        Names of the numbers that an agent observes.
    bounds : pair of float32 arrays
        The smallest and the largest action of an agent.

    Raises
    ------
    ModelError
        A part does not fit the model; or boids join or leave, so that agents have no fixed number.
    MeasureError
        There is no such measure.
    """

    def __init__(
        self,
        model: Model | str | os.PathLike[str],
        agents: str,
        observations: Sequence[Observation],
        action: Steer | Numbers,
        reward: Reward | str,
        *,
        endings: Sequence[Ending] = (),
        decisions: int = 500,
        steps: int = 1,
    ) -> None:
        self.model = model_of(model)
        if agents not in self.model.flocks:
            raise ModelError(format_unknown("flock", agents, self.model.flocks))
        if self.model.changes_numbers:
            raise ModelError(
                f"population: got {', '.join(self.model.population)}; expected none in a task, "
                "whose agents are the same from the start to the end"
            )
        if isinstance(action, Steer):
            self.model = action.commanded(self.model, agents)
        if not observations:
            raise ModelError("observations: got none; expected at least one")
        for name, value in (("decisions", decisions), ("steps", steps)):
            if not is_whole(value) or value < 1:
                raise ModelError(f"{name}: got {value!r}; expected a whole number of at least 1")
        if isinstance(reward, str):
            measure = find_measure(reward)
            if measure.kind != "number" or measure.required:
                raise ModelError(
                    f"reward: got {reward!r}; expected a measure of one frame that is a number"
                )
        self.agents, self.action, self.reward = agents, action, reward
        self.observations, self.endings = tuple(observations), tuple(endings)
        self.decisions, self.steps = int(decisions), int(steps)
        self.bounds = action.bounds(self.model)
        names = [part.columns(self.model, agents) for part in self.observations]
        self.columns = tuple(name for part in names for name in part)
        self._widths = list(map(len, names))

    def __repr__(self) -> str:
        return f"Task({self.model.name!r}, agents={self.agents!r}, decisions={self.decisions})"

    def observe(self, worlds: Worlds) -> np.ndarray:
        """Return the observations of the agents of all worlds, (E, N, columns) float32."""
        agents = worlds[self.agents].positions.shape[1]
        out = np.zeros((worlds.count, agents, len(self.columns)), np.float32)
        first = 0
        for part, width in zip(self.observations, self._widths, strict=True):
            part.write(worlds, self.agents, out[..., first : first + width])
            first += width
        return out
