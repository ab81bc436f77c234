"""Small pictures of what films can contain are as on a stored sheet, which somebody has looked at.

python tests/support/small_pictures.py    draws the sheet again, after a change that is meant
"""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from small_pictures import COLUMNS, HEIGHT, SHEET, WIDTH, pictures, sheet_of

MAX_MEAN, MAX_BLOCK = 0.1, 4.0
"""Of differences of brightness, 0 to 255: their mean over a picture, and over 8 x 8 pixels. Other
versions of fonts' libraries and rounding differ by less."""


@pytest.fixture(scope="module")
def drawn() -> dict[str, np.ndarray]:
    return pictures()


def test_pictures_are_those_of_the_sheet(drawn: dict[str, np.ndarray]) -> None:
    sheet = np.asarray(Image.open(SHEET)).astype(float)
    present = sheet_of(drawn).astype(float)
    assert sheet.shape == present.shape
    difference = abs(present - sheet).max(axis=2)
    wrong = []
    for k, name in enumerate(drawn):
        y, x = k // COLUMNS * HEIGHT, k % COLUMNS * WIDTH
        tile = difference[y : y + HEIGHT, x : x + WIDTH]
        blocks = tile.reshape(HEIGHT // 8, 8, WIDTH // 8, 8).mean(axis=(1, 3))
        if tile.mean() > MAX_MEAN or blocks.max() > MAX_BLOCK:
            wrong.append(f"{name}: {tile.mean():.2f}, {blocks.max():.1f}")
    assert wrong == []


def test_no_two_pictures_are_the_same(drawn: dict[str, np.ndarray]) -> None:
    assert len({tile.tobytes() for tile in drawn.values()}) == len(drawn)
