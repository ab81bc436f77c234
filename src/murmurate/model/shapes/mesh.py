"""Meshes. A row has the address of the words in which kernels read it: see codegen/mesh_data.py.

The functions of its shape are in codegen/mesh_shapes.py: they read memory.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field, field_validator

from murmurate.errors import ModelError
from murmurate.model.number import Number
from murmurate.model.quantity import Vector, quantity
from murmurate.model.shapes.shape import Shape
from murmurate.model.space import Space

if TYPE_CHECKING:
    from murmurate.model.mesh_surface import Surface
    from murmurate.model.shapes.outline import Outline


class Mesh(Shape):
    """A solid whose closed surface is a mesh of triangles, which may be concave; 3-D only.

    In a model file, `file` names an STL, OBJ, PLY or GLB file beside it. It is read together with
    the model, which then holds its surface.
    """

    number: ClassVar[int] = 4
    flag: ClassVar[str] = "MESHES"
    axes: ClassVar[tuple[int | None, ...]] = ()

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

    def problems(self, space: Space) -> Iterator[tuple[str, str]]:
        """Yield errors if the space has two axes, or is smaller than it on a periodic axis."""
        if space.dims != 3:
            yield (
                "kind",
                f"got 'mesh' in a space of {space.dims} axes; expected one of 3. Use boxes, "
                "spheres and walls, or give the space a third axis",
            )
        wrong = [
            (name, len(value))
            for name in ("size", "rotation")
            if (value := getattr(self, name)) is not None and len(value) != 3
        ]
        for name, length in wrong:
            yield name, f"got {length} numbers; expected 3, one for each axis"
        if wrong or space.dims != 3:
            return
        sides = 2 * abs(self.triangles().vertices).max(axis=0)
        for letter, side, limit, periodic in zip(
            "xyz", sides, space.size, space.periodic, strict=True
        ):
            if periodic and side > limit * (1 + 1e-12):
                yield (
                    "size",
                    f"got a mesh {side:g} long along {letter}, which is periodic with {limit:g}; "
                    "expected at most that, since it would overlap its next image. Make it "
                    "smaller, or the space larger",
                )

    def outline(self) -> Outline:
        """Return its triangles."""
        return _outline(self.surface, self.size, self.rotation)

    def triangles(self) -> Surface:
        """Return vertices (V, 3), relative to the centre and rotated, and faces (F, 3)."""
        return _oriented(self.surface, self.size, self.rotation)

    def numbers(self, time: float) -> tuple[()]:
        """Return nothing: code generation adds the address."""
        return ()

    def largest(self) -> tuple[float, str]:
        """Return its longest side."""
        return float(self.triangles().size.max()), "size"

    def at_origin(self) -> Mesh:
        """Return the mesh around the origin, which caches know wherever the mesh moves."""
        return self.model_copy(update={"centre": (0.0, 0.0, 0.0)})


@lru_cache(maxsize=32)
def _oriented(text: str, size: tuple[float, ...] | None, rotation: tuple[float, ...]) -> Surface:
    from murmurate.model.mesh_surface import oriented, read_surface

    return oriented(read_surface(text), size, rotation)


@lru_cache(maxsize=32)
def _outline(text: str, size: tuple[float, ...] | None, rotation: tuple[float, ...]) -> Outline:
    from murmurate.model.shapes.outline import flat

    return flat(_oriented(text, size, rotation).corners)
