"""Text in pictures, and the legends of colours."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from PIL import Image, ImageDraw

from murmurate.show.colours import RGB
from murmurate.show.compositing import blend
from murmurate.show.fonts import font_of
from murmurate.show.styles import Style

Array = np.ndarray


HALO = 0.6  # how strong it is


class TextRenderer:
    """Draws text on pictures of one size and style; a thin halo keeps it legible over boids.

    larger  times the usual size of letters
    text    what is going to be written, where it may have letters that English has not
    """

    def __init__(
        self, style: Style, height: int, width: int, larger: float = 1.0, text: str = ""
    ) -> None:
        self.size = larger * max(9.0, min(height, 0.75 * width) / 40.0)
        self._style = style
        self._font = font_of(text, self.size)
        self._halo = max(1, round(self.size / 9))
        self._masks = lru_cache(maxsize=64)(self._render)
        self.width = lru_cache(maxsize=256)(self._width)  # of a text, in pixels

    def _width(self, text: str) -> float:
        return float(self._font.getlength(text))

    def write(
        self, picture: Array, x: float, y: float, text: str, colour: RGB, rim: RGB | None = None
    ) -> None:
        """`text` with its upper left corner at pixel x, y; what sticks out is cut.

        rim  colour around the letters; what lies behind them unless given
        """
        letters, halo = self._masks(text)
        left, top = round(x) - self._halo, round(y) - self._halo
        behind = _sky_behind(picture, left, top, halo) if rim is None else rim
        blend(picture, left, top, halo, behind)
        blend(picture, left, top, letters, colour)

    def dot(self, picture: Array, x: float, y: float, colour: Array) -> None:
        """A disc as high as a small letter, in a line of text that begins at x, y."""
        radius = 0.27 * self.size
        side = int(2 * radius) + 3
        at = np.arange(side) + 0.5 - 0.5 * side
        cover = np.clip(radius + 0.5 - np.hypot(at[:, None], at), 0.0, 1.0)
        left, top = round(x), round(y + 0.62 * self.size - 0.5 * side)
        blend(picture, left, top, cover, colour)

    def _render(self, text: str) -> tuple[Array, Array]:
        room = self._halo
        box = (int(self.width(text)) + 2 * room + 2, int(1.4 * self.size) + 2 * room)
        masks = []
        for halo in (0, room):
            sheet = Image.new("L", box)
            where = (room - halo, room - halo)
            ImageDraw.Draw(sheet).text(where, text, 255, self._font, stroke_width=halo)
            masks.append(np.asarray(sheet, np.float32) / 255.0)
        return masks[0], masks[1] * np.float32(HALO)


def _sky_behind(picture: Array, left: int, top: int, cover: Array) -> Array:
    """(1, w, C) colours behind a text: from what is at its left end to what is at its right one, so
    that a halo is not seen on a sky that changes."""
    rows, columns = picture.shape[:2]
    row = picture[min(max(0, top + len(cover) // 2), rows - 1)]
    ends = row[[min(max(0, x), columns - 1) for x in (left, left + cover.shape[1])]]
    ends = ends.astype(np.float32)
    part = np.linspace(0.0, 1.0, cover.shape[1], dtype=np.float32)[:, None]
    return (ends[0] + part * (ends[1] - ends[0]))[None]


WHEEL_END = (
    3.0  # sizes of letters: where the wheel's lower edge is, the line of text being above it
)


def draw_wheel(picture: Array, renderer: TextRenderer, palette: Array) -> float:
    """The legend of headings: a ring of their colours in the upper right corner. Returns where it
    begins."""
    size = renderer.size
    outer, inner = 1.2 * size, 0.68 * size
    side = int(2 * outer) + 3
    at = np.arange(side) + 0.5 - 0.5 * side
    away = np.hypot(at[:, None], at)
    cover = np.clip(outer + 0.5 - away, 0, 1) * np.clip(away - inner + 0.5, 0, 1)
    turn = np.arctan2(-at[:, None], at[None, :]) / (2.0 * np.pi) % 1.0
    colours = palette[(turn * len(palette)).astype(np.intp) % len(palette)]
    left = round(picture.shape[1] - size - side)
    blend(picture, left, round(0.4 * size), cover, colours)
    return left


def draw_bar(
    picture: Array,
    renderer: TextRenderer,
    y: float,
    palette: Array,
    low: float,
    high: float,
    style: Style,
) -> float:
    """The legend of speeds: a bar of their colours with its two ends, upper right, in the line of
    text at y; none where it has no room. Returns where it begins."""
    size = renderer.size
    wide, high_pixels = round(7 * size), max(3, round(0.45 * size))
    texts = (f"{low:.3g}", f"{high:.3g}")
    whole = wide + sum(renderer.width(text) for text in ("speed", *texts)) + 3.5 * size
    if whole > picture.shape[1]:
        return float(picture.shape[1])
    x = picture.shape[1] - size - renderer.width(texts[1])
    renderer.write(picture, x, y, texts[1], style.text)
    x -= 0.5 * size + wide
    cells = np.linspace(0, len(palette) - 1, wide).astype(np.intp)
    colours = np.repeat(palette[cells][None], high_pixels, axis=0)
    cover = np.ones((high_pixels, wide), np.float32)
    blend(picture, round(x), round(y + 0.62 * size - 0.5 * high_pixels), cover, colours)
    x -= 0.5 * size + renderer.width(texts[0])
    renderer.write(picture, x, y, texts[0], style.text)
    x -= 0.5 * size + renderer.width("speed")
    renderer.write(picture, x, y, "speed", style.quiet)
    return x
