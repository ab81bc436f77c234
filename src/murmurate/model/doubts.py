"""Doubts: what a model says that is allowed, and hardly meant."""

from __future__ import annotations

from collections.abc import Iterator

from murmurate.model.model import Model
from murmurate.model.schedule import extent


class ModelWarning(UserWarning):
    """A model says what is allowed, and hardly meant."""


def doubts_about(model: Model) -> Iterator[str]:
    """What may not be meant, each with what to do."""
    for name, shape in model.obstacles.items():
        if shape.kind != "wall":
            continue
        axes = zip("xyz", shape.normal, model.space.periodic, strict=False)
        across = [axis for axis, number, periodic in axes if periodic and any(extent(number))]
        if across:
            yield (
                f"obstacles.{name}: the wall stands across the axis {' and '.join(across)}, which "
                "is periodic: half of the space is behind it, round the torus, and boids there "
                "are put onto it. Let space.boundary be 'reflecting' or 'held' on that axis, or "
                "make the obstacle a box"
            )
