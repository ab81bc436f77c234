"""Shapes that a flock's point instancer shows: bodies that beat in groups, or a still one."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from pxr import Gf, UsdGeom, Vt

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
        self._stage, self._shape = stage, shape
        flaps = shape.beats
        beat = beat_frames(frames_per_second) if flaps else 1
        self._groups = min(PHASES, beat) if flaps else 1
        self._later = [round(k * beat / self._groups) for k in range(self._groups)]
        angles = [2 * math.pi * k / beat for k in range(beat)]
        self._poses = [_points(size * shape.at(angle)) for angle in angles]
        self.reach = size
        self._bounds = _bounds([size * shape.at(angle) for angle in angles])
        names = [f"{shape.name}_{k}" for k in range(self._groups)] if flaps else [shape.name]
        self.meshes = [
            self._mesh(name, self._poses[self._later[k]]) for k, name in enumerate(names)
        ]
        self._flying = [mesh.GetPointsAttr() for mesh in self.meshes] if flaps else []
        self._lands = flaps and lands
        if self._lands:
            name = f"{shape.name}_{self._groups}_folded"
            self.meshes.append(self._mesh(name, _points(size * shape.folded)))
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
            points.Set(self._poses[(int(code.GetValue()) + later) % len(self._poses)], code)

    def _mesh(self, name: str, points: Any) -> Any:
        mesh = UsdGeom.Mesh.Define(self._stage, self._root.AppendChild(name))
        faces = self._shape.faces
        mesh.CreatePointsAttr(points)
        mesh.CreateFaceVertexCountsAttr([3] * len(faces))
        mesh.CreateFaceVertexIndicesAttr(faces.ravel().tolist())
        mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)  # flat faces
        mesh.CreateDoubleSidedAttr(True)
        mesh.CreateExtentAttr(self._bounds)
        return mesh


def _points(points: Array) -> Any:
    return Vt.Vec3fArray.FromNumpy(points.astype(np.float32))


def _bounds(poses: list[Array]) -> Any:
    every = np.concatenate(poses).astype(np.float32)
    corners = (every.min(axis=0).tolist(), every.max(axis=0).tolist())
    return [Gf.Vec3f(*corner) for corner in corners]
