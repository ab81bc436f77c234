"""Save the network of an agent as a policy file, which kind 'policy' reads."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from murmurate.disk import check_writable, write_file
from murmurate.environments.actions import Steer
from murmurate.environments.observations import NearestBoids, OwnPosition, OwnVelocity
from murmurate.environments.task import Task
from murmurate.errors import ModelError
from murmurate.rules import Command


def save_policy(
    path: str | os.PathLike[str],
    task: Task,
    layers: Sequence[tuple[Any, Any]],
    *,
    activation: Literal["tanh", "relu"] = "tanh",
    output: Literal["clip", "tanh"] = "clip",
    force: bool = False,
) -> Path:
    """Write a policy that was learned in a task: a rule of kind 'policy' acts as it did there.

    Parameters
    ----------
    path : str or path
        A file that ends in .npz or .safetensors.
    task : Task
        Its action must be `Steer`, and its observations `NearestBoids` once and, each at most once,
        `OwnVelocity`, `OwnPosition` without a point and with one.
    layers : sequence of (weights, biases)
        Arrays or tensors of torch, (out, in) and (out,), of each layer from the first one on: up to
        8 hidden layers of up to 256 units, then one that returns an action, (D,). Its inputs are
        the columns of the task.
    activation : {'tanh', 'relu'}
        The function of hidden units.
    output : {'clip', 'tanh'}
        How numbers of the last layer become actions: they are limited to those that the task
        allows, or are their largest times the hyperbolic tangent.
    force : bool
        Whether an existing file is replaced.

    Returns
    -------
    Path

    Raises
    ------
    ModelError
        A policy cannot have the observations or actions of the task; layers do not fit the task; or
        there is such a file.
    """
    from murmurate.rules.policy_file import PolicyFile, policy_file_bytes

    file = check_writable(path, force, ModelError)
    arrays = [(_array(weights), _array(biases)) for weights, biases in layers]
    fields = _fields(task) | {"activation": activation, "output": output}
    data = policy_file_bytes(file, PolicyFile(task.columns, fields, arrays))
    write_file(file, data, new=not force)
    return file


def _array(values: Any) -> np.ndarray:
    """Return an array of floats; tensors may need gradients, or be on another device."""
    values = values.detach().cpu().numpy() if hasattr(values, "detach") else values
    return np.asarray(values, np.float32)


def _fields(task: Task) -> dict[str, Any]:
    """Return the fields of the rule that follow from a task. Raises ModelError."""
    action, model = task.action, task.model
    if not isinstance(action, Steer):
        raise ModelError(
            f"action: got {type(action).__name__}; expected Steer, since a policy commands boids"
        )
    kinds = [_kind(part) for part in task.observations]
    for name, kind in zip(task.observations, kinds, strict=True):
        if not kind:
            raise ModelError(
                f"observations: got {type(name).__name__}; expected NearestBoids, OwnVelocity and "
                "OwnPosition, which a rule can see"
            )
        if kinds.count(kind) > 1:
            raise ModelError(f"observations: got {kind} {kinds.count(kind)} times; expected once")
    near = next((part for part in task.observations if isinstance(part, NearestBoids)), None)
    if near is None:
        raise ModelError("observations: got none of boids; expected NearestBoids once")
    flocks = near.observed(model)
    points = [
        part.point for part in task.observations
        if isinstance(part, OwnPosition) and part.point is not None
    ]  # fmt: skip
    command = next(r for r in model.moved_by(task.agents).values() if isinstance(r, Command))
    fields: dict[str, Any] = {
        "senses": flocks[0] if len(flocks) == 1 else list(flocks), "nearest": near.k,
        "form": action.form, "action_limit": float(action.limit), "steps": task.steps,
        "adds": command.adds, "field_of_view": float(near.field_of_view),
        "radius": float(near.radius),
    }  # fmt: skip
    return fields | ({"point": [float(x) for x in points[0]]} if points else {})


def _kind(part: object) -> str:
    """Return an observation in words that a policy can have; '' for others."""
    if type(part) in (NearestBoids, OwnVelocity):
        return type(part).__name__
    if type(part) is OwnPosition:
        return "OwnPosition without a point" if part.point is None else "OwnPosition with a point"
    return ""
