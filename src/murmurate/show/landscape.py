"""Draw the background of a flock: land or sea under the sky in 3-D, a meadow or water in 2-D.

Colours are functions of the direction of sight, and on the ground of the position. Nothing is
random, so that a still equals the picture of the film. Pages draw the same with
viewer/src/look/paintlandscape.ts; both read scenery.json. Horizon and hills turn with the camera.
"""

from __future__ import annotations

import json
import math
from functools import lru_cache
from importlib import resources

import numpy as np

from murmurate.jit import njit, stored
from murmurate.model.space import Space
from murmurate.model.view import Scenery, View
from murmurate.show.canvas import new_picture, planes_of
from murmurate.show.projection import Array, Orthographic, Perspective
from murmurate.show.styles import STYLES, ramp

# Numbers of the scenery, which pages read too.
_NUMBERS = json.loads(resources.files("murmurate.show").joinpath("scenery.json").read_text("utf-8"))
_GROUND = _NUMBERS["ground"]
SKY = _NUMBERS["sky"]["height"]  # of its colours above the horizon, relative to the picture
SUN = _NUMBERS["sky"]["sun"]  # azimuth from the middle of the first picture, degrees to the left
GLOW = _NUMBERS["sky"]["glow"]  # half width and half height, relative to the sides of the picture
HILLS = _NUMBERS["hills"]
"""Of each range of hills, from the farthest: mean height, and of each wave the number per turn, the
phase and the height. Heights and phases are in radians."""
SHAFTS = _NUMBERS["shafts"]  # of light in the sea: waves as those of HILLS
TILE = _GROUND["tile"]  # side of a pattern of the ground, its pixels
SPAN = _GROUND["span"]  # side of a pattern, about, pixels of the picture
WAVES = _GROUND["waves"]
"""Of a pattern: number of waves, lowest frequency, ratio of frequencies, and the power by which
amplitudes fall."""
RELIEF = _GROUND["relief"]  # strength of the pattern of the ground in 3-D, relative to 2-D
SHADE = _GROUND["shade"]  # by which the corners of a 2-D picture are darker than its middle
RAYS = _GROUND["rays"]  # of light along a side of a pattern of water
DEPTH = _GROUND["depth"]
"""Of water, pixels of the pattern: rays are bent by it times the slope of the surface."""
LIT = _GROUND["lit"]  # light, relative to its mean, at which water is darkest and brightest


