"""Obstacles: solid shapes that boids never enter or pass through, and that rules may sense.

Rules sense a shape at its nearest surface point.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, field_validator

from murmurate.errors import ModelError, RunError
from murmurate.model.number import Number
from murmurate.model.quantity import Part, Scalar, Vector, number_at, quantities, quantity

if TYPE_CHECKING:
    from murmurate.model.mesh_surface import Surface


class Sphere(Part):
    """A ball (a disc in 2-D)."""

    kind: Literal["sphere"] = "sphere"
    centre: Vector = quantity(unit="length")
    """Its centre."""
    radius: Scalar = quantity(gt=0, unit="length")
    """Its radius."""


class Box(Part):
    """A box with sides along the axes (a rectangle in 2-D)."""

    kind: Literal["box"] = "box"
    centre: Vector = quantity(unit="length")
    """Its centre."""
    size: Vector = quantity(gt=0, unit="length")
    """The lengths of its sides."""


class Wall(Part):
    """A plane (a line in 2-D): boids stay on the side to which its normal points."""

    kind: Literal["wall"] = "wall"
    point: Vector = quantity(unit="length")
    """Any point of the plane."""
    normal: Vector = quantity(unit="")
    """A vector of any length above 0 that points to the side where boids may be."""


class Tank(Part):
    """A round tank with upright sides (a circle in 2-D): boids stay inside.

    In 3-D it has neither bottom nor lid. Walls, or the faces of the space, can close it.
    """

    kind: Literal["tank"] = "tank"
    centre: Vector = quantity(unit="length")
    """Its centre. In 3-D any point of its axis, which is parallel to z."""
    radius: Scalar = quantity(gt=0, unit="length")
    """Its radius."""


class Mesh(Part):
    """A solid whose closed surface is a mesh of triangles, which may be concave; 3-D only.

    In a model file, `file` names an STL, OBJ, PLY or GLB file beside it. It is read together with
    the model, which then holds its surface.
    """

    kind: Literal["mesh"] = "mesh"
    centre: Vector = quantity(unit="length")
    """The centre of its bounding box, around which it is rotated."""
    size: tuple[Annotated[Number, Field(gt=0)], ...] | None = None
    """The lengths of the sides of its bounding box, before its rotation; those in its file unless
    given. Unit: length."""
    rotation: tuple[Number, ...] = (0.0, 0.0, 0.0)
    """Angles by which it is rotated around the axes x, then y, then z of the space. Unit:
    degrees."""
    surface: str = Field(repr=False)
    """Its triangles, compressed, as text: see Mesh.from_file and Mesh.from_arrays."""

    @field_validator("surface")
    @classmethod
    def _check_surface(cls, text: str) -> str:
        from murmurate.model.mesh_surface import read_surface

        try:
            read_surface(text)
        except ModelError as error:
            raise ValueError(str(error)) from None
        return text

    @classmethod
    def from_file(
        cls, file: str | os.PathLike[str], centre: Sequence[float], **options: Any
    ) -> Mesh:
        """Return the mesh of an STL, OBJ, PLY or GLB file. It needs the extra `mesh`.

        Parameters
        ----------
        file : str or path
            A closed surface. The parts of a GLB or OBJ file are united into one mesh.
        centre : (3,) of float
            Centre of its bounding box, length units.
        **options
            `size` or `scale`, and `rotation`: `scale` multiplies the lengths in the file.

        Returns
        -------
        Mesh

        Raises
        ------
        ModelError
            For a file that cannot be read, and for a surface that is not closed.
        """
        from murmurate.model.mesh_tables import read_mesh_file

        vertices, faces = read_mesh_file(file)
        return cls.from_arrays(vertices, faces, centre, **options)

    @classmethod
    def from_arrays(
        cls,
        vertices: Any,
        faces: Any,
        centre: Sequence[float],
        scale: float | None = None,
        **options: Any,
    ) -> Mesh:
        """Return the mesh of arrays of vertices and faces.

        Parameters
        ----------
        vertices : array of shape (V, 3)
            Length units.
        faces : array of shape (F, 3)
            Indices of the vertices of each triangle.
        centre : (3,) of float
            Centre of its bounding box, length units.
        scale : float, optional
            Factor for lengths, in place of `size`.
        **options
            `size`, (3,) of float, and `rotation`, (3,) of degrees.

        Returns
        -------
        Mesh

        Raises
        ------
        ModelError
            For a surface that is not closed or intersects itself.
        """
        from murmurate.model.mesh_surface import scaled_size, surface_text

        text = surface_text(vertices, faces)
        if scale is not None:
            options["size"] = scaled_size(text, scale, options.get("size"))
        return cls(centre=centre, surface=text, **options)

    def triangles(self) -> Surface:
        """Return vertices (V, 3), relative to the centre and rotated, and faces (F, 3)."""
        return _oriented(self.surface, self.size, self.rotation)

    def at_origin(self) -> Mesh:
        """Return the mesh around the origin, which caches know wherever the mesh moves."""
        return self.model_copy(update={"centre": (0.0, 0.0, 0.0)})


@lru_cache(maxsize=32)
def _oriented(text: str, size: tuple[float, ...] | None, rotation: tuple[float, ...]) -> Surface:
    from murmurate.model.mesh_surface import oriented, read_surface

    return oriented(read_surface(text), size, rotation)


MIN_SQUARABLE = 1e-140
"""The squares of smaller numbers are 0."""


def unit_normal(normal: Sequence[float]) -> list[float]:
    """Return a vector of length 1 in the direction of `normal`; zeros where it is zero."""
    largest = max(abs(x) for x in normal)
    if largest == 0.0:
        return [0.0] * len(normal)
    if largest < MIN_SQUARABLE:
        normal = [x / largest for x in normal]
    length = math.sqrt(sum(x * x for x in normal))
    return [x / length for x in normal]


def check_normals(obstacles: Mapping[str, ObstacleShape], time: float, step: int) -> None:
    """Raise RunError if the schedules of a wall's normal make it zero at a time.

    step  the step of that time
    """
    for name, shape in obstacles.items():
        if isinstance(shape, Wall) and not any(number_at(x, time) for x in shape.normal):
            raise RunError(
                f"obstacles.{name}.normal: got a vector of zeros at time {time:g}, in step {step}; "
                "expected one that points to the side where boids may be. Change a schedule, so "
                "that not all components are 0 at once",
                step=step,
            )


ObstacleShape = Sphere | Box | Wall | Tank | Mesh
Obstacle = Annotated[ObstacleShape, Field(discriminator="kind")]


def shape_at(shape: ObstacleShape, time: float) -> ObstacleShape:
    """Return a shape with numbers in place of its schedules, at a time."""

    def evaluate(value: Scalar | Vector) -> object:
        if isinstance(value, tuple):
            return tuple(number_at(x, time) for x in value)
        return number_at(value, time)

    numbers = {name: evaluate(getattr(shape, name)) for name in quantities(type(shape))}
    return shape.model_copy(update=numbers)
