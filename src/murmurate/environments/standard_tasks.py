"""Six tasks with known answers: 0 is the score of random actions, 1 that of a published rule.

The boids of a task follow the rules of a published flock where they are not commanded, so the
published rule is the policy that commands nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from murmurate.environments.actions import Steer
from murmurate.environments.endings import Arrival, distance_to
from murmurate.environments.observations import NearestBoids, Observation, OwnPosition, OwnVelocity
from murmurate.environments.rays import Rays
from murmurate.environments.task import Task
from murmurate.errors import ModelError
from murmurate.model.files import load
from murmurate.model.messages import format_unknown
from murmurate.neighbours.k_nearest import NOBODY, k_nearest

if TYPE_CHECKING:
    from murmurate.runs.worlds import Worlds

CORNER = (0.0, 0.0)
"""Where the sheep of strombom-2014 are driven."""
GATE = 1260.0
"""The far side of the posts of parker-gate, along the first axis."""
COVERED = 5.0
"""A point is covered by a boid that is nearer than this; the lattice of the rule has 7."""
DANGER = 500.0
"""A bird of parker-predator is in danger when a predator is nearer: from there on it flees."""
CONTACT = 3.0
"""Drones of vasarhelyi-2018 that are nearer than this have collided, in m, as in the paper."""


@dataclass(frozen=True)
class StandardTask:
    """A task, and where its answer comes from.

    Attributes
    ----------
    name, about : str
    model : str
        The published flock whose rules are the answer.
    changes : mapping
        Numbers of the model that are changed.
    """

    name: str
    about: str
    model: str
    changes: Mapping[str, Any]
    agents: str
    observations: Sequence[Observation]
    action: Steer
    reward: Callable[[Worlds, str], np.ndarray]
    endings: Sequence[Any] = ()
    decisions: int = 300
    steps: int = 1

    def make(self) -> Task:
        """Return the task."""
        return Task(
            load(self.model).set(dict(self.changes)), self.agents, self.observations,
            self.action, self.reward,
            endings=self.endings, decisions=self.decisions, steps=self.steps,
        )  # fmt: skip


# --- rewards


def ordered_without_contact(worlds: Worlds, flock: str) -> np.ndarray:
    """Return (E, N): the part of the flock's order that is left after collisions.

    Order is the length of the mean velocity over the speed that the rule prefers; a boid that
    touches another loses all.
    """
    boids = worlds[flock]
    order = np.linalg.norm(boids.velocities.mean(axis=1), axis=-1) / 4.0
    space = worlds.model.space
    rows = k_nearest(boids.positions, space, 1, radius=CONTACT, threads=worlds.options.threads)
    return np.asarray(np.where(rows[..., 0] == NOBODY, np.minimum(order, 1.0)[:, None], -1.0))


def led_to_the_right(worlds: Worlds, flock: str) -> np.ndarray:
    """Return (E,) the component of the mean heading of all boids along the first axis."""
    velocities = np.concatenate([worlds[name].velocities for name in worlds.model.flocks], axis=1)
    speeds = np.linalg.norm(velocities, axis=-1, keepdims=True)
    headings = np.divide(velocities, speeds, out=np.zeros_like(velocities), where=speeds > 0)
    return np.asarray(headings.mean(axis=1)[:, 0])


def driven_home(worlds: Worlds, flock: str) -> np.ndarray:
    """Return (E,) minus the distance of the sheep from the corner, per 100 length units."""
    return -distance_to(CORNER, worlds, "sheep") / 100.0


def out_of_danger(worlds: Worlds, flock: str) -> np.ndarray:
    """Return (E, N): 1 for boids that no predator is near, else 0."""
    prey, hunters = worlds[flock].positions, worlds["predators"].positions
    gaps = prey[:, :, None] - hunters[:, None]
    return np.asarray((np.linalg.norm(gaps, axis=-1).min(axis=2) > DANGER).astype(float))


def beyond_the_gate(worlds: Worlds, flock: str) -> np.ndarray:
    """Return (E, N): 1 for boids that have passed the gate, else 0."""
    return np.asarray((worlds[flock].positions[..., 0] > GATE).astype(float))


def covered_part(worlds: Worlds, flock: str) -> np.ndarray:
    """Return (E,) the part of the space that has a boid near."""
    space = worlds.model.space
    axes = [
        np.arange(low + 1.0, high, 2.0) for low, high in zip(space.lower, space.upper, strict=True)
    ]
    points = np.stack(np.meshgrid(*axes), axis=-1).reshape(1, -1, space.dims)
    points = np.broadcast_to(points, (worlds.count, *points.shape[1:]))
    both = np.concatenate([points, worlds[flock].positions], axis=1)
    targets = np.arange(both.shape[1]) >= points.shape[1]
    rows = k_nearest(
        both, space, 1, observers=slice(points.shape[1]), targets=targets, radius=COVERED,
        threads=worlds.options.threads,
    )  # fmt: skip
    return np.asarray((rows[..., 0] != NOBODY).mean(axis=1))


TASKS = (
    StandardTask(
        "flock", "Drones fly in order between walls, and do not collide.", "vasarhelyi-2018",
        {"flocks.boids.count": 20, "flocks.boids.start.lower": (80.0, 80.0),
         "flocks.boids.start.upper": (150.0, 150.0)},
        "boids", (OwnVelocity(), OwnPosition(), NearestBoids(6, radius=100.0)),
        Steer("acceleration", 6.0), ordered_without_contact, decisions=120, steps=5,
    ),
    StandardTask(
        "lead", "Ten informed animals lead ninety others to the right.", "couzin-2005", {},
        "informed", (OwnVelocity(), NearestBoids(8, radius=6.0)), Steer("heading"),
        led_to_the_right, decisions=200,
    ),
    StandardTask(
        "shepherd", "A dog drives thirty sheep into a corner.", "strombom-2014",
        {"flocks.sheep.count": 30}, "dog",
        (OwnPosition(CORNER), NearestBoids(30, ["sheep"])), Steer("velocity", 1.5),
        driven_home, (Arrival(CORNER, 10.0, "sheep"),), decisions=600,
    ),
    StandardTask(
        "evade", "Birds keep away from a predator.", "parker-predator",
        {"flocks.boids.count": 6, "rules.flee.weight": 0.05}, "boids",
        (OwnVelocity(), NearestBoids(5, ["boids"]), NearestBoids(1, ["predators"])),
        Steer("velocity", 50.0), out_of_danger, decisions=150, steps=2,
    ),
    StandardTask(
        "gate", "Birds fly through a gate between two walls.", "parker-gate",
        {"flocks.boids.count": 20}, "boids",
        (OwnVelocity(), OwnPosition((1200.0, 675.0)), Rays(16, reach=400.0), NearestBoids(4)),
        Steer("velocity", 20.0), beyond_the_gate, decisions=150, steps=2,
    ),
    StandardTask(
        "cover", "Robots spread over a field.", "olfati-saber-2006",
        {"flocks.boids.count": 60, "rules.goal.weight": 0.0,
         "flocks.boids.start.lower": (50.0, 50.0), "flocks.boids.start.upper": (70.0, 70.0)},
        "boids", (OwnVelocity(), OwnPosition(), NearestBoids(6, radius=8.4)),
        Steer("acceleration", 2.0), covered_part, decisions=150, steps=2,
    ),
)  # fmt: skip
"""The standard tasks."""


def standard_task(name: str) -> Task:
    """Return a standard task.

    Parameters
    ----------
    name : str
        One of 'flock', 'lead', 'shepherd', 'evade', 'gate' and 'cover'.

    Raises
    ------
    ModelError
        There is no such task.
    """
    tasks = {task.name: task for task in TASKS}
    if name not in tasks:
        raise ModelError(format_unknown("task", name, tasks))
    return tasks[name].make()
