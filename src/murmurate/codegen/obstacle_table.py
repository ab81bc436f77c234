"""Obstacles as the rows of a table that kernels read."""

from __future__ import annotations

from typing import Any

import numpy as np

from murmurate.codegen.obstacle_shapes import BOX, SPHERE, TANK, WALL
from murmurate.model.model import Model
from murmurate.model.obstacles import unit_normal
from murmurate.model.quantity import number_at

# In 2-D a box has no faces across z: they are out of reach.
NO_FACE = 1e15


def obstacle_table(model: Model, time: float) -> np.ndarray:
    """(obstacles, 7) float64: see Plan.obstacle_table."""

    def three(vector: Any, fill: float = 0.0) -> list[float]:
        return [number_at(x, time) for x in vector] + [fill] * (3 - len(vector))

    rows = []
    for shape in model.obstacles.values():
        if shape.kind == "sphere" or shape.kind == "tank":
            kind = SPHERE if shape.kind == "sphere" else TANK
            rows.append([kind, *three(shape.centre), number_at(shape.radius, time), 0.0, 0.0])
        elif shape.kind == "box":
            half = [0.5 * s for s in three(shape.size, 2 * NO_FACE)]
            rows.append([BOX, *three(shape.centre), *half])
        else:
            rows.append([WALL, *three(shape.point), *unit_normal(three(shape.normal))])
    return np.array(rows, dtype=float).reshape(-1, 7)
