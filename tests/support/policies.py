"""Tasks with a policy of random weights, its file, and the model in which agents follow it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

import murmurate as mm
from murmurate.environments import (
    NearestBoids,
    OwnPosition,
    OwnVelocity,
    Steer,
    Task,
    save_policy,
)

Layers = list[tuple[np.ndarray, np.ndarray]]
MOVING = mm.InBox(velocity=mm.Directions(speed=0.5))


def random_layers(task: Task, widths: Sequence[int], seed: int = 1) -> Layers:
    """Return layers of these widths, then one for the action, with float32 numbers."""
    rng = np.random.default_rng(seed)
    sides = [len(task.columns), *widths, task.model.space.dims]
    return [
        (rng.normal(0, a**-0.5, (b, a)).astype("f4"), rng.normal(0, 0.1, b).astype("f4"))
        for a, b in pairwise(sides)
    ]


def of_flocks(counts: dict[str, int], space: mm.Space) -> mm.Model:
    flocks = {
        name: mm.Flock(count=count, start=MOVING, motion=mm.Add(max_speed=1))
        for name, count in counts.items()
    }
    return mm.Model(
        space=space, flocks=flocks, rules={"alignment": mm.Alignment(radius=5, moves="boids")}
    )


FLAT, SOLID = mm.Space(size=(20, 20), boundary="periodic"), mm.Space(size=(12, 12, 12))
CASES: dict[str, tuple[Task, Sequence[int], str, str]] = {
    "2-D, tanh": (
        Task(of_flocks({"boids": 9}, FLAT), "boids", [OwnVelocity(), NearestBoids(4)],
             Steer("acceleration", 0.5), "polarization"), (7, 5), "tanh", "clip"),
    "3-D, relu, commands hold": (
        Task(of_flocks({"boids": 7}, SOLID), "boids",
             [NearestBoids(3, radius=5, field_of_view=120), OwnPosition()], Steer("velocity", 0.7),
             "polarization", steps=3), (6,), "relu", "tanh"),
    "flocks, too few neighbours, a point across a face": (
        Task(of_flocks({"boids": 4, "others": 2, "rest": 5}, FLAT), "boids",
             [OwnPosition((19, 19)), NearestBoids(8, ["others", "boids"]), OwnVelocity()],
             Steer("heading"), "polarization"), (4, 6, 5), "tanh", "tanh"),
    "without hidden layers": (
        Task(of_flocks({"boids": 5}, FLAT), "boids", [NearestBoids(2), OwnVelocity()],
             Steer("acceleration", 0.3), "polarization"), (), "tanh", "clip"),
}  # fmt: skip


def saved(tmp_path: Path, name: str, ending: str = ".npz") -> Path:
    """Return the policy file of a case."""
    task, widths, activation, output = CASES[name]
    return save_policy(
        tmp_path / f"learned{ending}", task, random_layers(task, widths), force=True,
        activation=activation, output=output,  # type: ignore[arg-type]
    )  # fmt: skip


def lived(task: Task, path: Path) -> mm.Model:
    """Return the model in which the agents follow a policy file, without the rule of commands."""
    rule = mm.Policy.from_file(path, moves=task.agents)
    return task.model.set({"rules.command": None, "rules.policy": rule})
