"""The styles of a picture: dark, light and dusk."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from murmurate.model.view import Shape
from murmurate.show.colours import RGB, ramp, wheel


@dataclass(frozen=True)
class Style:
    """Colours and strengths of one style.

    sky       colours from the top of the picture to the bottom
    sky_at    where they stand, 0 top to 1 bottom
    glow      colour and strength of a soft light low in the picture; strength 0: none
    flocks    colours of the flocks, in the model's order
    hunter    colour of flocks drawn larger than the others
    slow_fast colours from the slowest to the fastest boid
    wheel     lightness and chroma of the colours of headings
    dense     what a very dense part of a flock of a given colour turns to, and how far (0 to 1)
    thin      how much of the picture a single boid covers in density shading, 0 to 1
    line      colour of box and grid
    body      colour of obstacles on their lit side
    shade     colour of obstacles on their dark side
    text      colour of writing; `quiet` is for its labels
    title     colour of a caption near the lower edge; `mark` is that of a watermark
    far       strength of the farthest boids in 3-D, where the nearest have 1
    relief    how much fainter than a lit face of a body one in the shade is, 0 to 0.5
    shape     what boids are drawn as whose look does not say it
    """

    sky: tuple[RGB, ...]
    sky_at: tuple[float, ...]
    glow: tuple[RGB, float]
    flocks: tuple[RGB, ...]
    hunter: RGB
    slow_fast: tuple[RGB, ...]
    wheel: tuple[float, float]
    dense: tuple[RGB, float]
    thin: float
    line: RGB
    body: RGB
    shade: RGB
    text: RGB
    quiet: RGB
    title: RGB
    mark: RGB
    far: float
    relief: float
    shape: Shape = "dart"

    def background(self, width: int, height: int) -> np.ndarray:
        """(height, width, 3) uint8. A gradient is finely dithered, so that it shows no bands; one
        colour is left plain, which video encoders like best."""
        if len(self.sky) == 1:
            return np.full((height, width, 3), self.sky[0], np.uint8)
        column = ramp(self.sky, height, self.sky_at)
        picture = np.repeat(column[:, None, :], width, axis=1)
        colour, strength = self.glow
        if strength > 0:
            y, x = np.mgrid[0:height, 0:width]
            away = ((x / width - 0.68) / 0.42) ** 2 + ((y / height - 0.98) / 0.34) ** 2
            part = strength * np.exp(-1.4 * away)[..., None]
            picture += (np.array(colour) - picture) * part
        noise = np.random.default_rng(7).random((height, width, 1))
        return np.clip(picture + noise, 0, 255).astype(np.uint8)

    def headings(self, count: int) -> np.ndarray:
        return wheel(*self.wheel, count)

    def speeds(self, count: int) -> np.ndarray:
        return ramp(self.slow_fast, count)


DARK = Style(
    sky=((13, 17, 26),),
    sky_at=(0.0,),
    glow=((0, 0, 0), 0.0),
    flocks=(
        (168, 208, 255),
        (255, 196, 107),
        (134, 226, 178),
        (222, 164, 255),
        (255, 158, 158),
        (126, 222, 232),
    ),
    hunter=(255, 82, 70),
    slow_fast=((70, 74, 168), (54, 140, 190), (92, 208, 160), (248, 240, 150)),
    wheel=(0.82, 0.13),
    dense=((255, 255, 255), 0.85),
    thin=0.04,
    line=(98, 116, 150),
    body=(104, 118, 146),
    shade=(34, 41, 58),
    text=(226, 233, 244),
    quiet=(136, 150, 176),
    title=(226, 233, 244),
    mark=(136, 150, 176),
    far=0.42,
    relief=0.24,
)

LIGHT = Style(
    sky=((250, 250, 248),),
    sky_at=(0.0,),
    glow=((0, 0, 0), 0.0),
    flocks=(
        (38, 70, 118),
        (196, 106, 20),
        (20, 122, 92),
        (124, 62, 152),
        (150, 82, 62),
        (14, 118, 138),
    ),
    hunter=(214, 40, 40),
    slow_fast=((146, 186, 214), (56, 142, 176), (48, 84, 150), (62, 22, 86)),
    wheel=(0.60, 0.135),
    dense=((12, 16, 30), 0.6),
    thin=0.06,
    line=(150, 158, 170),
    body=(214, 218, 225),
    shade=(150, 158, 171),
    text=(34, 40, 50),
    quiet=(112, 120, 132),
    title=(34, 40, 50),
    mark=(112, 120, 132),
    far=0.28,
    relief=0.2,
)

DUSK = Style(
    sky=((46, 58, 98), (92, 96, 142), (176, 136, 156), (238, 170, 130), (252, 206, 140)),
    sky_at=(0.0, 0.34, 0.64, 0.86, 1.0),
    glow=((255, 234, 180), 0.85),
    flocks=(
        (16, 16, 26),
        (74, 28, 44),
        (18, 52, 66),
        (62, 32, 84),
        (72, 50, 22),
        (20, 60, 44),
    ),
    hunter=(190, 22, 26),
    slow_fast=((92, 74, 122), (66, 40, 92), (34, 20, 54), (8, 6, 14)),
    wheel=(0.44, 0.14),
    dense=((8, 8, 14), 0.8),
    thin=0.05,
    line=(255, 238, 226),
    body=(84, 74, 98),
    shade=(34, 31, 50),
    text=(255, 250, 244),
    quiet=(214, 208, 222),
    title=(52, 32, 58),  # the sky is bright there
    mark=(104, 66, 84),
    far=0.34,
    relief=0.1,
    shape="bird",
)

STYLES = {"dark": DARK, "light": LIGHT, "dusk": DUSK}
