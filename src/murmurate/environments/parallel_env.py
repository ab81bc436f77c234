"""A PettingZoo environment: the agents of one world act at the same time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from murmurate.engines.options import RunOptions
from murmurate.environments.actions import Steer
from murmurate.environments.episodes import Episodes
from murmurate.environments.pictures import draw
from murmurate.environments.task import Task
from murmurate.environments.vector_env import checked_mode, next_seed
from murmurate.errors import ModelError
from murmurate.optional import optional

with optional("environments", ModelError):
    from gymnasium.spaces import Box
    from gymnasium.utils import seeding
    from pettingzoo import ParallelEnv as PettingZooParallelEnv


class ParallelEnv(PettingZooParallelEnv[str, np.ndarray, np.ndarray]):
    """One world of a task, with an agent for each boid of a flock, named 'boids_0' and so on.

    Parameters
    ----------
    task : Task
        Its action must be `Steer`: numbers of a model are not those of one agent.
    render_mode : str, optional
        'rgb_array'.
    options : RunOptions, optional
        Engine, precision and threads; the seed is not read.

    Notes
    -----
    An agent that is done is removed from `agents`, and its boid follows its own rules.
    """

    metadata: ClassVar[dict[str, Any]] = {"name": "murmurate", "render_modes": ["rgb_array"]}

    def __init__(
        self, task: Task, *, render_mode: str | None = None, options: RunOptions | None = None
    ) -> None:
        if not isinstance(task.action, Steer):
            raise ModelError("action: got Numbers; expected Steer. VectorEnv takes both")
        self.task, self.render_mode = task, checked_mode(render_mode)
        self._episodes = Episodes(task, 1, options)
        self.possible_agents = [f"{task.agents}_{i}" for i in range(self._episodes.agents)]
        self.agents: list[str] = []
        low, high = task.bounds
        shape = (len(task.columns),)
        self.observation_spaces = {
            name: Box(-np.inf, np.inf, shape, np.float32) for name in self.possible_agents
        }
        self.action_spaces = {name: Box(low, high) for name in self.possible_agents}
        worlds = self._episodes.worlds
        size = sum(2 * worlds[name].positions[0].size for name in task.model.flocks)
        self.state_space = Box(-np.inf, np.inf, (size,), np.float32)
        self._generator = seeding.np_random(None)[0]

    def observation_space(self, agent: str) -> Box:
        """Return the space of an agent's observations, the same object on each call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Box:
        """Return the space of an agent's actions, the same object on each call."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, dict[str, Any]]]:
        """Start the world again, with all agents."""
        if seed is not None:
            self._generator = seeding.np_random(seed)[0]
        self.agents = list(self.possible_agents)
        rows = self._episodes.reset([next_seed(self._generator)], np.array([True]))[0]
        return self._by_name(rows), {name: {} for name in self.agents}

    def step(self, actions: Mapping[str, np.ndarray]) -> tuple[
        dict[str, np.ndarray], dict[str, float], dict[str, bool], dict[str, bool],
        dict[str, dict[str, Any]],
    ]:  # fmt: skip
        """Act with all agents. An agent without an action follows its own rules."""
        if unknown := sorted(actions.keys() - set(self.agents)):
            raise ModelError(
                f"actions: got one for {unknown[0]!r}, which is no agent now; expected agents of "
                "`env.agents`. An agent that is done does not act"
            )
        rows = np.full(self._episodes.action_shape, np.nan)
        for name, action in actions.items():
            row = np.asarray(action, float)
            if row.shape != rows.shape[1:]:
                raise ModelError(
                    f"actions[{name!r}]: got shape {row.shape}; expected {rows.shape[1:]}"
                )
            rows[self.possible_agents.index(name)] = row
        outcome = self._episodes.step(rows[None], np.array([True]))
        acting = self.agents
        done = dict(zip(self.possible_agents, outcome.done[0].tolist(), strict=True))
        rewards = dict(zip(self.possible_agents, outcome.rewards[0].tolist(), strict=True))
        late = bool(outcome.out_of_time[0])
        results: Any = (
            self._by_name(outcome.observations[0]),
            {name: rewards[name] for name in acting},
            {name: done[name] for name in acting},
            {name: late and not done[name] for name in acting},
            {name: {} for name in acting},
        )
        self.agents = [] if late else [name for name in acting if not done[name]]
        return results  # type: ignore[no-any-return]

    def state(self) -> np.ndarray:
        """Return positions and velocities of all flocks, float32."""
        worlds = self._episodes.worlds
        parts = [
            values[0].ravel()
            for name in self.task.model.flocks
            for values in (worlds[name].positions, worlds[name].velocities)
        ]
        return np.concatenate(parts).astype(np.float32)

    def render(self) -> np.ndarray | None:
        """Return a picture, (H, W, 3) uint8."""
        return None if self.render_mode is None else draw(self._episodes.worlds, 0)

    def _by_name(self, rows: np.ndarray) -> dict[str, np.ndarray]:
        present = set(self.agents)
        named = zip(self.possible_agents, rows, strict=True)
        return {name: row.copy() for name, row in named if name in present}
