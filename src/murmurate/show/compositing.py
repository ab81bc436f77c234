"""Blend a colour or a picture onto a part of a picture."""

from __future__ import annotations

import numpy as np

from murmurate.show.colours import RGB

Array = np.ndarray


def blend(picture: Array, left: int, top: int, cover: Array, colour: Array | RGB) -> None:
    """Lay a colour, or an (h, w, 3) picture of colours, on a picture; cover: (h, w) of 0 to 1."""
    height, width = picture.shape[:2]
    x0, x1 = max(0, left), min(width, left + cover.shape[1])
    y0, y1 = max(0, top), min(height, top + cover.shape[0])
    if x1 <= x0 or y1 <= y0:
        return
    inner = (slice(y0 - top, y1 - top), slice(x0 - left, x1 - left))
    part = cover[inner][..., None]
    colours = np.asarray(colour, np.float32)
    if colours.ndim == 3:
        colours = colours[inner]
    window = picture[y0:y1, x0:x1]
    window[:] = (window + (colours - window) * part + 0.5).astype(np.uint8)
