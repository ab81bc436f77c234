"""Styles of pictures, and the colour tables that they are made of.

Colour tables are interpolated in OKLab, so that equal steps look equal. OKLab is the perceptual
colour space of B. Ottosson (2020, public domain), https://bottosson.github.io/posts/oklab/.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from murmurate.model.view import ColourMap, Shape

# --- colours

RGB = tuple[int, int, int]
Lab = tuple[float, float, float]  # OKLab: lightness, green to red, blue to yellow

_TO_LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def to_lab(rgb: Sequence[RGB] | np.ndarray) -> np.ndarray:
    """Convert (..., 3) sRGB colours from 0 to 255 to (..., 3) OKLab."""
    srgb = np.asarray(rgb, dtype=np.float64) / 255.0
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    return np.cbrt(linear @ _TO_LMS.T) @ _TO_LAB.T


def from_lab(lab: np.ndarray) -> np.ndarray:
    """Convert (..., 3) OKLab to (..., 3) float sRGB from 0 to 255, clipped to the sRGB gamut."""
    lms = np.linalg.solve(_TO_LAB, np.asarray(lab)[..., None])[..., 0] ** 3
    linear = np.clip(np.linalg.solve(_TO_LMS, lms[..., None])[..., 0], 0.0, 1.0)
    srgb = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return 255.0 * srgb


def ramp(stops: Sequence[RGB], count: int, at: Sequence[float] | None = None) -> np.ndarray:
    """Interpolate a colour table along straight OKLab lines between stops.

    stops  (red, green, blue) colours from 0 to 255
    count  number of colours
    at  positions of the stops, from 0 to 1; evenly spaced by default
    returns  (count, 3)
    """
    positions = np.linspace(0.0, 1.0, len(stops)) if at is None else np.asarray(at)
    lab, t = to_lab(stops), np.linspace(0.0, 1.0, count)
    return from_lab(np.stack([np.interp(t, positions, lab[:, k]) for k in range(3)], axis=-1))


def even_positions(stops: Sequence[RGB]) -> list[float]:
    """Return the positions of stops, 0 to 1, for which equal steps of a ramp look equal."""
    distances = np.linalg.norm(np.diff(to_lab(stops), axis=0), axis=1)
    return (np.cumsum([0.0, *distances]) / distances.sum()).tolist()


def circle(centre: Lab, normal: Lab, radius: float, count: int) -> np.ndarray:
    """Return a closed circle of colours in OKLab as (count, 3) float sRGB.

    Equal steps look equal, and the first colour is the lightest.

    centre  (lightness, a, b) centre in OKLab
    normal  (lightness, a, b) a vector normal to the plane of the circle
    radius  radius in OKLab
    count  number of colours
    """
    axis = np.array(normal) / np.linalg.norm(normal)
    lightest = np.array([1.0, 0.0, 0.0]) - axis[0] * axis
    lightest /= np.linalg.norm(lightest)
    angle = 2.0 * np.pi * np.arange(count)[:, None] / count
    offsets = np.cos(angle) * lightest + np.sin(angle) * np.cross(axis, lightest)
    return from_lab(np.array(centre) + radius * offsets)


def wheel(lightness: float, chroma: float, count: int) -> np.ndarray:
    """Return a closed circle of hues of one lightness as (count, 3) float sRGB, for angles."""
    angle = 2.0 * np.pi * np.arange(count) / count
    lab = np.stack(
        [np.full(count, lightness), chroma * np.cos(angle), chroma * np.sin(angle)], axis=-1
    )
    return from_lab(lab)


# --- styles


@dataclass(frozen=True)
class Land:
    """Colours of land.

    hills  ranges of hills, from the farthest
    ground  (RGB, RGB) the ground at the horizon, and near the camera
    above  (RGB, RGB) darkest and brightest parts of a meadow seen from above
    """

    hills: tuple[RGB, RGB, RGB]
    ground: tuple[RGB, RGB]
    above: tuple[RGB, RGB]


@dataclass(frozen=True)
class Water:
    """Colours of water.

    depths  the sea under its surface, from above to below
    above  (RGB, RGB) water seen from above, and the light on it
    """

    depths: tuple[RGB, ...]
    above: tuple[RGB, RGB]


@dataclass(frozen=True)
class Style:
    """Colours and strengths of one style. Colours are sRGB from 0 to 255.

    sky  colours from the top of the picture to the bottom
    sky_at  their positions, from 0 at the top to 1 at the bottom
    glow  (RGB, float) colour and strength (0 to 1) of a soft light low in the picture
    flocks  colours of the flocks, in the order of the model
    hunter  colour of flocks drawn larger than the others
    sequential  colours from the smallest to the largest number. Their lightness changes in one
        direction, away from the background, so that they are also distinct without colour vision.
    cyclic  (Lab, Lab, float) centre, normal and radius in OKLab of the circle of colours of phases.
        Its plane was chosen so that a quarter of the circle is well visible with each kind of
        colour blindness (simulated as by Machado et al. 2009, doi:10.1109/TVCG.2009.113).
    wheel  OKLab lightness and chroma of the colours of headings
    dense  (RGB, float) colour of very dense parts of a flock, and its share (0 to 1) in the mix
        with the flock's own colour
    thin  opacity of a single boid in density shading, from 0 to 1
    line  colour of box and grid
    body, shade  colours of obstacles on their lit side and on their dark side
    text, quiet  colours of text and of its labels
    title, mark  colours of the caption near the lower edge and of the watermark
    far  strength of the farthest boids in 3-D; the nearest have 1
    land, water  colours of the scenery
    relief  difference in strength between a lit and a shaded face of a body, from 0 to 0.5
    shape  shape of boids whose look is 'auto'
    """

    sky: tuple[RGB, ...]
    sky_at: tuple[float, ...]
    glow: tuple[RGB, float]
    flocks: tuple[RGB, ...]
    hunter: RGB
    sequential: tuple[RGB, ...]
    cyclic: tuple[Lab, Lab, float]
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
    land: Land
    water: Water
    far: float
    relief: float
    shape: Shape = "dart"

    def background(self, width: int, height: int) -> np.ndarray:
        """Return the sky as a (height, width, 3) uint8 picture.

        A gradient is dithered, so that it shows no bands. A single colour stays plain, which suits
        video encoders best.
        """
        if len(self.sky) == 1:
            return np.full((height, width, 3), self.sky[0], np.uint8)
        column = ramp(self.sky, height, self.sky_at)
        picture = np.repeat(column[:, None, :], width, axis=1)
        colour, strength = self.glow
        if strength > 0:
            y, x = np.mgrid[0:height, 0:width]
            distance2 = ((x / width - 0.68) / 0.42) ** 2 + ((y / height - 0.98) / 0.34) ** 2
            part = strength * np.exp(-1.4 * distance2)[..., None]
            picture += (np.array(colour) - picture) * part
        noise = np.random.default_rng(7).random((height, width, 1))
        return np.clip(picture + noise, 0, 255).astype(np.uint8)

    def headings(self, count: int) -> np.ndarray:
        """Return a (count, 3) table of colours of headings."""
        return wheel(*self.wheel, count)

    def colours(self, colour_map: ColourMap, count: int) -> np.ndarray:
        """Return a (count, 3) table of colours of numbers, in steps that look equal."""
        if colour_map == "cyclic":
            return circle(*self.cyclic, count)
        return ramp(self.sequential, count, even_positions(self.sequential))


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
    sequential=((70, 74, 168), (54, 140, 190), (92, 208, 160), (248, 240, 150)),
    cyclic=((0.7, 0.023, 0.001), (0.304, 0.856, -0.418), 0.154),
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
    land=Land(
        hills=((32, 42, 60), (22, 31, 46), (14, 21, 32)),
        ground=((22, 31, 42), (38, 50, 54)),
        above=((48, 70, 42), (70, 92, 52)),
    ),
    water=Water(
        depths=((120, 204, 214), (36, 116, 152), (14, 66, 106), (6, 30, 58)),
        above=((11, 60, 84), (33, 101, 120)),
    ),
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
    sequential=((146, 186, 214), (56, 142, 176), (48, 84, 150), (62, 22, 86)),
    cyclic=((0.56, 0.09, -0.054), (0.277, 0.896, -0.347), 0.175),
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
    land=Land(
        hills=((206, 216, 226), (182, 198, 206), (150, 174, 170)),
        ground=((200, 214, 196), (168, 192, 150)),
        above=((186, 206, 160), (206, 220, 180)),
    ),
    water=Water(
        depths=((236, 250, 250), (186, 226, 234), (136, 192, 212), (90, 150, 180)),
        above=((178, 220, 228), (224, 244, 244)),
    ),
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
    sequential=((196, 76, 44), (150, 34, 72), (84, 20, 84), (12, 8, 22)),
    cyclic=((0.372, 0.058, -0.049), (0.203, 0.913, -0.354), 0.129),
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
    land=Land(
        hills=((166, 118, 134), (122, 88, 116), (76, 60, 88)),
        ground=((128, 100, 118), (122, 102, 118)),
        above=((126, 112, 88), (150, 132, 98)),
    ),
    water=Water(
        depths=((250, 214, 160), (196, 150, 158), (104, 100, 140), (46, 52, 88)),
        above=((96, 100, 138), (196, 162, 160)),
    ),
    far=0.34,
    relief=0.1,
    shape="bird",
)

STYLES = {"dark": DARK, "light": LIGHT, "dusk": DUSK}
