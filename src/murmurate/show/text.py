"""Draw text on pictures: the status line, legends of colours, the caption and the watermark."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from murmurate.frame import FlockFrame, Frame
from murmurate.measures import polarization, valid_rows
from murmurate.model.view import View
from murmurate.show.canvas import blend
from murmurate.show.palette import Legend, Palette
from murmurate.show.projection import Array, Perspective, Projection
from murmurate.show.styles import RGB, Style

HALO_STRENGTH = 0.6
WHEEL_END = 3.0  # lower edge of the wheel of headings, in letter sizes; the text line is above it
MAX_STATUS_HEIGHT = 0.25  # of the picture's height; if text takes more, it is left out
MAX_CAPTION_WIDTH = 0.86  # of the picture's width, for a line of the caption
CAPTION_SIZE = 1.7  # size of the caption's letters relative to other text
LINE_HEIGHT = 1.35  # in letter sizes
LEGEND_RIM = 0.45  # opacity of the line around the colours of a legend


# --- fonts


def load_font(text: str, size: float) -> Any:
    """Return a font for a text at a size in pixels.

    Pillow's own font has the letters of English. For other letters DejaVu Sans of matplotlib is
    returned if matplotlib is installed.
    """
    font = ImageFont.load_default(size)
    matplotlib = find_spec("matplotlib")
    if matplotlib is None or matplotlib.origin is None or not _missing_in(font, text):
        return font
    folder = Path(matplotlib.origin).parent / "mpl-data" / "fonts" / "ttf"
    return ImageFont.truetype(folder / "DejaVuSans.ttf", size)


def missing_letters(text: str) -> str:
    """Return the letters of a text that no available font has."""
    return _missing_in(load_font(text, 20), text)


def _missing_in(font: Any, text: str) -> str:
    def render(letter: str) -> tuple[object, bytes]:
        mask = font.getmask(letter)
        return mask.size, bytes(mask)

    placeholder = render("\U0010ffff")
    letters = dict.fromkeys(text)
    return "".join(c for c in letters if not c.isspace() and render(c) == placeholder)


# --- text


class TextRenderer:
    """Draw text on pictures of one size and style, with a thin halo that keeps it legible.

    height, width  size of the pictures in pixels
    scale  size of the letters relative to the usual size
    text  text to be written, used to choose a font that has its letters
    size  letter size in pixels
    width  return the width of a text in pixels
    """

    def __init__(
        self, style: Style, height: int, width: int, scale: float = 1.0, text: str = ""
    ) -> None:
        self.size = scale * max(9.0, min(height, 0.75 * width) / 40.0)
        self._style = style
        self._font = load_font(text, self.size)
        self._halo = max(1, round(self.size / 9))
        self._masks = lru_cache(maxsize=64)(self._render)
        self.width = lru_cache(maxsize=256)(self._width)

    def _width(self, text: str) -> float:
        return float(self._font.getlength(text))

    def write(
        self, picture: Array, x: float, y: float, text: str, colour: RGB, rim: RGB | None = None
    ) -> None:
        """Write text with its upper left corner at pixel (x, y), clipped to the picture.

        `rim` is the colour around the letters; by default that of the background.
        """
        letters, halo = self._masks(text)
        left, top = round(x) - self._halo, round(y) - self._halo
        background = _background_colours(picture, left, top, halo) if rim is None else rim
        blend(picture, left, top, halo, background)
        blend(picture, left, top, letters, colour)

    def dot(self, picture: Array, x: float, y: float, colour: Array) -> None:
        """Draw a disc as high as a small letter, in a line of text that begins at (x, y)."""
        radius = 0.27 * self.size
        side = int(2 * radius) + 3
        offsets = np.arange(side) + 0.5 - 0.5 * side
        cover = np.clip(radius + 0.5 - np.hypot(offsets[:, None], offsets), 0.0, 1.0)
        left, top = round(x), round(y + 0.62 * self.size - 0.5 * side)
        blend(picture, left, top, cover, colour)

    def _render(self, text: str) -> tuple[Array, Array]:
        """Return coverage masks (h, w) from 0 to 1 of the letters and of their halo."""
        margin = self._halo
        box = (int(self.width(text)) + 2 * margin + 2, int(1.4 * self.size) + 2 * margin)
        masks = []
        for halo in (0, margin):
            sheet = Image.new("L", box)
            corner = (margin - halo, margin - halo)
            ImageDraw.Draw(sheet).text(corner, text, 255, self._font, stroke_width=halo)
            masks.append(np.asarray(sheet, np.float32) / 255.0)
        return masks[0], masks[1] * np.float32(HALO_STRENGTH)


def _background_colours(picture: Array, left: int, top: int, cover: Array) -> Array:
    """Return (1, w, C) colours behind a text, interpolated from its left end to its right end.

    A halo of these colours is invisible on a sky that changes along the text.
    """
    rows, columns = picture.shape[:2]
    row = picture[min(max(0, top + len(cover) // 2), rows - 1)]
    ends = row[[min(max(0, x), columns - 1) for x in (left, left + cover.shape[1])]]
    ends = ends.astype(np.float32)
    part = np.linspace(0.0, 1.0, cover.shape[1], dtype=np.float32)[:, None]
    return (ends[0] + part * (ends[1] - ends[0]))[None]


# --- legends


def draw_wheel(
    picture: Array, renderer: TextRenderer, legend: Legend, style: Style, turned: float = 0.0
) -> float:
    """Draw the legend of a circle of colours, a ring, in the upper right corner.

    The first colour is on the right, and colours go round counterclockwise; `turned` is the part of
    a turn by which the ring is rotated clockwise. The name of a number is left of the ring, with
    the range of a turn. Returns the pixel column at which the legend begins.
    """
    size = renderer.size
    outer, inner = 1.2 * size, 0.68 * size
    side = int(2 * outer) + 3
    offsets = np.arange(side) + 0.5 - 0.5 * side
    radius = np.hypot(offsets[:, None], offsets)
    cover = np.clip(outer + 0.5 - radius, 0, 1) * np.clip(radius - inner + 0.5, 0, 1)
    turn = (np.arctan2(-offsets[:, None], offsets[None, :]) / (2.0 * np.pi) + turned) % 1.0
    count = len(legend.table)
    colours = legend.table[(turn * count).astype(np.intp) % count]
    left = round(picture.shape[1] - size - side)
    rim = np.clip(outer + 1.5 - radius, 0, 1) * np.clip(radius - inner + 1.5, 0, 1)
    blend(picture, left, round(0.4 * size), LEGEND_RIM * rim, style.quiet)
    blend(picture, left, round(0.4 * size), cover, colours)
    if not legend.name:
        return left
    texts = ((range_text(legend.low, legend.high), style.text), (legend.name, style.quiet))
    return _write_left(picture, renderer, left - 0.5 * size, 0.8 * size, texts)


def _turn_of(legend: Legend, projection: Projection) -> float:
    """Return the heading to the right of the picture, in turns; 0 for other legends than headings.

    In 3-D headings are horizontal, and the top of the ring is away from the camera.
    """
    if legend.name or not isinstance(projection, Perspective):
        return 0.0
    return projection.azimuth / (2.0 * math.pi) + 0.25


def range_text(low: float, high: float) -> str:
    """Return the range of a turn in a few digits; multiples of pi as such."""
    words = {-1: "-pi", 0: "0", 1: "pi"}
    halves = [round(end / math.pi) for end in (low, high)]
    if not np.allclose([low, high], np.multiply(halves, math.pi), rtol=0.0, atol=1e-6):
        return f"{low:.3g} to {high:.3g}"
    return " to ".join(words.get(number, f"{number} pi") for number in halves)


def draw_bar(
    picture: Array, renderer: TextRenderer, y: float, legend: Legend, style: Style
) -> float:
    """Draw the legend of a number, a bar of its colours with both limits, in the line at y.

    It is right-aligned, and left out if the picture is too narrow. Returns the pixel column at
    which it begins.
    """
    size = renderer.size
    wide, high_pixels = round(7 * size), max(3, round(0.45 * size))
    low, high = f"{legend.low:.3g}", f"{legend.high:.3g}"
    total = wide + sum(renderer.width(text) for text in (legend.name, low, high)) + 3.5 * size
    if total > picture.shape[1]:
        return float(picture.shape[1])
    x = _write_left(picture, renderer, picture.shape[1] - size, y, [(high, style.text)])
    x -= 0.5 * size + wide
    cells = np.linspace(0, len(legend.table) - 1, wide).astype(np.intp)
    colours = np.repeat(legend.table[cells][None], high_pixels, axis=0)
    left, top = round(x), round(y + 0.62 * size - 0.5 * high_pixels)
    rim = np.full((high_pixels + 2, wide + 2), LEGEND_RIM, np.float32)
    blend(picture, left - 1, top - 1, rim, style.quiet)
    blend(picture, left, top, np.ones((high_pixels, wide), np.float32), colours)
    texts = [(low, style.text), (legend.name, style.quiet)]
    return _write_left(picture, renderer, x - 0.5 * size, y, texts)


def _write_left(
    picture: Array, renderer: TextRenderer, right: float, y: float,
    texts: Sequence[tuple[str, RGB]],
) -> float:  # fmt: skip
    """Write texts from right to left, the first one up to column `right`; return where they end."""
    x = right + 0.5 * renderer.size
    for text, colour in texts:
        x -= 0.5 * renderer.size + renderer.width(text)
        renderer.write(picture, x, y, text, colour)
    return x


# --- the status line


class StatusLine:
    """Draw a line in the upper left corner: time, number of boids, polarization, and a legend.

    Fields keep their position while numbers change. `height` is the number of pixels from the upper
    edge that the line and its legend take.
    """

    def __init__(self, style: Style, width: int, height: int) -> None:
        self._style = style
        self._renderer = TextRenderer(style, height, width)
        self._top = 0.8 * self._renderer.size
        needed = WHEEL_END * self._renderer.size
        self.height = needed if needed <= MAX_STATUS_HEIGHT * height else 0.0
        self._widths: dict[str, float] = {}  # label -> width of its widest value so far
        self._end = math.inf  # fields from this column on have no space and are left out for good
        self._largest = ("", 0)  # the flock with most boids so far, and their number

    def draw(
        self, picture: Array, frame: Frame, palette: Palette, projection: Projection, fields: bool
    ) -> None:
        """Draw the line of a frame, or only its legend (not `fields`)."""
        renderer, style, y = self._renderer, self._style, self._top
        if not self.height:
            return
        right = float(picture.shape[1])
        legend = palette.legend
        if legend is not None and legend.cyclic:
            right = draw_wheel(picture, renderer, legend, style, _turn_of(legend, projection))
        elif legend is not None:
            right = draw_bar(picture, renderer, y, legend, style)
        if not fields:
            return
        x = self._draw_field(picture, right, renderer.size, "t", f"{frame.time:.2f}")
        for flock in frame.values():
            label, dot, count = "N", None, len(valid_rows(flock, "positions"))
            if len(frame.flocks) > 1:
                label = flock.name
                dot = palette.colour(label) if palette.hue(flock) is None else None
            x = self._draw_field(picture, right, x, label, f"{count:,}", dot)
        measured = self.measured(frame)
        if measured is not None and len(valid_rows(measured, "velocities")) > 1:
            self._draw_field(picture, right, x, "polarization", f"{polarization(measured):.2f}")

    def measured(self, frame: Frame) -> FlockFrame | None:
        """Return the flock whose polarization is written: the one with most boids so far.

        So a film does not go back and forth between flocks whose numbers change. None before the
        first boid.
        """
        for flock in frame.values():
            count = len(valid_rows(flock, "positions"))
            if count > self._largest[1]:
                self._largest = (flock.name, count)
        return frame.flocks.get(self._largest[0])

    def _draw_field(
        self, picture: Array, right: float, x: float, label: str, value: str,
        dot: Array | None = None,
    ) -> float:  # fmt: skip
        """Draw a label and its value, after an optional dot. Returns the start of the next one."""
        renderer, style, y = self._renderer, self._style, self._top
        label_x = x + (0.0 if dot is None else 0.95 * renderer.size)
        value_x = label_x + renderer.width(label) + 0.45 * renderer.size
        wide = self._widths[label] = max(self._widths.get(label, 0.0), renderer.width(value))
        if value_x + wide + 0.5 * renderer.size > right:
            self._end = min(self._end, x)
        if x < self._end:
            if dot is not None:
                renderer.dot(picture, x, y, dot)
            renderer.write(picture, label_x, y, label, style.quiet)
            renderer.write(picture, value_x, y, value, style.text)
        return value_x + wide + 1.5 * renderer.size


# --- the caption and the watermark


class Titles:
    """Draw the caption of a view below the flock, and its watermark in the lower right corner.

    `height` is the number of pixels from the lower edge that they take.
    """

    def __init__(self, style: Style, view: View) -> None:
        width, height = view.size
        plain = view.scenery == "none"  # the ground of scenery needs the colours of other text
        self._title = style.title if plain else style.text
        self._mark = style.mark if plain else style.quiet
        self._watermark = view.watermark
        self._small = TextRenderer(style, height, width, 1.0, view.watermark)
        self._large = TextRenderer(style, height, width, CAPTION_SIZE, view.caption)
        self._lines = wrap_text(view.caption, self._large, MAX_CAPTION_WIDTH * width)
        watermark = LINE_HEIGHT * self._small.size if view.watermark else 0.0
        total = watermark + len(self._lines) * LINE_HEIGHT * self._large.size
        self.height = total + 1.6 * self._small.size if total else 0.0

    def draw(self, picture: Array) -> None:
        """Draw both on a picture."""
        height, width = picture.shape[:2]
        small, large = self._small, self._large
        y = height - self.height + 0.8 * small.size
        for line in self._lines:
            large.write(picture, 0.5 * (width - large.width(line)), y, line, self._title)
            y += LINE_HEIGHT * large.size
        if self._watermark:
            left = width - small.size - small.width(self._watermark)
            small.write(picture, left, y, self._watermark, self._mark)


def wrap_text(text: str, renderer: TextRenderer, width: float) -> list[str]:
    """Wrap a text to lines of at most `width` pixels. Words that are too long are broken."""
    lines: list[str] = []
    for word in text.split():
        extended = f"{lines[-1]} {word}" if lines else word
        if lines and renderer.width(extended) <= width:
            lines[-1] = extended
            continue
        lines.append("")
        for letter in word:
            if lines[-1] and renderer.width(lines[-1] + letter) > width:
                lines.append("")
            lines[-1] += letter
    return lines
