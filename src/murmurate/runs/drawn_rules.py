"""Rules for drawn parts: their tables, with numbers that suit a flock.

A drawn part steers boids within a tenth of the space. This distance and the flock's speed determine
the weights of the rules that are added with it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from murmurate.frame import Frame
from murmurate.model.distribution import is_individual
from murmurate.model.model import Model
from murmurate.model.quantity import number_at
from murmurate.model.rule import NeighbourRule

TURN_DISTANCE = 0.1  # longest sides of the space: boids this close turn for a drawn part
PATH_SPEED = 0.8  # of the flock: the speed of the point that it follows along a path
PREDATOR = "predator"
START_REACH = 0.02  # longest sides of the space: a new predator's start reaches so far around it


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


# --- tables of rules


def avoidance_table(model: Model, frame: Frame, flocks: list[str]) -> dict[str, Any]:
    """Return a rule with which flocks avoid obstacles."""
    speed = max(flock_speed(model, frame, flock) for flock in flocks)
    strength = max(steering_strength(model, frame, flock) for flock in flocks)
    return moves_entry(model, flocks) | {
        "kind": "avoid-obstacles",
        "look_ahead": round_digits(TURN_DISTANCE * longest_side(model) / speed),
        "weight": round_digits(3 * strength / speed),
    }


def goal_table(
    model: Model, frame: Frame, flocks: list[str], goal: Sequence[float]
) -> dict[str, Any]:
    """Return a rule that steers flocks to a goal."""
    strength = max(steering_strength(model, frame, flock) for flock in flocks)
    return moves_entry(model, flocks) | {
        "normalise": True, "kind": "tend-to-place", "place": goal,
        "weight": round_digits(strength / 2),
    }  # fmt: skip


def path_table(
    model: Model,
    frame: Frame,
    flocks: list[str],
    points: Sequence[Sequence[float]],
    closed: bool,
    length: float,
) -> dict[str, Any]:
    """Return a rule that steers flocks along a path of some length."""
    strength = max(steering_strength(model, frame, flock) for flock in flocks)
    speed = max(flock_speed(model, frame, flock) for flock in flocks)
    return moves_entry(model, flocks) | {
        "normalise": True, "kind": "follow-path", "path": "polyline", "points": points,
        "closed": closed, "period": round_digits(length / (PATH_SPEED * speed)),
        "weight": round_digits(strength),
    }  # fmt: skip


# --- predators


@dataclass(frozen=True)
class NewPredators:
    """The flock of the first predator, and the two rules with which it hunts and others flee.

    flock, flee, hunt   names of the flock and of the rules
    tables              dotted path -> table, of these three
    moves               dotted path -> flock, for the rules that moved the only flock without naming
                        it
    """

    flock: str
    flee: str
    hunt: str
    tables: dict[str, dict[str, Any]]
    moves: dict[str, str]


def new_predators(model: Model, frame: Frame, position: Sequence[float]) -> NewPredators:
    """Return a flock of one predator that starts around a position, from which all others flee."""
    prey = list(model.flocks)
    name = free_name(PREDATOR, [*model.flocks, *model.obstacles])
    flee, hunt = free_name(f"flee-{name}", model.rules), free_name("hunt", model.rules)
    speed = max(flock_speed(model, frame, flock) for flock in prey)
    strength = max(steering_strength(model, frame, flock) for flock in prey)
    longest = longest_side(model)
    sides = [s for s, p in zip(model.space.size, model.space.periodic, strict=True) if p]
    radius = min([1.5 * TURN_DISTANCE * longest, *(0.45 * s for s in sides)])
    lower, upper = _box_around(model, position, START_REACH * longest)
    velocity = {"kind": "directions", "speed": round_digits(speed / 2)}
    tables: dict[str, dict[str, Any]] = {
        f"flocks.{name}": {
            "count": 1,
            "start": {"kind": "box", "lower": lower, "upper": upper, "velocity": velocity},
            "motion": {"kind": "add", "max_speed": round_digits(speed)},
            "look": {"colour": "red", "scale": 2.5},
        },
        f"rules.{flee}": {
            "kind": "flee", "moves": prey, "senses": name, "law": "unit",
            "radius": round_digits(radius), "weight": round_digits(2 * strength),
        },
        f"rules.{hunt}": {
            "kind": "hunt", "moves": name, "senses": prey,
            "weight": round_digits(speed * speed / (TURN_DISTANCE * longest)),
        },
    }  # fmt: skip
    moves = {f"rules.{rule}.moves": prey[0] for rule in model.rules if not model.rules[rule].moves}
    return NewPredators(name, flee, hunt, tables, moves)


def _box_around(
    model: Model, point: Sequence[float], reach: float
) -> tuple[list[float], list[float]]:
    """Return the corners of a box around a point, clipped at closed faces of the space."""
    space = model.space
    lower, upper = [], []
    for axis, boundary in enumerate(space.boundaries):
        closed = boundary in ("reflecting", "held")
        low, high = point[axis] - reach, point[axis] + reach
        lower.append(max(low, space.lower[axis]) if closed else low)
        upper.append(min(high, space.upper[axis]) if closed else high)
    return lower, upper


# --- flocks


def led_flocks(model: Model) -> list[str]:
    """Return the flocks that drawn goals and paths steer: all but predators."""
    return [flock for flock in model.flocks if not is_predator(model, flock)] or list(model.flocks)


def is_predator(model: Model, name: str) -> bool:
    """Return whether another flock flees from this one, or this one hunts another."""
    for rule in model.rules.values():
        if not isinstance(rule, NeighbourRule) or rule.kind not in ("flee", "hunt"):
            continue
        for flock in model.movers(rule):
            hunter, prey = model.sensed(rule, flock)[0], (flock,)
            if rule.kind == "hunt":
                hunter, prey = prey, hunter
            if name in hunter and any(other != name for other in prey):
                return True
    return False


def senses_obstacle(model: Model, flock: str, obstacle: str) -> bool:
    """Return whether a rule of a flock senses an obstacle."""
    return any(
        isinstance(rule, NeighbourRule) and obstacle in model.sensed(rule, flock)[1]
        for rule in model.moved_by(flock).values()
    )


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
