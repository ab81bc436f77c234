"""Episodes of a task in many worlds: the part of the environments that needs no other library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from murmurate.engines.initial_state import to_floats
from murmurate.engines.options import RunOptions
from murmurate.environments.actions import Steer
from murmurate.environments.task import Task
from murmurate.errors import ModelError
from murmurate.measures.registry import find_measure
from murmurate.runs.worlds import Worlds

TOLERANCE = 1e-5
"""How far an action may be outside of its bounds, as a fraction of them: rounding of float32."""


@dataclass(frozen=True)
class Outcome:
    """Results of the actions of all worlds.

    Attributes
    ----------
    observations : (E, N, columns) float32
    rewards : (E, N) float64
        0 for agents that were done before.
    done : (E, N) bool
        Agents for which an ending applied, now or before.
    out_of_time : (E,) bool
        Worlds that have made all decisions of the task.
    """

    observations: np.ndarray
    rewards: np.ndarray
    done: np.ndarray
    out_of_time: np.ndarray


class Episodes:
    """The worlds of a task, and which of their agents are done.

    Parameters
    ----------
    task : Task
    count : int
        Number of worlds, at least 1.
    options : RunOptions, optional
        Engine, precision and threads. The seed is not read.
    """

    def __init__(self, task: Task, count: int, options: RunOptions | None = None) -> None:
        self.task, self.count = task, count
        options = options or RunOptions()
        self.worlds = Worlds(
            task.model, count, engine=options.engine, dtype=options.dtype, threads=options.threads
        )
        self.agents = self.worlds[task.agents].positions.shape[1]
        self.done = np.zeros((count, self.agents), bool)
        self.decisions = np.zeros(count, np.int64)
        self._numbers = np.tile(task.bounds[0].astype(float), (count, 1))  # of `Numbers`

    @property
    def action_shape(self) -> tuple[int, ...]:
        """Shape of the actions of a world."""
        width = len(self.task.bounds[0])
        return (self.agents, width) if isinstance(self.task.action, Steer) else (width,)

    def reset(self, seeds: Sequence[int], mask: np.ndarray) -> np.ndarray:
        """Start some worlds again; return the observations of all.

        Parameters
        ----------
        seeds : sequence of int
            A seed for each world of the mask.
        mask : (E,) bool
        """
        self.worlds.reset(mask, list(seeds))
        self.done[mask] = False
        self.decisions[mask] = 0
        return self.task.observe(self.worlds)

    def step(self, actions: np.ndarray, active: np.ndarray) -> Outcome:
        """Act in all worlds, and simulate the steps of a decision.

        Parameters
        ----------
        actions : (E, N, D) float, or (E, M) for `Numbers`
            nan for agents that are left to their own rules, not for `Numbers`.
        active : (E,) bool
            Worlds in which actions count. The others are simulated too.

        Raises
        ------
        ModelError
            The shape is wrong, or an action is outside of its bounds. The worlds are as before.
        """
        task, actions = self.task, self._checked(actions, active)
        before = self.done.copy()
        if isinstance(task.action, Steer):
            actions[before | ~active[:, None]] = np.nan
            none = np.isnan(actions).all()
            self.worlds.step(task.steps, {task.agents: None if none else actions})
        else:
            self._numbers[active] = actions[active]
            self.worlds.set(vary=dict(zip(task.action.ranges, self._numbers.T, strict=True)))
            self.worlds.step(task.steps)
        self.decisions += active
        done = before.copy()
        for ending in task.endings:
            done |= self._by_agent(ending(self.worlds, task.agents))
        self.done[active] = done[active]
        rewards = np.where(before, 0.0, self._by_agent(self._rewards()))
        return Outcome(
            task.observe(self.worlds), rewards, self.done.copy(),
            self.decisions >= task.decisions,
        )  # fmt: skip

    def _rewards(self) -> np.ndarray:
        task = self.task
        if callable(task.reward):
            return np.asarray(task.reward(self.worlds, task.agents))
        function = find_measure(task.reward).function
        frames = (self.worlds.frame(world) for world in range(self.count))
        return np.array([float(function(frame[task.agents])) for frame in frames])

    def _by_agent(self, values: np.ndarray) -> np.ndarray:
        """Return (E, N) values: those of worlds are repeated for their agents."""
        values = np.asarray(values)
        if values.shape == (self.count,):
            values = values[:, None]
        elif values.shape != (self.count, self.agents):
            raise ModelError(
                f"reward or ending: got shape {values.shape}; expected {(self.count,)} or "
                f"{(self.count, self.agents)}"
            )
        return np.broadcast_to(values, (self.count, self.agents))

    def _checked(self, actions: np.ndarray, active: np.ndarray) -> np.ndarray:
        """Return a copy of actions that can be used."""
        shape = (self.count, *self.action_shape)
        actions = to_floats("actions", actions, "numbers")
        if actions.shape != shape:
            raise ModelError(f"actions: got shape {actions.shape}; expected {shape}")
        low, high = (np.tile(bound, (*shape[1:-1], 1)) for bound in self.task.bounds)
        slack = TOLERANCE * (high - low)
        outside = (actions < low - slack) | (actions > high + slack)
        if not isinstance(self.task.action, Steer):
            outside |= np.isnan(actions)
        outside &= active.reshape(-1, *[1] * (actions.ndim - 1))
        if outside.any():
            where = tuple(np.argwhere(outside)[0])
            raise ModelError(
                f"actions: got {actions[where]:g} at {where}; expected a number from "
                f"{low[where[1:]]:g} to {high[where[1:]]:g}"
            )
        return actions
