"""Titles of a picture: its caption below the flock, and a watermark in the lower right corner."""

from __future__ import annotations

from murmurate.model.view import View
from murmurate.show.projection import Array
from murmurate.show.styles import Style
from murmurate.show.text import TextRenderer

WIDE = 0.86  # of the picture that a line of the caption takes at most
LARGER = 1.7  # the caption's letters than others
LINE = 1.35  # height of a line, in sizes of its letters


class Titles:
    """Writes what a view says below the flock.

    `height`: pixels from the lower edge that it takes
    """

    def __init__(self, style: Style, view: View) -> None:
        width, height = view.size
        self._style, self._watermark = style, view.watermark
        self._small = TextRenderer(style, height, width, 1.0, view.watermark)
        self._large = TextRenderer(style, height, width, LARGER, view.caption)
        self._lines = lines(view.caption, self._large, WIDE * width)
        own = LINE * self._small.size if view.watermark else 0.0
        high = own + len(self._lines) * LINE * self._large.size
        self.height = high + 1.6 * self._small.size if high else 0.0

    def draw(self, picture: Array) -> None:
        height, width = picture.shape[:2]
        small, large, style = self._small, self._large, self._style
        y = height - self.height + 0.8 * small.size
        for line in self._lines:
            large.write(picture, 0.5 * (width - large.width(line)), y, line, style.title)
            y += LINE * large.size
        if self._watermark:
            left = width - small.size - small.width(self._watermark)
            small.write(picture, left, y, self._watermark, style.mark)


def lines(text: str, renderer: TextRenderer, width: float) -> list[str]:
    """A text in lines of no more than so many pixels; a word that is longer is broken."""
    found: list[str] = []
    for word in text.split():
        wider = f"{found[-1]} {word}" if found else word
        if found and renderer.width(wider) <= width:
            found[-1] = wider
            continue
        found.append("")
        for letter in word:
            if found[-1] and renderer.width(found[-1] + letter) > width:
                found.append("")
            found[-1] += letter
    return found
