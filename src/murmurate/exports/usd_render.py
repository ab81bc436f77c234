"""What a USD scene needs to be rendered as the film is: camera, sun, sky and ground."""

from __future__ import annotations

from typing import Any

import numpy as np
from pxr import Gf, Sdf, Usd, UsdGeom, UsdLux

from murmurate.exports.appearance import Light
from murmurate.exports.film_camera import Shot
from murmurate.exports.selection import Array
from murmurate.exports.surroundings import SUNLIGHT
from murmurate.show.projection import Orthographic

APERTURE = 24.0  # height of the film, mm, as of a camera for stills
TENTHS = 10.0  # apertures are in tenths of the scene's unit
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
        seen = shot.seen
        if isinstance(seen, Orthographic):
            wide, high = (TENTHS * side / seen.zoom for side in (seen.width, seen.height))
            self._prim.CreateProjectionAttr(UsdGeom.Tokens.orthographic)
            self._prim.CreateHorizontalApertureAttr().Set(wide, code)
            self._prim.CreateVerticalApertureAttr().Set(high, code)
        else:
            self._prim.CreateVerticalApertureAttr(APERTURE)
            self._prim.CreateHorizontalApertureAttr(APERTURE * seen.width / seen.height)
            self._prim.CreateFocalLengthAttr(APERTURE * seen.focal / seen.height)
            self._prim.CreateVerticalApertureOffsetAttr(
                APERTURE * (seen.middle / seen.height - 0.5)
            )
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


def add_sun(stage: Any, path: str, towards: Array, colour: Light) -> None:
    """Parallel light from where the unit vector points to."""
    sun = UsdLux.DistantLight.Define(stage, path)
    sun.CreateColorAttr(Gf.Vec3f(*colour))
    sun.CreateAngleAttr(SUN_ANGLE)
    sun.CreateNormalizeAttr(True)
    sun.CreateIntensityAttr(SUNLIGHT)
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
