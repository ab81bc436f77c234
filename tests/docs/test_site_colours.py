"""Colours of the documentation site: words can be read in both schemes (WCAG 2, AA)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

SHEET = Path(__file__).resolve().parents[2] / "docs" / "site" / "static" / "site.css"
LEAST = 4.5  # contrast of text of a usual size
BACKGROUNDS = ["background", "on-background", "surface"]
WORDS = ["link", "link-hover", "primary", "text-muted", "inline-code"]


def palette(scheme: str) -> dict[str, str]:
    block = re.search(rf'html\[data-theme="{scheme}"\] {{(.*?)}}', SHEET.read_text(), re.DOTALL)
    assert block
    return dict(re.findall(r"--(?:pst-color-)?([\w-]+): (#[0-9a-f]{6});", block[1]))


def luminance(colour: str) -> float:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_can_be_read(scheme: str) -> None:
    colours = palette(scheme)
    pale = {
        (word, ground): round(contrast(colours[word], colours[ground]), 2)
        for word in WORDS
        for ground in BACKGROUNDS
        if contrast(colours[word], colours[ground]) < LEAST
    }
    assert not pale


def test_strings_in_code_can_be_read() -> None:
    """The style that colours code in the light scheme has strings of a contrast of 3.1."""
    colours = palette("light")
    assert contrast(colours["string"], colours["surface"]) >= LEAST
    assert re.search(
        r"\.highlight :is\([^)]*\.s2\b[^)]*\) { color: var\(--string\); }", SHEET.read_text()
    )
