"""Scores of policies: 0 for random actions, 1 for the rules of the model itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from murmurate.engines.options import RunOptions
from murmurate.environments.episodes import Episodes
from murmurate.environments.task import Task
from murmurate.errors import ModelError

Policy = Callable[[np.ndarray], np.ndarray]
"""Maps observations (E, N, columns) of E worlds to actions (E, N, D)."""


@dataclass(frozen=True)
class Score:
    """How well a policy does in a task.

    Attributes
    ----------
    mean, low, high : float
        The mean score over seeds, and its 95% confidence interval (Student's t); 0 is the mean
        return of random actions, 1 that of the model's own rules.
    returns, random_returns, rule_returns : (seeds,) float64
        Sums of rewards of an episode, means over agents.
    """

    mean: float
    low: float
    high: float
    returns: np.ndarray
    random_returns: np.ndarray
    rule_returns: np.ndarray


def score(task: Task, policy: Policy, seeds: int = 10, options: RunOptions | None = None) -> Score:
    """Play episodes with a policy, with random actions and with the model's own rules.

    Parameters
    ----------
    task : Task
    policy : function
        Maps observations (E, N, columns) float32 to actions (E, N, D).
    seeds : int
        Episodes of each, at least 2; all have the seeds 0, 1 and so on.
    options : RunOptions, optional
        Engine, precision and threads.

    Raises
    ------
    ModelError
        An action is outside of its bounds, or the rules do no better than random actions.
    """
    returns = play(task, policy, seeds, options)
    chance = play(task, random_policy(task), seeds, options)
    rule = play(task, own_rules(task), seeds, options)
    span = float(rule.mean() - chance.mean())
    if not span > 0:
        raise ModelError("task: got rules that do no better than random actions; expected better")
    scores = (returns - chance.mean()) / span
    half = half_width(scores)
    mean = float(scores.mean())
    return Score(mean, mean - half, mean + half, returns, chance, rule)


def play(task: Task, policy: Policy, seeds: int, options: RunOptions | None = None) -> np.ndarray:
    """Play episodes with a policy, which have the seeds 0, 1 and so on, and return their returns.

    Parameters
    ----------
    task : Task
    policy : function
        Maps observations (E, N, columns) float32 to actions (E, N, D).
    seeds : int
        Episodes, at least 2.
    options : RunOptions, optional
        Engine, precision and threads.

    Returns
    -------
    (seeds,) float64
        Sums of rewards of an episode, means over agents.

    Raises
    ------
    ModelError
        An action is outside of its bounds.
    """
    if seeds < 2:
        raise ModelError(f"seeds: got {seeds}; expected at least 2")
    episodes = Episodes(task, seeds, options)
    running = np.ones(seeds, bool)
    observations = episodes.reset(list(range(seeds)), running)
    returns = np.zeros(seeds)
    for _ in range(task.decisions):
        outcome = episodes.step(policy(observations), running)
        returns[running] += outcome.rewards.mean(axis=1)[running]
        running &= ~outcome.done.all(axis=1)
        if not running.any():
            break
        observations = outcome.observations
    return returns


def random_policy(task: Task, seed: int = 0) -> Policy:
    """Return the policy that draws actions evenly between their bounds."""
    dice = np.random.default_rng(seed)
    low, high = task.bounds
    return lambda rows: dice.uniform(low, high, (*rows.shape[:2], len(low)))


def own_rules(task: Task) -> Policy:
    """Return the policy that commands nothing, so that all boids follow the rules of the model."""
    width = len(task.bounds[0])
    return lambda rows: np.full((*rows.shape[:2], width), np.nan)


def half_width(values: np.ndarray) -> float:
    """Return half the width of the 95% confidence interval of a mean."""
    from scipy.stats import t

    return float(t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / len(values) ** 0.5)
