"""Distances of drones to the obstacles of a model."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

import numpy as np

from murmurate.errors import FlightError
from murmurate.flights.bernstein import Array
from murmurate.model.obstacles import ObstacleShape
from murmurate.model.quantity import is_scheduled


class Obstacles:
    """Obstacles of a model at the scale of a flight.

    shapes  by name
    dims  axes of the model; obstacles of 2 extend from the ground upwards without end
    metres  per length unit
    altitude  of z = 0, metres
    raises FlightError  one moves or is a mesh, whose distances are not computed
    """

    def __init__(
        self, shapes: Mapping[str, ObstacleShape], dims: int, metres: float, altitude: float
    ) -> None:
        self._dims, self._metres, self._altitude = dims, metres, altitude
        self._rows = []
        for name, shape in shapes.items():
            values = [getattr(shape, field) for field in type(shape).model_fields]
            moves = any(map(is_scheduled, (*values, *(x for v in values if isinstance(v, tuple)
                                                      for x in v))))  # fmt: skip
            if moves or shape.kind == "mesh":
                raise FlightError(
                    f"obstacles.{name}: got a {'moving obstacle' if moves else 'mesh'}, to which "
                    "distances in continuous time are not computed; expected a box, sphere, "
                    "cylinder, wall or tank at rest. --unchecked exports without this check"
                )
            module = import_module(f"murmurate.model.shapes.{shape.kind}")
            self._rows.append((shape.row(0.0), module.clearance))

    def __bool__(self) -> bool:
        """Return whether any obstacle exists."""
        return bool(self._rows)

    def distances(self, positions: Array) -> Array:
        """Return the distance (P,) of positions (P, 3) to the nearest surface; negative inside."""
        local = positions - [0.0, 0.0, self._altitude]
        local = local / self._metres
        if self._dims == 2:
            local[:, 2] = 0.0
        out = np.full(len(local), np.inf)
        for row, clearance in self._rows:
            near = [clearance(row, *point)[0] for point in (local - row[1:4]).tolist()]
            out = np.minimum(out, near)
        return out * self._metres

    def bounds(self, points: Array) -> tuple[Array, Array, Array]:
        """Return of each path (P, n + 1, 3) a lower bound, a distance that it has, and where.

        A distance changes by no more than the position.
        """
        centre = (points.min(axis=1) + points.max(axis=1)) / 2
        radius = np.linalg.norm(points - centre[:, None], axis=2).max(axis=1)
        at_begin = self.distances(points[:, 0])
        return self.distances(centre) - radius, at_begin, np.zeros(len(points))
