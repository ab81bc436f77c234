"""Gymnasium environments: one world, or many that advance together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from murmurate.engines.options import RunOptions
from murmurate.environments.episodes import Episodes, Outcome
from murmurate.environments.pictures import draw
from murmurate.environments.task import Task
from murmurate.errors import ModelError
from murmurate.optional import optional

with optional("environments", ModelError):
    import gymnasium
    from gymnasium.spaces import Box
    from gymnasium.utils import seeding
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector.utils import batch_space

MAX_SEED = 2**31


class VectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """Many worlds of a task as a Gymnasium vector environment; each world is an environment.

    An observation is (N, columns) float32, an action (N, D) float32 for the N agents of a world, a
    reward the sum of those of its agents. An agent that is done has no effect until its world ends,
    which is when all its agents are done, or when it is out of time.

    Parameters
    ----------
    task : Task
    num_envs : int
        Number of worlds.
    autoreset_mode : AutoresetMode or str
        When worlds that have ended start again: 'NextStep', 'SameStep' or 'Disabled', as Gymnasium
        defines them.
    render_mode : str, optional
        'rgb_array'.
    options : RunOptions, optional
        Engine, precision and threads; the seed is not read.
    """

    metadata: dict[str, Any]

    def __init__(
        self,
        task: Task,
        num_envs: int = 1,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        options: RunOptions | None = None,
    ) -> None:
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": ["rgb_array"], "autoreset_mode": self.autoreset_mode}
        self.render_mode = checked_mode(render_mode)
        self.task, self.num_envs = task, num_envs
        self._episodes = Episodes(task, num_envs, options)
        self.single_observation_space, self.single_action_space = spaces(self._episodes)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._generators = [seeding.np_random(None)[0] for _ in range(num_envs)]
        self._ended = np.ones(num_envs, bool)  # until the first reset

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Start all worlds again, or those of `options={"reset_mask": ...}`, (E,) bool.

        `seed` is one seed, for seed, seed + 1, ...; or one for each world. None continues the
        random numbers of a world.
        """
        seeds: Any = seed
        if isinstance(seed, int | np.integer):
            seeds = [int(seed) + world for world in range(self.num_envs)]
        if seeds is not None and len(seeds) != self.num_envs:
            raise ModelError(f"seed: got {len(seeds)} seeds; expected {self.num_envs}")
        mask = checked_mask((options or {}).get("reset_mask"), self.num_envs)
        for world in np.flatnonzero(mask).tolist():
            if seeds is not None and seeds[world] is not None:
                self._generators[world] = seeding.np_random(seeds[world])[0]
        return self._start(mask), {}

    def _start(self, mask: np.ndarray) -> np.ndarray:
        """Start some worlds with the next seeds of their generators; return all observations."""
        seeds = [next_seed(self._generators[world]) for world in np.flatnonzero(mask)]
        self._ended[mask] = False
        return self._episodes.reset(seeds, mask)

    def step(
        self, actions: Any
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Act in all worlds. See Gymnasium for the results."""
        mode, ended = self.autoreset_mode, self._ended.copy()
        if ended.any() and mode is not AutoresetMode.NEXT_STEP:
            raise ModelError(
                f"step: got actions for world {np.flatnonzero(ended)[0]}, which has ended; "
                'expected a reset before: reset(options={"reset_mask": terminated | truncated})'
            )
        outcome = self._episodes.step(actions, ~ended)
        rewards, terminated, truncated = by_world(outcome)
        observations = outcome.observations
        infos: dict[str, Any] = {}
        rewards[ended], terminated[ended], truncated[ended] = 0.0, False, False
        if ended.any():
            observations = self._start(ended)
        self._ended = terminated | truncated
        if mode is AutoresetMode.SAME_STEP and self._ended.any():
            over = self._ended.copy()
            for world in np.flatnonzero(over):
                final = {"final_obs": observations[world].copy(), "final_info": {}}
                infos = self._add_info(infos, final, int(world))
            observations = self._start(over)
        return observations, rewards, terminated, truncated, infos

    def render(self) -> tuple[np.ndarray, ...] | None:
        """Return a picture of each world, (H, W, 3) uint8."""
        if self.render_mode is None:
            return None
        return tuple(draw(self._episodes.worlds, world) for world in range(self.num_envs))


class Env(gymnasium.Env[Any, Any]):
    """One world of a task as a Gymnasium environment: see VectorEnv."""

    metadata = {"render_modes": ["rgb_array"]}  # noqa: RUF012 (as Gymnasium declares it)

    def __init__(
        self, task: Task, *, render_mode: str | None = None, options: RunOptions | None = None
    ) -> None:
        self.render_mode = checked_mode(render_mode)
        self._episodes = Episodes(task, 1, options)
        self.observation_space, self.action_space = spaces(self._episodes)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Start the world again."""
        super().reset(seed=seed)
        return self._episodes.reset([next_seed(self.np_random)], np.array([True]))[0], {}

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Act in the world."""
        outcome = self._episodes.step(np.asarray(action)[None], np.array([True]))
        rewards, terminated, truncated = by_world(outcome)
        return (
            outcome.observations[0],
            float(rewards[0]),
            bool(terminated[0]),
            bool(truncated[0]),
            {},
        )

    def render(self) -> Any:
        """Return a picture, (H, W, 3) uint8."""
        return None if self.render_mode is None else draw(self._episodes.worlds, 0)


def spaces(episodes: Episodes) -> tuple[Box, Box]:
    """Return the spaces of observations and actions of a world."""
    low, high = (np.broadcast_to(bound, episodes.action_shape) for bound in episodes.task.bounds)
    shape = (episodes.agents, len(episodes.task.columns))
    return Box(-np.inf, np.inf, shape, np.float32), Box(low, high, dtype=np.float32)


def by_world(outcome: Outcome) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (E,) each: the rewards of worlds, and which have ended, or are out of time."""
    terminated = np.asarray(outcome.done.all(axis=1))
    return outcome.rewards.sum(axis=1), terminated, outcome.out_of_time & ~terminated


def next_seed(generator: np.random.Generator) -> int:
    """Draw the seed of a world."""
    return int(generator.integers(MAX_SEED))


def checked_mode(mode: str | None) -> str | None:
    """Return the render mode; raises ModelError for another than 'rgb_array'."""
    if mode not in (None, "rgb_array"):
        raise ModelError(
            f"render_mode: got {mode!r}; expected None or 'rgb_array'. Show what render() returns, "
            "such as with pygame or matplotlib"
        )
    return mode


def checked_mask(mask: Any, count: int) -> np.ndarray:
    """Return which worlds start again: all without a mask."""
    if mask is None:
        return np.ones(count, bool)
    if not isinstance(mask, np.ndarray) or mask.dtype != bool or mask.shape != (count,):
        raise ModelError(f"reset_mask: got {mask!r}; expected an array of {count} bool")
    if not mask.any():
        raise ModelError("reset_mask: got no world; expected at least one")
    return mask
