"""Drawing: obstacles, paths, goals and predators that pages add, and boids that they remove, as
edits of the model.

Boids ignore an obstacle that no rule senses. So a flock without a rule that avoids obstacles
receives one with its first drawn obstacle.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from murmurate.errors import ModelError
from murmurate.frame import Frame
from murmurate.live_view.edits import MAX_OFFSET, ModelEdit, wrap_point
from murmurate.live_view.messages import Box, Goal, Path, Point, Shape, Sphere, Wall
from murmurate.model.messages import format_unknown
from murmurate.model.model import Model
from murmurate.model.rule import NeighbourRule, Rule
from murmurate.runs.drawn_rules import (
    avoidance_table,
    free_name,
    goal_table,
    is_predator,
    led_flocks,
    longest_side,
    new_predators,
    path_table,
    round_digits,
    senses_obstacle,
)

MIN_LENGTH = 1e-6  # longest sides of the space: shorter walls and paths are refused

# --- obstacles, paths and goals


def add_shape(model: Model, frame: Frame, shape: Shape) -> ModelEdit:
    """Add a drawn shape to the model. Raises ModelError for points that do not fit the space."""
    if isinstance(shape, Goal | Path):
        return _add_target(model, frame, shape)
    if isinstance(shape, Wall):
        table = _wall_table(model, frame, shape)
    else:
        _check_extent(model, shape)
        table = shape.model_dump() | {"centre": wrap_point(model, "centre", shape.centre)}
    name = free_name(shape.kind, [*model.obstacles, *model.flocks])
    edit = ModelEdit({f"obstacles.{name}": table})
    _add_avoidance(model.set(edit.values), frame, name, edit)
    return edit


def _wall_table(model: Model, frame: Frame, shape: Wall) -> dict[str, Any]:
    start, _ = (wrap_point(model, "through", point) for point in shape.through)
    (ax, ay), (bx, by) = (point[:2] for point in shape.through)
    length = math.hypot(bx - ax, by - ay)
    if length < MIN_LENGTH * longest_side(model):
        raise ModelError("through: got two equal points; expected two different ones for a wall")
    normal = np.array([ay - by, bx - ax] + [0.0] * (model.space.dims - 2)) / length
    boids = np.concatenate([flock.positions for flock in frame.values()])
    if len(boids) and (boids.mean(axis=0) - np.array(start)) @ normal < 0:
        normal = -normal  # towards the flock
    return {"kind": "wall", "point": start, "normal": [round_digits(x, 6) + 0.0 for x in normal]}


def _add_target(model: Model, frame: Frame, shape: Goal | Path) -> ModelEdit:
    """Add a rule that steers all flocks but predators to a goal or along a path."""
    name = free_name(shape.kind, model.rules)
    flocks = led_flocks(model)
    if isinstance(shape, Goal):
        goal = wrap_point(model, "place", shape.place)
        return ModelEdit({f"rules.{name}": goal_table(model, frame, flocks, goal)})
    for point in shape.points:
        wrap_point(model, "points", point)
    corners = np.array([*shape.points, *(shape.points[:1] if shape.closed else ())])
    length = float(np.linalg.norm(np.diff(corners, axis=0), axis=1).sum())
    if length < MIN_LENGTH * longest_side(model):
        raise ModelError("points: got equal points only; expected two different ones for a path")
    table = path_table(model, frame, flocks, shape.points, shape.closed, length)
    return ModelEdit({f"rules.{name}": table})


def _add_avoidance(model: Model, frame: Frame, obstacle: str, edit: ModelEdit) -> None:
    """Add a rule that avoids obstacles for the flocks that do not sense the new obstacle."""
    flocks = [flock for flock in model.flocks if not senses_obstacle(model, flock, obstacle)]
    if not flocks:
        return
    name = free_name("avoid-obstacles", model.rules)
    edit.values[f"rules.{name}"] = avoidance_table(model, frame, flocks)
    edit.notice = f"Added rule {name}, because {_join(flocks)} had no rule that senses obstacles."


def _join(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _check_extent(model: Model, shape: Sphere | Box) -> None:
    """Raise ModelError for a shape that is much larger than the space."""
    sizes = [2 * shape.radius] if isinstance(shape, Sphere) else list(shape.size)
    if isinstance(shape, Box) and len(sizes) != model.space.dims:
        raise ModelError(
            f"size: got {len(sizes)} numbers; expected {model.space.dims}, one per axis of the "
            "space"
        )
    if max(sizes) > MAX_OFFSET * longest_side(model):
        raise ModelError(
            f"{shape.kind}: got a width of {max(sizes):g}; expected at most {MAX_OFFSET:g} sides "
            "of the space"
        )


# --- predators


def add_predator(model: Model, frame: Frame, position: Point) -> ModelEdit:
    """Add one predator.

    It joins the flock that others flee from, or that hunts others. If there is none, it founds a
    new flock, from which all others flee.
    """
    for name in model.flocks:
        if is_predator(model, name):
            return _add_to_flock(model, name, position)
    return _add_predator_flock(model, frame, position)


def _add_to_flock(model: Model, name: str, position: Point) -> ModelEdit:
    flock = model.flocks[name]
    edit = ModelEdit({f"flocks.{name}.count": flock.count + 1}, {name: [position]})
    if flock.start.kind == "given":
        start = flock.start
        table: dict[str, Any] = {"kind": "given", "positions": [*start.positions, position]}
        if start.velocities:
            table["velocities"] = [*start.velocities, (0.0,) * model.space.dims]
        edit.values[f"flocks.{name}.start"] = table
    return edit


def _add_predator_flock(model: Model, frame: Frame, position: Point) -> ModelEdit:
    new = new_predators(model, frame, position)
    notice = (
        f"Added flock {new.flock}, rule {new.hunt} and rule {new.flee}, because there were no "
        "predators."
    )
    return ModelEdit({**new.tables, **new.moves}, {new.flock: [position]}, notice=notice)


def sample_edit(model: Model, frame: Frame, part: str) -> ModelEdit:
    """Add an 'obstacle', 'goal' or 'predator'. Its kernels serve others with any numbers."""
    middle = tuple(a + s / 2 for a, s in zip(model.space.lower, model.space.size, strict=True))
    if part == "predator":
        return add_predator(model, frame, middle)
    if part == "goal":
        return add_shape(model, frame, Goal(kind="goal", place=middle))
    radius = longest_side(model) / 20
    return add_shape(model, frame, Sphere(kind="sphere", centre=middle, radius=radius))


# --- removal


def remove_boid(model: Model, name: str, boid: int) -> ModelEdit:
    """Remove a boid from a flock.

    The last boid takes its flock with it, and the rules that concern only this flock. Raises
    ModelError for an unknown flock, and for the last boid of the only flock.
    """
    if name not in model.flocks:
        raise ModelError(format_unknown("flock", name, model.flocks))
    flock = model.flocks[name]
    if flock.count == 1:
        return _remove_flock(model, name)
    edit = ModelEdit({f"flocks.{name}.count": flock.count - 1}, removed=[(name, boid)])
    if flock.start.kind == "given":
        start = flock.start
        table: dict[str, Any] = {"kind": "given", "positions": _drop_row(start.positions, boid)}
        if start.velocities:
            table["velocities"] = _drop_row(start.velocities, boid)
        edit.values[f"flocks.{name}.start"] = table
    return edit


def _drop_row(rows: Sequence[Any], row: int) -> list[Any]:
    return [*rows[:row], *rows[row + 1 :]]


def _remove_flock(model: Model, name: str) -> ModelEdit:
    if len(model.flocks) == 1:
        raise ModelError(f"{name}: the last boid of the only flock cannot be removed")
    values: dict[str, Any] = {f"flocks.{name}": None}
    removed = []
    for rule_name, rule in model.rules.items():
        remaining = _without_flock(rule, name)
        if any(not flocks for flocks in remaining.values()):
            removed.append(rule_name)
            values[f"rules.{rule_name}"] = None
        else:
            values |= {f"rules.{rule_name}.{key}": flocks for key, flocks in remaining.items()}
    rules = f", and the rules that need it: {', '.join(removed)}" if removed else ""
    return ModelEdit(values, notice=f"Removed flock {name}{rules}.")


def _without_flock(rule: Rule, name: str) -> dict[str, list[str]]:
    """Return the rule's lists that name a flock, without that flock."""
    lists = {"moves": rule.moves}
    if isinstance(rule, NeighbourRule):
        lists["senses"] = rule.senses
    named = {key: [item] if isinstance(item, str) else list(item) for key, item in lists.items()}
    return {
        key: [other for other in names if other != name]
        for key, names in named.items()
        if name in names
    }
