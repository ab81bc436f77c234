"""Obstacles for the reference engine: their sensing by rules, and movements past them.

The functions of shapes and of movements are those of kernels, as plain Python: closed forms and
invariants test them. An obstacle is its row in the table of obstacles: see murmurate.model.shapes.
Vectors have as many components as the space.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from murmurate.codegen import obstacle_movement
from murmurate.codegen.obstacle_path import edge_ahead
from murmurate.codegen.obstacle_shapes import FACES, NO_AXIS, ROUNDING, surface
from murmurate.engines.reference.mathematics import nearest_image, pad_to_3d
from murmurate.model.space import Space

Row = tuple[float, ...]
"""Row of an obstacle with its present numbers."""


class ObstacleRows(tuple[Row, ...]):
    """Rows of obstacles, as functions of kernels read them."""

    @property
    def shape(self) -> tuple[int]:
        """The number of obstacles."""
        return (len(self),)


def relative(row: Row, position: np.ndarray, space: Space) -> np.ndarray:
    """Return a position relative to the nearest image of an obstacle's centre or wall's point."""
    return nearest_image(position - np.array(row[1 : 1 + len(position)]), space)


def to_surface(row: Row, position: np.ndarray, space: Space) -> tuple[np.ndarray, bool]:
    """Return the vector to an obstacle's nearest surface point, and whether it is inside."""
    x = pad_to_3d(relative(row, position, space))
    *vector, distance = surface(row, *x)  # type: ignore[no-untyped-call]
    return np.array(vector[: len(position)]), distance < 0.0


def edge_point(
    row: Row, position: np.ndarray, velocity: np.ndarray, space: Space
) -> np.ndarray | None:
    """Return the vector to the point beside the impact of the path ahead; None without an impact.

    From that point, the path straight on touches the outline of the obstacle.
    """
    x, dims = pad_to_3d(relative(row, position, space)), len(position)
    h = pad_to_3d(velocity)
    *vector, is_met = edge_ahead(row, *x, *h, dims == 2)  # type: ignore[no-untyped-call]
    return np.array(vector[:dims]) if is_met else None


def move_past(
    obstacles: Mapping[str, Row],
    earlier: Mapping[str, Row],
    p: np.ndarray,
    d: np.ndarray,
    velocity: np.ndarray,
    space: Space,
) -> tuple[np.ndarray, np.ndarray, float]:
    """Return position and velocity of a boid at p after a movement d past obstacles and faces.

    The third value is 0, or the cause of a lost boid: see codegen/obstacle_movement.py.

    obstacles, earlier  obstacles at the end and at the begin of the step
    p, d, velocity  (D,) position, movement and velocity
    """
    tables = ObstacleRows(obstacles.values()), ObstacleRows(earlier.values())
    vectors = *pad_to_3d(p), *pad_to_3d(d), *pad_to_3d(velocity)
    faces, dims = _faces(space), len(p)
    *numbers, lost = obstacle_movement.move_past(*tables, *vectors, faces, ROUNDING["float64"])  # type: ignore[no-untyped-call]
    return np.array(numbers[:dims]), np.array(numbers[3 : 3 + dims]), lost


@lru_cache
def _faces(space: Space) -> tuple[tuple[float, float, float], ...]:
    """Return kind, lower and upper coordinate of the faces of three axes."""
    kinds = [FACES[boundary] for boundary in space.boundaries]
    faces = [*zip(kinds, space.lower, space.upper, strict=True)]
    return (*faces, *[(NO_AXIS, 0.0, 0.0)] * (3 - space.dims))
