"""Channels of pictures.

Pictures are (H, W, 3) uint8; those without a background (H, W, 4), the fourth channel being how
much of a pixel is covered, and the others colours times that. Then one formula holds for all
channels, a colour having 255 in its fourth.
"""

from __future__ import annotations

import numpy as np

Array = np.ndarray


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
