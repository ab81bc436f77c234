"""Draw boids and lines on a raster, and composite it onto pictures.

A picture is (H, W, 3) uint8. A picture without background is (H, W, 4): the fourth channel is the
coverage (alpha) of each pixel, and the colours are premultiplied by it. One blending formula then
holds for all channels, with 255 in the fourth channel of a colour. Channels are planes in memory,
which are filled and converted by wide instructions; compiled functions take the planes (C, H, W).

The canvas is a raster of coverage and colour numbers. Each pixel has 16 bits: its strength (0 to
255) in the high byte and the number of a colour in the low byte. Drawing keeps the maximum, so the
strongest value wins and brings its colour along, whatever the order of drawing.
"""

from __future__ import annotations

import math

import numpy as np

from murmurate.jit import njit, stored
from murmurate.show.styles import RGB

Array = np.ndarray

BLOCK = 5  # bits of the index of a pixel within its block
_NO_DEPTH = np.zeros((0, 0), np.float32)  # in place of the depth of obstacles
# Tolerance of the depth test, relative to the depth of the obstacle. A solid must not hide its own
# edges.
_DEPTH_TOLERANCE = 2e-3


# --- channels


def new_picture(height: int, width: int, channels: int = 3) -> Array:
    """Return a picture (H, W, C) of any colours, whose channels are planes in memory."""
    return np.empty((channels, height, width), np.uint8).transpose(1, 2, 0)


def planes_of(picture: Array) -> Array:
    """Return the planes (C, H, W) of a picture; a copy if its channels are not planes in memory."""
    return np.ascontiguousarray(picture.transpose(2, 0, 1))


def with_channels(colours: Array, channels: int) -> Array:
    """Return (..., 3) colours with the number of channels of a picture, fully opaque."""
    if colours.shape[-1] == channels:
        return colours
    return np.concatenate([colours, np.full_like(colours[..., :1], 255)], axis=-1)


