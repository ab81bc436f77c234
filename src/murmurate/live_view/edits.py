"""Edits: changes of a model's parts that pages ask for, and what new parts are made of: free names,
points that are checked, numbers that suit the flock.

What is drawn turns boids within a tenth of the space; from this and a flock's speed follow the
weights of the rules that come with it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from murmurate.errors import ModelError
from murmurate.frame import Frame
from murmurate.live_view.shapes import Point
from murmurate.model.model import Model
from murmurate.model.quantity import number_at
from murmurate.show import scene

FAR = 20.0  # sides of the space that a point may lie away from its middle
NEAR = 0.1  # of the space's longest side: within this, boids turn for what is drawn


@dataclass
class Edit:
    """A change of the model.

    values   dotted path -> value; None takes a part out
    places   flock -> where boids begin that join it
    leaving  (flock, number in it) of boids that leave it
    notice   what came with it, in a line; empty if nothing did
    """

    values: dict[str, Any] = field(default_factory=dict)
    places: dict[str, list[Point]] = field(default_factory=dict)
    leaving: list[tuple[str, int]] = field(default_factory=list)
    notice: str = ""


def parts(model: Model, paths: Iterable[str]) -> dict[str, Any]:
    """What stands at dotted paths: plain tables and numbers; None where there is nothing."""
    found, data, values = {}, model.to_dict(), scene.values(model)
    for path in paths:
        here: Any = data
        for key in path.split("."):
            here = here.get(key) if isinstance(here, dict) else None
        found[path] = values.get(path) if here is None else here  # a default, or nothing
    return found


def edited(model: Model, values: Mapping[str, Any]) -> Model:
    """The model with values at dotted paths. New rules stand before the others: where a flock
    combines them by priority, what must not fail stands first. Raises ModelError."""
    after = model.set(values)
    new = [name for name in after.rules if name not in model.rules]
    if not new:
        return after
    data = after.to_dict()
    rules = data["rules"]
    order = [*new, *(name for name in rules if name not in new)]
    return Model(**(data | {"rules": {name: rules[name] for name in order}}))


# --- numbers


def speed_of(model: Model, frame: Frame, name: str) -> float:
    """How fast a flock flies: by its motion where that says it, or as it does now."""
    motion: Any = model.flocks[name].motion
    speed = number_at(getattr(motion, "speed", 0.0), frame.time)
    if speed <= 0:
        speed = number_at(motion.max_speed, frame.time)
    if not math.isfinite(speed) and name in frame.flocks and len(frame[name]):
        speed = float(np.linalg.norm(frame[name].velocities, axis=1).mean())
    return speed if math.isfinite(speed) and speed > 0 else 0.01 * side(model) / model.dt


def strength_of(model: Model, frame: Frame, name: str) -> float:
    """A steering vector that turns a boid of a flock within NEAR of the space: an acceleration, a
    force, a velocity or a direction, as its motion takes it."""
    motion: Any = model.flocks[name].motion
    speed = speed_of(model, frame, name)
    if motion.kind == "self-propelled":
        return 1.0
    if motion.kind in ("replace", "responding"):
        return speed
    return number_at(getattr(motion, "mass", 1.0), frame.time) * speed**2 / (NEAR * side(model))


def side(model: Model) -> float:
    return max(model.space.size)


def short(x: float, digits: int = 3) -> float:
    """A number with few digits."""
    return float(f"{x:.{digits}g}")


# --- names and points


def moves(model: Model, flocks: list[str]) -> dict[str, Any]:
    """What a rule says of the flocks that it moves; nothing where there is only one."""
    return {} if len(model.flocks) == 1 else {"moves": flocks}


def free_name(name: str, taken: Iterable[str]) -> str:
    """The name, with a number behind it where it is taken."""
    known = {other.replace("_", "-") for other in taken}
    number, free = 1, name
    while free in known:
        number += 1
        free = f"{name}-{number}"
    return free


def point_of(model: Model, what: str, point: Point) -> Point:
    """The point, on periodic axes brought into the space. Raises ModelError for one of other
    dimensions, or far from the space."""
    space = model.space
    if len(point) != space.dims:
        raise ModelError(f"{what}: {len(point)} numbers in a space of {space.dims} dimensions")
    middle = (np.array(space.lower) + np.array(space.upper)) / 2
    if np.abs(np.array(point) - middle).max() > FAR * side(model):
        shown = ", ".join(f"{x:g}" for x in point)
        raise ModelError(
            f"{what}: ({shown}) is farther from the middle of the space than {FAR:g} of its sides"
        )
    axes = zip(point, space.lower, space.size, space.periodic, strict=True)
    return tuple(low + (x - low) % side if wraps else x for x, low, side, wraps in axes)
