"""Blend a colour or a picture onto a part of a picture; see channels.py for what these are."""

from __future__ import annotations

import numpy as np
from numba import njit

from murmurate.show.channels import with_channels
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
