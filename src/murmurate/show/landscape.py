"""Draw what is behind a flock: land under the sky or the sea in 3-D, a meadow or water in 2-D.

Colours are functions of the direction of sight, and on the ground of the position. Nothing is
random, so that a still equals the picture of the film, and pages draw the same with
viewer/src/look/landscape.ts. Horizon and hills turn with the camera.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numba import njit

from murmurate.model.space import Space
from murmurate.model.view import Scenery, View
from murmurate.show.projection import Array, Orthographic, Perspective
from murmurate.show.styles import STYLES, ramp

SKY = 0.8  # height of the sky's colours above the horizon, relative to that of the picture
SUN = -14.0  # azimuth of the sun from the middle of the first picture, degrees to the left
GLOW = 0.42, 0.34  # half width and half height of the glow, relative to the sides of the picture
HILLS = (  # of each range of hills, from the farthest: mean height, (waves per turn, phase, height)
    (0.034, ((5, 0.3, 0.012), (11, 2.1, 0.007), (23, 4.0, 0.003), (51, 1.1, 0.0012))),
    (0.017, ((7, 1.9, 0.008), (17, 0.4, 0.004), (41, 3.3, 0.002), (97, 5.2, 0.0008))),
    (0.006, ((9, 4.4, 0.002), (61, 0.9, 0.0012), (163, 2.2, 0.0012), (389, 1.3, 0.001))),
)  # heights in radians
TILE, SPAN = (
    256,
    400,
)  # sides of a pattern of the ground: its pixels, and about those of the picture
WAVES = {"land": (30, 1.5, 1.13, 0.5), "water": (12, 2.4, 1.17, 1.6)}
"""Of a pattern: number of waves, lowest frequency, ratio of frequencies, and the power by which
amplitudes fall."""
RAYS = 512  # of light along a side of a pattern of water
DEPTH = 9.0  # of water, pixels of the pattern: rays are bent by it times the slope of the surface
LIT = 0.4, 3.6  # light, relative to its mean, at which water is darkest and brightest

RELIEF = 0.5  # strength of the pattern of the ground in 3-D, relative to 2-D
SHADE = 0.34  # by which the corners of a 2-D picture are darker than its middle
SHAFTS = ((9, 0.6, 0.4), (21, 2.9, 0.35), (47, 1.7, 0.25))  # of light in the sea, as HILLS


class Landscape:
    """Draw the scenery of a view, or the sky of its style.

    Parameters
    ----------
    view : View
        Without `auto`.
    space : Space
    """

    def __init__(self, view: View, space: Space) -> None:
        self._kind, self._style = view.scenery, STYLES[view.style]
        self._width, self._height = view.size
        self._sun = math.radians(view.camera.azimuth + 180.0 + SUN)
        self._floor = float(space.lower[2]) if space.dims == 3 else 0.0
        longest = max(space.size[:2])
        self._lower = space.lower[:2]
        self._sides = np.array(
            [s if p else longest for s, p in zip(space.size[:2], space.periodic, strict=False)]
        )
        if view.transparent:
            self._kind = "none"
            self._sky = np.zeros((self._height, self._width, 4), np.uint8)
        elif self._kind == "none":
            self._sky = self._style.background(self._width, self._height)
        self._noise = np.random.default_rng(7).random((self._height, self._width), np.float32)
        self._noise *= self._kind != "none"

    def draw(self, projection: Orthographic | Perspective) -> Array:
        """Return a new (H, W, 3) uint8 picture; (H, W, 4) in a transparent view."""
        if self._kind == "none":
            return self._sky.copy()
        picture = np.empty((self._height, self._width, 3), np.uint8)
        if isinstance(projection, Orthographic):
            self._draw_from_above(picture, projection)
        elif self._kind == "land":
            self._draw_land(picture, projection)
        else:
            self._draw_sea(picture, projection)
        return picture

    def _draw_from_above(self, picture: Array, projection: Orthographic) -> None:
        """Draw the ground of a 2-D space seen from above, darker towards the corners."""
        low, high = (self._style.land if self._kind == "land" else self._style.water).above
        x, y = ((np.arange(n) + 0.5 - 0.5 * n) / (0.5 * n) for n in (self._width, self._height))
        corner = projection.corner() + np.array(projection.centre) - self._lower
        level, part = _level(1.0 / projection.zoom, self._sides)
        step = np.array([1.0, -1.0]) / (projection.zoom * level)
        _fill_ground(
            picture, _tile(self._kind), corner / level, step, np.float32(part), _floats(low),
            _floats(high), _floats(x * x), _floats(y * y), np.float32(0.5 * SHADE), self._noise,
        )  # fmt: skip

    def _draw_land(self, picture: Array, projection: Perspective) -> None:
        """Draw the sky, ranges of hills on the horizon, and the ground in front of them."""
        land = self._style.land
        horizon = _horizon(projection)
        y = np.arange(self._height) + 0.5
        above = 1.0 - (horizon - y) / (SKY * self._height)
        table = ramp(self._style.sky, 512, self._style.sky_at)
        sky = table[(np.clip(above, 0.0, 1.0) * 511).astype(np.intp)]
        azimuth = _azimuths(projection)
        hills = [
            horizon - projection.focal * (mean + _waves(waves, azimuth)) for mean, waves in HILLS
        ]
        colour, strength = self._style.glow
        away = (azimuth - self._sun + math.pi) % (2 * math.pi) - math.pi
        field = 2.0 * math.atan(0.5 * self._width / projection.focal)
        across = strength * np.exp(-1.4 * (away / (GLOW[0] * field)) ** 2)
        up = np.exp(-1.4 * ((horizon - y) / (GLOW[1] * self._height)) ** 2)
        # The haze in front of hills has the glow too, so that they stay within the light.
        ground, footprint, origin, steps, relief = self._ground_rows(projection, y)
        level, part = _level(footprint, self._sides)
        _fill_land(
            picture, _floats(sky), _floats(colour), _floats(across), _floats(up),
            _floats(hills), _floats(land.hills), np.float32(horizon), _floats(ground),
            _tile("land"), origin / level, steps / level, _floats(part), _floats(relief),
            self._noise,
        )  # fmt: skip

    def _ground_rows(
        self, projection: Perspective, y: Array
    ) -> tuple[Array, Array, Array, Array, Array]:
        """Return for each row of pixels: colour, length of a pixel, first point, step and relief.

        Points are on the floor of the space, in length units from its corner.
        """
        across, up, forward = projection.axes()
        eye = np.array(projection.centre) + projection.eye()
        high = max(eye[2] - self._floor, 0.05 * projection.distance)
        slope = (projection.middle - y) / projection.focal
        down = np.maximum(-(slope * up[2] + forward[2]), 1e-3)
        depth = high / down
        ray = (
            slope[:, None] * up[:2]
            + forward[:2]
            - 0.5 * self._width / projection.focal * across[:2]
        )
        origin = eye[:2] + depth[:, None] * ray - self._lower
        steps = depth[:, None] / projection.focal * across[:2]
        far, near = to_floats(self._style.land.ground)
        nearness = 1.0 - np.exp(-5.0 * down)
        colour = far + (near - far) * nearness[:, None]
        return colour, depth / projection.focal, origin, steps, RELIEF * np.clip(6.0 * down, 0, 1)

    def _draw_sea(self, picture: Array, projection: Perspective) -> None:
        """Draw the water in each direction: bright above, dark below, with shafts of light."""
        y = np.arange(self._height) + 0.5
        rise = (_horizon(projection) - y) / self._height
        table = ramp(self._style.water.depths, 512)
        rows = table[(np.clip(0.45 - 0.6 * rise, 0.0, 1.0) * 511).astype(np.intp)]
        azimuth = _azimuths(projection)
        away = (azimuth - self._sun + math.pi) % (2 * math.pi) - math.pi
        shafts = np.maximum(0.35 + _waves(SHAFTS, azimuth), 0.0) * np.exp(-0.8 * away * away)
        up = np.clip(0.5 + 1.1 * rise, 0.0, 1.0) ** 2
        _fill_sea(
            picture, _floats(rows), _floats(self._style.water.depths[0]), _floats(0.5 * shafts),
            _floats(up), self._noise,
        )  # fmt: skip


def to_floats(colours: object) -> Array:
    """Return colours as float64."""
    return np.asarray(colours, np.float64)


def _floats(values: object) -> Array:
    return np.ascontiguousarray(values, np.float32)


def _horizon(projection: Perspective) -> float:
    """Return the row of the horizon, in pixels."""
    return projection.middle - projection.focal * math.tan(projection.elevation)


def _azimuths(projection: Perspective) -> Array:
    """Return the azimuth (W,) of the horizon in each column of pixels, radians."""
    x = np.arange(projection.width) + 0.5 - 0.5 * projection.width
    side = np.arctan(x * math.cos(projection.elevation) / projection.focal)
    azimuth: Array = projection.azimuth + math.pi - side
    return azimuth


def _waves(waves: tuple[tuple[int, float, float], ...], azimuth: Array) -> Array:
    total: Array = sum(
        (height * np.sin(count * azimuth + phase) for count, phase, height in waves),
        np.zeros_like(azimuth),
    )
    return total


def _level(footprint: Array | float, sides: Array) -> tuple[Array, Array]:
    """Return the sides of a tile and the share of the next larger tile.

    Tiles cover about SPAN pixels. Their sides are those of the space times a power of two, so that
    the pattern is periodic where the space is. `footprint` is the length of a pixel.
    """
    octave = np.log2(SPAN * np.asarray(footprint) / sides.max())
    whole = np.floor(octave)
    return np.multiply.outer(2.0**whole, sides), octave - whole


@lru_cache(maxsize=2)
def _tile(kind: Scenery) -> Array:
    """Return the pattern (TILE, TILE) float32 of a ground, from 0 to 1, that repeats itself.

    Waves in all directions, of which whole numbers fit in the tile, add up to the patches of a
    meadow, or to the surface of water, which bends rays of light so that they gather along lines.
    """
    side = TILE if kind == "land" else RAYS
    y, x = np.mgrid[0:side, 0:side]
    count, lowest, ratio, power = WAVES[kind]
    height, slope_x, slope_y = np.zeros((3, side, side))
    for n in range(count):
        frequency, angle = lowest * ratio**n, 2.399963 * n
        i, j = round(frequency * math.cos(angle)), round(frequency * math.sin(angle))
        phase = 2.0 * np.pi * ((i * x + j * y) % side) / side + 2.0 * n * n
        if kind == "land":
            height += frequency**-power * np.sin(phase)
            continue
        slope = frequency**-power * np.cos(phase)
        slope_x += i * slope
        slope_y += j * slope
    if kind == "land":
        return (0.5 + 0.5 * np.tanh(0.8 * height)).astype(np.float32)
    scale = TILE / RAYS
    light = _collect((x * scale + DEPTH * slope_x) % TILE, (y * scale + DEPTH * slope_y) % TILE)
    low, high = LIT
    return np.clip((light / light.mean() - low) / (high - low), 0.0, 1.0).astype(np.float32)


def _collect(x: Array, y: Array) -> Array:
    """Return the number (TILE, TILE) of rays that meet each pixel, shared with the next ones."""
    light = np.zeros(TILE * TILE)
    column, row = x.astype(np.intp), y.astype(np.intp)
    for right, part_x in ((0, 1.0 - (x - column)), (1, x - column)):
        for down, part_y in ((0, 1.0 - (y - row)), (1, y - row)):
            index = (row + down) % TILE * TILE + (column + right) % TILE
            light += np.bincount(index.ravel(), (part_x * part_y).ravel(), TILE * TILE)
    return light.reshape(TILE, TILE)


# --- compiled loops


@njit(cache=True, nogil=True, boundscheck=False, inline="always")
def _at(tile, x, y):  # type: ignore[no-untyped-def]
    """Return the pattern at a point in units of tiles, interpolated."""
    side = tile.shape[0]
    u, v = (x - math.floor(x)) * side, (y - math.floor(y)) * side
    i, j = int(u), int(v)
    p, q = np.float32(u - i), np.float32(v - j)
    i, j = i & (side - 1), j & (side - 1)
    k, m = (i + 1) & (side - 1), (j + 1) & (side - 1)
    a = tile[j, i] + (tile[j, k] - tile[j, i]) * p
    b = tile[m, i] + (tile[m, k] - tile[m, i]) * p
    return a + (b - a) * q


@njit(cache=True, nogil=True, boundscheck=False, inline="always")
def _pattern(tile, x, y, part):  # type: ignore[no-untyped-def]
    """Return the mean of the pattern and of the same, twice as large."""
    small, large = _at(tile, x, y), _at(tile, 0.5 * x, 0.5 * y)
    return small + (large - small) * part


@njit(cache=True, nogil=True, boundscheck=False)
def _fill_ground(  # type: ignore[no-untyped-def]
    picture, tile, corner, step, part, low, high, across, down, shade, noise
):
    for v in range(picture.shape[0]):
        y = corner[1] + v * step[1]
        for u in range(picture.shape[1]):
            value = _pattern(tile, corner[0] + u * step[0], y, part)
            light = np.float32(1.0) - shade * min(across[u] + down[v], np.float32(2.0))
            for k in range(3):
                colour = (low[k] + (high[k] - low[k]) * value) * light
                picture[v, u, k] = np.uint8(colour + noise[v, u])


@njit(cache=True, nogil=True, boundscheck=False)
def _fill_land(  # type: ignore[no-untyped-def]
    picture, sky, glow, across, up, tops, hills, horizon, ground, tile, origin, steps, part, relief,
    noise,
):  # fmt: skip
    one, half = np.float32(1.0), np.float32(0.5)
    for v in range(picture.shape[0]):
        y = np.float32(v) + half
        for u in range(picture.shape[1]):
            light = across[u] * up[v]
            for k in range(3):
                picture[v, u, k] = np.uint8(sky[v, k] + (glow[k] - sky[v, k]) * light + noise[v, u])
        if y < tops.min() - one:
            continue
        for u in range(picture.shape[1]):
            light = half * across[u] * up[v]
            for n in range(len(tops)):
                cover = min(max(y - tops[n, u] + half, np.float32(0.0)), one)
                if cover > 0.0:
                    for k in range(3):
                        own = hills[n, k] + (glow[k] - hills[n, k]) * light * (
                            one - n * np.float32(0.3)
                        )
                        below = np.float32(picture[v, u, k])
                        picture[v, u, k] = np.uint8(
                            below + (own - below) * cover + half * noise[v, u]
                        )
            cover = min(max(y - horizon + half, np.float32(0.0)), one)
            if cover > 0.0:
                value = _pattern(
                    tile, origin[v, 0] + u * steps[v, 0], origin[v, 1] + u * steps[v, 1], part[v]
                )
                tone = one + relief[v] * (value - half)
                for k in range(3):
                    own = ground[v, k] + (glow[k] - ground[v, k]) * light * half
                    below = np.float32(picture[v, u, k])
                    picture[v, u, k] = np.uint8(
                        min(below + (own * tone - below) * cover + noise[v, u], np.float32(255.0))
                    )


@njit(cache=True, nogil=True, boundscheck=False)
def _fill_sea(picture, rows, light, shafts, up, noise):  # type: ignore[no-untyped-def]
    for v in range(picture.shape[0]):
        for u in range(picture.shape[1]):
            part = shafts[u] * up[v]
            for k in range(3):
                colour = rows[v, k] + (light[k] - rows[v, k]) * part
                picture[v, u, k] = np.uint8(min(colour + noise[v, u], np.float32(255.0)))
