"""Surroundings of the flocks in a scene: sun, ground and sky."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from murmurate.exports.appearance import Light, light
from murmurate.exports.film_camera import GROUND
from murmurate.exports.selection import Array, Selection, to_3d
from murmurate.model.model import Model
from murmurate.model.view import View
from murmurate.show.camera import FIELD_OF_VIEW
from murmurate.show.projection import camera_axes
from murmurate.show.styles import STYLES, Style, ramp

LOW, HIGH = math.radians(10.0), math.radians(50.0)  # elevations of the sun
MIN_SUNLIGHT = 0.2  # part of the light that comes from the sun under a bright sky
ROWS = 256  # of the picture of the sky, which is twice as wide
STEPS = 4096  # of its colours from top to bottom
ENDING = ".sky.png"

# --- sun and ground


def sun(selection: Selection) -> tuple[Array, Light, float]:
    """Return the direction to the sun, its colour and its strength.

    It is low and ahead of the viewer if the style has a glow. Otherwise it is high and behind, and
    so strong that sun and sky together make a level ground as bright as its colour.

    direction  (3,) unit vector
    strength  irradiance of a surface that faces it
    """
    view = selection.recording.scene.view.decided(selection.space)
    glow, strength = STYLES[view.style].glow
    low = strength > 0
    azimuth = math.radians(view.camera.azimuth + (170.0 if low else 40.0))
    direction = -camera_axes(azimuth, LOW if low else HIGH)[2]
    sunlight = max(MIN_SUNLIGHT, 1.0 - float(np.mean(sky_of(selection.recording.scene).mean)))
    if low:
        return direction, light(glow), math.pi * sunlight
    return direction, (1.0, 1.0, 1.0), math.pi * sunlight / math.sin(HIGH)


def obstacle_colour(style: Style) -> Light:
    """Return the mean of the lit and the dark colour, because scenes shade obstacles themselves."""
    return light((np.array(style.body) + style.shade) / 2)


def ground_colour(selection: Selection) -> Light:
    """Return the colour of the sky at the horizon, so that the ground has no visible edge."""
    return light(STYLES[selection.recording.scene.view.style].sky[-1])


def ground(selection: Selection) -> Array | None:
    """Return the ground: a plane below the space and all boids that extends to the horizon.

    returns  (4, 3) corners, counterclockwise seen from above; None if the view has `box = false`
        and no land
    """
    space = selection.space
    view = selection.recording.scene.view
    if view.box is False and view.scenery != "land":
        return None
    lower, upper = (to_3d(side, float) for side in (space.lower, space.upper))
    lowest = to_3d(selection.bounds[0], float)[2]
    size = math.dist(lower, upper)
    z = min(lower[2], lowest) - (0.001 if space.dims == 3 else 0.05) * size
    centre, reach = (lower + upper) / 2, GROUND * size / 2
    corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    return np.array([(centre[0] + a * reach, centre[1] + b * reach, z) for a, b in corners])


# --- sky


@dataclass(frozen=True)
class Sky:
    """Background of the film in every direction around the camera.

    The colour at the upper edge of the picture continues to the zenith, and that at the lower edge
    to the nadir. The glow is where the first picture of the film has it.

    view  gives style and camera; the camera must be decided
    """

    view: View

    @property
    def plain(self) -> bool:
        """Return whether it has a single colour."""
        style = STYLES[self.view.style]
        return len(style.sky) == 1 and style.glow[1] == 0

    @property
    def mean(self) -> Light:
        """Return the mean of its colours as light."""
        red, green, blue = np.mean([light(c) for c in STYLES[self.view.style].sky], axis=0).tolist()
        return red, green, blue

    def towards(self, azimuth: Array, elevation: Array) -> Array:
        """Return the colour (..., 3), float sRGB from 0 to 255, in directions in degrees."""
        style, camera = STYLES[self.view.style], self.view.camera
        high = 2 * math.tan(0.5 * FIELD_OF_VIEW)  # height of the picture at distance 1
        row = 0.5 - _tangent(np.asarray(elevation) + camera.elevation) / high
        steps = ramp(style.sky, STEPS, style.sky_at)
        out = steps[np.clip(np.rint(row * (STEPS - 1)), 0, STEPS - 1).astype(int)]
        glow, strength = style.glow
        if strength > 0:
            wide = high * self.view.size[0] / self.view.size[1]
            sideways = (camera.azimuth + 180.0 - np.asarray(azimuth) + 180.0) % 360.0 - 180.0
            distance2 = ((_tangent(sideways) / wide - 0.18) / 0.42) ** 2
            distance2 = distance2 + ((row - 0.98) / 0.34) ** 2
            part = strength * np.exp(-1.4 * distance2)[..., None]
            out = out + (np.array(glow) - out) * part
        return out

    def picture(self) -> Array:
        """Return an equirectangular picture (ROWS, 2 ROWS, 3) uint8 sRGB, as UsdLux expects it.

        The zenith is at the top. The azimuth decreases from left to right, with 90 degrees at the
        left edge.
        """
        down, along = (np.arange(count) + 0.5 for count in (ROWS, 2 * ROWS))
        elevation = 90.0 - 180.0 * down / ROWS
        azimuth = 90.0 - 180.0 * along / ROWS
        return np.rint(self.towards(*np.meshgrid(azimuth, elevation))).astype(np.uint8)


def _tangent(degrees: Array) -> Array:
    """Return the tangent of angles in degrees, clipped to 85."""
    return np.tan(np.radians(np.clip(degrees, -85.0, 85.0)))


def path_of_sky(scene: Path) -> Path:
    """Return the path of the picture of the sky: film.usdc.sky.png for film.usdc."""
    return scene.with_name(scene.name + ENDING)


def sky_of(scene: Model) -> Sky:
    """Return the sky of the film of a model."""
    return Sky(scene.view.decided(scene.space))


def write_picture(path: Path, picture: Array) -> None:
    """Write (H, W, 3) colours as PNG, which every tool reads."""
    from PIL import Image

    Image.fromarray(picture).save(path, format="PNG", optimize=True)
