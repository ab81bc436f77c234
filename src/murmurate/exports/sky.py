"""Sky of a scene: the style's colours in every direction, and a picture of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from murmurate.exports.appearance import Light, light
from murmurate.model.view import View
from murmurate.record.recording import Recording
from murmurate.show.camera import FIELD_OF_VIEW
from murmurate.show.styles import STYLES, ramp

Array = np.ndarray

ROWS = 256  # of the picture, which is twice as wide
STEPS = 4096  # of the colours from above to below
ENDING = ".sky.png"


@dataclass(frozen=True)
class Sky:
    """The film's background, spread around the camera: what is at the upper edge of its picture is
    so up to the zenith, and what is at the lower edge down to the nadir. The glow stands where the
    film's first picture has it.

    view  its style says the colours; the camera must be decided
    """

    view: View

    @property
    def plain(self) -> bool:
        """Whether it has one colour everywhere."""
        style = STYLES[self.view.style]
        return len(style.sky) == 1 and style.glow[1] == 0

    @property
    def mean(self) -> Light:
        """The mean of its colours, as light."""
        red, green, blue = np.mean([light(c) for c in STYLES[self.view.style].sky], axis=0).tolist()
        return red, green, blue

    def towards(self, azimuth: Array, elevation: Array) -> Array:
        """(..., 3) float sRGB, 0 to 255, that is seen in directions, in degrees."""
        style, camera = STYLES[self.view.style], self.view.camera
        high = 2 * math.tan(0.5 * FIELD_OF_VIEW)  # of the picture, at distance 1
        row = 0.5 - _tangent(np.asarray(elevation) + camera.elevation) / high
        steps = ramp(style.sky, STEPS, style.sky_at)
        out = steps[np.clip(np.rint(row * (STEPS - 1)), 0, STEPS - 1).astype(int)]
        glow, strength = style.glow
        if strength > 0:
            wide = high * self.view.size[0] / self.view.size[1]
            aside = (camera.azimuth + 180.0 - np.asarray(azimuth) + 180.0) % 360.0 - 180.0
            away = ((_tangent(aside) / wide - 0.18) / 0.42) ** 2 + ((row - 0.98) / 0.34) ** 2
            part = strength * np.exp(-1.4 * away)[..., None]
            out = out + (np.array(glow) - out) * part
        return out

    def picture(self) -> Array:
        """(ROWS, 2 ROWS, 3) uint8 sRGB, in equal steps of latitude and longitude, as UsdLux has it:
        the zenith above, azimuths falling from left to right, 90 degrees at the left edge."""
        down, along = (np.arange(count) + 0.5 for count in (ROWS, 2 * ROWS))
        elevation = 90.0 - 180.0 * down / ROWS
        azimuth = 90.0 - 180.0 * along / ROWS
        return np.rint(self.towards(*np.meshgrid(azimuth, elevation))).astype(np.uint8)


def _tangent(degrees: Array) -> Array:
    """Of angles to the camera's direction; beyond 85 degrees, that of 85."""
    return np.tan(np.radians(np.clip(degrees, -85.0, 85.0)))


def path_of_sky(scene: Path) -> Path:
    """film.usdc -> film.usdc.sky.png"""
    return scene.with_name(scene.name + ENDING)


def sky_of(recording: Recording) -> Sky:
    """The sky of its film."""
    return Sky(recording.scene.view.decided(recording.scene.space))


def write_picture(path: Path, picture: Array) -> None:
    """Writes (H, W, 3) colours as PNG, the one kind of picture that every tool takes."""
    from PIL import Image

    Image.fromarray(picture).save(path, format="PNG", optimize=True)
