"""Obstacles of a USD scene: prims, and their transforms in time."""

from __future__ import annotations

from typing import Any

import numpy as np
from pxr import Gf, Sdf, Usd, UsdGeom, Vt

from murmurate.exports.obstacle_shapes import transform
from murmurate.exports.solids import Solid, solid_of
from murmurate.model.obstacles import ObstacleShape
from murmurate.model.space import Space


class ObstaclePrim:
    """An obstacle: a mesh of side 1 or radius 1, and where and how large it is. (USD has balls and
    cubes of its own; Blender shows those without their material.)"""

    def __init__(self, stage: Any, path: str, shape: ObstacleShape, space: Space) -> None:
        UsdGeom.Scope.Define(stage, Sdf.Path(path).GetParentPath())
        self.shape = _mesh(stage, path, solid_of(shape))
        self._space = space
        self._place = self.shape.AddTranslateOp(UsdGeom.XformOp.PrecisionDouble)
        self._rotation = self.shape.AddOrientOp(UsdGeom.XformOp.PrecisionFloat)
        self._scale = self.shape.AddScaleOp(UsdGeom.XformOp.PrecisionFloat)
        self._last = shape
        self._set(shape, Usd.TimeCode.Default())

    def update(self, code: Any, shape: ObstacleShape) -> None:
        """Its transform from this frame on. One that did not move until now gets a key at the frame
        before too, so that USD does not interpolate over the time at rest."""
        if shape == self._last:
            return
        self._set(self._last, Usd.TimeCode(code.GetValue() - 1))
        self._set(shape, code)
        self._last = shape

    def _set(self, shape: ObstacleShape, code: Any) -> None:
        place, (x, y, z, w), scale = transform(shape, self._space)
        self._place.Set(Gf.Vec3d(*place.tolist()), code)
        self._rotation.Set(Gf.Quatf(w, x, y, z), code)
        self._scale.Set(Gf.Vec3f(*scale.tolist()), code)


def _mesh(stage: Any, path: str, solid: Solid) -> Any:
    mesh = UsdGeom.Mesh.Define(stage, path)
    points, faces = np.unique(solid.corners.reshape(-1, 3), axis=0, return_inverse=True)
    mesh.CreatePointsAttr(Vt.Vec3fArray.FromNumpy(points))
    mesh.CreateFaceVertexCountsAttr([3] * len(solid.corners))
    mesh.CreateFaceVertexIndicesAttr(faces.ravel().tolist())
    mesh.CreateNormalsAttr(Vt.Vec3fArray.FromNumpy(solid.normals.reshape(-1, 3)))
    mesh.SetNormalsInterpolation(UsdGeom.Tokens.faceVarying)
    mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    mesh.CreateDoubleSidedAttr(True)
    mesh.CreateExtentAttr(UsdGeom.PointBased.ComputeExtent(mesh.GetPointsAttr().Get()))
    return mesh
