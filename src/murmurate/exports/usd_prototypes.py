"""Shapes that a flock's point instancer shows: bodies that beat in groups, or a still one."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from pxr import UsdGeom, Vt

from murmurate.exports.boid_shapes import PHASES, Shape, beat_frames, phase_numbers
from murmurate.exports.selection import Array


class Prototypes:
    """The meshes of one flock. A bird's points are sampled in time; each group is at another phase
    of the same beat, which is a whole number of frames, so that a file holds its shapes once.

    meshes  in the order in which boids name them. Their names are in that order too, by which
            Blender sorts them.
    reach   no point of a boid is farther from its place, length units
    """

    def __init__(
        self, instancer: Any, shape: Shape, size: float, frames_per_second: float, lands: bool
    ) -> None:
        """lands  whether boids may stand on the ground, with their wings folded"""
        stage, root = instancer.GetPrim().GetStage(), instancer.GetPath()
        self._root = UsdGeom.Scope.Define(stage, root.AppendChild("Prototypes")).GetPath()
        self._stage, self._shape, self._size = stage, shape, size
        self.reach = size
        flaps = shape.beats
        self._beat = beat_frames(frames_per_second)
        self._groups = min(PHASES, self._beat) if flaps else 1
        self._later = [round(k * self._beat / self._groups) for k in range(self._groups)]
        names = [f"{shape.name}_{k}" for k in range(self._groups)] if flaps else [shape.name]
        self.meshes = [
            self._mesh(name, self._pose(later))
            for name, later in zip(names, self._later, strict=True)
        ]
        self._flying = [mesh.GetPointsAttr() for mesh in self.meshes] if flaps else []
        self._lands = flaps and lands
        if self._lands:
            name = f"{shape.name}_{self._groups}_folded"
            self.meshes.append(self._mesh(name, shape.folded))
        instancer.CreatePrototypesRel().SetTargets([mesh.GetPath() for mesh in self.meshes])

    def numbers(self, ids: Array, landed: Array | None) -> Array:
        """(N,) int32: the mesh that each boid is shown as."""
        groups = phase_numbers(ids, self._groups)
        if landed is not None and self._lands:
            groups[landed] = self._groups
        return groups

    def pose(self, code: Any) -> None:
        """The meshes at a frame."""
        for points, later in zip(self._flying, self._later, strict=False):
            points.Set(self._sized(self._pose(int(code.GetValue()) + later)), code)

    def _pose(self, frame: int) -> Array:
        """(V, 3) of a frame. It is the same numbers a beat later, which a file keeps once."""
        return self._shape.at(2 * math.pi * (frame % self._beat) / self._beat)

    def _sized(self, points: Array) -> Any:
        return Vt.Vec3fArray.FromNumpy((self._size * points).astype(np.float32))

    def _mesh(self, name: str, points: Array) -> Any:
        mesh = UsdGeom.Mesh.Define(self._stage, self._root.AppendChild(name))
        faces = self._shape.faces
        mesh.CreatePointsAttr(self._sized(points))
        mesh.CreateFaceVertexCountsAttr([3] * len(faces))
        mesh.CreateFaceVertexIndicesAttr(faces.ravel().tolist())
        mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)  # flat faces
        mesh.CreateDoubleSidedAttr(True)
        every = np.concatenate([self._shape.bounds, points])
        mesh.CreateExtentAttr(self._sized(np.stack([every.min(axis=0), every.max(axis=0)])))
        return mesh
