"""Blend a colour or a picture onto a part of a picture.

Pictures are (H, W, 3) uint8; those without a background (H, W, 4), the fourth channel being how
much of a pixel is covered, and the others colours times that. Then one formula holds for all
channels, a colour having 255 in its fourth.
"""

from __future__ import annotations

import numpy as np

from murmurate.show.colours import RGB

Array = np.ndarray


def blend(picture: Array, left: int, top: int, cover: Array, colour: Array | RGB) -> None:
    """Lay a colour, or an (h, w, 3) picture of colours, on a picture; cover: (h, w) of 0 to 1."""
    height, width, channels = picture.shape
    x0, x1 = max(0, left), min(width, left + cover.shape[1])
    y0, y1 = max(0, top), min(height, top + cover.shape[0])
    if x1 <= x0 or y1 <= y0:
        return
    inner = (slice(y0 - top, y1 - top), slice(x0 - left, x1 - left))
    part = cover[inner][..., None]
    colours = with_channels(np.asarray(colour, np.float32), channels)
    if colours.ndim == 3:
        colours = colours[inner]
    window = picture[y0:y1, x0:x1]
    window[:] = (window + (colours - window) * part + 0.5).astype(np.uint8)


def with_channels(colours: Array, channels: int) -> Array:
    """(..., 3) colours with as many channels as a picture has: opaque ones."""
    if colours.shape[-1] == channels:
        return colours
    return np.concatenate([colours, np.full_like(colours[..., :1], 255)], axis=-1)


def separated(picture: Array) -> Array:
    """An (H, W, 4) picture with its colours no longer times what they cover: as files keep it."""
    rows = picture.reshape(-1, 4)
    at = np.flatnonzero(rows[:, 3])
    covered = rows[at].astype(np.uint32)
    out = np.zeros_like(rows)
    out[at, :3] = np.minimum((covered[:, :3] * 510 + covered[:, 3:]) // (2 * covered[:, 3:]), 255)
    out[at, 3] = covered[:, 3]
    return out.reshape(picture.shape)
