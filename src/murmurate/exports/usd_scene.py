"""USD scene: stage metadata, the prototype meshes and materials of boids, obstacles."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from pxr import Gf, Sdf, Usd, UsdGeom, UsdShade

from murmurate.exports.appearance import Appearance, Light, light
from murmurate.exports.coordinates import to_3d
from murmurate.exports.formats import Options
from murmurate.exports.selection import Array, Selection
from murmurate.exports.usd_render import FilmCamera, add_ground, add_lights
from murmurate.model.obstacles import Box, ObstacleShape, Sphere, Tank, Wall

ROOT = "/Flight"
RESERVED = ("Materials", "Obstacles", "Camera", "Sun", "Sky", "Ground")  # beside the flocks

# A dart of length 1 that flies along +X: nose, wing tips, tail, keel. Faces turn outwards.
DART = [(0.6, 0, 0), (-0.4, 0.3, 0.02), (-0.4, -0.3, 0.02), (-0.22, 0, 0.1), (-0.22, 0, -0.05)]
DART_FACES = [(0, 1, 3), (0, 3, 2), (0, 4, 1), (0, 2, 4), (1, 4, 3), (2, 3, 4)]

AROUND = 72  # corners of a tank


class Scene:
    """Stage metadata, prototypes and materials of flocks, and obstacles.

    frames_per_second  time codes a second: one a frame of the recording
    """

    def __init__(self, stage: Any, selection: Selection, options: Options) -> None:
        self._stage, self._selection = stage, selection
        header = selection.recording.header
        self._look = Appearance(selection, options)
        self.frames_per_second = self._look.frames_per_second
        self._obstacles: dict[str, ObstaclePrim] = {}
        self._write_metadata(header)

    def _write_metadata(self, header: dict[str, Any]) -> None:
        stage, steps = self._stage, self._selection.steps
        root = UsdGeom.Xform.Define(stage, ROOT).GetPrim()
        stage.SetDefaultPrim(root)
        UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.z)
        UsdGeom.SetStageMetersPerUnit(stage, 1.0)
        stage.SetTimeCodesPerSecond(self.frames_per_second)
        stage.SetFramesPerSecond(self.frames_per_second)
        stage.SetStartTimeCode(0)
        stage.SetEndTimeCode(len(steps) - 1)
        stage.GetRootLayer().documentation = f"{header['title']}. {header['versions']}"
        root.SetCustomDataByKey("murmurate:model", header["model"])
        root.SetCustomDataByKey("murmurate:seed", str(header["seed"]))
        root.SetCustomDataByKey("murmurate:steps", f"{steps[0]} to {steps[-1]}, every {steps.step}")

    def add_prototype(self, instancer: Any, flock: str) -> float:
        """Adds a flock's mesh to its instancer, and returns the size of a boid."""
        size = self._look.size(flock)
        path = instancer.GetPath()
        shapes = UsdGeom.Scope.Define(self._stage, path.AppendChild("Prototypes")).GetPath()
        dart = UsdGeom.Mesh.Define(self._stage, shapes.AppendChild("dart"))
        dart.CreatePointsAttr([Gf.Vec3f(*(size * x for x in point)) for point in DART])
        dart.CreateFaceVertexCountsAttr([3] * len(DART_FACES))
        dart.CreateFaceVertexIndicesAttr([k for face in DART_FACES for k in face])
        dart.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
        dart.CreateNormalsAttr([normal for normal in _normals() for _ in range(3)])
        dart.SetNormalsInterpolation(UsdGeom.Tokens.faceVarying)  # flat faces
        dart.CreateExtentAttr(UsdGeom.PointBased.ComputeExtent(dart.GetPointsAttr().Get()))
        self._add_material(dart, path.name, self._look.colour(flock))
        instancer.CreatePrototypesRel().AddTarget(dart.GetPath())
        instancer.GetPrim().SetDisplayName(flock)
        return size

    def add_film(self, wanted: bool) -> FilmCamera | None:
        """Adds what the film has around the flocks: sun, sky, ground and its camera, which it
        returns; nothing where that is not wanted."""
        if not wanted:
            return None
        style = self._look.style
        add_lights(self._stage, ROOT, self._selection, style)
        ground = add_ground(self._stage, f"{ROOT}/Ground", self._selection)
        self._add_material(ground, "ground", light(style.shade))
        return FilmCamera(self._stage, f"{ROOT}/Camera", self._selection, self._look)

    def set_obstacles(self, code: Any, time: float) -> None:
        """Writes the obstacles' transforms at that time; once for those that do not move."""
        found = self._selection.obstacles(time)
        names = dict(zip(found, identifiers(list(found)), strict=True))
        for name, shape in found.items():
            if name not in self._obstacles:
                path = f"{ROOT}/Obstacles/{names[name]}"
                prim = ObstaclePrim(self._stage, path, shape, self._selection)
                self._add_material(
                    prim.shape, f"obstacle_{names[name]}", light(self._look.style.body)
                )
                self._obstacles[name] = prim
            self._obstacles[name].update(code, shape)

    def _add_material(self, shape: Any, name: str, colour: Light) -> None:
        """Colour for tools that read displayColor, and a material for those that render."""
        rgb = Gf.Vec3f(*colour)
        shape.CreateDisplayColorAttr([rgb])
        path = Sdf.Path(f"{ROOT}/Materials/{name}")
        UsdGeom.Scope.Define(self._stage, path.GetParentPath())
        material = UsdShade.Material.Define(self._stage, path)
        shader = UsdShade.Shader.Define(self._stage, path.AppendChild("surface"))
        shader.CreateIdAttr("UsdPreviewSurface")
        shader.CreateInput("diffuseColor", Sdf.ValueTypeNames.Color3f).Set(rgb)
        shader.CreateInput("roughness", Sdf.ValueTypeNames.Float).Set(0.6)
        material.CreateSurfaceOutput().ConnectToSource(shader.ConnectableAPI(), "surface")
        UsdShade.MaterialBindingAPI.Apply(shape.GetPrim()).Bind(material)


