"""Edits: changes of a model's parts that pages request, the limits on them, and checked points."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from murmurate.errors import ModelError
from murmurate.live_view.messages import Point
from murmurate.model.model import Model
from murmurate.runs.drawn_rules import longest_side
from murmurate.show import scene

MAX_BOIDS = 2_000_000
MAX_PARTS = 64  # flocks, rules, obstacles and entries of the population, of each
MAX_OFFSET = 20.0  # longest sides of the space between its middle and a point
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


# --- points


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