class Landscape:
    """Draw the scenery of a view, or the sky of its style.

    view  without `auto`
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
            self._sky = np.zeros((4, self._height, self._width), np.uint8)
        elif self._kind == "none":
            self._sky = planes_of(self._style.background(self._width, self._height))
        self._sky_key: tuple[float, float] | None = None
        self._sky_first = 0
        self._noise = np.random.default_rng(7).random((self._height, self._width), np.float32)
        self._noise *= self._kind != "none"
        self._row = np.empty(self._width, np.float32)  # for compiled loops
        self._line = np.empty((3, self._width), np.float32)

    def draw(self, projection: Orthographic | Perspective) -> Array:
        """Return a new picture, (H, W, 3); (H, W, 4) in a transparent view."""
        if self._kind == "none":
            return self._sky.copy().transpose(1, 2, 0)
        picture = new_picture(self._height, self._width)
        planes = picture.transpose(2, 0, 1)
        if isinstance(projection, Orthographic):
            self._draw_from_above(planes, projection)
        elif self._kind == "land":
            self._draw_land(planes, projection)
        else:
            self._draw_sea(planes, projection)
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
            self._row, self._line,
        )  # fmt: skip

    def _draw_land(self, picture: Array, projection: Perspective) -> None:
        """Draw the sky, ranges of hills on the horizon, and the ground in front of them."""
        land, (colour, _) = self._style.land, self._style.glow
        horizon, azimuth = _horizon(projection), _azimuths(projection)
        hills = [
            horizon - projection.focal * (mean + _waves(waves, azimuth)) for mean, waves in HILLS
        ]
        across = self._copy_sky(picture, projection)
        y = np.arange(self._height) + 0.5
        ground, footprint, origin, steps, relief = self._ground_rows(projection, y)
        level, part = _level(footprint, self._sides)
        _fill_land(
            picture, _floats(colour), across, self._glow_rows(y - horizon), _floats(hills),
            _floats([[row.min() - 0.5, row.max() + 0.5] for row in hills]), _floats(land.hills),
            np.float32(horizon), _floats(ground), _tile("land"),
            origin / level, steps / level, _floats(part), _floats(relief), self._noise,
            self._row, self._line,
        )  # fmt: skip

    def _copy_sky(self, picture: Array, projection: Perspective) -> Array:
        """Copy the part of the sky in view, and return the strength (W,) of the glow across it.

        The sky is drawn wider than the picture and kept, because a turning camera moves along it.
        """
        pixels = projection.focal / math.cos(projection.elevation)  # per radian
        sun = (projection.azimuth + math.pi - self._sun + math.pi) % (2 * math.pi) - math.pi
        shift = round(-sun * pixels) - self._width // 2  # of the left edge from the sun
        key, first = (projection.middle, pixels), self._sky_first
        if key != self._sky_key or not first <= shift <= first + self._width:
            first = shift - self._width // 2
            style, horizon = self._style, _horizon(projection)
            below = np.arange(self._height) + 0.5 - horizon
            part = np.clip(1.0 + below / (SKY * self._height), 0.0, 1.0)
            rows = ramp(style.sky, 512, style.sky_at)[(part * 511).astype(np.intp)]
            x = np.arange(first, first + 2 * self._width) + 0.5
            half = math.pi * pixels  # pixels of half a turn
            x = (x + half) % (2 * half) - half
            strength = style.glow[1] * np.exp(-1.4 * (x / (GLOW[0] * self._width)) ** 2)
            self._across = _floats(strength)
            self._sky = np.empty((3, self._height, 2 * self._width), np.uint8)
            up = self._glow_rows(below)
            _fill_glow(
                self._sky, _floats(rows), _floats(style.glow[0]), self._across, up,
                np.tile(self._noise, 2), np.empty((3, 2 * self._width), np.float32),
            )  # fmt: skip
            self._sky_key, self._sky_first = key, first
        window = slice(shift - first, shift - first + self._width)
        low = min(max(int(_horizon(projection)) + 2, 0), self._height)  # the ground covers the rest
        picture[:, :low] = self._sky[:, :low, window]
        return self._across[window]

    def _glow_rows(self, below: Array) -> Array:
        """Return the strength (H,) of the glow in rows at these distances from the horizon."""
        return _floats(np.exp(-1.4 * (below / (GLOW[1] * self._height)) ** 2))

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
        _fill_glow(
            picture, _floats(rows), _floats(self._style.water.depths[0]), _floats(0.5 * shafts),
            _floats(up), self._noise, self._line,
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
    return np.float32(projection.azimuth + math.pi) - side.astype(np.float32)


def _waves(waves: list[tuple[int, float, float]], azimuth: Array) -> Array:
    return sum(
        (height * np.sin(count * azimuth + phase) for count, phase, height in waves),
        np.zeros_like(azimuth),
    )


def _level(footprint: Array | float, sides: Array) -> tuple[Array, Array]:
    """Return the sides of a tile and the share of the next larger tile.

    Tiles cover about SPAN pixels. Their sides are those of the space times a power of two, so that
    the pattern is periodic where the space is. `footprint` is the length of a pixel.
    """
    octave = np.log2(SPAN * np.asarray(footprint) / sides.max())
    floor = np.floor(octave)
    return np.multiply.outer(2.0**floor, sides), octave - floor


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


@njit(boundscheck=False)
def _sample(tile, x, y, dx, dy, share, row):  # type: ignore[no-untyped-def]
    """Add a share of the pattern along a row of pixels to every second value.

    Positions are in tiles. They are counted in parts of pixels of the tile, as whole numbers.
    """
    mask, unit, part = len(tile) - 1, len(tile) * 65536.0, np.float32(1.0 / 65536.0)
    i, j = np.int64((x - math.floor(x)) * unit), np.int64((y - math.floor(y)) * unit)
    di, dj = np.int64(2.0 * dx * unit), np.int64(2.0 * dy * unit)
    for u in range(0, len(row), 2):
        left, top = (i >> 16) & mask, (j >> 16) & mask
        right, low = (left + 1) & mask, (top + 1) & mask
        p, q = np.float32(i & 65535) * part, np.float32(j & 65535) * part
        a = tile[top, left] + (tile[top, right] - tile[top, left]) * p
        b = tile[low, left] + (tile[low, right] - tile[low, left]) * p
        row[u] += share * (a + (b - a) * q)
        i += di
        j += dj


@njit(boundscheck=False)
def _fill_pattern(tile, x, y, dx, dy, part, row):  # type: ignore[no-untyped-def]
    """Fill a row with the mean of the pattern and of the same, twice as large."""
    row[:] = 0.0
    _sample(tile, x, y, dx, dy, np.float32(1.0) - part, row)
    _sample(tile, 0.5 * x, 0.5 * y, 0.5 * dx, 0.5 * dy, part, row)
    last = len(row) - 1
    for u in range(1, len(row), 2):
        row[u] = np.float32(0.5) * (row[u - 1] + row[min(u + 1, last - last % 2)])


# Colours are computed as (3, W) float32, whose loops are vectorised, and then stored. Rows and
# lines are given, so that loops allocate nothing.


@njit(boundscheck=False)
def _store(line, picture, v):  # type: ignore[no-untyped-def]
    """Write colours (3, W) to row v of a picture (3, H, W)."""
    for k in range(3):
        for u in range(line.shape[1]):
            picture[k, v, u] = np.uint8(min(line[k, u], np.float32(255.0)))


@stored(boundscheck=False)
def _fill_ground(  # type: ignore[no-untyped-def]
    picture, tile, corner, step, part, low, high, across, down, shade, noise, row, line
):
    for v in range(len(down)):
        _fill_pattern(tile, corner[0], corner[1] + v * step[1], step[0], 0.0, part, row)
        for k in range(3):
            for u in range(len(across)):
                light = np.float32(1.0) - shade * min(across[u] + down[v], np.float32(2.0))
                line[k, u] = (low[k] + (high[k] - low[k]) * row[u]) * light + noise[v, u]
        _store(line, picture, v)


@stored(boundscheck=False)
def _fill_glow(picture, rows, light, across, up, noise, line):  # type: ignore[no-untyped-def]
    """Fill rows of colours, to which light is added."""
    for v in range(picture.shape[1]):
        for k in range(3):
            for u in range(len(across)):
                colour = rows[v, k] + (light[k] - rows[v, k]) * (across[u] * up[v])
                line[k, u] = colour + noise[v, u]
        _store(line, picture, v)


@stored(boundscheck=False)
def _fill_land(  # type: ignore[no-untyped-def]
    picture, glow, across, up, tops, ends, hills, horizon, ground, tile, origin, steps, part,
    relief, noise, row, line,
):  # fmt: skip
    """Draw the hills over the sky, and then the ground.

    ends  (R, 2) of each range of hills, the rows above which it is not, and below which only it is
    """
    half, none, full = np.float32(0.5), np.float32(0.0), np.float32(1.0)
    height, width = noise.shape
    last = min(max(int(horizon) + 2, 0), height)
    for v in range(min(max(int(min(ends[0, 0], ends[1, 0], ends[2, 0])) - 1, 0), last), last):
        y = np.float32(v) + half
        for k in range(3):
            for u in range(width):
                line[k, u] = picture[k, v, u]
        first = 0
        for n in range(1, len(tops)):
            first = n if y >= ends[n, 1] else first
        for n in range(first, len(tops)):
            if y <= ends[n, 0]:
                continue
            shade = half - np.float32(0.15) * np.float32(n)
            for k in range(3):
                for u in range(width):
                    cover = min(max(y - tops[n, u] + half, none), full)
                    own = hills[n, k] + (glow[k] - hills[n, k]) * (across[u] * up[v] * shade)
                    line[k, u] += (own + half * noise[v, u] - line[k, u]) * cover
        _store(line, picture, v)
    for v in range(min(max(int(horizon), 0), height), height):
        cover = min(np.float32(v) + full - horizon, full)
        _fill_pattern(tile, origin[v, 0], origin[v, 1], steps[v, 0], steps[v, 1], part[v], row)
        for k in range(3):
            for u in range(width):
                tone, light = full + relief[v] * (row[u] - half), half * across[u] * up[v]
                line[k, u] = (ground[v, k] + (glow[k] - ground[v, k]) * light) * tone + noise[v, u]
            for u in range(width if cover < full else 0):
                line[k, u] = cover * line[k, u] + (full - cover) * np.float32(picture[k, v, u])
        _store(line, picture, v)
