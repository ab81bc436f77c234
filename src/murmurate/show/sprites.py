"""Sprites: flat boids, rendered once at many headings and sizes.

A sprite is an antialiased shape at one of many headings and sub-pixel offsets. To draw a flock, a
sprite is chosen for each boid and written to the canvas by maximum, with no loop over boids.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from murmurate.model.view import Shape
from murmurate.show.canvas import Canvas
from murmurate.show.outlines import OUTLINES

Array = np.ndarray

SMALLEST = 1.5  # pixels; shorter darts are drawn this long, but fainter
STEP = 1.16  # from one size of sprites to the next
SIZES = SMALLEST * STEP ** np.arange(23)  # up to 39 pixels; longer darts are drawn one by one
_LONGEST = float(SIZES[-1] * STEP**0.5)
# The size of sprites for a length in eighths of a pixel: the nearest one.
_SIZE_OF = np.searchsorted(
    np.sqrt(SIZES[1:] * SIZES[:-1]), (np.arange(8 * int(_LONGEST + 2)) + 0.5) / 8
)
HEADINGS = 96
_CHUNK = 300_000  # sprite pixels handled at a time: they stay in the processor's cache
BORDER = 64  # pixels around the picture: for boids half outside it, and their sprites


class SpriteSet(NamedTuple):
    """All sprites of one size, S = HEADINGS * offsets^2 of them.

    values  (S, K) uint16 of 0 to 255: the K strongest pixels of each sprite
    dx, dy  (S, K) where these pixels lie from the boid's own pixel
    """

    values: Array
    dx: Array
    dy: Array
    offsets: int


class Sprites:
    """Draws boids of one shape."""

    def __init__(self, shape: Shape) -> None:
        self._shape = shape

    def draw(
        self, canvas: Canvas, x: Array, y: Array, angle: Array, length: Array, strength: Array,
        colour: Array,
    ) -> None:  # fmt: skip
        """Each (N,): pixel position, angle (0 right, pi/2 down), length in pixels, strength 0 to 1,
        colour number (uint16). Darts out of the picture, and nan, are left out."""
        reach = np.maximum(0.7 * length, 2.0)
        seen = (
            (x > -reach) & (x < canvas.width + reach) & (y > -reach) & (y < canvas.height + reach)
        )
        seen &= np.isfinite(length)
        if not seen.any():
            return
        if not seen.all():
            x, y, angle, length = x[seen], y[seen], angle[seen], length[seen]
            strength, colour = strength[seen], colour[seen]
        angle = np.nan_to_num(angle)
        faint = np.minimum(1.0, length / SMALLEST)
        weight = np.clip(strength * faint * 256.0, 0, 256).astype(np.uint16)
        large = length > _LONGEST
        eighths = np.where(large, 0, length * 8).astype(np.int32)
        size = np.where(large, len(SIZES), _SIZE_OF.take(eighths)).astype(np.uint8)
        order = np.argsort(size, kind="stable")  # a radix sort: boids of one size stand together
        size, x, y, angle = size[order], x[order], y[order], angle[order]
        weight, colour = weight[order], colour[order]
        column, row = np.floor(x).astype(np.int32), np.floor(y).astype(np.int32)
        base = (row + canvas.border) * np.intp(canvas.row) + (column + canvas.border)
        turned = np.floor(angle * np.float32(HEADINGS / (2.0 * np.pi)) + np.float32(0.5))
        heading = turned.astype(np.int32) % HEADINGS
        part_x, part_y = x - column, y - row
        ends = np.searchsorted(size, np.arange(len(SIZES) + 2))
        for number in range(len(SIZES)):
            mine = slice(ends[number], ends[number + 1])
            if mine.start == mine.stop:
                continue
            sprites = _sprite_set(self._shape, number)
            cells = np.float32(sprites.offsets)
            pick = heading[mine] * sprites.offsets + (part_y[mine] * cells).astype(np.int32)
            pick = pick * sprites.offsets + (part_x[mine] * cells).astype(np.int32)
            self._draw_set(canvas, sprites, pick, base[mine], weight[mine], colour[mine])
        for i in range(ends[-2], ends[-1]):
            length_i = length[order[i]]
            self._draw_large(canvas, x[i], y[i], angle[i], length_i, weight[i], colour[i])

    def _draw_set(
        self,
        canvas: Canvas,
        sprites: SpriteSet,
        pick: Array,
        base: Array,
        weight: Array,
        colour: Array,
    ) -> None:
        around = sprites.dy * canvas.row + sprites.dx
        same = bool((weight == 256).all())
        values = sprites.values << 8 if same else sprites.values
        some = max(1, _CHUNK // values.shape[1])
        for start in range(0, len(pick), some):
            few = slice(start, start + some)
            value = values.take(pick[few], axis=0)
            if not same:
                value *= weight[few, None]
                value &= np.uint16(0xFF00)
            value |= colour[few, None]
            index = around.take(pick[few], axis=0)
            index += base[few, None]
            canvas.put(index.reshape(-1), value.reshape(-1))

    def _draw_large(
        self,
        canvas: Canvas,
        x: float,
        y: float,
        angle: float,
        length: float,
        weight: int,
        colour: int,
    ) -> None:
        reach = 0.75 * length + 1.0
        left, right = max(0, int(x - reach)), min(canvas.width, int(x + reach) + 1)
        top, bottom = max(0, int(y - reach)), min(canvas.height, int(y + reach) + 1)
        if right <= left or bottom <= top:
            return
        row, column = np.mgrid[top:bottom, left:right]
        covered = _coverage(self._shape, column + 0.5 - x, row + 0.5 - y, angle, length)
        strength = (covered * (float(weight) / 256.0)).ravel()
        canvas.put_pixels(column.ravel(), row.ravel(), strength, int(colour))


@lru_cache(maxsize=128)
def _sprite_set(shape: Shape, number: int) -> SpriteSet:
    """The sprites of SIZES[number]."""
    length = float(SIZES[number])
    offsets = 4 if length < 5 else 2
    fine = 3 if length < 5 else 1  # samples across a pixel
    reach = int(np.ceil(0.7 * length)) + 1
    side = 2 * reach + 1
    at = (np.arange(side * fine, dtype=np.float32) + 0.5) / fine - reach
    shift = (np.arange(offsets) + 0.5) / offsets
    angle = (2.0 * np.pi * np.arange(HEADINGS) / HEADINGS)[:, None, None]
    sprites = np.empty((HEADINGS, offsets, offsets, side, side), np.uint16)
    for j in range(offsets):
        for i in range(offsets):
            dx, dy = at[None, None, :] - shift[i], at[None, :, None] - shift[j]
            covered = _coverage(shape, dx, dy, angle.astype(np.float32), length, fine)
            blocks = covered.reshape(HEADINGS, side, fine, side, fine).mean(axis=(2, 4))
            sprites[:, j, i] = (255.0 * blocks + 0.5).astype(np.uint16)
    flat = sprites.reshape(-1, side * side)
    # Most pixels of the square are empty: keep the strongest of each sprite.
    most = int((flat > 5).sum(axis=1).max())
    kept = np.argpartition(flat, -most, axis=1)[:, -most:]
    dy, dx = np.divmod(kept, side)
    return SpriteSet(np.take_along_axis(flat, kept, 1), dx - reach, dy - reach, offsets)


def _coverage(
    shape: Shape, dx: Array, dy: Array, angle: Array | float, length: float, fine: int = 1
) -> Array:
    """How much of a sample (a 1/fine pixel wide) the shape covers, times its own shading."""
    cos, sin = np.cos(angle) / np.float32(length), np.sin(angle) / np.float32(length)
    along, aside = dx * cos + dy * sin, np.abs(dy * cos - dx * sin)
    away, tone = OUTLINES[shape].distance(along, aside)
    covered: Array = np.clip(0.5 - away * (length * fine), 0.0, 1.0) * tone
    return covered
