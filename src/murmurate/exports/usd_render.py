"""What a USD scene needs to be rendered as the film is: camera, sun, sky and ground."""

from __future__ import annotations

from typing import Any

import numpy as np
from pxr import Gf, Sdf, Usd, UsdGeom, UsdLux

from murmurate.exports.appearance import Light
from murmurate.exports.film_camera import Shot
from murmurate.exports.selection import Array

APERTURE = 0.24  # height of the film, tenths of a metre: that of a camera for stills
SHUTTER = 0.25  # of a frame before and after it: half of the time open, as film cameras have it
SUN_ANGLE = 0.53  # degrees that the sun is wide


class CameraPrim:
    """The camera of the film, as a prim: where it stands in each frame, and how it sees."""

    def __init__(self, stage: Any, path: str) -> None:
        self._prim = UsdGeom.Camera.Define(stage, path)
        self._place = self._prim.AddTransformOp()
        self._prim.CreateShutterOpenAttr(-SHUTTER)
        self._prim.CreateShutterCloseAttr(SHUTTER)

    def add(self, code: Any, shot: Shot) -> None:
        """The picture of a frame."""
        width, height = shot.size
        self._prim.CreateVerticalApertureAttr(APERTURE)
        self._prim.CreateHorizontalApertureAttr(APERTURE * width / height)
        self._prim.CreateFocalLengthAttr(APERTURE * shot.focal / height)
        self._prim.CreateVerticalApertureOffsetAttr(APERTURE * (shot.row / height - 0.5))
        self._prim.CreateClippingRangeAttr().Set(Gf.Vec2f(shot.near, shot.far), code)
        self._prim.CreateFocusDistanceAttr().Set(float(shot.distance), code)
        right, up, forward = shot.axes
        matrix = np.eye(4)  # of row vectors; a camera looks along its own -Z
        matrix[:3, :3] = [right, up, -forward]
        matrix[3, :3] = shot.place
        self._place.Set(Gf.Matrix4d(matrix), code)


def add_sky(stage: Any, path: str, colour: Light, picture: str) -> None:
    """A dome of one colour, or, where there is a file with its picture, of that."""
    sky = UsdLux.DomeLight.Define(stage, path)
    sky.CreateIntensityAttr(1.0)
    if not picture:
        sky.CreateColorAttr(Gf.Vec3f(*colour))
        return
    sky.CreateTextureFileAttr(Sdf.AssetPath(f"./{picture}"))
    sky.CreateTextureFormatAttr(UsdLux.Tokens.latlong)
    sky.AddRotateXOp().Set(90.0)  # its zenith is along its own +Y


def add_sun(stage: Any, path: str, towards: Array, colour: Light, strength: float) -> None:
    """Parallel light from where the unit vector points to."""
    sun = UsdLux.DistantLight.Define(stage, path)
    sun.CreateColorAttr(Gf.Vec3f(*colour))
    sun.CreateAngleAttr(SUN_ANGLE)
    sun.CreateNormalizeAttr(True)
    sun.CreateIntensityAttr(strength)
    turn = Gf.Rotation(Gf.Vec3d(0, 0, 1), Gf.Vec3d(*towards.tolist())).GetQuat()
    sun.AddOrientOp(UsdGeom.XformOp.PrecisionFloat).Set(Gf.Quatf(turn), Usd.TimeCode.Default())


def add_ground(stage: Any, path: str, corners: Array) -> Any:
    """A square, its front up; returns its mesh."""
    mesh = UsdGeom.Mesh.Define(stage, path)
    points = [Gf.Vec3f(*corner) for corner in corners.tolist()]
    mesh.CreatePointsAttr(points)
    mesh.CreateFaceVertexCountsAttr([4])
    mesh.CreateFaceVertexIndicesAttr([0, 1, 2, 3])
    mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    mesh.CreateNormalsAttr([Gf.Vec3f(0, 0, 1)] * 4)
    mesh.CreateExtentAttr(UsdGeom.PointBased.ComputeExtent(points))
    return mesh