class ObstaclePrim:
    """An obstacle: a shape of side 1 or radius 1, and where and how large it is."""

    def __init__(self, stage: Any, path: str, shape: ObstacleShape, selection: Selection) -> None:
        UsdGeom.Scope.Define(stage, Sdf.Path(path).GetParentPath())
        if isinstance(shape, Sphere):
            self.shape = UsdGeom.Sphere.Define(stage, path)
            self.shape.CreateRadiusAttr(1.0)
        elif isinstance(shape, Box):
            self.shape = UsdGeom.Cube.Define(stage, path)
            self.shape.CreateSizeAttr(1.0)
        elif isinstance(shape, Tank):
            self.shape = _tube(stage, path)
        else:
            self.shape = _square(stage, path)
        self._selection = selection
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
        place, turn, scale = unit_transform(shape, self._selection)
        self._place.Set(Gf.Vec3d(*map(float, place)), code)
        self._rotation.Set(Gf.Quatf(turn), code)
        self._scale.Set(Gf.Vec3f(*map(float, scale)), code)


def unit_transform(shape: ObstacleShape, selection: Selection) -> tuple[Array, Any, Array]:
    """(place, rotation, scale along each axis) of a shape's unit form. A 2-D obstacle is as high as
    it is wide, or, a wall or a tank, as a tenth of the space."""
    space = selection.space
    middle = to_3d([(a + b) / 2 for a, b in zip(space.lower, space.upper, strict=True)], float)
    still = Gf.Quatd(1.0)
    if isinstance(shape, Sphere):
        return to_3d(shape.centre, float), still, np.full(3, float(shape.radius))  # type: ignore[arg-type]
    if isinstance(shape, Box):
        size = np.array(shape.size, float)
        sides = size if len(size) == 3 else np.append(size, size.min())
        return to_3d(shape.centre, float), still, sides
    low = max(space.size) / 10
    if isinstance(shape, Tank):
        high = space.size[2] if space.dims == 3 else low
        radius = float(shape.radius)  # type: ignore[arg-type]
        place = np.append(np.array(shape.centre, float)[:2], middle[2])
        return place, still, np.array([radius, radius, high])
    assert isinstance(shape, Wall)
    normal = to_3d(shape.normal, float) / np.linalg.norm(to_3d(shape.normal, float))
    point = to_3d(shape.point, float)
    nearest = middle - normal * np.dot(middle - point, normal)
    turn = Gf.Rotation(Gf.Vec3d(1, 0, 0), Gf.Vec3d(*normal.tolist())).GetQuat()
    reach = float(np.linalg.norm(space.size)) * 1.5
    high = reach if space.dims == 3 else low
    return nearest, turn, np.array([1.0, reach, high])


def _normals() -> list[Any]:
    """Of each face of the dart."""
    points = np.array(DART)
    out = []
    for a, b, c in points[np.array(DART_FACES)]:
        normal = np.cross(b - a, c - a)
        out.append(Gf.Vec3f(*map(float, normal / np.linalg.norm(normal))))
    return out


def _square(stage: Any, path: str) -> Any:
    """A square of side 1 in the plane x = 0, its front towards +X."""
    mesh = UsdGeom.Mesh.Define(stage, path)
    points = [(0, -0.5, -0.5), (0, 0.5, -0.5), (0, 0.5, 0.5), (0, -0.5, 0.5)]
    mesh.CreatePointsAttr([Gf.Vec3f(*point) for point in points])
    mesh.CreateFaceVertexCountsAttr([4])
    mesh.CreateFaceVertexIndicesAttr([0, 1, 2, 3])
    mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    mesh.CreateDoubleSidedAttr(True)
    return mesh


def _tube(stage: Any, path: str) -> Any:
    """A wall round the z axis, of radius 1 and height 1, open above and below."""
    mesh = UsdGeom.Mesh.Define(stage, path)
    angles = np.linspace(0.0, 2.0 * np.pi, AROUND, endpoint=False)
    points = [(np.cos(a), np.sin(a), z) for z in (-0.5, 0.5) for a in angles]
    mesh.CreatePointsAttr([Gf.Vec3f(*map(float, point)) for point in points])
    mesh.CreateFaceVertexCountsAttr([4] * AROUND)
    corners = [(k, (k + 1) % AROUND) for k in range(AROUND)]
    faces = [(a, b, AROUND + b, AROUND + a) for a, b in corners]
    mesh.CreateFaceVertexIndicesAttr([corner for face in faces for corner in face])
    mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    mesh.CreateDoubleSidedAttr(True)
    return mesh


def identifiers(names: Sequence[str]) -> list[str]:
    """Names as USD allows them: letters, digits and underscores, each another."""
    out: list[str] = []
    for name in names:
        plain = re.sub(r"[^A-Za-z0-9_]", "_", name)
        plain = plain if re.match(r"[A-Za-z_]", plain) else f"_{plain}"
        while plain in {*out, *RESERVED}:
            plain += "_"
        out.append(plain)
    return out
