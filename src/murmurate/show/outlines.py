"""Outlines: flat shapes of boids of length 1, as signed distances: dart, bird, fish, arrow, disc.

An outline is a function of places in lengths, `along` the heading and `aside` of it (not negative:
outlines are symmetric), and returns the signed distance (in lengths, negative inside) and the tone,
0 to 1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from murmurate.model.view import Shape

Array = np.ndarray


class Outline(NamedTuple):
    """A flat shape.

    distance  (along, aside) -> (signed distance, tone)
    corners   (T, 3, 2) triangles that cover about the same
    round     whether it is the same from all sides: it is not foreshortened
    """

    distance: Callable[[Array, Array], tuple[Array, Array]]
    corners: Array
    round: bool = False


def _dart(along: Array, aside: Array) -> tuple[Array, Array]:
    """An arrowhead: nose at 0.6, tail tips at (-0.4, +-0.3), notch at -0.22. A tail a little
    fainter than the nose keeps the darts of a dense flock apart."""
    flank = (0.3 * (along - 0.6) + aside) / 1.0440
    back = (-0.3 * (along + 0.22) - 0.18 * aside) / 0.3499
    return np.maximum(flank, back), np.clip(0.86 + 0.36 * along, 0.0, 1.0)


def _bird(along: Array, aside: Array) -> tuple[Array, Array]:
    """A bird from above: swept wings, a slim body and a tail."""
    leading = (0.56 * (along - 0.34) + 0.58 * aside) / 0.8062
    trailing = (-0.56 * (along - 0.02) - 0.26 * aside) / 0.6174
    wings = np.maximum(leading, trailing)
    body = np.hypot(along - np.clip(along, -0.26, 0.42), aside) - 0.07
    return np.minimum(wings, body), np.ones_like(wings)


def _fish(along: Array, aside: Array) -> tuple[Array, Array]:
    """A fish from above: a slim body, thickest near the head, and a tail fin."""
    half = 0.12 - np.where(along > 0.2, 0.4 * (along - 0.2), 0.2 * (0.2 - along))
    body = np.maximum(aside - half, np.abs(along) - 0.5)
    fin = np.maximum(aside - 0.4 * (-0.3 - along), np.abs(along + 0.4) - 0.1)
    return np.minimum(body, fin), np.clip(0.9 + 0.25 * along, 0.0, 1.0)


def _arrow(along: Array, aside: Array) -> tuple[Array, Array]:
    """A shaft with a head."""
    head = np.maximum((0.23 * (along - 0.5) + 0.42 * aside) / 0.4789, 0.08 - along)
    shaft = np.maximum(aside - 0.06, np.abs(along + 0.19) - 0.31)
    both = np.minimum(head, shaft)
    return both, np.ones_like(both)


def _disc(along: Array, aside: Array) -> tuple[Array, Array]:
    away = np.hypot(along, aside) - 0.33
    return away, np.ones_like(away)


def _halves(*corners: tuple[float, float]) -> Array:
    """Triangles of the left half, and those of the right."""
    left = np.array(corners).reshape(-1, 3, 2)
    return np.concatenate([left, left * [1, -1]])


def _polygon(radius: float, sides: int) -> Array:
    angle = 2 * np.pi * np.arange(sides + 1) / sides
    rim = radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return np.stack([np.zeros_like(rim[1:]), rim[:-1], rim[1:]], axis=1)


OUTLINES: dict[Shape, Outline] = {
    "dart": Outline(_dart, _halves((0.6, 0), (-0.4, 0.3), (-0.22, 0))),
    "bird": Outline(
        _bird,
        _halves((0.34, 0), (-0.24, 0.56), (0.02, 0), (0.49, 0), (0, 0.07), (-0.33, 0)),
    ),
    "fish": Outline(
        _fish,
        _halves((0.5, 0), (0.2, 0.12), (-0.4, 0), (-0.3, 0), (-0.5, 0.08), (-0.5, 0)),
    ),
    "arrow": Outline(
        _arrow,
        _halves(
            (0.5, 0), (0.08, 0.23), (0.08, 0),
            (0.08, 0), (0.08, 0.06), (-0.5, 0.06), (0.08, 0), (-0.5, 0.06), (-0.5, 0),
        ),
    ),
    "disc": Outline(_disc, _polygon(0.33, 12), round=True),
}  # fmt: skip
