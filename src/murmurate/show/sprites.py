"""Draw flat boids: outlines of their shapes, and sprites rendered from these.

An outline is a shape of length 1, such as dart, bird or disc. It maps positions `along` the
heading and `aside` of it (not negative, because outlines are symmetric), both in boid lengths, to
the signed distance (in lengths, negative inside) and the tone (0 to 1).

A sprite is an antialiased outline at one of many headings and subpixel offsets. To draw a flock, a
sprite is chosen for each boid and written to the canvas by maximum.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from murmurate.jit import stored
from murmurate.model.view import Shape
from murmurate.show.canvas import Canvas, keep_max

Array = np.ndarray


# --- outlines


class SpriteOutline(NamedTuple):
    """A flat shape.

    distance  map (along, aside) to (signed distance, tone)
    corners  (T, 3, 2) triangles that approximate the shape, (along, aside) in lengths
    round  whether it looks the same from all sides, so that it is not foreshortened
    """

    distance: Callable[[Array, Array], tuple[Array, Array]]
    corners: Array
    round: bool = False


def _dart(along: Array, aside: Array) -> tuple[Array, Array]:
    """Return an arrowhead: nose at 0.6, tail tips at (-0.4, +-0.3), notch at -0.22."""
    flank = (0.3 * (along - 0.6) + aside) / 1.0440
    back = (-0.3 * (along + 0.22) - 0.18 * aside) / 0.3499
    return np.maximum(flank, back), np.clip(0.86 + 0.36 * along, 0.0, 1.0)


def _bird(along: Array, aside: Array) -> tuple[Array, Array]:
    """Return a bird seen from above: swept wings, a slim body and a tail."""
    leading = (0.56 * (along - 0.34) + 0.58 * aside) / 0.8062
    trailing = (-0.56 * (along - 0.02) - 0.26 * aside) / 0.6174
    wings = np.maximum(leading, trailing)
    body = np.hypot(along - np.clip(along, -0.26, 0.42), aside) - 0.07
    return np.minimum(wings, body), np.ones_like(wings)


def _fish(along: Array, aside: Array) -> tuple[Array, Array]:
    """Return a fish seen from above: a slim body, thickest near the head, and a tail fin."""
    half = 0.12 - np.where(along > 0.2, 0.4 * (along - 0.2), 0.2 * (0.2 - along))
    body = np.maximum(aside - half, np.abs(along) - 0.5)
    fin = np.maximum(aside - 0.4 * (-0.3 - along), np.abs(along + 0.4) - 0.1)
    return np.minimum(body, fin), np.clip(0.9 + 0.25 * along, 0.0, 1.0)


def _sheep(along: Array, aside: Array) -> tuple[Array, Array]:
    """Return a sheep seen from above: a round body and a small dark head."""
    return _walker(along, aside, 0.22, 0.07)


def _dog(along: Array, aside: Array) -> tuple[Array, Array]:
    """Return a dog seen from above: a slim body, a head and a tail."""
    distance, tone = _walker(along, aside, 0.1, 0.075)
    tail = np.hypot(along - np.clip(along, -0.47, -0.2), aside) - 0.03
    return np.minimum(distance, tail), tone


def _walker(along: Array, aside: Array, wide: float, head: float) -> tuple[Array, Array]:
    body = np.hypot(along - np.clip(along, wide - 0.45, 0.24 - wide), aside) - wide
    front = np.hypot(along - np.clip(along, 0.15, 0.5 - head), aside) - head
    return np.minimum(body, front), np.where(front < body, 0.5, 1.0)


def _arrow(along: Array, aside: Array) -> tuple[Array, Array]:
    """Return an arrow: a shaft with a head."""
    head = np.maximum((0.23 * (along - 0.5) + 0.42 * aside) / 0.4789, 0.08 - along)
    shaft = np.maximum(aside - 0.06, np.abs(along + 0.19) - 0.31)
    both = np.minimum(head, shaft)
    return both, np.ones_like(both)


def _disc(along: Array, aside: Array) -> tuple[Array, Array]:
    distance = np.hypot(along, aside) - 0.33
    return distance, np.ones_like(distance)


def _halves(*corners: tuple[float, float]) -> Array:
    """Return the triangles of the left half and their mirror images."""
    left = np.array(corners).reshape(-1, 3, 2)
    return np.concatenate([left, left * [1, -1]])


def _polygon(radius: float, sides: int) -> Array:
    angle = 2 * np.pi * np.arange(sides + 1) / sides
    rim = radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return np.stack([np.zeros_like(rim[1:]), rim[:-1], rim[1:]], axis=1)


OUTLINES: dict[Shape, SpriteOutline] = {
    "dart": SpriteOutline(_dart, _halves((0.6, 0), (-0.4, 0.3), (-0.22, 0))),
    "bird": SpriteOutline(
        _bird,
        _halves((0.34, 0), (-0.24, 0.56), (0.02, 0), (0.49, 0), (0, 0.07), (-0.33, 0)),
    ),
    "fish": SpriteOutline(
        _fish,
        _halves((0.5, 0), (0.2, 0.12), (-0.4, 0), (-0.3, 0), (-0.5, 0.08), (-0.5, 0)),
    ),
    "sheep": SpriteOutline(
        _sheep,
        _halves(
            (0.22, 0), (0.0, 0.22), (-0.25, 0.22), (0.22, 0), (-0.25, 0.22), (-0.45, 0),
            (0.5, 0), (0.2, 0.08), (0.2, 0),
        ),
    ),
    "dog": SpriteOutline(
        _dog,
        _halves(
            (0.5, 0), (0.4, 0.07), (0.2, 0), (0.25, 0), (0.12, 0.1), (-0.3, 0.1),
            (0.25, 0), (-0.3, 0.1), (-0.5, 0),
        ),
    ),
    "arrow": SpriteOutline(
        _arrow,
        _halves(
            (0.5, 0), (0.08, 0.23), (0.08, 0),
            (0.08, 0), (0.08, 0.06), (-0.5, 0.06), (0.08, 0), (-0.5, 0.06), (-0.5, 0),
        ),
    ),
    "disc": SpriteOutline(_disc, _polygon(0.33, 12), round=True),
}  # fmt: skip


# --- sprites

MIN_LENGTH = 1.5  # pixels; shorter boids are drawn with this length, but fainter
STEP = 1.16  # ratio of consecutive sprite sizes
SIZES = MIN_LENGTH * STEP ** np.arange(23)  # pixels, up to 39; longer boids are drawn singly
_MAX_LENGTH = float(SIZES[-1] * STEP**0.5)
# Index of the nearest sprite size for a length in eighths of a pixel. The last is of longer boids.
_SIZE_OF = np.searchsorted(
    np.sqrt(SIZES[1:] * SIZES[:-1]), (np.arange(8 * int(_MAX_LENGTH + 2)) + 0.5) / 8
).astype(np.uint8)
_SIZE_OF[-1] = len(SIZES)
HEADINGS = 96
BORDER = 64  # pixels around the picture, for sprites that are partly outside it


class SpriteSet(NamedTuple):
    """All S = HEADINGS * offsets**2 sprites of one size.

    values  (S, K) the K strongest pixels of each sprite, from 0 to 255
    dx, dy  (S, K) offsets of these pixels from the pixel of the boid
    offsets  number of subpixel offsets along each axis
    """

    values: Array
    dx: Array
    dy: Array
    offsets: int


class Sprites:
    """Draw boids of one shape."""

    def __init__(self, shape: Shape) -> None:
        self._shape = shape

    def draw(
        self, canvas: Canvas, x: Array, y: Array, angle: Array, length: Array, strength: Array,
        colour: Array,
    ) -> None:  # fmt: skip
        """Draw N boids. Boids outside the picture or with a nan are left out.

        x, y  (N,) pixel positions
        angle  (N,) headings in the picture, radians: 0 is right and pi / 2 is down
        length  (N,) pixels
        strength  (N,) from 0 to 1
        colour  (N,)
        """
        boids = [np.ascontiguousarray(a, np.float32) for a in (x, y, angle, length, strength)]
        size = np.empty(len(x), np.uint8)
        _choose_sizes(boids[0], boids[1], boids[3], canvas.width, canvas.height, size)
        order = np.argsort(size, kind="stable")  # radix sort: groups boids by size
        ends = np.searchsorted(size[order], np.arange(len(SIZES) + 2))
        plane = canvas.plane()[:4]
        for number in np.flatnonzero(np.diff(ends[:-1])):
            group = order[ends[number] : ends[number + 1]]
            sprites = _sprite_set(self._shape, int(number))
            _draw_sprites(*plane, group, *boids, colour, *sprites)
        for i in order[ends[-2] : ends[-1]]:
            self._draw_large(canvas, [float(a[i]) for a in boids], int(colour[i]))

    def _draw_large(self, canvas: Canvas, boid: list[float], colour: int) -> None:
        x, y, angle, length, strength = boid
        reach = 0.75 * length + 1.0
        left, right = max(0, int(x - reach)), min(canvas.width, int(x + reach) + 1)
        top, bottom = max(0, int(y - reach)), min(canvas.height, int(y + reach) + 1)
        if right <= left or bottom <= top:
            return
        row, column = np.mgrid[top:bottom, left:right]
        coverage = _coverage(self._shape, column + 0.5 - x, row + 0.5 - y, angle, length)
        cover = (coverage * min(max(strength, 0.0), 1.0)).ravel()
        canvas.put_pixels(column.ravel(), row.ravel(), cover, colour)


@stored(boundscheck=False)
def _choose_sizes(x, y, length, width, height, size):  # type: ignore[no-untyped-def]
    """Fill the indices of sprite sizes: one more for long boids, two more for those not visible."""
    for i in range(len(x)):
        reach = max(np.float32(0.7) * length[i], np.float32(2.0))
        visible = -reach < x[i] < width + reach and -reach < y[i] < height + reach
        size[i] = len(SIZES) + 1
        if visible and length[i] < math.inf:
            size[i] = _SIZE_OF[min(int(length[i] * 8), len(_SIZE_OF) - 1)]


@stored(boundscheck=False)
def _draw_sprites(  # type: ignore[no-untyped-def]
    flat, touched, row, border, group, xs, ys, angle, length, strength, colour, values, dx, dy,
    offsets,
):  # fmt: skip
    """Store the sprites of a group of boids of one size."""
    for i in group:
        x, y, turn = xs[i], ys[i], angle[i] * np.float32(HEADINGS / (2.0 * math.pi))
        column, line = math.floor(x), math.floor(y)
        pick = math.floor(turn + 0.5) % HEADINGS if math.isfinite(turn) else 0
        pick = pick * offsets + int((y - line) * offsets)
        pick = pick * offsets + int((x - column) * offsets)
        weight = int(256.0 * min(max(strength[i] * min(length[i] / MIN_LENGTH, 1.0), 0.0), 1.0))
        at = (line + border) * row + column + border
        for k in range(values.shape[1]):
            value = (np.int64(values[pick, k]) * weight & 0xFF00) | np.int64(colour[i])
            keep_max(flat, touched, at + dy[pick, k] * row + dx[pick, k], value)


@lru_cache(maxsize=128)
def _sprite_set(shape: Shape, number: int) -> SpriteSet:
    """Render the sprites of size SIZES[number]."""
    length = float(SIZES[number])
    offsets = 4 if length < 5 else 2
    fine = 3 if length < 5 else 1  # samples across a pixel
    reach = int(np.ceil(0.7 * length)) + 1
    side = 2 * reach + 1
    samples = (np.arange(side * fine, dtype=np.float32) + 0.5) / fine - reach
    shift = (np.arange(offsets, dtype=np.float32) + 0.5) / offsets
    angle = (2.0 * np.pi * np.arange(HEADINGS) / HEADINGS)[:, None, None]
    sprites = np.empty((HEADINGS, offsets, offsets, side, side), np.uint16)
    for j in range(offsets):
        for i in range(offsets):
            dx, dy = samples[None, None, :] - shift[i], samples[None, :, None] - shift[j]
            coverage = _coverage(shape, dx, dy, angle.astype(np.float32), length, fine)
            blocks = coverage.reshape(HEADINGS, side, fine, side, fine).mean(axis=(2, 4))
            sprites[:, j, i] = (255.0 * blocks + 0.5).astype(np.uint16)
    flat = sprites.reshape(-1, side * side)
    # Most pixels of the square are empty: keep the strongest ones of each sprite.
    count = int((flat > 5).sum(axis=1).max())
    strongest = np.argpartition(flat, -count, axis=1)[:, -count:]
    dy, dx = np.divmod(strongest, side)
    return SpriteSet(np.take_along_axis(flat, strongest, 1), dx - reach, dy - reach, offsets)


def _coverage(
    shape: Shape, dx: Array, dy: Array, angle: Array | float, length: float, fine: int = 1
) -> Array:
    """Return the coverage of samples (1 / fine pixels wide) by the shape, times its tone."""
    cos, sin = np.cos(angle) / np.float32(length), np.sin(angle) / np.float32(length)
    along, aside = dx * cos + dy * sin, np.abs(dy * cos - dx * sin)
    distance, tone = OUTLINES[shape].distance(along, aside)
    return np.clip(0.5 - distance * (length * fine), 0.0, 1.0) * tone
