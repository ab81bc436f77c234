"""Obstacles for the reference engine: distances, normals, and what rules sense of them.

An obstacle is its row in the table of obstacles: see murmurate.model.shapes, whose functions are
called here. Vectors have as many components as the space.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from murmurate.codegen.mesh_contact import mesh_entry
from murmurate.codegen.obstacle_movement import exit_distance
from murmurate.codegen.obstacle_path import edge_ahead
from murmurate.codegen.obstacle_shapes import MESH, entry_time, surface
from murmurate.codegen.obstacle_shapes import clearance as clearance_3d
from murmurate.engines.reference.mathematics import nearest_image, pad_to_3d
from murmurate.model.shapes.geometry import NEVER
from murmurate.model.space import Space

TINY = 1e-6  # part of a vector that is negligible
INTO = 1e-11  # part of a vector by which it may point into an obstacle

Row = tuple[float, ...]
"""Row of an obstacle with its present numbers."""


def relative(row: Row, position: np.ndarray, space: Space) -> np.ndarray:
    """Return a position relative to the nearest image of an obstacle's centre or wall's point."""
    return nearest_image(position - np.array(row[1 : 1 + len(position)]), space)


def clearance(row: Row, x: np.ndarray) -> tuple[float, np.ndarray]:
    """Return the signed distance from an obstacle's surface, and the unit normal to the free
    side."""
    distance, *normal = clearance_3d(row, *pad_to_3d(x))
    return float(distance), np.array(normal[: len(x)])


def points_into(d: np.ndarray, planes: Sequence[np.ndarray], error: float) -> bool:
    """Return whether a vector points into one of some planes, beyond rounding and an error."""
    return any(d @ n < -(INTO * np.linalg.norm(d) + error) for n in planes)


def entered(
    row: Row,
    x: np.ndarray,
    d: np.ndarray,
    skin: float,
    error: float,
    on_way_out: bool = False,
) -> float:
    """Return the part of a movement d after which a position enters the skin of an obstacle.

    The result is infinity for never. The position x is relative to the obstacle's centre. Within
    two skins it counts as inside the skin, and may approach by the error of d. On the way out, it
    may cross an obstacle that contains it.
    """
    enter = mesh_entry if row[0] == MESH else entry_time
    t = float(enter(row, pad_to_3d(x), pad_to_3d(d), skin, error, on_way_out))  # type: ignore[no-untyped-call]
    return t if t < NEVER else math.inf


def way_out(row: Row, x: np.ndarray, e: np.ndarray, skin: float) -> float:
    """Return the distance along a unit vector e after which x is one skin outside an obstacle."""
    distance = float(exit_distance(row, pad_to_3d(x), pad_to_3d(e), skin))
    return distance if distance >= 0.0 else math.inf


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
