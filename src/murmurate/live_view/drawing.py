"""Drawing: obstacles, paths and goals that pages draw, as changes of the model.

An obstacle would hardly be minded where no rule senses it, so the rule that avoids obstacles comes
with it where a flock has none.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from murmurate.errors import ModelError
from murmurate.frame import Frame
from murmurate.live_view.edits import (
    FAR,
    NEAR,
    Edit,
    free_name,
    moves,
    point_of,
    short,
    side,
    speed_of,
    strength_of,
)
from murmurate.live_view.predator import is_predator
from murmurate.live_view.shapes import Box, Goal, Path, Shape, Sphere, Wall
from murmurate.model.model import Model
from murmurate.model.rule import NeighbourRule


def draw(model: Model, frame: Frame, shape: Shape) -> Edit:
    """The shape as a part of the model. Raises ModelError for points that are not of the space."""
    if isinstance(shape, Goal | Path):
        return _rule(model, frame, shape)
    if isinstance(shape, Wall):
        table = _wall(model, frame, shape)
    else:
        _check_size(model, shape)
        table = shape.model_dump() | {"centre": point_of(model, "centre", shape.centre)}
    name = free_name(shape.kind, [*model.obstacles, *model.flocks])
    edit = Edit({f"obstacles.{name}": table})
    _mind_obstacles(model.set(edit.values), frame, name, edit)
    return edit


def _wall(model: Model, frame: Frame, shape: Wall) -> dict[str, Any]:
    start, _ = (point_of(model, "through", point) for point in shape.through)
    (ax, ay), (bx, by) = (point[:2] for point in shape.through)
    length = math.hypot(bx - ax, by - ay)
    if length < 1e-6 * side(model):
        raise ModelError("through: a wall goes through two points, and these are one")
    normal = np.array([ay - by, bx - ax] + [0.0] * (model.space.dims - 2)) / length
    boids = np.concatenate([flock.positions for flock in frame.values()])
    if len(boids) and (boids.mean(axis=0) - np.array(start)) @ normal < 0:
        normal = -normal  # the flock is in front of it
    return {"kind": "wall", "point": start, "normal": [short(x, 6) + 0.0 for x in normal]}


def _rule(model: Model, frame: Frame, shape: Goal | Path) -> Edit:
    name = free_name(shape.kind, model.rules)
    flocks = [flock for flock in model.flocks if not is_predator(model, flock)] or list(
        model.flocks
    )
    strength = max(strength_of(model, frame, flock) for flock in flocks)
    table: dict[str, Any] = moves(model, flocks) | {"normalise": True}
    if isinstance(shape, Goal):
        place = point_of(model, "place", shape.place)
        table |= {"kind": "tend-to-place", "place": place, "weight": short(strength / 2)}
        return Edit({f"rules.{name}": table})
    for point in shape.points:
        point_of(model, "points", point)
    ends = np.array([*shape.points, *(shape.points[:1] if shape.closed else ())])
    length = float(np.linalg.norm(np.diff(ends, axis=0), axis=1).sum())
    if length < 1e-6 * side(model):
        raise ModelError("points: a path leads somewhere, and these are one point")
    speed = max(speed_of(model, frame, flock) for flock in flocks)
    table |= {
        "kind": "follow-path", "path": "polyline", "points": shape.points, "closed": shape.closed,
        "period": short(length / (0.8 * speed)), "weight": short(strength),
    }  # fmt: skip
    return Edit({f"rules.{name}": table})


def _mind_obstacles(model: Model, frame: Frame, obstacle: str, edit: Edit) -> None:
    """Adds the rule that avoids obstacles for flocks of which no rule senses a new one."""
    flocks = [flock for flock in model.flocks if not _minds(model, flock, obstacle)]
    if not flocks:
        return
    name = free_name("avoid-obstacles", model.rules)
    speed = max(speed_of(model, frame, flock) for flock in flocks)
    strength = max(strength_of(model, frame, flock) for flock in flocks)
    edit.values[f"rules.{name}"] = moves(model, flocks) | {
        "kind": "avoid-obstacles",
        "look_ahead": short(NEAR * side(model) / speed),
        "weight": short(3 * strength / speed),
    }
    edit.notice = f"Added rule {name}: {_listed(flocks)} had none that minds obstacles."


def _minds(model: Model, flock: str, obstacle: str) -> bool:
    return any(
        isinstance(rule, NeighbourRule) and obstacle in model.sensed(rule, flock)[1]
        for rule in model.moved_by(flock).values()
    )


def _listed(flocks: list[str]) -> str:
    return flocks[0] if len(flocks) == 1 else f"{', '.join(flocks[:-1])} and {flocks[-1]}"


def _check_size(model: Model, shape: Sphere | Box) -> None:
    """Raises ModelError for a shape that is much larger than the space."""
    sizes = [2 * shape.radius] if isinstance(shape, Sphere) else list(shape.size)
    if isinstance(shape, Box) and len(sizes) != model.space.dims:
        raise ModelError(f"size: {len(sizes)} numbers in a space of {model.space.dims} dimensions")
    if max(sizes) > FAR * side(model):
        raise ModelError(
            f"{shape.kind}: {max(sizes):g} across is more than {FAR:g} sides of the space"
        )