def unpremultiply(picture: Array) -> Array:
    """Divide the colours of an (H, W, 4) picture by its alpha channel, as files store them."""
    rows = picture.reshape(-1, 4)
    index = np.flatnonzero(rows[:, 3])
    pixels = rows[index].astype(np.uint32)
    out = np.zeros_like(rows)
    out[index, :3] = np.minimum((pixels[:, :3] * 510 + pixels[:, 3:]) // (2 * pixels[:, 3:]), 255)
    out[index, 3] = pixels[:, 3]
    return out.reshape(picture.shape)


# --- canvas


@stored(boundscheck=False)
def _composite(fours, touched, row, border, picture, palette):  # type: ignore[no-untyped-def]
    """Blend the non-empty pixels of the raster onto the picture, and clear them, block by block.

    `fours` is the raster with four pixels per number: most are empty and skipped together.
    """
    channels, height, width = picture.shape
    for block in range(len(touched)):
        if not touched[block]:
            continue
        touched[block] = False
        y, left = (block << BLOCK) // row - border, (block << BLOCK) % row - border
        for part in range(1 << (BLOCK - 2)):
            four = fours[(block << (BLOCK - 2)) + part]
            if four == 0:
                continue
            fours[(block << (BLOCK - 2)) + part] = 0
            for k in range(4):
                value, x = np.int32((four >> np.uint64(16 * k)) & np.uint64(0xFFFF)), left + k
                if value != 0 and 0 <= x + 4 * part < width and 0 <= y < height:
                    _mix(picture, y, x + 4 * part, 0, value, palette)
                    _mix(picture, y, x + 4 * part, 1, value, palette)
                    _mix(picture, y, x + 4 * part, 2, value, palette)
                    if channels > 3:
                        _mix(picture, y, x + 4 * part, 3, value, palette)


@njit(boundscheck=False, forceinline=True)
def _mix(picture, y, x, channel, value, palette):  # type: ignore[no-untyped-def]
    """Blend one channel of a pixel by its strength."""
    below, share = np.int32(picture[channel, y, x]), ((value >> 8) + 1) >> 1  # 0 to 128
    mix = (palette[value & 0xFF, channel] - below) * share
    picture[channel, y, x] = below + ((mix + 64) >> 7)


@njit(cache=True, boundscheck=False)
def keep_max(flat, touched, at, value):  # type: ignore[no-untyped-def]
    """Store a packed value at index `at` of the raster if it is larger than the present value."""
    flat[at] = max(np.int64(flat[at]), value)
    touched[at >> BLOCK] = True


@stored(boundscheck=False)
def _put_pixels(flat, touched, row, border, width, height, x, y, strength, colour):  # type: ignore[no-untyped-def]
    """Store the pixels that are in the picture."""
    for k in range(len(x)):
        if 0 <= x[k] < width and 0 <= y[k] < height and strength[k] > 0.0:
            value = (np.int64(strength[k] * 255.0 + 0.5) << 8) | np.int64(colour[k])
            keep_max(flat, touched, (y[k] + border) * row + x[k] + border, value)


class Canvas:
    """Raster for a picture of width x height pixels, with a border that is never shown.

    A block is a part of a row. The canvas marks blocks that are drawn on, because most are empty.
    """

    def __init__(self, width: int, height: int, border: int) -> None:
        self.width, self.height, self.border = width, height, border
        self.row = -(-(width + 2 * border) >> BLOCK) << BLOCK
        self._flat = np.zeros((height + 2 * border) * self.row, np.uint16)
        self._fours = self._flat.view(np.uint64)
        self._touched = np.zeros(len(self._flat) >> BLOCK, np.bool_)

    def put_pixels(self, x: Array, y: Array, strength: Array, colour: Array | int) -> None:
        """Draw pixels; those outside the picture are ignored.

        x, y  (K,) columns and rows
        strength  (K,) from 0 to 1
        colour  (K,)
        """
        numbers = colour if isinstance(colour, np.ndarray) else np.full(len(x), colour, np.uint16)
        _put_pixels(*self.plane(), x, y, strength, numbers)

    def plane(self) -> tuple[Array, Array, int, int, int, int]:
        """Return the flat raster, its drawn blocks, row length, border, width and height.

        `keep_max` draws on the raster and marks the block.
        """
        return self._flat, self._touched, self.row, self.border, self.width, self.height

    def composite(self, picture: Array, palette: Array) -> None:
        """Blend the raster onto a picture, and clear the raster.

        picture  (height, width, 3 or 4) changed in place
        palette  (P, 3) colours from 0 to 255, P <= 256. A pixel of full strength is opaque.
        """
        colours = with_channels(np.asarray(palette, np.int32), picture.shape[2])
        planes = picture.transpose(2, 0, 1)
        _composite(self._fours, self._touched, self.row, self.border, planes, colours)


# --- blending


def blend(picture: Array, left: int, top: int, cover: Array, colour: Array | RGB) -> None:
    """Blend a colour, or an (h, w, 3) picture of colours, onto a picture in place.

    `cover` is (h, w) from 0 to 1, with its upper left corner at pixel (left, top).
    """
    channels = picture.shape[2]
    colours = with_channels(np.asarray(colour, np.float32), channels)
    if colours.ndim == 1:
        colours = np.broadcast_to(colours, (1, 1, channels)).copy()
    _blend(picture.transpose(2, 0, 1), left, top, np.asarray(cover, np.float32), colours)


@stored()
def _blend(picture, left, top, cover, colours):  # type: ignore[no-untyped-def]
    """Blend `colours`, (h, w, C) float32, or (1, 1, C) for a single one."""
    channels, height, width = picture.shape
    down, right = min(1, len(colours) - 1), min(1, colours.shape[1] - 1)
    for v in range(max(0, -top), min(len(cover), height - top)):
        for u in range(max(0, -left), min(cover.shape[1], width - left)):
            part = cover[v, u]
            if part > 0.0:
                for channel in range(channels):
                    own = colours[down * v, right * u, channel]
                    below = np.float32(picture[channel, top + v, left + u])
                    mix = below + (own - below) * part + np.float32(0.5)
                    picture[channel, top + v, left + u] = np.uint8(mix)


# --- depth test


class DepthTest:
    """Find the points that are behind an obstacle, by the (H, W) depths of the nearest
    obstacles."""

    def __init__(self, depth: Array) -> None:
        self.depth = np.ascontiguousarray(depth, np.float32)

    def __call__(self, x: Array, y: Array, nearness: Array) -> Array:
        """Return (K,) bool for points at pixels x, y, inside or outside the picture.

        `nearness` is 1 / depth of the points.
        """
        behind = np.empty(len(x), np.bool_)
        _test_depth(self.depth, x, y, nearness, behind)
        return behind


@njit(cache=True)
def is_behind(solid, x, y, nearness):  # type: ignore[no-untyped-def]
    """Return whether a point at pixel x, y, in the picture or not, is behind an obstacle."""
    height, width = solid.shape
    away = solid[min(max(y, 0), height - 1), min(max(x, 0), width - 1)]
    return nearness * away < 1.0 - _DEPTH_TOLERANCE


@stored()
def _test_depth(solid, x, y, nearness, behind):  # type: ignore[no-untyped-def]
    for k in range(len(x)):
        behind[k] = is_behind(solid, x[k], y[k], nearness[k])


# --- lines


def draw_lines(
    canvas: Canvas,
    start: tuple[Array, Array],
    end: tuple[Array, Array],
    strength: tuple[Array, Array],
    colour: Array | int = 0,
    width: float = 1.0,
    hidden: DepthTest | None = None,
    nearness: tuple[Array, Array] | None = None,
) -> None:
    """Draw N antialiased straight lines.

    X. Wu, "An efficient antialiasing technique", SIGGRAPH 1991, doi:10.1145/122718.122734.

    start, end  (N,) x and y in pixels. A line with a nan is left out.
    strength  (N,) strength from 0 to 1 at the start and at the end, interpolated in between
    colour  (N,)
    width  pixels
    hidden  hides the parts behind obstacles
    nearness  (N,) 1 / depth at the start and at the end, required with `hidden`
    """
    count = len(start[0])
    near = nearness if nearness is not None else (np.zeros(count), np.zeros(count))
    rows = (np.asarray(a, np.float64) for a in (*start, *end, *strength, *near))
    numbers = np.empty(count, np.int64)
    numbers[:] = colour
    solid = _NO_DEPTH if hidden is None else hidden.depth
    _draw_lines(np.stack([*rows]), numbers, float(width), solid, *canvas.plane())


@stored(error_model="numpy")
def _draw_lines(lines, colour, thick, solid, flat, touched, row, border, width, height):  # type: ignore[no-untyped-def]
    """Store the pixels of lines (8, N), along the longer axis of each."""
    for k in range(lines.shape[1]):
        x0, y0, x1, y1, s0, s1, n0, n1 = lines[:, k]
        dx, dy = x1 - x0, y1 - y0
        first, last = _clip(x0, y0, dx, dy, width, height, thick + 1.0)
        if not first < last:
            continue
        steep = abs(dy) > abs(dx)
        major0, major = (y0, dy) if steep else (x0, dx)
        minor0, minor = (x0, dx) if steep else (y0, dy)
        begin, finish = major0 + first * major, major0 + last * major
        divisor = 1.0 if major == 0.0 else major
        slope = minor / divisor
        half = 0.5 * thick * math.sqrt(1.0 + slope * slope)  # measured along the minor axis
        taps = math.ceil(2.0 * half) + 1
        for pixel in range(math.floor(min(begin, finish)), math.floor(max(begin, finish)) + 1):
            t = min(max((pixel + 0.5 - major0) / divisor, first), last)
            middle = minor0 + t * minor
            lowest = math.floor(middle - half)
            for cross in range(lowest, lowest + taps):
                cover = min(max(half + 0.5 - abs(cross + 0.5 - middle), 0.0), 1.0)
                x, y = (cross, pixel) if steep else (pixel, cross)
                if not cover > 0.0 or not (0 <= x < width and 0 <= y < height):
                    continue
                if solid.size and is_behind(solid, x, y, n0 + t * (n1 - n0)):
                    continue
                strength = (s0 + t * (s1 - s0)) * cover
                if strength > 0.0:
                    value = (np.int64(strength * 255.0 + 0.5) << 8) | colour[k]
                    keep_max(flat, touched, (y + border) * row + x + border, value)


@njit(error_model="numpy")
def _clip(x, y, dx, dy, width, height, room):  # type: ignore[no-untyped-def]
    """Clip a line to the picture, widened by `room` pixels.

    Returns the part (first, last) from 0 to 1; first > last if the line misses the picture.
    Y.-D. Liang and B. A. Barsky, ACM Trans. Graph. 3, 1 (1984), doi:10.1145/357332.357333.
    """
    first, last = 0.0, 1.0
    if not math.isfinite(x + y + dx + dy):
        return 0.0, -1.0
    for begin, run, size in ((x, dx, width), (y, dy, height)):
        for towards, space in ((-run, begin + room), (run, size + room - begin)):
            if towards < 0.0:
                first = max(first, space / towards)
            elif towards > 0.0:
                last = min(last, space / towards)
            elif space < 0.0:
                return 0.0, -1.0
    return first, last
