"""Fonts of text in pictures, and which letters they have."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from PIL import ImageFont


def font_of(text: str, size: float) -> Any:
    """Pillow's own font, which has the letters of English; for a text with others the DejaVu Sans
    of matplotlib, where that is installed."""
    font = ImageFont.load_default(size)
    other = find_spec("matplotlib")
    if other is None or other.origin is None or not _missing(font, text):
        return font
    folder = Path(other.origin).parent / "mpl-data" / "fonts" / "ttf"
    return ImageFont.truetype(folder / "DejaVuSans.ttf", size)


def unwritable(text: str) -> str:
    """The letters of a text that no font here has."""
    return _missing(font_of(text, 20), text)


def _missing(font: Any, text: str) -> str:
    def drawn(letter: str) -> tuple[object, bytes]:
        mask = font.getmask(letter)
        return mask.size, bytes(mask)

    none = drawn("\U0010ffff")
    return "".join(dict.fromkeys(c for c in text if not c.isspace() and drawn(c) == none))
