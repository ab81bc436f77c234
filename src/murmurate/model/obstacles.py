"""Obstacles: solid shapes that boids never enter or pass through, and that rules may sense.

Rules sense a shape at its nearest surface point. Each shape is a file in model/shapes; this module
is their registry.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, get_args

from pydantic import Field

from murmurate.errors import RunError
from murmurate.model.quantity import number_at, numbers_at
from murmurate.model.shapes.box import Box as Box
from murmurate.model.shapes.cylinder import Cylinder as Cylinder
from murmurate.model.shapes.mesh import Mesh as Mesh
from murmurate.model.shapes.shape import Shape
from murmurate.model.shapes.sphere import Sphere as Sphere
from murmurate.model.shapes.tank import Tank as Tank
from murmurate.model.shapes.wall import Wall as Wall

ObstacleShape = Sphere | Box | Wall | Tank | Mesh | Cylinder
Obstacle = Annotated[ObstacleShape, Field(discriminator="kind")]
SHAPES: dict[str, type[Shape]] = {
    shape.model_fields["kind"].default: shape for shape in get_args(ObstacleShape)
}
"""Shapes by their kinds."""


def check_normals(obstacles: Mapping[str, ObstacleShape], time: float, step: int) -> None:
    """Raise RunError if the schedules of a wall's normal make it zero at a time."""
    for name, shape in obstacles.items():
        if isinstance(shape, Wall) and not any(number_at(x, time) for x in shape.normal):
            raise RunError(
                f"obstacles.{name}.normal: got a vector of zeros at time {time:g}, in step {step}; "
                "expected one that points to the side where boids may be. Change a schedule, so "
                "that not all components are 0 at once",
                step=step,
            )


def shape_at(shape: ObstacleShape, time: float) -> ObstacleShape:
    """Return a shape with numbers in place of its schedules, at a time."""
    return shape.model_copy(update=numbers_at(shape, time))
