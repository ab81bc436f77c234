"""Obstacles of a USD scene: prims, and their transforms in time."""

from __future__ import annotations

from typing import Any

from pxr import Gf, Sdf, Usd, UsdGeom

from murmurate.exports.obstacle_shapes import SQUARE, transform
from murmurate.model.obstacles import Box, ObstacleShape, Sphere
from murmurate.model.space import Space


class ObstaclePrim:
    """An obstacle: a shape of side 1 or radius 1, and where and how large it is."""

    def __init__(self, stage: Any, path: str, shape: ObstacleShape, space: Space) -> None:
        UsdGeom.Scope.Define(stage, Sdf.Path(path).GetParentPath())
        if isinstance(shape, Sphere):
            self.shape = UsdGeom.Sphere.Define(stage, path)
            self.shape.CreateRadiusAttr(1.0)
        elif isinstance(shape, Box):
            self.shape = UsdGeom.Cube.Define(stage, path)
            self.shape.CreateSizeAttr(1.0)
        else:
            self.shape = _square(stage, path)
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


def _square(stage: Any, path: str) -> Any:
    """A square of side 1 in the plane x = 0, its front towards +X."""
    mesh = UsdGeom.Mesh.Define(stage, path)
    mesh.CreatePointsAttr([Gf.Vec3f(*point) for point in SQUARE.tolist()])
    mesh.CreateFaceVertexCountsAttr([4])
    mesh.CreateFaceVertexIndicesAttr([0, 1, 2, 3])
    mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    mesh.CreateDoubleSidedAttr(True)
    return mesh
