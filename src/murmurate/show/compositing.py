"""Blend a colour or a picture onto a part of a picture.

Pictures are (H, W, 3) uint8; those without a background (H, W, 4), the fourth channel being how
much of a pixel is covered, and the others colours times that. Then one formula holds for all
channels, a colour having 255 in its fourth.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from murmurate.show.colours import RGB

Array = np.ndarray


def blend(picture: Array, left: int, top: int, cover: Array, colour: Array | RGB) -> None:
    """Lay a colour, or an (h, w, 3) picture of colours, on a picture; cover: (h, w) of 0 to 1."""
    channels = picture.shape[2]
    colours = with_channels(np.asarray(colour, np.float32), channels)
    if colours.ndim == 1:
        colours = np.broadcast_to(colours, (1, 1, channels)).copy()
    _blend(picture, left, top, np.asarray(cover, np.float32), colours)


@njit(cache=True, nogil=True)
def _blend(picture, left, top, cover, colours):  # type: ignore[no-untyped-def]
    """colours: (h, w, C) float32, or (1, 1, C) for one."""
    height, width, channels = picture.shape
    down, right = min(1, len(colours) - 1), min(1, colours.shape[1] - 1)
    for v in range(max(0, -top), min(len(cover), height - top)):
        for u in range(max(0, -left), min(cover.shape[1], width - left)):
            part = cover[v, u]
            if part > 0.0:
                for channel in range(channels):
                    own = colours[down * v, right * u, channel]
                    below = np.float32(picture[top + v, left + u, channel])
                    mix = below + (own - below) * part + np.float32(0.5)
                    picture[top + v, left + u, channel] = np.uint8(mix)


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
