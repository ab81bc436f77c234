"""Edits: changes of a model's parts that pages request, the limits on them, and helpers for new
parts: unused names, checked points, numbers that suit the flock.

A drawn part steers boids within a tenth of the space. This distance and the flock's speed determine
the weights of the rules that are added with it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from murmurate.errors import ModelError
from murmurate.frame import Frame
from murmurate.live_view.messages import Point
from murmurate.model.distribution import is_individual
from murmurate.model.model import Model
from murmurate.model.quantity import number_at
from murmurate.show import scene

MAX_BOIDS = 2_000_000
MAX_PARTS = 64  # flocks, rules, obstacles and entries of the population, of each
MAX_OFFSET = 20.0  # longest sides of the space between its middle and a point
TURN_DISTANCE = 0.1  # longest sides of the space: boids this close turn for a drawn part
EDITABLE = ("dt", "order", "positions", "space", "flocks", "rules", "obstacles", "population")


@dataclass
class ModelEdit:
    """A change of the model's parts.

    values     dotted path -> value; None removes a part
    positions  flock -> positions of the boids that are added to it
    removed    (flock, boid index) of the boids that are removed
    notice     a line about parts that were added as well; empty if there are none
    """

    values: dict[str, Any] = field(default_factory=dict)
    positions: dict[str, list[Point]] = field(default_factory=dict)
    removed: list[tuple[str, int]] = field(default_factory=list)
    notice: str = ""


def values_at(model: Model, paths: Iterable[str]) -> dict[str, Any]:
    """Return the tables and numbers at dotted paths; None for a path that does not exist."""
    result, tables, defaults = {}, model.to_dict(), scene.values(model)
    for path in paths:
        value: Any = tables
        for key in path.split("."):
            value = value.get(key) if isinstance(value, dict) else None
        result[path] = defaults.get(path) if value is None else value
    return result


def apply_values(model: Model, values: Mapping[str, Any]) -> Model:
    """Return the model with values at dotted paths. Raises ModelError.

    New rules precede the others: a flock that combines rules by priority must obey them first.
    """
    after = model.set(values)
    new = [name for name in after.rules if name not in model.rules]
    if not new:
        return after
    data = after.to_dict()
    rules = data["rules"]
    order = [*new, *(name for name in rules if name not in new)]
    return Model(**(data | {"rules": {name: rules[name] for name in order}}))


# --- limits


def check_paths(paths: Iterable[str]) -> None:
    """Raise ModelError for dotted paths that pages may not change."""
    for path in paths:
        if path.partition(".")[0] not in EDITABLE:
            raise ModelError(f"{path}: a page may change {', '.join(EDITABLE)}")


def check_size(model: Model, loaded: Model) -> None:
    """Raise ModelError for a model that is too large. The loaded model's own size is allowed."""
    loaded_boids = sum(flock.count for flock in loaded.flocks.values())
    boids = sum(flock.count for flock in model.flocks.values())
    if boids > max(MAX_BOIDS, loaded_boids):
        raise ModelError(f"boids: got {boids}; expected at most {MAX_BOIDS} from a page")
    for key in ("flocks", "rules", "obstacles", "population"):
        count = len(getattr(model, key))
        if count > max(MAX_PARTS, len(getattr(loaded, key))):
            raise ModelError(f"{key}: got {count}; expected at most {MAX_PARTS} from a page")


# --- numbers


def flock_speed(model: Model, frame: Frame, name: str) -> float:
    """Return a flock's speed: that of its motion, or else the mean speed in the frame."""
    motion: Any = model.flocks[name].motion
    speed = _typical(getattr(motion, "speed", 0.0), frame.time)
    if speed <= 0:
        speed = _typical(motion.max_speed, frame.time)
    if not math.isfinite(speed) and name in frame.flocks and len(frame[name]):
        speed = float(np.linalg.norm(frame[name].velocities, axis=1).mean())
    return speed if math.isfinite(speed) and speed > 0 else 0.01 * longest_side(model) / model.dt


def steering_strength(model: Model, frame: Frame, name: str) -> float:
    """Return the length of a steering vector that turns a boid within TURN_DISTANCE.

    Its unit is that of the flock's motion: an acceleration, a force, a velocity or a direction.
    """
    motion: Any = model.flocks[name].motion
    speed = flock_speed(model, frame, name)
    if motion.kind == "self-propelled":
        return 1.0
    if motion.kind in ("replace", "responding"):
        return speed
    mass = _typical(getattr(motion, "mass", 1.0), frame.time)
    return mass * speed**2 / (TURN_DISTANCE * longest_side(model))


def _typical(value: Any, time: float) -> float:
    """Return a number at a time; the mean of numbers that differ between boids."""
    return float(value.mean_value) if is_individual(value) else number_at(value, time)


def longest_side(model: Model) -> float:
    """Return the longest side of the space."""
    return max(model.space.size)


def round_digits(x: float, digits: int = 3) -> float:
    """Round a number to significant digits."""
    return float(f"{x:.{digits}g}")


# --- names and points


def moves_entry(model: Model, flocks: list[str]) -> dict[str, Any]:
    """Return a rule's entry `moves`; empty if the model has only one flock."""
    return {} if len(model.flocks) == 1 else {"moves": flocks}


def free_name(name: str, used: Iterable[str]) -> str:
    """Return the name, with a number appended if it is used already."""
    names = {other.replace("_", "-") for other in used}
    number, candidate = 1, name
    while candidate in names:
        number += 1
        candidate = f"{name}-{number}"
    return candidate


def wrap_point(model: Model, label: str, point: Point) -> Point:
    """Return the point, wrapped into the space on periodic axes.

    Raises ModelError for a wrong number of dimensions, or a point that is far from the space.
    """
    space = model.space
    if len(point) != space.dims:
        raise ModelError(
            f"{label}: got {len(point)} numbers; expected {space.dims}, one per axis of the space"
        )
    middle = (np.array(space.lower) + np.array(space.upper)) / 2
    if np.abs(np.array(point) - middle).max() > MAX_OFFSET * longest_side(model):
        numbers = ", ".join(f"{x:g}" for x in point)
        raise ModelError(
            f"{label}: got ({numbers}); expected a point within {MAX_OFFSET:g} sides of the space "
            "from its middle"
        )
    return tuple(space.wrap(point).tolist())
