"""Planes, lines in 2-D. A row has the unit normal."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

from murmurate.model.quantity import Vector, extent, quantity
from murmurate.model.shapes.geometry import NEVER, TINY, direction_beside, dot
from murmurate.model.shapes.shape import Shape, three_at
from murmurate.model.space import Space

if TYPE_CHECKING:
    from murmurate.model.shapes.outline import Array, Outline, Placement

MIN_SQUARABLE = 1e-140
"""The squares of smaller numbers are 0."""


class Wall(Shape):
    """A plane (a line in 2-D): boids stay on the side to which its normal points."""

    number: ClassVar[int] = 2
    position_field: ClassVar[str] = "point"
    lengths: ClassVar[dict[str, float]] = {"normal": 1.0}
    unbounded: ClassVar[bool] = True

    kind: Literal["wall"] = "wall"
    point: Vector = quantity(unit="length")
    """Any point of the plane."""
    normal: Vector = quantity(unit="")
    """A vector of any length above 0 that points to the side where boids may be."""

    def numbers(self, time: float) -> list[float]:
        """Return the last three numbers of its row."""
        return unit_normal(three_at(self.normal, time))

    def largest(self) -> None:
        """Return None: it has no length."""

    def problems(self, space: Space) -> Iterator[tuple[str, str]]:
        """Yield an error if it has no direction."""
        if all(extent(x) == (0.0, 0.0) for x in self.normal):
            yield (
                "normal",
                "got a vector of zeros; expected one that points to the side where boids may be",
            )

    def outline(self) -> Outline:
        """Return a square across x."""
        import numpy as np

        from murmurate.model.shapes.outline import sheet

        return sheet(np.array([(0, -1, -1), (0, 1, -1), (0, 1, 1), (0, -1, 1)], float))

    def placement(self, space: Space) -> Placement:
        """Return where the square is: around the point nearest to the middle of the space."""
        import numpy as np

        from murmurate.model.shapes.outline import Placement

        point, normal = np.array(self.row(0.0)[1:]).reshape(2, 3)
        middle = np.array(
            three_at([(a + b) / 2 for a, b in zip(space.lower, space.upper, strict=True)], 0.0)
        )
        reach = 0.75 * math.dist(space.lower, space.upper)
        high = reach if space.dims == 3 else max(space.size) / 20
        nearest = middle - normal * ((middle - point) @ normal)
        x, y, z = normal.tolist()
        turn = (0.0, -z, y, 1.0 + x) if x > 1e-12 - 1.0 else (0.0, 0.0, 1.0, 0.0)
        rotation = np.array(turn) / math.hypot(*turn)  # the shortest from x, about z for -x
        return Placement(nearest, np.array([1.0, reach, high]), tuple(rotation.tolist()))

    def drawn(self, space: Space) -> Outline:
        """Return the part inside of a 3-D space."""
        from murmurate.model.shapes.outline import sheet

        return sheet(self.polygon(space))

    def polygon(self, space: Space) -> Array:
        """Return the corners (K, 3), in order, of its part inside of a 3-D space; K may be 0."""
        import numpy as np

        point, normal = np.array(self.row(0.0)[1:]).reshape(2, 3)
        corners = np.array(list(itertools.product(*zip(space.lower, space.upper, strict=True))))
        height = (corners - point) @ normal
        height[np.abs(height) < 1e-9 * max(space.size)] = 0.0
        points = [corner for corner, h in zip(corners, height, strict=True) if h == 0.0]
        for a, b in itertools.combinations(range(8), 2):
            if (corners[a] != corners[b]).sum() == 1 and height[a] * height[b] < 0:
                part = height[a] / (height[a] - height[b])
                points.append(corners[a] + part * (corners[b] - corners[a]))
        if len(points) < 3:
            return np.zeros((0, 3))
        polygon = np.array(points)
        offsets = polygon - polygon.mean(axis=0)
        first = offsets[0] / np.linalg.norm(offsets[0])
        second = np.cross(normal, first)
        return polygon[np.argsort(np.arctan2(offsets @ second, offsets @ first))]


def unit_normal(normal: Sequence[float]) -> list[float]:
    """Return a vector of length 1 in the direction of `normal`; zeros where it is zero."""
    largest = max(abs(x) for x in normal)
    if largest == 0.0:
        return [0.0] * len(normal)
    if largest < MIN_SQUARABLE:
        normal = [x / largest for x in normal]
    length = math.sqrt(sum(x * x for x in normal))
    return [x / length for x in normal]


def clearance(obstacle, x, y, z):
    a, b, c = obstacle[4], obstacle[5], obstacle[6]
    return x * a + y * b + z * c, a, b, c


def is_beyond(obstacle, x, y, z, way):
    return x * obstacle[4] + y * obstacle[5] + z * obstacle[6] > way


def entry_time(obstacle, x, d, skin, distance, closing):
    return (distance - skin) / -closing if distance - skin < -closing else NEVER


def exit_distance(obstacle, x, e, skin):
    n = obstacle[4], obstacle[5], obstacle[6]
    rise = dot(e, n)
    return (skin - dot(x, n)) / rise if rise > TINY else -1.0


def impact_distance(obstacle, x, h):
    n = obstacle[4], obstacle[5], obstacle[6]
    closing = -dot(n, h)
    return dot(n, x) / closing if closing > 0.0 else -1.0


def nearest_edge(obstacle, x, h, way, flat):
    # it has no edge: the path turns by 45 degrees along the surface
    return direction_beside((obstacle[4], obstacle[5], obstacle[6]), h), way
