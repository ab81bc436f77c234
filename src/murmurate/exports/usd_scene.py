"""USD scene: stage metadata, the shapes and materials of flocks and obstacles, what is around."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pxr import Gf, Sdf, UsdGeom, UsdShade

from murmurate.exports.appearance import Appearance, Light
from murmurate.exports.boid_shapes import shape_of
from murmurate.exports.formats import Options
from murmurate.exports.selection import Selection
from murmurate.exports.sky import sky_of
from murmurate.exports.surroundings import ground, ground_colour, obstacle_colour, sun
from murmurate.exports.usd_obstacles import ObstaclePrim
from murmurate.exports.usd_prototypes import Prototypes
from murmurate.exports.usd_render import CameraPrim, add_ground, add_sky, add_sun

ROOT = "/Flight"
ROUGHNESS, REFRACTION = 0.8, 1.1  # of feathers: against a low sun they hardly shine
RESERVED = ("Materials", "Obstacles", "Camera", "Sun", "Sky", "Ground")  # beside the flocks


class Scene:
    """Stage metadata, prototypes and materials of flocks, obstacles, and what is around them.

    look               sizes and colours of boids
    frames_per_second  time codes a second: one a frame of the recording
    """

    def __init__(self, stage: Any, selection: Selection, options: Options) -> None:
        self._stage, self._selection, self._options = stage, selection, options
        header = selection.recording.header
        self.look = Appearance(selection, options)
        self.frames_per_second = self.look.frames_per_second
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
        """Adds a flock's meshes to its instancer, in all its colours."""
        shades = self.look.shades(self._selection.first.frames[0][flock])
        made = Prototypes(
            instancer,
            shape_of(self.look.shape(flock), self._selection.dims),
            self.look.size(flock),
            self.frames_per_second,
            bool(self._selection.recording.header["perching"]),
            len(shades),
        )
        name = instancer.GetPath().name
        for number, colour in enumerate(shades):
            own = name if len(shades) == 1 else f"{name}_{number}"
            for mesh in made.of_shade(number):
                self._add_material(mesh, own, colour)
        instancer.GetPrim().SetDisplayName(flock)
        return made

    def add_film(self) -> CameraPrim:
        """Adds what the film has around the flocks: sun, sky, its camera, which it returns, and a
        ground where it draws one."""
        selection = self._selection
        colour = sky_of(selection.recording).mean
        add_sky(self._stage, f"{ROOT}/Sky", colour, self._options.sky)
        add_sun(self._stage, f"{ROOT}/Sun", *sun(selection))
        corners = ground(selection)
        if corners is not None:
            plane = add_ground(self._stage, f"{ROOT}/Ground", corners)
            self._add_material(plane, "ground", ground_colour(selection))
        return CameraPrim(self._stage, f"{ROOT}/Camera")

    def set_obstacles(self, code: Any, time: float) -> None:
        """Writes the obstacles' transforms at that time; once for those that do not move."""
        found = self._selection.obstacles(time)
        names = dict(zip(found, identifiers(list(found)), strict=True))
        for name, shape in found.items():
            if name not in self._obstacles:
                path = f"{ROOT}/Obstacles/{names[name]}"
                prim = ObstaclePrim(self._stage, path, shape, self._selection.space)
                self._add_material(
                    prim.shape, f"obstacle_{names[name]}", obstacle_colour(self.look.style)
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
        shader.CreateInput("roughness", Sdf.ValueTypeNames.Float).Set(ROUGHNESS)
        shader.CreateInput("ior", Sdf.ValueTypeNames.Float).Set(REFRACTION)
        material.CreateSurfaceOutput().ConnectToSource(shader.ConnectableAPI(), "surface")
        UsdShade.MaterialBindingAPI.Apply(shape.GetPrim()).Bind(material)


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
