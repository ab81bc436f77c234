"""Shapes that a flock's point instancer shows: bodies that beat in groups, or a still one, in each
of the flock's colours."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from pxr import UsdGeom, Vt

from murmurate.exports.boid_shapes import PHASES, Shape, beat_frames, phase_numbers
from murmurate.exports.selection import Array


class Prototypes:
    """The meshes of one flock. A bird's points are sampled in time; each group is at another phase
    of the same beat, which is a whole number of frames, so that a file holds its shapes once. Those
    of all colours but the first refer to those of the first.

    meshes  colour by colour, in the order in which boids name them. Their names are in that order
            too, by which Blender sorts them.
    shades  how many colours there are
    reach   no point of a boid is farther from its place, length units
    """

    def __init__(
        self, instancer: Any, shape: Shape, size: float, frames_per_second: float, lands: bool,
        shades: int = 1,
    ) -> None:  # fmt: skip
        """lands  whether boids may stand on the ground, with their wings folded"""
        stage, root = instancer.GetPrim().GetStage(), instancer.GetPath()
        self._root = UsdGeom.Scope.Define(stage, root.AppendChild("Prototypes")).GetPath()
        self._stage, self._shape, self._size = stage, shape, size
        self.reach, self.shades = size, shades
        flaps = shape.beats
        self._beat = beat_frames(frames_per_second)
        self._groups = min(PHASES, self._beat) if flaps else 1
        self._later = [round(k * self._beat / self._groups) for k in range(self._groups)]
        self._lands = flaps and lands
        self._each = self._groups + self._lands  # meshes of a colour
        self._digits = len(str(shades * self._each - 1)) if shades * self._each > 1 else 0
        first = [self._mesh(k, self._pose(later)) for k, later in enumerate(self._later)]
        self._flying = [mesh.GetPointsAttr() for mesh in first] if flaps else []
        if self._lands:
            first.append(self._mesh(self._groups, shape.folded))
        others = range(self._each, shades * self._each)
        self.meshes = [*first, *(self._alike(first[k % self._each], k) for k in others)]
        instancer.CreatePrototypesRel().SetTargets([mesh.GetPath() for mesh in self.meshes])

    def of_shade(self, number: int) -> list[Any]:
        """The meshes of a colour."""
        return self.meshes[number * self._each :][: self._each]

    def numbers(self, ids: Array, landed: Array | None, shades: Array | None = None) -> Array:
        """(N,) int32: the mesh that each boid is shown as; shades: (N,) number of its colour."""
        groups = phase_numbers(ids, self._groups)
        if landed is not None and self._lands:
            groups[landed] = self._groups
        return groups if shades is None else groups + self._each * shades

    def pose(self, code: Any) -> None:
        """The meshes at a frame."""
        for points, later in zip(self._flying, self._later, strict=False):
            points.Set(self._sized(self._pose(int(code.GetValue()) + later)), code)

    def _pose(self, frame: int) -> Array:
        """(V, 3) of a frame. It is the same numbers a beat later, which a file keeps once."""
        return self._shape.at(2 * math.pi * (frame % self._beat) / self._beat)

    def _sized(self, points: Array) -> Any:
        return Vt.Vec3fArray.FromNumpy((self._size * points).astype(np.float32))

    def _path(self, number: int) -> Any:
        """bird_0 to bird_7, bird_8_folded, or dart where that is the only one."""
        name = self._shape.name + (f"_{number:0{self._digits}}" if self._digits else "")
        folded = self._lands and number % self._each == self._groups
        return self._root.AppendChild(f"{name}_folded" if folded else name)

    def _alike(self, mesh: Any, number: int) -> Any:
        """The same shape, to be given another colour."""
        other = UsdGeom.Mesh.Define(self._stage, self._path(number))
        other.GetPrim().GetReferences().AddInternalReference(mesh.GetPath())
        return other

    def _mesh(self, number: int, points: Array) -> Any:
        mesh = UsdGeom.Mesh.Define(self._stage, self._path(number))
        faces = self._shape.faces
        mesh.CreatePointsAttr(self._sized(points))
        mesh.CreateFaceVertexCountsAttr([3] * len(faces))
        mesh.CreateFaceVertexIndicesAttr(faces.ravel().tolist())
        mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)  # flat faces
        mesh.CreateDoubleSidedAttr(True)
        every = np.concatenate([self._shape.bounds, points])
        mesh.CreateExtentAttr(self._sized(np.stack([every.min(axis=0), every.max(axis=0)])))
        return mesh
