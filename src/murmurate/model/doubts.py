"""Warnings about a model: what is suspicious, but valid. They are given where a model is shown, and
where its simulation starts."""

from __future__ import annotations

from murmurate.model.model import Model
from murmurate.model.obstacles import Wall
from murmurate.model.precision import Given, precision_warnings
from murmurate.model.schedule import number_at


class ModelWarning(UserWarning):
    """A model is valid, but suspicious."""


def doubts_of(model: Model, dtype: str = "float32", given: Given | None = None) -> list[str]:
    """Return what is suspicious in a model, a line each.

    dtype  the precision that it is simulated in
    given  the starts that take the place of the model's
    """
    walls = [
        line
        for name, shape in model.obstacles.items()
        if isinstance(shape, Wall)
        for line in _across(model, name, shape)
    ]
    return [*walls, *precision_warnings(model, dtype, given)]


def _across(model: Model, name: str, wall: Wall) -> list[str]:
    """A wall whose normal points along a periodic axis more than along any other."""
    parts = [abs(number_at(part, 0.0)) for part in wall.normal]
    axis = parts.index(max(parts))
    if not model.space.periodic[axis]:
        return []
    letter = "xyz"[axis]
    words = [*model.space.boundaries[:axis], "held", *model.space.boundaries[axis + 1 :]]
    closed = ", ".join(f'"{word}"' for word in words)
    return [
        f"obstacle '{name}' is a wall across {letter}, and {letter} is periodic: boids meet its "
        f"nearest image, so about half of the space is behind it, and boids there are put onto it. "
        f'Close that axis, space.boundary = [{closed}] or with "reflecting", or take a box instead'
    ]
