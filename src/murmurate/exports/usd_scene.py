"""Write the scene of a USD file: metadata, prototypes, materials, obstacles and surroundings."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from pxr import Gf, Sdf, Usd, UsdGeom, UsdLux, UsdShade, Vt

from murmurate.exports.appearance import Appearance, Light
from murmurate.exports.boid_shapes import PHASES, Shape, beat_frames, phase_numbers, shape_of
from murmurate.exports.film_camera import Shot
from murmurate.exports.formats import Options
from murmurate.exports.selection import Array, Selection
from murmurate.exports.surroundings import ground, ground_colour, obstacle_colour, sky_of, sun
from murmurate.model.obstacles import ObstacleShape
from murmurate.model.shapes.outline import Outline
from murmurate.model.space import Space

APERTURE = 0.24  # height of the film, tenths of a metre, that of a camera for stills
SHUTTER = 0.25  # of a frame before and after it: a shutter angle of 180 degrees
SUN_ANGLE = 0.53  # angular diameter of the sun, degrees
ROOT = "/Flight"
ROUGHNESS, REFRACTION = 0.8, 1.1  # of feathers, which hardly shine against a low sun
RESERVED = (
    "Materials",
    "Obstacles",
    "Camera",
    "Sun",
    "Sky",
    "Ground",
)  # names of other prims next to the flocks


class Scene:
    """Metadata of the stage, prototypes and materials of flocks, obstacles and surroundings.

    look  sizes and colours of boids
    frames_per_second  time codes per second; each frame of the recording has one
    upright  see ExportOptions
    """

    def __init__(self, stage: Any, selection: Selection, options: Options) -> None:
        self._stage, self._selection, self._options = stage, selection, options
        header = selection.recording.header
        self.look = Appearance(selection, options)
        self.frames_per_second, self.upright = self.look.frames_per_second, options.upright
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

    def add_prototypes(self, instancer: Any, flock: str) -> Prototypes:
        """Add the meshes of a flock in all its colours to its instancer."""
        shades = self.look.shades(self._selection.first.frames[0][flock])
        prototypes = Prototypes(
            instancer,
            shape_of(self.look.shape(flock), self._selection.dims),
            self.look.size(flock),
            self.frames_per_second,
            bool(self._selection.recording.header["perching"]),
            len(shades),
        )
        name = instancer.GetPath().name
        for number, colour in enumerate(shades):
            material = name if len(shades) == 1 else f"{name}_{number}"
            for mesh in prototypes.of_shade(number):
                self._add_material(mesh, material, colour)
        instancer.GetPrim().SetDisplayName(flock)
        return prototypes

    def add_film(self) -> CameraPrim:
        """Add sun, sky, ground (if the film draws one) and camera of the film.

        Returns the camera.
        """
        selection = self._selection
        colour = sky_of(selection.recording.scene).mean
        add_sky(self._stage, f"{ROOT}/Sky", colour, self._options.sky)
        add_sun(self._stage, f"{ROOT}/Sun", *sun(selection))
        corners = ground(selection)
        if corners is not None:
            plane = add_ground(self._stage, f"{ROOT}/Ground", corners)
            self._add_material(plane, "ground", ground_colour(selection))
        return CameraPrim(self._stage, f"{ROOT}/Camera")

    def set_obstacles(self, code: Any, time: float) -> None:
        """Write the transforms of obstacles at a time; once for obstacles at rest."""
        obstacles = self._selection.obstacles(time)
        names = dict(zip(obstacles, identifiers(list(obstacles)), strict=True))
        for name, shape in obstacles.items():
            if name not in self._obstacles:
                path = f"{ROOT}/Obstacles/{names[name]}"
                prim = ObstaclePrim(self._stage, path, shape, self._selection.space)
                self._add_material(
                    prim.shape, f"obstacle_{names[name]}", obstacle_colour(self.look.style)
                )
                self._obstacles[name] = prim
            self._obstacles[name].update(code, shape)

    def _add_material(self, shape: Any, name: str, colour: Light) -> None:
        """Set displayColor, which some tools read, and a material, which renderers use."""
        rgb = Gf.Vec3f(*colour)
        shape.CreateDisplayColorAttr([rgb])
        path = Sdf.Path(f"{ROOT}/Materials/{name}")
        UsdGeom.Scope.Define(self._stage, path.GetParentPath())
        material = UsdShade.Material.Define(self._stage, path)
        shader = UsdShade.Shader.Define(self._stage, path.AppendChild("surface"))
        shader.CreateIdAttr("UsdPreviewSurface")
        shader.CreateInput("diffuseColor", Sdf.ValueTypeNames.Color3f).Set(rgb)
        shader.CreateInput("roughness", Sdf.ValueTypeNames.Float).Set(ROUGHNESS)
        shader.CreateInput("ior", Sdf.ValueTypeNames.Float).Set(REFRACTION)
        material.CreateSurfaceOutput().ConnectToSource(shader.ConnectableAPI(), "surface")
        UsdShade.MaterialBindingAPI.Apply(shape.GetPrim()).Bind(material)


def identifiers(names: Sequence[str]) -> list[str]:
    """Return distinct names of letters, digits and underscores, as USD requires."""
    out: list[str] = []
    for name in names:
        plain = re.sub(r"[^A-Za-z0-9_]", "_", name)
        plain = plain if re.match(r"[A-Za-z_]", plain) else f"_{plain}"
        while plain in {*out, *RESERVED}:
            plain += "_"
        out.append(plain)
    return out


# --- prototypes of boids


class Prototypes:
    """Meshes of one flock, which a point instancer shows.

    The points of a bird are sampled in time. Each group has another phase of the same beat. A beat
    is an integer number of frames, so that a file stores each shape once. The meshes of further
    colours refer to those of the first colour.

    size  length of a boid, length units
    lands  whether boids may be on the ground with folded wings
    shades  number of colours
    meshes  ordered by colour, then by group. Their names have this order too, because Blender sorts
        them by name.
    reach  largest distance of a point from the position of the boid, length units
    """

    def __init__(
        self, instancer: Any, shape: Shape, size: float, frames_per_second: float, lands: bool,
        shades: int = 1,
    ) -> None:  # fmt: skip
        stage, root = instancer.GetPrim().GetStage(), instancer.GetPath()
        self._root = UsdGeom.Scope.Define(stage, root.AppendChild("Prototypes")).GetPath()
        self._stage, self._shape, self._size = stage, shape, size
        self.reach, self.shades = size, shades
        flaps = shape.beats
        self._beat = beat_frames(frames_per_second)
        self._groups = min(PHASES, self._beat) if flaps else 1
        self._offsets = [round(k * self._beat / self._groups) for k in range(self._groups)]
        self._lands = flaps and lands
        self._each = self._groups + self._lands  # meshes per colour
        self._digits = len(str(shades * self._each - 1)) if shades * self._each > 1 else 0
        first = [self._mesh(k, self._pose(offset)) for k, offset in enumerate(self._offsets)]
        self._beating = [mesh.GetPointsAttr() for mesh in first] if flaps else []
        if self._lands:
            first.append(self._mesh(self._groups, shape.folded))
        others = range(self._each, shades * self._each)
        self.meshes = [*first, *(self._reference(first[k % self._each], k) for k in others)]
        instancer.CreatePrototypesRel().SetTargets([mesh.GetPath() for mesh in self.meshes])

    def of_shade(self, number: int) -> list[Any]:
        """Return the meshes of a colour."""
        return self.meshes[number * self._each :][: self._each]

    def numbers(self, ids: Array, landed: Array | None, shades: Array | None = None) -> Array:
        """Return the index (N,) int32 of the mesh of each boid.

        `landed` is (N,) bool, and `shades` has the colours (N,).
        """
        groups = phase_numbers(ids, self._groups)
        if landed is not None and self._lands:
            groups[landed] = self._groups
        return groups if shades is None else groups + self._each * shades

    def pose(self, code: Any) -> None:
        """Set the points of the meshes at a frame."""
        for points, offset in zip(self._beating, self._offsets, strict=False):
            points.Set(self._sized(self._pose(int(code.GetValue()) + offset)), code)

    def _pose(self, frame: int) -> Array:
        """Return the points (V, 3) at a frame. Equal values a beat later are stored once."""
        return self._shape.at(2 * math.pi * (frame % self._beat) / self._beat)

    def _sized(self, points: Array) -> Any:
        return Vt.Vec3fArray.FromNumpy((self._size * points).astype(np.float32))

    def _path(self, number: int) -> Any:
        """Return the path of a mesh: bird_0 to bird_7, bird_8_folded, or dart for a single one."""
        name = self._shape.name + (f"_{number:0{self._digits}}" if self._digits else "")
        folded = self._lands and number % self._each == self._groups
        return self._root.AppendChild(f"{name}_folded" if folded else name)

    def _reference(self, mesh: Any, number: int) -> Any:
        """Return a mesh that refers to another one, to be given another colour."""
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
        extreme = np.concatenate([self._shape.bounds, points])
        extent = np.stack([extreme.min(axis=0), extreme.max(axis=0)])
        mesh.CreateExtentAttr(self._sized(extent))
        return mesh


# --- obstacles


class ObstaclePrim:
    """An obstacle: a unit mesh and its transform.

    USD has its own balls and cubes, but Blender shows these without their material.
    """

    def __init__(self, stage: Any, path: str, shape: ObstacleShape, space: Space) -> None:
        UsdGeom.Scope.Define(stage, Sdf.Path(path).GetParentPath())
        self.shape = _mesh(stage, path, shape.outline())
        self._space = space
        self._translation = self.shape.AddTranslateOp(UsdGeom.XformOp.PrecisionDouble)
        self._rotation = self.shape.AddOrientOp(UsdGeom.XformOp.PrecisionFloat)
        self._scale = self.shape.AddScaleOp(UsdGeom.XformOp.PrecisionFloat)
        self._last = shape
        self._set(shape, Usd.TimeCode.Default())

    def update(self, code: Any, shape: ObstacleShape) -> None:
        """Set its transform from this frame on.

        An obstacle that starts to move also gets a key at the previous frame, so that USD does not
        interpolate over the time at rest.
        """
        if shape == self._last:
            return
        self._set(self._last, Usd.TimeCode(code.GetValue() - 1))
        self._set(shape, code)
        self._last = shape

    def _set(self, shape: ObstacleShape, code: Any) -> None:
        position, scale, (x, y, z, w) = shape.placement(self._space)
        self._translation.Set(Gf.Vec3d(*position.tolist()), code)
        self._rotation.Set(Gf.Quatf(w, x, y, z), code)
        self._scale.Set(Gf.Vec3f(*scale.tolist()), code)


def _mesh(stage: Any, path: str, outline: Outline) -> Any:
    mesh = UsdGeom.Mesh.Define(stage, path)
    corners, normals = (array.astype(np.float32).reshape(-1, 3) for array in outline[:2])
    points, faces = np.unique(corners, axis=0, return_inverse=True)
    mesh.CreatePointsAttr(Vt.Vec3fArray.FromNumpy(points))
    mesh.CreateFaceVertexCountsAttr([3] * len(outline.corners))
    mesh.CreateFaceVertexIndicesAttr(faces.ravel().tolist())
    mesh.CreateNormalsAttr(Vt.Vec3fArray.FromNumpy(normals))
    mesh.SetNormalsInterpolation(UsdGeom.Tokens.faceVarying)
    mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    mesh.CreateDoubleSidedAttr(True)
    mesh.CreateExtentAttr(UsdGeom.PointBased.ComputeExtent(mesh.GetPointsAttr().Get()))
    return mesh


# --- camera, sky, sun and ground


class CameraPrim:
    """Camera of the film as a prim."""

    def __init__(self, stage: Any, path: str) -> None:
        self._prim = UsdGeom.Camera.Define(stage, path)
        self._transform = self._prim.AddTransformOp()
        self._prim.CreateShutterOpenAttr(-SHUTTER)
        self._prim.CreateShutterCloseAttr(SHUTTER)

    def add(self, code: Any, shot: Shot) -> None:
        """Set the camera at a frame."""
        width, height = shot.size
        self._prim.CreateVerticalApertureAttr(APERTURE)
        self._prim.CreateHorizontalApertureAttr(APERTURE * width / height)
        self._prim.CreateFocalLengthAttr(APERTURE * shot.focal / height)
        self._prim.CreateVerticalApertureOffsetAttr(APERTURE * (shot.row / height - 0.5))
        self._prim.CreateClippingRangeAttr().Set(Gf.Vec2f(shot.near, shot.far), code)
        self._prim.CreateFocusDistanceAttr().Set(float(shot.distance), code)
        right, up, forward = shot.axes
        matrix = np.eye(4)  # acts on row vectors; a camera looks along -Z
        matrix[:3, :3] = [right, up, -forward]
        matrix[3, :3] = shot.position
        self._transform.Set(Gf.Matrix4d(matrix), code)


def add_sky(stage: Any, path: str, colour: Light, picture: str) -> None:
    """Add the sky as a dome light with a picture, or else with a single colour."""
    sky = UsdLux.DomeLight.Define(stage, path)
    sky.CreateIntensityAttr(1.0)
    if not picture:
        sky.CreateColorAttr(Gf.Vec3f(*colour))
        return
    sky.CreateTextureFileAttr(Sdf.AssetPath(f"./{picture}"))
    sky.CreateTextureFormatAttr(UsdLux.Tokens.latlong)
    sky.AddRotateXOp().Set(90.0)  # the zenith of a dome is along its +Y


def add_sun(stage: Any, path: str, direction: Array, colour: Light, strength: float) -> None:
    """Add parallel light. `direction` is a unit vector that points to the sun."""
    sun = UsdLux.DistantLight.Define(stage, path)
    sun.CreateColorAttr(Gf.Vec3f(*colour))
    sun.CreateAngleAttr(SUN_ANGLE)
    sun.CreateNormalizeAttr(True)
    sun.CreateIntensityAttr(strength)
    rotation = Gf.Rotation(Gf.Vec3d(0, 0, 1), Gf.Vec3d(*direction.tolist())).GetQuat()
    operation = sun.AddOrientOp(UsdGeom.XformOp.PrecisionFloat)
    operation.Set(Gf.Quatf(rotation), Usd.TimeCode.Default())


def add_ground(stage: Any, path: str, corners: Array) -> Any:
    """Add the ground, a square that faces up, and return its mesh."""
    mesh = UsdGeom.Mesh.Define(stage, path)
    points = [Gf.Vec3f(*corner) for corner in corners.tolist()]
    mesh.CreatePointsAttr(points)
    mesh.CreateFaceVertexCountsAttr([4])
    mesh.CreateFaceVertexIndicesAttr([0, 1, 2, 3])
    mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    mesh.CreateNormalsAttr([Gf.Vec3f(0, 0, 1)] * 4)
    mesh.CreateExtentAttr(UsdGeom.PointBased.ComputeExtent(points))
    return mesh
