"""What a USD scene needs to be rendered as the film is: camera, sun, sky and ground."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from pxr import Gf, Usd, UsdGeom, UsdLux

from murmurate.exports.appearance import Appearance, light
from murmurate.exports.coordinates import to_3d
from murmurate.exports.selection import Array, Selection
from murmurate.frame import Frame
from murmurate.show.camera import Camera
from murmurate.show.projection import Orthographic, camera_axes
from murmurate.show.styles import Style

APERTURE = 24.0  # height of the film, mm, as of a camera for stills
TENTHS = 10.0  # apertures are in tenths of the scene's unit
SHUTTER = 0.25  # of a frame before and after it: half of the time open, as film cameras have it
SUN_ANGLE = 0.53  # degrees that the sun is wide
GROUND = 20  # times the space's diagonal: its edge is the horizon


class FilmCamera:
    """The camera of the film, as a prim: where it stands in each frame, and how it sees."""

    def __init__(self, stage: Any, path: str, selection: Selection, look: Appearance) -> None:
        self._space, scene = selection.space, selection.recording.scene
        view = scene.view.model_copy(update={"frames_per_second": look.frames_per_second})
        self._camera = Camera(self._space, view)
        self._prim = UsdGeom.Camera.Define(stage, path)
        self._place = self._prim.AddTransformOp()
        self._prim.CreateShutterOpenAttr(-SHUTTER)
        self._prim.CreateShutterCloseAttr(SHUTTER)
        self.centre = np.zeros(3)
        self._wrap = np.zeros(3)

    def add(self, code: Any, frame: Frame) -> None:
        """The picture of a frame; every call is a picture later."""
        seen = self._camera.next_projection(frame)
        self.centre, self._wrap = to_3d(seen.centre, float), to_3d(seen.wrap, float)
        size = max(self._space.size)
        if isinstance(seen, Orthographic):  # from above
            axes = np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, -1]])
            away, far = size, 4.0 * size
            wide, high = (TENTHS * side / seen.zoom for side in (seen.width, seen.height))
            self._prim.CreateProjectionAttr(UsdGeom.Tokens.orthographic)
            self._prim.CreateHorizontalApertureAttr().Set(wide, code)
            self._prim.CreateVerticalApertureAttr().Set(high, code)
            near = 0.01 * size
        else:
            axes, away, near = seen.axes(), seen.distance, seen.near
            far = away + 2 * GROUND * math.dist(self._space.lower, self._space.upper)
            self._prim.CreateVerticalApertureAttr(APERTURE)
            self._prim.CreateHorizontalApertureAttr(APERTURE * seen.width / seen.height)
            self._prim.CreateFocalLengthAttr(APERTURE * seen.focal / seen.height)
            self._prim.CreateVerticalApertureOffsetAttr(
                APERTURE * (seen.middle / seen.height - 0.5)
            )
        self._prim.CreateClippingRangeAttr().Set(Gf.Vec2f(near, far), code)
        self._prim.CreateFocusDistanceAttr().Set(float(away), code)
        right, up, forward = axes
        matrix = np.eye(4)  # of row vectors; a camera looks along its own -Z
        matrix[:3, :3] = [right, up, -forward]
        matrix[3, :3] = self.centre - away * forward
        self._place.Set(Gf.Matrix4d(matrix), code)

    def images(self, positions: Array) -> Array:
        """(N, D) positions -> (N, 3), along periodic axes of the images that the film shows, which
        are those nearest to the middle of the picture."""
        positions = to_3d(positions)
        sides = np.where(self._wrap > 0, self._wrap, 1.0)
        turns = np.where(self._wrap > 0, np.round((positions - self.centre) / sides), 0.0)
        return (positions - turns * self._wrap).astype(positions.dtype)


def add_lights(stage: Any, root: str, selection: Selection, style: Style) -> None:
    """The sun, which stands low ahead where the style has a glow, and else high behind the viewer;
    and the sky, of the mean of its colours."""
    sky = UsdLux.DomeLight.Define(stage, f"{root}/Sky")
    sky.CreateColorAttr(
        Gf.Vec3f(*np.mean([light(colour) for colour in style.sky], axis=0).tolist())
    )
    sky.CreateIntensityAttr(1.0)
    sun = UsdLux.DistantLight.Define(stage, f"{root}/Sun")
    glow, strength = style.glow
    low = strength > 0
    sun.CreateColorAttr(Gf.Vec3f(*(light(glow) if low else (1.0, 1.0, 1.0))))
    sun.CreateAngleAttr(SUN_ANGLE)
    sun.CreateNormalizeAttr(True)
    sun.CreateIntensityAttr(math.pi)  # of which a white surface that faces it is white
    camera = selection.recording.scene.view.camera.decided(selection.space)
    azimuth = math.radians(camera.azimuth + (170.0 if low else 40.0))
    away = -camera_axes(azimuth, math.radians(10.0 if low else 50.0))[2]  # to the sun
    turn = Gf.Rotation(Gf.Vec3d(0, 0, 1), Gf.Vec3d(*away.tolist())).GetQuat()
    sun.AddOrientOp(UsdGeom.XformOp.PrecisionFloat).Set(Gf.Quatf(turn), Usd.TimeCode.Default())


def add_ground(stage: Any, path: str, selection: Selection) -> Any:
    """A plane under the space and all that flies, up to the horizon; returns its mesh."""
    space = selection.space
    lower, upper = (to_3d(side, float) for side in (space.lower, space.upper))
    lowest = to_3d(selection.bounds[0], float)[2]
    size = math.dist(lower, upper)
    z = min(lower[2], lowest) - (0.001 if space.dims == 3 else 0.05) * size
    middle, reach = (lower + upper) / 2, GROUND * size / 2
    mesh = UsdGeom.Mesh.Define(stage, path)
    corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    points = [Gf.Vec3f(middle[0] + a * reach, middle[1] + b * reach, z) for a, b in corners]
    mesh.CreatePointsAttr(points)
    mesh.CreateFaceVertexCountsAttr([4])
    mesh.CreateFaceVertexIndicesAttr([0, 1, 2, 3])
    mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    mesh.CreateNormalsAttr([Gf.Vec3f(0, 0, 1)] * 4)
    mesh.CreateExtentAttr(UsdGeom.PointBased.ComputeExtent(points))
    return mesh
