"""Paths: the polylines that rules lead boids along, as films and replays show them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from murmurate.model.model import Model
from murmurate.model.quantity import corners
from murmurate.show.projection import Array, Orthographic, Perspective

Line = Sequence[Sequence[float]]
DASHES = 45  # and gaps of the same length, along the longest side of the space


def path_lines(model: Model) -> list[list[tuple[float, ...]]]:
    """The corners of each path in order, (D,) each; of one that returns to its first corner, that
    one again at the end."""
    found = []
    for rule in model.rules.values():
        points = list(corners(rule))
        if points:
            found.append([*points, *points[: 1 if getattr(rule, "closed", False) else 0]])
    return found


def dashes(lines: Sequence[Line], longest: float) -> Array:
    """(n, 2, D) the ends of dashes along lines, for a space whose longest side is given."""
    found = []
    for line in lines:
        for start, end in zip(np.array(line[:-1], float), np.array(line[1:], float), strict=True):
            number = max(1, round(float(np.linalg.norm(end - start)) * DASHES / longest))
            begin = (np.arange(number)[:, None] + 0.25) / number
            both = np.stack([begin, begin + 0.5 / number], axis=1)
            found.append(start + both * (end - start))
    return np.concatenate(found) if found else np.empty((0, 2, 2))


def nearest_images(ends: Array, projection: Orthographic | Perspective) -> Array:
    """(n, 2, D) dashes at the image that is nearest to what a picture shows the middle of."""
    if not any(projection.wrap) or not len(ends):
        return ends
    sides = np.array(projection.wrap, float)
    away = ends.mean(axis=1) - np.array(projection.centre)
    images = np.round(np.divide(away, sides, out=np.zeros_like(away), where=sides > 0)) * sides
    moved: Array = ends - images[:, None, :]
    return moved
