"""The walls of an arena: a circle, or the sides of a convex polygon. In 3-D they are vertical."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from murmurate.errors import MeasureError
from murmurate.measures.zones import Circle, Polygon, parse_zone
from murmurate.model.obstacles import Obstacle
from murmurate.model.shapes.tank import Tank
from murmurate.model.shapes.wall import Wall
from murmurate.model.space import Space

MARGIN = 0.05  # of the arena's size, between it and the sides of the space of a model


@dataclass(frozen=True)
class Arena:
    """Walls that animals see as far as the radius.

    outline  with corners counterclockwise, if it is a polygon
    """

    outline: Circle | Polygon

    @classmethod
    def of(cls, value: Any, space: Space) -> Arena:
        """Parse walls, in the formats of zones."""
        if any(space.periodic[:2]):
            raise MeasureError("walls: got tracks in a periodic space, which has none")
        outline = parse_zone(value, "walls")
        if isinstance(outline, Polygon):
            sides = np.roll(outline.corners, -1, axis=0) - outline.corners
            following = np.roll(sides, -1, axis=0)
            curl = sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0]
            if not ((curl > 0).all() or (curl < 0).all()):
                raise MeasureError(
                    f"walls: got {value!r}, which is not convex; expected a circle, a box or a "
                    "convex polygon"
                )
            if curl[0] < 0:
                outline = Polygon(outline.corners[::-1])
        return cls(outline)

    def _sides(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield a corner of each side of a polygon, and its unit normal towards the inside."""
        assert isinstance(self.outline, Polygon)
        corners = self.outline.corners
        for corner, other in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            along = (other - corner) / np.linalg.norm(other - corner)
            yield corner, np.array([-along[1], along[0]])

    def near(self, positions: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield (R,) distances of (R, D) positions to each wall, and (R, D) directions to it.

        Behind a wall, where an error of a tracker puts an animal, the distance is 0.
        """
        ground = positions[:, :2]
        towards = np.zeros_like(positions)
        if isinstance(self.outline, Circle):
            offsets = ground - self.outline.centre
            lengths = np.maximum(np.hypot(*offsets.T), 1e-12 * self.outline.radius)
            towards[:, :2] = offsets / lengths[:, None]
            yield np.maximum(self.outline.radius - lengths, 0.0), towards
            return
        for corner, normal in self._sides():
            towards[:, :2] = -normal
            yield np.maximum((ground - corner) @ normal, 0.0), towards.copy()

    def obstacles(self, dims: int) -> dict[str, Obstacle]:
        """Return the walls of a model."""
        rest = (0.0,) * (dims - 2)
        if isinstance(self.outline, Circle):
            centre = (*self.outline.centre, *rest)
            return {"tank": Tank(centre=centre, radius=self.outline.radius)}
        return {
            f"wall-{k}": Wall(point=(*corner.tolist(), *rest), normal=(*normal.tolist(), *rest))
            for k, (corner, normal) in enumerate(self._sides(), 1)
        }

    @property
    def centre(self) -> tuple[float, float]:
        """The mean of its corners."""
        low, high = self.outline.bounds
        middle = (low + high) / 2
        if isinstance(self.outline, Polygon):
            middle = self.outline.corners.mean(axis=0)
        return float(middle[0]), float(middle[1])

    @property
    def room(self) -> float:
        """The distance from its centre to the nearest wall."""
        return float(min(d[0] for d, _ in self.near(np.array([self.centre]))))

    def space(self, dims: int, height: float) -> Space:
        """Return an open space around it."""
        low, high = self.outline.bounds
        margin = MARGIN * (high - low)
        origin, size = (low - margin).tolist(), (high - low + 2 * margin).tolist()
        if dims == 3:
            origin, size = [*origin, -height / 2], [*size, height]
        return Space(size=tuple(size), origin=tuple(origin))
