"""Predators that pages place: one boid more of the flock of predators, or a flock of one."""

from __future__ import annotations

from typing import Any

from murmurate.frame import Frame
from murmurate.live_view.edits import (
    NEAR,
    Edit,
    free_name,
    short,
    side,
    speed_of,
    strength_of,
)
from murmurate.live_view.shapes import Point
from murmurate.model.model import Model
from murmurate.model.rule import NeighbourRule

PREDATOR = "predator"


def place_predator(model: Model, frame: Frame, position: Point) -> Edit:
    """One predator more: of the flock that others flee from, or that hunts them; where there is
    none, of a new one, from which all others flee."""
    for name in model.flocks:
        if is_predator(model, name):
            return _joining(model, name, position)
    return _first_predator(model, frame, position)


def is_predator(model: Model, name: str) -> bool:
    """Whether another flock flees from it, or it hunts another."""
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


def _joining(model: Model, name: str, position: Point) -> Edit:
    flock = model.flocks[name]
    edit = Edit({f"flocks.{name}.count": flock.count + 1}, {name: [position]})
    if flock.start.kind == "given":
        start = flock.start
        given: dict[str, Any] = {"kind": "given", "positions": [*start.positions, position]}
        if start.velocities:
            given["velocities"] = [*start.velocities, (0.0,) * model.space.dims]
        edit.values[f"flocks.{name}.start"] = given
    return edit


def _first_predator(model: Model, frame: Frame, position: Point) -> Edit:
    prey = list(model.flocks)
    name = free_name(PREDATOR, [*model.flocks, *model.obstacles])
    flee, hunt = free_name(f"flee-{name}", model.rules), free_name("hunt", model.rules)
    speed = max(speed_of(model, frame, flock) for flock in prey)
    strength = max(strength_of(model, frame, flock) for flock in prey)
    longest = side(model)
    sides = [s for s, p in zip(model.space.size, model.space.periodic, strict=True) if p]
    radius = min([1.5 * NEAR * longest, *(0.45 * s for s in sides)])
    lower, upper = _around(model, position, 0.02 * longest)
    velocity = {"kind": "directions", "speed": short(speed / 2)}
    values: dict[str, Any] = {
        f"flocks.{name}": {
            "count": 1,
            "start": {"kind": "box", "lower": lower, "upper": upper, "velocity": velocity},
            "motion": {"kind": "add", "max_speed": short(speed)},
            "look": {"colour": "red", "scale": 2.5},
        },
        f"rules.{flee}": {
            "kind": "flee", "moves": prey, "senses": name, "law": "unit", "radius": short(radius),
            "weight": short(2 * strength),
        },
        f"rules.{hunt}": {
            "kind": "hunt", "moves": name, "senses": prey,
            "weight": short(speed * speed / (NEAR * longest)),
        },
    }  # fmt: skip
    for rule, its in model.rules.items():
        if not its.moves:  # so there was one flock, which it moves
            values[f"rules.{rule}.moves"] = prey[0]
    notice = (
        f"Added flock {name}, rule {hunt}, and rule {flee}: there were no predators to flee from."
    )
    return Edit(values, {name: [position]}, notice=notice)


def _around(model: Model, place: Point, reach: float) -> tuple[list[float], list[float]]:
    """The corners of a box around a place: of the part of it that is not behind closed faces."""
    space = model.space
    lower, upper = [], []
    for axis, boundary in enumerate(space.boundaries):
        shut = boundary in ("reflecting", "held")
        low, high = place[axis] - reach, place[axis] + reach
        lower.append(max(low, space.lower[axis]) if shut else low)
        upper.append(min(high, space.upper[axis]) if shut else high)
    return lower, upper
